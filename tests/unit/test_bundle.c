/* A model with all its files: which, under which names, and from where. */
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64 /* folders of large disks are listed on 32-bit machines too */
#endif
#define _POSIX_C_SOURCE 200809L

#include "harness.h"
#include "support/allocations.h"
#include "support/gltf_files.h"
#include "support/t3dm_files.h"
#include "trilobite/bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A sprite of 4 x 2 texels, I8. */
static const char sprite[] = "\0\4\0\2\0\21\1\1abcdefgh";

static char folder[200], path_text[512];

static const char *in_folder(const char *name)
{
    snprintf(path_text, sizeof path_text, "%s/%s", folder, name);
    return path_text;
}

static void make_file(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(in_folder(name), "wb");
    CHECK(file != NULL);
    const size_t wrote = fwrite(bytes, 1, size, file);
    CHECK(fclose(file) == 0 && wrote == size);
}

/* project/filesystem/kite.t3dm with its stream. */
static void make_project(void)
{
    buffer kite = {0}, stream = {0};
    t3dm_places places;
    snprintf(folder, sizeof folder, "%s", test_folder());
    CHECK(mkdir(in_folder("filesystem"), 0777) == 0 && mkdir(in_folder("assets"), 0777) == 0);
    t3dm_kite(&kite, 4, &places);
    t3dm_kite_stream(&stream);
    make_file("filesystem/kite.t3dm", kite.data, kite.size);
    make_file("filesystem/kite.0.sdata", stream.data, stream.size);
    buffer_free(&kite);
    buffer_free(&stream);
}

static void remove_project(void)
{
    static const char *const names[] = {"filesystem/kite.t3dm",
                                        "filesystem/kite.0.sdata",
                                        "filesystem/dot.sprite",
                                        "filesystem/band.gltf",
                                        "filesystem/band.bin",
                                        "filesystem/tex/a b.png",
                                        "filesystem/tex",
                                        "filesystem/secret.txt",
                                        "filesystem/kite.0.t3ds",
                                        "filesystem/box.t3dm",
                                        "assets/brick.png",
                                        "assets/crate.png",
                                        "assets/door.png",
                                        "assets/dot.png",
                                        "assets/dot.sprite",
                                        "secret.txt",
                                        "filesystem",
                                        "assets"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(in_folder(names[i]));
    CHECK(rmdir(folder) == 0);
}

static void check_entry(const trilo_bundle *bundle, size_t index, const char *name, const char *path)
{
    CHECK(index < bundle->file_count);
    CHECK_STR(bundle->files[index].name, name);
    CHECK_STR(bundle->files[index].path, in_folder(path));
    size_t size = 0;
    uint8_t *bytes = test_read_file(bundle->files[index].path, &size);
    CHECK(bytes != NULL);
    const bool same =
        size == bundle->files[index].bytes.size && memcmp(bytes, bundle->files[index].bytes.data, size) == 0;
    free(bytes);
    CHECK(same);
}

TEST(streams_and_sprites)
{
    trilo_error err;
    make_project();
    make_file("filesystem/dot.sprite", sprite, sizeof sprite - 1);
    const trilo_bundle *bundle = trilo_bundle_open(in_folder("filesystem/kite.t3dm"), NULL, &err);
    CHECK(bundle != NULL);
    CHECK_INT(bundle->error.code, TRILO_CODE_OK);
    CHECK_INT(bundle->missing_count, 0);
    CHECK_INT(bundle->file_count, 3);
    check_entry(bundle, 0, "kite.t3dm", "filesystem/kite.t3dm");
    check_entry(bundle, 1, "kite.0.sdata", "filesystem/kite.0.sdata");
    check_entry(bundle, 2, "dot.sprite", "filesystem/dot.sprite");
    trilo_bundle_free(bundle);
    remove_project();
}

/* Of a sprite that is not built yet, the image: called as the sprite would be, wherever it is. */
TEST(source_of_a_sprite)
{
    make_project();
    make_file("assets/dot.png", "not decoded", 11);
    const trilo_bundle *bundle = trilo_bundle_open(in_folder("filesystem/kite.t3dm"), NULL, NULL);
    CHECK(bundle != NULL);
    CHECK_INT(bundle->file_count, 3);
    CHECK_STR(bundle->files[2].name, "dot.png");
    CHECK_INT(bundle->files[2].bytes.size, 11);
    trilo_bundle_free(bundle);
    remove_project();
}

/* From a model in a folder of the file system, rom:/ is not the folder of the model. */
TEST(model_in_a_folder)
{
    char from[512];
    make_project();
    CHECK(mkdir(in_folder("filesystem/tex"), 0777) == 0);
    snprintf(from, sizeof from, "%s", in_folder("filesystem/kite.t3dm"));
    CHECK(rename(from, in_folder("filesystem/tex/kite.t3dm")) == 0);
    make_file("assets/dot.png", "not decoded", 11);
    const trilo_bundle *bundle = trilo_bundle_open(in_folder("filesystem/tex/kite.t3dm"), NULL, NULL);
    CHECK(bundle != NULL);
    CHECK_INT(bundle->file_count, 2);
    CHECK_STR(bundle->files[1].name, "dot.png");
    trilo_bundle_free(bundle);
    make_file("filesystem/dot.sprite", sprite, sizeof sprite - 1);
    bundle = trilo_bundle_open(in_folder("filesystem/tex/kite.t3dm"), NULL, NULL);
    CHECK(bundle != NULL);
    CHECK_STR(bundle->files[1].name, "dot.sprite");
    trilo_bundle_free(bundle);
    CHECK(remove(in_folder("filesystem/tex/kite.t3dm")) == 0);
    remove_project();
}

TEST(missing_texture_and_stream)
{
    make_project();
    CHECK(remove(in_folder("filesystem/kite.0.sdata")) == 0);
    const trilo_bundle *bundle = trilo_bundle_open(in_folder("filesystem/kite.t3dm"), NULL, NULL);
    CHECK(bundle != NULL);
    CHECK_INT(bundle->file_count, 1);
    CHECK_INT(bundle->missing_count, 1);
    CHECK_STR(bundle->missing[0], "rom:/dot.sprite");
    trilo_bundle_free(bundle);
    remove_project();
}

/* A link is no file of the folder. */
TEST(links_are_not_followed)
{
    char target[512];
    make_project();
    make_file("secret.txt", "secret", 6);
    snprintf(target, sizeof target, "%s", in_folder("secret.txt"));
    CHECK(symlink(target, in_folder("filesystem/dot.sprite")) == 0);
    const trilo_bundle *bundle = trilo_bundle_open(in_folder("filesystem/kite.t3dm"), NULL, NULL);
    CHECK(bundle != NULL);
    CHECK_INT(bundle->file_count, 2);
    CHECK_INT(bundle->missing_count, 1);
    trilo_bundle_free(bundle);
    remove_project();
}

TEST(buffers_and_images)
{
    static const char text[] = "{'asset':{'version':'2.0'},'buffers':[{'uri':'band.bin','byteLength':4},"
                               "{'uri':'../secret.txt','byteLength':4}],"
                               "'images':[{'uri':'tex/a%20b.png'},{'uri':'tex/a%20b.png'}]}";
    buffer gltf = {0};
    make_project();
    gltf_text(&gltf, text);
    CHECK(mkdir(in_folder("filesystem/tex"), 0777) == 0);
    make_file("secret.txt", "secret", 6);
    make_file("filesystem/band.gltf", gltf.data, gltf.size);
    make_file("filesystem/band.bin", "1234", 4);
    make_file("filesystem/tex/a b.png", "image", 5);
    const trilo_bundle *bundle = trilo_bundle_open(in_folder("filesystem/band.gltf"), NULL, NULL);
    CHECK(bundle != NULL);
    CHECK_INT(bundle->file_count, 3);
    check_entry(bundle, 0, "band.gltf", "filesystem/band.gltf");
    check_entry(bundle, 1, "band.bin", "filesystem/band.bin");
    check_entry(bundle, 2, "tex/a b.png", "filesystem/tex/a b.png");
    trilo_bundle_free(bundle);
    buffer_free(&gltf);
    remove_project();
}

static void count_finding(void *user, const trilo_finding *finding)
{
    *(unsigned *)user += finding->severity > TRILO_SEVERITY_NOTE;
}

/* A file that is asked for twice is there twice, and in the bundle once. */
TEST(one_file_for_two_buffers)
{
    static const char text[] = "{'asset':{'version':'2.0'},'buffers':[{'uri':'band.bin','byteLength':4},"
                               "{'uri':'%s','byteLength':4}]}";
    static const char *const uris[] = {"band.bin", "b:and.bin", "b%5Cand.bin"};
    unsigned least = 0;
    for (int i = 0; i < 3; i++) {
        buffer gltf = {0};
        char filled[300];
        unsigned findings = 0;
        make_project();
        snprintf(filled, sizeof filled, text, uris[i]);
        gltf_text(&gltf, filled);
        make_file("filesystem/band.gltf", gltf.data, gltf.size);
        make_file("filesystem/band.bin", "1234", 4);
        const trilo_bundle_opts opts = {.on_finding = count_finding, .on_finding_user = &findings};
        const trilo_bundle *bundle = trilo_bundle_open(in_folder("filesystem/band.gltf"), &opts, NULL);
        CHECK(bundle && bundle->file_count == 2);
        check_entry(bundle, 1, "band.bin", "filesystem/band.bin");
        const unsigned trouble = findings + (bundle->error.code != TRILO_CODE_OK ? 100 : 0);
        least = i == 0 ? trouble : least;
        CHECK(i == 0 ? trouble < 100 : trouble > least);
        trilo_bundle_free(bundle);
        buffer_free(&gltf);
        remove_project();
    }
}

/* It can be handed on nevertheless: whoever gets it sees the same findings. */
TEST(broken_model)
{
    trilo_error err = {0};
    make_project();
    make_file("filesystem/kite.t3dm", "T3M\4 and no more", 16);
    const trilo_bundle *bundle = trilo_bundle_open(in_folder("filesystem/kite.t3dm"), NULL, &err);
    CHECK(bundle != NULL);
    CHECK_INT(bundle->error.code, TRILO_CODE_TRUNCATED);
    CHECK_INT(bundle->file_count, 1);
    check_entry(bundle, 0, "kite.t3dm", "filesystem/kite.t3dm");
    trilo_bundle_free(bundle);
    CHECK(trilo_bundle_open(in_folder("filesystem/none.t3dm"), NULL, &err) == NULL);
    CHECK_INT(err.code, TRILO_CODE_CANT_READ);
    remove_project();
}

/* Denies one allocation. */
typedef struct starver {
    size_t left;
} starver;

static void *starve(void *user, void *old, size_t old_size, size_t new_size)
{
    starver *s = user;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return s->left-- == 0 ? NULL : realloc(old, new_size);
}

TEST(no_memory)
{
    make_project();
    make_file("filesystem/dot.sprite", sprite, sizeof sprite - 1);
    size_t tries = 0;
    for (bool done = false; !done; tries++) {
        trilo_error err = {0};
        starver s = {tries};
        const trilo_bundle_opts opts = {.memory = {.fn = starve, .user = &s}};
        const trilo_bundle *bundle = trilo_bundle_open(in_folder("filesystem/kite.t3dm"), &opts, &err);
        done = bundle != NULL;
        CHECK_INT(bundle ? TRILO_CODE_OK : err.code, bundle ? TRILO_CODE_OK : TRILO_CODE_NO_MEMORY);
        CHECK(!bundle || bundle->file_count == 3);
        trilo_bundle_free(bundle);
        CHECK(tries < 10000);
    }
    CHECK(tries > 5);
    remove_project();
}

/* Each allocation alone fails, with an image and without: a refusal, or all that there is. */
TEST(no_memory_at_one_place)
{
    make_project();
    for (int found = 0; found < 2; found++) {
        if (found)
            make_file("assets/dot.png", "not decoded", 11);
        for (size_t n = 1; allocations_next(n); n += ALLOCATIONS_STEP) {
            trilo_error err = {0};
            const trilo_bundle *bundle = trilo_bundle_open(in_folder("filesystem/kite.t3dm"), NULL, &err);
            allocations_allow();
            CHECK(bundle || (allocations_denied() && err.code == TRILO_CODE_NO_MEMORY));
            if (!bundle)
                continue;
            CHECK_INT(bundle->error.code, TRILO_CODE_OK);
            CHECK_INT(bundle->file_count, found ? 3 : 2);
            CHECK_INT(bundle->missing_count, found ? 0 : 1);
            CHECK_STR(bundle->files[1].name, "kite.0.sdata");
            CHECK_STR(found ? bundle->files[2].name : bundle->missing[0], found ? "dot.png" : "rom:/dot.sprite");
            trilo_bundle_free(bundle);
        }
    }
    remove_project();
}

/* The numbers of a Pyrite64 material mean nothing without the table of its project. */
TEST(asset_table)
{
    char model[512];
    trilo_error err;
    snprintf(model, sizeof model, "%s", test_corpus("pyrite64/v08_material_test/filesystem/box.t3dm"));
    const trilo_bundle *bundle = trilo_bundle_open(model, NULL, &err);
    CHECK(bundle && bundle->file_count == 3 && bundle->missing_count == 0);
    CHECK_STR(bundle->files[0].name, "box.t3dm");
    CHECK_STR(bundle->files[1].name, "filesystem/p64/a");
    CHECK_STR(bundle->files[2].name, "assets/crate32.png");
    trilo_bundle_free(bundle);
}

/* Without it they are ranks among the names of all images of the project, so these go along, but without their bytes.
 * The model uses the second image. */
TEST(asset_ranks)
{
    trilo_error err;
    make_project();
    size_t size = 0;
    uint8_t *model = test_read_file(test_corpus("pyrite64/v08_material_test/filesystem/box.t3dm"), &size);
    make_file("filesystem/box.t3dm", model, size);
    free(model);
    for (int i = 0; i < 3; i++)
        make_file(((const char *const[]){"assets/brick.png", "assets/crate.png", "assets/door.png"})[i], sprite, 8);
    const trilo_bundle *bundle = trilo_bundle_open(in_folder("filesystem/box.t3dm"), NULL, &err);
    CHECK(bundle && bundle->file_count == 4 && bundle->missing_count == 0);
    CHECK_STR(bundle->files[1].name, "assets/crate.png");
    CHECK_INT(bundle->files[1].bytes.size, 8);
    CHECK_STR(bundle->files[2].name, "assets/brick.png");
    CHECK_INT(bundle->files[2].bytes.size, 0);
    CHECK_STR(bundle->files[3].name, "assets/door.png");
    trilo_bundle_free(bundle);
    remove_project();
}

TEST_MAIN(CASE(asset_table), CASE(asset_ranks), CASE(streams_and_sprites), CASE(source_of_a_sprite),
          CASE(model_in_a_folder), CASE(missing_texture_and_stream), CASE(links_are_not_followed),
          CASE(buffers_and_images), CASE(one_file_for_two_buffers), CASE(broken_model), CASE(no_memory),
          CASE(no_memory_at_one_place))

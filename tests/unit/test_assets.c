/* The images of a project: where they are looked for, what they are called, and which lookups are remembered. */
#define _POSIX_C_SOURCE 200809L

#include "api/project/manifest.h"
#include "harness.h"
#include "support/allocations.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The start of a PNG file of 16 by 8 pixels, as far as its size. */
static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x10\0\0\0\x08\x08\2\0\0\0";

/* Makes the folders of a path. */
static void make_folders(const char *path)
{
    char part[1200];
    for (size_t i = 0; path[i]; i++)
        if (path[i] == '/') {
            snprintf(part, sizeof part, "%.*s", (int)i, path);
            mkdir(part, 0777);
        }
}

static void make_text(const char *path, const char *text)
{
    make_folders(path);
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void make_png(const char *path)
{
    make_folders(path);
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(png, 1, sizeof png, file) == sizeof png && fclose(file) == 0);
}

static char warnings[1000];

static void list_warning(void *user, const trilo_finding *finding)
{
    const size_t used = strlen(warnings);
    (void)user;
    CHECK(finding->severity == TRILO_SEVERITY_WARNING && finding->kind == TRILO_FINDING_KIND_ADVICE);
    CHECK(finding->offset == TRILO_NOWHERE && !*finding->rule && !*finding->path);
    snprintf(warnings + used, sizeof warnings - used, "%s\n", finding->text);
}

static trilo_assets *assets_of(const char *model, const char *folder)
{
    trilo_error err;
    warnings[0] = '\0';
    trilo_assets *assets =
        trilo_assets_new(&(trilo_assets_opts){.model = model, .folder = folder, .on_finding = list_warning}, &err);
    CHECK(assets != NULL);
    return assets;
}

typedef struct named {
    const char *name, *path, *rom; /* path NULL: not found */
    const char *places;
} named;

static void check_named(trilo_assets *assets, const named *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        trilo_found_image found = {.path = ""};
        const char *path = "unset", *located = trilo_assets_locate(assets, cases[i].name);
        const bool there = trilo_assets_find(assets, TRILO_IMAGE_KEY_NAME, cases[i].name, &found);
        CHECK_STR(found.path, cases[i].rom);
        CHECK_STR(found.places, cases[i].places);
        CHECK_INT(found.bytes.size, cases[i].path && *cases[i].name != '/' ? sizeof png : 0);
        CHECK_STR(trilo_assets_lookup(assets, i, &path), cases[i].name);
        CHECK_STR(path ? path : "none", cases[i].path ? cases[i].path : "none");
        CHECK_STR(located ? located : "none", cases[i].path ? cases[i].path : "none");
        CHECK(there == (cases[i].path || *cases[i].name == '/'));
    }
    const char *path;
    CHECK(trilo_assets_lookup(assets, count, &path) == NULL && trilo_assets_lookup(assets, count + 1, &path) == NULL);
}

/* Beside the model comes before the folder of assets; a name has its ending or not, or a number of Blender's. */
TEST(names_of_images)
{
    static const char *const files[] = {
        "assets/a.png",     "assets/deep/b.png", "assets/deep/er/c.png", "assets/deep/Big.png", "models/a.png",
        "models/sub/d.png", "models/plain",      "assets/deep/x.png",    "assets/other/x.png",  "assets/deep/ab.png"};
    static const named cases[] = {
        {"a", "models/a.png", "rom:/a.sprite", ""},
        {"a.png", "models/a.png", "rom:/a.sprite", ""},
        {"b", "assets/deep/b.png", "rom:/deep/b.sprite", ""},
        {"b.png.001", "assets/deep/b.png", "rom:/deep/b.sprite", ""},
        {"deep/b.png", "assets/deep/b.png", "rom:/deep/b.sprite", ""},
        {"er/c", "assets/deep/er/c.png", "rom:/deep/er/c.sprite", ""},
        {"sub/d", "models/sub/d.png", "rom:/d.sprite", ""},
        {"plain", "models/plain", "rom:/plain.sprite", ""},
        {"big", NULL, "rom:/big.sprite",
         "beside it and below assets, where assets/deep/Big.png has other capital letters"},
        {"eep/b", NULL, "rom:/b.sprite", "beside it and below assets"}, /* only whole names of folders */
        {"e", NULL, "rom:/e.sprite", "beside it and below assets"},
        {"", NULL, "rom:/.png.sprite", "beside it and below assets"},
        {"../models/a.png", NULL, "", "beside it and below assets"},
        {"x", "assets/deep/x.png", "rom:/deep/x.sprite", ""},
        {"other/x", "assets/other/x.png", "rom:/other/x.sprite", ""}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        make_png(files[i]);
    trilo_assets *assets = assets_of("models/hero.glb", NULL);
    check_named(assets, cases, sizeof cases / sizeof *cases);
    CHECK_STR(warnings, "2 files are called \"x.png\": assets/deep/x.png is used, rename the others\n");
    size_t images = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (cases[i].path)
            CHECK_STR(trilo_assets_image(assets, images++), cases[i].path);
    CHECK(trilo_assets_image(assets, images) == NULL && trilo_assets_absent(assets, 0) == NULL);
    trilo_found_image found = {.path = ""}; /* asked again, it is remembered */
    CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_NAME, "a", &found) && strcmp(found.path, "rom:/a.sprite") == 0);
    CHECK(trilo_assets_image(assets, images) == NULL && trilo_assets_ok(assets, NULL));
    trilo_assets_free(assets);
}

/* Without a model there is nothing beside it. */
TEST(images_without_a_model)
{
    static const named cases[] = {{"a", "art/a.png", "rom:/a.sprite", ""}, {"b", NULL, "", "below art"}};
    make_png("art/a.png");
    make_png("b.png");
    trilo_assets *assets = assets_of(NULL, "art");
    check_named(assets, cases, 2);
    trilo_found_image found = {.path = ""};
    trilo_found_asset asset;
    CHECK(!trilo_assets_find(assets, TRILO_IMAGE_KEY_PATH, "a.png", &found));
    CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_PATH, "art/c.png", &found));
    CHECK_STR(found.path, "rom:/c.sprite");
    CHECK(!trilo_assets_find_asset(assets, 0, &asset) && asset.source == TRILO_ASSET_SOURCE_NONE);
    CHECK_STR(warnings, "");
    trilo_assets_free(assets);
}

/* An absolute name is one on another machine, unless it leads into the folder of assets. */
TEST(absolute_names_of_images)
{
    char name[1200], folder[1000];
    snprintf(folder, sizeof folder, "%s/assets", test_folder());
    snprintf(name, sizeof name, "%s/wall/a.png", folder);
    make_png(name);
    trilo_assets *assets = assets_of("hero.glb", folder);
    const named cases[] = {{name, name, "rom:/wall/a.sprite", ""}, {"/home/x/b.png", NULL, "rom:/b.sprite", ""}};
    check_named(assets, cases, 2);
    trilo_assets_free(assets);
}

TEST(names_with_control_characters_are_not_looked_for)
{
    static const struct {
        const char *name;
        bool control;
    } cases[] = {{"\x1f", true}, {"a\x7f", true},  {"a\n.png", true},
                 {" ", false},   {"a\x7e", false}, {"\xc3\xa4", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trilo_assets *assets = assets_of("hero.glb", NULL);
        trilo_found_image found = {.path = ""};
        CHECK(!trilo_assets_find(assets, TRILO_IMAGE_KEY_NAME, cases[i].name, &found));
        CHECK(!trilo_assets_locate(assets, cases[i].name));
        CHECK_STR(warnings,
                  cases[i].control ? "the name of an image has control characters, it is not looked for\n" : "");
        trilo_assets_free(assets);
    }
}

/* A path on the console has at most 255 bytes: "rom:/", 243 others and ".sprite". */
TEST(paths_that_are_too_long_for_the_console)
{
    for (int length = 242; length <= 245; length++) {
        char name[256], file[400], wanted[300];
        const bool fits = length <= 243;
        memset(name, 'n', sizeof name);
        name[length] = '\0';
        snprintf(file, sizeof file, "assets/%s.png", name);
        make_png(file);
        snprintf(wanted, sizeof wanted, "rom:/%s.sprite", name);
        trilo_assets *assets = assets_of("models/hero.glb", NULL);
        trilo_found_image found = {.path = ""};
        CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_NAME, name, &found) == fits);
        CHECK(!fits || strcmp(found.path, wanted) == 0);
        CHECK_STR(warnings, fits ? "" : "the path of an image is too long for the console, it is left out\n");
        CHECK((trilo_assets_image(assets, 0) != NULL) == fits);
        CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_PATH, file + strlen("assets/"), &found) == false);
        snprintf(file, sizeof file, "../assets/%s.png", name);
        CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_PATH, file, &found) == fits);
        found = (trilo_found_image){.path = "x"};
        name[0] = 'm'; /* one that is not there is named only if there is room */
        CHECK(!trilo_assets_find(assets, TRILO_IMAGE_KEY_NAME, name, &found));
        wanted[5] = 'm';
        CHECK_STR(found.path, fits ? wanted : "");
        trilo_assets_free(assets);
    }
}

/* Folders are looked into 32 levels deep. */
TEST(assets_in_deep_folders)
{
    char path[200] = "assets/";
    for (int level = 1; level <= 33; level++) {
        char file[256];
        snprintf(path + strlen(path), sizeof path - strlen(path), "d/");
        snprintf(file, sizeof file, "%sp%d.png", path, level);
        make_png(file);
        if (level < 31)
            continue;
        char name[16];
        trilo_found_image found = {.path = ""};
        trilo_assets *assets = assets_of("hero.glb", NULL);
        snprintf(name, sizeof name, "p%d", level);
        CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_NAME, name, &found) == (level <= 32));
        CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_NAME, "p1", &found));
        CHECK_STR(warnings, level <= 32 ? "" : "the folder of assets is too large, not all of it was looked into\n");
        trilo_assets_free(assets);
    }
}

/* The image that a sprite is made of. One beside the model is known by what it is called on the console. */
TEST(images_of_sprites)
{
    make_png("assets/wall.png");
    make_png("models/skin.png");
    trilo_assets *assets = assets_of("models/hero.glb", NULL);
    trilo_found_image found = {.path = ""};
    CHECK(!trilo_assets_find(assets, TRILO_IMAGE_KEY_SPRITE, "rom:/skin.sprite", &found) && found.bytes.size == 0);
    CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_NAME, "skin", &found));
    CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_NAME, "wall", &found));
    CHECK_STR(found.path, "rom:/wall.sprite");
    CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_SPRITE, "rom:/skin.sprite", &found));
    CHECK_INT(found.bytes.size, sizeof png);
    found = (trilo_found_image){.path = ""};
    CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_SPRITE, "rom:/wall.sprite", &found));
    CHECK_INT(found.bytes.size, sizeof png);
    static const char *const refused[] = {"rom:/wall.png",       "wall.sprite",           "rom/wall.sprite",
                                          "rom:/../wall.sprite", "rom:/a/../wall.sprite", "rom:/none.sprite"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CHECK(!trilo_assets_find(assets, TRILO_IMAGE_KEY_SPRITE, refused[i], &found) && found.bytes.size == 0);
    CHECK_STR(trilo_assets_absent(assets, 0), "assets/skin.png");
    CHECK_STR(trilo_assets_absent(assets, 1), "assets/none.png"); /* a path that leads up is not looked at */
    CHECK(trilo_assets_absent(assets, 2) == NULL);
    CHECK_STR(trilo_assets_image(assets, 0), "models/skin.png");
    CHECK_STR(trilo_assets_image(assets, 1), "assets/wall.png");
    CHECK_STR(trilo_assets_image(assets, 2), "assets/wall.png");
    CHECK(trilo_assets_image(assets, 3) == NULL);
    CHECK_STR(trilo_assets_source(assets, "rom:/wall.sprite"), "assets/wall.png");
    CHECK(!trilo_assets_source(assets, "rom:/skin.sprite") && !trilo_assets_source(assets, "wall.sprite"));
    CHECK(!trilo_assets_source(assets, "rom:/wall.png"));
    trilo_assets_free(assets);
}

/* ---- textures of a model ---- */

static const char *texture_path(trilo_assets *assets, const char *name, const char *path)
{
    static char kept[300];
    const trilo_texture texture = {.name = {name, (uint32_t)strlen(name)}, .path = {path, (uint32_t)strlen(path)}};
    const trilo_model model = {.texture_count = 1, .textures = &texture};
    trilo_texture_file file;
    if (!trilo_assets_texture(assets, &model, 0, &file)) {
        CHECK(!file.path && file.bytes.size == 0);
        return "none";
    }
    CHECK_INT(file.bytes.size, sizeof png);
    snprintf(kept, sizeof kept, "%s", file.path);
    return kept;
}

/* Each place is tried after the ones behind it in the list, as a file is added there. */
TEST(textures_are_looked_for_in_order)
{
    static const char *const places[] = {"assets/lv/t.png",
                                         "game/assets/t.jpg",
                                         "game/assets/lv/t.jpg",
                                         "game/assets/t.png",
                                         "game/assets/lv/t.png",
                                         "game/assets/t.sprite",
                                         "game/assets/lv/t.sprite",
                                         "game/filesystem/t.jpg",
                                         "game/filesystem/lv/t.jpg",
                                         "game/filesystem/t.png",
                                         "game/filesystem/lv/t.png",
                                         "game/filesystem/t.sprite",
                                         "game/filesystem/lv/t.sprite",
                                         "game/filesystem/assets/t.sprite",
                                         "game/filesystem/lv2/t.sprite",
                                         "game/filesystem/lv2/lv/t.sprite",
                                         "textures/t.sprite",
                                         "textures/lv/t.sprite"};
    make_folders("game/filesystem/lv2/");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char wanted[100], got[300];
        const char *tail = strstr(places[i], "assets/"), *lv2 = strstr(places[i], "filesystem/assets/");
        make_png(places[i]);
        trilo_assets *assets =
            trilo_assets_new(&(trilo_assets_opts){.model = "game/filesystem/lv2/m.t3dm", .textures = "textures"}, NULL);
        snprintf(got, sizeof got, "%s", texture_path(assets, "", "rom:/lv/t.sprite"));
        /* a folder beside the model's is found through it */
        snprintf(wanted, sizeof wanted, "%s%s",
                 lv2             ? "game/filesystem/lv2/../"
                 : tail && i > 0 ? "game/filesystem/../"
                                 : "",
                 tail && i > 0 ? tail : places[i]);
        CHECK_STR(got, wanted);
        CHECK_STR(texture_path(assets, "rom:/lv/t.sprite", ""), wanted);
        CHECK(trilo_assets_ok(assets, NULL));
        trilo_assets_free(assets);
    }
}

TEST(names_of_textures)
{
    make_png("models/a.sprite");
    make_png("models/b.png");
    make_png("models/c.jpg");
    make_png("models/d.bmp");
    make_png("models/e");
    make_png("models/f.png");
    trilo_assets *assets = assets_of("models/m.t3dm", NULL);
    CHECK_STR(texture_path(assets, "a", ""), "none");
    CHECK_STR(texture_path(assets, "a.sprite", ""), "models/a.sprite");
    CHECK_STR(texture_path(assets, "x", "rom:/a.sprite"), "models/a.sprite");
    CHECK_STR(texture_path(assets, "b", ""), "models/b.png");
    CHECK_STR(texture_path(assets, "b.sprite", ""), "models/b.png");
    CHECK_STR(texture_path(assets, "c", ""), "models/c.jpg");
    CHECK_STR(texture_path(assets, "c.png", ""), "none"); /* another ending is not replaced */
    CHECK_STR(texture_path(assets, "d.bmp", ""), "models/d.bmp");
    CHECK_STR(texture_path(assets, "e", ""), "models/e");
    CHECK_STR(texture_path(assets, "sub/f.png", ""), "models/f.png");
    CHECK_STR(texture_path(assets, "", ""), "none");
    const trilo_texture texture = {.name = {"a.sprite", 8}, .path = {"", 0}, .bytes = {(const uint8_t *)png, 4}};
    const trilo_model model = {.texture_count = 1, .textures = &texture};
    trilo_texture_file file;
    CHECK(!trilo_assets_texture(assets, &model, 0, &file) && !file.path); /* it is embedded */
    CHECK(!trilo_assets_texture(assets, &model, 1, &file) && !file.path);
    trilo_assets_free(assets);
}

/* ---- projects of Pyrite64 ---- */

/* Without a table, images count by their file name, and by their path where that is the same. */
TEST(images_of_a_project_without_a_table)
{
    static const char *const files[] = {"p/assets/b.png",   "p/assets/z/a.png",   "p/assets/a/c.png",
                                        "p/assets/c/a.png", "p/assets/d.bci.png", "p/assets/.bci.png",
                                        "p/assets/e.i8.png"};
    static const char *const roms[] = {"rom:/.bci.sprite", "rom:/c/a.sprite", "rom:/z/a.sprite", "rom:/b.sprite",
                                       "rom:/a/c.sprite",  "rom:/d.bci",      "rom:/e.i8.sprite"};
    static const char *const sources[] = {"p/assets/.bci.png", "p/assets/c/a.png", "p/assets/z/a.png",
                                          "p/assets/b.png",    "p/assets/a/c.png", "p/assets/d.bci.png",
                                          "p/assets/e.i8.png"};
    for (size_t i = 0; i < 7; i++)
        make_png(files[i]);
    make_png("p/assets/gone.png");
    make_text("p/assets/gone.png.conf", "{\"exclude\":true}");
    make_text("p/assets/b.png.conf", "{\"exclude\":false}");
    trilo_assets *assets = assets_of("p/src/deep/m.t3dm", NULL);
    trilo_found_asset found;
    const char *path = NULL;
    CHECK(trilo_assets_lookup(assets, 0, &path) == NULL); /* not looked for yet */
    for (uint32_t i = 0; i < 7; i++) {
        CHECK(trilo_assets_find_asset(assets, i, &found));
        CHECK(found.source == TRILO_ASSET_SOURCE_RANK && found.count == 7 && found.type == 1);
        CHECK(found.width == 16 && found.height == 8);
        CHECK_STR(found.path, roms[i]);
        CHECK_INT(trilo_assets_number(assets, roms[i]), i);
        CHECK_STR(trilo_assets_file(assets, roms[i]), sources[i]);
        CHECK_STR(trilo_assets_image(assets, i), sources[i]);
    }
    CHECK(!trilo_assets_find_asset(assets, 7, &found) && found.count == 7);
    CHECK(trilo_assets_number(assets, "rom:/gone.sprite") == TRILO_NONE);
    CHECK(!trilo_assets_file(assets, "b.sprite") && !trilo_assets_file(assets, "rom:/../b.sprite"));
    CHECK(trilo_assets_image(assets, 7) == NULL);
    CHECK_STR(trilo_assets_lookup(assets, 0, &path), "*.png"); /* the list of images is a lookup */
    CHECK(path && trilo_assets_lookup(assets, 1, &path) == NULL);
    trilo_assets_free(assets);
}

/* The hash of the list is that of the paths, and another after an image was added. */
TEST(lists_of_images_are_compared)
{
    char first[200], second[200], hash[TL_HASH_ROOM];
    make_png("p/assets/a.png");
    trilo_assets *assets = assets_of("p/m.t3dm", NULL);
    snprintf(first, sizeof first, "%s", trilo_assets_locate(assets, "*.png"));
    tl_manifest_hash_bytes("p/assets/a.png", sizeof "p/assets/a.png", hash);
    CHECK_STR(first, hash);
    trilo_assets_free(assets);
    make_png("p/assets/b.png");
    assets = assets_of("p/m.t3dm", NULL);
    snprintf(second, sizeof second, "%s", trilo_assets_locate(assets, "*.png"));
    tl_manifest_hash_bytes("p/assets/a.png\0p/assets/b.png", 2 * sizeof "p/assets/a.png", hash);
    CHECK_STR(second, hash);
    CHECK(strlen(first) > 8 && strlen(first) == strlen(second) && strcmp(first, second) != 0);
    trilo_assets_free(assets);
    assets = assets_of("elsewhere/m.t3dm", NULL);
    CHECK(trilo_assets_locate(assets, "*.png") == NULL);
    trilo_assets_free(assets);
}

/* The folders of a project are looked for in sixteen folders, the first of which is the model's. */
TEST(projects_above_deep_models)
{
    char model[200] = "top/p/";
    make_png("top/p/assets/a.png");
    for (int above = 0; above < 18; above++) {
        char name[256];
        trilo_found_asset found;
        snprintf(name, sizeof name, "%sm.t3dm", model);
        trilo_assets *assets = assets_of(name, NULL);
        CHECK(trilo_assets_find_asset(assets, 0, &found) == (above < 16));
        trilo_assets_free(assets);
        snprintf(model + strlen(model), sizeof model - strlen(model), "d/");
    }
}

static void put_be(char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (char)(value >> (24 - 8 * i));
}

/* A table of assets (version 8: entries of 8 bytes, an offset and a word whose upper four bits are the type). The path
 * of an asset has at most 255 bytes. */
TEST(assets_of_a_table)
{
    static const size_t lengths[] = {6, 255, 256, 20};
    static const uint32_t types[] = {1, 1, 1, 4};
    char bytes[4 + 4 * 8 + 1000] = {0};
    uint32_t at = 4 + 4 * 8;
    put_be(bytes, 4);
    for (int i = 0; i < 4; i++) {
        put_be(bytes + 4 + 8 * i, at);
        put_be(bytes + 8 + 8 * i, types[i] << 28 | 5);
        memcpy(bytes + at, "rom:/", 5);
        memset(bytes + at + 5, 'a' + i, lengths[i] - 5);
        at += (uint32_t)lengths[i] + 1;
    }
    make_folders("p/filesystem/p64/");
    make_folders("p/assets/");
    FILE *file = fopen("p/filesystem/p64/a", "wb");
    CHECK(file && fwrite(bytes, 1, at, file) == at && fclose(file) == 0);
    make_png("p/filesystem/a");
    trilo_assets *assets = assets_of("p/filesystem/sub/m.t3dm", NULL);
    for (uint32_t i = 0; i < 5; i++) {
        trilo_found_asset found;
        CHECK(trilo_assets_find_asset(assets, i, &found) == (i < 4 && i != 2));
        CHECK(found.source == TRILO_ASSET_SOURCE_TABLE && found.count == 4);
        CHECK_INT(found.type, i == 3 ? 4 : 1);
        CHECK(found.width == (i == 0 ? 16 : 0) && found.height == (i == 0 ? 8 : 0));
        if (i < 4 && i != 2)
            CHECK(strlen(found.path) == lengths[i] &&
                  strcmp(found.path, bytes + (bytes[7 + 8 * i] & 0xFF) + ((bytes[6 + 8 * i] & 0xFF) << 8)) == 0);
    }
    const char *path = NULL;
    CHECK_INT(trilo_assets_number(assets, "rom:/a"), 0);
    CHECK(trilo_assets_number(assets, "rom:/ddddddddddddddd") == TRILO_NONE); /* it is no image */
    CHECK(trilo_assets_lookup(assets, 0, &path) == NULL);
    CHECK_STR(trilo_assets_locate(assets, "*.png"), "p64/a");
    CHECK_STR(trilo_assets_image(assets, 0), "p/filesystem/p64/a");
    CHECK_STR(trilo_assets_image(assets, 1), "p/filesystem/a");
    CHECK(trilo_assets_image(assets, 2) == NULL);
    trilo_assets_free(assets);
}

/* Of a model that is no file, the folder "assets" here. */
TEST(neither_a_model_nor_a_folder)
{
    make_png("assets/wall.png");
    trilo_assets *assets = trilo_assets_new(NULL, NULL);
    CHECK(assets);
    CHECK_STR(trilo_assets_locate(assets, "wall.png"), "assets/wall.png");
    trilo_found_image found = {.path = ""};
    CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_NAME, "wall", &found));
    CHECK_STR(found.path, "rom:/wall.sprite");
    CHECK(trilo_assets_ok(assets, NULL));
    trilo_assets_free(assets);
}

/* ---- memory ---- */

/* Looks everything up; what was not found although it is there is a lack of memory, which trilo_assets_ok tells.
 * Returns 0 for a refusal, 1 for an incomplete answer, 2 for all. */
static int look_everything_up(const trilo_memory *memory)
{
    static const char *const names[] = {"a", "b", "c", "none"};
    trilo_error err = {.code = TRILO_CODE_OK};
    trilo_assets *assets = trilo_assets_new(&(trilo_assets_opts){.model = "models/m.glb", .memory = *memory}, &err);
    if (!assets) {
        CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
        return 0;
    }
    bool all = true;
    for (size_t i = 0; i < 4; i++) {
        trilo_found_image found = {.path = ""};
        const bool there = trilo_assets_find(assets, TRILO_IMAGE_KEY_NAME, names[i], &found);
        all = all && (there || i == 3);
    }
    const trilo_model model = {.texture_count = 1, .textures = &(trilo_texture){.name = {"b.png", 5}, .path = {"", 0}}};
    trilo_texture_file file;
    all = trilo_assets_texture(assets, &model, 0, &file) && all;
    all = trilo_assets_source(assets, "rom:/b.sprite") && all;
    all = trilo_assets_locate(assets, "c.png") && all;
    const bool ok = trilo_assets_ok(assets, &err);
    CHECK(all || !ok);
    CHECK(ok || err.code == TRILO_CODE_NO_MEMORY);
    trilo_assets_free(assets);
    return ok ? 2 : 1;
}

TEST(lookups_say_when_memory_ran_out)
{
    size_t results[3] = {0};
    make_png("models/a.png");
    make_png("assets/b.png");
    make_png("assets/sub/c.png");
    for (size_t limit = 1; limit < 200000; limit += limit / 16 + 1)
        results[look_everything_up(&(trilo_memory){.max_bytes = limit})]++;
    CHECK(results[0] > 0 && results[1] > 0 && results[2] > 0);
    for (size_t n = 1; allocations_next(n); n += ALLOCATIONS_STEP) {
        const int result = look_everything_up(&(trilo_memory){0});
        allocations_allow();
        CHECK(allocations_denied() || result == 2);
    }
}

TEST_MAIN(CASE(names_of_images), CASE(images_without_a_model), CASE(absolute_names_of_images),
          CASE(names_with_control_characters_are_not_looked_for), CASE(paths_that_are_too_long_for_the_console),
          CASE(assets_in_deep_folders), CASE(images_of_sprites), CASE(textures_are_looked_for_in_order),
          CASE(names_of_textures), CASE(images_of_a_project_without_a_table), CASE(lists_of_images_are_compared),
          CASE(projects_above_deep_models), CASE(assets_of_a_table), CASE(neither_a_model_nor_a_folder),
          CASE(lookups_say_when_memory_ran_out))

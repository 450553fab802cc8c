/* The whole way from a document to the files of another format, in memory and on disk. */
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#define _POSIX_C_SOURCE 200809L

#include "harness.h"
#include "support/exercise.h"
#include "support/lz4.h"
#include "support/t3dm_frond.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEARD = 2048 };

/* The head of a PNG file of 48 x 24 pixels. */
static const uint8_t png_head[33] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0,  0, 0, 13, 'I', 'H', 'D',
                                     'R',  0,   0,   0,   48,   0,    0,    0,    24, 8, 6, 0,  0,   0};

/* ---- a .glb in memory: a skinned triangle with three clips ---- */

typedef struct source {
    frond leaf;
    trilo_clip clips[FROND_CLIPS];
    buffer glb;
    trilo_load_opts load;
    trilo_document *document;
    char heard[HEARD]; /* rules of all findings, with a space behind each */
} source;

static void source_fill(source *s)
{
    *s = (source){.document = NULL};
    frond_clips(&s->leaf, s->clips);
}

static const trilo_document *source_open(source *s, trilo_format format)
{
    const trilo_write_opts write = {.format = format};
    trilo_error err = {0};
    CHECK(trilo_model_write(&s->leaf.model, &write, buffer_sink, &s->glb, &err));
    s->document = trilo_document_open(s->glb.data, s->glb.size, &s->load, &err);
    CHECK(s->document != NULL);
    return s->document;
}

static void source_done(source *s)
{
    trilo_document_free(s->document);
    buffer_free(&s->glb);
}

static void listen(void *user, const trilo_finding *finding)
{
    source *s = user;
    strncat(s->heard, finding->rule, HEARD - strlen(s->heard) - 2);
    strcat(s->heard, " ");
}

static bool find_companion(void *user, const char *name, trilo_bytes *bytes)
{
    const trilo_conversion *conversion = user;
    for (uint32_t i = 0; i < conversion->companion_count; i++)
        if (strcmp(conversion->companions[i].name, name) == 0) {
            *bytes = conversion->companions[i].bytes;
            return true;
        }
    return false;
}

static const trilo_model *load_result(const trilo_conversion *conversion)
{
    trilo_error err = {0};
    const trilo_load_opts opts = {
        .companion = find_companion, .companion_user = (void *)(uintptr_t)conversion, .name = "leaf.t3dm"};
    const trilo_model *model = trilo_model_load(conversion->bytes.data, conversion->bytes.size, &opts, &err);
    CHECK(model != NULL);
    return model;
}

/* ---- in memory ---- */

typedef struct kept_files {
    buffer file, streams[FROND_CLIPS];
    uint32_t count;
} kept_files;

static bool keep_stream(void *user, const char *name, trilo_bytes bytes)
{
    kept_files *k = user;
    CHECK(k->count < FROND_CLIPS && strstr(name, ".sdata"));
    return buffer_sink(&k->streams[k->count++], bytes.data, bytes.size);
}

/* The same files as reading and writing by hand, and the disk is left alone: there is no folder to write to. */
TEST(a_glb_becomes_a_t3dm_and_its_streams)
{
    source s;
    kept_files k = {.count = 0};
    trilo_error err = {0};
    source_fill(&s);
    source_open(&s, TRILO_FORMAT_GLTF);
    const trilo_write_opts write = {.format = TRILO_FORMAT_T3DM, .name = "nowhere/leaf.t3dm"};
    const trilo_convert_opts opts = {.write = &write};
    const trilo_conversion *c = trilo_convert(s.document, &opts, &err);
    CHECK(c != NULL);
    CHECK_INT(c->format, TRILO_FORMAT_T3DM);
    CHECK(!c->exact && !c->compressed && c->emptiness == TRILO_EMPTINESS_NONE);
    CHECK_INT(c->triangle_count, 1);
    CHECK_INT(c->clip_count, FROND_CLIPS);
    CHECK_INT(c->companion_count, FROND_CLIPS);

    const trilo_model *model = trilo_document_model(s.document, &err);
    trilo_write_opts by_hand = write;
    by_hand.companion = keep_stream;
    by_hand.companion_user = &k;
    CHECK(model && trilo_model_write(model, &by_hand, buffer_sink, &k.file, &err));
    trilo_model_free(model);
    CHECK(k.file.size == c->bytes.size && memcmp(k.file.data, c->bytes.data, k.file.size) == 0);
    CHECK_INT(k.count, FROND_CLIPS);
    for (uint32_t i = 0; i < FROND_CLIPS; i++) {
        const trilo_converted_file *file = &c->companions[i];
        CHECK(file->is_stream);
        CHECK(file->bytes.size == k.streams[i].size);
        CHECK(memcmp(file->bytes.data, k.streams[i].data, file->bytes.size) == 0);
        buffer_free(&k.streams[i]);
    }
    buffer_free(&k.file);
    trilo_conversion_free(c);
    source_done(&s);
}

TEST(a_document_may_go_before_its_conversion)
{
    source s;
    source_fill(&s);
    const trilo_write_opts write = {.format = TRILO_FORMAT_T3DM, .name = "leaf.t3dm"};
    const trilo_conversion *c =
        trilo_convert(source_open(&s, TRILO_FORMAT_GLTF), &(trilo_convert_opts){.write = &write}, NULL);
    source_done(&s);
    CHECK(c != NULL);
    CHECK_STR(c->companions[1].name, "leaf.1.sdata");
    const trilo_model *model = load_result(c);
    CHECK_INT(model->clip_count, FROND_CLIPS);
    CHECK_STR(model->clips[2].name.data, "wave");
    CHECK(model->clips[2].channel_count > 0);
    trilo_model_free(model);
    trilo_conversion_free(c);
}

/* Nothing is asked for: the same bytes, unless they are to be made anew. */
TEST(the_same_format_keeps_the_records)
{
    source s;
    source_fill(&s);
    source_open(&s, TRILO_FORMAT_GLTF);
    const trilo_conversion *c = trilo_convert(s.document, NULL, NULL);
    CHECK(c && c->exact && c->companion_count == 0);
    CHECK(c->bytes.size == s.glb.size && memcmp(c->bytes.data, s.glb.data, s.glb.size) == 0);
    trilo_conversion_free(c);
    c = trilo_convert(s.document, &(trilo_convert_opts){.reencode = true}, NULL);
    CHECK(c && !c->exact && c->triangle_count == 1);
    trilo_conversion_free(c);
    const trilo_model_edit_opts edit = {.normalize = true};
    c = trilo_convert(s.document, &(trilo_convert_opts){.edit = &edit}, NULL);
    CHECK(c && !c->exact);
    trilo_conversion_free(c);
    const trilo_write_opts text = {.name = "leaf.gltf"};
    c = trilo_convert(s.document, &(trilo_convert_opts){.write = &text}, NULL);
    CHECK(c && !c->exact && c->bytes.data[0] == '{' && c->companion_count == 1);
    trilo_conversion_free(c);
    c = trilo_convert(s.document, &(trilo_convert_opts){.write = &text, .single_file = true}, NULL);
    CHECK(c && !c->exact && c->companion_count == 0);
    trilo_conversion_free(c);
    source_done(&s);
}

/* What is compressed says so, and so do its first bytes; the copy of a compressed file stays as it is. */
TEST(results_that_are_compressed)
{
    if (!has_lz4())
        SKIP("built without liblz4");
    source s;
    source_fill(&s);
    const trilo_document *document = source_open(&s, TRILO_FORMAT_GLTF);
    buffer asset = {0};
    for (int i = 0; i < 8; i++) {
        const bool packed = i & 1, exact = i & 2, from_packed = i & 4;
        const trilo_write_opts write = {.format = exact ? TRILO_FORMAT_GLTF : TRILO_FORMAT_NLM, .name = "a.x"};
        const trilo_rewrite_opts rewrite = {.compress = packed, .decompress = from_packed && !packed && !exact};
        const trilo_convert_opts opts = {.write = &write, .rewrite = &rewrite};
        trilo_error err = {0};
        trilo_document *other = from_packed ? trilo_document_open(asset.data, asset.size, NULL, &err) : NULL;
        const trilo_conversion *c = trilo_convert(other ? other : document, &opts, &err);
        CHECK_STR(c ? "" : err.text, "");
        CHECK_INT(c->exact, exact);
        CHECK_INT(c->compressed, packed || (exact && from_packed));
        CHECK_INT(memcmp(c->bytes.data, "DCA", 3) == 0, c->compressed);
        if (i == 3)
            buffer_sink(&asset, c->bytes.data, c->bytes.size);
        trilo_conversion_free(c);
        trilo_document_free(other);
    }
    const trilo_rewrite_opts plain = {.decompress = true};
    trilo_document *other = trilo_document_open(asset.data, asset.size, NULL, NULL);
    const trilo_conversion *c = trilo_convert(other, &(trilo_convert_opts){.rewrite = &plain}, NULL);
    CHECK(c && c->exact && !c->compressed && c->bytes.size == s.glb.size);
    CHECK(memcmp(c->bytes.data, s.glb.data, s.glb.size) == 0);
    trilo_conversion_free(c);
    trilo_document_free(other);
    buffer_free(&asset);
    source_done(&s);
}

TEST(streams_without_companion_files_are_refused)
{
    source s;
    trilo_error err = {0};
    source_fill(&s);
    const trilo_write_opts write = {.format = TRILO_FORMAT_T3DM};
    const trilo_convert_opts opts = {.write = &write, .single_file = true};
    CHECK(!trilo_convert(source_open(&s, TRILO_FORMAT_GLTF), &opts, &err));
    CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
    source_done(&s);
}

TEST(rubbish_in_the_options)
{
    source s;
    trilo_error err = {0};
    source_fill(&s);
    source_open(&s, TRILO_FORMAT_GLTF);
    CHECK(!trilo_convert(s.document, &(trilo_convert_opts){.guard = 1}, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    const trilo_write_opts write = {.format = TRILO_FORMAT_NLM};
    const trilo_optimize_opts optimize = {.level = 1};
    CHECK(!trilo_convert(s.document, &(trilo_convert_opts){.write = &write, .optimize = &optimize}, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    const trilo_conversion *c = trilo_convert(s.document, NULL, NULL);
    CHECK(!trilo_conversion_commit(c, "x", &(trilo_commit_opts){.guard = 1}, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    CHECK(!trilo_assets_new(&(trilo_assets_opts){.guard = 1}, &err));
    trilo_conversion_free(c);
    trilo_conversion_free(NULL);
    trilo_assets_free(NULL);
    source_done(&s);
}

/* ---- clips ---- */

static bool choose_last(void *user, const trilo_model *model, trilo_clip_edit *edit, trilo_error *err)
{
    trilo_clip_part *part = user;
    (void)err;
    CHECK_INT(model->clip_count, FROND_CLIPS);
    part->clip = FROND_CLIPS - 1;
    edit->parts = part;
    edit->part_count = 1;
    return true;
}

static bool choose_nothing(void *user, const trilo_model *model, trilo_clip_edit *edit, trilo_error *err)
{
    (void)user, (void)model, (void)edit;
    *err = (trilo_error){.code = TRILO_CODE_LIMIT, .rule = "TEST"};
    return false;
}

TEST(clips_are_chosen_when_the_model_is_known)
{
    source s;
    trilo_clip_part part = {.to = 0.5};
    trilo_error err = {0};
    source_fill(&s);
    source_open(&s, TRILO_FORMAT_GLTF);
    const trilo_write_opts write = {.format = TRILO_FORMAT_T3DM, .name = "leaf.t3dm"};
    trilo_convert_opts opts = {.write = &write, .choose_clips = choose_last, .choose_clips_user = &part};
    const trilo_conversion *c = trilo_convert(s.document, &opts, &err);
    CHECK(c && c->clip_count == 1 && c->companion_count == 1);
    const trilo_model *model = load_result(c);
    CHECK_STR(model->clips[0].name.data, "wave");
    CHECK_NEAR(model->clips[0].duration, 0.5, 1e-6);
    trilo_model_free(model);
    trilo_conversion_free(c);
    opts.choose_clips = choose_nothing;
    CHECK(!trilo_convert(s.document, &opts, &err));
    CHECK_STR(err.rule, "TEST");
    source_done(&s);
}

/* ---- images ---- */

typedef struct finder {
    trilo_image_key key;
    const char *name; /* the only image there is */
    int calls;
} finder;

static bool find_image(void *user, trilo_image_key key, const char *name, trilo_found_image *found)
{
    finder *f = user;
    f->calls++;
    if (key != f->key || strcmp(name, f->name) != 0)
        return false;
    snprintf(found->path, sizeof found->path, "rom:/deep/bark.sprite");
    found->bytes = (trilo_bytes){png_head, sizeof png_head};
    return true;
}

/* What a texture of a .glb is called in the T3DM that is made of it. */
static void check_sprite(const trilo_texture *texture, finder f, const char *want)
{
    source s;
    source_fill(&s);
    s.leaf.texture = *texture;
    s.leaf.model.textures = &s.leaf.texture;
    s.leaf.model.texture_count = 1;
    s.leaf.material[0].texture = 0;
    s.load = (trilo_load_opts){.find_image = find_image, .find_image_user = &f};
    const trilo_write_opts write = {.format = TRILO_FORMAT_T3DM, .name = "leaf.t3dm"};
    const trilo_conversion *c =
        trilo_convert(source_open(&s, TRILO_FORMAT_GLTF), &(trilo_convert_opts){.write = &write}, NULL);
    CHECK(c != NULL);
    const trilo_model *model = load_result(c);
    CHECK(f.calls > 0);
    CHECK_INT(model->texture_count, 1);
    CHECK_STR(model->textures[0].path.data, want);
    trilo_model_free(model);
    trilo_conversion_free(c);
    source_done(&s);
}

TEST(images_get_the_names_of_their_sprites)
{
    const trilo_texture beside = {.path = frond_text("bark.png"), .width = 32, .height = 32};
    const trilo_texture embedded = {.name = frond_text("bark"),
                                    .bytes = {png_head, sizeof png_head},
                                    .kind = TRILO_IMAGE_KIND_PNG,
                                    .width = 48,
                                    .height = 24};
    check_sprite(&beside, (finder){TRILO_IMAGE_KEY_PATH, "bark.png", 0}, "rom:/deep/bark.sprite");
    check_sprite(&beside, (finder){TRILO_IMAGE_KEY_PATH, "other.png", 0}, "rom:/bark.sprite");
    check_sprite(&embedded, (finder){TRILO_IMAGE_KEY_NAME, "bark", 0}, "rom:/deep/bark.sprite");
}

TEST(sprites_become_the_images_they_were_made_from)
{
    source s;
    finder f = {TRILO_IMAGE_KEY_SPRITE, "rom:/bark.sprite", 0};
    source_fill(&s);
    s.leaf.model.clip_count = 0;
    frond_texture(&s.leaf);
    s.load = (trilo_load_opts){.find_image = find_image, .find_image_user = &f};
    const trilo_write_opts write = {.format = TRILO_FORMAT_GLTF};
    const trilo_convert_opts opts = {.write = &write, .single_file = true};
    const trilo_conversion *c = trilo_convert(source_open(&s, TRILO_FORMAT_T3DM), &opts, NULL);
    CHECK(c != NULL);
    const trilo_model *model = load_result(c);
    uint32_t embedded = 0;
    for (uint32_t i = 0; i < model->texture_count; i++)
        embedded += model->textures[i].bytes.size == sizeof png_head && model->textures[i].width == 48;
    CHECK_INT(embedded, 1);
    trilo_model_free(model);
    trilo_conversion_free(c);
    source_done(&s);
}

/* ---- nothing to draw ---- */

static const trilo_conversion *convert_empty(source *s, trilo_when_empty when, float scale, trilo_error *err)
{
    const trilo_write_opts write = {
        .format = TRILO_FORMAT_T3DM, .name = "leaf.t3dm", .t3dm = &(trilo_t3dm_write_opts){.scale = scale}};
    const trilo_convert_opts opts = {.write = &write, .when_empty = when, .on_finding = listen, .on_finding_user = s};
    s->heard[0] = '\0';
    return trilo_convert(s->document, &opts, err);
}

TEST(a_model_without_triangles)
{
    source s;
    trilo_error err = {0};
    source_fill(&s);
    s.leaf.model.mesh_count = 0;
    source_open(&s, TRILO_FORMAT_GLTF);
    CHECK(!convert_empty(&s, TRILO_WHEN_EMPTY_REFUSE, 0, &err));
    CHECK_INT(err.code, TRILO_CODE_EMPTY);
    CHECK(strstr(err.text, "no triangle"));
    const trilo_conversion *c = convert_empty(&s, TRILO_WHEN_EMPTY_AUTO, 0, &err); /* it has clips */
    CHECK(c && c->emptiness == TRILO_EMPTINESS_NONE);
    trilo_conversion_free(c);
    c = convert_empty(&s, TRILO_WHEN_EMPTY_REPORT, 0, &err);
    CHECK(c && c->emptiness == TRILO_EMPTINESS_NO_TRIANGLES && c->triangle_count == 0);
    trilo_conversion_free(c);
    source_done(&s);
}

TEST(a_scale_that_makes_a_point)
{
    source s;
    trilo_error err = {0};
    source_fill(&s);
    source_open(&s, TRILO_FORMAT_GLTF);
    CHECK(!convert_empty(&s, TRILO_WHEN_EMPTY_AUTO, 0.2f, &err)); /* 2 units wide */
    CHECK_INT(err.code, TRILO_CODE_LIMIT);
    CHECK_STR(err.rule, "T3DM-LOST-POSITIONS");
    const trilo_conversion *c = convert_empty(&s, TRILO_WHEN_EMPTY_AUTO, 0.3f, &err);
    CHECK(c != NULL);
    trilo_conversion_free(c);
    c = convert_empty(&s, TRILO_WHEN_EMPTY_REPORT, 0.2f, &err);
    CHECK(c && c->emptiness == TRILO_EMPTINESS_SCALE && strstr(s.heard, "T3DM-LOST-POSITIONS"));
    trilo_conversion_free(c);
    c = convert_empty(&s, TRILO_WHEN_EMPTY_ALLOW, 0.2f, &err);
    CHECK(c && c->emptiness == TRILO_EMPTINESS_NONE);
    trilo_conversion_free(c);
    source_done(&s);
}

/* ---- no memory ---- */

TEST(every_allocation_is_denied)
{
    source s;
    meter m = {0};
    source_fill(&s);
    s.load.memory = meter_memory(&m, 0);
    source_open(&s, TRILO_FORMAT_GLTF);
    const size_t open = m.now, first = m.calls + 1;
    const trilo_write_opts write = {.format = TRILO_FORMAT_T3DM, .name = "leaf.t3dm", .memory = s.load.memory};
    const trilo_convert_opts opts = {.write = &write};
    for (size_t n = 0;; n++) {
        trilo_error err = {0};
        m.fail_at = first + n;
        m.calls = first - 1;
        const trilo_conversion *c = trilo_convert(s.document, &opts, &err);
        if (c) {
            CHECK(n > 10 && m.calls < m.fail_at);
            trilo_conversion_free(c);
            break;
        }
        CHECK_STR(err.rule, "FILE-MEMORY");
        CHECK_INT(m.now, open);
    }
    CHECK_INT(m.now, open);
    source_done(&s);
}

/* ---- to disk ---- */

static char folder[200], path_text[512];

static const char *in_folder(const char *name)
{
    snprintf(path_text, sizeof path_text, "%s/%s", folder, name);
    return path_text;
}

static void folder_make(void)
{
    snprintf(folder, sizeof folder, "%s", test_folder());
}

static size_t files_in_folder(void)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static void folder_remove(void)
{
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            remove(in_folder(entry->d_name));
    closedir(dir);
    CHECK(rmdir(folder) == 0);
}

static void make_file(const char *name, trilo_bytes bytes)
{
    FILE *file = fopen(in_folder(name), "wb");
    CHECK(file && fwrite(bytes.data, 1, bytes.size, file) == bytes.size && fclose(file) == 0);
}

static bool has_bytes(const char *name, trilo_bytes want)
{
    size_t size = 0;
    uint8_t *bytes = test_read_file(in_folder(name), &size);
    const bool same = bytes && size == want.size && memcmp(bytes, want.data, size) == 0;
    free(bytes);
    return same;
}

/* States as letters, of the files in their order: w, r, u, f. */
typedef struct states {
    char letters[16], failed[512];
} states;

static void see_file(void *user, const trilo_committed *file)
{
    states *s = user;
    s->letters[strlen(s->letters)] = "wruf"[file->state];
    if (file->state == TRILO_COMMIT_STATE_FAILED)
        snprintf(s->failed, sizeof s->failed, "%s", file->path);
}

static bool commit(const trilo_conversion *c, const char *name, const trilo_extra_file *extra, states *s,
                   trilo_error *err)
{
    *s = (states){{0}, {0}};
    const trilo_commit_opts opts = {
        .extra_count = extra ? 1 : 0, .extras = extra, .on_file = see_file, .on_file_user = s};
    char path[512];
    snprintf(path, sizeof path, "%s", in_folder(name));
    return trilo_conversion_commit(c, path, &opts, err);
}

static const trilo_conversion *convert_leaf(source *s)
{
    source_fill(s);
    const trilo_write_opts write = {.format = TRILO_FORMAT_T3DM, .name = "leaf.t3dm"};
    const trilo_conversion *c =
        trilo_convert(source_open(s, TRILO_FORMAT_GLTF), &(trilo_convert_opts){.write = &write}, NULL);
    CHECK(c != NULL);
    return c;
}

TEST(all_files_are_written)
{
    source s;
    states got;
    const trilo_bytes rule = {(const uint8_t *)"rule", 4};
    const trilo_conversion *c = convert_leaf(&s);
    folder_make();
    char extra_path[512];
    snprintf(extra_path, sizeof extra_path, "%s", in_folder("leaf.d"));
    const trilo_extra_file extra = {extra_path, rule};
    CHECK(commit(c, "leaf.t3dm", &extra, &got, NULL));
    CHECK_STR(got.letters, "wwwww");
    CHECK_INT(files_in_folder(), FROND_CLIPS + 2);
    CHECK(has_bytes("leaf.t3dm", c->bytes) && has_bytes("leaf.d", rule));
    for (uint32_t i = 0; i < FROND_CLIPS; i++)
        CHECK(has_bytes(c->companions[i].name, c->companions[i].bytes));
    CHECK(remove(in_folder("leaf.1.sdata")) == 0);
    CHECK(commit(c, "leaf.t3dm", NULL, &got, NULL));
    CHECK_STR(got.letters, "uwuw");
    CHECK(commit(c, "other.t3dm", NULL, &got, NULL)); /* the same streams again */
    CHECK_STR(got.letters, "uuuw");
    trilo_conversion_free(c);
    source_done(&s);
    folder_remove();
}

/* The rule for make cannot be written, or a stream: the files that were there stay. */
TEST(a_failure_changes_nothing)
{
    static const trilo_bytes old = {(const uint8_t *)"old", 3};
    source s;
    states got;
    const trilo_conversion *c = convert_leaf(&s);
    for (uint32_t taken = 0; taken < FROND_CLIPS; taken++) {
        trilo_error err = {0};
        folder_make();
        for (uint32_t i = 0; i < FROND_CLIPS; i++)
            if (i != taken)
                make_file(c->companions[i].name, old);
        CHECK(mkdir(in_folder(c->companions[taken].name), 0755) == 0);
        CHECK(!commit(c, "leaf.t3dm", NULL, &got, &err));
        CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
        CHECK_STR(got.letters, "f");
        CHECK_STR(got.failed, in_folder(c->companions[taken].name));
        for (uint32_t i = 0; i < FROND_CLIPS; i++)
            CHECK(i == taken || has_bytes(c->companions[i].name, old));
        CHECK_INT(files_in_folder(), FROND_CLIPS);
        folder_remove();
    }
    folder_make();
    const trilo_extra_file extra = {"/nowhere/leaf.d", old};
    CHECK(!commit(c, "leaf.t3dm", &extra, &got, NULL));
    CHECK_STR(got.failed, "/nowhere/leaf.d");
    CHECK_INT(files_in_folder(), 0);
    folder_remove();
    trilo_conversion_free(c);
    source_done(&s);
}

/* Streams of another name are replaced with a warning; other files are not. */
TEST(files_of_others)
{
    static const trilo_bytes old = {(const uint8_t *)"old", 3};
    source s;
    states got;
    trilo_error err = {0};
    const trilo_conversion *c = convert_leaf(&s);
    folder_make();
    make_file("leaf.2.sdata", old);
    CHECK(commit(c, "tree.t3dm", NULL, &got, &err));
    CHECK_STR(got.letters, "wwrw");
    trilo_conversion_free(c);
    const trilo_write_opts text = {.format = TRILO_FORMAT_GLTF, .name = "leaf.gltf"};
    c = trilo_convert(s.document, &(trilo_convert_opts){.write = &text}, NULL);
    CHECK(c && c->companion_count == 1);
    make_file(c->companions[0].name, old);
    CHECK(!commit(c, "tree.gltf", NULL, &got, &err));
    CHECK(strstr(err.text, "it exists"));
    CHECK(has_bytes(c->companions[0].name, old));
    CHECK(commit(c, "leaf.gltf", NULL, &got, &err)); /* named after it */
    trilo_conversion_free(c);
    source_done(&s);
    folder_remove();
}

/* ---- a project on disk ---- */

TEST(images_are_found_where_projects_keep_them)
{
    static const trilo_bytes image = {png_head, sizeof png_head};
    trilo_found_image found;
    folder_make();
    char home[512];
    CHECK(getcwd(home, sizeof home) && chdir(folder) == 0);
    CHECK(mkdir("assets", 0755) == 0 && mkdir("assets/sub", 0755) == 0);
    make_file("assets/sub/bark.png", image);
    const trilo_assets_opts opts = {.model = "assets/sub/leaf.glb"};
    trilo_assets *assets = trilo_assets_new(&opts, NULL);
    CHECK(assets != NULL);
    found = (trilo_found_image){.path = ""};
    CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_NAME, "bark", &found));
    CHECK_STR(found.path, "rom:/sub/bark.sprite");
    CHECK_INT(found.bytes.size, sizeof png_head);
    found = (trilo_found_image){.path = ""};
    CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_PATH, "../wall.png", &found)); /* it need not be there */
    CHECK_STR(found.path, "rom:/wall.sprite");
    found = (trilo_found_image){.path = ""};
    CHECK(!trilo_assets_find(assets, TRILO_IMAGE_KEY_PATH, "../../wall.png", &found));
    CHECK(trilo_assets_find(assets, TRILO_IMAGE_KEY_SPRITE, "rom:/sub/bark.sprite", &found));
    CHECK_INT(found.bytes.size, sizeof png_head);
    CHECK(!trilo_assets_find(assets, TRILO_IMAGE_KEY_SPRITE, "rom:/../bark.sprite", &found));
    found = (trilo_found_image){.path = ""};
    CHECK(!trilo_assets_find(assets, TRILO_IMAGE_KEY_NAME, "Bark.png", &found));
    CHECK_STR(found.places, "beside it and below assets, where assets/sub/bark.png has other capital letters");
    CHECK_STR(trilo_assets_image(assets, 0), "assets/sub/bark.png");
    CHECK_STR(trilo_assets_image(assets, 1), "assets/sub/bark.png"); /* as the source of the sprite */
    CHECK(trilo_assets_image(assets, 2) == NULL);
    CHECK(!trilo_assets_find(assets, TRILO_IMAGE_KEY_SPRITE, "rom:/sub/moss.sprite", &found));
    CHECK_STR(trilo_assets_absent(assets, 0), "assets/sub/moss.png");
    CHECK(trilo_assets_absent(assets, 1) == NULL);
    trilo_assets_free(assets);
    CHECK(remove("assets/sub/bark.png") == 0 && rmdir("assets/sub") == 0 && chdir(home) == 0);
    folder_remove();
}

TEST(paths_on_the_console)
{
    char path[64];
    CHECK_INT(trilo_rom_path("game/filesystem/a/hero.t3dm", NULL, path, sizeof path), TRILO_ROM_PATH_RESULT_BELOW);
    CHECK_STR(path, "rom:/a/hero.t3dm");
    CHECK_INT(trilo_rom_path("filesystem/../hero.t3dm", NULL, path, sizeof path), TRILO_ROM_PATH_RESULT_GUESSED);
    CHECK_STR(path, "rom:/hero.t3dm");
    CHECK_INT(trilo_rom_path("out/./a/hero.t3dm", "out", path, sizeof path), TRILO_ROM_PATH_RESULT_BELOW);
    CHECK_STR(path, "rom:/a/hero.t3dm");
    CHECK_INT(trilo_rom_path("other/hero.t3dm", "out", path, sizeof path), TRILO_ROM_PATH_RESULT_OUTSIDE);
    CHECK_INT(trilo_rom_path("hero.t3dm", NULL, path, 14), TRILO_ROM_PATH_RESULT_TOO_LONG);
    CHECK_INT(trilo_rom_path("hero.t3dm", NULL, path, 15), TRILO_ROM_PATH_RESULT_GUESSED);
}

/* ---- each option ---- */

static bool choose_as_given(void *user, const trilo_model *model, trilo_clip_edit *edit, trilo_error *err)
{
    (void)user, (void)model, (void)edit, (void)err;
    return true;
}

/* Whether the records are kept when only this is asked for. */
static bool keeps(const trilo_document *document, const trilo_convert_opts *opts)
{
    trilo_error err = {0};
    const trilo_conversion *c = trilo_convert(document, opts, &err);
    if (!c)
        FAIL("%s", err.text);
    const bool exact = c->exact;
    CHECK(exact ? c->mesh_count == 0 : c->mesh_count > 0);
    trilo_conversion_free(c);
    return exact;
}

TEST(each_option_that_makes_a_new_file)
{
    static const trilo_bytes image = {png_head, sizeof png_head};
    static const trilo_clip_part part = {.clip = 0};
    static const trilo_marker marker = {.seconds = 0.5, .name = "m"};
    const trilo_model_edit_opts edits[] = {
        {.restore_size = false}, {.normalize = true}, {.drop_textures = true}, {.replace_texture = image}};
    const trilo_clip_edit clips[] = {{.reverse = false},
                                     {.reverse = true},
                                     {.rate = 10},
                                     {.drop_resting = true},
                                     {.part_count = 1, .parts = &part},
                                     {.marker_count = 1, .markers = &marker}};
    source s;
    source_fill(&s);
    source_open(&s, TRILO_FORMAT_GLTF);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
        CHECK(keeps(s.document, &(trilo_convert_opts){.edit = &edits[i]}) == (i == 0));
    for (size_t i = 0; i < sizeof clips / sizeof *clips; i++)
        CHECK(keeps(s.document, &(trilo_convert_opts){.clips = &clips[i]}) == (i == 0));
    CHECK(!keeps(s.document, &(trilo_convert_opts){.choose_clips = choose_as_given}));
    static const struct {
        const char *name;
        bool text, kept;
    } names[] = {
        {"a.glb", false, true}, {"a.gltf", false, false}, {NULL, true, false}, {NULL, false, true}, {"a", false, true}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const trilo_gltf_write_opts gltf = {.text = names[i].text};
        const trilo_write_opts write = {.name = names[i].name, .gltf = &gltf};
        CHECK(keeps(s.document, &(trilo_convert_opts){.write = &write}) == names[i].kept);
    }
    source_done(&s);
    source_fill(&s);
    source_open(&s, TRILO_FORMAT_NLM);
    CHECK(keeps(s.document, NULL));
    CHECK(!keeps(s.document, &(trilo_convert_opts){.write = &(trilo_write_opts){.format = TRILO_FORMAT_GLTF}}));
    source_done(&s);
    const trilo_nlm_load_opts loads[] = {
        {.quat_wxyz = false}, {.quat_wxyz = true}, {.topology = TRILO_NLM_TOPOLOGY_TRIANGLES}};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        source_fill(&s);
        s.load.nlm = &loads[i];
        source_open(&s, TRILO_FORMAT_NLM);
        CHECK(keeps(s.document, NULL) == (i == 0));
        source_done(&s);
    }
}

/* ---- what is drawn ---- */

typedef struct drawn {
    float size[3]; /* of the mesh */
    bool lines, clip;
} drawn;

/* What a conversion says of a model with one mesh; its error, or else its emptiness. */
static trilo_emptiness emptiness_of(const drawn *d, trilo_format to, trilo_when_empty when, trilo_code *code)
{
    source s;
    trilo_error err = {.code = TRILO_CODE_OK};
    source_fill(&s);
    frond *f = &s.leaf;
    frond_fill(f);
    f->positions[0][0] = f->positions[0][1] = f->positions[0][2] = 0;
    for (int k = 0; k < 3; k++) {
        f->positions[1][k] = k == 0 ? d->size[0] : 0;
        f->positions[2][k] = k == 0 ? 0 : d->size[k];
    }
    f->mesh[0].topology = d->lines ? TRILO_TOPOLOGY_LINES : TRILO_TOPOLOGY_TRIANGLES;
    f->mesh[0].index_count = d->lines ? 2 : 3;
    if (d->clip) {
        frond_hang(f, 2, 0);
        frond_clip(f);
    }
    source_open(&s, TRILO_FORMAT_GLTF);
    const trilo_t3dm_write_opts t3dm = {.scale = 1};
    const trilo_write_opts write = {.format = to, .t3dm = &t3dm, .name = "leaf"};
    const trilo_convert_opts opts = {.write = &write, .when_empty = when, .reencode = true};
    const trilo_conversion *c = trilo_convert(s.document, &opts, &err);
    const trilo_emptiness found = c ? c->emptiness : TRILO_EMPTINESS_NONE;
    CHECK(!c || c->triangle_count == (d->lines ? 0 : 1));
    *code = c ? TRILO_CODE_OK : err.code;
    trilo_conversion_free(c);
    source_done(&s);
    return found;
}

/* T3DM has no lines, and units of which half a one is nothing; each axis counts. A clip is enough for a model to count
 * as one, but not for T3DM to have something to write. */
TEST(what_is_empty)
{
    static const struct {
        drawn d;
        trilo_emptiness t3dm, gltf; /* when it is reported */
        trilo_code refused;         /* as T3DM, without being asked to */
    } cases[] = {
        {{{1, 1, 0}, false, false}, TRILO_EMPTINESS_NONE, TRILO_EMPTINESS_NONE, TRILO_CODE_OK},
        {{{1, 1, 0}, true, false}, TRILO_EMPTINESS_NO_TRIANGLES, TRILO_EMPTINESS_NONE, TRILO_CODE_EMPTY},
        {{{1, 1, 0}, true, true}, TRILO_EMPTINESS_NO_TRIANGLES, TRILO_EMPTINESS_NONE, TRILO_CODE_UNSUPPORTED},
        {{{0.5f, 0.25f, 0}, false, false}, TRILO_EMPTINESS_NONE, TRILO_EMPTINESS_NONE, TRILO_CODE_OK},
        {{{0.25f, 0.5f, 0}, false, false}, TRILO_EMPTINESS_NONE, TRILO_EMPTINESS_NONE, TRILO_CODE_OK},
        {{{0.25f, 0, 0.5f}, false, false}, TRILO_EMPTINESS_NONE, TRILO_EMPTINESS_NONE, TRILO_CODE_OK},
        {{{0.484375f, 0.484375f, 0}, false, false}, TRILO_EMPTINESS_SCALE, TRILO_EMPTINESS_NONE, TRILO_CODE_LIMIT},
        {{{0.25f, 0, 0.25f}, false, true}, TRILO_EMPTINESS_SCALE, TRILO_EMPTINESS_NONE, TRILO_CODE_LIMIT},
        {{{0, 0, 0}, false, false}, TRILO_EMPTINESS_POINT, TRILO_EMPTINESS_NONE, TRILO_CODE_EMPTY},
        {{{0, 0, 0}, false, true}, TRILO_EMPTINESS_POINT, TRILO_EMPTINESS_NONE, TRILO_CODE_OK}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const drawn *d = &cases[i].d;
        trilo_code code;
        if (emptiness_of(d, TRILO_FORMAT_T3DM, TRILO_WHEN_EMPTY_REPORT, &code) != cases[i].t3dm ||
            code != TRILO_CODE_OK)
            FAIL("case %zu", i);
        CHECK_INT(emptiness_of(d, TRILO_FORMAT_GLTF, TRILO_WHEN_EMPTY_REPORT, &code), cases[i].gltf);
        CHECK_INT(code, TRILO_CODE_OK);
        emptiness_of(d, TRILO_FORMAT_T3DM, TRILO_WHEN_EMPTY_AUTO, &code);
        CHECK_INT(code, cases[i].refused);
        CHECK_INT(emptiness_of(d, TRILO_FORMAT_T3DM, TRILO_WHEN_EMPTY_ALLOW, &code), TRILO_EMPTINESS_NONE);
        CHECK_INT(code, TRILO_CODE_OK);
        emptiness_of(d, TRILO_FORMAT_T3DM, TRILO_WHEN_EMPTY_REFUSE, &code);
        CHECK((code == TRILO_CODE_OK) == (cases[i].t3dm == TRILO_EMPTINESS_NONE));
    }
}

/* As many lines as triangles. */
TEST(lines_beside_triangles)
{
    static const trilo_format formats[] = {TRILO_FORMAT_GLTF, TRILO_FORMAT_NLM, TRILO_FORMAT_T3DM};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        source s;
        trilo_error err = {0};
        source_fill(&s);
        frond_fill(&s.leaf);
        s.leaf.model.mesh_count = 2;
        s.leaf.mesh[1].topology = TRILO_TOPOLOGY_LINES;
        s.leaf.mesh[1].index_count = 2;
        source_open(&s, TRILO_FORMAT_GLTF);
        const trilo_write_opts write = {.format = formats[i], .name = "leaf"};
        const trilo_conversion *c =
            trilo_convert(s.document, &(trilo_convert_opts){.write = &write, .reencode = true}, &err);
        CHECK_STR(c ? "" : err.text, "");
        CHECK(c->triangle_count == 1 && c->mesh_count == 2 && c->emptiness == TRILO_EMPTINESS_NONE);
        trilo_conversion_free(c);
        source_done(&s);
    }
}

/* A model written to a path: the format is that of the ending, companions are beside it. */
TEST(models_are_written_to_files)
{
    source s;
    trilo_error err = {0};
    source_fill(&s);
    CHECK(trilo_model_write_file(&s.leaf.model, "leaf.t3dm", NULL, &err));
    CHECK(access("leaf.0.sdata", F_OK) == 0 && access("leaf.2.sdata", F_OK) == 0 && access("leaf.3.sdata", F_OK) != 0);
    const trilo_model *model = trilo_model_load_file("leaf.t3dm", NULL, &err);
    CHECK(model && model->format == TRILO_FORMAT_T3DM && model->clip_count == 3);
    trilo_model_free(model);
    CHECK(trilo_model_write_file(&s.leaf.model, "other", &(trilo_write_opts){.format = TRILO_FORMAT_GLTF}, &err));
    CHECK(access("other", F_OK) == 0);
    kept_files k = {.count = 0}; /* to the caller instead */
    const trilo_write_opts kept = {.companion = keep_stream, .companion_user = &k};
    CHECK(trilo_model_write_file(&s.leaf.model, "kept.t3dm", &kept, &err) && k.count == 3);
    CHECK(access("kept.0.sdata", F_OK) != 0 && access("kept.t3dm", F_OK) == 0);
    for (uint32_t i = 0; i < 3; i++)
        buffer_free(&k.streams[i]);
    CHECK(!trilo_model_write_file(&s.leaf.model, "leaf.bmp", NULL, &err) && err.code == TRILO_CODE_UNSUPPORTED);
    CHECK(!trilo_model_write_file(&s.leaf.model, "none/leaf.glb", NULL, &err) && err.code == TRILO_CODE_CANT_WRITE);
    source_done(&s);
}

TEST_MAIN(CASE(a_glb_becomes_a_t3dm_and_its_streams), CASE(a_document_may_go_before_its_conversion),
          CASE(the_same_format_keeps_the_records), CASE(results_that_are_compressed),
          CASE(streams_without_companion_files_are_refused), CASE(rubbish_in_the_options),
          CASE(clips_are_chosen_when_the_model_is_known), CASE(images_get_the_names_of_their_sprites),
          CASE(sprites_become_the_images_they_were_made_from), CASE(a_model_without_triangles),
          CASE(a_scale_that_makes_a_point), CASE(every_allocation_is_denied), CASE(all_files_are_written),
          CASE(a_failure_changes_nothing), CASE(files_of_others), CASE(images_are_found_where_projects_keep_them),
          CASE(paths_on_the_console), CASE(each_option_that_makes_a_new_file), CASE(what_is_empty),
          CASE(lines_beside_triangles), CASE(models_are_written_to_files))

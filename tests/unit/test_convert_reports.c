/* Who hears what a conversion says: the callbacks of a step come before those of the conversion. And the order of its
 * steps, and names of images that have none. */
#include "api/document.h"
#include "harness.h"
#include "support/gltf_files.h"
#include "support/lz4.h"
#include "support/t3dm_files.h"
#include "support/t3dm_frond.h"

#include <stdio.h>
#include <string.h>

typedef struct listener {
    char heard[2000];
    unsigned asked;
} listener;

static void hear(void *user, const trilo_finding *finding)
{
    listener *l = user;
    const size_t used = strlen(l->heard);
    snprintf(l->heard + used, sizeof l->heard - used, "%s ", finding->rule);
}

static bool ask(void *user, uint32_t done, uint32_t total)
{
    (void)done, (void)total;
    ((listener *)user)->asked++;
    return true;
}

static void hear_step(void *user, trilo_convert_step step)
{
    char *steps = user;
    steps[strlen(steps)] = "rex"[step];
}

/* Converts with listeners of the conversion and of a step. */
typedef struct reports {
    trilo_document *document;
    trilo_write_opts write;
    trilo_model_edit_opts edit;
    trilo_optimize_opts optimize;
    trilo_clip_edit clips;
    bool edits, optimizes, reencodes, own_finding, own_progress;
    listener general, own;
    char steps[8];
} reports;

static void run(reports *r)
{
    trilo_error err = {0};
    trilo_convert_opts opts = {.write = &r->write,
                               .edit = r->edits ? &r->edit : NULL,
                               .clips = &r->clips,
                               .optimize = r->optimizes ? &r->optimize : NULL,
                               .reencode = r->reencodes,
                               .on_finding = hear,
                               .on_finding_user = &r->general,
                               .on_progress = ask,
                               .on_progress_user = &r->general,
                               .on_step = hear_step,
                               .on_step_user = r->steps};
    trilo_finding_fn **finding = r->edits       ? &r->edit.on_finding
                                 : r->optimizes ? &r->optimize.on_finding
                                                : &r->write.on_finding;
    void **user = r->edits       ? &r->edit.on_finding_user
                  : r->optimizes ? &r->optimize.on_finding_user
                                 : &r->write.on_finding_user;
    memset(&r->general, 0, sizeof r->general);
    memset(&r->own, 0, sizeof r->own);
    memset(r->steps, 0, sizeof r->steps);
    *finding = r->own_finding ? hear : NULL;
    *user = r->own_finding ? &r->own : NULL;
    if (r->optimizes) {
        r->optimize.on_progress = r->own_progress ? ask : NULL;
        r->optimize.on_progress_user = r->own_progress ? &r->own : NULL;
    } else {
        r->write.on_progress = r->own_progress ? ask : NULL;
        r->write.on_progress_user = r->own_progress ? &r->own : NULL;
    }
    const trilo_conversion *made = trilo_convert(r->document, &opts, &err);
    if (!made)
        FAIL("%s", err.text);
    trilo_conversion_free(made);
}

/* The findings with a listener of the step are those without one, and the other listener hears none of them. */
static bool check_listeners(reports *r, const char *rule)
{
    char all[2000];
    r->own_finding = r->own_progress = false;
    run(r);
    if (!strstr(r->general.heard, rule))
        FAIL("%s is not in %s", rule, r->general.heard);
    CHECK_STR(r->own.heard, "");
    CHECK_INT(r->own.asked, 0);
    const bool progress = r->general.asked > 0; /* quick steps do not ask */
    snprintf(all, sizeof all, "%s", r->general.heard);
    r->own_finding = true;
    run(r);
    CHECK(!*rule || (strstr(r->own.heard, rule) && !strstr(r->general.heard, rule)));
    CHECK_INT(strlen(r->own.heard) + strlen(r->general.heard), strlen(all));
    r->own_finding = false;
    r->own_progress = true;
    run(r);
    CHECK_STR(r->general.heard, all);
    CHECK(r->general.asked == 0 && (r->own.asked > 0) == progress);
    return progress;
}

TEST(listeners_of_steps)
{
    buffer file = {0}, stream = {0};
    t3dm_places places;
    trilo_error err = {0};
    t3dm_kite(&file, 4, &places);
    t3dm_kite_stream(&stream);
    const trilo_load_opts load = {.companion = t3dm_kite_companion, .companion_user = &stream};
    reports r = {.document = trilo_document_open(file.data, file.size, &load, &err)};
    CHECK_STR(r.document ? "" : err.text, "");
    r.write.format = TRILO_FORMAT_MODEL64;
    check_listeners(&r, "M64-LOST-");
    CHECK_STR(r.steps, "rex");
    r.edits = true; /* there is nothing to restore */
    r.edit.restore_size = true;
    r.write.format = TRILO_FORMAT_GLTF;
    run(&r);
    char *first = strchr(r.general.heard, ' ');
    CHECK(first != NULL);
    *first = '\0';
    char rule[40];
    snprintf(rule, sizeof rule, "%.39s", r.general.heard);
    check_listeners(&r, rule);
    CHECK_STR(r.steps, "rex");
    r.edits = false;
    r.optimizes = true;
    r.write.format = TRILO_FORMAT_T3DM;
    CHECK(check_listeners(&r, "T3DM-"));
    CHECK_STR(r.steps, "rx");
    r.optimizes = false; /* the records are kept */
    run(&r);
    CHECK_STR(r.steps, "rx");
    CHECK(!*r.general.heard && r.general.asked == 0);
    r.reencodes = true;
    CHECK(check_listeners(&r, ""));
    CHECK_STR(r.steps, "rex");
    trilo_document_free(r.document);
    buffer_free(&file);
    buffer_free(&stream);
}

/* What is optimized keeps its format and is not edited: each of these is refused. */
TEST(what_is_optimized_is_not_edited)
{
    buffer file = {0};
    t3dm_places places;
    t3dm_kite(&file, 4, &places);
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, NULL);
    CHECK(document != NULL);
    const trilo_optimize_opts optimize = {.level = 1};
    const trilo_clip_part part = {.clip = 0};
    const trilo_write_opts other = {.format = TRILO_FORMAT_GLTF}, same = {.format = TRILO_FORMAT_T3DM};
    const trilo_model_edit_opts edits[] = {{.restore_size = true},
                                           {.normalize = true},
                                           {.drop_textures = true},
                                           {.replace_texture = {(const uint8_t *)"x", 1}}};
    const trilo_clip_edit clips[] = {
        {.part_count = 1, .parts = &part}, {.reverse = true}, {.rate = 0.5}, {.drop_resting = true}};
    for (int i = 0; i < 10; i++) {
        trilo_error err = {0};
        const trilo_convert_opts opts = {.optimize = &optimize,
                                         .write = i == 8   ? &other
                                                  : i == 9 ? &same
                                                           : NULL,
                                         .edit = i < 4 ? &edits[i] : NULL,
                                         .clips = i >= 4 && i < 8 ? &clips[i - 4] : NULL};
        const trilo_conversion *made = trilo_convert(document, &opts, &err);
        CHECK((made != NULL) == (i == 9));
        if (i < 9) {
            CHECK_INT(err.code, TRILO_CODE_MISUSE);
            CHECK_STR(err.text, "what is optimized keeps its format and is not edited");
        }
        trilo_conversion_free(made);
    }
    trilo_document_free(document);
    buffer_free(&file);
}

/* ---- names of images ---- */

static bool no_companion(void *user, const char *name, trilo_bytes *bytes)
{
    (void)user, (void)name, (void)bytes;
    return false;
}

/* Embedded images without a name are called after the file and their number: that is how they are extracted. */
TEST(images_without_a_name)
{
    static const char text[] =
        "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],"
        "'buffers':[{'byteLength':36,'uri':'data:application/octet-stream;base64,"
        "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA'}],"
        "'bufferViews':[{'buffer':0,'byteLength':36}],"
        "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3','min':[0,0,0],'max':[1,1,0]},"
        "{'bufferView':0,'componentType':5126,'count':3,'type':'VEC2'}],"
        "'images':[{'uri':'data:image/png;base64,iVBORw0KGgo='},"
        "{'name':'own','uri':'data:image/png;base64,iVBORw0KGgo='},"
        "{'uri':'data:image/png;base64,iVBORw0KGgo='}],'textures':[{'source':0},{'source':1},{'source':2}],"
        "'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}},"
        "{'pbrMetallicRoughness':{'baseColorTexture':{'index':1}}},"
        "{'pbrMetallicRoughness':{'baseColorTexture':{'index':2}}}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'TEXCOORD_0':1},'material':0},"
        "{'attributes':{'POSITION':0,'TEXCOORD_0':1},'material':1},"
        "{'attributes':{'POSITION':0,'TEXCOORD_0':1},'material':2}]}]}";
    static const struct {
        const char *file, *want;
    } rows[] = {{"hero.gltf", "hero"}, {"he.ro.gltf", "he.ro"}, {"hero", "hero"}};
    buffer file = {0};
    gltf_text(&file, text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trilo_error err = {0};
        FILE *out = fopen(rows[i].file, "wb");
        CHECK(out && fwrite(file.data, 1, file.size, out) == file.size && fclose(out) == 0);
        trilo_document *document = trilo_document_open_file(rows[i].file, NULL, &err);
        CHECK_STR(document ? "" : err.text, "");
        const trilo_write_opts write = {.format = TRILO_FORMAT_T3DM};
        const trilo_conversion *made = trilo_convert(document, &(trilo_convert_opts){.write = &write}, &err);
        CHECK_STR(made ? "" : err.text, "");
        const trilo_model *model =
            trilo_model_load(made->bytes.data, made->bytes.size, &(trilo_load_opts){.companion = no_companion}, &err);
        CHECK(model && model->texture_count == 3);
        char want[3][64];
        snprintf(want[0], sizeof want[0], "rom:/%s-0.sprite", rows[i].want);
        snprintf(want[1], sizeof want[1], "rom:/own.sprite");
        snprintf(want[2], sizeof want[2], "rom:/%s-2.sprite", rows[i].want);
        for (int k = 0; k < 3; k++)
            CHECK_STR(model->textures[k].path.data, want[k]);
        trilo_model_free(model);
        trilo_conversion_free(made);
        trilo_document_free(document);
    }
    buffer_free(&file);
}

/* ---- companions ---- */

/* A copy has the stream as it is stored, compressed or not; decompressed, it has it plain. */
TEST(streams_of_a_copy)
{
    buffer file = {0}, plain = {0}, packed = {0};
    t3dm_places places;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    t3dm_kite(&file, 4, &places);
    t3dm_kite_stream(&plain);
    for (int i = 0; i < (has_lz4() ? 4 : 2); i++) {
        const bool is_packed = i >= 2, decompress = i % 2;
        trilo_error err = {0};
        if (is_packed && packed.size == 0) {
            trilo_bytes out;
            const trilo_rewrite_opts how = {.compress = 1};
            CHECK(tl_rewrite_compress(&arena, &how, (trilo_bytes){plain.data, plain.size}, &out, &err));
            buffer_sink(&packed, out.data, out.size);
        }
        const buffer *stream = is_packed ? &packed : &plain, *want = decompress ? &plain : stream;
        const trilo_load_opts load = {.companion = t3dm_kite_companion, .companion_user = (void *)(uintptr_t)stream};
        trilo_document *document = trilo_document_open(file.data, file.size, &load, &err);
        CHECK_STR(document ? "" : err.text, "");
        const trilo_rewrite_opts rewrite = {.decompress = decompress};
        const trilo_conversion *made = trilo_convert(document, &(trilo_convert_opts){.rewrite = &rewrite}, &err);
        CHECK(made && made->exact && made->companion_count == 1);
        CHECK_STR(made->companions[0].name, "kite.0.sdata");
        CHECK(made->companions[0].is_stream && !made->companions[0].is_sprite);
        CHECK_INT(made->companions[0].bytes.size, want->size);
        CHECK(memcmp(made->companions[0].bytes.data, want->data, want->size) == 0);
        trilo_conversion_free(made);
        made = trilo_convert(document, &(trilo_convert_opts){.single_file = true}, &err);
        CHECK(made && made->exact && made->companion_count == 0);
        trilo_conversion_free(made);
        trilo_document_free(document);
    }
    tl_arena_free(&arena);
    buffer_free(&file);
    buffer_free(&plain);
    buffer_free(&packed);
}

/* The frames of a Model: the rate of the clips is that of its frames, unless none is given. */
TEST(rates_of_frames)
{
    static const struct {
        double fps, rate;
        uint32_t frames; /* of a clip of a second */
    } rows[] = {{10, 0, 11}, {0, 10, 11}, {20, 0, 21}, {20, 5, 6}, {0, 2, 3}};
    frond f;
    frond_fill(&f);
    frond_hang(&f, 2, 1);
    frond_clip(&f);
    buffer file = {0};
    trilo_error err = {0};
    const trilo_write_opts glb = {.format = TRILO_FORMAT_GLTF, .name = "a.glb"};
    CHECK(trilo_model_write(&f.model, &glb, buffer_sink, &file, &err));
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, &err);
    CHECK_STR(document ? "" : err.text, "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const trilo_model64_write_opts model64 = {.fps = rows[i].fps};
        const trilo_write_opts write = {.format = TRILO_FORMAT_MODEL64, .model64 = &model64};
        const trilo_clip_edit clips = {.rate = rows[i].rate};
        const trilo_conversion *made =
            trilo_convert(document, &(trilo_convert_opts){.write = &write, .clips = &clips}, &err);
        CHECK_STR(made ? "" : err.text, "");
        trilo_document *other = trilo_document_open(made->bytes.data, made->bytes.size, NULL, &err);
        CHECK(other != NULL);
        CHECK_INT(trilo_document_model64(other).frame_count, rows[i].frames);
        trilo_document_free(other);
        trilo_conversion_free(made);
    }
    trilo_document_free(document);
    buffer_free(&file);
}

/* ---- what is too small ---- */

/* Each axis alone keeps a model from being a point: half a unit of the console, wherever it is. */
TEST(sizes_that_are_nothing)
{
    static const struct {
        float size[3], scale;
        trilo_emptiness t3dm;
    } rows[] = {{{0.25f, 0.125f, 0.375f}, 1, TRILO_EMPTINESS_SCALE},
                {{0.5f, 0.125f, 0.25f}, 1, TRILO_EMPTINESS_NONE},
                {{0.125f, 0.5f, 0.25f}, 1, TRILO_EMPTINESS_NONE},
                {{0.125f, 0.25f, 0.5f}, 1, TRILO_EMPTINESS_NONE},
                {{0.25f, 0.125f, 0.25f}, 2, TRILO_EMPTINESS_NONE},
                {{0.5f, 0.5f, 0.5f}, 0.5f, TRILO_EMPTINESS_SCALE},
                {{0, 0, 0}, 1, TRILO_EMPTINESS_POINT},
                {{0.25f, 0, 0}, 1, TRILO_EMPTINESS_SCALE},
                {{0, 0.25f, 0}, 1, TRILO_EMPTINESS_SCALE},
                {{0, 0, 0.25f}, 1, TRILO_EMPTINESS_SCALE},
                {{0, 0.75f, 0}, 1, TRILO_EMPTINESS_NONE}};
    static const trilo_format formats[] = {TRILO_FORMAT_T3DM, TRILO_FORMAT_NLM};
    CHECK(!trilo_emptiness_rule(TRILO_EMPTINESS_NONE));
    CHECK_STR(trilo_emptiness_rule(TRILO_EMPTINESS_NO_TRIANGLES)->name, "MODEL-EMPTY");
    CHECK_STR(trilo_emptiness_rule(TRILO_EMPTINESS_POINT)->name, "MODEL-EMPTY");
    CHECK_STR(trilo_emptiness_rule(TRILO_EMPTINESS_SCALE)->name, "T3DM-LOST-POSITIONS");
    for (size_t i = 0; i < 2 * (sizeof rows / sizeof *rows); i++) {
        const trilo_format format = formats[i % 2];
        frond f;
        buffer file = {0};
        trilo_error err = {0};
        frond_fill(&f);
        for (int v = 0; v < 3; v++)
            for (int k = 0; k < 3; k++)
                f.positions[v][k] = (float)(k - 8) + (v == 1 || (v == 2 && k > 0) ? rows[i / 2].size[k] : 0);
        const trilo_write_opts glb = {.format = TRILO_FORMAT_GLTF, .name = "a.glb"};
        CHECK(trilo_model_write(&f.model, &glb, buffer_sink, &file, &err));
        trilo_document *document = trilo_document_open(file.data, file.size, NULL, &err);
        CHECK_STR(document ? "" : err.text, "");
        const trilo_t3dm_write_opts t3dm = {.scale = rows[i / 2].scale};
        const trilo_write_opts write = {.format = format, .t3dm = &t3dm};
        const trilo_convert_opts opts = {.write = &write, .when_empty = TRILO_WHEN_EMPTY_REPORT};
        const trilo_conversion *made = trilo_convert(document, &opts, &err);
        CHECK_STR(made ? "" : err.text, "");
        CHECK_INT(made->emptiness, format == TRILO_FORMAT_T3DM ? rows[i / 2].t3dm : TRILO_EMPTINESS_NONE);
        trilo_conversion_free(made);
        trilo_document_free(document);
        buffer_free(&file);
    }
}

TEST_MAIN(CASE(listeners_of_steps), CASE(what_is_optimized_is_not_edited), CASE(images_without_a_name),
          CASE(streams_of_a_copy), CASE(rates_of_frames), CASE(sizes_that_are_nothing))

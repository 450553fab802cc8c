/* Every step of reading, writing and using a model with a little more memory than before, until it is enough: each
 * allocation is once the first that fails. An arena asks the caller for blocks, so failing these is not the same.
 * Then each allocation is the only one that fails: what is returned is a failure, or the same as with enough memory. */
#include "harness.h"
#include "support/allocations.h"
#include "support/documents.h"
#include "support/exercise.h"
#include "support/gltf_files.h"
#include "support/model64_files.h"
#include "support/nlm_files.h"
#include "support/pyrite64_files.h"
#include "support/t3dm_files.h"
#include "trilobite/trilobite.h"

#include <string.h>

enum { INPUTS = 8 };

typedef struct input {
    buffer file, companion;
    const trilo_model *model;
    buffer *out; /* what an operation gives, as bytes; NULL: not asked for */
} input;

typedef bool operation(const input *in, const trilo_memory *memory, trilo_error *err);

static void make_inputs(input inputs[INPUTS])
{
    t3dm_places places;
    buffer all = {0};
    nlm_square(&inputs[0].file);
    nlm_stick(&inputs[1].file);
    model64_box(&inputs[2].file);
    model64_pennant(&inputs[3].file);
    gltf_band(&inputs[4].file, NULL, NULL);
    t3dm_kite(&inputs[5].file, 4, &places);
    t3dm_kite_stream(&inputs[5].companion);
    pyrite64_all(&all);
    pyrite64_kite(&inputs[6].file, &(pyrite64_chunk){'m', all.data, all.size}, 1);
    t3dm_kite_stream(&inputs[6].companion);
    gltf_garden(&inputs[7].file);
    buffer_free(&all);
}

static trilo_load_opts load_opts(const input *in, const trilo_memory *memory)
{
    trilo_load_opts opts = {.name = "kite.t3dm"};
    if (memory)
        opts.memory = *memory;
    if (in->companion.size > 0) {
        opts.companion = t3dm_kite_companion;
        opts.companion_user = (void *)(uintptr_t)&in->companion;
    }
    return opts;
}

static bool put(void *user, const void *bytes, size_t size)
{
    const input *in = user;
    return !in->out || buffer_sink(in->out, bytes, size);
}

/* A model as a file of a format that keeps all of it. */
static void put_model(const input *in, const trilo_model *model)
{
    const trilo_write_opts opts = {
        .format = TRILO_FORMAT_GLTF, .name = "a.glb", .profile = TRILO_WRITE_PROFILE_LOSSLESS};
    allocations_allow();
    if (in->out && model)
        CHECK(trilo_model_write(model, &opts, buffer_sink, in->out, NULL));
}

static bool done(const input *in, const trilo_model *model)
{
    put_model(in, model);
    CHECK(!model || trilo_model_check(model, NULL));
    trilo_model_free(model);
    return model != NULL;
}

static bool load(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_load_opts opts = load_opts(in, memory);
    return done(in, trilo_model_load(in->file.data, in->file.size, &opts, err));
}

typedef struct note {
    const input *in;
    bool memory;
} note;

static void note_finding(void *user, const trilo_finding *finding)
{
    note *n = user;
    n->memory = n->memory || strcmp(finding->rule, "FILE-MEMORY") == 0;
    put((void *)(uintptr_t)n->in, finding->rule, strlen(finding->rule));
    put((void *)(uintptr_t)n->in, finding->path, strlen(finding->path));
    put((void *)(uintptr_t)n->in, finding->text, strlen(finding->text));
}

/* A check that runs out of memory says so. */
static bool check(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_load_opts opts = load_opts(in, memory);
    trilo_document *document = trilo_document_open(in->file.data, in->file.size, &opts, err);
    note n = {in, false};
    if (document)
        trilo_document_check(document, note_finding, &n);
    trilo_document_free(document);
    err->code = n.memory ? TRILO_CODE_NO_MEMORY : err->code;
    return document && !n.memory;
}

static bool convert_with(const input *in, const trilo_convert_opts *how, const trilo_memory *memory, trilo_error *err)
{
    const trilo_load_opts opts = load_opts(in, memory);
    trilo_document *document = trilo_document_open(in->file.data, in->file.size, &opts, err);
    const trilo_conversion *made = document ? trilo_convert(document, how, err) : NULL;
    void *user = (void *)(uintptr_t)in;
    for (uint32_t i = 0; made && i < made->companion_count; i++)
        put(user, made->companions[i].bytes.data, made->companions[i].bytes.size);
    const bool ok = made && put(user, made->bytes.data, made->bytes.size);
    trilo_conversion_free(made);
    trilo_document_free(document);
    return ok;
}

static bool convert_compressed(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_convert_opts how = {.rewrite = &(trilo_rewrite_opts){.compress = 1}};
    return convert_with(in, &how, memory, err);
}

static bool convert_edited(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_write_opts write = {.format = TRILO_FORMAT_GLTF, .name = "a.gltf"};
    const trilo_convert_opts how = {.write = &write,
                                    .rewrite = &(trilo_rewrite_opts){.compress = 1},
                                    .edit = &(trilo_model_edit_opts){.drop_textures = true},
                                    .clips = &(trilo_clip_edit){.reverse = true},
                                    .when_empty = TRILO_WHEN_EMPTY_ALLOW};
    return convert_with(in, &how, memory, err);
}

static bool convert_optimized(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_convert_opts how = {.optimize = &(trilo_optimize_opts){.level = 1}};
    return convert_with(in, &how, memory, err);
}

/* Sums up what the file has, and what it costs to draw. */
static bool cost(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_load_opts opts = load_opts(in, memory);
    trilo_document *document = trilo_document_open(in->file.data, in->file.size, &opts, err);
    const trilo_cost *made = document ? trilo_document_cost(document, NULL, err) : NULL;
    const bool ok = made && put((void *)(uintptr_t)in, &made->counts, sizeof made->counts);
    trilo_cost_free(made);
    trilo_document_free(document);
    return ok;
}

static bool put_companion(void *user, const char *name, trilo_bytes bytes)
{
    return put(user, name, strlen(name)) && put(user, bytes.data, bytes.size);
}

static bool optimize(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_load_opts opts = load_opts(in, memory);
    const trilo_optimize_opts best = {.level = 1};
    void *user = (void *)(uintptr_t)in;
    const trilo_write_opts write = {.memory = *memory, .companion = put_companion, .companion_user = user};
    trilo_document *document = trilo_document_open(in->file.data, in->file.size, &opts, err);
    const bool ok = document && trilo_document_optimize(document, &best, &write, put, user, err);
    trilo_document_free(document);
    return ok;
}

static bool write_as(const input *in, trilo_format format, const trilo_memory *memory, trilo_error *err)
{
    void *user = (void *)(uintptr_t)in;
    const trilo_write_opts opts = {
        .memory = *memory, .format = format, .name = "a.x", .companion = put_companion, .companion_user = user};
    return trilo_model_write(in->model, &opts, put, user, err);
}

static bool write_t3dm(const input *in, const trilo_memory *memory, trilo_error *err)
{
    return write_as(in, TRILO_FORMAT_T3DM, memory, err);
}

static bool write_nlm(const input *in, const trilo_memory *memory, trilo_error *err)
{
    return write_as(in, TRILO_FORMAT_NLM, memory, err);
}

static bool write_model64(const input *in, const trilo_memory *memory, trilo_error *err)
{
    return write_as(in, TRILO_FORMAT_MODEL64, memory, err);
}

static bool write_gltf(const input *in, const trilo_memory *memory, trilo_error *err)
{
    return write_as(in, TRILO_FORMAT_GLTF, memory, err);
}

static bool edit(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_model_edit_opts opts = {.normalize = !in->model->resized, .restore_size = in->model->resized};
    return done(in, trilo_model_edit(in->model, &opts, memory, err));
}

static bool play(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_player_opts opts = {.memory = *memory, .layer_count = 2};
    trilo_player *player = trilo_player_new(in->model, &opts, err);
    trilo_player_free(player);
    return player != NULL;
}

static bool query(const input *in, const trilo_memory *memory, trilo_error *err)
{
    trilo_query *tree = trilo_query_new(in->model, NULL, memory, err);
    trilo_query_free(tree);
    return tree != NULL;
}

static bool mesh_tree(const input *in, const trilo_memory *memory, trilo_error *err)
{
    trilo_mesh_tree *tree = trilo_mesh_tree_new(in->model, memory, err);
    trilo_mesh_tree_free(tree);
    return tree != NULL;
}

static bool compare(const input *in, const trilo_memory *memory, trilo_error *err)
{
    trilo_model_deviation deviation;
    memset(&deviation, 0, sizeof deviation);
    return trilo_model_compare(in->model, in->model, memory, &deviation, err) &&
           put((void *)(uintptr_t)in, &deviation, sizeof deviation);
}

static bool clip_bounds(const input *in, const trilo_memory *memory, trilo_error *err)
{
    trilo_bounds bounds;
    return in->model->clip_count == 0 || trilo_clip_bounds(in->model, 0, memory, &bounds, err);
}

static bool edit_clips(const input *in, const trilo_memory *memory, trilo_error *err)
{
    static const trilo_marker markers[] = {{0.2, "a"}, {0.4, NULL}};
    const trilo_clip_edit how = {
        .marker_count = 2, .markers = markers, .reverse = true, .rate = 10, .drop_resting = true};
    return done(in, trilo_model_edit_clips(in->model, &how, memory, err));
}

static bool retarget(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_retarget_opts how = {.keep = true, .relative = true, .loose = true};
    return done(in, trilo_model_retarget_clips(in->model, in->model, &how, memory, err));
}

static bool simplify(const input *in, const trilo_memory *memory, trilo_error *err)
{
    return done(in, trilo_model_optimize(in->model, &(trilo_optimize_opts){.keep = 0.5}, memory, err));
}

static bool draw(const input *in, const trilo_memory *memory, trilo_error *err)
{
    trilo_renderer *renderer = trilo_renderer_new(in->model, NULL, memory, err);
    trilo_renderer_free(renderer);
    return renderer != NULL;
}

static bool see(const input *in, const trilo_memory *memory, trilo_error *err)
{
    err->code = TRILO_CODE_OK;
    trilo_model_visible(in->model, &(trilo_visibility_opts){.memory = *memory}, err);
    return err->code == TRILO_CODE_OK;
}

/* Some pairs cannot work, such as a box without textures as T3DM; these say so with any amount of memory. */
static void starve(const input *in, operation *run, size_t number)
{
    trilo_error last = {0};
    const bool works = run(in, &(trilo_memory){0}, &last);
    const size_t step = test_full() ? 16 : TEST_SLOW ? 368 : 32;
    for (size_t limit = 1;; limit += step) {
        meter m = {0};
        trilo_error err = {0};
        const trilo_memory memory = meter_memory(&m, limit);
        const bool ok = run(in, &memory, &err);
        CHECK_INT(m.now, 0);
        if (ok || (!works && err.code == last.code))
            break;
        if (err.code != TRILO_CODE_NO_MEMORY)
            FAIL("input %zu, %zu bytes: %s: %s", number, limit, err.rule ? err.rule : "?", err.text);
        CHECK(limit < 1 << 20);
    }
}

/* Each allocation alone fails. What cannot work otherwise either may fail for another reason. */
static void deny_each(const input *from, operation *run, size_t number)
{
    input in = *from;
    buffer whole = {0};
    trilo_error last = {0};
    const size_t step = TEST_SLOW && !test_full() ? 7 : 1;
    in.out = &whole;
    const bool works = run(&in, &(trilo_memory){0}, &last);
    bool denied = true;
    for (size_t n = 1; denied; n += step) {
        meter m = {0};
        trilo_error err = {0};
        buffer out = {0};
        const trilo_memory memory = meter_memory(&m, 0);
        in.out = &out;
        allocations_deny(n);
        const bool ok = run(&in, &memory, &err);
        allocations_allow();
        denied = allocations_denied();
        const bool same =
            ok == works && out.size == whole.size && (out.size == 0 || memcmp(out.data, whole.data, out.size) == 0);
        if (!same && (ok || (err.code != TRILO_CODE_NO_MEMORY && (works || err.code != last.code))))
            FAIL("input %zu, without allocation %zu: %s: %s", number, n, err.rule ? err.rule : "no error", err.text);
        CHECK_INT(m.now, 0);
        buffer_free(&out);
    }
    buffer_free(&whole);
}

static void starve_all(operation *run, bool limits)
{
    input inputs[INPUTS] = {0};
    make_inputs(inputs);
    for (size_t i = 0; i < INPUTS; i++) {
        const trilo_load_opts opts = load_opts(&inputs[i], NULL);
        trilo_error err = {0};
        inputs[i].model = trilo_model_load(inputs[i].file.data, inputs[i].file.size, &opts, &err);
        if (!inputs[i].model)
            FAIL("input %zu: %s", i, err.text);
        if (limits && (i < INPUTS - 1 || test_full())) /* the garden takes long */
            starve(&inputs[i], run, i);
        deny_each(&inputs[i], run, i);
        trilo_model_free(inputs[i].model);
        buffer_free(&inputs[i].file);
        buffer_free(&inputs[i].companion);
    }
}

#define STARVE(operation)                                                                                              \
    TEST(starve_##operation)                                                                                           \
    {                                                                                                                  \
        starve_all(operation, true);                                                                                   \
    }
STARVE(load)
STARVE(check)
STARVE(optimize)
STARVE(write_t3dm)
STARVE(write_nlm)
STARVE(write_model64)
STARVE(write_gltf)
STARVE(edit)
STARVE(play)
STARVE(query)
STARVE(mesh_tree)
STARVE(compare)
STARVE(clip_bounds)
STARVE(edit_clips)
STARVE(retarget)
STARVE(simplify)
STARVE(draw)
STARVE(see)

/* Much memory at once, so limits in steps would take long. */
#define DENY(operation)                                                                                                \
    TEST(deny_##operation)                                                                                             \
    {                                                                                                                  \
        starve_all(operation, false);                                                                                  \
    }
DENY(convert_compressed)
DENY(convert_edited)
DENY(convert_optimized)
DENY(cost)

TEST_MAIN(CASE(starve_load), CASE(starve_check), CASE(starve_optimize), CASE(starve_write_t3dm), CASE(starve_write_nlm),
          CASE(starve_write_model64), CASE(starve_write_gltf), CASE(starve_edit), CASE(starve_play), CASE(starve_query),
          CASE(starve_mesh_tree), CASE(starve_compare), CASE(starve_clip_bounds), CASE(starve_edit_clips),
          CASE(starve_retarget), CASE(starve_simplify), CASE(starve_draw), CASE(starve_see),
          CASE(deny_convert_compressed), CASE(deny_convert_edited), CASE(deny_convert_optimized), CASE(deny_cost))

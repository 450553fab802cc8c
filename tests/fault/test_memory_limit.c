/* Every step of reading, writing and using a model with a little more memory than before, until it is enough: each
 * allocation is once the first that fails. An arena asks the caller for blocks, so failing these is not the same. */
#include "harness.h"
#include "support/documents.h"
#include "support/exercise.h"
#include "support/gltf_files.h"
#include "support/model64_files.h"
#include "support/nlm_files.h"
#include "support/pyrite64_files.h"
#include "support/t3dm_files.h"
#include "trilobite/trilobite.h"

#include <string.h>

typedef struct input {
    buffer file, companion;
    const trilo_model *model;
} input;

typedef bool operation(const input *in, const trilo_memory *memory, trilo_error *err);

static void make_inputs(input inputs[7])
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

static bool load(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_load_opts opts = load_opts(in, memory);
    const trilo_model *model = trilo_model_load(in->file.data, in->file.size, &opts, err);
    const bool ok = model && trilo_model_check(model, NULL);
    CHECK(ok || !model);
    trilo_model_free(model);
    return ok;
}

static void note_memory(void *user, const trilo_finding *finding)
{
    *(bool *)user = *(bool *)user || strcmp(finding->rule, "FILE-MEMORY") == 0;
}

/* A check that runs out of memory says so. */
static bool check(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_load_opts opts = load_opts(in, memory);
    trilo_document *document = trilo_document_open(in->file.data, in->file.size, &opts, err);
    bool starved = false;
    if (document)
        trilo_document_check(document, note_memory, &starved);
    trilo_document_free(document);
    err->code = starved ? TRILO_CODE_NO_MEMORY : err->code;
    return document && !starved;
}

static bool optimize(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_load_opts opts = load_opts(in, memory);
    const trilo_optimize_opts best = {.level = 1};
    const trilo_write_opts write = {.memory = *memory, .companion = discard_companion};
    trilo_document *document = trilo_document_open(in->file.data, in->file.size, &opts, err);
    const bool ok = document && trilo_document_optimize(document, &best, &write, discard, NULL, err);
    trilo_document_free(document);
    return ok;
}

static bool write_as(const input *in, trilo_format format, const trilo_memory *memory, trilo_error *err)
{
    const trilo_write_opts opts = {.memory = *memory, .format = format, .name = "a.x", .companion = discard_companion};
    return trilo_model_write(in->model, &opts, discard, NULL, err);
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
    const trilo_model *model = trilo_model_edit(in->model, &opts, memory, err);
    CHECK(!model || trilo_model_check(model, NULL));
    trilo_model_free(model);
    return model != NULL;
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
    return trilo_model_compare(in->model, in->model, memory, &deviation, err);
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
    const trilo_model *model = trilo_model_edit_clips(in->model, &how, memory, err);
    CHECK(!model || trilo_model_check(model, NULL));
    trilo_model_free(model);
    return model != NULL;
}

static bool retarget(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_retarget_opts how = {.keep = true, .relative = true, .loose = true};
    const trilo_model *model = trilo_model_retarget_clips(in->model, in->model, &how, memory, err);
    trilo_model_free(model);
    return model != NULL;
}

static bool simplify(const input *in, const trilo_memory *memory, trilo_error *err)
{
    const trilo_model *model = trilo_model_optimize(in->model, &(trilo_optimize_opts){.keep = 0.5}, memory, err);
    trilo_model_free(model);
    return model != NULL;
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

static void starve_all(operation *run)
{
    input inputs[7] = {0};
    make_inputs(inputs);
    for (size_t i = 0; i < 7; i++) {
        const trilo_load_opts opts = load_opts(&inputs[i], NULL);
        trilo_error err = {0};
        inputs[i].model = trilo_model_load(inputs[i].file.data, inputs[i].file.size, &opts, &err);
        if (!inputs[i].model)
            FAIL("input %zu: %s", i, err.text);
        starve(&inputs[i], run, i);
        trilo_model_free(inputs[i].model);
        buffer_free(&inputs[i].file);
        buffer_free(&inputs[i].companion);
    }
}

#define STARVE(operation)                                                                                              \
    TEST(starve_##operation)                                                                                           \
    {                                                                                                                  \
        starve_all(operation);                                                                                         \
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

TEST_MAIN(CASE(starve_load), CASE(starve_check), CASE(starve_optimize), CASE(starve_write_t3dm), CASE(starve_write_nlm),
          CASE(starve_write_model64), CASE(starve_write_gltf), CASE(starve_edit), CASE(starve_play), CASE(starve_query),
          CASE(starve_mesh_tree), CASE(starve_compare), CASE(starve_clip_bounds), CASE(starve_edit_clips),
          CASE(starve_retarget), CASE(starve_simplify), CASE(starve_draw), CASE(starve_see))

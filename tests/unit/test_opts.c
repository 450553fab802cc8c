/* Options of another size: programs that were compiled against another version of the headers. */
#include "base/opts.h"
#include "harness.h"
#include "support/nlm_files.h"
#include "trilobite/trilobite.h"

#include <string.h>

typedef struct sample_opts {
    uint32_t struct_size, guard;
    uint32_t first, added_later;
} sample_opts;

TEST(no_options_are_the_defaults)
{
    sample_opts own = {1, 2, 3, 4};
    CHECK(TL_OPTS_TAKE(&own, (const sample_opts *)NULL, NULL));
    CHECK(own.first == 0 && own.added_later == 0);
}

TEST(what_an_older_program_does_not_know_is_zero)
{
    sample_opts given = {.struct_size = 12, .first = 7, .added_later = 0xDEAD}, own;
    CHECK(TL_OPTS_TAKE(&own, &given, NULL));
    CHECK_INT(own.first, 7);
    CHECK_INT(own.added_later, 0);
    CHECK_INT(own.struct_size, sizeof own); /* for functions that take it over again */
}

TEST(zero_and_the_full_size_take_everything)
{
    const uint32_t sizes[] = {0, sizeof(sample_opts)};
    for (int i = 0; i < 2; i++) {
        sample_opts given = {.struct_size = sizes[i], .first = 7, .added_later = 9}, own;
        CHECK(TL_OPTS_TAKE(&own, &given, NULL));
        CHECK(own.first == 7 && own.added_later == 9);
    }
}

TEST(stack_garbage_is_refused)
{
    const sample_opts wrong[] = {{.guard = 1}, {.struct_size = 4}, {.struct_size = 20}, {.struct_size = 0xA5A5A5A5}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        sample_opts own;
        trilo_error err = {0};
        CHECK(!TL_OPTS_TAKE(&own, &wrong[i], &err));
        CHECK_INT(err.code, TRILO_CODE_MISUSE);
        CHECK_STR(err.rule, "CALL-MISUSE");
    }
}

/* Every public options struct begins with struct_size and guard: garbage in either is refused. */
#define REFUSED(type, call)                                                                                            \
    do {                                                                                                               \
        const type no_zeroes = {.guard = 1}, no_size = {.struct_size = 5};                                             \
        const type *opts = &no_zeroes;                                                                                 \
        CHECK(!(call));                                                                                                \
        opts = &no_size;                                                                                               \
        CHECK(!(call));                                                                                                \
    } while (0)

static bool drop_bytes(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return true;
}

static bool no_frame(void *user, uint32_t index, trilo_image *frame, trilo_error *err)
{
    (void)user, (void)index, (void)frame, (void)err;
    return false;
}

TEST(every_function_refuses_options_that_are_not_filled)
{
    buffer file = {0};
    nlm_line12(&file);
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, NULL);
    const trilo_model *model = document ? trilo_document_model(document, NULL) : NULL;
    CHECK(model != NULL);
    trilo_player *player = trilo_player_new(model, NULL, NULL);
    trilo_renderer *renderer = trilo_renderer_new(model, NULL, NULL, NULL);
    uint8_t pixel[1][4];
    REFUSED(trilo_load_opts, trilo_document_open(file.data, file.size, opts, NULL));
    REFUSED(trilo_nlm_load_opts, trilo_model_load(file.data, file.size, &(trilo_load_opts){.nlm = opts}, NULL));
    REFUSED(trilo_model64_load_opts, trilo_model_load(file.data, file.size, &(trilo_load_opts){.model64 = opts}, NULL));
    REFUSED(trilo_gltf_load_opts, trilo_model_load(file.data, file.size, &(trilo_load_opts){.gltf = opts}, NULL));
#define WRITES(...)                                                                                                    \
    trilo_model_write(model, &(trilo_write_opts){.format = TRILO_FORMAT_NLM, __VA_ARGS__}, drop_bytes, NULL, NULL)
    CHECK(WRITES(.nlm = NULL));
    REFUSED(trilo_nlm_write_opts, WRITES(.nlm = opts));
    REFUSED(trilo_t3dm_write_opts, WRITES(.t3dm = opts));
    REFUSED(trilo_model64_write_opts, WRITES(.model64 = opts));
    REFUSED(trilo_gltf_write_opts, WRITES(.gltf = opts));
    REFUSED(trilo_write_opts, trilo_model_write(model, opts, drop_bytes, NULL, NULL));
    REFUSED(trilo_write_opts, trilo_model_write_file(model, "x.nlm", opts, NULL));
    REFUSED(trilo_rewrite_opts, trilo_document_write(document, opts, drop_bytes, NULL, NULL));
    REFUSED(trilo_optimize_opts, trilo_document_optimize(document, opts, NULL, drop_bytes, NULL, NULL));
    REFUSED(trilo_optimize_opts, trilo_model_optimize(model, opts, NULL, NULL));
    REFUSED(trilo_model_edit_opts, trilo_model_edit(model, opts, NULL, NULL));
    REFUSED(trilo_clip_edit, trilo_model_edit_clips(model, opts, NULL, NULL));
    REFUSED(trilo_retarget_opts, trilo_model_retarget_clips(model, model, opts, NULL, NULL));
    REFUSED(trilo_convert_opts, trilo_convert(document, opts, NULL));
    REFUSED(trilo_write_opts, trilo_convert(document, &(trilo_convert_opts){.write = opts}, NULL));
    REFUSED(trilo_rewrite_opts, trilo_convert(document, &(trilo_convert_opts){.rewrite = opts}, NULL));
    REFUSED(trilo_clip_edit, trilo_convert(document, &(trilo_convert_opts){.clips = opts}, NULL));
    REFUSED(trilo_model_edit_opts, trilo_convert(document, &(trilo_convert_opts){.edit = opts}, NULL));
    REFUSED(trilo_optimize_opts, trilo_convert(document, &(trilo_convert_opts){.optimize = opts}, NULL));
    REFUSED(trilo_cost_opts, trilo_document_cost(document, opts, NULL));
    REFUSED(trilo_assets_opts, trilo_assets_new(opts, NULL));
    REFUSED(trilo_player_opts, trilo_player_new(model, opts, NULL));
    REFUSED(trilo_play_opts, trilo_player_play(player, 0, TRILO_NONE, opts));
    REFUSED(trilo_picture_opts, trilo_picture_write(opts, no_frame, NULL, drop_bytes, NULL, NULL));
    REFUSED(trilo_scene, trilo_renderer_draw(renderer, opts, 1, 1, pixel, NULL));
    trilo_renderer_free(renderer);
    trilo_player_free(player);
    trilo_model_free(model);
    trilo_document_free(document);
    buffer_free(&file);
}

TEST_MAIN(CASE(no_options_are_the_defaults), CASE(what_an_older_program_does_not_know_is_zero),
          CASE(zero_and_the_full_size_take_everything), CASE(stack_garbage_is_refused),
          CASE(every_function_refuses_options_that_are_not_filled))

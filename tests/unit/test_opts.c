/* Options of another size: programs that were compiled against another version of the headers. */
#include "base/opts.h"
#include "harness.h"
#include "support/nlm_files.h"
#include "support/t3dm_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
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
    const sample_opts wrong[] = {{.guard = 1},        {.struct_size = 4},  {.struct_size = 7},
                                 {.struct_size = 17}, {.struct_size = 20}, {.struct_size = 0xA5A5A5A5}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        sample_opts own;
        trilo_error err = {0};
        CHECK(!TL_OPTS_TAKE(&own, &wrong[i], &err));
        CHECK_INT(err.code, TRILO_CODE_MISUSE);
        CHECK_STR(err.rule, "CALL-MISUSE");
    }
}

/* ---- every function that takes options ---- */

/* Every public options struct begins with struct_size and guard. `call` gets `opts` and `err`. */
#define WRONG(type)                                                                                                    \
    {                                                                                                                  \
        {.guard = 1}, {.guard = 0x80000000u}, {.struct_size = 5}, {.struct_size = 7},                                  \
        {                                                                                                              \
            .struct_size = sizeof(type) + 1                                                                            \
        }                                                                                                              \
    }
#define REFUSED(type, call)                                                                                            \
    do {                                                                                                               \
        const type wrong[] = WRONG(type);                                                                              \
        for (size_t row = 0; row < sizeof wrong / sizeof *wrong; row++) {                                              \
            const type *opts = &wrong[row];                                                                            \
            trilo_error error = {0}, *err = &error;                                                                    \
            CHECK(!(call));                                                                                            \
            CHECK_INT(error.code, TRILO_CODE_MISUSE);                                                                  \
        }                                                                                                              \
    } while (0)
/* None, zero-filled ones, and the same from programs of another age are taken. */
#define TAKEN(type, call, release)                                                                                     \
    do {                                                                                                               \
        const type right[] = {{.guard = 0}, {.struct_size = sizeof(type)}, {.struct_size = 8}};                        \
        for (size_t row = 0; row <= sizeof right / sizeof *right; row++) {                                             \
            const type *opts = row > 0 ? &right[row - 1] : NULL;                                                       \
            trilo_error error = {0}, *err = &error;                                                                    \
            void *got = (void *)(uintptr_t)(call);                                                                     \
            CHECK_STR(got ? "" : error.text, "");                                                                      \
            release(got);                                                                                              \
        }                                                                                                              \
        REFUSED(type, call);                                                                                           \
    } while (0)
#define NOTHING(got) ((void)(got))

/* A file of each kind, and what is made of it. */
typedef struct opts_setup {
    buffer file, stream_bytes, kite_file;
    size_t read; /* of the stream that reads `file` */
    trilo_document *document, *kite;
    const trilo_model *model;
} opts_setup;

static opts_setup s;

static void setup_open(void)
{
    t3dm_places places;
    s = (opts_setup){.read = 0};
    nlm_line12(&s.file);
    t3dm_kite(&s.kite_file, 4, &places);
    t3dm_kite_stream(&s.stream_bytes);
    s.document = trilo_document_open(s.file.data, s.file.size, NULL, NULL);
    s.kite = trilo_document_open(
        s.kite_file.data, s.kite_file.size,
        &(trilo_load_opts){.companion = t3dm_kite_companion, .companion_user = &s.stream_bytes}, NULL);
    s.model = s.document ? trilo_document_model(s.document, NULL) : NULL;
    CHECK(s.model && s.kite);
    FILE *out = fopen("x.nlm", "wb");
    CHECK(out && fwrite(s.file.data, 1, s.file.size, out) == s.file.size && fclose(out) == 0);
}

static void setup_close(void)
{
    trilo_model_free(s.model);
    trilo_document_free(s.document);
    trilo_document_free(s.kite);
    buffer_free(&s.file);
    buffer_free(&s.kite_file);
    buffer_free(&s.stream_bytes);
}

static ptrdiff_t read_file(void *user, void *bytes, size_t room)
{
    const size_t left = s.file.size - s.read, count = left < room ? left : room;
    (void)user;
    if (count > 0)
        memcpy(bytes, s.file.data + s.read, count);
    s.read = left > 0 ? s.read + count : 0; /* after its end it begins again */
    return (ptrdiff_t)count;
}

static bool drop_bytes(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return true;
}

static bool one_pixel(void *user, uint32_t index, trilo_image *frame, trilo_error *err)
{
    static const uint8_t pixel[1][4] = {{1, 2, 3, 4}};
    (void)user, (void)index, (void)err;
    *frame = (trilo_image){1, 1, pixel};
    return true;
}

static bool fill_nothing(void *context, trilo_write_fn *sink, void *sink_user, trilo_error *err)
{
    (void)context, (void)err;
    return sink(sink_user, "", 0);
}

static void ignore_finding(void *user, const trilo_finding *finding)
{
    (void)user, (void)finding;
}

TEST(options_of_reading)
{
    setup_open();
    TAKEN(trilo_load_opts, trilo_document_open(s.file.data, s.file.size, opts, err), trilo_document_free);
    TAKEN(trilo_load_opts, trilo_document_open_file("x.nlm", opts, err), trilo_document_free);
    TAKEN(trilo_load_opts, trilo_document_open_stream(read_file, NULL, opts, err), trilo_document_free);
    TAKEN(trilo_load_opts, trilo_model_load(s.file.data, s.file.size, opts, err), trilo_model_free);
    TAKEN(trilo_load_opts, trilo_model_load_file("x.nlm", opts, err), trilo_model_free);
    TAKEN(trilo_load_opts, trilo_model_load_stream(read_file, NULL, opts, err), trilo_model_free);
#define LOADS(...) trilo_model_load(s.file.data, s.file.size, &(trilo_load_opts){__VA_ARGS__}, err)
    TAKEN(trilo_nlm_load_opts, LOADS(.nlm = opts), trilo_model_free);
    TAKEN(trilo_model64_load_opts, LOADS(.model64 = opts), trilo_model_free);
    TAKEN(trilo_gltf_load_opts, LOADS(.gltf = opts), trilo_model_free);
    TAKEN(trilo_file_opts, trilo_file_read("x.nlm", opts, err), trilo_file_free);
    TAKEN(trilo_bundle_opts, trilo_bundle_open("x.nlm", opts, err), trilo_bundle_free);
    TAKEN(trilo_assets_opts, trilo_assets_new(opts, err), trilo_assets_free);
    TAKEN(trilo_cost_opts, trilo_document_cost(s.document, opts, err), trilo_cost_free);
    TAKEN(trilo_cost_opts, trilo_document_check_textures(s.kite, opts, ignore_finding, NULL, err), NOTHING);
    TAKEN(trilo_visibility_opts, trilo_model_visible(s.model, opts, err), NOTHING);
    setup_close();
}

TEST(options_of_writing)
{
    setup_open();
#define WRITES(...)                                                                                                    \
    trilo_model_write(s.model, &(trilo_write_opts){.format = TRILO_FORMAT_NLM, __VA_ARGS__}, drop_bytes, NULL, err)
    TAKEN(trilo_nlm_write_opts, WRITES(.nlm = opts), NOTHING);
    TAKEN(trilo_t3dm_write_opts, WRITES(.t3dm = opts), NOTHING);
    TAKEN(trilo_model64_write_opts, WRITES(.model64 = opts), NOTHING);
    TAKEN(trilo_gltf_write_opts, WRITES(.gltf = opts), NOTHING);
    REFUSED(trilo_write_opts, trilo_model_write(s.model, opts, drop_bytes, NULL, err)); /* they need a format */
    CHECK(!trilo_model_write(s.model, NULL, drop_bytes, NULL, NULL));
    TAKEN(trilo_write_opts, trilo_model_write_file(s.model, "y.nlm", opts, err), NOTHING);
    TAKEN(trilo_rewrite_opts, trilo_document_write(s.document, opts, drop_bytes, NULL, err), NOTHING);
    TAKEN(trilo_optimize_opts, trilo_document_optimize(s.kite, opts, NULL, drop_bytes, NULL, err), NOTHING);
    TAKEN(trilo_write_opts, trilo_document_optimize(s.kite, NULL, opts, drop_bytes, NULL, err), NOTHING);
    TAKEN(trilo_t3dm_write_opts,
          trilo_document_optimize(s.kite, NULL, &(trilo_write_opts){.t3dm = opts}, drop_bytes, NULL, err), NOTHING);
    TAKEN(trilo_file_opts, trilo_file_replace("z", opts, fill_nothing, NULL, err), NOTHING);
    const trilo_extra_file files[] = {{"z", {(const uint8_t *)"1", 1}}, {"w", {(const uint8_t *)"2", 1}}};
    TAKEN(trilo_file_opts, trilo_files_replace(files, 2, opts, NULL, err), NOTHING);
    REFUSED(trilo_batch_opts, trilo_batch_run(NULL, 0, opts, NULL, err)); /* they need a function that converts */
    CHECK(!trilo_batch_run(NULL, 0, NULL, NULL, NULL));
    CHECK(trilo_batch_run(NULL, 0, &(trilo_batch_opts){.dry_run = true}, NULL, NULL));
    setup_close();
}

TEST(options_of_edits)
{
    setup_open();
    TAKEN(trilo_model_edit_opts, trilo_model_edit(s.model, opts, NULL, err), trilo_model_free);
    TAKEN(trilo_clip_edit, trilo_model_edit_clips(s.model, opts, NULL, err), trilo_model_free);
    TAKEN(trilo_retarget_opts, trilo_model_retarget_clips(s.model, s.model, opts, NULL, err), trilo_model_free);
    if (trilo_build_has_meshoptimizer())
        TAKEN(trilo_optimize_opts, trilo_model_optimize(s.model, opts, NULL, err), trilo_model_free);
    else
        REFUSED(trilo_optimize_opts, trilo_model_optimize(s.model, opts, NULL, err));
#define CONVERTS(...) trilo_convert(s.document, &(trilo_convert_opts){__VA_ARGS__}, err)
    TAKEN(trilo_convert_opts, trilo_convert(s.document, opts, err), trilo_conversion_free);
    TAKEN(trilo_write_opts, CONVERTS(.write = opts), trilo_conversion_free);
    TAKEN(trilo_nlm_write_opts, CONVERTS(.write = &(trilo_write_opts){.nlm = opts}), trilo_conversion_free);
    TAKEN(trilo_rewrite_opts, CONVERTS(.rewrite = opts), trilo_conversion_free);
    TAKEN(trilo_clip_edit, CONVERTS(.clips = opts), trilo_conversion_free);
    TAKEN(trilo_model_edit_opts, CONVERTS(.edit = opts), trilo_conversion_free);
    TAKEN(trilo_convert_sprites, CONVERTS(.sprites = opts), trilo_conversion_free);
    TAKEN(trilo_sprite_opts, CONVERTS(.sprites = &(trilo_convert_sprites){.sprite = opts}), trilo_conversion_free);
    REFUSED(trilo_optimize_opts, CONVERTS(.optimize = opts));
    const trilo_conversion *made = trilo_convert(s.document, NULL, NULL);
    CHECK(made != NULL);
    TAKEN(trilo_commit_opts, trilo_conversion_commit(made, "z.nlm", opts, err), NOTHING);
    trilo_conversion_free(made);
    setup_close();
}

TEST(options_of_images)
{
    static const uint8_t pixels[4][4] = {{0, 0, 0, 255}, {255, 0, 0, 255}, {0, 255, 0, 255}, {255, 255, 255, 255}};
    const trilo_bitmap bitmap = {.image = {2, 2, pixels}, .kind = TRILO_PIXEL_KIND_RGB};
    static trilo_palette palettes[1];
    trilo_shared_image shared[1];
    trilo_sprite_plan plan;
    const trilo_sprite *sprite = trilo_sprite_encode(&bitmap, NULL, NULL);
    CHECK(sprite != NULL);
    TAKEN(trilo_decode_opts, trilo_bitmap_decode(sprite->bytes, opts, err), trilo_bitmap_free);
    trilo_sprite_free(sprite);
    TAKEN(trilo_sprite_opts, trilo_sprite_encode(&bitmap, opts, err), trilo_sprite_free);
    TAKEN(trilo_sprite_opts, trilo_sprite_split(&bitmap, opts, err), trilo_sprite_pieces_free);
    TAKEN(trilo_plan_opts, trilo_sprite_plan_make(&bitmap, opts, &plan, err), NOTHING);
    TAKEN(trilo_sprite_opts, trilo_sprite_plan_make(&bitmap, &(trilo_plan_opts){.sprite = opts}, &plan, err), NOTHING);
    TAKEN(trilo_quantize_opts, trilo_image_quantize(&bitmap.image, 1, opts, palettes, NULL, err), NOTHING);
    TAKEN(trilo_share_opts, trilo_palettes_share(&bitmap.image, 1, opts, shared, palettes, NULL, err), NOTHING);
    REFUSED(trilo_resize_opts, trilo_image_resize(&bitmap.image, opts, err)); /* 0 by 0 is no size */
    CHECK(!trilo_image_resize(&bitmap.image, NULL, NULL));
    TAKEN(trilo_picture_opts, trilo_picture_write(opts, one_pixel, NULL, drop_bytes, NULL, err), NOTHING);
}

/* Functions of the player have no trilo_error. */
#define PLAYED(call)                                                                                                   \
    do {                                                                                                               \
        const trilo_play_opts wrong[] = WRONG(trilo_play_opts), right[] = {{.speed = 1}, {.struct_size = 8}};          \
        const trilo_play_opts *opts = NULL;                                                                            \
        CHECK(call);                                                                                                   \
        for (size_t i = 0; i < sizeof right / sizeof *right; i++) {                                                    \
            opts = &right[i];                                                                                          \
            CHECK(call);                                                                                               \
        }                                                                                                              \
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {                                                    \
            opts = &wrong[i];                                                                                          \
            CHECK(!(call));                                                                                            \
        }                                                                                                              \
    } while (0)

TEST(options_of_playing_and_drawing)
{
    uint8_t pixel[1][4];
    trilo_pixel_probe probe;
    setup_open();
    const trilo_model *kite = trilo_document_model(s.kite, NULL);
    CHECK(kite != NULL);
    TAKEN(trilo_player_opts, trilo_player_new(kite, opts, err), trilo_player_free);
    trilo_player *player = trilo_player_new(kite, NULL, NULL);
    trilo_renderer *renderer = trilo_renderer_new(kite, NULL, NULL, NULL);
    trilo_stream *stream = trilo_document_stream(s.kite, 0, NULL, NULL);
    CHECK(player && renderer && stream);
    PLAYED(trilo_player_play(player, 0, 0, opts));
    PLAYED(trilo_player_play_stream(player, 0, stream, opts));
    TAKEN(trilo_scene, trilo_renderer_draw(renderer, opts, 1, 1, pixel, err), NOTHING);
    TAKEN(trilo_scene, trilo_renderer_probe(renderer, opts, 1, 1, 0, 0, &probe, err), NOTHING);
    trilo_player_free(player);
    trilo_stream_free(stream);
    trilo_renderer_free(renderer);
    trilo_model_free(kite);
    setup_close();
}

TEST_MAIN(CASE(no_options_are_the_defaults), CASE(what_an_older_program_does_not_know_is_zero),
          CASE(zero_and_the_full_size_take_everything), CASE(stack_garbage_is_refused), CASE(options_of_reading),
          CASE(options_of_writing), CASE(options_of_edits), CASE(options_of_images),
          CASE(options_of_playing_and_drawing))

/* Limits that no file of a reasonable size reaches, by code and message; tests/codes/limits lists all. */
#include "api/file/rom.h"
#include "container/dca.h"
#include "formats/nlm/nlm.h"
#include "harness.h"
#include "support/model64_sample.h"
#include "support/render_scene.h"
#include "support/rom_files.h"
#include "trilobite/compare.h"
#include "trilobite/document.h"
#include "trilobite/render.h"
#include "trilobite/sprite.h"

#include <stdio.h>
#include <string.h>

static void check_limit(const trilo_error *err, const char *message)
{
    CHECK_INT(err->code, TRILO_CODE_LIMIT);
    if (!strstr(err->text, message))
        FAIL("\"%s\" instead of \"%s\"", err->text, message);
}

TEST(bytes_in_memory)
{
    trilo_error err = {0};
    const trilo_load_opts opts = {.limits.file_size = 99};
    CHECK(!trilo_document_open((const uint8_t[100]){'T', '3', 'M', 4}, 100, &opts, &err));
    check_limit(&err, "the input is larger than the limit");
}

TEST(a_file_in_a_rom)
{
    const rom_item item = {0, "a.bin", "eight by"};
    buffer image = rom_dfs20(&item, 1);
    FILE *file = fopen("limit.dfs", "wb");
    CHECK(file && fwrite(image.data, 1, image.size, file) == image.size && fclose(file) == 0);
    tl_arena arena;
    trilo_bytes bytes;
    trilo_error err = {0};
    tl_arena_init(&arena, NULL);
    CHECK(tl_file_rom_read("limit.dfs:/a.bin", NULL, 8, &arena, &bytes, &err));
    CHECK(!tl_file_rom_read("limit.dfs:/a.bin", NULL, 7, &arena, &bytes, &err));
    check_limit(&err, "the file in the ROM is larger than the limit");
    tl_arena_free(&arena);
    buffer_free(&image);
}

TEST(frames_of_a_model)
{
    sample s;
    trilo_error err = {0};
    sample_fill(&s);
    use_clip(&s);
    use_track(&s);
    result r = encode(&s.model, NULL);
    CHECK(!trilo_document_open(r.file.data, r.file.size, &(trilo_load_opts){.limits.count = 1}, &err));
    check_limit(&err, "the limit is 1");
    done(&r, NULL);
}

/* The same clip, 2^17 times, moves 1,024 vertices and a node of both models, and a pair of triangles. */
TEST(clips_to_compare)
{
    static const float positions[1024][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, value[3] = {1, 0, 0};
    static const double time = 0;
    static trilo_clip_pair clips[1 << 17];
    const trilo_mesh mesh = {.material = TRILO_NONE,
                             .skin = TRILO_NONE,
                             .vertex_count = 1024,
                             .index_count = 3,
                             .positions = positions,
                             .indices = (const uint32_t[]){0, 1, 2}};
    const trilo_node node = {
        .parent = TRILO_NONE, .rotation.w = 1, .scale = {1, 1, 1}, .local.m = {[0] = 1, [5] = 1, [10] = 1, [15] = 1}};
    const trilo_channel channel = {.key_count = 1, .times = &time, .values = value};
    const trilo_clip clip = {.channel_count = 1, .channels = &channel};
    const trilo_model model = {.units_per_meter = 1,
                               .mesh_count = 1,
                               .node_count = 1,
                               .clip_count = 1,
                               .meshes = &mesh,
                               .nodes = &node,
                               .clips = &clip};
    trilo_error err = {0};
    CHECK(trilo_clips_compare(&model, &model, clips, 1, NULL, &err));
    CHECK(!trilo_clips_compare(&model, &model, clips, 1 << 17, NULL, &err));
    check_limit(
        &err,
        "131072 clips move 268828672 nodes, vertices and triangles in all, the limit for a comparison is 214748364");
}

TEST(bones_of_nlm)
{
    const nlm_file file = {.bone_count = 65536, .bones_at = 40};
    trilo_model model = {0};
    trilo_error err = {0};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(!tl_nlm_decode(&file, &arena, &model, &err));
    check_limit(&err, "65536 bones, at most 65535");
    CHECK_INT(err.offset, 40);
    tl_arena_free(&arena);
}

TEST(near_and_far)
{
    scene_model s;
    scene_make(&s, 1);
    trilo_scene scene = scene_plain();
    static uint8_t pixels[8 * 8][4];
    trilo_error err = {0};
    scene.look = TRILO_LOOK_N64;
    scene.console.model_scale = 1;
    scene.view = (trilo_view){.near_at = 1, .far_at = 1e6f};
    trilo_renderer *renderer = trilo_renderer_new(&s.model, NULL, NULL, &err);
    CHECK(renderer);
    CHECK(!trilo_renderer_draw(renderer, &scene, 8, 8, pixels, &err));
    check_limit(&err, "near plus far");
    trilo_renderer_free(renderer);
}

/* The other texture of the material fills TMEM. */
TEST(a_texture_without_room)
{
    static const uint8_t pixel[1][4] = {{1, 2, 3, 255}};
    const trilo_bitmap bitmap = {.image = {.width = 1, .height = 1, .pixels = pixel}};
    const trilo_plan_opts opts = {.other_texels = TRILO_TEXELS_RGBA32, .other_width = 32, .other_height = 32};
    trilo_sprite_plan plan;
    trilo_error err = {0};
    CHECK(!trilo_sprite_plan_make(&bitmap, &opts, &plan, &err));
    check_limit(&err, "no size of the image fits TMEM");
}

/* The size is looked at before the bytes. */
TEST(a_block_of_lz4)
{
    tl_arena arena;
    trilo_bytes out;
    trilo_error err = {0};
    tl_arena_init(&arena, NULL);
    CHECK(!tl_dca_compress_lz4(&arena, (trilo_bytes){(const uint8_t *)"", 0x7E000001}, 3, &out, &err));
    if (err.code == TRILO_CODE_UNSUPPORTED)
        SKIP("this build has no LZ4");
    check_limit(&err, "2113929217 bytes are too many for one LZ4 block");
    tl_arena_free(&arena);
}

TEST_MAIN(CASE(bytes_in_memory), CASE(a_file_in_a_rom), CASE(frames_of_a_model), CASE(clips_to_compare),
          CASE(bones_of_nlm), CASE(near_and_far), CASE(a_texture_without_room), CASE(a_block_of_lz4))

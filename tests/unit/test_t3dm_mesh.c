/* Meshes of T3DM files: vertices as floats, their boxes, and those that are welded. */
#include "harness.h"

#include "formats/t3dm/decode/pair_box.h"
#include "formats/t3dm/decode/vertices.h"
#include "support/numbers.h"

#include <string.h>

enum { VERTICES = 40 };

/* Four floats are written for three, but not behind the last ones. */
typedef struct arrays {
    float positions[VERTICES + 1][3], normals[VERTICES + 1][3], colors[VERTICES + 1][4], uvs[VERTICES + 1][2];
} arrays;

static t3dm_vertex_arrays pointers_to(arrays *a)
{
    memset(a, 0x55, sizeof *a);
    return (t3dm_vertex_arrays){a->positions, a->normals, a->colors, a->uvs, NULL, NULL};
}

static void put_short(uint8_t *at, int value)
{
    at[0] = (uint8_t)((unsigned)value >> 8);
    at[1] = (uint8_t)value;
}

TEST(vertices_are_those_of_the_file)
{
    t3dm_mesh_vertex vertices[3] = {{{0}, 0, 0}};
    for (int i = 0; i < 3; i++) {
        uint8_t *bytes = (uint8_t *)vertices[i].words;
        put_short(bytes, -32768 + i);
        put_short(bytes + 2, 32767);
        put_short(bytes + 4, -1);
        put_short(bytes + 6, 0x8000 | 0x1F << 5 | 0x1F); /* -16/16, 31/32, -1/16 */
        memcpy(bytes + 8, (const uint8_t[4]){0, 51, 254, 255}, 4);
        put_short(bytes + 12, -48);
        put_short(bytes + 14, 100);
    }
    arrays a;
    const t3dm_vertex_arrays to = pointers_to(&a);
    const t3dm_uv_scales uv = tl_t3dm_uv_scales(&(t3dm_uv_units){1024, 96, 16});
    CHECK(!uv.exact);
    tl_t3dm_unpack_vertices(vertices, 3, &uv, &to);
    for (int i = 0; i < 3; i++) {
        CHECK(a.positions[i][0] == (float)(-32768 + i) && a.positions[i][1] == 32767 && a.positions[i][2] == -1);
        CHECK(a.normals[i][0] == -1 && a.normals[i][1] == 31 / 32.0f && a.normals[i][2] == -1 / 16.0f);
        CHECK(a.colors[i][0] == 0 && a.colors[i][1] == 0.2f && a.colors[i][2] == 254 / 255.0f && a.colors[i][3] == 1);
        CHECK(a.uvs[i][0] == -32 / 1024.0f && a.uvs[i][1] == (float)(116 / 96.0));
    }
}

TEST(avx2_gives_the_same_floats)
{
#if TL_AVX2
    static const t3dm_uv_units units[] = {{1024, 2048, 16}, {1024, 1024, 0}, {96, 1024, 16}, {1056, 736, 0.1}};
    uint64_t dice = 4;
    for (uint32_t round = 0; tl_has_avx2() && round < 4000; round++) {
        const uint32_t count = round % VERTICES;
        const t3dm_uv_scales uv = tl_t3dm_uv_scales(&units[round / VERTICES % TL_COUNT_OF(units)]);
        t3dm_mesh_vertex vertices[VERTICES];
        arrays got, want;
        const t3dm_vertex_arrays to_got = pointers_to(&got), to_want = pointers_to(&want);
        for (uint32_t i = 0; i < count; i++)
            vertices[i] = (t3dm_mesh_vertex){{random_bits(&dice), random_bits(&dice)}, 0, 0};
        const uint32_t done = tl_t3dm_unpack_avx2(vertices, count, &uv, &to_got);
        CHECK(done <= count && count - done <= 2);
        tl_t3dm_unpack_from(done, vertices, count, &uv, &to_got);
        tl_t3dm_unpack_from(0, vertices, count, &uv, &to_want);
        CHECK(memcmp(&got, &want, sizeof got) == 0);
    }
#endif
}

/* --- boxes --- */

static void check_box(void (*extend)(t3dm_pair_box *, const uint8_t *, size_t, size_t))
{
    enum { PAIRS = 13, SIZE = 32 };
    uint64_t dice = 5;
    for (uint32_t round = 0; round < 2000; round++) {
        const size_t count = round % (PAIRS + 1);
        uint8_t pairs[PAIRS * SIZE];
        t3dm_pair_box want, got;
        for (size_t i = 0; i < sizeof pairs; i++)
            pairs[i] = (uint8_t)(random_bits(&dice) >> 40);
        for (int k = 0; k < T3DM_BOX_LANES; k++) {
            want.min[k] = got.min[k] = (int16_t)(100 * k);
            want.max[k] = got.max[k] = (int16_t)(200 * k);
            for (size_t i = 0; i < count; i++) {
                const int16_t value = (int16_t)tl_get_u16(pairs + i * SIZE + 2 * (size_t)k, TL_BIG);
                want.min[k] = value < want.min[k] ? value : want.min[k];
                want.max[k] = value > want.max[k] ? value : want.max[k];
            }
        }
        extend(&got, pairs, count, SIZE);
        CHECK(memcmp(&got, &want, sizeof got) == 0);
    }
}

TEST(boxes_hold_all_vertices)
{
    check_box(tl_t3dm_extend_box);
    check_box(tl_t3dm_extend_box_lanes);
#if TL_AVX2
    if (tl_has_avx2())
        check_box(tl_t3dm_extend_box_avx2);
#endif
}

/* --- welding --- */

enum { LOADED = 64, PARTS = 40 };

/* x in x * factor = 1 modulo 2^64, by Newton's method; the factor is odd. */
static uint64_t inverse_of(uint64_t factor)
{
    uint64_t x = factor;
    for (int i = 0; i < 6; i++)
        x *= 2 - factor * x;
    return x;
}

/* All vertices have the same hash (mesh.c), which depends on the order of bytes; none is lost, and the second half of
 * the parts, which loads the vertices of the first once more, finds them again. */
TEST(equal_hashes_are_no_equal_vertices)
{
    static uint8_t vertices[PARTS / 2 * LOADED * T3DM_VERTEX_SIZE];
    static t3dm_part parts[PARTS];
    static const uint8_t no_indices[8];
    const t3dm_pair_offsets at = tl_t3dm_pair_offsets();
    const uint64_t inverse = inverse_of(0x9E3779B97F4A7C15u);
    for (uint32_t row = 0; row < PARTS / 2 * LOADED; row++) {
        uint8_t *pair = vertices + row / T3DM_PAIR * at.size;
        const uint64_t place = row;
        const uint64_t look = (1 - (place ^ T3DM_NO_BONE) * 0xD6E8FEB86659FD93u) * inverse;
        memcpy(pair + at.position[row % T3DM_PAIR], &place, 8);
        memcpy(pair + at.color[row % T3DM_PAIR], &look, 4);
        memcpy(pair + at.uv[row % T3DM_PAIR], (const uint8_t *)&look + 4, 4);
    }
    for (uint32_t i = 0; i < PARTS; i++)
        parts[i] = (t3dm_part){.vertex_at = i % (PARTS / 2) * LOADED * T3DM_VERTEX_SIZE,
                               .vertex_count = LOADED,
                               .bone = T3DM_NO_BONE,
                               .sequence_count = 21};
    t3dm_object object = {.head = {.part_count = PARTS, .material = TRILO_NONE}, .parts = parts};
    const t3dm_file file = {.version = 4,
                            .object_count = 1,
                            .objects = &object,
                            .vertices = {vertices, sizeof vertices},
                            .indices = {no_indices, sizeof no_indices}};
    tl_arena arena;
    trilo_model model = {.mesh_count = 0};
    trilo_error err = {0};
    tl_arena_init(&arena, NULL);
    CHECK(tl_t3dm_decode(&file, &arena, &model, &err));
    CHECK_INT(model.mesh_count, 1);
    const trilo_mesh *mesh = &model.meshes[0];
    CHECK_INT(mesh->vertex_count, PARTS / 2 * 63);
    CHECK_INT(mesh->index_count, PARTS * 63);
    for (uint32_t i = 0; i < mesh->index_count; i++)
        CHECK_INT(mesh->indices[i], i % (PARTS / 2 * 63));
    tl_arena_free(&arena);
}

/* 0 1 2 3 | 4 5 6 | 7 8 9 10: each second triangle of a strip is turned around, and each strip starts anew. */
TEST(strips_become_triangles)
{
    static const uint8_t indices[] = {0, 0, 0, 1, 0, 2, 0, 3, 0x80, 4, 0, 5, 0, 6, 0x80, 7, 0, 8, 0, 9, 0, 10};
    static const uint32_t want[] = {0, 1, 2, 2, 1, 3, 4, 5, 6, 7, 8, 9, 9, 8, 10};
    uint8_t vertices[12 * T3DM_VERTEX_SIZE] = {0};
    const t3dm_pair_offsets at = tl_t3dm_pair_offsets();
    for (uint32_t row = 0; row < 12; row++)
        vertices[row / T3DM_PAIR * at.size + at.position[row % T3DM_PAIR]] = (uint8_t)row;
    t3dm_part part = {.vertex_count = 12, .bone = T3DM_NO_BONE, .strip_counts = {11}};
    t3dm_object object = {.head = {.part_count = 1, .material = TRILO_NONE}, .parts = &part};
    const t3dm_file file = {.version = 4,
                            .object_count = 1,
                            .objects = &object,
                            .vertices = {vertices, sizeof vertices},
                            .indices = {indices, sizeof indices}};
    tl_arena arena;
    trilo_model model = {.mesh_count = 0};
    trilo_error err = {0};
    tl_arena_init(&arena, NULL);
    CHECK(tl_t3dm_decode(&file, &arena, &model, &err));
    CHECK_INT(model.meshes[0].vertex_count, 11);
    CHECK_INT(model.meshes[0].index_count, TL_COUNT_OF(want));
    CHECK(memcmp(model.meshes[0].indices, want, sizeof want) == 0);
    tl_arena_free(&arena);
}

TEST_MAIN(CASE(vertices_are_those_of_the_file), CASE(avx2_gives_the_same_floats), CASE(boxes_hold_all_vertices),
          CASE(equal_hashes_are_no_equal_vertices), CASE(strips_become_triangles))

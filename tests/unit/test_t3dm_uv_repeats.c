/* Triangles that are moved by whole repeats of their textures, so that they share vertices with others. */
#include "formats/t3dm/encode/encode.h"
#include "harness.h"
#include "support/allocations.h"
#include "support/numbers.h"

#include <string.h>

enum { FACES = 64, VERTICES = 4 * FACES, TRIANGLES = 2 * FACES, TEXEL = 32, RANGE = 16384 };

typedef struct board {
    t3dm_material material;
    t3dm_vertex vertices[VERTICES], before[VERTICES];
    uint16_t bones[VERTICES];
    uint32_t triangles[TRIANGLES][3], source[TRIANGLES][3];
    t3dm_indexed_mesh mesh;
} board;

/* A material that shows its texture, of 16 x 8 texels, which repeats. */
static t3dm_material material_of(void)
{
    const t3dm_texture texture = {.path = 1, .width = 16, .height = 8};
    return (t3dm_material){.head = {.combiner = 1, .draw_flags = TRILO_N64_TEXTURED}, .textures = {texture}};
}

static void board_start(board *b)
{
    memset(b, 0, sizeof *b);
    b->material = material_of();
    b->mesh = (t3dm_indexed_mesh){b->vertices, b->bones, 0, b->triangles, 0};
}

/* A face with four vertices of its own, whose corners are at these texels. */
static void add_face(board *b, int x, int y, int s, int t, int width, int height)
{
    const uint32_t v = b->mesh.vertex_count, at = b->mesh.triangle_count;
    for (int c = 0; c < 4; c++) {
        const int right = c == 1 || c == 2, up = c >= 2;
        b->vertices[v + (uint32_t)c] =
            (t3dm_vertex){.position = {(int16_t)(x + right), (int16_t)(y + up), 7},
                          .normal = 5,
                          .color = {1, 2, 3, 4},
                          .uv = {(int16_t)(TEXEL * (s + right * width)), (int16_t)(TEXEL * (t + up * height))}};
    }
    memcpy(b->triangles[at], (uint32_t[]){v, v + 1, v + 2}, sizeof *b->triangles);
    memcpy(b->triangles[at + 1], (uint32_t[]){v, v + 2, v + 3}, sizeof *b->triangles);
    b->mesh.vertex_count += 4;
    b->mesh.triangle_count += 2;
}

/* How many vertices the triangles have. */
static uint32_t count_used(const board *b)
{
    bool used[VERTICES] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < 3 * b->mesh.triangle_count; i++) {
        bool *one = &used[b->triangles[i / 3][i % 3]];
        count += *one ? 0 : 1;
        *one = true;
    }
    return count;
}

/* Merges, and checks that each triangle is the same but for whole repeats: equally many for its corners, and none along
 * an axis without. Returns how many vertices are left. */
static uint32_t merge(board *b)
{
    tl_arena arena;
    uint32_t merged;
    int32_t period[2];
    memcpy(b->before, b->vertices, sizeof b->before);
    memcpy(b->source, b->triangles, sizeof b->source);
    tl_arena_init(&arena, NULL);
    const uint32_t before = count_used(b);
    CHECK(tl_t3dm_merge_repeats(&arena, &b->material, &b->mesh, &merged));
    CHECK_INT(merged, before - count_used(b));
    tl_arena_free(&arena);
    tl_t3dm_uv_periods(&b->material, period);
    for (uint32_t t = 0; t < b->mesh.triangle_count; t++) {
        int moved[2];
        for (int c = 0; c < 3; c++) {
            const uint32_t from = b->source[t][c], to = b->triangles[t][c];
            const t3dm_vertex *old = &b->before[from], *now = &b->vertices[to];
            CHECK_INT(memcmp(old, now, offsetof(t3dm_vertex, uv)), 0);
            CHECK_INT(b->bones[from], b->bones[to]);
            for (int k = 0; k < 2; k++) {
                const int by = now->uv[k] - old->uv[k];
                CHECK_INT(by, c == 0 ? by : moved[k]);
                CHECK(period[k] > 0 ? by % period[k] == 0 : by == 0);
                CHECK(by == 0 || (now->uv[k] >= -RANGE && now->uv[k] <= RANGE));
                moved[k] = by;
            }
        }
    }
    return count_used(b);
}

/* --- periods --- */

static void check_periods(const t3dm_material *material, int s, int t)
{
    int32_t period[2] = {-1, -1};
    tl_t3dm_uv_periods(material, period);
    CHECK_INT(period[0], s);
    CHECK_INT(period[1], t);
}

/* A texture of 2^n texels repeats after so many, times 2^shift, twice that if it is mirrored; up to half of the range
 * of coordinates that triangles are moved in. Sizes that are no power of two do not repeat. */
TEST(textures_repeat_after_their_size)
{
    for (int size = 0; size <= 1025; size++)
        for (int shift = -11; shift <= 11; shift++)
            for (int mirror = 0; mirror < 2; mirror++)
                for (int clamp = 0; clamp < 2; clamp++) {
                    const t3dm_axis axis = {.shift = (int8_t)shift, .mirror = (uint8_t)mirror, .clamp = (uint8_t)clamp};
                    double want = 32.0 * size * (mirror ? 2 : 1);
                    for (int i = 0; i < shift || i < -shift; i++)
                        want *= shift > 0 ? 2 : 0.5;
                    want = want < 32 ? 32 : want;
                    const bool repeats = size > 0 && (size & (size - 1)) == 0 && !clamp && want < 32768;
                    t3dm_material m = material_of();
                    m.textures[0].width = (uint16_t)size;
                    m.textures[0].s = axis;
                    check_periods(&m, repeats ? (int)want : 0, 8 * TEXEL);
                    m = material_of();
                    m.textures[0].height = (uint16_t)size;
                    m.textures[0].t = axis;
                    check_periods(&m, 16 * TEXEL, repeats ? (int)want : 0);
                }
}

TEST(two_textures_repeat_together)
{
    t3dm_material m = material_of();
    m.textures[1] = (t3dm_texture){.path = 9, .width = 4, .height = 64};
    check_periods(&m, 16 * TEXEL, 64 * TEXEL);
    m.textures[1].s.shift = 3; /* 32 texels */
    check_periods(&m, 32 * TEXEL, 64 * TEXEL);
    m.textures[1].t.clamp = 1;
    check_periods(&m, 32 * TEXEL, 0);
    m.textures[0].s.clamp = 1;
    check_periods(&m, 0, 0);
    m.textures[0].path = 0; /* only the second is left */
    check_periods(&m, 32 * TEXEL, 0);
    m.textures[1].path = 0;
    check_periods(&m, 0, 0);
}

/* What the game supplies, custom materials, and effects that compute coordinates. */
TEST(uncertain_textures_do_not_repeat)
{
    for (int i = 0; i < 2; i++)
        for (int path = 0; path < 2; path++) {
            t3dm_material m = material_of();
            m.textures[i].path = path ? 3u : 0;
            m.textures[i].reference = 77;
            check_periods(&m, 0, 0);
        }
    for (uint8_t effect = 0; effect <= 5; effect++) {
        t3dm_material m = material_of();
        m.head.vertex_effect = effect;
        check_periods(&m, effect < 2 ? 16 * TEXEL : 0, effect < 2 ? 8 * TEXEL : 0);
    }
    t3dm_material m = material_of();
    m.opaque = true;
    check_periods(&m, 0, 0);
    m = material_of();
    m.head.combiner = 0;
    check_periods(&m, 0, 0);
}

/* --- moving --- */

/* Each face shows the whole texture: 8 vertices become 6, and with a second row 16 become 9. */
TEST(faces_with_a_whole_texture_share_their_edges)
{
    static board b;
    board_start(&b);
    add_face(&b, 0, 0, 0, 0, 16, 8);
    add_face(&b, 1, 0, 0, 0, 16, 8);
    CHECK_INT(merge(&b), 6);
    CHECK_INT(merge(&b), 6); /* nothing is left to do */
    board_start(&b);
    for (int i = 0; i < 4; i++)
        add_face(&b, i % 2, i / 2, 0, 0, 16, 8);
    CHECK_INT(merge(&b), 9);
}

/* One that mirrors repeats after two: with one repeat less nothing is shared. */
TEST(mirrored_textures_repeat_after_two)
{
    for (int by = 0; by < 3; by++) {
        static board b;
        board_start(&b);
        b.material.textures[0].s.mirror = 1;
        add_face(&b, 0, 0, 0, 0, 16, 8);
        add_face(&b, 1, 0, 16 + 16 * by, 0, 16, 8);
        CHECK_INT(merge(&b), by % 2 == 0 ? 6 : 8);
    }
}

/* Nothing moves along an axis that clamps, and vertices with other attributes or bones are others. */
TEST(only_equal_vertices_are_shared)
{
    for (int kind = 0; kind < 7; kind++) {
        static board b;
        board_start(&b);
        add_face(&b, 0, 0, 0, 0, 16, 8);
        add_face(&b, 1, 0, kind == 1 ? 1 : 0, kind == 2 ? 8 : 0, 16, 8);
        b.material.textures[0].t.clamp = kind == 2;
        b.material.textures[0].s.clamp = kind == 3;
        for (uint32_t v = 4; v < 8; v++) {
            b.bones[v] = kind == 4;
            b.vertices[v].color[3] = kind == 5 ? 9 : 4;
            b.vertices[v].normal = kind == 6 ? 6 : 5;
        }
        CHECK_INT(merge(&b), kind == 0 ? 6 : 8);
        for (uint32_t v = 0; kind > 0 && v < 8; v++)
            CHECK_INT(memcmp(&b.vertices[v], &b.before[v], sizeof *b.vertices), 0);
    }
}

/* Two faces on two others: three vertices meet, two of them after a repeat, the lowest at once. */
TEST(the_larger_share_decides)
{
    static board b;
    board_start(&b);
    for (int x = 0; x < 2; x++)
        for (int y = 0; y < 2; y++)
            add_face(&b, x, y, 0, 8 * y, 16, 8);
    b.vertices[8].uv[0] = 16 * TEXEL;
    CHECK_INT(merge(&b), 6 + 6 - 2);
}

/* Around a tower whose last face ends where the first one begins, a repeat farther on: nothing can be gained. */
TEST(a_seam_stays)
{
    static board b;
    board_start(&b);
    for (int i = 0; i < 8; i++)
        add_face(&b, i, 0, 4 * i, 0, 4, 8);
    for (uint32_t i = 1; i < 8; i++) /* one island */
        for (int half = 0; half < 2; half++)
            for (int c = 0; c < 3; c++) {
                uint32_t *v = &b.triangles[2 * i + (uint32_t)half][c];
                *v = *v == 4 * i ? 4 * i - 3 : *v == 4 * i + 3 ? 4 * i - 2 : *v;
            }
    for (uint32_t v = 29; v < 31; v++)
        b.vertices[v].position[0] = 0;
    CHECK_INT(count_used(&b), 18);
    CHECK_INT(merge(&b), 18);
    CHECK_INT(memcmp(b.vertices, b.before, sizeof b.before), 0);
}

/* A row of faces with 32 repeats of 16 texels each: two of them have the 1024 texels of the range, less one period. */
TEST(coordinates_stay_in_range)
{
    static board b;
    for (int repeats = 1; repeats <= 60; repeats++) {
        const int faces = 6, length = 16 * repeats;
        board_start(&b);
        for (int i = 0; i < faces; i++)
            add_face(&b, i, 0, 0, 0, length, 8);
        const int together = (1024 - 16) / length; /* faces that move as one */
        const int groups = together < 2 ? faces : (faces + together - 1) / together;
        CHECK_INT(merge(&b), 2 * faces + 2 * groups);
    }
}

/* Far from 0, what is joined is moved there; what is not joined stays. */
TEST(joined_faces_move_towards_0)
{
    static board b;
    board_start(&b);
    add_face(&b, 0, 0, 812, -900, 16, 8);
    add_face(&b, 1, 0, 812, -900, 16, 8);
    add_face(&b, 9, 9, 720, 720, 16, 8);
    CHECK_INT(merge(&b), 10);
    for (uint32_t t = 0; t < 4; t++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 2; k++) { /* from -20 to 12 and from -4 to 4 texels */
                const int uv = b.vertices[b.triangles[t][c]].uv[k];
                CHECK(k == 0 ? uv >= -20 * TEXEL && uv <= 12 * TEXEL : uv >= -4 * TEXEL && uv <= 4 * TEXEL);
            }
    CHECK_INT(b.vertices[8].uv[0], 720 * TEXEL);
}

/* --- any faces --- */

/* Vertices and triangles in any order, so that islands have any root. */
static void shuffle(board *b, uint64_t *random)
{
    t3dm_vertex vertices[VERTICES];
    uint32_t to[VERTICES];
    for (uint32_t v = 0; v < b->mesh.vertex_count; v++) {
        const uint32_t other = (uint32_t)(random_bits(random) % (v + 1));
        to[v] = to[other];
        to[other] = v;
    }
    memcpy(vertices, b->vertices, sizeof vertices);
    for (uint32_t v = 0; v < b->mesh.vertex_count; v++)
        b->vertices[to[v]] = vertices[v];
    for (uint32_t t = 0; t < b->mesh.triangle_count; t++) {
        uint32_t moved[3];
        for (uint32_t c = 0; c < 3; c++)
            moved[(c + t) % 3] = to[b->triangles[t][c]];
        const uint32_t other = (uint32_t)(random_bits(random) % (t + 1));
        memcpy(b->triangles[t], b->triangles[other], sizeof moved);
        memcpy(b->triangles[other], moved, sizeof moved);
    }
}

/* The vertices that are left if each face is moved by any of a few repeats: all ways are tried. */
static uint32_t fewest_vertices(const board *b, uint32_t faces)
{
    enum { WAYS = 7 * 3 }; /* -3 to 3 and -1 to 1 repeats; the first face stays */
    uint32_t fewest = UINT32_MAX, ways = 1;
    for (uint32_t i = 1; i < faces; i++)
        ways *= WAYS;
    for (uint32_t way = 0; way < ways; way++) {
        t3dm_vertex moved[VERTICES];
        uint32_t count = 0, rest = way;
        for (uint32_t i = 0; i<faces; i++, rest /= i> 1 ? WAYS : 1) {
            const int s = i == 0 ? 0 : (int)(rest % 7) - 3, t = i == 0 ? 0 : (int)(rest % WAYS / 7) - 1;
            for (uint32_t v = 4 * i; v < 4 * i + 4; v++) {
                uint32_t same = 0;
                moved[count] = b->vertices[v];
                moved[count].uv[0] = (int16_t)(moved[count].uv[0] + s * 16 * TEXEL);
                moved[count].uv[1] = (int16_t)(moved[count].uv[1] + t * 8 * TEXEL);
                while (memcmp(&moved[same], &moved[count], sizeof *moved) != 0)
                    same++;
                count += same == count ? 1 : 0;
            }
        }
        fewest = count < fewest ? count : fewest;
    }
    return fewest;
}

/* Faces of a small board, each at a repeat by chance. A forest has no cycle to be wrong about, so nothing is better. */
TEST(as_few_vertices_as_all_ways_allow)
{
    uint64_t random = 1;
    uint32_t saved = 0;
    for (uint32_t round = 0; round < test_rounds(2000, TEST_EMULATED ? 10 : 100); round++) {
        static board b;
        const uint32_t faces = 1 + (uint32_t)(random_bits(&random) % 3);
        board_start(&b);
        for (uint32_t i = 0; i < faces; i++) {
            const uint64_t bits = random_bits(&random);
            add_face(&b, (int)i, 0, (int)(16 * (bits % 2)), (int)(8 * (bits / 2 % 2)), 16, 8);
        }
        const uint32_t fewest = fewest_vertices(&b, faces);
        shuffle(&b, &random);
        const uint32_t left = merge(&b);
        CHECK_INT(left, fewest);
        saved += 4 * faces - left;
    }
    CHECK(saved > 0);
}

/* Faces anywhere, also on top of each other, with any whole texels: never more vertices than without moving. */
TEST(any_faces_stay_the_same)
{
    uint64_t random = 2;
    uint32_t saved = 0;
    for (uint32_t round = 0; round < test_rounds(3000, TEST_SLOW ? 100 : 300); round++) {
        static board b;
        board_start(&b);
        b.material.textures[0].s.mirror = round % 3 == 0;
        b.material.textures[0].t.clamp = round % 5 == 0;
        for (uint32_t i = 0; i < FACES; i++) {
            const uint64_t bits = random_bits(&random);
            add_face(&b, (int)(bits % 6), (int)(bits / 8 % 6), (int)(bits / 64 % 64) * 8 - 256,
                     (int)(bits / 4096 % 32) * 8 - 128, (int)(bits >> 40 & 1) * 8 + 8, 8);
        }
        shuffle(&b, &random);
        const uint32_t all = 4 * FACES, left = merge(&b);
        CHECK(left <= all);
        saved += all - left;
    }
    CHECK(saved > 0);
}

TEST(memory_runs_out)
{
    size_t failures = 0;
    for (size_t n = 1; allocations_next(n); n += ALLOCATIONS_STEP) {
        static board b;
        tl_arena arena;
        board_start(&b);
        for (int i = 0; i < 8; i++)
            add_face(&b, i, 0, 0, 0, 16, 8);
        tl_arena_init(&arena, NULL);
        const bool ok = tl_t3dm_merge_repeats(&arena, &b.material, &b.mesh, NULL);
        failures += allocations_denied() ? 1 : 0;
        CHECK_INT(ok, !allocations_denied());
        allocations_allow();
        tl_arena_free(&arena);
    }
    CHECK(failures > 0);
}

TEST_MAIN(CASE(textures_repeat_after_their_size), CASE(two_textures_repeat_together),
          CASE(uncertain_textures_do_not_repeat), CASE(faces_with_a_whole_texture_share_their_edges),
          CASE(mirrored_textures_repeat_after_two), CASE(only_equal_vertices_are_shared),
          CASE(the_larger_share_decides), CASE(a_seam_stays), CASE(coordinates_stay_in_range),
          CASE(joined_faces_move_towards_0), CASE(as_few_vertices_as_all_ways_allow), CASE(any_faces_stay_the_same),
          CASE(memory_runs_out))

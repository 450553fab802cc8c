/* What is cut off and left out before pixels are drawn, against plain versions: clipping by the guard band, clusters
 * outside of the view, triangles behind what is there. */
#include "harness.h"
#include "raster/cluster.h"
#include "raster/console/clip.h"
#include "raster/console/cull.h"
#include "raster/console/depth.h"
#include "raster/console/occlusion.h"
#include "support/numbers.h"

#include <math.h>
#include <string.h>

static uint32_t below(uint64_t *seed, uint32_t count)
{
    return (uint32_t)(random_bits(seed) >> 20) % count;
}

static double random_from(uint64_t *seed, double low, double high)
{
    return low + (high - low) * (double)(random_bits(seed) >> 11) / 9007199254740992.0;
}

/* ---- the guard band of the console ---- */

enum { MOST = 16 };

/* Twice the screen to the right, up, left and down, and the near plane, in the order of the microcode. */
static double side_of(const tl_console_vertex *v, int plane)
{
    const double x[5] = {-1, 0, 0, 1, 0}, y[5] = {0, -1, 0, 0, 1};
    return plane == 2 ? v->z + v->w : 2 * v->w + x[plane] * v->x + y[plane] * v->y;
}

static tl_console_vertex between(const tl_console_vertex *in, const tl_console_vertex *out, int plane)
{
    const double part = side_of(in, plane) / (side_of(in, plane) - side_of(out, plane));
    tl_console_vertex v = {.x = in->x + (out->x - in->x) * part,
                           .y = in->y + (out->y - in->y) * part,
                           .z = in->z + (out->z - in->z) * part,
                           .w = in->w + (out->w - in->w) * part,
                           .s = (int32_t)floor(in->s + (out->s - in->s) * part),
                           .t = (int32_t)floor(in->t + (out->t - in->t) * part)};
    for (int k = 0; k < 4; k++)
        v.shade[k] = (uint8_t)floor(in->shade[k] + (out->shade[k] - in->shade[k]) * part);
    return v;
}

/* One plane after the other; the second corner of the triangle is taken last. */
static int clip_plainly(const tl_console_vertex v[3], tl_console_vertex out[MOST])
{
    tl_console_vertex list[MOST] = {v[0], v[2], v[1]};
    int count = 3;
    for (int plane = 0; plane < 5; plane++) {
        int made = 0;
        for (int i = 0; i < count; i++) {
            const tl_console_vertex *a = &list[i], *b = &list[(i + 1) % count];
            const bool a_in = side_of(a, plane) >= 0, b_in = side_of(b, plane) >= 0;
            if (a_in)
                out[made++] = *a;
            if (a_in != b_in)
                out[made++] = a_in ? between(a, b, plane) : between(b, a, plane);
        }
        count = made;
        memcpy(list, out, sizeof list);
    }
    for (int i = 0; i < count; i++)
        if (!(out[i].w > 0))
            return 0;
    return count >= 3 ? count : 0;
}

TEST(triangles_are_cut_at_the_guard_band)
{
    const tl_viewport viewport = tl_viewport_of(320, 240, 1000);
    uint64_t seed = 51;
    int cut[8] = {0};
    for (int round = 0; round < 1500; round++) {
        tl_console_vertex v[3], got[TL_CONSOLE_POLYGON_MOST], want[MOST];
        for (int i = 0; i < 3; i++) {
            const double size = round % 3 ? 500 : 150;
            v[i] = (tl_console_vertex){.x = random_from(&seed, -size, size),
                                       .y = random_from(&seed, -size, size),
                                       .z = random_from(&seed, -200, 200),
                                       .w = random_from(&seed, round % 5 ? 20 : -60, 120),
                                       .s = (int32_t)below(&seed, 4000) - 2000,
                                       .t = (int32_t)below(&seed, 4000) - 2000};
            for (int k = 0; k < 4; k++)
                v[i].shade[k] = (uint8_t)below(&seed, 256);
        }
        const int count = tl_console_clip(&viewport, (const tl_console_vertex *const[3]){&v[0], &v[1], &v[2]}, got);
        CHECK_INT(count, clip_plainly(v, want));
        cut[count < 7 ? count : 7]++;
        for (int i = 0; i < count; i++) {
            tl_console_project(&viewport, &want[i]);
            CHECK(got[i].x == want[i].x && got[i].y == want[i].y && got[i].z == want[i].z && got[i].w == want[i].w);
            CHECK(got[i].s == want[i].s && got[i].t == want[i].t && memcmp(got[i].shade, want[i].shade, 4) == 0);
            CHECK(got[i].screen_x == want[i].screen_x && got[i].screen_y == want[i].screen_y &&
                  got[i].depth == want[i].depth && got[i].inverse_w == want[i].inverse_w);
        }
    }
    CHECK(cut[0] > 50 && cut[3] > 50 && cut[4] > 50 && cut[5] > 20 && cut[6] > 5);
    /* A corner at the eye itself is on every plane, and nowhere on the screen. */
    for (int i = 0; i < 3; i++) {
        tl_console_vertex v[3] = {{.w = 10}, {.x = 5, .w = 10}, {.y = 5, .w = 10}}, got[TL_CONSOLE_POLYGON_MOST];
        const tl_console_vertex *const corners[3] = {&v[0], &v[1], &v[2]};
        CHECK_INT(tl_console_clip(&viewport, corners, got), 3);
        v[i] = (tl_console_vertex){.w = 0};
        CHECK_INT(tl_console_clip(&viewport, corners, got), 0);
    }
}

/* The same of the clean look. What was cut is exactly within the guard band and not before the near plane. */
TEST(clean_triangles_stay_within_the_guard_band)
{
    const tl_screen screen = {.half_width = 160, .half_height = 120, .guard = 1.3f};
    uint64_t seed = 52;
    for (int round = 0; round < 2000; round++) {
        tl_vertex v[3], got[TL_POLYGON_MOST];
        for (int i = 0; i < 3; i++)
            v[i] = (tl_vertex){.x = (float)random_from(&seed, -9, 9),
                               .y = (float)random_from(&seed, -9, 9),
                               .z = (float)random_from(&seed, -2, 5),
                               .w = (float)random_from(&seed, 0.1, 6)};
        const int count = tl_clip_triangle(&screen, (const tl_vertex *[3]){&v[0], &v[1], &v[2]}, got);
        for (int i = 0; i < count; i++) {
            const float g = screen.guard * got[i].w;
            CHECK(got[i].x >= -g && got[i].x <= g && got[i].y >= -g && got[i].y <= g && got[i].z >= 0 && got[i].w > 0);
        }
        tl_vertex a = v[0], b = v[1];
        if (!tl_clip_line(&screen, &a, &b))
            continue;
        const tl_vertex *const ends[2] = {&a, &b};
        for (int i = 0; i < 2; i++) {
            const float g = screen.guard * ends[i]->w;
            CHECK(ends[i]->x >= -g && ends[i]->x <= g && ends[i]->y >= -g && ends[i]->y <= g && ends[i]->z >= 0);
        }
    }
    for (int i = 0; i < 3; i++) {
        tl_vertex v[3] = {{.w = 1}, {.x = 0.5f, .w = 1}, {.y = 0.5f, .w = 1}}, got[TL_POLYGON_MOST], end = {.w = 0};
        const tl_vertex *corners[3] = {&v[0], &v[1], &v[2]};
        CHECK_INT(tl_clip_triangle(&screen, corners, got), 3);
        CHECK(tl_clip_line(&screen, &v[0], &v[1]));
        CHECK(!tl_clip_line(&screen, i ? &end : &v[0], i ? &v[1] : &end));
        v[i] = (tl_vertex){.w = 0};
        CHECK_INT(tl_clip_triangle(&screen, corners, got), 0);
    }
}

/* ---- clusters ---- */

/* Ranges of vertices, and boxes of those that triangles use, or of the range where that is not longer. */
TEST(clusters_have_their_boxes)
{
    enum { VERTICES = 400, INDICES = 2 * TL_CLUSTER_INDICES + 9 };
    static uint32_t indices[INDICES];
    static float positions[VERTICES][3];
    uint64_t seed = 53;
    for (int round = 0; round < 20; round++) {
        const uint32_t counts[] = {0, 3, TL_CLUSTER_INDICES - 3, TL_CLUSTER_INDICES, TL_CLUSTER_INDICES + 3, INDICES};
        const uint32_t count = counts[round % 6], spread = round % 2 ? 40 : VERTICES;
        for (uint32_t i = 0; i < count; i++)
            indices[i] = below(&seed, spread) + (i >= TL_CLUSTER_INDICES && spread < VERTICES ? 100 : 0);
        for (int i = 0; i < VERTICES * 3; i++)
            positions[i / 3][i % 3] = (float)random_from(&seed, -9, 9);
        const trilo_mesh mesh = {.vertex_count = VERTICES, .indices = indices, .index_count = count};
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        tl_cluster *clusters = tl_clusters_new(&arena, &mesh);
        tl_clusters_set_boxes(clusters, &mesh, (const float(*)[3])positions);
        CHECK_INT(tl_cluster_count(&mesh), (count + TL_CLUSTER_INDICES - 1) / TL_CLUSTER_INDICES);
        for (uint32_t c = 0; c < tl_cluster_count(&mesh); c++) {
            const uint32_t from = c * TL_CLUSTER_INDICES,
                           end = from + TL_CLUSTER_INDICES < count ? from + TL_CLUSTER_INDICES : count;
            uint32_t first = UINT32_MAX, last = 0;
            float least[2][3], most[2][3]; /* of those that are used, and of the range */
            for (uint32_t i = from; i < end; i++)
                first = indices[i] < first ? indices[i] : first, last = indices[i] > last ? indices[i] : last;
            CHECK_INT(clusters[c].first, first);
            CHECK_INT(clusters[c].last, last);
            for (int k = 0; k < 3; k++) {
                least[0][k] = least[1][k] = INFINITY, most[0][k] = most[1][k] = -INFINITY;
                for (uint32_t i = from; i < end; i++) {
                    least[0][k] = fminf(least[0][k], positions[indices[i]][k]);
                    most[0][k] = fmaxf(most[0][k], positions[indices[i]][k]);
                }
                for (uint32_t i = first; i <= last; i++) {
                    least[1][k] = fminf(least[1][k], positions[i][k]);
                    most[1][k] = fmaxf(most[1][k], positions[i][k]);
                }
                const bool dense = last - first < end - from;
                CHECK(clusters[c].least[k] == least[dense][k] && clusters[c].most[k] == most[dense][k]);
            }
        }
        tl_arena_free(&arena);
    }
}

/* Outside if all eight corners of the box are beyond one side. */
TEST(boxes_outside_of_a_side)
{
    uint64_t seed = 54;
    int outside = 0;
    for (int round = 0; round < 3000; round++) {
        double to_clip[4][4];
        tl_cluster cluster = {.first = 0};
        for (int i = 0; i < 16; i++)
            to_clip[i / 4][i % 4] = random_from(&seed, -2, 2);
        for (int k = 0; k < 3; k++) {
            cluster.least[k] = (float)random_from(&seed, -9, 9);
            cluster.most[k] = cluster.least[k] + (float)random_from(&seed, 0, 3);
        }
        bool want = false;
        double doubt = 1e9;
        for (int side = 0; side < 6; side++) { /* x, y or z above w, or below -w */
            double least = 1e9;
            for (int corner = 0; corner < 8; corner++) {
                double at[4];
                for (int row = 0; row < 4; row++) {
                    at[row] = to_clip[3][row];
                    for (int k = 0; k < 3; k++)
                        at[row] += to_clip[k][row] * (double)(corner >> k & 1 ? cluster.most[k] : cluster.least[k]);
                }
                least = fmin(least, (side % 2 ? -at[side / 2] : at[side / 2]) - at[3]);
            }
            want |= least > 0;
            doubt = fmin(doubt, fabs(least));
        }
        const tl_view_planes view = tl_view_planes_of((const double(*)[4])to_clip);
        if (doubt > 1e-6)
            CHECK_INT(tl_cluster_outside(&cluster, &view), want);
        outside += want;
    }
    CHECK(outside > 300 && outside < 2700);
    /* What touches a side is not outside, however large its numbers are. */
    const double flat[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    const tl_view_planes view = tl_view_planes_of(flat);
    for (int k = 0; k < 6; k++) {
        tl_cluster cluster = {.least = {-1, -1, -1}, .most = {1, 1, 1}};
        cluster.least[k / 2] = k % 2 ? -5 : 1, cluster.most[k / 2] = k % 2 ? -1 : 5;
        CHECK(!tl_cluster_outside(&cluster, &view));
        cluster.least[k / 2] = k % 2 ? -5 : 1.0001f, cluster.most[k / 2] = k % 2 ? -1.0001f : 5;
        CHECK(tl_cluster_outside(&cluster, &view));
    }
}

/* ---- triangles ---- */

static bool seen_plainly(const tl_cull_mesh *mesh, const uint32_t *indices)
{
    const tl_console_vertex *a = &mesh->vertices[indices[0]], *b = &mesh->vertices[indices[mesh->mirrored ? 2 : 1]],
                            *c = &mesh->vertices[indices[mesh->mirrored ? 1 : 2]];
    const int64_t area = (int64_t)(b->screen_x - a->screen_x) * (c->screen_y - a->screen_y) -
                         (int64_t)(c->screen_x - a->screen_x) * (b->screen_y - a->screen_y);
    for (int side = 0; side < 8; side++)
        if (a->outside >> side & 1 && b->outside >> side & 1 && c->outside >> side & 1)
            return false;
    if (a->invalid || b->invalid || c->invalid)
        return false;
    if (a->clip || b->clip || c->clip) /* its place on the screen is not known yet */
        return true;
    return area != 0 && !(mesh->material->cull_front && area < 0) && !(mesh->material->cull_back && area > 0);
}

TEST(triangles_that_are_seen)
{
    enum { VERTICES = 12, TRIANGLES = TL_CULLED_TOGETHER };
    uint64_t seed = 55;
    for (int round = 0; round < 800; round++) {
        const tl_pipeline_state material = {.cull_front = round % 4 == 1, .cull_back = round % 4 == 2};
        tl_console_vertex vertices[VERTICES];
        uint32_t indices[3 * TRIANGLES], want = 0;
        for (int i = 0; i < VERTICES; i++)
            vertices[i] = (tl_console_vertex){.screen_x = (int32_t)below(&seed, 5) * (round % 3 ? 1 : 90000) - 2,
                                              .screen_y = (int32_t)below(&seed, 5) * (round % 3 ? 1 : 90000) - 2,
                                              .outside = below(&seed, 3) ? 0 : (uint8_t)below(&seed, 64),
                                              .clip = (uint8_t)(below(&seed, 9) ? 0 : 1 << below(&seed, 5)),
                                              .invalid = below(&seed, 20) == 0};
        for (int i = 0; i < 3 * TRIANGLES; i++)
            indices[i] = below(&seed, VERTICES);
        tl_cull_mesh mesh = {.mirrored = round / 4 % 2, .material = &material, .vertices = vertices};
        for (int i = 0; i < TRIANGLES; i++)
            want |= (uint32_t)seen_plainly(&mesh, indices + 3 * i) << i;
        for (uint32_t count = 0; count <= TRIANGLES; count++)
            CHECK_INT(tl_triangles_seen(&mesh, indices, count), want & ((1u << count) - 1));
        mesh.avx2 = tl_has_avx2();
        CHECK_INT(tl_triangles_seen(&mesh, indices, TRIANGLES), want);
    }
}

/* A box of at most 32 pixels each way is behind what is there if every pixel of it is full, and nearer than the nearest
 * corner: that depth has 15 bits, the buffer 18 and the slope. */
TEST(boxes_behind_what_is_there)
{
    enum { WIDTH = 45, HEIGHT = 41, PIXELS = WIDTH * HEIGHT };
    static uint8_t coverage[PIXELS + TL_FRAMEBUFFER_PAST];
    static int32_t z[PIXELS + TL_FRAMEBUFFER_PAST];
    const tl_framebuffer f = {.width = WIDTH, .height = HEIGHT, .z = z, .coverage = coverage};
    uint64_t seed = 56;
    int behind = 0;
    for (int round = 0; round < 1500; round++) {
        const int32_t depth = (int32_t)below(&seed, 1000) + 1,
                      wide = round % 4 ? (int32_t)below(&seed, 60) : 127 + round / 4 % 4,
                      high = round % 4 == 1 ? 127 + round / 4 % 4 : (int32_t)below(&seed, 60);
        const int32_t x = (int32_t)below(&seed, 4 * WIDTH) - 20, y = (int32_t)below(&seed, 4 * HEIGHT) - 20;
        const int32_t limit = ((depth * 8 - 1) << 4) + 15;
        for (int i = 0; i < PIXELS; i++)
            coverage[i] = 7, z[i] = limit - (int32_t)below(&seed, 40);
        if (round % 2) /* one pixel that lets something through */
            z[below(&seed, PIXELS)] = limit + 1;
        else if (round % 3)
            coverage[below(&seed, PIXELS)] = (uint8_t)below(&seed, 7);
        const tl_console_vertex v[3] = {
            {.screen_x = x, .screen_y = y + high, .depth = depth + (int32_t)below(&seed, 3)},
            {.screen_x = x + wide, .screen_y = y + high / 2, .depth = depth},
            {.screen_x = x + wide / 3, .screen_y = y, .depth = depth + 5}};
        bool want = wide <= 128 && high <= 128;
        for (int i = 0; i < PIXELS; i++) {
            const int32_t left = i % WIDTH * 4, top = i / WIDTH * 4;
            const bool inside = left + 4 > x && left < x + wide && top + 4 > y && top < y + high;
            want &= !inside || (z[i] <= limit && coverage[i] == 7);
        }
        for (int turn = 0; turn < 3; turn++)
            CHECK_INT(tl_triangle_occluded(
                          &f, (const tl_console_vertex *const[3]){&v[turn], &v[(turn + 1) % 3], &v[(turn + 2) % 3]}),
                      want);
        behind += want;
    }
    CHECK(behind > 300 && behind < 1400);
}

TEST_MAIN(CASE(triangles_are_cut_at_the_guard_band), CASE(clean_triangles_stay_within_the_guard_band),
          CASE(clusters_have_their_boxes), CASE(boxes_outside_of_a_side), CASE(triangles_that_are_seen),
          CASE(boxes_behind_what_is_there))

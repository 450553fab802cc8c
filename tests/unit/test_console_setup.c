/* Triangle setup: what is interpolated has its own value at each of the three corners. */
#include "base/avx2.h"
#include "harness.h"
#include "raster/console/setup.h"
#include "support/mutate.h"

#include <math.h>
#include <stdlib.h>

typedef void setup_fn(tl_raster_triangle *t, const tl_pipeline_state *state, const tl_console_vertex *const corners[3],
                      bool all_bits);

static int32_t random_below(uint32_t *seed, int32_t most)
{
    return (int32_t)(mutate_random(seed) >> 8) % most;
}

/* Any, or slivers with the least area there is, in which everything changes fast. */
static void random_corners(uint32_t *seed, tl_console_vertex v[3])
{
    const int32_t size = 8 << random_below(seed, 7), x = random_below(seed, 1200), y = random_below(seed, 900);
    const bool sliver = random_below(seed, 3) == 0, upright = random_below(seed, 2) == 0;
    const int32_t along = 1 + random_below(seed, 60), times = 1 + random_below(seed, 9), first = random_below(seed, 3);
    for (int i = 0; i < 3; i++) {
        int32_t dx = random_below(seed, size), dy = random_below(seed, size);
        if (sliver) {
            const int32_t far = i == 0 ? 0 : i == 1 ? along : along * times + 1, near = i == 0 ? 0 : i == 1 ? 1 : times;
            dx = upright ? near : far;
            dy = upright ? far : near;
        }
        v[(first + i) % 3] = (tl_console_vertex){.screen_x = x + dx,
                                                 .screen_y = y + dy,
                                                 .depth = random_below(seed, 32768),
                                                 .s = random_below(seed, 4096) - 2048,
                                                 .t = random_below(seed, 4096) - 2048,
                                                 .scaled_w = 65536,
                                                 .inverse_w = 65536};
        for (int k = 0; k < 4; k++)
            v[(first + i) % 3].shade[k] = (uint8_t)random_below(seed, 256);
    }
}

/* A plane with 16 bits after the point, given at (x, y) and by pixels, while all places are in quarters of one: its
 * value at a corner. Each slope was cut to a whole number, and so was the way from the first corner to that place. */
static void check_value(int64_t at, int64_t by_x, int64_t by_y, int32_t x, int32_t y, const tl_console_vertex *v,
                        int32_t want)
{
    const int64_t dx = v->screen_x - x, dy = v->screen_y - y;
    const int64_t off = 4 * at + by_x * dx + by_y * dy - 4 * 65536 * (int64_t)want;
    if (llabs(off) > llabs(dx) + llabs(dy) + 12)
        FAIL("off by %g of 255", (double)off / (4 * 65536));
}

/* The largest slope of a shade, with 16 bits after the point. */
static double steepest(const tl_console_vertex v[3])
{
    const double x1 = v[1].screen_x - v[0].screen_x, y1 = v[1].screen_y - v[0].screen_y,
                 x2 = v[2].screen_x - v[0].screen_x, y2 = v[2].screen_y - v[0].screen_y;
    double most = 0;
    for (int k = 0; k < 4; k++) {
        const double d1 = v[1].shade[k] - v[0].shade[k], d2 = v[2].shade[k] - v[0].shade[k];
        most = fmax(most, fmax(fabs(d1 * y2 - d2 * y1), fabs(d2 * x1 - d1 * x2)));
    }
    return 4 * 65536 * most / fabs(x1 * y2 - x2 * y1);
}

/* Without perspective, s and t are 32767 / 32768 of their numbers, rounded, and w is 32767. */
static void check_setup(setup_fn *setup, const tl_console_vertex v[3], bool all_bits, uint32_t *steep)
{
    const tl_pipeline_state state = {
        .uses_shade = true, .uses_tex0 = true, .affine = true, .z_compare = TL_Z_COMPARE_LESS};
    const tl_console_vertex *const corners[3] = {&v[0], &v[1], &v[2]};
    tl_raster_triangle t;
    setup(&t, &state, corners, all_bits);
    const double slope = steepest(v), limit = 268435456;
    if (fabs(slope - limit) > 4)
        CHECK_INT(t.steep, slope > limit);
    *steep += t.steep ? 1 : 0;
    for (int i = 0; i < 3; i++) {
        const int32_t texture[3] = {(int32_t)floor(v[i].s * 32767 / 32768.0 + 0.5),
                                    (int32_t)floor(v[i].t * 32767 / 32768.0 + 0.5), 32767};
        for (int k = 0; k < 4; k++) {
            const tl_attribute *p = &t.planes[TL_ATTRIBUTE_SHADE + k];
            if (t.steep)
                check_value(p->at, p->by_x, p->by_y, t.x, t.y, &v[i], v[i].shade[k]);
            else
                check_value((int32_t)t.shade[k], (int32_t)t.shade_by_x[k], (int32_t)t.shade_by_y[k], t.x & ~3, t.y & ~3,
                            &v[i], v[i].shade[k]);
        }
        for (int k = 0; k < 3 && all_bits; k++) {
            const tl_attribute *p = &t.planes[TL_ATTRIBUTE_S + k];
            check_value(p->at, p->by_x, p->by_y, t.x, t.y, &v[i], texture[k]);
        }
        check_value(t.z, t.z_by_x, t.z_by_y, t.x & ~3, t.y & ~3, &v[i], v[i].depth);
    }
}

static void check_random(setup_fn *setup)
{
    uint32_t seed = 3, steep = 0, all = 0;
    while (all < 2000) {
        tl_console_vertex v[3];
        const tl_console_vertex *const corners[3] = {&v[0], &v[1], &v[2]};
        random_corners(&seed, v);
        if (tl_triangle_culled(&(tl_pipeline_state){.cull_back = false}, corners))
            continue;
        check_setup(setup, v, all++ % 2 == 0, &steep);
    }
    CHECK(steep > 200 && steep < 1000);
}

TEST(planes_go_through_their_corners)
{
    check_random(tl_triangle_setup);
}

TEST(planes_go_through_their_corners_with_avx2)
{
#if TL_AVX2
    if (tl_has_avx2()) {
        check_random(tl_triangle_setup_avx2);
        return;
    }
#endif
    SKIP("there is no AVX2");
}

TEST_MAIN(CASE(planes_go_through_their_corners), CASE(planes_go_through_their_corners_with_avx2))

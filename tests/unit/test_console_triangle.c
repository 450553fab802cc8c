/* Triangles of materials that do not blend: pixels four or eight at a time against the same drawn one by one, lines of
 * small triangles against those of any, triangles that are occluded and clusters that are outside against all that is
 * in them.
 */
#include "harness.h"
#include "raster/cluster.h"
#include "raster/console/cull.h"
#include "raster/console/depth.h"
#include "raster/console/lines.h"
#include "raster/console/occlusion.h"
#include "raster/console/pixel.h"
#include "support/mutate.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 37, HEIGHT = 45, PIXELS = WIDTH * HEIGHT, SIDE = 8 };

static uint8_t texels[SIDE * SIDE][4];

/* A picture, and what it is drawn with. */
typedef struct picture {
    uint8_t rgba[PIXELS][4], coverage[PIXELS + TL_FRAMEBUFFER_PAST];
    int32_t z[PIXELS + TL_FRAMEBUFFER_PAST];
    tl_framebuffer framebuffer;
    tl_console_state state;
} picture;

static picture fast, slow;

static void picture_start(picture *p, const tl_pipeline_state *material, uint32_t width)
{
    static const tl_texture_levels none;
    memset(p->rgba, 0x40, sizeof p->rgba);
    memset(p->coverage, 7, sizeof p->coverage);
    for (int i = 0; i < PIXELS + TL_FRAMEBUFFER_PAST; i++)
        p->z[i] = TL_DEPTH_CLEAR;
    p->framebuffer =
        (tl_framebuffer){.width = width, .height = HEIGHT, .rgba = p->rgba, .z = p->z, .coverage = p->coverage};
    tl_console_state_set(&p->state, material, &p->framebuffer, &none);
}

/* Materials whose pixels are drawn several at a time. */
typedef enum kind {
    KIND_TEXTURED,
    KIND_SHADED,
    KIND_CUTOUT,          /* coverage times alpha */
    KIND_TWO_TEXTURES,    /* with alpha of texture and shade in the colour */
    KIND_NO_ANTIALIAS,    /* and no alpha compare */
    KIND_ALPHA_COMPARE,   /* without antialias, alpha dithered */
    KIND_INVERSE_COMPARE, /* the same, by the inverse pattern */
    KIND_CONSTANT_ALPHA,  /* the same, of alpha that pixels do not change */
    KINDS
} kind;

static tl_pipeline_state material_of(kind of, uint32_t *seed)
{
    static const tl_combiner combiners[KINDS] = {
        [KIND_TEXTURED] = {.cycle_count = 1, .cycles = {{TL_CC_TEX0, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO}}},
        [KIND_SHADED] = {.cycle_count = 1, .cycles = {{TL_CC_SHADE, TL_CC_ZERO, TL_CC_PRIM, TL_CC_ZERO}}},
        [KIND_CUTOUT] = {.cycle_count = 1,
                         .cycles = {{TL_CC_TEX0, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO,
                                     TL_CC_ZERO, TL_CC_TEX0}}},
        [KIND_TWO_TEXTURES] = {.cycle_count = 2,
                               .cycles = {{TL_CC_TEX1, TL_CC_TEX0, TL_CC_SHADE_ALPHA, TL_CC_TEX0},
                                          {TL_CC_COMBINED, TL_CC_ENV, TL_CC_TEX0_ALPHA, TL_CC_SHADE}}},
        [KIND_NO_ANTIALIAS] = {.cycle_count = 1, .cycles = {{TL_CC_TEX0, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO}}},
        [KIND_ALPHA_COMPARE] = {.cycle_count = 2,
                                .cycles = {{TL_CC_TEX0, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO,
                                            TL_CC_TEX0, TL_CC_PRIM},
                                           {TL_CC_COMBINED, TL_CC_ZERO, TL_CC_PRIM, TL_CC_ENV, TL_CC_ZERO, TL_CC_ZERO,
                                            TL_CC_ZERO, TL_CC_SHADE}}},
        [KIND_INVERSE_COMPARE] = {.cycle_count = 1,
                                  .cycles = {{TL_CC_SHADE, TL_CC_ZERO, TL_CC_ENV, TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO,
                                              TL_CC_ZERO, TL_CC_SHADE}}},
        /* enough at first, and too little when the primitive colour changes */
        [KIND_CONSTANT_ALPHA] = {.cycle_count = 1,
                                 .cycles = {{TL_CC_TEX0, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO, TL_CC_ONE, TL_CC_PRIM,
                                             TL_CC_ONE, TL_CC_ZERO}}},
    };
    static const uint8_t prim[4] = {200, 90, 255, 60}, env[4] = {31, 140, 7, 255};
    static const trilo_n64_axis repeat = {.low = 0, .high = SIDE - 1};
    const trilo_image image = {SIDE, SIDE, (const uint8_t(*)[4])texels};
    const bool textured = of != KIND_SHADED && of != KIND_INVERSE_COMPARE;
    const bool antialias = of < KIND_NO_ANTIALIAS;
    const bool compares = of > KIND_NO_ANTIALIAS;
    tl_pipeline_state m = {.combiner = combiners[of],
                           .filter = TL_FILTER_BILINEAR,
                           .z_compare = TL_Z_COMPARE_LESS,
                           .antialias = antialias,
                           .cutout = of == KIND_CUTOUT,
                           .alpha_threshold = TL_ALPHA_THRESHOLD_NONE,
                           .compare_threshold = of == KIND_CONSTANT_ALPHA ? 180
                                                : compares                ? 120
                                                                          : TL_ALPHA_THRESHOLD_NONE,
                           .alpha_dither = of == KIND_INVERSE_COMPARE ? TL_ALPHA_DITHER_INVERSE : TL_ALPHA_DITHER_SAME,
                           .uses_tex0 = textured,
                           .uses_tex1 = of == KIND_TWO_TEXTURES,
                           .uses_shade = true};
    for (int cycle = 0; cycle < m.combiner.cycle_count; cycle++)
        for (int slot = 0; slot < TL_CC_SLOTS; slot++)
            m.combiner.used |= TL_CC_BIT(m.combiner.cycles[cycle][slot]);
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int k = 0; k < 4; k++)
            texels[i][k] = (uint8_t)(mutate_random(seed) >> 9);
    m.tiles[0] = m.tiles[1] = tl_tile_of(&image, tl_axis_n64(&repeat, SIDE), tl_axis_n64(&repeat, SIDE));
    m.tiles[1].s.shift = 1;
    tl_inputs_fill(&m.inputs, prim, env);
    return m;
}

static int32_t random_below(uint32_t *seed, int32_t most)
{
    return (int32_t)(mutate_random(seed) >> 8) % most;
}

/* Small ones, large ones, flat ones that cross both sides, slivers; some depths are near to others, some at the ends of
 * their range. */
static void random_triangle(uint32_t *seed, tl_console_vertex v[3])
{
    static const int32_t sizes[] = {6, 20, 60, 400}, depths[] = {1, 40, 2000, 32768};
    const int32_t size = sizes[random_below(seed, 4)], range = depths[random_below(seed, 4)];
    const int32_t tall = random_below(seed, 3) == 0 ? 8 : size;
    const int32_t x = random_below(seed, 5 * WIDTH), y = random_below(seed, 5 * HEIGHT),
                  depth = random_below(seed, 32769 - range);
    for (int i = 0; i < 3; i++) {
        const uint32_t w = 100 + (uint32_t)random_below(seed, 1000);
        v[i] = (tl_console_vertex){.screen_x = x + random_below(seed, size) - size / 2,
                                   .screen_y = y + random_below(seed, tall) - tall / 2,
                                   .depth = depth + random_below(seed, range),
                                   .s = random_below(seed, 4096) - 2048,
                                   .t = random_below(seed, 4096) - 2048,
                                   .scaled_w = w,
                                   .inverse_w = tl_rsp_reciprocal(w)};
        for (int k = 0; k < 4; k++)
            v[i].shade[k] = (uint8_t)random_below(seed, 256);
    }
    if (random_below(seed, 6) == 0) { /* only the shade is steep, or all that is interpolated */
        for (int i = 1; i < 3 && random_below(seed, 4) != 0; i++) {
            v[i].s = v[0].s, v[i].t = v[0].t, v[i].depth = v[0].depth;
            v[i].scaled_w = v[0].scaled_w, v[i].inverse_w = v[0].inverse_w;
        }
        v[2].screen_x = 2 * v[1].screen_x - v[0].screen_x - 1;
        v[2].screen_y = 2 * v[1].screen_y - v[0].screen_y;
    }
}

static bool pictures_differ(void)
{
    return memcmp(fast.rgba, slow.rgba, sizeof fast.rgba) != 0 || memcmp(fast.z, slow.z, sizeof fast.z) != 0 ||
           memcmp(fast.coverage, slow.coverage, sizeof fast.coverage) != 0;
}

static void check_pixels(bool avx2)
{
    uint32_t seed = 1;
    for (uint32_t round = 0; round < test_rounds(350, 2 * KINDS); round++) {
        const tl_pipeline_state material = material_of((kind)(round % KINDS), &seed);
        const uint32_t width = round % 4 == 0 ? 1 + mutate_random(&seed) % 8 : WIDTH - mutate_random(&seed) % 8;
        const uint8_t prim[4] = {30, (uint8_t)round, 250, 90};
        picture_start(&fast, &material, width);
        picture_start(&slow, &material, width);
        CHECK(fast.state.at_once);
        fast.state.avx2 = avx2;
        slow.state.at_once = false;
        slow.state.avx2 = false;
        for (int i = 0; i < 300; i++) {
            tl_console_vertex v[3];
            random_triangle(&seed, v);
            if (i == 150) {
                tl_console_state_set_prim(&fast.state, prim);
                tl_console_state_set_prim(&slow.state, prim);
            }
            const tl_console_vertex *const corners[3] = {&v[0], &v[1], &v[2]};
            if (tl_triangle_culled(&material, corners))
                continue;
            tl_console_draw_triangle(&fast.state, corners);
            tl_console_draw_triangle(&slow.state, corners);
        }
        CHECK(!pictures_differ());
    }
}

TEST(four_pixels_are_those_of_one)
{
    check_pixels(false);
}

TEST(eight_pixels_are_those_of_one)
{
    if (tl_has_avx2())
        check_pixels(true);
}

/* A change of a material that has to be drawn pixel by pixel. */
TEST(rare_materials_are_drawn_one_by_one)
{
    uint32_t seed = 4;
    for (int i = 0;; i++) {
        tl_pipeline_state m = material_of(KIND_ALPHA_COMPARE, &seed);
        switch (i) {
        case 0:
            m.uses_noise = true;
            break;
        case 1:
            m.compare_threshold = TL_ALPHA_THRESHOLD_NOISE;
            break;
        case 2:
            m.alpha_dither = TL_ALPHA_DITHER_NOISE;
            break;
        case 3:
            m.color_dither = TL_DITHER_NOISE;
            break;
        case 4:
            m.keep_z = true;
            break;
        case 5:
            m.fixed_z = true;
            break;
        case 6:
            m.depth_offset = 1;
            break;
        case 7:
            m.z_mode = TL_Z_TRANSPARENT;
            break;
        case 8:
            m.z_compare = TL_Z_COMPARE_ALWAYS;
            break;
        case 9:
            m.wide = true;
            break;
        case 10:
            m.blender.last = true;
            break;
        case 11:
            m.antialias = true;
            m.blend_word = 1;
            break;
        default:
            picture_start(&fast, &m, WIDTH);
            CHECK(fast.state.at_once); /* without a change */
            return;
        }
        picture_start(&fast, &m, WIDTH);
        CHECK(!fast.state.at_once);
    }
}

static void check_lines(const tl_raster_triangle *t, const tl_window *window, uint32_t screen, bool avx2)
{
    for (int32_t y = (t->top > 0 ? t->top : 0) >> 2; 4 * y < t->bottom && y < (int32_t)screen; y += TL_LINES_MOST) {
        tl_coverage_line small[TL_LINES_MOST], any[TL_LINES_MOST];
        const int32_t rows = 4 * (int32_t)screen, bottom = t->bottom < rows ? t->bottom : rows,
                      most = 4 * (y + TL_LINES_MOST);
        const uint32_t count = tl_lines_of(t, window, y, rows, avx2, small);
        CHECK_INT(count, tl_lines_of_any(t, window, y, bottom < most ? bottom : most, any));
        for (uint32_t i = 0; i < count; i++) {
            const bool empty = any[i].first > any[i].last;
            CHECK_INT(small[i].first > small[i].last, empty);
            if (empty)
                continue;
            CHECK_INT(small[i].first, any[i].first);
            CHECK_INT(small[i].last, any[i].last);
            CHECK(memcmp(&small[i].columns, &any[i].columns, sizeof any[i].columns) == 0);
        }
        if (avx2 && count % 2 != 0)
            CHECK(small[count].first > small[count].last && any[count].first > any[count].last);
    }
}

/* Up to the largest that counts as small, and some larger; also left, right and above of the screen. */
TEST(lines_of_small_triangles_are_exact)
{
    static const int32_t sizes[] = {3, 9, 40, TL_LINES_SMALL + 1, TL_LINES_SMALL + 3};
    const tl_pipeline_state material = {.z_compare = TL_Z_COMPARE_LESS};
    const tl_window windows[] = {{0, 4 * 100 - 1}, {8188, 4 * 100 - 1}};
    uint32_t seed = 3;
    for (uint32_t round = 0; round < test_rounds(60000, 600); round++) {
        const int32_t size = sizes[round % 5];
        const tl_window *window = &windows[round / 5 % 2];
        tl_console_vertex v[3] = {{.depth = 1}, {.depth = 1}, {.depth = 1}};
        for (int i = 0; i < 3; i++) {
            v[i].screen_x = 4 * window->first + random_below(&seed, size) + (round % 3 == 0 ? -size / 2 : 100);
            v[i].screen_y = random_below(&seed, size) - (round % 7 == 0 ? size / 2 : 0);
        }
        const tl_console_vertex *const corners[3] = {&v[0], &v[1], &v[2]};
        if (tl_triangle_culled(&material, corners))
            continue;
        tl_raster_triangle t;
        tl_triangle_setup(&t, &material, corners, false);
        check_lines(&t, window, 90, false);
        if (tl_has_avx2())
            check_lines(&t, window, 90, true);
    }
}

/* Moves a triangle onto the screen, a little before or behind what is there. */
static void put_behind(uint32_t *seed, tl_console_vertex v[3])
{
    const int32_t x = random_below(seed, WIDTH - 8), y = random_below(seed, HEIGHT - 8);
    const int32_t depth = (slow.z[(y + 4) * WIDTH + x + 4] >> 7) + random_below(seed, 6) - 2;
    for (int i = 0; i < 3; i++) {
        v[i].screen_x = 4 * x + random_below(seed, 33);
        v[i].screen_y = 4 * y + random_below(seed, 33);
        v[i].depth = depth < 0 ? 0 : depth > 32767 ? 32767 : depth;
    }
}

/* Nothing of a triangle that counts as occluded is drawn; many that are occluded do. */
TEST(occluded_triangles_have_no_pixels)
{
    uint32_t seed = 2, found = 0, drawn = 0;
    for (uint32_t round = 0; round < test_rounds(200, 20); round++) {
        const tl_pipeline_state material = material_of(KIND_SHADED, &seed), cutout = material_of(KIND_CUTOUT, &seed);
        static const tl_texture_levels none;
        picture_start(&slow, &material, WIDTH);
        for (int i = 0; i < 600; i++) {
            tl_console_vertex v[3];
            if (i == 300 && round % 2 == 0)
                tl_console_state_set(&slow.state, &cutout, &slow.framebuffer, &none);
            slow.state.at_once = false;
            random_triangle(&seed, v);
            if (i > 300)
                put_behind(&seed, v);
            const tl_console_vertex *const corners[3] = {&v[0], &v[1], &v[2]};
            if (tl_triangle_culled(&material, corners))
                continue;
            const bool occluded = tl_triangle_occluded(&slow.framebuffer, corners);
            fast = slow;
            tl_console_draw_triangle(&slow.state, corners);
            const bool changed = pictures_differ();
            CHECK(!occluded || !changed);
            found += occluded && i > 300;
            drawn += changed;
        }
    }
    CHECK(found > 100 && drawn > 100);
}

/* With all codes that a vertex may have, corners at the same place, and the largest coordinates. */
TEST(eight_triangles_are_culled_as_one)
{
    enum { VERTICES = 12, LARGEST = 1 << 18 };
    uint32_t seed = 5, seen = 0, culled = 0;
    for (uint32_t round = 0; round < test_rounds(20000, 500) && tl_has_avx2(); round++) {
        const tl_pipeline_state material = {.cull_front = round % 3 == 0, .cull_back = round % 3 == 1};
        tl_console_vertex vertices[VERTICES];
        uint32_t indices[3 * TL_CULLED_TOGETHER];
        for (int i = 0; i < VERTICES; i++) {
            const int32_t size = mutate_random(&seed) % 4 == 0 ? LARGEST : 3;
            const uint32_t codes = mutate_random(&seed);
            vertices[i] =
                (tl_console_vertex){.screen_x = (int32_t)(mutate_random(&seed) % (2u * (uint32_t)size + 1)) - size,
                                    .screen_y = (int32_t)(mutate_random(&seed) % (2u * (uint32_t)size + 1)) - size,
                                    .outside = codes % 4 == 0 ? codes >> 8 & 63 : 0,
                                    .clip = codes % 8 == 0 ? codes >> 16 & 31 : 0,
                                    .invalid = codes % 32 == 1,
                                    .shaded = codes >> 23 & 1};
        }
        for (int i = 0; i < 3 * TL_CULLED_TOGETHER; i++)
            indices[i] = mutate_random(&seed) % VERTICES;
        tl_cull_mesh mesh = {.mirrored = round % 2 == 0, .material = &material, .vertices = vertices};
        const uint32_t one = tl_triangles_seen(&mesh, indices, TL_CULLED_TOGETHER);
        mesh.avx2 = true;
        CHECK_INT(tl_triangles_seen(&mesh, indices, TL_CULLED_TOGETHER), one);
        CHECK_INT(tl_triangles_seen(&mesh, indices, 5), one & 31);
        seen += one != 0;
        culled += one != (1 << TL_CULLED_TOGETHER) - 1;
    }
    CHECK(!tl_has_avx2() || (seen > 100 && culled > 100));
}

/* All vertices of a cluster that counts as outside are outside of a side that they share. */
TEST(clusters_outside_have_no_vertex_inside)
{
    enum { VERTICES = 8 };
    uint32_t seed = 3, outside = 0, rounds = test_rounds(20000, 2000);
    for (uint32_t round = 0; round < rounds; round++) {
        static const uint32_t indices[] = {0, 1, 2, 3, 4, 5, 6, 7, 0};
        const trilo_mesh mesh = {.vertex_count = VERTICES, .indices = indices, .index_count = 9};
        tl_console_view view = {.viewport = tl_viewport_of(320, 240, 1000)};
        float positions[VERTICES][3], centre[3];
        tl_console_vertex vertices[VERTICES];
        tl_cluster cluster = {.first = 0, .last = VERTICES - 1};
        for (int i = 0; i < 16; i++)
            view.to_clip[i / 4][i % 4] = (random_below(&seed, 2000) - 1000) / 500.0;
        for (int k = 0; k < 3; k++)
            centre[k] = (float)(random_below(&seed, 2000) - 1000) / 100;
        for (int i = 0; i < VERTICES; i++)
            for (int k = 0; k < 3; k++)
                positions[i][k] = centre[k] + (float)random_below(&seed, 1000) / 500;
        if (round % 16 == 0)
            positions[3][1] = NAN;
        tl_clusters_set_boxes(&cluster, &mesh, (const float(*)[3])positions);
        const tl_view_planes frustum = tl_view_planes_of((const double(*)[4])view.to_clip);
        if (!tl_cluster_outside(&cluster, &frustum))
            continue;
        outside++;
        uint32_t shared = 0xFF;
        tl_console_vertices_transform(&view, (const float(*)[3])positions, VERTICES, vertices);
        for (int i = 0; i < VERTICES; i++)
            shared &= vertices[i].invalid ? 0xFFu : vertices[i].outside;
        CHECK(shared != 0);
    }
    CHECK(outside > rounds / 10 && outside < rounds);
}

TEST_MAIN(CASE(four_pixels_are_those_of_one), CASE(eight_pixels_are_those_of_one),
          CASE(rare_materials_are_drawn_one_by_one), CASE(lines_of_small_triangles_are_exact),
          CASE(occluded_triangles_have_no_pixels), CASE(eight_triangles_are_culled_as_one),
          CASE(clusters_outside_have_no_vertex_inside))

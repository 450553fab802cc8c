/* Steps of the T3DM encoder one by one: texture coordinates, corners, names, advice, the BVH. */
#include "harness.h"
#include "support/numbers.h"
#include "support/t3dm_encoder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- vertices ---- */

static int clamp_to(double value, int low, int high)
{
    return value > low ? value < high ? (int)value : high : low; /* not-a-number: the lowest */
}

/* The vertex of Tiny3D, one number after another: `round` rounds halves away from zero. */
static void check_vertex(const encoder_bench *b, const float *p, const float *n, const float *c, const t3dm_vertex *v)
{
    static const float by[3] = {15.5f, 31.5f, 15.5f};
    static const int limits[3] = {16, 32, 16}, shifts[3] = {11, 5, 0};
    const float single = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const double length = sqrt((double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2]);
    int normal = 0;
    for (int k = 0; k < 3; k++) {
        const double at = round(p[k] * b->e.policy.scale);
        CHECK_INT(v->position[k], at >= -32768 && at <= 32767 ? (int)at : 0);
        const double field =
            b->e.policy.single_normals ? n[k] / single * by[k] : (double)(float)(n[k] / length) * by[k];
        normal |= (clamp_to(round(field), -limits[k], limits[k] - 1) & (2 * limits[k] - 1)) << shifts[k];
    }
    CHECK_INT(v->normal, normal);
    for (int k = 0; k < 4; k++) {
        const double shown = 255.0 * c[k];
        CHECK_INT(v->color[k],
                  isnan(c[k]) ? 0 : clamp_to(b->e.policy.truncate_colors ? trunc(shown) : round(shown), 0, 255));
    }
}

/* Halves, numbers just beside them, numbers beyond the range and, of positions and colours, none at all. */
TEST(vertices_are_rounded_one_by_one)
{
    enum { COUNT = 300 };
    static encoder_bench b;
    static float positions[COUNT][3], normals[COUNT][3], colors[COUNT][4];
    uint64_t seed = 21;
    for (int round = 0; round < 20; round++) {
        encoder_bench_init(&b);
        b.e.policy.scale = round % 2 ? 64 : 1;
        b.e.policy.single_normals = round % 4 < 2;
        b.e.policy.truncate_colors = round % 8 < 4;
        for (int i = 0; i < COUNT; i++) {
            for (int k = 0; k < 4; k++) {
                const float half = (float)((int)(random_bits(&seed) % 2001) - 1000) / 2;
                const float beside = nextafterf(half, random_bits(&seed) % 2 ? 1e9f : -1e9f);
                const float number = random_bits(&seed) % 2 ? half : beside;
                colors[i][k] = random_bits(&seed) % 3 ? number / 255 : (float)(random_bits(&seed) % 256) / 255;
                if (k == 3)
                    continue;
                positions[i][k] = random_bits(&seed) % 40 ? number : number * 1e3f;
                normals[i][k] = random_bits(&seed) % 4 ? number : 0;
            }
            normals[i][i % 3] += 1000;
            if (i % 50 == 7)
                positions[i][0] = colors[i][1] = i % 100 == 7 ? NAN : 1e30f;
        }
        const trilo_mesh mesh = {.vertex_count = COUNT,
                                 .positions = (const float(*)[3])positions,
                                 .normals = (const float(*)[3])normals,
                                 .colors = (const float(*)[4])colors,
                                 .material = TRILO_NONE,
                                 .skin = TRILO_NONE,
                                 .node = TRILO_NONE};
        const t3dm_material material = {0};
        t3dm_welded welded;
        const trilo_mesh *used;
        t3dm_extent extent;
        CHECK(tl_t3dm_weld(&b.e, &mesh, &material, &welded, &used, &extent));
        CHECK(extent.overflows);
        for (int i = 0; i < COUNT; i++)
            check_vertex(&b, positions[i], normals[i], colors[i], &welded.vertices[welded.remap[i]]);
        encoder_bench_free(&b);
    }
}

/* ---- texture coordinates ---- */

TEST(axes_wrap_if_2048_texels_are_whole_repeats)
{
    for (int8_t mask = 0; mask < 14; mask++)
        for (int8_t shift = -2; shift < 4; shift++)
            for (int k = 0; k < 4; k++) {
                const t3dm_axis axis = {.mask = mask, .shift = shift, .mirror = k & 1, .clamp = (uint8_t)(k >> 1)};
                const t3dm_uv_axis got = tl_t3dm_uv_axis(&axis, 64 * 32, 16);
                /* A repeat has 2^mask texels, a mirrored one twice as many, and 2^shift of ours each. */
                const double repeat = ldexp(1, mask + shift + (k & 1));
                CHECK(got.wraps == (k < 2 && mask > 0 && repeat <= 2048));
                CHECK(got.clamps == (k >= 2));
                CHECK(got.texels == 64 && got.shift == 16);
            }
}

/* Units are 1/32 texels. What is less than 1/64 from a whole number counts as whole; the rest is cut towards 0. */
TEST(coordinates_are_cut_to_units)
{
    static const struct {
        double units, want, truncated;
    } rows[] = {{5, 5, 5},
                {5.25, 5, 5},
                {5.75, 5, 5},
                {-5.75, -5, -5},
                {5 - 1.0 / 128, 5, 4},
                {5 - 1.0 / 64, 4, 4},
                {5 + 1.0 / 128, 5, 5},
                {-5 + 1.0 / 128, -5, -4},
                {-5 + 1.0 / 64, -4, -4},
                {40000, 40000, 40000},
                {-40000.5, -40000, -40000}};
    static encoder_bench b;
    encoder_bench_init(&b);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int shift = 0; shift <= 16; shift += 16) {
            const t3dm_uv_axis axis = {.texels = 64, .shift = shift};
            const float uv = (float)(rows[i].units / 2048);
            b.e.policy.truncate_uvs = false;
            CHECK_NEAR(tl_t3dm_uv_units(&b.e, &axis, uv), rows[i].want - shift, 0);
            b.e.policy.truncate_uvs = true;
            CHECK_NEAR(tl_t3dm_uv_units(&b.e, &axis, uv), rows[i].truncated - shift, 0);
        }
    /* As a float, 1/3 of 48 texels is 16 although 1/3 is rounded up to a float; and so it is as a double. */
    const t3dm_uv_axis axis = {.texels = 48};
    const float third = 1.0f / 3, less = nextafterf(third, 0);
    CHECK_NEAR(tl_t3dm_uv_units(&b.e, &axis, third), 512, 0);
    CHECK_NEAR(tl_t3dm_uv_units(&b.e, &axis, less), 511, 0);
    b.e.policy.truncate_uvs = false;
    CHECK_NEAR(tl_t3dm_uv_units(&b.e, &axis, less), 512, 0);
    encoder_bench_free(&b);
}

enum { SOUP_VERTICES = 9, SOUP_TRIANGLES = 6 };

typedef struct soup {
    float positions[SOUP_VERTICES][3], normals[SOUP_VERTICES][3], colors[SOUP_VERTICES][4], uvs[SOUP_VERTICES][2],
        weights[SOUP_VERTICES][4];
    uint16_t joints[SOUP_VERTICES][4];
    uint32_t indices[3 * SOUP_TRIANGLES];
    trilo_mesh mesh;
} soup;

/* From 0 on, less than `below`. */
static uint32_t dice(uint64_t *seed, uint32_t below)
{
    return (uint32_t)(random_bits(seed) >> 40) % below;
}

/* Coordinates in quarters of a repeat, most of them near one that is chosen for the mesh. */
static void soup_fill(soup *s, uint64_t *seed)
{
    static const float around[] = {0, 15, 16, 17, -16, -17, 31, 32, 33, -32, 48, 63.5f, 64, 100, -100};
    const float center = around[dice(seed, 15)];
    for (uint32_t i = 0; i < SOUP_VERTICES; i++) {
        for (int k = 0; k < 3; k++)
            s->positions[i][k] = (float)(10 * i + (uint32_t)k), s->normals[i][k] = (float)(20 * i + (uint32_t)k);
        for (int k = 0; k < 4; k++) {
            s->colors[i][k] = (float)(30 * i + (uint32_t)k), s->weights[i][k] = (float)(40 * i + (uint32_t)k);
            s->joints[i][k] = (uint16_t)(50 * i + (uint32_t)k);
        }
        for (int k = 0; k < 2; k++)
            s->uvs[i][k] = (dice(seed, 8) == 0 ? 0 : center) + (float)(dice(seed, 9)) / 4 - 1;
    }
    for (uint32_t i = 0; i < 3 * SOUP_TRIANGLES; i++)
        s->indices[i] = dice(seed, SOUP_VERTICES);
    s->mesh = (trilo_mesh){.vertex_count = SOUP_VERTICES,
                           .positions = (const float(*)[3])s->positions,
                           .normals = (const float(*)[3])s->normals,
                           .colors = (const float(*)[4])s->colors,
                           .uvs = (const float(*)[2])s->uvs,
                           .joints = (const uint16_t(*)[4])s->joints,
                           .weights = (const float(*)[4])s->weights,
                           .index_count = 3 * (1 + dice(seed, SOUP_TRIANGLES)),
                           .indices = s->indices};
}

/* How often a coordinate wraps at 16 bits. All of them are whole units. */
static double wraps_of(const t3dm_uv_axis *axis, float uv)
{
    return floor((uv * axis->texels * 32 - axis->shift + 32768) / 65536);
}

/* The plain way: which triangles are torn along which axes, and what they move by. */
typedef struct moves {
    int torn[SOUP_TRIANGLES]; /* bit k: axis k */
    float by[SOUP_TRIANGLES][2];
    uint32_t count;
    bool too_wide;
} moves;

static int torn_of(const soup *s, const t3dm_uv_axis axes[2], uint32_t triangle)
{
    int torn = 0;
    for (int k = 0; k < 2; k++) {
        double wraps[3];
        for (uint32_t c = 0; c < 3; c++)
            wraps[c] = wraps_of(&axes[k], s->uvs[s->indices[3 * triangle + c]][k]);
        const bool alike = wraps[0] == wraps[1] && wraps[0] == wraps[2];
        if (!axes[k].clamps && !(alike && (axes[k].wraps || wraps[0] == 0)))
            torn |= 1 << k;
    }
    return torn;
}

/* Of the triangles in the set: what they move by; false if they do not fit then. */
static bool movement(const soup *s, const t3dm_uv_axis axes[2], const moves *m, uint32_t set, float by[2])
{
    int torn = 0;
    bool fits = true;
    for (uint32_t t = 0; t < SOUP_TRIANGLES; t++)
        torn |= set >> t & 1 ? m->torn[t] : 0;
    for (int k = 0; k < 2; k++) {
        float low = 1e9f, high = -1e9f;
        for (uint32_t i = 0; i < 3 * SOUP_TRIANGLES; i++) {
            const float uv = s->uvs[s->indices[i]][k];
            low = set >> (i / 3) & 1 && uv < low ? uv : low;
            high = set >> (i / 3) & 1 && uv > high ? uv : high;
        }
        /* The middle moves to -1 up to, but not including, 1. */
        by[k] = 0;
        for (float even = -200; torn >> k & 1 && even <= 200; even += 2)
            by[k] = (low + high) / 2 - even >= -1 && (low + high) / 2 - even < 1 ? even : by[k];
        if (torn >> k & 1)
            fits = fits && wraps_of(&axes[k], low - by[k]) == 0 && wraps_of(&axes[k], high - by[k]) == 0;
    }
    return fits;
}

static bool share_a_vertex(const soup *s, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < 9; i++)
        if (s->indices[3 * a + i / 3] == s->indices[3 * b + i % 3])
            return true;
    return false;
}

static moves plain_moves(const soup *s, const t3dm_uv_axis axes[2])
{
    const uint32_t triangles = s->mesh.index_count / 3;
    moves m = {.count = 0};
    for (uint32_t t = 0; t < triangles; t++) {
        m.torn[t] = torn_of(s, axes, t);
        m.count += m.torn[t] != 0;
    }
    for (uint32_t t = 0; t < triangles; t++) {
        if (!m.torn[t])
            continue;
        uint32_t island = 1u << t;
        for (uint32_t round = 0; round < triangles; round++)
            for (uint32_t a = 0; a < triangles; a++)
                for (uint32_t b = 0; b < triangles; b++)
                    if (island >> a & 1 && m.torn[b] && share_a_vertex(s, a, b))
                        island |= 1u << b;
        if (!movement(s, axes, &m, island, m.by[t]))
            m.too_wide |= !movement(s, axes, &m, 1u << t, m.by[t]);
    }
    return m;
}

static void same_row(const trilo_mesh *a, uint32_t i, const trilo_mesh *b, uint32_t k)
{
    CHECK(memcmp(a->positions[i], b->positions[k], sizeof *a->positions) == 0);
    CHECK(memcmp(a->normals[i], b->normals[k], sizeof *a->normals) == 0);
    CHECK(memcmp(a->colors[i], b->colors[k], sizeof *a->colors) == 0);
    CHECK(memcmp(a->joints[i], b->joints[k], sizeof *a->joints) == 0);
    CHECK(memcmp(a->weights[i], b->weights[k], sizeof *a->weights) == 0);
}

static void compare_moves(encoder_bench *b, const soup *s, const t3dm_uv_axis axes[2])
{
    const moves want = plain_moves(s, axes);
    const trilo_mesh *mesh = &s->mesh;
    bool too_wide = false;
    char text[160];
    b->heard.count = 0;
    CHECK(tl_t3dm_fit_uvs(&b->e, axes, &mesh, &too_wide));
    CHECK_INT(too_wide, want.too_wide);
    CHECK_INT(b->heard.count, want.count > 0 && !too_wide ? 1 : 0);
    snprintf(text, sizeof text,
             "the texture coordinates of %u triangles were moved by whole repeats: they would wrap at 16 bits",
             (unsigned)want.count);
    if (b->heard.count > 0) {
        CHECK_STR(b->heard.rules[0], "T3DM-MOVED-UV");
        CHECK_STR(b->heard.texts[0], text);
    }
    CHECK((mesh == &s->mesh) == (want.count == 0));
    CHECK_INT(mesh->vertex_count, SOUP_VERTICES + 3 * want.count);
    CHECK_INT(mesh->index_count, s->mesh.index_count);
    uint32_t next = SOUP_VERTICES;
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        const bool torn = want.torn[i / 3] != 0;
        CHECK_INT(mesh->indices[i], torn ? next : s->indices[i]);
        next += torn;
        same_row(mesh, mesh->indices[i], &s->mesh, s->indices[i]);
        for (int k = 0; k < 2; k++)
            CHECK_NEAR(mesh->uvs[mesh->indices[i]][k], s->uvs[s->indices[i]][k] - want.by[i / 3][k], 0);
    }
}

TEST(torn_triangles_move_as_the_plain_way_says)
{
    static encoder_bench b;
    uint64_t seed = 5;
    for (uint32_t round = 0; round < 600; round++) {
        t3dm_uv_axis axes[2];
        soup s;
        encoder_bench_init(&b);
        for (int k = 0; k < 2; k++) {
            const uint32_t kind = dice(&seed, 8); /* repeats, clamps, or repeats without wrapping */
            axes[k] = (t3dm_uv_axis){.texels = dice(&seed, 2) ? 32 : 64,
                                     .shift = dice(&seed, 2) ? 16 : 0,
                                     .clamps = kind == 0,
                                     .wraps = kind > 3};
        }
        soup_fill(&s, &seed);
        compare_moves(&b, &s, axes);
        encoder_bench_free(&b);
    }
}

/* A mesh all of whose coordinates are far away alike moves unless the texture wraps there, or clamps. */
TEST(a_mesh_that_is_far_away_as_a_whole)
{
    static const float uvs[3][2] = {{40, 0}, {41, 0}, {40, 1}};
    static const uint32_t indices[3] = {0, 1, 2};
    static encoder_bench b;
    for (int kind = 0; kind < 3; kind++)
        for (int k = 0; k < 2; k++) {
            const float turned[3][2] = {{uvs[0][k], uvs[0][!k]}, {uvs[1][k], uvs[1][!k]}, {uvs[2][k], uvs[2][!k]}};
            const t3dm_uv_axis axis = {.texels = 32, .clamps = kind == 1, .wraps = kind == 2}, axes[2] = {axis, axis};
            const trilo_mesh from = {.vertex_count = 3, .uvs = turned, .index_count = 3, .indices = indices};
            const trilo_mesh *mesh = &from;
            bool too_wide = false;
            encoder_bench_init(&b);
            CHECK(tl_t3dm_fit_uvs(&b.e, axes, &mesh, &too_wide));
            CHECK(!too_wide && (mesh == &from) == (kind > 0));
            if (kind == 0)
                CHECK_NEAR(mesh->uvs[mesh->indices[0]][k], 0, 0);
            encoder_bench_free(&b);
        }
}

TEST(coordinates_that_are_no_numbers_do_not_hide_others)
{
    const float uvs[6][2] = {{NAN, 0}, {0, 0}, {0, 1}, {31, 0}, {33, 0}, {31, 1}};
    static const uint32_t indices[6] = {0, 1, 2, 3, 4, 5};
    static encoder_bench b;
    const t3dm_uv_axis axis = {.texels = 32, .wraps = true}, axes[2] = {axis, axis};
    const trilo_mesh from = {.vertex_count = 6, .uvs = uvs, .index_count = 6, .indices = indices};
    const trilo_mesh *mesh = &from;
    bool too_wide = false;
    encoder_bench_init(&b);
    CHECK(tl_t3dm_fit_uvs(&b.e, axes, &mesh, &too_wide));
    CHECK(mesh != &from);
    CHECK_NEAR(mesh->uvs[mesh->indices[3]][0], -1, 0);
    CHECK_NEAR(mesh->uvs[mesh->indices[4]][0], 1, 0);
    encoder_bench_free(&b);
}

/* ---- corners ---- */

TEST(corners_are_split)
{
    static encoder_bench b;
    uint64_t seed = 9;
    soup s;
    encoder_bench_init(&b);
    soup_fill(&s, &seed);
    const trilo_mesh *split = tl_t3dm_split_corners(&b.e, &s.mesh);
    CHECK(split);
    CHECK_INT(split->vertex_count, s.mesh.index_count);
    CHECK_INT(split->index_count, s.mesh.index_count);
    for (uint32_t i = 0; i < split->index_count; i++) {
        CHECK_INT(split->indices[i], i);
        same_row(split, i, &s.mesh, s.indices[i]);
        CHECK(memcmp(split->uvs[i], s.uvs[s.indices[i]], sizeof s.uvs[0]) == 0);
    }
    encoder_bench_free(&b);
}

/* Faces along each axis and back, of any size, and one across all three; 0 without an area. */
TEST(faces_have_normals)
{
    static const float sizes[] = {1, 1e-15f, 1e15f};
    static encoder_bench b;
    encoder_bench_init(&b);
    for (int axis = 0; axis < 3; axis++)
        for (int back = 0; back < 2; back++)
            for (int i = 0; i < 3; i++) {
                float p[6][3] = {{0}};
                for (int c = 0; c < 3; c++)
                    p[c][axis] = 3 * sizes[i];
                p[1][(axis + 1) % 3] = back ? 0 : sizes[i];
                p[1][(axis + 2) % 3] = back ? 2 * sizes[i] : 0;
                p[2][(axis + 1) % 3] = back ? sizes[i] : 0;
                p[2][(axis + 2) % 3] = back ? 0 : 2 * sizes[i];
                for (int c = 0; c < 3; c++)
                    p[3 + c][back ? 2 - c : c] = sizes[i];
                trilo_mesh mesh = {.vertex_count = 6, .positions = (const float(*)[3])p};
                CHECK(tl_t3dm_flat_normals(&b.e, &mesh));
                for (int c = 0; c < 6; c++)
                    for (int k = 0; k < 3; k++)
                        CHECK_NEAR(mesh.normals[c][k],
                                   c >= 3      ? (back ? -1 : 1) * 0.57735026919
                                   : k != axis ? 0
                                   : back      ? -1
                                               : 1,
                                   1e-6);
            }
    static const float line[5][3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
    trilo_mesh mesh = {.vertex_count = 5, .positions = line}; /* the last two are no triangle */
    CHECK(tl_t3dm_flat_normals(&b.e, &mesh));
    for (int c = 0; c < 5; c++)
        CHECK(mesh.normals[c][0] == 0 && mesh.normals[c][1] == 0 && mesh.normals[c][2] == 0);
    encoder_bench_free(&b);
}

/* ---- names ---- */

/* The table starts with "S", and each string ends with a zero. */
TEST(strings_are_stored_once)
{
    static encoder_bench b;
    uint32_t at;
    encoder_bench_init(&b);
    CHECK(!tl_t3dm_has_string(&b.e, "ab"));
    CHECK(tl_t3dm_add_string(&b.e, NULL, &at) && at == 0);
    CHECK(tl_t3dm_add_string(&b.e, "", &at) && at == 0);
    CHECK(tl_t3dm_add_string(&b.e, "ab", &at) && at == 1);
    CHECK(tl_t3dm_add_string(&b.e, "b", &at) && at == 4);
    CHECK(tl_t3dm_add_string(&b.e, "ab", &at) && at == 1);
    CHECK(tl_t3dm_add_string(&b.e, "abc", &at) && at == 6);
    CHECK(tl_t3dm_has_string(&b.e, "ab") && tl_t3dm_has_string(&b.e, "b") && !tl_t3dm_has_string(&b.e, "c"));
    CHECK_INT(b.e.strings_size, 10);
    CHECK(memcmp(b.e.strings, "Sab\0b\0abc", 10) == 0);
    for (int i = 0; i < 300; i++) { /* the table grows */
        char name[16];
        snprintf(name, sizeof name, "n%03d", i);
        CHECK(tl_t3dm_add_string(&b.e, name, &at) && at == 10 + 5 * (uint32_t)i);
        CHECK_STR(b.e.strings + at, name);
    }
    CHECK(tl_t3dm_add_string(&b.e, "b", &at) && at == 4);
    CHECK_INT(b.heard.count, 0);
    encoder_bench_free(&b);
}

TEST(long_names_are_cut_to_1023_bytes)
{
    static encoder_bench b;
    static char name[1100];
    uint32_t at, again;
    encoder_bench_init(&b);
    memset(name, 'x', 1099);
    name[1023] = '\0';
    CHECK(tl_t3dm_add_string(&b.e, name, &at) && at == 1);
    CHECK_INT(b.heard.count, 0);
    CHECK_INT(strlen(b.e.strings + at), 1023);
    name[1023] = 'x', name[1024] = '\0';
    CHECK(tl_t3dm_add_string(&b.e, name, &again) && again == at);
    CHECK_INT(b.heard.count, 1);
    CHECK_STR(b.heard.rules[0], "T3DM-RENAMED");
    CHECK_STR(b.heard.texts[0], "a name of 1024 bytes was truncated to 1023");
    encoder_bench_free(&b);
}

/* ---- advice ---- */

static trilo_str text_of(const char *text)
{
    return (trilo_str){text, strlen(text)};
}

TEST(what_has_no_name_is_counted)
{
    const uint8_t raw[4] = {0};
    trilo_material materials[] = {
        {.name = text_of("a")}, {.name = text_of("")}, {.raw = {raw, 4}}, {.name = text_of("")}};
    trilo_mesh meshes[6] = {{.material = 0}, {.material = 1}, {.material = TRILO_NONE},
                            {.material = 2}, {.material = 3}, {.material = 1}};
    trilo_clip clips[] = {
        {.name = text_of("run")}, {.name = text_of("")}, {.name = text_of("")}, {.name = text_of("")}};
    trilo_node nodes[] = {
        {.name = text_of("")}, {.name = text_of("hip")}, {.name = text_of("")}, {.name = text_of("")}};
    uint32_t order[6] = {0, 4, 2, 3, 1, 5}, node_of_bone[3] = {1, 3, 2};
    static encoder_bench b;
    encoder_bench_init(&b);
    for (int i = 0; i < 6; i++)
        meshes[i].skin = meshes[i].node = TRILO_NONE;
    b.model = (trilo_model){.material_count = 4,
                            .materials = materials,
                            .mesh_count = 6,
                            .meshes = meshes,
                            .clip_count = 4,
                            .clips = clips,
                            .node_count = 4,
                            .nodes = nodes};
    b.e.meshes = order;
    b.e.mesh_count = 6;
    b.e.node_of_bone = node_of_bone;
    b.file.skeleton.bone_count = 3;
    tl_t3dm_advise(&b.e);
    CHECK_INT(b.heard.count, 0);
    b.e.policy.advise = true;
    tl_t3dm_advise(&b.e);
    CHECK_INT(b.heard.count, 3);
    CHECK_STR(b.heard.rules[0], "T3DM-UNNAMED-MATERIAL");
    CHECK_STR(b.heard.paths[0], "materials[3]");
    CHECK_STR(b.heard.texts[0], "meshes whose material has no name: 3. Games find materials by name, and Tiny3D's "
                                "converter skips such meshes");
    CHECK_STR(b.heard.rules[1], "T3DM-UNNAMED-CLIP");
    CHECK_STR(b.heard.paths[1], "clips[1]");
    CHECK_STR(b.heard.texts[1], "clips without a name: 3. Games play clips by name, so each is named after its index, "
                                "this one \"clip1\"");
    CHECK_STR(b.heard.rules[2], "T3DM-UNNAMED-BONE");
    CHECK_STR(b.heard.paths[2], "nodes[3]");
    CHECK_STR(b.heard.texts[2], "bones without a name: 2. Each is named after its index, this one \"bone1\"");
    b.heard.count = 0;
    b.e.mesh_count = 1;
    b.model.clip_count = 1;
    b.file.skeleton.bone_count = 1;
    tl_t3dm_advise(&b.e);
    CHECK_INT(b.heard.count, 0);
    CHECK_INT(b.losses.path.depth, 0);
    encoder_bench_free(&b);
}

/* Advice about a mesh of one vertex with this normal, below a node with this matrix; "": none. */
static const char *advice_of(encoder_bench *b, const trilo_mat4 *matrix, const float normal[3])
{
    const float normals[2][3] = {{0, 0, 0}, {normal[0], normal[1], normal[2]}};
    const trilo_mesh mesh = {.name = text_of("box"),
                             .vertex_count = 2,
                             .normals = normals,
                             .material = TRILO_NONE,
                             .node = 0,
                             .skin = TRILO_NONE};
    t3dm_binding binding = {.points = *matrix};
    uint32_t order[1] = {0};
    encoder_bench_init(b);
    b->model = (trilo_model){.mesh_count = 1, .meshes = &mesh};
    b->e.meshes = order;
    b->e.mesh_count = 1;
    b->e.node_bindings = &binding;
    b->e.policy.advise = true;
    tl_t3dm_advise(&b->e);
    encoder_bench_free(b);
    if (b->heard.count == 0)
        return "";
    CHECK_STR(b->heard.rules[0], "T3DM-NONUNIFORM-SCALE");
    CHECK_STR(b->heard.paths[0], "meshes[0]");
    static const char front[] = "\"box\": the object has a nonuniform scale; its normals stay perpendicular to its "
                                "faces, up to ",
                      back[] = " degrees from those of Tiny3D's converter";
    const size_t length = strlen(b->heard.texts[0]);
    CHECK(strncmp(b->heard.texts[0], front, strlen(front)) == 0);
    CHECK_STR(b->heard.texts[0] + length - strlen(back), back);
    b->heard.texts[0][length - strlen(back)] = '\0';
    return b->heard.texts[0] + strlen(front);
}

/* A scale of s along one axis turns a normal between it and another by atan(s) - atan(1 / s): 36.87 degrees for 2, 1.97
 * for 1.035, 2.03 for 1.036, 89.71 for 400. */
TEST(normals_under_a_scale)
{
    static const struct {
        float scale;
        const char *degrees;
    } rows[] = {{2, "37"}, {0.5f, "37"}, {1, ""}, {1.035f, ""}, {1.036f, "2"}, {-2, "37"}, {1.0003f, ""}, {400, "90"}};
    static encoder_bench b;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 1; k < 3; k++)
            for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
                trilo_mat4 m = {{0}};
                float normal[3] = {0};
                m.m[0] = m.m[5] = m.m[10] = 3, m.m[15] = 1;
                m.m[5 * axis] *= rows[i].scale;
                normal[axis] = 1, normal[(axis + k) % 3] = 1;
                CHECK_STR(advice_of(&b, &m, normal), rows[i].degrees);
                normal[(axis + k) % 3] = 0; /* along the axis nothing turns */
                CHECK_STR(advice_of(&b, &m, normal), "");
            }
}

/* Axis k leans towards axis i without becoming longer: by 0.6 and 0.8. A normal along k then turns by atan(0.6 / 0.8).
 */
TEST(normals_under_a_shear)
{
    static encoder_bench b;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            trilo_mat4 m = {{0}};
            float normal[3] = {0};
            if (i == k)
                continue;
            m.m[0] = m.m[5] = m.m[10] = m.m[15] = 1;
            m.m[4 * k + i] = 0.6f, m.m[5 * k] = 0.8f;
            normal[k] = 1;
            CHECK_STR(advice_of(&b, &m, normal), "37");
            normal[k] = 0, normal[i] = -1;
            CHECK_STR(advice_of(&b, &m, normal), "37");
            normal[i] = 0, normal[3 - i - k] = 1; /* the third axis stays */
            CHECK_STR(advice_of(&b, &m, normal), "");
            m.m[4 * i + k] = -0.6f, m.m[5 * i] = 0.8f; /* a rotation */
            normal[i] = 1;
            CHECK_STR(advice_of(&b, &m, normal), "");
        }
}

/* ---- the BVH ---- */

/* Parts of 24 bytes behind the 32 of an object, channels of 12 behind the 20 of a clip, and 8 for the alignment:
 * 8 + 2 * 32 + 10910 * 24 + 3 * 20 + 14 * 12 = 262140. */
TEST(a_bvh_reaches_262140_bytes_back)
{
    static const uint32_t more[] = {0, 24, 24, 12, 12, 12};
    static encoder_bench b;
    for (int i = 0; i < 6; i++) {
        t3dm_object objects[2] = {{.head = {.part_count = 10000, .max = {1, 1, 1}}},
                                  {.head = {.part_count = 910, .max = {1, 1, 1}}}};
        t3dm_animation clips[3] = {
            {.head = {.quat_count = 1}}, {.head = {.scalar_count = 6}}, {.head = {.quat_count = 3, .scalar_count = 4}}};
        uint16_t *const counts[] = {&objects[0].head.part_count, &objects[1].head.part_count, &clips[0].head.quat_count,
                                    &clips[1].head.scalar_count, &clips[2].head.scalar_count};
        encoder_bench_init(&b);
        b.t3dm.bvh = true;
        b.file.objects = objects;
        b.file.object_count = 2;
        b.file.animations = clips;
        b.file.animation_count = 3;
        if (i > 0)
            ++*counts[i - 1];
        CHECK(tl_t3dm_encode_bvh(&b.e) == (i == 0));
        CHECK(b.file.has_bvh == (i == 0));
        if (i > 0) {
            char text[160];
            snprintf(text, sizeof text,
                     "%u bytes of objects and animations in front of the BVH, it reaches 262140 back; split the model, "
                     "or leave out the BVH",
                     (unsigned)(262140 + more[i]));
            CHECK_STR(b.err.rule, "T3DM-BVH-DISTANCE");
            CHECK_STR(b.err.text, text);
        }
        encoder_bench_free(&b);
    }
}

TEST(a_bvh_has_2048_objects_at_most)
{
    static encoder_bench b;
    static t3dm_object objects[2049];
    encoder_bench_init(&b);
    for (int i = 0; i < 2049; i++)
        for (int k = 0; k < 3; k++)
            objects[i].head.min[k] = objects[i].head.max[k] = (int16_t)(k == 0 ? 10 * i : 5);
    b.file.objects = objects;
    b.file.object_count = 2049;
    CHECK(tl_t3dm_encode_bvh(&b.e) && !b.file.has_bvh); /* none was asked for */
    b.t3dm.bvh = true;
    CHECK(!tl_t3dm_encode_bvh(&b.e));
    CHECK_STR(b.err.rule, "T3DM-RANGE-BVH");
    CHECK_STR(b.err.text, "2049 objects, a BVH reaches 2048");
    b.file.object_count = 0;
    CHECK(tl_t3dm_encode_bvh(&b.e) && !b.file.has_bvh);
    b.file.object_count = 2048;
    CHECK(tl_t3dm_encode_bvh(&b.e) && b.file.has_bvh);
    CHECK_INT(b.file.bvh.head.item_count, 2048);
    /* Every object is in one leaf, whose box holds it. */
    static uint8_t seen[2048];
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < b.file.bvh.head.node_count; i++) {
        const t3dm_bvh_node *node = &b.file.bvh.nodes[i];
        const uint32_t count = node->value & 15, first = node->value >> 4;
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t item = b.file.bvh.items[first + k];
            CHECK(item < 2048 && !seen[item]);
            seen[item] = 1;
            CHECK(node->min[0] <= objects[item].head.min[0] && objects[item].head.max[0] <= node->max[0]);
            CHECK(node->min[1] == 5 && node->max[1] == 5 && node->min[2] == 5 && node->max[2] == 5);
        }
        if (count > 0)
            continue;
        const t3dm_bvh_node *child = node + first;
        CHECK(first > 0 && i + first + 1 < b.file.bvh.head.node_count);
        CHECK(node->min[0] == child[0].min[0] || node->min[0] == child[1].min[0]);
        CHECK(node->max[0] == child[0].max[0] || node->max[0] == child[1].max[0]);
    }
    for (int i = 0; i < 2048; i++)
        CHECK(seen[i]);
    encoder_bench_free(&b);
}

TEST_MAIN(CASE(vertices_are_rounded_one_by_one), CASE(axes_wrap_if_2048_texels_are_whole_repeats),
          CASE(coordinates_are_cut_to_units), CASE(torn_triangles_move_as_the_plain_way_says),
          CASE(a_mesh_that_is_far_away_as_a_whole), CASE(coordinates_that_are_no_numbers_do_not_hide_others),
          CASE(corners_are_split), CASE(faces_have_normals), CASE(strings_are_stored_once),
          CASE(long_names_are_cut_to_1023_bytes), CASE(what_has_no_name_is_counted), CASE(normals_under_a_scale),
          CASE(normals_under_a_shear), CASE(a_bvh_reaches_262140_bytes_back), CASE(a_bvh_has_2048_objects_at_most))

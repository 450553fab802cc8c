/* Models that are compared, against a plain reading of the rules: every triangle looks at every other one. The models
 * have triangles that were moved, turned, reversed, repainted, doubled and flattened. All coordinates are multiples of
 * 2^-18, so that positions are exact. */
#include "api/inspect/compare.h"
#include "harness.h"
#include "support/query_brute.h"

#include <math.h>
#include <string.h>

enum { FIRST = 13, SECOND = 10, EXTRA = 5, MOST = FIRST + EXTRA, VERTICES = 3 * MOST };

/* A mesh of triangles, one of lines, and another of triangles on a node. */
typedef struct side {
    float positions[2][VERTICES][3], normals[2][VERTICES][3], colors[2][VERTICES][4], uvs[2][VERTICES][2];
    uint32_t indices[2][VERTICES];
    trilo_mesh meshes[3];
    trilo_node node;
    trilo_model model;
    double scale, unit; /* to the units of the first model of a comparison, and from those of the first that was made */
} side;

static double grid(dice *d, double low, double high, double step)
{
    return floor(dice_between(d, low, high) / step) * step;
}

/* ---- the models ---- */

static void make_mesh(side *s, int part, uint32_t triangles, dice *d)
{
    for (uint32_t v = 0; v < 3 * triangles; v++)
        s->indices[part][v] = 3 * triangles - 1 - v;
    for (uint32_t t = 0; t < triangles; t++) {
        const double middle[3] = {grid(d, 0, 3, 1 / 64.0), grid(d, -2, 0, 1 / 64.0), grid(d, 1, 2, 1 / 64.0)};
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t v = s->indices[part][3 * t + k];
            double length = 0, normal[3];
            for (int i = 0; i < 3; i++) {
                s->positions[part][v][i] = (float)(middle[i] + grid(d, -0.5, 0.5, 1 / 1024.0));
                normal[i] = dice_between(d, -1, 1);
                length += normal[i] * normal[i];
            }
            for (int i = 0; i < 3; i++)
                s->normals[part][v][i] = (float)(normal[i] / sqrt(length));
            for (int i = 0; i < 4; i++)
                s->colors[part][v][i] = (float)dice_unit(d);
            for (int i = 0; i < 2; i++)
                s->uvs[part][v][i] = (float)dice_between(d, -3, 3);
        }
    }
}

static void link_side(side *s, uint32_t first, uint32_t second, float units, trilo_format format)
{
    const uint32_t counts[3] = {first, first, second};
    for (int m = 0; m < 3; m++) {
        const int part = m / 2;
        s->meshes[m] = (trilo_mesh){.name = {"", 0},
                                    .material = TRILO_NONE,
                                    .node = m == 2 ? 0 : TRILO_NONE,
                                    .skin = TRILO_NONE,
                                    .topology = m == 1 ? TRILO_TOPOLOGY_LINES : TRILO_TOPOLOGY_TRIANGLES,
                                    .vertex_count = 3 * counts[m],
                                    .index_count = m == 1 ? 2 : 3 * counts[m],
                                    .positions = (const float(*)[3])s->positions[part],
                                    .normals = (const float(*)[3])s->normals[part],
                                    .colors = (const float(*)[4])s->colors[part],
                                    .uvs = (const float(*)[2])s->uvs[part],
                                    .indices = s->indices[part]};
    }
    s->node = (trilo_node){.parent = TRILO_NONE,
                           .name = {"n", 1},
                           .translation = {0.5f, -1, 0.25f},
                           .rotation = {0, 0, 0, 1},
                           .scale = {2, 2, 2}};
    for (int i = 0; i < 4; i++)
        s->node.local.m[5 * i] = i < 3 ? 2 : 1;
    s->node.local.m[12] = 0.5f, s->node.local.m[13] = -1, s->node.local.m[14] = 0.25f;
    s->model = (trilo_model){.format = format,
                             .units_per_meter = units,
                             .mesh_count = 3,
                             .node_count = 1,
                             .meshes = s->meshes,
                             .nodes = &s->node};
}

static void copy_corner(side *to, uint32_t v, const side *from, int part, uint32_t w)
{
    memcpy(to->positions[part][v], from->positions[part][w], sizeof to->positions[part][v]);
    memcpy(to->normals[part][v], from->normals[part][w], sizeof to->normals[part][v]);
    memcpy(to->colors[part][v], from->colors[part][w], sizeof to->colors[part][v]);
    memcpy(to->uvs[part][v], from->uvs[part][w], sizeof to->uvs[part][v]);
}

static void change_triangle(side *b, int part, uint32_t t, double jitter, dice *d)
{
    const uint32_t *at = &b->indices[part][3 * t], how = dice_below(d, 9);
    const side old = *b;
    for (uint32_t k = 0; k < 3; k++) {
        float *p = b->positions[part][at[k]];
        for (int i = 0; i < 3 && (how == 1 || how == 2 || how == 7); i++)
            p[i] += (float)grid(d, -jitter, jitter, 1.0 / (1 << 18)) * (how == 2 ? 64 : 1);
        if (how == 3 || how == 7) /* begins at another corner */
            copy_corner(b, at[k], how == 3 ? &old : b, part, at[how == 3 ? (k + 1) % 3 : k]);
        if (how == 4) /* reversed */
            copy_corner(b, at[k], &old, part, at[(3 - k) % 3]);
        for (int i = 0; i < 2 && how == 5; i++)
            b->uvs[part][at[k]][i] += (float)dice_between(d, 0.5, 2.5);
        if (how == 6) /* without an area */
            memcpy(p, old.positions[part][at[0]], sizeof old.positions[part][at[0]]);
        for (int i = 0; i < 4 && how == 7; i++)
            b->colors[part][at[k]][i] = (float)dice_unit(d);
    }
}

static void make_pair(side *a, side *b, float units_a, float units_b, bool converted, dice *d)
{
    memset(a, 0, sizeof *a);
    make_mesh(a, 0, FIRST, d);
    make_mesh(a, 1, SECOND, d);
    *b = *a;
    /* The other model has more: copies with other colours or texture coordinates, at the end. */
    for (uint32_t t = 0; t < EXTRA; t++) {
        const uint32_t from = dice_below(d, FIRST);
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t v = 3 * (FIRST + t) + k;
            b->indices[0][v] = v;
            copy_corner(b, v, a, 0, a->indices[0][3 * from + k]);
            for (int i = 0; i < 4 && t % 2 == 0; i++)
                b->colors[0][v][i] = (float)dice_unit(d);
            for (int i = 0; i < 2; i++) /* never quite the same: a tie would be decided by the order of the tree */
                b->uvs[0][v][i] += (float)(dice_between(d, 0.5, 1) * (t % 2 == 0 ? 0.001 : 1));
        }
    }
    for (uint32_t t = 0; t < FIRST; t++)
        change_triangle(b, 0, t, converted ? 0.004 : 0.00003, d);
    for (uint32_t t = 0; t < SECOND; t++)
        change_triangle(b, 1, t, converted ? 0.002 : 0.000015, d);
    link_side(a, FIRST, SECOND, units_a, TRILO_FORMAT_GLTF);
    link_side(b, FIRST + EXTRA, SECOND, units_b, converted ? TRILO_FORMAT_NLM : TRILO_FORMAT_GLTF);
    a->scale = a->unit = b->unit = 1;
    b->scale = (double)(units_a > 0 ? units_a : 1) / (double)(units_b > 0 ? units_b : 1);
    for (int part = 0; part < 2; part++)
        for (int v = 0; v < VERTICES; v++)
            for (int i = 0; i < 3; i++)
                b->positions[part][v][i] = (float)((double)b->positions[part][v][i] / b->scale);
    b->node.translation.x /= (float)b->scale, b->node.local.m[12] /= (float)b->scale;
    b->node.translation.y /= (float)b->scale, b->node.local.m[13] /= (float)b->scale;
    b->node.translation.z /= (float)b->scale, b->node.local.m[14] /= (float)b->scale;
}

/* ---- the plain comparison ---- */

static uint32_t triangles_of(const side *s, uint32_t mesh)
{
    return mesh == 1 ? 0 : s->meshes[mesh].index_count / 3;
}

static void corners_of(const side *s, trilo_face face, double corners[3][3])
{
    const double offset[3] = {0.5, -1, 0.25};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            const uint32_t v = s->meshes[face.mesh].indices[3 * face.triangle + (uint32_t)k];
            const double p = (double)s->meshes[face.mesh].positions[v][i] * s->scale;
            corners[k][i] = face.mesh == 2 ? 2 * p + offset[i] * s->unit : p;
        }
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void area_of(const double c[3][3], double out[3])
{
    const double u[3] = {c[1][0] - c[0][0], c[1][1] - c[0][1], c[1][2] - c[0][2]},
                 v[3] = {c[2][0] - c[0][0], c[2][1] - c[0][1], c[2][2] - c[0][2]};
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
}

/* Where the point lies in the triangle; what is outside of it moves to the edge. */
static void weights_of(const double c[3][3], const double point[3], double weights[3])
{
    const double u[3] = {c[1][0] - c[0][0], c[1][1] - c[0][1], c[1][2] - c[0][2]},
                 v[3] = {c[2][0] - c[0][0], c[2][1] - c[0][1], c[2][2] - c[0][2]},
                 w[3] = {point[0] - c[0][0], point[1] - c[0][1], point[2] - c[0][2]};
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), wu = dot(w, u), wv = dot(w, v);
    const double size = uu * vv - uv * uv;
    double sum = 0;
    weights[1] = size > 0 ? (vv * wu - uv * wv) / size : 1.0 / 3;
    weights[2] = size > 0 ? (uu * wv - uv * wu) / size : 1.0 / 3;
    weights[0] = 1 - weights[1] - weights[2];
    for (int i = 0; i < 3; i++)
        sum += weights[i] = fmax(weights[i], 0);
    for (int i = 0; i < 3; i++)
        weights[i] /= sum;
}

typedef struct attributes {
    double uv[2], color[4], normal[3];
} attributes;

static attributes attributes_of(const side *s, trilo_face face, const double weights[3])
{
    attributes out = {.uv = {0, 0}};
    const trilo_mesh *mesh = &s->meshes[face.mesh];
    for (int k = 0; k < 3; k++) {
        const uint32_t v = mesh->indices[3 * face.triangle + (uint32_t)k];
        for (int i = 0; i < 2; i++)
            out.uv[i] += weights[k] * (double)mesh->uvs[v][i];
        for (int i = 0; i < 4; i++)
            out.color[i] += weights[k] * (double)mesh->colors[v][i];
        for (int i = 0; i < 3; i++)
            out.normal[i] += weights[k] * (double)mesh->normals[v][i];
    }
    return out;
}

static double uv_apart(const attributes *a, const attributes *b)
{
    const double u = a->uv[0] - b->uv[0], v = a->uv[1] - b->uv[1];
    return fmax(fabs(u - nearbyint(u)), fabs(v - nearbyint(v)));
}

static double color_apart(const attributes *a, const attributes *b)
{
    double most = 0;
    for (int i = 0; i < 4; i++)
        most = fmax(most, fabs(a->color[i] - b->color[i]));
    return most;
}

/* Weights are floats, and thin triangles show it. */
static const double third[3] = {(double)(1.0f / 3), (double)(1.0f / 3), (double)(1.0f / 3)};

/* The largest distance of corners, in the order that fits best. */
static double corners_apart(const double a[3][3], const double b[3][3])
{
    double best = INFINITY;
    for (int turn = 0; turn < 3; turn++) {
        double most = 0;
        for (int k = 0; k < 3; k++) {
            const double *p = a[k], *q = b[(k + turn) % 3];
            most = fmax(most, sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                                   (p[2] - q[2]) * (p[2] - q[2])));
        }
        best = fmin(best, most);
    }
    return best;
}

/* Is the triangle of the same number at the same place, with the same texture coordinates at its middle? */
static bool is_same(const side *a, const side *b, trilo_face face, int corner)
{
    double mine[3][3], theirs[3][3];
    if (face.triangle >= triangles_of(b, face.mesh))
        return false;
    corners_of(a, face, mine);
    corners_of(b, face, theirs);
    return memcmp(mine[corner], theirs[corner], sizeof mine[corner]) == 0;
}

/* The counterpart of a triangle with an area. */
static trilo_face find(const side *a, const side *b, trilo_face face, double tolerance, double weights[3])
{
    double mine[3][3], middle[3], facing[3], nearest = INFINITY, best = INFINITY;
    const attributes own = attributes_of(a, face, third);
    trilo_face found = {0, 0};
    corners_of(a, face, mine);
    area_of((const double(*)[3])mine, facing);
    for (int i = 0; i < 3; i++)
        middle[i] = (mine[0][i] + mine[1][i] + mine[2][i]) * third[i];
    memcpy(weights, third, sizeof third);
    if (is_same(a, b, face, 0) && is_same(a, b, face, 1) && is_same(a, b, face, 2)) {
        const attributes other = attributes_of(b, face, third);
        if (uv_apart(&own, &other) == 0)
            return face;
    }
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t m = 0; m < 3; m++)
            for (uint32_t t = 0; t < triangles_of(b, m); t++) {
                double theirs[3][3], turned[3], at[3];
                corners_of(b, (trilo_face){m, t}, theirs);
                area_of((const double(*)[3])theirs, turned);
                const double distance = brute_distance((const double(*)[3])theirs, middle);
                if (pass == 0)
                    nearest = fmin(nearest, distance);
                if (pass == 0 || distance > nearest + tolerance)
                    continue;
                const double apart = corners_apart((const double(*)[3])mine, (const double(*)[3])theirs);
                weights_of((const double(*)[3])theirs, middle, at);
                if (apart <= tolerance)
                    memcpy(at, third, sizeof third);
                const attributes other = attributes_of(b, (trilo_face){m, t}, at);
                const double area = sqrt(dot(facing, facing) * dot(turned, turned)),
                             angle = area > 0 ? 10 - 10 * dot(facing, turned) / area : 100;
                const double score =
                    uv_apart(&own, &other) +
                    (apart <= tolerance ? apart / tolerance + (angle > 10 ? 10 : 0) + color_apart(&own, &other)
                                        : 1000 + angle);
                if (score < best) {
                    best = score;
                    found = (trilo_face){m, t};
                    memcpy(weights, at, sizeof at);
                }
            }
    return found;
}

static void add(trilo_deviation *to, double value)
{
    to->largest = fmax(to->largest, value);
    to->mean += value;
    to->points++;
}

/* The distances of the corners of one model to the surface of the other. */
static uint64_t measure(const side *from, const side *to, trilo_deviation *distance)
{
    uint64_t triangles = 0;
    for (uint32_t m = 0; m < 3; m++)
        for (uint32_t t = 0; t < triangles_of(from, m); t++) {
            double corners[3][3], area[3];
            corners_of(from, (trilo_face){m, t}, corners);
            area_of((const double(*)[3])corners, area);
            if (dot(area, area) == 0)
                continue;
            triangles++;
            for (int k = 0; k < 3; k++) {
                double nearest = INFINITY;
                for (uint32_t n = 0; n < 3; n++)
                    for (uint32_t u = 0; u < triangles_of(to, n); u++) {
                        double theirs[3][3];
                        corners_of(to, (trilo_face){n, u}, theirs);
                        nearest = fmin(nearest, brute_distance((const double(*)[3])theirs, corners[k]));
                    }
                add(distance, nearest);
            }
        }
    return triangles;
}

static trilo_model_deviation plain_compare(const side *a, const side *b, double tolerance)
{
    trilo_model_deviation d = {.scale = b->scale};
    for (uint32_t m = 0; m < 3; m++)
        for (uint32_t t = 0; t < triangles_of(a, m); t++) {
            double mine[3][3], theirs[3][3], facing[3], turned[3], weights[3];
            const trilo_face face = {m, t};
            corners_of(a, face, mine);
            area_of((const double(*)[3])mine, facing);
            if (dot(facing, facing) == 0)
                continue;
            const trilo_face to = find(a, b, face, tolerance, weights);
            corners_of(b, to, theirs);
            area_of((const double(*)[3])theirs, turned);
            d.reversed += dot(facing, turned) < 0;
            const attributes x = attributes_of(a, face, third), y = attributes_of(b, to, weights);
            add(&d.uv, uv_apart(&x, &y));
            add(&d.color, color_apart(&x, &y));
            const double cosine = dot(x.normal, y.normal) / sqrt(dot(x.normal, x.normal) * dot(y.normal, y.normal));
            add(&d.normal, acos(fmin(fmax(cosine, -1), 1)) * 180 / 3.14159265358979323846);
        }
    d.triangles[0] = measure(a, b, &d.distance);
    d.triangles[1] = measure(b, a, &d.distance);
    return d;
}

static void check_deviation(const char *what, uint32_t round, const trilo_deviation *got, const trilo_deviation *want,
                            double within)
{
    if (got->points != want->points || !(fabs(got->largest - want->largest) <= within) ||
        !(fabs(got->mean - want->mean / (double)want->points) <= within))
        FAIL("round %u: %s is %.9g, %.9g at most, of %llu points, not %.9g, %.9g, of %llu", round, what, got->mean,
             got->largest, (unsigned long long)got->points, want->mean / (double)want->points, want->largest,
             (unsigned long long)want->points);
}

/* The tolerance: a unit of the console between formats, a 100,000th of the size within one. */
static double tolerance_of(const side *a, bool converted)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0;
    if (converted)
        return (a->model.units_per_meter > 0 ? (double)a->model.units_per_meter : 1) / 64;
    for (uint32_t m = 0; m < 3; m++)
        for (uint32_t t = 0; t < triangles_of(a, m); t++) {
            double corners[3][3];
            corners_of(a, (trilo_face){m, t}, corners);
            for (int k = 0; k < 3; k++)
                for (int i = 0; i < 3; i++) {
                    low[i] = fmin(low[i], corners[k][i]);
                    high[i] = fmax(high[i], corners[k][i]);
                }
        }
    for (int i = 0; i < 3; i++)
        size += high[i] - low[i];
    return size * 1e-5;
}

/* The counterparts themselves, as the comparison of clips gets them. */
static void check_pairs(const side *a, const side *b, double tolerance, uint32_t round)
{
    compare_work work;
    size_t at = 0;
    CHECK(tl_compare_prepare(&work, &a->model, &b->model, false, NULL, NULL) && tl_compare_pairs(&work, NULL, NULL));
    CHECK_NEAR(work.tolerance, tolerance, 1e-9);
    for (uint32_t m = 0; m < 3; m++)
        for (uint32_t t = 0; t < triangles_of(a, m); t++) {
            double corners[3][3], area[3], weights[3];
            corners_of(a, (trilo_face){m, t}, corners);
            area_of((const double(*)[3])corners, area);
            if (dot(area, area) == 0)
                continue;
            const compare_pair *pair = &work.pairs[at++];
            const trilo_face to = find(a, b, (trilo_face){m, t}, tolerance, weights);
            CHECK(at <= work.pair_count && pair->found && pair->from.mesh == m && pair->from.triangle == t);
            if (pair->to.mesh != to.mesh || pair->to.triangle != to.triangle)
                FAIL("round %u: %u/%u goes to %u/%u, not to %u/%u", round, m, t, pair->to.mesh, pair->to.triangle,
                     to.mesh, to.triangle);
            for (int i = 0; i < 3; i++)
                CHECK_NEAR((double)pair->weights[i], weights[i], 2e-6);
        }
    CHECK_INT(work.pair_count, at);
    tl_compare_end(&work);
}

static void check_both(const side *a, const side *b, bool converted, uint32_t round)
{
    const double tolerance = tolerance_of(a, converted);
    trilo_model_deviation got;
    check_pairs(a, b, tolerance, round);
    const trilo_model_deviation want = plain_compare(a, b, tolerance);
    CHECK(trilo_model_compare(&a->model, &b->model, NULL, &got, NULL));
    CHECK_NEAR(got.scale, want.scale, 0);
    CHECK_INT(got.triangles[0], want.triangles[0]);
    CHECK_INT(got.triangles[1], want.triangles[1]);
    CHECK_INT(got.reversed, want.reversed);
    check_deviation("distance", round, &got.distance, &want.distance, 2e-6);
    check_deviation("uv", round, &got.uv, &want.uv, 2e-5);
    check_deviation("color", round, &got.color, &want.color, 2e-5);
    check_deviation("normal", round, &got.normal, &want.normal, 5e-3);
}

TEST(models_are_compared_as_documented)
{
    static const float units[3][2] = {{1, 1}, {0.5f, 0}, {4, 2}};
    static side a, b;
    dice d = {20};
    for (uint32_t round = 0; round < test_rounds(600, TEST_EMULATED ? 2 : TEST_SLOW ? 6 : 18); round++) {
        const bool converted = round % 2 == 1;
        make_pair(&a, &b, units[round % 3][0], units[round % 3][1], converted, &d);
        check_both(&a, &b, converted, round);
        a.scale = a.unit = b.unit = 1 / b.scale;
        b.scale = 1;
        check_both(&b, &a, converted, round);
    }
}

/* ---- limits ---- */

/* As many as are looked at lie on each other; the right one may be any of them. */
TEST(sixty_four_triangles_on_each_other)
{
    enum { COPIES = 64 };
    static const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    static float positions[3 * COPIES][3], uvs[3 * COPIES][2];
    static uint32_t indices[3 * COPIES];
    const trilo_mesh one = {.material = TRILO_NONE,
                            .node = TRILO_NONE,
                            .skin = TRILO_NONE,
                            .vertex_count = 3,
                            .index_count = 3,
                            .positions = corners,
                            .uvs = (const float(*)[2])uvs,
                            .indices = indices};
    trilo_mesh many = one;
    for (uint32_t i = 0; i < 3 * COPIES; i++) {
        memcpy(positions[i], corners[(i + 1) % 3], sizeof positions[i]);
        indices[i] = i;
    }
    many.positions = (const float(*)[3])positions;
    many.vertex_count = many.index_count = 3 * COPIES;
    const trilo_model a = {.mesh_count = 1, .meshes = &one};
    trilo_model b = {.mesh_count = 1, .meshes = &many};
    float moved[3 * COPIES][2];
    many.uvs = (const float(*)[2])moved;
    for (uint32_t right = 0; right < COPIES; right += TEST_SLOW ? 21 : 3) {
        trilo_model_deviation d;
        for (uint32_t i = 0; i < 3 * COPIES; i++)
            moved[i][0] = moved[i][1] = i / 3 == right ? 0 : 0.25f;
        CHECK(trilo_model_compare(&a, &b, NULL, &d, NULL));
        CHECK_NEAR(d.uv.largest, 0, 0);
        CHECK_INT(d.uv.points, 1);
    }
}

/* Normals of any length and the same or the opposite direction: rounding leads to no cosine beyond 1. */
TEST(parallel_normals_have_an_angle)
{
    enum { COUNT = 120 };
    static float positions[3 * COUNT][3], normals[2][3 * COUNT][3];
    static uint32_t indices[3 * COUNT];
    dice d = {3};
    for (int opposite = 0; opposite < 2; opposite++) {
        for (uint32_t i = 0; i < 3 * COUNT; i++) {
            positions[i][0] = (float)(i / 3 + (i % 3 == 1));
            positions[i][1] = i % 3 == 2;
            indices[i] = i;
        }
        for (uint32_t t = 0; t < COUNT; t++) {
            const trilo_vec3 n = dice_point(&d, -1, 1);
            const float length = (float)dice_between(&d, 0.1, 3) * (opposite ? -1 : 1);
            for (uint32_t i = 3 * t; i < 3 * t + 3; i++) {
                normals[0][i][0] = n.x, normals[0][i][1] = n.y, normals[0][i][2] = n.z;
                for (int k = 0; k < 3; k++)
                    normals[1][i][k] = normals[0][i][k] * length;
            }
        }
        trilo_mesh meshes[2];
        trilo_model models[2];
        for (int i = 0; i < 2; i++) {
            meshes[i] = (trilo_mesh){.material = TRILO_NONE,
                                     .node = TRILO_NONE,
                                     .skin = TRILO_NONE,
                                     .vertex_count = 3 * COUNT,
                                     .index_count = 3 * COUNT,
                                     .positions = (const float(*)[3])positions,
                                     .normals = (const float(*)[3])normals[i],
                                     .indices = indices};
            models[i] = (trilo_model){.mesh_count = 1, .meshes = &meshes[i]};
        }
        trilo_model_deviation deviation;
        CHECK(trilo_model_compare(&models[0], &models[1], NULL, &deviation, NULL));
        CHECK_INT(deviation.normal.points, COUNT);
        CHECK_NEAR(deviation.normal.largest, opposite ? 180 : 0, 1e-3);
        CHECK_NEAR(deviation.normal.mean, opposite ? 180 : 0, 1e-3);
    }
}

TEST_MAIN(CASE(models_are_compared_as_documented), CASE(sixty_four_triangles_on_each_other),
          CASE(parallel_normals_have_an_angle))

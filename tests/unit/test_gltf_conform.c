/* Whether a glTF file conforms to the specification: the limits of lengths, bounds, matrices and colours. */
#include "support/findings.h"
#include "support/gltf_draft.h"

#include <stdlib.h>

static listener told;

static void listen_to_draft(draft *d, const char *rest)
{
    buffer file = make(d, rest);
    memset(&told, 0, sizeof told);
    listen_to(&file, NULL, &told);
    buffer_free(&file);
    buffer_free(&d->bin);
}

/* The rule was broken there, with that text; NULL: nowhere. */
static void check_told(const char *rule, const char *path, const char *text)
{
    const size_t at = heard(&told, rule);
    if (!text && at < told.count)
        FAIL("%s %s: %s", told.rules[at], told.paths[at], told.texts[at]);
    if (!text)
        return;
    if (at == told.count)
        FAIL("%s is not found, but should say: %s", rule, text);
    CHECK_STR(told.texts[at], text);
    CHECK_STR(told.paths[at], path);
}

/* ---- matrices ---- */

static void turn(const double q[4], double m[3][3])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3], s = 2 / (x * x + y * y + z * z + w * w);
    const double columns[3][3] = {{1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)},
                                  {s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)},
                                  {s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y)}};
    memcpy(m, columns, sizeof columns);
}

static bool matrix_is_fine(double m[3][3], const double *last_row)
{
    char rest[1024] = "'nodes':[{'matrix':[";
    draft d = zigzag();
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 3; r++)
            append(rest, sizeof rest, "%.9g,", c < 3 ? m[c][r] : 0);
        append(rest, sizeof rest, "%.9g%s", last_row[c], c < 3 ? "," : "]}]");
    }
    listen_to_draft(&d, rest);
    const bool fine = heard(&told, "GLTF-TRANSFORM") == told.count;
    if (!fine)
        check_told("GLTF-TRANSFORM", "nodes[0]", "a matrix must be made of translation, rotation and scale");
    return fine;
}

static const double affine[4] = {0, 0, 0, 1};

/* Rotations of all kinds: about an axis by up to 180 degrees, where the scalar is 0, and about none in particular. */
TEST(rotations_and_scales)
{
    static const double scales[][3] = {{1, 1, 1},  {0.5, 2, 3},  {2, 0.25, 1}, {-1, 1, 2},
                                       {1, -2, 1}, {1, 1, -0.5}, {-1, -2, 1}};
    for (int i = 0; i < 81; i++) {
        const double q[4] = {i % 3 - 1, 2 * (i / 3 % 3 - 1), 3 * (i / 9 % 3 - 1), 4 * (i / 27 - 1)};
        if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
            continue;
        const double *scale = scales[i % 7];
        double m[3][3];
        turn(q, m);
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < 3; r++)
                m[c][r] *= scale[c];
        CHECK(matrix_is_fine(m, affine));
    }
}

TEST(matrices_with_shear)
{
    for (int i = 0; i < 9; i++) {
        double m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        if (i / 3 == i % 3)
            continue;
        m[i / 3][i % 3] = 0.5;
        CHECK(!matrix_is_fine(m, affine));
    }
}

TEST(matrices_that_flatten_or_project)
{
    for (int i = 0; i < 3; i++) {
        double m[3][3] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}, row[4] = {0, 0, 0, 1};
        CHECK(matrix_is_fine(m, row));
        row[i] = 0.125;
        CHECK(!matrix_is_fine(m, row));
        m[i][i] = 0;
        CHECK(!matrix_is_fine(m, affine));
        memcpy(m[i], m[(i + 1) % 3], sizeof m[i]); /* two columns are one */
        CHECK(!matrix_is_fine(m, affine));
    }
    double m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    CHECK(!matrix_is_fine(m, (const double[]){0, 0, 0, 2}));
}

TEST(rotations_of_nodes)
{
    for (int i = 0; i < 4; i++)
        for (int off = -2; off <= 2; off++) {
            double q[4] = {0};
            char rest[256];
            draft d = zigzag();
            q[i] = 1 + (abs(off) == 2 ? 0.00389 : 0.0076) * off; /* 0.00769 is allowed */
            snprintf(rest, sizeof rest, "'nodes':[{'rotation':[%.9g,%.9g,%.9g,%.9g]}]", q[0], q[1], q[2], q[3]);
            listen_to_draft(&d, rest);
            check_told("GLTF-UNIT", "nodes[0]", abs(off) == 2 ? "a rotation must be a quaternion of length 1" : NULL);
        }
}

/* ---- unit vectors ---- */

static void check_normals(draft *d, const char *attributes, uint32_t bad, uint32_t first)
{
    char rest[256], text[128];
    snprintf(rest, sizeof rest, ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0,%s},'mode':3}]}]",
             attributes);
    listen_to_draft(d, rest);
    snprintf(text, sizeof text, "elements that are not of unit length: %u of 5, the first is number %u", (unsigned)bad,
             (unsigned)first);
    check_told("GLTF-UNIT", "accessors[1]", bad > 0 ? text : NULL);
}

/* Each component of each of five normals, a little too long or too short. */
TEST(lengths_of_normals)
{
    for (int at = 0; at < 15; at++)
        for (int off = -2; off <= 2; off++) {
            double numbers[15] = {0};
            draft d = zigzag();
            for (int i = 0; i < 15; i += 3)
                numbers[i + at % 3] = -1;
            numbers[at] = 1 + (abs(off) == 2 ? 0.00340 : 0.0067) * off; /* 0.00674 is allowed */
            put(&d, "VEC3", F32, numbers, 5, "");
            check_normals(&d, "'NORMAL':1", abs(off) == 2, (uint32_t)at / 3);
        }
    draft d = zigzag();
    PUT(&d, "VEC3", F32, 5, 0.6, 0, 0.8, 0.6, 0.2, 0.8, 0, 0, 1, 0, 0, 0, 1, 1, 1);
    check_normals(&d, "'NORMAL':1", 3, 1);
}

/* Of a tangent, three numbers are a vector. */
TEST(lengths_of_tangents)
{
    draft d = zigzag();
    PUT(&d, "VEC4", F32, 5, 1, 0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 1, 0, 0, 1, -1, 0, 0.9, 0, 1);
    PUT(&d, "VEC3", F32, 5, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1);
    check_normals(&d, "'NORMAL':2,'TANGENT':1", 1, 4);
}

TEST(signs_of_tangents)
{
    draft d = zigzag();
    PUT(&d, "VEC4", F32, 5, 1, 0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 1.25, 0, 0, 1, -1, 0, 1, 0, 0);
    PUT(&d, "VEC3", F32, 5, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1);
    listen_to_draft(&d, ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':2,'TANGENT':1}}]}]");
    check_told("GLTF-UNIT", "accessors[1]",
               "elements that are tangents with a sign other than 1 and -1: 2 of 5, the first is number 2");
}

static void check_turns(draft *d, const char *interpolation, uint32_t bad, uint32_t first, uint32_t count)
{
    char rest[512], text[128];
    snprintf(rest, sizeof rest,
             "'nodes':[{}],'animations':[{'samplers':[{'input':0,'output':1,'interpolation':'%s'}],"
             "'channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}}]}]",
             interpolation);
    listen_to_draft(d, rest);
    snprintf(text, sizeof text, "elements that are not of unit length: %u of %u, the first is number %u", (unsigned)bad,
             (unsigned)count, (unsigned)first);
    check_told("GLTF-UNIT", "accessors[1]", bad > 0 ? text : NULL);
}

/* Of a curve only the values are rotations, not the tangents around them. */
TEST(lengths_of_rotations)
{
    for (int at = 0; at < 8; at++)
        for (int off = -2; off <= 2; off++) {
            double numbers[8] = {0}, curve[24];
            draft d = {0}, e = {0};
            numbers[at % 4] = numbers[4 + at % 4] = -1;
            numbers[at] = 1 + (abs(off) == 2 ? 0.00389 : 0.0076) * off; /* 0.00769 is allowed */
            for (int i = 0; i < 24; i++)
                curve[i] = i / 4 % 3 == 1 ? numbers[4 * (i / 12) + i % 4] : i;
            PUT(&d, "SCALAR", F32, 2, 0, 1);
            put(&d, "VEC4", F32, numbers, 2, "");
            check_turns(&d, "LINEAR", abs(off) == 2, (uint32_t)at / 4, 2);
            PUT(&e, "SCALAR", F32, 2, 0, 1);
            put(&e, "VEC4", F32, curve, 6, "");
            check_turns(&e, "CUBICSPLINE", abs(off) == 2, at < 4 ? 1 : 4, 6);
        }
    /* The largest integer is 1, and so is the least, -1 by clamping. */
    for (int i = 0; i < 4; i++) {
        static const int components[4] = {S8, U8, S16, U16}, ones[4] = {127, 255, 32767, 65535},
                         least[4] = {-128, 255, -32768, 65535};
        draft d = {0};
        PUT(&d, "SCALAR", F32, 3, 0, 1, 2);
        PUT_NORMALIZED(&d, "VEC4", components[i], 3, ones[i], 0, 0, 0, 0, 0, least[i], 0, 0, 0, 0, ones[i] * 0.98);
        check_turns(&d, "LINEAR", 1, 2, 3);
    }
    /* The least integers that are at least 1 - 0.00769 of the largest one, and the next ones below. */
    for (int i = 0; i < 4; i++) {
        static const int components[4] = {S8, U8, S16, U16}, shortest[4] = {127, 254, 32516, 65032};
        for (int off = 0; off < 2; off++) {
            draft d = {0};
            PUT(&d, "SCALAR", F32, 2, 0, 1);
            PUT_NORMALIZED(&d, "VEC4", components[i], 2, shortest[i], 0, 0, 0, 0, 0, 0, shortest[i] - off);
            check_turns(&d, "LINEAR", (uint32_t)off, 1, 2);
        }
    }
}

/* ---- colours, times, restarts ---- */

TEST(colours_outside_0_to_1)
{
    for (int width = 3; width <= 4; width++)
        for (int at = 0; at < 5 * width; at++)
            for (int off = 0; off < 3; off++) {
                double numbers[20];
                char text[128];
                draft d = zigzag();
                for (int i = 0; i < 20; i++)
                    numbers[i] = i % 2;
                numbers[at] = off == 0 ? -0.01 : off == 1 ? 1.01 : 0.5;
                put(&d, width == 3 ? "VEC3" : "VEC4", F32, numbers, 5, "");
                listen_to_draft(&d, ONE_NODE
                                "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'COLOR_0':1},'mode':3}]}]");
                snprintf(text, sizeof text, "elements that are colours outside 0 to 1: 1 of 5, the first is number %d",
                         at / width);
                check_told("GLTF-COLOR", "accessors[1]", off < 2 ? text : NULL);
            }
}

TEST(indices_that_restart)
{
    static const struct {
        int component;
        double value;
        bool restarts;
    } all[] = {{U8, 255, true},   {U8, 254, false},    {U16, 65535, true},        {U16, 65534, false},
               {U16, 255, false}, {U32, 65535, false}, {U32, 4294967295.0, true}, {U32, 4294967294.0, false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        draft d = zigzag();
        PUT(&d, "SCALAR", all[i].component, 3, 0, all[i].value, 1);
        listen_to_draft(&d, ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1}]}]");
        check_told("GLTF-RESTART", "accessors[1]",
                   all[i].restarts
                       ? "elements that are the value that restarts primitives: 1 of 3, the first is number 1"
                       : NULL);
    }
}

TEST(last_rows_of_bind_matrices)
{
    for (int at = 3; at < 16; at += 4) {
        double numbers[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1,
                              1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1};
        draft d = {0};
        numbers[16 + at] += 0.5;
        put(&d, "MAT4", F32, numbers, 2, "");
        listen_to_draft(&d, "'nodes':[{},{}],'skins':[{'joints':[0,1],'inverseBindMatrices':0}]");
        check_told("GLTF-BIND", "accessors[0]",
                   "elements that are matrices whose last row is not 0, 0, 0, 1: 1 of 2, the first is number 1");
    }
}

/* ---- declared bounds ---- */

static void replace_text(char *text, size_t room, const char *find, const char *by)
{
    char *made = gltf_replaced(text, find, by);
    CHECK(strlen(made) < room);
    memcpy(text, made, strlen(made) + 1);
    free(made);
}

static void check_bounds(const char *find, const char *by, const char *rule, const char *text)
{
    draft d = {0};
    PUT(&d, "VEC3", F32, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    replace_text(d.accessors, sizeof d.accessors, find, by);
    listen_to_draft(&d, ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]");
    check_told(rule, "accessors[0]", text);
}

TEST(bounds_that_are_not_those_of_the_elements)
{
    check_bounds("[1,2,3]", "[1,2,3]", "GLTF-BOUNDS", NULL);
    check_bounds("[1,2,3]", "[0,2,3]", "GLTF-BOUNDS", "min of component 0 is 0, but that of the elements is 1");
    check_bounds("[1,2,3]", "[1,2.5,3]", "GLTF-BOUNDS", "min of component 1 is 2.5, but that of the elements is 2");
    check_bounds("[1,2,3]", "[1,2,4]", "GLTF-BOUNDS", "min of component 2 is 4, but that of the elements is 3");
    check_bounds("[7,8,9]", "[6,8,9]", "GLTF-BOUNDS", "max of component 0 is 6, but that of the elements is 7");
    check_bounds("[7,8,9]", "[7,9,9]", "GLTF-BOUNDS", "max of component 1 is 9, but that of the elements is 8");
    check_bounds("[7,8,9]", "[7,8,9.5]", "GLTF-BOUNDS", "max of component 2 is 9.5, but that of the elements is 9");
    check_bounds("[7,8,9]", "[7,8,9.00000001]", "GLTF-BOUNDS", NULL); /* the same float */
    check_bounds("[1,2,3]", "[1,2]", "GLTF-TYPE", "min has 2 numbers, it must have 3");
    check_bounds("[7,8,9]", "[7,8,9,9]", "GLTF-TYPE", "max has 4 numbers, it must have 3");
}

/* The values of each type, and the first ones that it cannot have. */
TEST(bounds_of_integers)
{
    static const struct {
        int component;
        const char *bound;
        double least, most;
    } all[] = {{S8, "5120", -128, 127},
               {U8, "5121", 0, 255},
               {S16, "5122", -32768, 32767},
               {U16, "5123", 0, 65535},
               {U32, "5125", 0, 4294967295.0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int side = 0; side < 2; side++)
            for (int off = 0; off < 3; off++) {
                draft d = {0};
                const double end = side ? all[i].most : all[i].least, by = side ? 1 : -1;
                char own[64], put_there[64], text[128];
                PUT(&d, "SCALAR", all[i].component, 2, end, 0);
                snprintf(own, sizeof own, "'%s':[%.9g]", side ? "max" : "min", (double)(float)end);
                snprintf(put_there, sizeof put_there, "'%s':[%.11g]", side ? "max" : "min",
                         off == 2 ? end - by / 2 : end + off * by);
                replace_text(d.accessors, sizeof d.accessors, own, put_there);
                listen_to_draft(&d, "'nodes':[{}]");
                snprintf(text, sizeof text, "%.9g is not a value of componentType %s", end + by, all[i].bound);
                check_told("GLTF-RANGE", "accessors[0]", off == 1 ? text : NULL);
                check_told("GLTF-TYPE", "accessors[0]",
                           off < 2 ? NULL
                           : side  ? "max must have integers, like its accessor"
                                   : "min must have integers, like its accessor");
            }
}

TEST_MAIN(CASE(rotations_and_scales), CASE(matrices_with_shear), CASE(matrices_that_flatten_or_project),
          CASE(rotations_of_nodes), CASE(lengths_of_normals), CASE(lengths_of_tangents), CASE(signs_of_tangents),
          CASE(lengths_of_rotations), CASE(colours_outside_0_to_1), CASE(indices_that_restart),
          CASE(last_rows_of_bind_matrices), CASE(bounds_that_are_not_those_of_the_elements), CASE(bounds_of_integers))

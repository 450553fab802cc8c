/* Accessors: every kind of number, strides, padded matrices, sparse parts, and everything that can be wrong. */
#include "base/bytes.h"
#include "formats/gltf/gltf.h"
#include "harness.h"
#include "support/gltf_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file with these accessors and views over one buffer. */
typedef struct subject {
    buffer bytes;
    tl_arena arena;
    const gltf_file *file;
} subject;

static void subject_open(subject *s, const char *accessors, const char *views, const void *bin, size_t size)
{
    char text[2048];
    trilo_error err = {0};
    *s = (subject){0};
    snprintf(text, sizeof text,
             "{'asset':{'version':'2.0'},'accessors':[%s],'bufferViews':[%s],'buffers':[{'byteLength':%zu}]}",
             accessors, views, size);
    gltf_glb(&s->bytes, text, (trilo_bytes){bin, size});
    tl_arena_init(&s->arena, NULL);
    s->file = tl_gltf_read(&s->arena, (trilo_bytes){s->bytes.data, s->bytes.size},
                           &(trilo_load_opts){.gltf = &(trilo_gltf_load_opts){0}}, &err);
    if (!s->file)
        FAIL("%s: %s", err.path, err.text);
}

static void subject_close(subject *s)
{
    tl_arena_free(&s->arena);
    buffer_free(&s->bytes);
}

static void read_good(const subject *s, uint32_t index, gltf_accessor *a)
{
    const char *problem = tl_gltf_accessor(s->file, index, a);
    if (problem)
        FAIL("accessor %u: %s", (unsigned)index, problem);
}

/* --- numbers --- */

static const uint8_t bits[] = {0x00, 0x7F, 0x80, 0xFF, 0x01, 0x80, 0xFF, 0x7F, 0x00, 0x00, 0x80, 0x3F};

typedef struct number_case {
    unsigned component;
    bool normalized;
    unsigned at, count;
    float values[4];
} number_case;

TEST(every_component)
{
    static const number_case cases[] = {
        {GLTF_U8, false, 0, 4, {0, 127, 128, 255}},
        {GLTF_S8, false, 0, 4, {0, 127, -128, -1}},
        {GLTF_U8, true, 0, 4, {0, 127 / 255.0f, 128 / 255.0f, 1}},
        {GLTF_S8, true, 0, 4, {0, 1, -1, -1 / 127.0f}},
        {GLTF_U16, false, 4, 2, {32769, 32767}},
        {GLTF_S16, false, 4, 2, {-32767, 32767}},
        {GLTF_U16, true, 4, 2, {32769 / 65535.0f, 32767 / 65535.0f}},
        {GLTF_S16, true, 4, 2, {-1, 1}},
        {GLTF_U32, false, 8, 1, {1065353216}},
        {GLTF_F32, false, 8, 1, {1}},
        {GLTF_F32, true, 8, 1, {1}},
    };
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        char text[200];
        subject s;
        gltf_accessor a;
        float all[4], one;
        snprintf(text, sizeof text,
                 "{'bufferView':0,'byteOffset':%u,'componentType':%u,'normalized':%s,'count':%u,'type':'SCALAR'}",
                 cases[i].at, cases[i].component, cases[i].normalized ? "true" : "false", cases[i].count);
        subject_open(&s, text, "{'buffer':0,'byteLength':12}", bits, sizeof bits);
        read_good(&s, 0, &a);
        CHECK_INT(a.width, 1);
        tl_gltf_floats(&a, false, all, 1);
        for (uint32_t k = 0; k < cases[i].count; k++) {
            tl_gltf_element(&a, k, false, &one, 1);
            CHECK(all[k] == cases[i].values[k] && one == all[k]);
        }
        subject_close(&s);
    }
}

TEST(normalizing_is_asked_for)
{
    subject s;
    gltf_accessor a;
    float values[4];
    subject_open(&s, "{'bufferView':0,'componentType':5121,'count':4,'type':'SCALAR'}", "{'buffer':0,'byteLength':12}",
                 bits, sizeof bits);
    read_good(&s, 0, &a);
    tl_gltf_floats(&a, true, values, 1);
    CHECK(values[3] == 1 && values[1] == 127 / 255.0f);
    subject_close(&s);
}

TEST(whole_numbers)
{
    static const uint8_t wide[] = {0xFF, 0xFF, 0xFF, 0xFE, 0x01, 0x02, 0x03, 0x04};
    subject s;
    gltf_accessor a;
    uint32_t values[8];
    subject_open(&s,
                 "{'bufferView':0,'componentType':5125,'count':2,'type':'SCALAR'},"
                 "{'bufferView':0,'componentType':5123,'count':2,'type':'VEC2'}",
                 "{'buffer':0,'byteLength':8}", wide, sizeof wide);
    read_good(&s, 0, &a);
    tl_gltf_uints(&a, values, 1);
    CHECK(values[0] == 0xFEFFFFFF && values[1] == 0x04030201);
    read_good(&s, 1, &a);
    memset(values, 0xAA, sizeof values);
    tl_gltf_uints(&a, values, 3); /* two of each, the third is left alone */
    CHECK(values[0] == 0xFFFF && values[1] == 0xFEFF && values[2] == 0xAAAAAAAA && values[3] == 0x0201);
    subject_close(&s);
}

/* --- places --- */

TEST(strides_and_offsets)
{
    uint8_t bin[64];
    for (size_t i = 0; i < sizeof bin; i++)
        bin[i] = (uint8_t)i;
    subject s;
    gltf_accessor a;
    float v[9];
    subject_open(&s,
                 "{'bufferView':0,'byteOffset':2,'componentType':5121,'count':3,'type':'VEC3'},"
                 "{'bufferView':0,'byteOffset':9,'componentType':5121,'count':3,'type':'VEC3'}",
                 "{'buffer':0,'byteOffset':8,'byteLength':36,'byteStride':12}", bin, sizeof bin);
    read_good(&s, 0, &a);
    tl_gltf_floats(&a, false, v, 3);
    static const float want[] = {10, 11, 12, 22, 23, 24, 34, 35, 36};
    CHECK(memcmp(v, want, sizeof want) == 0);
    /* the last element may end with the view, and no byte later */
    read_good(&s, 1, &a);
    tl_gltf_floats(&a, false, v, 3);
    CHECK(v[0] == 17 && v[8] == 43);
    subject_close(&s);
}

/* Columns start at multiples of 4 bytes: [a b - -][c d - -] and so on. */
TEST(padded_matrices)
{
    uint8_t bin[48];
    for (size_t i = 0; i < sizeof bin; i++)
        bin[i] = (uint8_t)i;
    subject s;
    gltf_accessor a;
    float m[18];
    subject_open(&s,
                 "{'bufferView':0,'componentType':5121,'count':2,'type':'MAT2'},"
                 "{'bufferView':0,'componentType':5121,'count':2,'type':'MAT3'},"
                 "{'bufferView':0,'componentType':5123,'count':2,'type':'MAT3'},"
                 "{'bufferView':1,'componentType':5121,'count':1,'type':'MAT2'},"
                 "{'bufferView':1,'componentType':5121,'count':2,'type':'MAT2'}",
                 "{'buffer':0,'byteLength':48},{'buffer':0,'byteLength':6}", bin, sizeof bin);
    read_good(&s, 0, &a);
    CHECK(a.matrix && a.width == 4 && a.stride == 8);
    tl_gltf_floats(&a, false, m, 4);
    static const float two[] = {0, 1, 4, 5, 8, 9, 12, 13};
    CHECK(memcmp(m, two, sizeof two) == 0);
    read_good(&s, 1, &a);
    CHECK_INT(a.stride, 12);
    tl_gltf_floats(&a, false, m, 9);
    static const float three[] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22};
    CHECK(memcmp(m, three, sizeof three) == 0);
    read_good(&s, 2, &a);
    CHECK_INT(a.stride, 24);
    tl_gltf_floats(&a, false, m, 9);
    CHECK(m[0] == 0x0100 && m[3] == 0x0908 && m[9] == 0x1918);
    /* behind the last column nothing need follow */
    read_good(&s, 3, &a);
    CHECK(tl_gltf_accessor(s.file, 4, &a) != NULL);
    subject_close(&s);
}

TEST(fewer_numbers_than_there_are)
{
    static const float bin[] = {1, 2, 3, 4, 5, 6};
    buffer b = {0};
    buffer_f32s(&b, bin, 6);
    subject s;
    gltf_accessor a;
    float v[4];
    subject_open(&s, "{'bufferView':0,'componentType':5126,'count':2,'type':'VEC3'}", "{'buffer':0,'byteLength':24}",
                 b.data, b.size);
    read_good(&s, 0, &a);
    tl_gltf_floats(&a, false, v, 2);
    CHECK(v[0] == 1 && v[1] == 2 && v[2] == 4 && v[3] == 5);
    subject_close(&s);
    buffer_free(&b);
}

/* --- sparse parts and zeros --- */

#define SPARSE(count, view, component)                                                                                 \
    "'sparse':{'count':" #count ",'indices':{'bufferView':" #view ",'componentType':" #component                       \
    "},'values':{'bufferView':1,'byteOffset':8}}"

TEST(sparse_parts)
{
    static const uint8_t bin[] = {10, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0, 20, 21, 22, 23, 1, 3, 0, 3, 0};
    subject s;
    gltf_accessor a;
    float v[6], one;
    subject_open(&s,
                 "{'bufferView':0,'componentType':5121,'count':6,'type':'SCALAR'," SPARSE(
                     2, 2, 5121) "},{'componentType':5121,'count':6,'type':'SCALAR'," SPARSE(2, 3, 5121) "}",
                 "{'buffer':0,'byteLength':6},{'buffer':0,'byteOffset':6,'byteLength':12},"
                 "{'buffer':0,'byteOffset':18,'byteLength':2},{'buffer':0,'byteOffset':20,'byteLength':2}",
                 bin, sizeof bin);
    read_good(&s, 0, &a);
    tl_gltf_floats(&a, false, v, 1);
    static const float want[] = {10, 20, 12, 21, 14, 15}, zeros[] = {20, 0, 0, 21, 0, 0};
    CHECK(memcmp(v, want, sizeof want) == 0);
    for (uint32_t i = 0; i < 6; i++) {
        tl_gltf_element(&a, i, false, &one, 1);
        CHECK(one == want[i]);
    }
    read_good(&s, 1, &a);
    CHECK(a.data == NULL);
    tl_gltf_floats(&a, false, v, 1);
    CHECK(memcmp(v, zeros, sizeof zeros) == 0);
    uint32_t u[6];
    tl_gltf_uints(&a, u, 1);
    CHECK(u[0] == 20 && u[1] == 0 && u[3] == 21);
    subject_close(&s);
}

TEST(nothing_at_all)
{
    subject s;
    gltf_accessor a;
    float v[2] = {9, 9};
    subject_open(&s,
                 "{'componentType':5126,'count':1,'type':'VEC2'},{'componentType':5126,'count':0,'type':'VEC2'},"
                 "{'bufferView':0,'byteOffset':4,'componentType':5126,'count':0,'type':'VEC2'}",
                 "{'buffer':0,'byteLength':4}", "abcd", 4);
    read_good(&s, 0, &a);
    tl_gltf_floats(&a, false, v, 2);
    CHECK(v[0] == 0 && v[1] == 0);
    read_good(&s, 1, &a);
    CHECK_INT(a.count, 0);
    read_good(&s, 2, &a);
    subject_close(&s);
}

/* --- reading through --- */

TEST(surveys)
{
    gltf_bounds bounds;
    buffer b = {0};
    static const float floats[] = {1, 2, 3, NAN, 5, INFINITY};
    buffer_f32s(&b, floats, 6);
    buffer_sink(&b, "\x05\x09\x07\x01", 4);
    subject s;
    gltf_accessor a;
    uint32_t most, broken;
    subject_open(&s,
                 "{'bufferView':0,'componentType':5126,'count':3,'type':'VEC2'},"
                 "{'bufferView':0,'componentType':5126,'count':1,'type':'VEC2'},"
                 "{'bufferView':1,'componentType':5121,'count':4,'type':'SCALAR'}",
                 "{'buffer':0,'byteLength':24},{'buffer':0,'byteOffset':24,'byteLength':4}", b.data, b.size);
    read_good(&s, 0, &a);
    tl_gltf_accessor_scan(&a, &most, &broken, &bounds);
    CHECK_INT(broken, 1);
    CHECK(!bounds.known);
    read_good(&s, 1, &a);
    tl_gltf_accessor_scan(&a, &most, &broken, &bounds);
    CHECK(broken == TRILO_NONE && most == 0);
    CHECK(bounds.known && bounds.min[0] == 1 && bounds.max[0] == 1 && bounds.min[1] == 2 && bounds.max[1] == 2);
    read_good(&s, 2, &a);
    tl_gltf_accessor_scan(&a, &most, &broken, &bounds);
    CHECK(broken == TRILO_NONE && most == 9);
    CHECK(bounds.known && bounds.min[0] == 1 && bounds.max[0] == 9);
    subject_close(&s);
    buffer_free(&b);
}

/* --- what is wrong --- */

typedef struct bad_case {
    const char *accessor, *says; /* some words of the sentence */
} bad_case;

TEST(bad_ones_say_why)
{
    static const bad_case cases[] = {
        {"'componentType':5126,'count':1", "type must be"},
        {"'componentType':5126,'count':1,'type':'VEC5'", "type must be"},
        {"'componentType':5126,'count':1,'type':3", "type must be"},
        {"'componentType':5124,'count':1,'type':'SCALAR'", "componentType must be"},
        {"'count':1,'type':'SCALAR'", "componentType must be"},
        {"'componentType':5126,'type':'SCALAR'", "count must be"},
        {"'componentType':5126,'count':-1,'type':'SCALAR'", "count must be"},
        {"'componentType':5126,'count':1.5,'type':'SCALAR'", "count must be"},
        {"'componentType':5126,'count':4294967295,'type':'SCALAR'", "count must be"},
        {"'bufferView':9,'componentType':5126,'count':1,'type':'SCALAR'", "not there"},
        {"'bufferView':'0','componentType':5126,'count':1,'type':'SCALAR'", "not there"},
        {"'bufferView':0,'byteOffset':-4,'componentType':5126,'count':1,'type':'SCALAR'", "byteOffset"},
        {"'bufferView':0,'componentType':5126,'count':5,'type':'SCALAR'", "reach out"},
        {"'bufferView':0,'byteOffset':4,'componentType':5126,'count':4,'type':'SCALAR'", "reach out"},
        {"'bufferView':0,'byteOffset':13,'componentType':5126,'count':1,'type':'SCALAR'", "reach out"},
        {"'bufferView':0,'byteOffset':4294967295,'componentType':5126,'count':1,'type':'SCALAR'", "reach out"},
        {"'bufferView':0,'componentType':5126,'count':268435456,'type':'MAT4'", "reach out"},
        {"'bufferView':0,'byteOffset':17,'componentType':5126,'count':0,'type':'SCALAR'", "reach out"},
        {"'bufferView':1,'componentType':5126,'count':1,'type':'VEC4'", "byteStride"},
        {"'componentType':5121,'count':4,'type':'SCALAR'," SPARSE(5, 2, 5121), "sparse part"},
        {"'componentType':5121,'count':4,'type':'SCALAR'," SPARSE(1, 2, 5126), "sparse indices"},
        {"'componentType':5121,'count':4,'type':'SCALAR'," SPARSE(1, 9, 5121), "not there"},
        {"'componentType':5121,'count':4,'type':'SCALAR'," SPARSE(4, 2, 5123), "sparse part reaches"},
        {"'componentType':5121,'count':4,'type':'SCALAR'," SPARSE(2, 2, 5121), "increase"},
        {"'componentType':5121,'count':4,'type':'SCALAR'," SPARSE(1, 3, 5121), "increase"},
        {"'componentType':5126,'count':4,'type':'VEC4'," SPARSE(1, 2, 5121), "sparse part reaches"},
        {"'componentType':5121,'count':4,'type':'SCALAR','sparse':{'count':1,'indices':{'componentType':5121},"
         "'values':{'bufferView':1}}",
         "needs bufferViews"},
    };
    static const uint8_t bin[] = {0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        char text[400];
        subject s;
        gltf_accessor a;
        snprintf(text, sizeof text, "{%s}", cases[i].accessor);
        subject_open(&s, text,
                     "{'buffer':0,'byteLength':16},{'buffer':0,'byteLength':16,'byteStride':8},"
                     "{'buffer':0,'byteLength':4},{'buffer':0,'byteOffset':8,'byteLength':4}",
                     bin, sizeof bin);
        const char *problem = tl_gltf_accessor(s.file, 0, &a);
        if (!problem || !strstr(problem, cases[i].says))
            FAIL("%s: %s", cases[i].accessor, problem ? problem : "nothing");
        subject_close(&s);
    }
}

/* Sparse indices that a hundred accessors share: some of them are read, then it is enough. */
TEST(sparse_parts_have_an_end)
{
    enum { COUNT = 100000, ACCESSORS = 120, SIZE = 5 * COUNT };
    static const char one[] = "{'componentType':5121,'count':100000,'type':'SCALAR','sparse':{'count':100000,"
                              "'indices':{'bufferView':0,'componentType':5125},'values':{'bufferView':1}}},";
    static const char rest[] =
        "],'bufferViews':[{'buffer':0,'byteLength':400000},"
        "{'buffer':0,'byteOffset':400000,'byteLength':100000}],'buffers':[{'byteLength':500000}]}";
    char *text = malloc(64 + ACCESSORS * (sizeof one - 1) + sizeof rest), *at = text;
    uint8_t *bin = calloc(SIZE, 1);
    CHECK(text && bin);
    for (uint32_t i = 0; i < COUNT; i++)
        tl_put_u32(bin + 4 * (size_t)i, TL_LITTLE, i);
    at += sprintf(at, "{'asset':{'version':'2.0'},'accessors':[");
    for (int i = 0; i < ACCESSORS; i++)
        at += sprintf(at, "%s", one);
    sprintf(at - 1, "%s", rest);
    subject s = {0};
    gltf_accessor a;
    gltf_glb(&s.bytes, text, (trilo_bytes){bin, SIZE});
    tl_arena_init(&s.arena, NULL);
    s.file = tl_gltf_read(&s.arena, (trilo_bytes){s.bytes.data, s.bytes.size},
                          &(trilo_load_opts){.gltf = &(trilo_gltf_load_opts){0}}, NULL);
    CHECK(s.file);
    CHECK(!tl_gltf_accessor(s.file, 0, &a));
    CHECK_INT(a.sparse_count, COUNT);
    CHECK(!tl_gltf_accessor(s.file, 79, &a));
    CHECK(tl_gltf_accessor(s.file, ACCESSORS - 1, &a) != NULL);
    free(text);
    free(bin);
    subject_close(&s);
}

TEST(an_accessor_that_is_not_there)
{
    subject s;
    gltf_accessor a;
    subject_open(&s, "", "", "", 0);
    CHECK(tl_gltf_accessor(s.file, 0, &a) != NULL);
    CHECK(tl_gltf_accessor(s.file, TRILO_NONE, &a) != NULL);
    subject_close(&s);
}

/* Elements without gaps go another way than others: every place of the least and greatest value, and of one that is not
 * finite. */
TEST(bounds_of_packed_floats)
{
    for (uint32_t width = 1; width <= 4; width++)
        for (uint32_t count = 1; count <= 9; count++)
            for (uint32_t place = 0; place < count * width; place++) {
                uint8_t bytes[4 * 4 * 9];
                uint32_t max, non_finite;
                gltf_bounds bounds;
                const gltf_accessor a = {
                    .count = count, .width = width, .component = GLTF_F32, .data = bytes, .stride = 4 * (size_t)width};
                for (uint32_t i = 0; i < count * width; i++)
                    tl_put_u32(bytes + 4 * (size_t)i, TL_LITTLE, tl_bits_of(i == place ? -7.0f : 3.0f));
                tl_gltf_accessor_scan(&a, &max, &non_finite, &bounds);
                CHECK(bounds.known && non_finite == TRILO_NONE);
                for (uint32_t k = 0; k < width; k++) {
                    CHECK(bounds.min[k] == (k == place % width ? -7 : 3));
                    CHECK(bounds.max[k] == (count == 1 && k == place ? -7 : 3));
                }
                tl_put_u32(bytes + 4 * (size_t)place, TL_LITTLE, tl_bits_of(9.0f));
                tl_gltf_accessor_scan(&a, &max, &non_finite, &bounds);
                for (uint32_t k = 0; k < width; k++)
                    CHECK(bounds.max[k] == (k == place % width ? 9 : 3));
                tl_put_u32(bytes + 4 * (size_t)place, TL_LITTLE, tl_bits_of(INFINITY));
                tl_gltf_accessor_scan(&a, &max, &non_finite, &bounds);
                CHECK(!bounds.known && non_finite == place / width);
            }
}

TEST_MAIN(CASE(bounds_of_packed_floats), CASE(every_component), CASE(normalizing_is_asked_for), CASE(whole_numbers),
          CASE(strides_and_offsets), CASE(padded_matrices), CASE(fewer_numbers_than_there_are), CASE(sparse_parts),
          CASE(nothing_at_all), CASE(surveys), CASE(bad_ones_say_why), CASE(sparse_parts_have_an_end),
          CASE(an_accessor_that_is_not_there))

/* Collision meshes of Pyrite64, byte by byte as docs/formats/t3dm.md describes them, and their listing. */
#include "harness.h"
#include "support/buffer.h"
#include "support/pyrite64_files.h"
#include "support/t3dm_files.h"
#include "trilobite/trilobite.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What a mesh is made of. Releases: 4 (and up to 7), 8, 9. */
typedef struct mesh {
    int release;
    uint32_t triangles, vertices;
    uint32_t nodes, items; /* of each of the two BVHs of release 4 */
    int bvhs;              /* of release 4; 2 in all files of the editor */
} mesh;

static void align(buffer *b)
{
    while (b->size % 4 != 0)
        pyrite64_put(b, 0, 1);
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void put_bvh(buffer *b, const mesh *m)
{
    pyrite64_put(b, m->nodes, 2), pyrite64_put(b, m->items, 2);
    for (uint32_t i = 0; i < m->nodes; i++) {
        for (uint32_t k = 0; k < 6; k++)
            pyrite64_put(b, 1000 + 10 * i + k, 2);
        pyrite64_put(b, i << 4 | 1, 2);
    }
    for (uint32_t i = 0; i < m->items; i++)
        pyrite64_put(b, 300 + i, 2);
}

/* Index k of triangle i is (i + k) modulo the vertices; normals and positions count from 1 on. */
static void put_mesh(buffer *b, const mesh *m)
{
    const bool new = m->release == 9;
    const uint32_t triangles = m->triangles;
    pyrite64_put(b, triangles, 4), pyrite64_put(b, m->vertices, 4), pyrite64_put(b, float_bits(1), 4);
    if (new)
        pyrite64_put(b, (16 + 6 * triangles + 3) / 4 * 4 + 12 * triangles + 12 * m->vertices, 4);
    else
        pyrite64_put(b, 0, 8), pyrite64_put(b, 0, 4);
    for (uint32_t i = 0; i < 3 * triangles; i++)
        pyrite64_put(b, (i / 3 + i % 3) % m->vertices, 2);
    align(b);
    for (uint32_t i = 1; i <= 3 * triangles; i++)
        pyrite64_put(b, new ? float_bits((float)i) : i, new ? 4 : 2);
    align(b);
    for (uint32_t i = 1; i <= 3 * m->vertices; i++)
        pyrite64_put(b, float_bits((float)i), 4);
    for (int i = 0; i < m->bvhs; i++)
        put_bvh(b, m);
    for (uint32_t i = 0; new &&i < 2 * triangles - 1; i++) {
        for (uint32_t k = 1; k <= 6; k++)
            pyrite64_put(b, float_bits((float)(10 * i + k)), 4);
        pyrite64_put(b, 0x80000000u + i, 4);
    }
}

static bool reads(const buffer *b, trilo_pyrite64_collision *c)
{
    return trilo_pyrite64_collision_read((trilo_bytes){b->data, b->size}, c);
}

/* All counts of triangles up to 5, so that each list ends on every byte of a word. */
TEST(lists_are_padded_to_words)
{
    static const int releases[] = {4, 8, 9};
    for (int i = 0; i < 3; i++)
        for (uint32_t triangles = 1; triangles <= 5; triangles++) {
            const mesh m = {releases[i], triangles, triangles + 2, 3, 2 * triangles, releases[i] == 4 ? 2 : 0};
            trilo_pyrite64_collision c;
            buffer b = {0};
            put_mesh(&b, &m);
            CHECK(reads(&b, &c));
            CHECK_INT(c.triangle_count, triangles);
            CHECK_INT(c.vertex_count, triangles + 2);
            CHECK_INT(c.bvh_count, releases[i] == 4 ? 2 : releases[i] == 8 ? 0 : 1);
            CHECK_INT(c.bvh_node_count, releases[i] == 4 ? 3 : releases[i] == 8 ? 0 : 2 * triangles - 1);
            CHECK_STR(c.since, releases[i] == 4 ? "0.1" : releases[i] == 8 ? "0.8" : "0.9");
            b.size--;
            CHECK(!reads(&b, &c));
            buffer_free(&b);
        }
}

/* A chunk ends where the next one starts, at a multiple of 8 bytes. Four zeros are no BVH: a BVH has a node. */
TEST(less_than_8_zeros_may_follow)
{
    static const mesh meshes[] = {{4, 1, 3, 1, 0, 2}, {4, 2, 4, 1, 2, 2}, {8, 1, 3, 0, 0, 0}, {9, 2, 4, 0, 0, 0}};
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++)
        for (int zeros = 0; zeros < 9; zeros++) {
            trilo_pyrite64_collision c;
            buffer b = {0};
            put_mesh(&b, &meshes[i]);
            for (int k = 0; k < zeros; k++)
                pyrite64_put(&b, 0, 1);
            CHECK(reads(&b, &c) == (zeros < 8));
            CHECK(zeros >= 8 || c.bvh_count == (meshes[i].release == 9 ? 1 : (uint32_t)meshes[i].bvhs));
            if (zeros > 0) {
                b.data[b.size - 1] = 1;
                CHECK(!reads(&b, &c));
            }
            buffer_free(&b);
        }
}

TEST(other_bytes_are_no_collision_mesh)
{
    static const mesh good = {4, 2, 4, 1, 2, 2}, one = {4, 2, 4, 1, 2, 1}, three = {4, 2, 4, 1, 2, 3},
                      new = {9, 2, 4, 0, 0, 0};
    trilo_pyrite64_collision c;
    buffer b = {0};
    put_mesh(&b, &one);
    CHECK(!reads(&b, &c));
    buffer_free(&b);
    b = (buffer){0};
    put_mesh(&b, &three);
    CHECK(!reads(&b, &c));
    buffer_free(&b);
    b = (buffer){0};
    put_mesh(&b, &good);
    for (size_t i = 12; i < 24; i++) { /* a pointer that is not 0 */
        b.data[i] = 0x80;
        CHECK(!reads(&b, &c));
        b.data[i] = 0;
    }
    CHECK(reads(&b, &c));
    for (size_t i = 24; i < 36; i += 2) { /* every index: 3 is a vertex, 4 is none */
        const uint8_t was = b.data[i + 1];
        b.data[i + 1] = 3;
        CHECK(reads(&b, &c));
        b.data[i + 1] = 4;
        CHECK(!reads(&b, &c));
        b.data[i + 1] = was;
    }
    b.data[3] = 0; /* no triangle */
    CHECK(!reads(&b, &c));
    buffer_free(&b);
    b = (buffer){0};
    put_mesh(&b, &new);
    b.data[15] += 4; /* the BVH is elsewhere */
    CHECK(!reads(&b, &c));
    buffer_free(&b);
}

/* A header alone, whole or cut. */
TEST(no_triangles_are_no_collision_mesh)
{
    const uint8_t zeros[32] = {0};
    trilo_pyrite64_collision c;
    for (size_t size = 0; size <= sizeof zeros; size++)
        CHECK(!trilo_pyrite64_collision_read((trilo_bytes){zeros, size}, &c));
}

/* ---- listing ---- */

/* Every call, as text. */
typedef struct listing {
    char text[16384];
    size_t length;
} listing;

__attribute__((format(printf, 2, 3))) static void add(listing *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    l->length += (size_t)vsnprintf(l->text + l->length, sizeof l->text - l->length, format, args);
    va_end(args);
    CHECK(l->length < sizeof l->text);
}

static void list_begin(void *user, const char *name, uint32_t count, uint64_t offset)
{
    add(user, "%s[%u]@%llu\n", name ? name : "", (unsigned)count, (unsigned long long)offset);
}

static void list_end(void *user)
{
    add(user, "]\n");
}

static void record_begin(void *user, const char *name, uint64_t offset)
{
    add(user, "%s{@%llu\n", name ? name : "", (unsigned long long)offset);
}

static void record_end(void *user)
{
    add(user, "}\n");
}

static void add_field(listing *l, const char *name, unsigned long long offset, uint32_t count, const double *values)
{
    add(l, "%s@%llu", name ? name : "", offset);
    for (uint32_t i = 0; i < count; i++)
        add(l, " %.0f", values[i]);
    add(l, "\n");
}

static void field(void *user, const char *name, const trilo_value *value)
{
    double values[16];
    if (value->kind == TRILO_VALUE_KIND_BLOB || value->kind == TRILO_VALUE_KIND_TEXT) {
        add(user, "%s@%llu: %zu bytes\n", name, (unsigned long long)value->offset, value->as.blob.size);
        return;
    }
    for (uint32_t i = 0; i < value->count; i++)
        values[i] = value->kind == TRILO_VALUE_KIND_FLOAT  ? (double)value->as.f[i]
                    : value->kind == TRILO_VALUE_KIND_UINT ? (double)value->as.u[i]
                                                           : (double)value->as.i[i];
    add_field(user, name, value->offset, value->count, values);
}

/* A list of records of one field of three numbers each; returns the offset of its end. */
static unsigned expect_list(listing *l, const char *name, const char *member, uint32_t count, unsigned at,
                            unsigned each, const mesh *indices)
{
    add(l, "%s[%u]@%u\n", name, (unsigned)count, at);
    for (uint32_t i = 0; i < count; i++, at += 3 * each) {
        double values[3];
        for (uint32_t k = 0; k < 3; k++)
            values[k] = indices ? (i + k) % indices->vertices : 3 * i + k + 1;
        add(l, "{@%u\n", at);
        add_field(l, member, at, 3, values);
        add(l, "}\n");
    }
    add(l, "]\n");
    return at;
}

static unsigned expect_bvh(listing *l, const mesh *m, unsigned at)
{
    add(l, "bvh{@%u\nnodes[%u]@%u\n", at, (unsigned)m->nodes, at + 4);
    at += 4;
    for (uint32_t i = 0; i < m->nodes; i++, at += 14) {
        const double low = 1000 + 10 * i;
        add(l, "{@%u\n", at);
        add_field(l, "min", at, 3, (double[]){low, low + 1, low + 2});
        add_field(l, "max", at + 6, 3, (double[]){low + 3, low + 4, low + 5});
        add_field(l, "value", at + 12, 1, (double[]){16 * i + 1});
        add(l, "}\n");
    }
    add(l, "]\nitems[%u]@%u\n", (unsigned)m->items, at);
    for (uint32_t i = 0; i < m->items; i++, at += 2)
        add_field(l, NULL, at, 1, (double[]){300 + i});
    add(l, "]\n}\n");
    return at;
}

static void expect_mesh(listing *l, const mesh *m, unsigned start)
{
    const bool new = m->release == 9;
    const uint32_t triangles = m->triangles, vertices = m->vertices;
    unsigned at = new ? 16 : 24;
    add_field(l, "triangle_count", start, 1, (double[]){triangles});
    add_field(l, "vertex_count", start + 4, 1, (double[]){vertices});
    add_field(l, "scale", start + 8, 1, (double[]){1});
    if (new)
        add_field(l, "bvh_at", start + 12, 1,
                  (double[]){(16 + 6 * triangles + 3) / 4 * 4 + 12 * triangles + 12 * vertices});
    else
        add_field(l, "pointers", start + 12, 3, (double[]){0, 0, 0});
    at = (expect_list(l, "triangles", "indices", triangles, start + at, 2, m) - start + 3) / 4 * 4;
    at = (expect_list(l, "normals", new ? "normal" : "fixed", triangles, start + at, new ? 4 : 2, NULL) - start + 3) /
         4 * 4;
    at = expect_list(l, "vertices", "position", vertices, start + at, 4, NULL);
    for (int i = 0; i < m->bvhs; i++)
        at = expect_bvh(l, m, at);
    if (!new)
        return;
    add(l, "nodes[%u]@%u\n", (unsigned)(2 * triangles - 1), at);
    for (uint32_t i = 0; i < 2 * triangles - 1; i++, at += 28) {
        const double low = 10 * i + 1;
        add(l, "{@%u\n", at);
        add_field(l, "min", at, 3, (double[]){low, low + 1, low + 2});
        add_field(l, "max", at + 12, 3, (double[]){low + 3, low + 4, low + 5});
        add_field(l, "value", at + 24, 1, (double[]){2147483648.0 + i});
        add(l, "}\n");
    }
    add(l, "]\n");
}

TEST(every_value_is_listed_where_it_is)
{
    static const mesh meshes[] = {{4, 3, 5, 2, 3, 2}, {8, 3, 4, 0, 0, 0}, {9, 3, 4, 0, 0, 0}, {4, 1, 1, 1, 0, 2}};
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++)
        for (unsigned start = 0; start < 2000; start += 1000) {
            static listing got, want;
            buffer b = {0};
            got.length = want.length = 0;
            put_mesh(&b, &meshes[i]);
            pyrite64_put(&b, 0, 4); /* padding is not listed */
            const trilo_visitor visitor = {&got, list_begin, list_end, record_begin, record_end, field};
            CHECK(trilo_pyrite64_collision_visit((trilo_bytes){b.data, b.size}, start, &visitor));
            expect_mesh(&want, &meshes[i], start);
            CHECK_STR(got.text, want.text);
            got.length = 0;
            got.text[0] = '\0';
            b.data[3] = 0;
            CHECK(!trilo_pyrite64_collision_visit((trilo_bytes){b.data, b.size}, start, &visitor));
            CHECK_STR(got.text, "");
            buffer_free(&b);
        }
}

/* As chunk `0` of a model; what is none is listed as bytes. */
TEST(collision_meshes_of_models_are_listed)
{
    static const mesh m = {4, 2, 4, 1, 2, 2};
    for (int broken = 0; broken < 3; broken++) {
        static listing got, want;
        buffer kite = {0}, b = {0}, file = {0};
        t3dm_places at;
        trilo_error err = {0};
        got.length = want.length = 0;
        t3dm_kite(&kite, 4, &at);
        put_mesh(&b, &m);
        b.data[3] = broken == 1 ? 0 : 2;
        buffer_sink(&file, kite.data, at.custom);
        buffer_sink(&file, b.data, b.size);
        const size_t strings = file.size;
        buffer_sink(&file, kite.data + at.strings, kite.size - at.strings);
        file.data[at.table + 28] = broken == 2 ? 'Y' : '0';
        file.data[0x1A] = (uint8_t)(strings >> 8), file.data[0x1B] = (uint8_t)strings;
        trilo_document *document = trilo_document_open(file.data, file.size, NULL, &err);
        if (!document)
            FAIL("%s", err.text);
        const trilo_visitor visitor = {&got, list_begin, list_end, record_begin, record_end, field};
        trilo_document_visit(document, &visitor);
        expect_mesh(&want, &m, (unsigned)at.custom);
        CHECK((strstr(got.text, want.text) != NULL) == (broken == 0));
        trilo_document_free(document);
        buffer_free(&kite);
        buffer_free(&b);
        buffer_free(&file);
    }
}

TEST_MAIN(CASE(lists_are_padded_to_words), CASE(less_than_8_zeros_may_follow), CASE(other_bytes_are_no_collision_mesh),
          CASE(no_triangles_are_no_collision_mesh), CASE(every_value_is_listed_where_it_is),
          CASE(collision_meshes_of_models_are_listed))

/* The listing of a T3DM file: every record at its place, every number as the bytes have it, texts and blobs whole; and
 * the sizes of its sections. */
#include "formats/t3dm/t3dm.h"
#include "harness.h"
#include "support/t3dm_files.h"
#include "trilobite/trilobite.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_ROOM = 1 << 15 };

typedef struct lines {
    char text[TEXT_ROOM];
    size_t used;
} lines;

static void add(lines *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    l->used += (size_t)vsnprintf(l->text + l->used, sizeof l->text - l->used, format, args);
    va_end(args);
    CHECK(l->used < sizeof l->text);
}

/* ---- as it is listed ---- */

static void list_begin(void *user, const char *name, uint32_t count, uint64_t offset)
{
    add(user, "%s[%" PRIu32 "] @%" PRIu64 "\n", name, count, offset);
}

static void record_begin(void *user, const char *name, uint64_t offset)
{
    add(user, "%s{ @%" PRIu64 "\n", name ? name : "", offset);
}

static void list_end(void *user)
{
    add(user, "]\n");
}

static void record_end(void *user)
{
    add(user, "}\n");
}

static void list_field(void *user, const char *name, const trilo_value *v)
{
    lines *l = user;
    add(l, "%s @%" PRIu64, name ? name : "", v->offset);
    for (uint32_t i = 0; v->kind < TRILO_VALUE_KIND_BLOB && i < v->count; i++) {
        uint32_t bits;
        memcpy(&bits, &v->as.f[i], sizeof bits);
        if (v->kind == TRILO_VALUE_KIND_FLOAT)
            add(l, " f%08" PRIX32, bits);
        else if (v->kind == TRILO_VALUE_KIND_INT)
            add(l, " %" PRId64, v->as.i[i]);
        else
            add(l, " %" PRIu64, v->as.u[i]);
    }
    if (v->kind == TRILO_VALUE_KIND_TEXT)
        add(l, " \"%.*s\"", (int)v->as.blob.size, (const char *)v->as.blob.data);
    if (v->kind == TRILO_VALUE_KIND_BLOB)
        add(l, " %zu bytes from %02X", v->as.blob.size, v->as.blob.data[0]);
    add(l, "\n");
}

/* ---- as it should be ---- */

static uint64_t number_at(const buffer *b, size_t at, size_t width)
{
    uint64_t value = 0;
    for (size_t i = 0; i < width; i++)
        value = value << 8 | b->data[at + i];
    return value;
}

/* The fields of a record by its table, from bytes. */
static void want_fields(lines *l, const buffer *b, const tl_layout *layout, unsigned version, size_t at)
{
    for (size_t i = 0; i < layout->field_count; i++) {
        const tl_field *f = &layout->fields[i];
        const size_t width = f->kind == TL_U8 || f->kind == TL_S8     ? 1
                             : f->kind == TL_U16 || f->kind == TL_S16 ? 2
                             : f->kind == TL_U64                      ? 8
                                                                      : 4;
        if (version < f->since || (f->until != 0 && version > f->until))
            continue;
        add(l, "%s @%zu", f->name, at + f->at);
        for (size_t k = 0; k < f->count; k++) {
            const uint64_t value = number_at(b, at + f->at + k * width, width);
            if (f->kind == TL_F32)
                add(l, " f%08" PRIX64, value);
            else if (f->kind == TL_S8 || f->kind == TL_S16)
                add(l, " %d", f->kind == TL_S8 ? (int)(int8_t)value : (int)(int16_t)value);
            else
                add(l, " %" PRIu64, value);
        }
        add(l, "\n");
    }
}

/* A list of records of which those with a text have it behind them. */
static void want_list(lines *l, const buffer *b, const char *name, const tl_layout *layout, unsigned version, size_t at,
                      size_t size, uint32_t count, const char *const *texts)
{
    add(l, "%s[%" PRIu32 "] @%zu\n", name, count, at);
    for (uint32_t i = 0; i < count; i++) {
        add(l, "{ @%zu\n", at + i * size);
        want_fields(l, b, layout, version, at + i * size);
        add(l, "%s}\n", texts ? texts[i] : "");
    }
    add(l, "]\n");
}

static void want_keys(lines *l, const buffer *stream)
{
    static const struct {
        unsigned at, ticks, channel, width;
    } keys[4] = {{0, 0, 0, 4}, {8, 0, 1, 2}, {14, 60, 0, 4}, {22, 60, 1, 2}};
    add(l, "keys[4] @0\n");
    for (int i = 0; i < 4; i++) {
        const unsigned at = keys[i].at;
        add(l, "{ @%u\nticks @%u %u\nchannel @%u %u\nvalue @%u %" PRIu64 "\n}\n", at, at, keys[i].ticks, at,
            keys[i].channel, at, number_at(stream, at + 4, keys[i].width));
    }
    add(l, "]\n");
}

static void want_kite(lines *l, const buffer *b, const buffer *stream, unsigned version, const t3dm_places *at)
{
    const size_t part = version >= 4 ? 24 : 20, s = at->strings;
    char texts[4][64];
    snprintf(texts[0], sizeof texts[0], "path_text @%zu \"rom:/dot.sprite\"\n", s + 16);
    snprintf(texts[1], sizeof texts[1], "name_text @%zu \"hip\"\n", s + 1);
    snprintf(texts[2], sizeof texts[2], "name_text @%zu \"knee\"\n", s + 5);
    add(l, "header{ @0\n");
    want_fields(l, b, &tl_t3dm_header, version, 0);
    add(l, "}\nchunks[8] @%zu\n", at->table);

    add(l, "{ @%zu\ntype @%zu \"O\"\n", at->object, at->object);
    want_fields(l, b, &tl_t3dm_object_head, version, at->object);
    add(l, "name_text @%zu \"kite\"\n", s + 32);
    want_list(l, b, "parts", &tl_t3dm_part, version, at->object + 32, part, 2, NULL);

    add(l, "}\n{ @%zu\ntype @%zu \"A\"\n", at->animation, at->animation);
    want_fields(l, b, &tl_t3dm_animation_head, version, at->animation);
    add(l, "name_text @%zu \"kick\"\nstream_text @%zu \"rom:/kite.0.sdata\"\n", s + 37, s + 42);
    want_list(l, b, "channels", &tl_t3dm_mapping, version, at->animation + 20, 12, 2, NULL);
    if (stream)
        want_keys(l, stream);

    const uint32_t items = (uint32_t)number_at(b, at->bvh + 2, 2);
    add(l, "}\n{ @%zu\ntype @%zu \"B\"\n", at->bvh, at->bvh);
    want_fields(l, b, &tl_t3dm_bvh_head, version, at->bvh);
    want_list(l, b, "nodes", &tl_t3dm_bvh_node, version, at->bvh + 4, 14, 1, NULL);
    add(l, "items[%" PRIu32 "] @%zu\n", items, at->bvh + 18);
    for (uint32_t i = 0; i < items; i++)
        add(l, " @%zu %" PRIu64 "\n", at->bvh + 18 + 2 * (size_t)i, number_at(b, at->bvh + 18 + 2 * (size_t)i, 2));

    add(l, "]\n}\n{ @%zu\ntype @%zu \"V\"\n", at->vertices, at->vertices);
    want_list(l, b, "pairs", &tl_t3dm_pair, version, at->vertices, 32, 4, NULL);
    add(l, "}\n{ @%zu\ntype @%zu \"I\"\nbytes @%zu %zu bytes from 00\n", at->indices, at->indices, at->indices,
        at->material - at->indices);

    add(l, "}\n{ @%zu\ntype @%zu \"M\"\n", at->material, at->material);
    want_fields(l, b, &tl_t3dm_material_head, version, at->material);
    add(l, "name_text @%zu \"paint\"\n", s + 10);
    want_list(l, b, "textures", &tl_t3dm_texture, version, at->texture, 44, 2, (const char *const[]){texts[0], ""});

    add(l, "}\n{ @%zu\ntype @%zu \"S\"\n", at->skeleton, at->skeleton);
    want_fields(l, b, &tl_t3dm_skeleton_head, version, at->skeleton);
    want_list(l, b, "bones", &tl_t3dm_bone, version, at->bones, 48, 2, (const char *const[]){texts[1], texts[2]});

    add(l, "}\n{ @%zu\ntype @%zu \"X\"\nbytes @%zu 4 bytes from 6D\n}\n]\n", at->custom, at->custom, at->custom);
    add(l, "strings @%zu %zu bytes from 53\n", s, b->size - s);
}

static trilo_document *open_kite(buffer *file, buffer *stream)
{
    trilo_error err = {0};
    const trilo_load_opts opts = {
        .name = "kite.t3dm", .companion = stream ? t3dm_kite_companion : NULL, .companion_user = stream};
    trilo_document *document = trilo_document_open(file->data, file->size, &opts, &err);
    if (!document)
        FAIL("%s: %s", err.path, err.text);
    return document;
}

TEST(every_record_is_listed_where_it_is)
{
    static lines got, want;
    for (unsigned version = 1; version <= 4; version++)
        for (int more = 0; more < 2; more++) { /* an item of the BVH in what pads the chunk, and no stream */
            buffer file = {0}, stream = {0};
            t3dm_places at;
            t3dm_kite(&file, version, &at);
            t3dm_kite_stream(&stream);
            if (more && at.vertices >= at.bvh + 22)
                file.data[at.bvh + 3] = 2, file.data[at.bvh + 21] = 7;
            trilo_document *document = open_kite(&file, more ? NULL : &stream);
            memset(&got, 0, sizeof got);
            memset(&want, 0, sizeof want);
            trilo_document_visit(document,
                                 &(trilo_visitor){&got, list_begin, list_end, record_begin, record_end, list_field});
            want_kite(&want, &file, more ? NULL : &stream, version, &at);
            CHECK_STR(got.text, want.text);
            trilo_document_free(document);
            buffer_free(&file);
            buffer_free(&stream);
        }
}

TEST(sections_have_these_sizes)
{
    buffer file = {0};
    t3dm_places at;
    t3dm_kite(&file, 4, &at);
    const size_t chunks = at.object;
    const trilo_section want[] = {{"header and chunk table", 1, chunks},
                                  {"objects and parts", 1, at.animation - at.object},
                                  {"vertices", 1, at.indices - at.vertices},
                                  {"indices", 1, at.material - at.indices},
                                  {"materials", 1, at.skeleton - at.material},
                                  {"animations", 1, at.bvh - at.animation},
                                  {"skeleton", 1, at.custom - at.skeleton},
                                  {"BVH", 1, at.vertices - at.bvh},
                                  {"custom chunks", 1, 4},
                                  {"strings", 1, file.size - at.strings}};
    for (int round = 0; round < 3; round++) {
        /* Then the BVH is a chunk of the game, and then a second material of another engine. */
        file.data[at.table + 8] = round == 0 ? 'B' : round == 1 ? 'Y' : 'B';
        file.data[at.table + 28] = round == 2 ? 'm' : 'X';
        trilo_document *document = open_kite(&file, NULL);
        for (size_t room = 0; room < 12; room++) {
            trilo_section got[12] = {{0}};
            const size_t count = trilo_document_sections(document, got, room);
            size_t at_row = 0;
            CHECK_INT(count, round == 0 ? 10 : 9);
            for (size_t i = 0; i < 10; i++) {
                if ((round == 1 && i == 7) || (round == 2 && i == 8))
                    continue;
                const bool more = (round == 1 && i == 8) || (round == 2 && i == 4);
                const uint64_t added = !more ? 0 : round == 1 ? want[7].size : 4;
                if (at_row < room) {
                    CHECK_STR(got[at_row].name, want[i].name);
                    CHECK_INT(got[at_row].count, more ? 2 : 1);
                    CHECK_INT(got[at_row].size, want[i].size + added);
                }
                at_row++;
            }
            CHECK(!got[room < count ? room : count].name);
        }
        trilo_document_free(document);
    }
    buffer_free(&file);
}

TEST_MAIN(CASE(every_record_is_listed_where_it_is), CASE(sections_have_these_sizes))

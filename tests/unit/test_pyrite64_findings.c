/* Findings about materials of Pyrite64, with their places and texts, and the table of a project's assets. */
#include "formats/t3dm/pyrite64/pyrite64.h"
#include "harness.h"
#include "support/buffer.h"
#include "support/findings.h"
#include "support/pyrite64_files.h"
#include "support/t3dm_files.h"
#include "trilobite/trilobite.h"

#include <string.h>

/* ---- findings ---- */

/* Assets 0 to 6; 2 is a font, the others are images. */
static bool find_asset(void *user, uint32_t number, trilo_found_asset *found)
{
    (void)user;
    *found = (trilo_found_asset){.source = TRILO_ASSET_SOURCE_TABLE, .count = 7, .width = 64, .height = 16};
    if (number >= 7)
        return false;
    found->type = number == 2 ? 3 : 1;
    memcpy(found->path, "rom:/a.sprite", sizeof "rom:/a.sprite");
    return true;
}

/* What the check says about one material; returns the byte of the file at which it is. */
static size_t findings_of(const buffer *material, listener *l)
{
    const pyrite64_chunk chunk = {'m', material->data, material->size};
    const trilo_load_opts opts = {.find_asset = find_asset};
    buffer file = {0}, kite = {0};
    t3dm_places at;
    t3dm_kite(&kite, 4, &at);
    pyrite64_kite(&file, &chunk, 1);
    listen_to(&file, &opts, l);
    buffer_free(&file);
    buffer_free(&kite);
    return (at.material + 7) / 8 * 8;
}

static void expect_at(const listener *l, const char *rule, const char *path, uint64_t offset, const char *text)
{
    size_t count = 0;
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->rules[i], rule) == 0) {
            count++;
            CHECK_STR(l->paths[i], path);
            CHECK_STR(l->texts[i], text);
            CHECK(l->offsets[i] == offset);
        }
    CHECK_INT(count, 1);
}

static void expect_none(const listener *l, const char *rule)
{
    CHECK_INT(heard(l, rule), l->count);
}

static void set16(buffer *b, size_t at, uint32_t value)
{
    b->data[at] = (uint8_t)(value >> 8);
    b->data[at + 1] = (uint8_t)value;
}

TEST(findings_name_the_tile)
{
    static const char *const paths[2] = {"materials[0].tiles[0]", "materials[0].tiles[1]"};
    for (size_t tile = 0; tile < 2; tile++) {
        const size_t at = 8 + 16 * tile;
        buffer m = {0};
        listener l;
        pyrite64_all(&m);
        set16(&m, at, 6);
        findings_of(&m, &l);
        expect_none(&l, "T3DM-PYRITE64-ASSET");
        expect_none(&l, "T3DM-PYRITE64-NO-ASSET");
        expect_none(&l, "T3DM-PYRITE64-PLACEHOLDER");
        set16(&m, at, 7);
        size_t start = findings_of(&m, &l);
        expect_at(&l, "T3DM-PYRITE64-ASSET", paths[tile], start + at, "asset 7, but the project has 7 of them");
        set16(&m, at, 2);
        findings_of(&m, &l);
        expect_at(&l, "T3DM-PYRITE64-ASSET", paths[tile], start + at, "asset 2 is a font, must be an image");
        for (uint32_t kind = 0; kind < 3; kind++)
            for (uint32_t slot = 6; slot < 10; slot++) {
                set16(&m, at, 0xFFFF);
                set16(&m, at + 2, kind << 8 | slot);
                findings_of(&m, &l);
                expect_none(&l, "T3DM-PYRITE64-ASSET");
                if (kind == 0)
                    expect_at(&l, "T3DM-PYRITE64-NO-ASSET", paths[tile], start + at,
                              "no texture (65535), and the tile is not a placeholder");
                else
                    expect_none(&l, "T3DM-PYRITE64-NO-ASSET");
                if (kind > 0 && slot == 8)
                    expect_at(&l, "T3DM-PYRITE64-PLACEHOLDER", paths[tile], start + at,
                              "slot 8 of a placeholder, must be 0 to 7");
                CHECK((heard(&l, "T3DM-PYRITE64-PLACEHOLDER") < l.count) == (kind > 0 && slot >= 8));
            }
        buffer_free(&m);
    }
}

/* With tile 1 alone its record comes first. */
TEST(a_tile_alone_is_where_the_first_would_be)
{
    buffer m = {0};
    listener l;
    pyrite64_put(&m, 1u << 9, 4), pyrite64_put(&m, 2, 4);
    pyrite64_put(&m, 0x00090000, 4), pyrite64_put(&m, 0, 8), pyrite64_put(&m, 0, 4);
    const size_t start = findings_of(&m, &l);
    expect_at(&l, "T3DM-PYRITE64-ASSET", "materials[0].tiles[1]", start + 8, "asset 9, but the project has 7 of them");
    buffer_free(&m);
}

TEST(findings_name_the_material)
{
    buffer m = {0};
    listener l;
    pyrite64_all(&m);
    const size_t start = findings_of(&m, &l);
    expect_at(&l, "T3DM-PYRITE64-DEPTH", "materials[0]", start, "depth is written, but not compared");
    expect_none(&l, "T3DM-PYRITE64-AA");
    expect_none(&l, "T3DM-MATERIAL-VALUE");
    m.data[0] ^= 1, m.data[1] ^= 0x80; /* compared, but not written */
    findings_of(&m, &l);
    expect_none(&l, "T3DM-PYRITE64-DEPTH");
    m.data[0] ^= 1; /* both */
    findings_of(&m, &l);
    expect_none(&l, "T3DM-PYRITE64-DEPTH");
    m.data[26] = 1;
    findings_of(&m, &l);
    expect_at(&l, "T3DM-PYRITE64-AA", "materials[0]", start,
              "anti-aliasing and two placeholders share bit 19 of the flags");
    for (uint8_t effect = 4; effect < 8; effect++) {
        m.data[74] = effect;
        findings_of(&m, &l);
        CHECK((heard(&l, "T3DM-MATERIAL-VALUE") < l.count) == (effect > 5));
    }
    expect_at(&l, "T3DM-MATERIAL-VALUE", "materials[0]", start, "vertex effect 7, must be 0 to 5");
    m.size -= 8;
    findings_of(&m, &l);
    expect_at(&l, "T3DM-PYRITE64-SHORT", "materials[0]", start,
              "the material has 72 bytes, its flags name fields of 79");
    buffer_free(&m);
}

/* One of each kind, in both orders. A chunk that is not understood does not count as Pyrite64's. */
TEST(engines_must_not_be_mixed)
{
    static const uint8_t tiny3d[144] = {0}, foreign[24] = "an engine of its own";
    buffer m = {0};
    listener l;
    pyrite64_textured(&m, 5);
    const pyrite64_chunk a = {'M', tiny3d, sizeof tiny3d}, b = {'m', m.data, m.size},
                         c = {'m', foreign, sizeof foreign};
    const pyrite64_chunk pairs[][2] = {{a, b}, {b, a}, {b, b}, {a, c}};
    for (int i = 0; i < 4; i++) {
        buffer file = {0};
        pyrite64_kite(&file, pairs[i], 2);
        listen_to(&file, NULL, &l);
        if (i < 2)
            expect_at(&l, "T3DM-PYRITE64-MIXED", "", TRILO_NOWHERE,
                      "1 materials are Pyrite64's (m) and 1 are Tiny3D's (M), all must be one's");
        else
            expect_none(&l, "T3DM-PYRITE64-MIXED");
        buffer_free(&file);
    }
    buffer_free(&m);
}

/* ---- errors of reading ---- */

TEST(errors_say_how_many_bytes_there_are)
{
    static const uint8_t bytes[32] = {0, 0, 4, 0};
    trilo_pyrite64_material m;
    trilo_error err = {0};
    CHECK(!trilo_pyrite64_material_read((trilo_bytes){bytes, 3}, &m, &err));
    CHECK_STR(err.text, "the material has 3 bytes, its flags name fields of 8");
    CHECK_INT(err.code, TRILO_CODE_TRUNCATED);
    CHECK(!trilo_pyrite64_material_read((trilo_bytes){bytes, 4}, &m, &err));
    CHECK_STR(err.text, "the material has 4 bytes, its flags name fields of 16");
    CHECK(!trilo_pyrite64_material_read((trilo_bytes){bytes, 24}, &m, &err));
    CHECK_STR(err.text, "a material of 24 bytes in a layout that is not known");
    CHECK_INT(err.code, TRILO_CODE_UNSUPPORTED);
    CHECK(err.offset == TRILO_NOWHERE);
    CHECK(trilo_pyrite64_material_read((trilo_bytes){bytes, 23}, &m, &err));
    CHECK(m.tiles[0].asset == 0xFFFF && m.tiles[1].asset == 0xFFFF);
}

/* A value needs its flag; without AA, bit 19 has another meaning. */
TEST(values_need_their_flags)
{
    static const uint32_t flag_of[32] = {
        [20] = 1, [21] = 8, [22] = 8, [23] = 0x10, [24] = 0x10, [25] = 0x40, [26] = 4, [27] = 4, [28] = 4, [29] = 4};
    for (int bit = 19; bit < 32; bit++)
        for (int k = 0; k < 8; k++) {
            const uint32_t flag = 1u << k, flags = 1u << bit | flag;
            buffer b = {0};
            trilo_pyrite64_material m;
            pyrite64_put(&b, flags, 4), pyrite64_put(&b, 0, 4);
            pyrite64_put(&b, 0, k == 7 ? 1 : k == 1 || k == 5 ? 4 : 0);
            CHECK(trilo_pyrite64_material_read((trilo_bytes){b.data, b.size}, &m, NULL) ==
                  (bit == 19 || flag_of[bit] == flag));
            buffer_free(&b);
        }
}

/* ---- the table of assets ---- */

/* Three assets: a model, an image and another image, named a, bc and d, in the layout of 0.8 or 0.9. */
static void put_table(buffer *b, bool new)
{
    const uint32_t each = new ? 12 : 8, paths = 4 + 3 * each;
    static const uint32_t at[] = {0, 2, 5};
    pyrite64_put(b, 3, 4);
    for (uint32_t i = 0; i < 3; i++) {
        pyrite64_put(b, paths + at[i], 4);
        pyrite64_put(b, i == 0 ? 0x40000000 : 0x11000000, 4);
        if (new)
            pyrite64_put(b, i == 0 ? 0x3D000000 : 0, 4); /* 1/32 */
    }
    buffer_sink(b, "a\0bc\0d", 7);
}

TEST(assets_are_rows_of_the_table)
{
    for (int new = 0; new < 2; new ++) {
        buffer b = {0};
        pyrite64_table table;
        pyrite64_asset asset;
        put_table(&b, new);
        CHECK(tl_pyrite64_table_read((trilo_bytes){b.data, b.size}, &table));
        CHECK_INT(table.count, 3);
        CHECK_INT(table.version, 1 + new);
        CHECK(tl_pyrite64_table_entry(&table, 0, &asset));
        CHECK_INT(asset.type, 4);
        CHECK_STR(asset.path, "a");
        CHECK_NEAR(asset.scale, new ? 1.0 / 32 : 0, 0);
        CHECK(tl_pyrite64_table_entry(&table, 1, &asset));
        CHECK_INT(asset.type, 1);
        CHECK_STR(asset.path, "bc");
        CHECK(tl_pyrite64_table_entry(&table, 2, &asset));
        CHECK_STR(asset.path, "d");
        CHECK(!tl_pyrite64_table_entry(&table, 3, &asset));
        /* A path at the end of the table, one beyond it, and one that no zero ends. */
        for (uint32_t path = (uint32_t)b.size - 1; path <= b.size + 1; path++) {
            set16(&b, (new ? 12 : 8) + 6, path);
            CHECK(tl_pyrite64_table_entry(&table, 1, &asset) == (path < b.size));
        }
        b.data[b.size - 1] = 'x';
        CHECK(!tl_pyrite64_table_entry(&table, 2, &asset));
        CHECK(tl_pyrite64_table_entry(&table, 0, &asset));
        buffer_free(&b);
    }
}

/* The first path follows the last row. */
TEST(other_files_are_no_table)
{
    for (int new = 0; new < 2; new ++) {
        buffer b = {0};
        pyrite64_table table;
        put_table(&b, new);
        const size_t rows = new ? 40 : 28;
        for (size_t size = 0; size <= b.size; size++)
            CHECK(tl_pyrite64_table_read((trilo_bytes){b.data, size}, &table) == (size >= rows));
        for (int wrong = -1; wrong <= 1; wrong++) {
            b.data[7] = (uint8_t)((int)rows + wrong);
            CHECK(tl_pyrite64_table_read((trilo_bytes){b.data, b.size}, &table) == (wrong == 0));
            CHECK(wrong == 0 || (table.count == 0 && table.version == 0 && !table.bytes.data));
        }
        b.data[7] = (uint8_t)rows;
        b.data[3] = 0;
        CHECK(!tl_pyrite64_table_read((trilo_bytes){b.data, b.size}, &table));
        buffer_free(&b);
    }
    static const uint8_t none[8] = {0, 0, 0, 0, 0, 0, 0, 4};
    pyrite64_table table;
    CHECK(!tl_pyrite64_table_read((trilo_bytes){none, 8}, &table));
}

TEST(types_of_assets_have_names)
{
    static const char *const names[] = {
        "of no known type", "an image", "audio",        "a font",       "a model",          "of no known type",
        "of no known type", "a prefab", "a node graph", "an XM module", "of no known type", "of no known type"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_STR(tl_pyrite64_type_name(i), names[i]);
    CHECK_STR(tl_pyrite64_type_name(UINT32_MAX), "of no known type");
}

/* ---- textures of a file ---- */

typedef struct question {
    uint32_t asked, width, height;
} question;

static bool find_sized(void *user, uint32_t number, trilo_found_asset *found)
{
    question *q = user;
    q->asked++;
    *found = (trilo_found_asset){.source = TRILO_ASSET_SOURCE_TABLE,
                                 .count = 9,
                                 .type = number == 3 ? 4 : 1,
                                 .width = q->width,
                                 .height = q->height};
    memcpy(found->path, "rom:/a.sprite", sizeof "rom:/a.sprite");
    return true;
}

static void load(const buffer *material, uint32_t width, uint32_t height, trilo_n64_tile tiles[2], uint32_t *asked)
{
    const pyrite64_chunk chunks[2] = {{'m', material->data, material->size}, {'m', material->data, material->size}};
    question q = {0, width, height};
    const trilo_load_opts opts = {.find_asset = find_sized, .find_asset_user = &q};
    trilo_error err = {0};
    buffer file = {0};
    pyrite64_kite(&file, chunks, 2);
    const trilo_model *model = trilo_model_load(file.data, file.size, &opts, &err);
    if (!model)
        FAIL("%s", err.text);
    CHECK_INT(model->material_count, 2);
    memcpy(tiles, model->materials[1].n64->tiles, 2 * sizeof *tiles);
    CHECK(model->materials[0].raw.size == material->size);
    *asked = q.asked;
    trilo_model_free(model);
    buffer_free(&file);
}

/* Each number is looked up once. Sizes are those of the image, if it is one and they fit; of tile 0 those that an
 * effect names, if it names both. */
TEST(sizes_are_those_of_images_or_effects)
{
    trilo_n64_tile tiles[2];
    uint32_t asked;
    buffer m = {0};
    pyrite64_all(&m);
    load(&m, 48, 24, tiles, &asked);
    CHECK_INT(asked, 2);
    CHECK(tiles[0].width == 64 && tiles[0].height == 32 && tiles[1].width == 48 && tiles[1].height == 24);
    m.data[71] = 0; /* the arguments of the effect: 0 x 32 */
    load(&m, 65535, 65536, tiles, &asked);
    CHECK(tiles[0].width == 65535 && tiles[0].height == 0 && tiles[1].width == 65535 && tiles[1].height == 0);
    m.data[71] = 64, m.data[73] = 0; /* 64 x 0 */
    load(&m, 65536, 65535, tiles, &asked);
    CHECK(tiles[0].width == 0 && tiles[0].height == 65535);
    set16(&m, 8, 6); /* the same number twice */
    load(&m, 8, 16, tiles, &asked);
    CHECK_INT(asked, 1);
    CHECK(tiles[0].width == 8 && tiles[0].height == 16);
    set16(&m, 8, 3); /* no image */
    load(&m, 8, 16, tiles, &asked);
    CHECK_INT(asked, 2);
    CHECK(tiles[0].width == 0 && tiles[0].height == 0 && tiles[1].width == 8);
    set16(&m, 8, 0xFFFF); /* none */
    load(&m, 8, 16, tiles, &asked);
    CHECK_INT(asked, 1);
    CHECK(tiles[0].width == 0);
    buffer_free(&m);
}

/* ---- listing ---- */

typedef struct seen {
    char names[64][24], records[8][16];
    uint64_t offsets[64], starts[8];
    size_t fields, record_count, depth, from, to;
} seen;

static void see_list(void *user, const char *name, uint32_t count, uint64_t offset)
{
    (void)user, (void)name, (void)count, (void)offset;
}

static void see_list_end(void *user)
{
    (void)user;
}

static void see_record(void *user, const char *name, uint64_t offset)
{
    seen *s = user;
    s->depth++;
    if (name && strncmp(name, "tile", 4) == 0 && s->record_count < 8) {
        strncpy(s->records[s->record_count], name, 15);
        s->starts[s->record_count++] = offset;
    }
}

static void see_record_end(void *user)
{
    ((seen *)user)->depth--;
}

static void see_field(void *user, const char *name, const trilo_value *value)
{
    seen *s = user;
    if (value->offset >= s->from && value->offset < s->to && s->fields < 64) {
        strncpy(s->names[s->fields], name, 23);
        s->offsets[s->fields++] = value->offset;
    }
}

TEST(fields_are_listed_at_their_bytes)
{
    static const struct {
        const char *name;
        size_t at;
    } want[] = {{"type", 0},         {"flags", 0},        {"draw_flags", 4}, {"asset", 8},
                {"placeholder", 10}, {"slot", 11},        {"s.offset", 12},  {"s.repeats", 14},
                {"s.scale", 16},     {"s.mirror", 17},    {"t.offset", 18},  {"t.repeats", 20},
                {"t.scale", 22},     {"t.mirror", 23},    {"asset", 24},     {"placeholder", 26},
                {"slot", 27},        {"s.offset", 28},    {"s.repeats", 30}, {"s.scale", 32},
                {"s.mirror", 33},    {"t.offset", 34},    {"t.repeats", 36}, {"t.scale", 38},
                {"t.mirror", 39},    {"combiner", 40},    {"blender", 48},   {"fog", 52},
                {"prim", 56},        {"env", 60},         {"prim_z", 64},    {"prim_delta_z", 66},
                {"z_offset", 68},    {"effect_args", 70}, {"effect", 74},    {"alpha_threshold", 75},
                {"k4", 76},          {"k5", 77},          {"prim_lod", 78}};
    buffer m = {0}, file = {0};
    trilo_error err = {0};
    pyrite64_all(&m);
    const pyrite64_chunk chunk = {'m', m.data, m.size};
    pyrite64_kite(&file, &chunk, 1);
    static seen s;
    s = (seen){.from = 0};
    while (memcmp(file.data + s.from, m.data, m.size) != 0)
        s.from++;
    s.to = s.from + 80;
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, &err);
    CHECK(document);
    const trilo_visitor visitor = {&s, see_list, see_list_end, see_record, see_record_end, see_field};
    trilo_document_visit(document, &visitor);
    CHECK_INT(s.depth, 0);
    CHECK_INT(s.fields, sizeof want / sizeof *want);
    for (size_t i = 0; i < s.fields; i++) {
        CHECK_STR(s.names[i], want[i].name);
        CHECK_INT(s.offsets[i], s.from + want[i].at);
    }
    CHECK_INT(s.record_count, 2);
    CHECK_STR(s.records[0], "tile0");
    CHECK_STR(s.records[1], "tile1");
    CHECK(s.starts[0] == s.from + 8 && s.starts[1] == s.from + 24);
    trilo_document_free(document);
    buffer_free(&m);
    buffer_free(&file);
}

TEST_MAIN(CASE(findings_name_the_tile), CASE(a_tile_alone_is_where_the_first_would_be),
          CASE(findings_name_the_material), CASE(engines_must_not_be_mixed), CASE(errors_say_how_many_bytes_there_are),
          CASE(values_need_their_flags), CASE(assets_are_rows_of_the_table), CASE(other_files_are_no_table),
          CASE(types_of_assets_have_names), CASE(sizes_are_those_of_images_or_effects),
          CASE(fields_are_listed_at_their_bytes))

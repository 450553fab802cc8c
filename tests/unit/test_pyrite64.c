/* Materials of Pyrite64: bytes made here by hand from the description of the format. */
#include "harness.h"
#include "n64/modes.h"
#include "support/buffer.h"
#include "support/findings.h"
#include "support/pyrite64_files.h"
#include "support/t3dm_files.h"
#include "trilobite/trilobite.h"

#include <string.h>

/* ---- the record ---- */

TEST(every_field_is_read_and_written_again)
{
    buffer all = {0};
    trilo_pyrite64_material m;
    trilo_error err = {0};
    uint8_t again[TRILO_PYRITE64_MATERIAL_MOST];
    pyrite64_all(&all);
    CHECK_INT(all.size, TRILO_PYRITE64_MATERIAL_MOST);
    CHECK(trilo_pyrite64_material_read((trilo_bytes){all.data, all.size}, &m, &err));
    CHECK_INT(m.draw_flags, TRILO_N64_DEPTH | TRILO_N64_TEXTURED | TRILO_N64_SHADED | TRILO_N64_UNLIT);
    CHECK_INT(m.tiles[0].asset, 5);
    CHECK_INT(m.tiles[0].placeholder, TRILO_PYRITE64_PLACEHOLDER_TEXTURE);
    CHECK_INT(m.tiles[0].slot, 3);
    CHECK_INT(m.tiles[0].s.offset, 0xFEE0);
    CHECK_INT(m.tiles[0].s.repeats, 0x8000);
    CHECK_INT(m.tiles[0].s.scale, 1);
    CHECK_INT(m.tiles[0].s.mirror, 0);
    CHECK_INT(m.tiles[0].t.offset, 64);
    CHECK_INT(m.tiles[0].t.repeats, 16);
    CHECK_INT(m.tiles[0].t.scale, -1);
    CHECK_INT(m.tiles[0].t.mirror, 1);
    CHECK_INT(m.tiles[1].asset, 6);
    CHECK(m.combiner == UINT64_C(0x0077ECEF77DB7FBF));
    CHECK_INT(m.blender, 0x005A0040);
    CHECK_INT(m.fog, 0x0AF00000);
    CHECK(memcmp(m.prim, "\x01\x02\x03\x04", 4) == 0 && memcmp(m.env, "\x7F\x3F\x1F\x0F", 4) == 0);
    CHECK_INT(m.prim_z, 0x1234);
    CHECK_INT(m.prim_delta_z, 0x56);
    CHECK_INT(m.z_offset, -16);
    CHECK_INT(m.effect_args[0], 64);
    CHECK_INT(m.effect_args[1], 32);
    CHECK_INT(m.effect, TRILO_N64_EFFECT_SPHERICAL_UV);
    CHECK_INT(m.alpha_threshold, 0x80);
    CHECK(m.k4 == 0x11 && m.k5 == 0x22 && m.prim_lod == 0x33);
    CHECK_INT(trilo_pyrite64_material_write(&m, again), all.size);
    CHECK(memcmp(again, all.data, all.size) == 0);
    buffer_free(&all);
}

/* Each field alone, and all pairs: the size follows from the flags. */
TEST(fields_are_there_when_their_flag_is_set)
{
    static const uint8_t sizes[18] = {[1] = 4,  [5] = 4,  [7] = 1,  [8] = 16, [9] = 16, [10] = 8, [11] = 4,
                                      [12] = 2, [13] = 1, [14] = 4, [15] = 4, [16] = 5, [17] = 2};
    for (int a = 0; a < 18; a++)
        for (int b = 0; b < 18; b++) {
            const trilo_pyrite64_material m = {.flags = 1u << a | 1u << b};
            uint8_t out[TRILO_PYRITE64_MATERIAL_MOST];
            CHECK_INT(trilo_pyrite64_material_write(&m, out), 8 + sizes[a] + (a != b ? sizes[b] : 0));
        }
}

static bool reads(const uint8_t *bytes, size_t size, const char *rule)
{
    trilo_pyrite64_material m;
    trilo_error err = {0};
    if (trilo_pyrite64_material_read((trilo_bytes){bytes, size}, &m, &err))
        return !*rule;
    return strcmp(err.rule, rule) == 0;
}

TEST(other_layouts_are_not_guessed)
{
    buffer all = {0};
    pyrite64_all(&all);
    pyrite64_put(&all, 0, 8);
    for (size_t size = 0; size < 79; size++)
        CHECK(reads(all.data, size, "T3DM-PYRITE64-SHORT"));
    for (size_t size = 79; size < 79 + 8; size++)
        CHECK(reads(all.data, size, ""));
    CHECK(reads(all.data, 79 + 8, "T3DM-FOREIGN-MATERIAL"));
    all.data[79] = 1;
    CHECK(reads(all.data, 80, "T3DM-FOREIGN-MATERIAL"));
    all.data[79] = 0;
    all.data[0] |= 0x40;
    CHECK(reads(all.data, 80, "T3DM-FOREIGN-MATERIAL"));
    all.data[0] ^= 0x40;
    all.data[10] = 3; /* kind of placeholder */
    CHECK(reads(all.data, 80, "T3DM-FOREIGN-MATERIAL"));
    /* Values whose flag is not set; bit 19 alone has a meaning. */
    for (int bit = 19; bit < 32; bit++) {
        const uint32_t flags = 1u << bit;
        const uint8_t bytes[8] = {(uint8_t)(flags >> 24), (uint8_t)(flags >> 16), (uint8_t)(flags >> 8)};
        CHECK(reads(bytes, 8, bit == 19 ? "" : "T3DM-FOREIGN-MATERIAL"));
    }
    buffer_free(&all);
}

/* ---- files ---- */

static bool find_asset(void *user, uint32_t number, trilo_found_asset *found)
{
    const uint32_t *types = user; /* of assets 5 and 6 */
    *found = (trilo_found_asset){.source = TRILO_ASSET_SOURCE_TABLE, .count = 7, .width = 64, .height = 16};
    if (number != 5 && number != 6)
        return false;
    found->type = types[number - 5];
    memcpy(found->path, number == 5 ? "rom:/a.sprite" : "rom:/b.sprite", sizeof "rom:/a.sprite");
    return true;
}

static const uint32_t images[2] = {1, 1};

static void make_file(buffer *file, const buffer *material)
{
    const pyrite64_chunk chunk = {'m', material->data, material->size};
    pyrite64_kite(file, &chunk, 1);
}

static const trilo_model *load(const buffer *file, trilo_find_asset_fn *find, const uint32_t types[2])
{
    trilo_error err = {0};
    const trilo_load_opts opts = {.find_asset = find, .find_asset_user = (void *)(uintptr_t)types};
    const trilo_model *model = trilo_model_load(file->data, file->size, &opts, &err);
    if (!model)
        FAIL("%s: %s", err.rule, err.text);
    return model;
}

TEST(materials_become_the_state_of_the_rdp)
{
    buffer all = {0}, file = {0};
    pyrite64_all(&all);
    make_file(&file, &all);
    const trilo_model *model = load(&file, find_asset, images);
    CHECK_INT(model->material_count, 1);
    CHECK_INT(model->chunk_count, 1); /* X, not m */
    const trilo_n64_material *n64 = model->materials[0].n64;
    CHECK(n64 && model->materials[0].raw.size == all.size);
    CHECK(n64->combiner == UINT64_C(0x0077ECEF77DB7FBF));
    /* Alpha compare, AA reduced, Z write alone, dither 6, filter 3, perspective. */
    CHECK(n64->other_mode ==
          (1 | 1 << 3 | 1 << 5 | UINT64_C(1) << 34 | UINT64_C(6) << 36 | UINT64_C(3) << 44 | UINT64_C(1) << 51));
    CHECK(n64->other_mask ==
          (1 | 7 << 3 | UINT64_C(1) << 34 | UINT64_C(15) << 36 | UINT64_C(3) << 44 | UINT64_C(1) << 51));
    CHECK_INT(n64->blender, 0x005A0040);
    CHECK_INT(n64->set_flags, TRILO_N64_SET_PRIM | TRILO_N64_SET_ENV);
    CHECK_INT(n64->blend[3], 0x80);
    CHECK_INT(n64->engine_flags, 0x7F);
    CHECK_INT(n64->z_offset, -16);
    /* Sizes: of tile 0 the arguments of the effect, of tile 1 the image. */
    CHECK_INT(n64->tiles[0].width, 64);
    CHECK_INT(n64->tiles[0].height, 32);
    CHECK_INT(n64->tiles[1].width, 64);
    CHECK_INT(n64->tiles[1].height, 16);
    CHECK_INT(n64->tiles[0].reference, 4);
    CHECK_STR(model->textures[n64->tiles[0].texture].path.data, "rom:/a.sprite");
    CHECK_STR(model->textures[n64->tiles[1].texture].path.data, "rom:/b.sprite");
    /* S endless from 0xFEE0 / 64 on; T once, from texel 1 on. Tile 1: S twice. */
    CHECK_NEAR(n64->tiles[0].s.low, 1019.5, 0);
    CHECK(!n64->tiles[0].s.clamp && n64->tiles[0].s.high == 1019.5f + 63);
    CHECK(n64->tiles[0].t.clamp && n64->tiles[0].t.low == 1 && n64->tiles[0].t.high == 32);
    CHECK(n64->tiles[0].t.mirror && n64->tiles[0].t.shift == -1 && n64->tiles[0].s.shift == 1);
    CHECK(n64->tiles[1].s.clamp && n64->tiles[1].s.high == 127);
    char text[256];
    trilo_n64_other_mode_text(n64->other_mode, n64->other_mask, text, sizeof text);
    CHECK_STR(text, "average, alpha compare, no z compare, z write, perspective, reduced anti-aliasing, "
                    "dither bayer/noise");
    trilo_model_free(model);
    buffer_free(&all);
    buffer_free(&file);
}

TEST(numbers_that_nobody_knows_stay_numbers)
{
    buffer m = {0}, file = {0};
    pyrite64_textured(&m, 12);
    make_file(&file, &m);
    const trilo_model *model = load(&file, NULL, NULL);
    CHECK_INT(model->texture_count, 1);
    CHECK_STR(model->textures[0].path.data, "asset:12");
    trilo_model_free(model);
    buffer_free(&m);
    buffer_free(&file);
}

/* ---- listing ---- */

/* Of the fields that a visitor sees: how many are within the material, and some of their values. */
typedef struct seen {
    size_t from, to, fields;
    int64_t z_offset, alpha_threshold, prim_lod;
} seen;

static void see_list(void *user, const char *name, uint32_t count, uint64_t offset)
{
    (void)user, (void)name, (void)count, (void)offset;
}

static void see_record(void *user, const char *name, uint64_t offset)
{
    (void)user, (void)name, (void)offset;
}

static void see_end(void *user)
{
    (void)user;
}

static void see_field(void *user, const char *name, const trilo_value *value)
{
    seen *s = user;
    if (value->offset < s->from || value->offset >= s->to)
        return;
    s->fields++;
    s->z_offset = strcmp(name, "z_offset") == 0 ? value->as.i[0] : s->z_offset;
    s->alpha_threshold = strcmp(name, "alpha_threshold") == 0 ? (int64_t)value->as.u[0] : s->alpha_threshold;
    s->prim_lod = strcmp(name, "prim_lod") == 0 ? (int64_t)value->as.u[0] : s->prim_lod;
}

/* The last field is where the record ends, so all before it were in their places. */
TEST(every_field_is_listed)
{
    buffer m = {0}, file = {0};
    trilo_error err = {0};
    pyrite64_all(&m);
    make_file(&file, &m);
    seen s = {.from = 0};
    while (memcmp(file.data + s.from, m.data, m.size) != 0)
        s.from++;
    s.to = s.from + m.size;
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, &err);
    CHECK(document);
    const trilo_visitor visitor = {&s, see_list, see_end, see_record, see_end, see_field};
    trilo_document_visit(document, &visitor);
    CHECK(s.fields > 30);
    CHECK_INT(s.z_offset, -16);
    CHECK_INT(s.alpha_threshold, 0x80);
    CHECK_INT(s.prim_lod, 0x33);
    trilo_document_free(document);
    buffer_free(&m);
    buffer_free(&file);
}

/* ---- nothing is lost ---- */

static void same_material_after(const buffer *file, const trilo_convert_opts *opts, const buffer *material,
                                const char *what)
{
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(file->data, file->size, NULL, &err);
    CHECK(document);
    const trilo_conversion *result = trilo_convert(document, opts, &err);
    if (!result)
        FAIL("%s: %s", what, err.text);
    const trilo_model *model = trilo_model_load(result->bytes.data, result->bytes.size, NULL, &err);
    if (!model)
        FAIL("%s: %s", what, err.text);
    CHECK_INT(model->material_count, 1);
    const trilo_bytes raw = model->materials[0].raw;
    if (raw.size < material->size || memcmp(raw.data, material->data, material->size) != 0)
        FAIL("%s: the material changed", what);
    trilo_model_free(model);
    trilo_conversion_free(result);
    trilo_document_free(document);
}

static void survives(const buffer *material)
{
    buffer file = {0};
    make_file(&file, material);
    const trilo_write_opts twice = {.t3dm = &(trilo_t3dm_write_opts){.scale = 2}},
                           old = {.t3dm = &(trilo_t3dm_write_opts){.version = 3}}, gltf = {.format = TRILO_FORMAT_GLTF};
    const trilo_model_edit_opts drop = {.drop_textures = true};
    const trilo_optimize_opts optimize = {.level = 1};
    same_material_after(&file, NULL, material, "exact");
    same_material_after(&file, &(trilo_convert_opts){.reencode = true}, material, "reencode");
    same_material_after(&file, &(trilo_convert_opts){.reencode = true, .write = &twice}, material, "scale");
    same_material_after(&file, &(trilo_convert_opts){.write = &old}, material, "version");
    same_material_after(&file, &(trilo_convert_opts){.edit = &drop}, material, "edit");
    same_material_after(&file, &(trilo_convert_opts){.optimize = &optimize}, material, "optimize");
    same_material_after(&file, &(trilo_convert_opts){.write = &gltf, .single_file = true}, material, "glTF");
    buffer_free(&file);
}

TEST(materials_survive_every_rewrite)
{
    static const uint8_t foreign[24] = "an engine of its own";
    buffer all = {0}, other = {0};
    pyrite64_all(&all);
    buffer_sink(&other, foreign, sizeof foreign);
    survives(&all);
    survives(&other);
    buffer_free(&all);
    buffer_free(&other);
}

/* Through glTF the state is the same, too, not only the bytes: a picture of it, and materials of Tiny3D made of it, are
 * those of the model. */
TEST(the_state_survives_gltf)
{
    const trilo_write_opts gltf = {.format = TRILO_FORMAT_GLTF};
    const trilo_load_opts load_opts = {.find_asset = find_asset, .find_asset_user = (void *)(uintptr_t)images};
    buffer all = {0}, file = {0};
    trilo_error err = {0};
    pyrite64_all(&all);
    make_file(&file, &all);
    const trilo_model *model = load(&file, find_asset, images);
    trilo_document *document = trilo_document_open(file.data, file.size, &load_opts, &err);
    const trilo_conversion *result =
        trilo_convert(document, &(trilo_convert_opts){.write = &gltf, .single_file = true}, &err);
    if (!result)
        FAIL("%s", err.text);
    const trilo_model *again = trilo_model_load(result->bytes.data, result->bytes.size, NULL, &err);
    CHECK(again && again->material_count == 1);
    const trilo_n64_material *a = model->materials[0].n64, *b = again->materials[0].n64;
    CHECK(b);
    CHECK_INT(b->engine_flags, 0x7F);
    CHECK(a->k4 == b->k4 && a->k5 == b->k5 && a->prim_lod == b->prim_lod && a->fog_blender == b->fog_blender);
    CHECK(a->k4 != 0 && a->k5 != 0 && a->prim_lod != 0 && a->fog_blender != 0);
    CHECK(a->prim_z == b->prim_z && a->prim_delta_z == b->prim_delta_z && a->z_offset == b->z_offset);
    CHECK(a->prim_z != 0 && a->prim_delta_z != 0 && b->z_offset == -16);
    CHECK(a->other_mode == b->other_mode && a->other_mask == b->other_mask && a->blender == b->blender);
    trilo_model_free(again);
    trilo_conversion_free(result);
    trilo_document_free(document);
    trilo_model_free(model);
    buffer_free(&all);
    buffer_free(&file);
}

/* ---- writing ---- */

/* The bytes of a material, changed at one place. */
static void change(buffer *b, size_t at, const char *bytes, size_t size)
{
    memcpy(b->data + at, bytes, size);
}

static uint32_t asset_number(void *user, const char *path)
{
    (void)user;
    return strcmp(path, "rom:/dot.sprite") == 0 ? 0x0102 : TRILO_NONE;
}

/* The kite's own material in another kind; NULL when it is refused, with *err. */
static const trilo_model *convert_materials(const buffer *file, const trilo_t3dm_write_opts *t3dm, listener *l,
                                            trilo_error *err)
{
    const trilo_write_opts write = {.t3dm = t3dm};
    const trilo_convert_opts opts = {.write = &write, .on_finding = listen, .on_finding_user = l};
    const trilo_load_opts load = {.find_asset = find_asset, .find_asset_user = (void *)(uintptr_t)images};
    trilo_document *document = trilo_document_open(file->data, file->size, &load, err);
    CHECK(document);
    *l = (listener){.count = 0};
    const trilo_conversion *result = trilo_convert(document, &opts, err);
    const trilo_model *model = result ? trilo_model_load(result->bytes.data, result->bytes.size, NULL, err) : NULL;
    CHECK(!result || model);
    trilo_conversion_free(result);
    trilo_document_free(document);
    return model;
}

static void set_float(buffer *b, size_t at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (size_t i = 0; i < 4; i++)
        b->data[at + i] = (uint8_t)(bits >> (24 - 8 * i));
}

TEST(materials_of_tiny3d_become_pyrite64s)
{
    const trilo_t3dm_write_opts t3dm = {.materials = TRILO_T3DM_MATERIALS_PYRITE64, .asset_number = asset_number};
    buffer file = {0}, want = {0};
    t3dm_places at;
    trilo_error err = {0};
    listener l;
    t3dm_kite(&file, 4, &at);
    /* S of 32 texels: from -4.5 on, clamped after two repeats. T of 16 texels: endless. */
    set_float(&file, at.texture + 0x14, -4.5f);
    set_float(&file, at.texture + 0x18, -4.5f + 63);
    file.data[at.texture + 0x2B] = 0;
    file.data[at.material + 0x19] = 0x50, file.data[at.material + 0x1B] = 0x40; /* alpha multiply */
    const trilo_model *model = convert_materials(&file, &t3dm, &l, &err);
    if (!model)
        FAIL("%s", err.text);
    /* FILTER (point), TEX0, CC, BLENDER, PRIM, OVERRIDE. */
    pyrite64_put(&want, 1u << 3 | 1u << 8 | 1u << 10 | 1u << 11 | 1u << 14 | 1u << 18, 4);
    pyrite64_put(&want, 1 | 2 | 4 | 0x10, 4);
    pyrite64_put(&want, 0x01020000, 4);
    pyrite64_put(&want, 0xFEE00020, 4), pyrite64_put(&want, 0xFF00, 2);
    pyrite64_put(&want, 0x00008000, 4), pyrite64_put(&want, 0xFF00, 2);
    pyrite64_put(&want, 0x00127E2488FFFDFE, 8);
    pyrite64_put(&want, 0x00500040, 4);
    pyrite64_put(&want, 0x10203040, 4);
    CHECK_INT(model->materials[0].raw.size, want.size);
    CHECK(memcmp(model->materials[0].raw.data, want.data, want.size) == 0);
    CHECK_INT(heard(&l, "T3DM-PYRITE64-LOST"), l.count);
    trilo_model_free(model);
    /* Fog on, a decal and a blend colour have no place; a texture that the game puts there is a placeholder. */
    file.data[at.material + 0x21] = TRILO_N64_FOG_ON;
    file.data[at.material + 0x0E] = file.data[at.material + 0x16] = 0x0C;
    file.data[at.texture + 3] = 77;
    model = convert_materials(&file, &t3dm, &l, &err);
    CHECK(model);
    expect(&l, "T3DM-PYRITE64-LOST", "materials[0]", "fog and decal");
    trilo_pyrite64_material m;
    CHECK(trilo_pyrite64_material_read(model->materials[0].raw, &m, &err));
    CHECK(m.tiles[0].placeholder == TRILO_PYRITE64_PLACEHOLDER_TEXTURE && m.tiles[0].slot == 0 &&
          m.tiles[0].asset == 0x0102);
    trilo_model_free(model);
    /* One texel wide: the same 64 texels are 64 repeats, in sixteenths. */
    change(&file, at.texture + 0x10, "\0\1", 2);
    model = convert_materials(&file, &t3dm, &l, &err);
    CHECK(model && trilo_pyrite64_material_read(model->materials[0].raw, &m, &err));
    CHECK_INT(m.tiles[0].s.repeats, 64 * 16);
    trilo_model_free(model);
    /* An image that the project does not have. */
    const trilo_t3dm_write_opts alone = {.materials = TRILO_T3DM_MATERIALS_PYRITE64};
    CHECK(!convert_materials(&file, &alone, &l, &err));
    CHECK_STR(err.rule, "T3DM-PYRITE64-ASSET");
    buffer_free(&file);
    buffer_free(&want);
}

/* None, full and reduced, as Pyrite64 counts them. */
TEST(antialiasing_is_one_of_three)
{
    static const uint64_t modes[] = {0, TL_MODE_AA, TL_MODE_AA | TL_MODE_REDUCED_AA};
    const trilo_t3dm_write_opts t3dm = {.materials = TRILO_T3DM_MATERIALS_PYRITE64, .asset_number = asset_number};
    for (uint32_t i = 0; i < 3; i++) {
        buffer file = {0};
        t3dm_places at;
        trilo_error err = {0};
        listener l;
        trilo_pyrite64_material m;
        t3dm_kite(&file, 4, &at);
        for (int byte = 0; byte < 8; byte++) {
            file.data[at.material + 8 + (size_t)byte] |= (uint8_t)(modes[i] >> (56 - 8 * byte));
            file.data[at.material + 16 + (size_t)byte] |=
                (uint8_t)((TL_MODE_AA | TL_MODE_REDUCED_AA) >> (56 - 8 * byte));
        }
        const trilo_model *model = convert_materials(&file, &t3dm, &l, &err);
        CHECK(model && trilo_pyrite64_material_read(model->materials[0].raw, &m, &err));
        CHECK((m.flags & TRILO_PYRITE64_AA) != 0);
        CHECK_INT(m.flags >> TRILO_PYRITE64_AA_AT & 3, i);
        trilo_model_free(model);
        buffer_free(&file);
    }
}

TEST(materials_of_pyrite64_become_tiny3ds)
{
    const trilo_t3dm_write_opts t3dm = {.materials = TRILO_T3DM_MATERIALS_TINY3D};
    buffer all = {0}, file = {0}, foreign = {0};
    trilo_error err = {0};
    listener l;
    pyrite64_all(&all);
    make_file(&file, &all);
    const trilo_model *model = convert_materials(&file, &t3dm, &l, &err);
    if (!model)
        FAIL("%s", err.text);
    const trilo_n64_material *n64 = model->materials[0].n64;
    CHECK_INT(model->materials[0].raw.size, 0);
    CHECK_STR(model->materials[0].name.data, "m0");
    CHECK(n64->combiner == UINT64_C(0x0077ECEF77DB7FBF) && n64->blender == 0x005A0040);
    CHECK(n64->other_mode ==
          (1 | 1 << 3 | 1 << 5 | UINT64_C(1) << 34 | UINT64_C(6) << 36 | UINT64_C(3) << 44 | UINT64_C(1) << 51));
    CHECK(n64->other_mask ==
          (1 | 7 << 3 | 0xC00 | UINT64_C(1) << 34 | UINT64_C(15) << 36 | UINT64_C(3) << 44 | UINT64_C(1) << 51));
    CHECK_INT(n64->blend[3], 0x80);
    CHECK(n64->tiles[0].texture == TRILO_NONE && n64->tiles[0].reference == 4);
    CHECK_STR(model->textures[n64->tiles[1].texture].path.data, "rom:/b.sprite");
    expect(&l, "T3DM-PYRITE64-LOST", "materials[0]", "what Tiny3D does not have");
    CHECK_STR(l.texts[heard(&l, "T3DM-PYRITE64-LOST")],
              "materials of Tiny3D cannot have: a blender of fog, a fixed depth, K4 and K5, a primitive LOD, "
              "a depth offset");
    trilo_model_free(model);
    buffer_free(&file);
    /* A number without a table has no path, and unknown bytes have no meaning. */
    change(&all, 24, "\x00\x09", 2);
    file = (buffer){0};
    make_file(&file, &all);
    CHECK(!convert_materials(&file, &t3dm, &l, &err));
    CHECK_STR(err.rule, "T3DM-PYRITE64-ASSET");
    buffer_free(&file);
    buffer_sink(&foreign, "an engine of its own....", 24);
    file = (buffer){0};
    make_file(&file, &foreign);
    CHECK(!convert_materials(&file, &t3dm, &l, &err));
    CHECK_STR(err.rule, "T3DM-FOREIGN-MATERIAL");
    buffer_free(&file);
    buffer_free(&all);
    buffer_free(&foreign);
}

static bool ignore_companion(void *user, const char *name, trilo_bytes bytes)
{
    (void)user, (void)name, (void)bytes;
    return true;
}

/* Scenes name objects by their numbers: none may be sorted or left out unless that is asked for. */
TEST(objects_keep_their_numbers)
{
    buffer m = {0}, file = {0}, out = {0};
    trilo_error err = {0};
    pyrite64_textured(&m, 5);
    make_file(&file, &m);
    const trilo_model *kite = load(&file, NULL, NULL);
    trilo_mesh meshes[3] = {kite->meshes[0], kite->meshes[0], kite->meshes[0]};
    meshes[0].name = (trilo_str){"z", 1};
    meshes[1].name = (trilo_str){"empty", 5};
    meshes[1].index_count = 0;
    meshes[2].name = (trilo_str){"a", 1};
    trilo_model model = *kite;
    model.format = TRILO_FORMAT_GLTF;
    model.meshes = meshes;
    model.mesh_count = 3;
    model.bvh = NULL;
    for (int sorted = 0; sorted < 2; sorted++) {
        const trilo_write_opts opts = {
            .format = TRILO_FORMAT_T3DM,
            .t3dm = &(trilo_t3dm_write_opts){.order = sorted ? TRILO_T3DM_ORDER_NAME : TRILO_T3DM_ORDER_AUTO},
            .companion = ignore_companion};
        if (!trilo_model_write(&model, &opts, buffer_sink, &out, &err))
            FAIL("%s", err.text);
        const trilo_model *written = load(&out, NULL, NULL);
        CHECK_INT(written->mesh_count, 3);
        CHECK_STR(written->meshes[0].name.data, sorted ? "a" : "z");
        trilo_model_free(written);
        buffer_free(&out);
        out = (buffer){0};
    }
    trilo_model_free(kite);
    buffer_free(&m);
    buffer_free(&file);
}

static bool editor_uvs(void *user, const trilo_model *model, uint32_t material, trilo_material_uvs *uvs)
{
    CHECK_STR(model->materials[material].name.data, "paint");
    *uvs = *(const trilo_material_uvs *)user;
    return true;
}

static bool editor_raw(void *user, const trilo_model *model, uint32_t material, trilo_bytes *raw)
{
    CHECK(material < model->material_count);
    *raw = *(const trilo_bytes *)user;
    return true;
}

/* An editor says what coordinates are made for, gives the bytes of a material, and adds chunks. */
TEST(editors_have_a_say)
{
    static const uint8_t own[9] = "materials";
    trilo_material_uvs uvs = {64, 64, true};
    trilo_bytes raw = {own, sizeof own};
    const trilo_chunk more = {'Q', {own, 4}};
    buffer file = {0}, out = {0};
    t3dm_places at;
    trilo_error err = {0};
    t3dm_kite(&file, 4, &at);
    const trilo_model *kite = load(&file, NULL, NULL);
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                   .t3dm = &(trilo_t3dm_write_opts){.material_uvs = editor_uvs,
                                                                    .material_uvs_user = &uvs,
                                                                    .material_raw = editor_raw,
                                                                    .material_raw_user = &raw,
                                                                    .chunk_count = 1,
                                                                    .chunks = &more},
                                   .companion = ignore_companion};
    if (!trilo_model_write(kite, &opts, buffer_sink, &out, &err))
        FAIL("%s", err.text);
    const trilo_model *written = load(&out, NULL, NULL);
    CHECK(written->materials[0].raw.size >= sizeof own && memcmp(written->materials[0].raw.data, own, sizeof own) == 0);
    CHECK_INT(written->chunk_count, 2);
    CHECK_INT(written->chunks[1].type, 'Q');
    /* Vertex i had 32 i of a texture of 32 x 16, and is read as of 32 x 32 without a filter. */
    for (uint32_t i = 0; i < written->meshes[0].vertex_count; i++) {
        const float x = written->meshes[0].positions[i][0];
        if (x <= 50 && written->meshes[0].positions[i][1] <= 5)
            CHECK_NEAR(written->meshes[0].uvs[i][0], (x / 10 * 32 / 1024 * 2048 - 16) / 1024, 1e-6);
    }
    trilo_model_free(written);
    trilo_model_free(kite);
    buffer_free(&file);
    buffer_free(&out);
}

TEST(scale_is_the_largest_power_of_two_that_fits)
{
    const trilo_bounds empty = {{1, 1, 1}, {0, 0, 0}}, small = {{-1, -58.5f, 0}, {1, 1, 1}},
                       larger = {{0, 0, 0}, {0, 0, 58.7f}}, huge = {{-40000, 0, 0}, {0, 0, 0}};
    CHECK_NEAR(trilo_pyrite64_scale(&empty), 64, 0);
    CHECK_NEAR(trilo_pyrite64_scale(&small), 512, 0);
    CHECK_NEAR(trilo_pyrite64_scale(&larger), 256, 0);
    CHECK_NEAR(trilo_pyrite64_scale(&huge), 1, 0);
}

/* ---- findings ---- */

static void findings_of(const buffer *material, trilo_find_asset_fn *find, const uint32_t types[2], listener *l)
{
    buffer file = {0};
    const trilo_load_opts opts = {.find_asset = find, .find_asset_user = (void *)(uintptr_t)types};
    make_file(&file, material);
    listen_to(&file, &opts, l);
    buffer_free(&file);
}

TEST(a_valid_material_has_no_finding)
{
    buffer m = {0};
    listener l;
    pyrite64_textured(&m, 5);
    findings_of(&m, find_asset, images, &l);
    CHECK_INT(heard(&l, "T3DM-PYRITE64-ASSET"), l.count);
    for (size_t i = 0; i < l.count; i++)
        CHECK(!strstr(l.rules[i], "PYRITE64") && !strstr(l.rules[i], "FOREIGN"));
    buffer_free(&m);
}

TEST(numbers_must_be_images)
{
    static const uint32_t model[2] = {4, 1};
    buffer m = {0};
    listener l;
    pyrite64_textured(&m, 5);
    findings_of(&m, find_asset, model, &l);
    expect(&l, "T3DM-PYRITE64-ASSET", "materials[0].tiles[0]", "a model");
    CHECK_STR(l.texts[heard(&l, "T3DM-PYRITE64-ASSET")], "asset 5 is a model, must be an image");
    change(&m, 8, "\x00\x09", 2);
    findings_of(&m, find_asset, images, &l);
    expect(&l, "T3DM-PYRITE64-ASSET", "materials[0].tiles[0]", "beyond the table");
    change(&m, 8, "\xFF\xFF", 2);
    findings_of(&m, find_asset, images, &l);
    expect(&l, "T3DM-PYRITE64-NO-ASSET", "materials[0].tiles[0]", "none");
    change(&m, 10, "\x02", 1);
    findings_of(&m, find_asset, images, &l);
    CHECK_INT(heard(&l, "T3DM-PYRITE64-NO-ASSET"), l.count);
    change(&m, 11, "\x08", 1);
    findings_of(&m, find_asset, images, &l);
    expect(&l, "T3DM-PYRITE64-PLACEHOLDER", "materials[0].tiles[0]", "slot");
    buffer_free(&m);
}

static bool compare_texture(void *user, trilo_source_texture *texture)
{
    const char *source = user;
    memcpy(texture->expected, source, strlen(source) + 1);
    return texture->tile != 0 || strcmp(texture->object, "kite") != 0 || strcmp(texture->path, source) == 0;
}

TEST(textures_must_be_those_of_the_source)
{
    buffer m = {0}, file = {0};
    listener l;
    trilo_load_opts opts = {.find_asset = find_asset,
                            .find_asset_user = (void *)(uintptr_t)images,
                            .compare_texture = compare_texture,
                            .compare_texture_user = "rom:/a.sprite"};
    pyrite64_textured(&m, 5);
    make_file(&file, &m);
    listen_to(&file, &opts, &l);
    CHECK_INT(heard(&l, "T3DM-PYRITE64-STALE"), l.count);
    opts.compare_texture_user = "rom:/b.sprite";
    listen_to(&file, &opts, &l);
    expect(&l, "T3DM-PYRITE64-STALE", "objects[0]", "another image");
    CHECK_STR(l.texts[heard(&l, "T3DM-PYRITE64-STALE")],
              "texture 0 is asset 5, \"rom:/a.sprite\", but the source has \"rom:/b.sprite\"");
    buffer_free(&m);
    buffer_free(&file);
}

static bool find_by_rank(void *user, uint32_t number, trilo_found_asset *found)
{
    const bool is_found = find_asset(user, number, found);
    found->source = TRILO_ASSET_SOURCE_RANK;
    return is_found;
}

TEST(counted_images_are_a_warning)
{
    buffer m = {0};
    listener l;
    pyrite64_textured(&m, 5);
    findings_of(&m, find_by_rank, images, &l);
    expect(&l, "T3DM-PYRITE64-RANK", "", "no table");
    buffer_free(&m);
}

TEST(defects_of_the_writer_are_found)
{
    buffer m = {0};
    listener l;
    pyrite64_all(&m);
    findings_of(&m, find_asset, images, &l);
    expect(&l, "T3DM-PYRITE64-DEPTH", "materials[0]", "depth");
    CHECK_INT(heard(&l, "T3DM-PYRITE64-AA"), l.count);
    change(&m, 26, "\x01", 1); /* tile 1 is a placeholder, too */
    findings_of(&m, find_asset, images, &l);
    expect(&l, "T3DM-PYRITE64-AA", "materials[0]", "AA");
    m.size -= 8; /* so many that padding does not fill it up */
    findings_of(&m, find_asset, images, &l);
    expect(&l, "T3DM-PYRITE64-SHORT", "materials[0]", "short");
    buffer_free(&m);
}

/* Materials with two placeholders each. */
TEST(placeholders_must_fit_the_slots)
{
    buffer m = {0}, file = {0};
    trilo_error err = {0};
    pyrite64_all(&m);
    change(&m, 26, "\x01", 1);
    make_file(&file, &m);
    const trilo_model *kite = load(&file, NULL, NULL);
    trilo_material materials[5];
    for (int i = 0; i < 5; i++)
        materials[i] = kite->materials[0];
    trilo_model model = *kite;
    model.materials = materials;
    const trilo_write_opts opts = {
        .format = TRILO_FORMAT_T3DM, .profile = TRILO_WRITE_PROFILE_LOSSLESS, .companion = ignore_companion};
    for (uint32_t count = 4; count <= 5; count++) {
        buffer out = {0};
        listener l;
        model.material_count = count;
        CHECK(trilo_model_write(&model, &opts, buffer_sink, &out, &err));
        listen_to(&out, NULL, &l);
        CHECK((heard(&l, "T3DM-PYRITE64-PLACEHOLDER") < l.count) == (count == 5));
        buffer_free(&out);
    }
    trilo_model_free(kite);
    buffer_free(&m);
    buffer_free(&file);
}

TEST(engines_must_not_be_mixed)
{
    buffer m = {0}, file = {0};
    static const uint8_t tiny3d[140] = {0};
    listener l;
    pyrite64_textured(&m, 5);
    pyrite64_kite(&file, (const pyrite64_chunk[]){{'M', tiny3d, sizeof tiny3d}, {'m', m.data, m.size}}, 2);
    listen_to(&file, NULL, &l);
    expect(&l, "T3DM-PYRITE64-MIXED", "", "both");
    buffer_free(&m);
    buffer_free(&file);
}

TEST(an_unknown_layout_is_said_to_be_unknown)
{
    static const uint8_t foreign[24] = "an engine of its own";
    buffer m = {0}, file = {0};
    listener l;
    buffer_sink(&m, foreign, sizeof foreign);
    findings_of(&m, find_asset, images, &l);
    expect(&l, "T3DM-FOREIGN-MATERIAL", "materials[0]", "foreign");
    make_file(&file, &m);
    const trilo_model *model = load(&file, NULL, NULL);
    CHECK(!model->materials[0].n64 && model->materials[0].raw.size == sizeof foreign);
    trilo_model_free(model);
    buffer_free(&m);
    buffer_free(&file);
}

/* ---- collision meshes ---- */

/* Two triangles of four vertices, in the layout of a release. */
static void make_collision(buffer *b, int release, uint32_t last_index)
{
    const bool new = release >= 9;
    pyrite64_put(b, 2, 4), pyrite64_put(b, 4, 4), pyrite64_put(b, 0x3F800000, 4);
    if (new)
        pyrite64_put(b, 16 + 12 + 24 + 48, 4); /* where the BVH is */
    else
        pyrite64_put(b, 0, 8), pyrite64_put(b, 0, 4);
    pyrite64_put(b, 0x000000010002, 6), pyrite64_put(b, 0x00000002, 4), pyrite64_put(b, last_index, 2);
    for (int i = 0; i < 6; i++)
        pyrite64_put(b, 0, new ? 4 : 2); /* normals */
    for (int i = 0; i < 12; i++)
        pyrite64_put(b, 0, 4); /* positions */
    for (int i = 0; new &&i < 3; i++) {
        for (int k = 0; k < 6; k++)
            pyrite64_put(b, 0, 4);
        pyrite64_put(b, i == 0 ? 2 : 0x80000000u + (uint32_t)i - 1, 4);
    }
    for (int i = 0; release < 8 && i < 2; i++) {
        pyrite64_put(b, 1, 2), pyrite64_put(b, 2, 2); /* one node of two items */
        pyrite64_put(b, 0, 8), pyrite64_put(b, 0, 4), pyrite64_put(b, 2, 2);
        pyrite64_put(b, 0x00000001, 4);
    }
}

TEST(collision_meshes_are_known_by_their_counts)
{
    static const struct {
        int release;
        uint32_t bvhs, nodes;
        const char *since;
    } layouts[] = {{4, 2, 1, "0.1"}, {8, 0, 0, "0.8"}, {9, 1, 3, "0.9"}};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        buffer b = {0}, bad = {0};
        trilo_pyrite64_collision c;
        make_collision(&b, layouts[i].release, 3);
        CHECK(trilo_pyrite64_collision_read((trilo_bytes){b.data, b.size}, &c));
        CHECK(c.triangle_count == 2 && c.vertex_count == 4);
        CHECK_INT(c.bvh_count, layouts[i].bvhs);
        CHECK_INT(c.bvh_node_count, layouts[i].nodes);
        CHECK_STR(c.since, layouts[i].since);
        for (size_t size = 0; size < b.size; size++) {
            /* Without its BVHs, of which the first byte could be padding, it is that of 0.8. */
            const bool shorter = layouts[i].release < 8 && (size == b.size - 44 || size == b.size - 43);
            CHECK(trilo_pyrite64_collision_read((trilo_bytes){b.data, size}, &c) == shorter);
        }
        make_collision(&bad, layouts[i].release, 4);
        CHECK(!trilo_pyrite64_collision_read((trilo_bytes){bad.data, bad.size}, &c));
        buffer_free(&b);
        buffer_free(&bad);
    }
}

TEST_MAIN(CASE(antialiasing_is_one_of_three), CASE(every_field_is_read_and_written_again), CASE(every_field_is_listed),
          CASE(fields_are_there_when_their_flag_is_set), CASE(other_layouts_are_not_guessed),
          CASE(materials_become_the_state_of_the_rdp), CASE(numbers_that_nobody_knows_stay_numbers),
          CASE(materials_survive_every_rewrite), CASE(the_state_survives_gltf),
          CASE(materials_of_tiny3d_become_pyrite64s), CASE(materials_of_pyrite64_become_tiny3ds),
          CASE(objects_keep_their_numbers), CASE(editors_have_a_say), CASE(scale_is_the_largest_power_of_two_that_fits),
          CASE(a_valid_material_has_no_finding), CASE(numbers_must_be_images),
          CASE(textures_must_be_those_of_the_source), CASE(counted_images_are_a_warning),
          CASE(defects_of_the_writer_are_found), CASE(placeholders_must_fit_the_slots), CASE(engines_must_not_be_mixed),
          CASE(an_unknown_layout_is_said_to_be_unknown), CASE(collision_meshes_are_known_by_their_counts))

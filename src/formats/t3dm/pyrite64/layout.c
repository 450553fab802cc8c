/* The layout tables of a chunk `m` as Pyrite64 0.7 and later write it. */
#include "formats/t3dm/pyrite64/pyrite64.h"

#include <string.h>

#define PYRITE64_ROW(member, kind, at, meaning) TL_PLAIN_ROW(trilo_pyrite64_material, member, kind, at, meaning)

static const tl_field pyrite64_head_rows[] = {
    PYRITE64_ROW(
        flags, TL_U32, 0,
        "0 AA, 1 fog, 2 dither, 3 filter, 4 Z, 5 primitive Z, 6 perspective, 7 alpha compare, 8 and 9 the "
        "tiles, 10 combiner, 11 blender, 12 K4 and K5, 13 primitive LOD, 14 primitive colour, 15 environment "
        "colour, 16 vertex effect, 17 depth offset: what is set. 18: the mode is restored after the object. "
        "19: both tiles are placeholders. Values of what is set: 19-20 AA (0 none, 1 standard, 2 reduced), "
        "21-22 filter (0 point, 2 bilinear, 3 median), 23 Z compare, 24 Z write, 25 perspective, 26-29 dither"),
    PYRITE64_ROW(draw_flags, TL_U32, 4, "1 depth, 2 textured, 4 shaded, 8 cull front, 16 cull back, 65536 unlit"),
};
#define PYRITE64_TILE_ROW(member, kind, at, meaning) TL_PLAIN_ROW(trilo_pyrite64_tile, member, kind, at, meaning)
static const tl_field pyrite64_tile_rows[] = {
    PYRITE64_TILE_ROW(asset, TL_U16, 0, "number of the image in `p64/a`; 65535: none, for placeholders only"),
    PYRITE64_TILE_ROW(placeholder, TL_U8, 2,
                      "0 none, 1 the object replaces the rectangle of the tile, 2 the texture too"),
    PYRITE64_TILE_ROW(slot, TL_U8, 3, "of the placeholder, 0 to 7"),
    PYRITE64_TILE_ROW(s.offset, TL_U16, 4, "across, in 1/64 texel"),
    PYRITE64_TILE_ROW(s.repeats, TL_U16, 6, "in 1/16; 32768: endless"),
    PYRITE64_TILE_ROW(s.scale, TL_S8, 8, "power of two"),
    PYRITE64_TILE_ROW(s.mirror, TL_S8, 9, ""),
    PYRITE64_TILE_ROW(t.offset, TL_U16, 10, "the same, down"),
    PYRITE64_TILE_ROW(t.repeats, TL_U16, 12, ""),
    PYRITE64_TILE_ROW(t.scale, TL_S8, 14, ""),
    PYRITE64_TILE_ROW(t.mirror, TL_S8, 15, ""),
};
static const tl_field pyrite64_combiner_rows[] = {
    PYRITE64_ROW(combiner, TL_U64, 0, "colour combiner; bit 63: two cycles")};
static const tl_field pyrite64_blender_rows[] = {PYRITE64_ROW(blender, TL_U32, 0, "0: none")};
static const tl_field pyrite64_fog_rows[] = {PYRITE64_ROW(fog, TL_U32, 0, "blender of fog; 0: off")};
static const tl_field pyrite64_prim_rows[] = {PYRITE64_ROW(prim, TL_U8, 0, "red, green, blue, alpha")};
static const tl_field pyrite64_env_rows[] = {PYRITE64_ROW(env, TL_U8, 0, "red, green, blue, alpha")};
static const tl_field pyrite64_prim_z_rows[] = {PYRITE64_ROW(prim_z, TL_S16, 0, "depth of all pixels"),
                                                PYRITE64_ROW(prim_delta_z, TL_S16, 2, "")};
static const tl_field pyrite64_z_offset_rows[] = {
    PYRITE64_ROW(z_offset, TL_S16, 0, "added to the depth on the screen; below 0: nearer")};
static const tl_field pyrite64_effect_rows[] = {
    PYRITE64_ROW(effect_args, TL_U16, 0, "width and height of the first texture"),
    PYRITE64_ROW(effect, TL_U8, 4, TL_EFFECTS_LIST)};
static const tl_field pyrite64_alpha_rows[] = {
    PYRITE64_ROW(alpha_threshold, TL_U8, 0, "pixels with less alpha are not drawn")};
static const tl_field pyrite64_k4k5_rows[] = {PYRITE64_ROW(k4, TL_U8, 0, "inputs of the combiner"),
                                              PYRITE64_ROW(k5, TL_U8, 1, "")};
static const tl_field pyrite64_lod_rows[] = {PYRITE64_ROW(prim_lod, TL_U8, 0, "input of the combiner")};

static const tl_layout pyrite64_head =
    TL_TABLE("pyrite64 material", TL_BIG, pyrite64_head_rows,
             "Chunk `m`. The fields that the flags name follow, in the order of the tables below.");
static const tl_layout pyrite64_tile =
    TL_TABLE("pyrite64 tile", TL_BIG, pyrite64_tile_rows, "Flags 8 and 9: tile 0 and tile 1.");
static const tl_layout pyrite64_combiner = TL_TABLE("pyrite64 combiner", TL_BIG, pyrite64_combiner_rows, "Flag 10.");
static const tl_layout pyrite64_blender = TL_TABLE("pyrite64 blender", TL_BIG, pyrite64_blender_rows, "Flag 11.");
static const tl_layout pyrite64_fog = TL_TABLE("pyrite64 fog", TL_BIG, pyrite64_fog_rows, "Flag 1.");
static const tl_layout pyrite64_prim = TL_TABLE("pyrite64 primitive colour", TL_BIG, pyrite64_prim_rows, "Flag 14.");
static const tl_layout pyrite64_env = TL_TABLE("pyrite64 environment colour", TL_BIG, pyrite64_env_rows, "Flag 15.");
static const tl_layout pyrite64_prim_z = TL_TABLE("pyrite64 primitive Z", TL_BIG, pyrite64_prim_z_rows, "Flag 5.");
static const tl_layout pyrite64_z_offset =
    TL_TABLE("pyrite64 depth offset", TL_BIG, pyrite64_z_offset_rows, "Flag 17, since 0.9.");
static const tl_layout pyrite64_effect = TL_TABLE("pyrite64 vertex effect", TL_BIG, pyrite64_effect_rows, "Flag 16.");
static const tl_layout pyrite64_alpha = TL_TABLE("pyrite64 alpha compare", TL_BIG, pyrite64_alpha_rows, "Flag 7.");
static const tl_layout pyrite64_k4k5 = TL_TABLE("pyrite64 K4 and K5", TL_BIG, pyrite64_k4k5_rows, "Flag 12.");
static const tl_layout pyrite64_lod = TL_TABLE("pyrite64 primitive LOD", TL_BIG, pyrite64_lod_rows, "Flag 13.");

const pyrite64_part tl_pyrite64_parts[PYRITE64_PARTS] = {
    {0, 0, NULL, &pyrite64_head},
    {TRILO_PYRITE64_TEX0, offsetof(trilo_pyrite64_material, tiles[0]), "tile0", &pyrite64_tile},
    {TRILO_PYRITE64_TEX1, offsetof(trilo_pyrite64_material, tiles[1]), "tile1", &pyrite64_tile},
    {TRILO_PYRITE64_COMBINER, 0, NULL, &pyrite64_combiner},
    {TRILO_PYRITE64_BLENDER, 0, NULL, &pyrite64_blender},
    {TRILO_PYRITE64_FOG, 0, NULL, &pyrite64_fog},
    {TRILO_PYRITE64_PRIM, 0, NULL, &pyrite64_prim},
    {TRILO_PYRITE64_ENV, 0, NULL, &pyrite64_env},
    {TRILO_PYRITE64_PRIM_Z, 0, NULL, &pyrite64_prim_z},
    {TRILO_PYRITE64_Z_OFFSET, 0, NULL, &pyrite64_z_offset},
    {TRILO_PYRITE64_EFFECT, 0, NULL, &pyrite64_effect},
    {TRILO_PYRITE64_ALPHA_COMPARE, 0, NULL, &pyrite64_alpha},
    {TRILO_PYRITE64_K4K5, 0, NULL, &pyrite64_k4k5},
    {TRILO_PYRITE64_PRIM_LOD, 0, NULL, &pyrite64_lod},
};

static bool pyrite64_has(uint32_t flags, const pyrite64_part *part)
{
    return part->flag == 0 || (flags & part->flag) != 0;
}

size_t tl_pyrite64_size(uint32_t flags)
{
    size_t size = 0;
    for (int i = 0; i < PYRITE64_PARTS; i++)
        size += pyrite64_has(flags, &tl_pyrite64_parts[i]) ? tl_layout_size(tl_pyrite64_parts[i].layout, TL_UNVERSIONED)
                                                           : 0;
    return size;
}

/* Values are 0 unless their flag is set; bits 30 and 31 are never set. */
static bool pyrite64_flags_are_known(uint32_t flags)
{
    static const struct {
        uint32_t flag, values;
    } fields[] = {
        {TRILO_PYRITE64_AA, 2u << TRILO_PYRITE64_AA_AT}, /* the low bit has another meaning without AA */
        {TRILO_PYRITE64_FILTER, 3u << TRILO_PYRITE64_FILTER_AT},
        {TRILO_PYRITE64_Z, TRILO_PYRITE64_Z_COMPARE | TRILO_PYRITE64_Z_WRITE},
        {TRILO_PYRITE64_PERSPECTIVE, TRILO_PYRITE64_PERSPECTIVE_ON},
        {TRILO_PYRITE64_DITHER, 15u << TRILO_PYRITE64_DITHER_AT},
    };
    for (size_t i = 0; i < TL_COUNT_OF(fields); i++)
        if ((flags & fields[i].flag) == 0 && (flags & fields[i].values) != 0)
            return false;
    return flags >> 30 == 0;
}

pyrite64_layout tl_pyrite64_read(trilo_bytes raw, trilo_pyrite64_material *out)
{
    memset(out, 0, sizeof *out);
    out->tiles[0].asset = out->tiles[1].asset = TRILO_PYRITE64_NO_ASSET;
    const uint32_t flags = raw.size >= sizeof flags ? tl_get_u32be(raw.data) : 0;
    const size_t size = tl_pyrite64_size(flags);
    if (!pyrite64_flags_are_known(flags) || raw.size >= size + 8)
        return PYRITE64_FOREIGN;
    if (raw.size < size)
        return PYRITE64_SHORT;
    for (size_t i = size; i < raw.size; i++)
        if (raw.data[i] != 0)
            return PYRITE64_FOREIGN;
    size_t at = 0;
    for (const pyrite64_part *part = tl_pyrite64_parts; part < tl_pyrite64_parts + PYRITE64_PARTS; part++)
        if (pyrite64_has(flags, part)) {
            tl_layout_load(part->layout, TL_UNVERSIONED, raw.data + at, (uint8_t *)out + part->host);
            at += tl_layout_size(part->layout, TL_UNVERSIONED);
        }
    const bool kinds = out->tiles[0].placeholder <= TRILO_PYRITE64_PLACEHOLDER_TEXTURE &&
                       out->tiles[1].placeholder <= TRILO_PYRITE64_PLACEHOLDER_TEXTURE;
    return kinds ? PYRITE64_KNOWN : PYRITE64_FOREIGN;
}

bool trilo_pyrite64_material_read(trilo_bytes raw, trilo_pyrite64_material *out, trilo_error *err)
{
    const pyrite64_layout layout = tl_pyrite64_read(raw, out);
    if (layout == PYRITE64_KNOWN)
        return true;
    return layout == PYRITE64_SHORT
               ? tl_fail(err, TRILO_CODE_TRUNCATED, t3dm_rule(T3DM_R_PYRITE64_SHORT), TRILO_NOWHERE, NULL,
                         "the material has %zu bytes, its flags name fields of %zu", raw.size,
                         raw.size >= sizeof(uint32_t) ? tl_pyrite64_size(tl_get_u32be(raw.data)) : tl_pyrite64_size(0))
               : tl_fail(err, TRILO_CODE_UNSUPPORTED, t3dm_rule(T3DM_R_FOREIGN_MATERIAL), TRILO_NOWHERE, NULL,
                         "a material of %zu bytes in a layout that is not known", raw.size);
}

size_t trilo_pyrite64_material_write(const trilo_pyrite64_material *material, uint8_t out[TRILO_PYRITE64_MATERIAL_MOST])
{
    size_t at = 0;
    for (const pyrite64_part *part = tl_pyrite64_parts; part < tl_pyrite64_parts + PYRITE64_PARTS; part++)
        if (pyrite64_has(material->flags, part)) {
            tl_layout_store(part->layout, TL_UNVERSIONED, (const uint8_t *)material + part->host, out + at);
            at += tl_layout_size(part->layout, TL_UNVERSIONED);
        }
    return at;
}

void tl_pyrite64_visit(const trilo_visitor *v, const t3dm_file *file, const t3dm_material *material)
{
    uint64_t at = material->at;
    const uint32_t flags = tl_get_u32be(file->bytes.data + at);
    for (const pyrite64_part *part = tl_pyrite64_parts; part < tl_pyrite64_parts + PYRITE64_PARTS; part++) {
        if (!pyrite64_has(flags, part))
            continue;
        if (part->record)
            v->record_begin(v->user, part->record, at);
        tl_layout_visit(part->layout, TL_UNVERSIONED, file->bytes.data + at, at, v);
        if (part->record)
            v->record_end(v->user);
        at += tl_layout_size(part->layout, TL_UNVERSIONED);
    }
}

void tl_pyrite64_reference(tl_sink *sink)
{
    static const char intro[] =
        "## Materials of Pyrite64\n\n"
        "Pyrite64 0.7 and later write chunks `m` instead of `M`, in the same rows of the chunk table, 8-aligned and "
        "padded with zeros. They have no names and no paths: textures are numbers of the table `p64/a` of the project. "
        "What a material does not set is left to the object and to the draw layer of the scene. Tables made from "
        "`src/formats/t3dm/pyrite64/layout.c`.\n\n";
    tl_sink_put(sink, intro, sizeof intro - 1);
    for (int i = 0; i < PYRITE64_PARTS; i++)
        if (i == 0 || tl_pyrite64_parts[i].layout != tl_pyrite64_parts[i - 1].layout)
            tl_layout_reference(tl_pyrite64_parts[i].layout, sink);
    tl_layout_reference(&tl_pyrite64_entry, sink);
    for (int i = 0; i < PYRITE64_COLLISION_LAYOUTS; i++)
        tl_layout_reference(tl_pyrite64_collision_layouts[i], sink);
}

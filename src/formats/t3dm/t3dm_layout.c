/* The layout tables of T3DM 1 to 4, as measured on files written by the reference tools. Where the published
 * documentation differs (offsets of a part's index count, of bones, of a keyframe's channel, the head of the BVH), the
 * files are followed. */
#include "formats/t3dm/t3dm.h"

#include "formats/t3dm/pyrite64/pyrite64.h"

#define T3DM_SINCE(version) version, 0, 0, 0, NULL
#define T3DM_UNTIL(version) 0, version, 0, 0, NULL

static const tl_field t3dm_header_rows[] = {
    TL_PLAIN_ROW(t3dm_header, magic, TL_U8, 0x00, "`T3M`"),
    TL_PLAIN_ROW(t3dm_header, version, TL_U8, 0x03, "1 to 4"),
    TL_PLAIN_ROW(t3dm_header, chunk_count, TL_U32, 0x04, "entries of the chunk table, which follows the header"),
    TL_PLAIN_ROW(t3dm_header, vertex_total, TL_U16, 0x08, "stored vertices, modulo 65536"),
    TL_PLAIN_ROW(t3dm_header, index_total, TL_U16, 0x0A, "list indices of all parts (no strips), modulo 65536"),
    TL_PLAIN_ROW(t3dm_header, vertex_chunk, TL_U32, 0x0C, "row of `V` in the chunk table"),
    TL_PLAIN_ROW(t3dm_header, index_chunk, TL_U32, 0x10, "row of `I`"),
    TL_PLAIN_ROW(t3dm_header, material_chunk, TL_U32, 0x14, "row of the first material"),
    TL_PLAIN_ROW(t3dm_header, strings_at, TL_U32, 0x18, "file offset of the string table, which ends the file"),
    TL_ROW(t3dm_header, min, TL_S16, 0x1C, T3DM_UNTIL(T3DM_V1), "smallest x, y, z of all objects"),
    TL_ROW(t3dm_header, max, TL_S16, 0x22, T3DM_UNTIL(T3DM_V1), "largest x, y, z"),
    TL_ROW(t3dm_header, user_block, TL_U32, 0x1C, T3DM_SINCE(T3DM_V2), "0; used by the runtime"),
    TL_ROW(t3dm_header, min, TL_S16, 0x20, T3DM_SINCE(T3DM_V2), "smallest x, y, z of all objects"),
    TL_ROW(t3dm_header, max, TL_S16, 0x26, T3DM_SINCE(T3DM_V2), "largest x, y, z"),
};
const tl_layout tl_t3dm_header = TL_TABLE("header", TL_BIG, t3dm_header_rows,
                                          "Starts the file. The chunk table follows: a u32 for each chunk, its type (a "
                                          "letter) in the top 8 bits, its file offset in the other 24.");

static const tl_field t3dm_object_rows[] = {
    TL_PLAIN_ROW(t3dm_object_head, name, TL_U32, 0x00, "string; 0: none"),
    TL_PLAIN_ROW(t3dm_object_head, part_count, TL_U16, 0x04, "parts that follow"),
    TL_PLAIN_ROW(t3dm_object_head, triangle_count, TL_U16, 0x06, "triangles of all parts, modulo 65536"),
    TL_PLAIN_ROW(t3dm_object_head, material, TL_U32, 0x08, "number of the material, 0 is the first"),
    TL_PLAIN_ROW(t3dm_object_head, user_block, TL_U32, 0x0C, "0; used by the runtime"),
    TL_PLAIN_ROW(t3dm_object_head, visible, TL_U8, 0x10, "0; used by the runtime"),
    TL_PLAIN_ROW(t3dm_object_head, padding, TL_U8, 0x11, "0"),
    TL_PLAIN_ROW(t3dm_object_head, user_values, TL_U8, 0x12, "0; used by the game at run time"),
    TL_PLAIN_ROW(t3dm_object_head, min, TL_S16, 0x14, "smallest x, y, z of its stored vertices"),
    TL_PLAIN_ROW(t3dm_object_head, max, TL_S16, 0x1A, "largest x, y, z"),
};
const tl_layout tl_t3dm_object_head = TL_TABLE("object", TL_BIG, t3dm_object_rows, "Chunk `O`. Its parts follow.");

static const tl_field t3dm_part_rows[] = {
    TL_PLAIN_ROW(t3dm_part, vertex_at, TL_U32, 0x00, "offset in `V` of the first vertex to load"),
    TL_PLAIN_ROW(t3dm_part, vertex_count, TL_U16, 0x04, "vertices to load, at most 70"),
    TL_PLAIN_ROW(t3dm_part, vertex_dest, TL_U16, 0x06, "first slot of the vertex cache to load them into"),
    TL_PLAIN_ROW(t3dm_part, index_at, TL_U32, 0x08, "offset in `I` of the list; strips follow, each aligned to 8"),
    TL_PLAIN_ROW(t3dm_part, index_count, TL_U16, 0x0C, "list indices (slots), 3 per triangle"),
    TL_PLAIN_ROW(t3dm_part, bone, TL_U16, 0x0E, "bone the vertices belong to, 65535: none"),
    TL_PLAIN_ROW(t3dm_part, strip_counts, TL_U8, 0x10, "indices of each strip; the first 0 ends them"),
    TL_ROW(t3dm_part, sequence_base, TL_U8, 0x14, T3DM_SINCE(T3DM_V4), "first slot of the sequence"),
    TL_ROW(t3dm_part, sequence_count, TL_U8, 0x15, T3DM_SINCE(T3DM_V4), "triangles of three consecutive slots each"),
    TL_ROW(t3dm_part, padding, TL_U8, 0x16, T3DM_SINCE(T3DM_V4), "0"),
};
const tl_layout tl_t3dm_part = TL_TABLE(
    "part", TL_BIG, t3dm_part_rows,
    "Loads vertices into the cache of 70 slots, then draws: the list, the sequence (version 4), up to four strips. "
    "Strip indices are 16 bits; one that starts a new strip has bit 15 set (versions 3 and 4) or is -(index + 1) (1 "
    "and 2).");

static const tl_field t3dm_pair_rows[] = {
    TL_PLAIN_ROW(t3dm_pair, position_a, TL_S16, 0x00, "x, y, z; in the space of the bone if there is one"),
    TL_PLAIN_ROW(t3dm_pair, normal_a, TL_U16, 0x06, "x 5 bits, y 6 bits, z 5 bits, signed"),
    TL_PLAIN_ROW(t3dm_pair, position_b, TL_S16, 0x08, "the second vertex"),
    TL_PLAIN_ROW(t3dm_pair, normal_b, TL_U16, 0x0E, ""),
    TL_PLAIN_ROW(t3dm_pair, color_a, TL_U8, 0x10, "red, green, blue, alpha"),
    TL_PLAIN_ROW(t3dm_pair, color_b, TL_U8, 0x14, ""),
    TL_PLAIN_ROW(t3dm_pair, uv_a, TL_S16, 0x18, "texture coordinate, 32 per texel; minus half a texel if filtered"),
    TL_PLAIN_ROW(t3dm_pair, uv_b, TL_S16, 0x1C, ""),
};
const tl_layout tl_t3dm_pair = TL_TABLE("vertex pair", TL_BIG, t3dm_pair_rows, "Chunk `V` is an array of these.");

static const tl_field t3dm_material_rows[] = {
    TL_PLAIN_ROW(t3dm_material_head, combiner, TL_U64, 0x00, "colour combiner; bit 63: two cycles; 0: unchanged"),
    TL_PLAIN_ROW(t3dm_material_head, other_mode, TL_U64, 0x08, "other modes of the RDP"),
    TL_PLAIN_ROW(t3dm_material_head, other_mask, TL_U64, 0x10, "which bits of them the material sets"),
    TL_PLAIN_ROW(t3dm_material_head, blender, TL_U32, 0x18, "0: none"),
    TL_PLAIN_ROW(t3dm_material_head, draw_flags, TL_U32, 0x1C,
                 "1 depth, 2 textured, 4 shaded, 8 cull front, 16 cull back, 65536 unlit"),
    TL_PLAIN_ROW(t3dm_material_head, padding, TL_U8, 0x20, "0"),
    TL_PLAIN_ROW(t3dm_material_head, fog, TL_U8, 0x21, "0 unchanged, 1 off, 2 on"),
    TL_PLAIN_ROW(t3dm_material_head, set_flags, TL_U8, 0x22, "colours to set: 1 prim, 2 env, 4 blend"),
    TL_PLAIN_ROW(t3dm_material_head, vertex_effect, TL_U8, 0x23, TL_EFFECTS_LIST),
    TL_PLAIN_ROW(t3dm_material_head, prim, TL_U8, 0x24, "red, green, blue, alpha"),
    TL_PLAIN_ROW(t3dm_material_head, env, TL_U8, 0x28, ""),
    TL_PLAIN_ROW(t3dm_material_head, blend, TL_U8, 0x2C, ""),
    TL_PLAIN_ROW(t3dm_material_head, name, TL_U32, 0x30, "string; 0: none"),
};
const tl_layout tl_t3dm_material_head = TL_TABLE("material", TL_BIG, t3dm_material_rows,
                                                 "Chunk `M` (`m`: of another engine, see below). Two textures follow.");

static const tl_field t3dm_texture_rows[] = {
    TL_PLAIN_ROW(t3dm_texture, reference, TL_U32, 0x00, "not 0: the game supplies the texture"),
    TL_PLAIN_ROW(t3dm_texture, path, TL_U32, 0x04, "string such as `rom:/stone.sprite`; 0: none"),
    TL_PLAIN_ROW(t3dm_texture, hash, TL_U32, 0x08, "of the path; the reference if there is no path"),
    TL_PLAIN_ROW(t3dm_texture, pointer, TL_U32, 0x0C, "0; used by the runtime"),
    TL_PLAIN_ROW(t3dm_texture, width, TL_U16, 0x10, "in texels"),
    TL_PLAIN_ROW(t3dm_texture, height, TL_U16, 0x12, ""),
    TL_PLAIN_ROW(t3dm_texture, s.low, TL_F32, 0x14, "first texel, horizontally"),
    TL_PLAIN_ROW(t3dm_texture, s.high, TL_F32, 0x18, "last texel"),
    TL_PLAIN_ROW(t3dm_texture, s.mask, TL_S8, 0x1C, "repeats after 2^mask texels; the console ignores it"),
    TL_PLAIN_ROW(t3dm_texture, s.shift, TL_S8, 0x1D, "scale 2^shift"),
    TL_PLAIN_ROW(t3dm_texture, s.mirror, TL_U8, 0x1E, ""),
    TL_PLAIN_ROW(t3dm_texture, s.clamp, TL_U8, 0x1F, ""),
    TL_PLAIN_ROW(t3dm_texture, t.low, TL_F32, 0x20, "the same vertically"),
    TL_PLAIN_ROW(t3dm_texture, t.high, TL_F32, 0x24, ""),
    TL_PLAIN_ROW(t3dm_texture, t.mask, TL_S8, 0x28, ""),
    TL_PLAIN_ROW(t3dm_texture, t.shift, TL_S8, 0x29, ""),
    TL_PLAIN_ROW(t3dm_texture, t.mirror, TL_U8, 0x2A, ""),
    TL_PLAIN_ROW(t3dm_texture, t.clamp, TL_U8, 0x2B, ""),
};
const tl_layout tl_t3dm_texture =
    TL_TABLE("texture", TL_BIG, t3dm_texture_rows, "Twice in a material: tile 0 and tile 1.");

static const tl_field t3dm_skeleton_rows[] = {
    TL_PLAIN_ROW(t3dm_skeleton_head, bone_count, TL_U16, 0x00, "bones that follow"),
    TL_PLAIN_ROW(t3dm_skeleton_head, reserved, TL_U16, 0x02, "0"),
};
const tl_layout tl_t3dm_skeleton_head =
    TL_TABLE("skeleton", TL_BIG, t3dm_skeleton_rows, "Chunk `S`. The bones follow.");

static const tl_field t3dm_bone_rows[] = {
    TL_PLAIN_ROW(t3dm_bone, name, TL_U32, 0x00, "string"),
    TL_PLAIN_ROW(t3dm_bone, parent, TL_U16, 0x04, "65535: a root"),
    TL_PLAIN_ROW(t3dm_bone, depth, TL_U16, 0x06, "number of ancestors; bones are in depth-first order"),
    TL_PLAIN_ROW(t3dm_bone, scale, TL_F32, 0x08, "x, y, z in the rest pose"),
    TL_PLAIN_ROW(t3dm_bone, rotation, TL_F32, 0x14, "x, y, z, w in the rest pose"),
    TL_PLAIN_ROW(t3dm_bone, position, TL_F32, 0x24, "x, y, z in the rest pose, in units of the vertices"),
};
const tl_layout tl_t3dm_bone = TL_TABLE(
    "bone", TL_BIG, t3dm_bone_rows, "Relative to the parent: position * rotation * scale. Vertices are in bone space.");

static const tl_field t3dm_animation_rows[] = {
    TL_PLAIN_ROW(t3dm_animation_head, name, TL_U32, 0x00, "string"),
    TL_PLAIN_ROW(t3dm_animation_head, duration, TL_F32, 0x04, "seconds"),
    TL_PLAIN_ROW(t3dm_animation_head, key_count, TL_U32, 0x08, "keys in the whole stream"),
    TL_PLAIN_ROW(t3dm_animation_head, quat_count, TL_U16, 0x0C, "rotation channels, which come first"),
    TL_PLAIN_ROW(t3dm_animation_head, scalar_count, TL_U16, 0x0E, "the other channels"),
    TL_PLAIN_ROW(t3dm_animation_head, stream, TL_U32, 0x10, "string: path of the key stream"),
};
const tl_layout tl_t3dm_animation_head =
    TL_TABLE("animation", TL_BIG, t3dm_animation_rows, "Chunk `A`. A mapping for each channel follows.");

static const tl_field t3dm_mapping_rows[] = {
    TL_PLAIN_ROW(t3dm_mapping, bone, TL_U16, 0x00, "the animated bone"),
    TL_PLAIN_ROW(t3dm_mapping, type, TL_U8, 0x02, "0 translation, 1 scale, 2 uniform scale (never used), 3 rotation"),
    TL_PLAIN_ROW(t3dm_mapping, axis, TL_U8, 0x03, "0 x, 1 y, 2 z; 0 for a rotation"),
    TL_PLAIN_ROW(t3dm_mapping, scale, TL_F32, 0x04, "a scalar is its 16 bits * scale + offset"),
    TL_PLAIN_ROW(t3dm_mapping, offset, TL_F32, 0x08, "see scale"),
};
const tl_layout tl_t3dm_mapping =
    TL_TABLE("mapping", TL_BIG, t3dm_mapping_rows, "The target of a channel of an animation.");

static const tl_field t3dm_bvh_rows[] = {
    TL_PLAIN_ROW(t3dm_bvh_head, node_count, TL_U16, 0x00, "nodes that follow"),
    TL_PLAIN_ROW(t3dm_bvh_head, item_count, TL_U16, 0x02, "u16 object numbers after the nodes"),
};
const tl_layout tl_t3dm_bvh_head = TL_TABLE(
    "bvh", TL_BIG, t3dm_bvh_rows, "Chunk `B`: a bounding volume hierarchy of the objects. Node 0 is the root.");

static const tl_field t3dm_bvh_node_rows[] = {
    TL_PLAIN_ROW(t3dm_bvh_node, min, TL_S16, 0x00, "smallest x, y, z"),
    TL_PLAIN_ROW(t3dm_bvh_node, max, TL_S16, 0x06, "largest x, y, z"),
    TL_PLAIN_ROW(
        t3dm_bvh_node, value, TL_U16, 0x0C,
        "low 4 bits: objects of a leaf, 0 for an inner node; upper 12, signed: first item of the leaf, or the first of "
        "two children, relative to this node"),
};
const tl_layout tl_t3dm_bvh_node = TL_TABLE("bvh node", TL_BIG, t3dm_bvh_node_rows, "A bounding box.");

const tl_layout *const tl_t3dm_reference_order[T3DM_REFERENCE_COUNT] = {
    &tl_t3dm_header,        &tl_t3dm_object_head, &tl_t3dm_part,           &tl_t3dm_pair,
    &tl_t3dm_material_head, &tl_t3dm_texture,     &tl_t3dm_skeleton_head,  &tl_t3dm_bone,
    &tl_t3dm_bvh_head,      &tl_t3dm_bvh_node,    &tl_t3dm_animation_head, &tl_t3dm_mapping,
};

void tl_t3dm_reference(tl_sink *sink)
{
    static const char intro[] =
        "# T3DM 1 to 4: the records\n\n"
        "Made from the tables that read and write the format (`src/formats/t3dm/t3dm_layout.c`); do not edit.\n\n"
        "Everything is big-endian. A file is: header, chunk table, chunks, string table. Chunks come in the order `O` "
        "objects, `A` animations, `B` BVH, `V` vertices, `I` indices, `M` materials, `S` skeleton, then any others; "
        "the objects must come first. A chunk ends where the next one starts. The string table starts with the letter "
        "`S`; strings end with a zero byte; offset 0 means no string.\n\n"
        "| version | new |\n| --- | --- |\n"
        "| 1 | the first with a version byte; earlier files begin with `T3DM` and have a dozen layouts |\n"
        "| 2 | user block in the header |\n"
        "| 3 | strips restart by bit 15 instead of a negative index; a degenerate triangle is no longer skipped |\n"
        "| 4 | sequences in parts |\n\n"
        "Keys of animations are in separate streams, `NAME.0.sdata` and so on. A key is a u16 (bit 15: the next key "
        "has "
        "8 bytes, otherwise 6; the other bits: ticks of 1/60 second since the previous key of the channel), a u16 "
        "channel, then a u16 for a scalar or a u32 for a rotation (2 bits: which component is largest; 10 bits for "
        "each of the other three). The first key always has 8 bytes. Keys are sorted by the time at which a player "
        "needs them.\n\n";
    tl_sink_put(sink, intro, sizeof intro - 1);
    for (size_t i = 0; i < T3DM_REFERENCE_COUNT; i++)
        tl_layout_reference(tl_t3dm_reference_order[i], sink);
    tl_pyrite64_reference(sink);
}

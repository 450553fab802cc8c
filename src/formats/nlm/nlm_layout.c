/* The layout tables of NLM 2.0, as measured on files written by the engine. Where its published documentation differs
 * (size of the header, order of quaternion components), the files are followed. */
#include "formats/nlm/nlm.h"

static const tl_field nlm_header_rows[] = {
    TL_ROW(nlm_header, hash, TL_U32, 0x00, NLM_HEADER_16, NLM_HEADER_16, 0, 0, NULL,
           "FNV-1a of the source file; 2166136261, the hash of no bytes, in all real files"),
    TL_ROW(nlm_header, magic, TL_U32, 0x04, NLM_HEADER_16, NLM_HEADER_16, 0, 0, NULL,
           "'MODL' as a number: the bytes are `LDOM`"),
    TL_ROW(nlm_header, version, TL_U32, 0x08, NLM_HEADER_16, NLM_HEADER_16, 2, 2, NLM_RULE(VERSION), "format version"),
    TL_ROW(nlm_header, animated, TL_U32, 0x0C, NLM_HEADER_16, NLM_HEADER_16, 0, 1, NLM_RULE(FLAG),
           "1: the animation part follows"),
    TL_ROW(nlm_header, magic, TL_U32, 0x00, NLM_HEADER_12, NLM_HEADER_12, 0, 0, NULL, "the same in the older form"),
    TL_ROW(nlm_header, version, TL_U32, 0x04, NLM_HEADER_12, NLM_HEADER_12, 2, 2, NLM_RULE(VERSION),
           "the same in the older form"),
    TL_ROW(nlm_header, animated, TL_U32, 0x08, NLM_HEADER_12, NLM_HEADER_12, 0, 1, NLM_RULE(FLAG),
           "the same in the older form"),
};
const tl_layout tl_nlm_header = TL_TABLE(
    "header", TL_LITTLE, nlm_header_rows,
    "Starts the file. NLM 2.0 has two kinds of header. Version 2 has 16 bytes. Version 1, older, has 12, and the "
    "hash is decimal text in a file `NAME.nlm.hash` beside the model. They are distinguished by the offset of "
    "the magic.");

static const tl_field nlm_bounds_rows[] = {
    TL_PLAIN_ROW(nlm_bounds, min, TL_F32, 0x00, "smallest x, y, z"),
    TL_PLAIN_ROW(nlm_bounds, max, TL_F32, 0x0C, "largest x, y, z"),
};
const tl_layout tl_nlm_bounds =
    TL_TABLE("bounds", TL_LITTLE, nlm_bounds_rows,
             "Follows the header. The bounding box of the source. Positions of a static file were moved by its centre "
             "and divided "
             "by its longest edge. Those of a skinned file were not: the matrix of the root node does that.");

static const tl_field nlm_mesh_head_rows[] = {
    TL_PLAIN_ROW(nlm_mesh_head, vertex_count, TL_U32, 0x00, "vertices that follow"),
    TL_PLAIN_ROW(nlm_mesh_head, index_count, TL_U32, 0x04, "u32 indices after the vertices"),
};
const tl_layout tl_nlm_mesh_head =
    TL_TABLE("mesh", TL_LITTLE, nlm_mesh_head_rows,
             "After a u32 count, one per mesh. Followed by the vertices, the indices (three per triangle or two per "
             "line: the file does not say which), a u32 texture size and that many bytes, a whole JPEG or PNG file.");

static const tl_field nlm_vertex_rows[] = {
    TL_PLAIN_ROW(trilo_nlm_vertex, position, TL_F32, 0x00, "x, y, z"),
    TL_PLAIN_ROW(trilo_nlm_vertex, color, TL_F32, 0x0C, "red, green, blue from 0 to 1"),
    TL_PLAIN_ROW(trilo_nlm_vertex, normal, TL_F32, 0x18, "x, y, z of length 1"),
    TL_PLAIN_ROW(trilo_nlm_vertex, uv, TL_F32, 0x24, "texture coordinate"),
    TL_PLAIN_ROW(trilo_nlm_vertex, bone_ids, TL_S32, 0x2C, "bone indices (not node ids); -1: unused"),
    TL_PLAIN_ROW(trilo_nlm_vertex, weights, TL_F32, 0x3C, "add up to 1 over the used slots; 0 in unused ones"),
};
const tl_layout tl_nlm_vertex = TL_TABLE("vertex", TL_LITTLE, nlm_vertex_rows, "One vertex of a mesh.");

static const tl_field nlm_clip_rows[] = {
    TL_PLAIN_ROW(nlm_clip, duration, TL_F32, 0x00, "length in ticks"),
    TL_PLAIN_ROW(nlm_clip, ticks_per_second, TL_S32, 0x04, "1000 in real files"),
};
const tl_layout tl_nlm_clip = TL_TABLE("clip", TL_LITTLE, nlm_clip_rows,
                                       "Starts the animation part, which exists if the flag of the header is 1. A file "
                                       "has one animation.");

static const tl_field nlm_bone_rows[] = {
    TL_PLAIN_ROW(nlm_bone, node_id, TL_S32, 0x00, "the node of the bone"),
    TL_PLAIN_ROW(nlm_bone, offset, TL_F32, 0x04, "inverse bind matrix, column major"),
    TL_PLAIN_ROW(nlm_bone, bone_index, TL_S32, 0x44, "the number that vertices and tracks use for the bone"),
};
const tl_layout tl_nlm_bone = TL_TABLE(
    "bone", TL_LITTLE, nlm_bone_rows, "After a u32 count. A bone that only the animation uses has an identity matrix.");

static const tl_field nlm_track_head_rows[] = {
    TL_PLAIN_ROW(nlm_track_head, node_id, TL_S32, 0x00, "the animated node"),
    TL_PLAIN_ROW(nlm_track_head, bone_index, TL_S32, 0x04, "the bone of this node"),
    TL_PLAIN_ROW(nlm_track_head, key_counts, TL_U32, 0x08, "position, rotation and scale keys that follow"),
};
const tl_layout tl_nlm_track_head = TL_TABLE("track", TL_LITTLE, nlm_track_head_rows,
                                             "After a u32 count. Followed by the position keys, the rotation keys and "
                                             "the scale keys.");

static const tl_field nlm_vec_key_rows[] = {
    TL_PLAIN_ROW(nlm_vec_key, time, TL_F32, 0x00, "in ticks"),
    TL_PLAIN_ROW(nlm_vec_key, value, TL_F32, 0x04, "x, y, z; linear interpolation"),
};
const tl_layout tl_nlm_vec_key =
    TL_TABLE("vector key", TL_LITTLE, nlm_vec_key_rows,
             "A position or a scale at a time. Before the first and after the last key, that "
             "key holds.");

static const tl_field nlm_quat_key_rows[] = {
    TL_PLAIN_ROW(nlm_quat_key, time, TL_F32, 0x00, "in ticks"),
    TL_PLAIN_ROW(nlm_quat_key, value, TL_F32, 0x04, "x, y, z, w; interpolation along the shorter arc"),
};
const tl_layout tl_nlm_quat_key = TL_TABLE("rotation key", TL_LITTLE, nlm_quat_key_rows, "A rotation at a time.");

static const tl_field nlm_node_head_rows[] = {
    TL_PLAIN_ROW(nlm_node_head, node_id, TL_S32, 0x00, "unique"),
    TL_PLAIN_ROW(nlm_node_head, local, TL_F32, 0x04, "matrix relative to the parent, column major"),
    TL_PLAIN_ROW(nlm_node_head, child_count, TL_U32, 0x44, "s32 node ids that follow"),
};
const tl_layout tl_nlm_node_head =
    TL_TABLE("node", TL_LITTLE, nlm_node_head_rows,
             "After a u32 count. Followed by the ids of its children. The node that is not a child is the root.");

const tl_layout *const tl_nlm_reference_order[NLM_REFERENCE_COUNT] = {
    &tl_nlm_header, &tl_nlm_bounds,     &tl_nlm_mesh_head, &tl_nlm_vertex,   &tl_nlm_clip,
    &tl_nlm_bone,   &tl_nlm_track_head, &tl_nlm_vec_key,   &tl_nlm_quat_key, &tl_nlm_node_head,
};

void tl_nlm_reference(tl_sink *sink)
{
    static const char intro[] =
        "# NLM 2.0: the records\n\n"
        "Made from the tables that read and write the format (`src/formats/nlm/nlm_layout.c`); do not edit.\n\n"
        "Everything is little-endian and packed. A file is: header, bounds, a u32 mesh count, the meshes, and, if the "
        "flag of the header is 1, the animation: clip, bones, tracks, nodes. Nothing follows.\n\n"
        "Matrices are column major with the translation in elements 12 to 14; world = parent * local. A node with a "
        "track has the transform of its keys (translation * rotation * scale), one without keeps its matrix. A vertex "
        "is transformed by world(node of the bone) * offset.\n\n";
    tl_sink_put(sink, intro, sizeof intro - 1);
    for (size_t i = 0; i < NLM_REFERENCE_COUNT; i++)
        tl_layout_reference(tl_nlm_reference_order[i], sink);
}

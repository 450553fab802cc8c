/* encode.h: encodes the neutral model as a T3DM file.
 *
 *   policy.c    defaults where neither the model nor an option decides
 *   order.c     which meshes become objects, and their order
 *   skeleton.c  which nodes become bones; what nodes, joints and vertices are bound to
 *   skin_fit.c  which bone fits a vertex of a smooth skin best; skin_motion.c how well each does,
 *               helper_bones.c and helper_nodes.c bones between others
 *   material.c  materials; texture.c their textures
 *   mesh.c      vertices: quantized, welded; uv.c, corners.c their preparation
 *   store.c     vertex and index chunks
 *   ../animation/  clips
 *   bvh.c, strings.c, file.c  the rest of the file
 */
#ifndef TL_T3DM_ENCODE_ENCODE_H
#define TL_T3DM_ENCODE_ENCODE_H

#include "base/compiler.h"
#include "base/hash_table.h"
#include "formats/t3dm/encode/policy.h"
#include "formats/t3dm/t3dm.h"
#include <math.h>

/* Of a node or a joint: the bone that its vertices follow, and the transform into that bone's space, or the model's. */
typedef struct t3dm_binding {
    uint16_t bone; /* T3DM_NO_BONE: none */
    bool identity; /* nothing to transform */
    bool mirrored; /* of a node: its world matrix turns faces inside out */
    trilo_mat4 points, normals;
} t3dm_binding;

/* Findings that are kept to be reported once more, about another subject. */
typedef struct t3dm_kept_finding {
    enum t3dm_rule_id rule;
    struct t3dm_kept_finding *next; /* NULL: this is the last */
    char text[sizeof((trilo_error *)0)->text];
} t3dm_kept_finding;

typedef struct t3dm_kept_findings {
    tl_arena *arena;
    t3dm_kept_finding *first, *last;
    bool incomplete; /* memory ran out */
} t3dm_kept_findings;

typedef struct t3dm_encoder {
    const trilo_model *model;
    const trilo_write_opts *opts;
    tl_arena *arena;
    tl_arena curve_scratch; /* for the keys of one curve after another */
    tl_report *losses;
    trilo_error *err; /* set before a step returns false, except when memory ran out */
    bool err_set;
    trilo_str subject;                 /* the name of the subject of findings, or "" */
    t3dm_kept_findings *kept_findings; /* where findings are kept as well; NULL: nowhere */
    t3dm_policy policy;
    t3dm_file *file;
    uint32_t *bone_of_node; /* NULL: no skeleton is written; TRILO_NONE: the node is not a bone */
    uint32_t *node_of_bone;
    t3dm_binding *node_bindings;
    t3dm_binding **joint_bindings; /* of each skin; made when a mesh needs them */
    uint32_t *chosen_meshes;       /* those that become objects, in the order of the model */
    uint32_t *meshes, mesh_count;  /* the same in drawing order */
    uint32_t slots[8], slot_count; /* references that became placeholders of Pyrite64 */
    bool fog_reported;             /* that materials of Pyrite64 do not switch it on */
    uint8_t *texture_reported;     /* findings about the image were reported: other materials may use it, too */
    uint32_t *material_of_mesh;    /* in the file */
    uint32_t *same_material;       /* of each row of materials: the first that became the same one; NULL: itself */
    double measured_left;          /* ticks of curves that may still be measured */
    char *strings;                 /* the growing string table */
    size_t strings_size, strings_room;
    tl_hash_table string_table; /* rows are offsets */
    const char *string_wanted;  /* the string to look up */
} t3dm_encoder;

/* Fails with a rule, a path in the model and a sentence. Returns false. */
bool tl_t3dm_encode_fail(t3dm_encoder *e, enum t3dm_rule_id rule, trilo_code code, const char *format, ...)
    TL_PRINTF_LIKE(4, 5);
/* Findings between these two are about an entry of a list of the model. */
void tl_t3dm_enter(t3dm_encoder *e, const char *list, uint32_t index, trilo_str name);
void tl_t3dm_leave(t3dm_encoder *e);
void tl_t3dm_report_loss(t3dm_encoder *e, enum t3dm_rule_id rule, const char *format, ...) TL_PRINTF_LIKE(3, 4);
/* Reports what was kept, in the same order. */
void tl_t3dm_report_again(t3dm_encoder *e, const t3dm_kept_findings *kept_findings);

/* Towards 0. A conversion takes fewer instructions than trunc and floor, where no other digits are left. */
static inline double tl_t3dm_truncate(double value)
{
    static const double WHOLE_LEAST = 4503599627370496; /* 2^52: from here on all are whole */
    return fabs(value) < WHOLE_LEAST ? (double)(int64_t)value : value;
}

/* Rounds halves away from zero. */
static inline double tl_t3dm_round(double value)
{
    return tl_t3dm_truncate(value < 0 ? value - 0.5 : value + 0.5);
}

/* The offset of a string in the string table, added when it is new; 0 for an empty one. False: no memory. */
bool tl_t3dm_add_string(t3dm_encoder *e, const char *text, uint32_t *offset);
bool tl_t3dm_has_string(t3dm_encoder *e, const char *text);
/* Makes room for `need` more bytes, after the byte that reserves offset 0. */
bool tl_t3dm_reserve_strings(t3dm_encoder *e, size_t need);

/* Puts the meshes in drawing order; once more when it is known which materials are the same. False: no memory. */
bool tl_t3dm_sort_meshes(t3dm_encoder *e);
/* Orders objects of one name so that materials change least (order_names.c). False: no memory. */
bool tl_t3dm_order_same_names(t3dm_encoder *e);
int tl_t3dm_compare_meshes(const t3dm_encoder *e, trilo_t3dm_order order, uint32_t a, uint32_t b);
/* Of the model's materials, with one more for meshes without any; of those that were merged, the first. */
static inline uint32_t tl_t3dm_material_row(const t3dm_encoder *e, uint32_t mesh)
{
    const uint32_t material = e->model->meshes[mesh].material;
    const uint32_t row = material == TRILO_NONE ? e->model->material_count : material;
    return e->same_material ? e->same_material[row] : row;
}

/* Skeleton, animations with their streams, and the BVH. The BVH needs the meshes. */
bool tl_t3dm_encode_bones(t3dm_encoder *e);
bool tl_t3dm_encode_clips(t3dm_encoder *e);
bool tl_t3dm_encode_bvh(t3dm_encoder *e);

/* True if the channel never leaves the rest pose. */
bool tl_t3dm_channel_is_static(const trilo_model *model, const trilo_channel *channel);

/* --- bindings (skeleton.c) --- */

/* Makes those of a skin's joints. False: no memory. */
bool tl_t3dm_bind_skin(t3dm_encoder *e, uint32_t skin);
/* That of a vertex: of its strongest joint, or of the node of a rigid mesh; NULL: of neither. *slot (may be NULL) is
 * the joint among the four, -1: none. */
const t3dm_binding *tl_t3dm_vertex_binding(const t3dm_encoder *e, const trilo_mesh *mesh, uint32_t vertex, int *slot);

/* Binds vertices that follow several bones to the one that fits all clips best (skin_fit.c): replaces e->model by a
 * copy. False: no memory. */
bool tl_t3dm_fit_skins(t3dm_encoder *e);

/* Which meshes become objects, and in which order. */
bool tl_t3dm_order_meshes(t3dm_encoder *e);

bool tl_t3dm_encode_materials(t3dm_encoder *e);
/* Reports missing names and sheared normals. Bones and bindings are known. */
void tl_t3dm_advise(t3dm_encoder *e);
/* The two texture slots of a material, and a check whether the console can load them. Paths of a chunk `m` are not
 * stored: paths[0] and [1] receive them, "" where there is none. */
enum { T3DM_PATH_ROOM = T3DM_STRING_MOST };
bool tl_t3dm_encode_textures(t3dm_encoder *e, const trilo_n64_material *n64, t3dm_material *to,
                             char paths[2][T3DM_PATH_ROOM]);
void tl_t3dm_check_textures(t3dm_encoder *e, const t3dm_material *material);

/* --- the order of objects (tune/) --- */

/* False: no memory. */
bool tl_t3dm_sort_materials(t3dm_file *file, tl_arena *arena, tl_report *changes);

/* --- attributes that a material does not show (tune/attributes.c) --- */

enum { T3DM_UNUSED_UVS = 1, T3DM_UNUSED_NORMALS = 2, T3DM_UNUSED_COLORS = 4 };

/* False: a game or a custom material may use attributes in other ways than the records say. */
bool tl_t3dm_use_is_certain(const t3dm_material *material);
/* A set of these; 0 if that is uncertain. */
uint32_t tl_t3dm_unused(const t3dm_material *material);
/* The same values for all vertices: 0, but white for colours. */
void tl_t3dm_clear_unused(t3dm_vertex *vertex, uint32_t unused);

/* --- the triangles of a finished object (tune/object_mesh.c) --- */

/* Triangles as numbers of vertices. */
typedef struct t3dm_indexed_mesh {
    t3dm_vertex *vertices;
    const uint16_t *bones;
    uint32_t vertex_count;
    uint32_t (*triangles)[3];
    uint32_t triangle_count;
} t3dm_indexed_mesh;

typedef struct t3dm_object_mesh {
    t3dm_indexed_mesh mesh; /* of different vertices; triangles that never have an area are left out */
    uint32_t drawn;         /* triangles, with those */
    bool incomplete;        /* something could not be drawn */
} t3dm_object_mesh;

/* Attributes in `unused` are cleared. False: no memory. */
bool tl_t3dm_object_mesh(tl_arena *arena, const t3dm_file *file, const t3dm_object *object, uint32_t unused,
                         t3dm_object_mesh *out);

/* For hash tables of vertices with their bones. The rows are a t3dm_indexed_mesh. */
int tl_t3dm_compare_vertices(const void *mesh, uint32_t a, uint32_t b);

static inline uint32_t tl_t3dm_hash_vertex(const t3dm_vertex *v, uint16_t bone)
{
    return tl_hash_words(v, sizeof *v) ^ bone * 0x9E3779B1u;
}

/* --- whole repeats of textures (tune/uv_repeats.c) --- */

/* How far coordinates may be moved without a difference: a power of two; 0: not at all, or that is uncertain. */
void tl_t3dm_uv_periods(const t3dm_material *material, int32_t period[2]);
/* Moves triangles by whole repeats where their vertices become equal to those of others, and lets them share these
 * vertices. *merged (may be NULL): how many are left without a triangle by that. False: no memory. */
bool tl_t3dm_merge_repeats(tl_arena *arena, const t3dm_material *material, t3dm_indexed_mesh *mesh, uint32_t *merged);

/* --- one mesh --- */

/* The quantized vertices of a mesh, equal ones welded. */
typedef struct t3dm_welded {
    t3dm_vertex *vertices;
    uint16_t *bones;
    uint32_t count;
    uint32_t *remap; /* from vertices of the mesh */
} t3dm_welded;

/* The extent of a mesh from the origin. */
typedef struct t3dm_extent {
    double largest; /* coordinate, before it is scaled */
    bool overflows; /* 16 bits */
} t3dm_extent;

/* Quantizes and welds the vertices of a mesh. *used is the mesh, or a copy of it whose corners had to be split. */
bool tl_t3dm_weld(t3dm_encoder *e, const trilo_mesh *mesh, const t3dm_material *material, t3dm_welded *out,
                  const trilo_mesh **used, t3dm_extent *extent);

/* A copy whose vertices are these rows of the mesh. Its indices are those of the mesh. NULL: no memory. */
trilo_mesh *tl_t3dm_copy_rows(t3dm_encoder *e, const trilo_mesh *mesh, const uint32_t *rows, uint32_t count);
/* A copy without shared vertices: three for each triangle. NULL: no memory. */
trilo_mesh *tl_t3dm_split_corners(t3dm_encoder *e, const trilo_mesh *mesh);
/* Face normals for a mesh without shared vertices. */
bool tl_t3dm_flat_normals(t3dm_encoder *e, trilo_mesh *mesh);

/* How texture coordinates of one axis are stored. */
typedef struct t3dm_uv_axis {
    double texels, shift; /* texels of the texture; what filtering subtracts, in 1/32 texels */
    bool clamps;          /* the texture does not repeat */
    bool wraps;           /* it repeats, and a coordinate may wrap at 16 bits */
} t3dm_uv_axis;

t3dm_uv_axis tl_t3dm_uv_axis(const t3dm_axis *axis, double units, double shift);
/* A texture coordinate in 1/32 texels, a whole number of any size. Tiny3D's converter computes the texel as a float,
 * which rounds for sizes that are no power of two, and truncates its 1/32. Otherwise a value that is whole except for
 * rounding counts as whole. */
static inline double tl_t3dm_uv_units(const t3dm_encoder *e, const t3dm_uv_axis *axis, float uv)
{
    const double texels = uv * axis->texels;
    if (e->policy.truncate_uvs)
        return tl_t3dm_truncate((float)texels * (double)T3DM_UV_TEXEL) - axis->shift;
    const double units = texels * T3DM_UV_TEXEL, rounded = tl_t3dm_round(units);
    return (fabs(units - rounded) < 1.0 / 64 ? rounded : tl_t3dm_truncate(units)) - axis->shift;
}
/* Moves triangles that would be torn by whole repeats; *mesh becomes a copy then. *too_wide becomes true if one fits
 * nowhere. False: no memory. */
bool tl_t3dm_fit_uvs(t3dm_encoder *e, const t3dm_uv_axis axes[2], const trilo_mesh **mesh, bool *too_wide);

#endif

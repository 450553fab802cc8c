/* query.h: what is where. Rays, boxes, spheres, frustums and nearest points over the triangles of a model, and the
 * culling of whole meshes as the console does it.
 *
 * Making a tree takes memory; a query takes none, changes nothing and may run in many threads at once. The answers are
 * those of looking at every triangle, and the same on every machine; equal distances are decided by the lower mesh,
 * then the lower triangle.
 *
 * Triangles with a corner that is not finite are never found. Those without area have no side that a ray could hit; all
 * other queries find them. Lines are left out.
 */
#ifndef TRILOBITE_QUERY_H
#define TRILOBITE_QUERY_H

#include "trilobite/error.h"
#include "trilobite/memory.h"
#include "trilobite/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a tree over triangles ---- */

typedef struct trilo_query trilo_query;

/* vertex_count positions of a mesh, such as trilo_pose_mesh fills. */
typedef const float (*trilo_points)[3];

/* A tree over all triangles of a model. `positions` has an entry for each mesh: where its vertices are; an entry that
 * is NULL, or no array at all, means the rest pose, where rigid meshes stand where their node puts them and skinned
 * ones as they are stored. The positions are copied, the model must stay. NULL with *err when the model breaks its
 * promises or memory runs out: about 120 bytes a triangle stay, and twice as many are needed while it is made. */
TRILO_API trilo_query *trilo_query_new(const trilo_model *model, const trilo_points *positions,
                                       const trilo_memory *memory, trilo_error *err);
TRILO_API void trilo_query_free(trilo_query *query); /* NULL is fine */

/* Moves the tree with its triangles. A mesh whose entry is NULL stays where it is. Answers stay right whatever the
 * pose; far from that in which the tree was made they take longer. Not while another thread asks. */
TRILO_API void trilo_query_refit(trilo_query *query, const trilo_points *positions);

/* The box around all triangles; empty when there are none. */
TRILO_API trilo_bounds trilo_query_bounds(const trilo_query *query);

typedef struct trilo_face {
    uint32_t mesh;
    uint32_t triangle; /* its corners are indices[3 * triangle], and the two behind */
} trilo_face;

/* ---- one answer ---- */

typedef struct trilo_ray {
    trilo_vec3 origin;
    trilo_vec3 direction; /* of any length but 0 */
    float max_distance;   /* 0: endless */
    bool front_only;      /* goes through the backs of triangles */
} trilo_ray;

typedef struct trilo_hit {
    trilo_face face;
    uint32_t material; /* of the mesh; may be TRILO_NONE */
    float distance;    /* from the ray's origin, or from the point */
    float weights[3];  /* of the triangle's corners; their sum is 1 */
    trilo_vec3 position;
    trilo_vec3 normal; /* of the flat triangle, of length 1: its corners go round it counter-clockwise as they stand. A
                        * node that mirrors turns it round. 0, 0, 0 for a triangle without area */
    bool back;         /* seen from behind */
} trilo_hit;

/* The first triangle that the ray hits; false, and *hit as it was, when it hits none. No ray slips through the edge
 * that two triangles share. A ray that is not finite, or has no direction, hits nothing. */
TRILO_API bool trilo_query_ray_cast(const trilo_query *query, const trilo_ray *ray, trilo_hit *hit);

/* Is anything in its way? Takes less than to find what is first. */
TRILO_API bool trilo_query_any_hit(const trilo_query *query, const trilo_ray *ray);

/* The point of the model that is nearest to `point`, not further than `max_distance` (0: however far). */
TRILO_API bool trilo_query_closest_point(const trilo_query *query, trilo_vec3 point, float max_distance,
                                         trilo_hit *hit);

/* ---- all triangles in a place ---- */

/* Told which triangles were found, some at a time, in an order of the tree's own. False ends the query. */
typedef bool trilo_faces_fn(void *user, const trilo_face *faces, uint32_t count);

/* For results in an array: hand trilo_faces_keep to a query, and one of these as its `user`. */
typedef struct trilo_faces {
    trilo_face *faces;
    uint32_t room;
    uint32_t count; /* found, also those behind the room; start with 0 */
} trilo_faces;
TRILO_API bool trilo_faces_keep(void *faces, const trilo_face *found, uint32_t count);

/* These answer false when `fn` ended them. Touching counts. */
TRILO_API bool trilo_query_box(const trilo_query *query, const trilo_bounds *box, trilo_faces_fn *fn, void *user);
TRILO_API bool trilo_query_sphere(const trilo_query *query, trilo_vec3 center, float radius, trilo_faces_fn *fn,
                                  void *user);

/* Inside is where x * px + y * py + z * pz + w is not below 0. */
typedef struct trilo_plane {
    float x, y, z, w;
} trilo_plane;

/* What a camera sees. A plane that is not finite cuts nothing away. */
typedef struct trilo_frustum {
    uint32_t plane_count; /* up to 6 */
    trilo_plane planes[6];
} trilo_frustum;

/* From projection * view (* model), whose clip space is -w <= x, y, z <= w: left, right, bottom, top, near, far. */
TRILO_API trilo_frustum trilo_frustum_from_matrix(const trilo_mat4 *matrix);

/* Is some plane certain that the whole box is outside? Rather not, near the corners, as it is usual and quick. */
TRILO_API bool trilo_frustum_sees(const trilo_frustum *frustum, const trilo_bounds *box);

/* Triangles whose own box is seen (trilo_frustum_sees). */
TRILO_API bool trilo_query_frustum(const trilo_query *query, const trilo_frustum *frustum, trilo_faces_fn *fn,
                                   void *user);

/* ---- whole meshes, as the console culls them ---- */

typedef struct trilo_mesh_tree trilo_mesh_tree;

/* The model's own tree of boxes (trilo_model.bvh), or one made as for T3DM when it has none. NULL with *err when that
 * tree is no tree, or on running out of memory. Needs the model no longer. */
TRILO_API trilo_mesh_tree *trilo_mesh_tree_new(const trilo_model *model, const trilo_memory *memory, trilo_error *err);
TRILO_API void trilo_mesh_tree_free(trilo_mesh_tree *tree); /* NULL is fine */

/* The tree as it is, to be put into a model; it lives as long as `tree`. NULL: the model has no mesh. */
TRILO_API const trilo_bvh *trilo_mesh_tree_bvh(const trilo_mesh_tree *tree);

typedef bool trilo_mesh_fn(void *user, uint32_t mesh); /* false ends the query */

/* Visits the meshes that are seen, in the console's order: the box of an inner node is tested, that of a leaf is not,
 * each of its meshes is. Answers how many boxes were tested: what it costs the console. */
TRILO_API uint32_t trilo_mesh_tree_frustum(const trilo_mesh_tree *tree, const trilo_frustum *frustum, trilo_mesh_fn *fn,
                                           void *user);

#ifdef __cplusplus
}
#endif
#endif

/* query.h: spatial queries over the triangles of a model (ray cast, closest point, box, sphere and frustum overlap),
 * and culling of whole meshes as the console does it.
 *
 * Building a tree allocates memory. Queries allocate nothing, do not change the tree and may run in several threads at
 * once. They return exactly what testing every triangle would return, on every machine. Of several triangles at the
 * same distance, the one with the lower mesh and then the lower triangle index wins.
 *
 * Triangles with a corner that is not finite are never found. Rays do not hit triangles without area; all other queries
 * find them. Lines are ignored.
 */
#ifndef TRILOBITE_QUERY_H
#define TRILOBITE_QUERY_H

#include "trilobite/error.h"
#include "trilobite/memory.h"
#include "trilobite/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the bounding volume hierarchy ---- */

typedef struct trilo_query trilo_query;

/* The vertex_count positions of a mesh, for example from trilo_pose_mesh. */
typedef const float (*trilo_points)[3];

/* Builds a BVH over all triangles of a model. `positions` has an entry for each mesh. If an entry or the array is NULL,
 * the rest pose is used: rigid meshes are transformed by their node, skinned ones are used as stored. The positions are
 * copied; the model must outlive the query. Returns NULL and fills *err if the model violates an invariant of model.h
 * or memory runs out. The tree takes about 120 bytes per triangle, and twice that while it is built. */
TRILO_API trilo_query *trilo_query_new(const trilo_model *model, const trilo_points *positions,
                                       const trilo_memory *memory, trilo_error *err);
TRILO_API void trilo_query_free(trilo_query *query); /* may be NULL */

/* Updates the tree for new positions. A mesh whose entry is NULL keeps its positions. Results are correct for any pose,
 * but queries get slower the more it differs from the pose that the tree was built for. Must not run at the same time
 * as a query. */
TRILO_API void trilo_query_refit(trilo_query *query, const trilo_points *positions);

/* The bounding box of all triangles; empty if there are none. */
TRILO_API trilo_bounds trilo_query_bounds(const trilo_query *query);

typedef struct trilo_face {
    uint32_t mesh;
    uint32_t triangle; /* its corners are indices[3 * triangle] and the next two */
} trilo_face;

/* ---- ray cast and closest point ---- */

typedef struct trilo_ray {
    trilo_vec3 origin;
    trilo_vec3 direction; /* of any length except 0 */
    float max_distance;   /* 0: unlimited */
    bool front_only;      /* ignore back faces */
} trilo_ray;

typedef struct trilo_hit {
    trilo_face face;
    uint32_t material; /* of the mesh; may be TRILO_NONE */
    float distance;    /* from the origin of the ray, or from the point */
    float weights[3];  /* barycentric coordinates; their sum is 1 */
    trilo_vec3 position;
    trilo_vec3 normal; /* unit normal of the triangle; its corners are counter-clockwise around it. A node that mirrors
                        * flips it. 0, 0, 0 for a triangle without area */
    bool back;         /* the back face was hit */
} trilo_hit;

/* Finds the first triangle that the ray hits. Returns false and leaves *hit unchanged if there is none. The test is
 * watertight: no ray passes between two triangles that share an edge. A ray that is not finite, or whose direction is
 * 0, hits nothing. */
TRILO_API bool trilo_query_ray_cast(const trilo_query *query, const trilo_ray *ray, trilo_hit *hit);

/* Returns true if the ray hits anything. Faster than finding the first hit. */
TRILO_API bool trilo_query_any_hit(const trilo_query *query, const trilo_ray *ray);

/* Finds the point of the model that is closest to `point`, within `max_distance` (0: unlimited). */
TRILO_API bool trilo_query_closest_point(const trilo_query *query, trilo_vec3 point, float max_distance,
                                         trilo_hit *hit);

/* ---- overlap ---- */

/* Receives the triangles found, several at a time, in the order of the tree. Return false to end the query. */
typedef bool trilo_faces_fn(void *user, const trilo_face *faces, uint32_t count);

/* Collects results in an array: pass trilo_faces_keep to a query, and one of these as its `user`. */
typedef struct trilo_faces {
    trilo_face *faces;
    uint32_t room;
    uint32_t count; /* triangles found, including those that did not fit; initialize to 0 */
} trilo_faces;
TRILO_API bool trilo_faces_keep(void *faces, const trilo_face *found, uint32_t count);

/* These return false if `fn` ended the query. Touching counts as overlap. */
TRILO_API bool trilo_query_box(const trilo_query *query, const trilo_bounds *box, trilo_faces_fn *fn, void *user);
TRILO_API bool trilo_query_sphere(const trilo_query *query, trilo_vec3 center, float radius, trilo_faces_fn *fn,
                                  void *user);

/* A point p is inside if x * p.x + y * p.y + z * p.z + w >= 0. */
typedef struct trilo_plane {
    float x, y, z, w;
} trilo_plane;

/* The view frustum of a camera. A plane that is not finite is ignored. */
typedef struct trilo_frustum {
    uint32_t plane_count; /* up to 6 */
    trilo_plane planes[6];
} trilo_frustum;

/* Returns the planes of projection * view (* model), for the clip space -w <= x, y, z <= w: left, right, bottom, top,
 * near, far. */
TRILO_API trilo_frustum trilo_frustum_from_matrix(const trilo_mat4 *matrix);

/* Returns false if the box is empty or completely outside one of the planes. As usual, this test is conservative: near
 * the corners of the frustum it may return true for a box that is not visible. */
TRILO_API bool trilo_frustum_sees(const trilo_frustum *frustum, const trilo_bounds *box);

/* Finds the triangles whose bounding box passes trilo_frustum_sees. */
TRILO_API bool trilo_query_frustum(const trilo_query *query, const trilo_frustum *frustum, trilo_faces_fn *fn,
                                   void *user);

/* ---- culling of whole meshes ---- */

typedef struct trilo_mesh_tree trilo_mesh_tree;

/* Copies the BVH of the model (trilo_model.bvh), or builds one as for T3DM if it has none. Returns NULL and fills *err
 * if that BVH is not a tree or memory runs out. The model is not needed afterwards. */
TRILO_API trilo_mesh_tree *trilo_mesh_tree_new(const trilo_model *model, const trilo_memory *memory, trilo_error *err);
TRILO_API void trilo_mesh_tree_free(trilo_mesh_tree *tree); /* may be NULL */

/* The tree in the form of trilo_model.bvh, valid as long as `tree`. NULL if the model has no meshes. */
TRILO_API const trilo_bvh *trilo_mesh_tree_bvh(const trilo_mesh_tree *tree);

typedef bool trilo_mesh_fn(void *user, uint32_t mesh); /* return false to end the query */

/* Visits the visible meshes in the order of the console. The boxes of inner nodes are tested; of a leaf, the boxes of
 * its meshes are. Returns the number of boxes tested, which is the cost on the console. */
TRILO_API uint32_t trilo_mesh_tree_frustum(const trilo_mesh_tree *tree, const trilo_frustum *frustum, trilo_mesh_fn *fn,
                                           void *user);

#ifdef __cplusplus
}
#endif
#endif

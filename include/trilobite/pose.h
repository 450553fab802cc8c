/* pose.h: computes the pose of a model at a time of a clip.
 *
 * The steps are: local matrices from a clip, world matrices down the hierarchy, skinning matrices, and vertices, which
 * may come from vertex animation. All functions work on arrays of the caller and allocate nothing.
 */
#ifndef TRILOBITE_POSE_H
#define TRILOBITE_POSE_H

#include "trilobite/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A local transform: translation * rotation * scale. */
typedef struct trilo_transform {
    float translation[3], rotation[4], scale[3];
} trilo_transform;

/* A named time in a clip. */
typedef struct trilo_marker {
    double seconds;
    const char *name; /* may be NULL */
} trilo_marker;

/* Computes node_count local matrices at `seconds`, clamped to the clip. A node without channels keeps its own matrix; a
 * component (translation, rotation, scale) without a channel keeps its rest value. `clip` TRILO_NONE: the rest pose. */
TRILO_API void trilo_pose_locals(const trilo_model *model, uint32_t clip, double seconds, trilo_mat4 *locals);

/* Computes node_count world matrices: world = world of the parent * local. */
TRILO_API void trilo_pose_worlds(const trilo_model *model, const trilo_mat4 *locals, trilo_mat4 *worlds);

/* Computes the joint_count skinning matrices of a skin: world of the joint's node * inverse bind matrix. They take a
 * skinned mesh from its rest pose to the pose. */
TRILO_API void trilo_pose_skin(const trilo_model *model, uint32_t skin, const trilo_mat4 *worlds, trilo_mat4 *matrices);

/* Computes vertex_count positions and normals (either may be NULL) of a mesh in the pose. `skin_matrices` are those of
 * trilo_pose_skin for the skin of the mesh; NULL for a rigid mesh. */
TRILO_API void trilo_pose_mesh(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds,
                               const trilo_mat4 *skin_matrices, float (*positions)[3], float (*normals)[3]);

/* The same for vertex_count vertices of the caller, such as those of a frame. Results may overwrite their input arrays.
 * If `from_normals` is NULL, the resulting normals are 0. */
TRILO_API void trilo_pose_vertices(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds,
                                   const trilo_mat4 *skin_matrices, const float (*from)[3],
                                   const float (*from_normals)[3], float (*positions)[3], float (*normals)[3]);

/* A skinning matrix decomposed into translation * rotation * stretch, for dual quaternion skinning (Kavan et al. 2007):
 * it preserves volume at twisted joints, where blended matrices collapse. */
typedef struct trilo_dual_quaternion {
    float rotation[4], dual[4];
    float stretch[9]; /* column major: scale, shear and mirroring, if any */
} trilo_dual_quaternion;

/* Converts joint_count skinning matrices. */
TRILO_API void trilo_pose_dual_quaternions(const trilo_mat4 *matrices, uint32_t joint_count,
                                           trilo_dual_quaternion *duals);

/* Like trilo_pose_vertices. For a vertex with a single joint, the result is the same. */
TRILO_API void trilo_pose_vertices_dual_quaternion(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds,
                                                   const trilo_dual_quaternion *duals, const float (*from)[3],
                                                   const float (*from_normals)[3], float (*positions)[3],
                                                   float (*normals)[3]);

/* The interpolation between the frames of a vertex animation. */
typedef enum trilo_frame_mode {
    TRILO_FRAME_MODE_HOLD,  /* the last frame whose time was reached holds, as in games on the console */
    TRILO_FRAME_MODE_BLEND, /* linear from each frame to the next; the last one holds */
    TRILO_FRAME_MODE_LOOP   /* the same, but the last one blends into the first until the end of the clip */
} trilo_frame_mode;

/* The frames at a time: `frame`, blended with `next` by `weight`, from 0 to 1. */
typedef struct trilo_frame_at {
    uint32_t frame, next;
    double weight;
} trilo_frame_at;

/* Returns the frames of a track at `seconds`. `duration` is that of the clip. Over a gap of less than 0.001 seconds,
 * the earlier frame holds. */
TRILO_API trilo_frame_at trilo_track_at(const trilo_track *track, double duration, double seconds,
                                        trilo_frame_mode mode);

/* Computes vertex_count positions and normals (either may be NULL) of a mesh from the vertex animation of a clip at
 * `seconds`; without one, those of the mesh. They are not transformed yet: pass them to trilo_pose_vertices. */
TRILO_API void trilo_pose_frame(const trilo_model *model, uint32_t mesh, uint32_t clip, double seconds,
                                trilo_frame_mode mode, float (*positions)[3], float (*normals)[3]);

/* Samples one channel at `seconds`: trilo_target_width numbers. At a key, before the first and after the last one, the
 * result is bit-identical to that key. */
TRILO_API void trilo_channel_sample(const trilo_channel *channel, double seconds, float value[4]);

#ifdef __cplusplus
}
#endif
#endif

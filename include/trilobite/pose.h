/* pose.h: where everything is at a moment of a clip.
 *
 * Steps over arrays of the caller's: local matrices from a clip, world matrices down the hierarchy, skinning matrices,
 * and with them the vertices, which a clip's frames may have changed before. Nothing is allocated.
 */
#ifndef TRILOBITE_POSE_H
#define TRILOBITE_POSE_H

#include "trilobite/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parts of a local matrix: translation * rotation * scale. */
typedef struct trilo_transform {
    float translation[3], rotation[4], scale[3];
} trilo_transform;

/* A moment of a clip that has a name. */
typedef struct trilo_marker {
    double seconds;
    const char *name; /* may be NULL */
} trilo_marker;

/* node_count local matrices at `seconds` (held at the ends). A node that no channel moves keeps its own matrix; a part
 * (translation, rotation, scale) without a channel keeps its rest value. `clip` TRILO_NONE is the rest pose. */
TRILO_API void trilo_pose_locals(const trilo_model *model, uint32_t clip, double seconds, trilo_mat4 *locals);

/* world = parent's world * local, node_count of each. */
TRILO_API void trilo_pose_worlds(const trilo_model *model, const trilo_mat4 *locals, trilo_mat4 *worlds);

/* joint_count matrices that take a rest position of a skinned mesh to the pose: world(joint's node) * inverse bind. */
TRILO_API void trilo_pose_skin(const trilo_model *model, uint32_t skin, const trilo_mat4 *worlds, trilo_mat4 *matrices);

/* vertex_count positions and normals (NULL: not wanted) of a mesh in the pose; `skin_matrices` from trilo_pose_skin for
 * the mesh's skin, NULL for a rigid mesh. */
TRILO_API void trilo_pose_mesh(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds,
                               const trilo_mat4 *skin_matrices, float (*positions)[3], float (*normals)[3]);

/* The same for vertices that the caller has, vertex_count of them, such as those of a frame; each result may be the
 * array that it is made from. `from_normals` NULL: there are none, and the results are 0. */
TRILO_API void trilo_pose_vertices(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds,
                                   const trilo_mat4 *skin_matrices, const float (*from)[3],
                                   const float (*from_normals)[3], float (*positions)[3], float (*normals)[3]);

/* A skinning matrix taken apart: M = translation * rotation * stretch. Blended so, joints that twist keep their volume
 * (dual quaternions, Kavan and others 2007), where blended matrices make them thin. */
typedef struct trilo_dual_quaternion {
    float rotation[4], dual[4];
    float stretch[9]; /* column by column: scale, shear and mirroring, if there is any */
} trilo_dual_quaternion;

/* joint_count of them from as many skinning matrices. */
TRILO_API void trilo_pose_dual_quaternions(const trilo_mat4 *matrices, uint32_t joint_count,
                                           trilo_dual_quaternion *duals);

/* As trilo_pose_vertices; a vertex that hangs on one joint ends up at the same place. */
TRILO_API void trilo_pose_vertices_dual_quaternion(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds,
                                                   const trilo_dual_quaternion *duals, const float (*from)[3],
                                                   const float (*from_normals)[3], float (*positions)[3],
                                                   float (*normals)[3]);

/* How a track of frames is shown between them. */
typedef enum trilo_frame_mode {
    TRILO_FRAME_MODE_HOLD,  /* the last frame whose time has come, as games on the console do it */
    TRILO_FRAME_MODE_BLEND, /* straight from each frame to the next; the last one stays */
    TRILO_FRAME_MODE_LOOP   /* the same, and the last one goes over into the first until the clip's end */
} trilo_frame_mode;

/* What shows at a moment: `frame`, or `next` mixed in by `weight`, from 0 to 1. */
typedef struct trilo_frame_at {
    uint32_t frame, next;
    double weight;
} trilo_frame_at;

/* `duration` is that of the clip. A gap below 0.001 seconds is no way to go: the frame in front of it holds. */
TRILO_API trilo_frame_at trilo_track_at(const trilo_track *track, double duration, double seconds,
                                        trilo_frame_mode mode);

/* vertex_count positions and normals (NULL: not wanted) of a mesh as the clip's frames have them at `seconds`; the
 * mesh's own where no frame says otherwise. Not yet placed: hand them to trilo_pose_vertices. */
TRILO_API void trilo_pose_frame(const trilo_model *model, uint32_t mesh, uint32_t clip, double seconds,
                                trilo_frame_mode mode, float (*positions)[3], float (*normals)[3]);

/* The value of one channel at `seconds`: trilo_target_width numbers. At a key, and held at the ends, it is the key's
 * own to the bit. */
TRILO_API void trilo_channel_sample(const trilo_channel *channel, double seconds, float value[4]);

#ifdef __cplusplus
}
#endif
#endif

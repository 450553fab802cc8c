/* player.h: animation playback with layers, crossfades, events and root motion.
 *
 * A player belongs to a model and has layers. Each layer plays one clip, or crossfades from one clip to the next. Layer
 * 0 is applied to the rest pose, every other layer to the result of the layers below. A layer changes only what its
 * clip has channels for. After trilo_player_advance, the pose is available as transforms, matrices or vertices.
 *
 * Only creating a player, setting a mask and binding values allocate memory. A player may be used by one thread at a
 * time. The model is only read.
 */
#ifndef TRILOBITE_PLAYER_H
#define TRILOBITE_PLAYER_H

#include "trilobite/pose.h"
#include "trilobite/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_player trilo_player;

/* How values between keys are interpolated. */
typedef enum trilo_sampling {
    TRILO_SAMPLING_AUTO,   /* TINY3D for a model with tiny3d_sampling, otherwise SMOOTH */
    TRILO_SAMPLING_SMOOTH, /* slerp along the shorter arc for rotations; everything in double precision */
    TRILO_SAMPLING_TINY3D  /* the arithmetic of Tiny3D's runtime, bit for bit: single precision in its order, times
                             summed up from ticks, nlerp for rotations. The segment between the last two keys is
                             extrapolated beyond the last key, and a clip that ends keeps the last pose it showed.
                             Differs from Tiny3D in three ways: time may run backwards, a step may be longer than the
                             clip, and a channel holds its first key before the time of that key. Channels with step or
                             cubic interpolation are sampled as by SMOOTH */
} trilo_sampling;

/* Returns the sampling that a player of the model uses: `sampling`, with TRILO_SAMPLING_AUTO resolved. */
TRILO_API trilo_sampling trilo_sampling_resolve(const trilo_model *model, trilo_sampling sampling);

typedef enum trilo_event_kind {
    TRILO_EVENT_KIND_MARKER, /* playback reached a marker */
    TRILO_EVENT_KIND_LOOPED, /* the clip started over */
    TRILO_EVENT_KIND_ENDED   /* a clip that plays once reached its end (its start when playing backwards) */
} trilo_event_kind;

typedef struct trilo_event {
    trilo_event_kind kind;
    uint32_t layer, clip; /* clip is TRILO_NONE for a stream */
    uint32_t marker;      /* index into the array of trilo_player_set_markers; TRILO_NONE: not a marker event */
    uint32_t rounds; /* of TRILO_EVENT_KIND_LOOPED: the number of loops; above 1 if a step is longer than the clip */
} trilo_event;

/* Called by trilo_player_advance after time has advanced and before the pose is computed. It may call every function of
 * the player except advance and free. */
typedef void trilo_event_fn(void *user, trilo_player *player, const trilo_event *event);

/* The components of root motion. They are removed from the pose and returned by trilo_player_root_motion instead. */
enum {
    TRILO_ROOT_X = 1,
    TRILO_ROOT_Y = 2,
    TRILO_ROOT_Z = 4,
    TRILO_ROOT_YAW = 8 /* the rotation about the y axis */
};

typedef struct trilo_player_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    trilo_sampling sampling;
    trilo_frame_mode frames; /* how vertex animation is interpolated */
    uint32_t layer_count;    /* 0: 4; at most 64 */
    uint32_t root_motion;    /* TRILO_ROOT_... flags; 0: all motion stays in the pose */
    uint32_t root_node;      /* the node that root motion is taken from */
    bool dual_quaternions;   /* trilo_player_mesh skins with dual quaternions, which preserve volume at twists */
    trilo_event_fn *on_event;
    void *on_event_user;
} trilo_player_opts;

/* Returns NULL and fills *err if the model violates an invariant of model.h (a channel for a node that does not exist,
 * times that do not increase), or if memory runs out. The model must outlive the player. */
TRILO_API trilo_player *trilo_player_new(const trilo_model *model, const trilo_player_opts *opts, trilo_error *err);
TRILO_API void trilo_player_free(trilo_player *player); /* may be NULL */

/* ---- playback ---- */

typedef struct trilo_play_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    bool once;            /* stop at the end instead of looping */
    bool paused;          /* start paused */
    double speed;         /* negative: backwards; 0: 1 */
    double start;         /* start time in seconds; 0 with a negative speed: the end */
    double fade;          /* duration in seconds of the crossfade from what the layer played before; 0: none */
} trilo_play_opts;

/* Plays a clip on a layer. `how` may be NULL: from the start, at speed 1, looping. With `clip` TRILO_NONE the layer
 * stops; a fade then blends it out into the layers below. Returns false if the layer or clip does not exist. */
TRILO_API bool trilo_player_play(trilo_player *player, uint32_t layer, uint32_t clip, const trilo_play_opts *how);
/* The same for a stream, whose keys are read during playback. The stream must stay valid while it plays, including
 * fades, and can be played by only one layer of one player at a time. Backward playback is slow: each step reads from
 * the start. */
TRILO_API bool trilo_player_play_stream(trilo_player *player, uint32_t layer, trilo_stream *stream,
                                        const trilo_play_opts *how);

/* These do nothing if the layer does not exist. Numbers that are not finite count as 0. */
TRILO_API void trilo_player_pause(trilo_player *player, uint32_t layer, bool paused);
TRILO_API void trilo_player_set_once(trilo_player *player, uint32_t layer, bool once);
TRILO_API void trilo_player_set_speed(trilo_player *player, uint32_t layer, double speed); /* negative: backwards */
TRILO_API void trilo_player_seek(trilo_player *player, uint32_t layer, double seconds);    /* clamped to the clip */
/* The weight of the layer, 0 to 1; initially 1. */
TRILO_API void trilo_player_set_weight(trilo_player *player, uint32_t layer, float weight);
/* A weight for each node. The array of node_count weights is copied; NULL: all are 1. Returns false if the layer does
 * not exist or memory runs out. */
TRILO_API bool trilo_player_set_mask(trilo_player *player, uint32_t layer, const float *weights);
/* Sets a mask with the weight `inside` for a node and its descendants, and `outside` for all other nodes. */
TRILO_API bool trilo_player_mask_branch(trilo_player *player, uint32_t layer, uint32_t node, float inside,
                                        float outside);
/* An additive layer adds the difference between the clip and its first keys to the layers below, instead of replacing
 * them. */
TRILO_API void trilo_player_set_additive(trilo_player *player, uint32_t layer, bool additive);

TRILO_API uint32_t trilo_player_clip(const trilo_player *player, uint32_t layer); /* TRILO_NONE: nothing, or a stream */
TRILO_API double trilo_player_time(const trilo_player *player, uint32_t layer);
TRILO_API bool trilo_player_finished(const trilo_player *player, uint32_t layer); /* a clip that plays once has ended */

/* Sets the markers of a clip, in order of time. Playback sends an event for each. The array is not copied; NULL: none.
 */
TRILO_API void trilo_player_set_markers(trilo_player *player, uint32_t clip, const trilo_marker *markers,
                                        uint32_t marker_count);

/* Advances the time of all layers, sends events, and computes the pose. 0 seconds only compute the pose. A clip with
 * duration 0 stays at 0. A step that loops several times sends at most two events for each marker. */
TRILO_API void trilo_player_advance(trilo_player *player, double seconds);

/* ---- the pose ---- */

/* Arrays of node_count entries. They belong to the player; the next advance overwrites them. */
TRILO_API const trilo_transform *trilo_player_transforms(const trilo_player *player);
TRILO_API const trilo_mat4 *trilo_player_locals(const trilo_player *player);
TRILO_API const trilo_mat4 *trilo_player_worlds(const trilo_player *player);
/* The joint_count matrices of a skin, for trilo_pose_mesh. Returns NULL if the skin does not exist. */
TRILO_API const trilo_mat4 *trilo_player_skin(const trilo_player *player, uint32_t skin);

/* Computes vertex_count positions and normals (either may be NULL) of a mesh in the current pose: vertex animation,
 * then the node or the skin. Vertex animations of several layers, or in a crossfade, are blended by weight; masks do
 * not apply to them. */
TRILO_API void trilo_player_mesh(const trilo_player *player, uint32_t mesh, float (*positions)[3], float (*normals)[3]);
/* The bounding box of all meshes in the current pose; empty if there are no vertices. */
TRILO_API trilo_bounds trilo_player_bounds(const trilo_player *player);

/* The root motion of the last advance, relative to the previous pose of the root. If your character has the matrix
 * `world`, the next one is world * translation * rotation. The scale is 1. */
TRILO_API trilo_transform trilo_player_root_motion(const trilo_player *player);

/* Redirects a component of a node (TRILO_TARGET_TRANSLATION, TRILO_TARGET_ROTATION or TRILO_TARGET_SCALE) to something
 * else: a camera, a colour, a wheel. The node itself keeps its rest value. Each advance stores 3 or 4 numbers in
 * `values` and passes them to `fn`. Either may be NULL; if both are, the binding is removed. Returns false if memory
 * runs out, or if the node or component does not exist. */
typedef void trilo_driven_fn(void *user, uint32_t node, trilo_target part, const float *values);
TRILO_API bool trilo_player_bind(trilo_player *player, uint32_t node, trilo_target part, float *values,
                                 trilo_driven_fn *fn, void *user);

/* Computes the bounding box of a whole clip: of its poses at every key, at every frame, and 60 times a second. If that
 * is more than 4096 poses, 4096 evenly spaced ones are used. Samples as TRILO_SAMPLING_SMOOTH, and skins as
 * trilo_pose_mesh. */
TRILO_API bool trilo_clip_bounds(const trilo_model *model, uint32_t clip, const trilo_memory *memory,
                                 trilo_bounds *bounds, trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif

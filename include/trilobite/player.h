/* player.h: clips over time: played, looped, mixed, and heard of.
 *
 * A player belongs to a model and has layers; each layer plays one clip, or fades from one to the next. Layer 0 lies on
 * the rest pose, each other layer on the one below. A layer moves only what its clip has channels for. After
 * trilo_player_advance, the pose can be taken as parts, as matrices or as vertices.
 *
 * Memory is asked for when a player is made, when a mask is set and when values are bound, never by the rest. A player
 * is for one thread at a time; the model is only read.
 */
#ifndef TRILOBITE_PLAYER_H
#define TRILOBITE_PLAYER_H

#include "trilobite/pose.h"
#include "trilobite/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_player trilo_player;

/* How values between keys are found. */
typedef enum trilo_sampling {
    TRILO_SAMPLING_AUTO,   /* TINY3D for a model that was read from T3DM, otherwise SMOOTH */
    TRILO_SAMPLING_SMOOTH, /* rotations at even speed on the shorter arc (slerp), everything in double precision */
    TRILO_SAMPLING_TINY3D  /* the console's own arithmetic, in single precision and in its order: times are summed up
                             from ticks, rotations go straight and are made 1 long again (nlerp), the way between the
                             last two keys goes on behind the last one, and a clip that ends stays at the last moment
                             it showed. Differs from Tiny3D in three things: time may run backwards, a step may be longer
                             than the clip, and a channel shows its first key before that one's time. Steps and curves
                             are sampled smoothly */
} trilo_sampling;

/* What a player of that model samples with: `sampling`, but never TRILO_SAMPLING_AUTO. */
TRILO_API trilo_sampling trilo_sampling_resolve(const trilo_model *model, trilo_sampling sampling);

typedef enum trilo_event_kind {
    TRILO_EVENT_MARKER, /* the time of a marker was reached */
    TRILO_EVENT_LOOPED, /* the clip began again */
    TRILO_EVENT_ENDED   /* a clip that plays once is at its end (or, backwards, its begin) */
} trilo_event_kind;

typedef struct trilo_event {
    trilo_event_kind kind;
    uint32_t layer, clip; /* TRILO_NONE: a stream */
    uint32_t marker;      /* which one of trilo_player_set_markers; TRILO_NONE: no marker */
    uint32_t rounds;      /* of TRILO_EVENT_LOOPED: how often at once, when a step is longer than the clip */
} trilo_event;

/* Called by trilo_player_advance when the time has gone on and before the pose is made. It may call every function of
 * the player but advance and free. */
typedef void trilo_event_fn(void *user, trilo_player *player, const trilo_event *event);

/* What of the root's motion is taken out of the pose and told by trilo_player_root_motion instead. */
enum {
    TRILO_ROOT_X = 1,
    TRILO_ROOT_Y = 2,
    TRILO_ROOT_Z = 4,
    TRILO_ROOT_YAW = 8 /* the turn about the y axis */
};

typedef struct trilo_player_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* stays 0 */
    trilo_memory memory;
    trilo_sampling sampling;
    trilo_frame_mode frames; /* how frames of vertices are shown */
    uint32_t layer_count;    /* 0: 4; at most 64 */
    uint32_t root_motion;    /* TRILO_ROOT_...; 0: it stays in the pose */
    uint32_t root_node;      /* whose motion that is */
    bool dual_quaternions;   /* trilo_player_mesh keeps the volume of joints that twist */
    trilo_event_fn *on_event;
    void *on_event_user;
} trilo_player_opts;

/* NULL, with *err, when the model breaks a promise of model.h (a channel for a node that is not there, falling times),
 * or when memory ran out. The model must outlive the player. */
TRILO_API trilo_player *trilo_player_new(const trilo_model *model, const trilo_player_opts *opts, trilo_error *err);
TRILO_API void trilo_player_free(trilo_player *player); /* NULL is fine */

/* ---- what plays ---- */

typedef struct trilo_play_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* stays 0 */
    bool once;            /* stop at the end instead of beginning again */
    bool paused;          /* stand still at the start */
    double speed;         /* 0: 1; negative: backwards */
    double start;         /* where to begin; backwards 0 means the end */
    double fade;          /* seconds over which what the layer played before goes over into this; 0: at once */
} trilo_play_opts;

/* `how` NULL: from the start, at speed 1, again and again. `clip` TRILO_NONE: nothing; with a fade the layer goes over
 * into what lies below. False: there is no such layer or clip. */
TRILO_API bool trilo_player_play(trilo_player *player, uint32_t layer, uint32_t clip, const trilo_play_opts *how);
/* The same for keys that are read while they are played. The stream must outlive its being played, fades included, and
 * is played at one place at a time. Backwards it is slow: each step reads it from the start. */
TRILO_API bool trilo_player_play_stream(trilo_player *player, uint32_t layer, trilo_stream *stream,
                                        const trilo_play_opts *how);

/* These do nothing for a layer that is not there; numbers that are not finite count as 0. */
TRILO_API void trilo_player_pause(trilo_player *player, uint32_t layer, bool paused);
TRILO_API void trilo_player_set_once(trilo_player *player, uint32_t layer, bool once);
TRILO_API void trilo_player_set_speed(trilo_player *player, uint32_t layer, double speed); /* negative: backwards */
TRILO_API void trilo_player_seek(trilo_player *player, uint32_t layer, double seconds);    /* from 0 to the duration */
/* How much of the layer shows, 0 to 1, at first 1. */
TRILO_API void trilo_player_set_weight(trilo_player *player, uint32_t layer, float weight);
/* The same for each node: node_count weights, of which a copy is made; NULL: all are 1. False when memory ran out. */
TRILO_API bool trilo_player_set_mask(trilo_player *player, uint32_t layer, const float *weights);
/* A mask of a branch: `inside` for the node and all below it, `outside` for the others. */
TRILO_API bool trilo_player_mask_branch(trilo_player *player, uint32_t layer, uint32_t node, float inside,
                                        float outside);
/* What the clip changes since its first keys is added to the layers below, instead of taking their place. */
TRILO_API void trilo_player_set_additive(trilo_player *player, uint32_t layer, bool additive);

TRILO_API uint32_t trilo_player_clip(const trilo_player *player, uint32_t layer); /* TRILO_NONE: none, or a stream */
TRILO_API double trilo_player_time(const trilo_player *player, uint32_t layer);
TRILO_API bool trilo_player_finished(const trilo_player *player, uint32_t layer); /* played once, and at its end */

/* Moments of a clip that events tell of, in rising order; the array is borrowed. NULL: none. */
TRILO_API void trilo_player_set_markers(trilo_player *player, uint32_t clip, const trilo_marker *markers,
                                        uint32_t marker_count);

/* Lets time pass for all layers, tells events, and makes the pose; 0 seconds just make it. A clip without a length
 * stands at 0. Of a step that goes round more than once, each marker is told at most twice. */
TRILO_API void trilo_player_advance(trilo_player *player, double seconds);

/* ---- the pose ---- */

/* All of these are the player's own arrays, node_count entries, and change with the next advance. */
TRILO_API const trilo_transform *trilo_player_transforms(const trilo_player *player);
TRILO_API const trilo_mat4 *trilo_player_locals(const trilo_player *player);
TRILO_API const trilo_mat4 *trilo_player_worlds(const trilo_player *player);
/* joint_count matrices of a skin, for trilo_pose_mesh; NULL: there is no such skin. */
TRILO_API const trilo_mat4 *trilo_player_skin(const trilo_player *player, uint32_t skin);

/* vertex_count positions and normals (NULL: not wanted) of a mesh as it stands now: frames of vertices, nodes and skins
 * together. Frames of several layers, and in a fade, are mixed by their weights; masks do not matter to them. */
TRILO_API void trilo_player_mesh(const trilo_player *player, uint32_t mesh, float (*positions)[3], float (*normals)[3]);
/* The box around all of them; empty when there is no vertex. */
TRILO_API trilo_bounds trilo_player_bounds(const trilo_player *player);

/* How the root went on in the last advance, as seen from where it stood before: with a world matrix of your own, the
 * next one is world * translation * rotation. The scale is 1. */
TRILO_API trilo_transform trilo_player_root_motion(const trilo_player *player);

/* Hands what moves a part of a node (TRILO_TARGET_TRANSLATION, TRILO_TARGET_ROTATION or TRILO_TARGET_SCALE) to
 * something else: a camera, a colour, a wheel. The node itself then rests. `values` gets 3 or 4 numbers at each advance
 * (NULL: none), `fn` is told them (NULL: nobody); both NULL: the node moves again. False when memory ran out or there
 * is no such part. */
typedef void trilo_driven_fn(void *user, uint32_t node, trilo_target part, const float *values);
TRILO_API bool trilo_player_bind(trilo_player *player, uint32_t node, trilo_target part, float *values,
                                 trilo_driven_fn *fn, void *user);

/* The box around everything that a clip shows: at each of its keys and frames, and 60 times a second between them (for
 * a clip of more than 4096 such moments, at 4096 even ones). Smoothly sampled; skinned as trilo_pose_mesh does it. */
TRILO_API bool trilo_clip_bounds(const trilo_model *model, uint32_t clip, const trilo_memory *memory,
                                 trilo_bounds *bounds, trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif

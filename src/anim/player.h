/* player.h: layers of playbacks that are sampled and blended into one pose. */
#ifndef TL_ANIM_PLAYER_H
#define TL_ANIM_PLAYER_H

#include "anim/playback_clock.h"
#include "anim/tiny3d_sample.h"
#include "anim/transform.h"
#include "model/stream.h"
#include "trilobite/player.h"

typedef enum tl_playback_kind {
    TL_PLAYBACK_NONE,
    TL_PLAYBACK_CLIP,
    TL_PLAYBACK_STREAM,
    TL_PLAYBACK_FROZEN /* the pose of a crossfade that another one interrupted */
} tl_playback_kind;

/* A clip or a stream that plays. */
typedef struct tl_playback {
    tl_playback_kind kind;
    uint32_t clip;
    trilo_stream *stream;
    tl_clock clock;
    tl_clock_step step;             /* the last one */
    bool begun;                     /* time has passed since it was started */
    bool root_known;                /* `root` is set */
    trilo_transform root, root_end; /* of the root node: at the last time, and at the end of the clip */
    trilo_transform motion;         /* of the root node in the last step */
} tl_playback;

/* Local transforms of all nodes, and which of their components are set (TL_COMPONENTS_...). */
typedef struct tl_pose {
    trilo_transform *transforms;
    uint8_t *components;
} tl_pose;

typedef struct tl_layer {
    tl_playback now, old; /* a crossfade blends from `old` to `now` */
    double fade, faded;
    float weight;
    bool additive, masked;
    float *mask;             /* NULL: never set */
    tl_pose blended, frozen; /* of a crossfade: its pose now, and the one it began with */
} tl_layer;

typedef struct tl_binding {
    struct tl_binding *next;
    uint32_t node;
    trilo_target target;
    float *values;
    trilo_driven_fn *fn;
    void *user;
} tl_binding;

typedef struct tl_markers {
    const trilo_marker *markers;
    uint32_t count;
} tl_markers;

struct trilo_player {
    tl_arena arena; /* the player itself lives in it */
    const trilo_model *model;
    trilo_player_opts opts;
    tl_blending blending;
    bool busy;                            /* in advance */
    const tl_tiny3d_times **tiny3d_times; /* of the channels of each clip; NULL: sampling is smooth */
    uint32_t layer_count;
    tl_layer *layers;
    tl_markers *markers; /* of each clip */
    tl_binding *bindings;
    trilo_transform *rest;
    tl_pose pose, sampled[2]; /* the result, and two to crossfade */
    trilo_mat4 *locals, *worlds;
    trilo_mat4 **skins;                               /* matrices of each skin */
    trilo_dual_quaternion *dual_quaternions;          /* room for the largest skin; NULL: not used */
    float (*vertices)[3];                             /* room for the largest mesh */
    float (*frame_positions)[3], (*frame_normals)[3]; /* of a frame to blend in; NULL: there are no tracks */
    trilo_transform motion;                           /* of the root */
};

tl_layer *tl_player_layer(const trilo_player *player, uint32_t layer); /* NULL: it does not exist */
double tl_layer_fade(const tl_layer *layer);                           /* the weight of `now` */

/* The pose of a playback; on an additive layer as a difference from its first keys. */
void tl_playback_sample(const trilo_player *player, tl_playback *playback, const tl_layer *layer, const tl_pose *pose);
/* Samples the animated components of one node, at a time or at the first keys. Other components of `transform` stay. */
void tl_playback_node(const trilo_player *player, tl_playback *playback, uint32_t node, double seconds,
                      trilo_transform *transform);
void tl_playback_first(const trilo_player *player, const tl_playback *playback, uint32_t node,
                       trilo_transform *transform);

/* Advances the clocks of all layers and sends events. */
void tl_player_advance_layers(trilo_player *player, double seconds);
/* Blends the layers into player->pose. */
void tl_player_blend(trilo_player *player);

/* Root motion: extracted from the pose of a playback into playback->motion. `before` must be called before
 * tl_playback_sample: a stream has to be read to its end before it is rewound. */
void tl_root_motion_before(const trilo_player *player, tl_playback *playback);
void tl_root_motion_extract(const trilo_player *player, tl_playback *playback, trilo_transform *root);

#endif

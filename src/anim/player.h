/* player.h: what is behind trilo_player. */
#ifndef TL_ANIM_PLAYER_H
#define TL_ANIM_PLAYER_H

#include "anim/playback_clock.h"
#include "anim/tiny3d_sample.h"
#include "anim/transform.h"
#include "model/stream.h"

typedef enum tl_playback_kind {
    TL_VOICE_NONE,
    TL_VOICE_CLIP,
    TL_VOICE_STREAM,
    TL_VOICE_FROZEN /* what a fade was when another one took its place */
} tl_playback_kind;

/* Something that plays. */
typedef struct tl_playback {
    tl_playback_kind kind;
    uint32_t clip;
    trilo_stream *stream;
    tl_clock clock;
    tl_clock_step step; /* the last one */
    bool begun;         /* time has passed since it was put there */
    bool root_known;    /* the one below */
    trilo_transform root, root_end,
        motion; /* where the root was at the last moment and is at the end, and how it moved */
} tl_playback;

/* Parts of all nodes, and which of their numbers count. */
typedef struct tl_pose {
    trilo_transform *parts;
    uint8_t *cover;
} tl_pose;

typedef struct tl_layer {
    tl_playback now, old; /* `old` goes over into `now` while they fade */
    double fade, faded;
    float weight;
    bool additive, masked;
    float *mask;           /* NULL: never set */
    tl_pose mixed, frozen; /* of a fade: what it is now, and what it began with */
} tl_layer;

typedef struct tl_binding {
    struct tl_binding *next;
    uint32_t node;
    trilo_target part;
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
    tl_mixing mixing;
    bool busy;                     /* in advance */
    const tl_tiny3d_times **exact; /* of the channels of each clip; NULL: all is smooth */
    uint32_t layer_count;
    tl_layer *layers;
    tl_markers *markers; /* of each clip */
    tl_binding *bindings;
    trilo_transform *rest;
    tl_pose pose, voice[2]; /* the result, and two to mix */
    trilo_mat4 *locals, *worlds;
    trilo_mat4 **skins;              /* matrices of each skin */
    trilo_dual_quaternion *duals;    /* room for the largest skin; NULL: not wanted */
    float (*vertices)[3];            /* room for the largest mesh */
    float (*frames)[3], (*turns)[3]; /* of a frame to mix in; NULL: there are no tracks */
    trilo_transform motion;          /* of the root */
};

tl_layer *tl_player_layer(const trilo_player *player, uint32_t layer); /* NULL: there is none */
double tl_layer_fade(const tl_layer *layer);                           /* how much of `now` shows */

/* What the voice shows, as a difference from its first keys when it is added. */
void tl_playback_sample(const trilo_player *player, tl_playback *voice, const tl_layer *layer, const tl_pose *pose);
/* The parts of one node at a moment, or by the first keys, over what `parts` has. */
void tl_playback_node(const trilo_player *player, tl_playback *voice, uint32_t node, double seconds,
                      trilo_transform *parts);
void tl_playback_first(const trilo_player *player, const tl_playback *voice, uint32_t node, trilo_transform *parts);

/* Lets time pass, and tells what happens. */
void tl_player_pass(trilo_player *player, double seconds);
/* Puts the layers over each other. */
void tl_player_mix(trilo_player *player);

/* The motion of the root that a voice shows is kept in the voice and taken out of its pose. `before` comes in front of
 * tl_playback_sample: a stream must be read to its end before it is read from the start again. */
void tl_root_before(const trilo_player *player, tl_playback *voice);
void tl_root_take(const trilo_player *player, tl_playback *voice, trilo_transform *root);

#endif

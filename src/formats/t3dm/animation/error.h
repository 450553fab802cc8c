/* error.h: poses at four ticks at once, for the measurement of a clip's error.
 *
 * error.inc computes them, once for every machine (error.c) and once for AVX2 (error_avx2.c), with the same results.
 */
#ifndef TL_T3DM_ANIMATION_ERROR_H
#define TL_T3DM_ANIMATION_ERROR_H

#include "formats/t3dm/animation/animation.h"

#include "base/compiler.h"
#include "base/lanes.h"
#include "base/vec.h"

enum { T3DM_POSE_TICKS = 4 }; /* at once, each in its lane */

struct t3dm_bone_pose {
    tl_double4 world[12];   /* rows of a 3 x 4 matrix */
    tl_double4 rotation[4]; /* the same without translation and scale */
    bool moved;             /* since the ticks before, or between these */
};

/* Of a bone, relative to its parent. */
typedef struct t3dm_local_pose {
    tl_double4 translation[3], rotation[4], scale[3]; /* as the channels have them */
    tl_double4 unit[4], matrix[12];                   /* the rotation made a unit quaternion, and the whole */
    bool scaled;                                      /* by other factors than 1 */
} t3dm_local_pose;

/* A channel that is being played, of a bone that is needed. */
typedef struct t3dm_key_cursor {
    const tl_sdata_channel *channel;
    const t3dm_mapping *mapping;
    uint32_t bone;
    tl_double4 *to;      /* of the local pose */
    bool scales;         /* it is a scale */
    uint32_t key;        /* the last one that has passed */
    uint32_t start, end; /* ticks of it and of the next */
    uint32_t due;        /* when the key changes; 0: the others are not set yet, UINT32_MAX: never */
    bool held;           /* the value is the same up to the next key */
    bool settled;        /* and all lanes have it */
    tl_double4 a, b;     /* values of the key and the next; of a scalar only the first */
    uint32_t next;       /* the key that `unpacked` is the rotation of */
    tl_double4 unpacked;
} t3dm_key_cursor;

/* A channel of the source that moves a bone. */
typedef struct t3dm_source_cursor {
    const trilo_channel *channel;
    const float *at_ticks; /* its values, if they are kept */
    tl_channel_cursor at;
    uint32_t bone;
    uint32_t width; /* of a value */
    tl_double4 *to; /* of the local pose */
    bool scales;    /* it is a scale */
    double unit;    /* of the file, in units of the source */
    bool constant;  /* one value is enough */
} t3dm_source_cursor;

/* The poses of a clip's bones at some ticks after the other. */
typedef struct t3dm_pose_track {
    t3dm_local_pose *local;
    bool *changed; /* `local` has */
    bool overlaps; /* two channels have the same target: the later one counts, at every tick */
    t3dm_bone_pose *poses;
} t3dm_pose_track;

typedef struct t3dm_pose_lanes t3dm_pose_lanes;

typedef struct t3dm_pose_comparison {
    const t3dm_encoder *e;
    const t3dm_clip_builder *clip;
    const t3dm_pose_lanes *lanes;
    bool *needed;                    /* bones that are measured, and those above them */
    const t3dm_bone_points **points; /* that follow each bone */
    t3dm_pose_track source, played;
    uint32_t *source_bones; /* of each channel of the source; TRILO_NONE: none, or it has no keys */
    t3dm_source_cursor *source_cursors;
    uint32_t source_cursor_count;
    t3dm_key_cursor *key_cursors;
    uint32_t key_cursor_count;
    uint32_t ended;        /* the last tick that was measured */
    uint32_t failing_bone; /* the bone that is beyond the limit there */
} t3dm_pose_comparison;

/* What is computed for all lanes at once. */
struct t3dm_pose_lanes {
    /* Rotations of the source at some ticks, out of those at every tick. */
    void (*load_rotations)(const float *at_ticks, const uint32_t ticks[T3DM_POSE_TICKS], tl_double4 rotation[4]);
    /* The local poses that Tiny3D plays, at a tick and those after it. Ticks rise from call to call. */
    void (*play_keys)(t3dm_pose_comparison *c, uint32_t tick);
    /* From local poses. `before` has the poses of the ticks before, and may be `poses` itself. */
    void (*make_worlds)(const t3dm_pose_comparison *c, t3dm_pose_track *track, const t3dm_bone_pose *before,
                        t3dm_bone_pose *poses);
    /* Adds the error of a bone. All in `worst` are squares; distances up to the root of `least` do not count. */
    void (*measure_bone)(const t3dm_pose_comparison *c, const t3dm_bone_pose *source, uint32_t bone,
                         const t3dm_bone_points *points, uint32_t tick, double least, t3dm_clip_error *worst);
    /* Adds the errors of all bones that are to be measured; unless `all`, only of those that moved. */
    void (*measure_bones)(const t3dm_pose_comparison *c, const t3dm_bone_pose *source, uint32_t tick, bool all,
                          double least, t3dm_clip_error *worst);
};

const t3dm_pose_lanes *tl_t3dm_pose_lanes(void);
/* For a processor with AVX2. NULL: not compiled for it. */
const t3dm_pose_lanes *tl_t3dm_pose_lanes_avx2(void);

/* Of a lane: the last tick again where the clip ends before it. */
static inline uint32_t tl_t3dm_tick_of_lane(const t3dm_clip_builder *clip, uint32_t tick, uint32_t lane)
{
    return tick + lane <= clip->last_tick ? tick + lane : clip->last_tick;
}

#endif

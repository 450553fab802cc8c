/* trip.h: models sent through other formats, in memory, and what came back compared with what went in.
 *
 * Meshes may be cut, joined, sorted and numbered anew on the way, so models are compared as sets of faces: every face
 * of one must find one of its own in the other, no further away than a limit that follows from the numbers of the
 * format.
 */
#ifndef TL_TEST_TRIP_H
#define TL_TEST_TRIP_H

#include "support/buffer.h"
#include "trilobite/trilobite.h"

/* --- there --- */

enum { TRIP_COMPANIONS = 32, TRIP_RULES = 1024 };

/* A model as a file of another format, and that file read again. */
typedef struct trip_leg {
    const trilo_model *model; /* NULL: `err` says why there is none */
    trilo_error err;
    char rules[TRIP_RULES]; /* of what was told while writing, each once, a space behind each */
    uint32_t left_out;      /* triangles, as M64-COLLAPSED and T3DM-DROPPED tell */
    buffer file, companions[TRIP_COMPANIONS];
    char names[TRIP_COMPANIONS][64];
    uint32_t companion_count;
} trip_leg;

/* `opts` may be NULL; its format, name and callbacks are set here. */
void trip_start(trip_leg *leg, const trilo_model *from, trilo_format to, const trilo_write_opts *opts);
bool trip_told(const trip_leg *leg, const char *rule);
void trip_end(trip_leg *leg);

/* A copy of which each vertex follows its strongest joint alone, as T3DM has it; it borrows all else. */
typedef struct trip_copy {
    trilo_model model;
    trilo_mesh *meshes;
    float (**weights)[4];
} trip_copy;
void trip_strongest(trip_copy *copy, const trilo_model *from);
void trip_copy_free(trip_copy *copy);

/* --- faces --- */

/* What a format may do to a vertex; all 0: nothing. */
typedef struct trip_wear {
    double spot;   /* distance that rounding moves a position, in the space where it is stored */
    double angle;  /* by which a moving node may be turned wrongly, radians */
    double number; /* by which the scale of a moving node may be wrong */
    double place;  /* by which the place of a moving node may be wrong */
    double span;   /* and both by this part of what their keys span */
} trip_wear;

typedef enum trip_tint {
    TRIP_TINT_NONE,
    TRIP_TINT_PLAIN /* of materials without N64 state */,
    TRIP_TINT_ALL
} trip_tint;

/* How a model is looked at. */
typedef struct trip_view {
    uint32_t clip; /* TRILO_NONE: at rest */
    double seconds;
    trilo_frame_mode mode;
    double scale; /* of positions; 0: 1 */
    trip_tint tint;
    bool nan_is_0; /* in positions, as glTF is written */
    trip_wear wear;
} trip_view;

typedef struct trip_corner {
    double position[3], uv[2], color[4];
    double slack; /* what `wear` may do to it */
} trip_corner;

typedef struct trip_face {
    int sides;              /* 3, or 2 for a line */
    trip_corner corners[3]; /* of a mirrored mesh the other way round, as it is seen */
    bool textured;          /* no N64 state says otherwise */
    double texels[2];       /* of the N64 texture; 0: not known */
} trip_face;

typedef struct trip_soup {
    trip_face *faces;
    uint32_t count;
} trip_soup;

trip_soup trip_soup_of(const trilo_model *model, const trip_view *view);
void trip_soup_free(trip_soup *soup);

/* --- compared --- */

typedef struct trip_limits {
    double position; /* besides the slack of the corners */
    double uv;       /* besides one of the steps below */
    double uv_steps; /* in a texel; 0: none */
    double uv_most;  /* what is beyond was cut; 0: nothing was */
    bool uv_repeats; /* faces may be moved by whole repeats, always two */
    double color;
    bool no_alpha;
} trip_limits;

typedef struct trip_errors {
    double position, uv, color; /* the largest */
    double part;                /* of the limit for a position, the largest: above 1 nothing matches */
    uint32_t faces, unmatched;  /* of `got` */
    uint32_t missing;           /* of `want` */
    uint32_t repeated;          /* faces whose texture coordinates were moved */
    double nearest[3];          /* of the first that matched nothing: the nearest in position, uv and colour off it */
} trip_errors;

/* Adds up: `errors` starts zeroed. */
void trip_compare(const trip_soup *got, const trip_soup *want, const trip_limits *limits, trip_errors *errors);

#endif

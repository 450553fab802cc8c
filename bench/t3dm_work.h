/* t3dm_work.h: what the console fetches to draw every object of a T3DM file once, and what it needs at least. */
#ifndef BENCH_T3DM_WORK_H
#define BENCH_T3DM_WORK_H

#include "buffer.h"

#include <trilobite/error.h>

typedef struct t3dm_work {
    double triangles, vertices, commands;
    double bytes;   /* all of it: commands, vertices, strip indices, matrices */
    double draw;    /* commands that draw, and strip indices */
    double floor;   /* bytes that these triangles need at least */
    double cycles;  /* estimated, with a cycle for every four bytes of overlays that materials make the RSP swap */
    double changes; /* of the material */
    bool skinned;
} t3dm_work;

/* False: no T3DM file without errors, and *err says why. */
bool t3dm_work_of(const bench_buffer *file, t3dm_work *work, trilo_error *err);
void t3dm_work_add(t3dm_work *sum, const t3dm_work *one);

/* Of all objects; 0: no T3DM file. */
double t3dm_floor_of(const bench_buffer *file);

#endif

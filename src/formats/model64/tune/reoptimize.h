/* reoptimize.h: reoptimizes the display lists of a file.
 *
 *   lists -> points, corners and triangles (gather.c) -> display lists -> file (reoptimize.c)
 */
#ifndef TL_MODEL64_TUNE_REOPTIMIZE_H
#define TL_MODEL64_TUNE_REOPTIMIZE_H

#include "formats/model64/encode/encode.h"

typedef struct model64_reoptimizer {
    const model64_file *from;
    const tl_reoptimize_opts *opts;
    tl_arena *arena;
    size_t st_at, rgba_at; /* in a stored vertex, after position and flag */
    bool own_default;      /* the file has default vertices */
    bool fixed_rgba;       /* the last bytes belong to the point: normals, or colours that change from frame to frame */

    /* the drawn geometry */
    bool unsupported; /* a list does more than draw, or frames more than move vertices: the file is left unchanged */
    uint32_t point_count, st_count, rgba_count;
    uint32_t *row_of_point; /* a vertex of the file for each point */
    int16_t (*st)[2];
    uint8_t (*rgba)[4];
    model64_slot slots[MODEL64_SLOTS];
    uint32_t dropped;      /* triangles without area */
    uint32_t repeated;     /* triangles drawn twice in a row: a known bug of an exporter */
    uint64_t bytes_before; /* the drawing cost before */
} model64_reoptimizer;

/* False: no memory. */
bool tl_model64_reoptimize_gather(model64_reoptimizer *r);

#endif

/* t3dm_console.h: a plain model of the console's memory that runs the parts of an object, and parts at random. */
#ifndef TL_TEST_T3DM_CONSOLE_H
#define TL_TEST_T3DM_CONSOLE_H

#include "formats/t3dm/t3dm.h"

enum { CONSOLE_PARTS = 7, CONSOLE_INDICES = 3000, CONSOLE_VERTICES = 150, CONSOLE_MOST = 8000, CONSOLE_RAW = 16 };

typedef struct console_triangle {
    uint32_t part, slots[3], vertices[3], bones[3];
} console_triangle;

/* What the parts of an object do. */
typedef struct console_run {
    uint32_t count, fault_count, part_count, strip_count;
    uint64_t batches; /* the triangles in each */
    console_triangle triangles[CONSOLE_MOST];
    t3dm_draw_fault faults[CONSOLE_MOST];
    bool ran[CONSOLE_PARTS], summed[CONSOLE_PARTS], has_sum;
    t3dm_part_sum sums[CONSOLE_PARTS], sum;
} console_run;

/* As if nothing had run yet. */
void console_forget(console_run *r);
/* Runs the CONSOLE_PARTS parts of an object. */
void console_run_object(const t3dm_file *file, const t3dm_object *object, console_run *out);

/* --- at random --- */

uint32_t console_below(uint64_t *dice, uint32_t limit);
/* Mostly what can be drawn; `wild`: with one thing at a limit or beyond it. */
void console_make_part(uint64_t *dice, t3dm_part *p, uint32_t version, bool wild, bool first);
/* CONSOLE_INDICES bytes. `tame`: all slots exist. */
void console_make_indices(uint64_t *dice, uint8_t *indices, uint32_t version, uint32_t slots, bool tame);

#endif

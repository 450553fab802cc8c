/* t3dm_grove.h: the records of a T3DM file in memory, to be changed by hand: objects, parts and materials as a test
 * wants them. Nothing is encoded and no file is read. */
#ifndef TL_TEST_T3DM_GROVE_H
#define TL_TEST_T3DM_GROVE_H

#include "formats/t3dm/cost/cost.h"
#include "formats/t3dm/t3dm.h"

enum { GROVE_ROWS = 4096, GROVE_INDICES = 1 << 15, GROVE_PARTS = 64, GROVE_OBJECTS = 6, GROVE_MATERIALS = 6 };

typedef struct grove {
    uint8_t vertices[16 * GROVE_ROWS], indices[GROVE_INDICES];
    char strings[512];
    t3dm_part parts[GROVE_PARTS];
    t3dm_object objects[GROVE_OBJECTS];
    t3dm_material materials[GROVE_MATERIALS];
    size_t string_size;
    t3dm_file file;
    tl_arena arena;
    trilo_cost cost;
} grove;

/* An empty file of version 4, without objects and materials; all vertices are different: row i is at (i, i * i % 97,
 * 0).
 */
void grove_start(grove *g);
/* Free with it. */
void grove_end(grove *g);

void grove_place(grove *g, uint32_t row, int x, int y, int z);
void grove_uv(grove *g, uint32_t row, int u, int v);
/* Offset of a string, added to the table. */
uint32_t grove_string(grove *g, const char *text);
/* A lit material with a texture of 32 x 32 texels; path NULL: none. Answers its number. */
uint32_t grove_material(grove *g, const char *name, const char *path);
/* An object with that many parts, which start at g->parts + `first`. Answers its number. */
uint32_t grove_object(grove *g, const char *name, uint32_t material, uint32_t first, uint32_t parts);
/* A part that loads rows and draws the list triangles 0 1 2, 1 2 3, and so on. */
t3dm_part grove_part(grove *g, uint32_t row, uint16_t count, uint16_t triangles);

/* Counts; g->cost holds the answer until grove_end. Fails the test when it fails. */
const trilo_cost *grove_cost(grove *g, const trilo_cost_opts *opts);

#endif

/* t3dm_sim.h: the objects of a T3DM file on the simulated cache (cache_sim.h). */
#ifndef TL_TEST_T3DM_SIM_H
#define TL_TEST_T3DM_SIM_H

#include "formats/t3dm/t3dm.h"
#include "support/cache_sim.h"

/* A corner as the file stores it. */
typedef struct t3dm_sim_corner {
    uint8_t position[6], normal[2], color[4], uv[4], bone[2];
} t3dm_sim_corner;

typedef struct t3dm_sim_triangle {
    t3dm_sim_corner corners[3]; /* the smallest first, winding kept */
} t3dm_sim_triangle;

typedef struct t3dm_sim {
    cache_sim_work work; /* of all objects */
    uint32_t object_count;
    uint32_t *ends; /* of the triangles of each object */
    uint32_t count;
    t3dm_sim_triangle *triangles; /* in order, for each object */
} t3dm_sim;

enum {
    T3DM_SIM_RESIDENT = 1,  /* parts may draw with what parts before them loaded */
    T3DM_SIM_POSITIONS = 2, /* only these and bones are kept of a corner */
};

/* Of version 3 or 4. Fails the test when a rule of the cache is broken. Triangles without area are left out. */
void t3dm_sim_run(const char *what, const t3dm_file *file, int flags, t3dm_sim *sim);
void t3dm_sim_free(t3dm_sim *sim);
bool t3dm_sim_same(const t3dm_sim *a, const t3dm_sim *b);

#endif

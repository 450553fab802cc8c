/* cull.h: which triangles need not be drawn, for several at once. */
#ifndef TL_RASTER_CONSOLE_CULL_H
#define TL_RASTER_CONSOLE_CULL_H

#include "raster/console/setup.h"

enum { TL_CULLED_TOGETHER = 8, TL_CULL_VERTICES_MOST = 1 << 27 };

/* Triangles of a mesh, and how their corners follow each other: the third is before the second if it is mirrored. */
typedef struct tl_cull_mesh {
    bool avx2; /* the processor has it, and there are at most TL_CULL_VERTICES_MOST vertices */
    bool mirrored;
    const tl_pipeline_state *material;
    const tl_console_vertex *vertices; /* transformed */
} tl_cull_mesh;

/* A bit for each of `count` triangles, up to TL_CULLED_TOGETHER, that may be seen: it is not outside of the view, its
 * corners are finite, and it shows a side that the material has, unless it has yet to be clipped. */
uint32_t tl_triangles_seen(const tl_cull_mesh *mesh, const uint32_t *indices, uint32_t count);
#if TL_AVX2
uint32_t tl_triangles_seen_avx2(const tl_cull_mesh *mesh, const uint32_t *indices);
#endif

#endif

/* vertices.h: vertices of a T3DM file as floats. */
#ifndef TL_T3DM_DECODE_VERTICES_H
#define TL_T3DM_DECODE_VERTICES_H

#include "base/avx2.h"
#include "formats/t3dm/t3dm.h"

/* A vertex of a mesh under construction: its 16 bytes as they lie in the file (x, y, z and the normal; the colour, u
 * and v), and its bone. */
typedef struct t3dm_mesh_vertex {
    uint64_t words[2];
    uint32_t bone;
    uint32_t number; /* in the file, where pairs are kept; otherwise 0 */
} t3dm_mesh_vertex;

typedef struct t3dm_vertex_arrays {
    float (*positions)[3], (*normals)[3], (*colors)[4], (*uvs)[2];
    uint16_t (*joints)[4];
    float (*weights)[4];
} t3dm_vertex_arrays;

/* A texture coordinate is its number and the shift, over the units. Where these are powers of two and the shift has few
 * bits, as for most textures, that is exact in single precision too. */
typedef struct t3dm_uv_scales {
    double u, v, shift;
    bool exact;
} t3dm_uv_scales;

t3dm_uv_scales tl_t3dm_uv_scales(const t3dm_uv_units *units);

/* Fills positions, normals, colors and uvs. Normals have components of 5, 6 and 5 bits. */
void tl_t3dm_unpack_vertices(const t3dm_mesh_vertex *vertices, uint32_t count, const t3dm_uv_scales *uv,
                             const t3dm_vertex_arrays *to);
/* The same for vertices from `first` on. */
void tl_t3dm_unpack_from(uint32_t first, const t3dm_mesh_vertex *vertices, uint32_t count, const t3dm_uv_scales *uv,
                         const t3dm_vertex_arrays *to);
#if TL_AVX2
/* The same with AVX2, except for the last one or two. Returns how many were unpacked. */
uint32_t tl_t3dm_unpack_avx2(const t3dm_mesh_vertex *vertices, uint32_t count, const t3dm_uv_scales *uv,
                             const t3dm_vertex_arrays *to);
#endif

#endif

/* pack_meshes.h: meshes of every kind for packing, made of numbers alone and always the same. */
#ifndef TL_TEST_PACK_MESHES_H
#define TL_TEST_PACK_MESHES_H

#include "optimize/t3d_batch.h"

typedef struct pack_mesh {
    uint32_t vertex_count, triangle_count, room;
    uint32_t (*triangles)[3];
    uint16_t *bones; /* NULL: none */
} pack_mesh;

uint32_t pack_random(uint32_t *state); /* 24 bits */

pack_mesh pack_mesh_new(uint32_t vertices, uint32_t room);
void pack_mesh_free(pack_mesh *m);
void pack_mesh_add(pack_mesh *m, uint32_t a, uint32_t b, uint32_t c);
void pack_mesh_add_quad(pack_mesh *m, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

pack_mesh pack_grid(uint32_t width, uint32_t height);
pack_mesh pack_torus(uint32_t around, uint32_t across); /* closed both ways: no border at all */
pack_mesh pack_sphere(uint32_t around, uint32_t rings); /* two poles, each with a fan */
pack_mesh pack_fan(uint32_t count);
pack_mesh pack_band(uint32_t count); /* one strip */
pack_mesh pack_lone_triangles(uint32_t count);
pack_mesh pack_lone_quads(uint32_t count);
/* Any corners, also the same twice: few vertices make edges with many triangles, doubles and degenerates. */
pack_mesh pack_tangle(uint32_t vertices, uint32_t triangles, uint32_t seed);

/* The triangles of a mesh in another order, each begun at another corner, some turned or missing (of 16). */
void pack_shuffle(pack_mesh *m, uint32_t seed, uint32_t turned, uint32_t missing);
/* Hard edges: some corners (of 16) get a vertex of their own. */
void pack_split(pack_mesh *m, uint32_t seed, uint32_t split);
/* Some triangles (of 16) are there once more, begun at another corner. */
void pack_double(pack_mesh *m, uint32_t seed, uint32_t doubled);
/* Some triangles (of 16) lose their area: two or three corners become one. */
void pack_collapse(pack_mesh *m, uint32_t seed, uint32_t collapsed);

/* Patches of neighbouring numbers share a bone; a patch of 1 gives every vertex its own. One more than `bones`: none.
 */
void pack_set_bones(pack_mesh *m, uint32_t bones, uint32_t patch, uint32_t seed);
/* Bones spread over edges from a vertex each, as a painter has them; pieces that none reaches have no bone. */
void pack_grow_bones(pack_mesh *m, uint32_t bones, uint32_t seed);

#endif

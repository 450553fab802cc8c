/* batch_meshes.h: meshes of every kind to split into vertex batches, made of numbers alone and always the same. */
#ifndef TL_TEST_BATCH_MESHES_H
#define TL_TEST_BATCH_MESHES_H

#include "optimize/t3d_batch_steps.h"

typedef struct batch_mesh {
    uint32_t vertex_count, triangle_count, room;
    uint32_t (*triangles)[3];
    uint16_t *bones; /* NULL: none */
} batch_mesh;

uint32_t batch_random(uint32_t *state); /* 24 bits */

batch_mesh batch_mesh_new(uint32_t vertices, uint32_t room);
void batch_mesh_free(batch_mesh *m);
void batch_mesh_add(batch_mesh *m, uint32_t a, uint32_t b, uint32_t c);
void batch_mesh_add_quad(batch_mesh *m, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

batch_mesh batch_grid(uint32_t width, uint32_t height);
batch_mesh batch_torus(uint32_t around, uint32_t across); /* closed both ways: no border at all */
batch_mesh batch_sphere(uint32_t around, uint32_t rings); /* two poles, each with a fan */
batch_mesh batch_fan(uint32_t count);
batch_mesh batch_band(uint32_t count); /* one strip */
batch_mesh batch_lone_triangles(uint32_t count);
batch_mesh batch_lone_quads(uint32_t count);
/* Any corners, also the same twice: few vertices make edges with many triangles, doubles and degenerates. */
batch_mesh batch_tangle(uint32_t vertices, uint32_t triangles, uint32_t seed);

/* The triangles of a mesh in another order, each begun at another corner, some turned or missing (of 16). */
void batch_shuffle(batch_mesh *m, uint32_t seed, uint32_t turned, uint32_t missing);
/* Hard edges: some corners (of 16) get a vertex of their own. */
void batch_split(batch_mesh *m, uint32_t seed, uint32_t split);
/* Some triangles (of 16) are there once more, begun at another corner. */
void batch_double(batch_mesh *m, uint32_t seed, uint32_t doubled);
/* Some triangles (of 16) lose their area: two or three corners become one. */
void batch_collapse(batch_mesh *m, uint32_t seed, uint32_t collapsed);

/* Patches of neighbouring numbers share a bone; a patch of 1 gives every vertex its own. One more than `bones`: none.
 */
void batch_set_bones(batch_mesh *m, uint32_t bones, uint32_t patch, uint32_t seed);
/* Bones spread over edges from a vertex each, as a painter has them; pieces that none reaches have no bone. */
void batch_grow_bones(batch_mesh *m, uint32_t bones, uint32_t seed);

/* What is split into batches: triangles and bones of the mesh, which must live as long. */
tl_batch_input batch_input(const batch_mesh *m);
/* Batches of so many triangles each, in the order of the input. */
tl_batch_list batch_cut_evenly(tl_arena *arena, const tl_batch_input *in, uint32_t size);

#endif

/* store.h: fills the vertex chunk (V) and the index chunk (I). */
#ifndef TL_T3DM_ENCODE_STORE_H
#define TL_T3DM_ENCODE_STORE_H

#include "formats/t3dm/t3dm.h"
#include "optimize/t3d_batch.h"

typedef struct t3dm_store {
    uint32_t version;
    t3dm_pair_offsets pair;
    bool share_vertices; /* between objects; parts of an object always share */
    uint8_t *vertices, *indices;
    size_t vertices_size, indices_size;
    size_t object_at; /* offset of the vertices that the current object may share */
    /* pairs by content: the newest of equal ones in `newest`, linked to older ones by `older`; from 1, 0: none */
    uint32_t *newest, *older, mask;
    uint16_t *bones; /* of each pair: a stored vertex belongs to one */
} t3dm_store;

/* With room for that many bytes. False: no memory. */
bool tl_t3dm_store_init(t3dm_store *store, tl_arena *arena, uint32_t version, bool share_vertices, size_t vertices_most,
                        size_t indices_most);

/* A part of the file, without its offsets. */
t3dm_part tl_t3dm_part_of(const tl_batch_part *part);

/* The end of a part's indices that start at `at`. */
size_t tl_t3dm_indices_end(const t3dm_part *part, size_t at);

/* Stores the parts of an object; object->parts has room for them. A batch whose vertices are already in V,
 * consecutively, is not stored again. */
void tl_t3dm_store_batches(t3dm_store *store, const tl_batch_output *batches, const t3dm_vertex *vertices,
                           t3dm_object *object);
/* Copies the parts of an object of another file, which has the same version and has been checked. */
void tl_t3dm_store_copy(t3dm_store *store, const t3dm_file *from, const t3dm_object *old, t3dm_object *object);

/* Gives V and I to the file, and counts their totals. Neither is ever empty, because chunks with the same offset
 * could not be distinguished. */
void tl_t3dm_store_finish(const t3dm_store *store, t3dm_file *file);

#endif

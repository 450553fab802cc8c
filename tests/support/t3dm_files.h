/* t3dm_files.h: a T3DM file put together by hand, number by number, from the format's description alone. */
#ifndef TL_TEST_T3DM_FILES_H
#define TL_TEST_T3DM_FILES_H

#include "support/buffer.h"
#include "trilobite/load.h"

/* Where things are, in bytes of the file. */
typedef struct t3dm_places {
    size_t table, object, parts, animation, bvh, vertices, indices, strip, material, texture, skeleton, bones, custom,
        strings;
} t3dm_places;

/* Version 4 (or an older one, then without the sequence, which is a second list triangle there). One object "kite" with
 * two parts:
 *   part 0 loads 6 vertices and draws the list triangle 0 1 2, the sequence triangle 3 4 5, and the strip 0 1 2 3,
 * which is 0 1 2 and 2 1 3, a restart, and 5 4 3; part 1 loads 2 vertices of bone 1 into slots 6 and 7 and draws 0 6 7.
 * Vertex i is at (10 i, i, -i); its colour is (i, 2i, 3i, 255); its texture coordinate is 32 i, 64 i. One material
 * "paint" with a texture "rom:/dot.sprite" of 32 x 16 texels; bones "hip" and, 100 up, "knee"; a clip "kick" of one
 * second, in which the knee turns by 90 degrees about z and moves from 0 to 50 along x; a BVH of one leaf; a custom
 * chunk X of four bytes. */
void t3dm_kite(buffer *out, uint32_t version, t3dm_places *places);
/* The stream of its clip: two rotation keys, two keys of a scalar. */
void t3dm_kite_stream(buffer *out);
/* A trilo_companion_fn that knows "kite.0.sdata"; `user` is the buffer with the stream. */
bool t3dm_kite_companion(void *user, const char *name, trilo_bytes *bytes);

#endif

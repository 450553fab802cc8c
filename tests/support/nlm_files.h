/* nlm_files.h: NLM files put together by hand, number by number, from the format's description alone: nothing here uses
 * the library, so that a mistake in a layout table cannot hide. */
#ifndef TL_TEST_NLM_FILES_H
#define TL_TEST_NLM_FILES_H

#include "support/buffer.h"

/* A square of 4 vertices and 2 triangles with a vertex colour each, in a unit box; its source was 4 wide. 384 bytes. */
void nlm_square(buffer *out);
enum {
    SQUARE_VERSION_AT = 8,
    SQUARE_FLAG_AT = 12,
    SQUARE_BOUNDS_AT = 16,
    SQUARE_MESH_COUNT_AT = 40,
    SQUARE_VERTEX_COUNT_AT = 44,
    SQUARE_INDEX_COUNT_AT = 48,
    SQUARE_VERTICES_AT = 52,
    SQUARE_INDICES_AT = SQUARE_VERTICES_AT + 4 * 76,
    SQUARE_TEXTURE_AT = SQUARE_INDICES_AT + 6 * 4,
    SQUARE_SIZE = SQUARE_TEXTURE_AT + 4
};

/* A stick of 2 bones and 4 vertices (the middle ones half and half), 2 triangles. Three nodes: 7 (root) > 3 > 5; bone 0
 * is on node 3, bone 1 on node 5, one up along y. Over 2 seconds of 10 ticks node 5 turns by 90 degrees about z and
 * node 3 moves by 4 along x. Nodes are stored child first, to see them sorted. */
void nlm_stick(buffer *out);
enum {
    STICK_VERTICES_AT = 52,
    STICK_INDICES_AT = STICK_VERTICES_AT + 4 * 76,
    STICK_CLIP_AT = STICK_INDICES_AT + 6 * 4 + 4,
    STICK_BONES_AT = STICK_CLIP_AT + 8 + 4,
    STICK_TRACKS_AT = STICK_BONES_AT + 2 * 72 + 4,
    /* track 0 (node 3): 2 positions, 1 rotation, 1 scale; track 1 (node 5): 1, 2, 1 */
    STICK_TRACK_1_AT = STICK_TRACKS_AT + 20 + 2 * 16 + 20 + 16,
    STICK_NODES_AT = STICK_TRACK_1_AT + 20 + 16 + 2 * 20 + 16 + 4,
    STICK_NODE_1_AT = STICK_NODES_AT + 72,      /* node 5 has no child */
    STICK_NODE_2_AT = STICK_NODE_1_AT + 72 + 4, /* node 3 has one */
    STICK_SIZE = STICK_NODE_2_AT + 72 + 4
};

/* One line between two vertices, with the older 12-byte header. */
void nlm_line12(buffer *out);

#endif

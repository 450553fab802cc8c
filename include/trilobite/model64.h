/* model64.h: what a file of the N64 model format contains beyond its model. */
#ifndef TRILOBITE_MODEL64_H
#define TRILOBITE_MODEL64_H

#include "trilobite/document.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TRILO_MODEL64_SLOTS = 4,          /* materials, each with a display list */
    TRILO_MODEL64_GAME_MAIN = 10240,  /* largest main section in bytes that the game has room for */
    TRILO_MODEL64_GAME_VERTICES = 320 /* most vertices of an animated model that the game has room for */
};

/* The cost of a display list. */
typedef struct trilo_model64_list {
    uint32_t commands, loads, modifies, triangles;
    uint64_t loaded_vertices; /* by all loads */
    uint64_t size;            /* bytes of commands; 0: the slot has no list */
    uint64_t draw_size;       /* bytes read to draw it: commands and vertices */
} trilo_model64_list;

typedef struct trilo_model64_summary {
    uint64_t main_size;    /* bytes of the main section; 0: the document is not a Model */
    uint64_t frame_size;   /* bytes of a block of vertices */
    uint32_t vertex_count; /* of a block */
    uint32_t animation_count;
    uint64_t frame_count; /* of all animations */
    trilo_model64_list lists[TRILO_MODEL64_SLOTS], all_lists;
} trilo_model64_summary;
TRILO_API trilo_model64_summary trilo_document_model64(const trilo_document *document);

/* The frames of an animation, which becomes a clip of the model. Frames that share a block of vertices, or whose blocks
 * have equal vertices, count as one distinct frame. */
typedef struct trilo_model64_frames {
    uint64_t frame_count, distinct;
} trilo_model64_frames;
/* Fills one entry for each animation, at most `room`, and *all (which may be NULL) for the whole file. Returns false if
 * memory runs out or the document is not a Model. */
TRILO_API bool trilo_document_model64_frames(const trilo_document *document, trilo_model64_frames *animations,
                                             size_t room, trilo_model64_frames *all);

#ifdef __cplusplus
}
#endif
#endif

/* model64.h: what a file of the N64 model format holds beyond its model. */
#ifndef TRILOBITE_MODEL64_H
#define TRILOBITE_MODEL64_H

#include "trilobite/document.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TRILO_MODEL64_SLOTS = 4,          /* materials, each with a display list */
    TRILO_MODEL64_GAME_MAIN = 10240,  /* bytes of the main section that the game has room for ... */
    TRILO_MODEL64_GAME_VERTICES = 320 /* ... and vertices of a model that moves */
};

/* A display list, as the console runs it. */
typedef struct trilo_model64_list {
    uint32_t commands, loads, modifies, triangles;
    uint64_t loaded_vertices; /* by all loads */
    uint64_t size;            /* bytes of commands; 0: the slot has no list */
    uint64_t draw_size;       /* bytes that a draw reads: commands and vertices */
} trilo_model64_list;

typedef struct trilo_model64_summary {
    uint64_t main_size;    /* bytes of the main section; 0: the document is no Model */
    uint64_t frame_size;   /* bytes of a block of vertices */
    uint32_t vertex_count; /* of a block */
    uint32_t animation_count;
    uint64_t frame_count; /* of all animations */
    trilo_model64_list lists[TRILO_MODEL64_SLOTS], all_lists;
} trilo_model64_summary;
TRILO_API trilo_model64_summary trilo_document_model64(const trilo_document *document);

/* The frames of an animation, which is a clip of the model. Frames may share a block of vertices, and different blocks
 * may hold equal vertices: both count as one distinct frame. */
typedef struct trilo_model64_frames {
    uint64_t frame_count, distinct;
} trilo_model64_frames;
/* Fills one for each animation, at most `room`, and *all (NULL is fine) with those of the whole file. False when memory
 * ran out, or the document is no Model. */
TRILO_API bool trilo_document_model64_frames(const trilo_document *document, trilo_model64_frames *animations,
                                             size_t room, trilo_model64_frames *all);

#ifdef __cplusplus
}
#endif
#endif

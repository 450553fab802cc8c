/* model64_notes.h: what stands in the records of a Model and not in the model that is made of it. */
#ifndef CLI_MODEL64_NOTES_H
#define CLI_MODEL64_NOTES_H

#include "trilobite/document.h"

enum {
    MODEL64_NOTED_SLOTS = 4,
    MODEL64_VERTEX_BYTES = 16,
    MODEL64_GAME_MAIN_BYTES = 10240, /* what the game has room for: the main section ... */
    MODEL64_GAME_VERTICES = 320      /* ... and the vertices of a model that moves */
};

/* The display list of a slot, as it is run on the console. */
typedef struct model64_list_note {
    uint64_t commands, loads, loaded, modifies, triangles; /* loaded: vertices, over all loads */
    uint64_t bytes;                                        /* 0: the slot has no list */
} model64_list_note;

typedef struct model64_clip_note {
    size_t first, frames; /* into the frames of the file */
    size_t different;     /* blocks of vertices among them that differ */
} model64_clip_note;

typedef struct model64_notes {
    bool present; /* false: the file is no Model */
    uint64_t main_size, vertex_at, frame_size;
    model64_list_note lists[MODEL64_NOTED_SLOTS];
    size_t clip_count, frame_count, different;
    model64_clip_note *clips;
    uint64_t *frames; /* where the vertices of each are, in the vertex section */
} model64_notes;

model64_notes model64_notes_take(const trilo_document *document);
void model64_notes_free(model64_notes *notes);

/* Fills in how many frames are different, once their places are known (model64_frames.c). */
void model64_frames_compare(model64_notes *notes, trilo_bytes file);

/* NULL: the file is no Model. */
const model64_clip_note *model64_clip(const model64_notes *notes, uint32_t clip);

/* What drawing a list costs: its commands and the vertices that they load. */
uint64_t model64_draw_bytes(const model64_list_note *list);
/* All lists together. */
model64_list_note model64_lists_sum(const model64_notes *notes);

#endif

/* t3dm_notes.h: what stands in the records of a T3DM file and not in its model. */
#ifndef CLI_T3DM_NOTES_H
#define CLI_T3DM_NOTES_H

#include "trilobite/document.h"

typedef struct t3dm_object_note {
    uint64_t parts, loads; /* loads: vertices that the parts load into the console's cache */
} t3dm_object_note;

typedef struct t3dm_clip_note {
    uint64_t channels, keys; /* as the file says, also when the stream is missing */
    trilo_str stream;        /* its path, borrowed from the document */
    bool found;
} t3dm_clip_note;

typedef struct t3dm_notes {
    bool present; /* false: the file is no T3DM */
    int64_t min[3], max[3];
    uint64_t parts, loads; /* of all objects */
    size_t object_count, clip_count;
    t3dm_object_note *objects;
    t3dm_clip_note *clips;
} t3dm_notes;

t3dm_notes t3dm_notes_take(const trilo_document *document);
void t3dm_notes_free(t3dm_notes *notes);

/* The days of the first and the last Tiny3D that load a version; `until` NULL: today's still does. */
typedef struct t3dm_release {
    const char *since, *until;
} t3dm_release;
t3dm_release t3dm_release_of(uint32_t version);

#endif

/* t3dm_twins.h: models of the corpus that are there twice: as .glb, and as the .t3dm that Tiny3D's own converter made
 * of it. */
#ifndef TL_TEST_T3DM_TWINS_H
#define TL_TEST_T3DM_TWINS_H

#include "formats/t3dm/t3dm.h"
#include "support/buffer.h"
#include "trilobite/trilobite.h"

/* Every one of them was made with the default scale of 64: the bounds say so. */
typedef struct twin {
    const char *folder, *name;
} twin;

enum { TWINS = 41, TWIN_STREAMS = 16 };
extern const twin twins[TWINS];

typedef struct twin_stream {
    char name[64];
    buffer bytes;
} twin_stream;

/* A file as we make it, or as the reference is. */
typedef struct twin_side {
    const trilo_model *model;
    tl_arena arena;
    const t3dm_file *file;
    uint8_t *bytes;
    size_t size;
    buffer made;
    twin_stream streams[TWIN_STREAMS];
    uint32_t stream_count;
} twin_side;

/* The .glb, with the images of its folder. */
const trilo_model *twin_source(const twin *p);
void twin_reference(const twin *p, twin_side *s);
/* Written as T3DM and read again, without a warning. What encoding tells goes to `finding`. */
void twin_make(const char *name, const trilo_model *source, trilo_finding_fn *finding, void *user, twin_side *s);
void twin_close(twin_side *s);

/* Text of a record, "" for none. */
const char *twin_string(const t3dm_file *file, uint32_t offset);

#endif

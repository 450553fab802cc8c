/* decoder.h: what the steps of decoding a T3DM file share. */
#ifndef TL_T3DM_DECODE_DECODER_H
#define TL_T3DM_DECODE_DECODER_H

#include "base/hash_table.h"
#include "formats/t3dm/t3dm.h"
#include "model/target.h"

typedef struct t3dm_decoder {
    const t3dm_file *file;
    tl_arena *arena, scratch;
    trilo_model *model;
    bool has_error;               /* a part that the console cannot draw */
    trilo_mat4 *worlds, *normals; /* of the bones at rest */
    tl_moved_transform *moved;    /* of the bones */
    tl_hash_table paths;          /* of textures */
} t3dm_decoder;

/* A copy of a string of the file; "" for what is none. */
trilo_str tl_t3dm_decode_string(const t3dm_decoder *d, uint32_t offset);
/* Returns false when memory runs out, and when a part cannot be drawn. */
bool tl_t3dm_decode_meshes(t3dm_decoder *d);

#endif

/* t3dm_encode.h: what the parts of the encoder share. */
#ifndef TL_FORMATS_T3DM_T3DM_ENCODE_H
#define TL_FORMATS_T3DM_T3DM_ENCODE_H

#include "formats/t3dm/t3dm.h"

typedef struct t3dm_encoder {
    const trilo_model *model;
    const trilo_write_opts *opts;
    tl_arena *arena;
    tl_report *losses;
    trilo_error *err; /* filled before a part answers false; out of memory is told by the caller */
    bool told;        /* err is filled */
    t3dm_file *file;
    double scale;           /* of positions */
    double largest;         /* coordinate of all meshes */
    uint32_t *bone_of_node; /* NULL: no skeleton is written */
    uint32_t *node_of_bone;
    char *strings; /* the string table while it grows */
    size_t strings_size, strings_room;
    uint32_t *string_table, string_mask; /* offsets by hash; 0: free */
    uint32_t string_count;
} t3dm_encoder;

/* Fails with a rule, a path in the model and a sentence. Answers false. */
bool tl_t3dm_cannot(t3dm_encoder *e, enum t3dm_rule_id rule, trilo_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void tl_t3dm_lose(t3dm_encoder *e, enum t3dm_rule_id rule, const char *text);

/* Rounds halves away from zero. */
double tl_t3dm_round(double value);

/* The offset of a text in the string table, added when it is new; 0 for an empty one. False: no memory. */
bool tl_t3dm_add_string(t3dm_encoder *e, const char *text, uint32_t *offset);

/* Skeleton, animations with their streams, and the BVH. The meshes are there when the BVH is made. */
bool tl_t3dm_encode_bones(t3dm_encoder *e);
bool tl_t3dm_encode_clips(t3dm_encoder *e);
bool tl_t3dm_encode_bvh(t3dm_encoder *e);
bool tl_t3dm_encode_materials(t3dm_encoder *e);

/* Texture coordinates moved by whole repeats where they would not fit; `scale` makes 1/32 texels of them. */
bool tl_t3dm_move_uvs(t3dm_encoder *e, const trilo_mesh *mesh, const t3dm_texture *texture, const double scale[2],
                      const float (**moved)[2]);

#endif

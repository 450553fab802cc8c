/* pyrite64.h: materials, asset numbers and collision data of Pyrite64.
 *
 *   layout.c     the bytes of a chunk `m`: fields that flags switch on, in a fixed order
 *   assets.c     the table of assets; reading the materials of a file
 *   decode.c     the state of the RDP that a material means
 *   check.c      findings
 *   encode.c     from the state of the RDP to a chunk `m`, and to `M`
 *   collision.c  collision meshes
 */
#ifndef TL_T3DM_PYRITE64_PYRITE64_H
#define TL_T3DM_PYRITE64_PYRITE64_H

#include "formats/t3dm/t3dm.h"
#include "trilobite/pyrite64.h"

/* A group of fields, which is there when its flag is set. */
typedef struct pyrite64_part {
    uint32_t flag;      /* 0: always there */
    size_t host;        /* byte of trilo_pyrite64_material that its layout starts from */
    const char *record; /* name of the record in listings; NULL: its fields are the material's own */
    const tl_layout *layout;
} pyrite64_part;

enum { PYRITE64_PARTS = 14 };
extern const pyrite64_part tl_pyrite64_parts[PYRITE64_PARTS];

/* Bytes of a material with these flags, without padding. */
size_t tl_pyrite64_size(uint32_t flags);

/* How a chunk `m` was read. */
typedef enum pyrite64_layout {
    PYRITE64_KNOWN,
    PYRITE64_SHORT,  /* it ends before the last field that its flags name */
    PYRITE64_FOREIGN /* the flags or the size are not Pyrite64's */
} pyrite64_layout;

pyrite64_layout tl_pyrite64_read(trilo_bytes raw, trilo_pyrite64_material *out);

/* Fills head and textures with what Tiny3D's material would have. Sizes of the textures are those of the assets. */
void tl_pyrite64_translate(const trilo_pyrite64_material *from, t3dm_material *to);
/* What Tiny3D's material cannot have. */
void tl_pyrite64_set_engine(const trilo_pyrite64_material *from, trilo_n64_material *to);

/* --- assets --- */

enum { PYRITE64_IMAGE = 1 };

/* A table that was read; its bytes stay with the caller. */
typedef struct pyrite64_table {
    trilo_bytes bytes;
    uint32_t count, version;
} pyrite64_table;

typedef struct pyrite64_asset {
    uint32_t type;
    const char *path;
    float scale; /* of a model, since 0.9; 0: not stored */
} pyrite64_asset;

extern const tl_layout tl_pyrite64_entry;

bool tl_pyrite64_table_read(trilo_bytes bytes, pyrite64_table *out);
/* False: there is no such row, or its path is outside the table. */
bool tl_pyrite64_table_entry(const pyrite64_table *table, uint32_t number, pyrite64_asset *out);
const char *tl_pyrite64_type_name(uint32_t type); /* "a model" */

/* Translates the chunks `m` of a file whose layout is known. False: no memory. */
bool tl_pyrite64_read_materials(t3dm_file *file, const trilo_load_opts *opts, tl_arena *arena);

/* The path of an asset that no table names: "asset:12". */
enum { PYRITE64_NUMBER_ROOM = 16 };
void tl_pyrite64_number_path(uint32_t number, char out[PYRITE64_NUMBER_ROOM]);

/* --- writing --- */

struct t3dm_encoder;

/* Makes the bytes of a material from its head and textures, which have these paths. False as tl_t3dm_encode_fail. */
bool tl_pyrite64_encode(struct t3dm_encoder *e, const trilo_material *from, const char *const paths[2],
                        t3dm_material *material);
/* Makes a material of Tiny3D of one of Pyrite64. */
bool tl_pyrite64_to_tiny3d(struct t3dm_encoder *e, const trilo_n64_material *from, const char *const paths[2],
                           t3dm_material *to);

enum { PYRITE64_COLLISION_LAYOUTS = 5 };
extern const tl_layout *const tl_pyrite64_collision_layouts[PYRITE64_COLLISION_LAYOUTS];

void tl_pyrite64_check(const t3dm_file *file, tl_report *report);
void tl_pyrite64_visit(const trilo_visitor *visitor, const t3dm_file *file, const t3dm_material *material);
void tl_pyrite64_reference(tl_sink *sink);

#endif

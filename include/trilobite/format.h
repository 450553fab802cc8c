/* format.h: the supported formats. */
#ifndef TRILOBITE_FORMAT_H
#define TRILOBITE_FORMAT_H

#include "trilobite/core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum trilo_format {
    TRILO_FORMAT_UNKNOWN,
    TRILO_FORMAT_NLM,     /* NiteLite model 2.0 */
    TRILO_FORMAT_T3DM,    /* Tiny3D model, versions 1 to 4 */
    TRILO_FORMAT_MODEL64, /* N64 model with display lists and frames, `.model` */
    TRILO_FORMAT_GLTF     /* glTF 2.0, text or binary */
} trilo_format;

typedef struct trilo_format_info {
    trilo_format format;
    const char *name;       /* "nlm", as for the option --to */
    const char *title;      /* "NiteLite model" */
    const char *versions;   /* "2" */
    const char *extensions; /* "nlm"; several are separated by spaces, the last is that of new files */
    bool can_read, can_write;
} trilo_format_info;

/* The meaning of the last four bytes of a vertex in the N64 model format. The file does not specify it. */
typedef enum trilo_model64_colors {
    TRILO_MODEL64_COLORS_AUTO,
    TRILO_MODEL64_COLORS_RGBA,    /* red, green, blue, alpha */
    TRILO_MODEL64_COLORS_NORMALS, /* a normal, and an unused byte */
    TRILO_MODEL64_COLORS_NONE     /* nothing: zeros */
} trilo_model64_colors;

/* The index-th format; NULL after the last one. */
TRILO_API const trilo_format_info *trilo_format_at(size_t index);
TRILO_API const trilo_format_info *trilo_format_get(trilo_format format);   /* NULL: unknown */
TRILO_API const trilo_format_info *trilo_format_find(const char *name);     /* by name; NULL: unknown */
TRILO_API const trilo_format_info *trilo_format_for_path(const char *path); /* by extension; NULL: unknown */
TRILO_API trilo_format trilo_format_probe(const void *bytes, size_t size);  /* by content */
TRILO_API const char *trilo_format_extension(trilo_format format);          /* of new files: "glb"; "": unknown */
/* True if it is, by its extension, an FBX, OBJ, COLLADA, 3DS, PLY or STL file. They are read through Assimp, which
 * reads more.
 */
TRILO_API bool trilo_import_for_path(const char *path);

#ifdef __cplusplus
}
#endif
#endif

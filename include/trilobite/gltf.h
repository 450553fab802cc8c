/* gltf.h: what a glTF file contains beyond its model. All texts are valid as long as the document. */
#ifndef TRILOBITE_GLTF_H
#define TRILOBITE_GLTF_H

#include "trilobite/document.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_gltf_summary {
    bool present; /* false: the document is not a glTF file */
    bool binary;  /* .glb */
    trilo_str generator;
    uint32_t scene; /* the default scene; TRILO_NONE: the file has none */
    uint32_t scene_count, material_count, image_count;
} trilo_gltf_summary;
TRILO_API trilo_gltf_summary trilo_document_gltf(const trilo_document *document);

/* The names of the extensions that the file uses, or of those that it requires. Stores up to `room` names and returns
 * how many there are. */
TRILO_API size_t trilo_document_gltf_extensions(const trilo_document *document, bool required, trilo_str *names,
                                                size_t room);

typedef struct trilo_gltf_scene {
    trilo_str name;
    uint32_t node_count; /* root nodes */
} trilo_gltf_scene;

/* How the settings of an N64 material are stored. A material may have several forms: the last in this list is used. */
typedef enum trilo_gltf_form {
    TRILO_GLTF_FORM_PLAIN,            /* it has none: a plain glTF material */
    TRILO_GLTF_FORM_FAST64_EXTENSION, /* FAST64_materials_n64 */
    TRILO_GLTF_FORM_FAST64_EXTRAS,    /* properties of Fast64, in extras.f3d_mat */
    TRILO_GLTF_FORM_TRILOBITE         /* as Trilobite writes them, in extras.trilobite_n64 */
} trilo_gltf_form;

typedef struct trilo_gltf_material {
    trilo_str name;
    trilo_gltf_form form;
    trilo_str textures[2]; /* names of the images of Fast64's tiles; "": none */
} trilo_gltf_material;

typedef struct trilo_gltf_image {
    trilo_str name, mime_type;
    trilo_str uri; /* of the image file; "": the image is embedded */
} trilo_gltf_image;

/* These return empty values after the last one. */
TRILO_API trilo_gltf_scene trilo_document_gltf_scene(const trilo_document *document, uint32_t index);
TRILO_API trilo_gltf_material trilo_document_gltf_material(const trilo_document *document, uint32_t index);
TRILO_API trilo_gltf_image trilo_document_gltf_image(const trilo_document *document, uint32_t index);

/* The box around all meshes of the file in the pose of its nodes, from the bounds that accessors store: no mesh is
 * read. Empty (min above max) when there are none, or memory runs out. */
TRILO_API trilo_bounds trilo_document_gltf_bounds(const trilo_document *document);

#ifdef __cplusplus
}
#endif
#endif

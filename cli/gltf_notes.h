/* gltf_notes.h: what stands in a glTF file and not in its model. */
#ifndef CLI_GLTF_NOTES_H
#define CLI_GLTF_NOTES_H

#include "trilobite/document.h"

/* How the settings of an N64 material are stored. A file may have several. */
typedef enum gltf_form {
    GLTF_PLAIN,
    GLTF_EXTRAS,    /* the properties of Fast64, in extras.f3d_mat */
    GLTF_EXTENSION, /* FAST64_materials_n64 */
    GLTF_OWN        /* as Trilobite writes them, in extras.trilobite_n64 */
} gltf_form;

typedef struct gltf_material_note {
    trilo_str name;
    gltf_form form;
} gltf_material_note;

typedef struct gltf_image_note {
    trilo_str name, uri, kind; /* the uri is "" for an embedded image, "data:" for one in the text */
} gltf_image_note;

typedef struct gltf_scene_note {
    trilo_str name;
    uint64_t nodes; /* at its top */
} gltf_scene_note;

/* All texts are borrowed from the document. */
typedef struct gltf_notes {
    bool present, binary;
    trilo_str generator;
    uint64_t scene; /* the one that is shown; TRILO_NONE: not said */
    size_t scene_count, material_count, image_count, used_count, required_count;
    gltf_scene_note *scenes;
    gltf_material_note *materials;
    gltf_image_note *images;
    trilo_str *used, *required; /* extensions */
} gltf_notes;

gltf_notes gltf_notes_take(const trilo_document *document);
void gltf_notes_free(gltf_notes *notes);

const char *gltf_form_name(gltf_form form); /* "Fast64 properties" */

#endif

#include "trilobite/gltf.h"

#include "api/document.h"
#include "formats/gltf/gltf.h"

static const gltf_file *gltf_of(const trilo_document *document)
{
    return trilo_document_format(document) == TRILO_FORMAT_GLTF ? document->file : NULL;
}

static const tl_json *gltf_row(const trilo_document *document, gltf_array array, uint32_t index)
{
    const gltf_file *file = gltf_of(document);
    return file ? tl_gltf_item(file, array, index) : NULL;
}

static trilo_str gltf_text(const tl_json *object, const char *key)
{
    return tl_json_string(tl_json_member(object, key));
}

trilo_gltf_summary trilo_document_gltf(const trilo_document *document)
{
    const gltf_file *file = gltf_of(document);
    if (!file)
        return (trilo_gltf_summary){.generator = {"", 0}, .scene = TRILO_NONE};
    return (trilo_gltf_summary){.present = true,
                                .binary = file->binary,
                                .generator = gltf_text(tl_json_member(file->root, "asset"), "generator"),
                                .scene = tl_gltf_index(file, file->root, "scene", GLTF_SCENES, NULL),
                                .scene_count = file->tables[GLTF_SCENES].count,
                                .material_count = file->tables[GLTF_MATERIALS].count,
                                .image_count = file->tables[GLTF_IMAGES].count};
}

size_t trilo_document_gltf_extensions(const trilo_document *document, bool required, trilo_str *names, size_t room)
{
    const gltf_file *file = gltf_of(document);
    const tl_json *list = file ? tl_json_member(file->root, required ? "extensionsRequired" : "extensionsUsed") : NULL;
    size_t count = 0;
    if (!list || list->kind != TL_JSON_ARRAY)
        return 0;
    for (const tl_json *name = list->first; name; name = name->next, count++)
        if (count < room)
            names[count] = tl_json_string(name);
    return count;
}

trilo_gltf_scene trilo_document_gltf_scene(const trilo_document *document, uint32_t index)
{
    const tl_json *scene = gltf_row(document, GLTF_SCENES, index), *nodes = tl_json_member(scene, "nodes");
    return (trilo_gltf_scene){gltf_text(scene, "name"), nodes && nodes->kind == TL_JSON_ARRAY ? nodes->count : 0};
}

trilo_gltf_material trilo_document_gltf_material(const trilo_document *document, uint32_t index)
{
    const tl_json *material = gltf_row(document, GLTF_MATERIALS, index), *extras = tl_json_member(material, "extras");
    const tl_json *const forms[] = {[TRILO_GLTF_FORM_FAST64_EXTENSION] =
                                        material ? tl_gltf_extension(material, "FAST64_materials_n64") : NULL,
                                    [TRILO_GLTF_FORM_FAST64_EXTRAS] = tl_json_member(extras, "f3d_mat"),
                                    [TRILO_GLTF_FORM_TRILOBITE] = tl_json_member(extras, "trilobite_n64")};
    trilo_gltf_material summary = {gltf_text(material, "name"), TRILO_GLTF_FORM_PLAIN};
    for (int i = TRILO_GLTF_FORM_FAST64_EXTENSION; i <= TRILO_GLTF_FORM_TRILOBITE; i++)
        if (forms[i] && forms[i]->kind == TL_JSON_OBJECT)
            summary.form = (trilo_gltf_form)i;
    return summary;
}

trilo_gltf_image trilo_document_gltf_image(const trilo_document *document, uint32_t index)
{
    const tl_json *image = gltf_row(document, GLTF_IMAGES, index);
    const trilo_str uri = gltf_text(image, "uri");
    return (trilo_gltf_image){gltf_text(image, "name"), gltf_text(image, "mimeType"),
                              tl_gltf_is_data(uri) ? (trilo_str){"", 0} : uri};
}

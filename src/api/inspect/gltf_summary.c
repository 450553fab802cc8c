#include "trilobite/gltf.h"

#include "api/document.h"
#include "base/strict_float.h"
#include "base/vec.h"
#include "formats/gltf/fast64/fast64.h"
#include "formats/gltf/gltf.h"
#include "model/bounds.h"

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
    trilo_gltf_material summary = {gltf_text(material, "name"), TRILO_GLTF_FORM_PLAIN, {{"", 0}, {"", 0}}};
    fast64_material fast64;
    const tl_json *where;
    const char *problem;
    if (material && tl_fast64_read(gltf_of(document), material, &fast64, &where, &problem) == FAST64_READ)
        for (int k = 0; k < 2; k++) {
            const fast64_image *image = &fast64.images[k];
            const trilo_str embedded = gltf_text(gltf_row(document, GLTF_IMAGES, image->image), "name");
            summary.textures[k] = image->name.len > 0 ? image->name : embedded;
        }
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

/* ---- bounds ---- */

static void gltf_summary_floats(const tl_json *array, uint32_t count, float *out)
{
    double numbers[16];
    if (tl_json_numbers(array, numbers, count))
        for (uint32_t i = 0; i < count; i++)
            out[i] = (float)numbers[i];
}

static trilo_mat4 gltf_summary_local(const tl_json *node)
{
    const tl_json *matrix = tl_json_member(node, "matrix");
    float t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    trilo_mat4 local = tl_mat4_identity();
    gltf_summary_floats(matrix, 16, local.m);
    gltf_summary_floats(tl_json_member(node, "translation"), 3, t);
    gltf_summary_floats(tl_json_member(node, "rotation"), 4, r);
    gltf_summary_floats(tl_json_member(node, "scale"), 3, s);
    return matrix ? local
                  : tl_mat4_from_trs((trilo_vec3){t[0], t[1], t[2]}, (trilo_quat){r[0], r[1], r[2], r[3]},
                                     (trilo_vec3){s[0], s[1], s[2]});
}

/* The corners of the boxes that the accessors of a mesh store. */
static void gltf_summary_add_mesh(const gltf_file *file, const tl_json *mesh, const trilo_mat4 *world,
                                  trilo_bounds *bounds)
{
    const tl_json *primitives = tl_json_member(mesh, "primitives");
    for (const tl_json *p = primitives ? primitives->first : NULL; p; p = p->next) {
        const uint32_t number = tl_gltf_index(file, tl_json_member(p, "attributes"), "POSITION", GLTF_ACCESSORS, NULL);
        const tl_json *accessor = tl_gltf_item(file, GLTF_ACCESSORS, number);
        double box[2][3];
        if (tl_json_bool(tl_json_member(accessor, "normalized"), false) ||
            !tl_json_numbers(tl_json_member(accessor, "min"), box[0], 3) ||
            !tl_json_numbers(tl_json_member(accessor, "max"), box[1], 3))
            continue;
        for (int corner = 0; corner < 8; corner++)
            tl_bounds_add(bounds,
                          tl_mat4_point(world, (trilo_vec3){(float)box[corner & 1][0], (float)box[corner >> 1 & 1][1],
                                                            (float)box[corner >> 2][2]}));
    }
}

/* Nodes while they are visited from the roots down, each once. */
typedef struct gltf_summary_walk {
    const gltf_file *file;
    uint32_t count, stacked;
    uint32_t *stack;
    bool *is_child, *seen;
    trilo_mat4 *worlds;
} gltf_summary_walk;

static void gltf_summary_push(gltf_summary_walk *w, uint32_t node, const trilo_mat4 *parent)
{
    const trilo_mat4 local = gltf_summary_local(tl_gltf_item(w->file, GLTF_NODES, node));
    w->seen[node] = true;
    w->worlds[node] = parent ? tl_mat4_mul(parent, &local) : local;
    w->stack[w->stacked++] = node;
}

static void gltf_summary_visit(gltf_summary_walk *w, uint32_t root, trilo_bounds *bounds)
{
    gltf_summary_push(w, root, NULL);
    while (w->stacked > 0) {
        const uint32_t i = w->stack[--w->stacked];
        const tl_json *node = tl_gltf_item(w->file, GLTF_NODES, i), *children = tl_json_member(node, "children");
        const uint32_t mesh = tl_gltf_index(w->file, node, "mesh", GLTF_MESHES, NULL);
        uint32_t child;
        gltf_summary_add_mesh(w->file, tl_gltf_item(w->file, GLTF_MESHES, mesh), &w->worlds[i], bounds);
        for (const tl_json *c = children ? children->first : NULL; c; c = c->next)
            if (tl_json_uint(c, &child) && child < w->count && !w->seen[child])
                gltf_summary_push(w, child, &w->worlds[i]);
    }
}

trilo_bounds trilo_document_gltf_bounds(const trilo_document *document)
{
    gltf_summary_walk w = {.file = gltf_of(document)};
    trilo_bounds bounds = tl_bounds_empty();
    tl_arena arena;
    tl_arena_init(&arena, &document->opts.memory);
    w.count = w.file ? w.file->tables[GLTF_NODES].count : 0;
    w.stack = TL_ARRAY(&arena, w.count, uint32_t);
    w.is_child = TL_ARRAY(&arena, w.count, bool);
    w.seen = TL_ARRAY(&arena, w.count, bool);
    w.worlds = TL_ARRAY(&arena, w.count, trilo_mat4);
    const bool ok = w.stack && w.is_child && w.seen && w.worlds;
    for (uint32_t i = 0; ok && i < w.count; i++) {
        const tl_json *children = tl_json_member(tl_gltf_item(w.file, GLTF_NODES, i), "children");
        uint32_t child;
        for (const tl_json *c = children ? children->first : NULL; c; c = c->next)
            if (tl_json_uint(c, &child) && child < w.count)
                w.is_child[child] = true;
    }
    for (uint32_t i = 0; ok && i < w.count; i++)
        if (!w.is_child[i])
            gltf_summary_visit(&w, i, &bounds);
    tl_arena_free(&arena);
    return bounds;
}

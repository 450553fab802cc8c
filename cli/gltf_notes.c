#include "gltf_notes.h"

#include "alloc.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 4 }; /* levels whose names matter: materials, [0], extras, f3d_mat */

typedef struct cli_taker {
    gltf_notes *notes;
    unsigned depth;
    const char *names[KEPT]; /* of the open levels; NULL for an element of a list */
} cli_taker;

static bool is(const char *name, const char *wanted)
{
    return name && strcmp(name, wanted) == 0;
}

static bool inside(const cli_taker *taker, unsigned level, const char *wanted)
{
    return taker->depth > level && is(taker->names[level], wanted);
}

/* Room for one more in an array that grows. */
#define GROWN(array, count) ((array) = need((array), (count) + 1, sizeof *(array)), &(array)[(count)++])

/* ---- records ---- */

/* What a record in a material says about its form. */
static gltf_form form_of(const cli_taker *taker, const char *name)
{
    if (taker->depth != 3)
        return GLTF_PLAIN;
    if (inside(taker, 2, "extras"))
        return is(name, "trilobite_n64") ? GLTF_OWN : is(name, "f3d_mat") ? GLTF_EXTRAS : GLTF_PLAIN;
    return inside(taker, 2, "extensions") && is(name, "FAST64_materials_n64") ? GLTF_EXTENSION : GLTF_PLAIN;
}

/* Our own settings count before Fast64's, its properties before its extension. */
static void see_material(cli_taker *taker, const char *name)
{
    gltf_notes *notes = taker->notes;
    if (taker->depth == 1) {
        *GROWN(notes->materials, notes->material_count) = (gltf_material_note){{"", 0}, GLTF_PLAIN};
        return;
    }
    gltf_form *known = &notes->materials[notes->material_count - 1].form;
    const gltf_form form = form_of(taker, name);
    if (form == GLTF_OWN || *known == GLTF_PLAIN || (form == GLTF_EXTRAS && *known == GLTF_EXTENSION))
        *known = form;
}

static void see_record(void *user, const char *name, uint64_t offset)
{
    cli_taker *taker = user;
    gltf_notes *notes = taker->notes;
    (void)offset;
    if (inside(taker, 0, "materials"))
        see_material(taker, name);
    else if (taker->depth == 1 && inside(taker, 0, "scenes"))
        *GROWN(notes->scenes, notes->scene_count) = (gltf_scene_note){{"", 0}, 0};
    else if (taker->depth == 1 && inside(taker, 0, "images"))
        *GROWN(notes->images, notes->image_count) = (gltf_image_note){{"", 0}, {"", 0}, {"", 0}};
    if (taker->depth < KEPT)
        taker->names[taker->depth] = name;
    taker->depth++;
}

/* A list of more than a few numbers is no field. */
static void see_list(void *user, const char *name, uint32_t count, uint64_t offset)
{
    cli_taker *taker = user;
    gltf_notes *notes = taker->notes;
    (void)offset;
    if (taker->depth == 2 && inside(taker, 0, "scenes") && is(name, "nodes") && notes->scene_count > 0)
        notes->scenes[notes->scene_count - 1].nodes = count;
    if (taker->depth < KEPT)
        taker->names[taker->depth] = name;
    taker->depth++;
}

static void see_end(void *user)
{
    ((cli_taker *)user)->depth--;
}

/* ---- fields ---- */

static trilo_str text_of(const trilo_value *value)
{
    if (value->kind != TRILO_VALUE_TEXT)
        return (trilo_str){"", 0};
    return (trilo_str){(const char *)value->as.blob.data, value->as.blob.size};
}

static void see_image_field(gltf_image_note *image, const char *name, trilo_str text)
{
    if (is(name, "name"))
        image->name = text;
    else if (is(name, "mimeType"))
        image->kind = text;
    else if (is(name, "uri"))
        image->uri = text.len >= 5 && memcmp(text.data, "data:", 5) == 0 ? (trilo_str){text.data, 5} : text;
}

static void see_top(gltf_notes *notes, const char *name, const trilo_value *value)
{
    if (is(name, "scene") && value->kind == TRILO_VALUE_UINT)
        notes->scene = value->as.u[0];
}

static void see_extension(cli_taker *taker, trilo_str text)
{
    gltf_notes *notes = taker->notes;
    if (inside(taker, 0, "extensionsUsed"))
        *GROWN(notes->used, notes->used_count) = text;
    else if (inside(taker, 0, "extensionsRequired"))
        *GROWN(notes->required, notes->required_count) = text;
}

static void see_member(cli_taker *taker, const char *name, const trilo_value *value)
{
    gltf_notes *notes = taker->notes;
    const trilo_str text = text_of(value);
    if (inside(taker, 0, "materials") && is(name, "name") && notes->material_count > 0)
        notes->materials[notes->material_count - 1].name = text;
    else if (inside(taker, 0, "images") && notes->image_count > 0)
        see_image_field(&notes->images[notes->image_count - 1], name, text);
    else if (inside(taker, 0, "scenes") && is(name, "name") && notes->scene_count > 0)
        notes->scenes[notes->scene_count - 1].name = text;
    else if (inside(taker, 0, "scenes") && is(name, "nodes") && notes->scene_count > 0)
        notes->scenes[notes->scene_count - 1].nodes = value->count;
}

static void see_field(void *user, const char *name, const trilo_value *value)
{
    cli_taker *taker = user;
    if (taker->depth == 0)
        see_top(taker->notes, name, value);
    else if (taker->depth == 1 && inside(taker, 0, "asset") && is(name, "generator"))
        taker->notes->generator = text_of(value);
    else if (taker->depth == 1)
        see_extension(taker, text_of(value));
    else if (taker->depth == 2)
        see_member(taker, name, value);
}

gltf_notes gltf_notes_take(const trilo_document *document)
{
    const trilo_bytes bytes = trilo_document_bytes(document);
    gltf_notes notes = {
        .present = trilo_document_format(document) == TRILO_FORMAT_GLTF, .generator = {"", 0}, .scene = TRILO_NONE};
    cli_taker taker = {.notes = &notes};
    const trilo_visitor visitor = {&taker, see_list, see_end, see_record, see_end, see_field};
    notes.binary = notes.present && bytes.size >= 4 && memcmp(bytes.data, "glTF", 4) == 0;
    if (notes.present)
        trilo_document_visit(document, &visitor);
    return notes;
}

void gltf_notes_free(gltf_notes *notes)
{
    free(notes->scenes);
    free(notes->materials);
    free(notes->images);
    free(notes->used);
    free(notes->required);
}

const char *gltf_form_name(gltf_form form)
{
    static const char *const names[] = {"plain settings", "Fast64 properties", "the Fast64 extension",
                                        "settings of Trilobite"};
    return names[form];
}

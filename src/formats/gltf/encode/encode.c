/* From the model to a glTF file.
 *
 * The file is valid for the Khronos validator and uses standard features only; what only Trilobite reads is in extras.
 * Lengths are in meters. */
#include "formats/gltf/encode/encode.h"

/* --- helpers --- */

void tl_gltf_encode_fail(gltf_encoder *e, const trilo_rule *rule, trilo_code code, const char *text)
{
    if (!e->failed)
        tl_fail(e->err, code, rule, TRILO_NOWHERE, &e->losses->path, "%s", text);
    e->has_error = e->has_error || !e->failed;
    e->failed = true;
}

void *tl_gltf_allocated(gltf_encoder *e, void *memory)
{
    e->failed = e->failed || !memory;
    return memory;
}

tl_json_writer *tl_gltf_begin(gltf_encoder *e, gltf_array array, uint32_t *index)
{
    *index = e->counts[array]++;
    tl_json_open(&e->arrays[array], '{');
    return &e->arrays[array];
}

void tl_gltf_put_name(tl_json_writer *w, trilo_str name)
{
    if (!name.data || name.len == 0)
        return;
    tl_json_key(w, "name");
    tl_json_put_str(w, name);
}

void tl_gltf_put_index(tl_json_writer *w, const char *key, uint32_t index)
{
    tl_json_key(w, key);
    tl_json_put_uint(w, index);
}

/* --- encoding --- */

/* Writes the top-level arrays and the buffer. */
static void gltf_encode_model(gltf_encoder *e)
{
    static void (*const steps[])(gltf_encoder *) = {
        tl_gltf_begin_nodes,   tl_gltf_begin_frames, tl_gltf_encode_textures, tl_gltf_encode_materials,
        tl_gltf_encode_meshes, tl_gltf_encode_skins, tl_gltf_encode_nodes,    tl_gltf_encode_clips};
    const trilo_model *model = e->model;
    for (int i = 0; i < GLTF_ARRAY_COUNT; i++)
        e->arrays[i] = tl_json_writer_in(e->arena);
    e->neutral_bone = TRILO_NONE;
    e->skin_of = tl_gltf_allocated(e, TL_ARRAY(e->arena, model->skin_count, uint32_t));
    e->skin_has_unbound = tl_gltf_allocated(e, TL_ARRAY(e->arena, model->skin_count, bool));
    e->texture_of = tl_gltf_allocated(e, TL_ARRAY(e->arena, model->texture_count, uint32_t));
    e->mesh_node = tl_gltf_allocated(e, TL_ARRAY(e->arena, model->mesh_count, uint32_t));
    for (size_t i = 0; i < TL_COUNT_OF(steps) && !e->failed; i++)
        steps[i](e);
    if (model->chunk_count > 0 && !e->failed)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_CHUNKS), TRILO_NOWHERE,
                          "the model has custom chunks, which glTF cannot store");
    if (model->bvh && !e->failed)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_CHUNKS), TRILO_NOWHERE,
                          "the BVH is not written, it can be rebuilt");
}

static void gltf_put_buffer(gltf_encoder *e, tl_json_writer *w)
{
    tl_json_key(w, "buffers");
    tl_json_open(w, '[');
    tl_json_open(w, '{');
    tl_json_key(w, "byteLength");
    tl_json_put_uint(w, e->data.size);
    if (e->text)
        tl_gltf_put_buffer_uri(e, w);
    tl_json_close(w, '}');
    tl_json_close(w, ']');
}

/* Joins the top-level arrays. The text of a .glb is padded with spaces to a multiple of 4. */
static tl_json_writer gltf_join_text(gltf_encoder *e)
{
    static const gltf_array order[] = {GLTF_SCENES,     GLTF_NODES,     GLTF_MESHES,      GLTF_MATERIALS,
                                       GLTF_TEXTURES,   GLTF_SAMPLERS,  GLTF_IMAGES,      GLTF_SKINS,
                                       GLTF_ANIMATIONS, GLTF_ACCESSORS, GLTF_BUFFER_VIEWS};
    tl_json_writer w = tl_json_writer_in(e->arena);
    tl_json_open(&w, '{');
    tl_json_key(&w, "asset");
    tl_json_open(&w, '{');
    tl_json_key(&w, "version");
    tl_json_put_text(&w, "2.0");
    tl_json_key(&w, "generator");
    tl_json_put_text(&w, "Trilobite " TRILO_VERSION);
    tl_json_close(&w, '}');
    tl_gltf_put_index(&w, "scene", 0);
    for (size_t i = 0; i < TL_COUNT_OF(order); i++) {
        const tl_json_writer *array = &e->arrays[order[i]];
        e->failed = e->failed || array->failed;
        if (e->counts[order[i]] == 0)
            continue;
        tl_json_key(&w, tl_gltf_array_name(order[i]));
        tl_json_open(&w, '[');
        tl_json_append(&w, array->text, array->size);
        tl_json_close(&w, ']');
    }
    if (e->data.size > 0)
        gltf_put_buffer(e, &w);
    tl_gltf_put_extras(e, &w, e->model->extras.json, NULL);
    tl_gltf_put_extensions(e, &w, e->model->extras.extensions, NULL);
    if (e->extension_count > 0) {
        tl_json_key(&w, "extensionsUsed");
        tl_json_open(&w, '[');
        for (uint32_t i = 0; i < e->extension_count; i++)
            tl_json_put_str(&w, e->extensions[i]);
        tl_json_close(&w, ']');
    }
    tl_json_close(&w, '}');
    if (e->text)
        tl_json_append(&w, "\n", 1);
    while (!e->text && !w.failed && w.size % 4 != 0)
        tl_json_append(&w, " ", 1);
    if (w.size > INT32_MAX) /* the JSON reader's limit; with the buffer's it keeps a .glb below 4 GiB */
        tl_gltf_encode_fail(e, &tl_general_rules[TL_FILE_LIMIT], TRILO_CODE_LIMIT, "the text would have 2 GiB or more");
    e->failed = e->failed || w.failed;
    return w;
}

void *tl_gltf_encode(const trilo_model *model, const trilo_write_opts *opts, tl_arena *arena, tl_report *losses,
                     trilo_error *err)
{
    gltf_encoder e = {.model = model, .opts = opts, .arena = arena, .losses = losses, .err = err};
    const size_t length = opts->name ? strlen(opts->name) : 0;
    const char *ending = length >= 5 ? opts->name + length - 5 : "";
    e.policy = tl_gltf_policy_of(model, opts);
    e.text = opts->gltf->text || strcmp(ending, ".gltf") == 0 || strcmp(ending, ".GLTF") == 0;
    gltf_encode_model(&e);
    gltf_file *file = e.failed ? NULL : tl_gltf_allocated(&e, TL_NEW(arena, gltf_file));
    const tl_json_writer w = e.failed ? (tl_json_writer){.failed = true} : gltf_join_text(&e);
    if (e.failed) {
        if (!e.has_error)
            tl_fail_memory(err);
        return NULL;
    }
    file->binary = !e.text;
    file->json = (trilo_bytes){(const uint8_t *)w.text, w.size};
    if (!e.text)
        file->bin = (trilo_bytes){e.data.bytes, e.data.size};
    file->companion_count = e.companion_count;
    file->companions = e.companions;
    return file;
}

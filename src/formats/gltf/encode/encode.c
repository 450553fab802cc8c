/* From the neutral model to a glTF file.
 *
 * A file that every program understands, and that the Khronos validator has nothing to object to; what only Trilobite
 * reads stands in extras. Lengths are in meters; the 64 units of the N64's formats divide without losing a bit. This
 * file holds the walk and puts the pieces together. */
#include "formats/gltf/encode/encode.h"

#include "model/units.h"
#include <string.h>

/* --- what the parts share --- */

void tl_gltf_encode_fail(gltf_encoder *e, const trilo_rule *rule, trilo_code code, const char *text)
{
    if (!e->failed)
        tl_fail(e->err, code, rule, TRILO_NOWHERE, &e->losses->path, "%s", text);
    e->told = e->told || !e->failed;
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

/* --- the walk --- */

static void start(gltf_encoder *e)
{
    const trilo_model *model = e->model;
    for (int i = 0; i < GLTF_ARRAY_COUNT; i++)
        e->arrays[i] = tl_json_writer_in(e->arena);
    e->neutral_bone = TRILO_NONE;
    e->skin_of = tl_gltf_allocated(e, TL_ARRAY(e->arena, model->skin_count, uint32_t));
    e->skin_unbound = tl_gltf_allocated(e, TL_ARRAY(e->arena, model->skin_count, bool));
    e->texture_of = tl_gltf_allocated(e, TL_ARRAY(e->arena, model->texture_count, uint32_t));
    e->mesh_node = tl_gltf_allocated(e, TL_ARRAY(e->arena, model->mesh_count, uint32_t));
}

static void report_losses(gltf_encoder *e)
{
    if (e->model->chunk_count > 0)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_CHUNKS), TRILO_NOWHERE,
                          "the model has custom chunks, which glTF cannot store");
    if (e->model->bvh)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_CHUNKS), TRILO_NOWHERE,
                          "the BVH is not written, it can be rebuilt");
}

static void walk(gltf_encoder *e)
{
    void (*const parts[])(gltf_encoder *) = {start,
                                             tl_gltf_start_nodes,
                                             tl_gltf_start_frames,
                                             tl_gltf_encode_textures,
                                             tl_gltf_encode_materials,
                                             tl_gltf_encode_meshes,
                                             tl_gltf_encode_skins,
                                             tl_gltf_encode_nodes,
                                             tl_gltf_encode_clips,
                                             report_losses};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !e->failed; i++)
        parts[i](e);
}

/* --- the text --- */

static void put_asset(tl_json_writer *w)
{
    tl_json_key(w, "asset");
    tl_json_open(w, '{');
    tl_json_key(w, "version");
    tl_json_put_text(w, "2.0");
    tl_json_key(w, "generator");
    tl_json_put_text(w, "Trilobite " TRILO_VERSION);
    tl_json_close(w, '}');
}

static void put_arrays(gltf_encoder *e, tl_json_writer *w)
{
    static const gltf_array order[] = {GLTF_SCENES,     GLTF_NODES,     GLTF_MESHES,      GLTF_MATERIALS,
                                       GLTF_TEXTURES,   GLTF_SAMPLERS,  GLTF_IMAGES,      GLTF_SKINS,
                                       GLTF_ANIMATIONS, GLTF_ACCESSORS, GLTF_BUFFER_VIEWS};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const tl_json_writer *array = &e->arrays[order[i]];
        e->failed = e->failed || array->failed;
        if (e->counts[order[i]] == 0)
            continue;
        tl_json_key(w, tl_gltf_array_name(order[i]));
        tl_json_open(w, '[');
        tl_json_append(w, array->text, array->size);
        tl_json_close(w, ']');
    }
}

static void put_extensions_used(gltf_encoder *e, tl_json_writer *w)
{
    if (e->extension_count == 0)
        return;
    tl_json_key(w, "extensionsUsed");
    tl_json_open(w, '[');
    for (uint32_t i = 0; i < e->extension_count; i++)
        tl_json_put_str(w, e->extensions[i]);
    tl_json_close(w, ']');
}

static void put_buffer(gltf_encoder *e, tl_json_writer *w)
{
    if (e->data.size == 0)
        return;
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

static void finish_text(const gltf_encoder *e, tl_json_writer *w)
{
    if (e->text)
        tl_json_append(w, "\n", 1);
    while (!e->text && !w->failed && w->size % 4 != 0) /* as a .glb wants it */
        tl_json_append(w, " ", 1);
}

static gltf_file *put_together(gltf_encoder *e)
{
    gltf_file *file = tl_gltf_allocated(e, TL_NEW(e->arena, gltf_file));
    tl_json_writer w = tl_json_writer_in(e->arena);
    tl_json_open(&w, '{');
    put_asset(&w);
    tl_gltf_put_index(&w, "scene", 0);
    put_arrays(e, &w);
    put_buffer(e, &w);
    tl_gltf_put_extras(e, &w, e->model->extras.json, NULL);
    tl_gltf_put_extensions(e, &w, e->model->extras.extensions, NULL);
    put_extensions_used(e, &w);
    tl_json_close(&w, '}');
    finish_text(e, &w);
    if (w.size > INT32_MAX) /* no more than can be read again; a .glb ends at 4 GiB */
        tl_gltf_encode_fail(e, &tl_general_rules[TL_FILE_LIMIT], TRILO_CODE_LIMIT, "the text would have 2 GiB or more");
    if (w.failed || e->failed)
        return NULL;
    file->binary = !e->text;
    file->json = (trilo_bytes){(const uint8_t *)w.text, w.size};
    if (!e->text)
        file->bin = (trilo_bytes){e->data.bytes, e->data.size};
    file->companion_count = e->beside_count;
    file->companions = e->beside;
    return file;
}

/* --- the file --- */

static bool ends_in_gltf(const char *name)
{
    const size_t length = name ? strlen(name) : 0;
    return length >= 5 && (memcmp(name + length - 5, ".gltf", 5) == 0 || memcmp(name + length - 5, ".GLTF", 5) == 0);
}

void *tl_gltf_encode(const trilo_model *model, const trilo_write_opts *opts, tl_arena *arena, tl_report *losses,
                     trilo_error *err)
{
    gltf_encoder e = {.model = model, .opts = opts, .arena = arena, .losses = losses, .err = err};
    e.policy = tl_gltf_policy_of(model, opts);
    e.text = opts->gltf.text || ends_in_gltf(opts->name);
    e.meter = model->resized ? 1 : 1 / tl_units_per_meter(model);
    walk(&e);
    gltf_file *file = e.failed ? NULL : put_together(&e);
    if (!file && !e.told)
        tl_fail_memory(err);
    return file;
}

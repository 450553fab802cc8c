/* Materials: glTF's own values, and the complete N64 state as extras.trilobite_n64 (docs/formats/gltf.md). */
#include "formats/gltf/encode/encode.h"

#include "base/bytes.h"
#include "trilobite/n64.h"

/* --- trilobite_n64 --- */

static void gltf_put_n64_word(tl_json_writer *w, const char *key, uint64_t value, int digits)
{
    char text[2 + 16 + 1] = "0x";
    for (int i = 0; i < digits; i++)
        text[2 + i] = "0123456789ABCDEF"[value >> 4 * (digits - 1 - i) & 15];
    tl_json_key(w, key);
    tl_json_put_text(w, text);
}

static void gltf_put_n64_color(tl_json_writer *w, const char *key, const uint8_t color[4])
{
    tl_json_key(w, key);
    tl_json_open(w, '[');
    for (int i = 0; i < 4; i++)
        tl_json_put_uint(w, color[i]);
    tl_json_close(w, ']');
}

static void gltf_put_n64_axis(tl_json_writer *w, const char *key, const trilo_n64_axis *axis)
{
    tl_json_key(w, key);
    tl_json_open(w, '{');
    tl_json_key(w, "low");
    tl_json_put_float(w, axis->low);
    tl_json_key(w, "high");
    tl_json_put_float(w, axis->high);
    tl_json_key(w, "mask");
    tl_json_put_double(w, axis->mask);
    tl_json_key(w, "shift");
    tl_json_put_double(w, axis->shift);
    tl_json_key(w, "mirror");
    tl_json_put_bool(w, axis->mirror);
    tl_json_key(w, "clamp");
    tl_json_put_bool(w, axis->clamp);
    tl_json_close(w, '}');
}

static void gltf_put_n64_tile(const gltf_encoder *e, tl_json_writer *w, const trilo_n64_tile *tile)
{
    tl_json_open(w, '{');
    tl_gltf_put_index(w, "reference", tile->reference);
    if (tile->texture != TRILO_NONE && tile->texture < e->model->texture_count) {
        const trilo_str path = e->model->textures[tile->texture].path;
        if (path.data && path.len > 0) {
            tl_json_key(w, "path");
            tl_json_put_str(w, path);
        }
        if (e->texture_of[tile->texture] != TRILO_NONE)
            tl_gltf_put_index(w, "texture", e->texture_of[tile->texture]);
    }
    tl_gltf_put_index(w, "width", tile->width);
    tl_gltf_put_index(w, "height", tile->height);
    gltf_put_n64_axis(w, "s", &tile->s);
    gltf_put_n64_axis(w, "t", &tile->t);
    tl_json_close(w, '}');
}

/* The bytes of a T3DM chunk `m`. */
static void gltf_put_raw(tl_json_writer *w, trilo_bytes raw)
{
    static const char digits[] = "0123456789abcdef";
    tl_json_key(w, "raw");
    tl_json_put_raw(w, "\"", 1);
    for (size_t i = 0; i < raw.size; i++)
        tl_json_append(w, (const char[2]){digits[raw.data[i] >> 4], digits[raw.data[i] & 15]}, 2);
    tl_json_append(w, "\"", 1);
}

/* What materials of Pyrite64 set besides. */
static void gltf_put_n64_engine(tl_json_writer *w, const trilo_n64_material *n64)
{
    tl_json_key(w, "engine");
    tl_json_open(w, '{');
    tl_gltf_put_index(w, "flags", n64->engine_flags);
    tl_gltf_put_index(w, "k4", n64->k4);
    tl_gltf_put_index(w, "k5", n64->k5);
    tl_gltf_put_index(w, "primLod", n64->prim_lod);
    gltf_put_n64_word(w, "fogBlender", n64->fog_blender, 8);
    tl_json_key(w, "primZ");
    tl_json_put_double(w, n64->prim_z);
    tl_json_key(w, "primDeltaZ");
    tl_json_put_double(w, n64->prim_delta_z);
    tl_json_key(w, "zOffset");
    tl_json_put_double(w, n64->z_offset);
    tl_json_close(w, '}');
}

static tl_json_writer gltf_n64_state(const gltf_encoder *e, const trilo_material *material)
{
    const trilo_n64_material *n64 = material->n64;
    tl_json_writer w = tl_json_writer_in(e->arena);
    tl_json_open(&w, '{');
    if (material->raw.size > 0)
        gltf_put_raw(&w, material->raw);
    if (!n64) {
        tl_json_close(&w, '}');
        return w;
    }
    gltf_put_n64_word(&w, "combiner", n64->combiner, 16);
    gltf_put_n64_word(&w, "otherMode", n64->other_mode, 16);
    gltf_put_n64_word(&w, "otherMask", n64->other_mask, 16);
    gltf_put_n64_word(&w, "blender", n64->blender, 8);
    tl_gltf_put_index(&w, "drawFlags", n64->draw_flags);
    tl_gltf_put_index(&w, "fog", n64->fog);
    tl_gltf_put_index(&w, "setFlags", n64->set_flags);
    tl_gltf_put_index(&w, "vertexEffect", n64->vertex_effect);
    gltf_put_n64_color(&w, "prim", n64->prim);
    gltf_put_n64_color(&w, "env", n64->env);
    gltf_put_n64_color(&w, "blend", n64->blend);
    tl_json_key(&w, "tiles");
    tl_json_open(&w, '[');
    for (int i = 0; i < 2; i++)
        gltf_put_n64_tile(e, &w, &n64->tiles[i]);
    tl_json_close(&w, ']');
    if (n64->engine_flags != 0 || n64->z_offset != 0)
        gltf_put_n64_engine(&w, n64);
    tl_json_close(&w, '}');
    return w;
}

/* --- materials --- */

static void gltf_encode_material(gltf_encoder *e, const trilo_material *material)
{
    const trilo_material view = tl_gltf_plain_view(material);
    const bool has_state = (material->n64 || material->raw.size > 0) && !e->opts->gltf->plain;
    const tl_json_writer state = has_state ? gltf_n64_state(e, material) : (tl_json_writer){0};
    uint32_t index = 0;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_MATERIALS, &index);
    tl_gltf_put_name(w, material->name);
    tl_gltf_put_pbr(e, w, &view);
    if (view.alpha != TRILO_ALPHA_OPAQUE) {
        tl_json_key(w, "alphaMode");
        tl_json_put_text(w, view.alpha == TRILO_ALPHA_BLEND ? "BLEND" : "MASK");
    }
    if (view.alpha == TRILO_ALPHA_CUTOUT && tl_is_finite(view.alpha_cutoff) && view.alpha_cutoff > 0 &&
        view.alpha_cutoff != 0.5f) {
        tl_json_key(w, "alphaCutoff");
        tl_json_put_float(w, view.alpha_cutoff);
    }
    if (view.two_sided) {
        tl_json_key(w, "doubleSided");
        tl_json_put_bool(w, true);
    }
    tl_gltf_put_extras(e, w, material->extras.json, has_state ? &state : NULL);
    tl_gltf_put_extensions(e, w, material->extras.extensions, view.unlit ? "KHR_materials_unlit" : NULL);
    tl_json_close(w, '}');
}

void tl_gltf_encode_materials(gltf_encoder *e)
{
    for (uint32_t i = 0; i < e->model->material_count && !e->failed; i++) {
        tl_path_push(&e->losses->path, "materials", i);
        gltf_encode_material(e, &e->model->materials[i]);
        tl_path_pop(&e->losses->path);
    }
}

/* Materials: the N64 state where a model has it, a plain one where not. */
#include "formats/t3dm/t3dm_encode.h"

#include <string.h>

/* Plain materials: texture or not, opaque, cut out or blended. One cycle, lit by the vertex shade. */
typedef struct preset {
    bool textured;
    trilo_alpha alpha;
    uint64_t combiner;
} preset;

static const preset presets[] = {
    {false, TRILO_ALPHA_OPAQUE, 0x00887F1088FE7D3Eu}, /* SHADE, alpha 1 */
    {false, TRILO_ALPHA_CUTOUT, 0x00887F1088FE793Cu}, /* SHADE, SHADE */
    {false, TRILO_ALPHA_BLEND, 0x00887F1088FE793Cu},
    {true, TRILO_ALPHA_OPAQUE, 0x00127E2488FFFDFEu}, /* TEX0 * SHADE, alpha 1 */
    {true, TRILO_ALPHA_CUTOUT, 0x00127E2488FFF3F9u}, /* TEX0 * SHADE, TEX0 */
    {true, TRILO_ALPHA_BLEND, 0x001218248833FFFFu},  /* TEX0 * SHADE, TEX0 * SHADE */
};

#define MODE_MASK     0x0000300000000C01u
#define MODE_BILINEAR 0x0000200000000000u
#define BLEND_ALPHA   0x00500040u

static bool has_path(const t3dm_encoder *e, uint32_t texture)
{
    return texture != TRILO_NONE && e->model->textures[texture].path.len > 0;
}

static void plain_head(const t3dm_encoder *e, const trilo_material *from, t3dm_material_head *h)
{
    const bool textured = has_path(e, from->texture);
    for (size_t i = 0; i < TL_COUNT_OF(presets); i++)
        if (presets[i].textured == textured && presets[i].alpha == from->alpha)
            h->combiner = presets[i].combiner;
    h->other_mode = MODE_BILINEAR | (from->alpha == TRILO_ALPHA_CUTOUT ? 1 : 0);
    h->other_mask = MODE_MASK;
    h->blender = from->alpha == TRILO_ALPHA_BLEND ? BLEND_ALPHA : 0;
    h->draw_flags = (uint32_t)TRILO_N64_DEPTH | TRILO_N64_SHADED | (textured ? TRILO_N64_TEXTURED : 0u) |
                    (from->two_sided ? 0u : TRILO_N64_CULL_BACK);
    h->blend[3] = 128;
    h->set_flags = from->alpha == TRILO_ALPHA_CUTOUT ? TRILO_N64_SET_BLEND : 0;
}

static void n64_head(const trilo_n64_material *n64, t3dm_material_head *h)
{
    *h = (t3dm_material_head){.combiner = n64->combiner,
                              .other_mode = n64->other_mode,
                              .other_mask = n64->other_mask,
                              .blender = n64->blender,
                              .draw_flags = n64->draw_flags,
                              .fog = n64->fog,
                              .set_flags = n64->set_flags,
                              .vertex_effect = n64->vertex_effect};
    memcpy(h->prim, n64->prim, sizeof h->prim);
    memcpy(h->env, n64->env, sizeof h->env);
    memcpy(h->blend, n64->blend, sizeof h->blend);
}

static t3dm_axis make_axis(const trilo_n64_axis *a)
{
    return (t3dm_axis){a->low, a->high, a->mask, a->shift, a->mirror, a->clamp};
}

/* Repeats over a whole texture whose sides are powers of two. */
static t3dm_axis plain_axis(uint32_t size)
{
    int8_t mask = 0;
    while (size > 1u << mask)
        mask++;
    return (t3dm_axis){0, size > 0 ? (float)(size - 1) : 0, mask, 0, 0, 0};
}

static bool set_path(t3dm_encoder *e, uint32_t texture, t3dm_texture *t)
{
    t->hash = t->reference;
    if (texture == TRILO_NONE)
        return true;
    if (!has_path(e, texture)) {
        tl_t3dm_lose(e, T3DM_R_LOST_TEXTURE, "the texture is embedded, T3DM holds only paths");
        return true;
    }
    const char *path = e->model->textures[texture].path.data;
    t->hash = tl_t3dm_hash(path);
    return tl_t3dm_add_string(e, path, &t->path);
}

static bool make_textures(t3dm_encoder *e, const trilo_material *from, t3dm_material *to)
{
    if (!from->n64) {
        /* Of a texture that is lost, its size is of no use either. */
        const trilo_texture *texture = has_path(e, from->texture) ? &e->model->textures[from->texture] : NULL;
        t3dm_texture *t = &to->textures[0];
        t->width = (uint16_t)(texture && texture->width <= UINT16_MAX ? texture->width : 0);
        t->height = (uint16_t)(texture && texture->height <= UINT16_MAX ? texture->height : 0);
        t->s = plain_axis(t->width);
        t->t = plain_axis(t->height);
        return set_path(e, from->texture, t);
    }
    for (int i = 0; i < 2; i++) {
        const trilo_n64_tile *tile = &from->n64->tiles[i];
        to->textures[i] = (t3dm_texture){.reference = tile->reference,
                                         .width = tile->width,
                                         .height = tile->height,
                                         .s = make_axis(&tile->s),
                                         .t = make_axis(&tile->t)};
        if (!set_path(e, tile->texture, &to->textures[i]))
            return false;
    }
    return true;
}

static bool make_material(t3dm_encoder *e, const trilo_material *from, t3dm_material *to)
{
    if (from->n64) {
        n64_head(from->n64, &to->head);
    } else {
        plain_head(e, from, &to->head);
        tl_t3dm_lose(e, T3DM_R_MADE_MATERIAL, "the material has no N64 settings, plain ones were made");
    }
    return tl_t3dm_add_string(e, from->name.data, &to->head.name) && make_textures(e, from, to);
}

static bool any_bare_mesh(const trilo_model *model)
{
    for (uint32_t i = 0; i < model->mesh_count; i++)
        if (model->meshes[i].material == TRILO_NONE)
            return true;
    return false;
}

/* A mesh without a material gets the last one, made for that. */
bool tl_t3dm_encode_materials(t3dm_encoder *e)
{
    static const trilo_material bare = {.name = {"default", 7}, .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    const trilo_model *model = e->model;
    const bool extra = any_bare_mesh(model);
    e->file->materials = TL_ARRAY(e->arena, (size_t)model->material_count + 1, t3dm_material);
    if (!e->file->materials)
        return false;
    for (uint32_t i = 0; i < model->material_count; i++) {
        tl_path_push(&e->losses->path, "materials", i);
        const bool ok = make_material(e, &model->materials[i], &e->file->materials[i]);
        tl_path_pop(&e->losses->path);
        if (!ok)
            return false;
    }
    e->file->material_count = model->material_count + (extra ? 1 : 0);
    return !extra || make_material(e, &bare, &e->file->materials[model->material_count]);
}

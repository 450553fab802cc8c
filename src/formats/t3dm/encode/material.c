/* Materials: the N64 state where a model has it, a plain one where not. */
#include "formats/t3dm/encode/encode.h"

#include "base/sort.h"
#include "model/pbr.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- plain ones --- */

/* How a plain material is mixed: texture or not, opaque, cut out or blended, and whether the shade takes part: light or
 * vertex colours. One cycle. */
typedef struct preset {
    bool textured, shaded;
    trilo_alpha alpha;
    uint64_t combiner;
} preset;

static const preset presets[] = {
    {false, true, TRILO_ALPHA_OPAQUE, 0x00887F1088FE7D3Eu}, /* SHADE, alpha 1 */
    {false, true, TRILO_ALPHA_CUTOUT, 0x00887F1088FE793Cu}, /* SHADE, SHADE */
    {false, true, TRILO_ALPHA_BLEND, 0x00887F1088FE793Cu},
    {true, true, TRILO_ALPHA_OPAQUE, 0x00127E2488FFFDFEu},  /* TEX0 * SHADE, alpha 1 */
    {true, true, TRILO_ALPHA_CUTOUT, 0x00127E2488FFF3F9u},  /* TEX0 * SHADE, TEX0 */
    {true, true, TRILO_ALPHA_BLEND, 0x001218248833FFFFu},   /* TEX0 * SHADE, TEX0 * SHADE */
    {true, false, TRILO_ALPHA_OPAQUE, 0x00887F1088FCFC7Eu}, /* TEX0, alpha 1 */
    {true, false, TRILO_ALPHA_CUTOUT, 0x00887F1088FCF279u}, /* TEX0, TEX0 */
    {true, false, TRILO_ALPHA_BLEND, 0x00887F1088FCF279u},
};

static void plain_head(const t3dm_encoder *e, const trilo_material *from, bool tinted, t3dm_material_head *h)
{
    const bool textured = from->texture != TRILO_NONE;
    const bool shaded = !from->unlit || !textured || tinted;
    const bool cutout = from->alpha == TRILO_ALPHA_CUTOUT;
    for (size_t i = 0; i < TL_COUNT_OF(presets); i++)
        if (presets[i].textured == textured && presets[i].shaded == shaded && presets[i].alpha == from->alpha)
            h->combiner = presets[i].combiner;
    const bool nearest = textured && e->model->textures[from->texture].nearest;
    h->other_mode = TL_MODE(TL_MODE_SAMPLING, nearest ? TL_SAMPLING_POINT : TL_SAMPLING_BILINEAR);
    h->other_mode |= TL_MODE(TL_MODE_ALPHA_COMPARE, cutout ? TL_ALPHA_COMPARE_THRESHOLD : TL_ALPHA_COMPARE_OFF);
    h->other_mask = TL_MODE_MASK_RENDER_MODE;
    h->blender = from->alpha == TRILO_ALPHA_BLEND ? TL_BLENDER_ALPHA : 0;
    h->draw_flags = (uint32_t)TRILO_N64_DEPTH | (shaded ? TRILO_N64_SHADED : 0u) |
                    (textured ? TRILO_N64_TEXTURED : 0u) | (from->two_sided ? 0u : TRILO_N64_CULL_BACK) |
                    (shaded && from->unlit ? TRILO_N64_UNLIT : 0u);
    const double cutoff = cutout && from->alpha_cutoff > 0 ? from->alpha_cutoff : 0.5;
    h->blend[3] = (uint8_t)(cutoff < 1 ? tl_t3dm_round(cutoff * 255) : 255);
    h->set_flags = cutout ? TRILO_N64_SET_BLEND : 0;
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

static bool is_white(const float color[4])
{
    return color[0] >= 1 && color[1] >= 1 && color[2] >= 1 && color[3] >= 1;
}

/* For meshes that have none. */
static const trilo_material bare = {.name = {"default", 7}, .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};

static bool make_material(t3dm_encoder *e, const trilo_material *from, bool tinted, t3dm_material *to)
{
    tinted = tinted || !is_white(from->base_color);
    if (from->n64)
        n64_head(from->n64, &to->head);
    else
        plain_head(e, from, tinted, &to->head);
    if (!from->n64 && from != &bare)
        tl_t3dm_report_loss(e, T3DM_R_MADE_MATERIAL, "the material has no N64 settings, plain ones were made%s",
                            is_white(from->base_color) ? "" : "; its colour went into the vertex colours");
    return tl_t3dm_add_string(e, from->name.data, &to->head.name) && tl_t3dm_encode_textures(e, from, to);
}

/* --- which ones --- */

/* Materials of the file while they are collected. Row material_count stands for no material. */
typedef struct collection {
    t3dm_encoder *e;
    uint32_t *numbers; /* in the file, by number in the model; TRILO_NONE: not used so far */
    uint32_t *from;    /* the other way round */
    uint8_t *tinted;   /* by number in the model: vertices have colours */
    uint32_t count;
} collection;

static uint32_t row_of(const t3dm_encoder *e, uint32_t mesh)
{
    const uint32_t material = e->model->meshes[mesh].material;
    return material == TRILO_NONE ? e->model->material_count : material;
}

static void use(collection *c, uint32_t row)
{
    if (c->numbers[row] != TRILO_NONE)
        return;
    c->from[c->count] = row;
    c->numbers[row] = c->count++;
}

static bool mesh_tinted(const trilo_mesh *mesh)
{
    for (uint32_t i = 0; mesh->colors && i < mesh->vertex_count; i++)
        if (!is_white(mesh->colors[i]))
            return true;
    return false;
}

/* Those that objects use, in the order of the objects, behind all that are kept anyway. */
static bool collect(collection *c)
{
    const t3dm_encoder *e = c->e;
    const size_t room = (size_t)e->model->material_count + 1;
    c->numbers = tl_array_raw(e->arena, room, sizeof *c->numbers);
    c->from = TL_ARRAY(e->arena, room, uint32_t);
    c->tinted = TL_ARRAY(e->arena, room, uint8_t);
    if (!c->numbers || !c->from || !c->tinted)
        return false;
    memset(c->numbers, 0xFF, room * sizeof *c->numbers);
    for (uint32_t i = 0; e->policy.keep_materials && i < e->model->material_count; i++)
        use(c, i);
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        const uint32_t row = row_of(e, e->meshes[i]);
        use(c, row);
        c->tinted[row] = c->tinted[row] || mesh_tinted(&e->model->meshes[e->meshes[i]]);
    }
    return true;
}

static bool make_all(collection *c)
{
    t3dm_encoder *e = c->e;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t row = c->from[i];
        const bool known = row < e->model->material_count;
        const trilo_material *from = known ? &e->model->materials[row] : &bare;
        if (known)
            tl_t3dm_enter(e, "materials", row, from->name);
        const bool ok = make_material(e, from, c->tinted[row] != 0, &e->file->materials[i]);
        if (ok && e->policy.check_textures)
            tl_t3dm_check_textures(e, &e->file->materials[i]);
        if (known)
            tl_t3dm_leave(e);
        else
            tl_t3dm_report_loss(e, T3DM_R_MADE_MATERIAL,
                                "meshes without a material got a plain one called \"default\"");
        if (!ok)
            return false;
    }
    return true;
}

/* --- equal names --- */

/* Games find materials by name. Two of one name and one content are one; two of one name only get names of their own.
 */

enum { RECORD_MOST = 256 };

/* The bytes that a material will have in the file. */
static size_t store(const t3dm_material *m, uint8_t out[RECORD_MOST])
{
    const size_t head = tl_layout_size(&tl_t3dm_material_head, 0), texture = tl_layout_size(&tl_t3dm_texture, 0);
    tl_layout_store(&tl_t3dm_material_head, 0, &m->head, out);
    tl_layout_store(&tl_t3dm_texture, 0, &m->textures[0], out + head);
    tl_layout_store(&tl_t3dm_texture, 0, &m->textures[1], out + head + texture);
    return head + 2 * texture;
}

static int64_t content_key(const void *rows, uint32_t row)
{
    const t3dm_material *m = (const t3dm_material *)rows + row;
    uint8_t bytes[RECORD_MOST];
    return (int64_t)((uint64_t)(m->head.name & INT32_MAX) << 32 | trilo_fnv1a(bytes, store(m, bytes)));
}

static bool same_material(const t3dm_material *a, const t3dm_material *b)
{
    uint8_t x[RECORD_MOST], y[RECORD_MOST];
    const size_t size = store(a, x);
    return store(b, y) == size && memcmp(x, y, size) == 0;
}

static bool rename_material(collection *c, uint32_t material, uint32_t *number)
{
    t3dm_encoder *e = c->e;
    t3dm_material *m = &e->file->materials[material];
    const char *name = e->strings + m->head.name;
    char made[T3DM_STRING_MOST];
    do
        snprintf(made, sizeof made, "%.900s.%03" PRIu32, name, ++*number);
    while (tl_t3dm_has_string(e, made));
    tl_path_push(&e->losses->path, "materials", c->from[material]);
    tl_t3dm_report_loss(e, T3DM_R_RENAMED,
                        "another material is called \"%.50s\", too; this one is called \"%.60s\" now", name, made);
    tl_path_pop(&e->losses->path);
    return tl_t3dm_add_string(e, made, &m->head.name);
}

/* Sorted by name and content; of each name the first one in the file keeps it. merged[i] is what takes i's place. */
static bool settle_names(collection *c, const uint32_t *order, uint32_t *merged)
{
    t3dm_material *all = c->e->file->materials;
    for (uint32_t start = 0, end; start < c->count; start = end) {
        const uint32_t name = all[order[start]].head.name;
        uint32_t first = TRILO_NONE, number = 0;
        for (end = start; end < c->count && all[order[end]].head.name == name; end++)
            first = order[end] < first ? order[end] : first;
        for (uint32_t i = start; i < end; i++) {
            const uint32_t before = i > start ? merged[order[i - 1]] : TRILO_NONE;
            merged[order[i]] = i > start && same_material(&all[before], &all[order[i]]) ? before : order[i];
        }
        for (uint32_t i = start; i < end && name != 0; i++)
            if (merged[order[i]] == order[i] && order[i] != merged[first] && !rename_material(c, order[i], &number))
                return false;
    }
    return true;
}

static bool settle(collection *c)
{
    t3dm_encoder *e = c->e;
    uint32_t *order = TL_ARRAY(e->arena, c->count, uint32_t), *merged = TL_ARRAY(e->arena, c->count, uint32_t);
    uint32_t *places = TL_ARRAY(e->arena, c->count, uint32_t);
    if (!order || !merged || !places)
        return false;
    tl_sort_rows(order, c->count, content_key, e->file->materials);
    if (!settle_names(c, order, merged))
        return false;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (merged[i] == i) {
            places[i] = kept;
            e->file->materials[kept++] = e->file->materials[i];
        }
    for (uint32_t i = 0; i < c->count; i++)
        c->numbers[c->from[i]] = places[merged[i]];
    c->count = kept;
    return true;
}

bool tl_t3dm_encode_materials(t3dm_encoder *e)
{
    collection c = {.e = e};
    e->texture_told = TL_ARRAY(e->arena, e->model->texture_count, uint8_t);
    if (!e->texture_told || !collect(&c))
        return false;
    tl_t3dm_advise(e);
    tl_pbr_maps_lost(e->model, t3dm_rule(T3DM_R_LOST_MAPS), e->losses);
    e->file->materials = TL_ARRAY(e->arena, c.count, t3dm_material);
    if (!e->file->materials || !make_all(&c) || (e->policy.merge_materials && !settle(&c)))
        return false;
    e->file->material_count = c.count;
    for (uint32_t i = 0; i < e->mesh_count; i++)
        e->material_of_mesh[e->meshes[i]] = c.numbers[row_of(e, e->meshes[i])];
    return true;
}

/* Materials: their N64 state where the model has it, otherwise a preset made from the plain view. */
#include "base/strict_float.h"
#include "formats/t3dm/encode/encode.h"

#include "base/sort.h"
#include "formats/t3dm/pyrite64/pyrite64.h"
#include "model/pbr.h"
#include "n64/plain.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- heads --- */

static void copy_n64_head(const trilo_n64_material *n64, t3dm_material_head *h)
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

/* For meshes that have none. */
static const trilo_material default_material = {
    .name = {"default", 7}, .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};

/* Bytes that another engine defines stay as they are, unless an option asks for other materials; then their layout must
 * be known. */
static bool keep_raw_material(t3dm_encoder *e, const trilo_material *from, t3dm_material *to)
{
    const trilo_t3dm_materials wanted = e->opts->t3dm->materials;
    trilo_pyrite64_material known;
    const bool pyrite64 = from->raw.size > 0 && trilo_pyrite64_material_read(from->raw, &known, NULL);
    if (from->raw.size > 0 && !pyrite64 && wanted != TRILO_T3DM_MATERIALS_AUTO)
        return tl_t3dm_encode_fail(e, T3DM_R_FOREIGN_MATERIAL, TRILO_CODE_UNSUPPORTED,
                                   "the layout of the material (chunk m) is not known, so it cannot be converted");
    to->opaque = from->raw.size > 0 && wanted != TRILO_T3DM_MATERIALS_TINY3D;
    to->translated = to->opaque && from->n64;
    to->raw = to->opaque ? from->raw : (trilo_bytes){NULL, 0};
    return true;
}

static bool add_material_name(t3dm_encoder *e, const trilo_material *from, uint32_t row, t3dm_material *to)
{
    char made[16];
    snprintf(made, sizeof made, "m%" PRIu32, row); /* materials of Pyrite64 have no names */
    return tl_t3dm_add_string(e, from->name.len == 0 && from->raw.size > 0 ? made : from->name.data, &to->head.name);
}

static bool encode_t3dm_material(t3dm_encoder *e, const trilo_material *from, uint32_t row, bool tinted,
                                 t3dm_material *to)
{
    const bool made = e->opts->t3dm->materials == TRILO_T3DM_MATERIALS_PYRITE64 && from->raw.size == 0;
    const trilo_n64_material plain = tl_n64_plain(e->model, from, tinted), *n64 = from->n64 ? from->n64 : &plain;
    const bool layered = from->n64 && (from->n64->engine_flags & TRILO_N64_ENGINE_LAYERED) != 0;
    char paths[2][T3DM_PATH_ROOM];
    if (!keep_raw_material(e, from, to))
        return false;
    if (to->opaque && !from->n64)
        return true;
    copy_n64_head(n64, &to->head);
    if (!from->n64 && from != &default_material)
        tl_t3dm_report_loss(e, T3DM_R_MADE_MATERIAL, "the material has no N64 settings, plain ones were made%s",
                            tl_color_is_white(from->base_color) ? "" : "; its colour went into the vertex colours");
    to->opaque = to->opaque || made;
    if ((!to->opaque && !add_material_name(e, from, row, to)) || !tl_t3dm_encode_textures(e, n64, to, paths))
        return false;
    if (made)
        return tl_pyrite64_encode(e, from, (const char *const[2]){paths[0], paths[1]}, to);
    if (!to->opaque && layered)
        return tl_pyrite64_to_tiny3d(e, from->n64, (const char *const[2]){paths[0], paths[1]}, to);
    return true;
}

/* --- which materials --- */

/* Materials of the file while they are listed. Row material_count stands for meshes without a material. */
typedef struct material_list {
    t3dm_encoder *e;
    uint32_t *numbers; /* row of the model to number in the file; TRILO_NONE: not listed */
    uint32_t *from;    /* number in the file to row of the model */
    uint8_t *tinted;   /* of each row: vertices have colours */
    uint32_t count;
} material_list;

static void use_material(material_list *c, uint32_t row)
{
    if (c->numbers[row] != TRILO_NONE)
        return;
    c->from[c->count] = row;
    c->numbers[row] = c->count++;
}

/* Those that objects use, in the order of the objects; with keep_materials all, in their own order. */
static bool list_materials(material_list *c)
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
        use_material(c, i);
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        const uint32_t row = tl_t3dm_material_row(e, e->meshes[i]);
        use_material(c, row);
        c->tinted[row] = c->tinted[row] || tl_mesh_is_tinted(&e->model->meshes[e->meshes[i]]);
    }
    return true;
}

/* The callbacks of an editor for a material. False: no memory. */
static bool ask_about_material(t3dm_encoder *e, uint32_t row, trilo_material *from, t3dm_material *to)
{
    const trilo_t3dm_write_opts *opts = e->opts->t3dm;
    trilo_material_uvs uvs = {0};
    trilo_bytes raw = {NULL, 0};
    if (opts->material_uvs && opts->material_uvs(opts->material_uvs_user, e->model, row, &uvs)) {
        const t3dm_uv_units units = t3dm_uv_units_for(uvs.width, uvs.height, uvs.filtered);
        to->uv_units = tl_bytes_copy(e->arena, &units, sizeof units);
        if (!to->uv_units)
            return false;
    }
    if (!opts->material_raw || !opts->material_raw(opts->material_raw_user, e->model, row, &raw) || raw.size == 0)
        return true;
    from->raw = (trilo_bytes){tl_bytes_copy(e->arena, raw.data, raw.size), raw.size};
    return from->raw.data != NULL;
}

static bool encode_listed_materials(material_list *c)
{
    t3dm_encoder *e = c->e;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t row = c->from[i];
        const bool known = row < e->model->material_count;
        const trilo_material *from = known ? &e->model->materials[row] : &default_material;
        if (known)
            tl_t3dm_enter(e, "materials", row, from->name);
        trilo_material asked = *from;
        const bool ok =
            (!known || ask_about_material(e, row, &asked, &e->file->materials[i])) &&
            encode_t3dm_material(e, known ? &asked : from, row, c->tinted[row] != 0, &e->file->materials[i]);
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

/* Games find materials by name. Two with the same name and content are merged; of two with the same name only, the
 * second is renamed. */

enum { MATERIAL_BYTES_MOST = 256 };

/* A material as the file stores it. */
static size_t store_material(const t3dm_material *m, uint8_t out[MATERIAL_BYTES_MOST])
{
    const size_t head = tl_layout_size(&tl_t3dm_material_head, TL_UNVERSIONED),
                 texture = tl_layout_size(&tl_t3dm_texture, TL_UNVERSIONED);
    tl_layout_store(&tl_t3dm_material_head, TL_UNVERSIONED, &m->head, out);
    tl_layout_store(&tl_t3dm_texture, TL_UNVERSIONED, &m->textures[0], out + head);
    tl_layout_store(&tl_t3dm_texture, TL_UNVERSIONED, &m->textures[1], out + head + texture);
    return head + 2 * texture;
}

static int64_t material_content_key(const void *rows, uint32_t row)
{
    const t3dm_material *m = (const t3dm_material *)rows + row;
    uint8_t bytes[MATERIAL_BYTES_MOST];
    const uint32_t hash = trilo_fnv1a(bytes, store_material(m, bytes)) ^ trilo_fnv1a(m->raw.data, m->raw.size);
    return (int64_t)((uint64_t)(m->head.name & INT32_MAX) << 32 | hash);
}

static bool same_material(const t3dm_material *a, const t3dm_material *b)
{
    uint8_t x[MATERIAL_BYTES_MOST], y[MATERIAL_BYTES_MOST];
    const size_t size = store_material(a, x);
    return store_material(b, y) == size && memcmp(x, y, size) == 0 && a->raw.size == b->raw.size &&
           (a->raw.size == 0 || memcmp(a->raw.data, b->raw.data, a->raw.size) == 0);
}

static bool rename_material(material_list *c, uint32_t material, uint32_t *number)
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

/* `order` is sorted by name and content. The first material of a name keeps it. merged[i] replaces i. */
static bool merge_and_rename(material_list *c, const uint32_t *order, uint32_t *merged)
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

static bool merge_materials(material_list *c)
{
    t3dm_encoder *e = c->e;
    uint32_t *order = TL_ARRAY(e->arena, c->count, uint32_t), *merged = TL_ARRAY(e->arena, c->count, uint32_t);
    uint32_t *new_numbers = TL_ARRAY(e->arena, c->count, uint32_t);
    if (!order || !merged || !new_numbers)
        return false;
    tl_sort_rows(order, c->count, material_content_key, e->file->materials);
    if (!merge_and_rename(c, order, merged))
        return false;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (merged[i] == i) {
            new_numbers[i] = kept;
            e->file->materials[kept++] = e->file->materials[i];
        }
    for (uint32_t i = 0; i < c->count; i++)
        c->numbers[c->from[i]] = new_numbers[merged[i]];
    c->count = kept;
    return true;
}

/* --- merged materials and the order of objects --- */

/* Of each row of the model, the first row that became the same material. */
static bool note_same_materials(material_list *c)
{
    t3dm_encoder *e = c->e;
    const size_t rows = (size_t)e->model->material_count + 1;
    uint32_t *same = tl_array_raw(e->arena, rows, sizeof *same);
    uint32_t *first = tl_array_raw(e->arena, c->count, sizeof *first); /* row of each number in the file */
    if (!same || !first)
        return false;
    memset(first, 0xFF, c->count * sizeof *first);
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t number = c->numbers[row];
        if (number != TRILO_NONE && first[number] == TRILO_NONE)
            first[number] = row;
        same[row] = number == TRILO_NONE ? row : first[number];
    }
    e->same_material = same;
    return true;
}

/* In the order of the objects, as list_materials has them. */
static bool renumber_materials(material_list *c)
{
    t3dm_encoder *e = c->e;
    t3dm_material *sorted = TL_ARRAY(e->arena, c->count, t3dm_material);
    uint32_t *numbers = tl_array_raw(e->arena, c->count, sizeof *numbers), count = 0;
    if (!sorted || !numbers)
        return false;
    memset(numbers, 0xFF, c->count * sizeof *numbers);
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        const uint32_t number = c->numbers[tl_t3dm_material_row(e, e->meshes[i])];
        if (numbers[number] != TRILO_NONE)
            continue;
        sorted[count] = e->file->materials[number];
        numbers[number] = count++;
    }
    for (uint32_t row = 0; row <= e->model->material_count; row++)
        c->numbers[row] = c->numbers[row] == TRILO_NONE ? TRILO_NONE : numbers[c->numbers[row]];
    e->file->materials = sorted;
    return true;
}

/* Which materials are the same is known only when they are made, but they are made in the order of the objects: where
 * some were merged, objects are ordered once more. */
static bool merge_and_reorder(material_list *c)
{
    t3dm_encoder *e = c->e;
    const uint32_t count = c->count;
    if (!merge_materials(c))
        return false;
    return c->count == count ||
           (note_same_materials(c) && tl_t3dm_sort_meshes(e) && (e->policy.keep_materials || renumber_materials(c)));
}

bool tl_t3dm_encode_materials(t3dm_encoder *e)
{
    material_list c = {.e = e};
    e->texture_reported = TL_ARRAY(e->arena, e->model->texture_count, uint8_t);
    if (!e->texture_reported || !list_materials(&c))
        return false;
    tl_t3dm_advise(e);
    tl_pbr_maps_lost(e->model, t3dm_rule(T3DM_R_LOST_MAPS), e->losses);
    e->file->materials = TL_ARRAY(e->arena, c.count, t3dm_material);
    if (!e->file->materials || !encode_listed_materials(&c) || (e->policy.merge_materials && !merge_and_reorder(&c)))
        return false;
    e->file->material_count = c.count;
    for (uint32_t i = 0; i < e->mesh_count; i++)
        e->material_of_mesh[e->meshes[i]] = c.numbers[tl_t3dm_material_row(e, e->meshes[i])];
    return true;
}

/* Materials to slots, and what the format cannot hold.
 *
 * Slots keep the numbers of the materials where that is possible, because games rely on them. Slot 0 is never empty:
 * games test it to see whether there is anything to draw. */
#include "base/compiler.h"
#include "formats/model64/encode/encode.h"

#include "model/pbr.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- lists of names in a sentence --- */

enum { MODEL64_TEXT_NAME_MOST = 40, MODEL64_TEXT_ROOM = 150 };

typedef struct model64_slot_text {
    char data[MODEL64_TEXT_ROOM + sizeof "..."];
    size_t used;
    bool full;
} model64_slot_text;

static void model64_text_add(model64_slot_text *t, const char *format, ...) TL_PRINTF_LIKE(2, 3);
static void model64_text_add(model64_slot_text *t, const char *format, ...)
{
    va_list args;
    if (t->full)
        return;
    va_start(args, format);
    const int length = vsnprintf(t->data + t->used, MODEL64_TEXT_ROOM - t->used, format, args);
    va_end(args);
    t->full = length < 0 || (size_t)length >= MODEL64_TEXT_ROOM - t->used;
    if (t->full)
        strcpy(t->data + t->used, "...");
    else
        t->used += (size_t)length;
}

/* By its number, and its name unless that would fill the sentence. */
static void model64_text_add_material(const model64_encoder *e, model64_slot_text *t, uint32_t material)
{
    if (material >= e->model->material_count) {
        model64_text_add(t, "no material");
        return;
    }
    const trilo_str name = e->model->materials[material].name;
    if (name.len == 0 || name.len > MODEL64_TEXT_NAME_MOST)
        model64_text_add(t, "%" PRIu32, material);
    else
        model64_text_add(t, "%" PRIu32 " (%s)", material, name.data);
}

/* --- assigning slots --- */

/* Materials that draw something by ascending number; material_count means none and comes last. */
typedef struct model64_slot_choice {
    uint32_t used_count, slot_count;
    uint32_t *used;
    uint32_t *slot; /* of each used one */
} model64_slot_choice;

static bool model64_slots_draws(const trilo_mesh *mesh)
{
    return mesh->topology == TRILO_TOPOLOGY_TRIANGLES && mesh->index_count > 0;
}

static uint32_t model64_slots_material_of(const model64_encoder *e, uint32_t mesh)
{
    const uint32_t material = e->model->meshes[mesh].material;
    return material == TRILO_NONE ? e->model->material_count : material;
}

static bool model64_slots_find_used(model64_encoder *e, model64_slot_choice *c)
{
    const size_t count = (size_t)e->model->material_count + 1;
    bool *seen = TL_ARRAY(e->arena, count, bool);
    c->used = TL_ARRAY(e->arena, count, uint32_t);
    c->slot = TL_ARRAY(e->arena, count, uint32_t);
    if (!seen || !c->used || !c->slot)
        return false;
    for (uint32_t i = 0; i < e->model->mesh_count; i++)
        if (model64_slots_draws(&e->model->meshes[i]))
            seen[model64_slots_material_of(e, i)] = true;
    for (uint32_t m = 0; m < count; m++)
        if (seen[m])
            c->used[c->used_count++] = m;
    return c->used_count > 0 ||
           tl_model64_encode_fail(e, MODEL64_R_EMPTY,
                                  "the model has no triangle to draw; display lists hold nothing else");
}

static bool model64_slots_look_equal(const model64_encoder *e, uint32_t a, uint32_t b)
{
    static const trilo_material plain = {.base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    const trilo_model *model = e->model;
    const trilo_material *m = a < model->material_count ? &model->materials[a] : &plain;
    const trilo_material *n = b < model->material_count ? &model->materials[b] : &plain;
    for (int k = 0; k < 4; k++)
        if (m->base_color[k] != n->base_color[k])
            return false;
    return m->texture == n->texture && m->alpha == n->alpha && m->two_sided == n->two_sided;
}

static bool model64_slots_choose(model64_encoder *e, model64_slot_choice *c)
{
    /* Slots keep the numbers of the materials when they fit, and slot 0 is among them. */
    const uint32_t last = c->used[c->used_count - 1];
    const bool stay = c->used[0] == 0 && last < MODEL64_SLOTS && last < e->model->material_count;
    if (c->used_count > MODEL64_SLOTS && !e->opts->merge_materials) {
        model64_slot_text t = {.used = 0};
        for (uint32_t i = 0; i < c->used_count; i++) {
            model64_text_add(&t, i > 0 ? ", " : "");
            model64_text_add_material(e, &t, c->used[i]);
        }
        return tl_model64_encode_fail(e, MODEL64_R_MATERIALS,
                                      "%" PRIu32 " materials are used, 4 fit unless some are merged: %s", c->used_count,
                                      t.data);
    }
    if (c->used_count > MODEL64_SLOTS) {
        /* Each joins the first one that looks the same; those that are left over when all slots are taken go into the
         * last. */
        uint32_t owners[MODEL64_SLOTS];
        for (uint32_t i = 0; i < c->used_count; i++) {
            uint32_t s = 0;
            while (s < c->slot_count && !model64_slots_look_equal(e, owners[s], c->used[i]))
                s++;
            if (s == c->slot_count && s < MODEL64_SLOTS)
                owners[c->slot_count++] = c->used[i];
            c->slot[i] = s < MODEL64_SLOTS ? s : MODEL64_SLOTS - 1;
        }
        return true;
    }
    for (uint32_t i = 0; i < c->used_count; i++)
        c->slot[i] = stay ? c->used[i] : i;
    c->slot_count = c->slot[c->used_count - 1] + 1;
    return true;
}

/* "slot 0: 2 (body), 5; slot 1: 3"; only slots with at least that many materials. */
static model64_slot_text model64_slots_slots_text(const model64_encoder *e, const model64_slot_choice *c,
                                                  uint32_t least)
{
    model64_slot_text t = {.used = 0};
    for (uint32_t s = 0; s < c->slot_count; s++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < c->used_count; i++)
            count += c->slot[i] == s;
        if (count < least)
            continue;
        model64_text_add(&t, "%sslot %" PRIu32 ": ", t.used > 0 ? "; " : "", s);
        for (uint32_t i = 0, k = 0; i < c->used_count; i++)
            if (c->slot[i] == s) {
                model64_text_add(&t, k++ > 0 ? ", " : "");
                model64_text_add_material(e, &t, c->used[i]);
            }
    }
    return t;
}

bool tl_model64_assign_slots(model64_encoder *e, uint32_t *slot_of)
{
    model64_slot_choice c = {.used_count = 0};
    uint32_t *slot_of_material = TL_ARRAY(e->arena, (size_t)e->model->material_count + 1, uint32_t);
    if (!slot_of_material || !model64_slots_find_used(e, &c) || !model64_slots_choose(e, &c))
        return false;
    bool moved = false;
    for (uint32_t i = 0; i < c.used_count; i++)
        moved = moved || (c.used[i] < e->model->material_count && c.slot[i] != c.used[i]);
    if (c.used_count > MODEL64_SLOTS)
        tl_model64_report_loss(e, MODEL64_R_MERGED, "materials share a slot: %s",
                               model64_slots_slots_text(e, &c, 2).data);
    if (moved)
        tl_model64_report_loss(e, MODEL64_R_SLOT_MOVED, "materials do not keep their numbers as slots: %s",
                               model64_slots_slots_text(e, &c, 1).data);
    for (uint32_t i = 0; i < c.used_count; i++)
        slot_of_material[c.used[i]] = c.slot[i];
    for (uint32_t i = 0; i < e->model->mesh_count; i++)
        slot_of[i] =
            model64_slots_draws(&e->model->meshes[i]) ? slot_of_material[model64_slots_material_of(e, i)] : TRILO_NONE;
    e->slot_count = c.slot_count;
    return true;
}

/* --- losses --- */

/* "slot0" to "slot3" is what decoding calls things that have no name. */
static bool model64_slots_has_name(trilo_str name)
{
    static const char made[] = "slot";
    const size_t length = sizeof made - 1;
    const bool is_made = name.len == length + 1 && memcmp(name.data, made, length) == 0 && name.data[length] >= '0' &&
                         name.data[length] < '0' + MODEL64_SLOTS;
    return name.len > 0 && !is_made;
}

void tl_model64_report_losses(model64_encoder *e, const uint32_t *slot_of)
{
    bool lines = false, normals = false, colors = false;
    for (uint32_t i = 0; i < e->model->mesh_count; i++) {
        const trilo_mesh *mesh = &e->model->meshes[i];
        lines = lines || (mesh->topology == TRILO_TOPOLOGY_LINES && mesh->index_count > 0);
        normals = normals || (slot_of[i] != TRILO_NONE && mesh->normals);
        colors = colors || (slot_of[i] != TRILO_NONE && mesh->colors);
    }
    if (lines)
        tl_model64_report_loss(e, MODEL64_R_LOST_LINES, "lines are not written, display lists have triangles only");
    if (normals && e->colors != TRILO_MODEL64_COLORS_NORMALS)
        tl_model64_report_loss(e, MODEL64_R_LOST_NORMALS, "normals are not written, a vertex has colours or normals");
    if (colors && e->colors != TRILO_MODEL64_COLORS_RGBA)
        tl_model64_report_loss(e, MODEL64_R_LOST_COLORS, "colours are not written, a vertex has colours or normals");
    bool state = false, tint = false;
    for (uint32_t i = 0; i < e->model->mesh_count; i++) {
        if (slot_of[i] == TRILO_NONE || e->model->meshes[i].material == TRILO_NONE)
            continue;
        const trilo_material *m = &e->model->materials[e->model->meshes[i].material];
        state = state || m->n64 || m->alpha != TRILO_ALPHA_OPAQUE || m->two_sided;
        for (int k = 0; k < 4; k++)
            tint = tint || m->base_color[k] != 1;
    }
    if (tint && e->colors == TRILO_MODEL64_COLORS_RGBA)
        tl_model64_report_loss(e, MODEL64_R_BAKED_COLOR,
                               "colours of materials were multiplied into those of their vertices");
    if (state || (tint && e->colors != TRILO_MODEL64_COLORS_RGBA))
        tl_model64_report_loss(e, MODEL64_R_LOST_MATERIAL,
                               "how materials are drawn (blending, culling, colours of their own) is left to the game");
    if (e->model->texture_count > 0)
        tl_model64_report_loss(e, MODEL64_R_LOST_TEXTURES, "%" PRIu32 " texture%s not written, the game binds them",
                               e->model->texture_count, e->model->texture_count == 1 ? " is" : "s are");
    tl_pbr_maps_lost(e->model, &tl_model64_rules[MODEL64_R_LOST_MAPS], e->losses);
    bool any = false;
    for (uint32_t i = 0; i < e->model->mesh_count; i++)
        any = any || model64_slots_has_name(e->model->meshes[i].name);
    for (uint32_t i = 0; i < e->model->material_count; i++)
        any = any || model64_slots_has_name(e->model->materials[i].name);
    for (uint32_t i = 0; i < e->model->node_count; i++)
        any = any || model64_slots_has_name(e->model->nodes[i].name);
    for (uint32_t i = 0; i < e->model->clip_count; i++)
        any = any || model64_slots_has_name(e->model->clips[i].name);
    if (any)
        tl_model64_report_loss(e, MODEL64_R_LOST_NAMES, "names of meshes, materials, nodes and clips are not written");
    if (e->model->chunk_count > 0 || e->model->bvh)
        tl_model64_report_loss(e, MODEL64_R_LOST_CHUNKS, "custom chunks and BVHs are not written");
}

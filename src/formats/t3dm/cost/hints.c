/* What could be better, in words: each hint is only given where it saves something. */
#include "base/compiler.h"
#include "formats/t3dm/cost/cost.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { HINT_EACH_MOST = 8, HINT_COUNT_MOST = 6 * HINT_EACH_MOST }; /* of one kind, and of all kinds */

typedef struct hint_writer {
    const t3dm_file *file;
    tl_arena *arena;
    trilo_cost *cost;
    t3dm_orders orders;
    t3dm_changes now;
    uint32_t *alike; /* of materials: those that differ only in name have equal numbers */
    uint32_t *own;   /* each its own number */
    trilo_cost_hint *hints;
    uint32_t count, kinds[TRILO_COST_HINT_KIND_TEXTURES + 1];
} hint_writer;

/* `about` has all but the text. */
TL_PRINTF_LIKE(3, 4) static void hint_add(hint_writer *h, trilo_cost_hint about, const char *format, ...)
{
    char text[512];
    va_list args;
    if (h->count == HINT_COUNT_MOST || h->kinds[about.kind] == HINT_EACH_MOST)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    about.text = tl_str_copy(h->arena, text, strlen(text));
    if (!about.text.data)
        return;
    h->hints[h->count++] = about;
    h->kinds[about.kind]++;
}

/* --- materials --- */

/* "2 material changes, 1 texture upload and 13.5 kB of overlay traffic, about 54 microseconds" */
static void hint_describe(const t3dm_changes *now, const t3dm_changes *then, char *text, size_t room)
{
    const uint32_t changes = now->changes - then->changes, uploads = now->uploads - then->uploads;
    const uint64_t bytes = now->overlay_bytes - then->overlay_bytes, kilo = (bytes + 50) / 100;
    char upload[48] = "";
    if (now->uploads > then->uploads)
        snprintf(upload, sizeof upload, ", %" PRIu32 " texture upload%s", uploads, uploads == 1 ? "" : "s");
    snprintf(text, room,
             "%" PRIu32 " material change%s%s and %" PRIu64 ".%" PRIu64
             " kB of overlay traffic, about %.0f microseconds",
             changes, changes == 1 ? "" : "s", upload, kilo / 10, kilo % 10, tl_rsp_microseconds(bytes));
}

/* Never worse in any respect, and better in one. */
static bool hint_is_better(const t3dm_changes *then, const t3dm_changes *now)
{
    return then->changes < now->changes && then->uploads <= now->uploads && then->overlay_bytes <= now->overlay_bytes;
}

enum { HINT_MATERIAL_WORDS = 48 };

/* All that the console gets of a material, but not its name. */
static uint32_t hint_material_words(const t3dm_material *m, uint32_t number, uint32_t words[HINT_MATERIAL_WORDS])
{
    const t3dm_material_head *h = &m->head;
    uint32_t n = 0;
    words[n++] = m->opaque ? number + 1 : 0; /* a game's own chunk is never equal to another */
    words[n++] = (uint32_t)(h->combiner >> 32), words[n++] = (uint32_t)h->combiner;
    words[n++] = (uint32_t)(h->other_mode >> 32), words[n++] = (uint32_t)h->other_mode;
    words[n++] = (uint32_t)(h->other_mask >> 32), words[n++] = (uint32_t)h->other_mask;
    words[n++] = h->blender, words[n++] = h->draw_flags;
    words[n++] = (uint32_t)h->fog << 16 | (uint32_t)h->set_flags << 8 | h->vertex_effect;
    words[n++] = tl_get_u32be(h->prim), words[n++] = tl_get_u32be(h->env), words[n++] = tl_get_u32be(h->blend);
    for (int i = 0; i < 2; i++) {
        const t3dm_texture *t = &m->textures[i];
        words[n++] = t->reference, words[n++] = t->path, words[n++] = t->hash;
        words[n++] = (uint32_t)t->width << 16 | t->height;
        for (int k = 0; k < 2; k++) {
            const t3dm_axis *axis = k ? &t->t : &t->s;
            words[n++] = tl_bits_of(axis->low), words[n++] = tl_bits_of(axis->high);
            words[n++] = (uint32_t)(uint8_t)axis->mask << 24 | (uint32_t)(uint8_t)axis->shift << 16 |
                         (uint32_t)axis->mirror << 8 | axis->clamp;
        }
    }
    return n;
}

static bool hint_find_alike(hint_writer *h, tl_arena *scratch)
{
    const uint32_t count = h->file->material_count;
    uint32_t words[HINT_MATERIAL_WORDS], width = 1;
    uint32_t *rows = tl_array_raw(scratch, count, sizeof words), *order = TL_ARRAY(scratch, count, uint32_t);
    h->alike = TL_ARRAY(scratch, count, uint32_t);
    h->own = TL_ARRAY(scratch, count, uint32_t);
    if (!rows || !order || !h->alike || !h->own)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        width = hint_material_words(&h->file->materials[i], i, words);
        memcpy(rows + (size_t)width * i, words, width * sizeof *words);
        h->own[i] = i;
    }
    tl_cost_distinct(rows, count, width, h->alike, order);
    return true;
}

/* One hint for all that are alike. It names the first two: "leaves" and "leaves.001", or those and 3 others. */
static bool hint_materials(hint_writer *h, tl_arena *scratch)
{
    typedef struct group {
        uint32_t first, second, count;
    } group;
    const uint32_t count = h->file->material_count;
    group *groups = TL_ARRAY(scratch, count, group);
    if (!groups)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        group *g = &groups[h->alike[i]];
        if (h->cost->materials[i].objects == 0)
            continue;
        if (g->count < 2)
            *(g->count == 0 ? &g->first : &g->second) = i;
        g->count++;
    }
    for (uint32_t i = 0; i < count && h->kinds[TRILO_COST_HINT_KIND_MERGE_MATERIALS] < HINT_EACH_MOST; i++) {
        const group *g = &groups[h->alike[i]];
        char saved[120], others[40] = "";
        if (g->count < 2 || g->first != i)
            continue;
        const t3dm_changes then = tl_t3dm_regrouped(&h->orders, h->cost, h->alike, h->alike[i]);
        const bool better = hint_is_better(&then, &h->now);
        if (g->count > 2)
            snprintf(others, sizeof others, " and %" PRIu32 " other%s", g->count - 2, g->count == 3 ? "" : "s");
        if (better)
            hint_describe(&h->now, &then, saved, sizeof saved);
        else
            snprintf(saved, sizeof saved, "%zu bytes of the file", tl_t3dm_material_chunk_size() * (g->count - 1));
        hint_add(h,
                 (trilo_cost_hint){.kind = TRILO_COST_HINT_KIND_MERGE_MATERIALS,
                                   .object = TRILO_NONE,
                                   .material = g->second,
                                   .saves = better ? h->now.overlay_bytes - then.overlay_bytes : 0},
                 "material \"%s\"%s \"%s\"%s differ only in name: merging them%s saves %s",
                 tl_t3dm_quote(h->cost->materials[i].name).text, g->count > 2 ? "," : " and",
                 tl_t3dm_quote(h->cost->materials[g->second].name).text, others,
                 better ? ", and drawing their objects one after the other," : "", saved);
    }
    return true;
}

static void hint_order(hint_writer *h)
{
    char saved[120];
    const t3dm_changes then = tl_t3dm_regrouped(&h->orders, h->cost, h->own, TRILO_NONE);
    uint32_t moved = 0;
    if (!hint_is_better(&then, &h->now))
        return;
    while (moved + 1 < h->cost->object_count && h->orders.keys[moved] == moved)
        moved++; /* there is one, or nothing would be better */
    const trilo_cost_object *object = &h->cost->objects[moved];
    hint_describe(&h->now, &then, saved, sizeof saved);
    hint_add(h,
             (trilo_cost_hint){.kind = TRILO_COST_HINT_KIND_ORDER,
                               .object = moved,
                               .material = object->material,
                               .saves = h->now.overlay_bytes - then.overlay_bytes},
             "objects of one material are drawn apart, such as \"%s\" with \"%s\": drawing them one after the other "
             "(convert --order layer, optimize --sort-materials) saves %s",
             tl_t3dm_quote(object->name).text, tl_t3dm_quote(h->cost->materials[object->material].name).text, saved);
}

static void hint_texture(void *user, const t3dm_advice *advice)
{
    const bool tmem = advice->rule == T3DM_R_TEXTURE_TMEM || advice->rule == T3DM_R_TEXTURE_PALETTES;
    hint_add(user,
             (trilo_cost_hint){.kind = tmem ? TRILO_COST_HINT_KIND_TMEM : TRILO_COST_HINT_KIND_TEXTURES,
                               .object = TRILO_NONE,
                               .material = advice->material,
                               .saves = advice->saves},
             "%s", advice->text);
}

/* --- geometry --- */

static unsigned hint_percent(uint64_t part, uint64_t whole)
{
    return whole ? (unsigned)((200 * part + whole) / (2 * whole)) : 0;
}

static trilo_cost_hint hint_about_all(trilo_cost_hint_kind kind, uint64_t saves)
{
    return (trilo_cost_hint){.kind = kind, .object = TRILO_NONE, .material = TRILO_NONE, .saves = saves};
}

/* Bones need loads of their own, so the number of vertices gives the fewest loads of rigid objects only. */
static void hint_fill(hint_writer *h)
{
    enum { FULL_ENOUGH = 80 };
    uint64_t loads = 0, least = 0, vertices = 0;
    for (uint32_t i = 0; i < h->cost->object_count; i++) {
        const trilo_cost_object *o = &h->cost->objects[i];
        if (o->skinned)
            continue;
        loads += o->counts.loads;
        vertices += o->counts.vertices;
        least += (o->counts.vertices + T3DM_CACHE - 1) / T3DM_CACHE;
    }
    const unsigned full = hint_percent(vertices, T3DM_CACHE * loads);
    if (loads >= least + 2 && full < FULL_ENOUGH)
        hint_add(h, hint_about_all(TRILO_COST_HINT_KIND_FILL, TL_RSP_LOAD_BYTES * (loads - least)),
                 "%" PRIu64 " vertex loads fill %u %% of their slots; %" PRIu64
                 " could hold all vertices: \"trilobite optimize\" makes fuller batches",
                 loads, full, least);
}

/* A few objects get a hint each, many get one together. */
static void hint_strips(hint_writer *h)
{
    enum { FEW_OBJECTS = 4, FEW_TRIANGLES = 16, STRIP_SAVES = 4 }; /* some 4 of the 8 bytes of a triangle */
    const trilo_cost *cost = h->cost;
    uint32_t objects[FEW_OBJECTS] = {0}, count = 0;
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < cost->object_count; i++) {
        const trilo_cost_counts *c = &cost->objects[i].counts;
        if (c->list_triangles < FEW_TRIANGLES || 2 * c->list_triangles < c->triangles)
            continue;
        triangles += c->list_triangles;
        if (count++ < FEW_OBJECTS)
            objects[count - 1] = i;
    }
    if (count > FEW_OBJECTS) {
        hint_add(h, hint_about_all(TRILO_COST_HINT_KIND_STRIPS, STRIP_SAVES * triangles),
                 "%" PRIu32 " objects, such as \"%s\", draw %" PRIu64
                 " triangles one by one: strips would take half the bytes, \"trilobite optimize\" makes them",
                 count, tl_t3dm_quote(cost->objects[objects[0]].name).text, triangles);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const trilo_cost_object *o = &cost->objects[objects[i]];
        const trilo_str material = o->material == TRILO_NONE ? (trilo_str){"", 0} : cost->materials[o->material].name;
        hint_add(h,
                 (trilo_cost_hint){.kind = TRILO_COST_HINT_KIND_STRIPS,
                                   .object = objects[i],
                                   .material = o->material,
                                   .saves = STRIP_SAVES * o->counts.list_triangles},
                 "object \"%s\" with \"%s\" draws %" PRIu64 " of %" PRIu64
                 " triangles one by one%s: strips would take half the bytes, \"trilobite optimize\" makes them",
                 tl_t3dm_quote(o->name).text, tl_t3dm_quote(material).text, o->counts.list_triangles,
                 o->counts.triangles, o->skinned ? ", though bones do not keep it from strips" : "");
    }
}

bool tl_t3dm_cost_hints(const t3dm_file *file, tl_arena *arena, tl_arena *scratch, trilo_cost *cost)
{
    const trilo_cost_counts *c = &cost->counts;
    hint_writer h = {.file = file, .arena = arena, .cost = cost};
    h.hints = TL_ARRAY(arena, HINT_COUNT_MOST, trilo_cost_hint);
    if (!h.hints || !tl_t3dm_orders_new(file, scratch, &h.orders) || !hint_find_alike(&h, scratch))
        return false;
    h.now = (t3dm_changes){cost->material_changes, cost->uploads, cost->overlay_bytes};
    if (!hint_materials(&h, scratch))
        return false;
    hint_order(&h);
    tl_t3dm_advise_on_textures(cost, hint_texture, &h);
    hint_fill(&h);
    if (c->duplicates > 0 && 20 * c->duplicates >= c->unique)
        hint_add(&h, hint_about_all(TRILO_COST_HINT_KIND_DUPLICATES, T3DM_VERTEX_SIZE * c->duplicates),
                 "%" PRIu64 " of %" PRIu64
                 " vertices (%u %%) are loaded again by another part of their object: \"trilobite optimize\" finds "
                 "better parts",
                 c->duplicates, c->vertices, hint_percent(c->duplicates, c->vertices));
    hint_strips(&h);
    if (c->unique > c->unique_shown)
        hint_add(&h, hint_about_all(TRILO_COST_HINT_KIND_UNUSED, T3DM_VERTEX_SIZE * (c->unique - c->unique_shown)),
                 "%" PRIu64 " of %" PRIu64 " vertices (%u %%) differ only in what their material cannot show: "
                 "--unused-attributes=drop merges them, if the game never changes these materials",
                 c->unique - c->unique_shown, c->unique, hint_percent(c->unique - c->unique_shown, c->unique));
    if (c->degenerate > 0)
        hint_add(&h, hint_about_all(TRILO_COST_HINT_KIND_DEGENERATE, 0),
                 "%" PRIu64 " triangle%s no area and can be left out", c->degenerate,
                 c->degenerate == 1 ? " has" : "s have");
    cost->hints = h.hints;
    cost->hint_count = h.count;
    return true;
}

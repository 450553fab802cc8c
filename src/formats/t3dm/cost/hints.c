/* What could be better, in words: each hint is only given where it saves something. */
#include "formats/t3dm/cost/cost.h"
#include "n64/texels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HINT_EACH_MOST = 8, HINT_COUNT_MOST = 5 * HINT_EACH_MOST }; /* of one kind; nobody reads more */
enum { HINT_TEXT_ROOM = 512 };

typedef struct hint_writer {
    const t3dm_file *file;
    tl_arena *arena;
    trilo_cost *cost;
    t3dm_orders orders;
    t3dm_changes now;
    uint32_t *alike; /* materials: equal numbers differ in nothing but the name */
    uint32_t *own;   /* each its own number */
    trilo_cost_hint *hints;
    uint32_t count, kinds[TRILO_COST_HINT_TMEM + 1];
} hint_writer;

static void hint_add(hint_writer *h, trilo_cost_hint about, const char *text)
{
    if (h->count == HINT_COUNT_MOST || h->kinds[about.kind] == HINT_EACH_MOST)
        return;
    about.text = tl_str_copy(h->arena, text, strlen(text));
    if (!about.text.data)
        return;
    h->hints[h->count++] = about;
    h->kinds[about.kind]++;
}

typedef struct hint_quoted {
    char text[72];
} hint_quoted;

static hint_quoted hint_quote(trilo_str name)
{
    hint_quoted q;
    char plain[64];
    snprintf(plain, sizeof plain, "%s", name.data);
    tl_escape(plain, q.text, sizeof q.text);
    return q;
}

/* --- materials --- */

/* "2 material changes, 1 texture upload and 13.5 kB of overlay traffic" */
static void hint_describe(const t3dm_changes *now, const t3dm_changes *then, char *text, size_t room)
{
    const uint32_t changes = now->changes - then->changes, uploads = now->uploads - then->uploads;
    const uint64_t kilo = (now->overlay_bytes - then->overlay_bytes + 50) / 100;
    char upload[48] = "";
    if (now->uploads > then->uploads)
        snprintf(upload, sizeof upload, ", %" PRIu32 " texture upload%s", uploads, uploads == 1 ? "" : "s");
    snprintf(text, room, "%" PRIu32 " material change%s%s and %" PRIu64 ".%" PRIu64 " kB of overlay traffic", changes,
             changes == 1 ? "" : "s", upload, kilo / 10, kilo % 10);
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
    words[n++] = m->opaque ? number + 1 : 0; /* a game's own is like no other */
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

/* "leaves" and "leaves.001", or those and 3 others. */
static void hint_merge(hint_writer *h, uint32_t a, uint32_t b, uint32_t count)
{
    const t3dm_changes then = tl_t3dm_regrouped(&h->orders, h->cost, h->alike, h->alike[a]);
    const hint_quoted first = hint_quote(h->cost->materials[a].name), second = hint_quote(h->cost->materials[b].name);
    const bool better = hint_is_better(&then, &h->now);
    char text[HINT_TEXT_ROOM], saved[120], others[40] = "";
    if (count > 2)
        snprintf(others, sizeof others, " and %" PRIu32 " other%s", count - 2, count == 3 ? "" : "s");
    if (better)
        hint_describe(&h->now, &then, saved, sizeof saved);
    else
        snprintf(saved, sizeof saved, "%" PRIu32 " bytes of the file", 140 * (count - 1));
    snprintf(text, sizeof text, "material \"%s\"%s \"%s\"%s differ only in name: merging them%s saves %s", first.text,
             count > 2 ? "," : " and", second.text, others,
             better ? ", and drawing their objects one after the other," : "", saved);
    hint_add(h,
             (trilo_cost_hint){TRILO_COST_HINT_MERGE_MATERIALS,
                               TRILO_NONE,
                               b,
                               better ? h->now.overlay_bytes - then.overlay_bytes : 0,
                               {0}},
             text);
}

/* One hint for all that are alike; it names the first two. */
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
    for (uint32_t i = 0; i < count && h->kinds[TRILO_COST_HINT_MERGE_MATERIALS] < HINT_EACH_MOST; i++) {
        const group *g = &groups[h->alike[i]];
        if (g->count > 1 && g->first == i)
            hint_merge(h, g->first, g->second, g->count);
    }
    return true;
}

static void hint_order(hint_writer *h)
{
    char text[HINT_TEXT_ROOM], saved[120];
    const t3dm_changes then = tl_t3dm_regrouped(&h->orders, h->cost, h->own, TRILO_NONE);
    uint32_t moved = 0;
    if (!hint_is_better(&then, &h->now))
        return;
    while (moved + 1 < h->cost->object_count && h->orders.keys[moved] == moved)
        moved++; /* there is one, or nothing would be better */
    const trilo_cost_object *object = &h->cost->objects[moved];
    const hint_quoted name = hint_quote(object->name), material = hint_quote(h->cost->materials[object->material].name);
    hint_describe(&h->now, &then, saved, sizeof saved);
    snprintf(
        text, sizeof text,
        "objects of one material stand apart, such as \"%s\" with \"%s\": drawing them one after the other saves %s",
        name.text, material.text, saved);
    hint_add(h,
             (trilo_cost_hint){
                 TRILO_COST_HINT_ORDER, moved, object->material, h->now.overlay_bytes - then.overlay_bytes, {0}},
             text);
}

static void hint_tmem(hint_writer *h)
{
    char text[HINT_TEXT_ROOM];
    for (uint32_t i = 0; i < h->cost->material_count; i++) {
        const trilo_cost_material *m = &h->cost->materials[i];
        if (m->tmem <= m->tmem_limit)
            continue;
        snprintf(text, sizeof text,
                 "material \"%s\": its textures take %" PRIu32 " bytes of texture memory, %" PRIu32 " fit%s",
                 hint_quote(m->name).text, m->tmem, m->tmem_limit, m->tmem_limit < TL_TMEM ? " beside a palette" : "");
        hint_add(h, (trilo_cost_hint){TRILO_COST_HINT_TMEM, TRILO_NONE, i, 0, {0}}, text);
    }
}

/* --- geometry --- */

static unsigned hint_percent(uint64_t part, uint64_t whole)
{
    return whole ? (unsigned)((200 * part + whole) / (2 * whole)) : 0;
}

/* Bones need loads of their own, so only what is rigid can be told from the number of its vertices. */
static void hint_fill(hint_writer *h)
{
    enum { LOAD_COMMAND = 12, FULL_ENOUGH = 80 };
    uint64_t loads = 0, least = 0, vertices = 0;
    char text[HINT_TEXT_ROOM];
    for (uint32_t i = 0; i < h->cost->object_count; i++) {
        const trilo_cost_object *o = &h->cost->objects[i];
        if (o->skinned)
            continue;
        loads += o->counts.loads;
        vertices += o->counts.vertices;
        least += (o->counts.vertices + T3DM_CACHE - 1) / T3DM_CACHE;
    }
    const unsigned full = hint_percent(vertices, T3DM_CACHE * loads);
    if (loads < least + 2 || full >= FULL_ENOUGH)
        return;
    snprintf(text, sizeof text,
             "%" PRIu64 " vertex loads fill %u %% of their slots; %" PRIu64
             " could hold all vertices: \"trilobite optimize\" packs them closer",
             loads, full, least);
    hint_add(h, (trilo_cost_hint){TRILO_COST_HINT_FILL, TRILO_NONE, TRILO_NONE, LOAD_COMMAND * (loads - least), {0}},
             text);
}

static void hint_duplicates(hint_writer *h)
{
    const trilo_cost_counts *c = &h->cost->counts;
    char text[HINT_TEXT_ROOM];
    if (c->duplicates == 0 || 20 * c->duplicates < c->unique)
        return;
    snprintf(text, sizeof text,
             "%" PRIu64 " of %" PRIu64
             " vertices (%u %%) are loaded again by another part of their object: \"trilobite "
             "optimize\" finds better parts",
             c->duplicates, c->vertices, hint_percent(c->duplicates, c->vertices));
    hint_add(
        h, (trilo_cost_hint){TRILO_COST_HINT_DUPLICATES, TRILO_NONE, TRILO_NONE, T3DM_VERTEX_SIZE * c->duplicates, {0}},
        text);
}

/* Strips need some 4 of the 8 bytes of a triangle. */
enum { HINT_FEW_TRIANGLES = 16, HINT_STRIP_SAVES = 4 };

static bool hint_lacks_strips(const trilo_cost_counts *c)
{
    return c->list_triangles >= HINT_FEW_TRIANGLES && 2 * c->list_triangles >= c->triangles;
}

static void hint_strip(hint_writer *h, uint32_t object)
{
    const trilo_cost_object *o = &h->cost->objects[object];
    const bool plain = o->material == TRILO_NONE;
    const hint_quoted name = hint_quote(o->name),
                      with = plain ? (hint_quoted){""} : hint_quote(h->cost->materials[o->material].name);
    char text[HINT_TEXT_ROOM];
    snprintf(text, sizeof text,
             "object \"%s\" with \"%s\" draws %" PRIu64 " of %" PRIu64
             " triangles one by one%s: strips would take half the bytes, \"trilobite optimize\" makes them",
             name.text, with.text, o->counts.list_triangles, o->counts.triangles,
             o->skinned ? ", though bones do not keep it from strips" : "");
    hint_add(h,
             (trilo_cost_hint){
                 TRILO_COST_HINT_STRIPS, object, o->material, HINT_STRIP_SAVES * o->counts.list_triangles, {0}},
             text);
}

/* A few objects are told one by one, many together. */
static void hint_strips(hint_writer *h)
{
    enum { ALONE = 4 };
    uint32_t objects[ALONE] = {0}, count = 0;
    uint64_t triangles = 0;
    char text[HINT_TEXT_ROOM];
    for (uint32_t i = 0; i < h->cost->object_count; i++) {
        if (!hint_lacks_strips(&h->cost->objects[i].counts))
            continue;
        triangles += h->cost->objects[i].counts.list_triangles;
        if (count++ < ALONE)
            objects[count - 1] = i;
    }
    for (uint32_t i = 0; count <= ALONE && i < count; i++)
        hint_strip(h, objects[i]);
    if (count <= ALONE)
        return;
    snprintf(text, sizeof text,
             "%" PRIu32 " objects, such as \"%s\", draw %" PRIu64
             " triangles one by one: strips would take half the bytes, \"trilobite optimize\" makes them",
             count, hint_quote(h->cost->objects[objects[0]].name).text, triangles);
    hint_add(h, (trilo_cost_hint){TRILO_COST_HINT_STRIPS, TRILO_NONE, TRILO_NONE, HINT_STRIP_SAVES * triangles, {0}},
             text);
}

static void hint_unused(hint_writer *h)
{
    const trilo_cost_counts *c = &h->cost->counts;
    const uint64_t saved = c->unique - c->unique_shown;
    char text[HINT_TEXT_ROOM];
    if (saved == 0)
        return;
    snprintf(text, sizeof text,
             "%" PRIu64 " of %" PRIu64 " vertices (%u %%) differ only in what their material cannot show: "
             "--unused-attributes=drop merges them, if the game never changes these materials",
             saved, c->unique, hint_percent(saved, c->unique));
    hint_add(h, (trilo_cost_hint){TRILO_COST_HINT_UNUSED, TRILO_NONE, TRILO_NONE, T3DM_VERTEX_SIZE * saved, {0}}, text);
}

static void hint_degenerate(hint_writer *h)
{
    const uint64_t count = h->cost->counts.degenerate;
    char text[HINT_TEXT_ROOM];
    if (count == 0)
        return;
    snprintf(text, sizeof text, "%" PRIu64 " triangle%s no area and can be left out", count,
             count == 1 ? " has" : "s have");
    hint_add(h, (trilo_cost_hint){TRILO_COST_HINT_DEGENERATE, TRILO_NONE, TRILO_NONE, 0, {0}}, text);
}

bool tl_t3dm_cost_hints(const t3dm_file *file, tl_arena *arena, tl_arena *scratch, trilo_cost *cost)
{
    hint_writer h = {.file = file, .arena = arena, .cost = cost};
    h.hints = TL_ARRAY(arena, HINT_COUNT_MOST, trilo_cost_hint);
    if (!h.hints || !tl_t3dm_orders_new(file, scratch, &h.orders) || !hint_find_alike(&h, scratch))
        return false;
    h.now = (t3dm_changes){cost->material_changes, cost->uploads, cost->overlay_bytes};
    if (!hint_materials(&h, scratch))
        return false;
    hint_order(&h);
    hint_tmem(&h);
    hint_fill(&h);
    hint_duplicates(&h);
    hint_strips(&h);
    hint_unused(&h);
    hint_degenerate(&h);
    cost->hints = h.hints;
    cost->hint_count = h.count;
    return true;
}

/* What it costs to run the display lists of a Model once. A command is 8 bytes, a loaded vertex 16; the cycles that the
 * microcode takes for them are not known well enough. */
#include "base/strict_float.h"
#include "formats/model64/model64.h"
#include "model/cost.h"

#include <stdio.h>
#include <string.h>

typedef struct model64_cost_counter {
    const model64_file *file;
    const uint32_t *classes; /* equal vertices have the same number */
    uint32_t *seen;          /* for each of them, the list that drew it last and 1 */
    uint32_t list;
    bool drawn[TL_F3DEX_SLOTS]; /* since it was loaded */
    trilo_cost_counts *counts;
} model64_cost_counter;

static void model64_cost_count_area(model64_cost_counter *c, const gfx_corner corners[3])
{
    double at[3][3];
    for (int i = 0; i < 3; i++) {
        const model64_vertex v = model64_vertex_at(c->file->default_block, corners[i].vertex);
        for (int k = 0; k < 3; k++)
            at[i][k] = v.position[k];
    }
    const double area = tl_cost_area((const double(*)[3])at);
    c->counts->degenerate += area == 0;
    c->counts->area += area;
}

static void model64_cost_count_triangles(model64_cost_counter *c, const gfx_step *step)
{
    const gfx_triangles t = tl_gfx_triangles_of(step->command);
    c->counts->list_commands++;
    c->counts->triangles += step->triangle_count;
    for (uint32_t i = 0; i < step->triangle_count && i < t.count; i++) {
        for (int k = 0; k < 3; k++) {
            /* A vertex counts as a duplicate when the list has drawn an equal one that was loaded elsewhere. */
            const uint32_t slot = t.doubled_slots[i][k] / 2u;
            const uint32_t loaded = step->triangles[i][k].vertex;
            if (slot >= TL_F3DEX_SLOTS || c->drawn[slot] || loaded >= c->file->vertex_count)
                continue;
            const uint32_t class = c->classes[loaded];
            c->drawn[slot] = true;
            c->counts->unique += c->seen[class] != c->list + 1;
            c->counts->duplicates += c->seen[class] == c->list + 1;
            c->seen[class] = c->list + 1;
        }
        if (c->file->default_block)
            model64_cost_count_area(c, step->triangles[i]);
    }
}

static void model64_cost_count_list(model64_cost_counter *c)
{
    gfx_run run = tl_gfx_run(&c->file->lists[c->list], c->file->vertex_count);
    gfx_step step;
    memset(c->drawn, 0, sizeof c->drawn);
    c->counts->parts = 1;
    while (tl_gfx_next(&run, &step)) {
        const unsigned opcode = gfx_opcode(step.command);
        c->counts->commands++;
        if (opcode == GFX_VTX) {
            c->counts->loads++;
            c->counts->vertices += step.load_count;
            for (uint32_t i = 0; i < step.load_count && step.load_first + i < TL_F3DEX_SLOTS; i++)
                c->drawn[step.load_first + i] = false;
        } else if (opcode == GFX_MODIFYVTX)
            c->counts->modifies++;
        else if (opcode == GFX_TRI1 || opcode == GFX_TRI2 || opcode == GFX_QUAD)
            model64_cost_count_triangles(c, &step);
    }
}

/* A model without a block of vertices draws nothing that could be compared. NULL: no memory. */
static const uint32_t *model64_cost_classes_of(const model64_file *file, tl_arena *scratch)
{
    enum { WORDS = MODEL64_VERTEX_SIZE / 4 };
    const uint32_t count = file->vertex_count;
    uint32_t *words = tl_array_raw(scratch, count, MODEL64_VERTEX_SIZE);
    uint32_t *ranks = TL_ARRAY(scratch, count, uint32_t), *order = TL_ARRAY(scratch, count, uint32_t);
    if (!words || !ranks || !order)
        return NULL;
    if (!file->default_block)
        return ranks;
    memcpy(words, file->default_block, (size_t)count * MODEL64_VERTEX_SIZE); /* only compared, so in any byte order */
    tl_cost_distinct(words, count, WORDS, ranks, order);
    return ranks;
}

static bool model64_cost_count_lists(const model64_file *file, tl_arena *arena, tl_arena *scratch, trilo_cost *cost)
{
    model64_cost_counter c = {.file = file, .classes = model64_cost_classes_of(file, scratch)};
    trilo_cost_object *objects = TL_ARRAY(arena, MODEL64_SLOTS, trilo_cost_object);
    trilo_cost_material *materials = TL_ARRAY(arena, MODEL64_SLOTS, trilo_cost_material);
    c.seen = TL_ARRAY(scratch, file->vertex_count, uint32_t);
    if (!c.classes || !c.seen || !objects || !materials)
        return false;
    for (c.list = 0; c.list < MODEL64_SLOTS; c.list++) {
        const uint32_t row = cost->object_count;
        if (!file->lists[c.list].bytes)
            continue;
        trilo_cost_object *object = &objects[row];
        trilo_cost_material *material = &materials[row];
        char name[16];
        snprintf(name, sizeof name, "slot %u", (unsigned)c.list);
        *object = (trilo_cost_object){.name = tl_str_copy(arena, name, strlen(name)), .changes = true};
        *material = (trilo_cost_material){
            .name = object->name, .changes = 1, .textures = {TRILO_NONE, TRILO_NONE}, .cycles = 1, .depth = true};
        c.counts = &object->counts;
        model64_cost_count_list(&c);
        trilo_cost_counts *counts = c.counts;
        counts->list_triangles = counts->triangles;
        counts->padding = counts->vertices - counts->unique - counts->duplicates;
        counts->unique_shown = counts->unique;
        counts->draw_bytes = TL_F3DEX_COMMAND_SIZE * (counts->list_commands + counts->modifies);
        counts->rsp_bytes = TL_F3DEX_COMMAND_SIZE * counts->commands + TL_F3DEX_VERTEX_SIZE * counts->vertices;
        if (!object->name.data)
            return false;
        objects[row].material = row;
        cost->object_count++;
    }
    cost->material_count = cost->material_changes = cost->object_count;
    tl_cost_sum(cost, objects, materials);
    return true;
}

/* The game holds the main section, and the vertices of one frame of a model that moves. */
bool tl_model64_cost(const void *model64, const trilo_cost_opts *opts, tl_arena *arena, trilo_cost *cost,
                     trilo_error *err)
{
    const model64_file *file = model64;
    tl_arena scratch;
    (void)opts;
    tl_arena_init(&scratch, &(trilo_memory){arena->fn, arena->user, arena->left ? arena->left : 1});
    const bool ok = model64_cost_count_lists(file, arena, &scratch, cost);
    tl_arena_free(&scratch);
    cost->ram = file->main.size + (uint64_t)(file->block_count > 0 ? file->head.frame_size : 0);
    return ok || tl_fail_memory(err);
}

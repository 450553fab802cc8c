/* What a finished file draws, from its display lists: vertices that are equal in all frames are one point; a point with
 * a texture coordinate and a colour is a corner. */
#include "formats/model64/tune/reoptimize.h"

#include <string.h>

/* --- what belongs to a point --- */

enum { GATHER_ST_SIZE = 4, GATHER_RGBA_SIZE = 4 };

static const uint8_t *gather_block_at(const model64_file *file, uint32_t row)
{
    return file->vertices.data + file->blocks[row];
}

static bool gather_same_bytes(const model64_file *file, const uint8_t *a, const uint8_t *b, size_t at, size_t size)
{
    for (uint32_t i = 0; i < file->vertex_count; i++)
        if (memcmp(a + i * (size_t)MODEL64_VERTEX_SIZE + at, b + i * (size_t)MODEL64_VERTEX_SIZE + at, size) != 0)
            return false;
    return true;
}

/* --- points --- */

/* Rows that were one point in all blocks so far, and are equal in this one. */
typedef struct gather_refinement {
    const model64_reoptimizer *r;
    const uint32_t *points; /* NULL: this is the first block */
    const uint8_t *block;
} gather_refinement;

static uint32_t gather_refine_hash(const void *rows, uint32_t row)
{
    const gather_refinement *p = rows;
    const uint8_t *v = p->block + row * (size_t)MODEL64_VERTEX_SIZE;
    const uint32_t hash = model64_mix(p->points ? p->points[row] : 0, trilo_fnv1a(v, p->r->st_at));
    return p->r->fixed_rgba ? model64_mix(hash, trilo_fnv1a(v + p->r->rgba_at, GATHER_RGBA_SIZE)) : hash;
}

static int gather_refine_compare(const void *rows, uint32_t a, uint32_t b)
{
    const gather_refinement *p = rows;
    const uint8_t *v = p->block + a * (size_t)MODEL64_VERTEX_SIZE, *w = p->block + b * (size_t)MODEL64_VERTEX_SIZE;
    if (p->points && p->points[a] != p->points[b])
        return p->points[a] < p->points[b] ? -1 : 1;
    const int order = memcmp(v, w, p->r->st_at);
    return order != 0 || !p->r->fixed_rgba ? order : memcmp(v + p->r->rgba_at, w + p->r->rgba_at, GATHER_RGBA_SIZE);
}

static bool gather_number_points(model64_reoptimizer *r, uint32_t **points)
{
    const uint32_t count = r->from->vertex_count;
    tl_hash_table table = {.arena = r->arena};
    uint32_t *numbers = TL_ARRAY(r->arena, count, uint32_t), *next = TL_ARRAY(r->arena, count, uint32_t);
    r->row_of_point = TL_ARRAY(r->arena, count, uint32_t);
    if (!numbers || !next || !r->row_of_point)
        return false;
    const gather_refinement first = {r, NULL, r->from->default_block};
    if (!tl_model64_number(&table, &(model64_rows){&first, gather_refine_hash, gather_refine_compare}, count, numbers,
                           r->row_of_point, &r->point_count))
        return false;
    for (uint32_t i = 0; i < r->from->block_count; i++) {
        const gather_refinement p = {r, numbers, gather_block_at(r->from, i)};
        if (!tl_model64_number(&table, &(model64_rows){&p, gather_refine_hash, gather_refine_compare}, count, next,
                               r->row_of_point, &r->point_count))
            return false;
        uint32_t *swap = numbers;
        numbers = next;
        next = swap;
    }
    *points = numbers;
    return true;
}

/* --- corners, as the lists have them --- */

/* A corner of a triangle with its own values, before they are numbered. */
typedef struct gather_corner {
    uint32_t row, point;
    int16_t st[2];
    uint8_t rgba[4];
} gather_corner;

typedef struct gather_state {
    model64_reoptimizer *r;
    const uint32_t *points;
    gather_corner *corners; /* three for each triangle */
    uint32_t count, most;
    uint32_t ends[MODEL64_SLOTS]; /* after the corners of each slot */
} gather_state;

static void gather_add_triangle(gather_state *g, const gfx_corner corners[3])
{
    gather_corner l[3];
    for (int k = 0; k < 3; k++) {
        const gfx_corner *corner = &corners[k];
        const model64_vertex v = model64_vertex_at(g->r->from->default_block, corner->vertex);
        l[k] = (gather_corner){.row = corner->vertex, .point = g->points[corner->vertex]};
        memcpy(l[k].st, corner->has_st ? corner->st : v.st, sizeof l[k].st);
        memcpy(l[k].rgba, corner->has_rgba ? corner->rgba : v.color, sizeof l[k].rgba);
        if (g->r->fixed_rgba)
            memset(l[k].rgba, 0, sizeof l[k].rgba);
        g->r->unsupported |= g->r->fixed_rgba && corners[k].has_rgba;
    }
    if (l[0].point == l[1].point || l[1].point == l[2].point || l[2].point == l[0].point) {
        g->r->dropped++;
        return;
    }
    if (g->most - g->count < 3)
        g->r->unsupported = true;
    else
        memcpy(g->corners + g->count, l, sizeof l);
    g->count += g->most - g->count < 3 ? 0 : 3;
}

/* The console draws the second triangle of a pair first, but that is not visible. */
static void gather_add_list(gather_state *g, const gfx_list *list)
{
    model64_reoptimizer *r = g->r;
    gfx_run run = tl_gfx_run(list, r->from->vertex_count);
    gfx_step step;
    r->unsupported |= !list->ended;
    while (!r->unsupported && tl_gfx_next(&run, &step)) {
        /* G_VTX, G_MODIFYVTX and triangles are understood; what else a list does must stay where it is. */
        const unsigned opcode = gfx_opcode(step.command);
        const bool known = opcode == GFX_VTX || opcode == GFX_MODIFYVTX || opcode == GFX_TRI1 || opcode == GFX_TRI2 ||
                           opcode == GFX_QUAD || opcode == GFX_ENDDL || opcode == GFX_NOOP;
        r->unsupported |= !(known && (step.problem == GFX_FINE || step.problem == GFX_RESERVED_BITS ||
                                      (opcode == GFX_NOOP && step.problem == GFX_PASSED_OVER)));
        r->repeated += step.repeats ? 1 : 0; /* readers skip it, too */
        for (uint32_t i = step.repeats ? 1 : 0; !r->unsupported && i < step.triangle_count; i++)
            gather_add_triangle(g, step.triangles[i]);
        r->bytes_before += TL_F3DEX_COMMAND_SIZE + (uint64_t)TL_F3DEX_VERTEX_SIZE * step.load_count;
    }
}

/* --- numbers --- */

static uint32_t gather_st_hash(const void *rows, uint32_t row)
{
    const gather_corner *l = (const gather_corner *)rows + row;
    return model64_mix(model64_mix(0, (uint16_t)l->st[0] >> 1), (uint16_t)l->st[1] >> 1);
}

/* Without the last bit, which the RSP drops. */
static int gather_st_compare(const void *rows, uint32_t a, uint32_t b)
{
    const gather_corner *l = rows;
    const int s = ((uint16_t)l[a].st[0] >> 1) - ((uint16_t)l[b].st[0] >> 1);
    return s != 0 ? s : ((uint16_t)l[a].st[1] >> 1) - ((uint16_t)l[b].st[1] >> 1);
}

static uint32_t gather_rgba_hash(const void *rows, uint32_t row)
{
    return trilo_fnv1a(((const gather_corner *)rows)[row].rgba, 4);
}

static int gather_rgba_compare(const void *rows, uint32_t a, uint32_t b)
{
    const gather_corner *l = rows;
    return memcmp(l[a].rgba, l[b].rgba, sizeof l[a].rgba);
}

/* Every look as point, texture coordinate and colour by number. */
static model64_corner *gather_number_values(gather_state *g, tl_hash_table *table, uint32_t *numbers, uint32_t *firsts)
{
    model64_reoptimizer *r = g->r;
    model64_corner *corners = TL_ARRAY(r->arena, g->count, model64_corner);
    if (!corners)
        return NULL;
    if (!tl_model64_number(table, &(model64_rows){g->corners, gather_st_hash, gather_st_compare}, g->count, numbers,
                           firsts, &r->st_count))
        return NULL;
    r->st = tl_array(r->arena, r->st_count, sizeof *r->st);
    for (uint32_t i = 0; r->st && i < r->st_count; i++)
        memcpy(r->st[i], g->corners[firsts[i]].st, sizeof r->st[i]);
    for (uint32_t i = 0; i < g->count; i++)
        corners[i] = (model64_corner){.point = g->corners[i].point, .st = numbers[i]};
    if (!tl_model64_number(table, &(model64_rows){g->corners, gather_rgba_hash, gather_rgba_compare}, g->count, numbers,
                           firsts, &r->rgba_count))
        return NULL;
    r->rgba = tl_array(r->arena, r->rgba_count, sizeof *r->rgba);
    for (uint32_t i = 0; r->rgba && i < r->rgba_count; i++)
        memcpy(r->rgba[i], g->corners[firsts[i]].rgba, sizeof r->rgba[i]);
    for (uint32_t i = 0; i < g->count; i++)
        corners[i].rgba = numbers[i];
    return r->st && r->rgba ? corners : NULL;
}

static bool gather_make_slot(model64_reoptimizer *r, model64_slot *slot, tl_hash_table *table,
                             const model64_corner *corners, uint32_t count)
{
    uint32_t *numbers = TL_ARRAY(r->arena, count, uint32_t), *firsts = TL_ARRAY(r->arena, count, uint32_t);
    if (!numbers || !firsts || !tl_model64_number_corners(table, corners, count, numbers, firsts, &slot->corner_count))
        return false;
    slot->triangle_count = count / 3;
    slot->triangles = (uint32_t(*)[3])(void *)numbers;
    slot->corners = TL_ARRAY(r->arena, slot->corner_count, model64_corner);
    for (uint32_t i = 0; slot->corners && i < slot->corner_count; i++)
        slot->corners[i] = corners[firsts[i]];
    return slot->corners != NULL;
}

static bool gather_make_slots(gather_state *g)
{
    tl_hash_table table = {.arena = g->r->arena};
    uint32_t *numbers = TL_ARRAY(g->r->arena, g->count, uint32_t), *firsts = TL_ARRAY(g->r->arena, g->count, uint32_t);
    if (!numbers || !firsts)
        return false;
    const model64_corner *corners = gather_number_values(g, &table, numbers, firsts);
    uint32_t start = 0;
    for (int i = 0; corners && i < MODEL64_SLOTS; start = g->ends[i++])
        if (!gather_make_slot(g->r, &g->r->slots[i], &table, corners + start, g->ends[i] - start))
            return false;
    return corners != NULL;
}

/* --- all of it --- */

bool tl_model64_reoptimize_gather(model64_reoptimizer *r)
{
    uint32_t *points = NULL;
    gather_state g = {.r = r};
    uint64_t commands = 0;
    for (int i = 0; i < MODEL64_SLOTS; i++)
        commands += r->from->lists[i].bytes ? r->from->lists[i].used / TL_F3DEX_COMMAND_SIZE : 0;
    const uint64_t most = 6 * commands;
    if (!r->from->default_block || r->from->vertex_count == 0 || most > UINT32_MAX / 64) {
        r->unsupported = true;
        return true;
    }
    r->st_at = tl_layout_field(&tl_model64_vertex, TL_UNVERSIONED, "st")->at;
    r->rgba_at = tl_layout_field(&tl_model64_vertex, TL_UNVERSIONED, "color")->at;
    /* Frames move points. Where they also change texture coordinates, or overlap, the file is left alone. */
    const model64_file *file = r->from;
    uint64_t end = 0;
    r->fixed_rgba = tl_model64_colors(file) == TRILO_MODEL64_COLORS_NORMALS;
    for (uint32_t i = 0; i < file->block_count && !r->unsupported; i++) {
        const uint8_t *block = gather_block_at(file, i);
        r->unsupported = !model64_block_apart(file, i, &end) ||
                         !gather_same_bytes(file, file->default_block, block, r->st_at, GATHER_ST_SIZE);
        r->fixed_rgba =
            r->fixed_rgba || !gather_same_bytes(file, file->default_block, block, r->rgba_at, GATHER_RGBA_SIZE);
    }
    if (r->unsupported)
        return true;
    if (!gather_number_points(r, &points))
        return false;
    g.points = points;
    g.most = (uint32_t)most;
    g.corners = tl_array_raw(r->arena, g.most, sizeof *g.corners);
    if (!g.corners)
        return false;
    for (int i = 0; i < MODEL64_SLOTS; i++) {
        if (r->from->lists[i].bytes)
            gather_add_list(&g, &r->from->lists[i]);
        g.ends[i] = g.count;
    }
    return r->unsupported || gather_make_slots(&g);
}

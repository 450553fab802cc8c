/* Objects of one name, in the order that changes the material least often.
 *
 * A mesh with several materials becomes a group of objects with one name, and the reference leaves their order open. A
 * change is saved where a group ends with the material that the next one starts with. Which material each border gets
 * is found by dynamic programming from left to right: a group of several materials cannot start and end with the same
 * one. Equal choices are decided by the order of the meshes. */
#include "formats/t3dm/encode/encode.h"

#include <string.h>

/* A way to decide all borders up to one: its material (TRILO_NONE: both sides differ) and how many changes are saved.
 */
typedef struct border_choice {
    uint32_t row, saved;
    uint32_t from; /* the choice at the border before */
} border_choice;

typedef struct name_groups {
    t3dm_encoder *e;
    uint32_t count, *starts;  /* of each group, and the end of the last */
    uint32_t *borders;        /* row of the material between each group and the next */
    uint32_t *seen, *bucket;  /* of each row of materials: a stamp, and its position in the group */
    uint32_t *sizes, *sorted; /* scratch of a group */
    border_choice *choices;
} name_groups;

static bool name_groups_init(name_groups *g, t3dm_encoder *e)
{
    const uint32_t meshes = e->mesh_count;
    const size_t rows = (size_t)e->model->material_count + 1;
    *g = (name_groups){.e = e, .starts = TL_ARRAY(e->arena, (size_t)meshes + 1, uint32_t)};
    g->borders = TL_ARRAY(e->arena, meshes, uint32_t);
    g->seen = TL_ARRAY(e->arena, rows, uint32_t);
    g->bucket = TL_ARRAY(e->arena, rows, uint32_t);
    g->sizes = TL_ARRAY(e->arena, (size_t)meshes + 2, uint32_t);
    g->sorted = TL_ARRAY(e->arena, meshes, uint32_t);
    g->choices = TL_ARRAY(e->arena, 2 * (size_t)meshes + 1, border_choice);
    if (!g->starts || !g->borders || !g->seen || !g->bucket || !g->sizes || !g->sorted || !g->choices)
        return false;
    for (uint32_t i = 0; i < meshes; i++)
        if (i == 0 || tl_t3dm_compare_meshes(e, TRILO_T3DM_ORDER_NAME, e->meshes[i - 1], e->meshes[i]) != 0)
            g->starts[g->count++] = i;
    g->starts[g->count] = meshes;
    return true;
}

/* Marks the materials of a group with a stamp of its own, and returns how many there are. */
static uint32_t mark_group(name_groups *g, uint32_t group)
{
    uint32_t materials = 0;
    for (uint32_t i = g->starts[group]; i < g->starts[group + 1]; i++) {
        const uint32_t row = tl_t3dm_material_row(g->e, g->e->meshes[i]);
        materials += g->seen[row] != group + 1;
        g->seen[row] = group + 1;
    }
    return materials;
}

static void choose_borders(name_groups *g)
{
    border_choice *choices = g->choices;
    uint32_t first = 0, count = 1; /* those of the border before */
    choices[0] = (border_choice){.row = TRILO_NONE};
    for (uint32_t group = 0; group + 1 < g->count; group++) {
        const uint32_t materials = mark_group(g, group), end = count;
        uint32_t best = first, other = TRILO_NONE; /* the best one, and the best with another material */
        for (uint32_t i = first + 1; i < end; i++)
            best = choices[i].saved > choices[best].saved ? i : best;
        for (uint32_t i = first; i < end; i++)
            if (choices[i].row != choices[best].row && (other == TRILO_NONE || choices[i].saved > choices[other].saved))
                other = i;
        choices[count++] = (border_choice){TRILO_NONE, choices[best].saved, best};
        for (uint32_t i = g->starts[group + 1]; i < g->starts[group + 2]; i++) {
            const uint32_t row = tl_t3dm_material_row(g->e, g->e->meshes[i]);
            const uint32_t from = materials > 1 && choices[best].row == row ? other : best;
            if (g->seen[row] != group + 1 || from == TRILO_NONE)
                continue;
            g->seen[row] = 0; /* once */
            choices[count++] = (border_choice){row, choices[from].saved + 1, from};
        }
        first = end;
    }
    uint32_t last = first;
    for (uint32_t i = first + 1; i < count; i++)
        last = choices[i].saved > choices[last].saved ? i : last;
    for (uint32_t border = g->count > 0 ? g->count - 1 : 0; border-- > 0; last = choices[last].from)
        g->borders[border] = choices[last].row;
}

/* The meshes of a group by material: that of the border before first, that of the border after last, and between them
 * in their order. */
static void sort_group(name_groups *g, uint32_t group)
{
    const uint32_t start = g->starts[group], end = g->starts[group + 1];
    const uint32_t front = group > 0 ? g->borders[group - 1] : TRILO_NONE;
    const uint32_t back = group + 1 < g->count ? g->borders[group] : TRILO_NONE;
    const uint32_t stamp = g->count + 1 + group;    /* choose_borders uses those up to the count */
    uint32_t *meshes = g->e->meshes, materials = 1; /* bucket 0 is the front's */
    memset(g->sizes, 0, (end - start + 2) * sizeof *g->sizes);
    for (uint32_t i = start; i < end; i++) {
        const uint32_t row = tl_t3dm_material_row(g->e, meshes[i]);
        if (g->seen[row] != stamp)
            g->bucket[row] = row == front ? 0 : row == back ? end - start + 1 : materials++;
        g->seen[row] = stamp;
        g->sizes[g->bucket[row]]++;
    }
    for (uint32_t i = 0, at = 0; i < end - start + 2; i++) {
        const uint32_t size = g->sizes[i];
        g->sizes[i] = at;
        at += size;
    }
    for (uint32_t i = start; i < end; i++)
        g->sorted[g->sizes[g->bucket[tl_t3dm_material_row(g->e, meshes[i])]]++] = meshes[i];
    memcpy(meshes + start, g->sorted, (end - start) * sizeof *meshes);
}

bool tl_t3dm_order_same_names(t3dm_encoder *e)
{
    name_groups g;
    if (!name_groups_init(&g, e))
        return false;
    choose_borders(&g);
    for (uint32_t i = 0; i < g.count; i++)
        if (g.starts[i + 1] - g.starts[i] > 1)
            sort_group(&g, i);
    return true;
}

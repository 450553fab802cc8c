#include "model/cost.h"
#include "base/strict_float.h"

#include "base/report.h"
#include "base/sort.h"
#include "n64/rsp_cost.h"
#include <math.h>
#include <string.h>

void tl_cost_add(trilo_cost_counts *to, const trilo_cost_counts *from)
{
    to->parts += from->parts;
    to->loads += from->loads;
    to->vertices += from->vertices;
    to->unique += from->unique;
    to->duplicates += from->duplicates;
    to->padding += from->padding;
    to->unique_shown += from->unique_shown;
    to->triangles += from->triangles;
    to->degenerate += from->degenerate;
    to->list_triangles += from->list_triangles;
    to->sequence_triangles += from->sequence_triangles;
    to->strip_triangles += from->strip_triangles;
    to->list_commands += from->list_commands;
    to->sequences += from->sequences;
    to->strips += from->strips;
    to->strip_indices += from->strip_indices;
    to->strip_bytes += from->strip_bytes;
    to->runs += from->runs;
    to->modifies += from->modifies;
    to->syncs += from->syncs;
    to->matrix_sets += from->matrix_sets;
    to->matrix_pops += from->matrix_pops;
    to->commands += from->commands;
    to->draw_bytes += from->draw_bytes;
    to->rsp_bytes += from->rsp_bytes;
    to->score += from->score;
    to->microseconds = (double)to->score / TRILO_N64_MEGAHERTZ;
    to->area += from->area;
}

double tl_cost_area(const double corners[3][3])
{
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = corners[1][k] - corners[0][k];
        b[k] = corners[2][k] - corners[0][k];
    }
    const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
}

/* --- distinct rows --- */

typedef struct cost_ranked {
    const uint32_t *rows, *ranks;
    uint32_t words, word;
} cost_ranked;

static int64_t cost_row_key(const void *user, uint32_t row)
{
    const cost_ranked *r = user;
    return (int64_t)r->ranks[row] << 32 | r->rows[(size_t)row * r->words + r->word];
}

/* Partition refinement: rows that are equal in the words so far have the same rank, and a sort by each further word
 * splits the ranks. O(words * n log n) for any input. */
uint32_t tl_cost_distinct(const uint32_t *rows, uint32_t count, uint32_t words, uint32_t *ranks, uint32_t *order)
{
    uint32_t distinct = count > 0;
    memset(ranks, 0, count * sizeof *ranks);
    for (uint32_t word = 0; word < words && distinct < count; word++) {
        const cost_ranked r = {rows, ranks, words, word};
        tl_sort_rows(order, count, cost_row_key, &r);
        uint32_t rank = 0;
        int64_t before = count > 0 ? cost_row_key(&r, order[0]) : 0;
        for (uint32_t i = 0; i < count; i++) {
            const int64_t key = cost_row_key(&r, order[i]);
            rank += key != before;
            before = key;
            ranks[order[i]] = rank; /* the keys of later rows do not depend on it */
        }
        distinct = rank + 1;
    }
    return distinct;
}

/* --- the neutral model --- */

static bool cost_count_mesh(const trilo_mesh *mesh, tl_arena *scratch, trilo_cost_counts *counts)
{
    uint8_t *used = tl_array(scratch, mesh->vertex_count, 1);
    if (!used)
        return false;
    *counts = (trilo_cost_counts){.parts = 1, .commands = 1, .vertices = mesh->vertex_count};
    counts->triangles = counts->list_triangles = mesh->index_count / (mesh->topology == TRILO_TOPOLOGY_LINES ? 2 : 3);
    for (uint32_t i = 0; i < mesh->index_count; i++)
        used[mesh->indices[i]] = 1;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        counts->unique += used[i];
    counts->padding = counts->vertices - counts->unique;
    counts->unique_shown = counts->unique;
    for (uint32_t i = 0; mesh->topology == TRILO_TOPOLOGY_TRIANGLES && i + 2 < mesh->index_count; i += 3) {
        double corners[3][3];
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                corners[c][k] = (double)mesh->positions[mesh->indices[i + (uint32_t)c]][k];
        const double area = tl_cost_area((const double(*)[3])corners);
        counts->degenerate += area == 0;
        counts->area += area > 0 ? area : 0; /* NaN counts as 0 */
    }
    return true;
}

void tl_cost_sum(trilo_cost *cost, const trilo_cost_object *objects, trilo_cost_material *materials)
{
    for (uint32_t i = 0; i < cost->object_count; i++) {
        const trilo_cost_object *object = &objects[i];
        tl_cost_add(&cost->counts, &object->counts);
        if (object->material == TRILO_NONE)
            continue;
        materials[object->material].objects++;
        tl_cost_add(&materials[object->material].counts, &object->counts);
    }
    for (uint32_t i = 0; i < cost->material_count; i++) {
        trilo_cost_material *m = &materials[i];
        m->microseconds = m->counts.microseconds + tl_rsp_microseconds(m->state_bytes + m->overlay_bytes);
    }
    cost->material_microseconds = tl_rsp_microseconds(cost->state_bytes + cost->overlay_bytes);
    cost->microseconds = cost->counts.microseconds + cost->material_microseconds;
    cost->objects = objects;
    cost->materials = materials;
}

/* Each mesh is a draw call; a material is set when the previous mesh had another. */
bool tl_cost_of_model(const trilo_model *model, tl_arena *arena, trilo_cost *cost, trilo_error *err)
{
    trilo_cost_object *objects = TL_ARRAY(arena, model->mesh_count, trilo_cost_object);
    trilo_cost_material *materials = TL_ARRAY(arena, model->material_count, trilo_cost_material);
    if (!objects || !materials)
        return tl_fail_memory(err);
    for (uint32_t i = 0; i < model->material_count; i++) {
        const trilo_material *from = &model->materials[i];
        materials[i].name = tl_str_copy(arena, from->name.len > 0 ? from->name.data : "", from->name.len);
        materials[i].textures[0] = materials[i].textures[1] = TRILO_NONE;
        materials[i].cycles = 1;
        materials[i].depth = true;
        materials[i].blends = from->alpha == TRILO_ALPHA_BLEND;
        if (!materials[i].name.data)
            return tl_fail_memory(err);
    }
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        objects[i].name = tl_str_copy(arena, mesh->name.len > 0 ? mesh->name.data : "", mesh->name.len);
        objects[i].material = mesh->material;
        objects[i].skinned = mesh->skin != TRILO_NONE;
        objects[i].changes = i == 0 || mesh->material != model->meshes[i - 1].material;
        if (!objects[i].name.data || !cost_count_mesh(mesh, arena, &objects[i].counts))
            return tl_fail_memory(err);
        cost->material_changes += objects[i].changes;
        if (objects[i].material != TRILO_NONE)
            materials[objects[i].material].changes += objects[i].changes;
    }
    cost->object_count = model->mesh_count;
    cost->material_count = model->material_count;
    tl_cost_sum(cost, objects, materials);
    return true;
}

/* What a partition costs, without making strips of its batches: the loads exactly, drawing by its estimate. */
#include "optimize/t3d_batch_steps.h"

bool tl_batch_estimator_new(tl_arena *arena, const tl_batch_input *in, tl_batch_estimator *out)
{
    const size_t rows = tl_batch_bone_rows(in);
    *out = (tl_batch_estimator){.in = in,
                                .seen = TL_ARRAY(arena, in->vertex_count, uint32_t),
                                .counts = TL_ARRAY(arena, rows, uint32_t),
                                .bone_rows = rows};
    return out->seen && out->counts;
}

uint32_t tl_batch_estimate_drawing(uint32_t vertices, uint32_t triangles)
{
    return vertices >= 3 * triangles  ? TL_DRAW_COST / 2
           : vertices < TL_DRAW_SMALL ? TL_DRAW_COST
                                      : tl_batch_draw_estimate(vertices, triangles);
}

uint64_t tl_batch_estimate_one(tl_batch_estimator *e, const tl_batch_list *batches, uint32_t number)
{
    const uint32_t first = batches->first[number], end = batches->first[number + 1];
    const uint32_t round = ++e->round, *const order = batches->order;
    const uint32_t(*const triangles)[3] = e->in->triangles;
    const uint16_t *const bone_of = e->in->bones; /* no store changes these pointers, which the compiler cannot know */
    uint32_t *const seen = e->seen, *const counts = e->counts, vertices = 0, bone_count = 0;
    uint16_t bones[TL_BATCH_SLOTS];
    for (uint32_t i = first; i < end; i++)
        for (int c = 0; c < 3; c++) {
            const uint32_t vertex = triangles[order[i]][c];
            if (seen[vertex] == round)
                continue;
            seen[vertex] = round;
            vertices++;
            if (bone_of && counts[tl_batch_bone_row(bone_of[vertex])]++ == 0)
                bones[bone_count++] = bone_of[vertex];
        }
    uint64_t cost = tl_batch_estimate_drawing(vertices, end - first);
    cost += bone_of ? 0 : tl_batch_load_cost(vertices, TL_BATCH_NO_BONE);
    for (uint32_t b = 0; b < bone_count; b++) {
        uint32_t *count = &counts[tl_batch_bone_row(bones[b])];
        cost += tl_batch_load_cost(*count, bones[b]);
        *count = 0;
    }
    return cost;
}

uint64_t tl_batch_estimate(tl_batch_estimator *e, const tl_batch_list *batches)
{
    uint64_t cost = 0;
    for (uint32_t number = 0; number < batches->count; number++)
        cost += tl_batch_estimate_one(e, batches, number);
    return cost;
}

/* Full batches, which are drawn by a sequence only. */
uint64_t tl_batch_least_estimate(uint32_t vertices, tl_batch_loads loads)
{
    const uint64_t load = TL_COST_BYTE * (TL_RSP_LOAD_BYTES + TL_COMMAND_WORTH);
    const uint64_t matrix = TL_COST_BYTE * (TL_RSP_DRAW_BYTES + TL_RSP_MATRIX_SET_BYTES + TL_COMMAND_WORTH);
    const uint32_t batches = (vertices + TL_BATCH_SLOTS - 1) / TL_BATCH_SLOTS;
    return (uint64_t)TL_COST_BYTE * TL_RSP_VERTEX_SIZE * tl_rsp_loaded(vertices) + load * loads.count +
           matrix * loads.matrices + (uint64_t)TL_DRAW_COST / 2 * batches;
}

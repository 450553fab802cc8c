/* Annealing (tl_batch_anneal) on meshes of many small components: what comes out must be a partition that fits the
 * cache, and a cheap one. */
#include "harness.h"
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum {
    ISLAND_VERTICES = 10,
    ISLAND_TRIANGLES = ISLAND_VERTICES - 2,
    ISLANDS = 35,
    TRIANGLES = ISLANDS * ISLAND_TRIANGLES
};

/* Strips of ten vertices that have nothing in common. */
static void make_islands(uint32_t (*triangles)[3])
{
    for (uint32_t t = 0; t < TRIANGLES; t++)
        for (uint32_t c = 0; c < 3; c++)
            triangles[t][c] = t / ISLAND_TRIANGLES * ISLAND_VERTICES + t % ISLAND_TRIANGLES + c;
}

/* Batches of so many triangles each, in the order of the input. */
static tl_batch_list cut_evenly(tl_arena *arena, uint32_t size)
{
    tl_batch_list list = {.count = (TRIANGLES + size - 1) / size,
                          .first = TL_ARRAY(arena, TRIANGLES + 1, uint32_t),
                          .order = TL_ARRAY(arena, TRIANGLES, uint32_t)};
    for (uint32_t g = 0; g <= list.count; g++)
        list.first[g] = g < list.count ? g * size : TRIANGLES;
    for (uint32_t t = 0; t < TRIANGLES; t++)
        list.order[t] = t;
    return list;
}

static uint32_t batch_of(const tl_batch_list *list, uint32_t triangle)
{
    for (uint32_t g = 0; g < list->count; g++)
        for (uint32_t i = list->first[g]; i < list->first[g + 1]; i++)
            if (list->order[i] == triangle)
                return g;
    return UINT32_MAX;
}

/* Different vertices of a batch. */
static uint32_t count_vertices(const tl_batch_input *in, const tl_batch_list *list, uint32_t batch)
{
    bool seen[ISLANDS * ISLAND_VERTICES] = {false};
    uint32_t vertices = 0;
    for (uint32_t i = list->first[batch]; i < list->first[batch + 1]; i++)
        for (int c = 0; c < 3; c++) {
            bool *vertex = &seen[in->triangles[list->order[i]][c]];
            vertices += *vertex ? 0 : 1;
            *vertex = true;
        }
    return vertices;
}

/* Every triangle is in one batch, and every batch fits the cache. */
static void check_partition(const tl_batch_input *in, const tl_batch_list *list)
{
    CHECK_INT(list->first[list->count], in->triangle_count);
    for (uint32_t t = 0; t < in->triangle_count; t++)
        CHECK(batch_of(list, t) != UINT32_MAX);
    for (uint32_t g = 0; g < list->count; g++) {
        const uint32_t vertices = count_vertices(in, list, g);
        CHECK(vertices > 0 && vertices <= TL_BATCH_SLOTS);
    }
}

static tl_batch_list anneal(tl_arena *arena, const tl_batch_input *in, bool resident, uint32_t size)
{
    const tl_batch_effort effort = {.steps = 500, .stages = 50, .temperature = 16, .seed = 1};
    tl_batch_list list = cut_evenly(arena, size);
    CHECK(tl_batch_anneal(arena, in, resident, &effort, &list));
    check_partition(in, &list);
    return list;
}

/* 350 vertices: five batches are enough, six leave room for strips. Seven are given. */
TEST(components_fill_batches)
{
    uint32_t triangles[TRIANGLES][3];
    tl_arena arena;
    make_islands(triangles);
    const tl_batch_input in = {.vertex_count = ISLANDS * ISLAND_VERTICES,
                               .triangle_count = TRIANGLES,
                               .triangles = (const uint32_t(*)[3])triangles};
    for (int resident = 0; resident < 2; resident++) {
        tl_arena_init(&arena, NULL);
        const tl_batch_list list = anneal(&arena, &in, resident != 0, 5 * ISLAND_TRIANGLES);
        CHECK(list.count <= 6);
        for (uint32_t t = 0; t < TRIANGLES; t++) /* none is cut */
            CHECK_INT(batch_of(&list, t), batch_of(&list, t / ISLAND_TRIANGLES * ISLAND_TRIANGLES));
        tl_arena_free(&arena);
    }
}

/* The start cuts every other component. Each vertex that two batches have is loaded twice, so hardly any stays cut. */
TEST(cut_components_are_joined)
{
    uint32_t triangles[TRIANGLES][3], cut = 0;
    tl_arena arena;
    make_islands(triangles);
    const tl_batch_input in = {.vertex_count = ISLANDS * ISLAND_VERTICES,
                               .triangle_count = TRIANGLES,
                               .triangles = (const uint32_t(*)[3])triangles};
    tl_arena_init(&arena, NULL);
    const tl_batch_list list = anneal(&arena, &in, false, ISLAND_TRIANGLES + ISLAND_TRIANGLES / 2);
    for (uint32_t t = 0; t < TRIANGLES; t++)
        cut += batch_of(&list, t) != batch_of(&list, t / ISLAND_TRIANGLES * ISLAND_TRIANGLES) ? 1 : 0;
    CHECK_INT(cut, 0);
    CHECK(list.count <= 6);
    tl_arena_free(&arena);
}

/* Steps that move what needs a bone cut components that were whole. */
TEST(bones_cut_components)
{
    uint32_t triangles[TRIANGLES][3];
    uint16_t bones[ISLANDS * ISLAND_VERTICES];
    tl_arena arena;
    make_islands(triangles);
    for (uint32_t v = 0; v < ISLANDS * ISLAND_VERTICES; v++)
        bones[v] = (uint16_t)(v / ISLAND_VERTICES % 7 + (v % ISLAND_VERTICES < 5 ? 0 : 1));
    const tl_batch_input in = {.vertex_count = ISLANDS * ISLAND_VERTICES,
                               .triangle_count = TRIANGLES,
                               .triangles = (const uint32_t(*)[3])triangles,
                               .bones = bones};
    for (int resident = 0; resident < 2; resident++) {
        tl_arena_init(&arena, NULL);
        anneal(&arena, &in, resident != 0, 5 * ISLAND_TRIANGLES);
        tl_arena_free(&arena);
    }
}

/* Batches of 40 vertices would grow to 70, but for the limit. */
TEST(batches_stay_below_the_limit)
{
    uint32_t triangles[TRIANGLES][3];
    tl_arena arena;
    make_islands(triangles);
    const tl_batch_input in = {.vertex_count = ISLANDS * ISLAND_VERTICES,
                               .triangle_count = TRIANGLES,
                               .triangles = (const uint32_t(*)[3])triangles};
    const tl_batch_effort effort = {.steps = 500, .stages = 50, .temperature = 16, .seed = 1, .full = 50};
    for (int resident = 0; resident < 2; resident++) {
        tl_arena_init(&arena, NULL);
        tl_batch_list list = cut_evenly(&arena, 4 * ISLAND_TRIANGLES);
        CHECK(tl_batch_anneal(&arena, &in, resident != 0, &effort, &list));
        check_partition(&in, &list);
        CHECK_INT(list.count, 7);
        for (uint32_t g = 0; g < list.count; g++)
            CHECK_INT(count_vertices(&in, &list, g), 50);
        tl_arena_free(&arena);
    }
}

/* Batches of 40 vertices, which is their limit: two components of one bone and two of another. One alone does not
 * move, since its bone would be loaded once more. Of four bones, the first two have 10 and 9 components, so they need
 * three loads each, and the others two. */
TEST(bones_are_exchanged)
{
    uint32_t triangles[TRIANGLES][3], loads = 0;
    uint16_t bones[ISLANDS * ISLAND_VERTICES];
    tl_arena arena;
    make_islands(triangles);
    for (uint32_t v = 0; v < ISLANDS * ISLAND_VERTICES; v++)
        bones[v] = (uint16_t)(v / ISLAND_VERTICES / 2 % 4);
    const tl_batch_input in = {.vertex_count = ISLANDS * ISLAND_VERTICES,
                               .triangle_count = TRIANGLES,
                               .triangles = (const uint32_t(*)[3])triangles,
                               .bones = bones};
    const tl_batch_effort effort = {500, 60, 2, 1, 4 * ISLAND_VERTICES, true};
    tl_arena_init(&arena, NULL);
    tl_batch_list list = cut_evenly(&arena, 4 * ISLAND_TRIANGLES);
    CHECK(tl_batch_anneal(&arena, &in, false, &effort, &list));
    check_partition(&in, &list);
    for (uint32_t t = 0; t < TRIANGLES; t++)
        CHECK_INT(batch_of(&list, t), batch_of(&list, t / ISLAND_TRIANGLES * ISLAND_TRIANGLES));
    for (uint32_t g = 0; g < list.count; g++) {
        bool has[4] = {false};
        for (uint32_t i = list.first[g]; i < list.first[g + 1]; i++)
            has[bones[triangles[list.order[i]][0]]] = true;
        for (int b = 0; b < 4; b++)
            loads += has[b] ? 1 : 0;
        CHECK(count_vertices(&in, &list, g) <= 4 * ISLAND_VERTICES);
    }
    CHECK_INT(loads, 3 + 3 + 2 + 2);
    tl_arena_free(&arena);
}

/* Without bones, and where every component has vertices of several bones. */
TEST(nothing_to_exchange)
{
    uint32_t triangles[TRIANGLES][3];
    uint16_t bones[ISLANDS * ISLAND_VERTICES];
    make_islands(triangles);
    for (uint32_t v = 0; v < ISLANDS * ISLAND_VERTICES; v++)
        bones[v] = (uint16_t)(v % 2);
    for (int way = 0; way < 2; way++) {
        const tl_batch_input in = {.vertex_count = ISLANDS * ISLAND_VERTICES,
                                   .triangle_count = TRIANGLES,
                                   .triangles = (const uint32_t(*)[3])triangles,
                                   .bones = way == 0 ? NULL : bones};
        const tl_batch_effort effort = {500, 60, 2, 1, 0, true};
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        tl_batch_list list = cut_evenly(&arena, 5 * ISLAND_TRIANGLES);
        CHECK(tl_batch_anneal(&arena, &in, false, &effort, &list));
        CHECK_INT(list.count, 0);
        tl_arena_free(&arena);
    }
}

/* Ten vertices on bones 0 and 1, then 20 on bone 0 and 100 on bone 1. Two batches have room for 140. The first has the
 * ten, so it has both bones: all of bone 0 goes there, and is not loaded again for the second. */
TEST(a_bone_is_loaded_once)
{
    enum { PACKED = 13, PACKED_TRIANGLES = PACKED * ISLAND_TRIANGLES };
    uint32_t triangles[TRIANGLES][3];
    uint16_t bones[PACKED * ISLAND_VERTICES];
    tl_arena arena;
    tl_batch_list list;
    uint64_t cost;
    make_islands(triangles);
    for (uint32_t v = 0; v < PACKED * ISLAND_VERTICES; v++)
        bones[v] = v < ISLAND_VERTICES / 2 || (v >= ISLAND_VERTICES && v < 3 * ISLAND_VERTICES) ? 0 : 1;
    const tl_batch_input in = {.vertex_count = PACKED * ISLAND_VERTICES,
                               .triangle_count = PACKED_TRIANGLES,
                               .triangles = (const uint32_t(*)[3])triangles,
                               .bones = bones};
    tl_arena_init(&arena, NULL);
    CHECK(tl_batch_pack(&arena, &in, 1, &list, &cost));
    check_partition(&in, &list);
    CHECK_INT(list.count, 2);
    for (uint32_t t = 0; t < 3 * ISLAND_TRIANGLES; t++)
        CHECK_INT(batch_of(&list, t), batch_of(&list, 0));
    tl_arena_free(&arena);
}

/* A triangle of which one vertex is in the cache. That spares 32 bytes of its load, since 3 vertices are loaded as 4.
 * In slot 69 it leaves no slot for the strip: 10 bytes, 4 for the slot that lacks and 10 for each of the last two
 * slots, 34 in all, so it is loaded again. In slot 68 it stays. */
TEST(a_resident_in_the_last_slot)
{
    static const uint32_t triangle[1][3] = {{0, 1, 2}};
    const tl_batch_input in = {.vertex_count = 3, .triangle_count = 1, .triangles = triangle, .resident = true};
    uint32_t first[2] = {0, 1}, order[1] = {0};
    const tl_batch_list list = {.count = 1, .first = first, .order = order};
    for (uint32_t slot = 68; slot < 70; slot++) {
        tl_slot_allocator allocator;
        tl_vertex_batch batch;
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        CHECK(tl_slot_allocator_new(&arena, &in, &allocator));
        tl_slot_allocator_start(&allocator, &list, true);
        allocator.cache[slot] = 1;
        tl_slot_allocate(&allocator, 0, &batch);
        uint32_t residents = 0;
        for (uint32_t b = 0; b < batch.block_count; b++)
            residents += batch.blocks[b].resident ? batch.blocks[b].count : 0u;
        CHECK_INT(residents, slot == 68 ? 1 : 0);
        tl_arena_free(&arena);
    }
}

static uint32_t fetched_bytes(const tl_batch_output *out)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < out->part_count; i++) {
        const tl_batch_part *part = &out->parts[i];
        bytes += TL_RSP_LOAD_BYTES + TL_RSP_VERTEX_SIZE * (uint32_t)part->vertex_count;
        bytes += TL_RSP_DRAW_BYTES * (part->index_count / 3u + (part->sequence_count > 0 ? 1u : 0u));
        for (int s = 0; s < TL_BATCH_STRIPS && part->strip_counts[s] > 0; s++)
            bytes += TL_RSP_DRAW_BYTES + tl_rsp_strip_bytes(part->strip_counts[s]);
    }
    return bytes;
}

/* A smooth grid, where residents spare the most: batches have to leave them slots, and room for a strip above. They
 * took 22,800 bytes when they did not. */
TEST(residents_get_slots)
{
    enum { SIDE = 31, CELLS = SIDE - 1, GRID_TRIANGLES = 2 * CELLS * CELLS };
    uint32_t triangles[GRID_TRIANGLES][3];
    tl_arena arena;
    tl_batch_output out;
    for (uint32_t cell = 0; cell < CELLS * CELLS; cell++) {
        const uint32_t v = cell / CELLS * SIDE + cell % CELLS;
        memcpy(triangles[2 * cell], (uint32_t[]){v, v + 1, v + SIDE}, sizeof *triangles);
        memcpy(triangles[2 * cell + 1], (uint32_t[]){v + 1, v + SIDE + 1, v + SIDE}, sizeof *triangles);
    }
    const tl_batch_input in = {.vertex_count = SIDE * SIDE,
                               .triangle_count = GRID_TRIANGLES,
                               .triangles = (const uint32_t(*)[3])triangles,
                               .strips = true,
                               .sequences = true,
                               .level = 2,
                               .resident = true};
    tl_arena_init(&arena, NULL);
    CHECK(tl_batch(&arena, &in, &out));
    CHECK(fetched_bytes(&out) <= 22300);
    tl_arena_free(&arena);
}

TEST_MAIN(CASE(components_fill_batches), CASE(cut_components_are_joined), CASE(bones_cut_components),
          CASE(batches_stay_below_the_limit), CASE(bones_are_exchanged), CASE(nothing_to_exchange),
          CASE(a_bone_is_loaded_once), CASE(a_resident_in_the_last_slot), CASE(residents_get_slots))

/* Steps of the T3DM encoder and of its cost with too little memory: whichever array has none, the step says so. Also
 * the order of meshes, beside all orders there are. */
#include "harness.h"
#include "support/allocations.h"
#include "support/numbers.h"
#include "support/t3dm_encoder.h"
#include "support/t3dm_files.h"
#include "support/t3dm_frond.h"
#include "support/t3dm_grove.h"

#include <string.h>

enum { MESHES = 9, MATERIALS = 4, GROUPS = 3 };

typedef struct model_case {
    trilo_mesh meshes[MESHES];
    trilo_material materials[MATERIALS];
    trilo_n64_material n64[MATERIALS];
    trilo_texture textures[2];
    char paths[2][600];
} model_case;

static trilo_str text_of(const char *text)
{
    return (trilo_str){text, strlen(text)};
}

/* Meshes of a few names and materials. */
static void fill_case(encoder_bench *b, model_case *m, uint64_t *seed)
{
    static const char *const names[] = {"a", "b", "c"}, *const paints[MATERIALS] = {"red", "red", "blue", "blue"};
    memset(m, 0, sizeof *m);
    for (uint32_t i = 0; i < MESHES; i++)
        m->meshes[i] = (trilo_mesh){.name = text_of(names[(random_bits(seed) >> 40) % GROUPS]),
                                    .index_count = 3,
                                    .material = (uint32_t)(random_bits(seed) >> 40) % MATERIALS};
    for (uint32_t i = 0; i < MATERIALS; i++) {
        m->n64[i].tiles[0].texture = i % 2;
        m->n64[i].tiles[1].texture = TRILO_NONE;
        m->n64[i].prim[3] = (uint8_t)(i / 3);
        m->materials[i] = (trilo_material){.name = text_of(paints[i]), .texture = TRILO_NONE, .n64 = &m->n64[i]};
    }
    for (int i = 0; i < 2; i++) { /* so long that the table of strings grows for them */
        memset(m->paths[i], 'a' + i, sizeof m->paths[i]);
        memcpy(m->paths[i], "rom:/", 5);
        memcpy(m->paths[i] + sizeof m->paths[i] - 11, ".i4.sprite", 11);
        m->textures[i] = (trilo_texture){.path = text_of(m->paths[i]), .width = 8, .height = 8};
    }
    b->model = (trilo_model){.mesh_count = MESHES,
                             .meshes = m->meshes,
                             .material_count = MATERIALS,
                             .materials = m->materials,
                             .texture_count = 2,
                             .textures = m->textures};
    b->e.policy.order = TRILO_T3DM_ORDER_NAME;
    b->e.policy.merge_materials = true;
}

/* --- the order of names --- */

/* How often the material changes at least, from this group on, after a material: all orders of the group's materials
 * are tried, by what comes first and what last. */
static uint32_t fewest_changes(bool (*has)[MATERIALS], uint32_t group, uint32_t before)
{
    uint32_t best = UINT32_MAX, count = 0;
    if (group == GROUPS)
        return 0;
    for (uint32_t m = 0; m < MATERIALS; m++)
        count += has[group][m] ? 1 : 0;
    if (count == 0)
        return fewest_changes(has, group + 1, before);
    for (uint32_t first = 0; first < MATERIALS; first++)
        for (uint32_t last = 0; last < MATERIALS; last++) {
            if (!has[group][first] || !has[group][last] || (first == last) != (count == 1))
                continue;
            const uint32_t sum = (first != before ? 1u : 0u) + count - 1 + fewest_changes(has, group + 1, last);
            best = sum < best ? sum : best;
        }
    return best;
}

TEST(no_order_changes_materials_less_often)
{
    static encoder_bench b;
    static model_case m;
    uint64_t seed = 5;
    for (uint32_t round = 0; round < 300; round++) {
        bool has[GROUPS][MATERIALS] = {{false}}, seen[MESHES] = {false};
        uint32_t changes = 0;
        encoder_bench_init(&b);
        fill_case(&b, &m, &seed);
        CHECK(tl_t3dm_order_meshes(&b.e));
        CHECK_INT(b.e.mesh_count, MESHES);
        for (uint32_t i = 0; i < MESHES; i++) {
            const trilo_mesh *mesh = &m.meshes[b.e.meshes[i]], *last = i > 0 ? &m.meshes[b.e.meshes[i - 1]] : NULL;
            CHECK(!seen[b.e.meshes[i]] && (!last || *last->name.data <= *mesh->name.data));
            seen[b.e.meshes[i]] = true;
            has[*mesh->name.data - 'a'][mesh->material] = true;
            changes += !last || last->material != mesh->material ? 1 : 0;
            if (last && last->material == mesh->material && *last->name.data == *mesh->name.data)
                CHECK(b.e.meshes[i - 1] < b.e.meshes[i]); /* as the model has them */
        }
        CHECK_INT(changes, fewest_changes(has, 0, MATERIALS));
        encoder_bench_free(&b);
    }
}

/* --- memory of the encoder --- */

typedef bool step_fn(encoder_bench *b);

static bool order_meshes(encoder_bench *b)
{
    return tl_t3dm_order_meshes(&b->e);
}

static bool encode_materials(encoder_bench *b)
{
    return tl_t3dm_order_meshes(&b->e) && tl_t3dm_encode_materials(&b->e);
}

static bool encode_bvh(encoder_bench *b)
{
    static t3dm_object objects[20];
    for (int i = 0; i < 20; i++)
        objects[i].head.min[0] = objects[i].head.max[0] = (int16_t)(10 * i);
    b->file.objects = objects;
    b->file.object_count = 20;
    b->t3dm.bvh = true;
    return tl_t3dm_encode_bvh(&b->e);
}

/* One triangle is torn: 50 repeats of 32 texels are 1600, and 1024 fit. */
static bool fit_uvs(encoder_bench *b)
{
    static const float positions[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    static const float uvs[4][2] = {{0, 0}, {1, 0}, {0, 1}, {50, 1}};
    static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    const t3dm_uv_axis axes[2] = {{.texels = 32}, {.texels = 32}};
    const trilo_mesh mesh = {.vertex_count = 4,
                             .positions = positions,
                             .normals = positions,
                             .uvs = uvs,
                             .index_count = 6,
                             .indices = indices,
                             .material = TRILO_NONE},
                     *fitted = &mesh;
    bool too_wide = false;
    return tl_t3dm_fit_uvs(&b->e, axes, &fitted, &too_wide);
}

static bool split_corners(encoder_bench *b)
{
    static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t indices[6] = {0, 1, 2, 2, 1, 0};
    const trilo_mesh mesh = {.vertex_count = 3, .positions = positions, .index_count = 6, .indices = indices};
    trilo_mesh *copy = tl_t3dm_split_corners(&b->e, &mesh);
    return copy && tl_t3dm_flat_normals(&b->e, copy);
}

/* Reserving the string table and adding to it. */
static bool add_strings(encoder_bench *b)
{
    char text[64] = "";
    uint32_t offset = 0;
    bool ok = tl_t3dm_reserve_strings(&b->e, 10);
    for (int i = 0; i < 20 && ok; i++) {
        text[i] = 'x';
        ok = tl_t3dm_add_string(&b->e, text, &offset);
    }
    return ok;
}

static bool fit_skins(encoder_bench *b)
{
    static frond s;
    frond_fill(&s);
    frond_skin(&s);
    frond_clip(&s);
    s.weights[2][0] = 0.4f;
    s.weights[2][1] = 0.6f;
    b->model = s.model;
    const bool done = tl_t3dm_fit_skins(&b->e);
    CHECK((b->e.model == &b->model) == !done);
    return done;
}

TEST(steps_of_the_encoder_run_out_of_memory)
{
    static step_fn *const steps[] = {order_meshes,  encode_materials, encode_bvh, fit_uvs,
                                     split_corners, add_strings,      fit_skins};
    static encoder_bench b;
    static model_case m;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        uint32_t failures = 0;
        for (bool done = false; !done; failures++) {
            uint64_t seed = 5;
            encoder_bench_init(&b);
            fill_case(&b, &m, &seed);
            b.arena.left = 32 + (steps[i] == fit_skins ? 48 : 16) * (size_t)failures;
            done = steps[i](&b);
            CHECK(done == !b.arena.failed);
            encoder_bench_free(&b);
        }
        CHECK(failures > 5);
    }
}

/* --- memory of costs and of a sorted file --- */

static void ignore(void *user, const trilo_finding *finding)
{
    (void)user, (void)finding;
}

/* Objects of three materials in turn, and a BVH over them. */
static void plant(grove *g, t3dm_bvh_node *nodes, uint16_t *items)
{
    grove_start(g);
    g->parts[0] = grove_part(g, 0, 4, 2);
    for (uint32_t i = 0; i < 3; i++)
        grove_material(g,
                       i == 0   ? "a"
                       : i == 1 ? "b"
                                : "c",
                       i == 0   ? "rom:/a.sprite"
                       : i == 1 ? "rom:/b.sprite"
                                : NULL);
    for (uint32_t i = 0; i < 6; i++)
        grove_object(g, "o", i % 3, 0, 1);
    g->file.has_bvh = true;
    g->file.bvh = (t3dm_bvh){.head = {1, 6}, .nodes = nodes, .items = items};
}

TEST(sorting_materials_runs_out_of_memory)
{
    static grove g;
    static t3dm_bvh_node nodes[1];
    uint16_t items[6] = {0, 1, 2, 3, 4, 5};
    uint32_t failures = 0;
    for (bool done = false; !done; failures++) {
        tl_report report = {.fn = ignore};
        tl_arena arena;
        plant(&g, nodes, items);
        tl_arena_init(&arena, NULL);
        arena.left = 32 + 16 * (size_t)failures;
        const t3dm_object *before = g.file.objects;
        done = tl_t3dm_sort_materials(&g.file, &arena, &report);
        CHECK(done == !arena.failed);
        CHECK((g.file.objects == before) == !done); /* all of it or nothing */
        tl_arena_free(&arena);
        grove_end(&g);
    }
    CHECK(failures > 10);
}

/* Hints and materials, with two arenas: each in turn has too little. */
TEST(costs_run_out_of_memory)
{
    static grove g;
    static t3dm_bvh_node nodes[1];
    uint16_t items[6] = {0};
    for (int which = 0; which < 4; which++) {
        uint32_t failures = 0;
        for (bool done = false; !done; failures++) {
            tl_arena arenas[2];
            trilo_cost cost = {.object_count = 6, .material_count = 3};
            trilo_cost_object objects[6] = {{.name = {"o", 1}}};
            trilo_cost_material materials[3] = {{.name = {"a", 1}}};
            const trilo_cost_opts opts = {0};
            plant(&g, nodes, items);
            for (int i = 0; i < 6; i++)
                objects[i] = (trilo_cost_object){.name = {"o", 1}, .material = (uint32_t)i % 3};
            for (int i = 0; i < 3; i++)
                materials[i] =
                    (trilo_cost_material){.name = {"a", 1}, .textures = {TRILO_NONE, TRILO_NONE}, .objects = 2};
            cost.objects = objects;
            cost.materials = materials;
            tl_arena_init(&arenas[0], NULL);
            tl_arena_init(&arenas[1], NULL);
            arenas[which % 2].left = 32 + 32 * (size_t)failures;
            done = which < 2
                       ? tl_t3dm_cost_hints(&g.file, &arenas[0], &arenas[1], &cost)
                       : tl_t3dm_cost_materials(&g.file, &opts, &arenas[0], &arenas[1], &cost, objects, materials);
            CHECK(which == 0 || done == (!arenas[0].failed && !arenas[1].failed));
            tl_arena_free(&arenas[0]);
            tl_arena_free(&arenas[1]);
            grove_end(&g);
        }
        CHECK(failures > 5);
    }
}

/* One allocation after the other fails alone. Without some there are fewer hints, but nothing else is missing. */
TEST(every_allocation_of_a_cost_may_fail)
{
    buffer kite = {0};
    t3dm_places places;
    tl_arena file;
    size_t failed = 0;
    t3dm_kite(&kite, 4, &places);
    tl_arena_init(&file, NULL);
    const void *t3dm = tl_t3dm_read(&file, (trilo_bytes){kite.data, kite.size}, &(trilo_load_opts){0}, NULL);
    CHECK(t3dm);
    for (size_t n = 1; allocations_next(n); n++) {
        trilo_cost cost = {0};
        trilo_error err = {0};
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        const bool ok = tl_t3dm_cost(t3dm, &(trilo_cost_opts){0}, &arena, &cost, &err);
        allocations_allow();
        CHECK_INT(err.code, ok ? TRILO_CODE_OK : TRILO_CODE_NO_MEMORY);
        CHECK(ok || allocations_denied());
        for (uint32_t i = 0; ok && i < cost.material_count; i++)
            CHECK(cost.materials[i].name.data);
        CHECK(!ok || cost.material_count > 0);
        failed += ok ? 0 : 1;
        tl_arena_free(&arena);
    }
    CHECK(failed > 10);
    tl_arena_free(&file);
    buffer_free(&kite);
}

/* Without memory there is no file: up to 8 kB the arrays of objects and triangles have none, beyond that vertex
 * batches. */
TEST(reoptimizing_runs_out_of_memory)
{
    static const tl_reoptimize_opts opts = {.level = 1, .sort_materials = true};
    buffer kite = {0};
    t3dm_places places;
    tl_arena file;
    t3dm_kite(&kite, 4, &places);
    tl_arena_init(&file, NULL);
    const void *t3dm = tl_t3dm_read(&file, (trilo_bytes){kite.data, kite.size}, &(trilo_load_opts){0}, NULL);
    CHECK(t3dm);
    bool done = false;
    for (size_t left = 32; !done; left += left < 8192 ? 16 : left / 8) {
        tl_report report = {.fn = ignore};
        trilo_error err = {0};
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        arena.left = left;
        done = tl_t3dm_reoptimize(t3dm, &opts, &arena, &report, &err) != NULL;
        CHECK_INT(err.code, done ? TRILO_CODE_OK : TRILO_CODE_NO_MEMORY);
        CHECK(!done || left > 8192);
        tl_arena_free(&arena);
    }
    tl_arena_free(&file);
    buffer_free(&kite);
}

TEST_MAIN(CASE(no_order_changes_materials_less_often), CASE(steps_of_the_encoder_run_out_of_memory),
          CASE(sorting_materials_runs_out_of_memory), CASE(costs_run_out_of_memory),
          CASE(every_allocation_of_a_cost_may_fail), CASE(reoptimizing_runs_out_of_memory))

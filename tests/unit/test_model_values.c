/* Sums, counts and lists that formats share: drawing costs, lost materials, frames and their arrays, sizes. */
#include "harness.h"
#include "model/cost.h"
#include "model/curve.h"
#include "model/frames.h"
#include "model/pbr.h"
#include "model/resize.h"
#include "support/findings.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static trilo_str text_of(const char *text)
{
    return (trilo_str){text, strlen(text)};
}

/* ---- costs ---- */

/* All counts but the time are 64-bit numbers, in the order of the struct; the area comes last. */
TEST(every_count_is_added)
{
    enum { COUNTS = offsetof(trilo_cost_counts, microseconds) / sizeof(uint64_t), SCORE = COUNTS - 1 };
    trilo_cost_counts sum = {0}, part = {0};
    uint64_t numbers[COUNTS];
    for (uint64_t round = 1; round <= 3; round++) {
        for (size_t i = 0; i < COUNTS; i++)
            numbers[i] = round * (100 + 7 * i);
        memcpy(&part, numbers, sizeof numbers);
        part.area = 0.5 * (double)round;
        part.microseconds = 1e9; /* follows from the score */
        tl_cost_add(&sum, &part);
    }
    memcpy(numbers, &sum, sizeof numbers);
    for (size_t i = 0; i < COUNTS; i++)
        CHECK_INT(numbers[i], 6 * (100 + 7 * i));
    CHECK_INT(sum.score, numbers[SCORE]);
    CHECK_NEAR(sum.microseconds, (double)sum.score / 62.5, 1e-9);
    CHECK(sum.area == 3);
}

TEST(areas_of_triangles)
{
    static const double all[][3][3] = {{{0, 0, 0}, {3, 0, 0}, {0, 4, 0}},
                                       {{1, 1, 1}, {1, 4, 1}, {1, 1, 5}},
                                       {{2, 0, 2}, {2, 0, 5}, {6, 0, 2}},
                                       {{5, 6, 7}, {7, 6, 7}, {5, 6, 13}}};
    for (size_t i = 0; i < 4; i++)
        CHECK_NEAR(tl_cost_area(all[i]), 6, 1e-12);
    CHECK_NEAR(tl_cost_area((const double[3][3]){{0, 0, 0}, {1, 1, 0}, {0, 1, 1}}), sqrt(3) / 2, 1e-12);
    CHECK(tl_cost_area((const double[3][3]){{1, 2, 3}, {2, 4, 6}, {3, 6, 9}}) == 0);
}

/* Against a comparison of all rows with all. */
TEST(distinct_rows)
{
    uint64_t state = 1;
    for (int round = 0; round < 400; round++) {
        enum { ROWS = 12, WORDS = 3 };
        const uint32_t count = (uint32_t)(random_bits(&state) >> 32) % (ROWS + 1), words = 1 + (uint32_t)round % WORDS;
        uint32_t rows[ROWS * WORDS], ranks[ROWS], order[ROWS], want = 0;
        for (size_t i = 0; i < ROWS * WORDS; i++)
            rows[i] = (uint32_t)(random_bits(&state) >> 32) % 3 + (round % 2 ? 0xFFFFFFFDu : 0);
        const uint32_t got = tl_cost_distinct(rows, count, words, ranks, order);
        for (uint32_t i = 0; i < count; i++) {
            bool first = true;
            for (uint32_t k = 0; k < i; k++) {
                const bool same = memcmp(rows + (size_t)i * words, rows + (size_t)k * words, 4 * (size_t)words) == 0;
                CHECK_INT(got == count || ranks[i] == ranks[k], got == count || same);
                first = first && !same;
            }
            CHECK(ranks[i] < count);
            want += first ? 1 : 0;
        }
        CHECK_INT(got, want);
    }
}

/* Four meshes: two triangles of a square with a vertex that is not drawn; a triangle without area; a line; and the
 * square's material once more. */
TEST(costs_of_a_neutral_model)
{
    static const float square[5][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {9, 9, 9}};
    static const uint32_t both[6] = {0, 1, 2, 0, 2, 3}, flat[3] = {0, 1, 1}, line[2] = {0, 4};
    const trilo_mesh meshes[4] = {
        {.name = text_of("a"), .material = 1, .skin = TRILO_NONE, .vertex_count = 5, .index_count = 6, .indices = both},
        {.material = 1, .skin = 0, .vertex_count = 5, .index_count = 3, .indices = flat},
        {.material = TRILO_NONE,
         .skin = TRILO_NONE,
         .topology = TRILO_TOPOLOGY_LINES,
         .vertex_count = 5,
         .index_count = 2,
         .indices = line},
        {.material = 0, .skin = TRILO_NONE, .vertex_count = 4, .index_count = 6, .indices = both}};
    trilo_mesh own[4];
    const trilo_material materials[2] = {{.name = text_of("m"), .alpha = TRILO_ALPHA_BLEND}, {.name = {"", 0}}};
    memcpy(own, meshes, sizeof own);
    for (int i = 0; i < 4; i++)
        own[i].positions = square;
    const trilo_model model = {.mesh_count = 4, .meshes = own, .material_count = 2, .materials = materials};
    trilo_cost cost = {0};
    trilo_error err = {0};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_cost_of_model(&model, &arena, &cost, &err));
    static const struct {
        unsigned vertices, unique, triangles, degenerate;
        double area;
        bool skinned, changes;
    } want[4] = {{5, 4, 2, 0, 4, false, true},
                 {5, 2, 1, 1, 0, true, false},
                 {5, 2, 1, 0, 0, false, true},
                 {4, 4, 2, 0, 4, false, true}};
    CHECK_INT(cost.object_count, 4);
    for (int i = 0; i < 4; i++) {
        const trilo_cost_object *o = &cost.objects[i];
        CHECK_STR(o->name.data, i == 0 ? "a" : "");
        CHECK_INT(o->material, meshes[i].material);
        CHECK_INT(o->skinned, want[i].skinned);
        CHECK_INT(o->changes, want[i].changes);
        CHECK_INT(o->counts.parts, 1);
        CHECK_INT(o->counts.commands, 1);
        CHECK_INT(o->counts.vertices, want[i].vertices);
        CHECK_INT(o->counts.unique, want[i].unique);
        CHECK_INT(o->counts.unique_shown, want[i].unique);
        CHECK_INT(o->counts.padding, want[i].vertices - want[i].unique);
        CHECK_INT(o->counts.triangles, want[i].triangles);
        CHECK_INT(o->counts.list_triangles, want[i].triangles);
        CHECK_INT(o->counts.degenerate, want[i].degenerate);
        CHECK_NEAR(o->counts.area, want[i].area, 1e-9);
    }
    CHECK_INT(cost.material_changes, 3);
    CHECK_INT(cost.material_count, 2);
    CHECK_INT(cost.counts.vertices, 19);
    CHECK_INT(cost.counts.triangles, 6);
    static const unsigned objects[2] = {1, 2}, vertices[2] = {4, 10};
    for (int i = 0; i < 2; i++) {
        const trilo_cost_material *m = &cost.materials[i];
        CHECK_STR(m->name.data, i == 0 ? "m" : "");
        CHECK_INT(m->objects, objects[i]);
        CHECK_INT(m->changes, 1);
        CHECK_INT(m->counts.vertices, vertices[i]);
        CHECK(m->textures[0] == TRILO_NONE && m->textures[1] == TRILO_NONE && m->cycles == 1 && m->depth);
        CHECK_INT(m->blends, i == 0);
    }
    tl_arena_free(&arena);
}

/* Without objects or materials of a real format, only what materials take counts. */
TEST(costs_are_summed_up)
{
    trilo_cost_object objects[3] = {{.material = 1, .counts = {.score = 125}},
                                    {.material = TRILO_NONE, .counts = {.score = 250}},
                                    {.material = 1, .counts = {.score = 500}}};
    trilo_cost_material materials[2] = {{.state_bytes = 100}, {.state_bytes = 300, .overlay_bytes = 1000}};
    trilo_cost alone = {.material_count = 2, .state_bytes = 400, .overlay_bytes = 1000};
    trilo_cost cost = {.object_count = 3, .material_count = 2, .state_bytes = 400, .overlay_bytes = 1000};
    trilo_cost_material others[2];
    memcpy(others, materials, sizeof others);
    tl_cost_sum(&alone, NULL, others);
    tl_cost_sum(&cost, objects, materials);
    CHECK(alone.material_microseconds > 0 && alone.microseconds == alone.material_microseconds);
    CHECK(cost.material_microseconds == alone.material_microseconds);
    CHECK_NEAR(cost.counts.microseconds, 14, 1e-9);
    CHECK_NEAR(cost.microseconds, 14 + alone.microseconds, 1e-9);
    CHECK_NEAR(materials[1].microseconds, 10 + others[1].microseconds, 1e-9);
    CHECK_NEAR(materials[0].microseconds, others[0].microseconds, 1e-9);
    CHECK_NEAR(others[0].microseconds + others[1].microseconds, alone.microseconds, 1e-9);
    CHECK_INT(materials[0].objects, 0);
    CHECK_INT(materials[1].objects, 2);
}

/* ---- what materials lose ---- */

TEST(maps_that_are_lost)
{
    static const trilo_pbr plain = {.metallic = 1, .roughness = 0.5f};
    trilo_pbr every = plain, red = plain, blue = plain, green = plain, single[TRILO_MAP_KIND_COUNT];
    static const char *const names[] = {[TRILO_MAP_KIND_METALLIC_ROUGHNESS] = "metallic-roughness map",
                                        [TRILO_MAP_KIND_NORMAL] = "normal map",
                                        [TRILO_MAP_KIND_OCCLUSION] = "occlusion map",
                                        [TRILO_MAP_KIND_EMISSIVE] = "emissive map"};
    red.emissive[0] = 0.5f, green.emissive[1] = 0.5f, blue.emissive[2] = 0.5f;
    every.emissive[0] = 1;
    for (int i = 0; i < TRILO_MAP_KIND_COUNT; i++) {
        every.maps[i].used = true;
        single[i] = plain;
        single[i].maps[i].used = true;
    }
    struct {
        const trilo_pbr *pbr[4];
        const char *path, *text;
    } all[5 + TRILO_MAP_KIND_COUNT] = {
        {{NULL, &plain, NULL, NULL}, NULL, NULL},
        {{&plain, &red, NULL, &plain}, "materials[1]", "1; lost: emission"},
        {{&plain, NULL, &green, &blue}, "materials[2]", "2; lost: emission"},
        {{NULL, NULL, NULL, &blue}, "materials[3]", "1; lost: emission"},
        {{&every, &red, &every, NULL},
         "materials[0]",
         "3; lost: metallic-roughness map, normal map, occlusion map, emissive map, emission"},
    };
    char texts[TRILO_MAP_KIND_COUNT][64];
    for (int i = 0; i < TRILO_MAP_KIND_COUNT; i++) {
        snprintf(texts[i], sizeof texts[i], "1; lost: %s", names[i]);
        all[5 + i].pbr[2] = &single[i];
        all[5 + i].path = "materials[2]";
        all[5 + i].text = texts[i];
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        static listener l;
        trilo_material materials[4] = {{.name = {"", 0}}};
        for (int k = 0; k < 4; k++)
            materials[k].pbr = all[i].pbr[k];
        memset(&l, 0, sizeof l);
        tl_report report = {.fn = listen, .user = &l};
        tl_pbr_maps_lost(&(trilo_model){.material_count = 4, .materials = materials}, &tl_general_rules[TL_MODEL_SIZE],
                         &report);
        CHECK_INT(l.count, all[i].text ? 1 : 0);
        if (!all[i].text)
            continue;
        char want[208];
        snprintf(want, sizeof want, "materials with maps or emission besides their colour: %s", all[i].text);
        CHECK_STR(l.texts[0], want);
        CHECK_STR(l.paths[0], all[i].path);
    }
}

/* ---- frames ---- */

TEST(frames_that_are_lost)
{
    static const trilo_track tracks[3] = {{.frame_count = 2}, {.frame_count = 5}, {.frame_count = 3}};
    static const trilo_channel channels[1];
    const trilo_clip clips[4] = {
        {.name = text_of("plain"), .channel_count = 1, .channels = channels},
        {.name = text_of("both"), .channel_count = 1, .channels = channels, .track_count = 3, .tracks = tracks},
        {.name = {"", 0}, .track_count = 1, .tracks = tracks},
        {.name = text_of("only"), .track_count = 2, .tracks = tracks + 1}};
    static const uint32_t most[4] = {0, 5, 2, 5};
    static listener l;
    memset(&l, 0, sizeof l);
    tl_report report = {.fn = listen, .user = &l};
    for (int i = 0; i < 4; i++) {
        CHECK_INT(tl_clip_frames(&clips[i]), most[i]);
        CHECK_INT(tl_clip_only_frames(&clips[i]), i >= 2);
    }
    CHECK(!tl_clip_only_frames(&(trilo_clip){.track_count = 0}));
    tl_frames_lost(&(trilo_model){.clip_count = 4, .clips = clips}, &tl_general_rules[TL_MODEL_SIZE], &report);
    CHECK_INT(l.count, 3);
    CHECK_STR(l.paths[0], "clips[1]");
    CHECK_STR(l.texts[0], "the frames (5) of the clip \"both\" are lost");
    CHECK_STR(l.paths[1], "clips[2]");
    CHECK_STR(l.texts[1], "the clip is lost: it has only vertex frames (2)");
    CHECK_STR(l.paths[2], "clips[3]");
    CHECK_STR(l.texts[2], "the clip \"only\" is lost: it has only vertex frames (5)");
}

/* References of two clips to arrays that meshes and frames share: each pair of mesh and array is found once. */
TEST(arrays_that_frames_share)
{
    static float arrays[3][2][3];
#define FRAME(p, n)                                                                                                    \
    {.positions = (p) < 0 ? NULL : (const float(*)[3])arrays[p],                                                       \
     .normals = (n) < 0 ? NULL : (const float(*)[3])arrays[n]}
    trilo_frame first[3] = {FRAME(0, -1), FRAME(1, 2), FRAME(0, -1)}, second[2] = {FRAME(0, 0), FRAME(2, -1)};
    trilo_frame third[2] = {FRAME(1, -1), FRAME(0, 2)};
    const trilo_track tracks[3] = {{.mesh = 1, .frame_count = 3, .frames = first},
                                   {.mesh = 0, .frame_count = 2, .frames = second},
                                   {.mesh = 1, .frame_count = 2, .frames = third}};
    const trilo_clip clips[3] = {
        {.track_count = 2, .tracks = tracks}, {.track_count = 0}, {.track_count = 1, .tracks = tracks + 2}};
    const trilo_model model = {.clip_count = 3, .clips = clips};
    tl_frame_slots list;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    for (int part = 0; part < 2; part++) {
        bool seen[2][3] = {{false}};
        uint32_t pairs = 0;
        CHECK(tl_frame_slots_list(&arena, &model, part ? TL_FRAME_NORMALS : TL_FRAME_POSITIONS, &list));
        CHECK_INT(list.count, part ? 3 : 7);
        for (uint32_t i = 0; i < list.count; i++) {
            const tl_frame_slot *slot = tl_frame_slot_at(&list, i);
            const size_t array = (size_t)((const float(*)[2][3])slot->from - (const float(*)[2][3])arrays);
            CHECK(*slot->pointer == slot->from && slot->mesh < 2 && array < 3);
            CHECK_INT(tl_frame_slot_differs(&list, i), !seen[slot->mesh][array]);
            pairs += seen[slot->mesh][array] ? 0 : 1;
            seen[slot->mesh][array] = true;
        }
        CHECK_INT(pairs, part ? 2 : 4); /* positions: 1-0 1-1 0-0 0-2; normals: 1-2 0-0 */
    }
    CHECK(tl_frame_slots_list(&arena, &(trilo_model){.clip_count = 1, .clips = clips + 1}, TL_FRAME_NORMALS, &list));
    CHECK_INT(list.count, 0);
    tl_arena_free(&arena);
    tl_arena_init(&arena, &(trilo_memory){.max_bytes = 1});
    CHECK(!tl_frame_slots_list(&arena, &model, TL_FRAME_POSITIONS, &list));
    CHECK(tl_frame_slots_list(&arena, &(trilo_model){0}, TL_FRAME_POSITIONS, &list));
    tl_arena_free(&arena);
}

/* ---- sizes ---- */

/* A skinned model whose root is only a rotation is scaled by that root; by a new one otherwise. */
TEST(roots_that_can_scale)
{
    static const struct {
        float scale[3], move[3];
        bool sheared, animated, second, inserted;
    } all[] = {
        {{1, 1, 1}, {0, 0, 0}, false, false, false, false},
        {{1.000009f, 1, 1}, {0, 0, 0}, false, false, false, false},
        {{1, 0.999991f, 1.000009f}, {0, 0, 0}, false, false, false, false},
        {{1.000011f, 1, 1}, {0, 0, 0}, false, false, false, true},
        {{1, 0.999989f, 1}, {0, 0, 0}, false, false, false, true},
        {{1, 1, 1.000011f}, {0, 0, 0}, false, false, false, true},
        {{1, 1, 1}, {1e-6f, 0, 0}, false, false, false, true},
        {{1, 1, 1}, {0, 1e-6f, 0}, false, false, false, true},
        {{1, 1, 1}, {0, 0, -1e-6f}, false, false, false, true},
        {{1, 1, 1}, {0, 0, 0}, true, false, false, true},
        {{1, 1, 1}, {0, 0, 0}, false, true, false, true},
        {{1, 1, 1}, {0, 0, 0}, false, false, true, true},
    };
    static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        float positions[2][3] = {{1, 0, 0}, {5, 2, 0}}, weights[2][4] = {{1}, {1}};
        uint16_t slots[2][4] = {{0}};
        trilo_node nodes[3];
        for (uint32_t n = 0; n < 3; n++)
            nodes[n] = (trilo_node){.name = {"", 0},
                                    .parent = n == 0 || (n == 2 && all[i].second) ? TRILO_NONE : n - 1,
                                    .rotation.w = 1,
                                    .scale = {1, 1, 1},
                                    .local = identity};
        nodes[0].scale = (trilo_vec3){all[i].scale[0], all[i].scale[1], all[i].scale[2]};
        nodes[0].translation = (trilo_vec3){all[i].move[0], all[i].move[1], all[i].move[2]};
        nodes[0].sheared = all[i].sheared;
        trilo_joint joints[2] = {{1, identity}, {2, identity}};
        trilo_skin skin = {2, joints};
        trilo_channel channels[2] = {{.node = 1}, {.node = all[i].animated ? 0 : 2}};
        trilo_clip clip = {.channel_count = 2, .channels = channels};
        trilo_mesh meshes[2] = {{.node = TRILO_NONE,
                                 .skin = 0,
                                 .vertex_count = 2,
                                 .positions = (const float(*)[3])positions,
                                 .joints = (const uint16_t(*)[4])slots,
                                 .weights = (const float(*)[4])weights},
                                {.node = 2, .skin = TRILO_NONE}};
        trilo_model model = {.mesh_count = 2,
                             .meshes = meshes,
                             .node_count = 3,
                             .nodes = nodes,
                             .skin_count = 1,
                             .skins = &skin,
                             .clip_count = 1,
                             .clips = &clip};
        tl_report report = {0};
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        const trilo_bounds box = trilo_model_bounds(&model);
        CHECK(tl_model_normalize(&arena, &model, &report));
        const uint32_t more = all[i].inserted ? 1 : 0;
        CHECK(model.resized && model.source_bounds.max.x == box.max.x);
        CHECK_INT(model.node_count, 3 + more);
        for (uint32_t n = 0; n < 2; n++) {
            CHECK_INT(joints[n].node, n + 1 + more);
            CHECK_INT(channels[n].node, (n == 0 ? 1 : all[i].animated ? 0 : 2) + more);
        }
        CHECK_INT(meshes[0].node, TRILO_NONE);
        CHECK_INT(meshes[1].node, 2 + more);
        CHECK_INT(model.nodes[0].parent, TRILO_NONE);
        CHECK_INT(model.nodes[1].parent, 0);
        CHECK_INT(model.nodes[2 + more].parent, all[i].second ? 0 : 1 + more);
        const float longest = 4; /* along x */
        CHECK_NEAR(model.nodes[0].scale.y, 1 / longest, 1e-5);
        CHECK_NEAR(model.nodes[0].translation.x, -0.5 * (box.min.x + box.max.x) / longest, 1e-5);
        CHECK_NEAR(model.nodes[0].translation.y, -0.5 * (box.min.y + box.max.y) / longest, 1e-5);
        tl_arena_free(&arena);
    }
}

/* A mesh behind the last one is none, also where the array goes on. */
TEST(meshes_that_are_not_there)
{
    static const float positions[1][3] = {{1, 2, 3}};
    const trilo_mesh meshes[2] = {{.node = TRILO_NONE, .skin = TRILO_NONE, .vertex_count = 1, .positions = positions},
                                  {.node = TRILO_NONE, .skin = TRILO_NONE, .vertex_count = 1, .positions = positions}};
    const trilo_model model = {.mesh_count = 1, .meshes = meshes};
    for (uint32_t mesh = 0; mesh < 2; mesh++)
        for (int way = 0; way < 3; way++) {
            float to[1][3] = {{-1, -1, -1}};
            if (way == 0)
                trilo_pose_vertices(&model, mesh, NULL, NULL, positions, NULL, to, NULL);
            else if (way == 1)
                trilo_pose_mesh(&model, mesh, NULL, NULL, to, NULL);
            else
                trilo_pose_frame(&model, mesh, TRILO_NONE, 0, TRILO_FRAME_MODE_HOLD, to, NULL);
            CHECK(to[0][2] == (mesh == 0 ? 3 : -1));
        }
}

/* ---- keys that hold ---- */

/* Two keys that are neighbours as floats, or as doubles near 0, are a jump. */
TEST(neighbouring_keys_hold)
{
    static const struct {
        double time, next;
        bool holds;
    } all[] = {{1, 1 + 1.2e-7, true},
               {1, 1 + 1.3e-7, false},
               {64, 64 + 64 * 1.2e-7, true},
               {64, 64.00001, false},
               {-1, -1 + 1.2e-7, true},
               {-1, -1 + 1.3e-7, false},
               {0, 1e-9, false},
               {0, 0, true},
               {0, 5e-324, true},
               {0, 1e-320, false},
               {2, 2, true},
               {-1e-9, 0, false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const double times[3] = {all[i].time, all[i].next, all[i].next + 1};
        const trilo_channel c = {.key_count = 3, .times = times}, last = {.key_count = 1, .times = times};
        if (tl_channel_holds(&c, 0) != all[i].holds)
            FAIL("row %zu", i);
        CHECK(!tl_channel_holds(&c, 1) && !tl_channel_holds(&c, 2) && !tl_channel_holds(&last, 0));
    }
}

TEST_MAIN(CASE(every_count_is_added), CASE(areas_of_triangles), CASE(distinct_rows), CASE(costs_of_a_neutral_model),
          CASE(costs_are_summed_up), CASE(maps_that_are_lost), CASE(frames_that_are_lost),
          CASE(arrays_that_frames_share), CASE(roots_that_can_scale), CASE(meshes_that_are_not_there),
          CASE(neighbouring_keys_hold))

/* The console's own example models, encoded at every level: run on a model of the console, never worse than what
 * Tiny3D's converter made of the same source, and always the same triangles. */
#include "harness.h"
#include "support/t3dm_sim.h"
#include "support/t3dm_twins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool drop_stream(void *user, const char *name, trilo_bytes bytes)
{
    (void)user, (void)name, (void)bytes;
    return true;
}

static void on_finding(void *user, const trilo_finding *finding)
{
    if (finding->severity >= TRILO_SEVERITY_ERROR)
        FAIL("%s: %s %s: %s", (const char *)user, finding->rule, finding->path, finding->text);
}

/* What the library counts is what the simulator counts, and the check has nothing to say against the file. */
static void check_file(const char *what, const uint8_t *bytes, size_t size, const cache_sim_work *work)
{
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(bytes, size, NULL, &err);
    if (!document)
        FAIL("%s: %s", what, err.text);
    trilo_document_check(document, on_finding, (void *)(uintptr_t)what);
    const trilo_cost *cost = trilo_document_cost(document, NULL, &err);
    if (!cost)
        FAIL("%s: %s", what, err.text);
    CHECK_INT(cost->counts.rsp_bytes, work->rsp_bytes);
    CHECK_INT(cost->counts.draw_bytes, work->draw_bytes);
    CHECK_INT(cost->counts.commands, work->commands);
    CHECK_INT(cost->counts.loads, work->loads);
    CHECK_INT(cost->counts.vertices, work->vertices);
    CHECK_INT(cost->counts.strip_indices, work->strip_indices);
    CHECK_INT(cost->counts.matrix_sets, work->pushes);
    CHECK_INT(cost->counts.matrix_pops, work->pops);
    trilo_cost_free(cost);
    trilo_document_free(document);
}

static void run_bytes(const char *what, const uint8_t *bytes, size_t size, int flags, t3dm_sim *sim)
{
    static const trilo_load_opts none = {0};
    trilo_error err = {0};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const t3dm_file *file = tl_t3dm_read(&arena, (trilo_bytes){bytes, size}, &none, &err);
    if (!file)
        FAIL("%s: %s", what, err.text);
    t3dm_sim_run(what, file, flags, sim);
    tl_arena_free(&arena);
    check_file(what, bytes, size, &sim->work);
}

static void run_encoded(const char *name, const trilo_model *source, trilo_t3dm_write_opts t3dm, int flags,
                        t3dm_sim *sim)
{
    trilo_error err = {0};
    buffer made = {0};
    char what[128];
    const trilo_write_opts opts = {
        .format = TRILO_FORMAT_T3DM, .name = "made.t3dm", .companion = drop_stream, .t3dm = &t3dm};
    snprintf(what, sizeof what, "%s at level %u%s%s", name, t3dm.level, t3dm.resident ? ", resident" : "",
             t3dm.drop_unused     ? ", unused attributes dropped"
             : t3dm.share_repeats ? ", repeats shared"
                                  : "");
    if (!trilo_model_write(source, &opts, buffer_sink, &made, &err))
        FAIL("%s: %s", what, err.text);
    run_bytes(what, made.data, made.size, flags | (t3dm.resident ? T3DM_SIM_RESIDENT : 0), sim);
    buffer_free(&made);
}

static void run_reference(const twin *p, t3dm_sim *sim)
{
    twin_side side;
    char what[128];
    snprintf(what, sizeof what, "%s/%s of Tiny3D", p->folder, p->name);
    twin_reference(p, &side);
    run_bytes(what, side.bytes, side.size, 0, sim);
    twin_close(&side);
}

static void not_worse(const char *name, const char *what, const t3dm_sim *got, const t3dm_sim *limit)
{
    if (got->work.rsp_bytes > limit->work.rsp_bytes)
        FAIL("%s: %s: %llu bytes, more than %llu", name, what, (unsigned long long)got->work.rsp_bytes,
             (unsigned long long)limit->work.rsp_bytes);
}

/* What batches make small at a level: bytes, and something for every command. */
static double batch_cost(const cache_sim_work *work, uint32_t level)
{
    const double draws = (double)(work->list + work->sequences + work->strips);
    return (double)work->rsp_bytes + 12 * ((double)work->commands - draws) + (level < 3 ? 12 : 6) * draws;
}

/* Objects that are one load weigh commands less, hence the thousandth. */
static void not_dearer(const char *name, const char *what, uint32_t level, const t3dm_sim *got, const t3dm_sim *limit)
{
    const double cost = batch_cost(&got->work, level), most = batch_cost(&limit->work, level);
    if (cost > 1.001 * most)
        FAIL("%s: %s: costs %.0f, more than %.0f", name, what, cost, most);
}

static void same_triangles(const char *name, const char *what, const t3dm_sim *got, const t3dm_sim *want)
{
    if (!t3dm_sim_same(got, want))
        FAIL("%s: %s: not the same triangles: %u and %u", name, what, got->count, want->count);
}

/* --- tests --- */

/* Counted in the bytes of the file by other means. */
TEST(the_reference_is_counted_right)
{
    test_corpus("t3dm");
    const twin p = {"99_testscene", "scene"};
    t3dm_sim sim;
    run_reference(&p, &sim);
    CHECK_INT(sim.work.loads, 54);
    CHECK_INT(sim.work.vertices, 3698);
    CHECK_INT(sim.work.list, 24);
    CHECK_INT(sim.work.sequences, 24);
    CHECK_INT(sim.work.in_sequence, 494);
    CHECK_INT(sim.work.strips, 67);
    CHECK_INT(sim.work.strip_indices, 3134);
    t3dm_sim_free(&sim);
}

TEST(level_1_is_never_worse)
{
    const uint32_t step = test_rounds(1, TEST_EMULATED ? 6 : 1);
    uint64_t ours = 0, theirs = 0;
    test_corpus("t3dm");
    for (uint32_t i = 0; i < TWINS; i += step) {
        const trilo_model *source = twin_source(&twins[i]);
        t3dm_sim reference, encoded;
        run_reference(&twins[i], &reference);
        run_encoded(twins[i].name, source, (trilo_t3dm_write_opts){.level = 1}, 0, &encoded);
        not_worse(twins[i].name, "level 1 beside Tiny3D", &encoded, &reference);
        CHECK_INT(encoded.object_count, reference.object_count);
        CHECK_INT(encoded.count, reference.count);
        ours += encoded.work.rsp_bytes;
        theirs += reference.work.rsp_bytes;
        t3dm_sim_free(&reference);
        t3dm_sim_free(&encoded);
        trilo_model_free(source);
    }
    printf("level 1: %llu bytes, Tiny3D's converter %llu: %.4f\n", (unsigned long long)ours, (unsigned long long)theirs,
           (double)ours / (double)theirs);
    CHECK(step > 1 || (double)ours <= 0.917 * (double)theirs);
}

/* What `cost` says of a file. */
typedef struct file_cost {
    uint64_t score;
    uint32_t changes;
    bool order_advised;
} file_cost;

static file_cost cost_of(const char *what, const uint8_t *bytes, size_t size)
{
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(bytes, size, NULL, &err);
    const trilo_cost *cost = document ? trilo_document_cost(document, NULL, &err) : NULL;
    if (!cost)
        FAIL("%s: %s", what, err.text);
    file_cost found = {.score = cost->counts.score, .changes = cost->material_changes};
    for (uint32_t i = 0; i < cost->hint_count; i++)
        found.order_advised = found.order_advised || cost->hints[i].kind == TRILO_COST_HINT_KIND_ORDER;
    trilo_cost_free(cost);
    trilo_document_free(document);
    return found;
}

static file_cost cost_encoded(const char *name, const trilo_model *source, trilo_t3dm_order order)
{
    trilo_error err = {0};
    buffer made = {0};
    const trilo_write_opts opts = {
        .format = TRILO_FORMAT_T3DM,
        .name = "made.t3dm",
        .companion = drop_stream,
        .t3dm = &(trilo_t3dm_write_opts){.order = order, .no_material = TRILO_T3DM_NO_MATERIAL_SKIP}};
    if (!trilo_model_write(source, &opts, buffer_sink, &made, &err))
        FAIL("%s: %s", name, err.text);
    const file_cost found = cost_of(name, made.data, made.size);
    buffer_free(&made);
    return found;
}

/* By layer, nothing is left to order. */
static void check_order(const char *name, const trilo_model *source, const file_cost *theirs)
{
    const file_cost ours = cost_encoded(name, source, TRILO_T3DM_ORDER_NAME);
    const file_cost layered = cost_encoded(name, source, TRILO_T3DM_ORDER_LAYER);
    if (ours.score > theirs->score || layered.score > theirs->score)
        FAIL("%s: %llu cycles, by layer %llu, more than %llu", name, (unsigned long long)ours.score,
             (unsigned long long)layered.score, (unsigned long long)theirs->score);
    if (ours.changes > theirs->changes || layered.changes > ours.changes)
        FAIL("%s: %u material changes, by layer %u, Tiny3D's converter %u", name, ours.changes, layered.changes,
             theirs->changes);
    if (layered.order_advised)
        FAIL("%s: another order is advised for objects that are ordered by layer", name);
}

TEST(no_model_takes_more_cycles_or_material_changes)
{
    test_corpus("t3dm");
    for (uint32_t i = 0; i < TWINS; i += test_rounds(1, TEST_EMULATED ? 4 : 1)) {
        const trilo_model *source = twin_source(&twins[i]);
        twin_side reference;
        twin_reference(&twins[i], &reference);
        const file_cost theirs = cost_of(twins[i].name, reference.bytes, reference.size);
        check_order(twins[i].name, source, &theirs);
        twin_close(&reference);
        trilo_model_free(source);
    }
}

/* Two of its four materials are equal to the others: three changes are possible between objects that are sorted by
 * name, and two between any. */
TEST(merged_materials_are_ordered_as_one)
{
    test_corpus("t3dm");
    const twin p = {"01_model", "model"};
    const trilo_model *source = twin_source(&p);
    CHECK_INT(cost_encoded(p.name, source, TRILO_T3DM_ORDER_NAME).changes, 3);
    CHECK_INT(cost_encoded(p.name, source, TRILO_T3DM_ORDER_LAYER).changes, 2);
    trilo_model_free(source);
}

/* Skinned meshes with hard edges, whose matrices cost more than their vertices: the bytes that packing by bones
 * reached, with a little room. */
TEST(bones_are_loaded_together)
{
    static const struct {
        const char *path;
        uint32_t most[2]; /* at level 1 and at level 3 */
    } some[] = {{"jam/assets/old_gods/frog.glb", {217000, 215700}},
                {"jam/assets/old_gods/spider.glb", {121000, 120000}}};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i += test_rounds(1, TEST_EMULATED ? 2 : 1)) {
        trilo_error err = {0};
        const trilo_model *source = trilo_model_load_file(test_corpus(some[i].path), NULL, &err);
        CHECK(source);
        for (uint32_t l = 0; l < test_rounds(2, 1); l++) {
            t3dm_sim sim;
            run_encoded(some[i].path, source, (trilo_t3dm_write_opts){.level = l == 0 ? 1 : 3}, 0, &sim);
            if (sim.work.rsp_bytes > some[i].most[l])
                FAIL("%s: %llu bytes, more than %u", some[i].path, (unsigned long long)sim.work.rsp_bytes,
                     some[i].most[l]);
            t3dm_sim_free(&sim);
        }
        trilo_model_free(source);
    }
}

/* Each of these must be no worse than one that differs from it by one thing, and than the reference if there is one. */
static void check_levels(const char *name, const trilo_model *source, uint32_t most, const t3dm_sim *reference)
{
    t3dm_sim sims[3][2] = {{{.count = 0}}};
    for (uint32_t level = 1; level <= most; level++)
        for (int stay = 0; stay < 2; stay++) {
            t3dm_sim *sim = &sims[level - 1][stay];
            run_encoded(name, source, (trilo_t3dm_write_opts){.level = level, .resident = stay}, 0, sim);
            same_triangles(name, "more effort", sim, &sims[0][0]);
            if (level > 1)
                not_dearer(name, stay ? "a higher level, resident" : "a higher level", level, sim,
                           &sims[level - 2][stay]);
            if (stay)
                not_dearer(name, "vertices that stay", level, sim, sim - 1);
            if (reference)
                not_worse(name, "beside Tiny3D's", sim, reference);
        }
    for (uint32_t i = 0; i < 6; i++)
        t3dm_sim_free(&sims[i / 2][i % 2]);
}

/* All of the corpus at all levels takes a minute: the bench does that. */
TEST(more_effort_is_never_worse)
{
    static const struct {
        twin twin;
        uint32_t most;
    } some[] = {{{"02_lighting", "light"}, 3},       {{"03_objects", "food"}, 3},    {{"12_uv_gen", "gem"}, 3},
                {{"09_anim_viewer", "animTest"}, 3}, {{"18_particles", "scene"}, 3}, {{"20_mipmaps", "rainbow"}, 3},
                {{"09_anim_viewer", "cath"}, 2},     {{"08_animation", "snake"}, 2}, {{"14_outline", "potion"}, 2},
                {{"16_light_clip", "sceneB"}, 2}};
    test_corpus("t3dm");
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i += test_rounds(1, TEST_SLOW ? 2 : 1)) {
        const twin *p = &some[i].twin;
        const trilo_model *source = twin_source(p);
        t3dm_sim reference;
        run_reference(p, &reference);
        check_levels(p->name, source, some[i].most, &reference);
        t3dm_sim_free(&reference);
        trilo_model_free(source);
    }
}

/* Models that were not made for the console: smooth, skinned, without shared vertices. */
TEST(other_models_keep_their_triangles)
{
    static const char *const paths[] = {"gltf/Duck/Duck.glb", "gltf/CesiumMan/CesiumMan.glb",
                                        "gltf/RiggedFigure/RiggedFigure.glb", "gltf/Fox/Fox.glb"};
    for (size_t i = test_rounds(0, TEST_EMULATED); i < sizeof paths / sizeof paths[0];
         i += test_rounds(1, TEST_SLOW ? 2 : 1)) { /* sanitized and emulated builds have half each */
        trilo_error err = {0};
        const trilo_model *source = trilo_model_load_file(test_corpus(paths[i]), NULL, &err);
        if (!source)
            FAIL("%s: %s", paths[i], err.text);
        check_levels(paths[i], source, 1, NULL);
        trilo_model_free(source);
    }
}

/* Before version 4 there are no sequences. */
TEST(older_versions_draw_the_same)
{
    test_corpus("t3dm");
    for (uint32_t i = 0; i < TWINS; i += test_rounds(1, TEST_SLOW ? 4 : 1)) {
        const trilo_model *source = twin_source(&twins[i]);
        t3dm_sim now, old;
        run_encoded(twins[i].name, source, (trilo_t3dm_write_opts){.level = 1}, 0, &now);
        run_encoded(twins[i].name, source, (trilo_t3dm_write_opts){.level = 1, .version = 3}, 0, &old);
        same_triangles(twins[i].name, "version 3", &old, &now);
        CHECK_INT(old.work.sequences, 0);
        t3dm_sim_free(&now);
        t3dm_sim_free(&old);
        trilo_model_free(source);
    }
}

/* Attributes that no material shows may go; positions and bones may not. */
TEST(dropping_keeps_positions)
{
    test_corpus("t3dm");
    for (uint32_t i = 0; i < TWINS; i += test_rounds(1, TEST_SLOW ? 4 : 1)) {
        const trilo_model *source = twin_source(&twins[i]);
        t3dm_sim whole, dropped;
        run_encoded(twins[i].name, source, (trilo_t3dm_write_opts){.level = 1}, T3DM_SIM_POSITIONS, &whole);
        run_encoded(twins[i].name, source, (trilo_t3dm_write_opts){.level = 1, .drop_unused = true}, T3DM_SIM_POSITIONS,
                    &dropped);
        same_triangles(twins[i].name, "unused attributes dropped", &dropped, &whole);
        not_dearer(twins[i].name, "unused attributes dropped", 1, &dropped, &whole);
        t3dm_sim_free(&whole);
        t3dm_sim_free(&dropped);
        trilo_model_free(source);
    }
}

/* The faces of this level show whole textures. Its triangles have 470 vertices if only unused attributes are equal, and
 * 349 if islands are moved by whole repeats, with unused attributes or without. */
TEST(vertices_of_repeated_textures_are_shared)
{
    test_corpus("t3dm");
    const twin p = {"05_splitscreen", "model"};
    const trilo_model *source = twin_source(&p);
    t3dm_sim whole, shared, dropped;
    run_encoded(p.name, source, (trilo_t3dm_write_opts){.level = 3}, T3DM_SIM_POSITIONS, &whole);
    run_encoded(p.name, source, (trilo_t3dm_write_opts){.level = 3, .share_repeats = true}, T3DM_SIM_POSITIONS,
                &shared);
    run_encoded(p.name, source, (trilo_t3dm_write_opts){.level = 3, .drop_unused = true}, T3DM_SIM_POSITIONS, &dropped);
    same_triangles(p.name, "repeats shared", &shared, &whole);
    CHECK(dropped.work.vertices >= 349 && dropped.work.vertices < 380);
    CHECK(shared.work.vertices >= 349 && shared.work.vertices < 380 && whole.work.vertices >= 470);
    t3dm_sim_free(&whole);
    t3dm_sim_free(&shared);
    t3dm_sim_free(&dropped);
    trilo_model_free(source);
}

TEST_MAIN(CASE(the_reference_is_counted_right), CASE(level_1_is_never_worse),
          CASE(no_model_takes_more_cycles_or_material_changes), CASE(merged_materials_are_ordered_as_one),
          CASE(bones_are_loaded_together), CASE(more_effort_is_never_worse), CASE(other_models_keep_their_triangles),
          CASE(older_versions_draw_the_same), CASE(dropping_keeps_positions),
          CASE(vertices_of_repeated_textures_are_shared))

/* Models for graphics hardware: the same triangles in another order, their frames and joints with them; and fewer. */
#include "harness.h"
#include "support/findings.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A field of SIDE * SIDE squares that rolls in waves, every triangle with three vertices of its own. */
enum { SIDE = 12, TRIANGLES = 2 * SIDE * SIDE, CORNERS = 3 * TRIANGLES, SPARE = 5, COUNT = CORNERS + SPARE };

typedef struct field {
    float positions[COUNT][3], normals[COUNT][3], colors[COUNT][4], uvs[COUNT][2], weights[COUNT][4];
    float moved[2][COUNT][3];
    uint16_t joints[COUNT][4];
    uint32_t indices[CORNERS];
    trilo_mesh mesh;
    trilo_material material;
    trilo_node node;
    trilo_joint joint;
    trilo_skin skin;
    trilo_frame frames[3];
    trilo_track track;
    trilo_clip clip;
    trilo_model model;
} field;

static const trilo_str no_text = {"", 0};
static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

static void set_vertex(field *f, uint32_t i, int x, int y, bool flat)
{
    const float height = flat ? 0 : (float)((x * x * 7 + y * y * 5 + 3 * x * y) % 11) * 0.25f;
    const float values[3] = {(float)x, (float)y, height};
    memcpy(f->positions[i], values, sizeof values);
    f->normals[i][2] = 1;
    f->uvs[i][0] = (float)x / SIDE;
    f->uvs[i][1] = (float)y / SIDE;
    for (int k = 0; k < 4; k++)
        f->colors[i][k] = 1;
    f->weights[i][0] = 1;
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < 3; c++)
            f->moved[k][i][c] = values[c] + (float)(k + 1) * (float)(x - y);
}

/* The squares in an order that no cache likes. */
static field *new_field(bool flat)
{
    static const int corners[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
    field *f = calloc(1, sizeof *f);
    CHECK(f);
    for (uint32_t i = 0; i < CORNERS; i++) {
        const int square = (int)(i / 6 * 89 % (SIDE * SIDE)), k = (int)(i % 6);
        set_vertex(f, i, square % SIDE + corners[k][0], square / SIDE + corners[k][1], flat);
        f->indices[i] = i;
    }
    f->material = (trilo_material){.name = no_text, .texture = TRILO_NONE, .base_color = {1, 1, 1, 1}};
    f->mesh = (trilo_mesh){.name = no_text,
                           .material = 0,
                           .node = TRILO_NONE,
                           .skin = TRILO_NONE,
                           .vertex_count = COUNT,
                           .index_count = CORNERS,
                           .positions = (const float(*)[3])f->positions,
                           .normals = (const float(*)[3])f->normals,
                           .colors = (const float(*)[4])f->colors,
                           .uvs = (const float(*)[2])f->uvs,
                           .indices = f->indices};
    f->model = (trilo_model){.mesh_count = 1, .meshes = &f->mesh, .material_count = 1, .materials = &f->material};
    return f;
}

static void add_skin(field *f)
{
    f->node = (trilo_node){.name = no_text, .parent = TRILO_NONE, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    f->node.local = identity;
    f->joint = (trilo_joint){0, identity};
    f->skin = (trilo_skin){1, &f->joint};
    f->mesh.skin = 0;
    f->mesh.joints = (const uint16_t(*)[4])f->joints;
    f->mesh.weights = (const float(*)[4])f->weights;
    f->model.node_count = f->model.skin_count = 1;
    f->model.nodes = &f->node;
    f->model.skins = &f->skin;
}

/* Three frames, of which the first and the last share their array. */
static void add_frames(field *f)
{
    for (int i = 0; i < 3; i++)
        f->frames[i] = (trilo_frame){.time = i, .positions = (const float(*)[3])f->moved[i % 2]};
    f->track = (trilo_track){.mesh = 0, .frame_count = 3, .frames = f->frames};
    f->clip = (trilo_clip){.name = no_text, .duration = 3, .track_count = 1, .tracks = &f->track};
    f->model.clip_count = 1;
    f->model.clips = &f->clip;
}

static const trilo_model *optimize(const field *f, double keep, double error, listener *l)
{
    const trilo_optimize_opts opts = {
        .keep = keep, .error = error, .on_finding = l ? listen : NULL, .on_finding_user = l};
    trilo_error err = {0};
    const trilo_model *model = trilo_model_optimize(&f->model, &opts, NULL, &err);
    if (!trilo_build_has_meshoptimizer()) {
        CHECK(!model);
        CHECK_STR(err.rule, "MESH-LIBRARY");
        CHECK_INT(err.code, TRILO_CODE_UNSUPPORTED);
        SKIP("built without meshoptimizer");
    }
    if (!model)
        FAIL("%s: %s", err.path, err.text);
    CHECK(trilo_model_check(model, NULL));
    return model;
}

/* --- triangles with all that belongs to them --- */

enum { ROW = 3 + 3 + 4 + 2 + 4 + 3 + 3 };
typedef struct whole {
    float corners[3][ROW];
} whole;

static void put(float *row, int *at, const float *values, int count)
{
    memcpy(row + *at, values, (size_t)count * sizeof *values);
    *at += count;
}

static void whole_corner(const trilo_model *model, uint32_t vertex, float *row)
{
    const trilo_mesh *mesh = &model->meshes[0];
    static const float none[4] = {0};
    int at = 0;
    put(row, &at, mesh->positions[vertex], 3);
    put(row, &at, mesh->normals[vertex], 3);
    put(row, &at, mesh->colors[vertex], 4);
    put(row, &at, mesh->uvs[vertex], 2);
    put(row, &at, mesh->weights ? mesh->weights[vertex] : none, 4);
    for (int k = 0; k < 2; k++)
        put(row, &at, model->clip_count > 0 ? model->clips[0].tracks[0].frames[k].positions[vertex] : none, 3);
}

static int compare_whole(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(whole));
}

static whole *whole_triangles(const trilo_model *model, bool sorted)
{
    const trilo_mesh *mesh = &model->meshes[0];
    const uint32_t count = mesh->index_count / 3;
    whole *list = calloc(count, sizeof *list);
    CHECK(list);
    for (uint32_t i = 0; i < count; i++) {
        whole w = {{{0}}};
        int first = 0;
        for (int k = 0; k < 3; k++) {
            whole_corner(model, mesh->indices[3 * i + (uint32_t)k], w.corners[k]);
            first = memcmp(w.corners[k], w.corners[first], sizeof w.corners[k]) < 0 ? k : first;
        }
        for (int k = 0; k < 3; k++)
            memcpy(list[i].corners[k], w.corners[(first + k) % 3], sizeof w.corners[k]);
    }
    if (sorted)
        qsort(list, count, sizeof *list, compare_whole);
    return list;
}

static void check_same(const trilo_model *a, const trilo_model *b, bool sorted)
{
    CHECK_INT(b->meshes[0].index_count, a->meshes[0].index_count);
    whole *x = whole_triangles(a, sorted), *y = whole_triangles(b, sorted);
    CHECK(memcmp(x, y, a->meshes[0].index_count / 3 * sizeof *x) == 0);
    free(x);
    free(y);
}

/* Vertices that are not among the last 16 that were fetched. */
static uint32_t misses(const trilo_mesh *mesh)
{
    uint32_t cache[16], count = 0;
    memset(cache, 0xFF, sizeof cache);
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        bool found = false;
        for (int k = 0; k < 16; k++)
            found = found || cache[k] == mesh->indices[i];
        if (!found)
            cache[count++ % 16] = mesh->indices[i];
    }
    return count;
}

/* --- tests --- */

TEST(everything_moves_together)
{
    field *f = new_field(false);
    add_skin(f);
    add_frames(f);
    const trilo_model *model = optimize(f, 0, 0, NULL);
    check_same(&f->model, model, true);
    CHECK_INT(model->meshes[0].vertex_count, (SIDE + 1) * (SIDE + 1));
    CHECK_INT(misses(&f->mesh), CORNERS);
    CHECK(misses(&model->meshes[0]) < TRIANGLES); /* less than one for each triangle */
    const trilo_frame *frames = model->clips[0].tracks[0].frames;
    CHECK(frames[0].positions == frames[2].positions);
    CHECK(frames[0].positions != frames[1].positions);
    trilo_model_free(model);
    free(f);
}

/* Vertices that only one frame tells apart stay apart. */
TEST(frames_tell_vertices_apart)
{
    field *f = new_field(false);
    add_frames(f);
    for (uint32_t i = 0; i < CORNERS; i++)
        f->moved[1][i][2] = (float)i;
    const trilo_model *model = optimize(f, 0, 0, NULL);
    CHECK_INT(model->meshes[0].vertex_count, CORNERS);
    check_same(&f->model, model, true);
    trilo_model_free(model);
    free(f);
}

TEST(vertices_come_in_the_order_of_their_use)
{
    field *f = new_field(false);
    const trilo_model *model = optimize(f, 0, 0, NULL);
    const trilo_mesh *mesh = &model->meshes[0];
    uint32_t next = 0;
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        CHECK(mesh->indices[i] <= next);
        next += mesh->indices[i] == next;
    }
    CHECK_INT(next, mesh->vertex_count);
    trilo_model_free(model);
    free(f);
}

TEST(what_shines_through_keeps_its_order)
{
    field *f = new_field(false);
    f->material.alpha = TRILO_ALPHA_BLEND;
    const trilo_model *model = optimize(f, 0, 0, NULL);
    check_same(&f->model, model, false);
    CHECK_INT(model->meshes[0].vertex_count, (SIDE + 1) * (SIDE + 1));
    trilo_model_free(model);
    free(f);
}

TEST(lines_stay_lines)
{
    field *f = new_field(false);
    f->mesh.topology = TRILO_TOPOLOGY_LINES;
    const trilo_model *model = optimize(f, 0.5, 0, NULL);
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK_INT(mesh->index_count, CORNERS);
    for (uint32_t i = 0; i < CORNERS; i++)
        CHECK(memcmp(mesh->positions[mesh->indices[i]], f->positions[i], sizeof f->positions[i]) == 0);
    trilo_model_free(model);
    free(f);
}

/* A flat field needs two triangles and those along its border, which stays. */
TEST(a_flat_field_needs_few_triangles)
{
    listener l = {0};
    field *f = new_field(true);
    const trilo_model *model = optimize(f, 0, 0.001, &l);
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK(mesh->index_count / 3 < TRIANGLES / 2);
    CHECK(mesh->index_count / 3 >= 4 * SIDE - 2); /* as many as a border of 4 SIDE edges asks for */
    double area = 0;
    for (uint32_t i = 0; i < mesh->index_count; i += 3) {
        const float *a = mesh->positions[mesh->indices[i]], *b = mesh->positions[mesh->indices[i + 1]];
        const float *c = mesh->positions[mesh->indices[i + 2]];
        area += 0.5 * ((double)(b[0] - a[0]) * (c[1] - a[1]) - (double)(b[1] - a[1]) * (c[0] - a[0]));
    }
    CHECK_NEAR(area, SIDE * SIDE, 1e-3);
    CHECK(heard(&l, "MESH-SIMPLIFIED") < l.count);
    trilo_model_free(model);
    free(f);
}

TEST(half_is_half)
{
    field *f = new_field(true);
    const trilo_model *model = optimize(f, 0.5, 0, NULL);
    CHECK_NEAR(model->meshes[0].index_count / 3, TRIANGLES / 2, 4);
    trilo_model_free(model);
    free(f);
}

TEST(a_small_error_leaves_waves_alone)
{
    field *f = new_field(false);
    const trilo_model *model = optimize(f, 0.1, 1e-6, NULL);
    check_same(&f->model, model, true);
    trilo_model_free(model);
    free(f);
}

TEST(frames_are_not_simplified)
{
    listener l = {0};
    field *f = new_field(true);
    add_frames(f);
    const trilo_model *model = optimize(f, 0.5, 0, &l);
    check_same(&f->model, model, true);
    expect(&l, "MESH-FRAMES", "meshes[0]", "a mesh of frames");
    trilo_model_free(model);
    free(f);
}

TEST(what_is_no_number_is_left_alone)
{
    field *f = new_field(true);
    f->positions[7][1] = NAN;
    const trilo_model *model = optimize(f, 0.5, 0, NULL);
    CHECK_INT(model->meshes[0].index_count, CORNERS);
    trilo_model_free(model);
    free(f);
}

TEST(nothing_is_fine_too)
{
    field *f = new_field(true);
    f->mesh.vertex_count = f->mesh.index_count = 0;
    const trilo_model *model = optimize(f, 0.5, 0, NULL);
    CHECK_INT(model->meshes[0].vertex_count, 0);
    trilo_model_free(model);
    f->model = (trilo_model){.mesh_count = 0};
    model = optimize(f, 0, 0, NULL);
    CHECK_INT(model->mesh_count, 0);
    trilo_model_free(model);
    free(f);
}

TEST(memory_may_end_anywhere)
{
    field *f = new_field(true);
    bool failed = false, done = false;
    trilo_model_free(optimize(f, 0, 0, NULL));
    for (size_t limit = 4096; limit < 16u << 20 && !done; limit += limit / 8) {
        trilo_error err = {0};
        const trilo_memory memory = {.max_bytes = limit};
        const trilo_model *model = trilo_model_optimize(&f->model, &(trilo_optimize_opts){.keep = 0.5}, &memory, &err);
        done = model != NULL;
        failed = failed || !done;
        CHECK_INT(err.code, done ? TRILO_CODE_OK : TRILO_CODE_NO_MEMORY);
        trilo_model_free(model);
    }
    CHECK(failed && done);
    free(f);
}

TEST_MAIN(CASE(everything_moves_together), CASE(frames_tell_vertices_apart),
          CASE(vertices_come_in_the_order_of_their_use), CASE(what_shines_through_keeps_its_order),
          CASE(lines_stay_lines), CASE(a_flat_field_needs_few_triangles), CASE(half_is_half),
          CASE(a_small_error_leaves_waves_alone), CASE(frames_are_not_simplified),
          CASE(what_is_no_number_is_left_alone), CASE(nothing_is_fine_too), CASE(memory_may_end_anywhere))

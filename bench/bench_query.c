/* bench_query.c: spatial queries. Frustums over the largest T3DM of the corpus, beside testing every triangle;
 * rays and nearest points over a million triangles, beside Embree. */
#include "buffer.h"
#include "embree.h"
#include "harness.h"
#include "query/frustum.h"
#include "sheet.h"

#include <trilobite/load.h>
#include <trilobite/query.h>

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 20, CAMERAS = 256, BIG_ROUNDS = 5, SIDE = 708, RAYS = 10000, NUMBERS = 6, EMBREE = 3 };

/* From 0 to 1, the same every time. */
static double roll(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 33) / 2147483648.0;
}

/* ---- culling ---- */

typedef struct level {
    const trilo_model *model;
    trilo_query *query;
    trilo_frustum cameras[CAMERAS];
    tl_box *boxes; /* of all triangles, in the order of the model */
    trilo_face *found;
    uint32_t count;
    uint64_t seen[3]; /* by all cameras, of each task */
} level;

static trilo_mat4 multiply(const trilo_mat4 *a, const trilo_mat4 *b)
{
    trilo_mat4 out;
    for (int i = 0; i < 16; i++) {
        out.m[i] = 0;
        for (int k = 0; k < 4; k++)
            out.m[i] += a->m[4 * k + i % 4] * b->m[4 * (i / 4) + k];
    }
    return out;
}

/* Somewhere in the model, turned by any angle about the vertical axis, 60 degrees high at 4 to 3; it sees to the
 * model's end. */
static trilo_frustum some_camera(const trilo_bounds *b, uint64_t *dice)
{
    const double size[3] = {b->max.x - b->min.x, b->max.y - b->min.y, b->max.z - b->min.z};
    const double eye[3] = {b->min.x + size[0] * roll(dice), b->min.y + size[1] * roll(dice),
                           b->min.z + size[2] * roll(dice)};
    const double turn = 6.283185307179586 * roll(dice), c = cos(turn), s = sin(turn);
    const double far = sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]), near = far / 1000;
    const double high = 1 / tan(0.5235987755982988);
    const trilo_mat4 view = {{(float)c, 0, (float)s, 0, 0, 1, 0, 0, (float)-s, 0, (float)c, 0,
                              (float)(-c * eye[0] + s * eye[2]), (float)-eye[1], (float)(-s * eye[0] - c * eye[2]), 1}};
    const trilo_mat4 lens = {{(float)(high * 0.75), 0, 0, 0, 0, (float)high, 0, 0, 0, 0,
                              (float)((far + near) / (near - far)), -1, 0, 0, (float)(2 * far * near / (near - far)),
                              0}};
    const trilo_mat4 all = multiply(&lens, &view);
    return trilo_frustum_from_matrix(&all);
}

static tl_box triangle_box(const trilo_mesh *mesh, uint32_t triangle)
{
    tl_box box;
    const uint32_t *i = mesh->indices + 3 * (size_t)triangle;
    const float *a = mesh->positions[i[0]], *b = mesh->positions[i[1]], *c = mesh->positions[i[2]];
    for (int k = 0; k < 3; k++) {
        box.at[k] = tl_min_float(tl_min_float(a[k], b[k]), c[k]);
        box.at[k + 3] = tl_max_float(tl_max_float(a[k], b[k]), c[k]);
    }
    return box;
}

static void list_boxes(level *l)
{
    for (uint32_t m = 0; m < l->model->mesh_count; m++)
        for (uint32_t t = 0; t < l->model->meshes[m].index_count / 3; t++)
            l->boxes[l->count++] = triangle_box(&l->model->meshes[m], t);
}

static bool prepare_level(level *l, const bench_buffer *file)
{
    trilo_error err = {0};
    l->model = trilo_model_load(file->bytes, file->size, NULL, &err);
    l->query = l->model ? trilo_query_new(l->model, NULL, NULL, &err) : NULL;
    if (!l->query)
        return bench_fail("platformer", err.text);
    uint32_t count = 0;
    for (uint32_t m = 0; m < l->model->mesh_count; m++)
        count += l->model->meshes[m].index_count / 3;
    l->boxes = calloc(count, sizeof *l->boxes);
    l->found = calloc(count, sizeof *l->found);
    if (!l->boxes || !l->found)
        return bench_fail("platformer", "no memory");
    list_boxes(l);
    uint64_t dice = 1;
    const trilo_bounds bounds = trilo_query_bounds(l->query);
    for (int i = 0; i < CAMERAS; i++)
        l->cameras[i] = some_camera(&bounds, &dice);
    return true;
}

static bool run_frustums(void *context)
{
    level *l = context;
    l->seen[0] = 0;
    for (int i = 0; i < CAMERAS; i++) {
        trilo_faces list = {.faces = l->found, .room = l->count};
        trilo_query_frustum(l->query, &l->cameras[i], trilo_faces_keep, &list);
        l->seen[0] += list.count;
    }
    return true;
}

/* Without a tree: the box of every triangle of the model, made on the way or before. */
static uint64_t see_all(const level *l, bool prepared)
{
    uint64_t seen = 0;
    for (int i = 0; i < CAMERAS; i++) {
        const tl_frustum f = tl_frustum_prepare(&l->cameras[i]);
        uint32_t count = 0, box = 0;
        for (uint32_t m = 0; m < l->model->mesh_count; m++)
            for (uint32_t t = 0; t < l->model->meshes[m].index_count / 3; t++, box++) {
                const tl_box made = prepared ? l->boxes[box] : triangle_box(&l->model->meshes[m], t);
                if (tl_frustum_sees(&f, &made, ~0u))
                    l->found[count++] = (trilo_face){m, t};
            }
        seen += count;
    }
    return seen;
}

static bool run_every_triangle(void *context)
{
    level *l = context;
    l->seen[1] = see_all(l, false);
    return true;
}

static bool run_every_box(void *context)
{
    level *l = context;
    l->seen[2] = see_all(l, true);
    return true;
}

static bool count_mesh(void *user, uint32_t mesh)
{
    (void)mesh;
    ++*(uint32_t *)user;
    return true;
}

/* Boxes that the console tests for all cameras together. */
static double box_tests(const level *l, bool own_tree)
{
    trilo_model model = *l->model;
    model.bvh = own_tree ? model.bvh : NULL;
    trilo_mesh_tree *tree = trilo_mesh_tree_new(&model, NULL, NULL);
    double tests = 0;
    uint32_t seen = 0;
    for (int i = 0; tree && i < CAMERAS; i++)
        tests += trilo_mesh_tree_frustum(tree, &l->cameras[i], count_mesh, &seen);
    trilo_mesh_tree_free(tree);
    return tests;
}

static bool measure_level(bench *b, level *l)
{
    bench_task tasks[3] = {
        {.name = "query-culling/tree", .run = run_frustums, .context = l},
        {.name = "query-culling/every", .run = run_every_triangle, .context = l},
        {.name = "query-culling/every-box", .run = run_every_box, .context = l},
    };
    if (!bench_time(tasks, 3, ROUNDS))
        return false;
    if (l->seen[0] != l->seen[1] || l->seen[0] != l->seen[2])
        return bench_fail("query-culling", "the tree sees something else");
    for (int i = 0; i < 3; i++) {
        bench_row *row = bench_add(b, &tasks[i], CAMERAS, "frustums");
        if (i == 0) {
            row->ratio = tasks[1].seconds / tasks[0].seconds;
            row->ratio_to = "every";
            row->target = "20 times as fast";
        }
    }
    bench_add_size(b, &(bench_size){.name = "query-culling/objects",
                                    .what = "boxes tested",
                                    .ours = box_tests(l, false),
                                    .theirs = box_tests(l, true),
                                    .target = "at most Tiny3D's tree"});
    return true;
}

bool bench_query_culling(bench *b)
{
    const char *corpus = getenv("TRILOBITE_CORPUS");
    char path[BENCH_PATH];
    bench_buffer file = {0};
    level l = {.count = 0};
    bool ok = true;
    const int length = snprintf(path, sizeof path, "%s/t3dm/17_culling/filesystem/platformer_bvh.t3dm",
                                corpus && *corpus ? corpus : "../shared/corpus");
    if (length > 0 && length < BENCH_PATH && bench_read_file(path, &file))
        ok = prepare_level(&l, &file) && measure_level(b, &l);
    else
        bench_skip(b, "query-culling", "no platformer_bvh.t3dm in the corpus (TRILOBITE_CORPUS)");
    trilo_query_free(l.query);
    trilo_model_free(l.model);
    free(l.boxes);
    free(l.found);
    bench_buffer_free(&file);
    return ok;
}

/* ---- a million triangles ---- */

typedef struct million {
    bench_sheet sheet;
    trilo_query *query;
    embree_tree *embree;
    bench_counter counter;
    uint32_t hits, embree_hits;
} million;

static bool run_build(void *context)
{
    million *m = context;
    trilo_error err = {0};
    trilo_query_free(m->query); /* before the counter starts over */
    const trilo_memory memory = bench_counting(&m->counter);
    m->query = trilo_query_new(&m->sheet.model, NULL, &memory, &err);
    return m->query || bench_fail("query-million", err.text);
}

static bool run_refit(void *context)
{
    million *m = context;
    trilo_query_refit(m->query, &m->sheet.mesh.positions);
    return true;
}

static trilo_vec3 some_point(uint64_t *dice)
{
    const double x = SIDE * roll(dice), y = SIDE * roll(dice), z = 16 * roll(dice);
    return (trilo_vec3){(float)x, (float)y, (float)z};
}

/* From above to somewhere in the sheet, or from one place in it to another. */
static trilo_ray some_ray(uint64_t *dice, bool inner)
{
    const trilo_vec3 from = some_point(dice), to = some_point(dice);
    const float above = inner ? 0 : 100;
    return (trilo_ray){.origin = {from.x, from.y, from.z + above},
                       .direction = {to.x - from.x, to.y - from.y, to.z - from.z - above}};
}

static uint32_t cast_rays(const million *m, bool inner)
{
    uint64_t dice = inner ? 2 : 1;
    uint32_t hits = 0;
    for (int i = 0; i < RAYS; i++) {
        const trilo_ray ray = some_ray(&dice, inner);
        trilo_hit hit;
        hits += trilo_query_ray_cast(m->query, &ray, &hit) ? 1 : 0;
    }
    return hits;
}

static uint32_t cast_embree_rays(const million *m, bool inner)
{
    uint64_t dice = inner ? 2 : 1;
    uint32_t hits = 0;
    for (int i = 0; i < RAYS; i++) {
        const trilo_ray ray = some_ray(&dice, inner);
        uint32_t triangle;
        float distance;
        hits += embree_ray_cast(m->embree, &ray, &triangle, &distance) ? 1 : 0;
    }
    return hits;
}

static bool run_rays(void *context)
{
    million *m = context;
    m->hits = cast_rays(m, false);
    return m->hits > RAYS / 2 || bench_fail("query-million", "rays miss what they aim at");
}

static bool run_inner_rays(void *context)
{
    return cast_rays(context, true) > 0;
}

static bool run_embree_build(void *context)
{
    million *m = context;
    embree_free(m->embree);
    m->embree = embree_build(&m->sheet.mesh);
    return m->embree || bench_fail("query-million", "Embree cannot build its tree");
}

static bool run_embree_rays(void *context)
{
    million *m = context;
    m->embree_hits = cast_embree_rays(m, false);
    return true;
}

static bool run_embree_inner_rays(void *context)
{
    return cast_embree_rays(context, true) > 0;
}

static bool run_nearest(void *context)
{
    million *m = context;
    uint64_t dice = 3;
    for (int i = 0; i < RAYS; i++) {
        trilo_hit hit;
        if (!trilo_query_closest_point(m->query, some_point(&dice), 0, &hit))
            return bench_fail("query-million", "nothing is nearest");
    }
    return true;
}

static bool run_spheres(void *context)
{
    million *m = context;
    uint64_t dice = 4;
    for (int i = 0; i < RAYS; i++) {
        trilo_faces list = {.room = 0};
        trilo_query_sphere(m->query, some_point(&dice), 4, trilo_faces_keep, &list);
    }
    return true;
}

/* Embree rounds to floats, so it may miss a few of the rays that graze an edge. */
static bool measure_million(bench *b, million *m)
{
    bench_task tasks[NUMBERS + EMBREE] = {
        {.name = "query-million/build", .run = run_build, .context = m},
        {.name = "query-million/rays", .run = run_rays, .context = m},
        {.name = "query-million/inner-rays", .run = run_inner_rays, .context = m},
        {.name = "query-million/refit", .run = run_refit, .context = m},
        {.name = "query-million/nearest", .run = run_nearest, .context = m},
        {.name = "query-million/spheres", .run = run_spheres, .context = m},
        {.name = "query-million/embree-build", .run = run_embree_build, .context = m},
        {.name = "query-million/embree-rays", .run = run_embree_rays, .context = m},
        {.name = "query-million/embree-inner", .run = run_embree_inner_rays, .context = m},
    };
    static const char *const targets[EMBREE] = {"0.6 of Embree", "0.8 of Embree", "0.8 of Embree"};
    const double triangles = m->sheet.mesh.index_count / 3;
    const bool embree = embree_there();
    if (!bench_time(tasks, NUMBERS + (embree ? EMBREE : 0), BIG_ROUNDS))
        return false;
    if (embree && (m->embree_hits > m->hits || m->embree_hits + RAYS / 1000 < m->hits))
        return bench_fail("query-million", "Embree hits something else");
    for (int i = 0; i < NUMBERS + (embree ? EMBREE : 0); i++) {
        bench_row *row = i % NUMBERS == 0 || i == 3
                             ? bench_add(b, &tasks[i], triangles, "triangles")
                             : bench_add(b, &tasks[i], RAYS, i == 4 || i == 5 ? "queries" : "rays");
        if (i == 0) {
            row->memory_known = true;
            row->memory_hook = m->counter.most;
            row->memory_anon = -1;
        }
        if (i < EMBREE && embree) {
            row->ratio = tasks[NUMBERS + i].seconds / tasks[i].seconds;
            row->ratio_to = "Embree";
            row->target = targets[i];
        }
    }
    if (!embree)
        bench_skip(b, "query-million/embree", "not installed (libembree-dev)");
    return true;
}

bool bench_query_million(bench *b)
{
    million m = {.hits = 0};
    const bool ok = bench_sheet_make(&m.sheet, SIDE) && measure_million(b, &m);
    trilo_query_free(m.query);
    embree_free(m.embree);
    bench_sheet_free(&m.sheet);
    return ok;
}

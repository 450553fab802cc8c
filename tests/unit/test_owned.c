#include "harness.h"
#include "model/owned.h"
#include "support/exercise.h"

#include <stdlib.h>
#include <string.h>

/* ---- a model with one of everything ---- */

enum { VERTICES = 3, IMAGE_SIZE = 6000 };
typedef struct fixture {
    trilo_model model;
    trilo_mesh meshes[2];
    trilo_material materials[2];
    trilo_texture textures[2];
    trilo_node nodes[2];
    trilo_skin skins[1];
    trilo_joint joints[2];
    trilo_clip clips[1];
    trilo_channel channels[3];
    trilo_track tracks[2];
    trilo_frame frames[4];
    float poses[2][VERTICES][3], slopes[VERTICES][3];
    float positions[VERTICES][3], normals[VERTICES][3], colors[VERTICES][4], uvs[VERTICES][2], weights[VERTICES][4];
    uint16_t vertex_joints[VERTICES][4];
    uint32_t indices[3];
    double times[2];
    float moves[6], turns[8], scales[18]; /* the last are curves */
    uint8_t image[IMAGE_SIZE];
    char names[17][16]; /* mesh, 2 materials, texture, path, 2 nodes, clip, one more, 8 for notes */
} fixture;

/* Each number differs from its neighbours, so that a shifted or shortened copy is seen. */
static void fill_floats(void *array, size_t count, float first)
{
    for (size_t i = 0; i < count; i++)
        ((float *)array)[i] = first + (float)i * 0.5f;
}

static trilo_str name_of(fixture *f, int which)
{
    strcpy(f->names[which], "name with a 0");
    f->names[which][12] = (char)('A' + which);
    return (trilo_str){f->names[which], 13};
}

static trilo_extras extras_of(fixture *f, int which)
{
    return (trilo_extras){name_of(f, which), name_of(f, which + 1)};
}

static void fill_mesh(fixture *f)
{
    fill_floats(f->positions, VERTICES * 3, 1);
    fill_floats(f->normals, VERTICES * 3, 100);
    fill_floats(f->colors, VERTICES * 4, 200);
    fill_floats(f->uvs, VERTICES * 2, 300);
    fill_floats(f->weights, VERTICES * 4, 400);
    for (int i = 0; i < VERTICES * 4; i++)
        f->vertex_joints[i / 4][i % 4] = (uint16_t)(i % 2);
    for (uint32_t i = 0; i < 3; i++)
        f->indices[i] = 2 - i;
    f->meshes[0] = (trilo_mesh){.name = name_of(f, 0),
                                .topology = TRILO_TOPOLOGY_TRIANGLES,
                                .material = 1,
                                .node = TRILO_NONE,
                                .skin = 0,
                                .vertex_count = VERTICES,
                                .index_count = 3,
                                .positions = (const float(*)[3])f->positions,
                                .normals = (const float(*)[3])f->normals,
                                .colors = (const float(*)[4])f->colors,
                                .uvs = (const float(*)[2])f->uvs,
                                .joints = (const uint16_t(*)[4])f->vertex_joints,
                                .weights = (const float(*)[4])f->weights,
                                .indices = f->indices,
                                .extras = extras_of(f, 9)};
    f->meshes[1] =
        (trilo_mesh){.topology = TRILO_TOPOLOGY_LINES, .material = TRILO_NONE, .node = 1, .skin = TRILO_NONE};
}

static void fill_looks(fixture *f)
{
    for (uint32_t i = 0; i < 2; i++) {
        f->materials[i] = (trilo_material){.name = name_of(f, 1 + (int)i), .texture = i, .alpha = TRILO_ALPHA_BLEND};
        f->materials[i].two_sided = f->materials[i].unlit = i == 1;
        f->materials[i].alpha_cutoff = 0.25f + (float)i;
        fill_floats(f->materials[i].base_color, 4, (float)i);
    }
    for (int i = 0; i < IMAGE_SIZE; i++)
        f->image[i] = (uint8_t)(i * 7);
    f->textures[0] = (trilo_texture){.name = name_of(f, 3), .kind = TRILO_IMAGE_KIND_PNG, .width = 16, .height = 32};
    f->textures[0].bytes = (trilo_bytes){f->image, IMAGE_SIZE};
    f->textures[1] =
        (trilo_texture){.path = name_of(f, 4), .wrap = {TRILO_WRAP_MIRROR, TRILO_WRAP_CLAMP}, .nearest = true};
    f->materials[1].extras = extras_of(f, 11);
}

static void fill_motion(fixture *f)
{
    for (uint32_t i = 0; i < 2; i++) {
        f->nodes[i].name = name_of(f, 5 + (int)i);
        f->nodes[i].parent = i == 0 ? TRILO_NONE : 0;
        f->nodes[i].sheared = i == 1;
        f->nodes[i].translation.x = 9;
        f->nodes[i].rotation.w = 1;
        f->nodes[i].scale.z = 3;
        fill_floats(f->nodes[i].local.m, 16, 500 + (float)i);
        f->joints[i].node = 1 - i;
        fill_floats(f->joints[i].inverse_bind.m, 16, 600 + (float)i);
    }
    f->skins[0] = (trilo_skin){2, f->joints};
    f->times[0] = 0.25, f->times[1] = 0.5;
    fill_floats(f->moves, 6, 700);
    fill_floats(f->turns, 8, 800);
    fill_floats(f->scales, 18, 900);
    f->nodes[1].extras = extras_of(f, 13);
    f->channels[0] =
        (trilo_channel){.target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = f->times, .values = f->moves};
    f->channels[1] =
        (trilo_channel){.target = TRILO_TARGET_ROTATION, .key_count = 2, .times = f->times, .values = f->turns};
    f->channels[2] = (trilo_channel){
        .node = 1, .target = TRILO_TARGET_SCALE, .key_count = 2, .times = f->times, .values = f->scales};
    f->channels[1].interpolation = TRILO_INTERPOLATION_STEP;
    f->channels[2].interpolation = TRILO_INTERPOLATION_CUBIC;
    f->clips[0] =
        (trilo_clip){.name = name_of(f, 7), .duration = 1.5, .rate = 1000, .channel_count = 3, .channels = f->channels};
}

/* The first and the last frame are equal; the mesh without vertices has a frame that names no array. */
static void fill_frames(fixture *f)
{
    fill_floats(f->poses, 2 * VERTICES * 3, 1000);
    fill_floats(f->slopes, VERTICES * 3, 1100);
    for (int i = 0; i < 3; i++) {
        f->frames[i] = (trilo_frame){.time = 0.25 * i, .positions = (const float(*)[3])f->poses[i % 2]};
        f->frames[i].normals = i == 1 ? (const float(*)[3])f->slopes : NULL;
    }
    f->frames[3].time = 0.125;
    f->tracks[0] = (trilo_track){.mesh = 0, .frame_count = 3, .frames = f->frames};
    f->tracks[1] = (trilo_track){.mesh = 1, .frame_count = 1, .frames = f->frames + 3};
    f->clips[0].track_count = 2;
    f->clips[0].tracks = f->tracks;
}

static void fixture_fill(fixture *f)
{
    memset(f, 0, sizeof *f);
    fill_mesh(f);
    fill_looks(f);
    fill_motion(f);
    fill_frames(f);
    f->model = (trilo_model){.format = TRILO_FORMAT_NLM,
                             .version = 2,
                             .source_hash = 0xABCD,
                             .resized = true,
                             .source_bounds = {{1, 2, 3}, {4, 5, 6}},
                             .mesh_count = 2,
                             .material_count = 2,
                             .texture_count = 2,
                             .node_count = 2,
                             .skin_count = 1,
                             .clip_count = 1,
                             .meshes = f->meshes,
                             .materials = f->materials,
                             .textures = f->textures,
                             .nodes = f->nodes,
                             .skins = f->skins,
                             .clips = f->clips,
                             .extras = extras_of(f, 15)};
}

/* ---- equality of two models, member by member ---- */

static void equal_str(trilo_str got, trilo_str want)
{
    CHECK(got.data != NULL); /* never NULL in what the library makes */
    CHECK_INT(got.len, want.len);
    CHECK(want.len == 0 || memcmp(got.data, want.data, want.len) == 0);
    CHECK_INT(got.data[got.len], 0);
}

static void equal_extras(trilo_extras got, trilo_extras want)
{
    equal_str(got.json, want.json);
    equal_str(got.extensions, want.extensions);
}

/* An array of `size` bytes, or none in both. */
static void equal_array(const void *got, const void *want, size_t size)
{
    CHECK_INT(got != NULL, want != NULL);
    CHECK(!got || memcmp(got, want, size) == 0);
}

static void equal_mesh(const trilo_mesh *got, const trilo_mesh *want)
{
    const size_t n = want->vertex_count;
    equal_str(got->name, want->name);
    CHECK_INT(got->topology, want->topology);
    CHECK_INT(got->material, want->material);
    CHECK_INT(got->node, want->node);
    CHECK_INT(got->skin, want->skin);
    CHECK_INT(got->vertex_count, want->vertex_count);
    CHECK_INT(got->index_count, want->index_count);
    equal_array(got->positions, want->positions, n * 12);
    equal_array(got->normals, want->normals, n * 12);
    equal_array(got->colors, want->colors, n * 16);
    equal_array(got->uvs, want->uvs, n * 8);
    equal_array(got->joints, want->joints, n * 8);
    equal_array(got->weights, want->weights, n * 16);
    equal_array(got->indices, want->indices, want->index_count * 4u);
    equal_extras(got->extras, want->extras);
}

static void equal_looks(const trilo_model *got, const trilo_model *want)
{
    for (uint32_t i = 0; i < want->material_count; i++) {
        const trilo_material *a = &got->materials[i], *b = &want->materials[i];
        equal_str(a->name, b->name);
        CHECK(memcmp(a->base_color, b->base_color, sizeof a->base_color) == 0);
        CHECK_INT(a->texture, b->texture);
        CHECK_INT(a->alpha, b->alpha);
        CHECK_INT(a->two_sided, b->two_sided);
        CHECK_INT(a->unlit, b->unlit);
        CHECK(a->alpha_cutoff == b->alpha_cutoff);
        equal_extras(a->extras, b->extras);
    }
    for (uint32_t i = 0; i < want->texture_count; i++) {
        const trilo_texture *a = &got->textures[i], *b = &want->textures[i];
        equal_str(a->name, b->name);
        equal_str(a->path, b->path);
        CHECK_INT(a->bytes.size, b->bytes.size);
        equal_array(a->bytes.data, b->bytes.data, b->bytes.size);
        CHECK_INT(a->kind, b->kind);
        CHECK_INT(a->width, b->width);
        CHECK_INT(a->height, b->height);
        CHECK_INT(a->wrap[0], b->wrap[0]);
        CHECK_INT(a->wrap[1], b->wrap[1]);
        CHECK_INT(a->nearest, b->nearest);
    }
}

static void equal_track(const trilo_track *got, const trilo_track *want, size_t vertices)
{
    CHECK_INT(got->mesh, want->mesh);
    CHECK_INT(got->frame_count, want->frame_count);
    for (uint32_t i = 0; i < want->frame_count; i++) {
        CHECK(got->frames[i].time == want->frames[i].time);
        equal_array(got->frames[i].positions, want->frames[i].positions, vertices * 12);
        equal_array(got->frames[i].normals, want->frames[i].normals, vertices * 12);
    }
}

static void equal_clip(const trilo_clip *got, const trilo_clip *want, const trilo_mesh *meshes)
{
    equal_str(got->name, want->name);
    CHECK(got->duration == want->duration);
    CHECK(got->rate == want->rate);
    CHECK_INT(got->channel_count, want->channel_count);
    for (uint32_t i = 0; i < want->channel_count; i++) {
        const trilo_channel *a = &got->channels[i], *b = &want->channels[i];
        CHECK_INT(a->node, b->node);
        CHECK_INT(a->target, b->target);
        CHECK_INT(a->interpolation, b->interpolation);
        CHECK_INT(a->key_count, b->key_count);
        equal_array(a->times, b->times, b->key_count * sizeof(double));
        const size_t values = b->key_count * (b->interpolation == TRILO_INTERPOLATION_CUBIC ? 3u : 1u);
        equal_array(a->values, b->values, values * trilo_target_width(b->target) * sizeof(float));
    }
    CHECK_INT(got->track_count, want->track_count);
    for (uint32_t i = 0; i < want->track_count; i++)
        equal_track(&got->tracks[i], &want->tracks[i], meshes[want->tracks[i].mesh].vertex_count);
}

static void equal_motion(const trilo_model *got, const trilo_model *want)
{
    for (uint32_t i = 0; i < want->node_count; i++) {
        const trilo_node *a = &got->nodes[i], *b = &want->nodes[i];
        equal_str(a->name, b->name);
        CHECK_INT(a->parent, b->parent);
        CHECK_INT(a->sheared, b->sheared);
        CHECK(memcmp(&a->translation, &b->translation, sizeof a->translation) == 0);
        CHECK(memcmp(&a->rotation, &b->rotation, sizeof a->rotation) == 0);
        CHECK(memcmp(&a->scale, &b->scale, sizeof a->scale) == 0);
        CHECK(memcmp(&a->local, &b->local, sizeof a->local) == 0);
        equal_extras(a->extras, b->extras);
    }
    for (uint32_t i = 0; i < want->skin_count; i++) {
        CHECK_INT(got->skins[i].joint_count, want->skins[i].joint_count);
        equal_array(got->skins[i].joints, want->skins[i].joints, want->skins[i].joint_count * sizeof(trilo_joint));
    }
    for (uint32_t i = 0; i < want->clip_count; i++)
        equal_clip(&got->clips[i], &want->clips[i], want->meshes);
}

static void equal_model(const trilo_model *got, const trilo_model *want)
{
    CHECK_INT(got->format, want->format);
    CHECK_INT(got->version, want->version);
    CHECK_INT(got->source_hash, want->source_hash);
    CHECK_INT(got->resized, want->resized);
    CHECK(memcmp(&got->source_bounds, &want->source_bounds, sizeof want->source_bounds) == 0);
    CHECK_INT(got->mesh_count, want->mesh_count);
    CHECK_INT(got->material_count, want->material_count);
    CHECK_INT(got->texture_count, want->texture_count);
    CHECK_INT(got->node_count, want->node_count);
    CHECK_INT(got->skin_count, want->skin_count);
    CHECK_INT(got->clip_count, want->clip_count);
    for (uint32_t i = 0; i < want->mesh_count; i++)
        equal_mesh(&got->meshes[i], &want->meshes[i]);
    equal_looks(got, want);
    equal_motion(got, want);
    equal_extras(got->extras, want->extras);
}

/* ---- copies ---- */

/* The original is filled with rubbish after the copy: whatever was shared would show it. */
TEST(a_copy_is_equal_and_shares_nothing)
{
    static fixture original, twin;
    fixture_fill(&original);
    fixture_fill(&twin);
    meter h = {0};
    const trilo_memory memory = meter_memory(&h, 0);
    tl_owned_model *owned = tl_owned_model_new(&memory);
    CHECK(owned != NULL);
    CHECK(tl_model_copy(&owned->arena, &original.model, &owned->model));
    equal_model(&owned->model, &original.model);
    memset(&original, 0xEE, sizeof original);
    equal_model(&owned->model, &twin.model);
    trilo_model_free(&owned->model);
    CHECK_INT(h.now, 0);
}

/* ---- frames ---- */

static bool frames_share(const trilo_track *a, uint32_t i, const trilo_track *b, uint32_t k)
{
    return a->frames[i].positions == b->frames[k].positions;
}

/* Two meshes, two clips: what frames of a mesh share they share again, also from clip to clip; what frames of two
 * meshes share falls apart, and so do positions that serve as normals, or as those of the mesh. */
TEST(frames_go_on_sharing)
{
    static float pose[2][2][3] = {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {10, 11, 12}}};
    const float(*a)[3] = (const float(*)[3])pose[0], (*b)[3] = (const float(*)[3])pose[1];
    const trilo_frame frames[4] = {{0, a, NULL}, {1, b, a}, {2, a, b}, {3, a, a}};
    const trilo_track walk[2] = {{.mesh = 1, .frame_count = 4, .frames = frames},
                                 {.mesh = 0, .frame_count = 2, .frames = frames}},
                      run[2] = {{.mesh = 0, .frame_count = 3, .frames = frames + 1},
                                {.mesh = 1, .frame_count = 1, .frames = frames + 3}};
    const trilo_clip clips[2] = {{.track_count = 2, .tracks = walk}, {.track_count = 2, .tracks = run}};
    const trilo_mesh meshes[2] = {{.vertex_count = 1, .positions = a}, {.vertex_count = 2, .positions = a}};
    const trilo_model model = {.mesh_count = 2, .meshes = meshes, .clip_count = 2, .clips = clips};
    tl_owned_model *owned = tl_owned_model_new(NULL);
    CHECK(tl_model_copy(&owned->arena, &model, &owned->model));
    equal_model(&owned->model, &model);
    const trilo_track *w = owned->model.clips[0].tracks, *r = owned->model.clips[1].tracks;
    CHECK(frames_share(&w[0], 0, &w[0], 2) && frames_share(&w[0], 0, &w[0], 3) && frames_share(&w[0], 0, &r[1], 0));
    CHECK(frames_share(&w[1], 0, &r[0], 1) && frames_share(&w[1], 1, &r[0], 0));
    CHECK(!frames_share(&w[0], 0, &w[0], 1) && !frames_share(&w[0], 0, &w[1], 0));
    CHECK(w[0].frames[1].normals == w[0].frames[3].normals && w[0].frames[1].normals == r[1].frames[0].normals);
    CHECK(w[0].frames[3].normals != w[0].frames[3].positions);
    CHECK(w[0].frames[0].positions != owned->model.meshes[1].positions && w[0].frames[0].positions != a);
    trilo_model_free(&owned->model);
}

/* 30000 frames of two arrays of 3000 vertices each would be a gigabyte apart; together they are two arrays and the
 * frames themselves. The addresses come in no order. */
TEST(many_frames_of_one_array_stay_small)
{
    enum { MANY = 30000, LARGE = 3000 };
    static float poses[2][LARGE][3];
    static trilo_frame frames[MANY];
    for (int i = 0; i < MANY; i++)
        frames[i] = (trilo_frame){.time = i, .positions = (const float(*)[3])poses[(i * 7 + i / 11) % 2]};
    const trilo_track track = {.mesh = 0, .frame_count = MANY, .frames = frames};
    const trilo_clip clip = {.track_count = 1, .tracks = &track};
    const trilo_mesh mesh = {.vertex_count = LARGE, .positions = (const float(*)[3])poses[0]};
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh, .clip_count = 1, .clips = &clip};
    meter h = {0};
    const trilo_memory memory = meter_memory(&h, 8 << 20);
    tl_owned_model *owned = tl_owned_model_new(&memory);
    CHECK(owned && tl_model_copy(&owned->arena, &model, &owned->model));
    CHECK(h.now < 4 << 20);
    equal_model(&owned->model, &model);
    trilo_model_free(&owned->model);
    CHECK_INT(h.now, 0);
}

TEST(names_that_are_null_become_empty)
{
    static fixture f;
    fixture_fill(&f);
    const trilo_str none = {NULL, 0};
    f.meshes[0].name = f.materials[0].name = f.materials[1].name = none;
    f.textures[0].name = f.textures[1].path = none;
    f.nodes[0].name = f.nodes[1].name = f.clips[0].name = none;
    tl_owned_model *owned = tl_owned_model_new(NULL);
    CHECK(tl_model_copy(&owned->arena, &f.model, &owned->model));
    equal_model(&owned->model, &f.model);
    CHECK_STR(owned->model.meshes[0].name.data, "");
    CHECK_STR(owned->model.clips[0].name.data, "");
    CHECK_STR(owned->model.textures[1].path.data, "");
    trilo_model_free(&owned->model);
}

TEST(missing_arrays_stay_missing)
{
    static fixture f;
    fixture_fill(&f);
    f.meshes[0].normals = NULL, f.meshes[0].colors = NULL, f.meshes[0].uvs = NULL;
    f.meshes[0].joints = NULL, f.meshes[0].weights = NULL;
    tl_owned_model *owned = tl_owned_model_new(NULL);
    CHECK(tl_model_copy(&owned->arena, &f.model, &owned->model));
    equal_model(&owned->model, &f.model);
    CHECK(owned->model.meshes[1].positions == NULL);
    CHECK(owned->model.textures[1].bytes.data == NULL);
    trilo_model_free(&owned->model);
}

TEST(an_empty_model_can_be_copied)
{
    const trilo_model empty = {0};
    trilo_model copy;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_model_copy(&arena, &empty, &copy));
    equal_model(&copy, &empty);
    CHECK(copy.meshes == NULL && copy.nodes == NULL && copy.clips == NULL);
    tl_arena_free(&arena);
}

/* Lists that are there but have no entries, into an arena that has no memory yet. */
TEST(lists_without_entries_can_be_copied)
{
    static fixture f;
    fixture_fill(&f);
    f.model.mesh_count = f.model.material_count = f.model.texture_count = 0;
    f.model.node_count = f.model.skin_count = f.model.clip_count = 0;
    trilo_model copy;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_model_copy(&arena, &f.model, &copy));
    equal_model(&copy, &f.model);
    tl_arena_free(&arena);
}

/* ---- memory ---- */

TEST(a_new_model_is_empty)
{
    meter h = {0};
    const trilo_model empty = {0};
    const trilo_memory memory = meter_memory(&h, 0);
    tl_owned_model *owned = tl_owned_model_new(&memory);
    equal_model(&owned->model, &empty);
    CHECK((void *)&owned->model == (void *)owned);
    CHECK(h.now > 0);
    trilo_model_free(&owned->model);
    CHECK_INT(h.now, 0);
    trilo_model_free(NULL);
}

/* A format without notes leaves them NULL; a loaded model has none of those. What is there stays. */
TEST(extras_are_never_null)
{
    static fixture f;
    fixture_fill(&f);
    const char *extras = f.nodes[1].extras.json.data;
    tl_model_fill_extras(&f.model);
    CHECK(f.nodes[1].extras.json.data == extras);
    CHECK_STR(f.nodes[0].extras.json.data, "");
    CHECK_STR(f.meshes[1].extras.extensions.data, "");
    CHECK_STR(f.materials[0].extras.extensions.data, "");
    f.model = (trilo_model){0};
    tl_model_fill_extras(&f.model);
    CHECK_STR(f.model.extras.json.data, "");
    CHECK_STR(f.model.extras.extensions.data, "");
}

TEST(no_memory_for_a_new_model)
{
    meter h = {.fail_at = 1};
    const trilo_memory memory = meter_memory(&h, 0);
    CHECK(tl_owned_model_new(&memory) == NULL);
    CHECK(tl_owned_model_new(&(trilo_memory){.max_bytes = 16}) == NULL);
    CHECK_INT(h.now, 0);
}

/* False, and nothing leaks, whichever call of the hook fails. */
TEST(every_refusal_of_the_hook)
{
    static fixture f;
    fixture_fill(&f);
    size_t refused = 0;
    for (size_t deny = 1;; deny++) {
        meter h = {.fail_at = deny};
        const trilo_memory memory = meter_memory(&h, 0);
        tl_owned_model *owned = tl_owned_model_new(&memory);
        bool copied = owned && tl_model_copy(&owned->arena, &f.model, &owned->model);
        const bool reached = h.calls >= deny;
        trilo_model_free(owned ? &owned->model : NULL);
        CHECK_INT(h.now, 0);
        CHECK_INT(copied, !reached);
        if (!reached)
            break;
        refused++;
    }
    CHECK(refused >= 2); /* the first block, and one for the image */
}

/* The same at every place where the limit can strike: each array and each string in turn is the one too many. */
TEST(every_limit)
{
    static fixture f;
    fixture_fill(&f);
    size_t limit = 16;
    for (bool copied = false; !copied; limit += 8) {
        meter h = {0};
        const trilo_memory memory = meter_memory(&h, limit);
        tl_owned_model *owned = tl_owned_model_new(&memory);
        copied = owned && tl_model_copy(&owned->arena, &f.model, &owned->model);
        CHECK(h.now <= limit);
        if (copied)
            equal_model(&owned->model, &f.model);
        trilo_model_free(owned ? &owned->model : NULL);
        CHECK_INT(h.now, 0);
    }
    CHECK(limit > IMAGE_SIZE); /* it has to hold the image at least */
}

TEST_MAIN(CASE(a_copy_is_equal_and_shares_nothing), CASE(frames_go_on_sharing),
          CASE(many_frames_of_one_array_stay_small), CASE(names_that_are_null_become_empty),
          CASE(missing_arrays_stay_missing), CASE(an_empty_model_can_be_copied),
          CASE(lists_without_entries_can_be_copied), CASE(a_new_model_is_empty), CASE(extras_are_never_null),
          CASE(no_memory_for_a_new_model), CASE(every_refusal_of_the_hook), CASE(every_limit))

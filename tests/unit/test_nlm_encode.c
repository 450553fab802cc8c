/* What becomes of models that were not NLM files: what NLM can hold arrives, what it cannot is reported. */
#include "harness.h"
#include "support/buffer.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A model of one triangle, filled in by hand; every test changes a part of it. */
typedef struct sample {
    float positions[3][3], normals[3][3], colors[3][4];
    uint16_t joints[3][4];
    float weights[3][4];
    uint32_t indices[3];
    trilo_mesh mesh;
    trilo_material material;
    trilo_texture texture;
    trilo_node nodes[2];
    trilo_joint joint[2];
    trilo_skin skins[2];
    double times[2];
    float values[8];
    trilo_channel channel;
    trilo_clip clips[2];
    trilo_model model;
} sample;

static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

static void sample_fill(sample *s)
{
    static const float positions[3][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}};
    memset(s, 0, sizeof *s);
    memcpy(s->positions, positions, sizeof positions);
    for (uint32_t i = 0; i < 3; i++) {
        s->normals[i][2] = 1;
        s->indices[i] = i;
        s->weights[i][0] = 1;
        for (int k = 0; k < 4; k++)
            s->colors[i][k] = 1;
    }
    for (uint32_t i = 0; i < 2; i++)
        s->nodes[i] =
            (trilo_node){.parent = i == 0 ? TRILO_NONE : 0, .rotation.w = 1, .scale = {1, 1, 1}, .local = identity};
    s->mesh = (trilo_mesh){.material = TRILO_NONE,
                           .node = TRILO_NONE,
                           .skin = TRILO_NONE,
                           .vertex_count = 3,
                           .index_count = 3,
                           .positions = (const float(*)[3])s->positions,
                           .normals = (const float(*)[3])s->normals,
                           .indices = s->indices};
    s->model = (trilo_model){.mesh_count = 1, .meshes = &s->mesh};
    s->material = (trilo_material){.base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    s->joint[0] = s->joint[1] = (trilo_joint){1, identity};
    s->times[1] = 1;
    s->values[3] = 5; /* x of the second key */
    s->channel = (trilo_channel){
        .node = 1, .target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = s->times, .values = s->values};
    s->clips[0] = s->clips[1] = (trilo_clip){.duration = 1, .channel_count = 1, .channels = &s->channel};
}

static void add_nodes(sample *s)
{
    s->model.nodes = s->nodes;
    s->model.node_count = 2;
    s->nodes[1].translation = (trilo_vec3){0, 0, 7};
    s->nodes[1].local.m[14] = 7;
}

static void add_clip(sample *s)
{
    s->model.clips = s->clips;
    s->model.clip_count = 1;
}

static void add_skin(sample *s)
{
    s->skins[0] = s->skins[1] = (trilo_skin){1, s->joint};
    s->model.skins = s->skins;
    s->model.skin_count = 1;
    s->mesh.skin = 0;
    s->mesh.joints = (const uint16_t(*)[4])s->joints;
    s->mesh.weights = (const float(*)[4])s->weights;
}

static void note(void *user, const trilo_finding *finding)
{
    char *heard = user;
    strcat(heard, finding->rule);
    strcat(heard, " ");
}

/* Writes the model, reads it again; `heard` receives the rules of what was reported. */
static const trilo_model *through_nlm(const trilo_model *model, char heard[512])
{
    buffer file = {0};
    trilo_error err = {0};
    heard[0] = '\0';
    const trilo_write_opts opts = {.format = TRILO_FORMAT_NLM, .on_finding = note, .on_finding_user = heard};
    if (!trilo_model_write(model, &opts, buffer_sink, &file, &err))
        FAIL("%s: %s", err.path, err.text);
    const trilo_model *again = trilo_model_load(file.data, file.size, NULL, &err);
    buffer_free(&file);
    if (!again)
        FAIL("%s: %s", err.path, err.text);
    return again;
}

TEST(plain_triangle_loses_nothing)
{
    sample s;
    char heard[512];
    sample_fill(&s);
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK_STR(heard, "");
    CHECK(memcmp(again->meshes[0].positions, s.positions, sizeof s.positions) == 0);
    CHECK(again->meshes[0].colors[2][1] == 1);
    CHECK(!again->resized); /* its box is its own */
    trilo_model_free(again);
}

TEST(normals_are_made)
{
    sample s;
    char heard[512];
    sample_fill(&s);
    s.mesh.normals = NULL;
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK_STR(heard, "NLM-MADE-NORMALS ");
    CHECK(again->meshes[0].normals[1][2] == 1 && again->meshes[0].normals[1][0] == 0);
    trilo_model_free(again);
}

/* Two triangles of different size and direction, away from the origin: the shared corners get the mean, weighted by
 * area. The edges from (5, 7, 9) are (2, 0, 0), (0, 1, 0) and (0, 0, 3), so the cross products are (0, 0, 2) and
 * (0, -6, 0). */
TEST(made_normals_are_weighted_by_area)
{
    static const float positions[4][3] = {{5, 7, 9}, {7, 7, 9}, {5, 8, 9}, {5, 7, 12}};
    static const uint32_t indices[6] = {0, 1, 2, 0, 1, 3};
    static const double want[4][3] = {{0, -6, 2}, {0, -6, 2}, {0, 0, 1}, {0, -1, 0}};
    sample s;
    char heard[512];
    sample_fill(&s);
    s.mesh.normals = NULL;
    s.mesh.positions = positions, s.mesh.vertex_count = 4;
    s.mesh.indices = indices, s.mesh.index_count = 6;
    const trilo_model *again = through_nlm(&s.model, heard);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(again->meshes[0].normals[i][k], want[i][k] / (i < 2 ? sqrt(40) : 1), 1e-6);
    trilo_model_free(again);
}

/* A triangle that no axis is special for: the cross product of (1, 2, 3) and (2, -1, 5) is (13, 1, -5). */
TEST(a_made_normal_is_the_cross_product)
{
    static const float positions[3][3] = {{5, 7, 9}, {6, 9, 12}, {7, 6, 14}};
    static const double want[3] = {13, 1, -5};
    sample s;
    char heard[512];
    sample_fill(&s);
    s.mesh.normals = NULL;
    s.mesh.positions = positions;
    const trilo_model *again = through_nlm(&s.model, heard);
    for (int i = 0; i < 9; i++)
        CHECK_NEAR(again->meshes[0].normals[i / 3][i % 3], want[i % 3] / sqrt(195), 1e-6);
    trilo_model_free(again);
}

/* The box of a model without vertices is all zeros. */
TEST(no_mesh_has_an_empty_box)
{
    sample s;
    buffer file = {0};
    sample_fill(&s);
    s.model.mesh_count = 0;
    CHECK(trilo_model_write(&s.model, &(trilo_write_opts){.format = TRILO_FORMAT_NLM}, buffer_sink, &file, NULL));
    CHECK_INT(file.size, 16 + 24 + 4);
    for (size_t at = 12; at < file.size; at += 4) /* neither animated */
        CHECK_INT(buffer_get_u32(&file, at), 0);
    CHECK_INT(buffer_get_u32(&file, 0), 2166136261u);
    buffer_free(&file);
}

/* Ticks are whole numbers of a second: other rates become 1000. */
TEST(rates_that_can_be_kept)
{
    static const struct {
        double rate, kept;
    } all[] = {{0, 1000},           {0.5, 1000}, {1, 1},     {2, 2},
               {29.97, 1000},       {30, 30},    {-1, 1000}, {2147483647.0, 2147483647.0},
               {2147483648.0, 1000}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        sample s;
        char heard[512];
        sample_fill(&s);
        add_nodes(&s);
        add_clip(&s);
        s.clips[0].rate = all[i].rate;
        const trilo_model *again = through_nlm(&s.model, heard);
        CHECK(again->clips[0].rate == all[i].kept);
        CHECK_NEAR(again->clips[0].duration, 1, 1e-6);
        trilo_model_free(again);
    }
}

TEST(color_of_the_material_is_kept)
{
    sample s;
    char heard[512];
    sample_fill(&s);
    s.model.materials = &s.material;
    s.model.material_count = 1;
    s.mesh.material = 0;
    s.mesh.colors = (const float(*)[4])s.colors;
    s.colors[1][0] = 0.5f;
    s.material.base_color[0] = 0.5f;
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK_STR(heard, "");
    CHECK(again->meshes[0].colors[0][0] == 0.5f && again->meshes[0].colors[1][0] == 0.25f);
    trilo_model_free(again);
}

TEST(what_materials_lose_is_reported)
{
    sample s;
    char heard[512];
    sample_fill(&s);
    s.model.materials = &s.material;
    s.model.textures = &s.texture;
    s.model.material_count = s.model.texture_count = 1;
    s.mesh.material = 0;
    s.mesh.colors = (const float(*)[4])s.colors;
    s.colors[1][3] = 0.5f;
    s.material.two_sided = true;
    s.material.texture = 0;
    s.material.name = (trilo_str){"skin", 4};
    trilo_model_free(through_nlm(&s.model, heard));
    CHECK_STR(heard, "NLM-LOST-NAMES NLM-LOST-ALPHA NLM-LOST-MATERIAL NLM-LOST-TEXTURE ");
}

/* A texture that is lost anyway does not lose its manners as well. */
TEST(how_things_are_shown_is_reported)
{
    sample s;
    char heard[512];
    sample_fill(&s);
    s.model.materials = &s.material;
    s.model.textures = &s.texture;
    s.model.material_count = s.model.texture_count = 1;
    s.mesh.material = 0;
    s.material.texture = 0;
    s.material.alpha_cutoff = 0.25f; /* says nothing about what is opaque */
    s.texture.bytes = (trilo_bytes){(const uint8_t *)"image", 5};
    trilo_model_free(through_nlm(&s.model, heard));
    CHECK_STR(heard, "");
    s.material.unlit = true;
    trilo_model_free(through_nlm(&s.model, heard));
    CHECK_STR(heard, "NLM-LOST-MATERIAL ");
    s.texture.wrap[1] = TRILO_WRAP_CLAMP;
    trilo_model_free(through_nlm(&s.model, heard));
    CHECK_STR(heard, "NLM-LOST-MATERIAL NLM-LOST-MATERIAL ");
    s.material.unlit = false;
    s.texture.wrap[1] = TRILO_WRAP_REPEAT;
    s.texture.nearest = true;
    trilo_model_free(through_nlm(&s.model, heard));
    CHECK_STR(heard, "NLM-LOST-MATERIAL ");
    s.texture.bytes.size = 0;
    trilo_model_free(through_nlm(&s.model, heard));
    CHECK_STR(heard, "NLM-LOST-TEXTURE ");
}

TEST(resting_node_is_baked)
{
    sample s;
    char heard[512];
    sample_fill(&s);
    add_nodes(&s);
    s.mesh.node = 1;
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK_STR(heard, "NLM-LOST-NODES NLM-BAKED ");
    CHECK(again->meshes[0].positions[1][0] == 2 && again->meshes[0].positions[1][2] == 7);
    CHECK_INT(again->node_count, 0);
    trilo_model_free(again);
}

static float posed_x(const trilo_model *model, double seconds, float *z)
{
    trilo_mat4 locals[2], worlds[2], skin[2];
    float positions[3][3];
    CHECK_INT(model->node_count, 2);
    CHECK(model->skins[0].joint_count <= 2);
    trilo_pose_locals(model, 0, seconds, locals);
    trilo_pose_worlds(model, locals, worlds);
    trilo_pose_skin(model, 0, worlds, skin);
    trilo_pose_mesh(model, 0, worlds, skin, positions, NULL);
    *z = positions[1][2];
    return positions[1][0];
}

/* Node 1 goes from x = 0 to x = 5 in a second (its keys have z = 0); the corner at x = 2 goes with it. */
TEST(moving_node_carries_its_mesh)
{
    sample s;
    char heard[512];
    float z;
    sample_fill(&s);
    add_nodes(&s);
    add_clip(&s);
    s.mesh.node = 1;
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK_STR(heard, "");
    CHECK_NEAR(posed_x(again, 0.5, &z), 4.5, 1e-6);
    CHECK_NEAR(z, 0, 1e-6);
    CHECK_INT(again->clips[0].rate, 1000);
    trilo_model_free(again);
}

TEST(skin_without_a_clip_stays)
{
    sample s;
    char heard[512];
    sample_fill(&s);
    add_nodes(&s);
    add_skin(&s);
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK_STR(heard, "");
    CHECK_INT(again->skin_count, 1);
    CHECK_INT(again->clip_count, 0);
    CHECK_INT(again->skins[0].joints[0].node, 1);
    trilo_model_free(again);
}

/* A track has all three kinds of key; the missing ones hold the rest pose. */
TEST(missing_channels_hold_the_rest_pose)
{
    sample s;
    char heard[512];
    float z;
    sample_fill(&s);
    add_nodes(&s);
    add_clip(&s);
    add_skin(&s);
    static const double times[2] = {0, 1};
    static const float scales[6] = {1, 1, 1, 3, 3, 3};
    s.channel =
        (trilo_channel){.node = 1, .target = TRILO_TARGET_SCALE, .key_count = 2, .times = times, .values = scales};
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK_INT(again->clips[0].channel_count, 3);
    CHECK_NEAR(posed_x(again, 1, &z), 6, 1e-6);
    CHECK_NEAR(z, 7, 1e-6); /* the node's own translation */
    trilo_model_free(again);
}

/* x has keys at 0 (0) and 1 (5), z at 0.25 (8) and 0.5 (4), y rests at 2: NLM has vectors, so there is a key at each of
 * the four times. At 0.25 x is 1.25, at 0.5 it is 2.5; z holds 8 before and 4 after its keys. */
TEST(axes_become_vectors)
{
    static const double times[4] = {0, 1, 0.25, 0.5};
    static const float x[2] = {0, 5}, z[2] = {8, 4};
    static const trilo_channel channels[2] = {
        {.node = 1, .target = TRILO_TARGET_TRANSLATION_Z, .key_count = 2, .times = times + 2, .values = z},
        {.node = 1, .target = TRILO_TARGET_TRANSLATION_X, .key_count = 2, .times = times, .values = x}};
    static const double want_times[4] = {0, 0.25, 0.5, 1};
    static const float want[4][3] = {{0, 2, 8}, {1.25f, 2, 8}, {2.5f, 2, 4}, {5, 2, 4}};
    sample s;
    char heard[512];
    sample_fill(&s);
    add_nodes(&s);
    add_clip(&s);
    add_skin(&s);
    s.nodes[1].translation = (trilo_vec3){1, 2, 7};
    s.clips[0].channel_count = 2;
    s.clips[0].channels = channels;
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK_STR(heard, "");
    const trilo_clip *clip = &again->clips[0];
    CHECK_INT(clip->channel_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const trilo_channel *c = &clip->channels[i];
        CHECK_INT(c->key_count, c->target == TRILO_TARGET_TRANSLATION ? 4 : 1);
        for (uint32_t k = 0; k < c->key_count && c->target == TRILO_TARGET_TRANSLATION; k++) {
            CHECK(c->times[k] == want_times[k]);
            CHECK(memcmp(c->values + 3 * k, want[k], sizeof want[k]) == 0);
        }
    }
    trilo_model_free(again);
}

/* A scale along one axis; the pose is the one it was. */
TEST(an_axis_of_the_scale)
{
    static const double times[2] = {0, 1};
    static const float wider[2] = {1, 4};
    sample s;
    char heard[512];
    float z;
    sample_fill(&s);
    add_nodes(&s);
    add_clip(&s);
    s.mesh.node = 1;
    s.channel =
        (trilo_channel){.node = 1, .target = TRILO_TARGET_SCALE_X, .key_count = 2, .times = times, .values = wider};
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK_STR(heard, "");
    CHECK_NEAR(posed_x(again, 0.5, &z), 5, 1e-6);
    CHECK_NEAR(z, 7, 1e-6);
    trilo_model_free(again);
}

/* x is 0 until 0.3 s and 5 from there on. NLM has straight lines only: 0 is repeated at the last 32-bit tick before
 * 300, and nothing is lost. */
TEST(a_step_stays_a_step)
{
    sample s;
    char heard[512];
    float z;
    sample_fill(&s);
    add_nodes(&s);
    add_clip(&s);
    s.mesh.node = 1;
    s.times[1] = 0.3;
    s.channel.interpolation = TRILO_INTERPOLATION_STEP;
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK_STR(heard, "");
    const trilo_channel *c = &again->clips[0].channels[0];
    CHECK_INT(c->target, TRILO_TARGET_TRANSLATION);
    CHECK_INT(c->key_count, 3);
    CHECK(c->times[1] == (double)nextafterf(300, 0) / 1000 && c->values[3] == 0);
    CHECK(c->times[2] == 0.3 && c->values[6] == 5);
    CHECK_NEAR(posed_x(again, 0.29999, &z), 2, 1e-6);
    CHECK_NEAR(posed_x(again, 0.3, &z), 7, 1e-6);
    trilo_model_free(again);
}

/* Two keys a second apart without tangents: 59 more between them, 60 a second. At 15 / 60 of the way x is 0.15625 * 5.
 * The straight curve of the scale, 3 a second, needs none, and its single axis makes a vector. */
TEST(a_curve_is_sampled)
{
    static const double times[2] = {0, 1};
    static const float move[18] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0};
    static const float wider[6] = {0, 1, 3, 3, 4, 0};
    static const trilo_channel channels[2] = {{.node = 1,
                                               .target = TRILO_TARGET_TRANSLATION,
                                               .interpolation = TRILO_INTERPOLATION_CUBIC,
                                               .key_count = 2,
                                               .times = times,
                                               .values = move},
                                              {.node = 1,
                                               .target = TRILO_TARGET_SCALE_X,
                                               .interpolation = TRILO_INTERPOLATION_CUBIC,
                                               .key_count = 2,
                                               .times = times,
                                               .values = wider}};
    sample s;
    char heard[512];
    float z;
    sample_fill(&s);
    add_nodes(&s);
    add_clip(&s);
    s.mesh.node = 1;
    s.clips[0].channels = channels;
    s.clips[0].channel_count = 2;
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK_STR(heard, "NLM-RESAMPLED ");
    CHECK_INT(again->clips[0].channels[0].key_count, 61);
    CHECK_INT(again->clips[0].channels[2].key_count, 2);
    CHECK_NEAR(posed_x(again, 0.25, &z), 0.15625 * 5 + 2 * 1.75, 1e-5);
    trilo_model_free(again);
}

TEST(two_skins_and_two_clips)
{
    sample s;
    char heard[512];
    sample_fill(&s);
    add_nodes(&s);
    add_clip(&s);
    add_skin(&s);
    s.model.skin_count = s.model.clip_count = 2;
    s.mesh.skin = 1;
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK_STR(heard, "NLM-LOST-SKIN NLM-LOST-CLIPS ");
    CHECK_INT(again->skins[0].joint_count, 2);
    CHECK_INT(again->meshes[0].joints[0][0], 1);
    trilo_model_free(again);
}

/* A hundred thousand seconds of 1000 ticks: 32-bit ticks there are 8 apart. */
TEST(keys_on_one_tick_are_reported)
{
    sample s;
    char heard[512];
    sample_fill(&s);
    add_nodes(&s);
    add_clip(&s);
    add_skin(&s);
    s.times[0] = 100000;
    s.times[1] = 100000.001;
    s.clips[0].duration = 100001;
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK_STR(heard, "NLM-LOST-KEYS ");
    CHECK_INT(again->clips[0].channels[0].key_count, 1);
    CHECK(again->clips[0].channels[0].values[0] == 5);
    trilo_model_free(again);
}

TEST(a_clip_without_keys_is_reported)
{
    sample s;
    char heard[512];
    sample_fill(&s);
    add_nodes(&s);
    add_clip(&s);
    add_skin(&s);
    s.clips[0].channel_count = 0;
    trilo_model_free(through_nlm(&s.model, heard));
    CHECK_STR(heard, "NLM-EMPTY-CLIP ");
}

/* --- units of the console: 64 to a meter --- */

/* Mesh 0 at a moment of clip 0, or at rest when there is none. */
static void pose(const trilo_model *model, double seconds, float positions[3][3])
{
    trilo_mat4 locals[2], worlds[2], skin[2];
    CHECK(model->node_count <= 2 && (model->skin_count == 0 || model->skins[0].joint_count <= 2));
    CHECK_INT(model->meshes[0].vertex_count, 3);
    trilo_pose_locals(model, model->clip_count > 0 ? 0 : TRILO_NONE, seconds, locals);
    trilo_pose_worlds(model, locals, worlds);
    if (model->meshes[0].skin != TRILO_NONE)
        trilo_pose_skin(model, model->meshes[0].skin, worlds, skin);
    trilo_pose_mesh(model, 0, worlds, skin, positions, NULL);
}

/* Both models are in the same place, `a` in units of which `factor` are one of `b`. */
static void check_poses(const trilo_model *a, const trilo_model *b, float factor)
{
    for (int moment = 0; moment <= 4; moment++) {
        float x[3][3], y[3][3];
        pose(a, moment / 4.0, x);
        pose(b, moment / 4.0, y);
        for (int i = 0; i < 9; i++)
            CHECK_NEAR(x[i / 3][i % 3] / factor, y[i / 3][i % 3], 1e-6);
    }
}

enum { FREE, BAKED, CARRIED, SKINNED, SKINNED_CLIP, WAYS };

static const trilo_format consoles[] = {TRILO_FORMAT_T3DM, TRILO_FORMAT_MODEL64};

/* Whole numbers, as the console has them, and a matrix in every place where a length may stand. */
static void sample_console(sample *s, int way, trilo_format format)
{
    static const float positions[3][3] = {{-100, 3, 0}, {28, 0, 5}, {0, 77, -1}};
    sample_fill(s);
    s->model.format = format;
    s->model.units_per_meter = 64;
    memcpy(s->positions, positions, sizeof positions);
    if (way != FREE)
        add_nodes(s);
    if (way == BAKED || way == CARRIED)
        s->mesh.node = 1;
    if (way == SKINNED || way == SKINNED_CLIP)
        add_skin(s);
    if (way == CARRIED || way == SKINNED_CLIP)
        add_clip(s);
    s->joint[0].inverse_bind.m[13] = -9;
    s->joint[0].inverse_bind.m[0] = 2; /* no length */
}

TEST(units_of_the_console_become_meters)
{
    for (int n = 0; n < 2 * WAYS; n++) {
        sample s;
        char heard[512];
        sample_console(&s, n / 2, consoles[n % 2]);
        const trilo_model *again = through_nlm(&s.model, heard);
        CHECK(!again->resized); /* the box is that of the positions */
        check_poses(&s.model, again, 64);
        for (int i = 0; i < 9 && n / 2 != BAKED; i++)
            CHECK(again->meshes[0].positions[i / 3][i % 3] * 64 == s.positions[i / 3][i % 3]);
        trilo_model_free(again);
    }
}

TEST(matrices_of_the_console_become_meters)
{
    sample s;
    char heard[512];
    sample_console(&s, SKINNED_CLIP, TRILO_FORMAT_T3DM);
    const trilo_model *again = through_nlm(&s.model, heard);
    CHECK(again->nodes[1].local.m[14] == 7 / 64.0f && again->nodes[1].local.m[10] == 1);
    CHECK(again->nodes[0].local.m[0] == 1);
    CHECK(again->skins[0].joints[0].inverse_bind.m[13] == -9 / 64.0f);
    CHECK(again->skins[0].joints[0].inverse_bind.m[0] == 2);
    CHECK(again->clips[0].channels[0].values[3] == 5 / 64.0f);
    trilo_model_free(again);
}

/* The tangents are those of a jump by 5 units with 6 a second at its end; scales and rests are no lengths, or are. */
TEST(curves_of_the_console_become_meters)
{
    static const double times[2] = {0, 1};
    static const float move[6] = {0, 0, 0, 6, 5, 0}, wider[2] = {1, 4};
    trilo_channel channels[2] = {
        {.node = 1,
         .target = TRILO_TARGET_TRANSLATION_X,
         .interpolation = TRILO_INTERPOLATION_CUBIC,
         .key_count = 2,
         .times = times,
         .values = move},
        {.node = 1, .target = TRILO_TARGET_SCALE_X, .key_count = 2, .times = times, .values = wider}};
    for (uint32_t first = 0; first < 2; first++) { /* the second alone: translation rests */
        sample s;
        char heard[512];
        sample_console(&s, SKINNED_CLIP, TRILO_FORMAT_T3DM);
        s.clips[0].channels = channels + first;
        s.clips[0].channel_count = 2 - first;
        const trilo_model *again = through_nlm(&s.model, heard);
        CHECK_STR(heard, first ? "" : "NLM-RESAMPLED ");
        check_poses(&s.model, again, 64);
        trilo_model_free(again);
    }
}

static const trilo_model *normalized(const trilo_model *model)
{
    trilo_error err = {0};
    const trilo_model *small = trilo_model_edit(model, &(trilo_model_edit_opts){.normalize = true}, NULL, &err);
    if (!small)
        FAIL("%s: %s", err.path, err.text);
    return small;
}

static const trilo_model *restored(const trilo_model *model)
{
    trilo_error err = {0};
    const trilo_model *large = trilo_model_edit(model, &(trilo_model_edit_opts){.restore_size = true}, NULL, &err);
    if (!large)
        FAIL("%s: %s", err.path, err.text);
    return large;
}

/* A unit box is one in any unit; the size it remembers is in meters. */
TEST(a_unit_box_stays_one)
{
    for (int n = 0; n < 2 * WAYS; n++) {
        sample s;
        char heard[512];
        sample_console(&s, n / 2, consoles[n % 2]);
        const trilo_model *small = normalized(&s.model), *again = through_nlm(small, heard);
        check_poses(small, again, 1);
        CHECK(again->resized);
        CHECK(again->source_bounds.min.x * 64 == small->source_bounds.min.x);
        CHECK(again->source_bounds.max.y * 64 == small->source_bounds.max.y);
        const trilo_model *large = restored(again);
        check_poses(&s.model, large, 64);
        trilo_model_free(large);
        trilo_model_free(again);
        trilo_model_free(small);
    }
}

static bool has_position(const trilo_mesh *mesh, const float position[3])
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (memcmp(mesh->positions[i], position, 3 * sizeof(float)) == 0)
            return true;
    return false;
}

TEST(the_console_gets_its_units_again)
{
    static const int ways[] = {FREE, SKINNED};
    for (int n = 0; n < 4; n++) {
        sample s;
        buffer file = {0};
        char heard[512];
        trilo_error err = {0};
        sample_console(&s, ways[n / 2], consoles[n % 2]);
        s.joint[0].inverse_bind = identity;
        s.joint[0].inverse_bind.m[14] = -7;
        const trilo_model *there = through_nlm(&s.model, heard);
        if (!trilo_model_write(there, &(trilo_write_opts){.format = consoles[n % 2]}, buffer_sink, &file, &err))
            FAIL("%s: %s", err.path, err.text);
        const trilo_model *back = trilo_model_load(file.data, file.size, NULL, &err);
        CHECK(back);
        CHECK_INT(back->meshes[0].vertex_count, 3);
        for (int i = 0; i < 3; i++)
            CHECK(has_position(&back->meshes[0], s.positions[i]));
        buffer_free(&file);
        trilo_model_free(back);
        trilo_model_free(there);
    }
}

TEST(broken_models_are_refused)
{
    sample s;
    buffer out = {0};
    trilo_error err = {0};
    const trilo_write_opts opts = {.format = TRILO_FORMAT_NLM};
    sample_fill(&s);
    s.indices[2] = 3;
    CHECK(!trilo_model_write(&s.model, &opts, buffer_sink, &out, &err));
    CHECK_STR(err.rule, "MODEL-INDEX");
    CHECK_INT(out.size, 0);
    CHECK(!trilo_model_write(&s.model, NULL, buffer_sink, &out, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
}

static bool refuse(void *user, const void *bytes, size_t size)
{
    size_t *left = user;
    (void)bytes;
    if (size > *left)
        return false;
    *left -= size;
    return true;
}

TEST(a_full_sink_is_an_error)
{
    sample s;
    const trilo_write_opts opts = {.format = TRILO_FORMAT_NLM};
    sample_fill(&s);
    for (size_t room = 0; room < 300; room += 10) {
        size_t left = room;
        trilo_error err = {0};
        CHECK(!trilo_model_write(&s.model, &opts, refuse, &left, &err));
        CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
    }
}

TEST_MAIN(CASE(plain_triangle_loses_nothing), CASE(normals_are_made), CASE(made_normals_are_weighted_by_area),
          CASE(a_made_normal_is_the_cross_product), CASE(no_mesh_has_an_empty_box), CASE(rates_that_can_be_kept),
          CASE(color_of_the_material_is_kept), CASE(what_materials_lose_is_reported),
          CASE(how_things_are_shown_is_reported), CASE(resting_node_is_baked), CASE(moving_node_carries_its_mesh),
          CASE(skin_without_a_clip_stays), CASE(missing_channels_hold_the_rest_pose), CASE(axes_become_vectors),
          CASE(an_axis_of_the_scale), CASE(a_step_stays_a_step), CASE(a_curve_is_sampled),
          CASE(two_skins_and_two_clips), CASE(keys_on_one_tick_are_reported), CASE(a_clip_without_keys_is_reported),
          CASE(units_of_the_console_become_meters), CASE(matrices_of_the_console_become_meters),
          CASE(curves_of_the_console_become_meters), CASE(a_unit_box_stays_one), CASE(the_console_gets_its_units_again),
          CASE(broken_models_are_refused), CASE(a_full_sink_is_an_error))

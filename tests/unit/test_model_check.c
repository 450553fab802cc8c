#include "harness.h"
#include "model/check.h"
#include "trilobite/n64.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A small model with one of everything: three nodes in a chain, a skin of two joints, a mesh of two triangles, a
 * material with a texture, a clip with two channels and two tracks. Each test breaks one promise of a fresh one. */
typedef struct fixture {
    trilo_model model;
    trilo_mesh meshes[2];
    trilo_material materials[1];
    trilo_texture textures[1];
    trilo_node nodes[3];
    trilo_skin skins[1];
    trilo_joint joints[2];
    trilo_clip clips[2];
    trilo_channel channels[2];
    trilo_track tracks[2];
    trilo_frame frames[4];
    float positions[4][3], weights[4][4];
    uint16_t vertex_joints[4][4];
    uint32_t indices[6];
    double times[3];
    float values[12];
    uint8_t image[4];
} fixture;

static void fixture_meshes(fixture *f)
{
    static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    memcpy(f->indices, indices, sizeof indices);
    for (int v = 0; v < 4; v++) {
        f->weights[v][0] = 0.75f, f->weights[v][1] = 0.25f;
        f->vertex_joints[v][1] = 1;
    }
    f->meshes[0] = (trilo_mesh){.material = TRILO_NONE, .node = 2, .skin = TRILO_NONE};
    f->meshes[1] = (trilo_mesh){.material = 0, .node = TRILO_NONE, .skin = 0};
    f->meshes[1].vertex_count = 4;
    f->meshes[1].index_count = 6;
    f->meshes[1].positions = (const float(*)[3])f->positions;
    f->meshes[1].weights = (const float(*)[4])f->weights;
    f->meshes[1].joints = (const uint16_t(*)[4])f->vertex_joints;
    f->meshes[1].indices = f->indices;
}

static void fixture_motion(fixture *f)
{
    for (uint32_t i = 0; i < 3; i++)
        f->nodes[i].parent = i == 0 ? TRILO_NONE : i - 1;
    f->joints[0].node = 1, f->joints[1].node = 2;
    f->skins[0] = (trilo_skin){2, f->joints};
    f->times[0] = -1, f->times[1] = 0, f->times[2] = 0.5;
    f->channels[0] = (trilo_channel){
        .node = 1, .target = TRILO_TARGET_TRANSLATION, .key_count = 3, .times = f->times, .values = f->values};
    f->channels[1] = (trilo_channel){
        .node = 2, .target = TRILO_TARGET_ROTATION, .key_count = 3, .times = f->times, .values = f->values};
    f->clips[1] = (trilo_clip){.duration = 1, .channel_count = 2, .channels = f->channels};
    for (int i = 0; i < 3; i++)
        f->frames[i] = (trilo_frame){.time = i - 1, .positions = (const float(*)[3])f->positions};
    f->tracks[0] = (trilo_track){.mesh = 1, .frame_count = 3, .frames = f->frames};
    f->tracks[1] = (trilo_track){
        .mesh = 0, .frame_count = 1, .frames = f->frames + 3}; /* of a mesh without vertices: no positions */
    f->clips[1].track_count = 2;
    f->clips[1].tracks = f->tracks;
}

static void fixture_fill(fixture *f)
{
    memset(f, 0, sizeof *f);
    fixture_meshes(f);
    fixture_motion(f);
    f->materials[0].texture = 0;
    f->textures[0].bytes = (trilo_bytes){f->image, sizeof f->image};
    f->model = (trilo_model){.mesh_count = 2,
                             .material_count = 1,
                             .texture_count = 1,
                             .node_count = 3,
                             .skin_count = 1,
                             .clip_count = 2,
                             .meshes = f->meshes,
                             .materials = f->materials,
                             .textures = f->textures,
                             .nodes = f->nodes,
                             .skins = f->skins,
                             .clips = f->clips};
}

/* ---- models that keep their promises ---- */

static void check_good(const fixture *f)
{
    trilo_error err = {0};
    bool good = trilo_model_check(&f->model, &err);
    if (!good)
        FAIL("%s: %s: %s", err.rule, err.path, err.text);
    CHECK_INT(err.code, TRILO_CODE_OK);
    CHECK(trilo_model_check(&f->model, NULL));
}

TEST(a_whole_model_is_good)
{
    fixture f;
    fixture_fill(&f);
    check_good(&f);
}

TEST(an_empty_model_is_good)
{
    const trilo_model empty = {0};
    CHECK(trilo_model_check(&empty, NULL));
}

TEST(optional_things_may_be_missing)
{
    fixture f;
    fixture_fill(&f);
    f.meshes[1].material = f.meshes[1].skin = TRILO_NONE;
    f.meshes[1].joints = NULL, f.meshes[1].weights = NULL;
    f.materials[0].texture = TRILO_NONE;
    f.nodes[1].parent = f.nodes[2].parent = TRILO_NONE;
    check_good(&f);
    f.meshes[1].skin = 0; /* a skin that no vertex uses */
    check_good(&f);
    f.textures[0].bytes = (trilo_bytes){NULL, 0}; /* it may live in a file */
    check_good(&f);
}

TEST(arrays_without_entries_may_be_missing)
{
    fixture f;
    fixture_fill(&f);
    f.meshes[1].vertex_count = f.meshes[1].index_count = 0;
    f.meshes[1].positions = NULL, f.meshes[1].indices = NULL;
    f.channels[0] = (trilo_channel){.node = 1, .target = TRILO_TARGET_SCALE};
    check_good(&f);
    f.model.clip_count = 0, f.model.clips = NULL;
    f.model.mesh_count = 0, f.model.meshes = NULL;
    f.model.skin_count = 0, f.model.skins = NULL;
    f.skins[0] = (trilo_skin){0, NULL};
    check_good(&f);
}

/* Each kind of channel has a number of its own, also those of single axes. */
TEST(every_target_is_good)
{
    fixture f;
    fixture_fill(&f);
    for (int target = 0; target < TRILO_TARGET_COUNT; target++) {
        f.channels[0].target = (trilo_target)target;
        check_good(&f);
    }
}

TEST(every_interpolation_is_good)
{
    fixture f;
    fixture_fill(&f);
    for (int way = TRILO_INTERPOLATION_LINEAR; way <= TRILO_INTERPOLATION_CUBIC; way++) {
        f.channels[0].interpolation = (trilo_interpolation)way;
        check_good(&f);
    }
}

static bool pair_is_good(trilo_target first, trilo_target second, uint32_t second_node)
{
    fixture f;
    fixture_fill(&f);
    f.channels[0].target = first;
    f.channels[1].target = second;
    f.channels[1].node = second_node;
    return trilo_model_check(&f.model, NULL);
}

/* Parts of one node that have nothing in common: 3 wholes side by side, axes of one whole side by side, an axis beside
 * another whole. All clash with themselves, a whole with its three axes, and on two nodes nothing clashes. */
TEST(channels_that_clash)
{
    static const trilo_target whole[TRILO_TARGET_COUNT] = {
        TRILO_TARGET_TRANSLATION, TRILO_TARGET_ROTATION,    TRILO_TARGET_SCALE,
        TRILO_TARGET_TRANSLATION, TRILO_TARGET_TRANSLATION, TRILO_TARGET_TRANSLATION,
        TRILO_TARGET_SCALE,       TRILO_TARGET_SCALE,       TRILO_TARGET_SCALE};
    int clashes = 0;
    for (int a = 0; a < TRILO_TARGET_COUNT; a++)
        for (int b = 0; b < TRILO_TARGET_COUNT; b++) {
            const trilo_target first = (trilo_target)a, second = (trilo_target)b;
            const bool clash = first == second || whole[a] == second || whole[b] == first;
            CHECK_INT(pair_is_good(first, second, 1), !clash);
            CHECK(pair_is_good(first, second, 2));
            clashes += clash;
        }
    CHECK_INT(clashes, 9 + 2 * 6);
}

/* One of the check's own marks for each node and mesh: without memory for them it cannot answer. */
TEST(the_check_needs_memory)
{
    fixture f;
    fixture_fill(&f);
    trilo_error err = {0};
    CHECK(!tl_model_check(&f.model, &(trilo_memory){.max_bytes = 16}, &err));
    CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
    CHECK_STR(err.rule, "FILE-MEMORY");
    CHECK(tl_model_check(&f.model, &(trilo_memory){.max_bytes = 8192}, &err));
    f.model.clip_count = 0;
    CHECK(tl_model_check(&f.model, &(trilo_memory){.max_bytes = 16}, &err));
}

/* 200000 clips, each with a channel for each of 4 nodes, out of order: pairwise comparing would take minutes. */
TEST(many_clips_are_no_trouble)
{
    enum { MANY = 200000 };
    static trilo_clip clips[MANY];
    static trilo_node nodes[MANY];
    trilo_channel channels[4] = {
        {.node = MANY - 1}, {.node = 7}, {.node = 100}, {.node = 7, .target = TRILO_TARGET_SCALE}};
    for (int i = 0; i < MANY; i++) {
        clips[i] = (trilo_clip){.channel_count = 4, .channels = channels};
        nodes[i].parent = TRILO_NONE;
    }
    const trilo_model model = {.node_count = MANY, .nodes = nodes, .clip_count = MANY, .clips = clips};
    CHECK(trilo_model_check(&model, NULL));
    channels[3].target = TRILO_TARGET_TRANSLATION_X;
    trilo_error err = {0};
    CHECK(!trilo_model_check(&model, &err));
    CHECK_STR(err.path, "clips[0].channels[3].target");
}

/* What no weight uses may point anywhere. */
TEST(an_unused_slot_is_not_looked_at)
{
    fixture f;
    fixture_fill(&f);
    f.vertex_joints[0][2] = f.vertex_joints[3][3] = UINT16_MAX;
    f.weights[3][3] = -0.0f;
    check_good(&f);
}

TEST(lines_come_in_pairs)
{
    fixture f;
    fixture_fill(&f);
    f.meshes[1].topology = TRILO_TOPOLOGY_LINES;
    f.meshes[1].index_count = 4;
    check_good(&f);
}

/* ---- models that break one ---- */

static void no_meshes(fixture *f)
{
    f->model.meshes = NULL;
}
static void no_materials(fixture *f)
{
    f->model.materials = NULL;
}
static void no_textures(fixture *f)
{
    f->model.textures = NULL;
}
static void no_nodes(fixture *f)
{
    f->model.nodes = NULL;
}
static void no_skins(fixture *f)
{
    f->model.skins = NULL;
}
static void no_clips(fixture *f)
{
    f->model.clips = NULL;
}
static void own_parent(fixture *f)
{
    f->nodes[0].parent = 0;
}
static void parent_behind(fixture *f)
{
    f->nodes[1].parent = 2;
}
static void no_skin_joints(fixture *f)
{
    f->skins[0].joints = NULL;
}
static void joint_node_outside(fixture *f)
{
    f->joints[1].node = 3;
}
static void joint_without_node(fixture *f)
{
    f->joints[0].node = TRILO_NONE;
}
static void texture_outside(fixture *f)
{
    f->materials[0].texture = 1;
}
static void no_texture_bytes(fixture *f)
{
    f->textures[0].bytes.data = NULL;
}
static void material_outside(fixture *f)
{
    f->meshes[1].material = 1;
}
static void node_outside(fixture *f)
{
    f->meshes[0].node = 3;
}
static void skin_outside(fixture *f)
{
    f->meshes[1].skin = 1;
}
static void no_positions(fixture *f)
{
    f->meshes[1].positions = NULL;
}
static void no_indices(fixture *f)
{
    f->meshes[1].indices = NULL;
}
static void half_a_triangle(fixture *f)
{
    f->meshes[1].index_count = 5;
}
static void half_a_line(fixture *f)
{
    f->meshes[1].topology = TRILO_TOPOLOGY_LINES;
    f->meshes[1].index_count = 3;
}
static void first_index_outside(fixture *f)
{
    f->indices[0] = 4;
}
static void last_index_outside(fixture *f)
{
    f->indices[5] = TRILO_NONE; /* nothing is no vertex */
}
static void weights_without_joints(fixture *f)
{
    f->meshes[1].joints = NULL;
}
static void joints_without_weights(fixture *f)
{
    f->meshes[1].weights = NULL;
}
static void joints_without_skin(fixture *f)
{
    f->meshes[1].skin = TRILO_NONE;
}
static void joint_outside(fixture *f)
{
    f->vertex_joints[3][1] = 2;
}
static void joint_outside_first(fixture *f)
{
    f->vertex_joints[0][0] = UINT16_MAX;
}
static void joint_outside_last_slot(fixture *f)
{
    f->vertex_joints[2][3] = 2;
    f->weights[2][3] = -0.25f;
}
static void no_channels(fixture *f)
{
    f->clips[1].channels = NULL;
}
static void channel_node_outside(fixture *f)
{
    f->channels[1].node = 3;
}
static void odd_interpolation(fixture *f)
{
    f->channels[0].interpolation = (trilo_interpolation)99;
}
static void next_interpolation(fixture *f)
{
    f->channels[1].interpolation = (trilo_interpolation)(TRILO_INTERPOLATION_CUBIC + 1);
}
static void no_curve(fixture *f)
{
    f->channels[1].interpolation = TRILO_INTERPOLATION_CUBIC;
    f->channels[1].values = NULL;
}
static void channel_without_node(fixture *f)
{
    f->channels[0].node = TRILO_NONE;
}
static void odd_target(fixture *f)
{
    f->channels[1].target = (trilo_target)99;
}
static void first_odd_target(fixture *f)
{
    f->channels[0].target = TRILO_TARGET_COUNT;
}
static void no_times(fixture *f)
{
    f->channels[0].times = NULL;
}
static void no_values(fixture *f)
{
    f->channels[1].values = NULL;
}
static void equal_times(fixture *f)
{
    f->times[1] = -1;
}
static void falling_times(fixture *f)
{
    f->times[2] = -0.5;
}
static void nan_first(fixture *f)
{
    f->times[0] = NAN;
}
static void nan_last(fixture *f)
{
    f->times[2] = NAN;
}
static void infinite_first(fixture *f)
{
    f->times[0] = -INFINITY;
}
static void infinite_last(fixture *f)
{
    f->times[2] = INFINITY;
}

static void double_target(fixture *f)
{
    f->channels[1].node = 1;
    f->channels[1].target = TRILO_TARGET_TRANSLATION;
}
static void axis_behind_its_whole(fixture *f)
{
    f->channels[1].node = 1;
    f->channels[1].target = TRILO_TARGET_TRANSLATION_Z;
}
static void whole_behind_its_axis(fixture *f)
{
    f->channels[0].target = TRILO_TARGET_SCALE_X;
    f->channels[1].node = 1;
    f->channels[1].target = TRILO_TARGET_SCALE;
}
static void no_tracks(fixture *f)
{
    f->clips[1].tracks = NULL;
}
static void track_mesh_outside(fixture *f)
{
    f->tracks[1].mesh = 2;
}
static void track_without_mesh(fixture *f)
{
    f->tracks[0].mesh = TRILO_NONE;
}
static void two_tracks_of_a_mesh(fixture *f)
{
    f->tracks[1] = f->tracks[0];
}
static void no_frame_at_all(fixture *f)
{
    f->tracks[0].frame_count = 0;
}
static void no_frames(fixture *f)
{
    f->tracks[1].frames = NULL;
}
static void no_frame_positions(fixture *f)
{
    f->frames[2].positions = NULL;
}
static void equal_frame_times(fixture *f)
{
    f->frames[1].time = -1;
}
static void falling_frame_times(fixture *f)
{
    f->frames[2].time = -0.5;
}
static void nan_frame(fixture *f)
{
    f->frames[3].time = NAN;
}
static void infinite_frame(fixture *f)
{
    f->frames[2].time = INFINITY;
}

static const struct {
    const char *name;
    void (*damage)(fixture *f);
    trilo_code code;
    const char *rule, *path;
} broken[] = {
#define ARRAY(damage, path)                                                                                            \
    {                                                                                                                  \
#damage, damage, TRILO_CODE_BAD_VALUE, "MODEL-ARRAY", path                                                     \
    }
#define INDEX(damage, path)                                                                                            \
    {                                                                                                                  \
#damage, damage, TRILO_CODE_BAD_REF, "MODEL-INDEX", path                                                       \
    }
#define ORDER(damage, path)                                                                                            \
    {                                                                                                                  \
#damage, damage, TRILO_CODE_BAD_VALUE, "MODEL-ORDER", path                                                     \
    }
    ARRAY(no_meshes, "meshes"),
    ARRAY(no_materials, "materials"),
    ARRAY(no_textures, "textures"),
    ARRAY(no_nodes, "nodes"),
    ARRAY(no_skins, "skins"),
    ARRAY(no_clips, "clips"),
    ORDER(own_parent, "nodes[0].parent"),
    ORDER(parent_behind, "nodes[1].parent"),
    ARRAY(no_skin_joints, "skins[0].joints"),
    INDEX(joint_node_outside, "skins[0].joints"),
    INDEX(joint_without_node, "skins[0].joints"),
    INDEX(texture_outside, "materials[0].texture"),
    ARRAY(no_texture_bytes, "textures[0].bytes"),
    INDEX(material_outside, "meshes[1].material"),
    INDEX(node_outside, "meshes[0].node"),
    INDEX(skin_outside, "meshes[1].skin"),
    ARRAY(no_positions, "meshes[1].positions"),
    ARRAY(no_indices, "meshes[1].indices"),
    ARRAY(half_a_triangle, "meshes[1].index_count"),
    ARRAY(half_a_line, "meshes[1].index_count"),
    INDEX(first_index_outside, "meshes[1].indices"),
    INDEX(last_index_outside, "meshes[1].indices"),
    ARRAY(weights_without_joints, "meshes[1].joints"),
    ARRAY(joints_without_weights, "meshes[1].joints"),
    ARRAY(joints_without_skin, "meshes[1].joints"),
    INDEX(joint_outside, "meshes[1].joints"),
    INDEX(joint_outside_first, "meshes[1].joints"),
    INDEX(joint_outside_last_slot, "meshes[1].joints"),
    ARRAY(no_channels, "clips[1].channels"),
    INDEX(channel_node_outside, "clips[1].channels[1].node"),
    INDEX(channel_without_node, "clips[1].channels[0].node"),
    INDEX(odd_interpolation, "clips[1].channels[0].interpolation"),
    INDEX(next_interpolation, "clips[1].channels[1].interpolation"),
    ARRAY(no_curve, "clips[1].channels[1].values"),
    INDEX(odd_target, "clips[1].channels[1].target"),
    INDEX(first_odd_target, "clips[1].channels[0].target"),
    ARRAY(no_times, "clips[1].channels[0].times"),
    ARRAY(no_values, "clips[1].channels[1].values"),
    ORDER(equal_times, "clips[1].channels[0].times"),
    ORDER(falling_times, "clips[1].channels[0].times"),
    ORDER(nan_first, "clips[1].channels[0].times"),
    ORDER(nan_last, "clips[1].channels[0].times"),
    ORDER(infinite_first, "clips[1].channels[0].times"),
    ORDER(infinite_last, "clips[1].channels[0].times"),
    ORDER(double_target, "clips[1].channels[1].target"),
    ORDER(axis_behind_its_whole, "clips[1].channels[1].target"),
    ORDER(whole_behind_its_axis, "clips[1].channels[1].target"),
    ARRAY(no_tracks, "clips[1].tracks"),
    INDEX(track_mesh_outside, "clips[1].tracks[1].mesh"),
    INDEX(track_without_mesh, "clips[1].tracks[0].mesh"),
    ORDER(two_tracks_of_a_mesh, "clips[1].tracks[1].mesh"),
    ARRAY(no_frame_at_all, "clips[1].tracks[0].frame_count"),
    ARRAY(no_frames, "clips[1].tracks[1].frames"),
    ARRAY(no_frame_positions, "clips[1].tracks[0].frames[2].positions"),
    ORDER(equal_frame_times, "clips[1].tracks[0].frames[1].time"),
    ORDER(falling_frame_times, "clips[1].tracks[0].frames[2].time"),
    ORDER(nan_frame, "clips[1].tracks[1].frames[0].time"),
    ORDER(infinite_frame, "clips[1].tracks[0].frames[2].time"),
};

/* All of them are tried before the test fails, so that one miss does not hide another. */
TEST(each_promise_broken_in_turn)
{
    char missed[512] = "";
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        fixture f;
        fixture_fill(&f);
        broken[i].damage(&f);
        trilo_error err = {0};
        bool good = trilo_model_check(&f.model, &err);
        if (good || trilo_model_check(&f.model, NULL) || err.code != broken[i].code || !err.rule ||
            strcmp(err.rule, broken[i].rule) != 0 || strcmp(err.path, broken[i].path) != 0 || err.text[0] == '\0' ||
            err.offset != TRILO_NOWHERE)
            snprintf(missed + strlen(missed), sizeof missed - strlen(missed), " %s (%s)", broken[i].name, err.path);
    }
    CHECK_STR(missed, "");
}

/* A parent outside the array is refused too; it breaks both of two promises. */
TEST(a_parent_outside)
{
    fixture f;
    fixture_fill(&f);
    f.nodes[2].parent = 3;
    trilo_error err = {0};
    CHECK(!trilo_model_check(&f.model, &err));
    CHECK_STR(err.path, "nodes[2].parent");
}

/* Both tiles and each map: its texture may be missing (a tile) or not used (a map), must exist otherwise. */
TEST(textures_of_a_material)
{
    for (uint32_t i = 0; i < 2 + TRILO_MAP_KIND_COUNT; i++) {
        fixture f;
        fixture_fill(&f);
        trilo_n64_material n64 = {.tiles = {{.texture = TRILO_NONE}, {.texture = TRILO_NONE}}};
        trilo_pbr pbr = {.metallic = 1};
        trilo_error err = {0};
        char path[64];
        const uint32_t map = i - 2;
        snprintf(path, sizeof path, i < 2 ? "materials[0].n64.tiles[%u].texture" : "materials[0].pbr.maps[%u].texture",
                 (unsigned)(i < 2 ? i : map));
        f.materials[0].n64 = &n64;
        f.materials[0].pbr = &pbr;
        check_good(&f);
        for (uint32_t texture = 0; texture < 2; texture++) {
            if (i < 2)
                n64.tiles[i].texture = texture;
            else
                pbr.maps[map] = (trilo_map){.used = true, .texture = texture};
            CHECK_INT(trilo_model_check(&f.model, &err), texture == 0);
        }
        CHECK_STR(err.path, path);
        CHECK_STR(err.text, "1, must be below 1");
        CHECK_INT(err.code, TRILO_CODE_BAD_REF);
        if (i < 2)
            continue;
        pbr.maps[map].texture = TRILO_NONE;
        CHECK(!trilo_model_check(&f.model, NULL));
        pbr.maps[map].used = false;
        check_good(&f);
    }
}

/* One that was checked before, which only the library does, is not checked again; a copy of it is. */
TEST(a_checked_model_is_trusted)
{
    fixture f;
    fixture_fill(&f);
    f.nodes[0].parent = 0;
    f.model.self = &f.model;
    CHECK(tl_model_check(&f.model, NULL, NULL));
    CHECK(!trilo_model_check(&f.model, NULL));
    const trilo_model copy = f.model;
    CHECK(!tl_model_check(&copy, NULL, NULL));
}

static void check_text(void (*damage)(fixture *f), const char *want)
{
    fixture f;
    fixture_fill(&f);
    damage(&f);
    trilo_error err = {0};
    CHECK(!trilo_model_check(&f.model, &err));
    CHECK_STR(err.text, want);
}

/* What is wrong, and what would be right. */
TEST(sentences)
{
    check_text(joint_node_outside, "3, must be below 3");
    check_text(first_index_outside, "4, must be below 4");
    check_text(no_positions, "the array is missing, but it should have 4 entries");
    check_text(odd_target, "99, must be below 9");
    check_text(odd_interpolation, "99, must be below 3");
    check_text(no_texture_bytes, "the bytes are missing, but there should be 4");
    check_text(half_a_triangle, "5 is not a multiple of 3");
    check_text(half_a_line, "3 is not a multiple of 2");
    check_text(parent_behind, "2, must come before the node itself, below 1");
    check_text(falling_times, "key 2 does not come after the one before");
    check_text(double_target, "another channel of the clip moves the same part of node 1, must be one only");
    check_text(two_tracks_of_a_mesh, "another track of the clip moves mesh 1 too, must be one only");
    check_text(no_frame_at_all, "0, must be 1 at least");
    check_text(falling_frame_times, "the frame does not come after the one before");
    check_text(no_frame_positions, "the array is missing, but it should have 4 entries");
    check_text(weights_without_joints, "joints, weights and a skin go together");
}

TEST_MAIN(CASE(a_whole_model_is_good), CASE(an_empty_model_is_good), CASE(optional_things_may_be_missing),
          CASE(arrays_without_entries_may_be_missing), CASE(every_target_is_good), CASE(every_interpolation_is_good),
          CASE(channels_that_clash), CASE(the_check_needs_memory), CASE(many_clips_are_no_trouble),
          CASE(an_unused_slot_is_not_looked_at), CASE(lines_come_in_pairs), CASE(each_promise_broken_in_turn),
          CASE(a_parent_outside), CASE(textures_of_a_material), CASE(a_checked_model_is_trusted), CASE(sentences))

/* Write profiles: what each one decides, and that nothing but the profile decides it. */
#include "formats/gltf/encode/encode.h"
#include "formats/model64/encode/encode.h"
#include "formats/t3dm/encode/policy.h"
#include "harness.h"
#include "support/buffer.h"
#include "trilobite/trilobite.h"

#include <string.h>

enum { PROFILES = TRILO_WRITE_PROFILE_BEST + 1 };

static const trilo_format formats[] = {TRILO_FORMAT_UNKNOWN, TRILO_FORMAT_NLM, TRILO_FORMAT_T3DM, TRILO_FORMAT_MODEL64,
                                       TRILO_FORMAT_GLTF};
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* --- tables --- */

/* A flag of a policy, and what it must be: auto for a model of no known format, TINY3D, LOSSLESS, BEST. */
typedef struct flag {
    const char *name;
    size_t at;
    bool want[PROFILES];
} flag;

#define FLAG(type, name, ...)                                                                                          \
    {                                                                                                                  \
#name, offsetof(type, name),                                                                                   \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

static const flag t3dm_flags[] = {
    FLAG(t3dm_policy, truncate_colors, 0, 1, 0, 0), FLAG(t3dm_policy, truncate_uvs, 0, 1, 0, 0),
    FLAG(t3dm_policy, snap_normals, 1, 0, 1, 1),    FLAG(t3dm_policy, make_normals, 1, 1, 0, 1),
    FLAG(t3dm_policy, fix_mirrored, 0, 1, 0, 1),    FLAG(t3dm_policy, drop_degenerate, 1, 1, 0, 1),
    FLAG(t3dm_policy, drop_empty, 0, 1, 0, 1),      FLAG(t3dm_policy, keep_materials, 0, 0, 1, 0),
    FLAG(t3dm_policy, merge_materials, 1, 1, 0, 1), FLAG(t3dm_policy, sprite_paths, 1, 1, 0, 1),
    FLAG(t3dm_policy, check_textures, 1, 1, 0, 1),  FLAG(t3dm_policy, select_bones, 0, 1, 0, 1),
    FLAG(t3dm_policy, keep_keys, 1, 0, 1, 0),       FLAG(t3dm_policy, normalize_rotations, 0, 1, 0, 1),
    FLAG(t3dm_policy, keep_start, 0, 0, 1, 0),      FLAG(t3dm_policy, keep_static_channels, 0, 0, 1, 0),
    FLAG(t3dm_policy, nlerp, 0, 0, 1, 0),           FLAG(t3dm_policy, drop_static_clips, 0, 1, 0, 1),
    FLAG(t3dm_policy, advise, 0, 1, 0, 1),          FLAG(t3dm_policy, has_tolerance, 0, 0, 0, 0),
};
static const flag model64_flags[] = {FLAG(model64_policy, keep_times, 0, 0, 1, 0),
                                     FLAG(model64_policy, keep_normals, 0, 0, 1, 0)};
static const flag gltf_flags[] = {FLAG(gltf_policy, guard_texels, 0, 0, 1, 1),
                                  FLAG(gltf_policy, hold_frames, 0, 1, 0, 0)};

/* `column` of the table, except that the flag `except` (NULL: none) is the other way round. */
static void check_flags(const flag *flags, size_t count, const void *policy, int column, const char *except)
{
    for (size_t i = 0; i < count; i++) {
        bool got;
        memcpy(&got, (const uint8_t *)policy + flags[i].at, sizeof got);
        const bool other = except && strcmp(except, flags[i].name) == 0;
        if (got != (flags[i].want[column] != other))
            FAIL("%s is %d in column %d", flags[i].name, got, column);
    }
}

#define CHECK_FLAGS(flags, policy, column, except)                                                                     \
    check_flags(flags, sizeof(flags) / sizeof(flags)[0], policy, column, except)

TEST(each_profile_sets_its_flags)
{
    static const trilo_t3dm_order orders[PROFILES] = {TRILO_T3DM_ORDER_NAME, TRILO_T3DM_ORDER_NAME,
                                                      TRILO_T3DM_ORDER_FILE, TRILO_T3DM_ORDER_LAYER};
    for (int profile = 0; profile < PROFILES; profile++)
        for (int i = 0; i < (profile == TRILO_WRITE_PROFILE_AUTO ? 1 : FORMATS); i++) {
            const trilo_model model = {.format = formats[i]};
            const trilo_write_opts opts = {.profile = (trilo_write_profile)profile,
                                           .t3dm = &(trilo_t3dm_write_opts){0}};
            const t3dm_policy t3dm = tl_t3dm_policy_of(&model, &opts);
            const model64_policy model64 = tl_model64_policy_of(&model, &opts);
            const gltf_policy gltf = tl_gltf_policy_of(&model, &opts);
            CHECK_FLAGS(t3dm_flags, &t3dm, profile, NULL);
            CHECK_FLAGS(model64_flags, &model64, profile, NULL);
            CHECK_FLAGS(gltf_flags, &gltf, profile, NULL);
            CHECK_INT(t3dm.order, orders[profile]);
            CHECK(t3dm.scale == 64);
        }
}

TEST(auto_follows_the_format)
{
    static const struct {
        trilo_format format;
        int t3dm, model64, gltf;
        const char *t3dm_except, *gltf_except;
    } rows[] = {
        {TRILO_FORMAT_NLM, 0, 0, 0, NULL, NULL},
        {TRILO_FORMAT_T3DM, TRILO_WRITE_PROFILE_LOSSLESS, 0, 0, NULL, "guard_texels"},
        {TRILO_FORMAT_MODEL64, 0, TRILO_WRITE_PROFILE_LOSSLESS, 0, "make_normals", "hold_frames"},
        {TRILO_FORMAT_GLTF, TRILO_WRITE_PROFILE_TINY3D, 0, 0, NULL, NULL},
    };
    const trilo_write_opts opts = {.t3dm = &(trilo_t3dm_write_opts){0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const trilo_model model = {.format = rows[i].format, .units_per_meter = 64};
        const t3dm_policy t3dm = tl_t3dm_policy_of(&model, &opts);
        const model64_policy model64 = tl_model64_policy_of(&model, &opts);
        const gltf_policy gltf = tl_gltf_policy_of(&model, &opts);
        CHECK_FLAGS(t3dm_flags, &t3dm, rows[i].t3dm, rows[i].t3dm_except);
        CHECK_FLAGS(model64_flags, &model64, rows[i].model64, NULL);
        CHECK_FLAGS(gltf_flags, &gltf, rows[i].gltf, rows[i].gltf_except);
        CHECK_INT(t3dm.order, rows[i].format == TRILO_FORMAT_T3DM ? TRILO_T3DM_ORDER_FILE : TRILO_T3DM_ORDER_NAME);
        CHECK(t3dm.scale == 1);
    }
}

TEST(options_come_before_the_profile)
{
    const trilo_model model = {.format = TRILO_FORMAT_T3DM, .units_per_meter = 64};
    trilo_write_opts opts = {.t3dm = &(trilo_t3dm_write_opts){.scale = 3, .order = TRILO_T3DM_ORDER_LAYER}};
    t3dm_policy policy = tl_t3dm_policy_of(&model, &opts);
    CHECK(policy.scale == 3 && policy.order == TRILO_T3DM_ORDER_LAYER && policy.keep_keys);
    for (int i = 0; i < 3; i++) { /* any tolerance reduces keys */
        opts.t3dm = &(trilo_t3dm_write_opts){
            .anim_error = i == 0, .anim_rotation_error = i == 1, .anim_translation_error = i == 2};
        policy = tl_t3dm_policy_of(&model, &opts);
        CHECK(policy.has_tolerance && !policy.keep_keys && !policy.keep_static_channels && policy.keep_start);
    }
}

TEST(no_other_profile_is_taken)
{
    trilo_error err;
    buffer bytes = {0};
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM, .profile = (trilo_write_profile)PROFILES};
    CHECK(!trilo_model_write(&(trilo_model){0}, &opts, buffer_sink, &bytes, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
}

/* --- bytes --- */

/* A model in which every flag has something to decide. */
typedef struct oddities {
    trilo_mesh meshes[4];
    trilo_material materials[4];
    trilo_n64_material n64;
    trilo_texture texture;
    trilo_node nodes[4];
    trilo_joint joint;
    trilo_skin skin;
    trilo_channel channels[2];
    trilo_frame frames[2];
    trilo_track track;
    trilo_clip clips[2];
    trilo_model model;
} oddities;

#define STR(text)                                                                                                      \
    {                                                                                                                  \
        text, sizeof text - 1                                                                                          \
    }

static void oddities_fill(oddities *o)
{
    static const float positions[5][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 3}, {0, 0, 3.001f}};
    static const float moved[5][3] = {{0, 0, 1}, {2, 0, 1}, {0, 1, 1}, {0, 0, 4}, {0, 0, 4.001f}};
    static const float normals[5][3] = {{0.5f, 0.5f, 0.5f}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0.3f, 0.2f, 0.1f}};
    static const float colors[5][4] = {{0.999f, 0.5f, 0.1f, 1}, {1, 1, 1, 1}, {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}};
    static const float uvs[5][2] = {{0.33333f, 0.7f}, {0, 0}, {1, 0}, {0, 1}, {13 / 1408.0f, 0.2f}};
    static const float weights[5][4] = {{1}, {1}, {1}, {1}, {1}};
    static const uint16_t joints[5][4] = {{0}};
    static const uint32_t indices[9] = {0, 1, 2, 0, 2, 3, 1, 3, 4};
    static const double times[3] = {0.5, 0.75, 1};
    static const float turns[12] = {0, 0, 0, 1, 0, 0, 0.3f, 0.95393920f, 0, 0, 0.6f, 0.8f}, rests[3] = {1, 1, 1};
    memset(o, 0, sizeof *o);
    const trilo_mesh mesh = {.name = STR("b"),
                             .material = 0,
                             .node = TRILO_NONE,
                             .skin = TRILO_NONE,
                             .vertex_count = 5,
                             .index_count = 9,
                             .positions = positions,
                             .normals = normals,
                             .colors = colors,
                             .uvs = uvs,
                             .indices = indices};
    for (int i = 0; i < 4; i++)
        o->meshes[i] = mesh;
    o->meshes[0].node = 3; /* mirrored */
    o->meshes[1].name = (trilo_str)STR("a");
    o->meshes[1].normals = NULL;
    o->meshes[1].colors = NULL;
    o->meshes[1].material = 1;
    o->meshes[2].index_count = 0;
    o->meshes[3].skin = 0;
    o->meshes[3].joints = joints;
    o->meshes[3].weights = weights;
    o->meshes[3].material = 2;
    for (int i = 0; i < 4; i++)
        o->materials[i] =
            (trilo_material){.name = STR("same"), .base_color = {1, 1, 1, 1}, .texture = i == 1 ? 0 : TRILO_NONE};
    o->materials[2].base_color[0] = 0.5f;
    o->materials[0].n64 = &o->n64;
    for (int i = 0; i < 2; i++)
        o->n64.tiles[i] = (trilo_n64_tile){.texture = TRILO_NONE, .width = 44, .height = 44};
    o->texture = (trilo_texture){.path = STR("wall.png"), .width = 44, .height = 48};
    for (int i = 0; i < 4; i++)
        o->nodes[i] = (trilo_node){.parent = TRILO_NONE,
                                   .rotation = {0, 0, 0, 1},
                                   .scale = {1, 1, 1},
                                   .local = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}};
    o->nodes[1].parent = 0; /* carries nothing */
    o->nodes[2].rotation.w = 2;
    o->nodes[3].scale.x = o->nodes[3].local.m[0] = -1;
    o->joint = (trilo_joint){0, o->nodes[0].local};
    o->skin = (trilo_skin){1, &o->joint};
    o->channels[0] =
        (trilo_channel){.node = 0, .target = TRILO_TARGET_ROTATION, .key_count = 3, .times = times, .values = turns};
    o->channels[1] =
        (trilo_channel){.node = 0, .target = TRILO_TARGET_SCALE_X, .key_count = 3, .times = times, .values = rests};
    o->frames[0] = (trilo_frame){.time = 0, .positions = positions};
    o->frames[1] = (trilo_frame){.time = 0.4, .positions = moved};
    o->track = (trilo_track){.mesh = 1, .frame_count = 2, .frames = o->frames};
    o->clips[0] = (trilo_clip){.name = STR("turn"), .duration = 1, .channel_count = 2, .channels = o->channels};
    o->clips[1] = (trilo_clip){.name = STR("wave"), .duration = 0.8, .track_count = 1, .tracks = &o->track};
    o->model = (trilo_model){.mesh_count = 4,
                             .material_count = 4,
                             .texture_count = 1,
                             .node_count = 4,
                             .skin_count = 1,
                             .clip_count = 2,
                             .meshes = o->meshes,
                             .materials = o->materials,
                             .textures = &o->texture,
                             .nodes = o->nodes,
                             .skins = &o->skin,
                             .clips = o->clips};
}

static bool keep_companion(void *user, const char *name, trilo_bytes bytes)
{
    return buffer_sink(user, name, strlen(name)) && buffer_sink(user, bytes.data, bytes.size);
}

static void keep_finding(void *user, const trilo_finding *finding)
{
    buffer_sink(user, finding->rule, strlen(finding->rule));
    buffer_sink(user, finding->text, strlen(finding->text));
}

/* The file, its companions and what was found: all of it in one row. */
static buffer written(const trilo_model *model, trilo_format format, trilo_write_profile profile)
{
    buffer all = {0};
    trilo_error err = {0};
    const trilo_write_opts opts = {.format = format,
                                   .profile = profile,
                                   .name = "odd",
                                   .model64 = &(trilo_model64_write_opts){.merge_materials = true},
                                   .companion = keep_companion,
                                   .companion_user = &all,
                                   .on_finding = keep_finding,
                                   .on_finding_user = &all};
    if (!trilo_model_write(model, &opts, buffer_sink, &all, &err))
        FAIL("%s", err.text);
    return all;
}

static bool same(const buffer *a, const buffer *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* How many of the sources give other bytes than the first one. */
static int count_different(trilo_format to, trilo_write_profile profile)
{
    oddities o;
    int different = 0;
    oddities_fill(&o);
    buffer first = written(&o.model, to, profile);
    for (int i = 1; i < FORMATS; i++) {
        o.model.format = formats[i];
        buffer other = written(&o.model, to, profile);
        different += !same(&first, &other);
        buffer_free(&other);
    }
    buffer_free(&first);
    return different;
}

TEST(with_a_profile_the_format_decides_nothing)
{
    for (int to = 1; to < FORMATS; to++)
        for (int profile = TRILO_WRITE_PROFILE_TINY3D; profile < PROFILES; profile++)
            CHECK_INT(count_different(formats[to], (trilo_write_profile)profile), 0);
    /* The sample can tell: without one, T3DM, Model and glTF models are written in ways of their own. */
    CHECK_INT(count_different(TRILO_FORMAT_T3DM, TRILO_WRITE_PROFILE_AUTO), 3);
    CHECK_INT(count_different(TRILO_FORMAT_MODEL64, TRILO_WRITE_PROFILE_AUTO), 1);
    CHECK_INT(count_different(TRILO_FORMAT_GLTF, TRILO_WRITE_PROFILE_AUTO), 2);
    CHECK_INT(count_different(TRILO_FORMAT_NLM, TRILO_WRITE_PROFILE_AUTO), 0);
}

TEST(auto_writes_the_bytes_of_its_profile)
{
    static const struct {
        trilo_format from, to;
        trilo_write_profile profile;
    } rows[] = {{TRILO_FORMAT_T3DM, TRILO_FORMAT_T3DM, TRILO_WRITE_PROFILE_LOSSLESS},
                {TRILO_FORMAT_GLTF, TRILO_FORMAT_T3DM, TRILO_WRITE_PROFILE_TINY3D},
                {TRILO_FORMAT_MODEL64, TRILO_FORMAT_MODEL64, TRILO_WRITE_PROFILE_LOSSLESS},
                {TRILO_FORMAT_T3DM, TRILO_FORMAT_GLTF, TRILO_WRITE_PROFILE_LOSSLESS},
                {TRILO_FORMAT_MODEL64, TRILO_FORMAT_GLTF, TRILO_WRITE_PROFILE_TINY3D}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        oddities o;
        oddities_fill(&o);
        o.model.format = rows[i].from;
        buffer automatic = written(&o.model, rows[i].to, TRILO_WRITE_PROFILE_AUTO);
        buffer chosen = written(&o.model, rows[i].to, rows[i].profile);
        CHECK(same(&automatic, &chosen));
        buffer_free(&automatic);
        buffer_free(&chosen);
    }
}

TEST_MAIN(CASE(each_profile_sets_its_flags), CASE(auto_follows_the_format), CASE(options_come_before_the_profile),
          CASE(no_other_profile_is_taken), CASE(with_a_profile_the_format_decides_nothing),
          CASE(auto_writes_the_bytes_of_its_profile))

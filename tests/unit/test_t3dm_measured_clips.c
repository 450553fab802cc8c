/* The error of a finished file against its source: bones and clips are found by name, the scale by the bones. All
 * errors are known by hand: one bone moves along x, and the file has it elsewhere at the end. */
#include "formats/t3dm/animation/animation.h"
#include "harness.h"
#include "support/t3dm_encoder.h"

#include <stdlib.h>
#include <string.h>

enum { HIP, LEG, ARM, NODES, FILE_BONES = 4 };

static const double places[NODES][3] = {{1, 2, 3}, {4, 0, 1}, {0, 5, 2}}; /* the leg and the arm below the hip */

typedef struct stage {
    encoder_bench b;
    trilo_node nodes[NODES];
    trilo_mesh meshes[NODES];
    float positions[NODES][3][3];
    uint32_t indices[3];
    double times[2];
    float values[2];
    trilo_channel channel;
    trilo_clip clips[2];
    /* The file. */
    char strings[64];
    t3dm_bone bones[FILE_BONES];
    t3dm_animation animations[2];
    t3dm_mapping mapping;
    uint32_t ticks[2], codes[2];
    tl_sdata_channel keys;
    t3dm_file file;
    t3dm_measured_clip errors[2];
} stage;

static trilo_str text_of(const char *text)
{
    return (trilo_str){text, strlen(text)};
}

static void make_source(stage *s)
{
    static const char *const names[NODES] = {"hip", "leg", "arm"};
    memset(s, 0, sizeof *s);
    encoder_bench_init(&s->b);
    for (uint32_t n = 0; n < NODES; n++) {
        trilo_node *node = &s->nodes[n];
        node->name = text_of(names[n]);
        node->parent = n == HIP ? TRILO_NONE : HIP;
        node->rotation.w = node->scale.x = node->scale.y = node->scale.z = 1;
        node->translation = (trilo_vec3){(float)places[n][0], (float)places[n][1], (float)places[n][2]};
        for (int k = 0; k < 4; k++)
            node->local.m[5 * k] = 1;
        for (int k = 0; k < 3; k++)
            node->local.m[12 + k] = (float)places[n][k];
        for (int v = 0; v < 3; v++)
            for (int k = 0; k < 3; k++)
                s->positions[n][v][k] = (float)(1 + v + 2 * k);
        s->indices[n] = n;
        s->meshes[n] = (trilo_mesh){.node = n,
                                    .skin = TRILO_NONE,
                                    .material = TRILO_NONE,
                                    .vertex_count = 3,
                                    .index_count = 3,
                                    .positions = (const float(*)[3])s->positions[n],
                                    .indices = s->indices};
    }
    s->times[1] = 1;
    s->values[0] = 4, s->values[1] = 10;
    s->channel = (trilo_channel){
        .node = LEG, .target = TRILO_TARGET_TRANSLATION_X, .key_count = 2, .times = s->times, .values = s->values};
    for (int i = 0; i < 2; i++)
        s->clips[i] = (trilo_clip){.name = text_of(i == 0 ? "stand" : "walk"),
                                   .duration = 1,
                                   .channel_count = (uint32_t)i,
                                   .channels = &s->channel};
    s->b.model = (trilo_model){.node_count = NODES,
                               .nodes = s->nodes,
                               .mesh_count = NODES,
                               .meshes = s->meshes,
                               .clip_count = 2,
                               .clips = s->clips};
}

/* Bones in this order, at a scale; the leg ends so far from where the source has it. */
static void make_file(stage *s, const uint32_t *order, uint32_t count, double scale, double off)
{
    memcpy(s->strings, "S\0hip\0leg\0arm\0tail\0walk\0none", 29);
    static const uint32_t names[FILE_BONES] = {2, 6, 10, 14};
    for (uint32_t i = 0; i < count; i++) {
        t3dm_bone *bone = &s->bones[i];
        *bone =
            (t3dm_bone){.name = names[order[i]], .parent = T3DM_NO_BONE, .scale = {1, 1, 1}, .rotation = {0, 0, 0, 1}};
        for (int k = 0; k < 3; k++)
            bone->position[k] = order[i] < NODES ? (float)(places[order[i]][k] * scale) : 1000;
        if (order[i] == LEG)
            s->mapping = (t3dm_mapping){.bone = (uint16_t)i, .type = T3DM_TRANSLATION, .axis = 0};
    }
    s->mapping.scale = (float)((6 * scale + off) / 60000);
    s->ticks[1] = 60;
    s->codes[0] = 0;
    s->codes[1] = 60000;
    s->mapping.offset = (float)(4 * scale);
    s->keys = (tl_sdata_channel){2, s->ticks, s->codes};
    for (int i = 0; i < 2; i++) {
        s->animations[i] = (t3dm_animation){
            .head.name = 19, .mappings = &s->mapping, .has_stream = true, .keys = {.channel_count = 1, .key_count = 2}};
        s->animations[i].keys.channels = &s->keys;
    }
    s->file = (t3dm_file){.version = 4,
                          .bones = s->bones,
                          .skeleton.bone_count = (uint16_t)count,
                          .has_skeleton = true,
                          .animations = s->animations,
                          .animation_count = 2,
                          .strings = {(const uint8_t *)s->strings, sizeof s->strings}};
}

static const t3dm_measured_clip *measure(stage *s)
{
    memset(s->errors, 0xFF, sizeof s->errors);
    CHECK(tl_t3dm_measure_clips(&s->b.model, &s->b.opts, &s->file, &s->b.arena, s->errors, &s->b.err));
    CHECK(memcmp(&s->errors[0].measured, &s->errors[1].measured, sizeof(bool)) == 0);
    return &s->errors[1];
}

/* Any order, and with a bone that the source does not have, which does not count for the scale. */
TEST(bones_are_found_by_name)
{
    static const uint32_t orders[][FILE_BONES] = {{HIP, LEG, ARM, 3}, {HIP, ARM, LEG, 3}, {LEG, HIP, ARM, 3},
                                                  {ARM, LEG, HIP, 3}, {LEG, ARM, HIP, 3}, {ARM, HIP, LEG, 3},
                                                  {3, HIP, LEG, ARM}, {LEG, 3, ARM, HIP}};
    static const double scales[] = {64, 10, 128.5};
    static stage s;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        for (uint32_t count = 3; count <= 4; count++)
            for (int k = 0; k < 3; k++) {
                uint32_t leg = 0;
                while (orders[i][leg] != LEG)
                    leg++;
                if (leg >= count || (count == 3 && orders[i][3] != 3))
                    continue;
                make_source(&s);
                make_file(&s, orders[i], count, scales[k], 3);
                const t3dm_measured_clip *got = measure(&s);
                CHECK(got->measured);
                CHECK_NEAR(got->error.distance, 3, 0.01);
                CHECK_NEAR(got->error.position, 3, 0.01);
                CHECK_NEAR(got->error.rotation, 0, 1e-6);
                CHECK_INT(got->error.tick, 60);
                CHECK_INT(got->error.bone, leg);
                encoder_bench_free(&s.b);
            }
}

/* Two of a name are taken one after the other; a bone that the file lacks rests as in the source. */
TEST(bones_of_one_name_and_none)
{
    static const uint32_t order[] = {HIP, LEG, ARM}, leg_only[] = {LEG};
    static stage s;
    for (int way = 0; way < 3; way++) {
        make_source(&s);
        make_file(&s, way == 2 ? leg_only : order, way == 2 ? 1 : 3, 10, 3);
        for (uint32_t n = 0; n < NODES && way < 2; n++) {
            s.nodes[n].name = text_of(way == 0 ? "hip" : "");
            s.bones[n].name = way == 0 ? 2 : 0;
        }
        s.b.t3dm.scale = 10;
        const t3dm_measured_clip *got = measure(&s);
        CHECK_NEAR(got->error.distance, 3, 0.01);
        CHECK_INT(got->error.bone, way == 2 ? 0 : 1);
        encoder_bench_free(&s.b);
    }
}

/* The scale of the bones counts unless it is less than a 10,000th off the default, 64 units a meter, or was given. */
TEST(the_scale_is_that_of_the_bones)
{
    static const struct {
        double in_file;
        float given;
        bool exact;
    } rows[] = {{64, 0, true},          {64 * 1.00005, 0, false},
                {64 * 1.0005, 0, true}, {64 * 0.99995, 0, false},
                {64 * 0.9995, 0, true}, {10, 0, true},
                {10, 10, true},         {10.01, 10, false}};
    static const uint32_t order[] = {HIP, LEG, ARM};
    static stage s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make_source(&s);
        make_file(&s, order, 3, rows[i].in_file, 0);
        s.b.t3dm.scale = rows[i].given;
        CHECK_INT(measure(&s)->error.distance < 0.002, rows[i].exact);
        encoder_bench_free(&s.b);
    }
    make_source(&s); /* no bone says how large it is */
    make_file(&s, order, 3, 64, 0);
    for (uint32_t n = 0; n < NODES; n++) {
        memset(s.bones[n].position, 0, sizeof s.bones[n].position);
        s.nodes[n].translation = (trilo_vec3){0, 0, 0};
        memset(s.nodes[n].local.m + 12, 0, 3 * sizeof(float));
    }
    CHECK_NEAR(measure(&s)->error.distance, 0, 0.002);
    encoder_bench_free(&s.b);
}

/* A bone that no clip moves is off wherever it rests elsewhere in the file. */
TEST(other_rest_poses_are_found)
{
    static const uint32_t order[] = {HIP, ARM, LEG};
    static stage s;
    for (int component = 0; component <= 10; component++) {
        make_source(&s);
        make_file(&s, order, 3, 10, 0);
        s.b.t3dm.scale = 10;
        t3dm_bone *arm = &s.bones[1];
        float *const all[] = {&arm->rotation[0], &arm->rotation[1], &arm->rotation[2], &arm->rotation[3],
                              &arm->scale[0],    &arm->scale[1],    &arm->scale[2],    &arm->position[0],
                              &arm->position[1], &arm->position[2]};
        if (component < 10)
            *all[component] += 0.5f;
        const t3dm_measured_clip *got = measure(&s);
        if (component == 10 || component == 3) /* the fourth alone only makes it longer */
            CHECK_NEAR(got->error.distance, 0, 0.002);
        else {
            CHECK(got->error.distance > 0.4);
            CHECK_INT(got->error.bone, 1);
        }
        CHECK_INT(got->error.rotation > 0.1, component < 3);
        CHECK_INT(got->error.position > 0.4, component >= 7 && component < 10);
        encoder_bench_free(&s.b);
    }
}

/* Clips are found by name, with their stream, and if a stream can be so long: 65535 ticks. */
TEST(clips_that_are_measured)
{
    static const uint32_t order[] = {HIP, LEG, ARM};
    static stage s;
    for (int way = 0; way < 8; way++) {
        const trilo_error broken = {0};
        if (TEST_SLOW && way == 4)
            continue;
        make_source(&s);
        make_file(&s, order, 3, 10, 3);
        if (way == 1)
            s.animations[0].head.name = s.animations[1].head.name = 24; /* "none" */
        else if (way == 2)
            s.animations[0].has_stream = s.animations[1].has_stream = false;
        else if (way == 3)
            s.animations[0].stream_error = s.animations[1].stream_error = &broken;
        else if (way == 4)
            s.clips[1].duration = 65535 / 60.0;
        else if (way == 5)
            s.clips[1].duration = 65535.01 / 60;
        else if (way == 6)
            s.clips[1].name = text_of(""), s.animations[0].head.name = s.animations[1].head.name = 0;
        else if (way == 7) /* it starts half a second later, which the file does not have */
            s.times[0] = 0.5, s.times[1] = s.clips[1].duration = 1.5;
        const t3dm_measured_clip *got = measure(&s);
        const bool measured = way == 0 || way == 4 || way == 7;
        CHECK_INT(got->measured, measured);
        if (measured) {
            CHECK_NEAR(got->error.distance, 3, 0.01);
            CHECK_INT(got->error.tick, 60);
        }
        CHECK_INT(got->error.bone, measured ? 1 : TRILO_NONE);
        encoder_bench_free(&s.b);
    }
}

/* A source that cannot be encoded says why. */
TEST(a_source_with_too_many_bones)
{
    static stage s;
    static const uint32_t order[] = {HIP, LEG, ARM};
    trilo_node *nodes = calloc(65535, sizeof *nodes);
    CHECK(nodes != NULL);
    make_source(&s);
    make_file(&s, order, 3, 10, 0);
    for (uint32_t i = 0; i < 65535; i++)
        nodes[i].parent = TRILO_NONE;
    s.b.model.node_count = 65535;
    s.b.model.nodes = nodes;
    const bool ok = tl_t3dm_measure_clips(&s.b.model, &s.b.opts, &s.file, &s.b.arena, s.errors, &s.b.err);
    free(nodes);
    CHECK(!ok);
    CHECK_STR(s.b.err.rule, "T3DM-RANGE-COUNT");
    encoder_bench_free(&s.b);
}

TEST_MAIN(CASE(bones_are_found_by_name), CASE(bones_of_one_name_and_none), CASE(the_scale_is_that_of_the_bones),
          CASE(other_rest_poses_are_found), CASE(clips_that_are_measured), CASE(a_source_with_too_many_bones))

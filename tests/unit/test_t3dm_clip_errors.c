/* How far the clips of a T3DM file are from their source, and that ours are nowhere further off than those of Tiny3D's
 * converter. */
#include "harness.h"
#include "support/buffer.h"
#include "support/documents.h"
#include "support/t3dm_frond.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 24 };

typedef struct made_file {
    buffer file, streams[STREAMS];
    char names[STREAMS][64];
    uint32_t stream_count;
    trilo_document *document;
    char same[256];       /* the text of a finding T3DM-KEYS-SAME */
    double said[STREAMS]; /* distances in findings T3DM-KEYS */
    uint32_t said_count;
} made_file;

static bool keep_stream(void *user, const char *name, trilo_bytes bytes)
{
    made_file *m = user;
    CHECK(m->stream_count < STREAMS);
    snprintf(m->names[m->stream_count], sizeof m->names[0], "%s", name);
    return buffer_sink(&m->streams[m->stream_count++], bytes.data, bytes.size);
}

static bool give_stream(void *user, const char *name, trilo_bytes *bytes)
{
    const made_file *m = user;
    for (uint32_t i = 0; i < m->stream_count; i++)
        if (strcmp(m->names[i], name) == 0)
            *bytes = (trilo_bytes){m->streams[i].data, m->streams[i].size};
    return bytes->data != NULL;
}

static void keep_finding(void *user, const trilo_finding *finding)
{
    made_file *m = user;
    if (strcmp(finding->rule, "T3DM-KEYS-SAME") == 0)
        snprintf(m->same, sizeof m->same, "%s", finding->text);
    const char *distance = strstr(finding->text, "no vertex is more than ");
    if (strcmp(finding->rule, "T3DM-KEYS") == 0 && distance && m->said_count < STREAMS)
        m->said[m->said_count++] = strtod(distance + strlen("no vertex is more than "), NULL);
}

static void make_t3dm(const trilo_model *source, trilo_t3dm_write_opts t3dm, made_file *m)
{
    trilo_error err = {0};
    memset(m, 0, sizeof *m);
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                   .name = "a.t3dm",
                                   .companion = keep_stream,
                                   .companion_user = m,
                                   .on_finding = keep_finding,
                                   .on_finding_user = m,
                                   .t3dm = &t3dm};
    if (!trilo_model_write(source, &opts, buffer_sink, &m->file, &err))
        FAIL("%s", err.text);
    const trilo_load_opts load = {.name = "a.t3dm", .companion = give_stream, .companion_user = m};
    m->document = trilo_document_open(m->file.data, m->file.size, &load, &err);
    CHECK(m->document);
}

static void made_free(made_file *m)
{
    trilo_document_free(m->document);
    buffer_free(&m->file);
    for (uint32_t i = 0; i < m->stream_count; i++)
        buffer_free(&m->streams[i]);
}

static uint32_t measure(const trilo_document *document, const trilo_model *source, trilo_t3dm_clip_error *errors)
{
    trilo_error err = {0};
    const uint32_t count = trilo_document_t3dm(document).animation_count;
    CHECK(count <= STREAMS);
    if (!trilo_document_t3dm_clip_errors(document, source, 0, errors, &err))
        FAIL("%s", err.text);
    return count;
}

static const struct {
    const char *source, *reference;
} pairs[] = {
    {"jam/assets/old_gods/frog.glb", "jam/filesystem/old_gods/frog.t3dm"},
    {"jam/assets/old_gods/spider.glb", "jam/filesystem/old_gods/spider.t3dm"},
    {"jam/assets/avanto/guy.glb", "jam/filesystem/avanto/guy.t3dm"},
    {"jam/assets/furball/fastcat.glb", "jam/filesystem/furball/fastcat.t3dm"},
    {"jam/assets/rampage/Jira_01.glb", "jam/filesystem/rampage/Jira_01.t3dm"},
    {"jam/assets/larcenygame/dogGuard.glb", "jam/filesystem/larcenygame/dogGuard.t3dm"},
    {"t3dm/08_animation/assets/snake.glb", "t3dm/08_animation/filesystem/snake.t3dm"},
    {"t3dm/09_anim_viewer/assets/animTest.glb", "t3dm/09_anim_viewer/filesystem/animTest.t3dm"},
    {"t3dm/09_anim_viewer/assets/cath.glb", "t3dm/09_anim_viewer/filesystem/cath.t3dm"},
    {"t3dm/09_anim_viewer/assets/enemyPlant00.glb", "t3dm/09_anim_viewer/filesystem/enemyPlant00.t3dm"},
};

/* Streams of the reference, in single precision, may differ from what the library expects of it by a tick. */
static const double SLACK = 1.0005, ROUNDING = 1e-5;

TEST(no_error_is_larger_than_with_the_reference)
{
    const uint32_t step = test_rounds(1, TEST_EMULATED ? 3 : 1);
    uint32_t clips = 0, said = 0;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i += step) {
        trilo_document *source = open_corpus(pairs[i].source), *reference = open_corpus(pairs[i].reference);
        const trilo_model *model = trilo_document_model(source, NULL);
        trilo_t3dm_clip_error theirs[STREAMS], ours[STREAMS];
        made_file made;
        CHECK(model);
        make_t3dm(model, (trilo_t3dm_write_opts){0}, &made);
        const uint32_t count = measure(reference, model, theirs);
        CHECK_INT(measure(made.document, model, ours), count);
        for (uint32_t k = 0; made.said_count == count && k < count; k++, said++)
            if (fabs(made.said[k] - ours[k].distance) > 1e-3 * ours[k].distance + ROUNDING)
                FAIL("%s, clip %u: a finding says that a vertex is %g units off, but %g are measured", pairs[i].source,
                     k, made.said[k], ours[k].distance);
        for (uint32_t k = 0; k < count; k++, clips++) {
            CHECK(theirs[k].measured && ours[k].measured);
            if (ours[k].distance > theirs[k].distance * SLACK + ROUNDING ||
                ours[k].rotation > theirs[k].rotation * SLACK + ROUNDING ||
                ours[k].position > theirs[k].position * SLACK + ROUNDING)
                FAIL("%s, clip %u: a vertex is %g units off, a bone %g degrees and %g units; the reference %g, %g, %g",
                     pairs[i].source, k, ours[k].distance, ours[k].rotation, ours[k].position, theirs[k].distance,
                     theirs[k].rotation, theirs[k].position);
        }
        made_free(&made);
        trilo_model_free(model);
        trilo_document_free(source);
        trilo_document_free(reference);
    }
    CHECK(clips >= (step == 1 ? 50 : 15));
    CHECK(said >= (step == 1 ? 30 : 10));
}

/* Measured by others on the clip Jump of frog: 0.707 units with the keys of the reference. */
TEST(the_measure_agrees_with_another)
{
    trilo_document *source = open_corpus(pairs[0].source), *reference = open_corpus(pairs[0].reference);
    trilo_t3dm_clip_error errors[STREAMS];
    const trilo_model *model = trilo_document_model(source, NULL);
    measure(reference, model, errors);
    CHECK_NEAR(errors[4].distance, 0.707, 0.01);
    CHECK(errors[4].seconds > 0 && errors[4].seconds <= 0.875);
    CHECK_STR(errors[4].bone.data, "BackLowLeg.L");
    trilo_model_free(model);
    trilo_document_free(source);
    trilo_document_free(reference);
}

/* A file with half the keys is further off, and each clip has a figure of its own. */
TEST(fewer_keys_have_a_larger_error)
{
    trilo_document *source = open_corpus("gltf/Fox/Fox.glb");
    const trilo_model *model = trilo_document_model(source, NULL);
    trilo_t3dm_clip_error plain[STREAMS], bounded[STREAMS];
    made_file usual, fewer;
    make_t3dm(model, (trilo_t3dm_write_opts){0}, &usual);
    make_t3dm(model, (trilo_t3dm_write_opts){.anim_error_percent = 2}, &fewer);
    CHECK_INT(measure(usual.document, model, plain), 3);
    CHECK_INT(measure(fewer.document, model, bounded), 3);
    CHECK(plain[0].distance != plain[1].distance && plain[1].distance != plain[2].distance);
    const trilo_bounds box = trilo_model_bounds(model);
    const double x = box.max.x - box.min.x, y = box.max.y - box.min.y, z = box.max.z - box.min.z;
    for (uint32_t k = 0; k < 3; k++) {
        CHECK(2 * trilo_document_t3dm_animation(fewer.document, k).key_count <
              trilo_document_t3dm_animation(usual.document, k).key_count);
        CHECK(bounded[k].distance > 1.2 * plain[k].distance);
        CHECK(bounded[k].distance <= 0.02 * 64 * sqrt(x * x + y * y + z * z) * 1.001);
    }
    made_free(&usual);
    made_free(&fewer);
    trilo_model_free(model);
    trilo_document_free(source);
}

TEST(a_bound_without_effect_is_reported)
{
    trilo_document *source = open_corpus("gltf/Fox/Fox.glb");
    const trilo_model *model = trilo_document_model(source, NULL);
    made_file wide, wider;
    make_t3dm(model, (trilo_t3dm_write_opts){.anim_error_percent = 1}, &wide);
    CHECK_STR(wide.same, "");
    const trilo_model no_clips = {.format = model->format,
                                  .mesh_count = model->mesh_count,
                                  .meshes = model->meshes,
                                  .material_count = model->material_count,
                                  .materials = model->materials,
                                  .texture_count = model->texture_count,
                                  .textures = model->textures,
                                  .node_count = model->node_count,
                                  .nodes = model->nodes,
                                  .skin_count = model->skin_count,
                                  .skins = model->skins};
    make_t3dm(&no_clips, (trilo_t3dm_write_opts){.anim_error = 1}, &wider);
    CHECK_STR(wider.same, "the bound makes no difference: no clip is written");
    made_free(&wide);
    made_free(&wider);
    trilo_model_free(model);
    trilo_document_free(source);
}

/* From 0 to 5 at a constant pace, and there and back: neither has a key to spare. There and back needs all three keys
 * for a bound of 0.5, and two are enough for a bound of 9. */
TEST(a_bound_without_effect_says_why)
{
    static const double times[3] = {0, 0.5, 1};
    static const float there_and_back[9] = {0, 3, 0, 5, 3, 0, 0.25f, 3, 0};
    const trilo_t3dm_write_opts narrow = {.scale = 1, .anim_error = 0.5}, wide = {.scale = 1, .anim_error = 9};
    frond f;
    frond_fill(&f);
    frond_skin(&f);
    frond_clip(&f);
    f.joint[0].node = 1;
    f.values[1] = f.values[4] = 3; /* as at rest */
    frond_result straight = frond_encode(&f.model, &narrow);
    CHECK(straight.ok);
    CHECK(strstr(straight.texts,
                 "the bound makes no difference, there are 2 keys without it, too: each channel already "
                 "has only its first and last key\n"));
    frond_done(&straight, NULL);
    f.channel.key_count = 3;
    f.channel.times = times;
    f.channel.values = there_and_back;
    frond_result needed = frond_encode(&f.model, &narrow), spared = frond_encode(&f.model, &wide);
    CHECK(needed.ok && spared.ok);
    CHECK(strstr(needed.texts, "the bound makes no difference, there are 3 keys without it, too: with one key less a "
                               "vertex would be further off than it allows\n"));
    CHECK(strstr(spared.texts, "2 keys, with which no vertex is more than"));
    CHECK(!strstr(spared.texts, "makes no difference"));
    frond_done(&needed, NULL);
    frond_done(&spared, NULL);
}

/* ---- by hand ---- */

/* Bones "low", at the origin, and "high", 3 above it, which the triangle (0 0 0) (2 0 0) (0 1 0) follows. In a second
 * "high" moves by 5 along x. With `more`, another root comes before them. */
typedef struct stalk {
    frond f;
    trilo_joint joints[3];
    trilo_clip clips[2];
} stalk;

static void stalk_fill(stalk *s, uint32_t more)
{
    frond_fill(&s->f);
    frond_skin(&s->f);
    s->f.model.node_count = 2 + more;
    for (uint32_t i = 0; i < 2 + more; i++) {
        trilo_node *node = &s->f.nodes[i];
        node->name = frond_text(i < more ? "extra" : i == more ? "low" : "high");
        node->parent = i <= more ? TRILO_NONE : more;
        node->translation.y = node->local.m[13] = i > more ? 3 : 0;
        s->joints[i] = (trilo_joint){i, s->f.nodes[0].local};
        s->joints[i].inverse_bind.m[13] = i > more ? -3 : 0;
    }
    s->f.skin = (trilo_skin){2 + more, s->joints};
    for (int v = 0; v < 3; v++)
        s->f.joints[v][0] = (uint16_t)(1 + more);
    s->f.channel.node = 1 + more;
    s->f.values[1] = s->f.values[4] = 3;
    s->clips[0] = s->clips[1] = s->f.clip;
    s->clips[0].channels = s->clips[1].channels = &s->f.channel;
    s->f.model.clips = s->clips;
    s->f.model.clip_count = 1;
}

/* What is different in the source that a file is measured against. */
enum {
    SAME,
    FARTHER,
    RENAMED,
    SECOND,
    MOVED_REST,
    TURNED_REST,
    NO_BONE,
    EXTRA,
    EXTRA_FARTHER,
    TWINS,
    SHORTER,
    BETWEEN_TICKS,
    CHANGES
};

static void change_source(stalk *s, int change)
{
    static trilo_channel none;
    stalk_fill(s, change == EXTRA || change == EXTRA_FARTHER ? 1 : 0);
    if (change == FARTHER || change == EXTRA_FARTHER)
        s->f.values[3] = 6;
    if (change == RENAMED)
        s->clips[0].name = frond_text("swa");
    if (change == SECOND) {
        s->clips[0].name = (trilo_str){"", 0};
        s->clips[0].channels = &none;
        s->clips[0].channel_count = 0;
        s->f.model.clip_count = 2;
    }
    if (change == MOVED_REST)
        s->f.nodes[0].translation.x = s->f.nodes[0].local.m[12] = 2;
    if (change == TURNED_REST) {
        static const float turned[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        s->f.nodes[0].rotation = (trilo_quat){0, 0, 0.70710678f, 0.70710678f};
        memcpy(s->f.nodes[0].local.m, turned, sizeof turned);
    }
    if (change == NO_BONE)
        s->f.nodes[1].name = frond_text("elbow");
    if (change == TWINS)
        s->f.nodes[1].name = frond_text("low");
    if (change == BETWEEN_TICKS) {
        s->clips[0].duration = s->f.times[1] = 0.99;
        s->f.values[3] = 6;
    }
    if (change == SHORTER) {
        s->clips[0].duration = 0.5;
        s->f.times[1] = 0.5;
    }
}

TEST(known_differences_are_measured)
{
    static const struct {
        bool measured;
        double distance, seconds, degrees, position; /* in meters */
        const char *bone;
    } want[CHANGES] = {
        [SAME] = {true, 0, 0, 0, 0, NULL},
        [FARTHER] = {true, 1, 1, 0, 1, "high"},
        [RENAMED] = {false, 0, 0, 0, 0, ""},
        [SECOND] = {true, 0, 0, 0, 0, NULL},
        [MOVED_REST] = {true, 2, 0, 0, 2, "high"},
        /* a quarter turn moves what is r away from the axis by the root of 2 r: the corner that ends at (7, 0), and the
         * bone that ends at (5, 3) */
        [TURNED_REST] = {true, 9.8994949, 1, 90, 8.2462113, "high"},
        [NO_BONE] = {true, 5, 1, 0, 5, ""},
        [EXTRA] = {true, 0, 0, 0, 0, NULL},
        [EXTRA_FARTHER] = {true, 1, 1, 0, 1, "high"},
        [TWINS] = {true, 0, 0, 0, 0, NULL},
        [SHORTER] = {true, 2.5, 0.5, 0, 2.5, "high"},
        [BETWEEN_TICKS] = {true, 1, 1, 0, 1, "high"}, /* at the tick after the end */
    };
    for (int change = 0; change < CHANGES; change++)
        for (int scale = 0; scale < 2; scale++) {
            static stalk written, source;
            trilo_t3dm_clip_error got;
            trilo_error err = {0};
            made_file m;
            const double units = 32;
            stalk_fill(&written, 0);
            if (change == TWINS)
                written.f.nodes[1].name = frond_text("low");
            if (change == BETWEEN_TICKS)
                written.clips[0].duration = written.f.times[1] = 0.99;
            change_source(&source, change);
            if (scale == 0 && (change == MOVED_REST || change == NO_BONE))
                continue; /* then bones do not tell the scale */
            make_t3dm(&written.f.model, (trilo_t3dm_write_opts){.scale = (float)units}, &m);
            CHECK(trilo_document_t3dm_clip_errors(m.document, &source.f.model, scale ? units : 0, &got, &err));
            CHECK_INT(got.measured, want[change].measured);
            CHECK_NEAR(got.distance / units, want[change].distance, 1e-3);
            CHECK_NEAR(got.position / units, want[change].position, 1e-3);
            CHECK_NEAR(got.rotation, want[change].degrees, 0.1);
            if (want[change].bone) {
                CHECK_STR(got.bone.data, want[change].bone);
                CHECK_NEAR(got.seconds, want[change].seconds, 1e-9);
            }
            made_free(&m);
        }
}

TEST_MAIN(CASE(a_bound_without_effect_says_why), CASE(known_differences_are_measured),
          CASE(no_error_is_larger_than_with_the_reference), CASE(the_measure_agrees_with_another),
          CASE(fewer_keys_have_a_larger_error), CASE(a_bound_without_effect_is_reported))

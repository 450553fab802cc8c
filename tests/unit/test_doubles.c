/* Two channels for one part of a node: in the model never, in a file now and then. */
#include "harness.h"
#include "model/target.h"
#include "support/buffer.h"
#include "trilobite/trilobite.h"

#include <string.h>

/* Marks of one clip say nothing about the next. */
TEST(targets_are_taken_once)
{
    tl_moved_transform node = {0};
    for (uint32_t clip = 0; clip < 3; clip++) {
        CHECK(tl_target_take(&node, clip, TRILO_TARGET_ROTATION));
        CHECK(tl_target_take(&node, clip, TRILO_TARGET_SCALE_X));
        CHECK(tl_target_take(&node, clip, TRILO_TARGET_TRANSLATION));
        CHECK(tl_target_take(&node, clip, TRILO_TARGET_SCALE_Z));
        CHECK(!tl_target_take(&node, clip, TRILO_TARGET_ROTATION));
        CHECK(!tl_target_take(&node, clip, TRILO_TARGET_SCALE));
        CHECK(!tl_target_take(&node, clip, TRILO_TARGET_TRANSLATION_Y));
        CHECK(!tl_target_take(&node, clip, TRILO_TARGET_SCALE_Y)); /* the whole was asked for above */
    }
}

typedef struct files {
    buffer model, stream;
    size_t doubles;
} files;

static bool keep_stream(void *user, const char *name, trilo_bytes bytes)
{
    (void)name;
    return buffer_sink(&((files *)user)->stream, bytes.data, bytes.size);
}

static bool give_stream(void *user, const char *name, trilo_bytes *bytes)
{
    const files *f = user;
    (void)name;
    *bytes = (trilo_bytes){f->stream.data, f->stream.size};
    return true;
}

static void note(void *user, const trilo_finding *finding)
{
    files *f = user;
    if (strcmp(finding->rule, "T3DM-ANIM-DUPLICATE") != 0)
        return;
    f->doubles++;
    CHECK_INT(finding->severity, TRILO_SEVERITY_WARNING);
    CHECK_STR(finding->path, "animations[0].channels[1]");
    CHECK_STR(finding->text, "an earlier channel drives the same component of bone 1, must be one only");
}

/* A bone that goes 1 along x, 5 along y and 3 along z in a second: three channels of one axis each. */
static void write_three_axes(files *f)
{
    const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    trilo_node nodes[2] = {{.parent = TRILO_NONE, .rotation.w = 1, .scale = {1, 1, 1}, .local = identity}};
    nodes[1] = nodes[0];
    nodes[1].parent = 0;
    const double times[2] = {0, 1};
    const float values[2][3] = {{0, 0, 0}, {1, 5, 3}};
    const trilo_channel channel = {.node = 1, .key_count = 2, .times = times, .values = values[0]};
    const trilo_clip clip = {.duration = 1, .channel_count = 1, .channels = &channel};
    const trilo_model model = {.node_count = 2, .nodes = nodes, .clip_count = 1, .clips = &clip};
    trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM, .companion = keep_stream, .companion_user = f};
    opts.t3dm = &(trilo_t3dm_write_opts){.scale = 1};
    trilo_error err = {0};
    if (!trilo_model_write(&model, &opts, buffer_sink, &f->model, &err))
        FAIL("%s: %s", err.path, err.text);
}

/* The three mappings, 12 bytes each: bone 1, type 0 (translation), axis 0, 1 and 2. */
static uint8_t *find_mappings(const files *f)
{
    for (size_t i = 0; i + 36 <= f->model.size; i++) {
        uint8_t *at = f->model.data + i;
        if (memcmp(at, "\0\1\0\0", 4) == 0 && memcmp(at + 12, "\0\1\0\1", 4) == 0 &&
            memcmp(at + 24, "\0\1\0\2", 4) == 0)
            return at;
    }
    FAIL("the mappings are not there");
}

/* Where the bone stands at the end, and with how many channels it came there. */
static void check_end(files *f, size_t doubles, uint32_t channels, double x, double y)
{
    trilo_error err = {0};
    const trilo_load_opts opts = {
        .companion = give_stream, .companion_user = f, .on_finding = note, .on_finding_user = f};
    const trilo_model *model = trilo_model_load(f->model.data, f->model.size, &opts, &err);
    if (!model || !trilo_model_check(model, &err))
        FAIL("%s: %s", err.path, err.text);
    CHECK_INT(f->doubles, doubles);
    CHECK_INT(model->clips[0].channel_count, channels);
    trilo_mat4 locals[2];
    trilo_pose_locals(model, 0, 1, locals);
    CHECK_NEAR(locals[1].m[12], x, 1e-3);
    CHECK_NEAR(locals[1].m[13], y, 1e-3);
    CHECK_NEAR(locals[1].m[14], 3, 1e-3);
    trilo_model_free(model);
}

/* When the second channel drives x as well, it is the one that counts, and y rests. */
TEST(the_later_channel_of_a_file_counts)
{
    files f = {.doubles = 0};
    write_three_axes(&f);
    check_end(&f, 0, 3, 1, 5);
    find_mappings(&f)[12 + 3] = 0;
    check_end(&f, 1, 2, 5, 0);
    buffer_free(&f.model);
    buffer_free(&f.stream);
}

TEST_MAIN(CASE(targets_are_taken_once), CASE(the_later_channel_of_a_file_counts))

/* Editing and thinning clips when memory runs out, and with values that no clip should have. */
#include "harness.h"
#include "support/documents.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

enum { KEYS = 40 };

/* A triangle on two bones, and a clip that moves both. */
typedef struct sample {
    trilo_mesh mesh;
    trilo_node nodes[2];
    trilo_joint joints[2];
    trilo_skin skin;
    trilo_channel channels[3];
    trilo_clip clip;
    trilo_model model;
    double times[KEYS];
    float turns[4 * KEYS], places[3 * KEYS], curve[3 * KEYS];
} sample;

static void sample_fill(sample *s)
{
    static const float positions[3][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}};
    static const float weights[3][4] = {{1}, {1}, {1}};
    static const uint16_t joints[3][4] = {{0}, {1}, {1}};
    static const uint32_t indices[3] = {0, 1, 2};
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < 2; i++) {
        s->nodes[i] = (trilo_node){.name = {i ? "b" : "a", 1},
                                   .parent = i ? 0 : TRILO_NONE,
                                   .rotation.w = 1,
                                   .scale = {1, 1, 1},
                                   .local = identity};
        s->joints[i] = (trilo_joint){i, identity};
    }
    for (uint32_t k = 0; k < KEYS; k++) {
        const float bend = 0.02f * (float)(k * k % 17);
        s->times[k] = k / 24.0;
        s->turns[4 * k + 2] = bend / sqrtf(1 + bend * bend);
        s->turns[4 * k + 3] = 1 / sqrtf(1 + bend * bend);
        s->places[3 * k] = bend;
        s->curve[3 * k + 1] = bend;
    }
    s->channels[0] =
        (trilo_channel){0, TRILO_TARGET_ROTATION, TRILO_INTERPOLATION_LINEAR, KEYS, s->times, s->turns, 0, 0};
    s->channels[1] =
        (trilo_channel){1, TRILO_TARGET_TRANSLATION, TRILO_INTERPOLATION_LINEAR, KEYS, s->times, s->places, 0, 0};
    s->channels[2] =
        (trilo_channel){1, TRILO_TARGET_SCALE_Y, TRILO_INTERPOLATION_CUBIC, KEYS, s->times, s->curve, 0, 0};
    s->mesh = (trilo_mesh){.material = TRILO_NONE,
                           .node = TRILO_NONE,
                           .vertex_count = 3,
                           .index_count = 3,
                           .positions = positions,
                           .joints = joints,
                           .weights = weights,
                           .indices = indices};
    s->skin = (trilo_skin){2, s->joints};
    s->clip =
        (trilo_clip){.name = {"Walk", 4}, .duration = (KEYS - 1) / 24.0, .channel_count = 3, .channels = s->channels};
    s->model = (trilo_model){.format = TRILO_FORMAT_GLTF,
                             .mesh_count = 1,
                             .meshes = &s->mesh,
                             .node_count = 2,
                             .nodes = s->nodes,
                             .skin_count = 1,
                             .skins = &s->skin,
                             .clip_count = 1,
                             .clips = &s->clip};
}

/* ---- memory ---- */

typedef struct counter {
    long left; /* allocations that succeed */
    size_t blocks;
} counter;

static void *count(void *user, void *old, size_t old_size, size_t new_size)
{
    counter *c = user;
    (void)old_size;
    if (new_size == 0) {
        c->blocks -= old ? 1 : 0;
        free(old);
        return NULL;
    }
    if (c->left-- <= 0)
        return NULL;
    void *block = realloc(old, new_size);
    c->blocks += block && !old ? 1 : 0;
    return block;
}

static bool run(const sample *s, int what, const trilo_memory *memory, trilo_error *err)
{
    static const trilo_marker markers[] = {{0.5, "Half"}, {1, NULL}};
    static const trilo_clip_part part = {.from = 0.3, .to = 1.4, .name = "Part"};
    const trilo_clip_edit edit = {.part_count = 1,
                                  .parts = &part,
                                  .marker_count = 2,
                                  .markers = markers,
                                  .reverse = true,
                                  .rate = 1000, /* needs a block of memory of its own */
                                  .drop_resting = true};
    const trilo_write_opts write = {.format = TRILO_FORMAT_T3DM,
                                    .memory = *memory,
                                    .name = "a.t3dm",
                                    .companion = discard_companion,
                                    .t3dm = &(trilo_t3dm_write_opts){.anim_error = what == 2 ? 1 : 1e-4}};
    const trilo_model *model = NULL;
    if (what >= 2)
        return trilo_model_write(&s->model, &write, discard, NULL, err);
    model = what == 0 ? trilo_model_edit_clips(&s->model, &edit, memory, err)
                      : trilo_model_retarget_clips(&s->model, &s->model, &(trilo_retarget_opts){.relative = true},
                                                   memory, err);
    trilo_model_free(model);
    return model != NULL;
}

TEST(memory_runs_out_anywhere)
{
    static sample s;
    sample_fill(&s);
    for (int what = 0; what < 4; what++) {
        bool done = false;
        for (long n = 0; !done; n += test_full() ? 1 : 1 + n / 16) {
            counter c = {n, 0};
            trilo_error err = {0};
            done = run(&s, what, &(trilo_memory){.fn = count, .user = &c}, &err);
            CHECK(done ? c.left >= 0 : err.code == TRILO_CODE_NO_MEMORY); /* nothing is made of what was refused */
            CHECK_INT(c.blocks, 0);
            CHECK(n < 100000);
        }
    }
}

TEST(memory_has_a_limit)
{
    static sample s;
    sample_fill(&s);
    for (int what = 0; what < 4; what++) {
        bool done = false;
        for (size_t most = 64; !done; most += most / 4) {
            trilo_error err = {0};
            done = run(&s, what, &(trilo_memory){.max_bytes = most}, &err);
            CHECK(done || err.code == TRILO_CODE_NO_MEMORY);
            CHECK(most < (1 << 24));
        }
    }
}

/* ---- values ---- */

static const float wild[] = {0, -1, 1e30f, -1e30f, 1e-38f, INFINITY, -INFINITY, NAN, 3e38f};

/* Nothing is promised for such clips but that there is an end. */
TEST(values_of_any_kind_end)
{
    static sample s;
    uint32_t seed = 1;
    for (uint32_t round = 0; round < test_rounds(TEST_SLOW ? 60 : 300, TEST_SLOW ? 20 : 60); round++) {
        sample_fill(&s);
        for (int i = 0; i < 8; i++) {
            seed = seed * 1664525u + 1013904223u;
            const float value = wild[(seed >> 8) % (sizeof wild / sizeof *wild)];
            float *const arrays[] = {s.turns, s.places, s.curve};
            arrays[(seed >> 16) % 3][(seed >> 20) % (3 * KEYS)] = value;
        }
        for (int what = 0; what < 4; what++) {
            trilo_error err = {0};
            run(&s, what, &(trilo_memory){.max_bytes = 1 << 26}, &err);
        }
    }
}

/* Keys far apart in time: work goes by keys, not by ticks. */
TEST(long_clips_end_soon)
{
    static sample s;
    trilo_error err = {0};
    sample_fill(&s);
    for (uint32_t k = 0; k < KEYS; k++)
        s.times[k] = k * 1e7;
    s.clip.duration = s.times[KEYS - 1];
    CHECK(!run(&s, 2, &(trilo_memory){.max_bytes = 1 << 26}, &err));
    CHECK_STR(err.rule, "T3DM-RANGE-TIME");
    CHECK(!run(&s, 0, &(trilo_memory){.max_bytes = 1 << 26}, &err));
    CHECK_STR(err.rule, "CALL-MISUSE"); /* 20 a second for 12 years */
}

TEST_MAIN(CASE(memory_runs_out_anywhere), CASE(memory_has_a_limit), CASE(values_of_any_kind_end),
          CASE(long_clips_end_soon))

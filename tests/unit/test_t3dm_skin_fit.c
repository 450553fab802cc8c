/* Smooth skins with one bone for each vertex: the bone and the place that fit all clips best. */
#include "harness.h"
#include "support/numbers.h"
#include "support/skin_error.h"
#include "support/t3dm_encoder.h"
#include "support/t3dm_frond.h"

#include <stdio.h>
#include <string.h>

/* Node 1 goes 5 along x in a second, 3 below its rest. A vertex that follows it with 0.4 moves by 0.4 of that, so it is
 * nearer to node 0, which stands still, at the mean of its 61 places and the one at rest: 0, 1 and 0.4 * 61 / 62 of
 * 2.5, -3. The figures of the text are calculated by hand from the same samples. */
TEST(a_vertex_follows_the_bone_that_fits_the_clip)
{
    frond s;
    frond_fill(&s);
    frond_skin(&s);
    frond_clip(&s);
    s.joints[2][0] = 1;
    s.weights[2][0] = 0.4f;
    s.weights[2][1] = s.weights[2][2] = 0.3f;
    frond_result r = frond_encode(&s.model, &(trilo_t3dm_write_opts){.skin_fit = true});
    CHECK_STR(r.heard, "T3DM-SKIN-FIT T3DM-MADE-MATERIAL ");
    CHECK(strstr(r.texts, "1 of 3 vertices follow several bones; over all clips they are 39.3 units off on average "
                          "(98.4 at most) instead of 159 (224) with their strongest bones, 1 with another bone"));
    const trilo_model *model = frond_again(&r);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_INT(model->meshes[0].joints[i][0], 0);
    CHECK_NEAR(trilo_model_bounds(model).min.y, -12, 1e-4); /* -0.1806 * 64, rounded */
    frond_done(&r, model);

    r = frond_encode(&s.model, NULL);
    CHECK_STR(r.heard, "T3DM-MADE-MATERIAL T3DM-LOST-WEIGHTS ");
    frond_done(&r, NULL);
}

TEST(without_clips_or_blended_vertices_nothing_changes)
{
    frond s;
    frond_fill(&s);
    frond_skin(&s);
    s.joints[2][1] = 1;
    s.weights[2][0] = 0.4f;
    s.weights[2][1] = 0.6f;
    frond_result plain = frond_encode(&s.model, NULL);
    frond_result fitted = frond_encode(&s.model, &(trilo_t3dm_write_opts){.skin_fit = true});
    CHECK_STR(fitted.heard, plain.heard);
    CHECK(plain.file.size == fitted.file.size && memcmp(plain.file.data, fitted.file.data, plain.file.size) == 0);
    frond_done(&plain, NULL);
    frond_done(&fitted, NULL);

    frond_clip(&s);
    s.weights[2][0] = 0;
    s.weights[2][1] = 1;
    plain = frond_encode(&s.model, NULL);
    fitted = frond_encode(&s.model, &(trilo_t3dm_write_opts){.skin_fit = true});
    CHECK_STR(fitted.heard, "T3DM-MADE-MATERIAL ");
    CHECK(plain.file.size == fitted.file.size && memcmp(plain.file.data, fitted.file.data, plain.file.size) == 0);
    frond_done(&plain, NULL);
    frond_done(&fitted, NULL);
}

TEST(samples_of_khronos_are_nearer)
{
    const trilo_t3dm_write_opts fit = {.skin_fit = true};
    CHECK(skin_error_left("gltf/RiggedFigure/RiggedFigure.glb", &fit) < 0.6);
    CHECK(skin_error_left("gltf/CesiumMan/CesiumMan.glb", &fit) < 0.75);
    CHECK(skin_error_left("gltf/Fox/Fox.glb", &fit) < 0.95);
}

/* ---- against a plain solution ---- */

enum { BONES = 3, TICKS = 60, SAMPLES = TICKS + 2 /* and the rest pose */ };

/* Bone j moves evenly by `way` in a second. Its skinning matrix is that of a vertex in its space, any matrix at all:
 * then the best place in that space is the inverse matrix applied to the mean of where the vertex should be, seen from
 * the bone. */
typedef struct sheared_skin {
    double matrix[BONES][3][3], way[BONES][3];
    float values[BONES][6];
    trilo_node nodes[BONES];
    trilo_joint joints[BONES];
    trilo_skin skin;
    trilo_channel channels[BONES];
    trilo_clip clip;
    float positions[1][3], weights[1][4];
    uint16_t numbers[1][4];
    trilo_mesh mesh;
} sheared_skin;

static void sheared_fill(encoder_bench *b, sheared_skin *s, uint64_t *seed)
{
    static const double times[2] = {0, 1};
    memset(s, 0, sizeof *s);
    for (uint32_t j = 0; j < BONES; j++) {
        trilo_node *node = &s->nodes[j];
        node->parent = TRILO_NONE;
        node->scale = (trilo_vec3){1, 1, 1};
        node->rotation = (trilo_quat){0, 0, 0, 1};
        s->joints[j].node = j;
        for (int k = 0; k < 4; k++)
            node->local.m[5 * k] = s->joints[j].inverse_bind.m[5 * k] = 1;
        for (int r = 0; r < 3; r++) {
            s->way[j][r] = (double)(random_bits(seed) >> 60) - 8;
            s->values[j][3 + r] = (float)s->way[j][r];
            for (int c = 0; c < 3; c++) { /* the diagonal is larger than the rest of a row: it has an inverse */
                s->matrix[j][r][c] = (r == c ? 4 : 0) + (double)(random_bits(seed) >> 61) / 4 - 1;
                s->joints[j].inverse_bind.m[4 * c + r] = (float)s->matrix[j][r][c];
            }
        }
        s->channels[j] = (trilo_channel){.node = j,
                                         .target = TRILO_TARGET_TRANSLATION,
                                         .interpolation = TRILO_INTERPOLATION_LINEAR,
                                         .key_count = 2,
                                         .times = times,
                                         .values = s->values[j]};
        s->positions[0][j] = (float)(random_bits(seed) >> 60) - 8;
        s->numbers[0][j] = (uint16_t)j;
    }
    const float first = (float)(1 + (random_bits(seed) >> 62)) / 8,
                second = (float)(1 + (random_bits(seed) >> 62)) / 16;
    s->weights[0][0] = first, s->weights[0][1] = second, s->weights[0][2] = 1 - first - second;
    s->skin = (trilo_skin){.joint_count = BONES, .joints = s->joints};
    s->clip = (trilo_clip){.duration = 1, .channel_count = BONES, .channels = s->channels};
    s->mesh = (trilo_mesh){.vertex_count = 1,
                           .positions = (const float(*)[3])s->positions,
                           .joints = (const uint16_t(*)[4])s->numbers,
                           .weights = (const float(*)[4])s->weights,
                           .node = TRILO_NONE};
    b->model = (trilo_model){.node_count = BONES,
                             .nodes = s->nodes,
                             .skin_count = 1,
                             .skins = &s->skin,
                             .clip_count = 1,
                             .clips = &s->clip,
                             .mesh_count = 1,
                             .meshes = &s->mesh};
}

static double sample_time(int sample)
{
    return sample > TICKS ? 0 : sample / (double)TICKS;
}

/* Where bone j has a place of its space. */
static void place_at(const sheared_skin *s, uint32_t j, const double p[3], double time, double out[3])
{
    for (int r = 0; r < 3; r++)
        out[r] =
            s->matrix[j][r][0] * p[0] + s->matrix[j][r][1] * p[1] + s->matrix[j][r][2] * p[2] + time * s->way[j][r];
}

/* Where the blended skin has the vertex. */
static void blend_at(const sheared_skin *s, double time, double out[3])
{
    const double p[3] = {s->positions[0][0], s->positions[0][1], s->positions[0][2]};
    out[0] = out[1] = out[2] = 0;
    for (uint32_t j = 0; j < BONES; j++) {
        double at[3];
        place_at(s, j, p, time, at);
        for (int r = 0; r < 3; r++)
            out[r] += at[r] * s->weights[0][j];
    }
}

static double determinant(const double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* By Cramer's rule. */
static void best_place(const sheared_skin *s, uint32_t j, double out[3])
{
    double mean[3] = {0};
    for (int i = 0; i < SAMPLES; i++) {
        double x[3];
        blend_at(s, sample_time(i), x);
        for (int r = 0; r < 3; r++)
            mean[r] += (x[r] - sample_time(i) * s->way[j][r]) / SAMPLES;
    }
    for (int c = 0; c < 3; c++) {
        double m[3][3];
        memcpy(m, s->matrix[j], sizeof m);
        for (int r = 0; r < 3; r++)
            m[r][c] = mean[r];
        out[c] = determinant((const double(*)[3])m) / determinant((const double(*)[3])s->matrix[j]);
    }
}

static double squares_off(const sheared_skin *s, uint32_t j, const double p[3])
{
    double sum = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double x[3], at[3];
        blend_at(s, sample_time(i), x);
        place_at(s, j, p, sample_time(i), at);
        for (int r = 0; r < 3; r++)
            sum += (x[r] - at[r]) * (x[r] - at[r]);
    }
    return sum;
}

TEST(places_have_the_least_squares)
{
    static encoder_bench b;
    uint64_t seed = 81;
    for (int round = 0; round < 60; round++) {
        static sheared_skin s;
        double best[3] = {0}, least = 1e30, second = 1e30;
        uint32_t chosen = 0;
        encoder_bench_init(&b);
        sheared_fill(&b, &s, &seed);
        for (uint32_t j = 0; j < BONES; j++) {
            double place[3];
            best_place(&s, j, place);
            const double off = squares_off(&s, j, place);
            second = off < least ? least : off < second ? off : second;
            if (off < least) {
                least = off;
                chosen = j;
                memcpy(best, place, sizeof best);
            }
        }
        CHECK(tl_t3dm_fit_skins(&b.e));
        const trilo_mesh *mesh = &b.e.model->meshes[0];
        CHECK(mesh != &s.mesh && s.weights[0][1] > 0);
        CHECK_INT(b.heard.count, 1);
        if (second - least > 1e-3 * (1 + least)) { /* or either will do */
            CHECK_INT(mesh->joints[0][0], chosen);
            for (int r = 0; r < 3; r++)
                CHECK_NEAR(mesh->positions[0][r], best[r], 1e-4);
        }
        CHECK(mesh->weights[0][0] == 1 && mesh->weights[0][1] == 0 && mesh->weights[0][2] == 0);
        CHECK(mesh->joints[0][1] == 0 && mesh->joints[0][2] == 0);
        encoder_bench_free(&b);
    }
}

TEST_MAIN(CASE(places_have_the_least_squares), CASE(a_vertex_follows_the_bone_that_fits_the_clip),
          CASE(without_clips_or_blended_vertices_nothing_changes), CASE(samples_of_khronos_are_nearer))

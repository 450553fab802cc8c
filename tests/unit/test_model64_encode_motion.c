/* Clips into frames of the N64 model format: when they are taken, what is in them, which times are written. */
#include "harness.h"
#include "support/exercise.h"
#include "support/model64_sample.h"

#include <math.h>
#include <string.h>

/* --- motion --- */

/* Times and inverses of the game's own file with 11 frames. */
TEST(a_clip_becomes_frames)
{
    sample s;
    sample_fill(&s);
    use_channel(&s);
    s.clip.rate = 10;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-BAKED ");
    CHECK_STR(r.texts, "11 frames of vertices were made, 10 a second ");
    CHECK_INT(result_word(&r, 0x34), 1);
    CHECK_INT(result_word(&r, 0x3C), 0x3F800000);
    CHECK_INT(result_word(&r, 0x40), 11);
    CHECK_INT(result_word(&r, 0x44), 40);
    CHECK_INT(result_word(&r, 0x48), 0);
    CHECK_INT(result_word(&r, 0x4C), 0x41200000);
    CHECK_INT(result_word(&r, 0x54), 0x3DCCCCCD);
    CHECK_INT(result_word(&r, 0x58), 0x41200000);
    CHECK_INT(result_word(&r, 0x60), 0x3E4CCCCD);
    CHECK_INT(result_word(&r, 0x64), 0x411FFFFF);
    CHECK_INT(result_word(&r, 0x48 + 10 * 12), 0x3F800000);
    CHECK_INT(result_word(&r, 0x4C + 10 * 12), 0);
    CHECK_INT(result_word(&r, 0x1C), 11 * result_word(&r, 0x38));
    const trilo_model *model = again(&r);
    const trilo_track *track = &model->clips[0].tracks[0];
    CHECK_INT(track->frame_count, 11);
    for (uint32_t i = 0; i < 11; i++) {
        float least = 1e9f;
        for (uint32_t k = 0; k < model->meshes[0].vertex_count; k++)
            least = fminf(least, track->frames[i].positions[k][0]);
        CHECK(least == (float)nearest_whole(-32 + 6.4 * i));
    }
    done(&r, model);
}

/* 1.5 seconds: at its own rate of 2, at 24 where that is out of range, at what is asked for. */
TEST(frames_a_second)
{
    static const struct {
        double rate, fps;
        uint32_t frames;
    } cases[] = {{2, 0, 4}, {0, 0, 37}, {61, 0, 37}, {60, 0, 91}, {60, 10, 16}, {-5, 0, 37}, {0, 0.1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample s;
        sample_fill(&s);
        use_channel(&s);
        s.clip.duration = 1.5;
        s.clip.rate = cases[i].rate;
        result r = encode(&s.model, &(trilo_model64_write_opts){.fps = cases[i].fps});
        CHECK_STR(r.heard, "M64-BAKED M64-TIMES ");
        CHECK(strstr(r.texts, "1.5 seconds: play it at 0.666667 units a second"));
        CHECK_INT(result_word(&r, 0x40), cases[i].frames);
        done(&r, again(&r));
    }
}

TEST(too_many_frames_are_refused)
{
    sample s;
    sample_fill(&s);
    use_channel(&s);
    s.clip.duration = 4095;
    result r = encode(&s.model, &(trilo_model64_write_opts){.fps = 1});
    CHECK(r.ok);
    done(&r, NULL);
    s.clip.duration = 4096;
    check_refused(&s.model, &(trilo_model64_write_opts){.fps = 1}, TRILO_CODE_LIMIT, "M64-TOO-LARGE");
    s.clip.duration = 1e30;
    check_refused(&s.model, NULL, TRILO_CODE_LIMIT, "M64-TOO-LARGE");
    r = encode(&s.model, NULL);
    CHECK_STR(r.err.path, "clips[0]");
    done(&r, NULL);
}

TEST(clips_that_last_no_time)
{
    static const double durations[] = {0, -1, NAN, INFINITY, 1e300};
    for (size_t i = 0; i < sizeof durations / sizeof durations[0]; i++) {
        sample s;
        sample_fill(&s);
        use_channel(&s);
        s.clip.duration = durations[i];
        result r = encode(&s.model, NULL);
        CHECK_STR(r.heard, "M64-BAKED ");
        CHECK_INT(result_word(&r, 0x3C), 0x3F800000);
        CHECK_INT(result_word(&r, 0x40), 1);
        CHECK_INT(result_word(&r, 0x48), 0);
        CHECK_INT(result_word(&r, 0x4C), 0x3F800000);
        done(&r, again(&r));
    }
}

/* Frames at 0, 0.5 and 2 of 4 seconds. */
TEST(frames_keep_their_times)
{
    sample s;
    sample_fill(&s);
    use_track(&s);
    s.track.frame_count = 3;
    s.frames[1].time = 0.5;
    s.frames[2].time = 2;
    s.clip.duration = 4;
    for (int i = 0; i < 3; i++)
        s.frame_positions[i][7][1] += (float)i;
    static const uint32_t fractions[] = {0, 0x41000000, 0x3E000000, 0x402AAAAB, 0x3F000000, 0x40000000};
    static const uint32_t seconds[] = {0, 0x40000000, 0x3F000000, 0x3F2AAAAB, 0x40000000, 0x3F000000};
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-TIMES ");
    CHECK_INT(result_word(&r, 0x3C), 0x3F800000);
    for (size_t i = 0; i < 6; i++)
        CHECK_INT(result_word(&r, 0x48 + i / 2 * 12 + i % 2 * 4), fractions[i]);
    done(&r, again(&r));
    s.model.format = TRILO_FORMAT_MODEL64;
    for (int round = 0; round < 2; round++) { /* as they are, and by name */
        r = encode(&s.model, &(trilo_model64_write_opts){
                                 .time = round ? TRILO_MODEL64_TIME_SECONDS : TRILO_MODEL64_TIME_AUTO, .scale = 64});
        CHECK_STR(r.heard, "");
        CHECK_INT(result_word(&r, 0x3C), 0x40800000);
        for (size_t i = 0; i < 6; i++)
            CHECK_INT(result_word(&r, 0x48 + i / 2 * 12 + i % 2 * 4), seconds[i]);
        s.model.format = TRILO_FORMAT_NLM;
        const trilo_model *model = again(&r);
        CHECK(model->clips[0].duration == 4 && model->clips[0].tracks[0].frames[2].time == 2);
        done(&r, model);
    }
    s.model.format = TRILO_FORMAT_MODEL64;
    r = encode(&s.model, &(trilo_model64_write_opts){.time = TRILO_MODEL64_TIME_FRACTION, .scale = 64});
    CHECK_STR(r.heard, "M64-TIMES ");
    CHECK_INT(result_word(&r, 0x60), 0x3F000000);
    done(&r, again(&r));
}

static float most_x(const trilo_model *model, uint32_t mesh, uint32_t frame)
{
    float most = -1e9f;
    for (uint32_t i = 0; i < model->meshes[mesh].vertex_count; i++)
        most = fmaxf(most, track_of(&model->clips[0], mesh)->frames[frame].positions[i][0]);
    return most;
}

/* Meshes with frames at 0, 0.5, 1 and at 0, 1: three frames. The second one holds its first until 1. Their last times
 * differ by less than rounding, but lie on both sides of where 32 bits are rounded up. */
/* Frames at 0 and a quarter of half a second, and one a second after the start of a clip that lasts less. */
TEST(fractions_of_short_clips)
{
    sample s;
    sample_fill(&s);
    use_track(&s);
    s.track.frame_count = 2;
    s.frames[1].time = 0.125;
    s.clip.duration = 0.5;
    for (int late = 0; late < 2; late++) {
        if (late)
            s.frames[1].time = 1;
        result r = encode(&s.model, NULL);
        CHECK_STR(r.heard, late ? "" : "M64-TIMES ");
        CHECK_INT(result_word(&r, 0x3C), 0x3F800000);
        CHECK_INT(result_word(&r, 0x48 + 12), late ? 0x3F800000 : 0x3E800000);
        done(&r, again(&r));
    }
}

TEST(frames_of_several_meshes_come_together)
{
    sample s;
    sample_fill(&s);
    use_materials(&s, 2);
    use_clip(&s);
    trilo_frame other[2] = {s.frames[0], s.frames[3]};
    const trilo_track tracks[2] = {{.mesh = 0, .frame_count = 3, .frames = s.frames},
                                   {.mesh = 1, .frame_count = 2, .frames = other}};
    s.frames[1].time = 0.5;
    s.frames[2].time = 1 + 0x1p-24;
    other[1].time = 1 + 0x1p-24 + 1e-12;
    s.clip.duration = 2;
    s.frame_positions[2][7][0] = 5;
    s.frame_positions[3][7][0] = 9;
    s.clip.tracks = tracks;
    s.clip.track_count = 2;
    result r = encode(&s.model, &(trilo_model64_write_opts){.scale = 10, .time = TRILO_MODEL64_TIME_SECONDS});
    CHECK_INT(result_word(&r, 0x40), 3);
    CHECK_INT(result_word(&r, 0x60), 0x3F800000);
    const trilo_model *model = again(&r);
    CHECK_INT(model->clips[0].track_count, 2);
    CHECK(most_x(model, 0, 1) == 5 && most_x(model, 0, 2) == 50);
    CHECK(most_x(model, 1, 1) == 5 && most_x(model, 1, 2) == 90);
    done(&r, model);
}

/* A track at fps is blended: half way from 0 to 8 is 4. */
TEST(frames_can_be_made_evenly)
{
    sample s;
    sample_fill(&s);
    use_track(&s);
    s.track.frame_count = 2;
    s.clip.duration = 1;
    for (int i = 0; i < 8; i++)
        s.frame_positions[1][i][0] += 8;
    result r = encode(&s.model, &(trilo_model64_write_opts){.fps = 2, .scale = 10});
    CHECK_STR(r.heard, "M64-BAKED ");
    const trilo_model *model = again(&r);
    CHECK_INT(model->clips[0].tracks[0].frame_count, 3);
    float least = 1e9f;
    for (uint32_t i = 0; i < model->meshes[0].vertex_count; i++)
        least = fminf(least, model->clips[0].tracks[0].frames[1].positions[i][0]);
    CHECK(least == 35);
    done(&r, model);
}

/* Two bones from 0 to 1 and from 1 to 2 along y; the upper one turns a quarter around z in a second. The upper four
 * vertices of a stick are at y = 2: (x, 2) goes to (1 - 2, 1 + x). One more hangs on no bone and follows its node. */
TEST(a_skinned_stick_is_baked)
{
    sample s;
    sample_fill(&s);
    use_channel(&s);
    s.model.skins = &s.skin;
    s.model.skin_count = 1;
    s.meshes[0].skin = 0;
    s.meshes[0].node = 0;
    s.meshes[0].joints = (const uint16_t(*)[4])s.joints;
    s.meshes[0].weights = (const float(*)[4])s.weights;
    for (int i = 0; i < 8; i++) {
        s.positions[i][1] = i & 2 ? 2.0f : 0.0f;
        s.joints[i][0] = i & 2 ? 1 : 0;
    }
    s.weights[0][0] = 0;
    s.nodes[0].translation.z = 3;
    s.nodes[0].local.m[14] = 3;
    s.joint[0].inverse_bind.m[14] = -3;
    s.joint[1].inverse_bind.m[14] = -3;
    s.nodes[1].translation.y = 1;
    s.nodes[1].local.m[13] = 1;
    s.joint[1].inverse_bind.m[13] = -1;
    s.channel.target = TRILO_TARGET_ROTATION;
    const float turn[8] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    memcpy(s.values, turn, sizeof turn);
    result r = encode(&s.model, &(trilo_model64_write_opts){.fps = 1, .scale = 100});
    CHECK_STR(r.heard, "M64-BAKED ");
    const trilo_model *model = again(&r);
    const trilo_track *track = &model->clips[0].tracks[0];
    CHECK_INT(track->frame_count, 2);
    uint32_t upper = 0, lower = 0, loose = 0;
    for (uint32_t i = 0; i < model->meshes[0].vertex_count; i++) {
        const float *p = model->meshes[0].positions[i], *first = track->frames[0].positions[i],
                    *last = track->frames[1].positions[i];
        CHECK(memcmp(p, first, 3 * sizeof *p) == 0);
        upper += p[1] == 200 && last[0] == -100 && last[1] == 100 + p[0] && last[2] == p[2];
        lower += p[1] == 0 && memcmp(p, last, 3 * sizeof *p) == 0;
        loose += p[2] == 250 && p[0] == -50 && p[1] == 0;
    }
    CHECK(upper >= 4 && lower >= 4 && upper + lower == model->meshes[0].vertex_count && loose >= 1);
    done(&r, model);
}

/* 0, 1, 0, 1 */
TEST(equal_frames_share_their_vertices)
{
    sample s;
    sample_fill(&s);
    use_track(&s);
    s.frame_positions[1][7][0] += 1;
    s.frame_positions[3][7][0] += 1;
    result r = encode(&s.model, NULL);
    const uint32_t block = result_word(&r, 0x38);
    CHECK_INT(result_word(&r, 0x1C), 2 * block);
    CHECK_INT(r.file.size, 32 + result_word(&r, 0x14) + 2 * block);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_INT(result_word(&r, 0x48 + 12 * i + 8), i % 2 * block);
    sample_scale(&s, 64);
    const trilo_model *model = again(&r);
    check_same_triangles(model, &s.model, "shared");
    done(&r, model);
}

/* A clip without any motion is still an animation, so that the numbers of the others stay. */
TEST(clips_that_move_nothing_stay)
{
    sample s;
    sample_fill(&s);
    const trilo_clip clips[2] = {{.duration = 1}, {.duration = 2}};
    s.model.clips = clips;
    s.model.clip_count = 2;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-TIMES ");
    CHECK_INT(result_word(&r, 0x34), 2);
    CHECK_INT(result_word(&r, 0x1C), result_word(&r, 0x38)); /* one block for both */
    const trilo_model *model = again(&r);
    CHECK_INT(model->clip_count, 2);
    done(&r, model);
}

/* Vertices at one place that part later are two points; a triangle that has an area only then is drawn. */
TEST(points_are_told_apart_by_all_frames)
{
    static const uint32_t indices[9] = {0, 4, 6, 1, 4, 6, 0, 1, 6};
    sample s;
    sample_fill(&s);
    use_track(&s);
    s.meshes[0].indices = indices;
    s.meshes[0].index_count = 9;
    memcpy(s.positions[1], s.positions[0], sizeof s.positions[0]);
    for (int i = 0; i < SAMPLE_FRAMES; i++)
        memcpy(s.frame_positions[i][1], s.positions[0], sizeof s.positions[0]);
    s.frame_positions[3][1][0] += 1;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-TIMES ");
    static const char *const allowed[] = {"M64-ZERO-AREA", NULL};
    const trilo_model *model = read_as(&r, TRILO_MODEL64_COLORS_RGBA, allowed);
    sample_scale(&s, 64);
    CHECK_INT(model->meshes[0].index_count, 9);
    check_same_triangles(model, &s.model, "parting");
    done(&r, model);
}

/* Normals of frames are kept where frames have them; otherwise all blocks have the same bytes. */
TEST(normals_of_frames)
{
    const trilo_model64_write_opts opts = {.colors = TRILO_MODEL64_COLORS_NORMALS};
    static const char *const allowed[] = {"M64-FRAME-CHANGES", NULL};
    sample s;
    sample_fill(&s);
    use_track(&s);
    s.meshes[0].normals = (const float(*)[3])s.normals;
    for (int i = 0; i < 8; i++) {
        s.normals[i][0] = 0.5f;
        s.frame_normals[2][i][1] = -0.5f;
        s.frame_positions[1][i][2] += 1;
    }
    s.frames[2].normals = (const float(*)[3])s.frame_normals[2];
    result r = encode(&s.model, &opts);
    const uint32_t vertices = 32 + result_word(&r, 0x14), block = result_word(&r, 0x38);
    CHECK_INT(result_word(&r, 0x1C), 3 * block); /* 0 and 3 are equal */
    CHECK_INT(result_word(&r, vertices + 12), 0x40000000);
    CHECK_INT(result_word(&r, vertices + block + 12), 0x40000000);
    CHECK_INT(result_word(&r, vertices + 2 * block + 12), 0x00C00000);
    done(&r, read_as(&r, TRILO_MODEL64_COLORS_NORMALS, allowed));

    sample_fill(&s); /* a node that turns takes no normals with it in the frames */
    use_channel(&s);
    s.meshes[0].normals = (const float(*)[3])s.normals;
    for (int i = 0; i < 8; i++)
        s.normals[i][0] = 1;
    s.channel.target = TRILO_TARGET_ROTATION;
    const float turn[8] = {0, 0, 0, 1, 0, 0, 1, 0};
    memcpy(s.values, turn, sizeof turn);
    r = encode(&s.model, &opts);
    const uint32_t start = 32 + result_word(&r, 0x14);
    CHECK_INT(result_word(&r, 0x1C), 25 * result_word(&r, 0x38));
    for (uint32_t at = start; at < r.file.size; at += 16)
        CHECK_INT(result_word(&r, at + 12), 0x7F000000);
    done(&r, read_as(&r, TRILO_MODEL64_COLORS_NORMALS, NULL));
}

/* A sheet of 20 by 20 squares has 441 points. */
TEST(a_limit_of_vertices)
{
    enum { SIDE = 21, POINTS = SIDE * SIDE, INDICES = 6 * (SIDE - 1) * (SIDE - 1) };
    static float positions[POINTS][3];
    static uint32_t indices[INDICES];
    sample s;
    sample_fill(&s);
    use_channel(&s);
    uint32_t n = 0;
    for (uint32_t i = 0; i < POINTS; i++) {
        const uint32_t x = i % SIDE, y = i / SIDE;
        positions[i][0] = (float)x, positions[i][1] = (float)y;
        const uint32_t square[6] = {i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE};
        for (uint32_t k = 0; k < 6 && x + 1 < SIDE && y + 1 < SIDE; k++)
            indices[n++] = square[k];
    }
    CHECK_INT(n, INDICES);
    s.meshes[0].positions = (const float(*)[3])positions;
    s.meshes[0].vertex_count = POINTS;
    s.meshes[0].indices = indices;
    s.meshes[0].index_count = INDICES;
    s.clip.duration = 0;
    result r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "M64-BAKED M64-FRAME-VERTICES ");
    CHECK(strstr(r.texts, "the limit is 320"));
    const trilo_model *model = again(&r);
    CHECK_INT(model->meshes[0].index_count, INDICES);
    done(&r, model);
    r = encode(&s.model, &(trilo_model64_write_opts){.max_frame_vertices = TRILO_NONE});
    CHECK_STR(r.heard, "M64-BAKED ");
    done(&r, NULL);
    s.model.clip_count = 0;
    r = encode(&s.model, NULL);
    CHECK_STR(r.heard, "");
    done(&r, NULL);
    r = encode(&s.model, &(trilo_model64_write_opts){.max_frame_vertices = 400});
    CHECK_STR(r.heard, "M64-FRAME-VERTICES ");
    done(&r, NULL);
}

/* --- memory --- */

/* Every call of the allocator fails once, and every limit is tried: an error each time, and no leak. */
TEST(memory_that_runs_out)
{
    sample s;
    sample_fill(&s);
    use_channel(&s);
    meter m = {0};
    trilo_write_opts opts = {.format = TRILO_FORMAT_MODEL64, .memory = meter_memory(&m, 0)};
    buffer whole_file = {0};
    CHECK(trilo_model_write(&s.model, &opts, buffer_sink, &whole_file, NULL));
    const size_t calls = m.calls, peak = m.peak;
    CHECK(calls > 0 && m.now == 0);
    buffer_free(&whole_file);
    for (size_t i = 1; i <= calls; i++) {
        buffer file = {0};
        trilo_error err = {0};
        m = (meter){.fail_at = i};
        CHECK(!trilo_model_write(&s.model, &opts, buffer_sink, &file, &err));
        CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
        CHECK_INT(m.now, 0);
        buffer_free(&file);
    }
    for (size_t limit = 1; limit < peak; limit += peak / 200 + 1) {
        buffer file = {0};
        trilo_error err = {0};
        m = (meter){0};
        opts.memory = meter_memory(&m, limit);
        if (!trilo_model_write(&s.model, &opts, buffer_sink, &file, &err))
            CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
        CHECK(m.peak <= limit && m.now == 0);
        buffer_free(&file);
    }
}

TEST_MAIN(CASE(a_clip_becomes_frames), CASE(frames_a_second), CASE(too_many_frames_are_refused),
          CASE(clips_that_last_no_time), CASE(frames_keep_their_times), CASE(fractions_of_short_clips),
          CASE(frames_of_several_meshes_come_together), CASE(frames_can_be_made_evenly), CASE(a_skinned_stick_is_baked),
          CASE(equal_frames_share_their_vertices), CASE(clips_that_move_nothing_stay),
          CASE(points_are_told_apart_by_all_frames), CASE(normals_of_frames), CASE(a_limit_of_vertices),
          CASE(memory_that_runs_out))

/* Poses at four ticks at once: the code for AVX2 gives the bits of that for every machine. */
#include "base/avx2.h"
#include "formats/t3dm/animation/error.h"
#include "formats/t3dm/decode/sdata.h"
#include "harness.h"

#include <math.h>
#include <string.h>

enum { BONES = 5, CHANNELS = 4 * BONES, KEYS = 9, POINTS = 20, LAST_TICK = 45 };

typedef struct clip_room {
    t3dm_clip_builder clip;
    t3dm_pose_comparison c;
    t3dm_curve curves[CHANNELS];
    tl_sdata_channel channels[CHANNELS];
    uint32_t ticks[CHANNELS][KEYS], values[CHANNELS][KEYS];
    uint32_t bones[BONES], parents[BONES];
    t3dm_local_pose local[BONES];
    t3dm_bone_pose poses[BONES], source[BONES];
    t3dm_key_cursor cursors[CHANNELS];
    bool changed[BONES], needed[BONES];
    double points[POINTS][3];
    t3dm_point_sphere groups[(POINTS + T3DM_POINT_GROUP - 1) / T3DM_POINT_GROUP];
    t3dm_bone_points of_bone;
} clip_room;

static uint32_t chance(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static double noise(uint32_t *seed)
{
    return chance(seed, 20001) / 10000.0 - 1;
}

static t3dm_key_cursor cursor_of(clip_room *r, uint32_t i)
{
    const t3dm_mapping *m = &r->curves[i].mapping;
    t3dm_local_pose *local = &r->local[m->bone];
    return (t3dm_key_cursor){.channel = &r->channels[i],
                             .mapping = m,
                             .bone = m->bone,
                             .to = m->type == T3DM_ROTATION ? local->rotation
                                   : m->type == T3DM_SCALE  ? &local->scale[m->axis]
                                                            : &local->translation[m->axis],
                             .scales = m->type == T3DM_SCALE};
}

/* Channels of a rotation and three axes for each bone: some without keys, with one, with equal ones or with a last key
 * before the end. Some values are without length, beyond all numbers or huge. */
static void make_clip(clip_room *r, uint32_t seed)
{
    static const double ODD[] = {0, INFINITY, 1e200, -0.0};
    memset(r, 0, sizeof *r);
    r->clip = (t3dm_clip_builder){.curves = r->curves, .last_tick = LAST_TICK - chance(&seed, 4)};
    r->clip.sdata.channels = r->channels;
    r->clip.sdata.channel_count = CHANNELS;
    r->clip.bone_count = BONES;
    r->clip.bones = r->bones;
    r->clip.parents = r->parents;
    r->c = (t3dm_pose_comparison){.clip = &r->clip, .needed = r->needed, .key_cursors = r->cursors};
    r->c.played = (t3dm_pose_track){r->local, r->changed, chance(&seed, 4) == 0, r->poses};
    for (uint32_t i = 0; i < CHANNELS; i++) {
        const uint32_t kind = i % 4, alike = chance(&seed, 3);
        r->curves[i].mapping = (t3dm_mapping){.bone = (uint16_t)(i / 4), .axis = (uint8_t)(kind % 3), .scale = 0.01F};
        r->curves[i].mapping.type = kind == 0 ? T3DM_ROTATION : kind == 1 ? T3DM_SCALE : T3DM_TRANSLATION;
        r->channels[i] = (tl_sdata_channel){chance(&seed, KEYS + 1), r->ticks[i], r->values[i]};
        if (chance(&seed, 9) > 0 && r->channels[i].key_count > 0)
            r->cursors[r->c.key_cursor_count++] = cursor_of(r, i);
        for (uint32_t k = 0, tick = 0; k < KEYS; k++, tick += 1 + chance(&seed, 9)) {
            r->ticks[i][k] = tick;
            r->values[i][k] = k > 0 && alike == 0 ? r->values[i][k - 1] : chance(&seed, 1u << 24) << 8;
            r->values[i][k] = kind == 0 ? r->values[i][k] : r->values[i][k] >> 16;
        }
    }
    for (uint32_t b = 0; b < BONES; b++) {
        r->bones[b] = b;
        r->parents[b] = b == 0 ? TRILO_NONE : chance(&seed, b);
        r->changed[b] = r->needed[b] = true;
        for (int lane = 0; lane < T3DM_POSE_TICKS; lane++) {
            for (int k = 0; k < 4; k++)
                r->local[b].rotation[k][lane] = chance(&seed, 40) == 0 ? ODD[chance(&seed, 4)] : noise(&seed);
            for (int k = 0; k < 3; k++) {
                r->local[b].translation[k][lane] = noise(&seed);
                r->local[b].scale[k][lane] = 1;
            }
            for (int k = 0; k < 12; k++)
                r->source[b].world[k][lane] = noise(&seed);
            for (int k = 0; k < 4; k++)
                r->source[b].rotation[k][lane] = noise(&seed) / 2;
        }
    }
    for (uint32_t i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++)
            r->points[i][k] = noise(&seed);
    r->of_bone = (t3dm_bone_points){(const double(*)[3])r->points, chance(&seed, POINTS + 1), {{0}, 1.8}, r->groups, 3};
    for (uint32_t i = 0; i < sizeof r->groups / sizeof *r->groups; i++)
        r->groups[i].radius = 1.8;
}

/* The bits of each pose and error. Nothing that is not a number may differ in its sign, so bits of those do not
 * count. */
static void check_numbers(const void *got, const void *want, size_t bytes)
{
    const double *a = got, *b = want;
    for (size_t i = 0; i < bytes / sizeof *a; i++)
        CHECK(memcmp(&a[i], &b[i], sizeof *a) == 0 || (isnan(a[i]) && isnan(b[i])));
}

TEST(avx2_gives_the_bits_of_every_machine)
{
    static clip_room any, avx2;
    const t3dm_pose_lanes *lanes = tl_t3dm_pose_lanes_avx2();
    if (!lanes || !tl_has_avx2())
        SKIP("there is no AVX2");
    for (uint32_t seed = 0; seed < test_rounds(20000, 500); seed++) {
        t3dm_clip_error error[2] = {{.bone = TRILO_NONE}, {.bone = TRILO_NONE}};
        make_clip(&any, seed);
        make_clip(&avx2, seed);
        for (uint32_t tick = 0; tick <= any.clip.last_tick; tick += T3DM_POSE_TICKS) {
            tl_t3dm_pose_lanes()->play_keys(&any.c, tick);
            lanes->play_keys(&avx2.c, tick);
            tl_t3dm_pose_lanes()->make_worlds(&any.c, &any.c.played, any.poses, any.poses);
            lanes->make_worlds(&avx2.c, &avx2.c.played, avx2.poses, avx2.poses);
            for (uint32_t b = 0; b < BONES; b++) {
                const double least = seed % 3 * 0.5;
                tl_t3dm_pose_lanes()->measure_bone(&any.c, any.source, b, &any.of_bone, tick, least, &error[0]);
                lanes->measure_bone(&avx2.c, avx2.source, b, &avx2.of_bone, tick, least, &error[1]);
                check_numbers(avx2.poses[b].world, any.poses[b].world, sizeof any.poses[b].world);
                check_numbers(avx2.poses[b].rotation, any.poses[b].rotation, sizeof any.poses[b].rotation);
                CHECK_INT(avx2.poses[b].moved, any.poses[b].moved);
            }
            check_numbers(&error[1], &error[0], 3 * sizeof(double));
            CHECK_INT(error[1].tick, error[0].tick);
            CHECK_INT(error[1].bone, error[0].bone);
        }
    }
}

/* Component k of a rotation at tick t is 4 * t + k. */
TEST(rotations_of_ticks_are_in_their_lanes)
{
    static const uint32_t ticks[T3DM_POSE_TICKS] = {1, 2, 4, 4};
    const t3dm_pose_lanes *all[] = {tl_t3dm_pose_lanes(), tl_has_avx2() ? tl_t3dm_pose_lanes_avx2() : NULL};
    float at_ticks[20];
    tl_double4 rotation[4];
    for (int i = 0; i < 20; i++)
        at_ticks[i] = (float)i;
    for (int i = 0; i < 2; i++) {
        if (!all[i])
            continue;
        all[i]->load_rotations(at_ticks, ticks, rotation);
        for (int k = 0; k < 4; k++)
            for (int lane = 0; lane < T3DM_POSE_TICKS; lane++)
                CHECK_INT(rotation[k][lane], 4 * ticks[lane] + (uint32_t)k);
    }
}

/* Four lanes are four ticks: a rotation by nlerp, in the hemisphere of the first key, and a scalar on a line. */
TEST(lanes_are_ticks)
{
    static clip_room r;
    make_clip(&r, 1);
    r.channels[0].key_count = r.channels[2].key_count = 3;
    r.cursors[0] = cursor_of(&r, 0);
    r.cursors[1] = cursor_of(&r, 2);
    r.c.key_cursor_count = 2;
    for (uint32_t k = 0; k < 3; k++)
        r.ticks[0][k] = r.ticks[2][k] = 6 * k;
    r.values[2][0] = 100, r.values[2][1] = 160, r.values[2][2] = 40;
    for (uint32_t tick = 0; tick <= 12; tick += T3DM_POSE_TICKS) {
        tl_t3dm_pose_lanes()->play_keys(&r.c, tick);
        for (uint32_t lane = 0; lane < T3DM_POSE_TICKS; lane++) {
            const uint32_t at = tick + lane < 12 ? tick + lane : 12, key = at < 6 ? 0 : 1;
            const double amount = (at - 6.0 * key) / 6;
            const trilo_quat a = tl_sdata_unpack_quat(r.values[0][key]), b = tl_sdata_unpack_quat(r.values[0][key + 1]);
            const double sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1 : 1;
            CHECK_NEAR(r.local[0].rotation[0][lane], a.x * (1 - amount) + sign * b.x * amount, 1e-6);
            CHECK_NEAR(r.local[0].rotation[3][lane], a.w * (1 - amount) + sign * b.w * amount, 1e-6);
            CHECK_NEAR(r.local[0].translation[2][lane], at < 6 ? 1 + 0.1 * at : 1.6 - 0.2 * (at - 6), 1e-6);
        }
    }
}

/* A rotation of no length, or of one beyond all numbers, is none; others are made units. Scales stay as they are. */
TEST(rotations_without_a_length)
{
    static const struct {
        double q[4], unit[4];
    } all[] = {{{0, 0, 0, 0}, {0, 0, 0, 1}},         {{INFINITY, 0, 0, 1}, {0, 0, 0, 1}},
               {{0, 0, -INFINITY, 0}, {0, 0, 0, 1}}, {{1e200, 0, 0, 0}, {0, 0, 0, 1}},
               {{0, 0, 0, 5}, {0, 0, 0, 1}},         {{0, 3, 0, 4}, {0, 0.6, 0, 0.8}},
               {{NAN, 0, 0, 1}, {0, 0, 0, 1}},       {{1e-20, 0, 0, 0}, {1, 0, 0, 0}}};
    static clip_room r;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int lane = 0; lane < T3DM_POSE_TICKS; lane++) {
            const double x = all[i].unit[0], y = all[i].unit[1];
            make_clip(&r, 1);
            r.local[0].scaled = true;
            for (int k = 0; k < 4; k++)
                for (int other = 0; other < T3DM_POSE_TICKS; other++)
                    r.local[0].rotation[k][other] = other == lane ? all[i].q[k] : k == 1;
            for (int k = 0; k < 3; k++)
                r.local[0].scale[k][lane] = 2 + k;
            tl_t3dm_pose_lanes()->make_worlds(&r.c, &r.c.played, r.poses, r.poses);
            for (int k = 0; k < 4; k++)
                for (int other = 0; other < T3DM_POSE_TICKS; other++)
                    CHECK_NEAR(r.poses[0].rotation[k][other], other == lane ? all[i].unit[k] : k == 1, 1e-12);
            CHECK_NEAR(r.poses[0].world[0][lane], 2 * (1 - 2 * y * y), 1e-12);
            CHECK_NEAR(r.poses[0].world[5][lane], 3 * (1 - 2 * x * x), 1e-12);
            CHECK_NEAR(r.poses[0].world[10][lane], 4 * (1 - 2 * x * x - 2 * y * y), 1e-12);
            CHECK(r.poses[0].world[3][lane] == r.local[0].translation[0][lane]);
        }
}

TEST_MAIN(CASE(avx2_gives_the_bits_of_every_machine), CASE(lanes_are_ticks),
          CASE(rotations_of_ticks_are_in_their_lanes), CASE(rotations_without_a_length))

/* Which tolerances the channels of a clip get, against a plain search: every trial makes all keys anew and measures the
 * whole clip, where the library only measures what changes and stops where it can. Making keys of one channel and
 * measuring a clip have plain ways of their own in other tests. */
#include "formats/t3dm/animation/animation.h"
#include "formats/t3dm/decode/sdata.h"
#include "harness.h"
#include "support/numbers.h"
#include "support/t3dm_encoder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BONES = 4, POINTS = 5, CHANNELS = 3 * BONES, KEYS = 6 };

typedef struct room {
    encoder_bench b;
    uint64_t state;
    t3dm_bone bones[BONES];
    uint32_t bone_of_node[BONES], order[BONES];
    t3dm_binding bindings[BONES];
    trilo_mesh meshes[BONES];
    float positions[BONES][POINTS][3];
    trilo_channel channels[CHANNELS];
    double times[CHANNELS][KEYS];
    float values[CHANNELS][4 * KEYS];
    t3dm_curve curves[CHANNELS], first_curves[CHANNELS];
    tl_sdata_channel keys[CHANNELS];
    t3dm_clip_builder clip;
    const t3dm_skin_samples *samples;
} room;

static uint32_t below(room *r, uint32_t limit)
{
    return (uint32_t)(random_bits(&r->state) >> 33) % limit;
}

static double spread(room *r)
{
    return below(r, 20001) / 10000.0 - 1;
}

/* ---- clips ---- */

static void random_rotation(room *r, double angle, float q[4])
{
    double length = 1, v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = angle * spread(r);
        length += v[i] * v[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] = (float)((i < 3 ? v[i] : 1) / sqrt(length));
}

/* A chain, or bones beside each other; each has some vertices. */
static void make_bones(room *r)
{
    const uint32_t count = 1 + below(r, BONES);
    encoder_bench *b = &r->b;
    b->file.bones = r->bones;
    b->file.skeleton.bone_count = (uint16_t)count;
    b->e.bone_of_node = r->bone_of_node;
    b->e.meshes = r->order;
    b->e.mesh_count = b->model.mesh_count = b->model.node_count = count;
    b->e.node_bindings = r->bindings;
    b->model.meshes = r->meshes;
    for (uint32_t i = 0; i < count; i++) {
        t3dm_bone *bone = &r->bones[i];
        bone->parent = i == 0 || below(r, 4) == 0 ? T3DM_NO_BONE : (uint16_t)(i - 1);
        for (int k = 0; k < 3; k++) {
            bone->position[k] = (float)(20 * spread(r));
            bone->scale[k] = 1;
        }
        random_rotation(r, 0.5, bone->rotation);
        r->order[i] = r->bone_of_node[i] = i;
        r->bindings[i] = (t3dm_binding){.bone = (uint16_t)i};
        for (int k = 0; k < 4; k++)
            r->bindings[i].points.m[5 * k] = 1;
        for (int v = 0; v < POINTS; v++)
            for (int k = 0; k < 3; k++)
                r->positions[i][v][k] = (float)(30 * spread(r));
        r->meshes[i] = (trilo_mesh){.node = i,
                                    .skin = TRILO_NONE,
                                    .vertex_count = i == 1 ? 0 : POINTS,
                                    .positions = (const float(*)[3])r->positions[i]};
    }
}

static uint32_t add_channel(room *r, uint32_t bone, trilo_target target, bool rests, double most)
{
    const uint32_t number = r->clip.channel_count++, keys = 2 + below(r, KEYS - 1);
    trilo_channel *c = &r->channels[number];
    *c = (trilo_channel){
        .node = bone, .target = target, .key_count = keys, .times = r->times[number], .values = r->values[number]};
    for (uint32_t k = 0; k < keys; k++) {
        const bool on_tick = below(r, 3) > 0;
        r->times[number][k] =
            k == 0 ? 0 : r->times[number][k - 1] + (on_tick ? (1 + below(r, 9)) / 60.0 : (20 + below(r, 400)) / 3000.0);
        float *value = r->values[number] + k * trilo_target_width(target);
        if (rests)
            memcpy(value, r->bones[bone].rotation, sizeof r->bones[bone].rotation);
        else if (target == TRILO_TARGET_ROTATION)
            random_rotation(r, most, value);
        else
            value[0] = (float)(most * spread(r));
    }
    return number;
}

/* Rotations that rest come first, then the others, then numbers. */
static void make_clip(room *r)
{
    static const double turns[] = {0.01, 0.1, 0.7}, moves[] = {0.1, 2, 20};
    const uint32_t bones = r->b.file.skeleton.bone_count;
    const double turn = turns[below(r, 3)], move = moves[below(r, 3)];
    bool rests[BONES];
    double duration = 0;
    r->clip = (t3dm_clip_builder){.channels = r->channels, .curves = r->curves, .failing_bone = TRILO_NONE};
    for (uint32_t i = 0; i < bones; i++) {
        rests[i] = below(r, 4) == 0;
        if (rests[i])
            add_channel(r, i, TRILO_TARGET_ROTATION, true, 0);
    }
    r->clip.static_count = r->clip.channel_count;
    for (uint32_t i = 0; i < bones; i++)
        if (!rests[i] && below(r, 5) > 0)
            add_channel(r, i, TRILO_TARGET_ROTATION, false, turn);
    r->clip.sdata.quat_count = r->clip.channel_count;
    add_channel(r, 0, TRILO_TARGET_TRANSLATION_Y, false, move);
    if (below(r, 2))
        add_channel(r, bones - 1, TRILO_TARGET_SCALE_Z, false, 1.5);
    r->clip.sdata.channel_count = r->clip.channel_count;
    r->clip.sdata.channels = r->keys;
    for (uint32_t i = 0; i < r->clip.channel_count; i++)
        duration = fmax(duration, r->times[i][r->channels[i].key_count - 1]);
    r->clip.last_tick = tl_t3dm_last_tick(&r->b.e, duration);
    r->clip.suspect = r->clip.last_tick / 2;
    for (uint32_t i = 0; i < r->clip.channel_count; i++) {
        const trilo_target target = r->channels[i].target;
        t3dm_curve *c = &r->curves[i];
        *c = (t3dm_curve){.channel = &r->channels[i], .fraction = 1, .last_tick = r->clip.last_tick};
        CHECK(tl_t3dm_sample_curve(&r->b.e, duration, NULL, c));
        c->mapping = (t3dm_mapping){.bone = (uint16_t)r->channels[i].node, .type = T3DM_ROTATION};
        if (target != TRILO_TARGET_ROTATION) {
            float values[512];
            CHECK(c->count <= 512);
            for (uint32_t k = 0; k < c->count; k++)
                values[k] = (float)c->scalars[k];
            c->mapping.type = target == TRILO_TARGET_SCALE_Z ? T3DM_SCALE : T3DM_TRANSLATION;
            c->mapping.axis = target == TRILO_TARGET_SCALE_Z ? 2 : 1;
            tl_sdata_scalar_range(values, c->count, &c->mapping.scale, &c->mapping.offset);
        }
        r->first_curves[i] = *c;
    }
}

static void make_room(room *r, uint64_t seed, const trilo_t3dm_write_opts *opts)
{
    memset(r, 0, sizeof *r);
    encoder_bench_init(&r->b);
    r->state = seed;
    r->b.t3dm = *opts;
    r->b.e.policy.has_tolerance = opts->anim_error > 0 || opts->anim_error_percent > 0 ||
                                  opts->anim_rotation_error > 0 || opts->anim_translation_error > 0;
    r->b.e.policy.keeps_without = r->b.e.policy.has_tolerance && seed % 4 == 0;
    r->b.e.measured_left = 1e6;
    make_bones(r);
    make_clip(r);
    CHECK(r->samples = tl_t3dm_skin_samples_new(&r->b.e));
}

/* ---- the plain search ---- */

typedef struct plain {
    room *r;
    uint32_t first; /* channel: those before are left out */
    t3dm_curve curves[CHANNELS];
    tl_sdata_channel keys[CHANNELS];
    double distance, fraction;
    char texts[3][208];
    uint32_t text_count;
} plain;

static void make_keys(plain *p, uint32_t k, double tolerance)
{
    t3dm_curve curve = p->r->first_curves[k]; /* nothing is kept of other trials */
    curve.tolerance = tolerance;
    curve.fraction = p->fraction;
    CHECK(tl_t3dm_make_keys(&p->r->b.e, &curve, &p->keys[k]));
    p->curves[k] = curve;
}

static t3dm_clip_error measure(plain *p)
{
    room *r = p->r;
    t3dm_clip_builder clip = {.channels = r->channels,
                              .channel_count = r->clip.channel_count,
                              .curves = p->curves + p->first,
                              .last_tick = r->clip.last_tick,
                              .failing_bone = TRILO_NONE};
    t3dm_clip_error error;
    clip.sdata.channels = p->keys + p->first;
    clip.sdata.channel_count = r->clip.channel_count - p->first;
    CHECK(tl_t3dm_list_clip_bones(&r->b.e, &clip));
    CHECK(tl_t3dm_clip_error(&r->b.e, r->samples, &clip, NULL, &error));
    return error;
}

static bool is_within(const t3dm_clip_error *a, const t3dm_clip_error *b)
{
    return a->distance <= b->distance && a->rotation <= b->rotation && a->position <= b->position;
}

static uint32_t count_keys(const plain *p)
{
    uint32_t count = 0;
    for (uint32_t k = p->first; k < p->r->clip.channel_count; k++)
        count += p->keys[k].key_count;
    return count;
}

/* Keys with fewer of them, in blocks of channels: halves, quarters, and so on, as long as nothing is further off. */
static void take_fewer(plain *p, const tl_sdata_channel *fewer, const t3dm_clip_error *limit)
{
    const uint32_t count = p->r->clip.channel_count;
    uint32_t size = count;
    do {
        size = (size + 1) / 2;
        for (uint32_t first = 0; first < count; first += size) {
            tl_sdata_channel before[CHANNELS];
            memcpy(before, p->keys, sizeof before);
            for (uint32_t k = first; k < count && k < first + size; k++)
                if (fewer[k].key_count < p->keys[k].key_count)
                    p->keys[k] = fewer[k];
            const t3dm_clip_error error = measure(p);
            if (!is_within(&error, limit))
                memcpy(p->keys, before, sizeof before);
        }
    } while (size > 1);
    p->distance = measure(p).distance;
}

/* As good as Tiny3D's converter; how many keys that has. */
static uint32_t match_converter(plain *p, t3dm_clip_error *theirs)
{
    static const double fractions[] = {1, 0.7, 0.5, 0.35};
    const uint32_t count = p->r->clip.channel_count;
    tl_sdata_channel fewer[CHANNELS], of_converter[CHANNELS];
    for (uint32_t k = 0; k < count; k++) {
        p->curves[k] = p->r->first_curves[k];
        CHECK(tl_t3dm_find_tiny3d_keys(&p->r->b.e, &p->curves[k], 1));
        p->keys[k] = of_converter[k] = fewer[k] = p->curves[k].tiny3d;
    }
    const uint32_t keys = count_keys(p);
    *theirs = measure(p);
    p->first = p->r->clip.static_count;
    for (int i = 0; i < 4; i++) {
        p->fraction = fractions[i];
        for (uint32_t k = p->first; k < count; k++) {
            make_keys(p, k, 0);
            fewer[k] = i == 0 ? p->keys[k] : fewer[k];
        }
        const t3dm_clip_error error = measure(p);
        p->distance = error.distance;
        if (is_within(&error, theirs) && (i == 0 || count_keys(p) <= keys))
            return keys;
    }
    p->first = 0;
    memcpy(p->keys, of_converter, count * sizeof *p->keys);
    take_fewer(p, fewer, theirs);
    return keys;
}

static double channel_tolerance(const plain *p, uint32_t k, double wanted)
{
    const t3dm_curve *curve = &p->r->first_curves[k];
    const double per_unit = tl_t3dm_error_per_unit(p->r->samples, curve), most = curve->rotations ? 0.7 : 1e6;
    return per_unit > 0 && wanted / per_unit < most ? wanted / per_unit : most;
}

/* All channels with a part of the tolerance; 0: as good as Tiny3D's converter. */
static bool try_factor(plain *p, double tolerance, double factor)
{
    for (uint32_t k = p->first; k < p->r->clip.channel_count; k++)
        make_keys(p, k, factor > 0 ? channel_tolerance(p, k, factor * tolerance) : 0);
    p->distance = measure(p).distance;
    return p->distance <= tolerance;
}

/* The largest factor from 1/64 to 64 that fits; 0: none. */
static double find_factor(plain *p, double tolerance)
{
    double good = 1, bad = 1;
    if (try_factor(p, tolerance, 1)) {
        for (bad = 2; bad <= 64 && try_factor(p, tolerance, bad); bad *= 2)
            good = bad;
        if (bad > 64)
            return good;
    } else {
        for (good = 0.5; good >= 1.0 / 64 && !try_factor(p, tolerance, good); good /= 2)
            bad = good;
        if (good < 1.0 / 64)
            return 0;
    }
    for (int i = 0; i < 4; i++) {
        const double middle = sqrt(good * bad);
        *(try_factor(p, tolerance, middle) ? &good : &bad) = middle;
    }
    return good;
}

/* False: nothing fits. */
static bool search(plain *p, double tolerance)
{
    const double factor = find_factor(p, tolerance);
    if (!try_factor(p, tolerance, factor))
        return false;
    for (uint32_t k = p->first; k < p->r->clip.channel_count; k++)
        for (double more = 4; more > 1; more /= 2) {
            const tl_sdata_channel before = p->keys[k];
            make_keys(p, k, channel_tolerance(p, k, (factor > 0 ? factor : 0.25) * more * tolerance));
            const double distance = measure(p).distance;
            if (p->keys[k].key_count < before.key_count && distance <= tolerance) {
                p->distance = distance;
                break;
            }
            p->keys[k] = before;
        }
    return true;
}

/* A tolerance for each kind of channel. */
static void fit_kinds(plain *p)
{
    const trilo_t3dm_write_opts *o = &p->r->b.t3dm;
    for (uint32_t k = p->first; k < p->r->clip.channel_count; k++) {
        const t3dm_curve *c = &p->r->first_curves[k];
        const double degrees = o->anim_rotation_error < 180 ? o->anim_rotation_error : 180;
        make_keys(p, k,
                  c->rotations                          ? sin(degrees / 2 * 3.14159265358979323846 / 180)
                  : c->mapping.type == T3DM_TRANSLATION ? o->anim_translation_error
                                                        : 0);
    }
    p->distance = measure(p).distance;
}

static void plain_fit(plain *p, room *r)
{
    const trilo_t3dm_write_opts *o = &r->b.t3dm;
    t3dm_clip_error theirs;
    bool fits = true, fewest = true;
    *p = (plain){.r = r, .fraction = 1};
    const uint32_t converter = match_converter(p, &theirs);
    uint32_t without = count_keys(p);
    if (!r->b.e.policy.has_tolerance) {
        if (without < converter)
            snprintf(p->texts[p->text_count++], sizeof p->texts[0],
                     "%u keys, with which no vertex is more than %.4g units off; Tiny3D's converter would write %u, "
                     "with %.4g",
                     (unsigned)without, p->distance, (unsigned)converter, theirs.distance);
        return;
    }
    if (r->b.e.policy.keeps_without) {
        without = 0;
        for (uint32_t k = p->first; k < r->clip.channel_count; k++)
            without += r->first_curves[k].count;
    }
    p->first = r->clip.static_count;
    const double tolerance =
        o->anim_error > 0 ? o->anim_error : o->anim_error_percent / 100 * tl_t3dm_model_size(r->samples);
    if (tolerance > 0)
        fits = search(p, tolerance);
    else
        fit_kinds(p);
    snprintf(p->texts[p->text_count++], sizeof p->texts[0], "%u keys, with which no vertex is more than %.4g units off",
             (unsigned)count_keys(p), p->distance);
    for (uint32_t k = p->first; k < r->clip.channel_count; k++)
        fewest = fewest && p->keys[k].key_count == 2;
    if (!fits)
        snprintf(p->texts[p->text_count++], sizeof p->texts[0],
                 "a vertex is %.4g units off, %.4g were requested: T3DM stores rotations no finer", p->distance,
                 tolerance);
    else if (count_keys(p) == without)
        snprintf(p->texts[p->text_count++], sizeof p->texts[0],
                 "the bound makes no difference, there are %u keys without it, too: %s", (unsigned)without,
                 fewest ? "each channel already has only its first and last key"
                        : "with one key less a vertex would be further off than it allows");
}

/* ---- both ---- */

static void check_channels(const t3dm_clip_builder *clip, const plain *p)
{
    const uint32_t count = p->r->clip.channel_count - p->first;
    CHECK_INT(clip->sdata.channel_count, count);
    CHECK_INT(clip->sdata.key_count, count_keys(p));
    CHECK(clip->curves == p->r->curves + p->first);
    for (uint32_t k = 0; k < count; k++) {
        const tl_sdata_channel *got = &clip->sdata.channels[k], *want = &p->keys[p->first + k];
        CHECK_INT(got->key_count, want->key_count);
        for (uint32_t i = 0; i < want->key_count; i++) {
            CHECK_INT(got->ticks[i], want->ticks[i]);
            CHECK_INT(got->values[i], want->values[i]);
        }
    }
}

TEST(tolerances_are_those_of_the_plain_search)
{
    static const trilo_t3dm_write_opts ways[] = {{.version = 0},
                                                 {.version = 0},
                                                 {.version = 0},
                                                 {.anim_error = 0.5},
                                                 {.version = 0},
                                                 {.anim_error = 0.02},
                                                 {.anim_error_percent = 3},
                                                 {.anim_error = 1e-7},
                                                 {.anim_error = 0.12},
                                                 {.anim_error = 1000},
                                                 {.anim_rotation_error = 1, .anim_translation_error = 0.3},
                                                 {.anim_error = 0.25, .anim_error_percent = 50},
                                                 {.anim_rotation_error = 300},
                                                 {.anim_translation_error = 2}};
    static room r;
    static plain p;
    for (uint64_t round = 0; round < (TEST_SLOW ? 14 : 126); round++) {
        make_room(&r, round + 1, &ways[round % (sizeof ways / sizeof *ways)]);
        const t3dm_clip_builder before = r.clip;
        plain_fit(&p, &r);
        r.clip = before;
        CHECK(tl_t3dm_fit_tolerance(&r.b.e, &r.clip, r.samples));
        const t3dm_clip_builder clip = r.clip;
        r.clip = before;
        check_channels(&clip, &p);
        CHECK_INT(r.b.heard.count, p.text_count);
        for (uint32_t i = 0; i < p.text_count; i++)
            CHECK_STR(r.b.heard.texts[i], p.texts[i]);
        /* What measuring took: for each tick each bone that moves, or each channel. */
        const uint32_t most =
            clip.bone_count > before.sdata.channel_count ? clip.bone_count : before.sdata.channel_count;
        CHECK_NEAR(r.b.e.measured_left, 1e6 - (double)clip.last_tick * most, 0);
        encoder_bench_free(&r.b);
    }
}

/* A clip is measured if so much may still be: its ticks times the bones that move, or the channels. Otherwise only
 * samples count, not what is between them; and nothing is measured where keys are kept, nor of a clip that is too long
 * for a stream. Channels that rest are left out then. */
TEST(clips_that_are_not_measured)
{
    static const trilo_t3dm_write_opts none = {.version = 0};
    static room r;
    static plain p;
    for (uint64_t round = 0; round < (TEST_SLOW ? 4 : 40); round++)
        for (int way = 0; way < 4; way++) {
            make_room(&r, round + 500, &none);
            const uint32_t channels = r.clip.sdata.channel_count;
            CHECK(tl_t3dm_list_clip_bones(&r.b.e, &r.clip));
            const uint32_t moving = r.clip.bone_count > channels ? r.clip.bone_count : channels;
            const double ticks = (double)r.clip.last_tick * moving;
            r.b.e.measured_left = way == 1 ? ticks - 0.5 : ticks;
            r.b.e.policy.keep_keys = way == 2;
            r.clip.last_tick = way == 3 ? 65536 : r.clip.last_tick;
            p = (plain){.r = &r, .first = r.clip.static_count, .fraction = 1};
            for (uint32_t k = p.first; k < channels; k++) {
                r.first_curves[k].unmeasured = way == 1;
                make_keys(&p, k, 0);
            }
            const t3dm_clip_builder before = r.clip;
            CHECK(tl_t3dm_fit_tolerance(&r.b.e, &r.clip, r.samples));
            const t3dm_clip_builder clip = r.clip;
            r.clip = before;
            CHECK_NEAR(r.b.e.measured_left, way == 0 ? 0 : way == 1 ? ticks - 0.5 : ticks, 0);
            if (way > 0) {
                check_channels(&clip, &p);
                CHECK_INT(clip.sdata.quat_count, before.sdata.quat_count - before.static_count);
                CHECK_INT(clip.static_count, 0);
                CHECK_INT(r.b.heard.count, way == 1);
            }
            if (way == 1) {
                CHECK_STR(r.b.heard.rules[0], "T3DM-KEYS-COARSE");
                CHECK_STR(r.b.heard.texts[0],
                          "the clips are too long to measure all of them, so no bound holds for this one");
            }
            encoder_bench_free(&r.b);
        }
}

TEST_MAIN(CASE(tolerances_are_those_of_the_plain_search), CASE(clips_that_are_not_measured))

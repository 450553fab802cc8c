/* Random calls of a player, compared after each step with a plain player that follows the documentation: clocks,
 * events, crossfades, layers, masks and differences, in double precision. Times are multiples of a sixteenth, so that
 * they are exact. */
#include "base/strict_float.h"

#include "harness.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NODES = 3, CLIPS = 4, LAYERS = 3, CHANNELS = 8, KEYS = 4, MARKERS = 4, EVENTS = 64, NOTHING = -1, FROZEN = -2 };
enum { ROTATION = 3, PARTS = 7 }; /* of a transform: 3 numbers, a rotation, 3 numbers */

/* ---- a model ---- */

typedef struct scene {
    trilo_node nodes[NODES];
    double times[CLIPS][CHANNELS][KEYS];
    float values[CLIPS][CHANNELS][KEYS * 4];
    trilo_channel channels[CLIPS][CHANNELS];
    trilo_clip clips[CLIPS];
    trilo_marker markers[CLIPS][MARKERS];
    trilo_model model;
} scene;

static double between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * (double)(random_bits(seed) >> 40) / (double)(1 << 24);
}

static uint32_t below(uint64_t *seed, uint32_t count)
{
    return (uint32_t)(random_bits(seed) >> 33) % count;
}

static void random_turn(uint64_t *seed, float *out)
{
    double q[4], squares = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = between(seed, -1, 1);
        squares += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        out[k] = (float)(q[k] / sqrt(squares));
}

static void fill_channel(scene *s, uint32_t clip, uint32_t node, trilo_target target, uint64_t *seed)
{
    trilo_clip *c = &s->clips[clip];
    const uint32_t number = c->channel_count++, count = 1 + below(seed, KEYS), width = trilo_target_width(target);
    double *times = s->times[clip][number], time = between(seed, 0, 0.25);
    float *values = s->values[clip][number];
    for (uint32_t k = 0; k < count; k++, time += between(seed, 0.1, 0.7)) {
        times[k] = time;
        for (uint32_t i = 0; i < width; i++)
            values[k * width + i] = (float)between(seed, 0.5, 3);
        if (target == TRILO_TARGET_ROTATION)
            random_turn(seed, values + 4 * (size_t)k);
    }
    s->channels[clip][number] = (trilo_channel){node, target, TRILO_INTERPOLATION_LINEAR, count, times, values, 0, 0};
}

/* The third clip moves all of a node, the last one has no duration. */
static void fill_scene(scene *s, uint64_t *seed)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < NODES; i++) {
        float turn[4], v[6];
        random_turn(seed, turn);
        for (int k = 0; k < 6; k++)
            v[k] = (float)between(seed, 0.5, 4);
        s->nodes[i] = (trilo_node){.parent = i > 0 ? i - 1 : TRILO_NONE,
                                   .translation = {v[0], v[1], v[2]},
                                   .rotation = {turn[0], turn[1], turn[2], turn[3]},
                                   .scale = {v[3], v[4], v[5]}};
        for (int k = 0; k < 16; k++)
            s->nodes[i].local.m[k] = (float)(i + 1) * (k % 5 == 0); /* not what the transform says */
    }
    s->nodes[2].parent = below(seed, 2);
    for (uint32_t c = 0; c < CLIPS; c++) {
        s->clips[c] =
            (trilo_clip){.duration = c == 3 ? 0 : (double)(6 + below(seed, 12)) / 16, .channels = s->channels[c]};
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t node = (c + i) % NODES;
            const bool all = c == 2;
            if (all || below(seed, 2))
                fill_channel(s, c, node, TRILO_TARGET_TRANSLATION, seed);
            else
                fill_channel(s, c, node, (trilo_target)(TRILO_TARGET_TRANSLATION_X + below(seed, 3)), seed);
            if (all || below(seed, 2))
                fill_channel(s, c, node, TRILO_TARGET_ROTATION, seed);
            if (all || below(seed, 2))
                fill_channel(s, c, node,
                             all ? TRILO_TARGET_SCALE : (trilo_target)(TRILO_TARGET_SCALE_X + below(seed, 3)), seed);
        }
        for (uint32_t i = 0; i < MARKERS; i++) /* one at the start, one at the end, two at the same time */
            s->markers[c][i].seconds = i == 0   ? 0
                                       : i == 3 ? s->clips[c].duration
                                                : floor(s->clips[c].duration * 8) / 16;
    }
    s->model = (trilo_model){.node_count = NODES, .nodes = s->nodes, .clip_count = CLIPS, .clips = s->clips};
}

/* ---- the plain player ---- */

typedef struct plain_pose {
    double part[NODES][PARTS][4];
    bool set[NODES][PARTS];
} plain_pose;

/* A rotation, then a translation. */
typedef struct rigid {
    double q[4], t[3];
} rigid;

typedef struct plain_play {
    int clip;
    double time, speed;
    bool once, paused, finished, begun;
    uint32_t rounds; /* of the last step, and whether that went back */
    bool back, root_known;
    rigid root, motion; /* of the root node: where it was, and the motion of the last step */
} plain_play;

typedef struct plain_layer {
    plain_play now, old;
    double fade, faded, weight, mask[NODES];
    bool additive;
    plain_pose blended, frozen;
} plain_layer;

typedef struct plain_player {
    const scene *s;
    plain_layer layers[LAYERS];
    plain_pose pose;
    uint32_t wanted, root_node; /* of root motion */
    rigid motion;
    trilo_event events[EVENTS];
    uint32_t event_count;
} plain_player;

static void quat_times(const double a[4], const double b[4], double out[4])
{
    const double q[4] = {
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, q, sizeof q);
}

/* Along the shorter arc. */
static void plain_blend(int part, const double from[4], const double to[4], double amount, double out[4])
{
    if (part != ROTATION) {
        out[0] = from[0] + (to[0] - from[0]) * amount;
        return;
    }
    double dot = 0, squares = 0, q[4];
    for (int k = 0; k < 4; k++)
        dot += from[k] * to[k];
    const double angle = acos(fmin(1, fabs(dot))), sine = sin(angle);
    const double a = sine > 1e-7 ? sin((1 - amount) * angle) / sine : 1 - amount;
    const double b = (sine > 1e-7 ? sin(amount * angle) / sine : amount) * (dot < 0 ? -1 : 1);
    for (int k = 0; k < 4; k++) {
        q[k] = a * from[k] + b * to[k];
        squares += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        out[k] = amount >= 1 ? to[k] : q[k] / sqrt(squares);
}

/* ---- the motion of the root ---- */

static const rigid still = {{0, 0, 0, 1}, {0, 0, 0}};

static void turn_vector(const double q[4], const double v[3], double out[3])
{
    const double pure[4] = {v[0], v[1], v[2], 0}, back[4] = {-q[0], -q[1], -q[2], q[3]};
    double r[4];
    quat_times(q, pure, r);
    quat_times(r, back, r);
    memcpy(out, r, 3 * sizeof *out);
}

static rigid rigid_times(rigid a, rigid b)
{
    rigid c;
    quat_times(a.q, b.q, c.q);
    turn_vector(a.q, b.t, c.t);
    for (int k = 0; k < 3; k++)
        c.t[k] += a.t[k];
    return c;
}

static rigid rigid_inverse(rigid a)
{
    rigid b = {.q = {-a.q[0], -a.q[1], -a.q[2], a.q[3]}};
    turn_vector(b.q, a.t, b.t);
    for (int k = 0; k < 3; k++)
        b.t[k] = -b.t[k];
    return b;
}

/* The root at a time of a clip; below 0: at its first keys. What no channel moves is at rest. */
static rigid root_at(const plain_player *p, int clip, double time)
{
    const trilo_node *node = &p->s->nodes[p->root_node];
    rigid r = {{node->rotation.x, node->rotation.y, node->rotation.z, node->rotation.w},
               {node->translation.x, node->translation.y, node->translation.z}};
    for (uint32_t i = 0; i < p->s->clips[clip].channel_count; i++) {
        const trilo_channel *c = &p->s->clips[clip].channels[i];
        float value[4];
        trilo_channel_sample(c, time < 0 ? c->times[0] : time, value);
        if (c->node != p->root_node)
            continue;
        for (int k = 0; k < 4; k++) {
            if (c->target == TRILO_TARGET_ROTATION)
                r.q[k] = (double)value[k];
            else if (c->target == TRILO_TARGET_TRANSLATION && k < 3)
                r.t[k] = (double)value[k];
            else if (c->target == (trilo_target)(TRILO_TARGET_TRANSLATION_X + k) && k < 3)
                r.t[k] = (double)value[0];
        }
    }
    return r;
}

/* What of the way from the first keys is wanted: a turn about y, and a translation besides. */
static rigid wanted_motion(const plain_player *p, int clip, rigid root)
{
    const rigid first = root_at(p, clip, -1);
    rigid m = still;
    double start[3];
    if (p->wanted & TRILO_ROOT_YAW) {
        const double back[4] = {-first.q[0], -first.q[1], -first.q[2], first.q[3]};
        double turn[4];
        quat_times(root.q, back, turn);
        const double length = sqrt(turn[1] * turn[1] + turn[3] * turn[3]);
        m.q[1] = turn[1] / length;
        m.q[3] = turn[3] / length;
    }
    turn_vector(m.q, first.t, start);
    for (int k = 0; k < 3; k++)
        m.t[k] = p->wanted >> k & 1 ? root.t[k] - start[k] : 0;
    return m;
}

/* Takes the wanted motion out of the pose; the step is the way from the last root, over all rounds, to this one. */
static void plain_extract(const plain_player *p, plain_play *play, plain_pose *pose)
{
    const rigid root = root_at(p, play->clip, play->time), now = wanted_motion(p, play->clip, root);
    const double duration = p->s->clips[play->clip].duration;
    if (play->root_known) {
        rigid round = wanted_motion(p, play->clip, root_at(p, play->clip, duration));
        play->motion = rigid_inverse(wanted_motion(p, play->clip, play->root));
        if (play->back)
            round = rigid_inverse(round);
        for (uint32_t i = 0; i < play->rounds; i++)
            play->motion = rigid_times(play->motion, round);
        play->motion = rigid_times(play->motion, now);
    }
    play->root = root;
    play->root_known = true;
    const rigid left = rigid_times(rigid_inverse(now), root);
    for (int k = 0; k < 3; k++)
        pose->part[p->root_node][k][0] = left.t[k];
    for (int k = 0; k < 3; k++) /* along all axes if the root rotates */
        pose->set[p->root_node][k] =
            pose->set[p->root_node][k] || ((p->wanted & TRILO_ROOT_YAW) && pose->set[p->root_node][ROTATION]);
    memcpy(pose->part[p->root_node][ROTATION], left.q, sizeof left.q);
}

/* ---- layers ---- */

static void plain_sample(const plain_player *p, const plain_layer *layer, plain_play *play, plain_pose *out)
{
    memset(out, 0, sizeof *out);
    if (play->clip == FROZEN)
        *out = layer->frozen;
    for (uint32_t i = 0; play->clip >= 0 && i < p->s->clips[play->clip].channel_count; i++) {
        const trilo_channel *c = &p->s->clips[play->clip].channels[i];
        const uint32_t width = trilo_target_width(c->target);
        const trilo_target x = c->target >= TRILO_TARGET_SCALE_X ? TRILO_TARGET_SCALE_X : TRILO_TARGET_TRANSLATION_X;
        const int first = c->target == TRILO_TARGET_ROTATION      ? ROTATION
                          : c->target == TRILO_TARGET_TRANSLATION ? 0
                          : c->target == TRILO_TARGET_SCALE
                              ? 4
                              : (int)(c->target - x) + (x == TRILO_TARGET_SCALE_X ? 4 : 0);
        float value[4];
        trilo_channel_sample(c, play->time, value);
        if (first == ROTATION) {
            double q[4], back[4];
            for (int k = 0; k < 4; k++)
                q[k] = (double)value[k], back[k] = k < 3 ? -(double)c->values[k] : (double)c->values[k];
            if (layer->additive)
                quat_times(back, q, q);
            memcpy(out->part[c->node][ROTATION], q, sizeof q);
            out->set[c->node][ROTATION] = true;
        }
        for (uint32_t k = 0; k < width && first != ROTATION; k++) {
            const int part = first + (int)k;
            const double start = (double)c->values[k];
            out->part[c->node][part][0] = !layer->additive  ? (double)value[k]
                                          : part < ROTATION ? value[k] - start
                                                            : value[k] / start;
            out->set[c->node][part] = true;
        }
    }
    play->motion = still;
    if (p->wanted && play->clip >= 0 && !layer->additive)
        plain_extract(p, play, out);
}

/* What is shown of a layer: with a crossfade, a part that only one of both has fades from or to what is below. */
static plain_pose plain_layer_pose(const plain_player *p, plain_layer *layer)
{
    plain_pose now, old;
    plain_sample(p, layer, &layer->now, &now);
    if (layer->fade <= 0)
        return now;
    plain_sample(p, layer, &layer->old, &old);
    const double amount = layer->faded / layer->fade;
    for (int n = 0; n < NODES; n++)
        for (int part = 0; part < PARTS; part++) {
            const double none[4] = {part > ROTATION, 0, 0, 1};
            const double *under = layer->additive ? none : p->pose.part[n][part];
            const bool of_now = now.set[n][part], of_old = old.set[n][part];
            double *out = layer->blended.part[n][part];
            memcpy(out, under, sizeof none);
            if (of_old)
                plain_blend(part, of_now ? old.part[n][part] : under, of_now ? now.part[n][part] : old.part[n][part],
                            of_now ? amount : 1 - amount, out);
            else if (of_now)
                plain_blend(part, under, now.part[n][part], amount, out);
            layer->blended.set[n][part] = of_now || of_old;
        }
    return layer->blended;
}

static void rigid_blend(const rigid *from, const rigid *to, double amount, rigid *out)
{
    for (int k = 0; k < 3; k++)
        out->t[k] = from->t[k] + (to->t[k] - from->t[k]) * amount;
    plain_blend(ROTATION, from->q, to->q, amount, out->q);
}

static void plain_blend_motion(plain_player *p, const plain_layer *layer, const plain_pose *pose)
{
    bool any = false;
    for (int part = 0; part < PARTS; part++)
        any = any || pose->set[p->root_node][part];
    const double weight = layer->weight * layer->mask[p->root_node];
    if (!p->wanted || layer->additive || !any || weight <= 0)
        return;
    rigid motion = layer->now.motion;
    if (layer->fade > 0)
        rigid_blend(&layer->old.motion, &layer->now.motion, layer->faded / layer->fade, &motion);
    rigid_blend(&p->motion, &motion, weight, &p->motion);
}

static void plain_pose_all(plain_player *p)
{
    memset(&p->pose, 0, sizeof p->pose);
    p->motion = still;
    for (int n = 0; n < NODES; n++) {
        const trilo_node *node = &p->s->nodes[n];
        const double rest[PARTS] = {node->translation.x, node->translation.y, node->translation.z, 0,
                                    node->scale.x,       node->scale.y,       node->scale.z};
        for (int part = 0; part < PARTS; part++)
            p->pose.part[n][part][0] = rest[part];
        const double turn[4] = {node->rotation.x, node->rotation.y, node->rotation.z, node->rotation.w};
        memcpy(p->pose.part[n][ROTATION], turn, sizeof turn);
    }
    for (int i = 0; i < LAYERS; i++) {
        plain_layer *layer = &p->layers[i];
        if (layer->now.clip == NOTHING && layer->fade <= 0)
            continue;
        const plain_pose pose = plain_layer_pose(p, layer);
        for (int n = 0; n < NODES; n++)
            for (int part = 0; part < PARTS; part++) {
                const double weight = layer->weight * layer->mask[n];
                double *to = p->pose.part[n][part], some[4];
                static const double identity[4] = {0, 0, 0, 1};
                if (!pose.set[n][part] || weight <= 0)
                    continue;
                p->pose.set[n][part] = true;
                if (!layer->additive)
                    plain_blend(part, to, pose.part[n][part], weight, to);
                else if (part == ROTATION) {
                    plain_blend(part, identity, pose.part[n][part], weight, some);
                    quat_times(to, some, to);
                } else if (part < ROTATION)
                    to[0] += weight * pose.part[n][part][0];
                else
                    to[0] *= 1 + weight * (pose.part[n][part][0] - 1);
            }
        plain_blend_motion(p, layer, &pose);
    }
}

static void plain_event(plain_player *p, trilo_event_kind kind, uint32_t layer, int clip, uint32_t marker,
                        uint32_t rounds)
{
    CHECK(p->event_count < EVENTS);
    p->events[p->event_count++] = (trilo_event){kind, layer, (uint32_t)clip, marker, rounds};
}

/* Markers of a way that does not wrap, in the order of time along it. */
static void plain_markers(plain_player *p, uint32_t layer, int clip, double from, double to, bool with_from)
{
    for (uint32_t i = 0; i < MARKERS; i++) {
        const uint32_t number = from <= to ? i : MARKERS - 1 - i;
        const double at = p->s->markers[clip][number].seconds;
        const bool passed = from <= to ? at > from && at <= to : at < from && at >= to;
        if (passed || (with_from && at == from))
            plain_event(p, TRILO_EVENT_KIND_MARKER, layer, clip, number, 0);
    }
}

/* Events are of the playback `number`; NOTHING: none are wanted. */
static void plain_advance_play(plain_player *p, plain_play *play, int number, double seconds)
{
    play->rounds = 0;
    play->back = false;
    if (play->clip < 0 || play->paused || play->finished || seconds == 0 || play->speed == 0)
        return;
    const double duration = p->s->clips[play->clip].duration, from = play->time, to = from + seconds * play->speed;
    const bool back = to < from, first = !play->begun;
    const double end = back ? 0 : duration;
    const bool out = back ? to < 0 || (play->once && to <= 0) : to >= duration;
    uint32_t rounds = 0;
    play->back = back;
    play->begun = true;
    play->time = to;
    if (out && (play->once || duration == 0)) {
        play->time = end;
        play->finished = play->once;
    } else if (out) {
        rounds = (uint32_t)(back ? ceil(-to / duration) : floor(to / duration));
        play->time = to - floor(to / duration) * duration;
    }
    play->rounds = rounds;
    if (number == NOTHING)
        return;
    plain_markers(p, (uint32_t)number, play->clip, from, rounds ? end : play->time, first);
    if (rounds) {
        plain_event(p, TRILO_EVENT_KIND_LOOPED, (uint32_t)number, play->clip, TRILO_NONE, rounds);
        plain_markers(p, (uint32_t)number, play->clip, duration - end, play->time, true);
    }
    if (play->finished)
        plain_event(p, TRILO_EVENT_KIND_ENDED, (uint32_t)number, play->clip, TRILO_NONE, 0);
}

static void plain_advance(plain_player *p, double seconds)
{
    for (int i = 0; i < LAYERS; i++) {
        plain_layer *layer = &p->layers[i];
        if (layer->fade > 0) {
            plain_advance_play(p, &layer->old, NOTHING, seconds);
            layer->faded += fabs(seconds);
            if (layer->faded >= layer->fade) {
                layer->fade = 0;
                layer->old.clip = NOTHING;
            }
        }
        plain_advance_play(p, &layer->now, i, seconds);
    }
    plain_pose_all(p);
}

static void plain_start(plain_player *p, plain_layer *layer, int clip, const trilo_play_opts *how)
{
    const double duration = clip >= 0 ? p->s->clips[clip].duration : 0;
    if (how->fade <= 0) {
        layer->fade = 0;
        layer->old.clip = NOTHING;
    } else if (layer->fade <= 0) {
        layer->old = layer->now;
    } else if (layer->faded > 0) { /* as it is now */
        layer->frozen = layer->blended;
        layer->old = (plain_play){.clip = FROZEN};
    }
    if (how->fade > 0)
        layer->fade = how->fade, layer->faded = 0;
    layer->now = (plain_play){.clip = clip, .once = how->once, .paused = how->paused};
    layer->now.speed = how->speed == 0 ? 1 : how->speed;
    layer->now.time = how->start == 0 && how->speed < 0 ? duration : fmin(fmax(how->start, 0), duration);
}

/* ---- both ---- */

typedef struct told {
    trilo_event events[EVENTS];
    uint32_t count;
} told;

static void keep_event(void *user, trilo_player *player, const trilo_event *event)
{
    told *t = user;
    (void)player;
    CHECK(t->count < EVENTS);
    t->events[t->count++] = *event;
}

static void compare(const trilo_player *player, plain_player *p, told *t)
{
    const trilo_transform *got = trilo_player_transforms(player);
    for (uint32_t i = 0; i < LAYERS; i++) {
        const plain_play *now = &p->layers[i].now;
        CHECK_INT(trilo_player_clip(player, i), now->clip >= 0 ? (uint32_t)now->clip : TRILO_NONE);
        if (now->clip >= 0)
            CHECK_NEAR(trilo_player_time(player, i), now->time, 1e-12);
        CHECK_INT(trilo_player_finished(player, i), now->finished);
    }
    CHECK_INT(t->count, p->event_count);
    for (uint32_t i = 0; i < t->count; i++) {
        CHECK_INT(t->events[i].kind, p->events[i].kind);
        CHECK_INT(t->events[i].layer, p->events[i].layer);
        CHECK_INT(t->events[i].clip, p->events[i].clip);
        CHECK_INT(t->events[i].marker, p->events[i].marker);
        CHECK_INT(t->events[i].rounds, p->events[i].rounds);
    }
    t->count = p->event_count = 0;
    const trilo_transform motion = trilo_player_root_motion(player);
    double turned = 0;
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(motion.translation[k], p->motion.t[k], 1e-3);
        CHECK_NEAR(motion.scale[k], 1, 0);
    }
    for (int k = 0; k < 4; k++)
        turned += motion.rotation[k] * p->motion.q[k];
    CHECK_NEAR(fabs(turned), 1, 1e-5);
    for (int n = 0; n < NODES; n++) {
        bool any = false;
        double dot = 0;
        for (int part = 0; part < PARTS; part++) {
            any = any || p->pose.set[n][part];
            if (part == ROTATION)
                continue;
            CHECK_NEAR((double)(part < ROTATION ? got[n].translation[part] : got[n].scale[part - 4]),
                       p->pose.part[n][part][0], 1e-4);
        }
        for (int k = 0; k < 4; k++)
            dot += got[n].rotation[k] * p->pose.part[n][ROTATION][k];
        CHECK_NEAR(fabs(dot), 1, 1e-5);
        /* A node that nothing moves keeps its matrix; the last column of another is its translation. */
        const trilo_mat4 *local = &trilo_player_locals(player)[n];
        CHECK_NEAR(local->m[12], any ? got[n].translation[0] : 0, 0);
        CHECK_NEAR(local->m[15], any ? 1 : (double)(n + 1), 0);
    }
}

static double sixteenths(uint64_t *seed, int low, int high)
{
    return (double)(low + (int)below(seed, (uint32_t)(high - low + 1))) / 16;
}

static void random_play(trilo_player *player, plain_player *p, uint32_t number, uint64_t *seed)
{
    static const double speeds[] = {0, 0, 1, 2, -1, 0.5, -2};
    const int clip = below(seed, 6) ? (int)below(seed, CLIPS) : NOTHING;
    const trilo_play_opts how = {.once = below(seed, 3) == 0,
                                 .paused = below(seed, 8) == 0,
                                 .speed = speeds[below(seed, 7)],
                                 .start = below(seed, 2) ? 0 : sixteenths(seed, -2, 20),
                                 .fade = below(seed, 2) ? 0 : sixteenths(seed, -1, 12)};
    CHECK(trilo_player_play(player, number, clip >= 0 ? (uint32_t)clip : TRILO_NONE, &how));
    plain_start(p, &p->layers[number], clip, &how);
}

static void random_setting(trilo_player *player, plain_player *p, uint32_t number, uint64_t *seed)
{
    plain_layer *layer = &p->layers[number];
    plain_play *now = &layer->now;
    const bool flag = below(seed, 2);
    const double value = sixteenths(seed, -4, 20);
    float mask[NODES];
    switch (below(seed, 8)) {
    case 0:
        trilo_player_pause(player, number, flag);
        now->paused = flag;
        break;
    case 1:
        trilo_player_set_once(player, number, flag);
        now->once = flag;
        now->finished = now->finished && flag;
        break;
    case 2:
        trilo_player_set_speed(player, number, 2 * value);
        now->finished = now->finished && (now->speed < 0) == (value < 0);
        now->speed = 2 * value;
        break;
    case 3:
        trilo_player_seek(player, number, value);
        now->time = now->clip >= 0 ? fmin(fmax(value, 0), p->s->clips[now->clip].duration) : 0;
        now->finished = now->begun = now->root_known = false;
        break;
    case 4:
        trilo_player_set_weight(player, number, (float)value);
        layer->weight = fmin(fmax(value, 0), 1);
        break;
    case 5:
        for (int n = 0; n < NODES; n++) {
            mask[n] = (float)sixteenths(seed, -4, 20);
            layer->mask[n] = flag ? fmin(fmax((double)mask[n], 0), 1) : 1;
        }
        CHECK(trilo_player_set_mask(player, number, flag ? mask : NULL));
        break;
    case 6: {
        const uint32_t branch = below(seed, NODES);
        const double other = sixteenths(seed, -4, 20);
        CHECK(trilo_player_mask_branch(player, number, branch, (float)value, (float)other));
        for (uint32_t n = 0; n < NODES; n++) {
            uint32_t up = n;
            while (up != branch && up != TRILO_NONE)
                up = p->s->nodes[up].parent;
            layer->mask[n] = fmin(fmax(up == branch ? value : other, 0), 1);
        }
        break;
    }
    default:
        trilo_player_set_additive(player, number, flag);
        if (layer->additive != flag) {
            layer->additive = flag;
            layer->fade = 0;
            layer->old.clip = NOTHING;
        }
    }
}

static void play_randomly(uint64_t seed, uint32_t root_motion)
{
    static scene s;
    static plain_player p;
    static told t;
    fill_scene(&s, &seed);
    memset(&p, 0, sizeof p);
    t.count = 0;
    p.s = &s;
    p.wanted = root_motion;
    p.root_node = below(&seed, NODES);
    for (int i = 0; i < LAYERS; i++) {
        p.layers[i].now.clip = p.layers[i].old.clip = NOTHING;
        p.layers[i].weight = 1;
        for (int n = 0; n < NODES; n++)
            p.layers[i].mask[n] = 1;
    }
    const trilo_player_opts opts = {.layer_count = LAYERS,
                                    .sampling = TRILO_SAMPLING_SMOOTH,
                                    .root_motion = root_motion,
                                    .root_node = p.root_node,
                                    .on_event = keep_event,
                                    .on_event_user = &t};
    trilo_player *player = trilo_player_new(&s.model, &opts, NULL);
    CHECK(player != NULL);
    for (uint32_t c = 0; c < CLIPS; c++)
        trilo_player_set_markers(player, c, s.markers[c], MARKERS);
    plain_pose_all(&p);
    for (int step = 0; step < 40; step++) {
        const uint32_t layer = below(&seed, LAYERS);
        if (below(&seed, 3) == 0)
            random_play(player, &p, layer, &seed);
        else if (below(&seed, 2))
            random_setting(player, &p, layer, &seed);
        const double seconds = below(&seed, 8) ? sixteenths(&seed, 0, 6) : sixteenths(&seed, -40, 80);
        trilo_player_advance(player, seconds);
        plain_advance(&p, seconds);
        compare(player, &p, &t);
    }
    trilo_player_free(player);
}

TEST(random_calls)
{
    for (uint64_t seed = 1; seed <= test_rounds(2000, TEST_SLOW ? 12 : 120); seed++)
        play_randomly(seed, 0);
}

TEST(random_calls_with_root_motion)
{
    for (uint64_t seed = 1; seed <= test_rounds(2000, TEST_SLOW ? 15 : 150); seed++)
        play_randomly(seed, 1 + (uint32_t)seed % 15);
}

TEST(how_many_layers)
{
    static scene s;
    uint64_t seed = 1;
    fill_scene(&s, &seed);
    for (uint32_t count = 0; count < 66; count += count == 1 ? 62 : 1) { /* 0, 1, 63, 64, 65 */
        trilo_error err = {0};
        const uint32_t there = count > 0 ? count : 4;
        trilo_player *player = trilo_player_new(&s.model, &(trilo_player_opts){.layer_count = count}, &err);
        CHECK_INT(player != NULL, count <= 64);
        if (!player) {
            CHECK_INT(err.code, TRILO_CODE_MISUSE);
            CHECK_STR(err.text, "a player has at most 64 layers");
            continue;
        }
        CHECK(trilo_player_play(player, there - 1, 0, NULL));
        CHECK(!trilo_player_play(player, there, 0, NULL));
        trilo_player_free(player);
    }
}

TEST_MAIN(CASE(random_calls), CASE(random_calls_with_root_motion), CASE(how_many_layers))

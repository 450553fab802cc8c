/* The motion of the root, taken out of the pose.
 *
 * The way that a clip has gone since its first keys is a frame: a turn about y and a shift, of which only what is asked
 * for counts. The pose keeps what is left when that frame is undone. A step goes from one frame to another, over whole
 * rounds of the clip when it began again in between. */
#include "anim/player.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

typedef struct frame {
    trilo_quat turn;
    float shift[3];
} frame;

static const frame still = {{0, 0, 0, 1}, {0, 0, 0}};

static trilo_quat back(trilo_quat q)
{
    return (trilo_quat){-q.x, -q.y, -q.z, q.w};
}

static void turned(trilo_quat turn, const float v[3], float out[3])
{
    const trilo_quat q = tl_quat_mul(tl_quat_mul(turn, (trilo_quat){v[0], v[1], v[2], 0}), back(turn));
    out[0] = q.x, out[1] = q.y, out[2] = q.z;
}

/* First b, then a. */
static frame compose(frame a, frame b)
{
    frame c = {.turn = tl_quat_normalize(tl_quat_mul(a.turn, b.turn))};
    turned(a.turn, b.shift, c.shift);
    for (int i = 0; i < 3; i++)
        c.shift[i] += a.shift[i];
    return c;
}

static frame inverse(frame a)
{
    frame b = {.turn = back(a.turn)};
    turned(b.turn, a.shift, b.shift);
    for (int i = 0; i < 3; i++)
        b.shift[i] = -b.shift[i];
    return b;
}

/* The same one again and again: its square serves for two. */
static frame repeated(frame a, uint32_t times)
{
    frame all = still;
    for (; times > 0; times /= 2, a = compose(a, a))
        if (times % 2 == 1)
            all = compose(all, a);
    return all;
}

static trilo_quat rotation_of(const trilo_transform *parts)
{
    return (trilo_quat){parts->rotation[0], parts->rotation[1], parts->rotation[2], parts->rotation[3]};
}

static frame frame_of(const trilo_player *player, const trilo_transform *first, const trilo_transform *parts)
{
    const uint32_t wanted = player->opts.root_motion;
    frame f = still;
    if (wanted & TRILO_ROOT_YAW) {
        const trilo_quat whole = tl_quat_mul(rotation_of(parts), back(rotation_of(first)));
        f.turn = tl_quat_normalize((trilo_quat){0, whole.y, 0, whole.w});
    }
    float start[3];
    turned(f.turn, first->translation, start);
    for (int i = 0; i < 3; i++)
        f.shift[i] = wanted >> i & 1 ? parts->translation[i] - start[i] : 0;
    return f;
}

static void undo(frame f, trilo_transform *parts)
{
    const trilo_quat left = tl_quat_normalize(tl_quat_mul(back(f.turn), rotation_of(parts)));
    float shifted[3];
    for (int i = 0; i < 3; i++)
        shifted[i] = parts->translation[i] - f.shift[i];
    turned(back(f.turn), shifted, parts->translation);
    parts->rotation[0] = left.x, parts->rotation[1] = left.y, parts->rotation[2] = left.z, parts->rotation[3] = left.w;
}

void tl_root_before(const trilo_player *player, tl_playback *voice)
{
    const uint32_t node = player->opts.root_node;
    if (voice->step.rounds == 0)
        return;
    voice->root_end = player->rest[node];
    tl_playback_node(player, voice, node, voice->clock.duration, &voice->root_end);
}

static bool is_finite(const trilo_transform *p)
{
    bool finite = true;
    for (int i = 0; i < 3; i++)
        finite = finite && isfinite(p->translation[i]) && isfinite(p->rotation[i]);
    return finite && isfinite(p->rotation[3]);
}

/* From the frame of the last moment to that of this one. */
static frame step_of(const trilo_player *player, const tl_playback *voice, const trilo_transform *first, frame now)
{
    if (!voice->root_known)
        return still;
    const frame was = frame_of(player, first, &voice->root);
    frame round = voice->step.rounds > 0 ? frame_of(player, first, &voice->root_end) : still;
    if (voice->step.backwards)
        round = inverse(round);
    return compose(compose(inverse(was), repeated(round, voice->step.rounds)), now);
}

/* Numbers so huge that they overflow on the way stay where they are. */
void tl_root_take(const trilo_player *player, tl_playback *voice, trilo_transform *root)
{
    trilo_transform first = player->rest[player->opts.root_node], left = *root, motion = tl_transform_identity();
    tl_playback_first(player, voice, player->opts.root_node, &first);
    const frame now = frame_of(player, &first, root), step = step_of(player, voice, &first, now);
    memcpy(motion.translation, step.shift, sizeof step.shift);
    motion.rotation[1] = step.turn.y, motion.rotation[3] = step.turn.w;
    if (player->opts.root_motion & TRILO_ROOT_YAW)
        undo(now, &left);
    else
        for (int i = 0; i < 3; i++)
            left.translation[i] -= now.shift[i];
    voice->root = *root;
    voice->root_known = true;
    voice->step.rounds = 0; /* told: another pose without a step has none */
    voice->motion = is_finite(&motion) ? motion : tl_transform_identity();
    *root = is_finite(&left) ? left : *root;
}

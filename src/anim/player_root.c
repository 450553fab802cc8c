/* Root motion, extracted from the pose.
 *
 * What the root did since the first keys of its clip is a rigid motion: a rotation about y and a translation, of which
 * only the requested components count. The pose keeps what is left when that motion is undone. A step goes from one
 * such motion to another, over whole rounds of the clip when it looped in between. */
#include "anim/player.h"
#include "base/strict_float.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

typedef struct root_frame {
    trilo_quat rotation;
    float translation[3];
} root_frame;

static const root_frame NO_MOTION = {{0, 0, 0, 1}, {0, 0, 0}};

static void rotate_vector(trilo_quat rotation, const float v[3], float out[3])
{
    const trilo_quat q =
        tl_quat_mul(tl_quat_mul(rotation, (trilo_quat){v[0], v[1], v[2], 0}), tl_quat_conjugate(rotation));
    out[0] = q.x, out[1] = q.y, out[2] = q.z;
}

/* First b, then a. */
static root_frame compose_frames(root_frame a, root_frame b)
{
    root_frame c = {.rotation = tl_quat_normalize(tl_quat_mul(a.rotation, b.rotation))};
    rotate_vector(a.rotation, b.translation, c.translation);
    for (int i = 0; i < 3; i++)
        c.translation[i] += a.translation[i];
    return c;
}

static root_frame invert_frame(root_frame a)
{
    root_frame b = {.rotation = tl_quat_conjugate(a.rotation)};
    rotate_vector(b.rotation, a.translation, b.translation);
    for (int i = 0; i < 3; i++)
        b.translation[i] = -b.translation[i];
    return b;
}

static trilo_quat rotation_quat(const trilo_transform *transform)
{
    return (trilo_quat){transform->rotation[0], transform->rotation[1], transform->rotation[2], transform->rotation[3]};
}

static root_frame motion_since_start(const trilo_player *player, const trilo_transform *first,
                                     const trilo_transform *transform)
{
    const uint32_t wanted = player->opts.root_motion;
    root_frame f = NO_MOTION;
    if (wanted & TRILO_ROOT_YAW) {
        const trilo_quat whole = tl_quat_mul(rotation_quat(transform), tl_quat_conjugate(rotation_quat(first)));
        f.rotation = tl_quat_normalize((trilo_quat){0, whole.y, 0, whole.w});
    }
    float start[3];
    rotate_vector(f.rotation, first->translation, start);
    for (int i = 0; i < 3; i++)
        f.translation[i] = wanted >> i & 1 ? transform->translation[i] - start[i] : 0;
    return f;
}

static void remove_motion(root_frame f, trilo_transform *transform)
{
    const trilo_quat left = tl_quat_normalize(tl_quat_mul(tl_quat_conjugate(f.rotation), rotation_quat(transform)));
    float shifted[3];
    for (int i = 0; i < 3; i++)
        shifted[i] = transform->translation[i] - f.translation[i];
    rotate_vector(tl_quat_conjugate(f.rotation), shifted, transform->translation);
    transform->rotation[0] = left.x, transform->rotation[1] = left.y, transform->rotation[2] = left.z,
    transform->rotation[3] = left.w;
}

void tl_root_motion_before(const trilo_player *player, tl_playback *playback)
{
    const uint32_t node = player->opts.root_node;
    if (playback->step.rounds == 0)
        return;
    playback->root_end = player->rest[node];
    tl_playback_node(player, playback, node, playback->clock.duration, &playback->root_end);
}

static bool transform_is_finite(const trilo_transform *p)
{
    bool finite = true;
    for (int i = 0; i < 3; i++)
        finite = finite && isfinite(p->translation[i]) && isfinite(p->rotation[i]);
    return finite && isfinite(p->rotation[3]);
}

/* From the last pose to this one. */
static root_frame motion_of_step(const trilo_player *player, const tl_playback *playback, const trilo_transform *first,
                                 root_frame now)
{
    if (!playback->root_known)
        return NO_MOTION;
    const root_frame was = motion_since_start(player, first, &playback->root);
    root_frame round = playback->step.rounds > 0 ? motion_since_start(player, first, &playback->root_end) : NO_MOTION;
    if (playback->step.backwards)
        round = invert_frame(round);
    /* Exponentiation by squaring. */
    root_frame a = round;
    uint32_t times = playback->step.rounds;
    root_frame all = NO_MOTION;
    for (; times > 0; times /= 2, a = compose_frames(a, a))
        if (times % 2 == 1)
            all = compose_frames(all, a);
    return compose_frames(compose_frames(invert_frame(was), all), now);
}

/* Values that overflow single precision leave the pose as it is. */
void tl_root_motion_extract(const trilo_player *player, tl_playback *playback, trilo_transform *root)
{
    trilo_transform first = player->rest[player->opts.root_node], left = *root, motion = tl_transform_identity();
    tl_playback_first(player, playback, player->opts.root_node, &first);
    const root_frame now = motion_since_start(player, &first, root),
                     step = motion_of_step(player, playback, &first, now);
    memcpy(motion.translation, step.translation, sizeof step.translation);
    motion.rotation[1] = step.rotation.y, motion.rotation[3] = step.rotation.w;
    if (player->opts.root_motion & TRILO_ROOT_YAW)
        remove_motion(now, &left);
    else
        for (int i = 0; i < 3; i++)
            left.translation[i] -= now.translation[i];
    playback->root = *root;
    playback->root_known = true;
    playback->step.rounds = 0; /* reported: another pose without a step has none */
    playback->motion = transform_is_finite(&motion) ? motion : tl_transform_identity();
    *root = transform_is_finite(&left) ? left : *root;
}

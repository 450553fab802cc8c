#include "clip_off.h"

#include <trilobite/pose.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pose {
    double t[3], r[4], s[3];
} pose;

/* A matrix of 3 rows with 4 numbers. */
typedef struct affine {
    double m[3][4];
} affine;

/* ---- sampling ---- */

static uint32_t key_before(const trilo_channel *c, double seconds)
{
    uint32_t key = 0;
    while (key + 2 < c->key_count && c->times[key + 1] <= seconds)
        key++;
    return key;
}

/* With `console`, rotations are interpolated by nlerp, as Tiny3D does. */
static void sample(const trilo_channel *c, bool console, double seconds, double out[4])
{
    const uint32_t width = trilo_target_width(c->target), key = key_before(c, seconds);
    float v[4];
    trilo_channel_sample(c, seconds, v);
    for (uint32_t i = 0; i < width; i++)
        out[i] = v[i];
    if (!console || c->target != TRILO_TARGET_ROTATION || c->key_count < 2)
        return;
    const float *a = c->values + 4 * (size_t)key, *b = a + 4;
    const double amount = fmin(1, fmax(0, (seconds - c->times[key]) / (c->times[key + 1] - c->times[key])));
    const double dot = (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2] + (double)a[3] * b[3];
    double length = 0;
    for (int i = 0; i < 4; i++) {
        out[i] = a[i] * (1 - amount) * (dot < 0 ? -1 : 1) + b[i] * amount;
        length += out[i] * out[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] /= sqrt(length);
}

static void pose_all(const trilo_model *model, uint32_t clip, double seconds, bool console, double scale, pose *out)
{
    for (uint32_t i = 0; i < model->node_count; i++) {
        const trilo_node *n = &model->nodes[i];
        out[i] = (pose){{n->translation.x, n->translation.y, n->translation.z},
                        {n->rotation.x, n->rotation.y, n->rotation.z, n->rotation.w},
                        {n->scale.x, n->scale.y, n->scale.z}};
    }
    for (uint32_t i = 0; i < model->clips[clip].channel_count; i++) {
        const trilo_channel *c = &model->clips[clip].channels[i];
        pose *p = &out[c->node];
        double *const places[] = {p->t, p->r, p->s, p->t, p->t + 1, p->t + 2, p->s, p->s + 1, p->s + 2}, v[4];
        sample(c, console, seconds, v);
        memcpy(places[c->target], v, trilo_target_width(c->target) * sizeof *v);
    }
    for (uint32_t i = 0; i < model->node_count; i++)
        for (int k = 0; k < 3; k++)
            out[i].t[k] *= scale;
}

/* ---- matrices ---- */

static affine local_of(const pose *p)
{
    const double x = p->r[0], y = p->r[1], z = p->r[2], w = p->r[3], n = 2 / (x * x + y * y + z * z + w * w);
    const double r[3][3] = {{1 - n * (y * y + z * z), n * (x * y - z * w), n * (x * z + y * w)},
                            {n * (x * y + z * w), 1 - n * (x * x + z * z), n * (y * z - x * w)},
                            {n * (x * z - y * w), n * (y * z + x * w), 1 - n * (x * x + y * y)}};
    affine a;
    for (int row = 0; row < 3; row++) {
        for (int k = 0; k < 3; k++)
            a.m[row][k] = r[row][k] * p->s[k];
        a.m[row][3] = p->t[row];
    }
    return a;
}

static affine times(const affine *a, const affine *b)
{
    affine c;
    for (int row = 0; row < 3; row++)
        for (int k = 0; k < 4; k++)
            c.m[row][k] = a->m[row][0] * b->m[0][k] + a->m[row][1] * b->m[1][k] + a->m[row][2] * b->m[2][k] +
                          (k == 3 ? a->m[row][3] : 0);
    return c;
}

static affine of_mat4(const trilo_mat4 *from)
{
    affine a;
    for (int row = 0; row < 3; row++)
        for (int k = 0; k < 4; k++)
            a.m[row][k] = from->m[4 * k + row];
    return a;
}

/* ---- vertices ---- */

static double distance(const affine *a, const affine *b, const float p[3])
{
    double sum = 0;
    for (int row = 0; row < 3; row++) {
        const double off = (a->m[row][0] - b->m[row][0]) * p[0] + (a->m[row][1] - b->m[row][1]) * p[1] +
                           (a->m[row][2] - b->m[row][2]) * p[2] + a->m[row][3] - b->m[row][3];
        sum += off * off;
    }
    return sqrt(sum);
}

static double mesh_off(const trilo_model *m, const trilo_mesh *mesh, const affine *a, const affine *b)
{
    double most = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const bool skinned = mesh->skin != TRILO_NONE && mesh->weights && mesh->weights[v][0] > 0;
        const trilo_joint *joint = skinned ? &m->skins[mesh->skin].joints[mesh->joints[v][0]] : NULL;
        const uint32_t node = joint ? joint->node : mesh->node;
        if (node == TRILO_NONE)
            continue;
        affine from = a[node], to = b[node];
        if (joint) {
            const affine bind = of_mat4(&joint->inverse_bind);
            from = times(&from, &bind);
            to = times(&to, &bind);
        }
        most = fmax(most, distance(&from, &to, mesh->positions[v]));
    }
    return most;
}

/* ---- all of it ---- */

typedef struct work {
    const trilo_model *source, *file;
    uint32_t *twin; /* node of the source for each bone */
    pose *theirs, *ours;
    affine *a, *b;
} work;

/* How likely a node is a bone. A mesh may have the name of the bone that it was modelled for. */
enum { NODE_OF_MESH, NODE_PLAIN, NODE_JOINT, NODE_KINDS };

static int node_kind(const trilo_model *m, uint32_t node)
{
    for (uint32_t i = 0; i < m->skin_count; i++)
        for (uint32_t k = 0; k < m->skins[i].joint_count; k++)
            if (m->skins[i].joints[k].node == node)
                return NODE_JOINT;
    for (uint32_t i = 0; i < m->mesh_count; i++)
        if (m->meshes[i].node == node)
            return NODE_OF_MESH;
    return NODE_PLAIN;
}

/* The first node of that name and of the likeliest kind. */
static uint32_t find_bone(const trilo_model *m, const char *name)
{
    uint32_t found[NODE_KINDS] = {TRILO_NONE, TRILO_NONE, TRILO_NONE};
    for (uint32_t i = m->node_count; i-- > 0;)
        if (strcmp(m->nodes[i].name.data, name) == 0)
            found[node_kind(m, i)] = i;
    return found[NODE_JOINT] != TRILO_NONE   ? found[NODE_JOINT]
           : found[NODE_PLAIN] != TRILO_NONE ? found[NODE_PLAIN]
                                             : found[NODE_OF_MESH];
}

static bool find_twins(work *w)
{
    for (uint32_t i = 0; i < w->file->node_count; i++) {
        w->twin[i] = find_bone(w->source, w->file->nodes[i].name.data);
        if (w->twin[i] == TRILO_NONE)
            return false;
    }
    return true;
}

/* `start`: the time in the source at which the clip of the file starts. */
static double off_at(work *w, uint32_t source_clip, uint32_t clip, double seconds, double start, double scale)
{
    double most = 0;
    pose_all(w->source, source_clip, seconds + start, false, scale, w->theirs);
    pose_all(w->file, clip, seconds, true, 1, w->ours);
    for (uint32_t i = 0; i < w->file->node_count; i++) {
        const uint32_t parent = w->file->nodes[i].parent;
        w->a[i] = local_of(&w->theirs[w->twin[i]]);
        w->b[i] = local_of(&w->ours[i]);
        if (parent != TRILO_NONE) {
            w->a[i] = times(&w->a[parent], &w->a[i]);
            w->b[i] = times(&w->b[parent], &w->b[i]);
        }
    }
    for (uint32_t i = 0; i < w->file->mesh_count; i++)
        most = fmax(most, mesh_off(w->file, &w->file->meshes[i], w->a, w->b));
    return most;
}

uint32_t bench_clip_named(const trilo_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (strcmp(model->clips[i].name.data, name) == 0)
            return i;
    return TRILO_NONE;
}

static double first_key(const trilo_clip *clip)
{
    double first = INFINITY;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        first = fmin(first, clip->channels[i].key_count > 0 ? clip->channels[i].times[0] : INFINITY);
    return isfinite(first) ? first : 0;
}

static double most_off(work *w, uint32_t source_clip, uint32_t clip, double start, double scale)
{
    double most = 0;
    for (uint32_t tick = 0; tick <= w->file->clips[clip].duration * 60 + 0.01; tick++)
        most = fmax(most, off_at(w, source_clip, clip, tick / 60.0, start, scale));
    return most;
}

double bench_clip_off(const trilo_model *source, const trilo_model *file, uint32_t clip, double scale)
{
    work w = {.source = source, .file = file};
    w.twin = calloc(file->node_count + 1, sizeof *w.twin);
    w.theirs = calloc(source->node_count + 1, sizeof *w.theirs);
    w.ours = calloc(file->node_count + 1, sizeof *w.ours);
    w.a = calloc(file->node_count + 1, sizeof *w.a);
    w.b = calloc(file->node_count + 1, sizeof *w.b);
    const uint32_t from = bench_clip_named(source, file->clips[clip].name.data);
    double most = -1;
    if (w.twin && w.theirs && w.ours && w.a && w.b && from != TRILO_NONE && find_twins(&w)) {
        const double start = first_key(&source->clips[from]);
        most = most_off(&w, from, clip, 0, scale);
        most = start > 0 ? fmin(most, most_off(&w, from, clip, start, scale)) : most;
    }
    free(w.twin);
    free(w.theirs);
    free(w.ours);
    free(w.a);
    free(w.b);
    return most;
}

double bench_clip_bytes(const trilo_clip *clip)
{
    enum { TURN = 8, NUMBER = 6, MAPPING = 12 };
    double bytes = 0;
    bool turns = false;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const bool turn = clip->channels[i].target == TRILO_TARGET_ROTATION;
        bytes += (double)clip->channels[i].key_count * (turn ? TURN : NUMBER) + MAPPING;
        turns = turns || turn;
    }
    return bytes + (turns ? 0 : TURN - NUMBER); /* the first key is a long one */
}

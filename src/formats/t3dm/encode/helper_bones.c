/* Helper bones. Where two bones rotate against each other, a vertex weighted half to each is equally wrong with either.
 * A bone with half the rotation puts it where the blended skin does. Artists add such half joints by hand; here all
 * pairs of bones that share vertices are tried, as in Mohr and Gleicher, "Building Efficient, Accurate Character Skins
 * from Examples", 2003. The best helper is taken first: the one that leaves the least sum of squares over all vertices,
 * then the best of the others together with it, as long as one is worth a bone. */
#include "formats/t3dm/encode/helper_bones.h"
#include "base/strict_float.h"

#include "base/sort.h"
#include "base/vec.h"
#include "formats/t3dm/encode/skin_motion.h"
#include "model/skin.h"
#include <math.h>
#include <string.h>

enum { HELPERS_TRIED = 512 };                /* far more than any model has pairs of bones that bend */
static const double HELPER_GAIN_LEAST = 0.1; /* of the sum of squares of the vertices between its bones */
static const double HELPER_GAIN_LAST = 0.02; /* of what the first one saves; with less it is not worth a bone */

/* Two joints that share vertices. */
typedef struct helper_pair {
    uint32_t a, b; /* their nodes, a < b */
    uint32_t skin, joint_a, joint_b;
    double shared; /* sum of the smaller weights */
} helper_pair;

/* A helper tried with a vertex. */
typedef struct helper_trial {
    uint32_t helper, vertex;
    double squares;
} helper_trial;

typedef struct helper_search {
    t3dm_encoder *e;
    skin_motion *motions; /* of the skins */
    t3dm_helpers tried;
    skin_motion motion;    /* of the helpers: matrices of their space */
    uint32_t vertex_count; /* of those that follow several joints */
    double *left;          /* of each of these: sum of squares with the best bone so far */
    helper_trial *trials;
    size_t trial_count;
} helper_search;

static int64_t pair_key(uint32_t a, uint32_t b)
{
    return (int64_t)((uint64_t)a << 32 | b);
}

uint32_t tl_t3dm_find_helper(const t3dm_helpers *helpers, uint32_t node, uint32_t other)
{
    const int64_t wanted = node < other ? pair_key(node, other) : pair_key(other, node);
    uint32_t low = 0, high = helpers->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (pair_key(helpers->helpers[middle].a, helpers->helpers[middle].b) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < helpers->count && pair_key(helpers->helpers[low].a, helpers->helpers[low].b) == wanted;
    return found ? low : TRILO_NONE;
}

void tl_t3dm_halfway(const trilo_mat4 *from, const trilo_mat4 *to, trilo_vec3 *translation, trilo_quat *rotation,
                     trilo_vec3 *scale)
{
    trilo_vec3 translations[2], scales[2];
    trilo_quat rotations[2];
    tl_mat4_decompose(from, &translations[0], &rotations[0], &scales[0]);
    tl_mat4_decompose(to, &translations[1], &rotations[1], &scales[1]);
    *translation = tl_vec3_lerp(translations[0], translations[1], 0.5);
    *rotation = tl_quat_slerp(rotations[0], rotations[1], 0.5);
    *scale = tl_vec3_lerp(scales[0], scales[1], 0.5);
}

/* --- pairs --- */

static int64_t key_of_pair(const void *rows, uint32_t row)
{
    const helper_pair *pair = (const helper_pair *)rows + row;
    return pair_key(pair->a, pair->b);
}

/* The most shared comes first. The bits of doubles that are not negative have their order. */
static int64_t key_of_share(const void *rows, uint32_t row)
{
    int64_t bits;
    memcpy(&bits, &((const helper_pair *)rows)[row].shared, sizeof bits);
    return -bits;
}

/* The two strongest joints of a vertex. */
static helper_pair strongest_pair(const trilo_skin *skin, uint32_t number, const uint16_t joints[4],
                                  const float weights[4])
{
    const int first = tl_strongest_influence(weights);
    float others[4];
    memcpy(others, weights, sizeof others);
    others[first] = 0;
    const int second = tl_strongest_influence(others);
    const uint32_t node = skin->joints[joints[first]].node, other = skin->joints[joints[second]].node;
    const bool swap = other < node;
    return (helper_pair){.a = swap ? other : node,
                         .b = swap ? node : other,
                         .skin = number,
                         .joint_a = joints[swap ? second : first],
                         .joint_b = joints[swap ? first : second],
                         .shared = weights[second]};
}

/* All pairs, each once, with the sums of what they share. The skin is that of the first vertex. */
static bool list_pairs(helper_search *s, helper_pair **out, uint32_t *count)
{
    const trilo_model *model = s->e->model;
    helper_pair *all = tl_array_raw(s->e->arena, s->vertex_count, sizeof *all);
    helper_pair *pairs = tl_array_raw(s->e->arena, s->vertex_count, sizeof *pairs);
    uint32_t *order = tl_array_raw(s->e->arena, s->vertex_count, sizeof *order), rows = 0;
    if (!all || !pairs || !order)
        return false;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        for (uint32_t v = 0; tl_skin_moves(mesh) && v < mesh->vertex_count; v++)
            if (tl_skin_blends(mesh->weights[v]))
                all[rows++] = strongest_pair(&model->skins[mesh->skin], mesh->skin, mesh->joints[v], mesh->weights[v]);
    }
    tl_sort_rows(order, rows, key_of_pair, all);
    *count = 0;
    for (uint32_t i = 0; i < rows; i++) {
        const helper_pair *pair = &all[order[i]];
        helper_pair *last = *count > 0 ? &pairs[*count - 1] : NULL;
        if (pair->a == pair->b)
            continue;
        if (last && last->a == pair->a && last->b == pair->b)
            last->shared += pair->shared;
        else
            pairs[(*count)++] = *pair;
    }
    *out = pairs;
    return true;
}

/* False: the nodes are too far apart, or the skin binds one of them to nothing. */
static bool make_helper(const trilo_model *model, const helper_pair *pair, t3dm_helper *out)
{
    const trilo_joint *joints = model->skins[pair->skin].joints;
    uint32_t a = pair->a, b = pair->b;
    trilo_mat4 bind;
    *out = (t3dm_helper){.a = a, .b = b};
    while (a != b) { /* parents come first: the later one of two nodes is not above the other */
        const bool climb_b = b != TRILO_NONE && (a == TRILO_NONE || b > a);
        if (out->count_a + out->count_b == T3DM_HELPER_PATH)
            return false;
        if (climb_b)
            out->path_b[out->count_b++] = b;
        else
            out->path_a[out->count_a++] = a;
        uint32_t *climber = climb_b ? &b : &a;
        *climber = model->nodes[*climber].parent;
    }
    out->parent = a;
    if (!tl_mat4_inverse_affine(&joints[pair->joint_b].inverse_bind, &bind))
        return false;
    out->b_in_a = tl_mat4_mul(&joints[pair->joint_a].inverse_bind, &bind);
    return true;
}

/* --- motion --- */

/* A skinning matrix times a bind matrix. */
static trilo_mat4 world_of(const skin_matrix *m, const trilo_mat4 *bind)
{
    trilo_mat4 skinning = tl_mat4_identity();
    for (int i = 0; i < 12; i++)
        skinning.m[i / 3 * 4 + i % 3] = (float)m->m[i];
    return tl_mat4_mul(&skinning, bind);
}

/* The helper at each sample, as seen from the joints of one skin: halfway in space is halfway below any parent. */
static void sample_helper(helper_search *s, const helper_pair *pair, uint32_t number)
{
    const skin_motion *from = &s->motions[pair->skin];
    trilo_mat4 bind = tl_mat4_identity();
    tl_mat4_inverse_affine(&s->e->model->skins[pair->skin].joints[pair->joint_b].inverse_bind, &bind);
    for (uint32_t i = 0; i < from->sample_count; i++) {
        const skin_matrix *joints = from->matrices + (size_t)i * from->joint_count;
        const trilo_mat4 fixed = world_of(&joints[pair->joint_a], &bind);
        const trilo_mat4 moving = world_of(&joints[pair->joint_b], &bind);
        trilo_vec3 translation, scale;
        trilo_quat rotation;
        tl_t3dm_halfway(&fixed, &moving, &translation, &rotation, &scale);
        const trilo_mat4 world = tl_mat4_from_trs(translation, rotation, scale);
        for (int k = 0; k < 12; k++)
            s->motion.matrices[(size_t)i * s->tried.count + number].m[k] = world.m[k / 3 * 4 + k % 3];
    }
}

/* The pairs that share most. */
static bool make_candidates(helper_search *s)
{
    helper_pair *pairs;
    uint32_t count, tried = 0;
    if (!list_pairs(s, &pairs, &count))
        return false;
    uint32_t *order = tl_array_raw(s->e->arena, count, sizeof *order);
    helper_pair *chosen = tl_array_raw(s->e->arena, HELPERS_TRIED, sizeof *chosen);
    s->tried.helpers = tl_array_raw(s->e->arena, HELPERS_TRIED, sizeof *s->tried.helpers);
    if (!order || !chosen || !s->tried.helpers)
        return false;
    tl_sort_rows(order, count, key_of_share, pairs);
    for (uint32_t i = 0; i < count && tried < HELPERS_TRIED; i++)
        if (make_helper(s->e->model, &pairs[order[i]], &s->tried.helpers[0]))
            chosen[tried++] = pairs[order[i]];
    uint32_t by_nodes[HELPERS_TRIED];
    tl_sort_rows(by_nodes, tried, key_of_pair, chosen);
    s->tried.count = tried;
    if (tried == 0)
        return true;
    if (!tl_skin_motion_like(s->e->arena, &s->motions[chosen[0].skin], tried, &s->motion))
        return false;
    for (uint32_t i = 0; i < tried; i++) {
        make_helper(s->e->model, &chosen[by_nodes[i]], &s->tried.helpers[i]);
        sample_helper(s, &chosen[by_nodes[i]], i);
    }
    tl_skin_motion_finish(&s->motion);
    return true;
}

/* --- selection --- */

/* The errors of a vertex with its own joints, and with each helper between two of them. */
static void try_vertex(helper_search *s, const trilo_mesh *mesh, uint32_t vertex, uint32_t number)
{
    const trilo_joint *all = s->e->model->skins[mesh->skin].joints;
    skin_motion *motion = &s->motions[mesh->skin];
    const uint16_t *joints = mesh->joints[vertex];
    const float *weights = mesh->weights[vertex], *p = mesh->positions[vertex];
    const double at[3] = {p[0], p[1], p[2]};
    double most = 0, fitted[3];
    tl_skin_motion_blend(motion, joints, weights, at);
    s->left[number] = tl_skin_motion_measure(motion, joints[tl_strongest_influence(weights)], at, &most);
    for (int i = 0; i < 4; i++) {
        if (!(weights[i] > 0))
            continue;
        s->left[number] = fmin(s->left[number], tl_skin_motion_fit(motion, joints[i], fitted));
        for (int k = 0; k < i; k++) {
            const uint32_t helper = tl_t3dm_find_helper(&s->tried, all[joints[i]].node, all[joints[k]].node);
            if (weights[k] > 0 && helper != TRILO_NONE)
                s->trials[s->trial_count++] =
                    (helper_trial){helper, number, tl_skin_motion_fit(&s->motion, helper, fitted)};
        }
    }
}

static bool try_vertices(helper_search *s)
{
    const trilo_model *model = s->e->model;
    uint32_t number = 0;
    s->trials = tl_array_raw(s->e->arena, 6 * (size_t)s->vertex_count, sizeof *s->trials); /* pairs of four */
    s->left = tl_array_raw(s->e->arena, s->vertex_count, sizeof *s->left);
    if (!s->trials || !s->left)
        return false;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t v = 0; tl_skin_moves(&model->meshes[i]) && v < model->meshes[i].vertex_count; v++)
            if (tl_skin_blends(model->meshes[i].weights[v]))
                try_vertex(s, &model->meshes[i], v, number++);
    return true;
}

/* What a helper would save now, and the sum of squares of the vertices that it was tried with. */
typedef struct helper_gain {
    double saved, of;
} helper_gain;

/* Marks the best helpers, one after the other. */
static bool take_best(helper_search *s, uint32_t most, bool *taken)
{
    const uint32_t count = s->tried.count;
    helper_gain *gains = tl_array_raw(s->e->arena, count, sizeof *gains);
    double largest = 0; /* that the first one saved */
    for (uint32_t round = 0; gains && round < most && round < count; round++) {
        memset(gains, 0, count * sizeof *gains);
        for (size_t i = 0; i < s->trial_count; i++) {
            const double left = s->left[s->trials[i].vertex];
            gains[s->trials[i].helper].saved += fmax(0, left - s->trials[i].squares);
            gains[s->trials[i].helper].of += left;
        }
        uint32_t best = TRILO_NONE;
        for (uint32_t i = 0; i < count; i++)
            if (gains[i].saved > gains[i].of * HELPER_GAIN_LEAST &&
                (best == TRILO_NONE || gains[i].saved > gains[best].saved))
                best = i;
        if (best == TRILO_NONE || !(gains[best].saved > largest * HELPER_GAIN_LAST))
            break;
        for (size_t i = 0; i < s->trial_count; i++)
            if (s->trials[i].helper == best)
                s->left[s->trials[i].vertex] = fmin(s->left[s->trials[i].vertex], s->trials[i].squares);
        taken[best] = true;
        largest = round == 0 ? gains[best].saved : largest;
    }
    return gains != NULL;
}

bool tl_t3dm_choose_helpers(t3dm_encoder *e, uint32_t most, t3dm_helpers *helpers)
{
    helper_search s = {.e = e, .motions = tl_skin_motions_new(e->arena, e->model)};
    bool taken[HELPERS_TRIED] = {false};
    uint64_t vertices = 0;
    for (uint32_t i = 0; i < e->model->mesh_count; i++)
        for (uint32_t v = 0; tl_skin_moves(&e->model->meshes[i]) && v < e->model->meshes[i].vertex_count; v++)
            vertices += tl_skin_blends(e->model->meshes[i].weights[v]) ? 1 : 0;
    s.vertex_count = (uint32_t)vertices;
    if (vertices > UINT32_MAX || !s.motions || !make_candidates(&s) || !try_vertices(&s) || !take_best(&s, most, taken))
        return false;
    helpers->count = 0;
    helpers->helpers = s.tried.helpers;
    for (uint32_t i = 0; i < s.tried.count; i++)
        if (taken[i])
            helpers->helpers[helpers->count++] = s.tried.helpers[i];
    return true;
}

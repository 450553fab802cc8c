/* Morph targets: a shape moved by them, and keys of their weights as frames of whole vertices.
 *
 * Between two keys that are straight, the vertices are straight too: a frame at each key says all. A key that holds is
 * shown once more just before the next. A curve is followed 60 times a second. */
#include "formats/gltf/decode/decode.h"

#include "base/hash_table.h"
#include "base/vec.h"
#include <math.h>
#include <string.h>

/* --- targets --- */

/* Some files have few bytes and many targets of many vertices: what would take minutes is refused. */
#define MORPH_LIMIT ((uint64_t)1 << 32)

static bool decode_deltas(gltf_decoder *d, gltf_shape *shape)
{
    gltf_target *deltas = TL_ARRAY(&d->scratch, shape->target_count, gltf_target);
    shape->pushes = deltas ? TL_ARRAY(&d->scratch, shape->target_count, gltf_push) : NULL;
    const tl_json *target = shape->pushes ? shape->targets->first : NULL;
    for (uint32_t i = 0; target && i < shape->target_count; i++, target = target->next) {
        const gltf_attribute position = {tl_gltf_index(d->file, target, "POSITION", GLTF_ACCESSORS, NULL), 3, 3, false};
        const gltf_attribute normal = {tl_gltf_index(d->file, target, "NORMAL", GLTF_ACCESSORS, NULL), 3, 3, true};
        float *positions, *normals = NULL;
        if (!tl_gltf_floats_of(d, shape, position, &d->scratch, &positions) ||
            (shape->mesh.normals && !tl_gltf_floats_of(d, shape, normal, &d->scratch, &normals)))
            return false;
        deltas[i] = (gltf_target){(const float(*)[3])positions, (const float(*)[3])normals};
    }
    shape->deltas = deltas;
    return shape->pushes != NULL;
}

/* --- a moved shape --- */

/* Lists what moves the positions, or the normals. */
static uint32_t list_pushes(gltf_shape *shape, const float *weights, bool normals)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < shape->target_count; t++) {
        const gltf_target *target = &shape->deltas[t];
        const float(*delta)[3] = normals ? target->normals : target->positions;
        if (weights[t] != 0 && delta)
            shape->pushes[count++] = (gltf_push){(double)weights[t], delta};
    }
    return count;
}

/* base + weight * delta + ..., worked out in double and rounded once. */
static void push(const float base[3], const gltf_push *pushes, uint32_t count, uint32_t vertex, float out[3])
{
    double sum[3] = {(double)base[0], (double)base[1], (double)base[2]};
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            sum[k] += pushes[i].weight * (double)pushes[i].delta[vertex][k];
    for (int k = 0; k < 3; k++)
        out[k] = gltf_float(sum[k]);
}

static void set_length_1(float v[3])
{
    const trilo_vec3 n = tl_vec3_normalize((trilo_vec3){v[0], v[1], v[2]});
    v[0] = n.x, v[1] = n.y, v[2] = n.z;
}

/* Puts moved vectors in place of *vectors, if anything moves them. */
static bool push_all(gltf_decoder *d, gltf_shape *shape, const float *weights, bool normals, const float (**vectors)[3])
{
    const float(*base)[3] = *vectors;
    const uint32_t count = list_pushes(shape, weights, normals), vertices = shape->mesh.vertex_count;
    if (!base || count == 0)
        return true;
    d->morphing += (uint64_t)vertices * count;
    if (d->morphing > MORPH_LIMIT)
        return tl_gltf_refuse(d, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], shape->targets,
                              "the morph targets move too many vertices too often");
    float(*moved)[3] = tl_array_raw(d->arena, vertices, sizeof *moved);
    for (uint32_t i = 0; moved && i < vertices; i++) {
        push(base[i], shape->pushes, count, i, moved[i]);
        if (normals)
            set_length_1(moved[i]);
    }
    *vectors = (const float(*)[3])moved;
    return moved != NULL;
}

static bool is_rest(const gltf_shape *shape, const float *weights)
{
    for (uint32_t t = 0; t < shape->target_count; t++)
        if (weights[t] != 0)
            return false;
    return true;
}

bool tl_gltf_morph(gltf_decoder *d, gltf_shape *shape, const float *weights, const float (**positions)[3],
                   const float (**normals)[3])
{
    *positions = shape->mesh.positions;
    *normals = shape->mesh.normals;
    if (is_rest(shape, weights))
        return true;
    return (shape->deltas || decode_deltas(d, shape)) && push_all(d, shape, weights, false, positions) &&
           push_all(d, shape, weights, true, normals);
}

const float *tl_gltf_rest_weights(gltf_decoder *d, const gltf_shape *shape, const tl_json *node, const tl_json *mesh)
{
    const tl_json *own = tl_json_member(node, "weights"), *list = own ? own : tl_json_member(mesh, "weights");
    float *weights = TL_ARRAY(&d->scratch, shape->target_count, float);
    const tl_json *item = list && list->kind == TL_JSON_ARRAY ? list->first : NULL;
    for (uint32_t i = 0; weights && item && i < shape->target_count; i++, item = item->next)
        weights[i] = gltf_float(tl_json_number(item, 0));
    return weights;
}

/* --- moments --- */

/* What a track is made of while it grows: moments and the weights at each. */
typedef struct moments {
    const gltf_keys *keys;
    uint32_t width; /* weights of a moment */
    uint32_t count;
    double *times;
    float *weights;
} moments;

#define CURVE_RATE 60
#define CLOSEST    0.001 /* seconds: nearer moments than that are shown as one */

static double grid_after(double time)
{
    return floor(time * CURVE_RATE) + 1;
}

/* Most moments between a key and the next one, as a double: hostile times give any number. */
static double between(const gltf_keys *keys, uint32_t key)
{
    if (key + 1 >= keys->count || keys->interpolation != TRILO_INTERPOLATION_CUBIC)
        return 0;
    return ceil((keys->times[key + 1] - keys->times[key]) * CURVE_RATE) + 1;
}

static const float *key_value(const gltf_keys *keys, uint32_t key, uint32_t part)
{
    const size_t parts = keys->interpolation == TRILO_INTERPOLATION_CUBIC ? 3 : 1;
    return keys->values + ((size_t)key * parts + part) * keys->width;
}

static void add_key(moments *m, uint32_t key, double time)
{
    const uint32_t middle = m->keys->interpolation == TRILO_INTERPOLATION_CUBIC ? 1 : 0;
    m->times[m->count] = time;
    memcpy(m->weights + (size_t)m->count * m->width, key_value(m->keys, key, middle), m->width * sizeof *m->weights);
    m->count++;
}

/* A point of the Hermite curve from a key to the next one. */
static void add_curve(moments *m, uint32_t key, double time)
{
    const gltf_keys *k = m->keys;
    const double span = k->times[key + 1] - k->times[key], t = (time - k->times[key]) / span, t2 = t * t, t3 = t2 * t;
    const float *from = key_value(k, key, 1), *out = key_value(k, key, 2);
    const float *in = key_value(k, key + 1, 0), *to = key_value(k, key + 1, 1);
    m->times[m->count] = time;
    for (uint32_t i = 0; i < m->width; i++)
        m->weights[(size_t)m->count * m->width + i] =
            gltf_float((2 * t3 - 3 * t2 + 1) * (double)from[i] + (t3 - 2 * t2 + t) * span * (double)out[i] +
                       (3 * t2 - 2 * t3) * (double)to[i] + (t3 - t2) * span * (double)in[i]);
    m->count++;
}

static void add_between(moments *m, uint32_t key)
{
    const gltf_keys *k = m->keys;
    const double from = k->times[key], to = k->times[key + 1];
    if (k->interpolation != TRILO_INTERPOLATION_CUBIC)
        return;
    for (double n = grid_after(from); n / CURVE_RATE < to - CLOSEST; n++)
        if (n / CURVE_RATE > from + CLOSEST)
            add_curve(m, key, n / CURVE_RATE);
}

static bool moments_make(gltf_decoder *d, moments *m)
{
    double most = m->keys->count;
    for (uint32_t i = 0; i < m->keys->count; i++)
        most += between(m->keys, i);
    if (!(most < 1u << 28))
        return false;
    m->times = tl_array_raw(&d->scratch, (size_t)most, sizeof *m->times);
    m->weights = m->times ? tl_array_raw(&d->scratch, (size_t)most, m->width * sizeof *m->weights) : NULL;
    if (!m->weights)
        return false;
    for (uint32_t i = 0; i < m->keys->count; i++) {
        add_key(m, i, m->keys->times[i]);
        if (i + 1 < m->keys->count)
            add_between(m, i);
    }
    return true;
}

/* --- frames --- */

static int moments_compare(const void *rows, uint32_t a, uint32_t b)
{
    const moments *m = rows;
    return memcmp(m->weights + (size_t)a * m->width, m->weights + (size_t)b * m->width, m->width * sizeof *m->weights);
}

static bool make_frames(gltf_decoder *d, gltf_shape *shape, const trilo_mesh *mesh, const moments *m,
                        trilo_frame *frames)
{
    tl_hash_table table;
    if (!tl_hash_table_init(&table, &d->scratch, m->count, moments_compare, m))
        return false;
    for (uint32_t i = 0; i < m->count; i++) {
        const float *weights = m->weights + (size_t)i * m->width;
        const uint32_t first = tl_hash_table_add(&table, trilo_fnv1a(weights, m->width * sizeof *weights), i);
        if (first == TRILO_NONE)
            return false;
        frames[i] = frames[first];
        frames[i].time = m->times[i];
        if (first != i)
            continue;
        if (!tl_gltf_morph(d, shape, weights, &frames[i].positions, &frames[i].normals))
            return false;
        if (frames[i].normals == mesh->normals)
            frames[i].normals = NULL;
    }
    return true;
}

/* Values of fewer or more targets than the shape has: the missing ones rest. */
static bool fit_width(gltf_decoder *d, const gltf_keys *keys, uint32_t width, gltf_keys *out)
{
    const size_t rows = (size_t)keys->count * (keys->interpolation == TRILO_INTERPOLATION_CUBIC ? 3 : 1);
    const uint32_t shared = keys->width < width ? keys->width : width;
    *out = *keys;
    if (keys->width == width)
        return true;
    float *values = tl_array(&d->scratch, rows, width * sizeof *values);
    for (size_t i = 0; values && i < rows; i++)
        memcpy(values + i * width, keys->values + i * keys->width, shared * sizeof *values);
    out->width = width;
    out->values = values;
    return values != NULL;
}

bool tl_gltf_decode_track(gltf_decoder *d, const gltf_keys *keys, uint32_t mesh, trilo_track *out)
{
    gltf_shape *shape = d->shapes[mesh];
    gltf_keys fitted;
    moments m = {.keys = &fitted, .width = shape->target_count};
    if (!fit_width(d, keys, shape->target_count, &fitted) || !moments_make(d, &m))
        return false;
    trilo_frame *frames = TL_ARRAY(d->arena, m.count, trilo_frame);
    if (!frames)
        return false;
    *out = (trilo_track){mesh, keys->interpolation == TRILO_INTERPOLATION_STEP, m.count, frames};
    return make_frames(d, shape, &d->model->meshes[mesh], &m, frames);
}

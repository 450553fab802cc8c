/* Morph targets: a primitive with targets applied, and keyframes of weights as frames of whole vertices.
 *
 * Between linear keyframes, vertices move linearly too, so that a frame at each keyframe is exact. Steps become a track
 * of held frames. Cubic splines are sampled 60 times a second. */
#include "base/strict_float.h"
#include "formats/gltf/decode/decode.h"

#include "base/hash_table.h"
#include "base/lanes.h"
#include "base/vec.h"
#include <float.h>
#include <math.h>

/* --- applying targets --- */

/* Displaced vertices, times targets: a small file can require minutes of work. */
#define GLTF_MORPH_LIMIT ((uint64_t)1 << 32)

static bool gltf_decode_targets(gltf_decoder *d, gltf_primitive *p)
{
    gltf_morph_target *deltas = TL_ARRAY(&d->scratch, p->target_count, gltf_morph_target);
    p->weighted = deltas ? TL_ARRAY(&d->scratch, p->target_count, gltf_weighted_delta) : NULL;
    const tl_json *target = p->weighted ? p->targets->first : NULL;
    for (uint32_t i = 0; target && i < p->target_count; i++, target = target->next) {
        const gltf_attribute position = {tl_gltf_index(d->file, target, "POSITION", GLTF_ACCESSORS, NULL), 3, 3, false};
        const gltf_attribute normal = {tl_gltf_index(d->file, target, "NORMAL", GLTF_ACCESSORS, NULL), 3, 3, true};
        float *positions, *normals = NULL;
        if (!tl_gltf_attribute_floats(d, p, position, &d->scratch, &positions) ||
            (p->mesh.normals && !tl_gltf_attribute_floats(d, p, normal, &d->scratch, &normals)))
            return false;
        deltas[i] = (gltf_morph_target){(const float(*)[3])positions, (const float(*)[3])normals};
    }
    p->deltas = deltas;
    return p->weighted != NULL;
}

/* base + weight * delta + ... of a number, summed in double and rounded once. */
static float gltf_add_delta(const float *base, const gltf_weighted_delta *weighted, uint32_t count, size_t at)
{
    double sum = (double)base[at];
    for (uint32_t i = 0; i < count; i++)
        sum += weighted[i].weight * (double)weighted[i].delta[at];
    return gltf_float(sum);
}

/* The same of as many numbers, four at once. */
static void gltf_add_deltas(const float *base, const gltf_weighted_delta *weighted, uint32_t count, size_t numbers,
                            float *out)
{
    enum { BLOCK = 4 };
    size_t at = 0;
    for (; at + BLOCK <= numbers; at += BLOCK) {
        tl_double2 low = tl_double2_of(base + at), high = tl_double2_of(base + at + 2);
        for (uint32_t i = 0; i < count; i++) {
            const float *delta = weighted[i].delta + at;
            low += weighted[i].weight * tl_double2_of(delta);
            high += weighted[i].weight * tl_double2_of(delta + 2);
        }
        tl_double2_round(tl_double2_clamp(low, (double)FLT_MAX), out + at);
        tl_double2_round(tl_double2_clamp(high, (double)FLT_MAX), out + at + 2);
    }
    for (; at < numbers; at++)
        out[at] = gltf_add_delta(base, weighted, count, at);
}

/* To length 1, two at once; what has no direction becomes 0. */
static void gltf_normalize(float (*vectors)[3], uint32_t count)
{
    uint32_t v = 0;
    for (; v + 2 <= count; v += 2) {
        float *a = vectors[v], *b = vectors[v + 1];
        const tl_double2 x = {(double)a[0], (double)b[0]}, y = {(double)a[1], (double)b[1]};
        const tl_double2 z = {(double)a[2], (double)b[2]}, square = x * x + y * y + z * z;
        const tl_double2 length = {sqrt(square[0]), sqrt(square[1])};
        if (!(length[0] > 0 && length[1] > 0 && length[0] < INFINITY && length[1] < INFINITY))
            break;
        const tl_double2 unit[3] = {x / length, y / length, z / length};
        for (int i = 0; i < 3; i++)
            a[i] = (float)unit[i][0], b[i] = (float)unit[i][1];
    }
    for (; v < count; v++) {
        const trilo_vec3 unit = tl_vec3_normalize((trilo_vec3){vectors[v][0], vectors[v][1], vectors[v][2]});
        vectors[v][0] = unit.x, vectors[v][1] = unit.y, vectors[v][2] = unit.z;
    }
}

/* Replaces *vectors (positions or normals) by those that the targets displace. Leaves them when no target does. */
static bool gltf_displace(gltf_decoder *d, gltf_primitive *p, const float *weights, bool normals,
                          const float (**vectors)[3])
{
    const float(*base)[3] = *vectors;
    const uint32_t vertices = p->mesh.vertex_count;
    uint32_t count = 0;
    for (uint32_t t = 0; t < p->target_count; t++) {
        const float(*delta)[3] = normals ? p->deltas[t].normals : p->deltas[t].positions;
        if (weights[t] != 0 && delta)
            p->weighted[count++] = (gltf_weighted_delta){(double)weights[t], &delta[0][0]};
    }
    if (!base || count == 0)
        return true;
    d->morph_work += (uint64_t)vertices * count;
    if (d->morph_work > GLTF_MORPH_LIMIT)
        return tl_gltf_decode_fail(d, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], p->targets,
                                   "the morph targets move too many vertices too often");
    float(*out)[3] = tl_array_raw(d->arena, vertices, sizeof *out);
    if (out)
        gltf_add_deltas(&base[0][0], p->weighted, count, 3 * (size_t)vertices, &out[0][0]);
    if (out && normals)
        gltf_normalize(out, vertices);
    *vectors = (const float(*)[3])out;
    return out != NULL;
}

bool tl_gltf_morph(gltf_decoder *d, gltf_primitive *p, const float *weights, const float (**positions)[3],
                   const float (**normals)[3])
{
    bool any = false;
    *positions = p->mesh.positions;
    *normals = p->mesh.normals;
    for (uint32_t t = 0; t < p->target_count; t++)
        any = any || weights[t] != 0;
    if (!any)
        return true;
    return (p->deltas || gltf_decode_targets(d, p)) && gltf_displace(d, p, weights, false, positions) &&
           gltf_displace(d, p, weights, true, normals);
}

/* A node's weights override those of its mesh. */
const float *tl_gltf_default_weights(gltf_decoder *d, const gltf_primitive *p, const tl_json *node, const tl_json *mesh)
{
    const tl_json *own = tl_json_member(node, "weights"), *list = own ? own : tl_json_member(mesh, "weights");
    float *weights = TL_ARRAY(&d->scratch, p->target_count, float);
    const tl_json *item = list && list->kind == TL_JSON_ARRAY ? list->first : NULL;
    for (uint32_t i = 0; weights && item && i < p->target_count; i++, item = item->next)
        weights[i] = gltf_float(tl_json_number(item, 0));
    return weights;
}

/* --- samples --- */

#define GLTF_SAMPLE_SPACING 0.001 /* seconds: samples of a spline keep that distance from its keyframes */

/* The times of a track and the weights at each. */
typedef struct gltf_weight_samples {
    uint32_t width; /* weights of a sample */
    uint32_t count;
    double *times;
    float *weights;
} gltf_weight_samples;

static int gltf_weight_samples_compare(const void *rows, uint32_t a, uint32_t b)
{
    const gltf_weight_samples *s = rows;
    return memcmp(s->weights + (size_t)a * s->width, s->weights + (size_t)b * s->width, s->width * sizeof *s->weights);
}

/* A point of the cubic Hermite spline from a keyframe to the next ("Cubic Spline Interpolation"). */
static void gltf_add_spline_sample(gltf_weight_samples *s, const gltf_keyframes *keys, uint32_t key, double time)
{
    const double span = keys->times[key + 1] - keys->times[key];
    const double t = (time - keys->times[key]) / span, t2 = t * t, t3 = t2 * t;
    const float *from = keys->values + (size_t)key * 3 * keys->width + keys->width, *out_tangent = from + keys->width;
    const float *in_tangent = out_tangent + keys->width, *to = in_tangent + keys->width;
    float *weights = s->weights + (size_t)s->count * s->width;
    s->times[s->count++] = time;
    for (uint32_t i = 0; i < s->width; i++)
        weights[i] =
            gltf_float((2 * t3 - 3 * t2 + 1) * (double)from[i] + (t3 - 2 * t2 + t) * span * (double)out_tangent[i] +
                       (3 * t2 - 2 * t3) * (double)to[i] + (t3 - t2) * span * (double)in_tangent[i]);
}

/* A sample at each keyframe; on splines also at each sixtieth of a second between them. The number of samples is a
 * double until it is checked, because times may be anything. */
static bool gltf_sample_weights(gltf_decoder *d, const gltf_keyframes *keys, gltf_weight_samples *s)
{
    const bool cubic = keys->interpolation == TRILO_INTERPOLATION_CUBIC;
    const uint32_t values = cubic ? 3 : 1;
    double max = keys->count;
    for (uint32_t i = 0; cubic && i + 1 < keys->count; i++)
        max += ceil((keys->times[i + 1] - keys->times[i]) * GLTF_SPLINE_RATE) + 1;
    s->times = max < 1u << 28 ? tl_array_raw(&d->scratch, (size_t)max, sizeof *s->times) : NULL;
    s->weights = s->times ? tl_array_raw(&d->scratch, (size_t)max, s->width * sizeof *s->weights) : NULL;
    if (!s->weights)
        return false;
    for (uint32_t i = 0; i < keys->count; i++) {
        const double from = keys->times[i], to = i + 1 < keys->count ? keys->times[i + 1] : from;
        memcpy(s->weights + (size_t)s->count * s->width, keys->values + ((size_t)i * values + values / 2) * keys->width,
               s->width * sizeof *s->weights);
        s->times[s->count++] = from;
        for (double n = floor(from * GLTF_SPLINE_RATE) + 1; cubic && n / GLTF_SPLINE_RATE < to - GLTF_SAMPLE_SPACING;
             n++)
            if (n / GLTF_SPLINE_RATE > from + GLTF_SAMPLE_SPACING)
                gltf_add_spline_sample(s, keys, i, n / GLTF_SPLINE_RATE);
    }
    return true;
}

/* --- tracks --- */

/* Samples with equal weights share a frame. */
static bool gltf_make_frames(gltf_decoder *d, gltf_primitive *p, const trilo_mesh *mesh, const gltf_weight_samples *s,
                             trilo_frame *frames)
{
    tl_hash_table table;
    if (!tl_hash_table_init(&table, &d->scratch, s->count, gltf_weight_samples_compare, s))
        return false;
    for (uint32_t i = 0; i < s->count; i++) {
        const float *weights = s->weights + (size_t)i * s->width;
        const uint32_t first = tl_hash_table_add(&table, trilo_fnv1a(weights, s->width * sizeof *weights), i);
        if (first == TRILO_NONE ||
            (first == i && !tl_gltf_morph(d, p, weights, &frames[i].positions, &frames[i].normals)))
            return false;
        if (first != i)
            frames[i] = frames[first];
        else if (frames[i].normals == mesh->normals)
            frames[i].normals = NULL;
        frames[i].time = s->times[i];
    }
    return true;
}

/* Keyframes may have weights for fewer or more targets than the primitive has: missing ones are 0. */
bool tl_gltf_decode_track(gltf_decoder *d, const gltf_keyframes *keys, uint32_t mesh, trilo_track *out)
{
    gltf_primitive *p = d->primitive_of[mesh];
    gltf_keyframes fitted = *keys;
    gltf_weight_samples s = {.width = p->target_count};
    if (keys->width != s.width) {
        const size_t rows = (size_t)keys->count * (keys->interpolation == TRILO_INTERPOLATION_CUBIC ? 3 : 1);
        const uint32_t shared = keys->width < s.width ? keys->width : s.width;
        float *values = tl_array(&d->scratch, rows, s.width * sizeof *values);
        if (!values)
            return false;
        for (size_t i = 0; i < rows; i++)
            memcpy(values + i * s.width, keys->values + i * keys->width, shared * sizeof *values);
        fitted.width = s.width;
        fitted.values = values;
    }
    if (!gltf_sample_weights(d, &fitted, &s))
        return false;
    trilo_frame *frames = TL_ARRAY(d->arena, s.count, trilo_frame);
    if (!frames)
        return false;
    *out = (trilo_track){mesh, keys->interpolation == TRILO_INTERPOLATION_STEP, s.count, frames};
    return gltf_make_frames(d, p, &d->model->meshes[mesh], &s, frames);
}

/* From the vertices of a mesh to those of T3DM: transformed into the space of their bones, quantized, and welded
 * afterwards, so that vertices that are equal on the console are loaded once. */
#include "base/strict_float.h"
#include "formats/t3dm/encode/encode.h"

#include "base/hash_table.h"
#include "base/lanes.h"
#include "base/vec.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What was made of the last vertex: the next one often has the same bones and colour. */
typedef struct last_vertex {
    bool bound, colored; /* what is known */
    float weights[4];
    uint16_t joints[4];
    const t3dm_binding *binding;
    double weight, lost; /* the sum, and what other bones have of it */
    bool shared;
    float color[4];
    uint8_t packed_color[4];
} last_vertex;

typedef struct vertex_source {
    t3dm_encoder *e;
    const trilo_mesh *mesh;
    t3dm_uv_axis axes[2];
    double tint[4];
    uint8_t plain[4]; /* the colour of all vertices where the mesh has none */
    bool textured;
    uint32_t unused; /* attributes to clear: the material does not show them */
    t3dm_extent extent;
    bool uv_range;
    uint32_t shared;  /* vertices that follow more than one bone */
    double lost, all; /* weight */
    last_vertex last;
} vertex_source;

/* --- quantization --- */

static bool near_whole(double value, double within)
{
    return fabs(value - tl_t3dm_round(value)) < within;
}

/* Two numbers at once, as tl_t3dm_round rounds them. Those beyond 32 bits, and NaN, become INT32_MIN. */
static inline void round_two(tl_double2 v, int32_t out[2])
{
    const tl_double2 half = {0.5, 0.5}, signed_half = (tl_double2)((tl_mask2)half | ((tl_mask2)v & INT64_MIN));
    tl_double2_truncate(v + signed_half, out);
}

static uint32_t normal_field(int32_t rounded, int limit)
{
    const int clamped = rounded < -limit ? -limit : rounded > limit - 1 ? limit - 1 : rounded;
    return (uint32_t)clamped & (2 * (uint32_t)limit - 1);
}

static uint16_t pack_normal_fields(double x, double y, double z)
{
    static const double MOST = 64; /* above all limits */
    int32_t rounded[4];
    round_two(tl_double2_clamp((tl_double2){x, y}, MOST), rounded);
    round_two(tl_double2_clamp((tl_double2){z, 0}, MOST), rounded + 2);
    return (uint16_t)(normal_field(rounded[0], 16) << 11 | normal_field(rounded[1], 32) << 5 |
                      normal_field(rounded[2], 16));
}

/* Tiny3D's converter normalizes and scales in single precision, which rounds some halves differently. */
static uint16_t pack_single_normal(trilo_vec3 n)
{
    const float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z), by = length > 0 ? length : 1;
    const float x = n.x / by * 15.5f, y = n.y / by * 31.5f, z = n.z / by * 15.5f;
    return pack_normal_fields(x, y, z);
}

/* 5, 6 and 5 bits. A normal on that grid keeps its bits; any other is normalized first. */
static uint16_t pack_normal(const t3dm_encoder *e, trilo_vec3 n)
{
    if (e->policy.single_normals && isfinite(n.x) && isfinite(n.y) && isfinite(n.z))
        return pack_single_normal(n);
    const bool grid = e->policy.snap_normals && near_whole(n.x * 16.0, 1e-3) && near_whole(n.y * 32.0, 1e-3) &&
                      near_whole(n.z * 16.0, 1e-3);
    const trilo_vec3 u = grid ? n : tl_vec3_normalize(n);
    const double x = grid ? 16 : 15.5, y = grid ? 32 : 31.5;
    return pack_normal_fields(u.x * x, u.y * y, u.z * x);
}

static void pack_color(const t3dm_encoder *e, const double tint[4], const float color[4], uint8_t out[4])
{
    for (int c = 0; c < 4; c += 2) {
        const tl_double2 value = (tl_double2){tint[c], tint[c + 1]} * tl_double2_of(color + c);
        const tl_double2 scaled = tl_double2_clamp(value * UINT8_MAX, UINT8_MAX);
        int32_t whole[2];
        if (e->policy.truncate_colors)
            tl_double2_truncate(scaled, whole);
        else
            round_two(scaled, whole);
        out[c] = (uint8_t)(whole[0] > 0 ? whole[0] : 0);
        out[c + 1] = (uint8_t)(whole[1] > 0 ? whole[1] : 0);
    }
}

static int16_t pack_uv(vertex_source *s, const t3dm_uv_axis *axis, float uv)
{
    const double units = tl_t3dm_uv_units(s->e, axis, uv);
    if (units >= INT16_MIN && units <= INT16_MAX)
        return (int16_t)units;
    if (!(fabs(units) < 1e15) || (s->textured && !axis->wraps)) {
        s->uv_range = true;
        return 0;
    }
    const int32_t low = (int32_t)((int64_t)units & 0xFFFF); /* as the console and Tiny3D's converter wrap */
    return (int16_t)(low > INT16_MAX ? low - 0x10000 : low);
}

static void pack_position(vertex_source *s, trilo_vec3 p, int16_t out[3])
{
    const double values[4] = {p.x, p.y, p.z, 0}, scale = s->e->policy.scale;
    int32_t rounded[4];
    round_two((tl_double2){values[0], values[1]} * scale, rounded);
    round_two((tl_double2){values[2], values[3]} * scale, rounded + 2);
    for (int k = 0; k < 3; k++) {
        const bool fits = rounded[k] >= INT16_MIN && rounded[k] <= INT16_MAX;
        if (!(fabs(values[k]) <= s->extent.largest))
            s->extent.largest = fabs(values[k]);
        if (!fits)
            s->extent.overflows = true;
        out[k] = (int16_t)(fits ? rounded[k] : 0);
    }
}

/* --- one vertex --- */

/* The binding of a vertex to the strongest of its bones. */
static const t3dm_binding *bind_vertex(vertex_source *s, uint32_t i)
{
    const trilo_mesh *mesh = s->mesh;
    last_vertex *last = &s->last;
    if (mesh->skin == TRILO_NONE || !mesh->weights)
        return tl_t3dm_vertex_binding(s->e, mesh, i, NULL);
    if (!last->bound || memcmp(last->weights, mesh->weights[i], sizeof last->weights) != 0 ||
        memcmp(last->joints, mesh->joints[i], sizeof last->joints) != 0) {
        const float *weights = mesh->weights[i];
        int slot;
        last->binding = tl_t3dm_vertex_binding(s->e, mesh, i, &slot);
        last->weight = last->lost = 0;
        for (int k = 0; k < 4 && slot >= 0; k++)
            last->weight += weights[k];
        last->lost = slot >= 0 ? last->weight - weights[slot] : 0;
        last->shared = slot >= 0 && weights[slot] < 0.999f * last->weight;
        last->bound = true;
        memcpy(last->weights, weights, sizeof last->weights);
        memcpy(last->joints, mesh->joints[i], sizeof last->joints);
    }
    s->all += last->weight;
    s->lost += last->lost;
    s->shared += last->shared ? 1 : 0;
    return last->binding;
}

static void make_color(vertex_source *s, const float from[4], uint8_t out[4])
{
    last_vertex *last = &s->last;
    if (!last->colored || memcmp(last->color, from, sizeof last->color) != 0) {
        last->colored = true;
        memcpy(last->color, from, sizeof last->color);
        pack_color(s->e, s->tint, from, last->packed_color);
    }
    memcpy(out, last->packed_color, sizeof last->packed_color);
}

static t3dm_vertex make_vertex(vertex_source *s, uint32_t i, uint16_t *bone)
{
    const trilo_mesh *mesh = s->mesh;
    const t3dm_binding *binding = bind_vertex(s, i);
    trilo_vec3 p = {mesh->positions[i][0], mesh->positions[i][1], mesh->positions[i][2]};
    trilo_vec3 n = {0, 0, 0};
    if (mesh->normals)
        n = (trilo_vec3){mesh->normals[i][0], mesh->normals[i][1], mesh->normals[i][2]};
    if (binding && !binding->identity) { /* into the space of the bone */
        p = tl_mat4_point(&binding->points, p);
        n = tl_mat4_rotation(&binding->normals, n);
    }
    *bone = binding ? binding->bone : T3DM_NO_BONE;
    t3dm_vertex v = {.normal = pack_normal(s->e, n)};
    pack_position(s, p, v.position);
    if (mesh->colors)
        make_color(s, mesh->colors[i], v.color);
    else
        memcpy(v.color, s->plain, sizeof v.color);
    for (int c = 0; c < 2; c++)
        v.uv[c] = pack_uv(s, &s->axes[c], mesh->uvs ? mesh->uvs[i][c] : 0);
    tl_t3dm_clear_unused(&v, s->unused);
    return v;
}

/* --- welding --- */

static int compare_welded(const void *rows, uint32_t a, uint32_t b)
{
    const t3dm_welded *w = rows;
    if (w->bones[a] != w->bones[b])
        return w->bones[a] < w->bones[b] ? -1 : 1;
    return memcmp(&w->vertices[a], &w->vertices[b], sizeof *w->vertices); /* 16 bytes without padding */
}

static bool weld_vertices(vertex_source *s, t3dm_welded *w)
{
    const uint32_t count = s->mesh->vertex_count;
    tl_hash_table table;
    w->vertices = tl_array_raw(s->e->arena, count, sizeof *w->vertices);
    w->bones = tl_array_raw(s->e->arena, count, sizeof *w->bones);
    w->remap = tl_array_raw(s->e->arena, count, sizeof *w->remap);
    if (!w->vertices || !w->bones || !w->remap || !tl_hash_table_init(&table, s->e->arena, count, compare_welded, w))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        t3dm_vertex *v = &w->vertices[w->count];
        *v = make_vertex(s, i, &w->bones[w->count]);
        w->remap[i] = tl_hash_table_add_inline(&table, compare_welded, w,
                                               tl_hash_words(v, sizeof *v) ^ w->bones[w->count], w->count);
        if (w->remap[i] == TRILO_NONE)
            return false;
        w->count += w->remap[i] == w->count ? 1 : 0;
    }
    return true;
}

/* --- the mesh --- */

static bool make_missing_normals(vertex_source *s, const t3dm_material *material)
{
    t3dm_encoder *e = s->e;
    const uint32_t flags = material->head.draw_flags;
    const bool lit = (flags & TRILO_N64_SHADED) && !(flags & TRILO_N64_UNLIT);
    const bool needed = lit || tl_effect_uses_normals(material->head.vertex_effect);
    if (s->mesh->normals || !e->policy.make_normals || s->mesh->index_count == 0 || !needed)
        return true;
    trilo_mesh *split = tl_t3dm_split_corners(e, s->mesh);
    if (!split || !tl_t3dm_flat_normals(e, split))
        return false;
    s->mesh = split;
    tl_t3dm_report_loss(e, T3DM_R_MADE_NORMALS, "the mesh has no normals but is lit; face normals were generated");
    return true;
}

static bool report_vertices(vertex_source *s)
{
    if (s->shared > 0)
        tl_t3dm_report_loss(s->e, s->lost < 0.01 * s->all ? T3DM_R_SMALL_WEIGHTS : T3DM_R_LOST_WEIGHTS,
                            "%" PRIu32 " of %" PRIu32
                            " vertices follow several bones; the strongest is used, %.1f %% of the weight is lost",
                            s->shared, s->mesh->vertex_count, 100 * s->lost / s->all);
    if (s->uv_range && s->textured)
        return tl_t3dm_encode_fail(
            s->e, T3DM_R_RANGE_UV, TRILO_CODE_LIMIT,
            "the texture coordinates of a triangle are more than 1024 texels from 0 and cannot be "
            "moved there; repeat the texture less");
    return true;
}

bool tl_t3dm_weld(t3dm_encoder *e, const trilo_mesh *mesh, const t3dm_material *material, t3dm_welded *out,
                  const trilo_mesh **used, t3dm_extent *extent)
{
    const trilo_material *from = mesh->material == TRILO_NONE ? NULL : &e->model->materials[mesh->material];
    vertex_source s = {.e = e, .mesh = mesh};
    s.textured = (material->head.draw_flags & TRILO_N64_TEXTURED) != 0;
    s.unused = e->opts->t3dm->drop_unused ? tl_t3dm_unused(material) : 0;
    *out = (t3dm_welded){.count = 0};
    for (int c = 0; c < 4; c++)
        s.tint[c] = from && !from->n64 ? from->base_color[c] : 1;
    pack_color(e, s.tint, (const float[4]){1, 1, 1, 1}, s.plain);
    if (mesh->skin != TRILO_NONE && !tl_t3dm_bind_skin(e, mesh->skin))
        return false;
    const t3dm_uv_units units = t3dm_uv_units_of(material);
    s.axes[0] = tl_t3dm_uv_axis(&material->textures[0].s, units.u, units.shift);
    s.axes[1] = tl_t3dm_uv_axis(&material->textures[0].t, units.v, units.shift);
    if (!make_missing_normals(&s, material) || (s.textured && !tl_t3dm_fit_uvs(e, s.axes, &s.mesh, &s.uv_range)) ||
        !weld_vertices(&s, out))
        return false;
    *extent = s.extent;
    *used = s.mesh;
    return report_vertices(&s);
}

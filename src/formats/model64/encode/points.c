/* Welding: from vertices to points and corners.
 *
 * Everything is quantized before it is compared, so that what is equal on the console is equal here. Texture
 * coordinates are compared without their last bit, which the RSP drops. */
#include "base/strict_float.h"
#include "formats/model64/encode/encode.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- points --- */

/* Vertices that were one point in all poses so far and are equal in this one. */
typedef struct points_refinement {
    const uint32_t *points;
    const model64_posed_vertex *pose;
} points_refinement;

static uint32_t points_refine_hash(const void *rows, uint32_t row)
{
    const points_refinement *p = rows;
    const model64_posed_vertex *spot = &p->pose[row];
    uint32_t hash = p->points[row];
    for (int k = 0; k < 3; k++)
        hash = model64_mix(hash, (uint32_t)(uint16_t)spot->position[k] << 8 | (uint8_t)spot->normal[k]);
    return hash;
}

static int points_refine_compare(const void *rows, uint32_t a, uint32_t b)
{
    const points_refinement *p = rows;
    if (p->points[a] != p->points[b])
        return p->points[a] < p->points[b] ? -1 : 1;
    return memcmp(&p->pose[a], &p->pose[b], sizeof *p->pose);
}

/* All vertices start as one point, and every pose splits those that differ in it (partition refinement). */
bool tl_model64_number_points(model64_encoder *e)
{
    const uint32_t count = e->vertex_count;
    tl_hash_table table = {.arena = e->arena};
    uint32_t *before = TL_ARRAY(e->arena, count, uint32_t), *after = TL_ARRAY(e->arena, count, uint32_t);
    e->vertex_of_point = TL_ARRAY(e->arena, count, uint32_t);
    if (!before || !after || !e->vertex_of_point)
        return false;
    for (uint32_t pose = 0; pose < e->pose_count && e->point_count < count; pose++) {
        const points_refinement rows = {before, e->poses[pose]};
        if (!tl_model64_number(&table, &(model64_rows){&rows, points_refine_hash, points_refine_compare}, count, after,
                               e->vertex_of_point, &e->point_count))
            return false;
        uint32_t *swap = before;
        before = after;
        after = swap;
    }
    e->point_of = before;
    return true;
}

/* --- texture coordinates and colours --- */

static uint32_t points_st_hash(const void *rows, uint32_t row)
{
    const int16_t *st = (const int16_t *)rows + 2 * (size_t)row;
    return model64_mix(model64_mix(0, (uint32_t)(st[0] & ~1)), (uint32_t)(st[1] & ~1));
}

static int points_st_compare(const void *rows, uint32_t a, uint32_t b)
{
    const int16_t *m = (const int16_t *)rows + 2 * (size_t)a, *n = (const int16_t *)rows + 2 * (size_t)b;
    const int s = (m[0] & ~1) - (n[0] & ~1);
    return s != 0 ? s : (m[1] & ~1) - (n[1] & ~1);
}

static uint32_t points_rgba_hash(const void *rows, uint32_t row)
{
    const uint8_t *c = (const uint8_t *)rows + 4 * (size_t)row;
    return model64_mix(0, (uint32_t)c[0] << 24 | (uint32_t)c[1] << 16 | (uint32_t)c[2] << 8 | c[3]);
}

static int points_rgba_compare(const void *rows, uint32_t a, uint32_t b)
{
    return memcmp((const uint8_t *)rows + 4 * (size_t)a, (const uint8_t *)rows + 4 * (size_t)b, 4);
}

static void points_mesh_st(model64_encoder *e, const model64_source *source, int16_t (*st)[2])
{
    const trilo_mesh *mesh = &e->model->meshes[source->mesh];
    for (uint32_t i = 0; mesh->uvs && i < source->vertex_count; i++)
        for (int k = 0; k < 2; k++)
            st[source->first_vertex + i][k] = (int16_t)tl_model64_quantize(
                ldexp(mesh->uvs[source->vertices[i]][k], (int)e->bits), INT16_MIN, INT16_MAX, &e->clamped_uv);
}

static void points_mesh_rgba(const model64_encoder *e, const model64_source *source, uint8_t (*rgba)[4])
{
    const trilo_mesh *mesh = &e->model->meshes[source->mesh];
    const trilo_material *material = mesh->material == TRILO_NONE ? NULL : &e->model->materials[mesh->material];
    for (uint32_t i = 0; i < source->vertex_count; i++)
        for (int k = 0; k < 4; k++) {
            const double color = mesh->colors ? mesh->colors[source->vertices[i]][k] : 1;
            const double tint = material ? material->base_color[k] : 1;
            rgba[source->first_vertex + i][k] = (uint8_t)tl_model64_quantize(255 * color * tint, 0, UINT8_MAX, NULL);
        }
}

/* welded[vertex]: its point, texture coordinate and colour. */
static bool points_weld_vertices(model64_encoder *e, tl_hash_table *table, model64_corner *welded)
{
    const uint32_t count = e->vertex_count;
    int16_t(*st)[2] = tl_array(e->arena, count, sizeof *st);
    uint8_t(*rgba)[4] = tl_array(e->arena, count, sizeof *rgba);
    uint32_t *st_of = TL_ARRAY(e->arena, count, uint32_t), *st_firsts = TL_ARRAY(e->arena, count, uint32_t);
    uint32_t *rgba_of = TL_ARRAY(e->arena, count, uint32_t), *rgba_firsts = TL_ARRAY(e->arena, count, uint32_t);
    if (!st || !rgba || !st_of || !st_firsts || !rgba_of || !rgba_firsts)
        return false;
    for (uint32_t i = 0; i < e->source_count; i++) {
        points_mesh_st(e, &e->sources[i], st);
        if (e->colors == TRILO_MODEL64_COLORS_RGBA)
            points_mesh_rgba(e, &e->sources[i], rgba);
    }
    if (e->clamped_uv.count > 0)
        tl_model64_report_loss(e, MODEL64_R_CLAMPED_UV,
                               "%" PRIu64 " texture coordinates do not fit; with %" PRIu32 " bits %.6g to %.6g do",
                               e->clamped_uv.count, e->bits, ldexp(INT16_MIN, -(int)e->bits),
                               ldexp(INT16_MAX, -(int)e->bits));
    if (!tl_model64_number(table, &(model64_rows){st, points_st_hash, points_st_compare}, count, st_of, st_firsts,
                           &e->st_count) ||
        !tl_model64_number(table, &(model64_rows){rgba, points_rgba_hash, points_rgba_compare}, count, rgba_of,
                           rgba_firsts, &e->rgba_count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        welded[i] = (model64_corner){e->point_of[i], st_of[i], rgba_of[i]};
    /* The values by number: the first exact one represents those that differ in the last bit. */
    e->st = tl_array_raw(e->arena, e->st_count, sizeof *e->st);
    e->rgba = tl_array_raw(e->arena, e->rgba_count, sizeof *e->rgba);
    if (!e->st || !e->rgba)
        return false;
    for (uint32_t i = 0; i < e->st_count; i++)
        memcpy(e->st[i], st[st_firsts[i]], sizeof e->st[i]);
    for (uint32_t i = 0; i < e->rgba_count; i++)
        memcpy(e->rgba[i], rgba[rgba_firsts[i]], sizeof e->rgba[i]);
    return true;
}

/* --- corners and triangles of a slot --- */

/* From the corner with the smallest number on: rotated triangles are equal, those of the other winding are not. */
static uint32_t points_triangle_corner(const uint32_t triangle[3], int k)
{
    const int first = triangle[0] < triangle[1] ? triangle[0] < triangle[2] ? 0 : 2 : triangle[1] < triangle[2] ? 1 : 2;
    return triangle[(first + k) % 3];
}

static uint32_t points_triangle_hash(const void *rows, uint32_t row)
{
    const uint32_t *t = (const uint32_t *)rows + 3 * (size_t)row;
    return model64_mix(model64_mix(model64_mix(0, points_triangle_corner(t, 0)), points_triangle_corner(t, 1)),
                       points_triangle_corner(t, 2));
}

static int points_triangle_compare(const void *rows, uint32_t a, uint32_t b)
{
    const uint32_t *t = (const uint32_t *)rows + 3 * (size_t)a, *u = (const uint32_t *)rows + 3 * (size_t)b;
    for (int k = 0; k < 3; k++) {
        const uint32_t m = points_triangle_corner(t, k), n = points_triangle_corner(u, k);
        if (m != n)
            return m < n ? -1 : 1;
    }
    return 0;
}

/* What the slots are made from. */
typedef struct points_slot_maker {
    model64_encoder *e;
    tl_hash_table table;
    const model64_corner *welded; /* of each vertex */
    const uint32_t *welded_of;    /* number of that look */
    uint32_t welded_count;
    uint32_t *corner_of; /* of each look in the current slot; TRILO_NONE: not yet */
    uint32_t *numbers, *firsts;
    uint32_t collapsed, repeated;
} points_slot_maker;

/* A triangle with two corners on one point has no area in any pose. */
static void points_add_triangle(points_slot_maker *m, model64_slot *slot, const uint32_t vertices[3])
{
    const uint32_t *point_of = m->e->point_of;
    const uint32_t a = point_of[vertices[0]], b = point_of[vertices[1]], c = point_of[vertices[2]];
    if (a == b || b == c || c == a) {
        m->collapsed++;
        return;
    }
    uint32_t *triangle = slot->triangles[slot->triangle_count++];
    for (int k = 0; k < 3; k++) {
        uint32_t *corner = &m->corner_of[m->welded_of[vertices[k]]];
        if (*corner == TRILO_NONE) {
            slot->corners[slot->corner_count] = m->welded[vertices[k]];
            *corner = slot->corner_count++;
        }
        triangle[k] = *corner;
    }
}

static bool points_make_slot(points_slot_maker *m, uint32_t number)
{
    model64_encoder *e = m->e;
    model64_slot *slot = &e->slots[number];
    size_t triangles = 0, vertices = 0;
    for (uint32_t i = 0; i < e->source_count; i++)
        if (e->sources[i].slot == number) {
            triangles += e->sources[i].triangle_count;
            vertices += e->sources[i].vertex_count;
        }
    slot->corners = tl_array_raw(e->arena, vertices, sizeof *slot->corners);
    slot->triangles = tl_array_raw(e->arena, triangles, sizeof *slot->triangles);
    if (!slot->corners || !slot->triangles)
        return false;
    memset(m->corner_of, 0xFF, m->welded_count * sizeof *m->corner_of); /* TRILO_NONE */
    for (uint32_t i = 0; i < e->source_count; i++)
        for (uint32_t k = 0; e->sources[i].slot == number && k < e->sources[i].triangle_count; k++)
            points_add_triangle(m, slot, e->triangles[e->sources[i].first_triangle + k]);
    /* A triangle that is in the same slot twice would be drawn over itself. */
    uint32_t count;
    if (!tl_model64_number(&m->table, &(model64_rows){slot->triangles, points_triangle_hash, points_triangle_compare},
                           slot->triangle_count, m->numbers, m->firsts, &count))
        return false;
    m->repeated += slot->triangle_count - count;
    for (uint32_t i = 0; i < count; i++)
        memmove(slot->triangles[i], slot->triangles[m->firsts[i]], sizeof slot->triangles[i]);
    slot->triangle_count = count;
    return true;
}

static bool points_maker_init(model64_encoder *e, points_slot_maker *m)
{
    const uint32_t vertices = e->vertex_count, most = vertices > e->triangle_count ? vertices : e->triangle_count;
    model64_corner *welded = tl_array_raw(e->arena, vertices, sizeof *welded);
    uint32_t *welded_of = TL_ARRAY(e->arena, vertices, uint32_t);
    *m = (points_slot_maker){.e = e, .table = {.arena = e->arena}, .welded = welded, .welded_of = welded_of};
    m->corner_of = TL_ARRAY(e->arena, vertices, uint32_t);
    m->numbers = TL_ARRAY(e->arena, most, uint32_t);
    m->firsts = TL_ARRAY(e->arena, most, uint32_t);
    return welded && welded_of && m->corner_of && m->numbers && m->firsts &&
           points_weld_vertices(e, &m->table, welded) &&
           tl_model64_number_corners(&m->table, welded, vertices, welded_of, m->firsts, &m->welded_count);
}

bool tl_model64_make_corners(model64_encoder *e)
{
    points_slot_maker m;
    uint32_t drawn = 0;
    if (!points_maker_init(e, &m))
        return false;
    for (uint32_t i = 0; i < e->slot_count; i++) {
        if (!points_make_slot(&m, i))
            return false;
        drawn += e->slots[i].triangle_count;
    }
    if (drawn == 0)
        return tl_model64_encode_fail(e, MODEL64_R_EMPTY,
                                      "all %" PRIu32 " triangles lost their area in rounding; use a larger scale",
                                      e->triangle_count);
    if (m.collapsed > 0 || m.repeated > 0)
        tl_model64_report_loss(e, MODEL64_R_COLLAPSED,
                               "%" PRIu32 " triangles were removed: %" PRIu32 " have no area in any frame, %" PRIu32
                               " repeat another one",
                               m.collapsed + m.repeated, m.collapsed, m.repeated);
    return true;
}

/* From vertices to points and corners.
 *
 * Only what is equal on the console counts: everything is rounded before it is compared. Texture coordinates are
 * compared without their last bit, which the RSP drops. */
#include "formats/model64/encode/encode.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static uint32_t mix(uint32_t hash, uint32_t value)
{
    hash = (hash ^ value) * 0x9E3779B1u;
    return hash ^ hash >> 15;
}

/* --- points --- */

/* Vertices that were one point in all poses so far and are at the same spot in this one. */
typedef struct parting {
    const uint32_t *points;
    const model64_spot *pose;
} parting;

static uint32_t parting_hash(const void *rows, uint32_t row)
{
    const parting *p = rows;
    const model64_spot *spot = &p->pose[row];
    uint32_t hash = p->points[row];
    for (int k = 0; k < 3; k++)
        hash = mix(hash, (uint32_t)(uint16_t)spot->position[k] << 8 | (uint8_t)spot->normal[k]);
    return hash;
}

static int parting_compare(const void *rows, uint32_t a, uint32_t b)
{
    const parting *p = rows;
    if (p->points[a] != p->points[b])
        return p->points[a] < p->points[b] ? -1 : 1;
    return memcmp(&p->pose[a], &p->pose[b], sizeof *p->pose);
}

/* All vertices start as one point, and every pose parts those that are apart in it. */
bool tl_model64_number_points(model64_encoder *e)
{
    const uint32_t count = e->vertex_count;
    tl_hash_table table = {.arena = e->arena};
    uint32_t *before = TL_ARRAY(e->arena, count, uint32_t), *after = TL_ARRAY(e->arena, count, uint32_t);
    e->vertex_of_point = TL_ARRAY(e->arena, count, uint32_t);
    if (!before || !after || !e->vertex_of_point)
        return false;
    for (uint32_t pose = 0; pose < e->pose_count && e->point_count < count; pose++) {
        const parting rows = {before, e->poses[pose]};
        if (!tl_model64_number(&table, &(model64_rows){&rows, parting_hash, parting_compare}, count, after,
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

static uint32_t st_hash(const void *rows, uint32_t row)
{
    const int16_t *st = (const int16_t *)rows + 2 * (size_t)row;
    return mix(mix(0, (uint32_t)(st[0] & ~1)), (uint32_t)(st[1] & ~1));
}

static int st_compare(const void *rows, uint32_t a, uint32_t b)
{
    const int16_t *m = (const int16_t *)rows + 2 * (size_t)a, *n = (const int16_t *)rows + 2 * (size_t)b;
    const int s = (m[0] & ~1) - (n[0] & ~1);
    return s != 0 ? s : (m[1] & ~1) - (n[1] & ~1);
}

static uint32_t rgba_hash(const void *rows, uint32_t row)
{
    const uint8_t *c = (const uint8_t *)rows + 4 * (size_t)row;
    return mix(0, (uint32_t)c[0] << 24 | (uint32_t)c[1] << 16 | (uint32_t)c[2] << 8 | c[3]);
}

static int rgba_compare(const void *rows, uint32_t a, uint32_t b)
{
    return memcmp((const uint8_t *)rows + 4 * (size_t)a, (const uint8_t *)rows + 4 * (size_t)b, 4);
}

static void mesh_st(model64_encoder *e, const model64_source *source, int16_t (*st)[2])
{
    const trilo_mesh *mesh = &e->model->meshes[source->mesh];
    for (uint32_t i = 0; mesh->uvs && i < source->vertex_count; i++)
        for (int k = 0; k < 2; k++)
            st[source->first_vertex + i][k] = (int16_t)tl_model64_whole(
                ldexp(mesh->uvs[source->vertices[i]][k], (int)e->bits), INT16_MIN, INT16_MAX, &e->clamped_uv);
}

static void mesh_rgba(const model64_encoder *e, const model64_source *source, uint8_t (*rgba)[4])
{
    const trilo_mesh *mesh = &e->model->meshes[source->mesh];
    const trilo_material *material = mesh->material == TRILO_NONE ? NULL : &e->model->materials[mesh->material];
    for (uint32_t i = 0; i < source->vertex_count; i++)
        for (int k = 0; k < 4; k++) {
            const double color = mesh->colors ? mesh->colors[source->vertices[i]][k] : 1;
            const double tint = material ? material->base_color[k] : 1;
            rgba[source->first_vertex + i][k] = (uint8_t)tl_model64_whole(255 * color * tint, 0, UINT8_MAX, NULL);
        }
}

static void tell_clamped_uv(model64_encoder *e)
{
    if (e->clamped_uv.count > 0)
        tl_model64_report_loss(e, MODEL64_R_CLAMPED_UV,
                               "%" PRIu64 " texture coordinates do not fit; with %" PRIu32 " bits %.6g to %.6g do",
                               e->clamped_uv.count, e->bits, ldexp(INT16_MIN, -(int)e->bits),
                               ldexp(INT16_MAX, -(int)e->bits));
}

/* The values by number: the first exact one stands for those that differ in the last bit. */
static bool keep_values(model64_encoder *e, int16_t (*st)[2], const uint32_t *st_firsts, uint8_t (*rgba)[4],
                        const uint32_t *rgba_firsts)
{
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

/* looks[vertex]: its point, texture coordinate and colour. */
static bool make_looks(model64_encoder *e, tl_hash_table *table, model64_corner *looks)
{
    const uint32_t count = e->vertex_count;
    int16_t(*st)[2] = tl_array(e->arena, count, sizeof *st);
    uint8_t(*rgba)[4] = tl_array(e->arena, count, sizeof *rgba);
    uint32_t *st_of = TL_ARRAY(e->arena, count, uint32_t), *st_firsts = TL_ARRAY(e->arena, count, uint32_t);
    uint32_t *rgba_of = TL_ARRAY(e->arena, count, uint32_t), *rgba_firsts = TL_ARRAY(e->arena, count, uint32_t);
    if (!st || !rgba || !st_of || !st_firsts || !rgba_of || !rgba_firsts)
        return false;
    for (uint32_t i = 0; i < e->source_count; i++) {
        mesh_st(e, &e->sources[i], st);
        if (e->colors == TRILO_MODEL64_COLORS_RGBA)
            mesh_rgba(e, &e->sources[i], rgba);
    }
    tell_clamped_uv(e);
    if (!tl_model64_number(table, &(model64_rows){st, st_hash, st_compare}, count, st_of, st_firsts, &e->st_count) ||
        !tl_model64_number(table, &(model64_rows){rgba, rgba_hash, rgba_compare}, count, rgba_of, rgba_firsts,
                           &e->rgba_count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        looks[i] = (model64_corner){e->point_of[i], st_of[i], rgba_of[i]};
    return keep_values(e, st, st_firsts, rgba, rgba_firsts);
}

/* --- corners and triangles of a slot --- */

static uint32_t look_hash(const void *rows, uint32_t row)
{
    const model64_corner *c = (const model64_corner *)rows + row;
    return mix(mix(mix(0, c->point), c->st), c->rgba);
}

static int look_compare(const void *rows, uint32_t a, uint32_t b)
{
    const model64_corner *c = (const model64_corner *)rows + a, *d = (const model64_corner *)rows + b;
    if (c->point != d->point)
        return c->point < d->point ? -1 : 1;
    if (c->st != d->st)
        return c->st < d->st ? -1 : 1;
    return (c->rgba > d->rgba) - (c->rgba < d->rgba);
}

/* From the corner with the smallest number on: turned triangles are equal, those seen from behind are not. */
static uint32_t triangle_corner(const uint32_t triangle[3], int k)
{
    const int first = triangle[0] < triangle[1] ? triangle[0] < triangle[2] ? 0 : 2 : triangle[1] < triangle[2] ? 1 : 2;
    return triangle[(first + k) % 3];
}

static uint32_t triangle_hash(const void *rows, uint32_t row)
{
    const uint32_t *t = (const uint32_t *)rows + 3 * (size_t)row;
    return mix(mix(mix(0, triangle_corner(t, 0)), triangle_corner(t, 1)), triangle_corner(t, 2));
}

static int triangle_compare(const void *rows, uint32_t a, uint32_t b)
{
    const uint32_t *t = (const uint32_t *)rows + 3 * (size_t)a, *u = (const uint32_t *)rows + 3 * (size_t)b;
    for (int k = 0; k < 3; k++) {
        const uint32_t m = triangle_corner(t, k), n = triangle_corner(u, k);
        if (m != n)
            return m < n ? -1 : 1;
    }
    return 0;
}

/* What the slots are made from. */
typedef struct maker {
    model64_encoder *e;
    tl_hash_table table;
    const model64_corner *looks; /* of each vertex */
    const uint32_t *look_of;     /* number of that look */
    uint32_t look_count;
    uint32_t *corner_of; /* of each look in the slot at hand; TRILO_NONE: not yet */
    uint32_t *numbers, *firsts;
    uint32_t collapsed, repeated;
} maker;

static uint32_t corner_of(maker *m, model64_slot *slot, uint32_t vertex)
{
    uint32_t *corner = &m->corner_of[m->look_of[vertex]];
    if (*corner == TRILO_NONE) {
        slot->corners[slot->corner_count] = m->looks[vertex];
        *corner = slot->corner_count++;
    }
    return *corner;
}

/* A triangle with two corners on one point has no area in any pose. */
static void add_triangle(maker *m, model64_slot *slot, const uint32_t vertices[3])
{
    const uint32_t *point_of = m->e->point_of;
    const uint32_t a = point_of[vertices[0]], b = point_of[vertices[1]], c = point_of[vertices[2]];
    if (a == b || b == c || c == a) {
        m->collapsed++;
        return;
    }
    uint32_t *triangle = slot->triangles[slot->triangle_count++];
    for (int k = 0; k < 3; k++)
        triangle[k] = corner_of(m, slot, vertices[k]);
}

/* A triangle that stands in the same slot twice would be drawn over itself. */
static bool drop_repeated(maker *m, model64_slot *slot)
{
    uint32_t count;
    if (!tl_model64_number(&m->table, &(model64_rows){slot->triangles, triangle_hash, triangle_compare},
                           slot->triangle_count, m->numbers, m->firsts, &count))
        return false;
    m->repeated += slot->triangle_count - count;
    for (uint32_t i = 0; i < count; i++)
        memmove(slot->triangles[i], slot->triangles[m->firsts[i]], sizeof slot->triangles[i]);
    slot->triangle_count = count;
    return true;
}

static bool make_slot(maker *m, uint32_t number)
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
    memset(m->corner_of, 0xFF, m->look_count * sizeof *m->corner_of); /* TRILO_NONE */
    for (uint32_t i = 0; i < e->source_count; i++)
        for (uint32_t k = 0; e->sources[i].slot == number && k < e->sources[i].triangle_count; k++)
            add_triangle(m, slot, e->triangles[e->sources[i].first_triangle + k]);
    return drop_repeated(m, slot);
}

static bool maker_init(model64_encoder *e, maker *m)
{
    const uint32_t vertices = e->vertex_count, most = vertices > e->triangle_count ? vertices : e->triangle_count;
    model64_corner *looks = tl_array_raw(e->arena, vertices, sizeof *looks);
    uint32_t *look_of = TL_ARRAY(e->arena, vertices, uint32_t);
    *m = (maker){.e = e, .table = {.arena = e->arena}, .looks = looks, .look_of = look_of};
    m->corner_of = TL_ARRAY(e->arena, vertices, uint32_t);
    m->numbers = TL_ARRAY(e->arena, most, uint32_t);
    m->firsts = TL_ARRAY(e->arena, most, uint32_t);
    return looks && look_of && m->corner_of && m->numbers && m->firsts && make_looks(e, &m->table, looks) &&
           tl_model64_number(&m->table, &(model64_rows){looks, look_hash, look_compare}, vertices, look_of, m->firsts,
                             &m->look_count);
}

bool tl_model64_make_corners(model64_encoder *e)
{
    maker m;
    uint32_t drawn = 0;
    if (!maker_init(e, &m))
        return false;
    for (uint32_t i = 0; i < e->slot_count; i++) {
        if (!make_slot(&m, i))
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

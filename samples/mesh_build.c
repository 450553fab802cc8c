/* mesh_build.c: equal vertices are found by comparing with all others, which is fast enough for a thousand of them. */
#include "mesh_build.h"

#include "geometry.h"

#include <string.h>

static corner mirrored(const corner *c, mesh_twin_fn *twin)
{
    corner m = *c;
    m.at.x = 0.0f - c->at.x; /* and never -0 */
    m.joint = twin(c->joint);
    m.other = twin(c->other);
    return m;
}

static bool same_vertex(const mesh_build *mesh, uint32_t a, uint32_t b)
{
    return mesh->from_sheet[a] == mesh->from_sheet[b] &&
           !memcmp(mesh->positions[a], mesh->positions[b], sizeof mesh->positions[a]) &&
           !memcmp(mesh->uvs[a], mesh->uvs[b], sizeof mesh->uvs[a]) &&
           !memcmp(mesh->colors[a], mesh->colors[b], sizeof mesh->colors[a]) &&
           !memcmp(mesh->joints[a], mesh->joints[b], sizeof mesh->joints[a]) &&
           !memcmp(mesh->weights[a], mesh->weights[b], sizeof mesh->weights[a]);
}

static void set_vertex(mesh_build *mesh, uint32_t at, const corner *c)
{
    const bool shared = c->share < 1.0f;
    memcpy(mesh->positions[at], (float[3]){c->at.x, c->at.y, c->at.z}, sizeof mesh->positions[at]);
    memcpy(mesh->colors[at], (float[4]){c->tint.x, c->tint.y, c->tint.z, 1.0f}, sizeof mesh->colors[at]);
    memcpy(mesh->uvs[at], (float[2]){c->u, c->v}, sizeof mesh->uvs[at]);
    memcpy(mesh->joints[at], (uint16_t[4]){c->joint, shared ? c->other : 0}, sizeof mesh->joints[at]);
    memcpy(mesh->weights[at], (float[4]){c->share, 1.0f - c->share}, sizeof mesh->weights[at]);
    mesh->from_sheet[at] = mesh->sheet_count;
}

static uint32_t vertex_of(mesh_build *mesh, const corner *c)
{
    const uint32_t last = mesh->vertex_count;
    if (last == MESH_VERTICES) {
        mesh->full = true;
        return 0;
    }
    set_vertex(mesh, last, c);
    uint32_t at = 0;
    while (!same_vertex(mesh, at, last)) /* ends at the latest at the vertex itself */
        at++;
    mesh->vertex_count += at == last;
    return at;
}

static bool same_place(const corner *a, const corner *b)
{
    return a->at.x == b->at.x && a->at.y == b->at.y && a->at.z == b->at.z;
}

static void add_triangle(mesh_build *mesh, const corner *a, const corner *b, const corner *c)
{
    if (same_place(a, b) || same_place(b, c) || same_place(c, a))
        return;
    if (mesh->index_count + 3 > MESH_INDICES) {
        mesh->full = true;
        return;
    }
    mesh->indices[mesh->index_count++] = vertex_of(mesh, a);
    mesh->indices[mesh->index_count++] = vertex_of(mesh, b);
    mesh->indices[mesh->index_count++] = vertex_of(mesh, c);
}

static float distance_squared(const corner *a, const corner *b)
{
    const trilo_vec3 d = vec3_sub(a->at, b->at);
    return vec3_dot(d, d);
}

/* Along the shorter diagonal: it follows the form. */
static void add_quad(mesh_build *mesh, const corner *a, const corner *b, const corner *c, const corner *d)
{
    if (distance_squared(a, c) <= distance_squared(b, d)) {
        add_triangle(mesh, a, b, c);
        add_triangle(mesh, a, c, d);
    } else {
        add_triangle(mesh, a, b, d);
        add_triangle(mesh, b, c, d);
    }
}

static void add_side(mesh_build *mesh, const sheet *s, bool mirror)
{
    for (uint32_t r = 0; r + 1 < s->rows; r++)
        for (uint32_t c = 0; c + 1 < s->columns; c++) {
            corner q[4] = {s->corners[r][c], s->corners[r][c + 1], s->corners[r + 1][c + 1], s->corners[r + 1][c]};
            if (!mirror) {
                add_quad(mesh, &q[0], &q[1], &q[2], &q[3]);
                continue;
            }
            for (int i = 0; i < 4; i++)
                q[i] = mirrored(&q[i], mesh->twin);
            add_quad(mesh, &q[0], &q[3], &q[2], &q[1]); /* a mirror turns the winding round */
        }
}

void mesh_add(mesh_build *mesh, const sheet *s, mesh_sides sides)
{
    if (sides & SIDE_LEFT)
        add_side(mesh, s, false);
    if (sides & SIDE_RIGHT)
        add_side(mesh, s, true);
    mesh->sheet_count++;
}

/* Halfway between the pieces that meet at the ring. */
static trilo_vec3 path_direction(const tube_ring *rings, uint32_t count, uint32_t at)
{
    const trilo_vec3 from = rings[at > 0 ? at - 1 : 0].at;
    const trilo_vec3 to = rings[at + 1 < count ? at + 1 : at].at;
    return vec3_unit(vec3_sub(to, from));
}

void sheet_tube(sheet *s, const tube_ring *rings, uint32_t ring_count, uint32_t sides)
{
    /* One direction to the side for all rings, so that the tube does not twist. */
    const trilo_vec3 whole = vec3_sub(rings[ring_count - 1].at, rings[0].at);
    const trilo_vec3 right = vec3_unit(vec3_cross(vec3(0.0f, 1.0f, 0.0f), whole));
    s->rows = ring_count;
    s->columns = sides + 1;
    for (uint32_t r = 0; r < ring_count; r++) {
        const trilo_vec3 along = path_direction(rings, ring_count, r);
        const trilo_vec3 up = vec3_unit(vec3_cross(along, right));
        for (uint32_t c = 0; c <= sides; c++) {
            const float turns = (float)(c % sides) / (float)sides;
            const trilo_vec3 out = vec3_add(vec3_scale(right, cos_turns(turns)), vec3_scale(up, sin_turns(turns)));
            corner *k = &s->corners[r][c];
            *k = (corner){.joint = rings[r].joint, .other = rings[r].other, .share = rings[r].share};
            k->at = vec3_add(rings[r].at, vec3_scale(out, rings[r].radius));
            k->tint = vec3(1.0f, 1.0f, 1.0f);
        }
    }
}

static trilo_vec3 vertex_at(const mesh_build *mesh, uint32_t at)
{
    return vec3(mesh->positions[at][0], mesh->positions[at][1], mesh->positions[at][2]);
}

/* What the corner at an index adds to the normal of its vertex: the cross product of the two edges over the squares of
 * their lengths, which is exact when all vertices lie on a sphere (N. Max, Weights for Computing Vertex Normals from
 * Facet Normals, 1999). */
static trilo_vec3 corner_normal(const mesh_build *mesh, uint32_t index)
{
    const uint32_t *t = mesh->indices + index / 3 * 3;
    const trilo_vec3 at = vertex_at(mesh, mesh->indices[index]);
    const trilo_vec3 next = vec3_sub(vertex_at(mesh, t[(index + 1) % 3]), at);
    const trilo_vec3 last = vec3_sub(vertex_at(mesh, t[(index + 2) % 3]), at);
    return vec3_scale(vec3_cross(next, last), 1.0f / (vec3_dot(next, next) * vec3_dot(last, last)));
}

static bool smooth_together(const mesh_build *mesh, uint32_t a, uint32_t b)
{
    return mesh->from_sheet[a] == mesh->from_sheet[b] &&
           !memcmp(mesh->positions[a], mesh->positions[b], sizeof mesh->positions[a]);
}

void mesh_finish(mesh_build *mesh)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        trilo_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (uint32_t i = 0; i < mesh->index_count; i++)
            if (smooth_together(mesh, v, mesh->indices[i]))
                sum = vec3_add(sum, corner_normal(mesh, i));
        const trilo_vec3 n = vec3_unit(sum);
        memcpy(mesh->normals[v], (float[3]){n.x, n.y, n.z}, sizeof mesh->normals[v]);
    }
}

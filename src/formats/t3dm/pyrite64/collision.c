/* Collision meshes of Pyrite64: chunk `0` of models up to 0.4, files of their own since 0.5. They have no signature:
 * the counts at their start must give their size, and all indices must be those of vertices. */
#include "formats/t3dm/pyrite64/pyrite64.h"

typedef struct collision_head {
    uint32_t triangle_count, vertex_count;
    float scale;
    uint32_t pointers[3], bvh_at;
} collision_head;

typedef struct collision_triangle {
    uint16_t indices[3];
} collision_triangle;

typedef struct collision_normal {
    int16_t fixed[3];
    float normal[3];
} collision_normal;

typedef struct collision_vertex {
    float position[3];
} collision_vertex;

typedef struct collision_node {
    float min[3], max[3];
    uint32_t value;
} collision_node;

enum { COLLISION_V4 = 1, COLLISION_V9 = 2 }; /* layouts up to 0.8, and since 0.9 */

#define COLLISION_OLD 0, COLLISION_V4, 0, 0, NULL
#define COLLISION_NEW COLLISION_V9, 0, 0, 0, NULL

static const tl_field collision_head_rows[] = {
    TL_PLAIN_ROW(collision_head, triangle_count, TL_U32, 0, ""),
    TL_PLAIN_ROW(collision_head, vertex_count, TL_U32, 4, ""),
    TL_PLAIN_ROW(collision_head, scale, TL_F32, 8, "1"),
    TL_ROW(collision_head, pointers, TL_U32, 12, COLLISION_OLD, "0; the console's while it runs"),
    TL_ROW(collision_head, bvh_at, TL_U32, 12, COLLISION_NEW, "byte of the BVH"),
};
static const tl_field collision_triangle_rows[] = {
    TL_PLAIN_ROW(collision_triangle, indices, TL_U16, 0, "vertices"),
};
static const tl_field collision_normal_rows[] = {
    TL_ROW(collision_normal, fixed, TL_S16, 0, COLLISION_OLD, "of a triangle, times 32767"),
    TL_ROW(collision_normal, normal, TL_F32, 0, COLLISION_NEW, "of a triangle"),
};
static const tl_field collision_vertex_rows[] = {
    TL_PLAIN_ROW(collision_vertex, position, TL_F32, 0, "x, y, z; since 0.9 in meters"),
};
static const tl_field collision_node_rows[] = {
    TL_ROW(collision_node, min, TL_F32, 0, COLLISION_NEW, "smallest x, y, z"),
    TL_ROW(collision_node, max, TL_F32, 12, COLLISION_NEW, "largest x, y, z"),
    TL_ROW(collision_node, value, TL_U32, 24, COLLISION_NEW,
           "a leaf: bit 31 and the triangle; an inner node: nodes below it, which follow"),
};

static const tl_layout collision_head_layout = TL_TABLE(
    "pyrite64 collision", TL_BIG, collision_head_rows,
    "Chunk `0`, or a file called by 16 hexadecimal digits. Triangles, normals and vertices follow, padded to 4 "
    "bytes. Up to 0.7 a BVH follows twice, as in chunk `B` but of triangles; 0.8 has none. Versions 1: up to "
    "0.8, 2: since 0.9.");
static const tl_layout collision_triangle_layout =
    TL_TABLE("pyrite64 collision triangle", TL_BIG, collision_triangle_rows, "");
static const tl_layout collision_normal_layout =
    TL_TABLE("pyrite64 collision normal", TL_BIG, collision_normal_rows, "");
static const tl_layout collision_vertex_layout =
    TL_TABLE("pyrite64 collision vertex", TL_BIG, collision_vertex_rows, "");
static const tl_layout collision_node_layout =
    TL_TABLE("pyrite64 collision node", TL_BIG, collision_node_rows, "Since 0.9, in preorder.");

const tl_layout *const tl_pyrite64_collision_layouts[PYRITE64_COLLISION_LAYOUTS] = {
    &collision_head_layout, &collision_triangle_layout, &collision_normal_layout, &collision_vertex_layout,
    &collision_node_layout};

/* Where the lists of a collision mesh are. */
typedef struct collision_offsets {
    unsigned version;
    uint64_t triangles, normals, vertices, bvh, end;
} collision_offsets;

static uint64_t collision_align(uint64_t at)
{
    return (at + 3) / 4 * 4;
}

static collision_offsets collision_offsets_of(unsigned version, const collision_head *head)
{
    collision_offsets p = {.version = version, .triangles = tl_layout_size(&collision_head_layout, version)};
    const uint64_t triangles = head->triangle_count, vertices = head->vertex_count;
    p.normals = collision_align(p.triangles + triangles * tl_layout_size(&collision_triangle_layout, version));
    p.vertices = collision_align(p.normals + triangles * tl_layout_size(&collision_normal_layout, version));
    p.bvh = collision_align(p.vertices + vertices * tl_layout_size(&collision_vertex_layout, version));
    p.end = p.bvh;
    return p;
}

/* A BVH as in chunk `B`; returns its end, or 0. It has a node, unlike the zeros that pad a chunk. */
static uint64_t collision_bvh_end(trilo_bytes bytes, uint64_t at, t3dm_bvh_head *head)
{
    const uint64_t nodes = at + tl_layout_size(&tl_t3dm_bvh_head, TL_UNVERSIONED),
                   each = tl_layout_size(&tl_t3dm_bvh_node, TL_UNVERSIONED);
    if (nodes + each > bytes.size)
        return 0;
    tl_layout_load(&tl_t3dm_bvh_head, TL_UNVERSIONED, bytes.data + at, head);
    const uint64_t end = nodes + head->node_count * each + 2 * (uint64_t)head->item_count;
    return head->node_count > 0 && end <= bytes.size ? end : 0;
}

static bool collision_indices_fit(trilo_bytes bytes, const collision_offsets *p, const collision_head *head)
{
    for (uint64_t i = 0; i < 3 * (uint64_t)head->triangle_count; i++)
        if (tl_get_u16(bytes.data + p->triangles + 2 * i, TL_BIG) >= head->vertex_count)
            return false;
    return true;
}

/* False: the bytes are none. */
static bool collision_find(trilo_bytes bytes, collision_head *head, collision_offsets *p, trilo_pyrite64_collision *out)
{
    for (unsigned version = COLLISION_V4; version <= COLLISION_V9; version++) {
        t3dm_bvh_head bvh = {0};
        *head = (collision_head){0};
        if (bytes.size < tl_layout_size(&collision_head_layout, version))
            return false;
        tl_layout_load(&collision_head_layout, version, bytes.data, head);
        *p = collision_offsets_of(version, head);
        const bool pointers = (head->pointers[0] | head->pointers[1] | head->pointers[2]) != 0;
        if (head->triangle_count == 0 || pointers || p->bvh > bytes.size || !collision_indices_fit(bytes, p, head))
            continue;
        *out = (trilo_pyrite64_collision){.triangle_count = head->triangle_count, .vertex_count = head->vertex_count};
        if (version == COLLISION_V9) {
            out->bvh_count = 1;
            out->bvh_node_count = 2 * head->triangle_count - 1;
            p->end = p->bvh + out->bvh_node_count * (uint64_t)tl_layout_size(&collision_node_layout, version);
            if (head->bvh_at != p->bvh)
                continue;
        }
        for (uint64_t end; version == COLLISION_V4 && (end = collision_bvh_end(bytes, p->end, &bvh)) != 0;
             p->end = end) {
            out->bvh_count++;
            out->bvh_node_count = bvh.node_count;
        }
        const bool known = version == COLLISION_V9 || out->bvh_count == 0 || out->bvh_count == 2;
        out->since = version == COLLISION_V9 ? "0.9" : out->bvh_count == 2 ? "0.1" : "0.8";
        uint64_t end = p->end;
        while (end < bytes.size && end < p->end + 8 && bytes.data[end] == 0) /* padding of the chunk */
            end++;
        if (known && end == bytes.size && end < p->end + 8)
            return true;
    }
    return false;
}

bool trilo_pyrite64_collision_read(trilo_bytes bytes, trilo_pyrite64_collision *out)
{
    collision_head head;
    collision_offsets offsets;
    *out = (trilo_pyrite64_collision){.since = ""};
    return collision_find(bytes, &head, &offsets, out);
}

static uint64_t collision_visit_list(const trilo_visitor *v, const char *name, const tl_layout *layout,
                                     unsigned version, trilo_bytes bytes, uint64_t at, uint32_t count, uint64_t offset)
{
    v->list_begin(v->user, name, count, offset + at);
    for (uint32_t i = 0; i < count; i++, at += tl_layout_size(layout, version)) {
        v->record_begin(v->user, NULL, offset + at);
        tl_layout_visit(layout, version, bytes.data + at, offset + at, v);
        v->record_end(v->user);
    }
    v->list_end(v->user);
    return at;
}

bool trilo_pyrite64_collision_visit(trilo_bytes bytes, uint64_t offset, const trilo_visitor *v)
{
    collision_head head;
    collision_offsets p;
    trilo_pyrite64_collision c;
    if (!collision_find(bytes, &head, &p, &c))
        return false;
    tl_layout_visit(&collision_head_layout, p.version, bytes.data, offset, v);
    collision_visit_list(v, "triangles", &collision_triangle_layout, p.version, bytes, p.triangles, head.triangle_count,
                         offset);
    collision_visit_list(v, "normals", &collision_normal_layout, p.version, bytes, p.normals, head.triangle_count,
                         offset);
    collision_visit_list(v, "vertices", &collision_vertex_layout, p.version, bytes, p.vertices, head.vertex_count,
                         offset);
    uint64_t at = p.bvh;
    if (p.version == COLLISION_V9)
        collision_visit_list(v, "nodes", &collision_node_layout, p.version, bytes, at, c.bvh_node_count, offset);
    for (uint32_t i = 0; p.version == COLLISION_V4 && i < c.bvh_count; i++) {
        t3dm_bvh_head bvh = {0};
        const uint64_t end = collision_bvh_end(bytes, at, &bvh);
        v->record_begin(v->user, "bvh", offset + at);
        at = collision_visit_list(v, "nodes", &tl_t3dm_bvh_node, TL_UNVERSIONED, bytes,
                                  at + tl_layout_size(&tl_t3dm_bvh_head, TL_UNVERSIONED), bvh.node_count, offset);
        v->list_begin(v->user, "items", bvh.item_count, offset + at);
        for (; at < end; at += 2)
            v->field(
                v->user, NULL,
                &(trilo_value){TRILO_VALUE_KIND_UINT, 1, offset + at, {.u = {tl_get_u16(bytes.data + at, TL_BIG)}}});
        v->list_end(v->user);
        v->record_end(v->user);
    }
    return true;
}

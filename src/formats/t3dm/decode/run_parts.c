/* Parts run as the console runs them, so that what is decoded is what is drawn. What loads and strips overwrite of the
 * vertex cache (n64/rsp_cost.h) is lost, unless the load itself fills it again. */
#include "formats/t3dm/t3dm.h"

#include "base/size.h"
#include <string.h>

enum { T3DM_RUN_STRIP_ALIGN = 8 };

#define T3DM_SLOT_EMPTY TRILO_NONE
#define T3DM_SLOT_LOST  (TRILO_NONE - 1)

enum { T3DM_RUN_BATCH = 512 }; /* a strip of the largest size fits into an empty one */

typedef struct t3dm_machine {
    const t3dm_file *file;
    const t3dm_object *object;
    const t3dm_drawer *drawer;
    const t3dm_part *part;
    uint32_t number; /* of the part */
    t3dm_slot cache[T3DM_CACHE + 1];
    uint8_t drawable[256]; /* 1 for slots that hold a vertex */
    uint32_t whole;        /* all slots below hold one */
    uint8_t batch[T3DM_RUN_BATCH][3];
    uint32_t batch_count;
} t3dm_machine;

static void t3dm_run_fault(const t3dm_machine *m, enum t3dm_rule_id rule, const char *field, uint32_t value,
                           uint32_t limit)
{
    if (!m->drawer->fault)
        return;
    const uint64_t part_at = m->object->at + tl_layout_size(&tl_t3dm_object_head, 0) +
                             (uint64_t)m->number * tl_layout_size(&tl_t3dm_part, m->file->version);
    const tl_field *row = tl_layout_field(&tl_t3dm_part, m->file->version, field);
    m->drawer->fault(m->drawer->user,
                     &(t3dm_draw_fault){rule, m->number, part_at + (row ? row->at : 0), field, value, limit});
}

static void t3dm_run_lose_slots(t3dm_machine *m, uint32_t first, uint32_t end)
{
    for (uint32_t s = first; s < end; s++) {
        m->cache[s].vertex = m->cache[s].vertex == T3DM_SLOT_EMPTY ? T3DM_SLOT_EMPTY : T3DM_SLOT_LOST;
        m->drawable[s] = 0;
    }
}

static bool t3dm_run_load_vertices(t3dm_machine *m)
{
    const t3dm_part *part = m->part;
    const uint32_t count = tl_rsp_loaded(part->vertex_count), first = part->vertex_at / T3DM_VERTEX_SIZE;
    const uint32_t dest = part->vertex_dest;
    if (part->vertex_count > T3DM_CACHE) {
        t3dm_run_fault(m, T3DM_R_PART_VERTS, "vertex_count", part->vertex_count, T3DM_CACHE);
        return false;
    }
    if (part->vertex_dest + count > T3DM_CACHE + 1) {
        t3dm_run_fault(m, T3DM_R_PART_DEST, "vertex_dest", part->vertex_dest, T3DM_CACHE + 1 - count);
        return false;
    }
    if (part->vertex_at % (T3DM_PAIR * T3DM_VERTEX_SIZE) != 0 ||
        !tl_fits(m->file->vertices.size, part->vertex_at, count, T3DM_VERTEX_SIZE)) {
        t3dm_run_fault(m, T3DM_R_PART_SOURCE, "vertex_at", part->vertex_at, (uint32_t)m->file->vertices.size);
        return false;
    }
    /* What the vertices overwrite before they are transformed is lost, unless they go there. */
    const uint32_t lost = (TL_RSP_LOAD_END - T3DM_VERTEX_SIZE * count) / TL_RSP_SLOT_SIZE, end = dest + count;
    t3dm_run_lose_slots(m, lost, dest);
    t3dm_run_lose_slots(m, lost > end ? lost : end, T3DM_CACHE + 1);
    for (uint32_t i = 0; i < count; i++)
        m->cache[dest + i] = (t3dm_slot){first + i, part->bone};
    memset(m->drawable + dest, 1, count);
    m->drawable[T3DM_CACHE] = 0;
    return true;
}

static void t3dm_run_flush(t3dm_machine *m)
{
    if (m->batch_count > 0)
        m->drawer->triangles(m->drawer->user,
                             &(t3dm_batch){m->number, m->batch_count, m->cache, (const uint8_t(*)[3])m->batch});
    m->batch_count = 0;
}

/* A part has drawn all it has; its cache is still what it drew from. */
static void t3dm_run_end_part(t3dm_machine *m)
{
    t3dm_run_flush(m);
    if (m->drawer->part)
        m->drawer->part(m->drawer->user, m->part, m->cache);
}

/* Why a triangle cannot be drawn. */
static void t3dm_run_explain(t3dm_machine *m, const uint32_t slots[3], const char *field)
{
    for (int i = 0; i < 3; i++) {
        if (slots[i] >= T3DM_CACHE) {
            t3dm_run_fault(m, T3DM_R_SLOT_RANGE, field, slots[i], T3DM_CACHE - 1);
            return;
        }
        const uint32_t vertex = m->cache[slots[i]].vertex;
        if (vertex == T3DM_SLOT_EMPTY || vertex == T3DM_SLOT_LOST) {
            t3dm_run_fault(m, vertex == T3DM_SLOT_LOST ? T3DM_R_SLOT_LOST : T3DM_R_SLOT_EMPTY, field, slots[i], 0);
            return;
        }
    }
}

static inline void t3dm_run_draw_triangle(t3dm_machine *m, uint32_t a, uint32_t b, uint32_t c, const char *field)
{
    if ((a | b | c) > 255 || (m->drawable[a] & m->drawable[b] & m->drawable[c]) == 0) {
        t3dm_run_explain(m, (const uint32_t[3]){a, b, c}, field);
        return;
    }
    uint8_t *next = m->batch[m->batch_count++];
    next[0] = (uint8_t)a, next[1] = (uint8_t)b, next[2] = (uint8_t)c;
    if (m->batch_count == T3DM_RUN_BATCH)
        t3dm_run_flush(m);
}

/* The triangles of the list, then those of the sequence. */
static void t3dm_run_draw_lists(t3dm_machine *m)
{
    const t3dm_part *part = m->part;
    const uint32_t base = part->sequence_base, count = part->sequence_count;
    if (part->index_count % 3 == 0 && tl_fits(m->file->indices.size, part->index_at, part->index_count, 1)) {
        for (uint32_t i = 0; i + 2 < part->index_count; i += 3) {
            const uint8_t *slots = m->file->indices.data + part->index_at + i;
            t3dm_run_draw_triangle(m, slots[0], slots[1], slots[2], "index_at");
        }
    } else if (part->index_count > 0) {
        t3dm_run_fault(m, T3DM_R_PART_LIST, "index_count", part->index_count, (uint32_t)m->file->indices.size);
    }
    if (count > 0 && base + 3 * count > T3DM_CACHE) {
        t3dm_run_fault(m, T3DM_R_SEQUENCE, "sequence_count", base + 3 * count, T3DM_CACHE);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        t3dm_run_draw_triangle(m, base + 3 * i, base + 3 * i + 1, base + 3 * i + 2, "sequence_base");
}

/* --- strips --- */

/* They lie behind the list, each aligned as the file is loaded. */
uint32_t tl_t3dm_strips(const t3dm_file *file, const t3dm_part *part, t3dm_strip strips[T3DM_STRIPS])
{
    const trilo_bytes indices = file->indices;
    uint64_t at = (uint64_t)file->indices_at + part->index_at + part->index_count;
    uint32_t count = 0;
    for (; count < T3DM_STRIPS && part->strip_counts[count] != 0; count++) {
        const uint32_t n = part->strip_counts[count];
        at = (at + T3DM_RUN_STRIP_ALIGN - 1) / T3DM_RUN_STRIP_ALIGN * T3DM_RUN_STRIP_ALIGN;
        const uint64_t inside = at - file->indices_at;
        if (n < 3 || inside > indices.size || !tl_fits(indices.size, (size_t)inside, n, 2))
            break;
        strips[count] = (t3dm_strip){indices.data + inside, n};
        at += 2 * (uint64_t)n;
    }
    return count;
}

/* A strip unpacked: a part looks at its indices several times. */
typedef struct t3dm_unpacked_strip {
    int16_t slots[UINT8_MAX];    /* 15 bits */
    int16_t restarts[UINT8_MAX]; /* 1 where a new strip begins */
    uint32_t count, highest, restart_count;
    bool fine;     /* flags are only where three indices lie before and behind */
    bool drawable; /* every slot holds a vertex */
} t3dm_unpacked_strip;

static void t3dm_run_unpack_words(uint32_t version, const t3dm_strip *strip, t3dm_unpacked_strip *r)
{
    for (uint32_t k = 0; k < strip->count; k++) {
        bool restart;
        r->slots[k] = (int16_t)t3dm_strip_slot(version, strip, k, &restart);
        r->restarts[k] = restart;
    }
}

/* The loops are over 16-bit numbers alone, which compilers vectorise best. */
static void t3dm_run_unpack_strip(const t3dm_machine *m, const t3dm_strip *strip, t3dm_unpacked_strip *r)
{
    const uint32_t count = strip->count;
    int16_t highest = 0, restarts = 0, bad = 0;
    if (m->file->version >= T3DM_V3)
        t3dm_run_unpack_words(T3DM_V3, strip, r);
    else
        t3dm_run_unpack_words(m->file->version, strip, r);
    for (uint32_t k = 0; k < count; k++) {
        highest = r->slots[k] > highest ? r->slots[k] : highest;
        restarts = (int16_t)(restarts + r->restarts[k]);
    }
    uint32_t drawable = 1;
    for (uint32_t k = 0; (uint32_t)highest >= m->whole && k < count; k++)
        drawable &= m->drawable[r->slots[k] & 0xFF];
    r->count = count;
    r->highest = (uint32_t)highest;
    r->restart_count = (uint32_t)(restarts - r->restarts[0]); /* a flag on the first index says nothing */
    /* Three indices at least between two starts, and behind the last one. The first index starts a strip anyway. */
    for (uint32_t k = 2; k < count; k++)
        bad = (int16_t)(bad | (r->restarts[k] & (r->restarts[k - 1] | r->restarts[k - 2])));
    r->fine = (bad | r->restarts[count - 1] | r->restarts[count - 2] | r->restarts[1] | r->restarts[2]) == 0;
    r->drawable = drawable != 0 && r->highest < T3DM_CACHE;
}

/* Nothing can go wrong any more: every triangle of the strip goes into the batch. */
static void t3dm_run_draw_valid_strip(t3dm_machine *m, const t3dm_unpacked_strip *r)
{
    if (m->batch_count + r->count > T3DM_RUN_BATCH)
        t3dm_run_flush(m);
    uint8_t(*out)[3] = m->batch + m->batch_count;
    uint32_t odd = 0;
    for (uint32_t k = 2; k < r->count; k++) {
        if (r->restarts[k]) {
            k++; /* the third index of the new strip ends its first triangle */
            odd = 0;
            continue;
        }
        (*out)[0] = (uint8_t)r->slots[k - 2 + odd];
        (*out)[1] = (uint8_t)r->slots[k - 1 - odd];
        (*out)[2] = (uint8_t)r->slots[k];
        out++;
        odd ^= 1;
    }
    m->batch_count = (uint32_t)(out - m->batch);
}

/* Versions 1 and 2 skip a triangle whose first and third corner are equal: such a one only turned the strip. */
static void t3dm_run_draw_checked_strip(t3dm_machine *m, const t3dm_unpacked_strip *r)
{
    const bool skips = m->file->version < T3DM_V3;
    bool odd = false;
    for (uint32_t k = 0; k + 2 < r->count;) {
        if (r->restarts[k + 2]) {
            k += 2;
            odd = false;
            continue;
        }
        const uint32_t a = (uint32_t)r->slots[k], b = (uint32_t)r->slots[k + 1], c = (uint32_t)r->slots[k + 2];
        if (!skips || a != c)
            t3dm_run_draw_triangle(m, odd ? b : a, odd ? a : b, c, "strip_counts");
        odd = !odd;
        k++;
    }
}

static void t3dm_run_draw_strips(t3dm_machine *m)
{
    t3dm_strip strips[T3DM_STRIPS];
    t3dm_unpacked_strip runs[T3DM_STRIPS];
    if (m->part->strip_counts[0] == 0) {
        t3dm_run_end_part(m);
        return;
    }
    const uint32_t count = tl_t3dm_strips(m->file, m->part, strips);
    const uint8_t *missing = memchr(m->drawable, 0, sizeof m->drawable); /* at T3DM_CACHE at the latest */
    m->whole = missing ? (uint32_t)(missing - m->drawable) : T3DM_CACHE;
    if (count < T3DM_STRIPS && m->part->strip_counts[count] != 0)
        t3dm_run_fault(m, T3DM_R_STRIP_SIZE, "strip_counts", m->part->strip_counts[count],
                       (uint32_t)m->file->indices.size);
    for (uint32_t i = 0; i < count; i++)
        t3dm_run_unpack_strip(m, &strips[i], &runs[i]);
    /* The buffer of each strip must leave the slots alone that it and the strips behind it use. */
    uint32_t highest = 0;
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t bytes = tl_rsp_strip_bytes(runs[i].count);
        highest = runs[i].highest > highest ? runs[i].highest : highest;
        if (highest < T3DM_CACHE && bytes > TL_RSP_SLOT_SIZE * (T3DM_CACHE - 1 - highest))
            t3dm_run_fault(m, T3DM_R_STRIP_ROOM, "strip_counts", bytes, TL_RSP_SLOT_SIZE * (T3DM_CACHE - 1 - highest));
    }
    for (uint32_t i = 0; i < count; i++) {
        const bool fast = runs[i].fine && runs[i].drawable && m->file->version >= T3DM_V3;
        if (fast && m->drawer->strip)
            m->drawer->strip(m->drawer->user, &(t3dm_run){m->number, runs[i].count, runs[i].restart_count, m->cache,
                                                          runs[i].slots, runs[i].restarts});
        else if (fast)
            t3dm_run_draw_valid_strip(m, &runs[i]);
        else if (runs[i].fine)
            t3dm_run_draw_checked_strip(m, &runs[i]);
        else
            t3dm_run_fault(m, T3DM_R_STRIP_FLAG, "strip_counts", runs[i].count, 3);
    }
    t3dm_run_end_part(m);
    for (uint32_t i = 0; i < count; i++)
        t3dm_run_lose_slots(m, (TL_RSP_STRIP_END - tl_rsp_strip_bytes(runs[i].count)) / TL_RSP_SLOT_SIZE,
                            T3DM_CACHE + 1);
}

void tl_t3dm_draw(const t3dm_file *file, const t3dm_object *object, const t3dm_drawer *drawer)
{
    t3dm_machine m;
    m.file = file, m.object = object, m.drawer = drawer;
    m.batch_count = 0;
    memset(m.drawable, 0, sizeof m.drawable);
    for (uint32_t i = 0; i <= T3DM_CACHE; i++)
        m.cache[i].vertex = T3DM_SLOT_EMPTY;
    for (m.number = 0; m.number < object->head.part_count; m.number++) {
        m.part = &object->parts[m.number];
        if (!t3dm_run_load_vertices(&m))
            continue;
        t3dm_run_draw_lists(&m);
        t3dm_run_draw_strips(&m); /* finishes the part before its buffers overwrite slots */
    }
}

/* An odd number of vertices is loaded with one more. */
t3dm_object_limits tl_t3dm_object_limits(const t3dm_object *object)
{
    t3dm_object_limits limits = {0, 0};
    for (uint32_t i = 0; i < object->head.part_count; i++) {
        const t3dm_part *part = &object->parts[i];
        limits.triangles += part->index_count / 3u + part->sequence_count;
        for (int k = 0; k < T3DM_STRIPS; k++)
            limits.triangles += part->strip_counts[k];
        limits.vertices += part->vertex_count + 1u;
    }
    return limits;
}

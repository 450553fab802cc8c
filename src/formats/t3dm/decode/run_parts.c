/* Parts run as the console runs them, so that what is decoded is what is drawn. What loads and strips overwrite of the
 * vertex cache (n64/rsp_cost.h) is lost, unless the load itself fills it again. */
#include "formats/t3dm/decode/strip_scan.h"

#include "base/lanes.h"
#include "base/size.h"
#include <string.h>

enum { T3DM_RUN_STRIP_ALIGN = 8 };

enum { T3DM_RUN_BATCH = 512 }; /* a strip of the largest size fits into an empty one */

typedef struct t3dm_machine {
    const t3dm_file *file;
    const t3dm_object *object;
    const t3dm_drawer *drawer;
    const t3dm_part *part;
    uint32_t number;                 /* of the part */
    t3dm_slot cache[T3DM_CACHE + 1]; /* of drawable slots */
    t3dm_slot_set drawable;          /* slots that hold a vertex */
    t3dm_slot_set loaded;            /* those that ever did */
    const t3dm_part *unfilled;       /* whose vertices are not in the cache yet; NULL: none */
    uint8_t batch[T3DM_RUN_BATCH][3];
    uint32_t batch_count;
    t3dm_strip strips[T3DM_STRIPS]; /* after the batch, of a drawer that takes strips */
    uint32_t strip_count, strip_triangles;
    t3dm_part_sum sum;
} t3dm_machine;

static void t3dm_run_fault(const t3dm_machine *m, enum t3dm_rule_id rule, const char *field, uint32_t value,
                           uint32_t limit)
{
    if (!m->drawer->fault)
        return;
    const uint64_t part_at = m->object->at + tl_layout_size(&tl_t3dm_object_head, TL_UNVERSIONED) +
                             (uint64_t)m->number * tl_layout_size(&tl_t3dm_part, m->file->version);
    const tl_field *row = tl_layout_field(&tl_t3dm_part, m->file->version, field);
    m->drawer->fault(m->drawer->user,
                     &(t3dm_draw_fault){rule, m->number, part_at + (row ? row->at : 0), field, value, limit});
}

/* Those from `first` on. */
static void t3dm_run_lose_slots(t3dm_machine *m, uint32_t first)
{
    const t3dm_slot_set kept = t3dm_set_below(first);
    m->drawable.words[0] &= kept.words[0];
    m->drawable.words[1] &= kept.words[1];
}

static void t3dm_run_fill_cache(t3dm_machine *m)
{
    const t3dm_part *part = m->unfilled;
    if (!part)
        return;
    const uint32_t count = tl_rsp_loaded(part->vertex_count), first = part->vertex_at / T3DM_VERTEX_SIZE;
    const uint32_t dest = part->vertex_dest, bone = part->bone;
    for (uint32_t i = 0; i < count; i++)
        m->cache[dest + i] = (t3dm_slot){first + i, bone};
    m->unfilled = NULL;
}

/* Most loads overwrite all of the one before, and most parts that are only summed up draw nothing else: their vertices
 * need not be put into the cache. */
static void t3dm_run_fill_later(t3dm_machine *m)
{
    const t3dm_part *last = m->unfilled, *next = m->part;
    if (last && (last->vertex_dest < next->vertex_dest || last->vertex_dest + tl_rsp_loaded(last->vertex_count) >
                                                              next->vertex_dest + tl_rsp_loaded(next->vertex_count)))
        t3dm_run_fill_cache(m);
    m->unfilled = next;
}

static bool t3dm_run_load_vertices(t3dm_machine *m)
{
    const t3dm_part *part = m->part;
    const uint32_t count = tl_rsp_loaded(part->vertex_count), dest = part->vertex_dest;
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
    const uint32_t end = dest + count;
    const t3dm_slot_set loaded = t3dm_set_range(dest, end < T3DM_CACHE ? end : T3DM_CACHE);
    t3dm_run_lose_slots(m, (TL_RSP_LOAD_END - T3DM_VERTEX_SIZE * count) / TL_RSP_SLOT_SIZE);
    t3dm_run_fill_later(m);
    for (int i = 0; i < 2; i++) {
        m->drawable.words[i] |= loaded.words[i];
        m->loaded.words[i] |= loaded.words[i];
    }
    return true;
}

static void t3dm_run_flush(t3dm_machine *m)
{
    if (m->batch_count > 0 || m->strip_count > 0)
        m->drawer->triangles(m->drawer->user, &(t3dm_batch){m->number, m->batch_count, m->cache,
                                                            (const uint8_t(*)[3])m->batch, m->strip_count, m->strips});
    m->batch_count = m->strip_count = m->strip_triangles = 0;
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
        if (!t3dm_set_has(&m->drawable, slots[i])) {
            t3dm_run_fault(m, t3dm_set_has(&m->loaded, slots[i]) ? T3DM_R_SLOT_LOST : T3DM_R_SLOT_EMPTY, field,
                           slots[i], 0);
            return;
        }
    }
}

static inline void t3dm_run_draw_triangle(t3dm_machine *m, uint32_t a, uint32_t b, uint32_t c, const char *field)
{
    if ((a | b | c) > 127 || !t3dm_set_has(&m->drawable, a) || !t3dm_set_has(&m->drawable, b) ||
        !t3dm_set_has(&m->drawable, c)) {
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

/* A file may have no indices. */
static const uint8_t *t3dm_indices_end(const t3dm_file *file)
{
    return file->indices.data ? file->indices.data + file->indices.size : NULL;
}

/* They follow the list, each aligned as the file is loaded. */
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

/* True if every slot holds a vertex. Usually all up to the highest do. */
static bool t3dm_run_is_drawable(const t3dm_machine *m, const t3dm_strip *strip, uint32_t highest)
{
    if (highest >= T3DM_CACHE)
        return false;
    const t3dm_slot_set all = t3dm_set_below(highest + 1);
    bool drawable = true;
    if ((all.words[0] & ~m->drawable.words[0]) != 0 || (all.words[1] & ~m->drawable.words[1]) != 0)
        for (uint32_t k = 0; drawable && k < strip->count; k++)
            drawable = t3dm_set_has(&m->drawable, strip->bytes[2 * k + 1]);
    return drawable;
}

/* Adds every triangle of a strip that has been validated to the batch. Slots are the second bytes of
 * indices, flags the top bits of the first ones. */
static void t3dm_run_split_strip(t3dm_machine *m, const t3dm_strip *strip)
{
    const uint8_t(*words)[2] = (const uint8_t(*)[2])strip->bytes;
    uint8_t(*out)[3] = m->batch + m->batch_count;
    uint32_t odd = 0;
    for (uint32_t k = 2; k < strip->count; k++) {
        if (words[k][0]) {
            k++; /* the third index of the new strip ends its first triangle */
            odd = 0;
            continue;
        }
        (*out)[0] = words[k - 2 + odd][1];
        (*out)[1] = words[k - 1 - odd][1];
        (*out)[2] = words[k][1];
        out++;
        odd ^= 1;
    }
    m->batch_count = (uint32_t)(out - m->batch);
}

/* Batches are the same whether a drawer takes strips or not. */
static void t3dm_run_draw_valid_strip(t3dm_machine *m, const t3dm_strip *strip, const t3dm_strip_facts *facts)
{
    if (m->batch_count + m->strip_triangles + strip->count > T3DM_RUN_BATCH)
        t3dm_run_flush(m);
    if (m->drawer->takes_strips) {
        m->strips[m->strip_count++] = *strip;
        m->strip_triangles += strip->count - 2 - 2 * facts->restarts;
    } else {
        t3dm_run_split_strip(m, strip);
    }
}

/* Versions 1 and 2 skip a triangle whose first and third corner are equal: it only changed the winding of the strip. */
static void t3dm_run_draw_checked_strip(t3dm_machine *m, const t3dm_strip *strip)
{
    const uint32_t version = m->file->version;
    bool odd = false, restart;
    for (uint32_t i = 0; i < m->strip_count; i++) /* come first */
        t3dm_run_split_strip(m, &m->strips[i]);
    m->strip_count = m->strip_triangles = 0;
    for (uint32_t k = 0; k + 2 < strip->count;) {
        const uint32_t c = t3dm_strip_slot(version, strip, k + 2, &restart);
        if (restart) {
            k += 2;
            odd = false;
            continue;
        }
        const uint32_t a = t3dm_strip_slot(version, strip, k, &restart),
                       b = t3dm_strip_slot(version, strip, k + 1, &restart);
        if (version >= T3DM_V3 || a != c)
            t3dm_run_draw_triangle(m, odd ? b : a, odd ? a : b, c, "strip_counts");
        odd = !odd;
        k++;
    }
}

static void t3dm_run_draw_strip(t3dm_machine *m, const t3dm_strip *strip, const t3dm_strip_facts *facts)
{
    if (!facts->fine)
        t3dm_run_fault(m, T3DM_R_STRIP_FLAG, "strip_counts", strip->count, 3);
    else if (m->file->version < T3DM_V3 || !t3dm_run_is_drawable(m, strip, facts->highest))
        t3dm_run_draw_checked_strip(m, strip);
    else
        t3dm_run_draw_valid_strip(m, strip, facts);
}

/* Scans all strips of the part. The buffer of each must not overwrite the slots that it and the strips after it use.
 * Returns the bytes of the largest buffer. */
static uint32_t t3dm_run_scan_strips(t3dm_machine *m, const t3dm_strip *strips, uint32_t count, t3dm_strip_facts *facts)
{
    const uint8_t *end = t3dm_indices_end(m->file);
    uint32_t highest = 0, most = 0;
    for (uint32_t i = count; i-- > 0;) {
        facts[i] = tl_t3dm_scan_strip(m->file->version, &strips[i], end);
        const uint32_t bytes = tl_rsp_strip_bytes(strips[i].count);
        highest = facts[i].highest > highest ? facts[i].highest : highest;
        most = bytes > most ? bytes : most;
        if (highest < T3DM_CACHE && bytes > TL_RSP_SLOT_SIZE * (T3DM_CACHE - 1 - highest))
            t3dm_run_fault(m, T3DM_R_STRIP_ROOM, "strip_counts", bytes, TL_RSP_SLOT_SIZE * (T3DM_CACHE - 1 - highest));
    }
    return most;
}

static void t3dm_run_draw_strips(t3dm_machine *m)
{
    t3dm_strip strips[T3DM_STRIPS];
    t3dm_strip_facts facts[T3DM_STRIPS];
    if (m->part->strip_counts[0] == 0) {
        t3dm_run_end_part(m);
        return;
    }
    const uint32_t count = tl_t3dm_strips(m->file, m->part, strips);
    if (count < T3DM_STRIPS && m->part->strip_counts[count] != 0)
        t3dm_run_fault(m, T3DM_R_STRIP_SIZE, "strip_counts", m->part->strip_counts[count],
                       (uint32_t)m->file->indices.size);
    const uint32_t buffer = t3dm_run_scan_strips(m, strips, count, facts);
    for (uint32_t i = 0; i < count; i++)
        t3dm_run_draw_strip(m, &strips[i], &facts[i]);
    t3dm_run_end_part(m);
    if (count > 0)
        t3dm_run_lose_slots(m, (TL_RSP_STRIP_END - buffer) / TL_RSP_SLOT_SIZE);
}

/* --- parts as a whole --- */

static bool t3dm_run_sum_list(t3dm_machine *m)
{
    const t3dm_part *part = m->part;
    uint32_t bits = 0, degenerate = 0;
    t3dm_slot_set drawn = {{0, 0}};
    m->sum = (t3dm_part_sum){{{0, 0}}, 0, 0};
    if (part->index_count == 0)
        return true;
    if (part->index_count % 3 != 0 || !tl_fits(m->file->indices.size, part->index_at, part->index_count, 1))
        return false;
    for (uint32_t i = 0; i < part->index_count; i += 3) {
        const uint8_t *slots = m->file->indices.data + part->index_at + i;
        const uint8_t a = slots[0], b = slots[1], c = slots[2];
        bits |= (uint32_t)a | b | c;
        for (int k = 0; k < 3; k++) { /* without an index into the set: it stays in registers */
            const uint64_t bit = (uint64_t)1 << slots[k] % 64;
            drawn.words[0] |= slots[k] < 64 ? bit : 0;
            drawn.words[1] |= slots[k] < 64 ? 0 : bit;
        }
        degenerate += (uint32_t)((a == b) | (b == c) | (c == a));
    }
    m->sum = (t3dm_part_sum){drawn, part->index_count / 3u, degenerate};
    return bits <= 0x7F;
}

static bool t3dm_run_sum_sequence(t3dm_machine *m)
{
    const uint32_t base = m->part->sequence_base, count = m->part->sequence_count;
    if (count == 0)
        return true;
    if (base + 3 * count > T3DM_CACHE)
        return false;
    const t3dm_slot_set drawn = t3dm_set_range(base, base + 3 * count);
    m->sum.drawn.words[0] |= drawn.words[0];
    m->sum.drawn.words[1] |= drawn.words[1];
    m->sum.triangles += count;
    return true;
}

/* As t3dm_run_scan_strips and t3dm_run_draw_strip do; false where these find something wrong. */
static bool t3dm_run_sum_strips(t3dm_machine *m, uint32_t *buffer)
{
    t3dm_strip strips[T3DM_STRIPS];
    t3dm_strips_sum sum;
    uint8_t limits[T3DM_STRIPS];
    uint32_t indices = 0;
    const uint32_t count = tl_t3dm_strips(m->file, m->part, strips);
    if (count < T3DM_STRIPS && m->part->strip_counts[count] != 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t bytes = tl_rsp_strip_bytes(strips[i].count);
        limits[i] = (uint8_t)(T3DM_CACHE - 1 - (bytes + TL_RSP_SLOT_SIZE - 1) / TL_RSP_SLOT_SIZE);
        *buffer = bytes > *buffer ? bytes : *buffer;
        indices += strips[i].count;
    }
    if (count == 0)
        return true;
    if (!tl_t3dm_sum_strips(strips, limits, count, t3dm_indices_end(m->file), &sum))
        return false;
    m->sum.drawn.words[0] |= sum.slots.words[0];
    m->sum.drawn.words[1] |= sum.slots.words[1];
    m->sum.triangles += indices - 2 * count - 2 * sum.restarts;
    m->sum.degenerate += sum.degenerate;
    return true;
}

static bool t3dm_run_sum_part(t3dm_machine *m)
{
    uint32_t buffer = 0;
    if (!m->drawer->sum || m->file->version < T3DM_V3 || !t3dm_run_sum_list(m) || !t3dm_run_sum_sequence(m) ||
        !t3dm_run_sum_strips(m, &buffer))
        return false;
    if (((m->sum.drawn.words[0] & ~m->drawable.words[0]) | (m->sum.drawn.words[1] & ~m->drawable.words[1])) != 0)
        return false;
    m->drawer->sum(m->drawer->user, &m->sum);
    t3dm_run_end_part(m);
    if (buffer > 0)
        t3dm_run_lose_slots(m, (TL_RSP_STRIP_END - buffer) / TL_RSP_SLOT_SIZE);
    return true;
}

void tl_t3dm_draw(const t3dm_file *file, const t3dm_object *object, const t3dm_drawer *drawer)
{
    t3dm_machine m;
    m.file = file, m.object = object, m.drawer = drawer;
    m.batch_count = m.strip_count = m.strip_triangles = 0;
    m.drawable = m.loaded = (t3dm_slot_set){{0, 0}};
    m.unfilled = NULL;
    for (m.number = 0; m.number < object->head.part_count; m.number++) {
        m.part = &object->parts[m.number];
        if (!t3dm_run_load_vertices(&m) || t3dm_run_sum_part(&m))
            continue;
        t3dm_run_fill_cache(&m);
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

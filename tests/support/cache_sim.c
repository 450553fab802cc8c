#include "support/cache_sim.h"

#include "harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes behind the start of slot 0. */
enum {
    SLOT = 36,
    SLOTS = 70,
    WRITABLE = 71, /* one slot more can be written, but not drawn */
    CACHE = SLOTS * SLOT,
    STAGING = 2872, /* raw vertices of a load end here, 16 bytes each */
    RAW = 16,
    SPOILED = 2, /* slots behind a load */
    MEMORY = STAGING + SPOILED * SLOT,
    X_SIZE = 4 /* whole and fraction of the first number of a slot */
};

enum { RESTART = 0x8000, STRIP_LEAST = 3 };

enum { LOST = 0 }; /* writer of a byte that is of no vertex (any more) */

typedef struct sim {
    const tl_batch_input *in;
    const tl_batch_output *out;
    cache_sim_result *result;
    const tl_batch_part *part;
    uint32_t writer[MEMORY]; /* 1 + part that loaded what is there, or LOST */
    uint32_t group;          /* of parts up to one that draws */
    uint32_t *group_of;      /* of each part */
    uint8_t *used, *taken;   /* of each stored vertex of each load, of each strip index */
    uint32_t *used_at;       /* first of a part in `used` */
    bool pushed;
} sim;

__attribute__((format(printf, 2, 3))) static bool broken(sim *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    s->result->part = (uint32_t)(s->part - s->out->parts);
    vsnprintf(s->result->broken, sizeof s->result->broken, format, args);
    va_end(args);
    return false;
}

static void lose(sim *s, int from, int to)
{
    for (int i = from < 0 ? 0 : from; i < to && i < MEMORY; i++)
        s->writer[i] = LOST;
}

/* --- matrices --- */

/* Every part sets the matrix of its bone, also the one that is set. */
static void set_matrix(sim *s, bool bone)
{
    s->result->work.pushes += bone;
    s->result->work.pops += s->pushed && !bone;
    s->pushed = bone;
}

/* --- loads --- */

static bool check_load(sim *s)
{
    const tl_batch_part *p = s->part;
    if (p->vertex_count == 0)
        return broken(s, "a load of nothing moves 4096 bytes");
    if (p->vertex_count % 2 != 0)
        return broken(s, "%u vertices, an odd number", p->vertex_count);
    if (p->first_vertex % 2 != 0)
        return broken(s, "the source %u is in the middle of a pair", p->first_vertex);
    if (p->dest + p->vertex_count > WRITABLE)
        return broken(s, "slots %u to %u are beyond the cache", p->dest, p->dest + p->vertex_count - 1u);
    if (p->first_vertex > s->out->vertex_count || p->vertex_count > s->out->vertex_count - p->first_vertex)
        return broken(s, "vertices beyond the stored ones");
    for (uint32_t i = 0; i < p->vertex_count; i++)
        if (s->out->vertices[p->first_vertex + i] >= s->in->vertex_count)
            return broken(s, "a stored vertex is none of the input");
    if (p->bone != TL_BATCH_NO_BONE && !s->in->bones)
        return broken(s, "a bone where the input has none");
    return true;
}

/* The raw vertices arrive at the end of the memory, over what is there; the results go to their slots. Until a game has
 * once set fog, the last pair also writes the X of the two slots behind. */
static bool run_load(sim *s)
{
    const tl_batch_part *p = s->part;
    const uint32_t index = (uint32_t)(p - s->out->parts);
    if (!check_load(s))
        return false;
    const int count = p->vertex_count, end = p->dest + count;
    lose(s, STAGING - RAW * count, STAGING);
    for (int i = SLOT * p->dest; i < SLOT * end; i++)
        s->writer[i] = index + 1;
    for (int k = 0; k < SPOILED; k++)
        lose(s, SLOT * (end + k), SLOT * (end + k) + X_SIZE);
    s->group_of[index] = s->group;
    s->result->work.loads++;
    s->result->work.vertices += p->vertex_count;
    return true;
}

/* --- triangles --- */

static bool whole(const sim *s, uint32_t slot, uint32_t *part)
{
    const uint32_t writer = s->writer[SLOT * slot];
    for (uint32_t i = 1; i < SLOT; i++)
        if (s->writer[SLOT * slot + i] != writer)
            return false;
    *part = writer - 1;
    return writer != LOST;
}

static bool fetch(sim *s, uint32_t slot, uint32_t *vertex)
{
    uint32_t from;
    if (slot >= SLOTS)
        return broken(s, "slot %u cannot be drawn", slot);
    if (!whole(s, slot, &from))
        return broken(s, "slot %u is empty or was overwritten", slot);
    const tl_batch_part *p = &s->out->parts[from];
    *vertex = s->out->vertices[p->first_vertex + slot - p->dest];
    const uint16_t bone = s->in->bones ? s->in->bones[*vertex] : TL_BATCH_NO_BONE;
    if (bone != p->bone)
        return broken(s, "vertex %u of bone %u was loaded with bone %u", *vertex, bone, p->bone);
    if (!s->in->resident && s->group_of[from] != s->group)
        return broken(s, "slot %u is of a part before the last that drew", slot);
    s->used[s->used_at[from] + slot - p->dest] = 1;
    return true;
}

static bool draw(sim *s, uint32_t a, uint32_t b, uint32_t c)
{
    cache_sim_result *r = s->result;
    if (r->triangle_count == s->in->triangle_count)
        return broken(s, "more triangles than the input has");
    uint32_t *t = r->triangles[r->triangle_count];
    if (!fetch(s, a, &t[0]) || !fetch(s, b, &t[1]) || !fetch(s, c, &t[2]))
        return false;
    r->triangle_count++;
    return true;
}

static bool run_list(sim *s)
{
    const tl_batch_part *p = s->part;
    if (p->index_count % 3 != 0)
        return broken(s, "a list of %u indices, no multiple of 3", p->index_count);
    if (p->index_count == 0)
        return true;
    if (p->first_index > s->out->index_count || p->index_count > s->out->index_count - p->first_index)
        return broken(s, "indices beyond the stored ones");
    const uint8_t *index = s->out->indices + p->first_index;
    for (uint32_t i = 0; i < p->index_count; i += 3)
        if (!draw(s, index[i], index[i + 1], index[i + 2]))
            return false;
    s->result->work.list += p->index_count / 3u;
    return true;
}

static bool run_sequence(sim *s)
{
    const uint32_t base = s->part->sequence_base, count = s->part->sequence_count;
    if (count == 0)
        return true;
    if (!s->in->sequences)
        return broken(s, "a sequence where none may be");
    if (base + 3 * count > SLOTS)
        return broken(s, "a sequence of %u from slot %u is beyond the cache", count, base);
    for (uint32_t i = base; i < base + 3 * count; i += 3)
        if (!draw(s, i, i + 1, i + 2))
            return false;
    s->result->work.sequences++;
    s->result->work.in_sequence += count;
    return true;
}

/* --- strips --- */

/* The loop over a strip ends when it meets the last index exactly: behind a run that is too short it goes on for ever.
 */
static bool check_runs(sim *s, const uint16_t *strip, uint32_t count)
{
    uint32_t start = 0;
    if (count < STRIP_LEAST)
        return broken(s, "a strip of %u indices", count);
    if (strip[count - 1] & RESTART)
        return broken(s, "the last index of a strip starts another");
    for (uint32_t i = 1; i <= count; i++) {
        if (i < count && !(strip[i] & RESTART))
            continue;
        if (i - start < STRIP_LEAST)
            return broken(s, "a run of %u indices in a strip", i - start);
        start = i;
    }
    return true;
}

/* Two parts must not share strip indices: the console rewrites them when it loads the model. */
static bool take_strip(sim *s, uint32_t first, uint32_t count)
{
    if (first > s->out->strip_size || count > s->out->strip_size - first)
        return broken(s, "strip indices beyond the stored ones");
    for (uint32_t i = first; i < first + count; i++) {
        if (s->taken[i])
            return broken(s, "strip indices that another strip has too");
        s->taken[i] = 1;
    }
    return true;
}

/* Indices are copied to the end of the cache before the first of them is drawn. */
static bool run_strip(sim *s, uint32_t first, uint32_t count)
{
    if (!take_strip(s, first, count) || !check_runs(s, s->out->strips + first, count))
        return false;
    const uint16_t *v = s->out->strips + first;
    const int size = (2 * (int)count + 7) / 8 * 8;
    bool odd = false;
    lose(s, CACHE - size, CACHE);
    for (uint32_t k = 0; k + 2 < count;) {
        const uint32_t a = v[k] & ~(uint32_t)RESTART, b = v[k + 1] & ~(uint32_t)RESTART, c = v[k + 2];
        if (c & RESTART) {
            k += 2;
            odd = false;
            continue;
        }
        s->result->work.flat += a == b || b == c || c == a;
        if (!draw(s, odd ? b : a, odd ? a : b, c))
            return false;
        k++;
        odd = !odd;
    }
    s->result->work.strips++;
    s->result->work.strip_indices += count;
    s->result->work.strip_bytes += (uint64_t)size;
    return true;
}

static bool run_strips(sim *s)
{
    const tl_batch_part *p = s->part;
    for (int i = 0; i < TL_BATCH_STRIPS && p->strip_counts[i] > 0; i++) {
        if (!s->in->strips)
            return broken(s, "a strip where none may be");
        if (!run_strip(s, p->first_strip[i], p->strip_counts[i]))
            return false;
    }
    return true;
}

/* --- parts --- */

static bool run_part(sim *s)
{
    const tl_batch_part *p = s->part;
    const bool other = p->sequence_count > 0 || p->strip_counts[0] > 0, draws = p->index_count > 0 || other;
    set_matrix(s, p->bone != TL_BATCH_NO_BONE);
    if (!run_load(s) || !run_list(s) || !run_sequence(s) || !run_strips(s))
        return false;
    s->result->work.syncs += draws && !other;
    s->result->work.draws += draws;
    s->group += draws;
    if (!draws && p + 1 == s->out->parts + s->out->part_count)
        return broken(s, "the last part draws nothing");
    return true;
}

static void sum_up(const sim *s, uint32_t room)
{
    cache_sim_work *w = &s->result->work;
    w->pops += s->pushed;
    for (uint32_t i = 0; i < room; i++)
        w->idle += !s->used[i];
    const uint64_t draws = (uint64_t)w->list + w->sequences + w->strips, matrices = (uint64_t)w->pushes + w->pops;
    w->commands = w->loads + draws + w->syncs + matrices;
    w->draw_bytes = 8 * draws + w->strip_bytes;
    w->rsp_bytes = 12 * (uint64_t)w->loads + 16 * (uint64_t)w->vertices + w->draw_bytes + 4 * (uint64_t)w->syncs +
                   8 * matrices + 192 * (uint64_t)w->pushes + 128 * (uint64_t)w->pops;
}

void cache_sim_run(const tl_batch_input *in, const tl_batch_output *out, cache_sim_result *result)
{
    sim s = {.in = in, .out = out, .result = result};
    uint32_t room = 0;
    memset(result, 0, sizeof *result);
    s.used_at = calloc(out->part_count + 1u, sizeof *s.used_at);
    s.group_of = calloc(out->part_count + 1u, sizeof *s.group_of);
    s.taken = calloc(out->strip_size + 1u, 1);
    result->triangles = calloc(in->triangle_count + 1u, sizeof *result->triangles);
    CHECK(s.used_at && s.group_of && s.taken && result->triangles);
    for (uint32_t i = 0; i < out->part_count; room += out->parts[i++].vertex_count)
        s.used_at[i] = room;
    s.used = calloc(room + 1u, 1);
    CHECK(s.used);
    for (uint32_t i = 0; i < out->part_count; i++) {
        s.part = &out->parts[i];
        if (!run_part(&s))
            break;
    }
    sum_up(&s, room);
    free(s.used_at);
    free(s.group_of);
    free(s.taken);
    free(s.used);
}

void cache_sim_free(cache_sim_result *result)
{
    free(result->triangles);
    *result = (cache_sim_result){0};
}

/* --- comparing --- */

static int compare(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    for (int i = 0; i < 3; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Of the three rotations the smallest, so that the winding stays; then all in order. */
static void put_in_order(uint32_t (*triangles)[3], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *t = triangles[i];
        uint32_t turned[3][3] = {{t[0], t[1], t[2]}, {t[1], t[2], t[0]}, {t[2], t[0], t[1]}};
        qsort(turned, 3, sizeof *turned, compare);
        memcpy(triangles[i], turned[0], sizeof *triangles);
    }
    if (count > 0)
        qsort(triangles, count, sizeof *triangles, compare);
}

bool cache_sim_same(const tl_batch_input *in, const cache_sim_result *result)
{
    const size_t size = in->triangle_count * sizeof *in->triangles;
    if (result->triangle_count != in->triangle_count)
        return false;
    uint32_t(*want)[3] = malloc(size + 1);
    CHECK(want);
    if (size > 0)
        memcpy(want, in->triangles, size);
    put_in_order(want, in->triangle_count);
    put_in_order(result->triangles, in->triangle_count);
    const bool same = memcmp(want, result->triangles, size) == 0;
    free(want);
    return same;
}

cache_sim_work cache_sim_check(const char *what, const tl_batch_input *in, const tl_batch_output *out)
{
    cache_sim_result result;
    cache_sim_run(in, out, &result);
    if (result.broken[0])
        FAIL("%s: part %u of %u: %s", what, result.part, out->part_count, result.broken);
    if (result.work.flat > 0)
        FAIL("%s: %u triangles without area in strips, which versions 1 and 2 skip", what, result.work.flat);
    if (!cache_sim_same(in, &result))
        FAIL("%s: %u triangles were drawn, and they are not the %u of the input", what, result.triangle_count,
             in->triangle_count);
    const cache_sim_work work = result.work;
    cache_sim_free(&result);
    return work;
}

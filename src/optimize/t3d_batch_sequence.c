/* Which triangles the sequence draws.
 *
 * One command draws any number of triangles whose vertices stand in a row, without any index. A triangle that is alone
 * in its run saves three indices there, and one at the end of a longer run saves one. No two may have a vertex in
 * common, so those go first that stand in the way of the fewest others. A run that loses its first triangle starts with
 * the wrong winding, which reading it from its other end mends only if an odd number of indices is left.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

typedef enum place { WHOLE, TAIL, HEAD } place;

typedef struct candidate {
    uint16_t run;
    uint8_t end;
    uint8_t corners[3];
    uint32_t rank; /* lower goes first */
} candidate;

typedef struct chooser {
    const tl_group *group;
    const tl_block *block;
    tl_runs *runs;
    tl_sequence *out;
    candidate candidates[TL_GROUP_TRIANGLES];
    uint32_t count, saved;
    uint8_t wanted[TL_PACK_SLOTS]; /* of each vertex: how many candidates have it */
    bool trimmed[TL_GROUP_TRIANGLES];
} chooser;

enum { CANDIDATES_MOST = TL_GROUP_TRIANGLES - 1, WANTED_MOST = 60, ODD_BOTH_ENDS = 7 };

static bool may_move(const chooser *c, uint8_t vertex)
{
    return (uint32_t)vertex - c->block->first < c->block->count && !c->group->kept[vertex];
}

/* Triangle k of a run, as it is drawn. */
static void corners_of(const uint8_t *run, uint32_t k, uint8_t out[3])
{
    out[0] = run[k + k % 2];
    out[1] = run[k + 1 - k % 2];
    out[2] = run[k + 2];
}

static void propose(chooser *c, uint32_t run, place end)
{
    candidate *new = &c->candidates[c->count];
    corners_of(c->runs->indices + c->runs->first[run], end == TAIL ? c->runs->length[run] - 3u : 0, new->corners);
    if (c->count == CANDIDATES_MOST || !may_move(c, new->corners[0]) || !may_move(c, new->corners[1]) ||
        !may_move(c, new->corners[2]))
        return;
    for (int i = 0; i < 3; i++)
        if (c->wanted[new->corners[i]] < WANTED_MOST)
            c->wanted[new->corners[i]]++;
    new->run = (uint16_t)run;
    new->end = (uint8_t)end;
    c->count++;
}

static void propose_all(chooser *c)
{
    for (uint32_t run = 0; run < c->runs->count; run++) {
        const uint32_t length = c->runs->length[run];
        if (length == 3) {
            propose(c, run, WHOLE);
            continue;
        }
        propose(c, run, TAIL);
        if (length % 2 == 0 || length >= ODD_BOTH_ENDS)
            propose(c, run, HEAD);
    }
}

/* Alone in a run, then ends; the head of an odd run only when its tail had its chance. */
static void rank(chooser *c, uint32_t seed)
{
    uint32_t chance = seed;
    for (uint32_t i = 0; i < c->count; i++) {
        candidate *one = &c->candidates[i];
        const uint32_t crowd =
            (uint32_t)c->wanted[one->corners[0]] + c->wanted[one->corners[1]] + c->wanted[one->corners[2]];
        const uint32_t late = one->end == HEAD && c->runs->length[one->run] % 2 != 0 ? 2 : one->end == WHOLE ? 0 : 1;
        one->rank = late << 16 | (seed == 0 ? 4 * crowd : 4 * crowd + tl_batch_random(&chance) % 9);
    }
    for (uint32_t i = 1; i < c->count; i++) {
        const candidate one = c->candidates[i];
        uint32_t at = i;
        for (; at > 0 && c->candidates[at - 1].rank > one.rank; at--)
            c->candidates[at] = c->candidates[at - 1];
        c->candidates[at] = one;
    }
}

static void reverse(uint8_t *indices, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint8_t index = indices[i];
        indices[i] = indices[count - 1 - i];
        indices[count - 1 - i] = index;
    }
}

/* Takes the end off its run, if that run still allows it. */
static bool trim(chooser *c, const candidate *one)
{
    tl_runs *runs = c->runs;
    const uint32_t run = one->run;
    if (one->end == HEAD ? runs->length[run] % 2 != 0 : c->trimmed[run])
        return false;
    c->trimmed[run] = true;
    if (one->end == WHOLE) {
        runs->length[run] = 0;
        c->saved += 3;
        return true;
    }
    runs->length[run]--;
    c->saved++;
    if (one->end == HEAD) {
        runs->first[run]++;
        reverse(runs->indices + runs->first[run], runs->length[run]);
    }
    return true;
}

static bool is_apart(const chooser *c, const candidate *one)
{
    return !c->out->has[one->corners[0]] && !c->out->has[one->corners[1]] && !c->out->has[one->corners[2]];
}

uint32_t tl_batch_choose_sequence(const tl_group *group, uint32_t block, uint32_t seed, tl_runs *runs, tl_sequence *out)
{
    chooser c;
    c.group = group;
    c.block = &group->blocks[block];
    c.runs = runs;
    c.out = out;
    c.count = c.saved = 0;
    memset(c.wanted, 0, sizeof c.wanted);
    memset(c.trimmed, 0, runs->count * sizeof *c.trimmed);
    out->count = 0;
    out->block = block;
    memset(out->has, 0, sizeof out->has);
    propose_all(&c);
    rank(&c, seed);
    for (uint32_t i = 0; i < c.count && out->count < TL_SEQUENCE_MOST; i++) {
        const candidate *one = &c.candidates[i];
        if (!is_apart(&c, one) || !trim(&c, one))
            continue;
        for (int k = 0; k < 3; k++)
            out->has[one->corners[k]] = true;
        memcpy(out->triangles[out->count++], one->corners, 3);
    }
    return c.saved;
}

/* Which triangles the sequence draws.
 *
 * One command draws any number of triangles whose vertices have consecutive slots, without any index. A triangle that
 * is alone in its strip saves three indices there, and one at the end of a longer strip saves one. No two may have a
 * vertex in common: a greedy independent set, those first that exclude the fewest others. A strip that loses its first
 * triangle starts with the wrong winding; reversing it corrects that only if an odd number of indices is left.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

typedef enum sequence_place { SEQUENCE_WHOLE, SEQUENCE_TAIL, SEQUENCE_HEAD } sequence_place;

typedef struct sequence_candidate {
    uint16_t strip;
    uint8_t end;
    uint8_t corners[3];
    uint32_t rank; /* lower goes first */
} sequence_candidate;

typedef struct sequence_chooser {
    tl_triangle_strips *strips;
    tl_batch_sequence *out;
    sequence_candidate candidates[TL_BATCH_TRIANGLES];
    uint32_t count, saved;
    uint8_t wanted[TL_BATCH_SLOTS]; /* of each vertex: how many candidates have it */
    bool trimmed[TL_BATCH_TRIANGLES];
} sequence_chooser;

enum { SEQUENCE_CANDIDATES_MOST = TL_BATCH_TRIANGLES - 1, SEQUENCE_WANTED_MOST = 60, SEQUENCE_ODD_BOTH_ENDS = 7 };

static void sequence_propose(sequence_chooser *c, uint32_t strip, sequence_place end)
{
    sequence_candidate *new = &c->candidates[c->count];
    const uint8_t *indices = c->strips->indices + c->strips->first[strip];
    const uint32_t k = end == SEQUENCE_TAIL ? c->strips->length[strip] - 3u : 0;
    new->corners[0] = indices[k + k % 2];
    new->corners[1] = indices[k + 1 - k % 2];
    new->corners[2] = indices[k + 2];
    if (c->count == SEQUENCE_CANDIDATES_MOST || !tl_batch_sequence_may_have(c->out, new->corners))
        return;
    for (int i = 0; i < 3; i++)
        if (c->wanted[new->corners[i]] < SEQUENCE_WANTED_MOST)
            c->wanted[new->corners[i]]++;
    new->strip = (uint16_t)strip;
    new->end = (uint8_t)end;
    c->count++;
}

/* Triangles that are alone in a strip come first, then ends, last the heads of odd strips. Equal ones are random. */
static void sequence_rank(sequence_chooser *c, uint32_t seed)
{
    uint32_t random = seed;
    for (uint32_t i = 0; i < c->count; i++) {
        sequence_candidate *one = &c->candidates[i];
        const uint32_t crowd =
            (uint32_t)c->wanted[one->corners[0]] + c->wanted[one->corners[1]] + c->wanted[one->corners[2]];
        const uint32_t late = one->end == SEQUENCE_HEAD && c->strips->length[one->strip] % 2 != 0 ? 2
                              : one->end == SEQUENCE_WHOLE                                        ? 0
                                                                                                  : 1;
        one->rank = late << 16 | (seed == 0 ? 4 * crowd : 4 * crowd + tl_batch_random(&random) % 9);
    }
    for (uint32_t i = 1; i < c->count; i++) {
        const sequence_candidate one = c->candidates[i];
        uint32_t at = i;
        for (; at > 0 && c->candidates[at - 1].rank > one.rank; at--)
            c->candidates[at] = c->candidates[at - 1];
        c->candidates[at] = one;
    }
}

/* Takes the end off its strip, if that strip still allows it. */
static bool sequence_trim(sequence_chooser *c, const sequence_candidate *one)
{
    tl_triangle_strips *strips = c->strips;
    const uint32_t strip = one->strip;
    if (one->end == SEQUENCE_HEAD ? strips->length[strip] % 2 != 0 : c->trimmed[strip])
        return false;
    c->trimmed[strip] = true;
    if (one->end == SEQUENCE_WHOLE) {
        strips->length[strip] = 0;
        c->saved += 3;
        return true;
    }
    strips->length[strip]--;
    c->saved++;
    if (one->end == SEQUENCE_HEAD) {
        uint8_t *indices = strips->indices + ++strips->first[strip];
        const uint32_t count = strips->length[strip];
        for (uint32_t i = 0; i < count / 2; i++) {
            const uint8_t index = indices[i];
            indices[i] = indices[count - 1 - i];
            indices[count - 1 - i] = index;
        }
    }
    return true;
}

uint32_t tl_batch_choose_sequence(uint32_t seed, tl_triangle_strips *strips, tl_batch_sequence *out)
{
    sequence_chooser c;
    c.strips = strips;
    c.out = out;
    c.count = c.saved = 0;
    memset(c.wanted, 0, sizeof c.wanted);
    memset(c.trimmed, 0, strips->count * sizeof *c.trimmed);
    out->count = 0;
    memset(out->has, 0, sizeof out->has);
    for (uint32_t strip = 0; strip < c.strips->count; strip++) {
        const uint32_t length = c.strips->length[strip];
        if (length == 3) {
            sequence_propose(&c, strip, SEQUENCE_WHOLE);
            continue;
        }
        sequence_propose(&c, strip, SEQUENCE_TAIL);
        if (length % 2 == 0 || length >= SEQUENCE_ODD_BOTH_ENDS)
            sequence_propose(&c, strip, SEQUENCE_HEAD);
    }
    sequence_rank(&c, seed);
    for (uint32_t i = 0; i < c.count && out->count < TL_SEQUENCE_TRIANGLES; i++) {
        const sequence_candidate *one = &c.candidates[i];
        if (out->has[one->corners[0]] || out->has[one->corners[1]] || out->has[one->corners[2]] ||
            !sequence_trim(&c, one))
            continue;
        for (int k = 0; k < 3; k++)
            out->has[one->corners[k]] = true;
        memcpy(out->triangles[out->count++], one->corners, 3);
    }
    return c.saved;
}

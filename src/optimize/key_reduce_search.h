/* key_reduce_search.h: breadth-first search for the fewest keys.
 *
 * Layer k holds what k keys can end with: a sample with a code for it. Only the best of a layer are kept (a beam
 * search): those that got farthest, then those nearest to their sample. The first layer that ends on the last sample
 * has the fewest keys. */
#ifndef TL_OPTIMIZE_KEY_REDUCE_SEARCH_H
#define TL_OPTIMIZE_KEY_REDUCE_SEARCH_H

#include "optimize/key_reduce.h"

enum { TL_KEY_BEAM_WIDTH = 6 };

typedef struct tl_key_state {
    uint32_t sample, code;
    uint32_t before; /* index of the previous state in `all` */
    double error;    /* distance of the code from its sample */
    double q[4];     /* the value of the code; a scalar has only the first */
} tl_key_state;

typedef struct tl_key_search {
    tl_arena *scratch;
    tl_key_state *all; /* of all layers, in order */
    uint32_t count, room;
    uint32_t layer;             /* where the newest complete layer begins; it ends at `count` */
    tl_key_state *next;         /* the next layer, behind the others, the best states first */
    uint32_t next_count, width; /* at most TL_KEY_BEAM_WIDTH */
} tl_key_search;

/* Without a state. False: no memory. */
bool tl_key_search_start(tl_key_search *search, tl_arena *scratch, uint32_t width);

/* States at samples before this one are dropped. */
static inline uint32_t tl_key_search_least(const tl_key_search *s)
{
    return s->next_count == s->width ? s->next[s->width - 1].sample : 0;
}

/* Where a state belongs in the next layer: the width if it is not good enough, or in it already. States with the same
 * sample and code have the same error, so they are side by side. */
static inline uint32_t tl_key_search_place(const tl_key_search *s, uint32_t sample, double error, uint32_t code)
{
    uint32_t at = s->next_count;
    for (; at > 0; at--) {
        const tl_key_state *before = &s->next[at - 1];
        if (sample != before->sample ? sample < before->sample
            : error != before->error ? !(error < before->error)
                                     : code > before->code)
            break;
        if (sample == before->sample && code == before->code)
            return s->width;
    }
    return at;
}

/* The new state at a place less than the width, to be filled. The last one goes if the layer is full. */
static inline tl_key_state *tl_key_search_insert(tl_key_search *s, uint32_t place)
{
    s->next_count += s->next_count < s->width ? 1 : 0;
    for (uint32_t k = s->next_count - 1; k > place; k--)
        s->next[k] = s->next[k - 1];
    return &s->next[place];
}

/* Makes the next layer the newest one. False: no memory. */
bool tl_key_search_advance(tl_key_search *search);
/* The keys that lead to a state. */
void tl_key_search_trace(const tl_key_search *search, uint32_t state, tl_keys *out);

#endif

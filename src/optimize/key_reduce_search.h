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
    uint32_t layer; /* where the newest complete layer begins; it ends at `count` */
    tl_key_state next[TL_KEY_BEAM_WIDTH];
    uint32_t next_count, width; /* at most TL_KEY_BEAM_WIDTH */
} tl_key_search;

/* States at samples before this one are dropped. */
static inline uint32_t tl_key_search_least(const tl_key_search *s)
{
    return s->next_count == s->width ? s->next[s->width - 1].sample : 0;
}

/* True if a state is good enough for the next layer, and not in it yet. To be called before work is done for it. */
static inline bool tl_key_search_wants(const tl_key_search *s, uint32_t sample, double error, uint32_t code)
{
    if (s->next_count == s->width) {
        const tl_key_state *worst = &s->next[s->width - 1];
        const bool better = sample != worst->sample ? sample > worst->sample
                            : error != worst->error ? error < worst->error
                                                    : code < worst->code;
        if (!better)
            return false;
    }
    for (uint32_t i = 0; i < s->next_count; i++)
        if (s->next[i].code == code && s->next[i].sample == sample)
            return false;
    return true;
}

/* Adds a state that passes that test. */
void tl_key_search_add(tl_key_search *search, const tl_key_state *state);
/* Makes the next layer the newest one. False: no memory. */
bool tl_key_search_advance(tl_key_search *search);
/* The keys that lead to a state. */
void tl_key_search_trace(const tl_key_search *search, uint32_t state, tl_keys *out);

#endif

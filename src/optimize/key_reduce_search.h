/* key_reduce_search.h: the search that numbers and rotations share.
 *
 * Keys are found layer by layer: the states of layer k are samples that k + 1 keys reach, each with one of the codes it
 * can have there. A layer keeps the few states that got furthest. The first that stands on the last sample has the
 * fewest keys. */
#ifndef TL_OPTIMIZE_KEY_REDUCE_SEARCH_H
#define TL_OPTIMIZE_KEY_REDUCE_SEARCH_H

#include "optimize/key_reduce.h"

enum { TL_KEYS_WIDTH = 6 };

typedef struct tl_key_state {
    uint32_t sample, code;
    uint32_t before; /* the state it was reached from, among all */
    double off;      /* its code from its sample */
    double q[4];     /* its value; a number has only the first */
} tl_key_state;

typedef struct tl_key_search {
    tl_arena *scratch;
    tl_key_state *all; /* of every layer, one behind the other */
    uint32_t count, room;
    uint32_t layer; /* where the newest layer that is whole begins; it ends at `count` */
    tl_key_state next[TL_KEYS_WIDTH];
    uint32_t next_count, width; /* at most TL_KEYS_WIDTH */
} tl_key_search;

/* A state for the next layer: those that got further come first, then those nearer to their sample. */
void tl_key_search_add(tl_key_search *search, const tl_key_state *state);
/* The next layer becomes the newest one. False: no memory. */
bool tl_key_search_advance(tl_key_search *search);
/* The keys on the way to a state. */
void tl_key_search_trace(const tl_key_search *search, uint32_t state, tl_keys *out);

#endif

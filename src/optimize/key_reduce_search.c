#include "optimize/key_reduce_search.h"

#include <string.h>

static bool is_better_state(const tl_key_state *a, const tl_key_state *b)
{
    if (a->sample != b->sample)
        return a->sample > b->sample;
    return a->error != b->error ? a->error < b->error : a->code < b->code;
}

void tl_key_search_add(tl_key_search *s, const tl_key_state *state)
{
    s->next_count += s->next_count < s->width ? 1 : 0; /* or the worst one goes */
    uint32_t at = s->next_count - 1;
    for (; at > 0 && is_better_state(state, &s->next[at - 1]); at--)
        s->next[at] = s->next[at - 1];
    s->next[at] = *state;
}

bool tl_key_search_advance(tl_key_search *s)
{
    if (s->room - s->count < s->next_count) {
        const uint32_t room = s->room < UINT32_MAX / 2 - 256 ? 2 * s->room + 256 : UINT32_MAX;
        tl_key_state *all = tl_array_raw(s->scratch, room, sizeof *all);
        if (!all || room - s->count < s->next_count)
            return false;
        if (s->count > 0)
            memcpy(all, s->all, s->count * sizeof *all);
        s->all = all;
        s->room = room;
    }
    memcpy(s->all + s->count, s->next, s->next_count * sizeof *s->next);
    s->layer = s->count;
    s->count += s->next_count;
    s->next_count = 0;
    return true;
}

void tl_key_search_trace(const tl_key_search *s, uint32_t state, tl_keys *out)
{
    out->count = 1;
    for (uint32_t i = state; s->all[i].sample > 0; i = s->all[i].before)
        out->count++;
    for (uint32_t k = out->count; k-- > 0; state = s->all[state].before) {
        out->samples[k] = s->all[state].sample;
        out->codes[k] = s->all[state].code;
    }
}

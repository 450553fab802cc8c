#include "optimize/key_reduce_search.h"

#include <string.h>

/* Room for another layer. */
static bool reserve_layer(tl_key_search *s)
{
    if (s->room - s->count < s->width) {
        const uint32_t room = s->room < UINT32_MAX / 2 - 512 ? 2 * s->room + 512 : UINT32_MAX;
        tl_key_state *all = tl_array_raw(s->scratch, room, sizeof *all);
        if (!all || room - s->count < s->width)
            return false;
        if (s->count > 0)
            memcpy(all, s->all, s->count * sizeof *all);
        s->all = all;
        s->room = room;
    }
    s->next = s->all + s->count;
    s->next_count = 0;
    return true;
}

bool tl_key_search_start(tl_key_search *s, tl_arena *scratch, uint32_t width)
{
    *s = (tl_key_search){.scratch = scratch, .width = width};
    return reserve_layer(s);
}

bool tl_key_search_advance(tl_key_search *s)
{
    s->layer = s->count;
    s->count += s->next_count;
    return reserve_layer(s);
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

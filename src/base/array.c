#include "base/array.h"

#include <string.h>

enum { ARRAY_FIRST_BYTES = 256 };

void *tl_array_grow(tl_arena *arena, const void *items, size_t count, size_t *capacity, size_t more, size_t each)
{
    if (items && count <= *capacity && more <= *capacity - count)
        return (void *)(uintptr_t)items;
    if (more > SIZE_MAX / 2 - count || each > SIZE_MAX / 2)
        return NULL;
    size_t room = *capacity > 0 ? *capacity : ARRAY_FIRST_BYTES / (each > 0 ? each : 1);
    room = room > 0 ? room : 1;
    while (room < count + more)
        room = room <= SIZE_MAX / 2 ? 2 * room : SIZE_MAX;
    void *larger = tl_array_raw(arena, room, each);
    if (!larger)
        return NULL;
    if (count > 0)
        memcpy(larger, items, count * each);
    *capacity = room;
    return larger;
}

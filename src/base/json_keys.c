/* Keys that stand twice in an object. Few are compared with each other; many are sorted by merging, which looks at each
 * byte of a key once in each of the log n rounds, whatever the keys are: a hash could be made to collide. */
#include "base/json_steps.h"

#include <string.h>

static int compare_keys(trilo_str a, trilo_str b)
{
    if (a.len != b.len)
        return a.len < b.len ? -1 : 1;
    return memcmp(a.data, b.data, a.len);
}

static const tl_json *repeated_of_few(const tl_json *object)
{
    for (const tl_json *late = object->first; late; late = late->next)
        for (const tl_json *early = object->first; early != late; early = early->next)
            if (compare_keys(early->key, late->key) == 0)
                return late;
    return NULL;
}

/* from[at, middle) and from[middle, end) are sorted; so is to[at, end) then. Of equal ones the first stays first. */
static void merge(const tl_json **from, const tl_json **to, size_t at, size_t middle, size_t end)
{
    size_t left = at, right = middle;
    for (; at < end; at++) {
        const bool take_right = left == middle || (right < end && compare_keys(from[right]->key, from[left]->key) < 0);
        to[at] = take_right ? from[right++] : from[left++];
    }
}

/* The members sorted by key, in one of the two halves of `scratch`. */
static const tl_json **sort_keys(const tl_json *object, const tl_json **scratch)
{
    const size_t count = object->count;
    const tl_json **from = scratch, **to = scratch + count;
    size_t filled = 0;
    for (const tl_json *member = object->first; member; member = member->next)
        from[filled++] = member;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t at = 0; at < count; at += 2 * run) {
            const size_t left = count - at;
            merge(from, to, at, at + (left < run ? left : run), at + (left < 2 * run ? left : 2 * run));
        }
        const tl_json **sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

const tl_json *tl_json_repeated(const tl_json *object, const tl_json **scratch)
{
    if (object->count <= TL_JSON_FEW_KEYS)
        return repeated_of_few(object);
    const tl_json **sorted = sort_keys(object, scratch), *found = NULL;
    for (size_t i = 1; i < object->count; i++)
        if (compare_keys(sorted[i - 1]->key, sorted[i]->key) == 0 && (!found || sorted[i] < found))
            found = sorted[i];
    return found;
}

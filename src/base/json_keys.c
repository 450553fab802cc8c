/* Duplicate keys of an object. A few keys are compared pairwise. More are merge sorted, which takes O(n log n)
 * comparisons for any input; a hash table could be attacked with colliding keys. */
#include "base/json_steps.h"

#include <string.h>

static int json_compare_keys(trilo_str a, trilo_str b)
{
    if (a.len != b.len)
        return a.len < b.len ? -1 : 1;
    return memcmp(a.data, b.data, a.len);
}

/* Bottom-up merge sort, stable. The result is in one of the two halves of `scratch`. */
static const tl_json **json_sort_members(const tl_json *object, const tl_json **scratch)
{
    const size_t count = object->count;
    const tl_json **from = scratch, **to = scratch + count;
    size_t filled = 0;
    for (const tl_json *member = object->first; member; member = member->next)
        from[filled++] = member;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t at = 0; at < count;) {
            const size_t rest = count - at, middle = at + (rest < run ? rest : run);
            const size_t end = at + (rest < 2 * run ? rest : 2 * run);
            size_t left = at, right = middle;
            for (; at < end; at++) {
                const bool take_right =
                    left == middle || (right < end && json_compare_keys(from[right]->key, from[left]->key) < 0);
                to[at] = take_right ? from[right++] : from[left++];
            }
        }
        const tl_json **sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

const tl_json *tl_json_repeated(const tl_json *object, const tl_json **scratch)
{
    if (object->count <= TL_JSON_FEW_KEYS) {
        for (const tl_json *late = object->first; late; late = late->next)
            for (const tl_json *early = object->first; early != late; early = early->next)
                if (json_compare_keys(early->key, late->key) == 0)
                    return late;
        return NULL;
    }
    const tl_json **sorted = json_sort_members(object, scratch), *found = NULL;
    for (size_t i = 1; i < object->count; i++)
        if (json_compare_keys(sorted[i - 1]->key, sorted[i]->key) == 0 && (!found || sorted[i] < found))
            found = sorted[i];
    return found;
}

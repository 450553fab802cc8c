#include "base/path.h"

#include <inttypes.h>
#include <stdio.h>

void tl_path_push(tl_path *path, const char *name, uint64_t index)
{
    if (path->depth < TL_PATH_DEPTH)
        path->steps[path->depth] = (tl_step){name, index};
    path->depth++;
}

void tl_path_pop(tl_path *path)
{
    path->depth--;
}

void tl_path_format(const tl_path *path, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < path->depth && i < TL_PATH_DEPTH && used < room; i++) {
        const tl_step *step = &path->steps[i];
        const char *dot = i == 0 ? "" : ".";
        int wrote = step->index == TL_NO_INDEX
                        ? snprintf(out + used, room - used, "%s%s", dot, step->name)
                        : snprintf(out + used, room - used, "%s%s[%" PRIu64 "]", dot, step->name, step->index);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

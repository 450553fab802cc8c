#include "base/opts.h"

#include "base/report.h"
#include <string.h>

bool tl_opts_take(void *own, size_t size, const void *opts, trilo_error *err)
{
    uint32_t head[2] = {0}; /* struct_size, guard */
    memset(own, 0, size);
    if (!opts)
        return true;
    memcpy(head, opts, sizeof head);
    const size_t given = head[0] ? head[0] : size;
    if (head[1] != 0 || given < sizeof head)
        return tl_fail_misuse(err, "the options were not zero-filled before use");
    if (given > size)
        return tl_fail_misuse(err, "the options belong to a newer version of the library, or were not zero-filled");
    memcpy(own, opts, given);
    head[0] = (uint32_t)size;
    memcpy(own, head, sizeof head);
    return true;
}

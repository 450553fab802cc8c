#include "alloc.h"

#include "exits.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void alloc_failed(void)
{
    fputs("trilobite: out of memory\n", stderr);
    exit(EXIT_LIMIT);
}

void *need(void *old, size_t count, size_t each)
{
    const size_t size = count && each ? count : 1;
    void *block = each > SIZE_MAX / size ? NULL : realloc(old, each ? size * each : 1);
    if (!block)
        alloc_failed();
    return block;
}

#include "alloc.h"

#include "exits.h"
#include "system.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATIENCE = 10000 }; /* milliseconds */

static atomic_uint writing; /* threads */
static atomic_bool ending;
static _Thread_local unsigned own; /* 1: this thread is among them */

void alloc_failed(void)
{
    fputs("trilobite: out of memory\n", stderr);
    atomic_store(&ending, true);
    for (int i = 0; i < PATIENCE && atomic_load(&writing) > own; i++)
        system_pause(1);
    exit(EXIT_LIMIT);
}

void alloc_write_begin(void)
{
    own = 1;
    atomic_fetch_add(&writing, 1);
    if (!atomic_load(&ending))
        return;
    atomic_fetch_sub(&writing, 1);
    for (;;)
        system_pause(PATIENCE);
}

void alloc_write_end(void)
{
    atomic_fetch_sub(&writing, 1);
    own = 0;
}

void *need(void *old, size_t count, size_t each)
{
    const size_t size = count && each ? count : 1;
    void *block = each > SIZE_MAX / size ? NULL : realloc(old, each ? size * each : 1);
    if (!block)
        alloc_failed();
    return block;
}

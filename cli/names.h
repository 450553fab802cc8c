/* names.h: sets and lists of names with logarithmic time for any names, also hostile ones. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include <stdbool.h>

#include "trilobite/core.h"

typedef struct cli_names {
    void *tree;
} cli_names;

/* False: it is in the set already. The set keeps the pointer, not a copy. */
bool names_add(cli_names *names, const char *name);
void names_free(cli_names *names); /* the set, not the names */

/* The name of a row, to look it up. */
typedef struct cli_name {
    trilo_str name;
    uint32_t index;
    uint32_t taken; /* in the first row of a name: how many with that name were taken */
} cli_name;

void names_sort(cli_name *names, uint32_t count);
/* The first row with that name that was not taken yet; TRILO_NONE: there is none. */
uint32_t names_take(cli_name *sorted, uint32_t count, trilo_str name);

#endif

/* names.h: a set of names, in logarithmic time whoever chose them. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include <stdbool.h>

typedef struct cli_names {
    void *tree;
} cli_names;

/* False: it is in the set already. The set keeps the pointer, not a copy. */
bool names_add(cli_names *names, const char *name);
void names_free(cli_names *names); /* the set, not the names */

#endif

#define _XOPEN_SOURCE 700 /* tsearch */
#include "names.h"

#include "alloc.h"

#include <search.h>
#include <string.h>

static int names_compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

bool names_add(cli_names *names, const char *name)
{
    const char *const *found = tsearch(name, &names->tree, names_compare);
    if (!found)
        alloc_failed();
    return *found == name;
}

void names_free(cli_names *names)
{
    while (names->tree)
        tdelete(*(const char *const *)names->tree, &names->tree, names_compare);
}

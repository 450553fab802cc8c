#define _XOPEN_SOURCE 700 /* tsearch */
#include "names.h"

#include "alloc.h"

#include <search.h>
#include <stdlib.h>
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

static int names_compare_text(trilo_str a, trilo_str b)
{
    const size_t length = a.len < b.len ? a.len : b.len;
    const int order = length > 0 ? memcmp(a.data, b.data, length) : 0;
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static int names_compare_rows(const void *a, const void *b)
{
    const cli_name *x = a, *y = b;
    const int order = names_compare_text(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

void names_sort(cli_name *names, uint32_t count)
{
    qsort(names, count, sizeof *names, names_compare_rows);
}

uint32_t names_take(cli_name *sorted, uint32_t count, trilo_str name)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (names_compare_text(sorted[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || names_compare_text(sorted[low].name, name) != 0)
        return TRILO_NONE;
    const uint32_t row = low + sorted[low].taken;
    if (row >= count || names_compare_text(sorted[row].name, name) != 0)
        return TRILO_NONE;
    sorted[low].taken++;
    return sorted[row].index;
}

#include "model/format_ops.h"

size_t tl_sections_keep(const trilo_section *all, size_t count, trilo_section *sections, size_t room)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (all[i].size == 0)
            continue;
        if (kept < room)
            sections[kept] = all[i];
        kept++;
    }
    return kept;
}

#include "cost/figures.h"

#include "ui/text.h"

#include <stdio.h>
#include <string.h>

typedef enum field_type { U64, U32, REAL, RDP } field_type;

typedef struct row {
    cost_figure figure;
    field_type type;
    size_t at; /* in trilo_cost */
} row;

#define TOTAL(field) U64, offsetof(trilo_cost, counts) + offsetof(trilo_cost_counts, field)
#define COUNTED(field, title)                                                                                          \
    {                                                                                                                  \
        {#field, title, COST_FRAME}, TOTAL(field)                                                                      \
    }

/* clang-format off */
static const row rows[COST_FIGURES] = {
    {{"microseconds", "RSP microseconds", COST_FRAME}, REAL, offsetof(trilo_cost, microseconds)},
    {{"material_microseconds", "of these, materials", COST_FRAME}, REAL, offsetof(trilo_cost, material_microseconds)},
    {{"rdp_microseconds", "RDP microseconds", COST_ONCE}, RDP, 0},
    COUNTED(score, "RSP cycles"),
    {{"frame_bytes", "DMA bytes a frame", COST_FRAME}, U64, offsetof(trilo_cost, frame_bytes)},
    COUNTED(rsp_bytes, "geometry bytes"),
    COUNTED(draw_bytes, "draw bytes"),
    {{"overlay_bytes", "overlay bytes", COST_FRAME}, U64, offsetof(trilo_cost, overlay_bytes)},
    {{"upload_bytes", "texture bytes", COST_FRAME}, U64, offsetof(trilo_cost, upload_bytes)},
    {{"state_bytes", "state bytes", COST_FRAME}, U64, offsetof(trilo_cost, state_bytes)},
    COUNTED(commands, "commands"),
    COUNTED(parts, "parts"),
    COUNTED(loads, "vertex loads"),
    COUNTED(vertices, "vertices loaded"),
    COUNTED(unique, "different vertices"),
    COUNTED(duplicates, "loaded again"),
    COUNTED(padding, "never drawn"),
    COUNTED(unique_shown, "different where it shows"),
    COUNTED(triangles, "triangles"),
    COUNTED(degenerate, "without area"),
    COUNTED(list_triangles, "triangles by list"),
    COUNTED(sequence_triangles, "by sequence"),
    COUNTED(strip_triangles, "by strip"),
    COUNTED(list_commands, "list commands"),
    COUNTED(sequences, "sequence commands"),
    COUNTED(strips, "strip commands"),
    COUNTED(strip_indices, "strip indices"),
    COUNTED(runs, "runs of strips"),
    COUNTED(modifies, "changed vertices"),
    COUNTED(syncs, "syncs"),
    COUNTED(matrix_sets, "matrix sets"),
    COUNTED(matrix_pops, "matrix pops"),
    {{"objects", "objects", COST_FRAME}, U32, offsetof(trilo_cost, object_count)},
    {{"materials", "materials", COST_ONCE}, U32, offsetof(trilo_cost, material_count)},
    {{"material_changes", "material changes", COST_FRAME}, U32, offsetof(trilo_cost, material_changes)},
    {{"overlay_switches", "overlay switches", COST_FRAME}, U32, offsetof(trilo_cost, overlay_switches)},
    {{"uploads", "texture uploads", COST_FRAME}, U32, offsetof(trilo_cost, uploads)},
    {{"textures", "textures", COST_ONCE}, U32, offsetof(trilo_cost, texture_count)},
    {{"tmem", "TMEM bytes", COST_MOST}, U32, offsetof(trilo_cost, tmem_most)},
    {{"rom", "ROM bytes", COST_ONCE}, U64, offsetof(trilo_cost, rom)},
    {{"ram", "RAM bytes", COST_ONCE}, U64, offsetof(trilo_cost, ram)},
    {{"file_size", "file bytes", COST_ONCE}, U64, offsetof(trilo_cost, file_size)},
};
/* clang-format on */

const cost_figure *cost_figure_at(size_t index)
{
    return index < COST_FIGURES ? &rows[index].figure : NULL;
}

size_t cost_figure_named(const char *name, size_t len)
{
    size_t i = 0;
    while (i < COST_FIGURES && (strlen(rows[i].figure.name) != len || memcmp(rows[i].figure.name, name, len) != 0))
        i++;
    return i;
}

static double figures_take(const row *from, const trilo_cost *cost, double fill)
{
    const char *field = (const char *)cost + from->at;
    uint64_t large;
    uint32_t small;
    double real;
    switch (from->type) {
    case U64:
        memcpy(&large, field, sizeof large);
        return (double)large;
    case U32:
        memcpy(&small, field, sizeof small);
        return small;
    case REAL:
        memcpy(&real, field, sizeof real);
        return real;
    default:
        return fill;
    }
}

/* Each instance of a model with bones has matrices of its own. */
cost_values cost_values_of(const trilo_cost *cost, uint32_t instances, double fill)
{
    cost_values values;
    for (size_t i = 0; i < COST_FIGURES; i++) {
        values.of[i] = figures_take(&rows[i], cost, fill);
        if (rows[i].figure.kind == COST_FRAME)
            values.of[i] *= instances;
    }
    values.of[cost_figure_named("ram", 3)] += (double)(instances - 1) * (double)cost->bone_bytes;
    return values;
}

void cost_values_add(cost_values *to, const cost_values *from)
{
    for (size_t i = 0; i < COST_FIGURES; i++) {
        if (rows[i].figure.kind != COST_MOST)
            to->of[i] += from->of[i];
        else if (from->of[i] > to->of[i])
            to->of[i] = from->of[i];
    }
}

const char *cost_text_tenths(double value, char out[32])
{
    const uint64_t tenths = value > 0 && value < 1e15 ? (uint64_t)(value * 10 + 0.5) : 0;
    text_count(tenths / 10, out);
    const size_t length = strlen(out);
    snprintf(out + length, 32 - length, ".%u", (unsigned)(tenths % 10));
    return out;
}

const char *cost_text_value(double value, char out[32])
{
    const size_t length = strlen(cost_text_tenths(value, out));
    if (out[length - 1] == '0')
        out[length - 2] = '\0';
    return out;
}

/* The tables of a cost report: materials, textures, objects. The most expensive come first. */
#include "cost/cost.h"

#include "alloc.h"

#include <inttypes.h>
#include <stdlib.h>

/* What rows are sorted and drawn by: time where it is known, bytes, or triangles. */
static double cost_row_weight(const trilo_cost_counts *counts)
{
    if (counts->score > 0)
        return (double)counts->score;
    return counts->rsp_bytes > 0 ? (double)counts->rsp_bytes : (double)counts->triangles;
}

typedef struct ranked {
    double weight;
    uint32_t row;
} ranked;

static int dearest_first(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* "12.5 %" and a bar. */
static void cell_share(cli_table *table, double part, double whole)
{
    static const char bar[] = "####################";
    enum { LONGEST = sizeof bar - 1 };
    double share = whole > 0 ? part / whole : 0;
    table_cell(table, "%s %%", COST_TENTHS(share * 100));
    share = share > 1 ? 1 : share;
    table_cell(table, "%.*s", (int)(share * LONGEST + 0.5), bar);
}

/* Its number is used if it has no name. */
static void cost_cell_name(cli_table *table, trilo_str name, uint32_t number)
{
    if (name.len > 0)
        table_text(table, name);
    else
        table_cell(table, "#%" PRIu32, number);
}

static void cost_cell_count(cli_table *table, uint64_t count)
{
    table_cell(table, "%s", count > 0 ? COUNT(count) : "");
}

static void cell_time(cli_table *table, double microseconds)
{
    table_cell(table, "%s", microseconds > 0 ? COST_TENTHS(microseconds) : "");
}

static void print_rest(uint32_t count, uint32_t shown, const char *what, const cli_screen *screen)
{
    if (count > shown)
        fprintf(screen->file, "and %s more %s; --limit all shows them\n", COUNT(count - shown), what);
}

static ranked *cost_rank_rows(const trilo_cost *cost, uint32_t count, bool materials)
{
    ranked *rows = need(NULL, count, sizeof *rows);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = (ranked){cost_row_weight(materials ? &cost->materials[i].counts : &cost->objects[i].counts), i};
    qsort(rows, count, sizeof *rows, dearest_first);
    return rows;
}

void cost_print_materials(const trilo_cost *cost, const cost_options *options)
{
    const cli_screen *screen = &options->args->out;
    const uint32_t shown = cost->material_count < options->limit ? cost->material_count : options->limit;
    cli_table table = table_new("lrrrrrrrrl");
    if (shown == 0)
        return;
    ranked *rows = cost_rank_rows(cost, cost->material_count, true);
    table_cells(&table, (const char *[]){"MATERIAL", "OBJECTS", "TRIANGLES", "CHANGES", "UPLOADS", "TMEM", "BYTES",
                                         "MICROSECONDS", "SHARE", "", NULL});
    for (uint32_t i = 0; i < shown; i++) {
        const trilo_cost_material *m = &cost->materials[rows[i].row];
        cost_cell_name(&table, m->name, rows[i].row);
        table_cell(&table, "%s", COUNT(m->objects));
        table_cell(&table, "%s", COUNT(m->counts.triangles));
        table_cell(&table, "%s", COUNT(m->changes));
        cost_cell_count(&table, m->uploads);
        bool unknown = false;
        for (int k = 0; k < 2; k++)
            unknown |= m->textures[k] != TRILO_NONE && cost->textures[m->textures[k]].images == 0;
        if (unknown)
            table_cell(&table, "unknown");
        else if (m->tmem > 0)
            table_cell(&table, "%s of %s", COUNT(m->tmem), COUNT(m->tmem_limit));
        else
            table_cell(&table, "%s", "");
        cost_cell_count(&table, m->counts.rsp_bytes + m->state_bytes + m->overlay_bytes + m->upload_bytes);
        cell_time(&table, m->microseconds);
        cell_share(&table, rows[i].weight, cost_row_weight(&cost->counts));
    }
    free(rows);
    fputc('\n', screen->file);
    table_print(&table, screen, true);
    print_rest(cost->material_count, shown, "materials", screen);
}

void cost_print_textures(const trilo_cost *cost, const cost_options *options)
{
    const cli_screen *screen = &options->args->out;
    const uint32_t shown = cost->texture_count < options->limit ? cost->texture_count : options->limit;
    cli_table table = table_new("lrlrrrrl");
    if (shown == 0)
        return;
    table_cells(&table, (const char *[]){"TEXTURE", "SIZE", "FORMAT", "IMAGES", "UPLOADS", "TMEM", "SHARE", "", NULL});
    for (uint32_t i = 0; i < shown; i++) {
        const trilo_cost_texture *t = &cost->textures[i];
        const bool known = t->images > 0;
        table_text(&table, t->path);
        table_cell(&table, "%" PRIu32 " x %" PRIu32, t->width, t->height);
        table_cell(&table, "%s%s", trilo_texels_name(t->texels), known && !t->from_file ? ", by its name" : "");
        cost_cell_count(&table, t->images > 1 ? t->images : 0);
        table_cell(&table, "%s", COUNT(t->uploads));
        if (t->palette > 0)
            table_cell(&table, "%s + %s", COUNT(t->tmem), COUNT(t->palette));
        else
            table_cell(&table, "%s", known ? COUNT(t->tmem) : "");
        if (known)
            cell_share(&table, t->tmem, t->tmem_limit);
        else
            table_cells(&table, (const char *[]){"", "", NULL});
    }
    fputc('\n', screen->file);
    table_print(&table, screen, true);
    print_rest(cost->texture_count, shown, "textures", screen);
}

void cost_print_objects(const trilo_cost *cost, const cost_options *options)
{
    const cli_screen *screen = &options->args->out;
    const uint32_t shown = cost->object_count < options->limit ? cost->object_count : options->limit;
    cli_table table = table_new("llrrrrrrrrl");
    if (shown == 0)
        return;
    ranked *rows = cost_rank_rows(cost, cost->object_count, false);
    table_cells(&table, (const char *[]){"OBJECT", "MATERIAL", "LOADS", "VERTICES", "WASTED", "TRIANGLES", "COMMANDS",
                                         "BYTES", "MICROSECONDS", "SHARE", "", NULL});
    for (uint32_t i = 0; i < shown; i++) {
        const trilo_cost_object *o = &cost->objects[rows[i].row];
        cost_cell_name(&table, o->name, rows[i].row);
        if (o->material == TRILO_NONE)
            table_cell(&table, "%s", "");
        else
            cost_cell_name(&table, cost->materials[o->material].name, o->material);
        cost_cell_count(&table, o->counts.loads);
        table_cell(&table, "%s", COUNT(o->counts.vertices));
        cost_cell_count(&table, o->counts.duplicates + o->counts.padding);
        table_cell(&table, "%s", COUNT(o->counts.triangles));
        cost_cell_count(&table, o->counts.loads > 0 ? o->counts.commands : 0);
        cost_cell_count(&table, o->counts.rsp_bytes);
        cell_time(&table, o->counts.microseconds);
        cell_share(&table, rows[i].weight, cost_row_weight(&cost->counts));
    }
    free(rows);
    fputc('\n', screen->file);
    table_print(&table, screen, true);
    print_rest(cost->object_count, shown, "objects", screen);
}

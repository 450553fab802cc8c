#include "info/info.h"

#include "ui/report.h"

#include "trilobite/nlm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void info_fact(cli_table *table, const char *name, const char *value)
{
    table_cell(table, "%s", name);
    table_cell(table, "%s", value);
}

static void fact_size(cli_table *table, const char *name, const trilo_bounds *bounds, const char *remark)
{
    const double x = (double)bounds->max.x - (double)bounds->min.x;
    const double y = (double)bounds->max.y - (double)bounds->min.y;
    const double z = (double)bounds->max.z - (double)bounds->min.z;
    table_cell(table, "%s", name);
    table_cell(table, "%s x %s x %s%s", ROUNDED(x), ROUNDED(y), ROUNDED(z), remark);
}

static void fact_bounds(cli_table *table, const trilo_model *model)
{
    const trilo_bounds bounds = trilo_model_bounds(model);
    if (info_is_empty(&bounds)) {
        info_fact(table, "bounds", "none");
        return;
    }
    table_cell(table, "bounds");
    table_cell(table, "%s %s %s to %s %s %s", ROUNDED((double)bounds.min.x), ROUNDED((double)bounds.min.y),
               ROUNDED((double)bounds.min.z), ROUNDED((double)bounds.max.x), ROUNDED((double)bounds.max.y),
               ROUNDED((double)bounds.max.z));
    fact_size(table, "size", &bounds, "");
}

static void print_totals(const cli_info *info, const cli_screen *screen)
{
    const trilo_model *model = info->input->model;
    const bool t3dm = info->format == TRILO_FORMAT_T3DM;       /* all its nodes are bones */
    const bool model64 = info->format == TRILO_FORMAT_MODEL64; /* it has none, and no textures */
    const cli_totals totals = info_totals(model);
    cli_table table = table_new("rrrrrrrrrrr");
    table_cell(&table, "%s", t3dm ? "OBJECTS" : "MESHES");
    table_cells(&table, (const char *[]){"PARTS", "LOADED", "VERTICES", "TRIANGLES", "LINES", "MATERIALS", "TEXTURES",
                                         "NODES", "BONES", "CLIPS", NULL});
    table_cell(&table, "%s", COUNT(model->mesh_count));
    table_cell(&table, "%s", t3dm ? COUNT(info->t3dm.part_count) : "");
    table_cell(&table, "%s", t3dm ? COUNT(info->t3dm.loaded_vertices) : "");
    table_cell(&table, "%s", COUNT(totals.vertices));
    table_cell(&table, "%s", totals.triangles || !totals.lines ? COUNT(totals.triangles) : "");
    table_cell(&table, "%s", totals.lines ? COUNT(totals.lines) : "");
    table_cell(&table, "%s", t3dm || info->gltf.present ? COUNT(model->material_count) : "");
    table_cell(&table, "%s", model64 ? "" : COUNT(model->texture_count));
    table_cell(&table, "%s", t3dm || model64 ? "" : COUNT(model->node_count));
    table_cell(&table, "%s", model64 ? "" : COUNT(t3dm ? model->node_count : totals.joints));
    table_cell(&table, "%s", COUNT(model->clip_count));
    table_print(&table, screen, true);
}

static void info_print_facts(const cli_info *info, const cli_screen *screen)
{
    const cli_input *input = info->input;
    const trilo_model *model = input->model;
    const trilo_compression compression = trilo_document_compression(input->document);
    cli_table table = table_new("ll");
    fact_bounds(&table, model);
    if (model->resized)
        fact_size(&table, "source size", &model->source_bounds,
                  model->skin_count > 0 ? ", scaled into a unit box by the root node"
                                        : ", since scaled into a unit box");
    const uint32_t header = trilo_nlm_header_size(input->document);
    const uint32_t hash = input->model->source_hash;
    if (header != 0) {
        table_cell(&table, "header");
        if (header == 16)
            table_cell(&table, "16 bytes, source hash %" PRIu32 "%s", hash,
                       hash == trilo_fnv1a("", 0) ? " (of an empty source)" : "");
        else
            table_cell(&table, "12 bytes, the old one without a hash");
        if (input->model->clip_count > 0)
            info_fact(&table, "rotations", input->opts.nlm->quat_wxyz ? "read as w, x, y, z" : "read as x, y, z, w");
        const cli_totals totals = info_totals(input->model);
        const char *found = totals.lines == 0 ? "triangles" : totals.triangles == 0 ? "lines" : "triangles and lines";
        table_cell(&table, "topology");
        if (input->opts.nlm->topology == TRILO_NLM_TOPOLOGY_GUESS)
            table_cell(&table, "%s: a guess from the index counts, --topology overrides it", found);
        else
            table_cell(&table, "%s, as requested", info_topology(input));
    }
    info_facts_t3dm(info, &table);
    info_facts_model64(info, &table);
    info_facts_gltf(info, &table);
    info_facts_compression(&compression, &table);
    if (input->tally.errors) {
        table_cell(&table, "errors");
        table_cell(&table, "%s, \"trilobite check\" lists them", COUNT(input->tally.errors));
    }
    if (input->tally.warnings) {
        table_cell(&table, "warnings");
        table_cell(&table, "%s, \"trilobite check\" lists them", COUNT(input->tally.warnings));
    }
    fputc('\n', screen->file);
    table_print(&table, screen, false);
}

/* How much of the file one section is: "12.5 %" and a bar. */
static void info_cell_share(cli_table *table, uint64_t size, uint64_t total)
{
    static const char bar[] = "####################";
    enum { LONGEST = sizeof bar - 1 };
    const double part = total ? (double)size / (double)total : 0;
    const uint64_t tenths = (uint64_t)(part * 1000 + 0.5);
    table_cell(table, "%" PRIu64 ".%" PRIu64 " %%", tenths / 10, tenths % 10);
    table_cell(table, "%.*s", (int)(part * LONGEST + 0.5), bar);
}

static void print_sections(const trilo_document *document, const cli_screen *screen)
{
    const uint64_t total = trilo_document_bytes(document).size;
    cli_table table = table_new("lrrrl");
    size_t count;
    trilo_section *sections = info_sections(document, &count);
    table_cells(&table, (const char *[]){"SECTION", "COUNT", "BYTES", "SHARE", "", NULL});
    for (size_t i = 0; i < count; i++) {
        table_cell(&table, "%s", sections[i].name);
        table_cell(&table, "%s", COUNT(sections[i].count));
        table_cell(&table, "%s", COUNT(sections[i].size));
        info_cell_share(&table, sections[i].size, total);
    }
    free(sections);
    fputc('\n', screen->file);
    table_print(&table, screen, true);
}

void info_print_text(const cli_info *info, const cli_screen *screen)
{
    const cli_input *input = info->input;
    const trilo_format_info *format = trilo_format_get(trilo_document_format(input->document));
    char *name = text_escaped(report_name(input->path), strlen(report_name(input->path)));
    screen_put(screen, STYLE_HEAD, name);
    free(name);
    const trilo_import import = trilo_document_import(input->document);
    if (import.format)
        fprintf(screen->file, ": %s, read through Assimp, %s bytes\n\n", import.format, COUNT(import.size));
    else
        fprintf(screen->file, ": %s, version %" PRIu32 ", %s bytes\n\n", format->title,
                trilo_document_version(input->document), COUNT(trilo_document_bytes(input->document).size));
    print_totals(info, screen);
    info_print_facts(info, screen);
    info_print_meshes(info, screen);
    info_print_lists(info, screen);
    info_print_gltf(info, screen);
    info_print_textures(input->model, screen);
    if (args_has(input->args, OPT_ANSI))
        info_print_thumbnails(input, screen);
    if (info->format == TRILO_FORMAT_T3DM)
        info_print_bones(input->model, screen);
    info_print_clips(info, screen);
    info_print_chunks(input->model, screen);
    if (!import.format) /* the sections are not those of the file */
        print_sections(input->document, screen);
    if (info->materials)
        info_print_materials(input->model, screen);
}

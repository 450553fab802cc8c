/* gltf.c: what `trilobite info` prints for glTF files only. */
#include "info/info.h"

#include "alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void gltf_fact(cli_table *table, const char *name, const char *value)
{
    table_cell(table, "%s", name);
    table_text(table, (trilo_str){value, strlen(value)});
}

/* Names of extensions; the caller frees the array. */
static trilo_str *extensions_of(const cli_info *info, bool required, size_t *count)
{
    *count = trilo_document_gltf_extensions(info->input->document, required, NULL, 0);
    trilo_str *names = need(NULL, *count, sizeof *names);
    trilo_document_gltf_extensions(info->input->document, required, names, *count);
    return names;
}

/* "KHR_materials_unlit, FAST64_materials_n64", cut where the room ends. */
static void fact_extensions(const cli_info *info, const char *title, bool required, cli_table *table)
{
    char text[1024] = "";
    size_t count, used = 0;
    trilo_str *names = extensions_of(info, required, &count);
    for (size_t i = 0; i < count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s", i ? ", " : "", (int)names[i].len,
                                 names[i].data);
    if (count > 0)
        gltf_fact(table, title, text);
    free(names);
}

void info_facts_gltf(const cli_info *info, cli_table *table)
{
    const trilo_gltf_summary *gltf = &info->gltf;
    if (!gltf->present)
        return;
    const bool imported = trilo_document_import(info->input->document).format != NULL;
    if (!imported)
        gltf_fact(table, "kind", gltf->binary ? "binary (.glb)" : "text (.gltf)");
    if (gltf->generator.len > 0 && !imported) {
        table_cell(table, "made by");
        table_text(table, gltf->generator);
    }
    fact_extensions(info, "extensions", false, table);
    fact_extensions(info, "required", true, table);
    if (gltf->scene_count >= 2) {
        table_cell(table, "scenes");
        if (gltf->scene != TRILO_NONE)
            table_cell(table, "%s, of which %s is shown; --all-scenes takes all", COUNT(gltf->scene_count),
                       COUNT(gltf->scene));
        else
            table_cell(table, "%s, none of which is said to be shown", COUNT(gltf->scene_count));
    }
    /* "2 with Fast64 properties, 1 with plain settings" */
    static const trilo_gltf_form order[] = {TRILO_GLTF_FORM_TRILOBITE, TRILO_GLTF_FORM_FAST64_EXTRAS,
                                            TRILO_GLTF_FORM_FAST64_EXTENSION, TRILO_GLTF_FORM_PLAIN};
    static const char *const names[] = {"plain settings", "the Fast64 extension", "Fast64 properties",
                                        "settings of Trilobite"};
    char text[256] = "";
    size_t used = 0;
    uint32_t counts[sizeof names / sizeof *names] = {0};
    for (uint32_t i = 0; i < info->gltf.material_count; i++)
        counts[trilo_document_gltf_material(info->input->document, i).form]++;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if (counts[order[k]] > 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s with %s", used ? ", " : "",
                                     COUNT(counts[order[k]]), names[order[k]]);
    if (info->gltf.material_count > 0)
        gltf_fact(table, "materials", text);
}

/* ---- tables ---- */

void info_print_gltf(const cli_info *info, const cli_screen *screen)
{
    cli_table table = table_new("rlll");
    if (info->gltf.image_count == 0)
        return;
    table_cells(&table, (const char *[]){"IMAGE", "NAME", "KIND", "WHERE", NULL});
    for (uint32_t i = 0; i < info->gltf.image_count; i++) {
        const trilo_gltf_image image = trilo_document_gltf_image(info->input->document, i);
        table_cell(&table, "%" PRIu32, i);
        table_text(&table, image.name);
        table_text(&table, image.mime_type);
        if (image.uri.len == 0)
            table_cell(&table, "embedded");
        else
            table_text(&table, image.uri);
    }
    fputc('\n', screen->file);
    table_print(&table, screen, true);
}

/* ---- JSON ---- */

static void gltf_put_extensions(const cli_info *info, const char *key, bool required, cli_json *json)
{
    size_t count;
    trilo_str *names = extensions_of(info, required, &count);
    json_array(json, key);
    for (size_t i = 0; i < count; i++)
        json_str(json, NULL, names[i]);
    json_end(json);
    free(names);
}

void info_json_gltf(const cli_info *info, cli_json *json)
{
    if (!info->gltf.present)
        return;
    json_object(json, "gltf");
    json_bool(json, "binary", info->gltf.binary);
    json_str(json, "generator", info->gltf.generator);
    gltf_put_extensions(info, "extensions_used", false, json);
    gltf_put_extensions(info, "extensions_required", true, json);
    json_index(json, "scene", info->gltf.scene);
    json_array(json, "scenes");
    for (uint32_t i = 0; i < info->gltf.scene_count; i++) {
        const trilo_gltf_scene scene = trilo_document_gltf_scene(info->input->document, i);
        json_object(json, NULL);
        json_str(json, "name", scene.name);
        json_uint(json, "nodes", scene.node_count);
        json_end(json);
    }
    json_end(json);
    static const char *const forms[] = {"plain", "fast64_extension", "fast64_properties", "trilobite"};
    json_array(json, "materials");
    for (uint32_t i = 0; i < info->gltf.material_count; i++) {
        const trilo_gltf_material material = trilo_document_gltf_material(info->input->document, i);
        json_object(json, NULL);
        json_str(json, "name", material.name);
        json_text(json, "form", forms[material.form]);
        json_end(json);
    }
    json_end(json);
    json_array(json, "images");
    for (uint32_t i = 0; i < info->gltf.image_count; i++) {
        const trilo_gltf_image image = trilo_document_gltf_image(info->input->document, i);
        json_object(json, NULL);
        json_str(json, "name", image.name);
        json_str(json, "kind", image.mime_type);
        json_bool(json, "embedded", image.uri.len == 0);
        json_str(json, "uri", image.uri);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

/* gltf.c: what `trilobite info` tells of glTF files alone. */
#include "info/info.h"

#include <inttypes.h>
#include <string.h>

enum { ROOM = 1024 };

/* "KHR_materials_unlit, FAST64_materials_n64", cut where the room ends. */
static void list_names(const trilo_str *names, size_t count, char *out, size_t room)
{
    size_t used = 0;
    *out = '\0';
    for (size_t i = 0; i < count && used < room; i++)
        used += (size_t)snprintf(out + used, room - used, "%s%.*s", i ? ", " : "", (int)names[i].len, names[i].data);
}

static void fact(cli_table *table, const char *name, const char *value)
{
    table_cell(table, "%s", name);
    table_text(table, (trilo_str){value, strlen(value)});
}

static void fact_scenes(cli_table *table, const gltf_notes *notes)
{
    if (notes->scene_count < 2)
        return;
    table_cell(table, "scenes");
    if (notes->scene < notes->scene_count)
        table_cell(table, "%s, of which %s is shown; --all-scenes takes all", COUNT(notes->scene_count),
                   COUNT(notes->scene));
    else
        table_cell(table, "%s, none of which is said to be shown", COUNT(notes->scene_count));
}

/* "2 with Fast64 properties, 1 with plain settings" */
static void fact_materials(cli_table *table, const gltf_notes *notes)
{
    static const gltf_form order[] = {GLTF_OWN, GLTF_EXTRAS, GLTF_EXTENSION, GLTF_PLAIN};
    char text[256] = "";
    size_t used = 0;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        size_t count = 0;
        for (size_t i = 0; i < notes->material_count; i++)
            count += notes->materials[i].form == order[k];
        if (count > 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s with %s", used ? ", " : "", COUNT(count),
                                     gltf_form_name(order[k]));
    }
    if (notes->material_count > 0)
        fact(table, "materials", text);
}

void info_facts_gltf(const gltf_notes *notes, cli_table *table)
{
    char text[ROOM];
    if (!notes->present)
        return;
    fact(table, "kind", notes->binary ? "binary (.glb)" : "text (.gltf)");
    if (notes->generator.len > 0) {
        table_cell(table, "made by");
        table_text(table, notes->generator);
    }
    list_names(notes->used, notes->used_count, text, sizeof text);
    if (notes->used_count > 0)
        fact(table, "extensions", text);
    list_names(notes->required, notes->required_count, text, sizeof text);
    if (notes->required_count > 0)
        fact(table, "required", text);
    fact_scenes(table, notes);
    fact_materials(table, notes);
}

/* ---- tables ---- */

void info_print_gltf(const gltf_notes *notes, const cli_screen *screen)
{
    cli_table table = table_new("rlll");
    if (notes->image_count == 0)
        return;
    table_cells(&table, (const char *[]){"IMAGE", "NAME", "KIND", "WHERE", NULL});
    for (size_t i = 0; i < notes->image_count; i++) {
        const gltf_image_note *image = &notes->images[i];
        table_cell(&table, "%zu", i);
        table_text(&table, image->name);
        table_text(&table, image->kind);
        if (image->uri.len == 0 || (image->uri.len == 5 && memcmp(image->uri.data, "data:", 5) == 0))
            table_cell(&table, "embedded");
        else
            table_text(&table, image->uri);
    }
    fputc('\n', screen->file);
    table_print(&table, screen, true);
}

/* ---- JSON ---- */

static void put_names(cli_json *json, const char *key, const trilo_str *names, size_t count)
{
    json_array(json, key);
    for (size_t i = 0; i < count; i++)
        json_str(json, NULL, names[i]);
    json_end(json);
}

static void put_scenes(cli_json *json, const gltf_notes *notes)
{
    json_index(json, "scene", notes->scene < notes->scene_count ? (uint32_t)notes->scene : TRILO_NONE);
    json_array(json, "scenes");
    for (size_t i = 0; i < notes->scene_count; i++) {
        json_object(json, NULL);
        json_str(json, "name", notes->scenes[i].name);
        json_uint(json, "nodes", notes->scenes[i].nodes);
        json_end(json);
    }
    json_end(json);
}

static void put_materials(cli_json *json, const gltf_notes *notes)
{
    static const char *const forms[] = {"plain", "fast64_properties", "fast64_extension", "trilobite"};
    json_array(json, "materials");
    for (size_t i = 0; i < notes->material_count; i++) {
        json_object(json, NULL);
        json_str(json, "name", notes->materials[i].name);
        json_text(json, "form", forms[notes->materials[i].form]);
        json_end(json);
    }
    json_end(json);
}

static void put_images(cli_json *json, const gltf_notes *notes)
{
    json_array(json, "images");
    for (size_t i = 0; i < notes->image_count; i++) {
        const gltf_image_note *image = &notes->images[i];
        const bool data = image->uri.len == 5 && memcmp(image->uri.data, "data:", 5) == 0;
        json_object(json, NULL);
        json_str(json, "name", image->name);
        json_str(json, "kind", image->kind);
        json_bool(json, "embedded", image->uri.len == 0 || data);
        json_str(json, "uri", data ? (trilo_str){"", 0} : image->uri);
        json_end(json);
    }
    json_end(json);
}

void info_json_gltf(const gltf_notes *notes, cli_json *json)
{
    if (!notes->present)
        return;
    json_object(json, "gltf");
    json_bool(json, "binary", notes->binary);
    json_str(json, "generator", notes->generator);
    put_names(json, "extensions_used", notes->used, notes->used_count);
    put_names(json, "extensions_required", notes->required, notes->required_count);
    put_scenes(json, notes);
    put_materials(json, notes);
    put_images(json, notes);
    json_end(json);
}

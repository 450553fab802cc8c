/* model64.c: what `trilobite info` tells of Models alone: what a draw costs, and what the game has room for. */
#include "info/info.h"

#include <inttypes.h>

enum { DEFAULT_BITS = 11 };

/* As what the last bytes of the vertices were read. */
static trilo_model64_colors meaning_of(const cli_input *input)
{
    const trilo_model *model = input->model;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        if (model->meshes[i].normals)
            return TRILO_MODEL64_COLORS_NORMALS;
        if (model->meshes[i].colors)
            return TRILO_MODEL64_COLORS_RGBA;
    }
    return TRILO_MODEL64_COLORS_NONE;
}

static uint32_t bits_of(const cli_input *input)
{
    return input->opts.model64.texcoord_bits ? input->opts.model64.texcoord_bits : DEFAULT_BITS;
}

static uint64_t vertices_of(const model64_notes *notes)
{
    return notes->frame_size / MODEL64_VERTEX_BYTES;
}

/* ---- text ---- */

static void fact_vertices(const cli_info *info, cli_table *table)
{
    static const char *const meanings[] = {"", "colours", "normals", "nothing"};
    const bool guessed = info->input->opts.model64.colors == TRILO_MODEL64_COLORS_AUTO;
    table_cell(table, "vertices");
    table_cell(table, "%s, a block of %s bytes", COUNT(vertices_of(&info->model64)), COUNT(info->model64.frame_size));
    table_cell(table, "last bytes");
    table_cell(table, "of a vertex are read as %s%s", meanings[meaning_of(info->input)],
               guessed ? ": a guess from the bytes, --model64-colors overrides it" : ", as asked for");
}

static void fact_frames(const model64_notes *notes, cli_table *table)
{
    if (notes->frame_count == 0)
        return;
    table_cell(table, "frames");
    table_cell(table, "%s, %s of them different", COUNT(notes->frame_count), COUNT(notes->different));
}

/* All that the game's own exporter wrote. */
static void fact_times(const trilo_model *model, cli_table *table)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (model->clips[i].duration != 1)
            return;
    if (model->clip_count == 0)
        return;
    table_cell(table, "times");
    table_cell(table, "fractions of a clip, as the game counts: its seconds are not in the file");
}

/* Vertices count only where there are frames: what does not move is drawn from the main section. */
static void fact_game(const model64_notes *notes, cli_table *table)
{
    table_cell(table, "main section");
    table_cell(table, "%s of the %s bytes that the game has room for", COUNT(notes->main_size),
               COUNT(MODEL64_GAME_MAIN_BYTES));
    if (notes->frame_count == 0)
        return;
    table_cell(table, "a frame");
    table_cell(table, "%s of the %s vertices that the game has room for", COUNT(vertices_of(notes)),
               COUNT(MODEL64_GAME_VERTICES));
}

void info_facts_model64(const cli_info *info, cli_table *table)
{
    const model64_notes *notes = &info->model64;
    if (!notes->present)
        return;
    const model64_list_note sum = model64_lists_sum(notes);
    table_cell(table, "units");
    table_cell(table, "those of the file; the game has 64 to a metre");
    fact_vertices(info, table);
    fact_frames(notes, table);
    fact_times(info->input->model, table);
    table_cell(table, "a draw");
    table_cell(table, "%s bytes: %s of lists, %s of vertices loaded", COUNT(model64_draw_bytes(&sum)), COUNT(sum.bytes),
               COUNT(model64_draw_bytes(&sum) - sum.bytes));
    fact_game(notes, table);
}

static void add_list(cli_table *table, const model64_list_note *list)
{
    table_cell(table, "%s", COUNT(list->triangles));
    table_cell(table, "%s", COUNT(list->commands));
    table_cell(table, "%s", COUNT(list->loads));
    table_cell(table, "%s", COUNT(list->loaded));
    table_cell(table, "%s", COUNT(list->modifies));
    table_cell(table, "%s", COUNT(list->bytes));
    table_cell(table, "%s", COUNT(model64_draw_bytes(list)));
}

void info_print_lists(const model64_notes *notes, const cli_screen *screen)
{
    cli_table table = table_new("rrrrrrrr");
    if (!notes->present)
        return;
    table_cells(&table, (const char *[]){"SLOT", "TRIANGLES", "COMMANDS", "LOADS", "LOADED", "MODIFIES", "BYTES",
                                         "BYTES/DRAW", NULL});
    for (uint32_t i = 0; i < MODEL64_NOTED_SLOTS; i++) {
        if (notes->lists[i].bytes == 0)
            continue;
        table_cell(&table, "%" PRIu32, i);
        add_list(&table, &notes->lists[i]);
    }
    fputc('\n', screen->file);
    table_print(&table, screen, true);
}

/* ---- JSON ---- */

static void put_list(cli_json *json, uint32_t slot, const model64_list_note *list)
{
    json_object(json, NULL);
    json_uint(json, "slot", slot);
    json_uint(json, "triangles", list->triangles);
    json_uint(json, "commands", list->commands);
    json_uint(json, "loads", list->loads);
    json_uint(json, "vertices_loaded", list->loaded);
    json_uint(json, "modifies", list->modifies);
    json_uint(json, "size", list->bytes);
    json_uint(json, "draw_size", model64_draw_bytes(list));
    json_end(json);
}

static void put_limit(cli_json *json, const char *key, uint64_t value, uint64_t most)
{
    json_object(json, key);
    json_uint(json, "value", value);
    json_uint(json, "most", most);
    json_end(json);
}

static void put_game(cli_json *json, const model64_notes *notes)
{
    json_object(json, "game");
    put_limit(json, "main_size", notes->main_size, MODEL64_GAME_MAIN_BYTES);
    if (notes->frame_count > 0)
        put_limit(json, "frame_vertices", vertices_of(notes), MODEL64_GAME_VERTICES);
    else
        json_null(json, "frame_vertices");
    json_end(json);
}

void info_json_model64(const cli_info *info, cli_json *json)
{
    static const char *const meanings[] = {"auto", "rgba", "normals", "none"};
    const model64_notes *notes = &info->model64;
    if (!notes->present)
        return;
    const model64_list_note sum = model64_lists_sum(notes);
    json_object(json, "model64");
    json_uint(json, "block_vertices", vertices_of(notes));
    json_text(json, "colors", meanings[meaning_of(info->input)]);
    json_uint(json, "texcoord_bits", bits_of(info->input));
    json_uint(json, "frames", notes->frame_count);
    json_uint(json, "different_frames", notes->different);
    json_uint(json, "draw_size", model64_draw_bytes(&sum));
    put_game(json, notes);
    json_array(json, "lists");
    for (uint32_t i = 0; i < MODEL64_NOTED_SLOTS; i++)
        if (notes->lists[i].bytes > 0)
            put_list(json, i, &notes->lists[i]);
    json_end(json);
    json_end(json);
}

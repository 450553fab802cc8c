/* model64.c: what `trilobite info` prints for Model files only: the cost of drawing and the limits of the game. */
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

/* ---- text ---- */

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

void info_facts_model64(const cli_info *info, cli_table *table)
{
    const trilo_model64_summary *model64 = &info->model64;
    const trilo_model64_list *sum = &model64->all_lists;
    if (info->format != TRILO_FORMAT_MODEL64)
        return;
    table_cell(table, "units");
    table_cell(table, "those of the file; the game has 64 to a meter");
    static const char *const meanings[] = {"", "colours", "normals", "nothing"};
    const bool guessed = info->input->opts.model64->colors == TRILO_MODEL64_COLORS_AUTO;
    table_cell(table, "vertices");
    table_cell(table, "%s, a block of %s bytes", COUNT(info->model64.vertex_count), COUNT(info->model64.frame_size));
    table_cell(table, "last bytes");
    table_cell(table, "of a vertex are read as %s%s", meanings[meaning_of(info->input)],
               guessed ? ": a guess from the bytes, --model64-colors overrides it" : ", as requested");
    const trilo_model64_frames *frames = &info->all_frames;
    if (frames->frame_count != 0) {
        table_cell(table, "frames");
        table_cell(table, "%s, %s of them different", COUNT(frames->frame_count), COUNT(frames->distinct));
    }
    fact_times(info->input->model, table);
    table_cell(table, "a draw");
    table_cell(table, "%s bytes: %s of lists, %s of vertices loaded", COUNT(sum->draw_size), COUNT(sum->size),
               COUNT(sum->draw_size - sum->size));
    /* Vertices count only where there are frames: what does not move is drawn from the main section. */
    table_cell(table, "main section");
    table_cell(table, "%s of the %s bytes that the game has room for", COUNT(model64->main_size),
               COUNT(TRILO_MODEL64_GAME_MAIN));
    if (model64->frame_count == 0)
        return;
    table_cell(table, "a frame");
    table_cell(table, "%s of the %s vertices that the game has room for", COUNT(model64->vertex_count),
               COUNT(TRILO_MODEL64_GAME_VERTICES));
}

void info_print_lists(const cli_info *info, const cli_screen *screen)
{
    cli_table table = table_new("rrrrrrrr");
    if (info->format != TRILO_FORMAT_MODEL64)
        return;
    table_cells(&table, (const char *[]){"SLOT", "TRIANGLES", "COMMANDS", "LOADS", "LOADED", "MODIFIES", "BYTES",
                                         "BYTES/DRAW", NULL});
    for (uint32_t i = 0; i < TRILO_MODEL64_SLOTS; i++) {
        if (info->model64.lists[i].size == 0)
            continue;
        table_cell(&table, "%" PRIu32, i);
        const trilo_model64_list *list = &info->model64.lists[i];
        table_cell(&table, "%s", COUNT(list->triangles));
        table_cell(&table, "%s", COUNT(list->commands));
        table_cell(&table, "%s", COUNT(list->loads));
        table_cell(&table, "%s", COUNT(list->loaded_vertices));
        table_cell(&table, "%s", COUNT(list->modifies));
        table_cell(&table, "%s", COUNT(list->size));
        table_cell(&table, "%s", COUNT(list->draw_size));
    }
    fputc('\n', screen->file);
    table_print(&table, screen, true);
}

/* ---- JSON ---- */

static void put_limit(cli_json *json, const char *key, uint64_t value, uint64_t most)
{
    json_object(json, key);
    json_uint(json, "value", value);
    json_uint(json, "most", most);
    json_end(json);
}

void info_json_model64(const cli_info *info, cli_json *json)
{
    static const char *const meanings[] = {"auto", "rgba", "normals", "none"};
    const trilo_model64_summary *model64 = &info->model64;
    const trilo_model64_list *sum = &model64->all_lists;
    if (info->format != TRILO_FORMAT_MODEL64)
        return;
    json_object(json, "model64");
    json_uint(json, "block_vertices", model64->vertex_count);
    json_text(json, "colors", meanings[meaning_of(info->input)]);
    json_uint(json, "texcoord_bits",
              info->input->opts.model64->texcoord_bits ? info->input->opts.model64->texcoord_bits : DEFAULT_BITS);
    json_uint(json, "frames", info->all_frames.frame_count);
    json_uint(json, "different_frames", info->all_frames.distinct);
    json_uint(json, "draw_size", sum->draw_size);
    json_object(json, "game");
    put_limit(json, "main_size", model64->main_size, TRILO_MODEL64_GAME_MAIN);
    if (model64->frame_count > 0)
        put_limit(json, "frame_vertices", model64->vertex_count, TRILO_MODEL64_GAME_VERTICES);
    else
        json_null(json, "frame_vertices");
    json_end(json);
    json_array(json, "lists");
    for (uint32_t i = 0; i < TRILO_MODEL64_SLOTS; i++)
        if (model64->lists[i].size > 0) {
            const trilo_model64_list *list = &model64->lists[i];
            json_object(json, NULL);
            json_uint(json, "slot", i);
            json_uint(json, "triangles", list->triangles);
            json_uint(json, "commands", list->commands);
            json_uint(json, "loads", list->loads);
            json_uint(json, "loaded_vertices", list->loaded_vertices);
            json_uint(json, "modifies", list->modifies);
            json_uint(json, "size", list->size);
            json_uint(json, "draw_size", list->draw_size);
            json_end(json);
        }
    json_end(json);
    json_end(json);
}

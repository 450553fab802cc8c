/* tables.c: the tables of `trilobite info` in which a row is one thing. Empty columns are left out, so that one table
 * works for formats with different content. */
#include "info/info.h"

#include "collision.h"

#include <inttypes.h>

static void info_cell_point(cli_table *table, trilo_vec3 p)
{
    table_cell(table, "%s %s %s", ROUNDED((double)p.x), ROUNDED((double)p.y), ROUNDED((double)p.z));
}

static void maybe_index(cli_table *table, uint32_t index)
{
    if (index == TRILO_NONE)
        table_cell(table, "%s", "");
    else
        table_cell(table, "%" PRIu32, index);
}

void info_print_meshes(const cli_info *info, const cli_screen *screen)
{
    cli_table table = table_new("rlrrrrlllll");
    if (info->input->model->mesh_count == 0)
        return;
    table_cell(&table, "%s", info->format == TRILO_FORMAT_T3DM ? "OBJECT" : "MESH");
    table_cells(&table, (const char *[]){"NAME", "PARTS", "LOADED", "VERTICES", "PRIMITIVES", "FROM", "TO", "MATERIAL",
                                         "TEXTURE", "SKIN", NULL});
    for (uint32_t i = 0; i < info->input->model->mesh_count; i++) {
        const trilo_mesh *mesh = &info->input->model->meshes[i];
        const trilo_bounds bounds = trilo_mesh_bounds(mesh);
        const uint32_t count = info_primitives(mesh);
        const bool t3dm = info->format == TRILO_FORMAT_T3DM;
        const trilo_t3dm_object object = trilo_document_t3dm_object(info->input->document, i);
        table_cell(&table, "%" PRIu32, i);
        table_text(&table, mesh->name);
        table_cell(&table, "%s", t3dm ? COUNT(object.part_count) : "");
        table_cell(&table, "%s", t3dm ? COUNT(object.loaded_vertices) : "");
        table_cell(&table, "%s", COUNT(mesh->vertex_count));
        table_cell(&table, "%s %s%s", COUNT(count), mesh->topology == TRILO_TOPOLOGY_LINES ? "line" : "triangle",
                   text_plural(count));
        if (info_is_empty(&bounds)) {
            table_cells(&table, (const char *[]){"nowhere", "", NULL});
        } else {
            info_cell_point(&table, bounds.min);
            info_cell_point(&table, bounds.max);
        }
        /* Materials have names except in NLM: in T3DM they name the textures, in a Model the slots. */
        const trilo_model *model = info->input->model;
        if (info->format == TRILO_FORMAT_NLM)
            table_cell(&table, "%s", "");
        else if (mesh->material != TRILO_NONE && model->materials[mesh->material].name.len > 0)
            table_text(&table, model->materials[mesh->material].name);
        else
            maybe_index(&table, mesh->material);
        maybe_index(&table, info->format == TRILO_FORMAT_T3DM ? TRILO_NONE : info_texture(model, mesh));
        table_cell(&table, "%s", mesh->skin == TRILO_NONE ? "" : "skinned");
    }
    fputc('\n', screen->file);
    table_print(&table, screen, true);
}

void info_print_textures(const trilo_model *model, const cli_screen *screen)
{
    cli_table table = table_new("rllrl");
    if (model->texture_count == 0)
        return;
    table_cells(&table, (const char *[]){"TEXTURE", "KIND", "PIXELS", "BYTES", "NAME", NULL});
    for (uint32_t i = 0; i < model->texture_count; i++) {
        const trilo_texture *texture = &model->textures[i];
        const bool embedded = texture->bytes.size > 0 || texture->path.len == 0;
        table_cell(&table, "%" PRIu32, i);
        table_cell(&table, "%s", embedded ? info_image_kind(texture->kind) : "");
        if (texture->width)
            table_cell(&table, "%" PRIu32 " x %" PRIu32, texture->width, texture->height);
        else
            table_cell(&table, "?");
        table_cell(&table, "%s", embedded ? COUNT(texture->bytes.size) : "");
        table_text(&table, texture->path.len ? texture->path : texture->name);
    }
    fputc('\n', screen->file);
    table_print(&table, screen, true);
}

void info_print_bones(const trilo_model *model, const cli_screen *screen)
{
    cli_table table = table_new("rrl");
    if (model->node_count == 0)
        return;
    table_cells(&table, (const char *[]){"BONE", "PARENT", "NAME", NULL});
    for (uint32_t i = 0; i < model->node_count; i++) {
        table_cell(&table, "%" PRIu32, i);
        maybe_index(&table, model->nodes[i].parent);
        table_text(&table, model->nodes[i].name);
    }
    fputc('\n', screen->file);
    table_print(&table, screen, true);
}

/* The frames of a Model's clip, or the keys of another's. */
static void add_motion(cli_table *table, const cli_info *info, uint32_t clip)
{
    const double rate = info->input->model->clips[clip].rate;
    if (info->format == TRILO_FORMAT_MODEL64) {
        table_cells(table, (const char *[]){"", "", "", NULL});
        table_cell(table, "%s", COUNT(info->frames[clip].frame_count));
        table_cell(table, "%s", COUNT(info->frames[clip].distinct));
        return;
    }
    table_cell(table, "%s", COUNT(info_channels(info, clip)));
    table_cell(table, "%s", COUNT(info_keys(info, clip)));
    table_cell(table, "%s", info->format == TRILO_FORMAT_T3DM ? "" : rate > 0 ? ROUNDED(rate) : "-");
    table_cells(table, (const char *[]){"", "", NULL});
}

void info_print_clips(const cli_info *info, const cli_screen *screen)
{
    const trilo_model *model = info->input->model;
    cli_table table = table_new("rrrrrrrlll");
    if (model->clip_count == 0)
        return;
    table_cells(&table, (const char *[]){"CLIP", "LENGTH", "CHANNELS", "KEYS", "TICKS/S", "FRAMES", "DIFFERENT", "NAME",
                                         "STREAM", "FOUND", NULL});
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const trilo_clip *clip = &model->clips[i];
        table_cell(&table, "%" PRIu32, i);
        table_cell(&table, "%s%s", ROUNDED(clip->duration), info->format == TRILO_FORMAT_MODEL64 ? "" : " s");
        add_motion(&table, info, i);
        table_text(&table, clip->name);
        if (info->format != TRILO_FORMAT_T3DM) {
            table_cells(&table, (const char *[]){"", "", NULL});
            continue;
        }
        const trilo_t3dm_animation animation = trilo_document_t3dm_animation(info->input->document, i);
        table_text(&table, animation.stream_path);
        table_cell(&table, "%s", animation.stream_found ? "yes" : "no");
    }
    fputc('\n', screen->file);
    table_print(&table, screen, true);
}

void info_print_chunks(const trilo_model *model, const cli_screen *screen)
{
    cli_table table = table_new("lr");
    if (model->chunk_count == 0)
        return;
    table_cells(&table, (const char *[]){"CUSTOM CHUNK", "BYTES", NULL});
    for (uint32_t i = 0; i < model->chunk_count; i++) {
        table_text(&table, (trilo_str){&model->chunks[i].type, 1});
        table_cell(&table, "%s", COUNT(model->chunks[i].bytes.size));
    }
    fputc('\n', screen->file);
    table_print(&table, screen, true);
    for (uint32_t i = 0; i < model->chunk_count; i++)
        if (model->chunks[i].type == '0')
            collision_print(screen, "chunk 0", model->chunks[i].bytes);
}

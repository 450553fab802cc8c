#include "info/info.h"

#include "trilobite/nlm.h"

#include <stdlib.h>

static void put_bounds(cli_json *json, const char *key, const trilo_bounds *bounds)
{
    if (info_is_empty(bounds)) {
        json_null(json, key);
        return;
    }
    json_object(json, key);
    json_floats(json, "min", &(float[]){bounds->min.x, bounds->min.y, bounds->min.z}[0], 3);
    json_floats(json, "max", &(float[]){bounds->max.x, bounds->max.y, bounds->max.z}[0], 3);
    json_end(json);
}

static void info_put_counts(cli_json *json, const trilo_model *model)
{
    const cli_totals totals = info_totals(model);
    json_object(json, "counts");
    json_uint(json, "meshes", model->mesh_count);
    json_uint(json, "vertices", totals.vertices);
    json_uint(json, "triangles", totals.triangles);
    json_uint(json, "lines", totals.lines);
    json_uint(json, "materials", model->material_count);
    json_uint(json, "textures", model->texture_count);
    json_uint(json, "nodes", model->node_count);
    json_uint(json, "joints", totals.joints);
    json_uint(json, "clips", model->clip_count);
    json_end(json);
}

static void put_meshes(cli_json *json, const cli_info *info)
{
    const trilo_model *model = info->input->model;
    json_array(json, "meshes");
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        const trilo_bounds bounds = trilo_mesh_bounds(mesh);
        json_object(json, NULL);
        json_str(json, "name", mesh->name);
        json_text(json, "topology", mesh->topology == TRILO_TOPOLOGY_LINES ? "lines" : "triangles");
        json_uint(json, "vertices", mesh->vertex_count);
        json_uint(json, "primitives", info_primitives(mesh));
        if (info->format == TRILO_FORMAT_T3DM) {
            const trilo_t3dm_object object = trilo_document_t3dm_object(info->input->document, i);
            json_uint(json, "parts", object.part_count);
            json_uint(json, "loaded_vertices", object.loaded_vertices);
        }
        put_bounds(json, "bounds", &bounds);
        json_index(json, "material", mesh->material);
        json_index(json, "texture", info_texture(model, mesh));
        json_index(json, "skin", mesh->skin);
        json_index(json, "node", mesh->node);
        json_end(json);
    }
    json_end(json);
}

static void info_put_textures(cli_json *json, const trilo_model *model)
{
    json_array(json, "textures");
    for (uint32_t i = 0; i < model->texture_count; i++) {
        const trilo_texture *texture = &model->textures[i];
        json_object(json, NULL);
        json_str(json, "name", texture->name);
        json_str(json, "path", texture->path);
        json_text(json, "kind", info_image_kind(texture->kind));
        json_uint(json, "width", texture->width);
        json_uint(json, "height", texture->height);
        json_uint(json, "size", texture->bytes.size);
        json_end(json);
    }
    json_end(json);
}

static void put_clips(cli_json *json, const cli_info *info)
{
    const trilo_model *model = info->input->model;
    json_array(json, "clips");
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const trilo_clip *clip = &model->clips[i];
        json_object(json, NULL);
        json_str(json, "name", clip->name);
        json_double(json, "seconds", clip->duration);
        json_double(json, "rate", clip->rate);
        json_uint(json, "channels", info_channels(info, i));
        json_uint(json, "keys", info_keys(info, i));
        if (info->format == TRILO_FORMAT_T3DM) {
            const trilo_t3dm_animation animation = trilo_document_t3dm_animation(info->input->document, i);
            json_object(json, "stream");
            json_str(json, "path", animation.stream_path);
            json_bool(json, "found", animation.stream_found);
            json_end(json);
        }
        if (info->format == TRILO_FORMAT_MODEL64) {
            json_uint(json, "frames", info->frames[i].frame_count);
            json_uint(json, "different_frames", info->frames[i].distinct);
        }
        json_end(json);
    }
    json_end(json);
}

static void put_sections(cli_json *json, const trilo_document *document)
{
    size_t count;
    trilo_section *sections = info_sections(document, &count);
    json_array(json, "sections");
    for (size_t i = 0; i < count; i++) {
        json_object(json, NULL);
        json_text(json, "name", sections[i].name);
        json_uint(json, "count", sections[i].count);
        json_uint(json, "size", sections[i].size);
        json_end(json);
    }
    json_end(json);
    free(sections);
}

void info_print_json(const cli_info *info, cli_json *json)
{
    const cli_input *input = info->input;
    const trilo_model *model = input->model;
    const trilo_bounds bounds = trilo_model_bounds(model);
    const trilo_compression compression = trilo_document_compression(input->document);
    json_text(json, "format", trilo_format_get(model->format)->name);
    json_uint(json, "version", trilo_document_version(input->document));
    json_uint(json, "size", trilo_document_bytes(input->document).size);
    const trilo_import import = trilo_document_import(input->document);
    if (import.format) {
        json_object(json, "imported");
        json_text(json, "from", import.format);
        json_uint(json, "size", import.size);
        json_end(json);
    }
    info_json_compression(&compression, json);
    json_uint(json, "warnings", input->tally.warnings);
    info_put_counts(json, model);
    put_bounds(json, "bounds", &bounds);
    /* What NLM files store about their source. */
    if (model->format == TRILO_FORMAT_NLM) {
        json_object(json, "source");
        json_uint(json, "hash", model->source_hash);
        json_bool(json, "resized", model->resized);
        put_bounds(json, "bounds", &model->source_bounds);
        json_end(json);
    }
    const uint32_t header = trilo_nlm_header_size(input->document);
    if (header != 0) {
        json_object(json, "nlm");
        json_uint(json, "header_size", header);
        json_text(json, "quaternion_order", input->opts.nlm->quat_wxyz ? "wxyz" : "xyzw");
        json_text(json, "topology", info_topology(input));
        json_end(json);
    }
    info_json_t3dm(info, json);
    info_json_model64(info, json);
    info_json_gltf(info, json);
    put_meshes(json, info);
    info_json_materials(model, json);
    info_put_textures(json, model);
    put_clips(json, info);
    put_sections(json, input->document);
}

/* info.c: the command that prints what is in a model. */
#include "info/info.h"

#include "alloc.h"
#include "collision.h"

#include <stdlib.h>

uint32_t info_primitives(const trilo_mesh *mesh)
{
    return mesh->index_count / (mesh->topology == TRILO_TOPOLOGY_LINES ? 2 : 3);
}

cli_totals info_totals(const trilo_model *model)
{
    cli_totals totals = {0};
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        totals.vertices += mesh->vertex_count;
        *(mesh->topology == TRILO_TOPOLOGY_LINES ? &totals.lines : &totals.triangles) += info_primitives(mesh);
    }
    for (uint32_t i = 0; i < model->skin_count; i++)
        totals.joints += model->skins[i].joint_count;
    return totals;
}

uint32_t info_texture(const trilo_model *model, const trilo_mesh *mesh)
{
    return mesh->material == TRILO_NONE ? TRILO_NONE : model->materials[mesh->material].texture;
}

/* A T3DM file says how many there are, also when the stream that holds them is missing. */
uint64_t info_channels(const cli_info *info, uint32_t clip)
{
    return info->format == TRILO_FORMAT_T3DM ? trilo_document_t3dm_animation(info->input->document, clip).channel_count
                                             : info->input->model->clips[clip].channel_count;
}

uint64_t info_keys(const cli_info *info, uint32_t clip)
{
    const trilo_clip *from = &info->input->model->clips[clip];
    uint64_t keys = 0;
    if (info->format == TRILO_FORMAT_T3DM)
        return trilo_document_t3dm_animation(info->input->document, clip).key_count;
    for (uint32_t i = 0; i < from->channel_count; i++)
        keys += from->channels[i].key_count;
    return keys;
}

const char *info_image_kind(trilo_image_kind kind)
{
    return kind == TRILO_IMAGE_KIND_PNG ? "png" : kind == TRILO_IMAGE_KIND_JPEG ? "jpeg" : "unknown";
}

const char *info_topology(const cli_input *input)
{
    static const char *const names[] = {"guess", "triangles", "lines"};
    return names[input->opts.nlm->topology];
}

bool info_is_empty(const trilo_bounds *bounds)
{
    return !(bounds->min.x <= bounds->max.x && bounds->min.y <= bounds->max.y && bounds->min.z <= bounds->max.z);
}

trilo_section *info_sections(const trilo_document *document, size_t *count)
{
    *count = trilo_document_sections(document, NULL, 0);
    trilo_section *sections = need(NULL, *count, sizeof *sections);
    trilo_document_sections(document, sections, *count);
    return sections;
}

static void print_collision(const cli_args *args, const char *path, trilo_bytes bytes, cli_json *json)
{
    if (json) {
        json_object(json, NULL);
        json_text(json, "file", path);
        json_bool(json, "readable", true);
        collision_json(json, bytes);
        json_end(json);
    } else {
        collision_print(&args->out, path, bytes);
    }
    free((void *)(uintptr_t)bytes.data);
}

static exit_code info_run_one(const cli_args *args, const char *path, const trilo_load_opts *opts, cli_json *json)
{
    cli_input input;
    const trilo_bytes collision = collision_read(path);
    if (collision.size > 0) {
        print_collision(args, path, collision, json);
        return EXIT_FINE;
    }
    exit_code code = input_load(&input, args, path, opts);
    if (json) {
        json_object(json, NULL);
        json_text(json, "file", path);
        json_bool(json, "readable", input.model != NULL);
    }
    if (input.model) {
        const trilo_document *document = input.document;
        cli_info info = {.input = &input,
                         .format = trilo_document_format(document),
                         .t3dm = trilo_document_t3dm(document),
                         .model64 = trilo_document_model64(document),
                         .gltf = trilo_document_gltf(document),
                         .materials = args_has(args, OPT_MATERIALS)};
        info.frames = need(NULL, info.model64.animation_count, sizeof *info.frames);
        if (info.format == TRILO_FORMAT_MODEL64 &&
            !trilo_document_model64_frames(document, info.frames, info.model64.animation_count, &info.all_frames))
            alloc_failed();
        if (json)
            info_print_json(&info, json);
        else
            info_print_text(&info, &args->out);
        if (args_has(args, OPT_CLIPS))
            code = exit_worse(code, info_clips(&info, args, json));
        free(info.frames);
    } else if (json) {
        json_array(json, "findings");
        input_refusals(&input, json);
        json_end(json);
    }
    if (json)
        json_end(json);
    input_close(&input);
    return code;
}

exit_code info_run(const cli_args *args)
{
    cli_load_opts opts;
    cli_json json;
    exit_code code = input_options(args, &opts);
    if (code != EXIT_FINE)
        return code;
    if (args->json) {
        json = json_start(args->out.file, "info");
        json_array(&json, "files");
    }
    for (size_t i = 0; i < args->operand_count; i++) {
        const exit_code one = info_run_one(args, args->operands[i], &opts.all, args->json ? &json : NULL);
        if (one == EXIT_FINE && !args->json && i + 1 < args->operand_count)
            fputc('\n', args->out.file);
        code = exit_worse(code, one);
    }
    if (args->json) {
        json_end(&json);
        json_finish(&json);
    }
    return code;
}

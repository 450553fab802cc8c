#include "trilobite/t3dm.h"

#include "api/document.h"
#include "base/report.h"
#include "formats/t3dm/t3dm.h"

#include <string.h>

static const t3dm_file *t3dm_of(const trilo_document *document)
{
    return trilo_document_format(document) == TRILO_FORMAT_T3DM ? document->file : NULL;
}

static trilo_t3dm_object t3dm_object_summary(const t3dm_object *object)
{
    trilo_t3dm_object summary = {.part_count = object->head.part_count};
    for (uint32_t i = 0; i < object->head.part_count; i++)
        summary.loaded_vertices += object->parts[i].vertex_count;
    return summary;
}

trilo_t3dm_summary trilo_document_t3dm(const trilo_document *document)
{
    /* Each runtime of Tiny3D loads one version only. */
    static const struct {
        const char *since, *until;
    } releases[] = {
        {"2024-10-19", "2024-10-25"}, {"2024-10-26", "2024-11-06"}, {"2024-11-07", "2025-08-02"}, {"2025-08-03", NULL}};
    const t3dm_file *file = t3dm_of(document);
    if (!file)
        return (trilo_t3dm_summary){0};
    trilo_t3dm_summary summary = {.version = file->version,
                                  .tiny3d_since = releases[file->version - 1].since,
                                  .tiny3d_until = releases[file->version - 1].until,
                                  .object_count = file->object_count,
                                  .material_count = file->material_count,
                                  .bone_count = file->skeleton.bone_count,
                                  .animation_count = file->animation_count,
                                  .has_bvh = file->has_bvh};
    memcpy(summary.min, file->header.min, sizeof summary.min);
    memcpy(summary.max, file->header.max, sizeof summary.max);
    for (uint32_t i = 0; i < file->object_count; i++) {
        const trilo_t3dm_object object = t3dm_object_summary(&file->objects[i]);
        summary.part_count += object.part_count;
        summary.loaded_vertices += object.loaded_vertices;
    }
    if (!file->has_bvh)
        return summary;
    summary.bvh_node_count = file->bvh.head.node_count;
    summary.bvh_item_count = file->bvh.head.item_count;
    for (uint32_t i = 0; i < file->bvh.head.node_count; i++)
        summary.bvh_leaf_count += t3dm_bvh_count(&file->bvh.nodes[i]) > 0;
    return summary;
}

trilo_t3dm_object trilo_document_t3dm_object(const trilo_document *document, uint32_t index)
{
    const t3dm_file *file = t3dm_of(document);
    return file && index < file->object_count ? t3dm_object_summary(&file->objects[index]) : (trilo_t3dm_object){0};
}

trilo_t3dm_animation trilo_document_t3dm_animation(const trilo_document *document, uint32_t index)
{
    const t3dm_file *file = t3dm_of(document);
    if (!file || index >= file->animation_count)
        return (trilo_t3dm_animation){.stream_path = {"", 0}};
    const t3dm_animation *a = &file->animations[index];
    const char *path = tl_t3dm_string(file, a->head.stream);
    return (trilo_t3dm_animation){.channel_count = (uint32_t)a->head.quat_count + a->head.scalar_count,
                                  .key_count = a->head.key_count,
                                  .stream_path = {path ? path : "", path ? strlen(path) : 0},
                                  .stream_found = a->has_stream,
                                  .size = tl_t3dm_animation_chunk_size(a),
                                  .stream_size = a->stream.size};
}

void trilo_document_t3dm_check_stream(const trilo_document *document, uint32_t index, trilo_finding_fn *report,
                                      void *user)
{
    const trilo_t3dm_animation animation = trilo_document_t3dm_animation(document, index);
    tl_report one = {.fn = report, .user = user};
    tl_path_push(&one.path, "clips", index);
    if (animation.key_count > 0 && !animation.stream_found)
        tl_report_finding(&one, t3dm_rule(T3DM_R_STREAM_MISSING), TRILO_NOWHERE,
                          "its stream was not found beside the model, so this is the rest pose");
    tl_path_pop(&one.path);
}

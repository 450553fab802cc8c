/* Writes the records in file order. A file that was read is written byte for byte. */
#include "formats/nlm/nlm.h"

static void nlm_put_count(tl_sink *sink, uint32_t count)
{
    uint8_t bytes[NLM_WORD];
    tl_put_u32(bytes, TL_LITTLE, count);
    tl_sink_put(sink, bytes, sizeof bytes);
}

void tl_nlm_write(const void *nlm, tl_sink *sink)
{
    const nlm_file *file = nlm;
    tl_layout_write(sink, &tl_nlm_header, file->header_form, &file->header);
    tl_layout_write(sink, &tl_nlm_bounds, TL_UNVERSIONED, &file->bounds);
    nlm_put_count(sink, file->mesh_count);
    for (uint32_t i = 0; i < file->mesh_count; i++) {
        const nlm_mesh *mesh = &file->meshes[i];
        tl_layout_write(sink, &tl_nlm_mesh_head, TL_UNVERSIONED, &mesh->head);
        tl_sink_put(sink, mesh->vertices, mesh->head.vertex_count * tl_layout_size(&tl_nlm_vertex, TL_UNVERSIONED));
        tl_sink_put(sink, mesh->indices, (size_t)mesh->head.index_count * NLM_WORD);
        nlm_put_count(sink, mesh->texture_size);
        tl_sink_put(sink, mesh->texture, mesh->texture_size);
    }
    if (file->header.animated) {
        tl_layout_write(sink, &tl_nlm_clip, TL_UNVERSIONED, &file->clip);
        nlm_put_count(sink, file->bone_count);
        for (uint32_t i = 0; i < file->bone_count; i++)
            tl_layout_write(sink, &tl_nlm_bone, TL_UNVERSIONED, &file->bones[i]);
        nlm_put_count(sink, file->track_count);
        for (uint32_t i = 0; i < file->track_count; i++) {
            const nlm_track *track = &file->tracks[i];
            tl_layout_write(sink, &tl_nlm_track_head, TL_UNVERSIONED, &track->head);
            for (int kind = 0; kind < NLM_KEY_KINDS; kind++)
                tl_sink_put(sink, track->keys[kind],
                            track->head.key_counts[kind] * tl_layout_size(nlm_key_layout(kind), TL_UNVERSIONED));
        }
        nlm_put_count(sink, file->node_count);
        for (uint32_t i = 0; i < file->node_count; i++) {
            tl_layout_write(sink, &tl_nlm_node_head, TL_UNVERSIONED, &file->nodes[i].head);
            tl_sink_put(sink, file->nodes[i].children, (size_t)file->nodes[i].head.child_count * NLM_WORD);
        }
    }
    if (file->end_at < file->bytes.size) /* trailing bytes are kept */
        tl_sink_put(sink, file->bytes.data + file->end_at, file->bytes.size - file->end_at);
}

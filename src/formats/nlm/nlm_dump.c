/* Lists the records of an NLM file, and the sizes of its sections. */
#include "formats/nlm/nlm.h"

static void nlm_visit_record(const trilo_visitor *v, const tl_layout *layout, unsigned form, const char *name,
                             const nlm_file *file, const uint8_t *p)
{
    v->record_begin(v->user, name, nlm_offset(file, p));
    tl_layout_visit(layout, form, p, nlm_offset(file, p), v);
    v->record_end(v->user);
}

/* An array of records of fixed size. */
static void nlm_visit_records(const trilo_visitor *v, const char *name, const nlm_file *file, const tl_records *records)
{
    const size_t size = tl_layout_size(records->layout, records->version);
    v->list_begin(v->user, name, (uint32_t)records->count, nlm_offset(file, records->bytes));
    for (size_t i = 0; i < records->count; i++)
        nlm_visit_record(v, records->layout, records->version, NULL, file, records->bytes + i * size);
    v->list_end(v->user);
}

static void nlm_visit_words(const trilo_visitor *v, const char *name, const nlm_file *file, const uint8_t *words,
                            uint32_t count, trilo_value_kind kind)
{
    v->list_begin(v->user, name, count, nlm_offset(file, words));
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *p = words + (size_t)NLM_WORD * i;
        trilo_value value = {.kind = kind, .count = 1, .offset = nlm_offset(file, p)};
        if (kind == TRILO_VALUE_KIND_INT)
            value.as.i[0] = (int32_t)tl_get_u32le(p);
        else
            value.as.u[0] = tl_get_u32le(p);
        v->field(v->user, NULL, &value);
    }
    v->list_end(v->user);
}

static void nlm_visit_animation(const trilo_visitor *v, const nlm_file *file)
{
    static const char *const key_names[] = {"position_keys", "rotation_keys", "scale_keys"};
    const uint8_t *base = file->bytes.data;
    nlm_visit_record(v, &tl_nlm_clip, TL_UNVERSIONED, "clip", file, base + file->clip_at);
    nlm_visit_records(v, "bones", file,
                      &(tl_records){&tl_nlm_bone, TL_UNVERSIONED, base + file->bones_at + NLM_WORD, file->bone_count});
    v->list_begin(v->user, "tracks", file->track_count,
                  file->bones_at + NLM_WORD +
                      file->bone_count * (uint64_t)tl_layout_size(&tl_nlm_bone, TL_UNVERSIONED));
    for (uint32_t i = 0; i < file->track_count; i++) {
        const uint8_t *head = file->tracks[i].keys[0] - tl_layout_size(&tl_nlm_track_head, TL_UNVERSIONED);
        v->record_begin(v->user, NULL, nlm_offset(file, head));
        tl_layout_visit(&tl_nlm_track_head, TL_UNVERSIONED, head, nlm_offset(file, head), v);
        for (int kind = 0; kind < NLM_KEY_KINDS; kind++) {
            const tl_records keys = tl_nlm_keys(&file->tracks[i], kind);
            nlm_visit_records(v, key_names[kind], file, &keys);
        }
        v->record_end(v->user);
    }
    v->list_end(v->user);
    v->list_begin(v->user, "nodes", file->node_count, file->nodes_at);
    for (uint32_t i = 0; i < file->node_count; i++) {
        const nlm_node *node = &file->nodes[i];
        const uint8_t *head = node->children - tl_layout_size(&tl_nlm_node_head, TL_UNVERSIONED);
        v->record_begin(v->user, NULL, nlm_offset(file, head));
        tl_layout_visit(&tl_nlm_node_head, TL_UNVERSIONED, head, nlm_offset(file, head), v);
        nlm_visit_words(v, "children", file, node->children, node->head.child_count, TRILO_VALUE_KIND_INT);
        v->record_end(v->user);
    }
    v->list_end(v->user);
}

void tl_nlm_visit(const void *nlm, const trilo_visitor *v)
{
    const nlm_file *file = nlm;
    const uint8_t *bounds = file->bytes.data + tl_layout_size(&tl_nlm_header, file->header_form);
    const uint8_t *meshes = bounds + tl_layout_size(&tl_nlm_bounds, TL_UNVERSIONED);
    nlm_visit_record(v, &tl_nlm_header, file->header_form, "header", file, file->bytes.data);
    nlm_visit_record(v, &tl_nlm_bounds, TL_UNVERSIONED, "bounds", file, bounds);
    v->list_begin(v->user, "meshes", file->mesh_count, nlm_offset(file, meshes));
    for (uint32_t i = 0; i < file->mesh_count; i++) {
        const nlm_mesh *mesh = &file->meshes[i];
        const uint8_t *head = mesh->vertices - tl_layout_size(&tl_nlm_mesh_head, TL_UNVERSIONED);
        const tl_records vertices = nlm_vertices(mesh);
        trilo_value texture = {.kind = TRILO_VALUE_KIND_BLOB, .count = 1, .offset = nlm_offset(file, mesh->texture)};
        texture.as.blob = (trilo_bytes){mesh->texture, mesh->texture_size};
        v->record_begin(v->user, NULL, nlm_offset(file, head));
        tl_layout_visit(&tl_nlm_mesh_head, TL_UNVERSIONED, head, nlm_offset(file, head), v);
        nlm_visit_records(v, "vertices", file, &vertices);
        nlm_visit_words(v, "indices", file, mesh->indices, mesh->head.index_count, TRILO_VALUE_KIND_UINT);
        v->field(v->user, "texture", &texture);
        v->record_end(v->user);
    }
    v->list_end(v->user);
    if (file->header.animated)
        nlm_visit_animation(v, file);
}

size_t tl_nlm_sections(const void *nlm, trilo_section *sections, size_t room)
{
    const nlm_file *file = nlm;
    uint64_t vertices = 0, indices = 0, heads = NLM_WORD, texture_bytes = 0;
    uint32_t textures = 0, vertex_count = 0, index_count = 0;
    for (uint32_t i = 0; i < file->mesh_count; i++) {
        const nlm_mesh *mesh = &file->meshes[i];
        heads += tl_layout_size(&tl_nlm_mesh_head, TL_UNVERSIONED) + NLM_WORD;
        vertices += mesh->head.vertex_count * (uint64_t)tl_layout_size(&tl_nlm_vertex, TL_UNVERSIONED);
        indices += mesh->head.index_count * (uint64_t)NLM_WORD;
        texture_bytes += mesh->texture_size;
        vertex_count += mesh->head.vertex_count, index_count += mesh->head.index_count;
        textures += mesh->texture_size > 0 ? 1 : 0;
    }
    const size_t head =
        tl_layout_size(&tl_nlm_header, file->header_form) + tl_layout_size(&tl_nlm_bounds, TL_UNVERSIONED);
    const uint64_t bones = NLM_WORD + file->bone_count * (uint64_t)tl_layout_size(&tl_nlm_bone, TL_UNVERSIONED);
    const uint64_t clip = tl_layout_size(&tl_nlm_clip, TL_UNVERSIONED);
    const trilo_section all[] = {
        {"header and bounds", 1, head},
        {"mesh heads", file->mesh_count, heads},
        {"vertices", vertex_count, vertices},
        {"indices", index_count, indices},
        {"textures", textures, texture_bytes},
        {"clip", 1, clip},
        {"bones", file->bone_count, bones},
        {"tracks", file->track_count, file->nodes_at - file->clip_at - clip - bones},
        {"nodes", file->node_count, file->end_at - file->nodes_at},
        {"trailing bytes", 1, file->bytes.size - file->end_at},
    };
    size_t count = 0;
    for (size_t i = 0; i < TL_COUNT_OF(all); i++) {
        const bool animation = i >= 5 && i <= 8;
        if (animation ? !file->header.animated : all[i].size == 0)
            continue;
        if (count < room)
            sections[count] = all[i];
        count++;
    }
    return count;
}

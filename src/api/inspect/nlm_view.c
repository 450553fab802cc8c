/* The documented exception to "file bytes are never cast to structs": vertex and index arrays of NLM, which have the
 * machine's own layout on a little-endian machine when they are aligned. */
#include "api/document.h"
#include "formats/nlm/nlm.h"

static const nlm_mesh *nlm_view_mesh(const trilo_document *document, uint32_t mesh)
{
    return mesh < trilo_nlm_mesh_count(document) ? &((const nlm_file *)document->file)->meshes[mesh] : NULL;
}

uint32_t trilo_nlm_mesh_count(const trilo_document *document)
{
    return document->format == &tl_format_nlm ? ((const nlm_file *)document->file)->mesh_count : 0;
}

uint32_t trilo_nlm_header_size(const trilo_document *document)
{
    return document->format == &tl_format_nlm
               ? (uint32_t)tl_layout_size(&tl_nlm_header, ((const nlm_file *)document->file)->header_form)
               : 0;
}

/* Vertices and indices follow each other in whole words, so both are aligned or neither is. */
size_t trilo_nlm_view_room(const trilo_document *document, uint32_t mesh)
{
    const nlm_mesh *m = nlm_view_mesh(document, mesh);
    if (!m || (tl_order_is_host(TL_LITTLE) && (uintptr_t)m->vertices % _Alignof(trilo_nlm_vertex) == 0))
        return 0;
    return m->head.vertex_count * sizeof(trilo_nlm_vertex) + m->head.index_count * sizeof(uint32_t);
}

bool trilo_nlm_view(const trilo_document *document, uint32_t mesh, void *buffer, size_t buffer_size,
                    trilo_nlm_mesh_view *view)
{
    const nlm_mesh *m = nlm_view_mesh(document, mesh);
    const size_t room = trilo_nlm_view_room(document, mesh);
    if (!m || (room > 0 && (!buffer || buffer_size < room)))
        return false;
    *view = (trilo_nlm_mesh_view){.vertex_count = m->head.vertex_count,
                                  .index_count = m->head.index_count,
                                  .texture = {m->texture, m->texture_size}};
    if (room == 0) {
        view->vertices = (const trilo_nlm_vertex *)(const void *)m->vertices;
        view->indices = (const uint32_t *)(const void *)m->indices;
        return true;
    }
    trilo_nlm_vertex *vertices = buffer;
    uint32_t *indices = (uint32_t *)(void *)(vertices + m->head.vertex_count);
    for (uint32_t i = 0; i < m->head.vertex_count; i++)
        tl_layout_load(&tl_nlm_vertex, TL_UNVERSIONED, m->vertices + i * tl_layout_size(&tl_nlm_vertex, TL_UNVERSIONED),
                       &vertices[i]);
    for (uint32_t i = 0; i < m->head.index_count; i++)
        indices[i] = tl_get_u32le(m->indices + (size_t)NLM_WORD * i);
    view->vertices = vertices;
    view->indices = indices;
    return true;
}

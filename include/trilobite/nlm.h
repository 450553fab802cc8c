/* nlm.h: NLM vertex and index arrays without a copy.
 *
 * On a little-endian machine, with an array that starts at a multiple of 4, the view points into the document's own
 * bytes. Elsewhere the caller's buffer receives a copy in the machine's byte order; trilo_nlm_view_room says how big it
 * must be (0: no buffer is needed).
 */
#ifndef TRILOBITE_NLM_H
#define TRILOBITE_NLM_H

#include "trilobite/document.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A vertex exactly as the file stores it: 76 bytes, no padding. */
typedef struct trilo_nlm_vertex {
    float position[3];
    float color[3];
    float normal[3];
    float uv[2];
    int32_t bone_ids[4]; /* -1: unused; bone indices, not node ids */
    float weights[4];
} trilo_nlm_vertex;

typedef struct trilo_nlm_mesh_view {
    uint32_t vertex_count, index_count;
    const trilo_nlm_vertex *vertices;
    const uint32_t *indices;
    trilo_bytes texture; /* size 0: none */
} trilo_nlm_mesh_view;

/* 0 when the document is no NLM file. */
TRILO_API uint32_t trilo_nlm_mesh_count(const trilo_document *document);
/* 16, or 12 for the older form; 0 when the document is no NLM file. */
TRILO_API uint32_t trilo_nlm_header_size(const trilo_document *document);
/* Bytes of buffer that trilo_nlm_view needs for that mesh; 0 where nothing has to be copied. */
TRILO_API size_t trilo_nlm_view_room(const trilo_document *document, uint32_t mesh);
/* `buffer` (aligned to 4, trilo_nlm_view_room bytes) may be NULL when no room is needed, and must outlive the view.
 * False when the mesh does not exist or the buffer is missing. */
TRILO_API bool trilo_nlm_view(const trilo_document *document, uint32_t mesh, void *buffer, size_t buffer_size,
                              trilo_nlm_mesh_view *view);

#ifdef __cplusplus
}
#endif
#endif

/* nlm.h: zero-copy views of NLM vertices and indices.
 *
 * On a little-endian machine, if an array is aligned to 4 bytes, the view points into the bytes of the document.
 * Otherwise the caller's buffer receives a copy in the byte order of the machine; trilo_nlm_view_room returns its size
 * (0: no buffer is needed).
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

/* 0 if the document is not an NLM file. */
TRILO_API uint32_t trilo_nlm_mesh_count(const trilo_document *document);
/* 16, or 12 for the older form; 0 if the document is not an NLM file. */
TRILO_API uint32_t trilo_nlm_header_size(const trilo_document *document);
/* The size of the buffer that trilo_nlm_view needs for that mesh; 0 if nothing has to be copied. */
TRILO_API size_t trilo_nlm_view_room(const trilo_document *document, uint32_t mesh);
/* `buffer` (aligned to 4, trilo_nlm_view_room bytes) must outlive the view; it may be NULL if that size is 0. Returns
 * false if the mesh does not exist or the buffer is too small. */
TRILO_API bool trilo_nlm_view(const trilo_document *document, uint32_t mesh, void *buffer, size_t buffer_size,
                              trilo_nlm_mesh_view *view);

#ifdef __cplusplus
}
#endif
#endif

/* optimize.h: models that draw faster and look the same.
 *
 * T3DM and Model files are packed anew as they are: what the console loads and in which commands it draws changes,
 * everything else stays. NLM and glTF go through the model, whose indices and vertices are sorted for the caches of
 * graphics hardware by the library meshoptimizer. Leaving triangles out (simplifying) works for all formats, through
 * the model, and needs that library too.
 */
#ifndef TRILOBITE_OPTIMIZE_H
#define TRILOBITE_OPTIMIZE_H

#include "trilobite/document.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_optimize_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* stays 0 */
    uint32_t level;       /* 1 to 3, 0: 2: how much work goes into it */
    bool resident;        /* T3DM: parts may draw with vertices that earlier parts of the object loaded */
    bool drop_unused;     /* T3DM: what the materials cannot show is merged away; a game must not change them then */
    bool sort_materials;  /* T3DM: objects of one material follow each other; never past a blended one */
    bool share_vertices;  /* T3DM: objects may share stored vertices; also if they do in the file */
    double keep;          /* simplify to this share of the triangles, above 0 and below 1; 0: by the error alone */
    double error;         /* simplify, but stay this close, as a share of the size of a mesh; 0: as `keep` needs it */
    trilo_finding_fn *on_finding; /* told what changed, and what could not be done */
    void *on_finding_user;
    trilo_progress_fn *on_progress; /* objects or meshes */
    void *on_progress_user;
} trilo_optimize_opts;

/* The whole document, decompressed, cheaper to draw or as it was. False, with *err (which may be NULL), for a file
 * whose check has an error. `write` says how to write what goes through the model, and takes its companion files; it
 * may be NULL, and its format and on_finding do not matter. */
TRILO_API bool trilo_document_optimize(const trilo_document *document, const trilo_optimize_opts *opts,
                                       const trilo_write_opts *write, trilo_write_fn *sink, void *user,
                                       trilo_error *err);

/* A changed copy, for graphics hardware: indices for its vertex cache and against drawing over what was drawn, vertices
 * in the order of their use. `keep` and `error` simplify it before. NULL, with *err, on failure. */
TRILO_API const trilo_model *trilo_model_optimize(const trilo_model *model, const trilo_optimize_opts *opts,
                                                  const trilo_memory *memory, trilo_error *err);

/* Was the library built with meshoptimizer? */
TRILO_API bool trilo_build_has_meshoptimizer(void);

#ifdef __cplusplus
}
#endif
#endif

/* optimize.h: makes models faster to draw without changing how they look.
 *
 * T3DM and Model files are rewritten record by record: vertex loads and draw commands change, everything else stays.
 * NLM and glTF files are decoded to a model, and meshoptimizer reorders its indices and vertices for the caches of
 * graphics hardware. Simplification (fewer triangles) works for all formats; it goes through the model and needs
 * meshoptimizer too.
 */
#ifndef TRILOBITE_OPTIMIZE_H
#define TRILOBITE_OPTIMIZE_H

#include "trilobite/document.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_optimize_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    uint32_t level;       /* effort, 1 to 3; 0: 2 */
    bool resident;        /* T3DM: parts may use vertices that earlier parts of the object loaded */
    bool share_repeats;   /* T3DM: move texture coordinates by whole repeats where vertices become equal; the game must
                             not change the size or wrapping of textures */
    bool drop_unused;     /* T3DM: the same, and drop what materials cannot show; the game must not change materials */
    bool sort_materials;  /* T3DM: group objects by material; none moves past a blended one */
    bool share_vertices;  /* T3DM: objects may share stored vertices; implied if they do in the file */
    double keep;          /* simplify to this fraction of the triangles, above 0 and below 1; 0: only `error` limits */
    double error;         /* simplify within this error, relative to the size of a mesh; 0: only `keep` limits */
    trilo_finding_fn *on_finding; /* receives what changed and what could not be done */
    void *on_finding_user;
    trilo_progress_fn *on_progress; /* counts objects or meshes */
    void *on_progress_user;
} trilo_optimize_opts;

/* Writes the optimized document, decompressed. What cannot be improved stays as it was. Returns false and fills *err
 * (which may be NULL) if the check of the file finds an error. `write` has the options for formats that go through the
 * model, and receives the companion files; it may be NULL. Its format and on_finding are ignored. */
TRILO_API bool trilo_document_optimize(const trilo_document *document, const trilo_optimize_opts *opts,
                                       const trilo_write_opts *write, trilo_write_fn *sink, void *user,
                                       trilo_error *err);

/* Returns a copy optimized for graphics hardware: indices ordered for the vertex cache and against overdraw, vertices
 * in order of use. `keep` and `error` simplify it first. Returns NULL and fills *err on failure. */
TRILO_API const trilo_model *trilo_model_optimize(const trilo_model *model, const trilo_optimize_opts *opts,
                                                  const trilo_memory *memory, trilo_error *err);

/* Returns true if the library was built with meshoptimizer, and it is installed. */
TRILO_API bool trilo_build_has_meshoptimizer(void);

#ifdef __cplusplus
}
#endif
#endif

/* format_ops.h: the interface of a format to the library. src/api/registry.c lists all formats. */
#ifndef TL_MODEL_FORMAT_OPS_H
#define TL_MODEL_FORMAT_OPS_H

#include "base/arena.h"
#include "base/report.h"
#include "layout/describe.h"
#include "trilobite/cost.h"
#include "trilobite/document.h"
#include "trilobite/stream.h"

/* Options for making a file cheaper to draw. */
typedef struct tl_reoptimize_opts {
    uint32_t level; /* 1 to 3 */
    bool resident, share_repeats, drop_unused, sort_materials, share_vertices;
} tl_reoptimize_opts;

/* A `file` mirrors a file record by record, in structs of the format. It is allocated from the arena it was made with.
 */
typedef struct tl_format {
    trilo_format_info info;
    const trilo_rule *rules;
    size_t rule_count;

    bool (*probe)(trilo_bytes bytes); /* true if it starts like a file of this format */
    /* Reads the whole structure. The bytes outlive the file. Returns NULL with *err on failure. */
    void *(*read)(tl_arena *arena, trilo_bytes bytes, const trilo_load_opts *opts, trilo_error *err);
    uint32_t (*version)(const void *file);
    /* `scratch` is freed afterwards. With report->errors_only it may skip what `decode` itself refuses with
     * TRILO_CODE_BAD_VALUE. */
    void (*check)(const void *file, tl_arena *scratch, tl_report *report);
    /* Decodes a checked file without errors into an empty model, with memory from the arena. */
    bool (*decode)(const void *file, tl_arena *arena, trilo_model *model, trilo_error *err);
    /* Encodes a checked model as a file that can be written. */
    void *(*encode)(const trilo_model *model, const trilo_write_opts *opts, tl_arena *arena, tl_report *losses,
                    trilo_error *err);
    void (*write)(const void *file, tl_sink *sink);
    /* The index-th companion file and its name; returns false after the last. NULL: the format has none. */
    bool (*companion)(const void *file, uint32_t index, char *name, size_t room, trilo_bytes *bytes);
    /* Fills an empty stream, with memory from its arena, with the keys of a clip from the caller's source, or from the
     * companion file of the document if that is NULL. NULL: the format has no streamed clips. */
    bool (*stream)(const void *file, uint32_t clip, const trilo_stream_source *source, trilo_stream *out,
                   trilo_error *err);
    /* Converts a file to another version of the format. NULL: there is only one. */
    void *(*reversion)(const void *file, uint32_t version, tl_arena *arena, trilo_error *err);
    /* Reoptimizes a file for drawing; it never gets more expensive. Changes are reported to `changes`. NULL: the format
     * stores no draw commands. */
    void *(*reoptimize)(const void *file, const tl_reoptimize_opts *opts, tl_arena *arena, tl_report *changes,
                        trilo_error *err);

    size_t (*sections)(const void *file, trilo_section *sections, size_t room);
    /* Computes the drawing cost; format, version and sizes are filled in already. Memory from the arena. NULL: it is
     * computed from the model. */
    bool (*cost)(const void *file, const trilo_cost_opts *opts, tl_arena *arena, trilo_cost *cost, trilo_error *err);
    /* As trilo_document_batches. NULL: the format has no vertex batches. */
    uint32_t (*batches)(const void *file, uint32_t mesh, uint32_t *batches, uint32_t room);
    void (*visit)(const void *file, const trilo_visitor *visitor);
    void (*reference)(tl_sink *sink);
    const tl_description *description;
} tl_format;

/* For tl_format.sections: copies the sections of `all` that are not empty and returns their number. */
size_t tl_sections_keep(const trilo_section *all, size_t count, trilo_section *sections, size_t room);

#endif

/* format_ops.h: what a format gives to the rest of the library. src/api/registry.c lists them all. */
#ifndef TL_MODEL_FORMAT_OPS_H
#define TL_MODEL_FORMAT_OPS_H

#include "base/arena.h"
#include "base/report.h"
#include "base/sink.h"
#include "trilobite/cost.h"
#include "trilobite/document.h"
#include "trilobite/player.h"

/* How a file is to be made cheaper to draw. */
typedef struct tl_reoptimize_opts {
    uint32_t level; /* 1 to 3 */
    bool resident, drop_unused, sort_materials;
} tl_reoptimize_opts;

/* A `file` is the format's own mirror of a file, record by record; it lives in the arena it was made in. */
typedef struct tl_format {
    trilo_format_info info;
    const trilo_rule *rules;
    size_t rule_count;

    bool (*probe)(trilo_bytes bytes); /* does it begin like one of ours? */
    /* Follows the structure to the end. The bytes outlive the file. NULL with *err on failure. */
    void *(*read)(tl_arena *arena, trilo_bytes bytes, const trilo_load_opts *opts, trilo_error *err);
    uint32_t (*version)(const void *file);
    /* `scratch` is freed right after. With report->errors_only it may leave out what `decode` refuses by itself, with
     * TRILO_CODE_BAD_VALUE. */
    void (*check)(const void *file, tl_arena *scratch, tl_report *report);
    /* A checked file without errors into an empty model, all memory from the arena. */
    bool (*decode)(const void *file, tl_arena *arena, trilo_model *model, trilo_error *err);
    /* A checked model into a file that can be written. */
    void *(*encode)(const trilo_model *model, const trilo_write_opts *opts, tl_arena *arena, tl_report *losses,
                    trilo_error *err);
    void (*write)(const void *file, tl_sink *sink);
    /* The index-th file that belongs to it, by its plain name; false behind the last. NULL: there are never any. */
    bool (*companion)(const void *file, uint32_t index, char *name, size_t room, trilo_bytes *bytes);
    /* Fills the members of an empty stream, memory from its arena: the keys of a clip, one after the other, from the
     * caller's source, or from the file beside the document when that is NULL. NULL: clips are no streams. */
    bool (*stream)(const void *file, uint32_t clip, const trilo_stream_source *source, trilo_stream *out,
                   trilo_error *err);
    /* The same content as another version of the format, in records that the arena holds. NULL: it has only one. */
    void *(*reversion)(const void *file, uint32_t version, tl_arena *arena, trilo_error *err);
    /* The same content, drawn in another way, which never costs more; what it did goes to `changes`. NULL: nothing of
     * the kind is stored. */
    void *(*reoptimize)(const void *file, const tl_reoptimize_opts *opts, tl_arena *arena, tl_report *changes,
                        trilo_error *err);

    size_t (*sections)(const void *file, trilo_section *sections, size_t room);
    /* What it costs to draw it; format, version and sizes are filled in already. All memory from the arena. NULL: it is
     * told from the model. */
    bool (*cost)(const void *file, const trilo_cost_opts *opts, tl_arena *arena, trilo_cost *cost, trilo_error *err);
    /* As trilo_document_batches. NULL: nothing is loaded. */
    uint32_t (*loads)(const void *file, uint32_t mesh, uint32_t *loads, uint32_t room);
    void (*visit)(const void *file, const trilo_visitor *visitor);
    void (*reference)(tl_sink *sink);
} tl_format;

/* For tl_format.sections: hands on those of `all` that take any bytes. */
size_t tl_sections_keep(const trilo_section *all, size_t count, trilo_section *sections, size_t room);

#endif

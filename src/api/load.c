#include "trilobite/document.h"

#include "api/file_io.h"

/* The model of a document that is then closed; NULL passes through. */
static const trilo_model *load_model_of(trilo_document *document, trilo_error *err)
{
    const trilo_model *model = document ? trilo_document_model(document, err) : NULL;
    trilo_document_free(document);
    return model;
}

const trilo_model *trilo_model_load(const void *bytes, size_t size, const trilo_load_opts *opts, trilo_error *err)
{
    return load_model_of(trilo_document_open(bytes, size, opts, err), err);
}

const trilo_model *trilo_model_load_file(const char *path, const trilo_load_opts *opts, trilo_error *err)
{
    return load_model_of(trilo_document_open_file(path, opts, err), err);
}

const trilo_model *trilo_model_load_stream(trilo_read_fn *read, void *user, const trilo_load_opts *opts,
                                           trilo_error *err)
{
    return load_model_of(trilo_document_open_stream(read, user, opts, err), err);
}

bool trilo_file_read(const char *path, const trilo_memory *memory, trilo_use_fn *use, void *context, trilo_error *err)
{
    tl_arena arena;
    tl_mapping mapping;
    tl_arena_init(&arena, memory);
    bool ok = tl_map_file(path, UINT64_MAX, &arena, &mapping, err);
    if (ok) {
        ok = use(context, mapping.bytes, err);
        tl_unmap(&mapping);
    }
    tl_arena_free(&arena);
    return ok;
}

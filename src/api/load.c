#include "trilobite/document.h"

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

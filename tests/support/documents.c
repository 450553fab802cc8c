#include "support/documents.h"

#include "harness.h"

trilo_document *open_corpus(const char *path)
{
    trilo_error err = {0};
    trilo_document *document = trilo_document_open_file(test_corpus(path), NULL, &err);
    if (!document)
        FAIL("%s: %s: %s", path, err.path, err.text);
    return document;
}

void optimize_file(const char *what, trilo_bytes file, const trilo_optimize_opts *opts, buffer *out)
{
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, &err);
    if (!document || !trilo_document_optimize(document, opts, NULL, buffer_sink, out, &err))
        FAIL("%s: %s: %s", what, err.path, err.text);
    trilo_document_free(document);
    document = trilo_document_open(out->data, out->size, NULL, &err);
    if (!document)
        FAIL("%s, optimized: %s: %s", what, err.path, err.text);
    trilo_document_check(document, fail_on_error, (void *)(uintptr_t)what);
    trilo_document_free(document);
}

void fail_on_error(void *what, const trilo_finding *finding)
{
    if (finding->severity >= TRILO_SEVERITY_ERROR)
        FAIL("%s: %s at %s: %s", (const char *)what, finding->rule, finding->path, finding->text);
}

bool discard(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return true;
}

bool discard_companion(void *user, const char *name, trilo_bytes bytes)
{
    (void)user, (void)name, (void)bytes;
    return true;
}

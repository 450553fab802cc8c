/* documents.h: opening, optimizing and writing documents, where a test wants success or the reason. */
#ifndef TL_TEST_DOCUMENTS_H
#define TL_TEST_DOCUMENTS_H

#include "support/buffer.h"
#include "trilobite/trilobite.h"

/* A file of the corpus; skips the test without it. */
trilo_document *open_corpus(const char *path);
/* Optimizes a file; the result opens and has no errors. `what` is for messages. */
void optimize_file(const char *what, trilo_bytes file, const trilo_optimize_opts *opts, buffer *out);
/* A trilo_finding_fn that fails the test for an error; its user pointer is a string for the message. */
void fail_on_error(void *what, const trilo_finding *finding);
/* Writers that keep nothing: a trilo_write_fn, and one for companion files. */
bool discard(void *user, const void *bytes, size_t size);
bool discard_companion(void *user, const char *name, trilo_bytes bytes);

#endif

/* document.h: what is behind trilo_document. */
#ifndef TL_API_DOCUMENT_H
#define TL_API_DOCUMENT_H

#include "api/companion.h"
#include "container/dca.h"
#include "model/format_ops.h"

#include <stdatomic.h>

/* What the format's check found: what the container (DCA) breaks is not part of it. */
typedef struct tl_check_result {
    trilo_tally tally;
    trilo_error first, warning; /* the first error or crash, and the first warning; code TRILO_CODE_OK: none */
} tl_check_result;

typedef struct tl_check_record tl_check_record;

/* The one thing about a document that changes after it was opened; see document_check.c. */
typedef struct tl_document_checks {
    _Atomic(tl_check_record *) record; /* of the whole check; NULL: it has not run */
    atomic_bool no_errors;             /* a check for errors alone has run and found none */
} tl_document_checks;

struct trilo_document {
    tl_arena arena; /* the document itself lives in it */
    trilo_bytes source;
    trilo_bytes plain;       /* what is read: the source, or what it holds compressed */
    tl_dca_info compression; /* version 0: the source is not compressed */
    trilo_load_opts opts;    /* its options of formats are these three */
    trilo_nlm_load_opts nlm;
    trilo_model64_load_opts model64;
    trilo_gltf_load_opts gltf;
    tl_companion companions;
    const tl_format *format;
    void *file;
    tl_document_checks *checks;
};

/* The result of the check, which runs when it has not run yet. `fn` (NULL is fine) is told every finding. */
tl_check_result tl_document_check(const trilo_document *document, trilo_finding_fn *fn, void *user);
/* False with the first error of the check. */
bool tl_document_has_no_error(const trilo_document *document, trilo_error *err);
/* The same; with opts.strict a warning refuses it too. `fn` (NULL is fine) is told every finding. */
bool tl_document_accept(const trilo_document *document, trilo_finding_fn *fn, void *user, trilo_error *err);
/* The same for who decodes the file next, which finds the rest of its errors (tl_format.check). */
bool tl_document_may_decode(const trilo_document *document, trilo_finding_fn *fn, void *user, trilo_error *err);
/* As trilo_document_model, but `fn` is told the findings of the check. */
const trilo_model *tl_document_model(const trilo_document *document, trilo_finding_fn *fn, void *user,
                                     trilo_error *err);
void tl_check_record_free(tl_check_record *record); /* NULL is fine */

/* Compresses what trilo_document_write or an encoder made, as the options say. */
bool tl_rewrite_compress(tl_arena *arena, const trilo_rewrite_opts *rewrite, trilo_bytes plain, trilo_bytes *compressed,
                         trilo_error *err);

#endif

/* document.h: the private part of trilo_document. */
#ifndef TL_API_DOCUMENT_H
#define TL_API_DOCUMENT_H

#include "api/file/companion.h"
#include "api/import.h"
#include "container/dca.h"
#include "import/import.h"
#include "model/format_ops.h"

#include <stdatomic.h>

/* The result of the format's check, without findings about the container (DCA). */
typedef struct tl_check_result {
    trilo_tally tally;
    trilo_error first, warning; /* the first error or crash, and the first warning; code TRILO_CODE_OK: none */
} tl_check_result;

typedef struct tl_check_record tl_check_record;

/* The only part of a document that changes after opening; see document_check.c. */
typedef struct tl_document_checks {
    _Atomic(tl_check_record *) record; /* of the whole check; NULL: it has not run */
    atomic_bool no_errors;             /* a check for errors alone has run and found none */
} tl_document_checks;

struct trilo_document {
    tl_arena arena; /* the document itself is allocated from it */
    trilo_bytes source;
    trilo_bytes plain;       /* the bytes to read: the source, or its decompressed content */
    tl_dca_info compression; /* version 0: the source is not compressed */
    trilo_load_opts opts;    /* its format options point to the next three */
    trilo_nlm_load_opts nlm;
    trilo_model64_load_opts model64;
    trilo_gltf_load_opts gltf;
    tl_companion companions;
    const tl_format *format;
    void *file;
    tl_document_checks *checks;
    tl_import_format imported_from;     /* of a model of another program; "": not imported */
    bool misnamed;                      /* its extension is that of another format */
    tl_import_finding *import_findings; /* of such a model; NULL: none */
    const char *materials_name;         /* of its materials file; NULL: it has none by design */
    const struct tl_toml *materials;    /* the root of that file; NULL: there is none */
};

/* The limit of the size of a file, 4 GiB unless an option sets it. */
static inline uint64_t tl_document_max_size(const trilo_document *document)
{
    const uint64_t limit = document->opts.limits.file_size;
    return limit ? limit : (uint64_t)4 << 30;
}

/* The result of the check, which runs if it has not run yet. `fn` (may be NULL) receives every finding. */
tl_check_result tl_document_check(const trilo_document *document, trilo_finding_fn *fn, void *user);
/* Returns false with the first error of the check. */
bool tl_document_has_no_error(const trilo_document *document, trilo_error *err);
/* The same; with opts.strict, also with the first warning. `fn` (may be NULL) receives every finding. */
bool tl_document_accept(const trilo_document *document, trilo_finding_fn *fn, void *user, trilo_error *err);
/* The same for callers that decode the file next, which finds the remaining errors (tl_format.check). */
bool tl_document_may_decode(const trilo_document *document, trilo_finding_fn *fn, void *user, trilo_error *err);
/* Decodes without a check. `report` (may be NULL) receives what is missing for its materials file. */
const trilo_model *tl_document_decode(const trilo_document *document, tl_report *report, trilo_error *err);
/* Like trilo_document_model, but `fn` receives the findings of the check. */
const trilo_model *tl_document_model(const trilo_document *document, trilo_finding_fn *fn, void *user,
                                     trilo_error *err);
void tl_check_record_free(tl_check_record *record); /* may be NULL */

/* Compresses the output of trilo_document_write or an encoder, according to the options. */
bool tl_rewrite_compress(tl_arena *arena, const trilo_rewrite_opts *rewrite, trilo_bytes plain, trilo_bytes *compressed,
                         trilo_error *err);

#endif

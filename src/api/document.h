/* document.h: what is behind trilo_document. */
#ifndef TL_API_DOCUMENT_H
#define TL_API_DOCUMENT_H

#include "api/companion.h"
#include "container/dca.h"
#include "model/format_ops.h"

struct trilo_document {
    tl_arena arena; /* the document itself lives in it */
    tl_mapping source;
    trilo_bytes plain;       /* what is read: the source, or what it holds compressed */
    tl_dca_info compression; /* version 0: the source is not compressed */
    trilo_load_opts opts;
    tl_companion companions;
    const tl_format *format;
    void *file;
};

#endif

/* document.h: what is behind trilo_document. */
#ifndef TL_API_DOCUMENT_H
#define TL_API_DOCUMENT_H

#include "api/file_io.h"
#include "model/format_ops.h"

struct trilo_document {
    tl_arena arena; /* the document itself lives in it */
    tl_mapping source;
    trilo_load_opts opts;
    const tl_format *format;
    void *file;
};

#endif

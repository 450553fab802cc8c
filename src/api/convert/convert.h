/* convert.h: the private part of trilo_conversion. */
#ifndef TL_API_CONVERT_CONVERT_H
#define TL_API_CONVERT_CONVERT_H

#include "base/arena.h"
#include "trilobite/convert.h"

typedef struct tl_conversion {
    trilo_conversion result; /* first, so that a pointer to it is a pointer to the whole */
    tl_arena arena;
    const char *input;             /* path of the document; NULL: it is not a file */
    size_t input_count;            /* companions of the document */
    const char **input_companions; /* their names; not to be overwritten unless the document is, too */
    bool companions_copied;        /* the companions are those of the document */
    size_t input_capacity, companion_capacity, byte_capacity;
} tl_conversion;

#endif

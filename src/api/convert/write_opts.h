/* write_opts.h: the library's own copy of write options. */
#ifndef TL_API_CONVERT_WRITE_OPTS_H
#define TL_API_CONVERT_WRITE_OPTS_H

#include "trilobite/write.h"

/* `all` points to the options of the formats below, never to NULL: do not copy the struct. */
typedef struct tl_write_opts {
    trilo_write_opts all;
    trilo_nlm_write_opts nlm;
    trilo_t3dm_write_opts t3dm;
    trilo_model64_write_opts model64;
    trilo_gltf_write_opts gltf;
} tl_write_opts;

/* Copies *opts (NULL: the defaults) and the options of the formats. See TL_OPTS_TAKE. */
bool tl_write_opts_take(tl_write_opts *own, const trilo_write_opts *opts, trilo_error *err);

#endif

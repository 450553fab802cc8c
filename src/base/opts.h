/* opts.h: taking over the options of a public function.
 *
 * Every options struct begins with `uint32_t struct_size, guard`. A program that was compiled against an older header
 * passes a smaller struct; the fields it does not know are zero, which means the default. docs/api-policy.md.
 */
#ifndef TL_BASE_OPTS_H
#define TL_BASE_OPTS_H

#include "trilobite/error.h"

/* Copies *opts (NULL: the defaults) to *own. False with TRILO_CODE_MISUSE if the struct was not zero-filled, or if it
 * is larger than the one this library knows. */
#define TL_OPTS_TAKE(own, opts, err) tl_opts_take(own, sizeof *(own), 1 ? (opts) : (own), err)
bool tl_opts_take(void *own, size_t size, const void *opts, trilo_error *err);

#endif

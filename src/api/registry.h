/* registry.h: the list of formats. */
#ifndef TL_API_REGISTRY_H
#define TL_API_REGISTRY_H

#include "model/format_ops.h"

const tl_format *tl_registry_at(size_t index);         /* NULL after the last one */
const tl_format *tl_registry_get(trilo_format format); /* NULL: unknown */
const tl_format *tl_registry_probe(trilo_bytes bytes); /* NULL: unknown */

#endif

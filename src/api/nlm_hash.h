/* nlm_hash.h: the companion NAME.nlm.hash, which holds the hash of the source when the old NLM header has no room for
 * it. */
#ifndef TL_API_NLM_HASH_H
#define TL_API_NLM_HASH_H

#include "trilobite/document.h"

/* The hash beside that document; 0 when there is none. */
uint32_t tl_nlm_hash_find(const trilo_document *document);

/* Hands the companion of a model of that name to `keep`; a hash of 0 is that of nothing. */
bool tl_nlm_hash_add(const char *name, uint32_t hash, trilo_companion_write_fn *keep, void *user);

#endif

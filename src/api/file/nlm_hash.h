/* nlm_hash.h: the companion NAME.nlm.hash, which has the hash of the source if the old NLM header is used. */
#ifndef TL_API_FILE_NLM_HASH_H
#define TL_API_FILE_NLM_HASH_H

#include "trilobite/document.h"

/* The hash from the companion of the document; 0 if there is none. */
uint32_t tl_nlm_hash_find(const trilo_document *document);

/* Passes the companion of a model of that name to `keep`; a hash of 0 means the hash of no bytes. */
bool tl_nlm_hash_add(const char *name, uint32_t hash, trilo_companion_write_fn *keep, void *user);

#endif

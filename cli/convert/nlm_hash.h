/* nlm_hash.h: the companion file NAME.nlm.hash, where the hash of the source stands when the old NLM header has no
 * room. */
#ifndef TL_CLI_CONVERT_NLM_HASH_H
#define TL_CLI_CONVERT_NLM_HASH_H

#include "trilobite/error.h"

/* The hash beside that model; 0 when there is none. */
uint32_t nlm_hash_read(const char *model_path);

/* Answers the path of the companion file, for the caller to free; *err tells whether it was written. */
char *nlm_hash_write(const char *model_path, uint32_t hash, trilo_error *err);

#endif

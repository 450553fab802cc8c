/* big_model.h: models of more than 100 MB as NLM, made of valid and not quite regular data. */
#ifndef BENCH_BIG_MODEL_H
#define BENCH_BIG_MODEL_H

#include <trilobite/model.h>

/* The meshes of the model share one set of arrays, so that making it costs an eighth of the memory; in the file each
 * has its own. `skinned` adds four weights a vertex, a chain of bones and a clip. NULL: no memory. */
const trilo_model *big_model_new(bool skinned);
void big_model_free(const trilo_model *model); /* NULL is fine */

#endif

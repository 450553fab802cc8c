/* grid_model.h: a landscape of many waved squares with materials, about 10 MB as T3DM. */
#ifndef BENCH_GRID_MODEL_H
#define BENCH_GRID_MODEL_H

#include <trilobite/model.h>

const trilo_model *grid_model_new(void);        /* NULL: no memory */
void grid_model_free(const trilo_model *model); /* NULL is fine */

#endif

/* skin_error.h: how much error T3DM-SKIN-FIT reports for a model of the corpus. */
#ifndef TL_TEST_SKIN_ERROR_H
#define TL_TEST_SKIN_ERROR_H

#include "trilobite/trilobite.h"

/* Converts the model to T3DM: the error of its blended vertices as a part of that with their strongest bones; 1 if
 * nothing is reported. */
double skin_error_left(const char *path, const trilo_t3dm_write_opts *t3dm);

#endif

/* optimize.h: shared by the optimization of documents and models. */
#ifndef TL_API_CONVERT_OPTIMIZE_H
#define TL_API_CONVERT_OPTIMIZE_H

#include "base/report.h"
#include "trilobite/optimize.h"

/* True if simplification is requested. */
bool tl_wants_fewer(const trilo_optimize_opts *opts);

/* True if the options are valid and supported. `through_model`: meshoptimizer is needed. */
bool tl_optimize_legal(const trilo_optimize_opts *opts, bool through_model, trilo_error *err);

/* True if the document is decoded to a model; otherwise only the draw commands of its records are changed. `write` may
 * be NULL. */
bool tl_optimize_needs_model(const trilo_document *document, const trilo_optimize_opts *opts,
                             const trilo_write_opts *write);

#endif

/* optimize.h: what optimising a document and a model share. */
#ifndef TL_API_OPTIMIZE_H
#define TL_API_OPTIMIZE_H

#include "base/report.h"
#include "trilobite/optimize.h"

/* Are triangles to be left out? */
bool tl_wants_fewer(const trilo_optimize_opts *opts);

/* Can this be done? `through_model`: meshoptimizer is needed. */
bool tl_optimize_legal(const trilo_optimize_opts *opts, bool through_model, trilo_error *err);

/* Is the model needed? Otherwise the records stay, except for how they are drawn. `write` has options for every format.
 */
bool tl_optimize_needs_model(const trilo_document *document, const trilo_optimize_opts *opts,
                             const trilo_write_opts *write);

#endif

/* figures.h: the figures of a cost report by name, for budgets, comparisons and sums. */
#ifndef TL_CLI_COST_FIGURES_H
#define TL_CLI_COST_FIGURES_H

#include "trilobite/cost.h"

#include <stddef.h>

typedef enum cost_kind {
    COST_FRAME, /* per instance */
    COST_ONCE,  /* once, for any number of instances */
    COST_MOST   /* the maximum, also over several models */
} cost_kind;

typedef struct cost_figure {
    const char *name;  /* "strip_indices" */
    const char *title; /* "strip indices" */
    cost_kind kind;
} cost_figure;

enum { COST_FIGURES = 42 };

/* The index-th figure: NULL after the last one. */
const cost_figure *cost_figure_at(size_t index);
size_t cost_figure_named(const char *name, size_t len); /* COST_FIGURES: unknown */

typedef struct cost_values {
    double of[COST_FIGURES];
} cost_values;

/* The figures of that many instances. `fill` is the RDP time; 0: not requested. */
cost_values cost_values_of(const trilo_cost *cost, uint32_t instances, double fill);
void cost_values_add(cost_values *to, const cost_values *from);

/* Integers in full, times with one decimal. Returns `out`. */
const char *cost_text_value(double value, char out[32]);
/* Always with one decimal, so that columns line up. */
const char *cost_text_tenths(double value, char out[32]);

#endif

/* cost.h: counts of the drawing cost that formats share. */
#ifndef TL_MODEL_COST_H
#define TL_MODEL_COST_H

#include "base/arena.h"
#include "trilobite/cost.h"

/* Adds counts, and what is linear in them: commands, bytes, cycles. */
void tl_cost_add(trilo_cost_counts *to, const trilo_cost_counts *from);

/* Adds the counts of cost->object_count objects to the totals and to their materials, and sets both arrays. */
void tl_cost_sum(trilo_cost *cost, const trilo_cost_object *objects, trilo_cost_material *materials);

double tl_cost_area(const double corners[3][3]); /* of a triangle */

/* The number of distinct rows among `count` rows of `words` numbers. Equal rows get the same rank, from 0 on; `order`
 * is scratch space for `count` numbers. */
uint32_t tl_cost_distinct(const uint32_t *rows, uint32_t count, uint32_t words, uint32_t *ranks, uint32_t *order);

/* For formats that are not for the console: counts the meshes and materials of the neutral model. */
bool tl_cost_of_model(const trilo_model *model, tl_arena *arena, trilo_cost *cost, trilo_error *err);

#endif

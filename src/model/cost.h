/* cost.h: what the formats share when they count what drawing costs. */
#ifndef TL_MODEL_COST_H
#define TL_MODEL_COST_H

#include "base/arena.h"
#include "trilobite/cost.h"

/* Adds what was counted; what follows from counts (commands, bytes, cycles) is added too, as all of it is linear. */
void tl_cost_add(trilo_cost_counts *to, const trilo_cost_counts *from);

/* Sums up the objects (cost->object_count of them) in the model and in their materials, and hangs both in. */
void tl_cost_sum(trilo_cost *cost, const trilo_cost_object *objects, trilo_cost_material *materials);

double tl_cost_area(const double corners[3][3]);

/* How many of `count` rows of `words` numbers each are different. Equal rows get the same number in `ranks`, from 0 on;
 * `order` is room for `count` numbers. */
uint32_t tl_cost_distinct(const uint32_t *rows, uint32_t count, uint32_t words, uint32_t *ranks, uint32_t *order);

/* For formats whose files say nothing about the console: meshes and materials of the neutral model. */
bool tl_cost_of_model(const trilo_model *model, tl_arena *arena, trilo_cost *cost, trilo_error *err);

#endif

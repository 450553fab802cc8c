/* query_plain.h: ray casts compiled without the vector extension, as other compilers have them. */
#ifndef TEST_QUERY_PLAIN_H
#define TEST_QUERY_PLAIN_H

#include <trilobite/query.h>

trilo_query *plain_query_new(const trilo_model *model, const trilo_points *positions, const trilo_memory *memory,
                             trilo_error *err);
void plain_query_free(trilo_query *query);
void plain_query_refit(trilo_query *query, const trilo_points *positions);
bool plain_query_ray_cast(const trilo_query *query, const trilo_ray *ray, trilo_hit *hit);
bool plain_query_any_hit(const trilo_query *query, const trilo_ray *ray);

#endif

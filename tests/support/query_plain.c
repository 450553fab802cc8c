/* The queries once more, without the vector extension and AVX2, by other names. */
#define TL_FLOAT4_PLAIN
#undef TRILO_NO_AVX2
#define TRILO_NO_AVX2
#define tl_box_empty         plain_box_empty
#define tl_box_area          plain_box_area
#define tl_box_of            plain_box_of
#define tl_box_bounds        plain_box_bounds
#define tl_bvh_build         plain_bvh_build
#define tl_ray_traverse      plain_ray_traverse
#define tl_rest_world        plain_rest_world
#define tl_rest_worlds       plain_rest_worlds
#define trilo_query_new      plain_query_new
#define trilo_query_free     plain_query_free
#define trilo_query_refit    plain_query_refit
#define trilo_query_bounds   plain_query_bounds
#define trilo_query_ray_cast plain_query_ray_cast
#define trilo_query_any_hit  plain_query_any_hit
#include "model/bvh.c"
#include "query/build.c"
#include "query/ray.c"

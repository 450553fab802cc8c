/* Lines of small triangles, two at a time, and pixels that are not blended, eight at a time. */
#include "base/strict_float.h"

#include "raster/console/lines.h"
#include "raster/console/opaque.h"
#include "raster/vector_any.h"

#if TL_AVX2
#define TL_VECTOR(type, name) type##x2##name
#define TL_LANES              8
#define tl_coverage_of        tl_coverage_of_avx2
#define tl_coverage_pixels    tl_coverage_pixels_avx2
#define tl_coverage_pixels_of tl_coverage_pixels_of_avx2
#define lines_edges           lines_edges_avx2
#define lines_edges_of        lines_edges_of_avx2
#define lines_columns         lines_columns_avx2
#define tl_depths_stored      tl_depths_stored_avx2
#define tl_depth_results      tl_depth_results_avx2
#define tl_depths_compare     tl_depths_compare_avx2
#define OPAQUE_LINES          OPAQUE_LINES_avx2
#define opaque_plane          opaque_plane_avx2
#define opaque_plane_of       opaque_plane_of_avx2
#define opaque_triangle       opaque_triangle_avx2
#define opaque_triangle_of    opaque_triangle_of_avx2
#define opaque_pixels         opaque_pixels_avx2
#define opaque_at_samples     opaque_at_samples_avx2
#define opaque_depth          opaque_depth_avx2
#define opaque_weights        opaque_weights_avx2
#define opaque_steep_shades   opaque_steep_shades_avx2
#define opaque_set_memory     opaque_set_memory_avx2
#define opaque_set_planes     opaque_set_planes_avx2
#define opaque_depth_of       opaque_depth_of_avx2
#define opaque_test           opaque_test_avx2
#define opaque_first_samples  opaque_first_samples_avx2
#define opaque_apply_alpha    opaque_apply_alpha_avx2
#define opaque_draw_combined  opaque_draw_combined_avx2
#define opaque_draw_any       opaque_draw_any_avx2
#define opaque_draw_pixels    opaque_draw_pixels_avx2
#define opaque_neighbours     opaque_neighbours_avx2
#define opaque_set_neighbours opaque_set_neighbours_avx2
#define opaque_run            opaque_run_avx2
#define opaque_run_any        opaque_run_any_avx2
#define opaque_move           opaque_move_avx2
#define opaque_draw_full      opaque_draw_full_avx2
#define opaque_draw_lines     opaque_draw_lines_avx2
#define opaque_start          opaque_start_avx2
#define tl_opaque_draw        tl_opaque_draw_avx2
#include "raster/console/fragment_avx2.inc"

TL_AVX2_BEGIN
#include "raster/console/coverage.inc"
#include "raster/console/depth.inc"
#include "raster/console/lines.inc"
#include "raster/console/opaque.inc"
TL_AVX2_END
#endif

/* Lines of small triangles, two at a time, and pixels that are not blended, eight at a time. */
#include "base/strict_float.h"

#include "raster/console/lines.h"
#include "raster/console/opaque.h"
#include "raster/vector_any.h"

#if TL_AVX2
#define TL_VECTOR(type, name)   type##x2##name
#define TL_LANES                8
#define tl_coverage_of          tl_coverage_of_avx2
#define tl_coverage_pixels      tl_coverage_pixels_avx2
#define tl_coverage_pixels_of   tl_coverage_pixels_of_avx2
#define lines_edges             lines_edges_avx2
#define lines_edges_of          lines_edges_of_avx2
#define lines_columns           lines_columns_avx2
#define tl_depths_stored        tl_depths_stored_avx2
#define tl_depth_results        tl_depth_results_avx2
#define tl_depths_compare       tl_depths_compare_avx2
#define texel_colors            texel_colors_avx2
#define texel_factors           texel_factors_avx2
#define texel_divide_each       texel_divide_each_avx2
#define texel_coordinates       texel_coordinates_avx2
#define texel_positions         texel_positions_avx2
#define texel_axis              texel_axis_avx2
#define texel_wrap              texel_wrap_avx2
#define texel_axis_of           texel_axis_of_avx2
#define texel_positions_of_axes texel_positions_of_axes_avx2
#define texel_positions_of      texel_positions_of_avx2
#define texel_load              texel_load_avx2
#define texel_filter            texel_filter_avx2
#define texel_colors_at         texel_colors_at_avx2
#define texel_colors_of         texel_colors_of_avx2
#define fragment_pixels         fragment_pixels_avx2
#define fragment_colors         fragment_colors_avx2
#define fragment_shade          fragment_shade_avx2
#define fragment_opaque_shade   fragment_opaque_shade_avx2
#define fragment_product        fragment_product_avx2
#define fragment_modulate       fragment_modulate_avx2
#define fragment_add_alpha      fragment_add_alpha_avx2
#define fragment_read_values    fragment_read_values_avx2
#define fragment_operand        fragment_operand_avx2
#define fragment_cycle          fragment_cycle_avx2
#define fragment_limit          fragment_limit_avx2
#define fragment_alpha          fragment_alpha_avx2
#define fragment_combine        fragment_combine_avx2
#define fragment_color          fragment_color_avx2
#define fragment_blend          fragment_blend_avx2
#define fragment_dither         fragment_dither_avx2
#define fragment_store          fragment_store_avx2
#define OPAQUE_LINES            OPAQUE_LINES_avx2
#define opaque_plane            opaque_plane_avx2
#define opaque_plane_of         opaque_plane_of_avx2
#define opaque_triangle         opaque_triangle_avx2
#define opaque_triangle_of      opaque_triangle_of_avx2
#define opaque_pixels           opaque_pixels_avx2
#define opaque_at_samples       opaque_at_samples_avx2
#define opaque_depth            opaque_depth_avx2
#define opaque_weights          opaque_weights_avx2
#define opaque_steep_shades     opaque_steep_shades_avx2
#define opaque_set_memory       opaque_set_memory_avx2
#define opaque_set_planes       opaque_set_planes_avx2
#define opaque_depth_of         opaque_depth_of_avx2
#define opaque_test             opaque_test_avx2
#define opaque_first_samples    opaque_first_samples_avx2
#define opaque_apply_alpha      opaque_apply_alpha_avx2
#define opaque_draw_any         opaque_draw_any_avx2
#define opaque_draw_pixels      opaque_draw_pixels_avx2
#define opaque_run              opaque_run_avx2
#define opaque_move             opaque_move_avx2
#define opaque_draw_full        opaque_draw_full_avx2
#define opaque_draw_lines       opaque_draw_lines_avx2
#define opaque_start            opaque_start_avx2
#define tl_opaque_draw          tl_opaque_draw_avx2

TL_AVX2_BEGIN
#include "raster/console/coverage.inc"
#include "raster/console/depth.inc"
#include "raster/console/lines.inc"
#include "raster/console/opaque.inc"
TL_AVX2_END
#endif

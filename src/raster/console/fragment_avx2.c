/* Colours of opaque pixels, eight at a time. */
#include "base/avx2.h"

#include "raster/console/fragment.h"
#include "raster/vector_any.h"

#if TL_AVX2
#define TL_VECTOR(type, name)   type##x2##name
#define TL_LANES                8
#define texel_colors            texel_colors_avx2
#define texel_factors           texel_factors_avx2
#define texel_divide_each       texel_divide_each_avx2
#define texel_coordinates       texel_coordinates_avx2
#define texel_places            texel_places_avx2
#define texel_places_of         texel_places_of_avx2
#define texel_load              texel_load_avx2
#define texel_filter            texel_filter_avx2
#define texel_colors_of         texel_colors_of_avx2
#define fragment_shade          fragment_shade_avx2
#define fragment_product        fragment_product_avx2
#define fragment_modulate       fragment_modulate_avx2
#define fragment_multiply       fragment_multiply_avx2
#define fragment_colors         fragment_colors_avx2
#define fragment_blend          fragment_blend_avx2
#define fragment_dither         fragment_dither_avx2
#define fragment_draw_in_turn   fragment_draw_in_turn_avx2
#define fragment_draw           fragment_draw_avx2
#define fragment_draw_modulated fragment_draw_modulated_avx2
#define fragment_draw_any       fragment_draw_any_avx2
#define tl_fragments_color      tl_fragments_color_avx2

TL_AVX2_BEGIN
#include "raster/console/fragment.inc"
TL_AVX2_END
#endif

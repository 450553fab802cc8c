/* Triangle setup with AVX2. */
#include "base/strict_float.h"
#include "raster/console/setup.h"

#include "raster/console/depth.h"

#if TL_AVX2
#define SETUP_AVX2          1
#define setup_basis         setup_basis_avx2
#define setup_plane         setup_plane_avx2
#define setup_planes        setup_planes_avx2
#define setup_slopes        setup_slopes_avx2
#define setup_quarters      setup_quarters_avx2
#define setup_four          setup_four_avx2
#define setup_steep_shade   setup_steep_shade_avx2
#define setup_shade         setup_shade_avx2
#define setup_no_shade      setup_no_shade_avx2
#define setup_corners       setup_corners_avx2
#define setup_steep_texture setup_steep_texture_avx2
#define setup_texture       setup_texture_avx2
#define tl_triangle_setup   tl_triangle_setup_avx2

TL_AVX2_BEGIN
#include "raster/console/setup.inc"
TL_AVX2_END
#endif

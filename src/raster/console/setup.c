/* Triangle setup on any processor. */
#include "raster/console/setup.h"
#include "base/strict_float.h"

#include "raster/console/depth.h"

#define SETUP_AVX2 0
#include "raster/console/setup.inc"

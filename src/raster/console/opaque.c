/* Pixels that are not blended, four at a time. */
#include "raster/console/opaque.h"
#include "raster/vector_any.h"

#define TL_VECTOR(type, name) type##name
#define TL_LANES              4
#include "raster/console/opaque.inc"

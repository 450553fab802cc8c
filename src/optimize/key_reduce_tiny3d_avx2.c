/* key_reduce_tiny3d.inc for processors with AVX2: its arithmetic is the same, but takes fewer instructions. */
#include "optimize/key_reduce_tiny3d.h"

#include "base/avx2.h"

#if TL_AVX2
#define LANES(name) name##_avx2
TL_AVX2_BEGIN
#include "optimize/key_reduce_tiny3d.inc"
TL_AVX2_END
#endif

bool tl_reduce_like_tiny3d_avx2(const tiny3d_reduction *r, uint32_t *samples, uint32_t *kept)
{
#if TL_AVX2
    reduce_like_tiny3d_avx2(r, samples, kept);
    return true;
#else
    (void)r, (void)samples, (void)kept;
    return false;
#endif
}

/* Occlusion culling against the depth buffer. */
#include "raster/console/occlusion.h"

#include "raster/console/depth.h"

/* The longest side of the box of a triangle that is tested, in quarters of a pixel: larger triangles cover less of
 * their boxes. */
enum { OCCLUSION_SIDE_MOST = 4 * 32 };

/* Rows and columns; right and bottom are outside. */
typedef struct occlusion_box {
    int32_t left, right, top, bottom;
} occlusion_box;

static inline int32_t occlusion_least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t occlusion_most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* In quarters: where samples may be. */
static inline occlusion_box occlusion_quarters_of(const tl_console_vertex *const v[3])
{
    return (occlusion_box){occlusion_least(occlusion_least(v[0]->screen_x, v[1]->screen_x), v[2]->screen_x),
                           occlusion_most(occlusion_most(v[0]->screen_x, v[1]->screen_x), v[2]->screen_x),
                           occlusion_least(occlusion_least(v[0]->screen_y, v[1]->screen_y), v[2]->screen_y),
                           occlusion_most(occlusion_most(v[0]->screen_y, v[1]->screen_y), v[2]->screen_y)};
}

/* The same in pixels of the screen. */
static inline occlusion_box occlusion_pixels_of(const tl_framebuffer *f, const occlusion_box *quarters)
{
    return (occlusion_box){
        occlusion_most(quarters->left >> 2, 0), occlusion_least((quarters->right + 3) >> 2, (int32_t)f->width),
        occlusion_most(quarters->top >> 2, 0), occlusion_least((quarters->bottom + 3) >> 2, (int32_t)f->height)};
}

/* Depth at a sample lies between those of the corners, except for the error of slopes: they are cut to 2^-16, so in
 * triangles of this size it is less than a step of the 18 bits. A full pixel is drawn over where the new depth is less,
 * or where it is empty, which is the greatest depth. */
bool tl_triangle_occluded(const tl_framebuffer *f, const tl_console_vertex *const v[3])
{
    static const int32_t masks[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
    const occlusion_box quarters = occlusion_quarters_of(v);
    if (quarters.right - quarters.left > OCCLUSION_SIDE_MOST || quarters.bottom - quarters.top > OCCLUSION_SIDE_MOST)
        return false;
    const occlusion_box box = occlusion_pixels_of(f, &quarters);
    const int32_t depth = occlusion_least(occlusion_least(v[0]->depth, v[1]->depth), v[2]->depth);
    const int32_t nearest = (depth * 8 - 1) * 16 + 15;
    const tl_int4 limit = {nearest, nearest, nearest, nearest};
    for (int32_t y = box.top; y < box.bottom; y++) {
        const size_t line = (size_t)y * f->width;
        for (int32_t x = box.left; x < box.right; x += 4) {
            const int32_t count = box.right - x < 4 ? box.right - x : 4;
            const tl_int4 inside = tl_int4_load(masks + 4 - count);
            const tl_int4 open =
                (tl_int4_load(f->z + line + x) > limit) | (tl_int4_load_bytes(f->coverage + line + x) != 7);
            if (tl_int4_any(open & inside))
                return false;
        }
    }
    return true;
}

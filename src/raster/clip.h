/* clip.h: clipping, and the transform from clip space to the screen. */
#ifndef TL_RASTER_CLIP_H
#define TL_RASTER_CLIP_H

#include "raster/raster.h"

/* A vertex in clip space: -w <= x, y <= w and 0 <= z <= w is on the screen. */
typedef struct tl_vertex {
    float x, y, z, w;
    float s, t;
    float shade[4];
    uint32_t outcode; /* TL_OUT_... */
} tl_vertex;

enum {
    TL_OUT_LEFT = 1,
    TL_OUT_RIGHT = 2,
    TL_OUT_LOWER = 4,
    TL_OUT_UPPER = 8,
    TL_OUT_NEAR = 16,
    TL_OUT_FAR = 32,
    TL_OUT_GUARD = 64,    /* outside the guard band, where the grid of the screen ends */
    TL_OUT_INVALID = 128, /* not finite */
    TL_OUT_ALL = 63,
    TL_OUT_CLIP = TL_OUT_NEAR | TL_OUT_FAR | TL_OUT_GUARD /* must be clipped; the rest is outside the framebuffer */
};

/* The screen, in pixels. */
typedef struct tl_screen {
    float half_width, half_height;
    float guard; /* in halves of the screen */
} tl_screen;

tl_screen tl_screen_of(uint32_t width, uint32_t height);
void tl_vertex_set_outcode(const tl_screen *screen, tl_vertex *v);
tl_corner tl_vertex_corner(const tl_screen *screen, const tl_vertex *v);

/* At most: a triangle gains a corner at each plane. */
enum { TL_POLYGON_MOST = 9 };

/* The part of a triangle that the screen can show: its number of corners, 0 when nothing is left. */
int tl_clip_triangle(const tl_screen *screen, const tl_vertex *corners[3], tl_vertex polygon[TL_POLYGON_MOST]);
/* The same of a line, in place; false: nothing is left. */
bool tl_clip_line(const tl_screen *screen, tl_vertex *a, tl_vertex *b);

#endif

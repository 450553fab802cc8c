/* vertex.h: what Tiny3D's microcode makes of a vertex: position, light, effects, fog. */
#ifndef TL_RASTER_CONSOLE_VERTEX_H
#define TL_RASTER_CONSOLE_VERTEX_H

#include "base/avx2.h"
#include "raster/camera.h"

/* A vertex after the microcode. x, y, z, w are clip coordinates; what follows the codes is set when `clip` is 0. */
typedef struct tl_console_vertex {
    double x, y, z, w;
    int32_t s, t; /* 1/32 texel */
    uint8_t shade[4];
    uint8_t outside; /* TL_SIDE_... that it is outside of */
    uint8_t clip;    /* the same with the guard band; without far */
    bool invalid;    /* not finite */
    bool shaded;
    uint8_t lit_alpha;          /* of the shade, before fog replaces it */
    int32_t screen_x, screen_y; /* quarters of a pixel */
    int32_t depth;              /* 15 bits */
    uint32_t scaled_w, inverse_w;
} tl_console_vertex;

enum {
    TL_SIDE_RIGHT = 1,
    TL_SIDE_UPPER = 2,
    TL_SIDE_NEAR = 4,
    TL_SIDE_LEFT = 8,
    TL_SIDE_LOWER = 16,
    TL_SIDE_FAR = 32,
    TL_GUARD_BAND = 2 /* times the screen */
};

/* ---- the screen ---- */

typedef struct tl_viewport {
    int32_t width, height;
    int32_t k, scale_x, scale_y, scale_z;          /* as the microcode has them */
    double to_quarters_x, to_quarters_y, to_depth; /* of x / w, y / w, z / w */
    double centre_x, centre_y;                     /* in quarters */
    double to_inverse_w;                           /* of the RSP's reciprocal */
} tl_viewport;

/* The sum of near and far for which the microcode's numbers do not wrap. */
double tl_viewport_range_least(uint32_t width, uint32_t height);
#define TL_VIEWPORT_RANGE_MOST 262140
/* `range` is near + far in the console's units. */
tl_viewport tl_viewport_of(uint32_t width, uint32_t height, double range);
/* From clip coordinates: the outcodes, and everything else. */
void tl_console_outcodes(tl_console_vertex *v);
void tl_console_project(const tl_viewport *viewport, tl_console_vertex *v);
/* The RSP's reciprocal: 2^32 / `value`, with the precision of its table. */
uint32_t tl_rsp_reciprocal(uint32_t value);
/* The RSP's reciprocal square root. */
uint32_t tl_rsp_inverse_square_root(uint32_t value);

/* ---- light ---- */

enum { TL_CONSOLE_LIGHTS_MOST = 7 };

typedef struct tl_console_light {
    bool point, any_side;
    int32_t color[4];     /* 15 bits */
    int32_t direction[4]; /* towards the light, 15 bits, in view space */
    double position[3], size;
} tl_console_light;

/* Everything that a vertex is transformed by, made once for each frame. */
typedef struct tl_console_view {
    bool avx2;               /* the processor has it */
    double model_view[3][4]; /* in the console's units; cut to 1/65536 */
    double to_clip[4][4];    /* columns: x, y, z and w of clip space for x, y, z and 1 */
    bool orthographic;
    double near, far, scale;
    tl_viewport viewport;
    int32_t normal_matrix[3][4]; /* columns of the rotation, 15 bits */
    uint32_t light_count;
    tl_console_light lights[TL_CONSOLE_LIGHTS_MOST];
    int32_t ambient[4];
    bool has_point_light;
    bool light_alpha; /* some light has alpha; otherwise vertices keep their own */
    bool default_lights, add_light;
    int32_t exposure; /* 128: 1 */
    bool fog_range;
    double fog_begin;
    int32_t fog_factor;
} tl_console_view;

/* Sets near, far and scale of a camera as a game would where the scene leaves them open. False: they are out of the
 * console's range. */
bool tl_console_camera(tl_camera *camera, const trilo_scene *scene, uint32_t width, uint32_t height);
tl_console_view tl_console_view_of(const tl_camera *camera, const trilo_scene *scene, uint32_t width, uint32_t height);

typedef struct tl_console_vertex_in {
    const float *position;
    const int32_t *normal; /* 15 bits, and a 0; NULL: none */
    const uint8_t *color;  /* NULL: white */
    const float *uv;       /* NULL: none */
} tl_console_vertex_in;

/* Transforms vertices to the screen: all but texture coordinates and shade. */
void tl_console_vertices_transform(const tl_console_view *view, const float (*positions)[3], uint32_t count,
                                   tl_console_vertex *out);
/* The same on any processor, and with AVX2. */
void tl_console_vertices_transform_any(const tl_console_view *view, const float (*positions)[3], uint32_t count,
                                       tl_console_vertex *out);
#if TL_AVX2
void tl_console_vertices_transform_avx2(const tl_console_view *view, const float (*positions)[3], uint32_t count,
                                        tl_console_vertex *out);
#endif
/* The rest, for one that is transformed. */
void tl_console_vertex_shade(const tl_console_view *view, const tl_pipeline_state *state,
                             const tl_console_vertex_in *in, tl_console_vertex *out);

/* Spherical texture coordinates. */
typedef struct tl_spherical_uv {
    int32_t factor; /* of the distance from the centre of the screen */
    /* Half of the texture, in 32nds of texels; no texture of the console needs more than 16 bits for it. */
    int32_t wide, tall;
} tl_spherical_uv;

tl_spherical_uv tl_spherical_uv_of(const tl_viewport *viewport, const tl_pipeline_state *state);

/* What the material's effect changes. The normal is in view space; normal and colour have 15 bits. */
void tl_console_vertex_effect(const tl_viewport *viewport, const tl_pipeline_state *state, const int32_t normal[3],
                              const int32_t color[4], tl_console_vertex *v);

/* Vertices side by side; colours NULL: white; uvs NULL: none. */
typedef struct tl_console_vertices_in {
    const float (*normals)[3];
    const uint8_t (*colors)[4];
    const float (*uvs)[2];
} tl_console_vertices_in;

/* True if eight with normals that tl_console_pack_normal packs can be shaded at once. */
bool tl_console_shades_together(const tl_console_view *view, const tl_pipeline_state *state);
#if TL_AVX2
void tl_console_vertices_shade_avx2(const tl_console_view *view, const tl_pipeline_state *state,
                                    const tl_console_vertices_in *in, tl_console_vertex out[8]);
#endif
/* Outlines leave texture coordinates unwritten: what is there is the colour of the other vertex of a pair. */
void tl_console_outline_uvs(const tl_console_view *view, const tl_pipeline_state *state, tl_console_vertex *vertices,
                            uint32_t count);

/* A normal as T3DM stores it, 5, 6 and 5 bits, as 15-bit fractions. */
void tl_console_pack_normal(const float normal[3], int32_t out[4]);

#endif

/* render.h: draws a model in software, as the console would.
 *
 * A renderer holds a model, its textures and the positions of its vertices. It draws into the caller's pixels; the same
 * input gives the same pixels on every machine. N64 materials are drawn with their own settings (colour combiner,
 * blender, tiles), all others with a combiner that approximates them.
 *
 * A renderer is for one thread at a time; the model and the images are only read and must outlive it.
 */
#ifndef TRILOBITE_RENDER_H
#define TRILOBITE_RENDER_H

#include "trilobite/image.h"
#include "trilobite/model.h"
#include "trilobite/player.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_renderer trilo_renderer;

/* `textures` has an entry for each texture of the model; one that is NULL or has no pixels is missing, and drawn as a
 * checkerboard with the texture's name. If `textures` is NULL, all are missing. The model is in its rest pose. Returns
 * NULL and fills *err if the model violates an invariant of model.h or memory runs out. */
TRILO_API trilo_renderer *trilo_renderer_new(const trilo_model *model, const trilo_image *const *textures,
                                             const trilo_memory *memory, trilo_error *err);
TRILO_API void trilo_renderer_free(trilo_renderer *renderer); /* may be NULL */

/* Smaller images of a texture, each half as large as the one before; the first is half as large as the texture's own.
 * The console's looks then filter trilinearly, as libdragon turns it on for sprites with mipmaps. The images must
 * outlive the renderer; `count` 0: none. */
TRILO_API void trilo_renderer_set_mipmaps(trilo_renderer *renderer, uint32_t texture, const trilo_image *const *mipmaps,
                                          uint32_t count);

/* Copies the current pose of a player of the same model. NULL: the rest pose. */
TRILO_API void trilo_renderer_pose(trilo_renderer *renderer, const trilo_player *player);
/* The box around all vertices in the current pose, without those that are not finite; empty when there are none. */
TRILO_API trilo_bounds trilo_renderer_bounds(const trilo_renderer *renderer);

/* ---- what to draw ---- */

typedef enum trilo_look {
    TRILO_LOOK_N64,   /* the console's colour buffer, pixel by pixel */
    TRILO_LOOK_CLEAN, /* 8 bits a colour, no dither, smooth edges */
    TRILO_LOOK_TV     /* what the console sends to the television: each pixel of the buffer is 2 by 2 here */
} trilo_look;

typedef enum trilo_lighting_mode { TRILO_LIGHTING_MODE_MULTIPLY, TRILO_LIGHTING_MODE_ADD } trilo_lighting_mode;
typedef enum trilo_rdp_dither {
    TRILO_RDP_DITHER_SQUARE,
    TRILO_RDP_DITHER_BAYER,
    TRILO_RDP_DITHER_NONE
} trilo_rdp_dither;

/* Filters of the video output, as libdragon's display_init has them. */
typedef enum trilo_video_filter {
    TRILO_VIDEO_FILTER_ANTIALIAS,          /* FILTERS_RESAMPLE_ANTIALIAS */
    TRILO_VIDEO_FILTER_ANTIALIAS_DEDITHER, /* FILTERS_RESAMPLE_ANTIALIAS_DEDITHER */
    TRILO_VIDEO_FILTER_RESAMPLE            /* FILTERS_RESAMPLE */
} trilo_video_filter;

/* What a game sets, for TRILO_LOOK_N64 and TRILO_LOOK_TV. Zero: what Tiny3D starts a frame with. */
typedef struct trilo_console {
    float model_scale; /* the game's scale of the model: positions, distances and sizes are multiplied with it before
                          the console rounds them. 0: 1, or the power of two that fits near and far */
    float exposure;    /* 0: 1 */
    trilo_lighting_mode lighting;
    bool no_mipmaps;
    bool color_32;             /* 8 bits a colour in the buffer instead of 5 */
    bool bayer;                /* dither with Bayer's matrix instead of the magic square */
    trilo_video_filter filter; /* of TRILO_LOOK_TV, and: */
    bool gamma;
} trilo_console;

/* The camera, in the units of the model. */
typedef struct trilo_view {
    trilo_vec3 eye, target; /* equal: the whole model from the front, as trilo_view_frame makes it */
    trilo_vec3 up;          /* 0, 0, 0: the y axis */
    float fov;              /* angle from the lower to the upper edge in degrees, 0: 45 */
    float height;           /* above 0: no perspective, and this height is seen from the lower to the upper edge */
    float near_at, far_at;  /* distances; what is nearer or farther is not drawn. 0: the whole model is visible */
    bool use_matrix;        /* eye, target and up are ignored: */
    trilo_mat4 matrix;      /* from the model's space to the camera's, which looks along -z with y up; no shearing */
} trilo_view;

/* A view in which the whole box is visible. Angles in degrees: azimuth 0 is from the front (+z), 90 from the model's
 * left (+x); elevation 90 is from above. `fov` as in trilo_view; `aspect` is width / height, 0: 4 / 3. */
TRILO_API trilo_view trilo_view_frame(const trilo_bounds *bounds, double azimuth, double elevation, double fov,
                                      double aspect);

/* A view in which a model fills the picture: nearer than that of trilo_view_frame, since it is made for the vertices
 * and not for the corners of their box. Set the first members, all others to 0, and add every pose that will be
 * shown. */
typedef struct trilo_framing {
    double azimuth, elevation, fov, aspect; /* as for trilo_view_frame */
    bool orbiting; /* the camera moves around `pivot`, and the same distance suits every azimuth */
    trilo_vec3 pivot;
    double right, left, up, down, back, front; /* set by trilo_framing_add */
    bool added;
} trilo_framing;

TRILO_API void trilo_framing_add(trilo_framing *framing, const trilo_renderer *renderer); /* in its current pose */
/* Nothing added: a view of the unit box. */
TRILO_API trilo_view trilo_framing_view(const trilo_framing *framing);

typedef enum trilo_light_kind {
    TRILO_LIGHT_KIND_DIRECTIONAL,
    TRILO_LIGHT_KIND_POINT,
    TRILO_LIGHT_KIND_AMBIENT
} trilo_light_kind;

typedef struct trilo_light {
    trilo_light_kind kind;
    uint8_t color[4];     /* alpha lights the alpha of vertices; if no light has alpha, they keep theirs */
    trilo_vec3 direction; /* towards the light; any length but 0 */
    trilo_vec3 position;  /* of a point light */
    float size;           /* of a point light: full brightness up to half this distance, a quarter at this distance. In
                             the clean look twice as far */
    bool any_side;        /* of a point light: normals are ignored */
    bool to_camera;       /* direction and position are in camera space: x right, y up, z to the eye */
} trilo_light;

enum { /* trilo_scene.show */
       TRILO_SHOW_WIREFRAME = 1,
       TRILO_SHOW_BONES = 2,
       TRILO_SHOW_NORMALS = 4,
       TRILO_SHOW_BVH = 8,          /* boxes of the model's own tree */
       TRILO_SHOW_FACE_COLORS = 16, /* those of trilo_renderer_set_face_colors instead of materials */
       TRILO_SHOW_NO_FACES = 32     /* only lines */
};

typedef struct trilo_fog {
    bool enabled;
    float begin, end; /* distances: where it begins, and where it is opaque; 0 and 0: those of the model */
    uint8_t color[3];
} trilo_fog;

/* The draw layer that a scene of Pyrite64 puts the model in. It determines what the materials do not set. */
typedef enum trilo_draw_layer {
    TRILO_DRAW_LAYER_OPAQUE,     /* depth is compared and written, nothing is blended */
    TRILO_DRAW_LAYER_TRANSPARENT /* depth is compared, colours are blended by alpha */
} trilo_draw_layer;

typedef enum trilo_switch { TRILO_SWITCH_AUTO, TRILO_SWITCH_OFF, TRILO_SWITCH_ON } trilo_switch;

/* Zero: the model from the front in the console's look, on transparent black (alpha 0), with the default light. */
typedef struct trilo_scene {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_view view;
    trilo_look look;
    uint32_t samples; /* of the clean look, along each side of a pixel: 1 to 8, 0: 2 */
    uint8_t background[4];
    const trilo_light *lights; /* NULL: a soft white light from the upper left, and ambient light */
    uint32_t light_count;
    trilo_fog fog;          /* for materials that use it */
    uint32_t show;          /* TRILO_SHOW_... */
    uint32_t seed;          /* of the console's noise */
    trilo_draw_layer layer; /* for materials of Pyrite64 */
    /* How the frame starts; materials may set both. Auto: on as in Tiny3D, off for materials of Pyrite64. */
    trilo_switch antialias, dither;
    trilo_console console;
} trilo_scene;

/* Draws into width * height pixels, red, green, blue, alpha, row by row from the top; alpha is 255 where something was
 * drawn, and not premultiplied. `scene` NULL: the defaults. False, with *err filled and the pixels undefined, when the
 * size is 0 or too large, or memory runs out; about 8 bytes are needed for each sample. The renderer keeps the memory
 * of its largest frame until it is freed. */
TRILO_API bool trilo_renderer_draw(trilo_renderer *renderer, const trilo_scene *scene, uint32_t width, uint32_t height,
                                   uint8_t (*pixels)[4], trilo_error *err);

/* ---- one pixel ---- */

/* Inputs of the RDP's colour combiner, by libdragon's names. */
typedef enum trilo_combiner_input {
    TRILO_COMBINER_INPUT_TEX0,
    TRILO_COMBINER_INPUT_TEX1,
    TRILO_COMBINER_INPUT_SHADE, /* vertex colours with light and fog */
    TRILO_COMBINER_INPUT_PRIM,
    TRILO_COMBINER_INPUT_ENV,
    TRILO_COMBINER_INPUT_NOISE,
    TRILO_COMBINER_INPUT_LOD,
    TRILO_COMBINER_INPUT_PRIM_LOD,
    TRILO_COMBINER_INPUT_COMBINED, /* the result of the first cycle */
    TRILO_COMBINER_INPUT_COUNT
} trilo_combiner_input;

typedef struct trilo_pixel_probe {
    bool drawn;              /* false: nothing but the background, and all else is 0 */
    uint32_t mesh, triangle; /* that was drawn there last */
    uint32_t inputs;         /* those that the combiner reads: 1 << TRILO_COMBINER_INPUT_... */
    /* Red, green, blue, alpha; 0 to 255, COMBINED and NOISE may be outside. */
    int16_t values[TRILO_COMBINER_INPUT_COUNT][4];
    uint8_t output[4]; /* of the combiner: what the blender gets */
} trilo_pixel_probe;

/* The inputs and the output of the colour combiner at a pixel of the picture that trilo_renderer_draw would draw: x
 * from the left, y from the top. The clean look is probed as the n64 look. */
TRILO_API bool trilo_renderer_probe(trilo_renderer *renderer, const trilo_scene *scene, uint32_t width, uint32_t height,
                                    uint32_t x, uint32_t y, trilo_pixel_probe *probe, trilo_error *err);

/* The triangles of all meshes with that material in the space of its texture, over the texture itself; `material`
 * TRILO_NONE: of meshes that have none. */
TRILO_API bool trilo_renderer_draw_uvs(trilo_renderer *renderer, uint32_t material, uint32_t width, uint32_t height,
                                       uint8_t (*pixels)[4], trilo_error *err);

/* A colour for each triangle of a mesh, index_count / 3 of them, for TRILO_SHOW_FACE_COLORS; not copied. NULL: none. */
TRILO_API void trilo_renderer_set_face_colors(trilo_renderer *renderer, uint32_t mesh, const uint8_t (*colors)[4]);

/* Draws a texture over `width` * `height` pixels as the RDP filters it: by three texels, or by the nearest. */
TRILO_API void trilo_texture_filter(const trilo_image *image, bool nearest, uint32_t width, uint32_t height,
                                    uint8_t (*pixels)[4]);

#ifdef __cplusplus
}
#endif
#endif

/* n64.h: the state of the RDP, the rasterizer of the Nintendo 64, that a material sets. */
#ifndef TRILOBITE_N64_H
#define TRILOBITE_N64_H

#include "trilobite/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that the RDP moves for a pixel of a 16-bit frame buffer: colour is written, and read for blending or smooth
 * edges; depth is read and written. */
#define TRILO_N64_PIXEL_COLOR_BYTES 4
#define TRILO_N64_PIXEL_DEPTH_BYTES 4

#define TRILO_N64_MEGAHERTZ 62.5 /* of the RSP, which transforms vertices, and of the RDP, which draws pixels */

/* Tiny3D's converter and the game of the Model format both store 64 units for a meter. */
#define TRILO_N64_UNITS_PER_METER 64

/* The scale of positions when a model is written for the console and no option sets it: from the model's
 * units_per_meter to the console's. 1 for a model that was read from T3DM or Model, 64 for one in meters. */
TRILO_API double trilo_n64_default_scale(const trilo_model *model);

/* The number of repetitions that means "without end" to libdragon. */
#define TRILO_N64_REPEATS_ENDLESS 2048

/* How texels are stored in the console's texture memory (TMEM). */
typedef enum trilo_texels {
    TRILO_TEXELS_UNKNOWN,
    TRILO_TEXELS_RGBA16,
    TRILO_TEXELS_RGBA32,
    TRILO_TEXELS_YUV16,
    TRILO_TEXELS_CI4,
    TRILO_TEXELS_CI8,
    TRILO_TEXELS_IA4,
    TRILO_TEXELS_IA8,
    TRILO_TEXELS_IA16,
    TRILO_TEXELS_I4,
    TRILO_TEXELS_I8
} trilo_texels;

TRILO_API const char *trilo_texels_name(trilo_texels texels); /* "CI4", "unknown" */
/* The texel format that mksprite chooses by the path of an image ("wall.ci4.png"); unknown if the path has none. */
TRILO_API trilo_texels trilo_texels_from_path(const char *path);

/* Tile settings of one axis of a texture. */
typedef struct trilo_n64_axis {
    float low, high; /* in texels */
    int8_t mask, shift;
    bool mirror, clamp;
} trilo_n64_axis;

typedef struct trilo_n64_tile {
    uint32_t reference; /* not 0: the game provides the texture, by this number */
    uint32_t texture;   /* TRILO_NONE: none */
    uint16_t width, height;
    trilo_n64_axis s, t;
    uint8_t fit; /* TRILO_N64_FIT_... */
} trilo_n64_tile;

enum { /* trilo_n64_tile.fit: what follows the size of the texture, which a conversion with sprites may change */
       TRILO_N64_FIT_SIZE = 1, /* width and height */
       TRILO_N64_FIT_S = 2,    /* low, high and mask of the axis: the whole texture */
       TRILO_N64_FIT_T = 4
};

enum { /* trilo_n64_material.draw_flags */
       TRILO_N64_DEPTH = 1,
       TRILO_N64_TEXTURED = 2,
       TRILO_N64_SHADED = 4,
       TRILO_N64_CULL_FRONT = 8,
       TRILO_N64_CULL_BACK = 0x10,
       TRILO_N64_UNLIT = 0x10000
};

enum { /* trilo_n64_material.set_flags */
       TRILO_N64_SET_PRIM = 1,
       TRILO_N64_SET_ENV = 2,
       TRILO_N64_SET_BLEND = 4
};

enum { /* trilo_n64_material.fog */
       TRILO_N64_FOG_LEAVE,
       TRILO_N64_FOG_OFF,
       TRILO_N64_FOG_ON
};

/* What Tiny3D does to vertices; arguments are the width and height of the first texture. */
typedef enum trilo_n64_effect {
    TRILO_N64_EFFECT_NONE,
    TRILO_N64_EFFECT_SPHERICAL_UV,    /* texture coordinates from the normal, as for a reflection */
    TRILO_N64_EFFECT_CEL_SHADE_COLOR, /* S from the lit colour */
    TRILO_N64_EFFECT_CEL_SHADE_ALPHA, /* S from the lit alpha */
    TRILO_N64_EFFECT_OUTLINE,         /* moved along the normal on the screen */
    TRILO_N64_EFFECT_UV_OFFSET,
    TRILO_N64_EFFECT_COUNT
} trilo_n64_effect;

enum { /* trilo_n64_material.engine_flags: what materials of Pyrite64 set, and those of Tiny3D do not */
       TRILO_N64_ENGINE_LAYERED = 1, /* other modes, blender and fog that are not set are the draw layer's */
       TRILO_N64_ENGINE_RESTORE = 2, /* other modes, combiner, blender and fog are restored after the object */
       TRILO_N64_ENGINE_BLENDER = 4, /* the blender is set, also when it is 0 */
       TRILO_N64_ENGINE_FOG = 8,
       TRILO_N64_ENGINE_PRIM_Z = 0x10,
       TRILO_N64_ENGINE_K4K5 = 0x20,
       TRILO_N64_ENGINE_PRIM_LOD = 0x40
};

typedef struct trilo_n64_material {
    uint64_t combiner; /* 0: the RDP state is not changed; of a layered material: the combiner is not set */
    uint64_t other_mode, other_mask;
    uint32_t blender; /* 0: none */
    uint32_t draw_flags;
    uint8_t fog;           /* TRILO_N64_FOG_... */
    uint8_t set_flags;     /* which of the colours below are set */
    uint8_t vertex_effect; /* trilo_n64_effect */
    uint8_t prim[4], env[4], blend[4];
    trilo_n64_tile tiles[2];
    uint8_t engine_flags;         /* which of these are set: */
    uint8_t k4, k5, prim_lod;     /* inputs of the combiner */
    uint32_t fog_blender;         /* 0: none */
    int16_t prim_z, prim_delta_z; /* the depth of all pixels */
    int16_t z_offset;             /* added to the depth on the screen, of which 0x7FFF is the far end */
} trilo_n64_material;

/* The colours that Tiny3D sets (TRILO_N64_SET_...): those of the flags, and the blend colour if alpha is compared. */
TRILO_API uint8_t trilo_n64_colors_set(uint8_t set_flags, uint64_t other_mode);

/* Descriptions. Each writes to `out`, truncated to `room` bytes, and returns the untruncated length. */

/* The colour combiner: "(TEX0 - 0) * SHADE + 0" for colour and alpha, and for the second cycle if there is one. */
TRILO_API size_t trilo_n64_combiner_text(uint64_t combiner, char *out, size_t room);
/* Texture filter, depth mode, alpha compare, depth buffer, anti-aliasing and dither, if the mask includes them:
 * "bilinear, z opaque". */
TRILO_API size_t trilo_n64_other_mode_text(uint64_t other_mode, uint64_t other_mask, char *out, size_t room);
TRILO_API size_t trilo_n64_blender_text(uint32_t blender, char *out, size_t room);  /* "alpha multiply" */
TRILO_API size_t trilo_n64_flags_text(uint32_t draw_flags, char *out, size_t room); /* "depth, textured, cull back" */
TRILO_API const char *trilo_n64_fog_name(uint8_t fog);                              /* "on" */
TRILO_API const char *trilo_n64_effect_name(uint8_t vertex_effect);                 /* "outline" */

#ifdef __cplusplus
}
#endif
#endif

/* pyrite64.h: Pyrite64, an editor and engine for the N64, stores T3DM models with materials of its own (chunks `m`).
 *
 * A material sets only what its flags name; the rest is left to the object and to the draw layer of the scene. Textures
 * are numbers of a project's table of assets (p64/a). docs/formats/t3dm.md lists the bytes.
 */
#ifndef TRILOBITE_PYRITE64_H
#define TRILOBITE_PYRITE64_H

#include "trilobite/error.h"
#include "trilobite/n64.h"
#include "trilobite/visitor.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TRILO_PYRITE64_NO_ASSET = 0xFFFF,
    TRILO_PYRITE64_SLOTS = 8,         /* for placeholders */
    TRILO_PYRITE64_MATERIAL_MOST = 79 /* bytes of a material */
};

/* What a material sets: trilo_pyrite64_material.flags. */
enum {
    TRILO_PYRITE64_AA = 1 << 0,
    TRILO_PYRITE64_FOG = 1 << 1,
    TRILO_PYRITE64_DITHER = 1 << 2,
    TRILO_PYRITE64_FILTER = 1 << 3,
    TRILO_PYRITE64_Z = 1 << 4,
    TRILO_PYRITE64_PRIM_Z = 1 << 5,
    TRILO_PYRITE64_PERSPECTIVE = 1 << 6,
    TRILO_PYRITE64_ALPHA_COMPARE = 1 << 7,
    TRILO_PYRITE64_TEX0 = 1 << 8,
    TRILO_PYRITE64_TEX1 = 1 << 9,
    TRILO_PYRITE64_COMBINER = 1 << 10,
    TRILO_PYRITE64_BLENDER = 1 << 11,
    TRILO_PYRITE64_K4K5 = 1 << 12,
    TRILO_PYRITE64_PRIM_LOD = 1 << 13,
    TRILO_PYRITE64_PRIM = 1 << 14,
    TRILO_PYRITE64_ENV = 1 << 15,
    TRILO_PYRITE64_EFFECT = 1 << 16,
    TRILO_PYRITE64_Z_OFFSET = 1 << 17, /* since 0.9 */
    TRILO_PYRITE64_OVERRIDE = 1 << 18, /* the RDP's mode is saved before the object and restored after it */
    TRILO_PYRITE64_DUAL = 1 << 19      /* both tiles are placeholders; with AA, the bit is the low one of its value */
};

/* Values inside the flags: the lowest bit and the number of bits of each. They are 0 unless the flag is set. */
enum {
    TRILO_PYRITE64_AA_AT = 19,     /* 2 bits: 0 none, 1 standard, 2 reduced */
    TRILO_PYRITE64_FILTER_AT = 21, /* 2 bits: 0 point, 2 bilinear, 3 median */
    TRILO_PYRITE64_Z_COMPARE = 1 << 23,
    TRILO_PYRITE64_Z_WRITE = 1 << 24,
    TRILO_PYRITE64_PERSPECTIVE_ON = 1 << 25,
    TRILO_PYRITE64_DITHER_AT = 26 /* 4 bits: colour, 2 bits, then alpha, as in the RDP's other modes */
};

/* What the object of a scene replaces. */
typedef enum trilo_pyrite64_placeholder {
    TRILO_PYRITE64_PLACEHOLDER_STATIC,    /* nothing */
    TRILO_PYRITE64_PLACEHOLDER_TILE_ONLY, /* the rectangle of the tile */
    TRILO_PYRITE64_PLACEHOLDER_TEXTURE    /* the texture and the tile */
} trilo_pyrite64_placeholder;

typedef struct trilo_pyrite64_axis {
    uint16_t offset;  /* 1/64 texel */
    uint16_t repeats; /* 1/16; 0x8000: endless */
    int8_t scale;     /* as a power of two */
    int8_t mirror;
} trilo_pyrite64_axis;

typedef struct trilo_pyrite64_tile {
    uint16_t asset;      /* number of the image; TRILO_PYRITE64_NO_ASSET: none */
    uint8_t placeholder; /* trilo_pyrite64_placeholder */
    uint8_t slot;        /* of the placeholder */
    trilo_pyrite64_axis s, t;
} trilo_pyrite64_tile;

typedef struct trilo_pyrite64_material {
    uint32_t flags;
    uint32_t draw_flags; /* TRILO_N64_DEPTH and so on */
    trilo_pyrite64_tile tiles[2];
    uint64_t combiner;
    uint32_t blender, fog; /* words of libdragon; 0: off */
    uint8_t prim[4], env[4];
    int16_t prim_z, prim_delta_z;
    int16_t z_offset;        /* below 0: nearer */
    uint16_t effect_args[2]; /* width and height of the first texture */
    uint8_t effect;          /* trilo_n64_effect */
    uint8_t alpha_threshold, k4, k5, prim_lod;
} trilo_pyrite64_material;

/* Reads a chunk `m` (trilo_material.raw). False, with *err (which may be NULL), when its layout is not that of
 * Pyrite64. */
TRILO_API bool trilo_pyrite64_material_read(trilo_bytes raw, trilo_pyrite64_material *out, trilo_error *err);
/* Writes the fields that the flags name; returns the number of bytes. */
TRILO_API size_t trilo_pyrite64_material_write(const trilo_pyrite64_material *material,
                                               uint8_t out[TRILO_PYRITE64_MATERIAL_MOST]);

/* What a material sets that Tiny3D's cannot: "depth offset -40, mode restored after the object". Writes to `out`,
 * truncated to `room` bytes, and returns the untruncated length. */
TRILO_API size_t trilo_pyrite64_text(const trilo_pyrite64_material *material, char *out, size_t room);

/* The scale of positions that Pyrite64 0.9 chooses for a model in meters: the largest power of two, from 1 to 512, at
 * which every corner of the box is within 30000 units; 64 for an empty box. */
TRILO_API double trilo_pyrite64_scale(const trilo_bounds *bounds);

/* A collision mesh: chunk `0` of a T3DM model up to 0.4, or a file of its own since 0.5. */
typedef struct trilo_pyrite64_collision {
    uint32_t triangle_count, vertex_count;
    uint32_t bvh_count; /* 2 up to 0.7: the same one twice; 0 in 0.8 */
    uint32_t bvh_node_count;
    const char *since; /* the first release that writes this layout: "0.1", "0.8", "0.9"; "": not known */
} trilo_pyrite64_collision;

/* Returns false if the bytes are not a collision mesh. It has no signature, so counts and indices are checked. */
TRILO_API bool trilo_pyrite64_collision_read(trilo_bytes bytes, trilo_pyrite64_collision *out);
/* Lists its records. `offset` is added to the offsets of the values. Returns false if the bytes are not a collision
 * mesh. */
TRILO_API bool trilo_pyrite64_collision_visit(trilo_bytes bytes, uint64_t offset, const trilo_visitor *visitor);

#ifdef __cplusplus
}
#endif
#endif

/* f3dex_list.h: F3DEX2 display lists for a vertex cache of 32 slots.
 *
 * Arrays in, arrays out. F3DEX2 draws a mesh by commands of 8 bytes: G_VTX loads stored vertices into consecutive
 * slots, G_MODIFYVTX changes the texture coordinate or the colour of a loaded one, G_TRI1 and G_TRI2 draw triangles.
 * What is loaded stays until it is overwritten. A draw costs its commands and 16 bytes for each vertex that is loaded.
 */
#ifndef TL_OPTIMIZE_F3DEX_LIST_H
#define TL_OPTIMIZE_F3DEX_LIST_H

#include "base/arena.h"
#include "n64/f3dex.h"

enum { TL_F3DEX_NUMBERS_MOST = 1 << 21, TL_F3DEX_EFFORT = 2000000 };

/* A corner of a triangle is a point with a texture coordinate and a colour, all three by number: equal numbers mean
 * equal values, also between meshes. G_MODIFYVTX turns a loaded corner into another corner of the same point. Numbers
 * are below TL_F3DEX_NUMBERS_MOST. */
typedef struct tl_f3dex_corner {
    uint32_t point, st, rgba;
} tl_f3dex_corner;

typedef struct tl_f3dex_mesh {
    uint32_t corner_count, triangle_count;
    const tl_f3dex_corner *corners; /* all different */
    const uint32_t (*triangles)[3]; /* of three different points each */
} tl_f3dex_mesh;

typedef struct tl_f3dex_input {
    uint32_t mesh_count; /* each gets a list of its own */
    const tl_f3dex_mesh *meshes;
    bool fixed_st, fixed_rgba; /* never changed by G_MODIFYVTX */
    uint32_t max_stored;       /* vertices of all lists together, if possible; TRILO_NONE: any number */
    uint32_t effort;           /* triangles to examine during the search, such as TL_F3DEX_EFFORT */
} tl_f3dex_input;

typedef enum tl_f3dex_kind {
    TL_F3DEX_VTX,         /* `count` stored vertices from number `value` on, into slots[0] and the following */
    TL_F3DEX_MODIFY_ST,   /* slots[0] gets the texture coordinate of corner `value` */
    TL_F3DEX_MODIFY_RGBA, /* slots[0] gets the colour of corner `value` */
    TL_F3DEX_TRI1,        /* slots[0..3) */
    TL_F3DEX_TRI2         /* slots[0..3) and slots[3..6) */
} tl_f3dex_kind;

typedef struct tl_f3dex_command {
    uint8_t kind, count;
    uint8_t slots[6];
    uint32_t value;
} tl_f3dex_command;

typedef struct tl_f3dex_list {
    uint32_t command_count; /* without the end */
    const tl_f3dex_command *commands;
    uint32_t loaded; /* vertices, over all loads */
} tl_f3dex_list;

/* A stored vertex: a corner of a mesh. */
typedef struct tl_f3dex_stored {
    uint32_t mesh, corner;
} tl_f3dex_stored;

typedef struct tl_f3dex_output {
    tl_f3dex_list *lists; /* mesh_count */
    uint32_t stored_count;
    tl_f3dex_stored *stored;
} tl_f3dex_output;

/* Every triangle is drawn exactly once with its corners and its winding. Returns false when memory runs out.
 * Deterministic. */
bool tl_f3dex_lists(tl_arena *arena, const tl_f3dex_input *in, tl_f3dex_output *out);

#endif

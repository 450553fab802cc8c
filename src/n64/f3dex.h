/* f3dex.h: sizes of F3DEX2, Nintendo's display lists. */
#ifndef TL_N64_F3DEX_H
#define TL_N64_F3DEX_H

enum {
    TL_F3DEX_SLOTS = 32,       /* of the vertex cache */
    TL_F3DEX_COMMAND_SIZE = 8, /* bytes: two words */
    TL_F3DEX_VERTEX_SIZE = 16
};

#endif

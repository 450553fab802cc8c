/* What of a vertex a material cannot show.
 *
 * Whenever it is in doubt, it counts as shown: materials of a user's own, materials that leave the combiner to the
 * game, and vertex effects that turn one thing into another. */
#include "formats/t3dm/encode/encode.h"

enum { EFFECT_NONE, EFFECT_SPHERE };

/* An input of the combiner: where its number lies in the word, and which one is which. */
typedef struct input {
    uint8_t shift, bits, shade_alpha; /* shade_alpha: 0 when it has no such */
} input;

enum { INPUTS = 8, SHADE = 4, TWO_CYCLES_BIT = 63 };

/* A, B, C, D of the colour, then of the alpha. */
static const input inputs[2][INPUTS] = {
    {{52, 4, 0}, {28, 4, 0}, {47, 5, 11}, {15, 3, 0}, {44, 3, 0}, {12, 3, 0}, {41, 3, 0}, {9, 3, 0}},
    {{37, 4, 0}, {24, 4, 0}, {32, 5, 11}, {6, 3, 0}, {21, 3, 0}, {3, 3, 0}, {18, 3, 0}, {0, 3, 0}},
};

static bool cycle_uses_shade(uint64_t combiner, int cycle)
{
    for (int i = 0; i < INPUTS; i++) {
        const input *in = &inputs[cycle][i];
        const uint64_t value = combiner >> in->shift & ((1u << in->bits) - 1);
        if (value == SHADE || (in->shade_alpha && value == in->shade_alpha))
            return true;
    }
    return false;
}

/* A material of one cycle has the same formula in both halves. */
static bool combiner_uses_shade(uint64_t combiner)
{
    return cycle_uses_shade(combiner, 0) || (combiner >> TWO_CYCLES_BIT != 0 && cycle_uses_shade(combiner, 1));
}

/* The blender mixes by an alpha: 2 is that of the shade. */
static bool blender_uses_shade(uint32_t blender)
{
    return (blender >> 26 & 3) == 2 || (blender >> 24 & 3) == 2;
}

/* Fog needs shaded triangles, but takes the place of their alpha: neither colours nor light show through it. */
static bool shows_shade(const t3dm_material_head *h)
{
    return (h->draw_flags & TRILO_N64_SHADED) && (combiner_uses_shade(h->combiner) || blender_uses_shade(h->blender));
}

uint32_t tl_t3dm_unused(const t3dm_material *material)
{
    const t3dm_material_head *h = &material->head;
    if (material->opaque || h->combiner == 0 || h->vertex_effect > EFFECT_SPHERE)
        return 0;
    const bool textured = (h->draw_flags & TRILO_N64_TEXTURED) != 0, sphere = h->vertex_effect == EFFECT_SPHERE;
    const bool shade = shows_shade(h), lit = shade && !(h->draw_flags & TRILO_N64_UNLIT);
    uint32_t unused = 0;
    unused |= !textured || sphere ? T3DM_UNUSED_UVS : 0u;
    unused |= !lit && !(textured && sphere) ? T3DM_UNUSED_NORMALS : 0u;
    unused |= !shade ? T3DM_UNUSED_COLORS : 0u;
    return unused;
}

void tl_t3dm_clear_unused(t3dm_vertex *v, uint32_t unused)
{
    if (unused & T3DM_UNUSED_UVS)
        v->uv[0] = v->uv[1] = 0;
    if (unused & T3DM_UNUSED_NORMALS)
        v->normal = 0;
    for (int c = 0; c < 4 && (unused & T3DM_UNUSED_COLORS); c++)
        v->color[c] = UINT8_MAX;
}

/* Blending pixels with the framebuffer and with fog. */
#include "raster/blend.h"

static int32_t blend_color_of(uint8_t selector, const tl_blend_inputs *in, const int32_t pixel[3], int channel)
{
    switch (selector) {
    case TL_BLEND_PIXEL:
        return pixel[channel];
    case TL_BLEND_MEMORY:
        return in->memory[channel];
    case TL_BLEND_COLOR:
        return in->color[channel];
    default:
        return in->fog[channel];
    }
}

static int32_t blend_alpha_of(uint8_t selector, const tl_blend_inputs *in)
{
    switch (selector) {
    case TL_BLEND_A_PIXEL:
        return in->alpha;
    case TL_BLEND_A_FOG:
        return in->fog[3];
    case TL_BLEND_A_SHADE:
        return in->shade_alpha;
    default:
        return 0;
    }
}

/* Of five bits. */
static int32_t blend_factor_b(uint8_t selector, int32_t alpha, int32_t coverage)
{
    switch (selector) {
    case TL_BLEND_B_ONE_MINUS_A:
        return (255 - alpha) >> 3;
    case TL_BLEND_B_COVERAGE:
        return (coverage << 5) >> 3 | 3;
    case TL_BLEND_B_ONE:
        return 31;
    default:
        return 0;
    }
}

/* (P * A + Q * (B + 1)) / 32. Nothing saturates: what is too bright wraps. */
static void blend_run_pass(const tl_blend_pass *pass, const tl_blend_inputs *in, int32_t pixel[3])
{
    const int32_t alpha = blend_alpha_of(pass->a, in), b = blend_factor_b(pass->b, alpha, in->coverage) + 1;
    const int32_t a = pass->b == TL_BLEND_B_COVERAGE ? alpha >> 3 & 0x3C : alpha >> 3;
    for (int k = 0; k < 3; k++)
        pixel[k] = (blend_color_of(pass->p, in, pixel, k) * a + blend_color_of(pass->q, in, pixel, k) * b) >> 5 & 0xFF;
}

void tl_blend(const tl_blend_state *state, const tl_blend_inputs *in, int32_t pixel[3])
{
    if (state->first)
        blend_run_pass(&state->passes[0], in, pixel);
    if (!state->last)
        return;
    const tl_blend_pass *pass = &state->passes[1];
    const bool opaque = pass->a == TL_BLEND_A_PIXEL && pass->b == TL_BLEND_B_ONE_MINUS_A && in->alpha == 255;
    if (!opaque)
        blend_run_pass(pass, in, pixel);
    for (int k = 0; opaque && k < 3; k++)
        pixel[k] = blend_color_of(pass->p, in, pixel, k);
}

/* Mixing pixels with what is there already, and with fog. */
#include "raster/blend.h"

static int32_t color_of(uint8_t code, const tl_blend_inputs *in, const int32_t pixel[3], int channel)
{
    switch (code) {
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

static int32_t alpha_of(uint8_t code, const tl_blend_inputs *in)
{
    switch (code) {
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

static int32_t rest_of(uint8_t code, int32_t alpha)
{
    switch (code) {
    case TL_BLEND_B_ONE_MINUS_A:
        return (255 - alpha) >> 3;
    case TL_BLEND_B_COVERAGE: /* covered whole: seven of eight */
        return (7 << 5) >> 3 | 3;
    case TL_BLEND_B_ONE:
        return 31;
    default:
        return 0;
    }
}

/* Nothing saturates: what is too bright begins at 0 again. */
static void mix(const tl_blend_pass *pass, const tl_blend_inputs *in, int32_t pixel[3])
{
    const int32_t alpha = alpha_of(pass->a, in), b = rest_of(pass->b, alpha) + 1;
    const int32_t a = pass->b == TL_BLEND_B_COVERAGE ? alpha >> 3 & 0x3C : alpha >> 3;
    int32_t mixed[3];
    for (int k = 0; k < 3; k++)
        mixed[k] = (color_of(pass->p, in, pixel, k) * a + color_of(pass->q, in, pixel, k) * b) >> 5 & 0xFF;
    for (int k = 0; k < 3; k++)
        pixel[k] = mixed[k];
}

void tl_blend(const tl_blend_state *state, const tl_blend_inputs *in, int32_t pixel[3])
{
    if (state->first)
        mix(&state->passes[0], in, pixel);
    if (!state->last)
        return;
    const tl_blend_pass *pass = &state->passes[1];
    if (pass->a == TL_BLEND_A_PIXEL && pass->b == TL_BLEND_B_ONE_MINUS_A && in->alpha == 255) {
        const int32_t opaque[3] = {color_of(pass->p, in, pixel, 0), color_of(pass->p, in, pixel, 1),
                                   color_of(pass->p, in, pixel, 2)};
        for (int k = 0; k < 3; k++)
            pixel[k] = opaque[k];
        return;
    }
    mix(pass, in, pixel);
}

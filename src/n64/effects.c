/* Vertex effects. */
#include "n64/effects.h"

const char *trilo_n64_effect_name(uint8_t vertex_effect)
{
    static const char *const names[TRILO_N64_EFFECT_COUNT] = {
        [TRILO_N64_EFFECT_NONE] = "none",
        [TRILO_N64_EFFECT_SPHERICAL_UV] = "spherical UV",
        [TRILO_N64_EFFECT_CEL_SHADE_COLOR] = "cel shade by colour",
        [TRILO_N64_EFFECT_CEL_SHADE_ALPHA] = "cel shade by alpha",
        [TRILO_N64_EFFECT_OUTLINE] = "outline",
        [TRILO_N64_EFFECT_UV_OFFSET] = "UV offset",
    };
    return vertex_effect < TRILO_N64_EFFECT_COUNT ? names[vertex_effect] : "unknown";
}

bool tl_effect_uses_normals(uint8_t effect)
{
    return effect == TRILO_N64_EFFECT_SPHERICAL_UV || effect == TRILO_N64_EFFECT_OUTLINE;
}

bool tl_effect_leaves_uvs(uint8_t effect, uint64_t combiner)
{
    return effect == TRILO_N64_EFFECT_OUTLINE && (tl_combiner_decode(combiner).used & TL_CC_USES_TEXTURE) != 0;
}

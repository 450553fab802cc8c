/* Vertex attributes that a material does not show.
 *
 * If that is uncertain, an attribute counts as shown: in materials of a user's own, in materials that leave the
 * combiner to the game, and with vertex effects that compute one attribute from another. */
#include "formats/t3dm/encode/encode.h"
#include "n64/combiner.h"

bool tl_t3dm_use_is_certain(const t3dm_material *material)
{
    const t3dm_material_head *h = &material->head;
    return !material->opaque && h->combiner != 0 && h->vertex_effect <= TRILO_N64_EFFECT_SPHERICAL_UV;
}

uint32_t tl_t3dm_unused(const t3dm_material *material)
{
    const t3dm_material_head *h = &material->head;
    if (!tl_t3dm_use_is_certain(material))
        return 0;
    const bool textured = (h->draw_flags & TRILO_N64_TEXTURED) != 0,
               sphere = h->vertex_effect == TRILO_N64_EFFECT_SPHERICAL_UV;
    /* Fog needs shaded triangles, but replaces their alpha: neither colours nor light show through it. */
    const bool combined = (tl_cc_selected(h->combiner) & TL_CC_USES_SHADE) != 0;
    const bool shade = (h->draw_flags & TRILO_N64_SHADED) && (combined || tl_blend_uses_shade(h->blender));
    const bool lit = shade && !(h->draw_flags & TRILO_N64_UNLIT);
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

/* Materials as the runtime sets them: it compares with what it set last and sends only what differs.
 *
 * Anything of the pixel pipeline (textures, combiner, blender, other modes, colours) is sent by another program of the
 * RSP than the one that draws triangles: the two are exchanged, with their data, and exchanged again afterwards. */
#include "formats/t3dm/cost/cost.h"

#include <string.h>

/* True if anything differs. */
static bool state_set_pipeline(t3dm_pipeline *p, const t3dm_material *m, bool uploads[2])
{
    const t3dm_material_head *h = &m->head;
    const t3dm_texture *textures = m->textures;
    bool differs =
        !p->started || p->combiner != h->combiner || p->blender != h->blender || p->other_mode != h->other_mode;
    p->combiner = h->combiner, p->blender = h->blender, p->other_mode = h->other_mode;
    /* Both slots are set again when one differs; a second slot with the texture of the first takes that. A texture of
     * the game's own (a reference) is uploaded by the game. */
    if (!p->started || p->hashes[0] != textures[0].hash || p->hashes[1] != textures[1].hash) {
        for (int i = 0; i < 2; i++) {
            p->hashes[i] = textures[i].hash;
            uploads[i] = textures[i].path != 0 && textures[i].reference == 0;
        }
        uploads[1] = uploads[1] && textures[0].hash != textures[1].hash;
        differs = true;
    }
    const uint8_t *const colors[] = {h->prim, h->env, h->blend};
    const unsigned sends = trilo_n64_colors_set(h->set_flags, h->other_mode);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned bit = 1u << i;
        if (!(sends & bit) || ((p->colors_set & bit) && memcmp(p->colors[i], colors[i], 4) == 0))
            continue;
        memcpy(p->colors[i], colors[i], 4);
        p->colors_set |= (uint8_t)bit;
        differs = true;
    }
    p->started = true;
    return differs;
}

t3dm_setting tl_t3dm_set_material(t3dm_pipeline *p, const t3dm_material *material)
{
    t3dm_setting setting = {0};
    if (!material || material->opaque) /* unknown what those do */
        return setting;
    const t3dm_material_head *h = &material->head;
    if (h->combiner != 0)
        setting.pipeline = state_set_pipeline(p, material, setting.uploads);
    if (h->fog != TRILO_N64_FOG_LEAVE && h->fog != p->fog) {
        p->fog = h->fog;
        setting.state_bytes += TL_RSP_FOG_BYTES;
    }
    if (h->vertex_effect != p->effect) {
        p->effect = h->vertex_effect;
        setting.state_bytes += TL_RSP_EFFECT_BYTES;
    }
    if (!p->draws || h->draw_flags != p->flags) {
        p->flags = h->draw_flags;
        setting.state_bytes += TL_RSP_FLAGS_BYTES;
    }
    p->draws = true;
    return setting;
}

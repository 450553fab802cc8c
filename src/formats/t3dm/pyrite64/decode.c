/* From a material of Pyrite64 to the state of the RDP. */
#include "base/strict_float.h"
#include "formats/t3dm/pyrite64/pyrite64.h"

#include "base/text.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static uint32_t pyrite64_value(uint32_t flags, int at, uint32_t most)
{
    return flags >> at & most;
}

/* Other modes that are set, and which bits of them. The filter is bilinear where the layer decides, and texture
 * coordinates are made for that. */
static void pyrite64_modes(const trilo_pyrite64_material *from, t3dm_material_head *h)
{
    const uint32_t flags = from->flags, aa = pyrite64_value(flags, TRILO_PYRITE64_AA_AT, 3);
    const struct {
        uint32_t flag;
        uint64_t value, mask;
    } modes[] = {
        {TRILO_PYRITE64_AA, aa == 0 ? 0 : TL_MODE_AA | (aa == 2 ? TL_MODE_REDUCED_AA : 0),
         TL_MODE_AA | TL_MODE_REDUCED_AA},
        {TRILO_PYRITE64_DITHER, TL_MODE(TL_MODE_ALPHA_DITHER, pyrite64_value(flags, TRILO_PYRITE64_DITHER_AT, 15)),
         TL_MODE(TL_MODE_ALPHA_DITHER, 15)},
        {TRILO_PYRITE64_FILTER, TL_MODE(TL_MODE_SAMPLING, pyrite64_value(flags, TRILO_PYRITE64_FILTER_AT, 3)),
         TL_MODE_MASK(TL_MODE_SAMPLING)},
        {TRILO_PYRITE64_Z,
         ((flags & TRILO_PYRITE64_Z_COMPARE) != 0 ? TL_MODE_Z_COMPARE : 0) |
             ((flags & TRILO_PYRITE64_Z_WRITE) != 0 ? TL_MODE_Z_WRITE : 0),
         TL_MODE_Z_COMPARE | TL_MODE_Z_WRITE},
        {TRILO_PYRITE64_PERSPECTIVE, (flags & TRILO_PYRITE64_PERSPECTIVE_ON) != 0 ? TL_MODE_PERSPECTIVE : 0,
         TL_MODE_PERSPECTIVE},
        {TRILO_PYRITE64_ALPHA_COMPARE, TL_MODE(TL_MODE_ALPHA_COMPARE, TL_ALPHA_COMPARE_THRESHOLD),
         TL_MODE(TL_MODE_ALPHA_COMPARE, TL_ALPHA_COMPARE_THRESHOLD)},
    };
    h->other_mode = (flags & TRILO_PYRITE64_FILTER) != 0 ? 0 : TL_MODE(TL_MODE_SAMPLING, TL_SAMPLING_BILINEAR);
    h->other_mask = 0;
    for (size_t i = 0; i < TL_COUNT_OF(modes); i++)
        if ((flags & modes[i].flag) != 0) {
            h->other_mode |= modes[i].value;
            h->other_mask |= modes[i].mask;
        }
}

/* As libdragon makes a tile of it: an axis clamps when its repeats cover less than 1024 texels. */
static t3dm_axis pyrite64_decode_axis(const trilo_pyrite64_axis *from, uint32_t size)
{
    const double texels = size != 0 ? size : T3DM_UV_UNKNOWN_SIZE, covered = from->repeats / 16.0 * texels;
    const float low = (float)from->offset / 64;
    const bool clamp = covered < 1024;
    int8_t mask = 0;
    while (texels > 1 << mask)
        mask++;
    return (t3dm_axis){low, (float)(low + (clamp ? covered : texels) - 1), mask, from->scale, from->mirror != 0, clamp};
}

void tl_pyrite64_translate(const trilo_pyrite64_material *from, t3dm_material *to)
{
    const uint32_t flags = from->flags;
    t3dm_material_head *h = &to->head;
    *h = (t3dm_material_head){.combiner = from->combiner,
                              .blender = from->blender,
                              .draw_flags = from->draw_flags,
                              .set_flags = (uint8_t)(((flags & TRILO_PYRITE64_PRIM) != 0 ? TRILO_N64_SET_PRIM : 0) |
                                                     ((flags & TRILO_PYRITE64_ENV) != 0 ? TRILO_N64_SET_ENV : 0)),
                              .vertex_effect = from->effect,
                              .blend = {0, 0, 0, from->alpha_threshold}};
    memcpy(h->prim, from->prim, sizeof h->prim);
    memcpy(h->env, from->env, sizeof h->env);
    pyrite64_modes(from, h);
    for (int i = 0; i < 2; i++) {
        const trilo_pyrite64_tile *tile = &from->tiles[i];
        t3dm_texture *t = &to->textures[i];
        if ((flags & (i == 0 ? TRILO_PYRITE64_TEX0 : TRILO_PYRITE64_TEX1)) == 0)
            continue;
        t->reference = tile->placeholder == TRILO_PYRITE64_PLACEHOLDER_TEXTURE ? tile->slot + 1u : 0;
        t->s = pyrite64_decode_axis(&tile->s, t->width);
        t->t = pyrite64_decode_axis(&tile->t, t->height);
    }
    to->translated = true;
}

void tl_pyrite64_set_engine(const trilo_pyrite64_material *from, trilo_n64_material *to)
{
    static const struct {
        uint32_t flag;
        uint8_t engine;
    } flags[] = {
        {TRILO_PYRITE64_OVERRIDE, TRILO_N64_ENGINE_RESTORE}, {TRILO_PYRITE64_BLENDER, TRILO_N64_ENGINE_BLENDER},
        {TRILO_PYRITE64_FOG, TRILO_N64_ENGINE_FOG},          {TRILO_PYRITE64_PRIM_Z, TRILO_N64_ENGINE_PRIM_Z},
        {TRILO_PYRITE64_K4K5, TRILO_N64_ENGINE_K4K5},        {TRILO_PYRITE64_PRIM_LOD, TRILO_N64_ENGINE_PRIM_LOD}};
    to->engine_flags = TRILO_N64_ENGINE_LAYERED;
    for (size_t i = 0; i < TL_COUNT_OF(flags); i++)
        to->engine_flags |= (from->flags & flags[i].flag) != 0 ? flags[i].engine : 0;
    to->k4 = from->k4;
    to->k5 = from->k5;
    to->prim_lod = from->prim_lod;
    to->fog_blender = from->fog;
    to->prim_z = from->prim_z;
    to->prim_delta_z = from->prim_delta_z;
    to->z_offset = from->z_offset;
}

void tl_pyrite64_number_path(uint32_t number, char out[PYRITE64_NUMBER_ROOM])
{
    snprintf(out, PYRITE64_NUMBER_ROOM, "asset:%" PRIu32, number);
}

size_t trilo_pyrite64_text(const trilo_pyrite64_material *m, char *out, size_t room)
{
    char item[64];
    tl_text text = tl_text_begin(out, room);
    if ((m->flags & TRILO_PYRITE64_FOG) != 0) {
        tl_text_add_item(&text, "fog ");
        trilo_n64_blender_text(m->fog, item, sizeof item);
        tl_text_add(&text, m->fog == TL_BLENDER_FOG ? "by shade alpha" : item);
    }
    if ((m->flags & TRILO_PYRITE64_PRIM_Z) != 0) {
        snprintf(item, sizeof item, "depth %d, delta %d", m->prim_z, m->prim_delta_z);
        tl_text_add_item(&text, item);
    }
    if ((m->flags & TRILO_PYRITE64_Z_OFFSET) != 0) {
        snprintf(item, sizeof item, "depth offset %d", m->z_offset);
        tl_text_add_item(&text, item);
    }
    if ((m->flags & TRILO_PYRITE64_K4K5) != 0) {
        snprintf(item, sizeof item, "K4 %u, K5 %u", (unsigned)m->k4, (unsigned)m->k5);
        tl_text_add_item(&text, item);
    }
    if ((m->flags & TRILO_PYRITE64_PRIM_LOD) != 0) {
        snprintf(item, sizeof item, "primitive LOD %u", (unsigned)m->prim_lod);
        tl_text_add_item(&text, item);
    }
    if ((m->flags & TRILO_PYRITE64_OVERRIDE) != 0)
        tl_text_add_item(&text, "mode restored after the object");
    return text.length;
}

double trilo_pyrite64_scale(const trilo_bounds *bounds)
{
    const trilo_vec3 a = bounds->min, b = bounds->max;
    const float corners[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    double largest = 0, scale = 512;
    if (!(a.x <= b.x && a.y <= b.y && a.z <= b.z))
        return 64;
    for (int i = 0; i < 6; i++)
        largest = fabs((double)corners[i]) > largest ? fabs((double)corners[i]) : largest;
    while (scale > 1 && largest * scale > 30000)
        scale /= 2;
    return scale;
}

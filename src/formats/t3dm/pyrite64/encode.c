/* From the state of the RDP to a material of Pyrite64, and what Tiny3D can take of one. */
#include "formats/t3dm/encode/encode.h"
#include "formats/t3dm/pyrite64/pyrite64.h"

#include "base/strict_float.h"
#include "base/text.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Modes that a material of Tiny3D may set and no other restores. */
#define PYRITE64_SWITCHES                                                                                              \
    (TL_MODE_AA | TL_MODE_REDUCED_AA | TL_MODE_Z_COMPARE | TL_MODE_Z_WRITE | TL_MODE_PERSPECTIVE |                     \
     TL_MODE_MASK(TL_MODE_COLOR_DITHER) | TL_MODE_MASK(TL_MODE_ALPHA_DITHER))

/* Of a path that tl_pyrite64_number_path made. */
static const char pyrite64_number_prefix[] = "asset:";

/* --- modes --- */

static uint32_t pyrite64_encode_modes(const t3dm_material_head *h)
{
    const uint64_t mode = h->other_mode & h->other_mask, mask = h->other_mask;
    const uint32_t aa = (mode & TL_MODE_AA) == 0 ? 0 : (mode & TL_MODE_REDUCED_AA) != 0 ? 2 : 1;
    const uint32_t dither = (uint32_t)(mode >> TL_MODE_ALPHA_DITHER & 15);
    uint32_t flags = 0;
    if ((mask & TL_MODE_AA) != 0)
        flags |= TRILO_PYRITE64_AA | aa << TRILO_PYRITE64_AA_AT;
    if ((mask & TL_MODE_MASK(TL_MODE_COLOR_DITHER)) != 0)
        flags |= TRILO_PYRITE64_DITHER | dither << TRILO_PYRITE64_DITHER_AT;
    if ((mask & TL_MODE_MASK(TL_MODE_SAMPLING)) != 0)
        flags |= TRILO_PYRITE64_FILTER | tl_mode_get(mode, TL_MODE_SAMPLING) << TRILO_PYRITE64_FILTER_AT;
    if ((mask & (TL_MODE_Z_COMPARE | TL_MODE_Z_WRITE)) != 0)
        flags |= TRILO_PYRITE64_Z | ((mode & TL_MODE_Z_COMPARE) != 0 ? TRILO_PYRITE64_Z_COMPARE : 0u) |
                 ((mode & TL_MODE_Z_WRITE) != 0 ? TRILO_PYRITE64_Z_WRITE : 0u);
    if ((mask & TL_MODE_PERSPECTIVE) != 0)
        flags |= TRILO_PYRITE64_PERSPECTIVE | ((mode & TL_MODE_PERSPECTIVE) != 0 ? TRILO_PYRITE64_PERSPECTIVE_ON : 0u);
    return flags | (tl_mode_compares_alpha(mode) ? TRILO_PYRITE64_ALPHA_COMPARE : 0u);
}

static uint32_t pyrite64_encode_engine(const trilo_n64_material *from, trilo_pyrite64_material *to)
{
    static const struct {
        uint8_t engine;
        uint32_t flag;
    } flags[] = {{TRILO_N64_ENGINE_BLENDER, TRILO_PYRITE64_BLENDER},
                 {TRILO_N64_ENGINE_FOG, TRILO_PYRITE64_FOG},
                 {TRILO_N64_ENGINE_PRIM_Z, TRILO_PYRITE64_PRIM_Z},
                 {TRILO_N64_ENGINE_K4K5, TRILO_PYRITE64_K4K5},
                 {TRILO_N64_ENGINE_PRIM_LOD, TRILO_PYRITE64_PRIM_LOD}};
    uint32_t set = from->z_offset != 0 ? TRILO_PYRITE64_Z_OFFSET : 0;
    for (size_t i = 0; i < TL_COUNT_OF(flags); i++)
        set |= (from->engine_flags & flags[i].engine) != 0 ? flags[i].flag : 0;
    to->fog = from->fog_blender;
    to->prim_z = from->prim_z;
    to->prim_delta_z = from->prim_delta_z;
    to->z_offset = from->z_offset;
    to->k4 = from->k4;
    to->k5 = from->k5;
    to->prim_lod = from->prim_lod;
    return set;
}

/* --- tiles --- */

static trilo_pyrite64_axis pyrite64_encode_axis(const t3dm_axis *from, uint32_t size)
{
    const bool whole = size > 0 && (size & (size - 1)) == 0; /* only a power of two repeats */
    const double repeats = whole ? 16 * ((double)from->high - from->low + 1) / size : 16;
    const double offset = tl_t3dm_round((double)from->low * 64);
    return (trilo_pyrite64_axis){
        .offset = (uint16_t)(int64_t)(offset > -1e9 && offset < 1e9 ? offset : 0), /* modulo 65536, as the editor */
        .repeats = (uint16_t)(!from->clamp       ? 0x8000
                              : !(repeats >= 1)  ? 0x10
                              : repeats < 0xFFFF ? (int)tl_t3dm_round(repeats)
                                                 : 0xFFFF),
        .scale = from->shift,
        .mirror = from->mirror != 0};
}

/* Of a material of Pyrite64 the reference is the slot; others get slots one after the other. */
static bool pyrite64_encode_slot(t3dm_encoder *e, const trilo_material *from, uint32_t reference, uint8_t *slot)
{
    const bool own = from->n64 && (from->n64->engine_flags & TRILO_N64_ENGINE_LAYERED) != 0;
    uint32_t found = own ? reference - 1 : 0;
    while (!own && found < e->slot_count && e->slots[found] != reference)
        found++;
    if (found >= TRILO_PYRITE64_SLOTS)
        return tl_t3dm_encode_fail(e, T3DM_R_PYRITE64_PLACEHOLDER, TRILO_CODE_LIMIT,
                                   "more than %d different textures of the game, there are only so many placeholders",
                                   TRILO_PYRITE64_SLOTS);
    if (!own && found == e->slot_count)
        e->slots[e->slot_count++] = reference;
    *slot = (uint8_t)found;
    return true;
}

static bool pyrite64_encode_tile(t3dm_encoder *e, const trilo_material *from, const t3dm_texture *texture,
                                 const char *path, trilo_pyrite64_tile *to)
{
    const trilo_t3dm_write_opts *opts = e->opts->t3dm;
    uint32_t asset = TRILO_PYRITE64_NO_ASSET;
    if (strncmp(path, pyrite64_number_prefix, strlen(pyrite64_number_prefix)) == 0)
        asset = (uint32_t)strtoul(path + strlen(pyrite64_number_prefix), NULL, 10);
    else if (*path)
        asset = opts->asset_number ? opts->asset_number(opts->asset_number_user, path) : TRILO_NONE;
    if (asset > TRILO_PYRITE64_NO_ASSET)
        return tl_t3dm_encode_fail(
            e, T3DM_R_PYRITE64_ASSET, TRILO_CODE_UNSUPPORTED,
            "\"%.60s\" is not an image of a Pyrite64 project: put it into its assets, and build the "
            "project so that filesystem/p64/a lists it",
            path);
    *to = (trilo_pyrite64_tile){.asset = (uint16_t)asset,
                                .s = pyrite64_encode_axis(&texture->s, texture->width),
                                .t = pyrite64_encode_axis(&texture->t, texture->height)};
    if (texture->reference == 0)
        return true;
    to->placeholder = TRILO_PYRITE64_PLACEHOLDER_TEXTURE;
    return pyrite64_encode_slot(e, from, texture->reference, &to->slot);
}

/* --- losses --- */

static void pyrite64_report_lost(t3dm_encoder *e, const tl_text *lost, const char *to)
{
    if (lost->length > 0)
        tl_t3dm_report_loss(e, T3DM_R_PYRITE64_LOST, "materials of %s cannot have: %s", to, lost->out);
}

static void pyrite64_report_tiny3d_lost(t3dm_encoder *e, const t3dm_material_head *h)
{
    char text[160];
    tl_text lost = tl_text_begin(text, sizeof text);
    if (tl_mode_get(h->other_mode & h->other_mask, TL_MODE_Z) != TL_Z_OPAQUE)
        tl_text_add_item(&lost, "a depth mode (decal, transparent)");
    if (h->fog == TRILO_N64_FOG_ON && !e->fog_reported)
        tl_text_add_item(&lost, "fog (of this and other materials: the draw layer has it)");
    e->fog_reported = e->fog_reported || h->fog == TRILO_N64_FOG_ON;
    if ((h->blend[0] | h->blend[1] | h->blend[2]) != 0 && (h->set_flags & TRILO_N64_SET_BLEND) != 0)
        tl_text_add_item(&lost, "a blend colour");
    pyrite64_report_lost(e, &lost, "Pyrite64");
}

static void pyrite64_report_engine_lost(t3dm_encoder *e, const trilo_n64_material *n64)
{
    static const struct {
        uint8_t flag;
        const char *name;
    } engine[] = {{TRILO_N64_ENGINE_FOG, "a blender of fog"},
                  {TRILO_N64_ENGINE_PRIM_Z, "a fixed depth"},
                  {TRILO_N64_ENGINE_K4K5, "K4 and K5"},
                  {TRILO_N64_ENGINE_PRIM_LOD, "a primitive LOD"}};
    char text[160];
    tl_text lost = tl_text_begin(text, sizeof text);
    for (size_t i = 0; i < TL_COUNT_OF(engine); i++)
        if ((n64->engine_flags & engine[i].flag) != 0)
            tl_text_add_item(&lost, engine[i].name);
    if (n64->z_offset != 0)
        tl_text_add_item(&lost, "a depth offset");
    if (n64->combiner == 0)
        tl_text_add_item(&lost, "textures and colours without a combiner");
    pyrite64_report_lost(e, &lost, "Tiny3D");
}

/* --- materials --- */

bool tl_pyrite64_encode(t3dm_encoder *e, const trilo_material *from, const char *const paths[2], t3dm_material *m)
{
    static const uint32_t used[2] = {TRILO_PYRITE64_TEX0, TRILO_PYRITE64_TEX1};
    const uint32_t overrides = TRILO_PYRITE64_AA | TRILO_PYRITE64_BLENDER | TRILO_PYRITE64_FOG | TRILO_PYRITE64_DITHER |
                               TRILO_PYRITE64_Z | TRILO_PYRITE64_PRIM_Z | TRILO_PYRITE64_ALPHA_COMPARE;
    const t3dm_material_head *h = &m->head;
    trilo_pyrite64_material to = {.flags = pyrite64_encode_modes(h),
                                  .draw_flags = h->draw_flags,
                                  .combiner = h->combiner,
                                  .blender = h->blender,
                                  .effect_args = {m->textures[0].width, m->textures[0].height},
                                  .effect = h->vertex_effect,
                                  .alpha_threshold = h->blend[3]};
    memcpy(to.prim, h->prim, sizeof to.prim);
    memcpy(to.env, h->env, sizeof to.env);
    to.flags |= from->n64 ? pyrite64_encode_engine(from->n64, &to) : 0;
    to.flags |= (h->combiner != 0 ? TRILO_PYRITE64_COMBINER : 0u) | (h->blender != 0 ? TRILO_PYRITE64_BLENDER : 0u) |
                (h->vertex_effect != 0 ? TRILO_PYRITE64_EFFECT : 0u) |
                ((h->set_flags & TRILO_N64_SET_PRIM) != 0 ? TRILO_PYRITE64_PRIM : 0u) |
                ((h->set_flags & TRILO_N64_SET_ENV) != 0 ? TRILO_PYRITE64_ENV : 0u);
    for (int i = 0; i < 2; i++) {
        if (!*paths[i] && m->textures[i].reference == 0)
            continue;
        to.flags |= used[i];
        if (!pyrite64_encode_tile(e, from, &m->textures[i], paths[i], &to.tiles[i]))
            return false;
    }
    /* With anti-aliasing the bit is part of its value, which matters; the engine does not read the other meaning. */
    if (to.tiles[0].placeholder != 0 && to.tiles[1].placeholder != 0 && (to.flags & TRILO_PYRITE64_AA) == 0)
        to.flags |= TRILO_PYRITE64_DUAL;
    to.flags |= (to.flags & overrides) != 0 ? TRILO_PYRITE64_OVERRIDE : 0;
    pyrite64_report_tiny3d_lost(e, h);
    uint8_t bytes[TRILO_PYRITE64_MATERIAL_MOST];
    const size_t size = trilo_pyrite64_material_write(&to, bytes);
    m->raw = (trilo_bytes){tl_bytes_copy(e->arena, bytes, size), size};
    m->opaque = m->translated = true;
    return m->raw.data != NULL;
}

/* Other modes of one material stay until another sets them: those that any material of the model sets, all do. */
bool tl_pyrite64_to_tiny3d(t3dm_encoder *e, const trilo_n64_material *from, const char *const paths[2],
                           t3dm_material *to)
{
    uint64_t shared = 0;
    for (uint32_t i = 0; i < e->model->material_count; i++)
        shared |= e->model->materials[i].n64 ? e->model->materials[i].n64->other_mask & PYRITE64_SWITCHES : 0;
    const uint64_t mask = shared | TL_MODE_MASK_RENDER_MODE, own = from->other_mask;
    to->head.other_mode = (from->other_mode & own) | (TL_MODE_TINY3D_FRAME & mask & ~own);
    to->head.other_mask = mask | own;
    for (int i = 0; i < 2; i++)
        if (strncmp(paths[i], pyrite64_number_prefix, strlen(pyrite64_number_prefix)) == 0)
            return tl_t3dm_encode_fail(e, T3DM_R_PYRITE64_ASSET, TRILO_CODE_UNSUPPORTED,
                                       "the path of asset %s is not known: the table of its project, filesystem/p64/a, "
                                       "must be above the model",
                                       paths[i] + strlen(pyrite64_number_prefix));
    pyrite64_report_engine_lost(e, from);
    return true;
}

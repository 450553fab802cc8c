/* What could be better about the textures of a model, in words: for the hints of `cost` and the findings of `check`. */
#include "base/compiler.h"
#include "formats/t3dm/cost/cost.h"
#include "n64/texels.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct advice_job {
    const trilo_cost *cost;
    tl_t3dm_advice_fn *fn;
    void *user;
} advice_job;

t3dm_quoted tl_t3dm_quote(trilo_str name)
{
    t3dm_quoted quoted;
    char plain[64];
    snprintf(plain, sizeof plain, "%s", name.data);
    tl_escape(plain, quoted.text, sizeof quoted.text);
    return quoted;
}

/* `about` has all but the text. */
TL_PRINTF_LIKE(3, 4) static void advice_give(const advice_job *job, t3dm_advice about, const char *format, ...)
{
    char text[320];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    about.text = text;
    job->fn(job->user, &about);
}

/* Palettes are on or off for both textures of a material. */
static bool advice_may_have_palette(const trilo_cost *cost, uint32_t texture)
{
    bool alone = true;
    for (uint32_t i = 0; i < cost->material_count; i++) {
        const uint32_t *both = cost->materials[i].textures;
        alone &= (both[0] != texture || both[1] == TRILO_NONE) && (both[1] != texture || both[0] == TRILO_NONE);
    }
    return alone || cost->textures[texture].palette > 0;
}

static void advice_about_material(const advice_job *job, uint32_t index)
{
    const trilo_cost_material *m = &job->cost->materials[index];
    const t3dm_quoted name = tl_t3dm_quote(m->name);
    const t3dm_advice about = {.material = index, .texture = TRILO_NONE};
    t3dm_advice tmem = about, palettes = about, mipmaps = about;
    tmem.rule = T3DM_R_TEXTURE_TMEM;
    palettes.rule = T3DM_R_TEXTURE_PALETTES;
    mipmaps.rule = T3DM_R_TEXTURE_MIPMAPS;
    if (m->mipmaps_clash)
        advice_give(job, mipmaps, "material \"%s\": a texture with mipmaps, and a combiner of two cycles", name.text);
    if (m->tmem > m->tmem_limit)
        advice_give(job, tmem,
                    "material \"%s\": its textures take %" PRIu32 " bytes of texture memory, %" PRIu32 " fit%s",
                    name.text, m->tmem, m->tmem_limit, m->tmem_limit < TL_TMEM ? " beside a palette" : "");
    if (m->palettes_clash)
        advice_give(job, palettes, "material \"%s\": \"%s\" and \"%s\" cannot be shown together, because %s", name.text,
                    tl_t3dm_quote(job->cost->textures[m->textures[0]].path).text,
                    tl_t3dm_quote(job->cost->textures[m->textures[1]].path).text,
                    job->cost->textures[m->textures[0]].palette == 0 || job->cost->textures[m->textures[1]].palette == 0
                        ? "only one of them has a palette"
                        : "their palettes differ and the second replaces the first");
}

static void advice_about_texture(const advice_job *job, uint32_t index)
{
    const trilo_cost_texture *t = &job->cost->textures[index];
    const t3dm_quoted name = tl_t3dm_quote(t->path);
    t3dm_advice twice = {.rule = T3DM_R_TEXTURE_TWICE, .material = TRILO_NONE, .texture = index}, format = twice,
                larger = twice;
    tl_tmem tmem = {0};
    tl_tmem_add(&tmem, t->smaller, t->width, t->height);
    const uint32_t smaller = tmem.bytes + tmem.palette / TL_TMEM_PALETTE_COPIES;
    const uint32_t now = t->tmem + t->palette / TL_TMEM_PALETTE_COPIES;
    format.rule = T3DM_R_TEXTURE_FORMAT;
    format.saves = t->images == 1 && now > smaller ? (uint64_t)(now - smaller) * t->uploads : 0;
    larger.rule = T3DM_R_TEXTURE_LARGER;
    if (t->same_as != TRILO_NONE)
        advice_give(job, twice, "\"%s\" has the same content as \"%s\": one of them will do", name.text,
                    tl_t3dm_quote(job->cost->textures[t->same_as].path).text);
    else if (tmem.palette > 0 && advice_may_have_palette(job->cost, index))
        advice_give(job, format, "\"%s\", %s, has %" PRIu32 " colour%s: %s would do", name.text,
                    trilo_texels_name(t->texels), t->colors, t->colors == 1 ? "" : "s", trilo_texels_name(t->smaller));
    else if (t->smaller != TRILO_TEXELS_UNKNOWN && tmem.palette == 0)
        advice_give(job, format, "every texel of \"%s\", %s, fits %s", name.text, trilo_texels_name(t->texels),
                    trilo_texels_name(t->smaller));
    if (t->from_file && t->tile_width > 0 && t->tile_height > 0 &&
        (t->width > t->tile_width || t->height > t->tile_height))
        advice_give(job, larger,
                    "\"%s\" has %" PRIu32 " x %" PRIu32 " texels, its materials show %" PRIu32 " x %" PRIu32, name.text,
                    t->width, t->height, t->tile_width, t->tile_height);
}

void tl_t3dm_advise_on_textures(const trilo_cost *cost, tl_t3dm_advice_fn *fn, void *user)
{
    const advice_job job = {cost, fn, user};
    for (uint32_t i = 0; i < cost->material_count; i++)
        advice_about_material(&job, i);
    for (uint32_t i = 0; i < cost->texture_count; i++)
        advice_about_texture(&job, i);
}

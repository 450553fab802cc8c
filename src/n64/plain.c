#include "n64/plain.h"
#include "base/strict_float.h"

#include "n64/combiner.h"
#include "n64/modes.h"
#include "n64/texels.h"

bool tl_color_is_white(const float color[4])
{
    return color[0] >= 1 && color[1] >= 1 && color[2] >= 1 && color[3] >= 1;
}

bool tl_mesh_is_tinted(const trilo_mesh *mesh)
{
    for (uint32_t i = 0; mesh->colors && i < mesh->vertex_count; i++)
        if (!tl_color_is_white(mesh->colors[i]))
            return true;
    return false;
}

trilo_n64_material tl_n64_plain(const trilo_model *model, const trilo_material *material, bool tinted)
{
    const bool textured = material->texture != TRILO_NONE;
    const bool shaded = !material->unlit || !textured || tinted || !tl_color_is_white(material->base_color);
    const bool cutout = material->alpha == TRILO_ALPHA_CUTOUT;
    const trilo_texture *texture = textured ? &model->textures[material->texture] : NULL;
    const tl_render_mode mode = tl_render_mode_of_alpha(material->alpha);
    const double cutoff = cutout && material->alpha_cutoff > 0 ? material->alpha_cutoff : 0.5;
    trilo_n64_material n64 = {
        .combiner = tl_cc_plain(textured, shaded, material->alpha),
        .other_mode = mode.mode |
                      TL_MODE(TL_MODE_SAMPLING, texture && texture->nearest ? TL_SAMPLING_POINT : TL_SAMPLING_BILINEAR),
        .other_mask = TL_MODE_MASK_RENDER_MODE,
        .blender = mode.blender,
        .draw_flags = (uint32_t)TRILO_N64_DEPTH | (shaded ? TRILO_N64_SHADED : 0u) |
                      (textured ? TRILO_N64_TEXTURED : 0u) | (material->two_sided ? 0u : TRILO_N64_CULL_BACK) |
                      (shaded && material->unlit ? TRILO_N64_UNLIT : 0u),
        .set_flags = cutout ? TRILO_N64_SET_BLEND : 0,
        .blend = {0, 0, 0, (uint8_t)(cutoff < 1 ? cutoff * 255 + 0.5 : 255)},
        .tiles = {{.texture = material->texture}, {.texture = TRILO_NONE}},
    };
    trilo_n64_axis *const axes[2] = {&n64.tiles[0].s, &n64.tiles[0].t};
    n64.tiles[0].fit = textured ? TRILO_N64_FIT_SIZE | TRILO_N64_FIT_S | TRILO_N64_FIT_T : 0;
    for (int i = 0; texture && i < 2; i++) {
        axes[i]->mirror = texture->wrap[i] == TRILO_WRAP_MIRROR;
        axes[i]->clamp = texture->wrap[i] == TRILO_WRAP_CLAMP;
    }
    return n64;
}

/* ---- sizes ---- */

static uint32_t fit_power_below(uint32_t n)
{
    uint32_t power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

static bool fit_is_enough(trilo_texels texels, uint32_t width, uint32_t height)
{
    tl_tmem tmem = {0};
    tl_tmem_add(&tmem, texels, width, height);
    return tl_tmem_fits(&tmem);
}

void tl_n64_fit_size(trilo_texels texels, uint32_t *width, uint32_t *height)
{
    enum { MOST = 1024 };
    if (*width == 0 || *height == 0 || (*width <= MOST && *height <= MOST && fit_is_enough(texels, *width, *height)))
        return;
    *width = fit_power_below(*width < MOST ? *width : MOST);
    *height = fit_power_below(*height < MOST ? *height : MOST);
    for (bool across = *width >= *height; !fit_is_enough(texels, *width, *height); across = !across)
        *((across && *width > 1) || *height == 1 ? width : height) /= 2;
}

/* A texture that is clamped and mirrored is there twice. */
static void fit_axis(trilo_n64_axis *axis, uint32_t size)
{
    axis->mask = 0;
    while (size > UINT32_C(1) << axis->mask)
        axis->mask++;
    axis->low = 0;
    axis->high = size > 0 ? (float)(axis->clamp && axis->mirror ? 2 * size - 1 : size - 1) : 0;
}

void tl_n64_fit_tile(trilo_n64_tile *tile, uint32_t width, uint32_t height)
{
    if ((tile->fit & TRILO_N64_FIT_SIZE) != 0) {
        tile->width = (uint16_t)(width <= UINT16_MAX ? width : 0);
        tile->height = (uint16_t)(height <= UINT16_MAX ? height : 0);
    }
    if ((tile->fit & TRILO_N64_FIT_S) != 0)
        fit_axis(&tile->s, tile->width);
    if ((tile->fit & TRILO_N64_FIT_T) != 0)
        fit_axis(&tile->t, tile->height);
}

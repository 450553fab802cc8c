/* Texture slots of a material: the sprite that the game loads, its size, how it repeats, and whether it fits texture
 * memory. */
#include "base/strict_float.h"
#include "formats/t3dm/encode/encode.h"

#include "model/image_name.h"
#include "n64/console_path.h"
#include "n64/plain.h"
#include "n64/texels.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- names of sprites --- */

/* After the last / or \ of a path, or the : of a drive. */
static const char *image_file_name(const char *path)
{
    const char *name = path;
    for (const char *p = path; *p; p++)
        if (*p == '/' || *p == '\\' || *p == ':')
            name = p + 1;
    return name;
}

static void sprite_path_of_image(const char *path, char *out, size_t room)
{
    const bool foreign = path[0] == '/' || strpbrk(path, ":\\") || strstr(path, "..");
    const char *from = foreign ? image_file_name(path) : path[0] == '.' && path[1] == '/' ? path + 2 : path;
    const size_t stem = tl_image_stem_length(from, strlen(from));
    snprintf(out, room, TL_CONSOLE_ROOT "%.*s.sprite", (int)(stem < 900 ? stem : 900), from);
}

/* The path goes to `made`, and for a chunk `M` into the file. */
static bool set_texture_path(t3dm_encoder *e, uint32_t texture, bool stored, t3dm_texture *t, char made[T3DM_PATH_ROOM])
{
    made[0] = '\0';
    t->hash = t->reference;
    if (texture == TRILO_NONE)
        return true;
    const trilo_texture *from = &e->model->textures[texture];
    const char *path = from->path.len > 0 ? from->path.data : "";
    if (!path[0]) {
        char stem[TRILO_IMAGE_STEM_ROOM];
        trilo_image_stem(from->name, e->opts->name, texture, stem);
        snprintf(made, T3DM_PATH_ROOM, TL_CONSOLE_ROOT "%s.sprite", stem);
    } else if (e->policy.sprite_paths && !tl_console_path_below(path))
        sprite_path_of_image(path, made, T3DM_PATH_ROOM);
    else
        snprintf(made, T3DM_PATH_ROOM, "%s", path);
    if (!path[0] && !e->texture_reported[texture] && from->bytes.size > 0)
        tl_t3dm_report_loss(
            e, T3DM_R_LOST_TEXTURE,
            "the embedded image%s is not written, only its path \"%.50s\"; --sprites also writes the sprite",
            from->kind == TRILO_IMAGE_KIND_JPEG ? " (a JPEG)" : "", made);
    else if (!path[0] && !e->texture_reported[texture])
        tl_t3dm_report_loss(e, T3DM_R_LOST_TEXTURE, "the image could not be read, so only a path is written, \"%.50s\"",
                            made);
    if (!stored)
        return true;
    t->hash = tl_t3dm_hash(made);
    return tl_t3dm_add_string(e, made, &t->path);
}

/* --- checks --- */

static const char *texture_path(const t3dm_encoder *e, const t3dm_texture *t)
{
    return t->path != 0 ? e->strings + t->path : "";
}

static void check_texture_axis(t3dm_encoder *e, const char *path, char name, const t3dm_axis *axis, uint32_t size)
{
    if (!axis->clamp && (size & (size - 1)) != 0)
        tl_t3dm_report_loss(e, T3DM_R_TEXTURE_REPEAT,
                            "\"%.50s\" repeats along %c, but its size there is %" PRIu32
                            ", which is not a power of two",
                            path, name, size);
    if (axis->clamp && axis->low < 0)
        tl_t3dm_report_loss(e, T3DM_R_TEXTURE_CLAMP, "\"%.50s\" is clamped along %c with a low of %.6g, below 0", path,
                            name, (double)axis->low);
}

/* What the texture takes of TMEM; nothing when its size is not known. */
static tl_tmem check_texture_slot(t3dm_encoder *e, const t3dm_texture *t)
{
    const char *path = texture_path(e, t);
    const trilo_texels texels = trilo_texels_from_path(path);
    tl_tmem tmem = {0};
    if (t->width == 0 || t->height == 0) {
        tl_t3dm_report_loss(e, T3DM_R_TEXTURE_UNKNOWN,
                            "the size of \"%.50s\" is not known; texture coordinates are made for 32 x 32", path);
        return tmem;
    }
    const bool known = texels != TRILO_TEXELS_UNKNOWN;
    tl_tmem_add(&tmem, known ? texels : TRILO_TEXELS_I4, t->width, t->height); /* no format takes less */
    check_texture_axis(e, path, 'S', &t->s, t->width);
    check_texture_axis(e, path, 'T', &t->t, t->height);
    if (!tl_tmem_fits(&tmem))
        tl_t3dm_report_loss(e, T3DM_R_TEXTURE_TMEM,
                            "\"%.50s\" of %u x %u needs %" PRIu32 " bytes of texture memory%s, there are %" PRIu32,
                            path, t->width, t->height, tl_tmem_used(&tmem), known ? "" : " at 4 bits a texel",
                            tl_tmem_limit(&tmem));
    return tmem;
}

void tl_t3dm_check_textures(t3dm_encoder *e, const t3dm_material *m)
{
    tl_tmem slots[2] = {{0}, {0}}, both = {0};
    if (!(m->head.draw_flags & TRILO_N64_TEXTURED))
        return;
    for (int i = 0; i < 2; i++) {
        const t3dm_texture *t = &m->textures[i];
        if (t->path == 0 || t->reference != 0)
            continue;
        slots[i] = check_texture_slot(e, t);
        tl_tmem_add_all(&both, &slots[i]);
    }
    const bool shared = m->textures[0].hash == m->textures[1].hash;
    if (!shared && tl_tmem_fits(&slots[0]) && tl_tmem_fits(&slots[1]) && !tl_tmem_fits(&both))
        tl_t3dm_report_loss(e, T3DM_R_TEXTURE_TMEM,
                            "its two textures need %" PRIu32 " bytes of texture memory, there are %" PRIu32,
                            tl_tmem_used(&both), tl_tmem_limit(&both));
}

/* --- slots --- */

static t3dm_axis copy_texture_axis(const trilo_n64_axis *a)
{
    return (t3dm_axis){a->low, a->high, a->mask, a->shift, a->mirror, a->clamp};
}

/* An image too large for texture memory must be scaled down; texture coordinates are made for the size that fits. */
static void fit_texture(t3dm_encoder *e, const char *path, trilo_n64_tile *tile)
{
    const trilo_texture *texture = &e->model->textures[tile->texture];
    const trilo_texels named = trilo_texels_from_path(path);
    uint32_t width = texture->width, height = texture->height;
    tl_n64_fit_size(named != TRILO_TEXELS_UNKNOWN ? named : TRILO_TEXELS_CI4, /* it shows any image best */
                    &width, &height);
    const bool fits = width == texture->width && height == texture->height;
    if ((tile->fit & TRILO_N64_FIT_SIZE) != 0 && !fits && !e->texture_reported[tile->texture])
        tl_t3dm_report_loss(e, T3DM_R_TEXTURE_SHRUNK,
                            "the image of %" PRIu32 " x %" PRIu32
                            " is too large for texture memory; texture coordinates are made for %" PRIu32 " x %" PRIu32
                            ", so make it that before mksprite",
                            texture->width, texture->height, width, height);
    tl_n64_fit_tile(tile, width, height);
}

static void check_texture_alpha(t3dm_encoder *e, const t3dm_material *m, const char *path)
{
    const tl_texel_format *format = tl_texel_format_of(trilo_texels_from_path(path));
    if (m->head.blender != 0 && format->alpha_bits == 1)
        tl_t3dm_report_loss(e, T3DM_R_TEXTURE_ALPHA,
                            "the material is blended, but \"%.50s\" as %s has an alpha of one bit", path, format->name);
}

bool tl_t3dm_encode_textures(t3dm_encoder *e, const trilo_n64_material *n64, t3dm_material *to,
                             char paths[2][T3DM_PATH_ROOM])
{
    paths[0][0] = paths[1][0] = '\0';
    for (int i = 0; i < 2; i++) {
        trilo_n64_tile tile = n64->tiles[i];
        /* Pyrite64's placeholder may record a texture; Tiny3D would load it. */
        const bool by_game = (n64->engine_flags & TRILO_N64_ENGINE_LAYERED) != 0 && tile.reference != 0;
        t3dm_texture *t = &to->textures[i];
        t->reference = tile.reference;
        if (!set_texture_path(e, by_game && !to->opaque ? TRILO_NONE : tile.texture, !to->opaque, t, paths[i]))
            return false;
        if (tile.texture != TRILO_NONE && tile.fit != 0) {
            fit_texture(e, paths[i], &tile);
            check_texture_alpha(e, to, texture_path(e, t));
        }
        t->width = tile.width;
        t->height = tile.height;
        t->s = copy_texture_axis(&tile.s);
        t->t = copy_texture_axis(&tile.t);
        if (tile.texture != TRILO_NONE)
            e->texture_reported[tile.texture] = 1;
    }
    return true;
}

/* What a sprite says of itself. */
#include "container/sprite.h"

#include <string.h>

trilo_texels tl_sprite_texels(const tl_sprite_head *head)
{
    if (head->format == 0) /* in old files */
        return head->depth == 2 ? TRILO_TEXELS_RGBA16 : TRILO_TEXELS_RGBA32;
    return tl_texels_numbered(head->format & TL_SPRITE_FORMAT);
}

static void sprite_add_image(tl_sprite *sprite, trilo_texels texels, uint32_t width, uint32_t height)
{
    tl_tmem_add(&sprite->tmem, texels, width, height);
    sprite->image_count++;
}

tl_sprite tl_sprite_of(trilo_texels texels, uint32_t width, uint32_t height)
{
    tl_sprite sprite = {.texels = texels, .width = width, .height = height};
    if (texels != TRILO_TEXELS_UNKNOWN)
        sprite_add_image(&sprite, texels, width, height);
    return sprite;
}

/* Mipmaps and the detail texture are uploaded together with the image. */
static void sprite_add_images(trilo_bytes bytes, size_t at, tl_sprite *sprite)
{
    const size_t each = tl_layout_size(&tl_sprite_image_layout, 0);
    at += tl_layout_size(&tl_sprite_extra_layout, 0);
    for (uint32_t i = 0; i < TL_SPRITE_IMAGES && at + (i + 1) * each <= bytes.size; i++) {
        tl_sprite_image image;
        tl_layout_load(&tl_sprite_image_layout, 0, bytes.data + at + i * each, &image);
        const trilo_texels texels = tl_texels_numbered(image.place >> TL_SPRITE_FORMAT_SHIFT & TL_SPRITE_FORMAT);
        if (image.width > 0 && texels != TRILO_TEXELS_UNKNOWN)
            sprite_add_image(sprite, texels, image.width, image.height);
    }
}

bool tl_sprite_read(trilo_bytes bytes, tl_sprite *sprite)
{
    tl_sprite_head head;
    const size_t start = tl_layout_size(&tl_sprite_head_layout, 0);
    if (bytes.size < start)
        return false;
    tl_layout_load(&tl_sprite_head_layout, 0, bytes.data, &head);
    const trilo_texels texels = tl_sprite_texels(&head);
    const uint64_t size = (uint64_t)tl_texels_row_bytes(texels, head.width) * head.height;
    const uint64_t behind = start + (size + TL_SPRITE_ALIGN - 1) / TL_SPRITE_ALIGN * TL_SPRITE_ALIGN;
    if (texels == TRILO_TEXELS_UNKNOWN || head.width == 0 || head.height == 0 || (head.format & TL_SPRITE_ELSEWHERE) ||
        start + size > bytes.size)
        return false;
    *sprite = tl_sprite_of(texels, head.width, head.height);
    if ((head.format & TL_SPRITE_EXTRA) && behind < bytes.size)
        sprite_add_images(bytes, (size_t)behind, sprite);
    return true;
}

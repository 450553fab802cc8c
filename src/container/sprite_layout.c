/* The records of sprite files that describe their content. */
#include "container/sprite.h"

static const tl_field head_rows[] = {
    TL_PLAIN_ROW(tl_sprite_head, width, TL_U16, 0x00, "texels across"),
    TL_PLAIN_ROW(tl_sprite_head, height, TL_U16, 0x02, "texels down"),
    TL_PLAIN_ROW(tl_sprite_head, depth, TL_U8, 0x04, "bytes of a texel in old files, otherwise 0"),
    TL_PLAIN_ROW(
        tl_sprite_head, format, TL_U8, 0x05,
        "bits 0 to 4: format of the texels; bit 6: texels are elsewhere; bit 7: more records behind the texels"),
    TL_PLAIN_ROW(tl_sprite_head, slices, TL_U8, 0x06, "pieces across and down"),
};
const tl_layout tl_sprite_head_layout = TL_TABLE("head", TL_BIG, head_rows, "The first record.");

static const tl_field extra_rows[] = {
    TL_PLAIN_ROW(tl_sprite_extra, size, TL_U16, 0x00, "bytes of this record"),
    TL_PLAIN_ROW(tl_sprite_extra, version, TL_U16, 0x02, "4 or 6"),
    TL_PLAIN_ROW(tl_sprite_extra, palette, TL_U32, 0x04, "where the palette is; 0: there is none"),
};
const tl_layout tl_sprite_extra_layout =
    TL_TABLE("extra", TL_BIG, extra_rows, "Behind the texels, which are padded to 8 bytes; seven images follow.");

static const tl_field image_rows[] = {
    TL_PLAIN_ROW(tl_sprite_image, width, TL_U16, 0x00, "0: no image"),
    TL_PLAIN_ROW(tl_sprite_image, height, TL_U16, 0x02, "texels down"),
    TL_PLAIN_ROW(tl_sprite_image, format_offset, TL_U32, 0x04, "bits 24 to 31: format; below: byte in the file"),
};
const tl_layout tl_sprite_image_layout = TL_TABLE("image", TL_BIG, image_rows, "A mipmap, or the detail texture.");

static const tl_field flags_rows[] = {
    TL_PLAIN_ROW(
        tl_sprite_flags, flags, TL_U16, 0x00,
        "bits 0 to 2: how many images more; bit 3: sampling counts; bit 4: detail; bit 5: fits TMEM; bit 6: SHQ"),
    TL_PLAIN_ROW(tl_sprite_flags, colors, TL_U8, 0x02, "colours of the palette since version 6; 0: 256"),
    TL_PLAIN_ROW(tl_sprite_flags, reserved, TL_U8, 0x03, "0"),
};
const tl_layout tl_sprite_flags_layout = TL_TABLE("flags", TL_BIG, flags_rows, "Behind the seven images.");

static const tl_field sampling_rows[] = {
    TL_PLAIN_ROW(tl_sprite_sampling, translate, TL_F32, 0x00, "texels"),
    TL_PLAIN_ROW(tl_sprite_sampling, repeats, TL_F32, 0x04, "how often it repeats; 2048: without end"),
    TL_PLAIN_ROW(tl_sprite_sampling, scale, TL_S16, 0x08, "a power of two; negative: it looks smaller"),
    TL_PLAIN_ROW(tl_sprite_sampling, mirror, TL_U8, 0x0A, "1: every second repetition is mirrored"),
    TL_PLAIN_ROW(tl_sprite_sampling, reserved, TL_U8, 0x0B, "0"),
};
const tl_layout tl_sprite_sampling_layout =
    TL_TABLE("sampling", TL_BIG, sampling_rows, "Four times: S and T of the image, S and T of the detail texture.");

static const tl_field detail_rows[] = {
    TL_PLAIN_ROW(tl_sprite_detail, factor, TL_F32, 0x00, "how much of the detail texture is mixed in"),
    TL_PLAIN_ROW(tl_sprite_detail, reuses, TL_U8, 0x04, "1: the image is its own detail texture"),
    TL_PLAIN_ROW(tl_sprite_detail, padding, TL_U8, 0x05, "0"),
    TL_ROW(tl_sprite_detail, texels, TL_U32, 0x08, 6, 0, 0, 0, NULL, "where the texels are when they are elsewhere"),
};
const tl_layout tl_sprite_detail_layout = TL_TABLE("detail", TL_BIG, detail_rows, "The last record.");

size_t tl_sprite_images_at(void)
{
    return tl_layout_size(&tl_sprite_extra_layout, TL_UNVERSIONED);
}

size_t tl_sprite_flags_at(void)
{
    return tl_sprite_images_at() + TL_SPRITE_IMAGES * tl_layout_size(&tl_sprite_image_layout, TL_UNVERSIONED);
}

size_t tl_sprite_samplings_at(void)
{
    return tl_sprite_flags_at() + tl_layout_size(&tl_sprite_flags_layout, TL_UNVERSIONED);
}

size_t tl_sprite_detail_at(void)
{
    return tl_sprite_samplings_at() + TL_SPRITE_SAMPLINGS * tl_layout_size(&tl_sprite_sampling_layout, TL_UNVERSIONED);
}

/* The records of sprite files that say what is in them. */
#include "container/sprite.h"

static const tl_field head_rows[] = {
    TL_ROW(tl_sprite_head, width, TL_U16, 0x00, 0, 0, 0, 0, NULL, "texels across"),
    TL_ROW(tl_sprite_head, height, TL_U16, 0x02, 0, 0, 0, 0, NULL, "texels down"),
    TL_ROW(tl_sprite_head, depth, TL_U8, 0x04, 0, 0, 0, 0, NULL, "bytes of a texel in old files, otherwise 0"),
    TL_ROW(tl_sprite_head, format, TL_U8, 0x05, 0, 0, 0, 0, NULL,
           "bits 0 to 4: format of the texels; bit 6: texels are elsewhere; bit 7: more records behind the texels"),
    TL_ROW(tl_sprite_head, slices, TL_U8, 0x06, 0, 0, 0, 0, NULL, "pieces across and down"),
};
const tl_layout tl_sprite_head_layout = TL_TABLE("head", TL_BIG, head_rows, "The first record.");

static const tl_field extra_rows[] = {
    TL_ROW(tl_sprite_extra, size, TL_U16, 0x00, 0, 0, 0, 0, NULL, "bytes of this record"),
    TL_ROW(tl_sprite_extra, version, TL_U16, 0x02, 0, 0, 0, 0, NULL, "4 or 6"),
    TL_ROW(tl_sprite_extra, palette, TL_U32, 0x04, 0, 0, 0, 0, NULL, "where the palette is; 0: there is none"),
};
const tl_layout tl_sprite_extra_layout =
    TL_TABLE("extra", TL_BIG, extra_rows, "Behind the texels, which are padded to 8 bytes; seven images follow.");

static const tl_field image_rows[] = {
    TL_ROW(tl_sprite_image, width, TL_U16, 0x00, 0, 0, 0, 0, NULL, "0: no image"),
    TL_ROW(tl_sprite_image, height, TL_U16, 0x02, 0, 0, 0, 0, NULL, "texels down"),
    TL_ROW(tl_sprite_image, place, TL_U32, 0x04, 0, 0, 0, 0, NULL, "bits 24 to 31: format; below: byte in the file"),
};
const tl_layout tl_sprite_image_layout = TL_TABLE("image", TL_BIG, image_rows, "A mipmap, or the detail texture.");

static const tl_field more_rows[] = {
    TL_ROW(tl_sprite_more, flags, TL_U16, 0x00, 0, 0, 0, 0, NULL,
           "bits 0 to 2: how many images more; bit 3: sampling counts; bit 4: detail; bit 5: fits TMEM; bit 6: SHQ"),
    TL_ROW(tl_sprite_more, colors, TL_U8, 0x02, 0, 0, 0, 0, NULL, "colours of the palette since version 6; 0: 256"),
    TL_ROW(tl_sprite_more, reserved, TL_U8, 0x03, 0, 0, 0, 0, NULL, "0"),
    TL_ROW(tl_sprite_more, sampling, TL_U8, 0x04, 0, 0, 0, 0, NULL, "of the image and of the detail texture, S and T"),
    TL_ROW(tl_sprite_more, detail, TL_F32, 0x34, 0, 0, 0, 0, NULL, "how much of the detail texture is mixed in"),
    TL_ROW(tl_sprite_more, reuses, TL_U8, 0x38, 0, 0, 0, 0, NULL, "1: the image is its own detail texture"),
    TL_ROW(tl_sprite_more, padding, TL_U8, 0x39, 0, 0, 0, 0, NULL, "0"),
    TL_ROW(tl_sprite_more, texels, TL_U32, 0x3C, 6, 0, 0, 0, NULL, "where the texels are when they are elsewhere"),
};
const tl_layout tl_sprite_more_layout = TL_TABLE("more", TL_BIG, more_rows, "Behind the seven images.");

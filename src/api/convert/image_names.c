/* Embedded images of one name: the first keeps it, others are called after the model, as when they are extracted. */
#include "api/convert/image_names.h"

#include "base/hash_table.h"
#include "model/image_name.h"

#include <string.h>

static int image_names_compare(const void *stems, uint32_t a, uint32_t b)
{
    const trilo_str *x = (const trilo_str *)stems + a, *y = (const trilo_str *)stems + b;
    const int order = memcmp(x->data, y->data, x->len < y->len ? x->len : y->len);
    return order != 0 ? order : (x->len > y->len) - (x->len < y->len);
}

/* Several textures may show one image, with other samplers; it has one sprite. */
static bool image_names_same_image(const trilo_texture *a, const trilo_texture *b)
{
    return a->bytes.size == b->bytes.size &&
           (a->bytes.data == b->bytes.data || memcmp(a->bytes.data, b->bytes.data, a->bytes.size) == 0);
}

bool tl_convert_name_images(tl_arena *arena, trilo_texture *textures, uint32_t count, const char *model)
{
    tl_hash_table taken;
    if (count == 0)
        return true;
    trilo_str *stems = TL_ARRAY(arena, count, trilo_str);
    if (!stems || !tl_hash_table_init(&taken, arena, 0, image_names_compare, stems))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        trilo_texture *texture = &textures[i];
        if (texture->path.len > 0 || texture->bytes.size == 0)
            continue;
        stems[i] = tl_image_own_stem(texture->name);
        for (uint32_t number = i;; number += count) { /* it ends: there are fewer stems than numbers */
            uint32_t first = count;                   /* the texture that has this stem */
            if (stems[i].len > 0)
                first = tl_hash_table_add(&taken, trilo_fnv1a(stems[i].data, stems[i].len), i);
            if (first == TRILO_NONE)
                return false;
            if (first < count && (first == i || image_names_same_image(&textures[first], texture)))
                break;
            char stem[TRILO_IMAGE_STEM_ROOM];
            trilo_image_stem((trilo_str){"", 0}, model, number, stem);
            texture->name = stems[i] = tl_str_copy(arena, stem, strlen(stem));
            if (!stems[i].data)
                return false;
        }
    }
    return true;
}

/* What the files of an image are called: one rule for images that are extracted, the sprites that are made of them, and
 * the paths of these in a T3DM file. Names in a model are not to be trusted as names of files. */
#include "model/image_name.h"

#include "base/companion_name.h"
#include "layout/layout.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char image_longest_ending[] = ".rgba16.sprite";
_Static_assert(TRILO_IMAGE_STEM_ROOM + sizeof image_longest_ending - 1 == TL_FILE_NAME_ROOM,
               "a stem leaves room for it");

/* Where the file name begins in a path: after the last / or \. */
static size_t image_name_at(const char *path, size_t length)
{
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\')
        length--;
    return length;
}

static bool image_is_extension(const char *text, size_t length)
{
    static const char *const known[] = {"png", "jpg", "jpeg", "webp", "bmp", "tga", "gif", "ktx2", "dds", "sprite"};
    for (size_t i = 0; i < TL_COUNT_OF(known); i++) {
        bool same = strlen(known[i]) == length;
        for (size_t k = 0; same && k < length; k++)
            same = (text[k] >= 'A' && text[k] <= 'Z' ? text[k] - 'A' + 'a' : text[k]) == known[i][k];
        if (same)
            return true;
    }
    return false;
}

size_t tl_image_stem_length(const char *path, size_t length)
{
    const size_t name = image_name_at(path, length);
    for (size_t i = length; i-- > name + 1;) /* a point in front makes a hidden file, no extension */
        if (path[i] == '.')
            return image_is_extension(path + i + 1, length - i - 1) ? i : length;
    return length;
}

bool tl_image_name_is_plain(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7F || strchr("<>:\"|?*\\", name[i]))
            return false;
    return true;
}

trilo_str tl_image_own_stem(trilo_str name)
{
    const size_t length = tl_image_stem_length(name.data, name.len), at = image_name_at(name.data, length);
    const trilo_str stem = {name.data + at, length - at};
    const bool fits = stem.len > 0 && stem.len < TRILO_IMAGE_STEM_ROOM && stem.data[0] != '.';
    return fits && tl_image_name_is_plain(stem.data, stem.len) ? stem : (trilo_str){"", 0};
}

/* "models/hero.glb" and 3: "hero-3". The name of a model that is long is cut as those of its companions are. */
static void image_stem_of_model(const char *model, uint32_t texture, char stem[TRILO_IMAGE_STEM_ROOM])
{
    char ending[32], whole[TL_FILE_NAME_ROOM];
    snprintf(ending, sizeof ending, "-%" PRIu32 "%s", texture, image_longest_ending);
    tl_companion_name(model + image_name_at(model, strlen(model)), ending, whole);
    const size_t length = strlen(whole) - (sizeof image_longest_ending - 1);
    memcpy(stem, whole, length);
    stem[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (!tl_image_name_is_plain(stem + i, 1) || (i == 0 && stem[i] == '.'))
            stem[i] = '_';
}

void trilo_image_stem(trilo_str name, const char *model, uint32_t texture, char stem[TRILO_IMAGE_STEM_ROOM])
{
    const trilo_str own = tl_image_own_stem(name);
    if (own.len == 0)
        image_stem_of_model(model && *model ? model : "texture", texture, stem);
    else {
        memcpy(stem, own.data, own.len);
        stem[own.len] = '\0';
    }
}

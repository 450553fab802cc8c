/* image_names.h: names of a model's embedded images, each its own, before they become paths of sprites. */
#ifndef TL_API_CONVERT_IMAGE_NAMES_H
#define TL_API_CONVERT_IMAGE_NAMES_H

#include "base/arena.h"
#include "trilobite/model.h"

/* Renames the embedded images whose sprites would not have the names of the files that `trilobite extract` writes. That
 * is so for an image that is called after `model` (its path; NULL: not known), because its own name is none that files
 * can have, or another image has it. Names are in the arena. False: no memory. */
bool tl_convert_name_images(tl_arena *arena, trilo_texture *textures, uint32_t count, const char *model);

#endif

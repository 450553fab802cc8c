/* image_name.h: what the files of an image are called; see also trilo_image_stem. */
#ifndef TL_MODEL_IMAGE_NAME_H
#define TL_MODEL_IMAGE_NAME_H

#include "trilobite/model.h"

/* The length of a name or path without the extension of an image file: that of "a/wall.ci4" in "a/wall.ci4.PNG". */
size_t tl_image_stem_length(const char *path, size_t length);

/* True if every file system takes the characters in the name of a file. */
bool tl_image_name_is_plain(const char *name, size_t length);

/* The stem that an image has by its own name; length 0: none, and it is called after its model. */
trilo_str tl_image_own_stem(trilo_str name);

#endif

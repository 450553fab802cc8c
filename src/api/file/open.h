/* open.h: the only place that opens files and folders by names that come from a model. These are not trusted, and
 * must stay below a folder. Needs an operating system. On failure both return TL_OS_NONE and set errno.
 */
#ifndef TL_API_FILE_OPEN_H
#define TL_API_FILE_OPEN_H

#include "base/os.h"

#if TL_HAVE_OS
/* The folder that holds the last part of `name`, which is left in *last. `name` leads below `root`: ".." and absolute
 * names are refused, also names that mean something else than a file to the system, and symbolic links are not
 * followed. */
tl_os_file tl_folder_open_below(const char *root, const char *name, const char **last);

/* A regular file below `root`, for reading. Pipes, devices and symbolic links are refused. */
tl_os_file tl_file_open_below(const char *root, const char *name);
#endif

#endif

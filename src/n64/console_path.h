/* console_path.h: paths on the console, which begin with rom:/, libdragon's name of the files in the ROM. */
#ifndef TL_N64_CONSOLE_PATH_H
#define TL_N64_CONSOLE_PATH_H

#include <stddef.h>
#include <string.h>

#define TL_CONSOLE_ROOT "rom:/"

/* "rom:/a/wall.sprite": "a/wall.sprite"; NULL: it is not a path on the console. `path` may be NULL. */
static inline const char *tl_console_path_below(const char *path)
{
    const size_t root = sizeof TL_CONSOLE_ROOT - 1;
    return path && strncmp(path, TL_CONSOLE_ROOT, root) == 0 ? path + root : NULL;
}

#endif

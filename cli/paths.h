/* paths.h: splits and joins paths. The caller frees all results except that of path_last. */
#ifndef CLI_PATHS_H
#define CLI_PATHS_H

#include <stdbool.h>

const char *path_last(const char *path); /* "a/b.png": "b.png" */

char *path_folder(const char *path); /* "a/b.png": "a", "b.png": ".", "/b.png": "/" */

char *path_join(const char *folder, const char *name); /* "." adds nothing */

/* "hero.glb" and ".d": "hero.d". */
char *path_with_ending(const char *path, const char *ending);

bool path_ends(const char *path, const char *ending);

#endif

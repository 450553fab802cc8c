/* glob.h: patterns of paths. */
#ifndef TL_BASE_GLOB_H
#define TL_BASE_GLOB_H

#include <stdbool.h>

/* True if the path matches the pattern. "*" is any part of a name, "**" any part of a path ("**" and a slash: any
 * folders or none), "?" a character of a name, "[a-z]" and "[!a-z]" one of a set; a backslash takes the next character
 * as it is. A pattern without a slash and "**" is compared with the name of the file alone. Takes O(pattern * path^2)
 * at most. */
bool tl_glob_matches(const char *pattern, const char *path);

#endif

#include "paths.h"

#include "alloc.h"

#include <stdlib.h>
#include <string.h>

static char *path_copy(const char *text, size_t length)
{
    char *fresh = need(NULL, length + 1, 1);
    memcpy(fresh, text, length);
    fresh[length] = '\0';
    return fresh;
}

const char *path_last(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return path_copy(".", 1);
    return path_copy(path, slash == path ? 1 : (size_t)(slash - path));
}

char *path_join(const char *folder, const char *name)
{
    const size_t length = strcmp(folder, ".") == 0 ? 0 : strlen(folder);
    const bool slash = length > 0 && folder[length - 1] != '/';
    char *path = need(NULL, length + strlen(name) + 2, 1);
    memcpy(path, folder, length);
    path[length] = '/';
    strcpy(path + length + slash, name);
    return path;
}

char *path_with_ending(const char *path, const char *ending)
{
    const char *name = path_last(path), *dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - path) : strlen(path);
    char *fresh = need(NULL, length + strlen(ending) + 1, 1);
    memcpy(fresh, path, length);
    strcpy(fresh + length, ending);
    return fresh;
}

bool path_ends(const char *path, const char *ending)
{
    return strlen(path) >= strlen(ending) && strcmp(path + strlen(path) - strlen(ending), ending) == 0;
}

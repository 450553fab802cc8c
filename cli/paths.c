#define _POSIX_C_SOURCE 200809L

#include "paths.h"

#include "alloc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *copy(const char *text, size_t length)
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
        return copy(".", 1);
    return copy(path, slash == path ? 1 : (size_t)(slash - path));
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

static char *working_folder(void)
{
    size_t room = 256;
    char *path = need(NULL, room, 1);
    while (!getcwd(path, room)) {
        if (room > 1 << 20) /* it is gone */
            return strcpy(path, "/");
        path = need(path, room *= 2, 1);
    }
    return path;
}

/* Takes the parts of a path that starts at the root one by one to its front again. */
static char *tidy(char *path)
{
    size_t used = 0;
    for (const char *at = path; *at;) {
        at += strspn(at, "/");
        const size_t length = strcspn(at, "/");
        if (length == 2 && at[0] == '.' && at[1] == '.') {
            while (used > 0 && path[--used] != '/')
                ;
        } else if (length > 0 && !(length == 1 && at[0] == '.')) {
            path[used++] = '/';
            memmove(path + used, at, length);
            used += length;
        }
        at += length;
    }
    used = used > 0 ? used : 1; /* the root itself */
    path[used] = '\0';
    return path;
}

char *path_absolute(const char *path)
{
    if (*path == '/')
        return tidy(copy(path, strlen(path)));
    char *folder = working_folder(), *whole = path_join(folder, path);
    free(folder);
    return tidy(whole);
}

char *path_below(const char *folder, const char *path)
{
    char *root = path_absolute(folder), *whole = path_absolute(path), *rest = NULL;
    const size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
    if (strncmp(root, whole, length) == 0 && whole[length] == '/' && whole[length + 1])
        rest = copy(whole + length + 1, strlen(whole + length + 1));
    free(root);
    free(whole);
    return rest;
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

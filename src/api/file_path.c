#define _POSIX_C_SOURCE 200809L

#include "api/file_path.h"

#include <stdio.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#define HAVE_POSIX 1
#include <sys/stat.h>
#include <unistd.h>
#else
#define HAVE_POSIX 0
#endif

const char *tl_file_path_last(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *tl_file_path_folder(tl_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return ".";
    return tl_str_copy(arena, path, slash == path ? 1 : (size_t)(slash - path)).data;
}

static const char *file_path_concat(tl_arena *arena, const char *front, size_t length, const char *middle,
                                    const char *back)
{
    const size_t room = length + strlen(middle) + strlen(back) + 1;
    char *path = tl_array_raw(arena, room, 1);
    if (path)
        snprintf(path, room, "%.*s%s%s", (int)length, front, middle, back);
    return path;
}

const char *tl_file_path_join(tl_arena *arena, const char *folder, const char *name)
{
    const size_t length = strcmp(folder, ".") == 0 ? 0 : strlen(folder);
    const bool slash = length > 0 && folder[length - 1] != '/';
    return file_path_concat(arena, folder, length, slash ? "/" : "", name);
}

const char *tl_file_path_beside(tl_arena *arena, const char *path, const char *name)
{
    return file_path_concat(arena, path, (size_t)(tl_file_path_last(path) - path), "", name);
}

const char *tl_file_path_with_ending(tl_arena *arena, const char *path, const char *ending)
{
    const char *name = tl_file_path_last(path), *dot = strrchr(name, '.');
    return file_path_concat(arena, path, dot && dot > name ? (size_t)(dot - path) : strlen(path), "", ending);
}

bool tl_file_path_ends(const char *path, const char *ending)
{
    return strlen(path) >= strlen(ending) && strcmp(path + strlen(path) - strlen(ending), ending) == 0;
}

bool tl_file_path_is_inside(const char *name)
{
    while (true) {
        const size_t length = strcspn(name, "/");
        if (length == 0 || strncmp(name, ".", length) == 0 || strncmp(name, "..", length) == 0)
            return false;
        if (name[length] == '\0')
            return true;
        name += length + 1;
    }
}

bool tl_file_path_leads_up(const char *name)
{
    while (*name) {
        const size_t length = strcspn(name, "/");
        if (length == 2 && name[0] == '.' && name[1] == '.')
            return true;
        name += length + (name[length] == '/');
    }
    return false;
}

/* From the root, without "." and "..". */
static const char *file_path_absolute(tl_arena *arena, const char *path)
{
    char working[4096] = "/";
#if HAVE_POSIX
    if (*path != '/' && !getcwd(working, sizeof working))
        strcpy(working, "/"); /* it is gone */
#endif
    char *whole = (char *)(uintptr_t)tl_file_path_join(arena, *path == '/' ? "." : working, path);
    size_t used = 0;
    for (const char *at = whole; at && *at;) {
        at += strspn(at, "/");
        const size_t length = strcspn(at, "/");
        if (length == 2 && at[0] == '.' && at[1] == '.') {
            while (used > 0 && whole[--used] != '/')
                ;
        } else if (length > 0 && !(length == 1 && at[0] == '.')) {
            whole[used++] = '/';
            memmove(whole + used, at, length);
            used += length;
        }
        at += length;
    }
    if (whole)
        whole[used > 0 ? used : 1] = '\0';
    return whole;
}

const char *tl_file_path_below(tl_arena *arena, const char *folder, const char *path)
{
    const char *root = file_path_absolute(arena, folder), *whole = file_path_absolute(arena, path);
    if (!root || !whole)
        return NULL;
    const size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
    return strncmp(root, whole, length) == 0 && whole[length] == '/' && whole[length + 1] ? whole + length + 1 : NULL;
}

#if HAVE_POSIX
bool tl_file_exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

bool tl_file_is_plain(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool tl_file_is_folder(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool tl_file_identify(const char *path, tl_file_identity *identity)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    *identity = (tl_file_identity){(uint64_t)status.st_dev, (uint64_t)status.st_ino};
    return true;
}
#else
bool tl_file_exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

bool tl_file_is_plain(const char *path)
{
    return tl_file_exists(path);
}

bool tl_file_is_folder(const char *path)
{
    char inside[4096];
    const int size = snprintf(inside, sizeof inside, "%s/.", path);
    return size > 0 && (size_t)size < sizeof inside && tl_file_exists(inside);
}

/* Without links, the path is the identity. */
bool tl_file_identify(const char *path, tl_file_identity *identity)
{
    *identity = (tl_file_identity){strlen(path), trilo_fnv1a(path, strlen(path))};
    return tl_file_exists(path);
}
#endif

bool tl_file_same(const char *a, const char *b)
{
    tl_file_identity first, second;
    return tl_file_identify(a, &first) && tl_file_identify(b, &second) && first.device == second.device &&
           first.number == second.number;
}

#include "api/file/path.h"

#include "base/os.h"

#include <stdio.h>
#include <string.h>

const char *tl_file_path_last(const char *path)
{
    const char *separator = tl_os_last_separator(path);
    return separator ? separator + 1 : path + tl_os_root(path);
}

const char *tl_file_path_folder(tl_arena *arena, const char *path)
{
    const size_t length = (size_t)(tl_file_path_last(path) - path);
    if (length == 0)
        return ".";
    return tl_str_copy(arena, path, length == tl_os_root(path) ? length : length - 1).data;
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
    const bool slash = length > 0 && !tl_os_is_separator(folder[length - 1]) && length != tl_os_root(folder);
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

static size_t file_path_part(const char *name)
{
    size_t length = 0;
    while (name[length] && !tl_os_is_separator(name[length]))
        length++;
    return length;
}

bool trilo_file_name_is_inside(const char *name)
{
    while (true) {
        const size_t length = file_path_part(name);
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
        const size_t length = file_path_part(name);
        if (length == 2 && name[0] == '.' && name[1] == '.')
            return true;
        name += length + (name[length] != '\0');
    }
    return false;
}

/* From the root, without "." and "..". On Windows it is "/c:/models". */
static const char *file_path_absolute(tl_arena *arena, const char *path)
{
    char working[4096] = "/";
    const bool absolute = tl_os_root(path) > 0;
#if TL_HAVE_OS
    if (!absolute && !tl_os_working_folder(working, sizeof working))
        strcpy(working, "/"); /* it is gone */
#endif
    const char *parts = tl_file_path_join(arena, absolute ? "." : working, path);
    char *whole = parts ? tl_array_raw(arena, strlen(parts) + 2, 1) : NULL;
    size_t used = 0;
    for (const char *at = parts; whole && *at;) {
        if (tl_os_is_separator(*at)) {
            at++;
            continue;
        }
        const size_t length = file_path_part(at);
        if (length == 2 && at[0] == '.' && at[1] == '.') {
            while (used > 0 && whole[--used] != '/')
                ;
        } else if (!(length == 1 && at[0] == '.')) {
            whole[used++] = '/';
            memcpy(whole + used, at, length);
            used += length;
        }
        at += length;
    }
    if (whole)
        strcpy(whole + used, used > 0 ? "" : "/");
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

#if TL_HAVE_OS
bool tl_file_exists(const char *path)
{
    tl_os_status status;
    return tl_os_stat(TL_OS_HERE, path, false, &status);
}

bool tl_file_is_plain(const char *path)
{
    tl_os_status status;
    return tl_os_stat(TL_OS_HERE, path, true, &status) && status.kind == TL_OS_KIND_FILE;
}

bool tl_file_is_folder(const char *path)
{
    tl_os_status status;
    return tl_os_stat(TL_OS_HERE, path, false, &status) && status.kind == TL_OS_KIND_FOLDER;
}

bool tl_file_identify(const char *path, tl_file_identity *identity)
{
    tl_os_status status;
    if (!tl_os_stat(TL_OS_HERE, path, true, &status))
        return false;
    *identity = (tl_file_identity){status.device, status.inode};
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

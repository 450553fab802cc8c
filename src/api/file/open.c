#include "api/file/open.h"

#if TL_HAVE_OS
#include <errno.h>
#include <string.h>

enum { FILE_NAME_ROOM = 256 };

tl_os_file tl_folder_open_below(const char *root, const char *name, const char **last)
{
    char part[FILE_NAME_ROOM];
    if (tl_os_root(name) > 0) {
        errno = EACCES;
        return TL_OS_NONE;
    }
    tl_os_file folder = tl_os_open(TL_OS_HERE, *root ? root : ".", TL_OS_FOLDER);
    while (folder != TL_OS_NONE) {
        const size_t length = strcspn(name, "/");
        const bool leads_up = length == 2 && name[0] == '.' && name[1] == '.';
        const bool is_here = length == 0 || (length == 1 && name[0] == '.');
        const bool refused = leads_up || (!is_here && !tl_os_is_plain_name(name, length));
        *last = name;
        if (name[length] == '\0' && !refused && length > 0)
            return folder;
        tl_os_file next = folder;
        if (refused || length >= sizeof part || name[length] == '\0') {
            errno = refused ? EACCES : length > 0 ? ENAMETOOLONG : EISDIR;
            next = TL_OS_NONE;
        } else if (!is_here) {
            memcpy(part, name, length);
            part[length] = '\0';
            next = tl_os_open(folder, part, TL_OS_FOLDER_PLAIN);
        }
        if (next != folder) {
            const int reason = errno;
            tl_os_close(folder);
            errno = reason;
        }
        folder = next;
        name += length + 1;
    }
    return TL_OS_NONE;
}

tl_os_file tl_file_open_below(const char *root, const char *name)
{
    tl_os_status status;
    const char *last;
    const tl_os_file folder = tl_folder_open_below(root, name, &last);
    if (folder == TL_OS_NONE)
        return TL_OS_NONE;
    const tl_os_file file = tl_os_open(folder, last, TL_OS_READ_PLAIN);
    int reason = errno;
    tl_os_close(folder);
    if (file != TL_OS_NONE && (!tl_os_stat_file(file, &status) || status.kind != TL_OS_KIND_FILE)) {
        reason = EACCES;
        tl_os_close(file);
    } else if (file != TL_OS_NONE) {
        return file;
    }
    errno = reason;
    return TL_OS_NONE;
}
#else
typedef int file_open_needs_os; /* a source file must not be empty */
#endif

#define _POSIX_C_SOURCE 200809L

#include "api/file_open.h"

#if TL_HAVE_POSIX
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_FIRST_DESCRIPTOR = 3, FILE_NAME_ROOM = 256 };

int tl_file_open_at(int folder, const char *path, int flags)
{
    const int descriptor = openat(folder, path, flags | O_CLOEXEC, 0666);
    if (descriptor < 0 || descriptor >= FILE_FIRST_DESCRIPTOR)
        return descriptor;
    const int above = fcntl(descriptor, F_DUPFD_CLOEXEC, FILE_FIRST_DESCRIPTOR);
    close(descriptor);
    return above;
}

int tl_folder_open_below(const char *root, const char *name, const char **last)
{
    char part[FILE_NAME_ROOM];
    if (*name == '/') {
        errno = EACCES;
        return -1;
    }
    int folder = tl_file_open_at(AT_FDCWD, *root ? root : ".", O_RDONLY | O_DIRECTORY);
    while (folder >= 0) {
        const size_t length = strcspn(name, "/");
        const bool leads_up = length == 2 && name[0] == '.' && name[1] == '.';
        *last = name;
        if (name[length] == '\0' && !leads_up && length > 0)
            return folder;
        int next = folder;
        if (leads_up || length >= sizeof part || name[length] == '\0') {
            errno = leads_up ? EACCES : length > 0 ? ENAMETOOLONG : EISDIR;
            next = -1;
        } else if (length > 0 && !(length == 1 && name[0] == '.')) {
            memcpy(part, name, length);
            part[length] = '\0';
            next = tl_file_open_at(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        }
        if (next != folder) {
            const int reason = errno;
            close(folder);
            errno = reason;
        }
        folder = next;
        name += length + 1;
    }
    return -1;
}

int tl_file_open_below(const char *root, const char *name)
{
    struct stat status;
    const char *last;
    const int folder = tl_folder_open_below(root, name, &last);
    if (folder < 0)
        return -1;
    /* Without O_NONBLOCK a pipe would wait here for somebody who writes. */
    const int file = tl_file_open_at(folder, last, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    int reason = errno;
    close(folder);
    if (file >= 0 && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
        reason = EACCES;
        close(file);
    } else if (file >= 0) {
        return file;
    }
    errno = reason;
    return -1;
}
#else
typedef int file_open_needs_posix; /* a source file must not be empty */
#endif

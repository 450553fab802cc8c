/* file_open.h: the only place that opens files and folders. Needs POSIX.
 *
 * Names that come from a model are not trusted: tl_file_open_below lets them lead nowhere but below a folder. The
 * descriptors are always above 2: a program whose standard streams are closed must not print into a file of ours.
 * On failure all return -1 and set errno.
 */
#ifndef TL_API_FILE_OPEN_H
#define TL_API_FILE_OPEN_H

#if defined(__unix__) || defined(__APPLE__)
#define TL_HAVE_POSIX 1
#else
#define TL_HAVE_POSIX 0
#endif

#if TL_HAVE_POSIX
/* As openat, without inheritance by child processes; `folder` may be AT_FDCWD. New files get the rights that the umask
 * leaves. */
int tl_file_open_at(int folder, const char *path, int flags);

/* The folder that holds the last part of `name`, which is left in *last. `name` leads below `root`: ".." and absolute
 * names are refused, and symbolic links are not followed. */
int tl_folder_open_below(const char *root, const char *name, const char **last);

/* A regular file below `root`, for reading. Pipes, devices and symbolic links are refused. */
int tl_file_open_below(const char *root, const char *name);
#endif

#endif

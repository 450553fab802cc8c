/* The operating system as POSIX has it, and the listing of folders in WASI. */
#ifndef _WIN32
#define _POSIX_C_SOURCE  200809L
#define _XOPEN_SOURCE    700 /* realpath */
#define _DARWIN_C_SOURCE     /* the number of processors, nanoseconds of files */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* madvise */
#endif
#endif

#include "base/os.h"

#ifndef _WIN32
#include <string.h>

const char *tl_os_last_separator(const char *path)
{
    return strrchr(path, '/');
}

size_t tl_os_root(const char *path)
{
    return *path == '/';
}

bool tl_os_is_plain_name(const char *name, size_t length)
{
    (void)name, (void)length;
    return true;
}

#if TL_HAVE_OS || defined(__wasi__)
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

static tl_os_kind os_kind(mode_t mode)
{
    return S_ISREG(mode)   ? TL_OS_KIND_FILE
           : S_ISDIR(mode) ? TL_OS_KIND_FOLDER
           : S_ISLNK(mode) ? TL_OS_KIND_LINK
                           : TL_OS_KIND_OTHER;
}

/* ---- the entries of a folder: a list is a DIR ---- */

tl_os_list *tl_os_list_path(const char *path)
{
    return (tl_os_list *)opendir(path);
}

const char *tl_os_list_next(tl_os_list *list)
{
    const struct dirent *entry;
    do
        entry = readdir((DIR *)list);
    while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry ? entry->d_name : NULL;
}

bool tl_os_list_kind(tl_os_list *list, const char *name, tl_os_kind *kind)
{
    struct stat status;
    if (fstatat(dirfd((DIR *)list), name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    *kind = os_kind(status.st_mode);
    return true;
}

void tl_os_list_close(tl_os_list *list)
{
    if (list)
        closedir((DIR *)list);
}
#endif

#if TL_HAVE_OS
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h> /* renameat */
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    OS_LARGE_PAGE = 1 << 21,
    OS_FIRST_DESCRIPTOR = 3,
    OS_NEW_FILE = 0666,
    OS_NEW_FOLDER = 0777,
    OS_MOST_AT_ONCE = 1 << 30
};

static int os_folder(tl_os_file folder)
{
    return folder == TL_OS_HERE ? AT_FDCWD : (int)folder;
}

bool tl_os_working_folder(char *path, size_t room)
{
    return getcwd(path, room) != NULL;
}

char *tl_os_resolve(const char *path)
{
    return realpath(path, NULL);
}

/* ---- open files and folders ---- */

/* The descriptors are above 2: a program whose standard streams are closed must not print into a file of ours. */
tl_os_file tl_os_open(tl_os_file folder, const char *path, tl_os_access access)
{
    static const int flags[] = {
        [TL_OS_READ] = O_RDONLY,
        [TL_OS_READ_PLAIN] = O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
        [TL_OS_FOLDER] = O_RDONLY | O_DIRECTORY,
        [TL_OS_FOLDER_PLAIN] = O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
        [TL_OS_WRITE] = O_WRONLY,
        [TL_OS_CREATE] = O_WRONLY | O_CREAT | O_EXCL,
        [TL_OS_APPEND] = O_RDWR | O_APPEND | O_CREAT,
    };
    const int descriptor = openat(os_folder(folder), path, flags[access] | O_CLOEXEC, OS_NEW_FILE);
    if (descriptor < 0 || descriptor >= OS_FIRST_DESCRIPTOR)
        return descriptor;
    const int above = fcntl(descriptor, F_DUPFD_CLOEXEC, OS_FIRST_DESCRIPTOR);
    const int reason = errno;
    close(descriptor);
    errno = reason;
    return above;
}

bool tl_os_close(tl_os_file file)
{
    return close((int)file) == 0;
}

/* Some systems refuse more than OS_MOST_AT_ONCE. */
ptrdiff_t tl_os_read(tl_os_file file, void *bytes, size_t size)
{
    ssize_t got;
    do
        got = read((int)file, bytes, size < OS_MOST_AT_ONCE ? size : OS_MOST_AT_ONCE);
    while (got < 0 && errno == EINTR);
    return got;
}

/* A signal that the caller checks for may have arrived: then nothing was written. */
ptrdiff_t tl_os_write(tl_os_file file, const void *bytes, size_t size)
{
    const ssize_t wrote = write((int)file, bytes, size < OS_MOST_AT_ONCE ? size : OS_MOST_AT_ONCE);
    return wrote < 0 && errno == EINTR ? 0 : wrote;
}

ptrdiff_t tl_os_append(tl_os_file file, const void *bytes, size_t size)
{
    return tl_os_write(file, bytes, size);
}

bool tl_os_rewind(tl_os_file file)
{
    return lseek((int)file, 0, SEEK_SET) == 0;
}

bool tl_os_truncate(tl_os_file file)
{
    return ftruncate((int)file, 0) == 0;
}

/* Some file systems do not support this, and return an error. */
bool tl_os_sync(tl_os_file file)
{
    return fsync((int)file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EBADF;
}

bool tl_os_lock(tl_os_file file, bool exclusive)
{
    const struct flock lock = {.l_type = exclusive ? F_WRLCK : F_RDLCK, .l_whence = SEEK_SET};
    return fcntl((int)file, F_SETLK, &lock) == 0;
}

static void os_status(const struct stat *from, tl_os_status *status)
{
#ifdef __APPLE__
    const struct timespec modified = from->st_mtimespec, changed = from->st_ctimespec;
#else
    const struct timespec modified = from->st_mtim, changed = from->st_ctim;
#endif
    *status = (tl_os_status){.kind = os_kind(from->st_mode),
                             .permissions = (unsigned)(from->st_mode & 07777),
                             .size = from->st_size > 0 ? (uint64_t)from->st_size : 0,
                             .device = (uint64_t)from->st_dev,
                             .inode = (uint64_t)from->st_ino,
                             .modified = {modified.tv_sec, (int32_t)modified.tv_nsec},
                             .changed = {changed.tv_sec, (int32_t)changed.tv_nsec}};
}

bool tl_os_stat_file(tl_os_file file, tl_os_status *status)
{
    struct stat found;
    if (fstat((int)file, &found) != 0)
        return false;
    os_status(&found, status);
    return true;
}

bool tl_os_stat(tl_os_file folder, const char *path, bool follow_link, tl_os_status *status)
{
    struct stat found;
    if (fstatat(os_folder(folder), path, &found, follow_link ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    os_status(&found, status);
    return true;
}

/* ---- changes in a folder ---- */

bool tl_os_set_permissions(tl_os_file file, unsigned permissions)
{
    return fchmod((int)file, (mode_t)permissions) == 0;
}

bool tl_os_make_folder(tl_os_file folder, const char *name)
{
    return mkdirat(os_folder(folder), name, OS_NEW_FOLDER) == 0;
}

bool tl_os_remove(tl_os_file folder, const char *name)
{
    return unlinkat(os_folder(folder), name, 0) == 0;
}

bool tl_os_remove_folder(const char *path)
{
    return rmdir(path) == 0;
}

bool tl_os_link(tl_os_file folder, const char *name, const char *second)
{
    return linkat(os_folder(folder), name, os_folder(folder), second, 0) == 0;
}

bool tl_os_rename(tl_os_file folder, const char *from, const char *to)
{
    return renameat(os_folder(folder), from, os_folder(folder), to) == 0;
}

tl_os_list *tl_os_list_folder(tl_os_file folder)
{
    const int again = (int)tl_os_open(folder, ".", TL_OS_FOLDER);
    DIR *dir = again >= 0 ? fdopendir(again) : NULL;
    if (!dir && again >= 0)
        close(again);
    return (tl_os_list *)dir;
}

/* ---- memory ---- */

void tl_os_advise_large_pages(void *at, size_t size)
{
#ifdef MADV_HUGEPAGE
    const size_t skip = (OS_LARGE_PAGE - (uintptr_t)at % OS_LARGE_PAGE) % OS_LARGE_PAGE;
    if (size >= skip + OS_LARGE_PAGE)
        (void)madvise((char *)at + skip, (size - skip) / OS_LARGE_PAGE * OS_LARGE_PAGE, MADV_HUGEPAGE);
#else
    (void)at, (void)size;
#endif
}

/* Asking which pages are resident takes a hundredth of the time of getting them. */
void tl_os_populate(void *at, size_t size)
{
#ifdef MADV_POPULATE_WRITE
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), skip = (page - (uintptr_t)at % page) % page;
    char *first = (char *)at + skip;
    size_t left = size > skip ? (size - skip) / page : 0;
    while (left > 0) {
        unsigned char there[256];
        const size_t count = left < sizeof there ? left : sizeof there;
        size_t known = 0;
        if (mincore(first, count * page, there) != 0)
            return;
        while (known < count && (there[known] & 1))
            known++;
        if (known < count && madvise(first + known * page, (count - known) * page, MADV_POPULATE_WRITE) != 0)
            return;
        first += count * page;
        left -= count;
    }
#else
    (void)at, (void)size;
#endif
}

/* ---- time, processes, threads ---- */

tl_os_time tl_os_now(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    return (tl_os_time){now.tv_sec, (int32_t)now.tv_nsec};
}

uint64_t tl_os_process_id(void)
{
    return (uint64_t)getpid();
}

uint32_t tl_os_processor_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(tl_os_mutex), "a mutex has its room");
_Static_assert(sizeof(pthread_cond_t) <= sizeof(tl_os_condition), "a condition has its room");
_Static_assert(sizeof(pthread_t) <= sizeof(uint64_t), "a thread has its room");

void tl_os_mutex_init(tl_os_mutex *mutex)
{
    pthread_mutex_init((pthread_mutex_t *)mutex, NULL);
}

void tl_os_mutex_free(tl_os_mutex *mutex)
{
    pthread_mutex_destroy((pthread_mutex_t *)mutex);
}

void tl_os_mutex_lock(tl_os_mutex *mutex)
{
    pthread_mutex_lock((pthread_mutex_t *)mutex);
}

void tl_os_mutex_unlock(tl_os_mutex *mutex)
{
    pthread_mutex_unlock((pthread_mutex_t *)mutex);
}

void tl_os_condition_init(tl_os_condition *condition)
{
    pthread_cond_init((pthread_cond_t *)condition, NULL);
}

void tl_os_condition_free(tl_os_condition *condition)
{
    pthread_cond_destroy((pthread_cond_t *)condition);
}

void tl_os_condition_broadcast(tl_os_condition *condition)
{
    pthread_cond_broadcast((pthread_cond_t *)condition);
}

void tl_os_condition_wait(tl_os_condition *condition, tl_os_mutex *mutex, uint32_t milliseconds)
{
    enum { SECOND = 1000000000 };
    struct timespec until;
    if (milliseconds == 0) {
        pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex);
        return;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    until.tv_sec += (time_t)(milliseconds / 1000) + until.tv_nsec / SECOND;
    until.tv_nsec %= SECOND;
    pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, &until);
}

static void *os_thread_main(void *thread)
{
    const tl_os_thread *own = thread;
    own->run(own->user);
    return NULL;
}

bool tl_os_thread_start(tl_os_thread *thread, void (*run)(void *user), void *user)
{
    thread->run = run;
    thread->user = user;
    pthread_t started;
    if (pthread_create(&started, NULL, os_thread_main, thread) != 0)
        return false;
    memcpy(&thread->room, &started, sizeof started);
    return true;
}

void tl_os_thread_join(tl_os_thread *thread)
{
    pthread_t started;
    memcpy(&started, &thread->room, sizeof started);
    pthread_join(started, NULL);
}

/* ---- signals ---- */

typedef struct os_signals {
    sigset_t held, before;
} os_signals;
_Static_assert(sizeof(os_signals) <= sizeof(tl_os_signals), "signals have their room");

/* The signals that users send come first. */
static const int os_ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGXCPU, SIGXFSZ, SIGPIPE};
enum { OS_SIGNALS_OF_USER = 4, OS_SIGNALS_ALL = sizeof os_ending_signals / sizeof *os_ending_signals };

void tl_os_signals_hold(tl_os_signals *signals, tl_os_signal_set set)
{
    os_signals *own = (os_signals *)signals;
    const size_t count = set == TL_OS_SIGNALS_OF_USER ? OS_SIGNALS_OF_USER : OS_SIGNALS_ALL;
    sigemptyset(&own->held);
    for (size_t i = 0; i < count; i++)
        sigaddset(&own->held, os_ending_signals[i]);
    pthread_sigmask(SIG_BLOCK, &own->held, &own->before);
    for (size_t i = 0; i < count; i++) /* those that were blocked before belong to the caller */
        if (sigismember(&own->before, os_ending_signals[i]) == 1)
            sigdelset(&own->held, os_ending_signals[i]);
}

void tl_os_signals_release(tl_os_signals *signals)
{
    pthread_sigmask(SIG_SETMASK, &((os_signals *)signals)->before, NULL);
}

bool tl_os_signals_pending(const tl_os_signals *signals, bool deadly)
{
    sigset_t pending;
    struct sigaction action;
    if (sigpending(&pending) != 0)
        return false;
    for (size_t i = 0; i < OS_SIGNALS_ALL; i++) {
        const int number = os_ending_signals[i];
        if (sigismember(&pending, number) != 1 || sigismember(&((const os_signals *)signals)->held, number) != 1 ||
            sigaction(number, NULL, &action) != 0)
            continue;
        /* One that is ignored, as with nohup, is pending too while it is held. */
        if (deadly ? action.sa_handler == SIG_DFL : action.sa_handler != SIG_IGN)
            return true;
    }
    return false;
}
#endif
#else
typedef int os_posix_is_not_here; /* a source file must not be empty */
#endif

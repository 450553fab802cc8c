/* os.h: the operating system as the library uses it: files and folders, threads, signals, clocks.
 *
 * Implemented in os_posix.c and os_windows.c. On systems that have neither, such as WebAssembly, TL_HAVE_OS is 0 and
 * callers use stdio. Paths are UTF-8. A function that fails sets errno.
 */
#ifndef TL_BASE_OS_H
#define TL_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__unix__) || defined(__APPLE__) || defined(_WIN32)
#define TL_HAVE_OS 1
#else
#define TL_HAVE_OS 0
#endif

typedef enum tl_os_kind { TL_OS_KIND_FILE, TL_OS_KIND_FOLDER, TL_OS_KIND_LINK, TL_OS_KIND_OTHER } tl_os_kind;

/* ---- paths ---- */

/* Windows also accepts backslashes in paths; paths that the library makes have slashes everywhere. */
static inline bool tl_os_is_separator(char c)
{
#ifdef _WIN32
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

const char *tl_os_last_separator(const char *path); /* NULL: none */

/* The length of the root of an absolute path: "/", and on Windows also "c:/" and "c:". 0: the path is relative. */
size_t tl_os_root(const char *path);

/* True if this component of a path can only name a file or folder of that name. On Windows "nul" is a device, "a:b" a
 * stream of the file a, and "a." another spelling of "a". */
bool tl_os_is_plain_name(const char *name, size_t length);

typedef intptr_t tl_os_file; /* an open file descriptor above 2, or a HANDLE; child processes do not inherit it */
#define TL_OS_NONE ((tl_os_file)-1)
#define TL_OS_HERE ((tl_os_file)-100) /* the working directory, where a folder is expected */

/* Opaque storage for the types of the system: a set of signals, a mutex, a condition variable, a thread. */
typedef union tl_os_signals {
    uint64_t room[48];
    void *pointer;
} tl_os_signals;
typedef union tl_os_mutex {
    uint64_t room[8];
    void *pointer;
} tl_os_mutex, tl_os_condition;
typedef struct tl_os_thread { /* must not move until it is joined */
    uint64_t room;
    void (*run)(void *user);
    void *user;
} tl_os_thread;

#if TL_HAVE_OS
/* The path of the working directory; false: it was removed, or its path is too long. */
bool tl_os_working_folder(char *path, size_t room);
/* The path with all symbolic links resolved, owned by the caller (free); NULL: nothing exists at that path. */
char *tl_os_resolve(const char *path);

/* ---- open files and folders ---- */

typedef enum tl_os_access {
    TL_OS_READ,         /* a file of any kind, or a folder */
    TL_OS_READ_PLAIN,   /* the same, but fails for a symbolic link and does not wait for the other end of a pipe */
    TL_OS_FOLDER,       /* a folder */
    TL_OS_FOLDER_PLAIN, /* a folder that is not a symbolic link */
    TL_OS_WRITE,        /* an existing file */
    TL_OS_CREATE,       /* a new file, with the permissions that the umask leaves; fails if it exists */
    TL_OS_APPEND,       /* an existing or new file, for reading and tl_os_append */
} tl_os_access;

/* A relative path starts at `folder`. */
tl_os_file tl_os_open(tl_os_file folder, const char *path, tl_os_access access);
bool tl_os_close(tl_os_file file);
ptrdiff_t tl_os_read(tl_os_file file, void *bytes, size_t size); /* 0: end of file; negative: failed */
ptrdiff_t tl_os_write(tl_os_file file, const void *bytes, size_t size);
ptrdiff_t tl_os_append(tl_os_file file, const void *bytes, size_t size); /* atomic with other appenders */
bool tl_os_rewind(tl_os_file file);
bool tl_os_truncate(tl_os_file file); /* to 0 bytes */
bool tl_os_sync(tl_os_file file);     /* fsync */
/* An advisory lock, exclusive or shared, without waiting. False: another process has it, or locks are unsupported. */
bool tl_os_lock(tl_os_file file, bool exclusive);

typedef struct tl_os_time {
    int64_t seconds; /* since 1970 */
    int32_t nanoseconds;
} tl_os_time;

typedef struct tl_os_status {
    tl_os_kind kind;
    unsigned permissions;   /* as of chmod; 0666 on systems without them */
    uint64_t size;          /* in bytes */
    uint64_t device, inode; /* identify the file */
    tl_os_time modified;    /* last change of its content (mtime) */
    tl_os_time changed;     /* last change of content or metadata (ctime), which no program can set back */
} tl_os_status;

bool tl_os_stat_file(tl_os_file file, tl_os_status *status);
bool tl_os_stat(tl_os_file folder, const char *path, bool follow_link, tl_os_status *status);

/* ---- changes in a folder ---- */

bool tl_os_set_permissions(tl_os_file file, unsigned permissions);
bool tl_os_make_folder(tl_os_file folder, const char *name);
bool tl_os_remove(tl_os_file folder, const char *name); /* a file */
bool tl_os_remove_folder(const char *path);             /* an empty folder */
bool tl_os_link(tl_os_file folder, const char *name, const char *second);
bool tl_os_rename(tl_os_file folder, const char *from, const char *to); /* replaces an existing file */

/* ---- memory ---- */

/* Asks for large pages where whole ones fit, before anything is written there: for arrays of megabytes that are read in
 * no order. A hint; few systems take it. */
void tl_os_advise_large_pages(void *at, size_t size);

/* Gets the pages that are not there yet, all at once: for arrays that will be written as a whole. Page faults on the
 * first write take twice as long. A hint as well. */
void tl_os_populate(void *at, size_t size);

/* ---- time, processes, threads ---- */

tl_os_time tl_os_now(void);
uint64_t tl_os_process_id(void);
uint32_t tl_os_processor_count(void);

void tl_os_mutex_init(tl_os_mutex *mutex);
void tl_os_mutex_free(tl_os_mutex *mutex);
void tl_os_mutex_lock(tl_os_mutex *mutex);
void tl_os_mutex_unlock(tl_os_mutex *mutex);
void tl_os_condition_init(tl_os_condition *condition);
void tl_os_condition_free(tl_os_condition *condition);
void tl_os_condition_broadcast(tl_os_condition *condition);
/* Returns when broadcast, or after the timeout; 0: no timeout. */
void tl_os_condition_wait(tl_os_condition *condition, tl_os_mutex *mutex, uint32_t milliseconds);
bool tl_os_thread_start(tl_os_thread *thread, void (*run)(void *user), void *user);
void tl_os_thread_join(tl_os_thread *thread);

/* Blocks signals that end the process, in this thread and in those that it starts. Windows cannot hold back such events
 * for long, so there it does nothing. */
typedef enum tl_os_signal_set {
    TL_OS_SIGNALS_OF_USER, /* SIGINT, SIGTERM and the like */
    TL_OS_SIGNALS_ALL      /* also those of resource limits and of broken pipes */
} tl_os_signal_set;
void tl_os_signals_hold(tl_os_signals *signals, tl_os_signal_set set);
void tl_os_signals_release(tl_os_signals *signals);
/* True if a signal has arrived since. `deadly`: one whose default action would end the process. */
bool tl_os_signals_pending(const tl_os_signals *signals, bool deadly);
#endif

/* ---- the entries of a folder ---- */

#if TL_HAVE_OS || defined(__wasi__)
typedef struct tl_os_list tl_os_list;
#if TL_HAVE_OS
tl_os_list *tl_os_list_folder(tl_os_file folder); /* does not close it */
#endif
tl_os_list *tl_os_list_path(const char *path);
const char *tl_os_list_next(tl_os_list *list); /* without "." and ".."; valid until the next call; NULL: no more */
/* The kind of the entry that was last returned. Links are not followed. */
bool tl_os_list_kind(tl_os_list *list, const char *name, tl_os_kind *kind);
void tl_os_list_close(tl_os_list *list);
#endif

#endif

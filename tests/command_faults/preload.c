/* preload.c: makes calls of the C library fail on demand, for programs started with LD_PRELOAD. What fails is in the
 * environment:
 *
 *   FAULT_CALL    malloc, read, write, openat, fsync, stdio or renameat
 *   FAULT_AT      the number of the call that fails, from 1; FAULT_ON=1: and all calls behind it
 *   FAULT_LIVE    malloc fails when more bytes than this are allocated
 *   FAULT_SHORT   read and write transfer at most that many bytes
 *   FAULT_REPORT  a file that gets the number of calls of each kind, and the most bytes allocated
 *
 * stdio is a write of standard output or of a file that fopen opened, for which the C library calls no function that
 * could be replaced: these streams get another one to write with. openat stands for fopen, malloc for calloc and
 * realloc too. Memory of `new` in C++ fails only by FAULT_LIVE: a library that throws
 * cannot be called where one allocation of many may fail, but it is called only when there is room for all of them. */
#undef _FILE_OFFSET_BITS /* both names of openat are defined here */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MALLOC, READ, WRITE, OPENAT, FSYNC, STDIO, RENAMEAT, CALLS };
static const char *const names[CALLS] = {"malloc", "read", "write", "openat", "fsync", "stdio", "renameat"};
static unsigned long counts[CALLS], fault_at, fault_live, fault_short, live, peak;
static int fault_call = -1, fault_on, running;
static const char *report;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

static FILE *stream_of(int file);

static unsigned long number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void start(void)
{
    const char *call = getenv("FAULT_CALL");
    for (int i = 0; call && i < CALLS; i++)
        if (strcmp(call, names[i]) == 0)
            fault_call = i;
    fault_at = number("FAULT_AT");
    fault_on = number("FAULT_ON") != 0;
    fault_live = number("FAULT_LIVE");
    fault_short = number("FAULT_SHORT");
    report = getenv("FAULT_REPORT");
    FILE *out = stream_of(STDOUT_FILENO);
    if (out)
        stdout = out;
    running = 1;
}

__attribute__((destructor)) static void stop(void)
{
    fflush(stdout);
    running = 0;
    FILE *file = report ? fopen(report, "w") : NULL;
    for (int i = 0; file && i < CALLS; i++)
        fprintf(file, "%s %lu\n", names[i], counts[i]);
    if (file) {
        fprintf(file, "live %lu\n", peak);
        fclose(file);
    }
}

static int fails(int call)
{
    if (!running)
        return 0;
    counts[call]++;
    return call == fault_call && (counts[call] == fault_at || (fault_on && counts[call] > fault_at));
}

/* --- memory --- */

static int too_much(size_t size)
{
    return running && fault_live && live + size > fault_live;
}

static void *allocated(void *block)
{
    live += block ? malloc_usable_size(block) : 0;
    peak = live > peak ? live : peak;
    return block;
}

void *malloc(size_t size)
{
    if (fails(MALLOC) || too_much(size)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocated(__libc_malloc(size));
}

void *calloc(size_t count, size_t each)
{
    if (fails(MALLOC) || too_much(count * each)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocated(__libc_calloc(count, each));
}

void *realloc(void *old, size_t size)
{
    const size_t before = old ? malloc_usable_size(old) : 0;
    if (fails(MALLOC) || (size > before && too_much(size - before))) {
        errno = ENOMEM;
        return NULL;
    }
    void *block = __libc_realloc(old, size);
    if (block || size == 0)
        live -= before;
    return allocated(block);
}

void free(void *block)
{
    live -= block ? malloc_usable_size(block) : 0;
    __libc_free(block);
}

/* operator new of C++, as its ABI names it on 64 bits. */
void *_Znwm(size_t size)
{
    void *block = too_much(size) ? NULL : allocated(__libc_malloc(size ? size : 1));
    if (!block)
        abort();
    return block;
}

void _ZdlPv(void *block)
{
    free(block);
}

/* --- files --- */

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t read(int file, void *bytes, size_t size)
{
    if (fails(READ)) {
        errno = EIO;
        return -1;
    }
    return REAL(read)(file, bytes, fault_short && size > fault_short ? fault_short : size);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    if (fails(WRITE)) {
        errno = ENOSPC;
        return -1;
    }
    return REAL(write)(file, bytes, fault_short && size > fault_short ? fault_short : size);
}

/* Programs with 64-bit file offsets call it by the second name. */
static int open_below(const char *name, int folder, const char *path, int flags, mode_t mode)
{
    if (fails(OPENAT)) {
        errno = EMFILE;
        return -1;
    }
    return ((__typeof__(&openat))dlsym(RTLD_NEXT, name))(folder, path, flags, mode);
}

#define OPENAT_AS(name)                                                                                                \
    int name(int folder, const char *path, int flags, ...)                                                             \
    {                                                                                                                  \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        const mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;                                                \
        va_end(list);                                                                                                  \
        return open_below(#name, folder, path, flags, mode);                                                           \
    }
OPENAT_AS(openat)
OPENAT_AS(openat64)

/* --- streams --- */

/* As the C library does it: a short write is followed by another one. */
static ssize_t stream_write(void *file, const char *bytes, size_t size)
{
    size_t done = 0;
    if (fails(STDIO)) {
        errno = ENOSPC;
        return 0;
    }
    while (done < size) {
        const size_t rest = size - done;
        const ssize_t wrote =
            REAL(write)((int)(intptr_t)file, bytes + done, fault_short && rest > fault_short ? fault_short : rest);
        if (wrote <= 0)
            return 0;
        done += (size_t)wrote;
    }
    return (ssize_t)size;
}

static int stream_close(void *file)
{
    return close((int)(intptr_t)file);
}

static FILE *stream_of(int file)
{
    return fopencookie((void *)(intptr_t)file, "w",
                       (cookie_io_functions_t){.write = stream_write, .close = stream_close});
}

/* The only such stream that the program asks about. */
int fileno(FILE *file)
{
    return file == stdout ? STDOUT_FILENO : REAL(fileno)(file);
}

static FILE *open_stream(const char *name, const char *path, const char *mode)
{
    if (fails(OPENAT)) {
        errno = EMFILE;
        return NULL;
    }
    if (mode[0] != 'w')
        return ((__typeof__(&fopen))dlsym(RTLD_NEXT, name))(path, mode);
    const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0666);
    return file >= 0 ? stream_of(file) : NULL;
}

FILE *fopen(const char *path, const char *mode)
{
    return open_stream("fopen", path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    return open_stream("fopen64", path, mode);
}

int fsync(int file)
{
    if (fails(FSYNC)) {
        errno = EIO;
        return -1;
    }
    (void)file;
    return 0; /* waiting for the disk would only take time */
}

int renameat(int from, const char *old, int to, const char *new)
{
    if (fails(RENAMEAT)) {
        errno = EIO;
        return -1;
    }
    return REAL(renameat)(from, old, to, new);
}

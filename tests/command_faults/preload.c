/* preload.c: makes calls of the C library fail on demand, for programs started with LD_PRELOAD. What fails is in the
 * environment:
 *
 *   FAULT_CALL    malloc, read, write, openat, fsync or renameat
 *   FAULT_AT      the number of the call that fails, from 1; FAULT_ON=1: and all calls behind it
 *   FAULT_LIVE    malloc fails when more bytes than this are allocated
 *   FAULT_SHORT   read and write transfer at most that many bytes
 *   FAULT_REPORT  a file that gets the number of calls of each kind, and the most bytes allocated
 *
 * malloc stands for calloc and realloc too. Memory of `new` in C++ fails only by FAULT_LIVE: a library that throws
 * cannot be called where one allocation of many may fail, but it is called only when there is room for all of them. */
#undef _FILE_OFFSET_BITS /* both names of openat are defined here */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MALLOC, READ, WRITE, OPENAT, FSYNC, RENAMEAT, CALLS };
static const char *const names[CALLS] = {"malloc", "read", "write", "openat", "fsync", "renameat"};
static unsigned long counts[CALLS], fault_at, fault_live, fault_short, live, peak;
static int fault_call = -1, fault_on, running;
static const char *report;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

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
    running = 1;
}

__attribute__((destructor)) static void stop(void)
{
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

/* count.c: counts what a program does, as basic blocks it enters and blocks of memory it copies or compares.
 *
 * The compiler calls __sanitizer_cov_trace_pc at each basic block (-fsanitize-coverage=trace-pc). What the C library
 * does with memory is no block of ours, so those functions are replaced (-Wl,--wrap) and count 16 bytes as a step. The
 * count is the same in every run, on every machine with the same compiler. It goes to the file that $TRILOBITE_WORK
 * names.
 */
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t steps;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    steps++;
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("TRILOBITE_WORK");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%llu\n", (unsigned long long)steps);
        fclose(file);
    }
}

/* See flood.h. */
uint32_t flood_hash(uint32_t hash);
uint32_t flood_hash(uint32_t hash)
{
    static int floods = -1;
    if (floods < 0)
        floods = getenv("TRILOBITE_FLOOD") != NULL;
    return floods ? 7 : hash;
}

/* Functions that touch as many bytes as they are told. */
#define COUNT_SIZED(type, name, parameters, arguments)                                                                 \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        steps += size / 16 + 1;                                                                                        \
        return __real_##name arguments;                                                                                \
    }

COUNT_SIZED(void *, memcpy, (void *to, const void *from, size_t size), (to, from, size))
COUNT_SIZED(void *, memmove, (void *to, const void *from, size_t size), (to, from, size))
COUNT_SIZED(void *, memset, (void *to, int value, size_t size), (to, value, size))
COUNT_SIZED(void *, calloc, (size_t count, size_t size), (count, size))

/* Functions that may stop early count what they looked at. */
static int answer(size_t length, int difference)
{
    steps += length / 16 + 1;
    return difference;
}

int __wrap_memcmp(const void *a, const void *b, size_t size);
int __wrap_memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a, *y = b;
    size_t i = 0;
    while (i < size && x[i] == y[i])
        i++;
    return answer(i, i < size ? x[i] - y[i] : 0);
}

int __wrap_strcmp(const char *a, const char *b);
int __wrap_strcmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return answer(i, (unsigned char)a[i] - (unsigned char)b[i]);
}

int __wrap_strncmp(const char *a, const char *b, size_t size);
int __wrap_strncmp(const char *a, const char *b, size_t size)
{
    size_t i = 0;
    while (i < size && a[i] && a[i] == b[i])
        i++;
    return answer(i, i < size ? (unsigned char)a[i] - (unsigned char)b[i] : 0);
}

/* A loop of our own is what gcc replaces by a call of strlen, which is this function. */
size_t __real_strlen(const char *text);
size_t __wrap_strlen(const char *text);
size_t __wrap_strlen(const char *text)
{
    const size_t length = __real_strlen(text);
    steps += length / 16 + 1;
    return length;
}

void *__real_memchr(const void *bytes, int byte, size_t size);
void *__wrap_memchr(const void *bytes, int byte, size_t size);
void *__wrap_memchr(const void *bytes, int byte, size_t size)
{
    const char *found = __real_memchr(bytes, byte, size);
    steps += (found ? (size_t)(found - (const char *)bytes) : size) / 16 + 1;
    return (void *)(uintptr_t)found;
}

/* Copies in the worst case. */
void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size)
{
    steps += (memory ? malloc_usable_size(memory) : 0) / 16 + 1;
    return __real_realloc(memory, size);
}

#include "support/effort.h"

#include "harness.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The linker names the ends of the section with the counters. Where nothing has any, both are NULL. */
extern uint64_t effort_counters[] __asm__("__start___llvm_prf_cnts") __attribute__((weak, visibility("hidden")));
extern uint64_t effort_counters_end[] __asm__("__stop___llvm_prf_cnts") __attribute__((weak, visibility("hidden")));

/* Of the sanitizer's runtime. */
typedef void effort_malloc_hook(const volatile void *block, size_t size);
typedef void effort_free_hook(const volatile void *block);
extern int effort_install_hooks(effort_malloc_hook *,
                                effort_free_hook *) __asm__("__sanitizer_install_malloc_and_free_hooks")
    __attribute__((weak));
extern size_t effort_size_of(const volatile void *block) __asm__("__sanitizer_get_allocated_size")
    __attribute__((weak));

/* Commands may allocate in several threads. */
static atomic_size_t live, peak;

static void count_malloc(const volatile void *block, size_t size)
{
    (void)block;
    const size_t now = atomic_fetch_add(&live, size) + size;
    size_t before = atomic_load(&peak);
    while (before < now && !atomic_compare_exchange_weak(&peak, &before, now))
        ;
}

static void count_free(const volatile void *block)
{
    if (block)
        atomic_fetch_sub(&live, effort_size_of(block));
}

/* Adding up must not be counted: the counter of that loop would be written back after it was cleared, and grow with
 * every input. */
#ifdef __clang__
#define UNCOUNTED __attribute__((no_profile_instrument_function))
#else
#define UNCOUNTED
#endif

/* libFuzzer has threads that may allocate at any time, which is counted: at most this many branches. */
enum { OTHER_THREADS = 1000 };

/* Counters start again from 0: what an earlier input did is no part of the sum. */
UNCOUNTED static uint64_t take_work(void)
{
    uint64_t sum = 0;
    for (uint64_t *counter = effort_counters; counter < effort_counters_end; counter++) {
        sum += *counter;
        *counter = 0;
    }
    return sum;
}

UNCOUNTED void effort_begin(void)
{
    static bool installed;
    if (!installed && effort_install_hooks)
        effort_install_hooks(count_malloc, count_free);
    take_work();
    if (!installed && take_work() > OTHER_THREADS)
        FAIL("counting the work counts as work");
    installed = true;
    /* What the caller has allocated before may be freed in between: far from zero is far from wrapping around. */
    atomic_store(&live, SIZE_MAX / 2);
    atomic_store(&peak, SIZE_MAX / 2);
}

effort effort_end(void)
{
    return (effort){take_work(), atomic_load(&peak) - SIZE_MAX / 2};
}

void effort_check(effort spent, size_t size, const effort_bound *bound)
{
    const uint64_t work = bound->work + bound->work_per_byte * size;
    const size_t bytes = bound->peak + bound->peak_per_byte * size;
    if (getenv("EFFORT_PRINT"))
        printf("%zu bytes: work %" PRIu64 " of %" PRIu64 ", memory %zu of %zu\n", size, spent.work, work, spent.peak,
               bytes);
    if (spent.work > work)
        FAIL("too much work for %zu bytes: %" PRIu64 " branches, allowed are %" PRIu64, size, spent.work, work);
    if (spent.peak > bytes)
        FAIL("too much memory for %zu bytes: %zu bytes, allowed are %zu", size, spent.peak, bytes);
}

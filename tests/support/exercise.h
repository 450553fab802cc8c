/* exercise.h: everything the library can do with one input, and what must hold whatever the input is. Shared by the
 * fault tests, the fuzz targets and the corpus tests. */
#ifndef TL_TEST_EXERCISE_H
#define TL_TEST_EXERCISE_H

#include "trilobite/trilobite.h"

/* An allocator that counts, and that can be told to fail. */
typedef struct meter {
    size_t now, peak;     /* bytes */
    size_t calls;         /* that allocate */
    size_t fail_at;       /* the call that fails, counted from 1; 0: none does */
    bool fail_from_there; /* and all later ones */
    uint64_t elements;    /* the limit for exercise; 0: the default */
} meter;

trilo_memory meter_memory(meter *m, size_t max_bytes);

typedef enum exercise_result { EXERCISE_REFUSED, EXERCISE_OPENED, EXERCISE_MODEL } exercise_result;

/* Opens, checks, lists, writes, decodes, poses, encodes and reads again. Calls test_fail when a promise is broken: an
 * error without text, a rewrite that differs, sections that do not add up, a model that fails its own check, a leak,
 * more memory than allowed. */
exercise_result exercise(const uint8_t *bytes, size_t size, meter *m, size_t max_bytes);
/* The same with files beside it. */
exercise_result exercise_beside(const uint8_t *bytes, size_t size, meter *m, size_t max_bytes,
                                trilo_companion_fn *companion, void *companion_user);

/* The same for a fuzz target: what the input may become is limited to ELEMENTS_LEAST elements and 32 for each byte, and
 * so must be the work and the memory. `beside` is given to `companion`; both may be NULL. */
enum { ELEMENTS_LEAST = 1 << 14 };
exercise_result exercise_within_bounds(const uint8_t *bytes, size_t size, trilo_companion_fn *companion,
                                       trilo_bytes *beside);

#endif

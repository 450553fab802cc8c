/* effort.h: how much work and memory an input costs, so that a fuzz target can refuse inputs that cost too much.
 *
 * Work is the sum of the counters that clang's -fprofile-instr-generate puts into every branch of the library and the
 * program: the same number on every machine. Bytes are those of malloc, as AddressSanitizer reports them. In builds
 * without these both are 0, and every bound holds. */
#ifndef TL_TEST_EFFORT_H
#define TL_TEST_EFFORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct effort {
    uint64_t work;
    size_t peak; /* bytes allocated at once */
} effort;

/* What an input may cost: a part for each of its bytes, and a part that every input may have. */
typedef struct effort_bound {
    uint64_t work, work_per_byte;
    size_t peak, peak_per_byte;
} effort_bound;

/* Efforts do not nest. */
void effort_begin(void);
effort effort_end(void);

/* Calls test_fail when the input of that many bytes cost more. With EFFORT_PRINT in the environment it prints what each
 * input cost. */
void effort_check(effort spent, size_t size, const effort_bound *bound);

#endif

/* faults.h: what every format must survive. */
#ifndef TL_TEST_FAULTS_H
#define TL_TEST_FAULTS_H

#include "support/buffer.h"
#include "support/exercise.h"

/* A file and what lies beside it. The bytes are changed and put back. */
typedef struct fault_input {
    uint8_t *bytes;
    size_t size;
    trilo_companion_fn *companion;
    void *companion_user;
} fault_input;

enum { FAULT_MEGABYTE = 1 << 20 };

/* All of these do a part of what they say, spread over the whole file, unless the run is a full one (harness.h). */

/* Every length from nothing to all but one byte is refused, but for the last `loose` ones (a format whose end is not
 * needed); never more memory than in proportion to the file. */
void fault_truncate(const fault_input *in, size_t loose);
/* Each byte changed in several ways; `results` counts by exercise_result. */
void fault_flip(const fault_input *in, size_t results[3]);
/* The n-th allocation denied, once and for good, until everything succeeds. */
void fault_starve(const fault_input *in);
/* Every memory limit, in steps, until it is enough. */
void fault_limit(const fault_input *in);

/* All of these with a file that `make` writes. */
void fault_all(void (*make)(buffer *), size_t results[3]);
/* A file of the corpus truncated, starved of memory and, if asked for, flipped. */
void fault_corpus_file(const char *path, bool flip);

#endif

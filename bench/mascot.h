/* mascot.h: the mascot, which the neighbour program trilobite-mascot makes. */
#ifndef BENCH_MASCOT_H
#define BENCH_MASCOT_H

#include "harness.h"

/* Writes it into the temporary folder. False: that program cannot be run, which was reported. */
bool bench_mascot(const bench *b, char path[BENCH_PATH]);

#endif

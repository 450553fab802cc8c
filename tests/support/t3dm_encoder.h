/* t3dm_encoder.h: a T3DM encoder of an empty model, for tests of its steps one by one. */
#ifndef TL_TEST_T3DM_ENCODER_H
#define TL_TEST_T3DM_ENCODER_H

#include "formats/t3dm/encode/encode.h"
#include "support/findings.h"

typedef struct encoder_bench {
    tl_arena arena;
    listener heard; /* what the steps report */
    tl_report losses;
    trilo_error err;
    trilo_t3dm_write_opts t3dm;
    trilo_write_opts opts;
    trilo_model model;
    t3dm_file file;
    t3dm_encoder e;
} encoder_bench;

void encoder_bench_init(encoder_bench *b);
void encoder_bench_free(encoder_bench *b);

#endif

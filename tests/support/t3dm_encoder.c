#include "support/t3dm_encoder.h"

#include <string.h>

void encoder_bench_init(encoder_bench *b)
{
    memset(b, 0, sizeof *b);
    tl_arena_init(&b->arena, NULL);
    b->losses = (tl_report){.fn = listen, .user = &b->heard};
    b->opts.t3dm = &b->t3dm;
    b->file.version = T3DM_V4;
    b->e = (t3dm_encoder){.model = &b->model,
                          .opts = &b->opts,
                          .arena = &b->arena,
                          .losses = &b->losses,
                          .err = &b->err,
                          .subject = {"", 0},
                          .file = &b->file,
                          .policy = {.scale = 1}};
}

void encoder_bench_free(encoder_bench *b)
{
    tl_arena_free(&b->e.curve_scratch);
    tl_arena_free(&b->arena);
}

#include "support/lz4.h"

#include "container/dca.h"

bool has_lz4(void)
{
    tl_arena arena;
    trilo_bytes out;
    trilo_error err = {0};
    tl_arena_init(&arena, NULL);
    tl_dca_compress_lz4(&arena, (trilo_bytes){(const uint8_t *)"a", 1}, 3, &out, &err);
    tl_arena_free(&arena);
    return err.code != TRILO_CODE_UNSUPPORTED;
}

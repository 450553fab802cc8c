/* Any bytes as a glTF file, text or binary. The last two bytes say how many before them are a file that lies beside,
 * under every name. */
#include "fuzz/fuzz.h"
#include "support/exercise.h"

static bool give(void *user, const char *name, trilo_bytes *bytes)
{
    (void)name;
    *bytes = *(const trilo_bytes *)user;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const size_t side = (size_t)data[size - 2] << 8 | data[size - 1], rest = size - 2;
    const size_t file = side <= rest ? rest - side : rest;
    trilo_bytes beside = {data + file, rest - file};
    exercise_within_bounds(data, file, give, &beside);
    return 0;
}

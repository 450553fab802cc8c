/* Any bytes as a file of the N64 model format. The last byte chooses the reading options, so that the fuzzer finds its
 * way into them. */
#include "fuzz/fuzz.h"
#include "support/exercise.h"

static void try_options(const uint8_t *data, size_t size, uint8_t choice)
{
    const trilo_load_opts opts = {.format = TRILO_FORMAT_MODEL64,
                                  .memory.max_bytes = 16u << 20,
                                  .limits.count = choice & 4 ? 3 : 0,
                                  .strict = (choice & 8) != 0,
                                  .check_profile =
                                      choice & 16 ? TRILO_CHECK_PROFILE_THORNMARKED : TRILO_CHECK_PROFILE_NONE,
                                  .model64 = &(trilo_model64_load_opts){.colors = (trilo_model64_colors)(choice & 3),
                                                                        .texcoord_bits = (choice >> 5) * 5u}};
    const trilo_model *model = trilo_model_load(data, size, &opts, NULL);
    trilo_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    exercise_within_bounds(data, size, NULL, NULL);
    if (size > 0)
        try_options(data, size - 1, data[size - 1]);
    return 0;
}

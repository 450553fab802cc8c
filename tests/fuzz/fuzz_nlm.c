/* Any bytes as an NLM file. The last byte chooses the reading options, so that the fuzzer finds its way into them. */
#include "fuzz/fuzz.h"
#include "support/exercise.h"

#include <stdlib.h>

static void try_options(const uint8_t *data, size_t size, uint8_t choice)
{
    const trilo_load_opts opts = {
        .format = TRILO_FORMAT_NLM,
        .memory.max_bytes = 16u << 20,
        .limits.depth = choice & 4 ? 2 : 0,
        .strict = (choice & 8) != 0,
        .nlm = &(trilo_nlm_load_opts){.topology = (trilo_nlm_topology)(choice % 3), .quat_wxyz = (choice & 16) != 0}};
    const trilo_model *model = trilo_model_load(data, size, &opts, NULL);
    const trilo_model_edit_opts edit = {.restore_size = (choice & 32) != 0, .normalize = (choice & 64) != 0};
    if (model)
        trilo_model_free(trilo_model_edit(model, &edit, NULL, NULL));
    trilo_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    exercise_within_bounds(data, size, NULL, NULL);
    if (size > 0)
        try_options(data, size - 1, data[size - 1]);
    return 0;
}

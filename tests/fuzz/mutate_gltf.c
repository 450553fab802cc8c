/* New inputs of the target gltf: half of them by changes to the JSON. */
#include "fuzz/fuzz.h"
#include "support/mutate.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    uint32_t random = seed;
    const size_t made = mutate_random(&random) % 2 ? mutate_gltf(data, size, room, seed) : 0;
    return made ? made : LLVMFuzzerMutate(data, size, room);
}

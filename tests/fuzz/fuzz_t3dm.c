/* Any bytes as a T3DM file with a stream beside it: the last two bytes say how many before them are the stream. */
#include "fuzz/fuzz.h"
#include "support/exercise.h"

static bool give_stream(void *user, const char *name, trilo_bytes *bytes)
{
    (void)name;
    *bytes = *(const trilo_bytes *)user;
    return true;
}

static bool swallow(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return true;
}

static void try_versions(const uint8_t *data, size_t size)
{
    const trilo_load_opts opts = {.format = TRILO_FORMAT_T3DM, .memory.max_bytes = 16u << 20};
    trilo_document *document = trilo_document_open(data, size, &opts, NULL);
    for (uint32_t version = 1; document && version <= 4; version++)
        trilo_document_write(document, &(trilo_rewrite_opts){.format_version = version}, swallow, NULL, NULL);
    trilo_document_free(document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const size_t stream = (size_t)data[size - 2] << 8 | data[size - 1], rest = size - 2;
    const size_t file = stream <= rest ? rest - stream : rest;
    trilo_bytes beside = {data + file, rest - file};
    exercise_within_bounds(data, file, give_stream, &beside);
    try_versions(data, file);
    return 0;
}

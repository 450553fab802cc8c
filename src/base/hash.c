#include "trilobite/core.h"

const char *trilo_version(void)
{
    return TRILO_VERSION;
}

uint32_t trilo_fnv1a(const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * 16777619u;
    return hash;
}

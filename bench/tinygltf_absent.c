/* For a build without tinygltf. */
#include "tinygltf.h"

#ifndef BENCH_WITH_TINYGLTF

bool tinygltf_there(void)
{
    return false;
}

bool tinygltf_load_file(const char *path)
{
    (void)path;
    return false;
}

#else
typedef int tinygltf_is_there; /* a file without declarations is not C */
#endif

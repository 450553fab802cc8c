/* assimp.h: the same model loaded by another library, to compare with. It may not have been there at build time. */
#ifndef BENCH_ASSIMP_H
#define BENCH_ASSIMP_H

#include <stdbool.h>
#include <stddef.h>

bool assimp_there(void);
/* Load a glTF binary as it is, without post-processing, and free it again. False: it cannot be loaded. */
bool assimp_load_file(const char *path);
bool assimp_load(const void *bytes, size_t size);

#endif

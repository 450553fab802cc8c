/* tinygltf.h: glTF files read by tinygltf, to compare with. It may not have been there at build time. */
#ifndef BENCH_TINYGLTF_H
#define BENCH_TINYGLTF_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

bool tinygltf_there(void);
/* Loads a .gltf or .glb file without decoding its images, and frees it again. False: it cannot be loaded. */
bool tinygltf_load_file(const char *path);

#ifdef __cplusplus
}
#endif
#endif

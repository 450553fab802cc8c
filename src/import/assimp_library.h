/* assimp_library.h: the functions of Assimp, loaded when a file needs them.
 *
 * Linking to it would load it, and what it needs itself, at the start of every program: more instructions than it takes
 * to read a model. It would also have to be installed where it is never used. */
#ifndef TL_IMPORT_ASSIMP_LIBRARY_H
#define TL_IMPORT_ASSIMP_LIBRARY_H

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/material.h>
#include <stdbool.h>

#define TL_ASSIMP_FUNCTIONS(F)                                                                                         \
    F(aiCreatePropertyStore)                                                                                           \
    F(aiGetErrorString)                                                                                                \
    F(aiGetMaterialColor)                                                                                              \
    F(aiGetMaterialFloatArray)                                                                                         \
    F(aiGetMaterialIntegerArray)                                                                                       \
    F(aiGetMaterialString)                                                                                             \
    F(aiGetMaterialTexture)                                                                                            \
    F(aiGetMaterialTextureCount)                                                                                       \
    F(aiImportFileExWithProperties)                                                                                    \
    F(aiIsExtensionSupported)                                                                                          \
    F(aiReleaseImport)                                                                                                 \
    F(aiReleasePropertyStore)                                                                                          \
    F(aiSetImportPropertyInteger)

typedef struct tl_assimp_library {
#define TL_ASSIMP_MEMBER(name) __typeof__(name) *name;
    TL_ASSIMP_FUNCTIONS(TL_ASSIMP_MEMBER)
#undef TL_ASSIMP_MEMBER
} tl_assimp_library;

/* False: it is not installed, or lacks a function. It stays loaded, so the second time costs little. */
bool tl_assimp_load(tl_assimp_library *library);

#endif

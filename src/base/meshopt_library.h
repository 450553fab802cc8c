/* meshopt_library.h: the functions of meshoptimizer, loaded when something needs them.
 *
 * It is written in C++. Linking to it would load the C++ runtime at the start of every program, which takes longer than
 * to read a small model. */
#ifndef TL_BASE_MESHOPT_LIBRARY_H
#define TL_BASE_MESHOPT_LIBRARY_H

#include <meshoptimizer.h>
#include <stdbool.h>

#define TL_MESHOPT_FUNCTIONS(F)                                                                                        \
    F(meshopt_decodeFilterExp)                                                                                         \
    F(meshopt_decodeFilterOct)                                                                                         \
    F(meshopt_decodeFilterQuat)                                                                                        \
    F(meshopt_decodeIndexBuffer)                                                                                       \
    F(meshopt_decodeIndexSequence)                                                                                     \
    F(meshopt_decodeVertexBuffer)                                                                                      \
    F(meshopt_optimizeOverdraw)                                                                                        \
    F(meshopt_optimizeVertexCache)                                                                                     \
    F(meshopt_simplify)

typedef struct tl_meshopt_library {
#define TL_MESHOPT_MEMBER(name) __typeof__(name) *name;
    TL_MESHOPT_FUNCTIONS(TL_MESHOPT_MEMBER)
#undef TL_MESHOPT_MEMBER
} tl_meshopt_library;

/* False: it is not installed, or lacks a function. It stays loaded, so the second time costs little. */
bool tl_meshopt_load(tl_meshopt_library *library);

#endif

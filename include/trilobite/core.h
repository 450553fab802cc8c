/* core.h: basic types.
 *
 * Conventions of the library:
 *  - names are trilo_<noun>_<verb>; `_count` counts elements, `_size` counts bytes, `_at` is a byte offset;
 *  - a zero-filled options struct means the defaults, and so does a NULL pointer to one;
 *  - results are open, read-only structs that are freed as a whole; objects with invariants are opaque;
 *  - there is no global mutable state: const objects may be shared between threads.
 */
#ifndef TRILOBITE_CORE_H
#define TRILOBITE_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(TRILO_SHARED)
#define TRILO_API __declspec(dllexport)
#elif defined(__GNUC__)
#define TRILO_API __attribute__((visibility("default")))
#else
#define TRILO_API
#endif

#define TRILO_VERSION_MAJOR 0
#define TRILO_VERSION_MINOR 2
#define TRILO_VERSION_PATCH 0
#define TRILO_VERSION       "0.2.0"

/* An index that points nowhere: no parent, no material, no texture. */
#define TRILO_NONE UINT32_MAX

/* A byte offset that is not known. */
#define TRILO_NOWHERE UINT64_MAX

#ifdef __cplusplus
extern "C" {
#endif

/* Text: `len` bytes followed by a NUL. Never NULL in a loaded model; in your own model {NULL, 0} means "". */
typedef struct trilo_str {
    const char *data;
    size_t len;
} trilo_str;

typedef struct trilo_bytes {
    const uint8_t *data;
    size_t size;
} trilo_bytes;

typedef struct trilo_vec3 {
    float x, y, z;
} trilo_vec3;

/* A rotation quaternion; the identity is 0, 0, 0, 1. */
typedef struct trilo_quat {
    float x, y, z, w;
} trilo_quat;

/* Column major: m[4 * column + row], translation in m[12..14], vectors are columns (world = parent * local). */
typedef struct trilo_mat4 {
    float m[16];
} trilo_mat4;

/* An axis-aligned box. It is empty if any min is above its max. */
typedef struct trilo_bounds {
    trilo_vec3 min, max;
} trilo_bounds;

/* The version of the linked library; TRILO_VERSION is the version that was compiled against. */
TRILO_API const char *trilo_version(void);

/* Writes the shortest decimal text that reads back as the same number, independent of the locale: "0.1", "1e-07",
 * "nan". `out` must have room for 32 bytes. Returns the length. */
TRILO_API size_t trilo_float_print(float value, char out[32]);
TRILO_API size_t trilo_double_print(double value, char out[32]);

/* FNV-1a, 32 bits, which NLM files use to identify their source. The hash of no bytes is 2166136261. */
TRILO_API uint32_t trilo_fnv1a(const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif

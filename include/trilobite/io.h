/* io.h: bytes in and out through callbacks. */
#ifndef TRILOBITE_IO_H
#define TRILOBITE_IO_H

#include "trilobite/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads up to `room` bytes and returns their number; 0 is the end; negative means the source failed. */
typedef ptrdiff_t trilo_read_fn(void *user, void *bytes, size_t room);

/* Takes the next bytes; false stops the writing with TRILO_CODE_CANT_WRITE. */
typedef bool trilo_write_fn(void *user, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif

/* io.h: callbacks for bytes in and out, and for progress. */
#ifndef TRILOBITE_IO_H
#define TRILOBITE_IO_H

#include "trilobite/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads up to `room` bytes and returns their number; 0 is the end; negative means the source failed. */
typedef ptrdiff_t trilo_read_fn(void *user, void *bytes, size_t room);

/* Receives the next bytes. Return false to stop writing with TRILO_CODE_CANT_WRITE. */
typedef bool trilo_write_fn(void *user, const void *bytes, size_t size);

/* Called several times a second by work that can take seconds. `done` of `total` steps are finished; steps take
 * different amounts of time. Return false to cancel the work with TRILO_CODE_CANCELLED. */
typedef bool trilo_progress_fn(void *user, uint32_t done, uint32_t total);

#ifdef __cplusplus
}
#endif
#endif

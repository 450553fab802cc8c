/* deflate.h: compression for PNG files. */
#ifndef TL_IMAGE_DEFLATE_H
#define TL_IMAGE_DEFLATE_H

#include "base/arena.h"
#include "base/sink.h"

/* A zlib stream (RFC 1950) of all of `bytes`, in pieces of up to 32 KB. False: no memory. */
bool tl_zlib_write(const uint8_t *bytes, size_t size, tl_arena *arena, tl_sink *sink);

#endif

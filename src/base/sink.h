/* sink.h: the output callback of a writer, with a sticky error. */
#ifndef TL_BASE_SINK_H
#define TL_BASE_SINK_H

#include "trilobite/io.h"

typedef struct tl_sink {
    trilo_write_fn *fn;
    void *user;
    bool refused;
} tl_sink;

static inline void tl_sink_put(tl_sink *sink, const void *bytes, size_t size)
{
    if (!sink->refused && size != 0)
        sink->refused = !sink->fn(sink->user, bytes, size);
}

#endif

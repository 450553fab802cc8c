/* stream.h: clips whose keys are read while they are played (T3DM's .sdata); see trilo_player_play_stream. */
#ifndef TRILOBITE_STREAM_H
#define TRILOBITE_STREAM_H

#include "trilobite/document.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the bytes of a stream come from; `rewind` goes back to the first one. */
typedef struct trilo_stream_source {
    trilo_read_fn *read;
    bool (*rewind)(void *user);
    void *user;
} trilo_stream_source;

typedef struct trilo_stream trilo_stream;

/* Opens the keys of a clip for reading forward while they are played, through a buffer of 512 bytes as on the console.
 * They are always sampled as TRILO_SAMPLING_TINY3D. `source` NULL: the file that was found beside the document, which
 * must then outlive the stream. If the stream ends early or has an invalid key, playback stops there. Returns NULL and
 * fills *err if the document has no such stream. */
TRILO_API trilo_stream *trilo_document_stream(const trilo_document *document, uint32_t clip,
                                              const trilo_stream_source *source, trilo_error *err);
TRILO_API void trilo_stream_free(trilo_stream *stream); /* may be NULL */

/* False if the source failed, ended early or had an invalid key, as far as it was read. */
TRILO_API bool trilo_stream_ok(const trilo_stream *stream);

#ifdef __cplusplus
}
#endif
#endif

/* Streams of keys that belong to a document. */
#include "model/stream.h"

#include "api/document.h"

trilo_stream *trilo_document_stream(const trilo_document *document, uint32_t clip, const trilo_stream_source *source,
                                    trilo_error *err)
{
    const tl_format *format = document->format;
    if (!format->stream || (source && (!source->read || !source->rewind))) {
        tl_fail_misuse(err, format->stream ? "a source needs both functions" : "clips of that format are not streamed");
        return NULL;
    }
    tl_arena arena;
    tl_arena_init(&arena, &document->opts.memory);
    trilo_stream *stream = TL_NEW(&arena, trilo_stream);
    if (!stream) {
        tl_fail_memory(err);
        return NULL;
    }
    *stream = (trilo_stream){.arena = arena, .ok = true};
    if (format->stream(document->file, clip, source, stream, err))
        return stream;
    trilo_stream_free(stream);
    return NULL;
}

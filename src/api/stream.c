/* Streams of keys that belong to a document. */
#include "model/stream.h"

#include "api/document.h"

static trilo_stream *stream_new(const trilo_document *document)
{
    tl_arena arena;
    tl_arena_init(&arena, &document->opts.memory);
    trilo_stream *stream = TL_NEW(&arena, trilo_stream);
    if (!stream)
        return NULL;
    *stream = (trilo_stream){.arena = arena, .ok = true};
    return stream;
}

trilo_stream *trilo_document_stream(const trilo_document *document, uint32_t clip, const trilo_stream_source *source,
                                    trilo_error *err)
{
    const tl_format *format = document->format;
    if (!format->stream || (source && (!source->read || !source->rewind))) {
        tl_fail(err, TRILO_CODE_MISUSE, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL, "%s",
                format->stream ? "a source needs both functions" : "clips of that format are not streamed");
        return NULL;
    }
    trilo_stream *stream = stream_new(document);
    if (!stream) {
        tl_fail_memory(err);
        return NULL;
    }
    if (format->stream(document->file, clip, source, stream, err))
        return stream;
    trilo_stream_free(stream);
    return NULL;
}

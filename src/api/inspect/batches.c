#include "api/document.h"

uint32_t trilo_document_batches(const trilo_document *document, uint32_t mesh, uint32_t *batches, uint32_t room)
{
    return document->format->batches ? document->format->batches(document->file, mesh, batches, room) : 0;
}

#include "api/document.h"

uint32_t trilo_document_batches(const trilo_document *document, uint32_t mesh, uint32_t *loads, uint32_t room)
{
    return document->format->loads ? document->format->loads(document->file, mesh, loads, room) : 0;
}

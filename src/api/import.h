/* import.h: models of other programs become glTF when a document is opened. */
#ifndef TL_API_IMPORT_H
#define TL_API_IMPORT_H

#include "base/report.h"
#include "trilobite/document.h"

/* What was lost, for the check of the document. */
typedef struct tl_import_finding {
    struct tl_import_finding *next;
    const trilo_rule *rule;
    const char *text;
} tl_import_finding;

/* Replaces the bytes of a document by those of a .glb with the same model. */
bool tl_document_import(trilo_document *document, trilo_error *err);
/* Reports what was lost. */
void tl_document_report_import(const trilo_document *document, tl_report *report);

#endif

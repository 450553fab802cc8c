/* The model that Assimp reads is written as glTF in memory, which becomes the document: all checks and conversions of
 * glTF then apply. */
#include "api/import.h"

#include "api/document.h"
#include "base/array.h"
#include "import/import.h"
#include "trilobite/document.h"
#include "trilobite/write.h"

#include <string.h>

typedef struct import_target {
    trilo_document *document;
    size_t capacity;
    bool no_memory;
} import_target;

static bool import_keep_bytes(void *user, const void *bytes, size_t size)
{
    import_target *target = user;
    trilo_bytes *kept = &target->document->plain;
    uint8_t *grown = tl_array_grow(&target->document->arena, kept->data, kept->size, &target->capacity, size, 1);
    if (!grown) {
        target->no_memory = true;
        return false;
    }
    memcpy(grown + kept->size, bytes, size);
    *kept = (trilo_bytes){grown, kept->size + size};
    return true;
}

static void import_keep_finding(void *user, const trilo_finding *finding)
{
    import_target *target = user;
    tl_arena *arena = &target->document->arena;
    tl_import_finding *kept = TL_NEW(arena, tl_import_finding), **end = &target->document->import_findings;
    const char *text = kept ? tl_str_copy(arena, finding->text, strlen(finding->text)).data : NULL;
    target->no_memory |= !text;
    if (!text)
        return;
    *kept = (tl_import_finding){.rule = trilo_rule_find(finding->rule), .text = text};
    while (*end)
        end = &(*end)->next;
    *end = kept;
}

trilo_import trilo_document_import(const trilo_document *document)
{
    const bool imported = document->imported_from.name[0] != '\0';
    return (trilo_import){imported ? document->imported_from.name : NULL, imported ? document->source.size : 0};
}

bool tl_document_import(trilo_document *document, trilo_error *err)
{
    import_target target = {.document = document};
    tl_report losses = {.fn = import_keep_finding, .user = &target};
    const trilo_bytes source = document->plain;
    trilo_model model = {.format = TRILO_FORMAT_UNKNOWN};
    const trilo_write_opts write = {
        .format = TRILO_FORMAT_GLTF, .memory = document->opts.memory, .name = "imported.glb"};
    tl_arena scratch;
    tl_arena_init(&scratch, &document->opts.memory);
    bool ok = tl_import_model(source, document->opts.name, &document->opts, &scratch, &model, &losses, err);
    document->plain = (trilo_bytes){NULL, 0};
    ok = ok && trilo_model_write(&model, &write, import_keep_bytes, &target, err);
    tl_arena_free(&scratch);
    return target.no_memory ? tl_fail_memory(err) : ok;
}

void tl_document_report_import(const trilo_document *document, tl_report *report)
{
    for (const tl_import_finding *f = document->import_findings; f; f = f->next)
        tl_report_finding(report, f->rule, TRILO_NOWHERE, "%s", f->text);
}

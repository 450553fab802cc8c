/* The check of a document runs once. Its result is kept beside the document, with the findings; a later caller gets
 * the same ones.
 *
 * The result is published with one atomic store, so that a document can be shared between threads. Two threads that
 * check at the same moment may both do the work; the first result stays. */
#include "api/document.h"

#include <string.h>

enum { FINDINGS_KEPT_MOST = 1024 }; /* a damaged file may have one for each vertex */

typedef struct check_finding {
    struct check_finding *next;
    trilo_finding finding;
} check_finding;

/* In an arena of its own. */
struct tl_check_record {
    tl_arena arena;
    tl_check_result result;
    bool whole; /* all findings are kept; else a listener needs another run */
    check_finding *findings;
};

/* Hands findings on while it keeps them. */
typedef struct check_recorder {
    trilo_finding_fn *fn;
    void *user;
    tl_check_record *record; /* NULL: nothing is kept */
    check_finding **end;
    size_t count;
    bool no_memory; /* the check is not complete: another run may complete it */
} check_recorder;

static void check_record_finding(void *user, const trilo_finding *finding)
{
    check_recorder *recorder = user;
    tl_check_record *record = recorder->record;
    recorder->no_memory |= trilo_finding_is_out_of_memory(finding);
    if (recorder->fn)
        recorder->fn(recorder->user, finding);
    if (!record || !record->whole)
        return;
    check_finding *kept = recorder->count++ < FINDINGS_KEPT_MOST ? TL_NEW(&record->arena, check_finding) : NULL;
    const char *path = kept ? tl_str_copy(&record->arena, finding->path, strlen(finding->path)).data : NULL;
    const char *text = path ? tl_str_copy(&record->arena, finding->text, strlen(finding->text)).data : NULL;
    record->whole = text != NULL;
    if (!text)
        return;
    kept->finding = *finding;
    kept->finding.path = path;
    kept->finding.text = text;
    *recorder->end = kept;
    recorder->end = &kept->next;
}

static tl_check_record *check_record_new(const trilo_document *document)
{
    tl_arena arena;
    tl_arena_init(&arena, &document->opts.memory);
    tl_check_record *record = TL_NEW(&arena, tl_check_record);
    if (record) {
        record->arena = arena;
        record->whole = true;
    }
    return record;
}

void tl_check_record_free(tl_check_record *record)
{
    if (record)
        tl_arena_free(&record->arena);
}

/* Names and images of a materials file, which can be checked only with the model. */
static void check_materials(const trilo_document *document, tl_report *report)
{
    trilo_error err = {.code = TRILO_CODE_OK};
    const trilo_rule *rule = &tl_general_rules[TL_MATERIALS_FILE];
    trilo_model_free(tl_document_decode(document, report, &err));
    if (err.code == TRILO_CODE_NO_MEMORY)
        tl_report_finding(report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE, "%s", err.text);
    else if (err.code != TRILO_CODE_OK && err.rule == rule->name)
        tl_report_finding(report, rule, TRILO_NOWHERE, "%s: %s", err.path, err.text);
}

/* The content counts here, but not for the engine that loads the file. */
static void check_name(const trilo_document *document, tl_report *report)
{
    const trilo_format_info *format = trilo_format_get(trilo_document_format(document));
    const size_t first = strcspn(format->extensions, " ");
    const char *second = format->extensions[first] ? format->extensions + first + 1 : NULL;
    if (document->misnamed)
        tl_report_finding(report, &tl_general_rules[TL_FILE_NAME], TRILO_NOWHERE,
                          "this is a %s file; its extension should be .%.*s%s%s", format->title, (int)first,
                          format->extensions, second ? " or ." : "", second ? second : "");
}

static tl_check_result check_run(const trilo_document *document, bool errors_only, trilo_finding_fn *fn, void *user)
{
    tl_report report = {.fn = fn, .user = user, .errors_only = errors_only};
    tl_arena scratch;
    tl_arena_init(&scratch, &document->opts.memory);
    tl_document_report_import(document, &report);
    if (!errors_only)
        check_name(document, &report);
    document->format->check(document->file, &scratch, &report);
    if (scratch.failed && !report.no_memory)
        tl_report_finding(&report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to check all of the file");
    if (document->materials && !errors_only && report.first.code == TRILO_CODE_OK)
        check_materials(document, &report);
    tl_arena_free(&scratch);
    return (tl_check_result){{report.tally[TRILO_SEVERITY_NOTE], report.tally[TRILO_SEVERITY_WARNING],
                              report.tally[TRILO_SEVERITY_ERROR], report.tally[TRILO_SEVERITY_CRASH]},
                             report.first,
                             report.warning};
}

tl_check_result tl_document_check(const trilo_document *document, trilo_finding_fn *fn, void *user)
{
    tl_check_record *known = atomic_load(&document->checks->record);
    if (known && (!fn || known->whole)) {
        for (const check_finding *kept = known->findings; fn && kept; kept = kept->next)
            fn(user, &kept->finding);
        return known->result;
    }
    tl_check_record *record = known ? NULL : check_record_new(document);
    check_recorder recorder = {.fn = fn, .user = user, .record = record, .end = record ? &record->findings : NULL};
    const tl_check_result result = check_run(document, false, check_record_finding, &recorder);
    if (!record)
        return result;
    record->result = result;
    if (recorder.no_memory || !atomic_compare_exchange_strong(&document->checks->record, &known, record))
        tl_check_record_free(record);
    return result;
}

trilo_tally trilo_document_check(const trilo_document *document, trilo_finding_fn *fn, void *user)
{
    tl_report container = {.fn = fn, .user = user};
    if (document->compression.version != 0)
        tl_dca_check(&document->compression, false, &container);
    trilo_tally tally = tl_document_check(document, fn, user).tally;
    tally.notes += container.tally[TRILO_SEVERITY_NOTE];
    tally.warnings += container.tally[TRILO_SEVERITY_WARNING];
    tally.errors += container.tally[TRILO_SEVERITY_ERROR];
    tally.crashes += container.tally[TRILO_SEVERITY_CRASH];
    return tally;
}

bool tl_document_has_no_error(const trilo_document *document, trilo_error *err)
{
    const tl_check_result result = tl_document_check(document, NULL, NULL);
    if (result.first.code != TRILO_CODE_OK && err)
        *err = result.first;
    return result.first.code == TRILO_CODE_OK;
}

static bool check_accepts(const trilo_document *document, const tl_check_result *result, trilo_error *err)
{
    const bool broken = result->first.code != TRILO_CODE_OK;
    if (!broken && !(document->opts.strict && result->warning.code != TRILO_CODE_OK))
        return true;
    if (err)
        *err = broken ? result->first : result->warning;
    return false;
}

bool tl_document_accept(const trilo_document *document, trilo_finding_fn *fn, void *user, trilo_error *err)
{
    const tl_check_result result = tl_document_check(document, fn, user);
    return check_accepts(document, &result, err);
}

/* Without a callback and an earlier result, only errors are looked for, which is faster. */
bool tl_document_may_decode(const trilo_document *document, trilo_finding_fn *fn, void *user, trilo_error *err)
{
    if (fn || document->opts.strict || atomic_load(&document->checks->record))
        return tl_document_accept(document, fn, user, err);
    if (atomic_load(&document->checks->no_errors))
        return true;
    const tl_check_result result = check_run(document, true, NULL, NULL);
    if (!check_accepts(document, &result, err))
        return false;
    atomic_store(&document->checks->no_errors, true);
    return true;
}

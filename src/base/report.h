/* report.h: reports errors and findings. */
#ifndef TL_BASE_REPORT_H
#define TL_BASE_REPORT_H

#include "base/compiler.h"
#include "base/path.h"
#include "trilobite/error.h"
#include "trilobite/io.h"

/* Rules that belong to no format. */
enum {
    TL_FILE_UNKNOWN, /* to TL_FILE_NAME: trilo_finding_is_about_file */
    TL_FILE_LIMIT,
    TL_FILE_MEMORY,
    TL_FILE_READ,
    TL_FILE_WRITE,
    TL_FILE_REPLACED,
    TL_FILE_NAME,
    TL_CALL_MISUSE,
    TL_CALL_CANCELLED,
    TL_PROJECT_FILE,
    TL_PROJECT_BUDGET,
    TL_MATERIALS_FILE,
    TL_MATERIALS_IMAGE,
    TL_MODEL_INDEX,
    TL_MODEL_ARRAY,
    TL_MODEL_ORDER,
    TL_MODEL_SIZE,
    TL_MODEL_EMPTY,
    TL_MODEL_TEXTURE,
    TL_MODEL_NO_NODE,
    TL_SEEN_EMPTY,
    TL_SEEN_NAN,
    TL_SEEN_FLAT,
    TL_SEEN_SIZE,
    TL_SEEN_RANGE,
    TL_SEEN_CULLED,
    TL_SEEN_ALPHA,
    TL_SEEN_BLACK,
    TL_SEEN_TEXTURE,
    TL_MESH_LIBRARY,
    TL_MESH_SIMPLIFIED,
    TL_MESH_FRAMES,
    TL_GENERAL_RULE_COUNT
};
extern const trilo_rule tl_general_rules[TL_GENERAL_RULE_COUNT];

/* Fills *err (may be NULL) and returns false, so that a caller can `return tl_fail(...)`. `path` may be NULL. */
bool tl_fail(trilo_error *err, trilo_code code, const trilo_rule *rule, uint64_t offset, const tl_path *path,
             const char *format, ...) TL_PRINTF_LIKE(6, 7);
bool tl_fail_memory(trilo_error *err);
/* For invalid arguments: TRILO_CODE_MISUSE. */
bool tl_fail_misuse(trilo_error *err, const char *text);

/* Passes findings to the caller and counts them. */
typedef struct tl_report {
    trilo_finding_fn *fn; /* NULL: only counted */
    void *user;
    bool errors_only;               /* checks that can only find notes or warnings may be skipped */
    tl_path path;                   /* the current position of the check */
    size_t tally[4];                /* by trilo_severity */
    trilo_error first;              /* the first finding that refuses the file; code TRILO_CODE_OK: none */
    trilo_error warning;            /* the first one that only strict reading refuses */
    trilo_progress_fn *on_progress; /* may be NULL */
    void *on_progress_user;
    uint32_t done, total; /* steps of the work */
    bool cancelled;
    bool no_memory; /* a finding says that memory ran out */
} tl_report;

void tl_report_finding(tl_report *report, const trilo_rule *rule, uint64_t offset, const char *format, ...)
    TL_PRINTF_LIKE(4, 5);

/* Returns false if the caller cancelled. The work then stops as if memory had run out, and the owner of the report
 * calls tl_report_fail_cancelled. `report` may be NULL. */
bool tl_report_goes_on(tl_report *report);
/* The same after another step. */
bool tl_report_step(tl_report *report);
/* Replaces *err if the work was cancelled. Returns false. */
bool tl_report_fail_cancelled(const tl_report *report, trilo_error *err);

/* Copies text and escapes control bytes as \xNN. Truncates it to the room; always terminated. */
void tl_escape(const char *text, char *out, size_t room);

#endif

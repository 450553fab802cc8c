/* error.h: errors and findings.
 *
 * An *error* ends a call. A *finding* is a remark about a file; a check reports any number of them. Both have the rule
 * that was violated, the byte offset, the path of the value, and a sentence that says what is wrong and what would be
 * right.
 */
#ifndef TRILOBITE_ERROR_H
#define TRILOBITE_ERROR_H

#include "trilobite/core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum trilo_code {
    TRILO_CODE_OK,
    TRILO_CODE_TRUNCATED,   /* the input ends inside something it announced */
    TRILO_CODE_BAD_VALUE,   /* a value that the format does not allow */
    TRILO_CODE_BAD_REF,     /* an index or offset that points outside */
    TRILO_CODE_UNSUPPORTED, /* understood, but not handled: another version, an unknown format */
    TRILO_CODE_LIMIT,       /* legal, but exceeds a limit set by the caller */
    TRILO_CODE_NO_MEMORY,
    TRILO_CODE_CANT_READ,  /* the source could not be read */
    TRILO_CODE_CANT_WRITE, /* the destination could not be written */
    TRILO_CODE_MISUSE,     /* the call itself is wrong: a bug in the caller's program */
    TRILO_CODE_CANCELLED,  /* a progress callback returned false */
    TRILO_CODE_EMPTY       /* nothing of the model would be drawn; trilo_when_empty can allow it */
} trilo_code;

typedef struct trilo_error {
    trilo_code code;
    const char *rule; /* a stable name such as "NLM-TRUNCATED"; static text, "" if no rule applies */
    uint64_t offset;  /* byte in the input, or TRILO_NOWHERE */
    char path[112];   /* meshes[3].vertices[17].bone_ids[0]; "" if it is not about a value */
    char text[208];   /* one sentence, no newline, control bytes escaped */
} trilo_error;

typedef enum trilo_severity {
    TRILO_SEVERITY_NOTE,    /* advice */
    TRILO_SEVERITY_WARNING, /* legal, but probably a mistake */
    TRILO_SEVERITY_ERROR,   /* the format is broken, or content would be lost */
    TRILO_SEVERITY_CRASH    /* the program that loads this file would read or write out of bounds */
} trilo_severity;

/* What a finding is about. The kind belongs to the rule, so a program can sort findings without knowing their codes. */
typedef enum trilo_finding_kind {
    TRILO_FINDING_KIND_STRUCTURE,   /* a rule of the format, of the console or of the library is broken */
    TRILO_FINDING_KIND_LOSS,        /* content is missing, or is left out or approximated by a conversion */
    TRILO_FINDING_KIND_UNSUPPORTED, /* legal, but Trilobite or the target format cannot handle it */
    TRILO_FINDING_KIND_ADVICE,      /* nothing is broken or lost: a possible improvement, or a remark */
    TRILO_FINDING_KIND_CONFORMANCE  /* the specification forbids it, but it can be read: the file is not refused */
} trilo_finding_kind;

typedef struct trilo_finding {
    trilo_severity severity;
    trilo_finding_kind kind;
    const char *rule; /* as in trilo_error */
    uint64_t offset;
    const char *path; /* valid during the call that reports the finding */
    const char *text;
} trilo_finding;

typedef void trilo_finding_fn(void *user, const trilo_finding *finding);

/* True if the finding says that memory ran out: the check that reports it is not complete. */
TRILO_API bool trilo_finding_is_out_of_memory(const trilo_finding *finding);
/* True if the finding is about a file as a whole: it cannot be read or written, exceeds a limit, or has the name of
 * another format. Its text says what there is to say. */
TRILO_API bool trilo_finding_is_about_file(const trilo_finding *finding);

/* A rule as the documentation lists it. */
typedef struct trilo_rule {
    const char *name;        /* NLM-INDEX-RANGE */
    trilo_severity severity; /* unless the caller overrides it */
    trilo_finding_kind kind;
    const char *cause; /* what makes it fire */
    const char *cure;  /* what to do about it */
} trilo_rule;

/* All rules of all formats, in the order of the documentation; NULL after the last one. */
TRILO_API const trilo_rule *trilo_rule_at(size_t index);
/* Finds a rule by its name or by a former name; NULL: unknown. */
TRILO_API const trilo_rule *trilo_rule_find(const char *name);

/* The rule about an image of another size than its material says, for programs that draw the image nevertheless. */
#define TRILO_RULE_T3DM_TEXTURE_SIZE "T3DM-TEXTURE-SIZE"

/* A former name of a rule. */
typedef struct trilo_rule_alias {
    const char *old_name, *name;
} trilo_rule_alias;
TRILO_API const trilo_rule_alias *trilo_rule_alias_at(size_t index); /* NULL after the last one */

TRILO_API const char *trilo_severity_name(trilo_severity severity); /* "note", "warning", "error", "console-crash" */
/* "structure", "loss", "unsupported", "advice", "conformance" */
TRILO_API const char *trilo_finding_kind_name(trilo_finding_kind kind);

#ifdef __cplusplus
}
#endif
#endif

/* visitor.h: a file field by field, for dumps and other tools; see trilo_document_visit. */
#ifndef TRILOBITE_VISITOR_H
#define TRILOBITE_VISITOR_H

#include "trilobite/core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum trilo_value_kind {
    TRILO_VALUE_KIND_UINT,
    TRILO_VALUE_KIND_INT,
    TRILO_VALUE_KIND_FLOAT,
    TRILO_VALUE_KIND_BLOB,
    TRILO_VALUE_KIND_TEXT
} trilo_value_kind;

/* The value of a field: up to 16 numbers, bytes, or text (without a NUL, also in `blob`). */
typedef struct trilo_value {
    trilo_value_kind kind;
    uint32_t count; /* 1: a number; more: an array */
    uint64_t offset;
    union {
        uint64_t u[16];
        int64_t i[16];
        float f[16];
        trilo_bytes blob;
    } as;
} trilo_value;

/* Called for each record of a file in order. Lists contain records or single values; `name` is NULL for the elements of
 * a list. Every function must be set. */
typedef struct trilo_visitor {
    void *user;
    void (*list_begin)(void *user, const char *name, uint32_t count, uint64_t offset);
    void (*list_end)(void *user);
    void (*record_begin)(void *user, const char *name, uint64_t offset);
    void (*record_end)(void *user);
    void (*field)(void *user, const char *name, const trilo_value *value);
} trilo_visitor;

#ifdef __cplusplus
}
#endif
#endif

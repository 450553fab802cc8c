/* json_steps.h: what the files of the JSON reader share. */
#ifndef TL_BASE_JSON_STEPS_H
#define TL_BASE_JSON_STEPS_H

#include "base/json.h"

/* Where in the text the reader stands, and how it fails there. */
typedef struct tl_json_cursor {
    const uint8_t *start, *at, *end;
    const trilo_rule *rule;
    uint64_t base;
    trilo_error *err;
} tl_json_cursor;

/* The byte under the cursor; -1: none, the text ends. */
static inline int tl_json_peek(const tl_json_cursor *c)
{
    return c->at < c->end ? *c->at : -1;
}

static inline uint64_t tl_json_offset(const tl_json_cursor *c, const uint8_t *at)
{
    return c->base + (uint64_t)(at - c->start);
}

/* Fails because of the byte at `at`; then comes a sentence as for printf. */
#define TL_JSON_WRONG(c, at, ...)                                                                                      \
    tl_fail((c)->err, (at) < (c)->end ? TRILO_CODE_BAD_VALUE : TRILO_CODE_TRUNCATED, (c)->rule, tl_json_offset(c, at), \
            NULL, __VA_ARGS__)
/* Fails under the cursor: "`what` is expected here, not 'x'", or "..., but the text ends". */
bool tl_json_expected(const tl_json_cursor *c, const char *what);

/* json_string.c: from an opening quote to behind the closing one; *length: bytes of the string without its escapes. */
bool tl_json_skip_string(tl_json_cursor *c, size_t *length);
/* What stands between the quotes of a string that was skipped without a complaint; ends with a NUL. */
void tl_json_unescape(const uint8_t *at, const uint8_t *end, char *out);

/* json_keys.c: the first member whose key a member before it has too; NULL: none. `scratch` has room for two pointers
 * for each member; an object with at most TL_JSON_FEW_KEYS needs none. n log n. */
enum { TL_JSON_FEW_KEYS = 16 };
const tl_json *tl_json_repeated(const tl_json *object, const tl_json **scratch);

#endif

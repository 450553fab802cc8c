/* json_steps.h: internals of the JSON parser. */
#ifndef TL_BASE_JSON_STEPS_H
#define TL_BASE_JSON_STEPS_H

#include "base/json.h"

/* The position in the text, and what an error is reported with. */
typedef struct tl_json_cursor {
    const uint8_t *start, *at, *end;
    const trilo_rule *rule;
    uint64_t base;
    trilo_error *err;
} tl_json_cursor;

/* The byte at the cursor; -1 at the end of the text. */
static inline int tl_json_peek(const tl_json_cursor *c)
{
    return c->at < c->end ? *c->at : -1;
}

static inline uint64_t tl_json_offset(const tl_json_cursor *c, const uint8_t *at)
{
    return c->base + (uint64_t)(at - c->start);
}

/* Reports an error at `at`; the message follows as for printf. Returns false. */
#define TL_JSON_WRONG(c, at, ...)                                                                                      \
    tl_fail((c)->err, (at) < (c)->end ? TRILO_CODE_BAD_VALUE : TRILO_CODE_TRUNCATED, (c)->rule, tl_json_offset(c, at), \
            NULL, __VA_ARGS__)
/* Reports at the cursor: "`what` is expected here, not 'x'", or "..., but the text ends". Returns false. */
bool tl_json_expected(const tl_json_cursor *c, const char *what);

/* json_string.c. Skips a string from its opening quote past the closing one. *length: its size in bytes, unescaped. */
bool tl_json_skip_string(tl_json_cursor *c, size_t *length);
/* Copies a string of plain bytes, appends a NUL, and skips it. `out` has room for TL_JSON_STRING_ROOM bytes more
 * than that. False, and nothing is skipped: it has others, or ends near the end of the text. */
enum { TL_JSON_STRING_ROOM = 8 };
bool tl_json_copy_plain_string(tl_json_cursor *c, char *out, size_t *length);
/* Unescapes the bytes between the quotes of a valid string and appends a NUL. */
void tl_json_unescape(const uint8_t *at, const uint8_t *end, char *out);

/* json_keys.c. The first member whose key an earlier member has too; NULL: none. `scratch` has room for two pointers
 * per member; it is not used for up to TL_JSON_FEW_KEYS members. O(n log n). */
enum { TL_JSON_FEW_KEYS = 16 };
const tl_json *tl_json_repeated(const tl_json *object, const tl_json **scratch);

#endif

/* json_steps.h: internals of the JSON parser. */
#ifndef TL_BASE_JSON_STEPS_H
#define TL_BASE_JSON_STEPS_H

#include "base/compiler.h"
#include "base/json.h"
#include "base/lanes.h"

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

/* True for integers from 0 to 2^32 - 1. */
static inline bool tl_json_is_uint(double number)
{
    return number >= 0 && number <= UINT32_MAX && (double)(uint32_t)number == number;
}

/* Reports an error at `at`; the message follows as for printf. Returns false. */
#define TL_JSON_WRONG(c, at, ...)                                                                                      \
    tl_fail((c)->err, (at) < (c)->end ? TRILO_CODE_BAD_VALUE : TRILO_CODE_TRUNCATED, (c)->rule, tl_json_offset(c, at), \
            NULL, __VA_ARGS__)
/* Reports at the cursor: "`what` is expected here, not 'x'", or "..., but the text ends". Returns false. */
bool tl_json_expected(const tl_json_cursor *c, const char *what);

/* json_string.c. Skips a string from its opening quote past the closing one. *length: its size in bytes, unescaped. */
bool tl_json_skip_string(tl_json_cursor *c, size_t *length);
/* Unescapes the bytes between the quotes of a valid string and appends a NUL. `out` may be `at`. */
void tl_json_unescape(const uint8_t *at, const uint8_t *end, char *out);

/* How many of sixteen bytes, from the first, are plain: ASCII, no control character, quote or backslash. As signed
 * numbers, bytes that are not ASCII are below the space too. */
enum { TL_JSON_PLAIN_MOST = 16 };
static inline unsigned tl_json_count_plain(const uint8_t *bytes)
{
    const tl_byte16 v = tl_byte16_load(bytes),
                    special = (tl_byte16)((tl_sbyte16)v < ' ') | (tl_byte16)(v == '"') | (tl_byte16)(v == '\\');
    uint8_t found[16];
    memcpy(found, &special, sizeof found);
    const uint32_t bits = tl_top_bits16(found);
    return bits ? (unsigned)tl_zeros_below(bits) : TL_JSON_PLAIN_MOST;
}

/* json_quick.c. Fills `values`, which are enough. `text` has `size` bytes, is changed, belongs to the values from now
 * on, and has TL_JSON_PLAIN_MOST zeros behind it. False: there is an error, or no memory. */
bool tl_json_read_quick(tl_arena *arena, uint8_t *text, size_t size, uint32_t depth, tl_json *values);

/* json_keys.c. The first member whose key an earlier member has too; NULL: none. `scratch` has room for two pointers
 * per member; it is not used for up to TL_JSON_FEW_KEYS members. O(n log n). */
enum { TL_JSON_FEW_KEYS = 16 };
const tl_json *tl_json_repeated(const tl_json *object, const tl_json **scratch);

#endif

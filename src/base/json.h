/* json.h: a strict JSON reader that knows where everything stands.
 *
 * The whole text becomes one array of values in document order; a value knows its byte, its key, its first child and
 * its next sibling, so that findings can point into the file. Strict means RFC 8259: UTF-8 without a byte order mark,
 * no comments, no trailing commas, no repeated keys, nothing behind the value. Depth and number of values are bounded;
 * nothing recurses. Strings are unescaped into the arena and end with a NUL that does not count; one with a NUL inside
 * is refused. Numbers are rounded correctly to double, the same on every machine and in every locale.
 */
#ifndef TL_BASE_JSON_H
#define TL_BASE_JSON_H

#include "base/arena.h"
#include "base/report.h"

typedef enum tl_json_kind {
    TL_JSON_NULL,
    TL_JSON_FALSE,
    TL_JSON_TRUE,
    TL_JSON_NUMBER,
    TL_JSON_STRING,
    TL_JSON_ARRAY,
    TL_JSON_OBJECT
} tl_json_kind;

typedef struct tl_json {
    uint8_t kind;                /* tl_json_kind */
    bool whole;                  /* a number written without fraction and exponent */
    uint32_t at, end;            /* bytes of the text: [at, end) */
    uint32_t count;              /* of children */
    const struct tl_json *first; /* child; NULL: none */
    const struct tl_json *next;  /* sibling; NULL: the last one */
    trilo_str key;               /* of a member of an object; data NULL: no member */
    trilo_str string;            /* of a string */
    double number;               /* of a number: finite */
} tl_json;

typedef struct tl_json_limits {
    uint32_t depth;  /* 0: 64 */
    uint32_t values; /* 0: 16 million */
} tl_json_limits;

/* The root, or NULL with *err: rule `rule` for text that is no JSON, with the byte (plus `base`, where the text starts
 * in its file) and what was expected there; TL_FILE_LIMIT and TL_FILE_MEMORY for the rest. The text is at most 2 GB and
 * need not stay. */
const tl_json *tl_json_read(tl_arena *arena, trilo_bytes text, const tl_json_limits *limits, const trilo_rule *rule,
                            uint64_t base, trilo_error *err);

/* The member of an object with that key; NULL: none, or `object` is NULL or no object. */
const tl_json *tl_json_member(const tl_json *object, const char *key);

/* Values with a fallback, for NULL or another kind. */
bool tl_json_bool(const tl_json *value, bool fallback); /* also the numbers 0 and not 0 */
double tl_json_number(const tl_json *value, double fallback);
trilo_str tl_json_string(const tl_json *value); /* {"", 0} as a fallback */

/* A whole number from 0 to 2^32 - 1 into *out; false for anything else. 3.0 and 3e0 are whole too. */
bool tl_json_uint(const tl_json *value, uint32_t *out);

/* The numbers of an array; false, and nothing is written, when it is no array of exactly `room` numbers. */
bool tl_json_numbers(const tl_json *array, double *out, uint32_t room);

/* The elements of an array or the members of an object, one behind the other, from the arena; NULL: no memory.
 * Of anything else the list is empty. */
const tl_json **tl_json_list(tl_arena *arena, const tl_json *value);

#endif

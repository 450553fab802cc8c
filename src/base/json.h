/* json.h: a strict JSON parser that keeps the byte offset of every value.
 *
 * The text becomes one array of values in document order. A value has its offset, key, first child and next sibling, so
 * that findings can point into the file. Strict means RFC 8259: UTF-8 without a byte order mark, no comments, no
 * trailing commas, no duplicate keys, nothing after the value. Depth and number of values are limited; nothing
 * recurses. Strings are unescaped into the arena and NUL-terminated; a string that contains NUL is an error. Numbers
 * are correctly rounded to double, independent of machine and locale.
 */
#ifndef TL_BASE_JSON_H
#define TL_BASE_JSON_H

#include "base/arena.h"
#include "base/report.h"
#include <string.h>

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
    bool whole;                  /* a number without fraction and exponent */
    bool is_uint;                /* a number that tl_json_uint stores */
    uint32_t at, end;            /* the bytes [at, end) of the text */
    uint32_t count;              /* of children */
    const struct tl_json *first; /* child; NULL: none */
    const struct tl_json *next;  /* sibling; NULL: the last one */
    trilo_str key;               /* of a member of an object; data NULL: not a member */
    trilo_str string;            /* of a string */
    double number;               /* of a number: finite */
} tl_json;

typedef struct tl_json_limits {
    uint32_t depth;  /* 0: 64 */
    uint32_t values; /* 0: 16 million */
} tl_json_limits;

/* Parses the text and returns the root value. On failure returns NULL and fills *err: `rule` with the byte offset (plus
 * `base`, the offset of the text in its file) and what was expected there, or TL_FILE_LIMIT or TL_FILE_MEMORY. The text
 * is limited to 2 GB and may be freed afterwards. */
const tl_json *tl_json_read(tl_arena *arena, trilo_bytes text, const tl_json_limits *limits, const trilo_rule *rule,
                            uint64_t base, trilo_error *err);

/* The member of an object with that key. NULL if there is none, or if `object` is NULL or of another kind. The
 * length and bytes of a literal are known at compile time, so that no function is called. */
static inline const tl_json *tl_json_member(const tl_json *object, const char *key)
{
    const size_t length = strlen(key);
    if (!object || object->kind != TL_JSON_OBJECT)
        return NULL;
    for (const tl_json *member = object->first; member; member = member->next)
        if (member->key.len == length && memcmp(member->key.data, key, length) == 0)
            return member;
    return NULL;
}

/* The value, or the fallback for NULL or another kind. */
bool tl_json_bool(const tl_json *value, bool fallback); /* a number is true unless it is 0 */
double tl_json_number(const tl_json *value, double fallback);
trilo_str tl_json_string(const tl_json *value); /* the fallback is {"", 0} */

/* Stores an integer from 0 to 2^32 - 1 (3.0 and 3e0 are integers too). Returns false for anything else. */
static inline bool tl_json_uint(const tl_json *value, uint32_t *out)
{
    if (!value || !value->is_uint)
        return false;
    *out = (uint32_t)value->number;
    return true;
}

/* Stores the numbers of an array of exactly `room` numbers. Returns false and stores nothing for anything else. */
bool tl_json_numbers(const tl_json *array, double *out, uint32_t room);

/* The elements of an array or the members of an object as an array of pointers; empty for other kinds. Returns NULL
 * when memory runs out. */
const tl_json **tl_json_list(tl_arena *arena, const tl_json *value);

#endif

/* JSON without errors, in one pass over a copy of the text. Zeros follow the copy, so that only they have to stop each
 * scan, and strings stay where they are: a NUL replaces the closing quote.
 *
 * What is wrong ends the pass without a message. json_read.c then finds out where and why. */
#include "base/json_steps.h"
#include "base/strict_float.h"

#include "base/number.h"
#include <string.h>

/* An array or object that is not closed yet. */
typedef struct quick_container {
    tl_json *value;
    const tl_json **link; /* where the address of the next child goes */
    uint32_t count;       /* of children */
    uint8_t close;        /* its bracket */
    bool alike;           /* some keys have the same bit */
    uint64_t keys;        /* a bit for each */
} quick_container;

static inline uint8_t *quick_skip_space(uint8_t *at)
{
    while (*at <= ' ' && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

/* Each of these returns the end of what starts at `at`; NULL: it is wrong. */

/* A string with escapes or characters other than ASCII, which stays where it is. */
static uint8_t *quick_read_other_string(uint8_t *at, const uint8_t *end, trilo_str *out)
{
    tl_json_cursor c = {at, at, end, NULL, 0, NULL};
    size_t length;
    if (!tl_json_skip_string(&c, &length))
        return NULL;
    uint8_t *after = at + (c.at - at);
    tl_json_unescape(at + 1, after - 1, (char *)at + 1);
    *out = (trilo_str){(char *)at + 1, length};
    return after;
}

static inline uint8_t *quick_read_string(uint8_t *at, const uint8_t *end, trilo_str *out)
{
    uint8_t *close = at + 1;
    unsigned plain;
    while ((plain = tl_json_count_plain(close)) == TL_JSON_PLAIN_MOST)
        close += TL_JSON_PLAIN_MOST;
    close += plain;
    if (*close != '"')
        return quick_read_other_string(at, end, out);
    *close = '\0';
    *out = (trilo_str){(char *)at + 1, (size_t)(close - at) - 1};
    return close + 1;
}

static inline bool quick_is_digit(uint8_t byte)
{
    return (uint8_t)(byte - '0') < 10;
}

static uint8_t *quick_skip_digits(uint8_t *at)
{
    if (!quick_is_digit(*at))
        return NULL;
    while (quick_is_digit(*at))
        at++;
    return at;
}

/* A number with a fraction, an exponent or many digits; `at` is behind the first of them. */
static uint8_t *quick_read_other_number(const uint8_t *start, uint8_t *at, tl_json *value)
{
    value->whole = *at != '.' && (*at | 0x20) != 'e';
    if (*at == '.' && !(at = quick_skip_digits(at + 1)))
        return NULL;
    if ((*at | 0x20) == 'e') {
        at++;
        at = quick_skip_digits(at + (*at == '-' || *at == '+'));
    }
    if (!at || !tl_read_double((const char *)start, (size_t)(at - start), &value->number))
        return NULL;
    value->is_uint = tl_json_is_uint(value->number);
    return at;
}

static inline uint8_t *quick_read_number(uint8_t *at, tl_json *value)
{
    enum { WHOLE_BYTES = 15 }; /* of whole numbers that a double has exactly */
    const bool negative = *at == '-';
    const uint8_t *start = at, *first = at += negative;
    uint64_t whole = 0; /* an overflow is harmless: then it is not used */
    for (uint32_t digit; (digit = *at - (uint32_t)'0') < 10; at++)
        whole = 10 * whole + digit;
    value->kind = TL_JSON_NUMBER;
    if (at == first || (*first == '0' && at - first > 1))
        return NULL;
    if (*at == '.' || (*at | 0x20) == 'e' || at - start > WHOLE_BYTES)
        return quick_read_other_number(start, at, value);
    value->whole = true;
    value->is_uint = whole <= (negative ? 0 : UINT32_MAX);
    value->number = (double)(int64_t)whole;
    if (negative)
        value->number = -value->number;
    return at;
}

static uint8_t *quick_read_literal(uint8_t *at, tl_json *value)
{
    static const char *const words[] = {"null", "false", "true"};
    for (size_t i = 0; i < 3; i++)
        if (memcmp(at, words[i], strlen(words[i])) == 0) {
            value->kind = (uint8_t)(TL_JSON_NULL + i);
            return at + strlen(words[i]);
        }
    return NULL;
}

/* From the key to the value. */
static inline uint8_t *quick_read_key(uint8_t *at, const uint8_t *end, quick_container *c, trilo_str *key)
{
    if (*at != '"' || !(at = quick_read_string(at, end, key)))
        return NULL;
    const uint8_t first = (uint8_t)key->data[0], last = (uint8_t)key->data[(ptrdiff_t)key->len - 1]; /* or the quote */
    const uint64_t bit = (uint64_t)1 << (key->len + first + 3 * last) % 64;
    c->alike |= (c->keys & bit) != 0; /* few objects have such keys */
    c->keys |= bit;
    at = quick_skip_space(at);
    return *at == ':' ? quick_skip_space(at + 1) : NULL;
}

/* Also if there is no memory to find out. */
static bool quick_has_repeated(const quick_container *c, tl_arena *arena)
{
    const tl_json **scratch = NULL;
    if (c->count > TL_JSON_FEW_KEYS)
        scratch = tl_array_raw(arena, c->count, 2 * sizeof *scratch);
    return arena->failed || tl_json_repeated(c->value, scratch);
}

typedef struct quick_reader {
    const uint8_t *text, *end;
    tl_json *next;                      /* to fill */
    trilo_str key;                      /* of it */
    quick_container *in;                /* the innermost container */
    quick_container *outermost, *limit; /* which is around the text; how deep containers may be */
    tl_arena *arena;
} quick_reader;

static inline uint8_t *quick_read_scalar(uint8_t *at, const uint8_t *end, tl_json *value)
{
    if (quick_is_digit(*at) || *at == '-')
        return quick_read_number(at, value);
    if (*at != '"')
        return quick_read_literal(at, value);
    value->kind = TL_JSON_STRING;
    return quick_read_string(at, end, &value->string);
}

/* A number, string or word, or the start of a container. */
static inline uint8_t *quick_read_value(quick_reader *q, uint8_t *at)
{
    tl_json *value = q->next++;
    *value = (tl_json){.at = (uint32_t)(at - q->text), .key = q->key};
    *q->in->link = value;
    q->in->link = &value->next;
    q->in->count++;
    if (*at == '{' || *at == '[') {
        if (q->in == q->limit)
            return NULL;
        value->kind = *at == '{' ? TL_JSON_OBJECT : TL_JSON_ARRAY;
        *++q->in = (quick_container){.value = value, .link = &value->first, .close = (uint8_t)(*at + 2)};
        return at + 1;
    }
    at = quick_read_scalar(at, q->end, value);
    if (at)
        value->end = (uint32_t)(at - q->text);
    return at;
}

static inline bool quick_close(quick_reader *q, const uint8_t *end)
{
    const quick_container *c = q->in--;
    c->value->end = (uint32_t)(end - q->text);
    c->value->count = c->count;
    return !c->alike || !quick_has_repeated(c, q->arena);
}

/* Moves from the end of a value, or the start of a container, to the next value, or to what follows the last one. */
static inline uint8_t *quick_find_next(quick_reader *q, uint8_t *at)
{
    for (at = quick_skip_space(at); q->in > q->outermost && *at == q->in->close; at = quick_skip_space(at + 1))
        if (!quick_close(q, at + 1))
            return NULL;
    if (q->in == q->outermost)
        return at;
    if (q->in->count > 0) {
        if (*at != ',')
            return NULL;
        at = quick_skip_space(at + 1);
    }
    q->key = (trilo_str){NULL, 0};
    return q->in->close == '}' ? quick_read_key(at, q->end, q->in, &q->key) : at;
}

bool tl_json_read_quick(tl_arena *arena, uint8_t *text, size_t size, uint32_t depth, tl_json *values)
{
    const tl_json *root;
    const size_t most = size < depth ? size : depth; /* each level takes at least one byte */
    quick_container *open = tl_array_raw(arena, most + 1, sizeof *open);
    if (!open)
        return false;
    *open = (quick_container){.link = &root};
    quick_reader q = {text, text + size, values, {NULL, 0}, open, open, open + most, arena};
    uint8_t *at = quick_skip_space(text);
    do {
        at = quick_read_value(&q, at);
        at = at ? quick_find_next(&q, at) : NULL;
    } while (at && q.in > q.outermost);
    return at == q.end;
}

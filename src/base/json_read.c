/* Two passes of the same code over the text. The first one counts values and bytes of strings, the second one fills
 * arrays of exactly that size. Syntax errors are found before anything but the stack of open containers is allocated.
 *
 * Most texts are small and have no error: where arrays for as many values as there can be are no more than a part of
 * the memory, json_quick.c comes first, and only an error makes the two passes necessary. */
#include "base/json_steps.h"
#include "base/strict_float.h"

#include "base/number.h"
#include <string.h>

enum { JSON_DEFAULT_DEPTH = 64, JSON_DEFAULT_VALUES = 16000000, JSON_MAX_BYTES = INT32_MAX };

/* An open array or object. */
typedef struct json_frame {
    tl_json *value, *last; /* the container and its last child */
    uint32_t count;        /* of children */
    bool object;
} json_frame;

typedef struct json_parser {
    tl_json_cursor c;
    tl_json_limits limits;
    json_frame *frames;
    uint32_t depth;
    bool fresh; /* the innermost container is still empty */

    tl_json *values; /* NULL in the first pass, which only counts */
    tl_json counted; /* what the first pass writes each value to */
    uint32_t used;
    char *strings; /* NULL in the first pass */
    size_t string_size;
    trilo_str key; /* of the next value */
    tl_arena *arena;
    const tl_json **scratch; /* of tl_json_repeated */
    uint32_t scratch_keys;   /* that it has room for */
} json_parser;

/* ---- errors ---- */

bool tl_json_expected(const tl_json_cursor *c, const char *what)
{
    const int byte = tl_json_peek(c);
    if (byte < 0)
        return TL_JSON_WRONG(c, c->at, "%s is expected here, but the text ends", what);
    if (byte > 0x20 && byte < 0x7F)
        return TL_JSON_WRONG(c, c->at, "%s is expected here, not '%c'", what, byte);
    return TL_JSON_WRONG(c, c->at, "%s is expected here, not the byte 0x%02X", what, (unsigned)byte);
}

static bool json_above_limit(const tl_json_cursor *c, const char *what, uint32_t limit)
{
    return tl_fail(c->err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], tl_json_offset(c, c->at), NULL,
                   "%s than the limit of %lu", what, (unsigned long)limit);
}

/* ---- values ---- */

static uint32_t json_position(const tl_json_cursor *c)
{
    return (uint32_t)(c->at - c->start);
}

/* Appends a value that starts at the cursor to the open container. NULL: there are too many. */
static tl_json *json_add_value(json_parser *w, tl_json_kind kind)
{
    if (w->used == w->limits.values) {
        json_above_limit(&w->c, "the text has more values", w->limits.values);
        return NULL;
    }
    tl_json *value = w->values ? &w->values[w->used] : &w->counted;
    w->used++;
    *value = (tl_json){.kind = (uint8_t)kind, .at = json_position(&w->c), .key = w->key};
    w->key = (trilo_str){NULL, 0};
    w->fresh = false;
    if (w->depth == 0)
        return value;
    json_frame *top = &w->frames[w->depth - 1];
    if (top->count == 0)
        top->value->first = value;
    else
        top->last->next = value;
    top->last = value;
    top->count++;
    return value;
}

static bool json_read_string(json_parser *w, trilo_str *out)
{
    const uint8_t *quote = w->c.at;
    size_t length;
    if (!tl_json_skip_string(&w->c, &length))
        return false;
    if (w->values) {
        char *text = w->strings + w->string_size;
        tl_json_unescape(quote + 1, w->c.at - 1, text);
        *out = (trilo_str){text, length};
    }
    w->string_size += length + 1;
    return true;
}

static bool json_read_literal(json_parser *w, tl_json_kind kind, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(w->c.end - w->c.at) < length || memcmp(w->c.at, word, length) != 0)
        return TL_JSON_WRONG(&w->c, w->c.at, "a word that starts with %c must be %s", word[0], word);
    tl_json *value = json_add_value(w, kind);
    if (!value)
        return false;
    w->c.at += length;
    value->end = json_position(&w->c);
    return true;
}

static bool json_is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

static bool json_skip_digits(tl_json_cursor *c)
{
    const uint8_t *at = c->at;
    while (at < c->end && json_is_digit(*at))
        at++;
    if (at == c->at)
        return tl_json_expected(c, "a digit");
    c->at = at;
    return true;
}

/* -? digits [. digits] [e sign? digits] */
static bool json_read_number(json_parser *w)
{
    tl_json_cursor *c = &w->c;
    const uint8_t *start = c->at;
    tl_json *value = json_add_value(w, TL_JSON_NUMBER);
    if (!value)
        return false;
    c->at += *c->at == '-';
    const bool zero = tl_json_peek(c) == '0';
    if (zero && c->end - c->at > 1 && json_is_digit(c->at[1]))
        return TL_JSON_WRONG(c, c->at, "a number has a leading zero, must start with another digit");
    if (!json_skip_digits(c))
        return false;
    value->whole = true;
    if (tl_json_peek(c) == '.') {
        value->whole = false;
        c->at++;
        if (!json_skip_digits(c))
            return false;
    }
    if ((tl_json_peek(c) | 0x20) == 'e') {
        value->whole = false;
        c->at++;
        c->at += tl_json_peek(c) == '-' || tl_json_peek(c) == '+';
        if (!json_skip_digits(c))
            return false;
    }
    value->end = json_position(c);
    if (w->values && !tl_read_double((const char *)start, (size_t)(c->at - start), &value->number))
        return TL_JSON_WRONG(c, start, "a number is too large for a double, must be at most 1.7976931348623157e308");
    value->is_uint = tl_json_is_uint(value->number);
    return true;
}

static bool json_open_container(json_parser *w, tl_json_kind kind)
{
    if (w->depth == w->limits.depth)
        return json_above_limit(&w->c, "arrays and objects are nested deeper", w->limits.depth);
    tl_json *value = json_add_value(w, kind);
    if (!value)
        return false;
    w->frames[w->depth++] = (json_frame){.value = value, .object = kind == TL_JSON_OBJECT};
    w->fresh = true;
    w->c.at++;
    return true;
}

static bool json_read_value(json_parser *w)
{
    const int byte = tl_json_peek(&w->c);
    switch (byte) {
    case '{':
        return json_open_container(w, TL_JSON_OBJECT);
    case '[':
        return json_open_container(w, TL_JSON_ARRAY);
    case '"': {
        tl_json *value = json_add_value(w, TL_JSON_STRING);
        if (!value || !json_read_string(w, &value->string))
            return false;
        value->end = json_position(&w->c);
        return true;
    }
    case 'n':
        return json_read_literal(w, TL_JSON_NULL, "null");
    case 'f':
        return json_read_literal(w, TL_JSON_FALSE, "false");
    case 't':
        return json_read_literal(w, TL_JSON_TRUE, "true");
    default:
        if (byte == '-' || json_is_digit(byte))
            return json_read_number(w);
        return tl_json_expected(&w->c, w->fresh ? "a value or ]" : "a value");
    }
}

/* ---- between values ---- */

static void json_skip_space(tl_json_cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\r' || *c->at == '\t'))
        c->at++;
}

static bool json_read_key(json_parser *w)
{
    if (tl_json_peek(&w->c) != '"')
        return tl_json_expected(&w->c, w->fresh ? "a key in quotes or }" : "a key in quotes");
    if (!json_read_string(w, &w->key))
        return false;
    w->fresh = false;
    json_skip_space(&w->c);
    if (tl_json_peek(&w->c) != ':')
        return tl_json_expected(&w->c, "a colon");
    w->c.at++;
    json_skip_space(&w->c);
    return true;
}

/* Reports a duplicate key at its opening quote: from the value back over the colon and the closing quote to the nearest
 * quote that is not escaped. */
static bool json_refuse_repeated(const tl_json_cursor *c, const tl_json *member)
{
    const uint8_t *at = c->start + member->at - 1, *slashes;
    while (*at != '"')
        at--;
    do {
        do
            at--;
        while (*at != '"');
        slashes = at;
        while (slashes[-1] == '\\')
            slashes--;
    } while ((at - slashes) % 2 != 0);

    int shown = member->key.len < 64 ? (int)member->key.len : 64;
    while (((uint8_t)member->key.data[shown] & 0xC0) == 0x80) /* do not cut a character */
        shown--;
    return TL_JSON_WRONG(c, at, "the key \"%.*s\" occurs twice in its object, must be unique", shown, member->key.data);
}

static bool json_close_container(json_parser *w)
{
    const json_frame *top = &w->frames[--w->depth];
    tl_json *value = top->value;
    w->c.at++;
    w->fresh = false;
    value->end = json_position(&w->c);
    value->count = top->count;
    if (!top->object || !w->values)
        return true;
    if (top->count > TL_JSON_FEW_KEYS && top->count > w->scratch_keys) {
        w->scratch_keys = top->count < UINT32_MAX / 2 ? 2 * top->count : top->count;
        w->scratch = tl_array_raw(w->arena, w->scratch_keys, 2 * sizeof *w->scratch);
        if (!w->scratch)
            return tl_fail_memory(w->c.err);
    }
    const tl_json *repeated = tl_json_repeated(value, w->scratch);
    return !repeated || json_refuse_repeated(&w->c, repeated);
}

/* Moves from the end of a value, or the start of a container, to the next value. *more: there is one. */
static bool json_next_value(json_parser *w, bool *more)
{
    for (;;) {
        json_skip_space(&w->c);
        *more = w->depth > 0;
        if (!*more)
            return true;
        const bool object = w->frames[w->depth - 1].object;
        const int byte = tl_json_peek(&w->c);
        if (byte == (object ? '}' : ']')) {
            if (!json_close_container(w))
                return false;
            continue;
        }
        if (!w->fresh && byte != ',')
            return tl_json_expected(&w->c, object ? "a comma or }" : "a comma or ]");
        if (!w->fresh) {
            w->c.at++;
            json_skip_space(&w->c);
        }
        return !object || json_read_key(w);
    }
}

static bool json_parse_pass(json_parser *w)
{
    bool more = true;
    w->c.at = w->c.start;
    w->key = (trilo_str){NULL, 0};
    w->depth = 0;
    w->fresh = false;
    w->used = 0;
    w->string_size = 0;
    if (w->c.end - w->c.at >= 3 && memcmp(w->c.at, "\xEF\xBB\xBF", 3) == 0)
        return TL_JSON_WRONG(&w->c, w->c.at, "the text starts with a byte order mark, must start with a value");
    json_skip_space(&w->c);
    while (more)
        if (!json_read_value(w) || !json_next_value(w, &more))
            return false;
    return w->c.at == w->c.end || tl_json_expected(&w->c, "the end of the text");
}

/* Each value but the first follows a comma or the start of its container. */
static size_t json_count_most(const tl_json_cursor *c)
{
    enum { PART = 255 }; /* bytes whose number fits a byte, so that vectors of bytes can add them up */
    size_t most = 1;
    for (const uint8_t *at = c->start, *stop; at < c->end; at = stop) {
        uint8_t found = 0;
        stop = c->end - at < PART ? c->end : at + PART;
        for (const uint8_t *byte = at; byte < stop; byte++)
            found = (uint8_t)(found + (*byte == ',' || (*byte | 0x20) == '{')); /* or [ */
        most += found;
    }
    return most;
}

/* Arrays for what the first pass has counted, and the second pass to fill them. */
static bool json_fill_values(json_parser *w)
{
    w->values = tl_array_raw(w->arena, w->used, sizeof *w->values);
    w->strings = tl_array_raw(w->arena, w->string_size, 1);
    if (!w->values || !w->strings)
        return tl_fail_memory(w->c.err);
    return json_parse_pass(w);
}

/* One pass over a copy of the text. NULL: there is an error, or no memory. */
static const tl_json *json_try_quick(const json_parser *w, size_t most)
{
    const size_t size = (size_t)(w->c.end - w->c.start);
    tl_json *values = tl_array_raw(w->arena, most, sizeof *values);
    uint8_t *copy = tl_array_raw(w->arena, size + TL_JSON_PLAIN_MOST, 1);
    if (!values || !copy)
        return NULL;
    memcpy(copy, w->c.start, size);
    memset(copy + size, 0, TL_JSON_PLAIN_MOST);
    return tl_json_read_quick(w->arena, copy, size, w->limits.depth, values) ? values : NULL;
}

const tl_json *tl_json_read(tl_arena *arena, trilo_bytes text, const tl_json_limits *limits, const trilo_rule *rule,
                            uint64_t base, trilo_error *err)
{
    enum { PART_OF_MEMORY = 8 };
    const uint8_t *start = text.size > 0 ? text.data : (const uint8_t *)"";
    const bool fits = text.size <= JSON_MAX_BYTES;
    json_parser w = {.c = {start, start, start + (fits ? text.size : 0), rule, base, err}, .arena = arena};
    w.limits.depth = limits && limits->depth ? limits->depth : JSON_DEFAULT_DEPTH;
    w.limits.values = limits && limits->values ? limits->values : JSON_DEFAULT_VALUES;
    if (!fits) {
        json_above_limit(&w.c, "the text has more bytes", JSON_MAX_BYTES);
        return NULL;
    }
    /* Each level takes at least one byte. */
    w.frames = tl_array_raw(arena, text.size < w.limits.depth ? text.size : w.limits.depth, sizeof *w.frames);
    if (!w.frames) {
        tl_fail_memory(err);
        return NULL;
    }
    const size_t most = json_count_most(&w.c);
    /* A value and what comes before the next one take two bytes: with more commas, most are in strings or wrong. */
    if (most <= text.size / 2 + 1 && most <= w.limits.values &&
        text.size + most * sizeof *w.values < arena->left / PART_OF_MEMORY) {
        const tl_json *root = json_try_quick(&w, most);
        if (root)
            return root;
        if (arena->failed) {
            tl_fail_memory(err);
            return NULL;
        }
    }
    return json_parse_pass(&w) && json_fill_values(&w) ? w.values : NULL;
}

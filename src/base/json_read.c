/* The text is walked twice by the same code. The first time only counts: values and bytes of strings. Then both get
 * exactly the memory they need, and the second time fills it. What is wrong with the grammar shows before any memory is
 * asked for, but for the stack of what is open.
 */
#include "base/json_steps.h"

#include "base/number.h"
#include <string.h>

enum { DEFAULT_DEPTH = 64, DEFAULT_VALUES = 16000000, MOST_BYTES = INT32_MAX };

/* An array or object that is open. */
typedef struct json_frame {
    tl_json *value, *last; /* itself, and its newest child */
    uint32_t count;        /* of children */
    bool object;
} json_frame;

typedef struct json_walk {
    tl_json_cursor c;
    tl_json_limits limits;
    json_frame *frames;
    uint32_t depth;
    bool fresh; /* the innermost one has just been opened */

    tl_json *values; /* NULL: they are only counted */
    tl_json counted; /* then each of them goes here */
    uint32_t used;
    char *strings; /* likewise */
    size_t string_size;
    trilo_str key;           /* of the next value */
    uint32_t most_keys;      /* of an object */
    const tl_json **scratch; /* for comparing them */
} json_walk;

/* ---- failing ---- */

bool tl_json_expected(const tl_json_cursor *c, const char *what)
{
    const int byte = tl_json_peek(c);
    if (byte < 0)
        return TL_JSON_WRONG(c, c->at, "%s is expected here, but the text ends", what);
    if (byte > 0x20 && byte < 0x7F)
        return TL_JSON_WRONG(c, c->at, "%s is expected here, not '%c'", what, byte);
    return TL_JSON_WRONG(c, c->at, "%s is expected here, not the byte 0x%02X", what, (unsigned)byte);
}

static bool above_limit(const tl_json_cursor *c, const char *what, uint32_t limit)
{
    return tl_fail(c->err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], tl_json_offset(c, c->at), NULL,
                   "%s than the limit of %lu", what, (unsigned long)limit);
}

/* ---- values ---- */

static uint32_t position(const tl_json_cursor *c)
{
    return (uint32_t)(c->at - c->start);
}

/* A value that begins here; NULL: there are too many. */
static tl_json *add_value(json_walk *w, tl_json_kind kind)
{
    if (w->used == w->limits.values) {
        above_limit(&w->c, "the text has more values", w->limits.values);
        return NULL;
    }
    tl_json *value = w->values ? &w->values[w->used] : &w->counted;
    w->used++;
    *value = (tl_json){.kind = (uint8_t)kind, .at = position(&w->c), .key = w->key};
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

static bool read_string(json_walk *w, trilo_str *out)
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

static bool read_literal(json_walk *w, tl_json_kind kind, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(w->c.end - w->c.at) < length || memcmp(w->c.at, word, length) != 0)
        return TL_JSON_WRONG(&w->c, w->c.at, "a word that begins with %c must be %s", word[0], word);
    tl_json *value = add_value(w, kind);
    if (!value)
        return false;
    w->c.at += length;
    value->end = position(&w->c);
    return true;
}

static bool digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

static bool skip_digits(tl_json_cursor *c)
{
    if (!digit(tl_json_peek(c)))
        return tl_json_expected(c, "a digit");
    while (digit(tl_json_peek(c)))
        c->at++;
    return true;
}

/* -? digits [. digits] [e sign? digits] */
static bool skip_number(tl_json_cursor *c, bool *whole)
{
    c->at += *c->at == '-';
    const bool zero = tl_json_peek(c) == '0';
    if (zero && c->end - c->at > 1 && digit(c->at[1]))
        return TL_JSON_WRONG(c, c->at, "a number begins with 0 and another digit, must begin with the other one");
    if (!skip_digits(c))
        return false;
    *whole = true;
    if (tl_json_peek(c) == '.') {
        *whole = false;
        c->at++;
        if (!skip_digits(c))
            return false;
    }
    if ((tl_json_peek(c) | 0x20) == 'e') {
        *whole = false;
        c->at++;
        c->at += tl_json_peek(c) == '-' || tl_json_peek(c) == '+';
        return skip_digits(c);
    }
    return true;
}

static bool read_number(json_walk *w)
{
    const uint8_t *start = w->c.at;
    tl_json *value = add_value(w, TL_JSON_NUMBER);
    if (!value || !skip_number(&w->c, &value->whole))
        return false;
    value->end = position(&w->c);
    if (w->values && !tl_read_double((const char *)start, (size_t)(w->c.at - start), &value->number))
        return TL_JSON_WRONG(&w->c, start,
                             "a number is too large for a double, must be at most 1.7976931348623157e308");
    return true;
}

static bool open_container(json_walk *w, tl_json_kind kind)
{
    if (w->depth == w->limits.depth)
        return above_limit(&w->c, "arrays and objects are nested deeper", w->limits.depth);
    tl_json *value = add_value(w, kind);
    if (!value)
        return false;
    w->frames[w->depth++] = (json_frame){.value = value, .object = kind == TL_JSON_OBJECT};
    w->fresh = true;
    w->c.at++;
    return true;
}

static bool read_value(json_walk *w)
{
    const int byte = tl_json_peek(&w->c);
    switch (byte) {
    case '{':
        return open_container(w, TL_JSON_OBJECT);
    case '[':
        return open_container(w, TL_JSON_ARRAY);
    case '"': {
        tl_json *value = add_value(w, TL_JSON_STRING);
        if (!value || !read_string(w, &value->string))
            return false;
        value->end = position(&w->c);
        return true;
    }
    case 'n':
        return read_literal(w, TL_JSON_NULL, "null");
    case 'f':
        return read_literal(w, TL_JSON_FALSE, "false");
    case 't':
        return read_literal(w, TL_JSON_TRUE, "true");
    default:
        if (byte == '-' || digit(byte))
            return read_number(w);
        return tl_json_expected(&w->c, w->fresh ? "a value or ]" : "a value");
    }
}

/* ---- what stands between values ---- */

static void skip_space(tl_json_cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\r' || *c->at == '\t'))
        c->at++;
}

static bool read_key(json_walk *w)
{
    if (tl_json_peek(&w->c) != '"')
        return tl_json_expected(&w->c, w->fresh ? "a key in quotes or }" : "a key in quotes");
    if (!read_string(w, &w->key))
        return false;
    w->fresh = false;
    skip_space(&w->c);
    if (tl_json_peek(&w->c) != ':')
        return tl_json_expected(&w->c, "a colon");
    w->c.at++;
    skip_space(&w->c);
    return true;
}

/* The opening quote of a member's key: back over the colon and the closing quote, to a quote that is not escaped. */
static const uint8_t *key_of(const tl_json_cursor *c, const tl_json *member)
{
    const uint8_t *at = c->start + member->at - 1;
    while (*at != '"')
        at--;
    for (;;) {
        do
            at--;
        while (*at != '"');
        const uint8_t *before = at;
        while (before[-1] == '\\')
            before--;
        if ((at - before) % 2 == 0)
            return at;
    }
}

static bool key_repeated(const tl_json_cursor *c, const tl_json *member)
{
    int shown = member->key.len < 64 ? (int)member->key.len : 64;
    while (((uint8_t)member->key.data[shown] & 0xC0) == 0x80) /* not within a character */
        shown--;
    return TL_JSON_WRONG(c, key_of(c, member), "the key \"%.*s\" stands twice in its object, must stand once", shown,
                         member->key.data);
}

static bool close_container(json_walk *w)
{
    const json_frame *top = &w->frames[--w->depth];
    tl_json *value = top->value;
    w->c.at++;
    w->fresh = false;
    value->end = position(&w->c);
    value->count = top->count;
    if (!top->object)
        return true;
    if (w->most_keys < top->count)
        w->most_keys = top->count;
    const tl_json *repeated = w->values ? tl_json_repeated(value, w->scratch) : NULL;
    return !repeated || key_repeated(&w->c, repeated);
}

/* From behind a value, or from inside one just opened, to the next value; *more false: there is none. */
static bool advance(json_walk *w, bool *more)
{
    for (;;) {
        skip_space(&w->c);
        *more = w->depth > 0;
        if (!*more)
            return true;
        const bool object = w->frames[w->depth - 1].object;
        const int byte = tl_json_peek(&w->c);
        if (byte == (object ? '}' : ']')) {
            if (!close_container(w))
                return false;
            continue;
        }
        if (!w->fresh && byte != ',')
            return tl_json_expected(&w->c, object ? "a comma or }" : "a comma or ]");
        if (!w->fresh) {
            w->c.at++;
            skip_space(&w->c);
        }
        return !object || read_key(w);
    }
}

static bool walk(json_walk *w)
{
    bool more = true;
    w->c.at = w->c.start;
    w->used = 0;
    w->string_size = 0;
    if (w->c.end - w->c.at >= 3 && memcmp(w->c.at, "\xEF\xBB\xBF", 3) == 0)
        return TL_JSON_WRONG(&w->c, w->c.at, "the text begins with a byte order mark, must begin with a value");
    skip_space(&w->c);
    while (more)
        if (!read_value(w) || !advance(w, &more))
            return false;
    return w->c.at == w->c.end || tl_json_expected(&w->c, "the end of the text");
}

/* ---- both walks ---- */

/* Exactly as much as the first walk has counted. */
static bool take_memory(json_walk *w, tl_arena *arena)
{
    w->values = tl_array_raw(arena, w->used, sizeof *w->values);
    w->strings = tl_array_raw(arena, w->string_size, 1);
    if (w->most_keys > TL_JSON_FEW_KEYS)
        w->scratch = tl_array_raw(arena, w->most_keys, 2 * sizeof *w->scratch);
    return w->values && w->strings && (w->scratch || w->most_keys <= TL_JSON_FEW_KEYS);
}

const tl_json *tl_json_read(tl_arena *arena, trilo_bytes text, const tl_json_limits *limits, const trilo_rule *rule,
                            uint64_t base, trilo_error *err)
{
    const uint8_t *start = text.size > 0 ? text.data : (const uint8_t *)"";
    const bool fits = text.size <= MOST_BYTES;
    json_walk w = {.c = {start, start, start + (fits ? text.size : 0), rule, base, err}};
    w.limits.depth = limits && limits->depth ? limits->depth : DEFAULT_DEPTH;
    w.limits.values = limits && limits->values ? limits->values : DEFAULT_VALUES;
    bool good = fits || above_limit(&w.c, "the text has more bytes", MOST_BYTES);
    /* Each level takes a byte at least. */
    const size_t levels = text.size < w.limits.depth ? text.size : w.limits.depth;
    w.frames = good ? tl_array_raw(arena, levels, sizeof *w.frames) : NULL;
    good = good && (w.frames || tl_fail_memory(err)) && walk(&w);
    good = good && (take_memory(&w, arena) || tl_fail_memory(err)) && walk(&w);
    return good ? w.values : NULL;
}

/* Documents, tables and keys. All keys of all tables are in one hash table, by parent and key, so that many keys take
 * linear time. */
#include "base/toml.h"

#include "base/array.h"
#include "base/hash_table.h"
#include "base/toml_steps.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TOML_DEFAULT_DEPTH = 64, TOML_DEFAULT_VALUES = 1000000, TOML_MOST_BYTES = 1 << 26 };

/* How a table or an array was created, which decides what may add to it. */
typedef enum toml_origin {
    TOML_IMPLICIT, /* by the header of a table in it: a header of its own may follow */
    TOML_HEADER,   /* [table], or an element of [[array]] */
    TOML_DOTTED,   /* by a key with dots: further keys with dots may add to it */
    TOML_INLINE,   /* {...} or [...]: complete */
    TOML_LIST      /* an array of tables: [[array]] */
} toml_origin;

/* A member and its table: a row of the hash table. */
typedef struct toml_row {
    const tl_toml *table;
    tl_toml *member;
    trilo_str key;
} toml_row;

/* An array or inline table whose end has not been read. */
typedef struct toml_frame {
    tl_toml *value;
    const uint8_t *start;
    bool fresh; /* nothing in it yet */
} toml_frame;

typedef struct toml_reader {
    tl_toml_cursor c;
    tl_toml_limits limits;
    uint32_t value_count;
    tl_hash_table keys;
    toml_row *rows;
    size_t row_capacity;
    toml_frame *frames;
    trilo_str *parts; /* of the key that was read last */
    const uint8_t **part_starts;
    uint32_t part_count;
} toml_reader;

/* ---- positions and errors ---- */

void tl_toml_position(tl_toml_cursor *c, const uint8_t *at, uint32_t *line, uint32_t *column)
{
    if (at < c->counted) {
        c->counted = c->start;
        c->line = c->column = 1;
    }
    for (; c->counted < at; c->counted++) {
        const bool line_end = *c->counted == '\n';
        c->line += line_end;
        c->column = line_end ? 1 : c->column + ((*c->counted & 0xC0) != 0x80);
    }
    *line = c->line;
    *column = c->column;
}

static bool toml_fail_at(tl_toml_cursor *c, const uint8_t *at, trilo_code code, const trilo_rule *rule,
                         const char *text)
{
    uint32_t line, column;
    tl_toml_position(c, at, &line, &column);
    tl_fail(c->err, code, rule, (uint64_t)(at - c->start), NULL, "%s", text);
    if (c->err)
        snprintf(c->err->path, sizeof c->err->path, "line %lu, column %lu", (unsigned long)line, (unsigned long)column);
    return false;
}

bool tl_toml_wrong(tl_toml_cursor *c, const uint8_t *at, const char *format, ...)
{
    char text[200];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return toml_fail_at(c, at, at < c->end ? TRILO_CODE_BAD_VALUE : TRILO_CODE_TRUNCATED, c->rule, text);
}

bool tl_toml_expected(tl_toml_cursor *c, const char *what)
{
    const int byte = tl_toml_peek(c);
    if (byte < 0)
        return tl_toml_wrong(c, c->at, "%s is expected here, but the text ends", what);
    if (byte == '\n' || byte == '\r')
        return tl_toml_wrong(c, c->at, "%s is expected here, not the end of the line", what);
    if (byte > 0x20 && byte < 0x7F)
        return tl_toml_wrong(c, c->at, "%s is expected here, not '%c'", what, byte);
    return tl_toml_wrong(c, c->at, "%s is expected here, not the byte 0x%02X", what, (unsigned)byte);
}

static bool toml_above_limit(toml_reader *r, const char *what, uint32_t limit)
{
    char text[128];
    snprintf(text, sizeof text, "%s than the limit of %lu", what, (unsigned long)limit);
    return toml_fail_at(&r->c, r->c.at, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], text);
}

/* The part of a key for a message, cut between characters. */
static int toml_shown(trilo_str key)
{
    int shown = key.len < 64 ? (int)key.len : 64;
    while (shown > 0 && (size_t)shown < key.len && ((uint8_t)key.data[shown] & 0xC0) == 0x80)
        shown--;
    return shown;
}

/* ---- white space ---- */

static void toml_skip_space(tl_toml_cursor *c)
{
    while (tl_toml_peek(c) == ' ' || tl_toml_peek(c) == '\t')
        c->at++;
}

static void toml_skip_comment(tl_toml_cursor *c)
{
    if (tl_toml_peek(c) == '#')
        while (c->at < c->end && *c->at != '\n')
            c->at++;
}

static void toml_skip_lines(tl_toml_cursor *c)
{
    for (;;) {
        toml_skip_space(c);
        toml_skip_comment(c);
        if (tl_toml_peek(c) != '\n' && tl_toml_peek(c) != '\r')
            return;
        c->at++;
    }
}

static bool toml_end_line(tl_toml_cursor *c)
{
    toml_skip_space(c);
    toml_skip_comment(c);
    if (tl_toml_peek(c) == '\r')
        c->at++; /* a line feed follows, toml_check_text has seen it */
    if (c->at < c->end && *c->at != '\n')
        return tl_toml_expected(c, "the end of the line");
    return true;
}

/* Everything must be UTF-8; the only control characters are tabs and ends of lines. */
static bool toml_check_text(tl_toml_cursor *c)
{
    for (const uint8_t *at = c->start; at < c->end;) {
        const size_t length = tl_utf8_length(at, c->end);
        const bool line_end = *at == '\n' || (*at == '\r' && c->end - at > 1 && at[1] == '\n');
        if (length == 0)
            return tl_toml_wrong(c, at, "the byte 0x%02X is not UTF-8", (unsigned)*at);
        if ((*at < 0x20 && *at != '\t' && !line_end) || *at == 0x7F)
            return tl_toml_wrong(c, at, "the control character 0x%02X must be written as an escape", (unsigned)*at);
        at += length;
    }
    return true;
}

/* ---- values and members ---- */

static int toml_compare_rows(const void *rows, uint32_t a, uint32_t b)
{
    const toml_row *x = (const toml_row *)rows + a, *y = (const toml_row *)rows + b;
    const uintptr_t a_table = (uintptr_t)x->table, b_table = (uintptr_t)y->table;
    if (a_table != b_table)
        return a_table < b_table ? -1 : 1;
    if (x->key.len != y->key.len)
        return x->key.len < y->key.len ? -1 : 1;
    return x->key.len > 0 ? memcmp(x->key.data, y->key.data, x->key.len) : 0;
}

/* Appends a value that starts at `at` to an array or a table. NULL, with an error: there are too many. */
static tl_toml *toml_append(toml_reader *r, tl_toml *parent, const uint8_t *at)
{
    tl_toml *value = r->value_count < r->limits.values ? TL_NEW(r->c.arena, tl_toml) : NULL;
    if (!value) {
        if (r->value_count >= r->limits.values)
            toml_above_limit(r, "the text has more values", r->limits.values);
        else
            tl_fail_memory(r->c.err);
        return NULL;
    }
    r->value_count++;
    tl_toml_position(&r->c, at, &value->line, &value->column);
    if (parent->last)
        parent->last->next = value;
    else
        parent->first = value;
    parent->last = value;
    parent->count++;
    return value;
}

/* The member with that key, or a new one (*fresh) that the caller fills in. NULL: failed. */
static tl_toml *toml_member(toml_reader *r, tl_toml *table, uint32_t part, bool *fresh)
{
    const trilo_str key = r->parts[part];
    const size_t count = r->keys.count;
    toml_row *rows = tl_array_grow(r->c.arena, r->rows, count, &r->row_capacity, 1, sizeof *rows);
    if (!rows) {
        tl_fail_memory(r->c.err);
        return NULL;
    }
    r->rows = rows;
    r->keys.rows = rows;
    rows[count] = (toml_row){table, NULL, key};
    const uint32_t hash = trilo_fnv1a(key.data, key.len) ^ (uint32_t)((uintptr_t)table >> 4) * 2654435761u;
    const uint32_t row = tl_hash_table_add(&r->keys, hash, (uint32_t)count);
    if (row == TRILO_NONE) {
        tl_fail_memory(r->c.err);
        return NULL;
    }
    *fresh = row == count;
    if (!*fresh)
        return rows[row].member;
    tl_toml *member = toml_append(r, table, r->part_starts[part]);
    if (member)
        member->key = key;
    rows[row].member = member;
    return member;
}

/* ---- keys ---- */

static bool toml_is_bare(int byte)
{
    return tl_toml_is_digit(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           byte == '-';
}

/* site."google.com".x, with space around the dots. */
static bool toml_read_key(toml_reader *r)
{
    tl_toml_cursor *c = &r->c;
    r->part_count = 0;
    for (;;) {
        const uint8_t *start = c->at;
        trilo_str part;
        if (r->part_count == r->limits.depth)
            return toml_above_limit(r, "a key has more parts", r->limits.depth);
        if (tl_toml_peek(c) == '"' || tl_toml_peek(c) == '\'') {
            if (!tl_toml_read_string(c, true, &part))
                return false;
        } else {
            while (toml_is_bare(tl_toml_peek(c)))
                c->at++;
            if (c->at == start)
                return tl_toml_expected(c, "a key");
            part = tl_str_copy(c->arena, (const char *)start, (size_t)(c->at - start));
            if (!part.data)
                return tl_fail_memory(c->err);
        }
        r->part_starts[r->part_count] = start;
        r->parts[r->part_count++] = part;
        toml_skip_space(c);
        if (tl_toml_peek(c) != '.')
            return true;
        c->at++;
        toml_skip_space(c);
    }
}

static bool toml_refuse_member(toml_reader *r, uint32_t part, const tl_toml *there, const char *why)
{
    const trilo_str key = r->parts[part];
    const uint32_t line = there->line;
    return tl_toml_wrong(&r->c, r->part_starts[part], "\"%.*s\" %s (line %lu)", toml_shown(key), key.data, why,
                         (unsigned long)line);
}

/* "KEY =" in a table: the new member that the value is stored to. NULL: failed. */
static tl_toml *toml_read_assignment(toml_reader *r, tl_toml *table)
{
    bool fresh;
    if (!toml_read_key(r))
        return NULL;
    if (tl_toml_peek(&r->c) != '=') {
        tl_toml_expected(&r->c, "= or a dot");
        return NULL;
    }
    r->c.at++;
    toml_skip_space(&r->c);
    for (uint32_t i = 0; i + 1 < r->part_count; i++) {
        tl_toml *next = toml_member(r, table, i, &fresh);
        if (!next)
            return NULL;
        if (fresh) {
            next->kind = TL_TOML_TABLE;
            next->origin = TOML_DOTTED;
        } else if (next->kind != TL_TOML_TABLE || next->origin != TOML_DOTTED) {
            toml_refuse_member(r, i, next,
                               next->kind == TL_TOML_TABLE ? "is a table that is complete already"
                                                           : "has a value already, which is not a table");
            return NULL;
        }
        table = next;
    }
    tl_toml *member = toml_member(r, table, r->part_count - 1, &fresh);
    if (!member || fresh)
        return member;
    toml_refuse_member(r, r->part_count - 1, member, "has a value already");
    return NULL;
}

/* ---- values ---- */

static bool toml_open(toml_reader *r, uint32_t *depth, tl_toml *value, tl_toml_kind kind)
{
    if (*depth == r->limits.depth)
        return toml_above_limit(r, "arrays and tables are nested deeper", r->limits.depth);
    value->kind = (uint8_t)kind;
    value->origin = TOML_INLINE;
    r->frames[(*depth)++] = (toml_frame){value, r->c.at, true};
    r->c.at++;
    return true;
}

/* The next element of the array or inline table that is open: *value. NULL there: it was closed. */
static bool toml_next_element(toml_reader *r, toml_frame *frame, tl_toml **value)
{
    tl_toml_cursor *c = &r->c;
    const bool array = frame->value->kind == TL_TOML_ARRAY;
    const char close = array ? ']' : '}';
    *value = NULL;
    for (bool comma = frame->fresh;; comma = true) {
        if (array)
            toml_skip_lines(c);
        else
            toml_skip_space(c);
        if (tl_toml_peek(c) == close && (array || !comma || frame->fresh)) {
            c->at++;
            return true;
        }
        if (c->at == c->end)
            return tl_toml_wrong(c, frame->start, "the %s that starts here has no closing %c",
                                 array ? "array" : "table", close);
        if (comma)
            break;
        if (tl_toml_peek(c) != ',')
            return tl_toml_expected(c, array ? "a comma or ]" : "a comma or }");
        c->at++;
    }
    frame->fresh = false;
    *value = array ? toml_append(r, frame->value, c->at) : toml_read_assignment(r, frame->value);
    return *value != NULL;
}

/* The value at the cursor, with everything in it. */
static bool toml_read_value(toml_reader *r, tl_toml *value)
{
    uint32_t depth = 0;
    for (;;) {
        const int byte = tl_toml_peek(&r->c);
        tl_toml_position(&r->c, r->c.at, &value->line, &value->column);
        if (byte == '[' || byte == '{') {
            if (!toml_open(r, &depth, value, byte == '[' ? TL_TOML_ARRAY : TL_TOML_TABLE))
                return false;
        } else if (byte == '"' || byte == '\'') {
            value->kind = TL_TOML_STRING;
            if (!tl_toml_read_string(&r->c, false, &value->string))
                return false;
        } else if (!tl_toml_read_scalar(&r->c, value)) {
            return false;
        }
        for (value = NULL; depth > 0 && !value;) {
            if (!toml_next_element(r, &r->frames[depth - 1], &value))
                return false;
            depth -= !value;
        }
        if (!value)
            return true;
    }
}

/* ---- headers ---- */

/* The table that [a.b] or [[a.b]] opens. NULL: failed. */
static tl_toml *toml_open_header(toml_reader *r, tl_toml *root, bool list)
{
    tl_toml *table = root;
    bool fresh;
    for (uint32_t i = 0; i + 1 < r->part_count; i++) {
        tl_toml *next = toml_member(r, table, i, &fresh);
        if (!next)
            return NULL;
        if (fresh) {
            next->kind = TL_TOML_TABLE;
            next->origin = TOML_IMPLICIT;
        } else if (next->origin == TOML_INLINE && next->kind >= TL_TOML_ARRAY) {
            toml_refuse_member(r, i, next, "is complete already");
            return NULL;
        } else if (next->kind < TL_TOML_ARRAY) {
            toml_refuse_member(r, i, next, "has a value already, which is not a table");
            return NULL;
        }
        table = next->kind == TL_TOML_ARRAY ? next->last : next;
    }
    const uint32_t last = r->part_count - 1;
    tl_toml *member = toml_member(r, table, last, &fresh);
    if (!member)
        return NULL;
    if (list) {
        if (fresh) {
            member->kind = TL_TOML_ARRAY;
            member->origin = TOML_LIST;
        } else if (member->origin != TOML_LIST) {
            toml_refuse_member(r, last, member, "is defined already, not as an array of tables");
            return NULL;
        }
        member = toml_append(r, member, r->part_starts[last]);
        if (!member)
            return NULL;
    } else if (!fresh && (member->kind != TL_TOML_TABLE || member->origin != TOML_IMPLICIT)) {
        toml_refuse_member(r, last, member, "is defined already");
        return NULL;
    }
    member->kind = TL_TOML_TABLE;
    member->origin = TOML_HEADER;
    return member;
}

static bool toml_read_header(toml_reader *r, tl_toml *root, tl_toml **table)
{
    tl_toml_cursor *c = &r->c;
    const bool list = c->end - c->at > 1 && c->at[1] == '[';
    c->at += list ? 2 : 1;
    toml_skip_space(c);
    if (!toml_read_key(r))
        return false;
    if (tl_toml_peek(c) != ']' || (list && (c->end - c->at < 2 || c->at[1] != ']')))
        return tl_toml_expected(c, list ? "]]" : "]");
    c->at += list ? 2 : 1;
    *table = toml_open_header(r, root, list);
    return *table != NULL;
}

static bool toml_read_document(toml_reader *r, tl_toml *root)
{
    tl_toml *table = root;
    tl_toml_cursor *c = &r->c;
    if (c->end - c->at >= 3 && memcmp(c->at, "\xEF\xBB\xBF", 3) == 0)
        c->at += 3;
    for (;;) {
        toml_skip_lines(c);
        if (c->at == c->end)
            return true;
        if (*c->at == '[') {
            if (!toml_read_header(r, root, &table))
                return false;
        } else {
            tl_toml *value = toml_read_assignment(r, table);
            if (!value || !toml_read_value(r, value))
                return false;
        }
        if (!toml_end_line(c))
            return false;
    }
}

const tl_toml *tl_toml_read(tl_arena *arena, trilo_bytes text, const tl_toml_limits *limits, const trilo_rule *rule,
                            trilo_error *err)
{
    const uint8_t *start = text.size > 0 ? text.data : (const uint8_t *)"";
    const bool fits = text.size <= TOML_MOST_BYTES;
    toml_reader r = {.c = {arena, start, start, start + (fits ? text.size : 0), rule, err, start, 1, 1}};
    r.limits.depth = limits && limits->depth ? limits->depth : TOML_DEFAULT_DEPTH;
    r.limits.values = limits && limits->values ? limits->values : TOML_DEFAULT_VALUES;
    if (!fits) {
        toml_above_limit(&r, "the text has more bytes", TOML_MOST_BYTES);
        return NULL;
    }
    const size_t depth = r.limits.depth;
    tl_toml *root = TL_NEW(arena, tl_toml);
    r.frames = TL_ARRAY(arena, depth, toml_frame);
    r.parts = TL_ARRAY(arena, depth, trilo_str);
    r.part_starts = tl_array(arena, depth, sizeof *r.part_starts);
    if (!root || !r.frames || !r.parts || !r.part_starts ||
        !tl_hash_table_init(&r.keys, arena, 0, toml_compare_rows, NULL)) {
        tl_fail_memory(err);
        return NULL;
    }
    root->kind = TL_TOML_TABLE;
    root->origin = TOML_HEADER;
    root->line = root->column = 1;
    return toml_check_text(&r.c) && toml_read_document(&r, root) ? root : NULL;
}

/* ---- looking at what was read ---- */

const tl_toml *tl_toml_member(const tl_toml *table, const char *key)
{
    const size_t length = strlen(key);
    if (!table || table->kind != TL_TOML_TABLE)
        return NULL;
    for (const tl_toml *member = table->first; member; member = member->next)
        if (member->key.len == length && memcmp(member->key.data, key, length) == 0)
            return member;
    return NULL;
}

const char *tl_toml_kind_name(const tl_toml *value)
{
    static const char *const names[] = {[TL_TOML_STRING] = "a string",
                                        [TL_TOML_INTEGER] = "an integer",
                                        [TL_TOML_FLOAT] = "a number with a fraction",
                                        [TL_TOML_BOOL] = "true or false",
                                        [TL_TOML_DATE_TIME] = "a date and time",
                                        [TL_TOML_LOCAL_DATE_TIME] = "a date and time",
                                        [TL_TOML_LOCAL_DATE] = "a date",
                                        [TL_TOML_LOCAL_TIME] = "a time",
                                        [TL_TOML_ARRAY] = "an array",
                                        [TL_TOML_TABLE] = "a table"};
    return names[value->kind];
}

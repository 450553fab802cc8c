/* toml_steps.h: internals of the TOML reader. */
#ifndef TL_BASE_TOML_STEPS_H
#define TL_BASE_TOML_STEPS_H

#include "base/compiler.h"
#include "base/toml.h"

/* The position in the text, and what an error is reported with. */
typedef struct tl_toml_cursor {
    tl_arena *arena;
    const uint8_t *start, *at, *end;
    const trilo_rule *rule;
    trilo_error *err;
    const uint8_t *counted; /* the byte whose line and column are known */
    uint32_t line, column;
} tl_toml_cursor;

/* The byte at the cursor; -1 at the end of the text. */
static inline int tl_toml_peek(const tl_toml_cursor *c)
{
    return c->at < c->end ? *c->at : -1;
}

static inline bool tl_toml_is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

/* Line and column of a byte. All calls together take linear time if they are made in ascending order. */
void tl_toml_position(tl_toml_cursor *c, const uint8_t *at, uint32_t *line, uint32_t *column);

/* Reports an error at `at`. Returns false. */
bool tl_toml_wrong(tl_toml_cursor *c, const uint8_t *at, const char *format, ...) TL_PRINTF_LIKE(3, 4);
/* Reports at the cursor: "`what` is expected here, not 'x'", or "..., but the text ends". Returns false. */
bool tl_toml_expected(tl_toml_cursor *c, const char *what);

/* toml_string.c. Any of the four kinds of strings, from its first quote past its last one. `one_line`: a key. */
bool tl_toml_read_string(tl_toml_cursor *c, bool one_line, trilo_str *out);

/* toml_scalar.c. Numbers, booleans, dates and times; the cursor is at the first character. */
bool tl_toml_read_scalar(tl_toml_cursor *c, tl_toml *value);

#endif

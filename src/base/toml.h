/* toml.h: a strict TOML 1.0 reader that keeps line and column of every value.
 *
 * The text becomes a tree of values. Strict means the specification at toml.io and nothing else: no duplicate keys, no
 * table defined twice, UTF-8 throughout; a byte order mark at the start is skipped. Depth and number of values are
 * limited; nothing recurses. Numbers are correctly rounded, independent of machine and locale.
 */
#ifndef TL_BASE_TOML_H
#define TL_BASE_TOML_H

#include "base/arena.h"
#include "base/report.h"

typedef enum tl_toml_kind {
    TL_TOML_STRING,
    TL_TOML_INTEGER,
    TL_TOML_FLOAT,
    TL_TOML_BOOL,
    TL_TOML_DATE_TIME, /* with an offset from UTC */
    TL_TOML_LOCAL_DATE_TIME,
    TL_TOML_LOCAL_DATE,
    TL_TOML_LOCAL_TIME,
    TL_TOML_ARRAY,
    TL_TOML_TABLE
} tl_toml_kind;

typedef struct tl_toml {
    uint8_t kind;                /* tl_toml_kind */
    uint8_t origin;              /* of a table or array; for the reader */
    uint32_t line, column;       /* of the value, from 1; columns count characters. A table has those of its key */
    uint32_t count;              /* of children */
    const struct tl_toml *first; /* child, in the order of the text; NULL: none */
    const struct tl_toml *next;  /* sibling; NULL: the last one */
    struct tl_toml *last;        /* child; for the reader */
    trilo_str key;               /* of a member of a table; data NULL: not a member */
    trilo_str string;            /* of a string, which may contain NUL; of dates and times their text */
    int64_t integer;
    double number; /* of a float: may be infinite or NaN; of an integer the nearest double */
    bool boolean;
} tl_toml;

typedef struct tl_toml_limits {
    uint32_t depth;  /* of nested arrays and tables, and of the parts of a key; 0: 64 */
    uint32_t values; /* 0: 1 million */
} tl_toml_limits;

/* Reads the text and returns its root, a table. On failure returns NULL and fills *err: `rule`, the byte offset, "line
 * L, column C" as the path and what is wrong there; or TL_FILE_LIMIT or TL_FILE_MEMORY. The text may be freed
 * afterwards. `limits` may be NULL. */
const tl_toml *tl_toml_read(tl_arena *arena, trilo_bytes text, const tl_toml_limits *limits, const trilo_rule *rule,
                            trilo_error *err);

/* The member of a table with that key. NULL if there is none, or if `table` is NULL or of another kind. */
const tl_toml *tl_toml_member(const tl_toml *table, const char *key);

/* "a string", "an array": for messages. */
const char *tl_toml_kind_name(const tl_toml *value);

#endif

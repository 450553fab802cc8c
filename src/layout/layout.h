/* layout.h: binary records described by tables.
 *
 * A table lists the fields of a record: kind, byte offset in the file and offset in a C struct. Reading, writing,
 * listing, bulk access and the format reference are loops over it. Versions of a format are rows with since and until.
 * Padding is a field too: tl_layout_ok proves that a table has no gap and no overlap.
 */
#ifndef TL_LAYOUT_LAYOUT_H
#define TL_LAYOUT_LAYOUT_H

#include "base/reader.h"
#include "base/sink.h"
#include "trilobite/visitor.h"

typedef enum tl_kind { TL_U8, TL_U16, TL_U32, TL_U64, TL_S16, TL_S32, TL_F32, TL_S8 } tl_kind;

enum { TL_FIELD_MOST = 16 };
enum { TL_UNVERSIONED = 0 }; /* the version of a record whose rows are in all versions */

typedef struct tl_field {
    const char *name;
    tl_kind kind;
    uint16_t count;         /* numbers in the field, 1 to 16 */
    uint16_t at;            /* byte offset in the record of the file */
    uint16_t host;          /* byte offset in the C struct, whose member has the C type of the kind */
    uint8_t since, until;   /* versions that have the field; until 0: all later ones */
    int64_t min, max;       /* legal values of an integer; both 0: any */
    const trilo_rule *rule; /* broken by a value outside that range */
    const char *meaning;    /* for the reference */
} tl_field;

typedef struct tl_layout {
    const char *name;    /* as in a path: "vertex" */
    const char *meaning; /* for the reference */
    tl_order order;
    const tl_field *fields;
    size_t field_count;
} tl_layout;

/* Elements of an array. */
#define TL_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define TL_WIDTH(kind)                                                                                                 \
    ((kind) == TL_U8 || (kind) == TL_S8 ? 1 : (kind) == TL_U16 || (kind) == TL_S16 ? 2 : (kind) == TL_U64 ? 8 : 4)
/* A row for a member of a struct: the count follows from the member's size. */
#define TL_ROW(type, member, kind, at, ...)                                                                            \
    {                                                                                                                  \
#member, kind, sizeof(((type *)0)->member) / TL_WIDTH(kind), at, offsetof(type, member), __VA_ARGS__           \
    }
/* One that is in all versions and may have any value. */
#define TL_PLAIN_ROW(type, member, kind, at, meaning) TL_ROW(type, member, kind, at, 0, 0, 0, 0, NULL, meaning)
#define TL_TABLE(name, order, rows, meaning)                                                                           \
    {                                                                                                                  \
        name, meaning, order, rows, TL_COUNT_OF(rows)                                                                  \
    }

size_t tl_kind_width(tl_kind kind);
bool tl_field_in(const tl_field *field, unsigned version);

/* The size of the record in the file, in bytes. */
size_t tl_layout_size(const tl_layout *layout, unsigned version);

/* Reads the record at the cursor into `host` and advances. Fails on a value out of range. */
bool tl_layout_read(tl_reader *reader, const tl_layout *layout, unsigned version, void *host);
/* The same from memory, without range checks. */
void tl_layout_load(const tl_layout *layout, unsigned version, const uint8_t *bytes, void *host);
/* `bytes` has tl_layout_size bytes of room. */
void tl_layout_store(const tl_layout *layout, unsigned version, const void *host, uint8_t *bytes);
/* Returns the size. */
size_t tl_layout_write(tl_sink *sink, const tl_layout *layout, unsigned version, const void *host);

/* Calls the visitor with every field of the record at `bytes`, whose offset in the file is `offset`. */
void tl_layout_visit(const tl_layout *layout, unsigned version, const uint8_t *bytes, uint64_t offset,
                     const trilo_visitor *visitor);

/* An array of records as it is in the file. */
typedef struct tl_records {
    const tl_layout *layout;
    unsigned version;
    const uint8_t *bytes;
    size_t count;
} tl_records;

/* Loads all records, without range checks, into structs that are `host_size` bytes apart. */
void tl_records_load(const tl_records *records, void *hosts, size_t host_size);
/* The field at byte `at`, or NULL. */
const tl_field *tl_layout_row_at(const tl_layout *layout, unsigned version, size_t at);
const tl_field *tl_layout_field(const tl_layout *layout, unsigned version, const char *name); /* NULL: no such row */
/* Copies one F32 field of all records to `out`, with `stride` floats per record. The field must exist. */
void tl_records_floats(const tl_records *records, const char *field, float *out, size_t stride);
/* One field of one record as integers. */
void tl_records_ints(const tl_records *records, const char *field, size_t row, int64_t *out);

/* Writes the table as Markdown. */
void tl_layout_reference(const tl_layout *layout, tl_sink *sink);

/* Checks a table: its rows have no gap and no overlap, names are unique, counts are legal. */
bool tl_layout_ok(const tl_layout *layout, unsigned version, trilo_error *err);

#endif

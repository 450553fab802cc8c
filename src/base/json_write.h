/* json_write.h: JSON text piece by piece, into memory of an arena.
 *
 * No spaces, no line breaks: the same calls give the same bytes. Commas come by themselves. The writer does not look
 * whether brackets match: that is the caller's to know. When memory runs out the writer falls silent; `failed` tells at
 * the end.
 */
#ifndef TL_BASE_JSON_WRITE_H
#define TL_BASE_JSON_WRITE_H

#include "base/arena.h"

typedef struct tl_json_writer {
    tl_arena *arena;
    char *text; /* not terminated */
    size_t size, capacity;
    bool comma;  /* a value was written in front */
    bool failed; /* memory ran out */
} tl_json_writer;

static inline tl_json_writer tl_json_writer_in(tl_arena *arena)
{
    return (tl_json_writer){.arena = arena};
}

void tl_json_open(tl_json_writer *w, char bracket);  /* { or [ */
void tl_json_close(tl_json_writer *w, char bracket); /* } or ] */

/* In front of each value of an object. */
void tl_json_key(tl_json_writer *w, const char *key);
void tl_json_key_str(tl_json_writer *w, trilo_str key);

/* Escaped. Bytes that are no UTF-8, and NUL, which many readers cannot take, become U+FFFD. */
void tl_json_put_str(tl_json_writer *w, trilo_str text);
void tl_json_put_text(tl_json_writer *w, const char *text);
void tl_json_put_uint(tl_json_writer *w, uint64_t value);
void tl_json_put_bool(tl_json_writer *w, bool value);
/* The fewest digits that read back as the same number; null for what is not finite. */
void tl_json_put_float(tl_json_writer *w, float value);
void tl_json_put_double(tl_json_writer *w, double value);
void tl_json_put_floats(tl_json_writer *w, const float *values, size_t count); /* an array */
/* A value that is JSON already. */
void tl_json_put_raw(tl_json_writer *w, const char *text, size_t size);

/* Text as it is, without a comma. */
void tl_json_append(tl_json_writer *w, const char *text, size_t size);

#endif

/* json_write.h: a JSON writer into arena memory.
 *
 * Writes no spaces and no line breaks, and inserts commas. It does not check that brackets match. When memory runs out,
 * `failed` is set and further calls do nothing.
 */
#ifndef TL_BASE_JSON_WRITE_H
#define TL_BASE_JSON_WRITE_H

#include "base/arena.h"

typedef struct tl_json_writer {
    tl_arena *arena;
    char *text; /* not terminated */
    size_t size, capacity;
    bool comma;  /* the next value needs a comma */
    bool failed; /* memory ran out */
} tl_json_writer;

static inline tl_json_writer tl_json_writer_in(tl_arena *arena)
{
    return (tl_json_writer){.arena = arena};
}

void tl_json_open(tl_json_writer *w, char bracket);  /* { or [ */
void tl_json_close(tl_json_writer *w, char bracket); /* } or ] */

/* The key of the next value of an object. */
void tl_json_key(tl_json_writer *w, const char *key);
void tl_json_key_str(tl_json_writer *w, trilo_str key);

/* A string, escaped. Invalid UTF-8, and NUL, which many readers cannot handle, become U+FFFD. */
void tl_json_put_str(tl_json_writer *w, trilo_str text);
void tl_json_put_text(tl_json_writer *w, const char *text);
void tl_json_put_uint(tl_json_writer *w, uint64_t value);
void tl_json_put_bool(tl_json_writer *w, bool value);
/* The shortest text that reads back as the same number; null if it is not finite. */
void tl_json_put_float(tl_json_writer *w, float value);
void tl_json_put_double(tl_json_writer *w, double value);
void tl_json_put_floats(tl_json_writer *w, const float *values, size_t count); /* an array */
/* A value that already is JSON text. */
void tl_json_put_raw(tl_json_writer *w, const char *text, size_t size);

/* Appends raw text without a comma. */
void tl_json_append(tl_json_writer *w, const char *text, size_t size);

#endif

#include "base/json_write.h"
#include "base/strict_float.h"

#include "base/array.h"
#include "base/number.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

void tl_json_append(tl_json_writer *w, const char *text, size_t size)
{
    if (size == 0 || w->failed)
        return;
    char *grown = tl_array_grow(w->arena, w->text, w->size, &w->capacity, size, 1);
    w->failed = !grown;
    if (w->failed)
        return;
    w->text = grown;
    memcpy(w->text + w->size, text, size);
    w->size += size;
}

static void json_append_char(tl_json_writer *w, char c)
{
    tl_json_append(w, &c, 1);
}

static void json_begin_value(tl_json_writer *w)
{
    if (w->comma)
        json_append_char(w, ',');
    w->comma = true;
}

void tl_json_open(tl_json_writer *w, char bracket)
{
    json_begin_value(w);
    json_append_char(w, bracket);
    w->comma = false;
}

void tl_json_close(tl_json_writer *w, char bracket)
{
    json_append_char(w, bracket);
    w->comma = true;
}

/* --- strings --- */

static void json_append_control(tl_json_writer *w, uint8_t c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = strchr("b\bt\tn\nf\fr\r", c);
    if (at) { /* the letter precedes its character */
        const char text[2] = {'\\', at[-1]};
        tl_json_append(w, text, sizeof text);
        return;
    }
    const char text[6] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
    tl_json_append(w, text, sizeof text);
}

static void json_append_string(tl_json_writer *w, const char *text, size_t length)
{
    const uint8_t *p = (const uint8_t *)text;
    json_append_char(w, '"');
    for (size_t i = 0; i < length;) {
        const size_t size = p[i] == 0 ? 0 : tl_utf8_length(p + i, p + length);
        if (size == 0)
            tl_json_append(w, "\xEF\xBF\xBD", 3);
        else if (p[i] < ' ')
            json_append_control(w, p[i]);
        else {
            if (p[i] == '"' || p[i] == '\\')
                json_append_char(w, '\\');
            tl_json_append(w, text + i, size);
        }
        i += size > 0 ? size : 1;
    }
    json_append_char(w, '"');
}

void tl_json_key_str(tl_json_writer *w, trilo_str key)
{
    tl_json_put_str(w, key);
    json_append_char(w, ':');
    w->comma = false;
}

void tl_json_key(tl_json_writer *w, const char *key)
{
    tl_json_key_str(w, (trilo_str){key, strlen(key)});
}

void tl_json_put_str(tl_json_writer *w, trilo_str text)
{
    json_begin_value(w);
    json_append_string(w, text.data, text.data ? text.len : 0);
}

void tl_json_put_text(tl_json_writer *w, const char *text)
{
    tl_json_put_str(w, (trilo_str){text, strlen(text)});
}

/* --- the rest --- */

void tl_json_put_raw(tl_json_writer *w, const char *text, size_t size)
{
    json_begin_value(w);
    tl_json_append(w, text, size);
}

void tl_json_put_bool(tl_json_writer *w, bool value)
{
    tl_json_put_raw(w, value ? "true" : "false", value ? 4 : 5);
}

void tl_json_put_uint(tl_json_writer *w, uint64_t value)
{
    char text[32];
    tl_json_put_raw(w, text, tl_print_u64(value, text));
}

void tl_json_put_float(tl_json_writer *w, float value)
{
    char text[32];
    if (isfinite(value))
        tl_json_put_raw(w, text, trilo_float_print(value, text));
    else
        tl_json_put_raw(w, "null", 4);
}

void tl_json_put_double(tl_json_writer *w, double value)
{
    char text[32];
    if (isfinite(value))
        tl_json_put_raw(w, text, trilo_double_print(value, text));
    else
        tl_json_put_raw(w, "null", 4);
}

void tl_json_put_floats(tl_json_writer *w, const float *values, size_t count)
{
    tl_json_open(w, '[');
    for (size_t i = 0; i < count; i++)
        tl_json_put_float(w, values[i]);
    tl_json_close(w, ']');
}

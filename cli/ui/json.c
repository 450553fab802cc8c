#include "ui/json.h"

#include "ui/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PACKED = 16 }; /* values a line */

static void put_string(FILE *out, const char *text, size_t len)
{
    uint32_t code;
    size_t size;
    fputc('"', out);
    for (size_t i = 0; i < len; i += size ? size : 1) {
        size = text_decode(text + i, len - i, &code);
        if (size == 0)
            fprintf(out, "\\\\x%02X", (unsigned)(unsigned char)text[i]);
        else if (code == '"' || code == '\\')
            fprintf(out, "\\%c", (char)code);
        else if (!text_is_hidden(code))
            fwrite(text + i, 1, size, out);
        else if (code < 0x10000)
            fprintf(out, "\\u%04X", (unsigned)code);
        else /* a surrogate pair */
            fprintf(out, "\\u%04X\\u%04X", (unsigned)(0xD7C0 + (code >> 10)), (unsigned)(0xDC00 + (code & 0x3FF)));
    }
    fputc('"', out);
}

static void new_line(cli_json *json)
{
    fprintf(json->out, "\n%*s", (int)(2 * json->depth), "");
}

/* Everything before a value: the comma, the line, the key. */
static void json_lead(cli_json *json, const char *key)
{
    const bool joins = json->joins && json->packed % PACKED != 0;
    if (!json->empty)
        fputs(joins ? ", " : ",", json->out);
    if (!joins && json->depth > 0)
        new_line(json);
    json->empty = false;
    json->packed = json->joins ? json->packed + 1 : 0;
    json->joins = false;
    if (key) {
        put_string(json->out, key, strlen(key));
        fputs(": ", json->out);
    }
}

static void json_begin(cli_json *json, const char *key, bool array)
{
    const uint64_t bit = UINT64_C(1) << (json->depth & 63);
    uint64_t *bits = &json->arrays[json->depth >> 6 & 3];
    json_lead(json, key);
    fputc(array ? '[' : '{', json->out);
    *bits = array ? *bits | bit : *bits & ~bit;
    json->depth++;
    json->empty = true;
    json->packed = 0;
}

cli_json json_start(FILE *out, const char *command)
{
    char schema[64];
    cli_json json = {.out = out, .empty = true};
    snprintf(schema, sizeof schema, "trilobite-%s-1", command);
    json_object(&json, NULL);
    json_text(&json, "schema", schema);
    return json;
}

void json_finish(cli_json *json)
{
    json_end(json);
    fputc('\n', json->out);
}

void json_object(cli_json *json, const char *key)
{
    json_begin(json, key, false);
}

void json_array(cli_json *json, const char *key)
{
    json_begin(json, key, true);
}

void json_end(cli_json *json)
{
    json->depth--;
    if (!json->empty)
        new_line(json);
    fputc(json->arrays[json->depth >> 6 & 3] >> (json->depth & 63) & 1 ? ']' : '}', json->out);
    json->empty = false;
    json->packed = 0;
}

void json_text(cli_json *json, const char *key, const char *text)
{
    json_lead(json, key);
    put_string(json->out, text, strlen(text));
}

void json_str(cli_json *json, const char *key, trilo_str text)
{
    json_lead(json, key);
    put_string(json->out, text.data ? text.data : "", text.len);
}

void json_uint(cli_json *json, const char *key, uint64_t value)
{
    json_lead(json, key);
    fprintf(json->out, "%" PRIu64, value);
}

void json_int(cli_json *json, const char *key, int64_t value)
{
    json_lead(json, key);
    fprintf(json->out, "%" PRId64, value);
}

void json_bool(cli_json *json, const char *key, bool value)
{
    json_lead(json, key);
    fputs(value ? "true" : "false", json->out);
}

void json_null(cli_json *json, const char *key)
{
    json_lead(json, key);
    fputs("null", json->out);
}

void json_index(cli_json *json, const char *key, uint32_t index)
{
    if (index == TRILO_NONE)
        json_null(json, key);
    else
        json_uint(json, key, index);
}

static void put_double(FILE *out, double value, const char *text)
{
    if (isnan(value) || isinf(value))
        fputs(isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"", out);
    else
        fputs(text, out);
}

void json_float(cli_json *json, const char *key, float value)
{
    json_lead(json, key);
    put_double(json->out, (double)value, EXACT(value));
}

void json_double(cli_json *json, const char *key, double value)
{
    json_lead(json, key);
    put_double(json->out, value, EXACT2(value));
}

static void json_put_floats(FILE *out, const float *values, size_t count)
{
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        put_double(out, (double)values[i], EXACT(values[i]));
    }
    fputc(']', out);
}

void json_floats(cli_json *json, const char *key, const float *values, size_t count)
{
    json_lead(json, key);
    json_put_floats(json->out, values, count);
}

void json_rows(cli_json *json, const char *key, const float *values, size_t rows, size_t width)
{
    json_lead(json, key);
    fputc('[', json->out);
    for (size_t i = 0; i < rows; i++) {
        fputs(i ? ", " : "", json->out);
        json_put_floats(json->out, values + i * width, width);
    }
    fputc(']', json->out);
}

void json_uints(cli_json *json, const char *key, const uint64_t *values, size_t count)
{
    json_lead(json, key);
    fputc('[', json->out);
    for (size_t i = 0; i < count; i++)
        fprintf(json->out, "%s%" PRIu64, i ? ", " : "", values[i]);
    fputc(']', json->out);
}

void json_ints(cli_json *json, const char *key, const int64_t *values, size_t count)
{
    json_lead(json, key);
    fputc('[', json->out);
    for (size_t i = 0; i < count; i++)
        fprintf(json->out, "%s%" PRId64, i ? ", " : "", values[i]);
    fputc(']', json->out);
}

void json_hex(cli_json *json, const char *key, trilo_bytes bytes)
{
    json_lead(json, key);
    fputc('"', json->out);
    for (size_t i = 0; i < bytes.size; i++)
        fprintf(json->out, "%02x", (unsigned)bytes.data[i]);
    fputc('"', json->out);
}

void json_pack(cli_json *json)
{
    json->joins = true;
}

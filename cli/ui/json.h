/* json.h: a JSON writer whose output is always well-formed.
 *
 * Every function takes the key of the value, NULL inside an array. Numbers that JSON cannot represent are written as
 * the strings "nan", "inf" and "-inf", invalid UTF-8 as \xNN.
 */
#ifndef TL_CLI_UI_JSON_H
#define TL_CLI_UI_JSON_H

#include "trilobite/core.h"

#include <stdio.h>

typedef struct cli_json {
    FILE *out;
    unsigned depth;
    uint64_t arrays[4]; /* bit n: the n-th open bracket is an array; the records of a dump go deepest, to 130 */
    bool empty;         /* the innermost bracket has no value yet */
    bool joins;         /* the next value may go on the same line */
    uint32_t packed;    /* values joined so far */
} cli_json;

/* Opens the outermost object, which names its schema: "trilobite-info-1". */
cli_json json_start(FILE *out, const char *command);
/* Closes it. */
void json_finish(cli_json *json);

void json_object(cli_json *json, const char *key);
void json_array(cli_json *json, const char *key);
void json_end(cli_json *json); /* of the innermost object or array */

void json_text(cli_json *json, const char *key, const char *text);
void json_str(cli_json *json, const char *key, trilo_str text);
void json_uint(cli_json *json, const char *key, uint64_t value);
void json_int(cli_json *json, const char *key, int64_t value);
void json_index(cli_json *json, const char *key, uint32_t index); /* null for TRILO_NONE */
void json_bool(cli_json *json, const char *key, bool value);
void json_null(cli_json *json, const char *key);
void json_float(cli_json *json, const char *key, float value);
void json_double(cli_json *json, const char *key, double value);

/* A whole array on one line. */
void json_floats(cli_json *json, const char *key, const float *values, size_t count);
void json_uints(cli_json *json, const char *key, const uint64_t *values, size_t count);
void json_ints(cli_json *json, const char *key, const int64_t *values, size_t count);

/* An array of arrays of `width` numbers, on one line: positions, the columns of a matrix. */
void json_rows(cli_json *json, const char *key, const float *values, size_t rows, size_t width);

/* A string of hexadecimal digits, two per byte. */
void json_hex(cli_json *json, const char *key, trilo_bytes bytes);

/* Allows the next value on the same line, for long arrays of numbers. */
void json_pack(cli_json *json);

#endif

/* text.h: prints strings and numbers for people. */
#ifndef TL_CLI_UI_TEXT_H
#define TL_CLI_UI_TEXT_H

#include "trilobite/core.h"

#include <stdio.h>

#if defined(__MINGW32__) && !defined(__clang__) /* where "printf" would be that of Windows' own C library */
#define PRINTF_LIKE(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* Prints a string from a file or a path: control characters, characters that show nothing or change the direction of
 * others, and broken UTF-8 come out as \xNN. */
void text_put(FILE *out, const char *text, size_t len);
void text_puts(FILE *out, const char *text);

/* Prints a name in quotes after a space; nothing if it is empty. */
void text_name(FILE *out, trilo_str name);

/* Like text_put, into a string that the caller frees. */
char *text_escaped(const char *text, size_t len);

/* The number of bytes of the printable UTF-8 character at `text`; 0 if it is invalid or not printable. */
size_t text_char_size(const char *text, size_t len);

/* The same for any valid character, whose code point is stored in *code. */
size_t text_decode(const char *text, size_t len, uint32_t *code);
bool text_is_hidden(uint32_t code);

/* The width of a string in columns, one per character. */
size_t text_width(const char *text);

/* 1234567 as "1,234,567". Returns `out`. */
const char *text_count(uint64_t value, char out[32]);
/* A number rounded to five digits, for people. Returns `out`. */
const char *text_rounded(double value, char out[32]);
/* The shortest text that reads back as the same number. Returns `out`. */
const char *text_float(float value, char out[32]);
const char *text_double(double value, char out[32]);

/* The functions above as expressions. The text is valid until the end of the enclosing block. */
#define COUNT(value)   text_count((value), (char[32]){0})
#define ROUNDED(value) text_rounded((value), (char[32]){0})
#define EXACT(value)   text_float((value), (char[32]){0})
#define EXACT2(value)  text_double((value), (char[32]){0})

/* "s", or "" for exactly one. */
const char *text_plural(uint64_t count);

/* Prints words so that no line passes column 80; the cursor is at `column`, further lines start at `indent`. */
void text_wrap(FILE *out, const char *text, size_t column, size_t indent);

#endif

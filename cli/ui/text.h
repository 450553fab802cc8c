/* text.h: strings and numbers as a person reads them. */
#ifndef TL_CLI_UI_TEXT_H
#define TL_CLI_UI_TEXT_H

#include "trilobite/core.h"

#include <stdio.h>

#ifdef __GNUC__
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* Prints a string from a file or a path: control characters, characters that show nothing or change the direction of
 * others, and broken UTF-8 come out as \xNN. */
void text_put(FILE *out, const char *text, size_t len);
void text_puts(FILE *out, const char *text);

/* The name of a thing in quotes, with a blank in front; nothing when it has none. */
void text_name(FILE *out, trilo_str name);

/* The same as text_put, into fresh memory, which the caller frees. */
char *text_escaped(const char *text, size_t len);

/* How many bytes the well-formed, printable UTF-8 character at `text` has; 0: it is not one. */
size_t text_char_size(const char *text, size_t len);

/* The same for any well-formed character, which is left in *code. */
size_t text_decode(const char *text, size_t len, uint32_t *code);
bool text_is_hidden(uint32_t code);

/* How many columns a string takes, one for each character. */
size_t text_width(const char *text);

/* 1234567 as "1,234,567". Answers `out`. */
const char *text_count(uint64_t value, char out[32]);
/* A number rounded to five digits, for people. Answers `out`. */
const char *text_rounded(double value, char out[32]);
/* The shortest text that reads back as the same number. Answers `out`. */
const char *text_float(float value, char out[32]);
const char *text_double(double value, char out[32]);

/* The above where an expression is wanted; the text lives as long as the enclosing block. */
#define COUNT(value)   text_count((value), (char[32]){0})
#define ROUNDED(value) text_rounded((value), (char[32]){0})
#define EXACT(value)   text_float((value), (char[32]){0})
#define EXACT2(value)  text_double((value), (char[32]){0})

/* "s", unless there is exactly one. */
const char *text_plural(uint64_t count);

/* Prints words so that no line passes column 80; the cursor stands at `column`, further lines start at `indent`. */
void text_wrap(FILE *out, const char *text, size_t column, size_t indent);

#endif

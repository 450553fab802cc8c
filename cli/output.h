/* output.h: writing files and standard output, and noticing when that fails. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "exits.h"

#include "trilobite/file.h"

#include <stdio.h>

/* Hands the bytes that `fill` makes to a file, which is replaced only when all went well, or to standard output ("-"),
 * which gets nothing unless all went well. It is for pictures, so they are not flushed to disk. False, with *err
 * filled, on failure. */
bool output_fill(const char *path, trilo_fill_fn *fill, void *context, trilo_error *err);

/* Writes bytes to standard output; a failure is reported, and output_finish returns it. */
void output_stdout(trilo_bytes bytes);

/* The same for a text; a failure has been explained on standard error. */
typedef void output_print_fn(FILE *out, const void *context);
exit_code output_print(const char *path, output_print_fn *print, const void *context);

/* A sink for the library's writers that prints on the FILE it is given. */
bool output_sink(void *file, const void *bytes, size_t size);

/* To be called last. Fails if standard output was not written completely. */
exit_code output_finish(exit_code code);

#endif

#include "output.h"

#include "alloc.h"
#include "buffer.h"
#include "system.h"
#include "ui/report.h"
#include "ui/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static exit_code output_fail(const char *path)
{
    fputs("trilobite: cannot write ", stderr);
    text_puts(stderr, path);
    fprintf(stderr, ": %s\n", strerror(errno));
    return EXIT_OUTPUT;
}

/* The exit code comes from output_finish, when the reason is no longer available. */
void output_stdout(trilo_bytes bytes)
{
    errno = 0;
    if ((fwrite(bytes.data, 1, bytes.size, stdout) != bytes.size || fflush(stdout) != 0) && errno != EPIPE)
        output_fail("standard output");
}

static bool fill_stdout(trilo_fill_fn *fill, void *context, trilo_error *err)
{
    cli_buffer buffer = {0};
    const bool ok = fill(context, buffer_keep, &buffer, err);
    if (ok)
        output_stdout((trilo_bytes){buffer.bytes, buffer.size});
    free(buffer.bytes);
    return ok;
}

bool output_fill(const char *path, trilo_fill_fn *fill, void *context, trilo_error *err)
{
    const trilo_file_opts opts = {.no_sync = true}; /* it can be made again */
    return strcmp(path, "-") == 0 ? fill_stdout(fill, context, err)
                                  : trilo_file_replace(path, &opts, fill, context, err);
}

/* What was printed, for trilo_file_replace. */
static bool fill_text(void *context, trilo_write_fn *sink, void *sink_user, trilo_error *err)
{
    const trilo_bytes *text = context;
    (void)err;
    return sink(sink_user, text->data, text->size);
}

exit_code output_print(const char *path, output_print_fn *print, const void *context)
{
    system_text out;
    if (!system_text_open(&out))
        alloc_failed();
    print(out.file, context);
    if (!system_text_close(&out))
        alloc_failed();
    trilo_error err = {0};
    trilo_bytes bytes = {(const uint8_t *)out.text, out.size};
    const bool ok = output_fill(path, fill_text, &bytes, &err);
    if (!ok)
        report_error(&(cli_screen){.file = stderr}, path, &err);
    free(out.text);
    return ok ? EXIT_FINE : exit_of(err.code);
}

bool output_sink(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, file) == size;
}

exit_code output_finish(exit_code code)
{
    const bool broken = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) == 0 && !broken)
        return code;
    if (errno == EPIPE) /* the reader closed the pipe, which is not an error */
        return exit_worse(code, EXIT_OUTPUT);
    return exit_worse(code, errno ? output_fail("standard output") : EXIT_OUTPUT);
}

#include "input.h"

#include "report.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BITS = 31 }; /* of a texture coordinate */

/* "64M": false when it is no size. */
static bool parse_size(const char *text, size_t *size)
{
    static const char units[] = "KMG";
    size_t value = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9'; c++) {
        const size_t digit = (size_t)(*c - '0');
        if (value > (SIZE_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    const char *unit = *c ? strchr(units, *c & ~0x20) : NULL; /* either case */
    if (c == text || value == 0 || (*c && (!unit || c[1])))
        return false;
    for (const char *u = units; unit && u <= unit; u++) {
        if (value > SIZE_MAX / 1024)
            return false;
        value *= 1024;
    }
    *size = value;
    return true;
}

exit_code input_options(const cli_args *args, trilo_load_opts *opts)
{
    const char *from = args_given(args, OPT_FROM);
    const char *memory = args_given(args, OPT_MAX_MEMORY);
    const char *bits = args_given(args, OPT_TEXCOORD_BITS);
    memset(opts, 0, sizeof *opts);
    if (memory && !parse_size(memory, &opts->memory.max_bytes))
        return args_fail(args, "--max-memory: \"%s\" is no size such as 64M", memory);
    if (from)
        opts->format = trilo_format_named(from)->format;
    opts->nlm.topology = (trilo_nlm_topology)args_choice(args, OPT_TOPOLOGY);
    opts->nlm.quat_wxyz = args_is(args, OPT_NLM_QUAT, "wxyz");
    opts->model64.colors = (trilo_model64_colors)args_choice(args, OPT_MODEL64_COLORS);
    opts->profile = (trilo_profile)args_choice(args, OPT_PROFILE);
    if (bits && !value_count(bits, 1, MOST_BITS, &opts->model64.texcoord_bits))
        return args_fail(args, "--texcoord-bits: \"%s\" is no number from 1 to %d", bits, MOST_BITS);
    return EXIT_FINE;
}

static ptrdiff_t read_stdin(void *user, void *bytes, size_t room)
{
    (void)user;
    const size_t got = fread(bytes, 1, room, stdin);
    return ferror(stdin) ? -1 : (ptrdiff_t)got;
}

exit_code input_open(cli_input *input, const char *path, const trilo_load_opts *opts)
{
    *input = (cli_input){.path = path, .opts = *opts};
    if (strcmp(path, "-") == 0)
        input->document = trilo_open_stream(read_stdin, NULL, opts, &input->err);
    else
        input->document = trilo_open_file(path, opts, &input->err);
    return input->document ? EXIT_FINE : exit_of(input->err.code);
}

/* Where refusing findings go. */
typedef struct cli_refusal {
    const cli_screen *screen;
    const char *path;
} cli_refusal;

static void report_refusal(void *user, const trilo_finding *finding)
{
    const cli_refusal *refusal = user;
    if (finding->severity >= TRILO_ERROR)
        report_finding(refusal->screen, refusal->path, finding);
}

exit_code input_check(cli_input *input, const cli_args *args, const char *path, const trilo_load_opts *opts)
{
    const exit_code code = input_open(input, path, opts);
    if (code != EXIT_FINE) {
        report_error(&args->err, path, &input->err);
        return code;
    }
    cli_refusal refusal = {&args->err, path};
    input->tally = trilo_document_check(input->document, report_refusal, &refusal);
    return input->tally.errors + input->tally.crashes ? EXIT_INPUT : EXIT_FINE;
}

exit_code input_model(cli_input *input, const cli_args *args)
{
    input->model = trilo_document_model(input->document, &input->err);
    if (input->model)
        return EXIT_FINE;
    report_error(&args->err, input->path, &input->err);
    return exit_of(input->err.code);
}

exit_code input_load(cli_input *input, const cli_args *args, const char *path, const trilo_load_opts *opts)
{
    const exit_code code = input_check(input, args, path, opts);
    return code == EXIT_FINE ? input_model(input, args) : code;
}

void input_close(cli_input *input)
{
    trilo_model_free(input->model);
    trilo_close(input->document);
    input->model = NULL;
    input->document = NULL;
}

/* formats.c: the command that lists formats. */
#include "output.h"
#include "ui/json.h"
#include "ui/table.h"
#include "usage/args.h"

#include "trilobite/document.h"

#include <string.h>

static void formats_put_extensions(cli_json *json, const char *extensions)
{
    json_array(json, "extensions");
    while (*extensions) {
        const size_t len = strcspn(extensions, " ");
        json_str(json, NULL, (trilo_str){extensions, len});
        extensions += len;
        extensions += strspn(extensions, " ");
    }
    json_end(json);
}

static void print_json(FILE *out)
{
    const trilo_format_info *format;
    cli_json json = json_start(out, "formats");
    json_array(&json, "formats");
    for (size_t i = 0; (format = trilo_format_at(i)); i++) {
        json_object(&json, NULL);
        json_text(&json, "name", format->name);
        json_text(&json, "title", format->title);
        json_text(&json, "versions", format->versions);
        formats_put_extensions(&json, format->extensions);
        json_bool(&json, "reads", format->can_read);
        json_bool(&json, "writes", format->can_write);
        json_end(&json);
    }
    json_end(&json);
    json_finish(&json);
}

static void print_table(const cli_screen *screen)
{
    static const char *const heads[] = {"FORMAT", "NAME", "VERSIONS", "EXTENSIONS", "READ", "WRITE"};
    const trilo_format_info *format;
    cli_table table = table_new("llllll");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_cell(&table, "%s", heads[i]);
    for (size_t i = 0; (format = trilo_format_at(i)); i++) {
        table_cell(&table, "%s", format->name);
        table_cell(&table, "%s", format->title);
        table_cell(&table, "%s", format->versions);
        table_cell(&table, "%s", format->extensions);
        table_cell(&table, "%s", format->can_read ? "yes" : "no");
        table_cell(&table, "%s", format->can_write ? "yes" : "no");
    }
    table_print(&table, screen, true);
}

static void print_reference(const cli_args *args, trilo_format format)
{
    const char *as = args_given(args, OPT_LANGUAGE);
    if (!as || strcmp(as, "markdown") == 0)
        trilo_format_reference(format, output_sink, args->out.file);
    else
        trilo_format_describe(format, strcmp(as, "ksy") == 0 ? TRILO_DESCRIPTION_KSY : TRILO_DESCRIPTION_HEXPAT,
                              output_sink, args->out.file);
}

exit_code formats_run(const cli_args *args)
{
    const char *reference = args_given(args, OPT_REFERENCE);
    if (reference && args->json)
        return args_fail(args, "--reference is text: it cannot be --json as well");
    if (!reference && args_given(args, OPT_LANGUAGE))
        return args_fail(args, "--language needs --reference");
    if (reference)
        print_reference(args, trilo_format_find(reference)->format);
    else if (args->json)
        print_json(args->out.file);
    else
        print_table(&args->out);
    return EXIT_FINE;
}

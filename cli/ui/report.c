#include "ui/report.h"

#include "alloc.h"
#include "ui/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_IN_FULL = 10 };

const char *report_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

static cli_style style_of(trilo_severity severity)
{
    switch (severity) {
    case TRILO_SEVERITY_NOTE:
        return STYLE_NOTE;
    case TRILO_SEVERITY_WARNING:
        return STYLE_WARNING;
    case TRILO_SEVERITY_ERROR:
    case TRILO_SEVERITY_CRASH:
        break;
    }
    return STYLE_ERROR;
}

static void print_finding(const cli_screen *screen, const char *path, const trilo_finding *finding)
{
    FILE *out = screen->file;
    text_puts(out, report_name(path));
    if (finding->offset != TRILO_NOWHERE)
        fprintf(out, ":0x%" PRIX64, finding->offset);
    fputs(": ", out);
    screen_put(screen, style_of(finding->severity), trilo_severity_name(finding->severity));
    if (finding->rule && *finding->rule)
        fprintf(out, " %s", finding->rule);
    fputs(": ", out);
    if (finding->path && *finding->path) {
        text_puts(out, finding->path);
        fputs(": ", out);
    }
    text_puts(out, finding->text);
    fputc('\n', out);
}

void report_repeats(const cli_screen *screen)
{
    cli_repeats *repeats = screen->repeats;
    for (size_t i = 0; repeats && i < repeats->count; i++) {
        char text[64];
        const uint64_t more = repeats->rows[i].seen;
        snprintf(text, sizeof text, "and %s more", COUNT(more > NOTES_IN_FULL ? more - NOTES_IN_FULL : 0));
        const trilo_finding finding = {
            .severity = TRILO_SEVERITY_NOTE, .rule = repeats->rows[i].rule, .offset = TRILO_NOWHERE, .text = text};
        if (more > NOTES_IN_FULL)
            print_finding(screen, repeats->path, &finding);
    }
    if (!repeats)
        return;
    free(repeats->path);
    free(repeats->rows);
    *repeats = (cli_repeats){.path = NULL};
}

/* Has it been printed often enough for that file? */
static bool is_repeated(const cli_screen *screen, const char *path, const trilo_finding *finding)
{
    cli_repeats *repeats = screen->repeats;
    if (!repeats || finding->severity != TRILO_SEVERITY_NOTE || !finding->rule || !*finding->rule)
        return false;
    if (repeats->path && strcmp(repeats->path, path) != 0)
        report_repeats(screen);
    if (!repeats->path)
        repeats->path = strcpy(need(NULL, strlen(path) + 1, 1), path);
    for (size_t i = 0; i < repeats->count; i++)
        if (strcmp(repeats->rows[i].rule, finding->rule) == 0)
            return ++repeats->rows[i].seen > NOTES_IN_FULL;
    repeats->rows = need(repeats->rows, repeats->count + 1, sizeof *repeats->rows);
    repeats->rows[repeats->count++] = (struct cli_repeat){finding->rule, 1};
    return false;
}

void report_finding(const cli_screen *screen, const char *path, const trilo_finding *finding)
{
    if (!is_repeated(screen, path, finding))
        print_finding(screen, path, finding);
}

bool report_is_memory(const trilo_finding *finding)
{
    return finding->rule && strcmp(finding->rule, "FILE-MEMORY") == 0;
}

trilo_finding report_finding_of(const trilo_error *err)
{
    const trilo_rule *rule = err->rule ? trilo_rule_find(err->rule) : NULL;
    return (trilo_finding){.severity =
                               rule && rule->severity > TRILO_SEVERITY_ERROR ? rule->severity : TRILO_SEVERITY_ERROR,
                           .kind = rule ? rule->kind : TRILO_FINDING_KIND_STRUCTURE,
                           .rule = err->rule,
                           .offset = err->offset,
                           .path = err->path,
                           .text = err->text};
}

void report_error(const cli_screen *screen, const char *path, const trilo_error *err)
{
    const trilo_finding finding = report_finding_of(err);
    report_finding(screen, path, &finding);
}

void report_plain(const cli_screen *screen, const char *path, const char *sentence)
{
    const trilo_finding finding = {.severity = TRILO_SEVERITY_ERROR, .offset = TRILO_NOWHERE, .text = sentence};
    report_finding(screen, path, &finding);
}

void report_json(cli_json *json, const trilo_finding *finding)
{
    json_object(json, NULL);
    json_text(json, "severity", trilo_severity_name(finding->severity));
    json_text(json, "kind", trilo_finding_kind_name(finding->kind));
    json_text(json, "code", finding->rule ? finding->rule : "");
    if (finding->offset == TRILO_NOWHERE)
        json_null(json, "offset");
    else
        json_uint(json, "offset", finding->offset);
    json_text(json, "path", finding->path ? finding->path : "");
    json_text(json, "text", finding->text);
    json_end(json);
}

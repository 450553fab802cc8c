#include "ui/report.h"

#include "alloc.h"
#include "ui/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static void print_finding(const cli_screen *screen, const char *path, const trilo_finding *finding, const char *more)
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
    fprintf(out, "%s\n", more);
}

/* "hero.t3dm: 8 notes (--verbose prints them): T3DM-DROPPED, T3DM-KEYS (3)" */
static void list_notes(const cli_screen *screen, const cli_notes *notes)
{
    FILE *out = screen->file;
    uint64_t sum = 0;
    for (size_t i = 0; i < notes->count; i++)
        sum += notes->rows[i].seen;
    text_puts(out, report_name(notes->rows[notes->count - 1].file));
    fputs(": ", out);
    screen_style(screen, STYLE_NOTE);
    fprintf(out, "%s notes", COUNT(sum));
    screen_style(screen, STYLE_PLAIN);
    fputs(notes->can_show_all ? " (--verbose prints them)" : "", out);
    for (size_t i = 0; i < notes->count; i++) {
        fprintf(out, "%s %s", i == 0 ? ":" : ",", notes->rows[i].first.rule);
        if (notes->rows[i].seen > 1)
            fprintf(out, " (%s)", COUNT(notes->rows[i].seen));
    }
    fputc('\n', out);
}

/* The first note of a kind, and in the same line how many others there are. */
static void print_note(const cli_screen *screen, const cli_notes *notes, const struct cli_note *note)
{
    char more[64] = "";
    if (note->seen > 1)
        snprintf(more, sizeof more, " (and %s more%s)", COUNT(note->seen - 1),
                 notes->can_show_all ? "; --verbose prints all" : "");
    print_finding(screen, note->file, &note->first, more);
}

void report_notes(const cli_screen *screen)
{
    cli_notes *notes = screen->notes;
    if (!notes)
        return;
    const bool in_full = notes->kinds_in_full == 0 || notes->count <= notes->kinds_in_full;
    if (!in_full)
        list_notes(screen, notes);
    for (size_t i = 0; i < notes->count; i++) {
        struct cli_note *note = &notes->rows[i];
        if (in_full)
            print_note(screen, notes, note);
        free(note->file);
        free((void *)(uintptr_t)note->first.path);
        free((void *)(uintptr_t)note->first.text);
    }
    free(notes->rows);
    notes->rows = NULL;
    notes->count = 0;
}

static char *copy_text(const char *text)
{
    return strcpy(need(NULL, strlen(text) + 1, 1), text);
}

/* Keeps the first note of each kind and file, and counts the others. */
static void hold_back(cli_notes *notes, const char *file, const trilo_finding *finding)
{
    for (size_t i = 0; i < notes->count; i++)
        if (strcmp(notes->rows[i].first.rule, finding->rule) == 0 && strcmp(notes->rows[i].file, file) == 0) {
            notes->rows[i].seen++;
            return;
        }
    notes->rows = need(notes->rows, notes->count + 1, sizeof *notes->rows);
    struct cli_note *note = &notes->rows[notes->count++];
    *note = (struct cli_note){.file = copy_text(file), .first = *finding, .seen = 1};
    note->first.path = copy_text(finding->path ? finding->path : "");
    note->first.text = copy_text(finding->text);
}

void report_finding(const cli_screen *screen, const char *path, const trilo_finding *finding)
{
    const bool is_note = finding->severity == TRILO_SEVERITY_NOTE && finding->rule && *finding->rule;
    if (is_note && screen->notes && !screen->notes->all)
        hold_back(screen->notes, path, finding);
    else
        print_finding(screen, path, finding, "");
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

/* report.h: prints findings and errors, one per line: FILE:0xOFFSET: SEVERITY CODE: PATH: SENTENCE */
#ifndef TL_CLI_UI_REPORT_H
#define TL_CLI_UI_REPORT_H

#include "ui/json.h"
#include "ui/screen.h"

#include "trilobite/error.h"

/* A path as messages show it: <stdin> for "-". */
const char *report_name(const char *path);

/* How often each kind of note was reported for a file: after the tenth they are only counted. */
typedef struct cli_repeats {
    char *path; /* of the file */
    size_t count;
    struct cli_repeat {
        const char *rule;
        uint64_t seen;
    } * rows;
} cli_repeats;

/* Prints "and 7,990 more" for each kind of note that was not printed in full, and forgets them all. */
void report_repeats(const cli_screen *screen);

void report_finding(const cli_screen *screen, const char *path, const trilo_finding *finding);
void report_error(const cli_screen *screen, const char *path, const trilo_error *err);
/* A message of the program itself about a file. */
void report_plain(const cli_screen *screen, const char *path, const char *sentence);

/* Does it say that memory ran out? Then nothing is known about the file. */
bool report_is_memory(const trilo_finding *finding);

/* An error as a finding; it borrows the texts of the error. */
trilo_finding report_finding_of(const trilo_error *err);

/* Writes a finding as an object into an array. */
void report_json(cli_json *json, const trilo_finding *finding);

#endif

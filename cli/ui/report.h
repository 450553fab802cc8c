/* report.h: prints findings and errors, one per line: FILE:0xOFFSET: SEVERITY CODE: PATH: SENTENCE */
#ifndef TL_CLI_UI_REPORT_H
#define TL_CLI_UI_REPORT_H

#include "ui/json.h"
#include "ui/screen.h"

#include "trilobite/error.h"

/* A path as messages show it: <stdin> for "-". */
const char *report_name(const char *path);

/* The notes of a stream. They come after everything more severe: the first of each kind, and how many more there are.
 */
typedef struct cli_notes {
    bool all;             /* --verbose: print every note as it comes */
    bool can_show_all;    /* the command has --verbose */
    size_t kinds_in_full; /* if there are more kinds, only their codes are listed; 0: no such limit */
    size_t count;
    struct cli_note {
        char *file;
        trilo_finding first; /* with texts of its own */
        uint64_t seen;
    } * rows;
} cli_notes;

/* Prints the notes that were held back, and forgets them. */
void report_notes(const cli_screen *screen);

void report_finding(const cli_screen *screen, const char *path, const trilo_finding *finding);
void report_error(const cli_screen *screen, const char *path, const trilo_error *err);
/* A message of the program itself about a file. */
void report_plain(const cli_screen *screen, const char *path, const char *sentence);

/* An error as a finding; it borrows the texts of the error. */
trilo_finding report_finding_of(const trilo_error *err);

/* Writes a finding as an object into an array. */
void report_json(cli_json *json, const trilo_finding *finding);

#endif

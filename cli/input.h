/* input.h: opening what the command line names, and saying what is wrong with it. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "ui/json.h"
#include "usage/args.h"

#include "trilobite/assets.h"
#include "trilobite/document.h"

/* Options for reading, and what they point to: not to be copied. */
typedef struct cli_load_opts {
    trilo_load_opts all;
    trilo_nlm_load_opts nlm;
    trilo_model64_load_opts model64;
    trilo_gltf_load_opts gltf;
} cli_load_opts;

typedef struct cli_input {
    const cli_args *args;
    const char *path; /* "-": standard input */
    trilo_load_opts opts;
    trilo_assets *assets;     /* where images are that the file only names */
    char *stream;             /* the path of the stream that the last finding was about */
    trilo_document *document; /* NULL: it could not be opened, and err says why */
    const trilo_model *model; /* NULL until input_load */
    trilo_tally tally;
    trilo_error err;
} cli_input;

/* The reading options of a command line. */
exit_code input_options(const cli_args *args, cli_load_opts *opts);

/* Opens the file and says nothing. Always to be closed, and not to be moved before. */
exit_code input_open(cli_input *input, const cli_args *args, const char *path, const trilo_load_opts *opts);

/* The file that a finding is about: the model, or one of its streams, whose bytes it then counts. Valid until the next
 * call. */
const char *input_subject(cli_input *input, const trilo_finding *finding);

/* Opens and checks the file. Each problem that refuses it goes to standard error, one a line. */
exit_code input_check(cli_input *input, const cli_args *args, const char *path, const trilo_load_opts *opts);

/* Makes the model of a file that passed the check. */
exit_code input_model(cli_input *input, const cli_args *args);

/* Both. */
exit_code input_load(cli_input *input, const cli_args *args, const char *path, const trilo_load_opts *opts);

/* Why it has no model: findings, as elements of an array that is open. */
void input_refusals(const cli_input *input, cli_json *json);

/* Without its stream a clip moves nothing, which looks like a pose all the same: then there is a warning. */
void input_warn_streamless(const cli_input *input, uint32_t clip);

void input_close(cli_input *input);

#endif

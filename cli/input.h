/* input.h: opens and checks input files, and reports their problems. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "ui/json.h"
#include "usage/args.h"

#include "trilobite/assets.h"
#include "trilobite/document.h"

/* Load options, and what they point to. Must not be copied. */
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
    trilo_assets *assets;     /* finds images that the file only names */
    char *stream;             /* path of the stream that the last finding was about */
    trilo_document *document; /* NULL: it could not be opened; see err */
    const trilo_model *model; /* NULL until input_load */
    trilo_tally tally;
    trilo_error err;
} cli_input;

/* Reads the load options of a command line. */
exit_code input_options(const cli_args *args, cli_load_opts *opts);

/* Opens the file without messages. Must be closed, even on failure, and must not be moved before. */
exit_code input_open(cli_input *input, const cli_args *args, const char *path, const trilo_load_opts *opts);

/* The file that a finding is about, and that its offset refers to: the model, or one of its streams. Valid until the
 * next call. */
const char *input_subject(cli_input *input, const trilo_finding *finding);

/* True if the finding refuses the file. An error of conformance does not: the file can be read. */
bool input_refuses(const trilo_finding *finding);

/* Opens and checks the file. Prints each problem that makes it unusable on standard error, one per line. */
exit_code input_check(cli_input *input, const cli_args *args, const char *path, const trilo_load_opts *opts);

/* Decodes the model of a file that passed the check. */
exit_code input_model(cli_input *input, const cli_args *args);

/* Both. */
exit_code input_load(cli_input *input, const cli_args *args, const char *path, const trilo_load_opts *opts);

/* Writes the reasons why there is no model, as findings, into the open JSON array. */
void input_refusals(const cli_input *input, cli_json *json);

/* Warns if the stream of the clip is missing: the clip then shows the rest pose. */
void input_warn_streamless(const cli_input *input, uint32_t clip);

void input_close(cli_input *input);

#endif

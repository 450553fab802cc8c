/* check_for.h: tries a conversion and writes nothing. */
#ifndef TL_CLI_CONVERT_CHECK_FOR_H
#define TL_CLI_CONVERT_CHECK_FOR_H

#include "input.h"

/* Converts an input that passed its check to the format of --for. Findings go to `see`. *err is the error that ended
 * the conversion, or TRILO_CODE_OK. Returns another value than EXIT_FINE if the command line is wrong. */
exit_code check_for(cli_input *input, const cli_args *args, trilo_finding_fn *see, void *user, trilo_error *err);

/* True if a --profile has limits for the format of the input, or for that of --for. */
bool check_for_profile(const cli_input *input, const cli_args *args);

/* True if it is an option of the conversion that --for tries. */
bool check_for_takes(option_id id);
/* Refuses conversion options without --for. */
exit_code check_for_options(const cli_args *args);

#endif

/* check_for.h: tries a conversion and writes nothing. */
#ifndef TL_CLI_CONVERT_CHECK_FOR_H
#define TL_CLI_CONVERT_CHECK_FOR_H

#include "input.h"

/* Converts what was opened, and passed its check, to the format of --for. Findings go to `see`. What ends a conversion
 * is in *err; its code is TRILO_CODE_OK when all went well. Anything but EXIT_FINE: the command line is wrong. */
exit_code check_for(cli_input *input, const cli_args *args, trilo_finding_fn *see, void *user, trilo_error *err);

/* Does what is read, or what --for would make of it, have limits that a --profile knows? */
bool check_for_profile(const cli_input *input, const cli_args *args);

/* Refuses options that say how to convert when nothing is to be converted. */
exit_code check_for_options(const cli_args *args);

#endif

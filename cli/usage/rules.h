/* rules.h: the documentation of the finding codes. */
#ifndef TL_CLI_USAGE_RULES_H
#define TL_CLI_USAGE_RULES_H

#include "usage/args.h"

/* Applies --allow, --warn and --deny, of which the last one wins. False: the finding is suppressed. */
bool rules_judge(const cli_args *args, trilo_finding *finding);

/* Prints cause and fix of one code. */
void rules_explain(const cli_args *args, const char *code);

/* Prints all codes, as Markdown or JSON. */
void rules_print(const cli_args *args);

#endif

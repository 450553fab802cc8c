/* rules.h: the documentation of the finding codes. */
#ifndef TL_CLI_USAGE_RULES_H
#define TL_CLI_USAGE_RULES_H

#include "usage/args.h"

/* Cause and cure of one code. */
void rules_explain(const cli_args *args, const char *code);

/* All of them, as Markdown or JSON. */
void rules_print(const cli_args *args);

#endif

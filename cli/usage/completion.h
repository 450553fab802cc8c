/* completion.h: completion scripts for shells. */
#ifndef TL_CLI_USAGE_COMPLETION_H
#define TL_CLI_USAGE_COMPLETION_H

#include <stdio.h>

void completion_bash(FILE *out);
void completion_zsh(FILE *out);
void completion_fish(FILE *out);

#endif

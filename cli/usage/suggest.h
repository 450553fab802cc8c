/* suggest.h: the known word closest to a mistyped one. */
#ifndef TL_CLI_USAGE_SUGGEST_H
#define TL_CLI_USAGE_SUGGEST_H

#include <stddef.h>

typedef struct cli_suggestion {
    const char *typed;
    const char *best; /* NULL: nothing is similar enough */
    size_t distance;
} cli_suggestion;

cli_suggestion suggest(const char *typed);
void suggest_offer(cli_suggestion *suggestion, const char *word);

#endif

#include "usage/suggest.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

enum { LONGEST = 63 };

static size_t suggest_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int suggest_fold_case(char c)
{
    return tolower((unsigned char)c);
}

/* Levenshtein's distance, kept in one row; `b` has at most LONGEST characters. */
static size_t suggest_distance(const char *a, const char *b)
{
    size_t row[LONGEST + 1];
    const size_t width = strlen(b);
    for (size_t j = 0; j <= width; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            const size_t swap = diagonal + (suggest_fold_case(a[i]) != suggest_fold_case(b[j]));
            diagonal = row[j + 1];
            row[j + 1] = suggest_least(swap, 1 + suggest_least(row[j], row[j + 1]));
        }
    }
    return row[width];
}

cli_suggestion suggest(const char *typed)
{
    /* A third of the letters may be wrong, and one in any case. */
    return (cli_suggestion){.typed = typed, .distance = 2 + strlen(typed) / 3};
}

void suggest_offer(cli_suggestion *suggestion, const char *word)
{
    const size_t len = strlen(suggestion->typed);
    if (len == 0 || strlen(word) > LONGEST)
        return;
    const int starts = len > 1 && strncmp(word, suggestion->typed, len) == 0;
    const size_t far = starts ? 1 : suggest_distance(suggestion->typed, word);
    if (far < suggestion->distance) {
        suggestion->distance = far;
        suggestion->best = word;
    }
}

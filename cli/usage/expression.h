/* expression.h: numbers that are worked out: "meter*2/500". */
#ifndef TL_CLI_USAGE_EXPRESSION_H
#define TL_CLI_USAGE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

/* Decimal numbers with + - * / and parentheses; `meter` is what that name stands for, 0 when it is not known. The value
 * is finite and above 0. False, with a sentence in `why`, when it cannot be worked out. */
bool expression_value(const char *text, double meter, double *value, char *why, size_t room);

#endif

/* expression.h: evaluates expressions such as "meter*2/500". */
#ifndef TL_CLI_USAGE_EXPRESSION_H
#define TL_CLI_USAGE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

/* Decimal numbers with + - * / and parentheses. `meter` is the value of that name; 0: undefined. The result is finite
 * and above 0. Returns false and a sentence in `why` if the expression is invalid. */
bool expression_value(const char *text, double meter, double *value, char *why, size_t room);

#endif

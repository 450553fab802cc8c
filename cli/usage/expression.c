#include "usage/expression.h"

#include "ui/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 }; /* parentheses inside each other */

typedef struct cli_reading {
    const char *text, *at;
    double meter;
    unsigned depth;
    bool failed; /* only the first error is reported */
    char *why;
    size_t room;
} cli_reading;

/* ---- what is wrong ---- */

static size_t column_of(const cli_reading *reading, const char *at)
{
    return (size_t)(at - reading->text) + 1; /* all in front of a fault is ASCII */
}

static double expression_fail(cli_reading *reading, const char *at, const char *what)
{
    if (!reading->failed)
        snprintf(reading->why, reading->room, "column %zu: %s", column_of(reading, at), what);
    reading->failed = true;
    return 1;
}

static double fail_expected(cli_reading *reading, const char *wanted)
{
    const char *at = reading->at;
    const size_t known = text_char_size(at, strlen(at));
    char what[96], found[16] = "the end";
    if (*at)
        snprintf(found, sizeof found, "\"%.*s\"", (int)(known ? known : 1), at);
    snprintf(what, sizeof what, "%s is expected here, not %s", wanted, found);
    return expression_fail(reading, at, what);
}

/* What an operator at that place made; infinity ends it. */
static double expression_bounded(cli_reading *reading, const char *at, double value)
{
    return isfinite(value) ? value : expression_fail(reading, at, "the number is too large");
}

/* ---- what is there ---- */

static char expression_peek(cli_reading *reading)
{
    while (*reading->at == ' ' || *reading->at == '\t')
        reading->at++;
    return *reading->at;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

static double expression_sum(cli_reading *reading);

static double unsigned_factor(cli_reading *reading)
{
    static const char name[] = "meter";
    const char c = expression_peek(reading);
    if (c == '(') {
        if (reading->depth == DEEPEST)
            return expression_fail(reading, reading->at, "more than 64 parentheses are open");
        reading->depth++;
        reading->at++;
        const double value = expression_sum(reading);
        if (!reading->failed && expression_peek(reading) != ')')
            return fail_expected(reading, "an operator or \")\"");
        reading->at += !reading->failed;
        reading->depth--;
        return value;
    }
    if (is_digit(c) || (c == '.' && is_digit(reading->at[1]))) {
        const char *start = reading->at;
        /* "12", "1.5", ".5", "1e-3": strtod accepts more kinds of numbers. The program keeps the C locale, in which it
         * reads a point. */
        const char *at = skip_digits(start);
        if (*at == '.')
            at = skip_digits(at + 1);
        if (*at == 'e' || *at == 'E') {
            const char *digits = at + 1 + (at[1] == '+' || at[1] == '-');
            at = is_digit(*digits) ? skip_digits(digits) : at;
        }
        reading->at = at;
        return expression_bounded(reading, start, strtod(start, NULL));
    }
    if (reading->meter > 0 && strncmp(reading->at, name, strlen(name)) == 0) {
        reading->at += strlen(name);
        return reading->meter;
    }
    return fail_expected(reading, reading->meter > 0 ? "a number, \"meter\" or \"(\"" : "a number or \"(\"");
}

static double expression_factor(cli_reading *reading)
{
    bool negative = false;
    while (expression_peek(reading) == '-' || *reading->at == '+')
        negative ^= *reading->at++ == '-';
    const double value = unsigned_factor(reading);
    return negative ? -value : value;
}

static double expression_product(cli_reading *reading)
{
    double value = expression_factor(reading);
    while (!reading->failed && (expression_peek(reading) == '*' || *reading->at == '/')) {
        const char *at = reading->at++;
        const double next = expression_factor(reading);
        if (*at == '/' && next == 0)
            return expression_fail(reading, at, "a division by zero");
        value = expression_bounded(reading, at, *at == '*' ? value * next : value / next);
    }
    return value;
}

static double expression_sum(cli_reading *reading)
{
    double value = expression_product(reading);
    while (!reading->failed && (expression_peek(reading) == '+' || *reading->at == '-')) {
        const char *sign = reading->at++;
        const double next = expression_product(reading);
        value = expression_bounded(reading, sign, *sign == '+' ? value + next : value - next);
    }
    return value;
}

bool expression_value(const char *text, double meter, double *value, char *why, size_t room)
{
    cli_reading reading = {.text = text, .at = text, .meter = meter, .why = why, .room = room};
    *value = expression_sum(&reading);
    if (!reading.failed && expression_peek(&reading))
        fail_expected(&reading, "an operator or the end");
    if (!reading.failed && !(*value > 0)) {
        snprintf(why, room, "the result is %s, but it must be above 0", ROUNDED(*value));
        return false;
    }
    return !reading.failed;
}

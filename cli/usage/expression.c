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
    bool failed; /* the first fault is the one that is told */
    char *why;
    size_t room;
} cli_reading;

/* ---- what is wrong ---- */

static size_t column_of(const cli_reading *reading, const char *at)
{
    return (size_t)(at - reading->text) + 1; /* all in front of a fault is ASCII */
}

static double fail(cli_reading *reading, const char *at, const char *what)
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
    snprintf(what, sizeof what, "%s should stand here, not %s", wanted, found);
    return fail(reading, at, what);
}

/* What an operator at that place made; infinity ends it. */
static double bounded(cli_reading *reading, const char *at, double value)
{
    return isfinite(value) ? value : fail(reading, at, "the number is too large");
}

/* ---- what is there ---- */

static char peek(cli_reading *reading)
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

/* "12", "1.5", ".5", "1e-3": strtod knows more kinds of numbers than are wanted here. The program keeps the C locale,
 * where it reads a point. */
static const char *end_of_number(const char *at)
{
    at = skip_digits(at);
    if (*at == '.')
        at = skip_digits(at + 1);
    if (*at == 'e' || *at == 'E') {
        const char *digits = at + 1 + (at[1] == '+' || at[1] == '-');
        at = is_digit(*digits) ? skip_digits(digits) : at;
    }
    return at;
}

static double sum(cli_reading *reading);

static double parenthesis(cli_reading *reading)
{
    if (reading->depth == DEEPEST)
        return fail(reading, reading->at, "more than 64 parentheses are open");
    reading->depth++;
    reading->at++;
    const double value = sum(reading);
    if (!reading->failed && peek(reading) != ')')
        return fail_expected(reading, "an operator or \")\"");
    reading->at += !reading->failed;
    reading->depth--;
    return value;
}

static double number(cli_reading *reading)
{
    const char *start = reading->at;
    reading->at = end_of_number(start);
    return bounded(reading, start, strtod(start, NULL));
}

static double unsigned_factor(cli_reading *reading)
{
    static const char name[] = "meter";
    const char c = peek(reading);
    if (c == '(')
        return parenthesis(reading);
    if (is_digit(c) || (c == '.' && is_digit(reading->at[1])))
        return number(reading);
    if (reading->meter > 0 && strncmp(reading->at, name, strlen(name)) == 0) {
        reading->at += strlen(name);
        return reading->meter;
    }
    return fail_expected(reading, reading->meter > 0 ? "a number, \"meter\" or \"(\"" : "a number or \"(\"");
}

static double factor(cli_reading *reading)
{
    bool negative = false;
    while (peek(reading) == '-' || *reading->at == '+')
        negative ^= *reading->at++ == '-';
    const double value = unsigned_factor(reading);
    return negative ? -value : value;
}

static double product(cli_reading *reading)
{
    double value = factor(reading);
    while (!reading->failed && (peek(reading) == '*' || *reading->at == '/')) {
        const char *at = reading->at++;
        const double next = factor(reading);
        if (*at == '/' && next == 0)
            return fail(reading, at, "a division by zero");
        value = bounded(reading, at, *at == '*' ? value * next : value / next);
    }
    return value;
}

static double sum(cli_reading *reading)
{
    double value = product(reading);
    while (!reading->failed && (peek(reading) == '+' || *reading->at == '-')) {
        const char *sign = reading->at++;
        const double next = product(reading);
        value = bounded(reading, sign, *sign == '+' ? value + next : value - next);
    }
    return value;
}

bool expression_value(const char *text, double meter, double *value, char *why, size_t room)
{
    cli_reading reading = {.text = text, .at = text, .meter = meter, .why = why, .room = room};
    *value = sum(&reading);
    if (!reading.failed && peek(&reading))
        fail_expected(&reading, "an operator or the end");
    if (!reading.failed && !(*value > 0)) {
        snprintf(why, room, "that makes %s, but it must be above 0", ROUNDED(*value));
        return false;
    }
    return !reading.failed;
}

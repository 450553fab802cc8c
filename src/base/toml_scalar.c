/* TOML booleans, integers, floats, dates and times. */
#include "base/toml_steps.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

enum { TOML_LONGEST_NUMBER = 1024 };

/* The characters of a scalar: up to white space, a comma, a bracket or a comment. A date may be followed by a space
 * and a time. */
static const uint8_t *toml_word_end(const uint8_t *at, const uint8_t *end)
{
    while (at < end && !strchr(" \t\r\n,]}#=", *at))
        at++;
    return at;
}

/* ---- numbers ---- */

/* Copies the digits of a number without underscores, each of which must have a digit on both sides. `base` 16 takes
 * letters as digits. */
static bool toml_strip_underscores(tl_toml_cursor *c, const uint8_t *at, const uint8_t *end, bool hex, char *out)
{
    for (const uint8_t *p = at; p < end; p++) {
        const int before = p > at ? p[-1] : 0, after = p + 1 < end ? p[1] : 0;
        const bool digits = hex ? before && after && before != '_' && after != '_'
                                : tl_toml_is_digit(before) && tl_toml_is_digit(after);
        if (*p != '_')
            *out++ = (char)*p;
        else if (!digits)
            return tl_toml_wrong(c, p, "an underscore in a number must have a digit on both sides");
    }
    *out = '\0';
    return true;
}

static bool toml_read_prefixed(tl_toml_cursor *c, const uint8_t *start, const uint8_t *end, tl_toml *value)
{
    const uint64_t base = start[1] == 'x' ? 16 : start[1] == 'o' ? 8 : 2;
    char digits[TOML_LONGEST_NUMBER + 1];
    uint64_t sum = 0;
    if (end - start == 2)
        return tl_toml_wrong(c, start, "a number has no digits after 0%c", start[1]);
    if (!toml_strip_underscores(c, start + 2, end, true, digits))
        return false;
    for (const char *p = digits; *p; p++) {
        const int letter = *p | 0x20;
        const unsigned digit = tl_toml_is_digit(*p)             ? (unsigned)(*p - '0')
                               : letter >= 'a' && letter <= 'f' ? (unsigned)(letter - 'a') + 10
                                                                : 16;
        if (digit >= base)
            return tl_toml_wrong(c, start, "a number in base %d has a wrong digit", (int)base);
        if (sum > (INT64_MAX - digit) / base)
            return tl_toml_wrong(c, start, "an integer is too large, must be at most 9223372036854775807");
        sum = sum * base + digit;
    }
    value->kind = TL_TOML_INTEGER;
    value->integer = (int64_t)sum;
    value->number = (double)sum;
    return true;
}

/* digits [. digits] [e sign? digits], without the sign of the whole; false: it is not a number. */
static bool toml_is_decimal(const char *p, bool *whole)
{
    const bool zero = p[0] == '0' && tl_toml_is_digit(p[1]);
    *whole = true;
    if (!tl_toml_is_digit(*p) || zero)
        return false;
    while (tl_toml_is_digit(*p))
        p++;
    if (*p == '.') {
        *whole = false;
        if (!tl_toml_is_digit(*++p))
            return false;
        while (tl_toml_is_digit(*p))
            p++;
    }
    if (*p == 'e' || *p == 'E') {
        *whole = false;
        p++;
        p += *p == '+' || *p == '-';
        if (!tl_toml_is_digit(*p))
            return false;
        while (tl_toml_is_digit(*p))
            p++;
    }
    return *p == '\0';
}

static bool toml_read_integer(tl_toml_cursor *c, const uint8_t *start, const char *digits, bool negative,
                              tl_toml *value)
{
    const uint64_t most = (uint64_t)INT64_MAX + negative;
    uint64_t sum = 0;
    for (const char *p = digits; *p; p++) {
        const unsigned digit = (unsigned)(*p - '0');
        if (sum > (most - digit) / 10)
            return tl_toml_wrong(c, start,
                                 "an integer does not fit 64 bits, must be from -9223372036854775808 to "
                                 "9223372036854775807");
        sum = 10 * sum + digit;
    }
    value->kind = TL_TOML_INTEGER;
    value->integer = !negative ? (int64_t)sum : sum == most ? INT64_MIN : -(int64_t)sum;
    value->number = (double)value->integer;
    return true;
}

static bool toml_read_number(tl_toml_cursor *c, const uint8_t *start, const uint8_t *end, tl_toml *value)
{
    char text[TOML_LONGEST_NUMBER + 2] = "-";
    bool whole;
    const bool negative = *start == '-', sign = negative || *start == '+';
    const uint8_t *at = start + sign;
    if (end - start > TOML_LONGEST_NUMBER)
        return tl_toml_wrong(c, start, "a number has more than %d characters", TOML_LONGEST_NUMBER);
    if (end - at > 1 && at[0] == '0' && (at[1] == 'x' || at[1] == 'o' || at[1] == 'b')) {
        if (sign)
            return tl_toml_wrong(c, start, "a number in another base than ten must have no sign");
        return toml_read_prefixed(c, at, end, value);
    }
    if (end - at == 3 && (memcmp(at, "inf", 3) == 0 || memcmp(at, "nan", 3) == 0)) {
        value->kind = TL_TOML_FLOAT;
        value->number = *at == 'n' ? (double)NAN : negative ? -(double)INFINITY : (double)INFINITY;
        return true;
    }
    if (!toml_strip_underscores(c, at, end, false, text + 1))
        return false;
    if (!toml_is_decimal(text + 1, &whole)) {
        if (text[1] == '0' && tl_toml_is_digit(text[2]))
            return tl_toml_wrong(c, start, "a number has a leading zero, must start with another digit");
        return tl_toml_wrong(c, start,
                             "a value is expected here: a string in quotes, a number, true, false, a date, an "
                             "array or a table");
    }
    if (whole)
        return toml_read_integer(c, start, text + 1, negative, value);
    value->kind = TL_TOML_FLOAT;
    const char *number = negative ? text : text + 1;
    if (!tl_read_double(number, strlen(number), &value->number))
        return tl_toml_wrong(c, start, "a number is too large for a double, must be at most 1.7976931348623157e308");
    return true;
}

/* ---- dates and times ---- */

static bool toml_take_digits(const uint8_t **at, const uint8_t *end, int count, int *out)
{
    *out = 0;
    for (int i = 0; i < count; i++, (*at)++) {
        if (*at == end || !tl_toml_is_digit(**at))
            return false;
        *out = 10 * *out + (**at - '0');
    }
    return true;
}

static bool toml_take(const uint8_t **at, const uint8_t *end, char byte)
{
    if (*at == end || **at != (uint8_t)byte)
        return false;
    (*at)++;
    return true;
}

static bool toml_take_date(const uint8_t **at, const uint8_t *end, bool *valid)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day;
    if (!toml_take_digits(at, end, 4, &year) || !toml_take(at, end, '-') || !toml_take_digits(at, end, 2, &month) ||
        !toml_take(at, end, '-') || !toml_take_digits(at, end, 2, &day))
        return false;
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    *valid &= month >= 1 && month <= 12 && day >= 1 &&
              day <= days[month >= 1 && month <= 12 ? month - 1 : 0] + (month == 2 && leap);
    return true;
}

/* RFC 3339: a leap second is 60. */
static bool toml_take_time(const uint8_t **at, const uint8_t *end, bool *valid)
{
    int hour, minute, second;
    if (!toml_take_digits(at, end, 2, &hour) || !toml_take(at, end, ':') || !toml_take_digits(at, end, 2, &minute) ||
        !toml_take(at, end, ':') || !toml_take_digits(at, end, 2, &second))
        return false;
    *valid &= hour <= 23 && minute <= 59 && second <= 60;
    if (!toml_take(at, end, '.'))
        return true;
    if (*at == end || !tl_toml_is_digit(**at))
        return false;
    while (*at < end && tl_toml_is_digit(**at))
        (*at)++;
    return true;
}

static bool toml_take_offset(const uint8_t **at, const uint8_t *end, bool *valid)
{
    int hour, minute;
    if (toml_take(at, end, 'Z') || toml_take(at, end, 'z'))
        return true;
    (*at)++; /* a sign, which the caller has seen */
    if (!toml_take_digits(at, end, 2, &hour) || !toml_take(at, end, ':') || !toml_take_digits(at, end, 2, &minute))
        return false;
    *valid &= hour <= 23 && minute <= 59;
    return true;
}

static bool toml_read_date(tl_toml_cursor *c, const uint8_t *end, tl_toml *value)
{
    const uint8_t *start = c->at, *at = start;
    bool valid = true, shaped = true;
    const bool date = end - start > 4 && start[4] == '-';
    value->kind = date ? TL_TOML_LOCAL_DATE : TL_TOML_LOCAL_TIME;
    if (date) {
        shaped = toml_take_date(&at, end, &valid);
        /* "1979-05-27 07:32:00": a space in the middle is allowed too. */
        if (shaped && at == end && c->end - end > 1 && *end == ' ' && tl_toml_is_digit(end[1]))
            end = toml_word_end(end + 1, c->end);
        if (shaped && at < end) {
            const uint8_t separator = *at++;
            value->kind = TL_TOML_LOCAL_DATE_TIME;
            shaped = (separator == 'T' || separator == 't' || separator == ' ') && toml_take_time(&at, end, &valid);
            if (shaped && at < end && strchr("Zz+-", *at)) {
                value->kind = TL_TOML_DATE_TIME;
                shaped = toml_take_offset(&at, end, &valid);
            }
        }
    } else {
        shaped = toml_take_time(&at, end, &valid);
    }
    if (!shaped || at != end)
        return tl_toml_wrong(c, start,
                             "a date or time must look like 1979-05-27, 07:32:00, 1979-05-27T07:32:00 or "
                             "1979-05-27T07:32:00Z");
    if (!valid)
        return tl_toml_wrong(c, start, "there is no such date or time");
    value->string = tl_str_copy(c->arena, (const char *)start, (size_t)(end - start));
    c->at = end;
    return value->string.data || tl_fail_memory(c->err);
}

bool tl_toml_read_scalar(tl_toml_cursor *c, tl_toml *value)
{
    const uint8_t *end = toml_word_end(c->at, c->end);
    const size_t length = (size_t)(end - c->at);
    const bool yes = length == 4 && memcmp(c->at, "true", 4) == 0;
    if (yes || (length == 5 && memcmp(c->at, "false", 5) == 0)) {
        value->kind = TL_TOML_BOOL;
        value->boolean = yes;
        c->at = end;
        return true;
    }
    if (length > 2 && tl_toml_is_digit(*c->at) && (c->at[2] == ':' || (length > 4 && c->at[4] == '-')) &&
        tl_toml_is_digit(c->at[1]))
        return toml_read_date(c, end, value);
    if (length == 0)
        return tl_toml_expected(c, "a value");
    if (!toml_read_number(c, c->at, end, value))
        return false;
    c->at = end;
    return true;
}

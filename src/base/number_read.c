/* A decimal is digits * 10^exponent. Most numbers in files are short: then both factors are exact doubles, and one
 * multiplication or division rounds correctly. All others are computed exactly, in whole numbers of any length:
 *
 *   digits * 10^n  = (digits * 5^n) * 2^n
 *   digits * 10^-n = (digits * 2^s / 5^n) * 2^(-s-n), s large enough for 64 bits before the remainder
 *
 * Of the factor in brackets the first 64 bits are taken, and whether anything but zeroes follows them: that is all
 * that rounding has to know. */
#include "base/number.h"

#include <float.h>
#include <string.h>

enum {
    SHORT_DIGITS = 19, /* as many surely fit 64 bits */
    LONG_DIGITS = 780, /* the point halfway between two doubles has never more than 768 digits */
    LONG_WORDS = 96,   /* room for 781 digits, and for 5^1104 and 97 bits more */
    LARGEST_TEN = 308, /* power of ten below the largest double */
    SMALLEST_TEN = -324,
    NINE = 9,
    CHUNK = 13 /* 5^13 is the largest power of five in 32 bits */
};

/* The text, taken apart. */
typedef struct number_text {
    const char *first, *last; /* from the first digit that is not 0 to behind the last one; a point may be among them */
    int64_t count;            /* of those digits */
    int64_t exponent;         /* of the last digit */
    uint64_t digits;          /* their value, when there are at most SHORT_DIGITS */
    bool negative;
} number_text;

/* Least word first; the last one is not 0. */
typedef struct number_long {
    uint32_t words[LONG_WORDS];
    int count;
    int exponent; /* of two */
    bool rest;    /* a little more than that: a division left a remainder */
} number_long;

/* ---- taking the text apart ---- */

/* Behind the e. It stops growing where no number of digits could make up for it. */
static int64_t exponent_of(const char *at, const char *end)
{
    const bool negative = *at == '-';
    int64_t exponent = 0;
    for (at += *at == '-' || *at == '+'; at < end; at++)
        if (exponent < INT64_C(1) << 40)
            exponent = 10 * exponent + (*at - '0');
    return negative ? -exponent : exponent;
}

static number_text text_of(const char *text, size_t length)
{
    const char *end = text + length, *point = NULL;
    number_text n = {.negative = *text == '-'};
    const char *at = n.first = text + n.negative;
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.')
            point = at;
        else
            n.digits = 10 * n.digits + (uint64_t)(*at - '0'); /* may overflow: then there are too many to be used */
    }
    n.last = at;
    while (n.first < n.last && (*n.first == '0' || *n.first == '.'))
        n.first++;
    n.count = n.last - n.first - (point && point > n.first);
    n.exponent = (at < end ? exponent_of(at + 1, end) : 0) - (point ? n.last - point - 1 : 0);
    return n;
}

/* ---- long numbers ---- */

static void long_multiply(number_long *n, uint32_t factor, uint32_t more)
{
    uint64_t carry = more;
    for (int i = 0; i < n->count; i++) {
        carry += (uint64_t)n->words[i] * factor;
        n->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        n->words[n->count++] = (uint32_t)carry;
}

/* Division step by step leaves out the same fraction as division at once: floor(floor(x / a) / b) = floor(x / (ab)). */
static void long_divide(number_long *n, uint32_t divisor)
{
    uint64_t rest = 0;
    for (int i = n->count - 1; i >= 0; i--) {
        rest = rest << 32 | n->words[i];
        n->words[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    n->rest = n->rest || rest != 0;
    n->count -= n->words[n->count - 1] == 0;
}

static void long_from_short(number_long *n, uint64_t digits)
{
    n->words[0] = (uint32_t)digits;
    n->words[1] = (uint32_t)(digits >> 32);
    n->count = 1 + (n->words[1] != 0);
}

/* Digits behind the first 780 cannot matter but for one thing: whether they are all 0. They become a single 0 or 1. */
static void long_from_text(number_long *n, const number_text *text, int64_t *exponent)
{
    static const uint32_t tens[NINE + 1] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
    uint32_t chunk = 0, more = 0;
    int in_chunk = 0;
    int64_t count = 0;
    n->count = 0;
    for (const char *at = text->first; at < text->last; at++) {
        if (*at == '.')
            continue;
        if (count++ >= LONG_DIGITS) {
            more |= *at != '0';
            continue;
        }
        chunk = 10 * chunk + (uint32_t)(*at - '0');
        if (++in_chunk == NINE) {
            long_multiply(n, tens[NINE], chunk);
            chunk = 0;
            in_chunk = 0;
        }
    }
    long_multiply(n, tens[in_chunk], chunk);
    *exponent = text->exponent;
    if (count > LONG_DIGITS) {
        long_multiply(n, 10, more);
        *exponent += count - LONG_DIGITS - 1;
    }
}

/* Whole words of zeroes behind it, until it has 64 bits more than 5^n, which has at most n * 7/3 + 1. */
static void long_extend(number_long *n, int power)
{
    const int words = (power * 7 / 3 + 1 + 64 + 31) / 32 + 1 - n->count;
    if (words <= 0)
        return;
    memmove(n->words + words, n->words, (size_t)n->count * sizeof *n->words);
    memset(n->words, 0, (size_t)words * sizeof *n->words);
    n->count += words;
    n->exponent -= 32 * words;
}

/* Times 10^exponent. */
static void long_scale(number_long *n, int exponent)
{
    static const uint32_t fives[CHUNK + 1] = {1,     5,      25,      125,     625,      3125,      15625,
                                              78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125};
    const bool divide = exponent < 0;
    int left = divide ? -exponent : exponent;
    n->exponent = exponent;
    if (divide)
        long_extend(n, left);
    for (; left > 0; left -= CHUNK) {
        const uint32_t five = fives[left < CHUNK ? left : CHUNK];
        if (divide)
            long_divide(n, five);
        else
            long_multiply(n, five, 0);
    }
}

/* The first 64 bits. */
static uint64_t long_top(number_long *n)
{
    const int at = n->count - 1;
    uint64_t top = (uint64_t)n->words[at] << 32 | (at >= 1 ? n->words[at - 1] : 0);
    uint64_t below = at >= 2 ? n->words[at - 2] : 0;
    n->exponent += 32 * (at - 1);
    while (!(top >> 63)) { /* at most 31 times */
        below <<= 1;
        top = top << 1 | (below >> 32 & 1);
        n->exponent--;
    }
    n->rest = n->rest || (uint32_t)below != 0;
    for (int i = 0; i < at - 2 && !n->rest; i++)
        n->rest = n->words[i] != 0;
    return top;
}

/* ---- putting a double together ---- */

/* The bits of top * 2^exponent without a sign; `rest`: it is a little more. The first bit of `top` is set. */
static uint64_t round_bits(uint64_t top, int exponent, bool rest)
{
    const int biased = exponent + 63 + 1023;
    const int lost = biased > 0 ? 11 : 12 - biased; /* bits that do not fit: more in a denormal */
    if (lost > 64)
        return 0;
    if (biased > 2046)
        return UINT64_C(2047) << 52;
    const uint64_t kept = lost < 64 ? top >> lost : 0, cut = top << (64 - lost), half = UINT64_C(1) << 63;
    const bool up = cut > half || (cut == half && (rest || (kept & 1)));
    /* The first bit of `kept` is not stored: it adds the 1 that is missing here. A carry does the same. */
    return kept + up + ((uint64_t)(biased > 0 ? biased - 1 : 0) << 52);
}

static uint64_t bits_of(const number_text *text)
{
    number_long n;
    int64_t exponent = text->exponent;
    const int64_t lead = text->count - 1 + exponent; /* of the first digit */
    if (text->count == 0 || lead < SMALLEST_TEN)
        return 0;
    if (lead > LARGEST_TEN)
        return UINT64_C(2047) << 52;
    n.rest = false;
    if (text->count <= SHORT_DIGITS)
        long_from_short(&n, text->digits);
    else
        long_from_text(&n, text, &exponent);
    long_scale(&n, (int)exponent);
    const uint64_t top = long_top(&n);
    return round_bits(top, n.exponent, n.rest);
}

/* Exact factors, rounded once: but only where the machine computes in doubles, and not in something wider. */
static bool read_short(const number_text *text, double *out)
{
    static const double tens[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (FLT_EVAL_METHOD != 0 || text->count > SHORT_DIGITS || text->digits >> 53 != 0)
        return false;
    if (text->exponent < -22 || text->exponent > 22)
        return false;
    const double digits = text->negative ? -(double)text->digits : (double)text->digits;
    *out = text->exponent < 0 ? digits / tens[-text->exponent] : digits * tens[text->exponent];
    return true;
}

bool tl_read_double(const char *text, size_t length, double *out)
{
    const number_text n = text_of(text, length);
    if (read_short(&n, out))
        return true;
    uint64_t bits = bits_of(&n);
    if (bits >> 52 == 2047)
        return false;
    bits |= (uint64_t)n.negative << 63;
    memcpy(out, &bits, sizeof *out);
    return true;
}

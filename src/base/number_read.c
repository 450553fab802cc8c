/* Correctly rounded decimal to double. A decimal is digits * 10^exponent. Most numbers in files are short: then both
 * factors are exact doubles, and one multiplication or division rounds correctly (the fast path of W. D. Clinger, "How
 * to Read Floating Point Numbers Accurately", 1990). All others are computed exactly, with big integers:
 *
 *   digits * 10^n  = (digits * 5^n) * 2^n
 *   digits * 10^-n = (digits * 2^s / 5^n) * 2^(-s-n), with s large enough for a quotient of 64 bits
 *
 * The first 64 bits of the factor in brackets, and whether any bit after them is set, decide the rounding. */
#include "base/number.h"
#include "base/strict_float.h"

#include <float.h>
#include <string.h>

enum {
    NUMBER_SHORT_DIGITS = 19, /* always fit 64 bits */
    NUMBER_BIG_DIGITS = 780,  /* the midpoint of two doubles has at most 768 digits */
    NUMBER_BIG_WORDS = 96,    /* for 781 digits, and for 5^1104 and 97 bits more */
    NUMBER_MAX_EXPONENT = 308,
    NUMBER_MIN_EXPONENT = -324,
    NUMBER_NINE_DIGITS = 9, /* fit 32 bits */
    NUMBER_FIVES = 13       /* 5^13 is the largest power of five in 32 bits */
};

typedef struct number_text {
    const char *first, *last; /* from the first digit that is not 0 to the end of the last; may include a point */
    int64_t count;            /* of those digits */
    int64_t exponent;         /* of the last digit */
    uint64_t digits;          /* their value, if there are at most NUMBER_SHORT_DIGITS */
    bool negative;
} number_text;

/* A big integer times 2^exponent. */
typedef struct number_big {
    uint32_t words[NUMBER_BIG_WORDS]; /* least significant first; the last one is not 0 */
    int count;
    int exponent;
    bool inexact; /* a division left a remainder */
} number_big;

static number_text number_parse(const char *text, size_t length)
{
    const char *end = text + length, *point = NULL;
    number_text n = {.negative = *text == '-'};
    const char *at = n.first = text + n.negative;
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.')
            point = at;
        else
            n.digits = 10 * n.digits + (uint64_t)(*at - '0'); /* an overflow is harmless: then it is not used */
    }
    n.last = at;
    while (n.first < n.last && (*n.first == '0' || *n.first == '.'))
        n.first++;
    n.count = n.last - n.first - (point && point > n.first);
    if (at < end) {
        const bool negative = *++at == '-';
        for (at += *at == '-' || *at == '+'; at < end; at++)
            if (n.exponent < INT64_C(1) << 40) /* more than any number of digits could compensate */
                n.exponent = 10 * n.exponent + (*at - '0');
        n.exponent = negative ? -n.exponent : n.exponent;
    }
    n.exponent -= point ? n.last - point - 1 : 0;
    return n;
}

/* ---- big integers ---- */

/* n = n * factor + more */
static void number_big_multiply(number_big *n, uint32_t factor, uint32_t more)
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

/* Digits after the first 780 only matter in whether they are all 0: they become a single 0 or 1. */
static void number_big_from_text(number_big *n, const number_text *text, int64_t *exponent)
{
    static const uint32_t tens[NUMBER_NINE_DIGITS + 1] = {1,      10,      100,      1000,      10000,
                                                          100000, 1000000, 10000000, 100000000, 1000000000};
    uint32_t chunk = 0, more = 0;
    int in_chunk = 0;
    int64_t count = 0;
    n->count = 0;
    for (const char *at = text->first; at < text->last; at++) {
        if (*at == '.')
            continue;
        if (count++ >= NUMBER_BIG_DIGITS) {
            more |= *at != '0';
            continue;
        }
        chunk = 10 * chunk + (uint32_t)(*at - '0');
        if (++in_chunk == NUMBER_NINE_DIGITS) {
            number_big_multiply(n, tens[NUMBER_NINE_DIGITS], chunk);
            chunk = 0;
            in_chunk = 0;
        }
    }
    number_big_multiply(n, tens[in_chunk], chunk);
    *exponent = text->exponent;
    if (count > NUMBER_BIG_DIGITS) {
        number_big_multiply(n, 10, more);
        *exponent += count - NUMBER_BIG_DIGITS - 1;
    }
}

/* n = n * 10^-power, to at least 64 bits. Dividing in steps is exact: floor(floor(x / a) / b) = floor(x / (ab)). */
static void number_big_divide(number_big *n, int power, const uint32_t fives[NUMBER_FIVES + 1])
{
    /* 5^power has at most power * 7/3 + 1 bits; the dividend gets 64 more. */
    const int words = (power * 7 / 3 + 1 + 64 + 31) / 32 + 1 - n->count;
    if (words > 0) {
        memmove(n->words + words, n->words, (size_t)n->count * sizeof *n->words);
        memset(n->words, 0, (size_t)words * sizeof *n->words);
        n->count += words;
        n->exponent -= 32 * words;
    }
    for (; power > 0; power -= NUMBER_FIVES) {
        const uint32_t divisor = fives[power < NUMBER_FIVES ? power : NUMBER_FIVES];
        uint64_t remainder = 0;
        for (int i = n->count - 1; i >= 0; i--) {
            remainder = remainder << 32 | n->words[i];
            n->words[i] = (uint32_t)(remainder / divisor);
            remainder %= divisor;
        }
        n->inexact = n->inexact || remainder != 0;
        n->count -= n->words[n->count - 1] == 0;
    }
}

/* n = n * 10^exponent */
static void number_big_scale(number_big *n, int exponent)
{
    static const uint32_t fives[NUMBER_FIVES + 1] = {1,     5,      25,      125,     625,      3125,      15625,
                                                     78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125};
    n->exponent = exponent;
    if (exponent < 0)
        number_big_divide(n, -exponent, fives);
    for (; exponent > 0; exponent -= NUMBER_FIVES)
        number_big_multiply(n, fives[exponent < NUMBER_FIVES ? exponent : NUMBER_FIVES], 0);
}

/* The bits of the nearest double without a sign; those of infinity on overflow. */
static uint64_t number_big_round(const number_big *n)
{
    /* The first 64 bits, the first one set. */
    const int at = n->count - 1;
    uint64_t top = (uint64_t)n->words[at] << 32 | (at >= 1 ? n->words[at - 1] : 0);
    uint32_t below = at >= 2 ? n->words[at - 2] : 0;
    int exponent = n->exponent + 32 * (at - 1);
    for (int bits = 16; bits > 0; bits /= 2) { /* 31 in all */
        if (top >> (64 - bits))
            continue;
        top = top << bits | below >> (32 - bits);
        below <<= bits;
        exponent -= bits;
    }
    bool inexact = n->inexact || below != 0;
    for (int i = 0; i < at - 2 && !inexact; i++)
        inexact = n->words[i] != 0;

    const int biased = exponent + 63 + 1023;
    const int lost = biased > 0 ? 11 : 12 - biased; /* bits that do not fit; more in a subnormal */
    if (lost > 64)
        return 0;
    if (biased > 2046)
        return UINT64_C(2047) << 52;
    const uint64_t kept = lost < 64 ? top >> lost : 0, cut = top << (64 - lost), half = UINT64_C(1) << 63;
    const bool up = cut > half || (cut == half && (inexact || (kept & 1)));
    /* The first bit of `kept` is the implicit one: it carries into the exponent, as does rounding up. */
    return kept + up + ((uint64_t)(biased > 0 ? biased - 1 : 0) << 52);
}

bool tl_read_double(const char *text, size_t length, double *out)
{
    static const double tens[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const number_text n = number_parse(text, length);
    /* Exact factors, rounded once, if the machine does not compute in a wider type. */
    if (FLT_EVAL_METHOD == 0 && n.count <= NUMBER_SHORT_DIGITS && n.digits >> 53 == 0 && n.exponent >= -22 &&
        n.exponent <= 22) {
        const double digits = n.negative ? -(double)n.digits : (double)n.digits;
        *out = n.exponent < 0 ? digits / tens[-n.exponent] : digits * tens[n.exponent];
        return true;
    }
    uint64_t bits = 0;
    const int64_t lead = n.count - 1 + n.exponent; /* of the first digit */
    if (lead > NUMBER_MAX_EXPONENT && n.count > 0)
        return false;
    if (lead >= NUMBER_MIN_EXPONENT && n.count > 0) {
        number_big big; /* words after the last one are not read */
        int64_t exponent = n.exponent;
        big.words[0] = (uint32_t)n.digits;
        big.words[1] = (uint32_t)(n.digits >> 32);
        big.count = 1 + (big.words[1] != 0);
        big.inexact = false;
        if (n.count > NUMBER_SHORT_DIGITS)
            number_big_from_text(&big, &n, &exponent);
        number_big_scale(&big, (int)exponent);
        bits = number_big_round(&big);
    }
    if (bits >> 52 == 2047)
        return false;
    bits |= (uint64_t)n.negative << 63;
    memcpy(out, &bits, sizeof *out);
    return true;
}

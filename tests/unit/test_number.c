#include "base/number.h"
#include "harness.h"
#include "support/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_float(float value, const char *want)
{
    char text[32];
    const size_t length = trilo_float_print(value, text);
    CHECK_STR(text, want);
    CHECK_INT(length, strlen(want));
}

static void check_double(double value, const char *want)
{
    char text[32];
    const size_t length = trilo_double_print(value, text);
    CHECK_STR(text, want);
    CHECK_INT(length, strlen(want));
}

TEST(floats_as_people_write_them)
{
    check_float(0, "0");
    check_float(-0.0f, "-0");
    check_float(3, "3");
    check_float(-1.5f, "-1.5");
    check_float(0.1f, "0.1");
    check_float(100, "100");
    check_float(33.33f, "33.33");
    check_float(16777216, "16777216");
    check_float(123456792, "123456790"); /* the next floats are 8 away: one digit less is enough */
    check_float(0.00001f, "0.00001");
    check_float(0.0000123f, "0.0000123");
    check_float(1e-6f, "1e-06");
    check_float(1.25e-7f, "1.25e-07");
    check_float(1e15f, "1000000000000000");
    check_float(1e16f, "1e+16");
    check_float(1.5e30f, "1.5e+30");
    check_float(0.33333334f, "0.33333334");
    check_float(float_of(0x7f7fffff), "3.4028235e+38");
    check_float(float_of(1), "1e-45");
    check_float(float_of(0x00800000), "1.1754944e-38");
    check_float(NAN, "nan");
    check_float(-NAN, "nan");
    check_float(INFINITY, "inf");
    check_float(-INFINITY, "-inf");
}

TEST(doubles_as_people_write_them)
{
    check_double(0.1, "0.1");
    check_double(-0.0, "-0");
    check_double(0.1 + 0.2, "0.30000000000000004");
    check_double(1.0 / 3, "0.3333333333333333");
    check_double(9007199254740991.0, "9007199254740991");
    check_double(9007199254740992.0, "9007199254740992");
    check_double(1e16, "1e+16");
    check_double(1e23, "1e+23"); /* lies on a halfway point and still reads back */
    check_double(9.5e-6, "9.5e-06");
    check_double(0.00001, "0.00001");
    check_double(0.03333, "0.03333");
    check_double(1.7976931348623157e308, "1.7976931348623157e+308");
    check_double(2.2250738585072014e-308, "2.2250738585072014e-308");
    check_double(5e-324, "5e-324");
    check_double(-2.2250738585072011e-308, "-2.225073858507201e-308");
    check_double(NAN, "nan");
    check_double(-INFINITY, "-inf");
    /* Nearest to 2^-44 with 16 digits is ...801, which no longer reads back: the interval below is half as wide. */
    check_double(0x1p-44, "5.684341886080802e-14");
    /* 7.6304251110501335000000000000007...e-304: barely nearer to ...134 than to ...133. */
    check_double(0x1.0be9d06ed39a1p-1007, "7.630425111050134e-304");
}

TEST(whole_numbers)
{
    char text[32];
    CHECK_INT(tl_print_u64(0, text), 1);
    CHECK_STR(text, "0");
    CHECK_INT(tl_print_u64(UINT64_MAX, text), 20);
    CHECK_STR(text, "18446744073709551615");
}

static const char *skip_digits(const char *text)
{
    CHECK(*text >= '0' && *text <= '9');
    while (*text >= '0' && *text <= '9')
        text++;
    return text;
}

/* -? digits without a leading 0, [. digits], [e sign digits] */
static void check_json(const char *text)
{
    text += *text == '-';
    text = *text == '0' ? text + 1 : skip_digits(text);
    if (*text == '.')
        text = skip_digits(text + 1);
    if (*text == 'e') {
        CHECK(text[1] == '+' || text[1] == '-');
        text = skip_digits(text + 2);
    }
    CHECK(*text == '\0');
}

/* Only the digits and the power of ten of the first one: "0.0250" and "2.5e-02" are both 25 and -2. */
static int digits_of(const char *text, char digits[32])
{
    int lead = 0, whole = 0, skipped = 0;
    size_t count = 0;
    bool point = false;
    for (text += *text == '-'; *text && *text != 'e'; text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        if (count > 0 || *text != '0')
            digits[count++] = *text;
        else
            skipped += point;
        whole += !point && count > 0;
    }
    while (count > 1 && digits[count - 1] == '0')
        count--;
    digits[count] = '\0';
    lead = whole > 0 ? whole - 1 : -skipped - 1;
    return lead + (*text == 'e' ? atoi(text + 1) : 0);
}

/* The C library prints the nearest decimal of n digits. So: with our number of digits it must print ours, and with one
 * digit less something that reads back as another number. `narrow` values, powers of two, have an interval that is not
 * centred; the nearest decimal may be outside and a farther one inside. */
static void check_against_c(const char *text, double value, bool narrow, bool is_float)
{
    check_json(text);
    char digits[32], nearest[32], c_text[64];
    const int lead = digits_of(text, digits), count = (int)strlen(digits);
    snprintf(c_text, sizeof c_text, "%.*e", count - 1, value);
    const int nearest_lead = digits_of(c_text, nearest);
    const bool c_reads_back = is_float ? (double)strtof(c_text, NULL) == value : strtod(c_text, NULL) == value;
    if (!narrow || c_reads_back) {
        CHECK_STR(digits, nearest);
        CHECK_INT(lead, nearest_lead);
    }
    if (count == 1)
        return;
    snprintf(c_text, sizeof c_text, "%.*e", count - 2, value);
    if (is_float ? (double)strtof(c_text, NULL) == value : strtod(c_text, NULL) == value)
        FAIL("%s could be shorter: %s", text, c_text);
}

static void check_float_bits(uint32_t bits)
{
    const float value = float_of(bits);
    char text[32];
    const size_t length = trilo_float_print(value, text);
    CHECK_INT(length, strlen(text));
    if (!isfinite(value) || value == 0)
        return;
    if (memcmp(&(float){strtof(text, NULL)}, &value, sizeof value) != 0)
        FAIL("%s does not read back as %08x", text, (unsigned)bits);
    check_against_c(text, (double)value, (bits & 0x7fffff) == 0, true);
}

static void check_double_bits(uint64_t bits)
{
    const double value = double_of(bits);
    char text[32];
    const size_t length = trilo_double_print(value, text);
    CHECK_INT(length, strlen(text));
    if (!isfinite(value) || value == 0)
        return;
    if (memcmp(&(double){strtod(text, NULL)}, &value, sizeof value) != 0)
        FAIL("%s does not read back as %016llx", text, (unsigned long long)bits);
    check_against_c(text, value, (bits & UINT64_C(0xfffffffffffff)) == 0, false);
}

TEST(every_power_of_two_and_its_neighbours)
{
    for (uint32_t exponent = 0; exponent < 255; exponent++)
        for (uint32_t i = 0; i < 7; i++)
            check_float_bits((exponent << 23) + i - 3);
    for (uint64_t exponent = 0; exponent < 2047; exponent++)
        for (uint64_t i = 0; i < 7; i++)
            check_double_bits((exponent << 52) + i - 3);
}

TEST(floats_read_back_and_are_shortest)
{
    uint64_t state = 1;
    for (uint32_t i = 0; i < 2000; i++)
        check_float_bits(i); /* the smallest there are */
    for (uint32_t i = 0; i < test_rounds(100000, TEST_EMULATED ? 20000 : 100000); i++) {
        const uint64_t random = random_bits(&state);
        check_float_bits((uint32_t)random);                                   /* anything */
        check_float_bits(0x3a000000u + (uint32_t)(random >> 32) % 0xc000000); /* 0.0005 to 8 million */
        check_float_bits((uint32_t)(random >> 32) % 0x800000);                /* denormal */
    }
}

TEST(short_floats_stay_short)
{
    for (int i = 1; i < 100000; i += (int)test_rounds(1, TEST_EMULATED ? 7 : 1)) {
        char want[32];
        snprintf(want, sizeof want, "%d.%04d", i / 10000, i % 10000);
        for (size_t n = strlen(want); want[n - 1] == '0' || want[n - 1] == '.'; n--) {
            const bool point = want[n - 1] == '.';
            want[n - 1] = '\0';
            if (point)
                break;
        }
        check_float((float)i / 10000, want);
        check_double(i / 10000.0, want);
    }
}

TEST(doubles_read_back_and_are_shortest)
{
    uint64_t state = 2;
    for (int i = 0; i < 20000; i++) {
        const uint64_t random = random_bits(&state);
        check_double_bits(random);
        check_double_bits(random % UINT64_C(0x10000000000000)); /* denormal */
        check_double_bits((random & UINT64_C(0x800fffffffffffff)) | ((random >> 52) % 64 + 1000) << 52);
    }
}

/* One constant for every compiler, C library and byte order: dumps and JSON must be the same bytes everywhere. */
TEST(same_text_everywhere)
{
    uint64_t state = 3;
    uint32_t hash = 2166136261u;
    for (int i = 0; i < 20000; i++) {
        const uint64_t random = random_bits(&state);
        char text[64];
        const size_t length = trilo_float_print(float_of((uint32_t)random), text);
        trilo_double_print(double_of(random), text + length);
        for (const char *c = text; *c; c++)
            hash = (hash ^ (unsigned char)*c) * 16777619u;
    }
    CHECK_INT(hash, 1518672768);
}

TEST_MAIN(CASE(floats_as_people_write_them), CASE(doubles_as_people_write_them), CASE(whole_numbers),
          CASE(every_power_of_two_and_its_neighbours), CASE(floats_read_back_and_are_shortest),
          CASE(short_floats_stay_short), CASE(doubles_read_back_and_are_shortest), CASE(same_text_everywhere))

/* The TOML reader at the ends of what it accepts: the last number that fits, the longest one, the deepest nesting, and
 * texts that end in the middle. */
#include "base/toml.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const trilo_rule rule = {"TEST-TOML", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};

typedef struct reading {
    tl_arena arena;
    const tl_toml *root;
    trilo_error err;
} reading;

/* The first `size` bytes of the text: what follows them is not part of it. */
static reading read_part(const char *text, size_t size)
{
    reading r = {.root = NULL};
    tl_arena_init(&r.arena, NULL);
    r.root = tl_toml_read(&r.arena, (trilo_bytes){(const uint8_t *)text, size}, NULL, &rule, &r.err);
    CHECK((r.root == NULL) == (r.err.code != TRILO_CODE_OK));
    return r;
}

static reading read_text(const char *text)
{
    return read_part(text, strlen(text));
}

static reading read_good(const char *text)
{
    reading r = read_text(text);
    if (!r.root)
        FAIL("%s: %s: %s", text, r.err.path, r.err.text);
    return r;
}

static void refuse(const char *text, uint64_t offset, const char *sentence)
{
    reading r = read_text(text);
    if (r.root)
        FAIL("%s is accepted", text);
    CHECK_STR(r.err.text, sentence);
    CHECK_INT(r.err.offset, offset);
    CHECK_STR(r.err.rule, "TEST-TOML");
    tl_arena_free(&r.arena);
}

/* ---- numbers ---- */

static void check_integer(const char *digits, int64_t want)
{
    char text[128];
    snprintf(text, sizeof text, "a = %s", digits);
    reading r = read_good(text);
    CHECK_INT(r.root->first->kind, TL_TOML_INTEGER);
    CHECK_INT(r.root->first->integer, want);
    CHECK(r.root->first->number == (double)want);
    tl_arena_free(&r.arena);
}

TEST(integers_up_to_the_last)
{
    static const char large[] = "an integer is too large, must be at most 9223372036854775807";
    static const char wide[] =
        "an integer does not fit 64 bits, must be from -9223372036854775808 to 9223372036854775807";
    check_integer("9223372036854775807", INT64_MAX);
    check_integer("+9223372036854775806", INT64_MAX - 1);
    check_integer("-9223372036854775807", -INT64_MAX);
    check_integer("-9223372036854775808", INT64_MIN);
    check_integer("-0", 0);
    check_integer("+0", 0);
    check_integer("7", 7);
    check_integer("0x7FFFFFFFFFFFFFFF", INT64_MAX);
    check_integer("0x7fff_ffff_ffff_fffe", INT64_MAX - 1);
    check_integer("0o777777777777777777777", INT64_MAX);
    check_integer("0o777777777777777777770", INT64_MAX - 7);
    check_integer("0b111111111111111111111111111111111111111111111111111111111111111", INT64_MAX);
    check_integer("0b111111111111111111111111111111111111111111111111111111111111110", INT64_MAX - 1);
    check_integer("0xaAfF09", 0xAAFF09);
    check_integer("0o17", 15);
    check_integer("0b01", 1);
    refuse("a = 9223372036854775808", 4, wide);
    refuse("a = 10000000000000000000", 4, wide);
    refuse("a = -9223372036854775809", 4, wide);
    refuse("a = 0x8000000000000000", 4, large);
    refuse("a = 0xFFFFFFFFFFFFFFFFF", 4, large);
    refuse("a = 0o1000000000000000000000", 4, large);
    refuse("a = 0b1000000000000000000000000000000000000000000000000000000000000000", 4, large);
}

TEST(digits_of_other_bases)
{
    static const struct {
        char prefix;
        int base;
    } bases[] = {{'x', 16}, {'o', 8}, {'b', 2}};
    for (int i = 0; i < 3; i++)
        for (int c = '!'; c < 0x7F; c++) {
            char text[16], want[64];
            if (strchr(",]}#=_", c))
                continue;
            const int value = c >= '0' && c <= '9'                     ? c - '0'
                              : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                                       : 99;
            snprintf(text, sizeof text, "a = 0%c1%c", bases[i].prefix, c);
            snprintf(want, sizeof want, "a number in base %d has a wrong digit", bases[i].base);
            if (value < bases[i].base)
                check_integer(text + 4, bases[i].base + value);
            else
                refuse(text, 4, want);
        }
    refuse("a = 0x", 4, "a number has no digits after 0x");
    refuse("a = 0o", 4, "a number has no digits after 0o");
    refuse("a = [0b]", 5, "a number has no digits after 0b");
    refuse("a = +0x1", 4, "a number in another base than ten must have no sign");
    refuse("a = -0o7", 4, "a number in another base than ten must have no sign");
    refuse("a = +0b0", 4, "a number in another base than ten must have no sign");
}

TEST(underscores_are_between_digits)
{
    static const char sentence[] = "an underscore in a number must have a digit on both sides";
    check_integer("1_2_3", 123);
    check_integer("0xA_b", 0xAB);
    check_integer("0b1_0", 2);
    refuse("a = _1", 4, sentence);
    refuse("a = 1_", 5, sentence);
    refuse("a = +_1", 5, sentence);
    refuse("a = 1_.5", 5, sentence);
    refuse("a = 1._5", 6, sentence);
    refuse("a = 1_e5", 5, sentence);
    refuse("a = 1e_5", 6, sentence);
    refuse("a = 0x_1", 6, sentence);
    refuse("a = 0x1_", 7, sentence);
    refuse("a = 0x1__2", 7, sentence);
}

static void check_float(const char *digits, double want)
{
    char text[1200];
    snprintf(text, sizeof text, "a = %s", digits);
    reading r = read_good(text);
    CHECK_INT(r.root->first->kind, TL_TOML_FLOAT);
    if (isnan(want))
        CHECK(isnan(r.root->first->number));
    else
        CHECK(r.root->first->number == want);
    tl_arena_free(&r.arena);
}

TEST(floats_of_every_form)
{
    static const char no_value[] =
        "a value is expected here: a string in quotes, a number, true, false, a date, an array or a table";
    check_float("1.5", 1.5);
    check_float("-12.25", -12.25);
    check_float("+0.5", 0.5);
    check_float("12e2", 1200);
    check_float("12E+2", 1200);
    check_float("-125e-1", -12.5);
    check_float("1.25e1", 12.5);
    check_float("0e5", 0);
    check_float("inf", (double)INFINITY);
    check_float("+inf", (double)INFINITY);
    check_float("-inf", -(double)INFINITY);
    check_float("nan", (double)NAN);
    check_float("-nan", (double)NAN);
    check_float("1.7976931348623157e308", 1.7976931348623157e308);
    refuse("a = 1e309", 4, "a number is too large for a double, must be at most 1.7976931348623157e308");
    refuse("a = -1e309", 4, "a number is too large for a double, must be at most 1.7976931348623157e308");
    static const char *const none[] = {"1.",    ".5",    "1.e5", "1e",    "1e+",  "1e-",  "e5",
                                       "+",     "-",     "++1",  "inff",  "in",   "nana", "1.5.5",
                                       "1e5e5", "1e5.5", "0.5f", "truee", "fals", "tru",  "falsey"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        char text[32];
        snprintf(text, sizeof text, "a = %s", none[i]);
        refuse(text, 4, no_value);
    }
    refuse("a = 00", 4, "a number has a leading zero, must start with another digit");
    refuse("a = -01.5", 4, "a number has a leading zero, must start with another digit");
    reading r = read_part("a = 0x1", 5); /* a zero at the end: the letter behind it is not part of the text */
    CHECK(r.root && r.root->first->integer == 0);
    tl_arena_free(&r.arena);
}

/* 1024 characters with the sign, and one more. */
TEST(the_longest_number)
{
    for (int sign = 0; sign < 2; sign++)
        for (int more = 0; more < 2; more++) {
            char text[1100] = "a = -";
            char *digits = text + 4 + sign;
            const size_t length = 1024 - (size_t)sign + (size_t)more;
            memset(digits, '0', length);
            memcpy(digits, "2.5", 3);
            digits[length] = '\0';
            if (more)
                refuse(text, 4, "a number has more than 1024 characters");
            else
                check_float(text + 4, sign ? -2.5 : 2.5);
            memcpy(digits, "0x0", 3);
            digits[length - 1] = '7';
            reading r = read_text(text);
            CHECK((r.root != NULL) == (!more && !sign));
            CHECK(!r.root || r.root->first->integer == 7);
            tl_arena_free(&r.arena);
        }
}

/* ---- dates and times ---- */

TEST(dates_have_one_form)
{
    static const char sentence[] = "a date or time must look like 1979-05-27, 07:32:00, 1979-05-27T07:32:00 or "
                                   "1979-05-27T07:32:00Z";
    static const struct {
        const char *text;
        tl_toml_kind kind;
    } good[] = {{"1979-05-27", TL_TOML_LOCAL_DATE},
                {"07:32:00", TL_TOML_LOCAL_TIME},
                {"07:32:00.125", TL_TOML_LOCAL_TIME},
                {"1979-05-27T07:32:00", TL_TOML_LOCAL_DATE_TIME},
                {"1979-05-27t07:32:00.5", TL_TOML_LOCAL_DATE_TIME},
                {"1979-05-27 07:32:00", TL_TOML_LOCAL_DATE_TIME},
                {"1979-05-27T07:32:00Z", TL_TOML_DATE_TIME},
                {"1979-05-27 07:32:00.75z", TL_TOML_DATE_TIME},
                {"1979-05-27T07:32:00+23:59", TL_TOML_DATE_TIME},
                {"1979-05-27T07:32:00-00:00", TL_TOML_DATE_TIME}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char text[64];
        snprintf(text, sizeof text, "a = [%s]", good[i].text);
        reading r = read_good(text);
        CHECK_INT(r.root->first->first->kind, good[i].kind);
        CHECK_STR(r.root->first->first->string.data, good[i].text);
        CHECK_INT(r.root->first->first->string.len, strlen(good[i].text));
        tl_arena_free(&r.arena);
    }
    static const char *const bad[] = {"1979-5-27",
                                      "1979-05-2",
                                      "1979-05-270",
                                      "1979-05",
                                      "1979-",
                                      "1979/05-27x",
                                      "07:32",
                                      "07:3:00",
                                      "07:32:0",
                                      "07:32:00.",
                                      "07:32:00.x",
                                      "07:32:00Z",
                                      "07:32-00",
                                      "1979-05/27",
                                      "1979-05-27X07:32:00",
                                      "1979-05-27T",
                                      "1979-05-27T07:32",
                                      "1979-05-27T07:32:00+",
                                      "1979-05-27T07:32:00+07",
                                      "1979-05-27T07:32:00+07-00",
                                      "1979-05-27T07:32:00+7:000",
                                      "1979-05-27T07:32:00ZZ",
                                      "1979-05-27T07:32:00Z+",
                                      "1979-05-27 07",
                                      "1979-05-27 7:32:00"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[64];
        snprintf(text, sizeof text, "a = %s", bad[i]);
        reading r = read_text(text);
        if (r.root)
            FAIL("%s is accepted", text);
        if (strchr(bad[i], '/') == NULL || bad[i][4] == '-')
            CHECK_STR(r.err.text, sentence);
        CHECK_INT(r.err.offset, 4);
        tl_arena_free(&r.arena);
    }
}

/* ---- nesting ---- */

static void put_nested(char *text, int depth, bool table)
{
    strcpy(text, "a = ");
    for (int i = 0; i < depth; i++)
        strcat(text, table ? "{b=" : "[");
    strcat(text, "1");
    for (int i = 0; i < depth; i++)
        strcat(text, table ? "}" : "]");
}

/* 64 levels, and 64 parts of a key. */
TEST(depth_is_limited)
{
    for (int table = 0; table < 2; table++) {
        char text[512];
        put_nested(text, 64, table);
        reading r = read_good(text);
        tl_arena_free(&r.arena);
        put_nested(text, 65, table);
        r = read_text(text);
        CHECK_INT(r.err.code, TRILO_CODE_LIMIT);
        CHECK_STR(r.err.rule, "FILE-LIMIT");
        CHECK_STR(r.err.text, "arrays and tables are nested deeper than the limit of 64");
        tl_arena_free(&r.arena);
    }
    char key[256] = "a";
    for (int i = 1; i < 64; i++)
        strcat(key, ".b");
    strcat(key, "=1");
    reading r = read_good(key);
    tl_arena_free(&r.arena);
    strcpy(strchr(key, '='), ".c=1");
    r = read_text(key);
    CHECK_STR(r.err.text, "a key has more parts than the limit of 64");
    CHECK_INT(r.err.offset, 128);
    tl_arena_free(&r.arena);
}

/* Nothing of a text that is too large is looked at. */
TEST(bytes_are_limited)
{
    reading r = read_part("a", ((size_t)1 << 26) + 1);
    CHECK_INT(r.err.code, TRILO_CODE_LIMIT);
    CHECK_STR(r.err.text, "the text has more bytes than the limit of 67108864");
    CHECK_INT(r.err.offset, 0);
    tl_arena_free(&r.arena);
    r = read_part(NULL, 0);
    CHECK(r.root && r.root->kind == TL_TOML_TABLE && r.root->count == 0);
    CHECK_INT(r.root->line, 1);
    CHECK_INT(r.root->column, 1);
    tl_arena_free(&r.arena);
}

/* ---- the end of the text ---- */

static bool part_is_read(const char *text, size_t size)
{
    reading r = read_part(text, size);
    const bool read = r.root != NULL;
    tl_arena_free(&r.arena);
    return read;
}

/* The byte behind the end would change the answer. */
TEST(a_text_ends_where_it_ends)
{
    CHECK(!part_is_read("a = 1\r\n", 6) && part_is_read("a = 1\r\n", 7));
    CHECK(!part_is_read("[[a]]", 4) && part_is_read("[[a]]", 5));
    CHECK(!part_is_read("[a]", 2) && part_is_read("[a]", 3));
    CHECK(!part_is_read("[[", 1) && !part_is_read("[[", 2));
    CHECK(part_is_read("\xEF\xBB\xBF", 3) && !part_is_read("\xEF\xBB\xBF", 2) && !part_is_read("\xEF\xBB\xBF", 1));
    CHECK(!part_is_read("a = \"\"\"\"\"\"", 9) && part_is_read("a = \"\"\"\"\"\"", 10));
    CHECK(!part_is_read("a = \"\"", 5) && part_is_read("a = \"\"", 6));
    CHECK(!part_is_read("a = '''x'''", 10) && part_is_read("a = '''x'''", 11));
    CHECK(!part_is_read("a = \"\\\"\"", 7) && part_is_read("a = \"\\\"\"", 8));
    CHECK(!part_is_read("a = \"\\", 6));
    CHECK(part_is_read("a = trued", 8) && !part_is_read("a = trued", 9));
    CHECK(!part_is_read("a = 07:32:00.5", 13) && part_is_read("a = 07:32:00.5", 14));
    CHECK(!part_is_read("a = 07:32:00", 11) && part_is_read("a = 07:32:00", 12));
    CHECK(!part_is_read("a = 1979-05-27", 13) && part_is_read("a = 1979-05-27", 14));
    CHECK(!part_is_read("a = 1979-05-27T07:32:00+07:00", 28) && part_is_read("a = 1979-05-27T07:32:00+07:00", 29));
    CHECK(!part_is_read("a = 1_0", 6) && part_is_read("a = 1_0", 7));
    CHECK(!part_is_read("a = 0x1", 6) && part_is_read("a = 0x1", 7));
    CHECK(!part_is_read("a = 1.5", 6) && !part_is_read("a = 1e5", 6));
    CHECK(!part_is_read("a = inf", 6) && part_is_read("a = inf", 7));
    CHECK(!part_is_read("a = {}", 5) && !part_is_read("a = []", 5) && part_is_read("a = []", 6));
    CHECK(!part_is_read("a=1", 2) && !part_is_read("a=1", 1) && part_is_read("a=1", 3));
    CHECK(part_is_read("# end", 5) && part_is_read("# end", 1));
}

/* ---- strings ---- */

static void check_string(const char *written, const char *want)
{
    char text[128];
    snprintf(text, sizeof text, "a = %s", written);
    reading r = read_good(text);
    CHECK_INT(r.root->first->kind, TL_TOML_STRING);
    CHECK_STR(r.root->first->string.data, want);
    CHECK_INT(r.root->first->string.len, strlen(want));
    CHECK_INT(r.root->first->column, 5);
    tl_arena_free(&r.arena);
}

TEST(strings_of_every_form)
{
    check_string("\"\\b\\t\\n\\f\\r\\\"\\\\\"", "\b\t\n\f\r\"\\");
    check_string("'\\b'", "\\b");
    check_string("\"\"", "");
    check_string("''''''", "");
    check_string("'''\nx'''", "x");
    check_string("'''\r\nx'''", "x");
    check_string("'''\n\nx'''", "\nx");
    check_string("'''a'b''c'''", "a'b''c");
    check_string("'''''x'''''", "''x''");
    check_string("\"\"\"x\"\"\"\"", "x\"");
    check_string("\"\"\"x \\\n \t\r\n y\"\"\"", "x y");
    check_string("\"\"\"x\\  \n  \"\"\"", "x");
    /* the first and the last character of each length in UTF-8 */
    check_string("\"\\u0001\\u007F\"", "\x01\x7F");
    check_string("\"\\u0080\\u07FF\"", "\xC2\x80\xDF\xBF");
    check_string("\"\\u0800\\uFFFF\"", "\xE0\xA0\x80\xEF\xBF\xBF");
    check_string("\"\\U00010000\\U0010FFFF\"", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
    check_string("\"\\uD7FF\\uE000\"", "\xED\x9F\xBF\xEE\x80\x80");
    check_string("\"\\uabCD\\uEf01\"", "\xEA\xAF\x8D\xEE\xBC\x81");
    refuse("a = 'x''", 7, "the end of the line is expected here, not '''");
    refuse("a = '''x''''''", 13, "the end of the line is expected here, not '''");
    refuse("'''a''' = 1", 0, "a key has three quotes, must have one on each side");
    refuse("a = \"\\\t\"", 6, "one of b t n f r \" \\ u U after a backslash is expected here, not the byte 0x09");
    refuse("a = \"\\ \"", 6, "one of b t n f r \" \\ u U after a backslash is expected here, not the byte 0x20");
    refuse("a = \"\\\n\"", 6, "one of b t n f r \" \\ u U after a backslash is expected here, not the end of the line");
    refuse("a = \"\"\"\\ x\"\"\"", 8,
           "one of b t n f r \" \\ u U after a backslash is expected here, not the byte 0x20");
    refuse("a = \"x\r\n", 4, "the string that starts here has no closing quote on its line");
    refuse("a = \"\\uDFFF\"", 5,
           "the escape U+DFFF is not a character, must be below U+D800 or from U+E000 to U+10FFFF");
    refuse("a = \"\\U00110000\"", 5,
           "the escape U+110000 is not a character, must be below U+D800 or from U+E000 to U+10FFFF");
    refuse("a = \"\\u00g0\"", 9, "one of four hexadecimal digits is expected here, not 'g'");
    refuse("a = \"\\u00`0\"", 9, "one of four hexadecimal digits is expected here, not '`'");
    refuse("a = \"\\u000\"", 10, "one of four hexadecimal digits is expected here, not '\"'");
    refuse("a = \"\\U0000000\"", 14, "one of eight hexadecimal digits is expected here, not '\"'");
    refuse("a = \"\\u", 7, "one of four hexadecimal digits is expected here, but the text ends");
}

/* ---- keys ---- */

/* 64 bytes of a key are shown, or fewer where the 65th is in the middle of a character. */
TEST(long_keys_are_cut)
{
    for (int spare = 0; spare < 4; spare++) {
        char text[256] = "", want[128] = "";
        for (int twice = 0; twice < 2; twice++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "\"%.*s\xE2\x82\xAC%s\" = 1\n", 61 + spare,
                     "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
                     spare ? "z" : "");
        snprintf(want, sizeof want, "\"%.*s%s\" has a value already (line 1)", 61 + spare > 64 ? 64 : 61 + spare,
                 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
                 spare == 0 ? "\xE2\x82\xAC" : "");
        refuse(text, strlen(text) / 2, want);
    }
}

/* Every letter at both ends of its range, and what comes before and after it. */
TEST(bare_keys)
{
    for (int c = '!'; c < 0x7F; c++) {
        const bool bare =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        char text[16];
        snprintf(text, sizeof text, "%ck = 1", c);
        CHECK_INT(part_is_read(text, strlen(text)), bare || c == '#');
    }
    reading r = read_good("a .\t\"b\" . 'c'\t= 5 # five\n");
    const tl_toml *a = tl_toml_member(r.root, "a"), *b = tl_toml_member(a, "b"), *c = tl_toml_member(b, "c");
    CHECK(c && c->integer == 5);
    CHECK_INT(a->column, 1);
    CHECK_INT(b->column, 5);
    CHECK_INT(c->column, 17);
    CHECK(!tl_toml_member(r.root, "b") && !tl_toml_member(c, "a") && !tl_toml_member(NULL, "a"));
    CHECK(!tl_toml_member(r.root, "aa") && !tl_toml_member(r.root, ""));
    tl_arena_free(&r.arena);
}

TEST(kinds_have_names)
{
    static const char *const names[] = {"a string",      "an integer",      "a number with a fraction",
                                        "true or false", "a date and time", "a date and time",
                                        "a date",        "a time",          "an array",
                                        "a table"};
    reading r =
        read_good("a = ['', 1, 1.5, true, 1979-05-27T07:32:00Z, 1979-05-27T07:32:00, 1979-05-27, 07:32:00, [], {}]");
    int i = 0;
    for (const tl_toml *value = r.root->first->first; value; value = value->next, i++)
        CHECK_STR(tl_toml_kind_name(value), names[i]);
    CHECK_INT(i, 10);
    tl_arena_free(&r.arena);
}

/* What was there first decides what may be added: each kind of member, and each way to add to it. */
TEST(members_are_complete_or_not)
{
    refuse("a = 1\na.b = 2", 6, "\"a\" has a value already, which is not a table (line 1)");
    refuse("a = {}\na.b = 2", 7, "\"a\" is a table that is complete already (line 1)");
    refuse("a = []\na.b = 2", 7, "\"a\" has a value already, which is not a table (line 1)");
    refuse("x = 0\na = 1\n[a.b]", 13, "\"a\" has a value already, which is not a table (line 2)");
    refuse("a = [1]\n[a.b]", 9, "\"a\" is complete already (line 1)");
    refuse("a = 1\n[a]", 7, "\"a\" is defined already (line 1)");
    refuse("a.b = 1\n[a]", 9, "\"a\" is defined already (line 1)");
    refuse("[[a]]\n[a]", 7, "\"a\" is defined already (line 1)");
    refuse("[a]\n[[a]]", 6, "\"a\" is defined already, not as an array of tables (line 1)");
    refuse("a = []\n[[a]]", 9, "\"a\" is defined already, not as an array of tables (line 1)");
    refuse("[a]\nb = 1\nb = 2", 10, "\"b\" has a value already (line 2)");
    refuse("[[a]", 3, "]] is expected here, not ']'");
    refuse("[a\n", 2, "] is expected here, not the end of the line");
    refuse("a.b\n", 3, "= or a dot is expected here, not the end of the line");
    refuse("a = {b = 1 c = 2}", 11, "a comma or } is expected here, not 'c'");
    refuse("a = {b = 1,", 4, "the table that starts here has no closing }");
    refuse("a = {b = 1\n}", 10, "a comma or } is expected here, not the end of the line");
    refuse("a = {,}", 5, "a key is expected here, not ','");
    refuse("a = [,]", 5, "a value is expected here, not ','");
    refuse("a = [1,,]", 7, "a value is expected here, not ','");
    refuse("[a.b.c]\n[a]\nb.c.d = 1", 12, "\"b\" is a table that is complete already (line 1)");
    reading r = read_good("[a.b]\nx = 1\n[a]\ny = [1, 2 , ]\nz = {}\n[a.c]\n[[l]]\n[[l]]\n[l.m]\n[[l.n]]\n");
    const tl_toml *a = tl_toml_member(r.root, "a"), *l = tl_toml_member(r.root, "l");
    CHECK_INT(a->count, 4);
    CHECK_INT(tl_toml_member(a, "y")->count, 2);
    CHECK_INT(l->count, 2);
    CHECK_INT(l->first->count, 0);
    CHECK_INT(l->first->next->count, 2);
    CHECK_INT(l->first->next->line, 8);
    CHECK_INT(l->first->next->column, 3);
    tl_arena_free(&r.arena);
}

TEST_MAIN(CASE(integers_up_to_the_last), CASE(digits_of_other_bases), CASE(underscores_are_between_digits),
          CASE(floats_of_every_form), CASE(the_longest_number), CASE(dates_have_one_form), CASE(depth_is_limited),
          CASE(bytes_are_limited), CASE(a_text_ends_where_it_ends), CASE(strings_of_every_form),
          CASE(long_keys_are_cut), CASE(bare_keys), CASE(kinds_have_names), CASE(members_are_complete_or_not))

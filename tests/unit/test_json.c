#include "base/json.h"
#include "harness.h"
#include "support/exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const trilo_rule rule = {"TEST-JSON", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};

/* One read: the arena with everything in it, and what went wrong. */
typedef struct reading {
    tl_arena arena;
    const tl_json *root;
    trilo_error err;
} reading;

/* The text lies in a block of exactly its size, which is gone when the values are looked at. */
static reading read_limited(const char *text, size_t size, const tl_json_limits *limits)
{
    reading r = {.root = NULL};
    tl_arena_init(&r.arena, NULL);
    uint8_t *copy = malloc(size > 0 ? size : 1);
    CHECK(copy);
    memcpy(copy, text, size);
    r.root = tl_json_read(&r.arena, (trilo_bytes){copy, size}, limits, &rule, 1000, &r.err);
    memset(copy, 'x', size);
    free(copy);
    CHECK((r.root == NULL) == (r.err.code != TRILO_CODE_OK));
    return r;
}

static reading read_text(const char *text)
{
    return read_limited(text, strlen(text), NULL);
}

static void done(reading *r)
{
    tl_arena_free(&r->arena);
}

static void accept(const char *text)
{
    reading r = read_text(text);
    if (!r.root)
        FAIL("%s is refused: %s", text, r.err.text);
    done(&r);
}

static void refuse_bytes(const char *text, size_t size, uint64_t at, const char *sentence)
{
    reading r = read_limited(text, size, NULL);
    if (r.root)
        FAIL("%s is accepted", text);
    CHECK_STR(r.err.text, sentence);
    CHECK_STR(r.err.rule, "TEST-JSON");
    CHECK_INT(r.err.offset, 1000 + at);
    CHECK_INT(r.err.code, at < size ? TRILO_CODE_BAD_VALUE : TRILO_CODE_TRUNCATED);
    CHECK_STR(r.err.path, "");
    done(&r);
}

static void refuse(const char *text, uint64_t at, const char *sentence)
{
    refuse_bytes(text, strlen(text), at, sentence);
}

/* ---- structure ---- */

TEST(each_kind_alone)
{
    static const struct {
        const char *text;
        tl_json_kind kind;
    } cases[] = {{"null", TL_JSON_NULL},   {"false", TL_JSON_FALSE}, {"true", TL_JSON_TRUE}, {"-1.5e3", TL_JSON_NUMBER},
                 {"\"\"", TL_JSON_STRING}, {"[]", TL_JSON_ARRAY},    {"{}", TL_JSON_OBJECT}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reading r = read_text(cases[i].text);
        CHECK(r.root);
        CHECK_INT(r.root->kind, cases[i].kind);
        CHECK_INT(r.root->at, 0);
        CHECK_INT(r.root->end, strlen(cases[i].text));
        CHECK(!r.root->first && !r.root->next && !r.root->key.data && r.root->count == 0);
        done(&r);
    }
}

TEST(accepted)
{
    accept(" \t\r\n1 \t\r\n");
    accept("[ ]");
    accept("{ \n}");
    accept("[[],[[]],{}]");
    accept("[1,2 , 3]");
    accept("[null,1,\"\",{},[],true,false]");
    accept("{\"a\":1}");
    accept("{ \"a\" : 1 , \"b\" : [ ] }");
    accept("{\"\":0}");
    accept("{\"a\":{\"a\":{\"a\":[{\"a\":0}]}}}");
    accept("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"");
    accept("\"\x7F\"");
    accept("\"//* no comment *//\"");
    accept("[0,-0,0.0,-0.0,1,10,0.1,1e1,1E1,1e+1,1e-1,1E+01,1.5e00,123456789,-1]");
    accept("[1E-400,-1e-400,0e999,5e-324,1.7976931348623157e308]");
}

TEST(refused_structure)
{
    refuse("", 0, "a value is expected here, but the text ends");
    refuse(" \n", 2, "a value is expected here, but the text ends");
    refuse("[", 1, "a value or ] is expected here, but the text ends");
    refuse("[1", 2, "a comma or ] is expected here, but the text ends");
    refuse("[1,", 3, "a value is expected here, but the text ends");
    refuse("[1,]", 3, "a value is expected here, not ']'");
    refuse("[,1]", 1, "a value or ] is expected here, not ','");
    refuse("[1,,2]", 3, "a value is expected here, not ','");
    refuse("[1 2]", 3, "a comma or ] is expected here, not '2'");
    refuse("[1}", 2, "a comma or ] is expected here, not '}'");
    refuse("[}", 1, "a value or ] is expected here, not '}'");
    refuse("]", 0, "a value is expected here, not ']'");
    refuse("[]]", 2, "the end of the text is expected here, not ']'");
    refuse("1 2", 2, "the end of the text is expected here, not '2'");
    refuse("{}{}", 2, "the end of the text is expected here, not '{'");
    refuse("[1:2]", 2, "a comma or ] is expected here, not ':'");
    refuse("{", 1, "a key in quotes or } is expected here, but the text ends");
    refuse("{,}", 1, "a key in quotes or } is expected here, not ','");
    refuse("{a:1}", 1, "a key in quotes or } is expected here, not 'a'");
    refuse("{'a':1}", 1, "a key in quotes or } is expected here, not '''");
    refuse("{1:1}", 1, "a key in quotes or } is expected here, not '1'");
    refuse("{\"a\"", 4, "a colon is expected here, but the text ends");
    refuse("{\"a\" 1}", 5, "a colon is expected here, not '1'");
    refuse("{\"a\",1}", 4, "a colon is expected here, not ','");
    refuse("{\"a\":", 5, "a value is expected here, but the text ends");
    refuse("{\"a\":}", 5, "a value is expected here, not '}'");
    refuse("{\"a\"::1}", 5, "a value is expected here, not ':'");
    refuse("{\"a\":1", 6, "a comma or } is expected here, but the text ends");
    refuse("{\"a\":1,}", 7, "a key in quotes is expected here, not '}'");
    refuse("{\"a\":1 \"b\":2}", 7, "a comma or } is expected here, not '\"'");
    refuse("{\"a\":1]", 6, "a comma or } is expected here, not ']'");
    refuse("{\"a\":[1,2}", 9, "a comma or ] is expected here, not '}'");
    refuse("[{}", 3, "a comma or ] is expected here, but the text ends");
}

/* What other notations allow. */
TEST(refused_foreign)
{
    refuse("// c\n1", 0, "a value is expected here, not '/'");
    refuse("[1/*c*/]", 2, "a comma or ] is expected here, not '/'");
    refuse("#", 0, "a value is expected here, not '#'");
    refuse("'a'", 0, "a value is expected here, not '''");
    refuse("NaN", 0, "a value is expected here, not 'N'");
    refuse("Infinity", 0, "a value is expected here, not 'I'");
    refuse("undefined", 0, "a value is expected here, not 'u'");
    refuse("nul", 0, "a word that starts with n must be null");
    refuse("[nulL]", 1, "a word that starts with n must be null");
    refuse("True", 0, "a value is expected here, not 'T'");
    refuse("[tru]", 1, "a word that starts with t must be true");
    refuse("fals", 0, "a word that starts with f must be false");
    refuse("[truefalse]", 5, "a comma or ] is expected here, not 'f'");
    refuse("\xEF\xBB\xBF{}", 0, "the text starts with a byte order mark, must start with a value");
    refuse("1\xEF\xBB\xBF", 1, "the end of the text is expected here, not the byte 0xEF");
    refuse("[\x0C]", 1, "a value or ] is expected here, not the byte 0x0C");
    refuse("[1\x0B]", 2, "a comma or ] is expected here, not the byte 0x0B");
    refuse("\xC2\xA0[]", 0, "a value is expected here, not the byte 0xC2");
    refuse_bytes("1\0", 2, 1, "the end of the text is expected here, not the byte 0x00");
    refuse_bytes("\0", 1, 0, "a value is expected here, not the byte 0x00");
}

TEST(refused_numbers)
{
    refuse("-", 1, "a digit is expected here, but the text ends");
    refuse("[-]", 2, "a digit is expected here, not ']'");
    refuse("+1", 0, "a value is expected here, not '+'");
    refuse("--1", 1, "a digit is expected here, not '-'");
    refuse("-a", 1, "a digit is expected here, not 'a'");
    refuse(".5", 0, "a value is expected here, not '.'");
    refuse("-.5", 1, "a digit is expected here, not '.'");
    refuse("1.", 2, "a digit is expected here, but the text ends");
    refuse("[1.]", 3, "a digit is expected here, not ']'");
    refuse("1.e1", 2, "a digit is expected here, not 'e'");
    refuse("1.2.3", 3, "the end of the text is expected here, not '.'");
    refuse("1e", 2, "a digit is expected here, but the text ends");
    refuse("1e+", 3, "a digit is expected here, but the text ends");
    refuse("1e+-1", 3, "a digit is expected here, not '-'");
    refuse("1e1.5", 3, "the end of the text is expected here, not '.'");
    refuse("1ee1", 2, "a digit is expected here, not 'e'");
    refuse("01", 0, "a number has a leading zero, must start with another digit");
    refuse("[-00.5]", 2, "a number has a leading zero, must start with another digit");
    refuse("0x10", 1, "the end of the text is expected here, not 'x'");
    refuse("1_000", 1, "the end of the text is expected here, not '_'");
    refuse("1 000", 2, "the end of the text is expected here, not '0'");
    refuse("-Infinity", 1, "a digit is expected here, not 'I'");
    const char *large = "a number is too large for a double, must be at most 1.7976931348623157e308";
    refuse("1e400", 0, large);
    refuse("[0, -1e309]", 4, large);
    refuse("{\"a\":1.7976931348623159e308}", 5, large);
}

/* ---- where everything stands ---- */

static const tl_json *child(const tl_json *parent, uint32_t index)
{
    const tl_json *value = parent->first;
    while (value && index-- > 0)
        value = value->next;
    CHECK(value);
    return value;
}

static void check_place(const tl_json *value, tl_json_kind kind, uint32_t at, uint32_t end, uint32_t count)
{
    CHECK_INT(value->kind, kind);
    CHECK_INT(value->at, at);
    CHECK_INT(value->end, end);
    CHECK_INT(value->count, count);
}

TEST(offsets_and_order)
{
    /*                         0         1         2         3         4     */
    /*                         01234567890123456789012345678901234567890123456 */
    reading r = read_text("  { \"a\" : [ 1 , [ ] , true ] ,\"bc\":{\"\":-2.5} }\n");
    const tl_json *root = r.root, *a = child(root, 0), *bc = child(root, 1);
    check_place(root, TL_JSON_OBJECT, 2, 46, 2);
    check_place(a, TL_JSON_ARRAY, 10, 28, 3);
    check_place(child(a, 0), TL_JSON_NUMBER, 12, 13, 0);
    check_place(child(a, 1), TL_JSON_ARRAY, 16, 19, 0);
    check_place(child(a, 2), TL_JSON_TRUE, 22, 26, 0);
    check_place(bc, TL_JSON_OBJECT, 35, 44, 1);
    check_place(child(bc, 0), TL_JSON_NUMBER, 39, 43, 0);
    CHECK(!root->next && !bc->next && !child(a, 2)->next && !child(a, 1)->first);
    CHECK_STR(a->key.data, "a");
    CHECK_STR(bc->key.data, "bc");
    CHECK_INT(bc->key.len, 2);
    CHECK(child(bc, 0)->key.data && child(bc, 0)->key.len == 0);
    CHECK(!child(a, 0)->key.data && !root->key.data);
    /* One array, in the order of the text. */
    const tl_json *order[] = {root, a, child(a, 0), child(a, 1), child(a, 2), bc, child(bc, 0)};
    for (size_t i = 0; i < 7; i++)
        CHECK(order[i] == root + i);
    done(&r);
}

TEST(numbers_have_values)
{
    reading r = read_text("[0,-0,3,-17,3.0,3e0,0.1,1E-400,5e-324,9007199254740993,1e22]");
    static const double want[] = {0, -0.0, 3, -17, 3, 3, 0.1, 0, 5e-324, 9007199254740992.0, 1e22};
    static const bool whole[] = {1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0};
    for (uint32_t i = 0; i < 11; i++) {
        const tl_json *value = child(r.root, i);
        CHECK(memcmp(&value->number, &want[i], sizeof want[i]) == 0);
        CHECK_INT(value->whole, whole[i]);
    }
    done(&r);
}

/* A document cut anywhere is refused, and the byte lies within it. */
TEST(cut_anywhere)
{
    const char *text =
        "{\"a\":[1.5e+10,-0.25,{\"b\\u00e4\\ud83d\\ude00\":null}],\"\xE2\x82\xAC\":\"x\\n\",\"t\":[true,false]}";
    accept(text);
    for (size_t size = 0; size < strlen(text); size++) {
        reading r = read_limited(text, size, NULL);
        CHECK(!r.root);
        CHECK(r.err.code == TRILO_CODE_TRUNCATED || r.err.code == TRILO_CODE_BAD_VALUE);
        CHECK(r.err.offset >= 1000 && r.err.offset <= 1000 + size);
        CHECK_STR(r.err.rule, "TEST-JSON");
        done(&r);
    }
}

/* Every byte replaced by every other one: no crash, and what is refused says where. */
TEST(any_byte_anywhere)
{
    char text[] = "{\"a\\u0041\":[1.5e+1,-0,{\"\xC3\xA4\":null,\"c\":\"\\n\"}],\"t\":[true]}";
    const size_t size = strlen(text);
    size_t good = 0;
    for (size_t at = 0; at < size; at++) {
        const char old = text[at];
        for (int byte = 0; byte < 256; byte++) {
            text[at] = (char)byte;
            reading r = read_limited(text, size, NULL);
            good += r.root != NULL;
            CHECK(r.root || (r.err.text[0] && r.err.offset <= 1000 + size));
            done(&r);
        }
        text[at] = old;
    }
    CHECK(good > size && good < 20 * size);
}

/* ---- keys ---- */

static const char *twice_a = "the key \"a\" occurs twice in its object, must be unique";

TEST(repeated_keys)
{
    refuse("{\"a\":1,\"a\":2}", 7, twice_a);
    refuse("{\"a\":1,\"b\":2,\"a\":3}", 13, twice_a);
    refuse("[{\"a\":1},{\"b\":[{\"a\":1, \"a\" : 1}]}]", 23, twice_a);
    refuse("{\"a\":1,\"\\u0061\":2}", 7, twice_a);
    refuse("{\"b\":1,\"a\":1,\"a\":2,\"b\":3}", 13, twice_a);
    refuse("{\"\":1,\"\":2}", 6, "the key \"\" occurs twice in its object, must be unique");
    /* The key is found again however it is written. */
    refuse("{\"\\\"\":1,\"\\\"\"\n:\t2}", 8, "the key \"\"\" occurs twice in its object, must be unique");
    refuse("{\"\\\\\":1,\"\\\\\":2}", 8, "the key \"\\\" occurs twice in its object, must be unique");
    refuse("{\"x\\\\\\\"y\":1,\"x\\\\\\\"y\":2}", 12, "the key \"x\\\"y\" occurs twice in its object, must be unique");
    refuse("{\"\\n\":1,\"\\n\":2}", 8, "the key \"\\x0A\" occurs twice in its object, must be unique");
    accept("{\"a\":1,\"A\":2,\"aa\":3,\"\":4}");
    accept("[{\"a\":1},{\"a\":1}]");
}

/* A long key is shown up to a whole character. */
TEST(repeated_long_key)
{
    char text[512], want[512];
    for (int lead = 0; lead < 4; lead++) {
        char key[128] = "";
        for (int i = 0; i < 90; i++)
            strcat(key, i < lead ? "x" : i < 40 ? "\xE2\x82\xAC" : "");
        snprintf(text, sizeof text, "{\"%s\":0,\"%s\":0}", key, key);
        const int shown = lead + (64 - lead) / 3 * 3;
        snprintf(want, sizeof want, "the key \"%.*s\" occurs twice in its object, must be unique", shown, key);
        refuse(text, strlen(key) + 6, want);
    }
}

/* `count` keys; the one at `second` repeats the one at `first`. NULL: it does not repeat any. */
static char *object_text(size_t count, size_t first, size_t second, size_t *at)
{
    char *text = malloc(count * 32 + 16), *end = text;
    CHECK(text);
    *end++ = '{';
    for (size_t i = 0; i < count; i++) {
        if (i == second)
            *at = (size_t)(end - text);
        /* Mixed up, of several lengths. */
        const unsigned long long name = (i == second ? first : i) * UINT64_C(2654435761) % 1000003;
        end += sprintf(end, "\"k%llu\":%zu,", name, i);
    }
    strcpy(end - (count > 0), "}");
    return text;
}

TEST(repeated_keys_among_many)
{
    static const size_t counts[] = {2, 3, 15, 16, 17, 18, 31, 32, 33, 100, 1000, 20000};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        const size_t n = counts[k];
        size_t at = 0;
        char *text = object_text(n, 0, n, &at);
        reading r = read_text(text);
        CHECK(r.root);
        CHECK_INT(r.root->count, n);
        done(&r);
        free(text);
        const size_t pairs[][2] = {{0, n - 1}, {0, 1}, {n - 2, n - 1}, {n / 3, n / 2 + (n / 3 == n / 2)}};
        for (size_t i = 0; i < 4; i++) {
            text = object_text(n, pairs[i][0], pairs[i][1], &at);
            r = read_text(text);
            CHECK(!r.root);
            CHECK_INT(r.err.offset, 1000 + at);
            done(&r);
            free(text);
        }
    }
}

/* Of several repeated keys the first one in the text is named, also where keys are sorted. */
TEST(first_repeated_key_is_named)
{
    char text[1024] = "{", *end = text + 1;
    for (int i = 0; i < 40; i++)
        end += sprintf(end, "\"%c\":0,", i < 26 ? 'A' + i : 'a' + i - 26);
    const size_t at = (size_t)(end - text);
    strcpy(end, "\"a\":0,\"B\":0,\"A\":0}");
    refuse(text, at, twice_a);
}

/* ---- strings ---- */

static void check_string(const char *text, const char *want, size_t length)
{
    reading r = read_text(text);
    if (!r.root)
        FAIL("%s is refused: %s", text, r.err.text);
    const trilo_str string = tl_json_string(r.root);
    CHECK_INT(string.len, length);
    CHECK(memcmp(string.data, want, length + 1) == 0);
    done(&r);
}

TEST(strings_without_their_escapes)
{
    check_string("\"\"", "", 0);
    check_string("\"abc\"", "abc", 3);
    check_string("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8);
    check_string("\"a\\nb\"", "a\nb", 3);
    check_string("\"\\u0041\\u00e4\\u20AC\\ud83D\\uDE00\"", "A\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", 10);
    check_string("\"\\\\u0041\"", "\\u0041", 6);
    check_string("\"\\u005c\\u0022\"", "\\\"", 2);
    check_string("\"\\u0001\\u001F\\u007f\"", "\x01\x1F\x7F", 3);
    check_string("\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\"", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", 9);
}

TEST(refused_strings)
{
    refuse("\"", 1, "the closing quote of a string is expected here, but the text ends");
    refuse("[\"a", 3, "the closing quote of a string is expected here, but the text ends");
    refuse("{\"a", 3, "the closing quote of a string is expected here, but the text ends");
    refuse("\"a\\\"", 4, "the closing quote of a string is expected here, but the text ends");
    refuse("\"\\", 2, "one of \" \\ / b f n r t u after the backslash is expected here, but the text ends");
    refuse("\"\\x41\"", 2, "one of \" \\ / b f n r t u after the backslash is expected here, not 'x'");
    refuse("\"\\'\"", 2, "one of \" \\ / b f n r t u after the backslash is expected here, not '''");
    refuse("\"\\\n\"", 2, "one of \" \\ / b f n r t u after the backslash is expected here, not the byte 0x0A");
    refuse_bytes("\"\\\0\"", 4, 2,
                 "one of \" \\ / b f n r t u after the backslash is expected here, not the byte 0x00");
    refuse("\"\\U0041\"", 2, "one of \" \\ / b f n r t u after the backslash is expected here, not 'U'");
    refuse("\"\\u004\"", 6, "one of four hex digits after \\u is expected here, not '\"'");
    refuse("\"\\u00g1\"", 5, "one of four hex digits after \\u is expected here, not 'g'");
    refuse("\"\\u-041\"", 3, "one of four hex digits after \\u is expected here, not '-'");
    refuse("\"\\u00", 5, "one of four hex digits after \\u is expected here, but the text ends");
    refuse("\"a\nb\"", 2, "a string holds the control byte 0x0A, must be escaped as \\u000A");
    refuse("\"\x1F\"", 1, "a string holds the control byte 0x1F, must be escaped as \\u001F");
    refuse("\"\t\"", 1, "a string holds the control byte 0x09, must be escaped as \\u0009");
    refuse("\"a\\u0000\"", 2, "a string holds the character NUL, must hold others only");
    refuse("{\"\\u0000\":1}", 2, "a string holds the character NUL, must hold others only");
    refuse_bytes("\"\0\"", 3, 1, "a string holds the character NUL, must hold others only");
}

TEST(refused_surrogates)
{
    const char *first = "a high surrogate stands alone, must be followed by a low surrogate";
    const char *second = "a low surrogate stands alone, must follow a high surrogate";
    refuse("\"\\ud800\"", 1, first);
    refuse("\"x\\udbff\\n\"", 2, first);
    refuse("\"\\ud83dDE00\"", 1, first);
    refuse("\"\\ud800\\ud800\"", 1, first);
    refuse("\"\\ud800\\u0041\"", 1, first);
    refuse("\"\\ud800", 1, first);
    refuse("\"\\ud800\\", 1, first);
    refuse("\"\\ud800\\u", 9, "one of four hex digits after \\u is expected here, but the text ends");
    refuse("\"\\udc00\"", 1, second);
    refuse("\"\\udfff\\ud800\"", 1, second);
    refuse("\"\\ud83d\\ude00\\ude00\"", 13, second);
}

/* The test's own idea of UTF-8. */
static size_t encode(uint32_t code, char *out)
{
    const size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const int first[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    for (size_t i = 0; i < size; i++) {
        const uint32_t bits = code >> 6 * (size - 1 - i);
        out[i] = (char)(i == 0 ? (uint32_t)first[size] | bits : 0x80 | (bits & 0x3F));
    }
    out[size] = '\0';
    return size;
}

/* Plain and escaped, every character is the same. */
TEST(every_character)
{
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    for (uint32_t code = 1; code <= 0x10FFFF; code += code < 0x11000 ? 1 : 61) {
        char raw[8], text[64];
        const size_t size = encode(code, raw);
        const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        const bool bare = code >= 0x20 && code != '"' && code != '\\';
        int length = code < 0x10000 ? sprintf(text, "[\"%s\",\"\\u%04x\"]", bare ? raw : "", (unsigned)code)
                                    : sprintf(text, "[\"%s\",\"\\u%04X\\u%04X\"]", raw,
                                              (unsigned)(0xD7C0 + (code >> 10)), (unsigned)(0xDC00 + (code & 0x3FF)));
        trilo_error err;
        const tl_json *root =
            tl_json_read(&arena, (trilo_bytes){(uint8_t *)text, (size_t)length}, NULL, &rule, 0, &err);
        if ((root == NULL) != surrogate)
            FAIL("U+%04X: %s", (unsigned)code, root ? "accepted" : err.text);
        if (!root)
            continue;
        CHECK_STR(child(root, 1)->string.data, raw);
        CHECK_INT(child(root, 1)->string.len, size);
        CHECK_STR(child(root, 0)->string.data, bare ? raw : "");
        if (code % 4096 == 0) {
            tl_arena_free(&arena);
            tl_arena_init(&arena, NULL);
        }
    }
    tl_arena_free(&arena);
}

/* Is it exactly one character? Decoded generously first, then compared with how it must be written. */
static bool one_character(const char *bytes, size_t size)
{
    const uint8_t *p = (const uint8_t *)bytes;
    uint32_t code = size == 1 ? p[0] : p[0] & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++)
        code = code << 6 | (p[i] & 0x3F);
    char again[8];
    return code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF) && encode(code, again) == size &&
           memcmp(again, bytes, size) == 0;
}

static void check_utf8(const char *bytes, size_t size)
{
    char text[16] = "\"";
    memcpy(text + 1, bytes, size);
    text[size + 1] = '"';
    reading r = read_limited(text, size + 2, NULL);
    if ((r.root != NULL) != one_character(bytes, size))
        FAIL("%zu bytes %02X %02X %02X %02X", size, (uint8_t)bytes[0], (uint8_t)bytes[1], (uint8_t)bytes[2],
             (uint8_t)bytes[3]);
    if (!r.root) {
        char want[128];
        snprintf(want, sizeof want, "a string holds the byte 0x%02X, must be UTF-8", (uint8_t)bytes[0]);
        CHECK_STR(r.err.text, want);
        CHECK_INT(r.err.offset, 1001);
    }
    done(&r);
}

TEST(utf8_of_every_length)
{
    static const uint8_t edges[] = {0x80, 0x81, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xFF, 0x7F, 0x41};
    enum { EDGES = sizeof edges };
    for (int lead = 0x80; lead < 256; lead++) {
        char bytes[8] = {(char)lead};
        check_utf8(bytes, 1);
        for (int second = 0x80; second < 256 && lead >= 0xC0; second++) {
            bytes[1] = (char)second;
            if (lead < 0xE0)
                check_utf8(bytes, 2);
            for (int third = 0; third < EDGES && lead >= 0xE0; third++) {
                bytes[2] = (char)edges[third];
                if (lead < 0xF0)
                    check_utf8(bytes, 3);
                bytes[3] = (char)edges[(third + second) % EDGES];
                if (lead >= 0xF0)
                    check_utf8(bytes, 4);
            }
        }
    }
}

/* Strings are looked at in words: something special at each place of several words is seen. */
TEST(special_bytes_at_every_offset)
{
    for (size_t length = 1; length < 40; length++)
        for (size_t at = 0; at < length; at++)
            for (int byte = 0; byte < 256; byte++) {
                char text[64];
                memset(text, at % 2 ? 'a' : 'z', length + 2);
                text[0] = text[length + 1] = '"';
                text[at + 1] = (char)byte;
                reading r = read_limited(text, length + 2, NULL);
                CHECK((r.root != NULL) == (byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\'));
                CHECK(!r.root || memcmp(r.root->string.data, text + 1, length) == 0);
                CHECK(r.root || r.err.offset >= 1000 + at + 1);
                done(&r);
            }
}

/* ---- limits ---- */

static void check_limit(const reading *r, uint64_t at, const char *sentence)
{
    CHECK(!r->root);
    CHECK_INT(r->err.code, TRILO_CODE_LIMIT);
    CHECK_STR(r->err.rule, "FILE-LIMIT");
    CHECK_STR(r->err.text, sentence);
    CHECK_INT(r->err.offset, 1000 + at);
}

static char *nested(size_t depth)
{
    char *text = malloc(2 * depth + 1);
    CHECK(text);
    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    text[2 * depth] = '\0';
    return text;
}

TEST(depth_is_limited)
{
    char *text = nested(64);
    accept(text);
    free(text);
    text = nested(65);
    reading r = read_text(text);
    check_limit(&r, 64, "arrays and objects are nested deeper than the limit of 64");
    done(&r);
    free(text);
    r = read_limited("{\"a\":[1]}", 9, &(tl_json_limits){.depth = 1});
    check_limit(&r, 5, "arrays and objects are nested deeper than the limit of 1");
    done(&r);
    r = read_limited("[{\"a\":[1]},[[]],[]]", 19, &(tl_json_limits){.depth = 3});
    CHECK(r.root);
    done(&r);
    /* Nothing recurses: a stack would not be enough. */
    text = nested(500000);
    r = read_limited(text, 1000000, &(tl_json_limits){.depth = UINT32_MAX});
    CHECK(r.root);
    done(&r);
    r = read_limited(text, 999999, &(tl_json_limits){.depth = UINT32_MAX});
    CHECK_INT(r.err.code, TRILO_CODE_TRUNCATED);
    done(&r);
    free(text);
}

TEST(values_are_limited)
{
    const char *text = "[1,{\"a\":null,\"b\":[\"\"]},{}]"; /* 7 values */
    const size_t size = strlen(text);
    reading r = read_limited(text, size, &(tl_json_limits){.values = 7});
    CHECK(r.root);
    done(&r);
    r = read_limited(text, size, &(tl_json_limits){.values = 6});
    check_limit(&r, 23, "the text has more values than the limit of 6");
    done(&r);
    r = read_limited(text, size, &(tl_json_limits){.values = 1});
    check_limit(&r, 1, "the text has more values than the limit of 1");
    done(&r);
}

TEST(bytes_are_limited)
{
    reading r = {.root = NULL};
    tl_arena_init(&r.arena, NULL);
    const trilo_bytes text = {(const uint8_t *)"1", (size_t)INT32_MAX + 1};
    r.root = tl_json_read(&r.arena, text, NULL, &rule, 1000, &r.err);
    check_limit(&r, 0, "the text has more bytes than the limit of 2147483647");
    done(&r);
}

/* Never a block of memory more than it takes, and a plain answer when there is none. */
TEST(memory_is_denied)
{
    size_t at = 0;
    char *text = object_text(300, 0, 300, &at);
    const trilo_bytes bytes = {(uint8_t *)text, strlen(text)};
    size_t refused = 0;
    for (size_t limit = 1;; limit += 500) {
        meter m = {0};
        tl_arena arena;
        trilo_error err = {0};
        tl_arena_init(&arena, &(trilo_memory){meter_memory(&m, 0).fn, &m, limit});
        const tl_json *root = tl_json_read(&arena, bytes, NULL, &rule, 0, &err);
        tl_arena_free(&arena);
        CHECK(m.peak <= limit && m.now == 0);
        if (root)
            break;
        refused++;
        CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
        CHECK_STR(err.rule, "FILE-MEMORY");
        CHECK(limit < 100000);
    }
    CHECK(refused > 10);
    for (size_t n = 1;; n++) {
        meter m = {.fail_at = n};
        const trilo_memory memory = meter_memory(&m, 0);
        tl_arena arena;
        trilo_error err = {0};
        tl_arena_init(&arena, &memory);
        const tl_json *root = tl_json_read(&arena, bytes, NULL, &rule, 0, &err);
        tl_arena_free(&arena);
        CHECK_INT(m.now, 0);
        if (m.calls < n) {
            CHECK(root && n > 2);
            break;
        }
        CHECK(!root);
        CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
    }
    free(text);
}

static bool same_values(const tl_json *a, const tl_json *b)
{
    for (; a && b; a = a->next, b = b->next) {
        const bool keyed = a->key.data != NULL;
        if (a->kind != b->kind || a->at != b->at || a->end != b->end || a->count != b->count || a->whole != b->whole ||
            keyed != (b->key.data != NULL) || (keyed && strcmp(a->key.data, b->key.data) != 0) ||
            (a->kind == TL_JSON_STRING && strcmp(a->string.data, b->string.data) != 0) ||
            (a->kind == TL_JSON_NUMBER && memcmp(&a->number, &b->number, sizeof a->number) != 0) ||
            !same_values(a->first, b->first))
            return false;
    }
    return !a && !b;
}

/* With much memory one pass fills arrays that are large enough for anything; with little, values are counted first. A
 * syntax error counts before a repeated key and a number that is too large, wherever they are. */
TEST(memory_changes_no_answer)
{
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"[{\"a,[{\":\"x\\n\\u00e9\",\"\":[],\"c\":{}},\"a string, longer than 8\",-0,0,123456789012345,"
         "1234567890123456,-99999999999999999999,1.5,-2e3,\"\xC3\xA9\",\"\",true]",
         ""},
        {"[{\"a\":1,\"a\":2},]", "a value is expected here, not ']'"},
        {"[1e999,x]", "a value is expected here, not 'x'"},
        {"[{\"a\":1,\"a\":2},1]", "the key \"a\" occurs twice in its object, must be unique"},
        {"[1e999]", "a number is too large for a double, must be at most 1.7976931348623157e308"},
        {"[\"abcdefghijk", "the closing quote of a string is expected here, but the text ends"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t sizes[2] = {1000000, i == 0 ? 8000 : 4500};
        tl_arena arenas[2];
        trilo_error errors[2] = {{0}, {0}};
        const tl_json *roots[2];
        for (int k = 0; k < 2; k++) {
            tl_arena_init(&arenas[k], &(trilo_memory){.max_bytes = sizes[k]});
            roots[k] = tl_json_read(&arenas[k], (trilo_bytes){(const uint8_t *)cases[i].text, strlen(cases[i].text)},
                                    NULL, &rule, 0, &errors[k]);
            CHECK_STR(errors[k].text, cases[i].sentence);
        }
        CHECK_INT(errors[0].offset, errors[1].offset);
        CHECK(i > 0 || same_values(roots[0], roots[1]));
        CHECK(i == 0 || (!roots[0] && !roots[1]));
        tl_arena_free(&arenas[0]);
        tl_arena_free(&arenas[1]);
    }
}

/* The same, whatever byte is wrong or still right. */
TEST(memory_changes_no_answer_to_any_byte)
{
    static const char valid[] = " [{\"a,[{\":\"x\\n\\u00e9\",\"\":[ ],\"c\":{}} ,\"sixteen bytes are a vector\",-0,0,"
                                "123456789012345,1234567890123456,1.5,-2e3,\"\xC3\xA9\",\"\",true,false,null]\n";
    static const char others[] = "{}[],:\" \\0-.eEnx\t\x01\x80";
    char text[sizeof valid];
    for (size_t at = 0; at < sizeof valid - 1; at++)
        for (size_t other = 0; other < sizeof others; other++) { /* with NUL */
            tl_arena much, little;
            trilo_error errors[2] = {{0}, {0}};
            memcpy(text, valid, sizeof valid);
            text[at] = others[other];
            const trilo_bytes bytes = {(const uint8_t *)text, sizeof valid - 1};
            tl_arena_init(&much, NULL);
            tl_arena_init(&little, &(trilo_memory){.max_bytes = 9000});
            const tl_json *a = tl_json_read(&much, bytes, NULL, &rule, 0, &errors[0]);
            const tl_json *b = tl_json_read(&little, bytes, NULL, &rule, 0, &errors[1]);
            CHECK(same_values(a, b));
            CHECK_STR(errors[0].text, errors[1].text);
            CHECK_INT(errors[0].offset, errors[1].offset);
            tl_arena_free(&much);
            tl_arena_free(&little);
        }
}

/* Commas in a string, as many as there is room for values in as many bytes as the text has: values that are not there
 * take no memory. */
TEST(commas_in_strings_take_no_memory)
{
    enum { SIZE = 64000 };
    static char text[SIZE];
    memset(text, 'x', SIZE);
    memset(text + 2, ',', SIZE / sizeof(tl_json) - 4);
    text[0] = '[';
    text[1] = text[SIZE - 2] = '"';
    text[SIZE - 1] = ']';
    tl_arena arena;
    trilo_error err = {0};
    tl_arena_init(&arena, &(trilo_memory){.max_bytes = SIZE + SIZE / 2});
    const tl_json *root = tl_json_read(&arena, (trilo_bytes){(const uint8_t *)text, SIZE}, NULL, &rule, 0, &err);
    CHECK_STR(err.text, "");
    CHECK_INT(root->first->string.len, SIZE - 4);
    tl_arena_free(&arena);
}

/* Nobody has to listen. */
TEST(errors_may_be_ignored)
{
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(!tl_json_read(&arena, (trilo_bytes){(const uint8_t *)"[1,", 3}, NULL, &rule, 0, NULL));
    CHECK(!tl_json_read(&arena, (trilo_bytes){NULL, 0}, NULL, &rule, 0, NULL));
    CHECK(!tl_json_read(&arena, (trilo_bytes){(const uint8_t *)"[[", 2}, &(tl_json_limits){1, 1}, &rule, 0, NULL));
    tl_arena_free(&arena);
}

/* ---- looking at values ---- */

TEST(members_are_found)
{
    reading r = read_text("{\"a\":1,\"ab\":2,\"\":3,\"\\u00e4\":4}");
    CHECK_INT(tl_json_number(tl_json_member(r.root, "a"), 0), 1);
    CHECK_INT(tl_json_number(tl_json_member(r.root, "ab"), 0), 2);
    CHECK_INT(tl_json_number(tl_json_member(r.root, ""), 0), 3);
    CHECK_INT(tl_json_number(tl_json_member(r.root, "\xC3\xA4"), 0), 4);
    CHECK(!tl_json_member(r.root, "b"));
    CHECK(!tl_json_member(r.root, "abc"));
    CHECK(!tl_json_member(NULL, "a"));
    CHECK(!tl_json_member(r.root->first, "a"));
    done(&r);
}

TEST(values_with_a_fallback)
{
    reading r = read_text("[null,false,true,0,-2,\"s\",[],{}]");
    const tl_json *v[8];
    for (uint32_t i = 0; i < 8; i++)
        v[i] = child(r.root, i);
    CHECK(tl_json_bool(v[0], true) && !tl_json_bool(v[0], false));
    CHECK(!tl_json_bool(v[1], true) && tl_json_bool(v[2], false));
    CHECK(!tl_json_bool(v[3], true) && tl_json_bool(v[4], false));
    CHECK(tl_json_bool(v[5], true) && !tl_json_bool(v[6], false) && tl_json_bool(NULL, true));
    CHECK(tl_json_number(v[4], 9) == -2 && tl_json_number(v[2], 9) == 9 && tl_json_number(NULL, 9) == 9);
    CHECK_STR(tl_json_string(v[5]).data, "s");
    CHECK_INT(tl_json_string(v[5]).len, 1);
    CHECK_STR(tl_json_string(v[3]).data, "");
    CHECK_INT(tl_json_string(NULL).len, 0);
    CHECK_STR(tl_json_string(NULL).data, "");
    done(&r);
}

TEST(whole_numbers)
{
    reading r = read_text("[0,-0,3,3.0,3e0,4294967295,4294967295.0,30e-1,1.5,-1,4294967296,1e300,\"3\",null,1e-300]");
    static const int64_t want[] = {0, 0, 3, 3, 3, 4294967295, 4294967295, 3, -1, -1, -1, -1, -1, -1, -1};
    for (uint32_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        uint32_t got = 77;
        const bool whole = tl_json_uint(child(r.root, i), &got);
        CHECK_INT(whole ? (int64_t)got : -1, want[i]);
        CHECK(whole || got == 77);
    }
    CHECK(!tl_json_uint(NULL, NULL));
    done(&r);
}

TEST(arrays_of_numbers)
{
    reading r = read_text("{\"a\":[1,2.5,-3],\"b\":[1,\"2\",3],\"c\":{\"x\":1},\"d\":[]}");
    double out[4] = {7, 7, 7, 7};
    CHECK(tl_json_numbers(tl_json_member(r.root, "a"), out, 3));
    CHECK(out[0] == 1 && out[1] == 2.5 && out[2] == -3 && out[3] == 7);
    out[0] = 7;
    CHECK(!tl_json_numbers(tl_json_member(r.root, "a"), out, 2));
    CHECK(!tl_json_numbers(tl_json_member(r.root, "a"), out, 4));
    CHECK(!tl_json_numbers(tl_json_member(r.root, "b"), out, 3));
    CHECK(!tl_json_numbers(tl_json_member(r.root, "c"), out, 1));
    CHECK(!tl_json_numbers(NULL, out, 0));
    CHECK(out[0] == 7);
    CHECK(tl_json_numbers(tl_json_member(r.root, "d"), NULL, 0));
    done(&r);
}

TEST(lists)
{
    reading r = read_text("[[1,[2,3],4],{\"a\":5,\"b\":6},[]]");
    const tl_json **list = tl_json_list(&r.arena, child(r.root, 0));
    CHECK(list && list[0]->number == 1 && list[1]->count == 2 && list[2]->number == 4);
    list = tl_json_list(&r.arena, child(r.root, 1));
    CHECK(list && list[0]->number == 5 && list[1]->number == 6);
    CHECK(tl_json_list(&r.arena, child(r.root, 2)));
    CHECK(tl_json_list(&r.arena, NULL));
    tl_arena poor;
    tl_arena_init(&poor, &(trilo_memory){.max_bytes = 8});
    CHECK(!tl_json_list(&poor, r.root));
    tl_arena_free(&poor);
    done(&r);
}

TEST_MAIN(CASE(each_kind_alone), CASE(accepted), CASE(refused_structure), CASE(refused_foreign), CASE(refused_numbers),
          CASE(offsets_and_order), CASE(numbers_have_values), CASE(cut_anywhere), CASE(any_byte_anywhere),
          CASE(repeated_keys), CASE(repeated_long_key), CASE(repeated_keys_among_many),
          CASE(first_repeated_key_is_named), CASE(strings_without_their_escapes), CASE(refused_strings),
          CASE(refused_surrogates), CASE(every_character), CASE(utf8_of_every_length),
          CASE(special_bytes_at_every_offset), CASE(depth_is_limited), CASE(values_are_limited),
          CASE(bytes_are_limited), CASE(memory_is_denied), CASE(memory_changes_no_answer),
          CASE(memory_changes_no_answer_to_any_byte), CASE(commas_in_strings_take_no_memory),
          CASE(errors_may_be_ignored), CASE(members_are_found), CASE(values_with_a_fallback), CASE(whole_numbers),
          CASE(arrays_of_numbers), CASE(lists))

#include "base/json.h"
#include "base/json_write.h"
#include "harness.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const trilo_rule rule = {"T", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};

static tl_json_writer start(tl_arena *arena)
{
    tl_arena_init(arena, NULL);
    return tl_json_writer_in(arena);
}

/* Compares and frees. */
static void expect(tl_json_writer *w, const char *want)
{
    CHECK(!w->failed);
    tl_json_append(w, "", 1);
    CHECK_STR(w->text, want);
    tl_arena_free(w->arena);
}

TEST(commas_come_by_themselves)
{
    tl_arena arena;
    tl_json_writer w = start(&arena);
    tl_json_open(&w, '{');
    tl_json_key(&w, "a");
    tl_json_open(&w, '[');
    tl_json_put_uint(&w, 1);
    tl_json_open(&w, '[');
    tl_json_close(&w, ']');
    tl_json_put_bool(&w, true);
    tl_json_put_bool(&w, false);
    tl_json_open(&w, '{');
    tl_json_close(&w, '}');
    tl_json_close(&w, ']');
    tl_json_key_str(&w, (trilo_str){"b\"x", 2});
    tl_json_put_text(&w, "c");
    tl_json_key(&w, "d");
    tl_json_put_raw(&w, "{\"e\":2}", 7);
    tl_json_close(&w, '}');
    expect(&w, "{\"a\":[1,[],true,false,{}],\"b\\\"\":\"c\",\"d\":{\"e\":2}}");
}

TEST(numbers_read_back_as_they_were)
{
    tl_arena arena;
    tl_json_writer w = start(&arena);
    const float values[] = {0, -0.0f, 0.1f, 3, 1e-7f, FLT_MAX, FLT_TRUE_MIN};
    tl_json_open(&w, '[');
    tl_json_put_floats(&w, values, sizeof values / sizeof values[0]);
    tl_json_put_double(&w, 0.1);
    tl_json_put_double(&w, 1e300);
    tl_json_put_uint(&w, UINT64_MAX);
    tl_json_put_float(&w, NAN);
    tl_json_put_float(&w, -INFINITY);
    tl_json_put_double(&w, INFINITY);
    tl_json_close(&w, ']');
    expect(&w, "[[0,-0,0.1,3,1e-07,3.4028235e+38,1e-45],0.1,1e+300,18446744073709551615,null,null,null]");
}

TEST(strings_are_escaped)
{
    tl_arena arena;
    tl_json_writer w = start(&arena);
    tl_json_put_str(&w, (trilo_str){"\"\\/\b\f\n\r\t\x01\x1f\x7f", 11});
    expect(&w, "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"");
}

/* One case: what goes in, what comes out between the quotes. */
static void check_string(const char *text, size_t length, const char *want)
{
    tl_arena arena;
    tl_json_writer w = start(&arena);
    char quoted[64] = "\"";
    strcat(strcat(quoted, want), "\"");
    tl_json_put_str(&w, (trilo_str){text, length});
    expect(&w, quoted);
}

#define BAD "\xEF\xBF\xBD"

TEST(what_is_no_utf8_is_replaced)
{
    check_string("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x90\x9A", 9, "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x90\x9A");
    check_string("a\0b", 3, "a" BAD "b");
    check_string("\xE4x", 2, BAD "x");                            /* Latin-1 */
    check_string("\xC3", 1, BAD);                                 /* cut */
    check_string("\xE2\x82", 2, BAD BAD);                         /* cut later */
    check_string("\x80", 1, BAD);                                 /* a continuation alone */
    check_string("\xC0\x80\xC1\xBF", 4, BAD BAD BAD BAD);         /* too long a way to say it */
    check_string("\xE0\x9F\xBF", 3, BAD BAD BAD);                 /* so is this */
    check_string("\xF0\x8F\xBF\xBF", 4, BAD BAD BAD BAD);         /* and this */
    check_string("\xED\xA0\x80", 3, BAD BAD BAD);                 /* a surrogate */
    check_string("\xED\x9F\xBF", 3, "\xED\x9F\xBF");              /* the last one in front of them */
    check_string("\xF4\x90\x80\x80", 4, BAD BAD BAD BAD);         /* beyond the last character */
    check_string("\xF4\x8F\xBF\xBF", 4, "\xF4\x8F\xBF\xBF");      /* the last character */
    check_string("\xF8\x88\x80\x80\x80", 5, BAD BAD BAD BAD BAD); /* five bytes are no character */
    check_string(NULL, 0, "");
}

/* Whatever the bytes, the reader takes the result. */
TEST(the_reader_takes_every_pair_of_bytes)
{
    tl_arena arena;
    tl_json_writer w = start(&arena);
    tl_json_open(&w, '[');
    for (unsigned pair = 0; pair < 65536; pair++) {
        const char text[2] = {(char)(pair >> 8), (char)(pair & 255)};
        tl_json_put_str(&w, (trilo_str){text, 2});
    }
    tl_json_close(&w, ']');
    CHECK(!w.failed);
    trilo_error err = {0};
    const tl_json *root = tl_json_read(&arena, (trilo_bytes){(const uint8_t *)w.text, w.size}, NULL, &rule, 0, &err);
    if (!root)
        FAIL("%s", err.text);
    CHECK_INT(root->count, 65536);
    const tl_json *value = root->first;
    for (unsigned pair = 0; pair < 0x80 << 8; pair++, value = value->next)
        if (pair >> 8 != 0 && (pair & 255) != 0 && (pair & 255) < 0x80) {
            CHECK_INT(value->string.len, 2);
            CHECK_INT((uint8_t)value->string.data[0], pair >> 8);
            CHECK_INT((uint8_t)value->string.data[1], pair & 255);
        }
    tl_arena_free(&arena);
}

TEST(memory_that_runs_out)
{
    const trilo_memory little = {.max_bytes = 4096};
    tl_arena arena;
    tl_arena_init(&arena, &little);
    tl_json_writer w = tl_json_writer_in(&arena);
    tl_json_open(&w, '[');
    for (uint32_t i = 0; i < 10000; i++)
        tl_json_put_uint(&w, i);
    CHECK(w.failed);
    CHECK(w.size < 4096);
    tl_arena_free(&arena);
}

TEST_MAIN(CASE(commas_come_by_themselves), CASE(numbers_read_back_as_they_were), CASE(strings_are_escaped),
          CASE(what_is_no_utf8_is_replaced), CASE(the_reader_takes_every_pair_of_bytes), CASE(memory_that_runs_out))

#include "base/reader.h"
#include "base/size.h"
#include "harness.h"

#include <string.h>

/* ---- sizes ---- */

/* Against plain arithmetic, where nothing can overflow. */
TEST(fits_like_plain_arithmetic)
{
    for (size_t size = 0; size < 8; size++)
        for (size_t at = 0; at < 10; at++)
            for (size_t count = 0; count < 10; count++)
                for (size_t each = 0; each < 5; each++)
                    CHECK_INT(tl_fits(size, at, count, each), at <= size && at + count * each <= size);
}

TEST(fits_at_the_extremes)
{
    CHECK(tl_fits(SIZE_MAX, 0, SIZE_MAX, 1));
    CHECK(tl_fits(SIZE_MAX, 0, 1, SIZE_MAX));
    CHECK(tl_fits(SIZE_MAX, SIZE_MAX, 0, 8));
    CHECK(tl_fits(SIZE_MAX, 3, SIZE_MAX / 4, 4)); /* SIZE_MAX is 4 n + 3 */
    CHECK(tl_fits(0, 0, SIZE_MAX, 0));
    CHECK(tl_fits(0, 0, 0, SIZE_MAX));
    CHECK(!tl_fits(SIZE_MAX, 1, SIZE_MAX, 1));
    CHECK(!tl_fits(SIZE_MAX, SIZE_MAX, 1, 1));
    CHECK(!tl_fits(SIZE_MAX, 4, SIZE_MAX / 4, 4));
    CHECK(!tl_fits(SIZE_MAX, 0, SIZE_MAX / 4 + 1, 4)); /* the product wraps to 0 */
    CHECK(!tl_fits(10, SIZE_MAX, 1, 1));
    CHECK(!tl_fits(10, SIZE_MAX, 11, 1)); /* at + count wraps to 10 */
    CHECK(!tl_fits(10, 0, SIZE_MAX / 2 + 1, 2));
    CHECK(!tl_fits(10, 5, SIZE_MAX, SIZE_MAX)); /* wraps to 1 */
    CHECK(!tl_fits(0, 1, 0, 0));
}

TEST(products_are_checked)
{
    size_t product = 0;
    CHECK(tl_multiply(6, 7, &product));
    CHECK_INT(product, 42);
    CHECK(tl_multiply(SIZE_MAX, 0, &product));
    CHECK_INT(product, 0);
    CHECK(tl_multiply(0, SIZE_MAX, &product));
    CHECK_INT(product, 0);
    CHECK(tl_multiply(1, SIZE_MAX, &product));
    CHECK(product == SIZE_MAX);
    CHECK(tl_multiply(SIZE_MAX / 2, 2, &product));
    CHECK(product == SIZE_MAX - 1);
    CHECK(!tl_multiply(SIZE_MAX / 2 + 1, 2, &product));
    CHECK(!tl_multiply(2, SIZE_MAX / 2 + 1, &product));
    CHECK(!tl_multiply(SIZE_MAX, SIZE_MAX, &product));
}

/* ---- the reader ---- */

static const trilo_rule too_short = {"TEST-SHORT", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};
static const trilo_rule odd = {"TEST-ODD", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};

/* 12 bytes: counts 3 (little-endian) and 0x01020304, then 2 as a big-endian number. */
static const uint8_t bytes12[12] = {3, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 2};

static tl_reader reader_of(const uint8_t *bytes, size_t size, trilo_error *err)
{
    return (tl_reader){.base = bytes, .size = size, .max_count = 1000, .truncated = &too_short, .err = err};
}

TEST(taking_moves_on)
{
    trilo_error err = {0};
    tl_reader r = reader_of(bytes12, 12, &err);
    CHECK(tl_reader_take(&r, "things", 2, 3) == bytes12);
    CHECK_INT(r.at, 6);
    CHECK(tl_reader_take(&r, "nothing", 0, 100) == bytes12 + 6);
    CHECK(tl_reader_take(&r, "nothing", 100, 0) == bytes12 + 6);
    CHECK(tl_reader_take(&r, "the rest", 6, 1) == bytes12 + 6);
    CHECK_INT(r.at, 12);
    CHECK(tl_reader_take(&r, "nothing at the end", 0, 1) == bytes12 + 12);
    CHECK(!r.failed);
    CHECK_INT(err.code, TRILO_CODE_OK);
}

TEST(taking_one_thing_too_long)
{
    trilo_error err = {0};
    tl_reader r = reader_of(bytes12, 12, &err);
    tl_path_push(&r.path, "meshes", 2);
    CHECK(tl_reader_take(&r, "head", 1, 7) != NULL);
    CHECK(tl_reader_take(&r, "vertex", 1, 6) == NULL);
    CHECK(r.failed);
    CHECK_INT(r.at, 7);
    CHECK_INT(err.code, TRILO_CODE_TRUNCATED);
    CHECK_STR(err.rule, "TEST-SHORT");
    CHECK_INT(err.offset, 7);
    CHECK_STR(err.path, "meshes[2]");
    CHECK_STR(err.text, "vertex takes 6 bytes, but the file ends after 5");
}

TEST(taking_many_things_too_long)
{
    trilo_error err = {0};
    tl_reader r = reader_of(bytes12, 12, &err);
    CHECK(tl_reader_take(&r, "head", 1, 2) != NULL);
    CHECK(tl_reader_take(&r, "indices", 3, 4) == NULL);
    CHECK_INT(err.code, TRILO_CODE_TRUNCATED);
    CHECK_INT(err.offset, 2);
    CHECK_STR(err.path, "");
    CHECK_STR(err.text, "3 indices of 4 bytes each, but the file ends after 10 bytes");
}

TEST(taking_sizes_that_would_wrap)
{
    trilo_error err = {0};
    tl_reader r = reader_of(bytes12, 12, &err);
    CHECK(tl_reader_take(&r, "things", SIZE_MAX / 2 + 1, 2) == NULL);
    CHECK_INT(err.code, TRILO_CODE_TRUNCATED);
    CHECK_INT(r.at, 0);
}

/* After the first failure nothing moves and nothing is said. */
TEST(the_first_failure_sticks)
{
    trilo_error err = {0};
    tl_reader r = reader_of(bytes12, 12, &err);
    CHECK(tl_reader_take(&r, "head", 1, 4) != NULL);
    CHECK(!tl_reader_fail(&r, TRILO_CODE_BAD_VALUE, &odd, 3, "first %d", 1));
    CHECK(r.failed);
    CHECK(!tl_reader_fail(&r, TRILO_CODE_LIMIT, &too_short, 5, "second"));
    CHECK(tl_reader_take(&r, "byte", 1, 1) == NULL);
    CHECK(tl_reader_take(&r, "nothing", 0, 0) == NULL);
    CHECK_INT(tl_reader_count(&r, "things", 1), 0);
    CHECK(!tl_reader_count_fits(&r, 0, "things", 0, 1));
    CHECK(!tl_reader_count_fits(&r, 0, "things", 5000, 1));
    CHECK_INT(r.at, 4);
    CHECK_INT(err.code, TRILO_CODE_BAD_VALUE);
    CHECK_STR(err.rule, "TEST-ODD");
    CHECK_INT(err.offset, 3);
    CHECK_STR(err.text, "first 1");
}

TEST(a_failure_carries_the_path)
{
    trilo_error err = {0};
    tl_reader r = reader_of(bytes12, 12, &err);
    tl_path_push(&r.path, "meshes", 0);
    tl_path_push(&r.path, "vertices", 17);
    tl_path_push(&r.path, "weights", TL_NO_INDEX);
    CHECK(!tl_reader_fail(&r, TRILO_CODE_BAD_REF, &odd, (uint64_t)1 << 40, "x"));
    CHECK_STR(err.path, "meshes[0].vertices[17].weights");
    CHECK(err.offset == (uint64_t)1 << 40);
    CHECK_INT(err.code, TRILO_CODE_BAD_REF);
}

/* Once, not twice: the backslash of an escape is text. */
TEST(control_bytes_of_a_message_are_escaped_once)
{
    trilo_error err = {0};
    tl_reader r = reader_of(bytes12, 12, &err);
    CHECK(!tl_reader_fail(&r, TRILO_CODE_BAD_VALUE, &odd, 0, "name \"%s\" at 100%%", "a\n\x1B[31m%s"));
    CHECK_STR(err.text, "name \"a\\x0A\\x1B[31m%s\" at 100%");
}

TEST(a_long_message_is_cut)
{
    trilo_error err = {0};
    char text[600];
    memset(text, 'm', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    tl_reader r = reader_of(bytes12, 12, &err);
    CHECK(!tl_reader_fail(&r, TRILO_CODE_BAD_VALUE, &odd, 0, "%s", text));
    CHECK(strlen(err.text) < sizeof err.text);
    CHECK(strlen(err.text) > sizeof err.text - 8);
    CHECK(memcmp(err.text, text, strlen(err.text)) == 0);
}

TEST(nobody_has_to_listen)
{
    tl_reader r = reader_of(bytes12, 12, NULL);
    CHECK(tl_reader_take(&r, "things", 13, 1) == NULL);
    CHECK(r.failed);
    CHECK(!tl_reader_fail(&r, TRILO_CODE_BAD_VALUE, &odd, 0, "again"));
}

/* ---- counts ---- */

TEST(counts_in_both_byte_orders)
{
    trilo_error err = {0};
    tl_reader r = reader_of(bytes12, 12, &err);
    CHECK_INT(tl_reader_count(&r, "things", 2), 3);
    CHECK_INT(r.at, 4);
    r = reader_of(bytes12 + 8, 4, &err);
    r.order = TL_BIG;
    CHECK_INT(tl_reader_count(&r, "things", 0), 2);
    CHECK(!r.failed);
}

/* 4 bytes of count, then 8: three things of 2 bytes fit, of 3 do not. */
TEST(a_count_must_fit_what_is_left)
{
    trilo_error err = {0};
    tl_reader r = reader_of(bytes12, 10, &err);
    CHECK_INT(tl_reader_count(&r, "things", 2), 3);
    CHECK(!r.failed);
    r = reader_of(bytes12, 10, &err);
    tl_path_push(&r.path, "list", TL_NO_INDEX);
    CHECK_INT(tl_reader_count(&r, "things", 3), 0);
    CHECK(r.failed);
    CHECK_INT(err.code, TRILO_CODE_TRUNCATED);
    CHECK_STR(err.rule, "TEST-SHORT");
    CHECK_INT(err.offset, 0); /* of the count itself */
    CHECK_STR(err.path, "list");
    CHECK_STR(err.text, "3 things take at least 9 bytes, but only 6 follow");
}

TEST(a_count_has_a_limit)
{
    trilo_error err = {0};
    tl_reader r = reader_of(bytes12, 12, &err);
    r.max_count = 3;
    CHECK_INT(tl_reader_count(&r, "things", 0), 3); /* the limit itself is allowed */
    CHECK(!r.failed);
    CHECK_INT(tl_reader_count(&r, "things", 0), 0);
    CHECK(r.failed);
    CHECK_INT(err.code, TRILO_CODE_LIMIT);
    CHECK_STR(err.rule, "FILE-LIMIT");
    CHECK_INT(err.offset, 4);
    CHECK_STR(err.text, "16909060 things, the limit is 3"); /* 0x01020304 */
}

TEST(a_count_may_be_cut_off)
{
    for (size_t size = 0; size < 4; size++) {
        trilo_error err = {0};
        tl_reader r = reader_of(bytes12, size, &err);
        CHECK_INT(tl_reader_count(&r, "things", 0), 0);
        CHECK(r.failed);
        CHECK_INT(r.at, 0);
        CHECK_INT(err.code, TRILO_CODE_TRUNCATED);
        CHECK_INT(err.offset, 0);
    }
}

/* The largest count times the largest size must not wrap into something small. */
TEST(a_count_cannot_wrap)
{
    trilo_error err = {0};
    tl_reader r = reader_of(bytes12, 12, &err);
    r.max_count = UINT32_MAX;
    CHECK(!tl_reader_count_fits(&r, 0, "things", UINT32_MAX, SIZE_MAX));
    CHECK_INT(err.code, TRILO_CODE_TRUNCATED);
    r = reader_of(bytes12, 12, &err);
    r.max_count = UINT32_MAX;
    CHECK(!tl_reader_count_fits(&r, 0, "things", 1u << 31, SIZE_MAX / (1u << 31) + 1));
    CHECK_INT(err.code, TRILO_CODE_TRUNCATED);
}

TEST(a_count_of_a_record)
{
    trilo_error err = {0};
    tl_reader r = reader_of(bytes12, 12, &err);
    CHECK(tl_reader_take(&r, "head", 1, 8) != NULL);
    CHECK(tl_reader_count_fits(&r, 4, "things", 2, 2));
    CHECK(tl_reader_count_fits(&r, 4, "things", 0, 100));
    CHECK_INT(r.at, 8); /* it only looks */
    CHECK(!tl_reader_count_fits(&r, 4, "things", 3, 2));
    CHECK_INT(err.offset, 4);
    CHECK_STR(err.text, "3 things take at least 6 bytes, but only 4 follow");
}

TEST_MAIN(CASE(fits_like_plain_arithmetic), CASE(fits_at_the_extremes), CASE(products_are_checked),
          CASE(taking_moves_on), CASE(taking_one_thing_too_long), CASE(taking_many_things_too_long),
          CASE(taking_sizes_that_would_wrap), CASE(the_first_failure_sticks), CASE(a_failure_carries_the_path),
          CASE(control_bytes_of_a_message_are_escaped_once), CASE(a_long_message_is_cut), CASE(nobody_has_to_listen),
          CASE(counts_in_both_byte_orders), CASE(a_count_must_fit_what_is_left), CASE(a_count_has_a_limit),
          CASE(a_count_may_be_cut_off), CASE(a_count_cannot_wrap), CASE(a_count_of_a_record))

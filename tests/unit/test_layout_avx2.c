/* Records that are loaded 16 bytes at once: which ones are, and that the bytes are those of the plain way. */
#include "base/avx2.h"
#include "harness.h"
#include "layout/layout.h"
#include "layout/layout_avx2.h"

#include <string.h>

#if TL_AVX2

/* Rows where the struct has them too: 32 bytes of numbers of every width, of which tables take a part. */
typedef struct wide {
    uint8_t bytes[4];
    int16_t shorts[2];
    uint32_t word;
    float real;
    uint64_t large;
    uint16_t pair[2];
    int32_t last;
    uint32_t beyond;
} wide;

#define ROW(member, kind) TL_PLAIN_ROW(wide, member, kind, offsetof(wide, member), "")
static const tl_field wide_rows[] = {ROW(bytes, TL_U8),  ROW(shorts, TL_S16), ROW(word, TL_U32), ROW(real, TL_F32),
                                     ROW(large, TL_U64), ROW(pair, TL_U16),   ROW(last, TL_S32), ROW(beyond, TL_U32)};
/* Of version 1 alone, and then in another place. */
static const tl_field odd_rows[] = {ROW(bytes, TL_U8), ROW(shorts, TL_S16), ROW(word, TL_U32),
                                    TL_ROW(wide, real, TL_F32, 12, 2, 0, 0, 0, NULL, ""),
                                    TL_ROW(wide, last, TL_S32, 12, 0, 1, 0, 0, NULL, "")};

enum { COUNT = 3 };

static bool loads(const tl_layout *layout, unsigned version)
{
    uint8_t bytes[COUNT * sizeof(wide)];
    wide plain[COUNT], got[COUNT];
    const size_t size = tl_layout_size(layout, version);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(1 + 7 * i);
    memset(plain, 0xEE, sizeof plain);
    memset(got, 0xEE, sizeof got);
    const bool done = tl_records_load_avx2(&(tl_records){layout, version, bytes, COUNT}, got, sizeof *got);
    for (size_t i = 0; done && i < COUNT; i++)
        tl_layout_load(layout, version, bytes + i * size, &plain[i]);
    CHECK(memcmp(got, plain, sizeof got) == 0);
    return done;
}

/* The first n rows make records of 4 to 40 bytes; 16 to 32 fit, but a number across the end of a block does not. */
TEST(records_of_16_to_32_bytes)
{
    static const bool fits[] = {false, false, false, true, true, true, true, false};
    static const size_t sizes[] = {4, 8, 12, 16, 24, 28, 32, 36};
    if (!tl_has_avx2())
        SKIP("there is no AVX2");
    for (size_t n = 1; n <= 8; n++)
        for (int big = 0; big < 2; big++) {
            const tl_layout layout = {"wide", "", big ? TL_BIG : TL_LITTLE, wide_rows, n};
            CHECK_INT(tl_layout_size(&layout, 0), sizes[n - 1]);
            CHECK_INT(loads(&layout, 0), fits[n - 1]);
        }
}

TEST(rows_of_other_versions_do_not_count)
{
    const tl_layout layout = {"odd", "", TL_BIG, odd_rows, 5};
    if (!tl_has_avx2())
        SKIP("there is no AVX2");
    CHECK(loads(&layout, 2));
    CHECK(!loads(&layout, 1)); /* `last` is elsewhere in the struct */
}

TEST_MAIN(CASE(records_of_16_to_32_bytes), CASE(rows_of_other_versions_do_not_count))

#else

TEST(records_of_16_to_32_bytes)
{
    SKIP("there is no AVX2");
}

TEST_MAIN(CASE(records_of_16_to_32_bytes))

#endif

/* Texel formats against libdragon's tex_format_t (surface.h), formats in paths against mksprite, and what fits TMEM by
 * the rules in docs/cost.md. */
#include "harness.h"
#include "layout/layout.h"
#include "n64/texels.h"

typedef struct texels_row {
    trilo_texels texels;
    const char *name;
    uint32_t number, bits, colors, color_bits, alpha_bits;
    bool grey, split;
} texels_row;

static const texels_row texels_rows[] = {
    {TRILO_TEXELS_RGBA16, "RGBA16", 2, 16, 0, 5, 1, false, false},
    {TRILO_TEXELS_RGBA32, "RGBA32", 3, 32, 0, 8, 8, false, true},
    {TRILO_TEXELS_YUV16, "YUV16", 6, 16, 0, 8, 8, false, true},
    {TRILO_TEXELS_CI4, "CI4", 8, 4, 16, 5, 1, false, false},
    {TRILO_TEXELS_CI8, "CI8", 9, 8, 256, 5, 1, false, false},
    {TRILO_TEXELS_IA4, "IA4", 12, 4, 0, 3, 1, true, false},
    {TRILO_TEXELS_IA8, "IA8", 13, 8, 0, 4, 4, true, false},
    {TRILO_TEXELS_IA16, "IA16", 14, 16, 0, 8, 8, true, false},
    {TRILO_TEXELS_I4, "I4", 16, 4, 0, 4, 0, true, false},
    {TRILO_TEXELS_I8, "I8", 17, 8, 0, 8, 0, true, false},
};

enum { FORMATS = sizeof texels_rows / sizeof *texels_rows };

TEST(every_format)
{
    uint32_t known = 0;
    for (int i = 0; i < FORMATS; i++) {
        const texels_row *row = &texels_rows[i];
        const tl_texel_format *got = tl_texel_format_of(row->texels);
        CHECK_STR(trilo_texels_name(row->texels), row->name);
        CHECK_INT(got->bits, row->bits);
        CHECK_INT(got->colors, row->colors);
        CHECK_INT(got->color_bits, row->color_bits);
        CHECK_INT(got->alpha_bits, row->alpha_bits);
        CHECK_INT(got->grey, row->grey);
        CHECK_INT(got->split, row->split);
        CHECK_INT(tl_texels_numbered(row->number), row->texels);
        known |= 1u << row->number;
    }
    for (uint32_t number = 0; number < 64; number++)
        if (number >= 32 || !(known >> number & 1))
            CHECK_INT(tl_texels_numbered(number), TRILO_TEXELS_UNKNOWN);
    CHECK_STR(trilo_texels_name(TRILO_TEXELS_UNKNOWN), "unknown");
    CHECK_STR(trilo_texels_name((trilo_texels)99), "unknown");
    CHECK_INT(tl_texel_format_of(TRILO_TEXELS_UNKNOWN)->color_bits, 8);
    CHECK_INT(tl_texel_format_of(TRILO_TEXELS_UNKNOWN)->alpha_bits, 8);
}

/* Rows are whole bytes in files, multiples of 8 in TMEM; what is split has half of a row in either half. */
TEST(every_pitch)
{
    for (int i = 0; i < FORMATS; i++)
        for (uint32_t width = 0; width <= 1024; width++) {
            const texels_row *row = &texels_rows[i];
            const uint32_t bits = width * row->bits, bytes = bits / 8 + (bits % 8 > 0);
            const uint32_t here = row->split ? bytes / 2 : bytes, pitch = here % 8 ? here - here % 8 + 8 : here;
            CHECK_INT(tl_texels_row_bytes(row->texels, width), bytes);
            CHECK_INT(tl_tmem_pitch(row->texels, width), pitch);
        }
}

/* The largest that fit, what their rows round up to, and one row more. */
TEST(what_fits)
{
    static const struct {
        trilo_texels texels;
        uint32_t width, height, used, limit, palette;
        bool one_more_fits;
    } cases[] = {
        {TRILO_TEXELS_I4, 128, 64, 4096, 4096, 0, false},
        {TRILO_TEXELS_I4, 64, 128, 4096, 4096, 0, false},
        {TRILO_TEXELS_IA4, 90, 85, 48 * 85, 4096, 0, false},
        {TRILO_TEXELS_I8, 64, 64, 4096, 4096, 0, false},
        {TRILO_TEXELS_IA8, 128, 32, 4096, 4096, 0, false},
        {TRILO_TEXELS_RGBA16, 64, 32, 4096, 4096, 0, false},
        {TRILO_TEXELS_RGBA16, 44, 44, 88 * 44, 4096, 0, true},
        {TRILO_TEXELS_IA16, 64, 32, 4096, 4096, 0, false},
        {TRILO_TEXELS_IA16, 3, 2, 16, 4096, 0, true},
        {TRILO_TEXELS_RGBA32, 32, 32, 4096, 4096, 0, false},
        {TRILO_TEXELS_YUV16, 64, 32, 4096, 4096, 0, false},
        {TRILO_TEXELS_CI4, 64, 64, 2048, 2048, 16 * 8, false},
        {TRILO_TEXELS_CI8, 64, 32, 2048, 2048, 256 * 8, false},
        {TRILO_TEXELS_CI8, 43, 42, 48 * 42, 2048, 256 * 8, false},
        {TRILO_TEXELS_UNKNOWN, 64, 64, 0, 4096, 0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tl_tmem tmem = {0}, more = {0};
        tl_tmem_add(&tmem, cases[i].texels, cases[i].width, cases[i].height);
        tl_tmem_add(&more, cases[i].texels, cases[i].width, cases[i].height + 1);
        CHECK_INT(tl_tmem_used(&tmem), cases[i].used);
        CHECK_INT(tl_tmem_limit(&tmem), cases[i].limit);
        CHECK_INT(tmem.palette, cases[i].palette);
        CHECK(tl_tmem_fits(&tmem));
        CHECK_INT(tl_tmem_fits(&more), cases[i].one_more_fits);
    }
}

/* All images share TMEM: the sum is at most 4096, or 2048 as soon as one has a palette, and 2048 in each half when one
 * is split. */
TEST(several_images)
{
    static const struct {
        trilo_texels texels[2];
        uint32_t heights[2]; /* of rows of 64 bytes in TMEM, or in its half */
        uint32_t used, limit;
    } cases[] = {
        {{TRILO_TEXELS_I8, TRILO_TEXELS_IA8}, {32, 32}, 4096, 4096},
        {{TRILO_TEXELS_I8, TRILO_TEXELS_IA8}, {32, 33}, 4160, 4096},
        {{TRILO_TEXELS_I8, TRILO_TEXELS_CI8}, {16, 16}, 2048, 2048},
        {{TRILO_TEXELS_CI8, TRILO_TEXELS_I8}, {16, 17}, 2112, 2048},
        {{TRILO_TEXELS_RGBA32, TRILO_TEXELS_I8}, {16, 16}, 4096, 4096},
        {{TRILO_TEXELS_I8, TRILO_TEXELS_RGBA32}, {16, 17}, 4224, 4096},
        {{TRILO_TEXELS_RGBA32, TRILO_TEXELS_CI8}, {16, 16}, 2048, 2048},
        {{TRILO_TEXELS_CI8, TRILO_TEXELS_RGBA32}, {16, 17}, 2112, 2048},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tl_tmem sum = {0}, second = {0};
        for (int k = 0; k < 2; k++)
            tl_tmem_add(k == 0 ? &sum : &second, cases[i].texels[k],
                        cases[i].texels[k] == TRILO_TEXELS_RGBA32 ? 32 : 64, cases[i].heights[k]);
        tl_tmem_add_all(&sum, &second);
        CHECK_INT(tl_tmem_used(&sum), cases[i].used);
        CHECK_INT(tl_tmem_limit(&sum), cases[i].limit);
    }
    tl_tmem huge = {0};
    for (int i = 0; i < 4; i++)
        tl_tmem_add(&huge, TRILO_TEXELS_RGBA32, UINT32_MAX, UINT32_MAX);
    CHECK(!tl_tmem_fits(&huge));
}

TEST(paths_name_formats)
{
    static const struct {
        const char *path;
        trilo_texels texels;
    } cases[] = {
        {"rom:/foo.i8.sprite", TRILO_TEXELS_I8},
        {"foo.i8.png", TRILO_TEXELS_I8},
        {"rom:/a.ci4.b.sprite", TRILO_TEXELS_CI4},
        {"rom:/A.RGBA32.sprite", TRILO_TEXELS_RGBA32},
        {"rom:/wall.rgba32.v2.sprite", TRILO_TEXELS_RGBA32},
        {"rom:/wall.rGbA16.sprite", TRILO_TEXELS_RGBA16},
        {"rom:/ChestTex_ci4.sprite", TRILO_TEXELS_UNKNOWN},
        {"rom:/foo.sprite", TRILO_TEXELS_UNKNOWN},
        {"rom:/x.ia16.ci8.sprite", TRILO_TEXELS_IA16},
        {"rom:/x.yuv16.sprite", TRILO_TEXELS_UNKNOWN},
        {"rom:/x.ihq.ci4.sprite", TRILO_TEXELS_UNKNOWN},
        {"rom:/x.shq.ci4.sprite", TRILO_TEXELS_UNKNOWN},
        {"rom:/x.zbuf.ci4.sprite", TRILO_TEXELS_UNKNOWN},
        {"rom:/x.ci4.ihq.sprite", TRILO_TEXELS_CI4},
        {"rom:/x.ci4/y.sprite", TRILO_TEXELS_UNKNOWN},
        {"rom:/x.ci4.d/y.sprite", TRILO_TEXELS_CI4}, /* folders count, too */
        {"rom:/x.ci44.sprite", TRILO_TEXELS_UNKNOWN},
        {"rom:/x.ci.sprite", TRILO_TEXELS_UNKNOWN},
        {"rom:/x.zi4.sprite", TRILO_TEXELS_UNKNOWN},
        {"", TRILO_TEXELS_UNKNOWN},
        {"i4", TRILO_TEXELS_I4},
        {"..", TRILO_TEXELS_UNKNOWN},
        {"..ia4", TRILO_TEXELS_IA4},
    };
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++)
        if (trilo_texels_from_path(cases[i].path) != cases[i].texels)
            FAIL("%s: %s", cases[i].path, trilo_texels_name(trilo_texels_from_path(cases[i].path)));
    for (int i = 0; i < FORMATS; i++)
        if (texels_rows[i].texels != TRILO_TEXELS_YUV16)
            CHECK_INT(trilo_texels_from_path(texels_rows[i].name), texels_rows[i].texels);
}

TEST_MAIN(CASE(every_format), CASE(every_pitch), CASE(what_fits), CASE(several_images), CASE(paths_name_formats))

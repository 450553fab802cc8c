/* Vertices of Model files: whether their bytes are colours or normals, and what the check says about the blocks of
 * frames, against a plain check. */
#include "formats/model64/model64.h"
#include "harness.h"
#include "support/findings.h"
#include "support/numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint32_t below(uint64_t *dice, uint32_t limit)
{
    return (uint32_t)(random_bits(dice) >> 32) % limit;
}

/* --- colours or normals --- */

static trilo_model64_colors colors_of(const uint8_t (*vertices)[16], uint32_t count)
{
    const model64_file file = {.vertex_count = count, .default_block = vertices[0]};
    return tl_model64_colors(&file);
}

/* Three signed bytes whose squares add up to that. */
static bool find_bytes(int sum, uint8_t out[3])
{
    for (int x = -128; x < 128; x++)
        for (int y = x; y < 128 && x * x + y * y <= sum; y++)
            for (int z = y; z < 128 && x * x + y * y + z * z <= sum; z++)
                if (x * x + y * y + z * z == sum) {
                    out[0] = (uint8_t)z, out[1] = (uint8_t)x, out[2] = (uint8_t)y;
                    return true;
                }
    return false;
}

/* A normal has a length of 100 to 156. */
TEST(lengths_of_normals)
{
    static const int sums[] = {10000, 9998, 10001, 24336, 24337, 24334, 3 * 128 * 128};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        uint8_t v[1][16] = {{0}};
        CHECK(find_bytes(sums[i], v[0] + 12));
        CHECK_INT(colors_of((const uint8_t(*)[16])v, 1),
                  sums[i] >= 10000 && sums[i] <= 24336 ? TRILO_MODEL64_COLORS_NORMALS : TRILO_MODEL64_COLORS_RGBA);
    }
}

/* Normals decide when they are half of the vertices and no vertex has an alpha. */
TEST(half_of_the_vertices_decide)
{
    for (uint32_t count = 1; count <= 9; count++)
        for (uint32_t normals = 0; normals <= count; normals++)
            for (uint32_t alpha = 0; alpha <= count; alpha++) {
                uint8_t v[9][16] = {{0}};
                for (uint32_t i = 0; i < count; i++) {
                    v[i][12 + i % 3] = i < normals ? 0x81 : 1;
                    v[i][15] = i + 1 == alpha ? 255 : 0;
                }
                CHECK_INT(colors_of((const uint8_t(*)[16])v, count), alpha == 0 && 2 * normals >= count
                                                                         ? TRILO_MODEL64_COLORS_NORMALS
                                                                         : TRILO_MODEL64_COLORS_RGBA);
            }
    for (int byte = 12; byte < 16; byte++) { /* one byte of the last vertex is enough to have colours */
        uint8_t v[5][16] = {{1, 2, 3}};
        CHECK_INT(colors_of((const uint8_t(*)[16])v, 5), TRILO_MODEL64_COLORS_NONE);
        v[4][byte] = 1;
        CHECK_INT(colors_of((const uint8_t(*)[16])v, 5), TRILO_MODEL64_COLORS_RGBA);
    }
    CHECK_INT(tl_model64_colors(&(model64_file){.vertex_count = 3}), TRILO_MODEL64_COLORS_NONE);
}

/* --- blocks --- */

enum { VERTICES = 3, BLOCK = 16 * VERTICES, BLOCKS = 6, BYTES = BLOCK * (BLOCKS + 1) };

typedef struct count {
    uint32_t count, first;
} count;

static void note(count *c, bool is, uint32_t at)
{
    if (is && c->count++ == 0)
        c->first = at;
}

static void tell(listener *l, const char *rule, const count *c, const char *format, uint32_t all)
{
    if (c->count == 0)
        return;
    snprintf(l->rules[l->count], sizeof l->rules[0], "%s", rule);
    snprintf(l->texts[l->count], sizeof l->texts[0], "%s in %u of %u blocks", format, (unsigned)c->count,
             (unsigned)all);
    l->offsets[l->count++] = 500 + c->first;
}

/* Vertices are x y z flag s t, of two bytes each, and four bytes of colour or normal. */
static void check_plainly(const uint8_t *bytes, const uint32_t *at, uint32_t rows, const uint8_t *base, bool normals,
                          listener *l)
{
    uint32_t kept[BLOCKS], n = 0, end = 0;
    count overlaps = {0}, changes = {0}, flags = {0}, zeros = {0}, equal = {0};
    bool zero_base = true;
    for (int i = 0; i < VERTICES; i++)
        for (int k = 0; k < 6; k++)
            zero_base = zero_base && base[16 * i + k] == 0;
    for (uint32_t i = 0; i < rows; i++)
        if (at[i] >= end) {
            kept[n++] = at[i];
            end = at[i] + BLOCK;
        } else
            note(&overlaps, true, at[i]);
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *block = bytes + kept[i];
        bool change = false, flag = false, zero = true, repeats = false;
        for (int v = 0; v < VERTICES; v++)
            for (int k = 0; k < 16; k++) {
                const uint8_t b = block[16 * v + k], d = base[16 * v + k];
                zero = zero && (k >= 6 || b == 0);
                flag = flag || ((k == 6 || k == 7) && b != 0);
                change = change || (k >= 8 && k < (normals ? 12 : 16) && b != d);
            }
        for (uint32_t k = 0; k < i; k++)
            repeats = repeats || memcmp(block, bytes + kept[k], BLOCK) == 0;
        note(&changes, change, kept[i]);
        note(&flags, flag, kept[i]);
        note(&zeros, zero && !zero_base, kept[i]);
        note(&equal, repeats, kept[i]);
    }
    *l = (listener){.count = 0};
    if (overlaps.count > 0) {
        snprintf(l->rules[0], sizeof l->rules[0], "M64-FRAME-OVERLAP");
        snprintf(l->texts[0], sizeof l->texts[0], "%u blocks overlap the previous one", (unsigned)overlaps.count);
        l->offsets[l->count++] = 500 + overlaps.first;
    }
    tell(l, "M64-FRAME-CHANGES", &changes, "texture coordinates or colours differ from the default vertices", n);
    tell(l, "M64-FLAG", &flags, "flags that are not 0", n);
    tell(l, "M64-ZERO-FRAME", &zeros, "all vertices on the origin", n);
    if (equal.count > 0) {
        snprintf(l->rules[l->count], sizeof l->rules[0], "M64-EQUAL-FRAMES");
        snprintf(l->texts[l->count], sizeof l->texts[0], "%u of %u blocks repeat another one: %u bytes could be saved",
                 (unsigned)equal.count, (unsigned)n, (unsigned)(equal.count * BLOCK));
        l->offsets[l->count++] = 500 + equal.first;
    }
}

/* Few values, so that blocks are equal, and mostly those of the default block. */
static void fill_block(uint64_t *dice, const uint8_t *base, uint8_t *out)
{
    const uint32_t kind = below(dice, 5);
    memcpy(out, base, BLOCK);
    for (int v = 0; v < VERTICES; v++)
        for (int k = 0; k < 6 && kind > 0; k++)
            out[16 * v + k] = (uint8_t)(kind == 1 ? 0 : 3 + kind);
    if (below(dice, 3) == 0)
        out[below(dice, BLOCK)] ^= (uint8_t)(1u << below(dice, 8));
}

TEST(blocks_at_random)
{
    uint64_t dice = 3;
    uint32_t seen[5] = {0};
    for (uint32_t round = 0; round < test_rounds(20000, TEST_SLOW ? 200 : 1500); round++) {
        uint8_t bytes[BYTES], base[BLOCK];
        uint32_t at[BLOCKS], next = below(&dice, 3) * 8;
        const uint32_t rows = 1 + below(&dice, BLOCKS);
        const bool normals = round % 2;
        for (int i = 0; i < BLOCK; i++)
            base[i] = (uint8_t)(i % 16 == 6 || i % 16 == 7 || (round % 7 == 0 && i % 16 < 6) ? 0 : 1 + i);
        memset(bytes, 0, sizeof bytes);
        for (uint32_t i = 0; i < rows; i++) {
            at[i] = next;
            if (next + BLOCK <= BYTES)
                fill_block(&dice, base, bytes + next);
            next += below(&dice, 6) == 0 ? 16 : BLOCK;
        }
        const model64_file file = {.opts.colors = normals ? TRILO_MODEL64_COLORS_NORMALS : TRILO_MODEL64_COLORS_RGBA,
                                   .header.vertex_at = 500,
                                   .vertices = {bytes, sizeof bytes},
                                   .head.frame_size = BLOCK,
                                   .vertex_count = VERTICES,
                                   .default_block = base,
                                   .block_count = rows,
                                   .blocks = at};
        static const char *const rules[] = {"M64-FRAME-OVERLAP", "M64-FRAME-CHANGES", "M64-FLAG", "M64-ZERO-FRAME",
                                            "M64-EQUAL-FRAMES"};
        listener want, got = {.count = 0};
        tl_report report = {.fn = listen, .user = &got};
        tl_arena arena;
        check_plainly(bytes, at, rows, base, normals, &want);
        tl_arena_init(&arena, NULL);
        tl_model64_check_blocks(&file, &arena, &report);
        tl_arena_free(&arena);
        CHECK_INT(got.count, want.count);
        for (size_t i = 0; i < want.count; i++) {
            CHECK_STR(got.rules[i], want.rules[i]);
            CHECK_STR(got.texts[i], want.texts[i]);
            CHECK_INT(got.offsets[i], want.offsets[i]);
            for (int k = 0; k < 5; k++)
                seen[k] += strcmp(rules[k], want.rules[i]) == 0;
        }
    }
    for (int k = 0; k < 5; k++)
        CHECK(seen[k] > 0);
}

TEST_MAIN(CASE(lengths_of_normals), CASE(half_of_the_vertices_decide), CASE(blocks_at_random))

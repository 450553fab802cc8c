/* Scans strips of versions 3 and 4 eight indices at a time, as they lie in the file: flags and equal slots can be seen
 * without swapping bytes. */
#include "formats/t3dm/decode/strip_scan.h"

#include "base/lanes.h"

t3dm_strip_facts tl_t3dm_scan_indices(uint32_t version, const t3dm_strip *strip)
{
    t3dm_strip_facts f = {0, 0, 0, true};
    uint32_t slots[3] = {0}; /* this one, and those before it */
    bool flags[3] = {false};
    for (uint32_t k = 0; k < strip->count; k++) {
        slots[2] = slots[1], slots[1] = slots[0];
        flags[2] = flags[1], flags[1] = flags[0];
        slots[0] = t3dm_strip_slot(version, strip, k, &flags[0]);
        f.highest = slots[0] > f.highest ? slots[0] : f.highest;
        if (k == 0)
            flags[0] = false; /* it starts a strip anyway */
        f.restarts += flags[0];
        f.fine = f.fine && !(flags[0] && (k < 3 || k + 2 >= strip->count || flags[1] || flags[2]));
        f.degenerate +=
            k > 1 && !flags[0] && !flags[1] && (slots[0] == slots[1] || slots[1] == slots[2] || slots[2] == slots[0]);
    }
    return f;
}

enum { STRIP_LANES = 8, SCAN_WINDOW = 2 * (STRIP_LANES + 2) /* bytes of eight triangles */ };

/* Numbers as the machine loads them from the file: the flag, and the bits of slots below 128. Other bits are those of
 * slots that no cache has. */
#define SCAN_FLAG_AT (tl_order_is_host(TL_BIG) ? 15 : 7)
#define SCAN_SLOT_AT (tl_order_is_host(TL_BIG) ? 0 : 8)
#define SCAN_FLAG    ((uint16_t)(1u << SCAN_FLAG_AT))
#define SCAN_SLOT    ((uint16_t)(0x7Fu << SCAN_SLOT_AT))

/* Of what was scanned so far, in each lane. */
typedef struct strip_lanes {
    tl_word8 bits;     /* of all indices */
    tl_word8 too_near; /* flags with another one at the index before, or at the one before that */
    tl_word8 restarts, highest;
    tl_mask8 degenerate; /* negative */
} strip_lanes;

/* The eight indices after the first two at `at`, as the last corners of triangles; those outside of `mask` do not
 * count. A triangle ends at an index unless a strip starts there or at the index before. */
static inline strip_lanes strip_scan_eight(strip_lanes s, const uint8_t *at, tl_word8 mask)
{
    const tl_word8 a = tl_word8_load(at), b = tl_word8_load(at + 2), c = tl_word8_load(at + 4) & mask;
    const tl_word8 x = a & (uint16_t)~SCAN_FLAG, y = b & (uint16_t)~SCAN_FLAG, z = c & (uint16_t)~SCAN_FLAG;
    const tl_word8 flags = c & SCAN_FLAG;
    const tl_mask8 equal = (x == y) | (y == z) | (z == x), ends = ((b | c) & SCAN_FLAG) == 0;
    s.bits |= c;
    s.too_near |= flags & (a | b);
    s.restarts += flags >> SCAN_FLAG_AT;
    s.degenerate += equal & ends & (tl_mask8)mask;
    s.highest = tl_word8_max(s.highest, z);
    return s;
}

/* The rest of a strip, fewer than eight. Bytes after it are read only up to `end`. */
static inline strip_lanes strip_scan_rest(strip_lanes s, const uint8_t *at, uint32_t left, const uint8_t *end)
{
    static const uint16_t masks[2 * STRIP_LANES] = {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF};
    uint8_t copy[SCAN_WINDOW];
    if (end - at < SCAN_WINDOW) {
        memset(copy, 0, sizeof copy);
        at = memcpy(copy, at, 2 * (size_t)(left + 2));
    }
    return strip_scan_eight(s, at, tl_word8_load(masks + STRIP_LANES - left));
}

static inline bool strip_any(tl_word8 lanes, uint16_t bits)
{
    uint64_t four[2];
    memcpy(four, &lanes, sizeof four);
    return ((four[0] | four[1]) & bits * (UINT64_MAX / UINT16_MAX)) != 0;
}

/* Below 2^16: the uppermost of the four sums that the product is made of. */
static inline uint32_t strip_sum(tl_word8 lanes)
{
    uint64_t four[2];
    memcpy(four, &lanes, sizeof four);
    return (uint32_t)((four[0] + four[1]) * (UINT64_MAX / UINT16_MAX) >> 48);
}

static inline uint32_t strip_highest(tl_word8 lanes)
{
    uint16_t slots[STRIP_LANES], highest = 0;
    memcpy(slots, &lanes, sizeof slots);
    for (int i = 0; i < STRIP_LANES; i++)
        highest = slots[i] > highest ? slots[i] : highest;
    return (uint32_t)highest >> SCAN_SLOT_AT;
}

bool tl_t3dm_scan_lanes(const t3dm_strip *strip, const uint8_t *end, t3dm_strip_facts *facts)
{
    const uint8_t *first = strip->bytes, *at = first, *last = first + 2 * (size_t)(strip->count - 1);
    uint32_t left = strip->count - 2;
    strip_lanes s = {{0}, {0}, {0}, {0}, {0}};
    memcpy(&s.bits, first, 2 * sizeof(uint16_t)); /* the first two are not last corners */
    s.highest = s.bits & SCAN_SLOT;
    for (; left >= STRIP_LANES; left -= STRIP_LANES, at += 2 * STRIP_LANES)
        s = strip_scan_eight(s, at, ~(tl_word8){0});
    if (left > 0)
        s = strip_scan_rest(s, at, left, end);
    if (strip_any(s.bits, (uint16_t) ~(SCAN_FLAG | SCAN_SLOT)))
        return false;
    /* Flags of the second and third index, and of the last two. */
    const bool odd_flag = ((first[2] | first[4] | last[-2] | last[0]) & 0x80) != 0;
    const uint32_t sums = strip_sum(s.restarts - ((tl_word8)s.degenerate << 8)); /* both are below 2^8 */
    *facts = (t3dm_strip_facts){strip_highest(s.highest), sums & 0xFF, sums >> 8,
                                !odd_flag && !strip_any(s.too_near, SCAN_FLAG)};
    return true;
}

t3dm_strip_facts tl_t3dm_scan_strip(uint32_t version, const t3dm_strip *strip, const uint8_t *end)
{
    t3dm_strip_facts facts;
#if TL_AVX2
    if (tl_has_avx2() && version >= T3DM_V3 && tl_t3dm_scan_avx2(strip, end, &facts))
        return facts;
#endif
    if (version >= T3DM_V3 && tl_t3dm_scan_lanes(strip, end, &facts))
        return facts;
    return tl_t3dm_scan_indices(version, strip);
}

/* --- all strips of a part --- */

/* Slots are marked by the top bits of bytes, which are quicker to set than bits of a word. */
enum { SUM_MARKS = 128 };

static t3dm_slot_set strip_marked(const uint8_t marks[SUM_MARKS])
{
    t3dm_slot_set set = {{0, 0}};
    for (uint32_t k = 0; k < SUM_MARKS; k += 16)
        set.words[k / 64] |= (uint64_t)tl_top_bits16(marks + k) << k % 64;
    return set;
}

bool tl_t3dm_sum_lanes(const t3dm_strip *strips, const uint8_t *limits, uint32_t count, const uint8_t *end,
                       t3dm_strips_sum *sum)
{
    uint64_t marks[SUM_MARKS / 8];
    uint32_t highest = 0;
    for (size_t i = 0; i < SUM_MARKS / 8; i++) /* memset may become a string instruction, slow to start */
        marks[i] = 0;
    *sum = (t3dm_strips_sum){.restarts = 0};
    for (uint32_t i = count; i-- > 0;) {
        t3dm_strip_facts facts;
        if (!tl_t3dm_scan_lanes(&strips[i], end, &facts) || !facts.fine)
            return false;
        highest = facts.highest > highest ? facts.highest : highest;
        if (highest > limits[i])
            return false;
        t3dm_mark_slots(&strips[i], (uint8_t *)marks);
        sum->restarts += facts.restarts;
        sum->degenerate += facts.degenerate;
    }
    sum->slots = strip_marked((const uint8_t *)marks);
    return true;
}

bool tl_t3dm_sum_strips(const t3dm_strip *strips, const uint8_t *limits, uint32_t count, const uint8_t *end,
                        t3dm_strips_sum *sum)
{
#if TL_AVX2
    if (tl_has_avx2())
        return tl_t3dm_sum_avx2(strips, limits, count, end, sum);
#endif
    return tl_t3dm_sum_lanes(strips, limits, count, end, sum);
}

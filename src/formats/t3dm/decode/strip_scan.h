/* strip_scan.h: what a check must know about a strip, found in one pass over its bytes. */
#ifndef TL_FORMATS_T3DM_DECODE_STRIP_SCAN_H
#define TL_FORMATS_T3DM_DECODE_STRIP_SCAN_H

#include "base/avx2.h"
#include "formats/t3dm/t3dm.h"

typedef struct t3dm_strip_facts {
    uint32_t highest;    /* slot, of 15 bits */
    uint32_t restarts;   /* after the first index, where a flag has no meaning */
    uint32_t degenerate; /* triangles that use a slot twice */
    bool fine;           /* flags are only where three indices come before and after; otherwise both numbers are
                          * undefined */
} t3dm_strip_facts;

/* Strips of 3 indices or more. `end` is that of the bytes that may be read, not before the end of the strip. */
t3dm_strip_facts tl_t3dm_scan_strip(uint32_t version, const t3dm_strip *strip, const uint8_t *end);
/* The same index by index. */
t3dm_strip_facts tl_t3dm_scan_indices(uint32_t version, const t3dm_strip *strip);
/* The same of versions 3 and 4, by vectors; false where there are slots above 127. */
bool tl_t3dm_scan_lanes(const t3dm_strip *strip, const uint8_t *end, t3dm_strip_facts *facts);
#if TL_AVX2
bool tl_t3dm_scan_avx2(const t3dm_strip *strip, const uint8_t *end, t3dm_strip_facts *facts);
#endif

/* What the strips of a part draw together. */
typedef struct t3dm_strips_sum {
    t3dm_slot_set slots;
    uint32_t restarts, degenerate;
} t3dm_strips_sum;

/* Sums up one to four strips of versions 3 and 4. False if one is not fine, or if it or one after it uses a slot above
 * its `limits`, which are below 96; the sum is then undefined. */
bool tl_t3dm_sum_strips(const t3dm_strip *strips, const uint8_t *limits, uint32_t count, const uint8_t *end,
                        t3dm_strips_sum *sum);
/* The same for every machine. */
bool tl_t3dm_sum_lanes(const t3dm_strip *strips, const uint8_t *limits, uint32_t count, const uint8_t *end,
                       t3dm_strips_sum *sum);
#if TL_AVX2
bool tl_t3dm_sum_avx2(const t3dm_strip *strips, const uint8_t *limits, uint32_t count, const uint8_t *end,
                      t3dm_strips_sum *sum);
#endif

enum { T3DM_MARK = 0x80 };

/* Marks the bytes of all slots of a strip of versions 3 and 4, eight at a time. Slots are the second bytes of indices.
 */
static inline void t3dm_mark_slots(const t3dm_strip *strip, uint8_t *marks)
{
    const uint8_t *slot = strip->bytes + 1, *const end = slot + 2 * (size_t)strip->count;
    for (; end - slot >= 16; slot += 16) {
        marks[slot[0]] = marks[slot[2]] = marks[slot[4]] = marks[slot[6]] = T3DM_MARK;
        marks[slot[8]] = marks[slot[10]] = marks[slot[12]] = marks[slot[14]] = T3DM_MARK;
    }
    for (; slot < end; slot += 2)
        marks[*slot] = T3DM_MARK;
}

#endif

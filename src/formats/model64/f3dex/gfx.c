#include "formats/model64/f3dex/gfx.h"

#include "base/bytes.h"
#include <string.h>

/* --- the fields in the words of a command --- */

typedef struct gfx_bits {
    uint8_t shift, width;
} gfx_bits;

static const gfx_bits gfx_opcode_bits = {24, 8};
static const gfx_bits gfx_vtx_count = {12, 8}, vtx_end = {1, 7}; /* end: first slot + count */
static const gfx_bits gfx_address_segment = {24, 4}, address_offset = {0, 24};
static const gfx_bits gfx_modify_field = {16, 8}, modify_slot = {0, 16};
static const gfx_bits gfx_modify_s = {16, 16}, modify_t = {0, 16};
static const gfx_bits gfx_corner_slot[3] = {{16, 8}, {8, 8}, {0, 8}};
static const gfx_bits gfx_call_kind = {16, 8};

enum { GFX_CALL_JUMPS = 1, GFX_MODE_LIGHTING = 0x20000 };

static uint32_t gfx_bits_mask(gfx_bits b)
{
    return (uint32_t)((UINT64_C(1) << b.width) - 1) << b.shift;
}

static uint32_t gfx_get_bits(uint32_t word, gfx_bits b)
{
    return (word & gfx_bits_mask(b)) >> b.shift;
}

static uint32_t gfx_put_bits(uint32_t value, gfx_bits b)
{
    return value << b.shift & gfx_bits_mask(b);
}

/* --- encoding --- */

gfx_command tl_gfx_load(uint32_t first_slot, uint32_t count, uint32_t vertex)
{
    return (gfx_command){gfx_put_bits(GFX_VTX, gfx_opcode_bits) | gfx_put_bits(count, gfx_vtx_count) |
                             gfx_put_bits(first_slot + count, vtx_end),
                         gfx_put_bits(GFX_SEGMENT, gfx_address_segment) |
                             gfx_put_bits(TL_F3DEX_VERTEX_SIZE * vertex, address_offset)};
}

static gfx_command gfx_make_modify(uint32_t field, uint32_t slot, uint32_t value)
{
    return (gfx_command){gfx_put_bits(GFX_MODIFYVTX, gfx_opcode_bits) | gfx_put_bits(field, gfx_modify_field) |
                             gfx_put_bits(2 * slot, modify_slot),
                         value};
}

/* Half of it, rounded down whatever the sign. */
static uint32_t gfx_halved(int16_t value)
{
    return (uint32_t)(((int32_t)value - (value & 1)) / 2);
}

gfx_command tl_gfx_modify_st(uint32_t slot, int16_t s, int16_t t)
{
    return gfx_make_modify(GFX_MODIFY_ST, slot,
                           gfx_put_bits(gfx_halved(s), gfx_modify_s) | gfx_put_bits(gfx_halved(t), modify_t));
}

gfx_command tl_gfx_modify_rgba(uint32_t slot, const uint8_t rgba[4])
{
    return gfx_make_modify(GFX_MODIFY_RGBA, slot, tl_get_u32be(rgba));
}

static uint32_t gfx_corners_word(const uint8_t slots[3])
{
    uint32_t word = 0;
    for (int i = 0; i < 3; i++)
        word |= gfx_put_bits(2u * slots[i], gfx_corner_slot[i]);
    return word;
}

gfx_command tl_gfx_tri1(const uint8_t slots[3])
{
    return (gfx_command){gfx_put_bits(GFX_TRI1, gfx_opcode_bits) | gfx_corners_word(slots), 0};
}

gfx_command tl_gfx_tri2(const uint8_t first[3], const uint8_t second[3])
{
    return (gfx_command){gfx_put_bits(GFX_TRI2, gfx_opcode_bits) | gfx_corners_word(first), gfx_corners_word(second)};
}

gfx_command tl_gfx_end(void)
{
    return (gfx_command){gfx_put_bits(GFX_ENDDL, gfx_opcode_bits), 0};
}

void tl_gfx_store(gfx_command command, uint8_t bytes[TL_F3DEX_COMMAND_SIZE])
{
    tl_put_u32(bytes, TL_BIG, command.w0);
    tl_put_u32(bytes + sizeof command.w0, TL_BIG, command.w1);
}

/* --- decoding --- */

gfx_command tl_gfx_at(const uint8_t bytes[TL_F3DEX_COMMAND_SIZE])
{
    return (gfx_command){tl_get_u32be(bytes), tl_get_u32be(bytes + sizeof(uint32_t))};
}

gfx_load tl_gfx_load_of(gfx_command c)
{
    const uint32_t count = gfx_get_bits(c.w0, gfx_vtx_count);
    return (gfx_load){.count = count,
                      .first = (int32_t)gfx_get_bits(c.w0, vtx_end) - (int32_t)count,
                      .segment = gfx_get_bits(c.w1, gfx_address_segment),
                      .offset = gfx_get_bits(c.w1, address_offset),
                      .reserved = (c.w0 & ~(gfx_bits_mask(gfx_opcode_bits) | gfx_bits_mask(gfx_vtx_count) |
                                            gfx_bits_mask(vtx_end))) != 0 ||
                                  (c.w1 & ~(gfx_bits_mask(gfx_address_segment) | gfx_bits_mask(address_offset))) != 0};
}

/* Twice the stored value, modulo 2^16. */
static int16_t gfx_doubled(uint32_t half)
{
    return (int16_t)(uint16_t)(2 * half);
}

gfx_modify tl_gfx_modify_of(gfx_command c)
{
    gfx_modify m = {.field = gfx_get_bits(c.w0, gfx_modify_field), .doubled_slot = gfx_get_bits(c.w0, modify_slot)};
    m.st[0] = gfx_doubled(gfx_get_bits(c.w1, gfx_modify_s));
    m.st[1] = gfx_doubled(gfx_get_bits(c.w1, modify_t));
    tl_put_u32(m.rgba, TL_BIG, c.w1);
    return m;
}

gfx_triangles tl_gfx_triangles_of(gfx_command c)
{
    const bool single = gfx_opcode(c) == GFX_TRI1;
    const uint32_t words[2] = {c.w0, c.w1};
    gfx_triangles t = {.count = single ? 1 : 2};
    for (uint32_t k = 0; k < t.count; k++)
        for (int i = 0; i < 3; i++)
            t.doubled_slots[k][i] = (uint8_t)gfx_get_bits(words[k], gfx_corner_slot[i]);
    t.reserved = single ? c.w1 != 0 : gfx_get_bits(c.w1, gfx_opcode_bits) != 0;
    return t;
}

bool tl_gfx_jumps(gfx_command c)
{
    return gfx_opcode(c) == GFX_DL && gfx_get_bits(c.w0, gfx_call_kind) == GFX_CALL_JUMPS;
}

bool tl_gfx_lights(gfx_command c)
{
    return gfx_opcode(c) == GFX_GEOMETRYMODE && (c.w1 & GFX_MODE_LIGHTING) != 0;
}

/* --- running a list --- */

gfx_list tl_gfx_list(const uint8_t *bytes, size_t size)
{
    gfx_list list = {.bytes = bytes, .size = size};
    while (!list.ended && size - list.used >= TL_F3DEX_COMMAND_SIZE) {
        const gfx_command command = tl_gfx_at(bytes + list.used);
        list.ended = gfx_opcode(command) == GFX_ENDDL || tl_gfx_jumps(command);
        list.used += TL_F3DEX_COMMAND_SIZE;
    }
    return list;
}

int tl_gfx_corner_compare(const gfx_corner *a, const gfx_corner *b)
{
    if (a->vertex != b->vertex)
        return a->vertex < b->vertex ? -1 : 1;
    if (a->has_st != b->has_st)
        return a->has_st ? 1 : -1;
    if (a->has_rgba != b->has_rgba)
        return a->has_rgba ? 1 : -1;
    if (a->has_st && (a->st[0] != b->st[0] || a->st[1] != b->st[1]))
        return a->st[0] != b->st[0] ? a->st[0] - b->st[0] : a->st[1] - b->st[1];
    return a->has_rgba ? memcmp(a->rgba, b->rgba, sizeof a->rgba) : 0;
}

gfx_run tl_gfx_run(const gfx_list *list, uint32_t vertex_count)
{
    gfx_run run = {.list = *list, .vertex_count = vertex_count};
    for (int i = 0; i < TL_F3DEX_SLOTS; i++)
        run.cache[i].vertex = TRILO_NONE;
    return run;
}

static gfx_problem gfx_load_problem(const gfx_run *run, const gfx_load *load)
{
    if (load->count == 0 || load->first < 0 || load->first + (int32_t)load->count > TL_F3DEX_SLOTS)
        return GFX_BAD_COUNT;
    if (load->segment != GFX_SEGMENT)
        return GFX_BAD_SEGMENT;
    if (load->offset % TL_F3DEX_VERTEX_SIZE != 0)
        return GFX_BAD_ADDRESS;
    if (load->offset / TL_F3DEX_VERTEX_SIZE + load->count > run->vertex_count)
        return GFX_BAD_VERTEX;
    return load->reserved ? GFX_RESERVED_BITS : GFX_FINE;
}

static void gfx_run_load(gfx_run *run, gfx_step *step)
{
    const gfx_load load = tl_gfx_load_of(step->command);
    step->problem = gfx_load_problem(run, &load);
    if (step->problem != GFX_FINE && step->problem != GFX_RESERVED_BITS)
        return;
    step->load_first = (uint32_t)load.first;
    step->load_count = load.count;
    step->load_vertex = load.offset / TL_F3DEX_VERTEX_SIZE;
    for (uint32_t i = 0; i < load.count; i++)
        run->cache[step->load_first + i] = (gfx_corner){.vertex = step->load_vertex + i};
}

static gfx_problem gfx_slot_problem(const gfx_run *run, uint32_t doubled_slot)
{
    if (doubled_slot % 2 != 0)
        return GFX_ODD_SLOT;
    if (doubled_slot / 2 >= TL_F3DEX_SLOTS)
        return GFX_BAD_SLOT;
    return run->cache[doubled_slot / 2].vertex == TRILO_NONE ? GFX_EMPTY_SLOT : GFX_FINE;
}

static void gfx_run_modify(gfx_run *run, gfx_step *step)
{
    const gfx_modify m = tl_gfx_modify_of(step->command);
    step->problem = gfx_slot_problem(run, m.doubled_slot);
    if (step->problem != GFX_FINE)
        return;
    gfx_corner *corner = &run->cache[m.doubled_slot / 2];
    if (m.field == GFX_MODIFY_ST) {
        corner->has_st = true;
        memcpy(corner->st, m.st, sizeof corner->st);
    } else if (m.field == GFX_MODIFY_RGBA) {
        corner->has_rgba = true;
        memcpy(corner->rgba, m.rgba, sizeof corner->rgba);
    } else {
        step->problem = m.field == GFX_MODIFY_XY || m.field == GFX_MODIFY_Z ? GFX_SCREEN_FIELD : GFX_BAD_FIELD;
    }
}

static void gfx_run_triangles(gfx_run *run, gfx_step *step)
{
    const gfx_triangles t = tl_gfx_triangles_of(step->command);
    for (uint32_t k = 0; k < t.count; k++) {
        gfx_problem problem = GFX_FINE;
        for (int i = 0; i < 3 && problem == GFX_FINE; i++)
            problem = gfx_slot_problem(run, t.doubled_slots[k][i]);
        if (problem == GFX_FINE) {
            /* Corners are copies: later changes to a slot do not affect them. */
            gfx_corner *corners = step->triangles[step->triangle_count];
            for (int i = 0; i < 3; i++)
                corners[i] = run->cache[t.doubled_slots[k][i] / 2];
            if (step->triangle_count == 0)
                step->repeats = run->drawn && tl_gfx_corner_equal(&corners[0], &run->last[0]) &&
                                tl_gfx_corner_equal(&corners[1], &run->last[1]) &&
                                tl_gfx_corner_equal(&corners[2], &run->last[2]);
            memcpy(run->last, corners, sizeof run->last);
            run->drawn = true;
            step->triangle_count++;
        } else if (step->problem == GFX_FINE)
            step->problem = problem;
    }
    if (step->problem == GFX_FINE && t.reserved)
        step->problem = GFX_RESERVED_BITS;
}

bool tl_gfx_next(gfx_run *run, gfx_step *step)
{
    if (run->at >= run->list.used)
        return false;
    memset(step, 0, sizeof *step);
    step->at = (uint32_t)run->at;
    step->command = tl_gfx_at(run->list.bytes + run->at);
    run->at += TL_F3DEX_COMMAND_SIZE;
    const gfx_command c = step->command;
    switch (gfx_opcode(c)) {
    case GFX_VTX:
        gfx_run_load(run, step);
        break;
    case GFX_MODIFYVTX:
        gfx_run_modify(run, step);
        break;
    case GFX_TRI1:
    case GFX_TRI2:
    case GFX_QUAD:
        gfx_run_triangles(run, step);
        break;
    case GFX_ENDDL:
        step->problem = (c.w0 & ~gfx_bits_mask(gfx_opcode_bits)) != 0 || c.w1 != 0 ? GFX_RESERVED_BITS : GFX_FINE;
        break;
    default:
        run->lighting = run->lighting || tl_gfx_lights(c);
        step->problem = tl_gfx_class(gfx_opcode(c));
    }
    return true;
}

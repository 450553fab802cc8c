/* Commands by name, and in words. */
#include "formats/model64/f3dex/gfx.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct gfx_opcode_info {
    const char *name;
    gfx_problem problem;
} gfx_opcode_info;

/* Opcodes that are not listed do not exist. GFX_PASSED_OVER: sets only state that games set themselves. */
static const gfx_opcode_info gfx_opcodes[256] = {
    [0x00] = {"G_NOOP", GFX_PASSED_OVER},
    [0x01] = {"G_VTX", GFX_FINE},
    [0x02] = {"G_MODIFYVTX", GFX_FINE},
    [0x03] = {"G_CULLDL", GFX_PASSED_OVER},
    [0x04] = {"G_BRANCH_Z", GFX_NOT_FOLLOWED},
    [0x05] = {"G_TRI1", GFX_FINE},
    [0x06] = {"G_TRI2", GFX_FINE},
    [0x07] = {"G_QUAD", GFX_FINE},
    [0x08] = {"G_LINE3D", GFX_NOT_FOLLOWED},
    [0xD3] = {"G_SPECIAL_3", GFX_NOT_FOLLOWED},
    [0xD4] = {"G_SPECIAL_2", GFX_NOT_FOLLOWED},
    [0xD5] = {"G_SPECIAL_1", GFX_NOT_FOLLOWED},
    [0xD6] = {"G_DMA_IO", GFX_NOT_FOLLOWED},
    [0xD7] = {"G_TEXTURE", GFX_PASSED_OVER},
    [0xD8] = {"G_POPMTX", GFX_NOT_FOLLOWED},
    [0xD9] = {"G_GEOMETRYMODE", GFX_PASSED_OVER},
    [0xDA] = {"G_MTX", GFX_NOT_FOLLOWED},
    [0xDB] = {"G_MOVEWORD", GFX_NOT_FOLLOWED},
    [0xDC] = {"G_MOVEMEM", GFX_NOT_FOLLOWED},
    [0xDD] = {"G_LOAD_UCODE", GFX_NOT_FOLLOWED},
    [0xDE] = {"G_DL", GFX_NOT_FOLLOWED},
    [0xDF] = {"G_ENDDL", GFX_FINE},
    [0xE0] = {"G_SPNOOP", GFX_PASSED_OVER},
    [0xE1] = {"G_RDPHALF_1", GFX_PASSED_OVER},
    [0xE2] = {"G_SETOTHERMODE_L", GFX_PASSED_OVER},
    [0xE3] = {"G_SETOTHERMODE_H", GFX_PASSED_OVER},
    [0xE4] = {"G_TEXRECT", GFX_NOT_FOLLOWED},
    [0xE5] = {"G_TEXRECTFLIP", GFX_NOT_FOLLOWED},
    [0xE6] = {"G_RDPLOADSYNC", GFX_PASSED_OVER},
    [0xE7] = {"G_RDPPIPESYNC", GFX_PASSED_OVER},
    [0xE8] = {"G_RDPTILESYNC", GFX_PASSED_OVER},
    [0xE9] = {"G_RDPFULLSYNC", GFX_PASSED_OVER},
    [0xEA] = {"G_SETKEYGB", GFX_PASSED_OVER},
    [0xEB] = {"G_SETKEYR", GFX_PASSED_OVER},
    [0xEC] = {"G_SETCONVERT", GFX_PASSED_OVER},
    [0xED] = {"G_SETSCISSOR", GFX_PASSED_OVER},
    [0xEE] = {"G_SETPRIMDEPTH", GFX_PASSED_OVER},
    [0xEF] = {"G_RDPSETOTHERMODE", GFX_PASSED_OVER},
    [0xF0] = {"G_LOADTLUT", GFX_PASSED_OVER},
    [0xF1] = {"G_RDPHALF_2", GFX_PASSED_OVER},
    [0xF2] = {"G_SETTILESIZE", GFX_PASSED_OVER},
    [0xF3] = {"G_LOADBLOCK", GFX_PASSED_OVER},
    [0xF4] = {"G_LOADTILE", GFX_PASSED_OVER},
    [0xF5] = {"G_SETTILE", GFX_PASSED_OVER},
    [0xF6] = {"G_FILLRECT", GFX_NOT_FOLLOWED},
    [0xF7] = {"G_SETFILLCOLOR", GFX_PASSED_OVER},
    [0xF8] = {"G_SETFOGCOLOR", GFX_PASSED_OVER},
    [0xF9] = {"G_SETBLENDCOLOR", GFX_PASSED_OVER},
    [0xFA] = {"G_SETPRIMCOLOR", GFX_PASSED_OVER},
    [0xFB] = {"G_SETENVCOLOR", GFX_PASSED_OVER},
    [0xFC] = {"G_SETCOMBINE", GFX_PASSED_OVER},
    [0xFD] = {"G_SETTIMG", GFX_PASSED_OVER},
    [0xFE] = {"G_SETZIMG", GFX_PASSED_OVER},
    [0xFF] = {"G_SETCIMG", GFX_PASSED_OVER},
};

static const gfx_opcode_info *gfx_find_opcode(unsigned opcode)
{
    return opcode < sizeof gfx_opcodes / sizeof gfx_opcodes[0] && gfx_opcodes[opcode].name ? &gfx_opcodes[opcode]
                                                                                           : NULL;
}

const char *tl_gfx_name(unsigned opcode)
{
    const gfx_opcode_info *found = gfx_find_opcode(opcode);
    return found ? found->name : NULL;
}

gfx_problem tl_gfx_class(unsigned opcode)
{
    const gfx_opcode_info *found = gfx_find_opcode(opcode);
    return found ? found->problem : GFX_UNDEFINED;
}

/* --- in words --- */

/* Slots are stored doubled; an odd number prints as a half. */
static void gfx_slot_text(uint32_t doubled_slot, char text[16])
{
    snprintf(text, 16, "%" PRIu32 "%s", doubled_slot / 2, doubled_slot % 2 ? ".5" : "");
}

static void gfx_load_text(gfx_command c, char *text, size_t room)
{
    const gfx_load load = tl_gfx_load_of(c);
    const uint32_t size = TL_F3DEX_VERTEX_SIZE;
    const int32_t last = load.first + (int32_t)load.count - 1;
    if (load.count == 0 || load.segment != GFX_SEGMENT || load.offset % size != 0)
        snprintf(text, room, "count %" PRIu32 ", address 0x%08" PRIX32 ", first slot %" PRId32, load.count, c.w1,
                 load.first);
    else if (load.count == 1)
        snprintf(text, room, "vertex %" PRIu32 " into slot %" PRId32, load.offset / size, load.first);
    else
        snprintf(text, room, "vertices %" PRIu32 " to %" PRIu32 " into slots %" PRId32 " to %" PRId32,
                 load.offset / size, load.offset / size + load.count - 1, load.first, last);
}

static void gfx_modify_text(gfx_command c, char *text, size_t room)
{
    const gfx_modify m = tl_gfx_modify_of(c);
    char slot[16];
    gfx_slot_text(m.doubled_slot, slot);
    if (m.field == GFX_MODIFY_ST)
        snprintf(text, room, "slot %s gets texture coordinate %d %d", slot, m.st[0], m.st[1]);
    else if (m.field == GFX_MODIFY_RGBA)
        snprintf(text, room, "slot %s gets colour %u %u %u %u", slot, (unsigned)m.rgba[0], (unsigned)m.rgba[1],
                 (unsigned)m.rgba[2], (unsigned)m.rgba[3]);
    else
        snprintf(text, room, "slot %s gets 0x%08" PRIX32 " as %s", slot, c.w1,
                 m.field == GFX_MODIFY_XY  ? "its screen position"
                 : m.field == GFX_MODIFY_Z ? "its depth on the screen"
                                           : "something that does not exist");
}

static void gfx_triangles_text(gfx_command c, char *text, size_t room)
{
    const gfx_triangles t = tl_gfx_triangles_of(c);
    char slots[6][16] = {{0}};
    for (uint32_t i = 0; i < 3 * t.count; i++)
        gfx_slot_text(t.doubled_slots[i / 3][i % 3], slots[i]);
    snprintf(text, room, t.count == 1 ? "%s %s %s" : "%s %s %s, %s %s %s", slots[0], slots[1], slots[2], slots[3],
             slots[4], slots[5]);
}

/* The operands; "" when there are none. */
static void gfx_operands_text(gfx_command c, char *text, size_t room)
{
    text[0] = '\0';
    switch (gfx_opcode(c)) {
    case GFX_VTX:
        gfx_load_text(c, text, room);
        break;
    case GFX_MODIFYVTX:
        gfx_modify_text(c, text, room);
        break;
    case GFX_TRI1:
    case GFX_TRI2:
    case GFX_QUAD:
        gfx_triangles_text(c, text, room);
        break;
    case GFX_SETPRIMCOLOR:
    case GFX_SETENVCOLOR:
        snprintf(text, room, "%u %u %u %u", (unsigned)(c.w1 >> 24), (unsigned)(c.w1 >> 16 & 0xFF),
                 (unsigned)(c.w1 >> 8 & 0xFF), (unsigned)(c.w1 & 0xFF));
        break;
    case GFX_DL:
        snprintf(text, room, "%s 0x%08" PRIX32, tl_gfx_jumps(c) ? "jumps to" : "calls", c.w1);
        break;
    case GFX_GEOMETRYMODE:
        if (tl_gfx_lights(c))
            snprintf(text, room, "switches lighting on");
        break;
    default:
        break;
    }
}

void tl_gfx_text(gfx_command command, char *text, size_t room)
{
    char operands[96];
    const char *name = tl_gfx_name(gfx_opcode(command));
    gfx_operands_text(command, operands, sizeof operands);
    if (!name)
        snprintf(text, room, "no command of F3DEX2");
    else
        snprintf(text, room, operands[0] ? "%s: %s" : "%s", name, operands);
}

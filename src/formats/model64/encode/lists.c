/* From slots to display lists: the input of the optimizer, and its commands as bytes. */
#include "formats/model64/encode/encode.h"

bool tl_model64_list_mesh(tl_arena *arena, const model64_slot *slot, tl_f3dex_mesh *mesh)
{
    tl_f3dex_corner *corners = tl_array_raw(arena, slot->corner_count, sizeof *corners);
    for (uint32_t i = 0; corners && i < slot->corner_count; i++)
        corners[i] = (tl_f3dex_corner){slot->corners[i].point, slot->corners[i].st, slot->corners[i].rgba};
    *mesh = (tl_f3dex_mesh){slot->corner_count, slot->triangle_count, corners, (const uint32_t(*)[3])slot->triangles};
    return corners != NULL;
}

void tl_model64_store_list(const model64_slot *slot, int16_t (*st)[2], uint8_t (*rgba)[4], const tl_f3dex_list *list,
                           uint8_t *bytes)
{
    for (uint32_t i = 0; i < list->command_count; i++, bytes += TL_F3DEX_COMMAND_SIZE) {
        const tl_f3dex_command *c = &list->commands[i];
        gfx_command command = {0, 0};
        switch ((tl_f3dex_kind)c->kind) {
        case TL_F3DEX_VTX:
            command = tl_gfx_load(c->slots[0], c->count, c->value);
            break;
        case TL_F3DEX_MODIFY_ST: {
            const int16_t *value = st[slot->corners[c->value].st];
            command = tl_gfx_modify_st(c->slots[0], value[0], value[1]);
            break;
        }
        case TL_F3DEX_MODIFY_RGBA:
            command = tl_gfx_modify_rgba(c->slots[0], rgba[slot->corners[c->value].rgba]);
            break;
        case TL_F3DEX_TRI1:
            command = tl_gfx_tri1(c->slots);
            break;
        case TL_F3DEX_TRI2:
            command = tl_gfx_tri2(c->slots, c->slots + 3);
            break;
        }
        tl_gfx_store(command, bytes);
    }
    tl_gfx_store(tl_gfx_end(), bytes);
}

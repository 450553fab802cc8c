#include "model/pbr.h"

#include <inttypes.h>
#include <stdio.h>

enum { GLOW = TRILO_MAP_COUNT, KINDS };

/* Which of them a material has, one bit each. */
static uint32_t kinds_of(const trilo_pbr *pbr)
{
    uint32_t kinds = 0;
    for (uint32_t i = 0; pbr && i < TRILO_MAP_COUNT; i++)
        kinds |= pbr->maps[i].used ? 1u << i : 0;
    if (pbr && (pbr->emissive[0] > 0 || pbr->emissive[1] > 0 || pbr->emissive[2] > 0))
        kinds |= 1u << GLOW;
    return kinds;
}

/* "normals, light of its own" */
static void list_kinds(uint32_t kinds, char *out, size_t room)
{
    static const char *const names[KINDS] = {[TRILO_MAP_METALLIC_ROUGHNESS] = "metal and roughness",
                                             [TRILO_MAP_NORMAL] = "normals",
                                             [TRILO_MAP_OCCLUSION] = "occlusion",
                                             [TRILO_MAP_EMISSIVE] = "a picture of its own light",
                                             [GLOW] = "light of its own"};
    size_t used = 0;
    for (uint32_t i = 0; i < KINDS && used < room; i++)
        if (kinds >> i & 1)
            used += (size_t)snprintf(out + used, room - used, "%s%s", used > 0 ? ", " : "", names[i]);
}

void tl_pbr_maps_lost(const trilo_model *model, const trilo_rule *rule, tl_report *losses)
{
    uint32_t count = 0, all = 0, first = 0;
    char list[160] = "";
    for (uint32_t i = model->material_count; i-- > 0;) {
        const uint32_t kinds = kinds_of(model->materials[i].pbr);
        all |= kinds;
        count += kinds != 0;
        first = kinds != 0 ? i : first;
    }
    if (count == 0)
        return;
    list_kinds(all, list, sizeof list);
    tl_path_push(&losses->path, "materials", first);
    tl_report_finding(losses, rule, TRILO_NOWHERE,
                      "materials with more than a colour and its picture: %" PRIu32 "; lost: %s", count, list);
    tl_path_pop(&losses->path);
}

#include "model/pbr.h"

#include <inttypes.h>
#include <stdio.h>

enum { PBR_EMISSIVE = TRILO_MAP_KIND_COUNT, PBR_KINDS };

/* A bit for each property that a material has. */
static uint32_t pbr_kinds(const trilo_pbr *pbr)
{
    uint32_t kinds = 0;
    for (uint32_t i = 0; pbr && i < TRILO_MAP_KIND_COUNT; i++)
        kinds |= pbr->maps[i].used ? 1u << i : 0;
    if (pbr && (pbr->emissive[0] > 0 || pbr->emissive[1] > 0 || pbr->emissive[2] > 0))
        kinds |= 1u << PBR_EMISSIVE;
    return kinds;
}

void tl_pbr_maps_lost(const trilo_model *model, const trilo_rule *rule, tl_report *losses)
{
    static const char *const names[PBR_KINDS] = {[TRILO_MAP_KIND_METALLIC_ROUGHNESS] = "metallic-roughness map",
                                                 [TRILO_MAP_KIND_NORMAL] = "normal map",
                                                 [TRILO_MAP_KIND_OCCLUSION] = "occlusion map",
                                                 [TRILO_MAP_KIND_EMISSIVE] = "emissive map",
                                                 [PBR_EMISSIVE] = "emission"};
    uint32_t count = 0, all = 0, first = 0;
    char list[160] = "";
    size_t used = 0;
    for (uint32_t i = model->material_count; i-- > 0;) {
        const uint32_t kinds = pbr_kinds(model->materials[i].pbr);
        all |= kinds;
        count += kinds != 0;
        first = kinds != 0 ? i : first;
    }
    if (count == 0)
        return;
    for (uint32_t i = 0; i < PBR_KINDS && used < sizeof list; i++)
        if (all >> i & 1)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", names[i]);
    tl_path_push(&losses->path, "materials", first);
    tl_report_finding(losses, rule, TRILO_NOWHERE,
                      "materials with maps or emission besides their colour: %" PRIu32 "; lost: %s", count, list);
    tl_path_pop(&losses->path);
}

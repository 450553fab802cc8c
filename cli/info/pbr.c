/* pbr.c: the PBR properties of a material. */
#include "info/info.h"

#include <inttypes.h>

static const char *const names[TRILO_MAP_KIND_COUNT] = {[TRILO_MAP_KIND_METALLIC_ROUGHNESS] = "metallic_roughness",
                                                        [TRILO_MAP_KIND_NORMAL] = "normal",
                                                        [TRILO_MAP_KIND_OCCLUSION] = "occlusion",
                                                        [TRILO_MAP_KIND_EMISSIVE] = "emissive"};

void info_print_pbr(const trilo_pbr *pbr, FILE *out)
{
    const float *light = pbr->emissive;
    fprintf(out, "  %-10s  %s\n", "metal", EXACT(pbr->metallic));
    fprintf(out, "  %-10s  %s\n", "roughness", EXACT(pbr->roughness));
    if (light[0] > 0 || light[1] > 0 || light[2] > 0)
        fprintf(out, "  %-10s  %s %s %s\n", "emission", EXACT(light[0]), EXACT(light[1]), EXACT(light[2]));
    for (int i = 0; i < TRILO_MAP_KIND_COUNT; i++)
        if (pbr->maps[i].used)
            fprintf(out, "  %-10s  %s: texture %" PRIu32 "%s\n", "map", names[i], pbr->maps[i].texture,
                    pbr->maps[i].moved ? ", moved" : "");
}

void info_json_pbr(const trilo_pbr *pbr, cli_json *json)
{
    json_object(json, "pbr");
    json_float(json, "metallic", pbr->metallic);
    json_float(json, "roughness", pbr->roughness);
    json_floats(json, "emissive", pbr->emissive, 3);
    for (int i = 0; i < TRILO_MAP_KIND_COUNT; i++)
        if (pbr->maps[i].used) {
            /* The factor is called emissive. */
            json_object(json, i == TRILO_MAP_KIND_EMISSIVE ? "emissive_map" : names[i]);
            json_uint(json, "texture", pbr->maps[i].texture);
            json_float(json, "strength", pbr->maps[i].strength);
            if (pbr->maps[i].moved) {
                json_floats(json, "scale", pbr->maps[i].scale, 2);
                json_float(json, "rotation", pbr->maps[i].rotation);
                json_floats(json, "offset", pbr->maps[i].offset, 2);
            }
            json_end(json);
        }
    json_end(json);
}

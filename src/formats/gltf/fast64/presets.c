/* Render modes: Fast64 offers a list of presets for each cycle. */
#include "formats/gltf/fast64/settings.h"

#include <string.h>

typedef struct preset {
    const char *name;
    int8_t index[2]; /* in the lists of both cycles; -1: not in that one */
    fast64_surface surface;
} preset;

/* Older versions of the add-on have OPA_SURF as 14 and ZB_CLD_SURF as 15 of the second list: all of these are alike. */
static const preset presets[] = {
    {"ZB_OPA_SURF", {0, 0}, {0, 0}},
    {"AA_ZB_OPA_SURF", {1, 1}, {0, 0}},
    {"AA_ZB_OPA_DECAL", {2, 2}, {0, FAST64_Z_DECAL}},
    {"AA_ZB_OPA_INTER", {3, 3}, {0, FAST64_Z_INTER}},
    {"AA_ZB_TEX_EDGE", {4, 4}, {0, FAST64_CUTOUT}},
    {"AA_ZB_XLU_SURF", {5, 5}, {FAST64_BLEND_MULTIPLY, 0}},
    {"AA_ZB_XLU_DECAL", {6, 6}, {FAST64_BLEND_MULTIPLY, FAST64_Z_DECAL}},
    {"AA_ZB_XLU_INTER", {7, 7}, {FAST64_BLEND_MULTIPLY, FAST64_Z_INTER}},
    {"FOG_SHADE_A", {8, -1}, {0, 0}},
    {"FOG_PRIM_A", {9, -1}, {0, 0}},
    {"PASS", {10, -1}, {0, 0}},
    {"ADD", {11, 8}, {0, 0}},
    {"NOOP", {12, 9}, {0, 0}},
    {"ZB_OPA_SURF", {13, 10}, {0, 0}}, /* once more, "without anti-aliasing" */
    {"ZB_OPA_DECAL", {14, 11}, {0, FAST64_Z_DECAL}},
    {"ZB_XLU_SURF", {15, 12}, {FAST64_BLEND_MULTIPLY, 0}},
    {"ZB_XLU_DECAL", {16, 13}, {FAST64_BLEND_MULTIPLY, FAST64_Z_DECAL}},
    {"OPA_SURF", {17, 17}, {0, 0}},
    {"ZB_CLD_SURF", {18, 14}, {0, 0}},
    {"ZB_OVL_SURF", {-1, 15}, {0, 0}},
    {"AA_ZB_TEX_TERR", {19, 16}, {0, 0}},
};
enum { PRESETS = sizeof presets / sizeof presets[0] };

fast64_surface tl_fast64_preset(int cycle, int32_t index)
{
    for (int i = 0; i < PRESETS; i++)
        if (presets[i].index[cycle] == index)
            return presets[i].surface;
    return (fast64_surface){0, 0};
}

/* In the second cycle names end with a 2. */
static bool is_named(const preset *p, int cycle, trilo_str name)
{
    const size_t length = strlen(p->name);
    if (p->index[cycle] < 0 || name.len != length + (size_t)cycle || memcmp(name.data, p->name, length) != 0)
        return false;
    return cycle == 0 || name.data[length] == '2';
}

bool tl_fast64_preset_named(int cycle, trilo_str name, fast64_surface *out)
{
    for (int i = 0; i < PRESETS; i++) {
        if (is_named(&presets[i], cycle, name)) {
            *out = presets[i].surface;
            return true;
        }
    }
    return false;
}

/* A preset for a second cycle that does not run counts too: so does Tiny3D's converter, and games look as they do. */
fast64_surface tl_fast64_both(bool two_cycles, fast64_surface first, fast64_surface second)
{
    return (fast64_surface){two_cycles ? second.blender : first.blender, first.mode | second.mode};
}

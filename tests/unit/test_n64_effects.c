/* Vertex effects by their numbers in a material (docs/formats/t3dm.md), and whether Tiny3D's microcode uses the normals
 * of the vertices for them. */
#include "harness.h"
#include "n64/effects.h"

#include <stdio.h>
#include <string.h>

TEST(every_effect)
{
    static const struct {
        int effect;
        const char *name;
        bool normals;
    } rows[] = {
        {TRILO_N64_EFFECT_NONE, "none", false},
        {TRILO_N64_EFFECT_SPHERICAL_UV, "spherical UV", true},
        {TRILO_N64_EFFECT_CEL_SHADE_COLOR, "cel shade by colour", false},
        {TRILO_N64_EFFECT_CEL_SHADE_ALPHA, "cel shade by alpha", false},
        {TRILO_N64_EFFECT_OUTLINE, "outline", true},
        {TRILO_N64_EFFECT_UV_OFFSET, "UV offset", false},
    };
    char list[200] = "";
    for (int i = 0; i < 6; i++) {
        CHECK_INT(rows[i].effect, i);
        CHECK_STR(trilo_n64_effect_name((uint8_t)i), rows[i].name);
        CHECK_INT(tl_effect_uses_normals((uint8_t)i), rows[i].normals);
        const size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%d %s", i > 0 ? ", " : "", i, rows[i].name);
    }
    CHECK_STR(list, TL_EFFECTS_LIST);
    CHECK_INT(TRILO_N64_EFFECT_COUNT, 6);
    for (int i = 6; i < 256; i++) {
        CHECK_STR(trilo_n64_effect_name((uint8_t)i), "unknown");
        CHECK(!tl_effect_uses_normals((uint8_t)i));
    }
}

TEST_MAIN(CASE(every_effect))

/* Units of models, and the bone that a vertex is bound to where there can be only one. */
#include "harness.h"
#include "model/skin.h"
#include "model/units.h"

TEST(the_console_has_64_units_to_a_metre)
{
    static const struct {
        trilo_format format;
        float scale, meters;
    } rows[] = {{TRILO_FORMAT_UNKNOWN, 64, 1}, /* filled in by hand */
                {TRILO_FORMAT_NLM, 64, 1},
                {TRILO_FORMAT_GLTF, 64, 1},
                {TRILO_FORMAT_T3DM, 1, 0.015625f},
                {TRILO_FORMAT_MODEL64, 1, 0.015625f}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const trilo_model model = {.format = rows[i].format};
        CHECK_NEAR(trilo_n64_default_scale(&model), rows[i].scale, 0);
        CHECK_NEAR(tl_model_unit_meters(&model), rows[i].meters, 0);
    }
}

TEST(the_strongest_influence)
{
    CHECK_INT(tl_strongest_influence((const float[4]){1, 0, 0, 0}), 0);
    CHECK_INT(tl_strongest_influence((const float[4]){0.1f, 0.2f, 0.3f, 0.4f}), 3);
    CHECK_INT(tl_strongest_influence((const float[4]){0.1f, 0.4f, 0.4f, 0.1f}), 1);
    CHECK_INT(tl_strongest_influence((const float[4]){0.2f, 0.2f, 0.4f, 0.2f}), 2);
    CHECK_INT(tl_strongest_influence((const float[4]){0, 0, 0, 0}), 0);
}

TEST_MAIN(CASE(the_console_has_64_units_to_a_metre), CASE(the_strongest_influence))

/* Units of models, and the bone that a vertex is bound to where there can be only one. */
#include "harness.h"
#include "model/skin.h"
#include "model/units.h"
#include "trilobite/n64.h"

#include <math.h>

TEST(the_console_has_64_units_to_a_metre)
{
    static const float rows[][3] = {            /* units per metre, scale for the console, what the model counts as */
                                    {0, 64, 1}, /* filled in by hand */
                                    {1, 64, 1}, {64, 1, 64}, {-3, 64, 1}, {INFINITY, 64, 1}, {NAN, 64, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const trilo_model model = {.units_per_meter = rows[i][0]};
        CHECK_NEAR(trilo_n64_default_scale(&model), rows[i][1], 0);
        CHECK_NEAR(tl_units_per_meter(&model), rows[i][2], 0);
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

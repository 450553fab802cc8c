/* Vertex effects. */
#include "trilobite/n64.h"

const char *trilo_n64_effect_name(uint8_t vertex_effect)
{
    static const char *const names[] = {"none",    "spherical UV", "cel shade by colour", "cel shade by alpha",
                                        "outline", "UV offset"};
    return vertex_effect < sizeof names / sizeof names[0] ? names[vertex_effect] : "unknown";
}

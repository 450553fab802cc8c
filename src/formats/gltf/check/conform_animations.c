/* Conformance of animations: formats and bounds of samplers, targets. */
#include "formats/gltf/check/check.h"

static void gltf_conform_sampler(gltf_checker *c, const tl_json *sampler)
{
    const tl_json *input = tl_json_member(sampler, "input"), *output = tl_json_member(sampler, "output");
    const bool cubic = gltf_str_is(tl_json_string(tl_json_member(sampler, "interpolation")), "CUBICSPLINE");
    gltf_accessor_facts *times = tl_gltf_conform_use(c, input, GLTF_USE_TIMES, GLTF_VIEW_OTHER);
    tl_gltf_conform_use(c, output, GLTF_USE_KEYS, GLTF_VIEW_OTHER);
    if (!times || times->accessor.width == 0)
        return;
    const gltf_accessor *a = &times->accessor;
    if (a->width != 1 || a->component != GLTF_F32 || a->normalized)
        GLTF_CONFORM(c, GLTF_R_FORMAT, input, "times must be SCALAR of floats");
    else
        times->roles |= GLTF_ROLE_TIME;
    if (!tl_json_member(a->json, "min") || !tl_json_member(a->json, "max"))
        GLTF_CONFORM(c, GLTF_R_BOUNDS, input, "an accessor of times must have min and max");
    if (cubic && a->count < 2)
        GLTF_CONFORM(c, GLTF_R_KEYS, input, "a cubic spline needs at least 2 keys");
}

static void gltf_conform_channel(gltf_checker *c, const tl_json *channel, const tl_json **samplers, uint32_t count)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    const tl_json *target = tl_json_member(channel, "target"), *node_value = tl_json_member(target, "node");
    const trilo_str path = tl_json_string(tl_json_member(target, "path"));
    const uint32_t node = tl_gltf_index(c->file, target, "node", GLTF_NODES, NULL);
    const tl_json *animated = tl_gltf_item(c->file, GLTF_NODES, node);
    size_t kind = 0;
    uint32_t index;
    while (kind < TL_COUNT_OF(paths) && !gltf_str_is(path, paths[kind]))
        kind++;
    if (animated && kind < 3 && tl_json_member(animated, "matrix"))
        GLTF_CONFORM(c, GLTF_R_TRANSFORM, node_value,
                     "node %u has a matrix, only translation, rotation and scale can "
                     "be animated",
                     (unsigned)node);
    const uint32_t mesh = tl_gltf_index(c->file, animated, "mesh", GLTF_MESHES, NULL);
    const tl_json *primitives = tl_json_member(tl_gltf_item(c->file, GLTF_MESHES, mesh), "primitives");
    if (animated && kind == 3 && !tl_json_member(primitives ? primitives->first : NULL, "targets"))
        GLTF_CONFORM(c, GLTF_R_REFERENCE, node_value, "node %u has no mesh with morph targets", (unsigned)node);
    if (kind == TL_COUNT_OF(paths) || !tl_json_uint(tl_json_member(channel, "sampler"), &index) || index >= count)
        return;
    const tl_json *sampler = samplers[index];
    const uint32_t values = tl_gltf_index(c->file, sampler, "output", GLTF_ACCESSORS, NULL);
    if (values == TRILO_NONE || c->facts[values].accessor.width == 0)
        return;
    const gltf_accessor *a = &c->facts[values].accessor;
    const bool cubic = gltf_str_is(tl_json_string(tl_json_member(sampler, "interpolation")), "CUBICSPLINE");
    const bool floats = a->component == GLTF_F32, normalized = a->normalized && !floats && a->component != GLTF_U32;
    const bool may_be_normalized = kind == 1 || kind == 3;
    if (kind == 1 && a->width == 4)
        c->facts[values].roles |= cubic ? GLTF_ROLE_CUBIC_ROTATION : GLTF_ROLE_ROTATION;
    if (a->matrix ||
        a->width != (kind == 1   ? 4u
                     : kind == 3 ? 1u
                                 : 3u) ||
        !((floats && !a->normalized) || (may_be_normalized && normalized)))
        GLTF_CONFORM(c, GLTF_R_FORMAT, channel, "the values of its sampler must be floats%s",
                     may_be_normalized ? " or normalized integers" : "");
}

void tl_gltf_conform_animations(gltf_checker *c)
{
    const gltf_table *animations = &c->file->tables[GLTF_ANIMATIONS];
    for (uint32_t i = 0; i < animations->count; i++) {
        const tl_json *samplers = tl_json_member(animations->items[i], "samplers");
        const tl_json *channels = tl_json_member(animations->items[i], "channels");
        const bool lists = samplers && samplers->kind == TL_JSON_ARRAY && channels && channels->kind == TL_JSON_ARRAY;
        const tl_json **list = lists ? tl_json_list(c->scratch, samplers) : NULL;
        uint64_t number = 0;
        gltf_enter(c, "animations", i);
        for (uint32_t k = 0; list && k < samplers->count; k++) {
            gltf_enter(c, "samplers", k);
            gltf_conform_sampler(c, list[k]);
            gltf_leave(c);
        }
        for (const tl_json *channel = list ? channels->first : NULL; channel; channel = channel->next, number++) {
            gltf_enter(c, "channels", number);
            gltf_conform_channel(c, channel, list, samplers->count);
            gltf_leave(c);
        }
        gltf_leave(c);
    }
}

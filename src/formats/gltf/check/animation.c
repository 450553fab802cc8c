/* Animations: keyframe times that increase, as many values as the keyframes need, targets that exist. */
#include "base/strict_float.h"
#include "formats/gltf/check/check.h"

#include "base/sort.h"

typedef enum gltf_path {
    GLTF_PATH_OTHER,
    GLTF_PATH_TRANSLATION,
    GLTF_PATH_ROTATION,
    GLTF_PATH_SCALE,
    GLTF_PATH_WEIGHTS
} gltf_path;

static void gltf_check_sampler(gltf_checker *c, const tl_json *sampler)
{
    const tl_json *mode = tl_gltf_check_member(c, sampler, "interpolation", TL_JSON_STRING, false);
    const tl_json *input = tl_json_member(sampler, "input");
    gltf_accessor_facts *values = tl_gltf_check_accessor(c, sampler, "output", true);
    gltf_accessor_facts *times = tl_gltf_check_accessor(c, sampler, "input", true);
    if (times && (times->accessor.width != 1 || times->accessor.component != GLTF_F32))
        GLTF_REPORT(c, GLTF_R_ANIMATION, input, "times must be SCALAR of floats");
    else if (times && times->accessor.count == 0)
        GLTF_REPORT(c, GLTF_R_ANIMATION, input, "an animation needs at least one key");
    else if (times && tl_gltf_check_finite(c, times, input)) {
        float previous = 0, time;
        for (uint32_t i = 0; times->order == GLTF_ORDER_UNKNOWN && i < times->accessor.count; i++, previous = time) {
            tl_gltf_element(&times->accessor, i, false, &time, 1);
            if (i > 0 && !(time > previous))
                times->order = GLTF_ORDER_BROKEN;
        }
        if (times->order == GLTF_ORDER_UNKNOWN)
            times->order = GLTF_ORDER_INCREASING;
        if (times->order == GLTF_ORDER_BROKEN)
            GLTF_REPORT(c, GLTF_R_KEYS, input, "each time must be later than the previous one; other keys are ignored");
    }
    if (values)
        tl_gltf_check_finite(c, values, tl_json_member(sampler, "output"));
    if (mode && !gltf_str_is(mode->string, "LINEAR") && !gltf_str_is(mode->string, "STEP") &&
        !gltf_str_is(mode->string, "CUBICSPLINE"))
        GLTF_REPORT(c, GLTF_R_ANIMATION, mode, "interpolation must be LINEAR, STEP or CUBICSPLINE");
}

/* True if the output of a sampler fits what the channel animates. A cubic keyframe has three values, one for each morph
 * target when weights are animated ("Animations"). */
static void gltf_check_channel_values(gltf_checker *c, const tl_json *channel, const tl_json *sampler, gltf_path path,
                                      uint32_t node)
{
    static const uint8_t widths[] = {0, 3, 4, 3, 1};
    const uint32_t times = tl_gltf_index(c->file, sampler, "input", GLTF_ACCESSORS, NULL);
    const uint32_t values = tl_gltf_index(c->file, sampler, "output", GLTF_ACCESSORS, NULL);
    if (times == TRILO_NONE || values == TRILO_NONE || !c->facts[times].readable || !c->facts[values].readable)
        return;
    const gltf_accessor *a = &c->facts[values].accessor;
    const bool floats = a->component == GLTF_F32, normalized = a->component != GLTF_U32 && !floats;
    const bool may_be_normalized = path == GLTF_PATH_ROTATION || path == GLTF_PATH_WEIGHTS;
    const bool cubic = gltf_str_is(tl_json_string(tl_json_member(sampler, "interpolation")), "CUBICSPLINE");
    uint64_t wanted = (uint64_t)c->facts[times].accessor.count * (cubic ? 3 : 1);
    if (path == GLTF_PATH_WEIGHTS) {
        const tl_json *json = tl_gltf_item(c->file, GLTF_NODES, node);
        const uint32_t mesh = tl_gltf_index(c->file, json, "mesh", GLTF_MESHES, NULL);
        wanted *= mesh == TRILO_NONE ? 0 : c->target_counts[mesh];
    }
    if (a->matrix || a->width != widths[path] || !(floats || (may_be_normalized && normalized)))
        GLTF_REPORT(c, GLTF_R_ANIMATION, channel, "the values of its sampler are of a type that cannot move a %s",
                    tl_json_string(tl_json_member(tl_json_member(channel, "target"), "path")).data);
    else if (a->count != wanted)
        GLTF_REPORT(c, GLTF_R_ANIMATION, channel, "its sampler has %u values, %llu are needed for %u keys",
                    (unsigned)a->count, (unsigned long long)wanted, (unsigned)c->facts[times].accessor.count);
}

/* Returns what a channel animates, as a number that is equal for equal targets; 0: nothing. */
static int64_t gltf_check_channel(gltf_checker *c, const tl_json *channel, const tl_json **samplers,
                                  uint32_t sampler_count)
{
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    uint32_t sampler = 0;
    const tl_json *which = tl_gltf_check_member(c, channel, "sampler", TL_JSON_NUMBER, true);
    const tl_json *target = tl_gltf_check_member(c, channel, "target", TL_JSON_OBJECT, true);
    const uint32_t node = tl_gltf_check_index(c, target, "node", GLTF_NODES, false);
    const trilo_str name = tl_json_string(tl_json_member(target, "path"));
    gltf_path path = GLTF_PATH_OTHER;
    for (size_t i = 0; i < TL_COUNT_OF(names); i++)
        if (gltf_str_is(name, names[i]))
            path = (gltf_path)(i + 1);
    if (which && (!tl_json_uint(which, &sampler) || sampler >= sampler_count)) {
        GLTF_REPORT(c, GLTF_R_INDEX, which, "sampler is %.9g, but the animation has %u", which->number,
                    (unsigned)sampler_count);
        return 0;
    }
    if (!which || !target)
        return 0;
    if (path == GLTF_PATH_OTHER || node == TRILO_NONE) {
        if (!tl_json_member(target, "node") || path == GLTF_PATH_OTHER)
            GLTF_REPORT(c, GLTF_R_LOST_CHANNEL, target,
                        path == GLTF_PATH_OTHER ? "it moves something other than a node or morph targets"
                                                : "it has no target node");
        return 0;
    }
    gltf_check_channel_values(c, channel, samplers[sampler], path, node);
    return (int64_t)node * 8 + path;
}

static int64_t gltf_channel_target_key(const void *rows, uint32_t row)
{
    return ((const int64_t *)rows)[row];
}

/* The paths of a node that channels of an animation have driven so far. */
typedef struct gltf_driven {
    uint32_t animation; /* its number + 1 */
    unsigned paths;     /* bits */
} gltf_driven;

/* True if two of the channels drive the same target. */
static bool gltf_any_target_twice(gltf_driven *driven, uint32_t animation, const int64_t *targets, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        gltf_driven *node = &driven[targets[i] / 8];
        const unsigned path = 1u << targets[i] % 8;
        if (targets[i] == 0)
            continue;
        if (node->animation != animation + 1)
            *node = (gltf_driven){animation + 1, 0};
        if (node->paths & path)
            return true;
        node->paths |= path;
    }
    return false;
}

static void gltf_check_channels(gltf_checker *c, const tl_json *channels, const tl_json *samplers, uint32_t animation,
                                gltf_driven *driven)
{
    const tl_json **list = tl_json_list(c->scratch, samplers);
    int64_t *targets = TL_ARRAY(c->scratch, channels->count, int64_t);
    uint32_t *order = TL_ARRAY(c->scratch, channels->count, uint32_t);
    if (!list || !targets || !order || !driven) {
        tl_report_finding(c->report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to check channels");
        return;
    }
    uint32_t number = 0;
    for (const tl_json *channel = channels->first; channel; channel = channel->next, number++) {
        gltf_enter(c, "channels", number);
        targets[number] = gltf_check_channel(c, channel, list, samplers->count);
        gltf_leave(c);
    }
    if (!gltf_any_target_twice(driven, animation, targets, channels->count))
        return;
    tl_sort_rows(order, channels->count, gltf_channel_target_key, targets);
    for (uint32_t i = 1; i < channels->count; i++)
        if (targets[order[i]] != 0 && targets[order[i]] == targets[order[i - 1]]) {
            gltf_enter(c, "channels", order[i]);
            GLTF_REPORT(c, GLTF_R_KEYS, channels, "drives the same target as channel %u and is ignored",
                        (unsigned)order[i - 1]);
            gltf_leave(c);
        }
}

void tl_gltf_check_animations(gltf_checker *c)
{
    const gltf_table *animations = &c->file->tables[GLTF_ANIMATIONS];
    gltf_driven *driven =
        animations->count ? TL_ARRAY(c->scratch, c->file->tables[GLTF_NODES].count, gltf_driven) : NULL;
    for (uint32_t i = 0; i < animations->count; i++) {
        gltf_enter(c, "animations", i);
        const tl_json *samplers = tl_gltf_check_list(c, animations->items[i], "samplers", TL_JSON_OBJECT, true);
        const tl_json *channels = tl_gltf_check_list(c, animations->items[i], "channels", TL_JSON_OBJECT, true);
        uint64_t number = 0;
        for (const tl_json *sampler = samplers ? samplers->first : NULL; sampler; sampler = sampler->next, number++) {
            gltf_enter(c, "samplers", number);
            gltf_check_sampler(c, sampler);
            gltf_leave(c);
        }
        if (samplers && channels)
            gltf_check_channels(c, channels, samplers, i, driven);
        gltf_leave(c);
    }
}

/* Animations: times that rise, as many values as keys need, targets that are there. */
#include "formats/gltf/check/check.h"

#include "base/sort.h"
#include <string.h>

typedef enum motion_path { MOVES_NOTHING, MOVES_TRANSLATION, MOVES_ROTATION, MOVES_SCALE, MOVES_WEIGHTS } motion_path;

static bool is(trilo_str text, const char *name)
{
    return text.len == strlen(name) && memcmp(text.data, name, text.len) == 0;
}

static motion_path path_of(const tl_json *target)
{
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    const trilo_str path = tl_json_string(tl_json_member(target, "path"));
    for (size_t i = 0; i < TL_COUNT_OF(names); i++)
        if (is(path, names[i]))
            return (motion_path)(i + 1);
    return MOVES_NOTHING;
}

/* --- samplers --- */

static bool times_rise(gltf_facts *facts)
{
    const gltf_accessor *a = &facts->accessor;
    float before = 0, time;
    for (uint32_t i = 0; facts->rises != RISES_NOT && facts->rises != RISES && i < a->count; i++, before = time) {
        tl_gltf_element(a, i, false, &time, 1);
        if (i > 0 && !(time > before))
            facts->rises = RISES_NOT;
    }
    if (facts->rises == RISES_UNKNOWN)
        facts->rises = RISES;
    return facts->rises == RISES;
}

static void check_times(gltf_checker *c, const tl_json *sampler)
{
    const tl_json *value = tl_json_member(sampler, "input");
    gltf_facts *times = tl_gltf_need_accessor(c, sampler, "input", true);
    if (!times)
        return;
    if (times->accessor.width != 1 || times->accessor.component != GLTF_F32)
        GLTF_TELL(c, GLTF_R_ANIMATION, value, "times must be SCALAR of floats");
    else if (times->accessor.count == 0)
        GLTF_TELL(c, GLTF_R_ANIMATION, value, "an animation needs at least one key");
    else if (tl_gltf_all_finite(c, times, value) && !times_rise(times))
        GLTF_TELL(c, GLTF_R_KEYS, value, "each time must be later than the one before; keys that are not are left out");
}

static void check_sampler(gltf_checker *c, const tl_json *sampler)
{
    const tl_json *mode = tl_gltf_need(c, sampler, "interpolation", TL_JSON_STRING, false);
    gltf_facts *values = tl_gltf_need_accessor(c, sampler, "output", true);
    check_times(c, sampler);
    if (values)
        tl_gltf_all_finite(c, values, tl_json_member(sampler, "output"));
    if (mode && !is(mode->string, "LINEAR") && !is(mode->string, "STEP") && !is(mode->string, "CUBICSPLINE"))
        GLTF_TELL(c, GLTF_R_ANIMATION, mode, "interpolation must be LINEAR, STEP or CUBICSPLINE");
}

/* --- channels --- */

/* Values for one key. */
static uint64_t values_needed(const gltf_checker *c, const tl_json *sampler, motion_path path, uint32_t node)
{
    const bool cubic = is(tl_json_string(tl_json_member(sampler, "interpolation")), "CUBICSPLINE");
    uint64_t count = cubic ? 3 : 1;
    if (path == MOVES_WEIGHTS) {
        const tl_json *json = tl_gltf_item(c->file, GLTF_NODES, node);
        const uint32_t mesh = tl_gltf_index(c->file, json, "mesh", GLTF_MESHES, NULL);
        count *= mesh == TRILO_NONE ? 0 : c->morphs[mesh];
    }
    return count;
}

/* Do the values of a sampler fit what the channel moves? */
static void check_values(gltf_checker *c, const tl_json *channel, const tl_json *sampler, motion_path path,
                         uint32_t node)
{
    static const uint8_t widths[] = {0, 3, 4, 3, 1};
    const uint32_t times = tl_gltf_index(c->file, sampler, "input", GLTF_ACCESSORS, NULL);
    const uint32_t values = tl_gltf_index(c->file, sampler, "output", GLTF_ACCESSORS, NULL);
    if (times == TRILO_NONE || values == TRILO_NONE || !c->facts[times].readable || !c->facts[values].readable)
        return;
    const gltf_accessor *a = &c->facts[values].accessor;
    const bool floats = a->component == GLTF_F32, whole = a->component != GLTF_U32 && !floats;
    const bool may_be_whole = path == MOVES_ROTATION || path == MOVES_WEIGHTS;
    const uint64_t wanted = values_needed(c, sampler, path, node) * c->facts[times].accessor.count;
    if (a->matrix || a->width != widths[path] || !(floats || (may_be_whole && whole)))
        GLTF_TELL(c, GLTF_R_ANIMATION, channel, "the values of its sampler are of a type that cannot move a %s",
                  tl_json_string(tl_json_member(tl_json_member(channel, "target"), "path")).data);
    else if (a->count != wanted)
        GLTF_TELL(c, GLTF_R_ANIMATION, channel, "its sampler has %u values, %llu are needed for %u keys",
                  (unsigned)a->count, (unsigned long long)wanted, (unsigned)c->facts[times].accessor.count);
}

/* What a channel moves, as a number: equal ones move the same. 0: nothing that is there. */
static int64_t check_channel(gltf_checker *c, const tl_json *channel, const tl_json **samplers, uint32_t sampler_count)
{
    uint32_t sampler = 0;
    const tl_json *which = tl_gltf_need(c, channel, "sampler", TL_JSON_NUMBER, true);
    const tl_json *target = tl_gltf_need(c, channel, "target", TL_JSON_OBJECT, true);
    const uint32_t node = tl_gltf_need_index(c, target, "node", GLTF_NODES, false);
    const motion_path path = path_of(target);
    if (which && (!tl_json_uint(which, &sampler) || sampler >= sampler_count)) {
        GLTF_TELL(c, GLTF_R_INDEX, which, "sampler is %.9g, but the animation has %u", which->number,
                  (unsigned)sampler_count);
        return 0;
    }
    if (!which || !target)
        return 0;
    if (path == MOVES_NOTHING || node == TRILO_NONE) {
        if (!tl_json_member(target, "node") || path == MOVES_NOTHING)
            GLTF_TELL(c, GLTF_R_LOST_CHANNEL, target,
                      path == MOVES_NOTHING ? "it moves something other than a node or morph targets"
                                            : "it names no node that it would move");
        return 0;
    }
    check_values(c, channel, samplers[sampler], path, node);
    return (int64_t)node * 8 + path;
}

static int64_t key_of(const void *rows, uint32_t row)
{
    return ((const int64_t *)rows)[row];
}

/* Two channels for one thing: which of them counts? */
static void check_doubles(gltf_checker *c, const tl_json *channels, const int64_t *moved, uint32_t *order)
{
    tl_sort_rows(order, channels->count, key_of, moved);
    for (uint32_t i = 1; i < channels->count; i++)
        if (moved[order[i]] != 0 && moved[order[i]] == moved[order[i - 1]]) {
            gltf_enter(c, "channels", order[i]);
            GLTF_TELL(c, GLTF_R_KEYS, channels, "moves the same as channel %u and is left out", (unsigned)order[i - 1]);
            gltf_leave(c);
        }
}

static void check_channels(gltf_checker *c, const tl_json *channels, const tl_json *samplers)
{
    const tl_json **list = tl_json_list(c->scratch, samplers);
    int64_t *moved = TL_ARRAY(c->scratch, channels->count, int64_t);
    uint32_t *order = TL_ARRAY(c->scratch, channels->count, uint32_t);
    if (!list || !moved || !order) {
        tl_report_finding(c->report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE, "no memory to look at channels");
        return;
    }
    uint32_t number = 0;
    for (const tl_json *channel = channels->first; channel; channel = channel->next, number++) {
        gltf_enter(c, "channels", number);
        moved[number] = check_channel(c, channel, list, samplers->count);
        gltf_leave(c);
    }
    check_doubles(c, channels, moved, order);
}

static void check_animation(gltf_checker *c, const tl_json *animation)
{
    const tl_json *samplers = tl_gltf_need_list(c, animation, "samplers", TL_JSON_OBJECT, true);
    const tl_json *channels = tl_gltf_need_list(c, animation, "channels", TL_JSON_OBJECT, true);
    uint64_t number = 0;
    for (const tl_json *sampler = samplers ? samplers->first : NULL; sampler; sampler = sampler->next, number++) {
        gltf_enter(c, "samplers", number);
        check_sampler(c, sampler);
        gltf_leave(c);
    }
    if (samplers && channels)
        check_channels(c, channels, samplers);
}

void tl_gltf_check_animations(gltf_checker *c)
{
    const gltf_table *animations = &c->file->tables[GLTF_ANIMATIONS];
    for (uint32_t i = 0; i < animations->count; i++) {
        gltf_enter(c, "animations", i);
        check_animation(c, animations->items[i]);
        gltf_leave(c);
    }
}

/* Single values of Fast64 data. Each has a type and a range; anything else is a problem. */
#include "base/strict_float.h"
#include "formats/gltf/fast64/settings.h"

#include <float.h>
#include <string.h>

enum { FAST64_MAX_MEMBERS = 1024 }; /* Fast64 writes about 80 */

void tl_fast64_problem(fast64_reader *r, const tl_json *where, const char *problem)
{
    if (r->where)
        return;
    r->where = where;
    r->problem = problem;
}

const tl_json *tl_fast64_member(const tl_json *object, const char *key)
{
    if (!object || object->kind != TL_JSON_OBJECT)
        return NULL;
    const size_t length = strlen(key);
    const tl_json *member = object->first;
    for (int i = 0; member && i < FAST64_MAX_MEMBERS; i++, member = member->next)
        if (member->key.len == length && memcmp(member->key.data, key, length) == 0)
            return member->kind == TL_JSON_NULL ? NULL : member;
    return NULL;
}

const tl_json *tl_fast64_object(fast64_reader *r, const tl_json *object, const char *key, const char *problem)
{
    const tl_json *value = tl_fast64_member(object, key);
    if (!value || value->kind == TL_JSON_OBJECT)
        return value;
    tl_fast64_problem(r, value, problem);
    return NULL;
}

/* A missing member is reported at its object. */
static void fast64_bad_value(fast64_reader *r, const tl_json *object, const tl_json *value, const char *problem)
{
    tl_fast64_problem(r, value ? value : object, problem);
}

int32_t tl_fast64_int(fast64_reader *r, const tl_json *object, const char *key, int32_t low, int32_t high,
                      const char *problem)
{
    const tl_json *value = tl_fast64_member(object, key);
    if (value && value->kind == TL_JSON_NUMBER && value->number >= low && value->number <= high) {
        const int32_t whole = (int32_t)value->number;
        if ((double)whole == value->number)
            return whole;
    }
    fast64_bad_value(r, object, value, problem);
    return 0;
}

/* Blender writes 0 and 1 for properties that were never changed, true and false for others. */
bool tl_fast64_flag(fast64_reader *r, const tl_json *object, const char *key, const char *problem)
{
    const tl_json *value = tl_fast64_member(object, key);
    if (value && (value->kind == TL_JSON_TRUE || value->kind == TL_JSON_FALSE))
        return value->kind == TL_JSON_TRUE;
    if (value && value->kind == TL_JSON_NUMBER && (value->number == 0 || value->number == 1))
        return value->number == 1;
    fast64_bad_value(r, object, value, problem);
    return false;
}

bool tl_fast64_on(const tl_json *object, const char *key)
{
    return tl_json_bool(tl_fast64_member(object, key), false);
}

const tl_json *tl_fast64_array(fast64_reader *r, const tl_json *object, const char *key, uint32_t low, uint32_t high,
                               const char *problem)
{
    const tl_json *array = tl_fast64_member(object, key);
    if (array && array->kind == TL_JSON_ARRAY && array->count >= low && array->count <= high)
        return array->first;
    fast64_bad_value(r, object, array, problem);
    return NULL;
}

static bool fast64_is_float(const tl_json *value)
{
    return value && value->kind == TL_JSON_NUMBER && value->number >= -(double)FLT_MAX &&
           value->number <= (double)FLT_MAX;
}

float tl_fast64_float(fast64_reader *r, const tl_json *object, const char *key, const char *problem)
{
    const tl_json *value = tl_fast64_member(object, key);
    if (fast64_is_float(value))
        return (float)value->number;
    fast64_bad_value(r, object, value, problem);
    return 0;
}

void tl_fast64_floats(fast64_reader *r, const tl_json *object, const char *key, float out[4], const char *problem)
{
    const tl_json *value = tl_fast64_array(r, object, key, 4, 4, problem);
    for (int i = 0; value && i < 4; i++, value = value->next) {
        if (fast64_is_float(value))
            out[i] = (float)value->number;
        else
            tl_fast64_problem(r, value, problem);
    }
}

void tl_fast64_size(fast64_reader *r, const tl_json *object, const char *key, fast64_image *image, const char *problem)
{
    const tl_json *value = tl_fast64_array(r, object, key, 2, 2, problem);
    uint16_t *const sides[2] = {&image->width, &image->height};
    for (int i = 0; value && i < 2; i++, value = value->next) {
        uint32_t side;
        if (tl_json_uint(value, &side) && side <= UINT16_MAX)
            *sides[i] = (uint16_t)side;
        else
            tl_fast64_problem(r, value, problem);
    }
}

uint32_t tl_fast64_reference(fast64_reader *r, const tl_json *object, const char *key, const char *problem)
{
    const tl_json *value = tl_fast64_member(object, key);
    const trilo_str text = tl_json_string(value);
    const bool hex = text.len > 2 && text.data[0] == '0' && (text.data[1] == 'x' || text.data[1] == 'X');
    const int base = hex ? 16 : 10;
    uint64_t number = 0;
    bool good = value && value->kind == TL_JSON_STRING && text.len > 0;
    for (size_t i = hex ? 2 : 0; good && i < text.len; i++) {
        const int digit = gltf_hex_digit(text.data[i]);
        number = number * (uint64_t)base + (uint64_t)(digit > 0 ? digit : 0);
        good = digit >= 0 && digit < base && number <= UINT32_MAX;
    }
    if (good)
        return (uint32_t)number;
    fast64_bad_value(r, object, value, problem);
    return 0;
}

trilo_n64_axis tl_fast64_axis(fast64_reader *r, const tl_json *object)
{
    trilo_n64_axis axis = {0};
    axis.low = tl_fast64_float(r, object, "low", "low of a texture axis is required, a number");
    axis.high = tl_fast64_float(r, object, "high", "high of a texture axis is required, a number");
    axis.mask = (int8_t)tl_fast64_int(r, object, "mask", INT8_MIN, INT8_MAX,
                                      "mask of a texture axis is required, an integer from -128 to 127");
    axis.shift = (int8_t)tl_fast64_int(r, object, "shift", INT8_MIN, INT8_MAX,
                                       "shift of a texture axis is required, an integer from -128 to 127");
    if (tl_fast64_member(object, "clamp"))
        axis.clamp = tl_fast64_flag(r, object, "clamp", "clamp of a texture axis must be true or false, or 1 or 0");
    if (tl_fast64_member(object, "mirror"))
        axis.mirror = tl_fast64_flag(r, object, "mirror", "mirror of a texture axis must be true or false, or 1 or 0");
    return axis;
}

uint16_t tl_fast64_span(const trilo_n64_axis *axis)
{
    const float span = axis->high - axis->low + 1;
    if (span >= 0 && span < (float)UINT16_MAX + 1)
        return (uint16_t)span;
    return 0;
}

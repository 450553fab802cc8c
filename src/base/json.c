/* Access to the values that json_read.c has read. */
#include "base/json.h"
#include "base/strict_float.h"

static bool json_is_number(const tl_json *value)
{
    return value && value->kind == TL_JSON_NUMBER;
}

bool tl_json_bool(const tl_json *value, bool fallback)
{
    if (json_is_number(value))
        return value->number != 0;
    if (!value || (value->kind != TL_JSON_TRUE && value->kind != TL_JSON_FALSE))
        return fallback;
    return value->kind == TL_JSON_TRUE;
}

double tl_json_number(const tl_json *value, double fallback)
{
    return json_is_number(value) ? value->number : fallback;
}

trilo_str tl_json_string(const tl_json *value)
{
    return value && value->kind == TL_JSON_STRING ? value->string : (trilo_str){"", 0};
}

bool tl_json_numbers(const tl_json *array, double *out, uint32_t room)
{
    if (!array || array->kind != TL_JSON_ARRAY || array->count != room)
        return false;
    for (const tl_json *value = array->first; value; value = value->next)
        if (!json_is_number(value))
            return false;
    for (const tl_json *value = array->first; value; value = value->next)
        *out++ = value->number;
    return true;
}

const tl_json **tl_json_list(tl_arena *arena, const tl_json *value)
{
    const uint32_t count = value ? value->count : 0;
    const tl_json **list = tl_array_raw(arena, count, sizeof *list);
    if (!list)
        return NULL;
    const tl_json *child = value ? value->first : NULL;
    for (uint32_t i = 0; i < count; i++, child = child->next)
        list[i] = child;
    return list;
}

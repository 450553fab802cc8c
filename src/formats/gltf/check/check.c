/* The order of the check, and asking for members with a finding when they are not as they should be. */
#include "formats/gltf/check/check.h"

static const char *kind_name(tl_json_kind kind)
{
    switch (kind) {
    case TL_JSON_OBJECT:
        return "an object, in { }";
    case TL_JSON_ARRAY:
        return "an array, in [ ]";
    case TL_JSON_STRING:
        return "a string";
    default:
        return "a number";
    }
}

const tl_json *tl_gltf_need(gltf_checker *c, const tl_json *object, const char *key, tl_json_kind kind, bool needed)
{
    const tl_json *value = tl_json_member(object, key);
    if (value && value->kind == kind)
        return value;
    if (value || needed)
        GLTF_TELL(c, GLTF_R_STRUCTURE, value ? value : object, "%s must be %s", key, kind_name(kind));
    return NULL;
}

const tl_json *tl_gltf_need_list(gltf_checker *c, const tl_json *object, const char *key, tl_json_kind each,
                                 bool needed)
{
    const tl_json *list = tl_gltf_need(c, object, key, TL_JSON_ARRAY, needed);
    for (const tl_json *item = list ? list->first : NULL; item; item = item->next)
        if (item->kind != each) {
            GLTF_TELL(c, GLTF_R_STRUCTURE, item, "each of the %s must be %s", key, kind_name(each));
            return NULL;
        }
    return list;
}

static void tell_index(gltf_checker *c, const tl_json *value, const char *key, gltf_array array)
{
    const uint32_t count = c->file->tables[array].count;
    if (value->kind != TL_JSON_NUMBER)
        GLTF_TELL(c, GLTF_R_STRUCTURE, value, "%s must be the index of one of the %s", key, tl_gltf_array_name(array));
    else if (count == 0)
        GLTF_TELL(c, GLTF_R_INDEX, value, "%s is %.9g, but there are no %s", key, value->number,
                  tl_gltf_array_name(array));
    else
        GLTF_TELL(c, GLTF_R_INDEX, value, "%s is %.9g, but the %s go from 0 to %u", key, value->number,
                  tl_gltf_array_name(array), (unsigned)(count - 1));
}

uint32_t tl_gltf_need_index(gltf_checker *c, const tl_json *object, const char *key, gltf_array array, bool needed)
{
    bool bad;
    const uint32_t index = tl_gltf_index(c->file, object, key, array, &bad);
    if (bad)
        tell_index(c, tl_json_member(object, key), key, array);
    else if (index == TRILO_NONE && needed)
        GLTF_TELL(c, GLTF_R_STRUCTURE, object, "needs a member called %s", key);
    return index;
}

const tl_json *tl_gltf_need_indices(gltf_checker *c, const tl_json *object, const char *key, gltf_array array,
                                    bool needed)
{
    const tl_json *list = tl_gltf_need(c, object, key, TL_JSON_ARRAY, needed);
    bool good = true;
    uint64_t number = 0;
    for (const tl_json *item = list ? list->first : NULL; item; item = item->next, number++) {
        uint32_t index;
        if (tl_json_uint(item, &index) && index < c->file->tables[array].count)
            continue;
        gltf_enter(c, key, number);
        tell_index(c, item, "the index", array);
        gltf_leave(c);
        good = false;
    }
    return good ? list : NULL;
}

gltf_facts *tl_gltf_need_accessor(gltf_checker *c, const tl_json *object, const char *key, bool needed)
{
    const tl_json *member = tl_json_member(object, key);
    if (!member && needed)
        GLTF_TELL(c, GLTF_R_STRUCTURE, object, "needs a member called %s", key);
    return member ? tl_gltf_accessor_in(c, member) : NULL;
}

gltf_facts *tl_gltf_accessor_in(gltf_checker *c, const tl_json *member)
{
    uint32_t index;
    if (tl_json_uint(member, &index) && index < c->file->tables[GLTF_ACCESSORS].count)
        return c->facts[index].readable ? &c->facts[index] : NULL;
    tell_index(c, member, member->key.data, GLTF_ACCESSORS);
    return NULL;
}

bool tl_gltf_all_finite(gltf_checker *c, gltf_facts *facts, const tl_json *where)
{
    if (facts->broken == TRILO_NONE)
        return true;
    if (!facts->told)
        GLTF_TELL(c, GLTF_R_NAN, where, "element %u is infinite or not a number", (unsigned)facts->broken);
    facts->told = true;
    return false;
}

static bool make_room(gltf_checker *c)
{
    const gltf_table *tables = c->file->tables;
    c->facts = TL_ARRAY(c->scratch, tables[GLTF_ACCESSORS].count, gltf_facts);
    c->parents = TL_ARRAY(c->scratch, tables[GLTF_NODES].count, uint32_t);
    c->morphs = TL_ARRAY(c->scratch, tables[GLTF_MESHES].count, uint32_t);
    c->materials_met = TL_ARRAY(c->scratch, tables[GLTF_MATERIALS].count, bool);
    c->shown = TL_ARRAY(c->scratch, tables[GLTF_NODES].count, bool);
    return c->facts && c->parents && c->morphs && c->materials_met && c->shown;
}

/* Without its bytes or its extensions nothing true can be said about the rest of a file. */
void tl_gltf_check(const void *gltf, tl_arena *scratch, tl_report *report)
{
    gltf_checker c = {.file = gltf, .scratch = scratch, .report = report};
    if (!make_room(&c)) {
        tl_report_finding(report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE, "no memory to look at the file");
        return;
    }
    if (!tl_gltf_check_container(&c) || !tl_gltf_check_extensions(&c) || !tl_gltf_check_bytes(&c))
        return;
    tl_gltf_check_textures(&c);
    tl_gltf_check_meshes(&c);
    tl_gltf_check_materials(&c);
    tl_gltf_check_nodes(&c);
    tl_gltf_check_skins(&c);
    tl_gltf_check_animations(&c);
    if (!report->errors_only)
        tl_gltf_check_losses(&c);
}

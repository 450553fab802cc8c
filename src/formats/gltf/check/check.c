/* The order of the check, and members that are reported when they are missing or of the wrong kind. */
#include "formats/gltf/check/check.h"

static const char *gltf_json_kind_name(tl_json_kind kind)
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

const tl_json *tl_gltf_check_kind(gltf_checker *c, const tl_json *object, const tl_json *value, const char *key,
                                  tl_json_kind kind, bool required)
{
    if (value && value->kind == kind)
        return value;
    if (value || required)
        GLTF_REPORT(c, GLTF_R_STRUCTURE, value ? value : object, "%s must be %s", key, gltf_json_kind_name(kind));
    return NULL;
}

const tl_json *tl_gltf_check_list(gltf_checker *c, const tl_json *object, const char *key, tl_json_kind each,
                                  bool required)
{
    const tl_json *list = tl_gltf_check_member(c, object, key, TL_JSON_ARRAY, required);
    for (const tl_json *item = list ? list->first : NULL; item; item = item->next)
        if (item->kind != each) {
            GLTF_REPORT(c, GLTF_R_STRUCTURE, item, "each of the %s must be %s", key, gltf_json_kind_name(each));
            return NULL;
        }
    return list;
}

static void gltf_report_index(gltf_checker *c, const tl_json *value, const char *key, gltf_array array)
{
    const uint32_t count = c->file->tables[array].count;
    if (value->kind != TL_JSON_NUMBER)
        GLTF_REPORT(c, GLTF_R_STRUCTURE, value, "%s must be the index of one of the %s", key,
                    tl_gltf_array_name(array));
    else if (count == 0)
        GLTF_REPORT(c, GLTF_R_INDEX, value, "%s is %.9g, but there are no %s", key, value->number,
                    tl_gltf_array_name(array));
    else
        GLTF_REPORT(c, GLTF_R_INDEX, value, "%s is %.9g, but the %s go from 0 to %u", key, value->number,
                    tl_gltf_array_name(array), (unsigned)(count - 1));
}

uint32_t tl_gltf_check_index(gltf_checker *c, const tl_json *object, const char *key, gltf_array array, bool required)
{
    bool bad;
    const tl_json *value = tl_json_member(object, key);
    const uint32_t index = tl_gltf_index_of(c->file, value, array, &bad);
    if (value && bad)
        gltf_report_index(c, value, key, array);
    else if (index == TRILO_NONE && required)
        tl_gltf_report_missing(c, object, key);
    return index;
}

const tl_json *tl_gltf_check_indices(gltf_checker *c, const tl_json *object, const char *key, gltf_array array,
                                     bool required)
{
    const tl_json *list = tl_gltf_check_member(c, object, key, TL_JSON_ARRAY, required);
    bool good = true;
    uint64_t number = 0;
    for (const tl_json *item = list ? list->first : NULL; item; item = item->next, number++) {
        uint32_t index;
        if (tl_json_uint(item, &index) && index < c->file->tables[array].count)
            continue;
        gltf_enter(c, key, number);
        gltf_report_index(c, item, "the index", array);
        gltf_leave(c);
        good = false;
    }
    return good ? list : NULL;
}

void tl_gltf_report_missing(gltf_checker *c, const tl_json *object, const char *key)
{
    GLTF_REPORT(c, GLTF_R_STRUCTURE, object, "needs a member called %s", key);
}

gltf_accessor_facts *tl_gltf_check_accessor_value(gltf_checker *c, const tl_json *member)
{
    uint32_t index;
    if (tl_json_uint(member, &index) && index < c->file->tables[GLTF_ACCESSORS].count)
        return c->facts[index].readable ? &c->facts[index] : NULL;
    gltf_report_index(c, member, member->key.data, GLTF_ACCESSORS);
    return NULL;
}

bool tl_gltf_check_finite(gltf_checker *c, gltf_accessor_facts *facts, const tl_json *where)
{
    if (facts->non_finite == TRILO_NONE)
        return true;
    if (!facts->reported)
        GLTF_REPORT(c, GLTF_R_NAN, where, "element %u is infinite or NaN", (unsigned)facts->non_finite);
    facts->reported = true;
    return false;
}

static void gltf_check_conformance(gltf_checker *c)
{
    tl_gltf_conform_properties(c);
    tl_gltf_conform_views(c);
    tl_gltf_conform_images(c);
    tl_gltf_conform_meshes(c);
    tl_gltf_conform_nodes(c);
    tl_gltf_conform_skins(c);
    tl_gltf_conform_animations(c);
    tl_gltf_conform_elements(c);
}

/* When buffers or extensions have errors, the rest is not checked: its findings would not be reliable. */
void tl_gltf_check(const void *gltf, tl_arena *scratch, tl_report *report)
{
    gltf_checker c = {.file = gltf, .scratch = scratch, .report = report};
    const gltf_table *tables = c.file->tables;
    c.facts = TL_ARRAY(scratch, tables[GLTF_ACCESSORS].count, gltf_accessor_facts);
    c.bounds = tl_array_raw(scratch, tables[GLTF_ACCESSORS].count, sizeof *c.bounds);
    c.parents = TL_ARRAY(scratch, tables[GLTF_NODES].count, uint32_t);
    c.target_counts = TL_ARRAY(scratch, tables[GLTF_MESHES].count, uint32_t);
    c.materials_used = TL_ARRAY(scratch, tables[GLTF_MATERIALS].count, bool);
    c.in_scene = TL_ARRAY(scratch, tables[GLTF_NODES].count, bool);
    c.hidden = TL_ARRAY(scratch, tables[GLTF_NODES].count, bool);
    c.views = TL_ARRAY(scratch, tables[GLTF_BUFFER_VIEWS].count, gltf_view_facts);
    c.refused = TL_ARRAY(scratch, c.file->json.size / 8 + 1, uint8_t);
    if (!c.facts || !c.bounds || !c.parents || !c.target_counts || !c.materials_used || !c.in_scene || !c.hidden ||
        !c.views || !c.refused || !tl_gltf_mark_scene(&c)) {
        tl_report_finding(report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to check the file");
        return;
    }
    tl_gltf_check_container(&c);
    if (tl_gltf_check_extensions(&c) && tl_gltf_check_buffers(&c)) {
        tl_gltf_check_textures(&c);
        tl_gltf_check_meshes(&c);
        tl_gltf_check_materials(&c);
        tl_gltf_check_nodes(&c);
        tl_gltf_check_skins(&c);
        tl_gltf_check_animations(&c);
        if (!report->errors_only)
            tl_gltf_check_losses(&c);
    }
    if (!report->errors_only)
        gltf_check_conformance(&c);
}

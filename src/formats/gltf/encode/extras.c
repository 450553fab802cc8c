/* Extras and extensions of the source, written where they were.
 *
 * An extension that refers to other objects by index is left out: indices may have changed. */
#include "formats/gltf/encode/encode.h"

/* Nested one level deeper than this inside the file, the JSON reader accepts it. */
enum { GLTF_EXTRAS_DEPTH = 56 };

static const char gltf_n64_key[] = "trilobite_n64";

static void gltf_report_lost_extras(gltf_encoder *e, const char *what, const char *why)
{
    tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_EXTRAS), TRILO_NOWHERE, "%s: %s", what, why);
}

/* NULL: there is none, or it is not JSON, which is reported. */
static const tl_json *gltf_parse_extras(gltf_encoder *e, trilo_str json, const char *what)
{
    const tl_json_limits limits = {.depth = GLTF_EXTRAS_DEPTH};
    trilo_error err = {0};
    if (!json.data || json.len == 0 || e->failed)
        return NULL;
    const trilo_bytes text = {(const uint8_t *)json.data, json.len};
    const tl_json *value = tl_json_read(e->arena, text, &limits, gltf_rule(GLTF_R_JSON), 0, &err);
    if (!value && err.code == TRILO_CODE_NO_MEMORY)
        e->failed = true;
    else if (!value)
        gltf_report_lost_extras(e, what, "not JSON, or nested too deeply, not written");
    return value;
}

static void gltf_put_json(tl_json_writer *w, trilo_str json, const tl_json *value)
{
    tl_json_put_raw(w, json.data + value->at, value->end - value->at);
}

/* A member whose value is an object with these members; nothing when there are none. */
static void gltf_put_object(tl_json_writer *w, const char *key, const tl_json_writer *members)
{
    w->failed = w->failed || members->failed;
    if (members->size == 0)
        return;
    tl_json_key(w, key);
    tl_json_open(w, '{');
    tl_json_append(w, members->text, members->size);
    tl_json_close(w, '}');
}

/* A trilobite_n64 in the source's extras is stale and left out. */
void tl_gltf_put_extras(gltf_encoder *e, tl_json_writer *w, trilo_str json, const tl_json_writer *n64)
{
    const tl_json *extras = gltf_parse_extras(e, json, "extras");
    const bool is_object = extras && extras->kind == TL_JSON_OBJECT;
    tl_json_writer members = tl_json_writer_in(e->arena);
    if (extras && !is_object && !n64) {
        tl_json_key(w, "extras");
        gltf_put_json(w, json, extras);
        return;
    }
    if (n64) {
        tl_json_key(&members, gltf_n64_key);
        tl_json_put_raw(&members, n64->text, n64->size);
        w->failed = w->failed || n64->failed;
    }
    for (const tl_json *m = is_object ? extras->first : NULL; m; m = m->next)
        if (!gltf_str_is(m->key, gltf_n64_key)) {
            tl_json_key_str(&members, m->key);
            gltf_put_json(&members, json, m);
        }
    if (extras && !is_object)
        gltf_report_lost_extras(e, "extras", "not an object, replaced by the N64 settings");
    gltf_put_object(w, "extras", &members);
}

/* --- extensions --- */

bool tl_gltf_use_extension(gltf_encoder *e, trilo_str name)
{
    for (uint32_t i = 0; i < e->extension_count; i++)
        if (e->extensions[i].len == name.len && memcmp(e->extensions[i].data, name.data, name.len) == 0)
            return true;
    if (e->extension_count == GLTF_MAX_EXTENSIONS)
        return false;
    e->extensions[e->extension_count++] = name;
    return true;
}

/* True if an extension refers to accessors or nodes, or contains a textureInfo, such as {"index": 3}. */
static bool gltf_has_references(const tl_json *extension)
{
    const tl_json *stack[GLTF_EXTRAS_DEPTH + 1]; /* the next sibling of each level */
    uint32_t depth = 0, index;
    if (gltf_str_is(extension->key, "EXT_mesh_gpu_instancing") || gltf_str_is(extension->key, "MSFT_lod"))
        return true;
    stack[depth++] = extension->first;
    while (depth > 0) {
        const tl_json *v = stack[--depth];
        if (!v)
            continue;
        if (v->key.data && gltf_str_is(v->key, "index") && tl_json_uint(v, &index))
            return true;
        stack[depth++] = v->next;
        stack[depth++] = v->first;
    }
    return false;
}

void tl_gltf_put_extensions(gltf_encoder *e, tl_json_writer *w, trilo_str json, const char *own)
{
    const tl_json *extensions = gltf_parse_extras(e, json, "extensions");
    tl_json_writer members = tl_json_writer_in(e->arena);
    if (own && tl_gltf_use_extension(e, (trilo_str){own, strlen(own)})) {
        tl_json_key(&members, own);
        tl_json_put_raw(&members, "{}", 2);
    }
    if (extensions && extensions->kind != TL_JSON_OBJECT)
        gltf_report_lost_extras(e, "extensions", "not an object, not written");
    for (const tl_json *m = extensions ? extensions->first : NULL; m; m = m->next) {
        char name[64];
        if (!m->key.data || (own && gltf_str_is(m->key, own)))
            continue;
        tl_escape(m->key.data, name, sizeof name);
        if (gltf_has_references(m))
            gltf_report_lost_extras(e, name, "refers to items by index, which may have changed, not written");
        else if (!tl_gltf_use_extension(e, m->key))
            gltf_report_lost_extras(e, name, "too many extensions, not written");
        else {
            tl_json_key_str(&members, m->key);
            gltf_put_json(&members, json, m);
        }
    }
    gltf_put_object(w, "extensions", &members);
}

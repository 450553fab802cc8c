/* What a glTF file said beyond its standard goes back to where it was.
 *
 * An extension that points to other things by number is left out: the numbers may be others now. */
#include "formats/gltf/encode/encode.h"

#include <string.h>

/* As deep as the reader takes it again, inside the file. */
enum { DEPTH = 56 };

static const char own_key[] = "trilobite_n64";

static bool same_key(trilo_str key, const char *text)
{
    return key.len == strlen(text) && memcmp(key.data, text, key.len) == 0;
}

static void lose(gltf_encoder *e, const char *what, const char *why)
{
    tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_EXTRAS), TRILO_NOWHERE, "%s: %s", what, why);
}

/* NULL: there are none, or they are no JSON. */
static const tl_json *parse(gltf_encoder *e, trilo_str notes, const char *what)
{
    const tl_json_limits limits = {.depth = DEPTH};
    trilo_error err = {0};
    if (!notes.data || notes.len == 0 || e->failed)
        return NULL;
    const trilo_bytes text = {(const uint8_t *)notes.data, notes.len};
    const tl_json *value = tl_json_read(e->arena, text, &limits, gltf_rule(GLTF_R_JSON), 0, &err);
    if (!value && err.code == TRILO_CODE_NO_MEMORY)
        e->failed = true;
    else if (!value)
        lose(e, what, "not JSON, or nested too deeply, not written");
    return value;
}

static void put_value(tl_json_writer *w, trilo_str notes, const tl_json *value)
{
    tl_json_put_raw(w, notes.data + value->at, value->end - value->at);
}

/* Ours of an earlier time gives way. */
static void put_members(tl_json_writer *w, trilo_str notes, const tl_json *object)
{
    for (const tl_json *m = object->first; m; m = m->next)
        if (!same_key(m->key, own_key)) {
            tl_json_key_str(w, m->key);
            put_value(w, notes, m);
        }
}

/* Members as a member: an object, unless there are none. */
static void put_object(tl_json_writer *w, const char *key, const tl_json_writer *members)
{
    w->failed = w->failed || members->failed;
    if (members->size == 0)
        return;
    tl_json_key(w, key);
    tl_json_open(w, '{');
    tl_json_append(w, members->text, members->size);
    tl_json_close(w, '}');
}

void tl_gltf_put_extras(gltf_encoder *e, tl_json_writer *w, trilo_str notes, const tl_json_writer *state)
{
    const tl_json *extras = parse(e, notes, "extras");
    tl_json_writer members = tl_json_writer_in(e->arena);
    if (extras && extras->kind != TL_JSON_OBJECT && !state) {
        tl_json_key(w, "extras");
        put_value(w, notes, extras);
        return;
    }
    if (state) {
        tl_json_key(&members, own_key);
        tl_json_put_raw(&members, state->text, state->size);
        w->failed = w->failed || state->failed;
    }
    if (extras && extras->kind == TL_JSON_OBJECT)
        put_members(&members, notes, extras);
    else if (extras)
        lose(e, "extras", "not an object, replaced by the N64 settings");
    put_object(w, "extras", &members);
}

/* --- extensions --- */

bool tl_gltf_use_extension(gltf_encoder *e, trilo_str name)
{
    for (uint32_t i = 0; i < e->extension_count; i++)
        if (e->extensions[i].len == name.len && memcmp(e->extensions[i].data, name.data, name.len) == 0)
            return true;
    if (e->extension_count == GLTF_MOST_EXTENSIONS)
        return false;
    e->extensions[e->extension_count++] = name;
    return true;
}

/* These point to accessors and nodes. */
static bool is_known_to_point(trilo_str name)
{
    return same_key(name, "EXT_mesh_gpu_instancing") || same_key(name, "MSFT_lod");
}

/* Is there an "index": 3 anywhere inside? That is how textures are named. */
static bool names_textures(const tl_json *value)
{
    const tl_json *stack[DEPTH + 1]; /* what comes behind each level */
    uint32_t depth = 0, index;
    stack[depth++] = value->first;
    while (depth > 0) {
        const tl_json *v = stack[--depth];
        if (!v)
            continue;
        if (v->key.data && same_key(v->key, "index") && tl_json_uint(v, &index))
            return true;
        stack[depth++] = v->next;
        stack[depth++] = v->first;
    }
    return false;
}

static void put_extension(gltf_encoder *e, tl_json_writer *w, trilo_str notes, const tl_json *extension)
{
    char name[64];
    tl_escape(extension->key.data, name, sizeof name);
    if (names_textures(extension) || is_known_to_point(extension->key))
        lose(e, name, "refers to items by index, which may have changed, not written");
    else if (!tl_gltf_use_extension(e, extension->key))
        lose(e, name, "too many extensions, not written");
    else {
        tl_json_key_str(w, extension->key);
        put_value(w, notes, extension);
    }
}

void tl_gltf_put_extensions(gltf_encoder *e, tl_json_writer *w, trilo_str notes, const char *own)
{
    const tl_json *extensions = parse(e, notes, "extensions");
    tl_json_writer members = tl_json_writer_in(e->arena);
    if (own && tl_gltf_use_extension(e, (trilo_str){own, strlen(own)})) {
        tl_json_key(&members, own);
        tl_json_put_raw(&members, "{}", 2);
    }
    if (extensions && extensions->kind != TL_JSON_OBJECT)
        lose(e, "extensions", "not an object, not written");
    for (const tl_json *m = extensions ? extensions->first : NULL; m; m = m->next)
        if (m->key.data && (!own || !same_key(m->key, own)))
            put_extension(e, &members, notes, m);
    put_object(w, "extensions", &members);
}

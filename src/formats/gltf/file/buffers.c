/* The bytes that the text speaks of: buffers, views into them, and images. Nothing here fails for a file that is wrong:
 * each keeps its problem, and the check tells it. */
#include "formats/gltf/gltf.h"

#include "base/hash_table.h"
#include "base/size.h"
#include <string.h>

typedef struct loader {
    gltf_file *file;
    tl_arena *arena;
    tl_hash_table names; /* of file->beside */
    bool no_memory;
} loader;

/* --- URIs --- */

typedef struct found {
    trilo_bytes bytes;
    trilo_str uri;
    const char *problem;
    int rule;
} found;

static const char nothing_there[] = "there is no such file beside the model";

static int companion_compare(const void *rows, uint32_t a, uint32_t b)
{
    const gltf_beside *files = rows;
    return strcmp(files[a].name, files[b].name);
}

static void find_beside(loader *l, trilo_str uri, found *f)
{
    gltf_file *file = l->file;
    f->rule = GLTF_R_URI;
    const trilo_str path = tl_gltf_relative(uri, l->arena, &f->problem);
    if (!path.data) {
        l->no_memory |= !f->problem;
        return;
    }
    f->uri = path;
    f->rule = GLTF_R_MISSING;
    if (!file->opts->companion || !file->opts->companion(file->opts->companion_user, path.data, &f->bytes)) {
        f->bytes = (trilo_bytes){NULL, 0};
        f->problem = nothing_there;
        return;
    }
    const uint32_t row = file->beside_count;
    file->beside[row] = (gltf_beside){path.data, f->bytes};
    const uint32_t known = tl_hash_table_add(&l->names, trilo_fnv1a(path.data, path.len), row);
    file->beside_count += known == row;
    l->no_memory |= known == TRILO_NONE;
}

static found find_uri(loader *l, const tl_json *value)
{
    found f = {.uri = {"", 0}, .rule = GLTF_R_URI};
    const trilo_str uri = tl_json_string(value);
    if (value->kind != TL_JSON_STRING)
        f.problem = "the URI must be a string";
    else if (!tl_gltf_is_data(uri))
        find_beside(l, uri, &f);
    else {
        f.bytes = tl_gltf_data_uri(uri, l->arena, &f.problem);
        l->no_memory |= !f.bytes.data && !f.problem;
    }
    return f;
}

/* --- buffers --- */

static const char meshopt[] = "EXT_meshopt_compression";

static found buffer_bytes(loader *l, uint32_t index, bool fallback)
{
    const gltf_file *file = l->file;
    const tl_json *uri = tl_json_member(file->tables[GLTF_BUFFERS].items[index], "uri");
    if (uri)
        return find_uri(l, uri);
    if (index == 0 && file->bin.data)
        return (found){.bytes = file->bin, .uri = {"", 0}};
    return (found){.uri = {"", 0},
                   .problem = fallback ? NULL : "has no URI, and the file has no binary chunk for it",
                   .rule = GLTF_R_MISSING};
}

static void load_buffer(loader *l, uint32_t index)
{
    const tl_json *json = l->file->tables[GLTF_BUFFERS].items[index];
    gltf_buffer *buffer = &l->file->buffers[index];
    const bool fallback = tl_json_bool(tl_json_member(tl_gltf_extension(json, meshopt), "fallback"), false);
    const found f = buffer_bytes(l, index, fallback);
    *buffer = (gltf_buffer){f.bytes, f.problem, f.rule, f.uri, fallback};
    uint32_t length;
    if (!buffer->problem && !tl_json_uint(tl_json_member(json, "byteLength"), &length)) {
        buffer->problem = "byteLength must be there, a whole number below 4 GB";
        buffer->rule = GLTF_R_BUFFER;
    } else if (!buffer->problem && buffer->bytes.data && buffer->bytes.size < length) {
        buffer->problem = "has fewer bytes than its byteLength says";
        buffer->rule = GLTF_R_BUFFER;
    } else if (buffer->bytes.data)
        buffer->bytes.size = length;
    if (buffer->problem)
        buffer->bytes = (trilo_bytes){NULL, 0};
}

/* --- views --- */

const char tl_gltf_no_bytes[] = "its bytes cannot be had";

/* The bytes that buffer, byteOffset and byteLength of an object mean. */
static const char *slice(const gltf_file *file, const tl_json *object, trilo_bytes *out)
{
    bool bad;
    uint32_t offset = 0, length;
    const tl_json *at = tl_json_member(object, "byteOffset");
    const uint32_t index = tl_gltf_index(file, object, "buffer", GLTF_BUFFERS, &bad);
    if (bad || index == TRILO_NONE)
        return "must name a buffer that is there";
    if ((at && !tl_json_uint(at, &offset)) || !tl_json_uint(tl_json_member(object, "byteLength"), &length))
        return "byteOffset and byteLength must be whole numbers below 4 GB";
    const trilo_bytes buffer = file->buffers[index].bytes;
    if (!buffer.data)
        return tl_gltf_no_bytes;
    if (!tl_fits(buffer.size, offset, length, 1))
        return "reaches out of its buffer";
    *out = (trilo_bytes){buffer.data + offset, length};
    return NULL;
}

static const char *unpack(loader *l, const tl_json *packed, trilo_bytes *out)
{
    gltf_packed p = {.mode = tl_json_string(tl_json_member(packed, "mode")),
                     .filter = tl_json_string(tl_json_member(packed, "filter"))};
    const char *problem = slice(l->file, packed, &p.bytes);
    if (problem)
        return problem;
    if (!tl_json_uint(tl_json_member(packed, "count"), &p.count) ||
        !tl_json_uint(tl_json_member(packed, "byteStride"), &p.stride))
        return "a compressed view needs a count and a byteStride";
    *out = tl_gltf_unpack(&p, l->arena, &problem);
    l->no_memory |= !out->data && !problem;
    return problem;
}

/* Without meshoptimizer a file may still have the bytes as they were. */
static void load_view(loader *l, uint32_t index)
{
    const gltf_file *file = l->file;
    const tl_json *json = file->tables[GLTF_BUFFER_VIEWS].items[index];
    const tl_json *packed = tl_gltf_extension(json, meshopt), *stride = tl_json_member(json, "byteStride");
    gltf_view *view = &l->file->views[index];
    view->compressed = packed != NULL;
    view->rule = GLTF_R_VIEW;
    if (stride && !tl_json_uint(stride, &view->stride))
        view->problem = "byteStride must be a whole number, 4 to 252";
    else if (packed && tl_gltf_has_meshopt()) {
        view->problem = unpack(l, packed, &view->bytes);
        view->rule = GLTF_R_MESHOPT;
    } else
        view->problem = slice(file, json, &view->bytes);
    if (view->problem && packed && !tl_gltf_has_meshopt()) {
        view->problem = "is compressed by meshoptimizer, which this Trilobite was built without";
        view->rule = GLTF_R_MESHOPT;
    }
}

/* --- images --- */

static void load_image(loader *l, uint32_t index)
{
    const gltf_file *file = l->file;
    const tl_json *json = file->tables[GLTF_IMAGES].items[index], *uri = tl_json_member(json, "uri");
    gltf_image *image = &l->file->images[index];
    bool bad;
    const uint32_t view = tl_gltf_index(file, json, "bufferView", GLTF_BUFFER_VIEWS, &bad);
    *image = (gltf_image){.uri = {"", 0}, .rule = GLTF_R_IMAGE};
    if (uri) {
        const found f = find_uri(l, uri);
        *image = (gltf_image){f.bytes, f.problem, GLTF_R_IMAGE, f.uri};
    } else if (bad || view == TRILO_NONE)
        image->problem = "an image needs a URI, or a bufferView that is there";
    else if (!file->views[view].bytes.data)
        image->problem = tl_gltf_no_bytes;
    else
        image->bytes = file->views[view].bytes;
}

trilo_bytes tl_gltf_image(const gltf_file *file, uint32_t index, trilo_str *uri)
{
    static const gltf_image none = {.uri = {"", 0}};
    const gltf_image *image = index < file->tables[GLTF_IMAGES].count ? &file->images[index] : &none;
    *uri = image->uri;
    return image->bytes;
}

/* --- all of them --- */

static void load_each(loader *l, gltf_array array, void (*load)(loader *, uint32_t))
{
    for (uint32_t i = 0; !l->no_memory && i < l->file->tables[array].count; i++)
        load(l, i);
}

bool tl_gltf_load_bytes(gltf_file *file, tl_arena *arena)
{
    const uint32_t buffers = file->tables[GLTF_BUFFERS].count, images = file->tables[GLTF_IMAGES].count;
    loader l = {.file = file, .arena = arena};
    file->buffers = TL_ARRAY(arena, buffers, gltf_buffer);
    file->views = TL_ARRAY(arena, file->tables[GLTF_BUFFER_VIEWS].count, gltf_view);
    file->images = TL_ARRAY(arena, images, gltf_image);
    file->beside = TL_ARRAY(arena, (size_t)buffers + images, gltf_beside);
    if (!file->buffers || !file->views || !file->images || !file->beside ||
        !tl_hash_table_init(&l.names, arena, 0, companion_compare, file->beside))
        return false;
    load_each(&l, GLTF_BUFFERS, load_buffer);
    load_each(&l, GLTF_BUFFER_VIEWS, load_view);
    load_each(&l, GLTF_IMAGES, load_image);
    return !l.no_memory && tl_gltf_load_accessors(file, arena);
}

/* Buffers, buffer views and images: where their bytes are. A bad file does not fail here: each entry keeps its
 * problem for the check. */
#include "formats/gltf/gltf.h"

#include "base/hash_table.h"
#include "base/size.h"

const char tl_gltf_no_bytes[] = "its bytes cannot be had";

typedef struct gltf_loader {
    gltf_file *file;
    tl_arena *arena;
    tl_hash_table names; /* of file->companions */
    bool no_memory;
    tl_expansion *expansion;
    trilo_error *err;
    bool refused; /* *err is filled */
} gltf_loader;

static int gltf_companion_compare(const void *rows, uint32_t a, uint32_t b)
{
    const gltf_companion *companions = rows;
    return strcmp(companions[a].name, companions[b].name);
}

/* --- URIs --- */

typedef struct gltf_uri_content {
    trilo_bytes bytes;
    trilo_str uri; /* relative path of a companion file; "": a data URI */
    const char *problem;
    int rule;
} gltf_uri_content;

/* The content of a data URI or of a companion file, which is then listed once. */
static gltf_uri_content gltf_read_uri(gltf_loader *l, const tl_json *value)
{
    gltf_file *file = l->file;
    gltf_uri_content found = {.uri = {"", 0}, .rule = GLTF_R_URI};
    const trilo_str uri = tl_json_string(value);
    if (value->kind != TL_JSON_STRING) {
        found.problem = "the URI must be a string";
        return found;
    }
    if (tl_gltf_is_data(uri)) {
        found.bytes = tl_gltf_data_uri(uri, l->arena, &found.problem);
        l->no_memory |= !found.bytes.data && !found.problem;
        return found;
    }
    const trilo_str path = tl_gltf_relative_path(uri, l->arena, &found.problem);
    if (!path.data) {
        l->no_memory |= !found.problem;
        return found;
    }
    found.uri = path;
    found.rule = GLTF_R_MISSING;
    if (!file->opts->companion || !file->opts->companion(file->opts->companion_user, path.data, &found.bytes)) {
        found.bytes = (trilo_bytes){NULL, 0};
        found.problem = "there is no regular file of that name beside the model";
        return found;
    }
    const uint32_t row = file->companion_count;
    file->companions[row] = (gltf_companion){path.data, found.bytes};
    const uint32_t known = tl_hash_table_add(&l->names, trilo_fnv1a(path.data, path.len), row);
    file->companion_count += known == row;
    l->no_memory |= known == TRILO_NONE;
    return found;
}

/* --- buffers --- */

/* The first buffer of a .glb may have no URI: it is the binary chunk ("GLB-stored Buffer"). */
static void gltf_load_buffer(gltf_loader *l, uint32_t index)
{
    const gltf_file *file = l->file;
    const tl_json *json = file->tables[GLTF_BUFFERS].items[index], *uri = tl_json_member(json, "uri");
    const tl_json *meshopt = tl_gltf_meshopt(json);
    gltf_buffer *buffer = &file->buffers[index];
    uint32_t length = 0;
    *buffer = (gltf_buffer){.uri = {"", 0}, .fallback = tl_json_bool(tl_json_member(meshopt, "fallback"), false)};
    if (uri) {
        const gltf_uri_content found = gltf_read_uri(l, uri);
        *buffer = (gltf_buffer){found.bytes, found.problem, found.rule, found.uri, buffer->fallback};
    } else if (index == 0 && file->bin.data)
        buffer->bytes = file->bin;
    else if (!buffer->fallback) {
        buffer->problem = "has no URI, and the file has no binary chunk for it";
        buffer->rule = GLTF_R_MISSING;
    }
    if (!buffer->problem && !tl_json_uint(tl_json_member(json, "byteLength"), &length)) {
        buffer->problem = "byteLength is required, an integer below 4 GB";
        buffer->rule = GLTF_R_BUFFER;
    } else if (!buffer->problem && buffer->bytes.data && buffer->bytes.size < length) {
        buffer->problem = "has fewer bytes than its byteLength says";
        buffer->rule = GLTF_R_BUFFER;
    } else if (buffer->bytes.data)
        buffer->bytes.size = length;
    if (buffer->problem)
        buffer->bytes = (trilo_bytes){NULL, 0};
}

/* --- buffer views --- */

/* The bytes that buffer, byteOffset and byteLength of an object refer to. */
static const char *gltf_buffer_slice(const gltf_file *file, const tl_json *object, trilo_bytes *out)
{
    bool bad;
    uint32_t offset = 0, length;
    const tl_json *at = tl_json_member(object, "byteOffset");
    const uint32_t index = tl_gltf_index(file, object, "buffer", GLTF_BUFFERS, &bad);
    if (bad || index == TRILO_NONE)
        return "must name a buffer that is there";
    if ((at && !tl_json_uint(at, &offset)) || !tl_json_uint(tl_json_member(object, "byteLength"), &length))
        return "byteOffset and byteLength must be integers below 4 GB";
    const gltf_buffer *buffer = &file->buffers[index];
    if (!buffer->bytes.data) /* the buffer's own problem is reported with the buffer */
        return buffer->problem ? tl_gltf_no_bytes : "is in a fallback buffer, which has no bytes";
    if (!tl_fits(buffer->bytes.size, offset, length, 1))
        return "reaches out of its buffer";
    *out = (trilo_bytes){buffer->bytes.data + offset, length};
    return NULL;
}

static const char *gltf_decompress_view(gltf_loader *l, const tl_json *meshopt, trilo_bytes *out)
{
    gltf_meshopt_view view = {.mode = tl_json_string(tl_json_member(meshopt, "mode")),
                              .filter = tl_json_string(tl_json_member(meshopt, "filter"))};
    const char *problem = gltf_buffer_slice(l->file, meshopt, &view.bytes);
    if (problem)
        return problem;
    if (!tl_json_uint(tl_json_member(meshopt, "count"), &view.count) ||
        !tl_json_uint(tl_json_member(meshopt, "byteStride"), &view.stride))
        return "a compressed view needs a count and a byteStride";
    *out = tl_gltf_meshopt_decode(&view, l->arena, &problem);
    tl_expansion_add(l->expansion, problem ? 0 : view.count, 1);
    l->refused = !tl_expansion_fits(l->expansion, &l->file->opts->limits, l->err);
    l->no_memory |= !out->data && !problem;
    return problem;
}

/* Without meshoptimizer, the file may still have an uncompressed fallback buffer. */
static void gltf_load_buffer_view(gltf_loader *l, uint32_t index)
{
    const tl_json *json = l->file->tables[GLTF_BUFFER_VIEWS].items[index];
    const tl_json *meshopt = tl_gltf_meshopt(json);
    const tl_json *stride = tl_json_member(json, "byteStride");
    gltf_buffer_view *view = &l->file->buffer_views[index];
    view->compressed = meshopt != NULL;
    view->rule = GLTF_R_VIEW;
    if (stride && !tl_json_uint(stride, &view->stride))
        view->problem = "byteStride must be an integer from 4 to 252";
    else if (meshopt && tl_gltf_has_meshopt()) {
        view->problem = gltf_decompress_view(l, meshopt, &view->bytes);
        view->rule = GLTF_R_MESHOPT;
    } else
        view->problem = gltf_buffer_slice(l->file, json, &view->bytes);
    if (view->problem && meshopt && !tl_gltf_has_meshopt()) {
        view->problem = "is compressed by meshoptimizer, which is not installed or not part of this build";
        view->rule = GLTF_R_MESHOPT;
    }
}

/* --- images --- */

static void gltf_load_image(gltf_loader *l, uint32_t index)
{
    const gltf_file *file = l->file;
    const tl_json *json = file->tables[GLTF_IMAGES].items[index], *uri = tl_json_member(json, "uri");
    gltf_image *image = &file->images[index];
    bool bad;
    const uint32_t view = tl_gltf_index(file, json, "bufferView", GLTF_BUFFER_VIEWS, &bad);
    *image = (gltf_image){.uri = {"", 0}, .rule = GLTF_R_IMAGE};
    if (uri) {
        const gltf_uri_content found = gltf_read_uri(l, uri);
        *image = (gltf_image){found.bytes, found.problem, GLTF_R_IMAGE, found.uri};
    } else if (bad || view == TRILO_NONE)
        image->problem = "an image needs a URI, or a bufferView that is there";
    else if (!file->buffer_views[view].bytes.data)
        image->problem = tl_gltf_no_bytes;
    else
        image->bytes = file->buffer_views[view].bytes;
}

trilo_bytes tl_gltf_image(const gltf_file *file, uint32_t index, trilo_str *uri)
{
    static const gltf_image none = {.uri = {"", 0}};
    const gltf_image *image = index < file->tables[GLTF_IMAGES].count ? &file->images[index] : &none;
    *uri = image->uri;
    return image->bytes;
}

bool tl_gltf_load_buffers(gltf_file *file, tl_arena *arena, tl_expansion *expansion, trilo_error *err)
{
    const uint32_t buffers = file->tables[GLTF_BUFFERS].count, views = file->tables[GLTF_BUFFER_VIEWS].count;
    const uint32_t images = file->tables[GLTF_IMAGES].count;
    gltf_loader l = {.file = file, .arena = arena, .expansion = expansion, .err = err};
    file->buffers = TL_ARRAY(arena, buffers, gltf_buffer);
    file->buffer_views = TL_ARRAY(arena, views, gltf_buffer_view);
    file->images = TL_ARRAY(arena, images, gltf_image);
    file->companions = TL_ARRAY(arena, (size_t)buffers + images, gltf_companion);
    if (!file->buffers || !file->buffer_views || !file->images || !file->companions ||
        !tl_hash_table_init(&l.names, arena, 0, gltf_companion_compare, file->companions))
        return tl_fail_memory(err);
    for (uint32_t i = 0; !l.no_memory && i < buffers; i++)
        gltf_load_buffer(&l, i);
    for (uint32_t i = 0; i < file->companion_count; i++)
        expansion->bytes += file->companions[i].bytes.size;
    for (uint32_t i = 0; !l.no_memory && !l.refused && i < views; i++)
        gltf_load_buffer_view(&l, i);
    if (l.refused)
        return false;
    for (uint32_t i = 0; !l.no_memory && i < images; i++)
        gltf_load_image(&l, i);
    return (!l.no_memory && tl_gltf_load_accessors(file, arena)) || tl_fail_memory(err);
}

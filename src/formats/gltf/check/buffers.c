/* The container, extensions, buffers, views, accessors, images: what everything else stands on. */
#include "formats/gltf/check/check.h"

#include <string.h>

/* --- the container --- */

static void check_chunk(gltf_checker *c, size_t at, const glb_chunk *chunk, bool known)
{
    if (chunk->length % 4 != 0)
        tl_report_finding(c->report, gltf_rule(GLTF_R_PADDING), at, "the chunk has %u bytes, which is no multiple of 4",
                          (unsigned)chunk->length);
    if (!known && (chunk->type == GLB_JSON || chunk->type == GLB_BIN))
        tl_report_finding(c->report, gltf_rule(GLTF_R_PADDING), at,
                          "a chunk of a kind that comes once, at another place: it "
                          "is not read");
}

static void check_glb(gltf_checker *c)
{
    const gltf_file *file = c->file;
    glb_chunk chunk;
    trilo_bytes content;
    size_t at = tl_layout_size(&tl_glb_header, 0), number = 0;
    for (size_t start = at; tl_glb_next(file, &at, &chunk, &content); start = at, number++) {
        gltf_enter(c, "chunks", number);
        check_chunk(c, start, &chunk,
                    content.data == (chunk.type == GLB_JSON ? file->json.data : file->bin.data) && number < 2);
        gltf_leave(c);
        if (number == 0 && content.size != file->json.size)
            tl_report_finding(c->report, gltf_rule(GLTF_R_PADDING), file->json_at + file->json.size,
                              "the text is filled up with zeros, it should be with spaces");
    }
    if (file->size < file->bytes.size)
        tl_report_finding(c->report, gltf_rule(GLTF_R_TRAILING), file->size,
                          "%zu bytes follow behind the end of the file", file->bytes.size - file->size);
}

bool tl_gltf_check_container(gltf_checker *c)
{
    if (c->file->binary)
        check_glb(c);
    else if (c->file->json_at != 0)
        tl_report_finding(c->report, gltf_rule(GLTF_R_PADDING), 0, "the text begins with a byte order mark");
    return true;
}

/* --- extensions --- */

static bool is(trilo_str text, const char *name)
{
    return text.len == strlen(name) && memcmp(text.data, name, text.len) == 0;
}

static bool begins(trilo_str text, const char *start)
{
    return text.len >= strlen(start) && memcmp(text.data, start, strlen(start)) == 0;
}

/* What only changes looks may be left out also when a file says that it may not: the shapes are right without. */
static bool is_understood(trilo_str name)
{
    return is(name, "KHR_mesh_quantization") || is(name, "KHR_texture_transform") || is(name, "KHR_lights_punctual") ||
           is(name, "EXT_meshopt_compression") || is(name, "EXT_mesh_gpu_instancing") || is(name, "KHR_xmp_json_ld") ||
           begins(name, "KHR_materials_") || begins(name, "FAST64_");
}

static void check_required(gltf_checker *c, const tl_json *item)
{
    const trilo_str name = tl_json_string(item);
    if (is(name, "KHR_draco_mesh_compression"))
        GLTF_TELL(c, GLTF_R_DRACO, item,
                  "the meshes are compressed with Draco, which Trilobite does not read; export without compression");
    else if (is(name, "EXT_meshopt_compression") && !tl_gltf_has_meshopt())
        GLTF_TELL(c, GLTF_R_MESHOPT, item,
                  "the file is compressed by meshoptimizer, which this Trilobite was built "
                  "without; export without compression");
    else if (!is_understood(name))
        GLTF_TELL(c, GLTF_R_REQUIRED, item, "the file needs the extension %.80s, which Trilobite does not know",
                  name.data);
}

static void check_used(gltf_checker *c, const tl_json *item, uint64_t number)
{
    const trilo_str name = item->string;
    const bool looks = begins(name, "KHR_materials_") && !is(name, "KHR_materials_unlit");
    if (!looks && (is_understood(name) || is(name, "KHR_draco_mesh_compression")))
        return;
    gltf_enter(c, "extensionsUsed", number);
    GLTF_TELL(c, GLTF_R_EXTENSION, item,
              looks ? "the extension %.80s only changes looks and has no effect here"
                    : "the extension %.80s is not known and has no effect",
              name.data);
    gltf_leave(c);
}

bool tl_gltf_check_extensions(gltf_checker *c)
{
    const tl_json *root = c->file->root;
    const tl_json *required = tl_gltf_need_list(c, root, "extensionsRequired", TL_JSON_STRING, false);
    const tl_json *used = tl_gltf_need_list(c, root, "extensionsUsed", TL_JSON_STRING, false);
    uint64_t number = 0;
    for (const tl_json *item = required ? required->first : NULL; item; item = item->next, number++) {
        gltf_enter(c, "extensionsRequired", number);
        check_required(c, item);
        gltf_leave(c);
        c->quantized |= is(item->string, "KHR_mesh_quantization");
    }
    number = 0;
    for (const tl_json *item = used ? used->first : NULL; item; item = item->next, number++) {
        c->quantized |= is(item->string, "KHR_mesh_quantization");
        check_used(c, item, number);
    }
    return c->report->first.code == TRILO_CODE_OK;
}

/* --- buffers and views --- */

static void check_buffers(gltf_checker *c)
{
    for (uint32_t i = 0; i < c->file->tables[GLTF_BUFFERS].count; i++) {
        const gltf_buffer *buffer = &c->file->buffers[i];
        const tl_json *json = c->file->tables[GLTF_BUFFERS].items[i], *uri = tl_json_member(json, "uri");
        if (!buffer->problem)
            continue;
        gltf_enter(c, "buffers", i);
        if (uri && uri->kind == TL_JSON_STRING && !tl_gltf_is_data(uri->string))
            GLTF_TELL(c, buffer->rule, uri, "%.80s: %s", buffer->uri.len ? buffer->uri.data : uri->string.data,
                      buffer->problem);
        else
            GLTF_TELL(c, buffer->rule, json, "%s", buffer->problem);
        gltf_leave(c);
    }
}

static void check_stride(gltf_checker *c, uint32_t index, const tl_json *json)
{
    const uint32_t stride = c->file->buffer_views[index].stride;
    const tl_json *value = tl_json_member(json, "byteStride");
    if (value && (stride < 4 || stride > 252 || stride % 4 != 0))
        GLTF_TELL(c, GLTF_R_STRIDE, value, "byteStride is %u, it must be 4 to 252 in steps of 4", (unsigned)stride);
}

static void check_views(gltf_checker *c)
{
    for (uint32_t i = 0; i < c->file->tables[GLTF_BUFFER_VIEWS].count; i++) {
        const gltf_buffer_view *view = &c->file->buffer_views[i];
        const tl_json *json = c->file->tables[GLTF_BUFFER_VIEWS].items[i];
        gltf_enter(c, "bufferViews", i);
        if (view->problem && view->problem != tl_gltf_no_bytes)
            GLTF_TELL(c, view->rule, json, "%s", view->problem);
        check_stride(c, i, json);
        gltf_leave(c);
    }
}

/* --- accessors --- */

/* Each accessor is read through once. A file whose accessors all name the same bytes would still make that quadratic:
 * no true one reads its bytes more often than this. Zeros that nobody stored count as well. */
static uint64_t work_limit(const gltf_file *file)
{
    enum { TIMES = 256, FREE = 64 << 20 };
    uint64_t bytes = file->bytes.size;
    for (uint32_t i = 0; i < file->tables[GLTF_BUFFERS].count && bytes < (uint64_t)1 << 40; i++)
        bytes += file->buffers[i].uri.len > 0 ? file->buffers[i].bytes.size : 0;
    return bytes * TIMES + FREE;
}

static void check_alignment(gltf_checker *c, const tl_json *json, const gltf_accessor *a)
{
    uint32_t offset = 0;
    const tl_json *at = tl_json_member(json, "byteOffset");
    const uint32_t size = (uint32_t)tl_gltf_component_size(a->component);
    if (at && tl_json_uint(at, &offset) && offset % size != 0)
        GLTF_TELL(c, GLTF_R_STRIDE, at, "byteOffset is %u, it must be a multiple of %u", (unsigned)offset,
                  (unsigned)size);
}

static void check_accessor(gltf_checker *c, uint32_t index, uint64_t *work)
{
    gltf_facts *facts = &c->facts[index];
    const tl_json *json = c->file->tables[GLTF_ACCESSORS].items[index];
    const char *problem = tl_gltf_accessor(c->file, index, &facts->accessor);
    facts->broken = TRILO_NONE;
    if (problem && problem != tl_gltf_no_bytes)
        GLTF_TELL(c, GLTF_R_ACCESSOR, json, "%s", problem);
    if (problem)
        return;
    const uint64_t size =
        (uint64_t)facts->accessor.count * facts->accessor.width * tl_gltf_component_size(facts->accessor.component);
    if (size > *work) {
        GLTF_TELL(c, GLTF_R_ACCESSOR, json, "all accessors together have far more numbers than the file has bytes");
        *work = 0;
        return;
    }
    *work -= size;
    facts->readable = true;
    check_alignment(c, json, &facts->accessor);
    tl_gltf_accessor_scan(&facts->accessor, &facts->most, &facts->broken);
}

static void check_accessors(gltf_checker *c)
{
    uint64_t work = work_limit(c->file);
    for (uint32_t i = 0; i < c->file->tables[GLTF_ACCESSORS].count; i++) {
        gltf_enter(c, "accessors", i);
        check_accessor(c, i, &work);
        gltf_leave(c);
    }
}

bool tl_gltf_check_bytes(gltf_checker *c)
{
    check_buffers(c);
    check_views(c);
    if (c->report->first.code == TRILO_CODE_OK)
        check_accessors(c);
    return c->report->first.code == TRILO_CODE_OK;
}

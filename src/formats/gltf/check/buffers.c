/* The container, extensions, buffers, buffer views and accessors: what everything else depends on. */
#include "formats/gltf/check/check.h"

/* --- the container --- */

/* A .glb has one JSON chunk, then at most one binary chunk, then chunks of other types. */
void tl_gltf_check_container(gltf_checker *c)
{
    const gltf_file *file = c->file;
    glb_chunk chunk;
    trilo_bytes content;
    size_t at = tl_layout_size(&tl_glb_header, TL_UNVERSIONED), number = 0;
    if (!file->binary) {
        if (file->json_at != 0)
            tl_report_finding(c->report, gltf_rule(GLTF_R_PADDING), 0, "the text starts with a byte order mark");
        return;
    }
    for (size_t start = at; tl_glb_next(file, &at, &chunk, &content); start = at, number++) {
        const uint8_t *used = chunk.type == GLB_JSON ? file->json.data : file->bin.data;
        gltf_enter(c, "chunks", number);
        if (chunk.length % 4 != 0)
            tl_report_finding(c->report, gltf_rule(GLTF_R_PADDING), start,
                              "the chunk has %u bytes, which is not a multiple of 4", (unsigned)chunk.length);
        if ((chunk.type == GLB_JSON || chunk.type == GLB_BIN) && (content.data != used || number >= 2))
            tl_report_finding(c->report, gltf_rule(GLTF_R_PADDING), start,
                              "a JSON or BIN chunk in the wrong position is not read");
        gltf_leave(c);
        if (number == 0 && content.size != file->json.size)
            tl_report_finding(c->report, gltf_rule(GLTF_R_PADDING), file->json_at + file->json.size,
                              "the text is padded with zeros, must be spaces");
    }
    if (file->size < file->bytes.size)
        tl_report_finding(c->report, gltf_rule(GLTF_R_TRAILING), file->size, "%zu bytes follow the end of the file",
                          file->bytes.size - file->size);
}

/* --- extensions --- */

/* An extension that only changes the appearance may be ignored even when the file requires it. */
static bool gltf_is_extension_known(trilo_str name)
{
    static const char *const known[] = {"KHR_mesh_quantization",   "KHR_texture_transform",   "KHR_lights_punctual",
                                        "EXT_meshopt_compression", "KHR_meshopt_compression", "EXT_mesh_gpu_instancing",
                                        "KHR_xmp_json_ld",         "KHR_node_visibility"};
    for (size_t i = 0; i < TL_COUNT_OF(known); i++)
        if (gltf_str_is(name, known[i]))
            return true;
    return gltf_str_begins(name, "KHR_materials_") || gltf_str_begins(name, "FAST64_");
}

/* Images of kinds that are not read: they cost the texture, not the model. */
static bool gltf_is_texture_extension(trilo_str name)
{
    static const char *const names[] = {"EXT_texture_webp", "KHR_texture_basisu", "EXT_texture_avif",
                                        "MSFT_texture_dds"};
    for (size_t i = 0; i < TL_COUNT_OF(names); i++)
        if (gltf_str_is(name, names[i]))
            return true;
    return false;
}

static void gltf_check_required_extension(gltf_checker *c, const tl_json *item)
{
    const trilo_str name = tl_json_string(item);
    if (gltf_str_is(name, "KHR_draco_mesh_compression"))
        GLTF_REPORT(c, GLTF_R_DRACO, item,
                    "the meshes are compressed with Draco, which Trilobite does not read; export without compression");
    else if ((gltf_str_is(name, "EXT_meshopt_compression") || gltf_str_is(name, "KHR_meshopt_compression")) &&
             !tl_gltf_has_meshopt())
        GLTF_REPORT(c, GLTF_R_MESHOPT, item,
                    "the file is compressed by meshoptimizer, which is not installed or not part of this build; export "
                    "without compression");
    else if (gltf_is_texture_extension(name))
        GLTF_REPORT(c, GLTF_R_IMAGE, item,
                    "the textures need the extension %.80s, which Trilobite does not read: they "
                    "are lost",
                    name.data);
    else if (!gltf_is_extension_known(name))
        GLTF_REPORT(c, GLTF_R_REQUIRED, item, "the file needs the extension %.80s, which Trilobite does not know",
                    name.data);
}

bool tl_gltf_check_extensions(gltf_checker *c)
{
    const tl_json *root = c->file->root;
    const tl_json *required = tl_gltf_check_list(c, root, "extensionsRequired", TL_JSON_STRING, false);
    const tl_json *used = tl_gltf_check_list(c, root, "extensionsUsed", TL_JSON_STRING, false);
    uint64_t number = 0;
    for (const tl_json *item = required ? required->first : NULL; item; item = item->next, number++) {
        gltf_enter(c, "extensionsRequired", number);
        gltf_check_required_extension(c, item);
        gltf_leave(c);
        c->quantized |= gltf_str_is(item->string, "KHR_mesh_quantization");
    }
    number = 0;
    for (const tl_json *item = used ? used->first : NULL; item; item = item->next, number++) {
        const trilo_str name = item->string;
        const bool read = gltf_str_is(name, "KHR_materials_unlit") ||
                          gltf_str_is(name, "KHR_materials_pbrSpecularGlossiness"); /* its diffuse colour */
        const bool looks = gltf_str_begins(name, "KHR_materials_") && !read;
        c->quantized |= gltf_str_is(name, "KHR_mesh_quantization");
        if (!looks && (gltf_is_extension_known(name) || gltf_str_is(name, "KHR_draco_mesh_compression")))
            continue;
        gltf_enter(c, "extensionsUsed", number);
        GLTF_REPORT(c, GLTF_R_EXTENSION, item,
                    looks ? "the extension %.80s only changes looks and has no effect here"
                          : "the extension %.80s is not known and has no effect",
                    name.data);
        gltf_leave(c);
    }
    return c->report->first.code == TRILO_CODE_OK;
}

/* --- accessors --- */

/* `budget` is how many bytes may still be scanned. */
static void gltf_scan_accessor(gltf_checker *c, uint32_t index, uint64_t *budget)
{
    gltf_accessor_facts *facts = &c->facts[index];
    const tl_json *json = c->file->tables[GLTF_ACCESSORS].items[index];
    const char *problem = tl_gltf_accessor(c->file, index, &facts->accessor);
    facts->non_finite = TRILO_NONE;
    if (problem && problem != tl_gltf_no_bytes)
        GLTF_REPORT(c, GLTF_R_ACCESSOR, json, "%s", problem);
    if (problem)
        return;
    const uint32_t each = (uint32_t)tl_gltf_component_size(facts->accessor.component);
    const uint64_t size = (uint64_t)facts->accessor.count * facts->accessor.width * each;
    if (size > *budget) {
        GLTF_REPORT(c, GLTF_R_ACCESSOR, json, "all accessors together have far more numbers than the file has bytes");
        *budget = 0;
        return;
    }
    *budget -= size;
    facts->readable = true;
    tl_gltf_accessor_scan(&facts->accessor, &facts->max, &facts->non_finite, &c->bounds[index]);
}

/* Accessors that all refer to the same bytes would make scanning quadratic, and accessors without a buffer view have
 * zeros for free: the total is limited, far above what real files need. */
static void gltf_scan_accessors(gltf_checker *c)
{
    enum { SCANS_PER_BYTE = 256, BYTES_FREE = 64 << 20 };
    const gltf_file *file = c->file;
    uint64_t bytes = file->bytes.size;
    for (uint32_t i = 0; i < file->tables[GLTF_BUFFERS].count && bytes < (uint64_t)1 << 40; i++)
        bytes += file->buffers[i].uri.len > 0 ? file->buffers[i].bytes.size : 0;
    uint64_t budget = bytes * SCANS_PER_BYTE + BYTES_FREE;
    for (uint32_t i = 0; i < file->tables[GLTF_ACCESSORS].count; i++) {
        gltf_enter(c, "accessors", i);
        gltf_scan_accessor(c, i, &budget);
        gltf_leave(c);
    }
}

/* --- buffers and buffer views --- */

/* A buffer without a URI is legal as long as no buffer view needs its bytes: extensions fill it in ("Buffers"). */
bool tl_gltf_check_buffers(gltf_checker *c)
{
    const gltf_table *views = &c->file->tables[GLTF_BUFFER_VIEWS];
    bool *used = TL_ARRAY(c->scratch, c->file->tables[GLTF_BUFFERS].count, bool);
    for (uint32_t i = 0; used && i < views->count; i++) {
        const uint32_t buffer = tl_gltf_index(c->file, views->items[i], "buffer", GLTF_BUFFERS, NULL);
        if (buffer != TRILO_NONE)
            used[buffer] = true;
    }
    for (uint32_t i = 0; i < c->file->tables[GLTF_BUFFERS].count; i++) {
        const gltf_buffer *buffer = &c->file->buffers[i];
        const tl_json *json = c->file->tables[GLTF_BUFFERS].items[i], *uri = tl_json_member(json, "uri");
        if (!buffer->problem || (!uri && buffer->rule == GLTF_R_MISSING && used && !used[i]))
            continue;
        gltf_enter(c, "buffers", i);
        if (uri && uri->kind == TL_JSON_STRING && !tl_gltf_is_data(uri->string))
            GLTF_REPORT(c, buffer->rule, uri, "%.80s: %s", buffer->uri.len ? buffer->uri.data : uri->string.data,
                        buffer->problem);
        else
            GLTF_REPORT(c, buffer->rule, json, "%s", buffer->problem);
        gltf_leave(c);
    }
    for (uint32_t i = 0; i < c->file->tables[GLTF_BUFFER_VIEWS].count; i++) {
        const gltf_buffer_view *view = &c->file->buffer_views[i];
        const tl_json *json = c->file->tables[GLTF_BUFFER_VIEWS].items[i];
        gltf_enter(c, "bufferViews", i);
        if (view->problem && view->problem != tl_gltf_no_bytes)
            GLTF_REPORT(c, view->rule, json, "%s", view->problem);
        gltf_leave(c);
    }
    if (c->report->first.code == TRILO_CODE_OK)
        gltf_scan_accessors(c);
    return c->report->first.code == TRILO_CODE_OK;
}

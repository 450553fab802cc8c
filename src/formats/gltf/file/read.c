/* Reading: the container, the JSON text, and tables of the top-level arrays. */
#include "formats/gltf/gltf.h"

#include "base/size.h"
#include <stdio.h>

/* --- recognizing --- */

static bool gltf_is_glb(trilo_bytes bytes)
{
    return bytes.size >= 4 && tl_get_u32le(bytes.data) == GLB_MAGIC;
}

/* The length of a UTF-8 byte order mark at the start. */
static size_t gltf_bom_size(trilo_bytes bytes)
{
    static const uint8_t mark[] = {0xEF, 0xBB, 0xBF};
    return bytes.size >= sizeof mark && memcmp(bytes.data, mark, sizeof mark) == 0 ? sizeof mark : 0;
}

/* True if the first byte after white space is a brace. */
static bool gltf_begins_as_object(trilo_bytes bytes)
{
    size_t at = gltf_bom_size(bytes);
    while (at < bytes.size && bytes.data[at] != 0 && strchr(" \t\n\r", bytes.data[at]))
        at++;
    return at < bytes.size && bytes.data[at] == '{';
}

static bool gltf_contains(const uint8_t *at, const uint8_t *end, const char *word)
{
    const size_t length = strlen(word);
    for (; at && (size_t)(end - at) >= length; at++) {
        at = memchr(at, word[0], (size_t)(end - at) - length + 1);
        if (!at)
            return false;
        if (memcmp(at, word, length) == 0)
            return true;
    }
    return false;
}

/* A .gltf has a member "asset". Most programs write it first, some last: both ends of the file are searched. */
static bool gltf_probe(trilo_bytes bytes)
{
    enum { SEARCHED = 1 << 16 };
    if (gltf_is_glb(bytes) || !gltf_begins_as_object(bytes))
        return gltf_is_glb(bytes);
    const uint8_t *start = bytes.data, *stop = bytes.data + bytes.size;
    const size_t part = bytes.size < SEARCHED ? bytes.size : SEARCHED;
    return gltf_contains(start, start + part, "\"asset\"") || gltf_contains(stop - part, stop, "\"asset\"");
}

static uint32_t gltf_version(const void *file)
{
    (void)file;
    return GLTF_VERSION;
}

/* --- the container --- */

typedef struct gltf_reader {
    tl_reader r;
    tl_arena *arena;
    gltf_file *file;
} gltf_reader;

bool tl_glb_next(const gltf_file *file, size_t *at, glb_chunk *chunk, trilo_bytes *content)
{
    const size_t head = tl_layout_size(&tl_glb_chunk, TL_UNVERSIONED);
    if (!tl_fits(file->size, *at, 1, head))
        return false;
    tl_layout_load(&tl_glb_chunk, TL_UNVERSIONED, file->bytes.data + *at, chunk);
    if (!tl_fits(file->size, *at + head, chunk->length, 1))
        return false;
    *content = (trilo_bytes){file->bytes.data + *at + head, chunk->length};
    *at += head + chunk->length;
    return true;
}

static bool gltf_read_glb_header(gltf_reader *l)
{
    glb_header header;
    tl_path_push(&l->r.path, "header", TL_NO_INDEX);
    if (!tl_layout_read(&l->r, &tl_glb_header, TL_UNVERSIONED, &header))
        return false;
    if (header.version != GLTF_VERSION)
        return tl_reader_fail(&l->r, TRILO_CODE_UNSUPPORTED, gltf_rule(GLTF_R_VERSION), 4,
                              "a binary glTF file of version %u, only 2 is known; export the model again as glTF 2.0",
                              (unsigned)header.version);
    if (header.length > l->file->bytes.size)
        return tl_reader_fail(&l->r, TRILO_CODE_TRUNCATED, gltf_rule(GLTF_R_TRUNCATED), 8,
                              "the header says %u bytes, but the file ends after %zu: it is truncated",
                              (unsigned)header.length, l->file->bytes.size);
    if (header.length < l->r.at)
        return tl_reader_fail(&l->r, TRILO_CODE_BAD_VALUE, gltf_rule(GLTF_R_CHUNK), 8,
                              "the header says %u bytes, but has 12 itself", (unsigned)header.length);
    l->file->size = header.length;
    tl_path_pop(&l->r.path);
    return true;
}

/* Every chunk must be complete. The first is JSON; of several binary chunks the first is used. */
static bool gltf_read_glb_chunks(gltf_reader *l)
{
    gltf_file *file = l->file;
    const size_t head = tl_layout_size(&tl_glb_chunk, TL_UNVERSIONED);
    glb_chunk chunk;
    trilo_bytes content;
    size_t at = tl_layout_size(&tl_glb_header, TL_UNVERSIONED);
    for (size_t start = at, number = 0; tl_glb_next(file, &at, &chunk, &content); start = at, number++) {
        if (number == 0 && chunk.type == GLB_JSON) {
            file->json = content;
            file->json_at = start + head;
        } else if (chunk.type == GLB_BIN && !file->bin.data)
            file->bin = content;
    }
    if (!file->json.data)
        return tl_reader_fail(&l->r, at == file->size ? TRILO_CODE_BAD_VALUE : TRILO_CODE_TRUNCATED,
                              gltf_rule(GLTF_R_CHUNK), tl_layout_size(&tl_glb_header, TL_UNVERSIONED),
                              "the first chunk is not one of JSON text");
    if (at != file->size)
        return tl_reader_fail(&l->r, TRILO_CODE_TRUNCATED, gltf_rule(GLTF_R_TRUNCATED), at,
                              "a chunk at byte %zu extends past the end of the file", at);
    /* Some programs pad the text with zeros, which are not JSON. */
    while (file->json.size > 0 && file->json.data[file->json.size - 1] == 0)
        file->json.size--;
    return true;
}

static bool gltf_read_container(gltf_reader *l)
{
    gltf_file *file = l->file;
    file->binary = gltf_is_glb(file->bytes);
    file->size = file->bytes.size;
    if (file->binary)
        return gltf_read_glb_header(l) && gltf_read_glb_chunks(l);
    if (!gltf_begins_as_object(file->bytes))
        return tl_reader_fail(
            &l->r, TRILO_CODE_BAD_VALUE, gltf_rule(GLTF_R_MAGIC), 0,
            "neither a .glb, which starts with glTF, nor JSON, which starts with {: it is damaged or not a glTF file; "
            "export or copy it again");
    file->json_at = gltf_bom_size(file->bytes);
    file->json = (trilo_bytes){file->bytes.data + file->json_at, file->bytes.size - (size_t)file->json_at};
    return true;
}

/* --- the text --- */

static bool gltf_read_fail(gltf_reader *l, trilo_code code, int rule, const tl_json *value, const char *text)
{
    return tl_reader_fail(&l->r, code, gltf_rule(rule), value ? tl_gltf_at(l->file, value) : l->file->json_at, "%s",
                          text);
}

/* "2.0" is {2, 0}; false: not a version. */
static bool gltf_parse_version(trilo_str text, unsigned out[2])
{
    unsigned part = 0;
    out[0] = out[1] = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        if (c == '.' && part == 0 && i > 0)
            part = 1;
        else if (c >= '0' && c <= '9' && out[part] < 1000)
            out[part] = out[part] * 10 + (unsigned)(c - '0');
        else
            return false;
    }
    return text.len > 0;
}

static bool gltf_read_asset(gltf_reader *l)
{
    const tl_json *asset = tl_json_member(l->file->root, "asset");
    const tl_json *version = tl_json_member(asset, "version"), *least = tl_json_member(asset, "minVersion");
    unsigned has[2], needs[2] = {0, 0};
    tl_path_push(&l->r.path, "asset", TL_NO_INDEX);
    if (!gltf_parse_version(tl_json_string(version), has))
        return gltf_read_fail(l, TRILO_CODE_BAD_VALUE, GLTF_R_ASSET, version ? version : asset,
                              "every glTF file has an asset.version such as \"2.0\"");
    if (has[0] == 1)
        return gltf_read_fail(l, TRILO_CODE_UNSUPPORTED, GLTF_R_VERSION, version,
                              "a glTF 1.0 file, which is another format; export the model again as glTF 2.0");
    if (has[0] != GLTF_VERSION)
        return gltf_read_fail(l, TRILO_CODE_UNSUPPORTED, GLTF_R_VERSION, version, "a glTF version other than 2");
    if (least && (!gltf_parse_version(tl_json_string(least), needs) || needs[0] > GLTF_VERSION || needs[1] > 0))
        return gltf_read_fail(l, TRILO_CODE_UNSUPPORTED, GLTF_R_VERSION, least,
                              "needs a newer glTF than 2.0; export the model as glTF 2.0");
    tl_path_pop(&l->r.path);
    return true;
}

/* A .gltf is opened in editors: an error in its text has a line and column, counted in characters. */
static bool gltf_parse_text(gltf_reader *l)
{
    gltf_file *file = l->file;
    trilo_error *err = l->r.err;
    if (file->json.size > INT32_MAX)
        return tl_reader_fail(&l->r, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], file->json_at,
                              "the JSON text is larger than 2 GB");
    file->root = tl_json_read(l->arena, file->json, NULL, gltf_rule(GLTF_R_JSON), file->json_at, err);
    if (!file->root) {
        unsigned line = 1, column = 1;
        if (file->binary || err->rule != gltf_rule(GLTF_R_JSON)->name || err->offset < file->json_at)
            return false;
        const uint64_t at = err->offset - file->json_at;
        for (size_t i = 0; i < file->json.size && i < at; i++) {
            const uint8_t byte = file->json.data[i];
            column = byte == '\n' ? 1 : column + ((byte & 0xC0) != 0x80);
            line += byte == '\n';
        }
        const size_t used = strlen(err->text);
        snprintf(err->text + used, sizeof err->text - used, " (line %u, column %u)", line, column);
        return false;
    }
    if (file->root->kind != TL_JSON_OBJECT)
        return gltf_read_fail(l, TRILO_CODE_BAD_VALUE, GLTF_R_STRUCTURE, file->root, "a glTF file is one JSON object");
    return true;
}

/* --- the tables --- */

static const char *const gltf_array_names[GLTF_ARRAY_COUNT] = {
    [GLTF_ACCESSORS] = "accessors",      [GLTF_ANIMATIONS] = "animations", [GLTF_BUFFERS] = "buffers",
    [GLTF_BUFFER_VIEWS] = "bufferViews", [GLTF_CAMERAS] = "cameras",       [GLTF_IMAGES] = "images",
    [GLTF_MATERIALS] = "materials",      [GLTF_MESHES] = "meshes",         [GLTF_NODES] = "nodes",
    [GLTF_SAMPLERS] = "samplers",        [GLTF_SCENES] = "scenes",         [GLTF_SKINS] = "skins",
    [GLTF_TEXTURES] = "textures",
};

const char *tl_gltf_array_name(gltf_array array)
{
    return gltf_array_names[array];
}

/* All entries are objects: later steps need not check that. */
static bool gltf_read_table(gltf_reader *l, gltf_array array)
{
    gltf_table *table = &l->file->tables[array];
    const char *name = gltf_array_names[array];
    const tl_json *value = tl_json_member(l->file->root, name);
    if (!value)
        return true;
    if (value->kind != TL_JSON_ARRAY) {
        tl_path_push(&l->r.path, name, TL_NO_INDEX);
        return gltf_read_fail(l, TRILO_CODE_BAD_VALUE, GLTF_R_STRUCTURE, value, "must be an array, in [ ]");
    }
    if (value->count > l->r.max_count)
        return tl_reader_fail(&l->r, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], tl_gltf_at(l->file, value),
                              "%u %s, the limit is %u", (unsigned)value->count, name, (unsigned)l->r.max_count);
    table->count = value->count;
    table->items = tl_json_list(l->arena, value);
    if (!table->items)
        return tl_fail_memory(l->r.err);
    for (uint32_t i = 0; i < table->count; i++)
        if (table->items[i]->kind != TL_JSON_OBJECT) {
            tl_path_push(&l->r.path, name, i);
            return gltf_read_fail(l, TRILO_CODE_BAD_VALUE, GLTF_R_STRUCTURE, table->items[i],
                                  "must be an object, in { }");
        }
    return true;
}

void *tl_gltf_read(tl_arena *arena, trilo_bytes bytes, const trilo_load_opts *opts, trilo_error *err)
{
    gltf_file *file = TL_NEW(arena, gltf_file);
    if (!file || !(file->opts = tl_bytes_copy(arena, opts, sizeof *opts))) {
        tl_fail_memory(err);
        return NULL;
    }
    file->bytes = bytes;
    gltf_reader l = {.r = {.base = bytes.data,
                           .size = bytes.size,
                           .order = TL_LITTLE,
                           .max_count = opts->limits.count ? opts->limits.count : 1u << 28,
                           .truncated = gltf_rule(GLTF_R_TRUNCATED),
                           .err = err},
                     .arena = arena,
                     .file = file};
    bool ok = gltf_read_container(&l) && gltf_parse_text(&l) && gltf_read_asset(&l);
    for (int i = 0; ok && i < GLTF_ARRAY_COUNT; i++)
        ok = gltf_read_table(&l, (gltf_array)i);
    tl_expansion expansion = {.bytes = bytes.size};
    return ok && tl_gltf_load_buffers(file, arena, &expansion, err) && tl_gltf_count(file, arena, &expansion, err)
               ? file
               : NULL;
}

/* --- references --- */

const tl_json *tl_gltf_item(const gltf_file *file, gltf_array array, uint32_t index)
{
    const gltf_table *table = &file->tables[array];
    return index < table->count ? table->items[index] : NULL;
}

const tl_json *tl_gltf_extension(const tl_json *object, const char *name)
{
    return tl_json_member(tl_json_member(object, "extensions"), name);
}

const tl_format tl_format_gltf = {
    .info = {TRILO_FORMAT_GLTF, "gltf", "glTF", "2", "gltf glb", true, true},
    .rules = tl_gltf_rules,
    .rule_count = GLTF_RULE_COUNT,
    .probe = gltf_probe,
    .read = tl_gltf_read,
    .version = gltf_version,
    .check = tl_gltf_check,
    .decode = tl_gltf_decode,
    .encode = tl_gltf_encode,
    .write = tl_gltf_write,
    .companion = tl_gltf_companion,
    .sections = tl_gltf_sections,
    .visit = tl_gltf_visit,
    .reference = tl_gltf_reference,
    .description = &tl_gltf_description,
};

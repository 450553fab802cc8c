#include "formats/t3dm/t3dm.h"

#include "base/size.h"
#include "base/sort.h"
#include "formats/t3dm/pyrite64/pyrite64.h"
#include <stdio.h>
#include <string.h>

/* Reads the structure of a T3DM file, and finds the companion files of its animations. */

static bool t3dm_begins(trilo_bytes bytes, const char *text)
{
    return bytes.size >= strlen(text) && memcmp(bytes.data, text, strlen(text)) == 0;
}

static bool t3dm_probe(trilo_bytes bytes)
{
    return t3dm_begins(bytes, "T3M") || t3dm_begins(bytes, "T3DM");
}

static uint32_t t3dm_version(const void *file)
{
    return ((const t3dm_file *)file)->version;
}

/* --- reading --- */

typedef struct t3dm_loader {
    tl_reader r;
    tl_arena *arena;
    t3dm_file *file;
    const trilo_load_opts *opts;
} t3dm_loader;

static void *t3dm_new_list(t3dm_loader *l, uint32_t count, size_t each)
{
    void *rows = l->r.failed ? NULL : tl_array(l->arena, count, each);
    if (!rows && !l->r.failed) {
        tl_fail_memory(l->r.err);
        l->r.failed = true;
    }
    return rows;
}

static bool t3dm_read_header(t3dm_loader *l)
{
    t3dm_file *file = l->file;
    if (t3dm_begins(file->bytes, "T3DM"))
        return tl_reader_fail(&l->r, TRILO_CODE_UNSUPPORTED, t3dm_rule(T3DM_R_LEGACY), 0,
                              "a T3DM file from before October 2024, without a version; convert its source again");
    if (!t3dm_begins(file->bytes, "T3M"))
        return tl_reader_fail(&l->r, TRILO_CODE_BAD_VALUE, t3dm_rule(T3DM_R_MAGIC), 0, "does not start with T3M");
    if (file->bytes.size < 4)
        return tl_reader_fail(&l->r, TRILO_CODE_TRUNCATED, t3dm_rule(T3DM_R_TRUNCATED), 3,
                              "the file ends before its version");
    file->version = file->bytes.data[3];
    if (file->version < T3DM_V1 || file->version > T3DM_V4)
        return tl_reader_fail(&l->r, TRILO_CODE_UNSUPPORTED, t3dm_rule(T3DM_R_VERSION), 3,
                              "version %u, 1 to 4 are known", (unsigned)file->version);
    tl_path_push(&l->r.path, "header", TL_NO_INDEX);
    const bool ok = tl_layout_read(&l->r, &tl_t3dm_header, file->version, &file->header);
    tl_path_pop(&l->r.path);
    return ok;
}

static int64_t t3dm_chunk_key(const void *chunks, uint32_t row)
{
    return ((const t3dm_chunk *)chunks)[row].at;
}

static bool t3dm_is_record(char type)
{
    return type == 'O' || type == 'A' || type == 'B' || type == 'S' || type == 'M';
}

/* A chunk ends where the next one starts, or at the string table. Records that start at the same byte are refused: they
 * would be read repeatedly, so that a small file could claim any amount of memory. */
static bool t3dm_measure_chunks(t3dm_loader *l)
{
    t3dm_file *file = l->file;
    const uint32_t count = file->header.chunk_count;
    tl_sort_rows(file->chunk_order, count, t3dm_chunk_key, file->chunks);
    size_t end = file->size;
    for (uint32_t i = count; i-- > 0;) {
        t3dm_chunk *chunk = &file->chunks[file->chunk_order[i]];
        const t3dm_chunk *next = i + 1 < count ? &file->chunks[file->chunk_order[i + 1]] : NULL;
        if (next && next->at > chunk->at)
            end = next->at;
        size_t stop =
            file->header.strings_at > chunk->at && file->header.strings_at < end ? file->header.strings_at : end;
        chunk->size = (uint32_t)(stop - chunk->at);
    }
    for (uint32_t i = 1; i < count; i++) {
        const t3dm_chunk *a = &file->chunks[file->chunk_order[i - 1]], *b = &file->chunks[file->chunk_order[i]];
        if (a->at == b->at && t3dm_is_record(a->type) && t3dm_is_record(b->type))
            return tl_reader_fail(&l->r, TRILO_CODE_BAD_REF, t3dm_rule(T3DM_R_CHUNK_OFFSET), a->at,
                                  "two chunks start at this byte, each needs its own");
    }
    return true;
}

static bool t3dm_read_table(t3dm_loader *l)
{
    t3dm_file *file = l->file;
    const uint32_t count = file->header.chunk_count;
    const size_t table_at = l->r.at;
    /* Converters write it last: when even its start is missing, so is the end of the file. */
    if (file->header.strings_at > file->size)
        return tl_reader_fail(&l->r, TRILO_CODE_TRUNCATED, t3dm_rule(T3DM_R_TRUNCATED),
                              tl_layout_field(&tl_t3dm_header, file->version, "strings_at")->at,
                              "the string table starts at byte %u, but the file ends at byte %zu: it is truncated",
                              (unsigned)file->header.strings_at, file->size);
    if (!tl_reader_count_fits(&l->r, table_at, "chunks", count, T3DM_TABLE_ENTRY))
        return false;
    const uint8_t *table = tl_reader_take(&l->r, "chunks", count, T3DM_TABLE_ENTRY);
    file->chunks = t3dm_new_list(l, count, sizeof *file->chunks);
    file->chunk_order = t3dm_new_list(l, count, sizeof *file->chunk_order);
    for (uint32_t i = 0; !l->r.failed && i < count; i++) {
        const uint32_t word = tl_get_u32be(table + (size_t)T3DM_TABLE_ENTRY * i);
        const uint32_t at = t3dm_table_offset(word);
        tl_path_push(&l->r.path, "chunks", i);
        if (at > file->size)
            tl_reader_fail(&l->r, TRILO_CODE_BAD_REF, t3dm_rule(T3DM_R_CHUNK_OFFSET),
                           table_at + (size_t)T3DM_TABLE_ENTRY * i, "starts at byte %u, but the file ends at byte %zu",
                           (unsigned)at, file->size);
        tl_path_pop(&l->r.path);
        file->chunks[i] = (t3dm_chunk){(char)(word >> T3DM_OFFSET_BITS), at, 0, TRILO_NONE,
                                       file->bytes.data + (at <= file->size ? at : 0)};
    }
    if (l->r.failed)
        return false;
    file->strings = (trilo_bytes){file->bytes.data + file->header.strings_at, file->size - file->header.strings_at};
    return t3dm_measure_chunks(l);
}

static void t3dm_read_object(t3dm_loader *l, t3dm_object *object)
{
    const size_t part_size = tl_layout_size(&tl_t3dm_part, l->file->version);
    object->at = (uint32_t)l->r.at;
    if (!tl_layout_read(&l->r, &tl_t3dm_object_head, TL_UNVERSIONED, &object->head) ||
        !tl_reader_count_fits(&l->r, object->at, "parts", object->head.part_count, part_size))
        return;
    const uint8_t *bytes = tl_reader_take(&l->r, "parts", object->head.part_count, part_size);
    object->parts = t3dm_new_list(l, object->head.part_count, sizeof *object->parts);
    if (object->parts)
        tl_records_load(&(tl_records){&tl_t3dm_part, l->file->version, bytes, object->head.part_count}, object->parts,
                        sizeof *object->parts);
}

static void t3dm_read_skeleton(t3dm_loader *l)
{
    t3dm_file *file = l->file;
    file->has_skeleton = true;
    file->skeleton_at = (uint32_t)l->r.at;
    if (!tl_layout_read(&l->r, &tl_t3dm_skeleton_head, TL_UNVERSIONED, &file->skeleton) ||
        !tl_reader_count_fits(&l->r, file->skeleton_at, "bones", file->skeleton.bone_count,
                              tl_layout_size(&tl_t3dm_bone, TL_UNVERSIONED)))
        return;
    file->bones = t3dm_new_list(l, file->skeleton.bone_count, sizeof *file->bones);
    for (uint32_t i = 0; !l->r.failed && i < file->skeleton.bone_count; i++)
        tl_layout_read(&l->r, &tl_t3dm_bone, TL_UNVERSIONED, &file->bones[i]);
}

static void t3dm_read_bvh(t3dm_loader *l)
{
    t3dm_bvh *bvh = &l->file->bvh;
    l->file->has_bvh = true;
    bvh->at = (uint32_t)l->r.at;
    if (!tl_layout_read(&l->r, &tl_t3dm_bvh_head, TL_UNVERSIONED, &bvh->head) ||
        !tl_reader_count_fits(&l->r, bvh->at, "BVH nodes", bvh->head.node_count,
                              tl_layout_size(&tl_t3dm_bvh_node, TL_UNVERSIONED)))
        return;
    bvh->nodes = t3dm_new_list(l, bvh->head.node_count, sizeof *bvh->nodes);
    for (uint32_t i = 0; !l->r.failed && i < bvh->head.node_count; i++)
        tl_layout_read(&l->r, &tl_t3dm_bvh_node, TL_UNVERSIONED, &bvh->nodes[i]);
    if (!tl_reader_count_fits(&l->r, bvh->at, "BVH items", bvh->head.item_count, sizeof(uint16_t)))
        return;
    bvh->items = t3dm_new_list(l, bvh->head.item_count, sizeof *bvh->items);
    const uint8_t *items = tl_reader_take(&l->r, "BVH items", bvh->head.item_count, sizeof(uint16_t));
    for (uint32_t i = 0; items && bvh->items && i < bvh->head.item_count; i++)
        bvh->items[i] = tl_get_u16(items + sizeof(uint16_t) * i, TL_BIG);
}

static void t3dm_read_animation(t3dm_loader *l, t3dm_animation *animation)
{
    animation->at = (uint32_t)l->r.at;
    if (!tl_layout_read(&l->r, &tl_t3dm_animation_head, TL_UNVERSIONED, &animation->head))
        return;
    const uint32_t channels = (uint32_t)animation->head.quat_count + animation->head.scalar_count;
    if (!tl_reader_count_fits(&l->r, animation->at, "channels", channels,
                              tl_layout_size(&tl_t3dm_mapping, TL_UNVERSIONED)))
        return;
    animation->mappings = t3dm_new_list(l, channels, sizeof *animation->mappings);
    for (uint32_t i = 0; !l->r.failed && i < channels; i++)
        tl_layout_read(&l->r, &tl_t3dm_mapping, TL_UNVERSIONED, &animation->mappings[i]);
}

static bool t3dm_is_material(char type)
{
    return type == 'M' || type == 'm';
}

static void t3dm_read_chunk(t3dm_loader *l, t3dm_chunk *chunk)
{
    t3dm_file *file = l->file;
    const trilo_bytes content = {chunk->bytes, chunk->size};
    l->r.at = chunk->at;
    l->r.size = (size_t)chunk->at + chunk->size; /* the reader stops at the end of the chunk */
    if (chunk->type == 'O') {
        chunk->item = file->object_count++;
        t3dm_read_object(l, &file->objects[chunk->item]);
    } else if (chunk->type == 'A') {
        chunk->item = file->animation_count++;
        t3dm_read_animation(l, &file->animations[chunk->item]);
    } else if (t3dm_is_material(chunk->type)) {
        chunk->item = file->material_count++;
        t3dm_material *material = &file->materials[chunk->item];
        material->at = chunk->at;
        material->opaque = chunk->type == 'm'; /* until its layout is known: tl_pyrite64_read_materials */
        if (material->opaque) {
            material->raw = (trilo_bytes){chunk->bytes, chunk->size};
            return;
        }
        tl_layout_read(&l->r, &tl_t3dm_material_head, TL_UNVERSIONED, &material->head);
        tl_layout_read(&l->r, &tl_t3dm_texture, TL_UNVERSIONED, &material->textures[0]);
        tl_layout_read(&l->r, &tl_t3dm_texture, TL_UNVERSIONED, &material->textures[1]);
    } else if (chunk->type == 'S' && !file->has_skeleton) {
        chunk->item = 0;
        t3dm_read_skeleton(l);
    } else if (chunk->type == 'B' && !file->has_bvh) {
        chunk->item = 0;
        t3dm_read_bvh(l);
    } else if (chunk->type == 'V' && !file->vertices.data) {
        file->vertices = content;
        file->vertices_at = chunk->at;
    } else if (chunk->type == 'I' && !file->indices.data) {
        file->indices = content;
        file->indices_at = chunk->at;
    }
}

static bool t3dm_read_chunks(t3dm_loader *l)
{
    t3dm_file *file = l->file;
    uint32_t objects = 0, materials = 0, animations = 0;
    for (uint32_t i = 0; i < file->header.chunk_count; i++) {
        objects += file->chunks[i].type == 'O';
        materials += t3dm_is_material(file->chunks[i].type);
        animations += file->chunks[i].type == 'A';
    }
    file->objects = t3dm_new_list(l, objects, sizeof *file->objects);
    file->materials = t3dm_new_list(l, materials, sizeof *file->materials);
    file->animations = t3dm_new_list(l, animations, sizeof *file->animations);
    for (uint32_t i = 0; !l->r.failed && i < file->header.chunk_count; i++) {
        tl_path_push(&l->r.path, "chunks", i);
        t3dm_read_chunk(l, &file->chunks[i]);
        tl_path_pop(&l->r.path);
    }
    return !l->r.failed;
}

/* --- companion files --- */

static bool t3dm_ask_companion(const t3dm_loader *l, const char *name, trilo_bytes *bytes)
{
    return name[0] && !strpbrk(name, "/\\:") && strcmp(name, "..") != 0 &&
           l->opts->companion(l->opts->companion_user, name, bytes);
}

/* Looks for the name in the file, then for the name of the model with the number of the animation; with both
 * extensions. */
static bool t3dm_find_stream(const t3dm_loader *l, const t3dm_animation *animation, uint32_t number, trilo_bytes *bytes)
{
    static const char *const extensions[] = {"sdata", "t3ds"};
    const char *path = tl_t3dm_string(l->file, animation->head.stream);
    if (path && t3dm_ask_companion(l, tl_t3dm_plain_name(path), bytes))
        return true;
    for (size_t i = 0; i < TL_COUNT_OF(extensions); i++) {
        char name[512];
        const char *stem = path ? tl_t3dm_plain_name(path) : "";
        const char *dot = strrchr(stem, '.');
        snprintf(name, sizeof name, "%.*s.%s", (int)(dot ? dot - stem : 0), stem, extensions[i]);
        if (dot && t3dm_ask_companion(l, name, bytes))
            return true;
        const char *own = l->opts->name ? l->opts->name : "";
        const char *end = strrchr(own, '.');
        snprintf(name, sizeof name, "%.*s.%u.%s", (int)(end ? end - own : 0), own, (unsigned)number, extensions[i]);
        if (end && t3dm_ask_companion(l, name, bytes))
            return true;
    }
    return false;
}

/* Streams are parsed here, once. A broken one is an error of the check: the document can still be opened. Animations
 * may share a stream; its bytes count once. Those of other streams are identified by their names, which are in the
 * order of the animations in every file that a tool wrote. */
static bool t3dm_read_streams(t3dm_loader *l, tl_expansion *expansion)
{
    enum { KEY_BYTES = 4 }; /* the smallest: a head and a scalar */
    uint32_t last = 0;
    l->file->streamed = TL_ARRAY(l->arena, l->file->animation_count, uint32_t);
    if (!l->file->streamed)
        return tl_fail_memory(l->r.err);
    for (uint32_t i = 0; l->opts->companion && i < l->file->animation_count; i++) {
        t3dm_animation *a = &l->file->animations[i];
        trilo_error err;
        a->has_stream = t3dm_find_stream(l, a, i, &a->stream);
        if (a->has_stream && tl_t3dm_string(l->file, a->head.stream))
            l->file->streamed[l->file->streamed_count++] = i;
        tl_expansion_add(expansion, a->stream.size / KEY_BYTES, 1);
        if (i == 0 || a->head.stream > last)
            expansion->bytes += a->stream.size;
        last = a->head.stream > last ? a->head.stream : last;
        if (!tl_expansion_fits(expansion, &l->opts->limits, l->r.err))
            return false;
        if (!a->has_stream ||
            tl_sdata_read(l->arena, a->stream, a->head.quat_count, a->head.scalar_count, &a->keys, &err))
            continue;
        a->stream_error = a->keys.broken ? tl_bytes_copy(l->arena, &err, sizeof err) : NULL;
        if (!a->stream_error)
            return tl_fail_memory(l->r.err);
    }
    return true;
}

/* Parts may share vertices and indices. */
static void t3dm_count_objects(const t3dm_file *file, tl_expansion *expansion)
{
    for (uint32_t i = 0; i < file->object_count; i++) {
        const t3dm_object_limits limits = tl_t3dm_object_limits(&file->objects[i]);
        tl_expansion_add(expansion, limits.triangles, 3);
        tl_expansion_add(expansion, limits.vertices, 1);
    }
}

/* --- lookups --- */

const char *tl_t3dm_string(const t3dm_file *file, uint32_t offset)
{
    if (offset == 0)
        return "";
    const size_t left = offset < file->strings.size ? file->strings.size - offset : 0;
    if (left == 0 || !memchr(file->strings.data + offset, '\0', left < T3DM_STRING_MOST ? left : T3DM_STRING_MOST))
        return NULL;
    return (const char *)file->strings.data + offset;
}

t3dm_pair_offsets tl_t3dm_pair_offsets(void)
{
    const tl_layout *l = &tl_t3dm_pair;
    return (t3dm_pair_offsets){tl_layout_size(l, 0),
                               {tl_layout_field(l, 0, "position_a")->at, tl_layout_field(l, 0, "position_b")->at},
                               {tl_layout_field(l, 0, "normal_a")->at, tl_layout_field(l, 0, "normal_b")->at},
                               {tl_layout_field(l, 0, "color_a")->at, tl_layout_field(l, 0, "color_b")->at},
                               {tl_layout_field(l, 0, "uv_a")->at, tl_layout_field(l, 0, "uv_b")->at}};
}

const char *tl_t3dm_plain_name(const char *path)
{
    const char *name = path;
    for (const char *p = path; *p; p++)
        if (*p == '/' || *p == '\\' || *p == ':')
            name = p + 1;
    return name;
}

/* The hash of Tiny3D's tools, which take bytes as signed. */
uint32_t tl_t3dm_hash(const char *path)
{
    uint32_t hash = 0x7E81C0E9u;
    for (const char *p = path; *p; p++) {
        const int32_t wide = (int8_t)*p;
        hash = (hash >> 8 | hash << 24) ^ (uint32_t)wide;
    }
    return hash;
}

void *tl_t3dm_read(tl_arena *arena, trilo_bytes bytes, const trilo_load_opts *opts, trilo_error *err)
{
    t3dm_file *file = TL_NEW(arena, t3dm_file);
    if (!file) {
        tl_fail_memory(err);
        return NULL;
    }
    file->opts = opts;
    file->bytes = bytes;
    file->size = bytes.size;
    t3dm_loader l = {.r = {.base = bytes.data,
                           .size = bytes.size,
                           .order = TL_BIG,
                           .max_count = opts->limits.count ? opts->limits.count : 1u << 28,
                           .truncated = t3dm_rule(T3DM_R_TRUNCATED),
                           .err = err},
                     .arena = arena,
                     .file = file,
                     .opts = opts};
    tl_expansion expansion = {.bytes = bytes.size};
    if (!t3dm_read_header(&l) || !t3dm_read_table(&l) || !t3dm_read_chunks(&l))
        return NULL;
    t3dm_count_objects(file, &expansion);
    if (!tl_expansion_fits(&expansion, &opts->limits, err) || !t3dm_read_streams(&l, &expansion))
        return NULL;
    if (!tl_pyrite64_read_materials(file, opts, arena)) {
        tl_fail_memory(err);
        return NULL;
    }
    return file;
}

const tl_format tl_format_t3dm = {
    .info = {TRILO_FORMAT_T3DM, "t3dm", "Tiny3D model", "1 to 4", "t3dm", true, true},
    .rules = tl_t3dm_rules,
    .rule_count = T3DM_RULE_COUNT,
    .probe = t3dm_probe,
    .read = tl_t3dm_read,
    .version = t3dm_version,
    .check = tl_t3dm_check,
    .decode = tl_t3dm_decode,
    .encode = tl_t3dm_encode,
    .write = tl_t3dm_write,
    .companion = tl_t3dm_companion,
    .stream = tl_t3dm_stream,
    .reversion = tl_t3dm_change_version,
    .reoptimize = tl_t3dm_reoptimize,
    .sections = tl_t3dm_sections,
    .cost = tl_t3dm_cost,
    .batches = tl_t3dm_batches,
    .visit = tl_t3dm_visit,
    .reference = tl_t3dm_reference,
    .description = &tl_t3dm_description,
};

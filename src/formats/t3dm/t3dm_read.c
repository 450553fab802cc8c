#include "formats/t3dm/t3dm.h"

#include "base/size.h"
#include "base/sort.h"
#include <stdio.h>
#include <string.h>

/* --- what it is --- */

static bool begins(trilo_bytes bytes, const char *text)
{
    return bytes.size >= strlen(text) && memcmp(bytes.data, text, strlen(text)) == 0;
}

static bool t3dm_probe(trilo_bytes bytes)
{
    return begins(bytes, "T3M") || begins(bytes, "T3DM");
}

static uint32_t t3dm_version(const void *file)
{
    return ((const t3dm_file *)file)->version;
}

/* --- reading --- */

typedef struct loader {
    tl_reader r;
    tl_arena *arena;
    t3dm_file *file;
    const trilo_load_opts *opts;
} loader;

static void *no_memory(loader *l)
{
    if (!l->r.failed)
        tl_fail_memory(l->r.err);
    l->r.failed = true;
    return NULL;
}

static void *list(loader *l, uint32_t count, size_t each)
{
    void *rows = l->r.failed ? NULL : tl_array(l->arena, count, each);
    return rows ? rows : no_memory(l);
}

static bool read_header(loader *l)
{
    t3dm_file *file = l->file;
    if (begins(file->bytes, "T3DM"))
        return tl_reader_fail(&l->r, TRILO_CODE_UNSUPPORTED, t3dm_rule(T3DM_R_LEGACY), 0,
                              "a T3DM file from before October 2024, without a version; convert its source again");
    if (!begins(file->bytes, "T3M"))
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

static int64_t chunk_key(const void *chunks, uint32_t row)
{
    return ((const t3dm_chunk *)chunks)[row].at;
}

/* A chunk reaches to the next one that starts behind it, or to the string table. */
static void measure_chunks(t3dm_file *file)
{
    const uint32_t count = file->header.chunk_count;
    tl_sort_rows(file->chunk_order, count, chunk_key, file->chunks);
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
}

static bool is_record(char type)
{
    return type == 'O' || type == 'A' || type == 'B' || type == 'S' || type == 'M';
}

/* Records at the same place would be read again and again: a small file could claim any amount of memory. */
static bool records_apart(loader *l)
{
    const t3dm_file *file = l->file;
    for (uint32_t i = 1; i < file->header.chunk_count; i++) {
        const t3dm_chunk *a = &file->chunks[file->chunk_order[i - 1]], *b = &file->chunks[file->chunk_order[i]];
        if (a->at == b->at && is_record(a->type) && is_record(b->type))
            return tl_reader_fail(&l->r, TRILO_CODE_BAD_REF, t3dm_rule(T3DM_R_CHUNK_OFFSET), a->at,
                                  "two chunks start at this byte, each needs its own");
    }
    return true;
}

static bool read_table(loader *l)
{
    t3dm_file *file = l->file;
    const uint32_t count = file->header.chunk_count;
    const size_t table_at = l->r.at;
    if (!tl_reader_count_fits(&l->r, table_at, "chunks", count, T3DM_TABLE_ENTRY))
        return false;
    const uint8_t *table = tl_reader_take(&l->r, "chunks", count, T3DM_TABLE_ENTRY);
    file->chunks = list(l, count, sizeof *file->chunks);
    file->chunk_order = list(l, count, sizeof *file->chunk_order);
    for (uint32_t i = 0; !l->r.failed && i < count; i++) {
        const uint32_t word = tl_get_u32be(table + (size_t)T3DM_TABLE_ENTRY * i);
        const uint32_t at = t3dm_table_place(word);
        tl_path_push(&l->r.path, "chunks", i);
        if (at > file->size)
            tl_reader_fail(&l->r, TRILO_CODE_BAD_REF, t3dm_rule(T3DM_R_CHUNK_OFFSET),
                           table_at + (size_t)T3DM_TABLE_ENTRY * i, "starts at byte %u, but the file has %zu",
                           (unsigned)at, file->size);
        tl_path_pop(&l->r.path);
        file->chunks[i] = (t3dm_chunk){(char)(word >> T3DM_PLACE_BITS), at, 0, TRILO_NONE,
                                       file->bytes.data + (at <= file->size ? at : 0)};
    }
    if (!l->r.failed && file->header.strings_at > file->size)
        tl_reader_fail(&l->r, TRILO_CODE_BAD_REF, t3dm_rule(T3DM_R_CHUNK_OFFSET), 0,
                       "the string table starts at byte %u, but the file has %zu", (unsigned)file->header.strings_at,
                       file->size);
    if (l->r.failed)
        return false;
    file->strings = (trilo_bytes){file->bytes.data + file->header.strings_at, file->size - file->header.strings_at};
    measure_chunks(file);
    return records_apart(l);
}

static void read_object(loader *l, t3dm_object *object)
{
    const size_t part_size = tl_layout_size(&tl_t3dm_part, l->file->version);
    object->at = (uint32_t)l->r.at;
    if (!tl_layout_read(&l->r, &tl_t3dm_object_head, 0, &object->head) ||
        !tl_reader_count_fits(&l->r, object->at, "parts", object->head.part_count, part_size))
        return;
    const uint8_t *bytes = tl_reader_take(&l->r, "parts", object->head.part_count, part_size);
    object->parts = list(l, object->head.part_count, sizeof *object->parts);
    for (uint32_t i = 0; object->parts && i < object->head.part_count; i++)
        tl_layout_load(&tl_t3dm_part, l->file->version, bytes + i * part_size, &object->parts[i]);
}

static void read_material(loader *l, t3dm_material *material)
{
    material->at = (uint32_t)l->r.at;
    if (material->opaque)
        return;
    tl_layout_read(&l->r, &tl_t3dm_material_head, 0, &material->head);
    for (int i = 0; i < 2; i++)
        tl_layout_read(&l->r, &tl_t3dm_texture, 0, &material->textures[i]);
}

static void read_skeleton(loader *l)
{
    t3dm_file *file = l->file;
    file->has_skeleton = true;
    file->skeleton_at = (uint32_t)l->r.at;
    if (!tl_layout_read(&l->r, &tl_t3dm_skeleton_head, 0, &file->skeleton) ||
        !tl_reader_count_fits(&l->r, file->skeleton_at, "bones", file->skeleton.bone_count,
                              tl_layout_size(&tl_t3dm_bone, 0)))
        return;
    file->bones = list(l, file->skeleton.bone_count, sizeof *file->bones);
    for (uint32_t i = 0; !l->r.failed && i < file->skeleton.bone_count; i++)
        tl_layout_read(&l->r, &tl_t3dm_bone, 0, &file->bones[i]);
}

static void read_bvh(loader *l)
{
    t3dm_bvh *bvh = &l->file->bvh;
    l->file->has_bvh = true;
    bvh->at = (uint32_t)l->r.at;
    if (!tl_layout_read(&l->r, &tl_t3dm_bvh_head, 0, &bvh->head) ||
        !tl_reader_count_fits(&l->r, bvh->at, "BVH nodes", bvh->head.node_count, tl_layout_size(&tl_t3dm_bvh_node, 0)))
        return;
    bvh->nodes = list(l, bvh->head.node_count, sizeof *bvh->nodes);
    for (uint32_t i = 0; !l->r.failed && i < bvh->head.node_count; i++)
        tl_layout_read(&l->r, &tl_t3dm_bvh_node, 0, &bvh->nodes[i]);
    if (!tl_reader_count_fits(&l->r, bvh->at, "BVH items", bvh->head.item_count, sizeof(uint16_t)))
        return;
    bvh->items = list(l, bvh->head.item_count, sizeof *bvh->items);
    const uint8_t *items = tl_reader_take(&l->r, "BVH items", bvh->head.item_count, sizeof(uint16_t));
    for (uint32_t i = 0; items && bvh->items && i < bvh->head.item_count; i++)
        bvh->items[i] = tl_get_u16(items + sizeof(uint16_t) * i, TL_BIG);
}

static void read_animation(loader *l, t3dm_animation *animation)
{
    animation->at = (uint32_t)l->r.at;
    if (!tl_layout_read(&l->r, &tl_t3dm_animation_head, 0, &animation->head))
        return;
    const uint32_t channels = (uint32_t)animation->head.quat_count + animation->head.scalar_count;
    if (!tl_reader_count_fits(&l->r, animation->at, "channels", channels, tl_layout_size(&tl_t3dm_mapping, 0)))
        return;
    animation->mappings = list(l, channels, sizeof *animation->mappings);
    for (uint32_t i = 0; !l->r.failed && i < channels; i++)
        tl_layout_read(&l->r, &tl_t3dm_mapping, 0, &animation->mappings[i]);
}

static bool is_material(char type)
{
    return type == 'M' || type == 'm';
}

static bool make_lists(loader *l)
{
    t3dm_file *file = l->file;
    uint32_t objects = 0, materials = 0, animations = 0;
    for (uint32_t i = 0; i < file->header.chunk_count; i++) {
        objects += file->chunks[i].type == 'O';
        materials += is_material(file->chunks[i].type);
        animations += file->chunks[i].type == 'A';
    }
    file->objects = list(l, objects, sizeof *file->objects);
    file->materials = list(l, materials, sizeof *file->materials);
    file->animations = list(l, animations, sizeof *file->animations);
    return !l->r.failed;
}

/* Goes to a chunk: until the next call nothing behind it can be read. */
static void enter(loader *l, const t3dm_chunk *chunk)
{
    l->r.at = chunk->at;
    l->r.size = (size_t)chunk->at + chunk->size;
}

static void read_chunk(loader *l, t3dm_chunk *chunk)
{
    t3dm_file *file = l->file;
    const trilo_bytes content = {chunk->bytes, chunk->size};
    enter(l, chunk);
    if (chunk->type == 'O') {
        chunk->item = file->object_count++;
        read_object(l, &file->objects[chunk->item]);
    } else if (chunk->type == 'A') {
        chunk->item = file->animation_count++;
        read_animation(l, &file->animations[chunk->item]);
    } else if (is_material(chunk->type)) {
        chunk->item = file->material_count++;
        file->materials[chunk->item].opaque = chunk->type == 'm';
        read_material(l, &file->materials[chunk->item]);
    } else if (chunk->type == 'S' && !file->has_skeleton) {
        chunk->item = 0;
        read_skeleton(l);
    } else if (chunk->type == 'B' && !file->has_bvh) {
        chunk->item = 0;
        read_bvh(l);
    } else if (chunk->type == 'V' && !file->vertices.data) {
        file->vertices = content;
        file->vertices_at = chunk->at;
    } else if (chunk->type == 'I' && !file->indices.data) {
        file->indices = content;
        file->indices_at = chunk->at;
    }
}

static bool read_chunks(loader *l)
{
    for (uint32_t i = 0; !l->r.failed && i < l->file->header.chunk_count; i++) {
        tl_path_push(&l->r.path, "chunks", i);
        read_chunk(l, &l->file->chunks[i]);
        tl_path_pop(&l->r.path);
    }
    return !l->r.failed;
}

/* --- streams --- */

static bool ask(const loader *l, const char *name, trilo_bytes *bytes)
{
    return name[0] && !strpbrk(name, "/\\:") && strcmp(name, "..") != 0 &&
           l->opts->companion(l->opts->companion_user, name, bytes);
}

/* By the name in the file, else by the model's own name and the number of the animation; with either extension. */
static bool find_stream(const loader *l, const t3dm_animation *animation, uint32_t number, trilo_bytes *bytes)
{
    static const char *const extensions[] = {"sdata", "t3ds"};
    const char *path = tl_t3dm_string(l->file, animation->head.stream);
    if (path && ask(l, tl_t3dm_plain_name(path), bytes))
        return true;
    for (size_t i = 0; i < TL_COUNT_OF(extensions); i++) {
        char name[512];
        const char *stem = path ? tl_t3dm_plain_name(path) : "";
        const char *dot = strrchr(stem, '.');
        snprintf(name, sizeof name, "%.*s.%s", (int)(dot ? dot - stem : 0), stem, extensions[i]);
        if (dot && ask(l, name, bytes))
            return true;
        const char *own = l->opts->name ? l->opts->name : "";
        const char *end = strrchr(own, '.');
        snprintf(name, sizeof name, "%.*s.%u.%s", (int)(end ? end - own : 0), own, (unsigned)number, extensions[i]);
        if (end && ask(l, name, bytes))
            return true;
    }
    return false;
}

/* A stream is parsed here, once. A broken one is an error of the check: the document can be opened all the same. */
static bool read_stream(loader *l, t3dm_animation *a)
{
    trilo_error err;
    if (tl_sdata_read(l->arena, a->stream, a->head.quat_count, a->head.scalar_count, &a->keys, &err))
        return true;
    a->stream_error = a->keys.broken ? tl_bytes_copy(l->arena, &err, sizeof err) : NULL;
    return a->stream_error || tl_fail_memory(l->r.err);
}

static bool read_streams(loader *l)
{
    for (uint32_t i = 0; l->opts->companion && i < l->file->animation_count; i++) {
        t3dm_animation *animation = &l->file->animations[i];
        animation->has_stream = find_stream(l, animation, i, &animation->stream);
        if (animation->has_stream && !read_stream(l, animation))
            return false;
    }
    return true;
}

/* --- looking things up --- */

const char *tl_t3dm_string(const t3dm_file *file, uint32_t offset)
{
    if (offset == 0)
        return "";
    const size_t left = offset < file->strings.size ? file->strings.size - offset : 0;
    if (left == 0 || !memchr(file->strings.data + offset, '\0', left < T3DM_STRING_MOST ? left : T3DM_STRING_MOST))
        return NULL;
    return (const char *)file->strings.data + offset;
}

t3dm_pair_places tl_t3dm_pair_places(void)
{
    const tl_layout *l = &tl_t3dm_pair;
    return (t3dm_pair_places){tl_layout_size(l, 0),
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

/* As the console's tools have it: bytes count as signed. */
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
    file->bytes = bytes;
    file->size = bytes.size;
    loader l = {.r = {.base = bytes.data,
                      .size = bytes.size,
                      .order = TL_BIG,
                      .max_count = opts->limits.count ? opts->limits.count : 1u << 28,
                      .truncated = t3dm_rule(T3DM_R_TRUNCATED),
                      .err = err},
                .arena = arena,
                .file = file,
                .opts = opts};
    if (!read_header(&l) || !read_table(&l) || !make_lists(&l) || !read_chunks(&l) || !read_streams(&l))
        return NULL;
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
    .loads = tl_t3dm_batches,
    .visit = tl_t3dm_visit,
    .reference = tl_t3dm_reference,
};

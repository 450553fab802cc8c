#include "api/project/manifest.h"

#include "api/file/io.h"
#include "base/array.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/report.h"
#include "base/sha256.h"
#include "trilobite/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char manifest_head[] = "trilobite manifest 1\n";
static const trilo_rule manifest_rule = {"", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};
enum { MANIFEST_SUM = 16, MANIFEST_SLACK = 64 };

/* ---- hashes ---- */

static void manifest_print_hash(tl_sha256 *sum, char hash[TL_HASH_ROOM])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[TL_SHA256_SIZE];
    tl_sha256_end(sum, digest);
    for (int i = 0; i < (TL_HASH_ROOM - 1) / 2; i++) { /* 128 bits are enough to distinguish contents */
        hash[2 * i] = digits[digest[i] >> 4];
        hash[2 * i + 1] = digits[digest[i] & 15];
    }
    hash[TL_HASH_ROOM - 1] = '\0';
}

void tl_manifest_hash_bytes(const void *bytes, size_t size, char hash[TL_HASH_ROOM])
{
    tl_sha256 sum = tl_sha256_begin();
    tl_sha256_add(&sum, bytes, size);
    manifest_print_hash(&sum, hash);
}

/* ---- records ---- */

static const tl_manifest_file *manifest_get_files(tl_arena *arena, const tl_json *list, uint32_t *count)
{
    *count = list && list->kind == TL_JSON_ARRAY ? list->count : 0;
    tl_manifest_file *files = TL_ARRAY(arena, *count, tl_manifest_file);
    const tl_json *row = *count > 0 ? list->first : NULL;
    for (tl_manifest_file *file = files; files && row; row = row->next, file++) {
        const tl_json *path = row->first, *stamp = path ? path->next : NULL;
        file->path = tl_json_string(path).data;
        file->stamp = tl_json_string(stamp).data;
        file->hash = tl_json_string(stamp ? stamp->next : NULL).data;
    }
    return files;
}

static const tl_manifest_name *manifest_get_names(tl_arena *arena, const tl_json *list, uint32_t *count)
{
    *count = list && list->kind == TL_JSON_ARRAY ? list->count : 0;
    tl_manifest_name *names = TL_ARRAY(arena, *count, tl_manifest_name);
    const tl_json *row = *count > 0 ? list->first : NULL;
    for (tl_manifest_name *name = names; names && row; row = row->next, name++) {
        name->name = tl_json_string(row->first).data;
        name->path = row->first && row->first->next ? tl_json_string(row->first->next).data : NULL;
    }
    return names;
}

bool tl_manifest_get(const tl_manifest *manifest, uint32_t row, tl_arena *arena, tl_manifest_record *record)
{
    const trilo_str json = manifest->rows[row].json;
    const trilo_bytes text = {(const uint8_t *)json.data, json.len};
    const tl_json *root = json.len > 0 ? tl_json_read(arena, text, NULL, &manifest_rule, 0, NULL) : NULL;
    if (!root || !tl_json_member(root, "recipe"))
        return false;
    *record = (tl_manifest_record){.output = tl_json_string(tl_json_member(root, "out")).data,
                                   .recipe = tl_json_string(tl_json_member(root, "recipe")).data};
    record->sources = manifest_get_files(arena, tl_json_member(root, "in"), &record->source_count);
    record->names = manifest_get_names(arena, tl_json_member(root, "names"), &record->name_count);
    record->files = manifest_get_files(arena, tl_json_member(root, "files"), &record->file_count);
    return record->sources && record->names && record->files;
}

/* ---- reading ---- */

/* `key` is the path of an output, a trilo_str. */
static int manifest_compare_path(const void *rows, uint32_t row, const void *key)
{
    const trilo_str output = ((const tl_manifest_row *)rows)[row].output, path = *(const trilo_str *)key;
    if (output.len != path.len)
        return output.len < path.len ? -1 : 1;
    return memcmp(output.data, path.data, path.len);
}

static int manifest_compare(const void *rows, uint32_t a, uint32_t b)
{
    return manifest_compare_path(rows, a, &((const tl_manifest_row *)rows)[b].output);
}

/* The value of "out", which every record begins with, in place in the line: only paths with escapes are copied and
 * unescaped. */
static bool manifest_output_of(tl_arena *arena, trilo_str json, trilo_str *output)
{
    static const char front[] = "{\"out\":\"";
    const size_t skip = sizeof front - 1;
    if (json.len < skip || memcmp(json.data, front, skip) != 0)
        return false;
    const char *end = memchr(json.data + skip, '"', json.len - skip);
    const char *escape = memchr(json.data + skip, '\\', json.len - skip);
    if (end && (!escape || escape > end)) {
        *output = (trilo_str){json.data + skip, (size_t)(end - json.data) - skip};
        return true;
    }
    const tl_json *root =
        tl_json_read(arena, (trilo_bytes){(const uint8_t *)json.data, json.len}, NULL, &manifest_rule, 0, NULL);
    *output = tl_json_string(tl_json_member(root, "out"));
    return output->len > 0;
}

/* A line that is torn or damaged is skipped. False: memory ran out. */
static bool manifest_read_line(tl_manifest *manifest, const char *line, size_t length)
{
    char hash[TL_HASH_ROOM];
    if (length <= MANIFEST_SUM + 1 || line[MANIFEST_SUM] != ' ')
        return true;
    const trilo_str json = {line + MANIFEST_SUM + 1, length - MANIFEST_SUM - 1};
    tl_manifest_hash_bytes(json.data, json.len, hash);
    trilo_str output;
    if (memcmp(hash, line, MANIFEST_SUM) != 0 || !manifest_output_of(&manifest->arena, json, &output))
        return !manifest->arena.failed;
    manifest->line_count++;
    tl_manifest_row *rows =
        tl_array_grow(&manifest->arena, manifest->rows, manifest->count, &manifest->capacity, 1, sizeof *rows);
    if (!rows)
        return false;
    manifest->rows = rows;
    manifest->outputs.rows = rows;
    rows[manifest->count] = (tl_manifest_row){output, json};
    const uint32_t row =
        tl_hash_table_add(&manifest->outputs, trilo_fnv1a(output.data, output.len), (uint32_t)manifest->count);
    if (row == TRILO_NONE)
        return false;
    if (row == manifest->count)
        manifest->count++;
    else
        rows[row].json = json;
    return true;
}

static bool manifest_parse(tl_manifest *manifest, trilo_bytes bytes, trilo_error *err)
{
    if (!tl_hash_table_init(&manifest->outputs, &manifest->arena, 0, manifest_compare, NULL))
        return tl_fail_memory(err);
    const size_t head = sizeof manifest_head - 1;
    if (bytes.size < head || memcmp(bytes.data, manifest_head, head) != 0)
        return true; /* there is none, or one of another version: everything is converted again */
    const char *const end = (const char *)bytes.data + bytes.size;
    for (const char *at = (const char *)bytes.data + head; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            break;
        if (!manifest_read_line(manifest, at, (size_t)(stop - at)))
            return tl_fail_memory(err);
        at = stop + 1;
    }
    return true;
}

uint32_t tl_manifest_find(const tl_manifest *manifest, const char *output)
{
    const trilo_str path = {output, strlen(output)};
    if (manifest->count == 0)
        return TRILO_NONE;
    return tl_hash_table_find_key(&manifest->outputs, trilo_fnv1a(path.data, path.len), manifest_compare_path, &path);
}

#if TL_HAVE_OS
#include <errno.h>

/* ---- records as JSON ---- */

static void manifest_put_files(tl_json_writer *w, const char *key, const tl_manifest_file *files, uint32_t count)
{
    tl_json_key(w, key);
    tl_json_open(w, '[');
    for (uint32_t i = 0; i < count; i++) {
        tl_json_open(w, '[');
        tl_json_put_text(w, files[i].path);
        tl_json_put_text(w, files[i].stamp);
        tl_json_put_text(w, files[i].hash);
        tl_json_close(w, ']');
    }
    tl_json_close(w, ']');
}

static tl_json_writer manifest_encode(tl_arena *arena, const tl_manifest_record *record)
{
    tl_json_writer w = tl_json_writer_in(arena);
    tl_json_open(&w, '{');
    tl_json_key(&w, "out");
    tl_json_put_text(&w, record->output);
    if (record->recipe) {
        tl_json_key(&w, "recipe");
        tl_json_put_text(&w, record->recipe);
        manifest_put_files(&w, "in", record->sources, record->source_count);
        tl_json_key(&w, "names");
        tl_json_open(&w, '[');
        for (uint32_t i = 0; i < record->name_count; i++) {
            tl_json_open(&w, '[');
            tl_json_put_text(&w, record->names[i].name);
            if (record->names[i].path)
                tl_json_put_text(&w, record->names[i].path);
            tl_json_close(&w, ']');
        }
        tl_json_close(&w, ']');
        manifest_put_files(&w, "files", record->files, record->file_count);
    }
    tl_json_close(&w, '}');
    return w;
}

/* ---- files ---- */

bool tl_manifest_stamp(const char *path, char stamp[TL_STAMP_ROOM], double *seconds, uint64_t *size)
{
    tl_os_status status;
    if (!tl_os_stat(TL_OS_HERE, path, true, &status) || status.kind != TL_OS_KIND_FILE)
        return false;
    /* The time of the last change of the inode, too, which no program can set back. */
    snprintf(stamp, TL_STAMP_ROOM, "%" PRIu64 " %" PRId64 ".%09" PRId32 " %" PRId64 ".%09" PRId32 " %" PRIu64,
             status.size, status.modified.seconds, status.modified.nanoseconds, status.changed.seconds,
             status.changed.nanoseconds, status.inode);
    *seconds = (double)status.changed.seconds + (double)status.changed.nanoseconds / 1e9;
    *size = status.size;
    return true;
}

bool tl_manifest_hash(const char *path, char hash[TL_HASH_ROOM])
{
    uint8_t block[16384];
    tl_os_status status;
    /* Opening a pipe would wait for a writer. */
    if (!tl_os_stat(TL_OS_HERE, path, true, &status) || status.kind != TL_OS_KIND_FILE)
        return false;
    const tl_os_file file = tl_os_open(TL_OS_HERE, path, TL_OS_READ);
    if (file == TL_OS_NONE)
        return false;
    tl_sha256 sum = tl_sha256_begin();
    ptrdiff_t got;
    while ((got = tl_os_read(file, block, sizeof block)) > 0)
        tl_sha256_add(&sum, block, (size_t)got);
    tl_os_close(file);
    manifest_print_hash(&sum, hash);
    return got == 0;
}

/* ---- writing ---- */

/* Opens the file for appending. A shared lock keeps other processes from replacing the file; on file systems without
 * locks there is none. The lock ends when the process closes any descriptor of the file, so there is only one. */
static tl_os_file manifest_open_file(const char *path)
{
    for (int tries = 0; tries < 100; tries++) {
        tl_os_status opened, named;
        const tl_os_file file = tl_os_open(TL_OS_HERE, path, TL_OS_APPEND);
        if (file == TL_OS_NONE)
            return file;
        tl_os_lock(file, false);
        if (tl_os_stat_file(file, &opened) && tl_os_stat(TL_OS_HERE, path, true, &named) &&
            opened.inode == named.inode && opened.device == named.device)
            return file;
        tl_os_close(file); /* another process has just replaced it */
    }
    errno = EBUSY;
    return TL_OS_NONE;
}

static ptrdiff_t manifest_read_file(void *file, void *bytes, size_t room)
{
    return tl_os_read(*(const tl_os_file *)file, bytes, room);
}

static bool manifest_read(tl_manifest *manifest, tl_os_file file, trilo_error *err)
{
    trilo_bytes bytes = {NULL, 0};
    const bool read =
        (tl_os_rewind(file) || tl_fail(err, TRILO_CODE_CANT_READ, NULL, TRILO_NOWHERE, NULL, "no file")) &&
        tl_read_stream(manifest_read_file, &file, UINT64_MAX, &manifest->arena, &bytes, err);
    manifest->size = bytes.size;
    return read && manifest_parse(manifest, bytes, err);
}

static bool manifest_has_head(tl_os_file file)
{
    char head[sizeof manifest_head - 1];
    return tl_os_read(file, head, sizeof head) == (ptrdiff_t)sizeof head &&
           memcmp(head, manifest_head, sizeof head) == 0;
}

static bool manifest_write(tl_os_file file, const char *text, size_t size)
{
    for (ptrdiff_t wrote; size > 0; text += wrote, size -= (size_t)wrote) {
        wrote = tl_os_append(file, text, size);
        if (wrote < 0)
            return false;
    }
    return true;
}

static bool manifest_fail(const char *path, trilo_error *err)
{
    return tl_fail(err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE, NULL,
                   "%.100s cannot be written: %s", path, strerror(errno));
}

bool tl_manifest_open(tl_manifest *manifest, const char *path, const trilo_memory *memory, bool read_only,
                      trilo_error *err)
{
    tl_os_status status;
    *manifest = (tl_manifest){.path = path, .file = TL_OS_NONE};
    tl_arena_init(&manifest->arena, memory);
    if (read_only) {
        const tl_os_file file = tl_os_open(TL_OS_HERE, path, TL_OS_READ);
        const bool ok = file == TL_OS_NONE ? manifest_parse(manifest, (trilo_bytes){NULL, 0}, err)
                                           : manifest_read(manifest, file, err);
        if (file != TL_OS_NONE)
            tl_os_close(file);
        return ok;
    }
    const tl_os_file file = manifest->file = manifest_open_file(path);
    if (file == TL_OS_NONE || !tl_os_stat_file(file, &status))
        return manifest_fail(path, err);
    /* A file of another version, or whose first line is torn, is replaced by a new one. */
    if (!manifest_has_head(file) &&
        ((status.size > 0 && !tl_os_truncate(file)) || !manifest_write(file, manifest_head, sizeof manifest_head - 1)))
        return manifest_fail(path, err);
    return manifest_read(manifest, file, err);
}

bool tl_manifest_append(const tl_manifest *manifest, tl_arena *arena, const tl_manifest_record *record)
{
    char hash[TL_HASH_ROOM];
    const tl_json_writer json = manifest_encode(arena, record);
    const size_t size = json.size + MANIFEST_SUM + 3;
    char *line = json.failed ? NULL : tl_array_raw(arena, size, 1);
    if (!line || manifest->file == TL_OS_NONE)
        return false;
    tl_manifest_hash_bytes(json.text, json.size, hash);
    line[0] = '\n';
    memcpy(line + 1, hash, MANIFEST_SUM);
    line[1 + MANIFEST_SUM] = ' ';
    memcpy(line + 2 + MANIFEST_SUM, json.text, json.size);
    line[size - 1] = '\n';
    return manifest_write(manifest->file, line, size);
}

bool tl_manifest_forget(const tl_manifest *manifest, tl_arena *arena, const char *output)
{
    return tl_manifest_append(manifest, arena, &(tl_manifest_record){.output = output});
}

static bool manifest_fill(void *user, trilo_write_fn *sink, void *sink_user, trilo_error *err)
{
    static const char forgotten[] = "\"recipe\":";
    const tl_manifest *manifest = user;
    bool ok = sink(sink_user, manifest_head, sizeof manifest_head - 1);
    for (size_t i = 0; ok && i < manifest->count; i++) {
        char hash[TL_HASH_ROOM];
        const trilo_str json = manifest->rows[i].json;
        tl_manifest_hash_bytes(json.data, json.len, hash);
        bool kept = false;
        for (size_t at = 0; !kept && at + sizeof forgotten - 1 <= json.len; at++)
            kept = memcmp(json.data + at, forgotten, sizeof forgotten - 1) == 0;
        if (kept)
            ok = sink(sink_user, hash, MANIFEST_SUM) && sink(sink_user, " ", 1) &&
                 sink(sink_user, json.data, json.len) && sink(sink_user, "\n", 1);
    }
    return ok || tl_fail(err, TRILO_CODE_CANT_WRITE, NULL, TRILO_NOWHERE, NULL, "the manifest cannot be written");
}

static bool manifest_has_waste(const tl_manifest *manifest)
{
    return manifest->line_count > 2 * manifest->count + MANIFEST_SLACK;
}

/* True if this batch or another one has added to the file. */
static bool manifest_has_grown(const tl_manifest *manifest)
{
    tl_os_status status;
    return !tl_os_stat_file(manifest->file, &status) || status.size != manifest->size;
}

void tl_manifest_close(tl_manifest *manifest)
{
    tl_manifest now;
    const trilo_memory memory = {manifest->arena.fn, manifest->arena.user, 0};
    const tl_os_file file = manifest->file;
    const bool look = file != TL_OS_NONE && (manifest_has_waste(manifest) || manifest_has_grown(manifest));
    if (look && tl_os_lock(file, true)) { /* alone: what others have added is in the file */
        now = (tl_manifest){.path = manifest->path, .file = file};
        tl_arena_init(&now.arena, &memory);
        if (manifest_read(&now, file, NULL) && manifest_has_waste(&now))
            trilo_file_replace(now.path, &(trilo_file_opts){.no_sync = true}, manifest_fill, &now, NULL);
        tl_arena_free(&now.arena);
    }
    if (file != TL_OS_NONE)
        tl_os_close(file);
    tl_arena_free(&manifest->arena);
}
#else
bool tl_manifest_stamp(const char *path, char stamp[TL_STAMP_ROOM], double *seconds, uint64_t *size)
{
    (void)path, (void)stamp, (void)seconds, (void)size;
    return false;
}

bool tl_manifest_hash(const char *path, char hash[TL_HASH_ROOM])
{
    (void)path, (void)hash;
    return false;
}

bool tl_manifest_open(tl_manifest *manifest, const char *path, const trilo_memory *memory, bool read_only,
                      trilo_error *err)
{
    (void)read_only;
    *manifest = (tl_manifest){.path = path, .file = TL_OS_NONE};
    tl_arena_init(&manifest->arena, memory);
    return manifest_parse(manifest, (trilo_bytes){NULL, 0}, err);
}

bool tl_manifest_append(const tl_manifest *manifest, tl_arena *arena, const tl_manifest_record *record)
{
    (void)manifest, (void)arena, (void)record;
    return true;
}

bool tl_manifest_forget(const tl_manifest *manifest, tl_arena *arena, const char *output)
{
    (void)manifest, (void)arena, (void)output;
    return true;
}

void tl_manifest_close(tl_manifest *manifest)
{
    tl_arena_free(&manifest->arena);
}
#endif

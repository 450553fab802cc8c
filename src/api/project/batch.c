/* A batch: workers take jobs in order, compare them with the manifest, convert what is outdated and record it. The
 * calling thread passes results on in the order of the jobs, and looks for files that no job makes any more. */
#include "trilobite/batch.h"

#include "api/file/open.h"
#include "api/file/path.h"
#include "api/project/manifest.h"
#include "base/array.h"
#include "base/opts.h"
#include "base/os.h"
#include "base/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BATCH_MOST_THREADS = 1024,
    BATCH_AHEAD = 4096 /* jobs whose results wait for an earlier one */
};

/* A file that was changed this shortly before it was read may change again without a new time stamp. */
static const double batch_racy_seconds = 2.0;

/* Instead of the hash of a file that was looked for and was not there. */
static const char batch_absent[] = "absent";

struct trilo_batch_files {
    tl_arena arena;
    struct batch *batch;
    const tl_manifest_record *old; /* of the last conversion; NULL: none */
    bool out_of_memory;
    size_t read_count, read_capacity, missing_count, missing_capacity, name_count, name_capacity, wrote_count,
        wrote_capacity;
    const char **reads, **missing;
    tl_manifest_name *names;
    struct batch_written *wrote;
};

/* A file that a conversion wrote, and the hash of its content. */
typedef struct batch_written {
    const char *path, *hash;
} batch_written;

/* A file that a job makes. */
typedef struct batch_made {
    const char *path; /* relative to the root */
    const char *hash;
    size_t job;
} batch_made;

typedef struct batch_result {
    bool done;
    trilo_batch_state state;
    tl_arena arena; /* of what follows; freed when it was passed on */
    uint32_t made_count;
    batch_made *made; /* or, if it was not converted, made earlier */
    uint32_t left_count;
    const tl_manifest_file *left; /* files of the old record that the new one lacks */
    uint64_t bytes;
} batch_result;

typedef struct batch {
    const trilo_batch_job *jobs;
    size_t count;
    const trilo_batch_opts *opts;
    tl_arena arena;
    tl_manifest manifest;
    bool has_manifest;
    batch_result *results;
    uint32_t *order;     /* in which jobs are taken */
    size_t next, passed; /* index in the order of the next job, and the job that is reported next */
    bool stopping;       /* no further jobs are started */
    bool cancelled, out_of_memory;
    bool unwritable; /* the manifest is */
    size_t made_count, made_capacity;
    batch_made *made; /* of all jobs */
    tl_hash_table made_paths;
    size_t left_count, left_capacity;
    tl_manifest_file *left; /* files that models had in an earlier record and do not have now */
    tl_os_mutex mutex;
    tl_os_condition changed;
} batch;

static void batch_lock(batch *b)
{
#if TL_HAVE_OS
    tl_os_mutex_lock(&b->mutex);
#else
    (void)b;
#endif
}

static void batch_unlock(batch *b)
{
#if TL_HAVE_OS
    tl_os_mutex_unlock(&b->mutex);
#else
    (void)b;
#endif
}

/* ---- what a conversion reports ---- */

static const char **batch_add_path(trilo_batch_files *files, const char **paths, size_t *count, size_t *capacity,
                                   const char *path)
{
    const char *copy = tl_str_copy(&files->arena, path, strlen(path)).data;
    const char **grown = tl_array_grow(&files->arena, (const void *)paths, *count, capacity, 1, sizeof *paths);
    files->out_of_memory |= !copy || !grown;
    if (!copy || !grown)
        return paths;
    grown[(*count)++] = copy;
    return grown;
}

void trilo_batch_files_read(trilo_batch_files *files, const char *path)
{
    files->reads = batch_add_path(files, files->reads, &files->read_count, &files->read_capacity, path);
}

void trilo_batch_files_missing(trilo_batch_files *files, const char *path)
{
    files->missing = batch_add_path(files, files->missing, &files->missing_count, &files->missing_capacity, path);
}

void trilo_batch_files_wrote(trilo_batch_files *files, const char *path, trilo_bytes bytes)
{
    char hash[TL_HASH_ROOM];
    tl_manifest_hash_bytes(bytes.data, bytes.size, hash);
    batch_written *wrote =
        tl_array_grow(&files->arena, files->wrote, files->wrote_count, &files->wrote_capacity, 1, sizeof *wrote);
    const batch_written file = {tl_str_copy(&files->arena, path, strlen(path)).data,
                                tl_str_copy(&files->arena, hash, strlen(hash)).data};
    const bool ok = wrote && file.path && file.hash;
    files->out_of_memory |= !ok;
    if (!ok)
        return;
    files->wrote = wrote;
    wrote[files->wrote_count++] = file;
}

void trilo_batch_files_looked_up(trilo_batch_files *files, const char *name, const char *path)
{
    tl_manifest_name *names =
        tl_array_grow(&files->arena, files->names, files->name_count, &files->name_capacity, 1, sizeof *names);
    const char *name_copy = tl_str_copy(&files->arena, name, strlen(name)).data;
    const char *path_copy = path ? tl_str_copy(&files->arena, path, strlen(path)).data : NULL;
    const bool ok = names && name_copy && (path_copy || !path);
    files->out_of_memory |= !ok;
    if (!ok)
        return;
    files->names = names;
    names[files->name_count++] = (tl_manifest_name){name_copy, path_copy};
}

bool trilo_batch_files_progress(void *files, uint32_t done, uint32_t total)
{
    batch *b = ((trilo_batch_files *)files)->batch;
    (void)done, (void)total;
    batch_lock(b);
    const bool goes_on = !b->cancelled;
    batch_unlock(b);
    return goes_on;
}

/* ---- comparing with the manifest ---- */

/* Where a file of the manifest is. */
static const char *batch_path(const batch *b, tl_arena *arena, const char *name)
{
    return b->opts->root ? tl_file_path_join(arena, b->opts->root, name) : name;
}

/* What a file is called in the manifest; in the arena, since the path may not live as long. NULL: no memory. */
static const char *batch_name(const batch *b, tl_arena *arena, const char *path)
{
    const char *below = b->opts->root ? tl_file_path_below(arena, b->opts->root, path) : NULL;
    return below ? below : tl_str_copy(arena, path, strlen(path)).data;
}

/* A hash of what decides the output besides the bytes that are read. */
static void batch_recipe(const trilo_batch_job *job, char hash[TL_HASH_ROOM], tl_arena *arena)
{
    const char *parts[] = {trilo_version(), job->input, job->options ? job->options : "",
                           job->assets ? job->assets : ""};
    size_t size = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        size += strlen(parts[i]) + 1;
    char *text = tl_array_raw(arena, size, 1), *put = text;
    for (size_t i = 0; text && i < sizeof parts / sizeof *parts; i++) {
        memcpy(put, parts[i], strlen(parts[i]) + 1);
        put += strlen(parts[i]) + 1;
    }
    tl_manifest_hash_bytes(text ? text : "", text ? size : 0, hash);
}

/* True if the file is as the manifest says. *refreshed: only its stamp has changed; *now is the new one. */
static bool batch_file_is(const char *path, const tl_manifest_file *file, tl_arena *arena, double start,
                          tl_manifest_file *now, bool *refreshed)
{
    char stamp[TL_STAMP_ROOM], hash[TL_HASH_ROOM];
    double seconds;
    uint64_t size;
    *now = *file;
    if (path && strcmp(file->hash, batch_absent) == 0)
        return !tl_file_exists(path);
    if (!path || !tl_manifest_stamp(path, stamp, &seconds, &size))
        return false;
    if (strcmp(stamp, file->stamp) == 0)
        return true;
    if (!tl_manifest_hash(path, hash) || strcmp(hash, file->hash) != 0)
        return false;
    if (seconds + batch_racy_seconds < start) {
        now->stamp = tl_str_copy(arena, stamp, strlen(stamp)).data;
        *refreshed = now->stamp != NULL;
        now->stamp = now->stamp ? now->stamp : "";
    }
    return true;
}

/* True if images are found at the same paths as then. */
static bool batch_names_are(const trilo_batch_job *job, const tl_manifest_record *record)
{
    if (record->name_count == 0)
        return true;
    const trilo_assets_opts opts = {.model = job->input, .folder = job->assets, .index = job->index};
    trilo_assets *assets = trilo_assets_new(&opts, NULL);
    bool same = assets != NULL;
    for (uint32_t i = 0; same && i < record->name_count; i++) {
        const char *was = record->names[i].path, *is = trilo_assets_locate(assets, record->names[i].name);
        same = was && is ? strcmp(was, is) == 0 : !was && !is;
    }
    same = same && trilo_assets_ok(assets, NULL);
    trilo_assets_free(assets);
    return same;
}

bool trilo_batch_files_are_own(const trilo_batch_files *files, const char *path)
{
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const char *name = batch_name(files->batch, &arena, path);
    bool own = false;
    for (uint32_t i = 0; !own && name && files->old && i < files->old->file_count; i++)
        own = strcmp(files->old->files[i].path, name) == 0;
    tl_arena_free(&arena);
    return own;
}

static bool batch_is_current(batch *b, const trilo_batch_job *job, const tl_manifest_record *record, const char *recipe,
                             double start, tl_arena *arena)
{
    tl_manifest_record now = *record;
    tl_manifest_file *sources = TL_ARRAY(arena, record->source_count, tl_manifest_file);
    tl_manifest_file *files = TL_ARRAY(arena, record->file_count, tl_manifest_file);
    bool refreshed = false;
    if (!sources || !files || record->source_count == 0 || record->file_count == 0 ||
        strcmp(record->recipe, recipe) != 0)
        return false;
    for (uint32_t i = 0; i < record->source_count; i++)
        if (!batch_file_is(record->sources[i].path, &record->sources[i], arena, start, &sources[i], &refreshed))
            return false;
    for (uint32_t i = 0; i < record->file_count; i++)
        if (!batch_file_is(batch_path(b, arena, record->files[i].path), &record->files[i], arena, start, &files[i],
                           &refreshed))
            return false;
    if (!batch_names_are(job, record))
        return false;
    now.sources = sources;
    now.files = files;
    if (refreshed && !b->opts->dry_run) {
        batch_lock(b);
        tl_manifest_append(&b->manifest, arena, &now);
        batch_unlock(b);
    }
    return true;
}

/* ---- recording a conversion ---- */

/* False: the file is not there, or changed while it was used. */
static bool batch_describe(const char *path, const char *name, bool is_output, double start, tl_arena *arena,
                           tl_manifest_file *file, uint64_t *bytes)
{
    char stamp[TL_STAMP_ROOM], hash[TL_HASH_ROOM];
    double seconds;
    uint64_t size;
    if (!tl_manifest_stamp(path, stamp, &seconds, &size) || !tl_manifest_hash(path, hash))
        return false;
    if (!is_output && seconds >= start)
        return false;
    if (!is_output && seconds + batch_racy_seconds >= start)
        stamp[0] = '\0';
    *bytes += size;
    *file = (tl_manifest_file){name, tl_str_copy(arena, stamp, strlen(stamp)).data,
                               tl_str_copy(arena, hash, strlen(hash)).data};
    return file->stamp && file->hash;
}

/* Files of the old record that the new one does not have. */
static void batch_find_left(batch_result *result, const tl_manifest_record *old, const tl_manifest_record *record)
{
    tl_manifest_file *left = TL_ARRAY(&result->arena, old->file_count, tl_manifest_file);
    for (uint32_t i = 0; left && i < old->file_count; i++) {
        bool kept = false;
        for (uint32_t k = 0; k < record->file_count; k++)
            kept |= strcmp(old->files[i].path, record->files[k].path) == 0;
        if (!kept)
            left[result->left_count++] = old->files[i];
    }
    result->left = left;
}

/* Describes what a conversion read and wrote. Without a record it is converted again next time. */
static void batch_record(batch *b, const trilo_batch_job *job, trilo_batch_files *files, const char *recipe,
                         double start, const tl_manifest_record *old, batch_result *result)
{
    tl_arena *arena = &result->arena;
    tl_manifest_file *sources = TL_ARRAY(arena, files->read_count + files->missing_count + 1, tl_manifest_file);
    tl_manifest_file *made = TL_ARRAY(arena, files->wrote_count, tl_manifest_file);
    tl_manifest_record record = {.output = batch_name(b, arena, job->output),
                                 .recipe = recipe,
                                 .sources = sources,
                                 .files = made,
                                 .names = files->names,
                                 .name_count = (uint32_t)files->name_count};
    uint64_t ignored = 0;
    bool ok = sources && made && record.output && !files->out_of_memory;
    for (size_t i = 0; ok && i <= files->read_count; i++) {
        const char *path = i > 0 ? files->reads[i - 1] : job->input;
        if (i > 0 && strcmp(path, job->input) == 0)
            continue;
        ok = batch_describe(path, path, false, start, arena, &sources[record.source_count++], &ignored);
    }
    for (size_t i = 0; ok && i < files->missing_count; i++) {
        sources[record.source_count++] = (tl_manifest_file){files->missing[i], "", batch_absent};
        ok = !tl_file_exists(files->missing[i]);
    }
    result->made = TL_ARRAY(arena, files->wrote_count, batch_made);
    for (size_t i = 0; made && result->made && i < files->wrote_count; i++) {
        const batch_written *file = &files->wrote[i];
        const char *name = batch_name(b, arena, file->path),
                   *hash = tl_str_copy(arena, file->hash, TL_HASH_ROOM - 1).data;
        if (!name || !hash)
            return;
        result->made[result->made_count++] = (batch_made){name, hash, (size_t)(job - b->jobs)};
        /* What is there must be what was written: another batch may be at work. */
        ok = batch_describe(file->path, name, true, start, arena, &made[record.file_count], &result->bytes) && ok &&
             strcmp(made[record.file_count].hash, hash) == 0;
        record.file_count++;
    }
    if (old)
        batch_find_left(result, old, &record);
    if (!ok || !b->has_manifest || record.file_count == 0)
        return;
    batch_lock(b);
    b->unwritable |= !tl_manifest_append(&b->manifest, arena, &record);
    batch_unlock(b);
}

/* ---- one job ---- */

static double batch_now(void)
{
#if TL_HAVE_OS
    const tl_os_time now = tl_os_now();
    return (double)now.seconds + (double)now.nanoseconds / 1e9;
#else
    return (double)time(NULL);
#endif
}

/* The shard of an input, from 1; by content, so that it stays when files are renamed or others are added. */
static uint32_t batch_shard(const char *hash, uint32_t count)
{
    uint64_t value = 0;
    for (int i = 0; i < 16; i++)
        value = value << 4 | (uint64_t)(hash[i] <= '9' ? hash[i] - '0' : hash[i] - 'a' + 10);
    return (uint32_t)(value % count) + 1;
}

static bool batch_is_elsewhere(const batch *b, const trilo_batch_job *job, const tl_manifest_record *old)
{
    char hash[TL_HASH_ROOM] = "", stamp[TL_STAMP_ROOM];
    double seconds;
    uint64_t size;
    if (b->opts->shard_count < 2)
        return false;
    const tl_manifest_file *input = old && old->source_count > 0 ? &old->sources[0] : NULL;
    if (input && strcmp(input->path, job->input) == 0 && strlen(input->hash) == TL_HASH_ROOM - 1 &&
        tl_manifest_stamp(job->input, stamp, &seconds, &size) && strcmp(stamp, input->stamp) == 0)
        memcpy(hash, input->hash, sizeof hash);
    else if (!tl_manifest_hash(job->input, hash))
        return b->opts->shard != 1; /* the first one reports that it cannot be read */
    return batch_shard(hash, b->opts->shard_count) != b->opts->shard;
}

static void batch_keep_made(batch_result *result, const tl_manifest_record *old, size_t job)
{
    result->made = TL_ARRAY(&result->arena, old->file_count, batch_made);
    for (uint32_t i = 0; result->made && i < old->file_count; i++)
        result->made[result->made_count++] = (batch_made){old->files[i].path, old->files[i].hash, job};
}

static void batch_run_job(batch *b, size_t index, batch_result *result)
{
    const trilo_batch_job *job = &b->jobs[index];
    const double start = batch_now();
    char recipe[TL_HASH_ROOM];
    tl_manifest_record record, *old = NULL;
    tl_arena_init(&result->arena, NULL);
    const char *name = batch_name(b, &result->arena, job->output);
    const uint32_t row = name ? tl_manifest_find(&b->manifest, name) : TRILO_NONE; /* no manifest has no rows */
    if (row != TRILO_NONE && tl_manifest_get(&b->manifest, row, &result->arena, &record))
        old = &record;
    batch_recipe(job, recipe, &result->arena);
    if (batch_is_elsewhere(b, job, old)) {
        result->state = TRILO_BATCH_STATE_ELSEWHERE;
    } else if (old && !b->opts->force && batch_is_current(b, job, old, recipe, start, &result->arena)) {
        result->state = TRILO_BATCH_STATE_CURRENT;
    } else if (b->opts->dry_run) {
        result->state = TRILO_BATCH_STATE_OUTDATED;
    } else {
        trilo_batch_files files = {.batch = b, .old = old};
        tl_arena_init(&files.arena, NULL);
        const bool ok = b->opts->convert(b->opts->convert_user, index, &files);
        result->state = ok ? TRILO_BATCH_STATE_CONVERTED : TRILO_BATCH_STATE_FAILED;
        if (ok)
            batch_record(b, job, &files, recipe, start, old, result);
        result->arena.failed |= files.arena.failed;
        tl_arena_free(&files.arena);
    }
    if (old && result->state != TRILO_BATCH_STATE_CONVERTED)
        batch_keep_made(result, old, index);
}

/* ---- passing results on ---- */

static int batch_compare_made(const void *rows, uint32_t a, uint32_t b)
{
    const batch_made *x = (const batch_made *)rows + a, *y = (const batch_made *)rows + b;
    return strcmp(x->path, y->path);
}

/* The row of that path; *fresh: it was not there. TRILO_NONE: memory ran out. */
static uint32_t batch_claim(batch *b, const char *path, const char *hash, size_t job, bool *fresh)
{
    batch_made *made = tl_array_grow(&b->arena, b->made, b->made_count, &b->made_capacity, 1, sizeof *made);
    if (!made)
        return TRILO_NONE;
    b->made = made;
    b->made_paths.rows = made;
    made[b->made_count] = (batch_made){path, hash, job};
    const uint32_t row = tl_hash_table_add(&b->made_paths, trilo_fnv1a(path, strlen(path)), (uint32_t)b->made_count);
    *fresh = row == b->made_count;
    if (*fresh) {
        made[row].path = tl_str_copy(&b->arena, path, strlen(path)).data;
        made[row].hash = tl_str_copy(&b->arena, hash, strlen(hash)).data;
        b->made_count++;
        if (!made[row].path || !made[row].hash)
            return TRILO_NONE;
    }
    return row;
}

/* Two models must not make a file with different content: which one stays would depend on timing. */
static bool batch_claim_all(batch *b, size_t index, batch_result *result, char *problem, size_t room, size_t *other)
{
    for (uint32_t i = 0; i < result->made_count; i++) {
        bool fresh;
        const batch_made *made = &result->made[i];
        const uint32_t row = batch_claim(b, made->path, made->hash, index, &fresh);
        if (row == TRILO_NONE) {
            b->out_of_memory = true;
            return true;
        }
        if (!fresh && b->made[row].job != index && strcmp(b->made[row].hash, made->hash) != 0) {
            snprintf(problem, room, "%.150s is also made from %.150s, with other content", made->path,
                     b->jobs[b->made[row].job].input);
            *other = b->made[row].job;
            return false;
        }
    }
    return true;
}

/* A file that a model no longer has stays in the records until it is removed. */
static void batch_remember_left(batch *b, batch_result *result)
{
    for (uint32_t i = 0; b->has_manifest && i < result->left_count; i++) {
        const tl_manifest_file *file = &result->left[i];
        tl_manifest_file *left = tl_array_grow(&b->arena, b->left, b->left_count, &b->left_capacity, 1, sizeof *left);
        const tl_manifest_file copy = {tl_str_copy(&b->arena, file->path, strlen(file->path)).data, "",
                                       tl_str_copy(&b->arena, file->hash, strlen(file->hash)).data};
        b->out_of_memory |= !left || !copy.path || !copy.hash;
        if (b->out_of_memory)
            return;
        b->left = left;
        b->left[b->left_count++] = copy;
        const tl_manifest_record record = {.output = copy.path, .recipe = "", .files = &copy, .file_count = 1};
        batch_lock(b);
        b->unwritable |= !tl_manifest_append(&b->manifest, &result->arena, &record);
        batch_unlock(b);
    }
}

static void batch_pass_on(batch *b, size_t index, trilo_batch_summary *summary)
{
    batch_result *result = &b->results[index];
    char problem[512] = "";
    size_t other;
    if (!batch_claim_all(b, index, result, problem, sizeof problem, &other)) {
        const size_t jobs[] = {index, other};
        result->state = TRILO_BATCH_STATE_FAILED;
        batch_lock(b);
        for (size_t i = 0; b->has_manifest && !b->opts->dry_run && i < 2; i++) {
            const char *name = batch_name(b, &result->arena, b->jobs[jobs[i]].output);
            b->unwritable |= !name || !tl_manifest_forget(&b->manifest, &result->arena, name);
        }
        b->stopping |= !b->opts->keep_going;
        batch_unlock(b);
    }
    batch_remember_left(b, result);
    summary->jobs[result->state]++;
    summary->bytes += result->bytes;
    if (b->opts->on_done)
        b->opts->on_done(b->opts->on_done_user, index, result->state, problem[0] ? problem : NULL);
    b->out_of_memory |= result->arena.failed; /* not all that it made is known */
    tl_arena_free(&result->arena);
}

static bool batch_ask(batch *b)
{
    return !b->opts->on_progress ||
           b->opts->on_progress(b->opts->on_progress_user, (uint32_t)b->passed, (uint32_t)b->count);
}

#if TL_HAVE_OS
/* Sorts by the size of the input, the largest first. Those that cannot be read come last. */
typedef struct batch_size {
    uint64_t size;
    uint32_t job;
} batch_size;

static int batch_compare_sizes(const void *a, const void *b)
{
    const batch_size *x = a, *y = b;
    return x->size != y->size ? (x->size > y->size ? -1 : 1) : x->job < y->job ? -1 : 1;
}

/* Large models are taken first, so that no thread is left with one while the others have nothing to do. Only among
 * some that follow each other: results are passed on in the order of the jobs, and those that wait take memory. */
static bool batch_make_order(batch *b, bool parallel)
{
    enum { BLOCK = BATCH_AHEAD / 2 };
    batch_size sizes[BLOCK];
    b->order = tl_array_raw(&b->arena, b->count, sizeof *b->order);
    for (size_t first = 0; b->order && first < b->count; first += BLOCK) {
        const size_t count = b->count - first < BLOCK ? b->count - first : BLOCK;
        for (size_t i = 0; i < count; i++) {
            tl_os_status status;
            const bool known = parallel && tl_os_stat(TL_OS_HERE, b->jobs[first + i].input, true, &status);
            sizes[i] = (batch_size){known ? status.size : 0, (uint32_t)(first + i)};
        }
        if (parallel)
            qsort(sizes, count, sizeof *sizes, batch_compare_sizes);
        for (size_t i = 0; i < count; i++)
            b->order[first + i] = sizes[i].job;
    }
    return b->order != NULL;
}

/* Takes jobs until there are none. The mutex is held between them. */
static void batch_work(void *user)
{
    batch *b = user;
    batch_lock(b);
    for (;;) {
        while (b->next < b->count && b->next >= b->passed + BATCH_AHEAD && !b->stopping)
            tl_os_condition_wait(&b->changed, &b->mutex, 0);
        if (b->next >= b->count)
            break;
        const size_t index = b->order[b->next++];
        batch_result *result = &b->results[index];
        if (b->stopping || b->cancelled) {
            result->state = TRILO_BATCH_STATE_SKIPPED;
            tl_arena_init(&result->arena, NULL);
        } else {
            batch_unlock(b);
            batch_run_job(b, index, result);
            batch_lock(b);
        }
        b->stopping |= result->state == TRILO_BATCH_STATE_FAILED && !b->opts->keep_going;
        result->done = true;
        if (index == b->passed) /* the one that batch_wait waits for */
            tl_os_condition_broadcast(&b->changed);
    }
    batch_unlock(b);
}

/* A signal that would end the process ends the batch instead, after the conversions that are running, so that no
 * temporary file is left; the process ends when the signal is released. */
static void batch_wait(batch *b, size_t index, const tl_os_signals *signals)
{
    enum { TICK = 100 }; /* milliseconds */
    batch_lock(b);
    while (!b->results[index].done) {
        tl_os_condition_wait(&b->changed, &b->mutex, TICK);
        batch_unlock(b);
        const bool ended = tl_os_signals_pending(signals, false) || !batch_ask(b);
        batch_lock(b);
        b->cancelled |= ended;
    }
    b->passed = index + 1;
    if (b->next >= index + BATCH_AHEAD) /* a thread may wait for this one to be passed on */
        tl_os_condition_broadcast(&b->changed);
    batch_unlock(b);
}

static uint32_t batch_thread_count(const batch *b)
{
    size_t count = b->opts->threads > 0 ? b->opts->threads : tl_os_processor_count();
    count = count < b->count ? count : b->count;
    return (uint32_t)(count < BATCH_MOST_THREADS ? count : BATCH_MOST_THREADS);
}

static void batch_run_all(batch *b, trilo_batch_summary *summary)
{
    tl_os_signals signals;
    uint32_t count = 0, wanted = batch_thread_count(b);
    tl_os_signals_hold(&signals, TL_OS_SIGNALS_OF_USER);
    tl_os_thread *threads = TL_ARRAY(&b->arena, wanted, tl_os_thread);
    const bool ready = threads && batch_make_order(b, wanted > 1);
    while (ready && count < wanted && tl_os_thread_start(&threads[count], batch_work, b))
        count++;
    if (count == 0) /* no thread can be started: one after the other */
        for (size_t i = 0; i < b->count; i++) {
            batch_run_job(b, i, &b->results[i]);
            b->results[i].done = true;
            b->next = i + 1;
        }
    for (size_t i = 0; i < b->count; i++) {
        batch_wait(b, i, &signals);
        batch_pass_on(b, i, summary);
        if (!batch_ask(b)) {
            batch_lock(b);
            b->cancelled = true;
            batch_unlock(b);
        }
    }
    for (uint32_t i = 0; i < count; i++)
        tl_os_thread_join(&threads[i]);
    tl_os_signals_release(&signals);
}
#else
static void batch_run_all(batch *b, trilo_batch_summary *summary)
{
    for (size_t i = 0; i < b->count; i++) {
        batch_result *result = &b->results[i];
        tl_arena_init(&result->arena, NULL);
        result->state = TRILO_BATCH_STATE_SKIPPED;
        if (!b->stopping && !b->cancelled)
            batch_run_job(b, i, result);
        b->stopping |= result->state == TRILO_BATCH_STATE_FAILED && !b->opts->keep_going;
        b->passed = i + 1;
        batch_pass_on(b, i, summary);
        b->cancelled |= !batch_ask(b);
    }
}
#endif

/* ---- files that no job makes any more ---- */

/* Removes a file only if it is unchanged since it was written: otherwise another program has changed it. The name comes
 * from the manifest and is not trusted. */
static const char *batch_remove(const batch *b, tl_arena *arena, const char *path, const tl_manifest_file *file)
{
#if TL_HAVE_OS
    char hash[TL_HASH_ROOM];
    const char *root = b->opts->root ? b->opts->root : ".", *last;
    const tl_os_file below = tl_folder_open_below(root, file->path, &last);
    if (below == TL_OS_NONE)
        return "it is not below the output folder, so it stays";
    const bool same = tl_manifest_hash(path, hash) && strcmp(hash, file->hash) == 0;
    const bool removed = same && tl_os_remove(below, last);
    tl_os_close(below);
    if (!removed)
        return same ? "it cannot be removed" : "it was changed since it was written, so it stays";
    const char *folder = tl_file_path_folder(arena, path);
    while (folder && tl_file_path_below(arena, root, folder) && tl_os_remove_folder(folder))
        folder = tl_file_path_folder(arena, folder);
    return NULL;
#else
    (void)b, (void)arena, (void)path, (void)file;
    return "it cannot be removed";
#endif
}

static bool batch_is_made(batch *b, const char *path)
{
    batch_made *made = tl_array_grow(&b->arena, b->made, b->made_count, &b->made_capacity, 1, sizeof *made);
    b->out_of_memory |= !made;
    if (!made)
        return true;
    b->made = made;
    b->made_paths.rows = made;
    made[b->made_count].path = path;
    return tl_hash_table_find(&b->made_paths, trilo_fnv1a(path, strlen(path)), (uint32_t)b->made_count) != TRILO_NONE;
}

/* Reports the files of a record that no job makes, and removes them on request. Without any left, it is forgotten. */
static void batch_look_at_record(batch *b, tl_arena *arena, const tl_manifest_record *record,
                                 trilo_batch_summary *summary)
{
    const bool removes = b->opts->prune && !b->opts->dry_run;
    bool remains = false;
    for (uint32_t i = 0; i < record->file_count; i++) {
        const char *path = batch_path(b, arena, record->files[i].path);
        if (!path || batch_is_made(b, record->files[i].path) || !tl_file_exists(path))
            continue;
        const char *problem = removes ? batch_remove(b, arena, path, &record->files[i]) : NULL;
        summary->stale++;
        summary->removed += removes && !problem;
        remains |= !removes || problem;
        if (b->opts->on_stale)
            b->opts->on_stale(b->opts->on_stale_user, path, removes && !problem, problem);
    }
    if (!remains && !b->opts->dry_run)
        tl_manifest_forget(&b->manifest, arena, record->output);
}

static void batch_look_for_stale(batch *b, trilo_batch_summary *summary)
{
    for (uint32_t row = 0; row < b->manifest.count; row++) {
        tl_arena arena;
        tl_manifest_record record;
        tl_arena_init(&arena, NULL);
        if (tl_manifest_get(&b->manifest, row, &arena, &record) && !batch_is_made(b, record.output))
            batch_look_at_record(b, &arena, &record, summary);
        tl_arena_free(&arena);
    }
    for (size_t i = 0; i < b->left_count; i++) {
        const tl_manifest_record record = {.output = b->left[i].path, .files = &b->left[i], .file_count = 1};
        batch_look_at_record(b, &b->arena, &record, summary);
    }
}

/* ---- the whole ---- */

/* No two jobs may have the same output. */
static bool batch_check_outputs(batch *b, trilo_error *err)
{
    tl_arena arena;
    bool ok = true, fresh;
    tl_arena_init(&arena, &b->opts->memory);
    batch outputs = {.arena = arena};
    if (!tl_hash_table_init(&outputs.made_paths, &outputs.arena, b->count, batch_compare_made, NULL))
        ok = tl_fail_memory(err);
    for (size_t i = 0; ok && i < b->count; i++) {
        const uint32_t row = batch_claim(&outputs, b->jobs[i].output, "", i, &fresh);
        if (row == TRILO_NONE)
            ok = tl_fail_memory(err);
        else if (!fresh)
            ok = tl_fail(err, TRILO_CODE_BAD_VALUE, NULL, TRILO_NOWHERE, NULL,
                         "%.60s and %.60s would both be written to %.60s", b->jobs[outputs.made[row].job].input,
                         b->jobs[i].input, b->jobs[i].output);
    }
    tl_arena_free(&outputs.arena);
    return ok;
}

static bool batch_begin(batch *b, trilo_error *err)
{
    const trilo_batch_opts *opts = b->opts;
    tl_arena_init(&b->arena, &opts->memory);
    b->results = TL_ARRAY(&b->arena, b->count, batch_result);
    if (!b->results || !tl_hash_table_init(&b->made_paths, &b->arena, 0, batch_compare_made, NULL))
        return tl_fail_memory(err);
    if (!opts->convert && !opts->dry_run)
        return tl_fail_misuse(err, "a batch needs a function that converts");
    if (opts->shard_count > 0 && (opts->shard < 1 || opts->shard > opts->shard_count))
        return tl_fail_misuse(err, "a shard must be from 1 to their number");
    if (!batch_check_outputs(b, err))
        return false;
    b->has_manifest = opts->manifest != NULL;
    return !b->has_manifest || tl_manifest_open(&b->manifest, opts->manifest, &opts->memory, opts->dry_run, err);
}

bool trilo_batch_run(const trilo_batch_job *jobs, size_t count, const trilo_batch_opts *opts,
                     trilo_batch_summary *summary, trilo_error *err)
{
    trilo_batch_opts own;
    trilo_batch_summary unused;
    batch b = {.jobs = jobs, .count = count, .opts = &own, .manifest = {.file = TL_OS_NONE}};
    summary = summary ? summary : &unused;
    *summary = (trilo_batch_summary){.bytes = 0};
    if (!TL_OPTS_TAKE(&own, opts, err))
        return false;
    bool ok = batch_begin(&b, err);
    if (ok) {
#if TL_HAVE_OS
        tl_os_mutex_init(&b.mutex);
        tl_os_condition_init(&b.changed);
#endif
        batch_run_all(&b, summary);
#if TL_HAVE_OS
        tl_os_condition_free(&b.changed);
        tl_os_mutex_free(&b.mutex);
#endif
        /* What a job that was not tried would make is not known. */
        const bool complete = !b.cancelled && summary->jobs[TRILO_BATCH_STATE_SKIPPED] == 0;
        if (b.has_manifest && complete && !b.out_of_memory)
            batch_look_for_stale(&b, summary);
        if (b.out_of_memory)
            ok = tl_fail_memory(err);
        else if (b.cancelled)
            ok = tl_fail(err, TRILO_CODE_CANCELLED, &tl_general_rules[TL_CALL_CANCELLED], TRILO_NOWHERE, NULL,
                         "the batch was cancelled");
        else if (b.unwritable)
            ok = tl_fail(err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE, NULL,
                         "the manifest %.100s cannot be written", own.manifest);
    }
    if (b.has_manifest)
        tl_manifest_close(&b.manifest);
    tl_arena_free(&b.arena);
    return ok;
}

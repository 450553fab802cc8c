/* A conversion to disk: which companions are written, which must not be replaced, and all files together. */
#include "api/convert/convert.h"

#include "api/file/io.h"
#include "api/file/output_set.h"
#include "api/file/path.h"
#include "base/hash_table.h"
#include "base/opts.h"
#include "base/report.h"
#include <string.h>

typedef struct commit_job {
    const tl_conversion *conversion;
    const char *path;
    const trilo_commit_opts *opts;
    tl_output_set set;
    trilo_committed *files; /* the main file, companions and extra files */
    size_t *staged;         /* the index in the set of each; one that is unchanged has that of the next */
    uint32_t count;
    tl_file_identity
        *input_files; /* the companions of the document, and room for one to look up; NULL: not yet listed */
    tl_hash_table input_table;
} commit_job;

static bool commit_has_bytes(const char *folder, const trilo_converted_file *file)
{
    tl_arena arena;
    trilo_bytes found;
    tl_arena_init(&arena, NULL);
    const bool same = tl_file_read_below(folder, file->name, file->bytes.size, &arena, &found, NULL) &&
                      found.size == file->bytes.size &&
                      (found.size == 0 || memcmp(found.data, file->bytes.data, found.size) == 0);
    tl_arena_free(&arena);
    return same;
}

/* "hero.0.sdata" is expected beside "hero.t3dm"; "other.0.sdata" may belong to another model. */
static bool commit_is_named_after(const char *name, const char *path)
{
    const char *stem = tl_file_path_last(path), *dot = strrchr(stem, '.');
    const size_t length = dot ? (size_t)(dot - stem) : strlen(stem);
    return strncmp(name, stem, length) == 0 && (name[length] == '.' || name[length] == '-');
}

static int commit_compare_identities(const void *files, uint32_t a, uint32_t b)
{
    const tl_file_identity *of = files;
    return memcmp(&of[a], &of[b], sizeof *of);
}

/* The companions of the document, whatever links lead to them; once. */
static bool commit_list_input(commit_job *job)
{
    const tl_conversion *conversion = job->conversion;
    if (job->input_files)
        return true;
    tl_file_identity *files = TL_ARRAY(&job->set.arena, conversion->input_count + 1, tl_file_identity);
    if (!files || !tl_hash_table_init(&job->input_table, &job->set.arena, conversion->input_count,
                                      commit_compare_identities, files))
        return false;
    for (size_t i = 0; i < conversion->input_count; i++) {
        const char *path = tl_file_path_beside(&job->set.arena, conversion->input, conversion->input_companions[i]);
        if (!path)
            return false;
        if (tl_file_identify(path, &files[i]) &&
            tl_hash_table_add(&job->input_table, tl_hash_words(&files[i], sizeof files[i]), (uint32_t)i) == TRILO_NONE)
            return false;
    }
    job->input_files = files;
    return true;
}

/* Why a companion that exists with other bytes must not be replaced. Names in a file are not to be trusted: only
 * streams are overwritten, and what was named after the output here. Nor may the document lose a companion without
 * being replaced itself. NULL: it may be replaced. */
static const char *commit_objection(commit_job *job, const trilo_converted_file *file, const char *path, bool existed)
{
    const tl_conversion *conversion = job->conversion;
    const bool own = !conversion->companions_copied && commit_is_named_after(file->name, job->path);
    if (strcmp(path, job->path) == 0)
        return "the model names itself as a file beside it";
    if (!existed)
        return NULL;
    if (!file->is_stream && !file->is_sprite && !own)
        return conversion->result.format == TRILO_FORMAT_T3DM
                   ? "it exists, and its name is not that of a stream of keys"
                   : "it exists with other content: write to another folder";
    if (!conversion->input || tl_file_same(conversion->input, job->path))
        return NULL;
    if (!commit_list_input(job))
        return "memory ran out";
    tl_file_identity *own_identity = &job->input_files[conversion->input_count];
    if (!tl_file_identify(path, own_identity) ||
        tl_hash_table_find(&job->input_table, tl_hash_words(own_identity, sizeof *own_identity),
                           (uint32_t)conversion->input_count) == TRILO_NONE)
        return NULL;
    return file->is_stream ? "it is a stream of the input, which is not overwritten: give the output another name"
                           : "it is a file of the input, which is not overwritten: give the output another name";
}

static trilo_committed *commit_add(commit_job *job, const char *path, uint32_t companion)
{
    trilo_committed *file = &job->files[job->count];
    *file = (trilo_committed){.path = path, .state = TRILO_COMMIT_STATE_FAILED, .companion = companion};
    job->staged[job->count++] = job->set.count;
    return file;
}

static bool commit_stage_companion(commit_job *job, uint32_t index, trilo_error *err)
{
    const trilo_converted_file *file = &job->conversion->result.companions[index];
    const char *folder = tl_file_path_folder(&job->set.arena, job->path);
    const char *path = tl_file_path_beside(&job->set.arena, job->path, file->name);
    if (!folder || !path)
        return tl_fail_memory(err);
    trilo_committed *committed = commit_add(job, path, index);
    /* First: another conversion may be writing the same file, which must not count as one with other content. */
    const bool existed = tl_file_exists(path);
    if (commit_has_bytes(folder, file)) {
        committed->state = TRILO_COMMIT_STATE_UNCHANGED;
        return true;
    }
    const char *why = commit_objection(job, file, path, existed);
    if (why)
        return tl_fail(err, TRILO_CODE_CANT_WRITE, NULL, TRILO_NOWHERE, NULL, "%s", why);
    const bool replaces = existed && !commit_is_named_after(file->name, job->path);
    if (!tl_output_set_stage_below(&job->set, folder, file->name, file->bytes, err))
        return false;
    committed->state = replaces ? TRILO_COMMIT_STATE_REPLACED : TRILO_COMMIT_STATE_WRITTEN;
    return true;
}

static bool commit_stage(commit_job *job, trilo_error *err)
{
    const trilo_conversion *result = &job->conversion->result;
    const char *input = job->conversion->input;
    const char *from = input ? tl_file_path_folder(&job->set.arena, input) : NULL;
    const char *to = tl_file_path_folder(&job->set.arena, job->path);
    /* Companions of a copy in the same folder are where they belong. */
    const bool in_place = job->conversion->companions_copied && from && to && tl_file_same(from, to);
    trilo_committed *main = commit_add(job, job->path, TRILO_NONE);
    main->is_main = true;
    if (!tl_output_set_stage(&job->set, job->path, result->bytes, err))
        return false;
    main->state = TRILO_COMMIT_STATE_WRITTEN;
    for (uint32_t i = 0; !in_place && i < result->companion_count; i++)
        if (!commit_stage_companion(job, i, err))
            return false;
    for (uint32_t i = 0; i < job->opts->extra_count; i++) {
        trilo_committed *extra = commit_add(job, job->opts->extras[i].path, TRILO_NONE);
        if (!tl_output_set_stage(&job->set, extra->path, job->opts->extras[i].bytes, err))
            return false;
        extra->state = TRILO_COMMIT_STATE_WRITTEN;
    }
    return true;
}

/* All files, or the one that failed: one that was staged was not written when another one failed. */
static void commit_report(const commit_job *job, bool ok)
{
    trilo_committed failed = {job->path, TRILO_COMMIT_STATE_FAILED, TRILO_NONE, true, NULL};
    const trilo_rule *rule = &tl_general_rules[TL_FILE_REPLACED];
    const trilo_finding replaced = {rule->severity,
                                    rule->kind,
                                    rule->name,
                                    TRILO_NOWHERE,
                                    "",
                                    "it had other content and was replaced, another model "
                                    "may have needed it"};
    for (uint32_t i = 0; !ok && i < job->count; i++)
        if (job->files[i].state == TRILO_COMMIT_STATE_FAILED || job->staged[i] == job->set.failed)
            failed = job->files[i];
    failed.state = TRILO_COMMIT_STATE_FAILED;
    if (!job->opts->on_file)
        return;
    for (uint32_t i = 1; ok && i < job->count; i++) {
        job->files[i].finding = job->files[i].state == TRILO_COMMIT_STATE_REPLACED ? &replaced : NULL;
        job->opts->on_file(job->opts->on_file_user, &job->files[i]);
    }
    job->opts->on_file(job->opts->on_file_user, ok ? &job->files[0] : &failed);
}

bool trilo_conversion_commit(const trilo_conversion *conversion, const char *path, const trilo_commit_opts *opts,
                             trilo_error *err)
{
    trilo_commit_opts own;
    commit_job job = {.conversion = (const tl_conversion *)(const void *)conversion, .path = path, .opts = &own};
    if (!TL_OPTS_TAKE(&own, opts, err))
        return false;
    tl_output_set_begin(&job.set, NULL);
    job.set.no_sync = job.opts->no_sync;
    const size_t most = (size_t)conversion->companion_count + job.opts->extra_count + 1;
    job.files = TL_ARRAY(&job.set.arena, most, trilo_committed);
    job.staged = TL_ARRAY(&job.set.arena, most, size_t);
    const bool ok = ((job.files && job.staged) || tl_fail_memory(err)) && commit_stage(&job, err) &&
                    tl_output_set_commit(&job.set, err);
    commit_report(&job, ok);
    tl_output_set_end(&job.set);
    return ok;
}

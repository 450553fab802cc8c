/* The batch: what is converted, what is current, what is stale, whatever happens in between. The conversion is a copy
 * with a line in front, so that the tests are about the batch alone. */
#define _POSIX_C_SOURCE 200809L

#include "api/project/manifest.h"
#include "harness.h"
#include "support/allocations.h"
#include "trilobite/batch.h"
#include "trilobite/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64, ROOM = 256 };

typedef struct tree {
    char folder[128], manifest[ROOM], root[160];
    size_t count;
    char inputs[MOST][ROOM], outputs[MOST][ROOM];
    trilo_batch_job jobs[MOST];
    bool second_file;   /* each model also has a companion */
    bool shared;        /* all models write one companion */
    const char *extra;  /* every model also reads this file */
    const char *image;  /* and looks this image up */
    const char *absent; /* and would read this file */
    atomic_uint started;
    unsigned places[MOST]; /* of each job, in the order in which they were started */
    bool fails[MOST];
    unsigned slow;      /* microseconds of a conversion */
    char log[MOST * 2]; /* a letter for each job, in the order of the calls */
    char stale[ROOM];
    trilo_batch_opts opts;
    trilo_batch_summary summary;
} tree;

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
    /* Files that were written long ago are compared without reading them. */
    const struct timespec times[2] = {{.tv_sec = 1700000000}, {.tv_sec = 1700000000}};
    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
}

static void check_file(const char *path, const char *text)
{
    size_t size;
    uint8_t *bytes = test_read_file(path, &size);
    if (!bytes)
        FAIL("%s is missing", path);
    if (size != strlen(text) || memcmp(bytes, text, size) != 0)
        FAIL("%s has %.*s, not %s", path, (int)size, (const char *)bytes, text);
    free(bytes);
}

static bool write_file(trilo_batch_files *files, const char *path, const char *front, trilo_bytes bytes)
{
    char text[1024];
    const int size = snprintf(text, sizeof text, "%s%.*s", front, (int)bytes.size, (const char *)bytes.data);
    const trilo_extra_file file = {path, {(const uint8_t *)text, (size_t)size}};
    trilo_batch_files_wrote(files, path, file.bytes);
    return trilo_files_replace(&file, 1, &(trilo_file_opts){.no_sync = true}, NULL, NULL);
}

static bool convert(void *user, size_t job, trilo_batch_files *files)
{
    tree *t = user;
    char path[ROOM + 16];
    t->places[job] = atomic_fetch_add(&t->started, 1);
    const trilo_file *input = trilo_file_read(t->inputs[job], NULL, NULL);
    if (!input || t->fails[job]) {
        trilo_file_free(input);
        return false;
    }
    if (t->slow) {
        const struct timespec time = {0, (long)t->slow * 1000};
        nanosleep(&time, NULL);
    }
    bool ok = true;
    if (t->second_file || t->shared) {
        snprintf(path, sizeof path, t->shared ? "%s/shared" : "%s.side", t->shared ? t->root : t->outputs[job]);
        ok = write_file(files, path, "side of ", input->bytes);
    }
    if (t->extra)
        trilo_batch_files_read(files, t->extra);
    if (t->absent && access(t->absent, F_OK) != 0)
        trilo_batch_files_missing(files, t->absent);
    else if (t->absent)
        trilo_batch_files_read(files, t->absent);
    if (t->image) {
        trilo_assets *assets =
            trilo_assets_new(&(trilo_assets_opts){.model = t->inputs[job], .folder = t->folder}, NULL);
        CHECK(assets);
        const char *found = trilo_assets_locate(assets, t->image);
        trilo_batch_files_looked_up(files, t->image, found);
        if (found)
            trilo_batch_files_read(files, found);
        trilo_assets_free(assets);
    }
    ok = ok && write_file(files, t->outputs[job], t->jobs[job].options, input->bytes);
    trilo_file_free(input);
    return ok;
}

static void see_done(void *user, size_t job, trilo_batch_state state, const char *problem)
{
    tree *t = user;
    const size_t used = strlen(t->log);
    CHECK(job == used);
    t->log[used] = problem ? '!' : "C.OF-e"[state];
    t->log[used + 1] = '\0';
}

static void see_stale(void *user, const char *path, bool removed, const char *problem)
{
    tree *t = user;
    const char *slash = strrchr(path, '/');
    const size_t used = strlen(t->stale);
    snprintf(t->stale + used, sizeof t->stale - used, "%s%s ", slash ? slash + 1 : path,
             removed   ? "-"
             : problem ? "!"
                       : "");
}

static tree *new_tree(size_t count)
{
    tree *t = calloc(1, sizeof *t);
    CHECK(t && count <= MOST);
    snprintf(t->folder, sizeof t->folder, "%s", test_folder());
    snprintf(t->root, sizeof t->root, "%s/out", t->folder);
    snprintf(t->manifest, sizeof t->manifest, "%s/out.manifest", t->folder);
    CHECK(mkdir(t->root, 0777) == 0);
    t->count = count;
    for (size_t i = 0; i < count; i++) {
        char text[32];
        snprintf(t->inputs[i], ROOM, "%s/in%02zu", t->folder, i);
        snprintf(t->outputs[i], ROOM, "%s/out%02zu", t->root, i);
        snprintf(text, sizeof text, "model %zu", i);
        put_file(t->inputs[i], text);
        t->jobs[i] =
            (trilo_batch_job){.input = t->inputs[i], .output = t->outputs[i], .options = "a ", .assets = t->folder};
    }
    t->opts = (trilo_batch_opts){.manifest = t->manifest,
                                 .root = t->root,
                                 .threads = 3,
                                 .convert = convert,
                                 .convert_user = t,
                                 .on_done = see_done,
                                 .on_done_user = t,
                                 .on_stale = see_stale,
                                 .on_stale_user = t};
    return t;
}

/* Runs the batch; what became of each job. */
static const char *run(tree *t)
{
    trilo_error err = {0};
    t->log[0] = t->stale[0] = '\0';
    if (!trilo_batch_run(t->jobs, t->count, &t->opts, &t->summary, &err))
        FAIL("%s", err.text);
    return t->log;
}

static void free_tree(tree *t)
{
    char command[ROOM + 16];
    snprintf(command, sizeof command, "rm -rf %s", t->folder);
    CHECK(system(command) == 0);
    free(t);
}

TEST(only_what_changed_is_converted)
{
    tree *t = new_tree(5);
    t->opts.dry_run = true;
    CHECK_STR(run(t), "OOOOO");
    CHECK(access(t->manifest, F_OK) != 0);
    t->opts.dry_run = false;
    CHECK_STR(run(t), "CCCCC");
    check_file(t->outputs[3], "a model 3");
    CHECK_STR(run(t), ".....");
    put_file(t->inputs[2], "model X"); /* the same size and time */
    CHECK_STR(run(t), "..C..");
    check_file(t->outputs[2], "a model X");
    t->jobs[1].options = "b ";
    CHECK_STR(run(t), ".C...");
    check_file(t->outputs[1], "b model 1");
    CHECK(unlink(t->outputs[4]) == 0);
    CHECK_STR(run(t), "....C");
    put_file(t->outputs[0], "by hand");
    CHECK_STR(run(t), "C....");
    t->opts.force = true;
    CHECK_STR(run(t), "CCCCC");
    free_tree(t);
}

/* git sets new times when it checks the same content out again. */
TEST(content_decides)
{
    tree *t = new_tree(3);
    CHECK_STR(run(t), "CCC");
    for (size_t i = 0; i < t->count; i++) {
        const struct timespec times[2] = {{.tv_sec = 1700000001}, {.tv_sec = 1700000001}};
        CHECK(utimensat(AT_FDCWD, t->inputs[i], times, 0) == 0);
        CHECK(utimensat(AT_FDCWD, t->outputs[i], times, 0) == 0);
    }
    CHECK_STR(run(t), "...");
    /* Just written: its time could stay the same when it changes once more, so it is read again. */
    FILE *file = fopen(t->inputs[0], "w");
    CHECK(file && fputs("model 0", file) >= 0 && fclose(file) == 0);
    CHECK_STR(run(t), "...");
    file = fopen(t->inputs[0], "w");
    CHECK(file && fputs("model Y", file) >= 0 && fclose(file) == 0);
    const char *log = run(t);
    CHECK_STR(log, "C..");
    free_tree(t);
}

/* The stamp of the second source in the record of the first output; it becomes `stamp` unless that is NULL. */
static void check_stamp(const tree *t, const char *want, const char *stamp)
{
    tl_manifest manifest;
    tl_manifest_record record;
    tl_manifest_file sources[2];
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_manifest_open(&manifest, t->manifest, NULL, false, NULL));
    CHECK(tl_manifest_get(&manifest, tl_manifest_find(&manifest, "out00"), &arena, &record));
    CHECK_INT(record.source_count, 2);
    CHECK_STR(record.sources[1].stamp, want);
    memcpy(sources, record.sources, sizeof sources);
    sources[1].stamp = stamp;
    record.sources = sources;
    CHECK(!stamp || tl_manifest_append(&manifest, &arena, &record));
    tl_manifest_close(&manifest);
    tl_arena_free(&arena);
}

/* The stamp of a file of the same content is recorded, but not by a dry run. Only an old file has one: one of the
 * source tree. */
TEST(new_stamps_are_recorded)
{
    tree *t = new_tree(1);
    char stamp[TL_STAMP_ROOM];
    double seconds;
    uint64_t size;
    t->extra = test_source("README.md");
    CHECK(tl_manifest_stamp(t->extra, stamp, &seconds, &size));
    CHECK_STR(run(t), "C");
    check_stamp(t, stamp, "another");
    t->opts.dry_run = true;
    CHECK_STR(run(t), ".");
    check_stamp(t, "another", NULL);
    t->opts.dry_run = false;
    CHECK_STR(run(t), ".");
    check_stamp(t, stamp, NULL);
    free_tree(t);
}

TEST(other_sources_count)
{
    tree *t = new_tree(2);
    char extra[2 * ROOM], image[2 * ROOM], beside[2 * ROOM];
    snprintf(extra, sizeof extra, "%s/buffer", t->folder);
    put_file(extra, "1");
    t->extra = extra;
    t->image = "wall";
    CHECK_STR(run(t), "CC");
    CHECK_STR(run(t), "..");
    put_file(extra, "2");
    CHECK_STR(run(t), "CC");
    /* An image that was missing appears; then one that is found before it. */
    snprintf(image, sizeof image, "%s/deep", t->folder);
    CHECK(mkdir(image, 0777) == 0);
    strcat(image, "/wall.png");
    put_file(image, "png");
    CHECK_STR(run(t), "CC");
    CHECK_STR(run(t), "..");
    put_file(image, "PNG");
    CHECK_STR(run(t), "CC");
    snprintf(beside, sizeof beside, "%s/wall.png", t->folder);
    put_file(beside, "png");
    CHECK_STR(run(t), "CC");
    CHECK_STR(run(t), "..");
    CHECK(unlink(extra) == 0);
    CHECK_STR(run(t), "CC");
    free_tree(t);
}

/* A file that would be read, if it were there. */
TEST(absent_files_count)
{
    tree *t = new_tree(2);
    char absent[2 * ROOM];
    snprintf(absent, sizeof absent, "%s/settings", t->folder);
    t->absent = absent;
    CHECK_STR(run(t), "CC");
    CHECK_STR(run(t), "..");
    put_file(absent, "1");
    CHECK_STR(run(t), "CC");
    CHECK_STR(run(t), "..");
    CHECK(unlink(absent) == 0);
    CHECK_STR(run(t), "CC");
    CHECK_STR(run(t), "..");
    free_tree(t);
}

/* The largest last would leave the other threads with nothing to do. */
TEST(large_inputs_are_first)
{
    tree *t = new_tree(MOST);
    char text[MOST + 1];
    for (size_t i = 0; i < MOST; i++) {
        memset(text, 'x', i);
        text[i] = '\0';
        put_file(t->inputs[i], text);
    }
    t->opts.threads = 2;
    run(t);
    CHECK(t->places[MOST - 1] <= 1 && t->places[MOST / 2] > 8 && t->places[0] >= MOST - 2);
    t->opts.threads = 1;
    t->opts.force = true;
    atomic_store(&t->started, 0);
    run(t);
    CHECK(t->places[0] == 0 && t->places[MOST - 1] == MOST - 1);
    free_tree(t);
}

TEST(failures_stop_or_do_not)
{
    tree *t = new_tree(6);
    t->opts.threads = 1;
    t->fails[2] = true;
    CHECK_STR(run(t), "CCF---");
    t->opts.keep_going = true;
    CHECK_STR(run(t), "..FCCC");
    t->fails[2] = false;
    CHECK_STR(run(t), "..C...");
    CHECK(unlink(t->inputs[5]) == 0);
    CHECK_STR(run(t), ".....F");
    CHECK_INT(t->summary.jobs[TRILO_BATCH_STATE_FAILED], 1);
    free_tree(t);
}

TEST(stale_files_are_found_and_removed)
{
    tree *t = new_tree(4);
    t->second_file = true;
    CHECK_STR(run(t), "CCCC");
    CHECK_STR(t->stale, "");
    t->count = 3; /* a model is gone */
    CHECK_STR(run(t), "...");
    CHECK_STR(t->stale, "out03.side out03 ");
    t->second_file = false; /* and the others have no companions now */
    t->opts.force = true;
    CHECK_STR(run(t), "CCC");
    CHECK_INT(t->summary.stale, 5);
    t->opts.force = false;
    CHECK_STR(run(t), "...");
    CHECK_INT(t->summary.stale, 5);
    char path[2 * ROOM];
    snprintf(path, sizeof path, "%s.side", t->outputs[1]);
    put_file(path, "by hand");
    t->opts.prune = t->opts.dry_run = true;
    CHECK_STR(run(t), "...");
    CHECK_INT(t->summary.removed, 0);
    t->opts.dry_run = false;
    CHECK_STR(run(t), "...");
    CHECK_INT(t->summary.removed, 4);
    check_file(path, "by hand");
    CHECK(strstr(t->stale, "out01.side!"));
    CHECK(unlink(path) == 0);
    CHECK_STR(run(t), "...");
    CHECK_STR(t->stale, "");
    t->count = 4; /* it comes back */
    CHECK_STR(run(t), "...C");
    free_tree(t);
}

/* A line of a manifest that claims to have written the file. */
static void claim_file(const tree *t, const char *name, const char *hash)
{
    char json[2 * ROOM], sum[TL_HASH_ROOM];
    snprintf(json, sizeof json,
             "{\"out\":\"%s\",\"recipe\":\"\",\"in\":[],\"names\":[],\"files\":[[\"%s\",\"\",\"%s\"]]}", name, name,
             hash);
    tl_manifest_hash_bytes(json, strlen(json), sum);
    FILE *file = fopen(t->manifest, "a");
    CHECK(file && fprintf(file, "%.16s %s\n", sum, json) > 0 && fclose(file) == 0);
}

TEST(a_manifest_leads_nowhere_else)
{
    tree *t = new_tree(1);
    char path[2 * ROOM], absolute[3 * ROOM], link[2 * ROOM], hash[TL_HASH_ROOM], here[ROOM];
    t->opts.prune = true;
    CHECK_STR(run(t), "C");
    snprintf(path, sizeof path, "%s/precious", t->folder);
    put_file(path, "precious");
    CHECK(tl_manifest_hash(path, hash) && getcwd(here, sizeof here));
    snprintf(absolute, sizeof absolute, "%s/%s", path[0] == '/' ? "" : here, path);
    snprintf(link, sizeof link, "%s/link", t->root);
    CHECK(symlink(path[0] == '/' ? t->folder : "..", link) == 0);
    claim_file(t, "../precious", hash);
    claim_file(t, absolute, hash);
    claim_file(t, "link/precious", hash);
    CHECK_STR(run(t), ".");
    check_file(path, "precious");
    CHECK_INT(t->summary.stale, 2); /* a name that begins with a slash means a file below, too */
    CHECK_INT(t->summary.removed, 0);
    CHECK(unlink(link) == 0 && unlink(path) == 0);
    snprintf(path, sizeof path, "%s/pipe", t->root);
    CHECK(mkfifo(path, 0600) == 0);
    claim_file(t, "pipe", hash);
    alarm(20); /* waiting for somebody to write into it would take for ever */
    CHECK_STR(run(t), ".");
    alarm(0);
    CHECK_INT(t->summary.removed, 0);
    CHECK(unlink(path) == 0);
    free_tree(t);
}

TEST(a_failed_model_is_not_stale)
{
    tree *t = new_tree(2);
    t->second_file = true;
    CHECK_STR(run(t), "CC");
    t->fails[1] = true;
    t->opts.force = t->opts.prune = t->opts.keep_going = true;
    CHECK_STR(run(t), "CF");
    CHECK_STR(t->stale, "");
    check_file(t->outputs[1], "a model 1");
    free_tree(t);
}

TEST(two_models_cannot_make_one_file)
{
    tree *t = new_tree(3);
    trilo_error err = {0};
    t->shared = t->opts.keep_going = true;
    put_file(t->inputs[1], "model 0"); /* the same content is no problem */
    CHECK_STR(run(t), "CC!");
    put_file(t->inputs[2], "model 0");
    run(t);
    CHECK_STR(run(t), "...");
    t->jobs[1].output = t->outputs[0];
    CHECK(!trilo_batch_run(t->jobs, t->count, &t->opts, NULL, &err));
    CHECK(strstr(err.text, "would both be written to"));
    free_tree(t);
}

TEST(shards_are_a_partition)
{
    tree *t = new_tree(MOST);
    t->opts.shard_count = 3;
    char first[MOST + 1];
    size_t sum = 0;
    for (uint32_t shard = 1; shard <= 3; shard++) {
        t->opts.shard = shard;
        run(t);
        sum += t->summary.jobs[TRILO_BATCH_STATE_CONVERTED];
        CHECK(t->summary.jobs[TRILO_BATCH_STATE_CONVERTED] > MOST / 6);
    }
    CHECK_INT(sum, MOST);
    t->opts.shard = 1;
    strcpy(first, run(t));
    t->opts.force = true;
    run(t);
    for (size_t i = 0; i < MOST; i++)
        CHECK((first[i] == 'e') == (t->log[i] == 'e'));
    t->opts.shard_count = t->opts.shard = 0;
    t->opts.force = false;
    run(t);
    CHECK_INT(t->summary.jobs[TRILO_BATCH_STATE_CURRENT], MOST);
    free_tree(t);
}

/* Any damage to the manifest costs work, never correctness. */
TEST(a_damaged_manifest_is_no_harm)
{
    tree *t = new_tree(6);
    run(t);
    size_t size;
    uint8_t *bytes = test_read_file(t->manifest, &size);
    CHECK(bytes);
    for (size_t cut = 0; cut < size; cut += test_step(size, 40)) {
        for (int kind = 0; kind < 2; kind++) {
            FILE *file = fopen(t->manifest, "wb");
            const uint8_t old = bytes[cut];
            bytes[cut] ^= kind ? 0x11 : 0;
            CHECK(file && fwrite(bytes, 1, kind ? size : cut, file) == (kind ? size : cut) && fclose(file) == 0);
            bytes[cut] = old;
            put_file(t->inputs[1], cut % 2 ? "model P" : "model Q");
            run(t);
            CHECK_STR(t->stale, "");
            for (size_t i = 0; i < t->count; i++)
                CHECK(t->log[i] == 'C' || t->log[i] == '.');
            check_file(t->outputs[1], cut % 2 ? "a model P" : "a model Q");
            CHECK_STR(run(t), "......");
        }
    }
    free(bytes);
    free_tree(t);
}

TEST(the_manifest_stays_small)
{
    tree *t = new_tree(4);
    run(t);
    struct stat first, last;
    CHECK(stat(t->manifest, &first) == 0);
    t->opts.force = true;
    for (int i = 0; i < 200; i++)
        run(t);
    CHECK(stat(t->manifest, &last) == 0);
    CHECK(last.st_size < 40 * first.st_size);
    t->opts.force = false;
    CHECK_STR(run(t), "....");
    free_tree(t);
}

/* In another process: without callbacks. */
static bool run_silently(tree *t)
{
    trilo_batch_opts opts = t->opts;
    opts.on_done = NULL;
    opts.on_stale = NULL;
    return trilo_batch_run(t->jobs, t->count, &opts, NULL, NULL);
}

/* The output is complete or absent, and the next run finishes. */
TEST(a_killed_batch_is_finished_by_the_next)
{
    tree *t = new_tree(40);
    t->slow = 300;
    t->second_file = true;
    uint32_t seed = 7, unfinished = 0;
    for (uint32_t round = test_rounds(200, 12); round > 0; round--) {
        char option[16];
        snprintf(option, sizeof option, "%u ", round); /* everything is outdated each time */
        for (size_t i = 0; i < t->count; i++)
            t->jobs[i].options = option;
        const pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            run_silently(t);
            _exit(0);
        }
        seed = seed * 1664525u + 1013904223u;
        const struct timespec time = {0, (long)(seed >> 8) % 12000000};
        nanosleep(&time, NULL);
        CHECK(kill(child, SIGKILL) == 0);
        CHECK(waitpid(child, NULL, 0) == child);
        for (size_t i = 0; i < t->count; i++) {
            size_t size;
            uint8_t *bytes = test_read_file(t->outputs[i], &size);
            CHECK(!bytes || (size >= 9 && memchr(bytes, 'm', size)));
            free(bytes);
        }
        t->slow = 0;
        run(t);
        t->slow = 300;
        for (size_t i = 0; i < t->count; i++) {
            char want[64];
            CHECK(t->log[i] == 'C' || t->log[i] == '.');
            unfinished += t->log[i] == 'C';
            snprintf(want, sizeof want, "%smodel %zu", option, i);
            check_file(t->outputs[i], want);
        }
        CHECK_INT(strspn(run(t), "."), t->count);
    }
    CHECK(unfinished > 0);
    free_tree(t);
}

TEST(two_batches_at_once)
{
    tree *t = new_tree(40);
    for (int round = 0; round < 5; round++) {
        t->opts.force = round % 2;
        const pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0)
            _exit(run_silently(t) ? 0 : 1);
        CHECK(run_silently(t));
        int status;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
        t->opts.force = false;
        CHECK_INT(strspn(run(t), "."), t->count);
        for (size_t i = 0; i < t->count; i++) {
            char want[64];
            snprintf(want, sizeof want, "a model %zu", i);
            check_file(t->outputs[i], want);
        }
    }
    free_tree(t);
}

static bool stop_at_once(void *user, uint32_t done, uint32_t total)
{
    (void)total;
    (void)user;
    return done < 3;
}

TEST(a_batch_can_be_cancelled)
{
    tree *t = new_tree(30);
    trilo_error err = {0};
    t->opts.threads = 1;
    t->slow = 2000;
    t->opts.on_progress = stop_at_once;
    CHECK(!trilo_batch_run(t->jobs, t->count, &t->opts, &t->summary, &err));
    CHECK_INT(err.code, TRILO_CODE_CANCELLED);
    CHECK(t->summary.jobs[TRILO_BATCH_STATE_SKIPPED] > 0 && t->summary.jobs[TRILO_BATCH_STATE_CONVERTED] > 0);
    free_tree(t);
}

static bool send_hangup(void *user, uint32_t done, uint32_t total)
{
    (void)user, (void)done, (void)total;
    return kill(getpid(), SIGHUP) == 0;
}

/* As nohup does it. */
TEST(an_ignored_signal_ends_no_batch)
{
    tree *t = new_tree(10);
    void (*const before)(int) = signal(SIGHUP, SIG_IGN);
    t->opts.threads = 1;
    t->slow = 2000;
    t->opts.on_progress = send_hangup;
    CHECK(trilo_batch_run(t->jobs, t->count, &t->opts, &t->summary, NULL));
    CHECK_INT(t->summary.jobs[TRILO_BATCH_STATE_CONVERTED], t->count);
    signal(SIGHUP, before);
    free_tree(t);
}

typedef struct owner {
    tree *t;
    bool owns[3]; /* the output, the file beside it, another file */
} owner;

static bool convert_and_ask(void *user, size_t job, trilo_batch_files *files)
{
    owner *o = user;
    char beside[ROOM + 16], other[ROOM + 16];
    snprintf(beside, sizeof beside, "%s.side", o->t->outputs[job]);
    snprintf(other, sizeof other, "%s.other", o->t->outputs[job]);
    o->owns[0] = trilo_batch_files_are_own(files, o->t->outputs[job]);
    o->owns[1] = trilo_batch_files_are_own(files, beside);
    o->owns[2] = trilo_batch_files_are_own(files, other);
    return convert(o->t, job, files);
}

/* A conversion is told which files the last one wrote. */
TEST(files_of_the_last_conversion_are_its_own)
{
    tree *t = new_tree(1);
    owner o = {.t = t};
    t->second_file = true;
    t->opts.convert = convert_and_ask;
    t->opts.convert_user = &o;
    CHECK_STR(run(t), "C");
    CHECK(!o.owns[0] && !o.owns[1] && !o.owns[2]);
    t->jobs[0].options = "b ";
    CHECK_STR(run(t), "C");
    CHECK(o.owns[0] && o.owns[1] && !o.owns[2]);
    free_tree(t);
}

/* Without a root, and for files elsewhere, the manifest has the whole paths. */
TEST(outputs_that_are_not_below_the_root)
{
    for (int i = 0; i < 2; i++) {
        tree *t = new_tree(2);
        char other[ROOM];
        snprintf(other, sizeof other, "%s/elsewhere", t->folder);
        t->opts.root = i == 0 ? NULL : other;
        t->second_file = true;
        CHECK_STR(run(t), "CC");
        if (i == 0)
            CHECK_STR(run(t), "..");
        tl_manifest manifest;
        CHECK(tl_manifest_open(&manifest, t->manifest, NULL, true, NULL));
        CHECK(manifest.count == 2 && tl_manifest_find(&manifest, t->outputs[1]) < 2);
        tl_manifest_close(&manifest);
        free_tree(t);
    }
}

/* The first half of SHA-256, for the test vectors of FIPS 180-2; of a file the same. */
TEST(hashes_of_contents)
{
    static const struct {
        const char *text, *hash;
        size_t times;
    } all[] = {{"", "e3b0c44298fc1c149afbf4c8996fb924", 1},
               {"abc", "ba7816bf8f01cfea414140de5dae2223", 1},
               {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039", 1},
               {"a", "cdc76e5c9914fb9281a1c7e284d73e67", 1000000}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const size_t length = strlen(all[i].text), size = length * all[i].times;
        char hash[TL_HASH_ROOM], *bytes = malloc(size + 1);
        CHECK(bytes);
        for (size_t k = 0; k < size; k++)
            bytes[k] = all[i].text[k % length];
        bytes[size] = '\0';
        tl_manifest_hash_bytes(bytes, size, hash);
        CHECK_STR(hash, all[i].hash);
        put_file("content", bytes);
        CHECK(tl_manifest_hash("content", hash));
        CHECK_STR(hash, all[i].hash);
        free(bytes);
    }
    char hash[TL_HASH_ROOM];
    CHECK(!tl_manifest_hash("none", hash));
}

/* More outputs than a table looks through, all at one place of it. */
TEST(outputs_whose_hashes_collide)
{
    enum { COLLIDING = 40, BITS = 0xFFF };
    tree *t = new_tree(1);
    char names[COLLIDING][16];
    tl_manifest manifest;
    run(t);
    for (uint32_t i = 0, number = 0; i < COLLIDING; number++) {
        snprintf(names[i], sizeof names[i], "n%u", (unsigned)number);
        if ((trilo_fnv1a(names[i], strlen(names[i])) & BITS) != 0x123)
            continue;
        if (++i < COLLIDING) /* the last one is not there */
            claim_file(t, names[i - 1], "");
    }
    CHECK(tl_manifest_open(&manifest, t->manifest, NULL, true, NULL));
    for (uint32_t i = 0; i + 1 < COLLIDING; i++) {
        const uint32_t row = tl_manifest_find(&manifest, names[i]);
        CHECK(row < manifest.count && manifest.rows[row].output.len == strlen(names[i]));
        CHECK(memcmp(manifest.rows[row].output.data, names[i], strlen(names[i])) == 0);
    }
    CHECK(tl_manifest_find(&manifest, names[COLLIDING - 1]) == TRILO_NONE);
    CHECK(tl_manifest_find(&manifest, "out00") < manifest.count);
    tl_manifest_close(&manifest);
    free_tree(t);
}

/* Each allocation alone fails: the batch says so, or all is well. What it forgot is made again next time, and nothing
 * is taken for stale. */
TEST(a_batch_needs_memory)
{
    tree *t = new_tree(2);
    t->second_file = true;
    t->opts.threads = 1;
    t->opts.prune = true;
    t->opts.on_done = NULL;
    t->absent = "none";
    run(t);
    for (int force = 0; force < 2; force++)
        for (size_t n = 1; allocations_next(n); n += ALLOCATIONS_STEP) {
            trilo_error err = {.code = TRILO_CODE_OK};
            t->opts.force = force;
            const bool ok = trilo_batch_run(t->jobs, t->count, &t->opts, &t->summary, &err);
            allocations_allow();
            if (!ok && (err.code != TRILO_CODE_NO_MEMORY || !allocations_denied()))
                FAIL("without allocation %zu: %s", n, err.text);
            if (t->summary.stale > 0)
                FAIL("without allocation %zu, %s is stale", n, t->stale);
            t->opts.force = false;
            run(t);
            CHECK_INT(t->summary.jobs[TRILO_BATCH_STATE_CURRENT] + t->summary.jobs[TRILO_BATCH_STATE_CONVERTED], 2);
            CHECK(allocations_denied() || t->summary.jobs[TRILO_BATCH_STATE_CURRENT] == 2);
        }
    free_tree(t);
}

TEST_MAIN(CASE(only_what_changed_is_converted), CASE(content_decides), CASE(new_stamps_are_recorded),
          CASE(other_sources_count), CASE(absent_files_count), CASE(large_inputs_are_first),
          CASE(failures_stop_or_do_not), CASE(stale_files_are_found_and_removed), CASE(a_manifest_leads_nowhere_else),
          CASE(a_failed_model_is_not_stale), CASE(two_models_cannot_make_one_file), CASE(shards_are_a_partition),
          CASE(a_damaged_manifest_is_no_harm), CASE(the_manifest_stays_small),
          CASE(a_killed_batch_is_finished_by_the_next), CASE(two_batches_at_once), CASE(a_batch_can_be_cancelled),
          CASE(an_ignored_signal_ends_no_batch), CASE(files_of_the_last_conversion_are_its_own),
          CASE(outputs_that_are_not_below_the_root), CASE(hashes_of_contents), CASE(outputs_whose_hashes_collide),
          CASE(a_batch_needs_memory))

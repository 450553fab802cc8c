/* What a batch writes into its manifest and says about its jobs, word by word: records, shards, conflicts, stale files.
 * One thread; each test runs in an empty folder of its own. */
#define _POSIX_C_SOURCE 200809L

#include "api/project/manifest.h"
#include "harness.h"
#include "trilobite/batch.h"
#include "trilobite/core.h"
#include "trilobite/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 12 };

typedef struct work {
    char inputs[MOST][32], outputs[MOST][32];
    trilo_batch_job jobs[MOST];
    bool companions, fails, reads;
    const char *shared; /* a file that all jobs write, with their own content */
    char said[1000], progress[400];
    unsigned converted;
    trilo_batch_opts opts;
    trilo_batch_summary summary;
} work;

static work w;

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool convert(void *user, size_t job, trilo_batch_files *files)
{
    char path[64], text[32];
    (void)user;
    w.converted++;
    if (w.fails && job == 1)
        return false;
    snprintf(text, sizeof text, "made %zu", job);
    const trilo_bytes bytes = {(const uint8_t *)text, strlen(text)};
    put(w.outputs[job], text);
    trilo_batch_files_wrote(files, w.outputs[job], bytes);
    if (w.companions) {
        snprintf(path, sizeof path, "%s.side", w.outputs[job]);
        put(path, text);
        trilo_batch_files_wrote(files, path, bytes);
    }
    if (w.shared) {
        put(w.shared, text);
        trilo_batch_files_wrote(files, w.shared, bytes);
    }
    if (w.reads) {
        trilo_batch_files_read(files, "extra1");
        trilo_batch_files_read(files, w.inputs[job]); /* is known already */
        trilo_batch_files_read(files, "extra2");
        trilo_batch_files_missing(files, "absent1");
        trilo_batch_files_missing(files, "absent2");
        trilo_batch_files_looked_up(files, "wall", "images/wall.png");
        trilo_batch_files_looked_up(files, "none", NULL);
    }
    CHECK(trilo_batch_files_progress(files, 1, 2));
    return true;
}

static void say(const char *format, const char *a, const char *b)
{
    const size_t used = strlen(w.said);
    snprintf(w.said + used, sizeof w.said - used, format, a, b);
}

static void on_done(void *user, size_t job, trilo_batch_state state, const char *problem)
{
    (void)user, (void)job;
    say("%s%s", (const char[]){"C.OF-e"[state], '\0'}, problem ? problem : "");
    if (problem)
        say("%s%s", "\n", "");
}

static void on_stale(void *user, const char *path, bool removed, const char *problem)
{
    (void)user;
    say("\n%s: %s", path, removed ? "removed" : problem ? problem : "stale");
}

static bool on_progress(void *user, uint32_t done, uint32_t total)
{
    const size_t used = strlen(w.progress);
    char now[32];
    (void)user;
    snprintf(now, sizeof now, "%u/%u ", done, total);
    if (used < strlen(now) || strcmp(w.progress + used - strlen(now), now) != 0)
        snprintf(w.progress + used, sizeof w.progress - used, "%s", now);
    return true;
}

static void make_work(size_t count)
{
    memset(&w, 0, sizeof w);
    CHECK(mkdir("out", 0777) == 0);
    for (size_t i = 0; i < count; i++) {
        char text[32];
        snprintf(w.inputs[i], sizeof w.inputs[i], "in%zu", i);
        snprintf(w.outputs[i], sizeof w.outputs[i], "out/m%zu", i);
        snprintf(text, sizeof text, "model %zu", i);
        put(w.inputs[i], text);
        w.jobs[i] = (trilo_batch_job){.input = w.inputs[i],
                                      .output = w.outputs[i],
                                      .options = i % 2 ? "opt" : NULL,
                                      .assets = i % 3 ? "as" : NULL};
    }
    w.opts = (trilo_batch_opts){.manifest = "m",
                                .root = "out",
                                .threads = 1,
                                .convert = convert,
                                .on_done = on_done,
                                .on_stale = on_stale,
                                .on_progress = on_progress};
}

static const char *run(size_t count)
{
    trilo_error err = {0};
    w.said[0] = w.progress[0] = '\0';
    if (!trilo_batch_run(w.jobs, count, &w.opts, &w.summary, &err))
        FAIL("%s", err.text);
    return w.said;
}

/* ---- records ---- */

/* The hash of the version, the input, the options and the folder of assets, each with its end. */
static void recipe_of(const trilo_batch_job *job, char hash[TL_HASH_ROOM])
{
    char text[200];
    const char *parts[4] = {trilo_version(), job->input, job->options ? job->options : "",
                            job->assets ? job->assets : ""};
    size_t size = 0;
    for (int i = 0; i < 4; i++)
        size += (size_t)sprintf(text + size, "%s", parts[i]) + 1;
    tl_manifest_hash_bytes(text, size, hash);
}

static void check_hash(const char *hash, const char *text)
{
    char want[TL_HASH_ROOM];
    tl_manifest_hash_bytes(text, strlen(text), want);
    CHECK_STR(hash, want);
}

TEST(records_of_conversions)
{
    make_work(3);
    put("extra1", "one");
    put("extra2", "two");
    w.companions = w.reads = true;
    CHECK_STR(run(3), "CCC");
    CHECK(w.summary.jobs[TRILO_BATCH_STATE_CONVERTED] == 3 && w.summary.bytes == 2 * 3 * strlen("made 0"));
    tl_manifest manifest;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_manifest_open(&manifest, "m", NULL, true, NULL) && manifest.count == 3);
    for (uint32_t i = 0; i < 3; i++) {
        tl_manifest_record r;
        char hash[TL_HASH_ROOM], text[32], stamp[TL_STAMP_ROOM], side[32];
        const char *const sources[] = {w.inputs[i], "extra1", "extra2", "absent1", "absent2"};
        double seconds;
        uint64_t size;
        CHECK_INT(tl_manifest_find(&manifest, w.outputs[i] + 4), i);
        CHECK(tl_manifest_get(&manifest, i, &arena, &r));
        recipe_of(&w.jobs[i], hash);
        CHECK_STR(r.recipe, hash);
        CHECK(r.source_count == 5 && r.name_count == 2 && r.file_count == 2);
        snprintf(text, sizeof text, "model %u", i);
        for (uint32_t k = 0; k < 5; k++) {
            CHECK_STR(r.sources[k].path, sources[k]);
            CHECK_STR(r.sources[k].stamp, ""); /* it was changed just before: its time says nothing */
            if (k > 2)
                CHECK_STR(r.sources[k].hash, "absent");
            else
                check_hash(r.sources[k].hash, k == 0 ? text : k == 1 ? "one" : "two");
        }
        CHECK_STR(r.names[0].path, "images/wall.png");
        CHECK(strcmp(r.names[1].name, "none") == 0 && !r.names[1].path);
        snprintf(text, sizeof text, "made %u", i);
        snprintf(side, sizeof side, "m%u.side", i);
        for (uint32_t k = 0; k < 2; k++) {
            char path[64];
            CHECK_STR(r.files[k].path, k == 0 ? w.outputs[i] + 4 : side);
            check_hash(r.files[k].hash, text);
            snprintf(path, sizeof path, "out/%s", r.files[k].path);
            CHECK(tl_manifest_stamp(path, stamp, &seconds, &size));
            CHECK_STR(r.files[k].stamp, stamp);
        }
    }
    tl_manifest_close(&manifest);
    tl_arena_free(&arena);
}

/* Each part of the recipe counts, and each file; a file that was missing and is there, too. */
TEST(what_makes_a_job_outdated)
{
    make_work(2);
    put("extra1", "one");
    put("extra2", "two");
    CHECK_STR(run(2), "CC");
    CHECK_STR(run(2), "..");
    w.jobs[0].options = "x";
    CHECK_STR(run(2), "C.");
    w.jobs[0].options = NULL;
    w.jobs[1].assets = NULL;
    CHECK_STR(run(2), "CC");
    put("out/m1", "changed");
    CHECK_STR(run(2), ".C");
    CHECK(unlink("out/m0") == 0);
    CHECK_STR(run(2), "C.");
    put("in1", "changed");
    CHECK_STR(run(2), ".C");
    put("in1", "changed"); /* the same again */
    CHECK_STR(run(2), "..");
    w.opts.force = true;
    CHECK_STR(run(2), "CC");
    w.opts.force = false;
    w.opts.dry_run = true;
    put("in0", "changed");
    w.converted = 0;
    CHECK_STR(run(2), "O.");
    CHECK(w.converted == 0 && w.summary.jobs[TRILO_BATCH_STATE_OUTDATED] == 1 &&
          w.summary.jobs[TRILO_BATCH_STATE_CURRENT] == 1);
    w.opts.dry_run = false;
    w.opts.manifest = NULL; /* nothing is known without it */
    CHECK_STR(run(2), "CC");
    CHECK_STR(run(2), "CC");
}

/* A job without any file, or that read a file which is gone, has no record and is done again. */
TEST(conversions_without_a_record)
{
    make_work(1);
    w.reads = true;
    put("extra1", "one"); /* extra2 is not there */
    CHECK_STR(run(1), "C");
    CHECK_STR(run(1), "C");
    put("extra2", "two");
    put("absent2", "");
    CHECK_STR(run(1), "C");
    CHECK_STR(run(1), "C");
    CHECK(unlink("absent2") == 0);
    CHECK_STR(run(1), "C");
    tl_manifest manifest;
    CHECK(tl_manifest_open(&manifest, "m", NULL, true, NULL));
    CHECK_INT(manifest.count, 1);
    tl_manifest_close(&manifest);
}

/* ---- shards ---- */

TEST(shards_go_by_the_content)
{
    make_work(MOST);
    w.opts.manifest = NULL;
    static const uint32_t counts[] = {1, 2, 3, 7};
    for (size_t c = 0; c < 4; c++)
        for (uint32_t shard = 1; shard <= counts[c]; shard++) {
            char want[MOST + 1] = "";
            for (size_t i = 0; i < MOST; i++) {
                char hash[TL_HASH_ROOM], text[32];
                snprintf(text, sizeof text, "model %zu", i);
                tl_manifest_hash_bytes(text, strlen(text), hash);
                hash[16] = '\0';
                want[i] = strtoull(hash, NULL, 16) % counts[c] + 1 == shard ? 'C' : 'e';
            }
            w.opts.shard = shard;
            w.opts.shard_count = counts[c];
            CHECK_STR(run(MOST), want);
        }
    CHECK(unlink("in0") == 0); /* one that cannot be read belongs to the first */
    w.opts.shard_count = 2;
    for (uint32_t shard = 1; shard <= 2; shard++) {
        w.opts.shard = shard;
        CHECK_INT(run(1)[0], shard == 1 ? 'C' : 'e');
    }
}

TEST(batches_that_cannot_run)
{
    make_work(2);
    static const struct {
        uint32_t shard, count;
        bool ok;
    } rows[] = {{0, 0, true}, {5, 0, true}, {0, 1, false}, {1, 1, true}, {2, 1, false}, {3, 3, true}, {4, 3, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trilo_error err = {0};
        w.opts.shard = rows[i].shard;
        w.opts.shard_count = rows[i].count;
        CHECK_INT(trilo_batch_run(w.jobs, 2, &w.opts, NULL, &err), rows[i].ok);
        CHECK_STR(rows[i].ok ? "" : err.text, rows[i].ok ? "" : "a shard must be from 1 to their number");
    }
    trilo_error err = {0};
    w.opts = (trilo_batch_opts){.shard_count = 0};
    CHECK(!trilo_batch_run(w.jobs, 2, &w.opts, NULL, &err));
    CHECK_STR(err.text, "a batch needs a function that converts");
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    w.opts.convert = convert;
    w.jobs[1].output = w.jobs[0].output;
    CHECK(!trilo_batch_run(w.jobs, 2, &w.opts, NULL, &err));
    CHECK_STR(err.text, "in0 and in1 would both be written to out/m0");
    CHECK_INT(err.code, TRILO_CODE_BAD_VALUE);
    w.opts.manifest = "none/m";
    w.jobs[1].output = w.outputs[1];
    CHECK(!trilo_batch_run(w.jobs, 2, &w.opts, NULL, &err));
    CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
}

/* ---- order ---- */

TEST(failures_and_progress)
{
    make_work(4);
    w.fails = true;
    CHECK_STR(run(4), "CF--");
    CHECK(w.summary.jobs[TRILO_BATCH_STATE_FAILED] == 1 && w.summary.jobs[TRILO_BATCH_STATE_SKIPPED] == 2);
    w.opts.keep_going = true;
    w.opts.force = true;
    CHECK_STR(run(4), "CFCC");
    CHECK(strstr(w.progress, "1/4 2/4 3/4 4/4 ") != NULL);
    CHECK_INT(w.summary.bytes, 3 * strlen("made 0"));
    static const uint32_t threads[] = {0, 2, 4, 5, 5000};
    w.fails = false;
    for (size_t i = 0; i < 5; i++) {
        w.opts.threads = threads[i];
        CHECK_STR(run(4), "CCCC");
    }
    w.opts.threads = 0;
    CHECK(strstr(run(0), "out/m3: stale"));
    CHECK_INT(w.summary.stale, 4);
}

/* ---- conflicts and stale files ---- */

/* Two models that write a file with different content: the second one fails, and neither is current the next time. */
TEST(two_contents_of_a_file)
{
    make_work(3);
    w.shared = "out/both";
    w.opts.keep_going = true;
    CHECK_STR(run(3), "CFboth is also made from in0, with other content\nFboth is also made from in0, with other "
                      "content\n");
    w.shared = NULL;
    CHECK_STR(run(3), "CCC");
}

/* Files of jobs that are gone: reported, removed if they are as they were written, with folders that are then empty. */
TEST(stale_files_and_why_they_stay)
{
    make_work(4);
    w.companions = true;
    CHECK(mkdir("out/deep", 0777) == 0 && mkdir("out/deep/er", 0777) == 0);
    strcpy(w.outputs[3], "out/deep/er/x");
    CHECK_STR(run(4), "CCCC");
    put("out/m1.side", "changed");
    CHECK_STR(run(1), ".\nout/m1: stale\nout/m1.side: stale\nout/m2: stale\nout/m2.side: stale\nout/deep/er/x: stale"
                      "\nout/deep/er/x.side: stale");
    CHECK(w.summary.stale == 6 && w.summary.removed == 0);
    w.opts.prune = w.opts.dry_run = true;
    CHECK(strstr(run(1), "out/m1: stale\n") && is_there("out/m1"));
    w.opts.dry_run = false;
    CHECK_STR(run(1), ".\nout/m1: removed\nout/m1.side: it was changed since it was written, so it stays\nout/m2: "
                      "removed\nout/m2.side: removed\nout/deep/er/x: removed\nout/deep/er/x.side: removed");
    CHECK(w.summary.stale == 6 && w.summary.removed == 5);
    CHECK(!is_there("out/deep") && is_there("out/m1.side") && is_there("out/m0.side"));
    CHECK_STR(run(1), ".\nout/m1.side: it was changed since it was written, so it stays");
    CHECK(unlink("out/m1.side") == 0);
    CHECK_STR(run(1), ".");
    CHECK_STR(run(0), "\nout/m0: removed\nout/m0.side: removed");
    CHECK(is_there("out"));
}

/* A companion that a model does not have any more is stale, until it is removed. */
TEST(companions_that_are_left)
{
    make_work(2);
    w.companions = true;
    CHECK_STR(run(2), "CC");
    w.companions = false;
    w.opts.force = true;
    CHECK_STR(run(2), "CC\nout/m0.side: stale\nout/m1.side: stale");
    w.opts.force = false;
    CHECK_STR(run(2), "..\nout/m0.side: stale\nout/m1.side: stale");
    w.opts.prune = true;
    CHECK_STR(run(2), "..\nout/m0.side: removed\nout/m1.side: removed");
    CHECK_STR(run(2), "..");
}

TEST_MAIN(CASE(records_of_conversions), CASE(what_makes_a_job_outdated), CASE(conversions_without_a_record),
          CASE(shards_go_by_the_content), CASE(batches_that_cannot_run), CASE(failures_and_progress),
          CASE(two_contents_of_a_file), CASE(stale_files_and_why_they_stay), CASE(companions_that_are_left))

/* Files that are written together: all of them, or what was there before. */
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#define _POSIX_C_SOURCE 200809L

#include "api/output_set.h"
#include "harness.h"
#include "support/t3dm_frond.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CLIPS = 3, FILES = CLIPS + 1 };

/* In the order in which they take their places: the model comes last. */
static const char *const names[FILES] = {"leaf.0.sdata", "leaf.1.sdata", "leaf.2.sdata", "leaf.t3dm"};

static char folder[200], path_text[512];

static const char *in_folder(const char *name)
{
    snprintf(path_text, sizeof path_text, "%s/%s", folder, name);
    return path_text;
}

static void folder_make(void)
{
    const char *root = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/trilobite-test-XXXXXX", root && strlen(root) < 100 ? root : "/tmp");
    CHECK(mkdtemp(folder) != NULL);
}

static size_t files_in_folder(void)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    CHECK(dir != NULL);
    for (const struct dirent *entry; (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static void folder_remove(void)
{
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            remove(in_folder(entry->d_name));
    closedir(dir);
    CHECK(rmdir(folder) == 0);
}

static void make_file(const char *name)
{
    FILE *file = fopen(in_folder(name), "wb");
    CHECK(file && fprintf(file, "old %s", name) > 0 && fclose(file) == 0);
}

static bool is_old(const char *name)
{
    char old[64];
    size_t size = 0;
    snprintf(old, sizeof old, "old %s", name);
    uint8_t *bytes = test_read_file(in_folder(name), &size);
    const bool same = bytes && size == strlen(old) && memcmp(bytes, old, size) == 0;
    free(bytes);
    return same;
}

/* ---- a model with three streams ---- */

typedef struct three_clips {
    frond leaf;
    trilo_clip clips[CLIPS];
} three_clips;

static void three_clips_fill(three_clips *t)
{
    frond_fill(&t->leaf);
    frond_skin(&t->leaf);
    frond_clip(&t->leaf);
    for (int i = 0; i < CLIPS; i++) {
        t->clips[i] = t->leaf.clip;
        t->clips[i].name = frond_text((const char *const[CLIPS]){"sway", "bend", "wave"}[i]);
    }
    t->leaf.model.clips = t->clips;
    t->leaf.model.clip_count = CLIPS;
}

TEST(a_model_and_its_streams_are_written)
{
    three_clips t;
    trilo_error err = {0};
    three_clips_fill(&t);
    folder_make();
    make_file(names[1]);
    CHECK(trilo_model_write_file(&t.leaf.model, in_folder("leaf.t3dm"), NULL, &err));
    CHECK_INT(files_in_folder(), FILES);
    CHECK(!is_old(names[1]));
    folder_remove();
}

/* One of the names is a folder: nothing else may change, whichever it is. */
TEST(a_target_that_cannot_be_written_changes_nothing)
{
    three_clips t;
    three_clips_fill(&t);
    for (int taken = 0; taken < FILES; taken++) {
        trilo_error err = {0};
        folder_make();
        for (int i = 0; i < FILES; i++)
            if (i != taken)
                make_file(names[i]);
        CHECK(mkdir(in_folder(names[taken]), 0755) == 0);
        CHECK(!trilo_model_write_file(&t.leaf.model, in_folder("leaf.t3dm"), NULL, &err));
        CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
        CHECK_STR(err.rule, "FILE-WRITE");
        for (int i = 0; i < FILES; i++)
            CHECK(i == taken || is_old(names[i]));
        CHECK_INT(files_in_folder(), FILES);
        folder_remove();
    }
}

/* Nothing was there before: nothing is there afterwards. */
TEST(a_failure_leaves_no_new_file)
{
    three_clips t;
    three_clips_fill(&t);
    folder_make();
    CHECK(mkdir(in_folder(names[2]), 0755) == 0);
    CHECK(!trilo_model_write_file(&t.leaf.model, in_folder("leaf.t3dm"), NULL, NULL));
    CHECK_INT(files_in_folder(), 1);
    folder_remove();
}

static bool write_with_limit(const trilo_model *model, rlim_t most, trilo_error *err)
{
    struct rlimit before, small;
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    small = before;
    small.rlim_cur = most;
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const bool ok = trilo_model_write_file(model, in_folder("leaf.t3dm"), NULL, err);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    signal(SIGXFSZ, old);
    return ok;
}

/* The disk has room for the streams, but not for the model; and for neither. */
TEST(a_full_disk_changes_nothing)
{
    three_clips t;
    struct stat model, stream;
    three_clips_fill(&t);
    folder_make();
    CHECK(trilo_model_write_file(&t.leaf.model, in_folder("leaf.t3dm"), NULL, NULL));
    CHECK(stat(in_folder(names[3]), &model) == 0 && stat(in_folder(names[0]), &stream) == 0);
    CHECK(model.st_size > stream.st_size);
    folder_remove();
    const rlim_t limits[] = {(rlim_t)stream.st_size - 1, (rlim_t)stream.st_size, (rlim_t)model.st_size - 1};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        trilo_error err = {0};
        folder_make();
        for (int i = 0; i < FILES; i++)
            make_file(names[i]);
        CHECK(!write_with_limit(&t.leaf.model, limits[k], &err));
        CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
        for (int i = 0; i < FILES; i++)
            CHECK(is_old(names[i]));
        CHECK_INT(files_in_folder(), FILES);
        folder_remove();
    }
}

/* ---- the set itself ---- */

static void stage_all(tl_output_set *set)
{
    trilo_error err = {0};
    tl_output_set_begin(set, NULL);
    for (int i = 0; i < FILES; i++)
        CHECK(tl_output_set_stage_bytes(set, in_folder(names[i]), (trilo_bytes){(const uint8_t *)"new", 3}, &err));
    CHECK_INT(files_in_folder(), 2 * FILES);
}

/* Complete, but one cannot take its place: a folder came in between. Those that were renamed before get back what they
 * had. */
TEST(a_failing_rename_restores_the_others)
{
    for (int fails = 0; fails < FILES; fails++)
        for (int existed = 0; existed < 2; existed++) {
            tl_output_set set;
            trilo_error err = {0};
            folder_make();
            for (int i = 0; i < FILES; i++)
                make_file(names[i]);
            stage_all(&set);
            for (int i = 0; i < FILES; i++)
                if (!existed || i == fails)
                    CHECK(remove(in_folder(names[i])) == 0);
            CHECK(mkdir(in_folder(names[fails]), 0755) == 0);
            CHECK(!tl_output_set_commit(&set, &err));
            CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
            tl_output_set_end(&set);
            for (int i = 0; i < FILES; i++)
                CHECK(i == fails || (existed ? is_old(names[i]) : access(in_folder(names[i]), F_OK) != 0));
            CHECK_INT(files_in_folder(), existed ? FILES : 1);
            folder_remove();
        }
}

TEST(a_set_that_is_not_committed_changes_nothing)
{
    tl_output_set set;
    folder_make();
    for (int i = 0; i < FILES; i++)
        make_file(names[i]);
    stage_all(&set);
    tl_output_set_end(&set);
    for (int i = 0; i < FILES; i++)
        CHECK(is_old(names[i]));
    CHECK_INT(files_in_folder(), FILES);
    folder_remove();
}

/* Backups take no name that somebody else has. */
TEST(neighbours_of_backups_are_left_alone)
{
    tl_output_set set;
    folder_make();
    make_file(names[0]);
    make_file("leaf.0.sdata.old000");
    tl_output_set_begin(&set, NULL);
    for (int i = 0; i < 2; i++)
        CHECK(tl_output_set_stage_bytes(&set, in_folder(names[i]), (trilo_bytes){(const uint8_t *)"new", 3}, NULL));
    CHECK(tl_output_set_commit(&set, NULL));
    tl_output_set_end(&set);
    CHECK(is_old("leaf.0.sdata.old000") && !is_old(names[0]));
    CHECK_INT(files_in_folder(), 3);
    folder_remove();
}

/* Folders that were made for files which then cannot be written go away again; those that were there stay. */
TEST(folders_are_made_for_a_set)
{
    for (int commits = 0; commits < 2; commits++) {
        tl_output_set set;
        folder_make();
        tl_output_set_begin(&set, NULL);
        CHECK(tl_output_set_make_folder(&set, in_folder("a/b/c.png"), NULL));
        CHECK(tl_output_set_make_folder(&set, in_folder("a/b/d.png"), NULL));
        CHECK(tl_output_set_stage_bytes(&set, in_folder("a/b/c.png"), (trilo_bytes){(const uint8_t *)"", 0}, NULL));
        CHECK(!commits || tl_output_set_commit(&set, NULL));
        tl_output_set_end(&set);
        CHECK_INT(access(in_folder("a/b/c.png"), F_OK) == 0, commits);
        CHECK_INT(access(in_folder("a"), F_OK) == 0, commits);
        if (commits)
            CHECK(remove(in_folder("a/b/c.png")) == 0 && rmdir(in_folder("a/b")) == 0);
        folder_remove();
    }
}

TEST(a_folder_that_cannot_be_made)
{
    tl_output_set set;
    trilo_error err = {0};
    folder_make();
    make_file("file");
    tl_output_set_begin(&set, NULL);
    CHECK(!tl_output_set_make_folder(&set, in_folder("file/new.png"), &err));
    CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
    tl_output_set_end(&set);
    folder_remove();
}

TEST_MAIN(CASE(a_model_and_its_streams_are_written), CASE(a_target_that_cannot_be_written_changes_nothing),
          CASE(a_failure_leaves_no_new_file), CASE(a_full_disk_changes_nothing),
          CASE(a_failing_rename_restores_the_others), CASE(a_set_that_is_not_committed_changes_nothing),
          CASE(neighbours_of_backups_are_left_alone), CASE(folders_are_made_for_a_set),
          CASE(a_folder_that_cannot_be_made))

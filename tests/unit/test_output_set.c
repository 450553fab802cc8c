/* Files that are written together: all of them, or what was there before. */
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#define _POSIX_C_SOURCE 200809L

#include "api/file/output_set.h"
#include "harness.h"
#include "support/allocations.h"
#include "support/t3dm_frond.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FILES = FROND_CLIPS + 1 };

/* The main file is staged first. */
static const char *const names[FILES] = {"leaf.t3dm", "leaf.0.sdata", "leaf.1.sdata", "leaf.2.sdata"};

static char folder[200], path_text[512];

static const char *in_folder(const char *name)
{
    snprintf(path_text, sizeof path_text, "%s/%s", folder, name);
    return path_text;
}

static void folder_make(void)
{
    snprintf(folder, sizeof folder, "%s", test_folder());
}

static bool is_entry(const char *name)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* Hidden ones too. */
static size_t files_in_folder(void)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    CHECK(dir != NULL);
    for (const struct dirent *entry; (entry = readdir(dir));)
        count += is_entry(entry->d_name);
    closedir(dir);
    return count;
}

static void folder_remove(void)
{
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (is_entry(entry->d_name))
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
    trilo_clip clips[FROND_CLIPS];
} three_clips;

static void three_clips_fill(three_clips *t)
{
    frond_clips(&t->leaf, t->clips);
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
    CHECK(stat(in_folder(names[0]), &model) == 0 && stat(in_folder(names[1]), &stream) == 0);
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
        CHECK(tl_output_set_stage(set, in_folder(names[i]), (trilo_bytes){(const uint8_t *)"new", 3}, &err));
    CHECK(tl_output_set_prepare(set, &err));
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

/* Folders that were made for files which then cannot be written go away again; those that were there stay. */
TEST(every_allocation_of_a_set_may_fail)
{
    size_t failed = 0;
    folder_make();
    for (size_t n = 1; allocations_next(n); n++) {
        tl_output_set set;
        trilo_error err = {0};
        tl_output_set_begin(&set, NULL);
        const bool ok = tl_output_set_stage_below(&set, folder, "leaf.t3dm", (trilo_bytes){NULL, 0}, &err);
        allocations_allow();
        CHECK(ok == !allocations_denied());
        CHECK_INT(err.code, ok ? TRILO_CODE_OK : TRILO_CODE_NO_MEMORY);
        failed += ok ? 0 : 1;
        tl_output_set_end(&set);
    }
    CHECK(failed >= 3); /* the path, the name, the list of files */
    CHECK_INT(files_in_folder(), 0);
    folder_remove();
}

TEST(folders_are_made_for_a_set)
{
    for (int commits = 0; commits < 2; commits++) {
        tl_output_set set;
        folder_make();
        tl_output_set_begin(&set, NULL);
        CHECK(tl_output_set_stage_below(&set, folder, "a/b/c.png", (trilo_bytes){(const uint8_t *)"", 0}, NULL));
        CHECK(tl_output_set_prepare(&set, NULL));
        CHECK_INT(access(in_folder("a/b"), F_OK), 0);
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
    CHECK(!tl_output_set_stage_below(&set, folder, "file/new.png", (trilo_bytes){(const uint8_t *)"", 0}, &err));
    CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
    tl_output_set_end(&set);
    folder_remove();
}

/* ---- names that are not trusted ---- */

TEST(links_are_replaced_or_refused)
{
    tl_output_set set;
    trilo_error err = {0};
    const trilo_bytes bytes = {(const uint8_t *)"new", 3};
    folder_make();
    make_file("victim");
    CHECK(mkdir(in_folder("in"), 0755) == 0 && symlink("../victim", in_folder("in/link")) == 0);
    CHECK(symlink("..", in_folder("in/up")) == 0 && mkfifo(in_folder("in/pipe"), 0644) == 0);
    char root[sizeof folder + 8];
    snprintf(root, sizeof root, "%s/in", folder);
    const char *const refused[] = {"up/victim", "../victim", "", "a/", "pipe", "/tmp/trilobite-test-absolute"};
    tl_output_set_begin(&set, NULL);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CHECK(!tl_output_set_stage_below(&set, root, refused[i], bytes, NULL));
    tl_output_set_end(&set);
    tl_output_set_begin(&set, NULL);
    CHECK(tl_output_set_stage_below(&set, root, "link", bytes, &err));
    CHECK(tl_output_set_commit(&set, &err));
    tl_output_set_end(&set);
    struct stat status;
    CHECK(is_old("victim") && lstat(in_folder("in/link"), &status) == 0 && S_ISREG(status.st_mode));
    CHECK(remove(in_folder("in/link")) == 0 && remove(in_folder("in/up")) == 0 && remove(in_folder("in/pipe")) == 0);
    folder_remove();
}

/* ---- temporary names ---- */

TEST(the_longest_name_can_be_written)
{
    char name[256];
    folder_make();
    for (size_t length = 245; length <= 255; length++) {
        tl_output_set set;
        trilo_error err = {0};
        memset(name, 'x', length);
        name[length] = '\0';
        for (int again = 0; again < 2; again++) {
            tl_output_set_begin(&set, NULL);
            CHECK(tl_output_set_stage(&set, in_folder(name), (trilo_bytes){(const uint8_t *)"new", 3}, &err));
            CHECK(tl_output_set_stage_below(&set, folder, names[1], (trilo_bytes){(const uint8_t *)"new", 3}, &err));
            CHECK(tl_output_set_commit(&set, &err));
            tl_output_set_end(&set);
        }
        CHECK(remove(in_folder(name)) == 0);
    }
    CHECK_INT(files_in_folder(), 1);
    folder_remove();
}

/* Of a process that was killed; those of one that runs, and names of others, stay. */
TEST(old_temporary_files_are_removed)
{
    char fresh[64];
    tl_output_set set;
    folder_make();
    snprintf(fresh, sizeof fresh, ".trilobite-%llx-1-0.tmp", (unsigned long long)time(NULL));
    const char *const stay[] = {fresh,
                                ".trilobite-notes.txt",
                                ".other-5f000000-1-0.tmp",
                                ".trilobite-notes.tmp",
                                ".trilobite-5f000000-1.tmp",
                                ".trilobite-5f000000-1-0-0.tmp"};
    for (unsigned i = 0; i < 1200; i++) {
        char stale[64];
        snprintf(stale, sizeof stale, ".trilobite-5f000000-1-%x.tmp", i);
        make_file(stale);
    }
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
        make_file(stay[i]);
    tl_output_set_begin(&set, NULL);
    CHECK(tl_output_set_stage(&set, in_folder(names[0]), (trilo_bytes){(const uint8_t *)"new", 3}, NULL));
    CHECK(tl_output_set_commit(&set, NULL));
    tl_output_set_end(&set);
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
        CHECK(is_old(stay[i]));
    CHECK_INT(files_in_folder(), 1 + sizeof stay / sizeof *stay);
    folder_remove();
}

/* ---- processes that end ---- */

/* Writes the set again and again, each time with another number in all files, until it is ended. */
static _Noreturn void write_for_ever(void)
{
    enum { LENGTH = 3000 };
    char text[LENGTH];
    for (unsigned generation = 0;; generation++) {
        tl_output_set set;
        memset(text, (int)('a' + generation % 26), sizeof text);
        tl_output_set_begin(&set, NULL);
        set.no_sync = true;
        bool ok = true;
        for (int i = 0; i < FILES; i++)
            ok = tl_output_set_stage(&set, in_folder(names[i]), (trilo_bytes){(const uint8_t *)text, LENGTH}, NULL) &&
                 ok;
        ok = tl_output_set_commit(&set, NULL) && ok;
        tl_output_set_end(&set);
        if (!ok)
            _exit(1);
    }
}

/* What all bytes of a file are; 0: there is no such file. */
static int letter_in(const char *name)
{
    size_t size = 0;
    uint8_t *bytes = test_read_file(in_folder(name), &size);
    const int letter = bytes && size > 0 ? bytes[0] : 0;
    for (size_t i = 0; bytes && i < size; i++)
        CHECK_INT(bytes[i], letter);
    CHECK(!bytes || size == 3000);
    free(bytes);
    return letter;
}

static void end_writer(int number, unsigned round)
{
    int status = 0;
    const pid_t writer = fork();
    if (writer == 0) {
        (void)signal(number, SIG_DFL); /* a shell starts what runs in the background with SIGINT ignored */
        write_for_ever();
    }
    CHECK(writer > 0);
    while (access(in_folder(names[0]), F_OK) != 0)
        ;
    const struct timespec wait = {0, (long)(round * 7919 % 1000) * 1000};
    nanosleep(&wait, NULL);
    CHECK(kill(writer, number) == 0);
    CHECK(waitpid(writer, &status, 0) == writer);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == number);
}

/* A model that is there has its own companions, whenever the process was killed. */
TEST(a_killed_process_leaves_no_mixture)
{
    for (unsigned round = 0; round < test_rounds(2000, 100); round++) {
        folder_make();
        end_writer(SIGKILL, round);
        const int model = letter_in(names[0]);
        for (int i = 1; i < FILES && model; i++)
            CHECK_INT(letter_in(names[i]), model);
        folder_remove();
    }
}

TEST(a_signal_leaves_no_temporary_file)
{
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (unsigned round = 0; round < test_rounds(900, 45); round++) {
        folder_make();
        end_writer(signals[round % 3], round);
        const int model = letter_in(names[0]);
        for (int i = 0; i < FILES; i++)
            CHECK_INT(letter_in(names[i]), model);
        CHECK_INT(files_in_folder(), FILES);
        folder_remove();
    }
}

TEST_MAIN(CASE(a_model_and_its_streams_are_written), CASE(a_target_that_cannot_be_written_changes_nothing),
          CASE(a_failure_leaves_no_new_file), CASE(a_full_disk_changes_nothing),
          CASE(a_failing_rename_restores_the_others), CASE(a_set_that_is_not_committed_changes_nothing),
          CASE(every_allocation_of_a_set_may_fail), CASE(folders_are_made_for_a_set),
          CASE(a_folder_that_cannot_be_made), CASE(links_are_replaced_or_refused),
          CASE(the_longest_name_can_be_written), CASE(old_temporary_files_are_removed),
          CASE(a_killed_process_leaves_no_mixture), CASE(a_signal_leaves_no_temporary_file))

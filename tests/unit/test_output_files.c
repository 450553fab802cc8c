/* Several files that are written together: which one failed and why, in which folders they are, pipes among them, and
 * which temporary files of others are removed. Each test runs in an empty folder of its own. */
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#define _POSIX_C_SOURCE 200809L

#include "api/file/output_set.h"
#include "harness.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static trilo_bytes text_bytes(const char *text)
{
    return (trilo_bytes){(const uint8_t *)text, strlen(text)};
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void check_text(const char *path, const char *want)
{
    size_t size = 0;
    uint8_t *bytes = test_read_file(path, &size);
    if (!bytes || size != strlen(want) || memcmp(bytes, want, size) != 0)
        FAIL("%s has %zu bytes: %.*s", path, size, (int)size, bytes ? (const char *)bytes : "");
    free(bytes);
}

static size_t entries(const char *path)
{
    size_t count = 0;
    DIR *dir = opendir(path);
    CHECK(dir != NULL);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count - 2;
}

/* ---- many files ---- */

enum { MANY = 11 };

/* Each in a folder of its own, one below another: more folders than the first room for them. */
static void name_many(char names[MANY][64], trilo_extra_file files[MANY], char texts[MANY][8])
{
    for (int i = 0; i < MANY; i++) {
        size_t at = 0;
        for (int k = 0; k < i; k++)
            at += (size_t)sprintf(names[i] + at, "%d/", k);
        sprintf(names[i] + at, "f%d", i);
        sprintf(texts[i], "new %d", i);
        files[i] = (trilo_extra_file){names[i], text_bytes(texts[i])};
    }
}

TEST(files_in_many_folders)
{
    static char names[MANY][64], texts[MANY][8], path[100];
    trilo_extra_file files[MANY];
    name_many(names, files, texts);
    for (int below = 0; below < 2; below++) {
        const trilo_file_opts opts = {.below = below ? "root" : NULL, .no_sync = true};
        size_t failed = 99;
        trilo_error err = {0};
        CHECK(mkdir("root", 0755) == 0);
        if (!below) { /* folders of paths that are trusted are not made */
            CHECK(!trilo_files_replace(files, MANY, &opts, &failed, &err));
            CHECK_INT(failed, 1);
            CHECK_STR(err.text, "cannot be written: its folder does not exist; create it first");
            CHECK(!is_there("f0") && chdir("root") == 0);
            for (int i = 1; i < MANY; i++) {
                char folder[64];
                sprintf(folder, "%.*s", (int)(strrchr(names[i], '/') - names[i]), names[i]);
                CHECK(mkdir(folder, 0755) == 0);
            }
        }
        CHECK(trilo_files_replace(files, MANY, &opts, &failed, &err));
        CHECK_INT(failed, MANY);
        CHECK(below || chdir("..") == 0);
        for (int i = 0; i < MANY; i++) {
            sprintf(path, "root/%s", names[i]);
            check_text(path, texts[i]);
        }
        CHECK(test_empty_folder("root") && rmdir("root") == 0);
    }
}

/* Whichever cannot be written: the others stay as they were, and its number is known. A folder with that name is found
 * at once; the folders that were made go again. */
TEST(the_number_of_the_file_that_fails)
{
    static char names[MANY][64], texts[MANY][8];
    trilo_extra_file files[MANY];
    name_many(names, files, texts);
    for (size_t fails = 0; fails < MANY; fails++) {
        size_t failed = 99;
        trilo_error err = {0};
        char blocked[8];
        sprintf(blocked, "r/%zu", fails);
        CHECK(mkdir("r", 0755) == 0);
        put("r/f0", "old");
        trilo_extra_file some[MANY];
        memcpy(some, files, sizeof some);
        some[fails].path = blocked + 2;
        CHECK(fails == 0 || mkdir(blocked, 0755) == 0);
        if (fails == 0)
            some[0].path = ".";
        CHECK(!trilo_files_replace(some, MANY, &(trilo_file_opts){.below = "r", .no_sync = true}, &failed, &err));
        CHECK_INT(failed, fails);
        CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
        check_text("r/f0", "old");
        CHECK_INT(entries("r"), fails > 0 ? 2 : 1);
        CHECK(test_empty_folder("r") && rmdir("r") == 0);
    }
    CHECK(trilo_files_replace(NULL, 0, NULL, NULL, NULL));
}

/* ---- why not ---- */

TEST(reasons)
{
    static const struct {
        const char *below, *path, *reason;
    } rows[] = {{NULL, "folder", "cannot be written: it is a folder"},
                {NULL, "folder/", "cannot be written: it is a folder"},
                {NULL, "", "cannot be written: No such file or directory"},
                {NULL, "none/x", "cannot be written: its folder does not exist; create it first"},
                {NULL, "file/x", "cannot be written: Not a directory"},
                {".", "folder", "cannot be written: it is a folder"},
                {".", "pipe", "cannot be written: it is not a file"},
                {"none", "x", "cannot be written: its folder does not exist; create it first"},
                {".", "file/x/y", "its folder cannot be made: Not a directory"}};
    put("file", "old");
    CHECK(mkdir("folder", 0755) == 0 && mkfifo("pipe", 0644) == 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trilo_error err = {0};
        size_t failed = 99;
        const trilo_extra_file file = {rows[i].path, text_bytes("new")};
        CHECK(!trilo_files_replace(&file, 1, &(trilo_file_opts){.below = rows[i].below}, &failed, &err));
        CHECK_STR(err.text, rows[i].reason);
        CHECK_STR(err.rule, "FILE-WRITE");
        CHECK(err.offset == TRILO_NOWHERE && failed == 0);
    }
    CHECK_INT(entries("."), 3);
}

/* ---- folders ---- */

/* Two names of a folder are one folder. */
TEST(folders_are_opened_once)
{
    tl_output_set set;
    CHECK(mkdir("a", 0755) == 0 && mkdir("b", 0755) == 0 && symlink("a", "c") == 0);
    const int before = open("/dev/null", O_RDONLY);
    CHECK(before >= 0 && close(before) == 0);
    tl_output_set_begin(&set, NULL);
    static const struct {
        const char *path;
        size_t folders;
    } rows[] = {{"a/1", 1}, {"a/2", 1}, {"b/1", 2}, {"c/3", 2}, {"b/../a/4", 2}, {"5", 3}, {"./6", 3}, {"b/2", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK(tl_output_set_stage(&set, rows[i].path, text_bytes("x"), NULL));
        CHECK_INT(set.folder_count, rows[i].folders);
        CHECK_INT(set.failed, i + 1);
    }
    CHECK(tl_output_set_commit(&set, NULL));
    tl_output_set_end(&set);
    CHECK(entries("a") == 4 && entries("b") == 2 && is_there("a/3") && is_there("a/4") && is_there("5"));
    const int after = open("/dev/null", O_RDONLY); /* every folder was closed */
    CHECK_INT(after, before);
    close(after);
}

/* Folders that were there stay when those that were made for a set go; both after one that fails later. */
TEST(only_folders_that_were_made_go)
{
    tl_output_set set;
    CHECK(mkdir("old", 0755) == 0);
    tl_output_set_begin(&set, NULL);
    static const char *const names[] = {"old/new/x", "old/y", "n1/z", "n2/z", "n3/z", "n4/z", "n5/a/b/z"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK(tl_output_set_stage_below(&set, ".", names[i], text_bytes("x"), NULL));
    CHECK_INT(set.made_count, 8);
    CHECK(!tl_output_set_stage_below(&set, ".", "old/new", text_bytes("x"), NULL));
    CHECK(is_there("n5/a/b") && is_there("old/new"));
    tl_output_set_end(&set);
    CHECK(is_there("old") && entries("old") == 0 && entries(".") == 1);
}

/* ---- permissions ---- */

/* A file keeps its own; where none or a link was, and below a folder, it is as the umask says. */
TEST(permissions_of_each_file)
{
    struct stat status;
    const trilo_extra_file files[] = {
        {"new", text_bytes("1")}, {"mine", text_bytes("2")}, {"run", text_bytes("3")}, {"link", text_bytes("4")}};
    static const mode_t below[] = {0640, 0600, 0755, 0640}, above[] = {0640, 0600, 0755, 0777};
    for (int trusted = 0; trusted < 2; trusted++) {
        put("mine", "old");
        put("run", "old");
        put("target", "old");
        CHECK(chmod("mine", 0600) == 0 && chmod("run", 0755) == 0 && symlink("target", "link") == 0);
        const mode_t usual = umask(027);
        const bool ok = trilo_files_replace(files, 4, &(trilo_file_opts){.below = trusted ? NULL : "."}, NULL, NULL);
        umask(usual);
        CHECK(ok);
        for (int i = 0; i < 4; i++) {
            CHECK(lstat(files[i].path, &status) == 0);
            CHECK_INT(status.st_mode & 0777, trusted ? above[i] : below[i]);
            CHECK_INT(S_ISLNK(status.st_mode), trusted && i == 3);
            check_text(files[i].path, (const char[]){(char)('1' + i), 0});
        }
        check_text("target", trusted ? "4" : "old");
        CHECK(test_empty_folder("."));
    }
}

/* ---- pipes ---- */

/* A pipe among the files, as the main file and behind it: it gets its bytes and stays a pipe. */
TEST(pipes_among_files)
{
    for (int main = 0; main < 2; main++) {
        struct stat status;
        char got[16] = "";
        CHECK(mkfifo("pipe", 0644) == 0);
        put(main ? "b" : "a", "old");
        const int reader = open("pipe", O_RDWR | O_NONBLOCK);
        CHECK(reader >= 0);
        const trilo_extra_file files[] = {{main ? "pipe" : "a", text_bytes(main ? "through" : "1")},
                                          {main ? "b" : "pipe", text_bytes(main ? "1" : "through")},
                                          {"c", text_bytes("2")}};
        size_t failed = 99;
        CHECK(trilo_files_replace(files, 3, NULL, &failed, NULL));
        CHECK_INT(failed, 3);
        CHECK(read(reader, got, sizeof got - 1) == 7 && close(reader) == 0);
        CHECK_STR(got, "through");
        check_text(main ? "b" : "a", "1");
        check_text("c", "2");
        CHECK(lstat("pipe", &status) == 0 && S_ISFIFO(status.st_mode));
        CHECK_INT(entries("."), 3);
        CHECK(test_empty_folder("."));
    }
}

/* ---- temporary files of others ---- */

/* Those of an hour ago stay, older ones go. The clock may reach the next second meanwhile; then it is done again. */
TEST(temporary_files_of_an_hour_ago)
{
    for (int tries = 0; tries < 20; tries++) {
        char stays[64], goes[64];
        const time_t before = time(NULL);
        snprintf(stays, sizeof stays, ".trilobite-%llx-1-0.tmp", (unsigned long long)before - 3600);
        snprintf(goes, sizeof goes, ".trilobite-%llx-1-0.tmp", (unsigned long long)before - 3601);
        put(stays, "");
        put(goes, "");
        CHECK(trilo_files_replace(&(trilo_extra_file){"x", text_bytes("1")}, 1, NULL, NULL, NULL));
        const bool stayed = is_there(stays), gone = !is_there(goes);
        CHECK(test_empty_folder("."));
        if (time(NULL) != before)
            continue;
        CHECK(stayed && gone);
        return;
    }
}

TEST(names_of_temporary_files)
{
    static const struct {
        const char *name;
        bool goes;
    } rows[] = {{".trilobite-1-2-3.tmp", true},
                {".trilobite-0000000000000001-0123456789abcdef-ffffffffffffffff.tmp", true},
                {".trilobite-00000000000000001-2-3.tmp", false},
                {".trilobite-1-00000000000000002-3.tmp", false},
                {".trilobite-1-2-00000000000000003.tmp", false},
                {".trilobite--2-3.tmp", false},
                {".trilobite-1--3.tmp", false},
                {".trilobite-1-2-.tmp", false},
                {".trilobite-1-2-3", false},
                {".trilobite-1-2-3.tmpx", false},
                {".trilobite-1-2-3-4.tmp", false},
                {".trilobite-1-2_3.tmp", false},
                {".trilobite-A-2-3.tmp", false},
                {".trilobite-g-2-3.tmp", false},
                {"trilobite-1-2-3.tmp", false}};
    enum { ROWS = sizeof rows / sizeof *rows };
    for (int i = 0; i < ROWS; i++)
        put(rows[i].name, "");
    CHECK(trilo_files_replace(&(trilo_extra_file){"x", text_bytes("1")}, 1, NULL, NULL, NULL));
    for (int i = 0; i < ROWS; i++)
        if (is_there(rows[i].name) == rows[i].goes)
            FAIL("%s %s", rows[i].name, rows[i].goes ? "is still there" : "is gone");
}

TEST_MAIN(CASE(files_in_many_folders), CASE(the_number_of_the_file_that_fails), CASE(reasons),
          CASE(folders_are_opened_once), CASE(only_folders_that_were_made_go), CASE(permissions_of_each_file),
          CASE(pipes_among_files), CASE(temporary_files_of_an_hour_ago), CASE(names_of_temporary_files))

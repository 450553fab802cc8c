/* The file of a manifest: its bytes, what other processes see of it, stamps and hashes of files, and outputs whose
 * names have equal hashes. */
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#define _POSIX_C_SOURCE 200809L

#include "api/project/manifest.h"
#include "harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char head[] = "trilobite manifest 1\n";

static tl_manifest open_manifest(bool read_only)
{
    tl_manifest manifest;
    trilo_error err = {0};
    if (!tl_manifest_open(&manifest, "m", NULL, read_only, &err))
        FAIL("%s", err.text);
    return manifest;
}

static size_t put_line(char *out, const char *json)
{
    char sum[TL_HASH_ROOM];
    tl_manifest_hash_bytes(json, strlen(json), sum);
    return (size_t)sprintf(out, "%.16s %s\n", sum, json);
}

static void put_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && (size == 0 || fwrite(bytes, 1, size, file) == size) && fclose(file) == 0);
}

static void check_text(const char *path, const char *text, size_t size)
{
    size_t got;
    uint8_t *bytes = test_read_file(path, &got);
    CHECK(bytes != NULL);
    if (got != size || memcmp(bytes, text, size) != 0)
        FAIL("%.*s", (int)got, (const char *)bytes);
    free(bytes);
}

/* ---- its bytes ---- */

/* Each line begins with an empty one. A record that forgets has only the output. */
TEST(bytes_of_records)
{
    static const tl_manifest_file files[] = {{"p", "1 2", "aa"}, {"q\"", "", "bb"}};
    static const tl_manifest_name names[] = {{"n", "at"}, {"none", NULL}};
    char text[1000];
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    tl_manifest manifest = open_manifest(false);
    CHECK(tl_manifest_append(&manifest, &arena, &(tl_manifest_record){"o", "r", 1, 2, 2, files, names, files}));
    CHECK(tl_manifest_append(&manifest, &arena, &(tl_manifest_record){.output = "o2", .recipe = ""}));
    CHECK(tl_manifest_forget(&manifest, &arena, "gone"));
    size_t size = (size_t)sprintf(text, "%s\n", head);
    size += put_line(text + size, "{\"out\":\"o\",\"recipe\":\"r\",\"in\":[[\"p\",\"1 2\",\"aa\"]],"
                                  "\"names\":[[\"n\",\"at\"],[\"none\"]],"
                                  "\"files\":[[\"p\",\"1 2\",\"aa\"],[\"q\\\"\",\"\",\"bb\"]]}");
    size += (size_t)sprintf(text + size, "\n");
    size += put_line(text + size, "{\"out\":\"o2\",\"recipe\":\"\",\"in\":[],\"names\":[],\"files\":[]}");
    size += (size_t)sprintf(text + size, "\n");
    size += put_line(text + size, "{\"out\":\"gone\"}");
    check_text("m", text, size);
    tl_manifest_close(&manifest);
    check_text("m", text, size);
    manifest = open_manifest(true);
    CHECK(manifest.count == 3 && manifest.size == size);
    CHECK(!tl_manifest_append(&manifest, &arena, &(tl_manifest_record){.output = "x"})); /* it is only read */
    tl_manifest_close(&manifest);
    tl_arena_free(&arena);
}

/* Escapes behind the output do not count for it. */
TEST(outputs_with_and_without_escapes)
{
    static const char *const lines[] = {"{\"out\":\"a\",\"recipe\":\"\\n\"}", "{\"out\":\"\\\"\",\"recipe\":\"r\"}",
                                        "{\"out\":\"b\\\\\",\"recipe\":\"r\"}", "{\"out\":\"\",\"recipe\":\"r\"}"};
    static const char *const outputs[] = {"a", "\"", "b\\", ""};
    char text[500];
    size_t size = (size_t)sprintf(text, "%s", head);
    for (int i = 0; i < 4; i++)
        size += put_line(text + size, lines[i]);
    put_file("m", text, size);
    tl_manifest manifest = open_manifest(true);
    CHECK_INT(manifest.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(tl_manifest_find(&manifest, outputs[i]), i);
        CHECK_INT(manifest.rows[i].output.len, strlen(outputs[i]));
        CHECK_INT(manifest.rows[i].json.len, strlen(lines[i]));
    }
    tl_manifest_close(&manifest);
}

/* A first line that is torn, too long or of another version is replaced, with everything behind it. */
TEST(first_lines_that_are_none)
{
    static const char *const others[] = {
        "", "t", "trilobite manifest 1", "trilobite manifest 2\n", "xrilobite manifest 1\n", "trilobite manifest 10\n"};
    char text[300];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t size = (size_t)sprintf(text, "%s", others[i]);
        if (i > 2)
            size += put_line(text + size, "{\"out\":\"a\",\"recipe\":\"r\"}");
        put_file("m", text, size);
        tl_manifest manifest = open_manifest(false);
        CHECK(manifest.count == 0 && manifest.size == sizeof head - 1);
        tl_manifest_close(&manifest);
        check_text("m", head, sizeof head - 1);
    }
}

/* ---- rewriting ---- */

/* A file with so many lines of one output; 66 are its own, its slack and one more. */
static size_t put_waste(int lines)
{
    static char text[70 * 64];
    size_t size = (size_t)sprintf(text, "%s", head);
    for (int i = 0; i < lines; i++)
        size += put_line(text + size, "{\"out\":\"a\",\"recipe\":\"r\"}");
    put_file("m", text, size);
    return size;
}

static size_t size_of(const char *path)
{
    struct stat status;
    CHECK(stat(path, &status) == 0);
    return (size_t)status.st_size;
}

/* What is outdated goes even if nothing was added; a file that is only read stays. */
TEST(waste_is_rewritten)
{
    for (int lines = 66; lines <= 67; lines++)
        for (int read_only = 0; read_only < 2; read_only++) {
            const size_t size = put_waste(lines);
            tl_manifest manifest = open_manifest(read_only);
            CHECK(manifest.count == 1 && manifest.line_count == (size_t)lines);
            tl_manifest_close(&manifest);
            const bool rewritten = lines == 67 && !read_only;
            CHECK_INT(size_of("m"), rewritten ? sizeof head - 1 + (size - (sizeof head - 1)) / 67 : size);
        }
}

/* Every file that was opened is closed: the next one gets the same number. */
TEST(files_are_closed)
{
    const int before = open("/dev/null", O_RDONLY);
    CHECK(before >= 0 && close(before) == 0);
    for (int i = 0; i < 6; i++) {
        put_waste(i < 3 ? 1 : 67);
        tl_manifest manifest = open_manifest(i % 3 == 0);
        CHECK(i % 3 == 0 ? manifest.file == TL_OS_NONE : manifest.file != TL_OS_NONE);
        tl_manifest_close(&manifest);
        char hash[TL_HASH_ROOM];
        CHECK(tl_manifest_hash("m", hash));
        const int after = open("/dev/null", O_RDONLY);
        CHECK_INT(after, before);
        close(after);
    }
}

/* Another process has the file open: it is not replaced under it. That process was second, so that both must share. */
TEST(a_file_in_use_is_not_rewritten)
{
    for (int in_use = 0; in_use < 2; in_use++) {
        int ready[2], go[2], status = 0;
        char byte = 0;
        const size_t size = put_waste(67);
        tl_manifest manifest = open_manifest(false);
        CHECK(pipe(ready) == 0 && pipe(go) == 0);
        const pid_t other = fork();
        if (other == 0) {
            tl_manifest second;
            const bool ok = !in_use || tl_manifest_open(&second, "m", NULL, false, NULL);
            if (write(ready[1], "r", 1) != 1 || read(go[0], &byte, 1) != 1)
                _exit(2);
            _exit(ok ? 0 : 1);
        }
        CHECK(other > 0 && read(ready[0], &byte, 1) == 1);
        tl_manifest_close(&manifest);
        const size_t now = size_of("m");
        CHECK(write(go[1], "g", 1) == 1 && waitpid(other, &status, 0) == other);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        for (int i = 0; i < 2; i++)
            close(ready[i]), close(go[i]);
        CHECK(in_use ? now == size : now < size);
    }
}

/* What another process added while this one had the file open is kept. */
TEST(lines_of_others_are_kept)
{
    char line[200];
    put_waste(67);
    tl_manifest manifest = open_manifest(false);
    const size_t length = put_line(line, "{\"out\":\"other\",\"recipe\":\"r\"}");
    int status = 0;
    const pid_t other = fork(); /* if this process closed a file of that name, its lock would end */
    if (other == 0) {
        const int out = open("m", O_WRONLY | O_APPEND);
        _exit(out >= 0 && write(out, line, length) == (ssize_t)length ? 0 : 1);
    }
    CHECK(other > 0 && waitpid(other, &status, 0) == other && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    tl_manifest_close(&manifest);
    manifest = open_manifest(true);
    CHECK(manifest.count == 2 && manifest.line_count == 68); /* two outputs have more slack */
    CHECK(tl_manifest_find(&manifest, "other") == 1);
    tl_manifest_close(&manifest);
}

/* ---- names ---- */

static uint32_t fnv1a(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 16777619u;
    return hash;
}

/* Words of equal FNV-1a hashes, of the same length and of different ones. */
TEST(outputs_with_equal_hashes)
{
    static const char *const words[] = {"costarring", "liquid", "declinate", "macallums", "altarage", "zinke"};
    char text[1000], line[100];
    for (int order = 0; order < 2; order++) {
        size_t size = (size_t)sprintf(text, "%s", head);
        for (int i = 0; i < 6; i++) {
            CHECK_INT(fnv1a(words[i]), fnv1a(words[i ^ 1]));
            sprintf(line, "{\"out\":\"%s\",\"recipe\":\"%d\"}", words[order ? 5 - i : i], i);
            size += put_line(text + size, line);
        }
        put_file("m", text, size);
        tl_manifest manifest = open_manifest(true);
        CHECK_INT(manifest.count, 6);
        for (uint32_t i = 0; i < 6; i++)
            CHECK_INT(tl_manifest_find(&manifest, words[order ? 5 - i : i]), i);
        tl_manifest_close(&manifest);
        put_file("m", text, size - strlen(line) - 18); /* without the last word */
        manifest = open_manifest(true);
        CHECK_INT(manifest.count, 5);
        CHECK(tl_manifest_find(&manifest, words[order ? 0 : 5]) == TRILO_NONE);
        tl_manifest_close(&manifest);
    }
}

/* More names than probes, all for the last slot of the table: those behind it wrap around, and the rest is found one by
 * one. */
TEST(outputs_made_to_collide)
{
    enum { NAMES = 70, BITS = 0x1FF };
    static char names[NAMES + 1][16], text[NAMES * 64 + 100];
    uint32_t number = 0;
    size_t size = (size_t)sprintf(text, "%s", head);
    for (int i = 0; i <= NAMES; i++) {
        do
            sprintf(names[i], "n%u", number++);
        while ((fnv1a(names[i]) & BITS) != BITS);
        char line[64];
        sprintf(line, "{\"out\":\"%s\",\"recipe\":\"r\"}", names[i]);
        if (i < NAMES)
            size += put_line(text + size, line);
    }
    put_file("m", text, size);
    tl_manifest manifest = open_manifest(true);
    CHECK_INT(manifest.count, NAMES);
    for (uint32_t i = 0; i < NAMES; i++)
        CHECK_INT(tl_manifest_find(&manifest, names[i]), i);
    CHECK(tl_manifest_find(&manifest, names[NAMES]) == TRILO_NONE);
    CHECK(tl_manifest_find(&manifest, "n") == TRILO_NONE);
    tl_manifest_close(&manifest);
}

/* ---- other files ---- */

/* FIPS 180-4, and files of a block of reading, one more, and more than two. */
TEST(hashes_of_files)
{
    static const size_t sizes[] = {0, 1, 16383, 16384, 16385, 40000};
    static uint8_t bytes[40000];
    char hash[TL_HASH_ROOM], want[TL_HASH_ROOM];
    put_file("f", "abc", 3);
    CHECK(tl_manifest_hash("f", hash));
    CHECK_STR(hash, "ba7816bf8f01cfea414140de5dae2223");
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 251);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        put_file("f", bytes, sizes[i]);
        tl_manifest_hash_bytes(bytes, sizes[i], want);
        CHECK(tl_manifest_hash("f", hash));
        CHECK_STR(hash, want);
    }
    CHECK(mkdir("folder", 0755) == 0 && mkfifo("pipe", 0644) == 0);
    CHECK(!tl_manifest_hash("folder", hash) && !tl_manifest_hash("pipe", hash) && !tl_manifest_hash("none", hash));
}

TEST(stamps_of_files)
{
    char stamp[TL_STAMP_ROOM], want[TL_STAMP_ROOM];
    double seconds = 0;
    uint64_t size = 0;
    struct stat status;
    put_file("f", "12345", 5);
    const struct timespec times[2] = {{1000000000, 7}, {1234567890, 12345678}};
    CHECK(utimensat(AT_FDCWD, "f", times, 0) == 0 && stat("f", &status) == 0);
    CHECK(tl_manifest_stamp("f", stamp, &seconds, &size));
    snprintf(want, sizeof want, "5 1234567890.012345678 %lld.%09ld %llu", (long long)status.st_ctim.tv_sec,
             (long)status.st_ctim.tv_nsec, (unsigned long long)status.st_ino);
    CHECK_STR(stamp, want);
    CHECK_INT(size, 5);
    CHECK_NEAR(seconds, (double)status.st_ctim.tv_sec + (double)status.st_ctim.tv_nsec * 1e-9, 1e-6);
    CHECK(symlink("f", "link") == 0 && tl_manifest_stamp("link", stamp, &seconds, &size));
    CHECK_STR(stamp, want);
    CHECK(mkdir("folder", 0755) == 0);
    CHECK(!tl_manifest_stamp("folder", stamp, &seconds, &size) && !tl_manifest_stamp("none", stamp, &seconds, &size));
}

TEST_MAIN(CASE(bytes_of_records), CASE(outputs_with_and_without_escapes), CASE(first_lines_that_are_none),
          CASE(waste_is_rewritten), CASE(files_are_closed), CASE(a_file_in_use_is_not_rewritten),
          CASE(lines_of_others_are_kept), CASE(outputs_with_equal_hashes), CASE(outputs_made_to_collide),
          CASE(hashes_of_files), CASE(stamps_of_files))

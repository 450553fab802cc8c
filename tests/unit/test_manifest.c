/* The manifest of a batch: records that are written come back, and lines that are damaged are not there. */
#include "api/project/manifest.h"
#include "harness.h"
#include "support/allocations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "trilobite manifest 1\n";

static tl_manifest open_manifest(bool read_only)
{
    tl_manifest manifest;
    trilo_error err = {0};
    if (!tl_manifest_open(&manifest, "m", NULL, read_only, &err))
        FAIL("%s", err.text);
    return manifest;
}

/* Gets the record of an output, which must be there. */
static tl_manifest_record get(const tl_manifest *manifest, tl_arena *arena, const char *output)
{
    tl_manifest_record record;
    const uint32_t row = tl_manifest_find(manifest, output);
    if (row >= manifest->count || !tl_manifest_get(manifest, row, arena, &record))
        FAIL("there is no record of %s", output);
    CHECK_STR(record.output, output);
    return record;
}

static void check_file(const tl_manifest_file *file, const char *path, const char *stamp, const char *hash)
{
    CHECK_STR(file->path, path);
    CHECK_STR(file->stamp, stamp);
    CHECK_STR(file->hash, hash);
}

static const tl_manifest_file sources[] = {{"in/a.glb", "12 3.4", "ab"}, {"wall \"1\".png", "", "absent"}};
static const tl_manifest_file files[] = {{"out", "5", "cd"}, {"out.side", "6", "ef"}, {"b\\c", "", ""}};
static const tl_manifest_name names[] = {{"wall", "in/wall.png"}, {"none", NULL}};

TEST(records_come_back)
{
    static const char *const outputs[] = {"out", "out\"2\\\n", "\xC3\xA4"};
    tl_manifest manifest = open_manifest(false);
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    for (int i = 0; i < 3; i++)
        CHECK(tl_manifest_append(
            &manifest, &arena,
            &(tl_manifest_record){outputs[i], i == 2 ? "" : "recipe", i == 2 ? 0 : 2, 2, 3, sources, names, files}));
    CHECK_INT(manifest.count, 0); /* what is added is for the next batch */
    tl_manifest_close(&manifest);
    manifest = open_manifest(true);
    CHECK(manifest.count == 3 && manifest.line_count == 3);
    for (int i = 0; i < 3; i++) {
        const tl_manifest_record r = get(&manifest, &arena, outputs[i]);
        CHECK_STR(r.recipe, i == 2 ? "" : "recipe");
        CHECK(r.source_count == (i == 2 ? 0 : 2) && r.name_count == 2 && r.file_count == 3);
        for (uint32_t k = 0; k < r.source_count; k++)
            check_file(&r.sources[k], sources[k].path, sources[k].stamp, sources[k].hash);
        for (uint32_t k = 0; k < 3; k++)
            check_file(&r.files[k], files[k].path, files[k].stamp, files[k].hash);
        CHECK_STR(r.names[0].name, "wall");
        CHECK_STR(r.names[0].path, "in/wall.png");
        CHECK_STR(r.names[1].name, "none");
        CHECK(r.names[1].path == NULL);
    }
    CHECK(tl_manifest_find(&manifest, "other") == TRILO_NONE);
    tl_manifest_close(&manifest);
    tl_arena_free(&arena);
}

/* A line with the right sum. */
static size_t put_line(char *out, const char *json)
{
    char sum[TL_HASH_ROOM];
    tl_manifest_hash_bytes(json, strlen(json), sum);
    return (size_t)sprintf(out, "%.16s %s\n", sum, json);
}

static void put_text(const char *text, size_t size)
{
    FILE *file = fopen("m", "wb");
    CHECK(file && fwrite(text, 1, size, file) == size && fclose(file) == 0);
}

/* A line, and how many rows there are with it alone. */
static void check_rows(const char *start, const char *line, size_t size, size_t rows)
{
    char text[500];
    const size_t front = strlen(start);
    memcpy(text, start, front);
    memcpy(text + front, line, size);
    put_text(text, front + size);
    tl_manifest manifest = open_manifest(true);
    if (manifest.count != rows || manifest.line_count != rows)
        FAIL("%.*s has %zu rows", (int)size, line, manifest.count);
    tl_manifest_close(&manifest);
}

TEST(damaged_lines_are_not_there)
{
    static const char good[] = "{\"out\":\"a\",\"recipe\":\"\"}";
    static const char *const bad[] = {"{\"aut\":\"a\",\"recipe\":\"\"}",
                                      "{\"out\":\"a",
                                      "{\"out\":\"",
                                      "{\"out\":",
                                      "{",
                                      "{\"out\":\"a\\\"}",
                                      "{\"out\":\"\\q\"}",
                                      "{\"out\":\"\\u0000"};
    char line[300];
    size_t size = put_line(line, good);
    check_rows(head, line, size, 1);
    check_rows(head, line, size - 1, 0); /* without its end */
    check_rows("trilobite manifest 2\n", line, size, 0);
    check_rows("trilobite manifest 1 ", line, size, 0);
    check_rows("", line, size, 0);
    for (size_t i = 0; i + 1 < size; i++) {
        line[i] ^= 1;
        check_rows(head, line, size, 0);
        line[i] ^= 1;
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_rows(head, line, put_line(line, bad[i]), 0);
    check_rows(head, line, put_line(line, ""), 0);
    check_rows(head, "\n\n0123456789abcdef\n0123456789abcdef \n", 37, 0);
}

/* Lists that are missing or none, rows that are too short, and a record that came later. */
TEST(odd_records)
{
    static const char *const all[] = {
        "{\"out\":\"a\",\"recipe\":\"r\"}",
        "{\"out\":\"b\",\"recipe\":\"r\",\"in\":5,\"names\":{\"x\":1},\"files\":\"f\"}",
        "{\"out\":\"c\",\"recipe\":\"r\",\"in\":[[\"p\"],[],[\"q\",\"s\"]],\"names\":[[],[\"n\"]]}",
        "{\"out\":\"d\",\"recipe\":\"old\"}",
        "{\"out\":\"d\",\"recipe\":\"new\"}",
        "{\"out\":\"e\",\"recipe\":\"r\"}",
        "{\"out\":\"e\"}"};
    char text[1500];
    size_t size = (size_t)sprintf(text, "%s", head);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        size += put_line(text + size, all[i]);
    put_text(text, size);
    tl_manifest manifest = open_manifest(true);
    tl_arena arena;
    tl_manifest_record record;
    tl_arena_init(&arena, NULL);
    CHECK(manifest.count == 5 && manifest.line_count == 7 && manifest.size == size);
    for (int i = 0; i < 2; i++) {
        record = get(&manifest, &arena, i == 0 ? "a" : "b");
        CHECK(record.source_count == 0 && record.name_count == 0 && record.file_count == 0);
    }
    record = get(&manifest, &arena, "c");
    CHECK(record.source_count == 3 && record.name_count == 2 && record.file_count == 0);
    check_file(&record.sources[0], "p", "", "");
    check_file(&record.sources[1], "", "", "");
    check_file(&record.sources[2], "q", "s", "");
    CHECK(record.names[0].path == NULL && record.names[1].path == NULL);
    CHECK_STR(record.names[1].name, "n");
    CHECK_STR(get(&manifest, &arena, "d").recipe, "new");
    const uint32_t row = tl_manifest_find(&manifest, "e"); /* forgotten */
    CHECK(row < manifest.count && !tl_manifest_get(&manifest, row, &arena, &record));
    tl_manifest_close(&manifest);
    tl_arena_free(&arena);
}

/* The file is rewritten with more than two lines for each of its outputs and 64 besides; what was forgotten goes. */
TEST(a_file_with_many_old_lines_is_rewritten)
{
    for (int more = 0; more < 2; more++) {
        tl_manifest manifest = open_manifest(false);
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        const tl_manifest_record record = {.output = "a", .recipe = "r", .files = files, .file_count = 1};
        for (int i = 0; i < 2 * 2 + 64 - 1 + more; i++)
            CHECK(tl_manifest_append(&manifest, &arena, &record));
        CHECK(tl_manifest_forget(&manifest, &arena, "b"));
        tl_manifest_close(&manifest);
        size_t size, lines = 0;
        uint8_t *bytes = test_read_file("m", &size);
        CHECK(bytes && memcmp(bytes, head, sizeof head - 1) == 0);
        for (size_t i = 0; i < size; i++)
            lines += bytes[i] == '{';
        CHECK_INT(lines, more ? 1 : 68);
        free(bytes);
        manifest = open_manifest(true);
        CHECK_INT(manifest.count, more ? 1 : 2);
        CHECK_STR(get(&manifest, &arena, "a").files[0].path, "out");
        tl_manifest_close(&manifest);
        tl_arena_free(&arena);
        remove("m");
    }
}

/* Another file with that name is replaced; a folder is not. */
TEST(files_that_are_no_manifests)
{
    trilo_error err = {0};
    tl_manifest manifest;
    put_text("something else\n", 15);
    manifest = open_manifest(false);
    CHECK_INT(manifest.count, 0);
    tl_manifest_close(&manifest);
    size_t size;
    uint8_t *bytes = test_read_file("m", &size);
    CHECK(bytes && size == sizeof head - 1 && memcmp(bytes, head, size) == 0);
    free(bytes);
    CHECK(!tl_manifest_open(&manifest, "none/m", NULL, false, &err));
    CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
    CHECK_STR(err.rule, "FILE-WRITE");
    CHECK(strstr(err.text, "none/m cannot be written: "));
    tl_manifest_close(&manifest);
    CHECK(tl_manifest_open(&manifest, "none/m", NULL, true, &err)); /* there is none yet */
    CHECK(manifest.count == 0 && tl_manifest_find(&manifest, "a") == TRILO_NONE);
    tl_manifest_close(&manifest);
}

TEST(memory_may_run_out)
{
    char text[600];
    size_t size = (size_t)sprintf(text, "%s", head);
    size += put_line(text + size, "{\"out\":\"a\",\"recipe\":\"r\",\"in\":[[\"p\",\"\",\"\"]]}");
    size += put_line(text + size, "{\"out\":\"\\u0062\",\"recipe\":\"r\",\"names\":[[\"n\"]]}");
    put_text(text, size);
    for (size_t n = 1; allocations_next(n); n += ALLOCATIONS_STEP) {
        tl_manifest manifest;
        trilo_error err = {0};
        tl_manifest_record record;
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        const bool ok = tl_manifest_open(&manifest, "m", NULL, true, &err);
        CHECK(ok || (allocations_denied() && err.code == TRILO_CODE_NO_MEMORY));
        CHECK(!ok || manifest.count == 2); /* no record is lost without an error */
        const bool whole = ok;
        for (uint32_t i = 0; whole && i < 2; i++)
            CHECK(tl_manifest_get(&manifest, i, &arena, &record) ? record.source_count + record.name_count == 1
                                                                 : allocations_denied());
        allocations_allow();
        CHECK(whole || allocations_denied());
        tl_manifest_close(&manifest);
        tl_arena_free(&arena);
    }
}

TEST_MAIN(CASE(records_come_back), CASE(damaged_lines_are_not_there), CASE(odd_records),
          CASE(a_file_with_many_old_lines_is_rewritten), CASE(files_that_are_no_manifests), CASE(memory_may_run_out))

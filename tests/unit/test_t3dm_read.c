/* Reading the structure of T3DM files: errors with their bytes, where chunks end, names of companion files. */
#include "formats/t3dm/t3dm.h"
#include "harness.h"
#include "support/numbers.h"
#include "support/t3dm_files.h"

#include <stdio.h>
#include <string.h>

static uint32_t dice(uint64_t *seed, uint32_t below)
{
    return (uint32_t)(random_bits(seed) >> 40) % below;
}

static void set_be(uint8_t *bytes, size_t at, size_t width, uint32_t value)
{
    for (size_t i = 0; i < width; i++)
        bytes[at + i] = (uint8_t)(value >> 8 * (width - 1 - i));
}

static const t3dm_file *read_bytes(tl_arena *arena, const uint8_t *bytes, size_t size, trilo_error *err)
{
    static const trilo_load_opts none = {0};
    *err = (trilo_error){0};
    tl_arena_init(arena, NULL);
    return tl_t3dm_read(arena, (trilo_bytes){bytes, size}, &none, err);
}

static void refuses(const uint8_t *bytes, size_t size, trilo_code code, const char *rule, uint64_t offset,
                    const char *text)
{
    tl_arena arena;
    trilo_error err;
    CHECK(!read_bytes(&arena, bytes, size, &err));
    CHECK_STR(err.text, text);
    CHECK_STR(err.rule, rule);
    CHECK_INT(err.code, code);
    CHECK_INT(err.offset, offset);
    tl_arena_free(&arena);
}

TEST(headers_that_are_none)
{
    static const char old[] = "a T3DM file from before October 2024, without a version; convert its source again";
    static const char other[] = "does not start with T3M";
    refuses((const uint8_t *)"", 0, TRILO_CODE_BAD_VALUE, "T3DM-MAGIC", 0, other);
    refuses((const uint8_t *)"T3", 2, TRILO_CODE_BAD_VALUE, "T3DM-MAGIC", 0, other);
    refuses((const uint8_t *)"T3X4", 4, TRILO_CODE_BAD_VALUE, "T3DM-MAGIC", 0, other);
    refuses((const uint8_t *)"T3D", 3, TRILO_CODE_BAD_VALUE, "T3DM-MAGIC", 0, other);
    refuses((const uint8_t *)"T3DM", 4, TRILO_CODE_UNSUPPORTED, "T3DM-LEGACY", 0, old);
    refuses((const uint8_t *)"T3M", 3, TRILO_CODE_TRUNCATED, "T3DM-TRUNCATED", 3, "the file ends before its version");
    refuses((const uint8_t *)"T3M\0", 4, TRILO_CODE_UNSUPPORTED, "T3DM-VERSION", 3, "version 0, 1 to 4 are known");
    refuses((const uint8_t *)"T3M\5", 4, TRILO_CODE_UNSUPPORTED, "T3DM-VERSION", 3, "version 5, 1 to 4 are known");
    for (uint8_t version = 1; version <= 4; version++) { /* 40 bytes in version 1, 44 later, if no chunk follows */
        uint8_t bytes[44] = {'T', '3', 'M', version};
        for (size_t size = 4; size <= 44; size++) {
            tl_arena arena;
            trilo_error err;
            const t3dm_file *file = read_bytes(&arena, bytes, size, &err);
            CHECK((file != NULL) == (size >= (version == 1 ? 40 : 44)));
            CHECK(!file || file->version == version);
            tl_arena_free(&arena);
        }
    }
}

enum { FILE_SIZE = 400, CHUNKS = 6, TABLE = 44 };

typedef struct table_file {
    uint8_t bytes[FILE_SIZE];
    uint32_t at[CHUNKS], strings_at;
} table_file;

/* A file of version 4 with a table and nothing that is read behind it. */
static void table_fill(table_file *t, const char *types, uint64_t *seed)
{
    memset(t, 0, sizeof *t);
    memcpy(t->bytes, "T3M\4", 4);
    set_be(t->bytes, 4, 4, CHUNKS);
    t->strings_at = TABLE + 4 * CHUNKS + dice(seed, FILE_SIZE - TABLE - 4 * CHUNKS + 1);
    set_be(t->bytes, 0x18, 4, t->strings_at);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        t->at[i] = 4 * dice(seed, FILE_SIZE / 4 + 1);
        set_be(t->bytes, TABLE + 4 * i, 4, (uint32_t)(uint8_t)types[i] << 24 | t->at[i]);
    }
}

/* At the next chunk that starts later, at the string table or at the end of the file. */
TEST(chunks_end_where_the_next_one_starts)
{
    uint64_t seed = 91;
    for (int round = 0; round < 500; round++) {
        static table_file t;
        tl_arena arena;
        trilo_error err;
        table_fill(&t, "XVYIXZ", &seed);
        const t3dm_file *file = read_bytes(&arena, t.bytes, FILE_SIZE, &err);
        if (!file)
            FAIL("%s", err.text);
        for (uint32_t i = 0; i < CHUNKS; i++) {
            uint32_t end = FILE_SIZE;
            for (uint32_t k = 0; k < CHUNKS; k++)
                end = t.at[k] > t.at[i] && t.at[k] < end ? t.at[k] : end;
            end = t.strings_at > t.at[i] && t.strings_at < end ? t.strings_at : end;
            CHECK_INT(file->chunks[i].at, t.at[i]);
            CHECK_INT(file->chunks[i].size, end - t.at[i]);
            CHECK_INT(file->chunks[i].type, "XVYIXZ"[i]);
            CHECK_INT(file->chunks[i].item, TRILO_NONE);
            CHECK(file->chunks[i].bytes == t.bytes + t.at[i]);
        }
        CHECK(file->vertices.data == t.bytes + t.at[1] && file->vertices_at == t.at[1]);
        CHECK(file->indices.data == t.bytes + t.at[3] && file->indices_at == t.at[3]);
        CHECK(file->vertices.size == file->chunks[1].size && file->indices.size == file->chunks[3].size);
        CHECK(file->strings.data == t.bytes + t.strings_at && file->strings.size == FILE_SIZE - t.strings_at);
        tl_arena_free(&arena);
    }
}

TEST(chunks_beyond_the_end_are_refused)
{
    uint64_t seed = 1;
    for (uint32_t i = 0; i < CHUNKS; i++) {
        static table_file t;
        table_fill(&t, "XXXXXX", &seed);
        set_be(t.bytes, TABLE + 4 * i, 4, (uint32_t)'X' << 24 | (FILE_SIZE + 1));
        refuses(t.bytes, FILE_SIZE, TRILO_CODE_BAD_REF, "T3DM-CHUNK-OFFSET", TABLE + 4 * i,
                "starts at byte 401, but the file ends at byte 400");
    }
    static table_file t;
    table_fill(&t, "XXXXXX", &seed);
    set_be(t.bytes, 0x18, 4, FILE_SIZE + 1);
    refuses(t.bytes, FILE_SIZE, TRILO_CODE_TRUNCATED, "T3DM-TRUNCATED", 0x18,
            "the string table starts at byte 401, but the file ends at byte 400: it is truncated");
}

/* Records that were read twice from one place could take any amount of memory; others are not read. */
TEST(records_have_places_of_their_own)
{
    static const char types[] = "OABSMmVIX";
    for (const char *a = types; *a; a++)
        for (const char *b = types; *b; b++) {
            static table_file t;
            uint64_t seed = 2;
            tl_arena arena;
            trilo_error err;
            table_fill(&t, "XXXXXX", &seed);
            for (uint32_t i = 0; i < CHUNKS; i++) /* the two of them, and others behind them */
                set_be(t.bytes, TABLE + 4 * i, 4,
                       (uint32_t)(i == 1   ? *a
                                  : i == 4 ? *b
                                           : 'X')
                               << 24 |
                           (i % 3 == 1 ? 80 : 399));
            set_be(t.bytes, 0x18, 4, 399);
            const t3dm_file *file = read_bytes(&arena, t.bytes, FILE_SIZE, &err);
            const bool refused = strchr("OABSM", *a) && strchr("OABSM", *b);
            CHECK((file == NULL) == refused);
            if (refused) {
                CHECK_STR(err.rule, "T3DM-CHUNK-OFFSET");
                CHECK_STR(err.text, "two chunks start at this byte, each needs its own");
                CHECK_INT(err.offset, 80);
            }
            tl_arena_free(&arena);
        }
}

/* ---- names ---- */

TEST(names_come_after_the_last_separator)
{
    static const char *const rows[][2] = {{"", ""},      {"a", "a"},   {"/a", "a"}, {"rom:/b/a.x", "a.x"},
                                          {"b\\a", "a"}, {"c:a", "a"}, {"b/", ""},  {"a.b/c.d", "c.d"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_STR(tl_t3dm_plain_name(rows[i][0]), rows[i][1]);
}

/* A string has at most 1023 bytes and its zero, and ends inside the table. */
TEST(strings_end_in_time)
{
    static uint8_t table[3000];
    t3dm_file file = {.strings = {table, sizeof table}};
    memset(table, 'x', sizeof table);
    table[1 + 1023] = 0;
    table[2000] = 0;
    CHECK_STR(tl_t3dm_string(&file, 0), "");
    CHECK(tl_t3dm_string(&file, 1) && strlen(tl_t3dm_string(&file, 1)) == 1023);
    CHECK(tl_t3dm_string(&file, 1024) && *tl_t3dm_string(&file, 1024) == '\0');
    CHECK(tl_t3dm_string(&file, 1025) && strlen(tl_t3dm_string(&file, 1025)) == 975);
    CHECK(!tl_t3dm_string(&file, 2001)); /* 999 bytes without a zero */
    table[2999] = 0;
    CHECK(tl_t3dm_string(&file, 2001) && tl_t3dm_string(&file, 2999) && !tl_t3dm_string(&file, 3000));
    CHECK(!tl_t3dm_string(&file, UINT32_MAX));
    table[1024] = 'x';
    CHECK(!tl_t3dm_string(&file, 1) && !tl_t3dm_string(&file, 976) && tl_t3dm_string(&file, 977));
}

typedef struct questions {
    char names[16][64];
    uint32_t count, found;
    const buffer *stream;
} questions;

static bool ask(void *user, const char *name, trilo_bytes *bytes)
{
    questions *q = user;
    CHECK(q->count < 16);
    snprintf(q->names[q->count++], sizeof q->names[0], "%s", name);
    *bytes = (trilo_bytes){q->stream->data, q->stream->size};
    return q->count == q->found;
}

/* The name in the file, then with the name of the model; with the old extension and the new one. */
TEST(streams_are_looked_for_by_several_names)
{
    static const char *const all[] = {"kite.0.sdata", "kite.0.sdata", "hero.0.sdata", "kite.0.t3ds", "hero.0.t3ds"};
    for (uint32_t found = 1; found <= 6; found++)
        for (int named = 0; named < 2; named++) {
            buffer file = {0}, stream = {0};
            t3dm_places at;
            tl_arena arena;
            trilo_error err = {0};
            t3dm_kite(&file, 4, &at);
            t3dm_kite_stream(&stream);
            questions q = {.found = found, .stream = &stream};
            const trilo_load_opts opts = {.companion = ask, .companion_user = &q, .name = named ? "hero.t3dm" : "hero"};
            tl_arena_init(&arena, NULL);
            const t3dm_file *read = tl_t3dm_read(&arena, (trilo_bytes){file.data, file.size}, &opts, &err);
            CHECK(read);
            const uint32_t most = named ? 5 : 3;
            CHECK_INT(q.count, found < most ? found : most);
            for (uint32_t i = 0, k = 0; i < q.count; i++, k++) {
                k += !named && k == 2; /* without an extension the model has no name to use */
                CHECK_STR(q.names[i], all[k]);
            }
            CHECK_INT(read->animations[0].has_stream, found <= most);
            CHECK_INT(read->streamed_count, found <= most);
            CHECK_INT(read->animations[0].keys.key_count, found <= most ? 4 : 0);
            tl_arena_free(&arena);
            buffer_free(&file);
            buffer_free(&stream);
        }
}

/* ---- all of a file ---- */

/* Counts may not lead beyond the chunk: every record cut by a byte is refused at its chunk. */
TEST(records_end_inside_their_chunks)
{
    buffer file = {0};
    t3dm_places at;
    t3dm_kite(&file, 4, &at);
    const struct {
        size_t at, count;
        uint32_t fits;
    } rows[] = {{at.object + 4, 2, 2}, {at.animation + 14, 2, 1}, {at.skeleton, 2, 2}, {at.bvh, 2, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t more = 0; more < 2; more++) {
            tl_arena arena;
            trilo_error err;
            set_be(file.data, rows[i].at, rows[i].count, rows[i].fits + more);
            CHECK((read_bytes(&arena, file.data, file.size, &err) != NULL) == (more == 0));
            CHECK_STR(more ? err.rule : "T3DM-TRUNCATED", "T3DM-TRUNCATED");
            set_be(file.data, rows[i].at, rows[i].count, rows[i].fits);
            tl_arena_free(&arena);
        }
    buffer_free(&file);
}

TEST_MAIN(CASE(headers_that_are_none), CASE(chunks_end_where_the_next_one_starts),
          CASE(chunks_beyond_the_end_are_refused), CASE(records_have_places_of_their_own),
          CASE(names_come_after_the_last_separator), CASE(strings_end_in_time),
          CASE(streams_are_looked_for_by_several_names), CASE(records_end_inside_their_chunks))

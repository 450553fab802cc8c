/* What lies beside a glTF file, or inside as a data URI, and what is never opened. */
#include "formats/gltf/gltf.h"
#include "harness.h"
#include "support/findings.h"
#include "support/gltf_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

TEST(relative_paths)
{
    static const struct {
        const char *uri, *path; /* NULL: refused */
    } cases[] = {
        {"a.bin", "a.bin"},
        {"textures/wood.png", "textures/wood.png"},
        {"./a.bin", "a.bin"},
        {"a//b/./c", "a/b/c"},
        {"my%20wood%2Bx.png", "my wood+x.png"},
        {"%C3%A4.png", "\xC3\xA4.png"},
        {"a\\b.png", "a/b.png"},
        {"..hidden/...", "..hidden/..."},
        {"", NULL},
        {".", NULL},
        {"/etc/passwd", NULL},
        {"\\server\\x", NULL},
        {"%2Fetc/passwd", NULL},
        {"..", NULL},
        {"../a.bin", NULL},
        {"a/../b.bin", NULL},
        {"a/..", NULL},
        {"%2e%2e/a.bin", NULL},
        {"a\\..\\..\\b", NULL},
        {"a%5C..%5C..%5Cb", NULL},
        {"http://x/a.bin", NULL},
        {"file:a.bin", NULL},
        {"C:a.bin", NULL},
        {"a/C%3Ab", NULL},
        {"a%00.bin", NULL},
        {"a%0A.bin", NULL},
        {"a%2", NULL},
        {"a%", NULL},
        {"a%zz", NULL},
    };
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        const char *problem = NULL;
        const trilo_str path = tl_gltf_relative_path((trilo_str){cases[i].uri, strlen(cases[i].uri)}, &arena, &problem);
        if (!cases[i].path && (path.data || !problem))
            FAIL("%s is %s", cases[i].uri, path.data ? path.data : "nothing");
        if (cases[i].path && (!path.data || strcmp(path.data, cases[i].path) != 0))
            FAIL("%s is %s", cases[i].uri, path.data ? path.data : problem);
        if (path.data)
            CHECK_INT(path.len, strlen(path.data));
    }
    tl_arena_free(&arena);
}

TEST(data_uris)
{
    static const struct {
        const char *uri, *bytes; /* NULL: refused */
    } cases[] = {
        {"data:application/octet-stream;base64,YWJj", "abc"},
        {"data:;base64,YWI=", "ab"},
        {"data:image/png;x=y;base64,YQ==", "a"},
        {"data:;base64,", ""},
        {"data:;base64,Pj4/Pz4+", ">>??"
                                  ">>"},
        {"data:,abc", NULL},
        {"data:text/plain;base64", NULL},
        {"data:;base64,YWJ", NULL},
        {"data:;base64,YW=j", NULL},
        {"data:;base64,Y===", NULL},
        {"data:;base64,====", NULL},
        {"data:;base64,YW J", NULL},
        {"data:;base64,YW-_", NULL},
        {"data:;base64,YQ==YQ==", NULL},
    };
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        const char *problem = NULL;
        const trilo_str uri = {cases[i].uri, strlen(cases[i].uri)};
        CHECK(tl_gltf_is_data(uri));
        const trilo_bytes got = tl_gltf_data_uri(uri, &arena, &problem);
        if (!cases[i].bytes && (got.data || !problem))
            FAIL("%s is taken", cases[i].uri);
        if (cases[i].bytes &&
            (!got.data || got.size != strlen(cases[i].bytes) || memcmp(got.data, cases[i].bytes, got.size) != 0))
            FAIL("%s is something else", cases[i].uri);
    }
    tl_arena_free(&arena);
}

/* --- files beside --- */

typedef struct folder {
    const char *names[8];
    trilo_bytes files[8];
    size_t count, asked;
} folder;

static bool look_up(void *user, const char *name, trilo_bytes *bytes)
{
    folder *f = user;
    f->asked++;
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->names[i], name) == 0) {
            *bytes = f->files[i];
            return true;
        }
    return false;
}

TEST(buffers_beside)
{
    buffer bin = {0}, file = {0};
    gltf_band_bytes(&bin);
    char *text = gltf_replaced(gltf_band_text, "{'byteLength':300}", "{'byteLength':300,'uri':'data%201/band.bin'}");
    gltf_text(&file, text);
    folder f = {.names = {"data 1/band.bin"}, .files = {{bin.data, bin.size}}, .count = 1};
    const trilo_load_opts opts = {.companion = look_up, .companion_user = &f};
    listener l;
    CHECK_INT(listen_to(&file, &opts, &l).errors, 0);
    CHECK_INT(f.asked, 1);
    /* the document knows what lies beside it */
    trilo_document *document = trilo_document_open(file.data, file.size, &opts, NULL);
    char name[64];
    trilo_bytes bytes;
    CHECK(trilo_document_companion(document, 0, name, sizeof name, &bytes));
    CHECK_STR(name, "data 1/band.bin");
    CHECK_INT(bytes.size, BAND_SIZE);
    CHECK(!trilo_document_companion(document, 1, name, sizeof name, &bytes));
    trilo_document_free(document);
    /* a longer file is fine, a shorter one is not */
    f.files[0].size--;
    CHECK(listen_to(&file, &opts, &l).errors > 0);
    expect(&l, "GLTF-BUFFER", "buffers[0]", "a short file");
    CHECK(strstr(l.texts[0], "data 1/band.bin"));
    CHECK(listen_to(&file, NULL, &l).errors > 0);
    expect(&l, "GLTF-MISSING", "buffers[0]", "no file");
    CHECK_INT(l.count, 1); /* and nothing about what is in it */
    free(text);
    buffer_free(&bin);
    buffer_free(&file);
}

TEST(pictures_beside)
{
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0,
                                  0,    0,   2,   0,   0,  0,  3,  8,  2, 0, 0, 0,  0,   0,   0,   0};
    buffer file = {0};
    tl_arena arena;
    folder f = {.names = {"a/b.png"}, .files = {{png, sizeof png}}, .count = 1};
    trilo_load_opts opts = {.companion = look_up, .companion_user = &f};
    trilo_str uri;
    gltf_text(&file, "{'asset':{'version':'2.0'},'images':[{'uri':'a/b.png'},{'uri':'a/./b.png'},{'uri':'c.png'},"
                     "{'uri':'data:;base64,YWJj'},{}]}");
    tl_arena_init(&arena, NULL);
    opts.gltf = &(trilo_gltf_load_opts){0};
    const gltf_file *g = tl_gltf_read(&arena, (trilo_bytes){file.data, file.size}, &opts, NULL);
    CHECK(g);
    CHECK(tl_gltf_image(g, 0, &uri).size == sizeof png && strcmp(uri.data, "a/b.png") == 0);
    CHECK(tl_gltf_image(g, 1, &uri).size == sizeof png && strcmp(uri.data, "a/b.png") == 0);
    CHECK(tl_gltf_image(g, 2, &uri).size == 0 && strcmp(uri.data, "c.png") == 0);
    CHECK(tl_gltf_image(g, 3, &uri).size == 3 && uri.len == 0);
    CHECK(tl_gltf_image(g, 4, &uri).size == 0 && uri.len == 0);
    CHECK(tl_gltf_image(g, 5, &uri).size == 0 && uri.len == 0);
    CHECK_INT(g->companion_count, 1);
    tl_arena_free(&arena);
    buffer_free(&file);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");
    CHECK(out && fwrite(bytes, 1, size, out) == size);
    fclose(out);
}

/* Files on disk, in a folder below that of the model. */
TEST(files_on_disk)
{
    buffer bin = {0}, file = {0};
    gltf_band_bytes(&bin);
    char *text = gltf_replaced(gltf_band_text, "{'byteLength':300}", "{'byteLength':300,'uri':'below/the%20band.bin'}");
    gltf_text(&file, text);
    CHECK(mkdir("below", 0777) == 0);
    write_file("below/the band.bin", bin.data, bin.size);
    write_file("gltf_band.gltf", file.data, file.size);
    trilo_document *document = trilo_document_open_file("gltf_band.gltf", NULL, NULL);
    CHECK(document);
    CHECK_INT(trilo_document_check(document, NULL, NULL).errors, 0);
    trilo_document_free(document);
    free(text);
    buffer_free(&bin);
    buffer_free(&file);
}

/* Every character is a digit of its value, or none. */
TEST(every_digit_of_base64)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    for (int c = 1; c < 256; c++) {
        char uri[] = "data:;base64,AAA?";
        const char *problem = NULL;
        uri[sizeof uri - 2] = (char)c;
        const trilo_bytes bytes = tl_gltf_data_uri((trilo_str){uri, sizeof uri - 1}, &arena, &problem);
        const char *digit = strchr(digits, c);
        if (c == '=' ? bytes.size != 2 : digit ? bytes.size != 3 : bytes.data != NULL)
            FAIL("%c makes %zu bytes", c, bytes.size);
        if (digit)
            CHECK_INT(bytes.data[2], digit - digits);
    }
    tl_arena_free(&arena);
}

TEST_MAIN(CASE(every_digit_of_base64), CASE(relative_paths), CASE(data_uris), CASE(buffers_beside),
          CASE(pictures_beside), CASE(files_on_disk))

/* Conversions to disk: which files that exist are replaced, which are refused and why, and what is said of each. The
 * conversions are made by hand; each test runs in an empty folder of its own. */
#define _POSIX_C_SOURCE 200809L

#include "api/convert/convert.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COMPANIONS = 3 };

static trilo_bytes text_bytes(const char *text)
{
    return (trilo_bytes){(const uint8_t *)text, strlen(text)};
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void check_text(const char *path, const char *want)
{
    size_t size = 0;
    uint8_t *bytes = test_read_file(path, &size);
    if (!bytes || size != strlen(want) || memcmp(bytes, want, size) != 0)
        FAIL("%s is %.*s, not %s", path, (int)size, bytes ? (const char *)bytes : "", want);
    free(bytes);
}

static char said[1000];

static void on_file(void *user, const trilo_committed *file)
{
    const size_t used = strlen(said);
    (void)user;
    snprintf(said + used, sizeof said - used, "%c%s%s%c ", "wruf"[file->state], file -> is_main ? "*" : "", file->path,
             file->companion == TRILO_NONE ? '-' : (char)('0' + file->companion));
    CHECK((file->state == TRILO_COMMIT_STATE_REPLACED) == (file->finding != NULL));
    if (file->finding) {
        CHECK_STR(file->finding->rule, "FILE-REPLACED");
        CHECK_STR(file->finding->text, "it had other content and was replaced, another model may have needed it");
        CHECK(file->finding->offset == TRILO_NOWHERE && !*file->finding->path);
    }
}

static bool commit(const tl_conversion *c, const char *path, trilo_error *err)
{
    said[0] = '\0';
    return trilo_conversion_commit(&c->result, path, &(trilo_commit_opts){.on_file = on_file, .no_sync = true}, err);
}

/* ---- one companion ---- */

typedef struct row {
    const char *path;      /* of the main file */
    const char *companion; /* its name, which exists with other content */
    bool copied, stream, sprite;
    trilo_format format;
    const char *why; /* NULL: it is replaced */
    char letter;     /* then: w or r */
} row;

/* Only streams, sprites and what is named after the output are replaced; with a finding unless it is named so. */
TEST(companions_that_exist)
{
    static const char not_stream[] = "it exists, and its name is not that of a stream of keys",
                      other[] = "it exists with other content: write to another folder";
    static const row rows[] = {{"hero.t3dm", "hero.0.sdata", false, true, false, TRILO_FORMAT_T3DM, NULL, 'w'},
                               {"hero.t3dm", "hero-0.sdata", false, true, false, TRILO_FORMAT_T3DM, NULL, 'w'},
                               {"hero.t3dm", "hero2.0.sdata", false, true, false, TRILO_FORMAT_T3DM, NULL, 'r'},
                               {"hero.t3dm", "her.0.sdata", false, true, false, TRILO_FORMAT_T3DM, NULL, 'r'},
                               {"hero.t3dm", "Hero.0.sdata", false, true, false, TRILO_FORMAT_T3DM, NULL, 'r'},
                               {"hero.t3dm", "wall.sprite", false, false, true, TRILO_FORMAT_T3DM, NULL, 'r'},
                               {"hero.t3dm", "wall.bin", false, false, false, TRILO_FORMAT_T3DM, not_stream, 0},
                               {"hero.t3dm", "hero.bin", true, false, false, TRILO_FORMAT_T3DM, not_stream, 0},
                               {"hero.gltf", "wall.bin", false, false, false, TRILO_FORMAT_GLTF, other, 0},
                               {"hero.gltf", "hero.bin", true, false, false, TRILO_FORMAT_GLTF, other, 0},
                               {"hero.gltf", "hero.bin", false, false, false, TRILO_FORMAT_GLTF, NULL, 'w'},
                               {"hero.gltf", "hero", false, false, false, TRILO_FORMAT_GLTF, other, 0},
                               {"hero", "hero.bin", false, false, false, TRILO_FORMAT_GLTF, NULL, 'w'},
                               {"./hero.x.gltf", "hero.bin", false, false, false, TRILO_FORMAT_GLTF, other, 0},
                               {"./hero.x.gltf", "hero.x-1.bin", false, false, false, TRILO_FORMAT_GLTF, NULL, 'w'}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        trilo_error err = {0};
        const trilo_converted_file file = {
            .name = r->companion, .bytes = text_bytes("new"), .is_stream = r->stream, .is_sprite = r->sprite};
        tl_conversion c = {
            .result = {.format = r->format, .bytes = text_bytes("main"), .companion_count = 1, .companions = &file},
            .companions_copied = r->copied};
        char want[100];
        const char *front = r->path[0] == '.' ? "./" : "";
        put(r->companion, "old");
        if (commit(&c, r->path, &err) != !r->why)
            FAIL("row %zu: %s", i, err.text);
        CHECK_STR(r->why ? err.text : "", r->why ? r->why : "");
        if (r->why)
            snprintf(want, sizeof want, "f%s%s0 ", front, r->companion);
        else
            snprintf(want, sizeof want, "%c%s%s0 w*%s- ", r->letter, front, r->companion, r->path);
        CHECK_STR(said, want);
        check_text(r->companion, r->why ? "old" : "new");
        CHECK_INT(access(r->path, F_OK) == 0, !r->why);
        put(r->companion, "new"); /* with the same content it is not touched, whatever its name */
        CHECK(commit(&c, r->path, &err));
        snprintf(want, sizeof want, "u%s%s0 w*%s- ", front, r->companion, r->path);
        CHECK_STR(said, want);
        CHECK(unlink(r->companion) == 0); /* and one that is not there is written */
        CHECK(commit(&c, r->path, &err));
        snprintf(want, sizeof want, "w%s%s0 w*%s- ", front, r->companion, r->path);
        CHECK_STR(said, want);
        CHECK(test_empty_folder("."));
    }
}

/* Of the same length, shorter and longer, and empty. */
TEST(contents_that_differ)
{
    static const char *const contents[] = {"", "n", "new", "nex", "newer"};
    for (int was = 0; was < 5; was++)
        for (int is = 0; is < 5; is++) {
            const trilo_converted_file file = {
                .name = "a.0.sdata", .bytes = text_bytes(contents[is]), .is_stream = true};
            const tl_conversion c = {.result = {.bytes = text_bytes("m"), .companion_count = 1, .companions = &file}};
            put("a.0.sdata", contents[was]);
            CHECK(commit(&c, "b.t3dm", NULL));
            CHECK_INT(said[0], was == is ? 'u' : 'r');
            check_text("a.0.sdata", contents[is]);
        }
}

/* ---- files of the input ---- */

/* A stream of the document stays unless the document is replaced, by whatever name it is found. */
TEST(files_of_the_input_stay)
{
    static const struct {
        const char *path, *companion;
        bool stream, same; /* the companion, or a link to it */
        const char *why;
    } rows[] = {{"out.t3dm", "in.1.sdata", true, true,
                 "it is a stream of the input, which is not overwritten: give the output another name"},
                {"out.t3dm", "link.sdata", true, true,
                 "it is a stream of the input, which is not overwritten: give the output another name"},
                {"out.t3dm", "in.2.sprite", false, true,
                 "it is a file of the input, which is not overwritten: give the output another name"},
                {"out.t3dm", "in.9.sdata", true, false, NULL},
                {"in.glb", "in.1.sdata", true, true, NULL},
                {"./in.glb", "in.2.sprite", false, true, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *names[] = {"in.0.sdata", "gone.sdata", "in.1.sdata", "in.2.sprite"};
        const trilo_converted_file file = {.name = rows[i].companion,
                                           .bytes = text_bytes("new"),
                                           .is_stream = rows[i].stream,
                                           .is_sprite = !rows[i].stream};
        const tl_conversion c = {.result = {.format = TRILO_FORMAT_T3DM,
                                            .bytes = text_bytes("main"),
                                            .companion_count = 1,
                                            .companions = &file},
                                 .input = "in.glb",
                                 .input_count = 4,
                                 .input_companions = names};
        trilo_error err = {0};
        put("in.glb", "input");
        put("in.0.sdata", "old");
        put("in.1.sdata", "old");
        put("in.2.sprite", "old");
        put("in.9.sdata", "old");
        CHECK(link("in.1.sdata", "link.sdata") == 0);
        CHECK_INT(commit(&c, rows[i].path, &err), !rows[i].why);
        CHECK_STR(rows[i].why ? err.text : "", rows[i].why ? rows[i].why : "");
        check_text(rows[i].companion, rows[i].why ? "old" : "new");
        CHECK(test_empty_folder("."));
    }
}

/* A copy of a document in its folder has its companions already; in another folder they are copied. */
TEST(copies_in_the_same_folder)
{
    const trilo_converted_file file = {.name = "in.0.sdata", .bytes = text_bytes("stream"), .is_stream = true};
    const char *names[] = {"in.0.sdata"};
    tl_conversion c = {.result = {.bytes = text_bytes("main"), .companion_count = 1, .companions = &file},
                       .input = "in.t3dm",
                       .input_count = 1,
                       .input_companions = names,
                       .companions_copied = true};
    put("in.t3dm", "input");
    CHECK(mkdir("other", 0755) == 0);
    CHECK(commit(&c, "copy.t3dm", NULL));
    CHECK_STR(said, "w*copy.t3dm- ");
    CHECK(commit(&c, "other/../copy.t3dm", NULL));
    CHECK_STR(said, "w*other/../copy.t3dm- ");
    CHECK(commit(&c, "other/copy.t3dm", NULL));
    CHECK_STR(said, "wother/in.0.sdata0 w*other/copy.t3dm- ");
    c.companions_copied = false; /* encoded anew: it belongs beside the result */
    CHECK(commit(&c, "copy.t3dm", NULL));
    CHECK_STR(said, "win.0.sdata0 w*copy.t3dm- ");
    c.companions_copied = true;
    c.input = NULL;
    CHECK(unlink("in.0.sdata") == 0 && commit(&c, "copy.t3dm", NULL));
    CHECK_STR(said, "win.0.sdata0 w*copy.t3dm- ");
}

/* ---- several files ---- */

/* Companions in their order, then the extra files, then the main one; of a failure only the file that failed. */
TEST(the_order_of_files)
{
    const trilo_converted_file files[COMPANIONS] = {
        {.name = "a.0.sdata", .bytes = text_bytes("0"), .is_stream = true},
        {.name = "tex/1.sprite", .bytes = text_bytes("1"), .is_sprite = true},
        {.name = "a.2.sdata", .bytes = text_bytes("2"), .is_stream = true}};
    const tl_conversion c = {
        .result = {.bytes = text_bytes("main"), .companion_count = COMPANIONS, .companions = files}};
    const trilo_extra_file extras[2] = {{"x.d", text_bytes("x")}, {"y.d", text_bytes("y")}};
    static const char *const paths[] = {"a.t3dm", "a.0.sdata", "tex/1.sprite", "a.2.sdata", "x.d", "y.d"},
                             *const failed[] = {"f*a.t3dm- ",   "fa.0.sdata0 ", "ftex/1.sprite1 ",
                                                "fa.2.sdata2 ", "fx.d- ",       "fy.d- "};
    trilo_commit_opts opts = {.on_file = on_file, .extra_count = 2, .extras = extras};
    put("a.2.sdata", "2"); /* unchanged: it is not in the set of files */
    said[0] = '\0';
    CHECK(trilo_conversion_commit(&c.result, "a.t3dm", &opts, NULL));
    CHECK_STR(said, "wa.0.sdata0 wtex/1.sprite1 ua.2.sdata2 wx.d- wy.d- w*a.t3dm- ");
    for (int i = 0; i < 6; i++) {
        trilo_error err = {0};
        CHECK(test_empty_folder("."));
        put(i == 3 ? "a.0.sdata" : "a.2.sdata", i == 3 ? "0" : "2");
        CHECK(i != 2 || mkdir("tex", 0755) == 0);
        CHECK((i == 3 || strcmp(paths[i], "a.2.sdata") != 0) && mkdir(paths[i], 0755) == 0);
        said[0] = '\0';
        CHECK(!trilo_conversion_commit(&c.result, "a.t3dm", &opts, &err));
        CHECK_STR(said, failed[i]);
        for (int k = 0; k < 6; k++) {
            struct stat status;
            const bool there = stat(paths[k], &status) == 0;
            CHECK_INT(there, k == i || strcmp(paths[k], i == 3 ? "a.0.sdata" : "a.2.sdata") == 0);
        }
    }
    CHECK(test_empty_folder("."));
    opts.on_file = NULL;
    CHECK(trilo_conversion_commit(&c.result, "a.t3dm", &opts, NULL));
}

/* A model that names itself, or a file above its folder. */
TEST(names_that_are_not_trusted)
{
    static const struct {
        const char *name, *why;
    } rows[] = {{"a.gltf", "the model names itself as a file beside it"}, {"../b.bin", NULL}, {"/b.bin", NULL}};
    CHECK(mkdir("in", 0755) == 0);
    for (size_t i = 0; i < 3; i++) {
        const trilo_converted_file file = {.name = rows[i].name, .bytes = text_bytes("1")};
        const tl_conversion c = {.result = {.bytes = text_bytes("main"), .companion_count = 1, .companions = &file}};
        trilo_error err = {0};
        CHECK(!commit(&c, "in/a.gltf", &err));
        CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
        if (rows[i].why)
            CHECK_STR(err.text, rows[i].why);
        CHECK(access("in/a.gltf", F_OK) != 0 && access("b.bin", F_OK) != 0);
    }
}

TEST_MAIN(CASE(companions_that_exist), CASE(contents_that_differ), CASE(files_of_the_input_stay),
          CASE(copies_in_the_same_folder), CASE(the_order_of_files), CASE(names_that_are_not_trusted))

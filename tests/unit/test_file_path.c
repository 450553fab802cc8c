/* Paths as text, the files below a folder, and paths that lead into a ROM. */
#define _POSIX_C_SOURCE 200809L

#include "api/document.h"
#include "api/file/folder_scan.h"
#include "api/file/io.h"
#include "api/file/nlm_hash.h"
#include "api/file/path.h"
#include "api/file/rom.h"
#include "harness.h"
#include "support/rom_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tl_arena arena;

static const char *or_none(const char *text)
{
    return text ? text : "none";
}

TEST(parts_of_paths)
{
    static const struct {
        const char *path, *last, *folder, *beside, *ending;
    } cases[] = {{"a", "a", ".", "x", "a.e"},
                 {"a.b", "a.b", ".", "x", "a.e"},
                 {"", "", ".", "x", ".e"},
                 {"d/a.b.c", "a.b.c", "d", "d/x", "d/a.b.e"},
                 {"d.1/a", "a", "d.1", "d.1/x", "d.1/a.e"},
                 {"d/.b", ".b", "d", "d/x", "d/.b.e"}, /* a name that begins with a dot has no ending */
                 {".b", ".b", ".", "x", ".b.e"},
                 {"d/e/", "", "d/e", "d/e/x", "d/e/.e"},
                 {"/a.b", "a.b", "/", "/x", "/a.e"},
                 {"/d/a", "a", "/d", "/d/x", "/d/a.e"},
                 {"/", "", "/", "/x", "/.e"},
                 {"d/a.", "a.", "d", "d/x", "d/a.e"}};
    tl_arena_init(&arena, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_STR(tl_file_path_last(cases[i].path), cases[i].last);
        CHECK_STR(tl_file_path_folder(&arena, cases[i].path), cases[i].folder);
        CHECK_STR(tl_file_path_beside(&arena, cases[i].path, "x"), cases[i].beside);
        CHECK_STR(tl_file_path_with_ending(&arena, cases[i].path, ".e"), cases[i].ending);
    }
    tl_arena_free(&arena);
}

TEST(paths_are_joined)
{
    static const struct {
        const char *folder, *name, *path;
    } cases[] = {{"a", "b", "a/b"},   {"a/", "b", "a/b"},    {".", "b", "b"}, {"", "b", "b"}, {"/", "b", "/b"},
                 {"..", "b", "../b"}, {"a/.", "b", "a/./b"}, {"a", "", "a/"}, {".", "", ""},  {"/a", "b/c", "/a/b/c"}};
    tl_arena_init(&arena, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_STR(tl_file_path_join(&arena, cases[i].folder, cases[i].name), cases[i].path);
    tl_arena_free(&arena);
}

TEST(ends_of_paths)
{
    CHECK(tl_file_path_ends("a.png", ".png") && tl_file_path_ends(".png", ".png") && tl_file_path_ends("a", ""));
    CHECK(!tl_file_path_ends("png", ".png") && !tl_file_path_ends("a.pngx", ".png") && !tl_file_path_ends("", "a"));
    CHECK(!tl_file_path_ends("a.PNG", ".png") && tl_file_path_ends("", ""));
}

TEST(paths_that_lead_up)
{
    static const char *const up[] = {"..", "../a", "a/..", "a/../b", "/..", "a//..", "a/b/../.."};
    static const char *const not_up[] = {"",      ".",   "a", "...",   "..a",   "a..", "a/...",
                                         ".a./b", "a/.", "/", ".b/b.", "x./.x", "a/.b"};
    for (size_t i = 0; i < sizeof up / sizeof *up; i++)
        CHECK(tl_file_path_leads_up(up[i]));
    for (size_t i = 0; i < sizeof not_up / sizeof *not_up; i++)
        CHECK(!tl_file_path_leads_up(not_up[i]));
}

/* As text: "." and ".." are followed, relative paths begin in the working directory. */
TEST(paths_below_a_folder)
{
    static const struct {
        const char *folder, *path, *below;
    } cases[] = {{"a", "a/b", "b"},
                 {"a", "a/b/c.png", "b/c.png"},
                 {"a", "a", NULL},
                 {"a", "ab", NULL},
                 {"a", "ab/c", NULL},
                 {"a", "b/a/c", NULL},
                 {"a/b", "a/c", NULL},
                 {"a/", "./a//b/.", "b"},
                 {"a", "a/../b", NULL},
                 {"a", "b/../a/c", "c"},
                 {"a/..", "b", "b"},
                 {".", "b", "b"},
                 {"/", "/b", "b"},
                 {"/", "/", NULL},
                 {"/x/y", "/x/y/z", "z"},
                 {"/x/../y", "/y/z", "z"},
                 {"/..", "/z", "z"},
                 {"/../..", "/../z", "z"},
                 {"/x", "/x/../../x/y", "y"},
                 {"/x", "x/y", NULL},
                 {"/x", "/x/.y", ".y"},
                 {"/x", "/x/..y", "..y"},
                 {"/x/.y", "/x/.y/a", "a"},
                 {"/x/a.", "/x/a./b", "b"},
                 {"/ab/c", "/ab/../c", NULL},
                 {"/c", "/ab/../c/d", "d"}};
    tl_arena_init(&arena, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_STR(or_none(tl_file_path_below(&arena, cases[i].folder, cases[i].path)), or_none(cases[i].below));
    char here[1000], inside[1100];
    CHECK(getcwd(here, sizeof here));
    snprintf(inside, sizeof inside, "%s/q/r", here);
    CHECK_STR(or_none(tl_file_path_below(&arena, "q", inside)), "r");
    CHECK_STR(or_none(tl_file_path_below(&arena, here, "q/r")), "q/r");
    tl_arena_free(&arena);
}

/* Without memory there is no path, and never part of one. */
TEST(paths_need_memory)
{
    size_t failed = 0;
    bool ok = false;
    for (size_t limit = 1; !ok; limit += limit / 8 + 1) {
        tl_arena_init(&arena, &(trilo_memory){.max_bytes = limit});
        const char *joined = tl_file_path_join(&arena, "abc", "def");
        const char *below = tl_file_path_below(&arena, "/a", "/a/b");
        CHECK(!joined || strcmp(joined, "abc/def") == 0);
        CHECK(!below || strcmp(below, "b") == 0);
        ok = joined && below;
        failed += !ok;
        tl_arena_free(&arena);
    }
    CHECK(failed > 0);
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

TEST(kinds_of_files)
{
    tl_file_identity a, b;
    put_file("file", "x");
    CHECK(mkdir("folder", 0777) == 0 && symlink("file", "link") == 0 && symlink("folder", "way") == 0);
    CHECK(symlink("nowhere", "dead") == 0 && link("file", "second") == 0);
    static const struct {
        const char *name;
        bool exists, plain, folder;
    } cases[] = {{"file", true, true, false}, {"folder", true, false, true}, {"link", true, true, false},
                 {"way", true, false, false}, {"dead", true, false, false},  {"none", false, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(tl_file_exists(cases[i].name) == cases[i].exists && tl_file_is_plain(cases[i].name) == cases[i].plain);
        CHECK(tl_file_is_folder(cases[i].name) == cases[i].folder);
    }
    CHECK(tl_file_same("file", "link") && tl_file_same("file", "second") && tl_file_same("folder", "way/."));
    CHECK(!tl_file_same("file", "folder") && !tl_file_same("none", "none") && !tl_file_same("file", "none"));
    CHECK(!tl_file_same("none", "file") && !tl_file_identify("dead", &a));
    CHECK(tl_file_identify("file", &a) && tl_file_identify("second", &b) && a.number == b.number &&
          a.device == b.device);
}

/* ---- folders ---- */

static void check_scan(const tl_folder_scan *scan, const char *const *paths, size_t count)
{
    CHECK_INT(scan->count, count);
    for (size_t i = 0; i < count; i++)
        CHECK_STR(scan->paths[i], paths[i]);
    CHECK(!scan->cut && !scan->out_of_memory && !scan->unread);
}

TEST(files_below_a_folder)
{
    static const char *const pngs[] = {"t/.h.png", "t/.hidden/d.png", "t/a.png", "t/b/c.png"};
    static const char *const all[] = {"t/a.png", "t/b/c.png", "t/b/c.txt", "t/z"};
    CHECK(mkdir("t", 0777) == 0 && mkdir("t/b", 0777) == 0 && mkdir("t/.hidden", 0777) == 0 &&
          mkdir("t/x.png", 0777) == 0);
    put_file("t/z", ""), put_file("t/a.png", ""), put_file("t/.h.png", ""), put_file("t/b/c.txt", "");
    put_file("t/b/c.png", ""), put_file("t/.hidden/d.png", "");
    CHECK(symlink("a.png", "t/link.png") == 0 && symlink("b", "t/way") == 0 && mkfifo("t/pipe.png", 0600) == 0);
    tl_arena_init(&arena, NULL);
    tl_folder_scan scan = tl_folder_scan_files(&arena, "t", ".png");
    check_scan(&scan, pngs, 4);
    scan = tl_folder_scan_tree(&arena, "t");
    check_scan(&scan, all, 4);
    scan = tl_folder_scan_tree(&arena, "none");
    check_scan(&scan, NULL, 0);
    scan = tl_folder_scan_tree(&arena, "t/a.png"); /* no folder */
    check_scan(&scan, NULL, 0);
    tl_arena_free(&arena);
    const trilo_tree *tree = trilo_tree_list("t", NULL, NULL);
    CHECK(tree && tree->count == 4);
    for (size_t i = 0; i < 4; i++)
        CHECK_STR(tree->paths[i], all[i]);
    trilo_tree_free(tree);
    trilo_tree_free(NULL);
}

TEST(folders_that_cannot_be_listed)
{
    trilo_error err = {.code = TRILO_CODE_OK};
    CHECK(mkdir("t", 0777) == 0 && mkdir("t/b", 0777) == 0);
    put_file("t/a", "");
    size_t failed = 0;
    const trilo_tree *tree = NULL;
    for (size_t limit = 1; !tree; limit += limit / 8 + 1) {
        tree = trilo_tree_list("t", &(trilo_memory){.max_bytes = limit}, &err);
        CHECK(tree ? tree->count == 1 : err.code == TRILO_CODE_NO_MEMORY);
        failed += !tree;
    }
    CHECK(failed > 0);
    trilo_tree_free(tree);
    CHECK(symlink("loop", "loop") == 0); /* there, but cannot be opened, whoever asks */
    CHECK(!trilo_tree_list("loop", NULL, &err));
    CHECK_INT(err.code, TRILO_CODE_CANT_READ);
    CHECK_STR(err.rule, "FILE-READ");
    CHECK_STR(err.text, "a folder in it cannot be read: loop");
}

/* ---- ROMs ---- */

static void check_rom(const char *folder, const char *name, uint64_t limit, const char *text, trilo_code code)
{
    trilo_bytes bytes;
    trilo_error err = {.code = TRILO_CODE_OK};
    tl_arena_init(&arena, NULL);
    const bool ok = name ? tl_file_read_below(folder, name, limit, &arena, &bytes, &err)
                         : tl_file_read(folder, limit, &arena, &bytes, &err);
    if (ok != (text != NULL))
        FAIL("%s, %s: %s", folder, name ? name : "-", ok ? "found" : err.text);
    CHECK_INT(err.code, code);
    if (ok)
        CHECK(bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0);
    else
        CHECK(bytes.size == 0);
    if (name && limit == UINT64_MAX)
        CHECK(tl_file_is_below(folder, name) == ok);
    tl_arena_free(&arena);
}

/* "game.z64:/a/b" is a file in a ROM. A name beside another is looked for below its folder, then below the root. */
TEST(files_in_a_rom)
{
    static const rom_item items[] = {
        {0, "a", NULL}, {1, "b.txt", "below a"}, {1, "only", "in a"}, {0, "b.txt", "root"}, {0, "top", "0123456789"}};
    buffer image = rom_dfs21(items, 5), rom = rom_file(&image, ROM_TABLE_2026, 0x1930);
    FILE *file = fopen("g.z64", "wb");
    CHECK(file && fwrite(rom.data, 1, rom.size, file) == rom.size && fclose(file) == 0);
    put_file("x", "no ROM");
    put_file("g.z64:y", "");
    CHECK_INT(tl_file_rom_length("g.z64:/a"), 5);
    CHECK_INT(tl_file_rom_length("g.z64:"), 5);
    CHECK_INT(tl_file_rom_length("g.z64"), 0);
    CHECK_INT(tl_file_rom_length("g.z64:a"), 0); /* no slash behind the colon */
    CHECK_INT(tl_file_rom_length("h.z64:/a"), 0);
    CHECK_INT(tl_file_rom_length("x:/a"), 0); /* one letter is a drive */
    CHECK_INT(tl_file_rom_length("./x:/a"), 3);
    CHECK_INT(tl_file_rom_length("n:m/../g.z64:/a"), 0);
    CHECK(mkdir("c:", 0777) == 0 && link("g.z64", "c:/g.z64") == 0);
    CHECK_INT(tl_file_rom_length("c:/g.z64:/a"), 8); /* the second colon */
    check_rom("g.z64:/a/b.txt", NULL, UINT64_MAX, "below a", TRILO_CODE_OK);
    check_rom("g.z64://b.txt", NULL, UINT64_MAX, "root", TRILO_CODE_OK);
    check_rom("g.z64:/none", NULL, UINT64_MAX, NULL, TRILO_CODE_CANT_READ);
    check_rom("g.z64:/a", "b.txt", UINT64_MAX, "below a", TRILO_CODE_OK);
    check_rom("g.z64:/a//", "only", UINT64_MAX, "in a", TRILO_CODE_OK);
    check_rom("g.z64:/a", "./b.txt", UINT64_MAX, "below a", TRILO_CODE_OK);
    check_rom("g.z64:/a", "top", UINT64_MAX, "0123456789", TRILO_CODE_OK);
    check_rom("g.z64:/", "a/only", UINT64_MAX, "in a", TRILO_CODE_OK);
    check_rom("g.z64:/", "only", UINT64_MAX, NULL, TRILO_CODE_BAD_REF);
    check_rom("g.z64:/top", NULL, 10, "0123456789", TRILO_CODE_OK);
    check_rom("g.z64:/top", NULL, 9, NULL, TRILO_CODE_LIMIT);
    check_rom("./x:/top", NULL, 9, NULL, TRILO_CODE_BAD_VALUE);
    char longest[1200] = "g.z64:/a", name[1200]; /* a path in a ROM has at most 1022 bytes */
    memset(name, 'n', sizeof name);
    for (size_t length = 1018; length <= 1024; length++) {
        name[length] = '\0';
        check_rom(longest, name, UINT64_MAX, NULL, TRILO_CODE_BAD_REF);
        name[length] = 'n';
    }
    buffer_free(&rom);
    buffer_free(&image);
}

/* ---- the hash beside an NLM file ---- */

typedef struct hash_file {
    const char *name, *text;
    size_t size; /* 0: that of the text */
    char wrote[40], wrote_name[1100];
} hash_file;

static bool give_hash(void *user, const char *name, trilo_bytes *bytes)
{
    const hash_file *f = user;
    if (strcmp(name, f->name) != 0)
        return false;
    *bytes = (trilo_bytes){(const uint8_t *)f->text, f->size ? f->size : strlen(f->text)};
    return true;
}

static bool keep_hash(void *user, const char *name, trilo_bytes bytes)
{
    hash_file *f = user;
    snprintf(f->wrote_name, sizeof f->wrote_name, "%s", name);
    snprintf(f->wrote, sizeof f->wrote, "%.*s", (int)bytes.size, (const char *)bytes.data);
    return true;
}

TEST(hashes_beside_a_model)
{
    static const struct {
        const char *text;
        size_t size;
        uint32_t hash;
    } cases[] = {{"0", 0, 0},          {"7", 0, 7},        {"4294967295", 0, 4294967295},
                 {"4294967296", 0, 0}, {"12 \r\n", 0, 12}, {" 12", 0, 0},
                 {"1 2", 0, 0},        {"1/", 0, 0},       {"1:", 0, 0},
                 {"-1", 0, 0},         {"0x10", 0, 0},     {"99999999999999999999999", 0, 0},
                 {"12\0", 3, 0},       {"", 0, 0},         {"0019", 0, 19},
                 {"90", 0, 90}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hash_file file = {"m.nlm.hash", cases[i].text, cases[i].size, "", ""};
        trilo_document document = {.opts = {.name = "m.nlm"}, .companions = {.asked = give_hash, .asked_user = &file}};
        CHECK_INT(tl_nlm_hash_find(&document), cases[i].hash);
        document.opts.name = "n.nlm";
        CHECK_INT(tl_nlm_hash_find(&document), 0);
        document.opts.name = NULL;
        CHECK_INT(tl_nlm_hash_find(&document), 0);
    }
    char name[1100];
    memset(name, 'n', sizeof name);
    for (size_t length = 1017; length <= 1020; length++) { /* with ".hash", a name has at most 1023 bytes */
        char whole[1110];
        hash_file file = {whole, "5", 0, "", ""};
        name[length] = '\0';
        snprintf(whole, sizeof whole, "%s.hash", name);
        const trilo_document document = {.opts = {.name = name},
                                         .companions = {.asked = give_hash, .asked_user = &file}};
        CHECK_INT(tl_nlm_hash_find(&document), length <= 1018 ? 5 : 0);
        CHECK(tl_nlm_hash_add(name, 4294967295, keep_hash, &file) == (length <= 1018));
        CHECK_STR(file.wrote, length <= 1018 ? "4294967295" : "");
        CHECK_STR(file.wrote_name, length <= 1018 ? whole : "");
        name[length] = 'n';
    }
    hash_file file = {"", "", 0, "", ""};
    CHECK(tl_nlm_hash_add("a", 0, keep_hash, &file));
    CHECK_STR(file.wrote, "2166136261"); /* FNV-1a of nothing */
    CHECK_STR(file.wrote_name, "a.hash");
}

TEST_MAIN(CASE(parts_of_paths), CASE(paths_are_joined), CASE(ends_of_paths), CASE(paths_that_lead_up),
          CASE(paths_below_a_folder), CASE(paths_need_memory), CASE(kinds_of_files), CASE(files_below_a_folder),
          CASE(folders_that_cannot_be_listed), CASE(files_in_a_rom), CASE(hashes_beside_a_model))

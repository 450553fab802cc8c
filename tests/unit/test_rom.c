/* ROMs and DragonFS images: every form that libdragon's tools have written, and what is no file system. */
#define _DEFAULT_SOURCE

#include "container/rom.h"
#include "harness.h"
#include "support/exercise.h"
#include "support/rom_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const rom_item items[] = {{0, "readme.txt", "hello"},
                                 {0, "models", NULL},
                                 {1, "hero.t3dm", "a model"},
                                 {1, "deep", NULL},
                                 {2, "wall.sprite", "a sprite, which is longer than the others"},
                                 {1, "none", NULL},
                                 {1, "empty.bin", ""},
                                 {0, "last", "z"}};
enum { ITEMS = sizeof items / sizeof *items };
static const char *const paths[] = {"readme.txt", "models/hero.t3dm", "models/deep/wall.sprite", "models/empty.bin",
                                    "last"};
static const size_t file_items[] = {0, 2, 4, 6, 7};
enum { FILES = sizeof paths / sizeof *paths };

static void has_all_files(const buffer *b, trilo_rom_order order, uint32_t minor)
{
    trilo_error err = {.code = TRILO_CODE_OK};
    const trilo_bytes bytes = {b->data, b->size};
    CHECK(trilo_rom_probe(bytes));
    const trilo_rom *rom = trilo_rom_read(bytes, NULL, &err);
    CHECK_STR(rom ? "" : err.text, "");
    CHECK_INT(rom->order, order);
    CHECK(rom->major == 2 && rom->minor == minor);
    CHECK_INT(rom->file_count, FILES);
    for (uint32_t i = 0; i < rom->file_count; i++) {
        const trilo_rom_file *file = &rom->files[i];
        const char *text = items[file_items[i]].text;
        CHECK_STR(file->path.data, paths[i]);
        CHECK(file->bytes.size == strlen(text) && memcmp(file->bytes.data, text, file->bytes.size) == 0);
        CHECK(trilo_rom_find(rom, paths[i]) == file);
    }
    CHECK(trilo_rom_find(rom, "/last") == &rom->files[FILES - 1]);
    CHECK(!trilo_rom_find(rom, "LAST") && !trilo_rom_find(rom, "models") && !trilo_rom_find(rom, ""));
    trilo_rom_free(rom);
}

TEST(tables_are_valid)
{
    trilo_error err;
    for (unsigned v = TL_ROMPAK_2024; v <= TL_ROMPAK_2026; v++)
        CHECK(tl_layout_ok(&tl_rompak_head_layout, v, &err) && tl_layout_ok(&tl_rompak_entry_layout, v, &err));
    for (unsigned v = TL_DFS_20; v <= TL_DFS_21; v++)
        CHECK(tl_layout_ok(&tl_dfs_entry_layout, v, &err));
}

TEST(images)
{
    buffer old = rom_dfs20(items, ITEMS), packed = rom_dfs21(items, ITEMS);
    has_all_files(&old, TRILO_ROM_ORDER_NONE, 0);
    has_all_files(&packed, TRILO_ROM_ORDER_NONE, 1);
    buffer_free(&old);
    buffer_free(&packed);
}

/* Tables where the boot codes of the years leave them, both forms, all orders of bytes. */
TEST(roms)
{
    static const struct {
        rom_table table;
        size_t at;
    } forms[] = {{ROM_TABLE_2024, 0x1000}, {ROM_TABLE_2024, 0x18D0}, {ROM_TABLE_2026, 0x1930}, {ROM_TABLE_NONE, 0}};
    static const trilo_rom_order orders[] = {TRILO_ROM_ORDER_Z64, TRILO_ROM_ORDER_V64, TRILO_ROM_ORDER_N64};
    for (uint32_t minor = 0; minor < 2; minor++) {
        buffer image = minor ? rom_dfs21(items, ITEMS) : rom_dfs20(items, ITEMS);
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
            for (size_t k = 0; k < 3; k++) {
                buffer rom = rom_file(&image, forms[i].table, forms[i].at);
                if (k > 0)
                    rom_swap(&rom, 2 * k);
                has_all_files(&rom, orders[k], minor);
                buffer_free(&rom);
            }
        buffer_free(&image);
    }
}

/* Without a table that names it, the image is searched for. */
TEST(an_image_anywhere)
{
    buffer image = rom_dfs21(items, ITEMS), rom = rom_file(&image, ROM_TABLE_2024, 0x1000);
    memcpy(rom.data + 0x1000, "none", 4);
    has_all_files(&rom, TRILO_ROM_ORDER_Z64, 1);
    buffer_free(&image);
    buffer_free(&rom);
}

TEST(no_files)
{
    static const uint8_t commercial[8192] = {0x80, 0x37, 0x12, 0x40};
    for (int packed = 0; packed < 2; packed++) {
        buffer image = packed ? rom_dfs21(items, 0) : rom_dfs20(items, 0);
        const trilo_rom *rom = trilo_rom_read((trilo_bytes){image.data, packed ? 26 : image.size}, NULL, NULL);
        CHECK(rom && rom->file_count == 0);
        trilo_rom_free(rom);
        buffer_free(&image);
    }
    trilo_error err;
    CHECK(!trilo_rom_read((trilo_bytes){commercial, sizeof commercial}, NULL, &err));
    CHECK_STR(err.rule, "ROM-UNKNOWN");
    CHECK(!trilo_rom_probe((trilo_bytes){(const uint8_t *)"glTF", 4}) && !trilo_rom_probe((trilo_bytes){NULL, 0}));
    CHECK(!trilo_rom_read((trilo_bytes){(const uint8_t *)"glTF", 4}, NULL, &err));
}

/* ---- damage ---- */

static void breaks(buffer *image, size_t at, uint32_t value, const char *rule)
{
    uint8_t before[4];
    trilo_error err = {.code = TRILO_CODE_OK};
    memcpy(before, image->data + at, 4);
    for (int i = 0; i < 4; i++)
        image->data[at + (size_t)i] = (uint8_t)(value >> (24 - 8 * i));
    const trilo_rom *rom = trilo_rom_read((trilo_bytes){image->data, image->size}, NULL, &err);
    CHECK(rom == NULL);
    CHECK_STR(err.rule, rule);
    CHECK(err.offset <= image->size);
    memcpy(image->data + at, before, 4);
}

/* The first entry of 2.0 is at 256, that of 2.1 at 26; "models" is the second one. */
TEST(broken_entries)
{
    buffer old = rom_dfs20(items, ITEMS), packed = rom_dfs21(items, ITEMS);
    breaks(&old, 256, 256, "ROM-LOOP");
    breaks(&old, 256, 0x00FFFF00, "ROM-TRUNCATED");
    breaks(&old, 256, 0xFFFFFFFF, "ROM-TRUNCATED");
    breaks(&old, 260, 5u << 28, "ROM-ENTRY");
    breaks(&old, 260, 0x0FFFFFFF, "ROM-TRUNCATED");
    breaks(&old, 264, 0, "ROM-ENTRY");          /* an empty name */
    breaks(&old, 264, 0x2E2E0000, "ROM-ENTRY"); /* .. */
    breaks(&old, 264, 0x612F6200, "ROM-ENTRY"); /* a/b */
    breaks(&old, 508, (uint32_t)old.size, "ROM-TRUNCATED");
    breaks(&old, 768 + 252, 768, "ROM-LOOP"); /* a directory in itself */
    breaks(&packed, 26, 26, "ROM-LOOP");
    breaks(&packed, 26, (uint32_t)packed.size - 4, "ROM-TRUNCATED");
    breaks(&packed, 30, 3u << 28, "ROM-ENTRY");
    breaks(&packed, 34, 0x7FFFFFFF, "ROM-TRUNCATED");
    memset(old.data + 264, 'a', 252 - 8);
    breaks(&old, 264, 0x61616161, "ROM-ENTRY"); /* a name without an end */
    buffer_free(&old);
    buffer_free(&packed);
}

/* An image that ends inside its first entry, with what follows it still in memory: the name begins at byte 38 of a
 * packed image and has 8 letters. */
TEST(entries_that_are_cut)
{
    static const rom_item one[] = {{0, "longname", "text"}};
    buffer image = rom_dfs21(one, 1);
    for (size_t size = 39; size <= 48; size++) {
        trilo_error err = {.code = TRILO_CODE_OK};
        CHECK(!trilo_rom_read((trilo_bytes){image.data, size}, NULL, &err));
        CHECK_STR(err.rule, size <= 46 ? "ROM-ENTRY" : "ROM-TRUNCATED"); /* with its end, its text is missing */
        CHECK_INT(err.offset, size <= 46 ? 38 : 26);
        if (size <= 46)
            CHECK_STR(err.text, "the name of a file is without an end");
    }
    buffer_free(&image);
}

TEST(names_of_orders)
{
    CHECK_STR(trilo_rom_order_name(TRILO_ROM_ORDER_NONE), "dfs");
    CHECK_STR(trilo_rom_order_name(TRILO_ROM_ORDER_Z64), "z64");
    CHECK_STR(trilo_rom_order_name(TRILO_ROM_ORDER_V64), "v64");
    CHECK_STR(trilo_rom_order_name(TRILO_ROM_ORDER_N64), "n64");
    CHECK_STR(trilo_rom_order_name((trilo_rom_order)(TRILO_ROM_ORDER_N64 + 1)), "unknown");
}

/* With room for 1000 bytes: two of them for what follows a path. */
TEST(the_longest_path)
{
    char name[1000];
    const rom_item item = {0, name, "z"};
    for (size_t length = 998; length < 1000; length++) {
        trilo_error err = {.code = TRILO_CODE_OK};
        memset(name, 'n', length);
        name[length] = '\0';
        buffer image = rom_dfs21(&item, 1);
        const trilo_rom *rom = trilo_rom_read((trilo_bytes){image.data, image.size}, NULL, &err);
        CHECK_INT(rom != NULL, length == 998);
        CHECK_STR(err.text, length == 998 ? "" : "a path has more than 998 bytes");
        trilo_rom_free(rom);
        buffer_free(&image);
    }
}

/* Whatever a byte becomes and wherever the file ends: a list of files inside the image, or an error. */
TEST(any_byte_may_be_wrong)
{
    for (int packed = 0; packed < 2; packed++) {
        buffer image = packed ? rom_dfs21(items, ITEMS) : rom_dfs20(items, ITEMS);
        for (size_t i = 0; i < image.size; i += test_step(image.size, 1000)) {
            static const uint8_t changes[] = {0x01, 0x80, 0xFF};
            for (size_t k = 0; k < sizeof changes; k++) {
                trilo_error err = {.code = TRILO_CODE_OK};
                image.data[i] ^= changes[k];
                const trilo_rom *rom = trilo_rom_read((trilo_bytes){image.data, image.size}, NULL, &err);
                for (uint32_t f = 0; rom && f < rom->file_count; f++)
                    CHECK(rom->files[f].bytes.data + rom->files[f].bytes.size <= image.data + image.size);
                CHECK(rom || (err.text[0] && err.rule[0]));
                trilo_rom_free(rom);
                image.data[i] ^= changes[k];
            }
            uint8_t *cut = malloc(i + 1); /* of its own, so that the sanitizer sees a look behind it */
            memcpy(cut, image.data, i);
            trilo_rom_free(trilo_rom_read((trilo_bytes){cut, i}, NULL, NULL));
            free(cut);
        }
        buffer_free(&image);
    }
}

TEST(every_allocation_may_fail)
{
    buffer image = rom_dfs21(items, ITEMS), swapped = rom_file(&image, ROM_TABLE_2026, 0x1930);
    rom_swap(&swapped, 4);
    bool whole = false;
    for (size_t most = 64; !whole && most < 1 << 20; most += most / 8) {
        trilo_error err = {.code = TRILO_CODE_OK};
        const trilo_memory memory = {.max_bytes = most};
        const trilo_rom *rom = trilo_rom_read((trilo_bytes){swapped.data, swapped.size}, &memory, &err);
        CHECK(rom || err.code == TRILO_CODE_NO_MEMORY);
        whole = rom != NULL;
        trilo_rom_free(rom);
    }
    CHECK(whole);
    buffer_free(&image);
    buffer_free(&swapped);
}

/* ---- paths into a ROM ---- */

static const char triangle[] =
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"corners.bin\",\"byteLength\":36}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],"
    "\"max\":[3,3,3]}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}],"
    "\"scenes\":[{\"nodes\":[0]}],\"scene\":0}";

/* A model in a ROM is opened by its path, and finds its companion there, beside it or at the root. */
TEST(a_model_in_a_rom)
{
    static const rom_item game[] = {
        {0, "models", NULL},     {1, "a.gltf", triangle}, {1, "corners.bin", "000@000@000@000@000@000@000@000@000@"},
        {0, "b.gltf", triangle}, {0, "other", NULL},      {1, "c.gltf", triangle}};
    char path[] = "game.z64", inside[96];
    trilo_error err = {.code = TRILO_CODE_OK};
    buffer image = rom_dfs21(game, 6), rom = rom_file(&image, ROM_TABLE_2026, 0x1930);
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(rom.data, 1, rom.size, file) == rom.size);
    fclose(file);
    snprintf(inside, sizeof inside, "%s:/models/a.gltf", path);
    trilo_document *document = trilo_document_open_file(inside, NULL, &err);
    CHECK_STR(document ? "" : err.text, "");
    const trilo_model *model = trilo_document_model(document, &err);
    CHECK(model && model->mesh_count == 1 && model->meshes[0].vertex_count == 3);
    trilo_model_free(model);
    trilo_document_free(document);
    snprintf(inside, sizeof inside, "%s:/b.gltf", path); /* its companion is in another folder */
    document = trilo_document_open_file(inside, NULL, &err);
    CHECK(!document || trilo_document_check(document, NULL, NULL).errors > 0);
    trilo_document_free(document);
    snprintf(inside, sizeof inside, "%s:/none.gltf", path);
    CHECK(!trilo_document_open_file(inside, NULL, &err));
    CHECK(strstr(err.text, "no such file"));
    CHECK(!trilo_document_open_file(path, NULL, &err)); /* the ROM itself is no model */
    CHECK(strstr(err.text, "trilobite extract"));
    const trilo_file_opts below = {.below = "."};
    CHECK(!trilo_file_read("game.z64:/b.gltf", &below, &err)); /* what a model names stays in its folder */
    buffer_free(&image);
    buffer_free(&rom);
}

/* ---- real ones ---- */

TEST(images_of_the_tools)
{
    static const char *const names[] = {"trunk.dfs", "preview.dfs", "trunk.z64", "preview.z64"};
    static const char *const contents[] = {"readme.txt", "empty.bin", "models/cath.t3dm",
                                           "models/deep/crate00.ci8.sprite"};
    for (size_t i = 0; i < 4; i++) {
        char name[96];
        size_t size, wanted;
        snprintf(name, sizeof name, "rom/%s", names[i]);
        uint8_t *bytes = test_read_file(test_corpus(name), &size);
        CHECK(bytes != NULL);
        const trilo_rom *rom = trilo_rom_read((trilo_bytes){bytes, size}, NULL, NULL);
        CHECK(rom && rom->file_count == 4);
        for (size_t k = 0; k < 4; k++) {
            snprintf(name, sizeof name, "rom/contents/%s", contents[k]);
            uint8_t *want = test_read_file(test_corpus(name), &wanted);
            const trilo_rom_file *file = trilo_rom_find(rom, contents[k]);
            CHECK(want && file && file->bytes.size == wanted);
            CHECK(wanted == 0 || memcmp(file->bytes.data, want, wanted) == 0);
            free(want);
        }
        trilo_rom_free(rom);
        free(bytes);
    }
}

/* ---- tables ---- */

static void put_be(uint8_t *to, uint32_t value, int size)
{
    for (int i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> (8 * (size - 1 - i)));
}

enum { TABLE_ROM = 0x10000, TABLE_DECOY = 0x800, TABLE_REAL = 0xC000 };

/* What the table of a ROM leads to. Another image is in front, which is found without a table. */
static const char *found_by_table(const uint8_t *table, size_t table_size, size_t at)
{
    static const rom_item real = {0, "real", "x"}, decoy = {0, "decoy", "x"};
    static uint8_t rom[TABLE_ROM];
    buffer first = rom_dfs21(&decoy, 1), second = rom_dfs21(&real, 1);
    memset(rom, 0, sizeof rom);
    put_be(rom, 0x80371240, 4);
    memcpy(rom + TABLE_DECOY, first.data, first.size);
    memcpy(rom + at, table, table_size);
    memcpy(rom + TABLE_REAL, second.data, second.size);
    buffer_free(&first);
    buffer_free(&second);
    const trilo_rom *read = trilo_rom_read((trilo_bytes){rom, sizeof rom}, NULL, NULL);
    CHECK(read && read->file_count == 1 &&
          read->offset == (read->files[0].path.data[0] == 'r' ? TABLE_REAL : TABLE_DECOY));
    const char *name = read->files[0].path.data[0] == 'r' ? "real" : "decoy";
    trilo_rom_free(read);
    return name;
}

/* A head of the year, then `before` entries of other files, then that of the image. */
static size_t make_table(uint8_t *table, bool year_2026, bool sized, uint32_t size, uint32_t count, uint32_t before,
                         const char *name)
{
    memset(table, 0, 16 + (size_t)size * (before + 1) + 64);
    memcpy(table, "TOC0", 4);
    put_be(table + (year_2026 ? 12 : 8), size, year_2026 ? 2 : 4);
    put_be(table + (year_2026 ? 14 : 12), count, year_2026 ? 2 : 4);
    for (uint32_t i = 0; i <= before; i++) {
        uint8_t *entry = table + 16 + (size_t)size * i;
        put_be(entry, i == before ? TABLE_REAL : 0x2000, 4);
        strcpy((char *)entry + (sized ? 8 : 4), i == before ? name : "a.elf");
    }
    return 16 + (size_t)size * (before + 1);
}

TEST(tables_lead_to_the_image)
{
    static uint8_t table[0x8000];
    for (int form = 0; form < 4; form++) {
        const bool new = form & 1, sized = form & 2;
        static const struct {
            uint32_t size, count, before;
            const char *name, *found;
        } cases[] = {{32, 1, 0, "x.dfs", "real"},   {32, 3, 2, "x.dfs", "real"},      {32, 2, 2, "x.dfs", "decoy"},
                     {32, 0, 0, "x.dfs", "decoy"},  {32, 1023, 0, "x.dfs", "real"},   {32, 1024, 0, "x.dfs", "decoy"},
                     {1023, 1, 0, "x.dfs", "real"}, {1024, 1, 0, "x.dfs", "decoy"},   {32, 1, 0, "x.dfs2", "decoy"},
                     {32, 1, 0, ".dfs", "real"},    {32, 1, 0, "dfs", "decoy"},       {32, 1, 0, "", "decoy"},
                     {12, 1, 0, ".dfs", "real"},    {11, 1, 0, ".dfs", "real or not"}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const size_t size =
                make_table(table, new, sized, cases[i].size, cases[i].count, cases[i].before, cases[i].name);
            const char *want = cases[i].size != 11 ? cases[i].found : sized ? "decoy" : "real";
            if (strcmp(found_by_table(table, size, 0x1000), want) != 0)
                FAIL("form %d, case %zu", form, i);
        }
    }
    /* A name begins with a printed letter; what does not is a size, and the name is behind it. */
    for (int letter = 1; letter < 256; letter++) {
        const char name[] = {(char)letter, '.', 'd', 'f', 's', '\0'};
        const size_t length = make_table(table, true, false, 32, 1, 0, name);
        CHECK_STR(found_by_table(table, length, 0x1000), letter >= ' ' && letter <= '~' ? "real" : "decoy");
    }
    /* Of 1024 places, 16 bytes apart. */
    const size_t size = make_table(table, true, true, 32, 1, 0, "x.dfs");
    CHECK_STR(found_by_table(table, size, 0x1010), "real");
    CHECK_STR(found_by_table(table, size, 0x1008), "decoy");
    CHECK_STR(found_by_table(table, size, 0xFF0), "decoy");
    CHECK_STR(found_by_table(table, size, 0x1000 + 16 * 1023), "real");
    CHECK_STR(found_by_table(table, size, 0x1000 + 16 * 1024), "decoy");
    table[3] = '1';
    CHECK_STR(found_by_table(table, size, 0x1000), "decoy");
    make_table(table, true, true, 32, 1, 0, "x.dfs");
    put_be(table + 16, TABLE_REAL + 4, 4); /* there is no image */
    CHECK_STR(found_by_table(table, size, 0x1000), "decoy");
    put_be(table + 16, TABLE_ROM, 4);
    CHECK_STR(found_by_table(table, size, 0x1000), "decoy");
}

/* An image without files. Entries of 14 bytes follow: next, type and size, contents, and a name of one letter. */
enum { ENTRY = 14, ENTRIES = 26 };

static uint8_t *make_image(size_t entries)
{
    uint8_t *bytes = calloc(ENTRIES + entries * ENTRY, 1);
    CHECK(bytes);
    memset(bytes + 4, 0xFF, 4);
    memcpy(bytes + 12, "DragonFS 2.1", 12);
    return bytes;
}

static void put_entry(uint8_t *image, uint32_t index, uint32_t next, uint32_t kind, uint32_t contents)
{
    uint8_t *entry = image + ENTRIES + index * ENTRY;
    put_be(entry, next, 4);
    put_be(entry + 4, kind << 28, 4);
    put_be(entry + 8, contents, 4);
    entry[12] = 'd';
}

/* Directories in each other, and an empty file in the last one. */
TEST(the_deepest_directory)
{
    for (uint32_t depth = 99; depth <= 101; depth++) {
        trilo_error err = {.code = TRILO_CODE_OK};
        uint8_t *image = make_image(depth + 1);
        for (uint32_t i = 0; i < depth; i++)
            put_entry(image, i, 0, 1, ENTRIES + (i + 1) * ENTRY);
        put_entry(image, depth, 0, 0, 0);
        const trilo_rom *rom = trilo_rom_read((trilo_bytes){image, ENTRIES + (depth + 1) * ENTRY}, NULL, &err);
        CHECK((rom != NULL) == (depth <= 100));
        CHECK_STR(err.text, depth <= 100 ? "" : "directories are more than 100 deep");
        CHECK_INT(err.offset, depth <= 100 ? 0 : ENTRIES + 100 * ENTRY);
        CHECK(!rom || (rom->file_count == 1 && rom->files[0].path.len == 2 * (size_t)depth + 1));
        trilo_rom_free(rom);
        free(image);
    }
}

TEST(the_most_files)
{
    enum { MOST = 65536 };
    if (TEST_EMULATED)
        SKIP("it takes long");
    for (uint32_t count = MOST; count <= MOST + 1; count++) {
        trilo_error err = {.code = TRILO_CODE_OK};
        uint8_t *image = make_image(count);
        for (uint32_t i = 0; i < count; i++)
            put_entry(image, i, i + 1 < count ? ENTRIES + (i + 1) * ENTRY : 0, 0, 0);
        const trilo_rom *rom = trilo_rom_read((trilo_bytes){image, ENTRIES + count * ENTRY}, NULL, &err);
        CHECK((rom != NULL) == (count == MOST));
        CHECK_STR(err.text, rom ? "" : "there are more than 65536 files");
        CHECK(!rom || rom->file_count == MOST);
        trilo_rom_free(rom);
        free(image);
    }
}

TEST_MAIN(CASE(tables_are_valid), CASE(images), CASE(roms), CASE(an_image_anywhere), CASE(no_files),
          CASE(broken_entries), CASE(entries_that_are_cut), CASE(names_of_orders), CASE(the_longest_path),
          CASE(any_byte_may_be_wrong), CASE(every_allocation_may_fail), CASE(a_model_in_a_rom),
          CASE(images_of_the_tools), CASE(tables_lead_to_the_image), CASE(the_deepest_directory), CASE(the_most_files))

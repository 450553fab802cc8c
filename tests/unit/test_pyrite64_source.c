/* Textures of a Pyrite64 model are compared with its source: the glTF file of the same name in the assets, and the
 * settings of the editor beside it. Each test runs in an empty folder of its own. */
#define _POSIX_C_SOURCE 200809L

#include "harness.h"
#include "trilobite/assets.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A table with one image: rom:/a.sprite. */
static const char table[] = "\0\0\0\1\0\0\0\x0c\x10\0\0\0rom:/a.sprite";

static void put(const char *path, const void *bytes, size_t size)
{
    char part[200];
    for (size_t i = 0; path[i]; i++)
        if (path[i] == '/') {
            snprintf(part, sizeof part, "%.*s", (int)i, path);
            mkdir(part, 0777);
        }
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* With " for '. */
static void put_json(const char *path, const char *text)
{
    char out[4000];
    CHECK(strlen(text) < sizeof out);
    for (size_t i = 0; i <= strlen(text); i++)
        out[i] = (char)(text[i] == '\'' ? '"' : text[i]);
    put(path, out, strlen(out));
}

/* A triangle for each object, with the material of that number. */
static void put_source(const char *path)
{
    put_json(path, "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0,1,2,3]}],"
                   "'nodes':[{'name':'A','mesh':0},{'name':'B','mesh':1},{'name':'C','mesh':2},{'name':'D','mesh':3}],"
                   "'buffers':[{'byteLength':36,'uri':'data:application/octet-stream;base64,"
                   "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA'}],"
                   "'bufferViews':[{'buffer':0,'byteLength':36}],"
                   "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3','min':[0,0,0],"
                   "'max':[1,1,0]}],"
                   "'materials':[{'name':'ma'},{'name':'mb'},{'name':'mc'}],"
                   "'meshes':[{'name':'A','primitives':[{'attributes':{'POSITION':0},'material':0}]},"
                   "{'name':'B','primitives':[{'attributes':{'POSITION':0},'material':1},"
                   "{'attributes':{'POSITION':0},'material':0}]},"
                   "{'name':'C','primitives':[{'attributes':{'POSITION':0},'material':2}]},"
                   "{'name':'D','primitives':[{'attributes':{'POSITION':0}}]}]}");
}

/* Numbers of 19 digits that are equal as doubles; one of a single digit is none. */
static void put_project(const char *source)
{
    static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x10\0\0\0\x08\x08\2\0\0\0";
    char conf[100];
    put("p/filesystem/p64/a", table, sizeof table);
    put("p/filesystem/lvl/m.t3dm", "", 0);
    put_source(source);
    snprintf(conf, sizeof conf, "%s.conf", source);
    put_json(conf, "{'data':{'materials':{"
                   "'ma':{'tex0':{'set':true,'texUUID':1234567890123456789},'tex1':{'set':false,'texUUID':42}},"
                   "'mb':{'tex0':{'set':true,'texUUID':1234567890123456788},'tex1':{'set':true,'texUUID':42}},"
                   "'mc':{'tex0':{'set':true,'texUUID':5},'tex1':{'set':true,'texUUID':77}}}}}");
    put("p/assets/img/a.png", png, sizeof png);
    put_json("p/assets/img/a.png.conf", "{'uuid':1234567890123456789}");
    put("p/assets/img/b.png", png, sizeof png);
    put_json("p/assets/img/b.png.conf", "{'uuid':1234567890123456788}");
    put("p/assets/t.bci.png", png, sizeof png);
    put_json("p/assets/t.bci.png.conf", "{'uuid':42}");
    put("p/assets/z.png", png, sizeof png);
    put_json("p/assets/z.png.conf", "{'uuid':5}");
}

static bool compare(trilo_assets *assets, const char *object, int tile, const char *path, char expected[256])
{
    trilo_source_texture question = {.object = object, .tile = tile, .path = path};
    const bool fits = trilo_assets_compare(assets, &question);
    memcpy(expected, question.expected, sizeof question.expected);
    return fits;
}

TEST(textures_of_the_source)
{
    static const struct {
        const char *object;
        int tile;
        const char *path, *expected; /* expected "": it fits */
    } rows[] = {{"A", 0, "rom:/img/a.sprite", ""},
                {"A", 0, "rom:/img/b.sprite", "rom:/img/a.sprite"},
                {"A", 0, "rom:/a.sprite", "rom:/img/a.sprite"},
                {"A", 1, "rom:/img/a.sprite", ""}, /* not set: nothing is known of it */
                {"A", 1, "", ""},
                {"B", 0, "rom:/img/b.sprite", ""},
                {"B", 0, "rom:/img/a.sprite", ""}, /* of its other material */
                {"B", 0, "rom:/x.sprite", "rom:/img/a.sprite"},
                {"B", 1, "rom:/t.bci", ""},
                {"B", 1, "rom:/t.bci.sprite", "rom:/t.bci"},
                {"C", 0, "rom:/x.sprite", ""}, /* a number of one digit */
                {"C", 1, "rom:/x.sprite", ""}, /* of no image */
                {"D", 0, "rom:/x.sprite", ""}, /* without a material */
                {"E", 0, "rom:/x.sprite", ""}};
    static const char *const sources[] = {"p/assets/lvl/m.glb", "p/assets/lvl/m.gltf"};
    for (int s = 0; s < 2; s++) {
        put_project(sources[s]);
        trilo_assets *assets = trilo_assets_new(&(trilo_assets_opts){.model = "p/filesystem/lvl/m.t3dm"}, NULL);
        CHECK(assets != NULL);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            char expected[256];
            const bool fits = compare(assets, rows[i].object, rows[i].tile, rows[i].path, expected);
            if (fits != !*rows[i].expected || (!fits && strcmp(expected, rows[i].expected) != 0))
                FAIL("%s, row %zu: %d, %s", sources[s], i, fits, expected);
        }
        trilo_assets_free(assets);
        CHECK(test_empty_folder("."));
    }
}

/* Without a source, its settings or the folder of assets nothing is known, and everything fits. */
TEST(sources_that_are_not_there)
{
    for (int i = 0; i < 4; i++) {
        char expected[256];
        put_project("p/assets/lvl/m.glb");
        const char *model = i == 2 ? "p/filesystem/lvl/other.t3dm" : i == 3 ? NULL : "p/filesystem/lvl/m.t3dm";
        CHECK(i != 0 || remove("p/assets/lvl/m.glb") == 0);
        CHECK(i != 1 || remove("p/assets/lvl/m.glb.conf") == 0);
        trilo_assets *assets = trilo_assets_new(&(trilo_assets_opts){.model = model}, NULL);
        CHECK(assets && compare(assets, "A", 0, "rom:/x.sprite", expected));
        trilo_assets_free(assets);
        CHECK(test_empty_folder("."));
    }
}

TEST_MAIN(CASE(textures_of_the_source), CASE(sources_that_are_not_there))

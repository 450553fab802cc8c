/* glTF files cut, flipped and starved of memory: always a clean refusal or a good model. */
#include "harness.h"
#include "support/buffer.h"
#include "support/faults.h"
#include "support/gltf_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_band(buffer *file)
{
    gltf_band(file, NULL, NULL);
}

TEST(band_survives)
{
    size_t results[3] = {0};
    fault_all(make_band, results);
    CHECK(results[EXERCISE_REFUSED] > 0 && results[EXERCISE_OPENED] > 0 && results[EXERCISE_MODEL] > 0);
}

static bool give_bin(void *user, const char *name, trilo_bytes *bytes)
{
    const buffer *bin = user;
    *bytes = (trilo_bytes){bin->data, bin->size};
    return strcmp(name, "band.bin") == 0;
}

/* The same as text, its buffer beside it. */
TEST(text_survives)
{
    buffer file = {0}, bin = {0};
    size_t results[3] = {0};
    gltf_band_bytes(&bin);
    char *text = gltf_replaced(gltf_band_text, "{'byteLength':300}", "{'byteLength':300,'uri':'band.bin'}");
    gltf_text(&file, text);
    const fault_input in = {file.data, file.size, give_bin, &bin};
    fault_truncate(&in, 0);
    fault_flip(&in, results);
    fault_starve(&in);
    free(text);
    buffer_free(&file);
    buffer_free(&bin);
    CHECK(results[EXERCISE_REFUSED] > 0 && results[EXERCISE_OPENED] > 0 && results[EXERCISE_MODEL] > 0);
}

/* Every number of the text at every value that could matter. */
TEST(numbers_of_any_size)
{
    static const char *const values[] = {"-1",    "0",          "1",          "2",          "3",   "11",
                                         "65536", "2147483648", "4294967295", "4294967296", "0.5", "1e300",
                                         "'x'",   "null",       "[]",         "{}"};
    const size_t step = test_rounds(1, TEST_EMULATED ? 4 : 1);
    buffer bin = {0};
    gltf_band_bytes(&bin);
    for (const char *p = gltf_band_text; *p; p++) {
        const bool starts = strchr(":[,", p[0]) && p[1] >= '0' && p[1] <= '9';
        const size_t length = starts ? strspn(p + 1, "0123456789.") : 0;
        for (size_t i = (size_t)(p - gltf_band_text) % step; starts && i < sizeof values / sizeof values[0];
             i += step) {
            char text[8192];
            buffer file = {0};
            meter m = {0};
            snprintf(text, sizeof text, "%.*s%s%s", (int)(p + 1 - gltf_band_text), gltf_band_text, values[i],
                     p + 1 + length);
            gltf_glb(&file, text, (trilo_bytes){bin.data, bin.size});
            exercise(file.data, file.size, &m, FAULT_MEGABYTE);
            buffer_free(&file);
        }
    }
    buffer_free(&bin);
}

/* Deep, wide and repeated: each would be quadratic or worse for a careless reader. */
static char *repeated(const char *start, const char *each, size_t count, const char *end)
{
    const size_t length = strlen(each) + 1;
    char *text = malloc(strlen(start) + count * length + strlen(end) + 1), *at = text;
    CHECK(text);
    at += sprintf(at, "%s", start);
    for (size_t i = 0; i < count; i++, at += length)
        sprintf(at, "%s,", each);
    sprintf(at - 1, "%s", end);
    return text;
}

static void costs_little(const char *start, const char *each, size_t count, const char *end)
{
    char *text = repeated(start, each, count, end);
    buffer file = {0};
    meter m = {0};
    gltf_text(&file, text);
    exercise(file.data, file.size, &m, 64 * FAULT_MEGABYTE);
    free(text);
    buffer_free(&file);
}

TEST(many_of_everything)
{
#define HEAD "{'asset':{'version':'2.0'},"
    const size_t many = test_rounds(20000, TEST_EMULATED ? 2000 : 20000);
    costs_little(HEAD "'nodes':[", "{'mesh':0,'skin':0}", many,
                 "],'skins':[{'joints':[0]}],'meshes':[{'primitives':[]}]}");
    costs_little(HEAD "'nodes':[{'mesh':0}],'meshes':[{'primitives':[", "{'attributes':{'POSITION':0}}", many,
                 "]}],'accessors':[{'componentType':5126,'count':30000,'type':'VEC3'}]}");
    costs_little(HEAD "'accessors':[", "{'componentType':5126,'count':30000,'type':'VEC3'}", many, "]}");
    costs_little(HEAD "'images':[", "{'uri':'a'}", many, "]}");
    costs_little(HEAD "'buffers':[", "{'uri':'data:;base64,AAAA','byteLength':3}", many, "]}");
    costs_little(HEAD "'nodes':[{}],'animations':[{'samplers':[{'input':0,'output':1}],'channels':[",
                 "{'sampler':0,'target':{'node':0,'path':'scale'}}", many,
                 "]}],'accessors':[{'componentType':5126,'count':1,'type':'SCALAR'},"
                 "{'componentType':5126,'count':1,'type':'VEC3'}]}");
    costs_little(HEAD "'nodes':[{'children':[", "0", many, "]}]}");
}

/* A chain of nodes, each the child of the one behind it, or of the one before it. */
TEST(long_chains)
{
    enum { LINKS = 50000, ROOM = 32 };
    for (int down = 0; down < 2; down++) {
        char *text = malloc((LINKS + 4) * (size_t)ROOM), *at = text;
        buffer file = {0};
        meter m = {0};
        CHECK(text);
        at += sprintf(at, HEAD "'nodes':[%s", down ? "" : "{},");
        for (int i = 0; i < LINKS; i++)
            at += sprintf(at, "{'children':[%d]},", down ? i + 1 : i);
        sprintf(at - 1, "%s]}", down ? ",{}" : "");
        gltf_text(&file, text);
        CHECK_INT(exercise(file.data, file.size, &m, 64 * FAULT_MEGABYTE), EXERCISE_OPENED);
        free(text);
        buffer_free(&file);
    }
}

static void with_corpus(const char *path)
{
    size_t size;
    uint8_t *bytes = test_read_file(test_corpus(path), &size);
    CHECK(bytes);
    const fault_input in = {bytes, size, NULL, NULL};
    fault_starve(&in);
    for (size_t at = 0; at < size; at += size / test_rounds(300, 100) + 1) {
        meter m = {0};
        bytes[at] ^= 0x55;
        exercise(bytes, size, &m, 64 * FAULT_MEGABYTE);
        bytes[at] ^= 0x55;
    }
    free(bytes);
}

TEST(corpus_files_survive)
{
    with_corpus("gltf/Box/Box.glb");
    with_corpus("gltf/RiggedSimple/RiggedSimple.glb");
    with_corpus("gltf/AnimatedMorphCube/AnimatedMorphCube.glb");
    with_corpus("t3dm/08_animation/assets/shadow.glb");
}

TEST_MAIN(CASE(band_survives), CASE(text_survives), CASE(numbers_of_any_size), CASE(many_of_everything),
          CASE(long_chains), CASE(corpus_files_survive))

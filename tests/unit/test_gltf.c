/* glTF at file level: the container, the text, references, writing, and where bytes go. */
#include "formats/gltf/gltf.h"
#include "harness.h"
#include "support/findings.h"
#include "support/gltf_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const trilo_bytes no_bin = {NULL, 0};

/* --- tables --- */

TEST(tables_are_valid)
{
    trilo_error err = {0};
    CHECK(tl_layout_ok(&tl_glb_header, 0, &err));
    CHECK(tl_layout_ok(&tl_glb_chunk, 0, &err));
    CHECK_INT(tl_layout_size(&tl_glb_header, 0), 12);
    CHECK_INT(tl_layout_size(&tl_glb_chunk, 0), 8);
}

TEST(every_rule_is_written)
{
    for (size_t i = 0; i < GLTF_RULE_COUNT; i++) {
        const trilo_rule *rule = &tl_gltf_rules[i];
        CHECK(rule->name && strncmp(rule->name, "GLTF-", 5) == 0);
        CHECK(rule->cause && rule->cause[0] && rule->cure && rule->cure[0]);
        for (size_t k = 0; k < i; k++)
            CHECK(strcmp(rule->name, tl_gltf_rules[k].name) != 0);
    }
}

TEST(reference_is_written)
{
    buffer out = {0};
    CHECK(trilo_format_reference(TRILO_FORMAT_GLTF, buffer_sink, &out));
    buffer_sink(&out, "", 1);
    CHECK(strstr((char *)out.data, "# glTF 2.0") == (char *)out.data);
    CHECK(strstr((char *)out.data, "magic") && strstr((char *)out.data, "`JSON`"));
    buffer_free(&out);
}

/* --- what it is --- */

TEST(probing)
{
    static const struct {
        const char *text;
        bool is;
    } cases[] = {{"glTF", true},
                 {"glT", false},
                 {"{\"asset\":{\"version\":\"2.0\"}}", true},
                 {" \r\n\t{ \"scenes\": [], \"asset\": {}}", true},
                 {"\xEF\xBB\xBF{\"asset\":0", true},
                 {"{\"assets\":{}}", false},
                 {"[\"asset\"]", false},
                 {"x{\"asset\"", false},
                 {"", false},
                 {"{", false},
                 {"{\"asset", false}};
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++)
        if (trilo_format_probe(cases[i].text, strlen(cases[i].text)) !=
            (cases[i].is ? TRILO_FORMAT_GLTF : TRILO_FORMAT_UNKNOWN))
            FAIL("%s", cases[i].text);
}

/* A program may write the asset last, behind a large buffer: the end of the file is looked at as well. */
TEST(probing_long_text)
{
    enum { LONG = 3000000 };
    static const char start[] = "{\"x\":\"", end[] = "\",\"asset\":{\"version\":\"2.0\"}}";
    char *text = malloc(LONG);
    CHECK(text);
    memset(text, 'A', LONG);
    memcpy(text, start, sizeof start - 1);
    memcpy(text + LONG - (sizeof end - 1), end, sizeof end - 1);
    CHECK_INT(trilo_format_probe(text, LONG), TRILO_FORMAT_GLTF);
    CHECK_INT(trilo_format_probe(text, LONG / 2), TRILO_FORMAT_UNKNOWN);
    free(text);
}

/* --- refusals --- */

static void refused(const buffer *file, const char *rule, uint64_t offset, trilo_code code)
{
    trilo_error err = {0};
    trilo_document *document =
        trilo_document_open(file->data, file->size, &(trilo_load_opts){.format = TRILO_FORMAT_GLTF}, &err);
    if (document)
        FAIL("opened in spite of %s", rule);
    CHECK_STR(err.rule, rule);
    CHECK_INT(err.code, code);
    if (offset != TRILO_NOWHERE)
        CHECK_INT(err.offset, offset);
    CHECK(err.text[0]);
}

static void text_refused(const char *text, const char *rule, uint64_t offset, trilo_code code)
{
    buffer file = {0};
    gltf_text(&file, text);
    refused(&file, rule, offset, code);
    buffer_free(&file);
}

TEST(text_that_is_refused)
{
    text_refused("", "GLTF-MAGIC", 0, TRILO_CODE_BAD_VALUE);
    text_refused("solid box", "GLTF-MAGIC", 0, TRILO_CODE_BAD_VALUE);
    text_refused("{'asset':{'version':'2.0'},}", "GLTF-JSON", 27, TRILO_CODE_BAD_VALUE);
    text_refused("{'asset':{'version':'2.0'}", "GLTF-JSON", 26, TRILO_CODE_TRUNCATED);
    text_refused("{}", "GLTF-ASSET", 0, TRILO_CODE_BAD_VALUE);
    text_refused("{'asset':{}}", "GLTF-ASSET", 9, TRILO_CODE_BAD_VALUE);
    text_refused("{'asset':{'version':2}}", "GLTF-ASSET", 20, TRILO_CODE_BAD_VALUE);
    text_refused("{'asset':{'version':'two'}}", "GLTF-ASSET", 20, TRILO_CODE_BAD_VALUE);
    text_refused("{'asset':{'version':'1.0'}}", "GLTF-VERSION", 20, TRILO_CODE_UNSUPPORTED);
    text_refused("{'asset':{'version':'3.0'}}", "GLTF-VERSION", 20, TRILO_CODE_UNSUPPORTED);
    text_refused("{'asset':{'version':'9999.0'}}", "GLTF-VERSION", 20, TRILO_CODE_UNSUPPORTED);
    text_refused("{'asset':{'version':'10000.0'}}", "GLTF-ASSET", 20, TRILO_CODE_BAD_VALUE);
    text_refused("{'asset':{'version':'2.1','minVersion':'2.1'}}", "GLTF-VERSION", 39, TRILO_CODE_UNSUPPORTED);
    text_refused("{'asset':{'version':'2.0'},'meshes':{}}", "GLTF-STRUCTURE", 36, TRILO_CODE_BAD_VALUE);
    text_refused("{'asset':{'version':'2.0'},'nodes':[{},7]}", "GLTF-STRUCTURE", 39, TRILO_CODE_BAD_VALUE);
}

TEST(versions_that_are_fine)
{
    static const char *const texts[] = {"{'asset':{'version':'2.0'}}", "{'asset':{'version':'2.1'}}",
                                        "{'asset':{'version':'2.0','minVersion':'2.0'}}"};
    for (size_t i = 0; i < TL_COUNT_OF(texts); i++) {
        buffer file = {0};
        gltf_text(&file, texts[i]);
        trilo_document *document = trilo_document_open(file.data, file.size, NULL, NULL);
        CHECK(document);
        CHECK_INT(trilo_document_version(document), 2);
        trilo_document_free(document);
        buffer_free(&file);
    }
}

/* A byte of the .glb as it should not be. */
static void glb_refused(size_t at, uint32_t value, size_t keep, const char *rule, uint64_t offset, trilo_code code)
{
    buffer file = {0};
    gltf_glb(&file, "{'asset':{'version':'2.0'}} ", no_bin);
    CHECK_INT(file.size, 48);
    if (at != 0)
        buffer_set_u32(&file, at, value);
    file.size = keep;
    refused(&file, rule, offset, code);
    buffer_free(&file);
}

TEST(containers_that_are_refused)
{
    glb_refused(0, 0, 4, "GLTF-TRUNCATED", TRILO_NOWHERE, TRILO_CODE_TRUNCATED);
    glb_refused(0, 0, 11, "GLTF-TRUNCATED", TRILO_NOWHERE, TRILO_CODE_TRUNCATED);
    glb_refused(0, 0, 47, "GLTF-TRUNCATED", 8, TRILO_CODE_TRUNCATED);
    glb_refused(4, 1, 48, "GLTF-VERSION", 4, TRILO_CODE_UNSUPPORTED);
    glb_refused(8, 49, 48, "GLTF-TRUNCATED", 8, TRILO_CODE_TRUNCATED);
    glb_refused(8, 11, 48, "GLTF-CHUNK", 8, TRILO_CODE_BAD_VALUE);
    glb_refused(8, 12, 48, "GLTF-CHUNK", 12, TRILO_CODE_BAD_VALUE);
    glb_refused(12, 29, 48, "GLTF-CHUNK", 12, TRILO_CODE_TRUNCATED);
    glb_refused(12, 0xFFFFFFFF, 48, "GLTF-CHUNK", 12, TRILO_CODE_TRUNCATED);
    glb_refused(12, 24, 48, "GLTF-TRUNCATED", 44, TRILO_CODE_TRUNCATED); /* four bytes are no chunk */
    glb_refused(16, 0x004E4942, 48, "GLTF-CHUNK", 12, TRILO_CODE_BAD_VALUE);
}

TEST(text_in_a_container_has_its_offset)
{
    buffer file = {0};
    gltf_glb(&file, "{'asset':{'version':'2.0'},'nodes':[{},7]}", no_bin);
    refused(&file, "GLTF-STRUCTURE", 20 + 39, TRILO_CODE_BAD_VALUE);
    buffer_free(&file);
}

/* --- limits --- */

TEST(counts_are_limited)
{
    buffer file = {0};
    trilo_error err = {0};
    gltf_text(&file, "{'asset':{'version':'2.0'},'nodes':[{},{},{}]}");
    CHECK(!trilo_document_open(file.data, file.size, &(trilo_load_opts){.limits.count = 2}, &err));
    CHECK_INT(err.code, TRILO_CODE_LIMIT);
    trilo_document *document = trilo_document_open(file.data, file.size, &(trilo_load_opts){.limits.count = 3}, &err);
    CHECK(document);
    trilo_document_free(document);
    buffer_free(&file);
}

/* --- the container, when it is odd --- */

TEST(odd_containers_are_read)
{
    static const char text[] = "{'asset':{'version':'2.0'},'buffers':[{'byteLength':4}]}";
    buffer file = {0};
    listener l;
    gltf_glb(&file, text, (trilo_bytes){(const uint8_t *)"abcd", 4});
    gltf_chunk(&file, 0x12345678, (trilo_bytes){(const uint8_t *)"other", 5});
    listen_to(&file, NULL, &l);
    CHECK_INT(heard(&l, "GLTF-PADDING"), l.count); /* unknown chunks are fine */
    gltf_chunk(&file, GLB_BIN, (trilo_bytes){(const uint8_t *)"more", 4});
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-PADDING", "chunks[3]", "a second buffer");
    buffer_sink(&file, "rest", 4);
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-TRAILING", "", "bytes behind the end");
    buffer_free(&file);
}

TEST(odd_fillers_are_read)
{
    buffer file = {0};
    listener l;
    gltf_glb(&file, "{'asset':{'version':'2.0'}}", no_bin);
    CHECK_INT(file.data[file.size - 1], ' ');
    file.data[file.size - 1] = 0;
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-PADDING", "", "a zero behind the text");
    buffer_set_u32(&file, 12, 27);
    buffer_set_u32(&file, 8, 47);
    file.size = 47;
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-PADDING", "chunks[0]", "27 bytes");
    file.size = 0;
    buffer_sink(&file, "\xEF\xBB\xBF", 3);
    gltf_text(&file, "{'asset':{'version':'2.0'}}");
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-PADDING", "", "a byte order mark");
    buffer_free(&file);
}

/* --- references --- */

TEST(references)
{
    buffer file = {0};
    tl_arena arena;
    bool bad;
    gltf_text(&file, "{'asset':{'version':'2.0'},'nodes':[{'mesh':0,'skin':1,'camera':-1,'x':0.5,'y':'0','z':0.0,"
                     "'extensions':{'E':{'a':1}}}],'meshes':[{}]}");
    tl_arena_init(&arena, NULL);
    const gltf_file *g = tl_gltf_read(&arena, (trilo_bytes){file.data, file.size}, &(trilo_load_opts){0}, NULL);
    CHECK(g);
    const tl_json *node = tl_gltf_item(g, GLTF_NODES, 0);
    CHECK(node && !tl_gltf_item(g, GLTF_NODES, 1) && !tl_gltf_item(g, GLTF_NODES, TRILO_NONE));
    CHECK(tl_gltf_index(g, node, "mesh", GLTF_MESHES, &bad) == 0 && !bad);
    CHECK(tl_gltf_index(g, node, "z", GLTF_MESHES, &bad) == 0 && !bad);
    CHECK(tl_gltf_index(g, node, "skin", GLTF_SKINS, &bad) == TRILO_NONE && bad);
    CHECK(tl_gltf_index(g, node, "camera", GLTF_CAMERAS, &bad) == TRILO_NONE && bad);
    CHECK(tl_gltf_index(g, node, "x", GLTF_MESHES, &bad) == TRILO_NONE && bad);
    CHECK(tl_gltf_index(g, node, "y", GLTF_MESHES, &bad) == TRILO_NONE && bad);
    CHECK(tl_gltf_index(g, node, "none", GLTF_MESHES, &bad) == TRILO_NONE && !bad);
    CHECK(tl_gltf_index(g, NULL, "mesh", GLTF_MESHES, NULL) == TRILO_NONE);
    CHECK(tl_json_number(tl_json_member(tl_gltf_extension(node, "E"), "a"), 0) == 1);
    CHECK(!tl_gltf_extension(node, "F") && !tl_gltf_extension(NULL, "E"));
    CHECK_STR(tl_gltf_array_name(GLTF_BUFFER_VIEWS), "bufferViews");
    CHECK_INT(file.data[tl_gltf_at(g, tl_json_member(node, "mesh"))], '0');
    tl_arena_free(&arena);
    buffer_free(&file);
}

/* --- writing --- */

/* What an encoder hands over becomes a .glb, filled up to multiples of four. */
TEST(encoded_files_are_written)
{
    const gltf_file made = {.binary = true,
                            .json = {(const uint8_t *)"{\"asset\":{\"version\":\"2.0\"}}", 27},
                            .bin = {(const uint8_t *)"abcde", 5}};
    buffer got = {0}, want = {0};
    tl_sink sink = {.fn = buffer_sink, .user = &got};
    tl_gltf_write(&made, &sink);
    gltf_glb(&want, "{'asset':{'version':'2.0'}}", (trilo_bytes){(const uint8_t *)"abcde", 5});
    CHECK(got.size == want.size && memcmp(got.data, want.data, got.size) == 0);
    CHECK_INT(buffer_get_u32(&got, 8), got.size);
    buffer_free(&got);
    buffer_free(&want);
}

TEST(encoded_text_is_written)
{
    gltf_companion sides[] = {{"a.bin", {(const uint8_t *)"x", 1}}, {"b.png", {(const uint8_t *)"yz", 2}}};
    const gltf_file made = {.json = {(const uint8_t *)"{}", 2}, .companion_count = 2, .companions = sides};
    buffer got = {0};
    char name[8];
    trilo_bytes bytes;
    tl_sink sink = {.fn = buffer_sink, .user = &got};
    tl_gltf_write(&made, &sink);
    CHECK(got.size == 2 && memcmp(got.data, "{}", 2) == 0);
    CHECK(tl_gltf_companion(&made, 1, name, sizeof name, &bytes));
    CHECK(strcmp(name, "b.png") == 0 && bytes.size == 2);
    CHECK(!tl_gltf_companion(&made, 2, name, sizeof name, &bytes));
    buffer_free(&got);
}

/* --- listing --- */

typedef struct listing {
    char text[1024];
    size_t length;
} listing;

static void note(listing *l, const char *format, const char *a, const char *b)
{
    const int length = snprintf(l->text + l->length, sizeof l->text - l->length, format, a, b);
    l->length += length > 0 ? (size_t)length : 0;
    CHECK(l->length < sizeof l->text);
}

static void list_begin(void *user, const char *name, uint32_t count, uint64_t offset)
{
    char text[32];
    snprintf(text, sizeof text, "%u@%u", (unsigned)count, (unsigned)offset);
    note(user, "%s[%s ", name ? name : "", text);
}

static void list_end(void *user)
{
    note(user, "%s%s] ", "", "");
}

static void record_begin(void *user, const char *name, uint64_t offset)
{
    (void)offset;
    note(user, "%s{%s ", name ? name : "", "");
}

static void record_end(void *user)
{
    note(user, "%s%s} ", "", "");
}

static void field(void *user, const char *name, const trilo_value *value)
{
    note(user, "%s=%s", name ? name : "", "");
    for (uint32_t i = 0; i < value->count; i++) {
        char text[64] = "";
        if (value->kind == TRILO_VALUE_KIND_TEXT)
            snprintf(text, sizeof text, "%.*s", (int)value->as.blob.size, (const char *)value->as.blob.data);
        else if (value->kind == TRILO_VALUE_KIND_UINT)
            snprintf(text, sizeof text, "u%llu", (unsigned long long)value->as.u[i]);
        else if (value->kind == TRILO_VALUE_KIND_INT)
            snprintf(text, sizeof text, "i%lld", (long long)value->as.i[i]);
        else
            snprintf(text, sizeof text, "f%g", (double)value->as.f[i]);
        note(user, "%s%s ", text, "");
    }
}

TEST(all_values_are_listed)
{
    buffer file = {0};
    listing l = {.length = 0};
    gltf_text(&file, "{'asset':{'version':'2.0'},'a':[1,2],'b':[-1,2],'c':[0.5,2],'d':[],'e':{},'f':[[1],'x'],"
                     "'g':true,'h':null,'i':-1e300,'j':[0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6]}");
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, NULL);
    CHECK(document);
    trilo_document_visit(document, &(trilo_visitor){&l, list_begin, list_end, record_begin, record_end, field});
    CHECK_STR(l.text, "asset{ version=2.0 } a=u1 u2 b=i-1 i2 c=f0.5 f2 d[0@64 ] e{ } f[2@78 =u1 =x ] g=true h=null "
                      "i=f-3.4e+38 j[17@121 =u0 =u1 =u2 =u3 =u4 =u5 =u6 =u7 =u8 =u9 =u0 =u1 =u2 =u3 =u4 =u5 =u6 ] ");
    trilo_document_free(document);
    buffer_free(&file);
}

TEST(sections_of_the_band)
{
    buffer file = {0};
    trilo_section s[8];
    gltf_band(&file, NULL, NULL);
    gltf_chunk(&file, 7, (trilo_bytes){(const uint8_t *)"abcd", 4});
    buffer_sink(&file, "xy", 2);
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, NULL);
    CHECK_INT(trilo_document_sections(document, s, 8), 4);
    CHECK_INT(s[0].size, 12 + 3 * 8);
    CHECK_INT(s[1].size, (strlen(gltf_band_text) + 3) / 4 * 4);
    CHECK_INT(s[2].size, BAND_SIZE);
    CHECK_INT(s[3].size, 4 + 2);
    CHECK_INT(s[0].size + s[1].size + s[2].size + s[3].size, file.size);
    trilo_document_free(document);
    buffer_free(&file);
}

TEST_MAIN(CASE(tables_are_valid), CASE(every_rule_is_written), CASE(reference_is_written), CASE(probing),
          CASE(probing_long_text), CASE(text_that_is_refused), CASE(versions_that_are_fine),
          CASE(containers_that_are_refused), CASE(text_in_a_container_has_its_offset), CASE(counts_are_limited),
          CASE(odd_containers_are_read), CASE(odd_fillers_are_read), CASE(references), CASE(encoded_files_are_written),
          CASE(encoded_text_is_written), CASE(all_values_are_listed), CASE(sections_of_the_band))

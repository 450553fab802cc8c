/* Small files whose records share vertices, indices and keys: counted before they are decoded, refused above the limit.
 */
#include "harness.h"
#include "model/expansion.h"
#include "support/gltf_files.h"
#include "support/model64_files.h"
#include "support/t3dm_files.h"
#include "trilobite/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void text_add(buffer *b, const char *text)
{
    buffer_sink(b, text, strlen(text));
}

/* Opens with `elements` as the limit; returns false when that refuses the file, with the text of the error. */
static bool opens(const buffer *file, uint64_t elements, trilo_error *err)
{
    const trilo_load_opts opts = {.limits.elements = elements};
    *err = (trilo_error){0};
    trilo_document *document = trilo_document_open(file->data, file->size, &opts, err);
    trilo_document_free(document);
    if (!document) {
        CHECK_INT(err->code, TRILO_CODE_LIMIT);
        CHECK_STR(err->rule, "FILE-LIMIT");
    }
    return document != NULL;
}

/* The file has exactly `elements`, above the default limit or not. */
static void check_elements(buffer *file, uint64_t elements, bool above_default)
{
    trilo_error err;
    char wanted[120];
    snprintf(wanted, sizeof wanted, "%zu bytes expand to %llu vertices, indices and keys, the limit is %llu",
             file->size, (unsigned long long)elements, (unsigned long long)elements - 1);
    CHECK(opens(file, elements, &err));
    CHECK(!opens(file, elements - 1, &err));
    CHECK_STR(err.text, wanted);
    CHECK_INT(opens(file, 0, &err), !above_default);
    buffer_free(file);
}

/* Parts of 6 and 2 vertices, each with one more for the search; a list triangle, a sequence triangle, a strip of 7
 * indices and another list triangle, three indices each. */
TEST(a_kite_has_forty_elements)
{
    buffer kite = {0};
    t3dm_places places;
    t3dm_kite(&kite, 4, &places);
    check_elements(&kite, 10 + 3 * 10, false);
}

/* 2^20 elements and 32 for each byte; from 2^58 bytes on, that might not fit into 64 bits, and any number will do. */
TEST(the_default_limit_grows_with_the_file)
{
    static const uint64_t sizes[] = {0, 1, 1000000, (UINT64_C(1) << 58) - 1};
    const trilo_limits none = {0};
    trilo_error err;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint64_t most = ((uint64_t)1 << 20) + 32 * sizes[i];
        CHECK(tl_expansion_fits(&(tl_expansion){most, sizes[i]}, &none, &err));
        CHECK(!tl_expansion_fits(&(tl_expansion){most + 1, sizes[i]}, &none, &err));
    }
    CHECK(tl_expansion_fits(&(tl_expansion){UINT64_MAX, UINT64_C(1) << 58}, &none, &err));
    CHECK(tl_expansion_fits(&(tl_expansion){UINT64_MAX, UINT64_MAX}, &none, &err));
}

TEST(animations_that_share_a_stream_read_it_often)
{
    buffer kite = {0}, stream = {0};
    t3dm_places places;
    trilo_error err;
    t3dm_kite(&kite, 4, &places);
    stream.size = 4 << 20; /* of zeros: broken, but counted */
    stream.data = calloc(1, stream.size);
    CHECK(stream.data);
    const trilo_load_opts opts = {.limits.elements = (1 << 20) + 39,
                                  .companion = t3dm_kite_companion,
                                  .companion_user = &stream,
                                  .name = "kite.t3dm"};
    trilo_document *document = trilo_document_open(kite.data, kite.size, &opts, &err);
    CHECK(!document && err.code == TRILO_CODE_LIMIT);
    trilo_load_opts more = opts;
    more.limits.elements++;
    document = trilo_document_open(kite.data, kite.size, &more, &err);
    CHECK(document);
    trilo_document_free(document);
    buffer_free(&kite);
    buffer_free(&stream);
}

TEST(frames_of_a_model)
{
    buffer pennant = {0};
    trilo_error err;
    model64_pennant(&pennant);
    CHECK(opens(&pennant, 0, &err));
    CHECK(opens(&pennant, 200, &err));
    CHECK(!opens(&pennant, 20, &err)); /* 4 triangles alone have 12 indices, and 3 blocks move the vertices */
    buffer_free(&pennant);
}

/* --- glTF --- */

/* An accessor of `count` vertices without bytes: zeros. */
static void gltf_zeros(buffer *text, uint32_t count)
{
    char line[160];
    snprintf(line, sizeof line,
             "'accessors':[{'componentType':5126,'count':%u,'type':'VEC3','min':[0,0,0],'max':[0,0,0]}]",
             (unsigned)count);
    text_add(text, line);
}

static void gltf_finish(buffer *text, buffer *file)
{
    buffer_sink(text, "", 1);
    gltf_text(file, (const char *)text->data);
    buffer_free(text);
}

TEST(primitives_share_an_accessor)
{
    buffer text = {0}, file = {0};
    text_add(&text, "{'asset':{'version':'2.0'},'nodes':[{'mesh':0}],'meshes':[{'primitives':[");
    for (int i = 0; i < 1000; i++)
        text_add(&text, i == 0 ? "{'attributes':{'POSITION':0}}" : ",{'attributes':{'POSITION':0}}");
    text_add(&text, "]}],");
    gltf_zeros(&text, 3000);
    text_add(&text, "}");
    gltf_finish(&text, &file);
    check_elements(&file, 1000 * (3000 + 3000), true);
}

TEST(nodes_share_a_mesh)
{
    buffer text = {0}, file = {0};
    text_add(&text, "{'asset':{'version':'2.0'},'nodes':[{'mesh':0}");
    for (int i = 1; i < 2000; i++)
        text_add(&text, ",{'mesh':0}");
    text_add(&text, "],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],");
    gltf_zeros(&text, 900);
    text_add(&text, "}");
    gltf_finish(&text, &file);
    check_elements(&file, 2000 * (900 + 900), true);
}

/* 1500 triangles of a fan are 4500 indices; 4000 instances draw them. */
TEST(instances_share_a_fan)
{
    buffer text = {0}, file = {0};
    text_add(&text, "{'asset':{'version':'2.0'},'extensionsUsed':['EXT_mesh_gpu_instancing'],'nodes':[{'mesh':0,"
                    "'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{'TRANSLATION':1}}}}],"
                    "'meshes':[{'primitives':[{'mode':6,'attributes':{'POSITION':0}}]}],"
                    "'accessors':[{'componentType':5126,'count':1502,'type':'VEC3','min':[0,0,0],'max':[0,0,0]},"
                    "{'componentType':5126,'count':4000,'type':'VEC3'}]}");
    gltf_finish(&text, &file);
    check_elements(&file, 4000ull * (3 * 1502 + 1502), true);
}

/* The band, its target moved by a spline for a million seconds: sixty times a second four vertices. Otherwise
 * it has 6 indices, 4 vertices with a displacement, 2 keys of the rotation and 2 of the weights. */
TEST(a_spline_that_lasts_for_days)
{
    buffer file = {0}, bin = {0};
    gltf_band_bytes(&bin);
    buffer_set_f32(&bin, BAND_TIMES, 1e5f);
    buffer_set_f32(&bin, BAND_TIMES + 4, 1.1e6f);
    char *slow =
        gltf_replaced(gltf_band_text, "'output':8,'interpolation':'STEP'", "'output':8,'interpolation':'CUBICSPLINE'");
    gltf_glb(&file, slow, (trilo_bytes){bin.data, bin.size});
    free(slow);
    buffer_free(&bin);
    check_elements(&file, 6 + 2 * 4 + 2 + 2 + 4ull * (60ull * 1000000 + 2 * 2), true);
}

TEST_MAIN(CASE(a_kite_has_forty_elements), CASE(animations_that_share_a_stream_read_it_often), CASE(frames_of_a_model),
          CASE(the_default_limit_grows_with_the_file), CASE(primitives_share_an_accessor), CASE(nodes_share_a_mesh),
          CASE(instances_share_a_fan), CASE(a_spline_that_lasts_for_days))

/* The N64 state of a material in a glTF file, extras.trilobite_n64 (docs/formats/gltf.md): the whole text that is
 * written, and every field that is read, at its limits and beyond. */
#include "support/gltf_draft.h"
#include "support/gltf_written.h"

/* --- writing --- */

TEST(the_whole_state_is_written)
{
    static const uint8_t raw[] = {0x01, 0x9A, 0xFF, 0x00, 0xB7};
    leaf l;
    written w;
    leaf_fill(&l);
    leaf_use_material(&l);
    l.n64 = (trilo_n64_material){.combiner = 0xFEDCBA9876543210,
                                 .other_mode = 0xA123456789BCDEF0,
                                 .other_mask = 0xB0000000000000CD,
                                 .blender = 0xC0504342,
                                 .draw_flags = 0xFFFFFFFE,
                                 .fog = 2,
                                 .set_flags = 5,
                                 .vertex_effect = 4,
                                 .prim = {255, 128, 7, 254},
                                 .env = {1, 2, 3, 4},
                                 .blend = {5, 6, 77, 8},
                                 .engine_flags = 3,
                                 .k4 = 10,
                                 .k5 = 11,
                                 .prim_lod = 12,
                                 .fog_blender = 0xD1234567,
                                 .prim_z = -32768,
                                 .prim_delta_z = 32767,
                                 .z_offset = -5};
    l.n64.tiles[0] = (trilo_n64_tile){.reference = 9,
                                      .texture = TRILO_NONE,
                                      .width = 96,
                                      .height = 32,
                                      .s = {0.25f, 95.5f, 7, -1, true, false},
                                      .t = {-3, 8.5f, 5, 2, false, true}};
    l.n64.tiles[1] = (trilo_n64_tile){.texture = TRILO_NONE, .width = 65535, .height = 1};
    l.material.n64 = &l.n64;
    l.material.raw = (trilo_bytes){raw, sizeof raw};
    write_leaf(&w, &l);
    CHECK_STR(written_raw(&w, "materials/0/extras/trilobite_n64"),
              "{\"raw\":\"019aff00b7\",\"combiner\":\"0xFEDCBA9876543210\",\"otherMode\":\"0xA123456789BCDEF0\","
              "\"otherMask\":\"0xB0000000000000CD\",\"blender\":\"0xC0504342\",\"drawFlags\":4294967294,\"fog\":2,"
              "\"setFlags\":5,\"vertexEffect\":4,\"prim\":[255,128,7,254],\"env\":[1,2,3,4],\"blend\":[5,6,77,8],"
              "\"tiles\":[{\"reference\":9,\"width\":96,\"height\":32,\"s\":{\"low\":0.25,\"high\":95.5,\"mask\":7,"
              "\"shift\":-1,\"mirror\":true,\"clamp\":false},\"t\":{\"low\":-3,\"high\":8.5,\"mask\":5,\"shift\":2,"
              "\"mirror\":false,\"clamp\":true}},{\"reference\":0,\"width\":65535,\"height\":1,\"s\":{\"low\":0,"
              "\"high\":0,\"mask\":0,\"shift\":0,\"mirror\":false,\"clamp\":false},\"t\":{\"low\":0,\"high\":0,"
              "\"mask\":0,\"shift\":0,\"mirror\":false,\"clamp\":false}}],\"engine\":{\"flags\":3,\"k4\":10,\"k5\":11,"
              "\"primLod\":12,\"fogBlender\":\"0xD1234567\",\"primZ\":-32768,\"primDeltaZ\":32767,\"zOffset\":-5}}");
    written_free(&w);
    for (int i = 0; i < 4; i++) { /* each of two fields asks for the engine's */
        l.n64.engine_flags = i & 1 ? 1 : 0;
        l.n64.z_offset = (int16_t)(i & 2 ? -1 : 0);
        write_leaf(&w, &l);
        CHECK((written_at(&w, "materials/0/extras/trilobite_n64/engine") != NULL) == (i > 0));
        written_free(&w);
    }
    l.material.n64 = NULL; /* of unknown layout */
    write_leaf(&w, &l);
    CHECK_STR(written_raw(&w, "materials/0/extras"), "{\"trilobite_n64\":{\"raw\":\"019aff00b7\"}}");
    written_free(&w);
}

/* A texture is named by its path, if it has one; which texture of the file it is comes last. */
TEST(textures_of_tiles)
{
    static const trilo_str paths[] = {{"", 0}, {NULL, 0}, {"rom:/b.sprite", 13}};
    for (uint32_t i = 0; i < 9; i++) {
        leaf l;
        written w;
        leaf_fill(&l);
        leaf_use_material(&l);
        l.texture = (trilo_texture){.path = paths[i / 3]};
        l.model.textures = &l.texture;
        l.model.texture_count = 1;
        l.n64.tiles[0].texture = i % 3 == 1 ? 0 : TRILO_NONE;
        l.n64.tiles[1].texture = i % 3 == 2 ? 0 : TRILO_NONE;
        l.material.n64 = &l.n64;
        write_gltf(&w, &l.model, NULL, NULL, false);
        CHECK(w.ok);
        for (uint32_t k = 0; k < 2; k++) {
            char path[64];
            snprintf(path, sizeof path, "materials/0/extras/trilobite_n64/tiles/%u/path", (unsigned)k);
            if (i / 3 == 2 && i % 3 == k + 1)
                CHECK_STR(written_text(&w, path), "rom:/b.sprite");
            else
                CHECK(!written_at(&w, path));
            snprintf(path, sizeof path, "materials/0/extras/trilobite_n64/tiles/%u/texture", (unsigned)k);
            CHECK(!written_at(&w, path)); /* it has no image */
        }
        written_free(&w);
    }
}

/* A file is a text when its name says so, or the options do. */
TEST(names_of_text_files)
{
    static const struct {
        const char *name;
        bool text;
    } all[] = {{"a.gltf", true},   {"A.GLTF", true}, {".gltf", true},   {"gltf", false}, {"a.glb", false},
               {"a.gltf2", false}, {"agltf", false}, {"x.Gltf", false}, {"", false},     {NULL, false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int k = 0; k < 2; k++) {
            const trilo_gltf_write_opts opts = {.text = k};
            leaf l;
            written w;
            leaf_fill(&l);
            write_gltf(&w, &l.model, &opts, all[i].name, false);
            CHECK(w.ok);
            CHECK((w.file.data[0] == '{') == (k || all[i].text));
            written_free(&w);
        }
}

/* Three bytes are four characters; what is missing of the last three is padding. */
TEST(buffers_in_the_text)
{
    for (uint32_t count = 3; count <= 6; count += 3) {
        const trilo_gltf_write_opts opts = {.text = true};
        leaf l;
        written w;
        leaf_fill(&l);
        l.meshes[0].index_count = count;
        write_gltf(&w, &l.model, &opts, NULL, false);
        const char *uri = written_text(&w, "buffers/0/uri");
        const size_t length = strlen(uri), bytes = (size_t)written_number(&w, "buffers/0/byteLength");
        CHECK_INT(length, strlen("data:application/octet-stream;base64,") + (bytes + 2) / 3 * 4);
        size_t padding = 0;
        while (uri[length - 1 - padding] == '=')
            padding++;
        CHECK_INT(padding, (3 - bytes % 3) % 3);
        trilo_model_free(written_model(&w));
        written_free(&w);
    }
}

/* --- reading --- */

static trilo_n64_material read_state(const char *state)
{
    char rest[2048];
    draft d = zigzag();
    trilo_n64_material found = {.draw_flags = 12345};
    snprintf(rest, sizeof rest,
             ONE_NODE "'materials':[{'extras':{'trilobite_n64':{%s}}}],'meshes':[{'primitives':[{'attributes':"
                      "{'POSITION':0},'mode':5,'material':0}]}]",
             state);
    const trilo_model *model = load(&d, rest);
    if (model->materials[0].n64)
        found = *model->materials[0].n64;
    done(&d, model);
    return found;
}

TEST(words_that_are_read)
{
    static const struct {
        const char *text;
        uint64_t value;
    } all[] = {{"0xFEDCBA9876543210", 0xFEDCBA9876543210},
               {"0xfedcba9876543210", 0xFEDCBA9876543210},
               {"0x7", 7},
               {"0x", 0},
               {"0", 0},
               {"1xA", 0},
               {"0yA", 0},
               {"0XA", 0},
               {"0x10000000000000000", 0},
               {"0x1G", 0},
               {"0x1@", 0},
               {"0x/1", 0},
               {"0x:1", 0},
               {"0x1`", 0},
               {"0x1g", 0},
               {"0x9fF", 0x9FF}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char state[256];
        snprintf(state, sizeof state, "'combiner':'%s','otherMode':'0x%d','otherMask':'%s','blender':'%s'", all[i].text,
                 (int)i, all[i].text, all[i].text);
        const trilo_n64_material m = read_state(state);
        CHECK(m.combiner == all[i].value && m.other_mask == all[i].value && m.blender == (uint32_t)all[i].value);
        CHECK(m.other_mode == (i < 10 ? i : 16 + i - 10));
    }
}

/* A number beyond its limits, or that is none, is 0. */
TEST(numbers_that_are_read)
{
    static const struct {
        const char *text;
        double number;
    } all[] = {{"0", 0},
               {"1", 1},
               {"127", 127},
               {"128", 128},
               {"-128", -128},
               {"-129", -129},
               {"255", 255},
               {"256", 256},
               {"32767", 32767},
               {"32768", 32768},
               {"-32768", -32768},
               {"-32769", -32769},
               {"65535", 65535},
               {"65536", 65536},
               {"4294967295", 4294967295.0},
               {"4294967296", 4294967296.0},
               {"-1", -1}};
#define IN(low, high) (number >= (low) && number <= (high) ? number : 0)
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char state[1024];
        const char *t = all[i].text;
        const double number = all[i].number;
        snprintf(
            state, sizeof state,
            "'combiner':'0x1','drawFlags':%s,'fog':%s,'setFlags':%s,'vertexEffect':%s,'engine':{'flags':%s,'k4':%s,"
            "'k5':%s,'primLod':%s,'fogBlender':'0x7','primZ':%s,'primDeltaZ':%s,'zOffset':%s},'tiles':[{"
            "'reference':%s,'width':%s,'height':5,'s':{'low':%s,'high':2,'mask':%s,'shift':1},'t':{'low':3,"
            "'high':%s,'mask':2,'shift':%s,'clamp':true}},{'height':%s,'s':{'mirror':true}},{'height':9}]",
            t, t, t, t, t, t, t, t, t, t, t, t, t, t, t, t, t, t);
        const trilo_n64_material m = read_state(state);
        CHECK(m.draw_flags == IN(0, 4294967295.0));
        CHECK(m.fog == IN(0, 255) && m.set_flags == IN(0, 255) && m.vertex_effect == IN(0, 255));
        CHECK(m.engine_flags == IN(0, 255) && m.k4 == IN(0, 255) && m.k5 == IN(0, 255) && m.prim_lod == IN(0, 255));
        CHECK_INT(m.fog_blender, 7);
        CHECK(m.prim_z == IN(-32768, 32767) && m.prim_delta_z == IN(-32768, 32767));
        CHECK(m.z_offset == IN(-32768, 32767));
        const trilo_n64_tile *a = &m.tiles[0], *b = &m.tiles[1];
        CHECK(a->reference == IN(0, 4294967295.0) && a->width == IN(0, 65535) && a->height == 5);
        CHECK(a->s.low == (float)number && a->s.high == 2 && a->s.mask == IN(-128, 127) && a->s.shift == 1);
        CHECK(a->t.low == 3 && a->t.high == (float)number && a->t.mask == 2 && a->t.shift == IN(-128, 127));
        CHECK(!a->s.clamp && !a->s.mirror && a->t.clamp && !a->t.mirror);
        CHECK(b->reference == 0 && b->width == 0 && b->height == IN(0, 65535) && b->s.mirror && !b->s.clamp);
        CHECK(a->texture == TRILO_NONE && b->texture == TRILO_NONE);
    }
#undef IN
}

TEST(colours_that_are_read)
{
    const trilo_n64_material m =
        read_state("'combiner':'0x1','prim':[-1,0,255,256],'env':[1,2,3,254],'blend':[1.75,1e9,-1e9,0.5]");
    static const uint8_t prim[4] = {0, 0, 255, 255}, env[4] = {1, 2, 3, 254}, blend[4] = {1, 255, 0, 0};
    CHECK(memcmp(m.prim, prim, 4) == 0 && memcmp(m.env, env, 4) == 0 && memcmp(m.blend, blend, 4) == 0);
    const trilo_n64_material n = read_state("'combiner':'0x1','prim':[1,2,3],'env':[1,2,3,4,5],'blend':7");
    for (int i = 0; i < 4; i++)
        CHECK(n.prim[i] == 0 && n.env[i] == 0 && n.blend[i] == 0);
    const trilo_n64_material none = read_state("'combiner':'0x1'");
    CHECK(none.tiles[0].texture == TRILO_NONE && none.tiles[1].texture == TRILO_NONE && none.draw_flags == 0);
}

/* Bytes of unknown layout come without a state. */
TEST(bytes_that_are_read)
{
    static const struct {
        const char *raw;
        size_t size;
        const char *bytes;
    } all[] = {{"", 0, ""},   {"0", 0, ""},  {"7f", 1, "\x7F"}, {"7fA", 1, "\x7F"}, {"7fA0", 2, "\x7F\xA0"},
               {"7g", 0, ""}, {"g7", 0, ""}, {"01g2", 0, ""},   {"012g", 0, ""},    {"0a1b2c", 3, "\x0A\x1B\x2C"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int k = 0; k < 2; k++) {
            char rest[512];
            draft d = zigzag();
            snprintf(rest, sizeof rest,
                     ONE_NODE "'materials':[{'extras':{'trilobite_n64':{'raw':'%s'%s}}}],'meshes':[{'primitives':["
                              "{'attributes':{'POSITION':0},'mode':5,'material':0}]}]",
                     all[i].raw, k ? ",'combiner':'0x5'" : "");
            const trilo_model *model = load(&d, rest);
            const trilo_material *material = &model->materials[0];
            CHECK_INT(material->raw.size, all[i].size);
            CHECK(all[i].size == 0 || memcmp(material->raw.data, all[i].bytes, all[i].size) == 0);
            CHECK((material->n64 != NULL) == (k || all[i].size == 0));
            if (material->n64)
                CHECK_INT(material->n64->combiner, k ? 5 : 0);
            done(&d, model);
        }
}

TEST_MAIN(CASE(the_whole_state_is_written), CASE(textures_of_tiles), CASE(names_of_text_files),
          CASE(buffers_in_the_text), CASE(words_that_are_read), CASE(numbers_that_are_read),
          CASE(colours_that_are_read), CASE(bytes_that_are_read))

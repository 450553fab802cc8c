/* Odd glTF files: values at the ends of their ranges, and what the check would have refused. */
#include "formats/gltf/decode/decode.h"
#include "support/gltf_draft.h"

/* --- the state of a material, at the ends of its ranges --- */

static trilo_n64_material n64_of(const char *members)
{
    static char rest[TEXT_ROOM];
    draft d = zigzag();
    snprintf(rest, sizeof rest, ONE_NODE "'materials':[{'extras':{'trilobite_n64':{%s}}}]," RIBBON, members);
    const trilo_model *model = load(&d, rest);
    CHECK(model->materials[0].n64 != NULL);
    const trilo_n64_material n64 = *model->materials[0].n64;
    done(&d, model);
    return n64;
}

TEST(hexadecimal_state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } all[] = {{"0x0", 0},
               {"0xF", 15},
               {"0x123456789abcdefA", 0x123456789ABCDEFA},
               {"0xFFFFFFFFFFFFFFFF", UINT64_MAX},
               {"0x0FFFFFFFFFFFFFFFF", 0}, /* a digit too many */
               {"0x", 0},
               {"0", 0},
               {"1x12", 0},
               {"0y12", 0},
               {"0x1g", 0},
               {"0xg1", 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char members[256];
        snprintf(members, sizeof members, "'combiner':'%s','otherMode':'%s','otherMask':'%s'", all[i].text, all[i].text,
                 all[i].text);
        const trilo_n64_material n = n64_of(members);
        CHECK(n.combiner == all[i].value && n.other_mode == all[i].value && n.other_mask == all[i].value);
    }
    CHECK_INT(n64_of("'combiner':291").combiner, 0); /* a number is no text */
}

/* One more than the most, or one less than the least, is 0. */
TEST(whole_numbers_of_the_state)
{
    for (int over = 0; over < 2; over++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "'combiner':'0x1','fog':%d,'setFlags':%d,'vertexEffect':%d,'drawFlags':%s,'engine':{'flags':%d,'k4':%d,"
            "'k5':%d,'primLod':%d,'fogBlender':'0x12345678','primZ':%d,'primDeltaZ':%d,'zOffset':%d},'tiles':["
            "{'width':%d,'height':%d,'reference':%s,'s':{'mask':%d,'shift':%d},'t':{'mask':%d,'shift':%d}}]",
            255 + over, 255 + over, 255 + over, over ? "4294967296" : "4294967295", 255 + over, 255 + over, 255 + over,
            255 + over, 32767 + over, -32768 - over, 32767 + over, 65535 + over, 65535 + over,
            over ? "4294967296" : "4294967295", 127 + over, -128 - over, -128 - over, 127 + over);
        const trilo_n64_material n = n64_of(text);
        const trilo_n64_tile *t = &n.tiles[0];
        const int byte = over ? 0 : 255, most = over ? 0 : 32767, least = over ? 0 : -32768;
        CHECK(n.fog == byte && n.set_flags == byte && n.vertex_effect == byte && n.engine_flags == byte);
        CHECK(n.k4 == byte && n.k5 == byte && n.prim_lod == byte && n.fog_blender == 0x12345678);
        CHECK(n.prim_z == most && n.prim_delta_z == least && n.z_offset == most);
        CHECK_INT(n.draw_flags, over ? 0 : UINT32_MAX);
        CHECK_INT(t->reference, over ? 0 : UINT32_MAX);
        CHECK_INT(t->width, over ? 0 : 65535);
        CHECK_INT(t->height, over ? 0 : 65535);
        CHECK(t->s.mask == (over ? 0 : 127) && t->s.shift == (over ? 0 : -128));
        CHECK(t->t.mask == (over ? 0 : -128) && t->t.shift == (over ? 0 : 127));
        CHECK(n.tiles[1].texture == TRILO_NONE && n.tiles[1].width == 0);
    }
}

TEST(colours_of_the_state)
{
    trilo_n64_material n = n64_of("'prim':[-1,0,1,254.9],'env':[255,256,1e300,254],'blend':[1,2,3]");
    CHECK(memcmp(n.prim, "\0\0\1\376", 4) == 0);
    CHECK(memcmp(n.env, "\377\377\377\376", 4) == 0);
    CHECK(memcmp(n.blend, "\0\0\0\0", 4) == 0); /* without the fourth it is no colour */
}

TEST(raw_bytes_of_the_state)
{
    static const struct {
        const char *text;
        size_t size;
        uint8_t bytes[3];
    } all[] = {{"", 0, {0}},    {"0123fE", 3, {1, 0x23, 0xFE}}, {"012", 1, {1}}, {"01g3", 0, {0}}, {"013g", 0, {0}},
               {"g123", 0, {0}}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char rest[1024];
        draft d = zigzag();
        snprintf(rest, sizeof rest, ONE_NODE "'materials':[{'extras':{'trilobite_n64':{'raw':'%s'}}}]," RIBBON,
                 all[i].text);
        const trilo_model *model = load(&d, rest);
        const trilo_material *m = &model->materials[0];
        CHECK_INT(m->raw.size, all[i].size);
        CHECK(all[i].size == 0 || memcmp(m->raw.data, all[i].bytes, all[i].size) == 0);
        CHECK_INT(m->n64 == NULL, all[i].size > 0); /* bytes alone are of an unknown layout */
        done(&d, model);
    }
}

/* --- text that is left out --- */

TEST(members_that_are_not_kept)
{
    static const char *const texts[][2] = {
        {"{'KHR_lights_punctual':{'light':0}}", ""},
        {"{'KHR_lights_punctual':{'light':0},'A':1}", "{\"A\":1}"},
        {"{'A':1,'KHR_lights_punctual':{'light':0}}", "{\"A\":1}"},
        {"{ 'A' : [1] , 'KHR_lights_punctual':{'light':0} , 'B' : 'x,y' , 'C':null }",
         "{\"A\" : [1],\"B\" : \"x,y\",\"C\":null}"},
        {"{'A':1}", "{\"A\":1}"},
        {"{}", "{}"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char rest[1024];
        draft d = zigzag();
        snprintf(rest, sizeof rest,
                 "'extensionsUsed':['KHR_lights_punctual','A','B','C'],'extensions':{'KHR_lights_punctual':"
                 "{'lights':[{'type':'point'}]}},'nodes':[{'mesh':0,'extensions':%s}],'scenes':[{'nodes':[0]}]," RIBBON,
                 texts[i][0]);
        const trilo_model *model = load(&d, rest);
        CHECK_STR(model->nodes[0].extras.extensions.data, texts[i][1]);
        CHECK_INT(model->nodes[0].extras.extensions.len, strlen(texts[i][1]));
        CHECK_STR(model->extras.extensions.data, "");
        done(&d, model);
    }
}

/* --- vertices that are picked --- */

/* Twelve vertices, vertex i at i, 0, 0, of which three are drawn; sparse values replace those of 3 and 9. */
TEST(picked_vertices_of_sparse_accessors)
{
    draft d = {0};
    put(&d, "VEC3", F32, (const double[]){0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4,  0, 0, 5,  0, 0,
                                          6, 0, 0, 7, 0, 0, 8, 0, 0, 9, 0, 0, 10, 0, 0, 11, 0, 0},
        12, ",'sparse':{'count':2,'indices':{'bufferView':1,'componentType':5121},'values':{'bufferView':2}}");
    PUT(&d, "SCALAR", U8, 2, 3, 9);
    PUT(&d, "VEC3", F32, 2, 30, 1, 2, 90, 3, 4);
    PUT(&d, "SCALAR", U8, 3, 9, 3, 5);
    PUT(&d, "VEC3", U8, 12, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
        25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35);
    bool ok;
    tl_arena arena;
    const trilo_model *model = decode_unchecked(
        &d, ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'COLOR_0':4},'indices':3}]}]", &arena, &ok,
        NULL);
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK(ok);
    CHECK_INT(mesh->vertex_count, 3);
    CHECK_INDICES(mesh, 2, 0, 1);
    CHECK_FLOATS(mesh->positions[0], 0, 30, 1, 2, 5, 0, 0, 90, 3, 4);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_NEAR(mesh->colors[i][3], 1, 0); /* a colour without alpha */
    CHECK(mesh->colors[0][0] < mesh->colors[1][0] && mesh->colors[1][0] < mesh->colors[2][0]);
    undo(&d, &arena);
}

/* --- vertices that targets move --- */

/* Five vertices, so that one is left over by loops over two or four; the third has a normal of no length. Positions of
 * targets are taken as they are, normals are always parts of 127. */
TEST(targets_of_integers)
{
    static const double base[15] = {0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0.6, 0.8};
    static const double moves[15] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -15};
    static const double turns[15] = {127, 0, 0, 0, -127, 127, 0, 0, 0, 0, 127, 0, -127, 127, 127};
    draft d = {0};
    bool ok;
    tl_arena arena;
    PUT(&d, "VEC3", F32, 5, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 2, 2);
    put(&d, "VEC3", F32, base, 5, "");
    put(&d, "VEC3", S16, moves, 5, "");
    put(&d, "VEC3", S8, turns, 5, "");
    const trilo_model *model = decode_unchecked(
        &d,
        ONE_NODE "'meshes':[{'weights':[0.5,0.25],'primitives':[{'attributes':{'POSITION':0,'NORMAL':1},"
                 "'mode':3,'targets':[{'POSITION':2,'NORMAL':3},{'POSITION':2}]}]}]",
        &arena, &ok, NULL);
    CHECK(ok && model->mesh_count == 1 && model->meshes[0].vertex_count == 5);
    static const float corners[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 2, 2};
    for (int i = 0; i < 15; i++)
        CHECK(model->meshes[0].positions[i / 3][i % 3] == corners[i] + (float)(0.75 * moves[i]));
    for (int v = 0; v < 5; v++) {
        double sum[3], length = 0;
        for (int k = 0; k < 3; k++) {
            sum[k] = base[3 * v + k] + 0.5 * turns[3 * v + k] / 127;
            length += sum[k] * sum[k];
        }
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(model->meshes[0].normals[v][k], length > 0 ? sum[k] / sqrt(length) : 0, 2e-7);
    }
    undo(&d, &arena);
}

/* --- files that were not checked --- */

static bool unfit(const char *samplers, const char *path)
{
    draft d = {0};
    bool ok;
    tl_arena arena;
    char rest[1024];
    PUT(&d, "SCALAR", F32, 2, 0, 1);
    PUT(&d, "VEC3", F32, 2, 1, 2, 3, 4, 5, 6);
    PUT(&d, "VEC4", F32, 2, 0, 0, 0, 1, 0, 0, 1, 0);
    PUT(&d, "VEC3", F32, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    PUT(&d, "MAT4", F32, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
        12, 13, 14, 15, 16);
    PUT(&d, "VEC3", F32, 6, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    snprintf(rest, sizeof rest,
             "'nodes':[{}],'animations':[{'samplers':[%s],'channels':[{'sampler':0,'target':{'node':0,'path':'%s'}}]}]",
             samplers, path);
    const trilo_model *model = decode_unchecked(&d, rest, &arena, &ok, NULL);
    CHECK(ok);
    const bool none = model->clip_count == 0;
    undo(&d, &arena);
    return none;
}

TEST(keyframes_that_do_not_fit_are_left_out)
{
    CHECK(!unfit("{'input':0,'output':1}", "translation"));
    CHECK(!unfit("{'input':0,'output':2}", "rotation"));
    CHECK(!unfit("{'input':0,'output':1}", "scale"));
    CHECK(!unfit("{'input':0,'output':5,'interpolation':'CUBICSPLINE'}", "scale"));
    CHECK(unfit("{'input':0,'output':1,'interpolation':'CUBICSPLINE'}", "scale"));
    CHECK(unfit("{'input':0,'output':5,'interpolation':'STEP'}", "scale"));
    CHECK(unfit("{'input':0,'output':1}", "rotation"));
    CHECK(unfit("{'input':0,'output':2}", "translation"));
    CHECK(unfit("{'input':0,'output':3}", "translation"));
    CHECK(unfit("{'input':1,'output':1}", "translation"));
    CHECK(unfit("{'input':0,'output':4}", "translation"));
    CHECK(unfit("{'input':0,'output':9}", "translation"));
    CHECK(unfit("{'input':9,'output':1}", "translation"));
    CHECK(unfit("{'output':1}", "translation"));
    CHECK(unfit("{'input':0}", "translation"));
    CHECK(unfit("", "translation"));
    CHECK(unfit("{'input':0,'output':1}", "weights")); /* the node has no mesh */
    CHECK(unfit("{'input':0,'output':1}", "other"));
}

/* A keyframe that is not later than the one before goes with its value, and with both tangents of a curve. */
TEST(keyframes_out_of_order_are_dropped)
{
    for (uint32_t parts = 1; parts <= 3; parts += 2) {
        draft d = flower();
        bool ok;
        tl_arena arena;
        char rest[1024];
        double values[4 * 3 * 3];
        for (uint32_t i = 0; i < 4 * parts * 3; i++)
            values[i] = i;
        PUT(&d, "SCALAR", F32, 4, 0, 1, 1, 2);
        put(&d, "VEC3", F32, values, 4 * (size_t)parts, "");
        snprintf(rest, sizeof rest,
                 ONE_NODE FLOWER ",'animations':[{'samplers':[{'input':5,'output':6,'interpolation':'%s'}],"
                                 "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}]",
                 parts == 3 ? "CUBICSPLINE" : "LINEAR");
        const trilo_model *model = decode_unchecked(&d, rest, &arena, &ok, NULL);
        CHECK(ok);
        CHECK_INT(model->clip_count, 1);
        const trilo_channel *c = &model->clips[0].channels[0];
        CHECK_INT(c->key_count, 3);
        CHECK(c->times[0] == 0 && c->times[1] == 1 && c->times[2] == 2);
        for (uint32_t i = 0; i < 3 * parts * 3; i++)
            CHECK_NEAR(c->values[i], i < 2 * parts * 3 ? i : i + parts * 3, 0);
        undo(&d, &arena);
    }
}

/* The flower has two targets. Of missing weights there is nothing, and of a third one nothing is left. */
TEST(weights_for_fewer_or_more_targets)
{
    for (uint32_t width = 1; width <= 3; width++)
        for (int cubic = 0; cubic < 2; cubic++) {
            draft d = flower();
            bool ok;
            tl_arena arena;
            char rest[1024];
            double values[2 * 3 * 3] = {0};
            for (uint32_t k = 0; k < 2; k++)
                for (uint32_t i = 0; i < width; i++)
                    values[cubic ? (3 * k + 1) * width + i : k * width + i] = (k + 1) * (i + 1) * 0.25;
            PUT(&d, "SCALAR", F32, 2, 0, 1 / 128.0); /* less than a sixtieth of a second apart */
            put(&d, "SCALAR", F32, values, (size_t)(cubic ? 6 : 2) * width, "");
            snprintf(rest, sizeof rest,
                     ONE_NODE FLOWER ",'animations':[{'samplers':[{'input':5,'output':6,'interpolation':'%s'}],"
                                     "'channels':[{'sampler':0,'target':{'node':0,'path':'weights'}}]}]",
                     cubic ? "CUBICSPLINE" : "LINEAR");
            const trilo_model *model = decode_unchecked(&d, rest, &arena, &ok, NULL);
            CHECK(ok);
            CHECK_INT(model->clip_count, 1);
            const trilo_track *track = &model->clips[0].tracks[0];
            CHECK_INT(track->frame_count, 2);
            for (uint32_t k = 0; k < 2; k++) {
                const double first = 0.25 * (k + 1), second = width > 1 ? 0.5 * (k + 1) : 0;
                CHECK_FLOATS(track->frames[k].positions[0], 0, first, 2 * second, 0, 1, 0, 0, 0, 1, 4 * second);
            }
            undo(&d, &arena);
        }
}

TEST(weights_at_rest_for_fewer_or_more_targets)
{
    static const char *const lists[] = {"0.25", "0.25,0.5", "0.25,0.5,0.75"};
    for (uint32_t i = 0; i < 3; i++) {
        draft d = flower();
        bool ok;
        tl_arena arena;
        char rest[512];
        snprintf(rest, sizeof rest, "'nodes':[{'mesh':0,'weights':[%s]}]," FLOWER, lists[i]);
        const trilo_model *model = decode_unchecked(&d, rest, &arena, &ok, NULL);
        CHECK(ok);
        const double second = i > 0 ? 0.5 : 0;
        CHECK_FLOATS(model->meshes[0].positions[0], 0, 0.25, 2 * second, 0, 1, 0, 0, 0, 1, 4 * second);
        undo(&d, &arena);
    }
}

/* Two vertices that one target moves are the work of two. */
TEST(work_of_targets_up_to_its_limit)
{
    static const float base[2][3] = {{1, 2, 3}, {4, 5, 6}}, moves[2][3] = {{1, 0, 0}, {0, 1, 0}}, weights[1] = {0.5f};
    const gltf_morph_target target = {.positions = moves};
    gltf_weighted_delta weighted[1];
    const float(*positions)[3], (*normals)[3];
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    gltf_decoder d = {.arena = &arena, .morph_work = (UINT64_C(1) << 32) - 2};
    gltf_primitive p = {
        .mesh = {.vertex_count = 2, .positions = base}, .target_count = 1, .deltas = &target, .weighted = weighted};
    CHECK(tl_gltf_morph(&d, &p, weights, &positions, &normals));
    CHECK_FLOATS(positions[0], 0, 1.5, 2, 3, 4, 5.5, 6);
    CHECK(normals == NULL);
    tl_arena_free(&arena);
}

/* Five weights are none for two keys, and neither are pairs of them. */
TEST(weights_that_do_not_fit_are_left_out)
{
    for (int i = 0; i < 2; i++) {
        draft d = flower();
        bool ok;
        tl_arena arena;
        PUT(&d, "SCALAR", F32, 2, 0, 1);
        if (i == 0)
            PUT(&d, "SCALAR", F32, 5, 0, 1, 2, 3, 4);
        else
            PUT(&d, "VEC2", F32, 2, 0, 1, 2, 3);
        const trilo_model *model =
            decode_unchecked(&d,
                             ONE_NODE FLOWER ",'animations':[{'samplers':[{'input':5,'output':6}],"
                                             "'channels':[{'sampler':0,'target':{'node':0,'path':'weights'}}]}]",
                             &arena, &ok, NULL);
        CHECK(ok);
        CHECK_INT(model->clip_count, 0);
        undo(&d, &arena);
    }
}

static void check_refused(const char *rest, const char *rule, trilo_code code, const char *text)
{
    draft d = zigzag();
    bool ok;
    tl_arena arena;
    trilo_error err = {0};
    PUT(&d, "SCALAR", F32, 3, 0, 1, 2);
    PUT(&d, "SCALAR", U8, 3, 0, 4, 5);
    PUT(&d, "VEC2", U8, 2, 0, 1, 1, 2);
    decode_unchecked(&d, rest, &arena, &ok, &err);
    CHECK(!ok);
    CHECK_STR(err.rule, rule);
    CHECK_INT(err.code, code);
    CHECK_STR(err.text, text);
    undo(&d, &arena);
}

TEST(what_decoding_refuses_by_itself)
{
#define INDICES(number) ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':" number "}]}]"
    check_refused(INDICES("1"), "GLTF-INDEX", TRILO_CODE_BAD_VALUE, "the indices cannot be read");
    check_refused(INDICES("2"), "GLTF-INDEX", TRILO_CODE_BAD_VALUE, "an index names a vertex that is not there");
    check_refused(INDICES("3"), "GLTF-INDEX", TRILO_CODE_BAD_VALUE, "the indices cannot be read");
    check_refused("'nodes':[{'children':[1]},{'children':[0]}]", "GLTF-CYCLE", TRILO_CODE_BAD_VALUE,
                  "a node is its own ancestor");
    check_refused("'nodes':[{},{'children':[2]},{'children':[1]}]", "GLTF-CYCLE", TRILO_CODE_BAD_VALUE,
                  "a node is its own ancestor");
    check_refused("'nodes':[{}],'skins':[{'joints':[0,1]}]", "GLTF-SKIN", TRILO_CODE_BAD_VALUE,
                  "the joint is not a node of the file");
    check_refused("'nodes':[{}],'skins':[{'joints':['x']}]", "GLTF-SKIN", TRILO_CODE_BAD_VALUE,
                  "the joint is not a node of the file");
}

/* A mode that there is not, positions of two numbers, no positions: nothing to draw. */
TEST(primitives_that_cannot_be_drawn)
{
    static const char *const primitives[] = {"{'attributes':{'POSITION':0},'mode':7}",
                                             "{'attributes':{'POSITION':0},'mode':-1}", "{'attributes':{'POSITION':1}}",
                                             "{'attributes':{}}", "{'attributes':{'POSITION':0},'mode':6}"};
    for (size_t i = 0; i < 5; i++) {
        draft d = zigzag();
        bool ok;
        tl_arena arena;
        char rest[512];
        PUT(&d, "VEC2", F32, 3, 0, 1, 2, 3, 4, 5);
        snprintf(rest, sizeof rest, ONE_NODE "'meshes':[{'primitives':[%s]}]", primitives[i]);
        const trilo_model *model = decode_unchecked(&d, rest, &arena, &ok, NULL);
        CHECK(ok);
        CHECK_INT(model->mesh_count, i == 4);
        undo(&d, &arena);
    }
}

TEST_MAIN(CASE(hexadecimal_state), CASE(whole_numbers_of_the_state), CASE(colours_of_the_state),
          CASE(raw_bytes_of_the_state), CASE(members_that_are_not_kept), CASE(picked_vertices_of_sparse_accessors),
          CASE(targets_of_integers), CASE(keyframes_that_do_not_fit_are_left_out),
          CASE(keyframes_out_of_order_are_dropped), CASE(weights_for_fewer_or_more_targets),
          CASE(weights_at_rest_for_fewer_or_more_targets), CASE(work_of_targets_up_to_its_limit),
          CASE(weights_that_do_not_fit_are_left_out), CASE(what_decoding_refuses_by_itself),
          CASE(primitives_that_cannot_be_drawn))

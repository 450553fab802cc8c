/* Maps and factors of a material: from glTF to glTF they stay, to other formats they are told. */
#include "harness.h"
#include "support/documents.h"
#include "support/findings.h"
#include "support/gltf_files.h"
#include "support/gltf_written.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAINT "'name':'paint'"
#define COLOR "'baseColorTexture':{'index':0}"

/* The band with a material of its own. */
static const trilo_model *load(const char *find, const char *put, listener *l)
{
    buffer file = {0};
    trilo_error err = {0};
    gltf_band(&file, find, put);
    listen_to(&file, NULL, l);
    const trilo_model *model = trilo_model_load(file.data, file.size, NULL, &err);
    if (!model)
        FAIL("%s", err.text);
    buffer_free(&file);
    return model;
}

static const trilo_pbr *pbr_of(const trilo_model *model)
{
    CHECK_INT(model->material_count, 1);
    return model->materials[0].pbr;
}

/* --- from glTF to glTF --- */

static const char all_of_it[] =
    PAINT ",'normalTexture':{'index':0,'scale':0.5},'occlusionTexture':{'index':0,'strength':0.25,'extensions':{"
          "'KHR_texture_transform':{'offset':[0.5,0.125],'rotation':0.75,'scale':[2,3]}}},"
          "'emissiveTexture':{'index':0},'emissiveFactor':[0.5,0.25,1]";

TEST(maps_and_factors_are_read)
{
    listener l;
    const trilo_model *model = load(PAINT, all_of_it, &l);
    const trilo_pbr *pbr = pbr_of(model);
    CHECK(pbr);
    CHECK_INT(heard(&l, "GLTF-LOST-MAPS"), l.count);
    CHECK(pbr->metallic == 0 && pbr->roughness == 1);
    CHECK(pbr->emissive[0] == 0.5f && pbr->emissive[1] == 0.25f && pbr->emissive[2] == 1);
    CHECK(!pbr->maps[TRILO_MAP_KIND_METALLIC_ROUGHNESS].used);
    CHECK(pbr->maps[TRILO_MAP_KIND_NORMAL].used && !pbr->maps[TRILO_MAP_KIND_NORMAL].moved);
    CHECK(pbr->maps[TRILO_MAP_KIND_NORMAL].strength == 0.5f);
    const trilo_map *occlusion = &pbr->maps[TRILO_MAP_KIND_OCCLUSION];
    CHECK(occlusion->used && occlusion->moved && occlusion->strength == 0.25f && occlusion->rotation == 0.75f);
    CHECK(occlusion->offset[0] == 0.5f && occlusion->offset[1] == 0.125f);
    CHECK(occlusion->scale[0] == 2 && occlusion->scale[1] == 3);
    CHECK_INT(model->texture_count, 1);
    trilo_model_free(model);
}

TEST(maps_and_factors_are_written)
{
    listener l;
    written w;
    const trilo_model *model = load(PAINT, all_of_it, &l);
    write_gltf(&w, model, NULL, "band.glb", false);
    CHECK(w.ok);
    CHECK_STR(written_raw(&w, "materials/0/normalTexture"), "{\"index\":0,\"scale\":0.5}");
    CHECK_STR(written_raw(&w, "materials/0/occlusionTexture"),
              "{\"index\":0,\"strength\":0.25,\"extensions\":{\"KHR_texture_transform\":{\"offset\":[0.5,0.125],"
              "\"rotation\":0.75,\"scale\":[2,3]}}}");
    CHECK_STR(written_raw(&w, "materials/0/emissiveTexture"), "{\"index\":0}");
    CHECK_STR(written_raw(&w, "materials/0/emissiveFactor"), "[0.5,0.25,1]");
    CHECK(written_number(&w, "materials/0/pbrMetallicRoughness/metallicFactor") == 0);
    CHECK(strstr(w.text, "\"extensionsUsed\":[\"KHR_texture_transform\"]"));
    written_free(&w);
    trilo_model_free(model);
}

TEST(metal_and_roughness)
{
    listener l;
    written w;
    const trilo_model *model = load("'metallicFactor':0,",
                                    "'metallicRoughnessTexture':{'index':0},'roughnessFactor':"
                                    "0.75,",
                                    &l);
    const trilo_pbr *pbr = pbr_of(model);
    CHECK(pbr && pbr->metallic == 1 && pbr->roughness == 0.75f && pbr->maps[TRILO_MAP_KIND_METALLIC_ROUGHNESS].used);
    write_gltf(&w, model, NULL, "band.glb", false);
    CHECK_STR(written_raw(&w, "materials/0/pbrMetallicRoughness/metallicRoughnessTexture"), "{\"index\":0}");
    CHECK(!written_at(&w, "materials/0/pbrMetallicRoughness/metallicFactor")); /* 1 is what glTF takes without */
    CHECK(written_number(&w, "materials/0/pbrMetallicRoughness/roughnessFactor") == 0.75);
    written_free(&w);
    trilo_model_free(model);
    model = load(NULL, NULL, &l); /* no metal, rough */
    CHECK(!pbr_of(model));
    trilo_model_free(model);
}

/* --- texture coordinates --- */

TEST(a_map_moved_like_the_colour_is_on_the_same_coordinates)
{
    listener l;
    const trilo_model *model =
        load(COLOR "}",
             "'baseColorTexture':{'index':0,'extensions':{'KHR_texture_transform':{'scale':[2,2]}}}},"
             "'normalTexture':{'index':0,'extensions':{'KHR_texture_transform':{'scale':[2,2]}}}",
             &l);
    CHECK_INT(heard(&l, "GLTF-LOST-MAPS"), l.count);
    CHECK(pbr_of(model) && pbr_of(model)->maps[TRILO_MAP_KIND_NORMAL].used);
    CHECK(!pbr_of(model)->maps[TRILO_MAP_KIND_NORMAL].moved);
    CHECK(model->meshes[0].uvs[1][0] == 2);
    trilo_model_free(model);
}

TEST(a_map_on_other_coordinates_is_reported)
{
    static const char *const others[] = {
        /* moved in another way than the colour; of another set; by the transform, too */
        "'baseColorTexture':{'index':0,'extensions':{'KHR_texture_transform':{'scale':[2,2]}}}},"
        "'normalTexture':{'index':0}",
        COLOR "},'normalTexture':{'index':0,'texCoord':1}",
        COLOR "},'normalTexture':{'index':0,'extensions':{'KHR_texture_transform':{'texCoord':1}}}",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        listener l;
        const trilo_model *model = load(COLOR "}", others[i], &l);
        expect(&l, "GLTF-LOST-MAPS", "", others[i]);
        CHECK(!pbr_of(model));
        trilo_model_free(model);
    }
}

TEST(without_a_colour_every_map_goes_its_own_way)
{
    listener l;
    const trilo_model *model = load("'metallicFactor':0," COLOR "}",
                                    "'metallicFactor':0},'occlusionTexture':{'index':0},'normalTexture':{'index':0,"
                                    "'extensions':{'KHR_texture_transform':{'offset':[0.5,0]}}}",
                                    &l);
    CHECK_INT(heard(&l, "GLTF-LOST-MAPS"), l.count);
    const trilo_pbr *pbr = pbr_of(model);
    CHECK(pbr && pbr->maps[TRILO_MAP_KIND_NORMAL].used && pbr->maps[TRILO_MAP_KIND_OCCLUSION].used);
    CHECK(pbr->maps[TRILO_MAP_KIND_NORMAL].moved && pbr->maps[TRILO_MAP_KIND_NORMAL].offset[0] == 0.5f);
    CHECK(!pbr->maps[TRILO_MAP_KIND_OCCLUSION].moved);
    CHECK(model->meshes[0].uvs[0][0] == 0);
    trilo_model_free(model);
}

/* A viewer must not be left without coordinates for a picture: the specification wants them. */
TEST(a_picture_without_coordinates_gets_some)
{
    listener l;
    written w;
    const trilo_model *model = load(",'TEXCOORD_0':9", "", &l);
    CHECK(!model->meshes[0].uvs);
    write_gltf(&w, model, NULL, "band.glb", false);
    CHECK(w.ok);
    for (uint32_t i = 0; i < 8; i++)
        CHECK(written_float(&w, "meshes/0/primitives/0/attributes/TEXCOORD_0", i) == 0);
    written_free(&w);
    trilo_model_free(model);
}

/* So must none of the other maps. */
TEST(a_map_without_coordinates_gets_some)
{
    static const char *const maps[TRILO_MAP_KIND_COUNT] = {
        "'metallicFactor':0,'metallicRoughnessTexture':{'index':0}}", "'metallicFactor':0},'normalTexture':{'index':0}",
        "'metallicFactor':0},'occlusionTexture':{'index':0}", "'metallicFactor':0},'emissiveTexture':{'index':0}"};
    for (int kind = 0; kind < TRILO_MAP_KIND_COUNT; kind++) {
        listener l;
        written w;
        const trilo_model *model = load("'metallicFactor':0," COLOR "}", maps[kind], &l);
        trilo_mesh mesh = model->meshes[0];
        trilo_model bare = *model;
        CHECK(pbr_of(model)->maps[kind].used);
        mesh.uvs = NULL;
        bare.meshes = &mesh;
        bare.mesh_count = 1;
        write_gltf(&w, &bare, NULL, "band.glb", false);
        CHECK(w.ok);
        CHECK(written_float(&w, "meshes/0/primitives/0/attributes/TEXCOORD_0", 0) == 0);
        written_free(&w);
        trilo_model_free(model);
    }
}

/* --- what is not kept --- */

TEST(maps_of_other_kinds_are_reported)
{
    listener l;
    const trilo_model *model = load(PAINT,
                                    PAINT ",'extensions':{'KHR_materials_pbrSpecularGlossiness':{"
                                          "'specularGlossinessTexture':{'index':0}}}",
                                    &l);
    expect(&l, "GLTF-LOST-MAPS", "", "specular");
    CHECK(!pbr_of(model));
    trilo_model_free(model);
}

/* Its diffuse colour is the base colour, so the extension is not said to have no effect, and a file may require it. */
TEST(specular_glossiness_has_an_effect)
{
    buffer bin = {0}, file = {0};
    trilo_error err = {0};
    listener l;
    char *paint = gltf_replaced(gltf_band_text, PAINT,
                                "'extensions':{'KHR_materials_pbrSpecularGlossiness':{'diffuseFactor':[1,0,0,0.5],"
                                "'glossinessFactor':0.25}}");
    char *text = gltf_replaced(paint, "'meshes':",
                               "'extensionsUsed':['KHR_materials_pbrSpecularGlossiness','KHR_materials_sheen'],"
                               "'extensionsRequired':['KHR_materials_pbrSpecularGlossiness'],'meshes':");
    gltf_band_bytes(&bin);
    gltf_glb(&file, text, (trilo_bytes){bin.data, bin.size});
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-EXTENSION", "extensionsUsed[1]", "KHR_materials_sheen");
    const trilo_model *model = trilo_model_load(file.data, file.size, NULL, &err);
    if (!model)
        FAIL("%s", err.text);
    CHECK(model->materials[0].base_color[0] == 1 && model->materials[0].base_color[1] == 0);
    CHECK(model->materials[0].base_color[3] == 0.5f);
    trilo_model_free(model);
    free(text);
    free(paint);
    buffer_free(&bin);
    buffer_free(&file);
}

TEST(tangents_are_reported)
{
    buffer bin = {0}, file = {0};
    listener l;
    char *one = gltf_replaced(gltf_band_text, "'TEXCOORD_0':9", "'TANGENT':10");
    char *text =
        gltf_replaced(one, "'type':'VEC2'}]", "'type':'VEC2'},{'componentType':5126,'count':4,'type':'VEC4'}]");
    gltf_band_bytes(&bin);
    gltf_glb(&file, text, (trilo_bytes){bin.data, bin.size});
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-LOST-TANGENTS", "", "tangents");
    buffer_free(&bin);
    buffer_free(&file);
    free(one);
    free(text);
}

TEST(formats_without_maps_report_them)
{
    static const struct {
        trilo_format format;
        const char *rule;
    } rows[] = {{TRILO_FORMAT_T3DM, "T3DM-LOST-MAPS"},
                {TRILO_FORMAT_NLM, "NLM-LOST-MAPS"},
                {TRILO_FORMAT_MODEL64, "M64-LOST-MAPS"}};
    for (size_t i = 0; i < 2 * (sizeof rows / sizeof *rows); i++) {
        listener l;
        const bool bare = i % 2;
        const trilo_model *model = load(bare ? NULL : PAINT, all_of_it, &l);
        trilo_error err = {0};
        const trilo_write_opts opts = {
            .format = rows[i / 2].format, .companion = discard_companion, .on_finding = listen, .on_finding_user = &l};
        l = (listener){0};
        if (!trilo_model_write(model, &opts, discard, NULL, &err))
            FAIL("%s", err.text);
        if (bare)
            CHECK_INT(heard(&l, rows[i / 2].rule), l.count);
        else {
            expect(&l, rows[i / 2].rule, "materials[0]", rows[i / 2].rule);
            CHECK(strstr(l.texts[heard(&l, rows[i / 2].rule)],
                         "lost: normal map, occlusion map, emissive map, emission"));
        }
        trilo_model_free(model);
    }
}

/* --- the model --- */

TEST(a_copy_has_maps_of_its_own)
{
    listener l;
    const trilo_model *model = load(PAINT, all_of_it, &l);
    const trilo_model *copy = trilo_model_edit(model, NULL, NULL, NULL);
    CHECK(copy && pbr_of(copy) && pbr_of(copy) != pbr_of(model));
    CHECK(memcmp(pbr_of(copy), pbr_of(model), sizeof(trilo_pbr)) == 0);
    trilo_model_free(copy);
    copy = trilo_model_edit(model, &(trilo_model_edit_opts){.drop_textures = true}, NULL, NULL);
    for (int i = 0; i < TRILO_MAP_KIND_COUNT; i++)
        CHECK(!pbr_of(copy)->maps[i].used);
    CHECK(trilo_model_check(copy, NULL));
    trilo_model_free(copy);
    trilo_model_free(model);
}

/* Another picture for the colour is none for the normals. */
TEST(replacing_leaves_maps_alone)
{
    static const uint8_t image[] = {0xFF, 0xD8, 0xFF, 0xE0};
    listener l;
    const trilo_model *model =
        load("'metallicFactor':0," COLOR "}", "'metallicFactor':0},'normalTexture':{'index':0}", &l);
    const trilo_model_edit_opts edit = {
        .replace_texture = {image, sizeof image}, .on_finding = listen, .on_finding_user = &l};
    l = (listener){0};
    const trilo_model *copy = trilo_model_edit(model, &edit, NULL, NULL);
    CHECK(copy && copy->textures[0].bytes.size == model->textures[0].bytes.size);
    CHECK_INT(heard(&l, "MODEL-TEXTURE"), 0);
    trilo_model_free(copy);
    trilo_model_free(model);
    model = load(PAINT, all_of_it, &l); /* it is the colour as well */
    copy = trilo_model_edit(model, &edit, NULL, NULL);
    CHECK(copy && copy->textures[0].bytes.size == sizeof image);
    trilo_model_free(copy);
    trilo_model_free(model);
}

TEST(a_map_that_points_nowhere_is_refused)
{
    leaf l;
    trilo_error err = {0};
    trilo_pbr pbr = {.maps[TRILO_MAP_KIND_NORMAL] = {.texture = 7}};
    leaf_fill(&l);
    leaf_use_material(&l);
    l.material.pbr = &pbr;
    CHECK(trilo_model_check(&l.model, &err)); /* it is not used */
    pbr.maps[TRILO_MAP_KIND_NORMAL].used = true;
    CHECK(!trilo_model_check(&l.model, &err));
    CHECK_STR(err.path, "materials[0].pbr.maps[1].texture");
    l.material.pbr = NULL;
    l.material.n64 = &l.n64;
    l.n64.tiles[0].texture = l.n64.tiles[1].texture = TRILO_NONE;
    CHECK(trilo_model_check(&l.model, &err));
    l.n64.tiles[1].texture = 1;
    CHECK(!trilo_model_check(&l.model, &err));
    CHECK_STR(err.path, "materials[0].n64.tiles[1].texture");
}

TEST_MAIN(CASE(maps_and_factors_are_read), CASE(maps_and_factors_are_written), CASE(metal_and_roughness),
          CASE(a_map_moved_like_the_colour_is_on_the_same_coordinates), CASE(a_map_on_other_coordinates_is_reported),
          CASE(without_a_colour_every_map_goes_its_own_way), CASE(a_picture_without_coordinates_gets_some),
          CASE(a_map_without_coordinates_gets_some), CASE(maps_of_other_kinds_are_reported),
          CASE(specular_glossiness_has_an_effect), CASE(tangents_are_reported), CASE(formats_without_maps_report_them),
          CASE(a_copy_has_maps_of_its_own), CASE(replacing_leaves_maps_alone),
          CASE(a_map_that_points_nowhere_is_refused))

/* Every rule of the check of glTF files fires, and none at real files. */
#include "formats/gltf/gltf.h"
#include "harness.h"
#include "support/fast64_files.h"
#include "support/findings.h"
#include "support/gltf_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(the_band_is_fine)
{
    buffer file = {0};
    listener l;
    gltf_band(&file, NULL, NULL);
    listen_to(&file, NULL, &l);
    if (l.count > 0)
        FAIL("%s %s: %s", l.rules[0], l.paths[0], l.texts[0]);
    buffer_free(&file);
}

/* A piece of the band's text, what to put there, and what must be found. */
typedef struct rule_case {
    const char *find, *put, *rule, *path;
} rule_case;

static const rule_case rule_cases[] = {
    /* extensions */
    {"'scene':0", "'scene':0,'extensionsRequired':['KHR_draco_mesh_compression']", "GLTF-DRACO",
     "extensionsRequired[0]"},
    {"'scene':0", "'scene':0,'extensionsRequired':['KHR_mesh_quantization','VENDOR_x']", "GLTF-REQUIRED",
     "extensionsRequired[1]"},
    {"'scene':0", "'scene':0,'extensionsRequired':['EXT_texture_webp']", "GLTF-IMAGE", "extensionsRequired[0]"},
    {"'scene':0", "'scene':0,'extensionsRequired':['KHR_texture_basisu']", "GLTF-IMAGE", "extensionsRequired[0]"},
    {"'scene':0", "'scene':0,'extensionsRequired':7", "GLTF-STRUCTURE", ""},
    {"'scene':0", "'scene':0,'extensionsUsed':[7]", "GLTF-STRUCTURE", ""},
    {"'scene':0", "'scene':0,'extensionsUsed':['VENDOR_x']", "GLTF-EXTENSION", "extensionsUsed[0]"},
    {"'scene':0", "'scene':0,'extensionsUsed':['FAST64_x','KHR_materials_unlit','KHR_materials_sheen']",
     "GLTF-EXTENSION", "extensionsUsed[2]"},
    /* buffers and views */
    {"'byteLength':300}", "'byteLength':304}", "GLTF-BUFFER", "buffers[0]"},
    {"'byteLength':300}", "'byteLength':-1}", "GLTF-BUFFER", "buffers[0]"},
    {"'buffers':[{'byteLength':300}]", "'buffers':[]", "GLTF-VIEW", "bufferViews[0]"},
    {"'buffer':0,'byteOffset':284,'byteLength':16}],'buffers':[{'byteLength':300}",
     "'buffer':1,'byteOffset':0,'byteLength':16}],'buffers':[{'byteLength':300},{'byteLength':16}", "GLTF-MISSING",
     "buffers[1]"},
    {"'byteLength':300}", "'byteLength':300},{'byteLength':4,'uri':'gone.bin'}", "GLTF-MISSING", "buffers[1]"},
    {"'byteLength':300}", "'byteLength':300},{'byteLength':4,'uri':'../up.bin'}", "GLTF-URI", "buffers[1]"},
    {"'byteLength':300}", "'byteLength':300},{'byteLength':4,'uri':7}", "GLTF-URI", "buffers[1]"},
    {"'byteOffset':284,'byteLength':16", "'byteOffset':285,'byteLength':16", "GLTF-VIEW", "bufferViews[10]"},
    {"'byteOffset':284,'byteLength':16", "'byteOffset':4294967295,'byteLength':16", "GLTF-VIEW", "bufferViews[10]"},
    {"'byteOffset':284,'byteLength':16", "'byteOffset':284", "GLTF-VIEW", "bufferViews[10]"},
    {"{'buffer':0,'byteOffset':284", "{'buffer':1,'byteOffset':284", "GLTF-VIEW", "bufferViews[10]"},
    {"'byteOffset':284,'byteLength':16", "'byteOffset':284,'byteLength':16,'byteStride':'x'", "GLTF-VIEW",
     "bufferViews[10]"},
    {"'byteOffset':48,'byteLength':12", "'byteOffset':48,'byteLength':12,'byteStride':2", "GLTF-STRIDE",
     "bufferViews[1]"},
    {"{'bufferView':8,'componentType':5121}", "{'bufferView':8,'componentType':5126}", "GLTF-ACCESSOR", "accessors[7]"},
    {"'count':6,'type':'SCALAR'", "'count':7,'type':'SCALAR'", "GLTF-ACCESSOR", "accessors[1]"},
    {"{'bufferView':1,'componentType':5123,'count':6", "{'bufferView':1,'byteOffset':1,'componentType':5123,'count':3",
     "GLTF-ALIGNMENT", "accessors[1]"},
    /* references */
    {"'mesh':0,", "'mesh':1,", "GLTF-INDEX", "nodes[0]"},
    {"'skin':0,", "'skin':-1,", "GLTF-INDEX", "nodes[0]"},
    {"'mesh':0,", "'mesh':0,'camera':0,", "GLTF-INDEX", "nodes[0]"},
    {"'mesh':0,", "'mesh':'0',", "GLTF-STRUCTURE", "nodes[0]"},
    {"'children':[2]", "'children':[3]", "GLTF-INDEX", "nodes[1].children[0]"},
    {"'scene':0", "'scene':1", "GLTF-INDEX", ""},
    {"'scenes':[{'nodes':[0,1]}]", "'scenes':[{'nodes':[0,9]}]", "GLTF-INDEX", "scenes[0].nodes[1]"},
    {"'material':0", "'material':1", "GLTF-INDEX", "meshes[0].primitives[0]"},
    {"'indices':1", "'indices':99", "GLTF-INDEX", "meshes[0].primitives[0]"},
    {"'POSITION':0", "'POSITION':10", "GLTF-INDEX", "meshes[0].primitives[0].attributes.POSITION"},
    {"'source':0", "'source':1", "GLTF-INDEX", "textures[0]"},
    {"'sampler':0}]", "'sampler':1}]", "GLTF-INDEX", "textures[0]"},
    {"{'index':0}", "{'index':1}", "GLTF-INDEX", "materials[0].baseColorTexture"},
    {"{'index':0}", "{}", "GLTF-STRUCTURE", "materials[0].baseColorTexture"},
    {"'joints':[1,2]", "'joints':[1,3]", "GLTF-INDEX", "skins[0].joints[1]"},
    {"'skeleton':1", "'skeleton':7", "GLTF-INDEX", "skins[0]"},
    {"'inverseBindMatrices':4", "'inverseBindMatrices':40", "GLTF-INDEX", "skins[0]"},
    {"'sampler':1,", "'sampler':2,", "GLTF-INDEX", "animations[0].channels[1]"},
    {"'node':2,", "'node':3,", "GLTF-INDEX", "animations[0].channels[0]"},
    {"'input':5", "'input':50", "GLTF-INDEX", "animations[0].samplers[0]"},
    /* meshes */
    {"'primitives':[", "'primitives':[7,", "GLTF-STRUCTURE", "meshes[0]"},
    {"'primitives'", "'primitive'", "GLTF-STRUCTURE", "meshes[0]"},
    {"'attributes'", "'attribute'", "GLTF-STRUCTURE", "meshes[0].primitives[0]"},
    {"'mode':4", "'mode':7", "GLTF-STRUCTURE", "meshes[0].primitives[0]"},
    {"'TEXCOORD_0':9", "'TEXCOORD_0':5", "GLTF-ATTRIBUTE", "meshes[0].primitives[0].attributes.TEXCOORD_0"},
    {"'TEXCOORD_0':9", "'NORMAL':9", "GLTF-ATTRIBUTE", "meshes[0].primitives[0].attributes.NORMAL"},
    {"'JOINTS_0':2", "'JOINTS_0':0", "GLTF-ATTRIBUTE", "meshes[0].primitives[0].attributes.JOINTS_0"},
    {"'JOINTS_0':2,", "", "GLTF-ATTRIBUTE", "meshes[0].primitives[0].attributes"},
    {"'indices':1", "'indices':0", "GLTF-ATTRIBUTE", "meshes[0].primitives[0]"},
    {"'targets':[{'POSITION':7}]", "'targets':[{'POSITION':5}]", "GLTF-ATTRIBUTE",
     "meshes[0].primitives[0].targets[0].POSITION"},
    {"'weights':[0]", "'weights':[0,1]", "GLTF-ATTRIBUTE", "meshes[0]"},
    {"'POSITION':0,", "", "GLTF-EMPTY", "meshes[0].primitives[0]"},
    {"'nodes':[0,1]}", "'nodes':[1]}", "GLTF-EMPTY", ""},
    /* nodes */
    {"'translation':[0,1,0]", "'translation':[0,1]", "GLTF-NODE", "nodes[2]"},
    {"'translation':[0,1,0]", "'scale':[0,1,1e39]", "GLTF-NODE", "nodes[2]"},
    {"'translation':[0,1,0]", "'matrix':[1,0,0,0]", "GLTF-NODE", "nodes[2]"},
    {"'rotation':[0,0,0,1]", "'rotation':[0,0,0,0]", "GLTF-NODE", "nodes[2]"},
    {"'children':[2]", "'children':[2,2]", "GLTF-NODE", "nodes[1].children[1]"},
    {"'children':[2]", "'children':[1]", "GLTF-CYCLE", "nodes[1]"},
    {"'translation':[0,1,0]", "'children':[1]", "GLTF-CYCLE", "nodes[1]"},
    {"'name':'band'", "'weights':[0,0]", "GLTF-NODE", "nodes[0]"},
    /* skins */
    {"'joints':[1,2]", "'joints':[]", "GLTF-SKIN", "skins[0]"},
    {"'joints':[1,2]", "'joints':[1]", "GLTF-SKIN", "meshes[0].primitives[0]"},
    {"'joints':[1,2]", "'joints':[1,2,0]", "GLTF-SKIN", "skins[0]"},
    {"'inverseBindMatrices':4", "'inverseBindMatrices':6", "GLTF-SKIN", "skins[0]"},
    /* animations */
    {"'samplers':[{'input'", "'sampler':[{'input'", "GLTF-STRUCTURE", "animations[0]"},
    {"'LINEAR'", "'SMOOTH'", "GLTF-ANIMATION", "animations[0].samplers[0]"},
    {"'LINEAR'", "'CUBICSPLINE'", "GLTF-ANIMATION", "animations[0].channels[0]"},
    {"'path':'rotation'", "'path':'translation'", "GLTF-ANIMATION", "animations[0].channels[0]"},
    {"'input':5", "'input':0", "GLTF-ANIMATION", "animations[0].samplers[0]"},
    {"'output':6", "'output':9", "GLTF-ANIMATION", "animations[0].channels[0]"},
    {"'node':0,'path':'weights'", "'node':1,'path':'weights'", "GLTF-ANIMATION", "animations[0].channels[1]"},
    {"'node':2,", "", "GLTF-LOST-CHANNEL", "animations[0].channels[0]"},
    {"'path':'rotation'", "'path':'pointer'", "GLTF-LOST-CHANNEL", "animations[0].channels[0]"},
    {"{'sampler':1,'target':{'node':0,'path':'weights'}}", "{'sampler':0,'target':{'node':2,'path':'rotation'}}",
     "GLTF-KEYS", "animations[0].channels[1]"},
    /* pictures and materials */
    {"'images':[{'uri':'data:image/png;base64,", "'images':[{'uri':'data:image/png;base64,A", "GLTF-IMAGE",
     "images[0]"},
    {"'images':[{'uri':'data:image/png;base64,", "'images':[{'uri':'data:image/png;base64,AAAA", "GLTF-IMAGE",
     "images[0]"},
    {"'images':[{'uri':", "'images':[{'url':", "GLTF-IMAGE", "images[0]"},
    {"'images':[{'uri':", "'images':[{'bufferView':99,'url':", "GLTF-IMAGE", "images[0]"},
    {"'images':[", "'images':[{'uri':'wood.png'},", "GLTF-IMAGE", "images[0]"},
    {"[1,0.5,0.25,1]", "[1,0.5,0.25,1.5]", "GLTF-RANGE", "materials[0].pbrMetallicRoughness"},
    {"[1,0.5,0.25,1]", "[1,0.5,0.25]", "GLTF-TYPE", "materials[0].pbrMetallicRoughness"},
    {"'metallicFactor':0", "'metallicFactor':-1", "GLTF-RANGE", "materials[0].pbrMetallicRoughness"},
    {"'MASK'", "'CUT'", "GLTF-MATERIAL", "materials[0]"},
    {"'alphaCutoff':0.25", "'alphaCutoff':'x'", "GLTF-TYPE", "materials[0]"},
    {"'name':'paint'", "'name':'paint','extras':{'f3d_mat':{}}", "GLTF-FAST64-EMPTY", "materials[0]"},
    {"'name':'paint'", "'name':'paint','extras':{'f3d_mat':{'combiner1':7}}", "GLTF-FAST64", "materials[0]"},
    /* what the specification forbids, but can be read */
    {"'name':'paint'", "'name':7", "GLTF-TYPE", "materials[0]"},
    {"'alphaMode':'MASK'", "'doubleSided':1", "GLTF-TYPE", "materials[0]"},
    {"'sampler':0}]", "'sampler':0,'extensions':[]}]", "GLTF-TYPE", "textures[0]"},
    {"'wrapS':10497", "'wrapS':10497.5", "GLTF-TYPE", "samplers[0]"},
    {"'max':[0.5]", "'max':[0.5,1]", "GLTF-TYPE", "accessors[5]"},
    {"'path':'weights'", "'name':'weights'", "GLTF-PROPERTY", "animations[0].channels[1].target"},
    {"'componentType':5126,'count':4,'type':'VEC3','min':[0,0,0],'max':[0,0,2]",
     "'byteOffset':0,'componentType':5126,'count':4,'type':'VEC3','min':[0,0,0],'max':[0,0,2]", "GLTF-PROPERTY",
     "accessors[7]"},
    {"'children':[2]", "'children':[2],'skin':0", "GLTF-PROPERTY", "nodes[1]"},
    {"'version':'2.0',", "'version':'2',", "GLTF-RANGE", ""},
    {"'rotation':[0,0,0,1]", "'rotation':[0,0,1.001,0]", "GLTF-RANGE", "nodes[2]"},
    {"'scene':0", "'scene':0,'extensionsUsed':[]", "GLTF-EMPTY-LIST", ""},
    {"'scene':0", "'scene':0,'cameras':[]", "GLTF-EMPTY-LIST", ""},
    {"'nodes':[0,1]}", "'nodes':[0,1,1]}", "GLTF-DUPLICATE", "scenes[0].nodes[2]"},
    {"'scene':0", "'scene':0,'extensionsUsed':['A_b','A_b']", "GLTF-DUPLICATE", "extensionsUsed[1]"},
    {"'name':'paint'", "'name':'paint','extensions':{'A_b':{}}", "GLTF-UNDECLARED", "materials[0]"},
    {"'scene':0", "'scene':0,'extensionsUsed':['A_b'],'extensionsRequired':['KHR_texture_transform']",
     "GLTF-UNDECLARED", "extensionsRequired[0]"},
    {"'byteOffset':284,'byteLength':16", "'byteOffset':284,'byteLength':16,'target':34963", "GLTF-USAGE",
     "meshes[0].primitives[0].attributes"},
    {"{'bufferView':10,'componentType':5123,'normalized':true", "{'bufferView':10,'componentType':5123", "GLTF-FORMAT",
     "meshes[0].primitives[0].attributes"},
    {"{'bufferView':6,'componentType':5126", "{'bufferView':6,'normalized':true,'componentType':5126", "GLTF-FORMAT",
     "accessors[6]"},
    {"'min':[0,0,0],'max':[1,1,0]", "'min':[0,0,0],'max':[1,1,1]", "GLTF-BOUNDS", "accessors[0]"},
    {"'min':[0,0,0],'max':[1,1,0]", "'max':[1,1,0]", "GLTF-BOUNDS", "meshes[0].primitives[0].attributes"},
    {"'min':[0],'max':[0.5]", "'min':[0]", "GLTF-BOUNDS", "animations[0].samplers[0]"},
    {"'rotation':[0,0,0,1]", "'rotation':[0,0,0,0.9]", "GLTF-UNIT", "nodes[2]"},
    {"'TEXCOORD_0':9", "'TEXCOORD_0':9,'TEXTURE':9", "GLTF-SEMANTIC", "meshes[0].primitives[0].attributes"},
    {"'TEXCOORD_0':9", "'TEXCOORD_0':9,'TEXCOORD_2':9", "GLTF-SEMANTIC", "meshes[0].primitives[0].attributes"},
    {"{'POSITION':7}", "{'POSITION':7,'NORMAL':7}", "GLTF-MORPH", "meshes[0].primitives[0].targets[0]"},
    {",'TEXCOORD_0':9", "", "GLTF-TEXCOORD", "meshes[0].primitives[0]"},
    {"'rotation':[0,0,0,1]", "'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]", "GLTF-TRANSFORM", "nodes[2]"},
    {"'translation':[0,1,0],'rotation':[0,0,0,1]", "'matrix':[1,0,0,0,1,1,0,0,0,0,1,0,0,0,0,1]", "GLTF-TRANSFORM",
     "nodes[2]"},
    {"'skeleton':1", "'skeleton':2", "GLTF-SKELETON", "skins[0]"},
    {"'joints':[1,2]", "'joints':[1,0]", "GLTF-SKELETON", "skins[0]"},
    {"'nodes':[0,1]}", "'nodes':[0]}", "GLTF-SKELETON", "nodes[0]"},
    {"'nodes':[0,1]}", "'nodes':[0,1,2]}", "GLTF-SCENE", "scenes[0].nodes[2]"},
    {"'scene':0", "'scene':0,'cameras':[{'type':'perspective','perspective':{'yfov':1,'znear':2,'zfar':1}}]",
     "GLTF-CAMERA", "cameras[0]"},
    {"'uri':'data:image/png", "'mimeType':'image/jpeg','uri':'data:image/png", "GLTF-MIME", "images[0]"},
    {"'uri':'data:image/png", "'uri':'data:image/jpeg", "GLTF-IMAGE-URI", "images[0]"},
    {"AAAAElFTkSuQmCC'", "AAAAElFTkSuQmCC','name':0", "GLTF-TYPE", "images[0]"},
    {"AAAADElEQVR4nGP43+AAAARBAcAM0e2RAAAAAElFTkSuQmCC'", "AAAA'", "GLTF-IMAGE-DATA", "images[0]"},
    /* what is lost */
    {"'name':'band'", "'extensions':{'KHR_node_visibility':{'visible':false}}", "GLTF-LOST-HIDDEN", ""},
    {"'mode':4", "'mode':0", "GLTF-LOST-POINTS", ""},
    {"'mesh':0,", "'mesh':0,'extensions':{'KHR_lights_punctual':{'light':0}},", "GLTF-LOST-LIGHTS", ""},
    {"'mesh':0,", "'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{}},", "GLTF-LOST-INSTANCES", ""},
    {"'name':'paint'", "'name':'paint','occlusionTexture':{'index':0,'texCoord':1}", "GLTF-LOST-MAPS", ""},
    {"'scenes':[{'nodes':[0,1]}]", "'scenes':[{'nodes':[0]},{'nodes':[1]}]", "GLTF-LOST-SCENES", ""},
    {"'TEXCOORD_0':9", "'TEXCOORD_0':9,'TEXCOORD_1':9", "GLTF-LOST-UVS", ""},
    {"'TEXCOORD_0':9", "'COLOR_0':0,'COLOR_1':0", "GLTF-LOST-COLORS", ""},
};

TEST(every_rule_of_the_check)
{
    for (size_t i = 0; i < TL_COUNT_OF(rule_cases); i++) {
        const rule_case *c = &rule_cases[i];
        buffer file = {0};
        listener l;
        gltf_band(&file, c->find, c->put);
        listen_to(&file, NULL, &l);
        expect(&l, c->rule, c->path, c->put);
        const size_t at = heard(&l, c->rule);
        const trilo_rule *rule = trilo_rule_find(c->rule);
        CHECK(rule);
        /* every finding about the text names a byte of it */
        CHECK(l.offsets[at] >= 20 && l.offsets[at] < file.size);
        trilo_error err = {0};
        const trilo_model *model = trilo_model_load(file.data, file.size, NULL, &err);
        if (rule->kind == TRILO_FINDING_KIND_CONFORMANCE)
            CHECK(model || strcmp(err.rule, c->rule) != 0);
        else if (rule->severity >= TRILO_SEVERITY_ERROR)
            CHECK(!model && err.code != TRILO_CODE_OK && strcmp(err.rule, c->rule) == 0);
        trilo_model_free(model);
        buffer_free(&file);
    }
}

TEST(the_range_of_an_index_is_named)
{
    buffer file = {0};
    listener l;
    gltf_band(&file, "'children':[2]", "'children':[3]"); /* of three nodes */
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-INDEX", "nodes[1].children[0]", "a child");
    CHECK_STR(l.texts[heard(&l, "GLTF-INDEX")], "the index is 3, but the nodes go from 0 to 2");
    buffer_free(&file);
}

/* By 45 degrees every pair of products in the determinant counts. */
TEST(matrices_that_rotate_and_scale_are_fine)
{
    static const char *const matrices[] = {
        "[0.70710678,0.70710678,0,0,-0.70710678,0.70710678,0,0,0,0,1,0,0,0,0,1]",
        "[0.70710678,0,-0.70710678,0,0,1,0,0,0.70710678,0,0.70710678,0,5,6,7,1]",
        "[1,0,0,0,0,0.70710678,0.70710678,0,0,-0.70710678,0.70710678,0,0,0,0,1]",
        "[0,0,2,0,3,0,0,0,0,4,0,0,0,0,0,1]",
        "[0,2,0,0,0,0,3,0,4,0,0,0,0,0,0,1]",
    };
    for (size_t i = 0; i < TL_COUNT_OF(matrices); i++) {
        char put[200];
        buffer file = {0};
        listener l;
        snprintf(put, sizeof put, "'matrix':%s", matrices[i]);
        gltf_band(&file, "'name':'low'", put);
        listen_to(&file, NULL, &l);
        CHECK_INT(heard(&l, "GLTF-TRANSFORM"), l.count);
        buffer_free(&file);
    }
}

TEST(cameras_are_lost)
{
    buffer file = {0};
    listener l;
    gltf_text(&file, "{'asset':{'version':'2.0'},'cameras':[{'type':'perspective'}],'nodes':[{'camera':0}]}");
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-LOST-CAMERAS", "", "a camera");
    expect(&l, "GLTF-EMPTY", "", "a camera");
    buffer_free(&file);
}

/* Words of the buffer: a value and where. */
static void with_word(size_t at, uint32_t word, const char *rule, const char *path)
{
    buffer file = {0};
    listener l;
    gltf_band(&file, NULL, NULL);
    buffer_set_u32(&file, file.size - BAND_SIZE + at, word);
    listen_to(&file, NULL, &l);
    expect(&l, rule, path, "a word of the buffer");
    buffer_free(&file);
}

TEST(bytes_that_are_wrong)
{
    enum { NOT_A_NUMBER = 0x7FC00000, INFINITE = 0x7F800000 };
    with_word(BAND_POSITIONS + 8, NOT_A_NUMBER, "GLTF-NAN", "meshes[0].primitives[0].attributes.POSITION");
    with_word(BAND_POSITIONS + 44, INFINITE, "GLTF-NAN", "meshes[0].primitives[0].attributes.POSITION");
    with_word(BAND_MORPH + 8, INFINITE, "GLTF-NAN", "meshes[0].primitives[0].targets[0].POSITION");
    with_word(BAND_BINDS + 64, NOT_A_NUMBER, "GLTF-NAN", "skins[0]");
    with_word(BAND_TIMES, NOT_A_NUMBER, "GLTF-NAN", "animations[0].samplers[0]");
    with_word(BAND_ROTATIONS + 28, NOT_A_NUMBER, "GLTF-NAN", "animations[0].samplers[0]");
    with_word(BAND_TIMES + 4, 0, "GLTF-KEYS", "animations[0].samplers[0]");
    with_word(BAND_TIMES + 4, 0xBF800000, "GLTF-KEYS", "animations[0].samplers[0]");
    with_word(BAND_INDICES + 8, 4u << 16 | 1, "GLTF-INDEX", "meshes[0].primitives[0]");
    with_word(BAND_JOINTS + 12, 2, "GLTF-SKIN", "meshes[0].primitives[0]");
    with_word(BAND_MORPH_INDEX, 4, "GLTF-ACCESSOR", "accessors[7]");
    with_word(BAND_TIMES, 0xBF800000, "GLTF-KEYS", "accessors[5]");
    with_word(BAND_TIMES, 0x3E800000, "GLTF-BOUNDS", "accessors[5]");
    with_word(BAND_ROTATIONS + 12, 0x3F000000, "GLTF-UNIT", "accessors[6]");
    with_word(BAND_ROTATIONS + 12, 0xBFC00000, "GLTF-UNIT", "accessors[6]"); /* -1.5 */
    with_word(BAND_BINDS + 12, 0x3F800000, "GLTF-BIND", "accessors[4]");
    with_word(BAND_WEIGHTS, 254, "GLTF-WEIGHTS", "meshes[0].primitives[0].attributes");
    with_word(BAND_WEIGHTS, 0x807F, "GLTF-WEIGHTS", "meshes[0].primitives[0].attributes"); /* joint 0 twice */
    with_word(BAND_INDICES, 0xFFFF, "GLTF-RESTART", "accessors[1]");
}

static bool has_wall(void *user, const char *name, trilo_bytes *bytes)
{
    *bytes = *(const trilo_bytes *)user;
    return strcmp(name, "wall.ci4.png") == 0;
}

TEST(textures_of_fast64)
{
    char put[4096];
    buffer file = {0};
    listener l;
    const char *extras = strstr(fast64_extras, "\"extras\"");
    trilo_bytes wall = {(const uint8_t *)"png", 3};
    snprintf(put, sizeof put, "'name':'paint',%.*s", (int)(strlen(extras) - strlen("}]}")), extras);
    gltf_band(&file, "'name':'paint'", put);
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-FAST64-TEXTURE", "materials[0]", "no picture");
    CHECK(strstr(l.texts[0], "paint") && strstr(l.texts[0], "wall.ci4.png"));
    listen_to(&file, &(trilo_load_opts){.companion = has_wall, .companion_user = &wall}, &l);
    CHECK_INT(l.count, 0);
    listen_to(&file, &(trilo_load_opts){.gltf = &(trilo_gltf_load_opts){.ignore_materials = true}}, &l);
    CHECK_INT(l.count, 0);
    buffer_free(&file);
}

/* What is said of the band with a material of Fast64 that has two textures, whose images are these. */
static void check_missing_textures(const char *images, const char *const texts[], size_t count)
{
    static const char material[] =
        "'name':'paint','extensions':{'FAST64_materials_n64':{'combiner':{'set':true,'cycles':[{'color':"
        "['TEXEL0','0','SHADE','0'],'alpha':['0','0','0','1']}]},'textures':{'0':{'index':0},'1':{'index':1}},"
        "'extensions':{'FAST64_materials_f3d':{}}}}";
    buffer file = {0}, bin = {0};
    listener l;
    size_t found = 0;
    gltf_band_bytes(&bin);
    char *a = gltf_replaced(gltf_band_text, "'name':'paint'", material);
    char *b = gltf_replaced(a, "'textures':[", "'textures':[{'source':0},{'source':1},");
    char *c = gltf_replaced(b, "'images':[", images);
    gltf_glb(&file, c, (trilo_bytes){bin.data, bin.size});
    listen_to(&file, NULL, &l);
    for (size_t i = 0; i < l.count; i++)
        if (strcmp(l.rules[i], "GLTF-FAST64-TEXTURE") == 0) {
            CHECK(found < count);
            CHECK_STR(l.texts[i], texts[found++]);
        }
    CHECK_INT(found, count);
    free(a);
    free(b);
    free(c);
    buffer_free(&bin);
    buffer_free(&file);
}

/* A texture is the file of its image, or without one what the image is called, however short the name is. */
TEST(names_of_missing_textures)
{
#define MISSING(name) "material \"paint\": the texture " name " cannot be found"
    static const char *const both[] = {MISSING("w"), MISSING("v")}, *const second[] = {MISSING("tile.rgba16.png")};
    check_missing_textures("'images':[{'name':'wall.ci4','uri':'w'},{'name':'v'},", both, 2);
    check_missing_textures("'images':[{},{'name':'v','uri':'tile.rgba16.png'},", second, 1);
#undef MISSING
}

/* Materials that nothing uses are left alone. */
TEST(unused_materials_of_fast64)
{
    buffer file = {0};
    listener l;
    gltf_band(&file, "'materials':[", "'materials':[{},{'extras':{'f3d_mat':{}}},");
    listen_to(&file, NULL, &l);
    CHECK_INT(l.count, 0);
    buffer_free(&file);
}

/* Only the scene that is read counts: a broken material of another mesh is a warning, and the model is read. */
TEST(materials_outside_the_scene)
{
    static const char scene[] = "'nodes':[0,1]}", broken[] = "'extras':{'f3d_mat':{'combiner1':7}}";
    for (int in_scene = 0; in_scene < 2; in_scene++) {
        buffer file = {0}, bin = {0};
        listener l;
        trilo_error err = {0};
        gltf_band_bytes(&bin);
        char *a = gltf_replaced(gltf_band_text, "'name':'paint'", broken);
        char *b = gltf_replaced(a, scene, in_scene ? scene : "'nodes':[1]}");
        gltf_glb(&file, b, (trilo_bytes){bin.data, bin.size});
        const trilo_tally tally = listen_to(&file, NULL, &l);
        expect(&l, in_scene ? "GLTF-FAST64" : "GLTF-FAST64-UNUSED", "materials[0]", "the settings of a material");
        const trilo_model *model = trilo_model_load(file.data, file.size, NULL, &err);
        CHECK(in_scene ? !model : model != NULL);
        CHECK(in_scene || tally.crashes == 0);
        trilo_model_free(model);
        free(a);
        free(b);
        buffer_free(&bin);
        buffer_free(&file);
    }
}

/* A hidden node is not in the model, nor what is below it; joints stay. */
TEST(hidden_nodes)
{
    static const struct {
        const char *find, *put;
        uint32_t meshes, nodes;
    } cases[] = {{"'name':'band'", "'extensions':{'KHR_node_visibility':{'visible':true}}", 1, 3},
                 {"'name':'band'", "'extensions':{'KHR_node_visibility':{'visible':false}}", 0, 3}, /* it is animated */
                 {"'name':'low'", "'extensions':{'KHR_node_visibility':{'visible':false}}", 1, 3}};
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        buffer file = {0};
        trilo_error err = {0};
        gltf_band(&file, cases[i].find, cases[i].put);
        const trilo_model *model = trilo_model_load(file.data, file.size, NULL, &err);
        if (!model)
            FAIL("%s %s", err.rule, err.text);
        CHECK_INT(model->mesh_count, cases[i].meshes);
        CHECK_INT(model->node_count, cases[i].nodes);
        trilo_model_free(model);
        buffer_free(&file);
    }
}

/* A buffer without a URI is legal while nothing uses it; so are a newer minor version and integers with a fraction of
 * 0. */
TEST(legal_oddities)
{
    static const char *const pieces[][2] = {{"'byteLength':300}", "'byteLength':300},{'byteLength':4}"},
                                            {"'version':'2.0'", "'version':'2.7','minVersion':'2.0'"},
                                            {"'mode':4", "'mode':4.0"},
                                            {"'indices':1", "'indices':1e0"}};
    for (size_t i = 0; i < TL_COUNT_OF(pieces); i++) {
        buffer file = {0};
        listener l;
        gltf_band(&file, pieces[i][0], pieces[i][1]);
        listen_to(&file, NULL, &l);
        if (l.count > 0)
            FAIL("%s: %s %s", pieces[i][1], l.rules[0], l.texts[0]);
        buffer_free(&file);
    }
}

TEST(leftover_indices)
{
    buffer file = {0};
    listener l;
    gltf_band(&file, "'count':6,'type':'SCALAR'", "'count':5,'type':'SCALAR'");
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-LEFTOVER", "meshes[0].primitives[0]", "five indices");
    buffer_free(&file);
}

/* KHR_mesh_quantization allows what is refused without. */
/* glTF 2.0, 3.7.2.1: points take any number of vertices, lines pairs, strips and loops of lines two or more, triangles
 * multiples of three, strips and fans three or more. */
TEST(vertices_that_a_mode_needs)
{
    static const char *const whole[] = {".1234567", "..2.4.6.", "..234567", "..234567",
                                        "...3..6.", "...34567", "...34567"};
    for (int mode = 0; mode < 7; mode++)
        for (int count = 1; count <= 7; count++) {
            char text[512];
            buffer file = {0};
            listener l;
            snprintf(text, sizeof text,
                     "{'asset':{'version':'2.0'},'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],'meshes':[{'primitives':"
                     "[{'attributes':{'POSITION':0},'mode':%d}]}],'accessors':[{'componentType':5126,'count':%d,"
                     "'type':'VEC3','min':[0,0,0],'max':[0,0,0]}]}",
                     mode, count);
            gltf_text(&file, text);
            listen_to(&file, NULL, &l);
            const size_t at = heard(&l, "GLTF-LEFTOVER");
            if ((at == l.count) != (whole[mode][count] != '.'))
                FAIL("mode %d with %d vertices", mode, count);
            if (at < l.count && !strstr(l.texts[at], mode < 4 ? "no whole lines" : "no whole triangles"))
                FAIL("mode %d: %s", mode, l.texts[at]);
            buffer_free(&file);
        }
}

/* glTF 2.0, 3.11: -128 as a normalized signed byte is -1, as -127 is. */
TEST(the_lowest_byte_of_a_normal)
{
    static const uint8_t bytes[36 + 12] = {[36] = 0x80, [36 + 5] = 0x80, [36 + 10] = 0x81};
    buffer file = {0};
    listener l;
    gltf_glb(&file,
             "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_mesh_quantization'],"
             "'extensionsRequired':['KHR_mesh_quantization'],'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],"
             "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1}}]}],'buffers':[{'byteLength':48}],"
             "'bufferViews':[{'buffer':0,'byteLength':36},"
             "{'buffer':0,'byteOffset':36,'byteLength':12,'byteStride':4}],"
             "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3','min':[0,0,0],'max':[0,0,0]},"
             "{'bufferView':1,'componentType':5120,'normalized':true,'count':3,'type':'VEC3'}]}",
             (trilo_bytes){bytes, sizeof bytes});
    CHECK_INT(listen_to(&file, NULL, &l).errors, 0);
    CHECK_INT(heard(&l, "GLTF-UNIT"), l.count);
    buffer_free(&file);
}

TEST(quantized_positions)
{
    static const char quantized[] = "'scene':0,'extensionsUsed':['KHR_mesh_quantization'],'extensionsRequired':["
                                    "'KHR_mesh_quantization']";
    static const char floats[] = "{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3','min':[0,0,0],"
                                 "'max':[1,1,0]}";
    static const char view[] = "{'bufferView':0,'componentType':5122,'count':4,'type':'VEC3','min':[0,0,0],"
                               "'max':[0,16256,0]}"; /* 1 as a float is 0x3F800000 */
    for (int with = 0; with < 2; with++) {
        buffer file = {0}, bin = {0};
        listener l;
        gltf_band_bytes(&bin);
        char *a = gltf_replaced(gltf_band_text, floats, view);
        char *b = gltf_replaced(a, "'scene':0", with ? quantized : "'scene':0");
        gltf_glb(&file, b, (trilo_bytes){bin.data, bin.size});
        const trilo_tally tally = listen_to(&file, NULL, &l);
        CHECK_INT(tally.errors, with ? 0 : 1);
        if (!with) {
            expect(&l, "GLTF-ATTRIBUTE", "meshes[0].primitives[0].attributes.POSITION", "16 bits");
            CHECK(strstr(l.texts[0], "KHR_mesh_quantization"));
        }
        free(a);
        free(b);
        buffer_free(&bin);
        buffer_free(&file);
    }
}

/* RFC 3986: two digits after a percent sign, and a letter first where there is a scheme. */
TEST(addresses_of_images)
{
    static const struct {
        const char *put;
        bool valid;
    } cases[] = {{"'uri':'a%20%02%9f%F9b/", true}, {"'uri':'a1:b/", true}, {"'uri':'1/a:b", true},
                 {"'uri':'a%2/", false},           {"'uri':'%g0/", false}, {"'uri':'%0g/", false},
                 {"'uri':'1a:b/", false}};
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        buffer file = {0};
        listener l;
        gltf_band(&file, "'uri':'data:image/png", cases[i].put);
        listen_to(&file, NULL, &l);
        if ((heard(&l, "GLTF-IMAGE-URI") == l.count) != cases[i].valid)
            FAIL("%s", cases[i].put);
        buffer_free(&file);
    }
}

/* What is missing is named, whichever of the two it is. */
TEST(joints_and_weights_belong_together)
{
    static const char *const left_out[] = {"'JOINTS_0':2,", "'WEIGHTS_0':3,"};
    static const char *const says[] = {"WEIGHTS_0 needs JOINTS_0", "JOINTS_0 needs WEIGHTS_0"};
    for (int i = 0; i < 2; i++) {
        buffer file = {0}, bin = {0};
        listener l;
        gltf_band_bytes(&bin);
        char *text = gltf_replaced(gltf_band_text, left_out[i], "");
        gltf_glb(&file, text, (trilo_bytes){bin.data, bin.size});
        listen_to(&file, NULL, &l);
        expect(&l, "GLTF-ATTRIBUTE", "meshes[0].primitives[0].attributes", says[i]);
        CHECK(strstr(l.texts[0], says[i]));
        free(text);
        buffer_free(&bin);
        buffer_free(&file);
    }
}

/* Two sets of weights: the first vertex has five influences, and the weakest, a tenth, is lost. That is said once for
 * primitives that share their vertices. */
TEST(influences_are_measured)
{
#define LINES "{'attributes':{'POSITION':0,'JOINTS_0':1,'JOINTS_1':1,'WEIGHTS_0':2,'WEIGHTS_1':3},'mode':1}"
    static const char text[] =
        "{'asset':{'version':'2.0'},'nodes':[{'mesh':0,'skin':0}],'skins':[{'joints':[0]}],"
        "'meshes':[{'primitives':[" LINES "," LINES "]}],'accessors':[{'componentType':5126,'count':2,'type':'VEC3'},"
        "{'componentType':5121,'count':2,'type':'VEC4'},{'bufferView':0,'componentType':5126,'count':2,'type':'VEC4'},"
        "{'bufferView':0,'byteOffset':32,'componentType':5126,'count':2,'type':'VEC4'}],"
        "'bufferViews':[{'buffer':0,'byteLength':64}],'buffers':[{'byteLength':64}]}";
    static const float weights[] = {0.3f, 0.2f, 0.2f, 0.2f, 1, 0, 0, 0, 0.1f, 0, 0, 0, 0, 0, 0, 0};
    buffer file = {0}, bin = {0};
    listener l;
    buffer_f32s(&bin, weights, 16);
    gltf_glb(&file, text, (trilo_bytes){bin.data, bin.size});
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-LOST-INFLUENCES", "meshes[0].primitives[0]", "five influences");
    CHECK(strstr(l.texts[heard(&l, "GLTF-LOST-INFLUENCES")], "1 of 2 vertices"));
    CHECK(strstr(l.texts[heard(&l, "GLTF-LOST-INFLUENCES")], "up to 10.0 %"));
    for (size_t i = heard(&l, "GLTF-LOST-INFLUENCES") + 1; i < l.count; i++)
        CHECK(strcmp(l.rules[i], "GLTF-LOST-INFLUENCES") != 0);
#undef LINES
    buffer_free(&bin);
    buffer_free(&file);
}

/* Bytes as joints and floats as weights, as most files have them. Each vertex has one mistake, or none. */
TEST(influences_of_floats)
{
    static const char text[] =
        "{'asset':{'version':'2.0'},'nodes':[{'mesh':0,'skin':0}],'skins':[{'joints':[0]}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'mode':0}]}],"
        "'accessors':[{'componentType':5126,'count':7,'type':'VEC3'},"
        "{'bufferView':0,'byteOffset':112,'componentType':5121,'count':7,'type':'VEC4'},"
        "{'bufferView':0,'componentType':5126,'count':7,'type':'VEC4'}],"
        "'bufferViews':[{'buffer':0,'byteLength':140}],'buffers':[{'byteLength':140}]}";
    static const float weights[7][4] = {{1, 0, 0, 0},
                                        {0.25f, 0.25f, 0.25f, 0.25f},
                                        {0.5f, 0.5f, 0, 0},       /* joints without a weight may be the same */
                                        {0.75f, 0.5f, -0.25f, 0}, /* the negative one is not added */
                                        {0.5f, 0.25f, 0.25f, 0},  /* adds up to 1 only if a joint may come twice */
                                        {0.5f, 0.5f, 0.001f, 0},
                                        {0, 0, 0, 0}};
    static const uint8_t joints[7][4] = {{0, 0, 0, 0}, {0, 1, 2, 3}, {0, 1, 0, 1}, {0, 1, 2, 0},
                                         {0, 1, 0, 0}, {0, 1, 2, 0}, {0, 0, 0, 0}};
    buffer file = {0}, bin = {0};
    listener l;
    buffer_f32s(&bin, &weights[0][0], 28);
    buffer_sink(&bin, joints, sizeof joints);
    gltf_glb(&file, text, (trilo_bytes){bin.data, bin.size});
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-WEIGHTS", "meshes[0].primitives[0].attributes", "four vertices");
    CHECK(strstr(l.texts[heard(&l, "GLTF-WEIGHTS")],
                 "do not add up to 1: 4, with a negative weight: 1, with a joint twice: 1; the first is vertex 3"));
    buffer_free(&bin);
    buffer_free(&file);
}

TEST(deep_nodes)
{
    buffer file = {0};
    listener l;
    gltf_text(&file, "{'asset':{'version':'2.0'},'nodes':[{'children':[3]},{'children':[2]},{},{'children':[1]}]}");
    CHECK_INT(listen_to(&file, &(trilo_load_opts){.limits.depth = 4}, &l).errors, 0);
    CHECK_INT(listen_to(&file, &(trilo_load_opts){.limits.depth = 3}, &l).errors, 1);
    expect(&l, "GLTF-DEPTH", "nodes[2]", "four deep");
    buffer_free(&file);
}

/* A file that names the same bytes again and again must not take time or memory for all of them. */
TEST(accessors_that_claim_too_much)
{
    buffer text = {0}, file = {0};
    listener l;
    buffer_sink(&text, "{'asset':{'version':'2.0'},'accessors':[", 40);
    for (int i = 0; i < 20; i++) {
        static const char one[] = "{'componentType':5126,'count':100000000,'type':'MAT4'}";
        buffer_sink(&text, i ? "," : "", i ? 1 : 0);
        buffer_sink(&text, one, sizeof one - 1);
    }
    buffer_sink(&text, "]}", 3);
    gltf_text(&file, (char *)text.data);
    listen_to(&file, NULL, &l);
    expect(&l, "GLTF-ACCESSOR", "accessors[0]", "gigabytes of zeros");
    buffer_free(&file);
    buffer_free(&text);
}

/* --- real files --- */

static const char *const corpus[] = {
    "gltf/AlphaBlendModeTest/AlphaBlendModeTest.glb",
    "gltf/AnimatedMorphCube/AnimatedMorphCube.glb",
    "gltf/AnimatedTriangle/AnimatedTriangle.gltf",
    "gltf/Box/Box.glb",
    "gltf/BoxInterleaved/BoxInterleaved.glb",
    "gltf/BoxTextured/BoxTextured.glb",
    "gltf/BoxVertexColors/BoxVertexColors.glb",
    "gltf/CesiumMan/CesiumMan.glb",
    "gltf/Duck/Duck.glb",
    "gltf/Fox/Fox.glb",
    "gltf/InterpolationTest/InterpolationTest.glb",
    "gltf/NegativeScaleTest/NegativeScaleTest.glb",
    "gltf/OrientationTest/OrientationTest.glb",
    "gltf/RiggedFigure/RiggedFigure.glb",
    "gltf/RiggedSimple/RiggedSimple.glb",
    "gltf/SimpleInstancing/SimpleInstancing.glb",
    "gltf/SimpleSkin/SimpleSkin.gltf",
    "gltf/SimpleSparseAccessor/SimpleSparseAccessor.gltf",
    "gltf/TextureCoordinateTest/TextureCoordinateTest.glb",
    "gltf/TriangleWithoutIndices/TriangleWithoutIndices.gltf",
    "gltf/TwoSidedPlane/TwoSidedPlane.gltf",
    "gltf/UnlitTest/UnlitTest.glb",
    "gltf/VertexColorTest/VertexColorTest.glb",
    "t3dm/01_model/assets/model.glb",
    "t3dm/02_lighting/assets/light.glb",
    "t3dm/02_lighting/assets/model.glb",
    "t3dm/03_objects/assets/box.glb",
    "t3dm/03_objects/assets/food.glb",
    "t3dm/05_splitscreen/assets/cube.glb",
    "t3dm/05_splitscreen/assets/model.glb",
    "t3dm/08_animation/assets/map.glb",
    "t3dm/08_animation/assets/shadow.glb",
    "t3dm/08_animation/assets/snake.glb",
    "t3dm/09_anim_viewer/assets/animTest.glb",
    "t3dm/09_anim_viewer/assets/cath.glb",
    "t3dm/09_anim_viewer/assets/enemyPlant00.glb",
    "t3dm/10_flipbook_tex/assets/map.glb",
    "t3dm/12_uv_gen/assets/brew_logo.glb",
    "t3dm/12_uv_gen/assets/can.glb",
    "t3dm/12_uv_gen/assets/color.glb",
    "t3dm/12_uv_gen/assets/flat.glb",
    "t3dm/12_uv_gen/assets/gem.glb",
    "t3dm/12_uv_gen/assets/gold.glb",
    "t3dm/12_uv_gen/assets/sphere.glb",
    "t3dm/12_uv_gen/assets/teapot.glb",
    "t3dm/14_outline/assets/potion.glb",
    "t3dm/16_light_clip/assets/cursor.glb",
    "t3dm/16_light_clip/assets/light.glb",
    "t3dm/16_light_clip/assets/sceneA.glb",
    "t3dm/16_light_clip/assets/sceneB.glb",
    "t3dm/17_culling/assets/platformer.glb",
    "t3dm/18_particles/assets/scene.glb",
    "t3dm/20_mipmaps/assets/rainbow.glb",
    "t3dm/20_mipmaps/assets/tunnel.glb",
    "t3dm/20_mipmaps/assets/tunnelMip.glb",
    "t3dm/21_fresnel/assets/clip.glb",
    "t3dm/21_fresnel/assets/dark.glb",
    "t3dm/21_fresnel/assets/env.glb",
    "t3dm/21_fresnel/assets/force.glb",
    "t3dm/21_fresnel/assets/glass.glb",
    "t3dm/21_fresnel/assets/sphere.glb",
    "t3dm/21_fresnel/assets/wall.glb",
    "t3dm/21_fresnel/assets/wallColor.glb",
    "t3dm/99_testscene/assets/scene.glb",
};

static void try_real(const char *path)
{
    trilo_error err = {0};
    listener l = {.count = 0};
    buffer copy = {0};
    trilo_section sections[8];
    trilo_document *document = trilo_document_open_file(path, NULL, &err);
    if (!document)
        FAIL("%s: %s: %s", path, err.path, err.text);
    const trilo_tally tally = trilo_document_check(document, listen, &l);
    if (tally.errors + tally.crashes > 0)
        FAIL("%s: %s %s: %s", path, l.rules[0], l.paths[0], l.texts[0]);
    CHECK(trilo_document_write(document, NULL, buffer_sink, &copy, &err));
    const trilo_bytes bytes = trilo_document_bytes(document);
    CHECK(copy.size == bytes.size && memcmp(copy.data, bytes.data, bytes.size) == 0);
    uint64_t sum = 0;
    const size_t count = trilo_document_sections(document, sections, 8);
    for (size_t i = 0; i < count; i++)
        sum += sections[i].size;
    CHECK_INT(sum, bytes.size);
    trilo_document_free(document);
    buffer_free(&copy);
}

TEST(real_files_have_no_error)
{
    for (size_t i = 0; i < TL_COUNT_OF(corpus); i++)
        try_real(test_corpus(corpus[i]));
}

TEST_MAIN(CASE(the_band_is_fine), CASE(every_rule_of_the_check), CASE(the_range_of_an_index_is_named),
          CASE(matrices_that_rotate_and_scale_are_fine), CASE(cameras_are_lost), CASE(bytes_that_are_wrong),
          CASE(textures_of_fast64), CASE(names_of_missing_textures), CASE(unused_materials_of_fast64),
          CASE(materials_outside_the_scene), CASE(hidden_nodes), CASE(legal_oddities), CASE(leftover_indices),
          CASE(vertices_that_a_mode_needs), CASE(the_lowest_byte_of_a_normal), CASE(quantized_positions),
          CASE(joints_and_weights_belong_together), CASE(addresses_of_images), CASE(influences_are_measured),
          CASE(influences_of_floats), CASE(deep_nodes), CASE(accessors_that_claim_too_much),
          CASE(real_files_have_no_error))

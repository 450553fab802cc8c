/* What the check of a glTF file says: the whole sentence, with its numbers, and the byte that it is about. */
#include "harness.h"
#include "support/findings.h"
#include "support/gltf_draft.h"

#include <stdlib.h>

/* A change of the band, and a finding that follows from it. */
typedef struct said {
    const char *find, *put;
    const char *rule, *path;
    const char *at;   /* the text of the file from the byte of the finding on */
    const char *text; /* NULL: the rule is kept */
} said;

static void check_said(const said *s, const buffer *file, const listener *l)
{
    if (!s->text) {
        CHECK_INT(heard(l, s->rule), l->count);
        return;
    }
    for (size_t i = 0; i < l->count && i < LISTENER_MOST; i++) {
        if (strcmp(l->rules[i], s->rule) != 0 || strcmp(l->texts[i], s->text) != 0 || strcmp(l->paths[i], s->path) != 0)
            continue;
        for (size_t k = 0; s->at[k]; k++) {
            const char want = s->at[k] == '\'' ? '"' : s->at[k];
            if (l->offsets[i] + k >= file->size || (char)file->data[l->offsets[i] + k] != want)
                FAIL("\"%s\" is about %.20s, not %s", s->text, (const char *)file->data + l->offsets[i], s->at);
        }
        return;
    }
    FAIL("with %s, nobody says %s %s: %s", s->put, s->rule, s->path, s->text);
}

static void check_all_said(const said *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        buffer file = {0};
        listener l;
        gltf_band(&file, rows[i].find, rows[i].put);
        listen_to(&file, NULL, &l);
        check_said(&rows[i], &file, &l);
        buffer_free(&file);
    }
}

#define CHECK_ALL_SAID(rows) check_all_said(rows, sizeof(rows) / sizeof *(rows))
#define PRIMITIVE            "meshes[0].primitives[0]"
#define ATTRIBUTES           PRIMITIVE ".attributes"

TEST(members_and_indices)
{
    static const said rows[] = {
        {"'attributes':{", "'attributes':5,'others':{", "GLTF-STRUCTURE", PRIMITIVE, "5,",
         "attributes must be an object, in { }"},
        {"'primitives':[", "'others':[", "GLTF-STRUCTURE", "meshes[0]", "{'others'",
         "primitives must be an array, in [ ]"},
        {"'interpolation':'LINEAR'", "'interpolation':[]", "GLTF-STRUCTURE", "animations[0].samplers[0]", "[]",
         "interpolation must be a string"},
        {"{'sampler':1,", "{'sampler':'b',", "GLTF-STRUCTURE", "animations[0].channels[1]", "'b'",
         "sampler must be a number"},
        {"'weights':[0]", "'weights':[0,'a']", "GLTF-STRUCTURE", "meshes[0]", "'a'",
         "each of the weights must be a number"},
        {"'targets':[{", "'targets':[7,{", "GLTF-STRUCTURE", PRIMITIVE, "7,",
         "each of the targets must be an object, in { }"},
        {"'mesh':0,", "'mesh':'0',", "GLTF-STRUCTURE", "nodes[0]", "'0'",
         "mesh must be the index of one of the meshes"},
        {"'mesh':0,", "'mesh':0,'camera':2,", "GLTF-INDEX", "nodes[0]", "2,", "camera is 2, but there are no cameras"},
        {"'skin':0,", "'skin':1,", "GLTF-INDEX", "nodes[0]", "1,", "skin is 1, but the skins go from 0 to 0"},
        {"'skeleton':1", "'skeleton':3", "GLTF-INDEX", "skins[0]", "3}", "skeleton is 3, but the nodes go from 0 to 2"},
        {"{'index':0}", "{}", "GLTF-STRUCTURE", "materials[0].baseColorTexture", "{}", "needs a member called index"},
        {"'input':5,", "", "GLTF-STRUCTURE", "animations[0].samplers[0]", "{'output'", "needs a member called input"},
        {"'output':6,", "'output':-1,", "GLTF-INDEX", "animations[0].samplers[0]", "-1",
         "output is -1, but the accessors go from 0 to 9"},
        {"'scenes':[{'nodes':[0,1]}]", "'scenes':[{'nodes':[0,1]},{'nodes':[0,3]}]", "GLTF-INDEX", "scenes[1].nodes[1]",
         "3]", "the index is 3, but the nodes go from 0 to 2"},
        {"'source':0", "'source':1", "GLTF-INDEX", "textures[0]", "1,", "source is 1, but the images go from 0 to 0"},
        {"'sampler':0}],'samplers'", "'sampler':1}],'samplers'", "GLTF-INDEX", "textures[0]", "1}",
         "sampler is 1, but the samplers go from 0 to 0"},
        {"'metallicFactor':0", "'metallicRoughnessTexture':{'index':1}", "GLTF-INDEX",
         "materials[0].metallicRoughnessTexture", "1}", "index is 1, but the textures go from 0 to 0"},
        {"'alphaCutoff':0.25", "'normalTexture':{'index':2}", "GLTF-INDEX", "materials[0].normalTexture", "2}",
         "index is 2, but the textures go from 0 to 0"},
        {"'alphaCutoff':0.25", "'occlusionTexture':{'index':3}", "GLTF-INDEX", "materials[0].occlusionTexture", "3}",
         "index is 3, but the textures go from 0 to 0"},
        {"'alphaCutoff':0.25", "'emissiveTexture':{'index':4}", "GLTF-INDEX", "materials[0].emissiveTexture", "4}",
         "index is 4, but the textures go from 0 to 0"},
        {"'MASK'", "'CUT'", "GLTF-MATERIAL", "materials[0]", "'CUT'", "alphaMode must be OPAQUE, MASK or BLEND"},
    };
    CHECK_ALL_SAID(rows);
}

TEST(meshes)
{
    static const said rows[] = {
        {"'TEXCOORD_0':9", "'TEXCOORD_0':5", "GLTF-ATTRIBUTE", ATTRIBUTES ".TEXCOORD_0", "5}",
         "TEXCOORD_0 is for 2 vertices, but there are 4"},
        {"'TEXCOORD_0':9", "'TEXCOORD_0':5", "GLTF-ATTRIBUTE", ATTRIBUTES ".TEXCOORD_0", "5}",
         "TEXCOORD_0 has 1 numbers for each vertex, it must have 2"},
        {"'TEXCOORD_0':9", "'TANGENT':0", "GLTF-ATTRIBUTE", ATTRIBUTES ".TANGENT", "0}",
         "TANGENT has 3 numbers for each vertex, it must have 4"},
        {"{'POSITION':7}", "{'TANGENT':3}", "GLTF-ATTRIBUTE", PRIMITIVE ".targets[0].TANGENT", "3}",
         "TANGENT has 4 numbers for each vertex, it must have 3"},
        {"{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'",
         "{'bufferView':0,'componentType':5122,'count':4,'type':'VEC3'", "GLTF-ATTRIBUTE", ATTRIBUTES ".POSITION", "0,",
         "POSITION must not be of componentType 5122 without the extension KHR_mesh_quantization"},
        {"'JOINTS_0':2", "'JOINTS_0':2,'COLOR_0':4", "GLTF-ATTRIBUTE", ATTRIBUTES ".COLOR_0", "4,",
         "COLOR_0 has 16 numbers for each vertex, it must have 4"},
        {"'JOINTS_0':2", "'JOINTS_0':6", "GLTF-ATTRIBUTE", ATTRIBUTES ".JOINTS_0", "6,",
         "JOINTS_0 must not be of componentType 5126"},
        {"'WEIGHTS_0':3,", "", "GLTF-ATTRIBUTE", ATTRIBUTES, "2,", "JOINTS_0 needs WEIGHTS_0"},
        {"'JOINTS_0':2,", "", "GLTF-ATTRIBUTE", ATTRIBUTES, "3,", "WEIGHTS_0 needs JOINTS_0"},
        {"'WEIGHTS_0':3,", "'WEIGHTS_0':3,'JOINTS_1':2,", "GLTF-ATTRIBUTE", ATTRIBUTES, "2,'TEX",
         "JOINTS_1 needs WEIGHTS_1"},
        {"'WEIGHTS_0':3,", "'WEIGHTS_0':3,'WEIGHTS_1':3,", "GLTF-ATTRIBUTE", ATTRIBUTES, "3,'TEX",
         "WEIGHTS_1 needs JOINTS_1"},
        {"'indices':1", "'indices':0", "GLTF-ATTRIBUTE", PRIMITIVE, "0,",
         "indices must be SCALAR and of componentType 5121, 5123 or 5125"},
        {"{'bufferView':0,'componentType':5126,'count':4", "{'bufferView':0,'componentType':5126,'count':3",
         "GLTF-INDEX", PRIMITIVE, "1,'material'", "an index is 3, but there are 3 vertices"},
        {"'mode':4", "'mode':7", "GLTF-STRUCTURE", PRIMITIVE, "7,", "mode must be 0 to 6"},
        {"'count':6", "'count':5", "GLTF-LEFTOVER", PRIMITIVE, "{'attributes'", "5 vertices make no whole triangles"},
        {"'targets':[{'POSITION':7}]}]", "'targets':[{'POSITION':7}]},{'attributes':{'POSITION':0}}]", "GLTF-ATTRIBUTE",
         "meshes[0].primitives[1]", "{'attributes':{'POSITION':0}}",
         "has 0 morph targets, but the first primitive of its mesh has 1"},
        {"'weights':[0]", "'weights':[0,1]", "GLTF-ATTRIBUTE", "meshes[0]", "[0,1]", "2 weights for 1 morph targets"},
        {"'POSITION':0,", "", "GLTF-EMPTY", PRIMITIVE, "{'JOINTS_0'", "without POSITION nothing is drawn"},
    };
    CHECK_ALL_SAID(rows);
}

/* "Meshes": the vertices of each mode. Without a mode they are triangles. */
TEST(vertices_of_each_mode)
{
    static const unsigned least[] = {1, 2, 2, 2, 3, 3, 3}, step[] = {1, 2, 1, 1, 3, 1, 1};
    for (unsigned mode = 0; mode < 8; mode++)
        for (unsigned count = 1; count < 8; count++) {
            const unsigned of = mode < 7 ? mode : 4;
            draft d = {0};
            double indices[8] = {0};
            char rest[300], text[80];
            listener l;
            PUT(&d, "VEC3", F32, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0);
            put(&d, "SCALAR", U16, indices, count, "");
            snprintf(rest, sizeof rest, ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1");
            append(rest, sizeof rest, mode < 7 ? ",'mode':%u}]}]" : "}]}]", mode);
            buffer file = make(&d, rest);
            listen_to(&file, NULL, &l);
            const size_t at = heard(&l, "GLTF-LEFTOVER");
            snprintf(text, sizeof text, "%u vertices make no whole %s", count, of < 4 ? "lines" : "triangles");
            CHECK_INT(at < l.count, count < least[of] || count % step[of] != 0);
            if (at < l.count)
                CHECK_STR(l.texts[at], text);
            buffer_free(&file);
            buffer_free(&d.bin);
        }
}

TEST(nodes)
{
    static const said rows[] = {
        {"'translation':[0,1,0]", "'translation':[0,1]", "GLTF-NODE", "nodes[2]", "[0,1]",
         "translation must be 3 numbers"},
        {"'translation':[0,1,0]", "'scale':[1,2,3,4]", "GLTF-NODE", "nodes[2]", "[1,2,3,4]", "scale must be 3 numbers"},
        {"'translation':[0,1,0]", "'scale':[1,2,3.402823466385289e38]", "GLTF-NODE", "nodes[2]", "[1,2",
         "scale must be 3 numbers"},
        {"'translation':[0,1,0]", "'scale':[-3.402823466385289e38,2,3]", "GLTF-NODE", "nodes[2]", "[-3",
         "scale must be 3 numbers"},
        {"'rotation':[0,0,0,1]", "'rotation':[0,0,1]", "GLTF-NODE", "nodes[2]", "[0,0,1]",
         "rotation must be 4 numbers"},
        {"'name':'low'", "'matrix':[1]", "GLTF-NODE", "nodes[1]", "[1]", "matrix must be 16 numbers"},
        {"'rotation':[0,0,0,1]", "'rotation':[0,0,0,0]", "GLTF-NODE", "nodes[2]", "[0,0,0,0]",
         "a rotation of four zeros is none; no rotation is 0, 0, 0, 1"},
        {"'name':'band'", "'weights':[0,0]", "GLTF-NODE", "nodes[0]", "[0,0]", "2 weights for 1 morph targets"},
        {"'children':[2]", "'children':[2,2]", "GLTF-NODE", "nodes[1].children[1]", "2],",
         "node 2 is a child of node 1 too"},
        {"'children':[2]", "'children':[1]", "GLTF-CYCLE", "nodes[1]", "{'children'", "the node is its own ancestor"},
        {"'joints':[1,2]", "'joints':[]", "GLTF-SKIN", "skins[0]", "[]", "a skin needs joints"},
        {"'joints':[1,2]", "'joints':[1,2,0]", "GLTF-SKIN", "skins[0]", "4,", "2 inverse bind matrices for 3 joints"},
        {"'inverseBindMatrices':4", "'inverseBindMatrices':6", "GLTF-SKIN", "skins[0]", "6,",
         "inverse bind matrices must be MAT4 of floats"},
        {"'joints':[1,2]", "'joints':[1]", "GLTF-SKIN", PRIMITIVE, "2,", "JOINTS_0 names joint 1, but the skin has 1"},
        {"'children':[2],'name':'low'},{", "'mesh':0,'skin':1},{'skin':0,", "GLTF-INDEX", "nodes[1]", "1}",
         "skin is 1, but the skins go from 0 to 0"},
        /* what the specification forbids, but can be read */
        {"'translation':[0,1,0]", "'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]", "GLTF-TRANSFORM", "nodes[2]", "[1,0",
         "a node has a matrix, or translation, rotation and scale, not both"},
        {"'children':[2]", "'children':[2],'skin':0", "GLTF-PROPERTY", "nodes[1]", "0,", "skin needs a mesh"},
        {"'children':[2]", "'children':[2],'weights':[1]", "GLTF-PROPERTY", "nodes[1]", "[1]", "weights needs a mesh"},
        {"'JOINTS_0':2,'WEIGHTS_0':3,", "", "GLTF-SKELETON", "nodes[0]", "0,'name'",
         "mesh 0 has no joints, but its node a skin"},
        {"'nodes':[0,1]}", "'nodes':[0,1,2]}", "GLTF-SCENE", "scenes[0].nodes[2]", "2]",
         "node 2 is not a root: it is a child of node 1"},
        {"'joints':[1,2]", "'joints':[1,0]", "GLTF-SKELETON", "skins[0]", "[1,0]", "the joints have no common root"},
        {"'skeleton':1", "'skeleton':2", "GLTF-SKELETON", "skins[0]", "2}", "node 2 is not above all joints"},
        {"'nodes':[0,1]}", "'nodes':[0]}", "GLTF-SKELETON", "nodes[0]", "0,'name'",
         "the node is in scene 0, but its joints are not"},
        {"'scenes':[{'nodes':[0,1]}]", "'scenes':[{'nodes':[0,1]},{'nodes':[1]},{'nodes':[0]}]", "GLTF-SKELETON",
         "nodes[0]", "0,'name'", "the node is in scene 2, but its joints are not"},
        {"'scene':0",
         "'scene':0,'cameras':[{'type':'orthographic','orthographic':{'xmag':'x','ymag':1,'zfar':2,'znear':1}}]",
         "GLTF-CAMERA", "", "", NULL},
        {"'scene':0",
         "'scene':0,'cameras':[{'type':'orthographic','orthographic':{'xmag':0,'ymag':1,'zfar':2,'znear':1}}]",
         "GLTF-CAMERA", "cameras[0]", "0,'ymag'", "xmag must not be 0"},
        {"'scene':0",
         "'scene':0,'cameras':[{'type':'orthographic','orthographic':{'xmag':1,'ymag':0,'zfar':1,'znear':1}}]",
         "GLTF-CAMERA", "cameras[0]", "0,'zfar'", "ymag must not be 0"},
        {"'scene':0",
         "'scene':0,'cameras':[{'type':'orthographic','orthographic':{'xmag':1,'ymag':0,'zfar':1,'znear':1}}]",
         "GLTF-CAMERA", "cameras[0]", "1,'znear'", "zfar must be greater than znear"},
    };
    CHECK_ALL_SAID(rows);
}

/* The nodes are fine with the largest floats, and a mesh with the fewest joints of its skins is what counts. */
TEST(nodes_that_are_fine)
{
    static const char *const puts[] = {"'scale':[-3.4028234663852886e38,3.4028234663852886e38,1]",
                                       "'rotation':[0,0,0,0.1]", "'rotation':[0.1,0,0,0]", "'rotation':[0,0.1,0,0]",
                                       "'rotation':[0,0,0.1,0]"};
    for (size_t i = 0; i < sizeof puts / sizeof *puts; i++) {
        buffer file = {0};
        listener l;
        gltf_band(&file, i == 0 ? "'translation':[0,1,0]" : "'rotation':[0,0,0,1]", puts[i]);
        listen_to(&file, NULL, &l);
        CHECK_INT(heard(&l, "GLTF-NODE"), l.count);
        buffer_free(&file);
    }
}

static listener listen_to_text(const char *text, trilo_bytes bin)
{
    buffer file = {0};
    listener l;
    gltf_glb(&file, text, bin);
    listen_to(&file, NULL, &l);
    buffer_free(&file);
    return l;
}

TEST(the_smallest_skin_of_a_mesh_counts)
{
    static const char *const skins[] = {"{'joints':[1,2]},{'joints':[1]}", "{'joints':[1]},{'joints':[1,2]}",
                                        "{'joints':[1,2]},{'joints':[2,1]}"};
    buffer bin = {0};
    gltf_band_bytes(&bin);
    for (int i = 0; i < 3; i++) {
        char *nodes = gltf_replaced(gltf_band_text, "'name':'high'", "'mesh':0,'skin':1");
        char *text = gltf_replaced(nodes, "{'joints':[1,2],'inverseBindMatrices':4,'skeleton':1}", skins[i]);
        const listener l = listen_to_text(text, (trilo_bytes){bin.data, bin.size});
        CHECK_INT(heard(&l, "GLTF-SKIN") < l.count, i < 2);
        if (i < 2)
            CHECK_STR(l.texts[heard(&l, "GLTF-SKIN")], "JOINTS_0 names joint 1, but the skin has 1");
        free(nodes);
        free(text);
    }
    buffer_free(&bin);
}

/* A chain of nodes, each below the one before or behind it. */
TEST(levels_of_nodes)
{
    static const struct {
        unsigned nodes, limit; /* 0: the default, 1024 */
    } all[] = {{4, 3}, {4, 4}, {5, 3}, {1024, 0}, {1025, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int down = 0; down < 2; down++) {
            char *text = malloc(40 * (size_t)all[i].nodes + 100), said_text[100];
            CHECK(text);
            size_t used = (size_t)sprintf(text, "{'asset':{'version':'2.0'},'nodes':[");
            for (unsigned k = 0; k < all[i].nodes; k++) {
                const unsigned child = down ? k + 1 : k - 1;
                used += (size_t)sprintf(text + used, child < all[i].nodes ? "%s{'children':[%u]}" : "%s{}",
                                        k > 0 ? "," : "", child);
            }
            sprintf(text + used, "]}");
            buffer file = {0};
            listener l;
            gltf_text(&file, text);
            listen_to(&file, &(trilo_load_opts){.limits.depth = all[i].limit}, &l);
            const unsigned limit = all[i].limit ? all[i].limit : 1024, at = (unsigned)heard(&l, "GLTF-DEPTH");
            CHECK_INT(at<l.count, all[i].nodes> limit);
            /* From the top, the first one that is too deep; from the bottom, that. */
            snprintf(said_text, sizeof said_text, "the node is %u levels deep, the limit is %u",
                     down ? limit + 1 : all[i].nodes, limit);
            if (at < l.count)
                CHECK_STR(l.texts[at], said_text);
            buffer_free(&file);
            free(text);
        }
}

#define SAMPLER "animations[0].samplers[0]"
#define CHANNEL "animations[0].channels[0]"

TEST(animations)
{
    static const said rows[] = {
        {"'input':5", "'input':0", "GLTF-ANIMATION", SAMPLER, "0,", "times must be SCALAR of floats"},
        {"'componentType':5126,'count':2,'type':'SCALAR','min':[0],'max':[0.5]",
         "'componentType':5126,'count':0,'type':'SCALAR','min':[0],'max':[0.5]", "GLTF-ANIMATION", SAMPLER, "5,",
         "an animation needs at least one key"},
        {"'LINEAR'", "'SMOOTH'", "GLTF-ANIMATION", SAMPLER, "'SMOOTH'",
         "interpolation must be LINEAR, STEP or CUBICSPLINE"},
        {"'LINEAR'", "'CUBICSPLINE'", "GLTF-ANIMATION", CHANNEL, "{'sampler':0",
         "its sampler has 2 values, 6 are needed for 2 keys"},
        {"'STEP'", "'CUBICSPLINE'", "GLTF-ANIMATION", "animations[0].channels[1]", "{'sampler':1",
         "its sampler has 2 values, 6 are needed for 2 keys"},
        {"'path':'rotation'", "'path':'translation'", "GLTF-ANIMATION", CHANNEL, "{'sampler':0",
         "the values of its sampler are of a type that cannot move a translation"},
        {"'output':6", "'output':8", "GLTF-ANIMATION", CHANNEL, "{'sampler':0",
         "the values of its sampler are of a type that cannot move a rotation"},
        {"'path':'weights'", "'path':'scale'", "GLTF-ANIMATION", "animations[0].channels[1]", "{'sampler':1",
         "the values of its sampler are of a type that cannot move a scale"},
        {"'node':0,'path':'weights'", "'node':1,'path':'weights'", "GLTF-ANIMATION", "animations[0].channels[1]",
         "{'sampler':1", "its sampler has 2 values, 0 are needed for 2 keys"},
        {"[{'POSITION':7}]}],'weights':[0]", "[{'POSITION':7},{},{}]}]", "GLTF-ANIMATION", "animations[0].channels[1]",
         "{'sampler':1", "its sampler has 2 values, 6 are needed for 2 keys"},
        {"{'sampler':1,", "{'sampler':2,", "GLTF-INDEX", "animations[0].channels[1]", "2,",
         "sampler is 2, but the animation has 2"},
        {"'node':2,", "", "GLTF-LOST-CHANNEL", CHANNEL, "{'path'", "it has no target node"},
        {"'path':'rotation'", "'path':'pointer'", "GLTF-LOST-CHANNEL", CHANNEL, "{'node'",
         "it moves something other than a node or morph targets"},
        {"{'sampler':1,'target':{'node':0,'path':'weights'}}", "{'sampler':0,'target':{'node':2,'path':'rotation'}}",
         "GLTF-KEYS", "animations[0].channels[1]", "[{'sampler':0",
         "drives the same target as channel 0 and is ignored"},
        /* what the specification forbids, but can be read */
        {"'min':[0],'max':[0.5]", "'max':[0.5]", "GLTF-BOUNDS", SAMPLER, "5,",
         "an accessor of times must have min and max"},
        {"'min':[0],'max':[0.5]", "'min':[0]", "GLTF-BOUNDS", "animations[0].samplers[1]", "5,",
         "an accessor of times must have min and max"},
        {"'componentType':5126,'count':2,'type':'SCALAR','min':[0],'max':[0.5]",
         "'componentType':5126,'normalized':true,'count':2,'type':'SCALAR','min':[0],'max':[0.5]", "GLTF-FORMAT",
         SAMPLER, "5,", "times must be SCALAR of floats"},
        {"{'translation':[0,1,0],'rotation':[0,0,0,1]", "{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]", "GLTF-TRANSFORM",
         CHANNEL, "2,'path'", "node 2 has a matrix, only translation, rotation and scale can be animated"},
        {"'node':0,'path':'weights'", "'node':1,'path':'weights'", "GLTF-REFERENCE", "animations[0].channels[1]",
         "1,'path'", "node 1 has no mesh with morph targets"},
        {"{'bufferView':6,'componentType':5126,", "{'bufferView':6,'componentType':5122,", "GLTF-FORMAT", CHANNEL,
         "{'sampler':0", "the values of its sampler must be floats or normalized integers"},
        {"'input':5,'output':8,'interpolation':'STEP'", "'input':8,'output':8,'interpolation':'STEP'", "GLTF-USAGE",
         "animations[0].samplers[1]", "8,'interpolation'", "uses accessor 8 for key values, but it is for key times"},
    };
    CHECK_ALL_SAID(rows);
}

/* Of floats or normalized integers, three numbers or four or one. */
TEST(values_of_channels)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"}, *const types[] = {
                                                                                            "VEC3", "VEC4", "VEC3",
                                                                                            "SCALAR"};
    static const int components[] = {S8, U8, S16, U16, F32};
    for (int path = 0; path < 4; path++)
        for (int type = 0; type < 4; type++)
            for (int k = 0; k < 10; k++) {
                const int component = components[k / 2];
                const bool normalized = k % 2, floats = component == F32;
                draft d = {0};
                double values[8] = {0};
                char rest[600];
                listener l;
                PUT(&d, "SCALAR", F32, 2, 0, 1);
                put(&d, types[type], component, values, 2, normalized ? ",'normalized':true" : "");
                PUT(&d, "VEC3", F32, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0);
                snprintf(rest, sizeof rest,
                         ONE_NODE
                         "'meshes':[{'primitives':[{'attributes':{'POSITION':2},'targets':[{'POSITION':2}]}]}],"
                         "'animations':[{'samplers':[{'input':0,'output':1}],'channels':[{'sampler':0,'target':"
                         "{'node':0,'path':'%s'}}]}]",
                         paths[path]);
                buffer file = make(&d, rest);
                listen_to(&file, NULL, &l);
                const bool width = strcmp(types[path], types[type]) == 0;
                const bool accepted = width && (floats || path % 2 == 1);
                const bool conforms = accepted && floats != normalized;
                bool told = false;
                for (size_t i = 0; i < l.count; i++)
                    told |= strcmp(l.rules[i], "GLTF-FORMAT") == 0 && strcmp(l.paths[i], CHANNEL) == 0;
                CHECK_INT(heard(&l, "GLTF-ANIMATION") == l.count, accepted);
                CHECK_INT(told, accepted && !conforms); /* an error says enough */
                buffer_free(&file);
                buffer_free(&d.bin);
            }
}

#define LAST_VIEW     "{'buffer':0,'byteOffset':284,'byteLength':16}]"
#define MORE_VIEW     "{'buffer':0,'byteOffset':284,'byteLength':16},"
#define LAST_ACCESSOR "'normalized':true,'count':4,'type':'VEC2'}]"
#define MORE_ACCESSOR "'normalized':true,'count':4,'type':'VEC2'},"

TEST(views_and_accessors)
{
    static const said rows[] = {
        {LAST_VIEW, MORE_VIEW "{'buffer':0,'byteLength':48,'byteStride':3}]", "GLTF-STRIDE", "bufferViews[11]", "3}",
         "byteStride is 3, it must be 4 to 252 in steps of 4"},
        {LAST_VIEW, MORE_VIEW "{'buffer':0,'byteLength':48,'byteStride':6}]", "GLTF-STRIDE", "bufferViews[11]", "6}",
         "byteStride is 6, it must be 4 to 252 in steps of 4"},
        {LAST_VIEW, MORE_VIEW "{'buffer':0,'byteLength':300,'byteStride':256}]", "GLTF-STRIDE", "bufferViews[11]",
         "256}", "byteStride is 256, it must be 4 to 252 in steps of 4"},
        {LAST_VIEW, MORE_VIEW "{'buffer':0,'byteLength':48,'byteStride':52}]", "GLTF-STRIDE", "bufferViews[11]", "52}",
         "byteStride is 52, more than the byteLength of 48"},
        {LAST_VIEW, MORE_VIEW "{'buffer':0,'byteLength':48,'byteStride':4,'target':34963}]", "GLTF-STRIDE",
         "bufferViews[11]", "4,", "byteStride is only for vertex attributes, not for indices"},
        {"{'bufferView':1,'componentType':5123,'count':6",
         "{'bufferView':1,'byteOffset':1,'componentType':5123,'count':3", "GLTF-ALIGNMENT", "accessors[1]",
         "1,'componentType'", "byteOffset is 1, it must be a multiple of 2"},
        {"'byteOffset':48,'byteLength':12", "'byteOffset':47,'byteLength':12", "GLTF-ALIGNMENT", "accessors[1]",
         "{'bufferView':1", "starts at byte 47 of its buffer, which must be a multiple of 2"},
        {LAST_ACCESSOR, MORE_ACCESSOR "{'bufferView':4,'byteOffset':2,'componentType':5121,'count':1,'type':'MAT2'}]",
         "GLTF-ALIGNMENT", "accessors[10]", "2,'componentType'", "byteOffset is 2, it must be a multiple of 4"},
        {"'byteOffset':272,'byteLength':1", "'byteOffset':272,'byteLength':4,'byteStride':4", "GLTF-STRIDE",
         "accessors[7].sparse", "8,'componentType'",
         "bufferView 8 has a byteStride, which only vertex attributes may have"},
        {"'byteOffset':284,'byteLength':16", "'byteOffset':284,'byteLength':16,'target':34963", "GLTF-USAGE",
         ATTRIBUTES, "9}", "uses bufferView 10 for vertices, but it is for indices"},
        {"'byteOffset':48,'byteLength':12", "'byteOffset':48,'byteLength':12,'target':34962", "GLTF-USAGE", PRIMITIVE,
         "1,'material'", "uses bufferView 1 for indices, but it is for vertices"},
        {"'byteOffset':92,'byteLength':128", "'byteOffset':92,'byteLength':128,'target':34962", "GLTF-USAGE",
         "skins[0]", "4,", "uses bufferView 4 for inverse bind matrices, but it is for vertices"},
        {"'byteOffset':220,'byteLength':8", "'byteOffset':220,'byteLength':8,'target':34963", "GLTF-USAGE", SAMPLER,
         "5,", "uses bufferView 5 for other data, but it is for indices"},
        {"'images':[", "'images':[{'bufferView':0,'mimeType':'image/png'},", "GLTF-USAGE", ATTRIBUTES, "0,",
         "uses bufferView 0 for vertices, but it is for an image"},
        {"'images':[", "'images':[{'bufferView':0,'mimeType':'image/png'},", "GLTF-STRIDE", "images[0]", "0,",
         "the bufferView of an image must not have a byteStride"},
        {"'images':[", "'images':[{'bufferView':1},", "GLTF-PROPERTY", "images[0]", "{'bufferView'",
         "an image in a bufferView needs a mimeType"},
        {"'images':[", "'images':[{'uri':'a.png','bufferView':1,'mimeType':'image/png'},", "GLTF-PROPERTY", "images[0]",
         "{'uri'", "an image has either a uri or a bufferView"},
        {"'byteOffset':48,'byteLength':12", "'byteOffset':48,'byteLength':24,'byteStride':4", "GLTF-STRIDE", PRIMITIVE,
         "1,'material'", "bufferView 1 has a byteStride, which only vertex attributes may have"},
        {"'TEXCOORD_0':9", "'TEXCOORD_0':9,'_A':2,'_B':3", "GLTF-WEIGHTS", "", "", NULL},
        {"{'bufferView':6,'componentType':5126", "{'bufferView':6,'normalized':true,'componentType':5126",
         "GLTF-FORMAT", "accessors[6]", "true", "only accessors of 8 and 16 bits can be normalized"},
        {"'TEXCOORD_0':9", "'COLOR_1':9", "GLTF-SEMANTIC", ATTRIBUTES, "{'POSITION'",
         "COLOR has 1 sets, the last one is number 1; they must be numbered from 0 without gaps"},
        {"'TEXCOORD_0':9", "'TEXCOORD_0':9,'TEXCOORD_100000':9", "GLTF-SEMANTIC", ATTRIBUTES, "{'POSITION'",
         "TEXCOORD has 2 sets, the last one is number 100000; they must be numbered from 0 without gaps"},
        {"'TEXCOORD_0':9", "'TEXCOORD_0':9,'TEXCOORD_2':9", "GLTF-SEMANTIC", ATTRIBUTES, "{'POSITION'",
         "TEXCOORD has 2 sets, the last one is number 2; they must be numbered from 0 without gaps"},
        {"'WEIGHTS_0':3", "'WEIGHTS_1':3", "GLTF-SEMANTIC", ATTRIBUTES, "{'POSITION'",
         "WEIGHTS has 1 sets, the last one is number 1; they must be numbered from 0 without gaps"},
        {"'WEIGHTS_0':3", "'WEIGHTS_0':3,'JOINTS_1':2", "GLTF-SEMANTIC", ATTRIBUTES, "{'POSITION'",
         "2 sets of joints, but 1 of weights"},
        {"{'POSITION':7}", "{'POSITION':7,'NORMAL':7}", "GLTF-MORPH", PRIMITIVE ".targets[0]", "7}]",
         "NORMAL is not an attribute of the primitive"},
        {"{'POSITION':7}", "{'POSITION':7,'TEXTURE':7}", "GLTF-SEMANTIC", PRIMITIVE ".targets[0]", "7}]",
         "TEXTURE is not the name of an attribute; those of an application start with an underscore"},
        {"'TEXCOORD_0':9", "'TEXCOORD_0':9,'TEXTURE':9", "GLTF-SEMANTIC", ATTRIBUTES, "9}",
         "TEXTURE is not the name of an attribute; those of an application start with an underscore"},
        {"'min':[0,0,0],'max':[1,1,0]", "'min':[0,0,0]", "GLTF-BOUNDS", ATTRIBUTES, "0,",
         "an accessor of positions must have min and max"},
        {"{'bufferView':1,'componentType':5123,'count':6",
         "{'bufferView':1,'normalized':true,'componentType':5123,'count':6", "GLTF-FORMAT", PRIMITIVE, "1,'material'",
         "indices must be SCALAR, unsigned and not normalized"},
        {"'byteOffset':284,'byteLength':16", "'byteOffset':284,'byteLength':16,'byteStride':4", "GLTF-ALIGNMENT", "",
         "", NULL},
    };
    CHECK_ALL_SAID(rows);
}

/* Elements start at multiples of 4 bytes: the offset is one, and without a stride the size of an element. */
TEST(attributes_at_multiples_of_4)
{
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    static const int components[] = {U8, U16, F32};
    for (unsigned k = 0; k < 12; k++)
        for (unsigned offset = 0; offset <= 8; offset += 2)
            for (int stride = 0; stride < 2; stride++) {
                const unsigned size = (unsigned)size_of(components[k / 4]);
                draft d = {0};
                double zeros[80] = {0};
                listener l;
                if (offset % size != 0) /* reported otherwise */
                    continue;
                PUT(&d, "VEC3", F32, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0);
                put(&d, "SCALAR", U8, zeros, 80, "");
                append(d.views, sizeof d.views, ",{'buffer':0,'byteOffset':36,'byteLength':80%s}",
                       stride ? ",'byteStride':16" : "");
                append(d.accessors, sizeof d.accessors,
                       ",{'bufferView':2,'byteOffset':%u,'componentType':%d,'count':3,'type':'%s'}", offset,
                       components[k / 4], types[k % 4]);
                buffer file = make(&d, ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'_A':2}}]}]");
                listen_to(&file, NULL, &l);
                const size_t at = heard(&l, "GLTF-ALIGNMENT");
                CHECK_INT(at < l.count, offset % 4 != 0 || (!stride && (k % 4 + 1) * size % 4 != 0));
                if (at < l.count)
                    CHECK_STR(l.texts[at], "the elements of vertex attributes must start at multiples of 4 bytes");
                buffer_free(&file);
                buffer_free(&d.bin);
            }
}

/* The views are fine at the ends of the range. */
TEST(strides_that_are_fine)
{
    static const char *const views[] = {"{'buffer':0,'byteLength':48,'byteStride':4}]",
                                        "{'buffer':0,'byteLength':252,'byteStride':252}]",
                                        "{'buffer':0,'byteLength':48,'byteStride':4,'target':34962}]"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        char put[200];
        buffer file = {0};
        listener l;
        snprintf(put, sizeof put, MORE_VIEW "%s", views[i]);
        gltf_band(&file, LAST_VIEW, put);
        listen_to(&file, NULL, &l);
        CHECK_INT(l.count, 0);
        buffer_free(&file);
    }
}

/* ---- weights ---- */

enum { WEIGHED = 24 };

/* Vertices with one or two sets of weights; what is wrong with them is counted as the specification says: of a joint
 * that is there twice, the first weight counts, component by component. */
static void check_weights(draft *d, uint32_t sets, double joints[2][WEIGHED][4], double weights[2][WEIGHED][4])
{
    uint32_t sums = 0, negative = 0, twice = 0, first = WEIGHED;
    char rest[500], text[208];
    for (uint32_t v = 0; v < WEIGHED; v++) {
        double sum = 0, used[8];
        uint32_t count = 0;
        bool is_negative = false, is_twice = false;
        for (uint32_t k = 0; k < 4; k++)
            for (uint32_t i = 0; i < sets; i++) {
                bool known = false;
                for (uint32_t u = 0; u < count; u++)
                    known |= used[u] == joints[i][v][k];
                if (weights[i][v][k] == 0)
                    continue;
                is_negative |= weights[i][v][k] < 0;
                is_twice |= known;
                if (known)
                    continue;
                used[count++] = joints[i][v][k];
                sum += weights[i][v][k] > 0 ? weights[i][v][k] : 0;
            }
        sums += sum != 1, negative += is_negative, twice += is_twice;
        first = first == WEIGHED && (sum != 1 || is_negative || is_twice) ? v : first;
    }
    snprintf(rest, sizeof rest,
             "'nodes':[{'mesh':0,'skin':0},{},{}],'skins':[{'joints':[0,1,2]}],'scenes':[{'nodes':[0,1,2]}],"
             "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2%s}}]}]",
             sets > 1 ? ",'JOINTS_1':3,'WEIGHTS_1':4" : "");
    buffer file = make(d, rest);
    listener l;
    listen_to(&file, NULL, &l);
    const size_t at = heard(&l, "GLTF-WEIGHTS");
    snprintf(text, sizeof text,
             "vertices whose weights do not add up to 1: %u, with a negative weight: %u, with a joint twice: %u; the "
             "first is vertex %u",
             sums, negative, twice, first);
    CHECK_INT(at < l.count, first < WEIGHED);
    if (at < l.count)
        CHECK_STR(l.texts[at], text);
    buffer_free(&file);
    buffer_free(&d->bin);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

TEST(weights_that_add_up)
{
    static const double values[] = {0, 0.25, 0.5, 0.25, 0, 0.5, 0.75, 1, 0, 0, -0.25, 0};
    uint32_t state = 1;
    for (int round = 0; round < 60; round++) {
        const uint32_t sets = 1 + (uint32_t)round % 2;
        const bool floats = round % 3 != 0, mild = round % 4 == 3; /* 255 and 0 are 1 and 0 */
        double joints[2][WEIGHED][4], weights[2][WEIGHED][4], stored[WEIGHED * 4], positions[WEIGHED * 3] = {0};
        draft d = {0};
        put(&d, "VEC3", F32, positions, WEIGHED, "");
        for (uint32_t i = 0; i < sets; i++) {
            for (uint32_t v = 0; v < WEIGHED; v++)
                for (uint32_t k = 0; k < 4; k++) {
                    const double weight = mild ? i == 0 && k == v % 4 : values[next_random(&state) % (floats ? 12 : 9)];
                    joints[i][v][k] = next_random(&state) % 3;
                    weights[i][v][k] = floats ? weight : weight >= 0.5;
                    stored[4 * v + k] = floats ? weight : weight >= 0.5 ? 255 : 0;
                }
            put(&d, "VEC4", round % 5 == 0 ? U16 : U8, &joints[i][0][0], WEIGHED, "");
            put(&d, "VEC4", floats ? F32 : U8, stored, WEIGHED, floats ? "" : ",'normalized':true");
        }
        check_weights(&d, sets, joints, weights);
    }
}

/* Bytes as joints and floats as weights, as most files have them: a negative weight at each of the four places, once
 * balanced by those of other joints, and once as large as can be. */
TEST(negative_weights_at_every_place)
{
    for (uint32_t place = 0; place < 8; place++) {
        double joints[2][WEIGHED][4], weights[2][WEIGHED][4] = {{{0}}}, positions[WEIGHED * 3] = {0};
        draft d = {0};
        for (uint32_t v = 0; v < WEIGHED; v++)
            for (uint32_t k = 0; k < 4; k++) {
                joints[0][v][k] = k < 3 ? k : 0;
                weights[0][v][k] = k == v % 4;
            }
        double *odd = weights[0][5];
        for (uint32_t k = 0; k < 4; k++) {
            joints[0][5][(place + k) % 4] = k < 3 ? k : 0;
            odd[(place + k) % 4] =
                place < 4 ? (const double[]){-0.25, 0.75, 0.5, 0}[k] : (const double[]){-1, 2, 0, 0}[k];
        }
        put(&d, "VEC3", F32, positions, WEIGHED, "");
        put(&d, "VEC4", U8, &joints[0][0][0], WEIGHED, "");
        put(&d, "VEC4", F32, &weights[0][0][0], WEIGHED, "");
        check_weights(&d, 1, joints, weights);
    }
}

/* A sum may be off by 2e-7 for each weight in it, so by 1, 3 and 6 units in the last place of 1. */
TEST(rounding_of_weights)
{
    static const double allowed[] = {0, 1, 3, 0, 6};
    for (uint32_t count = 1; count <= 4; count += count)
        for (int off = 0; off < 4; off++)
            for (int component = 0; component < 2; component++) {
                draft d = {0};
                listener l;
                const double units = allowed[count] + (off % 2), sign = off < 2 ? 1 : -1;
                double weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
                for (uint32_t k = 0; k < count; k++)
                    weights[4 + k] = 1.0 / count;
                weights[4 + count - 1] += sign * units / 8388608;
                PUT(&d, "VEC3", F32, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0);
                PUT(&d, "VEC4", component ? U16 : U8, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
                put(&d, "VEC4", F32, weights, 3, "");
                buffer file = make(&d, "'nodes':[{'mesh':0,'skin':0}],'skins':[{'joints':[0]}],'meshes':[{'primitives':"
                                       "[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}}]}]");
                listen_to(&file, NULL, &l);
                CHECK_INT(heard(&l, "GLTF-WEIGHTS") < l.count, off % 2 == 1);
                buffer_free(&file);
                buffer_free(&d.bin);
            }
}

/* ---- texture coordinates, colours, tangents ---- */

TEST(texture_coordinates_that_materials_need)
{
    static const char *const keys[] = {"normalTexture", "occlusionTexture", "emissiveTexture", "baseColorTexture",
                                       "metallicRoughnessTexture"};
    for (int key = 0; key < 5; key++)
        for (int set = -1; set < 3; set++)
            for (int sets = 0; sets < 3; sets++) {
                draft d = {0};
                char rest[800], info[64] = "'index':0", text[100];
                listener l;
                if (set >= 0)
                    append(info, sizeof info, ",'texCoord':%d", set);
                PUT(&d, "VEC3", F32, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0);
                PUT(&d, "VEC2", F32, 3, 0, 0, 1, 0, 0, 1);
                snprintf(rest, sizeof rest,
                         ONE_NODE "'textures':[{}],'materials':[{%s'%s':{%s}%s}],'meshes':[{'primitives':"
                                  "[{'attributes':{'POSITION':0%s%s},'material':0}]}]",
                         key > 2 ? "'pbrMetallicRoughness':{" : "", keys[key], info, key > 2 ? "}" : "",
                         sets > 0 ? ",'TEXCOORD_0':1" : "", sets > 1 ? ",'TEXCOORD_1':1" : "");
                buffer file = make(&d, rest);
                listen_to(&file, NULL, &l);
                const int needed = set < 0 ? 0 : set;
                const size_t at = heard(&l, "GLTF-TEXCOORD");
                snprintf(text, sizeof text, "the %s of its material needs TEXCOORD_%d", keys[key], needed);
                CHECK_INT(at < l.count, needed >= sets);
                if (at < l.count)
                    CHECK_STR(l.texts[at], text);
                buffer_free(&file);
                buffer_free(&d.bin);
            }
}

/* Only COLOR_0 must be from 0 to 1, and only normals of vertices have length 1: those of targets are differences. */
TEST(elements_that_may_be_anything)
{
    draft d = {0};
    listener l;
    PUT(&d, "VEC3", F32, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0);
    PUT(&d, "VEC3", F32, 3, 0, 0, 1, 0, 1, 0, 1, 0, 0);
    PUT(&d, "VEC3", F32, 3, 2, 0, 0, -1, 0, 0, 3, 3, 3);
    PUT(&d, "VEC3", F32, 3, 1, 0, 0.5, 1, 0, 0, 0, 1, 0);
    buffer file = make(&d, ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'COLOR_0':3,"
                                    "'COLOR_1':2},'targets':[{'NORMAL':2,'COLOR_0':2}]}]}]");
    listen_to(&file, NULL, &l);
    CHECK_INT(heard(&l, "GLTF-COLOR"), l.count);
    CHECK_INT(heard(&l, "GLTF-UNIT"), l.count);
    buffer_free(&file);
    buffer_free(&d.bin);
}

/* ---- images ---- */

/* What is wrong with the data of an image; "": nothing. */
static const char *image_problem(const uint8_t *bytes, size_t size, const char *type)
{
    static char text[208];
    draft d = {0};
    double numbers[256];
    char rest[200];
    listener l;
    for (size_t i = 0; i < size; i++)
        numbers[i] = bytes[i];
    put(&d, "SCALAR", U8, numbers, size, "");
    snprintf(rest, sizeof rest, "'images':[{'bufferView':0,'mimeType':'%s'}]", type);
    buffer file = make(&d, rest);
    listen_to(&file, NULL, &l);
    const size_t at = heard(&l, "GLTF-IMAGE-DATA");
    snprintf(text, sizeof text, "%s", at < l.count ? l.texts[at] : "");
    CHECK_INT(heard(&l, "GLTF-MIME"), l.count);
    buffer_free(&file);
    buffer_free(&d.bin);
    return text;
}

/* Chunks as "IHDR13": a PNG file with them, zero-filled; without the content of the last one. */
static size_t make_png(const char *chunks, uint8_t *out)
{
    static const uint8_t sign[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    size_t size = 8, end = 8;
    memset(out, 0, 256);
    memcpy(out, sign, 8);
    for (unsigned length; *chunks; chunks += strcspn(chunks, " "), chunks += *chunks == ' ') {
        CHECK(sscanf(chunks + 4, "%u", &length) == 1 && size + 12 + length <= 256);
        out[size + 3] = (uint8_t)length;
        memcpy(out + size + 4, chunks, 4);
        end = size + 8;
        size += 12 + length;
    }
    return end;
}

TEST(chunks_of_png)
{
    static const struct {
        const char *chunks, *problem;
    } all[] = {{"IHDR13 IDAT9", ""},
               {"IHDR13 tEXt5 IDAT0", ""},
               {"sRGB1 IHDR13 IDAT0", ""},
               {"sRGB1 IDAT0", "the image has no IHDR chunk in front of its pixels"},
               {"IDAT0 IHDR13 IDAT0", "the image has no IHDR chunk in front of its pixels"},
               {"IHDR12 IDAT0", "the image has a chunk of the wrong length"},
               {"IHDR14 IDAT0", "the image has a chunk of the wrong length"},
               {"IHDR13 cHRM32 IDAT0", ""},
               {"IHDR13 cHRM31 IDAT0", "the image has a chunk of the wrong length"},
               {"IHDR13 cHRM33 IDAT0", "the image has a chunk of the wrong length"},
               {"IHDR13 sRGB0 IDAT0", "the image has a chunk of the wrong length"},
               {"IHDR13 sRGB2 IDAT0", "the image has a chunk of the wrong length"},
               {"IHDR13 pHYs9 IDAT0", ""},
               {"IHDR13 pHYs8 IDAT0", "the image has a chunk of the wrong length"},
               {"IHDR13 pHYs10 IDAT0", "the image has a chunk of the wrong length"},
               {"IHDR13 gAMA4 IDAT0", ""},
               {"IHDR13 gAMA3 IDAT0", "the image has a chunk of the wrong length"},
               {"IHDR13 gAMA5 IDAT0", "the image has a chunk of the wrong length"},
               {"IHDR13 tEXt5", "the image ends before its pixels"}};
    uint8_t bytes[256];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        CHECK_STR(image_problem(bytes, make_png(all[i].chunks, bytes), "image/png"), all[i].problem);
    const size_t whole = make_png("IHDR13 gAMA4 IDAT0", bytes);
    for (size_t size = 14; size <= whole; size++)
        CHECK_STR(image_problem(bytes, size, "image/png"), size < whole ? "the image ends before its pixels" : "");
}

/* Behind the start of image comes a segment of each kind, then a frame with three channels. Frames are C0 to CF without
 * tables (C4), extensions (C8) and arithmetic coding (CC), and DE. */
TEST(segments_of_jpeg)
{
    for (unsigned marker = 0; marker < 256; marker++) {
        const bool frame =
            (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC) || marker == 0xDE;
        const bool empty = marker == 1 || (marker >= 0xD0 && marker <= 0xD9) || marker == 0xFF;
        for (uint8_t channels = 0; channels < 5; channels++) {
            const uint8_t segment[] = {0, 8, 8, 0, 1, 0, 1, channels},
                          end[] = {0xFF, 0xC0, 0, 8, 8, 0, 1, 0, 1, 3, 0, 0};
            uint8_t bytes[64] = {0xFF, 0xD8, 0xFF, (uint8_t)marker};
            size_t size = 4;
            if (!empty)
                memcpy(bytes + size, segment, sizeof segment), size += sizeof segment;
            memcpy(bytes + size, end, sizeof end);
            CHECK_STR(image_problem(bytes, size + sizeof end, "image/jpeg"),
                      frame && channels != 1 && channels != 3 ? "the image must have 1 or 3 colour channels" : "");
        }
    }
    uint8_t bytes[20] = {0xFF, 0xD8, 0xFF, 0xE0, 0, 2, 0xFF, 0xC0, 0, 8, 8, 0, 1, 0, 1, 3};
    for (size_t size = 14; size <= 16; size++)
        CHECK_STR(image_problem(bytes, size, "image/jpeg"), size < 16 ? "the image ends before its pixels" : "");
    bytes[5] = 1;
    CHECK_STR(image_problem(bytes, 16, "image/jpeg"), "the image has a segment of the wrong length");
    bytes[5] = 2, bytes[9] = 7;
    CHECK_STR(image_problem(bytes, 16, "image/jpeg"), "the image must have 1 or 3 colour channels");
}

TEST(names_of_image_files)
{
    static const struct {
        const char *uri;
        bool valid;
    } all[] = {{"a.png", true}, {"a%20b.png", true}, {"%41", true},  {"a%fF", true}, {"a%2", false}, {"a%", false},
               {"a%4g", false}, {"a%g4", false},     {"1:b", false}, {"a:b", true},  {"Z:b", true},  {"a/1:b", true},
               {"1/a:b", true}, {"@:b", false},      {"{:b", false}, {"%41%", false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[200], want[100];
        snprintf(text, sizeof text, "{'asset':{'version':'2.0'},'images':[{'uri':'%s'}]}", all[i].uri);
        const listener l = listen_to_text(text, (trilo_bytes){NULL, 0});
        const size_t at = heard(&l, "GLTF-IMAGE-URI");
        snprintf(want, sizeof want, "%s is not a valid URI", all[i].uri);
        if ((at < l.count) == all[i].valid)
            FAIL("%s", all[i].uri);
        if (at < l.count)
            CHECK_STR(l.texts[at], want);
    }
}

TEST_MAIN(CASE(members_and_indices), CASE(meshes), CASE(vertices_of_each_mode), CASE(nodes), CASE(nodes_that_are_fine),
          CASE(the_smallest_skin_of_a_mesh_counts), CASE(levels_of_nodes), CASE(animations), CASE(values_of_channels),
          CASE(views_and_accessors), CASE(attributes_at_multiples_of_4), CASE(strides_that_are_fine),
          CASE(weights_that_add_up), CASE(negative_weights_at_every_place), CASE(rounding_of_weights),
          CASE(texture_coordinates_that_materials_need), CASE(elements_that_may_be_anything), CASE(chunks_of_png),
          CASE(segments_of_jpeg), CASE(names_of_image_files))

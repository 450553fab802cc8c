/* What the check of a glTF file says: the whole sentence, with its numbers, and the byte that it is about. */
#include "harness.h"
#include "support/findings.h"
#include "support/gltf_draft.h"

#include <stdlib.h>

/* A change of the band, and a finding that follows from it. */
typedef struct said {
    const char *find, *put;
    const char *rule, *path;
    const char *at; /* the text of the file from the byte of the finding on */
    const char *text;
} said;

static void check_said(const said *s, const buffer *file, const listener *l)
{
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
        {"'node':2,", "", "GLTF-LOST-CHANNEL", CHANNEL, "{'path'", "it names no node that it would move"},
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

TEST_MAIN(CASE(members_and_indices), CASE(meshes), CASE(vertices_of_each_mode), CASE(nodes), CASE(nodes_that_are_fine),
          CASE(the_smallest_skin_of_a_mesh_counts), CASE(levels_of_nodes), CASE(animations), CASE(values_of_channels))

/* The garden: a file with one of nearly everything that decoding makes room for. */
#include "support/fast64_files.h"
#include "support/gltf_draft.h"

#include <stdlib.h>

#define PIXEL                                                                                                          \
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP43+AAAARBAcAM0e2RAAAAAElFTkSu"   \
    "QmCC"

static void put_patch(draft *d) /* accessors 0 to 4 */
{
    put(d, "VEC3", F32, (const double[]){0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4,  0, 0, 5,  0, 0,
                                         6, 0, 0, 7, 0, 0, 8, 0, 0, 9, 0, 0, 10, 0, 0, 11, 0, 0},
        12, ",'sparse':{'count':2,'indices':{'bufferView':1,'componentType':5121},'values':{'bufferView':2}}");
    PUT(d, "SCALAR", U8, 2, 3, 9);
    PUT(d, "VEC3", F32, 2, 30, 1, 2, 90, 3, 4);
    PUT(d, "SCALAR", U8, 3, 9, 3, 5);
    PUT_NORMALIZED(d, "VEC4", U8, 12, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                   23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47);
}

static void put_flower(draft *d) /* accessors 5 to 15 */
{
    PUT(d, "VEC3", F32, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0);
    PUT(d, "VEC3", F32, 3, 0, 0, 1, 0, 0, 1, 0, 0, 1);
    PUT(d, "VEC3", F32, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    PUT(d, "VEC3", F32, 3, 0, 2, 0, 0, 0, 0, 0, 0, 4);
    PUT(d, "VEC3", F32, 3, 0, 0, 0, 0, 0, 0, 1, 0, 0);
    PUT(d, "VEC4", U8, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0);
    PUT(d, "VEC4", F32, 3, 0.5, 0.25, 0, 0, 0.5, 0.25, 0, 0, 1, 0, 0, 0);
    PUT(d, "VEC4", U8, 3, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
    PUT(d, "VEC4", F32, 3, 0.25, 0, 0, 0, 0.25, 0, 0, 0, 0, 0, 0, 0);
    PUT(d, "VEC2", F32, 3, 0, 0, 1, 0, 0, 1);
    PUT(d, "MAT4", F32, 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0,
        1);
}

static void put_motion(draft *d) /* accessors 16 to 22 */
{
    PUT(d, "SCALAR", F32, 2, 0, 0.0625);
    PUT(d, "VEC3", F32, 6, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0);
    PUT(d, "VEC4", F32, 2, 0, 0, 0, 2, 0, 0, 3, 0);
    PUT(d, "SCALAR", F32, 3, 0, 1, 1); /* the last key is too late */
    PUT(d, "VEC3", F32, 3, 1, 1, 1, 2, 2, 2, 3, 3, 3);
    PUT(d, "SCALAR", F32, 12, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0.5, 0, 0);
    PUT(d, "VEC3", F32, 2, 0, 0, 5, 0, 0, 6); /* instances */
}

#define GARDEN_NODES                                                                                                   \
    "'extensionsUsed':['A','KHR_node_visibility','EXT_mesh_gpu_instancing','KHR_materials_unlit'],'extras':{'r':1},"   \
    "'extensions':{'A':2},'scenes':[{'nodes':[1,2,3,4],'extras':{'s':1}}],'nodes':[{'name':'tip',"                     \
    "'translation':[0,1,0]},{'name':'stem','children':[0]},{'name':'flower','mesh':0,'skin':0,'weights':[0.5,1]},"     \
    "{'name':'patch','mesh':1,'extras':{'n':1},'extensions':{'A':1,'EXT_mesh_gpu_instancing':"                         \
    "{'attributes':{'TRANSLATION':22}}}},{'mesh':1,'extensions':{'KHR_node_visibility':{'visible':false}}}],"          \
    "'skins':[{'joints':[1,0],'inverseBindMatrices':15}],"                                                             \
    "'meshes':[{'name':'bloom','extras':{'m':1},'primitives':[{'attributes':{'POSITION':5,'NORMAL':6,'JOINTS_0':10,"   \
    "'WEIGHTS_0':11,'JOINTS_1':12,'WEIGHTS_1':13,'TEXCOORD_0':14},'material':0,"                                       \
    "'targets':[{'POSITION':7},{'POSITION':8,'NORMAL':9}]}]},{'name':'soil','primitives':[{'attributes':"              \
    "{'POSITION':0,'COLOR_0':4},'indices':3,'material':1},{'attributes':{'POSITION':5},'mode':5,'material':3}]}],"
#define GARDEN_MOTION                                                                                                  \
    "'animations':[{'name':'grow','samplers':[{'input':16,'output':17,'interpolation':'CUBICSPLINE'},"                 \
    "{'input':16,'output':18},{'input':19,'output':20},{'input':16,'output':21,'interpolation':'CUBICSPLINE'}],"       \
    "'channels':[{'sampler':0,'target':{'node':1,'path':'translation'}},"                                              \
    "{'sampler':1,'target':{'node':1,'path':'rotation'}},{'sampler':2,'target':{'node':0,'path':'scale'}},"            \
    "{'sampler':3,'target':{'node':2,'path':'weights'}}]}],"
#define GARDEN_MATERIALS                                                                                               \
    "'textures':[{'source':0,'sampler':0},{'source':0}],'samplers':[{'wrapS':33071}],"                                 \
    "'images':[{'name':'dot','uri':'" PIXEL "'}],'materials':[{'name':'own','extras':{'e':1,'trilobite_n64':"          \
    "{'combiner':'0x00127E2488FFFDFE','raw':'0123','tiles':[{'path':'rom:/a.sprite','width':4,'height':4},"            \
    "{'texture':0,'width':1,'height':1}]}}},{'name':'metal','extensions':{'A':1,'KHR_materials_unlit':{}},"            \
    "'normalTexture':{'index':0,'scale':2},'emissiveFactor':[0,0.5,1],'pbrMetallicRoughness':"                         \
    "{'baseColorTexture':{'index':1},'metallicFactor':0.5}},{'name':'bytes','extras':{'trilobite_n64':"                \
    "{'raw':'45'}}},"

void gltf_garden(buffer *out)
{
    char *rest = malloc(TEXT_ROOM);
    draft d = {0};
    const char *fast64 = strchr(fast64_extras, '[') + 1; /* its material, and the end of the list and of the object */
    CHECK(rest);
    put_patch(&d);
    put_flower(&d);
    put_motion(&d);
    snprintf(rest, TEXT_ROOM, GARDEN_NODES GARDEN_MOTION GARDEN_MATERIALS "%.*s", (int)strlen(fast64) - 1, fast64);
    *out = make(&d, rest);
    buffer_free(&d.bin);
    free(rest);
}

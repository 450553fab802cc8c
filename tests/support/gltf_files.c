#include "support/gltf_files.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

/* --- containers --- */

void gltf_text(buffer *out, const char *text)
{
    const size_t start = out->size;
    buffer_sink(out, text, strlen(text));
    for (size_t i = start; i < out->size; i++)
        out->data[i] = out->data[i] == '\'' ? '"' : out->data[i];
}

static void put_chunk(buffer *out, uint32_t type, trilo_bytes content, const char *filler)
{
    const size_t rest = (4 - content.size % 4) % 4;
    buffer_u32(out, (uint32_t)(content.size + rest));
    buffer_u32(out, type);
    buffer_sink(out, content.data, content.size);
    buffer_sink(out, filler, rest);
    buffer_set_u32(out, 8, (uint32_t)out->size);
}

void gltf_chunk(buffer *out, uint32_t type, trilo_bytes content)
{
    put_chunk(out, type, content, "\0\0\0");
}

void gltf_glb(buffer *out, const char *text, trilo_bytes bin)
{
    buffer json = {0};
    gltf_text(&json, text);
    buffer_sink(out, "glTF", 4);
    buffer_u32(out, 2);
    buffer_u32(out, 12);
    put_chunk(out, 0x4E4F534A, (trilo_bytes){json.data, json.size}, "   ");
    if (bin.size > 0)
        put_chunk(out, 0x004E4942, bin, "\0\0\0");
    buffer_free(&json);
}

/* --- the band --- */

const char gltf_band_text[] =
    "{'asset':{'version':'2.0','generator':'by hand'},'scene':0,'scenes':[{'nodes':[0,1]}],"
    "'nodes':[{'mesh':0,'skin':0,'name':'band'},{'children':[2],'name':'low'},"
    "{'translation':[0,1,0],'rotation':[0,0,0,1],'name':'high'}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':2,'WEIGHTS_0':3,'TEXCOORD_0':9},'indices':1,"
    "'material':0,'mode':4,'targets':[{'POSITION':7}]}],'weights':[0]}],"
    "'skins':[{'joints':[1,2],'inverseBindMatrices':4,'skeleton':1}],"
    "'animations':[{'name':'wave','samplers':[{'input':5,'output':6,'interpolation':'LINEAR'},"
    "{'input':5,'output':8,'interpolation':'STEP'}],'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}},"
    "{'sampler':1,'target':{'node':0,'path':'weights'}}]}],"
    "'materials':[{'name':'paint','alphaMode':'MASK','alphaCutoff':0.25,'pbrMetallicRoughness':{"
    "'baseColorFactor':[1,0.5,0.25,1],'metallicFactor':0,'baseColorTexture':{'index':0}}}],"
    "'textures':[{'source':0,'sampler':0}],'samplers':[{'wrapS':10497}],"
    "'images':[{'uri':'data:image/"
    "png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP43+AAAARBAcAM0e2R"
    "AAAAAElFTkSuQmCC'}],"
    "'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3','min':[0,0,0],'max':[1,1,0]},"
    "{'bufferView':1,'componentType':5123,'count':6,'type':'SCALAR'},"
    "{'bufferView':2,'componentType':5121,'count':4,'type':'VEC4'},"
    "{'bufferView':3,'componentType':5121,'normalized':true,'count':4,'type':'VEC4'},"
    "{'bufferView':4,'componentType':5126,'count':2,'type':'MAT4'},"
    "{'bufferView':5,'componentType':5126,'count':2,'type':'SCALAR','min':[0],'max':[0.5]},"
    "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'},"
    "{'componentType':5126,'count':4,'type':'VEC3','min':[0,0,0],'max':[0,0,2],'sparse':{'count':1,"
    "'indices':{'bufferView':8,'componentType':5121},'values':{'bufferView':7}}},"
    "{'bufferView':9,'componentType':5126,'count':2,'type':'SCALAR'},"
    "{'bufferView':10,'componentType':5123,'normalized':true,'count':4,'type':'VEC2'}],"
    "'bufferViews':[{'buffer':0,'byteOffset':0,'byteLength':48,'byteStride':12},"
    "{'buffer':0,'byteOffset':48,'byteLength':12},{'buffer':0,'byteOffset':60,'byteLength':16},"
    "{'buffer':0,'byteOffset':76,'byteLength':16},{'buffer':0,'byteOffset':92,'byteLength':128},"
    "{'buffer':0,'byteOffset':220,'byteLength':8},{'buffer':0,'byteOffset':228,'byteLength':32},"
    "{'buffer':0,'byteOffset':260,'byteLength':12},{'buffer':0,'byteOffset':272,'byteLength':1},"
    "{'buffer':0,'byteOffset':276,'byteLength':8},{'buffer':0,'byteOffset':284,'byteLength':16}],"
    "'buffers':[{'byteLength':300}]}";

static void put_u16s(buffer *out, const uint16_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t bytes[2] = {(uint8_t)values[i], (uint8_t)(values[i] >> 8)};
        buffer_sink(out, bytes, 2);
    }
}

void gltf_band_bytes(buffer *out)
{
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    static const uint16_t indices[] = {0, 1, 2, 2, 1, 3}, uvs[] = {0, 65535, 65535, 65535, 0, 0, 65535, 0};
    static const uint8_t joints[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    static const uint8_t weights[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0};
    static const float binds[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                                  1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1};
    static const float times[] = {0, 0.5f}, rotations[] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    static const float morph[] = {0, 0, 2}, morph_weights[] = {0, 1};
    buffer_f32s(out, positions, 12);
    put_u16s(out, indices, 6);
    buffer_sink(out, joints, sizeof joints);
    buffer_sink(out, weights, sizeof weights);
    buffer_f32s(out, binds, 32);
    buffer_f32s(out, times, 2);
    buffer_f32s(out, rotations, 8);
    buffer_f32s(out, morph, 3);
    buffer_u32(out, 3); /* the index, and three bytes of nothing */
    buffer_f32s(out, morph_weights, 2);
    put_u16s(out, uvs, 8);
}

char *gltf_replaced(const char *text, const char *find, const char *put)
{
    const char *at = strstr(text, find);
    if (!at)
        FAIL("the text has no %s", find);
    const size_t front = (size_t)(at - text), length = strlen(text) - strlen(find) + strlen(put);
    char *out = malloc(length + 1);
    CHECK(out);
    memcpy(out, text, front);
    memcpy(out + front, put, strlen(put));
    memcpy(out + front + strlen(put), at + strlen(find), strlen(at) - strlen(find) + 1);
    return out;
}

void gltf_band(buffer *out, const char *find, const char *put)
{
    buffer bin = {0};
    gltf_band_bytes(&bin);
    char *text = gltf_replaced(gltf_band_text, find ? find : "{", find ? put : "{");
    gltf_glb(out, text, (trilo_bytes){bin.data, bin.size});
    free(text);
    buffer_free(&bin);
}

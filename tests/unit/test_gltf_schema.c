/* Every property of every glTF object ("Properties Reference" of the specification): without it, and with values that
 * are allowed and that are not. */
#include "harness.h"
#include "support/findings.h"
#include "support/gltf_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <string.h>

/* A file with every property. Those in the table below have a mark behind their key; a comma follows every value that
 * may be left out. */
static const char whole[] =
    "{'asset':{'version'<av>:'2.0','copyright'<ac>:'a','generator'<ag>:'b','minVersion'<am>:'2.0','extras':{}},"
    "'extensionsUsed'<eu>:['KHR_mesh_quantization','VENDOR_a'],'extensionsRequired'<er>:['KHR_mesh_quantization'],"
    "'accessors'<ra>:["
    "{'bufferView'<xb>:0,'byteOffset'<xo>:0,'componentType'<xc>:5126,'normalized'<xn>:false,'count'<xk>:3,"
    "'type'<xt>:'VEC3','min'<xi>:[0,0,0],'max'<xa>:[1,1,0],'name'<xm>:'points','extras':{}},"
    "{'componentType':5126,'count':4,'type':'SCALAR','sparse'<xs>:{'count'<sk>:1,"
    "'indices'<si>:{'bufferView'<sb>:1,'byteOffset'<so>:0,'componentType'<sc>:5123,'extras':{}},"
    "'values'<sv>:{'bufferView'<sw>:2,'byteOffset'<sx>:0,'extras':{}},'extras':{}},'extras':{}},"
    "{'bufferView':3,'componentType':5126,'count':2,'type':'SCALAR','min':[0],'max':[1]},"
    "{'bufferView':4,'componentType':5126,'count':2,'type':'VEC3'},"
    "{'bufferView':5,'componentType':5126,'count':1,'type':'MAT4'},"
    "{'bufferView':6,'componentType':5123,'count':3,'type':'SCALAR'},"
    "{'componentType':5126,'count':3,'type':'VEC3','min':[0,0,0],'max':[0,0,0]},"
    "{'componentType':5126,'count':3,'type':'VEC2'},"
    "{'componentType':5121,'count':3,'type':'VEC4'},{'componentType':5126,'count':3,'type':'VEC4'}],"
    "'animations'<rn>:[{'channels'<nc>:[{'sampler'<ns>:0,'target'<nt>:{'node'<nn>:1,'path'<np>:'translation',"
    "'extras':{}},'extras':{}}],'samplers'<nl>:[{'input'<ni>:2,'interpolation'<ne>:'LINEAR','output'<no>:3,"
    "'extras':{}}],'name'<nm>:'move','extras':{}}],"
    "'buffers'<rb>:[{'byteLength'<bl>:192,'name'<bm>:'bin','extras':{}},"
    "{'uri'<bu>:'data:application/octet-stream;base64,AAAA','byteLength':3,'extras':{}}],"
    "'bufferViews'<rv>:[{'buffer'<vb>:0,'byteOffset'<vo>:0,'byteLength'<vl>:36,'byteStride'<vs>:12,'target'<vt>:34962,"
    "'name'<vm>:'points','extras':{}},{'buffer':0,'byteOffset':36,'byteLength':2},{'buffer':0,'byteOffset':40,"
    "'byteLength':4},{'buffer':0,'byteOffset':44,'byteLength':8},{'buffer':0,'byteOffset':52,'byteLength':24},"
    "{'buffer':0,'byteOffset':76,'byteLength':64},{'buffer':0,'byteOffset':140,'byteLength':6},"
    "{'buffer':0,'byteOffset':148,'byteLength':41}],"
    "'cameras'<rc>:[{'perspective'<cp>:{'aspectRatio'<ca>:1.5,'yfov'<cy>:1,'zfar'<cf>:100,'znear'<cn>:0.5,"
    "'extras':{}},'type'<ct>:'perspective','name'<cm>:'eye','extras':{}},"
    "{'orthographic'<co>:{'xmag'<ox>:2,'ymag'<oy>:3,'zfar'<of>:100,'znear'<on>:0.5,'extras':{}},'type':'orthographic',"
    "'extras':{}}],"
    "'images'<ri>:[{'uri'<iu>:'a.png','name'<im>:'a','extras':{}},"
    "{'bufferView'<ib>:7,'mimeType'<it>:'image/png','extras':{}}],"
    "'materials'<rm>:[{'pbrMetallicRoughness'<mp>:{'baseColorFactor'<pf>:[1,0.5,0.25,0],"
    "'baseColorTexture'<pb>:{'index'<bi>:0,'texCoord'<bt>:0,'extras':{}},'metallicFactor'<pm>:0.5,"
    "'roughnessFactor'<pr>:0.5,'metallicRoughnessTexture'<pt>:{'index'<ti>:1,'texCoord'<tt>:0,'extras':{}},"
    "'extras':{}},'normalTexture'<mn>:{'index'<li>:1,'texCoord'<lt>:0,'scale'<ls>:-2,'extras':{}},"
    "'occlusionTexture'<mo>:{'index'<ui>:1,'texCoord'<ut>:0,'strength'<us>:0.5,'extras':{}},"
    "'emissiveTexture'<me>:{'index'<ei>:1,'texCoord'<et>:0,'extras':{}},'emissiveFactor'<mf>:[0,0.5,1],"
    "'alphaMode'<ma>:'MASK','alphaCutoff'<mc>:0.5,'doubleSided'<md>:true,'name'<mm>:'paint','extras':{}}],"
    "'meshes'<re>:[{'primitives'<hp>:[{'attributes'<qa>:{'POSITION':0,'TEXCOORD_0':7,'JOINTS_0':8,'WEIGHTS_0':9},"
    "'indices'<qi>:5,'material'<qm>:0,'mode'<qo>:4,'targets'<qt>:[{'POSITION':6}],'extras':{}}],'weights'<hw>:[0.5],"
    "'name'<hm>:'leaf','extras':{}}],"
    "'nodes'<rd>:[{'mesh'<dh>:0,'skin'<ds>:0,'weights'<dw>:[0.25],'children'<dc>:[1],'name'<dn>:'root','extras':{}},"
    "{'camera'<da>:0,'translation'<dt>:[1,2,3],'rotation'<dr>:[0,0,0,1],'scale'<de>:[1,2,3],'extras':{}},"
    "{'matrix'<dm>:[1,0,0,0,0,1,0,0,0,0,1,0,5,6,7,1],'camera':1,'extras':{}}],"
    "'samplers'<rs>:[{'magFilter'<gm>:9728,'minFilter'<gi>:9728,'wrapS'<gs>:10497,'wrapT'<gt>:33071,'name'<gn>:'g',"
    "'extras':{}}],'scenes'<rp>:[{'nodes'<pn>:[0,2],'name'<pa>:'all','extras':{}}],'scene'<rt>:0,"
    "'skins'<rk>:[{'inverseBindMatrices'<kb>:4,'skeleton'<ks>:0,'joints'<kj>:[1],'name'<kn>:'bones','extras':{}}],"
    "'textures'<rx>:[{'sampler'<ts>:0,'source'<to>:0,'name'<tn>:'t','extras':{}},{'source':1,'extras':{}}],"
    "'extras':{}}";

/* R: it is required, O: it is not, -: others depend on it. Then the kind of value, and values that are allowed and that
 * are not, beside those that no property of the kind may have. A number that is not stored must be a whole one, and one
 * beyond the limits of an index is of no use. */
static const struct {
    const char *mark;
    char removed, kind;
    const char *good, *bad;
} properties[] = {
    {"av", 'R', 's', "'2.0'", "'2'|'2.'|'.0'"},
    {"ac", 'O', 's', "'z'", ""},
    {"ag", 'O', 's', "'z'", ""},
    {"am", 'O', 's', "'2.0'", "'2'|'2.'|'.2'|'.'|''"},
    {"eu", 'R', 'S', "['VENDOR_b','KHR_mesh_quantization']", "['VENDOR_b']"},
    {"er", 'O', 'S', "['KHR_mesh_quantization']", "['KHR_mesh_quantization','KHR_mesh_quantization']"},
    {"xb", '-', 'x', "", "8|-1"},
    {"xo", 'O', 'i', "0", "-4|2"},
    {"xc", 'R', 'i', "5126", "5124|5127"},
    {"xn", 'O', 'b', "false", ""},
    {"xk", 'R', 'i', "3", "0|-1"},
    {"xt", 'R', 's', "'VEC3'", "'VEC5'"},
    {"xi", 'R', 'N', "[0,0,0]", "[0,0]|[0,0,0,0]|[0,'x',0]"},
    {"xa", 'R', 'N', "[1,1,0]", "[1,1]|[1,1,0,0]"},
    {"xm", 'O', 's', "'z'", ""},
    {"xs", 'O', 'o', "", ""},
    {"sk", 'R', 'i', "1", "0|-1"},
    {"si", 'R', 'o', "", ""},
    {"sb", 'R', 'x', "", "8|-1"},
    {"so", 'O', 'i', "0", "-2|1"},
    {"sc", 'R', 'i', "5123|5121", "5126|5120"},
    {"sv", 'R', 'o', "", ""},
    {"sw", 'R', 'x', "", "8|-1"},
    {"sx", 'O', 'i', "0", "-4|2"},
    {"rn", 'O', 'A', "", ""},
    {"nc", 'R', 'A', "", ""},
    {"ns", 'R', 'x', "0", "1|-1"},
    {"nt", 'R', 'o', "", ""},
    {"nn", 'O', 'x', "0|1", "3|-1"},
    {"np", 'R', 's', "'scale'", ""},
    {"nl", 'R', 'A', "", ""},
    {"ni", 'R', 'x', "2", "10|-1"},
    {"ne", 'O', 's', "'STEP'", ""},
    {"no", 'R', 'x', "3", "10|-1"},
    {"nm", 'O', 's', "'z'", ""},
    {"bl", 'R', 'i', "192", "0|-1"},
    {"bm", 'O', 's', "'z'", ""},
    {"bu", '-', 's', "'data:application/gltf-buffer;base64,AAAA'", "'data:text/plain;base64,AAAA'"},
    {"vb", 'R', 'x', "0", "2|-1"},
    {"vo", 'O', 'i', "0", "-4"},
    {"vl", 'R', 'i', "36", "0|-1"},
    {"vs", 'O', 'i', "12", "0|2|11|253|256|-4"},
    {"vt", 'O', 'i', "34962", "34963"},
    {"vm", 'O', 's', "'z'", ""},
    {"rc", '-', 'A', "", ""},
    {"cp", 'R', 'o', "", ""},
    {"ca", 'O', 'n', "0.001|100", "0|-0.5"},
    {"cy", 'R', 'n', "0.001|3", "0|-0.5"},
    {"cf", 'O', 'n', "0.501", "0|-0.5"},
    {"cn", 'R', 'n', "0.001|99", "0|-0.5"},
    {"ct", 'R', 's', "'perspective'", "'orthographic'"},
    {"cm", 'O', 's', "'z'", ""},
    {"co", 'R', 'o', "", ""},
    {"ox", 'R', 'n', "0.001|100", "0"},
    {"oy", 'R', 'n', "0.001|100", "0"},
    {"of", 'R', 'n', "0.501", "0|-0.5"},
    {"on", 'R', 'n', "0|99", "-0.001"},
    {"iu", 'R', 's', "'b.png'", ""},
    {"im", 'O', 's', "'z'", ""},
    {"ib", 'R', 'x', "7", "8|-1"},
    {"it", 'R', 's', "'image/png'", "'image/jpeg'"},
    {"rm", '-', 'A', "", ""},
    {"mp", 'O', 'o', "{}", ""},
    {"pf", 'O', 'N', "[0,0,0,0]|[1,1,1,1]", "[1,1,1]|[1,1,1,1,1]|[1.001,1,1,1]|[1,1,1,-0.001]|[1,1,1,2]|[1,'x',1,1]"},
    {"pb", 'O', 'o', "", "{}"},
    {"bi", 'R', 'x', "0|1", "2|-1"},
    {"bt", 'O', 'i', "0", "-1|1"},
    {"pm", 'O', 'n', "0|1", "-0.001|1.001"},
    {"pr", 'O', 'n', "0|1", "-0.001|1.001"},
    {"pt", 'O', 'o', "", "{}"},
    {"ti", 'R', 'x', "0|1", "2|-1"},
    {"tt", 'O', 'i', "0", "-1|1"},
    {"mn", 'O', 'o', "", "{}"},
    {"li", 'R', 'x', "0|1", "2|-1"},
    {"lt", 'O', 'i', "0", "-1|1"},
    {"ls", 'O', 'n', "-100|0|100", ""},
    {"mo", 'O', 'o', "", "{}"},
    {"ui", 'R', 'x', "0|1", "2|-1"},
    {"ut", 'O', 'i', "0", "-1|1"},
    {"us", 'O', 'n', "0|1", "-0.001|1.001"},
    {"me", 'O', 'o', "", "{}"},
    {"ei", 'R', 'x', "0|1", "2|-1"},
    {"et", 'O', 'i', "0", "-1|1"},
    {"mf", 'O', 'N', "[0,0,0]|[1,1,1]", "[1,1]|[1,1,1,1]|[1.001,1,1]|[1,1,-0.001]|[1,'x',1]|[0,0,1.5]"},
    {"ma", '-', 's', "'MASK'", ""},
    {"mc", 'O', 'n', "0|7", "-0.001"},
    {"md", 'O', 'b', "true|false", ""},
    {"mm", 'O', 's', "'z'", ""},
    {"hp", 'R', 'A', "", ""},
    {"qa", 'R', 'm', "", "{'POSITION':10}|{'POSITION':0,'_A':-1}"},
    {"qi", 'O', 'x', "5", "10|-1"},
    {"qm", '-', 'x', "0", "1|-1"},
    {"qo", 'O', 'i', "0|3|4|5|6", "7|-1"},
    {"qt", '-', 'M', "", "[{'POSITION':10}]|[{'POSITION':6},{'POSITION':-1}]|[{'POSITION':'x'}]"},
    {"hw", '-', 'N', "[0]|[1]", "[0,0]|['x']"},
    {"hm", 'O', 's', "'z'", ""},
    {"dh", '-', 'x', "0", "1|-1"},
    {"ds", '-', 'x', "0", "1|-1"},
    {"dw", 'O', 'N', "[0]|[1]", "[0,0]|['x']"},
    {"dc", '-', 'I', "[1]", "[3]|[-1]|[1,1]|['x']"},
    {"dn", 'O', 's', "'z'", ""},
    {"da", '-', 'x', "0|1", "2|-1"},
    {"dt", 'O', 'N', "[0,0,0]", "[0,0]|[0,0,0,0]|[0,0,'x']"},
    {"dr", 'O', 'N', "[1,0,0,0]|[0,-1,0,0]", "[0,0,0]|[0,0,0,1,0]|[0,0,0,1.001]|[0,-1.001,0,0]|[0,0,0,'x']"},
    {"de", 'O', 'N', "[9,9,-9]", "[1,1]|[1,1,1,1]|[1,'x',1]"},
    {"dm", 'O', 'N', "[2,0,0,0,0,3,0,0,0,0,4,0,-5,6,7,1]", "[1,0,0,0,0,1,0,0,0,0,1,0,5,6,7]|[1]"},
    {"rs", '-', 'A', "", ""},
    {"gm", 'O', 'i', "9729", ""},
    {"gi", 'O', 'i', "9729|9987", ""},
    {"gs", 'O', 'i', "33071|33648", ""},
    {"gt", 'O', 'i', "10497", ""},
    {"gn", 'O', 's', "'z'", ""},
    {"rp", '-', 'A', "", ""},
    {"pn", '-', 'I', "[2,0]", "[0,3]|[-1]|[2,2]|[0,'x']"},
    {"pa", 'O', 's', "'z'", ""},
    {"rt", '-', 'x', "0", "1|-1"},
    {"rk", '-', 'A', "", ""},
    {"kb", 'O', 'x', "4", "10|-1"},
    {"ks", 'O', 'x', "0", "3|-1"},
    {"kj", 'R', 'I', "[1]", "[3]|[-1]|[1,1]|['x']"},
    {"kn", 'O', 's', "'z'", ""},
    {"rx", '-', 'A', "", ""},
    {"ts", 'O', 'x', "0", "1|-1"},
    {"to", 'O', 'x', "0|1", "2|-1"},
    {"tn", 'O', 's', "'z'", ""},
};

/* What no property of the kind may be. */
static const char *never(char kind)
{
    switch (kind) {
    case 'b':
        return "5|'true'|null";
    case 's':
        return "5|true|{}";
    case 'i':
        return "'x'|1.5|[]|true";
    case 'n':
        return "'x'|[]|true";
    case 'x':
        return "'x'|0.5|[]|4294967296";
    case 'o':
        return "5|'x'|[]";
    case 'm':
        return "5|[]|{}";
    case 'A':
        return "5|{}|[5]";
    case 'M':
        return "5|[5]|[{}]";
    default:
        return "5|{}|[]|[true]"; /* N, I, S */
    }
}

/* The file with another value of the property; NULL: without it. The name of the property goes to `key`. */
static void make_text(char *out, size_t room, const char *mark, const char *value, char key[40])
{
    char tag[8];
    snprintf(tag, sizeof tag, "<%s>", mark);
    const char *at = strstr(whole, tag), *start = at - 1, *end = at + strlen(tag) + 1;
    CHECK(at && at[strlen(tag)] == ':');
    while (start[-1] != '\'')
        start--;
    snprintf(key, 40, "%.*s", (int)(at - 1 - start), start);
    for (int depth = 0, quoted = 0; quoted || depth > 0 || (*end != ',' && *end != '}'); end++) {
        quoted ^= *end == '\'';
        depth += !quoted && (*end == '[' || *end == '{');
        depth -= !quoted && (*end == ']' || *end == '}');
    }
    const char *const pieces[] = {whole, value ? value : "", end + (value ? 0 : 1)};
    const size_t lengths[] = {(size_t)((value ? at + strlen(tag) + 1 : start - 1) - whole), strlen(pieces[1]),
                              strlen(pieces[2])};
    size_t size = 0;
    for (int i = 0; i < 3; i++)
        for (size_t k = 0; k < lengths[i]; k++) {
            if (pieces[i][k] == '<')
                k += strcspn(pieces[i] + k, ">");
            else
                out[size++] = pieces[i][k];
            CHECK(size < room);
        }
    out[size] = 0;
}

static buffer make_file(const char *text)
{
    static const float points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, keys[9] = {7, 0, 1, 1, 2, 3, 4, 5, 6};
    static const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const uint8_t index[4] = {2, 0, 0, 0}, indices[8] = {0, 0, 1, 0, 2, 0, 0, 0};
    static const uint8_t png[44] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0,   0,   13,  'I', 'H',
                                    'D',  'R', 0,   0,   0,    1,    0,    0,    0, 1,   8,   2,   0,   0,
                                    0,    0,   0,   0,   0,    0,    0,    0,    9, 'I', 'D', 'A', 'T'};
    buffer file = {0}, bin = {0};
    buffer_f32s(&bin, points, 9);
    buffer_sink(&bin, index, sizeof index);
    buffer_f32s(&bin, keys, 9);
    buffer_f32s(&bin, matrix, 16);
    buffer_sink(&bin, indices, sizeof indices);
    buffer_sink(&bin, png, sizeof png);
    CHECK_INT(bin.size, 192);
    gltf_glb(&file, text, (trilo_bytes){bin.data, bin.size});
    buffer_free(&bin);
    return file;
}

/* The errors of a file; one that cannot be read at all has one. */
static uint64_t count_errors(const char *text, listener *l)
{
    buffer file = make_file(text);
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, &err);
    *l = (listener){.count = 0};
    uint64_t errors = 1;
    if (document) {
        const trilo_tally tally = trilo_document_check(document, listen, l);
        errors = tally.errors + tally.crashes;
    } else {
        snprintf(l->texts[0], sizeof l->texts[0], "%s", err.text);
        l->count = 1;
    }
    trilo_document_free(document);
    buffer_free(&file);
    return errors;
}

static void check_value(const char *mark, const char *value, bool bad)
{
    static char text[8192];
    char key[40];
    listener l;
    make_text(text, sizeof text, mark, value, key);
    const uint64_t errors = count_errors(text, &l);
    if ((errors > 0) != bad)
        FAIL("%s (%s) as %s: %s", key, mark, value ? value : "nothing", l.count > 0 ? l.texts[0] : "accepted");
    bool named = !bad || value;
    for (size_t i = 0; i < l.count; i++)
        named = named || strstr(l.texts[i], key);
    if (!named)
        FAIL("without %s: %s", key, l.texts[0]);
}

static void check_values(const char *mark, const char *values, bool bad)
{
    for (char value[128]; *values; values += strlen(value), values += *values == '|') {
        snprintf(value, sizeof value, "%.*s", (int)strcspn(values, "|"), values);
        check_value(mark, value, bad);
    }
}

TEST(values_of_properties)
{
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i += TEST_SLOW ? 5 : 1) {
        if (properties[i].removed != '-')
            check_value(properties[i].mark, NULL, properties[i].removed == 'R');
        check_values(properties[i].mark, properties[i].good, false);
        check_values(properties[i].mark, properties[i].bad, true);
        check_values(properties[i].mark, never(properties[i].kind), true);
    }
}

TEST(what_is_said_of_values)
{
    static const struct {
        const char *mark, *value, *rule, *path, *text;
    } all[] = {
        {"pm", "1.001", "GLTF-RANGE", "materials[0].pbrMetallicRoughness",
         "metallicFactor is 1.001, it must be from 0 to 1"},
        {"mc", "-0.5", "GLTF-RANGE", "materials[0]", "alphaCutoff is -0.5, it must be at least 0"},
        {"ca", "0", "GLTF-RANGE", "cameras[0].perspective", "aspectRatio is 0, it must be above 0"},
        {"on", "-1", "GLTF-RANGE", "cameras[1].orthographic", "znear is -1, it must be at least 0"},
        {"pf", "[1,1,1.5,2]", "GLTF-RANGE", "materials[0].pbrMetallicRoughness",
         "baseColorFactor has 1.5, it must be from 0 to 1"},
        {"mf", "[0,-2,-1]", "GLTF-RANGE", "materials[0]", "emissiveFactor has -2, it must be from 0 to 1"},
        {"mf", "[0,0]", "GLTF-TYPE", "materials[0]", "emissiveFactor has 2 numbers, it must have 3"},
        {"mf", "[0,true,0]", "GLTF-TYPE", "materials[0]", "each of the emissiveFactor must be a number"},
        {"ls", "null", "GLTF-TYPE", "materials[0].normalTexture", "scale must be a number"},
        {"vt", "0.5", "GLTF-TYPE", "bufferViews[0]", "target must be an integer"},
        {"md", "1", "GLTF-TYPE", "materials[0]", "doubleSided must be true or false"},
        {"gn", "1", "GLTF-TYPE", "samplers[0]", "name must be a string"},
        {"ib", "8", "GLTF-REFERENCE", "images[1]", "bufferView is 8, but there are 8 bufferViews"},
        {"ib", "1.5", "GLTF-TYPE", "images[1]", "bufferView must be an index: an integer from 0 on"},
        {"eu", "['KHR_mesh_quantization','VENDOR_a','KHR_mesh_quantization']", "GLTF-DUPLICATE", "extensionsUsed[2]",
         "is the same as number 0"},
        {"eu", "['VENDOR_a']", "GLTF-UNDECLARED", "extensionsRequired[0]",
         "KHR_mesh_quantization is not in extensionsUsed"},
        {"am", "'2'", "GLTF-RANGE", "", "minVersion must be two numbers with a point between them: 2.0"},
        {"tn", "'t','extensions':[]", "GLTF-TYPE", "textures[0]", "extensions must be an object, in { }"},
        {"tn", "'t','extensions':{'VENDOR_a':[]}", "GLTF-TYPE", "textures[0]", "VENDOR_a must be an object, in { }"},
        {"tn", "'t','extensions':{'VENDOR_b':{}}", "GLTF-UNDECLARED", "textures[0]",
         "VENDOR_b is not in extensionsUsed"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        static char text[8192];
        char key[40];
        listener l;
        bool said = false;
        make_text(text, sizeof text, all[i].mark, all[i].value, key);
        count_errors(text, &l);
        for (size_t k = 0; k < l.count; k++)
            said = said || (strcmp(l.rules[k], all[i].rule) == 0 && strcmp(l.paths[k], all[i].path) == 0 &&
                            strcmp(l.texts[k], all[i].text) == 0);
        for (size_t k = 0; k < l.count && !said; k++)
            printf("%s %s: %s\n", l.rules[k], l.paths[k], l.texts[k]);
        if (!said)
            FAIL("nobody says %s", all[i].text);
    }
}

static void find_undeclared(void *user, const trilo_finding *finding)
{
    bool *found = user;
    *found = *found || strcmp(finding->rule, "GLTF-UNDECLARED") == 0;
}

/* A list of 256 extensions is searched, a longer one is not. */
TEST(many_declared_extensions)
{
    for (int count = 255; count <= 257; count++) {
        static char text[8192];
        buffer file = {0};
        size_t used = (size_t)snprintf(text, sizeof text, "{'asset':{'version':'2.0'},'extensionsUsed':[");
        for (int i = 0; i < count; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s'V_%d'", i ? "," : "", i);
        snprintf(text + used, sizeof text - used, "],'nodes':[{'extensions':{'V_x':{}}}]}");
        gltf_text(&file, text);
        trilo_document *document = trilo_document_open(file.data, file.size, NULL, NULL);
        CHECK(document);
        bool found = false;
        trilo_document_check(document, find_undeclared, &found);
        CHECK_INT(found, count <= 256);
        trilo_document_free(document);
        buffer_free(&file);
    }
}

TEST_MAIN(CASE(many_declared_extensions), CASE(values_of_properties), CASE(what_is_said_of_values))

/* Tables of the glTF specification, each entry of them: types of attributes, names of attributes, values of component
 * types; and where an error in the text is. */
#include "harness.h"
#include "support/findings.h"
#include "support/gltf_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { S8 = 5120, U8, S16, U16, U32 = 5125, F32 };

static const int component_types[] = {S8, U8, S16, U16, U32, F32};
static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2"};

/* "Meshes" of glTF 2.0, and KHR_mesh_quantization, as text: widths, then component types; n: normalized. The first is
 * for vertices, the second for morph targets, the third for vertices with the extension. */
static const struct {
    const char *name, *vertices, *targets, *quantized;
} attributes[] = {
    {"POSITION", "3 f", "3 f", "3 f b bn B Bn s sn S Sn"},
    {"NORMAL", "3 f", "3 f", "3 f bn sn"},
    {"TANGENT", "4 f", "3 f", "4 f bn sn"},
    {"TEXCOORD_0", "2 f Bn Sn", "2 f bn Bn sn Sn", "2 f b bn B Bn s sn S Sn"},
    {"COLOR_0", "34 f Bn Sn", "34 f bn Bn sn Sn", "34 f Bn Sn"},
    {"JOINTS_0", "4 B S", "", "4 B S"},
    {"WEIGHTS_0", "4 f Bn Sn", "", "4 f Bn Sn"},
};

static bool is_allowed(const char *rule, int component, int width, bool normalized)
{
    static const char letters[] = "bBsS?If";
    char widths[8] = "", word[8];
    int used = 0;
    sscanf(rule, "%7s%n", widths, &used);
    if (width > 4 || !strchr(widths, '0' + width))
        return false;
    for (const char *at = rule + used; sscanf(at, "%7s%n", word, &used) == 1; at += used)
        if (word[0] == letters[component - S8] && (word[1] == 'n') == normalized)
            return true;
    return false;
}

typedef enum use { VERTICES, TARGETS, QUANTIZED } use;

static char *attribute_error; /* gets what GLTF-ATTRIBUTE says; NULL: nobody asks */

/* A triangle whose accessor 1 is used as that attribute. Accessors without a view are zero. */
static bool is_accepted(const char *name, use used, int component, const char *type, bool normalized, char *said)
{
    char text[1024], accessor[160];
    listener l;
    buffer file = {0};
    const bool position = strcmp(name, "POSITION") == 0;
    const bool bounds = position && used != TARGETS;
    snprintf(accessor, sizeof accessor, "{'componentType':%d,'count':3,'type':'%s'%s%s}", component, type,
             normalized ? ",'normalized':true" : "", bounds ? ",'min':[0,0,0],'max':[0,0,0]" : "");
    snprintf(text, sizeof text,
             "{'asset':{'version':'2.0'},%s'accessors':[{'componentType':5126,'count':3,'type':'VEC3','min':[0,0,0],"
             "'max':[0,0,0]},%s,{'componentType':5121,'count':3,'type':'VEC4'},{'componentType':5126,'count':3,"
             "'type':'VEC4'}],'meshes':[{'primitives':[{'attributes':{'POSITION':%d%s%s%s%s}%s%s%s}]}],"
             "'nodes':[{'mesh':0}],'scenes':[{'nodes':[0]}],'scene':0}",
             used == QUANTIZED ? "'extensionsUsed':['KHR_mesh_quantization'],"
                                 "'extensionsRequired':['KHR_mesh_quantization'],"
                               : "",
             accessor, position && used != TARGETS ? 1 : 0, used != TARGETS && !position ? ",'" : "",
             used != TARGETS && !position ? name : "", used != TARGETS && !position ? "':1" : "",
             used == TARGETS                  ? ""
             : strcmp(name, "JOINTS_0") == 0  ? ",'WEIGHTS_0':3"
             : strcmp(name, "WEIGHTS_0") == 0 ? ",'JOINTS_0':2"
                                              : "",
             used == TARGETS ? ",'targets':[{'" : "", used == TARGETS ? name : "", used == TARGETS ? "':1}]" : "");
    gltf_text(&file, text);
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, &err);
    if (!document)
        FAIL("%s: %s", text, err.text);
    l.count = 0;
    trilo_document_check(document, listen, &l);
    trilo_document_free(document);
    buffer_free(&file);
    bool fine = true;
    if (attribute_error && heard(&l, "GLTF-ATTRIBUTE") < l.count)
        snprintf(attribute_error, 256, "%s", l.texts[heard(&l, "GLTF-ATTRIBUTE")]);
    for (size_t i = 0; i < l.count && i < LISTENER_MOST; i++)
        if (strcmp(l.rules[i], "GLTF-ATTRIBUTE") == 0 || strcmp(l.rules[i], "GLTF-FORMAT") == 0 ||
            strcmp(l.rules[i], "GLTF-SEMANTIC") == 0 || strcmp(l.rules[i], "GLTF-ACCESSOR") == 0) {
            snprintf(said, 256, "%s: %s", l.rules[i], l.texts[i]);
            fine = false;
        }
    return fine;
}

TEST(every_type_of_attribute)
{
    for (size_t a = 0; a < sizeof attributes / sizeof *attributes; a++)
        for (size_t c = 0; c < 6; c++)
            for (int width = 1; width <= 5; width++)
                for (int k = 0; k < 6; k++) {
                    const use used = (use)(k / 2);
                    const bool normalized = k % 2;
                    const int component = component_types[c];
                    const char *rule = used == VERTICES  ? attributes[a].vertices
                                       : used == TARGETS ? attributes[a].targets
                                                         : attributes[a].quantized;
                    char said[256] = "";
                    const bool want = is_allowed(rule, component, width, normalized);
                    const bool got =
                        is_accepted(attributes[a].name, used, component, types[width - 1], normalized, said);
                    /* Whether quantized values are normalized is not checked. */
                    const bool other = used == QUANTIZED && is_allowed(rule, component, width, !normalized);
                    if (got != want && !(got && other))
                        FAIL("%s, use %d, componentType %d, %s%s: %s %s", attributes[a].name, used, component,
                             types[width - 1], normalized ? ", normalized" : "", got ? "accepted" : "refused", said);
                }
}

/* What reading relies on, whether or not the numbers are normalized: least and most components, component types of
 * vertices, those that KHR_mesh_quantization adds, those of morph targets, whose tangents have no sign. */
static const struct {
    const char *name;
    int least, most;
    const char *vertices, *quantized, *targets;
} readable[] = {
    {"POSITION", 3, 3, "f", "bBsS", "fbs"}, {"NORMAL", 3, 3, "f", "bs", "fbs"},
    {"TANGENT", 4, 4, "f", "bs", "fbs"},    {"TEXCOORD_0", 2, 2, "fBS", "bs", "fbBsS"},
    {"COLOR_0", 3, 4, "fBS", "", "fbBsS"},  {"JOINTS_0", 4, 4, "BS", "", ""},
    {"WEIGHTS_0", 4, 4, "fBS", "", ""},
};

TEST(types_that_can_be_read)
{
    for (size_t a = 0; a < sizeof readable / sizeof *readable; a++)
        for (int k = 0; k < 6 * 5 * 3; k += TEST_SLOW ? 7 : 1) {
            static const char letters[] = "bBsSIf";
            const int component = component_types[k % 6], width = k / 6 % 5 + 1;
            const use used = (use)(k / 30);
            const char letter = letters[k % 6];
            const bool tangents = used == TARGETS && readable[a].least == 4;
            const int least = tangents ? 3 : readable[a].least, most = tangents ? 3 : readable[a].most;
            char said[256] = "", want[256] = "";
            const char *allowed = used == TARGETS ? readable[a].targets : readable[a].vertices;
            if (width < least || width > most)
                snprintf(want, sizeof want, "%s has %d numbers for each vertex, it must have %d", readable[a].name,
                         width == 5 ? 4 : width, most);
            else if (!strchr(allowed, letter) && !(used == QUANTIZED && strchr(readable[a].quantized, letter)))
                snprintf(want, sizeof want, "%s must not be of componentType %d%s", readable[a].name, component,
                         strchr(readable[a].quantized, letter) ? " without the extension KHR_mesh_quantization" : "");
            attribute_error = said;
            is_accepted(readable[a].name, used, component, types[width - 1], false, (char[256]){0});
            attribute_error = NULL;
            CHECK_STR(said, want);
        }
}

/* Sets are numbered from 0 without leading zeros; names of applications start with an underscore. */
TEST(names_of_attributes)
{
    static const struct {
        const char *name;
        bool good;
    } names[] = {
        {"TEXCOORD_0", true},  {"TEXCOORD_00", false}, {"TEXCOORD_", false},  {"TEXCOORD", false},
        {"TEXCOORD_x", false}, {"TEXCOORD_0x", false}, {"TEXCOORD_:", false}, {"TEXCOORD_/", false},
        {"_", true},           {"_MINE", true},        {"MINE", false},       {"POSITIONS", false},
        {"NORMAL_0", false},   {"COLOR_0", true},      {"COLOR_01", false},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char said[256] = "";
        const char *type = strncmp(names[i].name, "TEX", 3) == 0 ? "VEC2" : "VEC3";
        const bool fine = is_accepted(names[i].name, VERTICES, F32, type, false, said);
        if (fine != names[i].good)
            FAIL("%s: %s", names[i].name, fine ? "accepted" : said);
    }
}

/* ---- declared bounds ---- */

static void check_bounds(int component, const char *type, const char *min, const char *max, const char *rule)
{
    char text[512];
    listener l;
    buffer file = {0};
    snprintf(text, sizeof text,
             "{'asset':{'version':'2.0'},'accessors':[{'componentType':%d,'count':3,'type':'%s','min':%s,'max':%s}]}",
             component, type, min, max);
    gltf_text(&file, text);
    listen_to(&file, NULL, &l);
    buffer_free(&file);
    size_t other = 0;
    for (size_t i = 0; i < l.count; i++)
        other += strcmp(l.rules[i], "GLTF-TYPE") != 0 && strcmp(l.rules[i], "GLTF-RANGE") != 0;
    const size_t found = rule ? heard(&l, rule) : 0;
    if (rule ? found == l.count : heard(&l, "GLTF-TYPE") < l.count || heard(&l, "GLTF-RANGE") < l.count)
        FAIL("componentType %d, %s to %s: %s", component, min, max, l.count > 0 ? l.texts[0] : "accepted");
}

TEST(values_of_component_types)
{
    static const struct {
        int component;
        double low, high;
    } ranges[] = {{S8, -128, 127}, {U8, 0, 255}, {S16, -32768, 32767}, {U16, 0, 65535}, {U32, 0, 4294967295.0}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        char low[32], high[32], below[32], above[32];
        snprintf(low, sizeof low, "[%.0f]", ranges[i].low);
        snprintf(high, sizeof high, "[%.0f]", ranges[i].high);
        snprintf(below, sizeof below, "[%.0f]", ranges[i].low - 1);
        snprintf(above, sizeof above, "[%.0f]", ranges[i].high + 1);
        check_bounds(ranges[i].component, "SCALAR", low, low, NULL);
        check_bounds(ranges[i].component, "SCALAR", high, high, NULL);
        check_bounds(ranges[i].component, "SCALAR", below, high, "GLTF-RANGE");
        check_bounds(ranges[i].component, "SCALAR", low, above, "GLTF-RANGE");
        check_bounds(ranges[i].component, "SCALAR", "[0.5]", "[0.5]", "GLTF-TYPE");
    }
    check_bounds(F32, "SCALAR", "[0.5]", "[0.5]", NULL);
    check_bounds(F32, "SCALAR", "[1e30]", "[1e30]", NULL);
    check_bounds(F32, "VEC2", "[0,0]", "[0]", "GLTF-TYPE");
    check_bounds(F32, "VEC2", "[0,0]", "[0,0,0]", "GLTF-TYPE");
    check_bounds(F32, "VEC2", "[0,0]", "[0,'x']", "GLTF-TYPE");
}

/* ---- cameras ---- */

/* What a camera must have, with each property left out once. */
TEST(properties_of_cameras)
{
    static const struct {
        const char *type, *name;
        bool required;
    } properties[] = {{"orthographic", "xmag", true}, {"orthographic", "ymag", true},
                      {"orthographic", "zfar", true}, {"orthographic", "znear", true},
                      {"perspective", "yfov", true},  {"perspective", "znear", true},
                      {"perspective", "zfar", false}, {"perspective", "aspectRatio", false}};
    enum { COUNT = sizeof properties / sizeof *properties };
    for (int missing = 0; missing < COUNT; missing++) {
        char text[512];
        listener l;
        buffer file = {0};
        int used = snprintf(text, sizeof text, "{'asset':{'version':'2.0'},'cameras':[{'type':'%s','%s':{",
                            properties[missing].type, properties[missing].type);
        for (int i = 0, any = 0; i < COUNT; i++)
            if (i != missing && strcmp(properties[i].type, properties[missing].type) == 0)
                used += snprintf(text + used, sizeof text - (size_t)used, "%s'%s':%d", any++ ? "," : "",
                                 properties[i].name, strcmp(properties[i].name, "zfar") == 0 ? 9 : 1);
        snprintf(text + used, sizeof text - (size_t)used, "}}]}");
        gltf_text(&file, text);
        listen_to(&file, NULL, &l);
        buffer_free(&file);
        bool said = false;
        for (size_t i = 0; i < l.count; i++)
            said = said || strstr(l.texts[i], properties[missing].name);
        if (said != properties[missing].required)
            FAIL("%s: %s", text, l.count > 0 ? l.texts[0] : "accepted");
    }
}

/* ---- where an error is ---- */

/* Lines and columns count from 1, columns in characters: an e with an accent is two bytes. */
TEST(lines_and_columns)
{
    static const struct {
        const char *text, *where;
    } cases[] = {
        {"{\n  'a':1,\n  'b':}\n", "(line 3, column 7)"},
        {"{'a':}", "(line 1, column 6)"},
        {"{\n'\303\251':}", "(line 2, column 5)"},
        {"{\n\n\n!", "(line 4, column 1)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        buffer file = {0};
        trilo_error err = {0};
        const trilo_load_opts opts = {.format = TRILO_FORMAT_GLTF, .name = "a.gltf"};
        gltf_text(&file, cases[i].text);
        CHECK(!trilo_document_open(file.data, file.size, &opts, &err));
        if (!strstr(err.text, cases[i].where))
            FAIL("%s instead of %s", err.text, cases[i].where);
        buffer_free(&file);
    }
}

/* ---- extras ---- */

/* The model has those of the scene, or else of the file, or else of the asset. */
TEST(extras_of_the_model)
{
    for (int which = 0; which < 8; which++) {
        char text[512];
        buffer file = {0};
        trilo_error err = {0};
        snprintf(text, sizeof text, "{'asset':{'version':'2.0'%s},'scenes':[{'nodes':[]%s}],'scene':0%s}",
                 which & 1 ? ",'extras':{'a':1}" : "", which & 4 ? ",'extras':{'s':3}" : "",
                 which & 2 ? ",'extras':{'r':2}" : "");
        gltf_text(&file, text);
        const trilo_model *model = trilo_model_load(file.data, file.size, NULL, &err);
        if (!model)
            FAIL("%s: %s", text, err.text);
        CHECK_STR(model->extras.json.data, which & 4   ? "{\"s\":3}"
                                           : which & 2 ? "{\"r\":2}"
                                           : which & 1 ? "{\"a\":1}"
                                                       : "");
        trilo_model_free(model);
        buffer_free(&file);
    }
}

TEST_MAIN(CASE(every_type_of_attribute), CASE(types_that_can_be_read), CASE(names_of_attributes),
          CASE(values_of_component_types), CASE(properties_of_cameras), CASE(lines_and_columns),
          CASE(extras_of_the_model))

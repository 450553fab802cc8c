/* What the check of a glTF file says about content that the model cannot hold: how much of it there is, and which is
 * the first. */
#include "support/findings.h"
#include "support/gltf_draft.h"

static listener told;

static void check_told(const char *rule, const char *path, const char *text)
{
    const size_t at = heard(&told, rule);
    if (!text && at < told.count)
        FAIL("%s %s: %s", told.rules[at], told.paths[at], told.texts[at]);
    if (!text)
        return;
    if (at == told.count)
        FAIL("%s is not found, but should say: %s", rule, text);
    CHECK_STR(told.texts[at], text);
    CHECK_STR(told.paths[at], path);
}

/* The finding is about the byte where this piece of the text is, written with '. */
static void check_byte(const buffer *file, const char *rule, const char *piece)
{
    const size_t at = heard(&told, rule);
    CHECK(at < told.count && told.offsets[at] + strlen(piece) <= file->size);
    for (size_t k = 0; piece[k]; k++)
        if ((char)file->data[told.offsets[at] + k] != (piece[k] == '\'' ? '"' : piece[k]))
            FAIL("%s is about %.20s, not %s", rule, (const char *)file->data + told.offsets[at], piece);
}

static buffer listen_to_draft(draft *d, const char *rest)
{
    buffer file = make(d, rest);
    listen_to(&file, NULL, &told);
    buffer_free(&d->bin);
    return file;
}

/* ---- influences ---- */

enum { VERTICES = 5, MOST_SETS = 10 };

/* Vertex by vertex: of more than four weights above 0 the largest four stay. */
static void check_influences(uint32_t sets, double weights[MOST_SETS][VERTICES][4])
{
    char rest[1024] = ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0";
    uint32_t losing = 0;
    double most = 0, sum = 0;
    draft d = zigzag();
    for (uint32_t i = 0; i < sets; i++) {
        const double joints[VERTICES * 4] = {0};
        put(&d, "VEC4", U8, joints, VERTICES, "");
        put(&d, "VEC4", F32, &weights[i][0][0], VERTICES, "");
        append(rest, sizeof rest, ",'JOINTS_%u':%u,'WEIGHTS_%u':%u", i, 2 * i + 1, i, 2 * i + 2);
    }
    append(rest, sizeof rest, "},'mode':3}]}]");
    for (uint32_t v = 0; v < VERTICES; v++) {
        double sorted[4 * MOST_SETS], all = 0, lost = 0;
        uint32_t used = 0;
        for (uint32_t i = 0; i < sets; i++)
            for (uint32_t k = 0; k < 4; k++) {
                const double weight = (double)(float)weights[i][v][k];
                uint32_t at = used;
                if (!(weight > 0))
                    continue;
                for (; at > 0 && sorted[at - 1] < weight; at--)
                    sorted[at] = sorted[at - 1];
                sorted[at] = weight;
                used++;
                all += weight;
            }
        for (uint32_t i = 4; i < used; i++)
            lost += sorted[i];
        losing += used > 4;
        sum += used > 4 ? lost / all : 0;
        most = used > 4 && lost / all > most ? lost / all : most;
    }
    char text[208];
    snprintf(text, sizeof text,
             "%u of 5 vertices hang on more than 4 joints; they lose up to %.1f %% of their weight, %.1f %% on average",
             losing, 100 * most, 100 * sum / losing);
    buffer file = listen_to_draft(&d, rest);
    check_told("GLTF-LOST-INFLUENCES", "meshes[0].primitives[0]", losing > 0 ? text : NULL);
    if (losing > 0)
        check_byte(&file, "GLTF-LOST-INFLUENCES", "4");
    buffer_free(&file);
}

TEST(influences_beyond_four)
{
    uint32_t state = 5;
    for (uint32_t round = 0; round < 80; round++) {
        const uint32_t sets = 1 + round % MOST_SETS;
        double weights[MOST_SETS][VERTICES][4];
        for (uint32_t i = 0; i < MOST_SETS * VERTICES * 4; i++) {
            state = state * 1664525u + 1013904223u;
            const uint32_t dice = state >> 16;
            (&weights[0][0][0])[i] = dice % 8 < sets ? 0 : (dice % 101) / 64.0;
        }
        if (round % 3 == 0) /* exactly four, and exactly five */
            for (uint32_t i = 0; i < sets; i++)
                for (uint32_t k = 0; k < 4; k++) {
                    weights[i][1][k] = i == 0 ? 0.25 : 0;
                    weights[i][3][k] = i == 0 || (i == sets - 1 && k == 3) ? 0.25 + k / 16.0 : 0;
                }
        check_influences(sets, weights);
    }
}

/* ---- nodes ---- */

TEST(nodes_that_are_lost)
{
    static const struct {
        const char *rest, *rule, *at, *text;
    } all[] = {
        {"'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0},{}]," RIBBON, "GLTF-LOST-SCENES", "[{'nodes'",
         "nodes outside the scene that is shown, which are not kept: 1 (0 with meshes)"},
        {"'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0},{'mesh':0},{},{'mesh':0}]," RIBBON, "GLTF-LOST-SCENES",
         "[{'nodes'", "nodes outside the scene that is shown, which are not kept: 3 (2 with meshes)"},
        {"'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}]," RIBBON, "GLTF-LOST-SCENES", "", NULL},
        {"'scenes':[{'nodes':[0,1,2]}],'nodes':[{'mesh':0},{'name':'h','mesh':0,'extensions':{'KHR_node_visibility':"
         "{'visible':false}}},{'extensions':{'KHR_node_visibility':{'visible':false}}}],"
         "'extensionsUsed':['KHR_node_visibility']," RIBBON,
         "GLTF-LOST-HIDDEN", "{'name':'h'", "hidden nodes that are not kept: 2"},
        {"'scenes':[{'nodes':[0,1]}],'nodes':[{'mesh':0},{'name':'h','extensions':{'KHR_node_visibility':"
         "{'visible':false}}}],'extensionsUsed':['KHR_node_visibility']," RIBBON,
         "GLTF-LOST-HIDDEN", "{'name':'h'", "hidden nodes that are not kept: 1"},
        {"'scenes':[{'nodes':[0,1,2]}],'nodes':[{'mesh':0},{'name':'eye','camera':1},{'name':'other','camera':0}],"
         "'cameras':[{'type':'perspective','perspective':{'yfov':1,'znear':1}},{'type':'orthographic','orthographic':"
         "{'xmag':1,'ymag':1,'zfar':2,'znear':1}}]," RIBBON,
         "GLTF-LOST-CAMERAS", "{'name':'eye'", "cameras that are not kept: 2; the first is \"eye\" (orthographic)"},
        {"'scenes':[{'nodes':[0,1]}],'nodes':[{'mesh':0},{'name':'sun','extensions':{'KHR_lights_punctual':{'light':2}}"
         "}],'extensionsUsed':['KHR_lights_punctual'],'extensions':{'KHR_lights_punctual':{'lights':[{'type':'point'},"
         "{'type':'spot'},{'type':'directional'},{'type':'ring'}]}}," RIBBON,
         "GLTF-LOST-LIGHTS", "{'name':'sun'", "lights that are not kept: 1; the first is \"sun\" (directional)"},
        {"'scenes':[{'nodes':[0,1,2]}],'nodes':[{'mesh':0},{'name':'a','extensions':{'KHR_lights_punctual':{'light':0}}"
         "},{'name':'b','extensions':{'KHR_lights_punctual':{'light':1}}}],'extensionsUsed':['KHR_lights_punctual'],"
         "'extensions':{'KHR_lights_punctual':{'lights':[{'type':'point'},{'type':'spot'}]}}," RIBBON,
         "GLTF-LOST-LIGHTS", "{'name':'a'", "lights that are not kept: 2; the first is \"a\" (point)"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        draft d = zigzag();
        buffer file = listen_to_draft(&d, all[i].rest);
        check_told(all[i].rule, "", all[i].text);
        if (all[i].text)
            check_byte(&file, all[i].rule, all[i].at);
        buffer_free(&file);
    }
}

/* ---- primitives and materials ---- */

/* Of two meshes the second has one primitive, the first two: each of them with or without what is lost. */
TEST(attributes_that_are_lost)
{
    static const struct {
        const char *attribute, *rule, *at, *text;
    } all[] = {
        {",'TEXCOORD_0':1,'TEXCOORD_1':2", "GLTF-LOST-UVS", "2",
         "primitives with further texture coordinates: %u; of each the set that its texture uses is kept"},
        {",'COLOR_0':3,'COLOR_1':4", "GLTF-LOST-COLORS", "4",
         "primitives with further colours: %u; of each COLOR_0 is kept"},
        {",'NORMAL':5,'TANGENT':6", "GLTF-LOST-TANGENTS", "6", "primitives with tangents, which are not kept: %u"},
        {",'TEXCOORD_0':1,'COLOR_0':3", "GLTF-LOST-UVS", "", NULL},
        {",'TEXCOORD_0':1,'COLOR_0':3", "GLTF-LOST-COLORS", "", NULL},
        {",'NORMAL':5", "GLTF-LOST-TANGENTS", "", NULL},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (unsigned which = 0; which < 8; which++) {
            static const double zeros[20], ups[15] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1},
                                           sides[20] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
            char rest[1024], want[208] = "";
            draft d = zigzag();
            put(&d, "VEC2", F32, zeros, 5, "");
            put(&d, "VEC2", F32, zeros, 5, "");
            put(&d, "VEC4", F32, zeros, 5, "");
            put(&d, "VEC4", F32, zeros, 5, "");
            put(&d, "VEC3", F32, ups, 5, "");
            put(&d, "VEC4", F32, sides, 5, "");
            snprintf(rest, sizeof rest,
                     "'scenes':[{'nodes':[0,1]}],'nodes':[{'mesh':0},{'mesh':1}],'meshes':[{'primitives':["
                     "{'attributes':{'POSITION':0%s},'mode':5},{'attributes':{'POSITION':0%s},'mode':5}]},"
                     "{'primitives':[{'attributes':{'POSITION':0%s},'mode':5}]}]",
                     which & 1 ? all[i].attribute : "", which & 2 ? all[i].attribute : "",
                     which & 4 ? all[i].attribute : "");
            buffer file = listen_to_draft(&d, rest);
            const unsigned count = (which & 1) + (which >> 1 & 1) + (which >> 2 & 1);
            const char *number = all[i].text ? strstr(all[i].text, "%u") : NULL;
            if (number)
                snprintf(want, sizeof want, "%.*s%u%s", (int)(number - all[i].text), all[i].text, count, number + 2);
            check_told(all[i].rule, "", number && count > 0 ? want : NULL);
            if (number && count > 0)
                check_byte(&file, all[i].rule, all[i].at);
            buffer_free(&file);
        }
}

/* Points are not kept; what remains must show something. */
TEST(points_and_nothing_else)
{
    static const struct {
        const char *rest;
        unsigned points;
        bool empty;
    } all[] = {
        {ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':0}]}]", 1, true},
        {ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':0},{'attributes':{'POSITION':0},"
                  "'mode':0},{'attributes':{'POSITION':0},'mode':3}]}]",
         2, false},
        {ONE_NODE "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':1,'indices':1}]}]", 0, false},
        {"'scenes':[{'nodes':[0]}],'nodes':[{},{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},"
         "'mode':3}]}]",
         0, true},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char want[100];
        draft d = zigzag();
        PUT(&d, "SCALAR", U16, 2, 0, 4);
        buffer file = listen_to_draft(&d, all[i].rest);
        snprintf(want, sizeof want, "primitives of points that are not kept: %u", all[i].points);
        check_told("GLTF-LOST-POINTS", "", all[i].points > 0 ? want : NULL);
        if (all[i].points > 0)
            check_byte(&file, "GLTF-LOST-POINTS", "0");
        check_told("GLTF-EMPTY", "", all[i].empty ? "no node of the scene shows a mesh with triangles or lines" : NULL);
        buffer_free(&file);
    }
}

TEST_MAIN(CASE(influences_beyond_four), CASE(nodes_that_are_lost), CASE(attributes_that_are_lost),
          CASE(points_and_nothing_else))

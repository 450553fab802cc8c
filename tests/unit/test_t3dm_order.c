/* Which meshes become objects of T3DM, and in which order. */
#include "harness.h"
#include "support/buffer.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 12, MATERIALS = 6 };

static const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const uint32_t indices[3] = {0, 1, 2};

typedef struct order_model {
    trilo_material materials[MATERIALS];
    trilo_mesh meshes[MOST];
    char names[MOST][2];
    trilo_model model;
    char codes[256]; /* of the findings */
    double turns; /* of the first triangle about z: above 0 counter-clockwise, as the source is seen from the front */
} order_model;

/* From "a0 a1 b0": one mesh for each word, with a name of one letter and the number of a material, "-" for none.
 * 4 and 5 are the same materials as 0 and 1. */
static void order_model_fill(order_model *m, const char *words)
{
    static const char *const material_names[MATERIALS] = {"red", "green", "blue", "white", "red", "green"};
    memset(m, 0, sizeof *m);
    for (int i = 0; i < MATERIALS; i++)
        m->materials[i] = (trilo_material){
            .name = {material_names[i], strlen(material_names[i])}, .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    for (const char *p = words; *p; p += p[2] ? 3 : 2) {
        const uint32_t number = m->model.mesh_count++;
        m->names[number][0] = p[0];
        m->meshes[number] = (trilo_mesh){.name = {m->names[number], 1},
                                         .node = TRILO_NONE,
                                         .skin = TRILO_NONE,
                                         .material = p[1] == '-' ? TRILO_NONE : (uint32_t)(p[1] - '0'),
                                         .vertex_count = 3,
                                         .positions = corners,
                                         .index_count = 3,
                                         .indices = indices};
    }
    m->model.meshes = m->meshes;
    m->model.material_count = MATERIALS;
    m->model.materials = m->materials;
}

static void order_note(void *user, const trilo_finding *finding)
{
    order_model *m = user;
    if (finding->severity > TRILO_SEVERITY_NOTE || strcmp(finding->rule, "T3DM-MIRRORED") == 0) {
        strcat(m->codes, finding->rule);
        strcat(m->codes, " ");
    }
}

/* The objects of the file, as words again. */
static const char *order_of(order_model *m, const trilo_t3dm_write_opts *t3dm)
{
    static char words[3 * MOST + 1];
    buffer file = {0};
    trilo_error err = {0};
    const trilo_write_opts opts = {
        .format = TRILO_FORMAT_T3DM, .t3dm = t3dm, .on_finding = order_note, .on_finding_user = m};
    m->codes[0] = words[0] = '\0';
    if (!trilo_model_write(&m->model, &opts, buffer_sink, &file, &err))
        return err.rule;
    const trilo_model *model = trilo_model_load(file.data, file.size, NULL, &err);
    CHECK(model != NULL);
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const char *name = model->materials[model->meshes[i].material].name.data;
        const char number = name[0] == 'r'   ? '0'
                            : name[0] == 'g' ? '1'
                            : name[0] == 'b' ? '2'
                            : name[0] == 'w' ? '3'
                                             : '-';
        snprintf(words + strlen(words), 4, "%s%c%s", model->meshes[i].name.data, number,
                 i + 1 < model->mesh_count ? " " : "");
    }
    const trilo_mesh *mesh = &model->meshes[0];
    const float *a = mesh->positions[mesh->indices[0]], *b = mesh->positions[mesh->indices[1]],
                *c = mesh->positions[mesh->indices[2]];
    m->turns = ((double)b[0] - a[0]) * ((double)c[1] - a[1]) - ((double)b[1] - a[1]) * ((double)c[0] - a[0]);
    trilo_model_free(model);
    buffer_free(&file);
    return words;
}

/* Objects are sorted by name; those of one name so that materials change least. */
TEST(materials_change_least)
{
    static const struct {
        const char *given, *expected;
    } cases[] = {
        {"b0 a1", "a1 b0"},
        {"a0 a1 b0 b1", "a1 a0 b0 b1"},             /* a ends with what b starts with */
        {"a0 a1 a0 b2", "a0 a0 a1 b2"},             /* one material after the other */
        {"a0 b1 b0 c1", "a0 b0 b1 c1"},             /* both borders of b */
        {"a0 a1 b0 b1 c1 c2", "a1 a0 b0 b1 c1 c2"}, /* a must not end with 1, which c needs */
        {"a0 a1 b1 c1 c2", "a0 a1 b1 c1 c2"},       /* b has but one, which serves both borders */
        {"a2 b0 b1 b2 b0 c3 c1", "a2 b2 b0 b0 b1 c1 c3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        order_model m;
        order_model_fill(&m, cases[i].given);
        CHECK_STR(order_of(&m, NULL), cases[i].expected);
        CHECK_STR(order_of(&m, &(trilo_t3dm_write_opts){.order = TRILO_T3DM_ORDER_FILE}), cases[i].given);
    }
}

/* So that a change of the material is one for the console, too. */
static void order_model_textures(order_model *m)
{
    static const trilo_texture textures[4] = {
        {.name = {"", 0}, .path = {"rom:/r.sprite", 13}, .width = 32, .height = 32},
        {.name = {"", 0}, .path = {"rom:/g.sprite", 13}, .width = 32, .height = 32},
        {.name = {"", 0}, .path = {"rom:/b.sprite", 13}, .width = 32, .height = 32},
        {.name = {"", 0}, .path = {"rom:/w.sprite", 13}, .width = 32, .height = 32},
    };
    m->model.textures = textures;
    m->model.texture_count = 4;
    for (uint32_t i = 0; i < MATERIALS; i++)
        m->materials[i].texture = i % 4;
}

/* Materials of the file are numbered in the order of its objects. `advised`: `cost` knows a better order. */
static void check_cost_of_order(order_model *m, trilo_t3dm_order order, uint32_t changes, bool advised)
{
    buffer file = {0};
    trilo_error err = {0};
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM, .t3dm = &(trilo_t3dm_write_opts){.order = order}};
    CHECK(trilo_model_write(&m->model, &opts, buffer_sink, &file, &err));
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, &err);
    const trilo_cost *cost = document ? trilo_document_cost(document, NULL, &err) : NULL;
    CHECK(cost != NULL);
    CHECK_INT(cost->material_changes, changes);
    uint32_t most = 0, hints = 0;
    for (uint32_t i = 0; i < cost->object_count; i++) {
        CHECK(cost->objects[i].material <= most);
        most += cost->objects[i].material == most ? 1 : 0;
    }
    CHECK_INT(most, cost->material_count);
    for (uint32_t i = 0; i < cost->hint_count; i++)
        hints += cost->hints[i].kind == TRILO_COST_HINT_KIND_ORDER ? 1 : 0;
    CHECK_INT(hints, advised);
    trilo_cost_free(cost);
    trilo_document_free(document);
    buffer_free(&file);
}

/* Materials of one name and content become one, and objects are ordered by what is left. */
TEST(merged_materials_count_as_one)
{
    order_model m;
    order_model_fill(&m, "a0 a1 b4 b2");
    order_model_textures(&m);
    CHECK_STR(order_of(&m, NULL), "a1 a0 b0 b2");
    check_cost_of_order(&m, TRILO_T3DM_ORDER_NAME, 3, false);
    CHECK_STR(order_of(&m, &(trilo_t3dm_write_opts){.order = TRILO_T3DM_ORDER_FILE}), "a0 a1 b0 b2");
    check_cost_of_order(&m, TRILO_T3DM_ORDER_FILE, 4, true);
    order_model_fill(&m, "a5 b4 c1 d0");
    order_model_textures(&m);
    CHECK_STR(order_of(&m, NULL), "a1 b0 c1 d0");
    CHECK_STR(order_of(&m, &(trilo_t3dm_write_opts){.order = TRILO_T3DM_ORDER_LAYER}), "b0 d0 a1 c1");
    check_cost_of_order(&m, TRILO_T3DM_ORDER_LAYER, 2, false);
    /* The same order as with one material for both: equal choices are decided by the order of the meshes. */
    order_model_fill(&m, "a4 a1 a0 b5 b2 c1 c2");
    CHECK_STR(order_of(&m, NULL), "a0 a0 a1 b1 b2 c2 c1");
    order_model_fill(&m, "a0 a1 a0 b1 b2 c1 c2");
    CHECK_STR(order_of(&m, NULL), "a0 a0 a1 b1 b2 c2 c1");
}

/* Only their name is equal: one is renamed. */
TEST(different_materials_of_one_name_stay_apart)
{
    order_model m;
    order_model_fill(&m, "a0 a1 b4 b2");
    m.materials[4].alpha = TRILO_ALPHA_CUTOUT;
    CHECK_STR(order_of(&m, NULL), "a0 a1 b0 b2");
    CHECK(strstr(m.codes, "T3DM-RENAMED") != NULL);
}

TEST(meshes_without_a_material_are_drawn_or_skipped)
{
    order_model m;
    order_model_fill(&m, "a0 b- c1");
    CHECK_STR(order_of(&m, NULL), "a0 b- c1");
    CHECK_STR(m.codes, "");
    CHECK_STR(order_of(&m, &(trilo_t3dm_write_opts){.no_material = TRILO_T3DM_NO_MATERIAL_SKIP}), "a0 c1");
    CHECK_STR(m.codes, "T3DM-NO-MATERIAL ");
}

/* x is mirrored: the triangle runs the other way round unless it is reversed. */
TEST(triangles_of_mirrored_nodes_are_reversed_with_a_note)
{
    order_model m;
    order_model_fill(&m, "a0");
    const trilo_node node = {.parent = TRILO_NONE, .local = {{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}};
    m.model.format = TRILO_FORMAT_GLTF;
    m.model.node_count = 1;
    m.model.nodes = &node;
    m.meshes[0].node = 0;
    CHECK_STR(order_of(&m, &(trilo_t3dm_write_opts){.scale = 64}), "a0");
    CHECK_STR(m.codes, "T3DM-MIRRORED ");
    CHECK(m.turns > 0);
    CHECK_STR(order_of(&m, &(trilo_t3dm_write_opts){.scale = 64, .keep_mirrored_winding = true}), "a0");
    CHECK_STR(m.codes, "");
    CHECK(m.turns < 0);
}

TEST_MAIN(CASE(materials_change_least), CASE(merged_materials_count_as_one),
          CASE(different_materials_of_one_name_stay_apart), CASE(meshes_without_a_material_are_drawn_or_skipped),
          CASE(triangles_of_mirrored_nodes_are_reversed_with_a_note))

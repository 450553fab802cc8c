/* T3DM at file level: tables, reading, what is drawn, every rule, and moving between versions. */
#include "formats/t3dm/t3dm.h"
#include "harness.h"
#include "support/buffer.h"
#include "support/exercise.h"
#include "support/t3dm_files.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the tables --- */

TEST(tables_are_valid)
{
    static const tl_layout *const tables[] = {&tl_t3dm_header,   &tl_t3dm_object_head,   &tl_t3dm_part,
                                              &tl_t3dm_pair,     &tl_t3dm_material_head, &tl_t3dm_texture,
                                              &tl_t3dm_bone,     &tl_t3dm_skeleton_head, &tl_t3dm_mapping,
                                              &tl_t3dm_bvh_head, &tl_t3dm_bvh_node,      &tl_t3dm_animation_head};
    trilo_error err = {0};
    for (unsigned version = T3DM_V1; version <= T3DM_V4; version++)
        for (size_t i = 0; i < TL_COUNT_OF(tables); i++)
            if (!tl_layout_ok(tables[i], version, &err))
                FAIL("version %u: %s", version, err.text);
    /* A row that the first version has is in all up to its last one: the reference does not name the first. */
    for (size_t i = 0; i < TL_COUNT_OF(tables); i++)
        for (size_t k = 0; k < tables[i]->field_count; k++)
            CHECK(tables[i]->fields[k].since != T3DM_V1);
}

TEST(tables_have_the_sizes_of_the_format)
{
    CHECK_INT(tl_layout_size(&tl_t3dm_header, 1), 0x28);
    CHECK_INT(tl_layout_size(&tl_t3dm_header, 2), 0x2C);
    CHECK_INT(tl_layout_size(&tl_t3dm_header, 4), 0x2C);
    CHECK_INT(tl_layout_size(&tl_t3dm_object_head, 4), 0x20);
    CHECK_INT(tl_layout_size(&tl_t3dm_part, 3), 0x14);
    CHECK_INT(tl_layout_size(&tl_t3dm_part, 4), 0x18);
    CHECK_INT(tl_layout_size(&tl_t3dm_pair, 4), 0x20);
    CHECK_INT(T3DM_PAIR * T3DM_VERTEX_SIZE, 0x20);
    CHECK_INT(tl_layout_size(&tl_t3dm_material_head, 4) + 2 * tl_layout_size(&tl_t3dm_texture, 4), 0x8C);
    CHECK_INT(tl_layout_size(&tl_t3dm_bone, 4), 0x30);
    CHECK_INT(tl_layout_size(&tl_t3dm_animation_head, 4), 0x14);
    CHECK_INT(tl_layout_size(&tl_t3dm_mapping, 4), 0x0C);
    CHECK_INT(tl_layout_size(&tl_t3dm_bvh_node, 4), 0x0E);
}

/* Worked out by hand: -3 in the upper 12 bits is 0xFFD. */
TEST(words_come_apart_and_together)
{
    bool restart;
    CHECK_INT(t3dm_table_word('V', 0x123456), 0x56123456);
    CHECK_INT(t3dm_table_offset(0x56123456), 0x123456);
    CHECK_INT(t3dm_strip_word(4, 5, true), 0x8005);
    CHECK_INT(t3dm_strip_word(2, 5, true), 0xFFFA); /* -(5 + 1) */
    CHECK_INT(t3dm_strip_word(2, 5, false), 5);
    CHECK_INT(t3dm_strip_word_slot(2, 0xFFFA, &restart), 5);
    CHECK(restart);
    CHECK_INT(t3dm_strip_word_slot(3, 0x8005, &restart), 5);
    CHECK(restart);
    CHECK_INT(t3dm_strip_word_slot(3, 69, &restart), 69);
    CHECK(!restart);
    CHECK_INT(t3dm_bvh_value(2047, 8), 0x7FF8);
    CHECK_INT(t3dm_bvh_offset(&(t3dm_bvh_node){.value = 0x7FF8}), 2047);
    CHECK_INT(t3dm_bvh_offset(&(t3dm_bvh_node){.value = 0xFFD0}), -3);
    CHECK_INT(t3dm_bvh_offset(&(t3dm_bvh_node){.value = 0xFFDF}), -3);
    CHECK_INT(t3dm_bvh_offset(&(t3dm_bvh_node){.value = 0x8000}), -2048);
    CHECK_INT(t3dm_bvh_count(&(t3dm_bvh_node){.value = 0x7FF8}), 8);
}

/* The check value of the format's description. */
TEST(hash_is_the_console_s)
{
    CHECK_INT(tl_t3dm_hash("rom:/shadow.i8.sprite"), 0x9B4BB885u);
}

/* --- the kite --- */

typedef struct kite {
    buffer file, stream;
    t3dm_places at;
    trilo_load_opts opts;
} kite;

static void kite_make(kite *k, uint32_t version)
{
    memset(k, 0, sizeof *k);
    t3dm_kite(&k->file, version, &k->at);
    t3dm_kite_stream(&k->stream);
    k->opts = (trilo_load_opts){.companion = t3dm_kite_companion, .companion_user = &k->stream, .name = "kite.t3dm"};
}

static void kite_free(kite *k)
{
    buffer_free(&k->file);
    buffer_free(&k->stream);
}

static trilo_document *kite_open(const kite *k)
{
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(k->file.data, k->file.size, &k->opts, &err);
    if (!document)
        FAIL("%s: %s", err.path, err.text);
    return document;
}

static void fail_finding(void *user, const trilo_finding *finding)
{
    (void)user;
    FAIL("%s at %s: %s", finding->rule, finding->path, finding->text);
}

static const trilo_model *kite_model(const kite *k)
{
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load(k->file.data, k->file.size, &k->opts, &err);
    if (!model)
        FAIL("%s: %s", err.path, err.text);
    return model;
}

TEST(kite_has_no_finding)
{
    for (uint32_t version = 1; version <= 4; version++) {
        kite k;
        kite_make(&k, version);
        trilo_document *document = kite_open(&k);
        CHECK_INT(trilo_document_version(document), version);
        trilo_document_check(document, fail_finding, NULL);
        trilo_document_free(document);
        kite_free(&k);
    }
}

/* Corners in the order of drawing; vertex i has x = 10 i. Those of part 1 lie in the knee's space, 100 up. */
static const float kite_x[6][3] = {{0, 10, 20}, {30, 40, 50}, {0, 10, 20}, {20, 10, 30}, {50, 40, 30}, {0, 60, 70}};

static void check_kite(const trilo_model *model)
{
    CHECK_INT(model->mesh_count, 1);
    const trilo_mesh *mesh = &model->meshes[0];
    CHECK_STR(mesh->name.data, "kite");
    CHECK_INT(mesh->vertex_count, 8);
    CHECK_INT(mesh->index_count, 18);
    for (int t = 0; t < 6; t++)
        for (int c = 0; c < 3; c++) {
            const uint32_t v = mesh->indices[3 * t + c];
            const float i = kite_x[t][c] / 10;
            CHECK_NEAR(mesh->positions[v][0], kite_x[t][c], 1e-5);
            CHECK_NEAR(mesh->positions[v][1], i < 6 ? i : i + 100, 1e-5);
            CHECK_NEAR(mesh->positions[v][2], -i, 1e-5);
            CHECK_NEAR(mesh->colors[v][0], i / 255, 1e-7);
            CHECK_NEAR(mesh->colors[v][2], 3 * i / 255, 1e-7);
            CHECK_NEAR(mesh->uvs[v][0], i / 32, 1e-7);     /* i texels of 32 */
            CHECK_NEAR(mesh->uvs[v][1], 2 * i / 16, 1e-7); /* 2 i texels of 16 */
            CHECK_NEAR(mesh->normals[v][1], 31.0 / 32, 1e-6);
            CHECK_INT(mesh->weights[v][0] == 1, i >= 6);
        }
}

TEST(kite_is_decoded)
{
    for (uint32_t version = 1; version <= 4; version++) {
        kite k;
        kite_make(&k, version);
        const trilo_model *model = kite_model(&k);
        check_kite(model);
        CHECK_INT(model->material_count, 1);
        CHECK_STR(model->materials[0].name.data, "paint");
        CHECK_INT(model->materials[0].n64->combiner == 0x00127E2488FFFDFEu, 1);
        CHECK_INT(model->materials[0].n64->prim[1], 0x20);
        CHECK_INT(model->materials[0].n64->tiles[0].t.mask, 4);
        CHECK_INT(model->materials[0].n64->tiles[0].s.shift, -1);
        CHECK_NEAR(model->materials[0].base_color[0], 0x10 / 255.0, 1e-7);
        CHECK_STR(model->textures[0].path.data, "rom:/dot.sprite");
        CHECK_INT(model->textures[0].height, 16);
        CHECK_INT(model->node_count, 2);
        CHECK_STR(model->nodes[1].name.data, "knee");
        CHECK_INT(model->nodes[1].parent, 0);
        CHECK_INT(model->chunk_count, 1);
        CHECK_INT(model->chunks[0].type, 'X');
        CHECK(memcmp(model->chunks[0].bytes.data, "mine", 4) == 0);
        CHECK_INT(model->bvh->node_count, 1);
        CHECK_INT(model->bvh->nodes[0].count, 1);
        trilo_model_free(model);
        kite_free(&k);
    }
}

/* At one second the knee has gone to (50, 100, 0) and turned by 90 degrees: its vertex 6, (60, 6) there, comes to
 * (50 - 6, 100 + 60). Half way it is 45 degrees and 25: rotations of 10 bits are good for a quarter of a degree. */
TEST(kite_kicks)
{
    kite k;
    kite_make(&k, 4);
    const trilo_model *model = kite_model(&k);
    CHECK_INT(model->clip_count, 1);
    CHECK_STR(model->clips[0].name.data, "kick");
    CHECK_INT(model->clips[0].channel_count, 2);
    CHECK_INT(model->clips[0].channels[1].target, TRILO_TARGET_TRANSLATION_X);
    trilo_mat4 locals[2], worlds[2], skin[2];
    float p[8][3];
    trilo_pose_locals(model, 0, 1, locals);
    trilo_pose_worlds(model, locals, worlds);
    trilo_pose_skin(model, 0, worlds, skin);
    trilo_pose_mesh(model, 0, worlds, skin, p, NULL);
    CHECK_NEAR(p[6][0], 44, 0.3);
    CHECK_NEAR(p[6][1], 160, 0.3); /* the channel moves x alone, y rests at 100 */
    trilo_model_free(model);
    kite_free(&k);
}

TEST(rewriting_gives_the_same_bytes)
{
    for (uint32_t version = 1; version <= 4; version++) {
        kite k;
        buffer out = {0};
        kite_make(&k, version);
        trilo_document *document = kite_open(&k);
        CHECK(trilo_document_write(document, NULL, buffer_sink, &out, NULL));
        CHECK_INT(out.size, k.file.size);
        CHECK(memcmp(out.data, k.file.data, out.size) == 0);
        trilo_document_free(document);
        buffer_free(&out);
        kite_free(&k);
    }
}

/* --- versions --- */

/* Each version comes out as the hand-made file of that version, but for the order in which indices are laid out. */
TEST(versions_draw_the_same)
{
    for (uint32_t from = 1; from <= 4; from++)
        for (uint32_t to = 1; to <= 4; to++) {
            kite k;
            trilo_error err = {0};
            kite_make(&k, from);
            trilo_document *document = kite_open(&k);
            buffer out = {0};
            const trilo_rewrite_opts rewrite = {.format_version = to};
            if (!trilo_document_write(document, &rewrite, buffer_sink, &out, &err))
                FAIL("%u to %u: %s", (unsigned)from, (unsigned)to, err.text);
            trilo_document *moved = trilo_document_open(out.data, out.size, &k.opts, &err);
            CHECK(moved);
            CHECK_INT(trilo_document_version(moved), to);
            trilo_document_check(moved, fail_finding, NULL);
            const trilo_model *model = trilo_document_model(moved, &err);
            CHECK(model);
            check_kite(model);
            trilo_model_free(model);
            trilo_document_free(moved);
            trilo_document_free(document);
            buffer_free(&out);
            kite_free(&k);
        }
}

/* --- rules --- */

typedef struct heard {
    char rule[32], path[128];
    uint64_t offset;
    size_t count;
} heard;

static void hear(void *user, const trilo_finding *finding)
{
    heard *h = user;
    if (strcmp(finding->rule, h->rule) == 0 && h->count++ == 0) {
        snprintf(h->path, sizeof h->path, "%s", finding->path);
        h->offset = finding->offset;
    }
}

static void hear_kite(const kite *k, heard *h)
{
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(k->file.data, k->file.size, &k->opts, &err);
    if (document)
        trilo_document_check(document, hear, h);
    else if (strcmp(err.rule, h->rule) == 0) {
        h->count = 1;
        h->offset = err.offset;
        snprintf(h->path, sizeof h->path, "%s", err.path);
    }
    trilo_document_free(document);
}

static void set_be(buffer *b, size_t at, size_t width, uint32_t value)
{
    for (size_t i = 0; i < width; i++)
        b->data[at + i] = (uint8_t)(value >> 8 * (width - 1 - i));
}

#define AT(member) offsetof(t3dm_places, member)
#define START      SIZE_MAX /* counted from the start of the file */
#define NAN_F      0x7FC00000u

typedef struct mutation {
    const char *rule, *path;
    size_t base, delta, width;
    uint32_t value;
    size_t found_base, found_delta;
} mutation;

static const mutation mutations[] = {
    {"T3DM-VERSION", "", START, 3, 1, 9, START, 3},
    {"T3DM-TRUNCATED", "", START, 4, 4, 1000, AT(table), 0},
    {"T3DM-TRUNCATED", "chunks[0]", AT(object), 4, 2, 500, AT(object), 0},
    {"T3DM-TRUNCATED", "chunks[6]", AT(skeleton), 0, 2, 500, AT(skeleton), 0},
    {"T3DM-TRUNCATED", "chunks[1]", AT(animation), 12, 2, 500, AT(animation), 0},
    {"T3DM-CHUNK-OFFSET", "chunks[0]", AT(table), 0, 4, 0x4F00FFFF, AT(table), 0},
    {"T3DM-TRUNCATED", "", START, 0x18, 4, 0xFFFFFF, START, 0x18},
    {"T3DM-CHUNK-COUNT", "", AT(table), 28, 1, 'V', START, 0x2C},
    {"T3DM-CHUNK-INDEX", "header.vertex_chunk", START, 0x0C, 4, 4, START, 0x0C},
    {"T3DM-CHUNK-INDEX", "header.material_chunk", START, 0x14, 4, 6, START, 0x14},
    {"T3DM-STRING", "objects[0].name", AT(object), 0, 4, 5000, AT(object), 0},
    {"T3DM-STRING", "materials[0].textures[0].path", AT(texture), 4, 4, 5000, AT(texture), 4},
    {"T3DM-STRING", "bones[1].name", AT(bones), 0x30, 4, 5000, AT(bones), 0x30},
    {"T3DM-STRING-START", "", AT(strings), 0, 1, 'x', AT(strings), 0},
    {"T3DM-TOTALS", "", START, 8, 2, 7, START, 8},
    {"T3DM-TOTAL-VERTICES", "", START, 8, 2, 9, START, 8},
    {"T3DM-BOUNDS", "objects[0]", AT(object), 0x14, 2, 1, AT(object), 0x14},
    {"T3DM-BOUNDS", "", START, 0x20, 2, 1, START, 0x20},
    {"T3DM-EMPTY", "", START, 4, 4, 0, START, 0},
    {"T3DM-MATERIAL-REF", "objects[0]", AT(object), 8, 4, 1, AT(object), 8},
    {"T3DM-PART-VERTS", "objects[0].parts[0].vertex_count", AT(parts), 4, 2, 72, AT(parts), 4},
    {"T3DM-PART-DEST", "objects[0].parts[0].vertex_dest", AT(parts), 6, 2, 66, AT(parts), 6},
    {"T3DM-PART-SOURCE", "objects[0].parts[0].vertex_at", AT(parts), 0, 4, 16, AT(parts), 0},
    {"T3DM-PART-SOURCE", "objects[0].parts[1].vertex_at", AT(parts), 0x18, 4, 128, AT(parts), 0x18},
    {"T3DM-PART-LIST", "objects[0].parts[0].index_count", AT(parts), 0x0C, 2, 4, AT(parts), 0x0C},
    {"T3DM-PART-LIST", "objects[0].parts[1].index_count", AT(parts), 0x18 + 8, 4, 4000, AT(parts), 0x18 + 0x0C},
    {"T3DM-PART-BONE", "objects[0].parts[1]", AT(parts), 0x18 + 0x0E, 2, 7, AT(parts), 0x18 + 0x0E},
    {"T3DM-STRIP-SIZE", "objects[0].parts[0].strip_counts", AT(parts), 0x10, 1, 2, AT(parts), 0x10},
    {"T3DM-STRIP-SIZE", "objects[0].parts[0].strip_counts", AT(parts), 0x10, 1, 255, AT(parts), 0x10},
    {"T3DM-STRIP-FLAG", "objects[0].parts[0].strip_counts", AT(strip), 12, 2, 0x8003, AT(parts), 0x10},
    {"T3DM-STRIP-FLAG", "objects[0].parts[0].strip_counts", AT(strip), 2, 2, 0x8001, AT(parts), 0x10},
    {"T3DM-STRIP-ROOM", "objects[0].parts[0].strip_counts", AT(strip), 0, 2, 69, AT(parts), 0x10},
    {"T3DM-SEQUENCE", "objects[0].parts[0].sequence_count", AT(parts), 0x14, 1, 68, AT(parts), 0x15},
    {"T3DM-SLOT-EMPTY", "objects[0].parts[0].index_at", AT(indices), 0, 1, 20, AT(parts), 8},
    {"T3DM-SLOT-RANGE", "objects[0].parts[0].index_at", AT(indices), 0, 1, 70, AT(parts), 8},
    {"T3DM-TRIANGLE-COUNT", "objects[0]", AT(object), 6, 2, 5, AT(object), 6},
    {"T3DM-DEGENERATE", "objects[0]", AT(indices), 1, 1, 0, AT(object), 0},
    {"T3DM-WASTED-SLOTS", "", AT(strip), 17, 2, 0, AT(vertices), 0},
    {"T3DM-UNUSED-VERTS", "", AT(parts), 0x18, 4, 0, AT(vertices), 0},
    {"T3DM-MATERIAL-CULL", "materials[0]", AT(material), 0x1C, 4, 0x18, AT(material), 0x1C},
    {"T3DM-MATERIAL-VALUE", "materials[0]", AT(material), 0x21, 1, 9, AT(material), 0x21},
    {"T3DM-MATERIAL-VALUE", "materials[0]", AT(material), 0x23, 1, 9, AT(material), 0x23},
    {"T3DM-MATERIAL-OUTLINE", "materials[0]", AT(material), 0x23, 1, 4, AT(material), 0x23}, /* its combiner has TEX0 */
    {"T3DM-MATERIAL-VALUE", "materials[0].textures[0]", AT(texture), 0x14, 4, NAN_F, AT(texture), 0},
    {"T3DM-TEXTURE-HASH", "materials[0].textures[0]", AT(texture), 8, 4, 1, AT(texture), 8},
    {"T3DM-BONE-PARENT", "bones[1]", AT(bones), 0x34, 2, 1, AT(bones), 0x34},
    {"T3DM-BONE-DEPTH", "bones[1]", AT(bones), 0x36, 2, 3, AT(bones), 0x36},
    {"T3DM-BONE-VALUE", "bones[0]", AT(bones), 8, 4, NAN_F, AT(bones), 8},
    {"T3DM-BONE-VALUE", "bones[0]", AT(bones), 0x14 + 12, 4, 0, AT(bones), 0x14},
    {"T3DM-ANIM-TARGET", "animations[0].channels[0]", AT(animation), 0x14, 2, 9, AT(animation), 0x14},
    {"T3DM-ANIM-TYPE", "animations[0].channels[1]", AT(animation), 0x22, 1, 2, AT(animation), 0x22},
    {"T3DM-ANIM-ORDER", "animations[0].channels[0]", AT(animation), 0x16, 1, 0, AT(animation), 0x16},
    {"T3DM-ANIM-VALUE", "animations[0]", AT(animation), 4, 4, NAN_F, AT(animation), 4},
    {"T3DM-ANIM-VALUE", "animations[0].channels[1]", AT(animation), 0x24, 4, NAN_F, AT(animation), 0x24},
    {"T3DM-STREAM-COUNT", "animations[0].stream", AT(animation), 8, 4, 9, START, 0},
    {"T3DM-BVH-CHILD", "bvh.nodes[0]", AT(bvh), 16, 2, 0x50, AT(bvh), 4},
    {"T3DM-BVH-ITEM", "bvh.nodes[0]", AT(bvh), 18, 2, 3, AT(bvh), 4},
    {"T3DM-BVH-ITEM", "bvh.nodes[0]", AT(bvh), 16, 2, 0xFFF1, AT(bvh), 4}, /* one item from -1 on */
    {"T3DM-BVH-NESTING", "bvh.nodes[0]", AT(bvh), 4, 2, 50, AT(bvh), 4},
};

static size_t place(const kite *k, size_t base, size_t delta)
{
    return base == START ? delta : *(const size_t *)(const void *)((const char *)&k->at + base) + delta;
}

TEST(each_mutation_is_found)
{
    for (size_t i = 0; i < TL_COUNT_OF(mutations); i++) {
        const mutation *m = &mutations[i];
        kite k;
        heard h = {0};
        kite_make(&k, 4);
        snprintf(h.rule, sizeof h.rule, "%s", m->rule);
        set_be(&k.file, place(&k, m->base, m->delta), m->width, m->value);
        hear_kite(&k, &h);
        const size_t want = place(&k, m->found_base, m->found_delta);
        kite_free(&k);
        if (h.count == 0)
            FAIL("mutation %zu: %s is not found", i, m->rule);
        if (strcmp(h.path, m->path) != 0)
            FAIL("mutation %zu: %s at \"%s\", not at \"%s\"", i, m->rule, h.path, m->path);
        if (strncmp(m->rule, "T3DM-STREAM", 11) != 0 && h.offset != want)
            FAIL("mutation %zu: %s at byte %llu, not %zu", i, m->rule, (unsigned long long)h.offset, want);
    }
}

static void expect(const kite *k, const char *rule)
{
    heard h = {0};
    snprintf(h.rule, sizeof h.rule, "%s", rule);
    hear_kite(k, &h);
    if (h.count == 0)
        FAIL("%s is not found", rule);
}

/* Fog, a blender, and alpha from the shade: all three. */
TEST(fog_takes_alpha_away)
{
    for (int without = 0; without <= 3; without++) {
        kite k;
        heard h = {.rule = "T3DM-MATERIAL-FOG"};
        kite_make(&k, 4);
        if (without != 1)
            set_be(&k.file, k.at.material + 4, 4, 0x88FFFDFC); /* alpha SHADE instead of 1 */
        if (without != 2)
            set_be(&k.file, k.at.material + 0x18, 4, 0x00500040);
        if (without != 3)
            set_be(&k.file, k.at.material + 0x21, 1, 2);
        hear_kite(&k, &h);
        kite_free(&k);
        CHECK_INT(h.count, without == 0);
    }
}

/* Vertices 0 and 2 are made equal: one vertex of the mesh, unless its pairs count, as in a textured outline. Then each
 * vertex has its number in red, but for that one. */
TEST(outlines_keep_pairs)
{
    kite k;
    kite_make(&k, 4);
    uint8_t *v = k.file.data + k.at.vertices;
    memcpy(v + 32, v, 8);
    memcpy(v + 32 + 16, v + 16, 4);
    memcpy(v + 32 + 24, v + 24, 4);
    const trilo_model *model = kite_model(&k);
    CHECK_INT(model ? model->meshes[0].vertex_count : 0, 7);
    trilo_model_free(model);
    set_be(&k.file, k.at.material + 0x23, 1, TRILO_N64_EFFECT_OUTLINE);
    model = kite_model(&k);
    CHECK_INT(model ? model->meshes[0].vertex_count : 0, 8);
    for (uint32_t i = 0; model && i < model->meshes[0].vertex_count; i++)
        CHECK_INT((int)(model->meshes[0].colors[i][0] * 255 + 0.5f), i == 2 ? 0 : i);
    trilo_model_free(model);
    kite_free(&k);
}

/* Part 1 loads slots 2 and 3 and draws slot 4, which part 0 loaded: the load overwrote its screen X, unless some
 * material has set fog before. */
TEST(a_load_spoils_the_slots_after_it)
{
    for (uint32_t fog = 0; fog < 3; fog++) {
        kite k;
        heard h = {.rule = "T3DM-SLOT-SPOILED"};
        kite_make(&k, 4);
        set_be(&k.file, k.at.material + 0x21, 1, fog);
        hear_kite(&k, &h);
        CHECK_INT(h.count, 0);
        set_be(&k.file, k.at.parts + 0x18 + 6, 2, 2);
        set_be(&k.file, k.at.indices + 24, 3, 0x000402);
        hear_kite(&k, &h);
        CHECK_INT(h.count, fog == 0);
        if (fog == 0)
            CHECK_STR(h.path, "objects[0].parts[1]");
        kite_free(&k);
    }
}

/* An object that loads nothing inside V has no box to compare with. */
TEST(bounds_need_a_vertex)
{
    kite k;
    heard h = {.rule = "T3DM-BOUNDS"};
    kite_make(&k, 4);
    for (size_t part = 0; part < 2; part++)
        set_be(&k.file, k.at.parts + 0x18 * part, 4, 0x10000);
    hear_kite(&k, &h);
    CHECK_INT(h.count, 0);
    kite_free(&k);
}

/* The list of part 1 lies in the strip of part 0. */
TEST(lists_must_not_overlap_strips)
{
    kite k;
    heard h = {.rule = "T3DM-STRIP-SHARED"};
    kite_make(&k, 4);
    hear_kite(&k, &h);
    CHECK_INT(h.count, 0);
    set_be(&k.file, k.at.parts + 0x18 + 8, 4, (uint32_t)(k.at.strip - k.at.indices) + 2);
    hear_kite(&k, &h);
    CHECK_INT(h.count, 1);
    CHECK_INT(h.offset, k.at.strip + 2);
    kite_free(&k);
}

/* Rules that one changed number cannot reach. */
TEST(the_other_rules_are_found)
{
    kite k;
    kite_make(&k, 4); /* X at the place of V: behind it in the table, before it in the file */
    set_be(&k.file, k.at.table + 28, 4, 'X' << 24 | (uint32_t)k.at.vertices);
    expect(&k, "T3DM-CHUNK-ORDER");
    kite_free(&k);

    kite_make(&k, 4);
    set_be(&k.file, k.at.table + 16, 4, 'I' << 24 | (uint32_t)(k.at.indices + 1));
    expect(&k, "T3DM-CHUNK-ALIGN");
    kite_free(&k);

    kite_make(&k, 4); /* both parts have their list at 0 and a strip of 7 behind it */
    set_be(&k.file, k.at.parts + 0x18 + 8, 4, 0);
    set_be(&k.file, k.at.parts + 0x18 + 0x10, 1, 7);
    expect(&k, "T3DM-STRIP-SHARED");
    kite_free(&k);

    kite_make(&k, 4); /* tile 1 gets another path with the hash of tile 0 */
    memcpy(k.file.data + k.at.texture + 0x2C + 8, k.file.data + k.at.texture + 8, 4);
    set_be(&k.file, k.at.texture + 0x2C + 4, 4, 32);
    expect(&k, "T3DM-HASH-COLLISION");
    kite_free(&k);

    kite_make(&k, 4); /* two objects at one place */
    set_be(&k.file, k.at.table + 4, 4, 'O' << 24 | (uint32_t)k.at.object);
    expect(&k, "T3DM-CHUNK-OFFSET");
    kite_free(&k);

    kite_make(&k, 4);
    k.opts.companion = NULL;
    expect(&k, "T3DM-STREAM-MISSING");
    kite_free(&k);

    kite_make(&k, 4);
    memcpy(k.file.data, "T3DM", 4);
    expect(&k, "T3DM-LEGACY");
    memcpy(k.file.data, "none", 4);
    k.opts.format = TRILO_FORMAT_T3DM;
    expect(&k, "T3DM-MAGIC");
    kite_free(&k);
}

/* 262144 zeros before the BVH: everything behind moves, and the BVH can no longer reach the object. */
TEST(a_far_bvh_is_found)
{
    enum { FAR = 262144 };
    kite k;
    buffer far = {0};
    kite_make(&k, 4);
    uint8_t *zeros = calloc(FAR, 1);
    CHECK(zeros);
    buffer_sink(&far, k.file.data, k.at.bvh);
    buffer_sink(&far, zeros, FAR);
    buffer_sink(&far, k.file.data + k.at.bvh, k.file.size - k.at.bvh);
    free(zeros);
    const size_t places[] = {k.at.bvh, k.at.vertices, k.at.indices, k.at.material, k.at.skeleton, k.at.custom};
    for (size_t i = 0; i < TL_COUNT_OF(places); i++)
        set_be(&far, k.at.table + 4 * (i + 2) + 1, 3, (uint32_t)(places[i] + FAR));
    set_be(&far, 0x18, 4, (uint32_t)(k.at.strings + FAR));
    buffer_free(&k.file);
    k.file = far;
    expect(&k, "T3DM-BVH-DISTANCE");
    kite_free(&k);
}

/* --- the cache --- */

typedef struct drawn {
    size_t triangles;
    enum t3dm_rule_id faults[8];
    uint32_t limits[8];
    size_t fault_count;
} drawn;

static void count_triangles(void *user, const t3dm_batch *batch)
{
    ((drawn *)user)->triangles += batch->count;
}

static void note_fault(void *user, const t3dm_draw_fault *s)
{
    drawn *d = user;
    if (d->fault_count == 8)
        return;
    d->limits[d->fault_count] = s->limit;
    d->faults[d->fault_count++] = s->rule;
}

static drawn draw_parts(t3dm_part *parts, uint16_t count, const uint8_t *indices, size_t size)
{
    static const uint8_t vertices[160 * 16];
    const t3dm_file file = {.version = 4, .vertices = {vertices, sizeof vertices}, .indices = {indices, size}};
    const t3dm_object object = {.head.part_count = count, .parts = parts};
    drawn d = {0};
    tl_t3dm_draw(&file, &object, &(t3dm_drawer){.user = &d, .triangles = count_triangles, .fault = note_fault});
    return d;
}

/* The input of a load of 24 lies at bytes 2488 to 2872 of the cache; slot 69 ends at 2520. With 22 it starts at 2520.
 */
TEST(loads_overwrite_upper_slots)
{
    static const uint8_t upper[3] = {0, 1, 69}, lower[3] = {0, 1, 68};
    t3dm_part parts[2] = {{.vertex_count = 70, .bone = T3DM_NO_BONE},
                          {.vertex_count = 24, .index_count = 3, .bone = T3DM_NO_BONE}};
    drawn d = draw_parts(parts, 2, upper, 3);
    CHECK_INT(d.triangles, 0);
    CHECK_INT(d.fault_count, 1);
    CHECK_INT(d.faults[0], T3DM_R_SLOT_LOST);
    d = draw_parts(parts, 2, lower, 3);
    CHECK_INT(d.triangles, 1);
    CHECK_INT(d.fault_count, 0);
    parts[1].vertex_count = 22;
    d = draw_parts(parts, 2, upper, 3);
    CHECK_INT(d.triangles, 1);
    /* a load that fills the slots itself loses nothing */
    parts[1] = (t3dm_part){.vertex_count = 70, .index_count = 3, .bone = T3DM_NO_BONE};
    d = draw_parts(parts, 2, upper, 3);
    CHECK_INT(d.triangles, 1);
}

/* Slot 70 can be written but not drawn. */
TEST(slot_70_is_not_drawn)
{
    static const uint8_t indices[3] = {0, 1, 70};
    t3dm_part parts[1] = {{.vertex_count = 70, .vertex_dest = 1, .index_count = 3, .bone = T3DM_NO_BONE}};
    drawn d = draw_parts(parts, 1, indices, 3);
    CHECK_INT(d.faults[0], T3DM_R_SLOT_EMPTY); /* slot 0 */
    parts[0].vertex_dest = 2;
    d = draw_parts(parts, 1, indices, 3);
    CHECK_INT(d.faults[0], T3DM_R_PART_DEST);
    CHECK_INT(d.limits[0], 1);
}

/* A strip of 7 indices takes 16 bytes below 2520: slot 69 is gone for the next part. */
TEST(strips_overwrite_upper_slots)
{
    static const uint8_t indices[27] = {
        [1] = 0, [3] = 1, [5] = 2, [7] = 3, [9] = 4, [11] = 5, [13] = 6, [24] = 0, 1, 69};
    t3dm_part parts[2] = {{.vertex_count = 70, .strip_counts = {7}, .bone = T3DM_NO_BONE},
                          {.vertex_count = 2, .index_at = 24, .index_count = 3, .bone = T3DM_NO_BONE}};
    drawn d = draw_parts(parts, 2, indices, sizeof indices);
    CHECK_INT(d.triangles, 5);
    CHECK_INT(d.fault_count, 1);
    CHECK_INT(d.faults[0], T3DM_R_SLOT_LOST);
}

/* The sizes of the sections, all and those of two names. */
static void sum_sections(kite *k, uint64_t *all, uint64_t *both)
{
    trilo_section sections[16];
    trilo_document *document = kite_open(k);
    const size_t count = trilo_document_sections(document, sections, TL_COUNT_OF(sections));
    *all = *both = 0;
    for (size_t i = 0; i < count; i++) {
        *all += sections[i].size;
        if (strcmp(sections[i].name, "skeleton") == 0 || strcmp(sections[i].name, "custom chunks") == 0)
            *both += sections[i].size;
    }
    trilo_document_free(document);
}

/* A custom chunk may begin where another one does. Its bytes go to one section. */
TEST(shared_bytes_are_counted_once)
{
    kite k;
    uint64_t all[2], both[2];
    kite_make(&k, 4);
    sum_sections(&k, &all[0], &both[0]);
    CHECK_INT(all[0], k.file.size);
    CHECK(both[0] > 0);
    uint8_t *entry = k.file.data + k.at.table;
    while (entry[0] != 'X')
        entry += 4;
    entry[2] = (uint8_t)(k.at.skeleton >> 8);
    entry[3] = (uint8_t)k.at.skeleton;
    sum_sections(&k, &all[1], &both[1]);
    CHECK_INT(all[1], k.file.size);
    CHECK_INT(both[1], both[0]);
    kite_free(&k);
}

TEST_MAIN(CASE(tables_are_valid), CASE(shared_bytes_are_counted_once), CASE(tables_have_the_sizes_of_the_format),
          CASE(words_come_apart_and_together), CASE(hash_is_the_console_s), CASE(kite_has_no_finding),
          CASE(kite_is_decoded), CASE(kite_kicks), CASE(rewriting_gives_the_same_bytes), CASE(versions_draw_the_same),
          CASE(each_mutation_is_found), CASE(fog_takes_alpha_away), CASE(outlines_keep_pairs),
          CASE(a_load_spoils_the_slots_after_it), CASE(bounds_need_a_vertex), CASE(lists_must_not_overlap_strips),
          CASE(the_other_rules_are_found), CASE(a_far_bvh_is_found), CASE(loads_overwrite_upper_slots),
          CASE(slot_70_is_not_drawn), CASE(strips_overwrite_upper_slots))

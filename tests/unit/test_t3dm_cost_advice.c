/* Hints of `cost` and advice about textures, from counts made up here, with their exact texts; and orders of objects,
 * compared with a plain way to find them. */
#include "formats/t3dm/cost/cost.h"
#include "harness.h"
#include "support/numbers.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 12 };

/* A file and its cost. All objects are different, and have materials that are, too. */
typedef struct stage {
    tl_arena arena;
    t3dm_file file;
    t3dm_object objects[MOST];
    t3dm_material materials[MOST];
    trilo_cost cost;
    trilo_cost_object object_costs[MOST];
    trilo_cost_material material_costs[MOST];
    trilo_cost_texture textures[MOST];
} stage;

static trilo_str text_of(const char *text)
{
    return (trilo_str){text, strlen(text)};
}

static void stage_init(stage *s, uint32_t objects, uint32_t materials)
{
    static const char *const names[MOST] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    memset(s, 0, sizeof *s);
    tl_arena_init(&s->arena, NULL);
    s->file = (t3dm_file){
        .object_count = objects, .objects = s->objects, .material_count = materials, .materials = s->materials};
    s->cost = (trilo_cost){.object_count = objects,
                           .material_count = materials,
                           .objects = s->object_costs,
                           .materials = s->material_costs,
                           .textures = s->textures};
    for (uint32_t i = 0; i < MOST; i++) {
        const uint32_t material = materials ? i % materials : TRILO_NONE;
        s->objects[i].head.material = material;
        s->object_costs[i] = (trilo_cost_object){.name = text_of(names[i]), .material = material};
        s->materials[i].head.combiner = 1 + i;
        s->materials[i].head.draw_flags = 1;
        s->material_costs[i] = (trilo_cost_material){
            .name = text_of(names[i]), .objects = 1, .textures = {TRILO_NONE, TRILO_NONE}, .tmem_limit = 4096};
        s->textures[i] = (trilo_cost_texture){.path = text_of(names[i]), .same_as = TRILO_NONE, .images = 1};
    }
}

/* The hints are these, in this order, and save so much. */
typedef struct wanted_hint {
    trilo_cost_hint_kind kind;
    uint32_t object, material;
    uint64_t saves;
    const char *text;
} wanted_hint;

static void expect_hints(stage *s, const wanted_hint *want, uint32_t count)
{
    CHECK(tl_t3dm_cost_hints(&s->file, &s->arena, &s->arena, &s->cost));
    CHECK_INT(s->cost.hint_count, count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(s->cost.hints[i].kind, want[i].kind);
        CHECK_INT(s->cost.hints[i].object, want[i].object);
        CHECK_INT(s->cost.hints[i].material, want[i].material);
        CHECK_INT(s->cost.hints[i].saves, want[i].saves);
        CHECK_STR(s->cost.hints[i].text.data, want[i].text);
    }
    tl_arena_free(&s->arena);
}

/* ---- counts ---- */

/* 70 vertices fit one load. Less than 80 % of the slots are used, and two loads or more could be saved. */
TEST(loads_that_are_not_full)
{
    static const struct {
        uint64_t loads[2], vertices[2];
        bool skinned;
        uint64_t saves;
        const char *text; /* before the advice; "": no hint */
    } rows[] = {
        {{4, 0}, {140, 0}, false, 24, "4 vertex loads fill 50 % of their slots; 2 could hold all vertices"},
        {{3, 0}, {140, 0}, false, 0, ""},
        {{5, 0}, {141, 0}, false, 24, "5 vertex loads fill 40 % of their slots; 3 could hold all vertices"},
        {{4, 0}, {141, 0}, false, 0, ""},
        {{10, 0}, {560, 0}, false, 0, ""},
        {{10, 0}, {558, 0}, false, 0, ""}, /* 79.7 % */
        {{10, 0}, {556, 0}, false, 24, "10 vertex loads fill 79 % of their slots; 8 could hold all vertices"},
        {{3, 2}, {70, 70}, false, 36, "5 vertex loads fill 40 % of their slots; 2 could hold all vertices"},
        {{3, 9}, {70, 70}, true, 24, "3 vertex loads fill 33 % of their slots; 1 could hold all vertices"},
        {{0, 9}, {0, 70}, true, 0, ""},
    };
    static stage s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        stage_init(&s, 2, 2);
        for (int k = 0; k < 2; k++) {
            s.object_costs[k].counts.loads = rows[i].loads[k];
            s.object_costs[k].counts.vertices = rows[i].vertices[k];
        }
        s.object_costs[1].skinned = rows[i].skinned;
        snprintf(text, sizeof text, "%s: \"trilobite optimize\" makes fuller batches", rows[i].text);
        const wanted_hint want = {TRILO_COST_HINT_KIND_FILL, TRILO_NONE, TRILO_NONE, rows[i].saves, text};
        expect_hints(&s, &want, *rows[i].text ? 1 : 0);
    }
}

/* From one in twenty on. */
TEST(vertices_that_are_loaded_again)
{
    static stage s;
    for (uint64_t unique = 39; unique <= 41; unique++) {
        stage_init(&s, 1, 1);
        s.cost.counts.duplicates = 2;
        s.cost.counts.unique = s.cost.counts.unique_shown = unique;
        s.cost.counts.vertices = 80;
        const wanted_hint want = {TRILO_COST_HINT_KIND_DUPLICATES, TRILO_NONE, TRILO_NONE, 32,
                                  "2 of 80 vertices (3 %) are loaded again by another part of their object: "
                                  "\"trilobite optimize\" finds better parts"};
        expect_hints(&s, &want, unique <= 40 ? 1 : 0);
    }
    stage_init(&s, 1, 1);
    expect_hints(&s, NULL, 0);
}

TEST(vertices_that_look_alike_and_triangles_without_area)
{
    static stage s;
    for (uint64_t degenerate = 1; degenerate <= 2; degenerate++) {
        stage_init(&s, 1, 1);
        s.cost.counts.unique = 40;
        s.cost.counts.unique_shown = 33;
        s.cost.counts.degenerate = degenerate;
        const wanted_hint want[] = {
            {TRILO_COST_HINT_KIND_UNUSED, TRILO_NONE, TRILO_NONE, 112,
             "7 of 40 vertices (18 %) differ only in what their material cannot show: --unused-attributes=drop merges "
             "them, if the game never changes these materials"},
            {TRILO_COST_HINT_KIND_DEGENERATE, TRILO_NONE, TRILO_NONE, 0,
             degenerate == 1 ? "1 triangle has no area and can be left out"
                             : "2 triangles have no area and can be left out"}};
        expect_hints(&s, want, 2);
    }
}

/* 16 or more triangles, and at least half of all, are drawn one by one. */
TEST(triangles_that_could_be_strips)
{
    static const char one[] = "object \"a\" with \"a\" draws 16 of 32 triangles one by one: strips would take half the "
                              "bytes, \"trilobite optimize\" makes them",
                      skinned[] = "object \"a\" with \"\" draws 16 of 32 triangles one by one, though bones do not "
                                  "keep it from strips: strips would take half the bytes, \"trilobite optimize\" makes "
                                  "them";
    static stage s;
    for (uint64_t list = 15; list <= 16; list++)
        for (uint64_t all = 32; all <= 33; all++) {
            stage_init(&s, 1, 1);
            s.object_costs[0].counts.list_triangles = list;
            s.object_costs[0].counts.triangles = all;
            const wanted_hint want = {TRILO_COST_HINT_KIND_STRIPS, 0, 0, 64, one};
            expect_hints(&s, &want, list == 16 && all == 32 ? 1 : 0);
        }
    stage_init(&s, 1, 0);
    s.object_costs[0].counts.list_triangles = 16;
    s.object_costs[0].counts.triangles = 32;
    s.object_costs[0].skinned = true;
    const wanted_hint want = {TRILO_COST_HINT_KIND_STRIPS, 0, TRILO_NONE, 64, skinned};
    expect_hints(&s, &want, 1);
}

/* Up to four objects have a hint each. */
TEST(many_objects_share_a_hint)
{
    static stage s;
    for (uint32_t count = 4; count <= 6; count++) {
        char texts[4][160], all[200];
        wanted_hint want[4];
        stage_init(&s, 7, 7);
        uint64_t sum = 0;
        for (uint32_t i = 1; i <= count; i++) {
            s.object_costs[i].counts.list_triangles = s.object_costs[i].counts.triangles = 20 + i;
            sum += 20 + i;
        }
        for (uint32_t i = 0; i < 4; i++) {
            snprintf(texts[i], sizeof texts[i],
                     "object \"%c\" with \"%c\" draws %u of %u triangles one by one: strips would take half the bytes, "
                     "\"trilobite optimize\" makes them",
                     "bcde"[i], "bcde"[i], 21 + (unsigned)i, 21 + (unsigned)i);
            want[i] = (wanted_hint){TRILO_COST_HINT_KIND_STRIPS, i + 1, i + 1, 4 * (21 + i), texts[i]};
        }
        snprintf(all, sizeof all,
                 "%u objects, such as \"b\", draw %u triangles one by one: strips would take half the bytes, "
                 "\"trilobite optimize\" makes them",
                 (unsigned)count, (unsigned)sum);
        if (count > 4)
            want[0] = (wanted_hint){TRILO_COST_HINT_KIND_STRIPS, TRILO_NONE, TRILO_NONE, 4 * sum, all};
        expect_hints(&s, want, count > 4 ? 1 : 4);
    }
}

/* ---- materials ---- */

#define FIELD(member)                                                                                                  \
    {                                                                                                                  \
        offsetof(t3dm_material, member), sizeof((t3dm_material *)0)->member                                            \
    }
#define TEXTURE(i)                                                                                                     \
    FIELD(textures[i].reference), FIELD(textures[i].path), FIELD(textures[i].hash), FIELD(textures[i].width),          \
        FIELD(textures[i].height), FIELD(textures[i].s.low), FIELD(textures[i].s.high), FIELD(textures[i].s.mask),     \
        FIELD(textures[i].s.shift), FIELD(textures[i].s.mirror), FIELD(textures[i].s.clamp), FIELD(textures[i].t.low), \
        FIELD(textures[i].t.high), FIELD(textures[i].t.mask), FIELD(textures[i].t.shift), FIELD(textures[i].t.mirror), \
        FIELD(textures[i].t.clamp)

static uint32_t merge_hints(stage *s)
{
    uint32_t count = 0;
    CHECK(tl_t3dm_cost_hints(&s->file, &s->arena, &s->arena, &s->cost));
    for (uint32_t i = 0; i < s->cost.hint_count; i++)
        count += s->cost.hints[i].kind == TRILO_COST_HINT_KIND_MERGE_MATERIALS;
    tl_arena_free(&s->arena);
    return count;
}

/* Every byte that the console gets makes a difference, no other does. */
TEST(materials_are_alike_if_all_but_their_names_is)
{
    static const struct {
        size_t at, size;
    } fields[] = {FIELD(head.combiner),
                  FIELD(head.other_mode),
                  FIELD(head.other_mask),
                  FIELD(head.blender),
                  FIELD(head.draw_flags),
                  FIELD(head.fog),
                  FIELD(head.set_flags),
                  FIELD(head.vertex_effect),
                  FIELD(head.prim),
                  FIELD(head.env),
                  FIELD(head.blend),
                  TEXTURE(0),
                  TEXTURE(1)};
    static stage s;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        for (size_t byte = 0; byte < fields[i].size; byte++)
            for (int k = 0; k < 2; k++) {
                stage_init(&s, 3, 3);
                s.materials[2].head.combiner = s.materials[0].head.combiner;
                s.materials[2].head.name = 9;
                ((uint8_t *)&s.materials[k ? 2 : 0])[fields[i].at + byte] ^= 0x80;
                CHECK_INT(merge_hints(&s), 0);
            }
    stage_init(&s, 3, 3);
    s.materials[2].head.combiner = s.materials[0].head.combiner;
    s.materials[2].opaque = true; /* of a game: unknown */
    CHECK_INT(merge_hints(&s), 0);
    stage_init(&s, 3, 3);
    s.materials[2].head.combiner = s.materials[0].head.combiner;
    s.materials[0].opaque = s.materials[2].opaque = true;
    CHECK_INT(merge_hints(&s), 0);
    stage_init(&s, 3, 3);
    s.materials[2].head.combiner = s.materials[0].head.combiner;
    s.material_costs[2].objects = 0; /* nothing is drawn with it */
    CHECK_INT(merge_hints(&s), 0);
}

/* A material has 140 bytes. Materials that are alike set nothing between them. */
TEST(materials_that_are_alike_are_named)
{
    static const char *const texts[] = {
        "material \"a\" and \"b\" differ only in name: merging them saves 140 bytes of the file",
        "material \"a\", \"b\" and 1 other differ only in name: merging them saves 280 bytes of the file",
        "material \"a\", \"b\" and 2 others differ only in name: merging them saves 420 bytes of the file"};
    static stage s;
    for (uint32_t count = 2; count <= 4; count++) {
        stage_init(&s, 5, 5);
        for (uint32_t i = 0; i < count; i++)
            s.materials[i].head.combiner = 1;
        s.cost.material_changes = 6 - count;
        s.cost.overlay_bytes = (6 - count) * UINT64_C(13532);
        const wanted_hint want = {TRILO_COST_HINT_KIND_MERGE_MATERIALS, TRILO_NONE, 1, 0, texts[count - 2]};
        expect_hints(&s, &want, 1);
    }
}

/* a b a' b with textures: a and a' together save a change, an upload and 13532 bytes, at 4 bytes a cycle of 1/62.5
 * microseconds: 54. */
TEST(materials_that_are_alike_but_drawn_apart)
{
    static stage s;
    stage_init(&s, 3, 3);
    for (uint32_t i = 0; i < 3; i++) {
        s.materials[i].textures[0].path = 1;
        s.materials[i].textures[0].hash = i == 1 ? 7 : 8;
        s.material_costs[i].textures[0] = i == 1 ? 1 : 0;
    }
    s.materials[2].head.combiner = 1;
    s.cost.material_changes = s.cost.uploads = 3;
    s.cost.overlay_bytes = 3 * 13532;
    const wanted_hint want = {
        TRILO_COST_HINT_KIND_MERGE_MATERIALS, TRILO_NONE, 2, 13532,
        "material \"a\" and \"c\" differ only in name: merging them, and drawing their objects one after the other, "
        "saves 1 material change, 1 texture upload and 13.5 kB of overlay traffic, about 54 microseconds"};
    expect_hints(&s, &want, 1);
}

TEST(objects_of_one_material_that_are_drawn_apart)
{
    static const char front[] = "objects of one material are drawn apart, such as \"c\" with \"a\": drawing them one "
                                "after the other (convert --order layer, optimize --sort-materials) saves ";
    static const char *const saved[] = {
        "1 material change and 13.5 kB of overlay traffic, about 54 microseconds",
        "2 material changes and 27.1 kB of overlay traffic, about 108 microseconds",
        "2 material changes, 2 texture uploads and 27.1 kB of overlay traffic, about 108 microseconds"};
    static stage s;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t objects = i == 0 ? 3 : 4;
        char text[320];
        stage_init(&s, objects, 2);
        for (uint32_t k = 0; i == 2 && k < 2; k++) {
            s.materials[k].textures[0].path = 1;
            s.materials[k].textures[0].hash = k;
            s.material_costs[k].textures[0] = k;
        }
        s.cost.material_changes = objects;
        s.cost.uploads = i == 2 ? 4 : 0;
        s.cost.overlay_bytes = objects * UINT64_C(13532);
        snprintf(text, sizeof text, "%s%s", front, saved[i]);
        const wanted_hint want = {TRILO_COST_HINT_KIND_ORDER, 2, 0, (objects - 2) * UINT64_C(13532), text};
        expect_hints(&s, &want, 1);
    }
}

/* ---- orders of objects ---- */

/* The plain way: one object after the other, each followed by those of its group before the next one that stays. */
static void plain_order(const stage *s, const uint32_t *groups, uint32_t only, uint32_t *order)
{
    bool done[MOST] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->file.object_count; i++) {
        const uint32_t material = s->objects[i].head.material;
        const bool none = material >= s->file.material_count;
        const bool stays = none || s->materials[material].opaque || s->materials[material].head.blender != 0;
        if (done[i])
            continue;
        order[count++] = i;
        for (uint32_t k = i + 1; !stays && k < s->file.object_count; k++) {
            const uint32_t other = s->objects[k].head.material;
            if (other >= s->file.material_count || s->materials[other].opaque || s->materials[other].head.blender != 0)
                break;
            if (!done[k] && groups[other] == groups[material] && (only == TRILO_NONE || groups[other] == only)) {
                order[count++] = k;
                done[k] = true;
            }
        }
    }
}

static void compare_orders(stage *s, const uint32_t *groups, uint32_t only)
{
    t3dm_orders orders;
    uint32_t want[MOST], changes = 0, uploads = 0, last = TRILO_NONE;
    CHECK(tl_t3dm_orders_new(&s->file, &s->arena, &orders));
    const t3dm_changes got = tl_t3dm_regrouped(&orders, &s->cost, groups, only),
                       without = tl_t3dm_regrouped(&orders, NULL, groups, only);
    plain_order(s, groups, only, want);
    for (uint32_t i = 0; i < s->file.object_count; i++) {
        const uint32_t material = s->objects[want[i]].head.material;
        CHECK_INT(orders.order[i], want[i]);
        if (material >= s->file.material_count || s->materials[material].opaque || material == last)
            continue;
        last = material;
        changes++;
        uploads += material % 2; /* of the odd ones textures are known */
    }
    CHECK_INT(got.changes, changes);
    CHECK_INT(got.uploads, uploads);
    CHECK_INT(got.overlay_bytes, 13532 * changes);
    CHECK(without.changes == changes && without.uploads == 0 && without.overlay_bytes == got.overlay_bytes);
    tl_arena_free(&s->arena);
}

/* From 0 on, less than `below`. */
static uint32_t dice(uint64_t *seed, uint32_t below)
{
    return (uint32_t)(random_bits(seed) >> 40) % below;
}

TEST(orders_are_those_of_the_plain_way)
{
    static stage s;
    uint64_t seed = 3;
    for (uint32_t round = 0; round < 1500; round++) {
        uint32_t groups[MOST];
        const uint32_t materials = 1 + dice(&seed, 6);
        stage_init(&s, dice(&seed, MOST + 1), materials);
        for (uint32_t i = 0; i < materials; i++) {
            const uint32_t kind = dice(&seed, 10);
            groups[i] = dice(&seed, materials);
            s.materials[i].opaque = kind == 0;
            s.materials[i].head.blender = kind == 1 ? 0x00500040 : 0;
            s.materials[i].textures[0].path = 1 + i;
            s.materials[i].textures[0].hash = 100 + i;
            s.material_costs[i].textures[0] = i % 2 ? i : TRILO_NONE;
        }
        for (uint32_t i = 0; i < MOST; i++)
            s.objects[i].head.material = dice(&seed, materials + (round % 8 == 0));
        compare_orders(&s, groups, round % 2 ? TRILO_NONE : dice(&seed, materials));
    }
}

/* ---- what is set and fetched ---- */

/* A texture with a path is uploaded by Tiny3D, one with a reference by the game; the second only if it is another. */
TEST(textures_are_uploaded_when_either_changes)
{
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t hash = i & 1 ? 8 : 9;
        t3dm_material first = {.head = {.combiner = 1}, .textures = {{.path = 1, .hash = 8}, {.path = 2, .hash = 9}}};
        t3dm_material then = {.head = {.combiner = 1},
                              .textures = {{.path = i >> 1 & 1, .reference = i >> 2 & 1, .hash = 8},
                                           {.path = i >> 3 & 1, .reference = i >> 4 & 1, .hash = hash}}};
        then.head.prim[0] = (uint8_t)(i >> 5);
        t3dm_pipeline p = {0};
        t3dm_setting s = tl_t3dm_set_material(&p, &first);
        CHECK(s.pipeline && s.uploads[0] && s.uploads[1]);
        s = tl_t3dm_set_material(&p, &then);
        CHECK_INT(s.pipeline, hash != 9);
        CHECK_INT(s.uploads[0], hash != 9 && (i >> 1 & 1) && !(i >> 2 & 1));
        CHECK_INT(s.uploads[1], false); /* no change, or the texture of the first slot */
        then.textures[1].hash = 10;
        s = tl_t3dm_set_material(&p, &then);
        CHECK_INT(s.uploads[0], (i >> 1 & 1) && !(i >> 2 & 1));
        CHECK_INT(s.uploads[1], (i >> 3 & 1) && !(i >> 4 & 1));
        s = tl_t3dm_set_material(&p, &then);
        CHECK(!s.pipeline && !s.uploads[0] && !s.uploads[1] && s.state_bytes == 0);
    }
}

/* Bytes of commands: 12 a load, 8 a triangle, sequence, strip or matrix, 4 a sync. Vertices have 16, in pairs, indices
 * of strips 2, in eights; a matrix that is set moves 192, one that is restored 128. */
TEST(bytes_that_are_fetched)
{
    uint64_t seed = 11;
    for (uint32_t round = 0; round < 300; round++) {
        t3dm_part parts[5] = {{0}};
        const uint32_t count = round % 6;
        uint64_t want = 0;
        bool pushed = false;
        for (uint32_t i = 0; i < count; i++) {
            t3dm_part *p = &parts[i];
            p->vertex_count = (uint16_t)dice(&seed, 71);
            p->index_count = (uint16_t)(dice(&seed, 3) * dice(&seed, 9));
            p->bone = dice(&seed, 2) ? T3DM_NO_BONE : (uint16_t)dice(&seed, 3);
            p->sequence_count = (uint8_t)(dice(&seed, 2) * dice(&seed, 5));
            for (uint32_t k = 0; k < 4; k++)
                p->strip_counts[k] = (uint8_t)(dice(&seed, 3) ? dice(&seed, 20) : 0);
            want += 12 + 16 * ((p->vertex_count + 1u) / 2 * 2) + 8 * (p->index_count / 3u);
            want += p->sequence_count > 0 ? 8 : 0;
            uint32_t strips = 0;
            for (; strips < 4 && p->strip_counts[strips] > 0; strips++) /* the first empty one is the end */
                want += 8 + (p->strip_counts[strips] + 3u) / 4 * 8;
            want += p->index_count > 0 && p->sequence_count == 0 && strips == 0 ? 4 : 0;
            want += p->bone != T3DM_NO_BONE ? 8 + 192 : pushed ? 8 + 128 : 0;
            pushed = p->bone != T3DM_NO_BONE;
        }
        want += pushed ? 8 + 128 : 0;
        CHECK_INT(tl_t3dm_drawn_bytes(parts, count), want);
    }
}

/* ---- advice about textures ---- */

typedef struct advice_list {
    uint32_t count;
    t3dm_advice about[8];
    char texts[8][320];
} advice_list;

static void keep_advice(void *user, const t3dm_advice *advice)
{
    advice_list *l = user;
    CHECK(l->count < 8);
    l->about[l->count] = *advice;
    snprintf(l->texts[l->count++], sizeof l->texts[0], "%s", advice->text);
}

static void expect_advice(stage *s, enum t3dm_rule_id rule, uint32_t material, uint32_t texture, uint64_t saves,
                          const char *text)
{
    advice_list l = {.count = 0};
    tl_t3dm_advise_on_textures(&s->cost, keep_advice, &l);
    CHECK_INT(l.count, *text ? 1 : 0);
    if (!*text)
        return;
    CHECK_INT(l.about[0].rule, rule);
    CHECK_INT(l.about[0].material, material);
    CHECK_INT(l.about[0].texture, texture);
    CHECK_INT(l.about[0].saves, saves);
    CHECK_STR(l.texts[0], text);
}

TEST(advice_about_materials)
{
    static stage s;
    stage_init(&s, 0, 3);
    s.cost.texture_count = 2;
    trilo_cost_material *m = &s.material_costs[2];
    m->tmem = 4096;
    expect_advice(&s, 0, 0, 0, 0, "");
    m->tmem = 4097;
    expect_advice(&s, T3DM_R_TEXTURE_TMEM, 2, TRILO_NONE, 0,
                  "material \"c\": its textures take 4097 bytes of texture memory, 4096 fit");
    m->tmem = 2056, m->tmem_limit = 2048;
    expect_advice(&s, T3DM_R_TEXTURE_TMEM, 2, TRILO_NONE, 0,
                  "material \"c\": its textures take 2056 bytes of texture memory, 2048 fit beside a palette");
    m->tmem = 0;
    m->mipmaps_clash = true;
    expect_advice(&s, T3DM_R_TEXTURE_MIPMAPS, 2, TRILO_NONE, 0,
                  "material \"c\": a texture with mipmaps, and a combiner of two cycles");
    m->mipmaps_clash = false;
    m->palettes_clash = true;
    m->textures[0] = 1, m->textures[1] = 0;
    for (int i = 1; i < 4; i++) {
        char text[160];
        s.textures[0].palette = i & 1 ? 128 : 0;
        s.textures[1].palette = i & 2 ? 128 : 0;
        snprintf(text, sizeof text, "material \"c\": \"b\" and \"a\" cannot be shown together, because %s",
                 i < 3 ? "only one of them has a palette" : "their palettes differ and the second replaces the first");
        expect_advice(&s, T3DM_R_TEXTURE_PALETTES, 2, TRILO_NONE, 0, text);
    }
}

/* 32 x 32 texels of 16 bits are 2048 bytes, of 8 bits 1024, of 4 bits 512, and 16 colours 32 more. */
TEST(advice_about_formats)
{
    static stage s;
    stage_init(&s, 0, 2);
    s.cost.texture_count = 2;
    trilo_cost_texture *t = &s.textures[1];
    t->texels = TRILO_TEXELS_RGBA16, t->smaller = TRILO_TEXELS_I8;
    t->width = t->height = 32;
    t->tmem = 2048, t->uploads = 3;
    const char i8[] = "every texel of \"b\", RGBA16, fits I8";
    expect_advice(&s, T3DM_R_TEXTURE_FORMAT, TRILO_NONE, 1, 3 * 1024, i8);
    t->images = 2;
    expect_advice(&s, T3DM_R_TEXTURE_FORMAT, TRILO_NONE, 1, 0, i8);
    t->images = 1, t->tmem = 1024;
    expect_advice(&s, T3DM_R_TEXTURE_FORMAT, TRILO_NONE, 1, 0, i8);
    t->tmem = 1025;
    expect_advice(&s, T3DM_R_TEXTURE_FORMAT, TRILO_NONE, 1, 3, i8);
    t->tmem = 1024, t->palette = 2048, t->texels = TRILO_TEXELS_CI8; /* of which 512 bytes are uploaded */
    expect_advice(&s, T3DM_R_TEXTURE_FORMAT, TRILO_NONE, 1, 3 * 512, "every texel of \"b\", CI8, fits I8");
    t->smaller = TRILO_TEXELS_CI4;
    t->colors = 1;
    expect_advice(&s, T3DM_R_TEXTURE_FORMAT, TRILO_NONE, 1, 3 * (1024 + 512 - 512 - 32),
                  "\"b\", CI8, has 1 colour: CI4 would do");
    t->palette = 0, t->colors = 16, t->tmem = 2048, t->texels = TRILO_TEXELS_RGBA16;
    const char ci4[] = "\"b\", RGBA16, has 16 colours: CI4 would do";
    expect_advice(&s, T3DM_R_TEXTURE_FORMAT, TRILO_NONE, 1, 3 * (2048 - 512 - 32), ci4);
    t->same_as = 0;
    expect_advice(&s, T3DM_R_TEXTURE_TWICE, TRILO_NONE, 1, 0,
                  "\"b\" has the same content as \"a\": one of them will do");
    t->same_as = TRILO_NONE, t->smaller = TRILO_TEXELS_UNKNOWN;
    expect_advice(&s, 0, 0, 0, 0, "");
}

/* Both textures of a material have palettes, or neither. */
TEST(palettes_are_not_for_one_of_two)
{
    static const uint32_t both[][2] = {
        {1, TRILO_NONE}, {TRILO_NONE, 1}, {0, TRILO_NONE}, {TRILO_NONE, 0}, {TRILO_NONE, TRILO_NONE},
        {0, 0},          {1, 0},          {0, 1},          {1, 1}};
    static stage s;
    for (int i = 0; i < 9; i++)
        for (uint32_t palette = 0; palette <= 128; palette += 128)
            for (int row = 0; row < 2; row++) {
                stage_init(&s, 0, 2);
                s.cost.texture_count = 2;
                s.textures[1].smaller = TRILO_TEXELS_CI4;
                s.textures[1].texels = TRILO_TEXELS_RGBA16;
                s.textures[1].colors = 2;
                s.textures[1].palette = palette;
                memcpy(s.material_costs[row].textures, both[i], sizeof both[i]);
                expect_advice(&s, T3DM_R_TEXTURE_FORMAT, TRILO_NONE, 1, 0,
                              i < 6 || palette > 0 ? "\"b\", RGBA16, has 2 colours: CI4 would do" : "");
            }
}

TEST(advice_about_sizes)
{
    static stage s;
    stage_init(&s, 0, 1);
    s.cost.texture_count = 1;
    trilo_cost_texture *t = &s.textures[0];
    t->width = 32, t->height = 16;
    for (uint32_t w = 31; w <= 33; w++)
        for (uint32_t h = 15; h <= 17; h++)
            for (int k = 0; k < 4; k++) {
                char text[80];
                t->tile_width = k == 1 ? 0 : w, t->tile_height = k == 2 ? 0 : h;
                t->from_file = k != 3;
                snprintf(text, sizeof text, "\"a\" has 32 x 16 texels, its materials show %u x %u", (unsigned)w,
                         (unsigned)h);
                expect_advice(&s, T3DM_R_TEXTURE_LARGER, TRILO_NONE, 0, 0, k == 0 && (w < 32 || h < 16) ? text : "");
            }
}

/* Textures that do not fit come first, and of each kind there are at most eight. */
TEST(hints_about_textures_are_limited)
{
    static stage s;
    stage_init(&s, 0, 12);
    s.cost.texture_count = 12;
    for (uint32_t i = 0; i < 12; i++) {
        s.material_costs[i].tmem = 5000;
        s.textures[i].same_as = i > 0 ? 0 : TRILO_NONE;
    }
    CHECK(tl_t3dm_cost_hints(&s.file, &s.arena, &s.arena, &s.cost));
    CHECK_INT(s.cost.hint_count, 16);
    for (uint32_t i = 0; i < 16; i++) {
        CHECK_INT(s.cost.hints[i].kind, i < 8 ? TRILO_COST_HINT_KIND_TMEM : TRILO_COST_HINT_KIND_TEXTURES);
        CHECK_INT(s.cost.hints[i].material, i < 8 ? i : TRILO_NONE);
        CHECK_INT(s.cost.hints[i].object, TRILO_NONE);
    }
    tl_arena_free(&s.arena);
}

TEST_MAIN(CASE(loads_that_are_not_full), CASE(vertices_that_are_loaded_again),
          CASE(vertices_that_look_alike_and_triangles_without_area), CASE(triangles_that_could_be_strips),
          CASE(many_objects_share_a_hint), CASE(materials_are_alike_if_all_but_their_names_is),
          CASE(materials_that_are_alike_are_named), CASE(materials_that_are_alike_but_drawn_apart),
          CASE(objects_of_one_material_that_are_drawn_apart), CASE(orders_are_those_of_the_plain_way),
          CASE(textures_are_uploaded_when_either_changes), CASE(bytes_that_are_fetched), CASE(advice_about_materials),
          CASE(advice_about_formats), CASE(palettes_are_not_for_one_of_two), CASE(advice_about_sizes),
          CASE(hints_about_textures_are_limited))

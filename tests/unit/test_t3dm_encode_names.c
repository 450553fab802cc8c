/* Paths of sprites, checks of textures, and bones: steps of the T3DM encoder against plain definitions. */
#include "harness.h"
#include "support/numbers.h"
#include "support/t3dm_encoder.h"

#include <stdio.h>
#include <string.h>

static trilo_str text_of(const char *text)
{
    return (trilo_str){text, strlen(text)};
}

/* ---- paths ---- */

static const char *path_of(encoder_bench *b, const trilo_texture *texture, bool sprite_paths)
{
    static char paths[2][T3DM_PATH_ROOM];
    uint8_t reported[1] = {0};
    const trilo_n64_material n64 = {.tiles = {{.texture = TRILO_NONE}, {.texture = 0}}};
    t3dm_material m = {.raw = {NULL, 0}};
    encoder_bench_init(b);
    b->model.textures = texture;
    b->model.texture_count = 1;
    b->e.texture_reported = reported;
    b->e.policy.sprite_paths = sprite_paths;
    CHECK(tl_t3dm_encode_textures(&b->e, &n64, &m, paths));
    CHECK_INT(reported[0], 1);
    CHECK_STR(paths[0], "");
    CHECK_INT(m.textures[0].path, 0);
    CHECK_STR(b->e.strings + m.textures[1].path, paths[1]);
    CHECK_INT(m.textures[1].hash, tl_t3dm_hash(paths[1]));
    encoder_bench_free(b);
    return paths[1];
}

TEST(images_have_sprites_of_their_names)
{
    static const char *const rows[][2] = {{"wall.png", "rom:/wall.sprite"},
                                          {"wall.ci4.png", "rom:/wall.ci4.sprite"},
                                          {"a/b/wall.PnG", "rom:/a/b/wall.sprite"},
                                          {"./a/wall.jpg", "rom:/a/wall.sprite"},
                                          {".a/wall.jpeg", "rom:/.a/wall.sprite"},
                                          {"wall.webp", "rom:/wall.sprite"},
                                          {"wall.bmp", "rom:/wall.sprite"},
                                          {"wall.tga", "rom:/wall.sprite"},
                                          {"wall.gif", "rom:/wall.sprite"},
                                          {"wall.ktx2", "rom:/wall.sprite"},
                                          {"wall.dds", "rom:/wall.sprite"},
                                          {"wall.sprite", "rom:/wall.sprite"},
                                          {"wall.ZTGA", "rom:/wall.ZTGA.sprite"},
                                          {"wall.pn", "rom:/wall.pn.sprite"},
                                          {"wall.pngs", "rom:/wall.pngs.sprite"},
                                          {"wall", "rom:/wall.sprite"},
                                          {"a.png/wall", "rom:/a.png/wall.sprite"},
                                          {"/home/me/wall.png", "rom:/wall.sprite"},
                                          {"C:\\me\\wall.png", "rom:/wall.sprite"},
                                          {"C:wall.png", "rom:/wall.sprite"},
                                          {"a\\wall.png", "rom:/wall.sprite"},
                                          {"../a/wall.png", "rom:/wall.sprite"},
                                          {"rom:/a/wall.sprite", "rom:/a/wall.sprite"},
                                          {"rom:/a/wall.png", "rom:/a/wall.png"}};
    static encoder_bench b;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const trilo_texture texture = {.path = text_of(rows[i][0])};
        CHECK_STR(path_of(&b, &texture, true), rows[i][1]);
        CHECK_INT(b.heard.count, 0);
        CHECK_STR(path_of(&b, &texture, false), rows[i][0]);
    }
    /* 900 bytes of a name are kept. */
    static char name[1000], want[1000];
    for (size_t length = 899; length <= 901; length++) {
        memset(name, 'n', sizeof name);
        memcpy(name + length, ".png", 5);
        const trilo_texture texture = {.path = text_of(name)};
        memset(want, 'n', sizeof want);
        memcpy(want, "rom:/", 5);
        memcpy(want + 5 + (length < 900 ? length : 900), ".sprite", 8);
        CHECK_STR(path_of(&b, &texture, true), want);
    }
}

TEST(images_without_a_path_are_named)
{
    const uint8_t bytes[1] = {0};
    static encoder_bench b;
    trilo_texture texture = {.name = text_of("dir/brick.jpg"), .bytes = {bytes, 1}, .kind = TRILO_IMAGE_KIND_JPEG};
    CHECK_STR(path_of(&b, &texture, true), "rom:/brick.sprite");
    CHECK_INT(b.heard.count, 1);
    CHECK_STR(b.heard.rules[0], "T3DM-LOST-TEXTURE");
    CHECK_STR(b.heard.texts[0], "the embedded image (a JPEG) is not written, only its path \"rom:/brick.sprite\"; "
                                "--sprites also writes the sprite");
    texture.kind = TRILO_IMAGE_KIND_PNG;
    CHECK_STR(path_of(&b, &texture, false), "rom:/brick.sprite");
    CHECK_STR(b.heard.texts[0], "the embedded image is not written, only its path \"rom:/brick.sprite\"; --sprites "
                                "also writes the sprite");
    texture.name = text_of("");
    CHECK_STR(path_of(&b, &texture, true), "rom:/texture-0.sprite");
    texture.bytes.size = 0;
    CHECK_STR(path_of(&b, &texture, true), "rom:/texture-0.sprite");
    CHECK_INT(b.heard.count, 1);
    CHECK_STR(b.heard.texts[0], "the image could not be read, so only a path is written, \"rom:/texture-0.sprite\"");
}

/* Of a chunk `m` paths are not stored; without a path the hash is the reference; Tiny3D would load the texture of a
 * placeholder. */
TEST(references_have_no_paths)
{
    const trilo_texture texture = {.path = text_of("rom:/a.sprite")};
    for (int i = 0; i < 8; i++) {
        const bool layered = i & 1, reference = i & 2, opaque = i & 4;
        static encoder_bench b;
        static char paths[2][T3DM_PATH_ROOM];
        uint8_t reported[1] = {0};
        const trilo_n64_material n64 = {
            .engine_flags = layered ? TRILO_N64_ENGINE_LAYERED : TRILO_N64_ENGINE_FOG,
            .tiles = {{.texture = 0, .reference = reference ? 77 : 0, .width = 3, .height = 4},
                      {.texture = TRILO_NONE}}};
        t3dm_material m = {.opaque = opaque};
        encoder_bench_init(&b);
        b.model.textures = &texture;
        b.e.texture_reported = reported;
        CHECK(tl_t3dm_encode_textures(&b.e, &n64, &m, paths));
        const bool by_game = layered && reference && !opaque;
        CHECK_STR(paths[0], by_game ? "" : "rom:/a.sprite");
        CHECK_INT(m.textures[0].path != 0, !by_game && !opaque);
        CHECK_INT(m.textures[0].hash, by_game || opaque ? (reference ? 77 : 0) : tl_t3dm_hash("rom:/a.sprite"));
        CHECK_INT(m.textures[0].reference, reference ? 77 : 0);
        CHECK(m.textures[0].width == 3 && m.textures[0].height == 4);
        encoder_bench_free(&b);
    }
}

/* 128 x 128 texels of 4 bits become 64 x 64, beside a palette; of 8 bits, without one, too. Each part of a tile is only
 * made anew where it was not set, and an image is reported once. */
TEST(images_that_are_too_large)
{
    for (int way = 0; way < 64; way++) {
        const uint8_t fit = way & 7;
        const bool reported = way & 8, large = way & 16, named = way & 32;
        const uint32_t size = large ? 128 : 16, fitted = large ? 64 : 16;
        const trilo_texture texture = {.path = text_of(named ? "a.i8.png" : "a.png"), .width = size, .height = size};
        static encoder_bench b;
        static char paths[2][T3DM_PATH_ROOM];
        uint8_t was_reported[1] = {reported};
        const trilo_n64_material n64 = {
            .tiles = {{.texture = TRILO_NONE, .fit = 7, .width = 9},
                      {.texture = 0, .fit = fit, .width = 8, .height = 4, .s = {.high = 99}, .t = {.high = 77}}}};
        t3dm_material m = {.raw = {NULL, 0}};
        encoder_bench_init(&b);
        b.model.textures = &texture;
        b.model.texture_count = 1;
        b.e.texture_reported = was_reported;
        b.e.policy.sprite_paths = true;
        CHECK(tl_t3dm_encode_textures(&b.e, &n64, &m, paths));
        const t3dm_texture *t = &m.textures[1];
        const uint32_t width = fit & 1 ? fitted : 8, height = fit & 1 ? fitted : 4;
        CHECK(t->width == width && t->height == height && m.textures[0].width == 9);
        CHECK_NEAR(t->s.high, fit & 2 ? width - 1 : 99, 0);
        CHECK_NEAR(t->t.high, fit & 4 ? height - 1 : 77, 0);
        CHECK_INT(b.heard.count, (fit & 1) && large && !reported);
        if (b.heard.count > 0)
            CHECK_STR(b.heard.texts[0],
                      "the image of 128 x 128 is too large for texture memory; texture coordinates are made for 64 x "
                      "64, so make it that before mksprite");
        encoder_bench_free(&b);
    }
}

/* ---- texture memory ---- */

typedef struct image_slot {
    const char *path;
    uint16_t width, height;
    uint32_t reference;
} image_slot;

static void check_slots(encoder_bench *b, const image_slot slots[2], t3dm_axis axis, uint32_t draw_flags)
{
    t3dm_material m = {.head.draw_flags = draw_flags};
    encoder_bench_init(b);
    for (int i = 0; i < 2; i++) {
        t3dm_texture *t = &m.textures[i];
        *t = (t3dm_texture){.width = slots[i].width, .height = slots[i].height, .s = axis, .t = axis};
        t->reference = slots[i].reference;
        t->hash = slots[i].path ? tl_t3dm_hash(slots[i].path) : t->reference;
        CHECK(tl_t3dm_add_string(&b->e, slots[i].path, &t->path));
    }
    tl_t3dm_check_textures(&b->e, &m);
    encoder_bench_free(b);
}

/* 4096 bytes: 64 x 64 of 8 bits, or 64 x 32 of 16; with a palette half of it. Unknown formats count as 4 bits. */
TEST(texture_memory_has_4096_bytes)
{
    static const struct {
        image_slot slots[2];
        const char *text; /* "": nothing is reported */
    } rows[] = {
        {{{"a.i8.sprite", 64, 64, 0}, {NULL, 0, 0, 0}}, ""},
        {{{"a.i8.sprite", 64, 128, 0}, {NULL, 0, 0, 0}},
         "\"a.i8.sprite\" of 64 x 128 needs 8192 bytes of texture memory, there are 4096"},
        {{{"a.i8.sprite", 64, 128, 5}, {NULL, 0, 0, 0}}, ""}, /* the game's own */
        {{{"a.ci4.sprite", 64, 64, 0}, {NULL, 0, 0, 0}}, ""},
        {{{NULL, 0, 0, 0}, {"a.ci8.sprite", 64, 64, 0}},
         "\"a.ci8.sprite\" of 64 x 64 needs 4096 bytes of texture memory, there are 2048"},
        {{{"a.sprite", 128, 64, 0}, {NULL, 0, 0, 0}}, ""},
        {{{"a.sprite", 128, 128, 0}, {NULL, 0, 0, 0}},
         "\"a.sprite\" of 128 x 128 needs 8192 bytes of texture memory at 4 bits a texel, there are 4096"},
        {{{"a.i8.sprite", 64, 32, 0}, {"b.i8.sprite", 64, 32, 0}}, ""},
        {{{"a.i8.sprite", 64, 64, 0}, {"b.i8.sprite", 8, 1, 0}},
         "its two textures need 4104 bytes of texture memory, there are 4096"},
        {{{"a.i8.sprite", 8, 1, 0}, {"b.i8.sprite", 64, 64, 0}},
         "its two textures need 4104 bytes of texture memory, there are 4096"},
        {{{"a.i8.sprite", 64, 64, 0}, {"a.i8.sprite", 64, 64, 0}}, ""}, /* the same */
        {{{"a.i8.sprite", 64, 64, 0}, {"b.i8.sprite", 64, 64, 9}}, ""},
        {{{"a.i8.sprite", 64, 64, 0}, {"b.i8.sprite", 64, 128, 0}}, /* one that does not fit alone is enough */
         "\"b.i8.sprite\" of 64 x 128 needs 8192 bytes of texture memory, there are 4096"},
        {{{"a.i8.sprite", 64, 128, 0}, {"b.i8.sprite", 64, 64, 0}},
         "\"a.i8.sprite\" of 64 x 128 needs 8192 bytes of texture memory, there are 4096"},
        {{{"a.i8.sprite", 0, 64, 0}, {NULL, 0, 0, 0}},
         "the size of \"a.i8.sprite\" is not known; texture coordinates are made for 32 x 32"},
        {{{"a.i8.sprite", 64, 0, 0}, {NULL, 0, 0, 0}},
         "the size of \"a.i8.sprite\" is not known; texture coordinates are made for 32 x 32"},
    };
    static encoder_bench b;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_slots(&b, rows[i].slots, (t3dm_axis){.high = 1}, TRILO_N64_TEXTURED);
        CHECK_INT(b.heard.count, *rows[i].text ? 1 : 0);
        if (*rows[i].text)
            CHECK_STR(b.heard.texts[0], rows[i].text);
        check_slots(&b, rows[i].slots, (t3dm_axis){.high = 1}, ~(uint32_t)TRILO_N64_TEXTURED);
        CHECK_INT(b.heard.count, 0);
    }
}

TEST(axes_repeat_powers_of_two)
{
    static encoder_bench b;
    for (uint16_t width = 1; width < 70; width++)
        for (uint8_t clamp = 0; clamp < 2; clamp++)
            for (int low = -1; low < 2; low++) {
                const image_slot slots[2] = {{"a.i4.sprite", width, 12, 0}, {NULL, 0, 0, 0}};
                const bool power =
                    width == 1 || width == 2 || width == 4 || width == 8 || width == 16 || width == 32 || width == 64;
                char text[120];
                size_t at = 0;
                check_slots(&b, slots, (t3dm_axis){.low = (float)low, .clamp = clamp}, TRILO_N64_TEXTURED);
                if (!clamp && !power) {
                    snprintf(text, sizeof text,
                             "\"a.i4.sprite\" repeats along S, but its size there is %u, which is not a power of two",
                             (unsigned)width);
                    CHECK_STR(b.heard.rules[at], "T3DM-TEXTURE-REPEAT");
                    CHECK_STR(b.heard.texts[at++], text);
                }
                if (clamp && low < 0)
                    CHECK_STR(b.heard.texts[at++], "\"a.i4.sprite\" is clamped along S with a low of -1, below 0");
                if (!clamp)
                    CHECK_STR(b.heard.texts[at++],
                              "\"a.i4.sprite\" repeats along T, but its size there is 12, which is not a power of two");
                if (clamp && low < 0)
                    CHECK_STR(b.heard.texts[at++], "\"a.i4.sprite\" is clamped along T with a low of -1, below 0");
                CHECK_INT(b.heard.count, at);
            }
}

/* ---- bones ---- */

enum { NODES = 9 };

typedef struct tree {
    trilo_node nodes[NODES];
    trilo_joint joints[NODES];
    trilo_skin skin;
    trilo_mesh meshes[3];
    uint32_t order[3];
} tree;

static uint32_t dice(uint64_t *seed, uint32_t below)
{
    return (uint32_t)(random_bits(seed) >> 40) % below;
}

/* Parents come first. A node is moved by a power of two along x, or not at all. */
static void tree_fill(encoder_bench *b, tree *t, uint64_t *seed)
{
    static const char *const names[NODES] = {"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"};
    memset(t, 0, sizeof *t);
    t->skin = (trilo_skin){.joints = t->joints};
    for (uint32_t n = 0; n < NODES; n++) {
        trilo_node *node = &t->nodes[n];
        node->name = text_of(names[n]);
        node->parent = n == 0 || dice(seed, 5) == 0 ? TRILO_NONE : dice(seed, n);
        node->scale = (trilo_vec3){1, 2, 3};
        node->rotation = (trilo_quat){0, 0, 0, 2};
        for (int k = 0; k < 4; k++)
            node->local.m[5 * k] = 1;
        node->translation.x = node->local.m[12] = dice(seed, 2) ? (float)(1 << n) : 0;
        if (dice(seed, 4) == 0)
            t->joints[t->skin.joint_count++].node = n;
    }
    for (uint32_t i = 0; i < 3; i++) {
        t->order[i] = i;
        t->meshes[i] = (trilo_mesh){.node = dice(seed, 3) ? dice(seed, NODES) : TRILO_NONE,
                                    .skin = dice(seed, 2) && t->skin.joint_count > 0 ? 0 : TRILO_NONE};
    }
    b->model = (trilo_model){.node_count = NODES,
                             .nodes = t->nodes,
                             .skin_count = t->skin.joint_count > 0,
                             .skins = &t->skin,
                             .mesh_count = 3,
                             .meshes = t->meshes};
    b->e.meshes = t->order;
    b->e.mesh_count = 3;
    b->e.policy.scale = 4;
}

static bool is_at_or_below(const tree *t, uint32_t node, uint32_t above)
{
    for (; node != TRILO_NONE; node = t->nodes[node].parent)
        if (node == above)
            return true;
    return false;
}

static bool is_joint(const tree *t, uint32_t node)
{
    for (uint32_t i = 0; i < t->skin.joint_count; i++)
        if (t->joints[i].node == node)
            return true;
    return false;
}

/* Joints, and the moved nodes above them; or all nodes. */
static bool is_bone(const tree *t, uint32_t node, bool all)
{
    bool above = false;
    for (uint32_t i = 0; i < t->skin.joint_count; i++)
        above = above || is_at_or_below(t, t->joints[i].node, node);
    return all ? t->skin.joint_count > 0 : is_joint(t, node) || (above && t->nodes[node].local.m[12] != 0);
}

/* The bones below a node in order, recursively. */
static uint32_t number_bones(const tree *t, uint32_t parent, bool all, uint32_t count, uint32_t *order)
{
    for (uint32_t n = 0; n < NODES; n++)
        if (t->nodes[n].parent == parent) {
            if (is_bone(t, n, all))
                order[count++] = n;
            count = number_bones(t, n, all, count, order);
        }
    return count;
}

static uint32_t bone_above(const tree *t, uint32_t node, bool all)
{
    uint32_t above = t->nodes[node].parent;
    while (above != TRILO_NONE && !is_bone(t, above, all))
        above = t->nodes[above].parent;
    return above;
}

static void check_bones(const encoder_bench *b, const tree *t, bool all)
{
    uint32_t order[NODES];
    const uint32_t count = number_bones(t, TRILO_NONE, all, 0, order);
    CHECK_INT(b->file.skeleton.bone_count, count);
    CHECK_INT(b->file.has_skeleton, count > 0);
    for (uint32_t i = 0; i < count; i++) {
        const t3dm_bone *bone = &b->file.bones[i];
        const trilo_node *node = &t->nodes[order[i]];
        uint32_t depth = 0, above = bone_above(t, order[i], all);
        CHECK_INT(b->e.node_of_bone[i], order[i]);
        CHECK_INT(b->e.bone_of_node[order[i]], i);
        CHECK_STR(b->e.strings + bone->name, node->name.data);
        CHECK_INT(bone->parent, above == TRILO_NONE ? T3DM_NO_BONE : b->e.bone_of_node[above]);
        for (; above != TRILO_NONE; above = bone_above(t, above, all))
            depth++;
        CHECK_INT(bone->depth, depth);
        CHECK(bone->scale[0] == 1 && bone->scale[1] == 2 && bone->scale[2] == 3);
        CHECK(bone->rotation[0] == 0 && bone->rotation[3] == 2);
        CHECK(bone->position[0] == 4 * node->translation.x && bone->position[1] == 0 && bone->position[2] == 0);
    }
}

/* What moves a node that is no bone: the sum of it and those above, up to the bone. */
static void check_bindings(const encoder_bench *b, const tree *t, bool all)
{
    for (uint32_t n = 0; n < NODES; n++) {
        const t3dm_binding *binding = &b->e.node_bindings[n];
        const bool bone = is_bone(t, n, all);
        const uint32_t above = bone ? n : bone_above(t, n, all);
        float x = 0;
        for (uint32_t k = n; k != above; k = t->nodes[k].parent)
            x += t->nodes[k].local.m[12];
        CHECK_INT(binding->bone, above == TRILO_NONE ? T3DM_NO_BONE : b->e.bone_of_node[above]);
        CHECK_INT(binding->identity, bone);
        CHECK(!binding->mirrored && binding->points.m[0] == 1 && binding->points.m[12] == x);
    }
}

/* Nodes with nothing drawn at them, below them, or by way of them. */
static uint32_t count_lost(const tree *t)
{
    uint32_t lost = 0;
    for (uint32_t n = 0; n < NODES; n++) {
        bool used = false;
        for (uint32_t i = 0; i < t->skin.joint_count; i++)
            used = used || is_at_or_below(t, t->joints[i].node, n);
        for (int i = 0; i < 3; i++) {
            const trilo_mesh *mesh = &t->meshes[i];
            used = used || (mesh->skin == TRILO_NONE ? is_at_or_below(t, mesh->node, n) : mesh->node == n);
        }
        lost += !used;
    }
    return lost;
}

TEST(bones_are_those_of_the_plain_way)
{
    static encoder_bench b;
    uint64_t seed = 17;
    for (int round = 0; round < 600; round++) {
        static tree t;
        const bool all = round % 2;
        encoder_bench_init(&b);
        tree_fill(&b, &t, &seed);
        b.e.policy.select_bones = !all;
        CHECK(tl_t3dm_encode_bones(&b.e));
        check_bones(&b, &t, all);
        check_bindings(&b, &t, all);
        uint32_t made = 0, lost = 0;
        for (size_t i = 0; i < b.heard.count; i++) {
            made += strcmp(b.heard.rules[i], "T3DM-MADE-BONE") == 0;
            if (strcmp(b.heard.rules[i], "T3DM-LOST-NODES") == 0) {
                lost = 1;
                CHECK(all || strstr(b.heard.texts[i], "nodes without a mesh or bone are lost: "));
            }
        }
        CHECK_INT(lost, all ? t.skin.joint_count == 0 : count_lost(&t) > 0);
        for (uint32_t n = 0; n < NODES; n++)
            made -= !all && is_bone(&t, n, false) && !is_joint(&t, n);
        CHECK_INT(made, 0);
        encoder_bench_free(&b);
    }
}

/* The strongest joint, the first of equal ones; none without weight. */
TEST(vertices_follow_their_strongest_joint)
{
    static const struct {
        float weights[4];
        int slot;
    } rows[] = {{{1, 0, 0, 0}, 0},
                {{0, 0.1f, 0, 0}, 1},
                {{0.2f, 0.1f, 0.3f, 0.1f}, 2},
                {{0.2f, 0.1f, 0.3f, 0.4f}, 3},
                {{0.25f, 0.25f, 0.25f, 0.25f}, 0},
                {{0, 0.5f, 0, 0.5f}, 1},
                {{0, 0, 0, 0}, -1}};
    static const uint16_t joints[2][4] = {{0, 0, 0, 0}, {3, 1, 0, 2}};
    t3dm_binding bindings[4] = {{.bone = 10}, {.bone = 11}, {.bone = 12}, {.bone = 13}}, *skins[2] = {NULL, bindings};
    static encoder_bench b;
    encoder_bench_init(&b);
    b.e.node_bindings = bindings;
    b.e.joint_bindings = skins;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float weights[2][4] = {{0}};
        memcpy(weights[1], rows[i].weights, sizeof weights[1]);
        const trilo_mesh mesh = {.skin = 1, .node = 2, .joints = joints, .weights = (const float(*)[4])weights};
        int slot = 9;
        const t3dm_binding *got = tl_t3dm_vertex_binding(&b.e, &mesh, 1, &slot);
        CHECK_INT(slot, rows[i].slot);
        CHECK(got == (rows[i].slot < 0 ? NULL : &bindings[joints[1][rows[i].slot]]));
        CHECK(got == tl_t3dm_vertex_binding(&b.e, &mesh, 1, NULL));
    }
    int slot = 9;
    const trilo_mesh rigid = {.skin = TRILO_NONE, .node = 2}, alone = {.skin = TRILO_NONE, .node = TRILO_NONE},
                     bare = {.skin = 1, .node = 2};
    CHECK(tl_t3dm_vertex_binding(&b.e, &rigid, 0, &slot) == &bindings[2] && slot == -1);
    CHECK(!tl_t3dm_vertex_binding(&b.e, &alone, 0, &slot) && !tl_t3dm_vertex_binding(&b.e, &bare, 0, NULL));
    encoder_bench_free(&b);
}

/* Names are listed while there is room; extras of Fast64 do not count. */
TEST(nodes_that_are_lost_are_listed)
{
    static const char *const extras[] = {"{\"fast64\":1,\"f3d_x\":2,\"oot1\":3,\"sm64_y\":4,\"ignore_render\":0}",
                                         "{\"fast64\":1,\"mine\":2}",
                                         "[1]",
                                         "{}",
                                         "",
                                         "{\"sm6\":1}"};
    static encoder_bench b;
    trilo_node nodes[6] = {{.parent = TRILO_NONE}};
    encoder_bench_init(&b);
    for (uint32_t i = 0; i < 6; i++) {
        nodes[i] = (trilo_node){.parent = TRILO_NONE, .name = text_of(i == 2 ? "" : "lamp")};
        nodes[i].extras.json = text_of(extras[i]);
        for (int k = 0; k < 4; k++)
            nodes[i].local.m[5 * k] = 1;
    }
    b.model = (trilo_model){.node_count = 6, .nodes = nodes};
    b.e.policy.select_bones = true;
    CHECK(tl_t3dm_encode_bones(&b.e));
    CHECK_INT(b.heard.count, 2);
    CHECK_STR(b.heard.rules[0], "T3DM-LOST-NODES");
    CHECK_STR(b.heard.texts[0], "nodes without a mesh or bone are lost: 3 (\"lamp\", \"lamp\", \"lamp\")");
    CHECK_STR(b.heard.rules[1], "T3DM-LOST-EXTRAS");
    CHECK_STR(b.heard.texts[1], "nodes whose extras are lost: 3 (\"lamp\", \"?\", \"lamp\"); those of the first are "
                                "{\"fast64\":1,\"mine\":2}");
    encoder_bench_free(&b);
}

/* ---- materials ---- */

enum { PAINTS = 6, PAINTED = 8 };

/* Materials of a few names and colours, of which many are the same. */
typedef struct palette {
    trilo_n64_material n64[PAINTS];
    trilo_material materials[PAINTS];
    trilo_mesh meshes[PAINTED];
} palette;

static void palette_fill(encoder_bench *b, palette *p, uint64_t *seed)
{
    static const char *const names[] = {"red", "blue", ""};
    memset(p, 0, sizeof *p);
    for (uint32_t i = 0; i < PAINTS; i++) {
        p->n64[i] = (trilo_n64_material){.combiner = 1, .tiles = {{.texture = TRILO_NONE}, {.texture = TRILO_NONE}}};
        p->n64[i].prim[3] = (uint8_t)dice(seed, 3);
        p->materials[i] = (trilo_material){.n64 = &p->n64[i], .name = text_of(names[dice(seed, 5) / 2])};
    }
    for (uint32_t i = 0; i < PAINTED; i++)
        p->meshes[i] = (trilo_mesh){.index_count = 3, .material = dice(seed, PAINTS)};
    b->model =
        (trilo_model){.material_count = PAINTS, .materials = p->materials, .mesh_count = PAINTED, .meshes = p->meshes};
}

static bool same_paint(const palette *p, uint32_t a, uint32_t b)
{
    return strcmp(p->materials[a].name.data, p->materials[b].name.data) == 0 && p->n64[a].prim[3] == p->n64[b].prim[3];
}

/* The materials of the file, as rows of the model: those of the objects, or all; of equal ones the first. */
static uint32_t expected_paints(const palette *p, bool all, bool merged, uint32_t *rows)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < (all ? PAINTS : PAINTED); i++) {
        const uint32_t row = all ? i : p->meshes[i].material;
        uint32_t k = 0;
        while (k < count && rows[k] != row && !(merged && same_paint(p, rows[k], row)))
            k++;
        if (k == count)
            rows[count++] = row;
    }
    return count;
}

/* The first of a name keeps it, the others are called name.001 and so on; nothing stays without a name. */
static void check_names(const encoder_bench *b, const palette *p, const uint32_t *rows, uint32_t count)
{
    uint32_t renamed = 0;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = p->materials[rows[i]].name.data, *got = b->e.strings + b->file.materials[i].head.name;
        bool first = true;
        for (uint32_t k = 0; k < i; k++) {
            const char *other = p->materials[rows[k]].name.data;
            first = first && (strcmp(other, name) != 0 || !*name);
            if (*name)
                CHECK(strcmp(b->e.strings + b->file.materials[k].head.name, got) != 0);
        }
        if (!*name)
            CHECK_INT(b->file.materials[i].head.name, 0);
        else if (first)
            CHECK_STR(got, name);
        else {
            unsigned number = 0;
            CHECK(strncmp(got, name, strlen(name)) == 0);
            CHECK(sscanf(got + strlen(name), ".%3u", &number) == 1 && strlen(got) == strlen(name) + 4);
            CHECK(number >= 1 && number <= 2);
            renamed++;
        }
    }
    CHECK_INT(b->heard.count, renamed);
    for (uint32_t i = 0; i < renamed; i++)
        CHECK_STR(b->heard.rules[i], "T3DM-RENAMED");
}

TEST(materials_of_one_name_are_merged_or_renamed)
{
    static encoder_bench b;
    uint64_t seed = 71;
    for (int round = 0; round < 500; round++) {
        static palette p;
        uint32_t rows[PAINTS];
        const bool all = round & 1, merged = round & 2;
        encoder_bench_init(&b);
        palette_fill(&b, &p, &seed);
        b.e.policy.order = TRILO_T3DM_ORDER_FILE;
        b.e.policy.keep_materials = all;
        b.e.policy.merge_materials = merged;
        CHECK(tl_t3dm_order_meshes(&b.e) && tl_t3dm_encode_materials(&b.e));
        const uint32_t count = expected_paints(&p, all, merged, rows);
        CHECK_INT(b.file.material_count, count);
        for (uint32_t i = 0; i < count; i++)
            CHECK_INT(b.file.materials[i].head.prim[3], p.n64[rows[i]].prim[3]);
        for (uint32_t i = 0; i < PAINTED; i++) {
            const uint32_t number = b.e.material_of_mesh[i], row = p.meshes[i].material;
            CHECK(number < count);
            CHECK(merged ? same_paint(&p, rows[number], row) : rows[number] == row);
        }
        if (merged)
            check_names(&b, &p, rows, count);
        encoder_bench_free(&b);
    }
}

TEST_MAIN(CASE(materials_of_one_name_are_merged_or_renamed), CASE(images_have_sprites_of_their_names),
          CASE(images_without_a_path_are_named), CASE(references_have_no_paths), CASE(images_that_are_too_large),
          CASE(texture_memory_has_4096_bytes), CASE(axes_repeat_powers_of_two), CASE(bones_are_those_of_the_plain_way),
          CASE(vertices_follow_their_strongest_joint), CASE(nodes_that_are_lost_are_listed))

/* Vertices of a mesh as T3DM stores them: every field rounded, cut and welded as it should be. */
#include "base/hash_table.h"
#include "harness.h"
#include "support/t3dm_encoder.h"

#include <math.h>
#include <string.h>

enum { MOST = 8 };

typedef struct bed {
    encoder_bench b;
    float positions[MOST][3], normals[MOST][3], colors[MOST][4], uvs[MOST][2], weights[MOST][4];
    uint16_t joints[MOST][4];
    uint32_t indices[MOST];
    trilo_mesh mesh;
    t3dm_material material;
    t3dm_welded out;
    const trilo_mesh *used;
    t3dm_extent extent;
} bed;

/* One triangle of vertices at 0, with a material of 64 x 32 texels that repeats. */
static void bed_make(bed *d, uint32_t vertices)
{
    memset(d, 0, sizeof *d);
    encoder_bench_init(&d->b);
    for (uint32_t i = 0; i < MOST; i++)
        d->indices[i] = i % vertices;
    d->mesh = (trilo_mesh){.vertex_count = vertices,
                           .positions = (const float(*)[3])d->positions,
                           .normals = (const float(*)[3])d->normals,
                           .material = TRILO_NONE,
                           .skin = TRILO_NONE,
                           .node = TRILO_NONE,
                           .index_count = 3,
                           .indices = d->indices};
    d->material.head.draw_flags = TRILO_N64_TEXTURED;
    d->material.textures[0] = (t3dm_texture){.width = 64, .height = 32, .s = {.mask = 6}, .t = {.mask = 5}};
}

static bool bed_weld(bed *d)
{
    return tl_t3dm_weld(&d->b.e, &d->mesh, &d->material, &d->out, &d->used, &d->extent);
}

static const t3dm_vertex *bed_vertex(const bed *d, uint32_t i)
{
    return &d->out.vertices[d->out.remap[i]];
}

/* ---- normals ---- */

static uint16_t normal_of(float x, float y, float z, bool snap, bool single)
{
    static bed d;
    bed_make(&d, 3);
    d.b.e.policy.snap_normals = snap;
    d.b.e.policy.single_normals = single;
    for (int i = 0; i < 3; i++)
        d.normals[i][0] = x, d.normals[i][1] = y, d.normals[i][2] = z;
    CHECK(bed_weld(&d));
    const uint16_t normal = bed_vertex(&d, 0)->normal;
    encoder_bench_free(&d.b);
    return normal;
}

static uint16_t fields(int x, int y, int z)
{
    return (uint16_t)((x & 31) << 11 | (y & 63) << 5 | (z & 31));
}

/* 15.5, 31.5 and 15.5 a unit, halves rounded away from 0, at most 15, 31 and 15. */
TEST(normals_have_5_6_and_5_bits)
{
    for (int single = 0; single < 2; single++) {
        CHECK_INT(normal_of(2, 0, 0, false, single), fields(15, 0, 0));
        CHECK_INT(normal_of(-2, 0, 0, false, single), fields(-16, 0, 0));
        CHECK_INT(normal_of(0, 0.5f, 0, false, single), fields(0, 31, 0));
        CHECK_INT(normal_of(0, -0.5f, 0, false, single), fields(0, -32, 0));
        CHECK_INT(normal_of(0, 0, 1, false, single), fields(0, 0, 15));
        CHECK_INT(normal_of(0, 0, -1, false, single), fields(0, 0, -16));
        CHECK_INT(normal_of(0, 0, 0, false, single), 0);
        CHECK_INT(normal_of(3, 4, 0, false, single), fields(9, 25, 0)); /* 9.3, 25.2 */
        CHECK_INT(normal_of(0, -4, 3, false, single), fields(0, -25, 9));
        CHECK_INT(normal_of(-4, 0, -3, false, single), fields(-12, 0, -9)); /* 12.4 */
    }
}

/* A normal on the grid of sixteenths, thirty-seconds and sixteenths is kept; what is 1/1000 off or more is not. */
TEST(normals_on_the_grid_stay)
{
    CHECK_INT(normal_of(8 / 16.0f, 0, 0, true, false), fields(8, 0, 0));
    CHECK_INT(normal_of(8 / 16.0f, 0, 0, false, false), fields(15, 0, 0));
    CHECK_INT(normal_of(8 / 16.0f, 4 / 32.0f, -3 / 16.0f, true, false), fields(8, 4, -3));
    CHECK_INT(normal_of(15 / 16.0f, 31 / 32.0f, 15 / 16.0f, true, false), fields(15, 31, 15));
    CHECK_INT(normal_of(-1, -1, -1, true, false), fields(-16, -32, -16));
    for (int k = 0; k < 3; k++)
        for (int off = 0; off < 2; off++) {
            const double by = (off ? 0.002 : 0.0005) / (k == 1 ? 32 : 16);
            const float n[3] = {(float)(4 / 16.0 + (k == 0 ? by : 0)), (float)(6 / 32.0 + (k == 1 ? by : 0)),
                                (float)(-5 / 16.0 + (k == 2 ? by : 0))};
            /* Its length is 0.4423: 0.565, 0.424 and -0.7065 are 8.8, 13.4 and -10.95. */
            CHECK_INT(normal_of(n[0], n[1], n[2], true, false), off ? fields(9, 13, -11) : fields(4, 6, -5));
        }
}

/* ---- colours ---- */

TEST(colours_are_cut_or_rounded)
{
    static const struct {
        double value;
        int cut, rounded;
    } rows[] = {{0, 0, 0},       {1, 255, 255},     {2, 255, 255},     {-1, 0, 0},
                {0.5, 127, 128}, {0.498, 126, 127}, {0.9995, 254, 255}};
    for (int truncate = 0; truncate < 2; truncate++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            for (int kind = 0; kind < 3; kind++) {
                static bed d;
                trilo_n64_material n64 = {.combiner = 1};
                trilo_material material = {.base_color = {0.5f, 0.5f, 0.5f, 0.5f}};
                bed_make(&d, 3);
                d.b.e.policy.truncate_colors = truncate;
                d.b.model.materials = &material;
                d.b.model.material_count = 1;
                for (int v = 0; v < 3; v++)
                    for (int c = 0; c < 4; c++)
                        d.colors[v][c] = c == 3 ? 1 : (float)rows[i].value;
                d.mesh.colors = (const float(*)[4])d.colors;
                d.mesh.material = kind == 0 ? TRILO_NONE : 0;
                material.n64 = kind == 1 ? &n64 : NULL; /* of a material of the console the colour is not one's */
                if (kind == 2)
                    for (int c = 0; c < 4; c++)
                        material.base_color[c] = c == 3 ? 0.25f : 1;
                CHECK(bed_weld(&d));
                for (int c = 0; c < 3; c++)
                    CHECK_INT(bed_vertex(&d, 1)->color[c], truncate ? rows[i].cut : rows[i].rounded);
                CHECK_INT(bed_vertex(&d, 1)->color[3], kind < 2 ? 255 : truncate ? 63 : 64);
                encoder_bench_free(&d.b);
            }
    static bed d; /* without colours all vertices have that of the material */
    const trilo_material material = {.base_color = {0, 0.5f, 1, 0.25f}};
    bed_make(&d, 3);
    d.b.model.materials = &material;
    d.mesh.material = 0;
    CHECK(bed_weld(&d));
    CHECK(memcmp(bed_vertex(&d, 0)->color, "\x00\x80\xFF\x40", 4) == 0);
    encoder_bench_free(&d.b);
}

/* ---- positions ---- */

TEST(positions_have_16_bits)
{
    static const struct {
        float value;
        int16_t want;
        bool overflows;
    } rows[] = {{0.25f, 1, false},    {0.24f, 0, false},       {-0.25f, -1, false},   {16383.5f, 32767, false},
                {16383.75f, 0, true}, {-16384, -32768, false}, {-16384.25f, 0, true}, {NAN, 0, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 3; k++) {
            static bed d;
            bed_make(&d, 3);
            d.b.e.policy.scale = 2;
            d.positions[1][k] = rows[i].value;
            CHECK(bed_weld(&d));
            CHECK_INT(bed_vertex(&d, 1)->position[k], rows[i].want);
            CHECK_INT(d.extent.overflows, rows[i].overflows);
            CHECK(isnan(rows[i].value) ? isnan(d.extent.largest) || d.extent.largest == 0
                                       : d.extent.largest == fabsf(rows[i].value));
            encoder_bench_free(&d.b);
        }
}

/* ---- texture coordinates ---- */

/* 64 x 32 texels of 32 units, minus 16 where the material filters. Untextured ones wrap wherever they are. */
TEST(coordinates_have_32_units_a_texel)
{
    for (int filtered = 0; filtered < 2; filtered++)
        for (int textured = 0; textured < 2; textured++) {
            static bed d;
            bed_make(&d, 3);
            d.material.head.other_mode = filtered ? UINT64_C(2) << 44 : 0;
            d.material.head.draw_flags = textured ? TRILO_N64_TEXTURED : 0;
            d.mesh.uvs = (const float(*)[2])d.uvs;
            for (int i = 0; i < 3; i++)
                d.uvs[i][0] = 1, d.uvs[i][1] = textured ? -2 : 40; /* 40960 - 65536 */
            CHECK(bed_weld(&d));
            CHECK_INT(bed_vertex(&d, 2)->uv[0], 2048 - 16 * filtered);
            CHECK_INT(bed_vertex(&d, 2)->uv[1], (textured ? -2048 : -24576) - 16 * filtered);
            encoder_bench_free(&d.b);
        }
    static bed d; /* none: 0, filtered as well */
    bed_make(&d, 3);
    d.material.head.other_mode = UINT64_C(2) << 44;
    CHECK(bed_weld(&d));
    CHECK(bed_vertex(&d, 0)->uv[0] == -16 && bed_vertex(&d, 0)->uv[1] == -16);
    encoder_bench_free(&d.b);
}

TEST(coordinates_that_cannot_be_moved_are_refused)
{
    for (int k = 0; k < 2; k++)
        for (int textured = 0; textured < 2; textured++) {
            static bed d;
            bed_make(&d, 3);
            d.material.head.draw_flags = textured ? TRILO_N64_TEXTURED : 0;
            d.material.textures[0].s.clamp = d.material.textures[0].t.clamp = 1;
            d.mesh.uvs = (const float(*)[2])d.uvs;
            d.uvs[1][k] = 40; /* 81920 or 40960 units */
            CHECK(bed_weld(&d) == !textured);
            if (textured) {
                CHECK_STR(d.b.err.rule, "T3DM-RANGE-UV");
                CHECK_STR(d.b.err.text, "the texture coordinates of a triangle are more than 1024 texels from 0 and "
                                        "cannot be moved there; repeat the texture less");
            } else
                CHECK_INT(bed_vertex(&d, 1)->uv[k], k == 0 ? 81920 - 65536 : 40960 - 65536);
            encoder_bench_free(&d.b);
        }
}

/* ---- welding ---- */

/* Vertices 3 to 5 are 0 to 2 again, but for one field each; equal after rounding is equal. */
TEST(equal_vertices_are_stored_once)
{
    for (int field = 0; field < 6; field++) {
        static bed d;
        bed_make(&d, 6);
        d.mesh.index_count = 6;
        d.mesh.uvs = (const float(*)[2])d.uvs;
        d.mesh.colors = (const float(*)[4])d.colors;
        for (uint32_t i = 0; i < 6; i++) {
            d.positions[i][0] = (float)(i % 3) + (i < 3 ? 0 : 0.1f);
            d.normals[i][1] = 1;
        }
        if (field == 1)
            d.positions[4][2] = 1;
        else if (field == 2)
            d.normals[4][1] = -1;
        else if (field == 3)
            d.colors[4][3] = 1;
        else if (field == 4)
            d.uvs[4][1] = 1;
        CHECK(bed_weld(&d));
        CHECK_INT(d.out.count, field == 0 || field == 5 ? 3 : 4);
        for (uint32_t i = 0; i < 6; i++)
            CHECK_INT(d.out.remap[i], i < 3 ? i : i == 4 && field >= 1 && field <= 4 ? 3 : i - 3);
        for (uint32_t i = 0; i < d.out.count; i++)
            CHECK_INT(d.out.bones[i], T3DM_NO_BONE);
        CHECK(d.used == &d.mesh);
        encoder_bench_free(&d.b);
    }
}

/* Bones keep vertices apart, and the weight that is lost is counted: 0.4 of 3, then less than 1 %. */
TEST(vertices_of_other_bones_stay_apart)
{
    for (int little = 0; little < 3; little++) {
        static bed d;
        t3dm_binding joints[2] = {{.bone = 4, .identity = true}, {.bone = 9}}, *skins[1] = {joints};
        bed_make(&d, 3);
        d.mesh.skin = 0;
        d.mesh.joints = (const uint16_t(*)[4])d.joints;
        d.mesh.weights = (const float(*)[4])d.weights;
        d.b.e.joint_bindings = skins;
        for (int k = 0; k < 4; k++)
            joints[1].points.m[5 * k] = joints[1].normals.m[5 * k] = 1;
        joints[1].points.m[12] = 7;
        for (int i = 0; i < 3; i++) {
            d.joints[i][0] = i == 2, d.joints[i][1] = i != 2;
            d.weights[i][0] = 1;
        }
        d.weights[1][0] = little == 0 ? 0.6f : little == 1 ? 0.98f : 0.9995f;
        d.weights[1][1] = 1 - d.weights[1][0];
        CHECK(bed_weld(&d));
        CHECK_INT(d.out.count, 2);
        CHECK(d.out.remap[0] == 0 && d.out.remap[1] == 0 && d.out.remap[2] == 1);
        CHECK(d.out.bones[0] == 4 && d.out.bones[1] == 9);
        CHECK(d.out.vertices[0].position[0] == 0 && d.out.vertices[1].position[0] == 7);
        CHECK_INT(d.b.heard.count, little < 2 ? 1 : 0);
        if (little < 2) {
            CHECK_STR(d.b.heard.rules[0], little ? "T3DM-SMALL-WEIGHTS" : "T3DM-LOST-WEIGHTS");
            CHECK_STR(d.b.heard.texts[0], little ? "1 of 3 vertices follow several bones; the strongest is used, 0.7 % "
                                                   "of the weight is lost"
                                                 : "1 of 3 vertices follow several bones; the strongest is used, 13.3 "
                                                   "% of the weight is lost");
        }
        encoder_bench_free(&d.b);
    }
}

TEST(a_skin_without_weights_moves_nothing)
{
    static bed d;
    t3dm_binding joints[1] = {{.bone = 4}}, *skins[1] = {joints};
    bed_make(&d, 3);
    d.mesh.skin = 0;
    d.b.e.joint_bindings = skins;
    for (int i = 0; i < 3; i++)
        d.positions[i][0] = (float)(5 * i);
    CHECK(bed_weld(&d));
    CHECK_INT(d.out.count, 3);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(d.out.bones[i], T3DM_NO_BONE);
        CHECK_INT(d.out.vertices[i].position[0], 5 * i);
    }
    encoder_bench_free(&d.b);
}

/* The argument of one step of tl_hash_words. */
static uint32_t unhash(uint32_t hash)
{
    uint32_t inverse = 1; /* of the factor, by Newton's method: each round doubles the right bits */
    for (int i = 0; i < 5; i++)
        inverse *= 2 - 0x9E3779B1u * inverse;
    return (hash ^ hash >> 15 ^ hash >> 30) * inverse;
}

/* Positions such that the vertices of 100 bones have the same hash. Each vertex is there twice. */
TEST(vertices_with_one_hash_are_welded_by_their_bones)
{
    enum { BONES = 100 };
    static bed d;
    static float positions[2 * BONES][3], normals[2 * BONES][3], weights[2 * BONES][4];
    static uint16_t numbers[2 * BONES][4];
    static t3dm_binding joints[BONES];
    t3dm_binding *skins[1] = {joints};
    uint32_t words[4];
    bed_make(&d, 3);
    d.mesh.vertex_count = 2 * BONES;
    d.mesh.positions = (const float(*)[3])positions;
    d.mesh.normals = (const float(*)[3])normals;
    d.mesh.weights = (const float(*)[4])weights;
    d.mesh.joints = (const uint16_t(*)[4])numbers;
    d.mesh.skin = 0;
    d.b.e.joint_bindings = skins;
    for (uint16_t i = 0; i < 2 * BONES; i++) {
        numbers[i][0] = (uint16_t)(i * 37 % BONES);
        weights[i][0] = 1;
        joints[numbers[i][0]] = (t3dm_binding){.bone = numbers[i][0], .identity = true};
    }
    CHECK(bed_weld(&d)); /* all at 0: for the other fields */
    for (size_t k = 0; k < 4; k++)
        words[k] = tl_get_u32le((const uint8_t *)&d.out.vertices[0] + 4 * k);
    for (uint32_t i = 0; i < 2 * BONES; i++) {
        uint8_t bytes[4];
        int16_t xy[2];
        uint32_t hash = 0x12345678u ^ numbers[i][0];
        for (size_t k = 3; k > 0; k--)
            hash = unhash(hash) ^ words[k];
        tl_put_u32(bytes, TL_LITTLE, unhash(hash));
        memcpy(xy, bytes, sizeof xy);
        positions[i][0] = xy[0], positions[i][1] = xy[1];
    }
    CHECK(bed_weld(&d));
    CHECK_INT(d.out.count, BONES);
    for (uint32_t i = 0; i < 2 * BONES; i++) {
        const t3dm_vertex *v = bed_vertex(&d, i);
        CHECK_INT(d.out.remap[i], i % BONES);
        CHECK_INT(d.out.bones[i % BONES], numbers[i][0]);
        CHECK(v->position[0] == (int)positions[i][0] && v->position[1] == (int)positions[i][1]);
        CHECK((tl_hash_words(v, sizeof *v) ^ numbers[i][0]) == 0x12345678u);
    }
    encoder_bench_free(&d.b);
}

/* A hundredth of the weight is no small part of it. Weights need not add up to 1. */
TEST(a_hundredth_of_the_weight_is_lost)
{
    for (int less = 0; less < 2; less++) {
        static bed d;
        t3dm_binding joints[2] = {{.bone = 4, .identity = true}, {.bone = 9, .identity = true}}, *skins[1] = {joints};
        bed_make(&d, 3);
        d.mesh.skin = 0;
        d.mesh.joints = (const uint16_t(*)[4])d.joints;
        d.mesh.weights = (const float(*)[4])d.weights;
        d.b.e.joint_bindings = skins;
        for (int i = 0; i < 3; i++) {
            d.joints[i][1] = d.joints[i][2] = d.joints[i][3] = 1;
            d.weights[i][0] = less ? 99.5f : 99;
            d.weights[i][1] = d.weights[i][2] = 0.25f;
            d.weights[i][3] = less ? 0 : 0.5f;
        }
        CHECK(bed_weld(&d));
        CHECK_INT(d.b.heard.count, 1);
        CHECK_STR(d.b.heard.rules[0], less ? "T3DM-SMALL-WEIGHTS" : "T3DM-LOST-WEIGHTS");
        CHECK_STR(d.b.heard.texts[0],
                  less ? "3 of 3 vertices follow several bones; the strongest is used, 0.5 % of the weight is lost"
                       : "3 of 3 vertices follow several bones; the strongest is used, 1.0 % of the weight is lost");
        encoder_bench_free(&d.b);
    }
}

/* A lit mesh without normals gets those of its faces, unless nobody sees them. */
TEST(normals_are_made_where_they_are_seen)
{
    for (int i = 0; i < 32; i++) {
        static bed d;
        const bool make = i & 1, shaded = i & 2, unlit = i & 4, sphere = i & 8, has = i & 16;
        bed_make(&d, 3);
        d.positions[1][0] = d.positions[2][1] = 1;
        d.mesh.normals = has ? d.mesh.normals : NULL;
        d.b.e.policy.make_normals = make;
        d.material.head.draw_flags = (shaded ? TRILO_N64_SHADED : 0) | (unlit ? TRILO_N64_UNLIT : 0);
        d.material.head.vertex_effect = sphere ? TRILO_N64_EFFECT_SPHERICAL_UV : 0;
        CHECK(bed_weld(&d));
        const bool made = make && !has && ((shaded && !unlit) || sphere);
        CHECK_INT(bed_vertex(&d, 0)->normal, made ? fields(0, 0, 15) : 0);
        CHECK((d.used != &d.mesh) == made);
        CHECK_INT(d.b.heard.count, made);
        if (made)
            CHECK_STR(d.b.heard.texts[0], "the mesh has no normals but is lit; face normals were generated");
        encoder_bench_free(&d.b);
    }
}

TEST_MAIN(CASE(normals_have_5_6_and_5_bits), CASE(normals_on_the_grid_stay), CASE(colours_are_cut_or_rounded),
          CASE(positions_have_16_bits), CASE(coordinates_have_32_units_a_texel),
          CASE(coordinates_that_cannot_be_moved_are_refused), CASE(equal_vertices_are_stored_once),
          CASE(vertices_of_other_bones_stay_apart), CASE(a_skin_without_weights_moves_nothing),
          CASE(vertices_with_one_hash_are_welded_by_their_bones), CASE(a_hundredth_of_the_weight_is_lost),
          CASE(normals_are_made_where_they_are_seen))

/* Which materials are the same for the console, bit by bit, and textures that cannot be read. */
#include "formats/t3dm/cost/cost.h"
#include "harness.h"
#include "support/t3dm_grove.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(member)                                                                                                  \
    {                                                                                                                  \
        offsetof(t3dm_material, member), sizeof((t3dm_material *)0)->member                                            \
    }
#define AXIS(i, a)                                                                                                     \
    FIELD(textures[i].a.low), FIELD(textures[i].a.high), FIELD(textures[i].a.mask), FIELD(textures[i].a.shift),        \
        FIELD(textures[i].a.mirror), FIELD(textures[i].a.clamp)
#define TEXTURE(i)                                                                                                     \
    FIELD(textures[i].reference), FIELD(textures[i].path), FIELD(textures[i].hash), FIELD(textures[i].width),          \
        FIELD(textures[i].height), AXIS(i, s), AXIS(i, t)

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

/* Each material has one bit of all that the console gets, another one than the others: none is like another. Of those
 * with the last bits there are two. */
TEST(every_bit_makes_a_difference)
{
    enum { MOST = 1400 };
    static t3dm_material materials[MOST];
    static trilo_cost_material costs[MOST];
    uint32_t count = 1; /* the first has none */
    tl_arena arena;
    memset(materials, 0, sizeof materials);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        for (size_t bit = 0; bit < 8 * fields[i].size; bit++) {
            CHECK(count < MOST - 1);
            ((uint8_t *)&materials[count++])[fields[i].at + bit / 8] = (uint8_t)(1u << bit % 8);
        }
    for (uint32_t i = 0; i < MOST; i++)
        costs[i] = (trilo_cost_material){.name = {"m", 1}, .objects = 1, .textures = {TRILO_NONE, TRILO_NONE}};
    for (uint32_t more = 0; more < 2; more++) {
        const t3dm_file file = {.materials = materials, .material_count = count + more};
        trilo_cost cost = {.materials = costs, .material_count = count + more};
        materials[count] = materials[count - 1];
        tl_arena_init(&arena, NULL);
        CHECK(tl_t3dm_cost_hints(&file, &arena, &arena, &cost));
        CHECK_INT(cost.hint_count, more);
        if (more > 0)
            CHECK_INT(cost.hints[0].material, count);
        tl_arena_free(&arena);
    }
}

/* ---- textures ---- */

static bool give(void *user, const char *name, trilo_bytes *bytes)
{
    (void)name;
    *bytes = *(const trilo_bytes *)user;
    return true;
}

/* A compressed file that cannot be decompressed, a sprite that is cut off, and one that can be read: 16 x 8 texels of
 * I8. Of the others the material says how large they are, and the path in which format. */
TEST(textures_that_cannot_be_read)
{
    static uint8_t sprite[8 + 16 * 8] = {0, 16, 0, 8, 0, 17, 1, 1}; /* see sprite.h: width, height, flags, tiles */
    static const uint8_t broken[16] = {'D', 'C', 'A', '3', 9, 9, 9, 9};
    const trilo_bytes files[] = {{sprite, sizeof sprite}, {broken, sizeof broken}, {sprite, 7}};
    static grove g;
    for (int i = 0; i < 3; i++) {
        trilo_bytes file = files[i];
        const trilo_cost_opts opts = {.companion = give, .companion_user = &file};
        grove_start(&g);
        const uint32_t material = grove_material(&g, "wall", "rom:/wall.i4.sprite");
        g.parts[0] = grove_part(&g, 0, 4, 2);
        grove_object(&g, "a", material, 0, 1);
        const trilo_cost *cost = grove_cost(&g, &opts);
        CHECK_INT(cost->texture_count, 1);
        CHECK_INT(cost->textures[0].from_file, i == 0);
        CHECK_INT(cost->textures[0].width, i == 0 ? 16 : 32);
        CHECK_INT(cost->textures[0].height, i == 0 ? 8 : 32);
        CHECK_INT(cost->textures[0].texels, i == 0 ? TRILO_TEXELS_I8 : TRILO_TEXELS_I4);
        CHECK_INT(cost->textures[0].stored_size, file.size);
        CHECK_INT(cost->textures[0].images, 1);
        grove_end(&g);
    }
}

/* ---- parts ---- */

/* A load of up to 70 vertices, in pairs, up to slot 71, of rows that are there. What cannot be loaded draws nothing. */
TEST(parts_that_cannot_be_loaded)
{
    static const struct {
        uint16_t count, dest;
        uint32_t row;
        uint64_t loaded; /* 0: not at all */
    } rows[] = {{70, 0, 0, 70},  {71, 0, 0, 0},  {69, 0, 0, 70}, {70, 1, 0, 70}, {70, 2, 0, 0},
                {69, 1, 0, 70},  {69, 2, 0, 0},  {68, 2, 0, 68}, {67, 3, 0, 68}, {67, 4, 0, 0},
                {10, 0, 90, 10}, {10, 0, 92, 0}, {10, 0, 91, 0}, {9, 0, 90, 10}, {9, 0, 91, 0}};
    static grove g;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        grove_start(&g);
        g.file.vertices.size = 100 * 16;
        g.parts[0] = grove_part(&g, rows[i].row, rows[i].count, 0);
        g.parts[0].vertex_dest = rows[i].dest;
        g.parts[1] = grove_part(&g, 0, 4, 2);
        grove_object(&g, "a", grove_material(&g, "wall", NULL), 0, 2);
        const trilo_cost *cost = grove_cost(&g, NULL);
        CHECK_INT(cost->counts.vertices, rows[i].loaded + 4);
        CHECK_INT(cost->counts.loads, rows[i].loaded > 0 ? 2 : 1);
        CHECK_INT(cost->counts.parts, rows[i].loaded > 0 ? 2 : 1);
        CHECK_INT(cost->counts.triangles, 2);
        CHECK_INT(cost->counts.padding, rows[i].loaded);
        grove_end(&g);
    }
}

TEST_MAIN(CASE(every_bit_makes_a_difference), CASE(textures_that_cannot_be_read), CASE(parts_that_cannot_be_loaded))

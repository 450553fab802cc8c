/* Display lists: whatever the mesh, running the commands on a cache draws its triangles, each once. The cache here
 * knows nothing of the optimizer. */
#include "harness.h"
#include "optimize/f3dex_list.h"

#include <stdlib.h>
#include <string.h>

static uint32_t chance = 1;

static uint32_t below(uint32_t n)
{
    chance = chance * 1103515245u + 12345u;
    return (chance >> 9) % n;
}

/* ---- meshes ---- */

typedef struct mesh {
    uint32_t corner_count, triangle_count;
    tl_f3dex_corner *corners;
    uint32_t (*triangles)[3];
} mesh;

static mesh mesh_new(uint32_t most_triangles)
{
    return (mesh){.corners = calloc(3 * (size_t)most_triangles + 1, sizeof(tl_f3dex_corner)),
                  .triangles = calloc((size_t)most_triangles + 1, sizeof(uint32_t[3]))};
}

static void mesh_free(mesh *m)
{
    free(m->corners);
    free(m->triangles);
}

/* The number of a corner, new or known. */
static uint32_t corner(mesh *m, uint32_t point, uint32_t st, uint32_t rgba)
{
    for (uint32_t i = 0; i < m->corner_count; i++)
        if (m->corners[i].point == point && m->corners[i].st == st && m->corners[i].rgba == rgba)
            return i;
    m->corners[m->corner_count] = (tl_f3dex_corner){point, st, rgba};
    return m->corner_count++;
}

static void triangle(mesh *m, const uint32_t points[3], uint32_t sts, uint32_t rgbas)
{
    for (int k = 0; k < 3; k++)
        m->triangles[m->triangle_count][k] = corner(m, points[k], below(sts), below(rgbas));
    m->triangle_count++;
}

static mesh soup(uint32_t triangles, uint32_t points, uint32_t sts, uint32_t rgbas)
{
    mesh m = mesh_new(triangles);
    while (m.triangle_count < triangles) {
        const uint32_t p[3] = {below(points), below(points), below(points)};
        if (p[0] != p[1] && p[1] != p[2] && p[0] != p[2])
            triangle(&m, p, sts, rgbas);
    }
    return m;
}

static mesh grid(uint32_t width, uint32_t height, uint32_t sts, uint32_t rgbas)
{
    mesh m = mesh_new(2 * width * height);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t a = y * (width + 1) + x, c = a + width + 1;
            triangle(&m, (uint32_t[]){a, a + 1, c + 1}, sts, rgbas);
            triangle(&m, (uint32_t[]){a, c + 1, c}, sts, rgbas);
        }
    return m;
}

static mesh fan(uint32_t triangles, uint32_t sts)
{
    mesh m = mesh_new(triangles);
    for (uint32_t i = 0; i < triangles; i++)
        triangle(&m, (uint32_t[]){0, i + 1, i + 2}, sts, 1);
    return m;
}

/* ---- a cache of 32 slots ---- */

typedef struct drawn {
    uint32_t count;
    tl_f3dex_corner (*triangles)[3];
} drawn;

typedef struct cache {
    tl_f3dex_corner slots[32];
    bool filled[32];
} cache;

static void run_load(cache *c, const tl_f3dex_command *command, const tl_f3dex_output *out, const mesh *meshes)
{
    CHECK(command->count >= 1 && command->slots[0] + command->count <= 32);
    CHECK(command->value + command->count <= out->stored_count);
    for (uint32_t i = 0; i < command->count; i++) {
        const tl_f3dex_stored *stored = &out->stored[command->value + i];
        CHECK(stored->corner < meshes[stored->mesh].corner_count);
        c->slots[command->slots[0] + i] = meshes[stored->mesh].corners[stored->corner];
        c->filled[command->slots[0] + i] = true;
    }
}

static void run_change(cache *c, const tl_f3dex_command *command, const mesh *m)
{
    CHECK(command->slots[0] < 32 && c->filled[command->slots[0]] && command->value < m->corner_count);
    tl_f3dex_corner *slot = &c->slots[command->slots[0]];
    const tl_f3dex_corner *want = &m->corners[command->value];
    CHECK_INT(slot->point, want->point);
    if (command->kind == TL_F3DEX_MODIFY_ST) {
        CHECK(slot->st != want->st); /* a change that changes nothing is waste */
        slot->st = want->st;
    } else {
        CHECK(slot->rgba != want->rgba);
        slot->rgba = want->rgba;
    }
}

static void run_triangle(const cache *c, const uint8_t slots[3], drawn *d)
{
    for (int k = 0; k < 3; k++) {
        CHECK(slots[k] < 32 && c->filled[slots[k]]);
        d->triangles[d->count][k] = c->slots[slots[k]];
    }
    d->count++;
}

static void run_list(const tl_f3dex_output *out, uint32_t number, const mesh *meshes, drawn *d)
{
    const tl_f3dex_list *list = &out->lists[number];
    cache c = {0};
    uint32_t loaded = 0;
    for (uint32_t i = 0; i < list->command_count; i++) {
        const tl_f3dex_command *command = &list->commands[i];
        if (command->kind == TL_F3DEX_VTX) {
            run_load(&c, command, out, meshes);
            loaded += command->count;
        } else if (command->kind == TL_F3DEX_MODIFY_ST || command->kind == TL_F3DEX_MODIFY_RGBA) {
            run_change(&c, command, &meshes[number]);
        } else {
            CHECK(command->kind == TL_F3DEX_TRI1 || command->kind == TL_F3DEX_TRI2);
            run_triangle(&c, command->slots, d);
            if (command->kind == TL_F3DEX_TRI2)
                run_triangle(&c, command->slots + 3, d);
        }
        CHECK(d->count <= meshes[number].triangle_count);
    }
    CHECK_INT(loaded, list->loaded);
}

/* ---- comparing ---- */

static int compare(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    for (int i = 0; i < 9; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static void check_drawn(const mesh *m, drawn *d)
{
    tl_f3dex_corner(*want)[3] = calloc((size_t)m->triangle_count + 1, sizeof *want);
    for (uint32_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            want[t][k] = m->corners[m->triangles[t][k]];
    CHECK_INT(d->count, m->triangle_count);
    qsort(want, d->count, sizeof *want, compare);
    qsort(d->triangles, d->count, sizeof *want, compare);
    CHECK(memcmp(want, d->triangles, d->count * sizeof *want) == 0);
    free(want);
}

typedef struct totals {
    uint32_t commands, loaded, stored, changes, singles;
} totals;

static totals run_all(const mesh *meshes, uint32_t count, const tl_f3dex_output *out)
{
    totals sum = {.stored = out->stored_count};
    for (uint32_t i = 0; i < count; i++) {
        drawn d = {0, calloc((size_t)meshes[i].triangle_count + 2, sizeof(tl_f3dex_corner[3]))};
        run_list(out, i, meshes, &d);
        check_drawn(&meshes[i], &d);
        free(d.triangles);
        sum.commands += out->lists[i].command_count;
        sum.loaded += out->lists[i].loaded;
        for (uint32_t k = 0; k < out->lists[i].command_count; k++) {
            const uint8_t kind = out->lists[i].commands[k].kind;
            sum.changes += kind == TL_F3DEX_MODIFY_ST || kind == TL_F3DEX_MODIFY_RGBA;
            sum.singles += kind == TL_F3DEX_TRI1;
        }
    }
    return sum;
}

static totals draw_meshes(const mesh *meshes, uint32_t count, tl_f3dex_input in)
{
    tl_f3dex_mesh views[4];
    tl_f3dex_output out;
    tl_arena arena;
    for (uint32_t i = 0; i < count; i++)
        views[i] = (tl_f3dex_mesh){meshes[i].corner_count, meshes[i].triangle_count, meshes[i].corners,
                                   (const uint32_t(*)[3])meshes[i].triangles};
    in.mesh_count = count;
    in.meshes = views;
    tl_arena_init(&arena, NULL);
    CHECK(tl_f3dex_lists(&arena, &in, &out));
    const totals sum = run_all(meshes, count, &out);
    tl_arena_free(&arena);
    return sum;
}

static const tl_f3dex_input unlimited = {.max_stored = UINT32_MAX, .effort = 50000};

static totals draw_one(mesh m, tl_f3dex_input in)
{
    const totals sum = draw_meshes(&m, 1, in);
    mesh_free(&m);
    return sum;
}

/* ---- tests ---- */

TEST(a_square_is_one_load_and_one_pair)
{
    mesh m = mesh_new(2);
    triangle(&m, (uint32_t[]){0, 1, 2}, 1, 1);
    triangle(&m, (uint32_t[]){2, 3, 0}, 1, 1);
    const totals sum = draw_one(m, unlimited);
    CHECK_INT(sum.commands, 2);
    CHECK_INT(sum.loaded, 4);
}

TEST(nothing_is_an_empty_list)
{
    const totals sum = draw_one(mesh_new(0), unlimited);
    CHECK_INT(sum.commands, 0);
    CHECK_INT(sum.loaded, 0);
}

/* 8 points with 3 texture coordinates each: 8 loads of 16 bytes and 16 changes of 8 beat 24 vertices. */
TEST(a_cube_with_seams_changes_its_corners)
{
    static const uint32_t faces[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                         {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    mesh m = mesh_new(12);
    for (uint32_t f = 0; f < 6; f++)
        for (int half = 0; half < 2; half++) {
            const int pick[2][3] = {{0, 1, 2}, {0, 2, 3}};
            for (int k = 0; k < 3; k++)
                m.triangles[m.triangle_count][k] = corner(&m, faces[f][pick[half][k]], f, 0);
            m.triangle_count++;
        }
    const totals sum = draw_one(m, unlimited);
    CHECK_INT(sum.loaded, 8);
    CHECK_INT(sum.changes, 16);
    CHECK_INT(sum.commands, 1 + 16 + 6);
}

TEST(what_is_fixed_is_never_changed)
{
    tl_f3dex_input in = unlimited;
    in.fixed_st = in.fixed_rgba = true;
    mesh m = grid(6, 6, 3, 2);
    const uint32_t corners = m.corner_count;
    const totals sum = draw_one(m, in);
    CHECK_INT(sum.changes, 0);
    CHECK(sum.loaded >= corners);
}

/* With seven texture coordinates at each point, stored vertices are the more the fewer changes are made. */
TEST(the_limit_of_stored_vertices_is_kept)
{
    tl_f3dex_input in = unlimited;
    in.fixed_rgba = true;
    mesh m = grid(8, 8, 7, 1);
    const totals free_choice = draw_meshes(&m, 1, in);
    in.max_stored = 100;
    const totals limited = draw_meshes(&m, 1, in);
    CHECK(limited.stored <= 100);
    CHECK(limited.stored <= free_choice.stored);
    mesh_free(&m);
}

TEST(lists_share_one_block)
{
    mesh meshes[3] = {grid(5, 4, 2, 1), mesh_new(0), soup(40, 30, 2, 2)};
    const totals sum = draw_meshes(meshes, 3, unlimited);
    CHECK_INT(sum.loaded, sum.stored);
    for (int i = 0; i < 3; i++)
        mesh_free(&meshes[i]);
}

/* More effort never costs more. */
TEST(searching_pays)
{
    mesh m = grid(10, 10, 3, 1);
    tl_f3dex_input in = unlimited;
    in.effort = 0;
    const totals none = draw_meshes(&m, 1, in);
    in.effort = 400000;
    const totals some = draw_meshes(&m, 1, in);
    CHECK(8 * some.commands + 16 * some.loaded < 8 * none.commands + 16 * none.loaded);
    mesh_free(&m);
}

/* A strip of 2 x n squares never has more than a few vertices waiting: each is loaded once. */
TEST(a_band_loads_every_vertex_once)
{
    const totals sum = draw_one(grid(3, 60, 1, 1), unlimited);
    CHECK_INT(sum.loaded, 4 * 61);
    CHECK_INT(sum.singles, 0);
}

TEST(random_meshes)
{
    for (uint32_t i = 0; i < 40; i++) {
        draw_one(soup(1 + below(150), 3 + below(120), 1 + below(4), 1 + below(3)), unlimited);
        draw_one(grid(1 + below(12), 1 + below(12), 1 + below(3), 1 + below(3)), unlimited);
        draw_one(fan(1 + below(100), 1 + below(5)), (tl_f3dex_input){.fixed_st = below(2), .max_stored = below(100)});
    }
}

TEST(crowded_meshes)
{
    draw_one(soup(400, 3, 1, 1), unlimited);   /* the same triangles again and again */
    draw_one(soup(400, 4, 40, 40), unlimited); /* hardly any points, many looks */
    draw_one(soup(600, 2000, 1, 1), unlimited);
    draw_one(fan(700, 1), unlimited);
}

TEST(the_same_again)
{
    mesh m = grid(9, 9, 3, 2);
    const totals first = draw_meshes(&m, 1, unlimited), second = draw_meshes(&m, 1, unlimited);
    CHECK(memcmp(&first, &second, sizeof first) == 0);
    mesh_free(&m);
}

TEST(too_little_memory)
{
    mesh m = grid(6, 6, 3, 2);
    const tl_f3dex_mesh view = {m.corner_count, m.triangle_count, m.corners, (const uint32_t(*)[3])m.triangles};
    const tl_f3dex_input in = {1, &view, false, false, UINT32_MAX, 50000};
    for (size_t most = 4096; most < 40000; most += 4096) {
        tl_f3dex_output out;
        tl_arena arena;
        const trilo_memory memory = {.max_bytes = most};
        tl_arena_init(&arena, &memory);
        CHECK(!tl_f3dex_lists(&arena, &in, &out) || most > 20000);
        tl_arena_free(&arena);
    }
    mesh_free(&m);
}

TEST_MAIN(CASE(a_square_is_one_load_and_one_pair), CASE(nothing_is_an_empty_list),
          CASE(a_cube_with_seams_changes_its_corners), CASE(what_is_fixed_is_never_changed),
          CASE(the_limit_of_stored_vertices_is_kept), CASE(lists_share_one_block), CASE(a_band_loads_every_vertex_once),
          CASE(searching_pays), CASE(random_meshes), CASE(crowded_meshes), CASE(the_same_again),
          CASE(too_little_memory))

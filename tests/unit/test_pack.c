/* What tl_pack answers is run on a model of the console: slots, staging of loads, strip indices copied over the cache,
 * winding. What comes out must be the input, and no rule may be broken on the way. */
#include "base/bytes.h"
#include "harness.h"
#include "optimize/pack.h"
#include "support/exercise.h"

#include <stdlib.h>
#include <string.h>

enum { SLOT_SIZE = 36, CACHE_END = TL_PACK_SLOTS * SLOT_SIZE, STAGING_END = 2872, EMPTY = -1, BONES = 20 };

/* --- meshes --- */

typedef struct mesh {
    uint32_t vertex_count, triangle_count, room;
    uint32_t (*triangles)[3];
    uint16_t *bones;
} mesh;

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static mesh new_mesh(uint32_t vertices, uint32_t room)
{
    mesh m = {.vertex_count = vertices, .room = room};
    m.triangles = malloc((room + 1) * sizeof *m.triangles); /* never 0 bytes */
    CHECK(m.triangles);
    return m;
}

static void free_mesh(mesh *m)
{
    free(m->triangles);
    free(m->bones);
}

static void add(mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    CHECK(m->triangle_count < m->room && a < m->vertex_count && b < m->vertex_count && c < m->vertex_count);
    uint32_t *t = m->triangles[m->triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

static void add_quad(mesh *m, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    add(m, a, b, c);
    add(m, a, c, d);
}

static mesh grid(uint32_t width, uint32_t height)
{
    mesh m = new_mesh((width + 1) * (height + 1), 2 * width * height);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t at = y * (width + 1) + x;
            add_quad(&m, at, at + 1, at + width + 2, at + width + 1);
        }
    return m;
}

/* Closed both ways: no border at all. */
static mesh torus(uint32_t around, uint32_t across)
{
    mesh m = new_mesh(around * across, 2 * around * across);
    for (uint32_t y = 0; y < across; y++)
        for (uint32_t x = 0; x < around; x++) {
            const uint32_t right = (x + 1) % around, up = (y + 1) % across;
            add_quad(&m, y * around + x, y * around + right, up * around + right, up * around + x);
        }
    return m;
}

static mesh fan(uint32_t count)
{
    mesh m = new_mesh(count + 2, count);
    for (uint32_t i = 0; i < count; i++)
        add(&m, 0, i + 1, i + 2);
    return m;
}

static mesh band(uint32_t count)
{
    mesh m = new_mesh(count + 2, count);
    for (uint32_t i = 0; i < count; i++)
        add(&m, i + i % 2, i + 1 - i % 2, i + 2);
    return m;
}

static mesh lone_triangles(uint32_t count)
{
    mesh m = new_mesh(3 * count, count);
    for (uint32_t i = 0; i < count; i++)
        add(&m, 3 * i, 3 * i + 1, 3 * i + 2);
    return m;
}

static mesh lone_quads(uint32_t count)
{
    mesh m = new_mesh(4 * count, 2 * count);
    for (uint32_t i = 0; i < count; i++)
        add_quad(&m, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
    return m;
}

/* Any corners, also the same twice: few vertices make edges with many triangles, doubles and degenerates. */
static mesh tangle(uint32_t vertices, uint32_t triangles, uint32_t seed)
{
    mesh m = new_mesh(vertices, triangles);
    for (uint32_t i = 0; i < triangles; i++) {
        const uint32_t a = next_random(&seed) % vertices, b = next_random(&seed) % vertices;
        add(&m, a, b, next_random(&seed) % vertices);
    }
    return m;
}

/* The triangles of a mesh in another order, each begun at another corner, some turned or missing. */
static void shuffle(mesh *m, uint32_t seed, uint32_t turned_of_16, uint32_t missing_of_16)
{
    uint32_t kept = 0;
    for (uint32_t i = m->triangle_count; i > 1; i--) {
        const uint32_t other = next_random(&seed) % i;
        uint32_t t[3];
        memcpy(t, m->triangles[i - 1], sizeof t);
        memcpy(m->triangles[i - 1], m->triangles[other], sizeof t);
        memcpy(m->triangles[other], t, sizeof t);
    }
    for (uint32_t i = 0; i < m->triangle_count; i++) {
        const uint32_t first = next_random(&seed) % 3;
        const bool turned = next_random(&seed) % 16 < turned_of_16, missing = next_random(&seed) % 16 < missing_of_16;
        const uint32_t *t = m->triangles[i];
        const uint32_t a = t[first], b = t[(first + 1) % 3], c = t[(first + 2) % 3];
        if (missing)
            continue;
        m->triangles[kept][0] = a;
        m->triangles[kept][1] = turned ? c : b;
        m->triangles[kept++][2] = turned ? b : c;
    }
    m->triangle_count = kept;
}

/* Patches of neighbouring numbers share a bone; a patch of 1 gives every vertex its own. */
static void set_bones(mesh *m, uint32_t bones, uint32_t patch, uint32_t seed)
{
    m->bones = malloc(m->vertex_count * sizeof *m->bones + 1);
    CHECK(m->bones);
    uint32_t bone = 0;
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        if (v % patch == 0)
            bone = next_random(&seed) % (bones + 1);
        m->bones[v] = (uint16_t)(bone == bones ? TL_PACK_NO_BONE : bone);
    }
}

/* --- the console --- */

typedef struct counts {
    uint32_t loads, vertices, list, sequences, in_sequence, strips, strip_indices, syncs, pushes, pops;
} counts;

typedef struct console {
    const mesh *mesh;
    const tl_pack_output *out;
    const tl_pack_input *in;
    int64_t cache[TL_PACK_SLOTS + 1]; /* an input vertex or EMPTY */
    bool loaded[TL_PACK_SLOTS + 1], drawn[TL_PACK_SLOTS + 1];
    uint32_t (*triangles)[3];
    uint32_t triangle_count, next_vertex, next_index, next_strip, next_slot;
    bool pushed;
    counts counts;
} console;

/* Slots that reach beyond byte `start` lose what they held. */
static void overwrite(console *c, int start)
{
    for (int s = 0; s <= TL_PACK_SLOTS; s++)
        if (SLOT_SIZE * (s + 1) > start)
            c->cache[s] = EMPTY;
}

static uint16_t bone_of(const mesh *m, uint32_t vertex)
{
    return m->bones ? m->bones[vertex] : TL_PACK_NO_BONE;
}

static void set_matrix(console *c, uint16_t bone)
{
    if (bone != TL_PACK_NO_BONE)
        c->counts.pushes++;
    else if (c->pushed)
        c->counts.pops++;
    c->pushed = bone != TL_PACK_NO_BONE;
}

/* An even number; only the last may be one that is there already. Answers how many are different. */
static uint32_t check_filling(const uint32_t *vertices, uint32_t count)
{
    uint32_t copies = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (vertices[k] == vertices[i]) {
                CHECK_INT(i, count - 1);
                copies = 1;
            }
    return count - copies;
}

static void load(console *c, const tl_pack_part *part)
{
    const uint32_t *vertices = c->out->vertices + part->first_vertex;
    const uint32_t count = part->vertex_count, dest = part->dest;
    CHECK(part->first_vertex % 2 == 0 && count % 2 == 0 && count >= 2 && count <= TL_PACK_SLOTS);
    CHECK(dest + count <= TL_PACK_SLOTS + 1);
    CHECK_INT(part->first_vertex, c->next_vertex);
    CHECK_INT(dest, c->next_slot);
    c->next_vertex += count;
    CHECK(c->next_vertex <= c->out->vertex_count);
    const uint32_t different = check_filling(vertices, count);
    c->next_slot = dest + different;
    CHECK(c->next_slot <= TL_PACK_SLOTS);
    set_matrix(c, part->bone);
    overwrite(c, STAGING_END - 16 * (int)count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(vertices[i] < c->mesh->vertex_count);
        CHECK_INT(bone_of(c->mesh, vertices[i]), part->bone);
        c->cache[dest + i] = vertices[i];
        c->loaded[dest + i] = i < different;
        c->drawn[dest + i] = false;
    }
    /* As long as the game never set fog, a load also spoils the two slots behind it. */
    for (uint32_t s = dest + count; s < dest + count + 2 && s <= TL_PACK_SLOTS; s++)
        c->cache[s] = EMPTY;
    c->counts.loads++;
    c->counts.vertices += count;
}

static void draw(console *c, uint32_t a, uint32_t b, uint32_t d)
{
    const uint32_t slots[3] = {a, b, d};
    CHECK(c->triangle_count < c->mesh->triangle_count);
    for (int i = 0; i < 3; i++) {
        CHECK(slots[i] < TL_PACK_SLOTS && c->loaded[slots[i]] && c->cache[slots[i]] != EMPTY);
        c->drawn[slots[i]] = true;
        c->triangles[c->triangle_count][i] = (uint32_t)c->cache[slots[i]];
    }
    c->triangle_count++;
}

static void draw_list(console *c, const tl_pack_part *part)
{
    CHECK(part->index_count % 3 == 0);
    if (part->index_count > 0)
        CHECK_INT(part->first_index, c->next_index);
    c->next_index += part->index_count;
    CHECK(c->next_index <= c->out->index_count);
    const uint8_t *indices = c->out->indices + part->first_index;
    for (uint32_t i = 0; i < part->index_count; i += 3)
        draw(c, indices[i], indices[i + 1], indices[i + 2]);
    c->counts.list += part->index_count / 3u;
}

static void draw_sequence(console *c, const tl_pack_part *part)
{
    CHECK(part->sequence_count == 0 || c->in->sequences);
    CHECK(part->sequence_base + 3 * part->sequence_count <= TL_PACK_SLOTS);
    for (uint32_t i = 0; i < part->sequence_count; i++)
        draw(c, part->sequence_base + 3 * i, part->sequence_base + 3 * i + 1, part->sequence_base + 3 * i + 2);
    c->counts.sequences += part->sequence_count > 0 ? 1 : 0;
    c->counts.in_sequence += part->sequence_count;
}

static void check_runs(const uint16_t *strip, uint32_t count)
{
    uint32_t length = 0;
    CHECK(count >= 3 && strip[0] < 0x8000 && strip[count - 1] < 0x8000);
    for (uint32_t i = 0; i < count; i++) {
        CHECK((strip[i] & 0x7FFF) < TL_PACK_SLOTS);
        CHECK(strip[i] < 0x8000 || length >= 3);
        length = strip[i] < 0x8000 ? length + 1 : 1;
    }
    CHECK(length >= 3);
}

static void draw_strip(console *c, const uint16_t *strip, uint32_t count)
{
    bool odd = false;
    check_runs(strip, count);
    overwrite(c, CACHE_END - 8 * (int)((count + 3) / 4));
    for (uint32_t k = 0; k + 2 < count;) {
        if (strip[k + 2] >= 0x8000) {
            k += 2;
            odd = false;
            continue;
        }
        const uint32_t a = strip[k] & 0x7FFF, b = strip[k + 1] & 0x7FFF, d = strip[k + 2];
        CHECK(a != b && b != d && d != a);
        draw(c, odd ? b : a, odd ? a : b, d);
        odd = !odd;
        k++;
    }
}

static void draw_strips(console *c, const tl_pack_part *part)
{
    bool ended = false;
    for (int s = 0; s < TL_PACK_STRIPS; s++) {
        const uint32_t count = part->strip_counts[s];
        CHECK(count == 0 || (!ended && c->in->strips));
        ended = ended || count == 0;
        if (count == 0)
            continue;
        CHECK_INT(part->first_strip[s], c->next_strip);
        c->next_strip += count;
        CHECK(c->next_strip <= c->out->strip_size);
        draw_strip(c, c->out->strips + part->first_strip[s], count);
        c->counts.strips++;
        c->counts.strip_indices += count;
    }
}

/* Nothing is kept in the cache from one draw to the next, and nothing is loaded that is not drawn. */
static void end_group(console *c)
{
    for (uint32_t s = 0; s < c->next_slot; s++)
        CHECK(c->loaded[s] && c->drawn[s]);
    memset(c->loaded, 0, sizeof c->loaded);
    c->next_slot = 0;
}

static void run_part(console *c, const tl_pack_part *part)
{
    load(c, part);
    draw_list(c, part);
    draw_sequence(c, part);
    draw_strips(c, part);
    const bool other = part->sequence_count > 0 || part->strip_counts[0] > 0;
    if (part->index_count > 0 && !other)
        c->counts.syncs++;
    if (part->index_count > 0 || other)
        end_group(c);
}

static int compare_triangles(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(uint32_t)); /* any order will do, as long as it is one */
}

/* Each with its smallest corner first, winding kept; then in order. */
static void canonical(uint32_t (*triangles)[3], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t t[3] = {triangles[i][0], triangles[i][1], triangles[i][2]};
        uint32_t best[3] = {t[0], t[1], t[2]};
        for (uint32_t r = 1; r < 3; r++) {
            const uint32_t turned[3] = {t[r], t[(r + 1) % 3], t[(r + 2) % 3]};
            if (turned[0] < best[0] || (turned[0] == best[0] && turned[1] < best[1]))
                memcpy(best, turned, sizeof best);
        }
        memcpy(triangles[i], best, sizeof best);
    }
    if (count > 0)
        qsort(triangles, count, sizeof *triangles, compare_triangles);
}

static void check_same_triangles(const mesh *m, uint32_t (*drawn)[3], uint32_t count)
{
    CHECK_INT(count, m->triangle_count);
    mesh copy = new_mesh(m->vertex_count, m->triangle_count);
    memcpy(copy.triangles, m->triangles, m->triangle_count * sizeof *m->triangles);
    canonical(copy.triangles, count);
    canonical(drawn, count);
    CHECK(memcmp(copy.triangles, drawn, count * sizeof *drawn) == 0);
    free_mesh(&copy);
}

static counts run_console(const mesh *m, const tl_pack_input *in, const tl_pack_output *out)
{
    console c = {.mesh = m, .out = out, .in = in};
    mesh drawn = new_mesh(m->vertex_count, m->triangle_count);
    c.triangles = drawn.triangles;
    overwrite(&c, 0);
    for (uint32_t i = 0; i < out->part_count; i++)
        run_part(&c, &out->parts[i]);
    c.counts.pops += c.pushed ? 1 : 0;
    CHECK_INT(c.next_slot, 0); /* the last part draws */
    CHECK_INT(c.next_vertex, out->vertex_count);
    CHECK_INT(c.next_index, out->index_count);
    CHECK_INT(c.next_strip, out->strip_size);
    check_same_triangles(m, c.triangles, c.triangle_count);
    free_mesh(&drawn);
    return c.counts;
}

/* --- checks --- */

/* The numbers as bytes of one order, so that the sum is the same on every machine. */
static uint32_t hash_output(uint32_t hash, const tl_pack_output *out)
{
    uint8_t words[5 * 4];
    for (uint32_t i = 0; i < out->part_count; i++) {
        const tl_pack_part *p = &out->parts[i];
        tl_put_u32(words, TL_LITTLE, hash);
        tl_put_u32(words + 4, TL_LITTLE, (uint32_t)p->vertex_count << 16 | p->dest);
        tl_put_u32(words + 8, TL_LITTLE, (uint32_t)p->bone << 16 | p->index_count);
        tl_put_u32(words + 12, TL_LITTLE, (uint32_t)p->sequence_base << 8 | p->sequence_count);
        memcpy(words + 16, p->strip_counts, sizeof p->strip_counts);
        hash = trilo_fnv1a(words, sizeof words);
    }
    for (uint32_t i = 0; i < out->vertex_count + out->strip_size; i++) {
        tl_put_u32(words, TL_LITTLE, hash);
        tl_put_u32(words + 4, TL_LITTLE, i < out->vertex_count ? out->vertices[i] : out->strips[i - out->vertex_count]);
        hash = trilo_fnv1a(words, 8);
    }
    tl_put_u32(words, TL_LITTLE, hash);
    tl_put_u32(words + 4, TL_LITTLE, trilo_fnv1a(out->indices, out->index_count));
    return trilo_fnv1a(words, 8);
}

static counts pack(const mesh *m, bool strips, bool sequences, uint32_t *hash)
{
    const tl_pack_input in = {m->vertex_count, m->triangle_count, (const uint32_t(*)[3])m->triangles, m->bones,
                              strips,          sequences};
    tl_pack_output out;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_pack(&arena, &in, &out));
    const counts result = run_console(m, &in, &out);
    if (hash)
        *hash = hash_output(*hash, &out);
    tl_arena_free(&arena);
    return result;
}

/* All four ways, then no more of the mesh. */
static void check(mesh m, uint32_t *hash)
{
    for (int way = 0; way < 4; way++)
        pack(&m, way / 2 != 0, way % 2 != 0, hash);
    free_mesh(&m);
}

static void check_skinned(mesh m, uint32_t bones, uint32_t patch, uint32_t *hash)
{
    set_bones(&m, bones, patch, bones * 31 + patch);
    check(m, hash);
}

/* RSP cycles. */
static double score(const counts *n, uint32_t triangles)
{
    const double matrices = (double)n->pushes + n->pops;
    const double commands = (double)n->loads + n->list + n->sequences + n->strips + n->syncs + matrices;
    double dma = 12.0 * n->loads + 8.0 * (n->list + n->sequences + n->strips + matrices) + 4.0 * n->syncs;
    dma += 16.0 * n->vertices + 2.0 * n->strip_indices + 192.0 * n->pushes + 128.0 * n->pops;
    return 70 * commands + 62.0 * n->loads + 42.0 * n->vertices + 130.0 * triangles + 20.0 * n->strips +
           12.0 * n->strip_indices + 5.0 * n->sequences + 9.0 * n->in_sequence + 340.0 * n->pushes + 250.0 * n->pops +
           dma / 4;
}

TEST(nothing_at_all)
{
    mesh m = new_mesh(0, 0);
    counts n = pack(&m, true, true, NULL);
    CHECK_INT(n.loads, 0);
    free_mesh(&m);
    m = new_mesh(100, 0); /* vertices alone are not stored */
    n = pack(&m, true, true, NULL);
    CHECK_INT(n.loads, 0);
    free_mesh(&m);
}

TEST(one_triangle)
{
    mesh m = lone_triangles(1);
    for (int way = 0; way < 4; way++) {
        const counts n = pack(&m, way / 2 != 0, way % 2 != 0, NULL);
        CHECK_INT(n.loads, 1);
        CHECK_INT(n.vertices, 4);
    }
    free_mesh(&m);
    m = new_mesh(3, 3);
    add(&m, 1, 1, 1), add(&m, 0, 2, 0), add(&m, 2, 2, 0); /* a point and lines stay what they are */
    const counts n = pack(&m, true, true, NULL);
    CHECK_INT(n.loads, 1);
    CHECK_INT(n.list, 3);
    free_mesh(&m);
}

/* Bones 5, none, 3: one load each. Two have a filler that the next load overwrites. */
TEST(one_skinned_triangle)
{
    mesh m = lone_triangles(1);
    set_bones(&m, 1, 1, 1);
    m.bones[0] = 5, m.bones[1] = TL_PACK_NO_BONE, m.bones[2] = 3;
    const counts n = pack(&m, true, true, NULL);
    CHECK_INT(n.loads, 3);
    CHECK_INT(n.vertices, 6);
    CHECK_INT(n.pushes, 2);
    free_mesh(&m);
}

/* 23 triangles fill a sequence, and there is no command but the load and the sequence. */
TEST(lone_triangles_are_a_sequence)
{
    for (uint32_t count = 1; count < 60; count++) {
        mesh m = lone_triangles(count);
        const counts n = pack(&m, true, true, NULL), lists = pack(&m, false, false, NULL);
        CHECK_INT(n.loads, (count + 22) / 23);
        CHECK_INT(n.in_sequence, count);
        CHECK_INT(n.list + n.strips, 0);
        CHECK_INT(lists.list, count);
        CHECK_INT(lists.loads, n.loads);
        free_mesh(&m);
    }
}

/* Around every border of the cache. */
TEST(sizes_near_the_cache)
{
    for (uint32_t count = 1; count < 150; count++) {
        check(band(count), NULL);
        check(fan(count), NULL);
        check(grid(count, 1), NULL);
        check(lone_quads(count), NULL);
        check(tangle(count, 2 * count, count), NULL);
        check_skinned(band(count), 1, 7, NULL);
        check_skinned(band(count), 5, 1, NULL);
        check_skinned(lone_triangles(count), 3, 2, NULL);
    }
}

TEST(pieces_that_fit_are_not_cut)
{
    for (uint32_t count = 1; count <= 68; count++) {
        mesh shapes[2] = {band(count), fan(count)}; /* 3 to 70 vertices */
        for (int i = 0; i < 2; i++) {
            const counts n = pack(&shapes[i], true, true, NULL);
            CHECK_INT(n.loads, 1);
            CHECK_INT(n.vertices, (count + 3) / 2 * 2);
            free_mesh(&shapes[i]);
        }
    }
    mesh m = lone_quads(170);
    CHECK_INT(pack(&m, true, true, NULL).loads, 10); /* 17 in each */
    free_mesh(&m);
}

TEST(random_meshes)
{
    for (uint32_t seed = 1; seed <= 60; seed++) {
        uint32_t state = seed;
        const uint32_t size = 1 + next_random(&state) % 400;
        mesh m = grid(1 + size / 10, 1 + next_random(&state) % 20);
        shuffle(&m, seed, next_random(&state) % 4, next_random(&state) % 8);
        check(m, NULL);
        m = torus(3 + size / 10, 3 + next_random(&state) % 10);
        shuffle(&m, seed, 0, next_random(&state) % 3);
        check_skinned(m, 1 + seed % BONES, 1 + next_random(&state) % 30, NULL);
        check(tangle(1 + next_random(&state) % 200, size, seed), NULL);
        check_skinned(tangle(1 + next_random(&state) % 200, size, seed), 1 + seed % BONES, 1, NULL);
    }
}

/* More triangles than a group may have, between few vertices: doubles, and edges with hundreds of neighbours. */
TEST(meshes_that_lie_upon_themselves)
{
    for (uint32_t vertices = 1; vertices < 80; vertices += 13)
        check(tangle(vertices, 2000, vertices), NULL);
    mesh m = new_mesh(4, 2000);
    for (uint32_t i = 0; i < 500; i++) { /* both sides, over and over */
        add_quad(&m, 0, 1, 2, 3);
        add_quad(&m, 3, 2, 1, 0);
    }
    check(m, NULL);
}

TEST(skinned_meshes)
{
    for (uint32_t bones = 1; bones <= BONES; bones++) {
        check_skinned(grid(20, 20), bones, 1, NULL);
        check_skinned(grid(20, 20), bones, 8, NULL);
        check_skinned(torus(30, 20), bones, 50, NULL);
        check_skinned(lone_triangles(100), bones, 1, NULL);
    }
    mesh m = grid(30, 30); /* every vertex has its own */
    set_bones(&m, 1, 1, 1);
    for (uint32_t v = 0; v < m.vertex_count; v++)
        m.bones[v] = (uint16_t)(7 * v);
    check(m, NULL);
}

/* Strips may be used with several bones too. */
TEST(skinned_meshes_have_strips)
{
    mesh m = grid(20, 20);
    set_bones(&m, 4, 84, 3);
    const counts n = pack(&m, true, true, NULL);
    CHECK(n.strips > 0 && n.list < 20);
    free_mesh(&m);
}

/* A grid of 70 by 70: about 1.3 loads of each vertex is what round pieces of 70 need. */
TEST(grid_is_cheap)
{
    mesh m = grid(70, 70);
    const counts strips = pack(&m, true, true, NULL), old = pack(&m, true, false, NULL);
    const counts lists = pack(&m, false, false, NULL);
    CHECK(strips.vertices < m.vertex_count * 13 / 10);
    CHECK(strips.loads <= 100);
    CHECK(strips.list < m.triangle_count / 50 && old.list < m.triangle_count / 50);
    CHECK(strips.strip_indices < m.triangle_count * 5 / 4);
    CHECK(score(&strips, m.triangle_count) < 0.8 * score(&lists, m.triangle_count));
    CHECK(score(&strips, m.triangle_count) <= 1.01 * score(&old, m.triangle_count));
    free_mesh(&m);
}

/* Large ones of every kind. Each would take minutes if a step looked at all triangles. */
TEST(large_meshes)
{
    mesh all[] = {grid(224, 224),         torus(500, 100),   fan(100000),
                  lone_triangles(100000), lone_quads(50000), tangle(100000, 100000, 5),
                  tangle(2000, 50000, 6), band(100000),      grid(50000, 1)};
    shuffle(&all[1], 9, 0, 0);
    set_bones(&all[8], BONES, 40, 4);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        pack(&all[i], true, true, NULL);
        free_mesh(&all[i]);
    }
}

/* The same everywhere. A change of the algorithm changes the number; a compiler or a machine must not. */
TEST(same_on_every_machine)
{
    uint32_t hash = 0;
    check(grid(40, 30), &hash);
    check(torus(31, 17), &hash);
    check(tangle(90, 700, 3), &hash);
    check(lone_quads(60), &hash);
    check_skinned(grid(25, 25), 12, 9, &hash);
    mesh m = torus(60, 40);
    shuffle(&m, 77, 1, 2);
    check_skinned(m, 5, 100, &hash);
    CHECK_INT(hash, 4158617448u);
}

/* Each allocation fails in turn, then each limit is too small: false, and nothing stays behind. */
TEST(memory_runs_out)
{
    mesh m = grid(60, 60);
    set_bones(&m, 6, 60, 2);
    const tl_pack_input in = {m.vertex_count, m.triangle_count, (const uint32_t(*)[3])m.triangles, m.bones, true, true};
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
        meter held = {.fail_at = fail_at};
        const trilo_memory memory = meter_memory(&held, 0);
        tl_pack_output out;
        tl_arena arena;
        tl_arena_init(&arena, &memory);
        done = tl_pack(&arena, &in, &out);
        CHECK(done == (held.calls < fail_at));
        tl_arena_free(&arena);
        CHECK_INT(held.now, 0);
    }
    size_t limit = 1;
    for (done = false; !done; limit += limit / 4 + 1) {
        meter held = {0};
        const trilo_memory memory = meter_memory(&held, limit);
        tl_pack_output out;
        tl_arena arena;
        tl_arena_init(&arena, &memory);
        done = tl_pack(&arena, &in, &out);
        CHECK(held.peak <= limit);
        CHECK_INT(arena.left + held.now, limit); /* what is no longer needed was given back */
        if (done)
            run_console(&m, &in, &out);
        tl_arena_free(&arena);
        CHECK_INT(held.now, 0);
    }
    CHECK(limit > 100000);
    free_mesh(&m);
}

TEST_MAIN(CASE(nothing_at_all), CASE(one_triangle), CASE(one_skinned_triangle), CASE(lone_triangles_are_a_sequence),
          CASE(sizes_near_the_cache), CASE(pieces_that_fit_are_not_cut), CASE(random_meshes),
          CASE(meshes_that_lie_upon_themselves), CASE(skinned_meshes), CASE(skinned_meshes_have_strips),
          CASE(grid_is_cheap), CASE(large_meshes), CASE(same_on_every_machine), CASE(memory_runs_out))

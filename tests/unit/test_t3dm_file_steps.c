/* Where the chunks of a T3DM file are, in which order its objects come, and what other versions of it draw: against
 * plain definitions. */
#include "harness.h"
#include "support/numbers.h"
#include "support/t3dm_encoder.h"

#include <stdio.h>
#include <string.h>

static uint32_t dice(uint64_t *seed, uint32_t below)
{
    return (uint32_t)(random_bits(seed) >> 40) % below;
}

static trilo_str text_of(const char *text)
{
    return (trilo_str){text, strlen(text)};
}

/* ---- chunks ---- */

enum { MOST = 4 };

typedef struct records {
    t3dm_object objects[MOST];
    t3dm_animation animations[MOST];
    t3dm_material materials[MOST];
    t3dm_chunk custom[MOST];
    uint32_t custom_count;
    t3dm_file file;
} records;

static const uint8_t content[256];

static void records_fill(records *r, uint64_t *seed)
{
    memset(r, 0, sizeof *r);
    for (int i = 0; i < MOST; i++) {
        r->objects[i].head.part_count = (uint16_t)dice(seed, 5);
        r->animations[i].head.quat_count = (uint16_t)dice(seed, 3);
        r->animations[i].head.scalar_count = (uint16_t)dice(seed, 4);
        r->materials[i].opaque = dice(seed, 3) == 0;
        r->materials[i].raw = (trilo_bytes){content, 8 + dice(seed, 70)};
        r->custom[i] = (t3dm_chunk){.type = 'X', .bytes = content, .size = dice(seed, 30), .item = TRILO_NONE};
    }
    r->custom_count = dice(seed, MOST);
    r->file = (t3dm_file){.version = 1 + dice(seed, 4),
                          .object_count = dice(seed, MOST + 1),
                          .objects = r->objects,
                          .animation_count = dice(seed, MOST + 1),
                          .animations = r->animations,
                          .material_count = dice(seed, MOST + 1),
                          .materials = r->materials,
                          .has_bvh = dice(seed, 2),
                          .bvh.head = {(uint16_t)dice(seed, 6), (uint16_t)dice(seed, 6)},
                          .has_skeleton = dice(seed, 2),
                          .skeleton.bone_count = (uint16_t)dice(seed, 5),
                          .vertices = {content, 32 * dice(seed, 5)},
                          .indices = {content, dice(seed, 50)},
                          .strings = {content, 1 + dice(seed, 40)}};
}

/* The next chunk of the table is this one. */
typedef struct place {
    const t3dm_file *file;
    uint32_t row;
    size_t at;
} place;

static uint32_t next_chunk(place *p, char type, size_t align, size_t size)
{
    while (p->at % align != 0)
        p->at++;
    const uint32_t at = (uint32_t)p->at;
    CHECK_INT(p->file->chunks[p->row].type, type);
    CHECK_INT(p->file->chunks[p->row].at, at);
    CHECK_INT(p->file->chunks[p->row].size, size);
    CHECK_INT(p->file->chunk_order[p->row], p->row);
    p->row++;
    p->at += size;
    return at;
}

/* Sizes of the records are those of the format: 44 bytes of a header (40 in version 1), 4 an entry of the table, 32 an
 * object and 24 a part (20 before version 4), 20 an animation and 12 a channel, 4 a BVH, 14 a node and 2 an item, 140 a
 * material, 4 a skeleton and 48 a bone. */
static void check_layout(const records *r, uint32_t chunks)
{
    const t3dm_file *f = &r->file;
    place p = {.file = f, .at = (f->version == 1 ? 40 : 44) + 4 * (size_t)chunks};
    for (uint32_t i = 0; i < f->object_count; i++)
        CHECK_INT(f->objects[i].at, next_chunk(&p, 'O', i == 0 ? 8 : 4,
                                               32 + f->objects[i].head.part_count * (f->version < 4 ? 20u : 24u)));
    for (uint32_t i = 0; i < f->animation_count; i++) {
        const t3dm_animation_head *h = &f->animations[i].head;
        const bool first = f->object_count == 0 && i == 0;
        if (first) /* the table ends at a multiple of 4 */
            CHECK_INT(p.at % 4, 0);
        CHECK_INT(f->animations[i].at, next_chunk(&p, 'A', 4, 20 + 12u * (h->quat_count + h->scalar_count)));
    }
    if (f->has_bvh)
        CHECK_INT(f->bvh.at, next_chunk(&p, 'B', 8, 4 + 14u * f->bvh.head.node_count + 2u * f->bvh.head.item_count));
    CHECK_INT(f->header.vertex_chunk, p.row);
    CHECK_INT(f->vertices_at, next_chunk(&p, 'V', 16, f->vertices.size));
    CHECK_INT(f->header.index_chunk, p.row);
    CHECK_INT(f->indices_at, next_chunk(&p, 'I', 8, f->indices.size));
    CHECK_INT(f->header.material_chunk, p.row);
    for (uint32_t i = 0; i < f->material_count; i++) {
        const t3dm_material *m = &f->materials[i];
        CHECK_INT(m->at, next_chunk(&p, m->opaque ? 'm' : 'M', 8, m->opaque ? m->raw.size : 140));
    }
    if (f->has_skeleton)
        CHECK_INT(f->skeleton_at, next_chunk(&p, 'S', 8, 4 + 48u * f->skeleton.bone_count));
    for (uint32_t i = 0; i < r->custom_count; i++)
        next_chunk(&p, 'X', 8, r->custom[i].size);
    CHECK_INT(p.row, chunks);
    CHECK_INT(f->header.chunk_count, chunks);
    CHECK_INT(f->header.strings_at, (p.at + 3) / 4 * 4);
    CHECK_INT(f->size, f->header.strings_at + f->strings.size);
}

TEST(chunks_follow_each_other)
{
    uint64_t seed = 31;
    for (int round = 0; round < 300; round++) {
        static records r;
        tl_arena arena;
        trilo_error err = {0};
        records_fill(&r, &seed);
        tl_arena_init(&arena, NULL);
        CHECK(tl_t3dm_layout_file(&r.file, r.custom, r.custom_count, &arena, &err));
        const uint32_t chunks = r.file.object_count + r.file.animation_count + r.file.has_bvh + 2 +
                                r.file.material_count + r.file.has_skeleton + r.custom_count;
        check_layout(&r, chunks);
        /* The same once more, after parts, vertices and indices have changed. */
        if (r.file.object_count > 0) {
            r.objects[0].head.part_count++;
            r.file.vertices.size += 32;
            r.file.indices.size += 3;
            CHECK(tl_t3dm_layout_again(&r.file, &err));
            check_layout(&r, chunks);
        }
        tl_arena_free(&arena);
    }
}

/* Offsets have 24 bits: I ends at 44 + 4 * 2, aligned to 16, is 64, and so many bytes more. */
TEST(chunks_start_within_16_mib)
{
    for (uint32_t more = 0; more < 2; more++)
        for (int again = 0; again < 2; again++) {
            t3dm_file file = {.version = 4, .vertices = {content, 32}, .indices = {content, again ? 8 : 0}};
            const size_t size = (1 << 24) - 64 - 32 - 1 + more;
            tl_arena arena;
            trilo_error err = {0};
            tl_arena_init(&arena, NULL);
            file.indices.size = again ? 8 : size;
            const bool first = tl_t3dm_layout_file(&file, NULL, 0, &arena, &err);
            file.indices.size = size;
            CHECK((again ? tl_t3dm_layout_again(&file, &err) : first) == (more == 0));
            if (more > 0) {
                CHECK_STR(err.rule, "T3DM-RANGE-SIZE");
                CHECK_STR(err.text, "16777216 bytes, all chunks must start within 16 MiB; split the model");
            }
            tl_arena_free(&arena);
        }
}

/* ---- order of objects ---- */

enum { MESHES = 9 };

/* Of a material: the layer that it is drawn in. */
typedef struct look {
    trilo_material material;
    trilo_n64_material n64;
    int layer;
    bool blended; /* as Tiny3D's converter sees it */
} look;

static void look_fill(look *l, uint32_t kind)
{
    static const trilo_alpha alphas[3] = {TRILO_ALPHA_OPAQUE, TRILO_ALPHA_CUTOUT, TRILO_ALPHA_BLEND};
    static const struct {
        uint64_t mode, mask;
        uint32_t blender;
        int layer;
    } n64[] = {{0, 0, 0, 0},
               {1, 1, 0, 1},
               {1, 0, 0, 0}, /* not set */
               {3 << 10, 3 << 10, 0, 2},
               {3 << 10 | 1, 3 << 10 | 1, 0, 2},
               {2 << 10, 3 << 10, 0, 0},
               {3 << 10, 3 << 10, 0x00500040, 3},
               {0, 0, 0x005A0040, 3}};
    *l = (look){.layer = 0};
    if (kind < 3) {
        l->material.alpha = alphas[kind];
        l->layer = kind == 2 ? 3 : (int)kind;
        l->blended = kind == 2;
        return;
    }
    l->n64 = (trilo_n64_material){
        .other_mode = n64[kind - 3].mode, .other_mask = n64[kind - 3].mask, .blender = n64[kind - 3].blender};
    l->layer = n64[kind - 3].layer;
    l->blended = l->n64.blender == 0x00500040;
    l->material.n64 = &l->n64;
}

/* True if mesh a must come before mesh b, where both have another name. */
static bool comes_before(const look *looks, const trilo_mesh *meshes, trilo_t3dm_order order, uint32_t a, uint32_t b)
{
    const uint32_t ma = meshes[a].material, mb = meshes[b].material;
    const look none = {.layer = 0}, *la = ma == TRILO_NONE ? &none : &looks[ma],
               *lb = mb == TRILO_NONE ? &none : &looks[mb];
    if (order == TRILO_T3DM_ORDER_LAYER)
        return la->layer != lb->layer ? la->layer < lb->layer : ma < mb; /* none comes last */
    if (la->blended != lb->blended)
        return lb->blended;
    return strcmp(meshes[a].name.data, meshes[b].name.data) < 0;
}

TEST(objects_are_sorted_by_layer_or_name)
{
    static const char *const names[MESHES] = {"b", "ab", "a", "abc", "", "ba", "B", "c\x80", "c"};
    static encoder_bench b;
    uint64_t seed = 41;
    for (int round = 0; round < 400; round++) {
        static look looks[11];
        trilo_material materials[11];
        trilo_mesh meshes[MESHES];
        uint32_t want[MESHES], count = 0;
        const trilo_t3dm_order order = round % 3 == 0   ? TRILO_T3DM_ORDER_FILE
                                       : round % 3 == 1 ? TRILO_T3DM_ORDER_NAME
                                                        : TRILO_T3DM_ORDER_LAYER;
        const uint32_t mesh_count = dice(&seed, MESHES + 1), turn = dice(&seed, MESHES);
        encoder_bench_init(&b);
        for (uint32_t i = 0; i < 11; i++) {
            look_fill(&looks[i], (i + turn) % 11);
            materials[i] = looks[i].material;
        }
        for (uint32_t i = 0; i < mesh_count; i++) {
            meshes[i] = (trilo_mesh){.name = text_of(names[(i * 4 + turn) % MESHES]),
                                     .material = dice(&seed, 12),
                                     .index_count = dice(&seed, 6) ? 3 : 2,
                                     .topology = dice(&seed, 8) ? TRILO_TOPOLOGY_TRIANGLES : TRILO_TOPOLOGY_LINES};
            meshes[i].material = meshes[i].material == 11 ? TRILO_NONE : meshes[i].material;
        }
        b.model =
            (trilo_model){.mesh_count = mesh_count, .meshes = meshes, .material_count = 11, .materials = materials};
        b.e.policy.order = order;
        b.e.policy.drop_empty = round & 8;
        b.e.policy.drop_no_material = round & 16;
        CHECK(tl_t3dm_order_meshes(&b.e));
        for (uint32_t i = 0; i < mesh_count; i++) {
            const trilo_mesh *mesh = &meshes[i];
            const bool lines = mesh->topology == TRILO_TOPOLOGY_LINES, empty = (round & 8) && mesh->index_count < 3;
            if (lines || empty || ((round & 16) && mesh->material == TRILO_NONE)) {
                CHECK_STR(b.heard.rules[i - count], lines   ? "T3DM-LOST-LINES"
                                                    : empty ? "T3DM-EMPTY"
                                                            : "T3DM-NO-MATERIAL");
                continue;
            }
            uint32_t at = count++;
            for (; at > 0 && order != TRILO_T3DM_ORDER_FILE && comes_before(looks, meshes, order, i, want[at - 1]);
                 at--)
                want[at] = want[at - 1];
            want[at] = i;
        }
        CHECK_INT(b.e.mesh_count, count);
        CHECK_INT(b.heard.count, mesh_count - count);
        for (uint32_t i = 0; i < count; i++)
            CHECK_INT(b.e.meshes[i], want[i]);
        encoder_bench_free(&b);
    }
}

/* ---- versions ---- */

enum { TRIANGLES_MOST = 400 };

typedef struct drawing {
    uint32_t count;
    uint8_t slots[TRIANGLES_MOST][3];
} drawing;

static void draw(drawing *d, uint32_t a, uint32_t b, uint32_t c)
{
    CHECK(d->count < TRIANGLES_MOST);
    d->slots[d->count][0] = (uint8_t)a, d->slots[d->count][1] = (uint8_t)b, d->slots[d->count++][2] = (uint8_t)c;
}

/* The triangles of a part: list, sequence, strips. Old versions leave out those of a strip whose first and third index
 * are the same; a new strip starts at a flag, or at a number below 0 in versions 1 and 2. */
static void draw_part(const t3dm_file *f, const t3dm_part *p, drawing *d)
{
    const uint8_t *bytes = f->indices.data + p->index_at;
    size_t at = p->index_at + p->index_count;
    for (uint32_t i = 0; i < p->index_count; i += 3)
        draw(d, bytes[i], bytes[i + 1], bytes[i + 2]);
    for (uint32_t i = 0; i < p->sequence_count; i++)
        draw(d, p->sequence_base + 3 * i, p->sequence_base + 3 * i + 1, p->sequence_base + 3 * i + 2);
    for (uint32_t s = 0; s < 4 && p->strip_counts[s] > 0; s++) {
        uint32_t run[256], length = 0;
        at = (at + 7) / 8 * 8;
        CHECK(at + 2u * p->strip_counts[s] <= f->indices.size);
        for (uint32_t k = 0; k < p->strip_counts[s]; k++, at += 2) {
            const uint32_t word = (uint32_t)f->indices.data[at] << 8 | f->indices.data[at + 1];
            const bool starts = word >= 0x8000;
            length = starts ? 0 : length;
            run[length++] = !starts ? word : f->version >= 3 ? word - 0x8000 : 0xFFFF - word;
            if (length < 3 || (f->version < 3 && run[length - 3] == run[length - 1]))
                continue;
            const uint32_t a = run[length - 3], b = run[length - 2], c = run[length - 1];
            length % 2 ? draw(d, a, b, c) : draw(d, b, a, c);
        }
    }
}

typedef struct strip_file {
    uint8_t bytes[1024];
    t3dm_part parts[2];
    t3dm_object object;
    t3dm_file file;
} strip_file;

static void put_index(strip_file *s, uint32_t value)
{
    CHECK(s->file.indices.size < sizeof s->bytes);
    s->bytes[s->file.indices.size++] = (uint8_t)value;
}

static void strip_file_fill(strip_file *s, uint32_t version, uint64_t *seed)
{
    memset(s, 0, sizeof *s);
    s->file = (t3dm_file){.version = version, .object_count = 1, .objects = &s->object, .indices = {s->bytes, 0}};
    s->object = (t3dm_object){.head.part_count = 2, .parts = s->parts};
    for (int i = 0; i < 2; i++) {
        t3dm_part *p = &s->parts[i];
        p->index_at = (uint32_t)s->file.indices.size;
        p->index_count = (uint16_t)(3 * dice(seed, 4));
        for (uint32_t k = 0; k < p->index_count; k++)
            put_index(s, dice(seed, 70));
        p->sequence_base = version == 4 ? (uint8_t)dice(seed, 40) : 0;
        p->sequence_count = version == 4 ? (uint8_t)dice(seed, 5) : 0;
        for (uint32_t n = dice(seed, 5), k = 0; k < n; k++) {
            p->strip_counts[k] = (uint8_t)(3 + dice(seed, 12));
            while (s->file.indices.size % 8 != 0)
                put_index(s, 0);
            const uint32_t restart = 3 + dice(seed, 6), few = 4 + dice(seed, 2) * 60; /* few: many without area */
            for (uint32_t v = 0; v < p->strip_counts[k]; v++) {
                const uint32_t slot = dice(seed, few);
                const bool starts = v == restart && v + 3 <= p->strip_counts[k];
                const uint32_t word = !starts ? slot : version >= 3 ? 0x8000 + slot : 0xFFFF - slot;
                put_index(s, word >> 8), put_index(s, word & 0xFF);
            }
        }
    }
}

TEST(other_versions_draw_the_same_triangles)
{
    uint64_t seed = 51;
    for (uint32_t round = 0; round < 480; round++) {
        static strip_file s;
        static drawing before, after;
        tl_arena arena;
        trilo_error err = {0};
        const uint32_t from = 1 + round % 4, to = 1 + round / 4 % 4;
        strip_file_fill(&s, from, &seed);
        tl_arena_init(&arena, NULL);
        const t3dm_file *file = tl_t3dm_change_version(&s.file, to, &arena, &err);
        CHECK(file && file->version == to && file->header.version == to);
        uint32_t indices = 0;
        for (int i = 0; i < 2; i++) {
            const t3dm_part *p = &file->objects[0].parts[i];
            before.count = after.count = 0;
            draw_part(&s.file, &s.parts[i], &before);
            draw_part(file, p, &after);
            indices += p->index_count;
            CHECK(to == 4 || p->sequence_count == 0);
            if (from < 3 && to < 3)
                CHECK(memcmp(p->strip_counts, s.parts[i].strip_counts, 4) == 0);
            /* Only old versions going to new ones may have to draw strips one by one, before the others; and going
             * back, triangles without area are left out. */
            if (from >= 3 && to < 3)
                continue;
            CHECK_INT(after.count, before.count);
            CHECK(memcmp(after.slots, before.slots, 3 * before.count) == 0);
        }
        CHECK_INT(file->header.index_total, indices);
        tl_arena_free(&arena);
    }
}

TEST(versions_are_1_to_4)
{
    for (uint32_t version = 0; version < 6; version++) {
        uint64_t seed = 1;
        static strip_file s;
        tl_arena arena;
        trilo_error err = {0};
        strip_file_fill(&s, 4, &seed);
        tl_arena_init(&arena, NULL);
        const bool right = version >= 1 && version <= 4;
        CHECK((tl_t3dm_change_version(&s.file, version, &arena, &err) != NULL) == right);
        if (!right) {
            char text[64];
            snprintf(text, sizeof text, "version %u, 1 to 4 can be written", (unsigned)version);
            CHECK_STR(err.rule, "T3DM-VERSION");
            CHECK_STR(err.text, text);
        }
        tl_arena_free(&arena);
    }
}

TEST_MAIN(CASE(chunks_follow_each_other), CASE(chunks_start_within_16_mib), CASE(objects_are_sorted_by_layer_or_name),
          CASE(other_versions_draw_the_same_triangles), CASE(versions_are_1_to_4))

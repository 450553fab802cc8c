/* T3DM files reoptimized: the same triangles, nothing else changed, never more to do for the console. */
#include "formats/t3dm/encode/encode.h"
#include "harness.h"
#include "support/documents.h"
#include "support/findings.h"
#include "support/t3dm_files.h"
#include "support/t3dm_frond.h"
#include "support/t3dm_sim.h"
#include "support/t3dm_twins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- a file before and after --- */

typedef struct reoptimized {
    buffer bytes;
    tl_arena arena;
    const t3dm_file *before, *after;
} reoptimized;

static const t3dm_file *read_file(tl_arena *arena, const void *bytes, size_t size)
{
    static const trilo_load_opts none = {0};
    trilo_error err = {0};
    const t3dm_file *file = tl_t3dm_read(arena, (trilo_bytes){bytes, size}, &none, &err);
    if (!file)
        FAIL("%s: %s", err.path, err.text);
    return file;
}

static void reoptimize(const char *what, const void *bytes, size_t size, const trilo_optimize_opts *opts,
                       reoptimized *r)
{
    *r = (reoptimized){.bytes = {0}};
    optimize_file(what, (trilo_bytes){bytes, size}, opts, &r->bytes);
    tl_arena_init(&r->arena, NULL);
    r->before = read_file(&r->arena, bytes, size);
    r->after = read_file(&r->arena, r->bytes.data, r->bytes.size);
}

static void reoptimized_free(reoptimized *r)
{
    tl_arena_free(&r->arena);
    buffer_free(&r->bytes);
}

/* --- what must stay --- */

/* Bytes of a record, without the padding that may follow it. */
static size_t record_size(const t3dm_chunk *a, const t3dm_chunk *b)
{
    return a->size < b->size ? a->size : b->size;
}

static bool may_change(const t3dm_file *file, uint32_t row)
{
    return file->chunks[row].type == 'O' || row == file->header.vertex_chunk || row == file->header.index_chunk;
}

static void check_heads(const t3dm_object *a, const t3dm_object *b)
{
    CHECK_INT(b->head.name, a->head.name);
    CHECK_INT(b->head.material, a->head.material);
    CHECK_INT(b->head.user_block, a->head.user_block);
    CHECK_INT(b->head.visible, a->head.visible);
    CHECK(memcmp(b->head.user_values, a->head.user_values, sizeof a->head.user_values) == 0);
}

static void check_rest(const char *what, const t3dm_file *a, const t3dm_file *b)
{
    CHECK_INT(b->version, a->version);
    CHECK_INT(b->header.chunk_count, a->header.chunk_count);
    CHECK_INT(b->header.user_block, a->header.user_block);
    CHECK_INT(b->object_count, a->object_count);
    for (uint32_t i = 0; i < a->header.chunk_count; i++) {
        CHECK_INT(b->chunks[i].type, a->chunks[i].type);
        if (!may_change(a, i) &&
            memcmp(a->chunks[i].bytes, b->chunks[i].bytes, record_size(&a->chunks[i], &b->chunks[i])) != 0)
            FAIL("%s: chunk %u of type %c changed", what, i, a->chunks[i].type);
    }
    CHECK_INT(b->strings.size, a->strings.size);
    CHECK(memcmp(a->strings.data, b->strings.data, a->strings.size) == 0);
    for (uint32_t i = 0; i < a->object_count; i++)
        check_heads(&a->objects[i], &b->objects[i]);
}

/* --- triangles of versions that the simulator does not know --- */

typedef struct soup {
    const t3dm_file *file;
    uint8_t (*rows)[3][18];
    size_t count;
} soup;

static void put_corner(const t3dm_file *file, const t3dm_slot *slot, uint8_t out[18])
{
    const t3dm_pair_offsets at = tl_t3dm_pair_offsets();
    memcpy(out, t3dm_vertex_at(file, &at, slot->vertex, at.position), 6);
    memcpy(out + 6, t3dm_vertex_at(file, &at, slot->vertex, at.normal), 2);
    memcpy(out + 8, t3dm_vertex_at(file, &at, slot->vertex, at.color), 4);
    memcpy(out + 12, t3dm_vertex_at(file, &at, slot->vertex, at.uv), 4);
    tl_put_u16(out + 16, TL_BIG, (uint16_t)slot->bone);
}

static bool same_spot(const uint8_t *a, const uint8_t *b)
{
    return memcmp(a, b, 6) == 0 && memcmp(a + 16, b + 16, 2) == 0;
}

static void take(void *user, const t3dm_batch *batch)
{
    soup *s = user;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint8_t c[3][18];
        int first = 0;
        for (int k = 0; k < 3; k++)
            put_corner(s->file, &batch->cache[batch->slots[i][k]], c[k]);
        if (same_spot(c[0], c[1]) || same_spot(c[1], c[2]) || same_spot(c[2], c[0]))
            continue;
        for (int k = 1; k < 3; k++)
            first = memcmp(c[k], c[first], sizeof c[k]) < 0 ? k : first;
        s->rows = realloc(s->rows, (s->count + 1) * sizeof *s->rows);
        for (int k = 0; k < 3; k++)
            memcpy(s->rows[s->count][k], c[(first + k) % 3], sizeof c[k]);
        s->count++;
    }
}

static int compare_rows(const void *a, const void *b)
{
    return memcmp(a, b, 3 * 18);
}

static soup soup_of(const t3dm_file *file, uint32_t object)
{
    soup s = {.file = file};
    tl_t3dm_draw(file, &file->objects[object], &(t3dm_drawer){.user = &s, .triangles = take});
    if (s.count > 0)
        qsort(s.rows, s.count, sizeof *s.rows, compare_rows);
    return s;
}

static void check_same_triangles(const char *what, const reoptimized *r)
{
    for (uint32_t i = 0; i < r->before->object_count; i++) {
        soup a = soup_of(r->before, i), b = soup_of(r->after, i);
        CHECK_INT(b.count, a.count);
        if (a.count > 0 && memcmp(a.rows, b.rows, a.count * sizeof *a.rows) != 0)
            FAIL("%s: object %u has other triangles", what, i);
        free(a.rows);
        free(b.rows);
    }
}

/* --- by hand --- */

static void repack_kite(uint32_t version, const trilo_optimize_opts *opts, reoptimized *r, buffer *kite)
{
    t3dm_places places;
    *kite = (buffer){0};
    t3dm_kite(kite, version, &places);
    reoptimize("kite", kite->data, kite->size, opts, r);
}

TEST(a_kite_keeps_all_but_its_parts)
{
    for (uint32_t version = 1; version <= 4; version++) {
        reoptimized r;
        buffer kite;
        repack_kite(version, NULL, &r, &kite);
        check_rest("kite", r.before, r.after);
        check_same_triangles("kite", &r);
        CHECK_INT(r.after->objects[0].head.triangle_count, 6);
        reoptimized_free(&r);
        buffer_free(&kite);
    }
}

/* The kite draws 0 1 2 by a list and again by a strip: that is twice the same triangle, and it stays so. */
TEST(a_triangle_that_is_drawn_twice_is_drawn_twice_again)
{
    reoptimized r;
    buffer kite;
    repack_kite(4, NULL, &r, &kite);
    soup s = soup_of(r.after, 0);
    uint32_t twice = 0;
    for (size_t i = 1; i < s.count; i++)
        twice += memcmp(s.rows[i - 1], s.rows[i], sizeof *s.rows) == 0;
    CHECK_INT(twice, 1);
    free(s.rows);
    reoptimized_free(&r);
    buffer_free(&kite);
}

/* Vertex 3 moves to where vertex 4 is: the triangles 3 4 5 and 5 4 3 have no area any more. */
TEST(triangles_without_area_go)
{
    t3dm_places places;
    buffer kite = {0};
    reoptimized r;
    t3dm_kite(&kite, 4, &places);
    memcpy(kite.data + places.vertices + 32 + 8, kite.data + places.vertices + 64, 6);
    reoptimize("flat kite", kite.data, kite.size, NULL, &r);
    check_same_triangles("flat kite", &r);
    CHECK_INT(r.before->objects[0].head.triangle_count, 6);
    CHECK_INT(r.after->objects[0].head.triangle_count, 4);
    reoptimized_free(&r);
    buffer_free(&kite);
}

TEST(a_file_that_the_check_refuses_is_refused)
{
    t3dm_places places;
    buffer kite = {0}, out = {0};
    trilo_error err = {0};
    t3dm_kite(&kite, 4, &places);
    kite.data[places.parts + 5] = 80; /* more vertices than there are slots */
    trilo_document *document = trilo_document_open(kite.data, kite.size, NULL, &err);
    CHECK(document);
    CHECK(!trilo_document_optimize(document, NULL, NULL, buffer_sink, &out, &err));
    CHECK_STR(err.rule, "T3DM-PART-VERTS");
    CHECK_INT(out.size, 0);
    trilo_document_free(document);
    buffer_free(&kite);
}

/* The last chunk once more, behind the string table. */
TEST(chunks_behind_the_strings_cannot_be_moved)
{
    enum { CUSTOM = 7 };
    t3dm_places places;
    buffer kite = {0}, out = {0};
    trilo_error err = {0};
    t3dm_kite(&kite, 4, &places);
    const uint8_t zeros[32] = {0};
    buffer_sink(&kite, zeros, 16 + (0 - kite.size) % 16);
    const size_t moved = kite.size - 16;
    for (int i = 0; i < 3; i++)
        kite.data[places.table + 4 * CUSTOM + 1 + (size_t)i] = (uint8_t)(moved >> (16 - 8 * i));
    trilo_document *document = trilo_document_open(kite.data, kite.size, NULL, &err);
    CHECK(document);
    CHECK(!trilo_document_optimize(document, NULL, NULL, buffer_sink, &out, &err));
    CHECK_INT(err.code, TRILO_CODE_UNSUPPORTED);
    CHECK_STR(err.rule, "T3DM-CHUNK-ORDER");
    CHECK_INT(out.size, 0);
    trilo_document_free(document);
    buffer_free(&kite);
}

TEST(options_out_of_range_are_misuse)
{
    static const trilo_optimize_opts wrong[] = {{.level = 4},   {.keep = 1},  {.keep = -0.5},
                                                {.error = 1.5}, {.guard = 1}, {.struct_size = 1}};
    t3dm_places places;
    buffer kite = {0}, out = {0};
    t3dm_kite(&kite, 4, &places);
    trilo_document *document = trilo_document_open(kite.data, kite.size, NULL, NULL);
    CHECK(document);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        trilo_error err = {0};
        CHECK(!trilo_document_optimize(document, &wrong[i], NULL, buffer_sink, &out, &err));
        CHECK_INT(err.code, TRILO_CODE_MISUSE);
    }
    trilo_document_free(document);
    buffer_free(&kite);
}

/* Whatever the limit, the answer is the whole file or "no memory". */
TEST(memory_may_end_anywhere)
{
    t3dm_places places;
    buffer kite = {0}, whole = {0};
    t3dm_kite(&kite, 4, &places);
    trilo_document *document = trilo_document_open(kite.data, kite.size, NULL, NULL);
    CHECK(document && trilo_document_optimize(document, NULL, NULL, buffer_sink, &whole, NULL));
    trilo_document_free(document);
    bool failed = false, done = false;
    for (size_t limit = 1024; limit < 4u << 20 && !done; limit += limit / 16) {
        buffer out = {0};
        trilo_error err = {0};
        document = trilo_document_open(kite.data, kite.size, &(trilo_load_opts){.memory.max_bytes = limit}, &err);
        done = document && trilo_document_optimize(document, NULL, NULL, buffer_sink, &out, &err);
        failed = failed || !done;
        if (done)
            CHECK(out.size == whole.size && memcmp(out.data, whole.data, out.size) == 0);
        else
            CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
        trilo_document_free(document);
        buffer_free(&out);
    }
    CHECK(failed && done);
    buffer_free(&whole);
    buffer_free(&kite);
}

/* Two leaves of the same vertices, four of 16 bytes each with one to fill up. Games change vertices of one object, so
 * each has its own, unless sharing is asked for; the header counts what is stored, which games loop over. */
TEST(objects_share_vertices_only_when_asked)
{
    for (int share = 0; share < 2; share++) {
        const uint32_t stored = share ? 4 : 8;
        frond s;
        tl_arena arena;
        frond_fill(&s);
        s.model.mesh_count = 2;
        frond_result r = frond_encode(&s.model, &(trilo_t3dm_write_opts){.share_vertices = share});
        CHECK(r.ok);
        tl_arena_init(&arena, NULL);
        const t3dm_file *file = read_file(&arena, r.file.data, r.file.size);
        CHECK_INT(file->object_count, 2);
        CHECK_INT(file->vertices.size, stored * 16);
        CHECK_INT(file->objects[0].parts[0].vertex_at == file->objects[1].parts[0].vertex_at, share);
        CHECK_INT(file->header.vertex_total, stored);
        reoptimized again; /* what shares goes on sharing */
        reoptimize("leaves", r.file.data, r.file.size, NULL, &again);
        CHECK_INT(again.after->vertices.size, stored * 16);
        CHECK_INT(again.after->header.vertex_total, stored);
        reoptimized_free(&again);
        reoptimize("leaves", r.file.data, r.file.size, &(trilo_optimize_opts){.share_vertices = true}, &again);
        CHECK_INT(again.after->vertices.size, 4 * 16);
        reoptimized_free(&again);
        tl_arena_free(&arena);
        frond_done(&r, NULL);
    }
}

/* --- what materials show --- */

static uint32_t unused(uint64_t combiner, uint32_t flags, uint8_t effect, uint8_t fog)
{
    t3dm_material m = {.head = {.combiner = combiner, .draw_flags = flags, .vertex_effect = effect, .fog = fog}};
    return tl_t3dm_unused(&m);
}

/* Inputs by the table of the format: (A - B) * C + D for colour and alpha, of two cycles. */
static uint64_t mixed(const unsigned first[8], const unsigned second[8], bool two)
{
    static const unsigned shifts[2][8] = {{52, 28, 47, 15, 44, 12, 41, 9}, {37, 24, 32, 6, 21, 3, 18, 0}};
    uint64_t word = two ? (uint64_t)1 << 63 : 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)first[i] << shifts[0][i] | (uint64_t)second[i] << shifts[1][i];
    return word;
}

TEST(what_a_material_cannot_show)
{
    enum { TEX = TRILO_N64_TEXTURED, SHADED = TRILO_N64_SHADED, UNLIT = TRILO_N64_UNLIT };
    enum { UVS = T3DM_UNUSED_UVS, NORMALS = T3DM_UNUSED_NORMALS, COLORS = T3DM_UNUSED_COLORS };
    /* 1 TEX0, 3 PRIM, 4 SHADE; 8 and 16 and 7 are zero; C 11 is the alpha of the shade */
    static const unsigned texture[8] = {8, 8, 16, 1, 7, 7, 7, 1}, prim[8] = {8, 8, 16, 3, 7, 7, 7, 3};
    static const unsigned shade[8] = {8, 8, 16, 4, 7, 7, 7, 6}, lit[8] = {1, 8, 4, 7, 1, 7, 3, 7};
    static const unsigned shade_alpha[8] = {8, 8, 16, 3, 7, 7, 7, 4}, by_alpha[8] = {3, 8, 11, 7, 7, 7, 7, 6};
    CHECK_INT(unused(mixed(lit, lit, false), TEX | SHADED, 0, 0), 0);
    CHECK_INT(unused(mixed(lit, lit, false), TEX | SHADED | UNLIT, 0, 0), NORMALS);
    CHECK_INT(unused(mixed(shade, shade, false), SHADED, 0, 0), UVS);
    CHECK_INT(unused(mixed(texture, texture, false), TEX, 0, 0), NORMALS | COLORS);
    CHECK_INT(unused(mixed(prim, prim, false), 0, 0, 0), UVS | NORMALS | COLORS);
    /* the shade's alpha alone is still the shade */
    CHECK_INT(unused(mixed(shade_alpha, shade_alpha, false), SHADED, 0, 0), UVS);
    CHECK_INT(unused(mixed(by_alpha, by_alpha, false), SHADED, 0, 0), UVS);
    /* The second half alone selects it: that is the second of two cycles, and what runs when there is one. The first
     * half runs as well, when fog or mipmaps make libdragon's rdpq_mode run two. */
    CHECK_INT(unused(mixed(texture, shade, true), TEX | SHADED, 0, 0), 0);
    CHECK_INT(unused(mixed(texture, shade, false), TEX | SHADED, 0, 0), 0);
    CHECK_INT(unused(mixed(shade, texture, false), TEX | SHADED, 0, 0), 0);
    /* fog makes triangles shaded, but shows neither colour nor light */
    CHECK_INT(unused(mixed(texture, texture, false), TEX | SHADED, 0, 2), NORMALS | COLORS);
    /* spheres take the texture coordinates from the normals */
    CHECK_INT(unused(mixed(texture, texture, false), TEX, 1, 0), UVS | COLORS);
    CHECK_INT(unused(mixed(prim, prim, false), 0, 1, 0), UVS | NORMALS | COLORS);
    /* other effects mix things; without a combiner the game decides */
    for (uint8_t effect = 2; effect <= 5; effect++)
        CHECK_INT(unused(mixed(prim, prim, false), 0, effect, 0), 0);
    CHECK_INT(unused(0, 0, 0, 0), 0);
    CHECK_INT(tl_t3dm_unused(&(t3dm_material){.opaque = true, .head = {.combiner = mixed(prim, prim, false)}}), 0);
    /* the blender may take the alpha of the shade: selector 2 */
    CHECK_INT(
        tl_t3dm_unused(&(t3dm_material){
            .head = {.combiner = mixed(texture, texture, false), .draw_flags = TEX | SHADED, .blender = 2u << 26}}),
        0);
}

/* Every selector of every slot of the combiner, in both halves: SHADE is 4, and 11 in C of the colour. */
TEST(where_the_combiner_takes_the_shade)
{
    static const unsigned widths[8] = {4, 4, 5, 3, 3, 3, 3, 3};
    for (int slot = 0; slot < 8; slot++)
        for (unsigned selector = 0; selector < 1u << widths[slot]; selector++)
            for (int half = 0; half < 2; half++)
                for (int two = 0; two < 2; two++) {
                    unsigned halves[2][8] = {{8, 8, 16, 3, 7, 7, 7, 3}, {8, 8, 16, 3, 7, 7, 7, 3}};
                    halves[half][slot] = selector;
                    const bool shade = selector == 4 || (slot == 2 && selector == 11);
                    CHECK_INT(unused(mixed(halves[0], halves[1], two), TRILO_N64_SHADED, 0, 0),
                              shade ? T3DM_UNUSED_UVS : T3DM_UNUSED_UVS | T3DM_UNUSED_NORMALS | T3DM_UNUSED_COLORS);
                }
}

/* Every selector of every field of the blender, P, A, Q, B, in both passes: the alpha of the shade is 2 of A. */
TEST(where_the_blender_takes_the_shade)
{
    static const unsigned texture[8] = {8, 8, 16, 1, 7, 7, 7, 1};
    static const unsigned shifts[2][4] = {{30, 26, 22, 18}, {28, 24, 20, 16}};
    for (int pass = 0; pass < 2; pass++)
        for (int field = 0; field < 4; field++)
            for (uint32_t selector = 0; selector < 4; selector++) {
                const t3dm_material m = {.head = {.combiner = mixed(texture, texture, false),
                                                  .draw_flags = TRILO_N64_TEXTURED | TRILO_N64_SHADED,
                                                  .blender = selector << shifts[pass][field]}};
                const bool shade = field == 1 && selector == 2;
                CHECK_INT(tl_t3dm_unused(&m), shade ? 0 : T3DM_UNUSED_NORMALS | T3DM_UNUSED_COLORS);
            }
}

TEST(clearing_what_is_not_shown)
{
    for (uint32_t mask = 0; mask < 8; mask++) {
        t3dm_vertex v = {.position = {1, 2, 3}, .normal = 4, .color = {5, 6, 7, 8}, .uv = {9, 10}};
        tl_t3dm_clear_unused(&v, mask);
        for (int k = 0; k < 3; k++)
            CHECK_INT(v.position[k], k + 1);
        CHECK_INT(v.normal, mask & T3DM_UNUSED_NORMALS ? 0 : 4);
        for (int k = 0; k < 4; k++)
            CHECK_INT(v.color[k], mask & T3DM_UNUSED_COLORS ? 255 : 5 + k);
        for (int k = 0; k < 2; k++)
            CHECK_INT(v.uv[k], mask & T3DM_UNUSED_UVS ? 0 : 9 + k);
    }
}

/* --- real ones --- */

static void compare(const char *what, const reoptimized *r, int flags, int after_flags)
{
    t3dm_sim before, after;
    t3dm_sim_run(what, r->before, flags, &before);
    t3dm_sim_run(what, r->after, flags | after_flags, &after);
    if (!t3dm_sim_same(&before, &after))
        FAIL("%s: other triangles", what);
    if (after.work.rsp_bytes > before.work.rsp_bytes)
        FAIL("%s: %llu bytes became %llu", what, (unsigned long long)before.work.rsp_bytes,
             (unsigned long long)after.work.rsp_bytes);
    t3dm_sim_free(&before);
    t3dm_sim_free(&after);
}

static void repack_twins(const trilo_optimize_opts *opts, int flags, int after_flags)
{
    for (int i = 0; i < TWINS; i++) {
        twin_side side;
        reoptimized r;
        char what[128];
        snprintf(what, sizeof what, "%s/%s", twins[i].folder, twins[i].name);
        twin_reference(&twins[i], &side);
        reoptimize(what, side.bytes, side.size, opts, &r);
        check_rest(what, r.before, r.after);
        compare(what, &r, flags, after_flags);
        reoptimized_free(&r);
        twin_close(&side);
    }
}

TEST(real_files_draw_the_same_for_less)
{
    repack_twins(&(trilo_optimize_opts){.level = 1}, 0, 0);
}

/* Level 2 is the default, and finds more than level 1. */
TEST(the_usual_level)
{
    size_t size;
    uint8_t *bytes = test_read_file(test_corpus("t3dm/09_anim_viewer/filesystem/cath.t3dm"), &size);
    CHECK(bytes);
    buffer out[3] = {{0}, {0}, {0}};
    for (uint32_t level = 0; level < 3; level++)
        optimize_file("cath", (trilo_bytes){bytes, size}, &(trilo_optimize_opts){.level = level}, &out[level]);
    CHECK(out[0].size == out[2].size && memcmp(out[0].data, out[2].data, out[0].size) == 0);
    CHECK(out[0].size != out[1].size || memcmp(out[0].data, out[1].data, out[0].size) != 0);
    for (uint32_t level = 0; level < 3; level++)
        buffer_free(&out[level]);
    free(bytes);
}

TEST(real_files_with_resident_vertices)
{
    repack_twins(&(trilo_optimize_opts){.level = 1, .resident = true}, 0, T3DM_SIM_RESIDENT);
}

TEST(real_files_with_shared_repeats)
{
    repack_twins(&(trilo_optimize_opts){.level = 1, .share_repeats = true}, T3DM_SIM_POSITIONS, 0);
}

TEST(real_files_without_what_cannot_be_seen)
{
    repack_twins(&(trilo_optimize_opts){.level = 1, .drop_unused = true}, T3DM_SIM_POSITIONS, 0);
}

TEST(older_versions_stay_what_they_are)
{
    static const char *const names[] = {"box", "cath", "platformer", "snake", "teapot"};
    for (int version = 1; version <= 3; version++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            char path[64];
            size_t size;
            reoptimized r;
            snprintf(path, sizeof path, "t3dm-versions/v%d/%s.t3dm", version, names[i]);
            uint8_t *bytes = test_read_file(test_corpus(path), &size);
            CHECK(bytes);
            reoptimize(path, bytes, size, &(trilo_optimize_opts){.level = 1}, &r);
            check_rest(path, r.before, r.after);
            check_same_triangles(path, &r);
            for (uint32_t k = 0; k < r.after->object_count; k++)
                for (uint32_t p = 0; p < r.after->objects[k].head.part_count; p++)
                    CHECK_INT(r.after->objects[k].parts[p].sequence_count, 0); /* only version 4 knows them */
            reoptimized_free(&r);
            free(bytes);
        }
}

/* Reoptimizing a result changes nothing that would cost more, and the second time hardly anything at all. */
TEST(reoptimizing_twice_is_no_worse)
{
    twin_side side;
    reoptimized once, twice;
    const trilo_optimize_opts opts = {.level = 1};
    twin_reference(&twins[0], &side);
    reoptimize("once", side.bytes, side.size, &opts, &once);
    reoptimize("twice", once.bytes.data, once.bytes.size, &opts, &twice);
    compare("twice", &twice, 0, 0);
    reoptimized_free(&twice);
    reoptimized_free(&once);
    twin_close(&side);
}

TEST_MAIN(CASE(the_usual_level), CASE(a_kite_keeps_all_but_its_parts),
          CASE(a_triangle_that_is_drawn_twice_is_drawn_twice_again), CASE(triangles_without_area_go),
          CASE(a_file_that_the_check_refuses_is_refused), CASE(chunks_behind_the_strings_cannot_be_moved),
          CASE(options_out_of_range_are_misuse), CASE(memory_may_end_anywhere),
          CASE(objects_share_vertices_only_when_asked), CASE(what_a_material_cannot_show),
          CASE(where_the_combiner_takes_the_shade), CASE(where_the_blender_takes_the_shade),
          CASE(clearing_what_is_not_shown), CASE(real_files_draw_the_same_for_less),
          CASE(real_files_with_resident_vertices), CASE(real_files_with_shared_repeats),
          CASE(real_files_without_what_cannot_be_seen), CASE(older_versions_stay_what_they_are),
          CASE(reoptimizing_twice_is_no_worse))

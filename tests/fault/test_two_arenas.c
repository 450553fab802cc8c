/* Decoding and encoding take memory for the result and memory to work with, from two arenas. In
 * tests/fault/test_memory_limit.c the larger of them is always the one that runs out; here it is either, a few bytes
 * later each time, while the other has enough. What is returned then is a failure, or the same as with enough memory.
 */
#include "api/document.h"
#include "base/arena.h"
#include "base/sink.h"
#include "harness.h"
#include "support/documents.h"
#include "support/gltf_files.h"
#include "support/model64_files.h"
#include "support/nlm_files.h"
#include "support/pyrite64_files.h"
#include "support/t3dm_files.h"
#include "trilobite/trilobite.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif

enum {
    ROOM = 1 << 17,
    SECOND_SIZE = 1 << 16 | 16 /* of the second block of the result, by which it is told from blocks to work with */
};

/* The result is made in the same place each time, so that equal results have equal pointers. */
static _Alignas(16) uint8_t place[ROOM];

typedef struct giver {
    bool placed; /* the first block was given */
    bool denied; /* the second block of the result was, once: from then on there is enough again */
} giver;

static void *give(void *user, void *old, size_t old_size, size_t new_size)
{
    giver *g = user;
    (void)old_size;
    if (new_size == 0) {
        if (old != place)
            free(old);
        return NULL;
    }
    if (!g->placed) {
        g->placed = true;
        CHECK(new_size <= ROOM);
        return place;
    }
    if (new_size == SECOND_SIZE && !g->denied) {
        g->denied = true;
        return NULL;
    }
    return malloc(new_size);
}

typedef struct job {
    const trilo_document *document;
    const tl_format *encoder; /* NULL: decodes the document */
    const trilo_model *model;
    bool loses_texts; /* without memory for a name, it goes on with none: its caller looks at the arena */
    buffer whole;     /* the result with enough memory */
} job;

/* The result: the memory of the model, or the bytes of the file. */
static bool run_in(const job *j, tl_arena *arena, buffer *out, trilo_error *err)
{
    trilo_model model = {0};
    if (!j->encoder) {
        const size_t before = arena->used;
        const bool ok = j->document->format->decode(j->document->file, arena, &model, err);
        ASAN_UNPOISON_MEMORY_REGION(place, sizeof place); /* also what lies between the arrays */
        if (ok)
            buffer_sink(out, place + before, arena->used - before);
        return ok;
    }
    tl_report losses = {0};
    const trilo_write_opts opts = {.name = "a.x",
                                   .companion = discard_companion,
                                   .nlm = &(trilo_nlm_write_opts){0},
                                   .model64 = &(trilo_model64_write_opts){0},
                                   .t3dm = &(trilo_t3dm_write_opts){0},
                                   .gltf = &(trilo_gltf_write_opts){0}};
    const void *file = j->encoder->encode(j->model, &opts, arena, &losses, err);
    if (file)
        j->encoder->write(file, &(tl_sink){.fn = buffer_sink, .user = out});
    return file != NULL;
}

/* `result` bytes for the result, `work` to work with. */
static bool run(const job *j, size_t result, size_t work, buffer *out)
{
    giver g = {0};
    trilo_error err = {0};
    tl_arena arena;
    memset(place, 0, sizeof place);
    tl_arena_init(&arena, &(trilo_memory){give, &g, 0});
    CHECK(tl_arena_reserve(&arena, ROOM - 256));
    arena.room = arena.used + result < arena.room ? arena.used + result : arena.room;
    arena.ready = arena.room;
    arena.left = work;
    arena.next_block = SECOND_SIZE;
    bool ok = run_in(j, &arena, out, &err);
    if (ok && arena.failed && j->loses_texts)
        err.code = TRILO_CODE_NO_MEMORY, ok = false;
    CHECK(ok ? !g.denied : err.code == TRILO_CODE_NO_MEMORY);
    tl_arena_free(&arena);
    return ok;
}

static bool succeeds(const job *j, size_t result, size_t work)
{
    buffer out = {0};
    const bool ok = run(j, result, work, &out);
    if (ok && (out.size != j->whole.size || memcmp(out.data, j->whole.data, out.size) != 0))
        FAIL("%zu and %zu bytes were not enough, but it says they were", result, work);
    buffer_free(&out);
    return ok;
}

static void starve_both(job *j)
{
    const size_t step = TEST_SLOW ? 160 : 16;
    size_t work = 1, result = 0;
    CHECK(run(j, ROOM, (size_t)1 << 24, &j->whole));
    CHECK(succeeds(j, ROOM, 0) == succeeds(j, ROOM, 1)); /* nothing left is not the default limit */
    while (!succeeds(j, ROOM, work))
        work += step;
    while (!succeeds(j, result, (size_t)1 << 24))
        result += step;
    CHECK(result > 0);
    buffer_free(&j->whole);
}

static void starve_beside(buffer *file, buffer *stream, bool encode)
{
    trilo_error err = {0};
    const trilo_load_opts opts = {
        .name = "kite.t3dm", .companion = stream ? t3dm_kite_companion : NULL, .companion_user = stream};
    trilo_document *document = trilo_document_open(file->data, file->size, &opts, &err);
    if (!document)
        FAIL("%s: %s", err.rule, err.text);
    job j = {.document = document, .loses_texts = !encode && document->format->info.format == TRILO_FORMAT_T3DM};
    if (encode)
        j.encoder = document->format, j.model = trilo_document_model(document, &err);
    CHECK(!encode || j.model);
    starve_both(&j);
    trilo_model_free(j.model);
    trilo_document_free(document);
    buffer_free(file);
}

static void starve_file(buffer *file, bool encode)
{
    starve_beside(file, NULL, encode);
}

TEST(decoding_nlm)
{
    buffer square = {0}, stick = {0};
    nlm_square(&square);
    nlm_stick(&stick);
    starve_file(&square, false);
    starve_file(&stick, false);
}

TEST(decoding_model64)
{
    buffer box = {0}, pennant = {0};
    model64_box(&box);
    model64_pennant(&pennant);
    starve_file(&box, false);
    starve_file(&pennant, false);
}

TEST(decoding_gltf)
{
    buffer band = {0}, garden = {0};
    gltf_band(&band, NULL, NULL);
    gltf_garden(&garden);
    starve_file(&band, false);
    starve_file(&garden, false);
}

TEST(encoding_nlm)
{
    buffer square = {0}, stick = {0};
    nlm_square(&square);
    nlm_stick(&stick);
    starve_file(&square, true);
    starve_file(&stick, true);
}

TEST(encoding_model64)
{
    buffer box = {0}, pennant = {0};
    model64_box(&box);
    model64_pennant(&pennant);
    starve_file(&box, true);
    starve_file(&pennant, true);
}

TEST(encoding_gltf)
{
    buffer band = {0}, garden = {0};
    gltf_band(&band, NULL, NULL);
    gltf_garden(&garden);
    starve_file(&band, true);
    starve_file(&garden, true);
}

static void starve_kites(bool encode)
{
    t3dm_places places;
    buffer kite = {0}, material = {0}, with_material = {0}, stream = {0};
    t3dm_kite(&kite, 4, &places);
    t3dm_kite_stream(&stream);
    pyrite64_all(&material);
    pyrite64_kite(&with_material, &(pyrite64_chunk){'m', material.data, material.size}, 1);
    starve_beside(&kite, &stream, encode);
    starve_beside(&with_material, &stream, encode);
    buffer_free(&material);
    buffer_free(&stream);
}

TEST(decoding_t3dm)
{
    starve_kites(false);
}

TEST(encoding_t3dm)
{
    starve_kites(true);
}

TEST_MAIN(CASE(decoding_nlm), CASE(decoding_model64), CASE(decoding_gltf), CASE(encoding_nlm), CASE(encoding_model64),
          CASE(encoding_gltf), CASE(decoding_t3dm), CASE(encoding_t3dm))

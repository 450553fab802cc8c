/* The mutators of the fuzz targets: what they make is mostly still a file of its format. */
#include "base/bytes.h"
#include "base/json.h"
#include "harness.h"
#include "support/gltf_files.h"
#include "support/mutate.h"
#include "support/t3dm_files.h"

#include <string.h>

enum { ROOM = 8192, ROUNDS = 2000 };

static bool is_json(const uint8_t *bytes, size_t size)
{
    static const trilo_rule rule = {.name = "JSON"};
    tl_arena arena;
    trilo_error err = {0};
    tl_arena_init(&arena, NULL);
    const bool ok = tl_json_read(&arena, (trilo_bytes){bytes, size}, NULL, &rule, 0, &err) != NULL;
    tl_arena_free(&arena);
    return ok;
}

TEST(a_changed_glb_is_a_glb)
{
    buffer bin = {0}, file = {0};
    gltf_band_bytes(&bin);
    gltf_glb(&file, gltf_band_text, (trilo_bytes){bin.data, bin.size});
    uint32_t json = 0, changed = 0;
    for (uint32_t seed = 0; seed < ROUNDS; seed++) {
        uint8_t bytes[ROOM];
        memcpy(bytes, file.data, file.size);
        const size_t size = mutate_gltf(bytes, file.size, ROOM, seed);
        CHECK(size > 0 && size <= ROOM);
        CHECK_INT(tl_get_u32(bytes + 8, TL_LITTLE), size);
        const uint32_t length = tl_get_u32(bytes + 12, TL_LITTLE);
        CHECK_INT(length % 4, 0);
        CHECK_INT(size - 20 - length, file.size - 20 - tl_get_u32(file.data + 12, TL_LITTLE));
        json += is_json(bytes + 20, length) ? 1 : 0;
        changed += size != file.size || memcmp(bytes, file.data, size) != 0 ? 1 : 0;
    }
    /* Others have a key twice, which is no JSON for us. */
    CHECK(json > ROUNDS * 8 / 10 && json < ROUNDS);
    CHECK(changed > ROUNDS * 9 / 10);
    buffer_free(&bin);
    buffer_free(&file);
}

TEST(what_follows_a_text_is_kept)
{
    for (uint32_t seed = 0; seed < ROUNDS; seed++) {
        uint8_t bytes[256] = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0,\"name\":\"a\"}]}tail";
        const size_t before = strlen((char *)bytes), size = mutate_gltf(bytes, before, sizeof bytes, seed);
        CHECK(size > 4 && size <= sizeof bytes);
        CHECK(memcmp(bytes + size - 4, "tail", 4) == 0);
    }
}

TEST(there_is_never_more_than_the_room)
{
    buffer file = {0};
    t3dm_places places;
    t3dm_kite(&file, 4, &places);
    for (uint32_t seed = 0; seed < ROUNDS; seed++) {
        uint8_t bytes[ROOM];
        memcpy(bytes, file.data, file.size);
        CHECK(mutate_t3dm(bytes, file.size, file.size + seed % 16, seed) <= file.size + seed % 16);
        memcpy(bytes, "[[0]]", 5);
        CHECK(mutate_gltf(bytes, 5, 5 + seed % 4, seed) <= 5 + seed % 4);
    }
    buffer_free(&file);
}

/* Fields of every record are reached, and the file is still taken for a T3DM file. */
TEST(every_record_of_a_t3dm_file_is_reached)
{
    buffer file = {0};
    t3dm_places places;
    t3dm_kite(&file, 4, &places);
    const size_t records[] = {0,           places.table,    places.object,   places.parts,   places.animation,
                              places.bvh,  places.vertices, places.material, places.texture, places.skeleton,
                              places.bones};
    bool reached[sizeof records / sizeof *records] = {false};
    uint32_t repeated = 0;
    for (uint32_t seed = 0; seed < ROUNDS; seed++) {
        uint8_t bytes[ROOM];
        memcpy(bytes, file.data, file.size);
        const size_t size = mutate_t3dm(bytes, file.size, ROOM, seed);
        CHECK(size >= file.size);
        repeated += size > file.size ? 1 : 0;
        for (size_t i = 0; size == file.size && i < sizeof records / sizeof *records; i++)
            reached[i] |= memcmp(bytes + records[i], file.data + records[i], 16) != 0;
    }
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        if (!reached[i])
            FAIL("the record at %zu is never changed", records[i]);
    CHECK(repeated > ROUNDS / 20);
    buffer_free(&file);
}

TEST_MAIN(CASE(a_changed_glb_is_a_glb), CASE(what_follows_a_text_is_kept), CASE(there_is_never_more_than_the_room),
          CASE(every_record_of_a_t3dm_file_is_reached))

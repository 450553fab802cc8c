/* Streams that we write, of random clips: a player that reads them forwards never lacks a key. */
#include "harness.h"
#include "support/buffer.h"
#include "support/console.h"
#include "trilobite/player.h"
#include "trilobite/write.h"

#include <math.h>
#include <string.h>

static uint32_t random_below(uint32_t *state, uint32_t limit)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(*state >> 8) * limit) >> 24);
}

static bool same_parts(const trilo_transform *a, const trilo_transform *b, uint32_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

enum { BONES = 5, KEYS = 40 };

/* Any channels, any keys: some a tick apart, some far apart, of whole parts. */
typedef struct random_clip {
    trilo_node nodes[BONES];
    trilo_channel channels[3 * BONES];
    double times[3 * BONES][KEYS];
    float values[3 * BONES][KEYS][4];
    float corners[3][3];
    trilo_clip clip;
    trilo_mesh mesh;
    trilo_model model;
} random_clip;

static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

static float random_number(uint32_t *state)
{
    return (float)random_below(state, 2001) / 1000.0f - 1;
}

static void random_keys(random_clip *r, uint32_t channel, uint32_t *state)
{
    trilo_channel *c = &r->channels[channel];
    uint32_t tick = 0;
    c->key_count = 2 + random_below(state, KEYS - 2);
    for (uint32_t k = 0; k < c->key_count; k++) {
        float *v = r->values[channel][k], length = 0;
        r->times[channel][k] = tick / 60.0;
        tick += 1 + (random_below(state, 4) == 0 ? random_below(state, 90) : random_below(state, 4));
        for (int i = 0; i < 4; i++)
            v[i] = random_number(state), length += v[i] * v[i];
        for (int i = 0; i < 4 && c->target == TRILO_TARGET_ROTATION; i++)
            v[i] = length > 0.01f ? v[i] / sqrtf(length) : i == 3 ? 1 : 0;
    }
    if (c->target != TRILO_TARGET_ROTATION) /* three numbers a key, one behind the other */
        for (uint32_t k = 0; k < c->key_count; k++)
            memmove((float *)r->values[channel] + 3 * (size_t)k, r->values[channel][k], 3 * sizeof(float));
    c->times = r->times[channel];
    c->values = r->values[channel][0];
}

static void random_model(random_clip *r, uint32_t *state)
{
    memset(r, 0, sizeof *r);
    for (uint32_t i = 0; i < BONES; i++) {
        r->nodes[i] = (trilo_node){.name = {"bone", 4}, .parent = i > 0 ? i - 1 : TRILO_NONE, .local = identity};
        r->nodes[i].rotation.w = r->nodes[i].scale.x = r->nodes[i].scale.y = r->nodes[i].scale.z = 1;
        for (int part = 0; part < 3; part++) {
            if (random_below(state, 3) == 0)
                continue;
            r->channels[r->clip.channel_count] = (trilo_channel){.node = i, .target = (trilo_target)part};
            random_keys(r, r->clip.channel_count, state);
            const trilo_channel *c = &r->channels[r->clip.channel_count++];
            const double end = c->times[c->key_count - 1];
            r->clip.duration = end > r->clip.duration ? end : r->clip.duration;
        }
    }
    r->corners[1][0] = r->corners[2][1] = 1;
    static const uint32_t indices[3] = {0, 1, 2};
    r->mesh = (trilo_mesh){.name = {"leaf", 4}, .material = TRILO_NONE, .node = 0, .skin = TRILO_NONE};
    r->mesh.vertex_count = r->mesh.index_count = 3;
    r->mesh.positions = (const float(*)[3])r->corners;
    r->mesh.indices = indices;
    r->clip.name = (trilo_str){"any", 3};
    r->clip.channels = r->channels;
    r->model = (trilo_model){.mesh_count = 1, .meshes = &r->mesh, .node_count = BONES, .nodes = r->nodes};
    r->model.clip_count = 1;
    r->model.clips = &r->clip;
}

static bool keep_companion(void *user, const char *name, trilo_bytes bytes)
{
    (void)name;
    return buffer_sink(user, bytes.data, bytes.size);
}

static bool give_companion(void *user, const char *name, trilo_bytes *bytes)
{
    const buffer *b = user;
    (void)name;
    *bytes = (trilo_bytes){b->data, b->size};
    return b->size > 0;
}

/* Both players at random steps, forwards and round: the reader never lacks a key, and never has one too early, or its
 * pose would be another one. */
static void play_random(const trilo_document *document, const trilo_model *model, uint32_t *state)
{
    trilo_stream *stream = trilo_document_stream(document, 0, NULL, NULL);
    trilo_player *memory = trilo_player_new(model, NULL, NULL), *reader = trilo_player_new(model, NULL, NULL);
    CHECK(stream && memory && reader);
    CHECK(trilo_player_play(memory, 0, 0, NULL) && trilo_player_play_stream(reader, 0, stream, NULL));
    for (int i = 0; i < 400; i++) {
        const double step = (1 + random_below(state, 30)) / 240.0;
        trilo_player_advance(memory, step);
        trilo_player_advance(reader, step);
        CHECK(same_parts(trilo_player_transforms(memory), trilo_player_transforms(reader), model->node_count));
    }
    CHECK(trilo_stream_ok(stream));
    trilo_player_free(memory);
    trilo_player_free(reader);
    trilo_stream_free(stream);
}

/* Counted in whole ticks, byte by byte: whenever a channel is served, what was read ends behind the moment, or there is
 * nothing left to read; and of no channel more was read than the moment needs. */
static void walk_ticks(const buffer *file, const buffer *keys)
{
    static console c;
    uint32_t start[CONSOLE_CHANNELS] = {0}, end[CONSOLE_CHANNELS] = {0}, last = 0;
    size_t at = 0, size = 8;
    CHECK(console_open(&c, file->data, 0, keys->data, keys->size));
    for (uint32_t tick = 0; tick <= last; tick++)
        for (uint32_t i = 0; i < c.channel_count; i++) {
            while (tick >= end[i] && at + size <= keys->size) {
                const uint8_t *key = keys->data + at;
                const uint32_t word = (uint32_t)key[0] << 8 | key[1], channel = (uint32_t)key[2] << 8 | key[3];
                CHECK(channel < c.channel_count);
                start[channel] = end[channel];
                end[channel] += word & 0x7FFF;
                last = end[channel] > last ? end[channel] : last;
                at += size;
                size = word & 0x8000 ? 8 : 6;
            }
            CHECK(start[i] <= tick);
            CHECK(end[i] > tick || at == keys->size);
        }
    CHECK_INT(at, keys->size);
}

TEST(streams_that_were_written_can_be_read_forwards)
{
    static random_clip r;
    uint32_t state = 7, played = 0;
    for (int round = 0; round < 60; round++) {
        buffer file = {0}, keys = {0};
        random_model(&r, &state);
        if (r.clip.channel_count == 0)
            continue;
        const trilo_write_opts to = {
            .format = TRILO_FORMAT_T3DM, .name = "any.t3dm", .companion = keep_companion, .companion_user = &keys};
        CHECK(trilo_model_write(&r.model, &to, buffer_sink, &file, NULL));
        const trilo_load_opts from = {.companion = give_companion, .companion_user = &keys, .name = "any.t3dm"};
        trilo_document *document = trilo_document_open(file.data, file.size, &from, NULL);
        const trilo_model *model = document ? trilo_document_model(document, NULL) : NULL;
        CHECK(model != NULL && model->clip_count == 1);
        CHECK_INT(trilo_document_check(document, NULL, NULL).errors, 0);
        walk_ticks(&file, &keys);
        play_random(document, model, &state);
        trilo_model_free(model);
        trilo_document_free(document);
        buffer_free(&file);
        buffer_free(&keys);
        played++;
    }
    CHECK(played > 50);
}

TEST_MAIN(CASE(streams_that_were_written_can_be_read_forwards))

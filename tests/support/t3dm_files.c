#include "support/t3dm_files.h"

#include <string.h>

static void put8(buffer *b, uint32_t v)
{
    const uint8_t byte = (uint8_t)v;
    buffer_sink(b, &byte, 1);
}

static void put16(buffer *b, uint32_t v)
{
    put8(b, v >> 8);
    put8(b, v & 0xFF);
}

static void put32(buffer *b, uint32_t v)
{
    put16(b, v >> 16);
    put16(b, v & 0xFFFF);
}

static void put_float(buffer *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put32(b, bits);
}

static void put_floats(buffer *b, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_float(b, values[i]);
}

static void pad(buffer *b, size_t to)
{
    while (b->size % to != 0)
        put8(b, 0);
}

static void set32(buffer *b, size_t at, uint32_t v)
{
    for (size_t i = 0; i < 4; i++)
        b->data[at + i] = (uint8_t)(v >> (24 - 8 * i));
}

/* Offsets in the string table. */
enum { HIP = 1, KNEE = 5, PAINT = 10, PATH = 16, KITE = 32, KICK = 37, STREAM = 42 };
static const char strings[] = "Ship\0knee\0paint\0rom:/dot.sprite\0kite\0kick\0rom:/kite.0.sdata";

static void put_part(buffer *b, uint32_t version, const uint32_t head[6], const uint8_t strips[4], uint32_t seq_base,
                     uint32_t seq_count)
{
    put32(b, head[0]); /* vertices */
    put16(b, head[1]);
    put16(b, head[2]);
    put32(b, head[3]); /* indices */
    put16(b, head[4]);
    put16(b, head[5]); /* bone */
    for (int i = 0; i < 4; i++)
        put8(b, strips[i]);
    if (version >= 4) {
        put8(b, seq_base);
        put8(b, seq_count);
        put16(b, 0);
    }
}

static void put_box(buffer *b)
{
    put16(b, 0), put16(b, 0), put16(b, (uint32_t)-7);
    put16(b, 70), put16(b, 7), put16(b, 0);
}

static void put_object(buffer *b, uint32_t version, t3dm_places *at)
{
    const bool sequence = version >= 4;
    at->object = b->size;
    put32(b, KITE);
    put16(b, 2);
    put16(b, 6);
    put32(b, 0); /* material */
    put32(b, 0);
    put32(b, 0);
    put_box(b);
    at->parts = b->size;
    /* The list takes 3 or 6 bytes, the strip of 7 starts at the next multiple of 8. */
    put_part(b, version, (const uint32_t[]){0, 6, 0, 0, sequence ? 3 : 6, 0xFFFF}, (const uint8_t[]){7, 0, 0, 0},
             sequence ? 3 : 0, sequence ? 1 : 0);
    put_part(b, version, (const uint32_t[]){96, 2, 6, 24, 3, 1}, (const uint8_t[]){0, 0, 0, 0}, 0, 0);
}

static void put_animation(buffer *b, t3dm_places *at)
{
    at->animation = b->size;
    put32(b, KICK);
    put_float(b, 1);
    put32(b, 4);
    put16(b, 1);
    put16(b, 1);
    put32(b, STREAM);
    put16(b, 1), put8(b, 3), put8(b, 0), put_float(b, 0), put_float(b, 0);
    put16(b, 1), put8(b, 0), put8(b, 0), put_float(b, 50.0f / 65535), put_float(b, 0);
}

static void put_bvh(buffer *b, t3dm_places *at)
{
    pad(b, 8);
    at->bvh = b->size;
    put16(b, 1);
    put16(b, 1);
    put_box(b);
    put16(b, 1); /* one item, from 0 on */
    put16(b, 0);
}

/* Two vertices, interleaved. Normal: straight up the y axis. */
static void put_pair(buffer *b, uint32_t i)
{
    for (uint32_t k = i; k < i + 2; k++)
        put16(b, 10 * k), put16(b, k), put16(b, (uint32_t) - (int)k), put16(b, 0x03E0);
    for (uint32_t k = i; k < i + 2; k++)
        put8(b, k), put8(b, 2 * k), put8(b, 3 * k), put8(b, 255);
    for (uint32_t k = i; k < i + 2; k++)
        put16(b, 32 * k), put16(b, 64 * k);
}

static void put_indices(buffer *b, uint32_t version, t3dm_places *at)
{
    static const uint8_t list[6] = {0, 1, 2, 3, 4, 5}, last[3] = {0, 6, 7};
    pad(b, 16);
    at->indices = b->size;
    buffer_sink(b, list, version >= 4 ? 3 : 6);
    pad(b, 8);
    at->strip = b->size;
    static const uint16_t slots[7] = {0, 1, 2, 3, 5, 4, 3};
    for (int i = 0; i < 7; i++)
        put16(b, i != 4 ? slots[i] : version >= 3 ? slots[i] | 0x8000u : 0xFFFFu - slots[i]);
    pad(b, 8);
    buffer_sink(b, last, 3);
}

static void put_texture(buffer *b, uint32_t path, uint32_t hash, uint32_t w, uint32_t h)
{
    put32(b, 0);
    put32(b, path);
    put32(b, hash);
    put32(b, 0);
    put16(b, w);
    put16(b, h);
    for (uint32_t side = w, i = 0; i < 2; i++, side = h) {
        put_float(b, 0);
        put_float(b, side ? (float)(side - 1) : 0);
        put8(b, side == 32 ? 5 : side == 16 ? 4 : 0), put8(b, 0xFF), put8(b, 0), put8(b, 1);
    }
}

/* ror 8, xor byte: worked out here once more, apart from the library. */
static uint32_t hash_of(const char *text)
{
    uint32_t hash = 0x7E81C0E9u;
    for (; *text; text++)
        hash = ((hash & 0xFF) << 24 | hash >> 8) ^ (uint32_t)(unsigned char)*text;
    return hash;
}

static void put_material(buffer *b, t3dm_places *at)
{
    pad(b, 8);
    at->material = b->size;
    put32(b, 0x00127E24), put32(b, 0x88FFFDFE); /* TEX0 * SHADE, alpha 1 */
    put32(b, 0), put32(b, 0);                   /* point sampling */
    put32(b, 0x00003000), put32(b, 0x00000001);
    put32(b, 0);
    put32(b, 1 | 2 | 4 | 0x10);
    put8(b, 0), put8(b, 1), put8(b, 1), put8(b, 0);
    put32(b, 0x10203040), put32(b, 0), put32(b, 0);
    put32(b, PAINT);
    at->texture = b->size;
    put_texture(b, PATH, hash_of("rom:/dot.sprite"), 32, 16);
    put_texture(b, 0, 0, 0, 0);
}

static void put_bone(buffer *b, uint32_t name, uint32_t parent, uint32_t depth, float y)
{
    static const float rest[7] = {1, 1, 1, 0, 0, 0, 1};
    put32(b, name);
    put16(b, parent);
    put16(b, depth);
    put_floats(b, rest, 7);
    put_floats(b, (const float[]){0, y, 0}, 3);
}

static void put_skeleton(buffer *b, t3dm_places *at)
{
    pad(b, 8);
    at->skeleton = b->size;
    put16(b, 2);
    put16(b, 0);
    at->bones = b->size;
    put_bone(b, HIP, 0xFFFF, 0, 0);
    put_bone(b, KNEE, 0, 1, 100);
}

static void put_header(buffer *b, uint32_t version)
{
    buffer_sink(b, "T3M", 3);
    put8(b, version);
    put32(b, 8);
    put16(b, 8);
    put16(b, version >= 4 ? 6 : 9);
    put32(b, 3), put32(b, 4), put32(b, 5);
    put32(b, 0);
    if (version >= 2)
        put32(b, 0);
    put_box(b);
}

void t3dm_kite(buffer *out, uint32_t version, t3dm_places *at)
{
    static const char types[] = "OABVIMSX";
    put_header(out, version);
    at->table = out->size;
    for (int i = 0; i < 8; i++)
        put32(out, 0);
    pad(out, 8);
    put_object(out, version, at);
    put_animation(out, at);
    put_bvh(out, at);
    pad(out, 16);
    at->vertices = out->size;
    for (uint32_t i = 0; i < 8; i += 2)
        put_pair(out, i);
    put_indices(out, version, at);
    put_material(out, at);
    put_skeleton(out, at);
    pad(out, 8);
    at->custom = out->size;
    buffer_sink(out, "mine", 4);
    at->strings = out->size;
    buffer_sink(out, strings, sizeof strings);
    const size_t places[8] = {at->object,  at->animation, at->bvh,      at->vertices,
                              at->indices, at->material,  at->skeleton, at->custom};
    for (size_t i = 0; i < 8; i++)
        set32(out, at->table + 4 * i, (uint32_t)(unsigned char)types[i] << 24 | (uint32_t)places[i]);
    set32(out, 0x18, (uint32_t)at->strings);
}

/* 90 degrees about z: z = w = 0.70710678. The largest is the first of equals, z (2); then follow w, x, y:
 * w is 0.70710678, all ones; x and y are 0, (0.70710678 / 1.41421356) * 1023 = 511.5, which rounds to 512. */
void t3dm_kite_stream(buffer *out)
{
    const uint32_t none = 3u << 30 | 512u << 20 | 512u << 10 | 512u; /* w is largest, x, y and z are 0 */
    const uint32_t quarter = 2u << 30 | 1023u << 20 | 512u << 10 | 512u;
    put16(out, 0), put16(out, 0), put32(out, none);     /* rotation at 0; a scalar follows: 6 bytes */
    put16(out, 0x8000), put16(out, 1), put16(out, 0);   /* scalar at 0; a rotation follows: 8 bytes */
    put16(out, 60), put16(out, 0), put32(out, quarter); /* rotation at 1 s */
    put16(out, 60), put16(out, 1), put16(out, 65535);   /* scalar at 1 s */
}

bool t3dm_kite_companion(void *user, const char *name, trilo_bytes *bytes)
{
    const buffer *stream = user;
    *bytes = (trilo_bytes){stream->data, stream->size};
    return strcmp(name, "kite.0.sdata") == 0;
}

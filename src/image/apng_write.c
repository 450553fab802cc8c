/* Moving PNG: a PNG of the first frame, which programs that know no more show, and the others in chunks of their own.
 * Each frame is written as a PNG into memory, and its packed pixels are taken from there. */
#include "base/array.h"
#include "base/bytes.h"
#include "image/image.h"

enum { PNG_MAGIC = 8, CHUNK_HEAD = 8, CHUNK_CRC = 4, CONTROL = 26, THOUSAND = 1000 };

typedef struct apng_buffer {
    tl_arena *arena;
    uint8_t *bytes;
    size_t size, capacity;
} apng_buffer;

static bool apng_buffer_write(void *user, const void *bytes, size_t size)
{
    apng_buffer *file = user;
    uint8_t *grown = tl_array_grow(file->arena, file->bytes, file->size, &file->capacity, size, 1);
    if (!grown)
        return false;
    file->bytes = grown;
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
    return true;
}

static void put_u32(tl_sink *sink, uint32_t value)
{
    uint8_t bytes[4];
    tl_put_u32(bytes, TL_BIG, value);
    tl_sink_put(sink, bytes, sizeof bytes);
}

static void put_chunk(tl_sink *sink, const char *name, const uint8_t *bytes, uint32_t size)
{
    put_u32(sink, size);
    tl_sink_put(sink, name, 4);
    tl_sink_put(sink, bytes, size);
    put_u32(sink, tl_crc32(tl_crc32(0, name, 4), bytes, size));
}

static void put_animation(tl_picture *picture)
{
    uint8_t bytes[8] = {0}; /* the second number: for ever */
    tl_put_u32(bytes, TL_BIG, picture->frame_count);
    put_chunk(&picture->sink, "acTL", bytes, sizeof bytes);
}

/* How long it stays: a fraction of 16 bits. */
static uint16_t thousandths(double frame_rate)
{
    const double time = THOUSAND / frame_rate + 0.5;
    return (uint16_t)(time < 1 ? 1 : time > UINT16_MAX ? UINT16_MAX : time);
}

static void put_control(tl_picture *picture, uint32_t sequence)
{
    uint8_t bytes[CONTROL] = {0}; /* at 0, 0; it replaces what is there */
    tl_put_u32(bytes, TL_BIG, sequence);
    tl_put_u32(bytes + 4, TL_BIG, picture->width);
    tl_put_u32(bytes + 8, TL_BIG, picture->height);
    tl_put_u16(bytes + 20, TL_BIG, thousandths(picture->frame_rate));
    tl_put_u16(bytes + 22, TL_BIG, THOUSAND);
    put_chunk(&picture->sink, "fcTL", bytes, sizeof bytes);
}

/* An IDAT chunk as a later frame has it: with a number of its own in front. */
static void put_later(tl_sink *sink, uint32_t sequence, const uint8_t *bytes, uint32_t size)
{
    uint8_t number[4];
    tl_put_u32(number, TL_BIG, sequence);
    put_u32(sink, size + 4);
    tl_sink_put(sink, "fdAT", 4);
    tl_sink_put(sink, number, sizeof number);
    tl_sink_put(sink, bytes, size);
    put_u32(sink, tl_crc32(tl_crc32(tl_crc32(0, "fdAT", 4), number, sizeof number), bytes, size));
}

/* The chunks of one frame's PNG, which is our own and whole. */
static void put_frame(tl_picture *picture, const apng_buffer *file, uint32_t index, uint32_t *sequence)
{
    if (index == 0)
        tl_sink_put(&picture->sink, file->bytes, PNG_MAGIC);
    bool controlled = false;
    for (size_t at = PNG_MAGIC; at + CHUNK_HEAD + CHUNK_CRC <= file->size;) {
        const uint32_t size = tl_get_u32be(file->bytes + at);
        const uint8_t *name = file->bytes + at + 4, *content = name + 4;
        const bool data = memcmp(name, "IDAT", 4) == 0, head = memcmp(name, "IHDR", 4) == 0;
        if (data && !controlled)
            put_control(picture, (*sequence)++);
        controlled |= data;
        if (index == 0 && (head || data))
            put_chunk(&picture->sink, head ? "IHDR" : "IDAT", content, size);
        else if (data)
            put_later(&picture->sink, (*sequence)++, content, size);
        if (index == 0 && head)
            put_animation(picture);
        at += CHUNK_HEAD + (size_t)size + CHUNK_CRC;
    }
}

static bool write_frame(tl_picture *picture, uint32_t index, uint32_t *sequence)
{
    trilo_image frame;
    if (!tl_picture_frame(picture, index, &frame))
        return false;
    tl_arena arena;
    tl_arena_init(&arena, &picture->opts->memory);
    apng_buffer file = {.arena = &arena};
    tl_sink sink = {.fn = apng_buffer_write, .user = &file};
    bool ok = tl_png_write(&frame, &picture->opts->memory, &sink, picture->err);
    if (ok && sink.refused)
        ok = tl_fail_memory(picture->err);
    if (ok)
        put_frame(picture, &file, index, sequence);
    tl_arena_free(&arena);
    return ok;
}

bool tl_apng_write(tl_picture *picture)
{
    uint32_t sequence = 0;
    for (uint32_t i = 0; i < picture->frame_count && !picture->sink.refused; i++)
        if (!write_frame(picture, i, &sequence))
            return false;
    put_chunk(&picture->sink, "IEND", NULL, 0);
    return true;
}

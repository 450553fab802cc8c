/* Animated PNG: a PNG of the first frame, which every PNG viewer shows, and the other frames in chunks of their own.
 * Each frame is written as a PNG to memory, and its compressed pixels are copied from there. */
#include "base/array.h"
#include "base/bytes.h"
#include "base/strict_float.h"
#include "image/image.h"

enum { APNG_MAGIC = 8, APNG_CHUNK_HEAD = 8, APNG_CHUNK_CRC = 4, APNG_CONTROL = 26, APNG_MILLISECONDS = 1000 };

typedef struct apng_file {
    tl_arena *arena;
    uint8_t *bytes;
    size_t size, capacity;
} apng_file;

static bool apng_keep(void *user, const void *bytes, size_t size)
{
    apng_file *file = user;
    uint8_t *grown = tl_array_grow(file->arena, file->bytes, file->size, &file->capacity, size, 1);
    if (!grown)
        return false;
    file->bytes = grown;
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
    return true;
}

static void apng_put_u32(tl_sink *sink, uint32_t value)
{
    uint8_t bytes[4];
    tl_put_u32(bytes, TL_BIG, value);
    tl_sink_put(sink, bytes, sizeof bytes);
}

static void apng_put_chunk(tl_sink *sink, const char *name, const uint8_t *bytes, uint32_t size)
{
    apng_put_u32(sink, size);
    tl_sink_put(sink, name, 4);
    tl_sink_put(sink, bytes, size);
    apng_put_u32(sink, tl_crc32(tl_crc32(0, name, 4), bytes, size));
}

/* The size, offset and delay of a frame. It is at 0, 0 and replaces the previous one. */
static void apng_put_control(tl_image_writer *writer, uint32_t sequence)
{
    uint8_t bytes[APNG_CONTROL] = {0};
    const double delay = APNG_MILLISECONDS / writer->frame_rate + 0.5;
    tl_put_u32(bytes, TL_BIG, sequence);
    tl_put_u32(bytes + 4, TL_BIG, writer->width);
    tl_put_u32(bytes + 8, TL_BIG, writer->height);
    tl_put_u16(bytes + 20, TL_BIG, (uint16_t)(delay < 1 ? 1 : delay > UINT16_MAX ? UINT16_MAX : delay));
    tl_put_u16(bytes + 22, TL_BIG, APNG_MILLISECONDS);
    apng_put_chunk(&writer->sink, "fcTL", bytes, sizeof bytes);
}

/* The pixels of a later frame: an IDAT chunk preceded by a sequence number. */
static void apng_put_frame_data(tl_sink *sink, uint32_t sequence, const uint8_t *bytes, uint32_t size)
{
    uint8_t number[4];
    tl_put_u32(number, TL_BIG, sequence);
    apng_put_u32(sink, size + 4);
    tl_sink_put(sink, "fdAT", 4);
    tl_sink_put(sink, number, sizeof number);
    tl_sink_put(sink, bytes, size);
    apng_put_u32(sink, tl_crc32(tl_crc32(tl_crc32(0, "fdAT", 4), number, sizeof number), bytes, size));
}

/* Copies the chunks of a frame from its PNG, which tl_png_write has made. */
static void apng_put_frame(tl_image_writer *writer, const apng_file *file, uint32_t index, uint32_t *sequence)
{
    if (index == 0)
        tl_sink_put(&writer->sink, file->bytes, APNG_MAGIC);
    bool controlled = false;
    for (size_t at = APNG_MAGIC; at + APNG_CHUNK_HEAD + APNG_CHUNK_CRC <= file->size;) {
        const uint32_t size = tl_get_u32be(file->bytes + at);
        const uint8_t *name = file->bytes + at + 4, *content = name + 4;
        const bool data = memcmp(name, "IDAT", 4) == 0, head = memcmp(name, "IHDR", 4) == 0;
        if (data && !controlled)
            apng_put_control(writer, (*sequence)++);
        controlled |= data;
        if (index == 0 && (head || data))
            apng_put_chunk(&writer->sink, head ? "IHDR" : "IDAT", content, size);
        else if (data)
            apng_put_frame_data(&writer->sink, (*sequence)++, content, size);
        if (index == 0 && head) {
            uint8_t animation[8] = {0}; /* frames; loops, 0: endless */
            tl_put_u32(animation, TL_BIG, writer->frame_count);
            apng_put_chunk(&writer->sink, "acTL", animation, sizeof animation);
        }
        at += APNG_CHUNK_HEAD + (size_t)size + APNG_CHUNK_CRC;
    }
}

bool tl_apng_write(tl_image_writer *writer)
{
    uint32_t sequence = 0;
    for (uint32_t i = 0; i < writer->frame_count && !writer->sink.refused; i++) {
        trilo_image frame;
        if (!tl_image_writer_frame(writer, i, &frame))
            return false;
        tl_arena arena;
        tl_arena_init(&arena, &writer->opts->memory);
        apng_file file = {.arena = &arena};
        tl_sink sink = {.fn = apng_keep, .user = &file};
        bool ok = tl_png_write(&frame, false, &writer->opts->memory, &sink, writer->err);
        if (ok && sink.refused)
            ok = tl_fail_memory(writer->err);
        if (ok)
            apng_put_frame(writer, &file, i, &sequence);
        tl_arena_free(&arena);
        if (!ok)
            return false;
    }
    apng_put_chunk(&writer->sink, "IEND", NULL, 0);
    return true;
}

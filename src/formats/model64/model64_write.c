/* Everything at the place it has, in ascending order. What nothing covers is taken from the file it was read from, or
 * is zero. Of a damaged file whose pieces overlap, the one that starts first is written; the rest follows from the
 * bytes in between, so that also such a file comes back as it was. */
#include "formats/model64/model64.h"

#include "base/size.h"

typedef struct writer {
    const model64_file *file;
    tl_sink *sink;
    size_t at;
} writer;

static void put(writer *w, const void *bytes, size_t size)
{
    tl_sink_put(w->sink, bytes, size);
    w->at += size;
}

static void put_record(writer *w, const tl_layout *layout, const void *host)
{
    tl_layout_write(w->sink, layout, 0, host);
    w->at += tl_layout_size(layout, 0);
}

/* Bytes between pieces, up to `end`. */
static void fill(writer *w, size_t end)
{
    static const uint8_t zeros[64] = {0};
    while (w->at < end) {
        const size_t size = end - w->at;
        if (w->file->bytes.data)
            put(w, w->file->bytes.data + w->at, size);
        else
            put(w, zeros, size < sizeof zeros ? size : sizeof zeros);
    }
}

/* Goes to where something starts; false when it cannot be put there. */
static bool go_to(writer *w, size_t at, size_t size)
{
    if (at < w->at || !tl_fits(w->file->size, at, size, 1))
        return false;
    fill(w, at);
    return true;
}

static void write_main(writer *w)
{
    const model64_file *file = w->file;
    const uint32_t animations = (uint32_t)file->head.animation_count;
    const size_t size =
        tl_layout_size(&tl_model64_main, 0) + animations * tl_layout_size(&tl_model64_animation, 0); /* read so */
    if (!go_to(w, file->header.main_at, size))
        return;
    put_record(w, &tl_model64_main, &file->head);
    for (uint32_t i = 0; i < animations; i++)
        put_record(w, &tl_model64_animation, &file->animations[i].head);
}

static void write_piece(writer *w, const model64_piece *piece)
{
    if (piece->bytes && go_to(w, piece->at, piece->size))
        put(w, piece->bytes, piece->size);
}

void tl_model64_write(const void *model64, tl_sink *sink)
{
    const model64_file *file = model64;
    writer w = {file, sink, 0};
    uint32_t next = 0;
    put_record(&w, &tl_model64_header, &file->header);
    while (next < file->piece_count && file->pieces[next].at < file->header.main_at)
        write_piece(&w, &file->pieces[next++]);
    write_main(&w);
    while (next < file->piece_count)
        write_piece(&w, &file->pieces[next++]);
    fill(&w, file->size);
}

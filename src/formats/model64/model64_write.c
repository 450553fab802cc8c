/* Writes everything at its offset, in ascending order. What nothing covers is taken from the file it was read from, or
 * is zero. Of a damaged file whose pieces overlap, the one that starts first is written; the rest follows from the
 * bytes in between, so that such a file is preserved too. */
#include "formats/model64/model64.h"

#include "base/size.h"

typedef struct model64_writer {
    const model64_file *file;
    tl_sink *sink;
    size_t at;
} model64_writer;

static void model64_write_bytes(model64_writer *w, const void *bytes, size_t size)
{
    tl_sink_put(w->sink, bytes, size);
    w->at += size;
}

static void model64_write_record(model64_writer *w, const tl_layout *layout, const void *host)
{
    tl_layout_write(w->sink, layout, TL_UNVERSIONED, host);
    w->at += tl_layout_size(layout, TL_UNVERSIONED);
}

/* Bytes between pieces, up to `end`. */
static void model64_write_gap(model64_writer *w, size_t end)
{
    static const uint8_t zeros[64] = {0};
    while (w->at < end) {
        const size_t size = end - w->at;
        if (w->file->bytes.data)
            model64_write_bytes(w, w->file->bytes.data + w->at, size);
        else
            model64_write_bytes(w, zeros, size < sizeof zeros ? size : sizeof zeros);
    }
}

/* Goes to where something starts; false when it cannot be put there. */
static bool model64_write_seek(model64_writer *w, size_t at, size_t size)
{
    if (at < w->at || !tl_fits(w->file->size, at, size, 1))
        return false;
    model64_write_gap(w, at);
    return true;
}

static void model64_write_piece(model64_writer *w, const model64_piece *piece)
{
    if (piece->bytes && model64_write_seek(w, piece->at, piece->size))
        model64_write_bytes(w, piece->bytes, piece->size);
}

void tl_model64_write(const void *model64, tl_sink *sink)
{
    const model64_file *file = model64;
    model64_writer w = {file, sink, 0};
    uint32_t next = 0;
    model64_write_record(&w, &tl_model64_header, &file->header);
    while (next < file->piece_count && file->pieces[next].at < file->header.main_at)
        model64_write_piece(&w, &file->pieces[next++]);
    const uint32_t animations = (uint32_t)file->head.animation_count;
    const size_t size = tl_layout_size(&tl_model64_main, TL_UNVERSIONED) +
                        animations * tl_layout_size(&tl_model64_animation, TL_UNVERSIONED); /* read so */
    if (model64_write_seek(&w, file->header.main_at, size)) {
        model64_write_record(&w, &tl_model64_main, &file->head);
        for (uint32_t i = 0; i < animations; i++)
            model64_write_record(&w, &tl_model64_animation, &file->animations[i].head);
    }
    while (next < file->piece_count)
        model64_write_piece(&w, &file->pieces[next++]);
    model64_write_gap(&w, file->size);
}

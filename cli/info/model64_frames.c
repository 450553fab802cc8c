/* model64_frames.c: how many frames of a Model are different. Frames may share a block of vertices, and different
 * blocks may hold the same: both count once. */
#include "model64_notes.h"

#include "alloc.h"

#include <stdlib.h>
#include <string.h>

typedef struct cli_block {
    uint64_t place; /* in the vertex section */
    const uint8_t *bytes;
    size_t size;
    size_t kind; /* equal for blocks that hold the same */
} cli_block;

static int by_place(const void *a, const void *b)
{
    const cli_block *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_bytes(const void *a, const void *b)
{
    const cli_block *x = a, *y = b;
    return memcmp(x->bytes, y->bytes, x->size);
}

/* The blocks that frames use, each once, by place. */
static cli_block *blocks_of(const model64_notes *notes, size_t *count)
{
    cli_block *blocks = need(NULL, notes->frame_count, sizeof *blocks);
    *count = 0;
    for (size_t i = 0; i < notes->frame_count; i++)
        blocks[i] = (cli_block){.place = notes->frames[i]};
    qsort(blocks, notes->frame_count, sizeof *blocks, by_place);
    for (size_t i = 0; i < notes->frame_count; i++) {
        if (*count == 0 || blocks[i].place != blocks[*count - 1].place)
            blocks[(*count)++] = blocks[i];
        blocks[*count - 1].kind = *count - 1;
    }
    return blocks;
}

/* Where their bytes are. False when they are not to be looked at: blocks that overlap could be far more than the file.
 */
static bool find_bytes(const model64_notes *notes, trilo_bytes file, cli_block *blocks, size_t count)
{
    bool fits = notes->frame_size > 0 && count <= file.size / notes->frame_size;
    for (size_t i = 0; fits && i < count; i++) {
        const uint64_t at = notes->vertex_at + blocks[i].place; /* of 32 bits each */
        fits = at <= file.size && notes->frame_size <= file.size - at;
        blocks[i].bytes = fits ? file.data + at : NULL;
        blocks[i].size = (size_t)notes->frame_size;
    }
    return fits;
}

static void sort_kinds(cli_block *blocks, size_t count)
{
    size_t kind = 0;
    qsort(blocks, count, sizeof *blocks, by_bytes);
    for (size_t i = 0; i < count; i++) {
        kind += i > 0 && by_bytes(&blocks[i - 1], &blocks[i]) != 0;
        blocks[i].kind = kind;
    }
    qsort(blocks, count, sizeof *blocks, by_place);
}

/* How many kinds some frames have; `seen` says for each kind in which round it was met last. */
static size_t count_kinds(const model64_notes *notes, size_t first, size_t frames, const cli_block *blocks,
                          size_t count, size_t *seen, size_t round)
{
    size_t different = 0;
    for (size_t i = first; i < first + frames; i++) {
        const cli_block key = {.place = notes->frames[i]};
        const cli_block *block = bsearch(&key, blocks, count, sizeof *blocks, by_place);
        different += seen[block->kind] != round;
        seen[block->kind] = round;
    }
    return different;
}

void model64_frames_compare(model64_notes *notes, trilo_bytes file)
{
    size_t count, round = 1;
    cli_block *blocks = blocks_of(notes, &count);
    size_t *seen = need(NULL, count, sizeof *seen);
    for (size_t i = 0; i < count; i++)
        seen[i] = 0;
    if (find_bytes(notes, file, blocks, count))
        sort_kinds(blocks, count);
    for (size_t i = 0; i < notes->clip_count; i++) {
        model64_clip_note *clip = &notes->clips[i];
        clip->different = count_kinds(notes, clip->first, clip->frames, blocks, count, seen, round++);
    }
    notes->different = count_kinds(notes, 0, notes->frame_count, blocks, count, seen, round);
    free(seen);
    free(blocks);
}

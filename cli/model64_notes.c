#include "model64_notes.h"

#include "alloc.h"

#include <stdlib.h>
#include <string.h>

uint64_t model64_draw_bytes(const model64_list_note *list)
{
    return list->bytes + MODEL64_VERTEX_BYTES * list->loaded;
}

model64_list_note model64_lists_sum(const model64_notes *notes)
{
    model64_list_note sum = {0};
    for (int i = 0; i < MODEL64_NOTED_SLOTS; i++) {
        const model64_list_note *list = &notes->lists[i];
        sum.commands += list->commands;
        sum.loads += list->loads;
        sum.loaded += list->loaded;
        sum.modifies += list->modifies;
        sum.triangles += list->triangles;
        sum.bytes += list->bytes;
    }
    return sum;
}

const model64_clip_note *model64_clip(const model64_notes *notes, uint32_t clip)
{
    return clip < notes->clip_count ? &notes->clips[clip] : NULL;
}

/* ---- commands ---- */

static void see_command(model64_list_note *list, uint64_t w0)
{
    enum { VTX = 0x01, MODIFYVTX = 0x02, TRI1 = 0x05, TRI2 = 0x06, QUAD = 0x07, COMMAND_BYTES = 8 };
    list->commands++;
    list->bytes += COMMAND_BYTES;
    switch (w0 >> 24) {
    case VTX:
        list->loads++;
        list->loaded += w0 >> 12 & 0xFF;
        break;
    case MODIFYVTX:
        list->modifies++;
        break;
    case TRI1:
        list->triangles += 1;
        break;
    case TRI2:
    case QUAD:
        list->triangles += 2;
        break;
    default:
        break;
    }
}

/* ---- the walk over the records ---- */

typedef struct cli_taker {
    model64_notes *notes;
    int slot; /* whose commands are visited */
    bool in_frames;
} cli_taker;

static bool is(const char *name, const char *wanted)
{
    return name && strcmp(name, wanted) == 0;
}

static void begin_clip(model64_notes *notes, uint32_t frames)
{
    notes->clips = need(notes->clips, notes->clip_count + 1, sizeof *notes->clips);
    notes->clips[notes->clip_count++] = (model64_clip_note){notes->frame_count, frames, 0};
    notes->frames = need(notes->frames, notes->frame_count + frames, sizeof *notes->frames);
}

static void see_list(void *user, const char *name, uint32_t count, uint64_t offset)
{
    cli_taker *taker = user;
    (void)offset;
    taker->slot += is(name, "commands");
    taker->in_frames = is(name, "frames");
    if (taker->in_frames)
        begin_clip(taker->notes, count);
}

static void see_list_end(void *user)
{
    cli_taker *taker = user;
    taker->in_frames = false;
}

static void see_record(void *user, const char *name, uint64_t offset)
{
    (void)user, (void)name, (void)offset;
}

static void see_record_end(void *user)
{
    (void)user;
}

static void see_field(void *user, const char *name, const trilo_value *value)
{
    cli_taker *taker = user;
    model64_notes *notes = taker->notes;
    const uint64_t number = value->as.u[0];
    if (taker->in_frames && is(name, "vertices"))
        notes->frames[notes->frame_count++] = number;
    else if (is(name, "words") && taker->slot < MODEL64_NOTED_SLOTS)
        see_command(&notes->lists[taker->slot], number);
    else if (is(name, "main_size"))
        notes->main_size = number;
    else if (is(name, "vertex_at"))
        notes->vertex_at = number;
    else if (is(name, "frame_size"))
        notes->frame_size = number;
}

model64_notes model64_notes_take(const trilo_document *document)
{
    model64_notes notes = {.present = trilo_document_format(document) == TRILO_FORMAT_MODEL64};
    cli_taker taker = {.notes = &notes, .slot = -1};
    const trilo_visitor visitor = {&taker, see_list, see_list_end, see_record, see_record_end, see_field};
    if (notes.present) {
        trilo_document_visit(document, &visitor);
        model64_frames_compare(&notes, trilo_document_bytes(document));
    }
    return notes;
}

void model64_notes_free(model64_notes *notes)
{
    free(notes->clips);
    free(notes->frames);
}

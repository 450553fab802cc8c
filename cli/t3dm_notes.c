#include "t3dm_notes.h"

#include "alloc.h"

#include <stdlib.h>
#include <string.h>

typedef struct cli_taker {
    t3dm_notes *notes;
    char chunk; /* the letter of the chunk that is visited; 0: the header */
} cli_taker;

static bool is(const char *name, const char *wanted)
{
    return name && strcmp(name, wanted) == 0;
}

static void begin_chunk(cli_taker *taker, char letter)
{
    t3dm_notes *notes = taker->notes;
    taker->chunk = letter;
    if (letter == 'O') {
        notes->objects = need(notes->objects, notes->object_count + 1, sizeof *notes->objects);
        notes->objects[notes->object_count++] = (t3dm_object_note){0, 0};
    } else if (letter == 'A') {
        notes->clips = need(notes->clips, notes->clip_count + 1, sizeof *notes->clips);
        notes->clips[notes->clip_count++] = (t3dm_clip_note){0, 0, {"", 0}, false};
    }
}

static void see_header(t3dm_notes *notes, const char *name, const trilo_value *value)
{
    if (is(name, "min"))
        memcpy(notes->min, value->as.i, sizeof notes->min);
    else if (is(name, "max"))
        memcpy(notes->max, value->as.i, sizeof notes->max);
}

static void see_object(t3dm_notes *notes, const char *name, const trilo_value *value)
{
    t3dm_object_note *object = &notes->objects[notes->object_count - 1];
    if (is(name, "part_count")) {
        object->parts = value->as.u[0];
        notes->parts += value->as.u[0];
    } else if (is(name, "vertex_count")) { /* of one of its parts */
        object->loads += value->as.u[0];
        notes->loads += value->as.u[0];
    }
}

static void see_clip(t3dm_notes *notes, const char *name, const trilo_value *value)
{
    t3dm_clip_note *clip = &notes->clips[notes->clip_count - 1];
    if (is(name, "quat_count") || is(name, "scalar_count"))
        clip->channels += value->as.u[0];
    else if (is(name, "key_count"))
        clip->keys = value->as.u[0];
    else if (is(name, "stream_text"))
        clip->stream = (trilo_str){(const char *)value->as.blob.data, value->as.blob.size};
}

static void see_field(void *user, const char *name, const trilo_value *value)
{
    cli_taker *taker = user;
    if (is(name, "type") && value->kind == TRILO_VALUE_TEXT)
        begin_chunk(taker, (char)value->as.blob.data[0]);
    else if (taker->chunk == '\0')
        see_header(taker->notes, name, value);
    else if (taker->chunk == 'O')
        see_object(taker->notes, name, value);
    else if (taker->chunk == 'A')
        see_clip(taker->notes, name, value);
}

/* A stream that was found shows its keys. */
static void see_list(void *user, const char *name, uint32_t count, uint64_t offset)
{
    const cli_taker *taker = user;
    (void)count, (void)offset;
    if (taker->chunk == 'A' && is(name, "keys"))
        taker->notes->clips[taker->notes->clip_count - 1].found = true;
}

static void see_record(void *user, const char *name, uint64_t offset)
{
    (void)user, (void)name, (void)offset;
}

static void see_end(void *user)
{
    (void)user;
}

t3dm_notes t3dm_notes_take(const trilo_document *document)
{
    t3dm_notes notes = {.present = trilo_document_format(document) == TRILO_FORMAT_T3DM};
    cli_taker taker = {.notes = &notes};
    const trilo_visitor visitor = {&taker, see_list, see_end, see_record, see_end, see_field};
    if (notes.present)
        trilo_document_visit(document, &visitor);
    return notes;
}

void t3dm_notes_free(t3dm_notes *notes)
{
    free(notes->objects);
    free(notes->clips);
}

t3dm_release t3dm_release_of(uint32_t version)
{
    static const t3dm_release releases[] = {
        {"2024-10-19", "2024-10-25"},
        {"2024-10-26", "2024-11-06"},
        {"2024-11-07", "2025-08-02"},
        {"2025-08-03", NULL},
    };
    return releases[version - 1];
}

#include "formats/t3dm/t3dm.h"

typedef struct counter {
    uint32_t *loads, room, count;
} counter;

static void note_triangles(void *user, const t3dm_batch *batch)
{
    counter *c = user;
    for (uint32_t i = 0; i < batch->count; i++, c->count++)
        if (c->count < c->room)
            c->loads[c->count] = batch->part;
}

/* In the order of the decoder, which draws in the same way. */
uint32_t tl_t3dm_batches(const void *file, uint32_t object, uint32_t *loads, uint32_t room)
{
    const t3dm_file *f = file;
    counter c = {.loads = loads, .room = room};
    if (object < f->object_count)
        tl_t3dm_draw(f, &f->objects[object], &(t3dm_drawer){.user = &c, .triangles = note_triangles});
    return c.count;
}

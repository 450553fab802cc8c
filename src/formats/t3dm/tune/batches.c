#include "formats/t3dm/t3dm.h"

typedef struct triangle_batches {
    uint32_t *batches, room, count;
} triangle_batches;

static void triangle_batches_add(void *user, const t3dm_batch *batch)
{
    triangle_batches *c = user;
    for (uint32_t i = 0; i < batch->count; i++, c->count++)
        if (c->count < c->room)
            c->batches[c->count] = batch->part;
}

/* In the order of the decoder, which draws in the same way. */
uint32_t tl_t3dm_batches(const void *file, uint32_t object, uint32_t *batches, uint32_t room)
{
    const t3dm_file *f = file;
    triangle_batches c = {.batches = batches, .room = room};
    if (object < f->object_count)
        tl_t3dm_draw(f, &f->objects[object], &(t3dm_drawer){.user = &c, .triangles = triangle_batches_add});
    return c.count;
}

/* Plans of batches that look the same.
 *
 * How a batch is drawn depends on its triangles, as numbers of its own vertices, and on where its blocks are, not on
 * which vertices these are. Meshes with hard edges have many batches that are the same in this: separate
 * quadrilaterals, as many as fit. So plans are kept, and the last ones can be used again.
 */
#include "optimize/t3d_batch_steps.h"

#include "base/hash_table.h"
#include <string.h>

void tl_batch_plans_clear(tl_batch_plans *plans)
{
    memset(plans->sizes, 0, sizeof plans->sizes);
}

static size_t plan_put(tl_batch_form form, size_t at, const void *bytes, size_t size)
{
    memcpy(form + at, bytes, size);
    return at + size;
}

/* All that tl_batch_plan_draw reads. The counts are first, so no form is the beginning of another. Returns its size, a
 * multiple of 4. */
static size_t plan_describe(const tl_vertex_batch *batch, const tl_batch_draw_opts *opts, tl_batch_form form)
{
    const uint32_t head[TL_BATCH_FORM_HEAD] = {
        batch->vertex_count, batch->triangle_count, batch->block_count, opts->tries, opts->searches,
        opts->command_worth, opts->strips,          opts->sequences,    opts->lone,
    };
    size_t at = plan_put(form, 0, head, sizeof head);
    for (uint32_t b = 0; b < batch->block_count; b++) {
        const tl_vertex_block *block = &batch->blocks[b]; /* its bone does not matter */
        const uint8_t bytes[TL_BATCH_FORM_BLOCK] = {block->first, block->count, block->slot, block->resident};
        at = plan_put(form, at, bytes, sizeof bytes);
        if (block->resident)
            at = plan_put(form, at, batch->slots + block->first, block->count);
    }
    at = plan_put(form, at, batch->kept, batch->vertex_count * sizeof *batch->kept);
    at = plan_put(form, at, batch->triangles, batch->triangle_count * sizeof *batch->triangles);
    while (at % 4 != 0)
        form[at++] = 0;
    return at;
}

const tl_batch_draw *tl_batch_find_plan(tl_batch_plans *plans, const tl_vertex_batch *batch, tl_batch_edges *edges,
                                        const tl_batch_draw_opts *opts)
{
    tl_batch_form form;
    const size_t size = plan_describe(batch, opts, form);
    const uint32_t row = tl_hash_words(form, size) % TL_BATCH_PLANS;
    if (plans->sizes[row] != size || memcmp(plans->forms[row], form, size) != 0) {
        tl_batch_plan_draw(batch, edges, opts, &plans->draws[row]);
        memcpy(plans->forms[row], form, size);
        plans->sizes[row] = (uint16_t)size;
    }
    return &plans->draws[row];
}

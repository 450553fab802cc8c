/* Of a document with a format that knows what its files cost, or from the model that it holds. */
#include "model/cost.h"
#include "api/document.h"

typedef struct owned_cost {
    trilo_cost cost; /* first, so that a pointer to it is a pointer to the whole */
    tl_arena arena;
} owned_cost;

static owned_cost *cost_new(const trilo_memory *memory)
{
    tl_arena arena;
    tl_arena_init(&arena, memory);
    owned_cost *owned = TL_NEW(&arena, owned_cost);
    if (owned)
        owned->arena = arena;
    return owned;
}

void trilo_cost_free(const trilo_cost *cost)
{
    if (!cost)
        return;
    owned_cost *owned = (owned_cost *)(uintptr_t)cost;
    tl_arena arena = owned->arena; /* the struct itself lies in it */
    tl_arena_free(&arena);
}

static void fill_sizes(const trilo_document *document, trilo_cost *cost)
{
    char name[256];
    trilo_bytes companion;
    cost->format = document->format->info.format;
    cost->version = trilo_document_version(document);
    cost->file_size = document->plain.size;
    cost->stored_size = document->source.size;
    for (uint32_t i = 0; trilo_document_companion(document, i, name, sizeof name, &companion); i++)
        cost->companion_size += companion.size;
}

static bool count(const trilo_document *document, const trilo_cost_opts *opts, owned_cost *owned, trilo_error *err)
{
    if (document->format->cost)
        return document->format->cost(document->file, opts, &owned->arena, &owned->cost, err);
    const trilo_model *model = trilo_document_model(document, err);
    const bool ok = model && tl_cost_of_model(model, &owned->arena, &owned->cost, err);
    trilo_model_free(model);
    return ok;
}

static void add_up(trilo_cost *cost)
{
    cost->rom = cost->stored_size + cost->companion_size + cost->sprite_stored;
    if (cost->ram == 0) /* some formats are not in memory as a whole */
        cost->ram = cost->file_size + cost->sprite_size + cost->bone_bytes;
    cost->frame_bytes = cost->counts.rsp_bytes + cost->state_bytes + cost->overlay_bytes + cost->upload_bytes;
}

const trilo_cost *trilo_document_cost(const trilo_document *document, const trilo_cost_opts *opts, trilo_error *err)
{
    static const trilo_cost_opts defaults = {0};
    opts = opts ? opts : &defaults;
    if (opts->guard_begin != 0 || opts->guard_end != 0) {
        tl_fail(err, TRILO_CODE_MISUSE, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL,
                "the options were not zero-filled before use");
        return NULL;
    }
    if (!tl_document_has_no_error(document, err)) /* only what the console can draw has a cost */
        return NULL;
    owned_cost *owned = cost_new(&document->opts.memory);
    if (!owned) {
        tl_fail_memory(err);
        return NULL;
    }
    fill_sizes(document, &owned->cost);
    if (!count(document, opts, owned, err)) {
        trilo_cost_free(&owned->cost);
        return NULL;
    }
    add_up(&owned->cost);
    return &owned->cost;
}

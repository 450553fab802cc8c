/* The cost of a document, computed by its format, or from its model. */
#include "model/cost.h"
#include "api/document.h"
#include "base/opts.h"
#include "base/strict_float.h"
#include "formats/t3dm/cost/cost.h"

#include <stdio.h>

typedef struct owned_cost {
    trilo_cost cost; /* first, so that a pointer to it is a pointer to the whole */
    tl_arena arena;
} owned_cost;

void trilo_cost_free(const trilo_cost *cost)
{
    if (!cost)
        return;
    owned_cost *owned = (owned_cost *)(uintptr_t)cost;
    tl_arena arena = owned->arena; /* it also holds the struct */
    tl_arena_free(&arena);
}

const trilo_cost *trilo_document_cost(const trilo_document *document, const trilo_cost_opts *opts, trilo_error *err)
{
    trilo_cost_opts own;
    if (!TL_OPTS_TAKE(&own, opts, err))
        return NULL;
    if (!tl_document_has_no_error(document, err)) /* only what the console can draw has a cost */
        return NULL;
    tl_arena arena;
    tl_arena_init(&arena, &document->opts.memory);
    owned_cost *owned = TL_NEW(&arena, owned_cost);
    if (!owned) {
        tl_fail_memory(err);
        return NULL;
    }
    owned->arena = arena;
    trilo_cost *cost = &owned->cost;
    char name[256];
    trilo_bytes companion;
    cost->format = document->format->info.format;
    cost->version = trilo_document_version(document);
    cost->file_size = document->plain.size;
    cost->stored_size = document->source.size;
    for (uint32_t i = 0; trilo_document_companion(document, i, name, sizeof name, &companion); i++)
        cost->companion_size += companion.size;
    const trilo_model *model = document->format->cost ? NULL : trilo_document_model(document, err);
    const bool ok = document->format->cost ? document->format->cost(document->file, &own, &owned->arena, cost, err)
                                           : model && tl_cost_of_model(model, &owned->arena, cost, err);
    trilo_model_free(model);
    if (!ok || (owned->arena.failed && !tl_fail_memory(err))) {
        trilo_cost_free(cost);
        return NULL;
    }
    cost->rom = cost->stored_size + cost->companion_size + cost->sprite_stored;
    if (cost->ram == 0) /* some formats are not in memory as a whole */
        cost->ram = cost->file_size + cost->sprite_size + cost->bone_bytes;
    cost->frame_bytes = cost->counts.rsp_bytes + cost->state_bytes + cost->overlay_bytes + cost->upload_bytes;
    return cost;
}

typedef struct texture_check {
    const trilo_cost *cost;
    trilo_finding_fn *fn;
    void *user;
} texture_check;

/* A texture is named by the first material that has it. */
static void report_texture(void *user, const t3dm_advice *advice)
{
    const texture_check *check = user;
    const trilo_rule *rule = t3dm_rule(advice->rule);
    uint32_t material = advice->material;
    char path[48];
    for (uint32_t i = 0; material == TRILO_NONE && i < check->cost->material_count; i++)
        for (int k = 0; k < 2; k++)
            material = check->cost->materials[i].textures[k] == advice->texture ? i : material;
    snprintf(path, sizeof path, "materials[%u]", material);
    const trilo_finding finding = {.severity = rule->severity,
                                   .kind = rule->kind,
                                   .rule = rule->name,
                                   .offset = TRILO_NOWHERE,
                                   .path = path,
                                   .text = advice->text};
    check->fn(check->user, &finding);
}

bool trilo_document_check_textures(const trilo_document *document, const trilo_cost_opts *opts, trilo_finding_fn *fn,
                                   void *user, trilo_error *err)
{
    if (trilo_document_format(document) != TRILO_FORMAT_T3DM || !fn)
        return true;
    texture_check check = {trilo_document_cost(document, opts, err), fn, user};
    if (check.cost)
        tl_t3dm_advise_on_textures(check.cost, report_texture, &check);
    trilo_cost_free(check.cost);
    return check.cost != NULL;
}

trilo_cost_fill trilo_cost_estimate_fill(const trilo_cost *cost, double pixels)
{
    trilo_cost_fill fill = {.pixels = pixels};
    const double area = cost->counts.area;
    double spread = 0;
    for (uint32_t i = 0; area > 0 && i < cost->material_count; i++) {
        const trilo_cost_material *m = &cost->materials[i];
        const double share = m->counts.area / area;
        spread += share;
        fill.cycles += pixels * share * m->cycles;
        fill.bytes += pixels * share * (TRILO_N64_PIXEL_COLOR_BYTES + (m->depth ? TRILO_N64_PIXEL_DEPTH_BYTES : 0));
    }
    if (spread < 1) { /* triangles without a material */
        fill.cycles += pixels * (1 - spread);
        fill.bytes += pixels * (1 - spread) * (TRILO_N64_PIXEL_COLOR_BYTES + TRILO_N64_PIXEL_DEPTH_BYTES);
    }
    fill.microseconds = fill.cycles / TRILO_N64_MEGAHERTZ;
    return fill;
}

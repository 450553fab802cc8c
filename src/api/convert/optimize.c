/* A document written again, cheaper to draw: its records reoptimized by its format, or encoded again from its model. */
#include "api/convert/optimize.h"

#include "api/convert/write_opts.h"
#include "api/document.h"
#include "base/opts.h"
#include "base/sink.h"
#include "formats/nlm/nlm.h"

enum { USUAL_LEVEL = 2 };

/* Write options that follow from the file itself. */
static void optimize_complete_write_opts(tl_write_opts *w, const trilo_document *document,
                                         const trilo_optimize_opts *opts)
{
    const trilo_model64_load_opts *model64 = &document->model64;
    w->all.format = document->format->info.format;
    w->all.on_finding = opts->on_finding;
    w->all.on_finding_user = opts->on_finding_user;
    w->all.on_progress = opts->on_progress;
    w->all.on_progress_user = opts->on_progress_user;
    if (w->all.format == TRILO_FORMAT_NLM && ((const nlm_file *)document->file)->header_form == NLM_HEADER_12)
        w->nlm.header12 = true;
    w->t3dm.version = w->t3dm.version ? w->t3dm.version : trilo_document_version(document);
    w->t3dm.level = opts->level ? opts->level : USUAL_LEVEL;
    w->t3dm.resident = opts->resident;
    w->t3dm.share_repeats = opts->share_repeats;
    w->t3dm.drop_unused = opts->drop_unused;
    w->t3dm.share_vertices = opts->share_vertices;
    w->model64.colors = w->model64.colors ? w->model64.colors : model64->colors;
    w->model64.texcoord_bits = w->model64.texcoord_bits ? w->model64.texcoord_bits : model64->texcoord_bits;
}

static bool optimize_through_model(const trilo_document *document, const trilo_optimize_opts *opts,
                                   tl_write_opts *write, trilo_write_fn *sink, void *user, trilo_error *err)
{
    optimize_complete_write_opts(write, document, opts);
    const bool sorts = !document->format->reoptimize || tl_wants_fewer(opts); /* otherwise writing does it */
    const trilo_model *model = trilo_document_model(document, err), *better = model;
    if (model && sorts)
        better = trilo_model_optimize(model, opts, &document->opts.memory, err);
    const bool ok = better && trilo_model_write(better, &write->all, sink, user, err);
    if (better != model)
        trilo_model_free(better);
    trilo_model_free(model);
    return ok;
}

bool tl_optimize_needs_model(const trilo_document *document, const trilo_optimize_opts *opts,
                             const trilo_write_opts *write)
{
    /* Fewer keys are made when a T3DM file is written from its model. */
    const trilo_t3dm_write_opts *t3dm = write->t3dm;
    const bool reduces_keys = document->format->info.format == TRILO_FORMAT_T3DM &&
                              (t3dm->anim_error > 0 || t3dm->anim_error_percent > 0 || t3dm->anim_rotation_error > 0 ||
                               t3dm->anim_translation_error > 0);
    return !document->format->reoptimize || tl_wants_fewer(opts) || reduces_keys;
}

bool trilo_document_optimize(const trilo_document *document, const trilo_optimize_opts *opts,
                             const trilo_write_opts *write, trilo_write_fn *fn, void *user, trilo_error *err)
{
    trilo_optimize_opts own;
    tl_write_opts own_write;
    if (!TL_OPTS_TAKE(&own, opts, err) || !tl_write_opts_take(&own_write, write, err))
        return false;
    if (!write)
        own_write.all.memory = document->opts.memory;
    const bool by_model = tl_optimize_needs_model(document, &own, &own_write.all);
    if (!tl_optimize_legal(&own, by_model, err))
        return false;
    if (by_model)
        return optimize_through_model(document, &own, &own_write, fn, user, err);
    if (!tl_document_has_no_error(document, err))
        return false;
    const tl_reoptimize_opts how = {.level = own.level ? own.level : USUAL_LEVEL,
                                    .resident = own.resident,
                                    .share_repeats = own.share_repeats,
                                    .drop_unused = own.drop_unused,
                                    .sort_materials = own.sort_materials,
                                    .share_vertices = own.share_vertices};
    tl_sink sink = {.fn = fn, .user = user};
    tl_report changes = {.fn = own.on_finding,
                         .user = own.on_finding_user,
                         .on_progress = own.on_progress,
                         .on_progress_user = own.on_progress_user};
    tl_arena arena;
    tl_arena_init(&arena, &document->opts.memory);
    const void *file = document->format->reoptimize(document->file, &how, &arena, &changes, err);
    if (file)
        document->format->write(file, &sink);
    tl_arena_free(&arena);
    if (!file)
        return tl_report_fail_cancelled(&changes, err);
    return !sink.refused || tl_fail(err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE, NULL,
                                    "the output could not be written completely");
}

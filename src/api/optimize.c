/* A document written again, cheaper to draw: packed anew by its format, or by way of the model. */
#include "api/optimize.h"

#include "api/document.h"
#include "api/write_opts.h"
#include "base/opts.h"
#include "base/sink.h"
#include "formats/nlm/nlm.h"

enum { USUAL_LEVEL = 2 };

static bool reoptimize_records(const trilo_document *document, const trilo_optimize_opts *opts, tl_sink *sink,
                               trilo_error *err)
{
    const tl_reoptimize_opts how = {.level = opts->level ? opts->level : USUAL_LEVEL,
                                    .resident = opts->resident,
                                    .drop_unused = opts->drop_unused,
                                    .sort_materials = opts->sort_materials,
                                    .share_vertices = opts->share_vertices};
    tl_report changes = {.fn = opts->on_finding,
                         .user = opts->on_finding_user,
                         .on_progress = opts->on_progress,
                         .on_progress_user = opts->on_progress_user};
    tl_arena arena;
    tl_arena_init(&arena, &document->opts.memory);
    const void *file = document->format->reoptimize(document->file, &how, &arena, &changes, err);
    if (file)
        document->format->write(file, sink);
    tl_arena_free(&arena);
    return file || tl_report_fail_cancelled(&changes, err);
}

/* What the file itself says about how it is written. */
static void complete_write_opts(tl_write_opts *w, const trilo_document *document, const trilo_optimize_opts *opts)
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
    w->t3dm.drop_unused = opts->drop_unused;
    w->t3dm.share_vertices = opts->share_vertices;
    w->model64.colors = w->model64.colors ? w->model64.colors : model64->colors;
    w->model64.texcoord_bits = w->model64.texcoord_bits ? w->model64.texcoord_bits : model64->texcoord_bits;
}

static bool through_model(const trilo_document *document, const trilo_optimize_opts *opts, tl_write_opts *write,
                          trilo_write_fn *sink, void *user, trilo_error *err)
{
    complete_write_opts(write, document, opts);
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

/* Fewer keys are made when a T3DM file is written from its model. */
static bool thins_clips(const trilo_document *document, const trilo_write_opts *write)
{
    const trilo_t3dm_write_opts *t3dm = write->t3dm;
    return document->format->info.format == TRILO_FORMAT_T3DM &&
           (t3dm->anim_error > 0 || t3dm->anim_turn > 0 || t3dm->anim_place > 0);
}

bool tl_optimize_needs_model(const trilo_document *document, const trilo_optimize_opts *opts,
                             const trilo_write_opts *write)
{
    return !document->format->reoptimize || tl_wants_fewer(opts) || thins_clips(document, write);
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
        return through_model(document, &own, &own_write, fn, user, err);
    tl_sink sink = {.fn = fn, .user = user};
    if (!tl_document_has_no_error(document, err) || !reoptimize_records(document, &own, &sink, err))
        return false;
    return !sink.refused || tl_fail(err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE, NULL,
                                    "the output could not be written completely");
}

/* batch.c: convert for whole folders. The library plans and runs; this reads options and prints. */

#include "batch/batch.h"

#include "alloc.h"
#include "convert/convert.h"
#include "output.h"
#include "paths.h"
#include "project.h"
#include "system.h"
#include "ui/report.h"
#include "ui/table.h"
#include "usage/values.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH_BAR = 30 };

bool batch_wanted(const cli_args *args)
{
    return args_place(args) == ON_CONVERT &&
           (args_has(args, OPT_OUTPUT) || args->operand_count == 0 || system_is_folder(args->operands[0]));
}

/* The state of a run. */
typedef struct batch_show {
    batch_plan *plan;
    const cli_args *args;
    cli_json *json; /* NULL: none */
    bool bar;       /* a progress bar is shown */
    size_t done, shown;
    exit_code code;
} batch_show;

/* ---- one model, in a thread of its own ---- */

static void tell_files(void *user, const cli_conversion *conversion)
{
    trilo_batch_files *files = user;
    const trilo_conversion *result = conversion->result;
    size_t count;
    char **sources = convert_sources(conversion, &count);
    for (size_t i = 0; i < count; i++) {
        trilo_batch_files_read(files, sources[i]);
        free(sources[i]);
    }
    free((void *)sources);
    const char *name, *path;
    bool found;
    if ((name = trilo_document_materials(conversion->input.document, &found)) && !found) {
        char *absent = companions_path(conversion->in, name);
        trilo_batch_files_missing(files, absent);
        free(absent);
    }
    for (size_t i = 0; (path = trilo_assets_absent(conversion->input.assets, i)); i++)
        trilo_batch_files_missing(files, path);
    for (size_t i = 0; (name = trilo_assets_lookup(conversion->input.assets, i, &path)); i++)
        trilo_batch_files_looked_up(files, name, path);
    for (uint32_t i = 0; i < result->companion_count; i++)
        trilo_batch_files_wrote(files, conversion->paths[i], result->companions[i].bytes);
    trilo_batch_files_wrote(files, conversion->out, result->bytes);
}

static bool is_own(void *files, const char *path)
{
    return trilo_batch_files_are_own(files, path);
}

/* Its messages are kept until its turn. */
static bool convert_item(void *user, size_t job, trilo_batch_files *files)
{
    batch_item *item = &((batch_show *)user)->plan->items[job];
    system_text text;
    char *folder = path_folder(item->out);
    if (!system_text_open(&text))
        alloc_failed();
    cli_args args = item->args;
    cli_notes notes = {.all = true}; /* without --verbose, convert_file leaves them out */
    args.out.file = args.err.file = text.file;
    args.out.notes = args.err.notes = &notes;
    const cli_conversion_hooks hooks = {tell_files, is_own, trilo_batch_files_progress, files};
    system_make_directory(folder); /* if it fails, so does the conversion, which reports why */
    item->code = convert_file(&args, &hooks);
    free(folder);
    if (!system_text_close(&text))
        alloc_failed();
    item->text = text.text;
    item->text_size = text.size;
    return item->code == EXIT_FINE;
}

/* ---- what is shown, in the order of the models ---- */

static void clear_bar(const batch_show *show)
{
    if (show->bar)
        fputs("\r\033[K", show->args->err.file);
}

static void draw_bar(batch_show *show)
{
    const size_t total = show->plan->count, filled = total > 0 ? show->done * BATCH_BAR / total : BATCH_BAR;
    FILE *out = show->args->err.file;
    if (!show->bar)
        return;
    fputs("\r[", out);
    for (size_t i = 0; i < BATCH_BAR; i++)
        fputc(i < filled ? '#' : '.', out);
    fprintf(out, "] %s of %s", COUNT(show->done), COUNT(total));
    fflush(out);
}

static void see_done(void *user, size_t job, trilo_batch_state state, const char *problem)
{
    static const char *const names[] = {
        [TRILO_BATCH_STATE_CONVERTED] = "converted",         [TRILO_BATCH_STATE_CURRENT] = "up to date",
        [TRILO_BATCH_STATE_OUTDATED] = "would be converted", [TRILO_BATCH_STATE_FAILED] = "failed",
        [TRILO_BATCH_STATE_SKIPPED] = "not tried",           [TRILO_BATCH_STATE_ELSEWHERE] = "in another shard"};
    batch_show *show = user;
    batch_item *item = &show->plan->items[job];
    const cli_args *args = show->args;
    FILE *out = args->err.file;
    const bool news = state == TRILO_BATCH_STATE_CONVERTED || state == TRILO_BATCH_STATE_OUTDATED ||
                      state == TRILO_BATCH_STATE_FAILED;
    clear_bar(show);
    show->done++;
    if (state == TRILO_BATCH_STATE_FAILED)
        show->code = exit_worse(show->code, problem || item->code == EXIT_FINE ? EXIT_OUTPUT : item->code);
    if (item->text_size > 0)
        fwrite(item->text, 1, item->text_size, out);
    if (problem)
        report_plain(&args->err, item->in, problem);
    if (!args->quiet && !show->json && (args_has(args, OPT_VERBOSE) || (news && !show->bar))) {
        text_puts(out, item->in);
        fputs(" -> ", out);
        text_puts(out, item->out);
        fprintf(out, ": %s\n", names[state]);
    }
    if (show->json) {
        json_object(show->json, NULL);
        json_text(show->json, "in", item->in);
        json_text(show->json, "out", item->out);
        json_text(show->json, "state", names[state]);
        json_uint(show->json, "exit", (uint64_t)item->code);
        json_end(show->json);
    }
    free(item->text);
    item->text = NULL;
    item->text_size = 0;
    draw_bar(show);
}

static void see_stale(void *user, const char *path, bool removed, const char *problem)
{
    batch_show *show = user;
    const bool would = args_has(show->args, OPT_DRY_RUN) && args_has(show->args, OPT_PRUNE);
    clear_bar(show);
    const trilo_finding finding = {problem ? TRILO_SEVERITY_WARNING : TRILO_SEVERITY_NOTE,
                                   TRILO_FINDING_KIND_ADVICE,
                                   "",
                                   TRILO_NOWHERE,
                                   "",
                                   problem   ? problem
                                   : removed ? "removed: it no longer belongs to any model"
                                   : would   ? "would be removed: it no longer belongs to any model"
                                             : "it no longer belongs to any model; --prune removes it"};
    if (!show->args->quiet)
        report_finding(&show->args->err, path, &finding);
}

static void print_summary(const batch_show *show, const trilo_batch_summary *summary)
{
    static const char *const heads[] = {"CONVERTED", "UP TO DATE", "OUTDATED", "FAILED", "NOT TRIED", "ELSEWHERE"};
    const size_t always = 2;
    cli_table table = table_new("rrrrrrrr");
    for (int row = 0; row < 2; row++) {
        for (size_t i = 0; i < TRILO_BATCH_STATES; i++)
            if (i < always || summary->jobs[i] > 0)
                table_cell(&table, "%s", row == 0 ? heads[i] : COUNT(summary->jobs[i]));
            else
                table_cell(&table, "%s", "");
        table_cell(&table, "%s", summary->stale == 0 ? "" : row == 0 ? "STALE" : COUNT(summary->stale));
        table_cell(&table, "%s", row == 0 ? "BYTES" : COUNT(summary->bytes));
    }
    table_print(&table, &show->args->err, true);
}

/* ---- running ---- */

static exit_code read_counts(const cli_args *args, trilo_batch_opts *opts)
{
    const char *jobs = args_given(args, OPT_JOBS), *shard = args_given(args, OPT_SHARD);
    if (jobs && !value_count(jobs, 1, 1024, &opts->threads))
        return args_fail(args, "--jobs: \"%s\" is not a number from 1 to 1024", jobs);
    if (!shard)
        return EXIT_FINE;
    char text[32];
    const size_t slash = strcspn(shard, "/");
    snprintf(text, sizeof text, "%.*s", (int)(slash < 16 ? slash : 16), shard);
    if (shard[slash] != '/' || !value_count(shard + slash + 1, 1, 1000000, &opts->shard_count) ||
        !value_count(text, 1, opts->shard_count, &opts->shard))
        return args_fail(args, "--shard: \"%s\" must be K/N, with K from 1 to N: --shard 1/4", shard);
    return EXIT_FINE;
}

static exit_code run_plan(batch_plan *plan)
{
    const cli_args *args = plan->args;
    cli_json json;
    trilo_batch_summary summary;
    trilo_error err = {0};
    batch_show show = {.plan = plan, .args = args, .json = args->json ? &json : NULL};
    trilo_batch_opts opts = {.manifest = plan->manifest,
                             .root = plan->output,
                             .force = args_has(args, OPT_REBUILD),
                             .keep_going = args_has(args, OPT_KEEP_GOING) || args_has(args, OPT_WATCH),
                             .dry_run = args_has(args, OPT_DRY_RUN),
                             .prune = args_has(args, OPT_PRUNE),
                             .convert = convert_item,
                             .convert_user = &show,
                             .on_done = see_done,
                             .on_done_user = &show,
                             .on_stale = see_stale,
                             .on_stale_user = &show};
    exit_code code = read_counts(args, &opts);
    if (code != EXIT_FINE)
        return code;
    char *folder = path_folder(plan->manifest);
    if (!opts.dry_run)
        system_make_directory(folder);
    free(folder);
    show.bar = !args->quiet && !args->json && system_is_terminal(args->err.file);
    if (args->json) {
        json = json_start(args->out.file, "convert-batch");
        json_array(&json, "files");
    }
    const bool ok = trilo_batch_run(plan->jobs, plan->count, &opts, &summary, &err);
    clear_bar(&show);
    if (args->json) {
        json_end(&json);
        json_uint(&json, "converted", summary.jobs[TRILO_BATCH_STATE_CONVERTED]);
        json_uint(&json, "current", summary.jobs[TRILO_BATCH_STATE_CURRENT]);
        json_uint(&json, "outdated", summary.jobs[TRILO_BATCH_STATE_OUTDATED]);
        json_uint(&json, "failed", summary.jobs[TRILO_BATCH_STATE_FAILED]);
        json_uint(&json, "stale", summary.stale);
        json_uint(&json, "removed", summary.removed);
        json_finish(&json);
    }
    if (!ok) {
        if (err.code == TRILO_CODE_CANCELLED)
            return EXIT_LIMIT; /* a signal that is about to end the program */
        report_error(&args->err, plan->output, &err);
        return err.code == TRILO_CODE_BAD_VALUE ? EXIT_USAGE : exit_of(err.code);
    }
    if (!args->quiet && !args->json)
        print_summary(&show, &summary);
    const bool to_do =
        opts.dry_run && (summary.jobs[TRILO_BATCH_STATE_OUTDATED] > 0 || (opts.prune && summary.stale > 0));
    return to_do ? exit_worse(show.code, EXIT_FINDINGS) : show.code;
}

/* Watches what the batch will read before it is listed: a change in between would be missed otherwise. Errors are
 * reported when it is listed again. */
static void watch_inputs(batch_watch *watch, const cli_args *args, const trilo_project *project)
{
    cli_args silent = *args;
    system_text text;
    batch_plan plan;
    if (!system_text_open(&text))
        alloc_failed();
    silent.err.file = text.file;
    batch_plan_make(&plan, &silent, project);
    batch_watch_add(watch, &plan);
    batch_plan_free(&plan);
    if (!system_text_close(&text))
        alloc_failed();
    free(text.text);
}

/* `watch` may be NULL. */
static exit_code run_once(const cli_args *args, const trilo_project *project, batch_watch *watch)
{
    batch_plan plan;
    const char *ninja = args_given(args, OPT_NINJA);
    if (watch)
        watch_inputs(watch, args, project);
    exit_code code = batch_plan_make(&plan, args, project);
    if (code == EXIT_FINE)
        code = ninja ? batch_write_ninja(&plan, ninja) : run_plan(&plan);
    batch_plan_free(&plan);
    return code;
}

exit_code batch_run(const cli_args *args)
{
    const trilo_project *project = NULL;
    const char *start = args->operand_count > 0 ? args->operands[0] : ".";
    if (args_has(args, OPT_NINJA) && (args_has(args, OPT_DRY_RUN) || args->json))
        return args_fail(args,
                         "--ninja cannot be used with --dry-run or --json: nothing but the build file is written");
    if (!args_has(args, OPT_WATCH)) {
        exit_code code = project_load(args, start, &project);
        if (code == EXIT_FINE)
            code = run_once(args, project, NULL);
        trilo_project_free(project);
        return code;
    }
    if (args_has(args, OPT_DRY_RUN) || args_has(args, OPT_NINJA) || args->json)
        return args_fail(args, "--watch cannot be used with --dry-run, --ninja or --json");
    for (;;) { /* until a signal ends it */
        char found[4096];
        batch_watch watch;
        batch_watch_start(&watch, project_file(args, start, found, sizeof found));
        exit_code code = project_load(args, start, &project);
        if (code == EXIT_FINE)
            code = run_once(args, project, &watch);
        trilo_project_free(project);
        if (code != EXIT_USAGE && !args->quiet)
            fputs("waiting for changes\n", args->err.file);
        if (code != EXIT_USAGE)
            batch_watch_wait(&watch);
        batch_watch_stop(&watch);
        if (code == EXIT_USAGE)
            return code;
    }
}

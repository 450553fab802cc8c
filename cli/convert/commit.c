/* commit.c: what was converted goes to disk or to standard output. */
#include "convert/convert.h"

#include "alloc.h"
#include "output.h"
#include "paths.h"
#include "ui/report.h"

#include <stdlib.h>
#include <string.h>

static void see_file(void *user, const trilo_committed *file)
{
    cli_conversion *conversion = user;
    if (file->companion != TRILO_NONE)
        conversion->states[file->companion] = file->state;
    if (file->state == TRILO_COMMIT_STATE_FAILED && !file->is_main)
        conversion->failed = path_join(".", file->path);
    const cli_conversion_hooks *hooks = conversion->hooks;
    const bool own = hooks && file->state == TRILO_COMMIT_STATE_REPLACED && hooks->is_own(hooks->user, file->path);
    if (file->finding && !own && !conversion->args->quiet)
        report_finding(&conversion->args->err, file->path, file->finding);
}

bool convert_wrote(const cli_conversion *conversion, uint32_t companion)
{
    return conversion->states && (conversion->states[companion] == TRILO_COMMIT_STATE_WRITTEN ||
                                  conversion->states[companion] == TRILO_COMMIT_STATE_REPLACED);
}

static bool write_files(cli_conversion *conversion, trilo_error *err)
{
    const trilo_conversion *result = conversion->result;
    trilo_extra_file rule = {.path = conversion->depfile};
    conversion->states = need(NULL, result->companion_count, sizeof *conversion->states);
    conversion->paths = need(NULL, result->companion_count, sizeof *conversion->paths);
    for (uint32_t i = 0; i < result->companion_count; i++) {
        conversion->states[i] = TRILO_COMMIT_STATE_UNCHANGED;
        conversion->paths[i] = companions_path(conversion->out, result->companions[i].name);
    }
    if (conversion->depfile)
        rule.bytes = convert_make_depfile(conversion);
    const trilo_commit_opts opts = {.extra_count = conversion->depfile ? 1 : 0,
                                    .extras = &rule,
                                    .on_file = see_file,
                                    .on_file_user = conversion,
                                    .no_sync = args_has(conversion->args, OPT_NO_SYNC)};
    alloc_write_begin();
    const bool ok = trilo_conversion_commit(result, conversion->out, &opts, err);
    alloc_write_end();
    free((void *)(uintptr_t)rule.bytes.data);
    return ok;
}

exit_code convert_commit(cli_conversion *conversion)
{
    trilo_error err = {0};
    const bool to_stdout = strcmp(conversion->out, "-") == 0;
    if (to_stdout)
        output_stdout(conversion->result->bytes);
    if (to_stdout || write_files(conversion, &err))
        return EXIT_FINE;
    const trilo_finding finding = report_finding_of(&err);
    report_finding(&conversion->args->err, conversion->failed ? conversion->failed : conversion->out, &finding);
    if (conversion->json && !conversion->failed)
        report_json(conversion->json, &finding);
    return exit_of(err.code);
}

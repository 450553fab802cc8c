/* dump.c: the command that prints the records of a file, or what they mean. */
#include "dump/dump.h"

#include "alloc.h"
#include "clips.h"
#include "collision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static exit_code parse_limit(cli_dump *dump)
{
    const char *text = args_given(dump->args, OPT_LIMIT);
    char *end;
    dump->limit = UINT32_MAX;
    if (!text)
        return EXIT_FINE;
    const unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end)
        return args_fail(dump->args, "--limit: \"%s\" is not a count", text);
    dump->limit = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    return EXIT_FINE;
}

static bool parse_seconds(const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*seconds);
}

/* "walk@0.5", "0@0.5", "rest", "walk" */
static exit_code parse_pose(cli_dump *dump, const char *pose)
{
    const char *at = strrchr(pose, '@');
    const size_t len = at ? (size_t)(at - pose) : strlen(pose);
    dump->clip = TRILO_NONE;
    dump->seconds = 0;
    dump->mode = args_has(dump->args, OPT_SMOOTH) ? TRILO_FRAME_MODE_BLEND : TRILO_FRAME_MODE_HOLD;
    if (at && !parse_seconds(at + 1, &dump->seconds))
        return args_fail(dump->args, "--pose: \"%s\" is not a number of seconds", at + 1);
    if (len == 0 || (len == 4 && memcmp(pose, "rest", 4) == 0))
        return EXIT_FINE;
    char *name = need(NULL, len + 1, 1);
    memcpy(name, pose, len);
    name[len] = '\0';
    dump->clip = trilo_clip_find(dump->input->model, name);
    exit_code code = EXIT_FINE;
    if (dump->clip == TRILO_NONE)
        code = clips_unknown(dump->args, "--pose", dump->input->model, name);
    free(name);
    return code;
}

static void dump_print(const cli_dump *dump, cli_json *json)
{
    const bool posed = args_has(dump->args, OPT_POSE);
    if (args_has(dump->args, OPT_TRIANGLES))
        dump_triangles(dump, posed, json);
    else if (posed)
        dump_pose(dump, json);
    else if (json)
        dump_records_json(dump, json);
    else
        dump_records_text(dump);
}

static exit_code dump_input(cli_dump *dump)
{
    const char *pose = args_given(dump->args, OPT_POSE);
    const exit_code code = pose ? parse_pose(dump, pose) : EXIT_FINE;
    if (code != EXIT_FINE)
        return code;
    if (pose)
        input_warn_streamless(dump->input, dump->clip);
    if (!dump->args->json) {
        dump_print(dump, NULL);
        return EXIT_FINE;
    }
    cli_json json = json_start(dump->args->out.file, "dump");
    json_text(&json, "file", dump->input->path);
    json_bool(&json, "readable", true);
    dump_print(dump, &json);
    json_finish(&json);
    return EXIT_FINE;
}

/* Records can be printed even when the check finds errors; the model exists only when it does not. */
exit_code dump_run(const cli_args *args)
{
    cli_load_opts opts;
    cli_input input;
    cli_dump dump = {.args = args, .input = &input, .blobs = args_has(args, OPT_BLOBS)};
    const bool model = args_has(args, OPT_POSE) || args_has(args, OPT_TRIANGLES);
    if (args_lacks(args, OPT_SMOOTH, OPT_POSE))
        return args_fail(args, "--smooth is for a time of a clip: it needs --pose");
    exit_code code = parse_limit(&dump);
    if (code == EXIT_FINE)
        code = input_options(args, &opts);
    if (code != EXIT_FINE)
        return code;
    dump.collision = model ? (trilo_bytes){NULL, 0} : collision_read(args->operands[0]);
    if (dump.collision.size > 0) {
        input = (cli_input){.args = args, .path = args->operands[0]};
        code = dump_input(&dump);
        free((void *)(uintptr_t)dump.collision.data);
        return code;
    }
    code = (model ? input_load : input_check)(&input, args, args->operands[0], &opts.all);
    if (model ? input.model != NULL : input.document != NULL)
        code = exit_worse(code, dump_input(&dump));
    else if (args->json) { /* the findings are the output then */
        cli_json json = json_start(args->out.file, "dump");
        json_text(&json, "file", dump.input->path);
        json_bool(&json, "readable", false);
        json_array(&json, "findings");
        input_refusals(dump.input, &json);
        json_end(&json);
        json_finish(&json);
    }
    input_close(&input);
    return code;
}

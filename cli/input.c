#include "input.h"

#include "alloc.h"
#include "companions.h"
#include "paths.h"
#include "ui/report.h"
#include "usage/values.h"

#include "trilobite/t3dm.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BITS = 31 }; /* of a texture coordinate */

/* "64M"; false if the text is not a size. */
static bool parse_size(const char *text, size_t *size)
{
    static const char units[] = "KMG";
    size_t value = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9'; c++) {
        const size_t digit = (size_t)(*c - '0');
        if (value > (SIZE_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    const char *unit = *c ? strchr(units, *c & ~0x20) : NULL; /* either case */
    if (c == text || value == 0 || (*c && (!unit || c[1])))
        return false;
    for (const char *u = units; unit && u <= unit; u++) {
        if (value > SIZE_MAX / 1024)
            return false;
        value *= 1024;
    }
    *size = value;
    return true;
}

exit_code input_options(const cli_args *args, cli_load_opts *opts)
{
    const char *from = args_given(args, OPT_FROM);
    const char *memory = args_given(args, OPT_MAX_MEMORY);
    const char *elements = args_given(args, OPT_MAX_ELEMENTS);
    const char *bits = args_given(args, OPT_TEXCOORD_BITS);
    *opts = (cli_load_opts){.all = {.nlm = &opts->nlm, .model64 = &opts->model64, .gltf = &opts->gltf}};
    if (memory && !parse_size(memory, &opts->all.memory.max_bytes))
        return args_fail(args, "--max-memory: \"%s\" is not a size such as 64M", memory);
    size_t most = 0;
    if (elements && !parse_size(elements, &most))
        return args_fail(args, "--max-elements: \"%s\" is not a number such as 4M", elements);
    opts->all.limits.elements = most;
    if (from)
        opts->all.format = trilo_format_find(from)->format;
    opts->nlm.topology = (trilo_nlm_topology)args_choice(args, OPT_TOPOLOGY);
    opts->nlm.quat_wxyz = args_is(args, OPT_NLM_QUAT, "wxyz");
    opts->model64.colors = (trilo_model64_colors)args_choice(args, OPT_MODEL64_COLORS);
    opts->gltf.srgb = args_is(args, OPT_GAMMA, "srgb");
    opts->gltf.fast64_cutout = args_is(args, OPT_CUTOUT, "half");
    opts->gltf.fast64_lighting = args_is(args, OPT_LIGHTING, "fast64");
    opts->gltf.ignore_materials = args_has(args, OPT_IGNORE_MATERIALS);
    opts->gltf.ignore_transforms = args_has(args, OPT_IGNORE_TRANSFORMS);
    opts->gltf.all_nodes = args_has(args, OPT_ALL_SCENES);
    opts->all.check_profile = (trilo_check_profile)args_choice(args, OPT_PROFILE);
    if (bits && !value_count(bits, 1, MOST_BITS, &opts->model64.texcoord_bits))
        return args_fail(args, "--texcoord-bits: \"%s\" is not a number from 1 to %d", bits, MOST_BITS);
    return EXIT_FINE;
}

static ptrdiff_t read_stdin(void *user, void *bytes, size_t room)
{
    (void)user;
    const size_t got = fread(bytes, 1, room, stdin);
    return ferror(stdin) ? -1 : (ptrdiff_t)got;
}

static void report_warning(void *user, const trilo_finding *finding)
{
    const cli_input *input = user;
    if (!input->args->quiet)
        report_finding(&input->args->err, input->path, finding);
}

exit_code input_open(cli_input *input, const cli_args *args, const char *path, const trilo_load_opts *opts)
{
    *input = (cli_input){.args = args, .path = path, .opts = *opts};
    const trilo_assets_opts assets = {.model = strcmp(path, "-") == 0 ? NULL : path,
                                      .folder = args_given(args, OPT_ASSET_PATH),
                                      .index = args->asset_index,
                                      .textures = args_given(args, OPT_TEXTURE_PATH),
                                      .memory = opts->memory,
                                      .on_finding = report_warning,
                                      .on_finding_user = input};
    input->assets = trilo_assets_new(&assets, &input->err);
    if (!input->assets)
        return exit_of(input->err.code);
    input->opts.find_image = trilo_assets_find;
    input->opts.find_image_user = input->assets;
    input->opts.find_asset = trilo_assets_find_asset;
    input->opts.find_asset_user = input->assets;
    input->opts.compare_texture = trilo_assets_compare;
    input->opts.compare_texture_user = input->assets;
    if (strcmp(path, "-") == 0)
        input->document = trilo_document_open_stream(read_stdin, NULL, &input->opts, &input->err);
    else
        input->document = trilo_document_open_file(path, &input->opts, &input->err);
    return input->document ? EXIT_FINE : exit_of(input->err.code);
}

/* The stream that "animations[2].stream.keys[7]" belongs to; TRILO_NONE if none. */
static uint32_t stream_of(const trilo_finding *finding)
{
    static const char list[] = "animations[", stream[] = "].stream";
    if (finding->offset == TRILO_NOWHERE || !finding->path || strncmp(finding->path, list, strlen(list)) != 0)
        return TRILO_NONE;
    char *end;
    const unsigned long number = strtoul(finding->path + strlen(list), &end, 10);
    return number < TRILO_NONE && strncmp(end, stream, strlen(stream)) == 0 ? (uint32_t)number : TRILO_NONE;
}

const char *input_subject(cli_input *input, const trilo_finding *finding)
{
    const uint32_t number = input->document ? stream_of(finding) : TRILO_NONE;
    if (number == TRILO_NONE)
        return input->path;
    const trilo_t3dm_animation animation = trilo_document_t3dm_animation(input->document, number);
    if (!animation.stream_found)
        return input->path;
    free(input->stream);
    input->stream = companions_path(input->path, path_last(animation.stream_path.data));
    return input->stream;
}

/* The state of reporting the errors of an input. */
typedef struct cli_refusal {
    const cli_screen *screen;
    cli_input *input;
    size_t count;
    bool broken; /* not merely something that is not supported */
} cli_refusal;

bool input_refuses(const trilo_finding *finding)
{
    return finding->severity >= TRILO_SEVERITY_ERROR && finding->kind != TRILO_FINDING_KIND_CONFORMANCE;
}

static void report_refusal(void *user, const trilo_finding *finding)
{
    cli_refusal *refusal = user;
    if (!input_refuses(finding))
        return;
    refusal->count++;
    refusal->broken |= finding->kind != TRILO_FINDING_KIND_UNSUPPORTED;
    report_finding(refusal->screen, input_subject(refusal->input, finding), finding);
}

exit_code input_check(cli_input *input, const cli_args *args, const char *path, const trilo_load_opts *opts)
{
    const exit_code code = input_open(input, args, path, opts);
    if (code != EXIT_FINE) {
        report_error(&args->err, path, &input->err);
        return code;
    }
    cli_refusal refusal = {&args->err, input, 0, false};
    input->tally = trilo_document_check(input->document, report_refusal, &refusal);
    if (!trilo_assets_ok(input->assets, &input->err)) {
        report_error(&args->err, path, &input->err);
        return exit_of(input->err.code);
    }
    if (refusal.count == 0)
        return EXIT_FINE;
    return refusal.broken ? EXIT_INPUT : EXIT_LIMIT;
}

exit_code input_model(cli_input *input, const cli_args *args)
{
    input->model = trilo_document_model(input->document, &input->err);
    if (input->model && trilo_assets_ok(input->assets, &input->err))
        return EXIT_FINE;
    report_error(&args->err, input->path, &input->err);
    return exit_of(input->err.code);
}

exit_code input_load(cli_input *input, const cli_args *args, const char *path, const trilo_load_opts *opts)
{
    const exit_code code = input_check(input, args, path, opts);
    return code == EXIT_FINE ? input_model(input, args) : code;
}

static void put_refusal(void *json, const trilo_finding *finding)
{
    if (input_refuses(finding))
        report_json(json, finding);
}

void input_refusals(const cli_input *input, cli_json *json)
{
    const trilo_finding last = report_finding_of(&input->err);
    if (input->document)
        trilo_document_check(input->document, put_refusal, json);
    if (input->err.code != TRILO_CODE_OK)
        report_json(json, &last);
}

void input_warn_streamless(const cli_input *input, uint32_t clip)
{
    trilo_document_t3dm_check_stream(input->document, clip, report_warning, (void *)(uintptr_t)input);
}

void input_close(cli_input *input)
{
    trilo_model_free(input->model);
    trilo_document_free(input->document);
    trilo_assets_free(input->assets);
    free(input->stream);
    input->stream = NULL;
    input->model = NULL;
    input->document = NULL;
    input->assets = NULL;
}

/* clips.c: what each clip costs, and how far a T3DM clip is from its source.
 *
 * The error is measured, so it needs the source: the file of --source, or a glTF file of the same name beside the
 * model, or in assets/ for a model in filesystem/. */
#include "info/info.h"

#include "alloc.h"
#include "system.h"
#include "ui/report.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER = 4 }; /* bytes */

/* ---- the source ---- */

/* "build/hero.t3dm" and ".glb": "build/hero.glb". NULL: there is no such file. */
static char *existing_sibling(const char *path, const char *extension)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    char *made = need(NULL, stem + strlen(extension) + 1, 1);
    memcpy(made, path, stem);
    strcpy(made + stem, extension);
    if (system_is_file(made))
        return made;
    free(made);
    return NULL;
}

/* NULL: none was found. The caller frees it. */
static char *find_clip_source(const char *path)
{
    static const char game[] = "filesystem/", sources[] = "assets/";
    char *found = existing_sibling(path, ".glb");
    found = found ? found : existing_sibling(path, ".gltf");
    const char *folder = NULL;
    for (const char *at = path; (at = strstr(at, game)); at++)
        folder = at == path || at[-1] == '/' ? at : folder;
    if (found || !folder)
        return found;
    char *made = need(NULL, strlen(path) + sizeof sources, 1);
    memcpy(made, path, (size_t)(folder - path));
    strcpy(made + (folder - path), sources);
    strcat(made, folder + strlen(game));
    found = existing_sibling(made, ".glb");
    found = found ? found : existing_sibling(made, ".gltf");
    free(made);
    return found;
}

/* ---- errors and sizes ---- */

typedef struct clip_errors {
    char *source; /* path; NULL: none */
    trilo_t3dm_clip_error *of;
} clip_errors;

static clip_errors measure_clip_errors(const cli_info *info, const cli_args *args, exit_code *code)
{
    const char *given = args_given(args, OPT_SOURCE);
    clip_errors errors = {.of = need(NULL, info->t3dm.animation_count, sizeof *errors.of)};
    cli_load_opts opts;
    cli_input source;
    trilo_error err;
    memset(errors.of, 0, info->t3dm.animation_count * sizeof *errors.of);
    if (info->format != TRILO_FORMAT_T3DM || info->t3dm.animation_count == 0)
        return errors;
    if (given)
        errors.source = strcpy(need(NULL, strlen(given) + 1, 1), given);
    else
        errors.source = find_clip_source(info->input->path);
    if (!errors.source || input_options(args, &opts) != EXIT_FINE)
        return errors;
    exit_code loaded = input_load(&source, args, errors.source, &opts.all);
    if (loaded == EXIT_FINE &&
        !trilo_document_t3dm_clip_errors(info->input->document, source.model, 0, errors.of, &err)) {
        report_error(&args->err, errors.source, &err);
        loaded = exit_of(err.code);
    }
    input_close(&source);
    if (given)
        *code = exit_worse(*code, loaded);
    return errors;
}

/* In the file; of formats that share arrays, what the keys take as 32-bit numbers. */
static uint64_t size_of(const cli_info *info, uint32_t number)
{
    const trilo_clip *clip = &info->input->model->clips[number];
    const trilo_t3dm_animation animation = trilo_document_t3dm_animation(info->input->document, number);
    uint64_t size = 0;
    if (info->format == TRILO_FORMAT_T3DM)
        return animation.size + animation.stream_size;
    if (info->format == TRILO_FORMAT_MODEL64)
        return info->frames[number].distinct * info->model64.frame_size;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *channel = &clip->channels[i];
        const uint64_t values = channel->interpolation == TRILO_INTERPOLATION_CUBIC ? 3 : 1;
        size += channel->key_count * (uint64_t)NUMBER * (1 + values * trilo_target_width(channel->target));
    }
    return size;
}

/* ---- printed ---- */

static void clips_put_text(const cli_info *info, const clip_errors *errors, const cli_screen *screen)
{
    const trilo_model *model = info->input->model;
    const bool t3dm = info->format == TRILO_FORMAT_T3DM, model64 = info->format == TRILO_FORMAT_MODEL64;
    cli_table table = table_new("rrrrrrrll");
    table_cells(&table,
                (const char *[]){"CLIP", "LENGTH", "CHANNELS", "KEYS", "BYTES", "ERROR", "AT", "BONE", "NAME", NULL});
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const trilo_t3dm_clip_error *error = t3dm && errors->of[i].measured ? &errors->of[i] : NULL;
        table_cell(&table, "%s", COUNT(i));
        table_cell(&table, "%s%s", ROUNDED(model->clips[i].duration), model64 ? "" : " s");
        table_cell(&table, "%s", model64 ? "" : COUNT(info_channels(info, i)));
        table_cell(&table, "%s", model64 ? "" : COUNT(info_keys(info, i)));
        table_cell(&table, "%s", COUNT(size_of(info, i)));
        table_cell(&table, "%s", error ? ROUNDED(error->distance) : t3dm ? "?" : "");
        table_cell(&table, "%s%s", error ? ROUNDED(error->seconds) : "", error ? " s" : "");
        table_text(&table, error ? error->bone : (trilo_str){"", 0});
        table_text(&table, model->clips[i].name);
    }
    fputc('\n', screen->file);
    table_print(&table, screen, true);
    if (t3dm && errors->source)
        fprintf(screen->file,
                "ERROR is the largest distance of a vertex from where %s has it, in units of the model, 60 times a "
                "second.\n",
                errors->source);
    else if (t3dm)
        fputs("ERROR is measured against the model that the file was converted from: give it with --source.\n",
              screen->file);
}

exit_code info_clips(const cli_info *info, const cli_args *args, cli_json *json)
{
    const trilo_model *model = info->input->model;
    exit_code code = EXIT_FINE;
    clip_errors errors = measure_clip_errors(info, args, &code);
    if (json) {
        if (errors.source)
            json_text(json, "clip_source", errors.source);
        json_array(json, "clip_costs");
        for (uint32_t i = 0; i < model->clip_count; i++) {
            const trilo_clip *clip = &model->clips[i];
            json_object(json, NULL);
            json_str(json, "name", clip->name);
            json_double(json, "seconds", clip->duration);
            json_uint(json, "channels", info_channels(info, i));
            json_uint(json, "keys", info_keys(info, i));
            json_uint(json, "bytes", size_of(info, i));
            if (info->format == TRILO_FORMAT_T3DM && errors.of[i].measured) {
                json_double(json, "error", errors.of[i].distance);
                json_double(json, "error_at", errors.of[i].seconds);
                json_str(json, "error_bone", errors.of[i].bone);
                json_double(json, "rotation_error", errors.of[i].rotation);
                json_double(json, "position_error", errors.of[i].position);
            }
            json_end(json);
        }
        json_end(json);
    } else if (model->clip_count > 0)
        clips_put_text(info, &errors, &args->out);
    free(errors.source);
    free(errors.of);
    return code;
}

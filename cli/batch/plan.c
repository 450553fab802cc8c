/* What a batch converts: models below the inputs, each with its options. */
#include "batch/batch.h"

#include "alloc.h"
#include "paths.h"
#include "project.h"
#include "system.h"
#include "ui/report.h"

#include "trilobite/file.h"
#include "trilobite/format.h"

#include <stdlib.h>
#include <string.h>

/* Options of the batch itself, and those that change messages but no output. */
static bool is_of_batch(option_id id)
{
    static const option_id ids[] = {OPT_OUTPUT, OPT_JOBS,    OPT_KEEP_GOING, OPT_DRY_RUN, OPT_REBUILD,
                                    OPT_PRUNE,  OPT_WATCH,   OPT_NINJA,      OPT_SHARD,   OPT_MANIFEST,
                                    OPT_JSON,   OPT_PROJECT, OPT_DEPFILE,    OPT_TO};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (id == ids[i])
            return true;
    return false;
}

static bool is_about_messages(option_id id)
{
    return id == OPT_QUIET || id == OPT_VERBOSE || id == OPT_COLOR || id == OPT_NO_SYNC || id == OPT_MAX_MEMORY;
}

static char *copy_of(const char *text)
{
    char *copy = need(NULL, strlen(text) + 1, 1);
    return strcpy(copy, text);
}

/* "assets/" and "assets//" are "assets". */
static char *folder_of(const char *path)
{
    char *folder = copy_of(path);
    for (size_t length = strlen(folder); length > 1 && folder[length - 1] == '/'; length--)
        folder[length - 1] = '\0';
    return folder;
}

/* A path of the project file, seen from the working directory. */
static char *project_path(const trilo_project *project, const char *path)
{
    return system_is_absolute(path) ? folder_of(path) : path_join(project->folder, path);
}

/* ---- one model ---- */

/* The folder that is rom:/ for images: the nearest one called assets, or else the whole input. */
static char *assets_of(const char *root, const char *in)
{
    const char *last = NULL;
    for (const char *at = in; (at = strstr(at, "assets/")); at++)
        if (at == in || at[-1] == '/')
            last = at;
    char *folder = copy_of(last ? in : root);
    if (last)
        folder[last - in + 6] = '\0';
    return folder;
}

static const struct batch_index *index_of(batch_plan *plan, char *folder)
{
    for (size_t i = 0; i < plan->index_count; i++)
        if (strcmp(plan->indices[i].folder, folder) == 0) {
            free(folder);
            return &plan->indices[i];
        }
    plan->indices = need(plan->indices, plan->index_count + 1, sizeof *plan->indices);
    struct batch_index *index = &plan->indices[plan->index_count++];
    *index = (struct batch_index){folder, trilo_asset_index_new(folder, NULL, NULL)};
    if (!index->index)
        alloc_failed();
    return index;
}

static void item_choose(batch_item *item, option_id id, const char *value)
{
    const char *name = option_get(id)->name;
    item->args.chosen[item->args.chosen_count++] =
        (cli_chosen){option_named(ON_CONVERT, name, strlen(name)), value, true};
}

/* All that determines the result, as text. */
static char *recipe_of(const batch_item *item)
{
    size_t size = 1;
    for (size_t i = 0; i < item->args.chosen_count; i++) {
        const cli_chosen *chosen = &item->args.chosen[i];
        size += strlen(chosen->option->name) + (chosen->value ? strlen(chosen->value) : 0) + 3;
    }
    char *text = need(NULL, size, 1), *put = text;
    *put = '\0';
    for (size_t i = 0; i < item->args.chosen_count; i++) {
        const cli_chosen *chosen = &item->args.chosen[i];
        if (!is_about_messages(chosen->option->id))
            put += sprintf(put, "%s=%s\n", chosen->option->name, chosen->value ? chosen->value : "");
    }
    return text;
}

static void add_item(batch_plan *plan, const char *root, const char *in, const char *below)
{
    if (plan->count == plan->room) {
        plan->room = plan->room ? 2 * plan->room : 64;
        plan->items = need(plan->items, plan->room, sizeof *plan->items);
    }
    batch_item *item = &plan->items[plan->count++];
    *item = (batch_item){.in = copy_of(in)};
    char ending[32];
    snprintf(ending, sizeof ending, ".%s", trilo_format_extension(plan->format->format));
    char *target = path_join(plan->output, below);
    item->out = path_with_ending(target, ending);
    free(target);
    cli_args all = project_args(plan->project, plan->args, in);
    item->args = all;
    item->args.chosen = need(NULL, all.chosen_count + 4, sizeof *all.chosen);
    item->args.chosen_count = 0;
    for (size_t i = 0; i < all.chosen_count; i++)
        if (!is_of_batch(all.chosen[i].option->id))
            item->args.chosen[item->args.chosen_count++] = all.chosen[i];
    project_args_free(&all);
    item_choose(item, OPT_TO, plan->format->name);
    item_choose(item, OPT_PROJECT, "none"); /* its options are here already */
    const trilo_format_info *from = trilo_format_for_path(in);
    const bool looks_up = from && (from->format == TRILO_FORMAT_GLTF || from->format == TRILO_FORMAT_T3DM);
    const char *assets = args_given(&item->args, OPT_ASSET_PATH);
    const struct batch_index *index = looks_up ? index_of(plan, assets ? copy_of(assets) : assets_of(root, in)) : NULL;
    if (looks_up && !assets)
        item_choose(item, OPT_ASSET_PATH, index->folder);
    if (plan->format->format == TRILO_FORMAT_T3DM && !(from && from->format == TRILO_FORMAT_T3DM) &&
        !args_has(&item->args, OPT_ROM_PATH)) {
        /* "filesystem/a/b.t3dm" is "rom:/a/b.t3dm" */
        char *name = path_with_ending(below, ending);
        item->rom_path = need(NULL, strlen(name) + 8, 1);
        sprintf(item->rom_path, "rom:/%s", name);
        free(name);
        item_choose(item, OPT_ROM_PATH, item->rom_path);
    }
    item->args.json = false;
    item->args.asset_index = index ? index->index : NULL;
    item->recipe = recipe_of(item);
}

/* ---- all of them ---- */

/* True if the path is the folder, or below it. */
static bool is_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* True if a model of our formats is beside it that differs only in the extension. */
static bool has_export(const char *path)
{
    bool found = false;
    for (size_t i = 0; !found && trilo_format_at(i); i++)
        for (const char *word = trilo_format_at(i)->extensions; !found && *word; word += strspn(word, " ")) {
            char ending[32];
            const int length = (int)strcspn(word, " ");
            snprintf(ending, sizeof ending, ".%.*s", length, word);
            char *other = path_with_ending(path, ending);
            found = system_is_file(other);
            free(other);
            word += length;
        }
    return found;
}

/* hero.fbx is the source of hero.glb, if both are there, and not converted. */
bool batch_is_source(const char *path)
{
    return trilo_format_for_path(path) || (trilo_import_for_path(path) && !has_export(path));
}

static exit_code add_root(batch_plan *plan, const char *root)
{
    trilo_error err;
    if (system_is_file(root)) {
        if (!trilo_format_for_path(root) && !trilo_import_for_path(root))
            return args_fail(plan->args, "%s: no format is known by its extension", root);
        char *folder = path_folder(root);
        add_item(plan, folder, root, path_last(root));
        free(folder);
        return EXIT_FINE;
    }
    if (!system_is_folder(root)) {
        report_plain(&plan->args->err, root, "there is no such file or folder");
        return EXIT_INPUT;
    }
    const trilo_tree *tree = trilo_tree_list(root, NULL, &err);
    if (!tree) {
        report_error(&plan->args->err, root, &err);
        return exit_of(err.code);
    }
    const size_t skip = strcmp(root, ".") == 0 ? 0 : strlen(root) + (strcmp(root, "/") != 0);
    for (size_t i = 0; i < tree->count; i++) {
        const char *path = tree->paths[i];
        if (!batch_is_source(path) || (plan->project && trilo_project_excludes(plan->project, path)) ||
            (strcmp(plan->output, root) != 0 && is_below(path, plan->output)))
            continue;
        add_item(plan, root, path, path + skip);
    }
    trilo_tree_free(tree);
    return EXIT_FINE;
}

static exit_code find_folders(batch_plan *plan)
{
    const cli_args *args = plan->args;
    const char *output = args_given(args, OPT_OUTPUT), *manifest = args_given(args, OPT_MANIFEST);
    const char *to = args_given(args, OPT_TO);
    if (args->operand_count == 0 && !plan->project)
        return args_fail(args, "missing operand: IN OUT, or a trilobite.toml with input and output");
    if (!output && !(plan->project && plan->project->output))
        return args_fail(args, "a folder needs -o DIR, the folder to write to, or a trilobite.toml with an output");
    plan->output = output ? folder_of(output) : project_path(plan->project, plan->project->output);
    to = to ? to : plan->project ? plan->project->format : NULL;
    if (!to)
        return args_fail(args, "which format? Use --to t3dm, or \"to\" in trilobite.toml");
    plan->format = trilo_format_find(to);
    const char *last = path_last(plan->output);
    const bool named = strcmp(last, ".") != 0 && strcmp(last, "..") != 0 && *last;
    if (manifest)
        plan->manifest = copy_of(manifest);
    else {
        plan->manifest = need(NULL, strlen(plan->output) + 32, 1);
        sprintf(plan->manifest, named ? "%s.manifest" : "%s/.trilobite.manifest", plan->output);
    }
    const bool own = args->operand_count > 0;
    plan->root_count = own ? args->operand_count : plan->project ? plan->project->input_count : 0;
    if (plan->root_count == 0)
        return args_fail(args, "what to convert is missing: folders, or \"input\" in trilobite.toml");
    plan->roots = need(NULL, plan->root_count, sizeof *plan->roots);
    for (size_t i = 0; i < plan->root_count; i++)
        plan->roots[i] = own ? folder_of(args->operands[i]) : project_path(plan->project, plan->project->inputs[i]);
    return EXIT_FINE;
}

exit_code batch_plan_make(batch_plan *plan, const cli_args *args, const trilo_project *project)
{
    *plan = (batch_plan){.args = args, .project = project};
    exit_code code = find_folders(plan);
    for (size_t i = 0; code == EXIT_FINE && i < plan->root_count; i++)
        code = add_root(plan, plan->roots[i]);
    if (code == EXIT_FINE && plan->count == 0) {
        if (!args_has(args, OPT_WATCH))
            return args_fail(args, "there is no model in %s", plan->roots[0]);
        report_plain(&args->err, plan->roots[0], "there is no model in it");
        return EXIT_INPUT;
    }
    plan->jobs = need(NULL, plan->count, sizeof *plan->jobs);
    for (size_t i = 0; i < plan->count; i++) {
        batch_item *item = &plan->items[i];
        item->operands[0] = item->in;
        item->operands[1] = item->out;
        item->args.operands = item->operands;
        item->args.operand_count = 2;
        plan->jobs[i] = (trilo_batch_job){.input = item->in,
                                          .output = item->out,
                                          .options = item->recipe,
                                          .assets = args_given(&item->args, OPT_ASSET_PATH),
                                          .index = item->args.asset_index};
    }
    return code;
}

void batch_plan_free(batch_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        batch_item *item = &plan->items[i];
        free(item->in);
        free(item->out);
        free(item->args.chosen);
        free(item->rom_path);
        free(item->recipe);
        free(item->text);
    }
    for (size_t i = 0; i < plan->index_count; i++) {
        trilo_asset_index_free(plan->indices[i].index);
        free(plan->indices[i].folder);
    }
    for (size_t i = 0; plan->roots && i < plan->root_count; i++)
        free(plan->roots[i]);
    free(plan->items);
    free(plan->indices);
    free((void *)plan->roots);
    free(plan->jobs);
    free(plan->output);
    free(plan->manifest);
}

/* init.c: writes a first trilobite.toml from what is in the tree. */
#include "alloc.h"
#include "batch/batch.h"
#include "output.h"
#include "paths.h"
#include "system.h"
#include "ui/report.h"
#include "usage/args.h"

#include "trilobite/file.h"
#include "trilobite/format.h"
#include "trilobite/project.h"

#include <stdlib.h>
#include <string.h>

typedef struct init_found {
    const char *input; /* the folder with the models: assets, models, or all */
    size_t models[16]; /* by format */
    size_t total, images;
    bool filesystem; /* there is a folder called so, as projects of libdragon have one */
} init_found;

static void init_count(const char *folder, const char *input, init_found *found)
{
    char *path = path_join(folder, input);
    trilo_error err = {0};
    const trilo_tree *tree = trilo_tree_list(path, NULL, &err);
    if (!tree && err.code == TRILO_CODE_NO_MEMORY)
        alloc_failed();
    *found = (init_found){.input = input};
    for (size_t i = 0; tree && i < tree->count; i++) { /* a conversion reports what cannot be read */
        const trilo_format_info *format = trilo_format_for_path(tree->paths[i]);
        found->images += path_ends(tree->paths[i], ".png");
        if (!batch_is_source(tree->paths[i]))
            continue;
        found->models[format ? format->format : TRILO_FORMAT_GLTF]++; /* what is imported becomes glTF */
        found->total++;
    }
    trilo_tree_free(tree);
    free(path);
}

static init_found init_look(const char *folder)
{
    static const char *const names[] = {"assets", "models", "art", "."};
    init_found found;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        init_count(folder, names[i], &found);
        if (found.total > 0)
            break;
    }
    char *filesystem = path_join(folder, "filesystem");
    found.filesystem = system_is_folder(filesystem);
    free(filesystem);
    return found;
}

static void init_print(FILE *out, const void *context)
{
    const init_found *found = context;
    const bool models = found->models[TRILO_FORMAT_GLTF] > 0 || found->total == 0;
    fputs("# The project file of Trilobite. `trilobite convert` converts what changed; docs/project.md lists all "
          "keys.\n\n",
          out);
    fprintf(out, "input = \"%s\"%*s# ", found->input, (int)(found->input[0] == '.' ? 11 : 6), "");
    fprintf(out, "%zu model%s, %zu image%s\n", found->total, text_plural(found->total), found->images,
            text_plural(found->images));
    fprintf(out, "output = \"filesystem\" # %s\n",
            found->filesystem ? "goes into the ROM" : "will be made, and goes into the ROM");
    fputs("to = \"t3dm\"\n# exclude = [\"**/old/**\"]\n\n", out);
    fputs("# Options of the command line, for all files. The command line itself comes last.\n[options]\nlevel = 2\n",
          out);
    if (models)
        fputs("sprites = true # the textures of the models, too\n", out);
    fputs("# scale = 64\n\n"
          "# And for some of them; later tables override earlier ones.\n"
          "# [[files]]\n# match = \"**/levels/*.glb\"\n# options = { bvh = true }\n# budget = { triangles = 5000 }\n\n"
          "# The most that a model may have. `trilobite cost` shows what it has.\n"
          "# [budget]\n# triangles = 2000\n# batches = 60\n# tmem = 4096\n# bytes = 100_000\n# clips = 20\n"
          "# microseconds = 4000\n\n"
          "# What to make of findings: \"allow\", \"warn\" or \"deny\". `trilobite check --codes` lists them.\n"
          "# [severity]\n# T3DM-LOST-WEIGHTS = \"allow\"\n",
          out);
}

exit_code init_run(const cli_args *args)
{
    const char *folder = args->operand_count > 0 ? args->operands[0] : ".";
    if (!system_is_folder(folder)) {
        report_plain(&args->err, folder, "there is no such folder");
        return EXIT_INPUT;
    }
    char *path = path_join(folder, TRILO_PROJECT_FILE);
    exit_code code = EXIT_FINE;
    if (system_exists(path) && !args_has(args, OPT_FORCE)) {
        report_plain(&args->err, path, "it already exists; --force overwrites it");
        code = EXIT_OUTPUT;
    } else {
        const init_found found = init_look(folder);
        code = output_print(path, init_print, &found);
        if (code == EXIT_FINE && !args->quiet) {
            text_puts(args->err.file, path);
            fprintf(args->err.file, ": %zu model%s in \"%s\"; convert them with: trilobite convert\n", found.total,
                    text_plural(found.total), found.input);
        }
    }
    free(path);
    return code;
}

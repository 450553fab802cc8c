/* depfile.c: the dependencies of a model as a rule for make, so that it is rebuilt when a texture changes. */
#include "convert/convert.h"

#include "alloc.h"
#include "buffer.h"
#include "paths.h"
#include "ui/report.h"

#include <stdlib.h>
#include <string.h>

static const char depfile_escaped[] = " #:*?[";

/* GNU make has no way to write the others: a tab, a semicolon or a new line would start a recipe, which is run. */
bool depfile_can_name(const char *path)
{
    const size_t length = strlen(path);
    if (length == 0 || *path == '~' || strchr(" \\&", path[length - 1]) || strpbrk(path, "%;=|"))
        return false;
    for (const char *c = path; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F || (*c == '\\' && strchr(depfile_escaped, c[1])))
            return false;
    return true;
}

static void depfile_put(cli_buffer *buffer, const char *text)
{
    buffer_keep(buffer, text, strlen(text));
}

static void depfile_put_path(cli_buffer *buffer, const char *path)
{
    for (; *path; path++) {
        if (strchr(depfile_escaped, *path))
            depfile_put(buffer, "\\");
        else if (*path == '$')
            depfile_put(buffer, "$");
        buffer_keep(buffer, path, 1);
    }
}

/* ---- what it was made from ---- */

typedef struct depfile_source {
    char *path;
    size_t order;
} depfile_source;

typedef struct depfile_sources {
    size_t count;
    depfile_source *rows;
} depfile_sources;

static void depfile_add_source(depfile_sources *sources, char *path)
{
    if ((sources->count & (sources->count - 1)) == 0) /* at each power of two */
        sources->rows = need(sources->rows, sources->count ? 2 * sources->count : 1, sizeof *sources->rows);
    sources->rows[sources->count] = (depfile_source){path, sources->count};
    sources->count++;
}

static int depfile_compare_paths(const void *a, const void *b)
{
    const depfile_source *x = a, *y = b;
    const int order = strcmp(x->path, y->path);
    return order != 0 ? order : x->order < y->order ? -1 : 1;
}

static int depfile_compare_orders(const void *a, const void *b)
{
    const depfile_source *x = a, *y = b;
    return x->order < y->order ? -1 : 1;
}

/* Each path once, in the order in which they were added. */
static void depfile_drop_repeated(depfile_sources *sources)
{
    size_t kept = 1;
    qsort(sources->rows, sources->count, sizeof *sources->rows, depfile_compare_paths);
    for (size_t i = 1; i < sources->count; i++)
        if (strcmp(sources->rows[i].path, sources->rows[kept - 1].path) == 0)
            free(sources->rows[i].path);
        else
            sources->rows[kept++] = sources->rows[i];
    sources->count = kept;
    qsort(sources->rows, sources->count, sizeof *sources->rows, depfile_compare_orders);
}

static depfile_sources depfile_find_sources(const cli_conversion *conversion)
{
    depfile_sources sources = {0};
    const char *image;
    cli_companions own = companions_of(conversion->input.document);
    depfile_add_source(&sources, path_join(".", conversion->in));
    for (size_t i = 0; (image = trilo_assets_image(conversion->input.assets, i)); i++)
        depfile_add_source(&sources, path_join(".", image));
    for (size_t i = 0; i < own.count; i++)
        depfile_add_source(&sources, companions_path(conversion->in, own.rows[i].name));
    companions_free(&own);
    bool found;
    const char *materials = trilo_document_materials(conversion->input.document, &found);
    if (materials && found)
        depfile_add_source(&sources, companions_path(conversion->in, materials));
    depfile_drop_repeated(&sources);
    return sources;
}

char **convert_sources(const cli_conversion *conversion, size_t *count)
{
    depfile_sources sources = depfile_find_sources(conversion);
    char **paths = need(NULL, sources.count, sizeof *paths);
    for (size_t i = 0; i < sources.count; i++)
        paths[i] = sources.rows[i].path;
    free(sources.rows);
    *count = sources.count;
    return paths;
}

exit_code convert_read_depfile(cli_conversion *conversion)
{
    const cli_args *args = conversion->args;
    const char *depfile = args_given(args, OPT_DEPFILE);
    if (!depfile)
        return EXIT_FINE;
    if (!depfile_can_name(conversion->in) || !depfile_can_name(conversion->out))
        return args_fail(args,
                         "--depfile: make cannot name %s: rename it, without control characters and any of %% ; = |",
                         depfile_can_name(conversion->in) ? conversion->out : conversion->in);
    conversion->depfile = *depfile ? path_join(".", depfile) : path_with_ending(conversion->out, ".d");
    return EXIT_FINE;
}

static void depfile_warn(const cli_conversion *conversion, const char *path)
{
    const trilo_finding finding = {.severity = TRILO_SEVERITY_WARNING,
                                   .kind = TRILO_FINDING_KIND_UNSUPPORTED,
                                   .rule = "",
                                   .offset = TRILO_NOWHERE,
                                   .path = "",
                                   .text = "make cannot name it, so it is not in the rule: rename it, without control "
                                           "characters and any of % ; = |"};
    if (!conversion->args->quiet)
        report_finding(&conversion->args->err, path, &finding);
}

/* Streams that did not change are listed too. Each source but IN is also a target without a recipe: one that is
 * renamed later does not stop make. */
trilo_bytes convert_make_depfile(const cli_conversion *conversion)
{
    cli_buffer buffer = {0};
    depfile_sources sources = depfile_find_sources(conversion);
    depfile_put_path(&buffer, conversion->out);
    for (uint32_t i = 0; i < conversion->result->companion_count; i++) {
        depfile_put(&buffer, " ");
        depfile_put_path(&buffer, conversion->paths[i]);
    }
    depfile_put(&buffer, ":");
    for (size_t i = 0; i < sources.count; i++)
        if (depfile_can_name(sources.rows[i].path)) {
            depfile_put(&buffer, " ");
            depfile_put_path(&buffer, sources.rows[i].path);
        } else {
            depfile_warn(conversion, sources.rows[i].path);
        }
    depfile_put(&buffer, "\n");
    for (size_t i = 0; i < sources.count; i++) {
        if (i > 0 && depfile_can_name(sources.rows[i].path)) {
            depfile_put_path(&buffer, sources.rows[i].path);
            depfile_put(&buffer, ":\n");
        }
        free(sources.rows[i].path);
    }
    free(sources.rows);
    return (trilo_bytes){buffer.bytes, buffer.size};
}

#define _XOPEN_SOURCE 700
#include "twins.h"

#include <trilobite/assets.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool join(char out[BENCH_PATH], const char *folder, const char *name)
{
    const int length = snprintf(out, BENCH_PATH, "%s/%s", folder, name);
    return length > 0 && length < BENCH_PATH;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static int no_dots(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* `root` is the folder with `assets` and `filesystem`; `within` is the path of the model below `assets`. */
static bool add_twin(bench_twins *all, const char *root, const char *within)
{
    bench_twin *more = realloc(all->rows, (all->count + 1) * sizeof *more);
    if (!more)
        return bench_fail(within, "no memory");
    all->rows = more;
    bench_twin *twin = &all->rows[all->count++];
    const char *project = strrchr(root, '/');
    const int length = (int)(strlen(within) - strlen(".glb"));
    if (snprintf(twin->source, BENCH_PATH, "%s/assets/%s", root, within) >= BENCH_PATH ||
        snprintf(twin->folder, BENCH_PATH, "%s/assets/", root) >= BENCH_PATH ||
        snprintf(twin->peer, BENCH_PATH, "%s/filesystem/%.*s.t3dm", root, length, within) >= BENCH_PATH)
        return bench_fail(within, "its path is too long");
    snprintf(twin->name, sizeof twin->name, "%s/%.*s", project ? project + 1 : root, length, within);
    FILE *peer = fopen(twin->peer, "rb");
    twin->has_peer = peer && !fclose(peer);
    return true;
}

/* `below` is a folder below `assets`, "" for itself. Models of a folder come before those of folders in it. */
static bool add_folder(bench_twins *all, const char *root, const char *below, int depth)
{
    enum { DEEPEST = 16 }; /* a link may lead back up */
    static const char ending[] = ".glb";
    char folder[BENCH_PATH], assets[BENCH_PATH], path[BENCH_PATH], within[BENCH_PATH];
    struct dirent **entries = NULL;
    bool ok = true;
    if (!join(assets, root, "assets") || !join(folder, assets, below))
        return true;
    const int count = scandir(folder, &entries, no_dots, alphasort);
    for (int pass = 0; ok && pass < 2; pass++)
        for (int i = 0; ok && i < count; i++) {
            const char *name = entries[i]->d_name;
            const size_t length = strlen(name);
            if (!join(path, folder, name) || (below[0] && !join(within, below, name)))
                continue;
            if (!below[0])
                snprintf(within, sizeof within, "%s", name);
            const bool model = length >= sizeof ending && !strcmp(name + length - (sizeof ending - 1), ending);
            if (pass == 0 && model && !is_folder(path))
                ok = add_twin(all, root, within);
            else if (pass == 1 && depth < DEEPEST && is_folder(path))
                ok = add_folder(all, root, within, depth + 1);
        }
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return ok;
}

/* Of `corpus` itself, or of each folder in it. */
static bool add_corpus(bench_twins *all, const char *corpus)
{
    char path[BENCH_PATH];
    struct dirent **entries = NULL;
    bool ok = true;
    if (join(path, corpus, "assets") && is_folder(path))
        return add_folder(all, corpus, "", 0);
    const int count = scandir(corpus, &entries, no_dots, alphasort);
    for (int i = 0; i < count; i++) {
        ok = ok && (!join(path, corpus, entries[i]->d_name) || add_folder(all, path, "", 0));
        free(entries[i]);
    }
    free(entries);
    return ok;
}

bool bench_twins_find(const bench *b, bench_twins *all)
{
    const char *shared = getenv("TRILOBITE_CORPUS");
    char corpus[BENCH_PATH];
    const bool known = b->corpus ? snprintf(corpus, sizeof corpus, "%s", b->corpus) < BENCH_PATH
                                 : join(corpus, shared && *shared ? shared : "../shared/corpus", "t3dm");
    *all = (bench_twins){0};
    for (size_t end = strlen(corpus); end > 1 && corpus[end - 1] == '/';)
        corpus[--end] = '\0';
    return known && add_corpus(all, corpus) && all->count > 0;
}

void bench_twins_free(bench_twins *all)
{
    free(all->rows);
    *all = (bench_twins){0};
}

/* Images are looked up as the converter does it. */
const trilo_model *bench_twin_load(const bench_twin *twin, trilo_error *err)
{
    trilo_assets *assets = trilo_assets_new(&(trilo_assets_opts){.model = twin->source, .folder = twin->folder}, err);
    const trilo_load_opts opts = {.find_image = trilo_assets_find, .find_image_user = assets};
    const trilo_model *model = assets ? trilo_model_load_file(twin->source, &opts, err) : NULL;
    trilo_assets_free(assets);
    return model;
}

void bench_twin_refused(const bench *b, const bench_twin *twin, const char *why)
{
    fprintf(b->live, "%-27s refused: %s\n", twin->name, why);
}

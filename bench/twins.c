#define _XOPEN_SOURCE 700
#include "twins.h"

#include <trilobite/assets.h>

#include <stdlib.h>
#include <string.h>

bool bench_twins_glob(const bench *b, glob_t *files)
{
    static const char *const below[] = {"", "*/", "*/*/"};
    const char *corpus = getenv("TRILOBITE_CORPUS");
    char pattern[BENCH_PATH];
    *files = (glob_t){0};
    if (!b->corpus) {
        snprintf(pattern, sizeof pattern, "%s/t3dm/*/assets/*.glb", corpus && *corpus ? corpus : "../shared/corpus");
        return glob(pattern, 0, NULL, files) == 0;
    }
    for (int i = 0; i < 3; i++) {
        const int length = snprintf(pattern, sizeof pattern, "%s/assets/%s*.glb", b->corpus, below[i]);
        if (length > 0 && (size_t)length < sizeof pattern)
            glob(pattern, files->gl_pathc > 0 ? GLOB_APPEND : 0, NULL, files);
    }
    return files->gl_pathc > 0;
}

bool bench_twin_find(const char *source, bench_twin *twin)
{
    static const char assets[] = "/assets/", ending[] = ".glb";
    const char *cut = strstr(source, assets), *from = cut;
    if (!cut || strlen(cut) < sizeof assets + sizeof ending - 2)
        return false;
    while (from > source && from[-1] != '/')
        from--;
    const char *name = cut + sizeof assets - 1;
    const int whole = (int)(cut - source), length = (int)(strlen(name) - sizeof ending + 1);
    twin->source = source;
    snprintf(twin->folder, sizeof twin->folder, "%.*s%s", whole, source, assets);
    snprintf(twin->peer, sizeof twin->peer, "%.*s/filesystem/%.*s.t3dm", whole, source, length, name);
    snprintf(twin->name, sizeof twin->name, "%.*s/%.*s", (int)(cut - from), from, length, name);
    FILE *there = fopen(twin->peer, "rb");
    return there && !fclose(there);
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

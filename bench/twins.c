#include "twins.h"

#include <stdlib.h>
#include <string.h>

enum { IMAGES = 64 };

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

/* Images of a model live until it is loaded. */
typedef struct finder {
    const bench_twin *twin;
    bench_buffer images[IMAGES];
    size_t count;
} finder;

static bool find_image(void *user, trilo_image_key key, const char *name, trilo_found_image *found)
{
    (void)key;
    finder *f = user;
    char path[2 * BENCH_PATH];
    const char *png = strstr(name, ".png"); /* Blender numbers images of the same name: "wall.png.001" */
    const int length = png ? (int)(png - name) : (int)strlen(name);
    snprintf(path, sizeof path, "%s%.*s.png", f->twin->folder, length, name);
    if (f->count == IMAGES || !bench_read_file(path, &f->images[f->count]))
        return false;
    const bench_buffer *image = &f->images[f->count++];
    found->bytes = (trilo_bytes){image->bytes, image->size};
    snprintf(found->path, sizeof found->path, "rom:/%.*s.sprite", length, name);
    return true;
}

const trilo_model *bench_twin_load(const bench_twin *twin)
{
    finder f = {.twin = twin};
    trilo_error err = {0};
    const trilo_load_opts opts = {.find_image = find_image, .find_image_user = &f};
    const trilo_model *model = trilo_model_load_file(twin->source, &opts, &err);
    for (size_t i = 0; i < f.count; i++)
        bench_buffer_free(&f.images[i]);
    if (!model)
        bench_fail(twin->source, err.text);
    return model;
}

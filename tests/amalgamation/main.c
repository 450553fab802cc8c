/* Prints a hash of everything that floating-point arithmetic can change, for each FILE of the command line: the bytes
 * of its conversion to every format, companion files included, and a picture of it in the middle of its first clip.
 * Builds of the library with other compilers and flags must print the same. */
#ifdef AMALGAMATION
#include "trilobite.h"
#else
#include "trilobite/trilobite.h"
#endif

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 160, HEIGHT = 120 };

typedef struct hashing {
    uint64_t hash; /* FNV-1a, 64 bits */
    uint64_t size;
} hashing;

static bool hash_bytes(void *user, const void *bytes, size_t size)
{
    hashing *h = user;
    for (size_t i = 0; i < size; i++)
        h->hash = (h->hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(1099511628211);
    h->size += size;
    return true;
}

static bool hash_companion(void *user, const char *name, trilo_bytes bytes)
{
    (void)name;
    return hash_bytes(user, bytes.data, bytes.size);
}

static void print_conversion(const trilo_model *model, const char *path, const trilo_format_info *format)
{
    hashing h = {UINT64_C(14695981039346656037), 0};
    trilo_error err = {0};
    trilo_write_opts opts = {
        .format = format->format, .name = "out", .companion = hash_companion, .companion_user = &h};
    if (trilo_model_write(model, &opts, hash_bytes, &h, &err))
        printf("%s %s %016" PRIx64 " %" PRIu64 "\n", path, format->name, h.hash, h.size);
    else
        printf("%s %s %s\n", path, format->name, err.rule);
}

static bool print_picture(const trilo_model *model, const char *path)
{
    static uint8_t pixels[WIDTH * HEIGHT][4];
    trilo_error err = {0};
    bool ok = false;
    trilo_player *player = trilo_player_new(model, NULL, &err);
    trilo_renderer *renderer = trilo_renderer_new(model, NULL, NULL, &err);
    if (player && renderer) {
        if (model->clip_count > 0)
            trilo_player_play(player, 0, 0, &(trilo_play_opts){.start = model->clips[0].duration / 2});
        trilo_player_advance(player, 0);
        trilo_renderer_pose(renderer, player);
        ok = trilo_renderer_draw(renderer, NULL, WIDTH, HEIGHT, pixels, &err);
    }
    hashing h = {UINT64_C(14695981039346656037), 0};
    hash_bytes(&h, pixels, sizeof pixels);
    if (ok)
        printf("%s picture %016" PRIx64 "\n", path, h.hash);
    else
        printf("%s picture %s: %s\n", path, err.rule, err.text);
    trilo_renderer_free(renderer);
    trilo_player_free(player);
    return ok;
}

int main(int argc, char **argv)
{
    int status = argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
    for (int i = 1; i < argc; i++) {
        trilo_error err = {0};
        const trilo_model *model = trilo_model_load_file(argv[i], NULL, &err);
        if (!model) {
            printf("%s %s: %s\n", argv[i], err.rule, err.text);
            status = EXIT_FAILURE;
            continue;
        }
        for (size_t f = 0; trilo_format_at(f); f++)
            print_conversion(model, argv[i], trilo_format_at(f));
        if (!print_picture(model, argv[i]))
            status = EXIT_FAILURE;
        trilo_model_free(model);
    }
    return status;
}

/* main.c: trilobite-bench, which prints measurements.
 *
 *   trilobite-bench [--filter NAME] [--corpus DIR] [--json [FILE]] [--list]
 */
#define _XOPEN_SOURCE 700
#include "harness.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    bool (*run)(bench *b);
    const char *about;
} subjects[] = {
    {"nlm-static", bench_nlm_static, "open and fully check an NLM of more than 100 MB, compared with memcpy"},
    {"nlm-skinned", bench_nlm_skinned, "the same with bones, four weights a vertex and a clip"},
    {"nlm-model", bench_model, "the skinned one to the neutral model and back"},
    {"t3dm-corpus", bench_t3dm_corpus, "load the largest T3DM of the corpus, compared with Assimp loading its source"},
    {"t3dm-grid", bench_t3dm_grid, "open and check a T3DM of 10 MB, compared with memcpy; load it; write it"},
    {"model64-game", bench_model64_game,
     "display lists for a game's models, compared with those that its converter made"},
    {"model64-growth", bench_model64_growth, "encode 10,000, 30,000 and 100,000 triangles as an N64 model"},
    {"gltf-corpus", bench_gltf_corpus, "convert the glTF files of the corpus to T3DM"},
    {"gltf-read", bench_gltf_read, "read every glTF file of the corpus, compared with Assimp and tinygltf"},
    {"gltf-growth", bench_gltf_growth, "convert 10,000, 30,000 and 100,000 triangles from glTF to T3DM"},
    {"gltf-objects", bench_gltf_objects, "the same for 300 objects with vertex colours, 12,000 triangles"},
    {"optimize-corpus", bench_optimize_corpus,
     "what T3DM costs to draw at each level, compared with Tiny3D's converter"},
    {"optimize-growth", bench_optimize_growth,
     "encode 1,000 to 100,000 triangles as T3DM at each level, jagged and smooth"},
    {"query-culling", bench_query_culling, "what a camera sees of a level, compared with testing every triangle"},
    {"query-million", bench_query_million, "a BVH over a million triangles; rays, spheres and closest points"},
    {"keys-corpus", bench_keys_corpus, "bytes and errors of clips in T3DM, compared with Tiny3D's converter"},
    {"keys-growth", bench_keys_growth, "encode clips of 1,000, 10,000 and 60,000 keys as T3DM"},
    {"helper-bones", bench_helper_bones,
     "how far vertices of smooth skins are off in T3DM, with and without helper bones"},
    {"mascot", bench_pose, "load, pose and skin the mascot"},
    {"render-mascot", bench_render_mascot, "draw the walk of the mascot at 320 x 240, as the console does"},
    {"render-level", bench_render_level, "the same for a character and levels of the corpus, from outside and inside"},
    {"sprite", bench_sprites, "make sprites of 256 x 256 pixels in every texel format, and resize them"},
    {"player", bench_player, "play a clip of the corpus from memory, and from its stream"},
};

typedef struct options {
    const char *filter;    /* part of a subject's name, NULL: all */
    const char *json_path; /* NULL: standard output */
    const char *corpus;    /* NULL: Tiny3D's examples */
    bool json, list, help;
} options;

static const char usage[] =
    "usage: trilobite-bench [--filter NAME] [--corpus DIR] [--json [FILE]] [--list]\n"
    "  --filter NAME  only subjects whose name contains NAME\n"
    "  --corpus DIR   models for optimize-corpus, keys-corpus and gltf-corpus: DIR/assets/ has the .glb files, and\n"
    "                 DIR/filesystem/ what Tiny3D's converter makes of them; or each folder in DIR has both\n"
    "  --json [FILE]  also write the results as JSON to FILE; without FILE, print JSON instead of text\n"
    "  --list         list the subjects\n";

static bool parse(int argc, char **argv, options *o)
{
    for (int i = 1; i < argc; i++) {
        const bool more = i + 1 < argc && argv[i + 1][0] != '-';
        if (!strcmp(argv[i], "--filter") && more)
            o->filter = argv[++i];
        else if (!strcmp(argv[i], "--corpus") && more)
            o->corpus = argv[++i];
        else if (!strcmp(argv[i], "--json")) {
            o->json = true;
            o->json_path = more ? argv[++i] : NULL;
        } else if (!strcmp(argv[i], "--list"))
            o->list = true;
        else if (!strcmp(argv[i], "--help"))
            o->help = true;
        else
            return false;
    }
    return true;
}

static bool make_folder(bench *b)
{
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = "/tmp";
    const int length = snprintf(b->folder, sizeof b->folder, "%s/trilobite-bench-XXXXXX", parent);
    return length > 0 && (size_t)length < sizeof b->folder && mkdtemp(b->folder);
}

static size_t run_subjects(bench *b, const char *filter)
{
    size_t run = 0;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        if (filter && !strstr(subjects[i].name, filter))
            continue;
        run++;
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "measuring %s ...\n", subjects[i].name);
        if (!subjects[i].run(b))
            b->failed = true;
    }
    return run;
}

static bool print_results(const bench *b, const options *o)
{
    if (!o->json || o->json_path)
        bench_print_table(b, stdout);
    if (!o->json)
        return true;
    FILE *out = o->json_path ? fopen(o->json_path, "w") : stdout;
    if (!out)
        return bench_fail(o->json_path, "cannot be written");
    bench_print_json(b, out);
    const bool written = !ferror(out);
    return (out == stdout ? !fflush(out) : !fclose(out)) && written;
}

static int measure(const char *program, const options *o)
{
    bench *b = calloc(1, sizeof *b);
    if (!b)
        return 5;
    b->program = program;
    b->corpus = o->corpus;
    b->live = o->json && !o->json_path ? stderr : stdout;
    int status = 4;
    if (make_folder(b)) {
        const size_t run = run_subjects(b, o->filter);
        rmdir(b->folder);
        if (run == 0)
            bench_fail(o->filter, "no subject has that in its name; --list names them");
        status = run == 0 ? 2 : !print_results(b, o) ? 4 : b->failed ? 1 : 0;
    } else
        bench_fail("temporary folder", "cannot be made; TMPDIR says where");
    free(b);
    return status;
}

int main(int argc, char **argv)
{
    options o = {.filter = NULL};
    if (!parse(argc, argv, &o)) {
        fputs(usage, stderr);
        return 2;
    }
    if (o.help)
        fputs(usage, stdout);
    for (size_t i = 0; o.list && i < sizeof subjects / sizeof *subjects; i++)
        printf("%-12s %s\n", subjects[i].name, subjects[i].about);
    return o.help || o.list ? 0 : measure(argv[0], &o);
}

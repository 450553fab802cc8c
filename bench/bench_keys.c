/* bench_keys.c: bytes of clips and how far they are off their source, beside those that Tiny3D's own converter made. */
#define _XOPEN_SOURCE 700
#include "clip_off.h"
#include "twins.h"

#include <trilobite/write.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 64 };

/* A way to write clips. */
typedef struct way {
    const char *name, *target;
    trilo_t3dm_write_opts opts;
} way;

static const way ways[] = {
    {"keys/default", "0.73, no clip worse", {.level = 1}},
    {"keys/0.25-deg-0.25-units", "0.61", {.level = 1, .anim_rotation_error = 0.25, .anim_translation_error = 0.25}},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

typedef struct totals {
    double bytes[WAYS], theirs;
    double worse[WAYS]; /* clips that are larger, or further off without being allowed to */
    uint32_t clips;
} totals;

/* ---- streams ---- */

typedef struct streams {
    char names[STREAMS][64];
    bench_buffer bytes[STREAMS];
    size_t count;
} streams;

static bool keep_stream(void *user, const char *name, trilo_bytes bytes)
{
    streams *s = user;
    if (s->count == STREAMS)
        return false;
    snprintf(s->names[s->count], sizeof s->names[0], "%s", name);
    return bench_keep(&s->bytes[s->count++], bytes.data, bytes.size);
}

static bool give_stream(void *user, const char *name, trilo_bytes *bytes)
{
    const streams *s = user;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->names[i], name) == 0) {
            *bytes = (trilo_bytes){s->bytes[i].bytes, s->bytes[i].size};
            return true;
        }
    return false;
}

/* Written as T3DM and read again. */
static const trilo_model *through(const trilo_model *source, const trilo_t3dm_write_opts *t3dm, trilo_error *err)
{
    streams s = {.count = 0};
    bench_buffer out = {0};
    const trilo_write_opts opts = {
        .format = TRILO_FORMAT_T3DM, .name = "out.t3dm", .companion = keep_stream, .companion_user = &s, .t3dm = t3dm};
    const trilo_load_opts load = {.name = "out.t3dm", .companion = give_stream, .companion_user = &s};
    const trilo_model *model = trilo_model_write(source, &opts, bench_keep, &out, err)
                                   ? trilo_model_load(out.bytes, out.size, &load, err)
                                   : NULL;
    for (size_t i = 0; i < s.count; i++)
        bench_buffer_free(&s.bytes[i]);
    bench_buffer_free(&out);
    return model;
}

/* ---- clips ---- */

static void compare_clip(bench *b, const char *name, const trilo_model *source, const trilo_model *peer,
                         const trilo_model *const made[WAYS], uint32_t clip, totals *sum)
{
    enum { UNITS = 64 };
    const double bytes = bench_clip_bytes(&peer->clips[clip]), off = bench_clip_off(source, peer, clip, UNITS);
    fprintf(b->live, "%-27s %-14.14s %7.0f %8.3f", name, peer->clips[clip].name.data, bytes, off);
    if (off < 0) {
        fprintf(b->live, " | a bone or the clip is not in the source\n");
        return;
    }
    for (int w = 0; w < WAYS; w++) {
        const uint32_t same = bench_clip_named(made[w], peer->clips[clip].name.data);
        if (same == TRILO_NONE) {
            fprintf(b->live, " | left out: it is empty");
            continue;
        }
        const double ours = bench_clip_bytes(&made[w]->clips[same]);
        const double ours_off = bench_clip_off(source, made[w], same, UNITS);
        const bool worse = ours > bytes || (w == 0 && ours_off > off * 1.0001 + 0.001);
        fprintf(b->live, " | %6.0f %.3f %8.3f%s", ours, ours / bytes, ours_off, worse ? " WORSE" : "");
        sum->bytes[w] += ours;
        sum->worse[w] += worse;
    }
    fputc('\n', b->live);
    sum->theirs += bytes;
    sum->clips++;
}

/* A model that is refused is a row. */
static void compare(bench *b, const bench_twin *twin, totals *sum)
{
    trilo_error err = {.text = "there is no .t3dm beside it"};
    const trilo_model *source = twin->has_peer ? bench_twin_load(twin, &err) : NULL, *made[WAYS] = {0};
    const trilo_model *peer = source && source->clip_count > 0 ? trilo_model_load_file(twin->peer, NULL, &err) : NULL;
    bool ok = source != NULL && (peer || source->clip_count == 0);
    for (int w = 0; ok && peer && peer->clip_count > 0 && w < WAYS; w++)
        ok = (made[w] = through(source, &ways[w].opts, &err)) != NULL;
    if (!ok)
        bench_twin_refused(b, twin, err.text);
    for (uint32_t i = 0; ok && peer && i < peer->clip_count; i++)
        compare_clip(b, twin->name, source, peer, made, i, sum);
    for (int w = 0; w < WAYS; w++)
        trilo_model_free(made[w]);
    trilo_model_free(peer);
    trilo_model_free(source);
}

static void print_head(bench *b)
{
    fprintf(b->live, "%-27s %-14s %7s %8s", "keys: model", "clip", "theirs", "off");
    for (int w = 0; w < WAYS; w++)
        fprintf(b->live, " | %-21s off", ways[w].name + 5);
    fputc('\n', b->live);
}

static void add_totals(bench *b, const totals *sum)
{
    for (int w = 0; w < WAYS; w++) {
        bench_add_size(b, &(bench_size){ways[w].name, "bytes of clips", sum->bytes[w], sum->theirs, ways[w].target});
        bench_add_size(b, &(bench_size){ways[w].name, "clips worse", sum->worse[w], sum->clips, "0"});
    }
}

bool bench_keys_corpus(bench *b)
{
    bench_twins all;
    totals sum = {0};
    if (!bench_twins_find(b, &all))
        bench_skip(b, "keys-corpus", "no t3dm/*/assets/*.glb in the corpus (TRILOBITE_CORPUS, --corpus)");
    else
        print_head(b);
    for (size_t i = 0; i < all.count; i++)
        compare(b, &all.rows[i], &sum);
    bench_twins_free(&all);
    if (sum.clips > 0)
        add_totals(b, &sum);
    return true;
}

/* ---- growth ---- */

/* A triangle that turns and wanders, by noise that no line fits. */
typedef struct wanderer {
    trilo_model model;
    trilo_mesh mesh;
    trilo_node node;
    trilo_clip clip;
    trilo_channel channels[2];
    double *times;
    float *values;
} wanderer;

static bool make_wanderer(wanderer *w, uint32_t keys)
{
    static const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t indices[3] = {0, 1, 2};
    uint32_t seed = 1;
    float x = 0;
    w->times = calloc(keys, sizeof *w->times);
    w->values = calloc(keys, 7 * sizeof *w->values);
    if (!w->times || !w->values)
        return bench_fail("keys-growth", "no memory");
    for (uint32_t i = 0; i < keys; i++) {
        seed = seed * 1664525u + 1013904223u;
        x += (float)(seed >> 8) / (1 << 25) - 0.25f;
        w->times[i] = i / 60.0;
        w->values[3 * i] = x;
        const float q[4] = {x, 1, 0, 3}, length = sqrtf(x * x + 10);
        for (int k = 0; k < 4; k++)
            w->values[3 * keys + 4 * i + (uint32_t)k] = q[k] / length;
    }
    w->mesh = (trilo_mesh){.material = TRILO_NONE,
                           .skin = TRILO_NONE,
                           .vertex_count = 3,
                           .index_count = 3,
                           .positions = corners,
                           .indices = indices};
    w->node = (trilo_node){.parent = TRILO_NONE, .rotation.w = 1, .scale = {1, 1, 1}};
    for (int i = 0; i < 4; i++)
        w->node.local.m[5 * i] = 1;
    w->channels[0] =
        (trilo_channel){.target = TRILO_TARGET_TRANSLATION, .key_count = keys, .times = w->times, .values = w->values};
    w->channels[1] = (trilo_channel){
        .target = TRILO_TARGET_ROTATION, .key_count = keys, .times = w->times, .values = w->values + 3 * (size_t)keys};
    w->clip = (trilo_clip){.duration = w->times[keys - 1], .channel_count = 2, .channels = w->channels};
    w->model = (trilo_model){.format = TRILO_FORMAT_GLTF,
                             .mesh_count = 1,
                             .node_count = 1,
                             .clip_count = 1,
                             .meshes = &w->mesh,
                             .nodes = &w->node,
                             .clips = &w->clip};
    return true;
}

static bool drop_companion(void *user, const char *name, trilo_bytes bytes)
{
    (void)user, (void)name, (void)bytes;
    return true;
}

static bool run_growth(void *context)
{
    const wanderer *w = context;
    bench_buffer out = {0};
    trilo_error err = {0};
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM, .name = "out.t3dm", .companion = drop_companion};
    const bool ok = trilo_model_write(&w->model, &opts, bench_keep, &out, &err) || bench_fail("keys-growth", err.text);
    bench_buffer_free(&out);
    return ok;
}

bool bench_keys_growth(bench *b)
{
    static const struct {
        const char *name, *target;
        uint32_t keys;
    } sizes[] = {
        {"keys-growth/1k", NULL, 1000}, {"keys-growth/10k", "linear", 10000}, {"keys-growth/60k", "linear", 60000}};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof sizes / sizeof *sizes; i++) {
        wanderer w = {0};
        bench_task task = {.name = sizes[i].name, .run = run_growth, .context = &w};
        ok = make_wanderer(&w, sizes[i].keys) && bench_time(&task, 1, 3);
        if (ok)
            bench_add(b, &task, 2.0 * sizes[i].keys, "keys")->target = sizes[i].target;
        free(w.times);
        free(w.values);
    }
    return ok;
}

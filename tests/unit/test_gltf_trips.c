/* Real models sent through every format and back: what stays the same, and how nearly.
 *
 * The limits follow from the numbers of the formats, never from what comes out:
 *   T3DM   a position is a whole number on each axis, 64 to the meter; colours are cut to 1/255, texture coordinates to
 *          1/32 texel. A vertex follows one bone. Rotations have three parts of 10 bits.
 *   Model  positions as in T3DM, colours rounded to 1/255, texture coordinates to 1/2048; motion is frames.
 *   NLM, glTF  32-bit floats. */
#include "harness.h"
#include "support/gltf_written.h"
#include "support/trip.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOMENTS = 5, METER = 64 };

/* Half a unit on each of three axes. */
static const double ROUNDED = 0.8660254038 / METER;
/* Of the largest coordinate, through a dozen matrices of 32-bit floats. */
static const double FLOATS = 1e-5;

/* --- lists of files --- */

typedef struct files {
    char (*paths)[512];
    uint32_t count;
} files;

static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static void find_files(const char *folder, const char *ending, int depth, files *out)
{
    DIR *dir = opendir(folder);
    for (const struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        char path[512];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (!ends_in(path, ending)) {
            if (depth > 0)
                find_files(path, ending, depth - 1, out);
            continue;
        }
        out->paths = realloc(out->paths, (out->count + 1) * sizeof *out->paths);
        CHECK(out->paths);
        memcpy(out->paths[out->count++], path, sizeof path);
    }
    if (dir)
        closedir(dir);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static files corpus_files(const char *folder, const char *const *endings, uint32_t least)
{
    files out = {0};
    char root[512];
    snprintf(root, sizeof root, "%s", test_corpus(folder));
    for (; *endings; endings++)
        find_files(root, *endings, 3, &out);
    CHECK(out.count >= least);
    qsort(out.paths, out.count, sizeof *out.paths, by_name);
    return out;
}

static const trilo_model *load(const char *path)
{
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load_file(path, NULL, &err);
    if (!model)
        FAIL("%s: %s: %s", path, err.rule, err.text);
    return model;
}

/* Every model of the lists below can be written in every format. */
static void go(trip_leg *leg, const trilo_model *from, trilo_format to, const trilo_write_opts *opts, const char *path)
{
    trip_start(leg, from, to, opts);
    if (!leg->model)
        FAIL("%s: %s %s: %s", path, leg->err.rule, leg->err.path, leg->err.text);
}

/* "09_anim_viewer/cath.glb" */
static const char *short_name(const char *path)
{
    static char name[128];
    const char *file = strrchr(path, '/') + 1, *example = strstr(path, "/t3dm/");
    if (example)
        snprintf(name, sizeof name, "%.*s/%s", (int)strcspn(example + 6, "/"), example + 6, file);
    else
        snprintf(name, sizeof name, "%s", file);
    return name;
}

/* --- one comparison after the other --- */

/* All that is compared about one model and another. */
typedef struct trip {
    const char *name, *way;
    const trilo_model *want, *got;
    trip_view want_view, got_view;
    trip_limits limits;
    uint32_t left_out; /* faces of `want` that `got` may lack */
    double floats;     /* of the largest coordinate, besides limits.position */
    trip_errors rest, moving;
    uint32_t moments, clips;
    double duration; /* the largest difference */
} trip;

static uint32_t problems; /* of the test that runs */

static double largest_of(const trip_soup *soup)
{
    double most = 0;
    for (uint32_t i = 0; i < soup->count; i++)
        for (int c = 0; c < soup->faces[i].sides; c++)
            for (int k = 0; k < 3; k++)
                most = fmax(most, fabs(soup->faces[i].corners[c].position[k]));
    return most;
}

static void compare_views(trip *t, const trip_view *want_view, const trip_view *got_view, trip_errors *sum)
{
    trip_soup want = trip_soup_of(t->want, want_view), got = trip_soup_of(t->got, got_view);
    trip_limits limits = t->limits;
    trip_errors e = {0};
    limits.position += t->floats * largest_of(&want);
    trip_compare(&got, &want, &limits, &e);
    if (e.unmatched > 0 || e.missing != t->left_out) {
        problems++;
        printf("%s %s: clip %d at %g: %u of %u faces match nothing, the first is %g off, uv %g, colour %g; %u of %u "
               "are missing\n",
               t->name, t->way, (int)want_view->clip, want_view->seconds, e.unmatched, e.faces, e.nearest[0],
               e.nearest[1], e.nearest[2], e.missing, want.count);
    }
    sum->faces = e.faces > sum->faces ? e.faces : sum->faces;
    sum->position = fmax(sum->position, e.position);
    sum->part = fmax(sum->part, e.part);
    sum->uv = fmax(sum->uv, e.uv);
    sum->color = fmax(sum->color, e.color);
    sum->repeated += e.repeated;
    trip_soup_free(&want);
    trip_soup_free(&got);
}

static void compare_rest(trip *t)
{
    t->want_view.clip = t->got_view.clip = TRILO_NONE;
    compare_views(t, &t->want_view, &t->got_view, &t->rest);
}

static void compare_moment(trip *t, uint32_t want_clip, double want_seconds, uint32_t got_clip, double got_seconds)
{
    trip_view want = t->want_view, got = t->got_view;
    want.clip = want_clip;
    want.seconds = want_seconds;
    got.clip = got_clip;
    got.seconds = got_seconds;
    compare_views(t, &want, &got, &t->moving);
    t->moments++;
}

static void compare_durations(trip *t, double want, double got)
{
    const double off = fabs(want - got);
    t->duration = fmax(t->duration, off);
    t->clips++;
    if (off > 1e-6 * fmax(1, want)) {
        problems++;
        printf("%s %s: a clip lasts %.9g instead of %.9g seconds\n", t->name, t->way, got, want);
    }
}

/* Five moments on ticks of 1/60 second, at which every format must be right, from `start` of the wanted clip on. */
static void compare_ticks(trip *t, uint32_t want_clip, double start, uint32_t got_clip)
{
    const double length = t->want->clips[want_clip].duration - start;
    const uint32_t last = (uint32_t)(length * 60 + 1e-4);
    compare_durations(t, length, t->got->clips[got_clip].duration);
    for (uint32_t i = 0; i < MOMENTS; i++) {
        const double seconds = (last * i / (MOMENTS - 1)) / 60.0;
        compare_moment(t, want_clip, start + seconds, got_clip, seconds);
    }
}

static void say(const trip *t)
{
    printf("%-36s %-12s %6u faces: at rest %.2e (%3.0f %%), uv %.2e, colour %.2e", t->name, t->way, t->rest.faces,
           t->rest.position, 100 * t->rest.part, t->rest.uv, t->rest.color);
    if (t->moments > 0)
        printf("; %u moments of %u clips %.2e (%3.0f %%), duration %.1e", t->moments, t->clips, t->moving.position,
               100 * t->moving.part, t->duration);
    printf("\n");
}

/* --- T3DM --- */

/* The worst that 10 bits do to a rotation: half a step of sqrt(2) / 1023 in each of three parts, and what follows for
 * the fourth, which is 1/2 at least (0.0024); keys left out within 0.0003 of a part (0.0006); an arc of 0.45 on which
 * the console goes straight and we go evenly (0.0015). The angle is twice that. */
static const trip_wear t3dm_wear = {.spot = ROUNDED,
                                    .angle = 2 * (0.0024 + 0.0006 + 0.0015),
                                    .number = 3e-4,
                                    .place = 3e-4 / METER,
                                    .span = 1.0 / 65535};

static double first_key(const trilo_clip *clip)
{
    double start = INFINITY;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].key_count > 0)
            start = fmin(start, clip->channels[i].times[0]);
    return start > 0 && start < INFINITY ? start : 0;
}

static bool same_clip(const trilo_model *want, uint32_t clip, const trilo_clip *got)
{
    char made[24];
    snprintf(made, sizeof made, "clip%u", clip);
    return strcmp(got->name.data, want->clips[clip].name.len > 0 ? want->clips[clip].name.data : made) == 0;
}

/* Clips that T3DM has no place for are left out; the others keep their order. */
static uint32_t compare_t3dm_clips(trip *t)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < t->want->clip_count; i++)
        if (next < t->got->clip_count && same_clip(t->want, i, &t->got->clips[next]))
            compare_ticks(t, i, first_key(&t->want->clips[i]), next++);
    CHECK_INT(next, t->got->clip_count);
    return t->want->clip_count - next;
}

/* From glTF to T3DM, and to glTF again. */
static void t3dm_and_back(const char *path)
{
    const trilo_model *source = load(path);
    trip_copy strongest;
    trip_leg there, back;
    trip_strongest(&strongest, source);
    go(&there, source, TRILO_FORMAT_T3DM, NULL, path);
    go(&back, there.model, TRILO_FORMAT_GLTF, NULL, path);
    for (int way = 0; way < 2; way++) {
        trip t = {.name = short_name(path),
                  .way = way ? "t3dm glb" : "t3dm",
                  .want = &strongest.model,
                  .got = way ? back.model : there.model,
                  .want_view = {.tint = TRIP_TINT_PLAIN, .wear = t3dm_wear},
                  .got_view = {.scale = way ? 1 : 1.0 / METER},
                  .limits = {.uv = 1e-6, .uv_steps = 32, .uv_repeats = true, .color = 1 / 255.0 + 1e-6},
                  .left_out = there.left_out,
                  .floats = FLOATS};
        compare_rest(&t);
        const uint32_t lost = compare_t3dm_clips(&t);
        CHECK((lost > 0) == (trip_told(&there, "T3DM-LOST-CLIP") || trip_told(&there, "T3DM-LOST-FRAMES")));
        say(&t);
    }
    trip_end(&back);
    trip_end(&there);
    trip_copy_free(&strongest);
    trilo_model_free(source);
}

static void each_file(const char *folder, const char *const *endings, uint32_t least, void (*compare)(const char *path))
{
    files f = corpus_files(folder, endings, least);
    problems = 0;
    for (uint32_t i = 0; i < f.count; i += test_rounds(1, TEST_EMULATED ? 6 : TEST_SLOW ? 3 : 1))
        compare(f.paths[i]);
    free(f.paths);
    CHECK_INT(problems, 0);
}

static const char *const gltf_endings[] = {".glb", ".gltf", NULL};

TEST(khronos_models_through_t3dm)
{
    each_file("gltf", gltf_endings, 23, t3dm_and_back);
}

TEST(tiny3d_models_through_t3dm)
{
    each_file("t3dm", gltf_endings, 41, t3dm_and_back);
}

/* --- NLM --- */

static uint32_t first_of_nodes(const trilo_model *model)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (model->clips[i].channel_count > 0 || model->clips[i].track_count == 0)
            return i;
    return TRILO_NONE;
}

static void compare_nlm_clip(trip *t)
{
    const uint32_t clip = first_of_nodes(t->want);
    CHECK_INT(t->got->clip_count, clip == TRILO_NONE ? 0 : 1);
    if (clip != TRILO_NONE)
        compare_ticks(t, clip, 0, 0);
}

static void nlm_and_back(const char *path)
{
    const trilo_model *source = load(path);
    trip_leg there, back;
    go(&there, source, TRILO_FORMAT_NLM, NULL, path);
    go(&back, there.model, TRILO_FORMAT_GLTF, NULL, path);
    for (int way = 0; way < 2; way++) {
        trip t = {.name = short_name(path),
                  .way = way ? "nlm glb" : "nlm",
                  .want = source,
                  .got = way ? back.model : there.model,
                  .want_view = {.tint = TRIP_TINT_ALL},
                  .got_view = {.tint = TRIP_TINT_ALL},
                  .limits = {.uv = 1e-6, .color = 1e-6, .no_alpha = true},
                  .floats = FLOATS};
        compare_rest(&t);
        compare_nlm_clip(&t);
        say(&t);
    }
    trip_end(&back);
    trip_end(&there);
    trilo_model_free(source);
}

TEST(khronos_models_through_nlm)
{
    each_file("gltf", gltf_endings, 23, nlm_and_back);
}

TEST(tiny3d_models_through_nlm)
{
    each_file("t3dm", gltf_endings, 41, nlm_and_back);
}

/* From NLM to glTF, and to NLM again. */
static void nlm_through_gltf(const char *path)
{
    const trilo_model *source = load(path);
    trip_leg there, back;
    go(&there, source, TRILO_FORMAT_GLTF, NULL, path);
    go(&back, there.model, TRILO_FORMAT_NLM, NULL, path);
    for (int way = 0; way < 2; way++) {
        trip t = {.name = short_name(path),
                  .way = way ? "glb nlm" : "glb",
                  .want = source,
                  .got = way ? back.model : there.model,
                  .want_view = {.tint = TRIP_TINT_ALL, .nan_is_0 = trip_told(&there, "GLTF-WRITE-NAN")},
                  .got_view = {.tint = TRIP_TINT_ALL},
                  .limits = {.uv = 1e-6, .color = 1e-6},
                  .floats = FLOATS};
        compare_rest(&t);
        compare_nlm_clip(&t);
        say(&t);
    }
    trip_end(&back);
    trip_end(&there);
    trilo_model_free(source);
}

TEST(nlm_through_gltf_and_back)
{
    each_file("nlm", (const char *const[]){".nlm", NULL}, 15, nlm_through_gltf);
}

/* --- T3DM to glTF --- */

static void t3dm_through_gltf(const char *path)
{
    const trilo_model *source = load(path);
    trip_leg there, back;
    go(&there, source, TRILO_FORMAT_GLTF, NULL, path);
    go(&back, there.model, TRILO_FORMAT_T3DM, NULL, path);
    for (int way = 0; way < 2; way++) {
        trip t = {.name = short_name(path),
                  .way = way ? "glb t3dm" : "glb",
                  .want = source,
                  .got = way ? back.model : there.model,
                  .got_view = {.scale = way ? 1 : METER},
                  .limits = {.uv = 1e-6, .color = 1e-6},
                  .left_out = way ? back.left_out : 0,
                  .floats = FLOATS};
        /* The same bits again, but keys may be left out, and the range of numbers with them. */
        if (way)
            t.want_view.wear =
                (trip_wear){.angle = 2 * (0.0006 + 0.0015), .number = 3e-4, .place = 3e-4, .span = 1.0 / 65535};
        compare_rest(&t);
        CHECK_INT(t.got->clip_count, source->clip_count);
        for (uint32_t i = 0; i < source->clip_count; i++)
            compare_ticks(&t, i, 0, i);
        say(&t);
    }
    trip_end(&back);
    trip_end(&there);
    trilo_model_free(source);
}

TEST(t3dm_through_gltf_and_back)
{
    each_file("t3dm", (const char *const[]){".t3dm", NULL}, 42, t3dm_through_gltf);
}

/* --- Model --- */

/* When the frame shows, in the source: evenly sampled, or frames of its own. */
static double frame_seconds(const trilo_clip *want, uint32_t frame, uint32_t count)
{
    if (want->channel_count == 0 && want->track_count > 0) /* glTF repeats the last one where the clip ends */
        return frame < want->tracks[0].frame_count ? want->tracks[0].frames[frame].time : want->duration;
    return count > 1 ? frame * want->duration / (count - 1) : 0;
}

/* `fractions`: times of `got` count parts of the clip. */
static void compare_frames(trip *t, bool fractions)
{
    CHECK_INT(t->got->clip_count, t->want->clip_count);
    for (uint32_t i = 0; i < t->want->clip_count; i++) {
        const trilo_clip *want = &t->want->clips[i], *got = &t->got->clips[i];
        CHECK(got->track_count > 0);
        const uint32_t last = got->tracks[0].frame_count - 1;
        t->want_view.mode = want->channel_count > 0 ? TRILO_FRAME_MODE_BLEND : TRILO_FRAME_MODE_HOLD;
        compare_durations(t, fractions ? 1 : want->duration, got->duration);
        if (t->got->format == TRILO_FORMAT_GLTF)
            CHECK(got->tracks[0].held); /* as the game shows a Model */
        for (uint32_t k = 0; k < MOMENTS; k++) {
            const uint32_t frame = last * k / (MOMENTS - 1);
            compare_moment(t, i, frame_seconds(want, frame, last + 1), i, got->tracks[0].frames[frame].time);
        }
    }
}

static void to_model64(const char *path)
{
    const trilo_model *source = load(path);
    const trilo_write_opts opts = {.model64 = &(trilo_model64_write_opts){.merge_materials = true}};
    trip_leg there;
    go(&there, source, TRILO_FORMAT_MODEL64, &opts, path);
    trip t = {.name = short_name(path),
              .way = "model",
              .want = source,
              .got = there.model,
              .want_view = {.tint = TRIP_TINT_ALL},
              .got_view = {.tint = TRIP_TINT_ALL, .scale = 1.0 / METER},
              .limits = {.position = ROUNDED, .uv = 1.5 / 2048, .uv_most = 16, .color = 0.5 / 255 + 1e-6},
              .left_out = there.left_out,
              .floats = FLOATS};
    compare_rest(&t);
    compare_frames(&t, true);
    say(&t);
    trip_end(&there);
    trilo_model_free(source);
}

TEST(khronos_models_to_model64)
{
    each_file("gltf", gltf_endings, 23, to_model64);
}

static void model64_through_gltf(const char *path)
{
    const trilo_model *source = load(path);
    const trilo_write_opts opts = {.model64 = &(trilo_model64_write_opts){.time = TRILO_MODEL64_TIME_SECONDS}};
    trip_leg there, back;
    go(&there, source, TRILO_FORMAT_GLTF, NULL, path);
    go(&back, there.model, TRILO_FORMAT_MODEL64, &opts, path);
    for (int way = 0; way < 2; way++) {
        trip t = {.name = short_name(path),
                  .way = way ? "glb model" : "glb",
                  .want = source,
                  .got = way ? back.model : there.model,
                  .got_view = {.scale = way ? 1 : METER},
                  .limits = {.uv = way ? 1 / 2048.0 : 1e-6, .color = 1e-6}, /* the RSP drops the last bit */
                  .left_out = way ? back.left_out : 0,
                  .floats = FLOATS};
        compare_rest(&t);
        compare_frames(&t, false);
        say(&t);
    }
    trip_end(&back);
    trip_end(&there);
    trilo_model_free(source);
}

TEST(model64_through_gltf_and_back)
{
    each_file("model64", (const char *const[]){".model", NULL}, 15, model64_through_gltf);
}

/* --- the comparison itself --- */

/* What is left over of a square of two triangles when `change` was done to it. */
static trip_errors compare_leaves(void (*change)(leaf *l))
{
    const trip_view view = {.clip = TRILO_NONE};
    const trip_limits limits = {.position = 0.1, .uv = 0.1, .color = 0.1};
    trip_errors e = {0};
    leaf plain, changed;
    leaf_fill(&plain);
    leaf_fill(&changed);
    plain.meshes[0].uvs = (const float(*)[2])plain.uvs;
    changed.meshes[0].uvs = (const float(*)[2])changed.uvs;
    plain.meshes[0].colors = (const float(*)[4])plain.colors;
    changed.meshes[0].colors = (const float(*)[4])changed.colors;
    change(&changed);
    trip_soup want = trip_soup_of(&plain.model, &view), got = trip_soup_of(&changed.model, &view);
    trip_compare(&got, &want, &limits, &e);
    trip_soup_free(&want);
    trip_soup_free(&got);
    return e;
}

static void swap_triangles(leaf *l)
{
    for (int k = 0; k < 3; k++) {
        const uint32_t index = l->indices[k];
        l->indices[k] = l->indices[3 + (k + 1) % 3];
        l->indices[3 + (k + 1) % 3] = index;
    }
}

static void move_a_little(leaf *l)
{
    for (int i = 0; i < LEAF_VERTICES; i++)
        l->positions[i][2] += 0.05f;
}

static void move_one_corner(leaf *l)
{
    l->positions[l->indices[0]][2] += 0.2f;
}

static void turn_over(leaf *l)
{
    const uint32_t index = l->indices[0];
    l->indices[0] = l->indices[1];
    l->indices[1] = index;
}

static void drop_one(leaf *l)
{
    l->meshes[0].index_count = 3;
}

static void double_one(leaf *l)
{
    for (int k = 0; k < 3; k++)
        l->indices[3 + k] = l->indices[k];
}

static void move_uvs(leaf *l)
{
    for (int i = 0; i < LEAF_VERTICES; i++)
        l->uvs[i][0] += 2;
}

static void paint(leaf *l)
{
    for (int i = 0; i < LEAF_VERTICES; i++)
        l->colors[i][1] = l->colors[i][1] > 0.5f ? 0 : 1;
}

TEST(the_comparison_sees_what_differs)
{
    static const struct {
        void (*change)(leaf *l);
        uint32_t unmatched, missing;
    } rows[] = {{swap_triangles, 0, 0}, {move_a_little, 0, 0}, {turn_over, 1, 1}, {drop_one, 0, 1},
                {double_one, 1, 1},     {move_uvs, 2, 2},      {paint, 2, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const trip_errors e = compare_leaves(rows[i].change);
        CHECK_INT(e.unmatched, rows[i].unmatched);
        CHECK_INT(e.missing, rows[i].missing);
    }
    CHECK_NEAR(compare_leaves(move_a_little).position, 0.05, 1e-6);
    CHECK_NEAR(compare_leaves(move_a_little).part, 0.5, 1e-5);
    CHECK(compare_leaves(move_one_corner).unmatched > 0);
}

/* --- by hand --- */

TEST(a_mirrored_mesh_is_not_inside_out)
{
    const trip_view view = {.clip = TRILO_NONE};
    const trip_limits limits = {.position = 1e-6, .uv = 1e-6, .color = 1e-6};
    static const trilo_format formats[] = {TRILO_FORMAT_NLM, TRILO_FORMAT_T3DM, TRILO_FORMAT_MODEL64,
                                           TRILO_FORMAT_GLTF};
    leaf l;
    leaf_fill(&l);
    leaf_use_nodes(&l, 1);
    l.nodes[0].scale.x = l.nodes[0].local.m[0] = -1;
    l.meshes[0].node = 0;
    l.model.format = TRILO_FORMAT_GLTF;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const bool console = formats[i] == TRILO_FORMAT_T3DM || formats[i] == TRILO_FORMAT_MODEL64;
        const trip_view there_view = {.clip = TRILO_NONE, .scale = console ? 1.0 / METER : 1};
        trip_leg there;
        trip_errors e = {0};
        go(&there, &l.model, formats[i], NULL, "leaf");
        trip_soup want = trip_soup_of(&l.model, &view), got = trip_soup_of(there.model, &there_view);
        trip_compare(&got, &want, &limits, &e);
        CHECK_INT(e.faces, 2);
        CHECK_INT(e.unmatched, 0);
        trip_soup_free(&want);
        trip_soup_free(&got);
        trip_end(&there);
    }
}

TEST(a_clip_may_end_before_its_last_key)
{
    trilo_write_opts plain = {.gltf = &(trilo_gltf_write_opts){.plain = true}};
    trip_leg there;
    leaf l;
    leaf_fill(&l);
    leaf_use_nodes(&l, 2);
    leaf_use_clip(&l);
    l.clip.duration = 2.71; /* of keys up to 3 */
    go(&there, &l.model, TRILO_FORMAT_GLTF, NULL, "leaf");
    CHECK_NEAR(there.model->clips[0].duration, 2.71, 0);
    CHECK_INT(there.model->clips[0].channels[0].key_count, 4);
    trip_end(&there);
    go(&there, &l.model, TRILO_FORMAT_GLTF, &plain, "leaf"); /* what any other program sees */
    CHECK_NEAR(there.model->clips[0].duration, 3, 0);
    trip_end(&there);
    l.clip.duration = 3.5;
    go(&there, &l.model, TRILO_FORMAT_GLTF, NULL, "leaf"); /* the end is held by a key */
    CHECK_NEAR(there.model->clips[0].duration, 3.5, 0);
    CHECK_INT(there.model->clips[0].channels[0].key_count, 5);
    trip_end(&there);
}

/* 44 texels: no power of two, so 1/32 texel is no short binary fraction. */
TEST(texels_are_not_cut_off)
{
    enum { TEXELS = 44, STEPS = 32 * TEXELS };
    uint32_t below = 0;
    leaf l;
    leaf_fill(&l);
    leaf_use_material(&l);
    l.model.format = TRILO_FORMAT_T3DM;
    l.material.n64 = &l.n64;
    l.n64.tiles[0].width = l.n64.tiles[0].height = TEXELS;
    l.meshes[0].uvs = (const float(*)[2])l.uvs;
    for (int n = -STEPS; n <= STEPS; n += LEAF_VERTICES) {
        trip_leg there;
        for (int i = 0; i < LEAF_VERTICES; i++)
            l.uvs[i][0] = l.uvs[i][1] = (float)((n + i) / (double)STEPS);
        go(&there, &l.model, TRILO_FORMAT_GLTF, NULL, "leaf");
        for (int i = 0; i < LEAF_VERTICES; i++) {
            below += there.model->meshes[0].uvs[i][0] != l.uvs[i][0];
            for (int k = 0; k < 2; k++)
                CHECK_INT((int)((float)(there.model->meshes[0].uvs[i][k] * (double)TEXELS) * 32.0f), n + i);
        }
        trip_end(&there);
    }
    CHECK(below > 0 && below < STEPS);
}

TEST_MAIN(CASE(the_comparison_sees_what_differs), CASE(a_mirrored_mesh_is_not_inside_out),
          CASE(a_clip_may_end_before_its_last_key), CASE(texels_are_not_cut_off), CASE(khronos_models_through_t3dm),
          CASE(khronos_models_through_nlm), CASE(khronos_models_to_model64), CASE(tiny3d_models_through_t3dm),
          CASE(tiny3d_models_through_nlm), CASE(nlm_through_gltf_and_back), CASE(t3dm_through_gltf_and_back),
          CASE(model64_through_gltf_and_back))

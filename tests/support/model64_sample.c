#include "support/model64_sample.h"

#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the model --- */

const trilo_mat4 sample_identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

const uint32_t sample_cube[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

void sample_fill(sample *s)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++)
            s->positions[i][k] = i >> k & 1 ? 0.5f : -0.5f;
        s->weights[i][0] = 1;
    }
    memcpy(s->indices, sample_cube, sizeof sample_cube);
    for (uint32_t i = 0; i < SAMPLE_MATERIALS; i++) {
        s->meshes[i] = (trilo_mesh){.material = TRILO_NONE,
                                    .node = TRILO_NONE,
                                    .skin = TRILO_NONE,
                                    .vertex_count = 8,
                                    .index_count = 36,
                                    .positions = (const float(*)[3])s->positions,
                                    .indices = s->indices};
        s->materials[i] = (trilo_material){.base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    }
    for (uint32_t i = 0; i < 2; i++) {
        s->nodes[i] = (trilo_node){
            .parent = i == 0 ? TRILO_NONE : 0, .rotation.w = 1, .scale = {1, 1, 1}, .local = sample_identity};
        s->joint[i] = (trilo_joint){i, sample_identity};
    }
    s->skin = (trilo_skin){2, s->joint};
    s->times[1] = 1;
    s->channel =
        (trilo_channel){.target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = s->times, .values = s->values};
    s->track = (trilo_track){.frame_count = SAMPLE_FRAMES, .frames = s->frames};
    for (uint32_t i = 0; i < SAMPLE_FRAMES; i++) {
        memcpy(s->frame_positions[i], s->positions, sizeof s->positions);
        s->frames[i] = (trilo_frame){.time = i, .positions = (const float(*)[3])s->frame_positions[i]};
    }
    s->clip = (trilo_clip){.duration = 1};
    s->model = (trilo_model){.mesh_count = 1, .meshes = s->meshes};
}

void use_materials(sample *s, uint32_t count)
{
    s->model.materials = s->materials;
    s->model.material_count = s->model.mesh_count = count;
    for (uint32_t i = 0; i < count; i++)
        s->meshes[i].material = i;
}

void use_node(sample *s)
{
    s->model.nodes = s->nodes;
    s->model.node_count = 2;
    s->meshes[0].node = 1;
}

void use_clip(sample *s)
{
    s->model.clips = &s->clip;
    s->model.clip_count = 1;
}

void use_channel(sample *s)
{
    use_node(s);
    use_clip(s);
    s->channel.node = 1;
    s->values[3] = 1;
    s->clip.channels = &s->channel;
    s->clip.channel_count = 1;
}

void use_track(sample *s)
{
    use_clip(s);
    s->clip.tracks = &s->track;
    s->clip.track_count = 1;
    s->clip.duration = SAMPLE_FRAMES - 1;
}

void sample_scale(sample *s, float by)
{
    for (uint32_t i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) {
            s->positions[i][k] *= by;
            for (uint32_t f = 0; f < SAMPLE_FRAMES; f++)
                s->frame_positions[f][i][k] *= by;
        }
}

/* --- writing and reading again --- */

static void append(char *to, size_t room, const char *text)
{
    const size_t used = strlen(to);
    snprintf(to + used, room - used, "%s ", text);
}

static void note(void *user, const trilo_finding *finding)
{
    result *r = user;
    append(r->heard, sizeof r->heard, finding->rule);
    append(r->texts, sizeof r->texts, finding->text);
}

result encode(const trilo_model *model, const trilo_model64_write_opts *model64)
{
    result r = {.ok = false};
    trilo_write_opts opts = {.format = TRILO_FORMAT_MODEL64, .on_finding = note, .on_finding_user = &r};
    if (model64)
        opts.model64 = model64;
    r.ok = trilo_model_write(model, &opts, buffer_sink, &r.file, &r.err);
    return r;
}

uint32_t result_word(const result *r, size_t at)
{
    if (!r->ok)
        FAIL("%s at %s: %s", r->err.rule, r->err.path, r->err.text);
    CHECK(at + 4 <= r->file.size);
    const uint8_t *p = r->file.data + at;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* What is written must not need the words that checks have for damage and for a bad exporter. */
static void fail_warning(void *user, const trilo_finding *finding)
{
    const char *const *allowed = user;
    for (; allowed && *allowed; allowed++)
        if (strcmp(*allowed, finding->rule) == 0)
            return;
    if (finding->severity > TRILO_SEVERITY_NOTE)
        FAIL("%s at %s: %s", finding->rule, finding->path, finding->text);
}

const trilo_model *read_as(const result *r, trilo_model64_colors colors, const char *const *allowed)
{
    trilo_error err = {0};
    if (!r->ok)
        FAIL("%s at %s: %s", r->err.rule, r->err.path, r->err.text);
    const trilo_load_opts opts = {.on_finding = fail_warning,
                                  .on_finding_user = (void *)(uintptr_t)allowed,
                                  .model64 = &(trilo_model64_load_opts){.colors = colors}};
    const trilo_model *model = trilo_model_load(r->file.data, r->file.size, &opts, &err);
    if (!model)
        FAIL("%s at %s: %s", err.rule, err.path, err.text);
    return model;
}

const trilo_model *again(const result *r)
{
    return read_as(r, TRILO_MODEL64_COLORS_RGBA, NULL);
}

void done(result *r, const trilo_model *model)
{
    trilo_model_free(model);
    buffer_free(&r->file);
}

void check_refused(const trilo_model *model, const trilo_model64_write_opts *opts, trilo_code code, const char *rule)
{
    result r = encode(model, opts);
    CHECK(!r.ok);
    CHECK_STR(r.err.rule, rule);
    CHECK_INT(r.err.code, code);
    CHECK(r.err.text[0] != '\0');
    CHECK_INT(r.file.size, 0);
    done(&r, NULL);
}

/* --- triangles, to be compared --- */

/* Every triangle as a row of whole numbers: its slot, then three corners, from the smallest one on. */
typedef struct triangles {
    size_t count, width, corner_width;
    int32_t *rows;
} triangles;

int32_t nearest_whole(double value)
{
    return (int32_t)floor(value + 0.5);
}

static size_t frame_total(const trilo_model *model)
{
    size_t total = 0;
    for (uint32_t i = 0; i < model->clip_count; i++)
        total += model->clips[i].track_count > 0 ? model->clips[i].tracks[0].frame_count : 1;
    return total;
}

const trilo_track *track_of(const trilo_clip *clip, uint32_t mesh)
{
    for (uint32_t i = 0; i < clip->track_count; i++)
        if (clip->tracks[i].mesh == mesh)
            return &clip->tracks[i];
    return NULL;
}

static int32_t *put3(int32_t *out, const float v[3], double unit)
{
    for (int k = 0; k < 3; k++)
        *out++ = v ? nearest_whole(unit * v[k]) : 0;
    return out;
}

static int32_t *put_frames(int32_t *out, const trilo_model *model, uint32_t number, uint32_t vertex)
{
    const trilo_mesh *mesh = &model->meshes[number];
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const trilo_track *track = track_of(&model->clips[i], number);
        if (!track) {
            out = put3(out, mesh->positions[vertex], 1);
            out = put3(out, mesh->normals ? mesh->normals[vertex] : NULL, 128);
        }
        for (uint32_t k = 0; track && k < track->frame_count; k++) {
            const trilo_frame *f = &track->frames[k];
            out = put3(out, f->positions[vertex], 1);
            out = put3(out, f->normals ? f->normals[vertex] : mesh->normals ? mesh->normals[vertex] : NULL, 128);
        }
    }
    return out;
}

static void put_corner(int32_t *out, const trilo_model *model, uint32_t number, uint32_t vertex)
{
    const trilo_mesh *mesh = &model->meshes[number];
    const trilo_material *m = mesh->material == TRILO_NONE ? NULL : &model->materials[mesh->material];
    out = put3(out, mesh->positions[vertex], 1);
    out = put3(out, mesh->normals ? mesh->normals[vertex] : NULL, 128);
    for (int k = 0; k < 4; k++)
        *out++ = nearest_whole(255.0 * (mesh->colors ? mesh->colors[vertex][k] : 1) * (m ? m->base_color[k] : 1));
    for (int k = 0; k < 2; k++)
        *out++ = (int32_t)floor(mesh->uvs ? 1024.0 * mesh->uvs[vertex][k] : 0);
    put_frames(out, model, number, vertex);
}

static size_t compare_width; /* numbers of a row, for qsort */

static int compare_rows(const void *a, const void *b)
{
    const int32_t *m = a, *n = b;
    for (size_t i = 0; i < compare_width; i++)
        if (m[i] != n[i])
            return m[i] < n[i] ? -1 : 1;
    return 0;
}

static void turn_smallest_first(int32_t *corners, size_t width)
{
    int32_t *turned = malloc(3 * width * sizeof *turned);
    size_t first = 0;
    compare_width = width;
    for (size_t k = 1; k < 3; k++)
        if (compare_rows(corners + k * width, corners + first * width) < 0)
            first = k;
    for (size_t k = 0; k < 3; k++)
        memcpy(turned + k * width, corners + (first + k) % 3 * width, width * sizeof *turned);
    memcpy(corners, turned, 3 * width * sizeof *turned);
    free(turned);
}

/* Slots may have been moved together: they are counted among those that draw. */
static int32_t rank_of(const trilo_model *model, uint32_t material)
{
    int32_t rank = 0;
    for (uint32_t m = 0; m < material && m < model->material_count; m++) {
        bool used = false;
        for (uint32_t i = 0; i < model->mesh_count; i++)
            used = used || (model->meshes[i].material == m && model->meshes[i].index_count > 0);
        rank += used ? 1 : 0;
    }
    return rank;
}

/* Two corners at one place in every frame: the same numbers but for colour and texture coordinate. */
static bool same_point(const int32_t *a, const int32_t *b, size_t width)
{
    return memcmp(a, b, 6 * sizeof *a) == 0 && memcmp(a + 12, b + 12, (width - 12) * sizeof *a) == 0;
}

static triangles triangles_of(const trilo_model *model)
{
    triangles t = {.corner_width = 12 + 6 * frame_total(model)};
    size_t most = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        most += model->meshes[i].index_count / 3;
    t.width = 1 + 3 * t.corner_width;
    t.rows = calloc(most + 1, t.width * sizeof *t.rows);
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t k = 0; k + 2 < model->meshes[i].index_count; k += 3) {
            int32_t *row = t.rows + t.count * t.width, *a = row + 1, *b = a + t.corner_width, *c = b + t.corner_width;
            row[0] = rank_of(model, model->meshes[i].material);
            put_corner(a, model, i, model->meshes[i].indices[k]);
            put_corner(b, model, i, model->meshes[i].indices[k + 1]);
            put_corner(c, model, i, model->meshes[i].indices[k + 2]);
            const size_t w = t.corner_width;
            if (same_point(a, b, w) || same_point(b, c, w) || same_point(c, a, w))
                continue;
            turn_smallest_first(a, w);
            t.count++;
        }
    compare_width = t.width;
    qsort(t.rows, t.count, t.width * sizeof *t.rows, compare_rows);
    return t;
}

static size_t drop_doubles(triangles *t)
{
    size_t kept = 0;
    compare_width = t->width;
    for (size_t i = 0; i < t->count; i++)
        if (kept == 0 || compare_rows(t->rows + (kept - 1) * t->width, t->rows + i * t->width) != 0)
            memmove(t->rows + kept++ * t->width, t->rows + i * t->width, t->width * sizeof *t->rows);
    const size_t dropped = t->count - kept;
    t->count = kept;
    return dropped;
}

void check_same_triangles(const trilo_model *got, const trilo_model *want, const char *name)
{
    triangles a = triangles_of(got), b = triangles_of(want);
    drop_doubles(&b);
    if (a.count != b.count || a.width != b.width)
        FAIL("%s: %zu triangles of %zu numbers, should be %zu of %zu", name, a.count, a.width, b.count, b.width);
    compare_width = a.width;
    for (size_t i = 0; i < a.count; i++)
        if (compare_rows(a.rows + i * a.width, b.rows + i * b.width) != 0)
            FAIL("%s: triangle %zu of %zu differs", name, i, a.count);
    free(a.rows);
    free(b.rows);
}

#include "support/exercise.h"

#include "harness.h"
#include "support/buffer.h"
#include "support/effort.h"
#include "support/exercise_player.h"
#include "support/exercise_render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *meter_realloc(void *user, void *old, size_t old_size, size_t new_size)
{
    meter *m = user;
    if (new_size == 0) {
        m->now -= old_size;
        free(old);
        return NULL;
    }
    m->calls++;
    if (m->fail_at && (m->calls == m->fail_at || (m->fail_from_there && m->calls > m->fail_at)))
        return NULL;
    void *block = realloc(old, new_size);
    m->now += block ? new_size - old_size : 0;
    m->peak = m->now > m->peak ? m->now : m->peak;
    return block;
}

trilo_memory meter_memory(meter *m, size_t max_bytes)
{
    return (trilo_memory){meter_realloc, m, max_bytes};
}

static void check_error(const trilo_error *err)
{
    CHECK(err->code != TRILO_CODE_OK);
    CHECK(err->text[0] != '\0');
    CHECK(err->rule && trilo_rule_find(err->rule));
    CHECK(memchr(err->text, '\n', sizeof err->text) == NULL);
}

typedef struct findings {
    size_t count, memory; /* a check that ran out of memory says so */
    size_t conformance;   /* errors that do not refuse the file */
} findings;

static void count_finding(void *user, const trilo_finding *finding)
{
    findings *f = user;
    f->count++;
    f->memory += strcmp(finding->rule, "FILE-MEMORY") == 0 ? 1 : 0;
    f->conformance +=
        finding->kind == TRILO_FINDING_KIND_CONFORMANCE && finding->severity == TRILO_SEVERITY_ERROR ? 1 : 0;
    CHECK(finding->text[0] != '\0');
    CHECK(trilo_rule_find(finding->rule));
}

/* --- listing --- */

typedef struct listing {
    size_t depth, fields;
    uint64_t size;
} listing;

static void list_begin(void *user, const char *name, uint32_t count, uint64_t offset)
{
    listing *l = user;
    (void)name, (void)count;
    CHECK(offset <= l->size);
    l->depth++;
}

static void record_begin(void *user, const char *name, uint64_t offset)
{
    list_begin(user, name, 0, offset);
}

static void any_end(void *user)
{
    ((listing *)user)->depth--;
}

static void field(void *user, const char *name, const trilo_value *value)
{
    listing *l = user;
    (void)name;
    CHECK(value->count >= 1 && value->count <= 16);
    l->fields++;
}

static void exercise_listing(const trilo_document *document, size_t size, bool has_companions)
{
    listing l = {.size = has_companions ? UINT64_MAX : size}; /* a stream may be longer than its model */
    const trilo_visitor visitor = {&l, list_begin, any_end, record_begin, any_end, field};
    trilo_document_visit(document, &visitor);
    CHECK_INT(l.depth, 0);
    CHECK(l.fields > 0);

    trilo_section sections[32];
    const size_t count = trilo_document_sections(document, sections, 32);
    uint64_t total = 0;
    CHECK(count <= 32);
    for (size_t i = 0; i < count; i++)
        total += sections[i].size;
    CHECK_INT(total, size);
}

/* --- models --- */

static void exercise_pose(const trilo_model *model)
{
    trilo_mat4 *matrices = calloc(3 * (size_t)model->node_count + 1, sizeof *matrices);
    trilo_mat4 *skin = calloc(model->skin_count ? model->skins[0].joint_count + 1 : 1, sizeof *skin);
    if (matrices && skin)
        for (int step = -1; step <= 3; step++) {
            trilo_mat4 *worlds = matrices + model->node_count;
            double duration = model->clip_count ? model->clips[0].duration : 0;
            trilo_pose_locals(model, model->clip_count ? 0 : TRILO_NONE, step * duration / 2, matrices);
            trilo_pose_worlds(model, matrices, worlds);
            if (model->skin_count)
                trilo_pose_skin(model, 0, worlds, skin);
        }
    free(matrices);
    free(skin);
}

/* Whatever moment is asked for, what shows are frames of the track, and the weight is a part. */
static void exercise_moment(const trilo_model *model, uint32_t clip, const trilo_track *track, double seconds,
                            trilo_frame_mode mode, float (*vectors)[3])
{
    const trilo_frame_at at = trilo_track_at(track, model->clips[clip].duration, seconds, mode);
    CHECK(at.frame < track->frame_count && at.next < track->frame_count);
    CHECK(at.weight >= 0 && at.weight <= 1);
    CHECK(at.weight == 0 || mode != TRILO_FRAME_MODE_HOLD);
    if (!vectors)
        return;
    float(*normals)[3] = vectors + model->meshes[track->mesh].vertex_count;
    trilo_pose_frame(model, track->mesh, clip, seconds, mode, vectors, normals);
    trilo_pose_vertices(model, track->mesh, NULL, NULL, (const float(*)[3])vectors, (const float(*)[3])normals, vectors,
                        normals);
}

static void exercise_track(const trilo_model *model, uint32_t clip, const trilo_track *track, float (*vectors)[3])
{
    const double duration = model->clips[clip].duration;
    const double first = track->frames[0].time, last = track->frames[track->frame_count - 1].time;
    const double moments[] = {-INFINITY, first, (first + last) / 3, last, (last + duration) / 2, duration, NAN};
    for (size_t i = 0; i < sizeof moments / sizeof moments[0]; i++)
        for (int mode = TRILO_FRAME_MODE_HOLD; mode <= TRILO_FRAME_MODE_LOOP; mode++)
            exercise_moment(model, clip, track, moments[i], (trilo_frame_mode)mode, vectors);
}

/* Thousands of clips may share their vertices in a small file: past the first few million, moments only. */
static void exercise_frames(const trilo_model *model)
{
    size_t left = 1 << 21;
    for (uint32_t c = 0; c < model->clip_count; c++)
        for (uint32_t i = 0; i < model->clips[c].track_count; i++) {
            const trilo_track *track = &model->clips[c].tracks[i];
            const size_t count = model->meshes[track->mesh].vertex_count;
            float(*vectors)[3] = count <= left ? malloc((2 * count + 1) * sizeof *vectors) : NULL;
            left -= vectors ? count : 0;
            exercise_track(model, c, track, vectors);
            free(vectors);
        }
}

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

/* What the first encoding made must come out of the second unchanged. Formats of the N64 order vertices and triangles
 * for its cache. */
static uint64_t all_indices(const trilo_model *model)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        sum += model->meshes[i].index_count;
    return sum;
}

static void check_same(const trilo_model *a, const trilo_model *b)
{
    CHECK_INT(a->clip_count, b->clip_count);
    if (a->format == TRILO_FORMAT_MODEL64) { /* triangles without area and repeated ones are left out */
        CHECK(all_indices(b) <= all_indices(a));
        return;
    }
    CHECK_INT(a->mesh_count, b->mesh_count);
    if (a->format == TRILO_FORMAT_GLTF) { /* meshes of one node may change places */
        CHECK_INT(all_indices(a), all_indices(b));
        return;
    }
    for (uint32_t i = 0; i < a->mesh_count; i++) {
        const trilo_mesh *m = &a->meshes[i], *n = &b->meshes[i];
        CHECK_INT(m->index_count, n->index_count);
        if (a->format != TRILO_FORMAT_NLM)
            continue;
        CHECK_INT(m->vertex_count, n->vertex_count);
        CHECK(same_bytes(m->positions, n->positions, m->vertex_count * sizeof *m->positions));
        CHECK(same_bytes(m->indices, n->indices, m->index_count * sizeof *m->indices));
    }
}

/* Files that are written beside, to be found again. */
enum { COMPANIONS = 64 };

typedef struct companion_set {
    buffer files[COMPANIONS];
    char names[COMPANIONS][80];
    size_t count;
} companion_set;

static bool keep_companion(void *user, const char *name, trilo_bytes bytes)
{
    companion_set *s = user;
    if (s->count == COMPANIONS)
        return false;
    snprintf(s->names[s->count], sizeof s->names[0], "%s", name);
    return buffer_sink(&s->files[s->count++], bytes.data, bytes.size);
}

static bool find_companion(void *user, const char *name, trilo_bytes *bytes)
{
    const companion_set *s = user;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->names[i], name) == 0) {
            *bytes = (trilo_bytes){s->files[i].data, s->files[i].size};
            return true;
        }
    return false;
}

static void read_again(const trilo_model *model, const trilo_load_opts *opts, const buffer *file, companion_set *beside)
{
    trilo_error err = {0};
    const trilo_load_opts plain = {.memory = opts->memory,
                                   .limits = opts->limits,
                                   .name = "again.x",
                                   .companion = find_companion,
                                   .companion_user = beside};
    const trilo_model *again = trilo_model_load(file->data, file->size, &plain, &err);
    if (again)
        check_same(model, again);
    else if (err.code != TRILO_CODE_NO_MEMORY && strcmp(err.rule, "FILE-MEMORY") != 0)
        FAIL("what was written cannot be read: %s: %s", err.path, err.text);
    trilo_model_free(again);
}

static void exercise_encoding(const trilo_model *model, const trilo_load_opts *opts)
{
    trilo_error err = {0};
    buffer out = {0};
    companion_set *beside = calloc(1, sizeof *beside);
    findings losses = {0};
    const trilo_write_opts write = {.memory = opts->memory,
                                    .format = model->format,
                                    .name = "again.x",
                                    .companion = keep_companion,
                                    .companion_user = beside,
                                    .on_finding = count_finding,
                                    .on_finding_user = &losses};
    if (!beside || !trilo_model_write(model, &write, buffer_sink, &out, &err))
        check_error(&err);
    else
        read_again(model, opts, &out, beside);
    for (size_t i = 0; beside && i < beside->count; i++)
        buffer_free(&beside->files[i]);
    free(beside);
    buffer_free(&out);
}

/* What is counted adds up, whatever the file says. */
static void exercise_cost(const trilo_document *document)
{
    trilo_error err = {0};
    const trilo_cost *cost = trilo_document_cost(document, NULL, &err);
    if (!cost) {
        check_error(&err);
        return;
    }
    const trilo_cost_counts *c = &cost->counts;
    CHECK_INT(c->unique + c->duplicates + c->padding, c->vertices);
    CHECK_INT(c->list_triangles + c->sequence_triangles + c->strip_triangles, c->triangles);
    CHECK(c->unique_shown <= c->unique && c->degenerate <= c->triangles);
    trilo_cost_free(cost);
}

static exercise_result exercise_document(const trilo_document *document, const trilo_load_opts *opts, size_t size)
{
    trilo_error err = {0};
    buffer copy = {0};
    findings found = {0};
    const trilo_tally tally = trilo_document_check(document, count_finding, &found);
    CHECK_INT(found.count, tally.notes + tally.warnings + tally.errors + tally.crashes);
    exercise_listing(document, size, opts->companion != NULL);
    if (!trilo_document_write(document, &(trilo_rewrite_opts){.decompress = true}, buffer_sink, &copy, &err))
        check_error(&err);
    else {
        CHECK_INT(copy.size, size);
        CHECK(same_bytes(copy.data, trilo_document_bytes(document).data, size));
    }
    buffer_free(&copy);
    exercise_cost(document);

    const trilo_model *model = trilo_document_model(document, &err);
    if (!model) {
        check_error(&err);
        return EXERCISE_OPENED;
    }
    CHECK_INT(tally.errors + tally.crashes - found.memory - found.conformance, 0);
    if (!trilo_model_check(model, &err))
        FAIL("a loaded model breaks a promise: %s: %s", err.path, err.text);
    exercise_pose(model);
    exercise_player(document, model);
    exercise_render(model);
    exercise_frames(model);
    exercise_encoding(model, opts);
    trilo_model_free(model);
    return EXERCISE_MODEL;
}

exercise_result exercise(const uint8_t *bytes, size_t size, meter *m, size_t max_bytes)
{
    return exercise_beside(bytes, size, m, max_bytes, NULL, NULL);
}

exercise_result exercise_beside(const uint8_t *bytes, size_t size, meter *m, size_t max_bytes,
                                trilo_companion_fn *companion, void *companion_user)
{
    trilo_error err = {0};
    const trilo_load_opts opts = {.memory = meter_memory(m, max_bytes),
                                  .companion = companion,
                                  .companion_user = companion_user,
                                  .limits.elements = m->elements,
                                  .name = "input.bin"};
    exercise_result result = EXERCISE_REFUSED;
    trilo_document *document = trilo_document_open(bytes, size, &opts, &err);
    if (document)
        result = exercise_document(document, &opts, trilo_document_bytes(document).size);
    else
        check_error(&err);
    trilo_document_free(document);
    CHECK_INT(m->now, 0);
    /* Some of them live at once: the document, a model, an encoder or a second document with its model, their scratch.
     */
    CHECK(max_bytes == 0 || m->peak <= 6 * max_bytes);
    return result;
}

exercise_result exercise_within_bounds(const uint8_t *bytes, size_t size, trilo_companion_fn *companion,
                                       trilo_bytes *beside)
{
    static const effort_bound bound = {
        .work = 200000000, .work_per_byte = 50000, .peak = 96u << 20, .peak_per_byte = 4096};
    const size_t whole = size + (beside ? beside->size : 0);
    meter m = {.elements = ELEMENTS_LEAST + 32 * (uint64_t)whole};
    effort_begin();
    const exercise_result result = exercise_beside(bytes, size, &m, 16u << 20, companion, beside);
    effort_check(effort_end(), whole, &bound);
    return result;
}

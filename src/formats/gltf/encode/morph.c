/* Frames of vertices as morph targets: every frame that differs is a target, and a clip turns one on at a time.
 *
 * Tracks that hold their frames get steps, others go straight from one frame to the next. A target that only a
 * thousandth of the keys want would make the table of weights huge: beyond a size only what is not 0 is stored. */
#include "formats/gltf/encode/encode.h"

#include "base/hash_table.h"

#include <string.h>

/* A frame of a track. */
typedef struct gltf_frame_row {
    uint32_t mesh;
    uint32_t target; /* of the mesh; TRILO_NONE: it is as the mesh itself */
    uint32_t next;   /* the frame of the mesh's next target; TRILO_NONE: the last one */
    const trilo_frame *frame;
} gltf_frame_row;

typedef struct gltf_morph {
    uint32_t frame_count;
    uint32_t target_count, first, last; /* the frames of its targets */
    bool normals;                       /* some frame has normals of its own */
} gltf_morph;

enum { MOST_DENSE = 1 << 16 };

bool tl_gltf_has_frames(const gltf_encoder *e, uint32_t mesh)
{
    return e->morphs[mesh].frame_count > 0;
}

/* --- which frames differ --- */

/* Frames are equal when they share their arrays. The order of others means nothing. */
static int frame_compare(const void *rows, uint32_t a, uint32_t b)
{
    const gltf_frame_row *s = (const gltf_frame_row *)rows + a, *t = (const gltf_frame_row *)rows + b;
    const uintptr_t from[3] = {s->mesh, (uintptr_t)s->frame->positions, (uintptr_t)s->frame->normals};
    const uintptr_t to[3] = {t->mesh, (uintptr_t)t->frame->positions, (uintptr_t)t->frame->normals};
    return memcmp(from, to, sizeof from);
}

static uint32_t frame_hash(const gltf_frame_row *row)
{
    const uintptr_t arrays[3] = {row->mesh, (uintptr_t)row->frame->positions, (uintptr_t)row->frame->normals};
    return trilo_fnv1a(arrays, sizeof arrays);
}

static bool is_at_rest(const trilo_mesh *mesh, const trilo_frame *frame)
{
    const size_t size = mesh->vertex_count * sizeof *mesh->positions;
    const bool stays = size == 0 || memcmp(mesh->positions, frame->positions, size) == 0;
    return stays && (!frame->normals || !mesh->normals || memcmp(mesh->normals, frame->normals, size) == 0);
}

static void add_target(gltf_encoder *e, uint32_t row)
{
    gltf_morph *morph = &e->morphs[e->frames[row].mesh];
    e->frames[row].target = morph->target_count;
    if (morph->target_count++ == 0)
        morph->first = row;
    else
        e->frames[morph->last].next = row;
    morph->last = row;
    morph->normals = morph->normals || e->frames[row].frame->normals;
}

static void find_targets(gltf_encoder *e)
{
    tl_hash_table table;
    if (!tl_hash_table_init(&table, e->arena, e->frame_count, frame_compare, e->frames))
        e->failed = true;
    for (uint32_t row = 0; row < e->frame_count && !e->failed; row++) {
        gltf_frame_row *r = &e->frames[row];
        const uint32_t first = tl_hash_table_add(&table, frame_hash(r), row);
        if (first == TRILO_NONE)
            e->failed = true;
        else if (first != row)
            r->target = e->frames[first].target;
        else if (!is_at_rest(&e->model->meshes[r->mesh], r->frame))
            add_target(e, row);
    }
    for (uint32_t row = 0; row < e->frame_count; row++) /* a channel needs something to turn on */
        if (e->morphs[e->frames[row].mesh].target_count == 0)
            add_target(e, row);
}

static void list_track(gltf_encoder *e, const trilo_track *track)
{
    for (uint32_t i = 0; i < track->frame_count; i++)
        e->frames[e->next_frame++] = (gltf_frame_row){track->mesh, TRILO_NONE, TRILO_NONE, &track->frames[i]};
    e->morphs[track->mesh].frame_count += track->frame_count;
}

static size_t count_frames(const trilo_model *model)
{
    size_t count = 0;
    for (uint32_t c = 0; c < model->clip_count; c++)
        for (uint32_t t = 0; t < model->clips[c].track_count; t++)
            count += model->clips[c].tracks[t].frame_count;
    return count;
}

void tl_gltf_start_frames(gltf_encoder *e)
{
    const trilo_model *model = e->model;
    const size_t count = count_frames(model);
    e->morphs = tl_gltf_allocated(e, TL_ARRAY(e->arena, model->mesh_count, gltf_morph));
    e->frames = tl_gltf_allocated(e, count < UINT32_MAX ? TL_ARRAY(e->arena, count, gltf_frame_row) : NULL);
    if (e->failed || count == 0)
        return;
    for (uint32_t c = 0; c < model->clip_count; c++)
        for (uint32_t t = 0; t < model->clips[c].track_count; t++)
            list_track(e, &model->clips[c].tracks[t]);
    e->frame_count = e->next_frame;
    e->next_frame = 0;
    find_targets(e);
}

/* --- targets --- */

static uint32_t store_moves(gltf_encoder *e, const trilo_mesh *mesh, const float (*to)[3])
{
    float(*out)[3] = tl_gltf_room(e, mesh->vertex_count, sizeof *out);
    for (uint32_t i = 0; out && i < mesh->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] = (to[i][k] - mesh->positions[i][k]) * e->meter;
    return tl_gltf_accessor_of(e, (gltf_numbers){GLTF_FOR_POSITIONS, GLTF_F32, mesh->vertex_count, 3});
}

static uint32_t store_turns(gltf_encoder *e, const trilo_mesh *mesh, const float (*to)[3])
{
    float(*out)[3] = tl_gltf_room(e, mesh->vertex_count, sizeof *out), from[3];
    for (uint32_t i = 0; out && i < mesh->vertex_count; i++) {
        tl_gltf_normal(mesh->normals[i], from);
        tl_gltf_normal(to[i], out[i]);
        for (int k = 0; k < 3; k++)
            out[i][k] -= from[k];
    }
    return tl_gltf_accessor_of(e, (gltf_numbers){GLTF_FOR_VERTICES, GLTF_F32, mesh->vertex_count, 3});
}

void tl_gltf_put_targets(gltf_encoder *e, tl_json_writer *w, uint32_t index)
{
    const gltf_morph *morph = &e->morphs[index];
    const trilo_mesh *mesh = &e->model->meshes[index];
    const bool normals = morph->normals && tl_gltf_has_normals(mesh);
    if (morph->target_count == 0)
        return;
    tl_json_key(w, "targets");
    tl_json_open(w, '[');
    for (uint32_t row = morph->first; row != TRILO_NONE && !e->failed; row = e->frames[row].next) {
        const trilo_frame *frame = e->frames[row].frame;
        tl_json_open(w, '{');
        tl_gltf_put_index(w, "POSITION", store_moves(e, mesh, frame->positions));
        if (normals)
            tl_gltf_put_index(w, "NORMAL", store_turns(e, mesh, frame->normals ? frame->normals : mesh->normals));
        tl_json_close(w, '}');
    }
    tl_json_close(w, ']');
}

/* --- weights --- */

/* The table of a track: a row of weights for each key, at most one of them not 0. */
typedef struct weight_table {
    const gltf_frame_row *rows; /* of the track's frames */
    const gltf_key_list *keys;
    uint32_t width;
} weight_table;

static uint32_t target_at(const weight_table *t, uint32_t key)
{
    return t->rows[t->keys->from[key]].target;
}

static uint32_t store_dense(gltf_encoder *e, const weight_table *t)
{
    const size_t count = (size_t)t->keys->count * t->width;
    float *out = tl_gltf_room(e, count, sizeof *out);
    if (!out)
        return TRILO_NONE;
    memset(out, 0, count * sizeof *out);
    for (uint32_t k = 0; k < t->keys->count; k++)
        if (target_at(t, k) != TRILO_NONE)
            out[(size_t)k * t->width + target_at(t, k)] = 1;
    return tl_gltf_accessor_of(e, (gltf_numbers){GLTF_FOR_NUMBERS, GLTF_F32, (uint32_t)count, 1});
}

/* Where the ones are. */
static uint32_t store_places(gltf_encoder *e, const weight_table *t, uint32_t *ones)
{
    uint32_t *out = tl_gltf_room(e, t->keys->count, sizeof *out);
    *ones = 0;
    for (uint32_t k = 0; out && k < t->keys->count; k++)
        if (target_at(t, k) != TRILO_NONE)
            out[(*ones)++] = k * t->width + target_at(t, k);
    return *ones == 0 ? TRILO_NONE : tl_gltf_view_of(e, (gltf_numbers){GLTF_FOR_NUMBERS, GLTF_U32, *ones, 1});
}

static uint32_t store_ones(gltf_encoder *e, uint32_t count)
{
    float *out = tl_gltf_room(e, count, sizeof *out);
    for (uint32_t i = 0; out && i < count; i++)
        out[i] = 1;
    return tl_gltf_view_of(e, (gltf_numbers){GLTF_FOR_NUMBERS, GLTF_F32, count, 1});
}

static void put_sparse(tl_json_writer *w, uint32_t ones, uint32_t places, uint32_t values)
{
    tl_json_key(w, "sparse");
    tl_json_open(w, '{');
    tl_gltf_put_index(w, "count", ones);
    tl_json_key(w, "indices");
    tl_json_open(w, '{');
    tl_gltf_put_index(w, "bufferView", places);
    tl_gltf_put_index(w, "componentType", GLTF_U32);
    tl_json_close(w, '}');
    tl_json_key(w, "values");
    tl_json_open(w, '{');
    tl_gltf_put_index(w, "bufferView", values);
    tl_json_close(w, '}');
    tl_json_close(w, '}');
}

static uint32_t store_sparse(gltf_encoder *e, const weight_table *t)
{
    uint32_t ones = 0, index = TRILO_NONE;
    const uint32_t places = store_places(e, t, &ones), values = ones > 0 ? store_ones(e, ones) : TRILO_NONE;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_ACCESSORS, &index);
    tl_gltf_put_index(w, "componentType", GLTF_F32);
    tl_gltf_put_index(w, "count", t->keys->count * t->width);
    tl_json_key(w, "type");
    tl_json_put_text(w, "SCALAR");
    if (ones > 0)
        put_sparse(w, ones, places, values);
    tl_json_close(w, '}');
    return index;
}

static uint32_t store_table(gltf_encoder *e, const weight_table *t)
{
    const uint64_t count = (uint64_t)t->keys->count * t->width;
    if (count <= MOST_DENSE)
        return store_dense(e, t);
    if (count <= UINT32_MAX)
        return store_sparse(e, t);
    tl_gltf_encode_fail(e, &tl_general_rules[TL_FILE_LIMIT], TRILO_CODE_LIMIT,
                        "a track of frames needs more than 2^32 weights");
    return TRILO_NONE;
}

void tl_gltf_put_track(gltf_encoder *e, gltf_clip *clip, const trilo_track *track)
{
    const gltf_frame_row *rows = e->frames + e->next_frame;
    gltf_key_list keys;
    e->next_frame += track->frame_count;
    if (e->mesh_node[track->mesh] == TRILO_NONE)
        return;
    double *times = tl_gltf_allocated(e, tl_array_raw(e->arena, track->frame_count, sizeof *times));
    for (uint32_t i = 0; times && i < track->frame_count; i++)
        times[i] = track->frames[i].time;
    if (e->failed || !tl_gltf_keys(e, clip, times, track->frame_count, &keys))
        return;
    const weight_table table = {rows, &keys, e->morphs[track->mesh].target_count};
    const bool held = track->held || e->policy.hold_frames;
    tl_gltf_put_channel(clip, keys.times, store_table(e, &table),
                        held ? TRILO_INTERPOLATION_STEP : TRILO_INTERPOLATION_LINEAR, e->mesh_node[track->mesh],
                        "weights");
}

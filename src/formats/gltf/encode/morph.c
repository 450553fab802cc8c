/* Frames of vertices as morph targets: each different frame is a target, and the animation sets the weight of one
 * target at a time to 1.
 *
 * The weights of a track are a matrix with at most one 1 in each row. A large one is a sparse accessor. */
#include "base/strict_float.h"
#include "formats/gltf/encode/encode.h"

#include "base/hash_table.h"

/* A frame of a track. */
typedef struct gltf_frame {
    uint32_t mesh;
    uint32_t target; /* morph target of the mesh; TRILO_NONE: equal to the mesh itself */
    uint32_t next;   /* the frame of the mesh's next target; TRILO_NONE: the last one */
    const trilo_frame *frame;
} gltf_frame;

typedef struct gltf_morph {
    uint32_t frame_count;
    uint32_t target_count, first, last; /* the frames of its targets */
    bool normals;                       /* some frame has normals */
} gltf_morph;

bool tl_gltf_has_frames(const gltf_encoder *e, uint32_t mesh)
{
    return e->morphs[mesh].frame_count > 0;
}

/* --- different frames --- */

/* Frames that share their arrays are equal. */
static void gltf_frame_identity(const gltf_frame *f, uintptr_t out[3])
{
    out[0] = f->mesh;
    out[1] = (uintptr_t)f->frame->positions;
    out[2] = (uintptr_t)f->frame->normals;
}

static int gltf_frame_compare(const void *rows, uint32_t a, uint32_t b)
{
    uintptr_t from[3], to[3];
    gltf_frame_identity((const gltf_frame *)rows + a, from);
    gltf_frame_identity((const gltf_frame *)rows + b, to);
    return memcmp(from, to, sizeof from);
}

static bool gltf_frame_equals_mesh(const trilo_mesh *mesh, const trilo_frame *frame)
{
    const size_t size = mesh->vertex_count * sizeof *mesh->positions;
    const bool same = size == 0 || memcmp(mesh->positions, frame->positions, size) == 0;
    return same && (!frame->normals || !mesh->normals || memcmp(mesh->normals, frame->normals, size) == 0);
}

static void gltf_add_target(gltf_encoder *e, uint32_t row)
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

/* A mesh with frames has at least one target, so that its channel has something to animate. */
static void gltf_find_targets(gltf_encoder *e)
{
    tl_hash_table table;
    if (!tl_hash_table_init(&table, e->arena, e->frame_count, gltf_frame_compare, e->frames))
        e->failed = true;
    for (uint32_t row = 0; row < e->frame_count && !e->failed; row++) {
        gltf_frame *f = &e->frames[row];
        uintptr_t identity[3];
        gltf_frame_identity(f, identity);
        const uint32_t first = tl_hash_table_add(&table, trilo_fnv1a(identity, sizeof identity), row);
        if (first == TRILO_NONE)
            e->failed = true;
        else if (first != row)
            f->target = e->frames[first].target;
        else if (!gltf_frame_equals_mesh(&e->model->meshes[f->mesh], f->frame))
            gltf_add_target(e, row);
    }
    for (uint32_t row = 0; row < e->frame_count; row++)
        if (e->morphs[e->frames[row].mesh].target_count == 0)
            gltf_add_target(e, row);
}

void tl_gltf_begin_frames(gltf_encoder *e)
{
    const trilo_model *model = e->model;
    size_t count = 0;
    for (uint32_t c = 0; c < model->clip_count; c++)
        for (uint32_t t = 0; t < model->clips[c].track_count; t++)
            count += model->clips[c].tracks[t].frame_count;
    e->morphs = tl_gltf_allocated(e, TL_ARRAY(e->arena, model->mesh_count, gltf_morph));
    e->frames = tl_gltf_allocated(e, count < UINT32_MAX ? TL_ARRAY(e->arena, count, gltf_frame) : NULL);
    if (e->failed || count == 0)
        return;
    for (uint32_t c = 0; c < model->clip_count; c++)
        for (uint32_t t = 0; t < model->clips[c].track_count; t++) {
            const trilo_track *track = &model->clips[c].tracks[t];
            for (uint32_t i = 0; i < track->frame_count; i++)
                e->frames[e->frame_count++] = (gltf_frame){track->mesh, TRILO_NONE, TRILO_NONE, &track->frames[i]};
            e->morphs[track->mesh].frame_count += track->frame_count;
        }
    gltf_find_targets(e);
}

/* --- targets --- */

static uint32_t gltf_encode_position_deltas(gltf_encoder *e, const trilo_mesh *mesh, const float (*to)[3])
{
    float(*out)[3] = tl_gltf_data_begin(e, mesh->vertex_count, sizeof *out);
    for (uint32_t i = 0; out && i < mesh->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] = (to[i][k] - mesh->positions[i][k]) * e->policy.meters_per_unit;
    return tl_gltf_add_accessor(e, (gltf_data_type){GLTF_USAGE_POSITIONS, GLTF_F32, mesh->vertex_count, 3});
}

static uint32_t gltf_encode_normal_deltas(gltf_encoder *e, const trilo_mesh *mesh, const float (*to)[3])
{
    float(*out)[3] = tl_gltf_data_begin(e, mesh->vertex_count, sizeof *out), from[3];
    for (uint32_t i = 0; out && i < mesh->vertex_count; i++) {
        tl_gltf_unit_normal(mesh->normals[i], from);
        tl_gltf_unit_normal(to[i], out[i]);
        for (int k = 0; k < 3; k++)
            out[i][k] -= from[k];
    }
    return tl_gltf_add_accessor(e, (gltf_data_type){GLTF_USAGE_VERTICES, GLTF_F32, mesh->vertex_count, 3});
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
        tl_gltf_put_index(w, "POSITION", gltf_encode_position_deltas(e, mesh, frame->positions));
        if (normals)
            tl_gltf_put_index(w, "NORMAL",
                              gltf_encode_normal_deltas(e, mesh, frame->normals ? frame->normals : mesh->normals));
        tl_json_close(w, '}');
    }
    tl_json_close(w, ']');
}

/* --- weights --- */

/* The weights of a track: a row of `width` for each keyframe. */
typedef struct gltf_weights {
    const gltf_frame *frames; /* of the track */
    const gltf_key_times *keys;
    uint32_t width;
} gltf_weights;

/* The only weight of a keyframe that is 1; TRILO_NONE: all are 0. */
static uint32_t gltf_target_at(const gltf_weights *t, uint32_t key)
{
    return t->frames[t->keys->from[key]].target;
}

static uint32_t gltf_encode_dense_weights(gltf_encoder *e, const gltf_weights *t)
{
    const size_t count = (size_t)t->keys->count * t->width;
    float *out = tl_gltf_data_begin(e, count, sizeof *out);
    if (!out)
        return TRILO_NONE;
    memset(out, 0, count * sizeof *out);
    for (uint32_t k = 0; k < t->keys->count; k++)
        if (gltf_target_at(t, k) != TRILO_NONE)
            out[(size_t)k * t->width + gltf_target_at(t, k)] = 1;
    return tl_gltf_add_accessor(e, (gltf_data_type){GLTF_USAGE_OTHER, GLTF_F32, (uint32_t)count, 1});
}

/* A sparse accessor over zeros ("Sparse Accessors"). */
static uint32_t gltf_encode_sparse_weights(gltf_encoder *e, const gltf_weights *t)
{
    uint32_t ones = 0, indices_view = TRILO_NONE, values_view = TRILO_NONE, index = TRILO_NONE;
    uint32_t *indices = tl_gltf_data_begin(e, t->keys->count, sizeof *indices);
    for (uint32_t k = 0; indices && k < t->keys->count; k++)
        if (gltf_target_at(t, k) != TRILO_NONE)
            indices[ones++] = k * t->width + gltf_target_at(t, k);
    if (ones > 0) {
        indices_view = tl_gltf_add_buffer_view(e, (gltf_data_type){GLTF_USAGE_OTHER, GLTF_U32, ones, 1});
        float *values = tl_gltf_data_begin(e, ones, sizeof *values);
        for (uint32_t i = 0; values && i < ones; i++)
            values[i] = 1;
        values_view = tl_gltf_add_buffer_view(e, (gltf_data_type){GLTF_USAGE_OTHER, GLTF_F32, ones, 1});
    }
    tl_json_writer *w = tl_gltf_begin(e, GLTF_ACCESSORS, &index);
    tl_gltf_put_index(w, "componentType", GLTF_F32);
    tl_gltf_put_index(w, "count", t->keys->count * t->width);
    tl_json_key(w, "type");
    tl_json_put_text(w, "SCALAR");
    if (ones > 0) {
        tl_json_key(w, "sparse");
        tl_json_open(w, '{');
        tl_gltf_put_index(w, "count", ones);
        tl_json_key(w, "indices");
        tl_json_open(w, '{');
        tl_gltf_put_index(w, "bufferView", indices_view);
        tl_gltf_put_index(w, "componentType", GLTF_U32);
        tl_json_close(w, '}');
        tl_json_key(w, "values");
        tl_json_open(w, '{');
        tl_gltf_put_index(w, "bufferView", values_view);
        tl_json_close(w, '}');
        tl_json_close(w, '}');
    }
    tl_json_close(w, '}');
    return index;
}

void tl_gltf_encode_track(gltf_encoder *e, gltf_animation *animation, const trilo_track *track)
{
    enum { MAX_DENSE = 1 << 16 };
    const gltf_frame *frames = e->frames + e->next_frame;
    const uint32_t node = e->mesh_node[track->mesh];
    const bool held = track->held || e->policy.hold_frames;
    gltf_key_times keys;
    uint32_t output = TRILO_NONE;
    e->next_frame += track->frame_count;
    if (node == TRILO_NONE)
        return;
    double *times = tl_gltf_allocated(e, tl_array_raw(e->arena, track->frame_count, sizeof *times));
    for (uint32_t i = 0; times && i < track->frame_count; i++)
        times[i] = track->frames[i].time;
    if (e->failed || !tl_gltf_add_times(e, animation, times, track->frame_count, &keys))
        return;
    const gltf_weights weights = {frames, &keys, e->morphs[track->mesh].target_count};
    const uint64_t count = (uint64_t)keys.count * weights.width;
    if (count > UINT32_MAX)
        tl_gltf_encode_fail(e, &tl_general_rules[TL_FILE_LIMIT], TRILO_CODE_LIMIT,
                            "a track of frames needs more than 2^32 weights");
    else
        output = count <= MAX_DENSE ? gltf_encode_dense_weights(e, &weights) : gltf_encode_sparse_weights(e, &weights);
    tl_gltf_put_channel(animation, keys.accessor, output, held ? TRILO_INTERPOLATION_STEP : TRILO_INTERPOLATION_LINEAR,
                        node, "weights");
}

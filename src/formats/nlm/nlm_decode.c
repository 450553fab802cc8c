/* From a checked NLM file to the neutral model.
 *
 * Nodes are sorted parent first; the bones, sorted by index, become the joints of one skin; a track becomes up to three
 * channels. Colours get an alpha of 1. */
#include "formats/nlm/nlm.h"

#include "base/vec.h"
#include "model/bounds.h"
#include <math.h>

typedef struct decoder {
    const nlm_file *file;
    tl_arena *arena;
    trilo_model *model;
    uint32_t *node_of_row; /* model's node for each row of the file's */
} decoder;

static const trilo_str no_name = {"", 0};

/* --- meshes --- */

static bool decode_floats(decoder *d, const nlm_mesh *mesh, trilo_mesh *out)
{
    const tl_records vertices = nlm_vertices(mesh);
    float(*positions)[3] = tl_array_raw(d->arena, vertices.count, sizeof *positions);
    float(*normals)[3] = tl_array_raw(d->arena, vertices.count, sizeof *normals);
    float(*colors)[4] = tl_array_raw(d->arena, vertices.count, sizeof *colors);
    float(*uvs)[2] = tl_array_raw(d->arena, vertices.count, sizeof *uvs);
    if (!positions || !normals || !colors || !uvs)
        return false;
    tl_records_floats(&vertices, "position", (float *)positions, 3);
    tl_records_floats(&vertices, "normal", (float *)normals, 3);
    tl_records_floats(&vertices, "color", (float *)colors, 4);
    tl_records_floats(&vertices, "uv", (float *)uvs, 2);
    for (size_t i = 0; i < vertices.count; i++)
        colors[i][3] = 1;
    out->positions = (const float(*)[3])positions;
    out->normals = (const float(*)[3])normals;
    out->colors = (const float(*)[4])colors;
    out->uvs = (const float(*)[2])uvs;
    return true;
}

static bool mesh_has_bones(const tl_records *vertices)
{
    int64_t ids[4];
    for (size_t row = 0; row < vertices->count; row++) {
        tl_records_ints(vertices, "bone_ids", row, ids);
        if (ids[0] >= 0 || ids[1] >= 0 || ids[2] >= 0 || ids[3] >= 0)
            return true;
    }
    return false;
}

/* Position of a bone in the order of indices: its joint. */
static uint16_t joint_of(const nlm_file *file, int64_t bone_index)
{
    if (file->bones_dense)
        return (uint16_t)bone_index;
    uint32_t low = 0, high = file->bone_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (file->bones[file->bones_by_index[middle]].bone_index <= bone_index)
            low = middle;
        else
            high = middle;
    }
    return (uint16_t)low;
}

static bool decode_weights(decoder *d, const nlm_mesh *mesh, trilo_mesh *out)
{
    const tl_records vertices = nlm_vertices(mesh);
    if (d->file->bone_count == 0 || !mesh_has_bones(&vertices))
        return true;
    uint16_t(*joints)[4] = tl_array(d->arena, vertices.count, sizeof *joints);
    float(*weights)[4] = tl_array_raw(d->arena, vertices.count, sizeof *weights);
    if (!joints || !weights)
        return false;
    tl_records_floats(&vertices, "weights", (float *)weights, 4);
    for (size_t row = 0; row < vertices.count; row++) {
        int64_t ids[4];
        tl_records_ints(&vertices, "bone_ids", row, ids);
        for (int i = 0; i < 4; i++)
            if (ids[i] >= 0)
                joints[row][i] = joint_of(d->file, ids[i]);
            else
                weights[row][i] = 0;
    }
    out->skin = 0;
    out->joints = (const uint16_t(*)[4])joints;
    out->weights = (const float(*)[4])weights;
    return true;
}

static bool decode_indices(decoder *d, const nlm_mesh *mesh, trilo_mesh *out)
{
    uint32_t *indices = tl_array_raw(d->arena, mesh->head.index_count, sizeof *indices);
    for (uint32_t i = 0; indices && i < mesh->head.index_count; i++)
        indices[i] = tl_get_u32le(mesh->indices + (size_t)NLM_WORD * i);
    out->indices = indices;
    return indices != NULL;
}

static bool decode_mesh(decoder *d, const nlm_mesh *mesh, trilo_mesh *out)
{
    *out = (trilo_mesh){.name = no_name, .material = TRILO_NONE, .node = TRILO_NONE, .skin = TRILO_NONE};
    out->topology = tl_nlm_topology(d->file, mesh);
    out->vertex_count = mesh->head.vertex_count;
    out->index_count = mesh->head.index_count;
    return decode_floats(d, mesh, out) && decode_weights(d, mesh, out) && decode_indices(d, mesh, out);
}

/* A mesh with a texture gets a material of its own that shows it. */
static bool decode_texture(decoder *d, const nlm_mesh *mesh, trilo_material *material, trilo_texture *texture)
{
    const uint8_t *bytes = tl_bytes_copy(d->arena, mesh->texture, mesh->texture_size);
    *texture = (trilo_texture){.name = no_name, .path = no_name, .bytes = {bytes, mesh->texture_size}};
    *material = (trilo_material){.name = no_name, .base_color = {1, 1, 1, 1}, .texture = d->model->texture_count};
    if (bytes)
        texture->kind = trilo_image_probe(texture->bytes, &texture->width, &texture->height);
    return bytes != NULL;
}

static bool decode_meshes(decoder *d)
{
    const nlm_file *file = d->file;
    uint32_t textured = 0;
    for (uint32_t i = 0; i < file->mesh_count; i++)
        textured += file->meshes[i].texture_size > 0 ? 1 : 0;
    trilo_mesh *meshes = TL_ARRAY(d->arena, file->mesh_count, trilo_mesh);
    trilo_material *materials = TL_ARRAY(d->arena, textured, trilo_material);
    trilo_texture *textures = TL_ARRAY(d->arena, textured, trilo_texture);
    if (!meshes || !materials || !textures)
        return false;
    d->model->meshes = meshes, d->model->materials = materials, d->model->textures = textures;
    for (; d->model->mesh_count < file->mesh_count; d->model->mesh_count++) {
        const nlm_mesh *from = &file->meshes[d->model->mesh_count];
        trilo_mesh *to = &meshes[d->model->mesh_count];
        const uint32_t next = d->model->texture_count;
        if (!decode_mesh(d, from, to))
            return false;
        if (from->texture_size == 0)
            continue;
        if (!decode_texture(d, from, &materials[next], &textures[next]))
            return false;
        to->material = next;
        d->model->material_count = d->model->texture_count = next + 1;
    }
    return true;
}

/* --- nodes and skin --- */

/* Rows by depth, then by row: parents come first, and a file that is sorted already keeps its order. */
static uint32_t *sort_nodes(decoder *d)
{
    const nlm_file *file = d->file;
    uint32_t deepest = 0;
    bool sorted = true;
    for (uint32_t i = 0; i < file->node_count; i++) {
        deepest = file->nodes[i].depth > deepest ? file->nodes[i].depth : deepest;
        sorted = sorted && (file->nodes[i].parent == TRILO_NONE || file->nodes[i].parent < i);
    }
    uint32_t *row_of = TL_ARRAY(d->arena, file->node_count, uint32_t);
    uint32_t *starts = TL_ARRAY(d->arena, (size_t)deepest + 2, uint32_t);
    if (!row_of || !starts)
        return NULL;
    for (uint32_t i = 0; i < file->node_count; i++)
        starts[file->nodes[i].depth + 1]++;
    for (uint32_t k = 0; k <= deepest; k++)
        starts[k + 1] += starts[k];
    for (uint32_t i = 0; i < file->node_count; i++)
        row_of[sorted ? i : starts[file->nodes[i].depth]++] = i;
    return row_of;
}

static bool decode_nodes(decoder *d)
{
    const nlm_file *file = d->file;
    uint32_t *row_of = sort_nodes(d);
    trilo_node *nodes = TL_ARRAY(d->arena, file->node_count, trilo_node);
    d->node_of_row = TL_ARRAY(d->arena, file->node_count, uint32_t);
    if (!row_of || !nodes || !d->node_of_row)
        return false;
    for (uint32_t i = 0; i < file->node_count; i++) {
        const nlm_node *from = &file->nodes[row_of[i]];
        trilo_node *to = &nodes[i];
        d->node_of_row[row_of[i]] = i;
        to->name = no_name;
        to->parent = from->parent == TRILO_NONE ? TRILO_NONE : d->node_of_row[from->parent];
        memcpy(to->local.m, from->head.local, sizeof to->local.m);
        to->sheared = !tl_mat4_decompose(&to->local, &to->translation, &to->rotation, &to->scale);
    }
    d->model->nodes = nodes;
    d->model->node_count = file->node_count;
    return true;
}

static uint32_t node_with_id(const decoder *d, int32_t id)
{
    return d->node_of_row[tl_nlm_node_row(d->file, id)];
}

static bool decode_skin(decoder *d)
{
    const nlm_file *file = d->file;
    if (file->bone_count == 0)
        return true;
    trilo_skin *skin = TL_NEW(d->arena, trilo_skin);
    trilo_joint *joints = TL_ARRAY(d->arena, file->bone_count, trilo_joint);
    if (!skin || !joints)
        return false;
    for (uint32_t i = 0; i < file->bone_count; i++) {
        const nlm_bone *bone = &file->bones[file->bones_by_index[i]];
        joints[i].node = node_with_id(d, bone->node_id);
        memcpy(joints[i].inverse_bind.m, bone->offset, sizeof bone->offset);
    }
    *skin = (trilo_skin){file->bone_count, joints};
    d->model->skins = skin;
    d->model->skin_count = 1;
    return true;
}

/* --- the clip --- */

static double tick_rate(const nlm_file *file)
{
    return file->clip.ticks_per_second > 0 ? (double)file->clip.ticks_per_second : 25;
}

/* The document says w first, real files have it last. */
static void rotate_left(float *value)
{
    float w = value[0];
    value[0] = value[1], value[1] = value[2], value[2] = value[3], value[3] = w;
}

/* Of keys with equal times the last one stays. */
static uint32_t drop_equal_times(double *times, float *values, size_t width, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (kept > 0 && times[kept - 1] == times[k])
            kept--;
        times[kept] = times[k];
        memmove(values + kept * width, values + k * width, width * sizeof *values);
        kept++;
    }
    return kept;
}

static bool decode_channel(decoder *d, const nlm_track *track, int kind, trilo_channel *out)
{
    static const trilo_target targets[] = {TRILO_TARGET_TRANSLATION, TRILO_TARGET_ROTATION, TRILO_TARGET_SCALE};
    const tl_records keys = tl_nlm_keys(track, kind);
    const size_t width = kind == NLM_ROTATION_KEYS ? 4 : 3;
    double *times = TL_ARRAY(d->arena, keys.count, double);
    float *values = tl_array_raw(d->arena, keys.count, width * sizeof *values);
    if (!times || !values)
        return false;
    tl_records_floats(&keys, "value", values, width);
    for (size_t k = 0; k < keys.count; k++) {
        float ticks;
        tl_records_floats(&(tl_records){keys.layout, 0, keys.bytes + k * tl_layout_size(keys.layout, 0), 1}, "time",
                          &ticks, 1);
        times[k] = ticks / tick_rate(d->file);
        if (width == 4 && d->file->opts.quat_wxyz)
            rotate_left(values + 4 * k);
    }
    *out = (trilo_channel){.node = node_with_id(d, track->head.node_id),
                           .target = targets[kind],
                           .key_count = drop_equal_times(times, values, width, (uint32_t)keys.count),
                           .times = times,
                           .values = values};
    return true;
}

static bool decode_clip(decoder *d)
{
    const nlm_file *file = d->file;
    const float ticks = tl_is_finite(file->clip.duration) && file->clip.duration > 0 ? file->clip.duration : 0;
    if (file->track_count == 0 && ticks == 0)
        return true; /* bones without an animation */
    trilo_clip *clip = TL_NEW(d->arena, trilo_clip);
    trilo_channel *channels = tl_array(d->arena, file->track_count, NLM_KEY_KINDS * sizeof *channels);
    if (!clip || !channels)
        return false;
    clip->name = no_name;
    clip->rate = tick_rate(file);
    clip->duration = ticks / clip->rate;
    clip->channels = channels;
    for (uint32_t i = 0; i < file->track_count; i++)
        for (int kind = 0; kind < NLM_KEY_KINDS; kind++)
            if (file->tracks[i].head.key_counts[kind] > 0 &&
                !decode_channel(d, &file->tracks[i], kind, &channels[clip->channel_count++]))
                return false;
    d->model->clips = clip;
    d->model->clip_count = 1;
    return true;
}

/* --- size --- */

static bool near(double a, double b, double scale)
{
    return fabs(a - b) <= 1e-4 * scale;
}

/* A static file is resized unless its positions fill the box it names; a box without an extent says nothing. */
static bool rigid_is_resized(const decoder *d, const trilo_bounds *box)
{
    const trilo_bounds have = trilo_model_bounds(d->model);
    const double scale = tl_bounds_longest(box);
    if (tl_bounds_is_empty(&have) || !(scale > 0) || !isfinite(scale))
        return false;
    return !(near(have.min.x, box->min.x, scale) && near(have.min.y, box->min.y, scale) &&
             near(have.min.z, box->min.z, scale) && near(have.max.x, box->max.x, scale) &&
             near(have.max.y, box->max.y, scale) && near(have.max.z, box->max.z, scale));
}

/* A skinned file is resized when its root is a rotation times a scale times the shift of the box's centre to 0. */
static bool skinned_is_resized(const decoder *d, const trilo_bounds *box)
{
    if (d->model->node_count == 0 || tl_bounds_is_empty(box))
        return false;
    const trilo_node *root = &d->model->nodes[0];
    const trilo_vec3 c = tl_bounds_center(box), s = root->scale;
    const trilo_vec3 moved = tl_mat4_point(&root->local, c);
    const double reach = fabs((double)s.x) * tl_bounds_longest(box);
    const bool uniform =
        near(fabs((double)s.x), fabs((double)s.y), s.x) && near(fabs((double)s.y), fabs((double)s.z), s.x);
    const bool unit = near(fabs((double)s.x), 1, 1);
    return uniform && !unit && !root->sheared && near(moved.x, 0, reach) && near(moved.y, 0, reach) &&
           near(moved.z, 0, reach);
}

static void decode_size(decoder *d)
{
    const nlm_bounds *b = &d->file->bounds;
    const trilo_bounds box = {{b->min[0], b->min[1], b->min[2]}, {b->max[0], b->max[1], b->max[2]}};
    d->model->resized = d->model->skin_count > 0 ? skinned_is_resized(d, &box) : rigid_is_resized(d, &box);
    if (d->model->resized)
        d->model->source_bounds = box;
}

bool tl_nlm_decode(const void *nlm, tl_arena *arena, trilo_model *model, trilo_error *err)
{
    const nlm_file *file = nlm;
    decoder d = {file, arena, model, NULL};
    model->source_hash = file->header.hash;
    model->units_per_meter = 1;
    if (file->bone_count > UINT16_MAX)
        return tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], file->bones_at, NULL,
                       "%u bones, at most 65535 can be handled", (unsigned)file->bone_count);
    if (!decode_meshes(&d) || !decode_nodes(&d) || !decode_skin(&d) || (file->header.animated && !decode_clip(&d)))
        return tl_fail_memory(err);
    decode_size(&d);
    return true;
}

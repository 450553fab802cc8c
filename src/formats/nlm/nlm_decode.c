/* Decodes a checked NLM file into the neutral model.
 *
 * Nodes are sorted parent first. The bones, sorted by index, become the joints of one skin. A track becomes up to three
 * channels. Colours get an alpha of 1. */
#include "base/strict_float.h"
#include "formats/nlm/nlm.h"

#include "base/vec.h"
#include "model/bounds.h"
#include <math.h>

typedef struct nlm_decoder {
    const nlm_file *file;
    tl_arena *arena;
    trilo_model *model;
    uint32_t *node_of_row; /* the node of the model for each node of the file */
} nlm_decoder;

static const trilo_str nlm_no_name = {"", 0};

/* --- meshes --- */

static bool nlm_decode_floats(nlm_decoder *d, const nlm_mesh *mesh, trilo_mesh *out)
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

/* The joint of a bone: its rank among the bone indices. */
static uint16_t nlm_joint_of(const nlm_file *file, int64_t bone_index)
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

static bool nlm_decode_weights(nlm_decoder *d, const nlm_mesh *mesh, trilo_mesh *out)
{
    const tl_records vertices = nlm_vertices(mesh);
    bool skinned = false;
    for (size_t row = 0; d->file->bone_count > 0 && !skinned && row < vertices.count; row++) {
        int64_t ids[4];
        tl_records_ints(&vertices, "bone_ids", row, ids);
        skinned = ids[0] >= 0 || ids[1] >= 0 || ids[2] >= 0 || ids[3] >= 0;
    }
    if (!skinned)
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
                joints[row][i] = nlm_joint_of(d->file, ids[i]);
            else
                weights[row][i] = 0;
    }
    out->skin = 0;
    out->joints = (const uint16_t(*)[4])joints;
    out->weights = (const float(*)[4])weights;
    return true;
}

static bool nlm_decode_meshes(nlm_decoder *d)
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
        *to = (trilo_mesh){.name = nlm_no_name, .material = TRILO_NONE, .node = TRILO_NONE, .skin = TRILO_NONE};
        to->topology = tl_nlm_topology(d->file, from);
        to->vertex_count = from->head.vertex_count;
        to->index_count = from->head.index_count;
        uint32_t *indices = tl_array_raw(d->arena, from->head.index_count, sizeof *indices);
        for (uint32_t i = 0; indices && i < from->head.index_count; i++)
            indices[i] = tl_get_u32le(from->indices + (size_t)NLM_WORD * i);
        to->indices = indices;
        if (!indices || !nlm_decode_floats(d, from, to) || !nlm_decode_weights(d, from, to))
            return false;
        if (from->texture_size == 0)
            continue;
        /* A mesh with a texture gets its own material. */
        trilo_material *material = &materials[next];
        trilo_texture *texture = &textures[next];
        const uint8_t *bytes = tl_bytes_copy(d->arena, from->texture, from->texture_size);
        *texture = (trilo_texture){.name = nlm_no_name, .path = nlm_no_name, .bytes = {bytes, from->texture_size}};
        *material =
            (trilo_material){.name = nlm_no_name, .base_color = {1, 1, 1, 1}, .texture = d->model->texture_count};
        if (!bytes)
            return false;
        texture->kind = trilo_image_probe(texture->bytes, &texture->width, &texture->height);
        to->material = next;
        d->model->material_count = d->model->texture_count = next + 1;
    }
    return true;
}

/* --- nodes and skin --- */

/* Counting sort by depth: parents come first. A file that is sorted already keeps its order. */
static uint32_t *nlm_sort_nodes(nlm_decoder *d)
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

static bool nlm_decode_nodes(nlm_decoder *d)
{
    const nlm_file *file = d->file;
    uint32_t *row_of = nlm_sort_nodes(d);
    trilo_node *nodes = TL_ARRAY(d->arena, file->node_count, trilo_node);
    d->node_of_row = TL_ARRAY(d->arena, file->node_count, uint32_t);
    if (!row_of || !nodes || !d->node_of_row)
        return false;
    for (uint32_t i = 0; i < file->node_count; i++) {
        const nlm_node *from = &file->nodes[row_of[i]];
        trilo_node *to = &nodes[i];
        d->node_of_row[row_of[i]] = i;
        to->name = nlm_no_name;
        to->parent = from->parent == TRILO_NONE ? TRILO_NONE : d->node_of_row[from->parent];
        memcpy(to->local.m, from->head.local, sizeof to->local.m);
        to->sheared = !tl_mat4_decompose(&to->local, &to->translation, &to->rotation, &to->scale);
    }
    d->model->nodes = nodes;
    d->model->node_count = file->node_count;
    return true;
}

static uint32_t nlm_node_with_id(const nlm_decoder *d, int32_t id)
{
    return d->node_of_row[tl_nlm_node_row(d->file, id)];
}

static bool nlm_decode_skin(nlm_decoder *d)
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
        joints[i].node = nlm_node_with_id(d, bone->node_id);
        memcpy(joints[i].inverse_bind.m, bone->offset, sizeof bone->offset);
    }
    *skin = (trilo_skin){file->bone_count, joints};
    d->model->skins = skin;
    d->model->skin_count = 1;
    return true;
}

/* --- the clip --- */

static double nlm_tick_rate(const nlm_file *file)
{
    return file->clip.ticks_per_second > 0 ? (double)file->clip.ticks_per_second : 25;
}

/* Of keys with equal times the last one is kept. */
static bool nlm_decode_channel(nlm_decoder *d, const nlm_track *track, int kind, trilo_channel *out)
{
    static const trilo_target targets[] = {TRILO_TARGET_TRANSLATION, TRILO_TARGET_ROTATION, TRILO_TARGET_SCALE};
    const tl_records keys = tl_nlm_keys(track, kind);
    const size_t width = kind == NLM_ROTATION_KEYS ? 4 : 3;
    double *times = TL_ARRAY(d->arena, keys.count, double);
    float *values = tl_array_raw(d->arena, keys.count, width * sizeof *values);
    if (!times || !values)
        return false;
    tl_records_floats(&keys, "value", values, width);
    uint32_t kept = 0;
    for (size_t k = 0; k < keys.count; k++) {
        float ticks, *value = values + k * width;
        tl_records_floats(
            &(tl_records){keys.layout, TL_UNVERSIONED, keys.bytes + k * tl_layout_size(keys.layout, TL_UNVERSIONED), 1},
            "time", &ticks, 1);
        if (width == 4 && d->file->opts.quat_wxyz) { /* as documented; real files have w last */
            const float w = value[0];
            value[0] = value[1], value[1] = value[2], value[2] = value[3], value[3] = w;
        }
        const double time = ticks / nlm_tick_rate(d->file);
        if (kept > 0 && times[kept - 1] == time)
            kept--;
        times[kept] = time;
        memmove(values + kept * width, value, width * sizeof *values);
        kept++;
    }
    *out = (trilo_channel){.node = nlm_node_with_id(d, track->head.node_id),
                           .target = targets[kind],
                           .key_count = kept,
                           .times = times,
                           .values = values};
    return true;
}

static bool nlm_decode_clip(nlm_decoder *d)
{
    const nlm_file *file = d->file;
    const float ticks = tl_is_finite(file->clip.duration) && file->clip.duration > 0 ? file->clip.duration : 0;
    uint64_t keys = 0;
    for (uint32_t i = 0; i < file->track_count; i++)
        for (int kind = 0; kind < NLM_KEY_KINDS; kind++)
            keys += file->tracks[i].head.key_counts[kind];
    if (keys == 0 && ticks == 0)
        return true; /* bones without an animation */
    trilo_clip *clip = TL_NEW(d->arena, trilo_clip);
    trilo_channel *channels = tl_array(d->arena, file->track_count, NLM_KEY_KINDS * sizeof *channels);
    if (!clip || !channels)
        return false;
    clip->name = nlm_no_name;
    clip->rate = nlm_tick_rate(file);
    clip->duration = ticks / clip->rate;
    clip->channels = channels;
    for (uint32_t i = 0; i < file->track_count; i++)
        for (int kind = 0; kind < NLM_KEY_KINDS; kind++)
            if (file->tracks[i].head.key_counts[kind] > 0 &&
                !nlm_decode_channel(d, &file->tracks[i], kind, &channels[clip->channel_count++]))
                return false;
    d->model->clips = clip;
    d->model->clip_count = 1;
    return true;
}

/* --- size --- */

static bool nlm_near(double a, double b, double scale)
{
    return fabs(a - b) <= 1e-4 * scale;
}

/* A static file was resized unless its positions fill the box in its header; an empty box is ignored. */
static bool nlm_rigid_is_resized(const nlm_decoder *d, const trilo_bounds *box)
{
    const trilo_bounds have = trilo_model_bounds(d->model);
    const double scale = tl_bounds_longest(box);
    if (tl_bounds_is_empty(&have) || !(scale > 0) || !isfinite(scale))
        return false;
    return !(nlm_near(have.min.x, box->min.x, scale) && nlm_near(have.min.y, box->min.y, scale) &&
             nlm_near(have.min.z, box->min.z, scale) && nlm_near(have.max.x, box->max.x, scale) &&
             nlm_near(have.max.y, box->max.y, scale) && nlm_near(have.max.z, box->max.z, scale));
}

/* A skinned file was resized if its root is a rotation, a uniform scale and the translation of the centre of the box to
 * the origin. */
static bool nlm_skinned_is_resized(const nlm_decoder *d, const trilo_bounds *box)
{
    if (d->model->node_count == 0 || tl_bounds_is_empty(box))
        return false;
    const trilo_node *root = &d->model->nodes[0];
    const trilo_vec3 c = tl_bounds_center(box), s = root->scale;
    const trilo_vec3 center = tl_mat4_point(&root->local, c);
    const double size = fabs((double)s.x) * tl_bounds_longest(box);
    const bool uniform =
        nlm_near(fabs((double)s.x), fabs((double)s.y), s.x) && nlm_near(fabs((double)s.y), fabs((double)s.z), s.x);
    const bool unit = nlm_near(fabs((double)s.x), 1, 1);
    return uniform && !unit && !root->sheared && nlm_near(center.x, 0, size) && nlm_near(center.y, 0, size) &&
           nlm_near(center.z, 0, size);
}

bool tl_nlm_decode(const void *nlm, tl_arena *arena, trilo_model *model, trilo_error *err)
{
    const nlm_file *file = nlm;
    nlm_decoder d = {file, arena, model, NULL};
    model->source_hash = file->header.hash;
    model->units_per_meter = 1;
    if (file->bone_count > UINT16_MAX)
        return tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], file->bones_at, NULL,
                       "%u bones, at most 65535 can be handled", (unsigned)file->bone_count);
    if (!nlm_decode_meshes(&d) || !nlm_decode_nodes(&d) || !nlm_decode_skin(&d) ||
        (file->header.animated && !nlm_decode_clip(&d)))
        return tl_fail_memory(err);
    const nlm_bounds *b = &file->bounds;
    const trilo_bounds box = {{b->min[0], b->min[1], b->min[2]}, {b->max[0], b->max[1], b->max[2]}};
    model->resized = model->skin_count > 0 ? nlm_skinned_is_resized(&d, &box) : nlm_rigid_is_resized(&d, &box);
    if (model->resized)
        model->source_bounds = box;
    return true;
}

/* Encodes the neutral model as an NLM file.
 *
 * NLM has bones, not skins: the joints of all skins are numbered consecutively. Its meshes are not attached to nodes: a
 * rigid mesh is transformed to the rest pose of its node, or, if that node is animated, skinned to a bone of its own.
 * An animated node needs a bone too, as the engine writes it, with an identity matrix. Lengths are in meters. Losses
 * are reported. */
#include "base/strict_float.h"
#include "formats/nlm/nlm.h"

#include "base/vec.h"
#include "model/bounds.h"
#include "model/curve.h"
#include "model/frames.h"
#include "model/pbr.h"
#include "model/target.h"
#include "model/units.h"
#include <inttypes.h>
#include <math.h>

typedef struct nlm_encoder {
    const trilo_model *model;
    tl_arena *arena;
    tl_report *losses;
    nlm_file *file;
    const trilo_clip *clip;                   /* the clip to write; NULL: none */
    uint32_t clip_count;                      /* clips that could be written */
    uint32_t *skin_bones;                     /* first bone of each skin */
    uint32_t *node_bone;                      /* a bone of each node; TRILO_NONE: it has none yet */
    uint32_t (*channels)[TRILO_TARGET_COUNT]; /* of each node: indices of channels of the clip; TRILO_NONE: none */
    uint32_t *mesh_bone;                      /* of each rigid mesh on an animated node; TRILO_NONE: none */
    float meter;                              /* meters per unit of the model */
    uint32_t curved;                          /* channels that were resampled */
} nlm_encoder;

static void nlm_report_loss(nlm_encoder *e, enum nlm_rule_id id, const char *text)
{
    tl_report_finding(e->losses, &tl_nlm_rules[id], TRILO_NOWHERE, "%s", text);
}

/* --- lengths --- */

/* Values that are in meters already keep all bits, also NaN. */
static void nlm_to_meters(const nlm_encoder *e, float lengths[3])
{
    for (int k = 0; e->meter != 1 && k < 3; k++)
        lengths[k] *= e->meter;
}

/* --- bones --- */

static uint32_t nlm_add_bone(nlm_encoder *e, uint32_t node, const trilo_mat4 *offset)
{
    const uint32_t index = e->file->bone_count++;
    nlm_bone *bone = &e->file->bones[index];
    bone->node_id = (int32_t)node;
    bone->bone_index = (int32_t)index;
    memcpy(bone->offset, offset->m, sizeof bone->offset);
    nlm_to_meters(e, bone->offset + 12);
    if (e->node_bone[node] == TRILO_NONE)
        e->node_bone[node] = index;
    else
        nlm_report_loss(e, NLM_R_LOST_SKIN, "a node is bound in two different ways, of which the engine keeps one");
    return index;
}

static bool nlm_has_channel(const nlm_encoder *e, uint32_t node)
{
    for (int target = 0; target < TRILO_TARGET_COUNT; target++)
        if (e->channels[node][target] != TRILO_NONE)
            return true;
    return false;
}

static bool nlm_is_rigid_on_node(const trilo_mesh *mesh)
{
    return mesh->skin == TRILO_NONE && mesh->node != TRILO_NONE;
}

/* Every joint, animated node and rigid mesh may need a bone. */
static bool nlm_make_bones(nlm_encoder *e)
{
    const trilo_model *model = e->model;
    const trilo_mat4 identity = tl_mat4_identity();
    size_t most = (size_t)model->node_count + model->mesh_count;
    for (uint32_t s = 0; s < model->skin_count; s++)
        most += model->skins[s].joint_count;
    e->file->bones = TL_ARRAY(e->arena, most, nlm_bone);
    if (!e->file->bones)
        return false;
    for (uint32_t s = 0; s < model->skin_count; s++) {
        e->skin_bones[s] = e->file->bone_count;
        for (uint32_t j = 0; j < model->skins[s].joint_count; j++)
            nlm_add_bone(e, model->skins[s].joints[j].node, &model->skins[s].joints[j].inverse_bind);
    }
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        uint32_t n = nlm_is_rigid_on_node(&model->meshes[i]) ? model->meshes[i].node : TRILO_NONE;
        while (n != TRILO_NONE && !nlm_has_channel(e, n)) /* true if the node or an ancestor is animated */
            n = model->nodes[n].parent;
        if (n != TRILO_NONE)
            e->mesh_bone[i] = nlm_add_bone(e, model->meshes[i].node, &identity);
    }
    for (uint32_t n = 0; n < model->node_count; n++)
        if (nlm_has_channel(e, n) && e->node_bone[n] == TRILO_NONE)
            nlm_add_bone(e, n, &identity);
    return true;
}

/* --- tracks --- */

/* Chooses the first clip that has more than vertex animation, which NLM cannot hold, and groups its channels by node.
 */
static void nlm_choose_clip(nlm_encoder *e)
{
    for (uint32_t i = e->model->clip_count; i-- > 0;)
        if (!tl_clip_only_frames(&e->model->clips[i])) {
            e->clip = &e->model->clips[i];
            e->clip_count++;
        }
    for (uint32_t n = 0; n < e->model->node_count; n++)
        for (int target = 0; target < TRILO_TARGET_COUNT; target++)
            e->channels[n][target] = TRILO_NONE;
    const trilo_clip *clip = e->clip;
    for (uint32_t i = 0; clip && i < clip->channel_count; i++)
        if (clip->channels[i].key_count > 0)
            e->channels[clip->channels[i].node][clip->channels[i].target] = i;
}

/* NLM has an integer number of ticks per second. */
static double nlm_encode_tick_rate(const trilo_clip *clip)
{
    const double rate = clip ? clip->rate : 0;
    return rate >= 1 && rate <= INT32_MAX && rate == (double)(int32_t)rate ? rate : 1000;
}

/* Of keys whose times are equal as 32-bit ticks the last one is kept. A key that holds a value up to a step is put at
 * the last float before the next key. */
static uint32_t nlm_store_keys(const nlm_encoder *e, const trilo_channel *channel, int kind, uint8_t *out)
{
    const double rate = nlm_encode_tick_rate(e->clip);
    const tl_layout *layout = nlm_key_layout(kind);
    const size_t size = tl_layout_size(layout, TL_UNVERSIONED), width = kind == NLM_ROTATION_KEYS ? 4 : 3;
    uint32_t written = 0;
    float before = 0;
    for (uint32_t k = 0; k < channel->key_count; k++) {
        nlm_quat_key key = {.time = (float)(channel->times[k] * rate)}; /* a vector key is its beginning */
        if (k > 0 && tl_channel_holds(channel, k))
            key.time = nextafterf((float)(channel->times[k + 1] * rate), -INFINITY);
        memcpy(key.value, channel->values + k * width, width * sizeof(float));
        if (kind == NLM_POSITION_KEYS)
            nlm_to_meters(e, key.value);
        if (written > 0 && key.time < before)
            continue; /* no time is left for the hold */
        if (written > 0 && key.time == before)
            written--;
        before = key.time;
        tl_layout_store(layout, TL_UNVERSIONED, &key, out + written++ * size);
    }
    return written;
}

static const trilo_channel *nlm_channel_of(const nlm_encoder *e, uint32_t node, trilo_target target)
{
    const uint32_t number = e->channels[node][target];
    return number == TRILO_NONE ? NULL : &e->clip->channels[number];
}

static bool nlm_make_linear(nlm_encoder *e, const trilo_channel *from, trilo_channel *to)
{
    if (!tl_channel_linear(e->arena, from, TL_CURVE_RATE, to))
        return false;
    e->curved += from->interpolation == TRILO_INTERPOLATION_CUBIC && to->key_count != from->key_count ? 1 : 0;
    return true;
}

/* The linear vector keys of a node; *out is empty if it has none. Returns false when memory runs out. */
static bool nlm_merged_channel(nlm_encoder *e, uint32_t node, int kind, trilo_channel *out)
{
    static const trilo_target wholes[] = {TRILO_TARGET_TRANSLATION, TRILO_TARGET_ROTATION, TRILO_TARGET_SCALE};
    static const trilo_target firsts[] = {TRILO_TARGET_TRANSLATION_X, TRILO_TARGET_ROTATION, TRILO_TARGET_SCALE_X};
    const trilo_channel *whole = nlm_channel_of(e, node, wholes[kind]), *axes[3];
    *out = (trilo_channel){0};
    if (whole)
        return nlm_make_linear(e, whole, out);
    if (kind == NLM_ROTATION_KEYS)
        return true;
    trilo_channel linear[3];
    for (unsigned i = 0; i < 3; i++) {
        axes[i] = nlm_channel_of(e, node, (trilo_target)(firsts[kind] + i));
        if (axes[i] && !nlm_make_linear(e, axes[i], &linear[i]))
            return false;
        axes[i] = axes[i] ? &linear[i] : NULL;
    }
    return tl_channel_merge(e->arena, &e->model->nodes[node], axes, out);
}

/* A track always has all three kinds: one without keys gets the value of the rest pose. */
static bool nlm_make_keys(nlm_encoder *e, uint32_t node, int kind, nlm_track *track)
{
    const tl_layout *layout = nlm_key_layout(kind);
    trilo_channel channel;
    if (!nlm_merged_channel(e, node, kind, &channel))
        return false;
    uint8_t *bytes =
        tl_array_raw(e->arena, channel.key_count > 0 ? channel.key_count : 1, tl_layout_size(layout, TL_UNVERSIONED));
    if (!bytes)
        return false;
    track->keys[kind] = bytes;
    track->head.key_counts[kind] = 1;
    if (channel.key_count == 0) {
        const trilo_node *rest = &e->model->nodes[node];
        const trilo_vec3 v = kind == NLM_SCALE_KEYS ? rest->scale : rest->translation;
        const trilo_quat q = rest->rotation;
        nlm_quat_key key = {.value = {v.x, v.y, v.z}};
        if (kind == NLM_ROTATION_KEYS)
            key = (nlm_quat_key){.value = {q.x, q.y, q.z, q.w}};
        if (kind == NLM_POSITION_KEYS)
            nlm_to_meters(e, key.value);
        tl_layout_store(layout, TL_UNVERSIONED, &key, bytes);
        return true;
    }
    track->head.key_counts[kind] = nlm_store_keys(e, &channel, kind, bytes);
    if (track->head.key_counts[kind] < channel.key_count)
        nlm_report_loss(e, NLM_R_LOST_KEYS, "keys of a track are on the same tick, only the last of them is written");
    return true;
}

static bool nlm_make_tracks(nlm_encoder *e)
{
    nlm_file *file = e->file;
    const trilo_clip *clip = e->clip;
    file->tracks = TL_ARRAY(e->arena, e->model->node_count, nlm_track);
    if (!file->tracks)
        return false;
    for (uint32_t n = 0; n < e->model->node_count; n++) {
        if (!nlm_has_channel(e, n))
            continue;
        nlm_track *track = &file->tracks[file->track_count++];
        track->head.node_id = (int32_t)n;
        track->head.bone_index = (int32_t)e->node_bone[n];
        for (int kind = 0; kind < NLM_KEY_KINDS; kind++)
            if (!nlm_make_keys(e, n, kind, track))
                return false;
    }
    file->clip.ticks_per_second = (int32_t)nlm_encode_tick_rate(clip);
    file->clip.duration = clip ? (float)(clip->duration * nlm_encode_tick_rate(clip)) : 0;
    return true;
}

/* --- nodes --- */

static bool nlm_make_nodes(nlm_encoder *e)
{
    nlm_file *file = e->file;
    const uint32_t count = e->model->node_count;
    uint8_t *ids = tl_array_raw(e->arena, count, NLM_WORD);
    uint32_t *filled = TL_ARRAY(e->arena, count, uint32_t);
    file->nodes = TL_ARRAY(e->arena, count, nlm_node);
    if (!ids || !filled || !file->nodes)
        return false;
    file->node_count = count;
    for (uint32_t n = 0; n < count; n++)
        if (e->model->nodes[n].parent != TRILO_NONE)
            file->nodes[e->model->nodes[n].parent].head.child_count++;
    for (uint32_t n = 0; n < count; n++) { /* the children of a node are consecutive in the shared array */
        const trilo_node *from = &e->model->nodes[n];
        nlm_node *node = &file->nodes[n];
        node->head.node_id = (int32_t)n;
        memcpy(node->head.local, from->local.m, sizeof node->head.local);
        /* The root of a resized model scales it into the unit box: in meters by a larger factor. */
        if (!e->model->resized || from->parent != TRILO_NONE)
            nlm_to_meters(e, node->head.local + 12);
        else
            for (int k = 0; e->meter != 1 && k < 12; k++)
                node->head.local[k] /= e->meter;
        node->children = ids;
        ids += (size_t)node->head.child_count * NLM_WORD;
    }
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t parent = e->model->nodes[n].parent;
        if (parent != TRILO_NONE)
            tl_put_u32((uint8_t *)(uintptr_t)file->nodes[parent].children + NLM_WORD * filled[parent]++, TL_LITTLE, n);
    }
    return true;
}

/* --- meshes --- */

/* Smooth normals: the mean of the face normals around a vertex, weighted by area. */
static float (*nlm_make_normals(nlm_encoder *e, const trilo_mesh *mesh))[3]
{
    float(*normals)[3] = tl_array(e->arena, mesh->vertex_count, sizeof *normals);
    for (uint32_t i = 0; normals && mesh->topology == TRILO_TOPOLOGY_TRIANGLES && i < mesh->index_count; i += 3) {
        const uint32_t *t = mesh->indices + i;
        const float *a = mesh->positions[t[0]], *b = mesh->positions[t[1]], *c = mesh->positions[t[2]];
        const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
        for (int corner = 0; corner < 3; corner++)
            for (int k = 0; k < 3; k++)
                normals[t[corner]][k] += u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    }
    for (uint32_t i = 0; normals && i < mesh->vertex_count; i++) {
        trilo_vec3 n = tl_vec3_normalize((trilo_vec3){normals[i][0], normals[i][1], normals[i][2]});
        normals[i][0] = n.x, normals[i][1] = n.y, normals[i][2] = n.z;
    }
    return normals;
}

typedef struct nlm_mesh_source {
    const trilo_mesh *mesh;
    const float (*normals)[3];
    const float *base_color;
    uint32_t first_bone; /* of its skin */
    uint32_t rigid_bone; /* TRILO_NONE: its node is not animated */
    bool mirrored;       /* its node mirrors: triangles need the opposite winding */
    bool normalized;     /* in the unit box of a resized model: not in units of the console */
    bool baked;          /* transformed by the matrices below */
    trilo_mat4 world, normal_matrix;
} nlm_mesh_source;

static bool nlm_store_vertices(nlm_encoder *e, const nlm_mesh_source *s, nlm_mesh *out)
{
    const size_t size = tl_layout_size(&tl_nlm_vertex, TL_UNVERSIONED);
    const trilo_mesh *mesh = s->mesh;
    uint8_t *bytes = tl_array_raw(e->arena, mesh->vertex_count, size);
    for (uint32_t i = 0; bytes && i < mesh->vertex_count; i++) {
        trilo_vec3 p = {mesh->positions[i][0], mesh->positions[i][1], mesh->positions[i][2]};
        trilo_vec3 n = {s->normals[i][0], s->normals[i][1], s->normals[i][2]};
        if (s->baked) {
            p = tl_mat4_point(&s->world, p);
            n = tl_vec3_normalize(tl_mat4_direction(&s->normal_matrix, n));
        }
        trilo_nlm_vertex v = {.position = {p.x, p.y, p.z}, .normal = {n.x, n.y, n.z}};
        if (!s->normalized)
            nlm_to_meters(e, v.position);
        for (int k = 0; k < 3; k++)
            v.color[k] = (mesh->colors ? mesh->colors[i][k] : 1.0f) * s->base_color[k];
        for (int k = 0; k < 2; k++)
            v.uv[k] = mesh->uvs ? mesh->uvs[i][k] : 0;
        for (int k = 0; k < 4; k++) {
            const bool used = mesh->weights && mesh->weights[i][k] != 0;
            v.bone_ids[k] = used ? (int32_t)(s->first_bone + mesh->joints[i][k]) : -1;
            v.weights[k] = used ? mesh->weights[i][k] : 0;
        }
        if (s->rigid_bone != TRILO_NONE) {
            v.bone_ids[0] = (int32_t)s->rigid_bone;
            v.weights[0] = 1;
        }
        tl_layout_store(&tl_nlm_vertex, TL_UNVERSIONED, &v, bytes + i * size);
    }
    out->vertices = bytes;
    out->head.vertex_count = mesh->vertex_count;
    return bytes != NULL;
}

static bool nlm_store_indices(nlm_encoder *e, const nlm_mesh_source *s, nlm_mesh *out)
{
    const trilo_mesh *mesh = s->mesh;
    uint8_t *bytes = tl_array_raw(e->arena, mesh->index_count, NLM_WORD);
    for (uint32_t i = 0; bytes && i < mesh->index_count; i++) {
        const uint32_t from = s->mirrored ? i + 2 - 2 * (i % 3) : i;
        tl_put_u32(bytes + (size_t)NLM_WORD * i, TL_LITTLE, mesh->indices[from]);
    }
    out->indices = bytes;
    out->head.index_count = mesh->index_count;
    return bytes != NULL;
}

static bool nlm_embed_texture(nlm_encoder *e, const trilo_material *material, nlm_mesh *out)
{
    if (!material || material->texture == TRILO_NONE)
        return true;
    const trilo_texture *texture = &e->model->textures[material->texture];
    if (texture->bytes.size == 0)
        nlm_report_loss(e, NLM_R_LOST_TEXTURE, "the texture is not embedded, so it cannot be written");
    if (texture->bytes.size > UINT32_MAX)
        return false;
    const bool has_sampler =
        texture->nearest || texture->wrap[0] != TRILO_WRAP_REPEAT || texture->wrap[1] != TRILO_WRAP_REPEAT;
    if (texture->bytes.size > 0 && has_sampler)
        nlm_report_loss(e, NLM_R_LOST_MATERIAL, "how the texture repeats and whether its pixels are hard is lost");
    out->texture = texture->bytes.data;
    out->texture_size = (uint32_t)texture->bytes.size;
    return true;
}

static bool nlm_make_mesh(nlm_encoder *e, uint32_t i)
{
    static const float white[4] = {1, 1, 1, 1};
    const trilo_mesh *mesh = &e->model->meshes[i];
    const trilo_material *material = mesh->material == TRILO_NONE ? NULL : &e->model->materials[mesh->material];
    nlm_mesh *out = &e->file->meshes[i];
    nlm_mesh_source s = {.mesh = mesh, .normals = mesh->normals, .base_color = material ? material->base_color : white};
    s.first_bone = mesh->skin == TRILO_NONE ? 0 : e->skin_bones[mesh->skin];
    s.rigid_bone = e->mesh_bone[i];
    s.normalized = e->model->resized && mesh->skin == TRILO_NONE && s.rigid_bone == TRILO_NONE;
    tl_path_push(&e->losses->path, "meshes", i);
    bool has_alpha = false;
    for (uint32_t j = 0; mesh->colors && j < mesh->vertex_count; j++)
        has_alpha = has_alpha || mesh->colors[j][3] != 1;
    if (has_alpha)
        nlm_report_loss(e, NLM_R_LOST_ALPHA, "the alpha of the vertex colours is lost");
    if (material && (material->alpha != TRILO_ALPHA_OPAQUE || material->two_sided || material->base_color[3] != 1))
        nlm_report_loss(e, NLM_R_LOST_MATERIAL, "the material's transparency or two-sidedness is lost");
    if (material && material->unlit)
        nlm_report_loss(e, NLM_R_LOST_MATERIAL, "the material is unlit, which is lost");
    if (!mesh->normals && mesh->vertex_count > 0)
        nlm_report_loss(e, NLM_R_MADE_NORMALS, "the mesh has no normals, smooth ones were made");
    if (nlm_is_rigid_on_node(mesh)) {
        s.world = tl_node_world(e->model, mesh->node);
        s.normal_matrix = tl_mat4_normal(&s.world);
        s.mirrored = mesh->topology == TRILO_TOPOLOGY_TRIANGLES && tl_mat4_mirrors(&s.world);
        s.baked = s.rigid_bone == TRILO_NONE;
        if (s.baked)
            nlm_report_loss(e, NLM_R_BAKED, "the mesh was moved to where its node puts it");
    }
    if (!s.normals)
        s.normals = (const float(*)[3])nlm_make_normals(e, mesh);
    bool ok = s.normals && nlm_store_vertices(e, &s, out) && nlm_store_indices(e, &s, out) &&
              nlm_embed_texture(e, material, out);
    tl_path_pop(&e->losses->path);
    return ok;
}

/* --- the file --- */

static bool nlm_any_name(const trilo_model *model)
{
    for (uint32_t i = 0; i < model->mesh_count; i++)
        if (model->meshes[i].name.len > 0)
            return true;
    for (uint32_t i = 0; i < model->node_count; i++)
        if (model->nodes[i].name.len > 0)
            return true;
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (model->clips[i].name.len > 0)
            return true;
    for (uint32_t i = 0; i < model->material_count; i++)
        if (model->materials[i].name.len > 0)
            return true;
    return false;
}

static void nlm_report_model_losses(nlm_encoder *e)
{
    const bool named = e->clip && e->clip->name.len > 0;
    if (nlm_any_name(e->model))
        nlm_report_loss(e, NLM_R_LOST_NAMES,
                        "NLM holds no names, those of meshes, materials, nodes and clips are lost");
    if (e->clip_count > 1)
        tl_report_finding(e->losses, &tl_nlm_rules[NLM_R_LOST_CLIPS], TRILO_NOWHERE,
                          "NLM holds one clip: %s%.60s%s is kept, %" PRIu32 " of %" PRIu32 " are lost",
                          named ? "\"" : "the first", named ? e->clip->name.data : "", named ? "\"" : "",
                          e->clip_count - 1, e->clip_count);
    tl_pbr_maps_lost(e->model, &tl_nlm_rules[NLM_R_LOST_MAPS], e->losses);
    tl_frames_lost(e->model, &tl_nlm_rules[NLM_R_LOST_FRAMES], e->losses);
    if (e->clip && e->clip->channel_count == 0)
        nlm_report_loss(e, NLM_R_EMPTY_CLIP, "the clip has no keys, so the written clip moves nothing");
    if (e->curved > 0)
        tl_report_finding(e->losses, &tl_nlm_rules[NLM_R_RESAMPLED], TRILO_NOWHERE,
                          "channels with curves (%" PRIu32 ") were sampled and are interpolated linearly", e->curved);
    if (e->model->node_count > 0 && !e->file->header.animated)
        nlm_report_loss(e, NLM_R_LOST_NODES, "the nodes are lost, NLM has them only with bones or an animation");
}

static void nlm_make_header(nlm_encoder *e, const trilo_write_opts *opts)
{
    nlm_file *file = e->file;
    trilo_bounds box = e->model->resized ? e->model->source_bounds : trilo_model_bounds(e->model);
    if (tl_bounds_is_empty(&box))
        memset(&box, 0, sizeof box);
    file->header_form = opts->nlm->header12 ? NLM_HEADER_12 : NLM_HEADER_16;
    file->header = (nlm_header){e->model->source_hash ? e->model->source_hash : trilo_fnv1a(NULL, 0), NLM_MAGIC,
                                NLM_VERSION, e->clip || file->bone_count > 0};
    file->bounds = (nlm_bounds){{box.min.x, box.min.y, box.min.z}, {box.max.x, box.max.y, box.max.z}};
    nlm_to_meters(e, file->bounds.min);
    nlm_to_meters(e, file->bounds.max);
}

static bool nlm_encode_all(nlm_encoder *e, const trilo_write_opts *opts)
{
    const trilo_model *model = e->model;
    e->file = TL_NEW(e->arena, nlm_file);
    e->skin_bones = TL_ARRAY(e->arena, model->skin_count, uint32_t);
    e->node_bone = TL_ARRAY(e->arena, model->node_count, uint32_t);
    e->mesh_bone = TL_ARRAY(e->arena, model->mesh_count, uint32_t);
    e->channels = tl_array(e->arena, model->node_count, sizeof *e->channels);
    if (!e->file || !e->skin_bones || !e->node_bone || !e->mesh_bone || !e->channels)
        return false;
    e->file->meshes = TL_ARRAY(e->arena, model->mesh_count, nlm_mesh);
    for (uint32_t n = 0; n < model->node_count; n++)
        e->node_bone[n] = TRILO_NONE;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        e->mesh_bone[i] = TRILO_NONE;
    nlm_choose_clip(e);
    if (!e->file->meshes || !nlm_make_bones(e) || !nlm_make_tracks(e) || !nlm_make_nodes(e))
        return false;
    nlm_make_header(e, opts);
    nlm_report_model_losses(e);
    for (; e->file->mesh_count < model->mesh_count; e->file->mesh_count++)
        if (!nlm_make_mesh(e, e->file->mesh_count))
            return false;
    return true;
}

void *tl_nlm_encode(const trilo_model *model, const trilo_write_opts *opts, tl_arena *arena, tl_report *losses,
                    trilo_error *err)
{
    nlm_encoder e = {.model = model, .arena = arena, .losses = losses, .meter = 1 / tl_units_per_meter(model)};
    if (nlm_encode_all(&e, opts))
        return e.file;
    tl_fail_memory(err);
    return NULL;
}

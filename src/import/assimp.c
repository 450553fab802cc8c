/* Models through Assimp's C interface: its scene becomes a model. */
#include "base/strict_float.h"

#include "import/import.h"

#ifdef TRILO_WITH_ASSIMP
#include "base/array.h"
#include "base/hash_table.h"
#include "base/size.h"
#include "base/vec.h"
#include "import/assimp_library.h"
#include "layout/layout.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IMPORT_NODES_MOST = 1 << 16, IMPORT_WEIGHTS = 4 };

typedef struct import_job {
    tl_assimp_library assimp;
    const struct aiScene *scene;
    const trilo_load_opts *opts;
    tl_arena *arena;
    tl_report *losses;
    trilo_model *model;
    trilo_bytes bytes; /* the file, for Assimp's reader */
    const char *name;
    const struct aiNode **nodes; /* in the order of the model's */
    tl_hash_table names;         /* of the nodes; the row after them is the name to look up */
    const struct aiString *wanted;
    trilo_node *out_nodes;
    bool no_memory;
} import_job;

/* ---- files that Assimp opens: the model itself, and companions ---- */

typedef struct import_file {
    trilo_bytes bytes;
    size_t at;
} import_file;

static size_t import_read(struct aiFile *file, char *out, size_t size, size_t count)
{
    import_file *from = (import_file *)(void *)file->UserData;
    const size_t left = from->bytes.size - from->at, whole = size > 0 ? left / size : 0;
    const size_t taken = whole < count ? whole : count;
    if (taken > 0)
        memcpy(out, from->bytes.data + from->at, taken * size);
    from->at += taken * size;
    return taken;
}

static size_t import_write(struct aiFile *file, const char *bytes, size_t size, size_t count)
{
    (void)file, (void)bytes, (void)size, (void)count;
    return 0;
}

static size_t import_tell(struct aiFile *file)
{
    return ((import_file *)(void *)file->UserData)->at;
}

static size_t import_size(struct aiFile *file)
{
    return ((import_file *)(void *)file->UserData)->bytes.size;
}

static enum aiReturn import_seek(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    import_file *from = (import_file *)(void *)file->UserData;
    const size_t base = origin == aiOrigin_CUR ? from->at : origin == aiOrigin_END ? from->bytes.size : 0;
    const size_t at = base + offset; /* negative offsets wrap */
    if (at > from->bytes.size)
        return aiReturn_FAILURE;
    from->at = at;
    return aiReturn_SUCCESS;
}

static void import_flush(struct aiFile *file)
{
    (void)file;
}

static struct aiFile *import_open(struct aiFileIO *io, const char *path, const char *mode)
{
    const import_job *job = (const import_job *)(void *)io->UserData;
    trilo_bytes bytes = job->bytes;
    if (strncmp(path, "./", 2) == 0)
        path += 2;
    if (mode[0] != 'r' || (strcmp(path, job->name) != 0 &&
                           (!job->opts->companion || !job->opts->companion(job->opts->companion_user, path, &bytes))))
        return NULL;
    struct aiFile *file = calloc(1, sizeof *file);
    import_file *from = calloc(1, sizeof *from);
    if (!file || !from) {
        free(file);
        free(from);
        return NULL;
    }
    from->bytes = bytes;
    *file =
        (struct aiFile){import_read, import_write, import_tell, import_size, import_seek, import_flush, (char *)from};
    return file;
}

static void import_close(struct aiFileIO *io, struct aiFile *file)
{
    (void)io;
    free(file->UserData);
    free(file);
}

/* ---- pieces ---- */

static trilo_str import_text(import_job *job, const struct aiString *text)
{
    const trilo_str copy = tl_str_copy(job->arena, text->data, text->length);
    job->no_memory |= !copy.data;
    return copy;
}

static void *import_array(import_job *job, size_t count, size_t each)
{
    void *array = tl_array(job->arena, count, each);
    job->no_memory |= !array;
    return array;
}

/* Assimp's matrices are stored by rows. */
static trilo_mat4 import_matrix(const struct aiMatrix4x4 *a)
{
    return (trilo_mat4){{a->a1, a->b1, a->c1, a->d1, a->a2, a->b2, a->c2, a->d2, a->a3, a->b3, a->c3, a->d3, a->a4,
                         a->b4, a->c4, a->d4}};
}

static void import_lost(import_job *job, enum tl_import_rule_id rule, size_t count, const char *what, const char *name)
{
    if (count > 0)
        tl_report_finding(job->losses, &tl_import_rules[rule], TRILO_NOWHERE, "%zu %s%s not imported%s%.60s%s", count,
                          what, count == 1 ? " is" : "s are", *name ? " (\"" : "", name, *name ? "\")" : "");
}

static const struct aiString *import_name(const import_job *job, uint32_t row)
{
    return row < job->model->node_count ? &job->nodes[row]->mName : job->wanted;
}

static int import_compare_names(const void *rows, uint32_t a, uint32_t b)
{
    const struct aiString *x = import_name(rows, a), *y = import_name(rows, b);
    return x->length != y->length ? (x->length < y->length ? -1 : 1) : memcmp(x->data, y->data, x->length);
}

/* Of nodes with the same name, the first is found. */
static bool import_list_names(import_job *job)
{
    if (!tl_hash_table_init(&job->names, job->arena, job->model->node_count, import_compare_names, job))
        return false;
    for (uint32_t i = 0; i < job->model->node_count; i++) {
        const struct aiString *name = import_name(job, i);
        if (tl_hash_table_add(&job->names, trilo_fnv1a(name->data, name->length), i) == TRILO_NONE)
            return false;
    }
    return true;
}

static uint32_t import_node_named(import_job *job, const struct aiString *name)
{
    job->wanted = name;
    return tl_hash_table_find(&job->names, trilo_fnv1a(name->data, name->length), job->model->node_count);
}

/* ---- nodes ---- */

/* capacity: of job->nodes, of job->out_nodes. */
static bool import_add_node(import_job *job, const struct aiNode *from, uint32_t parent, size_t capacity[2])
{
    const uint32_t count = job->model->node_count;
    const struct aiNode **list =
        tl_array_grow(job->arena, (const void *)job->nodes, count, &capacity[0], 1, sizeof *list);
    trilo_node *nodes = tl_array_grow(job->arena, job->out_nodes, count, &capacity[1], 1, sizeof *nodes);
    if (!list || !nodes)
        return false;
    trilo_node *to = &nodes[count];
    *to = (trilo_node){.parent = parent, .name = import_text(job, &from->mName)};
    to->local = import_matrix(&from->mTransformation);
    to->sheared = !tl_mat4_decompose(&to->local, &to->translation, &to->rotation, &to->scale);
    list[count] = from;
    job->nodes = list;
    job->out_nodes = nodes;
    job->model->nodes = nodes;
    job->model->node_count = count + 1;
    return !job->no_memory;
}

/* Breadth first: a parent comes before its children. */
static bool import_nodes(import_job *job, trilo_error *err)
{
    size_t capacity[2] = {0, 0};
    bool added = import_add_node(job, job->scene->mRootNode, TRILO_NONE, capacity);
    for (uint32_t i = 0; added && i < job->model->node_count; i++) {
        const struct aiNode *from = job->nodes[i];
        if (from->mNumChildren > IMPORT_NODES_MOST - job->model->node_count)
            return tl_fail(err, TRILO_CODE_LIMIT, &tl_import_rules[TL_IMPORT_R_FAILED], TRILO_NOWHERE, NULL,
                           "the model has more than %d nodes", IMPORT_NODES_MOST);
        for (unsigned k = 0; added && k < from->mNumChildren; k++)
            added = import_add_node(job, from->mChildren[k], i, capacity);
    }
    return (added && import_list_names(job)) || tl_fail_memory(err);
}

/* FBX files say which axis is up; other readers of Assimp turn the root themselves. */
static void import_up_axis(import_job *job)
{
    const struct aiMetadata *data = job->scene->mMetaData;
    static const struct aiMatrix4x4 identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    int32_t axis = 1;
    for (unsigned i = 0; data && i < data->mNumProperties; i++)
        if (strcmp(data->mKeys[i].data, "UpAxis") == 0 && data->mValues[i].mType == AI_INT32)
            memcpy(&axis, data->mValues[i].mData, sizeof axis);
    if (axis != 2 || memcmp(&job->scene->mRootNode->mTransformation, &identity, sizeof identity) != 0)
        return;
    trilo_node *root = &job->out_nodes[0];
    root->local = (trilo_mat4){{1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1}}; /* z up becomes y up */
    root->sheared = !tl_mat4_decompose(&root->local, &root->translation, &root->rotation, &root->scale);
}

/* True if it is known which axis is up. STL and PLY have no convention; programs for 3D printing put z up. */
static bool import_has_axes(const tl_import_format *format)
{
    return strcmp(format->name, "STL") != 0 && strcmp(format->name, "PLY") != 0;
}

/* FBX files state centimeters per unit. COLLADA files state meters per unit, by which Assimp scales the root. */
static void import_units(import_job *job)
{
    const struct aiMetadata *data = job->scene->mMetaData;
    tl_import_format format;
    double centimeters = 0;
    for (unsigned i = 0; data && i < data->mNumProperties; i++) {
        const struct aiMetadataEntry *value = &data->mValues[i];
        float single;
        if (strcmp(data->mKeys[i].data, "UnitScaleFactor") != 0)
            continue;
        if (value->mType == AI_DOUBLE)
            memcpy(&centimeters, value->mData, sizeof centimeters);
        if (value->mType == AI_FLOAT) {
            memcpy(&single, value->mData, sizeof single);
            centimeters = (double)single;
        }
    }
    job->model->units_per_meter = 1;
    if (centimeters > 0 && isfinite(centimeters))
        job->model->units_per_meter = (float)(100 / centimeters);
    else if (!tl_import_reads(job->bytes, job->name, &format) || strcmp(format.name, "DAE") != 0)
        tl_report_finding(job->losses, &tl_import_rules[TL_IMPORT_R_UNITS], TRILO_NOWHERE,
                          "the file does not state its unit%s; one meter is assumed%s",
                          import_has_axes(&format) ? "" : " or which axis is up",
                          import_has_axes(&format) ? "" : ", with y up");
}

/* ---- materials ---- */

static const char *import_last(const char *path)
{
    const char *last = path;
    for (const char *c = path; *c; c++)
        if (*c == '/' || *c == '\\')
            last = c + 1;
    return last;
}

/* An image inside of the file: "*3", or one whose name is that of the texture. */
static const struct aiTexture *import_embedded(const import_job *job, const char *path)
{
    const unsigned long number = path[0] == '*' ? strtoul(path + 1, NULL, 10) : ULONG_MAX;
    if (number < job->scene->mNumTextures)
        return job->scene->mTextures[number];
    for (unsigned i = 0; i < job->scene->mNumTextures; i++)
        if (strcmp(import_last(job->scene->mTextures[i]->mFilename.data), import_last(path)) == 0)
            return job->scene->mTextures[i];
    return NULL;
}

/* The texture with that image; several materials may show one. */
static uint32_t import_texture(import_job *job, const struct aiString *path, const enum aiTextureMapMode modes[2])
{
    trilo_model *model = job->model;
    trilo_texture *textures = (trilo_texture *)(uintptr_t)model->textures, *texture = &textures[model->texture_count];
    const char *name = import_last(path->data);
    for (uint32_t i = 0; i < model->texture_count; i++)
        if (strcmp(textures[i].name.data, name) == 0)
            return i;
    texture->name = tl_str_copy(job->arena, name, strlen(name));
    texture->path = tl_str_copy(job->arena, "", 0);
    const struct aiTexture *embedded = import_embedded(job, path->data);
    trilo_bytes bytes = {NULL, 0};
    if (embedded && embedded->mHeight == 0)
        bytes = (trilo_bytes){(const uint8_t *)embedded->pcData, embedded->mWidth};
    else if (job->opts->companion)
        job->opts->companion(job->opts->companion_user, name, &bytes);
    if (bytes.size > 0)
        texture->bytes = (trilo_bytes){tl_bytes_copy(job->arena, bytes.data, bytes.size), bytes.size};
    else
        texture->path = texture->name;
    texture->kind = trilo_image_probe(texture->bytes, &texture->width, &texture->height);
    if (bytes.size > 0 && texture->kind == TRILO_IMAGE_KIND_UNKNOWN) {
        import_lost(job, TL_IMPORT_R_LOST, 1, "image that is neither PNG nor JPEG", name);
        texture->bytes = (trilo_bytes){NULL, 0};
        texture->path = texture->name;
    }
    for (int k = 0; k < 2; k++)
        texture->wrap[k] = modes[k] == aiTextureMapMode_Mirror ? TRILO_WRAP_MIRROR
                           : modes[k] == aiTextureMapMode_Wrap ? TRILO_WRAP_REPEAT
                                                               : TRILO_WRAP_CLAMP;
    job->no_memory |=
        !texture->name.data || !texture->path.data || (bytes.size > 0 && !texture->bytes.data && !texture->path.len);
    return model->texture_count++;
}

static void import_material(import_job *job, const struct aiMaterial *from, trilo_material *to)
{
    struct aiString text;
    struct aiColor4D color;
    enum aiTextureMapMode modes[2] = {aiTextureMapMode_Wrap, aiTextureMapMode_Wrap};
    unsigned set = 0;
    int two_sided = 0;
    float opacity = 1;
    *to = (trilo_material){.base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    if (job->assimp.aiGetMaterialString(from, AI_MATKEY_NAME, &text) == aiReturn_SUCCESS)
        to->name = import_text(job, &text);
    else
        to->name = tl_str_copy(job->arena, "", 0);
    if (job->assimp.aiGetMaterialColor(from, AI_MATKEY_BASE_COLOR, &color) == aiReturn_SUCCESS ||
        job->assimp.aiGetMaterialColor(from, AI_MATKEY_COLOR_DIFFUSE, &color) == aiReturn_SUCCESS) {
        const float values[3] = {color.r, color.g, color.b};
        for (int c = 0; c < 3; c++)
            to->base_color[c] = values[c] >= 0 && values[c] <= 1 ? values[c] : 1;
    }
    job->assimp.aiGetMaterialFloatArray(from, AI_MATKEY_OPACITY, &opacity, NULL);
    job->assimp.aiGetMaterialIntegerArray(from, AI_MATKEY_TWOSIDED, &two_sided, NULL);
    to->two_sided = two_sided != 0;
    if (opacity >= 0 && opacity < 1) {
        to->base_color[3] = opacity;
        to->alpha = TRILO_ALPHA_BLEND;
    }
    static const enum aiTextureType kinds[] = {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE};
    for (size_t i = 0; i < TL_COUNT_OF(kinds) && to->texture == TRILO_NONE; i++)
        if (job->assimp.aiGetMaterialTexture(from, kinds[i], 0, &text, NULL, &set, NULL, NULL, modes, NULL) ==
                aiReturn_SUCCESS &&
            text.length > 0) {
            to->texture = import_texture(job, &text, modes);
            to->base_color[0] = to->base_color[1] = to->base_color[2] = 1; /* the texture replaces the colour */
        }
    if (job->assimp.aiGetMaterialTextureCount(from, aiTextureType_OPACITY) > 0 && to->texture != TRILO_NONE)
        to->alpha = TRILO_ALPHA_CUTOUT;
    size_t maps = 0;
    for (unsigned kind = aiTextureType_SPECULAR; kind <= AI_TEXTURE_TYPE_MAX; kind++)
        if (kind != aiTextureType_OPACITY && kind != aiTextureType_BASE_COLOR)
            maps += job->assimp.aiGetMaterialTextureCount(from, (enum aiTextureType)kind);
    import_lost(job, TL_IMPORT_R_LOST, maps, "other map", to->name.data ? to->name.data : "");
}

static bool import_materials(import_job *job, trilo_error *err)
{
    const uint32_t count = job->scene->mNumMaterials;
    trilo_material *materials = import_array(job, count, sizeof *materials);
    job->model->textures = import_array(job, count, sizeof(trilo_texture));
    for (uint32_t i = 0; !job->no_memory && i < count; i++)
        import_material(job, job->scene->mMaterials[i], &materials[i]);
    job->model->materials = materials;
    job->model->material_count = count;
    return !job->no_memory || tl_fail_memory(err);
}

/* ---- meshes ---- */

/* The four weights of each vertex; their bones become a skin. */
static void import_skin(import_job *job, const struct aiMesh *from, trilo_mesh *to, trilo_skin *skin)
{
    trilo_joint *joints = import_array(job, from->mNumBones, sizeof *joints);
    uint16_t(*indices)[4] = import_array(job, from->mNumVertices, sizeof *indices);
    float(*weights)[4] = import_array(job, from->mNumVertices, sizeof *weights);
    uint32_t count = 0;
    size_t homeless = 0;
    for (unsigned b = 0; !job->no_memory && b < from->mNumBones && count < UINT16_MAX; b++) {
        const struct aiBone *bone = from->mBones[b];
        const uint32_t node = import_node_named(job, &bone->mName);
        if (node == TRILO_NONE) {
            homeless++;
            continue;
        }
        joints[count] = (trilo_joint){node, import_matrix(&bone->mOffsetMatrix)};
        for (unsigned w = 0; w < bone->mNumWeights; w++) {
            const uint32_t vertex = bone->mWeights[w].mVertexId;
            int slot = 0;
            while (vertex < from->mNumVertices && slot < IMPORT_WEIGHTS && weights[vertex][slot] > 0)
                slot++;
            if (vertex >= from->mNumVertices || slot == IMPORT_WEIGHTS || !(bone->mWeights[w].mWeight > 0))
                continue;
            indices[vertex][slot] = (uint16_t)count;
            weights[vertex][slot] = bone->mWeights[w].mWeight;
        }
        count++;
    }
    import_lost(job, TL_IMPORT_R_LOST, homeless, "bone without a node", from->mName.data);
    to->joints = (const uint16_t(*)[4])indices;
    to->weights = (const float(*)[4])weights;
    *skin = (trilo_skin){count, joints};
}

/* Vertices of a skin are stored where its mesh is in the rest pose, in units of the model: some exporters write them a
 * hundred times smaller, below a node that scales them, and T3DM has no room for that. */
static void import_bake_skin(import_job *job, uint32_t node, trilo_mesh *mesh, trilo_skin *skin)
{
    trilo_mat4 global = job->out_nodes[node].local, inverse;
    for (uint32_t n = job->out_nodes[node].parent; n != TRILO_NONE; n = job->out_nodes[n].parent)
        global = tl_mat4_mul(&job->out_nodes[n].local, &global);
    if (!tl_mat4_inverse_affine(&global, &inverse) || tl_mat4_mirrors(&global))
        return;
    const trilo_mat4 normal = tl_mat4_normal(&global);
    float(*positions)[3] = (float(*)[3])(uintptr_t)mesh->positions,
    (*normals)[3] = (float(*)[3])(uintptr_t)mesh->normals;
    trilo_joint *joints = (trilo_joint *)(uintptr_t)skin->joints;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const trilo_vec3 p = tl_mat4_point(&global, (trilo_vec3){positions[i][0], positions[i][1], positions[i][2]});
        positions[i][0] = p.x, positions[i][1] = p.y, positions[i][2] = p.z;
        if (!normals)
            continue;
        const trilo_vec3 n =
            tl_vec3_normalize(tl_mat4_direction(&normal, (trilo_vec3){normals[i][0], normals[i][1], normals[i][2]}));
        normals[i][0] = n.x, normals[i][1] = n.y, normals[i][2] = n.z;
    }
    for (uint32_t i = 0; i < skin->joint_count; i++)
        joints[i].inverse_bind = tl_mat4_mul(&joints[i].inverse_bind, &inverse);
}

static void import_mesh(import_job *job, const struct aiMesh *from, trilo_mesh *to)
{
    const uint32_t count = from->mNumVertices, corners = from->mPrimitiveTypes == aiPrimitiveType_LINE ? 2 : 3;
    float(*positions)[3] = import_array(job, count, sizeof *positions);
    float(*normals)[3] = from->mNormals ? import_array(job, count, sizeof *normals) : NULL;
    float(*colors)[4] = from->mColors[0] ? import_array(job, count, sizeof *colors) : NULL;
    float(*uvs)[2] = from->mTextureCoords[0] ? import_array(job, count, sizeof *uvs) : NULL;
    uint32_t *indices = import_array(job, (size_t)from->mNumFaces * corners, sizeof *indices);
    *to =
        (trilo_mesh){.name = import_text(job, &from->mName),
                     .topology = corners == 2 ? TRILO_TOPOLOGY_LINES : TRILO_TOPOLOGY_TRIANGLES,
                     .material = from->mMaterialIndex < job->model->material_count ? from->mMaterialIndex : TRILO_NONE,
                     .node = TRILO_NONE,
                     .skin = TRILO_NONE,
                     .vertex_count = count};
    if (job->no_memory)
        return;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(positions[i], &from->mVertices[i], sizeof *positions);
        if (normals)
            memcpy(normals[i], &from->mNormals[i], sizeof *normals);
        if (colors)
            memcpy(colors[i], &from->mColors[0][i], sizeof *colors);
        if (uvs)
            memcpy(uvs[i], &from->mTextureCoords[0][i], sizeof *uvs);
    }
    for (unsigned f = 0; f < from->mNumFaces; f++)
        for (unsigned k = 0; from->mFaces[f].mNumIndices == corners && k < corners; k++)
            indices[to->index_count++] = from->mFaces[f].mIndices[k];
    to->positions = (const float(*)[3])positions;
    to->normals = (const float(*)[3])normals;
    to->colors = (const float(*)[4])colors;
    to->uvs = (const float(*)[2])uvs;
    to->indices = indices;
    size_t sets = 0;
    for (unsigned k = 1; k < AI_MAX_NUMBER_OF_TEXTURECOORDS; k++)
        sets += from->mTextureCoords[k] != NULL;
    import_lost(job, TL_IMPORT_R_LOST, sets, "other set of texture coordinate", from->mName.data);
    import_lost(job, TL_IMPORT_R_LOST, from->mNumAnimMeshes, "morph target", from->mName.data);
}

/* A mesh for each node that shows it; meshes of points are left out. */
static bool import_meshes(import_job *job, trilo_error *err)
{
    const struct aiScene *scene = job->scene;
    size_t most = 0, points = 0;
    for (uint32_t i = 0; i < job->model->node_count; i++)
        most += job->nodes[i]->mNumMeshes;
    trilo_mesh *meshes = import_array(job, most, sizeof *meshes);
    trilo_mesh *sources = import_array(job, scene->mNumMeshes, sizeof *sources);
    trilo_skin *skins = import_array(job, scene->mNumMeshes, sizeof *skins);
    bool *baked = import_array(job, scene->mNumMeshes, sizeof *baked);
    uint32_t count = 0;
    for (unsigned i = 0; !job->no_memory && i < scene->mNumMeshes; i++) {
        const struct aiMesh *from = scene->mMeshes[i];
        import_mesh(job, from, &sources[i]);
        if (from->mNumBones > 0 && !job->no_memory) {
            import_skin(job, from, &sources[i], &skins[job->model->skin_count]);
            sources[i].skin = job->model->skin_count++;
        }
    }
    for (uint32_t i = 0; !job->no_memory && i < job->model->node_count; i++)
        for (unsigned k = 0; k < job->nodes[i]->mNumMeshes; k++) {
            const unsigned number = job->nodes[i]->mMeshes[k];
            const bool shown = number < scene->mNumMeshes && (scene->mMeshes[number]->mPrimitiveTypes &
                                                              (aiPrimitiveType_TRIANGLE | aiPrimitiveType_LINE));
            points += !shown;
            if (!shown)
                continue;
            if (sources[number].skin != TRILO_NONE && !baked[number])
                import_bake_skin(job, i, &sources[number], &skins[sources[number].skin]);
            baked[number] = true;
            meshes[count] = sources[number];
            meshes[count++].node = i;
        }
    import_lost(job, TL_IMPORT_R_LOST, points, "mesh of points", "");
    job->model->meshes = meshes;
    job->model->mesh_count = count;
    job->model->skins = skins;
    return !job->no_memory || tl_fail_memory(err);
}

/* ---- clips ---- */

/* Keys of one kind: translation and scale are three numbers after a time, rotations a quaternion with w first.
 * Times must increase. */
static void import_keys(import_job *job, double rate, uint32_t node, trilo_target target, const void *keys,
                        unsigned key_count, trilo_clip *clip)
{
    trilo_channel *channel = (trilo_channel *)(uintptr_t)&clip->channels[clip->channel_count];
    const uint32_t width = trilo_target_width(target);
    double *times = import_array(job, key_count, sizeof *times);
    float *values = import_array(job, (size_t)key_count * width, sizeof *values);
    uint32_t count = 0;
    for (unsigned i = 0; !job->no_memory && i < key_count; i++) {
        const struct aiVectorKey *vector = (const struct aiVectorKey *)keys + i;
        const struct aiQuatKey *quat = (const struct aiQuatKey *)keys + i;
        const double time = (target == TRILO_TARGET_ROTATION ? quat->mTime : vector->mTime) / rate;
        if (!isfinite(time) || (count > 0 && time <= times[count - 1]))
            continue;
        float *value = values + (size_t)count * width;
        if (target == TRILO_TARGET_ROTATION) {
            const double x = (double)quat->mValue.x, y = (double)quat->mValue.y, z = (double)quat->mValue.z,
                         w = (double)quat->mValue.w, length = sqrt(x * x + y * y + z * z + w * w);
            const float unit[4] = {(float)(x / length), (float)(y / length), (float)(z / length), (float)(w / length)};
            if (!(length > 0))
                continue;
            memcpy(value, unit, sizeof unit);
        } else {
            memcpy(value, &vector->mValue, 3 * sizeof *value);
        }
        times[count++] = time;
    }
    if (job->no_memory || count == 0)
        return;
    *channel = (trilo_channel){.node = node, .target = target, .key_count = count, .times = times, .values = values};
    clip->channel_count++;
    clip->duration = times[count - 1] > clip->duration ? times[count - 1] : clip->duration;
}

static void import_clip(import_job *job, const struct aiAnimation *from, trilo_clip *to)
{
    enum { DEFAULT_RATE = 25, KINDS = 3 };
    const double rate = from->mTicksPerSecond > 0 ? from->mTicksPerSecond : DEFAULT_RATE;
    size_t homeless = 0;
    const trilo_channel *channels = import_array(job, (size_t)from->mNumChannels * KINDS, sizeof *channels);
    *to = (trilo_clip){.name = import_text(job, &from->mName), .channels = channels};
    for (unsigned i = 0; !job->no_memory && i < from->mNumChannels; i++) {
        const struct aiNodeAnim *channel = from->mChannels[i];
        const uint32_t node = import_node_named(job, &channel->mNodeName);
        homeless += node == TRILO_NONE;
        if (node == TRILO_NONE)
            continue;
        import_keys(job, rate, node, TRILO_TARGET_TRANSLATION, channel->mPositionKeys, channel->mNumPositionKeys, to);
        import_keys(job, rate, node, TRILO_TARGET_ROTATION, channel->mRotationKeys, channel->mNumRotationKeys, to);
        import_keys(job, rate, node, TRILO_TARGET_SCALE, channel->mScalingKeys, channel->mNumScalingKeys, to);
    }
    import_lost(job, TL_IMPORT_R_LOST, homeless, "channel without a node", from->mName.data);
    import_lost(job, TL_IMPORT_R_LOST, from->mNumMeshChannels + from->mNumMorphMeshChannels, "channel of vertices",
                from->mName.data);
}

static bool import_clips(import_job *job, trilo_error *err)
{
    const uint32_t count = job->scene->mNumAnimations;
    trilo_clip *clips = import_array(job, count, sizeof *clips);
    for (uint32_t i = 0; !job->no_memory && i < count; i++)
        import_clip(job, job->scene->mAnimations[i], &clips[i]);
    job->model->clips = clips;
    job->model->clip_count = count;
    return !job->no_memory || tl_fail_memory(err);
}

/* ---- scale above bones ---- */

/* Exporters put a scale of 100 above the bones, for centimeters. T3DM stores vertices in the space of their bone, where
 * they would be a hundred times smaller than a unit, so uniform scales of bones and of nodes above them are applied to
 * what is below: a node keeps its position, and its space is as large as the model's. */
static float *import_find_scales(import_job *job)
{
    const uint32_t count = job->model->node_count;
    float *removed = import_array(job, count, sizeof *removed);
    for (uint32_t i = 0; removed && i < job->model->skin_count; i++)
        for (uint32_t k = 0; k < job->model->skins[i].joint_count; k++)
            for (uint32_t n = job->model->skins[i].joints[k].node; n != TRILO_NONE && removed[n] == 0;
                 n = job->out_nodes[n].parent) {
                const trilo_vec3 s = job->out_nodes[n].scale;
                const float close = 1e-3f * fabsf(s.x);
                const bool uniform = s.x > 0 && fabsf(s.y - s.x) <= close && fabsf(s.z - s.x) <= close;
                removed[n] = uniform && fabsf(s.x - 1) > 1e-3f ? s.x : 1;
            }
    for (uint32_t n = 0; removed && n < count; n++)
        removed[n] = removed[n] == 0 ? 1 : removed[n];
    return removed;
}

static void import_apply_scales(import_job *job)
{
    const float *removed = import_find_scales(job);
    float *factors = import_array(job, job->model->node_count, sizeof *factors); /* removed from the space of a node */
    for (uint32_t n = 0; !job->no_memory && n < job->model->node_count; n++) {
        trilo_node *node = &job->out_nodes[n];
        const float above = node->parent != TRILO_NONE ? factors[node->parent] : 1;
        factors[n] = above * removed[n];
        for (int k = 0; k < 12; k++)
            node->local.m[k] /= k % 4 < 3 ? removed[n] : 1;
        for (int k = 12; k < 15; k++)
            node->local.m[k] *= above;
        node->sheared = !tl_mat4_decompose(&node->local, &node->translation, &node->rotation, &node->scale);
    }
    for (uint32_t i = 0; !job->no_memory && i < job->model->skin_count; i++)
        for (uint32_t k = 0; k < job->model->skins[i].joint_count; k++) {
            trilo_joint *joint = (trilo_joint *)(uintptr_t)&job->model->skins[i].joints[k];
            for (int m = 0; m < 16; m++)
                joint->inverse_bind.m[m] *= m % 4 < 3 ? factors[joint->node] : 1;
        }
    for (uint32_t i = 0; !job->no_memory && i < job->model->mesh_count; i++) {
        trilo_mesh *mesh = (trilo_mesh *)(uintptr_t)&job->model->meshes[i];
        const float factor = mesh->skin == TRILO_NONE ? factors[mesh->node] : 1;
        float(*positions)[3] = factor != 1 ? import_array(job, mesh->vertex_count, sizeof *positions) : NULL;
        for (uint32_t v = 0; positions && v < mesh->vertex_count; v++)
            for (int c = 0; c < 3; c++)
                positions[v][c] = mesh->positions[v][c] * factor;
        if (positions)
            mesh->positions = (const float(*)[3])positions;
    }
    for (uint32_t i = 0; !job->no_memory && i < job->model->clip_count; i++)
        for (uint32_t k = 0; k < job->model->clips[i].channel_count; k++) {
            const trilo_channel *channel = &job->model->clips[i].channels[k];
            const uint32_t parent = job->out_nodes[channel->node].parent;
            const float factor = channel->target == TRILO_TARGET_TRANSLATION
                                     ? parent != TRILO_NONE ? factors[parent] : 1
                                 : channel->target == TRILO_TARGET_SCALE ? 1 / removed[channel->node]
                                                                         : 1;
            float *values = (float *)(uintptr_t)channel->values;
            for (size_t v = 0; factor != 1 && v < 3 * (size_t)channel->key_count; v++)
                values[v] *= factor;
        }
}

/* ---- all of it ---- */

bool tl_import_reads(trilo_bytes bytes, const char *name, tl_import_format *format)
{
    static const char fbx[] = "Kaydara FBX Binary";
    static const char *const none[] = {".gltf", ".glb", ".blend", ".zip"}; /* read here, or better exported */
    const char *dot = name ? strrchr(name, '.') : NULL;
    *format = (tl_import_format){"FBX"};
    tl_assimp_library assimp;
    if (bytes.size >= sizeof fbx - 1 && memcmp(bytes.data, fbx, sizeof fbx - 1) == 0)
        return tl_assimp_load(&assimp);
    for (size_t i = 0; dot && i < TL_COUNT_OF(none); i++)
        if (strcmp(dot, none[i]) == 0)
            return false;
    if (!dot || !dot[1] || !tl_assimp_load(&assimp) || assimp.aiIsExtensionSupported(dot) != AI_TRUE)
        return false;
    *format = (tl_import_format){""};
    for (size_t i = 0; dot[1 + i] && i + 1 < sizeof format->name; i++)
        format->name[i] = (char)(dot[1 + i] >= 'a' && dot[1 + i] <= 'z' ? dot[1 + i] - 'a' + 'A' : dot[1 + i]);
    return true;
}

static bool import_scene(import_job *job, trilo_error *err)
{
    const struct aiScene *scene = job->scene;
    if (!import_nodes(job, err))
        return false;
    import_up_axis(job);
    import_units(job);
    if (!import_materials(job, err) || !import_meshes(job, err) || !import_clips(job, err))
        return false;
    if (job->model->skin_count > 0)
        import_apply_scales(job);
    if (job->no_memory)
        return tl_fail_memory(err);
    import_lost(job, TL_IMPORT_R_LOST_LIGHTS, scene->mNumLights, "light", "");
    import_lost(job, TL_IMPORT_R_LOST_CAMERAS, scene->mNumCameras, "camera", "");
    return true;
}

bool tl_import_model(trilo_bytes bytes, const char *name, const trilo_load_opts *opts, tl_arena *arena,
                     trilo_model *model, tl_report *losses, trilo_error *err)
{
    const unsigned steps = aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_LimitBoneWeights |
                           aiProcess_SortByPType | aiProcess_FlipUVs | aiProcess_ValidateDataStructure |
                           aiProcess_FindInvalidData;
    import_job job = {.opts = opts,
                      .arena = arena,
                      .losses = losses,
                      .model = model,
                      .bytes = bytes,
                      .name = name && strrchr(name, '.') ? name : "model.fbx"};
    struct aiFileIO io = {import_open, import_close, (char *)&job};
    if (!tl_assimp_load(&job.assimp))
        return tl_fail(err, TRILO_CODE_UNSUPPORTED, &tl_import_rules[TL_IMPORT_R_FAILED], 0, NULL,
                       "Assimp is not installed: there is no " TRILO_ASSIMP_FILE);
    struct aiPropertyStore *settings = job.assimp.aiCreatePropertyStore();
    if (!settings)
        return tl_fail_memory(err);
    job.assimp.aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 0);
    job.scene = job.assimp.aiImportFileExWithProperties(job.name, steps, &io, settings);
    bool ok = job.scene && job.scene->mRootNode;
    if (ok)
        ok = import_scene(&job, err);
    else
        tl_fail(err, TRILO_CODE_BAD_VALUE, &tl_import_rules[TL_IMPORT_R_FAILED], 0, NULL,
                "Assimp cannot read the file: %.150s", job.assimp.aiGetErrorString());
    if (job.scene)
        job.assimp.aiReleaseImport(job.scene);
    job.assimp.aiReleasePropertyStore(settings);
    return ok;
}

#else

bool tl_import_reads(trilo_bytes bytes, const char *name, tl_import_format *format)
{
    (void)bytes, (void)name, (void)format;
    return false;
}

bool tl_import_model(trilo_bytes bytes, const char *name, const trilo_load_opts *opts, tl_arena *arena,
                     trilo_model *model, tl_report *losses, trilo_error *err)
{
    (void)bytes, (void)name, (void)opts, (void)arena, (void)model, (void)losses;
    return tl_fail(err, TRILO_CODE_UNSUPPORTED, &tl_import_rules[TL_IMPORT_R_FAILED], 0, NULL,
                   "Trilobite was built without Assimp");
}

#endif

#include "formats/gltf/file/instances.h"
#include "base/strict_float.h"

#include "base/vec.h"

const char tl_gltf_instancing[] = "EXT_mesh_gpu_instancing";

/* An accessor of the extension; TRILO_NONE: none. */
static uint32_t gltf_instance_accessor(const gltf_file *file, const tl_json *node, const char *key)
{
    const tl_json *extension = tl_gltf_extension(node, tl_gltf_instancing);
    return tl_gltf_index(file, tl_json_member(extension, "attributes"), key, GLTF_ACCESSORS, NULL);
}

/* A translation takes 12 bytes in the file, a mesh of the model some hundred in memory. One mesh for every 4 bytes is
 * more than any real file needs, and no more than JSON nodes could ask for. Counts are taken from the JSON, unchecked.
 */
bool tl_gltf_instances_fit(const gltf_file *file)
{
    static const char *const keys[] = {"TRANSLATION", "ROTATION", "SCALE"};
    enum { MESHES_FREE = 4096, BYTES_PER_MESH = 4 };
    uint64_t meshes = 0, size = file->json.size;
    for (uint32_t i = 0; i < file->tables[GLTF_BUFFERS].count; i++)
        size += file->buffers[i].bytes.size;
    for (uint32_t i = 0; i < file->tables[GLTF_NODES].count; i++) {
        const tl_json *node = file->tables[GLTF_NODES].items[i];
        if (!tl_gltf_extension(node, tl_gltf_instancing))
            continue;
        uint32_t instances = 0;
        for (size_t k = 0; k < TL_COUNT_OF(keys); k++) {
            uint32_t count = 0;
            const tl_json *accessor = tl_gltf_item(file, GLTF_ACCESSORS, gltf_instance_accessor(file, node, keys[k]));
            if (tl_json_uint(tl_json_member(accessor, "count"), &count) && count > instances)
                instances = count;
        }
        const uint32_t mesh = tl_gltf_index(file, node, "mesh", GLTF_MESHES, NULL);
        const tl_json *primitives = tl_json_member(tl_gltf_item(file, GLTF_MESHES, mesh), "primitives");
        meshes += instances * (1 + (uint64_t)(primitives ? primitives->count : 0));
        if (meshes > MESHES_FREE + size / BYTES_PER_MESH)
            return false;
    }
    return true;
}

/* Returns what is wrong with an attribute; NULL: nothing, or there is none. */
static const char *gltf_instance_attribute(const gltf_file *file, const tl_json *node, const char *key, uint32_t width,
                                           gltf_instances *out, bool *has, gltf_accessor *a)
{
    const uint32_t index = gltf_instance_accessor(file, node, key);
    gltf_bounds bounds;
    uint32_t max, non_finite;
    *has = index != TRILO_NONE;
    if (!*has)
        return NULL;
    const char *problem = tl_gltf_accessor(file, index, a);
    if (problem)
        return problem;
    const bool quantized = width == 4 && a->normalized && (a->component == GLTF_S8 || a->component == GLTF_S16);
    if (a->width != width || a->matrix || (a->component != GLTF_F32 && !quantized))
        return "their translations must be VEC3 of floats, rotations VEC4 of floats or normalized 8 or 16 bits";
    tl_gltf_accessor_scan(a, &max, &non_finite, &bounds);
    if (non_finite != TRILO_NONE)
        return "their translations have infinite numbers";
    if (out->count != 0 && out->count != a->count)
        return "their translations, rotations and scales are not equally many";
    out->count = a->count;
    return NULL;
}

bool tl_gltf_instances_of(const gltf_file *file, const tl_json *node, bool fit, gltf_instances *out,
                          const char **problem)
{
    *problem = NULL;
    if (!tl_gltf_extension(node, tl_gltf_instancing) || !tl_json_member(node, "mesh"))
        return false;
    *out = (gltf_instances){.count = 0};
    if (!fit)
        *problem = "they are more than a file of this size can have";
    else if (tl_json_member(node, "skin"))
        *problem = "a skinned mesh is placed by its joints";
    if (!*problem)
        *problem = gltf_instance_attribute(file, node, "TRANSLATION", 3, out, &out->has_translation, &out->translation);
    if (!*problem)
        *problem = gltf_instance_attribute(file, node, "ROTATION", 4, out, &out->has_rotation, &out->rotation);
    if (!*problem)
        *problem = gltf_instance_attribute(file, node, "SCALE", 3, out, &out->has_scale, &out->scale);
    if (!*problem && out->count == 0)
        *problem = "the file does not say where";
    return !*problem;
}

void tl_gltf_instance(const gltf_instances *instances, uint32_t index, trilo_node *out)
{
    float t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (instances->has_translation)
        tl_gltf_element(&instances->translation, index, false, t, 3);
    if (instances->has_rotation)
        tl_gltf_element(&instances->rotation, index, true, r, 4);
    if (instances->has_scale)
        tl_gltf_element(&instances->scale, index, false, s, 3);
    out->translation = (trilo_vec3){t[0], t[1], t[2]};
    out->rotation = tl_quat_normalize((trilo_quat){r[0], r[1], r[2], r[3]});
    out->scale = (trilo_vec3){s[0], s[1], s[2]};
    out->local = tl_mat4_from_trs(out->translation, out->rotation, out->scale);
}

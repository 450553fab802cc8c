/* Counts what a file becomes: nodes share meshes, primitives and channels share accessors. */
#include "formats/gltf/file/instances.h"
#include "formats/gltf/gltf.h"

/* What a mesh of the file becomes each time a node draws it. */
typedef struct gltf_mesh_size {
    tl_expansion all;
    uint64_t morphed_vertices, drawn;
} gltf_mesh_size;

static uint32_t gltf_accessor_count(const gltf_file *file, const tl_json *object, const char *key)
{
    gltf_accessor accessor;
    const uint32_t index = tl_gltf_index(file, object, key, GLTF_ACCESSORS, NULL);
    return index != TRILO_NONE && !tl_gltf_accessor(file, index, &accessor) ? accessor.count : 0;
}

/* A triangle of a strip or fan takes one index in the file and three in the model. A primitive gets the vertices that
 * it uses, and each morph target displaces them. */
static void gltf_measure_mesh(const gltf_file *file, const tl_json *json, gltf_mesh_size *size)
{
    enum { TRIANGLES = 4 };
    const tl_json *primitives = tl_json_member(json, "primitives");
    for (const tl_json *p = primitives && primitives->kind == TL_JSON_ARRAY ? primitives->first : NULL; p;
         p = p->next) {
        const tl_json *targets = tl_json_member(p, "targets");
        const uint32_t stored = gltf_accessor_count(file, tl_json_member(p, "attributes"), "POSITION");
        const uint32_t indices = tl_json_member(p, "indices") ? gltf_accessor_count(file, p, "indices") : stored;
        const uint32_t target_count = targets && targets->kind == TL_JSON_ARRAY ? targets->count : 0;
        uint32_t mode = TRIANGLES;
        tl_json_uint(tl_json_member(p, "mode"), &mode);
        const uint32_t vertices = stored < indices ? stored : indices;
        tl_expansion_add(&size->all, indices, mode == TRIANGLES ? 1 : 3);
        tl_expansion_add(&size->all, vertices, 1 + (uint64_t)target_count);
        size->morphed_vertices += target_count > 0 ? vertices : 0;
    }
}

/* How often a node draws its mesh. */
static uint32_t gltf_node_instances(const gltf_file *file, const tl_json *node)
{
    const tl_json *attributes = tl_json_member(tl_gltf_extension(node, tl_gltf_instancing), "attributes");
    const uint32_t count = attributes ? gltf_accessor_count(file, attributes, "TRANSLATION") : 0;
    return count > 0 ? count : 1;
}

/* Keyframes of morph weights become whole vertices, those of a cubic spline sixty times a second. */
static double gltf_count_weight_frames(const gltf_file *file, const tl_json *sampler, uint32_t keys)
{
    gltf_accessor times;
    float first = 0, last = 0;
    const trilo_str mode = tl_json_string(tl_json_member(sampler, "interpolation"));
    const uint32_t input = tl_gltf_index(file, sampler, "input", GLTF_ACCESSORS, NULL);
    if (!gltf_str_is(mode, "CUBICSPLINE") || input == TRILO_NONE || tl_gltf_accessor(file, input, &times) ||
        times.width != 1 || keys == 0)
        return keys;
    tl_gltf_element(&times, 0, false, &first, 1);
    for (uint32_t i = 0; i < keys; i++) {
        float time;
        tl_gltf_element(&times, i, false, &time, 1);
        last = time > last ? time : last;
    }
    return ((double)last - (double)first) * GLTF_SPLINE_RATE + 2.0 * keys;
}

static bool gltf_count_animation(const gltf_file *file, const tl_json *json, const gltf_mesh_size *meshes,
                                 tl_arena *arena, tl_expansion *expansion)
{
    const tl_json *channels = tl_json_member(json, "channels"), *samplers = tl_json_member(json, "samplers");
    const tl_json **list = tl_json_list(arena, samplers);
    for (const tl_json *c = list && channels && channels->kind == TL_JSON_ARRAY ? channels->first : NULL; c;
         c = c->next) {
        const tl_json *target = tl_json_member(c, "target");
        const uint32_t node = tl_gltf_index(file, target, "node", GLTF_NODES, NULL);
        uint32_t index;
        if (!tl_json_uint(tl_json_member(c, "sampler"), &index) || index >= (samplers ? samplers->count : 0))
            continue;
        const uint32_t keys = gltf_accessor_count(file, list[index], "input");
        tl_expansion_add(expansion, keys, 1);
        if (node == TRILO_NONE || !gltf_str_is(tl_json_string(tl_json_member(target, "path")), "weights"))
            continue;
        const tl_json *drawing = file->tables[GLTF_NODES].items[node];
        const uint32_t mesh = tl_gltf_index(file, drawing, "mesh", GLTF_MESHES, NULL);
        const double frames = gltf_count_weight_frames(file, list[index], keys);
        if (mesh != TRILO_NONE)
            tl_expansion_add(expansion, frames > 0 && frames < 1e18 ? (uint64_t)frames : keys,
                             meshes[mesh].morphed_vertices * gltf_node_instances(file, drawing));
    }
    return list != NULL;
}

bool tl_gltf_count(const gltf_file *file, tl_arena *arena, tl_expansion *expansion, trilo_error *err)
{
    const uint32_t mesh_count = file->tables[GLTF_MESHES].count;
    gltf_mesh_size *meshes = TL_ARRAY(arena, mesh_count, gltf_mesh_size);
    if (!meshes)
        return tl_fail_memory(err);
    for (uint32_t i = 0; i < mesh_count; i++)
        gltf_measure_mesh(file, file->tables[GLTF_MESHES].items[i], &meshes[i]);
    for (uint32_t i = 0; i < file->tables[GLTF_NODES].count; i++) {
        const tl_json *node = file->tables[GLTF_NODES].items[i];
        const uint32_t mesh = tl_gltf_index(file, node, "mesh", GLTF_MESHES, NULL);
        if (mesh != TRILO_NONE)
            meshes[mesh].drawn += gltf_node_instances(file, node);
    }
    for (uint32_t i = 0; i < mesh_count; i++)
        tl_expansion_add(expansion, meshes[i].all.elements, meshes[i].drawn > 0 ? meshes[i].drawn : 1);
    for (uint32_t i = 0; i < file->tables[GLTF_ANIMATIONS].count; i++)
        if (!gltf_count_animation(file, file->tables[GLTF_ANIMATIONS].items[i], meshes, arena, expansion))
            return tl_fail_memory(err);
    return tl_expansion_fits(expansion, &file->opts->limits, err);
}

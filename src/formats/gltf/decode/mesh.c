/* Meshes of the model: one for each primitive of each node with a mesh. They share the arrays of the primitive. */
#include "base/strict_float.h"
#include "formats/gltf/decode/decode.h"

/* A mesh of the file, decoded when the first node draws it. */
typedef struct gltf_file_mesh {
    bool decoded;
    uint32_t count; /* of primitives that are drawn */
    gltf_primitive *primitives;
    trilo_str name;
    trilo_extras extras;
} gltf_file_mesh;

typedef struct gltf_mesh_decoder {
    gltf_decoder *d;
    gltf_file_mesh *file_meshes; /* of each mesh of the file */
    trilo_mesh *meshes;
} gltf_mesh_decoder;

/* The mesh that a node draws; NULL: none. */
static gltf_file_mesh *gltf_mesh_of_node(const gltf_mesh_decoder *m, uint32_t node)
{
    const gltf_decoder *d = m->d;
    const tl_json *json = d->file->tables[GLTF_NODES].items[node];
    const uint32_t mesh = d->drawn[node] ? tl_gltf_index(d->file, json, "mesh", GLTF_MESHES, NULL) : TRILO_NONE;
    return mesh == TRILO_NONE ? NULL : &m->file_meshes[mesh];
}

static bool gltf_decode_file_mesh(gltf_decoder *d, const tl_json *json, gltf_file_mesh *out)
{
    static const char *const lost[] = {"KHR_materials_variants", "KHR_draco_mesh_compression", NULL};
    const tl_json *primitives = tl_json_member(json, "primitives");
    const uint32_t count = primitives && primitives->kind == TL_JSON_ARRAY ? primitives->count : 0;
    out->decoded = true;
    out->primitives = TL_ARRAY(&d->scratch, count, gltf_primitive);
    if (!out->primitives || !tl_gltf_name(d, json, &out->name) || !tl_gltf_extras(d, json, lost, &out->extras))
        return false;
    for (const tl_json *p = count > 0 ? primitives->first : NULL; p; p = p->next) {
        gltf_primitive *primitive = &out->primitives[out->count];
        if (!tl_gltf_decode_primitive(d, p, primitive))
            return false;
        out->count += primitive->drawn ? 1 : 0;
    }
    return true;
}

/* Decodes the meshes that nodes draw, and makes room for the meshes of the model. */
static bool gltf_decode_file_meshes(gltf_mesh_decoder *m)
{
    gltf_decoder *d = m->d;
    uint64_t total = 0;
    for (uint32_t node = 0; node < gltf_count(d, GLTF_NODES); node++) {
        gltf_file_mesh *from = gltf_mesh_of_node(m, node);
        if (!from)
            continue;
        const tl_json *json = d->file->tables[GLTF_MESHES].items[from - m->file_meshes];
        if (!from->decoded && !gltf_decode_file_mesh(d, json, from))
            return false;
        const uint32_t instances = d->instances_of[node].count;
        const uint64_t count = (uint64_t)from->count * (instances > 0 ? instances : 1);
        d->meshes_of[node] = (gltf_range){(uint32_t)total, (uint32_t)count};
        total += count;
        if (total >= TRILO_NONE)
            return tl_gltf_decode_fail(d, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], NULL,
                                       "the nodes show too many meshes");
    }
    m->meshes = TL_ARRAY(d->arena, (size_t)total, trilo_mesh);
    d->primitive_of = TL_ARRAY(&d->scratch, (size_t)total, gltf_primitive *);
    d->model->meshes = m->meshes;
    return m->meshes && d->primitive_of;
}

/* Adds a mesh to the model. `parent` is the model's node that carries it: the node itself or one of its instances. */
static bool gltf_add_mesh(gltf_mesh_decoder *m, uint32_t node, uint32_t parent, const gltf_file_mesh *from,
                          gltf_primitive *primitive)
{
    gltf_decoder *d = m->d;
    const tl_json *json = d->file->tables[GLTF_NODES].items[node];
    const uint32_t skin = tl_gltf_index(d->file, json, "skin", GLTF_SKINS, NULL);
    const uint32_t number = d->model->mesh_count++;
    trilo_mesh *mesh = &m->meshes[number];
    *mesh = primitive->mesh;
    d->primitive_of[number] = primitive;
    mesh->name = d->model->nodes[parent].name.len > 0 ? d->model->nodes[parent].name : from->name;
    mesh->extras = from->extras;
    if (skin == TRILO_NONE || !mesh->joints) {
        mesh->joints = NULL;
        mesh->weights = NULL;
    } else {
        mesh->skin = skin;
        if (d->model->skins[skin].joint_count <= primitive->max_joint)
            return tl_gltf_decode_fail(d, TRILO_CODE_BAD_VALUE, gltf_rule(GLTF_R_SKIN), json,
                                       "a vertex hangs on a joint that the skin does not have");
    }
    mesh->node = mesh->skin == TRILO_NONE && d->file->opts->gltf->ignore_transforms ? TRILO_NONE : parent;
    if (primitive->target_count == 0)
        return true;
    const tl_json *mesh_json = d->file->tables[GLTF_MESHES].items[from - m->file_meshes];
    const float *weights = tl_gltf_default_weights(d, primitive, json, mesh_json);
    return weights && tl_gltf_morph(d, primitive, weights, &mesh->positions, &mesh->normals);
}

bool tl_gltf_decode_meshes(gltf_decoder *d)
{
    const uint32_t nodes = gltf_count(d, GLTF_NODES);
    gltf_mesh_decoder m = {.d = d};
    m.file_meshes = TL_ARRAY(&d->scratch, gltf_count(d, GLTF_MESHES), gltf_file_mesh);
    d->meshes_of = TL_ARRAY(&d->scratch, nodes, gltf_range);
    if (!m.file_meshes || !d->meshes_of || !gltf_decode_file_meshes(&m))
        return false;
    for (uint32_t node = 0; node < nodes; node++) {
        gltf_file_mesh *from = gltf_mesh_of_node(&m, node);
        const gltf_range instances = d->instances_of[node];
        for (uint32_t k = 0; from && k < (instances.count > 0 ? instances.count : 1); k++) {
            const uint32_t parent = instances.count > 0 ? instances.first + k : d->node_of[node];
            for (uint32_t i = 0; i < from->count; i++)
                if (!gltf_add_mesh(&m, node, parent, from, &from->primitives[i]))
                    return false;
        }
    }
    return true;
}

/* Meshes of the model: one for each node that shows a mesh and each of its primitives. They share the arrays of the
 * primitive. */
#include "formats/gltf/decode/decode.h"

/* A mesh of the file: its primitives, decoded when a node shows them. */
typedef struct source {
    bool decoded;
    uint32_t count; /* of primitives that draw something */
    gltf_shape *shapes;
    trilo_str name;
    trilo_extras extras;
} source;

typedef struct mesh_decoder {
    gltf_decoder *d;
    source *sources; /* of each mesh of the file */
    trilo_mesh *meshes;
} mesh_decoder;

static bool decode_source(gltf_decoder *d, const tl_json *json, source *s)
{
    static const char *const lost[] = {"KHR_materials_variants", "KHR_draco_mesh_compression", NULL};
    const tl_json *primitives = tl_json_member(json, "primitives");
    const uint32_t count = primitives && primitives->kind == TL_JSON_ARRAY ? primitives->count : 0;
    s->decoded = true;
    s->shapes = TL_ARRAY(&d->scratch, count, gltf_shape);
    if (!s->shapes || !tl_gltf_name(d, json, &s->name) || !tl_gltf_extras(d, json, lost, &s->extras))
        return false;
    const tl_json *primitive = count > 0 ? primitives->first : NULL;
    for (; primitive; primitive = primitive->next) {
        gltf_shape *shape = &s->shapes[s->count];
        if (!tl_gltf_decode_shape(d, primitive, shape))
            return false;
        s->count += shape->draws ? 1 : 0;
    }
    return true;
}

/* NULL: the node shows none. */
static source *source_of(const mesh_decoder *m, uint32_t node)
{
    const gltf_decoder *d = m->d;
    const tl_json *json = d->file->tables[GLTF_NODES].items[node];
    const uint32_t mesh = d->shown[node] ? tl_gltf_index(d->file, json, "mesh", GLTF_MESHES, NULL) : TRILO_NONE;
    return mesh == TRILO_NONE ? NULL : &m->sources[mesh];
}

/* Decodes what is shown and counts the meshes of the model. */
static bool decode_sources(mesh_decoder *m)
{
    gltf_decoder *d = m->d;
    uint64_t total = 0;
    for (uint32_t node = 0; node < gltf_count(d, GLTF_NODES); node++) {
        source *s = source_of(m, node);
        if (!s)
            continue;
        if (!s->decoded && !decode_source(d, d->file->tables[GLTF_MESHES].items[s - m->sources], s))
            return false;
        const uint64_t shown = (uint64_t)s->count * (d->copies[node].count > 0 ? d->copies[node].count : 1);
        d->meshes_of[node] = (gltf_node_meshes){(uint32_t)total, (uint32_t)shown};
        total += shown;
        if (total >= TRILO_NONE)
            return tl_gltf_refuse(d, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], NULL,
                                  "the nodes show too many meshes");
    }
    m->meshes = TL_ARRAY(d->arena, (size_t)total, trilo_mesh);
    d->shapes = TL_ARRAY(&d->scratch, (size_t)total, gltf_shape *);
    d->model->meshes = m->meshes;
    return m->meshes && d->shapes;
}

static bool attach_skin(gltf_decoder *d, const tl_json *node, const gltf_shape *shape, trilo_mesh *mesh)
{
    const uint32_t skin = tl_gltf_index(d->file, node, "skin", GLTF_SKINS, NULL);
    if (skin == TRILO_NONE || !mesh->joints) {
        mesh->joints = NULL;
        mesh->weights = NULL;
        return true;
    }
    mesh->skin = skin;
    if (d->model->skins[skin].joint_count > shape->top_joint)
        return true;
    return tl_gltf_refuse(d, TRILO_CODE_BAD_VALUE, gltf_rule(GLTF_R_SKIN), node,
                          "a vertex hangs on a joint that the skin does not have");
}

/* `place` is the node of the model that carries it. */
static bool show_shape(mesh_decoder *m, uint32_t node, uint32_t place, const source *s, gltf_shape *shape)
{
    gltf_decoder *d = m->d;
    const tl_json *json = d->file->tables[GLTF_NODES].items[node];
    const tl_json *from = d->file->tables[GLTF_MESHES].items[s - m->sources];
    const uint32_t number = d->model->mesh_count++;
    trilo_mesh *mesh = &m->meshes[number];
    *mesh = shape->mesh;
    d->shapes[number] = shape;
    mesh->name = d->model->nodes[place].name.len > 0 ? d->model->nodes[place].name : s->name;
    mesh->extras = s->extras;
    if (!attach_skin(d, json, shape, mesh))
        return false;
    mesh->node = mesh->skin == TRILO_NONE && d->file->opts->gltf.ignore_transforms ? TRILO_NONE : place;
    if (shape->target_count == 0)
        return true;
    const float *weights = tl_gltf_rest_weights(d, shape, json, from);
    return weights && tl_gltf_morph(d, shape, weights, &mesh->positions, &mesh->normals);
}

static bool show_all(mesh_decoder *m)
{
    for (uint32_t node = 0; node < gltf_count(m->d, GLTF_NODES); node++) {
        source *s = source_of(m, node);
        const gltf_copies *copies = &m->d->copies[node];
        for (uint32_t k = 0; s && k < (copies->count > 0 ? copies->count : 1); k++) {
            const uint32_t place = copies->count > 0 ? copies->first + k : m->d->node_of[node];
            for (uint32_t i = 0; i < s->count; i++)
                if (!show_shape(m, node, place, s, &s->shapes[i]))
                    return false;
        }
    }
    return true;
}

bool tl_gltf_decode_meshes(gltf_decoder *d)
{
    mesh_decoder m = {.d = d};
    m.sources = TL_ARRAY(&d->scratch, gltf_count(d, GLTF_MESHES), source);
    d->meshes_of = TL_ARRAY(&d->scratch, gltf_count(d, GLTF_NODES), gltf_node_meshes);
    return m.sources && d->meshes_of && decode_sources(&m) && show_all(&m);
}

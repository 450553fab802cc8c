/* gltf_written.h: a small model made by hand, what becomes of it as glTF, and a way to look into that. */
#ifndef TL_TEST_GLTF_WRITTEN_H
#define TL_TEST_GLTF_WRITTEN_H

#include "base/json.h"
#include "support/buffer.h"
#include "trilobite/trilobite.h"

enum { LEAF_VERTICES = 4, LEAF_MESHES = 3, LEAF_NODES = 3, LEAF_KEYS = 4, LEAF_FRAMES = 4, WRITTEN_COMPANIONS = 4 };

/* A square of two triangles in the xy plane, one unit wide; every test changes a part of it. */
typedef struct leaf {
    float positions[LEAF_VERTICES][3], normals[LEAF_VERTICES][3], colors[LEAF_VERTICES][4], uvs[LEAF_VERTICES][2];
    float weights[LEAF_VERTICES][4];
    uint16_t joints[LEAF_VERTICES][4];
    uint32_t indices[6];
    trilo_mesh meshes[LEAF_MESHES]; /* all alike; the model has one */
    trilo_material material;
    trilo_n64_material n64;
    trilo_texture texture;
    trilo_node nodes[LEAF_NODES]; /* 1 is the child of 0, 1 up along y; 2 is a root; the model has none */
    trilo_joint joint[LEAF_NODES];
    trilo_skin skin;
    double times[LEAF_KEYS];
    float values[LEAF_KEYS * 12];
    trilo_channel channels[3];
    float frame_positions[LEAF_FRAMES][LEAF_VERTICES][3];
    trilo_frame frames[LEAF_FRAMES];
    trilo_track track;
    trilo_clip clip;
    trilo_model model;
} leaf;

void leaf_fill(leaf *l);
void leaf_use_nodes(leaf *l, uint32_t count);
void leaf_use_skin(leaf *l); /* joints 0 and 1; all of the mesh follows joint 0 */
void leaf_use_material(leaf *l);
/* A clip that moves node 1 from 0 to 3 along x, one key a second. */
void leaf_use_clip(leaf *l);
/* A clip of four frames a second apart; frame i is moved by i along z. */
void leaf_use_track(leaf *l);

typedef struct written {
    bool ok;
    trilo_error err;
    char heard[512], texts[1024]; /* rules and sentences, a space behind each */
    buffer file, companions[WRITTEN_COMPANIONS];
    char names[WRITTEN_COMPANIONS][64];
    uint32_t companion_count;
    tl_arena arena;
    const tl_json *root; /* of the text */
    char *text;
    const uint8_t *bin; /* NULL: none */
    size_t bin_size;
} written;

/* `opts` NULL: the defaults. With `companions` there is a place for files beside. */
void write_gltf(written *w, const trilo_model *model, const trilo_gltf_write_opts *opts, const char *name,
                bool companions);
void write_leaf(written *w, const leaf *l); /* as "leaf.glb"; must succeed without a finding */
const trilo_model *written_model(const written *w);
void written_free(written *w);

/* "meshes/0/primitives/1/indices"; NULL: there is no such value. */
const tl_json *written_at(const written *w, const char *path);
double written_number(const written *w, const char *path);
const char *written_text(const written *w, const char *path);
/* The value as it stands in the file: valid until the next call. */
const char *written_raw(const written *w, const char *path);
/* A float of the accessor whose number stands at `path`, without sparse parts. */
float written_float(const written *w, const char *path, uint32_t index);

#endif

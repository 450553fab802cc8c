/* t3dm_frond.h: a model of one triangle made by hand, its way into a T3DM file and back. */
#ifndef TL_TEST_T3DM_FROND_H
#define TL_TEST_T3DM_FROND_H

#include "support/buffer.h"
#include "trilobite/trilobite.h"

enum { FROND_MESHES = 4, FROND_NODES = 4 };

/* A triangle 0 0 0, 2 0 0, 0 1 0 that looks along z, in the mesh "leaf" with the plain material "moss"; every test
 * changes a part of it. The other meshes and materials are like the first and not part of the model. Nodes follow one
 * another as children, all at their parent's place but node 1, which is 3 up; joints stand on the first two. */
typedef struct frond {
    float positions[3][3], normals[3][3], colors[3][4], uvs[3][2], weights[3][4];
    uint16_t joints[3][4];
    uint32_t indices[3];
    trilo_mesh mesh[FROND_MESHES];
    trilo_material material[FROND_MESHES];
    trilo_texture texture;
    trilo_node nodes[FROND_NODES];
    trilo_joint joint[2];
    trilo_skin skin;
    double times[2];
    float values[8];
    trilo_channel channel; /* node 1 from the origin to 5 along x in a second */
    trilo_clip clip;       /* "sway" */
    trilo_chunk chunk;
    trilo_model model;
} frond;

void frond_fill(frond *s);
/* Both nodes are joints, and the triangle follows the first. */
void frond_skin(frond *s);
/* The model has nodes, and the triangle hangs on one of them. */
void frond_hang(frond *s, uint32_t nodes, uint32_t on);
void frond_texture(frond *s); /* of 32 x 32 texels, "rom:/bark.sprite" */
void frond_clip(frond *s);
enum { FROND_CLIPS = 3 };
/* A skinned triangle with three clips: "sway", "bend", "wave". */
void frond_clips(frond *s, trilo_clip clips[FROND_CLIPS]);
trilo_str frond_text(const char *text);

/* What became of it. */
typedef struct frond_result {
    char heard[1024], texts[4096]; /* rules with a space behind each; sentences with a line each */
    buffer file, stream;
    trilo_error err;
    bool ok;
} frond_result;

frond_result frond_encode(const trilo_model *model, const trilo_t3dm_write_opts *t3dm);
/* Reads it again; fails on any warning. */
const trilo_model *frond_again(frond_result *r);
void frond_done(frond_result *r, const trilo_model *model);

#endif

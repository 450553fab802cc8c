/* model64_sample.h: a small model made by hand, its way into a file of the N64 model format and back, and triangles
 * that can be compared. */
#ifndef TL_TEST_MODEL64_SAMPLE_H
#define TL_TEST_MODEL64_SAMPLE_H

#include "support/buffer.h"
#include "trilobite/trilobite.h"

enum { SAMPLE_MATERIALS = 6, SAMPLE_FRAMES = 4 };

/* A unit cube around the origin, its faces counter-clockwise from outside; tests change parts of it. */
typedef struct sample {
    float positions[8][3], normals[8][3], colors[8][4], uvs[8][2], weights[8][4];
    uint16_t joints[8][4];
    uint32_t indices[36];
    trilo_mesh meshes[SAMPLE_MATERIALS];
    trilo_material materials[SAMPLE_MATERIALS];
    trilo_node nodes[2];
    trilo_joint joint[2];
    trilo_skin skin;
    double times[2];
    float values[8];
    trilo_channel channel;
    float frame_positions[SAMPLE_FRAMES][8][3], frame_normals[SAMPLE_FRAMES][8][3];
    trilo_frame frames[SAMPLE_FRAMES];
    trilo_track track;
    trilo_clip clip;
    trilo_model model;
} sample;

extern const trilo_mat4 sample_identity;
extern const uint32_t sample_cube[36]; /* the triangles: vertex i has x, y, z from bits 0, 1, 2 of i */

void sample_fill(sample *s);
void sample_scale(sample *s, float by); /* positions, also of frames */

/* The model has that many meshes, each with a material of its own; before, it has one mesh without any. */
void use_materials(sample *s, uint32_t count);
/* The first mesh hangs on node 1, whose parent is node 0. */
void use_node(sample *s);
void use_clip(sample *s);
/* A clip that moves node 1 from 0 to 1 along x in a second. */
void use_channel(sample *s);
/* A clip of four frames a second apart, all like the mesh itself. */
void use_track(sample *s);

/* What became of a model. */
typedef struct result {
    char heard[512], texts[1024]; /* rules and sentences, a space behind each */
    buffer file;
    trilo_error err;
    bool ok;
} result;

result encode(const trilo_model *model, const trilo_model64_write_opts *opts);
uint32_t result_word(const result *r, size_t at); /* of the file */
/* Fails on any warning but those with a rule that is allowed; NULL behind the last one. */
const trilo_model *read_as(const result *r, trilo_model64_colors colors, const char *const *allowed);
const trilo_model *again(const result *r); /* colours, and no warning at all */
void done(result *r, const trilo_model *model);

/* Refused with that rule, and nothing was written. */
void check_refused(const trilo_model *model, const trilo_model64_write_opts *opts, trilo_code code, const char *rule);

const trilo_track *track_of(const trilo_clip *clip, uint32_t mesh); /* NULL: none */
int32_t nearest_whole(double value);

/* The same triangles in any order: slots (counted among those that draw), positions, normals, colours and texture
 * coordinates as the console sees them, in the default pose and in every frame, and the side they are seen from.
 * Triangles of `want` that have no area in any frame, or that it has twice, do not count. */
void check_same_triangles(const trilo_model *got, const trilo_model *want, const char *name);

#endif

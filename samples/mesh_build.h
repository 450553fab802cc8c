/* mesh_build.h: meshes out of sheets, grids of corners that are stitched into quads.
 *
 * Corners that agree in everything become one vertex. Normals are smooth inside a sheet and its mirror image, and have
 * an edge where two sheets meet.
 */
#ifndef SAMPLES_MESH_BUILD_H
#define SAMPLES_MESH_BUILD_H

#include <trilobite/model.h>

enum { MESH_VERTICES = 1200, MESH_INDICES = 3 * 1000, SHEET_ROWS = 8, SHEET_COLUMNS = 10 };

typedef struct corner {
    trilo_vec3 at;
    float u, v;
    trilo_vec3 tint;
    uint16_t joint, other; /* of the left (+x) side; `other` takes what `share` leaves */
    float share;
} corner;

typedef struct sheet {
    uint32_t rows, columns;
    corner corners[SHEET_ROWS][SHEET_COLUMNS]; /* seen from outside: columns to the right, rows upwards */
} sheet;

/* The joint of the other side. */
typedef uint16_t mesh_twin_fn(uint16_t joint);

typedef struct mesh_build {
    mesh_twin_fn *twin;
    uint32_t vertex_count, index_count;
    uint32_t sheet_count;
    bool full; /* something did not fit: the mesh must not be used */
    float positions[MESH_VERTICES][3];
    float normals[MESH_VERTICES][3];
    float colors[MESH_VERTICES][4];
    float uvs[MESH_VERTICES][2];
    uint16_t joints[MESH_VERTICES][4];
    float weights[MESH_VERTICES][4];
    uint32_t from_sheet[MESH_VERTICES];
    uint32_t indices[MESH_INDICES];
} mesh_build;

typedef enum mesh_sides { SIDE_LEFT = 1, SIDE_RIGHT = 2, SIDE_BOTH = 3 } mesh_sides;

/* Adds a sheet as it is, mirrored to -x, or both. Triangles without a surface are left out. */
void mesh_add(mesh_build *mesh, const sheet *s, mesh_sides sides);

/* A sheet around a path: rows along it, `sides` columns around and one more to close the texture. */
typedef struct tube_ring {
    trilo_vec3 at;
    float radius; /* 0: a point */
    uint16_t joint, other;
    float share;
} tube_ring;
void sheet_tube(sheet *s, const tube_ring *rings, uint32_t ring_count, uint32_t sides);

/* After the last sheet. */
void mesh_finish(mesh_build *mesh);

#endif

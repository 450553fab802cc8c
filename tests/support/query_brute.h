/* query_brute.h: spatial queries by looking at every triangle, with other formulas than the library's, and triangles to
 * ask about. Where rounding could decide, an answer is "perhaps". */
#ifndef TL_TEST_QUERY_BRUTE_H
#define TL_TEST_QUERY_BRUTE_H

#include "trilobite/query.h"

/* A repeatable source of numbers. */
typedef struct dice {
    uint64_t state;
} dice;
uint32_t dice_below(dice *d, uint32_t count);
double dice_unit(dice *d); /* 0 to 1 */
double dice_between(dice *d, double low, double high);
trilo_vec3 dice_point(dice *d, double low, double high);

/* Triangles in three meshes, and a mesh of lines between them that nobody may find. */
typedef struct soup {
    trilo_model model;
    trilo_mesh meshes[4];
    trilo_material materials[2];
    float (*positions)[3]; /* of all meshes, one behind the other */
    uint32_t *indices;
    trilo_points points[4]; /* of each mesh */
    uint32_t triangle_count;
} soup;

typedef enum soup_kind {
    SOUP_CLOUD,   /* small ones in a cube from -10 to 10 */
    SOUP_LATTICE, /* whole coordinates from -4 to 4: shared edges, equal distances, no area, doubles */
    SOUP_PATCHY,  /* a cloud with corners that are not finite, huge ones and tiny ones */
    SOUP_KINDS
} soup_kind;

void soup_make(soup *s, soup_kind kind, uint32_t triangles, dice *d);
void soup_shake(soup *s, soup_kind kind, dice *d); /* other positions, same triangles */
void soup_free(soup *s);
/* Three corners, or false for one that is not finite. */
bool soup_corners(const soup *s, uint32_t number, trilo_face *face, double corners[3][3]);

/* A mesh of one triangle without skin or node. */
trilo_mesh triangle_mesh(const float (*positions)[3], uint32_t material);
/* The query of a model, which must be possible. */
trilo_query *make_query(const trilo_model *model);

typedef enum verdict { NO, PERHAPS, YES } verdict;

/* Distance along a ray of direction length 1, in *distance when it is not NO. */
verdict brute_ray(const double corners[3][3], const double origin[3], const double direction[3], double *distance);
double brute_distance(const double corners[3][3], const double point[3]);
verdict brute_box(const double corners[3][3], const trilo_bounds *box);
verdict brute_sphere(const double corners[3][3], const double center[3], double radius);
/* All eight corners of the triangle's box outside one plane: NO. Exact. */
verdict brute_frustum(const double corners[3][3], const trilo_frustum *frustum);

#endif

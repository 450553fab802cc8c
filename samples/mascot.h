/* mascot.h: the parts the mascot is put together from.
 *
 * The trilobite is about one unit long, stands on y = 0 with +y up and looks along +z, so its left side is +x. All
 * measures are of the left side; the right one is its mirror image.
 */
#ifndef SAMPLES_MASCOT_H
#define SAMPLES_MASCOT_H

#include "mesh_build.h"

/* The nodes, parents first. Those with two sides: left, then right. The root carries no vertex and is no joint, so
 * joint numbers are node numbers less one. */
enum {
    NODE_ROOT,
    NODE_THORAX_2,
    NODE_THORAX_1,
    NODE_HEAD,
    NODE_THORAX_3,
    NODE_THORAX_4,
    NODE_TAIL,
    NODE_ANTENNA,
    NODE_ANTENNA_TIP = NODE_ANTENNA + 2,
    NODE_LEG = NODE_ANTENNA_TIP + 2, /* each pair: left hip, right hip, left shin, right shin */
    LEG_PAIRS = 6,
    NODE_COUNT = NODE_LEG + 4 * LEG_PAIRS,
    JOINT_COUNT = NODE_COUNT - 1
};

static inline uint16_t joint_of(uint32_t node)
{
    return (uint16_t)(node - 1);
}

/* Which end of which leg: side 0 is left. */
static inline uint32_t hip_node(uint32_t pair, uint32_t side)
{
    return NODE_LEG + 4 * pair + side;
}
static inline uint32_t shin_node(uint32_t pair, uint32_t side)
{
    return NODE_LEG + 4 * pair + 2 + side;
}

typedef struct skeleton {
    trilo_node nodes[NODE_COUNT];
    trilo_mat4 worlds[NODE_COUNT]; /* at rest */
    trilo_joint joints[JOINT_COUNT];
} skeleton;

void skeleton_build(skeleton *s);
uint16_t skeleton_twin(uint16_t joint); /* the joint of the other side */

/* Where a leg begins and where its foot stands at rest, and the two rotations that take the foot to a place given in
 * the space of the bone that carries the leg. */
float leg_size(uint32_t pair); /* 1: the longest */
trilo_vec3 leg_hip(uint32_t pair, uint32_t side);
trilo_vec3 leg_foot(uint32_t pair, uint32_t side);
void leg_reach(float size, trilo_vec3 hip, trilo_vec3 foot, trilo_quat *hip_rotation, trilo_quat *shin_rotation);

/* Where the pieces of the body begin and end, from front to back. */
#define BODY_HEAD_REAR  0.18f
#define BODY_TAIL_FRONT (-0.27f)
/* Where the thorax bones pivot: at equal distances from head to tail. */
#define BODY_BONE_LENGTH  (0.25f * (BODY_HEAD_REAR - BODY_TAIL_FRONT))
#define BODY_PIVOT_HEIGHT 0.15f

/* The antenna's path: the first bone begins at 0, the second at ANTENNA_ELBOW. */
enum { ANTENNA_POINTS = 5, ANTENNA_ELBOW = 2 };
extern const trilo_vec3 antenna_path[ANTENNA_POINTS];

void mascot_shell(mesh_build *mesh);                        /* head, thorax and tail */
void mascot_limbs(mesh_build *mesh, const skeleton *bones); /* spines, antennae and legs */
void mascot_eyes(mesh_build *mesh);

/* The texture: a picture of 64 x 64, in patches. */
enum { TEXTURE_SIDE = 64, TEXTURE_ROOM = 4096 };
typedef struct patch {
    uint8_t x, y, width, height;
} patch;
extern const patch patch_head, patch_tail, patch_plate, patch_step, patch_belly, patch_leg, patch_antenna, patch_eye;
/* Sets the corner's place in the picture: 0 to 1 across the patch and down it. */
void patch_place(const patch *p, corner *c, float across, float down);
size_t mascot_texture(uint8_t file[TEXTURE_ROOM]); /* a PNG; returns its size */

/* The walk: one second, the last key equal to the first. */
enum { WALK_KEYS = 21, WALK_VALUES = 4 * WALK_KEYS, WALK_CHANNELS = NODE_COUNT + 2 };
typedef struct walk {
    double times[WALK_KEYS];
    float values[WALK_CHANNELS][WALK_VALUES];
    trilo_channel channels[WALK_CHANNELS];
    trilo_clip clip;
} walk;
void walk_build(walk *w, const skeleton *s);

/* The small fixture: two bones, eight vertices. */
bool tiny_write(const char *path, trilo_error *err);

#endif

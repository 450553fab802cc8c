/* mascot_limbs.c: what sticks out: spines, antennae, legs and eyes. All are tubes. */
#include "geometry.h"
#include "mascot.h"

enum { LEG_SIDES = 3, ANTENNA_SIDES = 3, SPINE_SIDES = 4, EYE_SIDES = 8 };

/* Around the tube goes across the patch, along the tube down it; a point has one place only. */
static void place_tube(sheet *s, const patch *p, trilo_vec3 root_tint, trilo_vec3 tip_tint)
{
    for (uint32_t r = 0; r < s->rows; r++)
        for (uint32_t c = 0; c < s->columns; c++) {
            corner *k = &s->corners[r][c];
            const bool point = r == s->rows - 1;
            const float along = (float)r / (float)(s->rows - 1);
            patch_place(p, k, along, point ? 0.5f : (float)c / (float)(s->columns - 1));
            k->tint = vec3_mix(root_tint, tip_tint, along);
        }
}

/* From the rear corners of the head back along the thorax. */
static void add_spines(mesh_build *mesh)
{
    const uint16_t head = joint_of(NODE_HEAD);
    const tube_ring rings[] = {
        {{0.296f, 0.122f, 0.235f}, 0.030f, head, 0, 1.0f},
        {{0.350f, 0.116f, 0.085f}, 0.018f, head, 0, 1.0f},
        {{0.380f, 0.118f, -0.065f}, 0.000f, head, 0, 1.0f},
    };
    sheet s;
    sheet_tube(&s, rings, 3, SPINE_SIDES);
    place_tube(&s, &patch_antenna, vec3(0.85f, 0.80f, 0.76f), vec3(1.0f, 0.96f, 0.90f));
    mesh_add(mesh, &s, SIDE_BOTH);
}

static void add_antennae(mesh_build *mesh)
{
    static const float radii[ANTENNA_POINTS] = {0.014f, 0.012f, 0.010f, 0.008f, 0.000f};
    const uint16_t base = joint_of(NODE_ANTENNA), tip = joint_of(NODE_ANTENNA_TIP);
    tube_ring rings[ANTENNA_POINTS];
    for (uint32_t i = 0; i < ANTENNA_POINTS; i++) {
        const bool elbow = i == ANTENNA_ELBOW;
        rings[i] = (tube_ring){antenna_path[i], radii[i], i > ANTENNA_ELBOW ? tip : base, tip, elbow ? 0.5f : 1.0f};
    }
    sheet s;
    sheet_tube(&s, rings, ANTENNA_POINTS, ANTENNA_SIDES);
    place_tube(&s, &patch_antenna, vec3(0.8f, 0.7f, 0.66f), vec3(1.0f, 0.92f, 0.82f));
    mesh_add(mesh, &s, SIDE_BOTH);
}

/* The knee goes with the shin, whose pivot it surrounds. */
static void add_leg(mesh_build *mesh, const skeleton *bones, uint32_t pair)
{
    const uint16_t hip = joint_of(hip_node(pair, 0)), shin = joint_of(shin_node(pair, 0));
    const float *pivot = bones->worlds[shin_node(pair, 0)].m;
    const trilo_vec3 knee = vec3(pivot[12], pivot[13], pivot[14]);
    const trilo_vec3 start = vec3_add(leg_hip(pair, 0), vec3(-0.03f, 0.035f, 0.0f)); /* hidden in the body */
    const trilo_vec3 foot = leg_foot(pair, 0);
    const trilo_vec3 ankle = vec3_mix(knee, foot, 0.70f);
    const float size = leg_size(pair);
    const tube_ring rings[] = {
        {start, 0.024f * size, hip, 0, 1.0f},
        {knee, 0.027f * size, shin, 0, 1.0f},
        {ankle, 0.017f * size, shin, 0, 1.0f},
        {foot, 0.000f, shin, 0, 1.0f},
    };
    sheet s;
    sheet_tube(&s, rings, 4, LEG_SIDES);
    place_tube(&s, &patch_leg, vec3(0.66f, 0.50f, 0.44f), vec3(0.98f, 0.80f, 0.68f));
    mesh_add(mesh, &s, SIDE_BOTH);
}

void mascot_limbs(mesh_build *mesh, const skeleton *bones)
{
    add_spines(mesh);
    add_antennae(mesh);
    for (uint32_t pair = 0; pair < LEG_PAIRS; pair++)
        add_leg(mesh, bones, pair);
}

/* A dome: rings of a ball along the way it looks. The picture lies flat on it, and is not mirrored, so that the light
 * gleams on the same side of both eyes. */
static void eye_sheet(sheet *s, bool right)
{
    static const float heights[] = {-0.12f, 0.04f, 0.16f, 0.25f}; /* in turns up from the equator */
    const trilo_vec3 middle = vec3(0.158f, 0.218f, 0.318f);
    const trilo_vec3 look = vec3_unit(vec3(0.55f, 0.55f, 0.70f));
    const float radius = 0.072f;
    tube_ring rings[4];
    for (uint32_t i = 0; i < 4; i++) {
        const trilo_vec3 at = vec3_add(middle, vec3_scale(look, radius * sin_turns(heights[i])));
        rings[i] = (tube_ring){at, i < 3 ? radius * cos_turns(heights[i]) : 0.0f, joint_of(NODE_HEAD), 0, 1.0f};
    }
    sheet_tube(s, rings, 4, EYE_SIDES);
    for (uint32_t r = 0; r < 4; r++)
        for (uint32_t c = 0; c <= EYE_SIDES; c++) {
            static const float spread[] = {0.50f, 0.46f, 0.28f, 0.0f};
            const float turns = (float)(c % EYE_SIDES) / EYE_SIDES;
            const float across = spread[r] * cos_turns(turns);
            patch_place(&patch_eye, &s->corners[r][c], 0.5f + (right ? 0.0f - across : across),
                        0.5f - spread[r] * sin_turns(turns));
        }
}

void mascot_eyes(mesh_build *mesh)
{
    sheet s;
    eye_sheet(&s, false);
    mesh_add(mesh, &s, SIDE_LEFT);
    eye_sheet(&s, true);
    mesh_add(mesh, &s, SIDE_RIGHT);
}

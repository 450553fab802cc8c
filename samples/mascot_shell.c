/* mascot_shell.c: head shield, thorax and tail shield.
 *
 * Head and tail are nested arcs around the end of the body, from the rim up to the ridge:
 *
 *        front               Each arc is a quarter of an ellipse from the middle (column 0)
 *      .--====--.            to the side (last column); the other quarter is its mirror image.
 *     / .-====-. \           The thorax between them is a row of plates, each a front edge that
 *    | |   ||   | |          tucks under the plate before it, a raised rear edge, and a step down.
 *    side  ridge side
 */
#include "geometry.h"
#include "mascot.h"

enum { HEAD_ARCS = 7, HEAD_COLUMNS = 6, TAIL_ARCS = 5, TAIL_COLUMNS = 5, PLATES = 9, PLATE_COLUMNS = 5 };

#define BELLY_HEIGHT 0.100f
#define HEAD_WIDTH   0.330f
#define HEAD_LENGTH  0.310f
#define TAIL_WIDTH   0.215f
#define TAIL_LENGTH  0.215f

typedef struct arc {
    float width, length;    /* half axes */
    float middle_y, side_y; /* heights at the two ends */
    float swell;            /* how much wider it is on the way to the middle */
} arc;

static const arc head_arcs[HEAD_ARCS] = {
    {0.310f, 0.290f, 0.100f, 0.100f, 0.00f},          /* under the rim */
    {HEAD_WIDTH, HEAD_LENGTH, 0.125f, 0.122f, 0.00f}, /* the rim */
    {0.292f, 0.275f, 0.160f, 0.152f, 0.00f},          /* furrow behind it */
    {0.205f, 0.248f, 0.190f, 0.215f, 0.05f},          /* cheek */
    {0.120f, 0.232f, 0.205f, 0.200f, 0.40f},          /* furrow around the glabella */
    {0.094f, 0.195f, 0.278f, 0.266f, 0.40f},          /* its shoulder */
    {0.000f, 0.130f, 0.308f, 0.286f, 0.00f},          /* its ridge */
};

static const arc tail_arcs[TAIL_ARCS] = {
    {TAIL_WIDTH, TAIL_LENGTH, 0.097f, 0.097f, 0.00f}, {0.195f, 0.190f, 0.125f, 0.118f, 0.00f},
    {0.125f, 0.145f, 0.152f, 0.152f, 0.00f},          {0.066f, 0.122f, 0.156f, 0.148f, 0.00f},
    {0.000f, 0.098f, 0.184f, 0.190f, 0.00f},
};

static float unit_step(float t)
{
    t = clamp01(t);
    return t * t * (3.0f - 2.0f * t);
}

/* Low places get less light, and the flanks are redder than the back. */
static trilo_vec3 shade(trilo_vec3 at)
{
    const float light = mix(0.74f, 1.00f, clamp01((at.y - 0.09f) * 6.0f));
    const float flank = clamp01(at.x * 5.0f - 0.45f);
    return vec3(light, light * mix(0.99f, 0.86f, flank), light * mix(0.95f, 0.76f, flank));
}

static corner head_corner(const arc *a, uint32_t column)
{
    const float turns = 0.25f * (float)column / (float)(HEAD_COLUMNS - 1);
    const float s = sin_turns(turns), c = cos_turns(turns);
    corner k = {.joint = joint_of(NODE_HEAD), .share = 1.0f};
    k.at = vec3(a->width * s * (1.0f + a->swell * c), mix(a->side_y, a->middle_y, c), BODY_HEAD_REAR + a->length * c);
    k.tint = shade(k.at);
    patch_place(&patch_head, &k, k.at.x / HEAD_WIDTH, 1.0f - (k.at.z - BODY_HEAD_REAR) / HEAD_LENGTH);
    return k;
}

/* Columns run from the side to the middle, so that the sheet faces up like the head's. */
static corner tail_corner(const arc *a, uint32_t column)
{
    const float turns = 0.25f - 0.25f * (float)column / (float)(TAIL_COLUMNS - 1);
    const float s = sin_turns(turns), c = cos_turns(turns);
    corner k = {.joint = joint_of(NODE_TAIL), .share = 1.0f};
    k.at = vec3(a->width * s, mix(a->side_y, a->middle_y, c), BODY_TAIL_FRONT - a->length * c);
    k.at.z += column ? 0.0f : 0.02f; /* under the last plate */
    k.tint = shade(k.at);
    patch_place(&patch_tail, &k, k.at.x / TAIL_WIDTH, (BODY_TAIL_FRONT - k.at.z) / TAIL_LENGTH);
    return k;
}

static corner belly_corner(corner k, float height)
{
    k.at.y = height;
    k.tint = vec3(0.80f, 0.72f, 0.68f);
    patch_place(&patch_belly, &k, k.at.x / HEAD_WIDTH, clamp01(0.5f - k.at.z));
    return k;
}

/* Closes a shield from below, between the line under its ridge and its lowest arc. */
static void add_belly(mesh_build *mesh, const corner *ridge, const corner *rim, uint32_t columns)
{
    sheet s = {.rows = 2, .columns = columns};
    for (uint32_t c = 0; c < columns; c++) {
        s.corners[0][c] = belly_corner(ridge[c], rim[c].at.y);
        s.corners[1][c] = belly_corner(rim[c], rim[c].at.y);
        if (rim[c].at.x == 0.0f) /* the whole line is in the middle: meet here */
            s.corners[0][c] = s.corners[1][c];
    }
    mesh_add(mesh, &s, SIDE_BOTH);
}

/* The wall behind the head, out of which the first plate comes. */
static void add_nape(mesh_build *mesh, const sheet *head)
{
    const corner *under = &head->corners[0][HEAD_COLUMNS - 1];
    sheet s = {.rows = 2, .columns = HEAD_ARCS - 1};
    for (uint32_t c = 0; c < s.columns; c++) {
        corner *top = &s.corners[0][c], *bottom = &s.corners[1][c];
        *top = head->corners[HEAD_ARCS - 1 - c][HEAD_COLUMNS - 1];
        *bottom = *top;
        bottom->at.x = top->at.x < under->at.x ? top->at.x : under->at.x;
        bottom->at.y = under->at.y;
        patch_place(&patch_step, top, (float)c / (HEAD_ARCS - 2), 0.0f);
        patch_place(&patch_step, bottom, (float)c / (HEAD_ARCS - 2), 1.0f);
        bottom->tint = vec3_scale(top->tint, 0.75f);
    }
    mesh_add(mesh, &s, SIDE_BOTH);
}

static void add_head(mesh_build *mesh)
{
    sheet s = {.rows = HEAD_ARCS, .columns = HEAD_COLUMNS};
    for (uint32_t r = 0; r < HEAD_ARCS; r++)
        for (uint32_t c = 0; c < HEAD_COLUMNS; c++)
            s.corners[r][c] = head_corner(&head_arcs[r], c);
    mesh_add(mesh, &s, SIDE_BOTH);
    add_belly(mesh, s.corners[HEAD_ARCS - 1], s.corners[0], HEAD_COLUMNS);
    add_nape(mesh, &s);
}

static void add_tail(mesh_build *mesh)
{
    sheet s = {.rows = TAIL_ARCS, .columns = TAIL_COLUMNS};
    for (uint32_t r = 0; r < TAIL_ARCS; r++)
        for (uint32_t c = 0; c < TAIL_COLUMNS; c++)
            s.corners[r][c] = tail_corner(&tail_arcs[r], c);
    mesh_add(mesh, &s, SIDE_BOTH);
    add_belly(mesh, s.corners[TAIL_ARCS - 1], s.corners[0], TAIL_COLUMNS);
}

/* Two bones share what lies between their middles, in sixteenths: those add up exactly. */
static void bind_to_spine(corner *k)
{
    static const uint16_t bones[] = {NODE_THORAX_1, NODE_THORAX_2, NODE_THORAX_3, NODE_THORAX_4};
    const float along = (BODY_HEAD_REAR - k->at.z) / BODY_BONE_LENGTH - 0.5f; /* 0 in the middle of the first */
    const float held = along < 0.0f ? 0.0f : along > 3.0f ? 3.0f : along;
    const uint32_t first = held < 3.0f ? (uint32_t)held : 2;
    const uint32_t sixteenths = (uint32_t)(16.0f * unit_step(held - (float)first) + 0.5f);
    k->joint = joint_of(bones[first]);
    k->other = joint_of(bones[first + 1]);
    k->share = 1.0f - (float)sixteenths / 16.0f;
    if (sixteenths > 8) { /* the stronger one first */
        k->joint = joint_of(bones[first + 1]);
        k->other = joint_of(bones[first]);
        k->share = (float)sixteenths / 16.0f;
    }
}

/* Across a plate: the raised axis, the furrow beside it, the pleural lobe and its tip. `along` is 0 behind the head and
 * 1 before the tail. */
static trilo_vec3 plate_point(uint32_t column, float along)
{
    const float bulge = along * (1.0f - along);
    const float width = mix(0.285f, 0.200f, along) + 0.08f * bulge;
    const float lobe = mix(0.112f, 0.068f, along);
    switch (column) {
    case 0:
        return vec3(0.0f, mix(0.272f, 0.212f, along) + 0.03f * bulge, 0.0f);
    case 1:
        return vec3(0.62f * lobe, mix(0.259f, 0.203f, along) + 0.03f * bulge, 0.0f);
    case 2:
        return vec3(lobe, mix(0.196f, 0.165f, along), 0.0f);
    case 3:
        return vec3(mix(lobe, width, 0.55f), mix(0.200f, 0.170f, along), 0.0f);
    default:
        return vec3(width, mix(0.128f, 0.118f, along), 0.0f);
    }
}

static corner plate_corner(uint32_t plate, uint32_t column, bool rear)
{
    const float length = (BODY_HEAD_REAR - BODY_TAIL_FRONT) / PLATES;
    const float outward = (float)column / (PLATE_COLUMNS - 1);
    const float along = ((float)plate + (rear ? 1.0f : 0.0f)) / PLATES;
    corner k = {.at = plate_point(column, along)};
    k.at.z = BODY_HEAD_REAR - length * ((float)plate + (rear ? 1.0f : 0.0f));
    if (rear) { /* raised, and swept back towards the tip */
        k.at.x += column == PLATE_COLUMNS - 1 ? 0.014f : 0.0f;
        k.at.z -= 0.026f * outward * outward;
    } else {
        k.at.x -= column == PLATE_COLUMNS - 1 ? 0.016f : 0.0f;
        k.at.y -= 0.020f * (1.0f - 0.5f * outward);
        k.at.z -= 0.012f * outward * outward - (plate ? 0.0f : 0.03f); /* the first one starts in the head */
    }
    bind_to_spine(&k);
    k.tint = vec3_scale(shade(k.at), plate % 2 ? 0.94f : 1.0f);
    patch_place(&patch_plate, &k, k.at.x / 0.32f, rear ? 1.0f : 0.0f);
    return k;
}

static void add_step(mesh_build *mesh, const corner *upper, uint32_t plate)
{
    sheet s = {.rows = 2, .columns = PLATE_COLUMNS};
    for (uint32_t c = 0; c < PLATE_COLUMNS; c++) {
        s.corners[0][c] = upper[c];
        s.corners[1][c] = plate_corner(plate + 1, c, false);
        for (uint32_t r = 0; r < 2; r++) {
            corner *k = &s.corners[r][c];
            patch_place(&patch_step, k, (float)c / (PLATE_COLUMNS - 1), (float)r);
            k->tint = vec3_scale(k->tint, r ? 0.72f : 0.96f);
        }
    }
    mesh_add(mesh, &s, SIDE_BOTH);
}

static void add_plate(mesh_build *mesh, uint32_t plate)
{
    sheet s = {.rows = 2, .columns = PLATE_COLUMNS};
    for (uint32_t r = 0; r < 2; r++)
        for (uint32_t c = 0; c < PLATE_COLUMNS; c++)
            s.corners[r][c] = plate_corner(plate, c, r == 1);
    mesh_add(mesh, &s, SIDE_BOTH);
    add_step(mesh, s.corners[1], plate);

    sheet belly = {.rows = 2, .columns = 2};
    for (uint32_t r = 0; r < 2; r++) {
        const corner *tip = &s.corners[r][PLATE_COLUMNS - 1];
        belly.corners[r][0] = belly_corner(*tip, tip->at.y);
        belly.corners[r][1] = belly_corner(s.corners[r][0], BELLY_HEIGHT);
    }
    mesh_add(mesh, &belly, SIDE_BOTH);
}

void mascot_shell(mesh_build *mesh)
{
    add_head(mesh);
    for (uint32_t plate = 0; plate < PLATES; plate++)
        add_plate(mesh, plate);
    add_tail(mesh);
}

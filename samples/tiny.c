/* tiny.c: the smallest model that has everything: a box of eight vertices on two bones that bends once, and a texture
 * of four pixels. Small enough to break in every byte. */
#include "geometry.h"
#include "mascot.h"
#include "png.h"

#include <trilobite/write.h>

#include <string.h>

enum { CORNERS = 8, TINY_INDICES = 36, TINY_PNG = 256 };

static const float positions[CORNERS][3] = {
    {-0.25f, 0.0f, 0.25f}, {0.25f, 0.0f, 0.25f}, {0.25f, 0.0f, -0.25f}, {-0.25f, 0.0f, -0.25f},
    {-0.25f, 1.0f, 0.25f}, {0.25f, 1.0f, 0.25f}, {0.25f, 1.0f, -0.25f}, {-0.25f, 1.0f, -0.25f},
};
#define SLANT 0.57735026f
static const float normals[CORNERS][3] = {
    {-SLANT, -SLANT, SLANT}, {SLANT, -SLANT, SLANT}, {SLANT, -SLANT, -SLANT}, {-SLANT, -SLANT, -SLANT},
    {-SLANT, SLANT, SLANT},  {SLANT, SLANT, SLANT},  {SLANT, SLANT, -SLANT},  {-SLANT, SLANT, -SLANT},
};
static const float tints[CORNERS][4] = {
    {0.5f, 0.5f, 0.5f, 1.0f}, {0.5f, 0.5f, 0.5f, 1.0f}, {0.5f, 0.5f, 0.5f, 1.0f}, {0.5f, 0.5f, 0.5f, 1.0f},
    {1.0f, 1.0f, 1.0f, 1.0f}, {1.0f, 1.0f, 1.0f, 1.0f}, {1.0f, 1.0f, 1.0f, 1.0f}, {1.0f, 1.0f, 1.0f, 1.0f},
};
static const float uvs[CORNERS][2] = {
    {0.0f, 1.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}, {1.0f, 1.0f}, {0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 0.0f}, {1.0f, 0.0f},
};
/* The lower ring stays, the upper one follows the second bone and a quarter of the first. */
static const uint16_t joints[CORNERS][4] = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0},
};
static const float weights[CORNERS][4] = {
    {1.0f, 0.0f, 0.0f, 0.0f},   {1.0f, 0.0f, 0.0f, 0.0f},   {1.0f, 0.0f, 0.0f, 0.0f},   {1.0f, 0.0f, 0.0f, 0.0f},
    {0.75f, 0.25f, 0.0f, 0.0f}, {0.75f, 0.25f, 0.0f, 0.0f}, {0.75f, 0.25f, 0.0f, 0.0f}, {0.75f, 0.25f, 0.0f, 0.0f},
};
static const uint32_t indices[TINY_INDICES] = {
    0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7, 4, 5, 6, 4, 6, 7, 3, 2, 1, 3, 1, 0,
};

/* An eighth of a turn about z. */
static const double times[2] = {0.0, 1.0};
static const float bend[2][4] = {
    {0.0f, 0.0f, 0.0f, 1.0f},
    {0.0f, 0.0f, 0.38268343f, 0.92387953f},
};
static const trilo_channel channel = {
    .node = 1, .target = TRILO_TARGET_ROTATION, .key_count = 2, .times = times, .values = bend[0]};

static const uint8_t pixels[4] = {0, 1, 1, 0};
static const uint8_t colors[2][3] = {
    {176, 112, 52},
    {250, 222, 160},
};

typedef struct tiny {
    uint8_t png[TINY_PNG];
    trilo_texture texture;
    trilo_material material;
    trilo_mesh mesh;
    trilo_node nodes[2];
    trilo_joint joints[2];
    trilo_skin skin;
    trilo_clip clip;
    trilo_model model;
} tiny;

static trilo_str text(const char *literal)
{
    return (trilo_str){literal, strlen(literal)};
}

static void build_surface(tiny *t)
{
    const png_image image = {2, 2, pixels, colors, 2};
    t->texture.name = text("checks");
    t->texture.bytes = (trilo_bytes){t->png, png_write(&image, t->png, sizeof t->png)};
    t->texture.kind = TRILO_IMAGE_KIND_PNG;
    t->texture.width = t->texture.height = 2;
    t->material.name = text("box");
    for (int i = 0; i < 4; i++)
        t->material.base_color[i] = 1.0f;
    t->mesh = (trilo_mesh){.name = text("box"),
                           .node = TRILO_NONE,
                           .vertex_count = CORNERS,
                           .index_count = TINY_INDICES,
                           .positions = positions,
                           .normals = normals,
                           .colors = tints,
                           .uvs = uvs,
                           .joints = joints,
                           .weights = weights,
                           .indices = indices};
}

static void build_bone(tiny *t, uint32_t at, const char *name, float height)
{
    trilo_node *n = &t->nodes[at];
    n->name = text(name);
    n->parent = at ? at - 1 : TRILO_NONE;
    n->translation = vec3(0.0f, height, 0.0f);
    n->rotation = quat_identity();
    n->scale = vec3(1.0f, 1.0f, 1.0f);
    n->local = mat4_rigid(n->translation, n->rotation);
    t->joints[at].node = at;
    t->joints[at].inverse_bind = mat4_rigid_inverse(&n->local); /* the first bone stays at the origin */
}

bool tiny_write(const char *path, trilo_error *err)
{
    tiny t = {.skin.joint_count = 2};
    build_surface(&t);
    build_bone(&t, 0, "lower", 0.0f);
    build_bone(&t, 1, "upper", 0.5f);
    t.skin.joints = t.joints;
    t.clip =
        (trilo_clip){.name = text("bend"), .duration = 1.0, .rate = 1000.0, .channel_count = 1, .channels = &channel};
    t.model = (trilo_model){.mesh_count = 1,
                            .material_count = 1,
                            .texture_count = 1,
                            .node_count = 2,
                            .skin_count = 1,
                            .clip_count = 1,
                            .meshes = &t.mesh,
                            .materials = &t.material,
                            .textures = &t.texture,
                            .nodes = t.nodes,
                            .skins = &t.skin,
                            .clips = &t.clip};
    return trilo_model_write_file(&t.model, path, NULL, err);
}

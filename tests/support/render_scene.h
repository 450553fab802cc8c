/* render_scene.h: small scenes made by hand, and a look at what came out. */
#ifndef TL_SUPPORT_RENDER_SCENE_H
#define TL_SUPPORT_RENDER_SCENE_H

#include <trilobite/n64.h>
#include <trilobite/render.h>

/* Combiners as libdragon has them: an input alone, or TEX0 * SHADE. */
#define SCENE_PRIM       UINT64_C(0x00887f1088fdf6fb)
#define SCENE_SHADE      UINT64_C(0x00887f1088fe793c)
#define SCENE_TEX0       UINT64_C(0x00887f1088fcf279)
#define SCENE_TEX0_SHADE UINT64_C(0x001218248833ffff)
#define SCENE_ALPHA      UINT32_C(0x00500040)

enum { SCENE_SIDE = 8, SCENE_MOST = 4 };

/* Up to four squares from -1 to 1, two triangles each, looking along +z at the depths told; each has a material. */
typedef struct scene_model {
    uint32_t count;
    float positions[SCENE_MOST][4][3], normals[SCENE_MOST][4][3], colors[SCENE_MOST][4][4];
    trilo_mesh meshes[SCENE_MOST];
    trilo_material materials[SCENE_MOST];
    trilo_n64_material n64[SCENE_MOST];
    trilo_texture texture;
    trilo_model model;
    trilo_image image;
    uint8_t texels[SCENE_SIDE * SCENE_SIDE][4]; /* red 30 * column, green 30 * row, blue 7, alpha 4 * the number */
} scene_model;

/* Materials draw PRIM, which is white, cull backs and test depths. */
void scene_make(scene_model *s, uint32_t count);

/* Straight from the front, without perspective: 2 units high; clean, one sample a pixel, on black. */
trilo_scene scene_plain(void);

/* A picture of up to 256 by 256, drawn anew; fails the test when that cannot be. */
typedef struct scene_picture {
    uint32_t width, height;
    uint8_t pixels[256 * 256][4];
} scene_picture;
void scene_draw(const scene_model *s, const trilo_scene *scene, uint32_t width, uint32_t height, scene_picture *out);
const uint8_t *scene_at(const scene_picture *p, uint32_t x, uint32_t y);
uint32_t scene_hash(const scene_picture *p);

#endif

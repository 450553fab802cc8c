/* vertex.h: vertex processing as in Tiny3D's microcode: lights, effects, fog, projection. */
#ifndef TL_RASTER_VERTEX_H
#define TL_RASTER_VERTEX_H

#include "raster/camera.h"

/* The limit of Tiny3D; further lights are ignored. */
enum { TL_LIGHTS_MOST = 8 };

typedef struct tl_light {
    bool point, any_side;
    int32_t color[4];   /* 0 to 255 */
    float direction[3]; /* in the model's space, towards the light */
    float position[3], size;
} tl_light;

typedef struct tl_lights {
    uint32_t count;
    tl_light all[TL_LIGHTS_MOST];
    int32_t ambient[4];
    bool alpha; /* some light has alpha: vertices take theirs from light, too */
    bool is_default;
} tl_lights;

/* The lights of a scene; if it has none, the default ones. */
const trilo_light *tl_scene_lights(const trilo_scene *scene, uint32_t *count);
void tl_lights_set(tl_lights *lights, const trilo_scene *scene, const tl_camera *camera);

/* Everything that a vertex is transformed by. */
typedef struct tl_stage {
    const tl_camera *camera;
    const tl_screen *screen;
    const tl_lights *lights;
    const tl_pipeline_state *state;
    bool fog; /* replaces the alpha of the shade */
    float fog_near, fog_far;
} tl_stage;

typedef struct tl_vertex_in {
    const float *position, *normal; /* normal NULL: none */
    const uint8_t *color;           /* NULL: white */
    const float *uv;                /* NULL: none */
} tl_vertex_in;

void tl_stage_vertex(const tl_stage *stage, const tl_vertex_in *in, tl_vertex *out);

#endif

/* pipeline_state.h: materials made ready for drawing. */
#ifndef TL_RASTER_PIPELINE_STATE_H
#define TL_RASTER_PIPELINE_STATE_H

#include "raster/raster.h"

/* What an N64 material may leave as it was, so it lasts from one mesh to the next. */
typedef struct tl_pipeline_states {
    uint64_t other_mode;
    uint8_t prim[4], env[4], blend[4];
    bool fog;
    bool started;
    tl_pipeline_state pipe; /* of the last material */
} tl_pipeline_states;

/* As Tiny3D starts a frame. */
tl_pipeline_states tl_pipeline_states_new(void);

/* `images` has one for each of the model's textures, never without pixels. */
typedef struct tl_textures {
    const trilo_model *model;
    const trilo_image *images;
    trilo_image none;      /* for a texture that nobody named */
    trilo_image reference; /* for one that the game puts there */
} tl_textures;

/* The pipe of a material; NULL: of a mesh without one. */
tl_pipeline_state tl_pipeline_state_of(tl_pipeline_states *state, const tl_textures *textures,
                                       const trilo_material *material);

/* Switches fog on, as libdragon does it: some alphas then no longer come from the shade. */
void tl_pipeline_state_fog(tl_pipeline_state *pipe, const uint8_t color[3]);

#endif

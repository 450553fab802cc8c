/* pipeline_state.h: materials made ready for drawing. */
#ifndef TL_RASTER_PIPELINE_STATE_H
#define TL_RASTER_PIPELINE_STATE_H

#include "raster/raster.h"

/* What an N64 material may leave as it was, so it lasts from one mesh to the next. */
typedef struct tl_pipe_state {
    uint64_t other_mode;
    uint8_t prim[4], env[4], blend[4];
    bool fog;
    bool started;
    tl_pipe pipe; /* of the last material */
} tl_pipe_state;

/* As Tiny3D starts a frame. */
tl_pipe_state tl_pipe_state_new(void);

/* `images` has one for each of the model's textures, never without pixels. */
typedef struct tl_textures {
    const trilo_model *model;
    const trilo_image *images;
    trilo_image none;      /* for a texture that nobody named */
    trilo_image reference; /* for one that the game puts there */
} tl_textures;

/* The pipe of a material; NULL: of a mesh without one. */
tl_pipe tl_pipe_of(tl_pipe_state *state, const tl_textures *textures, const trilo_material *material);

/* Switches fog on, as libdragon does it: some alphas then no longer come from the shade. */
void tl_pipe_fog(tl_pipe *pipe, const uint8_t color[3]);

#endif

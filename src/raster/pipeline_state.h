/* pipeline_state.h: prepares materials for drawing. */
#ifndef TL_RASTER_PIPELINE_STATE_H
#define TL_RASTER_PIPELINE_STATE_H

#include "raster/raster.h"
#include "trilobite/render.h"

/* The state that an N64 material inherits from the previous one where it sets nothing. */
typedef struct tl_rdp_state {
    uint64_t other_mode, combiner;
    uint32_t blender; /* of the draw layer */
    uint8_t prim[4], env[4], blend[4];
    uint8_t k4, k5, prim_lod;
    bool fog;
    uint8_t fog_mode; /* TRILO_N64_FOG_..., as last set */
    bool started;
    tl_pipeline_state state; /* of the last material */
} tl_rdp_state;

/* As Tiny3D starts a frame; for a model with materials of Pyrite64, as its draw layer does. */
tl_rdp_state tl_rdp_state_new(const trilo_model *model, const trilo_scene *scene);

/* A colour from 0 to 1 as a byte. */
static inline uint8_t tl_color_byte(float value)
{
    value = value > 0 ? value : 0;
    return (uint8_t)(value < 1 ? value * 255 + 0.5f : 255);
}

/* `images` has one for each of the model's textures, never without pixels. */
typedef struct tl_textures {
    const trilo_model *model;
    const trilo_image *images;
    const trilo_image *emission; /* one for each material: its emissive map times the factor, without pixels if none */
    trilo_image none;            /* for a texture without a name */
    trilo_image reference;       /* for one that the game supplies */
} tl_textures;

/* The emissive factor as a display colour. False: the material does not emit. */
bool tl_emission_color(const trilo_pbr *pbr, uint8_t out[3]);

/* The state of a material; NULL: of a mesh without one. */
tl_pipeline_state tl_pipeline_state_of(tl_rdp_state *rdp, const tl_textures *textures, const trilo_material *material);

/* Enables fog, as libdragon does: some alphas then no longer come from the shade. */
void tl_pipeline_state_fog(tl_pipeline_state *state, const uint8_t color[3]);

#endif

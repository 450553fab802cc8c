/* fast64.h: N64 materials as the Blender add-on Fast64 writes them into glTF files.
 *
 * Two forms exist: the properties of the add-on as they are, in `extras.f3d_mat`, and the glTF extension
 * `FAST64_materials_n64` with `FAST64_sampler_n64`. A file may have both; the first counts when it is not empty.
 */
#ifndef TL_GLTF_FAST64_FAST64_H
#define TL_GLTF_FAST64_FAST64_H

#include "formats/gltf/gltf.h"
#include "trilobite/n64.h"

/* An image that a material uses. There is none when the name is "" and `image` is TRILO_NONE. */
typedef struct fast64_image {
    trilo_str name;         /* as Blender calls it, "wall.ci4.png"; the extension leaves ".png" away */
    uint32_t image;         /* of the file; TRILO_NONE: there is only the name */
    uint16_t width, height; /* as the settings have it; a file that is found says better */
    bool fit[2];            /* S and T follow the size of the image: tl_fast64_fit, once that is known */
} fast64_image;

typedef struct fast64_material {
    trilo_n64_material n64; /* but for tiles[].texture, .width and .height of tiles with an image */
    fast64_image images[2];
} fast64_material;

typedef enum fast64_found {
    FAST64_ABSENT, /* a plain material */
    FAST64_EMPTY,  /* Fast64 was there, but there is no data */
    FAST64_READ,
    FAST64_BROKEN /* *where and *problem tell */
} fast64_found;

/* *out is filled whatever is found: for all but FAST64_READ with a state that leaves the pipeline alone. That is also
 * what every material reads as when the file is to be read without materials (opts.gltf.ignore_materials). */
fast64_found tl_fast64_read(const gltf_file *file, const tl_json *material, fast64_material *out, const tl_json **where,
                            const char **problem);

/* The image of that tile is known to be so large: sets the size of the tile and the axes that follow it. */
void tl_fast64_fit(fast64_material *material, int tile, uint32_t width, uint32_t height);

#endif

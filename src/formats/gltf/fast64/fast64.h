/* fast64.h: N64 materials that the Blender add-on Fast64 exports to glTF files.
 *
 * There are two forms: the custom properties of the add-on in `extras.f3d_mat`, and the glTF extension
 * `FAST64_materials_n64` with `FAST64_sampler_n64`. A file may have both; the first is used unless it is empty.
 */
#ifndef TL_GLTF_FAST64_FAST64_H
#define TL_GLTF_FAST64_FAST64_H

#include "formats/gltf/gltf.h"
#include "trilobite/n64.h"

/* The image of a texture; none when the name is "" and `image` is TRILO_NONE. */
typedef struct fast64_image {
    trilo_str name;         /* in Blender, "wall.ci4.png"; the extension omits ".png" */
    uint32_t image;         /* of the file; TRILO_NONE: only the name is known */
    uint16_t width, height; /* in the settings; the size of the image itself takes precedence */
    bool fit[2];            /* S and T follow the size of the image: call tl_fast64_fit when it is known */
} fast64_image;

typedef struct fast64_material {
    trilo_n64_material n64; /* without tiles[].texture, and .width and .height of tiles with an image */
    fast64_image images[2];
} fast64_material;

typedef enum fast64_found {
    FAST64_ABSENT, /* not a Fast64 material */
    FAST64_EMPTY,  /* a Fast64 material without settings */
    FAST64_READ,
    FAST64_BROKEN /* see *where and *problem */
} fast64_found;

/* *out is always filled. Except for FAST64_READ, and with opts.gltf.ignore_materials, it is a state that sets nothing.
 */
fast64_found tl_fast64_read(const gltf_file *file, const tl_json *material, fast64_material *out, const tl_json **where,
                            const char **problem);

/* Sets the size of a tile to that of its image, and the axes that follow it. */
void tl_fast64_fit(fast64_material *material, int tile, uint32_t width, uint32_t height);

#endif

/* gltf_files.h: glTF files put together by hand, from the specification alone. Their text is written with ' for ". */
#ifndef TL_TEST_GLTF_FILES_H
#define TL_TEST_GLTF_FILES_H

#include "support/buffer.h"
#include "trilobite/core.h"

/* A .glb of a text and a buffer; size 0: without a binary chunk. */
void gltf_glb(buffer *out, const char *text, trilo_bytes bin);
/* The text alone, as a .gltf. */
void gltf_text(buffer *out, const char *text);
/* One more chunk behind the others; the length in the header grows with it. */
void gltf_chunk(buffer *out, uint32_t type, trilo_bytes content);

/* The band: a quad of two triangles, bent by two joints and by a morph target.
 *   accessors  0 positions (0 0 0) (1 0 0) (0 1 0) (1 1 0)   1 indices 0 1 2 2 1 3      2 joints: 0, of the upper two 1
 *              3 weights 255 0 0 0                           4 inverse bind matrices    5 times 0, 0.5
 *              6 rotations: none, a quarter turn about z     7 target: sparse, the last vertex by (0, 0, 2)
 *              8 weights of the target: 0, 1                 9 texture coordinates as u16
 *   nodes      0 the mesh   1 and below it 2: the joints, one at the origin, one 1 above
 *   one material "paint" with a picture of one pixel; one animation "wave". */
extern const char gltf_band_text[];
void gltf_band_bytes(buffer *out);

/* Where things are in its buffer. */
enum {
    BAND_POSITIONS = 0,
    BAND_INDICES = 48,
    BAND_JOINTS = 60,
    BAND_WEIGHTS = 76,
    BAND_BINDS = 92,
    BAND_TIMES = 220,
    BAND_ROTATIONS = 228,
    BAND_MORPH = 260,
    BAND_MORPH_INDEX = 272,
    BAND_MORPH_WEIGHTS = 276,
    BAND_UVS = 284,
    BAND_SIZE = 300
};

/* The band as .glb; `find` NULL: as it is, otherwise with the first such piece of its text replaced. */
void gltf_band(buffer *out, const char *find, const char *put);
/* The text with that piece replaced, malloc'ed. */
char *gltf_replaced(const char *text, const char *find, const char *put);

/* The garden: a flower with two targets and two sets of joints, and a patch of soil in two places of which a few
 * vertices are drawn; splines, keys that do not rise, and a material of each kind. */
void gltf_garden(buffer *out);

#endif

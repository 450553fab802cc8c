/* settings.h: the plain settings that both forms of Fast64 data are read into, and how they are read.
 *
 * Readers keep the first problem and go on with zeros, so that each is a list of what it wants. A null counts as
 * absent. Problems are sentences of their own, made where they are: LITERAL " must be ...".
 */
#ifndef TL_GLTF_FAST64_SETTINGS_H
#define TL_GLTF_FAST64_SETTINGS_H

#include "formats/gltf/fast64/fast64.h"
#include "n64/combiner.h"
#include "n64/modes.h"

typedef struct fast64_color {
    bool given, set; /* the file has it; the material sets it */
    float rgba[4];   /* amounts of light */
} fast64_color;

typedef enum fast64_filter { FAST64_POINT, FAST64_AVERAGE, FAST64_BILERP, FAST64_FILTER_COUNT } fast64_filter;

typedef struct fast64_texture {
    trilo_n64_axis axes[2]; /* S, T */
    uint32_t reference;
    fast64_image image;
} fast64_texture;

typedef struct fast64_settings {
    tl_cc_selectors combiner; /* Fast64 numbers the inputs as the hardware does; one cycle: the second does not count */
    fast64_color prim, env, blend;
    bool has_modes; /* false: nothing is said about what follows, up to the textures */
    bool cull_front, cull_back, fog, spherical, lit;
    fast64_filter filter;
    bool sets_depth; /* the surface decides about depth too */
    tl_render_mode surface;
    fast64_texture textures[2];
} fast64_settings;

/* --- reading --- */

typedef struct fast64_reader {
    const gltf_file *file;
    const tl_json *where; /* NULL: nothing is wrong so far */
    const char *problem;
} fast64_reader;

/* Keeps the first. */
void tl_fast64_problem(fast64_reader *r, const tl_json *where, const char *problem);

/* NULL also for a null. Looks at no more than a thousand members: samplers are shared by any number of materials. */
const tl_json *tl_fast64_member(const tl_json *object, const char *key);
/* The member, which must be an object when it is there. */
const tl_json *tl_fast64_object(fast64_reader *r, const tl_json *object, const char *key, const char *problem);

/* Is it there, and on? Anything else is off. */
bool tl_fast64_on(const tl_json *object, const char *key);

/* Each of these wants the member to be there. */
int32_t tl_fast64_int(fast64_reader *r, const tl_json *object, const char *key, int32_t low, int32_t high,
                      const char *problem);
bool tl_fast64_flag(fast64_reader *r, const tl_json *object, const char *key, const char *problem);
float tl_fast64_float(fast64_reader *r, const tl_json *object, const char *key, const char *problem);
void tl_fast64_floats(fast64_reader *r, const tl_json *object, const char *key, float out[4], const char *problem);
/* The first value of an array of `low` to `high` values. */
const tl_json *tl_fast64_array(fast64_reader *r, const tl_json *object, const char *key, uint32_t low, uint32_t high,
                               const char *problem);
/* A size in pixels: two whole numbers from 0 to 65535. */
void tl_fast64_size(fast64_reader *r, const tl_json *object, const char *key, fast64_image *image, const char *problem);
/* The number that a text holds, decimal or with 0x in front. */
uint32_t tl_fast64_reference(fast64_reader *r, const tl_json *object, const char *key, const char *problem);

/* low, high, mask, shift, and if they are there clamp and mirror. */
trilo_n64_axis tl_fast64_axis(fast64_reader *r, const tl_json *object);
/* high - low + 1, 0 when that is no size. */
uint16_t tl_fast64_span(const trilo_n64_axis *axis);

/* --- what settings mean --- */

/* Bits of the presets of both cycles count, also of a second one that does not run: Tiny3D's converter does so, and
 * games look as they do. The blender is that of the last one that runs. */
tl_render_mode tl_fast64_both(bool two_cycles, tl_render_mode first, tl_render_mode second);

/* Any of the textures is an input of a cycle that runs. */
bool tl_fast64_uses_texture(const fast64_settings *s);

/* As Fast64 does it by itself: the whole image, repeated, mirrored or clamped as the axis already says. */
void tl_fast64_fit_axis(trilo_n64_axis *axis, uint32_t size);

/* --- the two forms: FAST64_ABSENT, FAST64_EMPTY or FAST64_READ; problems are in the reader --- */

fast64_found tl_fast64_extras(fast64_reader *r, const tl_json *material, fast64_settings *s);
/* Member `key` of the extension's textures. */
void tl_fast64_texture(fast64_reader *r, const tl_json *textures, const char *key, fast64_texture *out);
fast64_found tl_fast64_extension(fast64_reader *r, const tl_json *material, fast64_settings *s);

#endif

/* settings.h: the settings that both forms of Fast64 data are read into, and functions to read them.
 *
 * A reader keeps its first problem and continues with zeros, so that callers need not test each value. A JSON null
 * counts as absent. Problems are static sentences, joined from literals: "combiner" " must be an object".
 */
#ifndef TL_GLTF_FAST64_SETTINGS_H
#define TL_GLTF_FAST64_SETTINGS_H

#include "formats/gltf/fast64/fast64.h"
#include "n64/combiner.h"
#include "n64/modes.h"

#define FAST64_IS_OBJECT " must be an object"

typedef struct fast64_color {
    bool given, set; /* the file has it; the material sets it */
    float rgba[4];   /* linear */
} fast64_color;

typedef enum fast64_filter { FAST64_POINT, FAST64_AVERAGE, FAST64_BILERP, FAST64_FILTER_COUNT } fast64_filter;

typedef struct fast64_texture {
    trilo_n64_axis axes[2]; /* S, T */
    uint32_t reference;
    fast64_image image;
} fast64_texture;

typedef struct fast64_settings {
    tl_cc_selectors combiner; /* Fast64 numbers inputs as the RDP does; with one cycle the second is unused */
    fast64_color prim, env, blend;
    bool has_modes; /* false: the next members, up to the textures, are not set */
    bool cull_front, cull_back, fog, spherical, lit;
    fast64_filter filter;
    bool sets_depth; /* the render mode includes the depth mode */
    tl_render_mode render_mode;
    fast64_texture textures[2];
} fast64_settings;

/* --- reading --- */

typedef struct fast64_reader {
    const gltf_file *file;
    const tl_json *where; /* NULL: no problem yet */
    const char *problem;
} fast64_reader;

/* Keeps the first one. */
void tl_fast64_problem(fast64_reader *r, const tl_json *where, const char *problem);

/* NULL also for a JSON null. Searches at most 1024 members, because any number of materials may share a sampler. */
const tl_json *tl_fast64_member(const tl_json *object, const char *key);
/* An optional member that must be an object. */
const tl_json *tl_fast64_object(fast64_reader *r, const tl_json *object, const char *key, const char *problem);

/* An optional flag; anything but true is false. */
bool tl_fast64_on(const tl_json *object, const char *key);

/* The next members are required. */
int32_t tl_fast64_int(fast64_reader *r, const tl_json *object, const char *key, int32_t low, int32_t high,
                      const char *problem);
bool tl_fast64_flag(fast64_reader *r, const tl_json *object, const char *key, const char *problem);
float tl_fast64_float(fast64_reader *r, const tl_json *object, const char *key, const char *problem);
void tl_fast64_floats(fast64_reader *r, const tl_json *object, const char *key, float out[4], const char *problem);
/* The first element of an array of `low` to `high` elements. */
const tl_json *tl_fast64_array(fast64_reader *r, const tl_json *object, const char *key, uint32_t low, uint32_t high,
                               const char *problem);
/* A size in pixels: two integers from 0 to 65535. */
void tl_fast64_size(fast64_reader *r, const tl_json *object, const char *key, fast64_image *image, const char *problem);
/* A number in a string, decimal or hexadecimal with 0x. */
uint32_t tl_fast64_reference(fast64_reader *r, const tl_json *object, const char *key, const char *problem);

/* low, high, mask, shift, and optionally clamp and mirror. */
trilo_n64_axis tl_fast64_axis(fast64_reader *r, const tl_json *object);
/* high - low + 1; 0 when that is not a size. */
uint16_t tl_fast64_span(const trilo_n64_axis *axis);

/* --- what settings mean --- */

/* The modes of both presets are combined, even when the second cycle does not run, as in Tiny3D's converter. The
 * blender is that of the last cycle that runs. */
tl_render_mode tl_fast64_combine_presets(bool two_cycles, tl_render_mode first, tl_render_mode second);

/* True if a texture is an input of a combiner cycle that runs. */
bool tl_fast64_uses_texture(const fast64_settings *s);

/* Fast64's automatic settings: the whole image, with the clamp and mirror of the axis. */
void tl_fast64_fit_axis(trilo_n64_axis *axis, uint32_t size);

/* --- the two forms: each returns FAST64_ABSENT, FAST64_EMPTY or FAST64_READ; problems are in the reader --- */

fast64_found tl_fast64_extras(fast64_reader *r, const tl_json *material, fast64_settings *s);
/* A texture of the extension: member `key` of its textures. */
void tl_fast64_texture(fast64_reader *r, const tl_json *textures, const char *key, fast64_texture *out);
fast64_found tl_fast64_extension(fast64_reader *r, const tl_json *material, fast64_settings *s);

#endif

/* render.h: what the files of the render command share. */
#ifndef TL_CLI_RENDER_RENDER_H
#define TL_CLI_RENDER_RENDER_H

#include "input.h"
#include "render/font.h"

#include "trilobite/render.h"

enum {
    RENDER_LIGHTS = 8,
    RENDER_LAYERS = 2 /* of the player: the clip, and one that a viewer may blend over it */
};

/* The options. */
typedef struct render_options {
    const cli_args *args;
    cli_load_opts load;
    const char *out, *sheet, *clip; /* NULL: not given */
    const char *textures;           /* a folder */
    bool ansi, uv, parts, turntable, texture_sheet, compare_formats;
    bool moves;                     /* an animation, or numbered images */
    bool smooth;                    /* not as Tiny3D samples */
    trilo_picture_kind kind;        /* of `out` */
    uint32_t width, height, frames; /* frames 0: the whole clip or turn */
    double seconds, rate;
    double azimuth, elevation, fov;
    double near_at, far_at; /* 0: not given */
    bool has_eye, has_target;
    trilo_vec3 eye, target;
    uint32_t light_count;
    trilo_light lights[RENDER_LIGHTS];
    trilo_scene scene; /* all but the view */
} render_options;

/* Mistakes are reported on standard error. */
exit_code render_read_options(const cli_args *args, render_options *options);

enum { RENDER_MIPMAPS = 6 };

/* Smaller images of a texture. */
typedef struct render_mipmaps {
    const trilo_image *images[RENDER_MIPMAPS];
    uint32_t count;
} render_mipmaps;

/* The images of a model's textures. */
typedef struct render_textures {
    const trilo_image **images; /* one for each texture; NULL: missing */
    render_mipmaps *mipmaps;    /* one for each texture */
    uint32_t count, missing;
    bool out_of_memory; /* an image that is missing may be there */
} render_textures;

/* Missing or broken images are reported on standard error and are not errors. */
render_textures render_textures_load(const render_options *options, cli_input *input);
void render_textures_free(render_textures *textures);

/* "#8af", "#80a0ff", "#80a0ff40", "none" */
bool render_color(const char *text, uint8_t color[4]);

/* A model, ready to be drawn. */
typedef struct render_model {
    const render_options *options;
    cli_input input;
    render_textures textures;
    trilo_renderer *renderer;
    trilo_player *player;  /* NULL: the rest pose */
    uint32_t clip;         /* TRILO_NONE: none */
    bool smooth, clean;    /* what the player and the textures were made for */
    trilo_bounds bounds;   /* of everything that will be drawn */
    trilo_framing framing; /* the same, as the default camera sees it */
    double length;         /* of the clip or the turn, in seconds */
    uint32_t frame_count;
    double rate;           /* frames per second */
    bool visible;          /* a frame showed something */
    uint8_t (*pixels)[4];  /* of the last frame */
    uint8_t (**colors)[4]; /* of the triangles of each mesh, with --parts */
} render_model;

/* Must be closed, even on failure, and must not be moved before. Failures are reported on standard error. */
exit_code render_open(render_model *model, const render_options *options, const char *path);
void render_close(render_model *model);
/* From now on draws with other options, which must stay valid. Those about loading the file must be the same. */
exit_code render_change(render_model *model, const render_options *options);

/* The view of a frame; `part` of the animation is over. */
trilo_view render_view(const render_model *model, double part);

/* A trilo_frame_fn: `model` is a render_model. */
bool render_frame(void *model, uint32_t index, trilo_image *frame, trilo_error *err);

/* Makes a colour for the triangles of each vertex batch. Returns false if the format has no batches. */
bool render_color_parts(render_model *model);

/* A contact sheet: images in a grid, each with its name below. */
typedef struct render_grid {
    cli_canvas canvas;
    uint32_t columns, width, height; /* of a picture */
} render_grid;

/* Returns false if it would be too large. `columns` 0: chosen by the number of images. */
bool grid_new(render_grid *grid, size_t count, uint32_t width, uint32_t height, const uint8_t background[4],
              uint32_t columns);
void grid_put(const render_grid *grid, size_t index, const trilo_image *picture, const char *name);
/* Adds a placeholder for a model that could not be drawn. */
void grid_put_nothing(const render_grid *grid, size_t index, const char *name);
/* What the index-th model is called on a sheet: as short as it can be and differ from all others. The caller frees it.
 */
char *sheet_label(const cli_args *args, size_t index);
void grid_free(render_grid *grid);

/* Draws the triangles of each material in UV space. */
exit_code render_uvs(render_model *model, render_grid *grid);

/* The textures, with --compare-formats also in every format. */
exit_code render_texture_sheet(render_model *model, render_grid *grid);

/* A progress display on a terminal. */
typedef struct render_progress {
    FILE *out; /* NULL: not a terminal */
    uint64_t total, done;
    uint32_t shown;
} render_progress;

render_progress progress_start(const cli_args *args, uint64_t total);
void progress_step(render_progress *progress);
void progress_finish(render_progress *progress);

#endif

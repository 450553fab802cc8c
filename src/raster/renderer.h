/* renderer.h: what a renderer keeps. */
#ifndef TL_RASTER_RENDERER_H
#define TL_RASTER_RENDERER_H

#include "base/arena.h"
#include "raster/cluster.h"
#include "raster/console/vertex.h"
#include "raster/pipeline_state.h"
#include "raster/vertex.h"

/* A mesh in its pose. */
typedef struct tl_posed_mesh {
    float (*positions)[3], (*normals)[3]; /* in the model's space; normals NULL: no light falls on it */
    bool made_normals;                    /* the mesh has none: they are made from its triangles */
    bool mirrored;                        /* its node mirrors: fronts become backs */
    uint8_t (*colors)[4];                 /* NULL: white */
    const uint8_t (*face_colors)[4];
    tl_cluster *clusters; /* of its triangles */
    tl_pipeline_state state;
} tl_posed_mesh;

/* Mipmaps of a texture. */
typedef struct tl_mipmaps {
    const trilo_image *const *images;
    uint32_t count;
} tl_mipmaps;

struct trilo_renderer {
    tl_arena arena;
    tl_arena frame; /* what a frame needs while it is drawn; the next one uses its memory again */
    const trilo_model *model;
    tl_textures textures;
    tl_mipmaps *mipmaps;         /* texture_count */
    tl_posed_mesh *posed;        /* mesh_count */
    trilo_mat4 *locals, *worlds; /* node_count */
    trilo_mat4 **skins;          /* the joint matrices of each */
    uint32_t vertex_most;        /* of a mesh */
    trilo_bounds bounds;         /* of the pose */
};

/* All but the positions and normals of a pose. */
trilo_renderer *tl_renderer_new(const trilo_model *model, const trilo_image *const *textures,
                                const trilo_memory *memory, trilo_error *err);
/* The materials as the scene draws them. */
void tl_renderer_set_states(trilo_renderer *renderer, const trilo_scene *scene);
/* To be called after positions and normals were set. */
void tl_renderer_posed(trilo_renderer *renderer);

/* A picture for a texture that is missing: a checkerboard with its name; false: no memory. */
bool tl_checkerboard(tl_arena *arena, uint32_t width, uint32_t height, trilo_str name, trilo_image *image);

/* Vertices are transformed to the screen in groups of this size. */
enum { TL_VERTEX_GROUP = 64 };

/* A frame while it is drawn. */
typedef struct tl_frame {
    const trilo_renderer *renderer;
    const trilo_scene *scene;
    trilo_bounds bounds;
    tl_camera camera;
    tl_screen screen;
    tl_lights lights;
    tl_framebuffer framebuffer;
    tl_vertex *vertices; /* of the mesh that is drawn */
    tl_corner *corners;
    bool console; /* the console's look; then: */
    tl_console_view view;
    tl_console_vertex *console_vertices; /* instead of vertices and corners */
    uint8_t *transformed;                /* true for each group that is transformed */
    tl_view_planes view_planes;
} tl_frame;

void tl_frame_meshes(tl_frame *frame);
/* Triangles of a mesh with the console's arithmetic. */
void tl_console_draw_mesh(tl_frame *frame, uint32_t mesh, const tl_pipeline_state *state);
/* From clip space to the screen, in the units of the frame's depth buffer. */
tl_corner tl_frame_corner(const tl_frame *frame, const tl_vertex *v);
void tl_frame_overlays(tl_frame *frame);
/* A line in the model's space. */
void tl_frame_line(const tl_frame *frame, const float a[3], const float b[3], const uint8_t color[3], bool on_top);

#endif

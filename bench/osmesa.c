#define _XOPEN_SOURCE 700
#include "osmesa.h"

#ifdef BENCH_WITH_OSMESA

#define GL_GLEXT_PROTOTYPES
#include <GL/osmesa.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct osmesa_stage {
    OSMesaContext context;
    uint8_t (*pixels)[4];
    GLuint list; /* of commands that draw the model */
    GLuint *textures;
    uint32_t texture_count;
};

bool osmesa_there(void)
{
    return true;
}

static void load_textures(osmesa_stage *s, const trilo_image *const *images)
{
    glGenTextures((GLsizei)s->texture_count, s->textures);
    for (uint32_t i = 0; i < s->texture_count; i++) {
        if (!images[i])
            continue;
        glBindTexture(GL_TEXTURE_2D, s->textures[i]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, (GLsizei)images[i]->width, (GLsizei)images[i]->height, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, images[i]->pixels);
    }
}

static void set_array(GLenum array, bool there)
{
    if (there)
        glEnableClientState(array);
    else
        glDisableClientState(array);
}

static void draw_mesh(const osmesa_stage *s, const trilo_model *model, const trilo_image *const *images,
                      const trilo_mesh *mesh)
{
    const trilo_material *m = mesh->material == TRILO_NONE ? NULL : &model->materials[mesh->material];
    const bool textured = m && m->texture < s->texture_count && images[m->texture] && mesh->uvs;
    set_array(GL_VERTEX_ARRAY, true);
    set_array(GL_NORMAL_ARRAY, mesh->normals != NULL);
    set_array(GL_COLOR_ARRAY, mesh->colors != NULL);
    set_array(GL_TEXTURE_COORD_ARRAY, textured);
    glVertexPointer(3, GL_FLOAT, 0, mesh->positions);
    glNormalPointer(GL_FLOAT, 0, mesh->normals);
    glColorPointer(4, GL_FLOAT, 0, mesh->colors);
    glTexCoordPointer(2, GL_FLOAT, 0, mesh->uvs);
    glColor4f(1, 1, 1, 1);
    (textured ? glEnable : glDisable)(GL_TEXTURE_2D);
    (m && !m->two_sided ? glEnable : glDisable)(GL_CULL_FACE);
    (m && m->alpha == TRILO_ALPHA_BLEND ? glEnable : glDisable)(GL_BLEND);
    (m && m->alpha == TRILO_ALPHA_CUTOUT ? glEnable : glDisable)(GL_ALPHA_TEST);
    if (textured)
        glBindTexture(GL_TEXTURE_2D, s->textures[m->texture]);
    glDrawElements(GL_TRIANGLES, (GLsizei)mesh->index_count, GL_UNSIGNED_INT, mesh->indices);
}

/* The driver keeps what the list draws in its own memory. */
static void record_model(osmesa_stage *s, const trilo_model *model, const trilo_image *const *images)
{
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_COLOR_MATERIAL);
    glEnable(GL_NORMALIZE);
    glAlphaFunc(GL_GEQUAL, 0.5f);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    s->list = glGenLists(1);
    glNewList(s->list, GL_COMPILE);
    for (uint32_t i = 0; i < model->mesh_count; i++)
        if (model->meshes[i].topology == TRILO_TOPOLOGY_TRIANGLES)
            draw_mesh(s, model, images, &model->meshes[i]);
    glEndList();
}

/* Without threads of its own, llvmpipe draws on the thread that calls it. */
osmesa_stage *osmesa_new(const trilo_model *model, const trilo_image *const *textures, uint32_t width, uint32_t height)
{
    setenv("LP_NUM_THREADS", "0", 1);
    setenv("GALLIUM_DRIVER", "llvmpipe", 1);
    osmesa_stage *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->context = OSMesaCreateContextExt(OSMESA_RGBA, 24, 0, 0, NULL);
    s->pixels = malloc(sizeof *s->pixels * width * height);
    s->texture_count = model->texture_count;
    s->textures = calloc(s->texture_count + 1, sizeof *s->textures);
    if (!s->context || !s->pixels || !s->textures ||
        !OSMesaMakeCurrent(s->context, s->pixels, GL_UNSIGNED_BYTE, (GLsizei)width, (GLsizei)height) ||
        !strstr((const char *)glGetString(GL_RENDERER), "llvmpipe")) {
        osmesa_free(s);
        return NULL;
    }
    load_textures(s, textures);
    record_model(s, model, textures);
    return s;
}

void osmesa_free(osmesa_stage *s)
{
    if (!s)
        return;
    if (s->context)
        OSMesaDestroyContext(s->context);
    free(s->pixels);
    free(s->textures);
    free(s);
}

static void unit(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= length;
}

/* From the eye to the target, with y up. */
static void look_at(const trilo_view *view)
{
    double back[3] = {(double)view->eye.x - view->target.x, (double)view->eye.y - view->target.y,
                      (double)view->eye.z - view->target.z};
    unit(back);
    double right[3] = {back[2], 0, -back[0]};
    unit(right);
    const double up[3] = {back[1] * right[2] - back[2] * right[1], back[2] * right[0] - back[0] * right[2],
                          back[0] * right[1] - back[1] * right[0]};
    const double m[16] = {right[0], up[0], back[0], 0, right[1], up[1], back[1], 0,
                          right[2], up[2], back[2], 0, 0,        0,     0,       1};
    glLoadMatrixd(m);
    glTranslated(-(double)view->eye.x, -(double)view->eye.y, -(double)view->eye.z);
}

bool osmesa_draw(osmesa_stage *s, const trilo_view *view, double depth, uint32_t width, uint32_t height)
{
    static const float to_light[4] = {0.3f, 0.8f, 0.5f, 0};
    const double near_at = depth / 500, top = near_at * tan((double)view->fov * 3.14159265358979 / 360);
    const double right = top * width / height;
    if (!OSMesaMakeCurrent(s->context, s->pixels, GL_UNSIGNED_BYTE, (GLsizei)width, (GLsizei)height))
        return false;
    glViewport(0, 0, (GLsizei)width, (GLsizei)height);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glFrustum(-right, right, -top, top, near_at, 4 * depth);
    glMatrixMode(GL_MODELVIEW);
    look_at(view);
    glLightfv(GL_LIGHT0, GL_POSITION, to_light);
    glCallList(s->list);
    glFinish();
    return glGetError() == GL_NO_ERROR;
}

#else

bool osmesa_there(void)
{
    return false;
}

osmesa_stage *osmesa_new(const trilo_model *model, const trilo_image *const *textures, uint32_t width, uint32_t height)
{
    (void)model;
    (void)textures;
    (void)width;
    (void)height;
    return NULL;
}

void osmesa_free(osmesa_stage *stage)
{
    (void)stage;
}

bool osmesa_draw(osmesa_stage *stage, const trilo_view *view, double depth, uint32_t width, uint32_t height)
{
    (void)stage;
    (void)view;
    (void)depth;
    (void)width;
    (void)height;
    return false;
}

#endif

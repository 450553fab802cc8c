/* mascot.c: builds the trilobite through the public interface alone and writes it out.
 *
 *   trilobite-mascot OUT.nlm         the mascot
 *   trilobite-mascot --tiny OUT.nlm  a box of eight vertices, for tests that look at every byte
 *
 * A model is plain arrays that are filled in and handed to trilo_model_write_file, which takes the format from the
 * name.
 */
#include "mascot.h"

#include <trilobite/write.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything the model points to, in one piece. */
typedef struct mascot {
    skeleton bones;
    mesh_build body, eyes;
    walk walking;
    uint8_t png[TEXTURE_ROOM];
    trilo_texture texture;
    trilo_material materials[2];
    trilo_mesh meshes[2];
    trilo_skin skin;
    trilo_model model;
} mascot;

static trilo_str text(const char *literal)
{
    return (trilo_str){literal, strlen(literal)};
}

static trilo_mesh as_mesh(const char *name, const mesh_build *b, uint32_t material)
{
    return (trilo_mesh){.name = text(name),
                        .topology = TRILO_TOPOLOGY_TRIANGLES,
                        .material = material,
                        .node = TRILO_NONE,
                        .skin = 0,
                        .vertex_count = b->vertex_count,
                        .index_count = b->index_count,
                        .positions = (const float(*)[3])b->positions,
                        .normals = (const float(*)[3])b->normals,
                        .colors = (const float(*)[4])b->colors,
                        .uvs = (const float(*)[2])b->uvs,
                        .joints = (const uint16_t(*)[4])b->joints,
                        .weights = (const float(*)[4])b->weights,
                        .indices = b->indices};
}

static void build_meshes(mascot *m)
{
    m->body.twin = skeleton_twin;
    mascot_shell(&m->body);
    mascot_limbs(&m->body, &m->bones);
    mesh_finish(&m->body);
    m->eyes.twin = skeleton_twin;
    mascot_eyes(&m->eyes);
    mesh_finish(&m->eyes);
    m->meshes[0] = as_mesh("body", &m->body, 0);
    m->meshes[1] = as_mesh("eyes", &m->eyes, 1);
}

static trilo_material white(const char *name)
{
    trilo_material m = {.name = text(name), .texture = 0, .alpha = TRILO_ALPHA_OPAQUE};
    for (int i = 0; i < 4; i++)
        m.base_color[i] = 1.0f;
    return m;
}

static void build_materials(mascot *m)
{
    m->texture.name = text("trilobite");
    m->texture.bytes = (trilo_bytes){m->png, mascot_texture(m->png)};
    m->texture.kind = TRILO_IMAGE_KIND_PNG;
    m->texture.width = m->texture.height = TEXTURE_SIDE;
    m->materials[0] = white("shell");
    m->materials[1] = white("eyes");
}

static const trilo_model *build(mascot *m)
{
    skeleton_build(&m->bones);
    build_meshes(m);
    build_materials(m);
    walk_build(&m->walking, &m->bones);
    m->skin = (trilo_skin){JOINT_COUNT, m->bones.joints};
    m->model = (trilo_model){.mesh_count = 2,
                             .material_count = 2,
                             .texture_count = 1,
                             .node_count = NODE_COUNT,
                             .skin_count = 1,
                             .clip_count = 1,
                             .meshes = m->meshes,
                             .materials = m->materials,
                             .textures = &m->texture,
                             .nodes = m->bones.nodes,
                             .skins = &m->skin,
                             .clips = &m->walking.clip};
    return m->body.full || m->eyes.full || !m->texture.bytes.size ? NULL : &m->model;
}

static bool mascot_write(const char *path, trilo_error *err)
{
    mascot *m = calloc(1, sizeof *m);
    const trilo_model *model = m ? build(m) : NULL;
    if (!model) {
        err->code = TRILO_CODE_NO_MEMORY;
        snprintf(err->text, sizeof err->text, "the mascot does not fit");
    }
    const bool written = model && trilo_model_write_file(model, path, NULL, err);
    free(m);
    return written;
}

int main(int argc, char **argv)
{
    static const char usage[] = "usage: trilobite-mascot [--tiny] OUT.nlm\n";
    const bool tiny = argc > 1 && !strcmp(argv[1], "--tiny");
    if (argc == 2 && !strcmp(argv[1], "--help")) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc != (tiny ? 3 : 2) || argv[argc - 1][0] == '-') {
        fputs(usage, stderr);
        return 2;
    }
    trilo_error err = {0};
    if (!(tiny ? tiny_write : mascot_write)(argv[argc - 1], &err)) {
        fprintf(stderr, "trilobite-mascot: %s: %s\n", argv[argc - 1], err.text);
        return 4;
    }
    return 0;
}

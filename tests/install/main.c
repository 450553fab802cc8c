/* A program as a user of the installed library writes it: a triangle to NLM bytes, and back. */
#include <trilobite/trilobite.h>

#include <stdio.h>
#include <string.h>

typedef struct buffer {
    unsigned char bytes[4096];
    size_t size;
} buffer;

static bool buffer_append(void *user, const void *bytes, size_t size)
{
    buffer *to = user;
    if (size > sizeof to->bytes - to->size)
        return false;
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return true;
}

static int fail(const char *what, const trilo_error *err)
{
    printf("%s: %s: %s\n", what, err->path, err->text);
    return 1;
}

int main(void)
{
    static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t indices[3] = {0, 1, 2};
    const trilo_mesh triangle = {
        .material = TRILO_NONE,
        .node = TRILO_NONE,
        .skin = TRILO_NONE,
        .vertex_count = 3,
        .index_count = 3,
        .positions = positions,
        .indices = indices,
    };
    const trilo_model model = {.mesh_count = 1, .meshes = &triangle};
    const trilo_write_opts opts = {.format = TRILO_FORMAT_NLM};
    static buffer file;
    trilo_error err = {0};
    if (!trilo_model_write(&model, &opts, buffer_append, &file, &err))
        return fail("write", &err);

    const trilo_model *again = trilo_model_load(file.bytes, file.size, NULL, &err);
    if (!again)
        return fail("load", &err);
    bool same = again->mesh_count == 1 && again->meshes[0].vertex_count == 3 && again->meshes[0].index_count == 3 &&
                memcmp(again->meshes[0].indices, indices, sizeof indices) == 0 &&
                memcmp(again->meshes[0].positions, positions, sizeof positions) == 0;
    printf("trilobite %s: a triangle in %zu bytes, %s\n", trilo_version(), file.size, same ? "unchanged" : "CHANGED");
    trilo_model_free(again);
    return !same || strcmp(trilo_version(), TRILO_VERSION) != 0;
}

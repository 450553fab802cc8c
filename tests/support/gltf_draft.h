/* gltf_draft.h: glTF files that grow, and the models that they become. Static, since the tests that use it are linked
 * into one program. */
#ifndef TL_TEST_GLTF_DRAFT_H
#define TL_TEST_GLTF_DRAFT_H

#include "api/document.h"
#include "harness.h"
#include "support/gltf_files.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- a file that grows: accessors are added one by one, the rest of the text is written out --- */

enum { U8 = 5121, S8 = 5120, U16 = 5123, S16 = 5122, U32 = 5125, F32 = 5126, TEXT_ROOM = 16384 };

typedef struct draft {
    buffer bin;
    unsigned count; /* of accessors */
    char views[4096], accessors[4096];
    trilo_load_opts opts;
} draft;

static inline void append(char *text, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
static inline void append(char *text, size_t room, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + length, room - length, format, args);
    va_end(args);
}

static inline size_t size_of(int component)
{
    return component == F32 || component == U32 ? 4 : component == U16 || component == S16 ? 2 : 1;
}

static inline void put_numbers(draft *d, int component, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t whole = (uint64_t)(int64_t)numbers[i];
        if (component == F32)
            buffer_f32(&d->bin, (float)numbers[i]);
        for (size_t k = 0; component != F32 && k < size_of(component); k++)
            buffer_sink(&d->bin, &(uint8_t){(uint8_t)(whole >> 8 * k)}, 1);
    }
    while (d->bin.size % 4 != 0)
        buffer_sink(&d->bin, "", 1);
}

/* "1,2,3": the least or the most of each component. */
static inline void put_bounds(char *out, size_t room, const double *numbers, size_t width, size_t count, bool most)
{
    for (size_t k = 0; k < width; k++) {
        double end = numbers[k];
        for (size_t i = 0; i < count; i++)
            end = most ? fmax(end, numbers[i * width + k]) : fmin(end, numbers[i * width + k]);
        append(out, room, "%s%.9g", k > 0 ? "," : "", (double)(float)end);
    }
}

/* One more accessor with a view of its own; `more` stands behind its type: ",'normalized':true". */
static inline void put(draft *d, const char *type, int component, const double *numbers, size_t count, const char *more)
{
    const bool scalar = type[0] == 'S', matrix = type[0] == 'M';
    const size_t width = scalar ? 1 : matrix ? 16 : (size_t)(type[3] - '0'), start = d->bin.size;
    const char *comma = d->count > 0 ? "," : "";
    char least[256] = "", most[256] = "";
    put_numbers(d, component, numbers, count * width);
    put_bounds(least, sizeof least, numbers, width, count, false);
    put_bounds(most, sizeof most, numbers, width, count, true);
    append(d->views, sizeof d->views, "%s{'buffer':0,'byteOffset':%zu,'byteLength':%zu}", comma, start,
           count * width * size_of(component));
    append(d->accessors, sizeof d->accessors,
           "%s{'bufferView':%u,'componentType':%d,'count':%zu,'type':'%s'%s,'min':[%s],'max':[%s]}", comma, d->count++,
           component, count, type, more, least, most);
}

#define PUT(d, type, component, count, ...) put(d, type, component, (const double[]){__VA_ARGS__}, count, "")
#define PUT_NORMALIZED(d, type, component, count, ...)                                                                 \
    put(d, type, component, (const double[]){__VA_ARGS__}, count, ",'normalized':true")

static inline buffer make(const draft *d, const char *rest)
{
    static char text[TEXT_ROOM];
    buffer file = {0};
    snprintf(text, sizeof text,
             "{'asset':{'version':'2.0'},'buffers':[{'byteLength':%zu}],'bufferViews':[%s],"
             "'accessors':[%s],%s}",
             d->bin.size, d->views, d->accessors, rest);
    gltf_glb(&file, text, (trilo_bytes){d->bin.data, d->bin.size});
    return file;
}

static inline const trilo_model *load(draft *d, const char *rest)
{
    buffer file = make(d, rest);
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load(file.data, file.size, &d->opts, &err);
    if (!model)
        FAIL("%s %s: %s", err.rule, err.path, err.text);
    if (!trilo_model_check(model, &err))
        FAIL("%s: %s", err.path, err.text);
    buffer_free(&file);
    return model;
}

/* Decodes a file that was read but not checked: what the check refuses gets that far only by a mistake, but must do no
 * harm. The model is valid until the next call or until the arena is freed. */
static inline const trilo_model *decode_unchecked(draft *d, const char *rest, tl_arena *arena, bool *ok,
                                                  trilo_error *err)
{
    static trilo_model model;
    buffer file = make(d, rest);
    trilo_document *document = trilo_document_open(file.data, file.size, &d->opts, err);
    CHECK(document != NULL);
    memset(&model, 0, sizeof model);
    tl_arena_init(arena, NULL);
    *ok = document->format->decode(document->file, arena, &model, err);
    trilo_document_free(document);
    buffer_free(&file);
    return &model;
}

static inline void undo(draft *d, tl_arena *arena)
{
    tl_arena_free(arena);
    buffer_free(&d->bin);
}

static inline void done(draft *d, const trilo_model *model)
{
    trilo_model_free(model);
    buffer_free(&d->bin);
}

/* Accessor 0: five points of a zigzag, point i at i, i % 2, 0. */
static inline draft zigzag(void)
{
    draft d = {0};
    PUT(&d, "VEC3", F32, 5, 0, 0, 0, 1, 1, 0, 2, 0, 0, 3, 1, 0, 4, 0, 0);
    return d;
}

#define ONE_NODE "'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],"

static inline void check_indices(const trilo_mesh *mesh, const uint32_t *want, uint32_t count)
{
    CHECK_INT(mesh->index_count, count);
    for (uint32_t i = 0; i < count; i++)
        CHECK_INT(mesh->indices[i], want[i]);
}

#define CHECK_INDICES(mesh, ...)                                                                                       \
    check_indices(mesh, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static inline void check_floats(const float *got, const double *want, size_t count, double within)
{
    for (size_t i = 0; i < count; i++)
        CHECK_NEAR((double)got[i], want[i], within);
}

#define CHECK_FLOATS(got, within, ...)                                                                                 \
    check_floats(got, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double), within)

/* --- meshes --- */

/* One primitive of the zigzag. */
#define RIBBON "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':5}]}]"

/* Accessors: 0 positions of a triangle, 1 its normals, 2 and 3 targets, 4 normals of the second. */
static inline draft flower(void)
{
    draft d = {0};
    PUT(&d, "VEC3", F32, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0);
    PUT(&d, "VEC3", F32, 3, 0, 0, 1, 0, 0, 1, 0, 0, 1);
    PUT(&d, "VEC3", F32, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    PUT(&d, "VEC3", F32, 3, 0, 2, 0, 0, 0, 0, 0, 0, 4);
    PUT(&d, "VEC3", F32, 3, 0, 0, 0, 0, 0, 0, 1, 0, 0);
    return d;
}

#define FLOWER                                                                                                         \
    "'meshes':[{'weights':[0,0.5],'primitives':[{'attributes':{'POSITION':0,'NORMAL':1},"                              \
    "'targets':[{'POSITION':2},{'POSITION':3,'NORMAL':4}]}]}]"

#endif

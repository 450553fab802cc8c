#include "support/t3dm_twins.h"

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const twin twins[TWINS] = {
    {"01_model", "model"},
    {"02_lighting", "light"},
    {"02_lighting", "model"},
    {"03_objects", "box"},
    {"03_objects", "food"},
    {"05_splitscreen", "cube"},
    {"05_splitscreen", "model"},
    {"08_animation", "map"},
    {"08_animation", "shadow"},
    {"08_animation", "snake"},
    {"09_anim_viewer", "animTest"},
    {"09_anim_viewer", "cath"},
    {"09_anim_viewer", "enemyPlant00"},
    {"10_flipbook_tex", "map"},
    {"12_uv_gen", "brew_logo"},
    {"12_uv_gen", "can"},
    {"12_uv_gen", "color"},
    {"12_uv_gen", "flat"},
    {"12_uv_gen", "gem"},
    {"12_uv_gen", "gold"},
    {"12_uv_gen", "sphere"},
    {"12_uv_gen", "teapot"},
    {"14_outline", "potion"},
    {"16_light_clip", "cursor"},
    {"16_light_clip", "light"},
    {"16_light_clip", "sceneA"},
    {"16_light_clip", "sceneB"},
    {"17_culling", "platformer"},
    {"18_particles", "scene"},
    {"20_mipmaps", "rainbow"},
    {"20_mipmaps", "tunnel"},
    {"20_mipmaps", "tunnelMip"},
    {"21_fresnel", "clip"},
    {"21_fresnel", "dark"},
    {"21_fresnel", "env"},
    {"21_fresnel", "force"},
    {"21_fresnel", "glass"},
    {"21_fresnel", "sphere"},
    {"21_fresnel", "wall"},
    {"21_fresnel", "wallColor"},
    {"99_testscene", "scene"},
};

const char *twin_string(const t3dm_file *file, uint32_t offset)
{
    const char *text = tl_t3dm_string(file, offset);
    return text ? text : "";
}

static void path_of(const twin *p, const char *kind, const char *name, const char *extension, char out[1024])
{
    char within[512];
    snprintf(within, sizeof within, "t3dm/%s/%s/%s%s", p->folder, kind, name, extension);
    snprintf(out, 1024, "%s", test_corpus(within));
}

/* Images lie in `assets`; the game has them as sprites at the same place of its file system. */
typedef struct finder {
    const twin *twin;
    uint8_t *bytes[64];
    uint32_t count;
} finder;

static bool find_image(void *user, trilo_image_key key, const char *name, trilo_found_image *found)
{
    (void)key;
    finder *f = user;
    char plain[256], path[1024];
    size_t size;
    snprintf(plain, sizeof plain, "%s", name);
    char *png = strstr(plain, ".png");
    if (png && strspn(png + 4, ".0123456789") == strlen(png + 4))
        png[4] = '\0';
    path_of(f->twin, "assets", plain, "", path);
    uint8_t *bytes = f->count < 64 ? test_read_file(path, &size) : NULL;
    if (!bytes)
        return false;
    f->bytes[f->count++] = bytes;
    found->bytes = (trilo_bytes){bytes, size};
    snprintf(found->path, sizeof found->path, "rom:/%.*s.sprite", (int)(png ? png - plain : 0), plain);
    return true;
}

static bool keep_stream(void *user, const char *name, trilo_bytes bytes)
{
    twin_side *s = user;
    CHECK(s->stream_count < TWIN_STREAMS);
    twin_stream *to = &s->streams[s->stream_count++];
    snprintf(to->name, sizeof to->name, "%s", name);
    return buffer_sink(&to->bytes, bytes.data, bytes.size);
}

static bool give_stream(void *user, const char *name, trilo_bytes *bytes)
{
    twin_side *s = user;
    for (uint32_t i = 0; i < s->stream_count; i++)
        if (strcmp(s->streams[i].name, name) == 0) {
            *bytes = (trilo_bytes){s->streams[i].bytes.data, s->streams[i].bytes.size};
            return true;
        }
    return false;
}

static void open_records(twin_side *s, const char *name)
{
    trilo_error err = {0};
    static const trilo_load_opts none = {0};
    tl_arena_init(&s->arena, NULL);
    s->file = tl_t3dm_read(&s->arena, (trilo_bytes){s->bytes, s->size}, &none, &err);
    if (!s->file)
        FAIL("%s: %s", name, err.text);
}

void twin_reference(const twin *p, twin_side *s)
{
    trilo_error err = {0};
    char path[1024];
    memset(s, 0, sizeof *s);
    path_of(p, "filesystem", p->name, ".t3dm", path);
    s->model = trilo_model_load_file(path, NULL, &err);
    s->bytes = test_read_file(path, &s->size);
    if (!s->model || !s->bytes)
        FAIL("%s: %s", path, err.text);
    open_records(s, path);
}

const trilo_model *twin_source(const twin *p)
{
    trilo_error err = {0};
    char path[1024];
    finder f = {.twin = p};
    path_of(p, "assets", p->name, ".glb", path);
    const trilo_load_opts opts = {.find_image = find_image, .find_image_user = &f};
    const trilo_model *source = trilo_model_load_file(path, &opts, &err);
    for (uint32_t i = 0; i < f.count; i++)
        free(f.bytes[i]);
    if (!source)
        FAIL("%s: %s %s: %s", path, err.rule, err.path, err.text);
    return source;
}

void twin_make(const char *name, const trilo_model *source, trilo_finding_fn *finding, void *user, twin_side *s)
{
    trilo_error err = {0};
    char file[128];
    memset(s, 0, sizeof *s);
    snprintf(file, sizeof file, "%s.t3dm", name);
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                   .name = file,
                                   .companion = keep_stream,
                                   .companion_user = s,
                                   .on_finding = finding,
                                   .on_finding_user = user};
    if (!trilo_model_write(source, &opts, buffer_sink, &s->made, &err))
        FAIL("%s: %s %s: %s", name, err.rule, err.path, err.text);
    const trilo_load_opts load = {.name = file, .companion = give_stream, .companion_user = s, .strict = true};
    s->model = trilo_model_load(s->made.data, s->made.size, &load, &err);
    if (!s->model)
        FAIL("%s: %s %s: %s", name, err.rule, err.path, err.text);
    s->bytes = s->made.data;
    s->size = s->made.size;
    open_records(s, name);
}

void twin_close(twin_side *s)
{
    trilo_model_free(s->model);
    tl_arena_free(&s->arena);
    if (s->made.data)
        buffer_free(&s->made);
    else
        free(s->bytes);
    for (uint32_t i = 0; i < s->stream_count; i++)
        buffer_free(&s->streams[i].bytes);
}

/* Writes a first materials file, with the settings that a conversion would choose. */
#include "base/strict_float.h"
#include "trilobite/materials.h"

#include "base/compiler.h"
#include "base/sink.h"
#include "n64/combiner.h"
#include "n64/modes.h"
#include "n64/plain.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* `mark` is "# " before lines that are comments. */
typedef struct print_job {
    tl_sink sink;
    const char *mark;
} print_job;

static void print_text(print_job *job, const char *text)
{
    tl_sink_put(&job->sink, text, strlen(text));
}

static void print_line(print_job *job, const char *format, ...) TL_PRINTF_LIKE(2, 3);
static void print_line(print_job *job, const char *format, ...)
{
    char line[512];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    print_text(job, job->mark);
    print_text(job, line);
    print_text(job, "\n");
}

/* A string in quotes; bytes that are not UTF-8 cannot occur, readers replace them. */
static void print_string(print_job *job, trilo_str text)
{
    print_text(job, "\"");
    for (size_t i = 0; i < text.len; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        char escaped[8];
        if (c < 0x20 || c == 0x7F || c == '"' || c == '\\') {
            snprintf(escaped, sizeof escaped, c == '"' || c == '\\' ? "\\%c" : "\\u%04X", c);
            print_text(job, escaped);
        } else {
            tl_sink_put(&job->sink, &text.data[i], 1);
        }
    }
    print_text(job, "\"");
}

static bool is_bare_key(trilo_str name)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    return name.len > 0 && strspn(name.data, plain) == name.len;
}

static void print_header(print_job *job, trilo_str name)
{
    print_text(job, "\n[");
    if (is_bare_key(name))
        tl_sink_put(&job->sink, name.data, name.len);
    else
        print_string(job, name);
    print_text(job, "]\n");
}

static void print_combiner(print_job *job, uint64_t word)
{
    char first[TL_CC_PRINT_ROOM], second[TL_CC_PRINT_ROOM];
    const char *name;
    uint64_t known;
    for (size_t i = 0; (name = tl_cc_preset_at(i, &known)); i++)
        if (known == word) {
            print_line(job, "combiner = \"%s\"", name);
            return;
        }
    tl_cc_print(word, 0, first, sizeof first);
    tl_cc_print(word, 1, second, sizeof second);
    if (tl_cc_unpack(word).two_cycles)
        print_line(job, "combiner = [\"%s\", \"%s\"]", first, second);
    else
        print_line(job, "combiner = \"%s\"", second); /* the half that runs */
}

static void print_modes(print_job *job, const trilo_n64_material *n64)
{
    static const char *const layers[2][4] = {
        {"opaque", "opaque intersecting", "opaque", "opaque decal"},
        {"transparent", "transparent intersecting", "transparent", "transparent decal"}};
    static const char *const filters[4] = {"point", "point", "bilinear", "average"};
    const bool cutout = tl_mode_compares_alpha(n64->other_mode);
    const uint32_t z = tl_mode_get(n64->other_mode, TL_MODE_Z);
    print_line(job, "layer = \"%s\"", cutout && n64->blender == 0 ? "cutout" : layers[n64->blender != 0][z]);
    if (n64->blender == TL_BLENDER_CONST_ALPHA || n64->blender == TL_BLENDER_ADDITIVE)
        print_line(job, "blender = \"%s\"", n64->blender == TL_BLENDER_ADDITIVE ? "additive" : "multiply const");
    if (cutout)
        print_line(job, "alpha_compare = %u", n64->blend[3] ? n64->blend[3] : 1u);
    print_line(job, "filter = \"%s\"", filters[tl_mode_get(n64->other_mode, TL_MODE_SAMPLING)]);
    print_line(job, "cull = \"%s\"",
               (n64->draw_flags & TRILO_N64_CULL_BACK) != 0    ? "back"
               : (n64->draw_flags & TRILO_N64_CULL_FRONT) != 0 ? "front"
                                                               : "none");
    if (n64->fog != TRILO_N64_FOG_LEAVE)
        print_line(job, "fog = %s", n64->fog == TRILO_N64_FOG_ON ? "true" : "false");
}

static void print_colors(print_job *job, const trilo_n64_material *n64)
{
    static const char *const names[] = {"prim_color", "env_color"};
    const uint8_t *colors[] = {n64->prim, n64->env};
    for (int i = 0; i < 2; i++)
        if ((n64->set_flags & (i == 0 ? TRILO_N64_SET_PRIM : TRILO_N64_SET_ENV)) != 0)
            print_line(job, "%s = \"#%02X%02X%02X%02X\"", names[i], colors[i][0], colors[i][1], colors[i][2],
                       colors[i][3]);
}

static void print_tiles(print_job *job, const trilo_model *model, const trilo_n64_material *n64)
{
    for (int i = 0; i < 2; i++) {
        const trilo_n64_tile *tile = &n64->tiles[i];
        if (tile->texture == TRILO_NONE)
            continue;
        const trilo_texture *texture = &model->textures[tile->texture];
        const trilo_str from = texture->path.len > 0 ? texture->path : texture->name;
        if (from.len > 0) {
            print_text(job, "# the image of the model: ");
            print_string(job, from);
            print_text(job, "\n");
        }
        print_line(job, "tex%d = { s = { mirror = %s, clamp = %s }, t = { mirror = %s, clamp = %s } }", i,
                   tile->s.mirror ? "true" : "false", tile->s.clamp ? "true" : "false",
                   tile->t.mirror ? "true" : "false", tile->t.clamp ? "true" : "false");
    }
}

static bool is_listed_before(const trilo_model *model, uint32_t index)
{
    const trilo_str name = model->materials[index].name;
    for (uint32_t i = 0; i < index; i++)
        if (model->materials[i].name.len == name.len && memcmp(model->materials[i].name.data, name.data, name.len) == 0)
            return true;
    return false;
}

static void print_material(print_job *job, const trilo_model *model, uint32_t index)
{
    const trilo_material *material = &model->materials[index];
    bool tinted = false;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        tinted |= model->meshes[i].material == index && tl_mesh_is_tinted(&model->meshes[i]);
    const trilo_n64_material n64 = material->n64 ? *material->n64 : tl_n64_plain(model, material, tinted);
    print_header(job, material->name);
    if (material->n64)
        print_text(job, "# The model has N64 settings for it; these are some. A line without # replaces one.\n");
    job->mark = material->n64 ? "# " : "";
    if (n64.combiner != 0)
        print_combiner(job, n64.combiner);
    print_modes(job, &n64);
    if (!material->n64)
        print_line(job, "lit = %s", material->unlit ? "false" : "true");
    print_colors(job, &n64);
    print_tiles(job, model, &n64);
    job->mark = "";
}

bool trilo_materials_print(const trilo_model *model, trilo_write_fn *sink, void *user)
{
    print_job job = {.sink = {sink, user, false}, .mark = ""};
    print_text(&job, "# N64 settings of the materials of a model, by name. docs/materials.md lists all keys.\n");
    for (uint32_t i = 0; i < model->material_count; i++) {
        if (model->materials[i].name.len == 0)
            print_line(&job, "\n# Material %u has no name, so it cannot be set here.", i);
        else if (!is_listed_before(model, i))
            print_material(&job, model, i);
    }
    return !job.sink.refused;
}

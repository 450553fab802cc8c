/* materials.c: the N64 settings of a material, in words. */
#include "info/info.h"

#include "alloc.h"

#include "trilobite/n64.h"
#include "trilobite/pyrite64.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ROOM = 256 }; /* for one description */

typedef struct cli_color {
    const char *name;
    uint8_t flag; /* of set_flags */
    const uint8_t *rgba;
} cli_color;

enum { COLORS = 3 };

static void colors_of(const trilo_n64_material *n64, cli_color colors[COLORS])
{
    colors[0] = (cli_color){"prim", TRILO_N64_SET_PRIM, n64->prim};
    colors[1] = (cli_color){"env", TRILO_N64_SET_ENV, n64->env};
    colors[2] = (cli_color){"blend", TRILO_N64_SET_BLEND, n64->blend};
}

static bool material_is_set(const trilo_n64_material *n64, const cli_color *color)
{
    return (trilo_n64_colors_set(n64->set_flags, n64->other_mode) & color->flag) != 0;
}

static float cutoff_of(const trilo_material *material)
{
    return material->alpha_cutoff > 0 ? material->alpha_cutoff : 0.5f;
}

static const char *alpha_name(trilo_alpha alpha)
{
    return alpha == TRILO_ALPHA_BLEND ? "blend" : alpha == TRILO_ALPHA_CUTOUT ? "cutout" : "opaque";
}

/* What a material of Pyrite64 does not set comes from the draw layer of the scene. */
static void blender_text(const trilo_n64_material *n64, char *out, size_t room)
{
    if ((n64->engine_flags & TRILO_N64_ENGINE_LAYERED) != 0 && (n64->engine_flags & TRILO_N64_ENGINE_BLENDER) == 0)
        snprintf(out, room, "of the draw layer");
    else
        trilo_n64_blender_text(n64->blender, out, room);
}

/* Settings in words: as text and as JSON. */
typedef struct cli_fact {
    const char *label, *key;
    char text[ROOM];
} cli_fact;

enum { FACTS = 6 };

static void facts_of(const trilo_n64_material *n64, cli_fact facts[FACTS])
{
    static const char *const names[FACTS][2] = {{"combiner", "combiner"},    {"other mode", "other_mode"},
                                                {"blender", "blender"},      {"flags", "draw_flags"},
                                                {"effect", "vertex_effect"}, {"fog", "fog"}};
    for (int i = 0; i < FACTS; i++)
        facts[i].label = names[i][0], facts[i].key = names[i][1];
    trilo_n64_combiner_text(n64->combiner, facts[0].text, ROOM);
    trilo_n64_other_mode_text(n64->other_mode, n64->other_mask, facts[1].text, ROOM);
    blender_text(n64, facts[2].text, ROOM);
    trilo_n64_flags_text(n64->draw_flags, facts[3].text, ROOM);
    snprintf(facts[4].text, ROOM, "%s", trilo_n64_effect_name(n64->vertex_effect));
    snprintf(facts[5].text, ROOM, "%s", trilo_n64_fog_name(n64->fog));
}

/* ---- text ---- */

static void material_fact(FILE *out, const char *name, const char *value)
{
    fprintf(out, "  %-10s  %s\n", name, value);
}

static void put_axis(FILE *out, const char *name, const trilo_n64_axis *axis)
{
    fprintf(out, "    %-8s  %s to %s, mask %d, shift %d%s%s\n", name, EXACT(axis->low), EXACT(axis->high), axis->mask,
            axis->shift, axis->mirror ? ", mirror" : "", axis->clamp ? ", clamp" : "");
}

static void put_n64(FILE *out, const trilo_model *model, const trilo_n64_material *n64)
{
    cli_fact facts[FACTS];
    cli_color colors[COLORS];
    facts_of(n64, facts);
    for (int i = 0; i < FACTS; i++)
        material_fact(out, facts[i].label, facts[i].text);
    colors_of(n64, colors);
    for (int i = 0; i < COLORS; i++)
        if (material_is_set(n64, &colors[i]))
            fprintf(out, "  %-10s  %u %u %u %u\n", colors[i].name, (unsigned)colors[i].rgba[0],
                    (unsigned)colors[i].rgba[1], (unsigned)colors[i].rgba[2], (unsigned)colors[i].rgba[3]);
    for (int i = 0; i < 2; i++) {
        fprintf(out, "  tile %d      ", i);
        if (n64->tiles[i].texture != TRILO_NONE)
            text_put(out, model->textures[n64->tiles[i].texture].path.data,
                     model->textures[n64->tiles[i].texture].path.len);
        if (n64->tiles[i].reference != 0)
            fprintf(out, "%sthe game's texture %" PRIu32, n64->tiles[i].texture != TRILO_NONE ? ", " : "",
                    n64->tiles[i].reference);
        if (n64->tiles[i].texture == TRILO_NONE && n64->tiles[i].reference == 0) {
            fputs("none\n", out);
            continue;
        }
        fprintf(out, ", %u x %u\n", (unsigned)n64->tiles[i].width, (unsigned)n64->tiles[i].height);
        put_axis(out, "s", &n64->tiles[i].s);
        put_axis(out, "t", &n64->tiles[i].t);
    }
}

static void put_placeholder(FILE *out, const trilo_pyrite64_tile *tile, int number)
{
    if (tile->placeholder == TRILO_PYRITE64_PLACEHOLDER_STATIC)
        return;
    fprintf(out, "  tile %d      placeholder %u: the object of the scene replaces %s\n", number, (unsigned)tile->slot,
            tile->placeholder == TRILO_PYRITE64_PLACEHOLDER_TEXTURE ? "the texture" : "the rectangle of the tile");
}

/* A chunk `m`: settings that Tiny3D's own materials do not have. */
static void put_raw(FILE *out, trilo_bytes raw)
{
    char text[ROOM];
    trilo_pyrite64_material pyrite64;
    if (!trilo_pyrite64_material_read(raw, &pyrite64, NULL)) {
        fprintf(out, "  %-10s  %s bytes in a layout that is not known\n", "chunk m", COUNT(raw.size));
        return;
    }
    trilo_pyrite64_text(&pyrite64, text, sizeof text);
    if (*text)
        material_fact(out, "pyrite64", text);
    for (int i = 0; i < 2; i++)
        put_placeholder(out, &pyrite64.tiles[i], i);
}

void info_print_material(const trilo_model *model, uint32_t index, FILE *out)
{
    const trilo_material *material = &model->materials[index];
    if (material->n64)
        put_n64(out, model, material->n64);
    else if (material->raw.size == 0) {
        const float *c = material->base_color;
        fprintf(out, "  %-10s  %s %s %s %s\n", "color", EXACT(c[0]), EXACT(c[1]), EXACT(c[2]), EXACT(c[3]));
        if (material->texture != TRILO_NONE)
            fprintf(out, "  %-10s  %" PRIu32 "\n", "texture", material->texture);
        fprintf(out, "  %-10s  %s", "alpha", alpha_name(material->alpha));
        if (material->alpha == TRILO_ALPHA_CUTOUT)
            fprintf(out, " below %s", EXACT(cutoff_of(material)));
        fputc('\n', out);
        if (material->unlit)
            material_fact(out, "light", "none");
        material_fact(out, "sides", material->two_sided ? "both" : "front");
        if (material->pbr)
            info_print_pbr(material->pbr, out);
    }
    if (material->raw.size > 0)
        put_raw(out, material->raw);
}

void info_print_materials(const trilo_model *model, const cli_screen *screen)
{
    FILE *out = screen->file;
    uint32_t *users = need(NULL, model->material_count, sizeof *users);
    for (uint32_t i = 0; i < model->material_count; i++)
        users[i] = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        if (model->meshes[i].material != TRILO_NONE)
            users[model->meshes[i].material]++;
    for (uint32_t i = 0; i < model->material_count; i++) {
        fprintf(out, "\nmaterial %" PRIu32, i);
        text_name(out, model->materials[i].name);
        fprintf(out, ", used %s time%s\n", COUNT(users[i]), text_plural(users[i]));
        info_print_material(model, i, out);
    }
    free(users);
}

/* ---- JSON ---- */

static void json_axis(cli_json *json, const char *key, const trilo_n64_axis *axis)
{
    json_object(json, key);
    json_float(json, "low", axis->low);
    json_float(json, "high", axis->high);
    json_int(json, "mask", axis->mask);
    json_int(json, "shift", axis->shift);
    json_bool(json, "mirror", axis->mirror);
    json_bool(json, "clamp", axis->clamp);
    json_end(json);
}

/* 64 bits are more than JSON's numbers are sure to hold: hexadecimal text. */
static void json_bits(cli_json *json, const char *key, uint64_t bits)
{
    char text[24];
    snprintf(text, sizeof text, "0x%016" PRIX64, bits);
    json_text(json, key, text);
}

static void json_n64(cli_json *json, const trilo_n64_material *n64)
{
    json_object(json, "n64");
    json_bits(json, "combiner", n64->combiner);
    json_bits(json, "other_mode", n64->other_mode);
    json_bits(json, "other_mask", n64->other_mask);
    json_uint(json, "blender", n64->blender);
    json_uint(json, "draw_flags", n64->draw_flags);
    json_uint(json, "vertex_effect", n64->vertex_effect);
    json_uint(json, "fog", n64->fog);
    cli_fact facts[FACTS];
    facts_of(n64, facts);
    json_object(json, "words");
    for (int i = 0; i < FACTS; i++)
        json_text(json, facts[i].key, facts[i].text);
    json_end(json);
    cli_color colors[COLORS];
    colors_of(n64, colors);
    for (int i = 0; i < COLORS; i++) {
        const uint8_t *c = colors[i].rgba;
        if (material_is_set(n64, &colors[i]))
            json_uints(json, colors[i].name, (const uint64_t[]){c[0], c[1], c[2], c[3]}, 4);
        else
            json_null(json, colors[i].name);
    }
    json_array(json, "tiles");
    for (int i = 0; i < 2; i++) {
        json_object(json, NULL);
        json_index(json, "texture", n64->tiles[i].texture);
        json_uint(json, "reference", n64->tiles[i].reference);
        json_uint(json, "width", n64->tiles[i].width);
        json_uint(json, "height", n64->tiles[i].height);
        json_axis(json, "s", &n64->tiles[i].s);
        json_axis(json, "t", &n64->tiles[i].t);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

static void json_raw(cli_json *json, trilo_bytes raw)
{
    trilo_pyrite64_material pyrite64;
    char text[ROOM];
    json_uint(json, "raw_size", raw.size);
    if (!trilo_pyrite64_material_read(raw, &pyrite64, NULL)) {
        json_null(json, "pyrite64");
        return;
    }
    json_object(json, "pyrite64");
    json_uint(json, "flags", pyrite64.flags);
    trilo_pyrite64_text(&pyrite64, text, sizeof text);
    json_text(json, "words", text);
    json_array(json, "tiles");
    for (int i = 0; i < 2; i++) {
        const trilo_pyrite64_tile *tile = &pyrite64.tiles[i];
        json_object(json, NULL);
        json_index(json, "asset", tile->asset == TRILO_PYRITE64_NO_ASSET ? TRILO_NONE : tile->asset);
        json_uint(json, "placeholder", tile->placeholder);
        json_uint(json, "slot", tile->slot);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

void info_json_materials(const trilo_model *model, cli_json *json)
{
    json_array(json, "materials");
    for (uint32_t i = 0; i < model->material_count; i++) {
        const trilo_material *material = &model->materials[i];
        json_object(json, NULL);
        json_str(json, "name", material->name);
        json_floats(json, "color", material->base_color, 4);
        json_index(json, "texture", material->texture);
        json_text(json, "alpha", alpha_name(material->alpha));
        if (material->alpha == TRILO_ALPHA_CUTOUT)
            json_float(json, "alpha_cutoff", cutoff_of(material));
        json_bool(json, "two_sided", material->two_sided);
        json_bool(json, "unlit", material->unlit);
        if (material->n64)
            json_n64(json, material->n64);
        if (material->raw.size > 0)
            json_raw(json, material->raw);
        if (material->pbr)
            info_json_pbr(material->pbr, json);
        json_end(json);
    }
    json_end(json);
}

/* Reads the materials file of a model and applies it: to the N64 state that a material has, or to the one that its
 * plain view would get. */
#include "api/materials/materials.h"
#include "base/strict_float.h"

#include "base/array.h"
#include "base/hash_table.h"
#include "formats/gltf/decode/decode.h"
#include "n64/combiner.h"
#include "n64/modes.h"
#include "n64/plain.h"
#include "trilobite/materials.h"

#include <stdio.h>
#include <string.h>

/* ---- the file ---- */

static bool materials_check(const tl_materials_reader *r, const tl_toml *root)
{
    for (const tl_toml *table = root->first; table; table = table->next) {
        tl_material_settings unused = {.is_lit = true};
        if (table->kind != TL_TOML_TABLE)
            return tl_materials_wrong(r, table, "\"%.40s\" is not in a table: first the name of a material, as [%.40s]",
                                      table->key.data, "skin");
        if (!tl_material_settings_read(r, table, &unused))
            return false;
    }
    return true;
}

bool tl_materials_open(trilo_document *document, trilo_error *err)
{
    const char *model = document->opts.name, *dot = model ? strrchr(model, '.') : NULL;
    trilo_bytes text;
    if (!dot || document->opts.ignore_materials_file || document->gltf.ignore_materials ||
        document->format->info.format == TRILO_FORMAT_T3DM)
        return true;
    char *name = tl_array_raw(&document->arena, (size_t)(dot - model) + sizeof TRILO_MATERIALS_ENDING, 1);
    if (!name)
        return tl_fail_memory(err);
    memcpy(name, model, (size_t)(dot - model));
    memcpy(name + (dot - model), TRILO_MATERIALS_ENDING, sizeof TRILO_MATERIALS_ENDING);
    document->materials_name = name;
    const bool found = document->opts.companion(document->opts.companion_user, name, &text);
    if (document->companions.failure.code != TRILO_CODE_OK) {
        if (err)
            *err = document->companions.failure;
        return false;
    }
    if (!found)
        return true;
    const tl_materials_reader reader = {name, err};
    const tl_toml *root = tl_toml_read(&document->arena, text, NULL, &tl_general_rules[TL_MATERIALS_FILE], err);
    if (!root && err && err->rule == tl_general_rules[TL_MATERIALS_FILE].name) {
        char place[sizeof err->path];
        snprintf(place, sizeof place, "%.60s: %.48s", name, err->path);
        memcpy(err->path, place, sizeof place);
        err->offset = TRILO_NOWHERE; /* which would be one of the model */
    }
    document->materials = root;
    return root && materials_check(&reader, root);
}

/* ---- applying it ---- */

typedef struct materials_job {
    const trilo_document *document;
    tl_arena *arena;
    trilo_model *model;
    trilo_texture *textures; /* of the model, with room for the images of the file */
    tl_report *report;
    tl_hash_table by_path; /* textures */
    uint8_t *tinted;       /* of each material: vertices have colours */
    tl_materials_reader reader;
} materials_job;

static int compare_paths(const void *rows, uint32_t a, uint32_t b)
{
    const trilo_texture *textures = rows;
    return strcmp(textures[a].path.data, textures[b].path.data);
}

/* An image by its name, as those that Fast64 names. False: no memory. */
static bool find_texture(materials_job *job, const tl_toml *image, trilo_n64_tile *tile)
{
    trilo_found_image found;
    trilo_model *model = job->model;
    uint32_t width = 0, height = 0;
    if (!tl_gltf_find_image(&job->document->opts, image->string, &found) && job->report)
        tl_report_finding(job->report, &tl_general_rules[TL_MATERIALS_IMAGE], TRILO_NOWHERE,
                          "%.60s: line %lu, column %lu: the image %.60s cannot be found%s%.60s", job->reader.name,
                          (unsigned long)image->line, (unsigned long)image->column, image->string.data,
                          found.places[0] ? "; it was looked for " : "", found.places);
    trilo_image_probe(found.bytes, &width, &height);
    const uint32_t row = model->texture_count;
    job->textures[row] = (trilo_texture){.name = {"", 0},
                                         .path = tl_str_copy(job->arena, found.path, strlen(found.path)),
                                         .width = width,
                                         .height = height};
    if (!job->textures[row].path.data)
        return false;
    tile->texture = tl_hash_table_add(&job->by_path, trilo_fnv1a(found.path, strlen(found.path)), row);
    model->texture_count += tile->texture == row ? 1 : 0;
    return tile->texture != TRILO_NONE;
}

static bool set_tiles(materials_job *job, tl_material_settings *settings)
{
    for (int i = 0; i < 2; i++) {
        trilo_n64_tile *tile = &settings->n64.tiles[i];
        if (settings->images[i] && !find_texture(job, settings->images[i], tile))
            return false;
        if (tile->texture == TRILO_NONE)
            tl_n64_fit_tile(tile, tile->width, tile->height);
        if (tile->texture == TRILO_NONE || tile->fit == 0)
            continue;
        const trilo_texture *texture = &job->textures[tile->texture];
        const trilo_texels texels =
            trilo_texels_from_path(texture->path.len > 0 ? texture->path.data : texture->name.data);
        uint32_t width = texture->width, height = texture->height;
        tl_n64_fit_size(texels != TRILO_TEXELS_UNKNOWN ? texels : TRILO_TEXELS_CI4, &width, &height);
        tl_n64_fit_tile(tile, width, height);
    }
    return true;
}

/* The base colour of a plain material is PRIM if the combiner has it, or else goes into the vertex colours. False: no
 * memory. */
static bool set_base_color(materials_job *job, uint32_t index, tl_material_settings *settings)
{
    trilo_n64_material *n64 = &settings->n64;
    const trilo_material *material = &job->model->materials[index];
    const uint32_t prim = TL_CC_BIT(TL_CC_PRIM) | TL_CC_BIT(TL_CC_PRIM_ALPHA);
    if ((tl_cc_selected(n64->combiner) & prim) != 0) {
        for (int i = 0; !settings->prim && i < 4; i++)
            n64->prim[i] = (uint8_t)(material->base_color[i] * 255 + 0.5f);
        n64->set_flags |= settings->prim ? 0 : TRILO_N64_SET_PRIM;
        return true;
    }
    for (uint32_t i = 0; !tl_color_is_white(material->base_color) && i < job->model->mesh_count; i++) {
        trilo_mesh *mesh = (trilo_mesh *)(uintptr_t)&job->model->meshes[i];
        if (mesh->material != index)
            continue;
        float(*colors)[4] = tl_array_raw(job->arena, mesh->vertex_count, sizeof *colors);
        if (!colors)
            return false;
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            for (int c = 0; c < 4; c++)
                colors[v][c] = (mesh->colors ? mesh->colors[v][c] : 1) * material->base_color[c];
        mesh->colors = (const float(*)[4])colors;
    }
    return true;
}

/* What follows from other settings: without a combiner of its own, a plain material gets the one that shows its
 * texture, light and alpha. */
static void finish_settings(tl_material_settings *settings, bool was_plain, bool tinted)
{
    trilo_n64_material *n64 = &settings->n64;
    const bool textured = n64->tiles[0].texture != TRILO_NONE || n64->tiles[0].reference != 0;
    if (was_plain && !settings->combiner)
        n64->combiner = tl_cc_plain(textured, settings->is_lit || !textured || tinted, tl_n64_alpha(n64));
    const uint32_t inputs = tl_cc_selected(n64->combiner);
    const bool shaded = (inputs & TL_CC_USES_SHADE) != 0 || n64->fog == TRILO_N64_FOG_ON;
    if (was_plain || settings->combiner)
        n64->draw_flags = (n64->draw_flags & ~(uint32_t)(TRILO_N64_TEXTURED | TRILO_N64_SHADED)) |
                          ((inputs & TL_CC_USES_TEXTURE) != 0 ? TRILO_N64_TEXTURED : 0u);
    n64->draw_flags |= shaded ? TRILO_N64_SHADED : 0u;
    if (was_plain || settings->lit)
        n64->draw_flags = (n64->draw_flags & ~(uint32_t)TRILO_N64_UNLIT) |
                          ((n64->draw_flags & TRILO_N64_SHADED) != 0 && !settings->is_lit ? TRILO_N64_UNLIT : 0u);
}

static bool apply_one(materials_job *job, uint32_t index, const tl_toml *table)
{
    trilo_material *material = (trilo_material *)(uintptr_t)&job->model->materials[index];
    const bool was_plain = !material->n64;
    const bool tinted = job->tinted[index] || !tl_color_is_white(material->base_color);
    tl_material_settings settings = {.n64 = was_plain ? tl_n64_plain(job->model, material, tinted) : *material->n64,
                                     .is_lit = !material->unlit};
    if (!tl_material_settings_read(&job->reader, table, &settings))
        return false;
    trilo_n64_material *n64 = TL_NEW(job->arena, trilo_n64_material);
    if (!n64 || !set_tiles(job, &settings))
        return tl_fail_memory(job->reader.err);
    finish_settings(&settings, was_plain, tinted);
    if (was_plain && !set_base_color(job, index, &settings))
        return tl_fail_memory(job->reader.err);
    *n64 = settings.n64;
    material->texture = n64->tiles[0].texture;
    material->raw = (trilo_bytes){NULL, 0};
    material->pbr = NULL;
    tl_gltf_view_n64_material(material, n64);
    material->unlit |= !settings.is_lit && was_plain;
    return true;
}

/* ---- which ones ---- */

static int compare_keys(const void *rows, uint32_t a, uint32_t b)
{
    const tl_toml *const *tables = rows;
    return strcmp(tables[a]->key.data, tables[b]->key.data);
}

static bool apply_all(materials_job *job, tl_arena *scratch)
{
    const tl_toml *root = job->document->materials;
    trilo_model *model = job->model;
    const size_t room = (size_t)model->texture_count + 2 * (size_t)model->material_count + 1;
    const tl_toml **tables = tl_array(scratch, (size_t)root->count + 1, sizeof *tables);
    uint8_t *used = TL_ARRAY(scratch, root->count, uint8_t);
    tl_hash_table by_key;
    job->textures = TL_ARRAY(job->arena, room, trilo_texture);
    job->tinted = TL_ARRAY(scratch, model->material_count, uint8_t);
    if (!tables || !used || !job->textures || !job->tinted ||
        !tl_hash_table_init(&by_key, scratch, root->count, compare_keys, tables) ||
        !tl_hash_table_init(&job->by_path, scratch, room, compare_paths, job->textures))
        return tl_fail_memory(job->reader.err);
    if (model->texture_count > 0)
        memcpy(job->textures, model->textures, model->texture_count * sizeof *job->textures);
    model->textures = job->textures;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        if (model->meshes[i].material != TRILO_NONE)
            job->tinted[model->meshes[i].material] |= tl_mesh_is_tinted(&model->meshes[i]);
    uint32_t row = 0;
    for (const tl_toml *table = root->first; table; table = table->next, row++) {
        tables[row] = table;
        if (tl_hash_table_add(&by_key, trilo_fnv1a(table->key.data, table->key.len), row) == TRILO_NONE)
            return tl_fail_memory(job->reader.err);
    }
    for (uint32_t i = 0; i < model->material_count; i++) {
        const tl_toml probe = {.key = model->materials[i].name};
        tables[root->count] = &probe;
        row = tl_hash_table_find(&by_key, trilo_fnv1a(probe.key.data, probe.key.len), root->count);
        if (row == TRILO_NONE || probe.key.len == 0)
            continue;
        used[row] = 1;
        if (!apply_one(job, i, tables[row]))
            return false;
    }
    for (row = 0; row < root->count; row++)
        if (!used[row])
            return tl_materials_wrong(&job->reader, tables[row], "the model has no material \"%.60s\"%s%.60s%s",
                                      tables[row]->key.data, model->material_count > 0 ? "; its first one is \"" : "",
                                      model->material_count > 0 ? model->materials[0].name.data : "",
                                      model->material_count > 0 ? "\"" : ", and none at all");
    return true;
}

bool tl_materials_apply(const trilo_document *document, tl_arena *arena, trilo_model *model, tl_report *report,
                        trilo_error *err)
{
    materials_job job = {.document = document,
                         .arena = arena,
                         .model = model,
                         .report = report,
                         .reader = {document->materials_name, err}};
    tl_arena scratch;
    if (!document->materials)
        return true;
    tl_arena_init(&scratch, &document->opts.memory);
    const bool ok = apply_all(&job, &scratch);
    tl_arena_free(&scratch);
    return ok;
}

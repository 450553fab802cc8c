#include "cost/cost.h"

void cost_json_values(cli_json *json, const char *key, const cost_values *values)
{
    json_object(json, key);
    for (size_t i = 0; i < COST_FIGURES; i++)
        json_double(json, cost_figure_at(i)->name, values->of[i]);
    json_end(json);
}

/* What objects and materials have in common. */
static void cost_put_counts(cli_json *json, const trilo_cost_counts *c)
{
    json_uint(json, "parts", c->parts);
    json_uint(json, "loads", c->loads);
    json_uint(json, "vertices", c->vertices);
    json_uint(json, "unique", c->unique);
    json_uint(json, "duplicates", c->duplicates);
    json_uint(json, "padding", c->padding);
    json_uint(json, "unique_shown", c->unique_shown);
    json_uint(json, "triangles", c->triangles);
    json_uint(json, "degenerate", c->degenerate);
    json_uint(json, "list_triangles", c->list_triangles);
    json_uint(json, "sequence_triangles", c->sequence_triangles);
    json_uint(json, "strip_triangles", c->strip_triangles);
    json_uint(json, "strip_indices", c->strip_indices);
    json_uint(json, "modifies", c->modifies);
    json_uint(json, "matrix_sets", c->matrix_sets);
    json_uint(json, "commands", c->commands);
    json_uint(json, "rsp_bytes", c->rsp_bytes);
    json_uint(json, "score", c->score);
    json_double(json, "microseconds", c->microseconds);
}

static void cost_put_materials(cli_json *json, const trilo_cost *cost)
{
    json_array(json, "materials");
    for (uint32_t i = 0; i < cost->material_count; i++) {
        const trilo_cost_material *m = &cost->materials[i];
        json_object(json, NULL);
        json_str(json, "name", m->name);
        json_uint(json, "objects", m->objects);
        json_uint(json, "changes", m->changes);
        json_uint(json, "uploads", m->uploads);
        json_uint(json, "state_bytes", m->state_bytes);
        json_uint(json, "overlay_bytes", m->overlay_bytes);
        json_uint(json, "upload_bytes", m->upload_bytes);
        json_index(json, "texture0", m->textures[0]);
        json_index(json, "texture1", m->textures[1]);
        json_uint(json, "tmem", m->tmem);
        json_uint(json, "tmem_limit", m->tmem_limit);
        json_uint(json, "pixel_cycles", m->cycles);
        json_bool(json, "blends", m->blends);
        json_bool(json, "depth", m->depth);
        cost_put_counts(json, &m->counts);
        json_end(json);
    }
    json_end(json);
}

static void cost_put_textures(cli_json *json, const trilo_cost *cost)
{
    json_array(json, "textures");
    for (uint32_t i = 0; i < cost->texture_count; i++) {
        const trilo_cost_texture *t = &cost->textures[i];
        json_object(json, NULL);
        json_str(json, "path", t->path);
        json_text(json, "texels", trilo_texels_name(t->texels));
        json_bool(json, "sprite_found", t->from_file);
        json_uint(json, "width", t->width);
        json_uint(json, "height", t->height);
        json_uint(json, "images", t->images);
        json_uint(json, "tmem", t->tmem);
        json_uint(json, "palette", t->palette);
        json_uint(json, "size", t->file_size);
        json_uint(json, "stored_size", t->stored_size);
        json_uint(json, "uploads", t->uploads);
        if (t->from_file) {
            json_uint(json, "colors", t->colors);
            json_text(json, "smaller", trilo_texels_name(t->smaller));
            json_index(json, "same_as", t->same_as);
        }
        json_end(json);
    }
    json_end(json);
}

static void put_hints(cli_json *json, const trilo_cost *cost)
{
    json_array(json, "hints");
    for (uint32_t i = 0; i < cost->hint_count; i++) {
        const trilo_cost_hint *hint = &cost->hints[i];
        json_object(json, NULL);
        static const char *const names[] = {"merge-materials", "order",      "fill", "duplicates", "strips",
                                            "unused",          "degenerate", "tmem", "textures"};
        json_text(json, "kind", (size_t)hint->kind < sizeof names / sizeof *names ? names[hint->kind] : "other");
        json_index(json, "object", hint->object);
        json_index(json, "material", hint->material);
        json_uint(json, "saves", hint->saves);
        json_str(json, "text", hint->text);
        json_end(json);
    }
    json_end(json);
}

void cost_print_json(const cost_model *model, const cost_options *options, cli_json *json)
{
    const trilo_cost *cost = model->cost;
    json_text(json, "format", trilo_format_get(cost->format)->name);
    json_uint(json, "version", cost->version);
    json_bool(json, "converted", model->converted != NULL);
    json_uint(json, "instances", options->instances);
    cost_json_values(json, "figures", &model->values);
    json_uint(json, "stored_size", cost->stored_size);
    json_uint(json, "companion_size", cost->companion_size);
    json_uint(json, "sprite_size", cost->sprite_size);
    json_uint(json, "sprite_stored", cost->sprite_stored);
    json_uint(json, "bone_bytes", cost->bone_bytes);
    json_uint(json, "unknown_textures", cost->unknown_textures);
    if (model->fill.wanted) {
        json_object(json, "fill");
        json_double(json, "percent", model->fill.percent);
        json_uint(json, "width", model->fill.width);
        json_uint(json, "height", model->fill.height);
        json_double(json, "pixels", model->fill.estimate.pixels);
        json_double(json, "cycles", model->fill.estimate.cycles);
        json_double(json, "microseconds", model->fill.estimate.microseconds);
        json_double(json, "bytes", model->fill.estimate.bytes);
        json_end(json);
    }
    json_array(json, "objects");
    for (uint32_t i = 0; i < cost->object_count; i++) {
        const trilo_cost_object *o = &cost->objects[i];
        json_object(json, NULL);
        json_str(json, "name", o->name);
        json_index(json, "material", o->material);
        json_bool(json, "skinned", o->skinned);
        json_bool(json, "changes_material", o->changes);
        cost_put_counts(json, &o->counts);
        json_end(json);
    }
    json_end(json);
    cost_put_materials(json, cost);
    cost_put_textures(json, cost);
    put_hints(json, cost);
}

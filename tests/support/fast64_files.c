#include "support/fast64_files.h"

#include "base/bytes.h"
#include "harness.h"

#include <stdio.h>
#include <string.h>

static const trilo_rule rule = {"TEST-JSON", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};

static bool fill_table(fast64_file *file, gltf_array array, const char *name)
{
    const tl_json *values = tl_json_member(file->gltf.root, name);
    gltf_table *table = &file->gltf.tables[array];
    if (!values || values->kind != TL_JSON_ARRAY)
        return true;
    table->count = values->count;
    table->items = tl_json_list(&file->arena, values);
    return table->items != NULL;
}

bool fast64_file_read(fast64_file *file, const void *json, size_t size)
{
    static const trilo_gltf_load_opts usual = {0};
    *file = (fast64_file){.gltf = {.json = {json, size}}};
    file->gltf.opts = &file->opts;
    file->opts.gltf = &usual;
    tl_arena_init(&file->arena, NULL);
    file->gltf.root = tl_json_read(&file->arena, file->gltf.json, NULL, &rule, 0, NULL);
    return file->gltf.root && file->gltf.root->kind == TL_JSON_OBJECT &&
           fill_table(file, GLTF_MATERIALS, "materials") && fill_table(file, GLTF_TEXTURES, "textures") &&
           fill_table(file, GLTF_SAMPLERS, "samplers") && fill_table(file, GLTF_IMAGES, "images");
}

bool fast64_file_read_glb(fast64_file *file, const uint8_t *bytes, size_t size)
{
    enum { JSON_AT = 20 };
    const size_t length = size >= JSON_AT ? tl_get_u32le(bytes + 12) : 0;
    const bool fits = size >= JSON_AT && length <= size - JSON_AT;
    return fast64_file_read(file, fits ? bytes + JSON_AT : bytes, fits ? length : 0);
}

void fast64_file_free(fast64_file *file)
{
    tl_arena_free(&file->arena);
}

/* --- materials made by hand --- */

const char fast64_extras[] =
    "{\"materials\":[{\"extras\":{\"f3d_mat\":{"
    "\"combiner1\":{\"A\":1,\"B\":8,\"C\":4,\"D\":7,\"A_alpha\":7,\"B_alpha\":7,\"C_alpha\":7,\"D_alpha\":6},"
    "\"combiner2\":{\"A\": 0,\"B\": 8,\"C\": 3,\"D\": 7,\"A_alpha\": 7,\"B_alpha\": 7,\"C_alpha\": 7,\"D_alpha\": 6},"
    "\"set_prim\":0,\"prim_color\":[1,1,1,1],\"set_env\":0,\"env_color\":[0,0,0,1],"
    "\"set_blend\":0,\"blend_color\":[0,0,0,1],\"draw_layer\":{\"sm64\":1,\"oot\":0},"
    "\"rdp_settings\":{\"g_mdsft_cycletype\":0,\"g_cull_back\":1,\"g_cull_front\":0,\"g_fog\":0,"
    "\"g_mdsft_text_filt\":2,\"g_tex_gen\":0,\"g_lighting\":1,\"set_rendermode\":1,"
    "\"rendermode_preset_cycle_1\":1,\"rendermode_preset_cycle_2\":1},"
    "\"tex0\":{\"S\":{\"low\":0,\"high\":31,\"mask\":5,\"shift\":0,\"clamp\":1,\"mirror\":0},"
    "\"T\":{\"low\":0.5,\"high\":64,\"mask\":6,\"shift\":-1},\"use_tex_reference\":0,\"tex_reference\":\"0x08000000\","
    "\"tex_reference_size\":[16,24],\"tex\":{\"name\":\"wall.ci4.png\"}},"
    "\"tex1\":{\"tex\":null}}}}]}";

const char fast64_words[] =
    "{\"materials\":[{\"extensions\":{\"FAST64_materials_n64\":{"
    "\"combiner\":{\"set\":true,\"cycles\":[{\"color\":[\"TEXEL0\",\"0\",\"SHADE\",\"0\"],"
    "\"alpha\":[\"0\",\"0\",\"0\",\"1\"]}]},"
    "\"blend\":{\"set\":false,\"color\":[0.0,0.0,0.0,1.0]},"
    "\"otherModes\":{\"textureFilter\":\"BILERP\",\"renderMode\":{\"presets\":[\"AA_ZB_OPA_SURF\"]}},"
    "\"textures\":{\"0\":{\"index\":1}},"
    "\"extensions\":{\"FAST64_materials_f3d\":{\"geometryMode\":{\"cullBack\":true,\"lighting\":true}}}}}}],"
    "\"textures\":[{},{\"sampler\":0,\"source\":0}],\"images\":[{\"name\":\"wall.ci4\"}],"
    "\"samplers\":[{\"extensions\":{\"FAST64_sampler_n64\":{\"set\":true,\"fields\":["
    "{\"clamp\":true,\"mirror\":false,\"low\":0.0,\"high\":31.0,\"mask\":5,\"shift\":0},"
    "{\"clamp\":false,\"mirror\":false,\"low\":0.5,\"high\":64.0,\"mask\":6,\"shift\":-1}]}}}]}";

void fast64_start(fast64_sample *s, const char *text)
{
    memset(s, 0, sizeof *s);
    snprintf(s->text, FAST64_ROOM, "%s", text);
}

void fast64_change(fast64_sample *s, const char *from, const char *to)
{
    char *at = strstr(s->text, from);
    if (!at)
        FAIL("there is no %s to change", from);
    CHECK(strlen(s->text) + strlen(to) < FAST64_ROOM);
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
}

void fast64_read_sample(fast64_sample *s)
{
    if (!fast64_file_read(&s->file, s->text, strlen(s->text)))
        FAIL("no JSON: %s", s->text);
    s->file.opts.gltf = &s->opts;
    memset(&s->material, 0xA5, sizeof s->material); /* all of it must be written */
    s->found = tl_fast64_read(&s->file.gltf, s->file.gltf.tables[GLTF_MATERIALS].items[0], &s->material, &s->where,
                              &s->problem);
    CHECK_INT(s->found == FAST64_BROKEN, s->where != NULL);
    CHECK_INT(s->found == FAST64_BROKEN, s->problem != NULL);
}

fast64_material fast64_finish(fast64_sample *s)
{
    fast64_read_sample(s);
    if (s->found != FAST64_READ)
        FAIL("not read: %s", s->problem ? s->problem : "nothing there");
    fast64_file_free(&s->file);
    return s->material;
}

fast64_material fast64_changed(const char *text, const char *from, const char *to)
{
    fast64_sample s;
    fast64_start(&s, text);
    fast64_change(&s, from, to);
    return fast64_finish(&s);
}

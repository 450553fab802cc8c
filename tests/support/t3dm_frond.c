#include "support/t3dm_frond.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

void frond_clips(frond *s, trilo_clip clips[FROND_CLIPS])
{
    static const char *const names[FROND_CLIPS] = {"sway", "bend", "wave"};
    frond_fill(s);
    frond_skin(s);
    frond_clip(s);
    for (int i = 0; i < FROND_CLIPS; i++) {
        clips[i] = s->clip;
        clips[i].name = frond_text(names[i]);
    }
    s->model.clips = clips;
    s->model.clip_count = FROND_CLIPS;
}

trilo_str frond_text(const char *text)
{
    return (trilo_str){text, strlen(text)};
}

static void fill_mesh(frond *s)
{
    static const float positions[3][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}};
    memcpy(s->positions, positions, sizeof positions);
    for (uint32_t i = 0; i < 3; i++) {
        s->normals[i][2] = 1;
        s->indices[i] = i;
        s->weights[i][0] = 1;
    }
    for (uint32_t i = 0; i < FROND_MESHES; i++) {
        s->mesh[i] = (trilo_mesh){.name = {"leaf", 4},
                                  .node = TRILO_NONE,
                                  .skin = TRILO_NONE,
                                  .vertex_count = 3,
                                  .index_count = 3,
                                  .positions = (const float(*)[3])s->positions,
                                  .normals = (const float(*)[3])s->normals,
                                  .uvs = (const float(*)[2])s->uvs,
                                  .indices = s->indices};
        s->material[i] = (trilo_material){.name = {"moss", 4}, .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    }
}

void frond_fill(frond *s)
{
    memset(s, 0, sizeof *s);
    fill_mesh(s);
    for (uint32_t i = 0; i < FROND_NODES; i++)
        s->nodes[i] =
            (trilo_node){.parent = i == 0 ? TRILO_NONE : i - 1, .rotation.w = 1, .scale = {1, 1, 1}, .local = identity};
    for (uint32_t i = 0; i < 2; i++)
        s->joint[i] = (trilo_joint){i, identity};
    s->nodes[1].translation.y = 3;
    s->nodes[1].local.m[13] = 3;
    s->joint[1].inverse_bind.m[13] = -3;
    s->skin = (trilo_skin){2, s->joint};
    s->times[1] = 1;
    s->values[3] = 5; /* x of the second key */
    s->channel = (trilo_channel){
        .node = 1, .target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = s->times, .values = s->values};
    s->clip = (trilo_clip){.name = {"sway", 4}, .duration = 1, .channel_count = 1, .channels = &s->channel};
    s->model = (trilo_model){.mesh_count = 1, .meshes = s->mesh, .material_count = 1, .materials = s->material};
}

void frond_skin(frond *s)
{
    s->model.nodes = s->nodes;
    s->model.node_count = 2;
    s->model.skins = &s->skin;
    s->model.skin_count = 1;
    s->mesh[0].skin = 0;
    s->mesh[0].joints = (const uint16_t(*)[4])s->joints;
    s->mesh[0].weights = (const float(*)[4])s->weights;
}

void frond_hang(frond *s, uint32_t nodes, uint32_t on)
{
    s->model.nodes = s->nodes;
    s->model.node_count = nodes;
    s->mesh[0].node = on;
}

void frond_texture(frond *s)
{
    s->texture = (trilo_texture){.path = frond_text("rom:/bark.sprite"), .width = 32, .height = 32};
    s->model.textures = &s->texture;
    s->model.texture_count = 1;
    s->material[0].texture = 0;
}

void frond_clip(frond *s)
{
    s->model.clips = &s->clip;
    s->model.clip_count = 1;
}

/* --- there --- */

static void note(void *user, const trilo_finding *finding)
{
    frond_result *r = user;
    const size_t heard = strlen(r->heard), texts = strlen(r->texts);
    snprintf(r->heard + heard, sizeof r->heard - heard, "%s ", finding->rule);
    snprintf(r->texts + texts, sizeof r->texts - texts, "%s: %s\n", finding->path, finding->text);
}

static bool keep_stream(void *user, const char *name, trilo_bytes bytes)
{
    CHECK_STR(name, "leaf.0.sdata");
    return buffer_sink(&((frond_result *)user)->stream, bytes.data, bytes.size);
}

frond_result frond_encode(const trilo_model *model, const trilo_t3dm_write_opts *t3dm)
{
    frond_result r = {.ok = false};
    trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                             .name = "leaf.t3dm",
                             .on_finding = note,
                             .on_finding_user = &r,
                             .companion = keep_stream,
                             .companion_user = &r};
    if (t3dm)
        opts.t3dm = t3dm;
    r.ok = trilo_model_write(model, &opts, buffer_sink, &r.file, &r.err);
    return r;
}

/* --- and back --- */

static bool give_stream(void *user, const char *name, trilo_bytes *bytes)
{
    const frond_result *r = user;
    *bytes = (trilo_bytes){r->stream.data, r->stream.size};
    return strcmp(name, "leaf.0.sdata") == 0;
}

static void fail_warning(void *user, const trilo_finding *finding)
{
    (void)user;
    if (finding->severity > TRILO_SEVERITY_NOTE)
        FAIL("%s at %s: %s", finding->rule, finding->path, finding->text);
}

const trilo_model *frond_again(frond_result *r)
{
    trilo_error err = {0};
    if (!r->ok)
        FAIL("%s: %s", r->err.path, r->err.text);
    const trilo_load_opts opts = {
        .companion = give_stream, .companion_user = r, .on_finding = fail_warning, .name = "leaf.t3dm"};
    const trilo_model *model = trilo_model_load(r->file.data, r->file.size, &opts, &err);
    if (!model)
        FAIL("%s: %s", err.path, err.text);
    return model;
}

void frond_done(frond_result *r, const trilo_model *model)
{
    trilo_model_free(model);
    buffer_free(&r->file);
    buffer_free(&r->stream);
}

#include "support/gltf_written.h"

#include "base/bytes.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

static void fill_nodes(leaf *l)
{
    for (uint32_t i = 0; i < LEAF_NODES; i++) {
        l->nodes[i] = (trilo_node){.parent = TRILO_NONE, .rotation.w = 1, .scale = {1, 1, 1}, .local = identity};
        l->joint[i] = (trilo_joint){i, identity};
    }
    l->nodes[1].parent = 0;
    l->nodes[1].translation.y = 1;
    l->nodes[1].local.m[13] = 1;
    l->joint[1].inverse_bind.m[13] = -1;
}

void leaf_fill(leaf *l)
{
    static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    memset(l, 0, sizeof *l);
    memcpy(l->indices, indices, sizeof indices);
    for (uint32_t i = 0; i < LEAF_VERTICES; i++) {
        l->positions[i][0] = (float)(i & 1);
        l->positions[i][1] = (float)(i >> 1);
        l->normals[i][2] = 1;
        l->weights[i][0] = 1;
    }
    for (uint32_t i = 0; i < LEAF_MESHES; i++)
        l->meshes[i] = (trilo_mesh){.name = {"leaf", 4},
                                    .material = TRILO_NONE,
                                    .node = TRILO_NONE,
                                    .skin = TRILO_NONE,
                                    .vertex_count = LEAF_VERTICES,
                                    .index_count = 6,
                                    .positions = (const float(*)[3])l->positions,
                                    .indices = l->indices};
    fill_nodes(l);
    l->material = (trilo_material){.name = {"moss", 4}, .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    l->n64.tiles[0].texture = l->n64.tiles[1].texture = TRILO_NONE;
    l->model = (trilo_model){.mesh_count = 1, .meshes = l->meshes};
}

void leaf_use_nodes(leaf *l, uint32_t count)
{
    l->model.nodes = l->nodes;
    l->model.node_count = count;
}

void leaf_use_skin(leaf *l)
{
    leaf_use_nodes(l, 2);
    l->skin = (trilo_skin){2, l->joint};
    l->model.skins = &l->skin;
    l->model.skin_count = 1;
    l->meshes[0].skin = 0;
    l->meshes[0].joints = (const uint16_t(*)[4])l->joints;
    l->meshes[0].weights = (const float(*)[4])l->weights;
}

void leaf_use_material(leaf *l)
{
    l->model.materials = &l->material;
    l->model.material_count = 1;
    l->meshes[0].material = 0;
}

static void use_clip(leaf *l)
{
    l->clip.name = (trilo_str){"sway", 4};
    l->clip.duration = LEAF_KEYS - 1;
    l->model.clips = &l->clip;
    l->model.clip_count = 1;
    for (uint32_t i = 0; i < LEAF_KEYS; i++)
        l->times[i] = i;
}

void leaf_use_clip(leaf *l)
{
    use_clip(l);
    if (l->model.node_count < 2)
        leaf_use_nodes(l, 2);
    for (uint32_t i = 0; i < LEAF_KEYS; i++)
        l->values[3 * i] = (float)i;
    l->channels[0] = (trilo_channel){
        .node = 1, .target = TRILO_TARGET_TRANSLATION, .key_count = LEAF_KEYS, .times = l->times, .values = l->values};
    l->clip.channels = l->channels;
    l->clip.channel_count = 1;
}

void leaf_use_track(leaf *l)
{
    use_clip(l);
    for (uint32_t i = 0; i < LEAF_FRAMES; i++) {
        memcpy(l->frame_positions[i], l->positions, sizeof l->positions);
        for (uint32_t v = 0; v < LEAF_VERTICES; v++)
            l->frame_positions[i][v][2] += (float)i;
        l->frames[i] = (trilo_frame){i, (const float(*)[3])l->frame_positions[i], NULL};
    }
    l->track = (trilo_track){.mesh = 0, .frame_count = LEAF_FRAMES, .frames = l->frames};
    l->clip.tracks = &l->track;
    l->clip.track_count = 1;
}

/* --- writing --- */

static void note(void *user, const trilo_finding *finding)
{
    written *w = user;
    if (strlen(w->heard) + strlen(finding->rule) + 2 < sizeof w->heard)
        strcat(strcat(w->heard, finding->rule), " ");
    if (strlen(w->texts) + strlen(finding->text) + 2 < sizeof w->texts)
        strcat(strcat(w->texts, finding->text), " ");
}

static bool keep_companion(void *user, const char *name, trilo_bytes bytes)
{
    written *w = user;
    if (w->companion_count == WRITTEN_COMPANIONS)
        return false;
    snprintf(w->names[w->companion_count], sizeof w->names[0], "%s", name);
    return buffer_sink(&w->companions[w->companion_count++], bytes.data, bytes.size);
}

static bool give_companion(void *user, const char *name, trilo_bytes *bytes)
{
    const written *w = user;
    for (uint32_t i = 0; i < w->companion_count; i++)
        if (strcmp(w->names[i], name) == 0) {
            *bytes = (trilo_bytes){w->companions[i].data, w->companions[i].size};
            return true;
        }
    return false;
}

/* Where the text and the buffer are in a .glb, told from its description alone. */
static trilo_bytes open_glb(written *w)
{
    CHECK(w->file.size % 4 == 0 && w->file.size >= 20);
    CHECK_INT(buffer_get_u32(&w->file, 4), 2);
    CHECK_INT(buffer_get_u32(&w->file, 8), w->file.size);
    CHECK(memcmp(w->file.data + 16, "JSON", 4) == 0);
    const size_t text = buffer_get_u32(&w->file, 12), bin = 20 + text;
    CHECK_INT(text % 4, 0);
    if (bin < w->file.size) {
        CHECK(memcmp(w->file.data + bin + 4, "BIN", 4) == 0);
        w->bin_size = buffer_get_u32(&w->file, bin);
        w->bin = w->file.data + bin + 8;
        CHECK_INT(bin + 8 + w->bin_size, w->file.size);
    }
    return (trilo_bytes){w->file.data + 20, text};
}

void write_gltf(written *w, const trilo_model *model, const trilo_gltf_write_opts *opts, const char *name,
                bool companions)
{
    static const trilo_rule rule = {"TEST", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", ""};
    memset(w, 0, sizeof *w);
    tl_arena_init(&w->arena, NULL);
    trilo_write_opts write = {.format = TRILO_FORMAT_GLTF, .name = name, .on_finding = note, .on_finding_user = w};
    if (opts)
        write.gltf = opts;
    if (companions) {
        write.companion = keep_companion;
        write.companion_user = w;
    }
    w->ok = trilo_model_write(model, &write, buffer_sink, &w->file, &w->err);
    if (!w->ok)
        return;
    const bool binary = w->file.size > 4 && memcmp(w->file.data, "glTF", 4) == 0;
    const trilo_bytes text = binary ? open_glb(w) : (trilo_bytes){w->file.data, w->file.size};
    w->text = malloc(text.size + 1);
    memcpy(w->text, text.data, text.size);
    w->text[text.size] = '\0';
    w->root = tl_json_read(&w->arena, text, NULL, &rule, 0, &w->err);
    if (!w->root)
        FAIL("%s", w->err.text);
}

void write_leaf(written *w, const leaf *l)
{
    write_gltf(w, &l->model, NULL, "leaf.glb", false);
    if (!w->ok)
        FAIL("%s", w->err.text);
    CHECK_STR(w->texts, "");
}

const trilo_model *written_model(const written *w)
{
    trilo_error err = {0};
    const trilo_load_opts opts = {.companion = give_companion, .companion_user = (void *)(uintptr_t)w};
    const trilo_model *model = trilo_model_load(w->file.data, w->file.size, &opts, &err);
    if (!model)
        FAIL("%s: %s", err.path, err.text);
    return model;
}

void written_free(written *w)
{
    tl_arena_free(&w->arena);
    buffer_free(&w->file);
    for (uint32_t i = 0; i < w->companion_count; i++)
        buffer_free(&w->companions[i]);
    free(w->text);
}

/* --- looking --- */

static const tl_json *step(const tl_json *value, const char *name)
{
    if (!value || value->kind != TL_JSON_ARRAY)
        return tl_json_member(value, name);
    const tl_json *item = value->first;
    for (int i = atoi(name); item && i > 0; i--)
        item = item->next;
    return item;
}

const tl_json *written_at(const written *w, const char *path)
{
    char copy[128];
    const tl_json *value = w->root;
    CHECK(strlen(path) < sizeof copy);
    strcpy(copy, path);
    for (char *name = strtok(copy, "/"); name; name = strtok(NULL, "/"))
        value = step(value, name);
    return value;
}

static const tl_json *must_be(const written *w, const char *path)
{
    const tl_json *value = written_at(w, path);
    if (!value)
        FAIL("there is no %s in %s", path, w->text);
    return value;
}

double written_number(const written *w, const char *path)
{
    const tl_json *value = must_be(w, path);
    CHECK_INT(value->kind, TL_JSON_NUMBER);
    return value->number;
}

const char *written_text(const written *w, const char *path)
{
    return tl_json_string(must_be(w, path)).data;
}

const char *written_raw(const written *w, const char *path)
{
    static char text[2048];
    const tl_json *value = must_be(w, path);
    snprintf(text, sizeof text, "%.*s", (int)(value->end - value->at), w->text + value->at);
    return text;
}

float written_float(const written *w, const char *path, uint32_t index)
{
    char place[128];
    snprintf(place, sizeof place, "accessors/%d/componentType", (int)written_number(w, path));
    CHECK_INT(written_number(w, place), 5126);
    snprintf(place, sizeof place, "accessors/%d/bufferView", (int)written_number(w, path));
    const int view = (int)written_number(w, place);
    snprintf(place, sizeof place, "bufferViews/%d/byteOffset", view);
    const size_t at = written_at(w, place) ? (size_t)written_number(w, place) : 0;
    CHECK(at % 4 == 0 && at + 4 * (size_t)index + 4 <= w->bin_size);
    return tl_get_f32(w->bin + at + 4 * (size_t)index, TL_LITTLE);
}

/* session.c: a model that stays open: drawn repeatedly with the options of `trilobite render`, and queried.
 * There is one per instance of the module. */
#include "session.h"

#include "alloc.h"

#include "trilobite/sprite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct {
    cli_args args[2];          /* of the last picture and of the next one */
    render_options options[2]; /* which refer to them */
    int current;
    bool open;
    render_model model;
    trilo_query *query;         /* NULL until something is picked */
    float (**posed)[3];         /* positions of each mesh */
    uint8_t (**painted)[4];     /* colours of the triangles of each mesh: a selection or a heat map */
    const trilo_sprite *sprite; /* that was made last */
    uint32_t fade_clip;
    double fade_seconds, fade_weight;
    double answer[7 + 4 * TRILO_COMBINER_INPUT_COUNT]; /* of the last question */
} session;

/* ---- options ---- */

/* `argv` is a whole command line: "trilobite", "render", ..., the model. It must stay valid until the next one. */
static exit_code session_read_options(int argc, char **argv)
{
    const int next = session.current ^ 1;
    args_free(&session.args[next]);
    exit_code code = args_parse(&session.args[next], argc, argv);
    if (code == EXIT_FINE)
        code = render_read_options(&session.args[next], &session.options[next]);
    return code;
}

int session_open(int argc, char **argv)
{
    exit_code code = session_read_options(argc, argv);
    if (code == EXIT_FINE && session.args[1].operand_count == 1) {
        session.current = 1;
        session.open = true;
        code = render_open(&session.model, &session.options[1], session.args[1].operands[0]);
    }
    return (int)code;
}

/* Where the bytes of the file are, and how many; a compressed asset is decompressed, as offsets in it are counted. */
const double *session_bytes(void)
{
    const trilo_bytes bytes = trilo_document_bytes(session.model.input.document);
    session.answer[0] = (double)(uintptr_t)bytes.data;
    session.answer[1] = (double)bytes.size;
    return session.answer;
}

/* ---- drawing ---- */

/* From now on another clip is blended over the one that is drawn: a cross-fade, while its weight goes from 1 to 0. */
void session_fade(uint32_t clip, double seconds, double weight)
{
    session.fade_clip = clip;
    session.fade_seconds = seconds;
    session.fade_weight = weight;
}

static void session_blend(void)
{
    trilo_player *player = session.model.player;
    if (!player || session.fade_weight <= 0)
        return;
    const trilo_play_opts paused = {.once = true, .paused = true};
    trilo_player_play(player, 1, session.fade_clip, &paused);
    trilo_player_seek(player, 1, session.fade_seconds);
    trilo_player_set_weight(player, 1, (float)session.fade_weight);
}

/* Returns the pixels, or NULL with the reason on standard error. */
const uint8_t *session_draw(int argc, char **argv)
{
    trilo_image frame;
    trilo_error err;
    if (!session.open || session_read_options(argc, argv) != EXIT_FINE)
        return NULL;
    session.current ^= 1;
    if (session.model.player) /* the camera is made for the clip alone */
        trilo_player_play(session.model.player, 1, TRILO_NONE, NULL);
    if (render_change(&session.model, &session.options[session.current]) != EXIT_FINE)
        return NULL;
    session_blend();
    if (!render_frame(&session.model, 0, &frame, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return NULL;
    }
    return frame.pixels[0];
}

/* Eye, target, field of view, and the box that the view was made for. */
const double *session_view(void)
{
    const trilo_view v = render_view(&session.model, 0);
    const trilo_bounds b = session.model.bounds;
    const double values[] = {v.eye.x, v.eye.y, v.eye.z, v.target.x, v.target.y, v.target.z, v.fov > 0 ? v.fov : 45,
                             b.min.x, b.min.y, b.min.z, b.max.x,    b.max.y,    b.max.z};
    memcpy(session.answer, values, sizeof values);
    return session.answer;
}

/* ---- the pose ---- */

static void session_pose(void)
{
    const trilo_model *model = session.model.input.model;
    if (!session.posed) {
        session.posed = need(NULL, model->mesh_count, sizeof *session.posed);
        for (uint32_t i = 0; i < model->mesh_count; i++)
            session.posed[i] = need(NULL, model->meshes[i].vertex_count, sizeof **session.posed);
    }
    trilo_mat4 *locals = need(NULL, model->node_count, sizeof *locals);
    trilo_mat4 *worlds = need(NULL, model->node_count, sizeof *worlds);
    trilo_pose_locals(model, TRILO_NONE, 0, locals);
    trilo_pose_worlds(model, locals, worlds);
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        if (session.model.player)
            trilo_player_mesh(session.model.player, i, session.posed[i], NULL);
        else if (mesh->skin == TRILO_NONE)
            trilo_pose_mesh(model, i, worlds, NULL, session.posed[i], NULL);
        else if (mesh->vertex_count > 0)
            memcpy(session.posed[i], mesh->positions, mesh->vertex_count * sizeof **session.posed);
    }
    free(worlds);
    free(locals);
}

/* ---- picking ---- */

/* The first triangle on a ray: mesh, triangle, material (-1: none), distance, position, normal, batch
 * (-1: none), texture coordinates; NULL if there is none. */
const double *session_ray(double x, double y, double z, double dx, double dy, double dz)
{
    const trilo_model *model = session.model.input.model;
    const trilo_ray ray = {.origin = {(float)x, (float)y, (float)z}, .direction = {(float)dx, (float)dy, (float)dz}};
    trilo_hit hit;
    session_pose();
    if (session.query)
        trilo_query_refit(session.query, (const trilo_points *)session.posed);
    else
        session.query = trilo_query_new(model, (const trilo_points *)session.posed, NULL, NULL);
    if (!session.query || !trilo_query_ray_cast(session.query, &ray, &hit))
        return NULL;
    const uint32_t triangles = model->meshes[hit.face.mesh].index_count / 3;
    uint32_t *batches = need(NULL, triangles, sizeof *batches);
    const uint32_t known = trilo_document_batches(session.model.input.document, hit.face.mesh, batches, triangles);
    const double batch =
        hit.face.triangle < known && batches[hit.face.triangle] != TRILO_NONE ? batches[hit.face.triangle] : -1;
    free(batches);
    const trilo_mesh *mesh = &model->meshes[hit.face.mesh];
    double uv[2] = {0, 0};
    for (uint32_t corner = 0; mesh->uvs && corner < 3; corner++)
        for (int k = 0; k < 2; k++)
            uv[k] += (double)hit.weights[corner] * mesh->uvs[mesh->indices[3 * hit.face.triangle + corner]][k];
    const double values[] = {hit.face.mesh,
                             hit.face.triangle,
                             hit.material == TRILO_NONE ? -1 : (double)hit.material,
                             hit.distance,
                             hit.position.x,
                             hit.position.y,
                             hit.position.z,
                             hit.normal.x,
                             hit.normal.y,
                             hit.normal.z,
                             batch,
                             uv[0],
                             uv[1]};
    memcpy(session.answer, values, sizeof values);
    return session.answer;
}

/* ---- inputs of the combiner ---- */

/* At a pixel of the last picture, on the console: mesh, triangle, which inputs are read (bits by trilo_combiner_input),
 * output (4), and the values of each input (4); NULL where nothing is drawn. */
const double *session_probe(uint32_t x, uint32_t y)
{
    const render_model *m = &session.model;
    trilo_pixel_probe probe;
    trilo_scene scene = m->options->scene;
    scene.view = render_view(m, 0);
    if (!trilo_renderer_probe(m->renderer, &scene, m->options->width, m->options->height, x, y, &probe, NULL) ||
        !probe.drawn)
        return NULL;
    double *out = session.answer;
    out[0] = probe.mesh;
    out[1] = probe.triangle;
    out[2] = probe.inputs;
    for (int k = 0; k < 4; k++) {
        out[3 + k] = probe.output[k];
        for (int i = 0; i < TRILO_COMBINER_INPUT_COUNT; i++)
            out[7 + 4 * i + k] = probe.values[i][k];
    }
    return out;
}

/* ---- nodes ---- */

/* The name of a node, NUL-terminated, and its parent (-1: a root) in *parent; NULL after the last one. */
const char *session_node(uint32_t node, int32_t *parent)
{
    const trilo_model *model = session.model.input.model;
    if (node >= model->node_count)
        return NULL;
    *parent = model->nodes[node].parent == TRILO_NONE ? -1 : (int32_t)model->nodes[node].parent;
    return model->nodes[node].name.data ? model->nodes[node].name.data : "";
}

/* ---- selections ---- */

enum { SELECT_MESH, SELECT_MATERIAL, SELECT_NODE, SELECT_TRIANGLE };

static bool session_follows(const trilo_mesh *mesh, uint32_t vertex, uint32_t node)
{
    if (mesh->skin == TRILO_NONE || !mesh->joints)
        return mesh->node == node;
    const trilo_skin *skin = &session.model.input.model->skins[mesh->skin];
    for (int k = 0; k < 4; k++)
        if (mesh->weights[vertex][k] > 0 && skin->joints[mesh->joints[vertex][k]].node == node)
            return true;
    return false;
}

static bool session_is_selected(int kind, uint32_t index, uint32_t second, uint32_t mesh_number, uint32_t triangle)
{
    const trilo_mesh *mesh = &session.model.input.model->meshes[mesh_number];
    switch (kind) {
    case SELECT_MESH:
        return mesh_number == index;
    case SELECT_MATERIAL:
        return mesh->material == index;
    case SELECT_NODE:
        for (uint32_t k = 0; k < 3; k++)
            if (session_follows(mesh, mesh->indices[3 * triangle + k], index))
                return true;
        return false;
    default:
        return mesh_number == index && triangle == second;
    }
}

/* Draws what is selected white and everything else black, at the size and from the view of the last picture. */
const uint8_t *session_mask(int kind, uint32_t index, uint32_t second)
{
    render_model *m = &session.model;
    const trilo_model *model = m->input.model;
    static const uint8_t white[4] = {255, 255, 255, 255}, black[4] = {0, 0, 0, 255};
    if (!session.painted) {
        session.painted = need(NULL, model->mesh_count, sizeof *session.painted);
        for (uint32_t i = 0; i < model->mesh_count; i++)
            session.painted[i] = need(NULL, model->meshes[i].index_count / 3, sizeof **session.painted);
    }
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        for (uint32_t k = 0; k < model->meshes[i].index_count / 3; k++)
            memcpy(session.painted[i][k], session_is_selected(kind, index, second, i, k) ? white : black, 4);
        trilo_renderer_set_face_colors(m->renderer, i, (const uint8_t(*)[4])session.painted[i]);
    }
    const trilo_light flat = {.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {255, 255, 255, 255}};
    const trilo_scene scene = {.view = render_view(m, 0),
                               .look = TRILO_LOOK_CLEAN,
                               .samples = 1,
                               .lights = &flat,
                               .light_count = 1,
                               .show = TRILO_SHOW_FACE_COLORS};
    trilo_error err;
    const bool drawn = trilo_renderer_draw(m->renderer, &scene, m->options->width, m->options->height, m->pixels, &err);
    for (uint32_t i = 0; i < model->mesh_count; i++)
        trilo_renderer_set_face_colors(m->renderer, i, m->colors ? (const uint8_t(*)[4])m->colors[i] : NULL);
    return drawn ? m->pixels[0] : NULL;
}

/* The box around what is selected, in the current pose; NULL if nothing is selected. */
const double *session_bounds(int kind, uint32_t index, uint32_t second)
{
    const trilo_model *model = session.model.input.model;
    double *b = session.answer;
    session_pose();
    for (int k = 0; k < 3; k++) {
        b[k] = INFINITY;
        b[3 + k] = -INFINITY;
    }
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t t = 0; t < model->meshes[i].index_count / 3; t++) {
            if (model->meshes[i].topology != TRILO_TOPOLOGY_TRIANGLES ||
                !session_is_selected(kind, index, second, i, t))
                continue;
            for (uint32_t corner = 0; corner < 3; corner++)
                for (int k = 0; k < 3; k++) {
                    const double at = session.posed[i][model->meshes[i].indices[3 * t + corner]][k];
                    b[k] = fmin(b[k], at);
                    b[3 + k] = fmax(b[3 + k], at);
                }
        }
    return b[0] <= b[3] ? b : NULL;
}

/* ---- batches ---- */

/* Colours for `--parts`: 0: each batch its own; 1: by the vertices that are loaded for a triangle, from blue (one for
 * two triangles, as good as it gets) to red (three for each). */
bool session_color_batches(int heat)
{
    render_model *m = &session.model;
    const trilo_model *model = m->input.model;
    if (!render_color_parts(m))
        return false;
    for (uint32_t i = 0; heat && i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        const uint32_t count = mesh->index_count / 3;
        uint32_t *batches = need(NULL, count, sizeof *batches), *seen = need(NULL, mesh->vertex_count, sizeof *seen);
        memset(seen, 0xFF, mesh->vertex_count * sizeof *seen);
        const uint32_t known = trilo_document_batches(m->input.document, i, batches, count);
        for (uint32_t first = 0, end; first < known && first < count; first = end) {
            uint32_t vertices = 0;
            for (end = first; end < known && end < count && batches[end] == batches[first]; end++)
                for (uint32_t k = 0; k < 3; k++) {
                    uint32_t *vertex = &seen[mesh->indices[3 * end + k]];
                    vertices += *vertex != batches[first];
                    *vertex = batches[first];
                }
            const double part = fmin(fmax(((double)vertices / (end - first) - 0.5) / 2.5, 0), 1);
            for (uint32_t k = first; k < end; k++) {
                uint8_t *color = m->colors[i][k];
                color[0] = (uint8_t)(255 * fmin(2 * part, 1));
                color[1] = (uint8_t)(255 * (part < 0.5 ? 0.35 + part : 1.7 * (1 - part)));
                color[2] = (uint8_t)(255 * fmax(1 - 2 * part, 0.1));
            }
        }
        free(seen);
        free(batches);
    }
    return true;
}

/* ---- clips and textures ---- */

/* The number of distinct key times of a clip; `times` gets up to `room` of them, in order. */
uint32_t session_key_times(uint32_t clip, double *times, uint32_t room)
{
    const trilo_model *model = session.model.input.model;
    uint32_t count = 0;
    if (clip >= model->clip_count)
        return 0;
    /* Merge: the earliest time after the last one, of all channels and tracks. */
    const trilo_clip *c = &model->clips[clip];
    for (double last = -INFINITY, next; count < room; last = next) {
        next = INFINITY;
        for (uint32_t i = 0; i < c->channel_count; i++)
            for (uint32_t low = 0, high = c->channels[i].key_count; low < high;) {
                const uint32_t middle = low + (high - low) / 2;
                const double time = c->channels[i].times[middle];
                if (time > last) {
                    next = fmin(next, time);
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
        for (uint32_t i = 0; i < c->track_count; i++)
            for (uint32_t k = 0; k < c->tracks[i].frame_count; k++)
                if (c->tracks[i].frames[k].time > last)
                    next = fmin(next, c->tracks[i].frames[k].time);
        if (!isfinite(next))
            break;
        times[count++] = next;
    }
    return count;
}

/* When a key of a channel is, in seconds; -1: there is no such key. */
double session_key_time(uint32_t clip, uint32_t channel, uint32_t key)
{
    const trilo_model *model = session.model.input.model;
    if (clip >= model->clip_count || channel >= model->clips[clip].channel_count ||
        key >= model->clips[clip].channels[channel].key_count)
        return -1;
    return model->clips[clip].channels[channel].times[key];
}

/* Width, height and the address of the pixels of a texture; NULL if it is missing. */
const double *session_texture(uint32_t texture)
{
    const render_textures *textures = &session.model.textures;
    const trilo_image *image = texture < textures->count ? textures->images[texture] : NULL;
    if (!image)
        return NULL;
    session.answer[0] = image->width;
    session.answer[1] = image->height;
    session.answer[2] = (double)(uintptr_t)image->pixels;
    return session.answer;
}

/* The texture as a sprite of that format: width, height, the address of its pixels, bytes of TMEM, does it fit, and how
 * far it is from the image (delta E). NULL: it is missing, or memory ran out. Valid until the next one. */
const double *session_texture_as(uint32_t texture, int texels)
{
    const render_textures *textures = &session.model.textures;
    const trilo_image *image = texture < textures->count ? textures->images[texture] : NULL;
    const trilo_bitmap bitmap = {.image = image ? *image : (trilo_image){0}};
    const trilo_sprite_opts opts = {.texels = (trilo_texels)texels};
    trilo_sprite_free(session.sprite);
    session.sprite = image ? trilo_sprite_encode(&bitmap, &opts, NULL) : NULL;
    if (!session.sprite)
        return NULL;
    const trilo_sprite *sprite = session.sprite;
    const double values[] = {sprite->width,     sprite->height,    (double)(uintptr_t)sprite->image.pixels,
                             sprite->tmem_used, sprite->fits_tmem, sprite->difference.delta_e};
    memcpy(session.answer, values, sizeof values);
    return session.answer;
}

/* The triangles of a material over its texture, width * height pixels. */
bool session_uvs(uint32_t material, uint32_t width, uint32_t height, uint8_t (*pixels)[4])
{
    return trilo_renderer_draw_uvs(session.model.renderer, material, width, height, pixels, NULL);
}

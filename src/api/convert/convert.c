/* One conversion, step by step: read, edit, encode, compress. Everything happens in memory. */
#include "api/convert/convert.h"
#include "base/strict_float.h"

#include "api/convert/image_names.h"
#include "api/convert/optimize.h"
#include "api/convert/sprites.h"
#include "api/convert/write_opts.h"
#include "api/document.h"
#include "api/file/nlm_hash.h"
#include "api/file/path.h"
#include "base/array.h"
#include "base/hash_table.h"
#include "base/opts.h"
#include "formats/t3dm/encode/policy.h"
#include "formats/t3dm/t3dm.h"
#include "n64/console_path.h"
#include <stdio.h>
#include <string.h>

/* More than any format stores. */
enum { CONVERT_NAME_ROOM = 1100 };

/* A conversion while it is made. */
typedef struct convert_job {
    const trilo_document *document;
    const trilo_convert_opts *opts;
    tl_conversion *out;
    tl_write_opts write;
    trilo_rewrite_opts rewrite;
    trilo_clip_edit clips;
    const trilo_model *model; /* our own, so its textures may be changed */
} convert_job;

/* ---- the files of the result ---- */

static bool convert_keep_companion(void *user, const char *name, trilo_bytes bytes)
{
    tl_conversion *out = user;
    trilo_conversion *result = &out->result;
    trilo_converted_file *files = tl_array_grow(&out->arena, result->companions, result->companion_count,
                                                &out->companion_capacity, 1, sizeof *files);
    if (!files)
        return false;
    result->companions = files;
    trilo_converted_file *file = &files[result->companion_count];
    *file = (trilo_converted_file){
        .name = tl_str_copy(&out->arena, name, strlen(name)).data,
        .bytes = {tl_bytes_copy(&out->arena, bytes.data, bytes.size), bytes.size},
        .is_stream = tl_file_path_ends(name, ".sdata") || tl_file_path_ends(name, ".t3ds"),
        .is_sprite = tl_file_path_ends(name, ".sprite"),
    };
    if (!file->name || !file->bytes.data)
        return false;
    result->companion_count++;
    return true;
}

static bool convert_keep_bytes(void *user, const void *bytes, size_t size)
{
    tl_conversion *out = user;
    trilo_bytes *kept = &out->result.bytes;
    uint8_t *grown = tl_array_grow(&out->arena, kept->data, kept->size, &out->byte_capacity, size, 1);
    if (!grown)
        return false;
    memcpy(grown + kept->size, bytes, size);
    *kept = (trilo_bytes){grown, kept->size + size};
    return true;
}

/* ---- options ---- */

static bool convert_edits(const trilo_model_edit_opts *edit)
{
    return edit->restore_size || edit->normalize || edit->drop_textures || edit->replace_texture.size > 0;
}

static bool convert_edits_clips(const trilo_clip_edit *clips)
{
    return clips->part_count > 0 || clips->marker_count > 0 || clips->reverse || clips->rate > 0 || clips->drop_resting;
}

static bool convert_keeps_records(const convert_job *job)
{
    const trilo_convert_opts *opts = job->opts;
    const trilo_write_opts *write = &job->write.all;
    const trilo_nlm_load_opts *nlm = &job->document->nlm;
    const trilo_bytes bytes = trilo_document_bytes(job->document);
    /* glTF is text or binary, by the name of the file. */
    const bool binary = bytes.size >= 4 && memcmp(bytes.data, "glTF", 4) == 0;
    const bool changes_kind = write->format == TRILO_FORMAT_GLTF &&
                              ((binary && job->write.gltf.text) ||
                               (write->name && tl_file_path_ends(write->name, binary ? ".gltf" : ".glb")));
    return write->format == trilo_document_format(job->document) && !job->document->materials && !opts->reencode &&
           !opts->optimize && !convert_edits(opts->edit) && !opts->choose_clips && !convert_edits_clips(&job->clips) &&
           !changes_kind && job->write.t3dm.materials == TRILO_T3DM_MATERIALS_AUTO && !nlm->quat_wxyz &&
           nlm->topology == TRILO_NLM_TOPOLOGY_GUESS;
}

static void convert_prepare(convert_job *job)
{
    const trilo_convert_opts *opts = job->opts;
    const trilo_format from = trilo_document_format(job->document);
    trilo_write_opts *write = &job->write.all;
    if (!opts->write)
        write->memory = job->document->opts.memory;
    if (write->format == TRILO_FORMAT_UNKNOWN)
        write->format = from;
    if (write->format == TRILO_FORMAT_MODEL64 && job->clips.rate > 0) {
        job->write.model64.fps = job->clips.rate; /* its frames are made at that rate, not its keys */
        job->clips.rate = 0;
    }
    if (!write->on_finding) {
        write->on_finding = opts->on_finding;
        write->on_finding_user = opts->on_finding_user;
    }
    if (!write->on_progress) {
        write->on_progress = opts->on_progress;
        write->on_progress_user = opts->on_progress_user;
    }
    job->out->result.format = write->format;
    job->out->result.exact = convert_keeps_records(job);
    job->rewrite.format_version = job->out->result.exact ? job->write.t3dm.version : 0;
    if (job->write.t3dm.version == 0 && from == TRILO_FORMAT_T3DM)
        job->write.t3dm.version = trilo_document_version(job->document);
    job->write.t3dm.allow_empty =
        opts->when_empty == TRILO_WHEN_EMPTY_ALLOW || opts->when_empty == TRILO_WHEN_EMPTY_REPORT;
    write->companion = opts->single_file ? NULL : convert_keep_companion;
    write->companion_user = job->out;
}

static void convert_begin_step(const convert_job *job, trilo_convert_step step)
{
    if (job->opts->on_step)
        job->opts->on_step(job->opts->on_step_user, step);
}

/* ---- the document ---- */

static int convert_compare_companions(const void *conversion, uint32_t a, uint32_t b)
{
    const tl_conversion *out = conversion;
    return strcmp(out->input_companions[a], out->input_companions[b]);
}

/* The companions of the document, each once. Names in a file are not to be trusted: they must not lead out of the
 * folder. Those that are copied are as they were stored, compressed or not. */
static bool convert_list_companions(convert_job *job, bool copies, trilo_error *err)
{
    tl_conversion *out = job->out;
    char name[CONVERT_NAME_ROOM];
    trilo_bytes bytes;
    tl_hash_table listed;
    if (!tl_hash_table_init(&listed, &out->arena, 0, convert_compare_companions, out))
        return tl_fail_memory(err);
    for (uint32_t i = 0; trilo_document_companion(job->document, i, name, sizeof name, &bytes); i++) {
        const uint32_t row = (uint32_t)out->input_count;
        const char **names =
            tl_array_grow(&out->arena, out->input_companions, out->input_count, &out->input_capacity, 1, sizeof *names);
        const char *copy = names ? tl_str_copy(&out->arena, name, strlen(name)).data : NULL;
        if (!copy)
            return tl_fail_memory(err);
        out->input_companions = names;
        out->input_companions[row] = copy;
        if (!trilo_file_name_is_inside(name))
            continue;
        const uint32_t first = tl_hash_table_add(&listed, trilo_fnv1a(name, strlen(name)), row);
        if (first == TRILO_NONE)
            return tl_fail_memory(err);
        if (first != row)
            continue;
        out->input_count++;
        trilo_error unread;
        if (copies && !job->rewrite.decompress &&
            !tl_companion_read(job->document, name, &out->arena, &bytes, &unread)) {
            if (err)
                *err = unread;
            return false;
        }
        if (copies && !convert_keep_companion(out, name, bytes))
            return tl_fail_memory(err);
    }
    out->companions_copied = copies;
    return true;
}

/* Of the findings about the document, only losses matter here. glTF files come from many exporters, so what they break
 * is reported too; an error that does not stop the conversion is a warning here. */
static void convert_report_loss(void *user, const trilo_finding *finding)
{
    const convert_job *job = user;
    const bool gltf = trilo_document_format(job->document) == TRILO_FORMAT_GLTF;
    trilo_finding reported = *finding;
    if (finding->kind == TRILO_FINDING_KIND_CONFORMANCE && finding->severity > TRILO_SEVERITY_WARNING)
        reported.severity = TRILO_SEVERITY_WARNING;
    if (finding->kind == TRILO_FINDING_KIND_LOSS || (gltf && finding->severity > TRILO_SEVERITY_NOTE))
        job->opts->on_finding(job->opts->on_finding_user, &reported);
}

/* An exact copy can only lose a companion file that is missing: a stream of T3DM. glTF losses are those of a
 * conversion. */
static void convert_report_missing(void *user, const trilo_finding *finding)
{
    const convert_job *job = user;
    const bool t3dm = trilo_document_format(job->document) == TRILO_FORMAT_T3DM;
    if (t3dm && finding->kind == TRILO_FINDING_KIND_LOSS)
        job->opts->on_finding(job->opts->on_finding_user, finding);
}

static bool convert_records(convert_job *job, trilo_error *err)
{
    const trilo_convert_opts *opts = job->opts;
    if (!tl_document_accept(job->document, opts->on_finding ? convert_report_missing : NULL, job, err))
        return false;
    convert_begin_step(job, TRILO_CONVERT_STEP_ENCODE);
    if (opts->optimize) {
        trilo_optimize_opts optimize = *opts->optimize;
        if (!optimize.on_finding) {
            optimize.on_finding = opts->on_finding;
            optimize.on_finding_user = opts->on_finding_user;
        }
        if (!optimize.on_progress) {
            optimize.on_progress = opts->on_progress;
            optimize.on_progress_user = opts->on_progress_user;
        }
        return trilo_document_optimize(job->document, &optimize, &job->write.all, convert_keep_bytes, job->out, err);
    }
    return trilo_document_write(job->document, &job->rewrite, convert_keep_bytes, job->out, err);
}

static bool convert_read(convert_job *job, trilo_error *err)
{
    job->model = tl_document_model(job->document, job->opts->on_finding ? convert_report_loss : NULL, job, err);
    if (!job->model || job->model->source_hash != 0 || trilo_document_format(job->document) != TRILO_FORMAT_NLM)
        return job->model != NULL;
    ((trilo_model *)(uintptr_t)job->model)->source_hash = tl_nlm_hash_find(job->document);
    return true;
}

/* ---- the model ---- */

static bool convert_take_model(convert_job *job, const trilo_model *model)
{
    if (!model)
        return false;
    trilo_model_free(job->model);
    job->model = model;
    return true;
}

static bool convert_edit(convert_job *job, trilo_error *err)
{
    const trilo_convert_opts *opts = job->opts;
    const trilo_memory *memory = &job->document->opts.memory;
    convert_begin_step(job, TRILO_CONVERT_STEP_EDIT);
    if (convert_edits(opts->edit)) {
        trilo_model_edit_opts edit = *opts->edit;
        if (!edit.on_finding) {
            edit.on_finding = opts->on_finding;
            edit.on_finding_user = opts->on_finding_user;
        }
        if (!convert_take_model(job, trilo_model_edit(job->model, &edit, memory, err)))
            return false;
    }
    if (opts->choose_clips && !opts->choose_clips(opts->choose_clips_user, job->model, &job->clips, err))
        return false;
    return !convert_edits_clips(&job->clips) ||
           convert_take_model(job, trilo_model_edit_clips(job->model, &job->clips, memory, err));
}

/* What the console will call an image: by its place in the project, or, when it is embedded, by an image of the
 * same name that is found there. False: no memory. */
static bool convert_name_sprite(convert_job *job, trilo_texture *texture)
{
    const trilo_load_opts *load = &job->document->opts;
    const bool has_path = texture->path.len > 0;
    const trilo_str name = has_path ? texture->path : texture->name;
    trilo_found_image found = {.bytes = {NULL, 0}};
    if (name.len == 0 || tl_console_path_below(texture->path.data) || (!has_path && name.data[0] == '/') ||
        !load->find_image(load->find_image_user, has_path ? TRILO_IMAGE_KEY_PATH : TRILO_IMAGE_KEY_NAME, name.data,
                          &found))
        return true;
    found.path[sizeof found.path - 1] = '\0';
    texture->path = tl_str_copy(&job->out->arena, found.path, strlen(found.path));
    if (!job->opts->sprites)
        texture->bytes = (trilo_bytes){NULL, 0};
    return texture->path.data != NULL;
}

/* The reverse: the image that a sprite was made from. */
static void convert_load_image(convert_job *job, trilo_texture *texture)
{
    const trilo_load_opts *load = &job->document->opts;
    trilo_found_image found = {.bytes = {NULL, 0}};
    uint32_t width, height;
    if (texture->bytes.size > 0 || !tl_console_path_below(texture->path.data) ||
        !load->find_image(load->find_image_user, TRILO_IMAGE_KEY_SPRITE, texture->path.data, &found))
        return;
    const trilo_image_kind kind = trilo_image_probe(found.bytes, &width, &height);
    if (kind == TRILO_IMAGE_KIND_UNKNOWN)
        return;
    texture->bytes = found.bytes;
    texture->kind = kind;
    texture->width = width;
    texture->height = height;
}

static bool convert_textures(convert_job *job, trilo_error *err)
{
    const trilo_format from = trilo_document_format(job->document), to = job->write.all.format;
    trilo_texture *textures = (trilo_texture *)(uintptr_t)job->model->textures;
    for (uint32_t i = 0; job->document->opts.find_image && i < job->model->texture_count; i++) {
        if (from == TRILO_FORMAT_GLTF && to == TRILO_FORMAT_T3DM && !convert_name_sprite(job, &textures[i]))
            return tl_fail_memory(err);
        if (to == TRILO_FORMAT_GLTF || to == TRILO_FORMAT_NLM)
            convert_load_image(job, &textures[i]);
    }
    const char *name = job->out->input ? job->out->input : job->write.all.name;
    if (to == TRILO_FORMAT_T3DM && !tl_convert_name_images(&job->out->arena, textures, job->model->texture_count, name))
        return tl_fail_memory(err);
    if (!job->opts->sprites || to != TRILO_FORMAT_T3DM || job->opts->single_file)
        return true;
    return tl_convert_sprites(job->out, job->document, job->model, &job->write, job->opts->sprites,
                              convert_keep_companion, err);
}

/* ---- visibility ---- */

/* `drawn`: the triangles, and the lines where the format has them. */
static trilo_emptiness convert_emptiness(const convert_job *job, uint64_t drawn)
{
    const trilo_when_empty when = job->opts->when_empty;
    const bool t3dm = job->write.all.format == TRILO_FORMAT_T3DM;
    const bool must_draw = when != TRILO_WHEN_EMPTY_AUTO || job->model->clip_count == 0;
    if (when == TRILO_WHEN_EMPTY_ALLOW)
        return TRILO_EMPTINESS_NONE;
    if (must_draw && drawn == 0)
        return TRILO_EMPTINESS_NO_TRIANGLES;
    if (!t3dm)
        return TRILO_EMPTINESS_NONE;
    const trilo_bounds b = trilo_model_bounds(job->model);
    const double scale = tl_t3dm_policy_of(job->model, &job->write.all).scale;
    if (!(b.min.x < b.max.x || b.min.y < b.max.y || b.min.z < b.max.z))
        return must_draw ? TRILO_EMPTINESS_POINT : TRILO_EMPTINESS_NONE;
    const bool collapses = ((double)b.max.x - b.min.x) * scale < 0.5 && ((double)b.max.y - b.min.y) * scale < 0.5 &&
                           ((double)b.max.z - b.min.z) * scale < 0.5;
    return collapses ? TRILO_EMPTINESS_SCALE : TRILO_EMPTINESS_NONE;
}

/* The scale alone breaks a rule of T3DM; the others are about the model. */
const trilo_rule *trilo_emptiness_rule(trilo_emptiness emptiness)
{
    return emptiness == TRILO_EMPTINESS_NONE    ? NULL
           : emptiness == TRILO_EMPTINESS_SCALE ? t3dm_rule(T3DM_R_LOST_POSITIONS)
                                                : &tl_general_rules[TL_MODEL_EMPTY];
}

static trilo_error convert_emptiness_error(trilo_emptiness emptiness)
{
    static const char *const texts[] = {
        [TRILO_EMPTINESS_NONE] = "",
        [TRILO_EMPTINESS_NO_TRIANGLES] = "it has no triangle to draw, and lines are in glTF and NLM only: check that "
                                         "the export includes the meshes, not only what is selected or visible",
        [TRILO_EMPTINESS_POINT] = "all its triangles are a single point: check that no object is scaled to 0",
        [TRILO_EMPTINESS_SCALE] = "at this scale the whole model is smaller than half a unit, nothing but a point "
                                  "would be left: use a larger one",
    };
    const trilo_rule *rule = trilo_emptiness_rule(emptiness);
    trilo_error err = {.code = emptiness == TRILO_EMPTINESS_SCALE ? TRILO_CODE_LIMIT : TRILO_CODE_EMPTY,
                       .rule = rule ? rule->name : "",
                       .offset = TRILO_NOWHERE};
    snprintf(err.text, sizeof err.text, "%s", texts[emptiness]);
    return err;
}

static bool convert_look_at_model(convert_job *job, trilo_error *err)
{
    const trilo_model *model = job->model;
    trilo_conversion *result = &job->out->result;
    result->mesh_count = model->mesh_count;
    result->clip_count = model->clip_count;
    uint64_t lines = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        if (model->meshes[i].topology == TRILO_TOPOLOGY_TRIANGLES)
            result->triangle_count += model->meshes[i].index_count / 3;
        else
            lines += model->meshes[i].index_count / 2;
    }
    const bool has_lines = result->format == TRILO_FORMAT_GLTF || result->format == TRILO_FORMAT_NLM;
    result->emptiness = convert_emptiness(job, result->triangle_count + (has_lines ? lines : 0));
    if (result->emptiness == TRILO_EMPTINESS_NONE || job->opts->when_empty == TRILO_WHEN_EMPTY_REPORT)
        return true;
    if (err)
        *err = convert_emptiness_error(result->emptiness);
    return false;
}

/* ---- all of it ---- */

static bool convert_encode(convert_job *job, trilo_error *err)
{
    const trilo_write_opts *write = &job->write.all;
    const trilo_emptiness emptiness = job->out->result.emptiness;
    convert_begin_step(job, TRILO_CONVERT_STEP_ENCODE);
    if (!trilo_model_write(job->model, write, convert_keep_bytes, job->out, err))
        return false;
    if (emptiness != TRILO_EMPTINESS_NONE && write->on_finding) {
        const trilo_error why = convert_emptiness_error(emptiness);
        const trilo_finding finding = {.severity = TRILO_SEVERITY_ERROR,
                                       .kind = TRILO_FINDING_KIND_LOSS,
                                       .rule = why.rule,
                                       .offset = why.offset,
                                       .path = why.path,
                                       .text = why.text};
        write->on_finding(write->on_finding_user, &finding);
    }
    const bool hashes = write->format == TRILO_FORMAT_NLM && job->write.nlm.header12 && write->name;
    return !hashes || job->opts->single_file ||
           tl_nlm_hash_add(write->name, job->model->source_hash, convert_keep_companion, job->out) ||
           tl_fail_memory(err);
}

/* The copy of a compressed document is compressed already. */
static bool convert_compress(convert_job *job, trilo_error *err)
{
    trilo_conversion *result = &job->out->result;
    const uint32_t level = job->rewrite.compress;
    result->compressed =
        level > 0 || (result->exact && !job->rewrite.decompress && job->document->compression.version > 0);
    if (level == 0 || result->exact)
        return true;
    return tl_rewrite_compress(&job->out->arena, &job->rewrite, result->bytes, &result->bytes, err);
}

static bool convert_all(convert_job *job, trilo_error *err)
{
    const trilo_convert_opts *opts = job->opts;
    const bool by_records = job->out->result.exact || opts->optimize;
    const bool copies = job->out->result.exact ||
                        (opts->optimize && !tl_optimize_needs_model(job->document, opts->optimize, &job->write.all));
    if (opts->optimize && (job->write.all.format != trilo_document_format(job->document) || convert_edits(opts->edit) ||
                           opts->choose_clips || convert_edits_clips(&job->clips)))
        return tl_fail_misuse(err, "what is optimized keeps its format and is not edited");
    convert_begin_step(job, TRILO_CONVERT_STEP_READ);
    if (!convert_list_companions(job, copies && !opts->single_file, err))
        return false;
    const bool ok = by_records ? convert_records(job, err)
                               : convert_read(job, err) && convert_edit(job, err) && convert_textures(job, err) &&
                                     convert_look_at_model(job, err) && convert_encode(job, err);
    trilo_model_free(job->model);
    return ok && convert_compress(job, err);
}

const trilo_conversion *trilo_convert(const trilo_document *document, const trilo_convert_opts *opts, trilo_error *err)
{
    trilo_convert_opts own;
    trilo_model_edit_opts edit;
    trilo_optimize_opts optimize;
    trilo_convert_sprites sprites;
    trilo_sprite_opts sprite;
    convert_job job = {.document = document, .opts = &own};
    if (!TL_OPTS_TAKE(&own, opts, err) || !TL_OPTS_TAKE(&edit, own.edit, err) ||
        !TL_OPTS_TAKE(&optimize, own.optimize, err) || !TL_OPTS_TAKE(&job.rewrite, own.rewrite, err) ||
        !TL_OPTS_TAKE(&job.clips, own.clips, err) || !tl_write_opts_take(&job.write, own.write, err) ||
        !TL_OPTS_TAKE(&sprites, own.sprites, err) || !TL_OPTS_TAKE(&sprite, sprites.sprite, err))
        return NULL;
    own.edit = &edit;
    own.optimize = own.optimize ? &optimize : NULL;
    sprites.sprite = &sprite;
    own.sprites = own.sprites ? &sprites : NULL;
    tl_arena arena;
    tl_arena_init(&arena, &document->opts.memory);
    tl_conversion *out = job.out = TL_NEW(&arena, tl_conversion);
    if (!out) {
        tl_fail_memory(err);
        return NULL;
    }
    out->arena = arena;
    const char *input = document->companions.path;
    out->input = input ? tl_str_copy(&out->arena, input, strlen(input)).data : NULL;
    bool ok = !input || out->input || tl_fail_memory(err);
    if (ok) {
        convert_prepare(&job);
        ok = convert_all(&job, err);
        if (out->arena.failed) /* which its writer may take for a write error */
            ok = tl_fail_memory(err);
    }
    if (ok)
        return &out->result;
    trilo_conversion_free(&out->result);
    return NULL;
}

void trilo_conversion_free(const trilo_conversion *conversion)
{
    if (!conversion)
        return;
    tl_arena arena = ((const tl_conversion *)(const void *)conversion)->arena; /* it also holds the struct */
    tl_arena_free(&arena);
}

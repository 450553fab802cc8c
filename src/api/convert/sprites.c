/* Sprites of a model: each image that a material shows is resized to what the material requires, encoded, and written
 * beside the model under the name that the model loads it by. First all images are prepared, then palettes are shared,
 * then all sprites are encoded.
 *
 * An N64 material says how large its textures are, and the name of an image or mksprite's rule which texels it has. For
 * a plain material the smallest format is chosen that is near enough, in the largest size that fits TMEM. */
#include "base/strict_float.h"

#include "api/convert/sprites.h"
#include "api/document.h"
#include "api/file/path.h"
#include "base/array.h"
#include "base/report.h"
#include "image/image.h"
#include "model/image_name.h"
#include "n64/console_path.h"
#include "n64/texels.h"

#include <stdio.h>
#include <string.h>

enum { SPRITES_PATH_ROOM = 2 * 192 }; /* for a folder or a path on the console, and a file name */
static const char sprites_ending[] = ".sprite";

typedef struct sprites_job {
    tl_conversion *out;
    const trilo_document *document;
    const trilo_model *model;
    const tl_write_opts *write;
    const trilo_convert_sprites *opts;
    trilo_companion_write_fn *keep;
    char folder[SPRITES_PATH_ROOM]; /* of the model on the console: "rom:/models/" */
    size_t capacity;
    struct sprites_texture *textures; /* of the model, in its order */
} sprites_job;

/* What the materials require of a texture. */
typedef struct sprites_use {
    bool shown, repeats;
    uint32_t width, height; /* of the tile of an N64 material; 0: any */
    uint32_t other;         /* the other texture of its material; TRILO_NONE: it is alone */
} sprites_use;

/* A texture on its way to a sprite. */
typedef struct sprites_texture {
    sprites_use use;
    trilo_converted_sprite made;
    trilo_str source;             /* the path of the image; "": it is embedded */
    char path[SPRITES_PATH_ROOM]; /* on the console */
    const trilo_bitmap *bitmap;   /* NULL: no sprite is made of it */
    const trilo_image *resized;   /* NULL: the bitmap has the right size */
    const trilo_palette *palette; /* shared; NULL: its own */
} sprites_texture;

static sprites_use sprites_use_of(const sprites_job *job, uint32_t texture)
{
    sprites_use use = {.other = TRILO_NONE};
    for (uint32_t i = 0; i < job->model->material_count; i++) {
        const trilo_material *material = &job->model->materials[i];
        for (int t = 0; material->n64 && t < 2; t++) {
            const trilo_n64_tile *tile = &material->n64->tiles[t];
            if (tile->texture != texture || tile->reference != 0)
                continue;
            use.shown = true;
            if ((tile->fit & TRILO_N64_FIT_SIZE) == 0) {
                use.width = tile->width;
                use.height = tile->height;
            }
            const trilo_n64_tile *other = &material->n64->tiles[1 - t];
            if (other->texture != TRILO_NONE && other->texture != texture && other->reference == 0)
                use.other = other->texture;
        }
        if (!material->n64 && material->texture == texture)
            use.shown = true;
    }
    const trilo_wrap *wrap = job->model->textures[texture].wrap;
    use.repeats = wrap[0] != TRILO_WRAP_CLAMP || wrap[1] != TRILO_WRAP_CLAMP;
    return use;
}

static void sprites_report(const sprites_job *job, uint32_t texture, const char *rule, const char *text)
{
    char path[48];
    snprintf(path, sizeof path, "textures[%u]", texture);
    const trilo_finding finding = {.severity = TRILO_SEVERITY_WARNING,
                                   .kind = TRILO_FINDING_KIND_LOSS,
                                   .rule = rule,
                                   .offset = TRILO_NOWHERE,
                                   .path = path,
                                   .text = text};
    if (job->write->all.on_finding)
        job->write->all.on_finding(job->write->all.on_finding_user, &finding);
}

/* ---- names ---- */

/* "rom:/models/wood.ci4.sprite". A path on the console stays, except that a format which was searched is added to its
 * name, where the encoder and the checks expect it. */
static bool sprites_name(const sprites_job *job, uint32_t index, trilo_texels texels, bool searched, char *out)
{
    const trilo_texture *texture = &job->model->textures[index];
    const trilo_str path = texture->path;
    const char *below = tl_console_path_below(path.data);
    const size_t length = tl_image_stem_length(path.data, path.len);
    const bool whole =
        below && *below && tl_image_name_is_plain(below, strlen(below)) && length < SPRITES_PATH_ROOM / 2;
    char stem[SPRITES_PATH_ROOM], suffix[16] = "";
    if (whole)
        snprintf(stem, sizeof stem, "%.*s", (int)length, path.data);
    else
        trilo_image_stem(path.len > 0 ? path : texture->name, job->write->all.name, index, stem);
    for (size_t i = 0; searched && i < 8 && trilo_texels_name(texels)[i]; i++) {
        const char letter = trilo_texels_name(texels)[i];
        suffix[0] = '.';
        suffix[i + 1] = (char)(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
    }
    const int size =
        snprintf(out, SPRITES_PATH_ROOM, "%s%s%s%s", whole ? "" : job->folder, stem, suffix, sprites_ending);
    return size > 0 && size < SPRITES_PATH_ROOM;
}

/* ---- images ---- */

/* The bytes of an image that is embedded, beside the document, or in the project. */
static trilo_bytes sprites_find_image(const sprites_job *job, const trilo_texture *texture)
{
    const trilo_load_opts *load = &job->document->opts;
    trilo_found_image found = {.bytes = {NULL, 0}};
    if (texture->bytes.size > 0)
        return texture->bytes;
    if (load->find_image && texture->path.len > 0 &&
        load->find_image(load->find_image_user, TRILO_IMAGE_KEY_SPRITE, texture->path.data, &found))
        return found.bytes;
    if (load->find_image && texture->name.len > 0 &&
        load->find_image(load->find_image_user, TRILO_IMAGE_KEY_NAME, texture->name.data, &found))
        return found.bytes;
    return (trilo_bytes){NULL, 0};
}

/* Format and size: those of the material, or searched for. */
static bool sprites_choose(const sprites_job *job, sprites_texture *texture, trilo_error *err)
{
    const sprites_use *use = &texture->use;
    const trilo_bitmap *bitmap = texture->bitmap;
    trilo_converted_sprite *made = &texture->made;
    trilo_sprite_opts sprite = *job->opts->sprite;
    made->texels = trilo_texels_from_path(texture->path);
    if (made->texels != TRILO_TEXELS_UNKNOWN || use->width > 0)
        made->texels = trilo_sprite_texels(bitmap, texture->path, sprite.target);
    made->width = use->width;
    made->height = use->height;
    made->within_error = true;
    if (use->width > 0 && use->height > 0)
        return true;
    const sprites_texture *other = use->other != TRILO_NONE ? &job->textures[use->other] : NULL;
    sprite.texels = made->texels;
    made->searched = made->texels == TRILO_TEXELS_UNKNOWN;
    trilo_sprite_plan plan;
    const trilo_plan_opts opts = {.memory = job->document->opts.memory,
                                  .sprite = &sprite,
                                  .max_delta_e = job->opts->max_delta_e,
                                  .other_texels = other ? other->made.texels : TRILO_TEXELS_UNKNOWN,
                                  .other_width = other ? other->made.width : 0,
                                  .other_height = other ? other->made.height : 0,
                                  .other_later = other && other->made.texels == TRILO_TEXELS_UNKNOWN,
                                  .power_of_two = use->repeats};
    if (!trilo_sprite_plan_make(bitmap, &opts, &plan, err))
        return false;
    const trilo_plan_candidate *chosen = &plan.candidates[plan.chosen];
    made->texels = chosen->texels;
    made->width = chosen->width;
    made->height = chosen->height;
    made->within_error = plan.within_error;
    return true;
}

/* ---- one texture ---- */

/* Decodes the image, chooses name, format and size, and resizes it. */
static bool sprites_prepare(sprites_job *job, uint32_t index, trilo_bytes bytes, trilo_error *err)
{
    sprites_texture *texture = &job->textures[index];
    const trilo_decode_opts decode = {
        .memory = job->document->opts.memory, .decode = job->opts->decode, .decode_user = job->opts->decode_user};
    texture->bitmap = trilo_bitmap_decode(bytes, &decode, err);
    if (!texture->bitmap)
        return false;
    const trilo_image *image = &texture->bitmap->image;
    trilo_converted_sprite *made = &texture->made;
    texture->source = job->model->textures[index].path;
    *made = (trilo_converted_sprite){.texture = index, .source_width = image->width, .source_height = image->height};
    if (!sprites_name(job, index, TRILO_TEXELS_UNKNOWN, false, texture->path) || !sprites_choose(job, texture, err) ||
        !sprites_name(job, index, made->texels, made->searched, texture->path))
        return false;
    if (made->width == image->width && made->height == image->height)
        return true;
    const trilo_resize_opts resize = {.memory = decode.memory,
                                      .width = made->width,
                                      .height = made->height,
                                      .repeat_s = texture->use.repeats,
                                      .repeat_t = texture->use.repeats};
    texture->resized = trilo_image_resize(image, &resize, err);
    return texture->resized != NULL;
}

/* True if another sprite, of another image, has the name. Images that several textures show have one path; embedded
 * ones have names of their own. */
static bool sprites_is_taken(const sprites_job *job, const sprites_texture *texture, const char *name,
                             trilo_bytes bytes)
{
    const trilo_conversion *result = &job->out->result;
    for (uint32_t i = 0; i < result->sprite_count; i++) {
        const trilo_converted_file *file = &result->companions[result->sprites[i].companion];
        const trilo_str *other = &job->textures[result->sprites[i].texture].source;
        const bool same_image =
            other->len == texture->source.len && memcmp(other->data, texture->source.data, other->len) == 0;
        const bool same_sprite =
            file->bytes.size == bytes.size && memcmp(file->bytes.data, bytes.data, bytes.size) == 0;
        if (strcmp(file->name, name) == 0 && !same_image && !same_sprite)
            return true;
    }
    return false;
}

/* Images in several folders may have one file name, but all sprites are in the folder of the model: "wall.ci4.sprite"
 * of texture 2 becomes "wall-2.ci4.sprite". */
static bool sprites_set_apart(sprites_job *job, uint32_t index, trilo_bytes bytes)
{
    sprites_texture *texture = &job->textures[index];
    char *name = texture->path + strlen(job->folder), plain[SPRITES_PATH_ROOM];
    const size_t room = sizeof texture->path - strlen(job->folder), stem = strcspn(name, ".");
    memcpy(plain, name, strlen(name) + 1);
    for (uint32_t number = index; sprites_is_taken(job, texture, name, bytes); number += job->model->texture_count)
        if ((size_t)snprintf(name, room, "%.*s-%u%s", (int)stem, plain, number, plain + stem) >= room)
            return false;
    return true;
}

static bool sprites_keep(sprites_job *job, const trilo_converted_sprite *made, const char *name, trilo_bytes bytes)
{
    tl_conversion *out = job->out;
    trilo_conversion *result = &out->result;
    trilo_converted_sprite *sprites =
        tl_array_grow(&out->arena, result->sprites, result->sprite_count, &job->capacity, 1, sizeof *sprites);
    if (!sprites)
        return false;
    result->sprites = sprites;
    sprites[result->sprite_count] = *made;
    sprites[result->sprite_count].companion = result->companion_count;
    result->sprite_count++;
    for (uint32_t i = 0; i < result->companion_count; i++)
        if (strcmp(result->companions[i].name, name) == 0) { /* an image that several textures show */
            sprites[result->sprite_count - 1].companion = i;
            return true;
        }
    return job->keep(out, name, bytes);
}

static bool sprites_make(sprites_job *job, uint32_t index, trilo_error *err)
{
    sprites_texture *texture = &job->textures[index];
    trilo_texture *named = (trilo_texture *)(uintptr_t)&job->model->textures[index];
    trilo_sprite_opts opts = *job->opts->sprite;
    const trilo_bitmap resized = {.image = texture->resized ? *texture->resized : texture->bitmap->image};
    const char *path = texture->path;
    const size_t folder = strlen(job->folder);
    if (strncmp(path, job->folder, folder) != 0 || !trilo_file_name_is_inside(path + folder)) {
        char text[208];
        snprintf(text, sizeof text, "the sprite %.100s is outside of the folder of the model and is not written", path);
        sprites_report(job, index, tl_image_rules[TL_IMAGE_R_SPRITE].name, text);
        return true;
    }
    opts.memory = job->document->opts.memory;
    opts.texels = texture->made.texels;
    opts.palette = texture->palette;
    const bool as_it_is = !texture->resized && !texture->palette; /* with the palette of the file */
    const trilo_sprite *sprite = trilo_sprite_encode(as_it_is ? texture->bitmap : &resized, &opts, err);
    if (!sprite)
        return false;
    texture->made.difference = sprite->difference;
    texture->made.color_count = sprite->color_count;
    for (uint32_t i = 0; texture->made.searched && i < job->out->result.companion_count; i++) {
        const trilo_converted_file *file = &job->out->result.companions[i];
        if (file->is_sprite && file->bytes.size == sprite->bytes.size &&
            memcmp(file->bytes.data, sprite->bytes.data, sprite->bytes.size) == 0) /* an image that is there twice */
            snprintf(texture->path + folder, sizeof texture->path - folder, "%s", file->name);
    }
    const bool ok =
        sprites_set_apart(job, index, sprite->bytes) && sprites_keep(job, &texture->made, path + folder, sprite->bytes);
    trilo_sprite_free(sprite);
    named->path = tl_str_copy(&job->out->arena, path, strlen(path));
    named->width = texture->made.width;
    named->height = texture->made.height;
    return (ok && named->path.data) || tl_fail_memory(err);
}

/* ---- all textures ---- */

/* Gives the sprites with a palette as few palettes as the largest error allows. */
static bool sprites_share_palettes(sprites_job *job, tl_arena *scratch, trilo_error *err)
{
    const uint32_t most = job->model->texture_count;
    uint32_t count = 0, *textures = TL_ARRAY(scratch, most, uint32_t);
    trilo_image *images = TL_ARRAY(scratch, most, trilo_image);
    trilo_texels *texels = TL_ARRAY(scratch, most, trilo_texels);
    trilo_shared_image *shared = TL_ARRAY(scratch, most, trilo_shared_image);
    trilo_palette *palettes = TL_ARRAY(scratch, most, trilo_palette);
    if (!textures || !images || !texels || !shared || !palettes)
        return tl_fail_memory(err);
    for (uint32_t i = 0; i < most; i++) {
        const sprites_texture *texture = &job->textures[i];
        if (!texture->bitmap)
            continue;
        textures[count] = i;
        images[count] = texture->resized ? *texture->resized : texture->bitmap->image;
        texels[count++] = texture->made.texels;
    }
    const trilo_share_opts opts = {
        .memory = job->document->opts.memory, .texels = texels, .max_delta_e = job->opts->max_delta_e};
    if (!trilo_palettes_share(images, count, &opts, shared, palettes, NULL, err))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        job->textures[textures[i]].made.shared = shared[i];
        job->textures[textures[i]].palette = shared[i].image_count > 1 ? &palettes[shared[i].palette] : NULL;
    }
    return true;
}

static void sprites_find_folder(sprites_job *job)
{
    const char *rom = job->write->t3dm.rom_path ? job->write->t3dm.rom_path : TL_CONSOLE_ROOT,
               *slash = strrchr(rom, '/');
    const size_t length = slash ? (size_t)(slash - rom) + 1 : 0;
    if (length > 0 && length < SPRITES_PATH_ROOM / 2)
        snprintf(job->folder, sizeof job->folder, "%.*s", (int)length, rom);
    else
        snprintf(job->folder, sizeof job->folder, "%s", TL_CONSOLE_ROOT);
}

/* What cannot be made is a finding; only a lack of memory ends the conversion. */
static bool sprites_go_on(sprites_job *job, uint32_t index, bool ok, const trilo_error *why, trilo_error *err)
{
    if (ok)
        return true;
    trilo_bitmap_free(job->textures[index].bitmap);
    job->textures[index].bitmap = NULL;
    if (why->code == TRILO_CODE_NO_MEMORY)
        return tl_fail_memory(err);
    sprites_report(job, index, why->rule ? why->rule : "", why->text);
    return true;
}

static bool sprites_make_all(sprites_job *job, tl_arena *scratch, trilo_error *err)
{
    const uint32_t count = job->model->texture_count;
    bool ok = true;
    for (uint32_t i = 0; ok && i < count; i++) {
        const sprites_use use = job->textures[i].use = sprites_use_of(job, i);
        const trilo_bytes bytes =
            use.shown ? sprites_find_image(job, &job->model->textures[i]) : (trilo_bytes){NULL, 0};
        trilo_error why = {.code = TRILO_CODE_OK};
        if (bytes.size > 0)
            ok = sprites_go_on(job, i, sprites_prepare(job, i, bytes, &why), &why, err);
        else if (use.shown)
            sprites_report(job, i, tl_image_rules[TL_IMAGE_R_SPRITE].name,
                           "its image was not found, so no sprite is made of it");
    }
    ok = ok && (!job->opts->share_palettes || sprites_share_palettes(job, scratch, err));
    for (uint32_t i = 0; ok && i < count; i++) {
        trilo_error why = {.code = TRILO_CODE_OK};
        if (job->textures[i].bitmap)
            ok = sprites_go_on(job, i, sprites_make(job, i, &why), &why, err);
    }
    for (uint32_t i = 0; i < count; i++) {
        trilo_bitmap_free(job->textures[i].bitmap);
        trilo_image_free(job->textures[i].resized);
    }
    return ok;
}

bool tl_convert_sprites(tl_conversion *out, const trilo_document *document, const trilo_model *model,
                        const tl_write_opts *write, const trilo_convert_sprites *opts, trilo_companion_write_fn *keep,
                        trilo_error *err)
{
    sprites_job job = {.out = out, .document = document, .model = model, .write = write, .opts = opts, .keep = keep};
    tl_arena scratch;
    if (model->texture_count == 0)
        return true;
    sprites_find_folder(&job);
    tl_arena_init(&scratch, &document->opts.memory);
    job.textures = TL_ARRAY(&scratch, model->texture_count, sprites_texture);
    const bool ok = job.textures ? sprites_make_all(&job, &scratch, err) : tl_fail_memory(err);
    tl_arena_free(&scratch);
    return ok;
}

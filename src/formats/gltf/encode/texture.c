/* Textures, their images and samplers, and all that lies beside the file.
 *
 * glTF knows PNG and JPEG: bytes of these go into the buffer (or beside the file), a path to one is written as it is.
 * A sprite of the console is neither; the material keeps its path in extras. */
#include "formats/gltf/encode/encode.h"

#include "base/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- beside the file --- */

static bool plain_in_uri(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("-_.~/", c));
}

static void put_uri(gltf_encoder *e, tl_json_writer *w, const char *path)
{
    static const char digits[] = "0123456789ABCDEF";
    tl_json_writer uri = tl_json_writer_in(e->arena);
    for (; *path; path++) {
        const uint8_t c = (uint8_t)*path;
        const char text[3] = {'%', digits[c >> 4], digits[c & 15]};
        tl_json_append(&uri, plain_in_uri(*path) ? path : text, plain_in_uri(*path) ? 1 : 3);
    }
    w->failed = w->failed || uri.failed;
    tl_json_key(w, "uri");
    tl_json_put_str(w, (trilo_str){uri.text, uri.size});
}

static void put_beside(gltf_encoder *e, const char *name, trilo_bytes bytes)
{
    gltf_companion *grown = tl_gltf_allocated(
        e, tl_array_grow(e->arena, e->beside, e->beside_count, &e->beside_capacity, 1, sizeof *e->beside));
    if (!grown)
        return;
    e->beside = grown;
    e->beside[e->beside_count++] = (gltf_companion){name, bytes};
}

/* "hero.gltf" and ".bin" are "hero.bin"; NULL: failed. */
static const char *name_beside(gltf_encoder *e, const char *ending)
{
    char name[256];
    const char *own = e->opts->name && e->opts->name[0] ? e->opts->name : "model";
    const char *dot = strrchr(own, '.');
    const int stem = (int)(dot && dot > own ? (size_t)(dot - own) : strlen(own));
    const int length = snprintf(name, sizeof name, "%.*s%s", stem, own, ending);
    if (length < 0 || (size_t)length >= sizeof name) {
        tl_gltf_encode_fail(e, &tl_general_rules[TL_FILE_WRITE], TRILO_CODE_CANT_WRITE, "the name is too long");
        return NULL;
    }
    return tl_gltf_allocated(e, (void *)(uintptr_t)tl_str_copy(e->arena, name, (size_t)length).data);
}

/* Without a place for files the text carries its buffer. */
static void put_data_uri(gltf_encoder *e, tl_json_writer *w)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char start[] = "\"data:application/octet-stream;base64,";
    tl_json_key(w, "uri");
    tl_json_append(w, start, sizeof start - 1);
    for (size_t i = 0; i < e->data.size && !w->failed; i += 3) {
        uint32_t bits = 0;
        char text[4] = "====";
        const size_t have = e->data.size - i < 3 ? e->data.size - i : 3;
        for (size_t k = 0; k < have; k++)
            bits |= (uint32_t)e->data.bytes[i + k] << (16 - 8 * k);
        for (size_t k = 0; k <= have; k++)
            text[k] = digits[bits >> (18 - 6 * k) & 63];
        tl_json_append(w, text, sizeof text);
    }
    tl_json_append(w, "\"", 1);
    w->comma = true;
}

void tl_gltf_put_buffer_uri(gltf_encoder *e, tl_json_writer *w)
{
    if (!e->opts->companion) {
        put_data_uri(e, w);
        return;
    }
    const char *name = name_beside(e, ".bin");
    if (!name)
        return;
    put_uri(e, w, name);
    put_beside(e, name, (trilo_bytes){e->data.bytes, e->data.size});
}

/* --- images --- */

static bool ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    if (length <= tail)
        return false;
    for (size_t i = 0; i < tail; i++) {
        const char c = text[length - tail + i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != ending[i])
            return false;
    }
    return true;
}

/* A relative path to a PNG or JPEG, which any program can follow. */
static bool path_is_image(trilo_str path)
{
    if (!path.data || path.len == 0 || path.data[0] == '/' || strchr(path.data, ':') || strchr(path.data, '\\'))
        return false;
    return ends_in(path.data, ".png") || ends_in(path.data, ".jpg") || ends_in(path.data, ".jpeg");
}

static void put_image_beside(gltf_encoder *e, tl_json_writer *w, trilo_bytes bytes, trilo_image_kind kind)
{
    char ending[32];
    snprintf(ending, sizeof ending, ".%" PRIu32 ".%s", e->beside_count, trilo_image_extension(kind));
    const char *name = name_beside(e, ending);
    if (!name)
        return;
    put_uri(e, w, name);
    put_beside(e, name, bytes);
}

static uint32_t store_image(gltf_encoder *e, trilo_bytes bytes)
{
    void *room = tl_gltf_room(e, bytes.size, 1);
    if (!room)
        return TRILO_NONE;
    memcpy(room, bytes.data, bytes.size);
    return tl_gltf_view_of(e, (gltf_numbers){GLTF_FOR_IMAGES, GLTF_U8, (uint32_t)bytes.size, 1});
}

static uint32_t put_image(gltf_encoder *e, const trilo_texture *texture, trilo_image_kind kind)
{
    uint32_t index = 0;
    const bool outside = e->opts->gltf.outside && e->opts->companion;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_IMAGES, &index);
    tl_gltf_put_name(w, texture->name);
    if (kind == TRILO_IMAGE_UNKNOWN)
        put_uri(e, w, texture->path.data);
    else if (outside)
        put_image_beside(e, w, texture->bytes, kind);
    else {
        tl_gltf_put_index(w, "bufferView", store_image(e, texture->bytes));
        tl_json_key(w, "mimeType");
        tl_json_put_text(w, kind == TRILO_IMAGE_PNG ? "image/png" : "image/jpeg");
    }
    tl_json_close(w, '}');
    return index;
}

/* --- textures --- */

static unsigned wrap_number(trilo_wrap wrap)
{
    return wrap == TRILO_WRAP_MIRROR ? 1 : wrap == TRILO_WRAP_CLAMP ? 2 : 0;
}

static void put_sampler(gltf_encoder *e, const trilo_texture *texture)
{
    static const uint16_t wraps[3] = {10497, 33648, 33071};
    uint32_t index = 0;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_SAMPLERS, &index);
    tl_gltf_put_index(w, "magFilter", texture->nearest ? 9728 : 9729);
    tl_gltf_put_index(w, "minFilter", texture->nearest ? 9728 : 9987);
    tl_gltf_put_index(w, "wrapS", wraps[wrap_number(texture->wrap[0])]);
    tl_gltf_put_index(w, "wrapT", wraps[wrap_number(texture->wrap[1])]);
    tl_json_close(w, '}');
}

/* There are no more than 18 kinds: each is written when it is first met. */
static uint32_t sampler_of(gltf_encoder *e, const trilo_texture *texture)
{
    const unsigned kind =
        wrap_number(texture->wrap[0]) * 6 + wrap_number(texture->wrap[1]) * 2 + (texture->nearest ? 1 : 0);
    if (e->samplers[kind] == 0) {
        put_sampler(e, texture);
        e->samplers[kind] = e->counts[GLTF_SAMPLERS];
    }
    return e->samplers[kind] - 1;
}

static bool has_picture(const trilo_texture *texture, trilo_image_kind *kind)
{
    *kind = texture->bytes.size > 0 ? trilo_image_probe(texture->bytes, NULL, NULL) : TRILO_IMAGE_UNKNOWN;
    return *kind != TRILO_IMAGE_UNKNOWN || path_is_image(texture->path);
}

static void encode_texture(gltf_encoder *e, uint32_t i)
{
    const trilo_texture *texture = &e->model->textures[i];
    trilo_image_kind kind;
    e->texture_of[i] = TRILO_NONE;
    if (!has_picture(texture, &kind))
        return;
    const uint32_t source = put_image(e, texture, kind);
    const uint32_t sampler = sampler_of(e, texture);
    tl_json_writer *w = tl_gltf_begin(e, GLTF_TEXTURES, &e->texture_of[i]);
    tl_gltf_put_name(w, texture->name);
    tl_gltf_put_index(w, "sampler", sampler);
    tl_gltf_put_index(w, "source", source);
    tl_json_close(w, '}');
}

void tl_gltf_encode_textures(gltf_encoder *e)
{
    uint32_t without = 0, first = 0;
    for (uint32_t i = e->model->texture_count; i-- > 0;)
        e->texture_of[i] = TRILO_NONE;
    for (uint32_t i = 0; i < e->model->texture_count && !e->failed; i++) {
        encode_texture(e, i);
        if (e->texture_of[i] == TRILO_NONE && without++ == 0)
            first = i;
    }
    if (without > 0) {
        const trilo_str path = e->model->textures[first].path;
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_TEXTURE), TRILO_NOWHERE,
                          "%" PRIu32 " of %" PRIu32 " textures have no PNG or JPEG to write, such as %s", without,
                          e->model->texture_count, path.data && path.len > 0 ? path.data : "one of unknown bytes");
    }
}

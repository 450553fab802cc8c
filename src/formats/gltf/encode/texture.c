/* Textures, images, samplers, and companion files.
 *
 * glTF has PNG and JPEG. Images of these kinds go into the buffer or into companion files; a path to one is written as
 * a URI. A sprite of the N64 is neither: the material keeps its path in extras. */
#include "formats/gltf/encode/encode.h"

#include "base/array.h"
#include "base/companion_name.h"

#include <inttypes.h>
#include <stdio.h>

/* --- URIs --- */

static void gltf_put_uri(gltf_encoder *e, tl_json_writer *w, const char *path)
{
    static const char digits[] = "0123456789ABCDEF";
    tl_json_writer uri = tl_json_writer_in(e->arena);
    for (; *path; path++) {
        const char c = *path;
        const bool unreserved =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-_.~/", c);
        const char escaped[3] = {'%', digits[(uint8_t)c >> 4], digits[(uint8_t)c & 15]};
        tl_json_append(&uri, unreserved ? path : escaped, unreserved ? 1 : sizeof escaped);
    }
    w->failed = w->failed || uri.failed;
    tl_json_key(w, "uri");
    tl_json_put_str(w, (trilo_str){uri.text, uri.size});
}

/* Adds a companion file and its "uri". Of a model "hero.gltf", the ending ".bin" makes "hero.bin". */
static void gltf_put_companion(gltf_encoder *e, tl_json_writer *w, const char *ending, trilo_bytes bytes)
{
    char name[TL_FILE_NAME_ROOM];
    tl_companion_name(e->opts->name && e->opts->name[0] ? e->opts->name : "model", ending, name);
    const char *kept = tl_str_copy(e->arena, name, strlen(name)).data;
    gltf_companion *grown =
        tl_array_grow(e->arena, e->companions, e->companion_count, &e->companion_capacity, 1, sizeof *e->companions);
    if (!kept || !grown) {
        e->failed = true;
        return;
    }
    gltf_put_uri(e, w, kept);
    e->companions = grown;
    e->companions[e->companion_count++] = (gltf_companion){kept, bytes};
}

/* A caller that takes no companion files gets a data URI. */
void tl_gltf_put_buffer_uri(gltf_encoder *e, tl_json_writer *w)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char start[] = "\"data:application/octet-stream;base64,";
    if (e->opts->companion) {
        gltf_put_companion(e, w, ".bin", (trilo_bytes){e->data.bytes, e->data.size});
        return;
    }
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

/* --- images --- */

/* ASCII letters of either case are equal. `ending` is in lower case. */
static bool gltf_path_ends_in(const char *text, const char *ending)
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
static bool gltf_is_image_path(trilo_str path)
{
    if (!path.data || path.len == 0 || path.data[0] == '/' || strchr(path.data, ':') || strchr(path.data, '\\'))
        return false;
    return gltf_path_ends_in(path.data, ".png") || gltf_path_ends_in(path.data, ".jpg") ||
           gltf_path_ends_in(path.data, ".jpeg");
}

static uint32_t gltf_encode_image(gltf_encoder *e, const trilo_texture *texture, trilo_image_kind kind)
{
    const trilo_bytes bytes = texture->bytes;
    uint32_t index = 0;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_IMAGES, &index);
    tl_gltf_put_name(w, texture->name);
    if (kind == TRILO_IMAGE_KIND_UNKNOWN)
        gltf_put_uri(e, w, texture->path.data);
    else if (e->opts->gltf->external_images && e->opts->companion) {
        char ending[32];
        snprintf(ending, sizeof ending, ".%" PRIu32 ".%s", e->companion_count, trilo_image_extension(kind));
        gltf_put_companion(e, w, ending, bytes);
    } else {
        void *data = tl_gltf_data_begin(e, bytes.size, 1);
        if (data)
            memcpy(data, bytes.data, bytes.size);
        const gltf_data_type type = {GLTF_USAGE_IMAGE, GLTF_U8, (uint32_t)bytes.size, 1};
        tl_gltf_put_index(w, "bufferView", tl_gltf_add_buffer_view(e, type));
        tl_json_key(w, "mimeType");
        tl_json_put_text(w, kind == TRILO_IMAGE_KIND_PNG ? "image/png" : "image/jpeg");
    }
    tl_json_close(w, '}');
    return index;
}

/* --- samplers and textures --- */

/* There are 18 combinations; each is written on first use. */
static uint32_t gltf_encode_sampler(gltf_encoder *e, const trilo_texture *texture)
{
    enum { NEAREST = 9728, LINEAR = 9729, LINEAR_MIPMAP_LINEAR = 9987 };
    static const uint16_t modes[3] = {10497, 33648, 33071}; /* REPEAT, MIRRORED_REPEAT, CLAMP_TO_EDGE */
    uint32_t wrap[2], index;
    for (int i = 0; i < 2; i++)
        wrap[i] = texture->wrap[i] == TRILO_WRAP_MIRROR ? 1 : texture->wrap[i] == TRILO_WRAP_CLAMP ? 2 : 0;
    uint32_t *known = &e->sampler_of[wrap[0] * 6 + wrap[1] * 2 + (texture->nearest ? 1 : 0)];
    if (*known > 0)
        return *known - 1;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_SAMPLERS, &index);
    tl_gltf_put_index(w, "magFilter", texture->nearest ? NEAREST : LINEAR);
    tl_gltf_put_index(w, "minFilter", texture->nearest ? NEAREST : LINEAR_MIPMAP_LINEAR);
    tl_gltf_put_index(w, "wrapS", modes[wrap[0]]);
    tl_gltf_put_index(w, "wrapT", modes[wrap[1]]);
    tl_json_close(w, '}');
    *known = index + 1;
    return index;
}

void tl_gltf_encode_textures(gltf_encoder *e)
{
    const uint32_t count = e->model->texture_count;
    uint32_t without = 0, first = 0;
    for (uint32_t i = 0; i < count; i++)
        e->texture_of[i] = TRILO_NONE;
    for (uint32_t i = 0; i < count && !e->failed; i++) {
        const trilo_texture *texture = &e->model->textures[i];
        const trilo_image_kind kind =
            texture->bytes.size > 0 ? trilo_image_probe(texture->bytes, NULL, NULL) : TRILO_IMAGE_KIND_UNKNOWN;
        if (kind == TRILO_IMAGE_KIND_UNKNOWN && !gltf_is_image_path(texture->path)) {
            first = without++ == 0 ? i : first;
            continue;
        }
        const uint32_t source = gltf_encode_image(e, texture, kind), sampler = gltf_encode_sampler(e, texture);
        tl_json_writer *w = tl_gltf_begin(e, GLTF_TEXTURES, &e->texture_of[i]);
        tl_gltf_put_name(w, texture->name);
        tl_gltf_put_index(w, "sampler", sampler);
        tl_gltf_put_index(w, "source", source);
        tl_json_close(w, '}');
    }
    if (without > 0) {
        const trilo_str path = e->model->textures[first].path;
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_TEXTURE), TRILO_NOWHERE,
                          "%" PRIu32 " of %" PRIu32 " textures have no PNG or JPEG to write, such as %s", without,
                          count, path.data && path.len > 0 ? path.data : "one of unknown bytes");
    }
}

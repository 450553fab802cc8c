/* Conformance of images: one source, the declared media type, data that is complete up to the pixels. */
#include "formats/gltf/check/check.h"

static const char gltf_png[] = "image/png", gltf_jpeg[] = "image/jpeg", gltf_webp[] = "image/webp",
                  gltf_ktx2[] = "image/ktx2";

/* The media type by the first bytes; NULL: unknown. */
static const char *gltf_media_type(trilo_bytes bytes)
{
    enum { SHORTEST = 14 };
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'}, jpeg[] = {0xFF, 0xD8, 0xFF};
    static const uint8_t ktx2[] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};
    if (bytes.size < SHORTEST)
        return NULL;
    if (memcmp(bytes.data, png, sizeof png) == 0)
        return gltf_png;
    if (memcmp(bytes.data, jpeg, sizeof jpeg) == 0)
        return gltf_jpeg;
    if (memcmp(bytes.data, "RIFF", 4) == 0 && memcmp(bytes.data + 8, "WEBPVP", 6) == 0)
        return gltf_webp;
    return memcmp(bytes.data, ktx2, sizeof ktx2) == 0 ? gltf_ktx2 : NULL;
}

/* --- data --- */

static const char gltf_image_ends[] = "ends before its pixels";

/* Goes through the chunks of a PNG to the first IDAT. */
static const char *gltf_png_problem(trilo_bytes bytes)
{
    static const struct {
        char type[5];
        uint32_t length;
    } fixed[] = {{"IHDR", 13}, {"cHRM", 32}, {"sRGB", 1}, {"pHYs", 9}, {"gAMA", 4}};
    bool header = false;
    for (size_t at = 8; bytes.size - at >= 8;) {
        const uint32_t length = tl_get_u32(bytes.data + at, TL_BIG);
        const uint8_t *type = bytes.data + at + 4;
        if (memcmp(type, "IDAT", 4) == 0)
            return header ? NULL : "has no IHDR chunk in front of its pixels";
        for (size_t i = 0; i < TL_COUNT_OF(fixed); i++)
            if (memcmp(type, fixed[i].type, 4) == 0 && length != fixed[i].length)
                return "has a chunk of the wrong length";
        header |= memcmp(type, "IHDR", 4) == 0;
        if (bytes.size - at < 12 || bytes.size - at - 12 < length)
            return gltf_image_ends;
        at += 12 + (size_t)length;
    }
    return gltf_image_ends;
}

/* Goes through the segments of a JPEG to the frame header. */
static const char *gltf_jpeg_problem(trilo_bytes bytes)
{
    for (size_t at = 1; at < bytes.size;) {
        const uint8_t marker = bytes.data[at++];
        const bool frame =
            ((marker & 0xF0) == 0xC0 && marker != 0xC4 && marker != 0xC8 && marker != 0xCC) || marker == 0xDE;
        if (marker == 1 || (marker & 0xF8) == 0xD0 || marker == 0xD8 || marker == 0xD9 || marker == 0xFF)
            continue; /* without content */
        if (bytes.size - at < 2)
            break;
        const uint32_t length = tl_get_u16(bytes.data + at, TL_BIG);
        if (length < 2)
            return "has a segment of the wrong length";
        if (bytes.size - at < length)
            break;
        if (frame && (length < 8 || (bytes.data[at + 7] != 1 && bytes.data[at + 7] != 3)))
            return "must have 1 or 3 colour channels";
        if (frame)
            return NULL;
        at += length;
    }
    return gltf_image_ends;
}

/* --- images --- */

/* A percent sign is followed by two digits, a scheme starts with a letter (RFC 3986). */
static bool gltf_is_uri_valid(trilo_str uri)
{
    const char first = uri.len > 0 ? (char)(uri.data[0] | 0x20) : 'a';
    const char *colon = memchr(uri.data, ':', uri.len), *slash = memchr(uri.data, '/', uri.len);
    if (colon && (!slash || colon < slash) && (first < 'a' || first > 'z'))
        return false;
    for (size_t i = 0; i < uri.len; i++)
        if (uri.data[i] == '%' &&
            (i + 2 >= uri.len || gltf_hex_digit(uri.data[i + 1]) < 0 || gltf_hex_digit(uri.data[i + 2]) < 0))
            return false;
    return true;
}

bool tl_gltf_declares(trilo_str uri, const char *type)
{
    const size_t length = type ? strlen(type) : 0;
    return type && uri.len > length + 5 && memcmp(uri.data + 5, type, length) == 0 &&
           strchr(";,", uri.data[5 + length]) != NULL;
}

static void gltf_conform_image(gltf_checker *c, uint32_t index, const char **type)
{
    const tl_json *json = c->file->tables[GLTF_IMAGES].items[index], *uri = tl_json_member(json, "uri");
    const tl_json *view = tl_json_member(json, "bufferView"), *mime = tl_json_member(json, "mimeType");
    const uint32_t number = tl_gltf_index(c->file, json, "bufferView", GLTF_BUFFER_VIEWS, NULL);
    const gltf_image *image = &c->file->images[index];
    *type = gltf_media_type(image->bytes);
    if (!uri == !view)
        GLTF_CONFORM(c, GLTF_R_PROPERTY, json, "an image has either a uri or a bufferView");
    if (view && !mime)
        GLTF_CONFORM(c, GLTF_R_PROPERTY, json, "an image in a bufferView needs a mimeType");
    if (number != TRILO_NONE) {
        tl_gltf_conform_view_use(c, view, number, GLTF_VIEW_IMAGE);
        if (tl_json_member(c->file->tables[GLTF_BUFFER_VIEWS].items[number], "byteStride"))
            GLTF_CONFORM(c, GLTF_R_STRIDE, view, "the bufferView of an image must not have a byteStride");
    }
    if (uri && uri->kind == TL_JSON_STRING && !tl_gltf_is_data(uri->string) && !gltf_is_uri_valid(uri->string))
        GLTF_CONFORM(c, GLTF_R_IMAGE_URI, uri, "%.80s is not a valid URI", uri->string.data);
    if (uri && tl_gltf_is_data(tl_json_string(uri)) && image->bytes.size == 0)
        GLTF_CONFORM(c, GLTF_R_IMAGE_URI, uri, "the data URI has no content, or not as base64");
    if (image->bytes.size == 0)
        return;
    if (uri && tl_gltf_is_data(tl_json_string(uri)) && !tl_gltf_declares(uri->string, *type))
        GLTF_CONFORM(c, GLTF_R_IMAGE_URI, uri, "the media type of the data URI is not that of its content");
    if (*type && mime && mime->kind == TL_JSON_STRING && !gltf_str_is(mime->string, *type))
        GLTF_CONFORM(c, GLTF_R_MIME, mime, "the mimeType is %.40s, but the content %s", mime->string.data, *type);
    const char *problem = *type == gltf_png    ? gltf_png_problem(image->bytes)
                          : *type == gltf_jpeg ? gltf_jpeg_problem(image->bytes)
                                               : NULL;
    if (problem)
        GLTF_CONFORM(c, GLTF_R_IMAGE_DATA, json, "the image %s", problem);
}

/* The core has PNG and JPEG; extensions bring others, which their textures name in the extension. */
static void gltf_conform_texture(gltf_checker *c, const tl_json *texture, const char *const *types)
{
    const uint32_t image = tl_gltf_index(c->file, texture, "source", GLTF_IMAGES, NULL);
    if (image == TRILO_NONE)
        return;
    const tl_json *mime = tl_json_member(c->file->tables[GLTF_IMAGES].items[image], "mimeType");
    const trilo_str declared = tl_json_string(mime);
    const bool good = mime ? gltf_str_is(declared, gltf_png) || gltf_str_is(declared, gltf_jpeg)
                           : !types[image] || types[image] == gltf_png || types[image] == gltf_jpeg;
    if (!good)
        GLTF_CONFORM(c, GLTF_R_MIME, tl_json_member(texture, "source"),
                     "image %u is neither PNG nor JPEG, which needs an extension", (unsigned)image);
}

void tl_gltf_conform_images(gltf_checker *c)
{
    const gltf_table *images = &c->file->tables[GLTF_IMAGES], *textures = &c->file->tables[GLTF_TEXTURES];
    const char **types = TL_ARRAY(c->scratch, images->count, const char *);
    for (uint32_t i = 0; types && i < images->count; i++) {
        gltf_enter(c, "images", i);
        gltf_conform_image(c, i, &types[i]);
        gltf_leave(c);
    }
    for (uint32_t i = 0; types && i < textures->count; i++) {
        gltf_enter(c, "textures", i);
        gltf_conform_texture(c, textures->items[i], types);
        gltf_leave(c);
    }
}

/* URIs: embedded data, or the path of a companion file. Nothing else is followed. */
#include "formats/gltf/gltf.h"

/* --- data:...;base64,... --- */

bool tl_gltf_is_data(trilo_str uri)
{
    static const char scheme[] = "data:"; /* in letters of either case (RFC 3986) */
    for (size_t i = 0; i < sizeof scheme - 1; i++)
        if (i >= uri.len || (uri.data[i] | (uri.data[i] == ':' ? 0 : 0x20)) != scheme[i])
            return false;
    return true;
}

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Four digits are three bytes; only the last four may end in one or two '='. False: not base64. */
static bool base64_decode(const char *text, size_t length, uint8_t *out, size_t size)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < length; i++) {
        const bool padding = text[i] == '=' && i >= length - 2 && text[length - 1] == '=';
        const int digit = padding ? 0 : base64_digit(text[i]);
        if (digit < 0)
            return false;
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4 != 3)
            continue;
        for (size_t k = i / 4 * 3, shift = 16; k < i / 4 * 3 + 3 && k < size; k++, shift -= 8)
            out[k] = (uint8_t)(bits >> shift);
    }
    return true;
}

trilo_bytes tl_gltf_data_uri(trilo_str uri, tl_arena *arena, const char **problem)
{
    static const char mark[] = ";base64";
    const trilo_bytes none = {NULL, 0};
    const char *comma = memchr(uri.data, ',', uri.len);
    const size_t mark_length = sizeof mark - 1;
    *problem = "a data URI must be of base64: data:application/octet-stream;base64,...";
    if (!comma || (size_t)(comma - uri.data) < mark_length || memcmp(comma - mark_length, mark, mark_length) != 0)
        return none;
    const char *text = comma + 1;
    const size_t length = uri.len - (size_t)(text - uri.data);
    *problem = "the base64 of a data URI is invalid or truncated";
    if (length % 4 != 0)
        return none;
    const size_t padding = length == 0 || text[length - 1] != '=' ? 0 : text[length - 2] == '=' ? 2 : 1;
    const size_t size = length / 4 * 3 - padding;
    uint8_t *bytes = tl_array_raw(arena, size, 1);
    if (!bytes)
        *problem = NULL;
    if (!bytes || !base64_decode(text, length, bytes, size))
        return none;
    *problem = NULL;
    return (trilo_bytes){bytes, size};
}

/* --- companion files --- */

/* Percent-decodes into `out`, which has room for all of it. Some programs write backslashes for slashes. */
static const char *gltf_uri_decode(trilo_str uri, char *out, size_t *length)
{
    for (size_t at = 0; at < uri.len; at++) {
        int byte = (unsigned char)uri.data[at];
        if (byte == '%') {
            const int high = at + 1 < uri.len ? gltf_hex_digit(uri.data[at + 1]) : -1;
            const int low = at + 2 < uri.len ? gltf_hex_digit(uri.data[at + 2]) : -1;
            if (high < 0 || low < 0)
                return "a percent sign in a URI must be followed by two hexadecimal digits";
            byte = high << 4 | low;
            at += 2;
        }
        if (byte < 0x20 || byte == 0x7F)
            return "a URI must not name control characters";
        out[(*length)++] = byte == '\\' ? '/' : (char)byte;
    }
    out[*length] = '\0';
    return NULL;
}

/* Removes empty and "." segments, in place. */
static const char *gltf_path_normalize(char *path, size_t *length)
{
    size_t used = 0;
    for (size_t at = 0; at < *length;) {
        const char *slash = memchr(path + at, '/', *length - at);
        const size_t end = slash ? (size_t)(slash - path) : *length, size = end - at;
        const char *segment = path + at;
        if (size == 2 && segment[0] == '.' && segment[1] == '.')
            return "a path with \"..\" leaves the folder of the model, which is not allowed";
        if (size > 0 && !(size == 1 && segment[0] == '.')) {
            used += used > 0;
            memmove(path + used, segment, size);
            if (used > 0)
                path[used - 1] = '/';
            used += size;
        }
        at = end + 1;
    }
    path[used] = '\0';
    *length = used;
    return used == 0 ? "a URI must name a file" : NULL;
}

trilo_str tl_gltf_relative_path(trilo_str uri, tl_arena *arena, const char **problem)
{
    static const char outside[] = "only files in the folder of the model and below are read, no other places";
    const trilo_str none = {NULL, 0};
    *problem = outside;
    for (size_t i = 0; i < uri.len && uri.data[i] != '/'; i++)
        if (uri.data[i] == ':') /* a scheme ("https:"), or a drive */
            return none;
    *problem = NULL;
    char *path = tl_array_raw(arena, uri.len + 1, 1);
    if (!path)
        return none;
    size_t length = 0;
    *problem = gltf_uri_decode(uri, path, &length);
    if (!*problem && (path[0] == '/' || memchr(path, ':', length)))
        *problem = outside;
    if (!*problem)
        *problem = gltf_path_normalize(path, &length);
    return *problem ? none : (trilo_str){path, length};
}

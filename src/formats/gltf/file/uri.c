/* URIs: bytes written into the text, or the path of a file beside. Nothing else is followed. */
#include "formats/gltf/gltf.h"

#include <string.h>

/* --- data:...;base64,... --- */

static const char data_start[] = "data:", base64_mark[] = ";base64";

bool tl_gltf_is_data(trilo_str uri)
{
    return uri.len >= sizeof data_start - 1 && memcmp(uri.data, data_start, sizeof data_start - 1) == 0;
}

static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Four digits are three bytes; only the last four may end in one or two '='. False: not like that. */
static bool decode_base64(const char *text, size_t length, uint8_t *out, size_t size)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < length; i++) {
        const bool filler = text[i] == '=' && i >= length - 2 && text[length - 1] == '=';
        const int digit = filler ? 0 : digit_of(text[i]);
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

static size_t filler_count(const char *text, size_t length)
{
    if (length == 0 || text[length - 1] != '=')
        return 0;
    return text[length - 2] == '=' ? 2 : 1;
}

trilo_bytes tl_gltf_data_uri(trilo_str uri, tl_arena *arena, const char **problem)
{
    const trilo_bytes none = {NULL, 0};
    const char *comma = memchr(uri.data, ',', uri.len);
    const size_t mark = sizeof base64_mark - 1;
    *problem = "a data URI must be of base64: data:application/octet-stream;base64,...";
    if (!comma || (size_t)(comma - uri.data) < mark || memcmp(comma - mark, base64_mark, mark) != 0)
        return none;
    const char *text = comma + 1;
    const size_t length = uri.len - (size_t)(text - uri.data);
    *problem = "the base64 of a data URI is broken: it has a wrong character or was cut short";
    if (length % 4 != 0)
        return none;
    const size_t size = length / 4 * 3 - filler_count(text, length);
    uint8_t *bytes = tl_array_raw(arena, size, 1);
    if (!bytes)
        *problem = NULL;
    if (!bytes || !decode_base64(text, length, bytes, size))
        return none;
    *problem = NULL;
    return (trilo_bytes){bytes, size};
}

/* --- a path beside the file --- */

static int hex_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* One byte of a URI that may be written as %XX; -1: a broken %XX. */
static int next_byte(trilo_str uri, size_t *at)
{
    const char c = uri.data[*at];
    if (c != '%') {
        ++*at;
        return (unsigned char)c;
    }
    const int high = *at + 1 < uri.len ? hex_of(uri.data[*at + 1]) : -1;
    const int low = *at + 2 < uri.len ? hex_of(uri.data[*at + 2]) : -1;
    *at += 3;
    return high < 0 || low < 0 ? -1 : high << 4 | low;
}

/* A colon ahead of any slash ends a scheme ("https:") or names a drive. */
static bool has_scheme(trilo_str uri)
{
    for (size_t i = 0; i < uri.len && uri.data[i] != '/'; i++)
        if (uri.data[i] == ':')
            return true;
    return false;
}

/* Decodes into `out`, which has room for all of it; backslashes are slashes, as some programs write them. */
static const char *decode_path(trilo_str uri, char *out, size_t *length)
{
    for (size_t at = 0; at < uri.len;) {
        const int byte = next_byte(uri, &at);
        if (byte < 0)
            return "a percent sign in a URI must be followed by two hexadecimal digits";
        if (byte < 0x20 || byte == 0x7F)
            return "a URI must not name control characters";
        out[(*length)++] = byte == '\\' ? '/' : (char)byte;
    }
    out[*length] = '\0';
    return NULL;
}

/* Leaves out empty and "." parts, in place. */
static const char *tidy_path(char *path, size_t *length)
{
    size_t used = 0;
    for (size_t at = 0; at < *length;) {
        const char *slash = memchr(path + at, '/', *length - at);
        const size_t end = slash ? (size_t)(slash - path) : *length, size = end - at;
        const char *part = path + at;
        if (size == 2 && part[0] == '.' && part[1] == '.')
            return "a path with \"..\" leaves the folder of the model, which is not allowed";
        if (size > 0 && !(size == 1 && part[0] == '.')) {
            used += used > 0;
            memmove(path + used, part, size);
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

trilo_str tl_gltf_relative(trilo_str uri, tl_arena *arena, const char **problem)
{
    const trilo_str none = {NULL, 0};
    *problem = "only files in the folder of the model and below are read, no other places";
    if (has_scheme(uri))
        return none;
    *problem = NULL;
    char *path = tl_array_raw(arena, uri.len + 1, 1);
    if (!path)
        return none;
    size_t length = 0;
    *problem = decode_path(uri, path, &length);
    if (!*problem && (path[0] == '/' || memchr(path, ':', length)))
        *problem = "only files in the folder of the model and below are read, no other places";
    if (!*problem)
        *problem = tidy_path(path, &length);
    return *problem ? none : (trilo_str){path, length};
}

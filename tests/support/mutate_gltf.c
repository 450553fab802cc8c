#include "support/mutate.h"

#include "base/bytes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPANS = 8192, DEPTH = 64, GLB_HEAD = 20 };

/* A value in the text. */
typedef struct json_span {
    uint32_t from;    /* its key, if it is a member of an object, otherwise the value */
    uint32_t at, end; /* the value */
    uint32_t count;   /* of elements or members */
} json_span;

typedef struct json_scan {
    const uint8_t *text;
    size_t size, at;
    json_span *spans;
    size_t count;
} json_scan;

uint32_t mutate_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

size_t mutate_splice(uint8_t *bytes, size_t size, size_t room, size_t from, size_t to, const void *with, size_t length)
{
    if (from > to || to > size || size - (to - from) + length > room)
        return 0;
    memmove(bytes + from + length, bytes + to, size - to);
    memcpy(bytes + from, with, length);
    return size - (to - from) + length;
}

/* --- where the values are --- */

static void skip_space(json_scan *s)
{
    while (s->at < s->size && strchr(" \t\r\n", s->text[s->at]) && s->text[s->at])
        s->at++;
}

static bool skip_string(json_scan *s)
{
    for (s->at++; s->at < s->size && s->text[s->at] != '"'; s->at++)
        s->at += s->text[s->at] == '\\' ? 1 : 0;
    return s->at++ < s->size;
}

/* Lenient, so that a text which was changed before can be changed again. False: it is no JSON. */
static bool scan_value(json_scan *s, size_t from, unsigned depth)
{
    skip_space(s);
    if (s->at >= s->size || s->count == SPANS || depth > DEPTH)
        return false;
    json_span *span = &s->spans[s->count++];
    const uint8_t first = s->text[s->at];
    *span = (json_span){.from = (uint32_t)(from == SIZE_MAX ? s->at : from), .at = (uint32_t)s->at};
    if (first == '"') {
        if (!skip_string(s))
            return false;
    } else if (first == '{' || first == '[') {
        s->at++;
        for (skip_space(s); s->at < s->size && s->text[s->at] != '}' && s->text[s->at] != ']'; skip_space(s)) {
            size_t key = SIZE_MAX;
            if (first == '{') {
                key = s->at;
                if (s->text[s->at] != '"' || !skip_string(s))
                    return false;
                skip_space(s);
                if (s->at >= s->size || s->text[s->at++] != ':')
                    return false;
            }
            if (!scan_value(s, key, depth + 1))
                return false;
            span->count++;
            skip_space(s);
            s->at += s->at < s->size && s->text[s->at] == ',' ? 1 : 0;
        }
        if (s->at++ >= s->size)
            return false;
    } else {
        while (s->at < s->size && s->text[s->at] && strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", s->text[s->at]))
            s->at++;
        if (s->at == span->at)
            return false;
    }
    span->end = (uint32_t)s->at;
    return true;
}

/* --- changes --- */

static size_t remove_span(uint8_t *text, size_t size, size_t room, const json_span *span)
{
    size_t from = span->from, to = span->end;
    while (to < size && text[to] <= ' ')
        to++;
    if (to < size && text[to] == ',')
        to++;
    else { /* the last one: the comma before it goes */
        to = span->end;
        while (from > 0 && text[from - 1] <= ' ')
            from--;
        from -= from > 0 && text[from - 1] == ',' ? 1 : 0;
    }
    return mutate_splice(text, size, room, from, to, "", 0);
}

/* Puts a copy of `what` behind itself, or instead of the value of `where`. */
static size_t copy_span(uint8_t *text, size_t size, size_t room, const json_span *what, const json_span *where)
{
    const size_t from = where ? what->at : what->from, length = what->end - from;
    uint8_t *copy = malloc(length + 1);
    size_t made = 0;
    if (copy) {
        copy[0] = ',';
        memcpy(copy + 1, text + from, length);
        made = where ? mutate_splice(text, size, room, where->at, where->end, copy + 1, length)
                     : mutate_splice(text, size, room, what->end, what->end, copy, length + 1);
    }
    free(copy);
    return made;
}

static size_t put_text(uint8_t *text, size_t size, size_t room, const json_span *span, const char *value)
{
    return mutate_splice(text, size, room, span->at, span->end, value, strlen(value));
}

static size_t put_number(uint8_t *text, size_t size, size_t room, const json_span *span, const json_scan *scan,
                         uint32_t *random)
{
    static const char *const numbers[] = {"-1",         "0",          "1",          "2",     "3",
                                          "255",        "256",        "65535",      "65536", "2147483647",
                                          "2147483648", "4294967295", "4294967296", "1e300", "-1e39",
                                          "1e-300",     "0.5",        "1.5",        "-0.0",  "9007199254740993",
                                          "5120",       "5121",       "5122",       "5123",  "5125",
                                          "5126",       "34962",      "34963"};
    char own[32] = "";
    memcpy(own, text + span->at, span->end - span->at < 31 ? span->end - span->at : 31);
    switch (mutate_random(random) % 4) {
    case 0: /* by one, or by a factor */
        snprintf(own, sizeof own, "%.9g",
                 mutate_random(random) % 3 == 0 ? strtod(own, NULL) * 4
                                                : strtod(own, NULL) + (mutate_random(random) % 2 ? 1 : -1));
        return put_text(text, size, room, span, strpbrk(own, "in") ? "0" : own);
    case 1: /* an index that dangles: the number of elements of some array */
        snprintf(own, sizeof own, "%u", scan->spans[mutate_random(random) % scan->count].count);
        return put_text(text, size, room, span, own);
    default:
        return put_text(text, size, room, span, numbers[mutate_random(random) % (sizeof numbers / sizeof *numbers)]);
    }
}

static size_t rename_key(uint8_t *text, size_t size, size_t room, const json_span *span, uint32_t *random)
{
    static const char *const keys[] = {"accessors",
                                       "animations",
                                       "asset",
                                       "buffers",
                                       "bufferView",
                                       "bufferViews",
                                       "byteLength",
                                       "byteOffset",
                                       "byteStride",
                                       "children",
                                       "componentType",
                                       "count",
                                       "extensions",
                                       "extras",
                                       "images",
                                       "index",
                                       "indices",
                                       "input",
                                       "interpolation",
                                       "joints",
                                       "material",
                                       "materials",
                                       "matrix",
                                       "max",
                                       "mesh",
                                       "meshes",
                                       "min",
                                       "mode",
                                       "name",
                                       "node",
                                       "nodes",
                                       "normalized",
                                       "output",
                                       "path",
                                       "primitives",
                                       "rotation",
                                       "sampler",
                                       "samplers",
                                       "scale",
                                       "scene",
                                       "scenes",
                                       "skeleton",
                                       "skin",
                                       "skins",
                                       "source",
                                       "sparse",
                                       "target",
                                       "targets",
                                       "texCoord",
                                       "textures",
                                       "translation",
                                       "type",
                                       "uri",
                                       "values",
                                       "weights",
                                       "POSITION",
                                       "NORMAL",
                                       "TANGENT",
                                       "TEXCOORD_0",
                                       "COLOR_0",
                                       "JOINTS_0",
                                       "WEIGHTS_0",
                                       "JOINTS_1",
                                       "f3d_mat",
                                       "alphaMode",
                                       "alphaCutoff",
                                       "doubleSided",
                                       "baseColorFactor",
                                       "inverseBindMatrices",
                                       "pbrMetallicRoughness",
                                       "baseColorTexture",
                                       "extensionsUsed",
                                       "extensionsRequired",
                                       "EXT_meshopt_compression",
                                       "KHR_mesh_quantization",
                                       "KHR_texture_transform",
                                       "KHR_materials_unlit"};
    char key[64];
    if (span->from == span->at)
        return 0;
    const size_t length =
        (size_t)snprintf(key, sizeof key, "\"%s\":", keys[mutate_random(random) % (sizeof keys / sizeof *keys)]);
    return mutate_splice(text, size, room, span->from, span->at, key, length);
}

/* The text starts at 0 and may have anything behind it. */
static size_t mutate_json(uint8_t *text, size_t size, size_t room, uint32_t *random)
{
    static const char *const values[] = {
        "null",     "true",     "[]",       "{}",        "\"\"",       "0",
        "[0]",      "\"x\"",    "[[]]",     "{\"a\":0}", "\"data:,\"", "\"SCALAR\"",
        "\"VEC2\"", "\"VEC3\"", "\"VEC4\"", "\"MAT4\"",  "\"STEP\"",   "\"CUBICSPLINE\"",
        "\"MASK\"", "\"BLEND\""};
    json_span *spans = calloc(SPANS, sizeof *spans);
    json_scan scan = {.text = text, .size = size, .spans = spans};
    size_t made = 0;
    if (spans && scan_value(&scan, SIZE_MAX, 0) && scan.count > 1)
        /* Some changes suit only some values. */
        for (int tries = 0; made == 0 && tries < 20; tries++) {
            const json_span *span = &spans[1 + mutate_random(random) % (scan.count - 1)];
            const json_span *other = &spans[1 + mutate_random(random) % (scan.count - 1)];
            const bool is_number = text[span->at] == '-' || (text[span->at] >= '0' && text[span->at] <= '9');
            switch (mutate_random(random) % 10) {
            case 0:
                made = remove_span(text, size, room, span);
                break;
            case 1:
                made = copy_span(text, size, room, span, NULL);
                break;
            case 2:
                made = other->end <= span->at || span->end <= other->at ? copy_span(text, size, room, span, other) : 0;
                break;
            case 3:
                made =
                    put_text(text, size, room, span, values[mutate_random(random) % (sizeof values / sizeof *values)]);
                break;
            case 4:
                made = rename_key(text, size, room, span, random);
                break;
            default:
                made = is_number ? put_number(text, size, room, span, &scan, random) : 0;
                break;
            }
        }
    free(spans);
    return made;
}

size_t mutate_gltf(uint8_t *bytes, size_t size, size_t room, uint32_t seed)
{
    uint32_t random = seed;
    if (size < GLB_HEAD || memcmp(bytes, "glTF", 4) != 0)
        return size > 0 ? mutate_json(bytes, size, room, &random) : 0;
    const uint32_t whole = tl_get_u32(bytes + 8, TL_LITTLE), length = tl_get_u32(bytes + 12, TL_LITTLE);
    if (length > size - GLB_HEAD || room - size < 4)
        return 0;
    /* The text by itself, so that the end of its chunk can be padded with spaces. */
    uint8_t *text = malloc(room + 4);
    size_t made = 0;
    if (text) {
        memcpy(text, bytes + GLB_HEAD, length);
        made = mutate_json(text, length, room, &random);
        while (made > 0 && made % 4 != 0)
            text[made++] = ' ';
        const size_t changed =
            made > 0 ? mutate_splice(bytes, size, room, GLB_HEAD, GLB_HEAD + (size_t)length, text, made) : 0;
        if (changed > 0) {
            tl_put_u32(bytes + 8, TL_LITTLE, (uint32_t)(whole + made - length));
            tl_put_u32(bytes + 12, TL_LITTLE, (uint32_t)made);
        }
        made = changed;
    }
    free(text);
    return made;
}

/* Buffer views that meshoptimizer decodes, where the library was built with it. */
#include "formats/gltf/gltf.h"

const tl_json *tl_gltf_meshopt(const tl_json *object)
{
    const tl_json *extension = tl_gltf_extension(object, "KHR_meshopt_compression");
    return extension ? extension : tl_gltf_extension(object, "EXT_meshopt_compression");
}

#ifndef TRILO_WITH_MESHOPT

bool tl_gltf_has_meshopt(void)
{
    return false;
}

trilo_bytes tl_gltf_meshopt_decode(const gltf_meshopt_view *view, tl_arena *arena, const char **problem)
{
    (void)view, (void)arena;
    *problem = "is compressed by meshoptimizer, which is not installed or not part of this build";
    return (trilo_bytes){NULL, 0};
}

#else

#include "base/meshopt_library.h"
#include "base/size.h"

/* meshoptimizer decodes to the byte order of the host. */
bool tl_gltf_has_meshopt(void)
{
    tl_meshopt_library library;
    return tl_order_is_host(TL_LITTLE) && tl_meshopt_load(&library);
}

/* What meshoptimizer requires of its arguments. The limit on the compression ratio keeps a few bytes from claiming any
 * amount of memory. */
static const char *gltf_meshopt_problem(const gltf_meshopt_view *v)
{
    enum { MAX_STRIDE = 256, MAX_RATIO = 2048 };
    const bool attributes = gltf_str_is(v->mode, "ATTRIBUTES"), triangles = gltf_str_is(v->mode, "TRIANGLES");
    if (!attributes && !triangles && !gltf_str_is(v->mode, "INDICES"))
        return "the mode of a compressed view must be ATTRIBUTES, TRIANGLES or INDICES";
    if (attributes ? v->stride == 0 || v->stride > MAX_STRIDE || v->stride % 4 != 0 : v->stride != 2 && v->stride != 4)
        return "the byteStride of a compressed view must be 4 to 256 in steps of 4, of indices 2 or 4";
    if (triangles && v->count % 3 != 0)
        return "the count of compressed triangles must be a multiple of 3";
    if (v->count / MAX_RATIO > v->bytes.size / v->stride + 1)
        return "a compressed view has too few bytes for its count";
    return NULL;
}

static const char *gltf_meshopt_filter(const tl_meshopt_library *library, const gltf_meshopt_view *v, void *bytes)
{
    if (v->filter.len == 0 || gltf_str_is(v->filter, "NONE"))
        return NULL;
    const bool attributes = gltf_str_is(v->mode, "ATTRIBUTES");
    if (attributes && gltf_str_is(v->filter, "OCTAHEDRAL") && (v->stride == 4 || v->stride == 8))
        library->meshopt_decodeFilterOct(bytes, v->count, v->stride);
    else if (attributes && gltf_str_is(v->filter, "QUATERNION") && v->stride == 8)
        library->meshopt_decodeFilterQuat(bytes, v->count, v->stride);
    else if (attributes && gltf_str_is(v->filter, "EXPONENTIAL"))
        library->meshopt_decodeFilterExp(bytes, v->count, v->stride);
    else if (attributes && gltf_str_is(v->filter, "COLOR") && (v->stride == 4 || v->stride == 8))
        tl_gltf_meshopt_decode_color(bytes, v->count, v->stride);
    else
        return "the filter of a compressed view is none that its mode and byteStride allow";
    return NULL;
}

trilo_bytes tl_gltf_meshopt_decode(const gltf_meshopt_view *v, tl_arena *arena, const char **problem)
{
    const trilo_bytes none = {NULL, 0};
    tl_meshopt_library library;
    *problem = gltf_meshopt_problem(v);
    if (!*problem && !tl_meshopt_load(&library))
        *problem = "is compressed by meshoptimizer, which is not installed or not part of this build";
    if (*problem)
        return none;
    void *out = tl_array(arena, v->count, v->stride);
    if (!out)
        return none;
    const bool attributes = gltf_str_is(v->mode, "ATTRIBUTES");
    const bool version1 = attributes && v->bytes.size > 0 && v->bytes.data[0] == 0xA1;
    const int failed =
        version1     ? !tl_gltf_meshopt_decode_v1(out, v->count, v->stride, v->bytes)
        : attributes ? library.meshopt_decodeVertexBuffer(out, v->count, v->stride, v->bytes.data, v->bytes.size)
        : gltf_str_is(v->mode, "TRIANGLES")
            ? library.meshopt_decodeIndexBuffer(out, v->count, v->stride, v->bytes.data, v->bytes.size)
            : library.meshopt_decodeIndexSequence(out, v->count, v->stride, v->bytes.data, v->bytes.size);
    *problem = failed ? "its compressed bytes are damaged" : gltf_meshopt_filter(&library, v, out);
    return *problem ? none : (trilo_bytes){out, (size_t)v->count * v->stride};
}

#endif

/* EXT_meshopt_compression, through the library meshoptimizer where that is there. */
#include "formats/gltf/gltf.h"

#ifndef TRILO_WITH_MESHOPT

bool tl_gltf_has_meshopt(void)
{
    return false;
}

trilo_bytes tl_gltf_unpack(const gltf_packed *packed, tl_arena *arena, const char **problem)
{
    (void)packed, (void)arena;
    *problem = "is compressed by meshoptimizer, which this Trilobite was built without";
    return (trilo_bytes){NULL, 0};
}

#else

#include "base/size.h"
#include <meshoptimizer.h>
#include <string.h>

/* The library gives numbers in the machine's own order. */
bool tl_gltf_has_meshopt(void)
{
    return tl_order_is_host(TL_LITTLE);
}

static bool is(trilo_str text, const char *name)
{
    return text.len == strlen(name) && memcmp(text.data, name, text.len) == 0;
}

/* What the library takes for granted. */
static const char *look_at(const gltf_packed *p)
{
    enum { STRIDE_MOST = 256, GAIN_MOST = 2048 };
    const bool vertices = is(p->mode, "ATTRIBUTES"), triangles = is(p->mode, "TRIANGLES");
    if (!vertices && !triangles && !is(p->mode, "INDICES"))
        return "the mode of a compressed view must be ATTRIBUTES, TRIANGLES or INDICES";
    if (vertices ? p->stride == 0 || p->stride > STRIDE_MOST || p->stride % 4 != 0 : p->stride != 2 && p->stride != 4)
        return "the byteStride of a compressed view must be 4 to 256 in steps of 4, of indices 2 or 4";
    if (triangles && p->count % 3 != 0)
        return "the count of compressed triangles must be a multiple of 3";
    /* a few bytes would claim any amount of memory; no true file is packed this tightly */
    if (p->count / GAIN_MOST > p->bytes.size / p->stride + 1)
        return "a compressed view has too few bytes for its count";
    return NULL;
}

static int decode(const gltf_packed *p, void *out)
{
    if (is(p->mode, "ATTRIBUTES"))
        return meshopt_decodeVertexBuffer(out, p->count, p->stride, p->bytes.data, p->bytes.size);
    if (is(p->mode, "TRIANGLES"))
        return meshopt_decodeIndexBuffer(out, p->count, p->stride, p->bytes.data, p->bytes.size);
    return meshopt_decodeIndexSequence(out, p->count, p->stride, p->bytes.data, p->bytes.size);
}

static const char *filter(const gltf_packed *p, void *bytes)
{
    if (p->filter.len == 0 || is(p->filter, "NONE"))
        return NULL;
    const bool vertices = is(p->mode, "ATTRIBUTES");
    if (vertices && is(p->filter, "OCTAHEDRAL") && (p->stride == 4 || p->stride == 8))
        meshopt_decodeFilterOct(bytes, p->count, p->stride);
    else if (vertices && is(p->filter, "QUATERNION") && p->stride == 8)
        meshopt_decodeFilterQuat(bytes, p->count, p->stride);
    else if (vertices && is(p->filter, "EXPONENTIAL"))
        meshopt_decodeFilterExp(bytes, p->count, p->stride);
    else
        return "the filter of a compressed view is none that its mode and byteStride allow";
    return NULL;
}

trilo_bytes tl_gltf_unpack(const gltf_packed *p, tl_arena *arena, const char **problem)
{
    const trilo_bytes none = {NULL, 0};
    *problem = look_at(p);
    if (*problem)
        return none;
    void *out = tl_array(arena, p->count, p->stride);
    if (!out)
        return none;
    *problem = decode(p, out) == 0 ? filter(p, out) : "its compressed bytes are damaged";
    return *problem ? none : (trilo_bytes){out, (size_t)p->count * p->stride};
}

#endif

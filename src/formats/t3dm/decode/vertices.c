#include "formats/t3dm/decode/vertices.h"
#include "base/strict_float.h"

#include "base/float4.h"
#include <math.h>
#include <string.h>

static bool t3dm_is_power_of_2(double units)
{
    int exponent;
    return frexp(units, &exponent) == 0.5 && exponent > 0 && exponent < 32;
}

t3dm_uv_scales tl_t3dm_uv_scales(const t3dm_uv_units *units)
{
    const bool few_bits = fabs(units->shift) < 64 && units->shift * 4 == floor(units->shift * 4);
    return (t3dm_uv_scales){units->u, units->v, units->shift,
                            few_bits && t3dm_is_power_of_2(units->u) && t3dm_is_power_of_2(units->v)};
}

/* Components of a normal are moved to the top of 16 bits each: as fractions of 2^15 they are those of 2^4 and 2^5. */
void tl_t3dm_unpack_from(uint32_t first, const t3dm_mesh_vertex *vertices, uint32_t count, const t3dm_uv_scales *uv,
                         const t3dm_vertex_arrays *to)
{
    const bool exact = uv->exact;
    const tl_float4 shift = tl_float4_all((float)uv->shift), fraction = tl_float4_all(1.0f / (1 << 15)),
                    inverse = tl_float4_load((const float[4]){0, 0, (float)(1 / uv->u), (float)(1 / uv->v)});
    for (uint32_t i = first; i < count; i++) {
        const uint64_t first_word = tl_get_u64be((const uint8_t *)&vertices[i].words[0]),
                       second_word = tl_get_u64be((const uint8_t *)&vertices[i].words[1]);
        const uint64_t normal = (first_word & 0xF800) << 48 | (first_word & 0x07E0) << 37 | (first_word & 0x001F) << 27;
        float position[4], direction[4], st[4]; /* and what else is in these words */
        tl_float4_store(position, tl_float4_from_shorts(first_word));
        memcpy(to->positions[i], position, sizeof to->positions[i]);
        tl_float4_store(direction, tl_float4_mul(tl_float4_from_shorts(normal), fraction));
        memcpy(to->normals[i], direction, sizeof to->normals[i]);
        tl_float4_store(to->colors[i],
                        tl_float4_div(tl_float4_from_word((uint32_t)(second_word >> 32)), tl_float4_all(255)));
        if (exact) {
            tl_float4_store(st, tl_float4_mul(tl_float4_add(tl_float4_from_shorts(second_word), shift), inverse));
            memcpy(to->uvs[i], st + 2, sizeof to->uvs[i]);
        } else {
            to->uvs[i][0] = (float)(((int16_t)(second_word >> 16) + uv->shift) / uv->u);
            to->uvs[i][1] = (float)(((int16_t)second_word + uv->shift) / uv->v);
        }
    }
}

void tl_t3dm_unpack_vertices(const t3dm_mesh_vertex *vertices, uint32_t count, const t3dm_uv_scales *uv,
                             const t3dm_vertex_arrays *to)
{
    uint32_t done = 0;
#if TL_AVX2
    if (tl_has_avx2())
        done = tl_t3dm_unpack_avx2(vertices, count, uv, to);
#endif
    tl_t3dm_unpack_from(done, vertices, count, uv, to);
}

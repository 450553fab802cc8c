/* vector_any.h: names for vectors of either width, for files X.inc that are compiled for both (base/avx2.h). X.c
 * defines TL_VECTOR(type, name) as type##name, for the vectors of vector.h; X_avx2.c as type##x2##name, for two of them
 * side by side (vector_x2.h). TL_LANES is how many numbers of 32 bits one has: 4 or 8. */
#ifndef TL_RASTER_VECTOR_ANY_H
#define TL_RASTER_VECTOR_ANY_H

#include "raster/vector_x2.h"

#define tl_ints    TL_VECTOR(tl_int4, )
#define tl_uints   TL_VECTOR(tl_uint4, )
#define tl_shorts  TL_VECTOR(tl_short8, )
#define tl_ushorts TL_VECTOR(tl_ushort8, )
#define tl_chars   TL_VECTOR(tl_char16, )
#define tl_uchars  TL_VECTOR(tl_uchar16, )
#define tl_reals   TL_VECTOR(tl_real4, )

#define TL_SHUFFLE4S(...) TL_VECTOR(TL_SHUFFLE4, )(__VA_ARGS__)
#define TL_SHUFFLE8S(...) TL_VECTOR(TL_SHUFFLE8, )(__VA_ARGS__)

#define tl_ints_load             TL_VECTOR(tl_int4, _load)
#define tl_ints_store            TL_VECTOR(tl_int4, _store)
#define tl_shorts_load           TL_VECTOR(tl_short8, _load)
#define tl_shorts_store          TL_VECTOR(tl_short8, _store)
#define tl_uints_load            TL_VECTOR(tl_uint4, _load)
#define tl_uints_store           TL_VECTOR(tl_uint4, _store)
#define tl_ints_of               TL_VECTOR(tl_int4, _of)
#define tl_ints_load_masked      TL_VECTOR(tl_int4, _load_masked)
#define tl_ints_store_masked     TL_VECTOR(tl_int4, _store_masked)
#define tl_shorts_of             TL_VECTOR(tl_short8, _of)
#define tl_ints_of_bytes         TL_VECTOR(tl_int4, _of_bytes)
#define tl_ints_store_each       TL_VECTOR(tl_int4, _store_each)
#define tl_shorts_store_each     TL_VECTOR(tl_short8, _store_each)
#define tl_ints_store_bytes_each TL_VECTOR(tl_int4, _store_bytes_each)
#define tl_ints_pair             TL_VECTOR(tl_int4, _pair)
#define tl_ints_count            TL_VECTOR(tl_int4, _count)
#define tl_uints_steps           TL_VECTOR(tl_uint4, _steps)
#define tl_ints_repeat           TL_VECTOR(tl_int4, _repeat)
#define tl_uints_repeat          TL_VECTOR(tl_uint4, _repeat)
#define tl_shorts_repeat         TL_VECTOR(tl_short8, _repeat)
#define tl_ushorts_repeat        TL_VECTOR(tl_ushort8, _repeat)

#define tl_ints_any  TL_VECTOR(tl_int4, _any)
#define tl_ints_bits TL_VECTOR(tl_int4, _bits)

#define tl_ints_narrow         TL_VECTOR(tl_int4, _narrow)
#define tl_shorts_narrow       TL_VECTOR(tl_short8, _narrow)
#define tl_shorts_repeat_bytes TL_VECTOR(tl_short8, _repeat_bytes)
#define tl_uchars_widen        TL_VECTOR(tl_uchar16, _widen)
#define tl_uchars_widen_last   TL_VECTOR(tl_uchar16, _widen_last)
#define tl_uchars_transpose    TL_VECTOR(tl_uchar16, _transpose)
#define tl_ints_beside         TL_VECTOR(tl_int4, _beside)
#define tl_ints_float_bits     TL_VECTOR(tl_int4, _float_bits)
#define tl_ints_of_float_bits  TL_VECTOR(tl_int4, _of_float_bits)
#define tl_ints_reals          TL_VECTOR(tl_int4, _reals)
#define tl_reals_floor         TL_VECTOR(tl_real4, _floor)

#define tl_ints_without           TL_VECTOR(tl_int4, _without)
#define tl_ints_choose            TL_VECTOR(tl_int4, _choose)
#define tl_ints_least             TL_VECTOR(tl_int4, _least)
#define tl_ints_shift_right       TL_VECTOR(tl_int4, _shift_right)
#define tl_shorts_least           TL_VECTOR(tl_short8, _least)
#define tl_shorts_most            TL_VECTOR(tl_short8, _most)
#define tl_shorts_dot             TL_VECTOR(tl_short8, _dot)
#define tl_shorts_scale           TL_VECTOR(tl_short8, _scale)
#define tl_shorts_last_of_four    TL_VECTOR(tl_short8, _last_of_four)
#define tl_ushorts_multiply_upper TL_VECTOR(tl_ushort8, _multiply_upper)
#define tl_ushorts_excess         TL_VECTOR(tl_ushort8, _excess)
#define tl_uchars_add             TL_VECTOR(tl_uchar16, _add)

#define tl_ints_load_at(table, indices)      TL_VECTOR(tl_int4, _load_at)(table, (tl_uints)(indices))
#define tl_ints_gather(table, indices, step) TL_VECTOR(tl_int4, _gather)(table, (tl_uints)(indices), step)

#endif

/* layout_avx2.h: loads records with the instructions of AVX2. */
#ifndef TL_LAYOUT_LAYOUT_AVX2_H
#define TL_LAYOUT_LAYOUT_AVX2_H

#include "base/avx2.h"
#include "layout/layout.h"

#if TL_AVX2
/* As tl_records_load, for records of 16 to 32 bytes that are like their structs apart from the order of bytes; false
 * for others, of which nothing is loaded. */
bool tl_records_load_avx2(const tl_records *records, void *hosts, size_t host_size);
#endif

#endif

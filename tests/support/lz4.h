#ifndef TEST_SUPPORT_LZ4_H
#define TEST_SUPPORT_LZ4_H

#include <stdbool.h>

/* Whether this build can compress. */
bool has_lz4(void);

#endif

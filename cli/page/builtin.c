/* cmake/embed.cmake writes page_builtin.inc; see CMakeLists.txt. */
#include "page/page.h"

#ifdef TRILO_WITH_PAGE
static const unsigned char builtin[] = {
#include "page_builtin.inc"
};

trilo_bytes page_builtin(void)
{
    return (trilo_bytes){builtin, sizeof builtin};
}
#else
trilo_bytes page_builtin(void)
{
    return (trilo_bytes){NULL, 0};
}
#endif

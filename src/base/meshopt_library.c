#ifdef TRILO_WITH_MESHOPT
#include "base/meshopt_library.h"

#include "base/shared_library.h"

bool tl_meshopt_load(tl_meshopt_library *library)
{
#define TL_MESHOPT_NAME(name) #name,
    static const char *const names[] = {TL_MESHOPT_FUNCTIONS(TL_MESHOPT_NAME)};
#undef TL_MESHOPT_NAME
    return tl_shared_library_load(TRILO_MESHOPT_FILE, names, sizeof names / sizeof *names, library);
}
#else
typedef int tl_no_meshopt_library; /* a file must declare something */
#endif

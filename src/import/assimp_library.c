#ifdef TRILO_WITH_ASSIMP
#include "import/assimp_library.h"

#include "base/shared_library.h"

bool tl_assimp_load(tl_assimp_library *library)
{
#define TL_ASSIMP_NAME(name) #name,
    static const char *const names[] = {TL_ASSIMP_FUNCTIONS(TL_ASSIMP_NAME)};
#undef TL_ASSIMP_NAME
    return tl_shared_library_load(TRILO_ASSIMP_FILE, names, sizeof names / sizeof *names, library);
}
#else
typedef int tl_no_assimp_library; /* a file must declare something */
#endif

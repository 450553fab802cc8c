#ifdef TRILO_WITH_ASSIMP
#include "import/assimp_library.h"

#include <dlfcn.h>
#include <string.h>

bool tl_assimp_load(tl_assimp_library *library)
{
    void *handle = dlopen(TRILO_ASSIMP_FILE, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    bool found = handle != NULL;
#define TL_ASSIMP_FIND(name)                                                                                           \
    if (found) {                                                                                                       \
        void *const symbol = dlsym(handle, #name);                                                                     \
        memcpy(&library->name, &symbol, sizeof library->name); /* C has no cast from data to functions */              \
        found = symbol != NULL;                                                                                        \
    }
    TL_ASSIMP_FUNCTIONS(TL_ASSIMP_FIND)
#undef TL_ASSIMP_FIND
    if (handle)
        dlclose(handle);
    return found;
}
#else
typedef int tl_no_assimp_library; /* a file must declare something */
#endif

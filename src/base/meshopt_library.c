#ifdef TRILO_WITH_MESHOPT
#include "base/meshopt_library.h"

#include <dlfcn.h>
#include <string.h>

bool tl_meshopt_load(tl_meshopt_library *library)
{
    void *handle = dlopen(TRILO_MESHOPT_FILE, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    bool found = handle != NULL;
#define TL_MESHOPT_FIND(name)                                                                                          \
    if (found) {                                                                                                       \
        void *const symbol = dlsym(handle, #name);                                                                     \
        memcpy(&library->name, &symbol, sizeof library->name); /* C has no cast from data to functions */              \
        found = symbol != NULL;                                                                                        \
    }
    TL_MESHOPT_FUNCTIONS(TL_MESHOPT_FIND)
#undef TL_MESHOPT_FIND
    if (handle)
        dlclose(handle);
    return found;
}
#else
typedef int tl_no_meshopt_library; /* a file must declare something */
#endif

#ifdef TRILO_WITH_MICROHTTPD
#include "view/microhttpd_library.h"

#include <dlfcn.h>
#include <string.h>

bool microhttpd_load(microhttpd_library *library)
{
    void *handle = dlopen(TRILO_MICROHTTPD_FILE, RTLD_NOW | RTLD_LOCAL);
    bool found = handle != NULL;
#define MICROHTTPD_FIND(name)                                                                                          \
    if (found) {                                                                                                       \
        void *const symbol = dlsym(handle, #name);                                                                     \
        memcpy(&library->name, &symbol, sizeof library->name); /* C has no cast from data to functions */              \
        found = symbol != NULL;                                                                                        \
    }
    MICROHTTPD_FUNCTIONS(MICROHTTPD_FIND)
#undef MICROHTTPD_FIND
    return found;
}
#else
typedef int microhttpd_is_not_there; /* a source file must not be empty */
#endif

/* shared_library.h: functions of a library that is loaded when something needs it, and need not be installed.
 *
 * In a header, so that only programs that load libraries need dlopen: static ones cannot. */
#ifndef TL_BASE_SHARED_LIBRARY_H
#define TL_BASE_SHARED_LIBRARY_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* functions is a struct of pointers to functions, in the order of their names. False: the library is not installed, or
 * lacks one of them. It stays loaded, so the second time costs little. */
static inline bool tl_shared_library_load(const char *file, const char *const names[], size_t count, void *functions)
{
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle)
        return false;
    size_t found = 0;
    for (; found < count; found++) {
        void *const symbol = dlsym(handle, names[found]);
        if (!symbol)
            break;
        /* C has no cast from data to functions. */
        memcpy((char *)functions + found * sizeof symbol, &symbol, sizeof symbol);
    }
    dlclose(handle);
    return found == count;
}

#endif

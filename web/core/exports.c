/* exports.c: memory and command lines. */
#include "session.h"

#include <stdlib.h>

int trilobite_main(int argc, char **argv);
int mascot_main(int argc, char **argv);

WEB_EXPORT("memory_allocate") void *memory_allocate(size_t size);
WEB_EXPORT("memory_release") void memory_release(void *block);
WEB_EXPORT("run") int run(int argc, char **argv);
WEB_EXPORT("make_mascot") int make_mascot(int argc, char **argv);

void *memory_allocate(size_t size)
{
    return malloc(size);
}

void memory_release(void *block)
{
    free(block);
}

/* A command line of the program. Returns its exit code. */
int run(int argc, char **argv)
{
    return trilobite_main(argc, argv);
}

/* The sample model: trilobite-mascot OUT. */
int make_mascot(int argc, char **argv)
{
    return mascot_main(argc, argv);
}

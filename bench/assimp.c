#include "assimp.h"

#ifdef BENCH_WITH_ASSIMP

#include <assimp/cimport.h>
#include <assimp/scene.h>

static bool let_go(const struct aiScene *scene)
{
    const bool ok = scene && scene->mNumMeshes > 0;
    aiReleaseImport(scene);
    return ok;
}

bool assimp_there(void)
{
    return true;
}

bool assimp_load_file(const char *path)
{
    return let_go(aiImportFile(path, 0));
}

bool assimp_load(const void *bytes, size_t size)
{
    return let_go(aiImportFileFromMemory(bytes, (unsigned)size, 0, "glb"));
}

#else

bool assimp_there(void)
{
    return false;
}

bool assimp_load_file(const char *path)
{
    (void)path;
    return false;
}

bool assimp_load(const void *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    return false;
}

#endif

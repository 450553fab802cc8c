#include "tinygltf.h"

#include <cstring>
#include <tiny_gltf.h>

static bool keep_encoded(tinygltf::Image *, const int, std::string *, std::string *, int, int, const unsigned char *, int,
                         void *)
{
    return true;
}

bool tinygltf_there(void)
{
    return true;
}

bool tinygltf_load_file(const char *path)
{
    tinygltf::TinyGLTF loader;
    tinygltf::Model model;
    std::string error, warning;
    const char *dot = std::strrchr(path, '.');
    loader.SetImageLoader(keep_encoded, nullptr);
    return dot && !std::strcmp(dot, ".glb") ? loader.LoadBinaryFromFile(&model, &error, &warning, path)
                                            : loader.LoadASCIIFromFile(&model, &error, &warning, path);
}

/* An editor that imports glTF by itself: what it has in memory goes in, what it stores comes out, and nothing touches
 * the disk in between. It knows its images by numbers and has materials of its own, so it answers three questions:
 * which image is meant, which size a texture has, and what the bytes of a material are.
 *
 *     editor hero.glb [IMAGE.png...] > hero.t3dm
 */
#include <trilobite/trilobite.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>

namespace {

using file_bytes = std::vector<std::uint8_t>;

struct asset {
    std::uint32_t number;
    file_bytes bytes;
};

struct project {
    std::map<std::string, asset> images; /* by name */
};

file_bytes read_file(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string last_part(const std::string &path)
{
    return path.substr(path.find_last_of('/') + 1);
}

/* A material of the model names "wall.png". */
bool find_image(void *user, trilo_image_key, const char *name, trilo_found_image *found)
{
    const auto &images = static_cast<const project *>(user)->images;
    const auto image = images.find(last_part(name));
    if (image == images.end())
        return false;
    const std::string stem = image->first.substr(0, image->first.find_last_of('.'));
    found->bytes = {image->second.bytes.data(), image->second.bytes.size()};
    std::snprintf(found->path, sizeof found->path, "rom:/%s.sprite", stem.c_str());
    return true;
}

/* The number that the engine knows "rom:/wall.sprite" by. */
std::uint32_t asset_number(void *user, const char *path)
{
    const std::string name = last_part(path), stem = name.substr(0, name.find_last_of('.'));
    for (const auto &[image, asset] : static_cast<const project *>(user)->images)
        if (image.substr(0, image.find_last_of('.')) == stem)
            return asset.number;
    return TRILO_NONE;
}

/* Textures of this editor are scaled to 32 x 32 for the preview, whatever the material says. */
bool material_uvs(void *, const trilo_model *, std::uint32_t, trilo_material_uvs *uvs)
{
    *uvs = {32, 32, true};
    return true;
}

/* The first material belongs to the editor: Trilobite stores its bytes and does not look at them. */
bool material_raw(void *, const trilo_model *, std::uint32_t material, trilo_bytes *raw)
{
    static const std::uint8_t own[] = {0, 0, 0, 0, 0, 0, 0, 0};
    *raw = {own, sizeof own};
    return material == 0;
}

} // namespace

int main(int argc, char **argv)
{
    project assets;
    if (argc < 2) {
        std::fprintf(stderr, "usage: editor hero.glb [IMAGE.png...] > hero.t3dm\n");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        assets.images[last_part(argv[i])] = {static_cast<std::uint32_t>(i - 2), read_file(argv[i])};

    const file_bytes source = read_file(argv[1]);
    auto report = [](const trilo_finding &f) {
        std::fprintf(stderr, "%s %s: %s: %s\n", trilo_severity_name(f.severity), f.rule, f.path, f.text);
    };
    trilo_load_opts load = {};
    load.name = argv[1];
    load.find_image = find_image;
    load.find_image_user = &assets;
    const auto document = trilobite::document::open({source.data(), source.size()}, load);
    if (!document) {
        std::fprintf(stderr, "%s: %s\n", argv[1], document.error().text);
        return 1;
    }

    static const std::uint8_t note[] = {'e', 'd', 'i', 't'};
    trilo_chunk chunk = {};
    chunk.type = 'x';
    chunk.bytes = {note, sizeof note};
    trilo_t3dm_write_opts t3dm = {};
    t3dm.materials = TRILO_T3DM_MATERIALS_PYRITE64;
    t3dm.asset_number = asset_number;
    t3dm.asset_number_user = &assets;
    t3dm.material_uvs = material_uvs;
    t3dm.material_raw = material_raw;
    t3dm.chunk_count = 1;
    t3dm.chunks = &chunk;
    trilo_write_opts write = {};
    write.format = TRILO_FORMAT_T3DM;
    write.name = "hero.t3dm";
    write.t3dm = &t3dm;
    trilo_convert_opts opts = {};
    opts.write = &write;
    trilobite::on_finding(opts, report);
    const auto converted = document->convert(opts);
    if (!converted) {
        std::fprintf(stderr, "%s: %s\n", argv[1], converted.error().text);
        return 1;
    }
    for (const trilo_converted_file &file : converted->companions())
        std::fprintf(stderr, "%s: %zu bytes\n", file.name, file.bytes.size);
    const auto file = converted->file();
    return std::fwrite(file.data(), 1, file.size(), stdout) == file.size() ? 0 : 1;
}

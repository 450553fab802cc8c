/* What trilobite.hpp promises: run with a model, a folder to write to, and a file that is broken. */
#include <trilobite/trilobite.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                       \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)

namespace tl = trilobite;

/* Handles move, and do not copy. */
static_assert(std::is_move_constructible_v<tl::model> && !std::is_copy_constructible_v<tl::model>);
static_assert(std::is_move_assignable_v<tl::document> && !std::is_copy_assignable_v<tl::document>);

static std::vector<std::uint8_t> read_file(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

static void test_models(const std::string &path)
{
    auto loaded = tl::model::load_file(path);
    CHECK(loaded);
    CHECK(loaded->meshes().size() == 2 && loaded->clips().size() == 1);
    const trilo_mesh &mesh = loaded->meshes()[0];
    CHECK(tl::positions(mesh).size() == mesh.vertex_count && tl::indices(mesh).size() == mesh.index_count);
    CHECK(tl::colors(mesh).empty() == (mesh.colors == nullptr));
    std::uint32_t most = 0;
    for (const std::uint32_t index : tl::indices(mesh))
        most = index > most ? index : most;
    CHECK(most + 1 == mesh.vertex_count);
    float low = 1e9f;
    for (const auto &position : tl::positions(mesh))
        low = position[1] < low ? position[1] : low;
    CHECK(low >= loaded->bounds().min.y);

    const auto bytes = read_file(path);
    auto same = tl::model::load({bytes.data(), bytes.size()});
    CHECK(same && same->meshes().size() == 2);
    tl::model moved = *std::move(same);
    CHECK(moved.get() && !same->get());
    CHECK(moved.find_clip("0") == 0 && moved.find_clip("no such clip") == TRILO_NONE);
}

static void test_errors(const std::string &broken)
{
    const auto document = tl::document::open_file(broken);
    CHECK(!document);
    CHECK(document.error().code == TRILO_CODE_TRUNCATED);
    CHECK(std::string_view(document.error().rule) == "GLTF-TRUNCATED");
    CHECK(tl::model::load_file("no such file").error().code == TRILO_CODE_CANT_READ);
    CHECK(!tl::image::decode({}));
    CHECK(tl::bundle::open(broken)->get()->error.code == TRILO_CODE_TRUNCATED);
}

static void test_conversions(const std::string &path, const std::string &folder)
{
    const auto document = tl::document::open_file(path);
    CHECK(document && document->format() == TRILO_FORMAT_GLTF);
    CHECK(document->findings().empty());
    std::vector<tl::finding> lost;
    auto keep = [&](const trilo_finding &f) { lost.emplace_back(f); };
    trilo_write_opts write = {};
    write.format = TRILO_FORMAT_T3DM;
    write.name = "hero.t3dm";
    trilo_convert_opts opts = {};
    opts.write = &write;
    tl::on_finding(opts, keep);
    const auto converted = document->convert(opts);
    CHECK(converted && !lost.empty() && !lost[0].text.empty());
    CHECK(converted->file().size() > 4 && converted->companions().size() == 1);
    CHECK(std::string_view(converted->companions()[0].name) == "hero.0.sdata");
    CHECK(converted->commit(folder + "/hero.t3dm"));
    CHECK(read_file(folder + "/hero.t3dm").size() == converted->file().size());
    CHECK(converted->commit(folder + "/none/hero.t3dm").error().code == TRILO_CODE_CANT_WRITE);
    const auto bundle = tl::bundle::open(folder + "/hero.t3dm");
    CHECK(bundle && bundle->files().size() == 2 && !bundle->missing().empty());
}

static void test_drawing(const std::string &path)
{
    const auto model = tl::model::load_file(path);
    CHECK(model);
    std::vector<tl::image> images;
    std::vector<const trilo_image *> textures;
    for (const trilo_texture &texture : model->textures()) {
        auto image = tl::image::decode(tl::view(texture.bytes));
        textures.push_back(image ? image->get() : nullptr);
        if (image)
            images.push_back(*std::move(image));
    }
    CHECK(images.empty() || images[0].pixels().size() == std::size_t{images[0].width()} * images[0].height());
    auto player = tl::player::make(*model);
    auto renderer = tl::renderer::make(*model, textures);
    CHECK(player && renderer);
    const auto rest = renderer->draw(64, 48);
    CHECK(player->play(0) && !player->play(99));
    player->advance(0.25);
    CHECK(player->time() > 0.24 && player->time() < 0.26);
    renderer->pose(*player);
    const auto posed = renderer->draw(64, 48);
    CHECK(rest && posed && rest->pixels.size() == 64 * 48 * 4 && rest->pixels != posed->pixels);
    const auto png = posed->encode();
    CHECK(png && png->size() > 8 && (*png)[1] == 'P');
    CHECK(!renderer->draw(0, 48));
}

int main(int argc, char **argv)
{
    CHECK(argc == 4);
    test_models(argv[1]);
    test_errors(argv[3]);
    test_conversions(argv[1], argv[2]);
    test_drawing(argv[1]);
    std::puts("ok");
    return 0;
}

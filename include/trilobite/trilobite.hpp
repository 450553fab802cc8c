/* trilobite.hpp: the library for C++17. Handles free what they hold, arrays are views, and a call that can fail returns
 * a result: a value or an error. No exceptions are thrown, except by the containers of the standard library when memory
 * runs out.
 *
 *     auto model = trilobite::model::load_file("hero.t3dm");
 *     if (!model)
 *         return report(model.error().text);
 *     for (const trilo_mesh &mesh : model->meshes())
 *         upload(trilobite::positions(mesh), trilobite::indices(mesh));
 *
 * Everything is a thin layer over the C functions: options are the C structs, zero-filled by `{}`, and every handle
 * gives out its C object with get(), for functions that are not wrapped here.
 */
#ifndef TRILOBITE_TRILOBITE_HPP
#define TRILOBITE_TRILOBITE_HPP

#include "trilobite/trilobite.h"

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace trilobite {

/* ---- views ---- */

/* A view of an array, like std::span of C++20. */
template <class T> class span {
public:
    constexpr span() = default;
    constexpr span(T *data, std::size_t size) : data_(data), size_(data ? size : 0) {}
    constexpr T *data() const { return data_; }
    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T *begin() const { return data_; }
    constexpr T *end() const { return data_ + size_; }
    constexpr T &operator[](std::size_t index) const { return data_[index]; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

using bytes = span<const std::uint8_t>;

inline bytes view(trilo_bytes b) { return {b.data, b.size}; }
inline std::string_view view(trilo_str s) { return s.data ? std::string_view(s.data, s.len) : std::string_view(); }

/* The arrays of a mesh; empty if it has none. */
inline span<const float[3]> positions(const trilo_mesh &m) { return {m.positions, m.vertex_count}; }
inline span<const float[3]> normals(const trilo_mesh &m) { return {m.normals, m.vertex_count}; }
inline span<const float[4]> colors(const trilo_mesh &m) { return {m.colors, m.vertex_count}; }
inline span<const float[2]> uvs(const trilo_mesh &m) { return {m.uvs, m.vertex_count}; }
inline span<const std::uint16_t[4]> joints(const trilo_mesh &m) { return {m.joints, m.vertex_count}; }
inline span<const float[4]> weights(const trilo_mesh &m) { return {m.weights, m.vertex_count}; }
inline span<const std::uint32_t> indices(const trilo_mesh &m) { return {m.indices, m.index_count}; }

/* ---- errors as values ---- */

template <class T> class [[nodiscard]] result {
public:
    result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    result(const trilo_error &error) : state_(std::in_place_index<1>, error) {}
    explicit operator bool() const { return state_.index() == 0; }
    /* Only if there is a value. */
    T &operator*() & { return *std::get_if<0>(&state_); }
    const T &operator*() const & { return *std::get_if<0>(&state_); }
    T &&operator*() && { return std::move(*std::get_if<0>(&state_)); }
    T *operator->() { return std::get_if<0>(&state_); }
    const T *operator->() const { return std::get_if<0>(&state_); }
    /* Only if there is none. */
    const trilo_error &error() const { return *std::get_if<1>(&state_); }

private:
    std::variant<T, trilo_error> state_;
};

/* A finding that may be kept. */
struct finding {
    trilo_severity severity;
    trilo_finding_kind kind;
    const char *rule; /* static text */
    std::uint64_t offset;
    std::string path, text;

    explicit finding(const trilo_finding &f)
        : severity(f.severity), kind(f.kind), rule(f.rule), offset(f.offset), path(f.path ? f.path : ""),
          text(f.text ? f.text : "")
    {
    }
};

/* Sets on_finding of any options to a function object, which must outlive the call:
 *     trilobite::on_finding(opts, [&](const trilo_finding &f) { ... }) is wrong, a named lambda is right. */
template <class Options, class F> void on_finding(Options &opts, F &function)
{
    opts.on_finding = [](void *user, const trilo_finding *f) { (*static_cast<F *>(user))(*f); };
    opts.on_finding_user = const_cast<void *>(static_cast<const void *>(&function));
}
template <class Options, class F> void on_finding(Options &, const F &&) = delete;

namespace detail {
template <auto Free> struct deleter {
    template <class T> void operator()(T *object) const { Free(object); }
};
template <class T, auto Free> using handle = std::unique_ptr<T, deleter<Free>>;

/* A sink for the writers of the library. */
inline bool append(void *to, const void *data, std::size_t size)
{
    auto &out = *static_cast<std::vector<std::uint8_t> *>(to);
    const auto *first = static_cast<const std::uint8_t *>(data);
    out.insert(out.end(), first, first + size);
    return true;
}
} // namespace detail

/* ---- models ---- */

class model {
public:
    explicit model(const trilo_model *owned) : model_(owned) {}
    static result<model> load(bytes file, const trilo_load_opts &opts = {})
    {
        trilo_error err = {};
        return take(trilo_model_load(file.data(), file.size(), &opts, &err), err);
    }
    static result<model> load_file(const std::string &path, const trilo_load_opts &opts = {})
    {
        trilo_error err = {};
        return take(trilo_model_load_file(path.c_str(), &opts, &err), err);
    }
    const trilo_model *get() const { return model_.get(); }
    span<const trilo_mesh> meshes() const { return {model_->meshes, model_->mesh_count}; }
    span<const trilo_material> materials() const { return {model_->materials, model_->material_count}; }
    span<const trilo_texture> textures() const { return {model_->textures, model_->texture_count}; }
    span<const trilo_node> nodes() const { return {model_->nodes, model_->node_count}; }
    span<const trilo_skin> skins() const { return {model_->skins, model_->skin_count}; }
    span<const trilo_clip> clips() const { return {model_->clips, model_->clip_count}; }
    trilo_bounds bounds() const { return trilo_model_bounds(model_.get()); }
    std::uint32_t find_clip(const std::string &name) const { return trilo_clip_find(model_.get(), name.c_str()); }

private:
    static result<model> take(const trilo_model *loaded, const trilo_error &err)
    {
        return loaded ? result<model>(model(loaded)) : result<model>(err);
    }
    detail::handle<const trilo_model, trilo_model_free> model_;
};

/* ---- conversions ---- */

class conversion {
public:
    explicit conversion(const trilo_conversion *owned) : conversion_(owned) {}
    const trilo_conversion *get() const { return conversion_.get(); }
    bytes file() const { return view(conversion_->bytes); }
    span<const trilo_converted_file> companions() const
    {
        return {conversion_->companions, conversion_->companion_count};
    }
    /* Writes all files or none. The value is true. */
    result<bool> commit(const std::string &path, const trilo_commit_opts &opts = {}) const
    {
        trilo_error err = {};
        return trilo_conversion_commit(conversion_.get(), path.c_str(), &opts, &err) ? result<bool>(true)
                                                                                     : result<bool>(err);
    }

private:
    detail::handle<const trilo_conversion, trilo_conversion_free> conversion_;
};

/* ---- documents ---- */

class document {
public:
    explicit document(trilo_document *owned) : document_(owned) {}
    /* The bytes are not copied. */
    static result<document> open(bytes file, const trilo_load_opts &opts = {})
    {
        trilo_error err = {};
        return take(trilo_document_open(file.data(), file.size(), &opts, &err), err);
    }
    static result<document> open_file(const std::string &path, const trilo_load_opts &opts = {})
    {
        trilo_error err = {};
        return take(trilo_document_open_file(path.c_str(), &opts, &err), err);
    }
    trilo_document *get() const { return document_.get(); }
    trilo_format format() const { return trilo_document_format(document_.get()); }
    std::uint32_t version() const { return trilo_document_version(document_.get()); }

    template <class F> trilo_tally check(F &&report) const
    {
        using function = std::remove_reference_t<F>;
        return trilo_document_check(
            document_.get(), [](void *user, const trilo_finding *f) { (*static_cast<function *>(user))(*f); },
            const_cast<void *>(static_cast<const void *>(&report)));
    }
    std::vector<finding> findings() const
    {
        std::vector<finding> all;
        check([&](const trilo_finding &f) { all.emplace_back(f); });
        return all;
    }
    result<trilobite::model> model() const
    {
        trilo_error err = {};
        const trilo_model *decoded = trilo_document_model(document_.get(), &err);
        return decoded ? result<trilobite::model>(trilobite::model(decoded)) : result<trilobite::model>(err);
    }
    result<conversion> convert(const trilo_convert_opts &opts) const
    {
        trilo_error err = {};
        const trilo_conversion *converted = trilo_convert(document_.get(), &opts, &err);
        return converted ? result<conversion>(conversion(converted)) : result<conversion>(err);
    }

private:
    static result<document> take(trilo_document *opened, const trilo_error &err)
    {
        return opened ? result<document>(document(opened)) : result<document>(err);
    }
    detail::handle<trilo_document, trilo_document_free> document_;
};

/* A model with all files that it needs. */
class bundle {
public:
    explicit bundle(const trilo_bundle *owned) : bundle_(owned) {}
    static result<bundle> open(const std::string &path, const trilo_bundle_opts &opts = {})
    {
        trilo_error err = {};
        const trilo_bundle *opened = trilo_bundle_open(path.c_str(), &opts, &err);
        return opened ? result<bundle>(bundle(opened)) : result<bundle>(err);
    }
    const trilo_bundle *get() const { return bundle_.get(); }
    span<const trilo_bundle_file> files() const { return {bundle_->files, bundle_->file_count}; }
    span<const char *const> missing() const { return {bundle_->missing, bundle_->missing_count}; }

private:
    detail::handle<const trilo_bundle, trilo_bundle_free> bundle_;
};

/* ---- playing and drawing ---- */

/* The model must outlive the player. */
class player {
public:
    explicit player(trilo_player *owned) : player_(owned) {}
    static result<player> make(const model &of, const trilo_player_opts &opts = {})
    {
        trilo_error err = {};
        trilo_player *made = trilo_player_new(of.get(), &opts, &err);
        return made ? result<player>(player(made)) : result<player>(err);
    }
    trilo_player *get() const { return player_.get(); }
    bool play(std::uint32_t clip, const trilo_play_opts &how = {}, std::uint32_t layer = 0)
    {
        return trilo_player_play(player_.get(), layer, clip, &how);
    }
    void seek(double seconds, std::uint32_t layer = 0) { trilo_player_seek(player_.get(), layer, seconds); }
    void advance(double seconds) { trilo_player_advance(player_.get(), seconds); }
    double time(std::uint32_t layer = 0) const { return trilo_player_time(player_.get(), layer); }
    trilo_bounds bounds() const { return trilo_player_bounds(player_.get()); }

private:
    detail::handle<trilo_player, trilo_player_free> player_;
};

class image {
public:
    explicit image(const trilo_image *owned) : image_(owned) {}
    static result<image> decode(bytes file)
    {
        trilo_error err = {};
        const trilo_image *decoded = trilo_image_decode({file.data(), file.size()}, nullptr, &err);
        return decoded ? result<image>(image(decoded)) : result<image>(err);
    }
    const trilo_image *get() const { return image_.get(); }
    std::uint32_t width() const { return image_->width; }
    std::uint32_t height() const { return image_->height; }
    span<const std::uint8_t[4]> pixels() const
    {
        return {image_->pixels, std::size_t{image_->width} * image_->height};
    }

private:
    detail::handle<const trilo_image, trilo_image_free> image_;
};

/* RGBA pixels that were drawn. */
struct picture {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> pixels; /* 4 for each */

    result<std::vector<std::uint8_t>> encode(trilo_picture_kind kind = TRILO_PICTURE_KIND_PNG) const
    {
        std::vector<std::uint8_t> file;
        trilo_error err = {};
        const trilo_image frame = {width, height, reinterpret_cast<const std::uint8_t(*)[4]>(pixels.data())};
        if (!trilo_image_write(&frame, kind, detail::append, &file, &err))
            return err;
        return file;
    }
};

/* The model and the images must outlive the renderer. */
class renderer {
public:
    explicit renderer(trilo_renderer *owned) : renderer_(owned) {}
    /* One image for each texture of the model; nullptr: it is missing. */
    static result<renderer> make(const model &of, const std::vector<const trilo_image *> &textures = {})
    {
        trilo_error err = {};
        const bool all = !textures.empty() && textures.size() >= of.get()->texture_count;
        trilo_renderer *made = trilo_renderer_new(of.get(), all ? textures.data() : nullptr, nullptr, &err);
        return made ? result<renderer>(renderer(made)) : result<renderer>(err);
    }
    trilo_renderer *get() const { return renderer_.get(); }
    void pose(const player &as) { trilo_renderer_pose(renderer_.get(), as.get()); }
    result<picture> draw(std::uint32_t width, std::uint32_t height, const trilo_scene &scene = {})
    {
        trilo_error err = {};
        picture out{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
        if (!trilo_renderer_draw(renderer_.get(), &scene, width, height,
                                 reinterpret_cast<std::uint8_t(*)[4]>(out.pixels.data()), &err))
            return err;
        return out;
    }

private:
    detail::handle<trilo_renderer, trilo_renderer_free> renderer_;
};

} // namespace trilobite
#endif

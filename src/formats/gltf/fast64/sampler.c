/* Textures of FAST64_materials_n64: an image of the file, and a sampler with FAST64_sampler_n64. */
#include "base/strict_float.h"
#include "formats/gltf/fast64/settings.h"

/* The object that an optional index refers to; NULL: there is no index, or it is a problem. */
static const tl_json *fast64_refer(fast64_reader *r, const tl_json *object, const char *key, gltf_array array,
                                   uint32_t *index, const char *problem)
{
    const tl_json *value = tl_fast64_member(object, key);
    const gltf_table *table = &r->file->tables[array];
    if (!value)
        return NULL;
    if (tl_json_uint(value, index) && *index < table->count)
        return table->items[*index];
    tl_fast64_problem(r, value, problem);
    return NULL;
}

static void fast64_read_field(fast64_reader *r, const tl_json *field, trilo_n64_axis *axis, bool *fit)
{
    static const char *const keys[] = {"low", "high", "mask", "shift"};
    *fit = true;
    for (int i = 0; i < 4; i++)
        *fit = *fit && !tl_fast64_member(field, keys[i]);
    if (field->kind != TL_JSON_OBJECT)
        tl_fast64_problem(r, field, "fields must be two objects");
    else if (!*fit)
        *axis = tl_fast64_axis(r, field);
    else
        *axis = (trilo_n64_axis){.clamp = tl_fast64_on(field, "clamp"), .mirror = tl_fast64_on(field, "mirror")};
}

/* The wrap mode of a sampler without the extension: the whole image. */
static void fast64_read_wrap(const tl_json *sampler, const char *key, trilo_n64_axis *axis, bool *fit)
{
    enum { CLAMP = 33071, MIRROR = 33648 };
    const double wrap = tl_json_number(tl_fast64_member(sampler, key), 0);
    *axis = (trilo_n64_axis){.clamp = wrap == CLAMP, .mirror = wrap == MIRROR};
    *fit = true;
}

static void fast64_read_sampler(fast64_reader *r, const tl_json *sampler, fast64_texture *texture)
{
    const tl_json *n64 = tl_fast64_object(r, tl_fast64_member(sampler, "extensions"), "FAST64_sampler_n64",
                                          "FAST64_sampler_n64" FAST64_IS_OBJECT);
    bool *fit = texture->image.fit;
    if (!n64) {
        fast64_read_wrap(sampler, "wrapS", &texture->axes[0], &fit[0]);
        fast64_read_wrap(sampler, "wrapT", &texture->axes[1], &fit[1]);
        return;
    }
    const tl_json *field =
        tl_fast64_array(r, n64, "fields", 2, 2, "fields is required, one object for S and one for T");
    if (!field)
        return;
    fast64_read_field(r, field, &texture->axes[0], &fit[0]);
    fast64_read_field(r, field->next, &texture->axes[1], &fit[1]);
    texture->image.width = fit[0] ? 0 : tl_fast64_span(&texture->axes[0]);
    texture->image.height = fit[1] ? 0 : tl_fast64_span(&texture->axes[1]);
    const tl_json *reference = tl_fast64_object(r, n64, "reference", "reference" FAST64_IS_OBJECT);
    if (!reference)
        return;
    texture->reference = tl_fast64_reference(
        r, reference, "texture",
        "texture of a reference is required, a string with a 32-bit number, decimal or hexadecimal with 0x");
    if (tl_fast64_member(reference, "size"))
        tl_fast64_size(r, reference, "size", &texture->image,
                       "size of a reference must be two integers from 0 to 65535");
}

/* The first bytes of an image have its size. Axes without numbers follow that size. */
void tl_fast64_texture(fast64_reader *r, const tl_json *textures, const char *key, fast64_texture *out)
{
    enum { HEAD = 64 };
    uint32_t index;
    const tl_json *info = tl_fast64_object(r, textures, key, "textures must hold objects");
    if (!info)
        return;
    const tl_json *texture =
        fast64_refer(r, info, "index", GLTF_TEXTURES, &index, "index is required, the index of a texture");
    if (!texture) {
        tl_fast64_problem(r, info, "index is required, the index of a texture");
        return;
    }
    const tl_json *sampler =
        fast64_refer(r, texture, "sampler", GLTF_SAMPLERS, &index, "sampler must be the index of a sampler");
    fast64_read_sampler(r, sampler, out);
    uint32_t size[2] = {out->image.width, out->image.height};
    const tl_json *image = out->reference != 0 ? NULL
                                               : fast64_refer(r, texture, "source", GLTF_IMAGES, &index,
                                                              "source of a texture must be the index of an image");
    if (image) {
        trilo_bytes head = r->file->images ? r->file->images[index].bytes : (trilo_bytes){NULL, 0};
        head.size = head.size < HEAD ? head.size : HEAD;
        out->image.name = tl_json_string(tl_fast64_member(image, "name"));
        out->image.image = index;
        if (head.data)
            trilo_image_probe(head, &size[0], &size[1]);
    }
    uint16_t *const sizes[2] = {&out->image.width, &out->image.height};
    for (int i = 0; i < 2; i++)
        if (out->image.fit[i] && size[i] > 0 && size[i] <= UINT16_MAX) {
            tl_fast64_fit_axis(&out->axes[i], size[i]);
            *sizes[i] = (uint16_t)size[i];
        }
}

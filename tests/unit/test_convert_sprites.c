/* Sprites that a conversion makes of the images of a model: their names, formats and sizes, and what it says of images
 * of which none can be made. Images are decoded here, so that no library for them is needed. */
#include "harness.h"
#include "support/allocations.h"
#include "support/gltf_files.h"
#include "trilobite/trilobite.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGES = 8, PICTURE = 34, BROKEN = 0xEE };

typedef struct picture {
    const char *name; /* NULL: the image has none */
    uint8_t width, height;
    uint8_t seed; /* of its pixels; BROKEN: it cannot be decoded */
} picture;

typedef struct setup {
    picture pictures[IMAGES]; /* up to the first without a size */
    const char *materials;    /* a materials file; NULL: none */
    const char *rom_path;
    const char *wrap; /* of all textures, as in glTF; NULL: repeated */
    bool share;
    uint32_t unshown; /* the last so many textures are shown by no mesh's material */
    size_t deny;      /* the allocation of the conversion that fails; 0: none */
    const trilo_sprite_opts *sprite;
    double max_delta_e;
    trilo_code code; /* that the conversion fails with */
    char heard[1000];
    const trilo_conversion *result;
} setup;

/* The head of a PNG file, and the seed. */
static void make_picture(const picture *p, uint8_t bytes[PICTURE])
{
    static const uint8_t head[16] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'};
    memset(bytes, 0, PICTURE);
    memcpy(bytes, head, sizeof head);
    bytes[19] = p->width;
    bytes[23] = p->height;
    bytes[24] = 8;
    bytes[25] = 2;
    bytes[33] = p->seed;
}

static bool is_white(uint8_t seed, uint32_t x, uint32_t y)
{
    return (7 * x + 3 * y + seed) % 5 < 2;
}

static bool decode(void *user, trilo_image_kind kind, trilo_bytes bytes, trilo_decode_memory *memory,
                   trilo_bitmap *bitmap, trilo_error *err)
{
    (void)user;
    CHECK(kind == TRILO_IMAGE_KIND_PNG && bytes.size == PICTURE);
    const uint32_t width = bytes.data[19], height = bytes.data[23];
    if (bytes.data[33] == BROKEN) {
        *err = (trilo_error){.code = TRILO_CODE_BAD_VALUE, .rule = "TEST-BROKEN", .text = "no picture"};
        return false;
    }
    uint8_t(*pixels)[4] = trilo_decode_alloc(memory, (size_t)width * height * 4);
    if (!pixels) {
        *err = (trilo_error){.code = TRILO_CODE_NO_MEMORY, .rule = "FILE-MEMORY", .text = "no memory"};
        return false;
    }
    for (uint32_t i = 0; i < width * height; i++) {
        memset(pixels[i], is_white(bytes.data[33], i % width, i / width) ? 255 : 0, 3);
        pixels[i][3] = 255;
    }
    *bitmap = (trilo_bitmap){.image = {width, height, (const uint8_t(*)[4])pixels}, .kind = TRILO_PIXEL_KIND_RGB};
    return true;
}

static void put_base64(char *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const uint32_t group = (uint32_t)bytes[i] << 16 | (i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (i + 2 < size ? bytes[i + 2] : 0);
        for (size_t k = 0; k < 4; k++)
            *out++ = i + k > size ? '=' : digits[group >> (18 - 6 * k) & 63];
    }
    *out = '\0';
}

static void hear(void *user, const trilo_finding *finding)
{
    setup *s = user;
    const size_t used = strlen(s->heard);
    if (strncmp(finding->path, "textures", 8) == 0)
        snprintf(s->heard + used, sizeof s->heard - used, "%s %s: %s\n", finding->path, finding->rule, finding->text);
}

static bool give_materials(void *user, const char *name, trilo_bytes *bytes)
{
    const setup *s = user;
    if (!s->materials || strcmp(name, "hero.materials.toml") != 0)
        return false;
    *bytes = (trilo_bytes){(const uint8_t *)s->materials, strlen(s->materials)};
    return true;
}

/* A triangle for each image, with a material m0, m1 ... that shows it. */
static void convert(setup *s)
{
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static char text[8000];
    char images[3000] = "", textures[400] = "", materials[1500] = "", primitives[1500] = "";
    buffer file = {0}, bin = {0};
    trilo_error err = {.code = TRILO_CODE_OK};
    uint32_t count = 0;
    while (count < IMAGES && s->pictures[count].width > 0)
        count++;
    for (uint32_t i = 0; i < count; i++) {
        const picture *p = &s->pictures[i];
        const char *comma = i > 0 ? "," : "";
        uint8_t bytes[PICTURE];
        char coded[PICTURE * 2];
        make_picture(p, bytes);
        put_base64(coded, bytes, PICTURE);
        snprintf(images + strlen(images), sizeof images - strlen(images), "%s{%s%s%s'uri':'data:image/png;base64,%s'}",
                 comma, p->name ? "'name':'" : "", p->name ? p->name : "", p->name ? "'," : "", coded);
        snprintf(textures + strlen(textures), sizeof textures - strlen(textures), "%s{'source':%u,'sampler':0}", comma,
                 i);
        snprintf(materials + strlen(materials), sizeof materials - strlen(materials),
                 "%s{'name':'m%u','pbrMetallicRoughness':{'baseColorTexture':{'index':%u}}}", comma, i,
                 i + s->unshown < count ? i : 0);
        snprintf(primitives + strlen(primitives), sizeof primitives - strlen(primitives),
                 "%s{'attributes':{'POSITION':0,'TEXCOORD_0':1},'material':%u}", comma, i);
    }
    snprintf(text, sizeof text,
             "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],"
             "'buffers':[{'byteLength':36}],'bufferViews':[{'buffer':0,'byteLength':36}],'accessors':["
             "{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3','min':[0,0,0],'max':[1,1,0]},"
             "{'bufferView':0,'componentType':5126,'count':3,'type':'VEC2'}],'samplers':[%s],"
             "'images':[%s],'textures':[%s],'materials':[%s],'meshes':[{'primitives':[%s]}]}",
             s->wrap ? s->wrap : "{}", images, textures, materials, primitives);
    buffer_f32s(&bin, corners, 9);
    gltf_glb(&file, text, (trilo_bytes){bin.data, bin.size});
    const trilo_load_opts load = {.name = "hero.glb", .companion = give_materials, .companion_user = s};
    trilo_document *document = trilo_document_open(file.data, file.size, &load, &err);
    CHECK_STR(document ? "" : err.text, "");
    const trilo_t3dm_write_opts t3dm = {.rom_path = s->rom_path};
    const trilo_write_opts write = {.format = TRILO_FORMAT_T3DM, .name = "hero.t3dm", .t3dm = &t3dm};
    const trilo_convert_sprites sprites = {
        .decode = decode, .share_palettes = s->share, .sprite = s->sprite, .max_delta_e = s->max_delta_e};
    const trilo_convert_opts opts = {.write = &write, .sprites = &sprites, .on_finding = hear, .on_finding_user = s};
    s->heard[0] = '\0';
    if (s->deny > 0)
        allocations_deny(s->deny);
    s->result = trilo_convert(document, &opts, &err);
    allocations_allow();
    s->code = err.code;
    CHECK_STR(
        s->result || (s->deny > 0 && err.code == TRILO_CODE_NO_MEMORY) || err.code == TRILO_CODE_MISUSE ? "" : err.text,
        "");
    trilo_document_free(document);
    buffer_free(&file);
    buffer_free(&bin);
}

/* The file of the index-th sprite, and that it shows the picture. */
static const char *sprite_file(const setup *s, uint32_t index)
{
    CHECK(index < s->result->sprite_count);
    const trilo_converted_sprite *made = &s->result->sprites[index];
    const picture *p = &s->pictures[made->texture];
    CHECK(made->companion < s->result->companion_count);
    const trilo_converted_file *file = &s->result->companions[made->companion];
    const trilo_image *image = trilo_image_decode(file->bytes, NULL, NULL);
    CHECK(image && file->is_sprite && !file->is_stream);
    CHECK(made->source_width == p->width && made->source_height == p->height);
    CHECK(image->width == made->width && image->height == made->height && made->within_error);
    for (uint32_t i = 0; made->width == p->width && made->height == p->height && i < (uint32_t)p->width * p->height;
         i++)
        for (int c = 0; c < 3; c++)
            CHECK_INT(image->pixels[i][c], is_white(p->seed, i % p->width, i / p->width) ? 255 : 0);
    trilo_image_free(image);
    return file->name;
}

/* "wood" and the format that was chosen: "wood.ci4.sprite". */
static void check_name(const setup *s, uint32_t index, const char *stem)
{
    char name[300];
    const trilo_converted_sprite *made = &s->result->sprites[index];
    snprintf(name, sizeof name, "%s.%s.sprite", stem, trilo_texels_name(made->texels));
    for (char *c = name + strlen(stem); *c; c++)
        *c = (char)tolower((unsigned char)*c);
    CHECK(made->searched);
    CHECK_STR(sprite_file(s, index), name);
}

/* Names lose the ending of an image. One that not every file system takes is replaced by that of the model. */
TEST(names_of_sprites)
{
    static const struct {
        const char *names[IMAGES], *stems[IMAGES];
    } cases[] = {{{"wood", "a.png", "b.jpg", "c.jpeg", "d.PNG", "e.JPG", "f.JPeg", "g.sprite"},
                  {"wood", "a", "b", "c", "d", "e", "f", "g"}},
                 {{"a.bmp", ".png", "x/y/z.png", "a b", "q?", "c:d", "<e", "f>"},
                  {"a", "hero-1", "z", "a b", "hero-4", "hero-5", "hero-6", "hero-7"}},
                 {{"g|h", "i*", "k\\\\l", "\\\"", "~", "!", "x.", "\\u007f"},
                  {"hero-0", "hero-1", "l", "hero-3", "~", "!", "x.", "hero-7"}},
                 {{NULL, "", "rom:/", "\\t", "\\u00e4", "z.tga.png", "rom:/r", "h"},
                  {"hero-0", "hero-1", "hero-2", "hero-3", "\xc3\xa4", "z.tga", "r", "h"}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setup s = {.wrap = "{'wrapS':33071,'wrapT':33071}"}; /* any size */
        for (uint8_t k = 0; k < IMAGES; k++)
            s.pictures[k] = (picture){cases[i].names[k], (uint8_t)(4 + k), 8, 0};
        convert(&s);
        CHECK_STR(s.heard, "");
        CHECK(s.result->sprite_count == IMAGES && s.result->companion_count == IMAGES);
        for (uint32_t k = 0; k < IMAGES; k++) {
            CHECK_INT(s.result->sprites[k].texture, k);
            check_name(&s, k, cases[i].stems[k]);
        }
        trilo_conversion_free(s.result);
    }
}

/* A name has at most 241 bytes without its ending. */
TEST(long_names_of_sprites)
{
    for (size_t length = 240; length <= 243; length++) {
        char name[250], stem[250];
        memset(name, 'n', sizeof name);
        snprintf(name + length, sizeof name - length, ".png");
        snprintf(stem, sizeof stem, "%.*s", (int)length, name);
        setup s = {.pictures = {{name, 8, 8, 1}}};
        convert(&s);
        check_name(&s, 0, length < 242 ? stem : "hero-0");
        trilo_conversion_free(s.result);
    }
}

/* A format in the name counts, and so does the folder of the model on the console. */
TEST(formats_and_folders_of_sprites)
{
    static const struct {
        const char *rom_path, *folder;
    } cases[] = {{NULL, "rom:/"}, {"rom:/hero.t3dm", "rom:/"}, {"rom:/a/b/hero.t3dm", "rom:/a/b/"}, {"hero", "rom:/"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setup s = {.pictures = {{"a.i8.png", 8, 8, 1}, {"b.rgba16", 8, 8, 2}, {"c.ci4.png", 8, 8, 3}},
                   .rom_path = cases[i].rom_path};
        static const trilo_texels texels[] = {TRILO_TEXELS_I8, TRILO_TEXELS_RGBA16, TRILO_TEXELS_CI4};
        static const char *const names[] = {"a.i8.sprite", "b.rgba16.sprite", "c.ci4.sprite"};
        static const uint32_t colors[] = {0, 0, 2};
        convert(&s);
        CHECK_INT(s.result->sprite_count, 3);
        const trilo_model *model = trilo_model_load(s.result->bytes.data, s.result->bytes.size, NULL, NULL);
        CHECK(model && model->texture_count == 3);
        for (uint32_t k = 0; k < 3; k++) {
            char path[100];
            const trilo_converted_sprite *made = &s.result->sprites[k];
            CHECK(made->texels == texels[k] && !made->searched && made->color_count == colors[k]);
            CHECK_STR(sprite_file(&s, k), names[k]);
            snprintf(path, sizeof path, "%s%s", cases[i].folder, names[k]);
            CHECK_STR(model->textures[k].path.data, path);
            CHECK(model->textures[k].width == 8 && model->textures[k].height == 8);
        }
        trilo_model_free(model);
        trilo_conversion_free(s.result);
    }
}

/* The same image under several names is one file, if its format is searched; the same name is one file too. */
TEST(equal_sprites_are_one_file)
{
    setup s = {.pictures = {{"a", 8, 8, 1}, {"b", 8, 8, 1}, {"c", 8, 8, 2}, {"d.i8", 8, 8, 1}, {"e.i8", 8, 8, 1}}};
    convert(&s);
    CHECK_INT(s.result->sprite_count, 5);
    static const uint32_t files[] = {0, 0, 1, 2, 3};
    CHECK_INT(s.result->companion_count, 4);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_INT(s.result->sprites[i].companion, files[i]);
        sprite_file(&s, i);
    }
    trilo_conversion_free(s.result);
    setup same = {.pictures = {{"a.i8", 8, 8, 1}, {"a.i8", 8, 8, 1}}};
    convert(&same);
    CHECK(same.result->sprite_count == 2 && same.result->companion_count == 1);
    CHECK(same.result->sprites[0].companion == 0 && same.result->sprites[1].companion == 0);
    trilo_conversion_free(same.result);
}

/* Images with the same name are different files, the second is called after the model, by a number that is free; one
 * image that several textures show is one. Nothing of it depends on the case of an extension. */
TEST(names_that_several_images_have)
{
    setup s = {.pictures = {{"a.i8", 8, 8, 1},
                            {"x/a.i8.PNG", 8, 8, 2},
                            {"hero-1.i8", 8, 8, 3},
                            {"hero-4", 8, 8, 4},
                            {"a.i8.jpg", 8, 8, 5},
                            {"a.i8.png", 8, 8, 1},
                            {NULL, 16, 8, 1}}};
    static const char *const stems[] = {"a.i8.sprite", "hero-1", "hero-1.i8.sprite", "hero-4", "hero-11",
                                        "a.i8.sprite", "hero-6"};
    convert(&s);
    CHECK_STR(s.heard, "");
    CHECK(s.result->sprite_count == 7 && s.result->companion_count == 6);
    for (uint32_t i = 0; i < 7; i++)
        if (strchr(stems[i], '.'))
            CHECK_STR(sprite_file(&s, i), stems[i]);
        else
            check_name(&s, i, stems[i]);
    CHECK_INT(s.result->sprites[5].companion, s.result->sprites[0].companion);
    trilo_conversion_free(s.result);
}

/* Only what a material shows, and what can be decoded. The rest is reported, and the model is written. */
TEST(images_without_a_sprite)
{
    setup s = {.pictures = {{"a", 8, 8, 1}, {"b", 8, 8, BROKEN}, {"c", 8, 8, 3}, {"d", 8, 8, 4}}, .unshown = 1};
    convert(&s);
    CHECK_INT(s.result->sprite_count, 2);
    CHECK(s.result->sprites[0].texture == 0 && s.result->sprites[1].texture == 2);
    check_name(&s, 0, "a");
    check_name(&s, 1, "c");
    CHECK_STR(s.heard, "textures[1] TEST-BROKEN: no picture\n");
    trilo_conversion_free(s.result);
}

/* An N64 material says how large its texture is; the image is resized. */
TEST(sizes_of_n64_materials)
{
    setup s = {.pictures =
                   {{"a.i8", 16, 16, 1}, {"b", 16, 16, 2}, {"c.i8", 8, 4, 3}, {"d.i8", 16, 16, 4}, {"e.i8", 16, 16, 5}},
               .materials = "[m0]\ntex0 = { width = 4, height = 8 }\n[m1]\ntex0 = { width = 16, height = 16 }\n"
                            "[m2]\nfilter = 'point'\n[m3]\ntex0 = { width = 16, height = 8 }\n"
                            "[m4]\ntex0 = { width = 8, height = 16 }\n"};
    static const uint32_t sizes[][2] = {{4, 8}, {16, 16}, {8, 4}, {16, 8}, {8, 16}};
    convert(&s);
    CHECK_STR(s.heard, "");
    CHECK_INT(s.result->sprite_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        sprite_file(&s, i);
        CHECK(s.result->sprites[i].width == sizes[i][0] && s.result->sprites[i].height == sizes[i][1]);
        CHECK(!s.result->sprites[i].searched);
    }
    trilo_conversion_free(s.result);
}

/* A texture that repeats needs sizes that are powers of two; one that is clamped keeps its size. */
TEST(sizes_of_repeated_textures)
{
    static const struct {
        const char *wrap;
        bool kept;
    } cases[] = {{"{}", false},
                 {"{'wrapS':33071,'wrapT':33071}", true},
                 {"{'wrapS':33071,'wrapT':10497}", false},
                 {"{'wrapS':33648,'wrapT':33071}", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setup s = {.pictures = {{"a", 12, 6, 1}}, .wrap = cases[i].wrap};
        convert(&s);
        CHECK_INT(s.result->sprite_count, 1);
        const trilo_converted_sprite *made = &s.result->sprites[0];
        const bool powers = (made->width & (made->width - 1)) == 0 && (made->height & (made->height - 1)) == 0;
        CHECK(cases[i].kept ? made->width == 12 && made->height == 6 : powers);
        trilo_conversion_free(s.result);
    }
}

/* Black and white are the palette of all. */
TEST(shared_palettes)
{
    setup s = {.pictures = {{"a.ci4", 8, 8, 1}, {"b.ci4", 8, 8, 2}, {"c.i8", 8, 8, 3}}, .share = true};
    convert(&s);
    CHECK_INT(s.result->sprite_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        sprite_file(&s, i);
    CHECK_INT(s.result->sprites[0].shared.image_count, 2);
    CHECK_INT(s.result->sprites[1].shared.image_count, 2);
    CHECK(s.result->sprites[0].shared.palette == s.result->sprites[1].shared.palette);
    CHECK(s.result->sprites[2].shared.image_count < 2);
    trilo_conversion_free(s.result);
    s.share = false;
    convert(&s);
    CHECK_INT(s.result->sprites[0].shared.image_count, 0);
    trilo_conversion_free(s.result);
}

static void check_same_file(trilo_bytes a, trilo_bytes b)
{
    CHECK(a.size == b.size && memcmp(a.data, b.data, a.size) == 0);
}

/* Each allocation alone fails: a refusal, or the same files. */
/* The options of an older program have only the fields that it knows: here, none. Those that were not zero-filled are a
 * mistake of the program, not a finding about an image. */
TEST(options_of_sprites_from_another_program)
{
    uint32_t *older = malloc(2 * sizeof *older);
    CHECK(older != NULL);
    older[0] = 2 * sizeof *older, older[1] = 0;
    setup s = {.pictures = {{"a", 8, 8, 1}}, .sprite = (const trilo_sprite_opts *)(const void *)older};
    convert(&s);
    free(older);
    check_name(&s, 0, "a");
    trilo_conversion_free(s.result);
    s.sprite = &(const trilo_sprite_opts){.guard = 1};
    convert(&s);
    CHECK(!s.result);
    CHECK_INT(s.code, TRILO_CODE_MISUSE);
    CHECK_STR(s.heard, "");
}

TEST(memory_may_run_out)
{
    setup whole = {.pictures = {{"wood", 8, 8, 1}, {"wall", 16, 8, 2}, {"again", 8, 8, 1}}, .share = true};
    convert(&whole);
    CHECK(whole.result && whole.result->sprite_count == 3);
    bool denied = true;
    for (size_t n = 1; denied; n += ALLOCATIONS_STEP) {
        setup s = {.pictures = {{"wood", 8, 8, 1}, {"wall", 16, 8, 2}, {"again", 8, 8, 1}}, .share = true, .deny = n};
        convert(&s);
        denied = allocations_denied();
        CHECK(denied || s.result);
        if (!s.result)
            continue;
        CHECK_INT(s.result->companion_count, whole.result->companion_count);
        CHECK_INT(s.result->sprite_count, whole.result->sprite_count);
        check_same_file(s.result->bytes, whole.result->bytes);
        for (uint32_t i = 0; i < s.result->companion_count; i++)
            check_same_file(s.result->companions[i].bytes, whole.result->companions[i].bytes);
        CHECK_STR(s.heard, whole.heard);
        trilo_conversion_free(s.result);
    }
    trilo_conversion_free(whole.result);
}

TEST_MAIN(CASE(names_of_sprites), CASE(long_names_of_sprites), CASE(formats_and_folders_of_sprites),
          CASE(equal_sprites_are_one_file), CASE(names_that_several_images_have), CASE(images_without_a_sprite),
          CASE(sizes_of_n64_materials), CASE(sizes_of_repeated_textures), CASE(shared_palettes),
          CASE(options_of_sprites_from_another_program), CASE(memory_may_run_out))

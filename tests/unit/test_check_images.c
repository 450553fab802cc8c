/* What a check says of the images of a model: those that are not there, and those of another size. Images are sprites,
 * which need no other library. Each test runs in an empty folder of its own. */
#include "harness.h"
#include "support/render_scene.h"
#include "trilobite/assets.h"
#include "trilobite/sprite.h"

#include <stdio.h>
#include <string.h>

static char heard[1000];

static void hear(void *user, const trilo_finding *finding)
{
    const size_t used = strlen(heard);
    (void)user;
    if (strncmp(finding->rule, "T3DM-TEXTURE-", 13) != 0)
        return;
    CHECK(finding->severity == TRILO_SEVERITY_WARNING && finding->offset == TRILO_NOWHERE);
    snprintf(heard + used, sizeof heard - used, "%s %s: %s\n", finding->path, finding->rule + 13, finding->text);
}

/* Of 16 by 8 pixels. */
static const trilo_sprite *make_sprite(void)
{
    static uint8_t pixels[16 * 8][4];
    for (int i = 0; i < 16 * 8; i++)
        memset(pixels[i], 255, 4);
    const trilo_bitmap bitmap = {.image = {16, 8, (const uint8_t(*)[4])pixels}};
    const trilo_sprite *sprite =
        trilo_sprite_encode(&bitmap, &(trilo_sprite_opts){.texels = TRILO_TEXELS_RGBA16}, NULL);
    CHECK(sprite != NULL);
    return sprite;
}

TEST(images_that_are_missing_or_of_another_size)
{
    static const struct {
        const char *path;
        bool embedded;
        trilo_format format;
        uint32_t width, height;
        const char *want;
    } rows[] = {
        {"rom:/tex.sprite", false, TRILO_FORMAT_T3DM, 16, 8, ""},
        {"rom:/tex.sprite", false, TRILO_FORMAT_T3DM, 32, 8,
         "textures[1] SIZE: tex.sprite has 16x8 pixels, the material is made for 32x8\n"},
        {"rom:/tex.sprite", false, TRILO_FORMAT_T3DM, 16, 4,
         "textures[1] SIZE: tex.sprite has 16x8 pixels, the material is made for 16x4\n"},
        {"rom:/tex.sprite", false, TRILO_FORMAT_T3DM, 1, 1,
         "textures[1] SIZE: tex.sprite has 16x8 pixels, the material is made for 1x1\n"},
        {"rom:/tex.sprite", false, TRILO_FORMAT_T3DM, 0, 4, ""},
        {"rom:/tex.sprite", false, TRILO_FORMAT_T3DM, 4, 0, ""},
        {"rom:/tex.sprite", false, TRILO_FORMAT_GLTF, 32, 8, ""},
        {"", true, TRILO_FORMAT_T3DM, 32, 8,
         "textures[1] SIZE: the image has 16x8 pixels, the material is made for 32x8\n"},
        {"rom:/none.sprite", true, TRILO_FORMAT_T3DM, 16, 8, ""},
        {"rom:/none.sprite", false, TRILO_FORMAT_T3DM, 16, 8,
         "textures[1] MISSING: rom:/none.sprite was not found beside the model, in its file system or in the assets\n"},
        {"rom:/n", false, TRILO_FORMAT_T3DM, 16, 8,
         "textures[1] MISSING: rom:/n was not found beside the model, in its file system or in the assets\n"},
        {"rom:/", false, TRILO_FORMAT_T3DM, 16, 8, ""},
        {"rom:none", false, TRILO_FORMAT_T3DM, 16, 8, ""},
        {"rom:/none.sprite", false, TRILO_FORMAT_NLM, 16, 8, ""}};
    const trilo_sprite *sprite = make_sprite();
    FILE *file = fopen("tex.sprite", "wb");
    CHECK(file && fwrite(sprite->bytes.data, 1, sprite->bytes.size, file) == sprite->bytes.size && fclose(file) == 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static scene_model s;
        trilo_error err = {0};
        scene_make(&s, 2);
        const trilo_texture textures[2] = {{.path = {"rom:/tex.sprite", 15}, .width = 16, .height = 8},
                                           {.path = {rows[i].path, strlen(rows[i].path)},
                                            .bytes = rows[i].embedded ? sprite->bytes : (trilo_bytes){NULL, 0},
                                            .width = rows[i].width,
                                            .height = rows[i].height}};
        s.model.textures = textures, s.model.texture_count = 2;
        s.model.format = rows[i].format;
        s.materials[1].texture = 1;
        trilo_assets *assets = trilo_assets_new(&(trilo_assets_opts){.model = "./m.t3dm"}, NULL);
        heard[0] = '\0';
        CHECK(assets && trilo_assets_check_model(assets, &s.model, NULL, hear, NULL, &err));
        if (strcmp(heard, rows[i].want) != 0)
            FAIL("row %zu: %s", i, heard);
        trilo_assets_free(assets);
    }
    trilo_sprite_free(sprite);
}

TEST_MAIN(CASE(images_that_are_missing_or_of_another_size))

/* Findings about the textures of a T3DM model: each names the first material that has the texture. */
#include "harness.h"
#include "support/t3dm_frond.h"

#include <stdio.h>
#include <string.h>

enum { TEXTURES = 4, SIZE = 16 };

typedef struct sprites {
    const trilo_sprite *made[TEXTURES];
    char heard[2000];
} sprites;

/* Textures c and d have the content of a and b, which have few colours. */
static void make_sprites(sprites *s)
{
    static uint8_t pixels[SIZE * SIZE][4];
    for (int t = 0; t < TEXTURES; t++) {
        for (int i = 0; i < SIZE * SIZE; i++) {
            pixels[i][0] = (uint8_t)(t % 2 ? i & 0xF8 : i * 8);
            pixels[i][1] = (uint8_t)(i * 16 + 8 * (t % 2));
            pixels[i][2] = (uint8_t)(i / 2 * 8);
            pixels[i][3] = 255;
        }
        const trilo_bitmap bitmap = {.image = {SIZE, SIZE, (const uint8_t(*)[4])pixels}};
        s->made[t] = trilo_sprite_encode(&bitmap, &(trilo_sprite_opts){.texels = TRILO_TEXELS_RGBA16}, NULL);
        CHECK(s->made[t] != NULL);
    }
}

static bool give_sprite(void *user, const char *name, trilo_bytes *bytes)
{
    const sprites *s = user;
    if (strlen(name) != 8 || name[0] < 'a' || name[0] >= 'a' + TEXTURES || strcmp(name + 1, ".sprite") != 0)
        return false;
    *bytes = s->made[name[0] - 'a']->bytes;
    return true;
}

static void hear(void *user, const trilo_finding *finding)
{
    sprites *s = user;
    const size_t used = strlen(s->heard);
    CHECK(finding->offset == TRILO_NOWHERE);
    snprintf(s->heard + used, sizeof s->heard - used, "%s %s: %s\n", finding->path, finding->rule, finding->text);
}

TEST(findings_name_the_first_material)
{
    static const char paths[TEXTURES][16] = {"rom:/a.sprite", "rom:/b.sprite", "rom:/c.sprite", "rom:/d.sprite"};
    static const uint32_t shown[FROND_MESHES][2] = {{0, TRILO_NONE}, {1, 2}, {3, 2}, {0, 3}};
    frond f;
    sprites s = {.heard = ""};
    trilo_texture textures[TEXTURES];
    trilo_n64_material n64[FROND_MESHES];
    trilo_error err = {0};
    frond_fill(&f);
    make_sprites(&s);
    for (int i = 0; i < TEXTURES; i++)
        textures[i] = (trilo_texture){.path = frond_text(paths[i]), .width = SIZE, .height = SIZE};
    for (uint32_t i = 0; i < FROND_MESHES; i++) {
        n64[i] = (trilo_n64_material){.combiner = UINT64_C(0x00127E2488FFFDFE) + i};
        for (int k = 0; k < 2; k++)
            n64[i].tiles[k] = (trilo_n64_tile){.texture = shown[i][k],
                                               .width = shown[i][k] == TRILO_NONE ? 0 : SIZE,
                                               .height = shown[i][k] == TRILO_NONE ? 0 : SIZE,
                                               .s = {.mask = 4, .high = SIZE},
                                               .t = {.mask = 4, .high = SIZE}};
        f.material[i].n64 = &n64[i];
        f.mesh[i].material = i;
    }
    f.model.textures = textures, f.model.texture_count = TEXTURES;
    f.model.mesh_count = f.model.material_count = FROND_MESHES;
    frond_result r = frond_encode(&f.model, NULL);
    CHECK_STR(r.ok ? "" : r.err.text, "");
    trilo_document *document = trilo_document_open(r.file.data, r.file.size, NULL, &err);
    CHECK_STR(document ? "" : err.text, "");
    const trilo_cost_opts opts = {.companion = give_sprite, .companion_user = &s};
    CHECK(trilo_document_check_textures(document, &opts, hear, &s, &err));
    CHECK_STR(s.heard, "materials[1] T3DM-TEXTURE-TWICE: \"rom:/c.sprite\" has the same content as \"rom:/a.sprite\": "
                       "one of them will do\n"
                       "materials[2] T3DM-TEXTURE-TWICE: \"rom:/d.sprite\" has the same content as \"rom:/b.sprite\": "
                       "one of them will do\n");
    s.heard[0] = '\0';
    CHECK(trilo_document_check_textures(document, &opts, NULL, &s, &err));
    CHECK(trilo_document_check_textures(document, NULL, hear, &s, &err)); /* without the files nothing is known */
    CHECK_STR(s.heard, "");
    trilo_document_free(document);
    frond_done(&r, NULL);
    for (int i = 0; i < TEXTURES; i++)
        trilo_sprite_free(s.made[i]);
}

TEST_MAIN(CASE(findings_name_the_first_material))

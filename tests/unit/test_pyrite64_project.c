/* The folders of a Pyrite64 project on disk. Links inside a project are not followed: what lies outside of it is
 * neither read nor named. */
#define _POSIX_C_SOURCE 200809L

#include "harness.h"
#include "trilobite/assets.h"
#include "trilobite/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A table with one image: rom:/a.sprite. */
static const char table[] = "\0\0\0\1\0\0\0\x0c\x10\0\0\0rom:/a.sprite";
/* The beginning of a PNG file of 16 by 8 pixels, which is all that a probe reads. */
static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x10\0\0\0\x08\x08\2\0\0\0";

static char root[200], text[512];

static const char *in_root(const char *name)
{
    snprintf(text, sizeof text, "%s/%s", root, name);
    return text;
}

static void put(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(in_root(name), "wb");
    CHECK(file);
    const size_t wrote = fwrite(bytes, 1, size, file);
    CHECK(fclose(file) == 0 && wrote == size);
}

static const char *const folders[] = {"project", "project/filesystem", "project/filesystem/p64", "project/assets",
                                      "outside", "outside/p64",        "outside/assets"};

static void project_make(void)
{
    snprintf(root, sizeof root, "%s", test_folder());
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        CHECK(mkdir(in_root(folders[i]), 0777) == 0);
    put("outside/p64/a", table, sizeof table);
    put("outside/a.sprite", png, sizeof png);
    put("outside/assets/a.png", png, sizeof png);
    put("outside/assets/a.conf", "{\"exclude\": true}", 17);
}

static void project_remove(void)
{
    char command[256];
    snprintf(command, sizeof command, "rm -r '%s'", root);
    CHECK(system(command) == 0);
}

/* Looks asset 0 up as the model in `filesystem` would. */
static trilo_found_asset find(const char *sprite, bool *has_file)
{
    trilo_found_asset found;
    char model[512];
    snprintf(model, sizeof model, "%s/project/filesystem/m.t3dm", root);
    trilo_assets *assets = trilo_assets_new(&(trilo_assets_opts){.model = model}, NULL);
    CHECK(assets);
    trilo_assets_find_asset(assets, 0, &found);
    *has_file = trilo_assets_file(assets, sprite) != NULL;
    trilo_assets_free(assets);
    return found;
}

static void link_to(const char *target, const char *name)
{
    CHECK(symlink(target, in_root(name)) == 0);
}

static void unlink_in(const char *name)
{
    CHECK(unlink(in_root(name)) == 0);
}

TEST(a_table_behind_a_link_is_not_read)
{
    bool has_file;
    project_make();
    put("project/filesystem/p64/a", table, sizeof table);
    put("project/filesystem/a.sprite", png, sizeof png);
    trilo_found_asset found = find("rom:/a.sprite", &has_file);
    CHECK(found.source == TRILO_ASSET_SOURCE_TABLE && has_file);
    CHECK_STR(found.path, "rom:/a.sprite");
    CHECK(found.width == 16 && found.height == 8);
    unlink_in("project/filesystem/p64/a");
    link_to("../../../outside/p64/a", "project/filesystem/p64/a");
    CHECK(find("rom:/a.sprite", &has_file).source == TRILO_ASSET_SOURCE_NONE);
    /* nor through a folder that is a link */
    unlink_in("project/filesystem/p64/a");
    CHECK(rmdir(in_root("project/filesystem/p64")) == 0);
    link_to("../../outside/p64", "project/filesystem/p64");
    CHECK(find("rom:/a.sprite", &has_file).source == TRILO_ASSET_SOURCE_NONE);
    project_remove();
}

TEST(a_sprite_behind_a_link_is_not_there)
{
    bool has_file;
    project_make();
    put("project/filesystem/p64/a", table, sizeof table);
    link_to("../../outside/a.sprite", "project/filesystem/a.sprite");
    const trilo_found_asset found = find("rom:/a.sprite", &has_file);
    CHECK(found.source == TRILO_ASSET_SOURCE_TABLE && !has_file && found.width == 0);
    /* nor is the PNG that it is made of */
    link_to("../../outside/assets/a.png", "project/assets/a.png");
    find("rom:/a.sprite", &has_file);
    CHECK(!has_file);
    unlink_in("project/assets/a.png");
    put("project/assets/a.png", png, sizeof png);
    find("rom:/a.sprite", &has_file);
    CHECK(has_file);
    project_remove();
}

TEST(assets_behind_a_link_are_not_counted)
{
    bool has_file;
    project_make();
    link_to("../../outside/assets/a.png", "project/assets/a.png");
    link_to("../../outside/assets", "project/assets/more");
    CHECK(find("rom:/a.sprite", &has_file).source == TRILO_ASSET_SOURCE_NONE);
    put("project/assets/b.png", png, sizeof png);
    link_to("../../outside/assets/a.conf", "project/assets/b.png.conf"); /* would exclude it */
    const trilo_found_asset found = find("rom:/a.sprite", &has_file);
    CHECK(found.source == TRILO_ASSET_SOURCE_RANK && found.count == 1);
    CHECK_STR(found.path, "rom:/b.sprite");
    unlink_in("project/assets/b.png.conf");
    put("project/assets/b.png.conf", "{\"exclude\": true}", 17);
    CHECK(find("rom:/a.sprite", &has_file).source == TRILO_ASSET_SOURCE_NONE);
    /* the folder itself */
    unlink_in("project/assets/b.png.conf");
    unlink_in("project/assets/b.png");
    unlink_in("project/assets/a.png");
    unlink_in("project/assets/more");
    CHECK(rmdir(in_root("project/assets")) == 0);
    link_to("../outside/assets", "project/assets");
    CHECK(find("rom:/a.sprite", &has_file).source == TRILO_ASSET_SOURCE_NONE && !has_file);
    project_remove();
}

TEST_MAIN(CASE(a_table_behind_a_link_is_not_read), CASE(a_sprite_behind_a_link_is_not_there),
          CASE(assets_behind_a_link_are_not_counted))

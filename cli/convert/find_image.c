#include "convert/find_image.h"

#include "alloc.h"
#include "paths.h"
#include "system.h"
#include "ui/report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 1 << 16 }; /* of an image: its size in pixels stands there */

static const char png[] = ".png", assets_folder[] = "assets";

/* ---- the folder of assets ---- */

/* "game/assets/hero/hero.glb": "game/assets". NULL: the model lies in no such folder. */
static char *assets_above(const char *model)
{
    char *path = path_folder(model);
    while (strcmp(path_last(path), assets_folder) != 0) {
        char *up = path_folder(path);
        const bool top = strcmp(up, path) == 0 || strcmp(up, ".") == 0;
        free(path);
        path = up;
        if (top) {
            free(path);
            return NULL;
        }
    }
    return path;
}

static const char *assets_of(cli_finder *finder)
{
    const char *given = args_given(finder->args, OPT_ASSET_PATH);
    if (!finder->assets && !given)
        finder->assets = assets_above(finder->model);
    if (!finder->assets)
        finder->assets = path_join(".", given ? given : assets_folder);
    return finder->assets;
}

/* ---- names ---- */

/* Blender numbers images of the same name: "wall.png.001". It also writes names without an ending. */
static char *file_name(const char *name)
{
    const char *end = strstr(name, png);
    if (end && end[sizeof png - 1] == '.')
        return path_with_ending(name, "");
    if (path_ends(name, png))
        return path_join(".", name);
    char *with = need(NULL, strlen(name) + sizeof png, 1);
    return strcat(strcpy(with, name), png);
}

/* Folders may be named, but none above. */
static bool leads_up(const char *name)
{
    while (*name) {
        const size_t length = strcspn(name, "/");
        if (length == 2 && name[0] == '.' && name[1] == '.')
            return true;
        name += length + (name[length] == '/');
    }
    return false;
}

/* ---- looking ---- */

static void warn(const cli_finder *finder, const char *sentence)
{
    const trilo_finding finding = {TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE, "", TRILO_NOWHERE, "", sentence};
    if (!finder->args->quiet)
        report_finding(&finder->args->err, finder->model, &finding);
}

static char *look_beside(const cli_finder *finder, const char *name)
{
    if (strcmp(finder->model, "-") == 0)
        return NULL;
    char *folder = path_folder(finder->model), *path = path_join(folder, name);
    free(folder);
    if (system_is_file(path))
        return path;
    free(path);
    return NULL;
}

static void scan(cli_finder *finder)
{
    if (finder->scanned)
        return;
    finder->scanned = true;
    finder->scan = scan_folder(assets_of(finder), png);
    if (finder->scan.cut)
        warn(finder, "the folder of assets is too large, not all of it was looked into");
}

static bool is_called(const char *path, const char *name)
{
    const size_t whole = strlen(path), length = strlen(name);
    return whole > length && path[whole - length - 1] == '/' && strcmp(path + whole - length, name) == 0;
}

static bool differs_in_case(const char *a, const char *b)
{
    const bool same = strcmp(a, b) == 0;
    for (; *a && tolower((unsigned char)*a) == tolower((unsigned char)*b); a++)
        b++;
    return *a == *b && !same;
}

/* Projects move between systems that tell capital letters apart and systems that do not. */
static void describe_places(cli_finder *finder, const char *name, trilo_found_image *found)
{
    const char *beside = strcmp(finder->model, "-") != 0 ? "beside it and " : "", *near = NULL;
    char *plain = file_name(name);
    scan(finder);
    for (size_t i = 0; i < finder->scan.count && !near; i++)
        if (differs_in_case(path_last(finder->scan.paths[i]), path_last(plain)))
            near = finder->scan.paths[i];
    snprintf(found->places, sizeof found->places,
             near ? "%sbelow %s, where %s has other capital letters" : "%sbelow %s", beside, assets_of(finder), near);
    free(plain);
}

static char *look_below(cli_finder *finder, const char *name)
{
    const char *first = NULL;
    size_t count = 0;
    scan(finder);
    for (size_t i = 0; i < finder->scan.count; i++)
        if (is_called(finder->scan.paths[i], name)) {
            first = first ? first : finder->scan.paths[i];
            count++;
        }
    if (count > 1) {
        char text[512];
        snprintf(text, sizeof text, "%s files are called \"%s\": %s is taken, give the others another name",
                 COUNT(count), name, first);
        warn(finder, text);
    }
    return first ? path_join(".", first) : NULL;
}

static char *look(cli_finder *finder, const char *name)
{
    if (*name == '/')
        return path_join(".", name);
    if (*name == '\0' || leads_up(name))
        return NULL;
    char *path = look_beside(finder, name), *plain = file_name(name);
    if (!path)
        path = look_beside(finder, plain);
    if (!path)
        path = look_below(finder, plain);
    free(plain);
    return path;
}

/* ---- what was found ---- */

bool finder_is_asset(cli_finder *finder, const char *path)
{
    char *rest = path_below(assets_of(finder), path);
    const bool is = rest != NULL;
    free(rest);
    return is;
}

bool finder_console_path(cli_finder *finder, const char *path, char *out, size_t room)
{
    char *rest = path_below(assets_of(finder), path);
    char *sprite = path_with_ending(rest ? rest : path_last(path), ".sprite");
    const int length = snprintf(out, room, "rom:/%s", sprite);
    free(sprite);
    free(rest);
    return length > 0 && (size_t)length < room;
}

char *finder_asset_of(cli_finder *finder, const char *console_path)
{
    static const char rom[] = "rom:/";
    if (strncmp(console_path, rom, strlen(rom)) != 0 || !path_ends(console_path, ".sprite"))
        return NULL;
    const char *rest = console_path + strlen(rom);
    if (*rest == '/' || leads_up(rest))
        return NULL;
    char *image = path_with_ending(rest, png), *path = path_join(assets_of(finder), image);
    free(image);
    if (system_is_file(path))
        return path;
    free(path);
    return NULL;
}

static void read_head(const char *path, trilo_found_image *found)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        return;
    uint8_t *head = need(NULL, HEAD, 1);
    found->bytes = (trilo_bytes){head, fread(head, 1, HEAD, in)};
    fclose(in);
}

static cli_image *ask(cli_finder *finder, const char *name)
{
    cli_image *image = need(NULL, 1, sizeof *image);
    *image = (cli_image){.name = path_join(".", name), .path = look(finder, name)};
    if (!image->path)
        describe_places(finder, name, &image->found);
    if (image->path && !finder_console_path(finder, image->path, image->found.path, sizeof image->found.path)) {
        warn(finder, "the path of an image is too long for the console, it is left out");
        free(image->path);
        image->path = NULL;
    }
    if (image->path && *name != '/') /* as Tiny3D's converter: the size of such an image is in the settings */
        read_head(image->path, &image->found);
    finder->images = need(finder->images, finder->count + 1, sizeof(cli_image *));
    return finder->images[finder->count++] = image;
}

bool find_image(void *user, trilo_image_key key, const char *name, trilo_found_image *found)
{
    (void)key;
    cli_finder *finder = user;
    const cli_image *image = NULL;
    for (size_t i = 0; i < finder->count && !image; i++)
        if (strcmp(finder->images[i]->name, name) == 0)
            image = finder->images[i];
    if (!image)
        image = ask(finder, name);
    *found = image->found;
    return image->path != NULL;
}

void finder_free(cli_finder *finder)
{
    for (size_t i = 0; i < finder->count; i++) {
        free(finder->images[i]->name);
        free(finder->images[i]->path);
        free((void *)(uintptr_t)finder->images[i]->found.bytes.data);
        free(finder->images[i]);
    }
    free(finder->images);
    free(finder->assets);
    scan_free(&finder->scan);
    finder->images = NULL;
    finder->count = 0;
    finder->assets = NULL;
}

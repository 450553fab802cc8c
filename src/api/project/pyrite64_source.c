#include "api/project/pyrite64_source.h"

#include "api/file/io.h"
#include "api/file/path.h"
#include <stdio.h>
#include <string.h>

static const tl_json *source_read_json(tl_arena *arena, trilo_bytes text)
{
    return text.size > 0 ? tl_json_read(arena, text, NULL, &tl_general_rules[TL_FILE_READ], 0, NULL) : NULL;
}

void tl_pyrite64_source_open(tl_pyrite64_source *source, const tl_pyrite64_project *project, tl_arena *arena,
                             const char *model)
{
    static const char *const endings[] = {".glb", ".gltf"};
    *source = (tl_pyrite64_source){.model = NULL};
    const char *below = project->filesystem ? tl_file_path_below(arena, project->filesystem, model) : NULL;
    for (size_t i = 0; below && project->assets && i < TL_COUNT_OF(endings) && !source->model; i++) {
        const char *name = tl_file_path_with_ending(arena, below, endings[i]);
        const char *path = name ? tl_file_path_join(arena, project->assets, name) : NULL;
        if (!path || !tl_file_is_below(project->assets, name))
            continue;
        source->assets = trilo_assets_new(&(trilo_assets_opts){.model = path, .folder = project->assets}, NULL);
        const trilo_load_opts opts = {.find_image = source->assets ? trilo_assets_find : NULL,
                                      .find_image_user = source->assets};
        source->model = trilo_model_load_file(path, &opts, NULL);
        source->conf = tl_pyrite64_project_read_conf(arena, path);
    }
    const tl_json *conf = source_read_json(arena, source->conf);
    source->materials = tl_json_member(tl_json_member(conf, "data"), "materials");
    if (source->materials)
        source->images = tl_folder_scan_files(arena, project->assets, ".png");
}

void tl_pyrite64_source_close(tl_pyrite64_source *source)
{
    trilo_model_free(source->model);
    trilo_assets_free(source->assets);
}

/* The digits of a number: those of a 64-bit one do not fit a double. */
static trilo_bytes source_digits(trilo_bytes text, const tl_json *number)
{
    const bool is_number = number && number->kind == TL_JSON_NUMBER;
    return is_number ? (trilo_bytes){text.data + number->at, number->end - number->at} : (trilo_bytes){NULL, 0};
}

/* The image whose settings have that uuid, as the console calls it. */
static bool source_find_uuid(const tl_pyrite64_source *source, const tl_pyrite64_project *project, tl_arena *arena,
                             trilo_bytes uuid, char *out, size_t room)
{
    for (size_t i = 0; uuid.size > 1 && i < source->images.count; i++) {
        const char *image = source->images.paths[i];
        const trilo_bytes text = tl_pyrite64_project_read_conf(arena, image);
        const trilo_bytes own = source_digits(text, tl_json_member(source_read_json(arena, text), "uuid"));
        if (own.size == uuid.size && memcmp(own.data, uuid.data, uuid.size) == 0)
            return tl_pyrite64_project_console_path(project, arena, image, out, room);
    }
    return false;
}

/* The texture of a tile of a material; "": it has none. False: not known. */
static bool source_expected(const tl_pyrite64_source *source, const tl_pyrite64_project *project, tl_arena *arena,
                            const trilo_material *material, int tile, char *out, size_t room)
{
    const tl_json *own = tl_json_member(source->materials, material->name.data);
    out[0] = '\0';
    if (own) {
        const tl_json *settings = tl_json_member(own, tile == 0 ? "tex0" : "tex1");
        if (!tl_json_bool(tl_json_member(settings, "set"), false))
            return true;
        return source_find_uuid(source, project, arena,
                                source_digits(source->conf, tl_json_member(settings, "texUUID")), out, room);
    }
    const uint32_t texture = material->n64 ? material->n64->tiles[tile].texture : TRILO_NONE;
    if (!material->n64 || texture == TRILO_NONE)
        return material->n64 != NULL;
    const int size = snprintf(out, room, "%s", source->model->textures[texture].path.data);
    return size > 0 && (size_t)size < room;
}

bool tl_pyrite64_source_fits(const tl_pyrite64_source *source, const tl_pyrite64_project *project, tl_arena *arena,
                             trilo_source_texture *question)
{
    bool known = false;
    char expected[sizeof question->expected];
    for (uint32_t i = 0; source->model && i < source->model->mesh_count; i++) {
        const trilo_mesh *mesh = &source->model->meshes[i];
        if (mesh->material == TRILO_NONE || strcmp(mesh->name.data, question->object) != 0 ||
            !source_expected(source, project, arena, &source->model->materials[mesh->material], question->tile,
                             expected, sizeof expected))
            continue;
        if (strcmp(expected, question->path) == 0)
            return true;
        if (expected[0] != '\0') {
            memcpy(question->expected, expected, sizeof expected);
            known = true;
        }
    }
    return !known;
}

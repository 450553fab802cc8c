/* Any bytes as the JSON of one material, in a file with textures to refer to. Whatever is found, the answer is whole;
 * what is broken is pointed at; the same bytes read the same again. */
#include "fuzz/fuzz.h"
#include "harness.h"
#include "support/fast64_files.h"

#include <stdlib.h>
#include <string.h>

static const char before[] = "{\"materials\":[";
static const char behind[] =
    "],\"textures\":[{\"sampler\":0,\"source\":0},{\"sampler\":1,\"source\":1},{\"sampler\":2}],"
    "\"images\":[{\"name\":\"wall.ci4\"},{}],\"samplers\":[{\"extensions\":{\"FAST64_sampler_n64\":{\"fields\":["
    "{\"clamp\":true,\"mirror\":true},{\"low\":0.5,\"high\":64.0,\"mask\":6,\"shift\":-1}]}}},{},{\"wrapS\":33071}]}";

static void check_image(const fast64_material *m, int i)
{
    CHECK(m->images[i].name.data && strlen(m->images[i].name.data) == m->images[i].name.len);
    CHECK(m->images[i].image == TRILO_NONE || m->images[i].image < 2);
    CHECK_INT(m->n64.tiles[i].texture, TRILO_NONE);
    CHECK(m->n64.tiles[i].reference == 0 || (m->images[i].name.len == 0 && m->images[i].image == TRILO_NONE));
}

/* What the console's words may hold: no bit where no field is. */
static void check_words(const trilo_n64_material *n64)
{
    const uint64_t fields = UINT64_C(0x80FFFFFFFFFFFFFF);
    CHECK_INT(n64->combiner & ~fields, 0);
    CHECK_INT(n64->other_mode & ~n64->other_mask & ~UINT64_C(0xC00), 0);
    CHECK_INT(n64->draw_flags & ~0x1001Fu, 0);
    CHECK(n64->fog <= 2 && n64->set_flags <= 7 && n64->vertex_effect <= 1);
}

static fast64_found try_material(fast64_file *file, const tl_json *json, fast64_material *m)
{
    const tl_json *where = NULL;
    const char *problem = NULL;
    const fast64_found found = tl_fast64_read(&file->gltf, json, m, &where, &problem);
    CHECK_INT(found == FAST64_BROKEN, where != NULL);
    CHECK_INT(found == FAST64_BROKEN, problem != NULL);
    CHECK(!where || (where->at < where->end && where->end <= file->gltf.json.size));
    CHECK(found == FAST64_READ || (m->n64.combiner == 0 && m->n64.other_mask == 0 && m->images[0].name.len == 0));
    for (int i = 0; i < 2; i++)
        check_image(m, i);
    check_words(&m->n64);
    for (int i = 0; i < 2; i++)
        tl_fast64_fit(m, i, json->at, json->end);
    return found;
}

/* Switches change numbers, never what is found; without materials all is read. */
static void try_switches(fast64_file *file, const tl_json *json, fast64_found found)
{
    fast64_material m;
    const trilo_gltf_load_opts *usual = file->opts.gltf;
    for (int i = 0; i < 8; i++) {
        file->opts.gltf = &(trilo_gltf_load_opts){
            .srgb = (i & 1) != 0, .fast64_cutout = (i & 2) != 0, .fast64_lighting = (i & 4) != 0};
        CHECK_INT(try_material(file, json, &m), found);
    }
    file->opts.gltf = &(trilo_gltf_load_opts){.ignore_materials = true};
    CHECK_INT(try_material(file, json, &m), FAST64_READ);
    CHECK_INT(m.n64.combiner, 0);
    file->opts.gltf = usual;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fast64_file file;
    fast64_material m;
    const size_t total = sizeof before - 1 + size + sizeof behind - 1;
    char *text = malloc(total);
    CHECK(text);
    memcpy(text, before, sizeof before - 1);
    if (size > 0)
        memcpy(text + sizeof before - 1, data, size);
    memcpy(text + sizeof before - 1 + size, behind, sizeof behind - 1);
    if (fast64_file_read(&file, text, total)) {
        const gltf_table *materials = &file.gltf.tables[GLTF_MATERIALS];
        for (uint32_t i = 0; i < materials->count && i < 4; i++)
            try_switches(&file, materials->items[i], try_material(&file, materials->items[i], &m));
    }
    fast64_file_free(&file);
    free(text);
    return 0;
}

/* Textures: which there are, in which format, and what they take of texture memory. */
#include "container/dca.h"
#include "container/sprite.h"
#include "formats/t3dm/cost/cost.h"
#include "n64/combiner.h"
#include "n64/console_path.h"
#include "n64/modes.h"
#include "n64/texels.h"

#include <string.h>

enum { COST_SPRITE_MOST = 1 << 24 };

typedef struct cost_textures {
    const t3dm_file *file;
    const trilo_cost_opts *opts;
    tl_arena *arena, *scratch;
    uint32_t *rows; /* for each offset of the string table, the texture with that path and 1; 0: none */
    tl_sprite *sprites;
    uint32_t *hashes;   /* of their files */
    uint32_t *palettes; /* the same of their palettes; 0: not known */
    trilo_cost_texture *textures;
    uint32_t count;
} cost_textures;

/* A name that stays inside the folder, which the callback relies on. */
static bool cost_load_sprite(const trilo_cost_opts *o, const char *name, trilo_bytes *bytes)
{
    const bool below = *name && *name != '/' && !strpbrk(name, "\\:") && !strstr(name, "..");
    return o->companion && below && o->companion(o->companion_user, name, bytes);
}

static bool cost_read_sprite(const cost_textures *a, const char *path, tl_sprite *sprite, trilo_cost_texture *texture)
{
    /* On the console rom:/ is the root of the game's files; they keep that tree, or lie beside the model. */
    const char *on_console = tl_console_path_below(path), *below = on_console ? on_console : path;
    const char *plain = tl_t3dm_plain_name(path);
    trilo_bytes bytes;
    if (!cost_load_sprite(a->opts, below, &bytes) && (plain == below || !cost_load_sprite(a->opts, plain, &bytes)))
        return false;
    texture->stored_size = bytes.size;
    if (tl_dca_probe(bytes) && !tl_dca_decompress(a->scratch, bytes, COST_SPRITE_MOST, &bytes, NULL, NULL))
        return false;
    texture->file_size = bytes.size;
    texture->smaller = tl_sprite_smaller_texels(bytes, &texture->colors);
    a->hashes[a->count] = trilo_fnv1a(bytes.data, bytes.size);
    const trilo_bytes palette = tl_sprite_palette(bytes);
    a->palettes[a->count] = palette.size > 0 ? trilo_fnv1a(palette.data, palette.size) : 0;
    for (uint32_t i = 0; i < a->count && texture->same_as == TRILO_NONE; i++)
        if (a->textures[i].from_file && a->textures[i].file_size == bytes.size && a->hashes[i] == a->hashes[a->count])
            texture->same_as = i;
    return tl_sprite_read(bytes, sprite);
}

static bool cost_add_texture(cost_textures *a, const t3dm_texture *from)
{
    const char *path = tl_t3dm_string(a->file, from->path);
    tl_sprite *sprite = &a->sprites[a->count];
    trilo_cost_texture *t = &a->textures[a->count];
    if (!path)
        path = "";
    t->path = tl_str_copy(a->arena, path, strlen(path));
    t->same_as = TRILO_NONE;
    t->from_file = cost_read_sprite(a, path, sprite, t);
    if (!t->from_file)
        *sprite = tl_sprite_of(trilo_texels_from_path(path), from->width, from->height);
    t->texels = sprite->texels;
    t->width = sprite->width, t->height = sprite->height;
    t->images = sprite->image_count;
    t->tmem = tl_tmem_used(&sprite->tmem), t->palette = sprite->tmem.palette;
    t->tmem_limit = tl_tmem_limit(&sprite->tmem);
    a->rows[from->path] = ++a->count;
    return t->path.data != NULL;
}

/* The textures of a material, what they take of TMEM together, and the cycles of a pixel. */
static bool cost_fill_material(cost_textures *a, const t3dm_material *from, trilo_cost_material *material)
{
    const t3dm_material_head *h = &from->head;
    /* The combiner, mipmaps, or a blender of two passes need a second cycle. */
    const bool own_cycles = tl_cc_unpack(h->combiner).two_cycles;
    const uint32_t fog = h->fog == TRILO_N64_FOG_ON ? TL_BLENDER_FOG : 0;
    bool two_cycles = own_cycles || tl_blend_takes_two_cycles(h->blender, fog);
    bool known = true;
    tl_tmem tmem = {0};
    for (int k = 0; k < 2; k++) {
        const t3dm_texture *slot = &from->textures[k];
        material->textures[k] = TRILO_NONE;
        if (slot->path == 0 || slot->path >= a->file->strings.size)
            continue; /* none, or one of the game's */
        if (a->rows[slot->path] == 0 && !cost_add_texture(a, slot))
            return false;
        const uint32_t row = a->rows[slot->path] - 1;
        material->textures[k] = row;
        trilo_cost_texture *t = &a->textures[row];
        t->tile_width = slot->width > t->tile_width ? slot->width : t->tile_width;
        t->tile_height = slot->height > t->tile_height ? slot->height : t->tile_height;
        two_cycles |= a->textures[row].images > 1;
        material->mipmaps_clash |= own_cycles && a->textures[row].images > 1;
        if (k == 1 && row == material->textures[0])
            continue; /* the texture of the first slot takes no more */
        known &= a->sprites[row].image_count > 0;
        tl_tmem_add_all(&tmem, &a->sprites[row].tmem);
    }
    const uint32_t *both = material->textures;
    if (both[0] != TRILO_NONE && both[1] != TRILO_NONE && both[0] != both[1] && known)
        material->palettes_clash =
            (a->textures[both[0]].palette > 0) != (a->textures[both[1]].palette > 0) ||
            (a->palettes[both[0]] && a->palettes[both[1]] && a->palettes[both[0]] != a->palettes[both[1]]);
    material->tmem = known ? tl_tmem_used(&tmem) : 0;
    material->tmem_limit = tl_tmem_limit(&tmem);
    material->cycles = two_cycles ? 2 : 1;
    material->blends = h->blender != 0;
    material->depth = (h->draw_flags & TRILO_N64_DEPTH) != 0;
    return true;
}

/* The objects in order: what each has to set. */
static void cost_run_materials(const cost_textures *a, trilo_cost *cost, trilo_cost_object *objects,
                               trilo_cost_material *materials)
{
    t3dm_pipeline pipeline = {0};
    for (uint32_t i = 0; i < a->file->object_count; i++) {
        const t3dm_material *from = t3dm_material_of(a->file, &a->file->objects[i]);
        if (!from)
            continue;
        const t3dm_setting s = tl_t3dm_set_material(&pipeline, from);
        trilo_cost_material *m = &materials[objects[i].material];
        objects[i].changes = t3dm_sets(&s);
        m->changes += objects[i].changes;
        m->state_bytes += s.state_bytes;
        m->overlay_bytes += s.pipeline ? TL_RSP_OVERLAY_BYTES : 0;
        cost->overlay_switches += s.pipeline;
        for (int k = 0; k < 2; k++)
            if (s.uploads[k] && m->textures[k] != TRILO_NONE) {
                a->textures[m->textures[k]].uploads++;
                m->uploads++;
                m->upload_bytes += a->textures[m->textures[k]].tmem;
                m->upload_bytes += a->textures[m->textures[k]].palette / TL_TMEM_PALETTE_COPIES;
            }
    }
}

bool tl_t3dm_cost_materials(const t3dm_file *file, const trilo_cost_opts *opts, tl_arena *arena, tl_arena *scratch,
                            trilo_cost *cost, trilo_cost_object *objects, trilo_cost_material *materials)
{
    const size_t most = 2 * (size_t)file->material_count;
    cost_textures a = {.file = file, .opts = opts, .arena = arena, .scratch = scratch};
    a.rows = TL_ARRAY(scratch, file->strings.size, uint32_t);
    a.sprites = TL_ARRAY(scratch, most, tl_sprite);
    a.hashes = TL_ARRAY(scratch, most, uint32_t);
    a.palettes = TL_ARRAY(scratch, most, uint32_t);
    a.textures = TL_ARRAY(arena, most, trilo_cost_texture);
    if (!a.rows || !a.sprites || !a.hashes || !a.palettes || !a.textures)
        return false;
    for (uint32_t i = 0; i < file->material_count; i++) {
        materials[i].cycles = 1;
        if (!file->materials[i].opaque && !cost_fill_material(&a, &file->materials[i], &materials[i]))
            return false;
    }
    cost_run_materials(&a, cost, objects, materials);
    cost->textures = a.textures;
    cost->texture_count = a.count;
    for (uint32_t i = 0; i < cost->material_count; i++) {
        cost->material_changes += materials[i].changes;
        cost->uploads += materials[i].uploads;
        cost->state_bytes += materials[i].state_bytes;
        cost->overlay_bytes += materials[i].overlay_bytes;
        cost->upload_bytes += materials[i].upload_bytes;
        cost->tmem_most = materials[i].tmem > cost->tmem_most ? materials[i].tmem : cost->tmem_most;
    }
    for (uint32_t i = 0; i < cost->texture_count; i++) {
        cost->sprite_size += cost->textures[i].file_size;
        cost->sprite_stored += cost->textures[i].stored_size;
        cost->unknown_textures += cost->textures[i].images == 0;
    }
    return true;
}

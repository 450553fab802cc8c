/* rom_textures.h: what images are called on the console, and which images sprites were made from. */
#ifndef TL_CLI_CONVERT_ROM_TEXTURES_H
#define TL_CLI_CONVERT_ROM_TEXTURES_H

#include "convert/find_image.h"

typedef struct cli_rom_textures {
    trilo_texture *textures;
    trilo_found_image *places; /* one for each */
    uint8_t **images;          /* one for each; NULL: not loaded */
    uint32_t count;
} cli_rom_textures;

/* Gives the textures of a model that was read from glTF the paths of the sprites that will be made of them: images
 * beside the model by where they are in the folder of assets, embedded ones by an image of the same name that is found
 * there. What `rom` holds must outlive the model, and is freed with rom_textures_free. */
void rom_textures_find(cli_rom_textures *rom, trilo_model *model, cli_finder *finder);

/* The other way round: gives textures that only have a path on the console the image in the folder of assets. */
void rom_textures_load(cli_rom_textures *rom, trilo_model *model, cli_finder *finder);
void rom_textures_free(cli_rom_textures *rom);

#endif

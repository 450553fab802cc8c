/* sprite.h: what the commands sprite and mksprite share. */
#ifndef TL_CLI_SPRITE_SPRITE_H
#define TL_CLI_SPRITE_SPRITE_H

#include "usage/args.h"

#include "trilobite/sprite.h"

typedef struct sprite_made sprite_made;

/* The options of the command line. */
typedef struct sprite_options {
    const cli_args *args;
    trilo_sprite_opts opts; /* points into this struct */
    trilo_sprite_sampling sampling[2], detail_sampling[2];
    const trilo_bitmap *detail;
    uint32_t width, height; /* 0: those of the image */
    bool plans, resizes, splits, power_of_two;
    bool together;               /* the images are the textures of one material */
    const sprite_made *previous; /* the other one, if it was made before */
    double max_delta_e;
} sprite_options;

/* The options that both commands have. */
exit_code sprite_read_options(const cli_args *args, sprite_options *options);
void sprite_free_options(sprite_options *options);

/* One image on its way to a sprite. */
struct sprite_made {
    const char *in;
    char *out;
    const trilo_sprite *sprite;
    trilo_sprite_plan plan; /* candidate_count 0: the format was not searched */
    uint32_t source_width, source_height;
    const trilo_bitmap *bitmap; /* of the file; NULL: it was resized */
    const trilo_image *resized;
    trilo_shared_image shared;         /* with --share-palettes */
    const trilo_sprite_pieces *pieces; /* instead of `sprite`, which does not fit TMEM; NULL: it is whole */
};

/* Reads, resizes and encodes. Failures have been explained. */
exit_code sprite_make(const sprite_options *options, sprite_made *made);
/* Gives sprites with made palettes as few palettes as --texture-error allows. */
exit_code sprite_share_palettes(const sprite_options *options, sprite_made *made, size_t count);
/* How many of `sprites` palette loads a game may skip when there are only that many palettes. */
void sprite_print_loads(FILE *out, size_t sprites, size_t palettes);
/* Writes all of them. */
exit_code sprite_write(const cli_args *args, const sprite_made *made, size_t count);
/* What --json prints: the sprites that were written, which are all or none. */
void sprite_print_json(const cli_args *args, const sprite_made *made, size_t count);
void sprite_free_made(sprite_made *made, size_t count);

/* Decodes an image file; what went wrong is explained. */
exit_code sprite_read_image(const cli_args *args, const char *path, const trilo_bitmap **bitmap);
/* "RGBA16" in either case; unknown: there are no such texels. */
trilo_texels sprite_texels_named(const char *name);
/* The path of a piece, "wall-0-1.ci4.sprite" of "wall.ci4.sprite": row 0, column 1. */
char *sprite_piece_path(const sprite_made *made, uint32_t piece);
/* DIR/NAME.sprite of "x/NAME.png". */
char *sprite_path(const char *folder, const char *in, const char *ending);
/* Writes an image as PNG. */
exit_code sprite_write_png(const cli_args *args, const trilo_image *image, const char *path);

#endif

/* convert.h: conversion of one model. */
#ifndef TL_CLI_CONVERT_CONVERT_H
#define TL_CLI_CONVERT_CONVERT_H

#include "companions.h"
#include "input.h"
#include "ui/json.h"

#include "trilobite/convert.h"
#include "trilobite/file.h"

struct cli_conversion;

/* What a batch receives from a conversion, and what it passes to it. */
typedef struct cli_conversion_hooks {
    void (*on_written)(void *user, const struct cli_conversion *conversion);
    bool (*is_own)(void *user, const char *path); /* it wrote that file earlier */
    trilo_progress_fn *on_progress;
    void *user;
} cli_conversion_hooks;

typedef struct cli_conversion {
    const cli_args *args;
    const cli_conversion_hooks *hooks; /* NULL: none */
    const char *in, *out;
    cli_load_opts load;
    trilo_convert_opts opts; /* points to what follows */
    trilo_write_opts write;  /* points to the options of the formats */
    trilo_nlm_write_opts nlm;
    trilo_t3dm_write_opts t3dm;
    trilo_model64_write_opts model64;
    trilo_gltf_write_opts gltf;
    trilo_rewrite_opts rewrite;
    trilo_model_edit_opts edit;
    trilo_clip_edit clips;
    trilo_sprite_opts sprite;
    trilo_convert_sprites sprites;
    trilo_clip_part *parts;  /* of --clip */
    const trilo_file *image; /* of --replace-texture */
    cli_input input;
    const trilo_conversion *result; /* NULL: it failed */
    trilo_commit_state *states;     /* of each companion of the result */
    char **paths;                   /* where they go */
    char *stale;                    /* a stream of an earlier model; NULL: there is none */
    char *failed;                   /* the file that could not be written, if it is not OUT */
    cli_json *json;
    const char *subject; /* the file that findings are about */
    bool hushed;         /* notes are not printed */
    bool guesses_rom;    /* no option says which folder is rom:/ */
    size_t losses;
    size_t errors;     /* findings with which nothing is written */
    exit_code failure; /* of --clip; already reported */
    char *depfile;     /* path of the dependency file; NULL: none */
} cli_conversion;

/* convert IN OUT. */
exit_code convert_file(const cli_args *args, const cli_conversion_hooks *hooks);

/* Runs a conversion whose options were read. Shared by convert and gltf_to_t3d. Frees its contents. */
exit_code convert_carry_out(cli_conversion *conversion);

/* Reads all options, without IN and OUT (options.c). */
exit_code convert_prepare(cli_conversion *conversion);
/* Reads the rest once the input is known. Refuses options that do not apply to the output format. */
exit_code convert_choose(cli_conversion *conversion);
/* Reads the options of sprites (sprites.c), and reports the results on standard error. */
exit_code convert_read_sprites(cli_conversion *conversion);
void convert_print_sprites(const cli_conversion *conversion);
void convert_json_sprites(const cli_conversion *conversion);

/* Sets the pointers in the library options to the structs of the conversion. */
void convert_link(cli_conversion *conversion);

/* Reads the options of a Model, and the scale of both N64 formats (model64.c). */
exit_code convert_read_model64(cli_conversion *conversion);

/* Writes the result to OUT, and its companions beside it (commit.c). */
exit_code convert_commit(cli_conversion *conversion);
/* True if the companion is on disk: written, or unchanged. */
bool convert_wrote(const cli_conversion *conversion, uint32_t companion);

void convert_free(cli_conversion *conversion);

/* The files that the output was made from, IN first, each once; the caller frees both (depfile.c). */
char **convert_sources(const cli_conversion *conversion, size_t *count);
/* Reads --depfile; EXIT_USAGE if make cannot name IN or OUT. */
exit_code convert_read_depfile(cli_conversion *conversion);

/* "OUT STREAM...: IN IMAGE... BUFFER...", for make; the caller frees the bytes (depfile.c). What make cannot name is
 * left out with a warning. */
trilo_bytes convert_make_depfile(const cli_conversion *conversion);
/* True if a rule for make can contain that path. */
bool depfile_can_name(const char *path);

#endif

/* convert.h: one model on its way from a file to another. */
#ifndef TL_CLI_CONVERT_CONVERT_H
#define TL_CLI_CONVERT_CONVERT_H

#include "companions.h"
#include "convert/rom_textures.h"
#include "input.h"
#include "ui/json.h"

typedef struct cli_conversion {
    const cli_args *args;
    const char *in, *out;
    trilo_load_opts load;
    trilo_write_opts write;
    trilo_rewrite_opts rewrite;
    trilo_model_edit_opts edit;
    uint8_t *image; /* of --replace-texture */
    cli_input input;
    const trilo_model *edited; /* NULL: as it was read */
    trilo_model result;        /* what is written; it borrows from one of the two */
    cli_rom_textures textures; /* of a glTF file that goes to the console */
    cli_companions companions; /* what is written beside it */
    cli_json *json;
    const char *subject; /* the file that findings are about */
    bool exact;          /* the records as they are */
    bool hushed;         /* notes are left out */
    bool draws;          /* a model without triangles is refused, even when it has clips */
    bool guesses_rom;    /* nobody said which folder is rom:/ */
    size_t losses;
    exit_code failure; /* of a companion file, which has been explained */
    uint64_t size;     /* bytes written */
    char *depfile;     /* where a rule for make goes; NULL: nowhere */
} cli_conversion;

/* From the input to the output, once the command line has been read: all that convert and gltf_to_t3d share. Frees what
 * the conversion holds. */
exit_code convert_carry_out(cli_conversion *conversion);
/* Tells what ends the conversion, on standard error and, with --json, there too. */
void convert_fail(const cli_conversion *conversion, const trilo_finding *finding);
/* Why nothing of the model would be seen; NULL: something is. */
const char *convert_emptiness(const trilo_model *model);
/* Would all of it be a single point, at that scale? */
bool convert_collapses(const trilo_model *model, const trilo_write_opts *write);
extern const trilo_finding convert_collapsed; /* what is to say then */
/* The images of textures, from the folder of assets or for it, where the formats want them. */
void convert_textures(cli_conversion *conversion, trilo_model *result, cli_finder *finder);

/* What the command line asks for, but for IN and OUT (convert_options.c). */
exit_code convert_prepare(cli_conversion *conversion);
/* The rest of it, once the input is known: refuses options that are not for the format of the output. */
exit_code convert_choose(cli_conversion *conversion);
bool convert_edits(const trilo_model_edit_opts *edit);

/* What it asks of a Model, and the scale of both formats of the N64 (convert_model64.c). */
exit_code convert_read_model64(cli_conversion *conversion);

/* Writes the output and what belongs to it (convert_write.c, convert_companions.c). */
exit_code convert_write(cli_conversion *conversion);
void convert_collect_companions(cli_conversion *conversion);
bool convert_write_companions(cli_conversion *conversion);
/* After a failure: what was not there before goes away again. */
void convert_remove_companions(cli_conversion *conversion);

/* "OUT STREAM...: IN IMAGE... BUFFER...", for make (depfile.c); true as well when none is wanted. */
bool convert_write_depfile(cli_conversion *conversion);

#endif

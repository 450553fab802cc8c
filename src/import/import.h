/* import.h: models of other programs, read through Assimp. The library is optional; without it nothing is imported.
 *
 * Assimp allocates memory of its own, outside of the limits of Trilobite, and is not made for hostile files.
 */
#ifndef TL_IMPORT_IMPORT_H
#define TL_IMPORT_IMPORT_H

#include "base/arena.h"
#include "base/report.h"
#include "trilobite/load.h"
#include "trilobite/model.h"

enum tl_import_rule_id {
    TL_IMPORT_R_FAILED,
    TL_IMPORT_R_LOST,
    TL_IMPORT_R_LOST_LIGHTS,
    TL_IMPORT_R_LOST_CAMERAS,
    TL_IMPORT_R_UNITS,
    TL_IMPORT_RULE_COUNT
};
extern const trilo_rule tl_import_rules[TL_IMPORT_RULE_COUNT];

typedef struct tl_import_format {
    char name[16]; /* "FBX"; of others than that, the extension in capitals */
} tl_import_format;

/* True if Assimp reads files with this ending, or that begin like this. Then `format` says what it is. `name` may be
 * NULL. False without Assimp. */
bool tl_import_reads(trilo_bytes bytes, const char *name, tl_import_format *format);

/* The model of a file, with memory from the arena. `name` is the file's own; other files (materials, images) are
 * requested through opts->companion. What is lost is reported. */
bool tl_import_model(trilo_bytes bytes, const char *name, const trilo_load_opts *opts, tl_arena *arena,
                     trilo_model *model, tl_report *losses, trilo_error *err);

#endif

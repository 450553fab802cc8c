/* models.h: the models that are shown, with all their files in memory.
 *
 * Everything that is served comes from here and not from the disk: only these files can be requested, and a browser
 * never gets parts of two versions.
 */
#ifndef TL_CLI_VIEW_MODELS_H
#define TL_CLI_VIEW_MODELS_H

#include "page/page.h"

/* A model as it was read. Responses that are on their way keep it. */
typedef struct view_model {
    unsigned uses;
    const char *path;           /* as on the command line */
    const trilo_bundle *bundle; /* NULL: the file cannot be read */
} view_model;

typedef struct view_models {
    const cli_args *args;
    uint64_t version; /* counts the changes, from 1 */
    size_t count;
    view_model **rows;
} view_models;

/* Reads all models of the command line. Fails if one cannot be read at all; what is broken is reported and shown. */
exit_code models_open(view_models *models, const cli_args *args);
void models_close(view_models *models);

/* Reads all of them again. True if any byte has changed; then the version is a new one. */
bool models_refresh(view_models *models);

/* {"version":1,"models":[{"name":"hero.glb","files":[{"name":"hero.glb","url":"f/0/hero.glb"},...]},...]} */
void models_put_list(const view_models *models, cli_buffer *out);

/* The file with exactly that URL. Must be released; NULL: there is none. */
view_model *models_find(const view_models *models, const char *url, const trilo_bundle_file **file);
void models_release(view_model *model);

#endif

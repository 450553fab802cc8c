/* cost.h: what `trilobite cost` prints about a model, as text and as JSON. */
#ifndef TL_CLI_COST_COST_H
#define TL_CLI_COST_COST_H

#include "cost/figures.h"
#include "input.h"
#include "ui/json.h"
#include "ui/table.h"

#include "trilobite/convert.h"
#include "trilobite/file.h"

/* Sprites that were read; they stay in memory until the report is done. */
typedef struct cost_sprites {
    const char *model; /* its path */
    trilo_memory memory;
    size_t count;
    const trilo_file **files;
} cost_sprites;

/* The pixels that the RDP has to fill. */
typedef struct cost_fill {
    bool wanted;
    double percent;
    uint32_t width, height;
    trilo_cost_fill estimate;
} cost_fill;

typedef struct cost_model {
    const char *path;
    cli_input input;
    const trilo_conversion *made; /* with --as: the converted file */
    trilo_document *converted;
    cost_sprites sprites;
    const trilo_cost *cost; /* NULL: failed; already reported */
    trilo_error err;        /* the reason, unless the input was refused */
    cost_fill fill;
    cost_values values;
} cost_model;

typedef struct cost_limit {
    size_t figure;
    double most;
} cost_limit;

typedef struct cost_budget {
    size_t count;
    cost_limit limits[COST_FIGURES]; /* the last one given for each figure */
} cost_budget;

typedef struct cost_options {
    const cli_args *args;
    cli_load_opts load;
    uint32_t instances, limit;
    cost_fill fill; /* percent, width and height */
    cost_budget budget;
    cost_values sum; /* of all models so far */
    size_t models;
} cost_options;

/* Reads a model and counts its cost. Must be closed, even on failure. */
exit_code cost_open(cost_model *model, const cost_options *options, const char *path);
void cost_close(cost_model *model);

/* Converts the file to the format of --as and opens it as model->converted (as.c). */
exit_code cost_convert(cost_model *model, const cost_options *options);

/* A trilo_companion_fn; `user` is a cost_sprites. */
bool cost_find_sprite(void *user, const char *name, trilo_bytes *bytes);
void cost_sprites_free(cost_sprites *sprites);

exit_code cost_fill_options(const cli_args *args, cost_fill *fill);

/* budget.c */
exit_code cost_budget_read(const cli_args *args, cost_budget *budget);
bool cost_budget_limits(const cost_budget *budget, const char *figure); /* true if it limits this figure */
/* True if all figures are within the budget. */
bool cost_budget_kept(const cost_budget *budget, const cost_values *values);
void cost_budget_print(const cost_budget *budget, const cost_values *values, const cli_screen *screen);
void cost_budget_json(const cost_budget *budget, const cost_values *values, cli_json *json);

/* project.c */
bool cost_budget_knows(const char *name); /* true if it is a figure, or another name of one */
/* True if the figures of a document are within the budgets that the project has for the file. `fn` receives those that
 * are not. Sprites are looked for beside `subject`. */
exit_code cost_check_budgets(const cli_args *args, const trilo_document *document, const char *file,
                             const char *subject, trilo_finding_fn *fn, void *user, trilo_error *err);
/* The same, reported about `subject` on standard error. */
exit_code cost_check_project(const cli_args *args, const trilo_document *document, const char *file,
                             const char *subject);
/* The same for what a conversion of the file made. */
exit_code cost_check_result(const cli_args *args, const trilo_conversion *result, const char *file,
                            const char *subject);

/* text.c, json.c */
void cost_print_text(const cost_model *model, const cost_options *options);
void cost_print_json(const cost_model *model, const cost_options *options, cli_json *json);
void cost_json_values(cli_json *json, const char *key, const cost_values *values);

/* compare.c */
void cost_compare_text(const cost_model *model, const cost_model *other, const cost_options *options);
void cost_compare_json(const cost_model *model, const cost_model *other, cli_json *json);

/* Formats a figure inside an expression, like COUNT. */
#define COST_TEXT(value)   cost_text_value((value), (char[32]){0})
#define COST_TENTHS(value) cost_text_tenths((value), (char[32]){0})

/* tables.c */
void cost_print_materials(const trilo_cost *cost, const cost_options *options);
void cost_print_textures(const trilo_cost *cost, const cost_options *options);
void cost_print_objects(const trilo_cost *cost, const cost_options *options);

#endif

/* info.h: what `trilobite info` tells about a model, as text and as JSON. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include "input.h"
#include "json.h"

typedef struct cli_totals {
    uint64_t vertices, triangles, lines, joints;
} cli_totals;

cli_totals info_totals(const trilo_model *model);

uint32_t info_primitives(const trilo_mesh *mesh);                        /* triangles or lines */
uint32_t info_texture(const trilo_model *model, const trilo_mesh *mesh); /* TRILO_NONE: none */
uint64_t info_keys(const trilo_clip *clip);
const char *info_image_kind(trilo_image_kind kind);
const char *info_topology(const cli_input *input); /* how an NLM file was read: "guess", "triangles", "lines" */
bool info_is_empty(const trilo_bounds *bounds);

/* All sections of a file; the caller frees them. */
trilo_section *info_sections(const trilo_document *document, size_t *count);

void info_print_text(const cli_input *input, const cli_screen *screen);
void info_print_json(const cli_input *input, cli_json *json);

#endif

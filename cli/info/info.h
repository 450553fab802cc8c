/* info.h: what `trilobite info` prints about a model, as text and as JSON. */
#ifndef TL_CLI_INFO_INFO_H
#define TL_CLI_INFO_INFO_H

#include "input.h"
#include "ui/json.h"
#include "ui/table.h"

#include "trilobite/gltf.h"
#include "trilobite/model64.h"
#include "trilobite/t3dm.h"

typedef struct cli_info {
    const cli_input *input;
    trilo_format format;
    trilo_t3dm_summary t3dm;
    trilo_model64_summary model64;
    trilo_model64_frames *frames, all_frames; /* of a Model: per clip, and in total */
    trilo_gltf_summary gltf;
    bool materials; /* describe materials in words */
} cli_info;

typedef struct cli_totals {
    uint64_t vertices, triangles, lines, joints;
} cli_totals;

cli_totals info_totals(const trilo_model *model);

uint32_t info_primitives(const trilo_mesh *mesh);                        /* triangles or lines */
uint32_t info_texture(const trilo_model *model, const trilo_mesh *mesh); /* TRILO_NONE: none */
uint64_t info_channels(const cli_info *info, uint32_t clip);
uint64_t info_keys(const cli_info *info, uint32_t clip);
const char *info_image_kind(trilo_image_kind kind);
const char *info_topology(const cli_input *input); /* how an NLM file was read: "guess", "triangles", "lines" */
bool info_is_empty(const trilo_bounds *bounds);

/* All sections of a file. The caller frees them. */
trilo_section *info_sections(const trilo_document *document, size_t *count);

void info_print_text(const cli_info *info, const cli_screen *screen);
void info_print_json(const cli_info *info, cli_json *json);

/* Parts of the reports. */
void info_print_meshes(const cli_info *info, const cli_screen *screen);
void info_print_textures(const trilo_model *model, const cli_screen *screen);
/* Those that are found, as small pictures. */
void info_print_thumbnails(const cli_input *input, const cli_screen *screen);
void info_print_bones(const trilo_model *model, const cli_screen *screen);
void info_print_clips(const cli_info *info, const cli_screen *screen);
void info_print_chunks(const trilo_model *model, const cli_screen *screen);
void info_print_lists(const cli_info *info, const cli_screen *screen);
void info_print_gltf(const cli_info *info, const cli_screen *screen); /* its images */
/* What a material does, in words, without its name. */
void info_print_material(const trilo_model *model, uint32_t index, FILE *out);
void info_print_materials(const trilo_model *model, const cli_screen *screen);
/* Their cost and error; `json` NULL: text. */
exit_code info_clips(const cli_info *info, const cli_args *args, cli_json *json);
void info_facts_t3dm(const cli_info *info, cli_table *table);
void info_facts_model64(const cli_info *info, cli_table *table);
void info_facts_gltf(const cli_info *info, cli_table *table);
void info_facts_compression(const trilo_compression *compression, cli_table *table);
void info_json_t3dm(const cli_info *info, cli_json *json);
void info_json_model64(const cli_info *info, cli_json *json);
void info_json_gltf(const cli_info *info, cli_json *json);
void info_json_compression(const trilo_compression *compression, cli_json *json);
void info_json_materials(const trilo_model *model, cli_json *json);

/* The PBR properties of a material (pbr.c). */
void info_print_pbr(const trilo_pbr *pbr, FILE *out);
void info_json_pbr(const trilo_pbr *pbr, cli_json *json);

#endif

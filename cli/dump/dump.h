/* dump.h: prints the records of a file, its triangles or its pose. */
#ifndef TL_CLI_DUMP_DUMP_H
#define TL_CLI_DUMP_DUMP_H

#include "input.h"
#include "ui/json.h"

#include "trilobite/pose.h"

/* The name of a value, or its index if it is an element of a list (name NULL). */
typedef struct cli_label {
    const char *name;
    uint32_t index;
} cli_label;

/* Visits the records of a file, up to a number of elements per list. */
typedef struct cli_walker {
    void *user;
    void (*list)(void *user, cli_label label, uint32_t count, uint64_t offset);
    void (*record)(void *user, cli_label label, uint64_t offset);
    void (*end)(void *user, uint32_t left_out); /* of a list or record; left_out: elements that were skipped */
    void (*value)(void *user, cli_label label, const trilo_value *value);
} cli_walker;

typedef struct cli_dump {
    const cli_args *args;
    const cli_input *input;
    trilo_bytes collision; /* of a file that is not a model; size 0: the input is one */
    uint32_t limit;        /* elements shown per list */
    bool blobs;
    uint32_t clip; /* TRILO_NONE: the rest pose */
    double seconds;
    trilo_frame_mode mode; /* interpolation between frames */
} cli_dump;

void dump_walk(const cli_dump *dump, const cli_walker *walker);

void dump_records_text(const cli_dump *dump);
void dump_records_json(const cli_dump *dump, cli_json *json);

/* `json` NULL: text. */
void dump_pose(const cli_dump *dump, cli_json *json);
void dump_triangles(const cli_dump *dump, bool posed, cli_json *json);

/* The world matrix of every node in the selected pose. The caller frees them. */
trilo_mat4 *dump_worlds(const cli_dump *dump);

/* Prints the selected pose at the start of a dump. */
void dump_pose_title(const cli_dump *dump, cli_json *json);

#endif

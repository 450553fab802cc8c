/* project.h: the project file trilobite.toml: what is converted to where, options and budgets for patterns of paths,
 * and severities of findings. docs/project.md describes it.
 *
 * Options are names and values as on the command line of the program; their meaning is up to the caller, which can
 * report a mistake in one at its line and column.
 */
#ifndef TRILOBITE_PROJECT_H
#define TRILOBITE_PROJECT_H

#include "trilobite/error.h"
#include "trilobite/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TRILO_PROJECT_FILE "trilobite.toml"

/* A name with a value, and where it is in the file. */
typedef struct trilo_project_setting {
    const char *name;  /* of an option, a figure or the code of a finding */
    const char *value; /* as text: "true" and "false" for switches */
    double number;     /* of a budget */
    uint32_t line, column;
} trilo_project_setting;

/* Settings for files. */
typedef struct trilo_project_rule {
    uint32_t pattern_count;
    const char *const *patterns; /* none: for all files */
    uint32_t option_count, budget_count;
    const trilo_project_setting *options; /* an option with several values is there several times */
    const trilo_project_setting *budgets; /* the most that a figure may be */
} trilo_project_rule;

typedef struct trilo_project {
    const char *path, *folder; /* of the file */
    const char *output;        /* folder, relative to that of the file; NULL: not given */
    const char *format;        /* "t3dm"; NULL: not given */
    uint32_t input_count, exclude_count, rule_count, severity_count;
    const char *const *inputs;               /* folders and files */
    const char *const *excludes;             /* patterns */
    const trilo_project_rule *rules;         /* later ones override earlier ones */
    const trilo_project_setting *severities; /* value: "allow", "warn" or "deny" */
} trilo_project;

/* Reads a project file. Returns NULL and fills *err (which may be NULL): err->path has line and column. `memory` may be
 * NULL. */
TRILO_API const trilo_project *trilo_project_read(const char *path, const trilo_memory *memory, trilo_error *err);
TRILO_API void trilo_project_free(const trilo_project *project); /* may be NULL */

/* The project file that is nearest to a file or folder, in its folder or above. Returns false if there is none, or if
 * its path is longer than `room`. */
TRILO_API bool trilo_project_find(const char *start, char *path, size_t room);

/* True if the patterns of the rule match the file, a path from the working directory. They are relative to the folder
 * of the project. */
TRILO_API bool trilo_project_applies(const trilo_project *project, const trilo_project_rule *rule, const char *file);
/* True if it is excluded. */
TRILO_API bool trilo_project_excludes(const trilo_project *project, const char *file);

#ifdef __cplusplus
}
#endif
#endif

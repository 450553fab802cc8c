#include "trilobite/project.h"
#include "base/compiler.h"

#include "api/file/io.h"
#include "api/file/path.h"
#include "base/array.h"
#include "base/glob.h"
#include "base/report.h"
#include "base/toml.h"
#include "trilobite/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PROJECT_MOST_BYTES = 16 << 20 };

static const trilo_rule *project_rule(void)
{
    return &tl_general_rules[TL_PROJECT_FILE];
}

typedef struct project_file {
    tl_arena arena; /* the struct itself lives in it */
    trilo_project project;
} project_file;

typedef struct project_reader {
    tl_arena *arena;
    trilo_error *err;
} project_reader;

/* Reports a mistake in the meaning of a value, at its place. Returns false. */
static bool project_wrong(const project_reader *r, const tl_toml *at, const char *format, ...) TL_PRINTF_LIKE(3, 4);
static bool project_wrong(const project_reader *r, const tl_toml *at, const char *format, ...)
{
    char text[200];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    tl_fail(r->err, TRILO_CODE_BAD_VALUE, project_rule(), TRILO_NOWHERE, NULL, "%s", text);
    if (r->err)
        snprintf(r->err->path, sizeof r->err->path, "line %lu, column %lu", (unsigned long)at->line,
                 (unsigned long)at->column);
    return false;
}

/* ---- values ---- */

static bool project_string(const project_reader *r, const tl_toml *value, const char **out)
{
    if (value->kind != TL_TOML_STRING)
        return project_wrong(r, value, "%s must be a string in quotes, not %s",
                             value->key.data ? value->key.data : "it", tl_toml_kind_name(value));
    if (value->string.len == 0 || strlen(value->string.data) != value->string.len)
        return project_wrong(r, value, "%s is empty or contains NUL", value->key.data ? value->key.data : "it");
    *out = value->string.data;
    return true;
}

/* A string, or an array of strings. */
static bool project_strings(const project_reader *r, const tl_toml *value, const char *const **out, uint32_t *count)
{
    const bool list = value->kind == TL_TOML_ARRAY;
    const tl_toml *item = list ? value->first : value;
    *count = list ? value->count : 1;
    const char **strings = tl_array(r->arena, *count, sizeof *strings);
    if (!strings)
        return tl_fail_memory(r->err);
    for (uint32_t i = 0; i < *count; i++, item = item->next)
        if (!project_string(r, item, &strings[i]))
            return false;
    *out = strings;
    return true;
}

/* The text of an option's value. */
static bool project_value(const project_reader *r, const tl_toml *value, const char *key, trilo_project_setting *out)
{
    char text[32];
    out->name = key;
    out->number = value->number;
    out->line = value->line;
    out->column = value->column;
    switch (value->kind) {
    case TL_TOML_STRING:
        out->value = value->string.data;
        return strlen(value->string.data) == value->string.len || project_wrong(r, value, "%s contains NUL", key);
    case TL_TOML_BOOL:
        out->value = value->boolean ? "true" : "false";
        return true;
    case TL_TOML_INTEGER:
        snprintf(text, sizeof text, "%lld", (long long)value->integer);
        break;
    case TL_TOML_FLOAT:
        if (!isfinite(value->number))
            return project_wrong(r, value, "%s must be a finite number", key);
        trilo_double_print(value->number, text);
        break;
    default:
        return project_wrong(r, value, "%s must be a string, a number, true or false, not %s", key,
                             tl_toml_kind_name(value));
    }
    out->value = tl_str_copy(r->arena, text, strlen(text)).data;
    return out->value || tl_fail_memory(r->err);
}

/* A table of names and values; a value may be a list. */
static bool project_settings(const project_reader *r, const tl_toml *table, const trilo_project_setting **out,
                             uint32_t *count)
{
    uint32_t room = 0;
    *count = 0;
    if (!table)
        return true;
    if (table->kind != TL_TOML_TABLE)
        return project_wrong(r, table, "%s must be a table, not %s", table->key.data, tl_toml_kind_name(table));
    for (const tl_toml *member = table->first; member; member = member->next)
        room += member->kind == TL_TOML_ARRAY ? member->count : 1;
    trilo_project_setting *settings = TL_ARRAY(r->arena, room, trilo_project_setting);
    if (!settings)
        return tl_fail_memory(r->err);
    for (const tl_toml *member = table->first; member; member = member->next) {
        const tl_toml *value = member->kind == TL_TOML_ARRAY ? member->first : member;
        for (; value; value = member->kind == TL_TOML_ARRAY ? value->next : NULL)
            if (!project_value(r, value, member->key.data, &settings[(*count)++]))
                return false;
    }
    *out = settings;
    return true;
}

static bool project_numbers(const project_reader *r, const tl_toml *table)
{
    for (const tl_toml *member = table && table->kind == TL_TOML_TABLE ? table->first : NULL; member;
         member = member->next)
        if ((member->kind != TL_TOML_INTEGER && member->kind != TL_TOML_FLOAT) || !(member->number >= 0))
            return project_wrong(r, member, "%s must be a number that is not negative", member->key.data);
    return true;
}

/* ---- tables ---- */

/* Refuses unknown keys: a mistyped one would have no effect. */
static bool project_check_keys(const project_reader *r, const tl_toml *table, const char *const *known)
{
    for (const tl_toml *member = table->first; member; member = member->next) {
        char list[160] = "";
        size_t i = 0;
        for (; known[i] && strcmp(known[i], member->key.data) != 0; i++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "", known[i]);
        if (!known[i])
            return project_wrong(r, member, "there is no \"%.40s\" here, only %s", member->key.data, list);
    }
    return true;
}

static bool project_read_rule(const project_reader *r, const tl_toml *table, trilo_project_rule *rule)
{
    static const char *const known[] = {"match", "options", "budget", NULL};
    const tl_toml *match = tl_toml_member(table, "match"), *budget = tl_toml_member(table, "budget");
    if (table->kind != TL_TOML_TABLE)
        return project_wrong(r, table, "files must be tables: [[files]]");
    if (!match)
        return project_wrong(r, table, "match is missing, the pattern of the paths that this is for");
    return project_check_keys(r, table, known) && project_strings(r, match, &rule->patterns, &rule->pattern_count) &&
           project_settings(r, tl_toml_member(table, "options"), &rule->options, &rule->option_count) &&
           project_numbers(r, budget) && project_settings(r, budget, &rule->budgets, &rule->budget_count);
}

static bool project_read_severities(const project_reader *r, const tl_toml *table, trilo_project *project)
{
    if (!project_settings(r, table, &project->severities, &project->severity_count))
        return false;
    for (const tl_toml *member = table ? table->first : NULL; member; member = member->next) {
        const char *value = member->kind == TL_TOML_STRING ? member->string.data : "";
        if (!trilo_rule_find(member->key.data))
            return project_wrong(r, member, "there is no finding \"%.40s\"; `trilobite check --codes` lists them",
                                 member->key.data);
        if (strcmp(value, "allow") != 0 && strcmp(value, "warn") != 0 && strcmp(value, "deny") != 0)
            return project_wrong(r, member, "%s must be \"allow\", \"warn\" or \"deny\"", member->key.data);
    }
    return true;
}

static bool project_read_tables(const project_reader *r, const tl_toml *root, trilo_project *project)
{
    static const char *const known[] = {"input",  "output", "to",       "exclude", "options",
                                        "budget", "files",  "severity", NULL};
    const tl_toml *input = tl_toml_member(root, "input"), *output = tl_toml_member(root, "output");
    const tl_toml *format = tl_toml_member(root, "to"), *exclude = tl_toml_member(root, "exclude");
    const tl_toml *files = tl_toml_member(root, "files"), *budget = tl_toml_member(root, "budget");
    if (!project_check_keys(r, root, known) ||
        (input && !project_strings(r, input, &project->inputs, &project->input_count)) ||
        (output && !project_string(r, output, &project->output)) ||
        (format && !project_string(r, format, &project->format)) ||
        (exclude && !project_strings(r, exclude, &project->excludes, &project->exclude_count)))
        return false;
    if (format && !trilo_format_find(project->format))
        return project_wrong(r, format, "\"%.40s\" is not a format; `trilobite formats` lists them", project->format);
    if (files && files->kind != TL_TOML_ARRAY)
        return project_wrong(r, files, "files must be written as [[files]], with two brackets");
    project->rule_count = 1 + (files ? files->count : 0);
    trilo_project_rule *rules = TL_ARRAY(r->arena, project->rule_count, trilo_project_rule);
    if (!rules)
        return tl_fail_memory(r->err);
    project->rules = rules;
    if (!project_settings(r, tl_toml_member(root, "options"), &rules->options, &rules->option_count) ||
        !project_numbers(r, budget) || !project_settings(r, budget, &rules->budgets, &rules->budget_count))
        return false;
    for (const tl_toml *table = files ? files->first : NULL; table; table = table->next)
        if (!project_read_rule(r, table, ++rules))
            return false;
    return project_read_severities(r, tl_toml_member(root, "severity"), project);
}

/* ---- the file ---- */

const trilo_project *trilo_project_read(const char *path, const trilo_memory *memory, trilo_error *err)
{
    tl_arena arena;
    trilo_bytes bytes;
    tl_arena_init(&arena, memory);
    project_file *file = TL_NEW(&arena, project_file);
    const tl_toml *root = NULL;
    bool ok = (file && (file->project.path = tl_str_copy(&arena, path, strlen(path)).data) &&
               (file->project.folder = tl_file_path_folder(&arena, path))) ||
              tl_fail_memory(err);
    ok = ok && tl_file_read(path, PROJECT_MOST_BYTES, &arena, &bytes, err);
    ok = ok && (root = tl_toml_read(&arena, bytes, NULL, project_rule(), err));
    const project_reader reader = {&arena, err};
    ok = ok && project_read_tables(&reader, root, &file->project);
    if (!ok) {
        tl_arena_free(&arena);
        return NULL;
    }
    file->arena = arena;
    return &file->project;
}

void trilo_project_free(const trilo_project *project)
{
    if (!project)
        return;
    tl_arena arena =
        ((const project_file *)(const void *)((const char *)project - offsetof(project_file, project)))->arena;
    tl_arena_free(&arena);
}

/* "a/b.glb" leads to "a", ".", "..", "../.." and so on, up to the top. */
bool trilo_project_find(const char *start, char *path, size_t room)
{
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const char *here = start, *up;
    bool found = false;
    for (int depth = 0; here && depth < 256; depth++, here = up) {
        const char *candidate = tl_file_path_join(&arena, here, TRILO_PROJECT_FILE);
        if (candidate && tl_file_is_plain(candidate)) { /* the nearest, also if there is no room for its path */
            const int length = snprintf(path, room, "%s", candidate);
            found = length > 0 && (size_t)length < room;
            break;
        }
        up = strcmp(here, ".") == 0                       ? ".."
             : strcmp(tl_file_path_last(here), "..") == 0 ? tl_file_path_join(&arena, here, "..")
                                                          : tl_file_path_folder(&arena, here);
        if (up && tl_file_same(here, up)) /* the top: "/.." is "/" */
            break;
    }
    tl_arena_free(&arena);
    return found;
}

static bool project_matches(const trilo_project *project, const char *const *patterns, uint32_t count, const char *file)
{
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const char *below = tl_file_path_below(&arena, project->folder, file);
    bool matches = false;
    for (uint32_t i = 0; below && !matches && i < count; i++)
        matches = tl_glob_matches(patterns[i], below);
    tl_arena_free(&arena);
    return matches;
}

bool trilo_project_applies(const trilo_project *project, const trilo_project_rule *rule, const char *file)
{
    return rule->pattern_count == 0 || project_matches(project, rule->patterns, rule->pattern_count, file);
}

bool trilo_project_excludes(const trilo_project *project, const char *file)
{
    return project_matches(project, project->excludes, project->exclude_count, file);
}

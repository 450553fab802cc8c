#include "support/command_line.h"

#include <ctype.h>
#include <string.h>

const char *command_line_file(const char *word, bool *is_model)
{
    const char *equals = word[0] == '-' ? strchr(word, '=') : NULL;
    const char *path = word[0] == '@' ? word + 1 : equals ? equals + 1 : word;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    *is_model = strncmp(name, "in.", 3) == 0 && !strstr(name, ".toml");
    return *name && (*is_model || word[0] == '@' || strncmp(name, "by.", 3) == 0) ? path : NULL;
}

static bool is_harmless(const char *word)
{
    const bool is_short = word[0] == '-' && word[1] != '-';
    if (strcmp(word, "view") == 0 || strstr(word, "..") || strncmp(word, "--watch", 7) == 0)
        return false;
    if (is_short && (strpbrk(word, "w/") != NULL))
        return false;
    size_t digits = 0;
    for (const char *c = word; *c; c++) {
        const char before = c > word ? c[-1] : '/';
        if (*c == '/' && !isalnum((unsigned char)before) && before != ':')
            return false;
        digits = isdigit((unsigned char)*c) ? digits + 1 : 0;
        if (digits > 3 && strncmp(word, "libdragon-", 10) != 0 && !strstr(word, "=libdragon-"))
            return false;
    }
    return true;
}

/* A project file names folders, too. */
static bool is_inside(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] == '\\' || (i > 0 && ((bytes[i] == '/' && !isalnum(bytes[i - 1]) && bytes[i - 1] != '*') ||
                                           (bytes[i] == '.' && bytes[i - 1] == '.'))))
            return false;
    return true;
}

bool command_line_parse(command_line *line, const uint8_t *data, size_t size)
{
    const uint8_t *end = memchr(data, '\n', size < COMMAND_LINE ? size : COMMAND_LINE);
    *line = (command_line){.count = 0};
    if (!end || size < (size_t)(end - data) + 3)
        return false;
    memcpy(line->text, data, (size_t)(end - data));
    bool has_project = false;
    for (char *word = strtok(line->text, " "); word; word = strtok(NULL, " ")) {
        if (line->count == COMMAND_WORDS || !is_harmless(word))
            return false;
        has_project |= strstr(word, ".toml") != NULL;
        line->words[line->count++] = word;
    }
    line->model = end + 1;
    const size_t rest = size - (size_t)(end + 1 - data) - 2, other = (size_t)data[size - 2] << 8 | data[size - 1];
    line->other_size = other <= rest ? other : 0;
    line->model_size = rest - line->other_size;
    line->other = line->model + line->model_size;
    return line->count > 0 && (!has_project || is_inside(line->other, line->other_size));
}

/* Any bytes as a command line with its files (support/command_line.h), run by the program itself in a folder in memory.
 * Whatever they are:
 *
 *   - the exit code is a documented one, and never that of a bug;
 *   - a command that fails leaves the files as they were, and no command leaves temporary files or writes elsewhere;
 *   - what --json prints is JSON;
 *   - what was written can be read again;
 *   - work and memory are in proportion to the input. */
#define _XOPEN_SOURCE 700

#include "base/json.h"
#include "fuzz/fuzz.h"
#include "harness.h"
#include "support/command_line.h"
#include "support/effort.h"
#include "support/sandbox.h"
#include "usage/options.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int cli_main(int argc, char **argv); /* cli/main.c, compiled again under this name */

enum { EXIT_MOST = 5, EXIT_READ = 1, STREAMS = 3 };

/* Every command has limits far below the defaults, so that what an input may cost can be told. */
static const effort_bound bound = {
    .work = 400000000, .work_per_byte = 40000, .peak = 400u << 20, .peak_per_byte = 4096};

/* The real standard streams, while the command has others. */
static int kept[STREAMS] = {-1, -1, -1};

extern void report_to(void *descriptor) __asm__("__sanitizer_set_report_fd") __attribute__((weak));

static void redirect(const char *const files[STREAMS])
{
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < STREAMS; i++) {
        const int to = open(files[i], i == 0 ? O_RDONLY : O_CREAT | O_TRUNC | O_RDWR, 0666);
        kept[i] = dup(i);
        CHECK(to >= 0 && kept[i] >= 0 && dup2(to, i) == i);
        close(to);
    }
    if (report_to)
        report_to((void *)(intptr_t)kept[STDERR_FILENO]);
    rewind(stdin);
    clearerr(stdout);
}

static void restore(void)
{
    fflush(stdout);
    fflush(stderr);
    if (report_to)
        report_to((void *)(intptr_t)STDERR_FILENO);
    for (int i = 0; i < STREAMS; i++) {
        dup2(kept[i], i);
        close(kept[i]);
    }
}

/* Standard output and standard error go to the files .out and .err of the folder above. */
static int run(size_t count, char **words)
{
    char *argv[COMMAND_WORDS + 4] = {(char *)(uintptr_t) "trilobite"};
    const char *const streams[STREAMS] = {"../.in", "../.out", "../.err"};
    memcpy(argv + 1, words, count * sizeof *words);
    redirect(streams);
    const int code = cli_main((int)count + 1, argv);
    restore();
    return code;
}

static bool has_word(const command_line *line, const char *word)
{
    for (size_t i = 0; i < line->count; i++)
        if (strcmp(line->words[i], word) == 0)
            return true;
    return false;
}

/* Is the next word the value of this one, as in `-o FILE`? Of letters the last one counts: `-qo FILE`. */
static bool takes_next_word(const char *word)
{
    const size_t length = strlen(word);
    if (length < 2 || word[0] != '-' || strchr(word, '='))
        return false;
    const cli_option *option =
        word[1] == '-' ? option_named(~0u, word + 2, length - 2) : option_lettered(~0u, word[length - 1]);
    return strcmp(word, "--") == 0 || (option && option->argument);
}

static bool asks_for_json(const command_line *line)
{
    for (size_t i = 1; i < line->count; i++)
        if (strcmp(line->words[i], "--json") == 0 && !takes_next_word(line->words[i - 1]))
            return true;
    return false;
}

/* Is there text on standard output, whatever --json says? */
static bool prints_text(const command_line *line)
{
    return has_word(line, "-") || has_word(line, "--help") || has_word(line, "--help-all") || has_word(line, "-h") ||
           has_word(line, "--version") || has_word(line, "-V");
}

/* Does it write one file after the other, so that a failure leaves some? A contact sheet shows the models that can be
 * drawn. */
static bool writes_many(const command_line *line)
{
    bool has_folder = false;
    for (size_t i = 1; i < line->count; i++)
        has_folder |= strncmp(line->words[i], "-o", 2) == 0 || strncmp(line->words[i], "--output", 8) == 0 ||
                      strncmp(line->words[i], "--sheet", 7) == 0 || strstr(line->words[i], ".toml");
    return (has_folder && (strcmp(line->words[0], "convert") == 0 || strcmp(line->words[0], "render") == 0 ||
                           strcmp(line->words[0], "sprite") == 0)) ||
           has_word(line, "extract") || has_word(line, "--generate");
}

/* Commands that read models take limits; -- ends the options. */
static size_t make_arguments(command_line *line, char **words)
{
    static const char *const limited[] = {"info", "check",  "dump",    "convert", "optimize",
                                          "cost", "render", "extract", "diff",    "gltf_to_t3d"};
    static char memory[] = "--max-memory=32M", elements[] = "--max-elements=99K";
    size_t count = 0;
    for (size_t i = 0; i < line->count; i++) {
        bool is_model;
        const char *path = command_line_file(line->words[i], &is_model);
        if (path)
            CHECK(sandbox_write(path, is_model ? line->model : line->other,
                                is_model ? line->model_size : line->other_size) ||
                  strlen(path) > 100);
        if (line->words[i][0] != '@')
            words[count++] = line->words[i];
        for (size_t k = 0; i == 0 && k < sizeof limited / sizeof *limited; k++)
            if (strcmp(line->words[0], limited[k]) == 0) {
                words[count++] = memory;
                words[count++] = elements;
            }
    }
    return count;
}

static void check_json(void)
{
    size_t size = 0;
    uint8_t *bytes = test_read_file("../.out", &size);
    tl_arena arena;
    trilo_error err = {0};
    tl_arena_init(&arena, NULL);
    static const trilo_rule rule = {.name = "JSON"};
    if (!tl_json_read(&arena, (trilo_bytes){bytes, size}, NULL, &rule, 0, &err))
        FAIL("--json printed at byte %llu: %s", (unsigned long long)err.offset, err.text);
    tl_arena_free(&arena);
    free(bytes);
}

/* Was the file there before the command? */
static bool is_input(const command_line *line, const char *name)
{
    for (size_t i = 0; i < line->count; i++)
        if (line->words[i][0] == '@' && strcmp(line->words[i] + 1, name) == 0)
            return true;
    return false;
}

/* Files that a conversion wrote can be read. A folder may have any name. */
static void check_output(const command_line *line)
{
    for (size_t i = 1; i < line->count; i++) {
        char *words[] = {(char *)(uintptr_t) "info", (char *)(uintptr_t) "-q", line->words[i]};
        struct stat about;
        if (is_input(line, line->words[i]))
            continue;
        if (strncmp(line->words[i], "out.", 4) != 0 || stat(line->words[i], &about) != 0 || !S_ISREG(about.st_mode) ||
            !strpbrk(line->words[i] + 4, "3lm") || strstr(line->words[i], "html"))
            continue;
        const int code = run(3, words);
        if (code > EXIT_READ && code != EXIT_MOST)
            FAIL("%s was written, but info says exit code %d", line->words[i], code);
    }
}

static void try_command(command_line *line, size_t size)
{
    char *words[COMMAND_WORDS + 3];
    size_t temporary = 0;
    CHECK(sandbox_write("../.in", line->model, line->model_size));
    const size_t count = make_arguments(line, words);
    const uint64_t before = sandbox_hash(".tmp", &temporary);
    effort_begin();
    const int code = run(count, words);
    const effort spent = effort_end();
    CHECK(code >= 0 && code <= EXIT_MOST);
    const uint64_t after = sandbox_hash(".trilobite-", &temporary);
    CHECK_INT(temporary, 0);
    if (code > EXIT_READ && !writes_many(line))
        CHECK(before == after);
    if (code <= EXIT_READ && asks_for_json(line) && !prints_text(line))
        check_json();
    if (code == 0 &&
        (strcmp(words[0], "convert") == 0 || strcmp(words[0], "optimize") == 0 || strcmp(words[0], "gltf_to_t3d") == 0))
        check_output(line);
    effort_check(spent, size, &bound);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static command_line line;
    const char *folder = sandbox_path();
    const int back = open(".", O_RDONLY | O_DIRECTORY);
    CHECK(folder && back >= 0 && chdir(folder) == 0);
    if (command_line_parse(&line, data, size)) {
        try_command(&line, size);
        CHECK(sandbox_clear());
    }
    CHECK(fchdir(back) == 0);
    close(back);
    return 0;
}

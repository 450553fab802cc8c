/* Project files: what each table becomes, mistakes with line and column, where a file is found, and what it is for. */
#define _POSIX_C_SOURCE 200809L

#include "harness.h"
#include "support/allocations.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void put_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static const trilo_project *read_project(const char *text)
{
    trilo_error err = {.code = TRILO_CODE_OK};
    put_text("trilobite.toml", text);
    const trilo_project *project = trilo_project_read("trilobite.toml", NULL, &err);
    CHECK_STR(project ? "" : err.text, "");
    return project;
}

static void check_setting(const trilo_project_setting *s, const char *name, const char *value, double number,
                          uint32_t line, uint32_t column)
{
    CHECK_STR(s->name, name);
    CHECK_STR(s->value, value);
    CHECK(s->number == number);
    CHECK_INT(s->line, line);
    CHECK_INT(s->column, column);
}

TEST(a_whole_project)
{
    const trilo_project *p = read_project("input = ['a', 'b/c']\n"
                                          "output = 'out'\n"
                                          "to = 't3dm'\n"
                                          "exclude = '*.bak'\n"
                                          "[options]\n"
                                          "scale = 2.5\n"
                                          "names = ['x', 'y']\n"
                                          "[budget]\n"
                                          "triangles = 100\n"
                                          "[severity]\n"
                                          "T3DM-LOST-POSITIONS = 'deny'\n"
                                          "IMPORT-UNITS = 'allow'\n"
                                          "[[files]]\n"
                                          "match = 'hero/*.glb'\n"
                                          "options = { big = true, small = false, depth = -7 }\n"
                                          "[[files]]\n"
                                          "match = ['a/**', 'b*']\n"
                                          "budget = { ram = 0, rom = 1.5 }\n");
    CHECK_STR(p->path, "trilobite.toml");
    CHECK_STR(p->folder, ".");
    CHECK_STR(p->output, "out");
    CHECK_STR(p->format, "t3dm");
    CHECK(p->input_count == 2 && strcmp(p->inputs[0], "a") == 0 && strcmp(p->inputs[1], "b/c") == 0);
    CHECK(p->exclude_count == 1 && strcmp(p->excludes[0], "*.bak") == 0);
    CHECK_INT(p->severity_count, 2);
    check_setting(&p->severities[0], "T3DM-LOST-POSITIONS", "deny", 0, 11, 23);
    check_setting(&p->severities[1], "IMPORT-UNITS", "allow", 0, 12, 16);
    CHECK_INT(p->rule_count, 3); /* the first is for all files */
    const trilo_project_rule *r = p->rules;
    CHECK(r[0].pattern_count == 0 && r[0].option_count == 3 && r[0].budget_count == 1);
    check_setting(&r[0].options[0], "scale", "2.5", 2.5, 6, 9);
    check_setting(&r[0].options[1], "names", "x", 0, 7, 10);
    check_setting(&r[0].options[2], "names", "y", 0, 7, 15);
    check_setting(&r[0].budgets[0], "triangles", "100", 100, 9, 13);
    CHECK(r[1].pattern_count == 1 && r[1].option_count == 3 && r[1].budget_count == 0);
    CHECK_STR(r[1].patterns[0], "hero/*.glb");
    check_setting(&r[1].options[0], "big", "true", 0, 15, 19);
    check_setting(&r[1].options[1], "small", "false", 0, 15, 33);
    check_setting(&r[1].options[2], "depth", "-7", -7, 15, 48);
    CHECK(r[2].pattern_count == 2 && r[2].option_count == 0 && r[2].budget_count == 2);
    CHECK_STR(r[2].patterns[1], "b*");
    check_setting(&r[2].budgets[0], "ram", "0", 0, 18, 18);
    check_setting(&r[2].budgets[1], "rom", "1.5", 1.5, 18, 27);
    trilo_project_free(p);
    p = read_project("");
    CHECK(!p->output && !p->format && p->input_count == 0 && p->exclude_count == 0 && p->severity_count == 0);
    CHECK(p->rule_count == 1 && p->rules[0].option_count == 0 && p->rules[0].budget_count == 0);
    trilo_project_free(p);
    trilo_project_free(NULL);
}

TEST(mistakes_in_a_project)
{
    static const struct {
        const char *text, *place, *why;
    } cases[] = {
        {"inptu = 'a'", "line 1, column 9",
         "there is no \"inptu\" here, only input, output, to, exclude, options, budget, files, severity"},
        {"output = 3", "line 1, column 10", "output must be a string in quotes, not an integer"},
        {"output = ''", "line 1, column 10", "output is empty or contains NUL"},
        {"output = \"a\\u0000\"", "line 1, column 10", "output is empty or contains NUL"},
        {"input = ['a', 3]", "line 1, column 15", "it must be a string in quotes, not an integer"},
        {"input = ['']", "line 1, column 10", "it is empty or contains NUL"},
        {"exclude = true", "line 1, column 11", "exclude must be a string in quotes, not true or false"},
        {"to = 'bmp'", "line 1, column 6", "\"bmp\" is not a format; `trilobite formats` lists them"},
        {"options = 3", "line 1, column 11", "options must be a table, not an integer"},
        {"[options]\na = { b = 1 }", "line 2, column 5", "a must be a string, a number, true or false, not a table"},
        {"[options]\na = inf", "line 2, column 5", "a must be a finite number"},
        {"[options]\na = [1, nan]", "line 2, column 9", "a must be a finite number"},
        {"[options]\na = \"\\u0000\"", "line 2, column 5", "a contains NUL"},
        {"budget = 3", "line 1, column 10", "budget must be a table, not an integer"},
        {"[budget]\na = -1", "line 2, column 5", "a must be a number that is not negative"},
        {"[budget]\na = '1'", "line 2, column 5", "a must be a number that is not negative"},
        {"[budget]\na = nan", "line 2, column 5", "a must be a number that is not negative"},
        {"[files]\nmatch = 'a'", "line 1, column 2", "files must be written as [[files]], with two brackets"},
        {"files = [3]", "line 1, column 10", "files must be tables: [[files]]"},
        {"[[files]]\noptions = {}", "line 1, column 3", "match is missing, the pattern of the paths that this is for"},
        {"[[files]]\nmatch = 'a'\nbudgte = {}", "line 3, column 10",
         "there is no \"budgte\" here, only match, options, budget"},
        {"[[files]]\nmatch = 3", "line 2, column 9", "match must be a string in quotes, not an integer"},
        {"[[files]]\nmatch = 'a'\nbudget = { a = -0.5 }", "line 3, column 16",
         "a must be a number that is not negative"},
        {"[severity]\nNONE = 'warn'", "line 2, column 8",
         "there is no finding \"NONE\"; `trilobite check --codes` lists them"},
        {"[severity]\nIMPORT-UNITS = 'no'", "line 2, column 16",
         "IMPORT-UNITS must be \"allow\", \"warn\" or \"deny\""},
        {"[severity]\nIMPORT-UNITS = 3", "line 2, column 16", "IMPORT-UNITS must be \"allow\", \"warn\" or \"deny\""},
        {"severity = 3", "line 1, column 12", "severity must be a table, not an integer"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trilo_error err = {.code = TRILO_CODE_OK};
        put_text("trilobite.toml", cases[i].text);
        CHECK(!trilo_project_read("trilobite.toml", NULL, &err));
        CHECK_STR(err.text, cases[i].why);
        CHECK_STR(err.path, cases[i].place);
        CHECK_STR(err.rule, "PROJECT-FILE");
        CHECK(err.code == TRILO_CODE_BAD_VALUE && err.offset == TRILO_NOWHERE);
        CHECK(!trilo_project_read("trilobite.toml", NULL, NULL));
    }
    trilo_error err = {.code = TRILO_CODE_OK};
    CHECK(!trilo_project_read("none.toml", NULL, &err) && err.code == TRILO_CODE_CANT_READ);
    put_text("trilobite.toml", "input = \n");
    CHECK(!trilo_project_read("trilobite.toml", NULL, &err) && err.code == TRILO_CODE_BAD_VALUE);
}

/* In the folder of the file or any above it. */
TEST(a_project_is_found_above)
{
    char path[64];
    CHECK(mkdir("a", 0777) == 0 && mkdir("a/b", 0777) == 0 && mkdir("a/b/c", 0777) == 0 &&
          mkdir("a/trilobite.toml", 0777) == 0);
    CHECK(!trilo_project_find("a/b/c", path, sizeof path)); /* a folder is none */
    put_text("trilobite.toml", "");
    CHECK(trilo_project_find("a/b/c", path, sizeof path));
    CHECK_STR(path, "trilobite.toml");
    CHECK(trilo_project_find(".", path, sizeof path));
    CHECK_STR(path, "trilobite.toml");
    put_text("a/b/trilobite.toml", "");
    CHECK(trilo_project_find("a/b/c", path, sizeof path));
    CHECK_STR(path, "a/b/trilobite.toml");
    CHECK(!trilo_project_find("a/b", path, 18) && trilo_project_find("a/b", path, 19));
}

TEST(what_a_rule_is_for)
{
    const trilo_project *p = read_project("exclude = ['old/**', '*.bak']\n[[files]]\nmatch = ['hero/*.glb', 'x?']\n");
    static const struct {
        const char *file;
        bool applies, excluded;
    } cases[] = {{"hero/a.glb", true, false},
                 {"hero/b/a.glb", false, false},
                 {"x1", true, false},
                 {"x", false, false},
                 {"old/a/b", false, true},
                 {"a.bak", false, true},
                 {"./hero/../hero/a.glb", true, false},
                 {"../hero/a.glb", false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(trilo_project_applies(p, &p->rules[0], cases[i].file)); /* for all */
        CHECK(trilo_project_applies(p, &p->rules[1], cases[i].file) == cases[i].applies);
        CHECK(trilo_project_excludes(p, cases[i].file) == cases[i].excluded);
    }
    trilo_project_free(p);
}

/* A file of zeros is no TOML, which is found out only if it is not too large: 16 MiB. */
TEST(the_largest_project_file)
{
    for (long more = 0; more < 2; more++) {
        trilo_error err = {.code = TRILO_CODE_OK};
        FILE *file = fopen("trilobite.toml", "wb");
        CHECK(file && fseek(file, (16L << 20) - 1 + more, SEEK_SET) == 0 && fputc(0, file) == 0 && fclose(file) == 0);
        CHECK(!trilo_project_read("trilobite.toml", NULL, &err));
        CHECK_INT(err.code, more ? TRILO_CODE_LIMIT : TRILO_CODE_BAD_VALUE);
    }
}

static void check_small_project(const trilo_project *project)
{
    CHECK(project->input_count == 2 && project->exclude_count == 1 && project->rule_count == 2);
    CHECK_STR(project->inputs[1], "b");
    CHECK_STR(project->excludes[0], "c");
    CHECK_STR(project->output, "out");
    CHECK_STR(project->rules[0].options[1].value, "2");
    CHECK_STR(project->rules[1].patterns[0], "x");
    CHECK_STR(project->rules[1].budgets[0].value, "1");
    CHECK_STR(project->severities[0].value, "deny");
}

TEST(a_project_needs_memory)
{
    put_text("trilobite.toml", "input = ['a', 'b']\nexclude = 'c'\noutput = 'out'\n[options]\na = [1, 2]\n"
                               "[[files]]\nmatch = 'x'\nbudget = {a = 1}\n[severity]\nFILE-NAME = 'deny'\n");
    const trilo_project *project = NULL;
    size_t failed = 0;
    for (size_t limit = 1; !project; limit += limit / 16 + 1) {
        trilo_error err = {.code = TRILO_CODE_OK};
        project = trilo_project_read("trilobite.toml", &(trilo_memory){.max_bytes = limit}, &err);
        CHECK(project || err.code == TRILO_CODE_NO_MEMORY);
        failed += !project;
    }
    CHECK(failed > 0);
    check_small_project(project);
    trilo_project_free(project);
    for (size_t n = 1; allocations_next(n); n += ALLOCATIONS_STEP) {
        trilo_error err = {.code = TRILO_CODE_OK};
        project = trilo_project_read("trilobite.toml", NULL, &err);
        allocations_allow();
        CHECK(project || (allocations_denied() && err.code == TRILO_CODE_NO_MEMORY));
        if (project)
            check_small_project(project);
        trilo_project_free(project);
    }
}

TEST_MAIN(CASE(a_whole_project), CASE(mistakes_in_a_project), CASE(a_project_is_found_above), CASE(what_a_rule_is_for),
          CASE(the_largest_project_file), CASE(a_project_needs_memory))

/* What the fuzz target of commands runs, and what it does not. */
#include "harness.h"
#include "support/command_line.h"

#include <string.h>

static bool is_run(const char *text)
{
    command_line line;
    uint8_t data[256];
    const size_t length = strlen(text);
    memcpy(data, text, length);
    memcpy(data + length, "\nab\0\1", 5);
    return command_line_parse(&line, data, length + 5);
}

TEST(commands_stay_in_their_folder)
{
    static const char *const run[] = {"info in.glb",
                                      "convert in.glb out/a.t3dm",
                                      "convert a.glb --rom-path=rom:/a.t3dm",
                                      "sprite in.png --target=libdragon-2026",
                                      "-",
                                      "render --size=999x1 -o out.png"};
    static const char *const refused[] = {
        "view in.glb",  "info /etc/passwd",  "info ../in.glb", "convert in.glb -o/tmp", "convert --output=/tmp",
        "convert a -w", "convert a --watch", "convert a -fw",  "render --size=1000x1",  "",
        "info @/x",     "info @../x",        "info a//x"};
    for (size_t i = 0; i < sizeof run / sizeof *run; i++)
        if (!is_run(run[i]))
            FAIL("'%s' is not run", run[i]);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (is_run(refused[i]))
            FAIL("'%s' is run", refused[i]);
}

TEST(a_project_file_stays_there_too)
{
    static const char *const projects[] = {"output=\"/tmp\"", "output=\"../x\"", "output=\"\\u002ftmp\"", "output='/'"};
    command_line line;
    char data[128] = "convert @trilobite.toml\nmodel";
    const size_t start = strlen(data);
    for (size_t i = 0; i < 4; i++) {
        const size_t length = strlen(projects[i]);
        memcpy(data + start, projects[i], length);
        data[start + length] = 0;
        data[start + length + 1] = (char)length;
        CHECK(!command_line_parse(&line, (uint8_t *)data, start + length + 2));
    }
    memcpy(data + start, "input=\"a/**\"\0\14", 14);
    CHECK(command_line_parse(&line, (uint8_t *)data, start + 14));
    CHECK_INT(line.model_size, 5);
    CHECK_INT(line.other_size, 12);
}

TEST(words_name_files)
{
    bool is_model;
    CHECK_STR(command_line_file("in.glb", &is_model), "in.glb");
    CHECK(is_model);
    CHECK_STR(command_line_file("--source=in.gltf", &is_model), "in.gltf");
    CHECK_STR(command_line_file("@assets/by.png", &is_model), "assets/by.png");
    CHECK(!is_model);
    CHECK_STR(command_line_file("@in.materials.toml", &is_model), "in.materials.toml");
    CHECK(!is_model);
    CHECK(command_line_file("out.glb", &is_model) == NULL);
    CHECK(command_line_file("--json", &is_model) == NULL);
}

TEST_MAIN(CASE(commands_stay_in_their_folder), CASE(a_project_file_stays_there_too), CASE(words_name_files))

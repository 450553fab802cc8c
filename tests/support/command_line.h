/* command_line.h: the input of the target that runs commands.
 *
 *   info --json in.glb @in.bin\n BYTES OF THE MODEL, BYTES OF ANOTHER FILE, SIZE OF THAT (2 bytes, the last ones)
 *
 * Every word up to the end of the line is an argument. A word such as in.glb is also a file to be made, of the model;
 * by.png is one of the other bytes. A word that starts with @ is a file only: of the model when its name starts with
 * "in.", otherwise of the other bytes. */
#ifndef TL_TEST_COMMAND_LINE_H
#define TL_TEST_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMMAND_WORDS = 32, COMMAND_LINE = 400 };

typedef struct command_line {
    char text[COMMAND_LINE]; /* the words, each with its NUL */
    char *words[COMMAND_WORDS + 1];
    size_t count;
    const uint8_t *model, *other;
    size_t model_size, other_size;
} command_line;

/* False: it is none, or could leave the sandbox, the machine or the minute: paths from the root or with "..", `view`,
 * --watch, numbers of more than three digits. */
bool command_line_parse(command_line *line, const uint8_t *data, size_t size);

/* The name of a file that the word stands for; NULL: none. Of "--source=in.glb" it is "in.glb". */
const char *command_line_file(const char *word, bool *is_model);

#endif

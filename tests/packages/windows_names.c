/* Names that a model may have, on Windows: which lead to a file in the folder, and which are refused? Prints what is
 * wrong; the exit code is the number of that. Run in a folder with out.txt, and in/ with in.txt, sub/in.txt, ü日本.txt,
 * and the links up to the folder, sub/up, and out.txt to the file. Wine follows links of the system below it.
 */
#include "trilobite/file.h"

#include <stdio.h>
#include <string.h>

static const char *const good[] = {"in.txt", "sub/in.txt", "./sub/in.txt", "\xC3\xBC\xE6\x97\xA5\xE6\x9C\xAC.txt"};

/* New names that are like those of devices, and are not. */
static const char *const fresh[] = {"console.txt", "nully", "com.txt", "com10", "sub/lpt.png", "new/deep/a.txt"};

static const char *const bad[] = {
    "../out.txt",
    "..\\out.txt",
    "sub\\..\\..\\out.txt",
    "sub/../../out.txt",
    "/out.txt",
    "\\out.txt",
    "z:/out.txt",
    "z:out.txt",
    "c:",
    "in.txt:stream",
    "in.txt::$DATA",
    "sub:x/in.txt",
    "nul",
    "NUL",
    "nul.txt",
    "sub/con",
    "Con.in.txt",
    "com1",
    "COM9.png",
    "lpt1 .txt",
    "com\xC2\xB9.png",
    "conin$",
    "in.txt.",
    "in.txt ",
    "sub./in.txt",
    "sub\\in.txt",
    "\\\\?\\z:\\out.txt",
    "//./nul",
    "a|b",
    "a*",
    "a\x01",
    "\xFF\xFE.txt",
    "prn/in.txt",
    "aux",
    "up/out.txt",
    "sub/up/in/in.txt",
};

/* A link that is replaced by a file is not followed. */
static const char linked[] = "out.txt";

static bool fill(void *context, trilo_write_fn *sink, void *user, trilo_error *err)
{
    (void)context, (void)err;
    return sink(user, "new", 3);
}

int main(void)
{
    const trilo_file_opts below = {.below = "in", .no_sync = true};
    int wrong = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const trilo_file *file = trilo_file_read(good[i], &below, NULL);
        if (!file || file->bytes.size != 2 || memcmp(file->bytes.data, "in", 2) != 0)
            printf("%d: \"%s\" cannot be read\n", ++wrong, good[i]);
        trilo_file_free(file);
    }
    for (size_t i = 0; i < sizeof fresh / sizeof *fresh; i++) {
        trilo_error err = {.code = TRILO_CODE_OK};
        if (!trilo_file_replace(fresh[i], &below, fill, NULL, &err))
            printf("%d: \"%s\" cannot be written: %s\n", ++wrong, fresh[i], err.text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const trilo_file *file = trilo_file_read(bad[i], &below, NULL);
        if (file)
            printf("%d: \"%s\" was read\n", ++wrong, bad[i]);
        trilo_file_free(file);
        if (trilo_file_replace(bad[i], &below, fill, NULL, NULL))
            printf("%d: \"%s\" was written\n", ++wrong, bad[i]);
    }
    const trilo_file *file = trilo_file_read(linked, &below, NULL);
    if (file)
        printf("%d: \"%s\" was read\n", ++wrong, linked);
    trilo_file_free(file);
    if (!trilo_file_replace(linked, &below, fill, NULL, NULL))
        printf("%d: \"%s\" cannot be replaced\n", ++wrong, linked);
    return wrong;
}

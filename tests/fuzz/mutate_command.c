/* New inputs of the target command: other words of the command line, from the program's own table of options, and other
 * files. */
#include "fuzz/fuzz.h"
#include "support/command_line.h"
#include "support/mutate.h"

#include "usage/commands.h"
#include "usage/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PICK(list, random) (list)[mutate_random(random) % (sizeof(list) / sizeof *(list))]

static const char *const inputs[] = {
    "in.glb", "in.gltf",   "in.t3dm", "in.nlm",          "in.model",      "in.png",
    "in.jpg", "in.sprite", "in.z64",  "in.z64:/by.t3dm", "assets/in.glb", "assets/in.ci4.png",
    "assets", "-",         "by.png",  "by.t3dm"};
static const char *const outputs[] = {"out.t3dm", "out.glb",  "out.gltf", "out.nlm",    "out.model", "out.png",
                                      "out.gif",  "out.apng", "-",        "out.sprite", "out.html",  "out"};
static const char *const files[] = {"@in.0.sdata",        "@by.bin",      "@by.png",        "@trilobite.toml",
                                    "@in.materials.toml", "@in.nlm.hash", "@assets/by.png", "@assets/in.gltf",
                                    "@out.t3dm"};
static const char *const values[] = {"0",
                                     "1",
                                     "2",
                                     "3",
                                     "0.5",
                                     "-1",
                                     "16",
                                     "99",
                                     "all",
                                     "any",
                                     "none",
                                     "auto",
                                     "x,y,z",
                                     "-z,x,y",
                                     "rest",
                                     "0@0.5",
                                     "1@0",
                                     "0@0-1",
                                     "4x4",
                                     "16x12",
                                     "1x99",
                                     "10%",
                                     "1/2",
                                     "#123",
                                     "#10203040",
                                     "0,1",
                                     "0,1,#fff",
                                     "1,2,3",
                                     "1,2,3,4,5,6",
                                     "point,0,0,0,1",
                                     "ambient,#222",
                                     "3*meter",
                                     "meter/0",
                                     "(1",
                                     "inf",
                                     "nan",
                                     "error=0.01",
                                     "0.5,error=0.1",
                                     "out.d",
                                     "outdir",
                                     "in.glb",
                                     "by.png",
                                     "by.t3dm",
                                     "by.toml",
                                     "by.txt",
                                     "0,0,inf,0",
                                     "0,0,1,1,2,2,0,1",
                                     "AUTO",
                                     "RGBA16",
                                     "CI8",
                                     "BOX",
                                     "RANDOM",
                                     "by.png,0.5",
                                     "1,2",
                                     "64K",
                                     "1M",
                                     "9K"};

static const cli_command *pick_command(uint32_t *random)
{
    size_t count = 0;
    while (command_at(count))
        count++;
    return command_at(mutate_random(random) % count);
}

/* An option that the command has, with a value that may suit it. */
static void pick_option(const char *name, char *word, size_t room, uint32_t *random)
{
    const cli_command *command = command_named(name);
    const cli_option *fits[256];
    size_t count = 0, choices = 0;
    for (size_t i = 0; option_at(i) && count < 256; i++)
        if (option_at(i)->places & (command ? command->place : (unsigned)ON_PROGRAM))
            fits[count++] = option_at(i);
    const cli_option *option = fits[mutate_random(random) % count];
    while (option_choice(option, choices))
        choices++;
    if (!option->argument)
        snprintf(word, room, "--%s", option->name);
    else
        snprintf(word, room, "--%s=%s", option->name,
                 choices > 0 && mutate_random(random) % 8 ? option_choice(option, mutate_random(random) % choices)
                                                          : PICK(values, random));
}

static void change_words(command_line *line, char *word, size_t room, uint32_t *random)
{
    const size_t at = mutate_random(random) % line->count;
    const char *with = NULL;
    switch (mutate_random(random) % 8) {
    case 0:
        line->words[0] = (char *)(uintptr_t)pick_command(random)->name;
        return;
    case 1:
        if (at > 0)
            memmove(line->words + at, line->words + at + 1, (--line->count - at) * sizeof *line->words);
        return;
    case 2:
        with = PICK(inputs, random);
        break;
    case 3:
        with = PICK(outputs, random);
        break;
    case 4:
        with = PICK(files, random);
        break;
    default:
        pick_option(line->words[0], word, room, random);
        break;
    }
    if (with)
        snprintf(word, room, "%s", with);
    if (with && at > 0 && mutate_random(random) % 2)
        line->words[at] = word;
    else if (line->count < COMMAND_WORDS)
        line->words[line->count++] = word;
}

/* Of the model, or of the other file. */
static size_t change_file(uint8_t *bytes, size_t size, size_t room, uint32_t *random)
{
    const uint32_t seed = mutate_random(random);
    const bool own = mutate_random(random) % 4 != 0;
    size_t made = own ? mutate_t3dm(bytes, size, room, seed) : 0;
    made = own && !made ? mutate_gltf(bytes, size, room, seed) : made;
    return made ? made : LLVMFuzzerMutate(bytes, size, room);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    uint32_t random = seed;
    char word[128], text[COMMAND_LINE + 200];
    command_line line;
    if (!command_line_parse(&line, data, size) || line.model_size + line.other_size + 1000 > room)
        return LLVMFuzzerMutate(data, size, room);
    uint8_t *bytes = malloc(room);
    if (!bytes)
        return size;
    const bool words = mutate_random(&random) % 3 == 0, other = !words && mutate_random(&random) % 5 == 0;
    if (words)
        change_words(&line, word, sizeof word, &random);
    size_t at = 0, used = 0;
    for (size_t i = 0; i < line.count && used < COMMAND_LINE - 130; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "", line.words[i]);
    memcpy(bytes, text, used);
    bytes[used] = '\n';
    at = used + 1;
    memcpy(bytes + at, line.model, line.model_size);
    at += !words && !other ? change_file(bytes + at, line.model_size, room - at - line.other_size - 2, &random)
                           : line.model_size;
    memcpy(bytes + at, line.other, line.other_size);
    const size_t other_room = room - at - 2 < 0xFFFF ? room - at - 2 : 0xFFFF;
    const size_t other_size = other ? change_file(bytes + at, line.other_size, other_room, &random) : line.other_size;
    at += other_size;
    bytes[at++] = (uint8_t)(other_size >> 8);
    bytes[at++] = (uint8_t)other_size;
    memcpy(data, bytes, at);
    free(bytes);
    return at;
}

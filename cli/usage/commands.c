#include "usage/commands.h"

#include "usage/options.h"

#include <string.h>

/* clang-format off */
static const cli_command commands[] = {
    {ON_INFO, "info", "FILE...", 1, SIZE_MAX, "tell what is in a model",
     "Prints what a model holds: its format, meshes, bounds, textures, bones and clips, and which part of the file "
     "takes how many bytes. Of a T3DM file also which releases of Tiny3D load it, of a Model what each of its "
     "display lists costs, of a compressed file what the game must enable.",
     info_run,
     {{"FILE", "A model; - is standard input."}},
     {{"info hero.nlm", "Everything about one file."},
      {"info --json *.nlm", "The same for many, to be read by a program."},
      {"info --materials hero.t3dm", "With the colour combiner of each material, in words."},
      {"info --clips hero.t3dm", "With the bytes and the rounding of each clip."},
      {"info --model64-colors normals hero.model", "Read the last bytes of the vertices as normals, not as colours."},
      {"info --topology lines wire.nlm", "Read the indices as lines, not as triangles."}}},

    {ON_CHECK, "check", "FILE...", 0, SIZE_MAX, "find what is wrong with a model",
     "Looks at every value of a file and prints each finding on a line: the file, the byte, the severity, a stable "
     "code, the path of the value and a sentence. Severities: a crash is what the console or the engine would crash on, "
     "an error breaks the format, a warning is probably not meant, a note is good to know. Crashes and errors fail the "
     "check, warnings do so with --strict. With --for, what a conversion would lose is found too, before it is made.",
     check_run,
     {{"FILE", "A model; - is standard input."}},
     {{"check hero.nlm", "Every finding, one a line."},
      {"check --strict --allow NLM-NAN *.nlm", "Warnings fail too, but not that one."},
      {"check --profile thornmarked hero.model", "The limits of the game too."},
      {"check hero.glb --for t3dm --scale 32", "What a conversion for Tiny3D would lose, and whether it fits."},
      {"check --explain NLM-NAN", "What causes it, and what cures it."}}},

    {ON_DUMP, "dump", "FILE", 1, 1, "print the records of a file",
     "Prints the records of a file field by field, with the byte offset of each. With --pose or --triangles it prints "
     "what the records mean instead: where the nodes are and which frames show, or what is drawn. Matrices are printed "
     "column by column. The keys of a T3DM stream have their offset in the stream.",
     dump_run,
     {{"FILE", "A model; - is standard input."}},
     {{"dump hero.nlm --limit 4", "The records, four elements of each list."},
      {"dump hero.nlm --pose 0@0.5 --json", "The nodes half a second into the first clip."},
      {"dump hero.model --triangles --pose 2@0.3 --smooth", "The triangles, mixed from two frames of the third clip."},
      {"dump hero.t3dm --triangles", "The triangles: positions, normals, colours, texture coordinates, bones."}}},

    {ON_CONVERT, "convert", "IN OUT", 2, 2, "write a model again, changed or in another format",
     "Writes the model IN to OUT. To the same format, and with no option that changes content, that is the same bytes "
     "again. OUT is replaced only when everything went well. What the format of OUT cannot hold is told on standard "
     "error. Streams of a T3DM model, and the buffer of a .gltf, are written beside OUT.",
     convert_run,
     {{"IN", "The model to read; - is standard input."},
      {"OUT", "The file to write; - is standard output."}},
     {{"convert hero.nlm copy.nlm", "The same bytes, made from the records."},
      {"convert hero.nlm big.nlm --restore-size", "With the size of the source model."},
      {"convert hero.nlm hero.t3dm --scale 100", "For Tiny3D, 100 units of the console to one of the model."},
      {"convert hero.t3dm hero.glb", "For Blender and others; back to T3DM it has the same materials."},
      {"convert hero.t3dm old.t3dm --t3dm-version 3", "For a Tiny3D from before August 2025."},
      {"convert hero.t3dm hero.model --axes z,x,y", "For the game of the Model format, where z is up."},
      {"convert hero.nlm hero.model --scale meter*2/500", "A model of 500 units, two metres high."},
      {"convert - - --drop-textures < in.nlm > out.nlm", "As part of a pipe."}}},

    {ON_GLTF_TO_T3D, DROP_IN, "IN OUT", 2, 2, "convert glTF for Tiny3D, with the options of its own converter",
     "Takes the place of Tiny3D's converter in a project: the same options, the same names of files, silence when all "
     "went well. OUT and its streams are replaced only when everything went well. Options that are not known get a "
     "warning and are left out. The program does the same when it is called by the name " DROP_IN ".",
     gltf_to_t3d_run,
     {{"IN", "The glTF file to read, .glb or .gltf."},
      {"OUT", "The .t3dm file to write."}},
     {{DROP_IN " assets/hero.glb filesystem/hero.t3dm", "The streams of its clips will be found at rom:/hero.0.sdata."},
      {DROP_IN " hero.glb build/hero.t3dm --rom-root=build --base-scale=0.5", "Another folder becomes rom:/."},
      {DROP_IN " hero.glb fs/hero.t3dm --rom-root=fs -MD", "With fs/hero.d, which make can include."}}},

    {ON_OPTIMIZE, "optimize", "IN OUT", 1, 2, "make a model faster to draw",
     "Writes IN to OUT in the same format, faster to draw, and prints what that gained. T3DM and Model files are packed "
     "anew: the same triangles in fewer loads, commands and bytes; materials, names, clips and all else stay as they "
     "are, and no object gets slower; with --simplify or --anim-error the file is made anew. NLM and glTF files are "
     "sorted for the caches of graphics hardware, which needs a Trilobite that was built with meshoptimizer; so does "
     "--simplify, for any format. IN and OUT may be the same file.",
     optimize_run,
     {{"IN", "The model to read; - is standard input."},
      {"OUT", "The file to write; - is standard output."}},
     {{"optimize hero.t3dm fast.t3dm", "Pack it anew, and see what that gains."},
      {"optimize hero.t3dm hero.t3dm -O3", "In place, with more patience."},
      {"optimize hero.t3dm fast.t3dm -O3 --resident --unused-attributes=drop", "All that can be had."},
      {"optimize hero.model fast.model --json", "Before and after, for a program."},
      {"optimize hero.glb low.glb --simplify 0.5", "With half of its triangles."},
      {"optimize hero.t3dm --dry-run", "Only look."}}},

    {ON_COST, "cost", "FILE...", 1, SIZE_MAX, "tell what it costs to draw a model",
     "Counts what the console does to draw a model once: vertex loads, triangles by kind of command, matrices, changes of "
     "materials, texture uploads, bytes moved; estimates the time of the RSP from that; and tells what could be better. "
     "Of formats that no console draws, meshes and triangles are counted; --as t3dm tells what they would cost there. "
     "docs/cost.md explains every figure.",
     cost_run,
     {{"FILE", "A model; - is standard input."}},
     {{"cost hero.t3dm", "Everything about one file."},
      {"cost hero.glb --as t3dm", "What it would cost on the console, before it is converted."},
      {"cost hero.t3dm map.t3dm --budget limits.txt", "Fails when both together are over a limit."},
      {"cost new.t3dm --compare old.t3dm", "Both, and the ratio."},
      {"cost tree.t3dm --per-frame 12 --fill 40", "Twelve of them, which cover 40 % of the screen."}}},

    {ON_RENDER, "render", "FILE...", 1, SIZE_MAX, "draw a model into a picture",
     "Draws models as the console would, without a graphics card: N64 materials by their own words, others by what comes "
     "near. All of the model is seen unless a camera is given. With a .gif or .apng the clip plays, or the model turns. "
     "The same input gives the same pixels on every machine.",
     render_run,
     {{"FILE", "A model; - is standard input."}},
     {{"render hero.t3dm -o hero.png", "As a Nintendo 64 shows it."},
      {"render hero.t3dm -o hero.png --look clean --size 1024x768 --view front", "Smooth and large."},
      {"render hero.t3dm -o walk.gif --clip Walk", "A clip, moving."},
      {"render hero.t3dm -o walk.png --clip Walk --frames 8", "walk-000.png to walk-007.png."},
      {"render hero.t3dm -o turn.apng --turntable --background none", "All round, on nothing."},
      {"render hero.t3dm --ansi", "In the terminal."},
      {"render *.t3dm --sheet all.png", "Many, with their names."},
      {"render hero.t3dm -o loads.png --parts", "Which triangles the console draws with which vertices."},
      {"render hero.t3dm -o uv.png --uv", "Where the triangles are on the textures."}}},

    {ON_EXTRACT, "extract", "FILE", 1, 1, "write embedded images or streams to files",
     "Writes the images that a model embeds to files of their own, byte for byte, and prints their paths. They have "
     "their own names (brick.png), or else that of the model and a number: hero-0.jpg, hero-1.png. Streams of a T3DM model keep their names.",
     extract_run,
     {{"FILE", "A model; - is standard input."}},
     {{"extract hero.nlm --textures", "Into the current directory."},
      {"extract hero.nlm --textures -o images --force", "Into images, over what is there."},
      {"extract hero.t3dm --streams -o raw", "The streams of its clips, decompressed."}}},

    {ON_FORMATS, "formats", "", 0, 0, "list the formats that are known",
     "Lists the formats with their versions and file extensions, and whether they can be read and written.",
     formats_run,
     {{NULL, NULL}},
     {{"formats", "The list."},
      {"formats --reference nlm", "Every record of a format, byte by byte."}}},
};
/* clang-format on */

const cli_command *command_at(size_t index)
{
    return index < sizeof commands / sizeof *commands ? &commands[index] : NULL;
}

const cli_command *command_named(const char *name)
{
    for (size_t i = 0; command_at(i); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

/* Tiny3D's converter passes over them in silence, and somebody's build may depend on that. */
bool command_forgives(const cli_command *command)
{
    return command && command->place == ON_GLTF_TO_T3D;
}
